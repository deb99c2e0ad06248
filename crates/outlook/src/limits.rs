//! Limits, and the error for files that are not messages.

use std::io;

/// How much of a message is read.
#[derive(Clone, Debug)]
pub struct Limits {
    /// The maximum depth of messages in messages; deeper ones are not read.
    pub depth: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { depth: 50 }
    }
}

/// Why a file cannot be read as a message.
#[derive(Debug, thiserror::Error)]
pub enum MessageError {
    /// It does not begin like one.
    #[error("is not an Outlook message")]
    NotOutlook,
    /// It is another compound file, such as a Word document.
    #[error("is a compound file, but not an Outlook message")]
    NotAMessage,
    /// It is a damaged compound file.
    #[error("is a damaged compound file: {0}")]
    Damaged(#[source] io::Error),
}
