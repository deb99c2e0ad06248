//! Decompresses bzip2 and xz, with several streams in a row as one file.
//!
//! Damage loses the rest of the file: unlike the members of gzip, the blocks of these codings do not
//! begin at whole bytes, or can only be found by an index at the end.

use std::io::{self, BufRead, ErrorKind, Read};

use bzip2::bufread::MultiBzDecoder;
use lzma_rust2::XzReader;

use super::gzip::StreamFacts;
use crate::input::failure::limit_reached;
use crate::input::window::Window;

/// The first bytes of an xz stream (The .xz File Format §2.1.1.1).
pub(crate) const XZ: &[u8] = b"\xFD7zXZ\0";

/// The first bytes of a bzip2 stream, before its block size.
const BZIP2: &[u8] = b"BZh";

/// The first bytes of a block of bzip2, and of the end of a stream without blocks.
const BLOCKS: [&[u8]; 2] = [b"\x31\x41\x59\x26\x53\x59", b"\x17\x72\x45\x38\x50\x90"];

/// How much memory a block of xz may need, in KiB: a dictionary of 64 MiB, which `xz -9` writes, and
/// the decoder.
const XZ_MEMORY: u32 = 65 * 1024;

/// Whether `bytes` begin with a stream of bzip2.
pub(crate) fn is_bzip2(bytes: &[u8]) -> bool {
    let Some([size, rest @ ..]) = bytes.strip_prefix(BZIP2) else {
        return false;
    };
    size.is_ascii_digit() && BLOCKS.iter().any(|block| rest.starts_with(block))
}

/// The decompressed content of a file.
///
/// Reading fails once, with [`ErrorKind::InvalidData`] where the file is corrupt and with
/// [`ErrorKind::UnexpectedEof`] where it is cut off, and then gives nothing more.
pub(crate) struct Decoded<D> {
    decoder: D,
    /// What it decodes: `bzip2`, `xz`.
    coding: &'static str,
    facts: StreamFacts,
    is_over: bool,
}

impl<R: Read> Decoded<MultiBzDecoder<Stored<R>>> {
    /// Decompresses bzip2.
    pub fn bzip2(input: Window<R>) -> Self {
        Self::new(input, "bzip2", MultiBzDecoder::new)
    }
}

impl<R: Read> Decoded<XzReader<Stored<R>>> {
    /// Decompresses xz.
    pub fn xz(input: Window<R>) -> Self {
        Self::new(input, "xz", |stored| {
            XzReader::new_mem_limit(stored, true, XZ_MEMORY)
        })
    }
}

impl<D> Decoded<D> {
    fn new<R>(
        input: Window<R>,
        coding: &'static str,
        decoder: impl FnOnce(Stored<R>) -> D,
    ) -> Self {
        let facts = StreamFacts::default();
        let stored = Stored {
            input,
            facts: facts.clone(),
        };
        Self {
            decoder: decoder(stored),
            coding,
            facts,
            is_over: false,
        }
    }

    /// The facts about the stream.
    pub fn facts(&self) -> StreamFacts {
        self.facts.clone()
    }

    fn failed(&self, error: io::Error) -> io::Error {
        let coding = self.coding;
        match error.kind() {
            // A failure of the storage is told from damage by who monitors it.
            ErrorKind::InvalidInput | ErrorKind::InvalidData | ErrorKind::Other => {
                let reason = format!("the {coding} stream is corrupt: {error}");
                io::Error::new(ErrorKind::InvalidData, reason)
            }
            ErrorKind::UnexpectedEof => {
                let reason = format!("the {coding} stream is cut off");
                io::Error::new(ErrorKind::UnexpectedEof, reason)
            }
            ErrorKind::OutOfMemory => limit_reached(
                "its dictionary is larger than 64 MiB: what follows is not decompressed",
            ),
            ErrorKind::Unsupported => {
                let reason = format!("the {coding} stream uses a method that is not read: {error}");
                io::Error::new(ErrorKind::InvalidData, reason)
            }
            _ => error,
        }
    }
}

