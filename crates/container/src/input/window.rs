//! A buffer over a stream whose bytes can be examined before they are consumed.

use std::collections::TryReserveError;
use std::io::{self, ErrorKind, Read};

/// How much is read at once.
pub(crate) const CHUNK: usize = 256 * 1024;

/// How much is read before the format is known; most documents are smaller.
pub(crate) const FIRST_READ: usize = 64 * 1024;

/// A function that appends at most this many bytes of a stream to a buffer. It returns how many it
/// read: fewer only at the end of the stream.
pub(crate) type Append<R> = fn(&mut R, u64, &mut Vec<u8>) -> io::Result<usize>;

/// A stream whose next bytes are in memory.
#[derive(Debug)]
pub(crate) struct Window<R> {
    reader: R,
    append: Append<R>,
    /// The bytes read and not yet consumed, from `start` on.
    buffer: Vec<u8>,
    start: usize,
    /// The offset of `start` in the stream.
    offset: u64,
    /// The offset at which the stream ends, if that is known.
    end: Option<u64>,
    at_end: bool,
    failure: Option<io::Error>,
}

impl<R: Read> Window<R> {
    /// A window at the start of a stream, which is read in large pieces and needs no buffer of its
    /// own.
    pub fn new(reader: R) -> Self {
        Self::appending(reader, |reader, most, buffer| {
            reader.take(most).read_to_end(buffer)
        })
    }

    /// A window at the start of a stream with a cheaper way to append than [`Read::read`], which
    /// requires an initialized buffer.
    pub fn appending(reader: R, append: Append<R>) -> Self {
        Self {
            reader,
            append,
            buffer: Vec::new(),
            start: 0,
            offset: 0,
            end: None,
            at_end: false,
            failure: None,
        }
    }

    /// The same window on a stream that is known to end at an offset: it is not read again to see that.
    pub fn ending_at(self, end: Option<u64>) -> Self {
        Self { end, ..self }
    }

    /// A window on `reader`, whose first byte is at `offset`.
    pub fn at(reader: R, offset: u64) -> Self {
        Self {
            offset,
            ..Self::new(reader)
        }
    }

    /// Reserves memory for that many more bytes.
    ///
    /// # Errors
    /// If the memory is not available.
    pub fn reserve(&mut self, more: usize) -> Result<(), TryReserveError> {
        // One extra byte, so that reading to the end needs no larger buffer.
        self.buffer.try_reserve_exact(more.saturating_add(1))
    }

    /// Reads until at least `wanted` bytes are in the window, the stream ends, or reading fails.
    /// Returns the bytes in the window, which may be more.
    pub fn fill(&mut self, wanted: usize) -> &[u8] {
        self.fill_by(wanted, CHUNK)
    }

    /// Like [`Window::fill`], but reads at most `wanted` bytes, for inputs that may not be read
    /// further.
    pub fn peek(&mut self, wanted: usize) -> &[u8] {
        self.fill_by(wanted, 0)
    }

    /// Fills the window in steps of at least this many bytes.
    fn fill_by(&mut self, wanted: usize, step: usize) -> &[u8] {
        if !self.at_end && self.start > self.buffer.len() / 2 {
            self.buffer.drain(..self.start);
            self.start = 0;
        }
        while !self.at_end && self.buffer.len() - self.start < wanted {
            let missing = wanted - (self.buffer.len() - self.start);
            let left = self.left();
            let asked = (missing.max(step) as u64).min(left);
            match (self.append)(&mut self.reader, asked, &mut self.buffer) {
                Ok(read) => self.at_end = (read as u64) < asked || read as u64 == left,
                Err(error) => {
                    self.at_end = true;
                    self.failure = Some(error);
                }
            }
        }
        self.rest(0)
    }

    /// How many bytes follow those in the window, if that is known.
    fn left(&self) -> u64 {
        let read = self.offset + (self.buffer.len() - self.start) as u64;
        self.end.map_or(u64::MAX, |end| end.saturating_sub(read))
    }

    /// Like [`Window::peek`], but skips damage before the first byte, up to 1,000 failures, which
    /// are added to `damage`.
    pub fn peek_past_damage(&mut self, wanted: usize, damage: &mut Vec<io::Error>) -> &[u8] {
        const MOST: usize = 1000;
        while self.peek(wanted).is_empty() && damage.len() < MOST {
            let is_damage = |failure: &mut io::Error| failure.kind() == ErrorKind::InvalidData;
            let Some(failure) = self.failure.take_if(is_damage) else {
                break;
            };
            self.at_end = false;
            damage.push(failure);
        }
        self.rest(0)
    }

