//! Reads the HTML responses in a browser's traffic log (HTTP Archive, HAR 1.2), each with its URL,
//! date and header fields.
//!
//! Bodies are stored without content codings, as text or in base64.

use std::borrow::Cow;
use std::fmt;
use std::num::NonZeroU64;
use std::sync::Arc;

use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::Value;

use super::http::Heading;
use crate::contents::{Container, Contents};
use crate::detect::OpenContext;
use crate::entity::{Entity, EntityKind};
use crate::input::buffered::BufferedInput;
use baseref_document::{
    Capture, CaptureKind, Declaration, Origin, Place, Profile, ReadError, ReadErrorKind, Retrieval,
    Skipped,
};
use baseref_text::decode::sniff::skip_white_space;
use baseref_text::decode::transfer::{self, Encoding};
use baseref_text::header::date;

/// Whether JSON begins like a HAR, with an object whose first key is `log`.
pub(crate) fn is_har(text: &[u8]) -> bool {
    let after = |text: &'_ [u8], token: &[u8]| {
        let rest = text.strip_prefix(token)?;
        Some(text.len() - skip_white_space(rest).len())
    };
    let mut at = 0;
    for token in [&b"{"[..], b"\"log\"", b":", b"{"] {
        match after(&text[at..], token) {
            Some(length) => at += length,
            None => return false,
        }
    }
    true
}

/// The responses of a HAR that hold HTML, and errors for entries that cannot be read.
pub(crate) struct Entries {
    /// Entities and errors not yet returned.
    pub ready: Vec<Result<Entity, ReadError>>,
    skipped: Skipped,
}

/// Reads a HAR.
pub(crate) fn read(mut input: BufferedInput, ctx: &OpenContext<'_>) -> Result<Contents, ReadError> {
    let (bytes, failure) = input.take_bytes()?;
    let captures = ctx.nesting.is_site();
    let mut found = entries(&bytes, &input.name, &input.declarations, captures);
    if let Some(failure) = failure {
        found.ready.insert(0, Err(input.failed(failure)));
    }
    Ok(Contents::from_container(found))
}

/// Reads the entries of a HAR. If `captures` are requested, every capture is returned and style
/// sheets are read.
pub(crate) fn entries(
    bytes: &[u8],
    name: &Arc<str>,
    declarations: &[Declaration],
    captures: bool,
) -> Entries {
    let mut found = Entries {
        ready: Vec::new(),
        skipped: Skipped::default(),
    };
    let mut number = 0;
    let (mut without_body, mut has_page) = (0_u64, false);
    let each = |entry: &Value| {
        number += 1;
        without_body += u64::from(is_page_without_body(entry));
        let origin = Origin::new(Arc::clone(name)).with_message(NonZeroU64::new(number));
        let capture = captures.then(|| capture(entry)).flatten().map(Box::new);
        let entity = entity(entry, origin, declarations, capture, &mut found.skipped);
        has_page |= entity
            .as_ref()
            .is_some_and(|entity| entity.kind == EntityKind::Response);
        found.ready.extend(entity.map(Ok));
    };
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    let text = without_lone_surrogates(String::from_utf8_lossy(bytes));
    let mut reader = serde_json::Deserializer::from_str(&text);
    let seed = MemberValue("log", MemberValue("entries", EachElement(each)));
    if let Err(error) = seed.deserialize(&mut reader) {
        let reason = format!("is not a complete HAR: {error}");
        let origin = Origin::new(Arc::clone(name));
        let error = ReadError::new(ReadErrorKind::Damaged, origin, reason);
        found.ready.push(Err(error));
    }
    if without_body > 0 && !has_page {
        let reason = "has no bodies, so its pages cannot be read: save it with content (Chrome: `Save all as \
                      HAR with content`)";
        let origin = Origin::new(Arc::clone(name));
        let error = ReadError::new(ReadErrorKind::Format, origin, reason);
        found.ready.push(Err(error));
    }
    found.ready.reverse();
    found
}

