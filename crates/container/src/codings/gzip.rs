//! Decompresses gzip streams (RFC 1952) member by member.
//!
//! Damage loses only the member that it is in: reading fails once, then continues with the next
//! member that can be found.

use std::collections::VecDeque;
use std::io::{self, ErrorKind, Read};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use flate2::{Decompress, DecompressError, FlushDecompress, Status};
use memchr::memmem;

use crate::input::window::Window;
use baseref_document::{Note, NoteCode};

/// The beginning of a member: ID1, ID2, and the only compression method (RFC 1952 §2.3.1).
pub(crate) const MAGIC: &[u8] = b"\x1F\x8B\x08";

/// The flags defined by RFC 1952 §2.3.1; all others must be zero.
const FLAGS: u8 = 0b1_1111;

/// Inflating a truncated member runs on into the next one until the data is invalid. This many
/// bytes are kept to find the beginning of the next member in them.
const LOOKBACK: usize = 64 * 1024;

/// The size in bytes of each of CRC32 and ISIZE, which follow the content of a member (RFC 1952
/// §2.3.1).
const CHECK: usize = 4;

/// How much of a possible member is inflated to check that it is one.
const PROBED: usize = 512;

/// The decompressed content of a stream of members.
///
/// Reading fails with [`ErrorKind::InvalidData`] where a member is corrupt, and then continues with
/// the next one; it fails with [`ErrorKind::UnexpectedEof`] where the last one is truncated. Zero
/// bytes after a member are padding.
pub(crate) struct Gunzip<R> {
    input: Window<R>,
    member: Option<Member>,
    /// Whether the next member must be searched for, because the current position is in none.
    lost: bool,
    /// The number of members started.
    started: u64,
    /// The number of bytes returned so far.
    returned: u64,
    members: Option<MemberIndex>,
    facts: StreamFacts,
}

/// What is known about a stream of members from the part read so far; clones share it.
#[derive(Clone, Debug, Default)]
pub(crate) struct StreamFacts(Arc<Mutex<Facts>>);

/// The data shared by clones of [`StreamFacts`].
#[derive(Debug, Default)]
struct Facts {
    /// The number of compressed bytes read so far.
    stored: u64,
    /// The members whose content does not match their checksum.
    failed_checksums: Vec<FailedChecksum>,
}

/// A member of gzip or a frame of zstd whose content does not match its stored checksum or length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FailedChecksum {
    /// What it is a member of: `gzip member`, `zstd frame`.
    pub unit: &'static str,
    /// The offset at which it begins.
    pub start: u64,
}

impl FailedChecksum {
    /// The note on it.
    pub fn note(self) -> Note {
        let Self { unit, start } = self;
        Note::new(
            NoteCode::Checksum,
            format!("the {unit} at byte {start} does not match its stored checksum"),
        )
    }
}

impl StreamFacts {
    /// The number of compressed bytes read so far.
    pub fn stored(&self) -> u64 {
        self.lock().stored
    }

    /// Records that the stream has been read up to an offset.
    #[cfg(feature = "archives")]
    pub fn read_to(&self, offset: u64) {
        self.lock().stored = offset;
    }

    /// Takes the members read so far whose content does not match the stored checksum or length.
    pub fn take_failed_checksums(&self) -> Vec<FailedChecksum> {
        std::mem::take(&mut self.lock().failed_checksums)
    }

    /// Adds a member whose content does not match the stored checksum or length.
    pub fn add_failed_checksum(&self, failed: FailedChecksum) {
        self.lock().failed_checksums.push(failed);
    }

    fn lock(&self) -> MutexGuard<'_, Facts> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// An index of where the members of a stream begin. The decompressor writes it, and the consumer of
/// its output reads it.
#[derive(Clone, Debug, Default)]
pub(crate) struct MemberIndex(Arc<Mutex<VecDeque<MemberStart>>>);

/// The offset at which a member begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct MemberStart {
    /// In the decompressed stream.
    pub content: u64,
    /// In the compressed stream.
    pub stored: u64,
}

impl MemberIndex {
    /// Returns the member that contains the offset `content`, which must not decrease from call to
    /// call.
    pub fn at(&self, content: u64) -> Option<MemberStart> {
        let mut starts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        while starts.get(1).is_some_and(|next| next.content <= content) {
            starts.pop_front();
        }
        starts.front().copied()
    }

