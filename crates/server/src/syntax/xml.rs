//! Configuration in XML, as elements with their lines.

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use crate::rule::{ProblemKind, RuleParser};

/// The maximum nesting depth of elements.
const MAX_DEPTH: usize = 64;

/// An element.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Element {
    pub(crate) name: String,
    /// The line it starts on, 1-based.
    pub(crate) line: usize,
    attributes: Vec<(String, String)>,
    text: String,
    children: Vec<Element>,
}

impl Element {
    /// The value of an attribute, ignoring the case of its name.
    pub(crate) fn attribute(&self, name: &str) -> Option<&str> {
        let mut attributes = self.attributes.iter();
        let found = attributes.find(|(known, _)| known.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.as_str())
    }

    /// Its text, trimmed.
    pub(crate) fn text(&self) -> &str {
        self.text.trim()
    }

    /// Its child elements.
    pub(crate) fn children(&self) -> &[Self] {
        &self.children
    }

    /// Whether another element has the same content, whatever the lines are.
    pub(crate) fn has_content_of(&self, other: &Self) -> bool {
        let mut pairs = self.children.iter().zip(&other.children);
        self.text() == other.text()
            && self.children.len() == other.children.len()
            && pairs.all(|(one, other)| {
                one.name == other.name
                    && one.attributes == other.attributes
                    && one.has_content_of(other)
            })
    }

    /// The first child element with this name.
    pub(crate) fn child(&self, name: &str) -> Option<&Self> {
        let mut children = self.children.iter();
        children.find(|child| child.name.eq_ignore_ascii_case(name))
    }
}

/// Parses a text into an unnamed element that contains the outermost ones. An error is reported, and
/// what precedes it is kept.
pub(crate) fn parse(text: &str, parser: &mut RuleParser) -> Element {
    let mut reader = Reader::from_str(text);
    let mut open = vec![Element::default()];
    let (mut at, mut line) = (0, 1);
    loop {
        let event = reader.read_event();
        let end = usize::try_from(reader.buffer_position()).unwrap_or(usize::MAX);
        let start = at;
        at = end.min(text.len());
        let passed = text.as_bytes().get(start..at).unwrap_or_default();
        let here = line;
        line += memchr::memchr_iter(b'\n', passed).count();
        let event = match event {
            Ok(event) => event,
            Err(error) => {
                parser.problem(line, ProblemKind::Refused, error.to_string());
                break;
            }
        };
        match event {
            Event::Eof => break,
            Event::Start(tag) => {
                let element = element(&tag, here, parser);
                if open.len() > MAX_DEPTH {
                    let message = format!("elements are more than {MAX_DEPTH} deep (rule-nesting)");
                    parser.problem(here, ProblemKind::Refused, message);
                    break;
                }
                open.push(element);
            }
            Event::Empty(tag) => {
                let element = element(&tag, here, parser);
                if let Some(parent) = open.last_mut() {
                    parent.children.push(element);
                }
            }
            Event::End(_) => close(&mut open),
            Event::Text(part) => push_text(&mut open, &part),
            Event::CData(part) => push_text(&mut open, &part),
            Event::GeneralRef(name) => {
                let entity = format!("&{};", &*name);
                let text = unescaped(&entity, here, parser);
                push_text(&mut open, &text);
            }
            _ => {}
        }
    }
    while open.len() > 1 {
        close(&mut open);
    }
    open.pop().unwrap_or_default()
}

fn push_text(open: &mut [Element], text: &str) {
    if let Some(element) = open.last_mut() {
        let is_start = element.text.is_empty();
        element
            .text
            .push_str(if is_start { text.trim_start() } else { text });
    }
}

fn close(open: &mut Vec<Element>) {
    if open.len() > 1
        && let Some(mut element) = open.pop()
        && let Some(parent) = open.last_mut()
    {
        element.children.shrink_to_fit();
        parent.children.push(element);
    }
}

/// An element without its content. Invalid attributes are reported.
fn element(tag: &BytesStart<'_>, line: usize, parser: &mut RuleParser) -> Element {
    let mut attributes = Vec::new();
    for attribute in tag.attributes() {
        match attribute {
            Ok(attribute) => {
                let name = attribute.key.local_name().as_ref().to_owned();
                attributes.push((name, unescaped(&attribute.value, line, parser)));
            }
            Err(error) => parser.problem(line, ProblemKind::Refused, error.to_string()),
        }
    }
    attributes.shrink_to_fit();
    Element {
        name: tag.local_name().as_ref().to_owned(),
        line,
        attributes,
        ..Element::default()
    }
}

/// A text with its escapes resolved. An invalid escape is reported, and the text kept as written.
fn unescaped(text: &str, line: usize, parser: &mut RuleParser) -> String {
    match quick_xml::escape::unescape(text) {
        Ok(text) => text.into_owned(),
        Err(error) => {
            parser.problem(line, ProblemKind::Refused, error.to_string());
            text.to_owned()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_have_their_lines_attributes_and_text() {
        let mut parser = RuleParser::default();
        let root = parse(
            "<?xml version=\"1.0\"?>\n<a>\n <b x='1 &amp; 2'/>\n <c>t&lt;<![CDATA[&]]></c>\n</a>",
            &mut parser,
        );
        let a = root.child("A").unwrap();
        let (b, c) = (a.child("b").unwrap(), a.child("c").unwrap());
        assert_eq!((a.line, b.line, c.line), (2, 3, 4));
        assert_eq!(b.attribute("X"), Some("1 & 2"));
        assert_eq!(c.text(), "t<&");
        assert!(parser.problems.is_empty());
    }

    #[test]
    fn invalid_attributes_and_entities_are_reported() {
        let mut parser = RuleParser::default();
        let root = parse(
            "<a x='1&2'\n y='&none;'/>\n<b x='1' x='2'>&none;</b>",
            &mut parser,
        );
        assert_eq!(root.child("a").unwrap().attribute("x"), Some("1&2"));
        assert_eq!(root.child("b").unwrap().text(), "&none;");
        let lines: Vec<_> = parser.problems.iter().map(|problem| problem.line).collect();
        assert_eq!(lines, [1, 1, 3, 3], "{:?}", parser.problems);
    }

    #[test]
    fn deep_and_broken_texts_are_reported() {
        for text in ["<a>".repeat(1_000), "<a></b>".to_owned()] {
            let mut parser = RuleParser::default();
            parse(&text, &mut parser);
            assert_eq!(parser.problems.len(), 1, "{text}");
        }
    }
}
