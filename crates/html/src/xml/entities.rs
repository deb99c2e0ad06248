//! XML entities.
//!
//! Only those declared in the internal subset of the document type declaration are known; nothing
//! is fetched. They are expanded up to a limit.

use std::borrow::Cow;
use std::cell::Cell;
use std::collections::BTreeMap;

use baseref_simd::Bytes32;
use memchr::{memchr, memchr2, memmem};
use quick_xml::escape::resolve_xml_entity;

use crate::character_reference::{Decoding, Value};
use crate::named_characters::code_points;

/// The public identifiers of document types with HTML's entities (HTML "parsing XHTML documents").
const XHTML: [&str; 9] = [
    "-//W3C//DTD XHTML 1.0 Transitional//EN",
    "-//W3C//DTD XHTML 1.1//EN",
    "-//W3C//DTD XHTML 1.0 Strict//EN",
    "-//W3C//DTD XHTML 1.0 Frameset//EN",
    "-//W3C//DTD XHTML Basic 1.0//EN",
    "-//W3C//DTD XHTML 1.1 plus MathML 2.0//EN",
    "-//W3C//DTD XHTML 1.1 plus MathML 2.0 plus SVG 1.1//EN",
    "-//W3C//DTD MathML 2.0//EN",
    "-//WAPFORUM//DTD XHTML Mobile 1.0//EN",
];

/// How deeply entities may nest.
const DEPTH: usize = 32;

/// The entities of a document.
#[derive(Debug)]
pub(crate) struct Entities {
    declared: BTreeMap<String, Entity>,
    /// Whether HTML's named character references are declared, too.
    html: bool,
    /// How many more bytes expansion may produce.
    left: Cell<usize>,
}

#[derive(Debug)]
enum Entity {
    /// Its replacement text.
    Internal(String),
    /// It is in another file.
    External,
}

/// The expansion of a reference.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Replacement {
    Text(String),
    /// Text with tags in it, or in another file.
    NoText,
}

