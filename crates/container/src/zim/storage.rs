//! The bytes of a ZIM file at any position.

use std::io::{self, Read};
use std::ops::Range;

use crate::input::section::{Section, Shared};

/// How many numbers of a list are read at a time, in bytes.
const LIST_STEP: usize = 64 * 1024;

/// The size of a number in a list.
pub(super) const NUMBER: usize = 8;

/// A file that is read at the positions that it names itself.
#[derive(Clone)]
pub(super) struct Storage {
    shared: Shared,
    size: u64,
}

impl Storage {
    /// The bytes of a reader.
    ///
    /// # Errors
    /// If its size cannot be determined.
    pub fn new(shared: Shared) -> io::Result<Self> {
        Ok(Self {
            size: shared.size()?,
            shared,
        })
    }

    /// The size in bytes.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// The bytes of a range, as far as they exist.
    pub fn section(&self, range: Range<u64>) -> Section {
        self.shared.section(range.start..range.end.min(self.size))
    }

    /// Appends up to `length` bytes from `at` on: fewer only at the end of the file.
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn append(&self, at: u64, length: usize, buffer: &mut Vec<u8>) -> io::Result<usize> {
        let end = at.saturating_add(length as u64);
        self.section(at..end).read_to_end(buffer)
    }

    /// The numbers `from` and the next ones of a list at `list`, up to `count` of them: fewer only
    /// if the file ends.
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn numbers(&self, list: u64, from: u64, count: usize) -> io::Result<Vec<u64>> {
        let start = from.checked_mul(NUMBER as u64);
        let Some(start) = start.and_then(|start| list.checked_add(start)) else {
            return Ok(Vec::new());
        };
        let mut bytes = Vec::new();
        self.append(start, count.saturating_mul(NUMBER), &mut bytes)?;
        let (numbers, _) = bytes.as_chunks::<NUMBER>();
        Ok(numbers.iter().copied().map(u64::from_le_bytes).collect())
    }
}

/// The numbers of a list, read in steps.
pub(super) struct Numbers {
    storage: Storage,
    list: u64,
    next: u64,
    read: std::vec::IntoIter<u64>,
    is_over: bool,
}

impl Numbers {
    /// The list at `list`, up to the end of the file.
    pub fn new(storage: Storage, list: u64) -> Self {
        Self {
            storage,
            list,
            next: 0,
            read: Vec::new().into_iter(),
            is_over: false,
        }
    }
}

impl Iterator for Numbers {
    type Item = io::Result<u64>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Some(number) = self.read.next() {
            return Some(Ok(number));
        }
        if self.is_over {
            return None;
        }
        let step = LIST_STEP / NUMBER;
        match self.storage.numbers(self.list, self.next, step) {
            Ok(numbers) => {
                self.is_over = numbers.len() < step;
                self.next += numbers.len() as u64;
                self.read = numbers.into_iter();
                self.read.next().map(Ok)
            }
            Err(error) => {
                self.is_over = true;
                Some(Err(error))
            }
        }
    }
}
