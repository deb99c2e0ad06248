//! Reads the URLs in a calendar (RFC 5545): an invitation in a message, or a file attached to one.

use super::flowed::JoinedText;
use super::plain::cut;
use crate::read as read_html;
use baseref_document::link_places::{Class, LinkPlace, calendar_row, plain_text_row};
use baseref_document::{Context, Document, ReadOptions, Reference};
use baseref_text::decode::encoding::decode_plain;
use baseref_text::decode::line;
use baseref_text::decode::position::Positions;
use baseref_text::decode::source::{Markup, MarkupSource};
use baseref_text::grammar::running_text;

/// The properties with text that a person reads.
const TEXTS: [&str; 5] = ["description", "location", "comment", "summary", "contact"];

/// Reads a calendar. Returns its document and after it the HTML descriptions that Outlook adds
/// (`X-ALT-DESC`), leaving out documents without links.
#[must_use]
pub fn read(source: &MarkupSource<'_>, options: &ReadOptions) -> Vec<Document> {
    let decoded = decode_plain(
        source.bytes,
        source.charset.or(Some("utf-8")),
        options.encoding,
    );
    let unfolded = unfold(&decoded.text);
    let mut reading = CalendarReader {
        unfolded: &unfolded,
        positions: decoded.positions(),
        options,
        document: source.clone().begin(&decoded),
        descriptions: Vec::new(),
    };
    let bytes = unfolded.text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        let (end, next) = line::end(bytes, at);
        reading.property(at, end);
        at = next.max(end + 1);
    }
    let CalendarReader {
        document,
        descriptions,
        ..
    } = reading;
    let descriptions = descriptions.iter().map(|html| {
        read_html(
            MarkupSource {
                markup: Markup::Html,
                bytes: html.as_bytes(),
                origin: source.origin.attached("X-ALT-DESC".to_owned()),
                charset: Some("utf-8"),
                ..source.clone()
            },
            options,
        )
    });
    let all = std::iter::once(document).chain(descriptions);
    all.filter(|document| !document.references.is_empty())
        .collect()
}

struct CalendarReader<'r> {
    unfolded: &'r JoinedText<'r>,
    positions: Positions<'r>,
    options: &'r ReadOptions,
    document: Document,
    /// Descriptions in HTML.
    descriptions: Vec<String>,
}

impl CalendarReader<'_> {
    /// Reads the property on a line that is not folded (§3.1).
    fn property(&mut self, start: usize, end: usize) {
        let unfolded = self.unfolded;
        let Some(line) = unfolded.text.get(start..end) else {
            return;
        };
        let Some(colon) = end_of_parameters(line) else {
            return;
        };
        let (head, value) = (&line[..colon], &line[colon + 1..]);
        let name_end = head.find(';').unwrap_or(head.len());
        let (name, parameters) = head.split_at(name_end);
        let name = name.trim_ascii().to_ascii_lowercase();
        // URLs in parameters are in quotes (§3.2.1).
        if let Some(url) = parameter(parameters, "altrep") {
            let at = start + name_end + url.start;
            self.link(calendar_row("altrep"), at..at + url.len());
        }
        let at = start + colon + 1;
        let is = |name, wanted: &str| {
            parameter(parameters, name)
                .is_some_and(|range| parameters[range].eq_ignore_ascii_case(wanted))
        };
        if name == "x-alt-desc" && is("fmttype", "text/html") {
            self.descriptions.push(unescape(value).text.into_owned());
        } else if let Some(slot) = calendar_row(&name) {
            if !is("value", "binary") && !is("encoding", "base64") {
                let lead = value.len() - value.trim_ascii_start().len();
                let length = value.trim_ascii().len();
                self.link(Some(slot), at + lead..at + lead + length);
            }
        } else if TEXTS.contains(&&*name) || name.starts_with("x-") {
            self.text(value, at);
        }
    }

    /// Adds the link that is this range of the unfolded text.
    fn link(&mut self, slot: Option<&'static LinkPlace>, range: std::ops::Range<usize>) {
        let Some(slot) = slot.filter(|slot| self.options.classes.contains(slot.class)) else {
            return;
        };
        let unfolded = self.unfolded;
        let url = &unfolded.text[range.clone()];
        if !url.is_empty() {
            self.push(slot, url, Context::Document, range);
        }
    }

    /// Adds the links in a text, which begins at this place of the unfolded one.
    fn text(&mut self, value: &str, at: usize) {
        let Some(slot) = plain_text_row().filter(|_| self.options.classes.contains(Class::Text))
        else {
            return;
        };
        let text = unescape(value);
        for url in running_text::urls(&text.text) {
            let context = if url.without_scheme {
                Context::Http
            } else {
                Context::Document
            };
            let range = text.in_source(url.range);
            self.push(slot, &url.value, context, at + range.start..at + range.end);
        }
    }

    fn push(
        &mut self,
        slot: &'static LinkPlace,
        url: &str,
        context: Context,
        range: std::ops::Range<usize>,
    ) {
        let range = self.unfolded.in_source(range);
        let at = self.options.positions.then(|| self.positions.locate(range));
        let (value, cut) = cut(url, self.options.limits.attribute);
        self.document.references.push(Reference {
            slot,
            element: slot.element,
            attr: slot.attr,
            value,
            text: None,
            context,
            at: at.as_ref(),
            cut,
        });
    }
}

