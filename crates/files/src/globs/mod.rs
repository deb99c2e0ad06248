//! Patterns that users write, for names, URLs and hosts.
//!
//! ```
//! use baseref_files::globs::{Form, Glob, Globs};
//!
//! let glob = Glob::new("*.example/old/*", Form::Url)?;
//! assert!(glob.is_match("http://a.example/old/x/y"));
//!
//! let globs = Globs::new(["/a*", "/b", "*z"], Form::Url)?;
//! assert_eq!(globs.matches("/abz"), [0, 2]);
//! # Ok::<(), baseref_files::globs::GlobError>(())
//! ```
//!
//! Patterns are hostile input, since a configuration file may come with the site that it is for: a
//! pattern that is too long or too deep is an error, never a panic or a stack overflow. Patterns for URLs
//! that consist of text and single stars are matched in time linear in the text, however many stars they
//! have; all others are given to globset.
//!
//! # What it does not do
//!
//! It walks no directories, and has no patterns that exclude.

mod glob;
mod set;
mod stars;

pub use self::glob::{Form, Glob, GlobError, MAX_LENGTH};
pub use self::set::Globs;
