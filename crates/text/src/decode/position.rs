//! Maps offsets in a decoded text to the document as stored, and to line and column.

use std::num::NonZeroU32;
use std::ops::Range;

use baseref_simd::Bytes32;
use encoding_rs::{Decoder, DecoderResult, Encoding, ISO_2022_JP, UTF_16BE, UTF_16LE};
use memchr::memchr_iter;

use baseref_document::Position;

/// The greatest distance in bytes of text between two checkpoints. A query rereads at most twice that,
/// so all queries together, in any order, are linear in their number and the length of the text.
const STRIDE: usize = 4096;

/// Maps offsets in a decoded text back to the bytes it was decoded from.
#[derive(Clone, Copy, Debug)]
pub struct Offsets<'s> {
    /// The document as stored.
    bytes: &'s [u8],
    /// The length of its byte order mark.
    mark: usize,
    unit: Unit,
}

/// How text corresponds to bytes.
#[derive(Clone, Copy, Debug)]
enum Unit {
    /// The text is the bytes.
    Byte,
    /// One scalar value per byte.
    Scalar,
    /// Two bytes per UTF-16 code unit; a U+FFFD for a lone surrogate is one unit, too.
    Utf16,
    /// Only the decoder knows.
    Decoded(&'static Encoding),
}

impl<'s> Offsets<'s> {
    /// For a text that is the bytes after a byte order mark of that length.
    #[must_use]
    pub fn same(bytes: &'s [u8], mark: usize) -> Self {
        let unit = Unit::Byte;
        Self { bytes, mark, unit }
    }

    /// For a text decoded from the bytes after a byte order mark of that length.
    #[must_use]
    pub fn transcoded(bytes: &'s [u8], mark: usize, encoding: &'static Encoding) -> Self {
        let unit = if encoding.is_single_byte() {
            Unit::Scalar
        } else if encoding == UTF_16LE || encoding == UTF_16BE {
            Unit::Utf16
        } else {
            Unit::Decoded(encoding)
        };
        Self { bytes, mark, unit }
    }
}

/// Finds the positions of values. Cheapest if asked in text order.
#[derive(Clone, Debug)]
pub struct Positions<'d> {
    text: &'d str,
    offsets: Offsets<'d>,
    /// Whether it contains a CR without LF after it; `None` until the first query.
    has_lone_returns: Option<bool>,
    /// Where the last query was.
    last: Checkpoint,
    /// Where to continue from for a query before the last one, in text order; the first is the start.
    kept: Vec<Checkpoint>,
}

/// A position between two characters, with everything needed to continue from there.
#[derive(Clone, Copy, Debug)]
struct Checkpoint {
    /// The offset in the text.
    decoded: usize,
    /// The offset in the document as stored.
    stored: usize,
    /// In ISO-2022-JP: the state selected by the escape sequences before it.
    shift: Shift,
    /// The line, 1-based.
    line: NonZeroU32,
    /// Scalar values before it on the line.
    column: u32,
}

impl<'d> Positions<'d> {
    /// For a text and the document it was decoded from.
    #[must_use]
    pub fn new(text: &'d str, offsets: Offsets<'d>) -> Self {
        let start = Checkpoint {
            decoded: 0,
            stored: offsets.mark,
            shift: Shift::Ascii,
            line: NonZeroU32::MIN,
            column: 0,
        };
        Self {
            text,
            offsets,
            has_lone_returns: None,
            last: start,
            kept: vec![start],
        }
    }

    /// For a text that is itself the document.
    #[must_use]
    pub fn from_text(text: &'d str) -> Self {
        Self::new(text, Offsets::same(text.as_bytes(), 0))
    }

    /// The position of a value, given its byte range in the text.
    ///
    /// The stored bytes in the range, decoded on their own, give the value, except in two cases
    /// that no range can express: in ISO-2022-JP a value in the shift state JIS X 0201 Roman that
    /// was switched to before it, and in GB18030 a value that ends with a malformed sequence.
    pub fn locate(&mut self, value: Range<usize>) -> Position {
        let start = self.seek(value.start);
        let (end, _) = self.stored(start, self.text.floor_char_boundary(value.end));
        Position::new(
            start.line,
            NonZeroU32::MIN.saturating_add(start.column),
            start.stored as u64..end as u64,
        )
    }

    /// The line of an offset in the text, 1-based.
    pub fn line(&mut self, offset: usize) -> NonZeroU32 {
        self.seek(offset).line
    }

