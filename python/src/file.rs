//! A binary file object of Python as a stream of bytes.

use std::collections::VecDeque;
use std::io::{self, Read, Seek, SeekFrom};

use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;

use crate::trouble::{Trouble, ended_early, moved};
use crate::turn::Turn;

/// How much is requested at once: little after a seek, then more and more.
const FIRST_READ: usize = 64 * 1024;
const LARGEST_READ: usize = 4 * 1024 * 1024;

/// How many pieces are kept: seeking back a little, to the previous one, reads nothing again.
const KEPT: usize = 2;

/// A file object for one reading.
pub(crate) struct FileObject {
    pub file: Py<PyAny>,
    /// Where its reading begins; `None` if it is not seekable, and can be read only once.
    pub start: Option<u64>,
    pub turn: Turn,
}

impl FileObject {
    /// The file for another reading.
    pub(crate) fn again(&self, py: Python<'_>) -> Self {
        Self {
            file: self.file.clone_ref(py),
            start: self.start,
            turn: self.turn.again(),
        }
    }
}

/// A file object as a reader. The GIL is held only while reading from it.
pub(crate) struct PyFile {
    file: Py<PyAny>,
    name: String,
    turn: Turn,
    /// The latest pieces read, each with the offset at which it begins.
    pieces: VecDeque<(u64, PyBackedBytes)>,
    /// The offset of the next byte to be returned.
    at: u64,
    /// Whether it can be moved.
    is_seekable: bool,
    /// The position of the file object, once known.
    place: Option<u64>,
    /// The size that it must have at least, if that is known.
    size: Option<u64>,
    /// Where it ends, once asked for.
    end: Option<u64>,
    /// Little is wanted from this offset on.
    wanted_until: u64,
    next_read: usize,
    trouble: Trouble,
}

impl PyFile {
    /// A file object whose exceptions are kept, from that position on if it is seekable.
    pub(crate) fn new(file: FileObject, name: &str, trouble: Trouble) -> Self {
        let FileObject { file, start, turn } = file;
        Self {
            file,
            name: name.to_owned(),
            turn,
            pieces: VecDeque::new(),
            at: start.unwrap_or(0),
            is_seekable: start.is_some(),
            // A reading before may have moved it.
            place: start.is_none().then_some(0),
            size: None,
            end: None,
            wanted_until: u64::MAX,
            next_read: FIRST_READ,
            trouble,
        }
    }

    /// Says that little is wanted beyond `end`.
    pub(crate) fn wanted_until(self, end: u64) -> Self {
        Self {
            wanted_until: end,
            ..self
        }
    }

    /// Says that it must not end before `size`, if that is known.
    pub(crate) fn with_size(self, size: Option<u64>) -> Self {
        Self { size, ..self }
    }

    /// The bytes at the current offset that are in memory.
    fn here(&self) -> &[u8] {
        let piece = self.pieces.iter().rev().find_map(|(start, bytes)| {
            let skipped = usize::try_from(self.at.checked_sub(*start)?).ok()?;
            bytes.get(skipped..).filter(|left| !left.is_empty())
        });
        piece.unwrap_or_default()
    }

    /// How much to request at the current offset.
    fn request(&mut self) -> usize {
        if self.place != Some(self.at) {
            self.next_read = FIRST_READ;
        }
        let left = self.wanted_until.saturating_sub(self.at);
        let left = usize::try_from(left).map_or(LARGEST_READ, |left| left.max(FIRST_READ));
        let wanted = self.next_read.min(left);
        self.next_read = (2 * wanted).min(LARGEST_READ);
        wanted
    }

    fn read_on(&mut self) -> io::Result<()> {
        let wanted = self.request();
        let (at, place) = (self.at, self.place);
        let turn = self.turn.clone();
        let alone = turn.alone();
        let taken = self.turn.take(!self.is_seekable);
        let read = self.attached(|py| {
            taken?;
            let file = self.file.bind(py);
            if place != Some(at) {
                file.call_method1("seek", (at, 0))?;
            }
            let bytes = file.call_method1("read", (wanted,))?;
            if bytes.is_none() {
                return Err(io::Error::from(io::ErrorKind::WouldBlock).into());
            }
            let bytes = bytes.extract::<PyBackedBytes>()?;
            if self.is_seekable {
                let now = file.call_method0("tell")?.extract::<u64>()?;
                if now != at + bytes.len() as u64 {
                    return Err(moved(at, bytes.len(), now, &self.name));
                }
            }
            match self.size {
                Some(size) if bytes.is_empty() && at < size => {
                    Err(ended_early(at, size, &self.name))
                }
                _ => Ok(bytes),
            }
        })?;
        drop(alone);
        self.place = Some(at + read.len() as u64);
        if self.pieces.len() == KEPT {
            self.pieces.pop_front();
        }
        self.pieces.push_back((at, read));
        Ok(())
    }

    /// Runs `call` with the GIL. An exception is kept, and becomes an I/O error; after it, nothing
    /// more is asked of the file object.
    fn attached<T>(&self, call: impl FnOnce(Python<'_>) -> PyResult<T>) -> io::Result<T> {
        let failed = |error: &PyErr| io::Error::other(error.to_string());
        if let Some(error) = self.trouble.exception() {
            return Err(failed(&error));
        }
        let result = Python::try_attach(|py| {
            call(py).map_err(|error| {
                let failure = failed(&error);
                self.trouble.keep(error);
                failure
            })
        });
        result.unwrap_or_else(|| Err(io::Error::other("the interpreter is shutting down")))
    }

    /// Where the file ends, asked for once. What declares a size, such as a listing, may be older
    /// than the file.
    fn end(&mut self) -> io::Result<u64> {
        const FROM_END: u8 = 2;
        if let Some(end) = self.end {
            return Ok(end);
        }
        let turn = self.turn.clone();
        let alone = turn.alone();
        let taken = self.turn.take(!self.is_seekable);
        let end = self.attached(|py| {
            taken?;
            let end = self.file.bind(py).call_method1("seek", (0, FROM_END))?;
            let end = end.extract::<u64>()?;
            match self.size {
                Some(size) if end < size => Err(ended_early(end, size, &self.name)),
                _ => Ok(end),
            }
        })?;
        drop(alone);
        self.place = Some(end);
        self.end = Some(end);
        self.size = Some(end);
        Ok(end)
    }
}

impl Read for PyFile {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if buffer.is_empty() {
            return Ok(0);
        }
        if self.here().is_empty() {
            self.read_on()?;
        }
        let here = self.here();
        let length = here.len().min(buffer.len());
        buffer[..length].copy_from_slice(&here[..length]);
        self.at += length as u64;
        Ok(length)
    }
}

/// Only remembers where to read: the file object is moved once something else than what is in
/// memory is wanted.
impl Seek for PyFile {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let place = match to {
            SeekFrom::Start(place) => Some(place),
            SeekFrom::Current(by) => self.at.checked_add_signed(by),
            SeekFrom::End(by) => self.end()?.checked_add_signed(by),
        };
        self.at = place.ok_or(io::ErrorKind::InvalidInput)?;
        Ok(self.at)
    }
}
