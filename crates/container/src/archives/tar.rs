//! Reads the files in a tar (POSIX.1-1988 `ustar`, pax, GNU and V7), one after the other and as a
//! stream: nothing is unpacked, and a mailbox in a tar needs no more memory than one outside.
//!
//! Our own reader, since the iterator of the crate `tar` borrows its archive, so that it cannot be
//! kept as a [`Container`], and since it holds long names of any length in memory.

use std::io::{self, Read};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::contents::{Container, Contents, MemberContents, in_file};
use crate::detect::{Formats, OpenContext};
use crate::entity::Entity;
use crate::input::buffered::BufferedInput;
use crate::input::failure::unread;
use crate::input::window::{CHUNK, Window};
use crate::input::{Input, Reader};
use crate::member_url::declared_below;
use crate::nesting::Nesting;
use baseref_document::{Declaration, Limits, Origin, ReadError, ReadErrorKind, Skipped};

/// The size of a header, of which the size of each member is a multiple.
const BLOCK: usize = 512;

/// The maximum size of a long name or of pax records, which are held in memory.
const LONGEST_RECORDS: u64 = 64 * 1024;

/// Whether a file begins with the header of a member. Tars of V7 have no signature, but every header
/// has a checksum.
pub(crate) fn is_tar(head: &[u8]) -> bool {
    Header::read(head).is_some()
}

/// Reads a tar.
#[expect(clippy::unnecessary_wraps, reason = "other readers can fail")]
pub(crate) fn read(input: BufferedInput, ctx: &OpenContext<'_>) -> Result<Contents, ReadError> {
    Ok(Contents::from_container(Members {
        archive: Archive::new(input.window),
        input: input.name,
        declarations: input.declarations,
        limits: *ctx.limits,
        // Nothing in it is compressed by the tar itself.
        nesting: ctx.nesting.inside(u64::MAX),
        formats: ctx.formats,
        skipped: Skipped::default(),
        inside: None,
    }))
}

/// The header of a member.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Header {
    name: Vec<u8>,
    size: u64,
    kind: u8,
    /// Whether more headers of a sparse file follow.
    is_extended: bool,
}

impl Header {
    /// Reads the header that `bytes` begin with, if its checksum is right.
    fn read(bytes: &[u8]) -> Option<Self> {
        let bytes = bytes.get(..BLOCK)?;
        let stored = number(&bytes[148..156])?;
        let sum = |of: fn(u8) -> i64| -> i64 {
            let blank = of(b' ') * 8;
            let each = |range: &[u8]| range.iter().map(|byte| of(*byte)).sum::<i64>();
            each(&bytes[..148]) + blank + each(&bytes[156..])
        };
        // Some old programs added the bytes as signed ones.
        let signed = |byte: u8| i64::from(byte.cast_signed());
        let stored = i64::try_from(stored).ok()?;
        if stored != sum(i64::from) && stored != sum(signed) {
            return None;
        }
        let mut name = text(&bytes[..100]).to_vec();
        let is_ustar = &bytes[257..263] == b"ustar\0";
        let prefix = text(&bytes[345..500]);
        if is_ustar && !prefix.is_empty() {
            name = [prefix, b"/", &name].concat();
        }
        let kind = bytes[156];
        Some(Self {
            name,
            size: number(&bytes[124..136])?,
            kind,
            is_extended: kind == SPARSE && bytes[482] != 0,
        })
    }

    fn is_file(&self) -> bool {
        // V7 has no kind for folders.
        matches!(self.kind, b'0' | 0 | b'7') && !self.name.ends_with(b"/")
    }
}

/// The kinds of members that describe the next one, and of sparse files.
const LONG_NAME: u8 = b'L';
const LONG_LINK: u8 = b'K';
const PAX: u8 = b'x';
const SOLARIS_PAX: u8 = b'X';
const GLOBAL_PAX: u8 = b'g';
const SPARSE: u8 = b'S';
const FOLDER: u8 = b'5';

/// The text in a field, up to its first zero byte.
fn text(field: &[u8]) -> &[u8] {
    let end = memchr::memchr(0, field).unwrap_or(field.len());
    &field[..end]
}

