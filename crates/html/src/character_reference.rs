//! HTML "character reference state": decodes attribute values and text, and maps the result back to
//! the source.

use std::borrow::Cow;
use std::ops::Range;

use baseref_simd::Bytes16;
use html5ever::data::C1_REPLACEMENTS;
use memchr::{memchr, memchr_iter, memchr3};

use super::named_characters::longest_at_start;
use super::tokenizer::{Text, TextKind};

/// Where a character reference occurs: in an attribute, a named reference without a semicolon
/// before `=` or an ASCII alphanumeric is text, "for historical reasons".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Context {
    /// In a quoted or unquoted attribute value.
    Attribute,
    /// In text (the data and RCDATA states).
    Text,
}

/// The treatment of U+0000.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Null {
    /// Replace it with U+FFFD, as in attribute values, RCDATA, RAWTEXT and script data.
    Replace,
    /// Leave it to the tree builder, as in the data and CDATA section states.
    Keep,
}

/// A decoded value and how its parts map to the source.
#[derive(Clone, Debug)]
pub(super) struct Value<'s> {
    /// The value with newlines normalized, U+0000 replaced and character references decoded.
    pub(super) text: Cow<'s, str>,
    replaced: Vec<Replacement>,
}

/// A range of the decoded text that is written differently in the source.
#[derive(Clone, Debug)]
struct Replacement {
    decoded: Range<usize>,
    source: Range<usize>,
}

/// A value that is being decoded.
#[derive(Debug, Default)]
pub(super) struct Decoding {
    text: String,
    replaced: Vec<Replacement>,
}

impl Decoding {
    /// An empty value with this capacity.
    pub(super) fn with_capacity(bytes: usize) -> Self {
        Self {
            text: String::with_capacity(bytes),
            replaced: Vec::new(),
        }
    }

    /// Appends text that is the same in the source.
    pub(super) fn literal(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// Appends characters that replace those bytes of the source.
    pub(super) fn replaced(&mut self, source: Range<usize>, by: impl IntoIterator<Item = char>) {
        let start = self.text.len();
        self.text.extend(by);
        self.replaced.push(Replacement {
            decoded: start..self.text.len(),
            source,
        });
    }

    /// The value.
    pub(super) fn finish<'s>(self) -> Value<'s> {
        Value {
            text: Cow::Owned(self.text),
            replaced: self.replaced,
        }
    }
}

impl<'s> Value<'s> {
    /// A value that is the same in the source.
    pub(super) fn literal(raw: &'s str) -> Self {
        Self {
            text: Cow::Borrowed(raw),
            replaced: Vec::new(),
        }
    }

    /// The attribute value that is written as `raw`.
    #[inline]
    pub(super) fn from_attribute(raw: &'s str) -> Self {
        if is_literal(raw.as_bytes()) {
            return Self::literal(raw);
        }
        let mut decoding = Decoding::with_capacity(raw.len());
        // Some generators escape every slash of a URL.
        decoding
            .replaced
            .reserve(memchr_iter(b'&', raw.as_bytes()).count());
        pieces(
            raw,
            Some(Context::Attribute),
            Null::Replace,
            |piece| match piece {
                Piece::Literal(literal) => decoding.literal(literal),
                Piece::Replaced { source, by } => decoding.replaced(source, by.chars()),
            },
        );
        decoding.finish()
    }

    /// The "child text content" of an element, in one or more non-empty pieces of the source.
    /// Offsets count from the start of the first piece. Newlines of raw text are kept as written:
    /// CSS and JSON treat them alike.
    pub(super) fn from_content(source: &'s str, texts: &[Text]) -> Self {
        if let [Text { span, kind }] = *texts {
            let raw = span.slice(source);
            let has_null = || memchr(0, raw.as_bytes()).is_some();
            if kind == TextKind::Raw && !has_null() || is_literal(raw.as_bytes()) {
                return Self::literal(raw);
            }
        }
        let base = texts.first().map_or(0, |first| first.span.start);
        let mut decoding = Decoding::default();
        let mut last_end = base;
        for Text { span, kind } in texts {
            if span.start > last_end {
                // The gap between two texts is empty in the decoded text.
                decoding.replaced(last_end - base..span.start - base, []);
            }
            last_end = span.end;
            let references = matches!(kind, TextKind::Data | TextKind::Rcdata);
            let context = references.then_some(Context::Text);
            let offset = span.start - base;
            pieces(
                span.slice(source),
                context,
                Null::Replace,
                |part| match part {
                    Piece::Literal(literal) => decoding.literal(literal),
                    Piece::Replaced { source, by } => {
                        decoding.replaced(source.start + offset..source.end + offset, by.chars());
                    }
                },
            );
        }
        decoding.finish()
    }

