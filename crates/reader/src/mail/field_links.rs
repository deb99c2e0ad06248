//! The URLs in the fields of a header, as references.

use std::borrow::Cow;
use std::num::NonZeroU32;
use std::ops::Range;

use encoding_rs::UTF_8;
use encoding_rs::mem::decode_latin1;
use memchr::memmem;

use super::heading::Field;
use super::piece::{HeadingLinks, Piece};
use super::scan::{Buffer, BufferLocation};
use super::walk_state::{Entity, Layers, Walk, base_field, is_declaration_left_out};
use baseref_document::link_places::{Class, Grammar, LinkPlace, RelativeTo, header_field_row};
use baseref_document::{BaseField, Context, Document, Position, Reference, References, Section};
use baseref_text::decode::line;
use baseref_text::grammar;
use baseref_text::header::comment::skip_cfws;
use baseref_text::header::encoded_word;
use baseref_text::header::media_type::{EXTERNAL_BODY, MediaType};
use baseref_text::header::wrapped_url::{prefix_length, unwrap};

impl Walk<'_> {
    /// Collects the links in the header of an entity, which are relative to these declarations.
    pub fn collect_links(
        &self,
        buffer: &Buffer<'_>,
        entity: &Entity<'_, '_>,
        layers: Layers,
        links: &mut HeadingLinks,
    ) {
        links.part = self.current;
        if !self.options.classes.contains(Class::Header) {
            return;
        }
        for field in &entity.heading.fields {
            if is_declaration_left_out(field) {
                continue;
            }
            let line = entity.line.map(|line| line + field.line);
            let line = line.and_then(|line| NonZeroU32::new(u32::try_from(line).ok()?));
            let at = match (self.options.positions, &buffer.place, line) {
                (true, BufferLocation::File { .. }, Some(line)) => buffer
                    .in_file(field.at..field.at)
                    .map(|range| (range.start, line)),
                _ => None,
            };
            add(field, &entity.media, at, layers, &mut links.references);
        }
    }

    /// Emits the links of a header as a document of their own, if there are any.
    pub fn emit(&mut self, links: HeadingLinks) {
        let HeadingLinks {
            section,
            references,
            part,
            metadata,
        } = links;
        if references.is_empty() {
            return;
        }
        let Some(declarations) = self.inherited(&section, None) else {
            return;
        };
        // RFC 6532 §3.
        let mut document = Document::empty(self.origin_of(&section), UTF_8.name());
        document.declarations = declarations;
        document.references = references;
        document.metadata = metadata;
        document.notes = std::mem::take(&mut self.notes);
        self.sink.add(Piece::Heading(Box::new(document), part));
    }

    /// Returns the links if they belong to the entity with that section number; otherwise emits
    /// them.
    pub fn kept_for(&mut self, section: &Section, links: HeadingLinks) -> Option<HeadingLinks> {
        if links.section == *section {
            return Some(links);
        }
        self.emit(links);
        None
    }
}

/// Adds the URLs in a field, in order. `at` is the offset and line in the file at which the field
/// begins; `None` where the field is encoded in the file, or where no positions are wanted.
fn add(
    field: &Field<'_>,
    media: &MediaType,
    at: Option<(u64, NonZeroU32)>,
    layers: Layers,
    references: &mut References,
) {
    let Some(slot) = header_field_row(field.name()) else {
        return;
    };
    if slot.grammar == Grammar::Parameter && media.essence != EXTERNAL_BODY {
        return;
    }
    let is_met = slot.condition.is_met(|name| {
        let value = media.parameter(name)?;
        Some(String::from_utf8_lossy(&value).into_owned())
    });
    if !is_met {
        return;
    }
    let count = match slot.relative_to {
        RelativeTo::Outside if base_field(field) == Some(BaseField::ContentLocation) => {
            layers.with_bases
        }
        RelativeTo::Outside => layers.around,
        _ => layers.own,
    };
    let context = Context::Outermost(u32::try_from(count).unwrap_or(u32::MAX));
    let text = Text::new(field);
    let mut walked = at.map(|(byte, line)| FilePositions::new(&text, byte, line));
    for Url { value, range } in text.urls(slot, media) {
        let position = walked.as_mut().map(|walked| walked.position(range));
        references.push(Reference {
            slot,
            element: slot.element,
            attr: slot.attr,
            value: &value,
            text: None,
            context,
            at: position.as_ref(),
            cut: false,
        });
    }
}

/// A field as characters.
struct Text<'f> {
    /// The name, the colon and the value, folded.
    field: Cow<'f, str>,
    /// Where the value begins.
    value: usize,
    /// Each character stands for one byte of the file, which was not UTF-8 (RFC 6532).
    latin1: bool,
}

/// A URL in a field.
struct Url {
    /// The URL, without white space.
    value: String,
    /// Its byte range in [`Text::field`].
    range: Range<usize>,
}

impl<'f> Text<'f> {
    fn new(field: &'f Field<'_>) -> Self {
        let raw = line::without_end(field.raw());
        let (text, latin1) = match str::from_utf8(raw) {
            Ok(text) => (Cow::Borrowed(text), false),
            Err(_) => (decode_latin1(raw), true),
        };
        let value = text.find(':').map_or(text.len(), |colon| colon + 1);
        Self {
            field: text,
            value,
            latin1,
        }
    }