/// The number in a field: octal digits, or after a first byte of 0x80 a number to the base 256, which
/// GNU tar writes.
fn number(field: &[u8]) -> Option<u64> {
    if let [0x80, rest @ ..] = field {
        let (zeros, low) = rest.split_at(rest.len().saturating_sub(8));
        let value = low
            .iter()
            .fold(0, |value, byte| value << 8 | u64::from(*byte));
        return zeros.iter().all(|byte| *byte == 0).then_some(value);
    }
    let digits = text(field).trim_ascii();
    let digits = std::str::from_utf8(digits).ok()?;
    u64::from_str_radix(digits, 8).ok()
}

/// The bytes of a tar, from which the archive and the reader of the current member read in turns.
#[derive(Clone)]
struct Shared(Arc<Mutex<Source>>);

struct Source {
    window: Window<Reader>,
    /// How many bytes of the current member are still to be read.
    left: u64,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Source> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Reads the current member.
impl Read for Shared {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut source = self.lock();
        let most = usize::try_from(source.left).map_or(buffer.len(), |left| left.min(buffer.len()));
        if most == 0 {
            return Ok(0);
        }
        if source.window.fill(1).is_empty()
            && let Some(failure) = source.window.take_failure()
        {
            return Err(failure);
        }
        let bytes = source.window.rest(0);
        let length = bytes.len().min(most);
        buffer[..length].copy_from_slice(&bytes[..length]);
        source.window.advance(length);
        source.left -= length as u64;
        Ok(length)
    }
}

/// A file in a tar, which has not been read yet.
struct Member {
    name: String,
    /// Whether its stored bytes leave out those that are zero.
    is_sparse: bool,
    is_file: bool,
}

/// Goes from member to member.
struct Archive {
    shared: Shared,
    /// The zero bytes after the current member, up to a whole number of blocks.
    padding: u64,
}

/// What is wrong between two members.
#[derive(Debug)]
enum Fault {
    /// The bytes end within the one before.
    CutOff,
    /// Bytes are the header of none.
    NoHeader { at: u64 },
    /// The records that describe the next one are too large.
    TooLarge,
    /// The bytes cannot be read.
    Failed(io::Error),
}

impl Archive {
    fn new(window: Window<Reader>) -> Self {
        Self {
            shared: Shared(Arc::new(Mutex::new(Source { window, left: 0 }))),
            padding: 0,
        }
    }

    /// Skips the rest of the current member.
    fn leave(&mut self) -> Result<(), Fault> {
        let mut source = self.shared.lock();
        let left = std::mem::take(&mut source.left);
        // Also taken if the member is cut off, which is said once.
        let padding = std::mem::take(&mut self.padding);
        if source.window.skip(left) < left {
            return Err(match source.window.take_failure() {
                Some(failure) => Fault::Failed(failure),
                None => Fault::CutOff,
            });
        }
        if source.window.skip(padding) < padding {
            return Err(Fault::CutOff);
        }
        Ok(())
    }

    /// The next header, after zero bytes; `None` at the end.
    fn header(&mut self) -> Result<Option<Header>, Fault> {
        let mut source = self.shared.lock();
        let mut lost = None;
        loop {
            source.window.fill(BLOCK);
            let rest = source.window.rest(0);
            if rest.is_empty() {
                let failure = source.window.take_failure().map(Fault::Failed);
                return failure.map_or(Ok(None), Err);
            }
            let block = &rest[..rest.len().min(BLOCK)];
            let at = source.window.offset();
            if lost.is_none() && block.iter().all(|byte| *byte == 0) {
                let length = block.len();
                source.window.advance(length);
                continue;
            }
            match (Header::read(block), lost) {
                (Some(_), Some(at)) => return Err(Fault::NoHeader { at }),
                (Some(header), None) => {
                    source.window.advance(BLOCK);
                    return Ok(Some(header));
                }
                (None, _) => {
                    lost.get_or_insert(at);
                    let length = block.len();
                    source.window.advance(length);
                    let is_end = source.window.fill(CHUNK.min(BLOCK)).is_empty();
                    if let (true, Some(at)) = (is_end, lost) {
                        return Err(Fault::NoHeader { at });
                    }
                }
            }
        }
    }

