//! A message as plain data, built from its properties.

use std::collections::BTreeSet;

use crate::limits::Limits;
use crate::property::{Properties, id, kind};
use crate::rtf::compressed;
use crate::rtf::html::{self, GROUPS, RtfContent};
use crate::{code_page, heading};

/// The `PidTagAttachMethod` of files that are stored elsewhere ([MS-OXCMSG] §2.2.2.9).
const BY_WEB_REFERENCE: u32 = 7;

/// An Outlook message.
#[derive(Clone, Debug, Default)]
pub struct Message {
    /// Its header in the form of RFC 5322, in UTF-8, with lines that end with CR LF: the transport headers, if
    /// any, without those that describe the MIME form, and fields built from properties.
    pub header: String,
    /// Its class, such as `IPM.Note`.
    pub class: Option<String>,
    /// Its bodies, plain text first, as in multipart/alternative.
    pub bodies: Vec<Body>,
    /// Its attachments, in the order in which they are stored.
    pub attachments: Vec<Attachment>,
    /// What could not be read, and what was repaired.
    pub problems: Vec<Problem>,
}

/// A body of a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Body {
    /// Whether it is HTML.
    pub kind: BodyKind,
    /// Its bytes, without a transfer encoding.
    pub bytes: Vec<u8>,
    /// The label of the encoding in the Encoding Standard, or `utf-7`; `None` if unknown.
    pub charset: Option<&'static str>,
    /// Its `Content-Location`.
    pub location: Option<String>,
    /// Whether it was extracted from RTF, so that `bytes` do not occur in the file.
    pub is_from_rtf: bool,
}

/// The type of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BodyKind {
    /// Plain text.
    Text,
    /// HTML.
    Html,
}

/// A file or message attached to a message.
#[derive(Clone, Debug)]
pub struct Attachment {
    /// Its file name.
    pub name: Option<String>,
    /// Its declared media type, which is often wrong.
    pub media_type: Option<String>,
    /// Its `Content-ID`, without angle brackets.
    pub content_id: Option<String>,
    /// Its `Content-Location`.
    pub location: Option<String>,
    /// Its `Content-Base`.
    pub base: Option<String>,
    /// Its `Content-Disposition`.
    pub disposition: Option<String>,
    /// Its content.
    pub content: Content,
}

/// The content of an attachment.
#[derive(Clone, Debug)]
pub enum Content {
    /// A file.
    Bytes(Vec<u8>),
    /// A message.
    Message(Box<Message>),
    /// The address of a file that is stored elsewhere (`afByWebReference`).
    Reference(String),
    /// An OLE object, or anything else that is not read.
    Other,
}

/// A part that could not be read, or was repaired.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Its severity.
    pub kind: ProblemKind,
    /// A description in English, as a clause.
    pub what: String,
}

/// The severity of a [`Problem`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProblemKind {
    /// A part is missing because of a limit.
    Limit,
    /// A part is missing because of damage.
    Damaged,
    /// A checksum is wrong, although nothing seems to be missing.
    Checksum,
}

impl Problem {
    pub(crate) fn new(kind: ProblemKind, what: impl Into<String>) -> Self {
        Self {
            kind,
            what: what.into(),
        }
    }

    pub(crate) fn too_deep(limits: &Limits) -> Self {
        let what = format!(
            "messages nested more than {} deep are not read",
            limits.depth
        );
        Self::new(ProblemKind::Limit, what)
    }
}

impl Attachment {
    pub(crate) fn new(properties: &Properties, content: Content) -> Self {
        let text = |id| properties.text(id);
        let content_id = text(id::ATTACH_CONTENT_ID);
        Self {
            name: text(id::ATTACH_LONG_NAME)
                .or_else(|| text(id::ATTACH_NAME))
                .or_else(|| text(id::DISPLAY_NAME)),
            media_type: text(id::ATTACH_MEDIA_TYPE),
            content_id: content_id.map(|id| id.trim_matches(['<', '>', ' ']).to_owned()),
            location: text(id::ATTACH_LOCATION),
            base: text(id::ATTACH_BASE),
            disposition: text(id::ATTACH_DISPOSITION),
            content,
        }
    }
}

impl Content {
    /// The content of an attachment that is neither a message nor an OLE object.
    pub(crate) fn from_properties(properties: &mut Properties) -> Self {
        if properties.integer(id::ATTACH_METHOD) == Some(BY_WEB_REFERENCE) {
            let url = properties
                .text(id::ATTACH_LONG_PATH)
                .or_else(|| properties.text(id::ATTACH_PATH));
            if let Some(url) = url {
                return Self::Reference(url);
            }
        }
        properties
            .take(id::ATTACH_DATA)
            .map_or(Self::Other, Self::Bytes)
    }
}

