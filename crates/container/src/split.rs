//! Divides one large input into byte ranges that can be read independently.
//!
//! An entity belongs to the range in which it begins, so that the ranges of any division together
//! yield every entity exactly once. The beginnings of entities are found as follows:
//!
//! - A mailbox is read from its start, since messages may declare their lengths.
//! - A plain WARC or ARC is traversed from header to header, skipping the blocks.
//! - In a WARC or ARC in which each record is a gzip member of its own, the next member that
//!   decodes to the beginning of a record is searched for. A member stored verbatim in the content
//!   of another, as in an archive of archives, can be mistaken for a member of the archive.
//! - Any other input is one entity or cannot be split: all of it begins at its first byte.
//!
//! A [`Split`] known to begin at an entity is read from there directly.

use std::io::{self, Read, Seek, SeekFrom};
use std::num::NonZeroU64;
use std::ops::Range;

use memchr::memmem;

use crate::archives::records::{Archive, LONGEST_LINE, RecordFormat};
use crate::archives::{arc, warc};
use crate::codings::checksums::checked;
use crate::codings::gzip::{self, Gunzip, MemberIndex};
use crate::contents::Contents;
use crate::format::Format;
use crate::input::failure;
use crate::input::window::{CHUNK, FIRST_READ, Window};
use crate::input::{Input, Reader};
use crate::mail::mbox::{Mailbox, begins_message};
use crate::nesting::Nesting;
use crate::open::{for_collection, open_nested};
use baseref_document::{Ledger, Limits, Origin, ReadError};

/// A part of an input: the entities that begin in a range of its bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Split {
    /// The range, in the input as stored.
    pub range: Range<u64>,
    /// The 1-based line at the start of the range, if an entity is known to begin exactly there.
    pub line: Option<NonZeroU64>,
}

impl Split {
    /// A range that may begin anywhere.
    #[must_use]
    pub fn anywhere(range: Range<u64>) -> Self {
        Self { range, line: None }
    }
}

/// How an input can be split.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Layout {
    /// Not at all.
    Whole,
    /// Between messages.
    Mailbox,
    /// Between records of that format.
    Records(Format),
    /// Between gzip members that each hold a record of that format.
    Members(Format),
}

/// Divides an input into splits of about `most` bytes, in order; a larger entity is a split of its
/// own. An input that cannot be split is a single split, and so are a mailbox whose first message
/// has a `Content-Length` and the rest of an archive after a damaged record.
///
/// # Errors
/// If the input cannot be read or is not seekable.
pub fn splits(input: Input, most: NonZeroU64, limits: &Limits) -> Result<Vec<Split>, ReadError> {
    let name = input.name.clone();
    let (input, failure) = input.monitored(&Ledger::default());
    let splits = divided(input, most.get(), limits).map_err(|failure| unread(&name, failure));
    match failure.error(&name) {
        // After a failure, the rest of the input is unknown.
        Some(error) => Err(error),
        None => splits,
    }
}

fn divided(mut input: Input, most: u64, limits: &Limits) -> io::Result<Vec<Split>> {
    let size = input.reader.seek(SeekFrom::End(0))?;
    let mut cuts = Cuts::new(most);
    if size > most {
        match layout(&mut input, limits)? {
            Layout::Whole => {}
            Layout::Mailbox => cut_mailbox(&mut input, &mut cuts, limits)?,
            Layout::Records(Format::Warc) => {
                cut_records::<warc::Warc>(&mut input.reader, &mut cuts, limits)?;
            }
            Layout::Records(_) => {
                cut_records::<arc::Arc>(&mut input.reader, &mut cuts, limits)?;
            }
            Layout::Members(_) => return Ok(cut_evenly(size, most)),
        }
    }
    Ok(cuts.end(size))
}

/// Opens an input for the entities of one split. They are identified by offset ([`Origin::offset`])
/// instead of number.
///
/// # Errors
/// If it cannot be read or is not seekable.
pub fn open(input: Input, split: &Split, limits: &Limits) -> Result<Contents, ReadError> {
    let name = input.name.clone();
    let (input, failure) = input.monitored(&Ledger::default());
    Contents::monitored(open_monitored(input, split, limits), name, failure)
}

