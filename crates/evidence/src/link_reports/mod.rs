//! What somebody else measured: the answers of servers to URLs, from the files that link checkers
//! and fetchers write.
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
//! [`Format`] has the files that are understood; which one a file is, its content says. [`Statuses`]
//! joins any number of them and looks URLs up as servers see them: in normal form, without the
//! fragment. The captures of a web archive are kept apart: [`Statuses::archived`] has the nearest copy.
//!
//! Outside baseref it serves whatever combines what several checkers, or one on several days, have found.
//!
//! # What it does not do
//!
//! Nothing is fetched here, and nothing is judged: what a dead URL means for the page that links to
//! it is up to the caller.

mod archived;
mod curl;
mod error;
mod files;
mod format;
mod json_lines;
mod linkchecker;
mod lychee;
mod measured;
mod source;
mod statuses;
mod store;
mod table;
mod words;

pub use self::archived::Copy;
pub use self::error::StatusError;
pub use self::files::{ReportError, ReportFiles};
pub use self::format::Format;
pub use self::measured::{Hop, Measured, Outcome};
pub use self::statuses::Statuses;
