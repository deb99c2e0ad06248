//! The messages of findings.

use std::fmt;
use std::sync::Arc;

use crate::{Level, Rule};

/// What a finding of one rule says: its data, written out by [`Display`](fmt::Display) in one line
/// without a full stop.
pub trait Message: fmt::Display {
    /// The rule.
    const RULE: &'static Rule;

    /// The level of the finding, which defaults to the level of the rule.
    fn level(&self) -> Level {
        Self::RULE.level
    }
}

/// A rule that is broken, with the level and message of the finding, but without a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// The rule.
    pub rule: &'static Rule,
    /// The level of the finding.
    pub level: Level,
    /// What is wrong, in one line without a full stop.
    pub message: Arc<str>,
}

impl Violation {
    /// A violation at another level.
    #[must_use]
    pub fn at(self, level: Level) -> Self {
        Self { level, ..self }
    }
}

impl<M: Message> From<M> for Violation {
    fn from(message: M) -> Self {
        let level = message.level();
        let message: &dyn fmt::Display = &message;
        Self {
            rule: M::RULE,
            level,
            message: message.to_string().into(),
        }
    }
}

/// The violation of a rule whose message is its summary.
impl From<&'static Rule> for Violation {
    fn from(rule: &'static Rule) -> Self {
        Self {
            rule,
            level: rule.level,
            message: rule.summary.into(),
        }
    }
}
