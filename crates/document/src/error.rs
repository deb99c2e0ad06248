//! What cannot be read: where, what kind of error, and the details.

use std::fmt;
use std::io;
use std::num::{NonZeroU16, NonZeroU64};
use std::sync::Arc;

use crate::{Document, Feature, LimitReached, Note, NoteCode, Origin};

/// An input, or a part of one, that cannot be read. The rest is still read.
///
/// Prints as `origin:line: reason`. Where the file system or a stream refused the bytes, its
/// [`std::io::Error`] is the [`source`](std::error::Error::source), too. The comparison of two errors
/// ignores the cause.
#[derive(Clone, Debug)]
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
    /// Shared, and boxed by that: every result of a reader has room for an error.
    cause: Option<Arc<ReadErrorCause>>,
    /// Set if the storage stopped delivering an input that had been opened: there may be nothing
    /// wrong with the bytes, and another attempt may succeed.
    pub interruption: Option<Interruption>,
}

/// What caused a [`ReadError`].
#[derive(Debug)]
#[non_exhaustive]
pub enum ReadErrorCause {
    /// The file system or a stream refused the bytes.
    Io(io::Error),
    /// The reader is not built in: it needs this Cargo feature.
    Feature(Feature),
    /// A limit on the work that one input may cause was reached.
    Limit(LimitReached),
    /// A note on something without a document to carry it.
    Note(NoteCode),
}

impl From<io::Error> for ReadErrorCause {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// How the storage stopped delivering.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interruption {
    /// Two bytes are enough for any number of an error, and keep [`ReadError`] small.
    errno: Option<NonZeroU16>,
}

impl Interruption {
    /// The interruption by an error.
    #[doc(hidden)]
    #[must_use]
    pub fn by(error: &io::Error) -> Self {
        let number = error.raw_os_error();
        let number = number.and_then(|number| u16::try_from(number).ok());
        Self {
            errno: number.and_then(NonZeroU16::new),
        }
    }

    /// The operating system's number of the error, if it is one of its own.
    #[must_use]
    pub fn errno(self) -> Option<i32> {
        self.errno.map(|number| number.get().into())
    }
}

impl PartialEq for ReadError {
    fn eq(&self, other: &Self) -> bool {
        (&self.origin, self.line, self.kind, &self.reason)
            == (&other.origin, other.line, other.kind, &other.reason)
    }
}

impl Eq for ReadError {}

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
    /// The bytes are malformed but were read, apparently without loss. This is a [`crate::Note`] on a
    /// document, and an error where there is none.
    Repaired,
    /// It takes a key or a password to read it.
    Encrypted,
    /// It was found in a directory and is recognised, but is in a format that is not read.
    Unsupported,
    /// It was found in a directory and is in no format that is read.
    Unrecognised,
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
    /// Every kind.
    pub const ALL: &'static [Self] = &[
        Self::Io,
        Self::Format,
        Self::NotBuiltIn,
        Self::Limit,
        Self::Damaged,
        Self::Repaired,
        Self::PassedOver,
        Self::Guessed,
        Self::SymlinkLoop,
        Self::Fault,
    ];

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
            Self::Encrypted => "encrypted",
            Self::Unsupported => "unsupported",
            Self::Unrecognised => "unrecognised",
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
            Self::Repaired
                | Self::Unrecognised
                | Self::PassedOver
                | Self::Guessed
                | Self::SymlinkLoop
        )
    }

    /// Whether errors with the same reason differ only in their origin, so that one line is enough for
    /// all of them.
    #[must_use]
    pub fn is_summed_up(self) -> bool {
        matches!(self, Self::Encrypted | Self::Unsupported)
    }
}

/// The kind of error that a note becomes where there is no document to carry it.
impl From<NoteCode> for ReadErrorKind {
    fn from(code: NoteCode) -> Self {
        match code {
            NoteCode::FeedInvalid | NoteCode::RecordLength | NoteCode::Checksum => Self::Damaged,
            code if code.is_loss() => Self::Limit,
            _ => Self::Repaired,
        }
    }
}

impl ReadError {
    /// What caused it, for programs; `None` where only [`Self::reason`] says so.
    #[must_use]
    pub fn cause(&self) -> Option<&ReadErrorCause> {
        self.cause.as_deref()
    }

    /// An error about `origin` as a whole.
    #[doc(hidden)]
    #[must_use]
    pub fn new(kind: ReadErrorKind, origin: Origin, reason: impl Into<Box<str>>) -> Self {
        Self {
            origin,
            line: None,
            kind,
            reason: reason.into(),
            cause: None,
            interruption: None,
        }
    }

    /// An error of the file system or of a stream, in its words and kept as the source.
    #[doc(hidden)]
    #[must_use]
    pub fn from_io(origin: Origin, error: io::Error) -> Self {
        Self::new(ReadErrorKind::Io, origin, error.to_string()).caused_by(error)
    }

    /// Records the cause.
    #[doc(hidden)]
    #[must_use]
    pub fn caused_by(self, cause: impl Into<ReadErrorCause>) -> Self {
        let cause = Some(Arc::new(cause.into()));
        Self { cause, ..self }
    }

    /// What a note says, where there is no document to carry it.
    #[doc(hidden)]
    #[must_use]
    pub fn from_note(note: &Note, origin: Origin) -> Self {
        let reason = format!("{}: {}", note.code.as_str(), note.detail);
        Self::new(note.code.into(), origin, reason).caused_by(ReadErrorCause::Note(note.code))
    }

    /// Moves the error into a container, where the file it is about is `file`
    /// ([`Origin::in_file`]).
    #[doc(hidden)]
    #[must_use]
    pub fn in_file(self, file: &Origin) -> Self {
        let origin = self.origin.in_file(file);
        Self { origin, ..self }
    }

    /// Locates the error at a line of the file (1-based).
    #[doc(hidden)]
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

impl std::error::Error for ReadError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self.cause()? {
            ReadErrorCause::Io(error) => Some(error),
            ReadErrorCause::Limit(limit) => Some(limit),
            ReadErrorCause::Feature(_) | ReadErrorCause::Note(_) => None,
        }
    }
}

/// What a reader finds: a document, or something it could not read. A damaged part that still
/// yields a document yields both, the error first.
pub type ReadResult = Result<Document, ReadError>;