    /// Makes a member the current one.
    fn enter(&mut self, size: u64) {
        self.shared.lock().left = size;
        let block = BLOCK as u64;
        self.padding = (block - size % block) % block;
    }

    /// Reads the records of a member that describes the next one.
    fn records(&mut self) -> Result<Vec<u8>, Fault> {
        let mut records = Vec::new();
        if self.shared.lock().left > LONGEST_RECORDS {
            return Err(Fault::TooLarge);
        }
        let read = self.shared.read_to_end(&mut records);
        read.map_err(Fault::Failed)?;
        Ok(records)
    }

    /// Goes to the next file, link or device, past those that only describe it, and past folders.
    fn next_member(&mut self) -> Result<Option<Member>, Fault> {
        let mut records = Records::default();
        loop {
            self.leave()?;
            let Some(header) = self.header()? else {
                return Ok(None);
            };
            self.enter(header.size);
            match header.kind {
                LONG_NAME => records.name = Some(text(&self.records()?).to_vec()),
                PAX | SOLARIS_PAX => records.read(&self.records()?),
                LONG_LINK | GLOBAL_PAX | FOLDER => {}
                _ => {
                    let mut is_extended = header.is_extended;
                    while is_extended {
                        let mut source = self.shared.lock();
                        source.window.fill(BLOCK);
                        is_extended = source
                            .window
                            .rest(504)
                            .first()
                            .is_some_and(|more| *more != 0);
                        source.window.advance(BLOCK);
                    }
                    if let Some(size) = records.size {
                        self.enter(size);
                    }
                    let name = records.name.unwrap_or(header.name.clone());
                    return Ok(Some(Member {
                        name: String::from_utf8_lossy(&name).into_owned(),
                        is_sparse: header.kind == SPARSE || records.is_sparse,
                        is_file: header.is_file() || header.kind == SPARSE,
                    }));
                }
            }
        }
    }
}

/// What precedes a member and describes it.
#[derive(Debug, Default, PartialEq, Eq)]
struct Records {
    name: Option<Vec<u8>>,
    size: Option<u64>,
    is_sparse: bool,
}

impl Records {
    /// Reads records of pax (POSIX.1-2001, `pax` "Extended Header"): a length, a key and a value.
    fn read(&mut self, mut records: &[u8]) {
        while let Some((record, rest)) = Self::split(records) {
            records = rest;
            let Some(at) = memchr::memchr(b'=', record) else {
                continue;
            };
            let (key, value) = (&record[..at], &record[at + 1..]);
            match key {
                b"path" => self.name = Some(value.to_vec()),
                b"size" => {
                    let size = std::str::from_utf8(value).ok();
                    self.size = size.and_then(|size| size.parse().ok());
                }
                key => self.is_sparse |= key.starts_with(b"GNU.sparse."),
            }
        }
    }

    /// The first record without its length and line feed, and what follows it.
    fn split(records: &[u8]) -> Option<(&[u8], &[u8])> {
        let space = memchr::memchr(b' ', records)?;
        let length = std::str::from_utf8(&records[..space]).ok()?;
        let length: usize = length.parse().ok()?;
        let record = records.get(space + 1..length)?;
        Some((record.strip_suffix(b"\n")?, &records[length..]))
    }
}

/// The files of a tar as entities.
struct Members {
    archive: Archive,
    input: Arc<str>,
    declarations: Vec<Declaration>,
    limits: Limits,
    /// The containers around the members: this tar, and those that it is in.
    nesting: Nesting,
    formats: &'static Formats,
    skipped: Skipped,
    /// The member being read, if it holds several entities.
    inside: Option<MemberContents>,
}

impl Members {
    fn error(&self, fault: Fault) -> ReadError {
        let origin = Origin::new(Arc::clone(&self.input));
        let damaged =
            |reason: String| ReadError::new(ReadErrorKind::Damaged, origin.clone(), reason);
        match fault {
            Fault::CutOff => damaged("the tar is cut off".to_owned()),
            Fault::NoHeader { at } => damaged(format!(
                "no file of the tar begins at byte {at}: the bytes up to the next one are not read"
            )),
            Fault::TooLarge => {
                let reason = format!(
                    "a file whose name and properties have more than {LONGEST_RECORDS} bytes is \
                     named in short"
                );
                ReadError::new(ReadErrorKind::Limit, origin, reason)
            }
            Fault::Failed(failure) => unread(origin, failure),
        }
    }

