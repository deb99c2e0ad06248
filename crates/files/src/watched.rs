//! Documents that report how many of their bytes were read, for a progress bar.

use std::fmt;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::sync::Arc;

/// Called with the number of bytes of each read, from any thread.
#[derive(Clone)]
pub(super) struct Watch(pub(super) Arc<dyn Fn(u64) + Send + Sync>);

impl fmt::Debug for Watch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Watch")
    }
}

/// A file whose reads are reported to a [`Watch`], in all as many bytes as it has.
pub(super) struct CountedFile {
    file: File,
    watch: Watch,
    /// The bytes that are not yet reported.
    left: u64,
}

impl CountedFile {
    pub(super) fn new(file: File, size: u64, watch: &Watch) -> Self {
        Self {
            file,
            watch: watch.clone(),
            left: size,
        }
    }

    /// Reports bytes that were read; bytes read again are not reported again.
    fn report(&mut self, bytes: u64) {
        let bytes = bytes.min(self.left);
        self.left -= bytes;
        (self.watch.0)(bytes);
    }
}

/// The unread rest of a file counts as done, too.
impl Drop for CountedFile {
    fn drop(&mut self) {
        self.report(self.left);
    }
}

impl Read for CountedFile {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read(buffer)?;
        self.report(read as u64);
        Ok(read)
    }

    fn read_to_end(&mut self, buffer: &mut Vec<u8>) -> io::Result<usize> {
        let read = self.file.read_to_end(buffer)?;
        self.report(read as u64);
        Ok(read)
    }
}

impl Seek for CountedFile {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.file.seek(to)
    }
}
