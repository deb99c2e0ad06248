//! A saved tree as a site: which file of it a URL names, and which URL a file has.
//!
//! - [`normal`]: the form in which two URLs are compared;
//! - [`hosting`]: what a server makes of `/folder`, `/file` and `/file/`, one row a server;
//! - [`listing`]: the names below a directory, read once;
//! - [`map`]: directories and the URLs they are served under, both ways;
//! - [`lookup`]: the file that a URL path names;
//! - [`suggest`]: what the author of a link that names nothing may have meant.
//!
//! Names are compared with directory listings and never with `stat`, so a tree gives the same
//! answers on a file system that folds case or normalizes Unicode as on one that does neither.

pub mod hosting;
pub mod listing;
pub mod lookup;
pub mod map;
pub mod normal;
mod spelling;
pub mod suggest;

pub use spelling::Spelling;
