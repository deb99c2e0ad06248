//! The errors of outputs.

use std::io;
use std::path::PathBuf;

use super::role::OutputConflict;

/// Why an output cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum OutputError {
    /// The system refuses.
    #[error("{name}: {source}")]
    Io {
        /// The output, as the user named it, or the file that was to be copied into it.
        name: String,
        /// The cause.
        source: io::Error,
    },
    /// The output would replace a file that is read.
    #[error(transparent)]
    Conflict(#[from] OutputConflict),
    /// Two outputs have the same place, or one is in the other.
    #[error("{first} and {second} lead to one place; nothing was written")]
    SamePlace {
        /// The first, with its option.
        first: String,
        /// The second, with its option.
        second: String,
    },
    /// A report would be a file of the tree that it is about.
    #[error("{output}: a report must not be in {}, the tree that it is about", .tree.display())]
    ReportInTree {
        /// The report, as the user named it.
        output: String,
        /// The tree.
        tree: PathBuf,
    },
    /// A new folder exists and has content.
    #[error("{}: the folder must be new or empty", .0.display())]
    FolderNotEmpty(PathBuf),
    /// A new folder exists and is a file.
    #[error("{}: is not a folder", .0.display())]
    NotFolder(PathBuf),
    /// A new folder would be in a tree that is read.
    #[error("{}: is in the tree that is read", .0.display())]
    FolderInTree(PathBuf),
}

impl OutputError {
    /// The system's refusal to write (or copy) what the user named `name`.
    pub fn io(name: &impl ToString, source: io::Error) -> Self {
        Self::Io {
            name: name.to_string(),
            source,
        }
    }
}

impl From<OutputError> for io::Error {
    fn from(error: OutputError) -> Self {
        match error {
            OutputError::Io { source, .. } => source,
            error => Self::other(error),
        }
    }
}
