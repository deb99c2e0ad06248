//! How much may be unpacked of what stands in one input, all containers in it together.

use std::io::{self, Read, Seek, SeekFrom};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// How many more bytes may be unpacked. Clones share them.
#[derive(Clone, Debug)]
pub(super) struct Budget(Arc<AtomicU64>);

impl Budget {
    /// Of so many bytes.
    pub fn new(bytes: u64) -> Self {
        Self(Arc::new(AtomicU64::new(bytes)))
    }

    /// How many bytes are left.
    pub fn left(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }

    /// Takes that many bytes; where there are fewer, the rest, and gives `false`.
    pub fn take(&self, bytes: u64) -> bool {
        let rest = |left: u64| Some(left.saturating_sub(bytes));
        let before = self
            .0
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, rest);
        before.unwrap_or_else(|left| left) >= bytes
    }
}

/// What is read from `reader`, as far as a budget goes.
pub(super) struct Charged<R> {
    reader: R,
    budget: Budget,
}

impl<R> Charged<R> {
    /// Charges what `reader` gives to `budget`.
    pub fn new(reader: R, budget: Budget) -> Self {
        Self { reader, budget }
    }
}

impl<R: Read> Read for Charged<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.reader.read(buffer)?;
        if self.budget.take(read as u64) {
            return Ok(read);
        }
        Err(io::Error::other(
            "the containers around it come to too much for their size: it is not read on",
        ))
    }
}

impl<R: Seek> Seek for Charged<R> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.reader.seek(to)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_readers_of_a_budget_have_it_together() {
        let budget = Budget::new(10);
        let mut readers =
            [&b"123456"[..], b"789abcdef"].map(|bytes| Charged::new(bytes, budget.clone()));
        let mut text = String::new();
        assert_eq!(readers[0].read_to_string(&mut text).unwrap(), 6);
        assert!(readers[1].read_to_string(&mut text).is_err());
        assert_eq!(budget.left(), 0);
    }
}