/// Whether an entry is a page whose body the HAR leaves out.
fn is_page_without_body(entry: &Value) -> bool {
    let response = &entry["response"];
    let content = &response["content"];
    let media = content["mimeType"].as_str().unwrap_or_default();
    let essence = media.split(';').next().unwrap_or_default().trim_ascii();
    let is_html = ["text/html", "application/xhtml+xml"]
        .iter()
        .any(|html| essence.eq_ignore_ascii_case(html));
    is_html
        && response["status"].as_u64() == Some(200)
        && content["size"].as_i64() != Some(0)
        && content["text"].as_str().is_none()
        && content["_file"].as_str().is_none()
}

/// The response of an entry as received, but decoded; `None` if it cannot hold links.
fn entity(
    entry: &Value,
    origin: Origin,
    declarations: &[Declaration],
    capture: Option<Box<Capture>>,
    skipped: &mut Skipped,
) -> Option<Entity> {
    let content = &entry["response"]["content"];
    let text = content["text"].as_str().unwrap_or_default();
    let is_encoded = content["encoding"].as_str() == Some("base64");
    let stored_body = content["_file"].as_str().filter(|_| text.is_empty());
    let body = if is_encoded {
        Cow::Owned(transfer::decode(Encoding::Base64, text.as_bytes()).bytes)
    } else {
        Cow::Borrowed(text.as_bytes())
    };
    let mut bytes = heading(&entry["response"]);
    let start = bytes.len();
    bytes.extend_from_slice(&body);
    let heading = Heading::read(&bytes, start)?;
    let is_seen = capture.as_ref().is_none_or(|capture| capture.holds_page());
    let media = heading.media_type();
    let is_sheet = capture.is_some() && media.is_some_and(|media| media.essence == "text/css");
    let has_body = !body.is_empty() || stored_body.is_some();
    let holds_html = is_seen && has_body && (is_sheet || heading.is_html(&bytes));
    let has_links = is_seen && heading.has_links();
    if !holds_html {
        let media = heading.media_type();
        skipped.count(&media.map(|media| media.essence).unwrap_or_default());
        bytes.truncate(start);
    }
    let recorded = entry["request"]["url"]
        .as_str()
        .map(|url| Declaration::new(url, Place::Retrieval(Retrieval::Record("request.url"))));
    (holds_html || has_links || capture.is_some()).then(|| Entity {
        kind: if holds_html {
            EntityKind::Response
        } else if has_links {
            EntityKind::Fields
        } else {
            EntityKind::Capture
        },
        capture,
        // It was already text when the HAR was written.
        charset: (!is_encoded && stored_body.is_none()).then(|| "utf-8".to_owned()),
        stored_body: stored_body.filter(|_| holds_html).map(Into::into),
        offset: None,
        declarations: recorded
            .into_iter()
            .chain(declarations.iter().cloned())
            .collect(),
        date: entry["startedDateTime"]
            .as_str()
            .and_then(date::from_rfc3339),
        ..Entity::html(origin, bytes)
    })
}

/// The capture that an entry describes; `None` if it has no URL.
fn capture(entry: &Value) -> Option<Capture> {
    let response = &entry["response"];
    let status = response["status"].as_u64().unwrap_or_default();
    let fields = response["headers"].as_array().into_iter().flatten();
    let mut locations = fields.filter_map(|field| {
        let is_location = field["name"].as_str()?.eq_ignore_ascii_case("location");
        field["value"].as_str().filter(|_| is_location)
    });
    let location = locations.find(|location| !location.is_empty());
    let location = location.or_else(|| response["redirectURL"].as_str());
    let method = entry["request"]["method"].as_str();
    Some(Capture {
        date: entry["startedDateTime"]
            .as_str()
            .and_then(date::from_rfc3339),
        status: status.try_into().unwrap_or_default(),
        // With 304 the browser had the body (RFC 9110 §15.4.5).
        kind: if status == 304 {
            CaptureKind::Revisit(Profile::NotModified)
        } else {
            CaptureKind::Response
        },
        location: location
            .filter(|location| !location.is_empty())
            .map(Box::from),
        method: method
            .filter(|method| !matches!(*method, "" | "GET"))
            .map(Box::from),
        ..Capture::from_page(entry["request"]["url"].as_str()?, None)
    })
}

