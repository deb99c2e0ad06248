//! Values of `Content-Type` and `Content-Transfer-Encoding` (RFC 2045 §5, §6; RFC 2231), as
//! tolerantly as real mail requires.

use encoding_rs::Encoding;
use encoding_rs::mem::decode_latin1;

use crate::decode::transfer::{self, hex};
use crate::header::comment::skip_cfws;
use crate::header::encoded_word;

/// The type of a part whose body is stored elsewhere (RFC 2046 §5.2.3).
pub const EXTERNAL_BODY: &str = "message/external-body";

/// A media type and its parameters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MediaType {
    /// `type/subtype`, in lower case.
    pub essence: String,
    parameters: Vec<Parameter>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Parameter {
    /// In lower case, with the asterisks of RFC 2231.
    name: Vec<u8>,
    value: Vec<u8>,
}

/// The members of a list, split at the commas outside quoted strings.
fn list_members(value: &[u8]) -> impl Iterator<Item = &[u8]> {
    let (mut is_quoted, mut is_escaped) = (false, false);
    value.split(move |byte| {
        if std::mem::take(&mut is_escaped) {
            return false;
        }
        match byte {
            b'\\' if is_quoted => is_escaped = true,
            b'"' => is_quoted = !is_quoted,
            _ => {}
        }
        *byte == b',' && !is_quoted
    })
}

impl MediaType {
    /// A type without parameters.
    #[must_use]
    pub fn plain(essence: &str) -> Self {
        Self {
            essence: essence.to_owned(),
            parameters: Vec::new(),
        }
    }

    /// Parses the value of a `Content-Type` field; `None` if it has no `type/subtype`.
    #[must_use]
    pub fn parse(value: &[u8]) -> Option<Self> {
        let value = unfold(value);
        let mut cursor = Cursor { rest: &value };
        let kind = cursor.token();
        let subtype = cursor.sub_token()?;
        if kind.is_empty() || subtype.is_empty() {
            return None;
        }
        let essence = [kind, subtype].join(&b'/');
        Some(Self {
            essence: String::from_utf8_lossy(&essence).to_ascii_lowercase(),
            parameters: cursor.parameters(),
        })
    }