fn open_monitored(mut input: Input, split: &Split, limits: &Limits) -> Result<Contents, ReadError> {
    let name = input.name.clone();
    let failed = |failure: io::Error| unread(&name, failure);
    let size = input.reader.seek(SeekFrom::End(0)).map_err(failed)?;
    if split.range.is_empty() && size > 0 {
        return Ok(Contents::Empty);
    }
    let nesting = Nesting::for_input(Some(size), limits);
    match layout(&mut input, limits).map_err(failed)? {
        Layout::Whole if split.range.start > 0 => Ok(Contents::Empty),
        Layout::Whole => {
            input.reader.seek(SeekFrom::Start(0)).map_err(failed)?;
            open_nested(input, limits, &nesting)
        }
        Layout::Mailbox => open_mailbox(input, split, limits, nesting).map_err(failed),
        Layout::Records(Format::Warc) => {
            open_records::<warc::Warc>(input, split, limits, nesting).map_err(failed)
        }
        Layout::Records(_) => {
            open_records::<arc::Arc>(input, split, limits, nesting).map_err(failed)
        }
        Layout::Members(Format::Warc) => {
            open_members::<warc::Warc>(input, split, limits, nesting).map_err(failed)
        }
        Layout::Members(_) => {
            open_members::<arc::Arc>(input, split, limits, nesting).map_err(failed)
        }
    }
}

/// Determines how an input can be split, by its first bytes or, in a compressed archive, by its
/// first record.
fn layout(input: &mut Input, limits: &Limits) -> io::Result<Layout> {
    input.reader.seek(SeekFrom::Start(0))?;
    let (format, of_name, name) = (input.format, input.format_of_name, input.name.clone());
    let format = |head: &[u8]| format.or(Format::from_content(head)).or(of_name);
    let mut stored = Window::new(&mut input.reader);
    let head = stored.fill(FIRST_READ);
    if !head.starts_with(gzip::MAGIC) {
        let layout = match format(head) {
            Some(Format::Mbox) => Layout::Mailbox,
            Some(archive @ (Format::Warc | Format::Arc)) => Layout::Records(archive),
            _ => Layout::Whole,
        };
        return stored.take_failure().map_or(Ok(layout), Err);
    }
    let members = MemberIndex::default();
    let mut window = Window::new(Gunzip::new(stored).with_index(members.clone()));
    let head = window.peek_past_damage(FIRST_READ, &mut Vec::new());
    let found = format(head).filter(|_| !head.starts_with(gzip::MAGIC));
    let members = Some(members);
    let is_by_member = match found {
        Some(Format::Warc) => warc::Records::new(window, name, Vec::new(), limits)
            .with_members(members)
            .is_by_member(),
        Some(Format::Arc) => arc::Records::new(window, name, Vec::new(), limits)
            .with_members(members)
            .is_by_member(),
        _ => false,
    };
    Ok(match found {
        Some(archive) if is_by_member => Layout::Members(archive),
        _ => Layout::Whole,
    })
}

/// Builds the splits of an input while its entities are found.
struct Cuts {
    most: u64,
    done: Vec<Split>,
    /// The offset and line at which the current split begins.
    start: (u64, NonZeroU64),
    /// The offset and line at which the last entity begins.
    last: (u64, NonZeroU64),
}

impl Cuts {
    fn new(most: u64) -> Self {
        Self {
            most,
            done: Vec::new(),
            start: (0, NonZeroU64::MIN),
            last: (0, NonZeroU64::MIN),
        }
    }

    /// Records that an entity begins at this offset, on this line.
    fn meet(&mut self, offset: u64, line: u64) {
        if offset - self.start.0 > self.most && self.last.0 > self.start.0 {
            self.cut(self.last.0);
            self.start = self.last;
        }
        self.last = (offset, line.try_into().unwrap_or(NonZeroU64::MIN));
    }

