//! The walk over the parts of a message: one pass over its lines, with a stack of open parts.
//!
//! A part ends at the next delimiter line of any multipart around it, so a missing closing
//! delimiter costs only a note. A transfer-encoded composite part is decoded and walked in place,
//! on a stack of its own. Nothing here recurses.

use std::borrow::Cow;
use std::sync::Arc;

use memchr::memmem;

use super::body::{body_range, is_message_part, stands_plain};
use super::encryption::Encryption;
use super::header_data::HeaderData;
use super::heading::{self, Field, Heading};
use super::message::Message;
use super::part::{Composite, Delimiter, Multipart, OpenPart, Stage, delimited, next_delimiter};
use super::piece::{HeadingLinks, PieceSink};
use super::scan::{Buffer, BufferLocation, Path, Scan, ScanState, ScanStep};
use super::walk_state::{Entity, Walk, named};
use baseref_document::{
    Declaration, Note, NoteCode, Origin, Part, PartKind, ReadErrorKind, ReadOptions, Section,
    Skipped,
};
use baseref_text::decode::line;
use baseref_text::decode::transfer::{self, Encoding};
use baseref_text::header::media_type::{MediaType, TransferEncoding};

/// How many declarations may be emitted with the documents of any message. A declaration in an outer
/// header counts once for each part below it.
const INHERITANCE: usize = 10_000;

/// One more is allowed per this many bytes of the message.
const BYTES_PER_DECLARATION: usize = 4;

/// The maximum decoded size of a message's transfer-encoded composite parts, as a multiple of its
/// own size.
const EXPANSION: usize = 4;

/// A composite part whose transfer encoding is to be decoded.
struct EncodedComposite {
    encoding: Encoding,
    open: OpenPart,
    /// The links that wait for the header of a message.
    outer: Option<HeadingLinks>,
}

/// The results of walking a message.
pub(super) struct WalkResult {
    /// Its parts.
    pub parts: Vec<Part>,
    /// Notes about it after its last document.
    pub notes: Vec<Note>,
    /// The parts skipped because they hold no links.
    pub skipped: Skipped,
}

/// Passes the readable parts of `message`, and errors for the others, to `sink`, in message order.
pub(super) fn walk(
    message: Message<'_>,
    options: &ReadOptions,
    sink: &mut PieceSink<'_>,
) -> WalkResult {
    let unquote = message.unquote;
    let line = message.offset.map(|_| message.line);
    let place = message
        .offset
        .map(|offset| BufferLocation::File { offset, unquote });
    let scan = Scan {
        buffer: Buffer {
            bytes: Cow::Borrowed(message.bytes),
            place: place.unwrap_or(BufferLocation::Made),
        },
        path: Path {
            open: vec![OpenPart {
                section: Section::default(),
                line,
                declarations: message.declarations.len(),
                part: 0,
                message: None,
                composite: Composite::Message,
            }],
            headings: 0,
            at: 0,
            heading: (0, line),
            state: ScanState::Entity(None),
            stored: None,
        },
    };
    let size = message.bytes.len();
    walk_from(
        scan,
        size,
        message.origin,
        message.declarations,
        options,
        sink,
    )
}

/// Does a scan, and those that it leads to, for a message of `size` bytes, which is at that place
/// with those declarations around it.
pub(super) fn walk_from(
    first: Scan<'_>,
    size: usize,
    origin: Origin,
    declarations: Vec<Declaration>,
    options: &ReadOptions,
    sink: &mut PieceSink<'_>,
) -> WalkResult {
    let mut scans = vec![first];
    let mut walk = Walk {
        options,
        origin,
        declarations,
        notes: Vec::new(),
        skipped: Skipped::default(),
        tree: vec![Part::new(
            PartKind::Message { message_id: None },
            Section::default(),
            None,
        )],
        current: 0,
        parts: 0,
        depth_noted: false,
        is_saved_page: false,
        inheritance: INHERITANCE + size / BYTES_PER_DECLARATION,
        expansion: size.saturating_mul(EXPANSION),
        sink,
    };
    while let Some(scan) = scans.last_mut() {
        match walk.step(scan) {
            ScanStep::On => {}
            ScanStep::Into(inner) => scans.push(*inner),
            ScanStep::Out => {
                scans.pop();
            }
            ScanStep::Stop => break,
        }
    }
    WalkResult {
        parts: walk.tree,
        notes: walk.notes,
        skipped: walk.skipped,
    }
}

