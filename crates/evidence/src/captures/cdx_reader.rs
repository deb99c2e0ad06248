//! Files that are indexes of captures (CDX, CDXJ), compressed with gzip or not.

use std::fmt;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use baseref_document::{Capture, Ledger, Limits, Work};
use baseref_files::{Files, Role};
use flate2::bufread::MultiGzDecoder;

use super::cdx::Cdx;

/// How a gzip file begins.
const GZIP: &[u8] = b"\x1f\x8b";

/// The maximum length of a line, in bytes.
const MAX_LINE: u64 = 1 << 20;

/// The captures that the lines of an index describe, in order. Lines without a capture are skipped and
/// counted, once a line showed that the file is an index.
pub struct CdxReader {
    reader: Box<dyn BufRead>,
    cdx: Cdx,
    /// The number of lines read so far.
    number: u64,
    /// Whether a line showed that the file is an index.
    is_index: bool,
    malformed: Option<MalformedLines>,
    line: Vec<u8>,
}

/// Why no more captures can be read from a file.
#[derive(Debug, thiserror::Error)]
pub enum CdxError {
    /// The file cannot be read.
    #[error(transparent)]
    Unreadable(io::Error),
    /// It is not an index: its first line that is not empty is not one of an index.
    #[error("line {line} {reason}")]
    NotAnIndex {
        /// The number of that line, 1-based.
        line: u64,
        /// What is wrong with it.
        reason: &'static str,
    },
}

/// The lines of an index that describe no capture.
#[derive(Clone, Copy, Debug)]
pub struct MalformedLines {
    count: u64,
    /// The number of the first one, 1-based, and what is wrong with it.
    first: (u64, &'static str),
}

impl CdxReader {
    /// Opens a file.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn open(path: &Path, files: &Files) -> io::Result<Self> {
        let mut file = BufReader::new(files.open(path, Role::Captures)?);
        let is_compressed = file.fill_buf()?.starts_with(GZIP);
        Ok(Self {
            reader: if is_compressed {
                Box::new(BufReader::new(Inflated::new(file)))
            } else {
                Box::new(file)
            },
            cdx: Cdx::default(),
            number: 0,
            is_index: false,
            malformed: None,
            line: Vec::new(),
        })
    }

    /// The lines skipped so far.
    #[must_use]
    pub fn malformed(&self) -> Option<MalformedLines> {
        self.malformed
    }

    /// Reads up to the next capture.
    fn read(&mut self) -> Result<Option<Capture>, CdxError> {
        loop {
            self.line.clear();
            let mut line = self.reader.by_ref().take(MAX_LINE);
            let length = line.read_until(b'\n', &mut self.line);
            if length.map_err(CdxError::Unreadable)? == 0 {
                return Ok(None);
            }
            self.number += 1;
            let text = String::from_utf8_lossy(&self.line);
            let text = text.trim_end_matches(['\n', '\r']);
            match self.cdx.line(text) {
                Ok(capture) => {
                    self.is_index |= !text.trim().is_empty() && !text.starts_with('!');
                    if capture.is_some() {
                        return Ok(capture);
                    }
                }
                Err(reason) if !self.is_index => {
                    return Err(CdxError::NotAnIndex {
                        line: self.number,
                        reason,
                    });
                }
                Err(reason) => {
                    let first = (self.number, reason);
                    let malformed = self
                        .malformed
                        .get_or_insert(MalformedLines { count: 0, first });
                    malformed.count += 1;
                }
            }
        }
    }
}

/// The content of a compressed index, up to as much as any compressed input may inflate to.
struct Inflated<R> {
    content: MultiGzDecoder<Stored<R>>,
    ledger: Ledger,
}

impl<R: BufRead> Inflated<R> {
    fn new(reader: R) -> Self {
        let limit = Limits::default().inflation_allowance();
        let ledger = Ledger::new(Work::Inflated, limit);
        let stored = Stored {
            reader,
            ledger: ledger.clone(),
        };
        Self {
            content: MultiGzDecoder::new(stored),
            ledger,
        }
    }
}

impl<R: BufRead> Read for Inflated<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.content.read(buffer)?;
        if self.ledger.draw(Work::Inflated, read as u64).is_err() {
            let reason = "expands to too much for its size: the rest is not read";
            return Err(io::Error::new(io::ErrorKind::QuotaExceeded, reason));
        }
        Ok(read)
    }
}

/// Records in a ledger what is read of a file.
struct Stored<R> {
    reader: R,
    ledger: Ledger,
}

impl<R: BufRead> Read for Stored<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.reader.read(buffer)?;
        self.ledger.add_stored(read as u64);
        Ok(read)
    }
}

impl<R: BufRead> BufRead for Stored<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.reader.fill_buf()
    }

    fn consume(&mut self, bytes: usize) {
        self.ledger.add_stored(bytes as u64);
        self.reader.consume(bytes);
    }
}

/// The iterator ends after an error.
impl Iterator for CdxReader {
    type Item = Result<Capture, CdxError>;

    fn next(&mut self) -> Option<Self::Item> {
        let read = self.read();
        if read.is_err() {
            self.reader = Box::new(io::empty());
        }
        read.transpose()
    }
}

impl fmt::Display for MalformedLines {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { count, first } = self;
        let say = if *count == 1 {
            "line says"
        } else {
            "lines say"
        };
        write!(f, "{count} {say} no capture; line {} {}", first.0, first.1)
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::Compression;
    use flate2::write::GzEncoder;

    use super::*;

    #[test]
    fn compressed_index_may_expand_in_proportion_to_its_size() {
        for (mebibytes, is_read) in [(1, true), (64, false)] {
            let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
            for _ in 0..mebibytes {
                let blank = vec![b'\n'; 1 << 20];
                encoder.write_all(&blank).expect("memory takes every write");
            }
            let packed = encoder.finish().expect("memory takes every write");
            let copied = io::copy(&mut Inflated::new(packed.as_slice()), &mut io::sink());
            assert_eq!(copied.is_ok(), is_read, "{mebibytes} MiB");
        }
    }
}
