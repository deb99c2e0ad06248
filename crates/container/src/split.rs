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
mod tests;
