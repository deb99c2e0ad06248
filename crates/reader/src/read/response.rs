//! Reads the document of an HTTP response: first the links in its fields, then the links in its body.
//!
//! Its `Content-Location` declares no base (RFC 7231 Appendix B): the base is the requested URL,
//! which is not in the response.

use std::borrow::Cow;

use encoding_rs::UTF_8;
use encoding_rs::mem::decode_latin1;

use baseref_container::http::{CodingProblem, Heading};
use baseref_container::{Entity, INFLATED_TOO_MUCH};
use baseref_document::link_places::{Class, Grammar, link_field_row, response_field_row};
use baseref_document::{
    Context, Document, Feature, Note, NoteCode, ReadError, ReadErrorCause, ReadErrorKind,
    ReadOptions, ReadResult, Reference, References, Sink, Work,
};
use baseref_html as html;
use baseref_html::text::style_sheet;
use baseref_text::decode::encoding;
use baseref_text::decode::source::MarkupSource;
use baseref_text::grammar;
use baseref_text::header::media_type::MediaType;

/// Reads the document of a response.
pub(super) fn read(
    bytes: &[u8],
    response: Entity,
    options: &ReadOptions,
    found: &mut dyn Sink<ReadResult>,
) {
    let Entity {
        origin,
        offset,
        charset,
        declarations,
        nesting,
        payload_digest,
        ..
    } = response;
    let unread = |kind: ReadErrorKind, reason: String| ReadError::new(kind, origin.clone(), reason);
    let Some(heading) = Heading::read(bytes, options.limits.heading) else {
        let limit = options.limits.heading;
        let reason = format!("holds no HTTP response with a header of at most {limit} bytes");
        return found.add(Err(unread(ReadErrorKind::Damaged, reason)));
    };
    let stored = &bytes[heading.body..];
    let lacking = heading.lacking(stored);
    let ledger = nesting.ledger();
    let left = usize::try_from(ledger.left(Work::Inflated)).unwrap_or(usize::MAX);
    let limit = options.limits.inflated_from(stored.len() as u64);
    let body = heading.decoded(stored, limit.min(left));
    if let Err(limit) = ledger.draw(Work::Inflated, body.inflated) {
        // The rest of the input is subject to the same limit, so that one error is enough.
        if limit.is_first {
            let error = unread(ReadErrorKind::Limit, INFLATED_TOO_MUCH.to_owned());
            found.add(Err(error.caused_by(ReadErrorCause::Limit(limit))));
        }
        return;
    }
    let mut notes = body.notes;
    let is_lacking = lacking.is_some() || !body.problems.is_empty();
    let lacking = lacking.map(|reason| CodingProblem {
        kind: ReadErrorKind::Damaged,
        reason,
    });
    for CodingProblem { kind, reason } in lacking.into_iter().chain(body.problems) {
        let mut error = unread(kind, reason);
        if kind == ReadErrorKind::NotBuiltIn {
            error = error.caused_by(ReadErrorCause::Feature(Feature::Archives));
        }
        found.add(Err(error));
    }
    if let Some(digest) = payload_digest.filter(|_| !is_lacking) {
        let is_payload = |bytes: &[u8]| digest.matches(bytes);
        // Crawlers differ in what they take for the payload.
        let matches = is_payload(stored)
            || is_payload(&body.bytes)
            || heading
                .dechunked(stored)
                .is_some_and(|bytes| is_payload(&bytes));
        notes.extend(
            (!matches)
                .then(|| Note::new(NoteCode::Checksum, "the payload does not match its digest")),
        );
    }
    let is_damaged = is_lacking || notes.iter().any(|note| note.code.is_loss());
    let media = heading.media_type();
    let declared = media.as_ref().and_then(MediaType::charset);
    // Browsers write pages into a HAR as text, but queries of their links are in the encoding of the page.
    let of_page = charset
        .as_ref()
        .and_then(|_| encoding::declared_by(&body.bytes, declared.as_deref()));
    let charset = charset.or(declared);
    let markup = heading.markup(bytes);
    let source = MarkupSource {
        markup: markup.unwrap_or_default(),
        bytes: &body.bytes,
        origin: origin.clone(),
        part_byte: offset.map(|offset| offset + heading.body as u64..offset + bytes.len() as u64),
        charset: charset.as_deref(),
        declarations,
    };
    if media.is_some_and(|media| media.essence == "text/css") {
        let mut document = style_sheet::read(source, options);
        document.is_damaged = is_damaged;
        document.notes.splice(..0, notes);
        return found.add(Ok(document));
    }
    let links = links(&heading, source.declarations.len(), options);
    let mut document = html::read(source, options);
    if let Some(of_page) = of_page {
        document.encoding = of_page.name();
    }
    document.policies.extend(heading.policies());
    document.is_damaged = is_damaged;
    document.notes.splice(..0, notes);
    let own = std::mem::replace(&mut document.references, links);
    document.references.extend(&own);
    found.add(Ok(document));
}

