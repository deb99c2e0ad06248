//! Decompresses gzip (RFC 1952) streams, member by member.
//!
//! A damaged member costs only that member: reading fails once, and then continues with the next
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

/// Inflating a truncated member runs on into the next one until the data makes no sense: this many
/// bytes are kept, to find the beginning of the next member in them.
const KEPT: usize = 64 * 1024;

/// The size in bytes of CRC32 and of ISIZE, which follow the content of a member (RFC 1952 §2.3.1).
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
    /// The next member must be searched for: the current position is not in one.
    lost: bool,
    /// The number of members begun.
    begun: u64,
    /// How many bytes have been returned.
    given: u64,
    members: Option<MemberIndex>,
    facts: StreamFacts,
}

/// Facts about a stream of members, as far as it has been read, shared between clones.
#[derive(Clone, Debug, Default)]
pub(crate) struct StreamFacts(Arc<Mutex<Facts>>);

/// See [`StreamFacts`].
#[derive(Debug, Default)]
struct Facts {
    /// How many bytes of the stream have been read.
    stored: u64,
    /// The offsets of members whose content does not match their checksum.
    failed_checksums: Vec<u64>,
}

impl StreamFacts {
    /// How many compressed bytes of the stream have been read.
    pub fn stored(&self) -> u64 {
        self.lock().stored
    }

    /// Notes that the stream has been read up to an offset.
    #[cfg(feature = "archives")]
    pub fn read_to(&self, offset: u64) {
        self.lock().stored = offset;
    }

    /// The offsets of members read so far whose content does not match the stored checksum or
    /// length. Each is returned once.
    pub fn take_failed_checksums(&self) -> Vec<u64> {
        std::mem::take(&mut self.lock().failed_checksums)
    }

    fn lock(&self) -> MutexGuard<'_, Facts> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Where the members of a stream begin: written by the decompressor, read by the consumer of its
/// output.
#[derive(Clone, Debug, Default)]
pub(crate) struct MemberIndex(Arc<Mutex<VecDeque<MemberStart>>>);

/// Where a member begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct MemberStart {
    /// In the decompressed stream.
    pub content: u64,
    /// In the compressed stream.
    pub stored: u64,
}

impl MemberIndex {
    /// The member that holds the offset `content`, which must not decrease from call to call.
    pub fn at(&self, content: u64) -> Option<MemberStart> {
        let mut starts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        while starts.get(1).is_some_and(|next| next.content <= content) {
            starts.pop_front();
        }
        starts.front().copied()
    }

    pub(crate) fn push(&self, start: MemberStart) {
        let mut starts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // An empty member contains no offset that could be asked for.
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
    /// How many of its bytes in the window have been inflated.
    inflated: usize,
    /// Whether damage has been met.
    has_failed: bool,
}

impl<R: Read> Gunzip<R> {
    /// Decompresses `input`.
    pub fn new(input: Window<R>) -> Self {
        Self {
            input,
            member: None,
            lost: false,
            begun: 0,
            given: 0,
            members: None,
            facts: StreamFacts::default(),
        }
    }

    /// The facts about the stream.
    pub fn facts(&self) -> StreamFacts {
        self.facts.clone()
    }

    /// Records where the members begin.
    pub fn with_index(self, members: MemberIndex) -> Self {
        Self {
            members: Some(members),
            ..self
        }
    }

    /// Begins the next member; `false` if there is none.
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
                self.begun += 1;
                // Without another clone nobody will ask.
                self.members
                    .take_if(|members| Arc::strong_count(&members.0) == 1);
                if let Some(members) = &self.members {
                    members.push(MemberStart {
                        content: self.given,
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
                let passed = rest.len().saturating_sub(MAGIC.len() - 1).max(1);
                let length = next.map_or(passed, |at| at + 1);
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

    /// Whether a member can end at `end`: at the end of the stream, or before padding or another
    /// member.
    fn ends_at(&mut self, end: usize) -> bool {
        self.input.fill(end + PROBED);
        let rest = self.input.rest(end);
        self.input.rest(0).len() >= end && (matches!(rest, [] | [0, ..]) || is_member(rest))
    }

    /// Abandons a member; the search for the next one starts at the first place where it can begin.
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

/// A note on a member whose content does not match its stored checksum.
pub(crate) fn checksum_note(start: u64) -> Note {
    Note {
        code: NoteCode::Checksum,
        detail: format!("the gzip member at byte {start} does not match its stored checksum"),
        line: None,
    }
}

impl<R> Gunzip<R> {
    /// How many bytes of the input have been inflated.
    fn inflated(&self) -> u64 {
        self.member
            .as_ref()
            .map_or(0, |member| member.inflated as u64)
    }
}

/// How many bytes of the trailer are left for a member that only fails a check; `None` if it is
/// damaged.
fn trailer_behind(error: &DecompressError) -> Option<usize> {
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
                    if member.inflated > 2 * KEPT {
                        self.input.advance(member.inflated - KEPT);
                        member.inflated = KEPT;
                    }
                }
                Err(error) => {
                    let (inflated, trailer) = (member.inflated, trailer_behind(&error));
                    let first_time = !std::mem::replace(&mut member.has_failed, true);
                    let end = trailer.map(|trailer| inflated + trailer);
                    let Some(end) = end.filter(|&end| self.ends_at(end)) else {
                        if produced > 0 && first_time {
                            // What comes before it is given first.
                            self.given += produced as u64;
                            return Ok(produced);
                        }
                        return Err(self.lose(start, &error.to_string()));
                    };
                    self.input.advance(end);
                    self.member = None;
                    self.facts.lock().failed_checksums.push(start);
                }
            }
            self.given += produced as u64;
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

/// Whether bytes begin a member, judging by its first bytes.
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
    // Whatever precedes damage is content.
    let _ = inflate.decompress(bytes, &mut content, FlushDecompress::None);
    content.truncate(to_usize(inflate.total_out()));
    Some(content)
}

/// The amount inflated in one step fits in memory.
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

    /// The bytes read, and the failures on the way, each with how much was read before it.
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
    fn a_corrupt_member_costs_that_member_alone() {
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
    fn what_comes_before_damage_is_given_however_much_is_asked_for() {
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
    fn a_wrong_checksum_or_length_costs_nothing_and_is_noted() {
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
                assert_eq!(stream.facts().take_failed_checksums(), [0], "{at_trailer}");
                assert!(stream.facts().take_failed_checksums().is_empty());
            }
        }
    }

    #[test]
    fn a_member_that_is_cut_off_does_not_take_the_next_one_with_it() {
        let (first, second) = (gzip(text(1).as_bytes()), gzip(text(2).as_bytes()));
        for left in [10, 100, first.len() / 2, first.len() - 9, first.len() - 1] {
            let bytes = [&first[..left], &second].concat();
            let (all, failures) = read(&bytes);
            assert!(all.ends_with(&text(2)), "{left}");
            assert_eq!(failures.len(), 1, "{left}: {failures:?}");
        }
    }

    #[test]
    fn the_last_member_can_be_cut_off_anywhere() {
        let whole = gzip(text(1).as_bytes());
        for length in (3..40).chain((40..whole.len()).step_by(101)) {
            let (all, failures) = read(&whole[..length]);
            assert!(text(1).starts_with(&all));
            let cut = "the gzip member at byte 0 is cut off".to_owned();
            assert_eq!(failures, [(all.len(), cut)]);
        }
    }

    #[test]
    fn what_belongs_to_no_member_is_told_once() {
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