    fn cut(&mut self, end: u64) {
        self.done.push(Split {
            range: self.start.0..end,
            line: Some(self.start.1),
        });
    }

    fn end(mut self, size: u64) -> Vec<Split> {
        self.meet(size, 1);
        self.cut(size);
        self.done
    }
}

/// Splits of equal size, whether or not an entity begins there.
fn cut_evenly(size: u64, most: u64) -> Vec<Split> {
    let starts = (0..size.div_ceil(most)).map(|number| number * most);
    starts
        .map(|start| Split::anywhere(start..size.min(start.saturating_add(most))))
        .collect()
}

fn cut_mailbox(input: &mut Input, cuts: &mut Cuts, limits: &Limits) -> io::Result<()> {
    input.reader.seek(SeekFrom::Start(0))?;
    let window = Window::new(&mut input.reader);
    if Mailbox::from_window(window, input.name.clone(), limits).declares_lengths() {
        return Ok(());
    }
    input.reader.seek(SeekFrom::Start(0))?;
    let window = Window::new(&mut input.reader);
    let mut mailbox = Mailbox::from_window(window, input.name.clone(), limits);
    // Anything before the first message belongs to the first split.
    mailbox.skip_message();
    while let Some((offset, line)) = mailbox.skip_message() {
        cuts.meet(offset, line);
    }
    mailbox.failure().map_or(Ok(()), Err)
}

fn cut_records<F: RecordFormat>(
    reader: &mut Reader,
    cuts: &mut Cuts,
    limits: &Limits,
) -> io::Result<()> {
    let mut at = 0;
    while let Some(record) = record_at::<F>(reader, at, limits)? {
        if record.start > 0 {
            cuts.meet(record.start, 1);
        }
        at = record.end;
    }
    Ok(())
}

fn open_mailbox(
    mut input: Input,
    split: &Split,
    limits: &Limits,
    nesting: Nesting,
) -> io::Result<Contents> {
    let start = split.range.start;
    let (offset, line) = match split.line {
        Some(line) if is_message(&mut input.reader, start)? => (start, line.get()),
        _ => (0, 1),
    };
    input.reader.seek(SeekFrom::Start(offset))?;
    let window = Window::at(input.reader, offset);
    for_collection(&mut input.declarations);
    let mailbox = Mailbox::from_range(window, line, split.range.clone(), input.name, limits);
    Ok(Contents::from_container(
        mailbox.entities(input.declarations, nesting),
    ))
}

/// Whether there is a `From ` line at `at`.
fn is_message(reader: &mut Reader, at: u64) -> io::Result<bool> {
    let (start, bytes) = beginning(reader, at, HEADING)?;
    Ok(start == at && begins_message(&bytes))
}

fn open_records<F: RecordFormat + Send + 'static>(
    mut input: Input,
    split: &Split,
    limits: &Limits,
    nesting: Nesting,
) -> io::Result<Contents> {
    let start = split.range.start;
    let is_known = split.line.is_some()
        && record_at::<F>(&mut input.reader, start, limits)?
            .is_some_and(|record| record.start == start);
    let mut from = if is_known { start } else { 0 };
    // If a record cannot be skipped by its header, the archive is read from there.
    while from < start {
        match record_at::<F>(&mut input.reader, from, limits)? {
            Some(record) if record.end <= start => from = record.end,
            _ => break,
        }
    }
    input.reader.seek(SeekFrom::Start(from))?;
    let window = Window::at(input.reader, from);
    for_collection(&mut input.declarations);
    let records =
        Archive::<_, F>::new(window, input.name, input.declarations, limits).with_nesting(nesting);
    Ok(Contents::from_container(
        records.in_range(split.range.clone()),
    ))
}

