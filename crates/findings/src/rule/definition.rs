//! Rules: what is checked, with explanations.

use crate::{Example, Level};

/// One thing that is checked in a link, a base or a document.
#[derive(Debug, PartialEq, Eq)]
pub struct Rule {
    /// The name, `family/what`, in kebab-case.
    pub id: &'static str,
    /// The level of its findings, unless overridden by the finding or the user.
    pub level: Level,
    /// What is wrong where it fires, in one line without a full stop.
    pub summary: &'static str,
    /// Why that matters and what to do about it, in a few sentences.
    pub explanation: &'static str,
    /// The source: `RFC 1808 §3.4`.
    pub reference: &'static str,
    /// Files for which it fires, and the command that shows it.
    pub example: Example,
}
