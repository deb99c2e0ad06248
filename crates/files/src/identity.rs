//! Whether two paths lead to the same file.

use std::fs::Metadata;
use std::path::Path;

/// The identity of a file, which does not depend on the path used: on Unix its device and inode, so that
/// hard links are the same file, elsewhere its canonical path.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct FileId(Id);

#[cfg(unix)]
type Id = (u64, u64);

#[cfg(not(unix))]
type Id = std::path::PathBuf;

impl FileId {
    /// The identity of the file or directory at `path` with that metadata, links followed; `None`
    /// if it cannot be determined.
    #[cfg(unix)]
    #[must_use]
    pub fn new(_path: &Path, metadata: &Metadata) -> Option<Self> {
        use std::os::unix::fs::MetadataExt;
        Some(Self((metadata.dev(), metadata.ino())))
    }

    /// The identity of the file or directory at `path` with that metadata, links followed; `None`
    /// if it cannot be determined.
    #[cfg(not(unix))]
    #[must_use]
    pub fn new(path: &Path, _metadata: &Metadata) -> Option<Self> {
        path.canonicalize().ok().map(Self)
    }

    /// The identity of what a path leads to, links followed; `None` if that cannot be looked at.
    pub(super) fn from_path(path: &Path) -> Option<Self> {
        Self::new(path, &std::fs::metadata(path).ok()?)
    }

    /// Whether a directory of the same file system may name the file by this number.
    #[cfg(unix)]
    pub(super) fn is_numbered(&self, inode: u64) -> bool {
        self.0.1 == inode
    }

    /// The identity of standard input, if it is a file.
    #[must_use]
    pub fn from_stdin() -> Option<Self> {
        Self::from_stream(&std::io::stdin())
    }

    #[cfg(unix)]
    fn from_stream(stream: &impl std::os::fd::AsFd) -> Option<Self> {
        let metadata = metadata_of(stream)?;
        let id = Self::new(Path::new("-"), &metadata);
        id.filter(|_| metadata.is_file())
    }

    #[cfg(not(unix))]
    fn from_stream<T>(_stream: &T) -> Option<Self> {
        None
    }
}

/// The metadata of an open stream.
#[cfg(unix)]
pub(super) fn metadata_of(stream: &impl std::os::fd::AsFd) -> Option<Metadata> {
    let file = stream.as_fd().try_clone_to_owned().ok()?;
    std::fs::File::from(file).metadata().ok()
}