impl Walk<'_> {
    fn step<'m>(&mut self, scan: &mut Scan<'m>) -> ScanStep<'m> {
        let Scan { buffer, path } = scan;
        match std::mem::replace(&mut path.state, ScanState::Between) {
            ScanState::Entity(around) => self.entity(buffer, path, around),
            ScanState::Between => {
                path.state = ScanState::At(next_delimiter(&buffer.bytes, path.at, &path.open));
                ScanStep::On
            }
            ScanState::At(Some(delimiter)) => {
                self.pass(buffer, path, delimiter);
                ScanStep::On
            }
            ScanState::Stored(parts) => self.next_stored(path, parts),
            ScanState::At(None) => {
                self.close_down_to(path, 0);
                ScanStep::Out
            }
        }
    }

    /// Reads the header at `path.at` and acts on what it says about the body. `outer` is the
    /// enclosing part's header with the same section number, if there is one.
    fn entity<'m>(
        &mut self,
        buffer: &Buffer<'_>,
        path: &mut Path,
        outer: Option<HeadingLinks>,
    ) -> ScanStep<'m> {
        self.parts += 1;
        if self.parts > self.options.limits.parts {
            let detail = format!(
                "the parts after the first {} are not read",
                self.options.limits.parts
            );
            self.note(NoteCode::MimeParts, detail);
            if let Some(links) = outer {
                self.emit(links);
            }
            return ScanStep::Stop;
        }
        let start = path.heading_start(&buffer.bytes);
        let heading = heading::read(&buffer.bytes, start, self.options.limits.heading, |line| {
            delimited(&path.open, line).is_some()
        });
        let entity = self.described(buffer, &heading, path);
        self.report_heading(&entity);
        let level = path.headings + path.open.len() - 1;
        if level == 0 {
            self.is_saved_page = is_saved_page(&heading);
        }
        let layers = self.declare(&entity, level);
        if self.options.metadata
            && let Some(open) = path.open.last_mut()
            && matches!(open.composite, Composite::Message)
        {
            open.message = Some(Arc::new(HeaderData::new(&heading)));
        }
        let inner = path.open.last();
        self.complete_message(inner, &heading, layers.around);
        self.add_part(&entity, layers.around, inner.map_or(0, |part| part.part));
        let mut links = outer.unwrap_or_else(|| HeadingLinks::new(&entity.section));
        links.metadata = self.metadata(&entity, &path.open);
        self.collect_links(buffer, &entity, layers, &mut links);

        if entity.media.essence.starts_with("multipart/") {
            self.emit(links);
            // RFC 3156 §4, RFC 1847 §2.2.
            if entity.media.essence == "multipart/encrypted" {
                let protocol = entity.media.parameter("protocol").unwrap_or_default();
                self.unread(
                    ReadErrorKind::Encrypted,
                    &entity.section,
                    entity.line,
                    Encryption::from_protocol(&protocol).reason(),
                );
                return self.skip(path, &entity);
            }
            match path.stored.take() {
                Some(stored) => self.stored(path, &entity, stored),
                None => self.multipart(buffer, path, &entity),
            }
        } else if entity.holds_message {
            self.message(buffer, path, &entity, links)
        } else {
            self.leaf(buffer, path, &entity, links)
        }
    }

    /// What a header says about its part; defaults by RFC 2045 §5.2 and RFC 2046 §5.1.5.
    fn described<'h, 'b>(
        &self,
        buffer: &Buffer<'_>,
        heading: &'h Heading<'b>,
        path: &Path,
    ) -> Entity<'h, 'b> {
        let inner = path.open.last();
        let composite = inner.map(|part| &part.composite);
        let types = heading
            .fields
            .iter()
            .filter(|field| field.is("Content-Type"));
        let is_repeated = types.count() > 1;
        let occurs = |boundary: Option<Vec<u8>>| {
            boundary.is_some_and(|boundary| {
                is_delimiter_in(&boundary, &buffer.bytes, heading.body, &path.open)
            })
        };
        let default = match composite {
            Some(Composite::Multipart(multipart)) if multipart.digest => "message/rfc822",
            _ => "text/plain",
        };
        let media = match heading.first("Content-Type") {
            Some(field) => MediaType::parse(field.value())
                .filter(|first| !is_repeated || occurs(first.boundary()))
                .or_else(|| other_multipart(heading, occurs))
                .or_else(|| MediaType::parse(field.value())),
            None => Some(MediaType::plain(default)),
        };
        let encoding = heading
            .first("Content-Transfer-Encoding")
            .map_or(TransferEncoding::Identity, |field| {
                TransferEncoding::parse(field.value())
            });
        let around = inner.map(|part| part.section.clone()).unwrap_or_default();
        let (section, body_section) = match composite {
            Some(Composite::Multipart(multipart)) => {
                let section = around.part(multipart.parts);
                (section.clone(), section)
            }
            Some(Composite::Stored(parts)) => {
                let section = around.part(*parts);
                (section.clone(), section)
            }
            Some(Composite::Message) | None => {
                let body_section = around.part(1);
                (around, body_section)
            }
        };
        let media = media.unwrap_or_else(|| MediaType::plain("text/plain"));
        Entity {
            holds_message: is_message_part(buffer, heading, &media, &encoding),
            heading,
            media,
            encoding,
            section,
            body_section,
            line: path.heading.1,
            outside: self.declarations.len(),
        }
    }

    fn report_heading(&mut self, entity: &Entity<'_, '_>) {
        if let Some(unfolded) = entity.heading.unfolded {
            let line = entity.line.map(|line| line + unfolded.line);
            let detail = format!(
                "lines that begin with a parameter but are not folded belong to the field before \
                 them: {}",
                unfolded.count
            );
            self.note_at(NoteCode::HeadingLines, &entity.section, line, &detail);
        }
        if let Some(strays) = entity.heading.strays {
            let line = entity.line.map(|line| line + strays.line);
            let detail = format!(
                "lines of the header that are not header fields are skipped: {}",
                strays.count
            );
            self.note_at(NoteCode::HeadingLines, &entity.section, line, &detail);
        }
        if entity.heading.cut {
            let detail = format!(
                "{}: the header fields beyond {} bytes are not read",
                named(&entity.section),
                self.options.limits.heading
            );
            self.note(NoteCode::HeadingSize, detail);
        }
    }

    /// Opens a multipart, or says why it is not read.
    fn multipart<'m>(
        &mut self,
        buffer: &Buffer<'_>,
        path: &mut Path,
        entity: &Entity<'_, '_>,
    ) -> ScanStep<'m> {
        let Some(boundary) = entity.media.boundary() else {
            let reason = "the multipart has no boundary parameter and is not read";
            self.unread(ReadErrorKind::Damaged, &entity.section, entity.line, reason);
            return self.skip(path, entity);
        };
        if is_blank(buffer, path, entity.heading.body) {
            let detail = "the multipart has no parts";
            self.note_at(
                NoteCode::BoundaryUnclosed,
                &entity.section,
                entity.line,
                detail,
            );
            return self.skip(path, entity);
        }
        if self.is_too_deep(path, &entity.section) {
            return self.skip(path, entity);
        }
        let multipart = Composite::Multipart(Multipart {
            boundary,
            digest: entity.media.essence == "multipart/digest",
            parts: 0,
            stage: Stage::Preamble,
        });
        let opened = self.opened(entity, &entity.section, multipart, &path.open);
        path.open.push(opened);
        path.at = entity.heading.body;
        path.state = ScanState::Between;
        let TransferEncoding::Encoded(encoding) = entity.encoding else {
            return ScanStep::On;
        };
        let own = path.open.len() - 1;
        let first = next_delimiter(&buffer.bytes, path.at, &path.open);
        let in_plain = first.is_some_and(|delimiter| {
            delimiter.of == own && stands_plain(&buffer.bytes, delimiter.next, encoding)
        });
        if in_plain {
            self.note_label(entity, encoding);
            path.state = ScanState::At(first);
            return ScanStep::On;
        }
        match path.open.pop() {
            Some(open) => self.decode_composite(
                buffer,
                path,
                entity,
                EncodedComposite {
                    encoding,
                    open,
                    outer: None,
                },
            ),
            None => ScanStep::On,
        }
    }

    /// Opens an embedded message. The links of the part's header are merged into those of the message's
    /// own header where both have the same section number.
    fn message<'m>(
        &mut self,
        buffer: &Buffer<'_>,
        path: &mut Path,
        entity: &Entity<'_, '_>,
        links: HeadingLinks,
    ) -> ScanStep<'m> {
        if self.is_too_deep(path, &entity.body_section) {
            self.emit(links);
            return self.skip(path, entity);
        }
        let outer = self.kept_for(&entity.body_section, links);
        self.add_message(&entity.body_section);
        let open = self.opened(entity, &entity.body_section, Composite::Message, &path.open);
        if let TransferEncoding::Encoded(encoding) = entity.encoding {
            if !stands_plain(&buffer.bytes, entity.heading.body, encoding) {
                return self.decode_composite(
                    buffer,
                    path,
                    entity,
                    EncodedComposite {
                        encoding,
                        open,
                        outer,
                    },
                );
            }
            self.note_label(entity, encoding);
        }
        path.open.push(open);
        path.at = entity.heading.body;
        path.state = ScanState::Entity(outer);
        ScanStep::On
    }

    pub fn opened(
        &self,
        entity: &Entity<'_, '_>,
        section: &Section,
        composite: Composite,
        around: &[OpenPart],
    ) -> OpenPart {
        OpenPart {
            section: section.clone(),
            line: entity.line,
            declarations: self.declarations.len(),
            part: self.current,
            message: around.last().and_then(|part| part.message.clone()),
            composite,
        }
    }

    /// Decodes a composite part, to be walked before what follows it; a message takes along the
    /// links that wait for its header.
    fn decode_composite<'m>(
        &mut self,
        buffer: &Buffer<'_>,
        path: &mut Path,
        entity: &Entity<'_, '_>,
        encoded: EncodedComposite,
    ) -> ScanStep<'m> {
        let EncodedComposite {
            encoding,
            open,
            outer,
        } = encoded;
        let end = next_delimiter(&buffer.bytes, entity.heading.body, &path.open);
        path.state = ScanState::At(end);
        let body = body_range(&buffer.bytes, entity.heading.body, end);
        let decoded = transfer::decode(encoding, &buffer.stored(body.clone()));
        self.report_faults(buffer, path, entity, &body, encoding, decoded.faults);
        let Some(left) = self.expansion.checked_sub(decoded.bytes.len()) else {
            let reason = format!(
                "nested transfer encodings decode to more than {EXPANSION} times the message"
            );
            self.unread(ReadErrorKind::Limit, &entity.section, entity.line, reason);
            if let Some(links) = outer {
                self.emit(links);
            }
            self.declarations.truncate(entity.outside);
            return ScanStep::On;
        };
        self.expansion = left;
        let section = named(&entity.section);
        let detail = format!("{section} is composite and encoded in {}", encoding.name());
        self.note(NoteCode::CompositeEncoded, detail);
        let state = match open.composite {
            Composite::Message => ScanState::Entity(outer),
            Composite::Multipart(_) | Composite::Stored(_) => ScanState::Between,
        };
        ScanStep::Into(Box::new(Scan {
            buffer: Buffer {
                bytes: Cow::Owned(decoded.bytes),
                place: match buffer.in_file(body) {
                    Some(range) => BufferLocation::Encoded {
                        range,
                        line: entity.line.or(buffer.line()),
                    },
                    None => BufferLocation::Made,
                },
            },
            path: Path {
                open: vec![open],
                headings: path.headings + path.open.len(),
                at: 0,
                heading: (0, None),
                state,
                stored: None,
            },
        }))
    }

    /// Skips a part that is not read.
    pub fn skip<'m>(&mut self, path: &mut Path, entity: &Entity<'_, '_>) -> ScanStep<'m> {
        self.declarations.truncate(entity.outside);
        path.at = entity.heading.body;
        path.state = ScanState::Between;
        ScanStep::On
    }

    pub fn is_too_deep(&mut self, path: &Path, section: &Section) -> bool {
        let too_deep = path.headings + path.open.len() > self.options.limits.mime_depth;
        if too_deep && !self.depth_noted {
            self.depth_noted = true;
            let detail = format!(
                "{}: parts nested more than {} deep are not read",
                named(section),
                self.options.limits.mime_depth
            );
            self.note(NoteCode::MimeDepth, detail);
        }
        too_deep
    }

    /// Goes past a delimiter line: closes what is open inside its multipart, and begins its next
    /// part or its epilogue. Of consecutive delimiter lines, which by the grammar have no part
    /// between them, the last counts.
    fn pass(&mut self, buffer: &Buffer<'_>, path: &mut Path, delimiter: Delimiter) {
        self.close_down_to(path, delimiter.of + 1);
        let Delimiter {
            of,
            mut closing,
            mut next,
            ..
        } = delimiter;
        while !closing && next < buffer.bytes.len() {
            let (end, after) = line::end(&buffer.bytes, next);
            match delimited(&path.open, &buffer.bytes[next..end]) {
                Some((same, closes)) if same == of => (closing, next) = (closes, after),
                _ => break,
            }
        }
        path.at = next;
        path.state = if closing {
            ScanState::Between
        } else {
            ScanState::Entity(None)
        };
        let Some(part) = path.open.last_mut() else {
            return;
        };
        self.declarations.truncate(part.declarations);
        if let Composite::Multipart(multipart) = &mut part.composite {
            multipart.stage = if closing {
                Stage::Epilogue
            } else {
                Stage::Parts
            };
            multipart.parts = multipart.parts.saturating_add(u32::from(!closing));
        }
    }

    /// Closes all open parts but the outermost `left`.
    fn close_down_to(&mut self, path: &mut Path, left: usize) {
        for part in path.open.drain(left..).rev() {
            let Composite::Multipart(multipart) = part.composite else {
                continue;
            };
            if multipart.stage == Stage::Preamble {
                let reason = "the boundary of the multipart never appears: its body is not read";
                self.unread(ReadErrorKind::Damaged, &part.section, part.line, reason);
            }
        }
    }

    fn note_label(&mut self, entity: &Entity<'_, '_>, encoding: Encoding) {
        let section = named(&entity.section);
        let detail = format!(
            "{section} is declared as {} but is not encoded",
            encoding.name()
        );
        self.note(NoteCode::CompositeEncoded, detail);
    }
}

