//! HTTP responses as received (RFC 9112), with header and body, in web archives and in files
//! written by `curl -i` or `wget --save-headers`.

use std::borrow::Cow;
use std::io::Read;

use encoding_rs::mem::decode_latin1;
use flate2::read::{DeflateDecoder, ZlibDecoder};
#[cfg(feature = "archives")]
use ruzstd::decoding::StreamingDecoder;

use crate::codings::gzip::{self, FailedChecksum, Gunzip};
#[cfg(feature = "archives")]
use crate::codings::zstd;
use crate::documents::markup_of_xml;
use crate::input::window::Window;
use baseref_document::link_places::response_field_row;
use baseref_document::{Note, ReadErrorKind};
use baseref_text::decode::line;
use baseref_text::decode::sniff::{HEAD, is_page, is_text};
use baseref_text::decode::source::Markup;
use baseref_text::header::media_type::MediaType;

/// The header of a response.
#[derive(Debug)]
pub struct Heading<'r> {
    /// The names and values of its fields, without surrounding white space.
    fields: Vec<(&'r [u8], Cow<'r, [u8]>)>,
    /// The status code.
    pub status: u16,
    /// The offset of the body.
    pub body: usize,
    /// Whether the header ends in an empty line, as it must before a body.
    pub is_whole: bool,
}

const NAME: &[u8] = b"HTTP/";

/// A status line with its code is at least this long.
const CUT_LINE: usize = b"HTTP/1.1 200".len();

/// At most this many bytes, and one for every 1,024, are added to data that cannot be compressed.
const CODING_OVERHEAD: u64 = 64;

/// Whether `bytes` begin with the name of the protocol. Browsers ignore its case; RFC 9112 §2.3 does not.
pub(crate) fn is_named(bytes: &[u8]) -> bool {
    let name = bytes.get(..NAME.len());
    name.is_some_and(|name| name.eq_ignore_ascii_case(NAME))
}

/// Whether `bytes` begin with a status line (RFC 9112 §4; RFC 9113 §8.3.2, as programs print it):
/// `HTTP/1.1 200 OK`, `HTTP/2 200`.
pub(crate) fn is_response(bytes: &[u8]) -> bool {
    let rest = is_named(bytes).then(|| &bytes[NAME.len()..]);
    let status = rest.and_then(|rest| {
        let version = rest.iter().position(|&byte| byte == b' ')?;
        let is_version = |byte: &u8| byte.is_ascii_digit() || *byte == b'.';
        let known = (1..=3).contains(&version) && rest[..version].iter().all(is_version);
        known.then(|| rest[version..].trim_ascii_start())
    });
    matches!(status, Some([a, b, c, after @ ..])
        if [a, b, c].into_iter().all(u8::is_ascii_digit)
            && after.first().is_none_or(u8::is_ascii_whitespace))
}

/// Whether a file is a response, perhaps cut off within its status line.
pub(crate) fn is_response_file(bytes: &[u8]) -> bool {
    let is_cut_line = || bytes.len() < CUT_LINE && !bytes.contains(&b'\n');
    is_response(bytes) || is_named(bytes) && is_cut_line()
}

/// The status code in the status line that `bytes` begin with.
fn status(bytes: &[u8]) -> u16 {
    let line = bytes
        .split(|&byte| byte == b' ')
        .find(|word| word.first().is_some_and(u8::is_ascii_digit));
    let code = line.and_then(|word| std::str::from_utf8(word.get(..3)?).ok());
    code.and_then(|code| code.parse().ok()).unwrap_or_default()
}

impl<'r> Heading<'r> {
    /// Parses the header of the response that `bytes` begin with. If there are several in a row
    /// (from a proxy, `100 Continue`, redirects), the last one is used.
    ///
    /// `None` if no response begins there, or if there are more than `limit` bytes and its header
    /// does not end within them.
    #[must_use]
    pub fn read(bytes: &'r [u8], limit: usize) -> Option<Self> {
        let mut heading = None;
        let mut at = 0;
        while is_response(&bytes[at..]) {
            let next = Self::read_one(bytes, at, limit)?;
            at = next.body;
            heading = Some(next);
        }
        heading
    }

