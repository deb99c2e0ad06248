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
//! assert_eq!(levels.level(&RULE), Some(Level::Warning));
//! # Ok::<(), baseref_findings::SettingsError>(())
//! ```
//!
//! A check makes a [`Finding`] by one [`Rule`]. [`Triage`] then sets its level, looks its
//! [`Fingerprint`] up in the [`Baseline`], looks for exceptions, and counts it. Findings with the
//! same cause form a [`Group`]. A check passes its results to a [`FindingSink`], and the crate
//! `baseref-report` writes them. [`judging`] reads the configuration that decides which findings
//! count, and [`sources`] finds the source line of a finding in a generated page.
//!
//! Internal to baseref, and versioned with it.
//!
//! # What it does not do
//!
//! It does not read the clock. It reads no files except configurations, baselines and the sources
//! of pages. It does not look for faults itself.

mod baseline;
mod error;
mod finding;
mod results;
mod rule;
mod settings;
pub mod sources;
mod text;

pub use self::baseline::earlier::Earlier;
pub use self::baseline::{Baseline, BaselineEntry};
pub use self::error::{BaselineError, BaselineFault, ConfigError, SettingsError, SinkError};
pub use self::finding::excerpt::{Excerpt, Excerpts};
pub use self::finding::fingerprint::Fingerprint;
pub use self::finding::source_line::{SourceLine, SourceLines};
pub use self::finding::{
    AttributeName, BaseName, Finding, Fix, MoveEffect, PageName, Related, SourcePlace, Urls,
};
pub use self::results::difference::{Change, Difference, Side};
pub use self::results::group::{Group, Groups};
pub use self::results::judged_link::JudgedLink;
pub use self::results::message_summary::{MessageLink, MessageSummary};
pub use self::results::sink::FindingSink;
pub use self::results::summary::{Class, Count, Summary, Table, Totals};
pub use self::results::triage::{BaselineCounts, Triage};
pub use self::rule::common::ALL as RULES;
pub use self::rule::definition::Rule;
pub use self::rule::example::{Example, ExampleFile};
pub use self::rule::level::Level;
pub use self::rule::message::{Message, Violation};
pub use self::settings::allow::Allow;
pub use self::settings::config::Config;
pub use self::settings::judging;
pub use self::settings::levels::{Levels, matching};
pub use self::settings::shown::Shown;
pub use self::text::{nearest, words};