/// Whether the header is one that browsers write around a page: they name themselves as the sender, or
/// record the URL of the page.
fn is_saved_page(heading: &Heading<'_>) -> bool {
    let from = heading.first("From").map(Field::value).unwrap_or_default();
    let from = from.trim_ascii_start();
    let from = from
        .strip_prefix(b"<")
        .or(from.strip_prefix(b"\""))
        .unwrap_or(from);
    from.starts_with(b"Saved by") || heading.first("Snapshot-Content-Location").is_some()
}

/// The first multipart that one of several `Content-Type` fields announces and whose boundary `occurs` in
/// the body. RFC 2045 §3 allows one field; where a gateway added another, the body tells which is right.
fn other_multipart(
    heading: &Heading<'_>,
    occurs: impl Fn(Option<Vec<u8>>) -> bool,
) -> Option<MediaType> {
    let types = heading
        .fields
        .iter()
        .filter(|field| field.is("Content-Type"));
    let mut types = types.filter_map(|field| MediaType::parse(field.value()));
    types.find(|media| media.essence.starts_with("multipart/") && occurs(media.boundary()))
}

/// Whether a body that begins at `start` has a delimiter line with this boundary before it ends.
fn is_delimiter_in(boundary: &[u8], bytes: &[u8], start: usize, open: &[OpenPart]) -> bool {
    let end = next_delimiter(bytes, start, open).map_or(bytes.len(), |delimiter| delimiter.at);
    let delimiter = [b"--", boundary].concat();
    let body = bytes.get(start..end).unwrap_or_default();
    memmem::find_iter(body, &delimiter).any(|at| {
        let rest = &body[at + delimiter.len()..];
        let begins_line = at == 0 || matches!(body[at - 1], b'\n' | b'\r');
        begins_line && rest.first().is_none_or(u8::is_ascii_whitespace)
    })
}

/// Whether a body that begins at `start` is empty up to the end or to a delimiter of an open part
/// around it.
fn is_blank(buffer: &Buffer<'_>, path: &Path, start: usize) -> bool {
    let bytes = buffer.bytes.get(start..).unwrap_or_default();
    let text = bytes.trim_ascii_start();
    let (end, _) = line::end(text, 0);
    text.is_empty() || delimited(&path.open, &text[..end]).is_some()
}
