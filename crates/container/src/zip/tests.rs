//! Tests of reading zips.

use std::io::{Cursor, Write};

use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use super::members::{EPUB, Members};
use crate::codings::gzip::tests::gzip;
use crate::contents::Container;
use crate::detect::OpenContext;
use crate::input::section::Shared;
use crate::open::{self, FORMATS};
use crate::{Contents, Format, Input, Nesting, Reader};
use baseref_document::{Limits, ReadErrorKind};

pub(super) const RDF: &str = r#"<?xml version="1.0"?>
    <RDF:RDF xmlns:MAF="http://maf.mozdev.org/metadata/rdf#"
             xmlns:RDF="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
      <RDF:Description RDF:about="urn:root">
        <MAF:originalurl RDF:resource="http://example.org/a?b&amp;c"/>
        <MAF:indexfilename RDF:resource="page.htm"/>
        <MAF:charset RDF:resource="KOI8-R"/>
      </RDF:Description>
    </RDF:RDF>"#;

fn zip(members: &[(&str, &str)]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (number, (name, text)) in members.iter().enumerate() {
        let method = [CompressionMethod::Deflated, CompressionMethod::Stored][number % 2];
        let options = SimpleFileOptions::default().compression_method(method);
        writer.start_file(*name, options).unwrap();
        writer.write_all(text.as_bytes()).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

/// The context of a zip in those containers.
fn ctx<'o>(limits: &'o Limits, nesting: &'o Nesting) -> OpenContext<'o> {
    OpenContext {
        limits,
        nesting,
        formats: &FORMATS,
    }
}

fn read(bytes: &[u8], limits: &Limits) -> (Vec<Result<String, String>>, u64) {
    let reader = Reader::Seekable(Box::new(Cursor::new(bytes.to_vec())));
    let shared = Shared::new(reader);
    let pages = Members::new(
        shared,
        "z".into(),
        Vec::new(),
        &ctx(limits, &Nesting::default()),
    );
    let mut pages = match pages {
        Ok(pages) => pages,
        Err(error) => return (vec![Err(error.to_string())], 0),
    };
    let found = pages.by_ref().map(|item| match item {
        Ok(entity) => {
            let url = entity.declarations.first().map_or("-", |by| &by.value);
            let charset = entity.charset.as_deref().unwrap_or("-");
            let notes = entity.notes.iter().map(|note| note.code.as_str());
            let line = format!("{} {url} {charset}", entity.origin);
            Ok([line.as_str()]
                .into_iter()
                .chain(notes)
                .collect::<Vec<_>>()
                .join(" "))
        }
        Err(error) => Err(error.to_string()),
    });
    (found.collect(), pages.without_html())
}

#[test]
fn index_names_the_url_of_its_page() {
    let bytes = zip(&[
        ("1/page.htm", "x"),
        ("1/frame.html", "x"),
        ("1/index.rdf", RDF),
        ("1/a.png", "x"),
        ("2/index.rdf", &RDF.replace("page.htm", "")),
        ("2/index.html", "x"),
        ("3/index.html", "x"),
        ("3/no-index.rdf", RDF),
        ("4/page?x=1", "<!DOCTYPE html>"),
    ]);
    let expected = [
        "z!1/page.htm http://example.org/a?b&c KOI8-R",
        "z!1/frame.html - -",
        "z!2/index.html http://example.org/a?b&c KOI8-R",
        "z!3/index.html - -",
        "z!4/page?x=1 - -",
    ];
    let expected = expected.iter().map(|&line| Ok(line.to_owned())).collect();
    assert_eq!(read(&bytes, &Limits::default()), (expected, 4));
}

#[test]
fn damaged_member_loses_no_other_member() {
    let text = "<p>".repeat(1000);
    let whole = zip(&[("a.html", &text), ("b.html", &text), ("c.html", "x")]);
    let place = |text: &str| {
        let mut windows = whole.windows(text.len());
        windows
            .position(|window| window == text.as_bytes())
            .unwrap()
    };
    // In compressed data.
    let mut bytes = whole.clone();
    bytes[place("a.html") + 10..][..4].fill(0xFF);
    let (found, _) = read(&bytes, &Limits::default());
    let [Err(told), Ok(_), Ok(_), Ok(_)] = &found[..] else {
        panic!("{found:?}");
    };
    assert!(told.starts_with("z!a.html: cannot be unpacked to its end: "));
    // In uncompressed data.
    let mut bytes = whole.clone();
    bytes[place(&text) + 5] = b'x';
    let (found, _) = read(&bytes, &Limits::default());
    let noted = Ok("z!b.html - - checksum".to_owned());
    assert_eq!((found.len(), &found[1]), (3, &noted));
}

#[test]
fn members_with_one_name_are_all_read() {
    let mut bytes = zip(&[("a.html", "<p>1"), ("b.html", "<p>2"), ("c.html", "<p>3")]);
    for at in 0..bytes.len() - 6 {
        if bytes[at..].starts_with(b"b.html") {
            bytes[at] = b'a';
        }
    }
    let reader = Reader::Seekable(Box::new(Cursor::new(bytes)));
    let shared = Shared::new(reader);
    let limits = Limits::default();
    let members = Members::new(
        shared,
        "z".into(),
        Vec::new(),
        &ctx(&limits, &Nesting::default()),
    );
    let texts = members.unwrap().map(|found| {
        let entity = found.unwrap();
        (
            entity.origin.to_string(),
            String::from_utf8(entity.bytes).unwrap(),
        )
    });
    let texts: Vec<_> = texts.collect();
    let expected = [
        ("z!a.html", "<p>1"),
        ("z!a.html", "<p>2"),
        ("z!c.html", "<p>3"),
    ];
    assert_eq!(
        texts,
        expected.map(|(doc, text)| (doc.to_owned(), text.to_owned()))
    );
}

#[test]
fn inflated_size_is_limited() {
    let limits = Limits::default().with_message(10_000);
    let bytes = zip(&[("a.html", &" ".repeat(100_000)), ("b.html", "x")]);
    let told = "z!a.html: is larger than 10000 bytes and is not read".to_owned();
    let expected = (vec![Err(told), Ok("z!b.html - -".to_owned())], 0);
    assert_eq!(read(&bytes, &limits), expected);

    let blank = " ".repeat(1_000_000);
    let names: Vec<String> = (0..20).map(|number| format!("{number}.html")).collect();
    let texts = [blank.as_str(), ""].into_iter().cycle();
    let members: Vec<(&str, &str)> = names.iter().map(String::as_str).zip(texts).collect();
    let limits = Limits::default().with_inflated(2_000_000);
    let (found, _) = read(&zip(&members), &limits);
    let told = found.iter().filter(|item| item.is_err()).count();
    assert_eq!((told > 5, found.len()), (true, 20), "{found:?}");
    // Nothing is damaged, whichever limit it is.
    let reader = Reader::Seekable(Box::new(Cursor::new(zip(&members))));
    let shared = Shared::new(reader);
    let limits = limits.with_message(1_500_000);
    let pages = Members::new(
        shared,
        "z".into(),
        Vec::new(),
        &ctx(&limits, &Nesting::default()),
    );
    let mut errors = pages.unwrap().filter_map(Result::err);
    assert!(errors.all(|error| error.kind == ReadErrorKind::Limit));

    let limits = Limits::default().with_inflated(1000);
    let bytes = zip(&[("a.html", &blank), ("b.html", "x")]);
    let told = format!(
        "z!a.html: is larger than {} bytes and is not read",
        bytes.len() * 64
    );
    let expected = (vec![Err(told), Ok("z!b.html - -".to_owned())], 0);
    assert_eq!(read(&bytes, &limits), expected);
}

#[test]
fn shared_bytes_are_read_once() {
    let whole = zip(&[("a.html", "x"), ("b.css", "y"), ("c.html", "z")]);
    let end = whole.len() - 22;
    let offset = u32::from_le_bytes(whole[end + 16..end + 20].try_into().unwrap());
    let (before, directory) = whole[..end].split_at(usize::try_from(offset).unwrap());
    let count: u16 = 9;
    let mut bytes = [before, &directory.repeat(3), &whole[end..]].concat();
    let end = bytes.len() - 22;
    bytes[end + 8..end + 10].copy_from_slice(&count.to_le_bytes());
    bytes[end + 10..end + 12].copy_from_slice(&count.to_le_bytes());
    let size = u32::try_from(directory.len() * 3).unwrap();
    bytes[end + 12..end + 16].copy_from_slice(&size.to_le_bytes());
    let told = "z: 4 members share their bytes with others and are not read, a.html first";
    let expected = vec![
        Ok("z!a.html - -".to_owned()),
        Ok("z!c.html - -".to_owned()),
        Err(told.to_owned()),
    ];
    assert_eq!(read(&bytes, &Limits::default()).0, expected);
}

#[test]
fn zip_truncated_or_changed_anywhere() {
    let whole = zip(&[("1/page.htm", "x"), ("1/index.rdf", RDF), ("b", "<p>")]);
    for at in 0..whole.len() {
        assert!(!read(&whole[..at], &Limits::default()).0.is_empty());
        let mut bytes = whole.clone();
        bytes[at] ^= 0xFF;
        read(&bytes, &Limits::default());
    }
    assert_eq!(read(&zip(&[]), &Limits::default()), (vec![], 0));
}

/// The documents in an input of that name, each with its first declaration, and the errors.
fn opened(name: &str, bytes: Vec<u8>, limits: &Limits) -> Vec<String> {
    opened_as(true, name, bytes, limits)
}

/// Opens one that the user named or that was found in a directory.
fn opened_as(named: bool, name: &str, bytes: Vec<u8>, limits: &Limits) -> Vec<String> {
    let input = Input {
        name: name.into(),
        reader: Reader::Seekable(Box::new(Cursor::new(bytes))),
        size: None,
        format: None,
        format_of_name: Format::from_name(name.as_ref()),
        named,
        declarations: Vec::new(),
    };
    let entities = match open::open(input, limits) {
        Ok(Contents::Multiple(entities)) => entities,
        Ok(Contents::Single(entity)) => Box::new(vec![Ok(entity)].into_iter()),
        Ok(Contents::Empty) => Box::new(Vec::new().into_iter()),
        Err(error) => Box::new(vec![Err(error)].into_iter()),
    };
    let shown = entities.map(|found| match found {
        Err(error) => error.to_string(),
        Ok(entity) => {
            let url = entity.declarations.first();
            let url = url.map_or_else(String::new, |by| format!(" {}", by.value));
            format!("{}{url}", entity.origin)
        }
    });
    shown.collect()
}

const PAGE: &str = "<a href=x>y</a>";

fn warc() -> String {
    let response = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n{PAGE}");
    let length = response.len();
    format!(
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://a/\r\n\
         Content-Length: {length}\r\n\r\n{response}\r\n\r\n"
    )
}

/// A zip of members that need not be text, alternately compressed and stored.
fn packed(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (number, (name, bytes)) in members.iter().enumerate() {
        let method = [CompressionMethod::Deflated, CompressionMethod::Stored][number % 2];
        let options = SimpleFileOptions::default().compression_method(method);
        writer.start_file(*name, options).unwrap();
        writer.write_all(bytes).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

#[test]
fn found_zip_is_read_only_if_named_as_one() {
    let book = packed(&[("mimetype", EPUB), ("c.html", PAGE.as_bytes())]);
    for (name, pages) in [("a.epub", 1), ("a.EPUB", 1), ("a.zip", 1), ("a.docx", 0)] {
        let found = opened_as(false, name, book.clone(), &Limits::default());
        assert_eq!(found.len(), pages, "{name}: {found:?}");
    }
}

#[test]
fn member_is_opened_by_its_format() {
    let mail = "From: a@b\nTo: c@d\nSubject: e\nContent-Type: text/html\n\n<a href=x>";
    let mailbox = format!("From a@b Fri Jan 27 10:00:00 2017\n{mail}\n\n").repeat(2);
    let warc = gzip(warc().as_bytes());
    let page = gzip(PAGE.as_bytes());
    let har = r#"{"log":{"entries":[{"request":{"url":"http://h/"},
        "response":{"content":{"mimeType":"text/html","text":"<p>"}}}]}}"#;
    let members: [(&str, &[u8]); 9] = [
        ("m.eml", mail.as_bytes()),
        ("m", mail.as_bytes()),
        ("b.mbox", mailbox.as_bytes()),
        ("b", mailbox.as_bytes()),
        ("archive/data.warc.gz", &warc),
        ("w", &warc),
        ("p.html.gz", &page),
        ("h.har", har.as_bytes()),
        ("a.css", b"a { b: url(c) }"),
    ];
    let lines = [
        "z!m.eml",
        "z!m",
        "z!b.mbox#1",
        "z!b.mbox#2",
        "z!b#1",
        "z!b#2",
        "z!archive/data.warc.gz#1 http://a/",
        "z!w#1 http://a/",
        "z!p.html.gz",
        "z!h.har#1 http://h/",
    ];
    assert_eq!(opened("z", packed(&members), &Limits::default()), lines);
}