fn open_members<F: RecordFormat + Send + 'static>(
    mut input: Input,
    split: &Split,
    limits: &Limits,
    nesting: Nesting,
) -> io::Result<Contents> {
    let Range { start, end } = split.range;
    let start = match start {
        0 => Some(0),
        _ => first_member::<F>(&mut input.reader, &(start..end))?,
    };
    let Some(start) = start else {
        return Ok(Contents::Empty);
    };
    // Anything before the first record of the next range belongs to this one.
    let end = first_member::<F>(&mut input.reader, &(end..u64::MAX))?;
    let range = start..end.unwrap_or(u64::MAX);
    input.reader.seek(SeekFrom::Start(start))?;
    let members = MemberIndex::default();
    let content = Gunzip::new(Window::at(input.reader, start)).with_index(members.clone());
    let (name, facts) = (input.name.clone(), content.facts());
    for_collection(&mut input.declarations);
    let records = Archive::<_, F>::new(
        Window::new(nesting.metered(content)),
        input.name,
        input.declarations,
        limits,
    )
    .with_nesting(nesting);
    let records = records.with_members(Some(members)).in_range(range.clone());
    Ok(checked(
        Contents::from_container(records),
        name,
        facts,
        range,
    ))
}

/// The offsets at which a record begins and the next one may begin.
struct Record {
    start: u64,
    end: u64,
}

/// How many bytes are read at a time to find a header.
const HEADING: usize = 4096;

/// The record at `at`, after line ends, if another record or the end of the file confirms its
/// declared length. `None` at the end, and if the archive must be read to find the next record.
fn record_at<F: RecordFormat>(
    reader: &mut Reader,
    at: u64,
    limits: &Limits,
) -> io::Result<Option<Record>> {
    let (start, bytes) = beginning(reader, at, limits.heading)?;
    if !F::is_record(&bytes) {
        return Ok(None);
    }
    let bytes = &bytes[..bytes.len().min(limits.heading)];
    let Ok(heading) = F::heading(bytes, false) else {
        return Ok(None);
    };
    let end = (start + heading.block as u64).saturating_add(heading.length);
    if heading.length > limits.message as u64 || end > reader.seek(SeekFrom::End(0))? {
        return Ok(None);
    }
    let (_, after) = beginning(reader, end, LONGEST_LINE)?;
    let is_confirmed = after.is_empty() || F::is_record(&after);
    Ok(is_confirmed.then_some(Record { start, end }))
}

/// The offset of the first byte from `at` on that is not a line end, and the bytes from there to
/// the first blank line, but not many more than `most`.
fn beginning(reader: &mut Reader, at: u64, most: usize) -> io::Result<(u64, Vec<u8>)> {
    reader.seek(SeekFrom::Start(at))?;
    let mut bytes = Vec::new();
    loop {
        let wanted = bytes.len().max(HEADING);
        let read = reader
            .by_ref()
            .take(wanted as u64)
            .read_to_end(&mut bytes)?;
        let line_end = |byte: &&u8| matches!(byte, b'\r' | b'\n');
        let skipped = bytes.iter().take_while(line_end).count();
        let text = &bytes[skipped..];
        let ends = memmem::find(text, b"\n\n").or(memmem::find(text, b"\n\r\n"));
        // One more byte shows that the line end is complete.
        let is_whole = ends.is_some_and(|end| end + 4 < text.len());
        if read < wanted || is_whole || text.len() >= most || skipped > CHUNK {
            return Ok((at + skipped as u64, bytes.split_off(skipped)));
        }
    }
}

/// The first gzip member that begins in `range` and decodes to the beginning of a record.
fn first_member<F: RecordFormat>(
    reader: &mut Reader,
    range: &Range<u64>,
) -> io::Result<Option<u64>> {
    // Files cannot be read at every offset that fits into a `u64`.
    if range.start >= reader.seek(SeekFrom::End(0))? {
        return Ok(None);
    }
    reader.seek(SeekFrom::Start(range.start))?;
    let mut window = Window::at(reader, range.start);
    while window.offset() < range.end {
        let bytes = window.fill(CHUNK);
        let is_record = |content: Vec<u8>| F::is_record(&content);
        if gzip::content(bytes, LONGEST_LINE).is_some_and(is_record) {
            return Ok(Some(window.offset()));
        }
        let next = memmem::find(bytes.get(1..).unwrap_or_default(), gzip::MAGIC);
        // The magic may straddle the end of the buffer.
        let skipped = bytes.len().saturating_sub(gzip::MAGIC.len() - 1).max(1);
        let is_end = bytes.is_empty();
        window.advance(next.map_or(skipped, |at| at + 1));
        if is_end {
            break;
        }
    }
    window.take_failure().map_or(Ok(None), Err)
}