    /// Opens a member like any other file.
    fn open(&mut self, member: &Member) -> Option<Result<Entity, ReadError>> {
        if !member.is_file {
            self.skipped.count_member(&member.name);
            return None;
        }
        let mut origin = Origin::new(Arc::clone(&self.input));
        origin.member = Some(Arc::new(member.name.clone()));
        if member.is_sparse {
            let reason = "is stored as a sparse file and is not read";
            return Some(Err(ReadError::new(ReadErrorKind::Format, origin, reason)));
        }
        let input = Input {
            name: Arc::clone(&self.input),
            reader: Reader::Stream(Box::new(self.archive.shared.clone())),
            // The size that a tar declares reserves no memory.
            size: None,
            format: None,
            format_of_name: self.formats.by_name(&member.name),
            named: false,
            declarations: self
                .declarations
                .iter()
                .map(|declared| declared_below(declared, &self.input, &member.name))
                .collect(),
        };
        match (self.formats.open)(input, &self.limits, &self.nesting) {
            Ok(Contents::Single(entity)) => Some(in_file(Ok(entity), &origin)),
            Ok(Contents::Multiple(entities)) => {
                self.inside = Some(MemberContents::new(entities, origin));
                None
            }
            Ok(Contents::Empty) => {
                self.skipped.count_member(&member.name);
                None
            }
            Err(error) => Some(in_file(Err(error), &origin)),
        }
    }
}

impl Iterator for Members {
    type Item = Result<Entity, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(inside) = &mut self.inside {
                if let Some(found) = inside.next() {
                    return Some(found);
                }
                self.skipped.add(&inside.skipped());
                self.inside = None;
            }
            match self.archive.next_member() {
                Ok(Some(member)) => {
                    if let Some(found) = self.open(&member) {
                        return Some(found);
                    }
                }
                Ok(None) => return None,
                Err(fault) => return Some(Err(self.error(fault))),
            }
        }
    }
}

