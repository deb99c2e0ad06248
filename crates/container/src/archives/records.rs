//! Reads the records of web archives that hold HTML. WARC and ARC differ only in their [`RecordFormat`].
//!
//! A record is a header, which declares a length, and a block of that length. If the length is
//! wrong, or a compressed archive is damaged, the record is reported and the next one is searched
//! for.

use std::collections::VecDeque;
use std::io::{self, Read};
use std::num::NonZeroU64;
use std::ops::Range;
use std::sync::Arc;

use super::capture::{self, Content, Digests, Heading};
use super::digest::Digest;
use super::http;
use crate::codings::gzip::MemberIndex;
use crate::contents::{Container, Contents};
use crate::detect::OpenContext;
use crate::documents;
use crate::entity::{Entity, EntityKind};
use crate::input::buffered::BufferedInput;
use crate::input::failure;
use crate::input::window::{CHUNK, Window};
use crate::nesting::Nesting;
use baseref_document::{
    Capture, Declaration, Limits, Note, NoteCode, Origin, Place, ReadError, ReadErrorKind,
    Retrieval, Skipped, hash_of,
};
use baseref_text::decode::line;
use baseref_text::decode::sniff::is_page;
use baseref_text::decode::source::Markup;
use baseref_text::header::media_type::MediaType;

/// The record format of an archive.
pub(crate) trait RecordFormat {
    /// The name of the field with the URL that a record was retrieved from.
    const URL: &'static str;

    /// What follows a block.
    const END: &'static [u8];

    /// What follows the last block of a file.
    const LAST_END: &'static [u8];

    /// Whether a record begins at the start of `bytes`.
    fn is_record(bytes: &[u8]) -> bool;

    /// The offset of the first record found in `bytes`, which need not begin at the start of a
    /// line.
    fn find(bytes: &[u8]) -> Option<usize>;

    /// Parses the header of the record that `bytes` begin with, including the exchange if
    /// `captures` are requested. The error says what is wrong with it.
    fn heading(bytes: &[u8], captures: bool) -> Result<Heading, &'static str>;

    /// Converts the date of a record to RFC 3339 and UTC.
    fn date(written: &str) -> Option<Box<str>>;
}

/// Blocks that are not read are buffered up to this size to find their true end.
const BUFFERED: usize = 4 * 1024 * 1024;

/// The media type of a style sheet.
const CSS: &str = "text/css";

/// At most this many bytes of line ends are examined after a block.
const LINE_ENDS: usize = 64;

/// The maximum length of the first line of a record.
pub(crate) const LONGEST_LINE: usize = 16 * 1024;

/// The records of a web archive.
pub(crate) struct Archive<R, F> {
    window: Window<R>,
    input: Arc<str>,
    /// The hash of that name, once it is needed.
    file: Option<u64>,
    limits: Limits,
    nesting: Nesting,
    declarations: Vec<Declaration>,
    number: u64,
    /// The offset of the current record: see [`Origin::offset`].
    begin: u64,
    /// The gzip members that the archive consists of.
    members: Option<MemberIndex>,
    /// Whether each record is a member of its own; `None` until the second record shows it.
    by_member: Option<bool>,
    /// If set, only records that begin in this range are returned, identified by offset instead of
    /// number.
    range: Option<Range<u64>>,
    skipped: Skipped,
    /// Whether to return every capture and to read style sheets.
    captures: bool,
    /// Entities and errors found but not yet returned.
    ready: VecDeque<Result<Entity, ReadError>>,
    form: std::marker::PhantomData<F>,
}

/// Reads an archive in that form.
#[expect(clippy::unnecessary_wraps, reason = "other readers can fail")]
pub(crate) fn read<F: RecordFormat + Send + 'static>(
    input: BufferedInput,
    ctx: &OpenContext<'_>,
) -> Result<Contents, ReadError> {
    let BufferedInput {
        name,
        window,
        members,
        declarations,
        ..
    } = input;
    let records = Archive::<_, F>::new(window, name, declarations, ctx.limits)
        .with_nesting(ctx.nesting.clone())
        .with_captures(ctx.nesting.is_site())
        .with_members(members);
    Ok(Contents::from_container(records))
}

