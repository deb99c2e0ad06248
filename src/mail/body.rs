//! Bodies: what they are in the file, and out of their transfer encoding.

use std::borrow::Cow;
use std::ops::Range;

use super::heading;
use super::part::{Delimiter, delimited, next_delimiter};
use super::scan::{Buffer, Path, State};
use super::walk::{Entity, Walk, named};
use super::{HeadingLinks, Lead, Leaf, Piece};
use crate::decode::line;
use crate::decode::source::{Markup, Source};
use crate::decode::transfer::{self, Encoding, Faults};
use crate::document::{Declaration, NoteCode, Section};
use crate::error::ReadErrorKind;
use crate::header::media_type::{EXTERNAL_BODY, MediaType, TransferEncoding};
use crate::slots::Class;
use crate::text::plain::Layout;

impl Walk<'_> {
    /// Reads a part that holds no parts, if links can stand in it.
    pub fn leaf(
        &mut self,
        buffer: &Buffer<'_>,
        path: &mut Path,
        entity: &Entity<'_, '_>,
        links: HeadingLinks,
    ) {
        let end = next_delimiter(&buffer.bytes, entity.heading.body, &path.open);
        if let Some(kind) = self.leaf_kind(&entity.media) {
            let body = body_range(&buffer.bytes, entity.heading.body, end);
            if path.is_unclosed(end) {
                let section = named(&entity.body_section);
                let detail = format!("{section} ends without the delimiter of its multipart");
                self.note(NoteCode::BoundaryUnclosed, detail);
            }
            self.read_leaf(kind, buffer, path, entity, body, links);
        } else if entity.media.essence == EXTERNAL_BODY {
            self.phantom(buffer, path, entity, links);
        } else {
            self.emit(links);
        }
        self.declarations.truncate(entity.outside);
        path.state = State::At(end);
    }

    /// Reads the heading in the body of a message/external-body, which is that of a body that
    /// stands elsewhere (RFC 2046 §5.2.3, "phantom body"); the URL of that is a parameter of the
    /// part's own heading (RFC 2017).
    fn phantom(
        &mut self,
        buffer: &Buffer<'_>,
        path: &mut Path,
        entity: &Entity<'_, '_>,
        links: HeadingLinks,
    ) {
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
            section: entity.body_section.clone(),
            body_section: entity.body_section.clone(),
            line: path.heading.1,
            outside: self.declarations.len(),
        };
        let around = self.declare(&phantom, path.headings + path.open.len());
        self.add_part(&phantom, around, self.current);
        let mut links = outer.unwrap_or_else(|| HeadingLinks::of(&phantom.section));
        self.collect_links(buffer, &phantom, around, &mut links);
        self.emit(links);
    }

    /// How a part is read; `None` if it is not.
    fn leaf_kind(&self, media: &MediaType) -> Option<Leaf> {
        match media.essence.as_str() {
            essence if Markup::of_media_type(essence).is_some() => Some(Leaf::Html),
            "text/plain" if self.options.classes.contains(Class::Text) => {
                Some(Leaf::Text(layout(media)))
            }
            "text/css" if self.options.classes.contains(Class::Resource) => Some(Leaf::StyleSheet),
            _ => None,
        }
    }

    fn read_leaf(
        &mut self,
        kind: Leaf,
        buffer: &Buffer<'_>,
        path: &Path,
        entity: &Entity<'_, '_>,
        body: Range<usize>,
        links: HeadingLinks,
    ) {
        // The heading of the message's only part is the message's own, and no part's.
        let links = self.kept_for(&entity.body_section, links);
        let Some(declarations) = self.inherited(&entity.body_section, entity.line) else {
            return;
        };
        let part_byte = buffer.in_file(body.clone());
        let decoded = self.decode_leaf(buffer, path, entity, body);
        let charset = entity.media.charset();
        let source = Source {
            markup: Markup::of_media_type(&entity.media.essence).unwrap_or_default(),
            bytes: &decoded,
            origin: self.origin_of(&entity.body_section),
            part_byte: Some(part_byte),
            charset: charset.as_deref(),
            declarations,
        };
        let lead = Lead {
            notes: std::mem::take(&mut self.notes),
            references: links.map(|links| links.references).unwrap_or_default(),
            part: self.current,
        };
        (self.sink)(Piece::Leaf { source, kind, lead });
    }

    /// What declares a base around the document that is about to be handed over; `None`, and an
    /// error in its place, if that comes to too much over all documents.
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

    /// The body of a part without its transfer encoding, as far as that can be undone.
    fn decode_leaf<'s>(
        &mut self,
        buffer: &'s Buffer<'_>,
        path: &Path,
        entity: &Entity<'_, '_>,
        body: Range<usize>,
    ) -> Cow<'s, [u8]> {
        let stored = buffer.stored(body.clone());
        let encoding = match &entity.encoding {
            TransferEncoding::Identity => return stored,
            TransferEncoding::Unknown(token) => {
                let token: String = token.escape_debug().take(40).collect();
                let detail =
                    format!("the transfer encoding {token} is not known: read as it stands");
                self.note_at(
                    NoteCode::EncodingWrong,
                    &entity.body_section,
                    entity.line,
                    &detail,
                );
                return stored;
            }
            TransferEncoding::Encoded(encoding) => *encoding,
        };
        let decoded = transfer::decode(encoding, &stored);
        if !decoded.plausible {
            let detail = format!(
                "says that it is {} and is not: read as it stands",
                encoding.name()
            );
            self.note_at(
                NoteCode::EncodingWrong,
                &entity.body_section,
                entity.line,
                &detail,
            );
            return stored;
        }
        self.report_faults(buffer, path, entity, &body, encoding, decoded.faults);
        Cow::Owned(decoded.bytes)
    }

    /// Says what was wrong with a transfer-encoded body.
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
            };
            self.note_at(
                NoteCode::EncodingStrays,
                &entity.body_section,
                line_of(body.start + faults.first),
                &format!("{what}: {}", faults.strays),
            );
        }
        if faults.unpadded {
            self.note_at(
                NoteCode::EncodingStrays,
                &entity.body_section,
                line_of(body.end),
                "the padding of the base64 is missing",
            );
        }
        if faults.truncated {
            let reason = "the base64 breaks off inside a group of four";
            self.unread(
                ReadErrorKind::Damaged,
                &entity.body_section,
                line_of(body.end),
                reason,
            );
        }
    }
}

/// RFC 3676 §4: `DelSp` means something in flowed text alone.
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

/// Whether the heading at `start` stands there as it is, though a body in `encoding` should.
pub(super) fn stands_plain(bytes: &[u8], start: usize, encoding: Encoding) -> bool {
    const LOOKED_AT: usize = 4096;
    let start = heading::of_message(bytes, start);
    let (first_end, _) = line::end(bytes, start);
    if encoding == Encoding::Base64 {
        return heading::field_name(&bytes[start..first_end]).is_some();
    }
    // An equals sign of a heading, as in `charset=utf-8`, is `=3D` in quoted-printable.
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
