//! Files that do not come from the file system, but from the calling program.
//!
//! A page in a browser has no file system, only the files that its reader chose. A run over a
//! [`Store`] reads them by name, like any others.

use std::ffi::OsString;
use std::fmt;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

/// Files and folders by name. Paths are as the caller of a run named them: relative to nothing.
pub trait Store: fmt::Debug + Send + Sync {
    /// Opens a file, and says how many bytes it has.
    ///
    /// # Errors
    /// If there is none of that name, or it cannot be read.
    fn open(&self, path: &Path) -> io::Result<(Box<dyn ReadSeek + Send>, u64)>;

    /// The names in a folder, in any order, each with whether it is a folder.
    ///
    /// # Errors
    /// If the folder does not exist.
    fn list(&self, folder: &Path) -> io::Result<Vec<(OsString, bool)>>;

    /// Whether there is a file or a folder of that name, and whether it is a folder.
    fn is_folder(&self, path: &Path) -> Option<bool>;
}

/// A seekable reader.
pub trait ReadSeek: Read + Seek {}

impl<R: Read + Seek> ReadSeek for R {}

/// An open file.
pub enum OpenFile {
    /// A file of the file system.
    File(File),
    /// A file of a [`Store`], or one whose reads are counted.
    Stored(Box<dyn ReadSeek + Send>),
}

impl fmt::Debug for OpenFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(file) => file.fmt(f),
            Self::Stored(_) => f.write_str("Stored"),
        }
    }
}

impl Read for OpenFile {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::File(file) => file.read(buffer),
            Self::Stored(reader) => reader.read(buffer),
        }
    }

    // The system knows the size of a file, so its buffer is allocated at once.
    fn read_to_end(&mut self, buffer: &mut Vec<u8>) -> io::Result<usize> {
        match self {
            Self::File(file) => file.read_to_end(buffer),
            Self::Stored(reader) => reader.read_to_end(buffer),
        }
    }

    fn read_to_string(&mut self, buffer: &mut String) -> io::Result<usize> {
        match self {
            Self::File(file) => file.read_to_string(buffer),
            Self::Stored(reader) => reader.read_to_string(buffer),
        }
    }
}

impl Seek for OpenFile {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        match self {
            Self::File(file) => file.seek(to),
            Self::Stored(reader) => reader.seek(to),
        }
    }
}