    pub(crate) fn push(&self, start: MemberStart) {
        let mut starts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // An empty member contains no offset.
        if starts
            .back()
            .is_some_and(|last| last.content == start.content)
        {
            starts.pop_back();
        }
        starts.push_back(start);
    }
}

/// The current member.
struct Member {
    inflate: Decompress,
    /// The offset at which it begins.
    start: u64,
    /// The number of its bytes in the window that have been inflated.
    inflated: usize,
    /// Whether damage has been found in it.
    has_failed: bool,
}

impl<R: Read> Gunzip<R> {
    /// Decompresses `input`.
    pub fn new(input: Window<R>) -> Self {
        Self {
            input,
            member: None,
            lost: false,
            started: 0,
            returned: 0,
            members: None,
            facts: StreamFacts::default(),
        }
    }

    /// The facts about the stream.
    pub fn facts(&self) -> StreamFacts {
        self.facts.clone()
    }

    /// Adds the beginning of each member to an index.
    pub fn with_index(self, members: MemberIndex) -> Self {
        Self {
            members: Some(members),
            ..self
        }
    }

    /// Starts the next member; `false` if there is none.
    fn begin(&mut self) -> io::Result<bool> {
        loop {
            let rest = self.input.fill(PROBED);
            if rest.is_empty() {
                return match self.input.take_failure() {
                    Some(failure) => Err(failure),
                    None => Ok(false),
                };
            }
            if rest.starts_with(MAGIC) && (!self.lost || is_member(rest)) {
                self.lost = false;
                self.started += 1;
                // Without another clone, nothing can read the index.
                self.members
                    .take_if(|members| Arc::strong_count(&members.0) == 1);
                if let Some(members) = &self.members {
                    members.push(MemberStart {
                        content: self.returned,
                        stored: self.input.offset(),
                    });
                }
                self.member = Some(Member {
                    inflate: inflater(),
                    start: self.input.offset(),
                    inflated: 0,
                    has_failed: false,
                });
                return Ok(true);
            }
            if self.lost {
                let next = memmem::find(rest.get(1..).unwrap_or_default(), MAGIC);
                // The magic may straddle the end of the window.
                let skipped = rest.len().saturating_sub(MAGIC.len() - 1).max(1);
                let length = next.map_or(skipped, |at| at + 1);
                self.input.advance(length);
                continue;
            }
            let zeros = rest.iter().take_while(|&&byte| byte == 0).count();
            if zeros > 0 {
                self.input.advance(zeros);
                continue;
            }
            self.lost = true;
            let reason = format!("no gzip member begins at byte {}", self.input.offset());
            return Err(io::Error::new(ErrorKind::InvalidData, reason));
        }
    }

    /// Whether a member can end at `end`, because the stream ends there, or padding or another
    /// member follows.
    fn ends_at(&mut self, end: usize) -> bool {
        self.input.fill(end + PROBED);
        let rest = self.input.rest(end);
        self.input.rest(0).len() >= end && (matches!(rest, [] | [0, ..]) || is_member(rest))
    }

    /// Abandons a damaged member. The search for the next one starts at the first offset at which
    /// it can begin.
    fn lose(&mut self, start: u64, reason: &str) -> io::Error {
        self.member = None;
        self.lost = true;
        if self.input.offset() == start {
            self.input.advance(1);
        }
        let reason = format!("the gzip member at byte {start} is corrupt: {reason}");
        io::Error::new(ErrorKind::InvalidData, reason)
    }
}

impl<R> Gunzip<R> {
    /// The number of bytes of the current member in the window that have been inflated.
    fn inflated(&self) -> u64 {
        self.member
            .as_ref()
            .map_or(0, |member| member.inflated as u64)
    }
}

/// The number of trailer bytes left after a member that only fails a check; `None` if it is
/// damaged.
fn trailer_left(error: &DecompressError) -> Option<usize> {
    match error.message()? {
        "incorrect data check" => Some(CHECK),
        "incorrect length check" => Some(0),
        _ => None,
    }
}

