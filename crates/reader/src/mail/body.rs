//! Recognises the content of bodies and decodes their transfer encoding.

use std::borrow::Cow;
use std::ops::Range;

use super::attached::is_file;
use super::cms::{self, Cms};
use super::encryption::{self, Encryption};
use super::heading::{self, FIELD_SIZE, Heading};
use super::metadata::filename;
use super::part::{Delimiter, delimited, next_delimiter};
use super::piece::{HeadingLinks, Lead, LeafKind, Piece};
use super::scan::{Buffer, BufferLocation, Path, ScanState, ScanStep};
use super::stored_part::{Problem, StoredPart, StoredParts};
use super::walk_state::{Entity, Layers, Walk, named};
use baseref_document::link_places::Class;
use baseref_document::{Declaration, NoteCode, ReadErrorKind, Section};
use baseref_html::text::plain::Layout;
use baseref_text::decode::encoding;
use baseref_text::decode::line;
use baseref_text::decode::sniff;
use baseref_text::decode::source::{Markup, MarkupSource};
use baseref_text::decode::transfer::{self, Encoding, Faults};
use baseref_text::decode::utf_7;
use baseref_text::header::media_type::{EXTERNAL_BODY, MediaType, TransferEncoding};

impl Walk<'_> {
    /// Reads a part without inner parts, if it can hold links.
    pub fn leaf<'m>(
        &mut self,
        buffer: &Buffer<'_>,
        path: &mut Path,
        entity: &Entity<'_, '_>,
        links: HeadingLinks,
    ) -> ScanStep<'m> {
        let end = next_delimiter(&buffer.bytes, entity.heading.body, &path.open);
        let body = body_range(&buffer.bytes, entity.heading.body, end);
        let encryption = encryption::detect(entity, &buffer.bytes[body.clone()]);
        if let Some(encryption) = encryption {
            let reason = encryption.reason();
            self.unread(
                ReadErrorKind::Encrypted,
                &entity.body_section,
                entity.line,
                reason,
            );
        }
        // Text around an encrypted block is read.
        let is_text = entity.media.essence.starts_with("text/");
        if encryption.is_some() && !is_text {
            self.emit(links);
        } else if let Some(kind) = self.leaf_kind(buffer, entity, body.clone()) {
            if path.is_unclosed(end) {
                let section = named(&entity.body_section);
                let detail = format!("{section} ends without the delimiter of its multipart");
                self.note(NoteCode::BoundaryUnclosed, detail);
            }
            self.read_leaf(kind, buffer, path, entity, body, links);
        } else if let Some(stored) = self
            .tnef(buffer, path, entity, body.clone())
            .or_else(|| self.s_mime(buffer, path, entity, body.clone()))
        {
            self.emit(links);
            path.state = ScanState::At(end);
            return self.stored_leaf(path, entity, stored);
        } else if is_file(buffer, entity, body.clone()) {
            self.attach(buffer, path, entity, body, links);
        } else if entity.media.essence == EXTERNAL_BODY {
            self.phantom(buffer, path, entity, links);
        } else if entity.media.essence == FEEDBACK_REPORT {
            self.feedback_report(buffer, path, entity, body, links);
        } else {
            match entity.media.essence.as_str() {
                "text/plain" => self.skipped.texts += 1,
                // The part around it is reported.
                "application/pgp-encrypted" => {}
                essence if is_text_part(essence) => {}
                essence => self.skipped.count(essence),
            }
            self.emit(links);
        }
        self.declarations.truncate(entity.outside);
        path.state = ScanState::At(end);
        ScanStep::On
    }

    /// Reads the header in the body of a message/external-body (RFC 2046 §5.2.3, "phantom body"). It
    /// belongs to a body stored elsewhere, whose URL is a parameter in the part's own header (RFC 2017).
    fn phantom(
        &mut self,
        buffer: &Buffer<'_>,
        path: &mut Path,
        entity: &Entity<'_, '_>,
        links: HeadingLinks,
    ) {
        let metadata = links.metadata.clone();
        let outer = self.kept_for(&entity.body_section, links);
        path.at = entity.heading.body;
        let start = path.heading_start(&buffer.bytes);
        let limit = self.options.limits.heading;
        let heading = heading::read(&buffer.bytes, start, limit, |line| {
            delimited(&path.open, line).is_some()
        });
        let phantom = Entity {
            heading: &heading,
            media: MediaType::plain(""),
            encoding: TransferEncoding::Identity,
            holds_message: false,
            section: entity.body_section.clone(),
            body_section: entity.body_section.clone(),
            line: path.heading.1,
            outside: self.declarations.len(),
        };
        let layers = self.declare(&phantom, path.headings + path.open.len());
        self.add_part(&phantom, layers.around, self.current);
        let mut links = outer.unwrap_or_else(|| HeadingLinks::new(&phantom.section));
        links.metadata = metadata;
        self.collect_links(buffer, &phantom, layers, &mut links);
        self.emit(links);
    }

    /// Reads the fields in the body of a report on abuse, which has the URLs that it is about (RFC 5965
    /// §3.2).
    fn feedback_report(
        &mut self,
        buffer: &Buffer<'_>,
        path: &Path,
        entity: &Entity<'_, '_>,
        body: Range<usize>,
        mut links: HeadingLinks,
    ) {
        let is_verbatim = matches!(entity.encoding, TransferEncoding::Identity);
        let (start, line) = path.heading;
        let report = match self.decode_leaf(buffer, path, entity, body.clone()) {
            Cow::Borrowed(_) if is_verbatim => Buffer {
                bytes: Cow::Borrowed(&buffer.bytes[..body.end]),
                place: match &buffer.place {
                    BufferLocation::File { offset, unquote } => BufferLocation::File {
                        offset: *offset,
                        unquote: *unquote,
                    },
                    BufferLocation::Encoded { .. } | BufferLocation::Made => BufferLocation::Made,
                },
            },
            decoded => Buffer {
                bytes: decoded,
                place: BufferLocation::Made,
            },
        };
        let (at, line) = if is_verbatim {
            let before = line::count(&buffer.bytes[start..body.start]);
            (body.start, line.map(|line| line + before))
        } else {
            (0, None)
        };
        let limit = self.options.limits.heading;
        let heading = heading::read(&report.bytes, at, limit, |_| false);
        let fields = Entity {
            heading: &heading,
            media: MediaType::plain(FEEDBACK_REPORT),
            encoding: TransferEncoding::Identity,
            holds_message: false,
            section: entity.section.clone(),
            body_section: entity.body_section.clone(),
            line,
            outside: self.declarations.len(),
        };
        let count = self.declarations.len();
        let layers = Layers {
            around: count,
            with_bases: count,
            own: count,
        };
        self.collect_links(&report, &fields, layers, &mut links);
        self.emit(links);
    }

    /// The content of an S/MIME part that is signed and not encrypted; `None` if the part is none.
    fn s_mime(
        &mut self,
        buffer: &Buffer<'_>,
        path: &Path,
        entity: &Entity<'_, '_>,
        body: Range<usize>,
    ) -> Option<StoredParts> {
        if !is_s_mime(entity) {
            return None;
        }
        let decoded = self.decode_leaf(buffer, path, entity, body);
        let unread = |kind, reason: &str| StoredParts {
            problems: vec![Problem::Unread(kind, reason.to_owned())],
            ..StoredParts::default()
        };
        let limit = || {
            unread(
                ReadErrorKind::Limit,
                "the signed parts in each other are too large",
            )
        };
        Some(match cms::read(&decoded)? {
            Cms::Encrypted => unread(ReadErrorKind::Encrypted, Encryption::SMime.reason()),
            Cms::Compressed => unread(
                ReadErrorKind::Format,
                "the part is compressed by S/MIME and is not read",
            ),
            Cms::Signed { content, is_whole } => match self.expansion.checked_sub(content.len()) {
                None => limit(),
                Some(left) => {
                    self.expansion = left;
                    let mut stored = if is_whole {
                        StoredParts::default()
                    } else {
                        unread(ReadErrorKind::Damaged, "the signed content is truncated")
                    };
                    stored.parts.push(StoredPart {
                        bytes: content,
                        inner: None,
                    });
                    stored
                }
            },
        })
    }

    /// How to read a part; `None` if it is not read.
    fn leaf_kind(
        &self,
        buffer: &Buffer<'_>,
        entity: &Entity<'_, '_>,
        body: Range<usize>,
    ) -> Option<LeafKind> {
        let classes = self.options.classes;
        let has_anchors = classes.contains(Class::Anchor);
        let stored = &buffer.bytes[body.clone()];
        if has_anchors && is_shortcut(entity, stored) {
            return Some(LeafKind::Shortcut);
        }
        match entity.media.essence.as_str() {
            "text/calendar" | "application/ics" if has_anchors || classes.contains(Class::Text) => {
                Some(LeafKind::Calendar)
            }
            essence if Markup::from_media_type(essence).is_some() => Some(self.html_leaf(entity)),
            "text/htm" | "text/x-amp-html" => Some(self.html_leaf(entity)),
            "text/plain" if classes.contains(Class::Text) => {
                Some(LeafKind::Text(layout(&entity.media)))
            }
            // Programs before MIME put files into the text.
            "text/plain" if holds_files(&buffer.bytes[body]) => {
                Some(LeafKind::Text(layout(&entity.media)))
            }
            "text/css" if classes.contains(Class::Resource) => Some(LeafKind::StyleSheet),
            UNTYPED => {
                let Entity {
                    heading,
                    media,
                    encoding,
                    ..
                } = entity;
                let seen = untyped(buffer, heading, media, encoding);
                match seen? {
                    SniffedType::Html => Some(LeafKind::Page),
                    SniffedType::Calendar if has_anchors => Some(LeafKind::Calendar),
                    SniffedType::Calendar | SniffedType::Message => None,
                }
            }
            _ => None,
        }
    }

    /// How an HTML part is read.
    fn html_leaf(&self, entity: &Entity<'_, '_>) -> LeafKind {
        let field = entity.heading.first("Content-Disposition");
        let field = field.filter(|field| field.value().len() <= FIELD_SIZE);
        let disposition = field.and_then(|field| MediaType::parse_disposition(field.value()));
        let is_attached = disposition.is_some_and(|found| found.essence == "attachment");
        if self.is_saved_page || is_attached {
            LeafKind::Page
        } else {
            LeafKind::Html
        }
    }

    fn read_leaf(
        &mut self,
        kind: LeafKind,
        buffer: &Buffer<'_>,
        path: &Path,
        entity: &Entity<'_, '_>,
        body: Range<usize>,
        links: HeadingLinks,
    ) {
        // The header of a message's only part is the message's own, not a part's.
        let links = self.kept_for(&entity.body_section, links);
        let Some(declarations) = self.inherited(&entity.body_section, entity.line) else {
            return;
        };
        let part_byte = buffer.in_file(body.clone());
        let mut decoded = self.decode_leaf(buffer, path, entity, body);
        let mut charset = entity.media.charset();
        if self.options.encoding.is_none() && is_utf_7(charset.as_deref(), kind, &decoded) {
            decoded = Cow::Owned(self.without_utf_7(entity, &decoded));
            charset = Some("utf-8".to_owned());
        }
        if charset.as_deref().is_some_and(is_utf_16) && is_plain_ascii(&decoded) {
            let detail = "is declared as UTF-16 but is ASCII: read as ASCII";
            self.note_at(NoteCode::Charset, &entity.body_section, entity.line, detail);
            charset = None;
        }
        let source = MarkupSource {
            markup: Markup::from_media_type(&entity.media.essence).unwrap_or_default(),
            bytes: &decoded,
            origin: self.origin_of(&entity.body_section),
            part_byte,
            charset: charset.as_deref(),
            declarations,
        };
        let lead = Lead {
            notes: std::mem::take(&mut self.notes),
            references: links.map(|links| links.references).unwrap_or_default(),
            part: self.current,
            metadata: self.metadata(entity, &path.open),
        };
        self.sink.add(Piece::Leaf { source, kind, lead });
    }

    /// Converts a text from UTF-7 to UTF-8, with a note: other readers do not know UTF-7.
    fn without_utf_7(&mut self, entity: &Entity<'_, '_>, text: &[u8]) -> Vec<u8> {
        let utf_7::Utf7Text { text, malformed } = utf_7::decode(text);
        let faults = match malformed {
            0 => String::new(),
            malformed => format!(", of which {malformed} sequences are malformed"),
        };
        let detail = format!("is UTF-7{faults}: positions are those in the text decoded from it");
        self.note_at(
            NoteCode::Charset,
            &entity.body_section,
            entity.line,
            &detail,
        );
        text.into_bytes()
    }

    /// The declarations around the document about to be emitted; `None`, with an error in its
    /// place, if they exceed the limit over all documents.
    pub fn inherited(&mut self, section: &Section, line: Option<u64>) -> Option<Vec<Declaration>> {
        let Some(left) = self.inheritance.checked_sub(self.declarations.len()) else {
            let reason = "the base fields around all parts are too many for the size of the \
                          message: the part is not read";
            self.unread(ReadErrorKind::Limit, section, line, reason);
            return None;
        };
        self.inheritance = left;
        Some(self.declarations.clone())
    }

    /// The body of a part, transfer-decoded as far as possible.
    pub fn decode_leaf<'s>(
        &mut self,
        buffer: &'s Buffer<'_>,
        path: &Path,
        entity: &Entity<'_, '_>,
        body: Range<usize>,
    ) -> Cow<'s, [u8]> {
        let stored = buffer.stored(body.clone());
        let detail = match &entity.encoding {
            TransferEncoding::Identity => return stored,
            TransferEncoding::Unknown(token) => {
                let token: String = token.escape_debug().take(40).collect();
                format!("the transfer encoding {token} is unknown: read undecoded")
            }
            TransferEncoding::Encoded(encoding) => {
                let decoded = transfer::decode(*encoding, &stored);
                if decoded.plausible {
                    self.report_faults(buffer, path, entity, &body, *encoding, decoded.faults);
                    return Cow::Owned(decoded.bytes);
                }
                let name = encoding.name();
                format!("is declared as {name} but is not: read undecoded")
            }
        };
        let code = NoteCode::EncodingWrong;
        self.note_at(code, &entity.body_section, entity.line, &detail);
        stored
    }

    /// Reports the faults of a transfer-encoded body.
    pub fn report_faults(
        &mut self,
        buffer: &Buffer<'_>,
        path: &Path,
        entity: &Entity<'_, '_>,
        body: &Range<usize>,
        encoding: Encoding,
        faults: Faults,
    ) {
        let (start, line) = path.heading;
        let line_of = |at: usize| Some(line? + line::count(&buffer.bytes[start..at.min(body.end)]));
        if faults.strays > 0 {
            let what = match encoding {
                Encoding::Base64 => "bytes that are not base64 are skipped",
                Encoding::QuotedPrintable => "equals signs that begin no escape are kept",
                Encoding::Uuencode => "lines that are not uuencoded are skipped",
            };
            self.note_at(
                NoteCode::EncodingStrays,
                &entity.body_section,
                line_of(body.start + faults.first),
                &format!("{what}: {}", faults.strays),
            );
        }
        // Some programs leave out the padding, but not also the last delimiter.
        let is_cut = faults.unpadded && {
            let end = next_delimiter(&buffer.bytes, body.start, &path.open);
            end.is_none() && path.is_unclosed(end)
        };
        if faults.unpadded && !is_cut {
            self.note_at(
                NoteCode::EncodingStrays,
                &entity.body_section,
                line_of(body.end),
                "the base64 lacks its padding",
            );
        }
        if faults.truncated || is_cut {
            let reason = match encoding {
                Encoding::Uuencode => "the uuencoded file is truncated",
                _ => "the base64 ends inside a group of four",
            };
            self.unread(
                ReadErrorKind::Damaged,
                &entity.body_section,
                line_of(body.end),
                reason,
            );
        }
    }
}