impl<R: Read, F: RecordFormat> Archive<R, F> {
    /// The records that hold HTML, with the user's declarations about the archive.
    pub fn new(
        window: Window<R>,
        input: Arc<str>,
        declarations: Vec<Declaration>,
        limits: &Limits,
    ) -> Self {
        Self {
            window,
            input,
            limits: *limits,
            file: None,
            nesting: Nesting::default(),
            declarations,
            number: 0,
            begin: 0,
            members: None,
            by_member: Some(false),
            range: None,
            skipped: Skipped::default(),
            captures: false,
            ready: VecDeque::new(),
            form: std::marker::PhantomData,
        }
    }

    /// Sets the containers around the archive.
    pub fn with_nesting(self, nesting: Nesting) -> Self {
        Self { nesting, ..self }
    }

    /// Sets whether to return every capture and to read style sheets.
    pub fn with_captures(self, captures: bool) -> Self {
        Self { captures, ..self }
    }

    /// Sets the gzip members that the archive consists of.
    pub fn with_members(self, members: Option<MemberIndex>) -> Self {
        Self {
            by_member: members.is_none().then_some(false),
            members,
            ..self
        }
    }

    /// Restricts the archive to the records that begin in `range`, identified by their offsets. The
    /// window begins with a record; if the archive is compressed, it must be compressed record by
    /// record.
    pub fn in_range(self, range: Range<u64>) -> Self {
        Self {
            by_member: Some(self.members.is_some()),
            range: Some(range),
            ..self
        }
    }

    /// Whether each record is a gzip member of its own. The second record shows that, or the first
    /// one if members before it were damaged; `false` for an archive of one record.
    pub fn is_by_member(&mut self) -> bool {
        loop {
            self.check_members();
            if let Some(by_member) = self.by_member {
                return by_member;
            }
            if !self.step() {
                return false;
            }
        }
    }

    /// Determines whether each record is a gzip member of its own, as soon as a record shows it.
    /// Members that do not decompress show nothing.
    fn check_members(&mut self) {
        if self.by_member.is_some() {
            return;
        }
        let (is_start, is_first) = self.member_start();
        if self.window.rest(0).is_empty() {
            return;
        }
        if self.number > 0 {
            self.by_member = Some(is_start);
        } else if is_start && !is_first {
            self.by_member = Some(true);
        }
    }

    /// Whether a gzip member begins where the next record does, and whether it is the first of the
    /// archive.
    fn member_start(&mut self) -> (bool, bool) {
        self.skip_line_ends();
        let at = self.window.offset();
        self.window.fill(1);
        let member = self.members.as_ref().and_then(|members| members.at(at));
        let member = member.filter(|member| member.content == at);
        (
            member.is_some(),
            member.is_some_and(|member| member.stored == 0),
        )
    }

    /// Advances past a record, or past bytes that belong to none; `false` at the end. The offset of
    /// the first record is 0 whether or not the archive turns out to be compressed by record.
    fn step(&mut self) -> bool {
        self.skip_line_ends();
        self.check_members();
        let at = self.window.offset();
        self.window.fill(1);
        self.begin = match &self.members {
            Some(members) if self.by_member == Some(true) => {
                members.at(at).map_or(at, |member| member.stored)
            }
            _ => at,
        };
        let Some(range) = &self.range else {
            return self.read();
        };
        if self.begin >= range.end {
            // No other range begins with a member that does not decompress to a record.
            if !F::is_record(self.window.rest(0))
                && let Some(failure) = self.window.take_failure()
            {
                self.unread_by(failure);
            }
            return false;
        }
        let is_wanted = self.begin >= range.start;
        let skipped = (!is_wanted).then(|| self.skipped.clone());
        let has_more = self.read();
        if let Some(skipped) = skipped {
            self.ready.clear();
            self.skipped = skipped;
        }
        has_more
    }

    /// Reads a record, or skips bytes that belong to none; `false` at the end.
    fn read(&mut self) -> bool {
        let start = self.begin;
        let bytes = self.window.fill(self.limits.heading);
        if bytes.is_empty() {
            let Some(failure) = self.window.take_failure() else {
                return false;
            };
            self.unread_by(failure);
        } else if F::is_record(bytes) {
            let heading = F::heading(
                &bytes[..bytes.len().min(self.limits.heading)],
                self.captures,
            );
            self.number += 1;
            match heading {
                Ok(heading) => {
                    self.window.advance(heading.block);
                    self.block(start, &heading);
                }
                Err(fault) => {
                    self.unread(
                        ReadErrorKind::Damaged,
                        format!("the record at byte {start} {fault}"),
                    );
                    self.window.advance(1);
                    self.seek(u64::MAX);
                }
            }
        } else {
            let length = self.seek(u64::MAX);
            self.unread(
                ReadErrorKind::Damaged,
                format!("{length} bytes at byte {start} belong to no record"),
            );
        }
        true
    }