impl Entities {
    /// The value of an attribute; as written, if a reference in it does not expand to text.
    pub(crate) fn value<'r>(&self, raw: &'r str) -> Value<'r> {
        let is_special = |byte: u8| matches!(byte, b'&' | b'<' | b'\t' | b'\n' | b'\r');
        if !raw.bytes().any(is_special) {
            return Value::literal(raw);
        }
        let mut decoding = Decoding::with_capacity(raw.len());
        let read = each_piece(raw, self, |source, text| match text {
            Cow::Borrowed(text) if text.len() == source.len() => decoding.literal(text),
            text => decoding.replaced(source, text.chars()),
        });
        match read {
            Some(()) => decoding.finish(),
            None => Value::literal(raw),
        }
    }

    /// The entities of a document type declaration, given the text between `<!DOCTYPE` and its `>`;
    /// expansion may produce at most `limit` bytes.
    pub(super) fn declared_by(declaration: &str, limit: usize) -> Self {
        let (external, internal) = match declaration.split_once('[') {
            Some((external, internal)) => (external, internal),
            None => (declaration, ""),
        };
        let mut entities = Self {
            declared: BTreeMap::new(),
            html: XHTML.iter().any(|id| external.contains(id)),
            left: Cell::new(limit),
        };
        entities.read_subset(internal);
        entities
    }

    /// XML 1.0 §4.2 over an internal subset. Of several declarations of a name the first is
    /// binding.
    fn read_subset(&mut self, subset: &str) {
        let mut rest = subset;
        while let Some(at) = rest.find(['<', ']', '%']) {
            rest = &rest[at..];
            if let Some(comment) = rest.strip_prefix("<!--") {
                rest = after(comment, "-->");
            } else if let Some(instruction) = rest.strip_prefix("<?") {
                rest = after(instruction, "?>");
            } else if let Some(declaration) = rest.strip_prefix("<!ENTITY") {
                let length = declaration_length(declaration);
                self.declare(&declaration[..length]);
                rest = &declaration[length..];
            } else if let Some(declaration) = rest.strip_prefix('<') {
                rest = &declaration[declaration_length(declaration)..];
            } else {
                // The end of the subset, or a parameter entity, which is not read and might declare
                // anything.
                return;
            }
        }
    }

    /// `name "value"`, or `name SYSTEM "file"`, or for a parameter entity `% name "value"`.
    fn declare(&mut self, declaration: &str) {
        let declaration = declaration.trim_ascii();
        let Some((name, value)) = declaration.split_once(|c: char| c.is_ascii_whitespace()) else {
            return;
        };
        if name == "%" {
            return;
        }
        let value = value.trim_ascii();
        let entity = match value.as_bytes() {
            [quote @ (b'"' | b'\''), inner @ ..] => {
                let Some(length) = memchr(*quote, inner) else {
                    return;
                };
                // §4.5: only character references are replaced in the declaration itself.
                let literal = &value[1..=length];
                Entity::Internal(with_characters(literal))
            }
            _ => Entity::External,
        };
        self.declared.entry(name.to_owned()).or_insert(entity);
    }

    /// The expansion of `&name;`; `None` if it is not declared or exceeds a limit.
    pub(super) fn resolve(&self, name: &str) -> Option<Replacement> {
        if let Some(text) = predefined(name) {
            return Some(Replacement::Text(text.to_string()));
        }
        match self.declared.get(name) {
            Some(Entity::Internal(_)) => self.expand(name),
            Some(Entity::External) => Some(Replacement::NoText),
            None => self.html_entity(name).map(Replacement::Text),
        }
    }

    fn html_entity(&self, name: &str) -> Option<String> {
        let code_points = code_points(format!("{name};").as_bytes()).filter(|_| self.html)?;
        let characters = code_points.into_iter().filter(|code| *code != 0);
        let text: Option<String> = characters.map(char::from_u32).collect();
        text.filter(|text| !text.is_empty())
    }

    /// An entity with all entities in it expanded; `None` for one that contains itself or expands
    /// beyond the limit.
    fn expand(&self, name: &str) -> Option<Replacement> {
        let mut text = String::new();
        let mut open = vec![self.internal(name)?];
        while let Some(rest) = open.pop() {
            // A reference costs something even if its text is empty.
            let Some(at) = memchr(b'&', rest.as_bytes()) else {
                self.spend(rest.len() + 1)?;
                text.push_str(rest);
                continue;
            };
            self.spend(at + 1)?;
            text.push_str(&rest[..at]);
            let (name, rest) = rest[at + 1..].split_once(';')?;
            open.push(rest);
            match (predefined(name), self.declared.get(name)) {
                // A literal character, which begins no tag.
                (Some(character), _) => text.push(character),
                (None, Some(Entity::Internal(inner))) if open.len() < DEPTH => open.push(inner),
                (None, Some(_)) => return None,
                (None, None) => text.push_str(&self.html_entity(name)?),
            }
        }
        if text.contains('<') {
            return Some(Replacement::NoText);
        }
        Some(Replacement::Text(text))
    }

    fn internal(&self, name: &str) -> Option<&str> {
        match self.declared.get(name) {
            Some(Entity::Internal(text)) => Some(text),
            _ => None,
        }
    }

    fn spend(&self, bytes: usize) -> Option<()> {
        self.left.set(self.left.get().checked_sub(bytes)?);
        Some(())
    }
}

/// XML 1.0 §4.6 "predefined entities", and character references (§4.1).
pub(super) fn predefined(name: &str) -> Option<char> {
    let Some(number) = name.strip_prefix('#') else {
        return resolve_xml_entity(name)?.chars().next();
    };
    let code = match number.strip_prefix('x') {
        Some(digits) => u32::from_str_radix(digits, 16),
        None => number.parse(),
    };
    char::from_u32(code.ok()?).filter(|character| is_allowed(*character))
}

/// XML 1.0 §2.2 `Char`.
fn is_allowed(character: char) -> bool {
    !character.is_ascii_control() && !matches!(character, '\u{FFFE}' | '\u{FFFF}')
        || matches!(character, '\t' | '\n' | '\r' | '\u{7F}')
}

/// The text with its character references replaced. References to `&` and `<` are kept: in the
/// replacement text the characters would begin a reference or a tag.
fn with_characters(literal: &str) -> String {
    let mut text = String::with_capacity(literal.len());
    let mut rest = literal;
    while let Some(at) = rest.find("&#") {
        text.push_str(&rest[..at]);
        rest = &rest[at..];
        let reference = rest.split_once(';').map_or("", |(reference, _)| reference);
        match reference.get(1..).and_then(predefined) {
            Some(character) if !matches!(character, '&' | '<') => {
                text.push(character);
                rest = &rest[reference.len() + 1..];
            }
            _ => {
                text.push_str("&#");
                rest = &rest[2..];
            }
        }
    }
    text.push_str(rest);
    text
}

