//! Limits, and the error for files that are not messages.

use std::error::Error;
use std::{fmt, io};

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
#[derive(Debug)]
pub enum MessageError {
    /// It does not begin like one.
    NotOutlook,
    /// It is another compound file, such as a Word document.
    NotAMessage,
    /// It is a damaged compound file.
    Damaged(io::Error),
}

impl fmt::Display for MessageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotOutlook => f.write_str("is no message of Outlook"),
            Self::NotAMessage => f.write_str("is a compound file, but no message of Outlook"),
            Self::Damaged(why) => write!(f, "is a damaged compound file: {why}"),
        }
    }
}

impl Error for MessageError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Damaged(error) => Some(error),
            Self::NotOutlook | Self::NotAMessage => None,
        }
    }
}