/// The properties of a message, from which it is built.
#[derive(Debug, Default)]
pub(crate) struct MessageParts {
    pub properties: Properties,
    pub recipients: Vec<Properties>,
    pub attachments: Vec<Attachment>,
    pub problems: Vec<Problem>,
}

impl MessageParts {
    pub fn into_message(mut self) -> Message {
        let header = heading::build(&self.properties, &self.recipients);
        let class = self.properties.text(id::CLASS);
        let bodies = self.bodies();
        Message {
            header,
            class,
            bodies,
            attachments: self.attachments,
            problems: self.problems,
        }
    }

    fn bodies(&mut self) -> Vec<Body> {
        let location = self.properties.text(id::BODY_LOCATION);
        let html = self.html().map(|body| Body { location, ..body });
        let mut text = self.text();
        let mut from_rtf = None;
        if let Some(rtf) = self.rtf() {
            let body = |kind| Body {
                kind,
                bytes: rtf.text.clone().into_bytes(),
                charset: Some("utf-8"),
                location: None,
                is_from_rtf: true,
            };
            match rtf.made {
                RtfContent::FromText if text.is_none() => text = Some(body(BodyKind::Text)),
                RtfContent::FromText => {}
                // The plain-text property has no link targets.
                RtfContent::AsRtf if rtf.links == 0 && text.is_some() => {}
                // Departs: bodies that differ are not reported. Mail programs show either one, so both are
                // read and their links judged.
                RtfContent::FromHtml | RtfContent::AsRtf => {
                    let is_news = |html: &Body| has_other_addresses(&rtf.text, html);
                    if html.as_ref().is_none_or(is_news) {
                        from_rtf = Some(body(BodyKind::Html));
                    }
                }
            }
        }
        [text, html, from_rtf].into_iter().flatten().collect()
    }

    /// The HTML body.
    fn html(&mut self) -> Option<Body> {
        let properties = &self.properties;
        let page = properties.integer(id::INTERNET_CODE_PAGE);
        let charset = page.and_then(code_page::label);
        self.body(id::HTML, BodyKind::Html, charset)
    }

    /// The plain-text body.
    fn text(&mut self) -> Option<Body> {
        let charset = self.properties.code_page.and_then(code_page::label);
        self.body(id::BODY, BodyKind::Text, charset)
    }

    fn body(&mut self, id: u16, kind: BodyKind, charset: Option<&'static str>) -> Option<Body> {
        let (stored, _) = self.properties.stored(id)?;
        let (bytes, charset) = match stored {
            kind::STRING => (self.properties.text(id)?.into_bytes(), Some("utf-8")),
            kind::STRING_8 | kind::BINARY => {
                let mut bytes = self.properties.take(id)?;
                while bytes.last() == Some(&0) && charset != Some("utf-16le") {
                    bytes.pop();
                }
                (bytes, charset)
            }
            _ => return None,
        };
        (!bytes.is_empty()).then_some(Body {
            kind,
            bytes,
            charset,
            location: None,
            is_from_rtf: false,
        })
    }

    /// The RTF body.
    fn rtf(&mut self) -> Option<html::Body> {
        let stored = self.properties.take(id::RTF)?;
        let mut problem = |kind, what: &str| self.problems.push(Problem::new(kind, what));
        let found = compressed::decompress(&stored).and_then(|rtf| {
            if !rtf.is_sound {
                let what = "the checksum of the body in RTF is wrong";
                problem(ProblemKind::Checksum, what);
            }
            if !rtf.is_whole {
                problem(ProblemKind::Damaged, "the body in RTF is cut off");
            }
            html::read(&rtf.bytes)
        });
        match &found {
            None if stored.is_empty() => {}
            None => problem(ProblemKind::Damaged, "the body in RTF cannot be read"),
            Some(body) if body.is_cut => {
                let what = format!("what is nested more than {GROUPS} deep in RTF is not read");
                problem(ProblemKind::Limit, &what);
            }
            Some(_) => {}
        }
        found
    }
}

/// Whether a text has an address that is missing in the HTML of the same message.
fn has_other_addresses(text: &str, html: &Body) -> bool {
    let encoding = html
        .charset
        .and_then(|label| encoding_rs::Encoding::for_label(label.as_bytes()));
    let html = match encoding {
        Some(encoding) => encoding.decode(&html.bytes).0,
        None => String::from_utf8_lossy(&html.bytes),
    };
    let known: BTreeSet<&str> = addresses(&html).collect();
    addresses(text).any(|address| !known.contains(address))
}

/// The hosts and paths of the addresses in a text; an address inside another is part of it.
fn addresses(text: &str) -> impl Iterator<Item = &str> {
    let ends = |byte: u8| byte <= b' ' || matches!(byte, b'"' | b'\'' | b'<' | b'>' | b'&');
    let mut rest = text;
    std::iter::from_fn(move || {
        let (_, after) = rest.split_once("://")?;
        let length = after.bytes().position(ends).unwrap_or(after.len());
        let (address, next) = after.split_at(length);
        rest = next;
        Some(address)
    })
}

