//! Audits of whole folders: a request in plain values to findings in order.
//!
//! - `request`: what an audit is asked for;
//! - `plan`: what is read before the documents, and the run itself;
//! - `sites`, `hosting`, `documents`, `cdx`: the folders, the servers, the files and the indexes of
//!   captures that a request names;
//! - `scanned`, `streaming`, `finish`: findings emitted while documents are read, and after the last
//!   one;
//! - [`fixing`]: links replaced by what findings suggest;
//! - [`seeds`]: the URLs that a crawl needs to complete the captures.

mod cdx;
mod documents;
mod finish;
pub mod fixing;
mod hosting;
mod plan;
mod request;
mod scanned;
pub mod seeds;
mod sites;
mod streaming;

pub use self::finish::AuditOutcome;
pub use self::plan::{Plan, unwrapper};
pub use self::request::Request;