/// Whether a part is one of S/MIME by its type or, as many programs send it, by its name (RFC 8551
/// §3.9).
fn is_s_mime(entity: &Entity<'_, '_>) -> bool {
    match entity.media.essence.as_str() {
        "application/pkcs7-mime" | "application/x-pkcs7-mime" => true,
        "application/octet-stream" => {
            let disposition = entity.heading.first("Content-Disposition");
            let disposition =
                disposition.and_then(|field| MediaType::parse_disposition(field.value()));
            let name = filename(disposition.as_ref(), &entity.media).unwrap_or_default();
            let extension = name.rsplit_once('.').map(|(_, extension)| extension);
            extension.is_some_and(|extension| {
                ["p7m", "p7z"]
                    .iter()
                    .any(|own| extension.eq_ignore_ascii_case(own))
            })
        }
        _ => false,
    }
}

/// The media type of a report on abuse (RFC 5965 §2).
const FEEDBACK_REPORT: &str = "message/feedback-report";

/// The media type of a file of unknown type (RFC 2046 §4.5.1).
const UNTYPED: &str = "application/octet-stream";

/// The content of a part without a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SniffedType {
    Html,
    Calendar,
    Message,
}

/// Whether a part holds a message, by its type or, since many programs attach messages as files without
/// a type, by its content. The first of several fragments (RFC 2046 §5.2.2) contains the header of the
/// whole message.
pub(super) fn is_message_part(
    buffer: &Buffer<'_>,
    heading: &Heading<'_>,
    media: &MediaType,
    encoding: &TransferEncoding,
) -> bool {
    match media.essence.as_str() {
        UNTYPED => untyped(buffer, heading, media, encoding) == Some(SniffedType::Message),
        "message/partial" => {
            let number = media.parameter("number");
            number.is_none_or(|number| number.trim_ascii() == b"1")
        }
        essence => is_message(essence),
    }
}

