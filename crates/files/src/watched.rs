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

/// A file whose reads are reported to a [`Watch`].
pub(super) struct Watched {
    file: File,
    watch: Watch,
}

impl Watched {
    pub(super) fn new(file: File, watch: &Watch) -> Self {
        Self {
            file,
            watch: watch.clone(),
        }
    }

    fn report<T: Copy + TryInto<u64>>(&self, read: io::Result<T>) -> io::Result<T> {
        if let Ok(Ok(bytes)) = read.as_ref().map(|bytes| (*bytes).try_into()) {
            (self.watch.0)(bytes);
        }
        read
    }
}

impl Read for Watched {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read(buffer);
        self.report(read)
    }

    fn read_to_end(&mut self, buffer: &mut Vec<u8>) -> io::Result<usize> {
        let read = self.file.read_to_end(buffer);
        self.report(read)
    }
}

impl Seek for Watched {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.file.seek(to)
    }
}
