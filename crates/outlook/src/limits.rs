//! How much is read of a message, and why nothing is.

use std::fmt;

/// How much is read of a message at most.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Messages in messages: of those that are deeper, nothing is read.
    pub depth: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { depth: 50 }
    }
}

/// Why bytes are no message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoMessage {
    /// They do not begin like one.
    Other,
    /// They are a compound file without the properties of a message: a document of Word, say.
    OtherFile,
    /// They cannot be taken apart.
    Damaged(String),
}

impl fmt::Display for NoMessage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Other => f.write_str("is no message of Outlook"),
            Self::OtherFile => f.write_str("is a compound file, but no message of Outlook"),
            Self::Damaged(why) => write!(f, "is a damaged compound file: {why}"),
        }
    }
}

impl std::error::Error for NoMessage {}