/// Whether parts of a type hold a message that is read. An HTTP message (RFC 9112 §10.1) is read as
/// one after its first line.
fn is_message(essence: &str) -> bool {
    matches!(
        essence,
        "message/rfc822" | "message/global" | "message/news" | "message/http" | "application/http"
    )
}

/// Whether a part is an Internet shortcut, by its first bytes: shortcuts have no media type.
fn is_shortcut(entity: &Entity<'_, '_>, stored: &[u8]) -> bool {
    /// Enough encoded bytes to reach the name of the section after a few others.
    const LOOKED_AT: usize = 512;
    let essence = &entity.media.essence;
    let can_be = essence.starts_with("application/") || essence.starts_with("text/");
    if !can_be || essence == "text/html" {
        return false;
    }
    let stored = &stored[..stored.len().min(LOOKED_AT)];
    let head = match &entity.encoding {
        TransferEncoding::Encoded(encoding) => {
            Cow::Owned(transfer::decode(*encoding, stored).bytes)
        }
        _ => Cow::Borrowed(stored),
    };
    // Sections rarely precede it; most often `[{…}]` with properties does.
    let head = sniff::skip_white_space(&head);
    let is_section = head.starts_with(b"[") || head.starts_with(b"\xEF\xBB\xBF[");
    is_section && sniff::contains_tag(head, b"[internetshortcut]")
}