impl<R: Read> Read for Gunzip<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if buffer.is_empty() {
            return Ok(0);
        }
        loop {
            let Some(member) = &mut self.member else {
                if self.begin()? {
                    continue;
                }
                return Ok(0);
            };
            self.input.fill(member.inflated + 1);
            let input = self.input.rest(member.inflated);
            let ends = input.is_empty();
            let before = (member.inflate.total_in(), member.inflate.total_out());
            let result = member
                .inflate
                .decompress(input, buffer, FlushDecompress::None);
            let consumed = to_usize(member.inflate.total_in() - before.0);
            let produced = to_usize(member.inflate.total_out() - before.1);
            member.inflated += consumed;
            let start = member.start;
            match result {
                Ok(Status::StreamEnd) => {
                    self.input.advance(member.inflated);
                    self.member = None;
                }
                Ok(_) if ends && produced == 0 => {
                    self.input.advance(member.inflated);
                    self.member = None;
                    return Err(self.input.take_failure().unwrap_or_else(|| {
                        let reason = format!("the gzip member at byte {start} is cut off");
                        io::Error::new(ErrorKind::UnexpectedEof, reason)
                    }));
                }
                Ok(_) => {
                    if member.inflated > 2 * LOOKBACK {
                        self.input.advance(member.inflated - LOOKBACK);
                        member.inflated = LOOKBACK;
                    }
                }
                Err(error) => {
                    let (inflated, trailer) = (member.inflated, trailer_left(&error));
                    let first_time = !std::mem::replace(&mut member.has_failed, true);
                    let end = trailer.map(|trailer| inflated + trailer);
                    let Some(end) = end.filter(|&end| self.ends_at(end)) else {
                        if produced > 0 && first_time {
                            // The content before the damage is returned first.
                            self.returned += produced as u64;
                            return Ok(produced);
                        }
                        return Err(self.lose(start, &error.to_string()));
                    };
                    self.input.advance(end);
                    self.member = None;
                    let unit = "gzip member";
                    let failed = FailedChecksum { unit, start };
                    self.facts.add_failed_checksum(failed);
                }
            }
            self.returned += produced as u64;
            self.facts.lock().stored = self.input.offset() + self.inflated();
            if produced > 0 {
                return Ok(produced);
            }
        }
    }
}

fn inflater() -> Decompress {
    const LARGEST_WINDOW: u8 = 15;
    Decompress::new_gzip(LARGEST_WINDOW)
}

/// Whether `bytes` begin a member, judging by its first bytes.
fn is_member(bytes: &[u8]) -> bool {
    if !bytes.starts_with(MAGIC) {
        return false;
    }
    let probed = &bytes[..bytes.len().min(PROBED)];
    if probed.get(MAGIC.len()).is_none_or(|flags| *flags > FLAGS) {
        return false;
    }
    let mut discarded = [0; 8 * PROBED];
    inflater()
        .decompress(probed, &mut discarded, FlushDecompress::None)
        .is_ok()
}

/// Up to `length` bytes of the content of the member that `bytes` begin with; `None` if no member
/// begins there.
pub(crate) fn content(bytes: &[u8], length: usize) -> Option<Vec<u8>> {
    if !is_member(bytes) {
        return None;
    }
    let mut content = vec![0; length];
    let mut inflate = inflater();
    // Content before damage is valid.
    let _ = inflate.decompress(bytes, &mut content, FlushDecompress::None);
    content.truncate(to_usize(inflate.total_out()));
    Some(content)
}

/// Converts the amount inflated in one step, which fits in memory.
fn to_usize(length: u64) -> usize {
    usize::try_from(length).unwrap_or(usize::MAX)
}

#[cfg(test)]
pub(crate) mod tests {
    use std::io::Write;

    use flate2::Compression;
    use flate2::write::GzEncoder;

    use super::*;
    use crate::input::window::tests::Trickle;