/// Reads the fields of a response without HTML: gives a document if links in them are wanted and
/// there are any.
pub(super) fn read_fields(
    bytes: &[u8],
    response: Entity,
    options: &ReadOptions,
    found: &mut dyn Sink<ReadResult>,
) {
    let Some(heading) = Heading::read(bytes, options.limits.heading) else {
        return;
    };
    let references = links(&heading, response.declarations.len(), options);
    if references.is_empty() {
        return;
    }
    let mut document = Document::empty(response.origin, UTF_8.name());
    document.declarations = response.declarations;
    document.references = references;
    found.add(Ok(document));
}

/// The links in the fields of a header, if wanted. They are relative to the requested URL (RFC 9110
/// §10.2.2, RFC 8288 §3.2), which is among the `outside` outer declarations.
fn links(heading: &Heading<'_>, outside: usize, options: &ReadOptions) -> References {
    let mut links = References::default();
    if !options.classes.contains(Class::Header) {
        return links;
    }
    let context = Context::Outermost(u32::try_from(outside).unwrap_or(u32::MAX));
    for (name, value) in heading.fields() {
        let Some(slot) = response_field_row(name) else {
            continue;
        };
        let value = match str::from_utf8(value) {
            Ok(value) => Cow::Borrowed(value),
            Err(_) => decode_latin1(value),
        };
        for range in grammar::urls(slot.grammar, &value) {
            let slot = match slot.grammar {
                Grammar::LinkHeader => {
                    let rel = grammar::link_rel(&value, &range);
                    link_field_row(rel.unwrap_or_default()).unwrap_or(slot)
                }
                _ => slot,
            };
            links.push(Reference {
                slot,
                element: slot.element,
                attr: slot.attr,
                value: &value[range],
                text: None,
                context,
                at: None,
                cut: false,
            });
        }
    }
    links
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::Compression;
    use flate2::write::{DeflateEncoder, ZlibEncoder};

    use super::*;
    use crate::read::documents;
    use crate::read::tests::gzip;
    use baseref_container::EntityKind;
    use baseref_document::link_places::Classes;
    use baseref_document::{Limits, Origin};

    const PAGE: &[u8] = b"<a href=x>y</a>";

    /// The encoding and the links of each document, and what is wrong.
    fn read_all(heading: &str, body: &[u8]) -> (Vec<(String, usize)>, Vec<String>) {
        let entity = Entity {
            kind: EntityKind::Response,
            offset: Some(100),
            ..Entity::html(Origin::new("r"), [heading.as_bytes(), body].concat())
        };
        let (mut read, mut errors) = (Vec::new(), Vec::new());
        documents(
            entity,
            &ReadOptions::default(),
            &mut |found: ReadResult| match found {
                Ok(document) => {
                    let part = document.part_byte.unwrap();
                    assert_eq!(part.end - part.start, body.len() as u64);
                    assert_eq!(part.start, 100 + heading.len() as u64);
                    read.push((document.encoding.to_owned(), document.references.len()));
                }
                Err(error) => errors.push(error.reason.into()),
            },
        );
        (read, errors)
    }

    fn deflate(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = DeflateEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    fn zlib(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    /// One raw block in a frame of one segment (RFC 8878 §3.1.1).
    fn zstd_frame(text: &[u8]) -> Vec<u8> {
        let size = u8::try_from(text.len()).unwrap();
        let block = u32::from(size) << 3 | 1;
        [
            b"\x28\xB5\x2F\xFD\x20",
            &[size][..],
            &block.to_le_bytes()[..3],
            text,
        ]
        .concat()
    }

    fn zstd() -> Vec<u8> {
        zstd_frame(PAGE)
    }

    fn zstd_in_frames() -> Vec<u8> {
        let (first, second) = PAGE.split_at(4);
        [zstd_frame(first), zstd_frame(second)].concat()
    }

    #[cfg(feature = "archives")]
    #[test]
    fn zstd_window_is_limited() {
        // 16 MiB: exponent 14 (RFC 8878 §3.1.1.1.2).
        let body = b"\x28\xB5\x2F\xFD\x00\x70\x79\x00\x00".to_vec();
        let (_, errors) = read_all("HTTP/1.1 200 OK\nContent-Encoding: zstd\n\n", &body);
        assert_eq!(errors, ["the coding zstd of the body cannot be decoded"]);
    }

    #[test]
    fn wrong_gzip_checksum_is_noted() {
        let mut body = gzip(PAGE);
        let at = body.len() - 6;
        body[at] ^= 1;
        let heading = b"HTTP/1.1 200 OK\nContent-Encoding: gzip\nContent-Type: text/html\n\n";
        let entity = Entity {
            kind: EntityKind::Response,
            ..Entity::html(Origin::new("r"), [&heading[..], &body].concat())
        };
        let mut codes = Vec::new();
        documents(entity, &ReadOptions::default(), &mut |found: ReadResult| {
            let document = found.unwrap();
            assert_eq!(document.references.len(), 1);
            codes.extend(document.notes.iter().map(|note| note.code.as_str()));
        });
        assert_eq!(codes, ["checksum"]);
    }

    #[test]
    fn body_is_decoded() {
        let chunked = b"5;x=y\r\n<a hr\r\nA\r\nef=x>y</a>\r\n0\r\nTrailer: x\r\n\r\n";
        // One metablock that is not compressed (RFC 7932 §9.2).
        let br = [b"\x0B\x07\x80", PAGE, b"\x03"].concat();
        for (claim, fields, body) in [
            ("plain", "", PAGE),
            ("chunked", "Transfer-Encoding: chunked", chunked),
            ("chunks undone already", "Transfer-Encoding: chunked", PAGE),
            ("gzip", "Content-Encoding: gzip", &gzip(PAGE)),
            ("x-gzip", "content-encoding: X-GZIP", &gzip(PAGE)),
            ("gzip undone already", "Content-Encoding: gzip", PAGE),
            ("deflate", "Content-Encoding: deflate", &zlib(PAGE)),
            ("bare deflate", "Content-Encoding: deflate", &deflate(PAGE)),
            ("deflate undone already", "Content-Encoding: deflate", PAGE),
            ("br", "Content-Encoding: br", &br),
            ("br undone already", "Content-Encoding: br", PAGE),
            ("two", "Content-Encoding: gzip, deflate", &zlib(&gzip(PAGE))),
            (
                "folded",
                "Content-Encoding: gzip,\r\n\tdeflate",
                &zlib(&gzip(PAGE)),
            ),
            ("zstd", "Content-Encoding: zstd", &zstd()),
            (
                "frames of zstd",
                "Content-Encoding: zstd",
                &zstd_in_frames(),
            ),
            ("zstd undone already", "Content-Encoding: zstd", PAGE),
            ("of no name", "Content-Encoding: none", PAGE),
        ] {
            if matches!(claim, "br" | "zstd" | "frames of zstd") && !cfg!(feature = "archives") {
                continue;
            }
            let line = if fields.is_empty() { "" } else { "\r\n" };
            let heading = format!("HTTP/1.1 200 OK\r\n{fields}{line}\r\n");
            let expected = (vec![("windows-1252".to_owned(), 1)], Vec::<String>::new());
            assert_eq!(read_all(&heading, body), expected, "{claim}");
        }
    }

    #[test]
    fn undecodable_body_is_reported_and_the_rest_read() {
        let page = [PAGE, &b"<p>".repeat(1000)].concat();
        let zipped = gzip(&page);
        for (claim, fields, body, links, told) in [
            (
                "chunk cut off",
                "Transfer-Encoding: chunked",
                &b"ff\r\n<a href=x>y</a>"[..],
                1,
                "the chunk at byte 0 of the body is cut off",
            ),
            (
                "chunk without an end",
                "Transfer-Encoding: chunked",
                b"f\r\n<a href=x>y</a>\r\n<p>x\r\n",
                1,
                "the chunked body is truncated at byte 20",
            ),
            (
                "gzip cut off",
                "Content-Encoding: gzip",
                &zipped[..zipped.len() - 9],
                1,
                "the body is not complete gzip: the gzip member at byte 0 is cut off",
            ),
            (
                "unknown",
                "Content-Encoding: compress",
                b"\x1F\x9D\x90\x00\x01\x02",
                0,
                "the coding compress of the body cannot be decoded",
            ),
        ] {
            let heading = format!("HTTP/1.0 200\n{fields}\n\n");
            let (read, errors) = read_all(&heading, body);
            assert_eq!(read, [("windows-1252".to_owned(), links)], "{claim}");
            assert_eq!(errors, [told], "{claim}");
        }
    }

    #[test]
    fn body_is_compared_with_its_length() {
        let cut = "the body is cut off after 15 bytes, not its Content-Length of 40";
        for (claim, head, body, told) in [
            ("shorter", "200 OK\r\nContent-Length: 40", PAGE, Some(cut)),
            ("equal", "200 OK\r\nContent-Length: 15", PAGE, None),
            ("longer", "200 OK\r\nContent-Length: 3", PAGE, None),
            (
                "an error page",
                "404 No\r\nContent-Length: 40",
                PAGE,
                Some(cut),
            ),
            ("twice", "200 OK\r\nContent-Length: 40, 40", PAGE, Some(cut)),
            (
                "in two minds",
                "200 OK\r\nContent-Length: 40, 15",
                PAGE,
                None,
            ),
            (
                "a coding that is undone",
                "200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 40",
                PAGE,
                None,
            ),
            ("a redirect", "302 Found\r\nContent-Length: 40", PAGE, None),
            (
                "an answer to HEAD",
                "200 OK\r\nContent-Length: 40",
                b"",
                None,
            ),
        ] {
            let heading = format!("HTTP/1.1 {head}\r\nContent-Type: text/html\r\n\r\n");
            let (read, errors) = read_all(&heading, body);
            assert_eq!(
                (read.len(), &errors[..]),
                (1, told.map(str::to_owned).as_slice()),
                "{claim}"
            );
        }
    }

    #[test]
    fn cut_document_is_damaged() {
        for (length, is_damaged) in [(15, false), (40, true)] {
            let heading = format!("HTTP/1.1 200 OK\nContent-Length: {length}\n\n");
            let bytes = [heading.as_bytes(), PAGE].concat();
            let entity = Entity {
                kind: EntityKind::Response,
                ..Entity::html(Origin::new("r"), bytes)
            };
            documents(entity, &ReadOptions::default(), &mut |found: ReadResult| {
                let damaged = found.map(|document| document.is_damaged);
                assert!(damaged.is_err() || damaged == Ok(is_damaged), "{length}");
            });
        }
    }

    #[test]
    fn payload_is_any_form_of_the_body() {
        let chunked = [b"f\r\n", PAGE, b"\r\n0\r\n\r\n"].concat();
        // The digests of the page, of the page with chunks, and of neither.
        for (digest, is_noted) in [
            ("sha1:U3S5BEKCIZ4STSTP4W5TYWXB7NNSTXR5", false),
            ("sha1:KKGKCNJH52OOS67SPUODWDROTUDLE4RR", false),
            ("sha1:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", true),
        ] {
            let heading = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\
                           Transfer-Encoding: chunked\r\n\r\n";
            let block = [heading.as_bytes(), &chunked].concat();
            let record = format!(
                "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://a/\r\n\
                 WARC-Payload-Digest: {digest}\r\nContent-Length: {}\r\n\r\n",
                block.len()
            );
            let archive = [record.as_bytes(), &block, b"\r\n\r\n"].concat();
            let found = crate::read_bytes("a.warc", archive, None, &ReadOptions::default());
            let found: Vec<_> = found.expect("the archive can be opened").collect();
            let [Ok(document)] = &found[..] else {
                panic!("{digest}: {found:?}");
            };
            let codes: Vec<_> = document.notes.iter().map(|note| note.code).collect();
            let expected: &[_] = if is_noted { &[NoteCode::Checksum] } else { &[] };
            assert_eq!(
                (&codes[..], document.is_damaged),
                (expected, is_noted),
                "{digest}"
            );
        }
    }

    #[test]
    fn last_of_several_headers_counts() {
        let heading = "HTTP/1.1 200 Connection established\r\n\r\n\
            HTTP/1.1 302 Found\r\nContent-Type: text/plain\r\n\r\n\
            HTTP/2 200 \r\ncontent-type: text/html\r\nContent-Type: text/html; charset=koi8-r\r\n\r\n";
        assert_eq!(
            read_all(heading, PAGE),
            (vec![("KOI8-R".to_owned(), 1)], vec![])
        );
    }

    #[test]
    fn links_of_fields_precede_links_of_body() {
        let heading = "HTTP/1.1 200 OK\r\nlink: <a>; rel=next, <b>\r\nLocation: c\r\n\
            Refresh: 5; url=d\r\nContent-Location: e\r\nX: f\r\nContent-Type: text/html\r\n\r\n";
        for (classes, values) in [(Classes::ALL, "a b c d e x"), (Classes::ANCHORS, "x")] {
            let bytes = [heading.as_bytes(), PAGE].concat();
            let entity = Entity {
                kind: EntityKind::Response,
                ..Entity::html(Origin::new("r"), bytes)
            };
            let options = ReadOptions::default().with_classes(classes);
            let mut read = Vec::new();
            documents(entity, &options, &mut |found: ReadResult| {
                let document = found.unwrap();
                read.extend(document.references.iter().map(|link| link.value.to_owned()));
                assert!(document.declarations.is_empty());
            });
            assert_eq!(read.join(" "), values);
        }
    }

    #[test]
    fn bodies_of_input_share_a_limit() {
        let page = [PAGE, &[b' '; 800]].concat();
        let body = gzip(&page);
        let heading =
            "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: gzip\r\n\r\n";
        let length = heading.len() + body.len();
        let record = format!(
            "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://a/\r\n\
             Content-Length: {length}\r\n\r\n{heading}"
        );
        let record = [record.as_bytes(), &body, b"\r\n\r\n"].concat();
        let warc = record.repeat(8);
        for (inflation, errors) in [(1, 1), (128, 0)] {
            let limits = Limits::default()
                .with_inflated(1000)
                .with_inflation(inflation);
            let options = ReadOptions::default().with_limits(limits);
            let found = crate::read_bytes("a.warc", warc.clone(), None, &options);
            let found: Vec<_> = found.expect("the archive can be opened").collect();
            let failed: Vec<_> = found
                .iter()
                .filter_map(|found| found.as_ref().err())
                .collect();
            assert_eq!(failed.len(), errors, "{failed:?}");
            let is_limit = |error: &&ReadError| error.kind == ReadErrorKind::Limit;
            assert!(failed.iter().all(is_limit), "{failed:?}");
            let documents = found.len() - errors;
            assert!((1..=8).contains(&documents) && (documents < 8) == (errors > 0));
        }
    }
}