    #[inline]
    fn seek(&mut self, offset: usize) -> Checkpoint {
        let target = self.text.floor_char_boundary(offset);
        let from = match target.checked_sub(self.last.decoded) {
            Some(distance) if distance <= STRIDE && self.has_lone_returns.is_some() => self.last,
            _ => self.approach(target),
        };
        let place = self.advance(from, target);
        self.keep(place);
        self.last = place;
        place
    }

    /// A checkpoint less than a stride before a target.
    #[inline(never)]
    fn approach(&mut self, target: usize) -> Checkpoint {
        let text = self.text.as_bytes();
        self.has_lone_returns.get_or_insert_with(|| {
            let is_lone = |at: usize| text.get(at + 1) != Some(&b'\n');
            memchr_iter(b'\r', text).any(is_lone)
        });
        let mut place = self.nearest(target);
        while target - place.decoded > STRIDE {
            place = self.advance(place, self.text.floor_char_boundary(place.decoded + STRIDE));
            self.keep(place);
        }
        place
    }

    /// The last checkpoint at or before an offset.
    fn nearest(&self, target: usize) -> Checkpoint {
        let known = |place: Checkpoint| place.decoded <= target;
        let before = self.kept.partition_point(|&place| known(place));
        let kept = self.kept[before.saturating_sub(1)];
        if known(self.last) && self.last.decoded > kept.decoded {
            self.last
        } else {
            kept
        }
    }

    #[inline]
    fn keep(&mut self, place: Checkpoint) {
        let is_due = |last: &Checkpoint| place.decoded >= last.decoded + STRIDE;
        if self.kept.last().is_some_and(is_due) {
            self.kept.push(place);
        }
    }

    #[inline]
    fn advance(&self, from: Checkpoint, target: usize) -> Checkpoint {
        let (stored, shift) = self.stored(from, target);
        let (text, range) = (self.text.as_bytes(), from.decoded..target);
        let passed = if self.has_lone_returns == Some(false) {
            Advance::from_lines(text, range)
        } else {
            Advance::from_any(text, range)
        };
        let column = if passed.breaks == 0 { from.column } else { 0 };
        Checkpoint {
            decoded: target,
            stored,
            shift,
            line: from.line.saturating_add(count(passed.breaks)),
            column: column.saturating_add(count(passed.scalars)),
        }
    }

    /// The stored offset for an offset in the text at or after a checkpoint, and the shift state
    /// there.
    #[inline]
    fn stored(&self, from: Checkpoint, target: usize) -> (usize, Shift) {
        let passed = from.decoded..target.max(from.decoded);
        if matches!(self.offsets.unit, Unit::Byte) {
            return (from.stored + passed.len(), from.shift);
        }
        self.stored_before_decoding(from, passed)
    }

    /// [`Self::stored`] for a text that is not the bytes themselves.
    #[inline(never)]
    fn stored_before_decoding(&self, from: Checkpoint, passed: Range<usize>) -> (usize, Shift) {
        let Offsets { bytes, unit, .. } = self.offsets;
        let target = passed.end;
        let stored = match unit {
            Unit::Byte => from.stored + passed.len(),
            // A malformed sequence at the end can have more bytes than one U+FFFD stands for
            // elsewhere.
            _ if target >= self.text.len() => bytes.len(),
            Unit::Scalar => from.stored + scalars(self.text, passed),
            Unit::Utf16 => from.stored + 2 * utf_16_units(self.text, passed),
            Unit::Decoded(encoding) => {
                let mut redecoding = Redecoding::resume(encoding, bytes, from);
                redecoding.run_to(target);
                return (redecoding.read, redecoding.shift);
            }
        };
        (stored, from.shift)
    }
}

fn count(counted: usize) -> u32 {
    u32::try_from(counted).unwrap_or(u32::MAX)
}

fn scalars(text: &str, range: Range<usize>) -> usize {
    text.get(range).map_or(0, |text| text.chars().count())
}

fn utf_16_units(text: &str, range: Range<usize>) -> usize {
    let text = text.get(range).unwrap_or_default();
    // A lead byte of 0xF0 or more begins four bytes, which are two units.
    let pairs = text.bytes().filter(|&byte| byte >= 0xF0).count();
    text.chars().count() + pairs
}

/// Line ends and scalar values between two offsets of a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Advance {
    /// The number of line ends: LF, CR and CRLF each end a line, at their last byte.
    breaks: usize,
    /// The number of scalar values after the last of these, or in all if there is none.
    scalars: usize,
}

