//! Rules: what is checked, with explanations.

use crate::{Example, Level};

/// One thing that is checked in a link, a base or a document.
#[derive(Debug, PartialEq, Eq)]
pub struct Rule {
    /// The name, `family/what`, in kebab-case.
    pub id: &'static str,
    /// The level of its findings, unless overridden by the finding or the user.
    pub level: Level,
    /// The fault that it reports, in one line without a full stop.
    pub summary: &'static str,
    /// Why the fault matters and how to fix it, in a few sentences.
    pub explanation: &'static str,
    /// The source: `RFC 1808 §3.4`.
    pub reference: &'static str,
    /// Files with the fault, and the command that reports it.
    pub example: Example,
}
