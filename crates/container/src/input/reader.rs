//! The bytes of an input, and the detection of storage failures while they are read.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};

use super::failure::FailureRecord;
use super::window::CHUNK;
use baseref_document::Ledger;
use baseref_text::decode::sniff::HEAD;

/// The bytes of an input.
pub enum Reader {
    /// A file, which is seekable.
    File(File),
    /// Anything else that is seekable.
    Seekable(Box<dyn ReadSeek + Send>),
    /// Bytes that can be read only once.
    Stream(Box<dyn Read + Send>),
    /// Any of these, whose first failure is recorded.
    #[doc(hidden)]
    Monitored(Box<MonitoredReader>),
}

impl Reader {
    /// Appends at most this many bytes; fewer only at the end. For files this needs no initialized
    /// buffer.
    pub(crate) fn append(&mut self, most: u64, buffer: &mut Vec<u8>) -> io::Result<usize> {
        match self {
            Self::File(file) => {
                // Without room, reading begins in small steps.
                buffer.reserve(usize::try_from(most).unwrap_or(HEAD).min(HEAD));
                file.take(most).read_to_end(buffer)
            }
            Self::Seekable(reader) => reader.take(most).read_to_end(buffer),
            Self::Stream(stream) => append(stream, most, buffer),
            Self::Monitored(reader) => reader.append(most, buffer),
        }
    }

    /// Whether it is seekable.
    #[cfg(feature = "archives")]
    pub(crate) fn is_seekable(&self) -> bool {
        match self {
            Self::File(_) | Self::Seekable(_) => true,
            Self::Stream(_) => false,
            Self::Monitored(reader) => reader.is_seekable(),
        }
    }
}

/// The number of bytes that are first asked of a stream. Its buffer is cleared before each step, which
/// costs most for the many small files of a tar.
const FIRST_STEP: usize = 16 * 1024;

/// Appends at most this many bytes of a stream, in steps that grow with what is read: decompressors
/// are slower in the small steps that [`Read::read_to_end`] begins with.
fn append(stream: &mut dyn Read, most: u64, buffer: &mut Vec<u8>) -> io::Result<usize> {
    let start = buffer.len();
    let mut end = start;
    let mut left = usize::try_from(most).unwrap_or(usize::MAX);
    let result = loop {
        let step = left.min(end.clamp(FIRST_STEP, CHUNK));
        buffer.resize(end + step, 0);
        match stream.read(&mut buffer[end..]) {
            Ok(0) => break Ok(end - start),
            Ok(read) => {
                end += read;
                left -= read;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => break Err(error),
        }
    };
    buffer.truncate(end);
    result
}

/// A seekable reader.
pub trait ReadSeek: Read + Seek {}

impl<R: Read + Seek> ReadSeek for R {}

/// Seeking in a stream fails with [`io::ErrorKind::NotSeekable`].
impl Seek for Reader {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        match self {
            Self::File(file) => file.seek(to),
            Self::Seekable(reader) => reader.seek(to),
            Self::Stream(_) => Err(io::ErrorKind::NotSeekable.into()),
            Self::Monitored(reader) => reader.seek(to),
        }
    }
}

impl Read for Reader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::File(file) => file.read(buffer),
            Self::Seekable(reader) => reader.read(buffer),
            Self::Stream(stream) => stream.read(buffer),
            Self::Monitored(reader) => reader.read(buffer),
        }
    }
}

/// A reader whose first failure is recorded. A file that ends before its size is a failure, too.
pub struct MonitoredReader {
    reader: Reader,
    /// The current position, and the size that the file had when it was opened.
    extent: Option<(u64, u64)>,
    failure: FailureRecord,
    /// The ledger to which the bytes read are added, if the size is unknown.
    ledger: Option<Ledger>,
}

impl MonitoredReader {
    /// Monitors a reader of an input of `size` bytes, if that is known.
    pub(crate) fn new(
        mut reader: Reader,
        size: Option<u64>,
        failure: FailureRecord,
        ledger: &Ledger,
    ) -> Self {
        let extent = match (&mut reader, size) {
            (Reader::File(file), Some(size)) => file.stream_position().ok().map(|at| (at, size)),
            _ => None,
        };
        Self {
            reader,
            extent,
            failure,
            ledger: size.is_none().then(|| ledger.clone()),
        }
    }

    /// Whether it is seekable.
    #[cfg(feature = "archives")]
    pub(crate) fn is_seekable(&self) -> bool {
        self.reader.is_seekable()
    }

    /// Like [`Reader::append`].
    pub(crate) fn append(&mut self, most: u64, buffer: &mut Vec<u8>) -> io::Result<usize> {
        let appended = self.reader.append(most, buffer);
        self.record(most, appended)
    }

    /// Records the outcome of reading up to `most` bytes.
    fn record(&mut self, most: u64, read: io::Result<usize>) -> io::Result<usize> {
        match read {
            Ok(read) => {
                if let Some(ledger) = &self.ledger {
                    ledger.add_stored(read as u64);
                }
                if let Some((at, size)) = &mut self.extent {
                    *at += read as u64;
                    if (read as u64) < most && *at < *size {
                        let reason = format!("ended after {at} of {size} bytes");
                        let failure = io::Error::other(reason);
                        self.failure.add(&failure);
                        return Err(failure);
                    }
                }
                Ok(read)
            }
            Err(failure) => {
                self.failure.add(&failure);
                Err(failure)
            }
        }
    }
}

impl Read for MonitoredReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.reader.read(buffer);
        // One call may return less than there is. Only an empty result means the end.
        let most = u64::from(!buffer.is_empty());
        self.record(most, read)
    }
}

impl Seek for MonitoredReader {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let sought = self.reader.seek(to);
        match &sought {
            Ok(position) => {
                if let Some((at, _)) = &mut self.extent {
                    *at = *position;
                }
            }
            Err(failure) => self.failure.add(failure),
        }
        sought
    }
}
