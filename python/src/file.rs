//! A binary file object of Python as a stream of bytes.

use std::io::{self, Read, Seek, SeekFrom};

use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;

/// How much is requested at once: little after a seek, then more and more.
const FIRST_READ: usize = 64 * 1024;
const LARGEST_READ: usize = 4 * 1024 * 1024;

/// A file object. The GIL is held only while reading from it.
pub(crate) struct PyFile {
    file: Py<PyAny>,
    bytes: Option<PyBackedBytes>,
    /// How many of `bytes` have been returned.
    given: usize,
    next_read: usize,
}

impl PyFile {
    pub(crate) fn new(file: Py<PyAny>) -> Self {
        Self {
            file,
            bytes: None,
            given: 0,
            next_read: FIRST_READ,
        }
    }

    fn left(&self) -> &[u8] {
        let bytes = self.bytes.as_deref().unwrap_or_default();
        bytes.get(self.given..).unwrap_or_default()
    }

    fn read_on(&mut self) -> io::Result<()> {
        let wanted = self.next_read;
        self.next_read = (2 * wanted).min(LARGEST_READ);
        let read = attached(|py| {
            let bytes = self.file.bind(py).call_method1("read", (wanted,))?;
            if bytes.is_none() {
                return Err(io::Error::from(io::ErrorKind::WouldBlock).into());
            }
            Ok(bytes.extract::<PyBackedBytes>()?)
        })?;
        self.bytes = Some(read);
        self.given = 0;
        Ok(())
    }
}

/// Runs `call` with the GIL; an exception becomes an I/O error.
fn attached<T>(call: impl FnOnce(Python<'_>) -> PyResult<T>) -> io::Result<T> {
    let result =
        Python::try_attach(|py| call(py).map_err(|error| io::Error::other(error.to_string())));
    result.unwrap_or_else(|| Err(io::Error::other("the interpreter is shutting down")))
}

impl Read for PyFile {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.left().is_empty() {
            self.read_on()?;
        }
        let left = self.left();
        let length = left.len().min(buffer.len());
        buffer[..length].copy_from_slice(&left[..length]);
        self.given += length;
        Ok(length)
    }
}

impl Seek for PyFile {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        const FROM_START: u8 = 0;
        const FROM_HERE: u8 = 1;
        const FROM_END: u8 = 2;
        let ahead = i64::try_from(self.left().len()).unwrap_or(i64::MAX);
        self.bytes = None;
        self.given = 0;
        self.next_read = FIRST_READ;
        attached(|py| {
            let file = self.file.bind(py);
            let place = match to {
                SeekFrom::Start(offset) => file.call_method1("seek", (offset, FROM_START)),
                SeekFrom::Current(by) => file.call_method1("seek", (by - ahead, FROM_HERE)),
                SeekFrom::End(by) => file.call_method1("seek", (by, FROM_END)),
            }?;
            place.extract()
        })
    }
}
