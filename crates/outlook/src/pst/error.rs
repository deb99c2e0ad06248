//! Why a store cannot be read.

use std::io;

/// Why a file cannot be read as a store.
#[derive(Debug, thiserror::Error)]
pub enum PstError {
    /// It does not begin like one.
    #[error("is not an Outlook store")]
    NotAStore,
    /// It has a version that is not read.
    #[error("{}", unread_version(*.0))]
    Version(u16),
    /// Its header is damaged.
    #[error("is an Outlook store whose header is damaged")]
    Damaged,
    /// The medium failed.
    #[error(transparent)]
    Io(io::Error),
}

fn unread_version(version: u16) -> String {
    match version {
        36 => {
            "is an OST of Outlook 2013 or later (version 36), which is not read: export it as a PST"
                .to_owned()
        }
        version => format!("is an Outlook store of version {version}, which is not read"),
    }
}