    /// The media type of several `Content-Type` values, each a list: the last valid type, with the
    /// charset of an earlier one if the type is the same (Fetch, "extract a MIME type").
    pub fn from_list<'v>(values: impl Iterator<Item = &'v [u8]>) -> Option<Self> {
        let mut last: Option<Self> = None;
        let types = values.flat_map(list_members).filter_map(Self::parse);
        for mut media in types.filter(|media| media.essence != "*/*") {
            let is_charset = |parameter: &&Parameter| parameter.name == b"charset";
            let has_charset = media.parameters.iter().any(|one| is_charset(&one));
            if let Some(earlier) = last.filter(|last| last.essence == media.essence && !has_charset)
            {
                let charset = earlier.parameters.iter().find(is_charset);
                media.parameters.extend(charset.cloned());
            }
            last = Some(media);
        }
        last
    }

    /// Parses the value of a `Content-Disposition` field (RFC 2183); the disposition becomes the
    /// essence.
    #[must_use]
    pub fn parse_disposition(value: &[u8]) -> Option<Self> {
        let value = unfold(value);
        let mut cursor = Cursor { rest: &value };
        let kind = cursor.token();
        if kind.is_empty() {
            return None;
        }
        Some(Self {
            essence: String::from_utf8_lossy(kind).to_ascii_lowercase(),
            parameters: cursor.parameters(),
        })
    }

    /// The value of a parameter as text: in the charset of its RFC 2231 §4 prefix, else UTF-8 or
    /// Latin-1; encoded-words, which are common though not allowed there, are decoded.
    #[must_use]
    pub fn text_parameter(&self, name: &str) -> Option<String> {
        let value = self.parameter(name)?;
        let text = match self.charset_of(name) {
            Some(charset) => charset.decode_without_bom_handling(&value).0.into_owned(),
            None => match String::from_utf8(value) {
                Ok(text) => text,
                Err(error) => decode_latin1(error.as_bytes()).into_owned(),
            },
        };
        Some(encoded_word::text(&text))
    }

    /// The charset of an extended parameter: `name*=utf-8'en'...` or `name*0*=...`.
    fn charset_of(&self, name: &str) -> Option<&'static Encoding> {
        let label = |parameter: &Parameter| {
            let suffix = parameter.name.strip_prefix(name.as_bytes())?;
            if !matches!(suffix, b"*" | b"*0*") {
                return None;
            }
            let end = memchr::memchr(b'\'', &parameter.value)?;
            Encoding::for_label(&parameter.value[..end])
        };
        self.parameters.iter().find_map(label)
    }

    /// The value of a parameter, `None` if it is absent. Of a repeated parameter the first wins;
    /// one split into continuations (RFC 2231 §3) is joined and percent-decoded (§4).
    #[must_use]
    pub fn parameter(&self, name: &str) -> Option<Vec<u8>> {
        let plain = self
            .parameters
            .iter()
            .find(|parameter| parameter.name == name.as_bytes());
        match plain {
            Some(parameter) => Some(parameter.value.clone()),
            None => self.continued(name),
        }
    }

    /// The boundary of a multipart, without trailing white space (RFC 2046 §5.1.1 does not allow
    /// any); `None` if it is absent or empty.
    #[must_use]
    pub fn boundary(&self) -> Option<Vec<u8>> {
        if !self.essence.starts_with("multipart/") {
            return None;
        }
        let boundary = self.parameter("boundary")?;
        let boundary = boundary.trim_ascii_end();
        (!boundary.is_empty()).then(|| boundary.to_vec())
    }

    /// The charset parameter, as written.
    #[must_use]
    pub fn charset(&self) -> Option<String> {
        let label = self.parameter("charset")?;
        Some(String::from_utf8_lossy(&label).into_owned())
    }

    fn continued(&self, name: &str) -> Option<Vec<u8>> {
        let mut pieces: Vec<(u32, bool, &[u8])> = self
            .parameters
            .iter()
            .filter_map(|parameter| {
                let (number, extended) = piece(parameter.name.strip_prefix(name.as_bytes())?)?;
                Some((number, extended, parameter.value.as_slice()))
            })
            .collect();
        // The sort is stable, so of a repeated piece the first wins.
        pieces.sort_by_key(|&(number, ..)| number);
        pieces.dedup_by_key(|&mut (number, ..)| number);
        let mut value = Vec::new();
        for (expected, &(number, extended, piece)) in (0..).zip(&pieces) {
            if number != expected {
                break;
            }
            match (extended, number) {
                (true, 0) => percent_decode(without_language(piece), &mut value),
                (true, _) => percent_decode(piece, &mut value),
                (false, _) => value.extend_from_slice(piece),
            }
        }
        (!pieces.is_empty()).then_some(value)
    }
}

/// The number of a piece and whether it is percent-encoded, by the suffix of the parameter's name:
/// `*`, `*0`, `*0*`.
fn piece(suffix: &[u8]) -> Option<(u32, bool)> {
    let number = suffix.strip_prefix(b"*")?;
    if number.is_empty() {
        return Some((0, true));
    }
    let (number, extended) = match number.strip_suffix(b"*") {
        Some(number) => (number, true),
        None => (number, false),
    };
    Some((std::str::from_utf8(number).ok()?.parse().ok()?, extended))
}

/// The rest after `charset'language'`.
fn without_language(value: &[u8]) -> &[u8] {
    let mut parts = value.splitn(3, |&byte| byte == b'\'');
    match (parts.next(), parts.next(), parts.next()) {
        (_, _, Some(text)) => text,
        _ => value,
    }
}

fn percent_decode(value: &[u8], decoded: &mut Vec<u8>) {
    let mut rest = value;
    while let [first, tail @ ..] = rest {
        if let (b'%', [high, low, after @ ..]) = (first, tail)
            && let (Some(high), Some(low)) = (hex(*high), hex(*low))
        {
            decoded.push(high << 4 | low);
            rest = after;
        } else {
            decoded.push(*first);
            rest = tail;
        }
    }
}