/// The text after the first `end`.
fn after<'t>(text: &'t str, end: &str) -> &'t str {
    let found = memmem::find(text.as_bytes(), end.as_bytes());
    found.map_or("", |at| &text[at + end.len()..])
}

/// The length of a markup declaration up to its `>`, ignoring any in quotes.
fn declaration_length(declaration: &str) -> usize {
    let bytes = declaration.as_bytes();
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'>' => return at,
            b'"' | b'\'' => match memchr(*byte, &bytes[at + 1..]) {
                Some(length) => at += length + 2,
                None => return bytes.len(),
            },
            _ => at += 1,
        }
    }
    bytes.len()
}

/// The offset of the next byte of an attribute value at or after `from` that does not stand for itself, or
/// the end.
fn next_special(bytes: &[u8], from: usize) -> usize {
    let find = |at| {
        let window = Bytes32::at(bytes, at);
        let is = |byte| window.eq(Bytes32::splat(byte));
        let is_space = is(b'\t') | is(b'\n') | is(b'\r');
        let found = (is_space | is(b'&') | is(b'<')).bits();
        (found != 0).then(|| at + found.trailing_zeros() as usize)
    };
    let mut windows = (from..bytes.len()).step_by(Bytes32::LEN);
    windows.find_map(find).unwrap_or(bytes.len())
}

/// The offset of the first character that XML does not allow.
pub(super) fn first_not_allowed(text: &str) -> Option<usize> {
    let find = |at| {
        let window = Bytes32::at(text.as_bytes(), at);
        let is = |byte| window.eq(Bytes32::splat(byte));
        let is_control = window.min(Bytes32::splat(0x1F)).eq(window);
        let is_space = is(b'\t') | is(b'\n') | is(b'\r');
        // U+FFFE and U+FFFF begin with this byte.
        let mut found = (is_control | is(0xEF)).bits() & !is_space.bits();
        while found != 0 {
            let offset = at + found.trailing_zeros() as usize;
            let character = text.get(offset..).and_then(|rest| rest.chars().next());
            if character.is_some_and(|character| !is_allowed(character)) {
                return Some(offset);
            }
            found &= found - 1;
        }
        None
    };
    (0..text.len()).step_by(Bytes32::LEN).find_map(find)
}