    fn skip_line_ends(&mut self) {
        loop {
            let bytes = self.window.fill(CHUNK);
            let is_line_end = |byte: &&u8| matches!(byte, b'\r' | b'\n');
            let length = bytes.iter().take_while(is_line_end).count();
            if length == 0 {
                return;
            }
            self.window.advance(length);
        }
    }

    /// Advances to the next record that can be found, or to the end, by at most `limit` bytes.
    /// Returns how many bytes were skipped.
    fn seek(&mut self, limit: u64) -> u64 {
        let start = self.window.offset();
        loop {
            let left = limit - (self.window.offset() - start);
            self.window.fill(CHUNK);
            let bytes = self.window.rest(0);
            let found = F::find(bytes);
            let length = match found {
                Some(at) => at,
                None if self.window.is_at_end() => bytes.len(),
                // The line may be incomplete.
                None => bytes.len().saturating_sub(LONGEST_LINE),
            };
            let length = usize::try_from(left).map_or(length, |left| length.min(left));
            self.window.advance(length);
            let skipped_bytes = self.window.offset() - start;
            if found.is_some() || skipped_bytes == limit || self.window.rest(0).is_empty() {
                return skipped_bytes;
            }
        }
    }

    /// Reads a block or skips it.
    fn block(&mut self, start: u64, heading: &Heading) {
        let length = usize::try_from(heading.length).unwrap_or(usize::MAX);
        let first = self.window.fill(length.min(self.limits.heading));
        let first = &first[..first.len().min(length).min(self.limits.heading)];
        // The block ends where another record begins, even if its declared length is larger.
        let first = &first[..F::find(first).unwrap_or(first.len())];
        let is_whole = first.len() == length.min(self.limits.heading);
        let capture = capture::from_record(heading, first, self.limits.heading, F::date);
        let mut capture = capture.map(Box::new);
        if let Some(capture) = &mut capture {
            capture.ids.file = *self.file.get_or_insert_with(|| hash_of(&self.input));
        }
        let content = block_content(&heading.content, first, self.limits.heading, self.captures);
        let content = content.unwrap_or_else(|| {
            let limit = self.limits.heading;
            self.unread(
                ReadErrorKind::Damaged,
                format!("the record at byte {start} has an HTTP header of more than {limit} bytes"),
            );
            BlockContent::default()
        });
        // It was captured, although it cannot be read: the next crawl need not fetch it again.
        if let Some(capture) = &mut capture
            && content.fault.is_some()
            && capture.status == 0
        {
            (capture.status, capture.truncated) = (200, true);
        }
        // A block that is cut off is reported for that.
        if let Some(fault) = content.fault.filter(|_| is_whole) {
            let reason = format!("the record at byte {start} {fault}");
            self.unread(ReadErrorKind::Damaged, reason);
        }
        // The body of a redirect or an error does not count as a page of the site.
        let holds_page = capture.as_ref().is_none_or(|capture| capture.holds_page());
        let reading = content.reading.filter(|_| holds_page);
        if reading.is_some() && heading.is_truncated {
            let reason = format!(
                "the record at byte {start} was cut off when it was written (WARC-Truncated)"
            );
            self.unread(ReadErrorKind::Damaged, reason);
        }
        if reading.is_none() {
            self.skipped.count(&content.essence);
        }
        if reading.is_none() && (content.fields.is_none() || !holds_page) {
            self.ready.extend(
                capture
                    .take()
                    .map(|capture| Ok(self.only(capture, heading))),
            );
        }
        let may_hold_page = content.is_sent && !is_bulk(&content.essence);
        if let Some(bytes) = content.fields.filter(|_| holds_page) {
            let offset = self.is_counted().then(|| self.window.offset());
            let reading = BlockFormat {
                kind: EntityKind::Fields,
                markup: Markup::Html,
                charset: None,
            };
            let mut entity = self.entity(reading, bytes, offset, heading);
            entity.capture = capture.take();
            self.ready.push_back(Ok(entity));
        }
        let room = match reading {
            Some(_) => self.limits.message,
            None => length.min(BUFFERED).min(self.limits.message),
        };
        self.window.fill(room.min(length).saturating_add(CHUNK));
        if length > room && !self.window.is_at_end() {
            return self.skip_large(start, heading, reading.is_some());
        }
        let (length_found, note) = self.measure(start, length, heading.digests.block.as_ref());
        let offset = self.window.offset();
        let block = &self.window.rest(0)[..length_found];
        let is_cut = length_found < length;
        let is_checked = !is_cut && (reading.is_some() || may_hold_page);
        let wrong = is_checked.then(|| wrong_digest(start, heading, reading.as_ref(), block));
        let notes = note.into_iter().chain(wrong.flatten());
        if let Some(reading) = reading {
            let is_response = reading.kind == EntityKind::Response;
            let offset = self.is_counted().then_some(offset);
            let mut entity = self.entity(reading, block.to_vec(), offset, heading);
            entity.notes.extend(notes);
            entity.capture = capture;
            entity.is_damaged = is_cut || heading.is_truncated || heading.is_segment;
            let Digests { block, payload } = &heading.digests;
            let is_covered = block.is_some() || entity.is_damaged;
            entity.payload_digest = payload.clone().filter(|_| is_response && !is_covered);
            self.ready.push_back(Ok(entity));
        } else {
            for note in notes {
                let kind = if may_hold_page {
                    note.code.into()
                } else {
                    ReadErrorKind::Repaired
                };
                self.unread(kind, note.detail);
            }
        }
        self.window.advance(length_found);
    }