    /// The byte range in the raw value of the range `decoded` of [`Value::text`]. A reference that
    /// is only partly in `decoded` is included as a whole.
    pub(super) fn source_range(&self, decoded: Range<usize>) -> Range<usize> {
        let start = match self.around(decoded.start) {
            CharacterSource::In(replacement) => replacement.source.start,
            CharacterSource::Literal(offset) => offset,
        };
        let before = self
            .replaced
            .partition_point(|replacement| replacement.decoded.start < decoded.end);
        let last = before
            .checked_sub(1)
            .and_then(|last| self.replaced.get(last));
        let end = match last {
            Some(last) if last.decoded.end >= decoded.end => last.source.end,
            Some(last) => last.source.end + (decoded.end - last.decoded.end),
            None => decoded.end,
        };
        start..end.max(start)
    }

    fn around(&self, decoded: usize) -> CharacterSource<'_> {
        let next = self
            .replaced
            .partition_point(|replacement| replacement.decoded.end <= decoded);
        match self.replaced.get(next) {
            Some(replacement) if replacement.decoded.start <= decoded => {
                CharacterSource::In(replacement)
            }
            _ => match next.checked_sub(1).and_then(|last| self.replaced.get(last)) {
                Some(last) => {
                    CharacterSource::Literal(last.source.end + (decoded - last.decoded.end))
                }
                None => CharacterSource::Literal(decoded),
            },
        }
    }
}

/// The piece at an offset of the decoded text.
enum CharacterSource<'v> {
    In(&'v Replacement),
    /// The same character as at this offset of the raw value.
    Literal(usize),
}

/// Decodes `raw`: character references if `references`; newlines are always normalized.
pub(super) fn decode_text(raw: &str, references: bool, null: Null) -> Cow<'_, str> {
    if is_literal(raw.as_bytes()) {
        return Cow::Borrowed(raw);
    }
    let mut text = String::with_capacity(raw.len());
    pieces(
        raw,
        references.then_some(Context::Text),
        null,
        |piece| match piece {
            Piece::Literal(literal) => text.push_str(literal),
            Piece::Replaced { by, .. } => text.extend(by.chars()),
        },
    );
    Cow::Owned(text)
}

/// Whether a value needs no decoding: none of its bytes is `&`, CR or NUL.
///
/// Most values are short: they are examined as one or two vectors, which may overlap.
#[inline]
fn is_literal(raw: &[u8]) -> bool {
    if raw.len() > 32 {
        return memchr3(b'&', b'\r', 0, raw).is_none();
    }
    if let (Some(first), Some(last)) = (raw.first_chunk::<16>(), raw.last_chunk::<16>()) {
        return (special(*first) | special(*last)).bits() == 0;
    }
    let mut window = [b' '; 16];
    if let (Some(first), Some(last)) = (raw.first_chunk::<8>(), raw.last_chunk::<8>()) {
        window[..8].copy_from_slice(first);
        window[8..].copy_from_slice(last);
        return special(window).bits() == 0;
    }
    !raw.iter().any(|byte| matches!(byte, b'&' | b'\r' | 0))
}

/// Which bytes are `&`, CR or NUL.
#[inline]
fn special(window: [u8; 16]) -> Bytes16 {
    let window = Bytes16::new(window);
    let is = |byte| window.eq(Bytes16::splat(byte));
    is(b'&') | is(b'\r') | is(0)
}

enum Piece<'s> {
    Literal(&'s str),
    Replaced {
        source: Range<usize>,
        by: Characters,
    },
}