/// The header of a response, without the codings that were removed from its body.
fn heading(response: &Value) -> Vec<u8> {
    const UNDONE: [&str; 2] = ["content-encoding", "transfer-encoding"];
    let status = response["status"].as_u64().unwrap_or_default() % 1000;
    let mut heading = format!("HTTP/1.1 {status:03}\r\n");
    let fields = response["headers"].as_array().into_iter().flatten();
    let fields =
        fields.filter_map(|field| Some((field["name"].as_str()?, field["value"].as_str()?)));
    // Browsers record the media type, or that there was none.
    let media = response["content"]["mimeType"].as_str();
    let media = media.filter(|media| !matches!(*media, "" | "x-unknown"));
    let last = media.map(|media| ("Content-Type", media));
    for (name, value) in fields.chain(last) {
        let is_undone = UNDONE
            .iter()
            .any(|undone| name.eq_ignore_ascii_case(undone));
        if !is_undone
            && !name.is_empty()
            && name
                .bytes()
                .all(|byte| byte.is_ascii_graphic() && byte != b':')
        {
            let value = value.replace(['\r', '\n'], " ");
            heading.extend([name, ": ", &value, "\r\n"]);
        }
    }
    heading.push_str("\r\n");
    heading.into_bytes()
}

/// Replaces each lone surrogate in JSON with U+FFFD. Scripts write them, but the JSON parser
/// rejects them.
pub(crate) fn without_lone_surrogates(text: Cow<'_, str>) -> Cow<'_, str> {
    /// `\uD800`.
    const ESCAPE: usize = 6;
    let code = |at: usize| {
        let escape = text.get(at..at + ESCAPE)?.strip_prefix("\\u")?;
        u16::from_str_radix(escape, 16).ok()
    };
    let mut lone = Vec::new();
    let mut at = 0;
    while let Some(distance) = memchr::memchr(b'\\', text.as_bytes().get(at..).unwrap_or_default())
    {
        at += distance;
        match code(at) {
            Some(0xD800..=0xDBFF) if matches!(code(at + ESCAPE), Some(0xDC00..=0xDFFF)) => {
                at += 2 * ESCAPE;
            }
            Some(0xD800..=0xDFFF) => {
                lone.push(at);
                at += ESCAPE;
            }
            // The escaped character may be a backslash.
            _ => at += 2,
        }
    }
    if lone.is_empty() {
        return text;
    }
    let mut mended = String::with_capacity(text.len());
    let mut done = 0;
    for at in lone {
        mended.push_str(&text[done..at]);
        mended.push_str("\\uFFFD");
        done = at + ESCAPE;
    }
    mended.push_str(&text[done..]);
    Cow::Owned(mended)
}

/// Deserializes the value of a key in an object, and skips the other values.
struct MemberValue<S>(&'static str, S);

impl<'de, S: DeserializeSeed<'de, Value = ()>> DeserializeSeed<'de> for MemberValue<S> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de, S: DeserializeSeed<'de, Value = ()>> Visitor<'de> for MemberValue<S> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "an object with `{}`", self.0)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let Self(wanted, seed) = self;
        let mut seed = Some(seed);
        while let Some(name) = map.next_key::<Cow<'de, str>>()? {
            match seed.take_if(|_| name == wanted) {
                Some(seed) => map.next_value_seed(seed)?,
                None => _ = map.next_value::<IgnoredAny>()?,
            }
        }
        Ok(())
    }
}

/// Passes the elements of an array to a function, one at a time.
struct EachElement<F>(F);

impl<'de, F: FnMut(&Value)> DeserializeSeed<'de> for EachElement<F> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de, F: FnMut(&Value)> Visitor<'de> for EachElement<F> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an array")
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut elements: A) -> Result<(), A::Error> {
        while let Some(element) = elements.next_element()? {
            (self.0)(&element);
        }
        Ok(())
    }
}

impl Iterator for Entries {
    type Item = Result<Entity, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.ready.pop()
    }
}

