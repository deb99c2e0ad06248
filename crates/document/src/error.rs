//! What cannot be read: where, what kind of error, and the details.

use std::fmt;
use std::num::NonZeroU64;

use crate::{Document, Origin};

/// An input, or a part of one, that cannot be read. The rest is still read.
///
/// Prints as `origin:line: reason`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ReadError {
    /// The input, message or part it is about.
    pub origin: Origin,
    /// The line in the file, 1-based, where that helps to locate it.
    pub line: Option<NonZeroU64>,
    /// The kind of error.
    pub kind: ReadErrorKind,
    /// What is wrong, in words, without control characters.
    pub reason: Box<str>,
}

/// The kinds of [`ReadError`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum ReadErrorKind {
    /// The file system or stream did not deliver the bytes.
    Io,
    /// The input is in no supported format, or not in the one it was declared to be in.
    Format,
    /// The format is known, but support for it was not compiled in (a Cargo feature).
    NotBuiltIn,
    /// A size exceeds a limit of [`crate::Limits`].
    Limit,
    /// The bytes are truncated or malformed: something is lost.
    Damaged,
    /// The bytes are malformed but were still read: nothing is known to be lost. For a document
    /// this is a [`crate::Note`]; it is an error where there is no document to attach one
    /// to.
    Repaired,
    /// It was found in a directory and skipped on purpose, not having been asked for by name.
    PassedOver,
    /// It is text of no known format and was read as HTML.
    Guessed,
    /// A symbolic link to one of the directories it is in.
    SymlinkLoop,
    /// A bug in this crate or one of its dependencies.
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

    /// The same error, where the file it is about is `file` inside a container
    /// ([`Origin::in_file`]).
    #[must_use]
    pub fn in_file(self, file: &Origin) -> Self {
        let origin = self.origin.in_file(file);
        Self { origin, ..self }
    }

    /// The same error, located at a line of the file (1-based).
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

/// What a reader finds: a document, or something it could not read. A damaged part that still
/// yields a document yields both, the error first.
pub type Found = Result<Document, ReadError>;