/// One or two characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Characters(char, Option<char>);

impl Characters {
    fn chars(self) -> impl Iterator<Item = char> {
        std::iter::once(self.0).chain(self.1)
    }
}

/// Splits `raw` into literal and replaced pieces, in order.
fn pieces<'s>(
    raw: &'s str,
    references: Option<Context>,
    null: Null,
    mut each: impl FnMut(Piece<'s>),
) {
    let bytes = raw.as_bytes();
    let mut literal = 0;
    let mut at = 0;
    while let Some(found) = memchr3(b'&', b'\r', 0, &bytes[at..]) {
        let start = at + found;
        let replacement = match bytes[start] {
            b'\r' if bytes.get(start + 1) == Some(&b'\n') => Some((Characters('\n', None), 2)),
            b'\r' => Some((Characters('\n', None), 1)),
            0 if null == Null::Replace => Some((Characters('\u{fffd}', None), 1)),
            b'&' => references.and_then(|context| reference(&raw[start..], context)),
            _ => None,
        };
        let Some((by, length)) = replacement else {
            at = start + 1;
            continue;
        };
        if literal < start {
            each(Piece::Literal(&raw[literal..start]));
        }
        at = start + length;
        literal = at;
        each(Piece::Replaced {
            source: start..at,
            by,
        });
    }
    if literal < raw.len() {
        each(Piece::Literal(&raw[literal..]));
    }
}

/// The characters of the reference at the start of `input`, which begins with `&`, and its length
/// in bytes; `None` if the `&` is text.
fn reference(input: &str, context: Context) -> Option<(Characters, usize)> {
    match input.as_bytes().get(1)? {
        b'#' => numeric(input),
        // By far the most frequent one, especially in URLs; no longer name begins with it.
        b'a' if input.starts_with("&amp;") => Some((Characters('&', None), 5)),
        byte if byte.is_ascii_alphanumeric() => named(input, context),
        _ => None,
    }
}

/// HTML "named character reference state".
fn named(input: &str, context: Context) -> Option<(Characters, usize)> {
    let name = &input[1..];
    let found = longest_at_start(name)?;
    let (length, [first, second]) = (found.length, found.code_points);
    let next = name.as_bytes().get(length);
    if context == Context::Attribute
        && !name[..length].ends_with(';')
        && next.is_some_and(|next| *next == b'=' || next.is_ascii_alphanumeric())
    {
        return None;
    }
    let second = char::from_u32(second).filter(|second| *second != '\0');
    Some((Characters(char::from_u32(first)?, second), 1 + length))
}

/// HTML "numeric character reference state" to "numeric character reference end state".
fn numeric(input: &str) -> Option<(Characters, usize)> {
    let (radix, start) = match input.as_bytes().get(2)? {
        b'x' | b'X' => (16, 3),
        _ => (10, 2),
    };
    let digits = input[start..]
        .bytes()
        .take_while(|byte| char::from(*byte).is_digit(radix))
        .count();
    if digits == 0 {
        return None;
    }
    let mut end = start + digits;
    let code = input[start..end].bytes().fold(0_u32, |code, digit| {
        let digit = char::from(digit).to_digit(radix).unwrap_or_default();
        code.saturating_mul(radix).saturating_add(digit)
    });
    if input.as_bytes().get(end) == Some(&b';') {
        end += 1;
    }
    Some((Characters(scalar(code), None), end))
}