/// The transfer encoding that a header declares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TransferEncoding {
    /// `7bit`, `8bit`, `binary`, or undeclared.
    Identity,
    /// To be decoded.
    Encoded(transfer::Encoding),
    /// A word unknown to RFC 2045, in lower case.
    Unknown(String),
}

impl TransferEncoding {
    /// Parses the value of a `Content-Transfer-Encoding` field.
    #[must_use]
    pub fn parse(value: &[u8]) -> Self {
        let value = unfold(value);
        let mut cursor = Cursor { rest: &value };
        let token = String::from_utf8_lossy(cursor.token()).to_ascii_lowercase();
        match token.as_str() {
            "" | "7bit" | "8bit" | "binary" | "7-bit" | "8-bit" => Self::Identity,
            "base64" => Self::Encoded(transfer::Encoding::Base64),
            "quoted-printable" => Self::Encoded(transfer::Encoding::QuotedPrintable),
            "x-uuencode" | "uuencode" | "x-uue" | "x-uu" => {
                Self::Encoded(transfer::Encoding::Uuencode)
            }
            _ => Self::Unknown(token),
        }
    }
}

/// `value` without the line ends that fold it (RFC 5322 §2.2.3).
#[must_use]
pub fn unfold(value: &[u8]) -> Vec<u8> {
    value
        .iter()
        .copied()
        .filter(|byte| !matches!(byte, b'\r' | b'\n'))
        .collect()
}

/// The unread rest of an unfolded structured field.
struct Cursor<'v> {
    rest: &'v [u8],
}

impl<'v> Cursor<'v> {
    /// The next token, after white space, comments and quotes; empty if there is none.
    fn token(&mut self) -> &'v [u8] {
        self.skip_cfws();
        while let [b'"', rest @ ..] = self.rest {
            self.rest = rest;
        }
        let end = |byte: &u8| matches!(byte, b' ' | b'\t' | b';' | b'(' | b'/' | b'"');
        self.until(end)
    }

    /// The token after the slash that comes next; `None` without one.
    fn sub_token(&mut self) -> Option<&'v [u8]> {
        self.skip_cfws();
        self.rest = self.rest.strip_prefix(b"/")?;
        Some(self.token())
    }

    fn parameters(&mut self) -> Vec<Parameter> {
        let mut parameters = Vec::new();
        loop {
            self.skip_cfws();
            if let [b';' | b'"', rest @ ..] = self.rest {
                self.rest = rest;
                continue;
            }
            if self.rest.is_empty() {
                return parameters;
            }
            let name = self.until(|byte| matches!(byte, b'=' | b';'));
            if let [b'=', rest @ ..] = self.rest {
                self.rest = rest;
                parameters.push(Parameter {
                    name: name.trim_ascii().to_ascii_lowercase(),
                    value: self.value(),
                });
            }
        }
    }

    /// A quoted string, or everything up to the next semicolon or comment. An unclosed quoted
    /// string ends at the next semicolon.
    fn value(&mut self) -> Vec<u8> {
        self.skip_cfws();
        if let [b'"', inner @ ..] = self.rest {
            if let Some((value, rest)) = quoted_string(inner) {
                self.rest = rest;
                self.until(|&byte| byte == b';');
                return value;
            }
            self.rest = inner;
        }
        let value = self.until(|&byte| byte == b';');
        let mut end = value.len();
        for (at, pair) in value.windows(2).enumerate() {
            if matches!(pair, [b' ' | b'\t', b'(']) {
                end = at;
                break;
            }
        }
        value[..end].trim_ascii().to_vec()
    }

    /// Everything before the first byte for which `ends` holds.
    fn until(&mut self, ends: impl Fn(&u8) -> bool) -> &'v [u8] {
        let length = self.rest.iter().position(ends).unwrap_or(self.rest.len());
        let (taken, rest) = self.rest.split_at(length);
        self.rest = rest;
        taken
    }

    /// Skips white space and comments, nested to any depth.
    fn skip_cfws(&mut self) {
        self.rest = skip_cfws(self.rest);
    }
}