impl Advance {
    /// For a text in which every CR is part of a CRLF, up to [`STRIDE`] bytes of it.
    #[inline]
    fn from_lines(text: &[u8], range: Range<usize>) -> Self {
        let breaks = matches(text, range.clone(), |window| {
            window.eq(Bytes32::splat(b'\n'))
        });
        let scalars = match breaks {
            0 => range.len() - matches(text, range, going_on),
            _ => after_last_line_feed(text, range.end),
        };
        Self { breaks, scalars }
    }

    /// For any kind of line end.
    fn from_any(text: &[u8], range: Range<usize>) -> Self {
        let mut passed = Self::default();
        let mut at = range.start;
        while at < range.end {
            let length = Bytes32::LEN.min(range.end - at);
            passed.add(text, at, u32::MAX >> (Bytes32::LEN - length));
            at += length;
        }
        passed
    }

    /// Goes past the line ends from `at` on, one for each set bit.
    #[inline]
    fn add(&mut self, text: &[u8], at: usize, counted: u32) {
        let window = Bytes32::at(text, at);
        let is = |byte| window.eq(Bytes32::splat(byte)).bits();
        let line_feeds = is(b'\n');
        let is_followed = text.get(at + Bytes32::LEN) == Some(&b'\n');
        let before_line_feed = line_feeds >> 1 | u32::from(is_followed) << (Bytes32::LEN - 1);
        let breaks = (line_feeds | is(b'\r') & !before_line_feed) & counted;
        let begins = !going_on(window).bits() & counted;
        if breaks == 0 {
            self.scalars += begins.count_ones() as usize;
            return;
        }
        self.breaks += breaks.count_ones() as usize;
        let up_to_last = u32::MAX >> breaks.leading_zeros();
        self.scalars = (begins & !up_to_last).count_ones() as usize;
    }
}

/// Marks continuation bytes: 0x80 to 0xBF.
#[inline]
fn going_on(window: Bytes32) -> Bytes32 {
    let shifted = window ^ Bytes32::splat(0x80);
    shifted.min(Bytes32::splat(0x3F)).eq(shifted)
}

/// The number of bytes in a range that `is` marks with all bits set.
#[inline]
fn matches(text: &[u8], range: Range<usize>, is: impl Fn(Bytes32) -> Bytes32) -> usize {
    // This many windows cannot overflow a counter.
    const { assert!(STRIDE <= Bytes32::LEN * 255) };
    debug_assert!(range.len() <= STRIDE);
    let (windows, rest) = text[range.clone()].as_chunks();
    let last = Bytes32::at(text, range.end - rest.len());
    // A marked lane is 255, that is −1.
    let mut counters = Bytes32::splat(0) - (is(last) & first_lanes(rest.len()));
    for window in windows {
        counters -= is(Bytes32::new(*window));
    }
    counters.sum() as usize
}

/// All bits of the first lanes set.
#[inline]
fn first_lanes(number: usize) -> Bytes32 {
    static SET: [u8; 2 * Bytes32::LEN] = {
        let mut set = [0; 2 * Bytes32::LEN];
        let mut lane = 0;
        while lane < Bytes32::LEN {
            set[lane] = u8::MAX;
            lane += 1;
        }
        set
    };
    Bytes32::at(&SET, Bytes32::LEN - number.min(Bytes32::LEN))
}

/// The number of scalar values between the last LF before `end` and `end`.
#[inline]
fn after_last_line_feed(text: &[u8], mut end: usize) -> usize {
    let mut scalars = 0;
    // Most lines are short.
    while end > 0 {
        let start = end.saturating_sub(Bytes32::LEN);
        let window = Bytes32::at(text, start);
        let counted = u32::MAX >> (Bytes32::LEN - (end - start));
        let line_feeds = window.eq(Bytes32::splat(b'\n')).bits() & counted;
        let length = line_feeds.leading_zeros();
        let after = u32::MAX.checked_shl(u32::BITS - length).unwrap_or(0) & counted;
        scalars += if window.bits() & after == 0 {
            // All of these are ASCII.
            end - start + length as usize - Bytes32::LEN
        } else {
            (!going_on(window).bits() & after).count_ones() as usize
        };
        if line_feeds != 0 {
            break;
        }
        end = start;
    }
    scalars
}

/// Decodes again to find the byte after which an offset in the text is reached.
struct Redecoding<'s> {
    encoding: &'static Encoding,
    bytes: &'s [u8],
    decoder: Decoder,
    /// How many bytes have been consumed for what is written.
    read: usize,
    /// How many bytes of text have been written.
    written: usize,
    /// The shift state at `read`, once [`Self::follow_shifts`] has run.
    shift: Shift,
    /// How far `shift` has been followed.
    followed: usize,
}

