//! The destination of an output, and how it is recognised among inputs.

use std::ffi::OsString;
use std::fs::{DirEntry, Permissions};
use std::path::PathBuf;

use super::identity::FileId;

/// An output as declared.
#[derive(Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub(super) struct OutputTarget {
    /// The option and the file, as the user gave them.
    pub label: String,
    /// The path as given; `None` for standard output.
    pub named: Option<PathBuf>,
    pub to: WriteMode,
    /// `None` for a device, which many outputs may share.
    pub place: Option<OutputIdentity>,
    /// The folder that a file will be in.
    pub folder: Option<FileId>,
    /// Whether it is a baseline, which may be in the tree that it is about.
    pub is_baseline: bool,
    /// Whether it is the new state of the baseline that is read.
    pub updates: bool,
    /// The permissions of the existing file.
    pub permissions: Option<Permissions>,
    /// Whether the existing file may have other names.
    pub has_other_names: bool,
    /// Whether it may be a file, rather than a pipe or a device.
    pub is_file: bool,
}

/// How an output is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum WriteMode {
    Stdout,
    /// Appended to an open file, a pipe or a device.
    InPlace,
    /// Written next to this file and renamed to it; symbolic links are resolved.
    TemporaryFile(PathBuf),
    /// A new folder at this path.
    Folder(PathBuf),
}

/// The identity of the file that an output replaces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum OutputIdentity {
    /// An existing file.
    Existing(FileId),
    /// A new name in a directory.
    New(FileId, OsString),
}

impl OutputTarget {
    /// Whether it must not be in the tree that it is about.
    pub(super) fn is_report(&self) -> bool {
        let is_free = self.is_baseline && (self.updates || !self.exists());
        matches!(self.to, WriteMode::TemporaryFile(_)) && !is_free
    }

    pub(super) fn exists(&self) -> bool {
        matches!(self.place, Some(OutputIdentity::Existing(_)))
    }

    /// Whether it may be a file that is found in a directory.
    pub(super) fn may_be_found(&self) -> bool {
        self.exists() && self.is_file
    }

    /// Whether a regular file in a directory could be the one that is replaced, judging by the
    /// directory entry alone, because a `stat` of every file of a tree would be slow.
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