/// The content of a quoted string whose opening quote precedes `text`, and the rest; `None` if it
/// is not closed.
fn quoted_string(text: &[u8]) -> Option<(Vec<u8>, &[u8])> {
    let mut value = Vec::new();
    let mut rest = text;
    loop {
        rest = match rest {
            [b'"', tail @ ..] => return Some((value, tail)),
            [b'\\', byte, tail @ ..] | [byte, tail @ ..] => {
                value.push(*byte);
                tail
            }
            [] => return None,
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn media_type_ignores_case_and_comments() {
        for (value, essence) in [
            ("text/html", Some("text/html")),
            ("TEXT/Html; charset=x", Some("text/html")),
            ("text/html (c)", Some("text/html")),
            ("(a(b)\\)) text/html(c);x", Some("text/html")),
            ("text / html", Some("text/html")),
            ("text/html charset=utf-8", Some("text/html")),
            ("text/\r\n html", Some("text/html")),
            ("\"text/html\"", Some("text/html")),
            ("html", None),
            ("", None),
            ("/", None),
            ("text/", None),
            ("(unclosed text/html", None),
        ] {
            let parsed = MediaType::parse(value.as_bytes());
            assert_eq!(
                parsed.as_ref().map(|kind| kind.essence.as_str()),
                essence,
                "{value:?}"
            );
        }
    }

    #[test]
    fn parameter_forms() {
        for (value, boundary) in [
            ("a/b; boundary=x", Some("x")),
            ("a/b; Boundary = \"x y\" ; z=1", Some("x y")),
            ("a/b; boundary=\"a\\\"b\"", Some("a\"b")),
            ("a/b; boundary=\"open; z=1", Some("open")),
            ("a/b; boundary=x y ;z=1", Some("x y")),
            ("a/b; boundary=x (comment; no)", Some("x")),
            ("a/b; boundary=x(y)", Some("x(y)")),
            ("a/b; (c) boundary=x", Some("x")),
            ("a/b boundary=x", Some("x")),
            ("a/b;; boundary=x", Some("x")),
            ("a/b; name=\"; boundary=no\"; boundary=x", Some("x")),
            ("a/b; boundary=first; boundary=second", Some("first")),
            ("a/b; boundary*0=\"x\"; boundary*1=y", Some("xy")),
            (
                "a/b; boundary*1=y; boundary*0*=us-ascii'en'x%20; boundary*3=no",
                Some("x y"),
            ),
            ("a/b; boundary*=us-ascii''x%2", Some("x%2")),
            ("a/b; boundary*0=no; boundary=x", Some("x")),
            ("a/b; boundary=", Some("")),
            ("a/b; boundary", None),
            ("a/b; boundaryx=1; xboundary=2", None),
            ("a/b", None),
        ] {
            let parsed = MediaType::parse(value.as_bytes()).unwrap();
            let found = parsed.parameter("boundary");
            assert_eq!(found.as_deref(), boundary.map(str::as_bytes), "{value:?}");
        }
    }

    #[test]
    fn transfer_encoding_ignores_case_and_comments() {
        use TransferEncoding::{Encoded, Identity, Unknown};
        for (value, encoding) in [
            ("base64 ", Encoded(transfer::Encoding::Base64)),
            ("BASE64 (x)", Encoded(transfer::Encoding::Base64)),
            ("(x) Base64;", Encoded(transfer::Encoding::Base64)),
            (
                "quoted-printable;",
                Encoded(transfer::Encoding::QuotedPrintable),
            ),
            (
                "\"quoted-printable\"",
                Encoded(transfer::Encoding::QuotedPrintable),
            ),
            ("8bit", Identity),
            ("", Identity),
            ("X-UUencode", Encoded(transfer::Encoding::Uuencode)),
            ("X-Rot13", Unknown("x-rot13".to_owned())),
        ] {
            assert_eq!(
                TransferEncoding::parse(value.as_bytes()),
                encoding,
                "{value:?}"
            );
        }
    }
}
