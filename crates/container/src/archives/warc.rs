//! WARC (ISO 28500), a web archive whose records have named fields.

use std::borrow::Cow;

use memchr::memmem;

use super::capture::{self, Content, Digests, Exchange, Heading};
use super::digest::Digest;
use super::records::{Archive, RecordFormat};
use baseref_document::{CaptureIds, CaptureKind};
use baseref_text::decode::line;
use baseref_text::header::date;
use baseref_text::header::media_type::MediaType;

/// The records of a WARC.
pub(crate) type Records<R> = Archive<R, Warc>;

/// The record format of WARC.
pub(crate) struct Warc;

/// The beginning of a record, followed by a version.
const MAGIC: &[u8] = b"WARC/";

/// The fields that are read. None of their values contains spaces, so the lines of a folded value
/// (RFC 2616 §2.2, to which ISO 28500 refers) are joined without a space.
const NAMES: [&[u8]; 15] = [
    b"warc-type",
    b"content-length",
    b"warc-target-uri",
    b"content-type",
    b"warc-date",
    b"warc-record-id",
    b"warc-concurrent-to",
    b"warc-refers-to",
    b"warc-refers-to-target-uri",
    b"warc-refers-to-date",
    b"warc-payload-digest",
    b"warc-profile",
    b"warc-truncated",
    b"warc-block-digest",
    b"warc-segment-number",
];

/// The maximum length of a version line.
const LONGEST_VERSION: usize = 32;

/// The name under which a record of derived data is counted, if it shows that the file does not archive
/// pages. Crawls are also published as the text of the pages (WET) and as metadata
/// extracted from them (WAT); neither is read for links.
fn about(kind: Option<&[u8]>, media: Option<&[u8]>) -> &'static str {
    let is_kind = |name: &str| kind.is_some_and(|kind| kind.eq_ignore_ascii_case(name.as_bytes()));
    let media = media.and_then(MediaType::parse);
    let is_media = |name| media.as_ref().is_some_and(|media| media.essence == name);
    if is_kind("conversion") && is_media("text/plain") {
        "text extracted from a page (WET)"
    } else if is_kind("metadata") && is_media("application/json") {
        "metadata extracted from a page (WAT)"
    } else {
        ""
    }
}

/// Whether the standard defines a type of record that is not read (WARC 1.1 §6).
fn is_defined(kind: &[u8]) -> bool {
    const KINDS: [&str; 6] = [
        "warcinfo",
        "request",
        "metadata",
        "revisit",
        "conversion",
        "continuation",
    ];
    KINDS
        .iter()
        .any(|known| kind.eq_ignore_ascii_case(known.as_bytes()))
}

/// Whether `bytes` begin with a version line: `WARC/1.0`.
pub(crate) fn is_warc(bytes: &[u8]) -> bool {
    fields(bytes).is_some()
}

/// The offset after the version line at the start of `bytes`.
fn fields(bytes: &[u8]) -> Option<usize> {
    let version = bytes.strip_prefix(MAGIC)?;
    let [b'0'..=b'9', b'.', b'0'..=b'9', ..] = version else {
        return None;
    };
    let (end, next) = line::end(&bytes[..bytes.len().min(LONGEST_VERSION)], MAGIC.len());
    let minor = bytes[MAGIC.len() + 2..end].trim_ascii_end();
    (next > end && minor.iter().all(u8::is_ascii_digit)).then_some(next)
}

impl RecordFormat for Warc {
    const URL: &'static str = "WARC-Target-URI";
    const END: &'static [u8] = b"\r\n\r\n";
    const LAST_END: &'static [u8] = Self::END;

    fn is_record(bytes: &[u8]) -> bool {
        is_warc(bytes)
    }

    fn find(bytes: &[u8]) -> Option<usize> {
        memmem::find_iter(bytes, MAGIC).find(|&at| {
            let first = |next: usize| bytes.get(at + next);
            fields(&bytes[at..])
                .and_then(first)
                .is_some_and(u8::is_ascii_alphabetic)
        })
    }