/// The content of a part without a type, by its file name or its first bytes.
fn untyped(
    buffer: &Buffer<'_>,
    heading: &Heading<'_>,
    media: &MediaType,
    encoding: &TransferEncoding,
) -> Option<SniffedType> {
    let disposition = heading.first("Content-Disposition");
    let disposition = disposition.and_then(|field| MediaType::parse_disposition(field.value()));
    let name = filename(disposition.as_ref(), media).unwrap_or_default();
    let extension = name.rsplit_once('.').map(|(_, extension)| extension);
    match extension.map(str::to_ascii_lowercase).as_deref() {
        Some("html" | "htm" | "xhtml" | "xht" | "shtml") => return Some(SniffedType::Html),
        Some("ics") => return Some(SniffedType::Calendar),
        Some("eml" | "mht" | "mhtml") => return Some(SniffedType::Message),
        _ => {}
    }
    let stored = buffer.bytes.get(heading.body..).unwrap_or_default();
    let stored = &stored[..stored.len().min(2 * sniff::HEAD)];
    let head = match encoding {
        TransferEncoding::Encoded(encoding) => {
            Cow::Owned(transfer::decode(*encoding, stored).bytes)
        }
        _ => Cow::Borrowed(stored),
    };
    let head = sniff::skip_white_space(&head[..head.len().min(sniff::HEAD)]);
    if sniff::is_html(head) {
        return Some(SniffedType::Html);
    }
    (extension.is_none() && sniff::is_heading(head)).then_some(SniffedType::Message)
}

