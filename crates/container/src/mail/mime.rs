//! Makes MIME messages (RFC 2045) of messages that are stored in another form, so that they are read
//! like any other message.

use data_encoding::BASE64_MIME;

use crate::entity::{Entity, EntityKind};
use baseref_document::Origin;
use baseref_text::header::field::{push_field, quoted};

/// The header of a message or part.
#[derive(Clone, Debug, Default)]
pub(crate) struct Header(String);

impl Header {
    /// Adds a field. Line ends in its value become spaces, so that it stays one field.
    pub fn push(&mut self, name: &str, value: &str) {
        let is_name = |byte: u8| (b'!'..=b'~').contains(&byte) && byte != b':';
        if name.is_empty() || !name.bytes().all(is_name) {
            return;
        }
        push_field(&mut self.0, name, value);
    }

    /// Adds a field of a stored header, unless it says in which form the message was.
    pub fn push_stored(&mut self, name: &str, value: &str) {
        let is_form = ["Content-Type", "Content-Transfer-Encoding", "MIME-Version"]
            .iter()
            .any(|form| form.eq_ignore_ascii_case(name));
        if !is_form {
            self.push(name, value);
        }
    }

    /// Adds a media type with the parameter `name`, and the disposition of an attached file.
    pub fn push_file(&mut self, media_type: &str, name: &str) {
        let is_type = media_type.contains('/');
        let media_type = if is_type {
            media_type
        } else {
            "application/octet-stream"
        };
        self.push("Content-Type", media_type);
        let value = format!("attachment; filename={}", quoted(name));
        self.push("Content-Disposition", &value);
    }
}

/// A time in the form of RFC 3339 as a date (RFC 5322 §3.3); `None` if it has another form. A time
/// without a zone is taken for one in UTC.
pub(crate) fn date(time: &str) -> Option<String> {
    const MONTHS: [&str; 12] = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ];
    let (date, rest) = time.trim().split_once(['T', ' '])?;
    let mut numbers = date.split('-').map(str::parse::<usize>);
    let (year, month, day) = (numbers.next()?, numbers.next()?, numbers.next()?);
    let month = MONTHS.get(month.ok()?.checked_sub(1)?)?;
    let clock = rest.get(..8)?;
    let zone = rest.get(rest.len().saturating_sub(6)..)?;
    let zone = match zone.split_once(':') {
        Some((hours, minutes)) if hours.len() == 3 && hours.starts_with(['+', '-']) => {
            format!("{hours}{minutes}")
        }
        _ => "+0000".to_owned(),
    };
    Some(format!(
        "{:02} {month} {:04} {clock} {zone}",
        day.ok()?,
        year.ok()?
    ))
}

/// A part, or the message itself. Its header has no encoding, and a `Content-Type` only where it has
/// no inner parts.
#[derive(Debug)]
pub(crate) struct Part {
    pub header: Header,
    pub content: Content,
}

/// What a part holds.
#[derive(Debug)]
pub(crate) enum Content {
    /// A body, which is written in base64: it can hold any bytes, and no line of it is a delimiter.
    Body(Vec<u8>),
    /// Other parts, in a multipart of this type.
    Parts(&'static str, Vec<Part>),
    /// A message.
    Message(Box<Part>),
}

impl Part {
    /// A text of a message, in UTF-8.
    pub fn text(media_type: &str, text: impl Into<Vec<u8>>) -> Self {
        let mut header = Header::default();
        header.push("Content-Type", &format!("{media_type}; charset=utf-8"));
        Self {
            header,
            content: Content::Body(text.into()),
        }
    }

    /// A file that is stored elsewhere (RFC 2017).
    pub fn reference(url: &str) -> Self {
        let mut header = Header::default();
        let url = quoted(url);
        let value = format!("message/external-body; access-type=URL; url={url}");
        header.push("Content-Type", &value);
        Self {
            header,
            content: Content::Body(Vec::new()),
        }
    }

    /// Bodies of one message, plain text first, before the files attached to it.
    pub fn with_bodies(header: Header, mut bodies: Vec<Self>, files: Vec<Self>) -> Self {
        let body = if bodies.len() > 1 {
            Some(Self {
                header: Header::default(),
                content: Content::Parts("alternative", bodies),
            })
        } else {
            bodies.pop()
        };
        Self {
            header,
            // Bodies refer to attached files by Content-ID.
            content: Content::Parts("related", body.into_iter().chain(files).collect()),
        }
    }

