//! Sections of a reader that can each be read like a file.

use std::io::{self, Read, Seek, SeekFrom};
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use super::reader::Reader;

/// A reader shared by several sections, each with its own position.
#[derive(Clone)]
pub(crate) struct Shared(Arc<Mutex<Reader>>);

impl Shared {
    /// Shares a seekable reader; its current position does not matter.
    pub fn new(reader: Reader) -> Self {
        Self(Arc::new(Mutex::new(reader)))
    }

    /// Its size in bytes.
    ///
    /// # Errors
    /// If seeking fails.
    pub fn size(&self) -> io::Result<u64> {
        let mut reader = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        reader.seek(SeekFrom::End(0))
    }

    /// A section with the bytes of that range, as far as they exist.
    pub fn section(&self, range: Range<u64>) -> Section {
        Section {
            shared: self.clone(),
            range,
            at: 0,
        }
    }
}

/// A section of a reader.
pub(crate) struct Section {
    shared: Shared,
    range: Range<u64>,
    /// The position in the section.
    at: u64,
}

impl Section {
    /// The same section, at its start.
    pub fn restarted(&self) -> Self {
        self.shared.section(self.range.clone())
    }
}

impl Read for Section {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let start = self.range.start.saturating_add(self.at);
        let left = self.range.end.saturating_sub(start);
        let length = usize::try_from(left).map_or(buffer.len(), |left| left.min(buffer.len()));
        if length == 0 {
            return Ok(0);
        }
        let mut reader = self.shared.0.lock().unwrap_or_else(PoisonError::into_inner);
        reader.seek(SeekFrom::Start(start))?;
        let read = reader.read(&mut buffer[..length])?;
        self.at += read as u64;
        Ok(read)
    }
}

impl Seek for Section {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let size = self.range.end.saturating_sub(self.range.start);
        let position = match to {
            SeekFrom::Start(position) => Some(position),
            SeekFrom::End(distance) => size.checked_add_signed(distance),
            SeekFrom::Current(distance) => self.at.checked_add_signed(distance),
        };
        self.at = position.ok_or(io::ErrorKind::InvalidInput)?;
        Ok(self.at)
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;

    #[test]
    fn sections_have_their_own_positions() {
        let shared = Shared::new(Reader::Seekable(Box::new(Cursor::new(b"0123456789"))));
        assert_eq!(shared.size().unwrap(), 10);
        let (mut first, mut second) = (shared.section(1..5), shared.section(4..20));
        let mut pair = [0; 2];
        first.read_exact(&mut pair).unwrap();
        assert_eq!(&pair, b"12");
        let mut text = String::new();
        second.read_to_string(&mut text).unwrap();
        first.read_to_string(&mut text).unwrap();
        assert_eq!(text, "45678934");
        assert_eq!(first.seek(SeekFrom::End(-1)).unwrap(), 3);
        assert_eq!(first.read(&mut pair).unwrap(), 1);
        assert!(first.seek(SeekFrom::Current(-9)).is_err());
        first.seek(SeekFrom::Start(100)).unwrap();
        assert_eq!(first.read(&mut pair).unwrap(), 0);
    }
}