/// Whether parts of a type are read when their links are requested, and so are not counted as skipped.
fn is_text_part(essence: &str) -> bool {
    matches!(essence, "text/plain" | "text/css")
}

/// Whether a text contains uuencoded files.
fn holds_files(text: &[u8]) -> bool {
    transfer::uuencoded_files(text).next().is_some()
}

/// Whether a part is declared as UTF-7: by its header, or if that names no charset, by the document.
fn is_utf_7(charset: Option<&str>, kind: LeafKind, text: &[u8]) -> bool {
    match charset {
        Some(label) => utf_7::is_label(label),
        None => {
            matches!(kind, LeafKind::Html | LeafKind::Page)
                && encoding::declares(text, utf_7::is_label)
        }
    }
}

fn is_utf_16(label: &str) -> bool {
    let label = label.trim_ascii().to_ascii_lowercase();
    label.starts_with("utf-16") || label.starts_with("utf16")
}

/// Whether a text is plain ASCII. UTF-16 would have a zero byte at least in each line end: lines end
/// with CR LF in every charset (RFC 2046 §4.1.1).
fn is_plain_ascii(text: &[u8]) -> bool {
    !text.is_empty() && text.is_ascii() && memchr::memchr(0, text).is_none()
}

/// RFC 3676 §4: `DelSp` matters only in flowed text.
fn layout(media: &MediaType) -> Layout {
    let says = |name, wanted: &str| {
        let value = media.parameter(name);
        value.is_some_and(|value| value.trim_ascii().eq_ignore_ascii_case(wanted.as_bytes()))
    };
    if says("format", "flowed") && says("delsp", "yes") {
        Layout::FlowedDelSp
    } else {
        Layout::Fixed
    }
}

/// A body without the line end that belongs to the delimiter after it (RFC 2046 §5.1.1).
pub(super) fn body_range(bytes: &[u8], start: usize, end: Option<Delimiter>) -> Range<usize> {
    let Some(delimiter) = end else {
        return start..bytes.len();
    };
    start..start + line::without_end(&bytes[start..delimiter.at]).len()
}

/// Whether there is an unencoded header at `start`, where the body should be in `encoding`.
pub(super) fn stands_plain(bytes: &[u8], start: usize, encoding: Encoding) -> bool {
    const LOOKED_AT: usize = 4096;
    let start = heading::start_of_message(bytes, start);
    let (first_end, _) = line::end(bytes, start);
    if encoding == Encoding::Base64 {
        return heading::field_name(&bytes[start..first_end]).is_some();
    }
    // In quoted-printable, the equals sign of `charset=utf-8` would be `=3D`.
    let mut end = start;
    while end < bytes.len() && end - start < LOOKED_AT {
        let (line_end, next) = line::end(bytes, end);
        if line_end == end {
            break;
        }
        end = next;
    }
    transfer::quoted_printable(&bytes[start..end]).faults.strays > 0
}