impl Container for Entries {
    fn skipped(&self) -> Skipped {
        self.skipped.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The entities in a HAR with these entries, each as its number, URL, date and charset, and
    /// what follows its header.
    fn read(har: &str) -> (Vec<String>, u64) {
        let mut entries = entries(har.as_bytes(), &"h".into(), &[], false);
        let found = entries.by_ref().map(|found| match found {
            Err(error) => error.to_string(),
            Ok(entity) => {
                let text = String::from_utf8_lossy(&entity.bytes).into_owned();
                let (heading, body) = text.split_once("\r\n\r\n").unwrap();
                let url = entity.declarations.first().map_or("-", |by| &by.value);
                let date = entity.date.as_deref().unwrap_or("-");
                let charset = entity.charset.as_deref().unwrap_or("-");
                let fields = heading.lines().count() - 1;
                format!("{} {url} {date} {charset} {fields} {body}", entity.origin)
            }
        });
        (found.collect(), entries.without_html())
    }

    fn har(entries: &str) -> String {
        format!(r#"{{"log":{{"version":"1.2","entries":[{entries}],"x":{{}}}}}}"#)
    }

    #[test]
    fn response_has_url_date_and_fields() {
        let whole = har(
            r#"{"startedDateTime":"2026-01-02T03:04:05.678+01:00","request":{"url":"http://a/b"},
                "response":{"status":200,"headers":[{"name":"Content-Encoding","value":"gzip"},
                {"name":":status","value":"200"},{"name":"Link","value":"<x>\r\n<y>"}],
                "content":{"mimeType":"text/html; charset=koi8-r","text":"<a href=\"c\">\u00e9"}}},
            {"request":{"url":"http://i/"},"response":{"content":{"mimeType":"image/png","text":"x"}}},
            {"request":{"url":"http://e/"},"response":{"content":{"mimeType":"text/html",
                "encoding":"base64","text":"PGEgaHJlZj1kPg=="}}},
            {"request":{"url":"http://m/"},"response":{"status":301,"headers":[{"name":"Location",
                "value":"n"}],"content":{}}},
            {}, null"#,
        );
        let lines = [
            "h#1 http://a/b 2026-01-02T02:04:05.678000000Z utf-8 2 <a href=\"c\">é",
            "h#3 http://e/ - - 1 <a href=d>",
            "h#4 http://m/ - utf-8 1 ",
        ];
        assert_eq!(read(&whole), (lines.map(str::to_owned).to_vec(), 4));
    }

    #[test]
    fn entries_before_damage_are_read() {
        let entry = r#"{"response":{"content":{"mimeType":"text/html","text":"<p>"}}}"#;
        let whole = har(&[entry, entry].join(","));
        let end = whole.rfind(entry).unwrap() + 9;
        let (found, _) = read(&whole[..end]);
        assert_eq!(found[0], "h#1 - - utf-8 1 <p>");
        assert!(
            found[1].starts_with("h: is not a complete HAR: EOF"),
            "{found:?}"
        );
        for length in 0..whole.len() {
            assert!(read(&whole[..length]).0.last().unwrap().starts_with("h: "));
        }
        let deep = har(&"[".repeat(100_000));
        assert!(read(&deep).0[0].contains("recursion limit"));
    }

    #[test]
    fn lone_surrogates_are_replaced() {
        let whole = har(r#"{"response":{"content":{"mimeType":"text/html",
            "text":"\ud800 \uD83D\ude00 \\ud800 \udc00\ud800"}}}"#);
        let text = "\u{fffd} \u{1F600} \\ud800 \u{fffd}\u{fffd}";
        assert_eq!(read(&whole).0, [format!("h#1 - - utf-8 1 {text}")]);
    }

    #[test]
    fn har_is_recognised_by_its_first_key() {
        for (text, is) in [
            ("{\"log\":{", true),
            ("{\n \"log\" : {\n", true),
            ("{\"log\":1}", false),
            ("{\"logs\":{", false),
            ("{", false),
            ("", false),
        ] {
            assert_eq!(is_har(text.as_bytes()), is, "{text}");
        }
    }
}