    fn read_one(bytes: &'r [u8], start: usize, limit: usize) -> Option<Self> {
        let mut heading = Self {
            fields: Vec::new(),
            status: status(&bytes[start..]),
            body: bytes.len(),
            is_whole: false,
        };
        let (_, mut at) = line::end(bytes, start);
        while at < bytes.len() {
            if at > limit {
                return None;
            }
            let (end, next) = line::end(bytes, at);
            let text = &bytes[at..end];
            at = next;
            if text.is_empty() {
                heading.body = next;
                heading.is_whole = true;
                break;
            }
            heading.add(text);
        }
        Some(heading)
    }

    /// Adds a line: a field, or the continuation of one (RFC 9112 §5.2).
    fn add(&mut self, text: &'r [u8]) {
        if matches!(text, [b' ' | b'\t', ..]) {
            if let Some((_, value)) = self.fields.last_mut() {
                let value = value.to_mut();
                value.push(b' ');
                value.extend_from_slice(text.trim_ascii());
            }
        } else if let Some(colon) = memchr::memchr(b':', text) {
            let value = Cow::Borrowed(text[colon + 1..].trim_ascii());
            self.fields.push((text[..colon].trim_ascii(), value));
        }
    }

    /// The values of all fields with that name, in order.
    #[must_use]
    pub fn all(&self, name: &str) -> impl DoubleEndedIterator<Item = &[u8]> {
        self.fields
            .iter()
            .filter(move |(own, _)| own.eq_ignore_ascii_case(name.as_bytes()))
            .map(|(_, value)| &**value)
    }

