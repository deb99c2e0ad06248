//! Why a store cannot be read.

use std::error::Error;
use std::{fmt, io};

/// Why a file cannot be read as a store.
#[derive(Debug)]
pub enum PstError {
    /// It does not begin like one.
    NotAStore,
    /// It has a version that is not read.
    Version(u16),
    /// Its header is damaged.
    Damaged,
    /// The medium failed.
    Io(io::Error),
}

impl fmt::Display for PstError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotAStore => f.write_str("is not an Outlook store"),
            Self::Version(36) => f.write_str(
                "is an OST of Outlook 2013 or later (version 36), which is not read: export it as a PST",
            ),
            Self::Version(version) => {
                write!(f, "is an Outlook store of version {version}, which is not read")
            }
            Self::Damaged => f.write_str("is an Outlook store whose header is damaged"),
            Self::Io(error) => error.fmt(f),
        }
    }
}

impl Error for PstError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Io(error) => Some(error),
            _ => None,
        }
    }
}