impl Container for Members {
    fn skipped(&self) -> Skipped {
        self.skipped.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::open;
    use std::io::Cursor;

    /// A header with a right checksum.
    fn header(name: &str, size: usize, kind: u8) -> [u8; BLOCK] {
        let mut block = [0; BLOCK];
        block[..name.len()].copy_from_slice(name.as_bytes());
        block[124..135].copy_from_slice(format!("{size:011o}").as_bytes());
        block[156] = kind;
        block[257..263].copy_from_slice(b"ustar\0");
        signed(block)
    }

    fn signed(mut block: [u8; BLOCK]) -> [u8; BLOCK] {
        block[148..156].fill(b' ');
        let sum: u32 = block.iter().map(|byte| u32::from(*byte)).sum();
        block[148..155].copy_from_slice(format!("{sum:06o}\0").as_bytes());
        block
    }

    /// A member with its padding.
    fn member(name: &str, kind: u8, content: &str) -> Vec<u8> {
        let mut bytes = header(name, content.len(), kind).to_vec();
        bytes.extend_from_slice(content.as_bytes());
        bytes.resize(bytes.len().next_multiple_of(BLOCK), 0);
        bytes
    }

    const MAIL: &str = "From: a\nTo: b\nSubject: c\n\nd";

    /// The entities of a tar: where each is, or the error; and how many members are skipped.
    fn read(bytes: &[u8]) -> (Vec<String>, u64) {
        let input = Input {
            name: "t".into(),
            reader: Reader::Stream(Box::new(Cursor::new(bytes.to_vec()))),
            size: None,
            format: None,
            format_of_name: None,
            named: true,
            declarations: Vec::new(),
        };
        let mut entities = open(input, &Limits::default()).unwrap().into_entities();
        let found = entities.by_ref().map(|found| match found {
            Ok(entity) => entity.origin.to_string(),
            Err(error) => error.to_string(),
        });
        (found.collect(), entities.skipped().total())
    }

    #[test]
    fn long_names_and_sizes() {
        let long = "x/".repeat(80);
        let mut base_256 = header("big.eml", 0, b'0');
        base_256[124..136].fill(0);
        base_256[124] = 0x80;
        base_256[135] = 27;
        let mut big = signed(base_256).to_vec();
        big.extend_from_slice(MAIL.as_bytes());
        big.resize(2 * BLOCK, 0);
        let mut prefixed = header("b.eml", MAIL.len(), b'0');
        prefixed[345..348].copy_from_slice(b"pre");
        let mut prefixed = signed(prefixed).to_vec();
        prefixed.extend_from_slice(&member("", 0, MAIL)[BLOCK..]);
        let bytes = [
            member("././@LongLink", LONG_NAME, &format!("{long}a.eml\0")),
            member("x", b'0', MAIL),
            member("PaxHeaders/b", PAX, "18 path=pax/b.eml\n12 x=y=z\n"),
            member("y", b'0', MAIL),
            big,
            prefixed,
            member("folder/", FOLDER, ""),
            member("link", b'2', ""),
            member("a.png", b'0', "\u{1}\u{2}"),
            vec![0; 2 * BLOCK],
        ]
        .concat();
        let (found, skipped) = read(&bytes);
        let expected = [
            format!("t!{long}a.eml"),
            "t!pax/b.eml".to_owned(),
            "t!big.eml".to_owned(),
            "t!pre/b.eml".to_owned(),
        ];
        assert_eq!((&found[..], skipped), (&expected[..], 2));
    }

    #[test]
    fn mailbox_in_a_tar_in_a_tar() {
        let mailbox = format!("From a@b Fri Jan 27 10:00:00 2017\n{MAIL}\n\n").repeat(2);
        let inner = String::from_utf8(member("in.mbox", b'0', &mailbox)).unwrap();
        let bytes = [member("in.tar", b'0', &inner), member("a.eml", b'0', MAIL)].concat();
        let expected = ["t!in.tar!in.mbox#1", "t!in.tar!in.mbox#2", "t!a.eml"];
        assert_eq!(read(&bytes).0, expected);
    }

    #[test]
    fn damage_loses_no_other_member() {
        let [a, b, c] = ["a.eml", "b.eml", "c.eml"].map(|name| member(name, b'0', MAIL));
        let mut wrong = b.clone();
        wrong[0] ^= 1;
        let (found, _) = read(&[&a[..], &wrong, &c].concat());
        let told = "t: no file of the tar begins at byte 1024: the bytes up to the next one are \
                    not read";
        assert_eq!(found, ["t!a.eml", told, "t!c.eml"]);
        let (found, _) = read(&[&a[..], &b[..BLOCK + 5]].concat());
        assert_eq!(found, ["t!a.eml", "t!b.eml", "t: the tar is cut off"]);
        // All of the second file is there, but not of its last block.
        let (found, _) = read(&[&a[..], &b[..b.len() - 5]].concat());
        assert_eq!(found, ["t!a.eml", "t!b.eml", "t: the tar is cut off"]);
    }

    #[test]
    fn sizes_and_names_are_hostile() {
        let huge = header("a.eml", 0o77_777_777_777, b'0');
        let (found, _) = read(&huge);
        assert_eq!(found, ["t!a.eml", "t: the tar is cut off"]);
        let name = "x".repeat(70_000);
        let bytes = [
            member("././@LongLink", LONG_NAME, &name),
            member("b.eml", b'0', MAIL),
        ]
        .concat();
        let (found, _) = read(&bytes);
        assert_eq!(found.len(), 2);
        assert!(found[0].contains("is named in short"), "{found:?}");
        assert_eq!(found[1], "t!b.eml");
        let sparse = [member("s.eml", SPARSE, MAIL), member("c.eml", b'0', MAIL)].concat();
        let expected = [
            "t!s.eml: is stored as a sparse file and is not read",
            "t!c.eml",
        ];
        assert_eq!(read(&sparse).0, expected);
    }
}