    /// One member.
    pub fn gzip(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    /// The bytes read, and each failure with the number of bytes read before it.
    fn read(bytes: &[u8]) -> (String, Vec<(usize, String)>) {
        let mut stream = Gunzip::new(Window::new(Trickle(bytes, 0)));
        let (mut all, mut failures) = (Vec::new(), Vec::new());
        loop {
            match stream.read_to_end(&mut all) {
                Ok(_) => return (String::from_utf8_lossy(&all).into_owned(), failures),
                Err(error) => failures.push((all.len(), error.to_string())),
            }
        }
    }

    fn text(seed: u32) -> String {
        (0..2000_u32).fold(String::new(), |text, n| {
            text + &(n.wrapping_mul(2_654_435_761) ^ seed).to_string()
        })
    }

    #[test]
    fn members_follow_each_other() {
        let bytes = [gzip(b"one "), gzip(b""), gzip(b"two"), vec![0; 20]].concat();
        assert_eq!(read(&bytes), ("one two".to_owned(), vec![]));
        assert_eq!(read(b""), (String::new(), vec![]));
    }

    #[test]
    fn corrupt_member_loses_no_other_member() {
        let (first, second) = (gzip(text(1).as_bytes()), gzip(text(2).as_bytes()));
        for broken in [10, 11] {
            let mut bytes = [first.clone(), second.clone()].concat();
            bytes[broken] ^= 0x55;
            let (all, failures) = read(&bytes);
            assert!(all.ends_with(&text(2)), "{broken}");
            let [(_, failure)] = &failures[..] else {
                panic!("{broken}: {failures:?}");
            };
            assert!(failure.starts_with("the gzip member at byte 0 is corrupt"));
        }
    }

    #[test]
    fn content_before_damage_is_returned() {
        let (whole, intact) = (gzip(text(1).as_bytes()), text(1).len() / 3);
        let middle = whole.len() / 2;
        let mut corrupt = 0;
        for at in middle..middle + 40 {
            let mut bytes = whole.clone();
            bytes[at] ^= 0x55;
            let mut stream = Gunzip::new(Window::new(&bytes[..]));
            let mut all = vec![0; text(1).len()];
            let read = stream.read(&mut all).unwrap();
            assert!(read >= intact, "{at}: {read}");
            assert_eq!(all[..intact], text(1).as_bytes()[..intact], "{at}");
            corrupt += usize::from(stream.read(&mut all).is_err());
        }
        assert!(corrupt > 0);
    }

    #[test]
    fn wrong_checksum_or_length_is_only_noted() {
        let (first, second) = (gzip(text(1).as_bytes()), gzip(text(2).as_bytes()));
        for at_trailer in 1..=2 * CHECK {
            for after in [&second[..], b"", &[0; 20]] {
                let mut bytes = [&first, after].concat();
                bytes[first.len() - at_trailer] ^= 0x55;
                let mut stream = Gunzip::new(Window::new(Trickle(&bytes, 0)));
                let mut all = String::new();
                stream.read_to_string(&mut all).unwrap();
                let rest = if after == second {
                    text(2)
                } else {
                    String::new()
                };
                assert_eq!(all, text(1) + &rest, "{at_trailer}");
                let failed = stream.facts().take_failed_checksums();
                let starts: Vec<u64> = failed.iter().map(|failed| failed.start).collect();
                assert_eq!(starts, [0], "{at_trailer}");
                assert!(stream.facts().take_failed_checksums().is_empty());
            }
        }
    }

    #[test]
    fn truncated_member_loses_no_other_member() {
        let (first, second) = (gzip(text(1).as_bytes()), gzip(text(2).as_bytes()));
        for left in [10, 100, first.len() / 2, first.len() - 9, first.len() - 1] {
            let bytes = [&first[..left], &second].concat();
            let (all, failures) = read(&bytes);
            assert!(all.ends_with(&text(2)), "{left}");
            assert_eq!(failures.len(), 1, "{left}: {failures:?}");
        }
    }

    #[test]
    fn last_member_truncated_anywhere() {
        let whole = gzip(text(1).as_bytes());
        for length in (3..40).chain((40..whole.len()).step_by(101)) {
            let (all, failures) = read(&whole[..length]);
            assert!(text(1).starts_with(&all));
            let cut = "the gzip member at byte 0 is cut off".to_owned();
            assert_eq!(failures, [(all.len(), cut)]);
        }
    }

    #[test]
    fn bytes_outside_members_are_reported_once() {
        let junk = b"junk \x1F\x8B\x08\xFF more \x1F\x8B\x08\0\0\0\0\0\0\0\xFF\xFF\xFF junk";
        let bytes = [gzip(b"one "), junk.to_vec(), gzip(b"two")].concat();
        let (all, failures) = read(&bytes);
        assert_eq!(all, "one two");
        let at = gzip(b"one ").len();
        assert_eq!(
            failures,
            [(4, format!("no gzip member begins at byte {at}"))]
        );
    }
}
