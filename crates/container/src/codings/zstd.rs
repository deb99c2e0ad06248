//! Decompresses Zstandard streams (RFC 8878) frame by frame, with the dictionary that the first
//! frame of a WARC may contain (warc-zstd 1.0).
//!
//! Damage loses only the frame that it is in, as with gzip.

use std::io::{self, ErrorKind, Read};
use std::ops::RangeInclusive;

use memchr::memmem;
use ruzstd::decoding::Dictionary;
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

use super::gzip::{FailedChecksum, MemberIndex, MemberStart, StreamFacts};
use crate::input::window::{CHUNK, Window};

/// The beginning of a frame (RFC 8878 §3.1.1).
const MAGIC: &[u8] = super::PACKED_MAGICS[0];

/// The size of the header of a skippable frame: its magic number and its length (§3.1.2).
const SKIPPABLE: usize = 8;

/// The magic numbers of skippable frames.
const SKIPPABLE_MAGICS: RangeInclusive<u32> = 0x184D_2A50..=0x184D_2A5F;

/// The magic number of the skippable frame with the dictionary (warc-zstd §3.1).
const DICTIONARY_MAGIC: u32 = 0x184D_2A5D;

/// The maximum size of a window, which is the largest that the reference implementation writes.
const WINDOW: u64 = 128 * 1024 * 1024;

/// The maximum size of a dictionary, compressed or not: readers need not accept larger ones
/// (warc-zstd §3.1.2).
const DICTIONARY: usize = 8 * 1024 * 1024;

/// The dictionary is copied for each frame. This limits the bytes copied in total, and
/// [`COPIED_PER_BYTE`] adds to the limit for each byte of the stream.
const COPIED: u64 = 1024 * 1024 * 1024;
const COPIED_PER_BYTE: u64 = 1024;

/// Whether `bytes` begin with a frame, or with the dictionary of the following frames.
pub(crate) fn is_zstd(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC) || skippable(bytes).is_some_and(|(magic, _)| magic == DICTIONARY_MAGIC)
}

/// The magic number and the content length of a skippable frame.
fn skippable(bytes: &[u8]) -> Option<(u32, usize)> {
    let number = |at: usize| {
        let bytes = bytes.get(at..at + 4)?.try_into().ok()?;
        Some(u32::from_le_bytes(bytes))
    };
    let magic = number(0).filter(|magic| SKIPPABLE_MAGICS.contains(magic))?;
    Some((magic, usize::try_from(number(4)?).ok()?))
}

/// The decompressed content of a stream of frames.
///
/// Reading fails with [`ErrorKind::InvalidData`] where a frame is corrupt, and then continues with
/// the next one that can be found.
pub(crate) struct Unzstd<R> {
    input: Window<R>,
    decoder: FrameDecoder,
    /// The identifier and the size of the dictionary.
    dictionary: Option<(u32, u64)>,
    is_in_frame: bool,
    /// The offset at which the current frame begins.
    start: u64,
    /// Whether the next frame must be searched for.
    lost: bool,
    /// The number of dictionary bytes copied so far.
    copied: u64,
    /// The number of bytes returned so far.
    returned: u64,
    frames: MemberIndex,
    facts: StreamFacts,
    is_over: bool,
}

impl<R: Read> Unzstd<R> {
    /// Decompresses `input`, and adds the beginning of each frame to `frames`.
    pub fn new(input: Window<R>, frames: MemberIndex) -> Self {
        let mut decoder = FrameDecoder::new();
        decoder.set_max_window_size(WINDOW);
        Self {
            input,
            decoder,
            dictionary: None,
            is_in_frame: false,
            start: 0,
            lost: false,
            copied: 0,
            returned: 0,
            frames,
            facts: StreamFacts::default(),
            is_over: false,
        }
    }

    /// The facts about the stream.
    pub fn facts(&self) -> StreamFacts {
        self.facts.clone()
    }

    /// Starts the next frame; `false` at the end.
    fn begin(&mut self) -> io::Result<bool> {
        if self.lost {
            self.find();
        }
        while let Some((magic, length)) = skippable(self.input.fill(SKIPPABLE)) {
            let is_first = self.input.offset() == 0;
            self.input.advance(SKIPPABLE);
            if is_first && magic == DICTIONARY_MAGIC {
                self.read_dictionary(length)?;
            } else {
                self.input.skip(length as u64);
            }
        }
        let start = self.input.offset();
        if self.input.fill(MAGIC.len()).is_empty() {
            return match self.input.take_failure() {
                Some(failure) => Err(failure),
                None => Ok(false),
            };
        }
        self.frames.push(MemberStart {
            content: self.returned,
            stored: start,
        });
        if let Some((id, size)) = self.dictionary {
            self.copied += size;
            let most = start.saturating_mul(COPIED_PER_BYTE).saturating_add(COPIED);
            if self.copied > most {
                self.is_over = true;
                let reason = "its dictionary is too large for so many frames: the rest is not read";
                return Err(io::Error::other(reason));
            }
            let started = self.decoder.reset(Bytes(&mut self.input));
            started.map_err(|error| self.corrupt(start, &error))?;
            // Frames must name the dictionary, but some writers omit that.
            let forced = self.decoder.force_dict(id);
            forced.map_err(|error| self.corrupt(start, &error))?;
        } else {
            let started = self.decoder.reset(Bytes(&mut self.input));
            started.map_err(|error| self.corrupt(start, &error))?;
        }
        self.is_in_frame = true;
        self.start = start;
        Ok(true)
    }

