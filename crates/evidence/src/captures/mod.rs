//! An index of the captures of a web archive: which URL was captured when, with what result, and
//! where its redirects lead.
//!
//! ```
//! use baseref_evidence::captures::{Builder, End, Need, Question, Tier};
//! use baseref_document::Capture;
//!
//! let mut captures = Builder::default();
//! captures.add(&Capture::from_page("http://www.x.org/a", Some("2024-03-01T10:00:00Z")));
//! let index = captures.finish();
//! let answer = index.ask(Question {
//!     url: "https://x.org/a#b",
//!     need: Need::Page,
//!     date: None,
//!     tier: Tier::Loose,
//! });
//! assert_eq!(answer.first, Some((0, Tier::Twin)));
//! assert_eq!(answer.end, End::Captured(0));
//! ```
//!
//! URLs are compared in three tiers, and the first tier with a capture wins: see [`Tier`]. Among several
//! captures of a URL, the one nearest in time to the linking page wins, and unusable ones come last: see
//! [`Index::ask`].
//!
//! # What it does not do
//!
//! It reads no archives and fetches nothing. It is given captures, from records or from the lines of a
//! CDX.

mod cdx;
mod cdx_reader;
mod date;
mod find;
mod index;
mod key;
mod long_locations;
mod lookup;
mod row;
#[cfg(test)]
mod tests;

pub use self::cdx::Cdx;
pub use self::cdx_reader::{CdxError, CdxReader, MalformedLines};
pub use self::date::{day_of, millis_of, timestamp_of};
pub use self::find::{Absent, Answer, End, HOPS, Question};
pub use self::index::{Builder, Index, Listed, target_id};
pub use self::key::{Need, Tier, exact, host, is_archivable, is_saved_file, twin};
pub use self::row::Number;