    /// The value of the `Location` field, decoded as Latin-1 if it is not UTF-8.
    #[must_use]
    pub fn location(&self) -> Option<Cow<'_, str>> {
        let value = self.all("Location").find(|value| !value.is_empty())?;
        Some(match std::str::from_utf8(value) {
            Ok(value) => Cow::Borrowed(value),
            Err(_) => decode_latin1(value),
        })
    }

    /// What `body`, as stored, lacks of the message, in words. A message is incomplete if its header
    /// does not end, or if its body is shorter than its `Content-Length` (RFC 9112 §8). That is the
    /// length before the codings of the body are decoded, and archives decode them without changing
    /// it. A body is hardly shorter without a coding, and chunks make the field void. Answers to HEAD,
    /// and some others, have no body (§6.3).
    #[must_use]
    pub fn lacking(&self, body: &[u8]) -> Option<String> {
        if !self.is_whole {
            let reason = "the header of the HTTP response is cut off before its empty line";
            return (!self.is_without_body()).then(|| reason.to_owned());
        }
        let has_coding = |name: &'static str| {
            let mut values = self.all(name);
            values.any(|value| !value.is_empty() && !value.eq_ignore_ascii_case(b"identity"))
        };
        if body.is_empty() || has_coding("Transfer-Encoding") || self.is_without_body() {
            return None;
        }
        let declared = self.content_length()?;
        let length = body.len() as u64;
        let overhead = if has_coding("Content-Encoding") {
            CODING_OVERHEAD + length / 1_024
        } else {
            0
        };
        (length + overhead < declared).then(|| {
            format!(
                "the body is cut off after {length} bytes, not its Content-Length of {declared}"
            )
        })
    }

    /// Whether a response with this status has no body that belongs to it (RFC 9112 §6.3, RFC 9110
    /// §15.4: the body of a redirect is only a fallback).
    fn is_without_body(&self) -> bool {
        matches!(self.status, 100..=199 | 204 | 205 | 300..=399)
    }

    /// The value of the `Content-Length` fields, if they agree (RFC 9110 §8.6).
    fn content_length(&self) -> Option<u64> {
        let fields = self.all("Content-Length");
        let mut values = fields.flat_map(|value| value.split(|&byte| byte == b','));
        let number = |value: &[u8]| str::from_utf8(value.trim_ascii()).ok()?.parse::<u64>().ok();
        let first = number(values.next()?)?;
        values
            .all(|value| number(value) == Some(first))
            .then_some(first)
    }

    /// The body without its transfer coding, if it has chunks that end.
    #[must_use]
    pub fn dechunked(&self, body: &[u8]) -> Option<Vec<u8>> {
        let codings = self.all("Transfer-Encoding");
        let is_chunked = codings.last()?.to_ascii_lowercase().ends_with(b"chunked");
        let output = dechunk(body).filter(|_| is_chunked)?;
        output.problem.is_none().then_some(output.bytes)
    }

    /// The media type of the `Content-Type` fields, taken as one list.
    #[must_use]
    pub fn media_type(&self) -> Option<MediaType> {
        MediaType::from_list(self.all("Content-Type"))
    }

    /// Whether the response holds HTML, a feed or a sitemap: see [`Self::markup`].
    #[must_use]
    pub fn is_html(&self, bytes: &[u8]) -> bool {
        self.markup(bytes).is_some()
    }

    /// The markup of the body, by the media type, or by the body itself if there is none or it only
    /// says XML; `None` if the body is not read. `bytes` are the response or its first bytes.
    #[must_use]
    pub fn markup(&self, bytes: &[u8]) -> Option<Markup> {
        let media = self.media_type();
        match media.as_ref().map(|media| media.essence.as_str()) {
            // MIME Sniffing §7 step 1.
            None | Some("unknown/unknown" | "application/unknown" | "*/*") => {
                let body = self.decoded(&bytes[self.body..], HEAD);
                is_page(&body.bytes).then_some(Markup::Html)
            }
            Some(essence) if is_some_xml(essence) => {
                let body = self.decoded(&bytes[self.body..], HEAD);
                markup_of_xml(&body.bytes)
            }
            Some(essence) => Markup::from_media_type(essence),
        }
    }

    /// The names and values of its fields, in order.
    pub fn fields(&self) -> impl Iterator<Item = (&[u8], &[u8])> {
        self.fields.iter().map(|(name, value)| (*name, &**value))
    }

    /// Whether any of its fields can hold links.
    #[must_use]
    pub fn has_links(&self) -> bool {
        self.fields()
            .any(|(name, _)| response_field_row(name).is_some())
    }

    /// The policies of its `Content-Security-Policy` fields, split at commas (CSP3 §3.1).
    pub fn policies(&self) -> Vec<Box<str>> {
        self.all("Content-Security-Policy")
            .map(String::from_utf8_lossy)
            .flat_map(|value| value.split(',').map(Box::from).collect::<Vec<Box<str>>>())
            .collect()
    }

    /// Decodes the transfer and content codings of `body`. They may produce `limit` bytes in total.
    pub fn decoded<'b>(&self, body: &'b [u8], limit: usize) -> DecodedBody<'b> {
        let mut decoded = DecodedBody {
            bytes: Cow::Borrowed(body),
            room: limit,
            inflated: 0,
            problems: Vec::new(),
            notes: Vec::new(),
        };
        for name in ["Transfer-Encoding", "Content-Encoding"] {
            let codings: Vec<&[u8]> = self
                .all(name)
                .flat_map(|value| value.split(|&byte| byte == b','))
                .map(<[u8]>::trim_ascii)
                .collect();
            // RFC 9110 §8.4: codings are listed in the order in which they were applied. Real
            // responses never have many.
            for coding in codings.iter().rev().take(4) {
                decoded.undo(coding);
            }
        }
        decoded
    }
}

/// Whether a media type stands for any XML, which may be a feed or a sitemap.
#[must_use]
pub fn is_some_xml(essence: &str) -> bool {
    matches!(
        essence,
        "application/xml" | "text/xml" | "application/rdf+xml"
    )
}

/// A coding of a body that could not be decoded, or not to its end.
#[derive(Debug)]
pub struct CodingProblem {
    /// The kind of error.
    pub kind: ReadErrorKind,
    /// The reason, in words.
    pub reason: String,
}

/// The output of a decoder, up to a limit or to the first problem.
#[derive(Default)]
struct Output {
    bytes: Vec<u8>,
    /// Why decoding ended early, if it did.
    problem: Option<String>,
}

/// A decoded body, and the problems with its codings.
#[derive(Debug)]
pub struct DecodedBody<'b> {
    /// The body, decoded as far as possible.
    pub bytes: Cow<'b, [u8]>,
    /// The number of bytes that the remaining codings may produce.
    room: usize,
    /// The number of bytes that codings inflated: more than the limit if the body is truncated.
    pub inflated: u64,
    /// The codings that could not be decoded, or not to their end.
    pub problems: Vec<CodingProblem>,
    /// Notes on the codings.
    pub notes: Vec<Note>,
}