    /// The length of a block that is entirely in the window: the declared length if the next record
    /// or the end is there, else the length up to the next record that is found.
    ///
    /// A block that lost a few bytes takes as many from the line ends after it, unless it matches
    /// its `digest`.
    fn measure(
        &mut self,
        start: u64,
        length: usize,
        digest: Option<&Digest>,
    ) -> (usize, Option<Note>) {
        let bytes = self.window.rest(0);
        if let Some(after) = bytes.get(length..) {
            let line_ends = after
                .iter()
                .take(LINE_ENDS)
                .take_while(|byte| matches!(byte, b'\r' | b'\n'));
            let (line_ends, after) = after.split_at(line_ends.count());
            let block = &bytes[..length];
            // In the middle of a line, the rest of a header of ARC may look like one.
            let begins_line = !line_ends.is_empty() || matches!(block, [.., b'\r' | b'\n']);
            if after.is_empty() || begins_line && F::is_record(after) {
                let end = if after.is_empty() {
                    F::LAST_END
                } else {
                    F::END
                };
                let taken = line_ends_in(block, line_ends, end);
                if taken == 0 || digest.is_some_and(|digest| digest.matches(block)) {
                    return (length, None);
                }
                let length_found = length - taken;
                return (
                    length_found,
                    Some(record_length(start, length_found, length)),
                );
            }
        }
        let block = &bytes[..bytes.len().min(length)];
        // The first line of the next record may extend beyond the block.
        let around = &bytes[..bytes.len().min(length.saturating_add(LONGEST_LINE))];
        if let Some(next) = F::find(around).filter(|&next| next < block.len()) {
            let length_found = line::without_end(line::without_end(&block[..next])).len();
            return (
                length_found,
                Some(record_length(start, length_found, length)),
            );
        }
        let length_found = block.len();
        // The bytes after it are reported when they are reached.
        if length_found < length {
            let reason = match self.window.take_failure() {
                Some(failure) => format!("the record at byte {start} is cut off: {failure}"),
                None => format!(
                    "the record at byte {start} is cut off after {length_found} bytes, not the declared \
                 {length}"
                ),
            };
            self.unread(ReadErrorKind::Damaged, reason);
        }
        (length_found, None)
    }

