//! The reports of link checkers and fetchers: how servers responded to URLs.
//!
//! ```
//! use baseref_evidence::link_reports::{Outcome, Statuses};
//!
//! let lines = b"https://a.example/ 200 \nhttps://a.example/gone 404 \n";
//! let mut statuses = Statuses::default();
//! statuses.read("curl.txt", &lines[..], None)?;
//! let gone = statuses.of("https://a.example/gone#top").expect("it is in the file");
//! assert_eq!(gone.outcome(), Outcome::Dead);
//! assert!(statuses.of("https://a.example/other").is_none());
//! # Ok::<(), baseref_evidence::link_reports::StatusError>(())
//! ```
//!
//! [`Format`] lists the supported files; the format of a file is detected by its content. [`Statuses`]
//! merges any number of reports, and looks up URLs in normal form, without the fragment. The captures of
//! web archives are stored separately: [`Statuses::archived`] finds the nearest copy.
//!
//! # What it does not do
//!
//! It fetches nothing and judges nothing: what a dead URL means for the page that links to it is up to the
//! caller.

mod archived;
mod curl;
mod error;
mod files;
mod format;
mod json_lines;
mod linkchecker;
mod lychee;
mod result;
mod source;
mod statuses;
mod store;
mod table;
mod words;

pub use self::archived::Copy;
pub use self::error::StatusError;
pub use self::files::{ReportError, ReportFiles};
pub use self::format::Format;
pub use self::result::{FetchResult, Hop, Outcome};
pub use self::statuses::Statuses;