impl DecodedBody<'_> {
    /// Decodes one coding. Archives and programs often store a decoded body with its original
    /// header, so that a body which is text and not in the form of its coding is kept unchanged.
    fn undo(&mut self, coding: &[u8]) {
        let stored = &*self.bytes;
        let limit = self.room;
        let is_inflating = !matches!(
            coding.to_ascii_lowercase().as_slice(),
            b"" | b"identity" | b"chunked"
        );
        if is_inflating && limit == 0 {
            self.inflated = self.inflated.saturating_add(1);
            self.bytes = Cow::Owned(Vec::new());
            return;
        }
        let undone = match coding.to_ascii_lowercase().as_slice() {
            b"" | b"identity" => return,
            // A body without chunks is already decoded.
            b"chunked" => match dechunk(stored) {
                None => return,
                undone => undone,
            },
            b"gzip" | b"x-gzip" => stored
                .starts_with(gzip::MAGIC)
                .then(|| gunzip(stored, limit, &mut self.notes)),
            b"deflate" => Some(inflate(stored, limit)),
            #[cfg(feature = "archives")]
            b"br" => {
                let reader = brotli_decompressor::Decompressor::new(stored, 4096);
                Some(read(reader, "br", limit))
            }
            #[cfg(feature = "archives")]
            b"zstd" => Some(unzstd(stored, limit)),
            #[cfg(not(feature = "archives"))]
            b"br" | b"zstd" if !is_text(stored) => {
                let name = String::from_utf8_lossy(coding);
                let reason = format!(
                    "the coding {name} of the body is not built in: it needs the feature `archives`"
                );
                let kind = ReadErrorKind::NotBuiltIn;
                self.problems.push(CodingProblem { kind, reason });
                self.bytes = Cow::Owned(Vec::new());
                return;
            }
            _ => None,
        };
        match undone {
            Some(Output { bytes, problem }) if !(bytes.is_empty() && problem.is_some()) => {
                self.room -= bytes.len().min(self.room);
                if is_inflating {
                    let is_truncated = u64::from(self.room == 0 && problem.is_some());
                    self.inflated += bytes.len() as u64 + is_truncated;
                }
                self.bytes = Cow::Owned(bytes);
                let kind = ReadErrorKind::Damaged;
                let problem = problem.map(|reason| CodingProblem { kind, reason });
                self.problems.extend(problem);
            }
            _ if is_text(stored) => {}
            _ => {
                let name = String::from_utf8_lossy(coding);
                let name: String = name.escape_debug().take(40).collect();
                let reason = format!("the coding {name} of the body cannot be decoded");
                let kind = ReadErrorKind::Damaged;
                self.problems.push(CodingProblem { kind, reason });
                self.bytes = Cow::Owned(Vec::new());
            }
        }
    }
}

/// Decompresses gzip; a wrong checksum gives a note, which is a loss.
fn gunzip(stored: &[u8], limit: usize, notes: &mut Vec<Note>) -> Output {
    let content = Gunzip::new(Window::new(stored));
    let facts = content.facts();
    let read = read(content, "gzip", limit);
    notes.extend(
        facts
            .take_failed_checksums()
            .into_iter()
            .map(FailedChecksum::note),
    );
    read
}

/// Decompresses consecutive frames (RFC 8878) whose windows are not larger than allowed (RFC 9659).
#[cfg(feature = "archives")]
fn unzstd(mut stored: &[u8], limit: usize) -> Output {
    const WINDOW: u64 = 8 * 1024 * 1024;
    let mut output = Output::default();
    while !stored.is_empty() {
        let frame = StreamingDecoder::new_with_max_window_size(&mut stored, WINDOW);
        let more = match frame {
            Ok(mut frame) => {
                let mut more = read(&mut frame, "zstd", limit - output.bytes.len());
                if more.problem.is_none() && !zstd::matches_checksum(&frame.decoder) {
                    let reason = "a zstd frame of the body does not match its checksum";
                    more.problem = Some(reason.to_owned());
                }
                more
            }
            Err(error) => Output {
                bytes: Vec::new(),
                problem: Some(format!("the body is not complete zstd: {error}")),
            },
        };
        output.bytes.extend(more.bytes);
        if more.problem.is_some() {
            output.problem = more.problem;
            break;
        }
    }
    output
}