#[cfg(test)]
mod tests {
    use super::BodyKind::{Html, Text};
    use super::*;

    const LINK_A: &[u8] = b"<a href='http://a.test/x'>";

    /// Uncompressed RTF.
    fn rtf(text: &str) -> Vec<u8> {
        let size = u32::try_from(text.len()).unwrap();
        let sizes = [(size + 12).to_le_bytes(), size.to_le_bytes()].concat();
        [&sizes[..], b"MELA\0\0\0\0", text.as_bytes()].concat()
    }

    fn bodies(values: &[(u16, u16, &[u8])]) -> Vec<(BodyKind, String, Option<&'static str>)> {
        let mut stored = MessageParts::default();
        stored.properties.put_short(id::INTERNET_CODE_PAGE, 1251);
        for (id, kind, value) in values {
            stored.properties.put_long(*id, *kind, value.to_vec());
        }
        let bodies = stored.into_message().bodies.into_iter();
        bodies
            .map(|body| {
                let text = String::from_utf8_lossy(&body.bytes).into_owned();
                (body.kind, text, body.charset)
            })
            .collect()
    }

    #[test]
    fn html_property_precedes_html_in_rtf() {
        let in_rtf = |url: &str| {
            rtf(&format!(
                r"{{\rtf1\fromhtml1{{\*\htmltag84 <a href='{url}'>}}}}"
            ))
        };
        let same = in_rtf("http://a.test/x");
        let other = in_rtf("http://b.test/");
        let own = (
            BodyKind::Html,
            "<a href='http://a.test/x'>".to_owned(),
            Some("windows-1251"),
        );
        let html = (id::HTML, kind::BINARY, LINK_A);
        assert_eq!(
            bodies(&[html, (id::RTF, kind::BINARY, &same)]),
            std::slice::from_ref(&own)
        );
        let found = bodies(&[html, (id::RTF, kind::BINARY, &other)]);
        assert_eq!(found[0], own);
        assert_eq!(
            (&*found[1].1, found[1].2),
            ("<a href='http://b.test/'>", Some("utf-8"))
        );
        let empty = (id::HTML, kind::BINARY, &b"\0"[..]);
        let found = bodies(&[empty, (id::RTF, kind::BINARY, &other)]);
        assert_eq!(found.len(), 1);
    }

    #[test]
    fn addresses_do_not_overlap() {
        let found: Vec<_> = addresses("a://b/?c://d <e://f> ://").collect();
        assert_eq!(found, ["b/?c://d", "f", ""]);
    }

    #[test]
    fn html_as_a_string() {
        let found = bodies(&[(id::HTML, kind::STRING, b"<\0p\0>\0")]);
        assert_eq!(found, [(BodyKind::Html, "<p>".to_owned(), Some("utf-8"))]);
    }

    #[test]
    fn native_rtf_is_read_for_its_links_or_without_text() {
        let text = (id::BODY, kind::STRING_8, &b"x"[..]);
        let plain = rtf(r"{\rtf1 x}");
        let linked = rtf(r#"{\rtf1 {\field{\*\fldinst HYPERLINK "http://a.test"}{\fldrslt x}}}"#);
        let kinds = |values: &[(u16, u16, &[u8])]| -> Vec<BodyKind> {
            bodies(values).into_iter().map(|body| body.0).collect()
        };
        assert_eq!(kinds(&[text, (id::RTF, kind::BINARY, &plain)]), [Text]);
        assert_eq!(
            kinds(&[text, (id::RTF, kind::BINARY, &linked)]),
            [Text, Html]
        );
        assert_eq!(kinds(&[(id::RTF, kind::BINARY, &plain)]), [Html]);
        let from_text = rtf(r"{\rtf1\fromtext x}");
        assert_eq!(kinds(&[(id::RTF, kind::BINARY, &from_text)]), [Text]);
    }

    #[test]
    fn problems_with_rtf() {
        let problems = |value: &[u8]| {
            let mut stored = MessageParts::default();
            stored
                .properties
                .put_long(id::RTF, kind::BINARY, value.to_vec());
            let problems = stored.into_message().problems.into_iter();
            problems.map(|problem| problem.kind).collect::<Vec<_>>()
        };
        assert_eq!(problems(b""), []);
        assert_eq!(problems(b"12345"), [ProblemKind::Damaged]);
        let deep = rtf(&format!(r"{{\rtf1 {}", "{".repeat(GROUPS + 1)));
        assert_eq!(problems(&deep), [ProblemKind::Limit]);
        assert_eq!(problems(&deep[..40]), [ProblemKind::Damaged]);
    }
}