impl<D: Read> Read for Decoded<D> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if buffer.is_empty() || self.is_over {
            return Ok(0);
        }
        self.decoder.read(buffer).map_err(|error| {
            self.is_over = error.kind() != ErrorKind::Interrupted;
            self.failed(error)
        })
    }
}

/// The compressed bytes of a file, which are counted as they are read.
pub(crate) struct Stored<R> {
    input: Window<R>,
    facts: StreamFacts,
}

impl<R: Read> BufRead for Stored<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.input.fill(1).is_empty()
            && let Some(failure) = self.input.take_failure()
        {
            return Err(failure);
        }
        Ok(self.input.rest(0))
    }

    fn consume(&mut self, length: usize) {
        self.input.advance(length);
        self.facts.read_to(self.input.offset());
    }
}

impl<R: Read> Read for Stored<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let bytes = self.fill_buf()?;
        let length = bytes.len().min(buffer.len());
        buffer[..length].copy_from_slice(&bytes[..length]);
        self.consume(length);
        Ok(length)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `hello, hello, hello` and a line feed, written by bzip2 1.0.8 and xz 5.4.
    const IN_BZIP2: &[u8] = include_bytes!("../../../../fixtures/packed/hello.bz2");
    const IN_XZ: &[u8] = include_bytes!("../../../../fixtures/packed/hello.xz");
    const TEXT: &str = "hello, hello, hello\n";

    fn text(bytes: &[u8]) -> Result<String, (String, io::Error)> {
        let window = Window::new(bytes);
        let mut decoder: Box<dyn Read> = if is_bzip2(bytes) {
            Box::new(Decoded::bzip2(window))
        } else {
            Box::new(Decoded::xz(window))
        };
        let mut text = Vec::new();
        let read = decoder.read_to_end(&mut text);
        let text = String::from_utf8_lossy(&text).into_owned();
        match read {
            Ok(_) => Ok(text),
            Err(error) => Err((text, error)),
        }
    }

    #[test]
    fn streams_in_a_row_are_one_file() {
        for one in [IN_BZIP2, IN_XZ] {
            assert_eq!(text(one).unwrap(), TEXT);
            assert_eq!(text(&[one, one].concat()).unwrap(), TEXT.repeat(2));
        }
    }

    #[test]
    fn damage_is_told_after_what_precedes_it() {
        for one in [IN_BZIP2, IN_XZ] {
            let twice = [one, one].concat();
            let (read, error) = text(&twice[..twice.len() - 9]).unwrap_err();
            assert!(read.starts_with(TEXT), "{read}");
            assert_eq!(error.kind(), ErrorKind::UnexpectedEof);
            let mut changed = twice.clone();
            let middle = one.len() + one.len() / 2;
            changed[middle] ^= 0x55;
            let (read, error) = text(&changed).unwrap_err();
            assert!(read.starts_with(TEXT), "{read}");
            assert_eq!(error.kind(), ErrorKind::InvalidData, "{error}");
        }
    }

    #[test]
    fn every_cut_gives_a_part_and_an_error() {
        for one in [IN_BZIP2, IN_XZ] {
            for end in 10..one.len() {
                let (read, _) = text(&one[..end]).unwrap_err();
                assert!(TEXT.starts_with(&read), "{end}");
            }
        }
    }

    #[test]
    fn dictionary_size_is_limited() {
        // The flags of the first block: one byte says that its dictionary has 4 GiB.
        let mut large = IN_XZ.to_vec();
        large[16] = 40;
        let mut crc = flate2::Crc::new();
        crc.update(&large[12..20]);
        large[20..24].copy_from_slice(&crc.sum().to_le_bytes());
        let (_, error) = text(&large).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::QuotaExceeded, "{error}");
    }
}