/// HTML "numeric character reference end state".
fn scalar(code: u32) -> char {
    let windows_1252 = code
        .checked_sub(0x80)
        .and_then(|index| C1_REPLACEMENTS.get(usize::try_from(index).ok()?))
        .copied()
        .flatten();
    match code {
        0 => '\u{fffd}',
        _ => windows_1252
            .or_else(|| char::from_u32(code))
            .unwrap_or('\u{fffd}'),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tokenizer::Span;

    #[test]
    fn references_in_attribute_values() {
        for (raw, decoded) in [
            ("", ""),
            ("a?b=1&c=2", "a?b=1&c=2"),
            ("a&amp;b", "a&b"),
            ("a&amp", "a&"),
            ("a&amp=b", "a&amp=b"),
            ("a&ampb", "a&ampb"),
            ("a&amp b", "a& b"),
            ("a&amp;=", "a&="),
            ("&notin;", "\u{2209}"),
            ("&notit;", "&notit;"),
            ("&not;it;", "\u{ac}it;"),
            ("&copy", "\u{a9}"),
            ("&acE;", "\u{223e}\u{333}"),
            ("&nosuch;", "&nosuch;"),
            ("&;", "&;"),
            ("&", "&"),
            ("&#", "&#"),
            ("&#;", "&#;"),
            ("&#x;", "&#x;"),
            ("&#xg", "&#xg"),
            ("&#65;", "A"),
            ("&#65", "A"),
            ("&#x41;", "A"),
            ("&#X4a", "J"),
            ("&#0;", "\u{fffd}"),
            ("&#128;", "\u{20ac}"),
            ("&#x81;", "\u{81}"),
            ("&#xd800;", "\u{fffd}"),
            ("&#x110000;", "\u{fffd}"),
            ("&#99999999999999999999;", "\u{fffd}"),
            ("&#13;", "\r"),
            ("a\r\nb\rc\nd", "a\nb\nc\nd"),
            ("a\0b", "a\u{fffd}b"),
            ("&\u{e9};", "&\u{e9};"),
        ] {
            assert_eq!(Value::from_attribute(raw).text, decoded, "{raw:?}");
        }
    }

    #[test]
    fn unterminated_references_in_text() {
        for (raw, decoded) in [
            ("a&ampb", "a&b"),
            ("a&amp=b", "a&=b"),
            ("&notit;", "\u{ac}it;"),
        ] {
            assert_eq!(decode_text(raw, true, Null::Keep), decoded, "{raw:?}");
        }
        assert_eq!(decode_text("a&amp;\0\r\n", false, Null::Keep), "a&amp;\0\n");
    }

    #[test]
    fn value_without_references_borrowed() {
        assert!(matches!(
            Value::from_attribute("x?y=z").text,
            Cow::Borrowed("x?y=z")
        ));
    }

    #[test]
    fn text_joined_across_comments() {
        let source = "a&lt;<![CDATA[b&amp;]]>c\0";
        let text = |raw: &str, kind| {
            let start = source.find(raw).unwrap();
            let end = start + raw.len();
            let span = Span { start, end };
            Text { span, kind }
        };
        let value = Value::from_content(
            source,
            &[
                text("a&lt;", TextKind::Data),
                text("b&amp;", TextKind::CdataSection),
                text("c\0", TextKind::Data),
            ],
        );
        assert_eq!(value.text, "a<b&amp;c\u{fffd}");
        for (decoded, expected) in [
            (0..2, "a&lt;"),
            (2..8, "b&amp;"),
            (1..3, "&lt;<![CDATA[b"),
            (8..9, "c"),
            (2..2, ""),
            (7..12, ";]]>c\0"),
        ] {
            let range = value.source_range(decoded.clone());
            assert_eq!(&source[range], expected, "{decoded:?}");
        }
        let raw = Value::from_content(source, &[text("b&amp;", TextKind::Raw)]);
        assert_eq!(raw.text, "b&amp;");
        assert_eq!(Value::from_content(source, &[]).text, "");
    }

    #[test]
    fn decoded_ranges_map_to_source() {
        let raw = "a&amp;b\r\n&acE;c";
        let value = Value::from_attribute(raw);
        assert_eq!(value.text, "a&b\n\u{223e}\u{333}c");
        for (decoded, source) in [
            (0..1, "a"),
            (0..2, "a&amp;"),
            (1..2, "&amp;"),
            (2..3, "b"),
            (2..4, "b\r\n"),
            (3..4, "\r\n"),
            (4..7, "&acE;"),
            (7..9, "&acE;"),
            (4..9, "&acE;"),
            (9..10, "c"),
            (0..10, raw),
            (1..1, ""),
            (10..10, ""),
        ] {
            assert_eq!(
                &raw[value.source_range(decoded.clone())],
                source,
                "{decoded:?}"
            );
        }
    }
}