    /// Skips a block that is too large for memory. The declared length is wrong if there are fewer
    /// bytes.
    fn skip_large(&mut self, start: u64, heading: &Heading, holds_html: bool) {
        let length = heading.length;
        let limit = self.limits.message;
        if holds_html {
            self.unread(
                ReadErrorKind::Limit,
                format!("the record at byte {start} is larger than {limit} bytes and is skipped"),
            );
        }
        let skipped_bytes = if length > limit as u64 {
            self.seek(length)
        } else {
            self.window.skip(length)
        };
        if skipped_bytes < length {
            let reason = match self.window.take_failure() {
                Some(failure) => format!("is cut off: {failure}"),
                None => format!("has a block of {skipped_bytes} bytes, not the declared {length}"),
            };
            self.unread(
                ReadErrorKind::Damaged,
                format!("the record at byte {start} {reason}"),
            );
        }
    }

    /// An entity for a capture without a document.
    fn only(&self, capture: Box<Capture>, heading: &Heading) -> Entity {
        let reading = BlockFormat {
            kind: EntityKind::Capture,
            markup: Markup::Html,
            charset: None,
        };
        Entity {
            capture: Some(capture),
            ..self.entity(reading, Vec::new(), None, heading)
        }
    }

    fn entity(
        &self,
        BlockFormat {
            kind,
            markup,
            charset,
        }: BlockFormat,
        bytes: Vec<u8>,
        offset: Option<u64>,
        heading: &Heading,
    ) -> Entity {
        let recorded = heading
            .url
            .clone()
            .map(|value| Declaration::new(value, Place::Retrieval(Retrieval::Record(F::URL))));
        Entity {
            kind,
            markup,
            offset,
            charset,
            declarations: recorded
                .into_iter()
                .chain(self.declarations.iter().cloned())
                .collect(),
            date: heading.date.as_deref().and_then(F::date),
            nesting: self.nesting.clone(),
            ..Entity::html(self.origin(), bytes)
        }
    }

    fn origin(&self) -> Origin {
        let is_numbered = self.range.is_none();
        Origin::new(Arc::clone(&self.input))
            .with_message(NonZeroU64::new(self.number).filter(|_| is_numbered))
            .with_offset((self.number > 0 || !is_numbered).then_some(self.begin))
    }

    /// Whether the offset of the window in the decompressed archive is known.
    fn is_counted(&self) -> bool {
        self.members.is_none() || self.range.as_ref().is_none_or(|range| range.start == 0)
    }

    fn unread_by(&mut self, failure: io::Error) {
        let error = failure::unread(self.origin(), failure);
        self.ready.push_back(Err(error));
    }

    fn unread(&mut self, kind: ReadErrorKind, reason: String) {
        let error = ReadError::new(kind, self.origin(), reason);
        self.ready.push_back(Err(error));
    }
}

/// The note on a record whose block has fewer bytes than declared.
fn record_length(start: u64, found: usize, declared: usize) -> Note {
    let detail = format!(
        "the record at byte {start} has a block of {found} bytes, not the declared {declared}"
    );
    Note::new(NoteCode::RecordLength, detail)
}

/// The number of bytes at the end of a block that are line ends from after the block, because that many
/// are missing there. A block with line ends of its own looks the same if its writer omitted those after
/// it, which the formats do not permit.
fn line_ends_in(block: &[u8], line_ends: &[u8], end: &[u8]) -> usize {
    let missing = end.strip_suffix(line_ends).unwrap_or_default();
    if block.ends_with(missing) {
        missing.len()
    } else {
        0
    }
}

/// A note if a block does not match its digest. A payload without a header around it is the block.
///
/// Departs: where the digest of the block holds, the digest of the payload is not checked. All bytes
/// are then as they were written, and crawlers differ in what they take for the payload.
fn wrong_digest(
    start: u64,
    heading: &Heading,
    reading: Option<&BlockFormat>,
    bytes: &[u8],
) -> Option<Note> {
    let Digests { block, payload } = &heading.digests;
    let is_resource = reading.is_some_and(|reading| reading.kind != EntityKind::Response);
    let payload = payload
        .as_ref()
        .filter(|_| is_resource && !heading.is_truncated && !heading.is_segment);
    let digest = block.as_ref().or(payload)?;
    (!digest.matches(bytes)).then(|| {
        Note::new(
            NoteCode::Checksum,
            format!("the record at byte {start} does not match its digest"),
        )
    })
}

