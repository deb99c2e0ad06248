//! The errors of lines of rule files.

use crate::engine::pattern::PatternError;

/// Why a line of a rule file, or a part of it, cannot be read.
#[derive(Debug, thiserror::Error)]
pub(crate) enum LineError {
    /// It has another form, in words for the user.
    #[error("{0}")]
    Form(&'static str),
    /// A pattern cannot be used, whether the server can or not.
    #[error(transparent)]
    Pattern(#[from] PatternError),
    /// The server cannot use a pattern either.
    #[error("the pattern {0:?} is broken")]
    BrokenPattern(String),
    /// As [`Self::BrokenPattern`], with the fault.
    #[error("the pattern {pattern:?} is broken: {source}")]
    InvalidPattern {
        pattern: String,
        source: PatternError,
    },
    #[error("the expression {0:?} is broken")]
    BrokenExpression(String),
    #[error("RE2 has no look-around and no back-references: {0:?}")]
    NotRe2(String),
    #[error("{0:?} is not a status")]
    Status(String),
    #[error("{0:?} is no status of an error")]
    ErrorStatus(String),
    #[error("invalid HTTP response code {0:?} for flag R")]
    RedirectStatus(String),
    #[error("status {0} takes no target")]
    NeedlessTarget(u16),
    #[error("the target {0:?} is neither a path nor a URL")]
    Target(String),
    #[error("bad flag delimiters in {0:?}")]
    FlagDelimiters(String),
    #[error("unknown flag {0:?}")]
    UnknownFlag(String),
    #[error("bad flag {0:?}")]
    Flag(String),
    #[error("invalid location modifier {0:?}")]
    LocationModifier(String),
    #[error("duplicate location {0:?}")]
    DuplicateLocation(String),
    /// The words of a condition that has another form.
    #[error("{0:?}")]
    Condition(String),
}