/// More than the decoder writes for one byte, and more than the room it needs to proceed.
const MARGIN: usize = 8;

impl<'s> Redecoding<'s> {
    fn resume(encoding: &'static Encoding, bytes: &'s [u8], from: Checkpoint) -> Self {
        Self {
            encoding,
            bytes,
            decoder: decoder_at(encoding, bytes, from.stored, from.shift),
            read: from.stored,
            written: from.decoded,
            shift: from.shift,
            followed: from.stored,
        }
    }

    /// Decodes until `target` bytes of text are written, reading no byte more: an escape sequence
    /// before the next character stays unread.
    fn run_to(&mut self, target: usize) {
        let mut scratch = [0; 1024];
        // In bulk while the target cannot be passed, then byte by byte.
        while target.saturating_sub(self.written) > 2 * MARGIN && self.read < self.bytes.len() {
            let room = (target - self.written - MARGIN).min(scratch.len());
            self.step(self.bytes.len(), &mut scratch[..room], false);
        }
        while self.written < target {
            let is_last = self.read == self.bytes.len();
            let went_on = self.step(self.read + 1, &mut scratch, is_last);
            if is_last && !went_on {
                break;
            }
        }
        self.follow_shifts();
    }

    /// Decodes what it can of the bytes up to `end`; returns whether to call it again.
    fn step(&mut self, end: usize, scratch: &mut [u8], is_last: bool) -> bool {
        let source = &self.bytes[self.read..end.min(self.bytes.len())];
        let (result, read, written) = self
            .decoder
            .decode_to_utf8_without_replacement(source, scratch, is_last);
        self.read += read;
        self.written += written;
        match result {
            DecoderResult::InputEmpty => false,
            DecoderResult::OutputFull => true,
            DecoderResult::Malformed(_, after) => {
                self.written += char::REPLACEMENT_CHARACTER.len_utf8();
                let again = self.read - usize::from(after)..self.read;
                // The second of two escape sequences in a row makes the first an error.
                if !again.is_empty() && Shift::from_escape(&self.bytes[again.clone()]).is_none() {
                    // The decoder reads these bytes again: to see where each of them ends, they are
                    // given to a new decoder.
                    self.read = again.start;
                    self.follow_shifts();
                    self.decoder = decoder_at(self.encoding, self.bytes, self.read, self.shift);
                }
                true
            }
        }
    }

    fn follow_shifts(&mut self) {
        if self.encoding != ISO_2022_JP {
            return;
        }
        let passed = &self.bytes[self.followed..self.read];
        for escape in memchr_iter(0x1B, passed) {
            if let Some(shift) = passed.get(escape..escape + 3).and_then(Shift::from_escape) {
                self.shift = shift;
            }
        }
        self.followed = self.read;
    }
}

/// The states of ISO-2022-JP.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shift {
    Ascii,
    Roman,
    Katakana,
    Jis0208,
}

impl Shift {
    /// Encoding "ISO-2022-JP decoder", escape state.
    fn from_escape(sequence: &[u8]) -> Option<Self> {
        match sequence {
            b"\x1B(B" => Some(Self::Ascii),
            b"\x1B(J" => Some(Self::Roman),
            b"\x1B(I" => Some(Self::Katakana),
            b"\x1B$@" | b"\x1B$B" => Some(Self::Jis0208),
            _ => None,
        }
    }

    /// The escape sequence and a character after it: without the character, a second escape
    /// sequence would be an error.
    fn primer(self) -> &'static [u8] {
        match self {
            Self::Ascii => b"",
            Self::Roman => b"\x1B(Ja",
            Self::Katakana => b"\x1B(I!",
            Self::Jis0208 => b"\x1B$B!!",
        }
    }
}

/// A decoder positioned at an offset, in that shift state.
fn decoder_at(encoding: &'static Encoding, bytes: &[u8], offset: usize, shift: Shift) -> Decoder {
    let mut decoder = encoding.new_decoder_without_bom_handling();
    if encoding == ISO_2022_JP {
        let before = &bytes[offset.saturating_sub(3)..offset];
        let is_after_escape = Shift::from_escape(before).is_some();
        let primer = if is_after_escape {
            before
        } else {
            shift.primer()
        };
        // The primer is well-formed, and its one character has room.
        let _ = decoder.decode_to_utf8_without_replacement(primer, &mut [0; 16], false);
    }
    decoder
}

#[cfg(test)]
mod tests;