fn unread(name: &std::sync::Arc<str>, failure: io::Error) -> ReadError {
    failure::unread(Origin::new(name.clone()), failure)
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use proptest::prelude::*;

    use super::*;
    use crate::codings::gzip::tests::gzip;
    use crate::entity::Entity;
    use baseref_document::ReadErrorKind;

    /// Bytes that cannot be read at offsets at which files cannot be read.
    struct AsFile(Cursor<Vec<u8>>);

    impl Read for AsFile {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            self.0.read(buffer)
        }
    }

    impl Seek for AsFile {
        fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
            match to {
                SeekFrom::Start(place) if i64::try_from(place).is_err() => {
                    Err(io::ErrorKind::InvalidInput.into())
                }
                to => self.0.seek(to),
            }
        }
    }

    fn input(bytes: &[u8]) -> Input {
        Input {
            name: "i".into(),
            reader: Reader::Seekable(Box::new(AsFile(Cursor::new(bytes.to_vec())))),
            size: None,
            format: None,
            format_of_name: None,
            named: true,
            declarations: Vec::new(),
        }
    }

    /// The offset, the line and the bytes of each entity, and the errors with their offsets.
    fn read(opened: Result<Contents, ReadError>) -> Vec<(Option<u64>, String)> {
        let shown = |entity: Entity| {
            let url = entity.declarations.first().map(|url| url.value.to_string());
            let text = String::from_utf8_lossy(&entity.bytes).into_owned();
            let line = entity.line;
            (entity.origin.offset, format!("{line} {url:?} {text}"))
        };
        match opened.unwrap() {
            Contents::Single(entity) => vec![shown(entity)],
            Contents::Empty => Vec::new(),
            Contents::Multiple(entities) => entities
                .map(|item| match item {
                    Ok(entity) => shown(entity),
                    Err(error) => (error.origin.offset, error.reason.into()),
                })
                .collect(),
        }
    }

    fn whole(bytes: &[u8]) -> Vec<(Option<u64>, String)> {
        read(crate::open(input(bytes), &Limits::default()))
    }

    fn part(bytes: &[u8], split: &Split) -> Vec<(Option<u64>, String)> {
        read(open(input(bytes), split, &Limits::default()))
    }

    /// The splits between these cuts.
    fn between(bytes: &[u8], cuts: &[prop::sample::Index]) -> Vec<Split> {
        let size = bytes.len() + 1;
        let mut cuts: Vec<u64> = cuts.iter().map(|cut| cut.index(size) as u64).collect();
        cuts.extend([0, size as u64]);
        cuts.sort_unstable();
        let ranges = cuts.windows(2).map(|pair| pair[0]..pair[1]);
        ranges.map(Split::anywhere).collect()
    }

    fn all_parts(bytes: &[u8], splits: &[Split]) -> Vec<(Option<u64>, String)> {
        let parts = splits.iter().map(|split| (split, part(bytes, split)));
        let within = |(split, found): (&Split, Vec<(Option<u64>, String)>)| {
            for (offset, shown) in &found {
                let offset = offset.unwrap_or_default();
                assert!(split.range.contains(&offset), "{split:?} {offset} {shown}");
            }
            found
        };
        parts.flat_map(within).collect()
    }

    /// The entities and the errors about damaged members, without offsets in these: at which offset
    /// damage is noticed depends on where reading begins.
    fn entities_and_damage(found: Vec<(Option<u64>, String)>) -> Vec<(u64, String)> {
        let is_entity = |text: &str| text.starts_with("1 Some");
        let texts = found.into_iter().filter_map(|(offset, text)| {
            let offset = offset.filter(|_| is_entity(&text)).unwrap_or_default();
            let is_kept = is_entity(&text) || text.contains("the gzip member");
            let which = |text: String| text.split(" is corrupt").next().map(str::to_owned);
            is_kept.then_some((offset, which(text)?))
        });
        let mut texts: Vec<_> = texts.collect();
        // So does the time at which a wrong checksum is noticed.
        texts.sort();
        texts
    }

    fn planned(bytes: &[u8], most: u64) -> Vec<Split> {
        let most = NonZeroU64::new(most).unwrap();
        splits(input(bytes), most, &Limits::default()).unwrap()
    }

    fn ranges(splits: &[Split]) -> Vec<(u64, u64)> {
        let ends = |split: &Split| (split.range.start, split.range.end);
        splits.iter().map(ends).collect()
    }

    const FROM: &str = "From a@b Fri Jan 27 10:00:00 2017\n";

    fn message() -> impl Strategy<Value = String> {
        let line = prop_oneof![
            Just("text\n".to_owned()),
            Just("\n".to_owned()),
            Just("\r\n".to_owned()),
            Just(FROM.to_owned()),
            Just(">From x\n".to_owned()),
            Just("From nobody knows where\n".to_owned()),
            Just("Subject: x\n".to_owned()),
        ];
        let body = prop::collection::vec(line, 0..8).prop_map(|lines| lines.concat());
        (body, any::<bool>()).prop_map(|(body, says_length)| {
            let length = if says_length {
                format!("Content-Length: {}\n", body.len())
            } else {
                String::new()
            };
            format!("{FROM}From: a\nSubject: b\n{length}\n{body}\n")
        })
    }

    /// A record whose declared length is too large by some bytes.
    fn record(wrong: impl Strategy<Value = usize>) -> impl Strategy<Value = String> {
        let block = prop_oneof![
            Just("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<a href=x>y</a>".to_owned()),
            Just("HTTP/1.1 200 OK\r\nContent-Type: image/png\r\n\r\nx".to_owned()),
            Just("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\nWARC/1.0\r\nWARC-Type: response\r\nContent-Length: 3\r\n\r\nabc\r\n\r\nx".to_owned()),
        ];
        (block, wrong, "[a-z]{1,9}").prop_map(|(block, wrong, url)| {
            let length = block.len() + wrong;
            format!(
                "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://{url}/\r\n\
                 Content-Length: {length}\r\n\r\n{block}\r\n\r\n"
            )
        })
    }

    fn arc_record() -> impl Strategy<Value = String> {
        ("[a-z]{1,9}", "[a-z ]{0,40}").prop_map(|(host, text)| {
            let block = format!("HTTP/1.1 200 OK\nContent-Type: text/html\n\n<p>{text}");
            let length = block.len();
            format!("http://{host}/ 1.2.3.4 20260101000000 text/html {length}\n{block}\n")
        })
    }

    const ARC: &str = "filedesc://x.arc 0.0.0.0 20260101000000 text/plain 3\n1 0\n";

    proptest! {
        #[test]
        fn splits_of_mailbox_yield_each_message_once(
            messages in prop::collection::vec(message(), 1..12),
            cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..6),
            most in 1..2000_u64,
        ) {
            let bytes = messages.concat().into_bytes();
            prop_assert_eq!(all_parts(&bytes, &between(&bytes, &cuts)), whole(&bytes));
            prop_assert_eq!(all_parts(&bytes, &planned(&bytes, most)), whole(&bytes));
        }

        #[test]
        fn splits_of_archive_yield_each_record_once(
            records in prop::collection::vec(record(prop_oneof![4 => Just(0_usize), 1 => 1..400_usize]), 1..12),
            cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..6),
            most in 1..2000_u64,
        ) {
            let bytes = records.concat().into_bytes();
            prop_assert_eq!(all_parts(&bytes, &between(&bytes, &cuts)), whole(&bytes));
            prop_assert_eq!(all_parts(&bytes, &planned(&bytes, most)), whole(&bytes));
        }

        #[test]
        fn splits_of_compressed_archive_yield_each_record_once(
            records in prop::collection::vec(arc_record(), 1..12),
            cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..6),
            most in 1..500_u64,
        ) {
            let records = [vec![ARC.to_owned()], records].concat();
            let bytes: Vec<u8> = records.iter().flat_map(|text| gzip(text.as_bytes())).collect();
            prop_assert_eq!(all_parts(&bytes, &between(&bytes, &cuts)), whole(&bytes));
            prop_assert_eq!(all_parts(&bytes, &planned(&bytes, most)), whole(&bytes));
            let plain = records.concat().into_bytes();
            prop_assert_eq!(all_parts(&plain, &between(&plain, &cuts)), whole(&plain));
            prop_assert_eq!(all_parts(&plain, &planned(&plain, most)), whole(&plain));
        }
    }

    proptest! {
        #[test]
        fn splits_of_damaged_archive_yield_the_same_as_the_whole(
            records in prop::collection::vec(record(Just(0)), 2..8),
            damaged in prop_oneof![4 => Just(0_usize), 1 => 0..8_usize],
            at in 10..60_usize,
            cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..4),
            most in 1..500_u64,
        ) {
            let mut members: Vec<_> = records.iter().map(|text| gzip(text.as_bytes())).collect();
            let damaged = damaged % members.len();
            let at = at % members[damaged].len();
            members[damaged][at] ^= 0x55;
            let bytes = members.concat();
            let input = || Input { format_of_name: Some(Format::Warc), ..input(&bytes) };
            let limits = Limits::default();
            let expected = entities_and_damage(read(crate::open(input(), &limits)));
            for splits in [between(&bytes, &cuts), planned(&bytes, most)] {
                let parts = splits.iter().flat_map(|split| read(open(input(), split, &limits)));
                prop_assert_eq!(&entities_and_damage(parts.collect()), &expected);
            }
        }
    }

    #[test]
    fn records_after_damaged_second_member_have_their_own_offsets() {
        let text = "WARC/1.0\r\nWARC-Type: resource\r\nContent-Length: 3\r\n\r\n<p>\r\n\r\n";
        let good = gzip(text.as_bytes());
        let third = 2 * good.len() as u64;
        for at in 10..good.len() - 8 {
            let mut damaged = good.clone();
            damaged[at] ^= 0x55;
            let found = whole(&[&good[..], &damaged, &good].concat());
            if found.iter().any(|(_, text)| text.contains("is corrupt")) {
                assert_eq!(found.last().unwrap().0, Some(third), "{at}: {found:?}");
            }
        }
    }

    #[test]
    fn archive_with_damaged_first_member_is_read_from_the_second() {
        let text = "WARC/1.0\r\nWARC-Type: resource\r\nContent-Length: 3\r\n\r\n<p>\r\n\r\n";
        let good = gzip(text.as_bytes());
        let mut damaged = good.clone();
        damaged[10] ^= 0x55;
        let bytes = [&damaged[..], &good, &good].concat();
        let second = good.len() as u64;
        let found = whole(&bytes);
        assert!(
            found[0]
                .1
                .starts_with("the gzip member at byte 0 is corrupt"),
            "{found:?}"
        );
        let offsets: Vec<_> = found[1..].iter().map(|(offset, _)| *offset).collect();
        assert_eq!(offsets, [Some(second), Some(2 * second)]);
    }

    #[test]
    fn splits_begin_at_entities() {
        let message = format!("{FROM}From: a\nSubject: b\n\ntext\n\n");
        let length = message.len() as u64;
        let mailbox = message.repeat(5).into_bytes();
        let two = 2 * length;
        assert_eq!(
            ranges(&planned(&mailbox, two)),
            [(0, two), (two, 2 * two), (2 * two, 5 * length)]
        );
        assert_eq!(
            planned(&mailbox, 1)[3],
            Split {
                range: 3 * length..4 * length,
                line: NonZeroU64::new(19),
            }
        );
        let record = "WARC/1.0\r\nWARC-Type: x\r\nContent-Length: 1\r\n\r\nx\r\n\r\n";
        let archive = record.repeat(3).into_bytes();
        let length = record.len() as u64;
        // The line ends after a block are not part of the next record.
        assert_eq!(
            ranges(&planned(&archive, 1)),
            [(0, length), (length, 2 * length), (2 * length, 3 * length)]
        );
    }

    #[test]
    fn unsplittable_input_is_one_split() {
        let message = format!("{FROM}From: a\nContent-Length: 5\n\ntext\n\n");
        let mailbox = message.repeat(5);
        for bytes in [
            b"<p><a href=x>y</a>".to_vec(),
            mailbox.clone().into_bytes(),
            gzip(mailbox.as_bytes()),
            gzip(format!("{ARC}http://a/ 1.2.3.4 20260101000000 text/html 1\nx\n").as_bytes()),
        ] {
            let size = bytes.len() as u64;
            assert_eq!(ranges(&planned(&bytes, 1)), [(0, size)]);
            let after = Split::anywhere(size / 2..size);
            let first = part(&bytes, &Split::anywhere(0..size / 2));
            assert_eq!([first, part(&bytes, &after)].concat(), whole(&bytes));
        }
    }

    #[test]
    fn entities_of_split_are_identified_by_offset() {
        let message = format!("{FROM}From: a\nSubject: b\n\ntext\n\n");
        let bytes = message.repeat(2).into_bytes();
        let split = Split::anywhere(1..u64::MAX);
        let Ok(Contents::Multiple(entities)) = open(input(&bytes), &split, &Limits::default())
        else {
            panic!("a mailbox");
        };
        let names: Vec<String> = entities
            .map(|mail| mail.unwrap().origin.to_string())
            .collect();
        assert_eq!(names, [format!("i@{}", message.len())]);
    }

    #[test]
    fn damaged_member_is_an_error_in_one_split() {
        let texts = (0..6).map(|number| {
            let block = "HTTP/1.1 200 OK\nContent-Type: text/html\n\n<p>x";
            let length = block.len();
            format!("http://{number}/ 1.2.3.4 20260101000000 text/html {length}\n{block}\n")
        });
        let texts = std::iter::once(ARC.to_owned()).chain(texts);
        let members: Vec<Vec<u8>> = texts.map(|text| gzip(text.as_bytes())).collect();
        let damaged: usize = members[..3].iter().map(Vec::len).sum();
        for at in [11, 30, members[3].len() - 6] {
            let mut bytes = members.concat();
            bytes[damaged + at] ^= 0xFF;
            let errors = |found: &[(Option<u64>, String)]| {
                let mut texts = found.iter().map(|(_, text)| text);
                texts
                    .by_ref()
                    .filter(|text| text.contains("corrupt") || text.contains("checksum"))
                    .count()
            };
            assert_eq!(errors(&whole(&bytes)), 1, "{at}");
            for cut in [1, damaged, damaged + 1, bytes.len() - 1] {
                let cut = cut as u64;
                let splits = [0..cut, cut..u64::MAX].map(Split::anywhere);
                let found: Vec<_> = splits
                    .iter()
                    .flat_map(|split| part(&bytes, split))
                    .collect();
                assert_eq!(errors(&found), 1, "{at} {cut}");
            }
        }
    }

    #[test]
    fn stream_cannot_be_split() {
        let input = Input {
            reader: Reader::Stream(Box::new(Cursor::new(b"<p>".to_vec()))),
            ..input(b"")
        };
        let error = splits(input, NonZeroU64::MIN, &Limits::default()).unwrap_err();
        assert_eq!(error.kind, ReadErrorKind::Io);
    }

    #[test]
    fn endless_line_ends_are_not_read() {
        let record = "WARC/1.0\r\nWARC-Type: x\r\nContent-Length: 1\r\n\r\nx";
        let bytes = [record.as_bytes(), &b"\n".repeat(3 * CHUNK)].concat();
        let mut reader = input(&bytes).reader;
        let (_, read) = beginning(&mut reader, record.len() as u64, LONGEST_LINE).unwrap();
        assert!(read.len() <= CHUNK);
    }
}
