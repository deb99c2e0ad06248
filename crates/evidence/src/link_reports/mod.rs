//! The reports of link checkers and fetchers: how servers responded to URLs.
//!
//! ```
//! use baseref_evidence::link_reports::{Outcome, Statuses};
//!
//! let lines = b"https://a.example/ 200 \nhttps://a.example/gone 404 \n";
//! let mut statuses = Statuses::default();
//! statuses.read("curl.txt", &lines[..], None)?;
//! let gone = statuses.result("https://a.example/gone#top").expect("a result for the URL, whose fragment is ignored");
//! assert_eq!(gone.outcome(), Outcome::Dead);
//! assert!(statuses.result("https://a.example/other").is_none());
//! # Ok::<(), baseref_evidence::link_reports::StatusError>(())
//! ```
//!
//! [`Format`] lists the supported files; the format of a file is detected by its content. [`Statuses`]
//! merges any number of reports, and looks up URLs in normal form, without the fragment. Captures of
//! web archives are stored separately: [`Statuses::archived`] finds the nearest copy.
//!
//! # What it does not do
//!
//! It fetches nothing and judges nothing: the caller decides what a dead URL means for a page that links to
//! it.

mod archived;
mod error;
mod files;
mod format;
mod formats;
mod report_reader;
mod result;
mod statuses;
mod store;

pub use self::archived::Copy;
pub use self::error::{ReportFault, RowError, StatusError};
pub use self::files::{ReportError, ReportFiles};
pub use self::format::Format;
pub use self::result::{FetchResult, Hop, Outcome};
pub use self::statuses::Statuses;
