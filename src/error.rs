//! What cannot be read: where, what kind of trouble, and the particulars.

use std::fmt;
use std::num::NonZeroU64;

use crate::document::{Document, Origin};

/// An input, or a part of one, that cannot be read. The rest goes on.
///
/// Prints as `origin:line: reason`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ReadError {
    /// The input, message or part it is about.
    pub origin: Origin,
    /// The line in the file, 1-based, where that helps to find it.
    pub line: Option<NonZeroU64>,
    /// What kind of trouble it is.
    pub kind: ReadErrorKind,
    /// What is wrong, in words, without control characters.
    pub reason: Box<str>,
}

/// The kinds of [`ReadError`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum ReadErrorKind {
    /// The bytes could not be had from the file system or the stream.
    Io,
    /// The input is in no format that is read, or not in the one it was said to be in.
    Format,
    /// The format is known, and support for it was not built in (a cargo feature).
    NotBuiltIn,
    /// A size exceeds a limit of [`crate::options::Limits`].
    Limit,
    /// The bytes are cut off or malformed: something is lost.
    Damaged,
    /// The bytes are malformed and were read all the same: nothing is known to be lost. Of a
    /// document this is a [`crate::document::Note`]; it is an error where there is no document
    /// to bear one.
    Repaired,
    /// It was met in a directory and passed over on purpose: nothing that was asked for.
    PassedOver,
    /// It is text of no known format, and was read as HTML.
    Guessed,
    /// A link back to a directory that it was met in.
    SymlinkLoop,
    /// A fault in this crate or in one below it.
    Fault,
}

impl ReadErrorKind {
    /// The name in reports, kebab-case.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Io => "io",
            Self::Format => "format",
            Self::NotBuiltIn => "not-built-in",
            Self::Limit => "limit",
            Self::Damaged => "damaged",
            Self::Repaired => "repaired",
            Self::PassedOver => "passed-over",
            Self::Guessed => "guessed",
            Self::SymlinkLoop => "symlink-loop",
            Self::Fault => "fault",
        }
    }

    /// Whether something was not read, or may not have been.
    #[must_use]
    pub fn is_loss(self) -> bool {
        !matches!(
            self,
            Self::Repaired | Self::PassedOver | Self::Guessed | Self::SymlinkLoop
        )
    }
}

impl ReadError {
    /// An error about `origin` as a whole.
    #[must_use]
    pub fn new(kind: ReadErrorKind, origin: Origin, reason: impl Into<Box<str>>) -> Self {
        Self {
            origin,
            line: None,
            kind,
            reason: reason.into(),
        }
    }

    /// The same, about a line of the file (1-based).
    #[must_use]
    pub fn at_line(self, line: Option<u64>) -> Self {
        let line = line.and_then(NonZeroU64::new);
        Self { line, ..self }
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.origin)?;
        if let Some(line) = self.line {
            write!(f, ":{line}")?;
        }
        write!(f, ": {}", self.reason)
    }
}

impl std::error::Error for ReadError {}

/// What a reader finds: a document, or something that it could not read. A damaged part
/// that still gives a document gives both, the error first.
pub type Found = Result<Document, ReadError>;