    /// The bytes in the window from `at` on.
    pub fn rest(&self, at: usize) -> &[u8] {
        let start = self.start.saturating_add(at);
        self.buffer.get(start..).unwrap_or_default()
    }

    /// The offset in the stream at which the window begins.
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// Whether the stream ended or failed after the bytes in the window.
    pub fn is_at_end(&self) -> bool {
        self.at_end
    }

    /// Whether reading failed after the bytes in the window.
    pub fn has_failed(&self) -> bool {
        self.failure.is_some()
    }

    /// Consumes `length` bytes, or all bytes of the window if it has fewer.
    pub fn advance(&mut self, length: usize) {
        let length = length.min(self.buffer.len() - self.start);
        self.start += length;
        self.offset += length as u64;
    }

    /// Consumes `length` bytes, whether or not they are in the window yet. Returns how many there
    /// were.
    pub fn skip(&mut self, length: u64) -> u64 {
        let mut left = length;
        while left > 0 {
            let there = self.fill(1).len();
            if there == 0 {
                break;
            }
            let step = usize::try_from(left).map_or(there, |left| left.min(there));
            self.advance(step);
            left -= step as u64;
        }
        length - left
    }

    /// Takes the failure that stopped reading. If it was damage, reading then continues after it.
    pub fn take_failure(&mut self) -> Option<io::Error> {
        let failure = self.failure.take()?;
        self.at_end = failure.kind() != ErrorKind::InvalidData;
        Some(failure)
    }

    /// Takes the bytes out of the window.
    pub fn take_bytes(&mut self) -> Vec<u8> {
        self.buffer.drain(..self.start);
        self.start = 0;
        std::mem::take(&mut self.buffer)
    }

    /// The bytes in the window, and the stream after them.
    #[cfg(feature = "archives")]
    pub fn into_parts(mut self) -> (Vec<u8>, R) {
        self.buffer.drain(..self.start);
        (self.buffer, self.reader)
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A stream that returns one byte first, then pieces of growing size.
    pub struct Trickle<'t>(pub &'t [u8], pub usize);

    impl Read for Trickle<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            self.1 += 1;
            let length = self.1.min(buffer.len()).min(self.0.len());
            let (given, rest) = self.0.split_at(length);
            buffer[..length].copy_from_slice(given);
            self.0 = rest;
            Ok(length)
        }
    }

    /// A stream that fails at every second read.
    struct Stumbling(ErrorKind, bool);

    impl Read for Stumbling {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            self.1 = !self.1;
            if self.1 {
                buffer[0] = b'x';
                return Ok(1);
            }
            Err(self.0.into())
        }
    }

    #[test]
    fn consumed_bytes_add_to_the_offset() {
        let text: Vec<u8> = (0..=255).cycle().take(3 * CHUNK).collect();
        let mut window = Window::new(Trickle(&text, 0));
        assert_eq!(window.fill(2)[..2], [0, 1]);
        window.advance(300);
        assert_eq!(window.offset(), 300);
        assert_eq!(window.fill(1)[0], 44);
        assert_eq!(window.skip(2 * CHUNK as u64), 2 * CHUNK as u64);
        assert_eq!(window.fill(1)[0], 44);
        assert_eq!(window.skip(u64::MAX), (CHUNK - 300) as u64);
        assert!(window.fill(1).is_empty() && window.is_at_end());
    }

    #[test]
    fn end_of_known_size_is_not_read_for() {
        let text = [b'x'; 300];
        for (size, expected) in [(200, 200), (300, 300), (400, 300)] {
            let mut window = Window::new(Trickle(&text, 0)).ending_at(Some(size));
            assert_eq!(window.peek(100).len(), 100);
            window.advance(50);
            assert!(!window.is_at_end());
            assert_eq!(window.peek(150).len(), 150);
            assert_eq!(window.is_at_end(), size == 200, "{size}");
            assert_eq!(window.fill(usize::MAX).len() + 50, expected);
            assert!(window.is_at_end());
        }
    }

    #[test]
    fn reading_continues_only_after_damage() {
        for (kind, goes_on) in [(ErrorKind::InvalidData, true), (ErrorKind::Other, false)] {
            let mut window = Window::new(Stumbling(kind, false));
            assert_eq!(window.fill(2), b"x");
            assert_eq!(window.take_failure().unwrap().kind(), kind);
            assert_eq!(window.fill(2).len(), if goes_on { 2 } else { 1 });
        }
    }
}