    fn heading(bytes: &[u8], captures: bool) -> Result<Heading, &'static str> {
        let mut at = fields(bytes).ok_or("has no version")?;
        let mut values: [Option<Cow<'_, [u8]>>; NAMES.len()] = [const { None }; NAMES.len()];
        // The index of the field that a folded line would continue.
        let mut open = None;
        loop {
            let (end, next) = line::end(bytes, at);
            if next == end {
                return Err("has a header that does not end");
            }
            let text = &bytes[at..end];
            if text.starts_with(MAGIC) && is_warc(&bytes[at..]) {
                return Err("has a header that does not end before the next record");
            }
            at = next;
            if text.is_empty() {
                break;
            }
            if matches!(text, [b' ' | b'\t', ..]) {
                let folded = open.and_then(|open: usize| values.get_mut(open)?.as_mut());
                if let Some(value) = folded {
                    value.to_mut().extend_from_slice(text.trim_ascii());
                }
                continue;
            }
            let Some(colon) = memchr::memchr(b':', text) else {
                continue;
            };
            let name = text[..colon].trim_ascii();
            let is_name = |known: &&[u8]| name.eq_ignore_ascii_case(known);
            // The first of repeated fields is used.
            open = NAMES
                .iter()
                .position(is_name)
                .filter(|&at| values[at].is_none());
            if let Some(open) = open {
                values[open] = Some(Cow::Borrowed(text[colon + 1..].trim_ascii()));
            }
        }
        let exchange = captures.then(|| exchange(&values)).flatten();
        let [
            kind,
            length,
            url,
            media,
            date,
            _,
            _,
            _,
            _,
            _,
            payload,
            _,
            truncated,
            block,
            segment,
        ] = values;
        let digest = |field: Option<Cow<'_, [u8]>>| Digest::parse(&field?);
        let text = |value: &[u8]| String::from_utf8_lossy(value).into_owned();
        let length = length.ok_or("has no Content-Length")?;
        let length = text(&length)
            .parse()
            .map_err(|_| "has no valid Content-Length")?;
        let is_sent = kind.as_ref().is_some_and(|kind| {
            kind.eq_ignore_ascii_case(b"response") || kind.eq_ignore_ascii_case(b"resource")
        });
        Ok(Heading {
            block: at,
            length,
            url: url.map(|url| text(unbracketed(&url))),
            date: date.map(|date| text(&date)),
            content: if is_sent {
                Content::Sent(
                    media.and_then(|media| MediaType::from_list(std::iter::once(&*media))),
                )
            } else if kind.as_deref().is_some_and(is_defined) {
                Content::About(about(kind.as_deref(), media.as_deref()))
            } else {
                Content::Unknown
            },
            is_truncated: truncated.is_some(),
            is_segment: segment.is_some(),
            digests: Digests {
                block: digest(block),
                payload: digest(payload),
            },
            exchange: exchange.map(Box::new),
        })
    }

    fn date(written: &str) -> Option<Box<str>> {
        date::from_rfc3339(written)
    }
}

