//! Findings as plain data, and the decisions made about them after a check.
//!
//! ```
//! use baseref_findings::{Example, ExampleFile, Level, Levels, Rule};
//!
//! const FILES: &[ExampleFile] =
//!     &[ExampleFile { name: "site/index.html", text: "<a href=gone.html>", times: 1 }];
//! static RULE: Rule = Rule {
//!     id: "target/missing-file",
//!     level: Level::Error,
//!     summary: "the file is not there",
//!     explanation: "",
//!     reference: "",
//!     example: Example::new("baseref audit site", FILES),
//! };
//! let mut levels = Levels::default();
//! levels.set("target/*", Level::Warning, &[&RULE])?;
//! assert_eq!(levels.of(&RULE), Some(Level::Warning));
//! # Ok::<(), String>(())
//! ```
//!
//! A check makes a [`Finding`] by one [`Rule`]. [`Triage`] then sets its level, looks its
//! [`Fingerprint`] up in the [`Baseline`], looks for exceptions, and counts it. Findings with the same
//! cause form a [`Group`]. A check passes its results to a [`FindingSink`], and the crate
//! `baseref-report` writes them. [`judging`] reads the configuration that decides which findings count,
//! and [`sources`] finds the source line of a finding in a generated page.
//!
//! Outside baseref it serves other checks of documents that want levels, baselines and exceptions
//! without inventing them.
//!
//! # What it does not do
//!
//! It does not read the clock, and no files but configurations, baselines and the sources of pages. It
//! judges nothing by itself.

mod allow;
mod baseline;
mod config;
mod difference;
mod earlier;
mod example;
mod excerpt;
mod finding;
mod fingerprint;
mod group;
mod judged_link;
pub mod judging;
mod letter;
mod level;
mod levels;
mod message;
pub mod nearest;
mod rule;
mod rules;
mod shown;
mod sink;
mod source_line;
pub mod sources;
mod summary;
mod triage;
pub mod words;

pub use allow::Allow;
pub use baseline::{Baseline, BaselineError, Recorded};
pub use config::{Config, ConfigError};
pub use difference::{Change, Difference, Side};
pub use earlier::Earlier;
pub use example::{Example, ExampleFile};
pub use excerpt::{Excerpt, Excerpts};
pub use finding::{BaseName, Finding, Fix, Moved, PageName, Related, SourcePlace, Spot, Urls};
pub use fingerprint::Fingerprint;
pub use group::{Group, Groups};
pub use judged_link::JudgedLink;
pub use letter::{Letter, LetterLink};
pub use level::Level;
pub use levels::{Levels, matching};
pub use message::{Message, Violation};
pub use rule::Rule;
pub use rules::ALL as RULES;
pub use shown::Shown;
pub use sink::{FindingSink, Refused};
pub use source_line::{SourceLine, SourceLines};
pub use summary::{Class, Count, Summary, Table, Totals};
pub use triage::{BaselineCounts, Triage};
