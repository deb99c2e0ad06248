//! A reader that charges what is read from it to a ledger.

use std::io::{self, Read, Seek, SeekFrom};

use crate::input::failure::limit_reached;
use baseref_document::{Ledger, Work};

/// Reads inflated bytes and charges them to a ledger. Bytes that are read again are free.
pub(crate) struct Metered<R> {
    reader: R,
    ledger: Ledger,
    position: u64,
    /// Everything before this offset has been charged.
    charged: u64,
    /// The error when the ledger is spent.
    reason: &'static str,
}

impl<R> Metered<R> {
    /// Charges what is read from `reader` to `ledger`. When that is spent, reading fails for that
    /// reason.
    pub fn new(reader: R, ledger: Ledger, reason: &'static str) -> Self {
        Self {
            reader,
            ledger,
            position: 0,
            charged: 0,
            reason,
        }
    }
}

impl<R: Read> Read for Metered<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.reader.read(buffer)?;
        self.position = self.position.saturating_add(read as u64);
        let amount = self.position.saturating_sub(self.charged);
        self.charged = self.charged.max(self.position);
        match self.ledger.draw(Work::Inflated, amount) {
            Ok(()) => Ok(read),
            Err(_) => Err(limit_reached(self.reason)),
        }
    }
}

impl<R: Seek> Seek for Metered<R> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.position = self.reader.seek(to)?;
        Ok(self.position)
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;
    use baseref_document::Allowance;

    #[test]
    fn bytes_read_again_are_free() {
        let ledger = Ledger::new(Work::Inflated, Allowance::fixed(6));
        let mut reader = Metered::new(Cursor::new(b"123456"), ledger, "spent");
        for _ in 0..3 {
            let mut text = String::new();
            assert_eq!(reader.read_to_string(&mut text).expect("six bytes"), 6);
            reader.seek(SeekFrom::Start(0)).expect("the start");
        }
    }

    #[test]
    fn readers_share_a_ledger() {
        let ledger = Ledger::new(Work::Inflated, Allowance::fixed(10));
        let mut readers = [&b"123456"[..], b"789abcdef"]
            .map(|bytes| Metered::new(bytes, ledger.clone(), "spent"));
        let mut text = String::new();
        assert_eq!(readers[0].read_to_string(&mut text).expect("six bytes"), 6);
        assert!(readers[1].read_to_string(&mut text).is_err());
        assert_eq!(ledger.left(Work::Inflated), 0);
    }
}