    fn urls(&self, slot: &LinkPlace, media: &MediaType) -> Vec<Url> {
        if slot.grammar == Grammar::Parameter {
            return self.parameter(media).into_iter().collect();
        }
        let value = &self.field[self.value..];
        // RFC 2557 §4.4.3; list managers encode other fields this way, too.
        if let Some(decoded) = decoded(value.trim_ascii()) {
            let range = self.trimmed(self.value..self.field.len());
            let found = ranges(slot.grammar, &decoded).into_iter();
            return found
                .filter_map(|url| Url::new(&decoded[url], range.clone()))
                .collect();
        }
        let found = ranges(slot.grammar, value).into_iter();
        found
            .filter_map(|url| {
                let range = self.trimmed(self.value + url.start..self.value + url.end);
                let text = &self.field[range.clone()];
                let decoded = decoded(text);
                Url::new(decoded.as_deref().unwrap_or(text), range)
            })
            .collect()
    }

    /// RFC 2017 §3.1: the URL is the parameter's value without white space. Its byte range is that
    /// of the whole field value where it is not in one piece.
    fn parameter(&self, media: &MediaType) -> Option<Url> {
        let parameter = media.parameter("url")?;
        let url = parameter.trim_ascii();
        let (offsets, unfolded): (Vec<usize>, Vec<u8>) = self
            .field
            .bytes()
            .enumerate()
            .skip(self.value)
            .filter(|(_, byte)| !matches!(byte, b'\r' | b'\n'))
            .unzip();
        let found = memmem::find(&unfolded, url).filter(|_| !url.is_empty());
        let range = match found {
            Some(at) => offsets[at]..offsets[at + url.len() - 1] + 1,
            None => self.trimmed(self.value..self.field.len()),
        };
        Url::new(&String::from_utf8_lossy(url), range)
    }

    /// A range of the field without leading and trailing white space.
    fn trimmed(&self, range: Range<usize>) -> Range<usize> {
        let part = &self.field[range.clone()];
        let start = range.end - part.trim_ascii_start().len();
        start..start + part.trim_ascii().len()
    }
}

impl Url {
    /// `None` if there is nothing but white space.
    fn new(text: &str, range: Range<usize>) -> Option<Self> {
        let value: String = text.split_ascii_whitespace().collect();
        (!value.is_empty()).then_some(Self { value, range })
    }
}

/// The decoded text, if it consists only of encoded-words.
fn decoded(text: &str) -> Option<String> {
    let is_encoded = text.starts_with("=?") && text.ends_with("?=");
    is_encoded.then(|| encoded_word::decode(text)).flatten()
}

/// The byte ranges of the URLs in the value of a field, folded or not, white space in them
/// included.
fn ranges(grammar: Grammar, value: &str) -> Vec<Range<usize>> {
    match grammar {
        Grammar::BracketList => bracket_list(value),
        Grammar::Wrapped => vec![unwrap(value).1],
        grammar => grammar::urls(grammar, value).collect(),
    }
}

/// RFC 2369 §2: URLs in angle brackets, separated by commas.
fn bracket_list(value: &str) -> Vec<Range<usize>> {
    let mut urls = Vec::new();
    let bytes = value.as_bytes();
    let mut rest = bytes;
    loop {
        // Rules 1 and 3: anything but a URL in angle brackets ends the list.
        let [b'<', inner @ ..] = skip_cfws(rest) else {
            return urls;
        };
        let Some(length) = memchr::memchr(b'>', inner) else {
            return urls;
        };
        let start = bytes.len() - inner.len();
        let prefix = prefix_length(&value[start..start + length]);
        urls.push(start + prefix..start + length);
        // Rule 2: so does anything but a comma after the bracket.
        let [b',', next @ ..] = skip_cfws(&inner[length + 1..]) else {
            return urls;
        };
        rest = next;
    }
}

/// Maps offsets in a field to the file, in ascending order.
struct FilePositions<'t> {
    rest: std::str::Chars<'t>,
    /// The position of `rest`, in bytes of the text.
    passed: usize,
    latin1: bool,
    byte: u64,
    line: NonZeroU32,
    column: NonZeroU32,
    /// The last query: all URLs in one run of encoded-words share its range.
    last: Option<(Range<usize>, Position)>,
}

impl<'t> FilePositions<'t> {
    fn new(text: &'t Text<'_>, byte: u64, line: NonZeroU32) -> Self {
        Self {
            rest: text.field.chars(),
            passed: 0,
            latin1: text.latin1,
            byte,
            line,
            column: NonZeroU32::MIN,
            last: None,
        }
    }

    fn position(&mut self, range: Range<usize>) -> Position {
        if let Some((last, position)) = &self.last
            && *last == range
        {
            return position.clone();
        }
        self.advance(range.start);
        let (line, column, start) = (self.line, self.column, self.byte);
        self.advance(range.end);
        let position = Position::new(line, column, start..self.byte);
        self.last = Some((range, position.clone()));
        position
    }

    fn advance(&mut self, offset: usize) {
        while self.passed < offset
            && let Some(character) = self.rest.next()
        {
            self.passed += character.len_utf8();
            self.byte += if self.latin1 {
                1
            } else {
                character.len_utf8() as u64
            };
            let ends_line = match character {
                '\n' => true,
                '\r' => !self.rest.as_str().starts_with('\n'),
                _ => false,
            };
            if ends_line {
                self.line = self.line.saturating_add(1);
                self.column = NonZeroU32::MIN;
            } else {
                self.column = self.column.saturating_add(1);
            }
        }
    }
}
