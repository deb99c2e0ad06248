//! Audits of whole folders, from a request in plain values to findings in order.
//!
//! - `request`: the options of an audit;
//! - `plan`: the preparations before any document is read, and the run itself;
//! - `sites`, `hosting`, `documents`, `cdx`: the folders, servers, files and capture indexes that a
//!   request names;
//! - `other_names`: documents with several names in one folder;
//! - `own_addresses`: the addresses that folders give themselves;
//! - `scanned`, `streaming`, `finish`: findings emitted while documents are read, and after the
//!   last one;
//! - [`fixing`]: replacement of links by what findings suggest;
//! - [`seeds`]: the URLs that a crawl needs to complete the captures.

mod cdx;
mod documents;
mod error;
mod finish;
pub mod fixing;
mod hosting;
mod mirror;
mod other_names;
mod own_addresses;
mod plan;
mod request;
mod scanned_inputs;
pub mod seeds;
mod sites;
mod streaming;

pub use self::error::AuditError;
pub use self::finish::AuditOutcome;
pub use self::hosting::hosting;
pub use self::mirror::{check_mirror, did_you_mean_mirror};
pub use self::plan::{Plan, unwrapper};
pub use self::request::AuditRequest;
