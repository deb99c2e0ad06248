//! Where an output goes, and how to know that place again.

use std::ffi::OsString;
use std::fs::{DirEntry, Permissions};
use std::path::PathBuf;

use super::identity::FileId;

/// An output as declared.
#[derive(Debug)]
pub(super) struct OutputTarget {
    /// The option and the file, as the user gave them.
    pub label: String,
    /// The path as given; `None` for standard output.
    pub named: Option<PathBuf>,
    pub to: WriteMode,
    /// `None` for a device, which many outputs may share.
    pub place: Option<OutputIdentity>,
    /// Whether it is a baseline, which may be in the tree that it is about.
    pub is_baseline: bool,
    /// Whether it is the new state of the baseline that is read.
    pub updates: bool,
    /// The permissions of the file that is there.
    pub permissions: Option<Permissions>,
    /// Whether other names may lead to the file that is there.
    pub has_other_names: bool,
}

/// How an output is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum WriteMode {
    Stdout,
    /// Appended to what is open already, or to a pipe or a device.
    InPlace,
    /// Written next to this file and renamed to it; symbolic links are resolved.
    TemporaryFile(PathBuf),
    /// A new folder at this path.
    Folder(PathBuf),
}

/// The identity of what an output replaces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum OutputIdentity {
    /// What exists.
    Existing(FileId),
    /// A new name in a directory.
    New(FileId, OsString),
}

impl OutputTarget {
    pub(super) fn exists(&self) -> bool {
        matches!(self.place, Some(OutputIdentity::Existing(_)))
    }

    /// Whether a regular file in a directory could be the one that is replaced, judging by what the
    /// directory itself tells: a status for every file of a tree would be dear.
    #[cfg(unix)]
    pub(super) fn may_be(&self, entry: &DirEntry) -> bool {
        use std::os::unix::fs::DirEntryExt;
        match &self.place {
            // Some file systems number a file differently in its directory. Its own path is then
            // refused as one within the tree, and a file with several names is examined.
            Some(OutputIdentity::Existing(id)) => {
                self.has_other_names || id.is_numbered(entry.ino())
            }
            _ => false,
        }
    }

    #[cfg(not(unix))]
    pub(super) fn may_be(&self, entry: &DirEntry) -> bool {
        self.exists() && {
            let own = self.named.as_deref().and_then(std::path::Path::file_name);
            self.has_other_names
                || own.is_some_and(|own| own.eq_ignore_ascii_case(entry.file_name()))
        }
    }
}