/// The exchange that the fields of a record describe, in the order of [`NAMES`]; `None` if the
/// record is only about other records or derived from them.
fn exchange(values: &[Option<Cow<'_, [u8]>>; NAMES.len()]) -> Option<Exchange> {
    let [
        kind,
        _,
        _,
        _,
        _,
        own,
        concurrent,
        refers_to,
        original,
        date,
        digest,
        profile,
        _,
        _,
        _,
    ] = values.each_ref().map(Option::as_deref);
    let is = |name: &str| kind.is_some_and(|kind| kind.eq_ignore_ascii_case(name.as_bytes()));
    let kind = if is("response") {
        CaptureKind::Response
    } else if is("resource") {
        CaptureKind::Resource
    } else if is("revisit") {
        CaptureKind::Revisit(capture::profile_of(profile))
    } else if is("request") {
        CaptureKind::Request
    } else {
        return None;
    };
    let text = |value: &[u8]| String::from_utf8_lossy(value).into_owned();
    let date = date.and_then(|date| date::from_rfc3339(&text(date)));
    Some(Exchange {
        kind,
        ids: CaptureIds {
            file: 0,
            own: capture::id_of(own),
            concurrent: capture::id_of(concurrent),
            refers_to: capture::id_of(refers_to),
            digest: capture::digest_of(digest),
        },
        original: original.map(|url| (text(unbracketed(url)).into(), date)),
    })
}

/// Removes angle brackets around a URI. WARC 1.0 has them in its grammar but not in its examples,
/// and both are written.
fn unbracketed(uri: &[u8]) -> &[u8] {
    let inner = uri
        .strip_prefix(b"<")
        .and_then(|uri| uri.strip_suffix(b">"));
    inner.unwrap_or(uri)
}

#[cfg(test)]
mod tests {
    use std::fmt::Write;

    use super::*;
    use crate::codings::gzip::FailedChecksum;
    use crate::codings::gzip::tests::gzip;
    use crate::contents::Container;
    use crate::entity::EntityKind;
    use crate::input::window::Window;
    use crate::input::window::tests::Trickle;
    use baseref_document::Limits;
    use baseref_document::Origin;

    const PAGE: &str = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<a href=x>y</a>";

    fn record(fields: &str, block: &str) -> String {
        let length = block.len();
        format!("WARC/1.0\r\n{fields}\r\nContent-Length: {length}\r\n\r\n{block}\r\n\r\n")
    }

    fn response(url: &str, block: &str) -> String {
        let fields = format!("WARC-Type: response\r\nWARC-Target-URI: {url}");
        record(&fields, block)
    }

    /// The content of an archive: a line for each entity (`number url` or `number url charset`) and
    /// each error, and how many records held no HTML.
    fn read(bytes: &[u8]) -> (Vec<String>, u64) {
        read_within(bytes, &Limits::default())
    }

    fn read_within(bytes: &[u8], limits: &Limits) -> (Vec<String>, u64) {
        let window = Window::new(Trickle(bytes, 0));
        let mut records = Records::new(window, "w".into(), Vec::new(), limits);
        let mut found = Vec::new();
        for item in records.by_ref() {
            found.push(match item {
                Err(error) => error.to_string(),
                Ok(entity) => {
                    let start = usize::try_from(entity.offset.unwrap()).unwrap();
                    assert!(bytes[start..].starts_with(&entity.bytes));
                    let number = entity.origin.message.unwrap();
                    assert_eq!(
                        entity.origin,
                        Origin::new("w")
                            .with_message(Some(number))
                            .with_offset(entity.origin.offset)
                    );
                    let url = entity.declarations.first().map_or("-", |by| &by.value);
                    let mut line = format!("{number} {url}");
                    if entity.kind == EntityKind::Resource {
                        let charset = entity.charset.as_deref().unwrap_or("-");
                        write!(line, " {charset}").unwrap();
                    }
                    for note in entity.notes {
                        write!(line, " [{}: {}]", note.code.as_str(), note.detail).unwrap();
                    }
                    line
                }
            });
        }
        (found, records.without_html())
    }

    fn strings(lines: &[&str]) -> Vec<String> {
        lines.iter().map(|&line| line.to_owned()).collect()
    }

    #[test]
    fn header_ends_before_next_record() {
        let unended = "WARC/1.0\nContent-Length: 9\nA: b\n".repeat(3);
        let (lines, _) = read((unended + &response("u", PAGE)).as_bytes());
        assert_eq!(lines.len(), 4, "{lines:?}");
        let fault = "has a header that does not end before the next record";
        assert!(lines[..3].iter().all(|line| line.ends_with(fault)));
        assert_eq!(lines[3], "4 u");
    }

    #[test]
    fn block_ends_before_next_record() {
        let length = 100_000;
        let record =
            format!("WARC/1.0\nWARC-Type: response\nContent-Length: {length}\n\nHTTP/1.1 200 OK\n");
        let limits = Limits::default().with_heading(1000);
        let page = response("u", PAGE);
        let (lines, without_html) = read_within((record.repeat(50) + &page).as_bytes(), &limits);
        // The headers of the responses are not read beyond their records, where they would exceed
        // the limit.
        assert!(
            !lines.iter().any(|line| line.contains("HTTP header")),
            "{lines:?}"
        );
        assert_eq!(
            (lines.last().map(String::as_str), without_html),
            (Some("51 u"), 50)
        );
    }

    #[test]
    fn html_is_read_and_other_records_are_counted() {
        for (claim, archive, lines, without_html) in [
            (
                "a response",
                response("http://a/", PAGE),
                &["1 http://a/"][..],
                0,
            ),
            (
                "a response without URL",
                record("warc-type: Response", PAGE),
                &["1 -"],
                0,
            ),
            (
                "in angle brackets",
                response("<http://a/b>", PAGE),
                &["1 http://a/b"],
                0,
            ),
            (
                "with a space",
                response("http://a/b c", PAGE),
                &["1 http://a/b c"],
                0,
            ),
            (
                "a resource",
                record(
                    "WARC-Type: resource\r\nContent-Type: text/html; charset=koi8-r",
                    "x",
                ),
                &["1 - koi8-r"],
                0,
            ),
            (
                "a resource by its content",
                record("WARC-Type: resource", "<p>"),
                &["1 - -"],
                0,
            ),
            (
                "an image",
                response("u", "HTTP/1.1 200 OK\nContent-Type: image/png\n\nx"),
                &[],
                1,
            ),
            (
                "a response without a body",
                response("u", PAGE.split('<').next().unwrap()),
                &[],
                1,
            ),
            ("an empty block", response("u", ""), &[], 1),
            (
                "a request",
                record("WARC-Type: request", "GET / HTTP/1.1\r\n\r\n"),
                &[],
                1,
            ),
            ("a revisit", record("WARC-Type: revisit", PAGE), &[], 1),
            (
                "a conversion",
                record("WARC-Type: conversion\nContent-Type: text/html", PAGE),
                &[],
                1,
            ),
            (
                "all are numbered",
                [
                    record("WARC-Type: warcinfo", "x"),
                    response("u", PAGE),
                    response("v", PAGE),
                ]
                .concat(),
                &["2 u", "3 v"],
                1,
            ),
            (
                "LF alone",
                response("u", PAGE)
                    .replace('\r', "")
                    .replace(": 59", ": 56"),
                &["1 u"],
                0,
            ),
        ] {
            let (found, counted) = read(archive.as_bytes());
            assert_eq!((found, counted), (strings(lines), without_html), "{claim}");
        }
    }

    #[test]
    fn damage_is_reported_with_the_byte_of_its_record() {
        for (claim, archive, lines, without_html) in [
            (
                "a page of an unknown type",
                record("WARC-Type: x", PAGE),
                &[
                    "w#1: the record at byte 0 has no WARC-Type that the standard defines, and is not \
                   read",
                ][..],
                1,
            ),
            (
                "other data of an unknown type",
                record("WARC-Type: x", "{}"),
                &[],
                1,
            ),
            (
                "a damaged status line",
                record(
                    "WARC-Type: response\r\nContent-Type: application/http; msgtype=response",
                    &PAGE.replace("HTTP", "HXTP"),
                ),
                &[
                    "w#1: the record at byte 0 does not begin with the status line of an HTTP response",
                ],
                1,
            ),
            (
                "a header that does not end",
                response("u", "HTTP/1.1 200 OK\r\nContent-Type: text/ht"),
                &["w#1: the record at byte 0 has an HTTP header that does not end"],
                1,
            ),
            (
                "cut off when it was written",
                response("u", PAGE).replace(
                    "\r\nWARC-Target",
                    "\r\nWARC-Truncated: length\r\nWARC-Target",
                ),
                &[
                    "w#1: the record at byte 0 was cut off when it was written (WARC-Truncated)",
                    "1 u",
                ],
                0,
            ),
        ] {
            let (found, counted) = read(archive.as_bytes());
            assert_eq!((found, counted), (strings(lines), without_html), "{claim}");
        }
    }

    #[test]
    fn block_without_some_bytes_takes_no_line_ends_of_its_record() {
        let archive = response("u", PAGE) + &response("v", PAGE);
        let length = PAGE.len();
        for missing in 1..=4 {
            let found = length - missing;
            let damaged = &PAGE[..found];
            let first = archive.replacen(PAGE, damaged, 1);
            let start = archive.rfind("WARC/").unwrap();
            let last = archive[..start].to_owned() + &archive[start..].replace(PAGE, damaged);
            for (claim, archive, at) in [("first", first, 0), ("last", last, 1)] {
                let begin = at * start;
                let fault = format!(
                    " [record-length: the record at byte {begin} has a block of {found} bytes, not the \
                     declared {length}]"
                );
                let mut lines = strings(&["1 u", "2 v"]);
                lines[at] += &fault;
                let (found, _) = read(archive.as_bytes());
                assert_eq!(found, lines, "{missing} bytes of the {claim} block");
            }
        }
    }

    #[test]
    fn block_with_its_digest_may_end_with_line_ends() {
        let digest = "md5:5e4696a1f72e8a0cbfe72b849d69823b";
        for (digest, noted) in [(digest, false), ("x:AAIE", true)] {
            let fields =
                format!("WARC-Type: response\r\nWARC-Target-URI: u\r\nWARC-Block-Digest: {digest}");
            let archive = record(&fields, &format!("{PAGE}\r\n"));
            // Its writer left out two of the line ends after the block.
            let archive = archive.strip_suffix("\r\n").unwrap();
            let (found, _) = read(archive.as_bytes());
            assert_eq!(found[0].contains("record-length"), noted, "{found:?}");
        }
    }

    #[test]
    fn block_is_compared_with_its_digest() {
        let right = "sha1:KFYRKY7Q6B4RQPLQ2BUGS2QWUH4HRXL6";
        let wrong = "sha1:AFYRKY7Q6B4RQPLQ2BUGS2QWUH4HRXL6";
        let told = "the record at byte 0 does not match its digest";
        let noted = format!("1 u [checksum: {told}]");
        let refused = format!("w#1: {told}");
        let other = PAGE.replace("text/html", "text/xyz1");
        let image = PAGE.replace("text/html", "image/png");
        for (claim, digest, block, lines) in [
            ("the right digest", right, PAGE, vec!["1 u"]),
            ("a wrong digest", wrong, PAGE, vec![&*noted]),
            ("an unknown algorithm", "x:AAIE", PAGE, vec!["1 u"]),
            (
                "a type that damage can make",
                right,
                &other,
                vec![&*refused],
            ),
            ("a type that it cannot make", right, &image, vec![]),
        ] {
            let fields =
                format!("WARC-Type: response\r\nWARC-Target-URI: u\r\nWARC-Block-Digest: {digest}");
            let (found, _) = read(record(&fields, block).as_bytes());
            assert_eq!(found, strings(&lines), "{claim}");
        }
    }

    #[test]
    fn extracted_data_is_counted_by_kind() {
        let text = record("WARC-Type: conversion\r\nContent-Type: text/plain", "words");
        let json = record(
            "WARC-Type: metadata\r\nContent-Type: application/json; a=b",
            "{}",
        );
        let fields = record(
            "WARC-Type: metadata\r\nContent-Type: application/warc-fields",
            "via: x",
        );
        let archive = [text.clone(), json, text, fields].concat();
        let window = Window::new(Trickle(archive.as_bytes(), 0));
        let mut records = Records::new(window, "w".into(), Vec::new(), &Limits::default());
        assert!(records.by_ref().next().is_none());
        let skipped = records.skipped();
        let counted: Vec<_> = skipped.by_type().collect();
        assert_eq!(
            counted,
            [
                ("metadata extracted from a page (WAT)", 1),
                ("other", 1),
                ("text extracted from a page (WET)", 2),
            ]
        );
    }

    #[test]
    fn wrong_length_loses_no_other_record() {
        let [first, second] = ["u", "v"].map(|url| response(url, PAGE));
        let length = format!("Content-Length: {}", PAGE.len());
        for wrong in [
            "1",
            "30",
            "90",
            "9999",
            "999999999999",
            "18446744073709551615",
        ] {
            let broken = first.replace(&length, &format!("Content-Length: {wrong}"));
            let (found, _) = read((broken + &second).as_bytes());
            assert_eq!(found.last().unwrap(), "2 v", "{wrong}: {found:?}");
            assert!(
                found.iter().any(|line| line.contains(" byte ")),
                "{wrong}: {found:?}"
            );
        }
        for (wrong, fault) in [
            ("-1", "has no valid Content-Length"),
            ("x", "has no valid Content-Length"),
        ] {
            let broken = first.replace(&length, &format!("Content-Length: {wrong}"));
            let (found, _) = read((broken + &second).as_bytes());
            assert_eq!(
                found,
                [
                    format!("w#1: the record at byte 0 {fault}"),
                    "2 v".to_owned()
                ]
            );
        }
        let request =
            record("WARC-Type: request", "GET / HTTP/1.1\r\n\r\n").replace(": 18", ": 9999");
        let told = "w#1: the record at byte 0 has a block of 18 bytes, not the declared 9999";
        assert_eq!(
            read((request + &second).as_bytes()),
            (strings(&[told, "2 v"]), 1)
        );
    }

    #[test]
    fn bytes_outside_records_are_reported() {
        let archive = format!(
            "junk WARC/1.0\n\n{}more junk\n{}",
            response("u", PAGE),
            response("v", PAGE)
        );
        let (found, _) = read(archive.as_bytes());
        let second = 15 + response("u", PAGE).len();
        assert_eq!(
            found,
            [
                "w: 15 bytes at byte 0 belong to no record".to_owned(),
                "1 u".to_owned(),
                format!("w#1: 10 bytes at byte {second} belong to no record"),
                "2 v".to_owned(),
            ]
        );
    }

    #[test]
    fn archive_truncated_anywhere() {
        let archive = [response("u", PAGE), response("v", PAGE)].concat();
        for length in 0..archive.len() {
            let (found, _) = read(&archive.as_bytes()[..length]);
            let entities = found
                .iter()
                .filter(|line| line.ends_with(['u', 'v']))
                .count();
            assert!(entities + 2 >= found.len(), "{length}: {found:?}");
        }
        let (found, _) = read(&archive.as_bytes()[..archive.len() - 10]);
        let second = response("u", PAGE).len();
        let (held, said) = (PAGE.len() - 6, PAGE.len());
        assert_eq!(
            found,
            [
                "1 u".to_owned(),
                format!(
                    "w#2: the record at byte {second} is cut off after {held} bytes, not the declared {said}"
                ),
                "2 v".to_owned(),
            ]
        );
    }

    #[test]
    fn record_above_limit_is_skipped() {
        let limits = Limits::default().with_message(1_000_000);
        let large = PAGE.to_owned() + &"x".repeat(6_000_000);
        let image =
            "HTTP/1.1 200 OK\r\nContent-Type: image/png\r\n\r\n".to_owned() + &large[PAGE.len()..];
        let archive = [
            response("u", &large),
            response("v", &image),
            response("w", PAGE),
        ]
        .concat();
        let told = "w#1: the record at byte 0 is larger than 1000000 bytes and is skipped";
        assert_eq!(
            read_within(archive.as_bytes(), &limits),
            (strings(&[told, "3 w"]), 1)
        );
    }

    #[test]
    fn damaged_member_loses_only_its_record() {
        let pages = ["u", "v", "w"].map(|url| gzip(response(url, PAGE).as_bytes()));
        let start = pages[0].len();
        for damaged in 12..pages[1].len() {
            let mut bytes = pages.concat();
            bytes[start + damaged] ^= 0xFF;
            let stream = crate::codings::gzip::Gunzip::new(Window::new(&bytes[..]));
            let facts = stream.facts();
            let records = Records::new(
                Window::new(stream),
                "w".into(),
                Vec::new(),
                &Limits::default(),
            );
            let found: Vec<_> = records
                .map(|item| {
                    item.map(|entity| entity.declarations.first().map(|by| by.value.clone()))
                })
                .collect();
            assert_eq!(
                found.first().unwrap().as_ref().unwrap().as_deref(),
                Some("u")
            );
            assert_eq!(
                found.last().unwrap().as_ref().unwrap().as_deref(),
                Some("w"),
                "{damaged}"
            );
            let fault = format!("the gzip member at byte {start}");
            let told = |item: &Result<_, baseref_document::ReadError>| {
                item.as_ref()
                    .is_err_and(|error| error.reason.contains(&fault))
            };
            let is_told = found.iter().any(told)
                || facts.take_failed_checksums()
                    == [FailedChecksum {
                        unit: "gzip member",
                        start: start as u64,
                    }];
            assert!(is_told, "{damaged}: {found:?}");
        }
    }

    #[test]
    fn garbage_terminates() {
        let garbage: Vec<u8> = (0..300_000_u32)
            .flat_map(|n| n.wrapping_mul(2_654_435_761).to_le_bytes())
            .collect();
        assert_eq!(read(&garbage).0.len(), 1);
        let versions = "WARC/1.0\n\nWARC/1.0\na".repeat(10_000);
        assert!(read(versions.as_bytes()).0.len() <= 20_000);
    }
}
