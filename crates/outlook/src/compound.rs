//! Access to the streams of compound files ([MS-CFB]).

use std::io::{self, Read, Seek};
use std::path::Path;

use cfb::CompoundFile as Compound;

/// The first bytes of a compound file.
pub const MAGIC: [u8; 8] = *b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1";

/// The maximum total size of the streams that are read, as a multiple of the file size: streams can share
/// their bytes.
const READ: u64 = 2;

/// An open compound file.
pub struct Store<R> {
    file: Compound<R>,
    /// The number of bytes that may still be read.
    left: u64,
}

/// An object in a storage.
#[derive(Clone, Debug)]
pub struct Child {
    pub name: String,
    pub is_stream: bool,
}

/// Why a stream, or a part of it, could not be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lost {
    /// The file is damaged.
    Damaged,
    /// The streams together are larger than the file can be.
    Limit,
}

impl<R: Read + Seek> Store<R> {
    /// Opens a file of `size` bytes.
    ///
    /// # Errors
    /// If it is not a compound file, or its tables are damaged.
    pub fn open(file: R, size: u64) -> io::Result<Self> {
        Ok(Self {
            file: Compound::open(file)?,
            left: size.saturating_mul(READ),
        })
    }

    /// The objects in a storage, in the order of the directory; empty if the storage does not exist.
    pub fn children(&self, path: &Path) -> Vec<Child> {
        let Ok(entries) = self.file.read_storage(path) else {
            return Vec::new();
        };
        let child = |entry: cfb::Entry| Child {
            name: entry.name().to_owned(),
            is_stream: entry.is_stream(),
        };
        entries.map(child).collect()
    }

    /// Reads a stream as far as possible, and returns why a part is missing.
    pub fn read(&mut self, path: &Path) -> (Vec<u8>, Option<Lost>) {
        let mut bytes = Vec::new();
        let Ok(stream) = self.file.open_stream(path) else {
            return (bytes, Some(Lost::Damaged));
        };
        let size = stream.len();
        let most = size.min(self.left);
        let read = stream.take(most).read_to_end(&mut bytes);
        self.left = self.left.saturating_sub(bytes.len() as u64);
        let lost = if read.is_err() || (bytes.len() as u64) < most {
            Some(Lost::Damaged)
        } else {
            (most < size).then_some(Lost::Limit)
        };
        (bytes, lost)
    }
}
