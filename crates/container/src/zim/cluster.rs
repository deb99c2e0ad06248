//! Clusters: blobs that are compressed together.

use std::fmt;
use std::io::{self, BufReader, Read};
use std::ops::Range;

use lzma_rust2::XzReader;

use super::storage::Storage;
use crate::codings::gzip::MemberIndex;
use crate::codings::metered::Metered;
use crate::codings::zstd::Unzstd;
use crate::input::failure;
use crate::input::window::Window;
use crate::nesting::{INFLATED_TOO_MUCH, Nesting};
use baseref_document::ReadErrorKind;

/// The bit of the first byte of a cluster that says that its offsets have 64 bits.
const EXTENDED: u8 = 0x10;

/// The maximum memory of the xz decoder in KiB. Its dictionary has at most 64 MiB in files that
/// libzim wrote.
const XZ_MEMORY: u32 = 192 * 1024;

/// How much is read from a decoder at a time.
const STEP: usize = 64 * 1024;

/// The content of a cluster as a stream.
pub(super) struct Cluster {
    content: BufReader<Metered<Box<dyn Read + Send>>>,
    /// The number of bytes read of the content.
    position: u64,
    /// The size of an offset.
    width: usize,
    /// The number of blobs.
    blobs: u64,
}

/// Why a cluster or a blob cannot be read.
#[derive(Debug)]
pub(super) enum ClusterError {
    /// Its position is beyond the file.
    Outside,
    /// It is compressed in an unknown way.
    Compression(u8),
    /// The first offset is no multiple of the size of an offset.
    Table(u64),
    /// The offsets of a blob decrease, or lead into the offsets.
    Offsets,
    /// The ledger is spent.
    Spent,
    Io(io::Error),
}

impl ClusterError {
    /// The kind of error to report.
    pub fn kind(&self) -> ReadErrorKind {
        match self {
            Self::Io(failure) => failure::kind_of(failure),
            Self::Spent => ReadErrorKind::Limit,
            _ => ReadErrorKind::Damaged,
        }
    }
}

impl From<io::Error> for ClusterError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl fmt::Display for ClusterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Outside => f.write_str("is not in the file"),
            Self::Compression(kind) => write!(f, "has the compression {kind}, which is unknown"),
            Self::Table(first) => write!(f, "has offsets that begin with {first}"),
            Self::Offsets => f.write_str("has offsets that do not ascend"),
            Self::Spent => write!(f, "is not read: {INFLATED_TOO_MUCH}"),
            Self::Io(error) => match failure::kind_of(error) {
                _ if error.kind() == io::ErrorKind::UnexpectedEof => f.write_str("is cut off"),
                ReadErrorKind::Damaged => write!(f, "is damaged: {error}"),
                _ => write!(f, "is not read: {error}"),
            },
        }
    }
}

impl Cluster {
    /// Begins to decompress the cluster in a range of the file; it may end earlier.
    ///
    /// # Errors
    /// If it is damaged at its start.
    pub fn open(
        storage: &Storage,
        range: Range<u64>,
        nesting: &Nesting,
    ) -> Result<Self, ClusterError> {
        let mut information = [0];
        let Range { start, end } = range;
        storage
            .section(start..start.saturating_add(1))
            .read_exact(&mut information)
            .map_err(|_| ClusterError::Outside)?;
        let [information] = information;
        let section = storage.section(start + 1..end);
        let content: Box<dyn Read + Send> = match information & 0xF {
            0 | 1 => Box::new(section),
            4 => {
                let section = BufReader::with_capacity(STEP, section);
                Box::new(Decoded(XzReader::new_mem_limit(section, false, XZ_MEMORY)))
            }
            5 => Box::new(Unzstd::new(Window::new(section), MemberIndex::default())),
            other => return Err(ClusterError::Compression(other)),
        };
        let width = if information & EXTENDED == 0 { 4 } else { 8 };
        let mut cluster = Self {
            content: BufReader::with_capacity(STEP, nesting.metered(content)),
            position: 0,
            width,
            blobs: 0,
        };
        let first = cluster.offset()?;
        let numbers = first / width as u64;
        if !first.is_multiple_of(width as u64) || numbers == 0 {
            return Err(ClusterError::Table(first));
        }
        cluster.blobs = numbers - 1;
        Ok(cluster)
    }

    /// The number of blobs.
    pub fn blobs(&self) -> u64 {
        self.blobs
    }

    /// The ranges of blobs, given their numbers in ascending order, all of which exist. Must be
    /// called once, before the first blob is read.
    ///
    /// # Errors
    /// If the offsets are damaged.
    pub fn ranges(&mut self, numbers: &[u32]) -> Result<Vec<Range<u64>>, ClusterError> {
        // The first offset tells where the others end, and has been read.
        let mut start = (self.blobs + 1) * self.width as u64;
        let mut at = 0;
        let mut ranges: Vec<Range<u64>> = Vec::new();
        let mut latest = None;
        for number in numbers {
            if let Some(range) = ranges.last().filter(|_| latest == Some(*number)) {
                ranges.push(range.clone());
                continue;
            }
            while at < u64::from(*number) {
                start = self.offset()?;
                at += 1;
            }
            let end = self.offset()?;
            at += 1;
            ranges.push(start..end);
            start = end;
            latest = Some(*number);
        }
        Ok(ranges)
    }

    fn offset(&mut self) -> Result<u64, ClusterError> {
        let mut bytes = [0; 8];
        self.content.read_exact(&mut bytes[..self.width])?;
        self.position += self.width as u64;
        Ok(u64::from_le_bytes(bytes))
    }

    /// Appends the bytes of a range, which begins where the content has not been read yet. If that
    /// fails, the bytes before the damage are there.
    ///
    /// # Errors
    /// If it is cut off, or damaged.
    pub fn append(&mut self, range: Range<u64>, bytes: &mut Vec<u8>) -> Result<(), ClusterError> {
        let before = range.start.checked_sub(self.position);
        let length = range.end.checked_sub(range.start);
        let (before, length) = before.zip(length).ok_or(ClusterError::Offsets)?;
        let skipped = io::copy(&mut self.content.by_ref().take(before), &mut io::sink())?;
        self.position += skipped;
        let read = self.content.by_ref().take(length).read_to_end(bytes)? as u64;
        self.position += read;
        if skipped < before || read < length {
            return Err(io::Error::from(io::ErrorKind::UnexpectedEof).into());
        }
        Ok(())
    }
}

/// Content whose decoder reports damage with kinds of its own.
struct Decoded<R>(R);

impl<R: Read> Read for Decoded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read(buffer).map_err(|error| {
            // The decoder says so of what a file declares, not of the machine.
            let is_damage = matches!(
                error.kind(),
                io::ErrorKind::InvalidInput
                    | io::ErrorKind::OutOfMemory
                    | io::ErrorKind::Unsupported
            );
            if is_damage {
                io::Error::new(io::ErrorKind::InvalidData, error)
            } else {
                error
            }
        })
    }
}
