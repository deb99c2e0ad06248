//! Checks whether every link of a saved site leads where its author thinks it does.
//!
//! ```
//! use baseref_audit::rules;
//!
//! // Each rule has an explanation and an example that fires it.
//! let rule = rules::ALL.iter().find(|rule| rule.id == "target/missing-file").expect("the rule is listed");
//! assert!(!rule.explanation.is_empty() && !rule.example.files().is_empty());
//! ```
//!
//! An [`Audit`] scans documents, in any order and on any number of threads, and creates a
//! [`StoredScan`] of each. A [`Judge`] then judges them in order. Two passes are needed because
//! links depend on the element ids of other pages.
//!
//! - [`compare`]: where the three rule sets of [`mod@baseref_resolve`] give different URLs, and why;
//! - [`rules`]: the rules, with their explanations;
//! - [`run`]: audits of whole folders.
//!
//! It opens files only if a fragment points into one that was not among the documents, or to read a
//! page again for the source line of a finding.
//!
//! Internal to baseref, and versioned with it.
//!
//! # What it does not do
//!
//! It makes no connections: links that leave the site are counted, not followed. It sets no levels
//! and writes no reports.

mod audit;
mod cache;
mod captures;
mod checks;
pub mod compare;
mod context;
mod epub;
mod judge;
mod mail;
mod model;
pub mod rules;
pub mod run;
mod scan;
mod serving;
mod signals;
mod spool;
mod target;
#[cfg(test)]
mod tests;
mod view;

pub use self::audit::Audit;
pub use self::captures::completeness::IncompletePage;
pub use self::captures::crawl::{Crawl, Scope, ScopeError};
pub use self::captures::missing::{Missing, MissingCaptures};
pub use self::judge::{Judge, JudgedDocument};
pub use self::model::class::{Counts, LinkClass};
pub use self::model::external::External;
pub use self::model::site_file::SiteFile;
pub use self::model::stored_scan::StoredScan;
pub use self::serving::hints::ServingHints;
