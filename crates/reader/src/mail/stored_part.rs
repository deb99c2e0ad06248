//! The parts of a multipart that are stored apart rather than between delimiters.

use baseref_document::{NoteCode, ReadErrorKind};

/// The parts of a multipart, and what is wrong with it.
#[derive(Debug, Default)]
pub(super) struct StoredParts {
    pub parts: Vec<StoredPart>,
    pub problems: Vec<Problem>,
}

/// A part.
#[derive(Debug)]
pub(super) struct StoredPart {
    /// Its header, the blank line and its body.
    pub bytes: Vec<u8>,
    /// Its own parts, or the parts of the message in it.
    pub inner: Option<StoredParts>,
}

/// What is wrong with a multipart.
#[derive(Debug)]
pub(super) enum Problem {
    /// Something could not be read.
    Unread(ReadErrorKind, String),
    /// Something was repaired.
    #[cfg_attr(
        not(feature = "archives"),
        expect(dead_code, reason = "only what Outlook stores has any")
    )]
    Repaired(NoteCode, String),
}
