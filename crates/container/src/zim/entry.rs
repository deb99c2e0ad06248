//! The directory entries.

use std::fmt;
use std::io;

use super::storage::Storage;

/// The media type number of a redirect.
const REDIRECT: u16 = 0xFFFF;

/// The media type numbers of two obsolete kinds of entries, which have no content.
const WITHOUT_CONTENT: [u16; 2] = [0xFFFE, 0xFFFD];

/// The maximum length of a path in bytes.
const LONGEST_PATH: usize = 64 * 1024;

/// How much is read for an entry that does not follow the one before. Most are shorter.
const FIRST_STEP: usize = 512;

/// How much is read at a time once entries follow each other.
const LARGEST_STEP: usize = 64 * 1024;

/// The target of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EntryContent {
    /// A blob of a cluster, with the number of its media type.
    Blob {
        media: u16,
        cluster: u32,
        blob: u32,
    },
    /// The entry of that number.
    Redirect(u32),
    Nothing,
}

/// An entry. Its title is not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entry<'b> {
    pub namespace: u8,
    pub path: &'b [u8],
    pub content: EntryContent,
    /// The number of bytes up to the end of the path.
    pub length: usize,
}

impl Entry<'_> {
    /// The namespace and the path as text, as reports show them: `C/a/b`.
    pub fn name(&self) -> String {
        let path = String::from_utf8_lossy(self.path);
        format!("{}/{path}", char::from(self.namespace))
    }
}

/// Why an entry cannot be read.
#[derive(Debug)]
pub(super) enum EntryError {
    /// It begins after the end of the file, or does not end before it.
    CutOff,
    /// Its path has no end.
    Endless,
    Io(io::Error),
}

impl fmt::Display for EntryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::CutOff => f.write_str("goes beyond the end of the file"),
            Self::Endless => write!(f, "has a path longer than {LONGEST_PATH} bytes"),
            Self::Io(error) => error.fmt(f),
        }
    }
}

impl EntryError {
    /// The maximum number of bytes that were read in vain.
    pub fn examined(&self) -> usize {
        match self {
            Self::Endless => LONGEST_PATH,
            Self::CutOff | Self::Io(_) => 0,
        }
    }
}

/// The entry that `bytes` begin with; `None` if they do not hold all of it.
fn parse(bytes: &[u8]) -> Option<Entry<'_>> {
    let word = |at: usize| {
        let bytes = bytes.get(at..at + 4)?.try_into().ok()?;
        Some(u32::from_le_bytes(bytes))
    };
    let media = u16::from_le_bytes(bytes.get(..2)?.try_into().ok()?);
    let namespace = *bytes.get(3)?;
    let (content, start) = match media {
        REDIRECT => (EntryContent::Redirect(word(8)?), 12),
        media if WITHOUT_CONTENT.contains(&media) => (EntryContent::Nothing, 8),
        media => {
            let (cluster, blob) = (word(8)?, word(12)?);
            let content = EntryContent::Blob {
                media,
                cluster,
                blob,
            };
            (content, 16)
        }
    };
    let rest = bytes.get(start..)?;
    let end = memchr::memchr(0, rest)?;
    Some(Entry {
        namespace,
        path: &rest[..end],
        content,
        length: start + end + 1,
    })
}

/// Reads entries at any position. Entries that follow each other are read many at a time.
pub(super) struct EntryReader {
    storage: Storage,
    /// Bytes of the file from `start` on.
    buffer: Vec<u8>,
    start: u64,
    step: usize,
}

impl EntryReader {
    pub fn new(storage: Storage) -> Self {
        Self {
            storage,
            buffer: Vec::new(),
            start: 0,
            step: FIRST_STEP,
        }
    }

    /// The entry at that position of the file.
    ///
    /// # Errors
    /// If it is cut off, or its path is too long.
    pub fn entry(&mut self, at: u64) -> Result<Entry<'_>, EntryError> {
        let mut skipped = self.position(at);
        while parse(&self.buffer[skipped..]).is_none() {
            if self.buffer.len() - skipped > LONGEST_PATH {
                return Err(EntryError::Endless);
            }
            self.buffer.drain(..skipped);
            self.start += skipped as u64;
            skipped = 0;
            let end = self.start + self.buffer.len() as u64;
            let read = self.storage.append(end, self.step, &mut self.buffer);
            if read.map_err(EntryError::Io)? == 0 {
                return Err(EntryError::CutOff);
            }
            self.step = (2 * self.step).min(LARGEST_STEP);
        }
        parse(&self.buffer[skipped..]).ok_or(EntryError::CutOff)
    }

    /// Where the bytes at a position of the file begin in the buffer, which is cleared if it does
    /// not reach them.
    fn position(&mut self, at: u64) -> usize {
        let distance = at.checked_sub(self.start);
        let distance = distance.and_then(|distance| usize::try_from(distance).ok());
        if let Some(distance) = distance.filter(|distance| *distance <= self.buffer.len()) {
            return distance;
        }
        self.buffer.clear();
        self.start = at;
        self.step = FIRST_STEP;
        0
    }
}