    /// The message as an entity at that origin. Its bytes are nowhere in the file.
    pub fn into_entity(self, origin: Origin) -> Entity {
        let mut bytes = Vec::new();
        self.write(&mut bytes, &mut 0);
        Entity {
            kind: EntityKind::Message { unquote: false },
            offset: None,
            ..Entity::html(origin, bytes)
        }
    }

    /// The recursion is as deep as the message was made, which its maker bounds.
    fn write(self, bytes: &mut Vec<u8>, boundaries: &mut u32) {
        bytes.extend_from_slice(self.header.0.as_bytes());
        match self.content {
            Content::Body(body) if body.is_empty() => bytes.extend_from_slice(b"\r\n"),
            Content::Body(body) => {
                bytes.extend_from_slice(b"Content-Transfer-Encoding: base64\r\n\r\n");
                bytes.extend_from_slice(BASE64_MIME.encode(&body).as_bytes());
            }
            Content::Parts(kind, parts) => {
                *boundaries += 1;
                let boundary = format!("=_{boundaries}");
                let line =
                    format!("Content-Type: multipart/{kind}; boundary=\"{boundary}\"\r\n\r\n");
                bytes.extend_from_slice(line.as_bytes());
                for part in parts {
                    bytes.extend_from_slice(format!("--{boundary}\r\n").as_bytes());
                    part.write(bytes, boundaries);
                    bytes.extend_from_slice(b"\r\n");
                }
                bytes.extend_from_slice(format!("--{boundary}--\r\n").as_bytes());
            }
            Content::Message(message) => {
                bytes.extend_from_slice(b"Content-Type: message/rfc822\r\n\r\n");
                message.write(bytes, boundaries);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_as_dates() {
        for (time, expected) in [
            ("2025-01-06T10:05:00Z", Some("06 Jan 2025 10:05:00 +0000")),
            (
                "2025-12-31T23:59:59.5+01:30",
                Some("31 Dec 2025 23:59:59 +0130"),
            ),
            ("2025-02-03T04:05:06", Some("03 Feb 2025 04:05:06 +0000")),
            ("2025-13-03T04:05:06", None),
            ("yesterday", None),
        ] {
            assert_eq!(date(time).as_deref(), expected, "{time}");
        }
    }

    #[test]
    fn message_with_alternatives_and_a_file() {
        let mut header = Header::default();
        header.push("Subject", "a\r\nBcc: b");
        header.push("no name", "x");
        header.push_stored("content-type", "text/plain");
        header.push_stored("X-A", "1");
        let mut file = Header::default();
        file.push_file("none", "a\"b.html");
        let files = vec![Part {
            header: file,
            content: Content::Body(b"--=_1".to_vec()),
        }];
        let bodies = vec![Part::text("text/plain", "a"), Part::text("text/html", "b")];
        let message = Part::with_bodies(header, bodies, files);
        let entity = message.into_entity(Origin::new("m"));
        let expected = "Subject: a  Bcc: b\r\nX-A: 1\r\n\
            Content-Type: multipart/related; boundary=\"=_1\"\r\n\r\n\
            --=_1\r\nContent-Type: multipart/alternative; boundary=\"=_2\"\r\n\r\n\
            --=_2\r\nContent-Type: text/plain; charset=utf-8\r\n\
            Content-Transfer-Encoding: base64\r\n\r\nYQ==\r\n\r\n\
            --=_2\r\nContent-Type: text/html; charset=utf-8\r\n\
            Content-Transfer-Encoding: base64\r\n\r\nYg==\r\n\r\n--=_2--\r\n\r\n\
            --=_1\r\nContent-Type: application/octet-stream\r\n\
            Content-Disposition: attachment; filename=\"a\\\"b.html\"\r\n\
            Content-Transfer-Encoding: base64\r\n\r\nLS09XzE=\r\n\r\n--=_1--\r\n";
        assert_eq!(String::from_utf8(entity.bytes).unwrap(), expected);
        assert_eq!(entity.offset, None);
    }
}