/// Whether a media type stands for data without links that makes up most of an archive. No damage
/// to a few bytes turns the type of a page into one of these.
///
/// Departs: their digests are not checked. A processor without instructions for SHA-1 takes 25 of its
/// others for a byte: 1.8 times as many in total for a `.warc.gz` in which images are six sevenths.
fn is_bulk(essence: &str) -> bool {
    let kind = essence.split('/').next();
    matches!(kind, Some("image" | "audio" | "video" | "font"))
        || matches!(
            essence,
            "application/pdf" | "application/octet-stream" | "application/json" | "text/plain"
        )
        || essence.ends_with("javascript")
}

/// The way to read a block.
#[derive(Debug)]
struct BlockFormat {
    kind: EntityKind,
    markup: Markup,
    charset: Option<String>,
}

/// The content of a block, as its first bytes show it.
#[derive(Debug, Default)]
struct BlockContent {
    /// The way to read it; `None` if it holds no HTML.
    reading: Option<BlockFormat>,
    /// The media type, if it is not read.
    essence: String,
    /// The HTTP header, if only its fields are read, for their links.
    fields: Option<Vec<u8>>,
    /// Whether a server sent it.
    is_sent: bool,
    /// Why a page may be in it that is not read, as the rest of a sentence about the record.
    fault: Option<&'static str>,
}

/// Determines how to read a block that begins with `first`; `None` if its HTTP header is longer than
/// `limit` bytes.
fn block_content(
    content: &Content,
    first: &[u8],
    limit: usize,
    sheets: bool,
) -> Option<BlockContent> {
    let media = match content {
        Content::Sent(media) => media,
        Content::About(what) => {
            return Some(BlockContent {
                essence: (*what).to_owned(),
                ..BlockContent::default()
            });
        }
        Content::Unknown => {
            let holds_page = http::is_response(first) || is_page(first);
            let fault = "has no WARC-Type that the standard defines, and is not read";
            return Some(BlockContent {
                fault: holds_page.then_some(fault),
                ..BlockContent::default()
            });
        }
    };
    if http::is_response(first) {
        let heading = http::Heading::read(first, limit)?;
        let media = heading.media_type();
        let is_sheet = sheets && media.is_some_and(|media| media.essence == CSS);
        if first.len() > heading.body && (is_sheet || heading.is_html(first)) {
            return Some(BlockContent {
                reading: Some(BlockFormat {
                    kind: EntityKind::Response,
                    markup: Markup::Html,
                    charset: None,
                }),
                is_sent: true,
                ..BlockContent::default()
            });
        }
        let essence = heading.media_type().map(|media| media.essence);
        let essence = essence.unwrap_or_default();
        let is_cut = !is_bulk(&essence) && !heading.is_whole && heading.lacking(&[]).is_some();
        return Some(BlockContent {
            fields: heading.has_links().then(|| first[..heading.body].to_vec()),
            is_sent: true,
            fault: is_cut.then_some("has an HTTP header that does not end"),
            essence,
            ..BlockContent::default()
        });
    }
    let markup = match media {
        Some(media) if http::is_some_xml(&media.essence) => documents::markup_of_xml(first),
        Some(media) => Markup::from_media_type(&media.essence),
        None => is_page(first).then_some(Markup::Html),
    };
    let essence = media.as_ref().map(|media| media.essence.clone());
    let is_http = essence.as_deref() == Some("application/http") && !first.is_empty();
    let is_sheet = sheets && essence.as_deref() == Some(CSS);
    let markup = markup.or(is_sheet.then_some(Markup::Html));
    let reading = markup
        .filter(|_| !first.is_empty())
        .map(|markup| BlockFormat {
            kind: if is_sheet {
                EntityKind::StyleSheet
            } else {
                EntityKind::Resource
            },
            markup,
            charset: media.as_ref().and_then(MediaType::charset),
        });
    Some(BlockContent {
        reading,
        essence: essence.unwrap_or_default(),
        is_sent: true,
        fault: is_http.then_some("does not begin with the status line of an HTTP response"),
        fields: None,
    })
}

impl<R: Read, F: RecordFormat> Iterator for Archive<R, F> {
    type Item = Result<Entity, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        while self.ready.is_empty() && self.step() {}
        self.ready.pop_front()
    }
}

impl<R: Read, F: RecordFormat> Container for Archive<R, F> {
    fn skipped(&self) -> Skipped {
        self.skipped.clone()
    }
}