    /// Reads the dictionary, which may itself be compressed.
    fn read_dictionary(&mut self, length: usize) -> io::Result<()> {
        let refused = |reason: String| io::Error::other(format!("its dictionary {reason}"));
        let too_large = || refused(format!("is larger than {DICTIONARY} bytes and is not read"));
        if length > DICTIONARY {
            self.is_over = true;
            return Err(too_large());
        }
        let stored = self.input.fill(length);
        let stored = stored.get(..length).map(<[u8]>::to_vec);
        self.input.advance(length);
        let stored = stored.ok_or_else(|| refused("is cut off".to_owned()))?;
        let raw = if stored.starts_with(MAGIC) {
            let mut raw = Vec::new();
            let mut decoder = FrameDecoder::new();
            decoder.set_max_window_size(DICTIONARY as u64);
            let mut packed = &stored[..];
            let unpacked = decoder.reset(&mut packed).and_then(|()| {
                while !decoder.is_finished() && raw.len() <= DICTIONARY {
                    let strategy = BlockDecodingStrategy::UptoBlocks(1);
                    decoder.decode_blocks(&mut packed, strategy)?;
                    raw.extend(decoder.collect().unwrap_or_default());
                }
                Ok(())
            });
            unpacked.map_err(|error| refused(format!("is corrupt: {error}")))?;
            raw
        } else {
            stored
        };
        if raw.len() > DICTIONARY {
            self.is_over = true;
            return Err(too_large());
        }
        let size = raw.len() as u64;
        let dictionary = Dictionary::decode_dict(&raw);
        let dictionary = dictionary.map_err(|error| refused(format!("is corrupt: {error}")))?;
        let id = dictionary.id;
        let added = self.decoder.add_dict(dictionary);
        added.map_err(|error| refused(format!("is corrupt: {error}")))?;
        self.dictionary = Some((id, size));
        Ok(())
    }

    /// Searches for the next frame.
    fn find(&mut self) {
        self.lost = false;
        loop {
            let bytes = self.input.fill(CHUNK);
            if let Some(at) = memmem::find(bytes, MAGIC) {
                return self.input.advance(at);
            }
            let skipped = bytes.len().saturating_sub(MAGIC.len() - 1);
            if self.input.is_at_end() {
                let all = self.input.rest(0).len();
                return self.input.advance(all);
            }
            self.input.advance(skipped);
        }
    }

    fn corrupt(&mut self, start: u64, error: &dyn std::fmt::Display) -> io::Error {
        self.is_in_frame = false;
        self.lost = true;
        let reason = format!("the zstd frame at byte {start} is corrupt: {error}");
        io::Error::new(ErrorKind::InvalidData, reason)
    }
}

impl<R: Read> Read for Unzstd<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if buffer.is_empty() || self.is_over {
            return Ok(0);
        }
        loop {
            if !self.is_in_frame && !self.begin()? {
                return Ok(0);
            }
            let read = self.decoder.read(buffer)?;
            self.returned += read as u64;
            if read > 0 {
                return Ok(read);
            }
            if self.decoder.is_finished() {
                self.is_in_frame = false;
                if !matches_checksum(&self.decoder) {
                    let (unit, start) = ("zstd frame", self.start);
                    let failed = FailedChecksum { unit, start };
                    self.facts.add_failed_checksum(failed);
                }
                continue;
            }
            let start = self.input.offset();
            let strategy = BlockDecodingStrategy::UptoBlocks(1);
            let decoded = self.decoder.decode_blocks(Bytes(&mut self.input), strategy);
            decoded.map_err(|error| self.corrupt(start, &error))?;
            self.facts.read_to(self.input.offset());
        }
    }
}

/// Whether the content of a decoded frame, which has been read out of the decoder, matches its
/// checksum, if the frame has one (RFC 8878 §3.1.1).
pub(crate) fn matches_checksum(decoder: &FrameDecoder) -> bool {
    let stored = decoder.get_checksum_from_data();
    stored.is_none() || stored == decoder.get_calculated_checksum()
}

/// Reads the bytes of a window.
struct Bytes<'w, R>(&'w mut Window<R>);

impl<R: Read> Read for Bytes<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let bytes = self.0.fill(buffer.len());
        let length = bytes.len().min(buffer.len());
        buffer[..length].copy_from_slice(&bytes[..length]);
        self.0.advance(length);
        Ok(length)
    }
}
