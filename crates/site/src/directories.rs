//! Lists directories: of the file system, with or without links out of a tree, or of a virtual site.

use std::cell::RefCell;
use std::collections::HashSet;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

use baseref_files::{self as files, EntryKind, Files};

/// Lists directories of a file system, or of a virtual site.
pub trait Directories {
    /// The names in a directory, in any order.
    ///
    /// # Errors
    /// If the directory cannot be read.
    fn list(&self, directory: &Path) -> io::Result<Vec<Listed>>;

    /// The path of a directory with symbolic links resolved, needed for links with absolute targets
    /// that lead back into the tree. Called only for the root.
    ///
    /// # Errors
    /// If the directory does not exist.
    fn canonical(&self, root: &Path) -> io::Result<PathBuf>;

    /// Whether a symbolic link leads to anything. Called only for links out of the tree.
    fn leads_somewhere(&self, _link: &Path) -> bool {
        true
    }
}

/// A name in a directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// The name in the file system.
    pub name: OsString,
    /// The kind of entry.
    pub kind: NodeKind,
    /// The number of the file in its file system, if known: its hard links have the same number.
    pub inode: Option<u64>,
}

/// The kind of an entry in a directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NodeKind {
    /// A regular file.
    File,
    /// A directory.
    Directory,
    /// A symbolic link to that path.
    Link(PathBuf),
    /// A pipe, a socket or a device, which no server serves.
    Special,
}

/// The file system, or the store of a run without one.
#[derive(Clone, Copy, Debug)]
pub struct FileSystem<'f>(pub &'f Files);

impl Directories for FileSystem<'_> {
    fn list(&self, directory: &Path) -> io::Result<Vec<Listed>> {
        let entries = self.0.list(directory)?.into_iter();
        entries
            .map(|entry| {
                let kind = match entry.kind {
                    EntryKind::Directory => NodeKind::Directory,
                    EntryKind::File => NodeKind::File,
                    EntryKind::Link => {
                        NodeKind::Link(files::read_link(&directory.join(&entry.name))?)
                    }
                    EntryKind::Special => NodeKind::Special,
                };
                Ok(Listed {
                    name: entry.name,
                    kind,
                    inode: entry.inode,
                })
            })
            .collect()
    }

    fn canonical(&self, root: &Path) -> io::Result<PathBuf> {
        self.0.canonical(root)
    }

    fn leads_somewhere(&self, link: &Path) -> bool {
        // A target without permission to look at it exists all the same.
        let error = std::fs::metadata(link).err();
        error.is_none_or(|error| error.kind() != io::ErrorKind::NotFound)
    }
}

/// The directories of the file system, with symbolic links out of the tree followed. Each directory is
/// listed once, so that a link back to a parent ends there.
#[derive(Debug)]
pub struct Following<'f> {
    files: &'f Files,
    root: Option<PathBuf>,
    entered: RefCell<HashSet<PathBuf>>,
}

impl<'f> Following<'f> {
    /// The directories of the tree below `root`.
    #[must_use]
    pub fn new(root: &Path, files: &'f Files) -> Self {
        Self {
            files,
            root: root.canonicalize().ok(),
            entered: RefCell::default(),
        }
    }

    /// The target of a path, if it is outside the tree.
    fn outside(&self, path: &Path) -> Option<PathBuf> {
        let root = self.root.as_ref()?;
        let leads_to = path.canonicalize().ok()?;
        (!leads_to.starts_with(root)).then_some(leads_to)
    }
}

impl Directories for Following<'_> {
    fn list(&self, directory: &Path) -> io::Result<Vec<Listed>> {
        if !self.entered.borrow_mut().insert(directory.canonicalize()?) {
            return Ok(Vec::new());
        }
        let mut listed = FileSystem(self.files).list(directory)?;
        for entry in &mut listed {
            let path = directory.join(&entry.name);
            if matches!(entry.kind, NodeKind::Link(_)) && self.outside(&path).is_some() {
                let metadata = std::fs::metadata(&path)?;
                entry.kind = if metadata.is_dir() {
                    NodeKind::Directory
                } else if metadata.is_file() {
                    self.files.record_listed(&path);
                    NodeKind::File
                } else {
                    NodeKind::Special
                };
            }
        }
        Ok(listed)
    }

    fn canonical(&self, root: &Path) -> io::Result<PathBuf> {
        FileSystem(self.files).canonical(root)
    }

    fn leads_somewhere(&self, link: &Path) -> bool {
        FileSystem(self.files).leads_somewhere(link)
    }
}