/// Calls `each` with the pieces of an attribute value normalized by XML 1.0 §3.3.3, literal and
/// replaced, in order: the byte range in the raw value, and its replacement.
///
/// `None` if it contains a `<` or a reference that does not expand to text.
pub(super) fn each_piece<'r>(
    raw: &'r str,
    entities: &Entities,
    mut each: impl FnMut(std::ops::Range<usize>, Cow<'r, str>),
) -> Option<()> {
    let bytes = raw.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        let end = next_special(bytes, at);
        if end > at {
            each(at..end, Cow::Borrowed(&raw[at..end]));
        }
        let Some(byte) = bytes.get(end) else {
            return Some(());
        };
        at = match byte {
            b'<' => return None,
            b'&' => {
                let length = memchr2(b';', b'&', &bytes[end + 1..])?;
                let next = end + length + 2;
                let name = raw.get(end + 1..next - 1)?;
                let text = match entities.resolve(name)? {
                    Replacement::Text(text) if predefined(name).is_some() => text,
                    Replacement::Text(text) => text.replace(['\t', '\n', '\r'], " "),
                    Replacement::NoText => return None,
                };
                each(end..next, Cow::Owned(text));
                next
            }
            b'\r' if bytes.get(end + 1) == Some(&b'\n') => {
                each(end..end + 2, Cow::Borrowed(" "));
                end + 2
            }
            _ => {
                each(end..end + 1, Cow::Borrowed(" "));
                end + 1
            }
        };
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(declaration: &str, name: &str) -> Option<String> {
        let entities = Entities::declared_by(declaration, 1000);
        match entities.resolve(name)? {
            Replacement::Text(text) => Some(text),
            Replacement::NoText => Some("NO TEXT".to_owned()),
        }
    }

    #[test]
    fn character_that_xml_does_not_allow_at_any_offset() {
        for length in [0, 1, 31, 32, 33, 63, 64, 100] {
            let allowed = "\t\n\r\u{7f}\u{e9}\u{fffd}\u{f000}x".repeat(length);
            assert_eq!(first_not_allowed(&allowed), None);
            for character in ['\0', '\u{1f}', '\u{fffe}', '\u{ffff}'] {
                let text = format!("{allowed}{character}{allowed}");
                assert_eq!(first_not_allowed(&text), Some(allowed.len()));
            }
        }
    }

    #[test]
    fn bytes_that_do_not_stand_for_themselves_at_any_offset() {
        for length in [0, 1, 31, 32, 33, 70] {
            let value = "x".repeat(length);
            assert_eq!(next_special(value.as_bytes(), 0), length);
            for byte in ["&", "<", "\t", "\n", "\r"] {
                let value = format!("{value}{byte}{value}");
                assert_eq!(next_special(value.as_bytes(), 0), length);
                assert_eq!(next_special(value.as_bytes(), length + 1), value.len());
            }
        }
    }

    #[test]
    fn entities_of_internal_subset_and_xhtml() {
        for (declaration, name, expected) in [
            ("svg", "amp", Some("&")),
            ("svg", "#x41", Some("A")),
            ("svg", "#0", None),
            ("svg", "nbsp", None),
            (
                "html PUBLIC \"-//W3C//DTD XHTML 1.1//EN\" \"x\"",
                "nbsp",
                Some("\u{a0}"),
            ),
            (
                "html PUBLIC \"-//W3C//DTD XHTML 1.1//EN\" \"x\"",
                "nosuch",
                None,
            ),
            ("svg [<!ENTITY a \"b\">]", "a", Some("b")),
            ("svg [<!ENTITY a 'x>y'><!ENTITY a 'z'>]", "a", Some("x>y")),
            (
                "svg [<!-- <!ENTITY a 'b'> --><?x <!ENTITY a 'c'>?>]",
                "a",
                None,
            ),
            (
                "svg [<!ATTLIST a b CDATA '>'><!ENTITY c\n'&d;e'><!ENTITY d '&#65;'>]",
                "c",
                Some("Ae"),
            ),
            ("svg [<!ENTITY % p 'x'><!ENTITY a 'b'>]", "a", Some("b")),
            ("svg [%p;<!ENTITY a 'b'>]", "a", None),
            ("svg [<!ENTITY a SYSTEM 'x.txt'>]", "a", Some("NO TEXT")),
            ("svg [<!ENTITY a '<b/>'>]", "a", Some("NO TEXT")),
            // Contains itself.
            ("svg [<!ENTITY a '&b;'><!ENTITY b '&a;'>]", "a", None),
            ("svg [<!ENTITY a '&b'>]", "a", None),
        ] {
            assert_eq!(
                text(declaration, name).as_deref(),
                expected,
                "{declaration} {name}"
            );
        }
    }

    #[test]
    fn nested_entities_expand_to_limit() {
        let of_ten = |number: usize| {
            let inner = format!("&l{};", number - 1).repeat(10);
            format!("<!ENTITY l{number} '{inner}'>")
        };
        let others: String = (1..20).map(of_ten).collect();
        let laughs = format!("svg [<!ENTITY l0 'ha'>{others}");
        let empty = format!("svg [<!ENTITY l0 ''>{others}");
        assert_eq!(text(&laughs, "l1"), Some("ha".repeat(10)));
        assert_eq!(text(&laughs, "l9"), None);
        assert_eq!(text(&empty, "l19"), None);
    }

    #[test]
    fn attribute_value_normalization() {
        let entities = Entities::declared_by("svg [<!ENTITY a 'b\tc'>]", 1000);
        for (raw, expected) in [
            ("x", Some("x")),
            ("", Some("")),
            ("a\tb\r\nc\rd\ne", Some("a b c d e")),
            ("&amp;&#9;&a;", Some("&\tb c")),
            ("a&b;", None),
            ("a&amp", None),
            ("a & b;", None),
            ("a<b", None),
        ] {
            let mut value = String::new();
            let read = each_piece(raw, &entities, |_, text| value.push_str(&text));
            assert_eq!(read.map(|()| value).as_deref(), expected, "{raw:?}");
        }
    }
}