#[test]
fn nesting_depth_is_limited() {
    let limits = Limits::default();
    let mut bytes = packed(&[("w.warc", warc().as_bytes()), ("p.html", PAGE.as_bytes())]);
    let mut way = String::new();
    for depth in 2..=limits.nesting + 1 {
        let found = opened("z", bytes.clone(), &limits);
        let expected = if depth <= limits.nesting {
            format!("z{way}!w.warc#1 http://a/")
        } else {
            format!("z{way}!w.warc: is nested in 4 containers: what is in it is not read")
        };
        assert_eq!(found, [expected, format!("z{way}!p.html")]);
        // The second of two members is stored uncompressed.
        bytes = packed(&[("x", b""), ("i.zip", &bytes)]);
        way.insert_str(0, "!i.zip");
    }
    let told = "is nested in 4 containers: what is in it is not read";
    assert_eq!(opened("z", bytes, &limits), [format!("z{way}: {told}")]);
}

#[test]
fn nested_containers_share_a_limit() {
    let limits = Limits::default().with_inflated(1_000_000);
    let blank = [&warc().into_bytes()[..], &b"\n".repeat(600_000)].concat();
    let inner = packed(&[("b.warc.gz", &gzip(&blank)), ("c.warc.gz", &gzip(&blank))]);
    let found = opened(
        "z",
        packed(&[("a.zip", &inner), ("i.zip", &inner)]),
        &limits,
    );
    assert_eq!(found[0], "z!a.zip!b.warc.gz#1 http://a/");
    let reason = "the containers around it expand to too much for their size";
    assert!(found.iter().any(|line| line.contains(reason)), "{found:?}");
}

#[test]
fn page_compressed_in_a_page_replaces_it() {
    let manifest = r#"{"originalUrl":"http://o/","indexFilename":"index.html"}"#;
    let zip = packed(&[
        ("index.html", PAGE.as_bytes()),
        ("manifest.json", manifest.as_bytes()),
    ]);
    let begin = "<!DOCTYPE html> <html data-sfz><a href=loader><!--".as_bytes();
    let page = [begin, &zip, b"--></html>"].concat();
    let limits = Limits::default();
    assert_eq!(
        opened("p", page.clone(), &limits),
        ["p!index.html http://o/"]
    );
    let outer = packed(&[("p.html", &page)]);
    assert_eq!(
        opened("z", outer, &limits),
        ["z!p.html!index.html http://o/"]
    );
    assert_eq!(opened("p", begin.to_vec(), &limits), ["p"]);
    let damaged = [begin, b"PK\x05\x06"].concat();
    let found = opened("p", damaged, &limits);
    assert!(
        found[0].starts_with("p: cannot be read as a zip: "),
        "{found:?}"
    );
    assert_eq!(found[1], "p");
}