/// Reads the output of a decoder, up to `limit` bytes.
fn read(reader: impl Read, coding: &str, limit: usize) -> Output {
    let mut bytes = Vec::new();
    let problem = match reader.take(limit as u64 + 1).read_to_end(&mut bytes) {
        Ok(_) if bytes.len() > limit => {
            bytes.truncate(limit);
            Some(format!(
                "the body inflates to more than {limit} bytes and is truncated there"
            ))
        }
        Ok(_) => None,
        Err(error) => Some(format!("the body is not complete {coding}: {error}")),
    };
    Output { bytes, problem }
}

/// Decompresses a zlib stream (RFC 9110 §8.4.1.2) or, as some servers send it, a bare deflate
/// stream.
fn inflate(stored: &[u8], limit: usize) -> Output {
    let is_zlib = matches!(*stored, [cmf, flags, ..]
        if cmf & 0x0F == 8 && (u16::from(cmf) << 8 | u16::from(flags)) % 31 == 0);
    if is_zlib {
        read(ZlibDecoder::new(stored), "deflate", limit)
    } else {
        read(DeflateDecoder::new(stored), "deflate", limit)
    }
}

/// Removes the chunked coding (RFC 9112 §7.1) from `body`; `None` if the body does not begin with a
/// chunk.
fn dechunk(body: &[u8]) -> Option<Output> {
    let mut bytes = Vec::new();
    let mut at = 0;
    loop {
        let Some((size, start)) = chunk_size(body, at) else {
            let problem = Some(format!("the chunked body is truncated at byte {at}"));
            return (at > 0).then_some(Output { bytes, problem });
        };
        if size == 0 {
            return Some(Output {
                bytes,
                problem: None,
            });
        }
        let rest = &body[start..];
        let Some(chunk) = rest.get(..size) else {
            bytes.extend_from_slice(rest);
            let problem = Some(format!("the chunk at byte {at} of the body is cut off"));
            return Some(Output { bytes, problem });
        };
        let end = line::end_length(&rest[size..]);
        // Text that happens to begin with a number is not chunked, unless the number is followed by a page.
        let is_text = !is_page(rest) && !rest.starts_with(gzip::MAGIC);
        if end == 0 && at == 0 && rest.len() > size && is_text {
            return None;
        }
        bytes.extend_from_slice(chunk);
        at = start + size + end;
    }
}