/// Where the value of a property begins after its name and parameters: at the first colon that is
/// not in quotes.
fn end_of_parameters(line: &str) -> Option<usize> {
    let mut in_quotes = false;
    line.bytes().position(|byte| {
        in_quotes ^= byte == b'"';
        byte == b':' && !in_quotes
    })
}

/// The range of the value of a parameter, without its quotes.
fn parameter(parameters: &str, name: &str) -> Option<std::ops::Range<usize>> {
    let mut in_quotes = false;
    let parts = parameters.split(|character| {
        in_quotes ^= character == '"';
        character == ';' && !in_quotes
    });
    let mut at = 0;
    for part in parts {
        if let Some((found, value)) = part.split_once('=')
            && found.trim_ascii().eq_ignore_ascii_case(name)
        {
            let bare = value.trim_matches('"');
            let lead = value.len() - value.trim_start_matches('"').len();
            let start = at + found.len() + 1 + lead;
            return Some(start..start + bare.len());
        }
        at += part.len() + 1;
    }
    None
}

/// The text without the ends of lines that fold others (§3.1).
fn unfold(text: &str) -> JoinedText<'_> {
    let bytes = text.as_bytes();
    let mut joined = JoinedText::empty();
    let (mut kept, mut at) = (0, 0);
    while at < bytes.len() {
        let (end, next) = line::end(bytes, at);
        if matches!(bytes.get(next), Some(b' ' | b'\t')) && next > end {
            joined.push(&text[kept..end], kept);
            kept = next + 1;
        }
        at = next.max(end + 1);
    }
    joined.push(&text[kept..], kept);
    joined
}

/// A text without its escapes (§3.3.11).
fn unescape(text: &str) -> JoinedText<'_> {
    let mut joined = JoinedText::empty();
    let mut kept = 0;
    let mut at = 0;
    while let Some(distance) = memchr::memchr(b'\\', &text.as_bytes()[at..]) {
        let escape = at + distance;
        joined.push(&text[kept..escape], kept);
        if matches!(text.as_bytes().get(escape + 1), Some(b'n' | b'N')) {
            joined.push("\n", escape);
            kept = escape + 2;
        } else {
            kept = escape + 1;
        }
        at = (escape + 2).min(text.len());
    }
    joined.push(&text[kept.min(text.len())..], kept);
    joined
}

#[cfg(test)]
mod tests {
    use super::*;
    use baseref_document::Origin;
    use baseref_document::link_places::Classes;

    const INVITATION: &str = "BEGIN:VCALENDAR\r\nMETHOD:REQUEST\r\nBEGIN:VEVENT\r\n\
        ORGANIZER;CN=\"a:b\":mailto:a@a.test\r\n\
        DESCRIPTION;ALTREP=\"cid:x@a.test\":Join\\, at https://meet.te\r\n st/a\\,b\\nor www.b.test\r\n\
        URL;VALUE=URI:https://a.test/\r\n\tevent\r\n\
        CONFERENCE;VALUE=URI;FEATURE=AUDIO:tel:+1\r\n\
        ATTACH:https://a.test/plan.pdf\r\nATTACH;ENCODING=BASE64;VALUE=BINARY:aHR0cDovL2Ev\r\n\
        X-MEETING-URL:https://vendor.test/\r\n\
        X-ALT-DESC;FMTTYPE=text/html:<a href=\"https://html.test/\">x\\, y</a>\r\n\
        END:VEVENT\r\nEND:VCALENDAR\r\n";

    /// The links as `document class attribute value [what stands there]`.
    fn links(text: &str, classes: Classes) -> Vec<String> {
        let source = MarkupSource::new(Markup::Html, text.as_bytes(), Origin::new("m"));
        let options = ReadOptions::default().with_classes(classes);
        let mut links = Vec::new();
        for document in read(&source, &options) {
            for link in &document.references {
                let byte = &link.at.expect("the reference has a position").byte;
                let place =
                    usize::try_from(byte.start).unwrap()..usize::try_from(byte.end).unwrap();
                let class = link.slot.class.as_str();
                let words = [class, link.attr, link.value].join(" ");
                links.push(match document.origin.member {
                    None => format!("{words} [{}]", text[place].escape_debug()),
                    Some(_) => format!("{} {words}", document.origin),
                });
            }
        }
        links
    }

    #[test]
    fn links_of_invitation() {
        assert_eq!(
            links(INVITATION, Classes::ALL),
            [
                "anchor altrep cid:x@a.test [cid:x@a.test]",
                "text  https://meet.test/a,b [https://meet.te\\r\\n st/a\\\\,b]",
                "text  www.b.test [www.b.test]",
                "anchor url https://a.test/event [https://a.test/\\r\\n\\tevent]",
                "anchor conference tel:+1 [tel:+1]",
                "anchor attach https://a.test/plan.pdf [https://a.test/plan.pdf]",
                "text  https://vendor.test/ [https://vendor.test/]",
                "m!X-ALT-DESC anchor href https://html.test/",
            ]
        );
        let anchors = links(INVITATION, Classes::ANCHORS);
        assert!(anchors.len() == 5, "{anchors:?}");
    }

    #[test]
    fn calendar_without_links() {
        for text in [
            "",
            "BEGIN:VCALENDAR",
            "URL",
            "URL:",
            "URL;A=\"b:c",
            ":",
            "\\",
            "DESCRIPTION:a\\",
        ] {
            assert_eq!(links(text, Classes::ALL), Vec::<String>::new(), "{text}");
        }
    }
}