/// The size of the chunk whose line begins at `at`, and the offset of its data.
fn chunk_size(body: &[u8], at: usize) -> Option<(usize, usize)> {
    const LONGEST: usize = 16;
    let (end, next) = line::end(&body[..body.len().min(at + 4096)], at);
    if next == end {
        return None;
    }
    let text = body[at..end]
        .split(|&byte| byte == b';')
        .next()?
        .trim_ascii();
    if text.is_empty() || text.len() > LONGEST || !text.iter().all(u8::is_ascii_hexdigit) {
        return None;
    }
    let text = std::str::from_utf8(text).ok()?;
    Some((usize::from_str_radix(text, 16).ok()?, next))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codings::gzip::tests::gzip;
    use baseref_document::Limits;

    const PAGE: &[u8] = b"<a href=x>y</a>";

    #[test]
    fn status_line_forms() {
        for (text, is) in [
            ("HTTP/1.1 200 OK", true),
            ("HTTP/1.0 404", true),
            ("HTTP/2 200 \r\n", true),
            ("http/1.1 404 Not Found", true),
            ("Http/2 200", true),
            ("HTTP/1.1 20", false),
            ("HTTP/1.1 2000", false),
            ("HTTP/ 200", false),
            ("HTTP/1.1 is", false),
            ("GET / HTTP/1.1", false),
        ] {
            assert_eq!(is_response(text.as_bytes()), is, "{text}");
        }
    }

    #[test]
    fn media_type_or_body_decides_about_html() {
        for (fields, body, is) in [
            ("Content-Type: text/html", &b"x"[..], true),
            ("Content-Type: Application/XHTML+xml; charset=x", b"x", true),
            ("Content-Type: text/plain", PAGE, false),
            (
                "Content-Type: text/html\nContent-Type: image/png",
                PAGE,
                false,
            ),
            ("Content-Type: text/html, text/html", b"x", true),
            ("Content-Type: text/html, image/png", PAGE, false),
            ("X: y", PAGE, true),
            ("Content-Encoding: gzip", &gzip(PAGE), true),
            ("X: y", b"\x89PNG", false),
            ("X: y", b"", false),
        ] {
            let bytes = [format!("HTTP/1.1 200 OK\n{fields}\n\n").as_bytes(), body].concat();
            let heading = Heading::read(&bytes, 1000).unwrap();
            assert_eq!(heading.is_html(&bytes), is, "{fields}");
        }
    }

    #[test]
    fn header_size_is_limited() {
        let large = format!("HTTP/1.1 200 OK\n{}\n\n{}", "X: y\n".repeat(1000), "<p>");
        assert!(Heading::read(large.as_bytes(), 1000).is_none());
        assert!(Heading::read(large.as_bytes(), 10_000).is_some());
        assert_eq!(
            Heading::read(b"HTTP/1.1 200 OK\nA: b", 1000).unwrap().body,
            20
        );
    }

    #[test]
    fn body_size_is_limited() {
        let bytes = gzip(&b" ".repeat(100_000));
        let Output {
            bytes: decoded,
            problem,
        } = read(Gunzip::new(Window::new(&bytes[..])), "gzip", 1000);
        assert_eq!(decoded.len(), 1000);
        assert!(problem.is_some_and(|problem| problem.contains("more than 1000 bytes")));
    }

    #[cfg(not(feature = "archives"))]
    #[test]
    fn coding_that_is_not_built_in_is_a_problem() {
        for coding in ["br", "zstd"] {
            let head = format!("HTTP/1.1 200 OK\nContent-Encoding: {coding}\n\n");
            let heading = Heading::read(head.as_bytes(), 1000).unwrap();
            let decoded = heading.decoded(&[0, 1, 2, 3, 255], 1000);
            let kinds: Vec<_> = decoded.problems.iter().map(|one| one.kind).collect();
            assert_eq!(kinds, [ReadErrorKind::NotBuiltIn], "{coding}");
            assert!(decoded.bytes.is_empty(), "{coding}");
        }
    }

    #[test]
    fn codings_of_body_share_a_limit() {
        let head = b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip, gzip, gzip\r\n\r\n";
        let page = [PAGE, &b" ".repeat(985)].concat();
        let inner = gzip(&page);
        let whole = [&head[..], &gzip(&gzip(&inner))].concat();
        let heading = Heading::read(&whole, 1000).unwrap();
        let body = &whole[heading.body..];
        let codings = gzip(&inner).len() + inner.len();
        let decoded = heading.decoded(body, page.len() + codings);
        assert_eq!((&*decoded.bytes, decoded.problems.len()), (&page[..], 0));
        let decoded = heading.decoded(body, page.len());
        assert_eq!(decoded.bytes.len(), page.len() - codings);
        assert_eq!(decoded.problems.len(), 1);
    }

    #[test]
    fn hostile_responses_do_not_panic() {
        let whole = [
            b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Encoding: gzip\r\n\r\n3\r\n",
            &gzip(PAGE)[..],
        ]
        .concat();
        let limit = Limits::default().heading;
        for length in 0..whole.len() {
            let bytes = &whole[..length];
            if let Some(heading) = Heading::read(bytes, limit) {
                assert!(heading.decoded(&bytes[heading.body..], 1000).bytes.len() <= 1000);
            }
        }
        assert_eq!(dechunk(b"ffffffffffffffff\r\nx").unwrap().bytes, b"x");
        assert!(dechunk(b"fffffffffffffffff\r\nx").is_none());
        assert!(dechunk(b"1\r\nno page").is_none());
        let damaged = dechunk(b"6\r\n<html><p>\r\n0\r\n\r\n").unwrap();
        assert_eq!(damaged.bytes, b"<html>");
        assert!(damaged.problem.is_some());
        let many = b"1\r\nx\r\n".repeat(10_000);
        assert_eq!(dechunk(&many).unwrap().bytes.len(), 10_000);
    }
}
