//! Each mail in `fixtures/mail-links`: its links outside HTML, with the base of each, and the bytes
//! that each was read from.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use baseref_container::Entity;
use baseref_document::Origin;
use baseref_document::ReadOptions;
use baseref_document::link_places::{Class, Classes};
use baseref_reader::base::Policy;
use baseref_reader::links::{DocumentLinks, Link, PartReference};
use baseref_reader::read::documents;

/// The results of a file, in order: `section element attr line raw url base`, with `-` for no
/// attribute, `-` for a line that is not in the file, `=` for a URL equal to `raw` and `!error` for
/// none; then ` -> ` and the part that it refers to, `none` for a `cid:` that matches no part.
type Row = (&'static str, &'static [&'static str]);

const ROWS: &[Row] = &[
    (
        "a-browser-goes-to-hosts-that-rfc-1808-does-not-see.eml",
        &[
            "/1 a href 1 https:/one-slash.example/x = none",
            "/1 a href 2 https:no-slash.example/x = none",
            "/1 a href 3 http:///three.example/x = none",
            "/1 a href 4 http://0x7f.1/x = none",
            "/1 a href 5 http://per%2ecent.example/x = none",
            "/1 a href 6 http://good.example\\@evil.example/x = none",
            "/1 a href 7 \\\\relative.example\\x !no-base none",
            "/1 a href 8 http://host.example/a/../b = none",
            "/1 a href 9 http://not a host/ = none",
            "/1 a href 10 http://HOST.example = none",
            "/1 a href 11 http://host.example/c = none",
        ],
    ),
    (
        "a-line-that-begins-with-a-parameter-is-one.eml",
        &["/1 a href 1 http://host.example/x = none"],
    ),
    (
        "utf-7-is-decoded.eml",
        &[
            "/1 text - 1 http://host.example/text = none",
            "/2 a href 2 http://host.example/caf\u{e9}?a=1 = none",
            "/3 a href 2 http://host.example/meta = none",
        ],
    ),
    (
        "a-style-sheet-is-relative-to-its-own-base.eml",
        &[
            " header Content-Base 3 http://page.example/ = none",
            "/1 a href 1 page http://page.example/page http://page.example/",
            "/2 header Content-Location 14 http://sheet.example/css/s.css = http://page.example/",
            "/2 style #text 1 other.css http://sheet.example/css/other.css \
             http://sheet.example/css/s.css",
            "/2 style #text 3 ../b.png http://sheet.example/b.png http://sheet.example/css/s.css",
        ],
    ),
    (
        "a-base-field-is-relative-to-the-layers-around-it.eml",
        &[
            " header Content-Location 2 http://outer.example/a/b = none",
            "/1 header Content-Location 6 c/d http://outer.example/a/c/d http://outer.example/a/b",
            "/1 header Link 7 e http://outer.example/a/c/e http://outer.example/a/c/d",
            "/1 a href 1 f http://outer.example/a/c/f http://outer.example/a/c/d",
            "/2 header Content-Base 12 http://inner.example/ = http://outer.example/a/b",
            "/2 header Content-Location 13 g http://inner.example/g http://inner.example/",
        ],
    ),
    (
        "a-field-in-an-encoded-part-has-no-place-in-the-file.eml",
        &["/1 header List-Archive - http://host.example/ = none"],
    ),
    (
        "a-field-is-read-from-its-encoded-words.eml",
        &[
            " header List-Unsubscribe 2 http://host.example/unsubscribe = http://host.example/a",
            " header List-Unsubscribe 2 mailto:off@host.example = http://host.example/a",
            " header Content-Location 4 http://host.example/a = none",
            " header Archived-At 5 http://host.example/bare = http://host.example/a",
            " header X-Archived-At 6 http://host.example/quoted = http://host.example/a",
        ],
    ),
    (
        "a-field-is-relative-to-the-base-of-its-heading.eml",
        &[
            " header Base 2 http://outer.example/a/b = none",
            " header List-Archive 3 list http://outer.example/a/list http://outer.example/a/b",
            "/1 header Content-Base 7 http://inner.example/ = http://outer.example/a/b",
            "/1 header Link 8 first http://inner.example/first http://inner.example/",
            "/1 header Link 8 second http://inner.example/second http://inner.example/",
            "/2 header Archived-At 12 third http://outer.example/a/third http://outer.example/a/b",
            "/2 base href 1 http://element.example/ = http://outer.example/a/b",
            "/2 a href 1 fourth http://element.example/fourth http://element.example/",
        ],
    ),
    (
        "a-field-that-is-not-utf-8-is-latin-1.eml",
        &[
            " header Archived-At 2 http://host.example/\u{e9} = none",
            " header X-Archived-At 3 http://host.example/\u{e9} = none",
        ],
    ),
    (
        "a-field-without-base-has-no-url.eml",
        &[
            " header Content-Location 2 image001.jpg !no-base none",
            " header Archived-At 3 relative !no-base none",
        ],
    ),
    (
        "a-forwarded-message-has-the-links-of-both-its-headings.eml",
        &[
            "/1 header Content-Location 6 http://part.example/ = none",
            "/1 header List-Archive 8 archive http://message.example/archive http://message.example/",
            "/1 header Content-Base 9 http://message.example/ = http://part.example/",
            "/1 header Link 10 link http://message.example/link http://message.example/",
        ],
    ),
    (
        "a-location-names-a-part-of-the-same-or-an-enclosing-related.eml",
        &[
            "/1 header Content-Location 6 http://host.example/dir/ = none",
            "/1.1 header Content-Location 10 index.html http://host.example/dir/index.html \
             http://host.example/dir/",
            "/1.1 a href 1 i.gif#fragment http://host.example/dir/i.gif#fragment \
             http://host.example/dir/index.html -> 1.2",
            "/1.1 a href 2 http://other.example/a%2Eb = http://host.example/dir/index.html",
            "/1.1 a href 3 http://other.example/a.b = http://host.example/dir/index.html -> 1.3",
            "/1.1 a href 4 http://base.example/j.gif = http://host.example/dir/index.html -> 1.4",
            "/1.1 a href 5 http://mixed.example/ = http://host.example/dir/index.html",
            "/1.1 a href 6 #top http://host.example/dir/index.html#top \
             http://host.example/dir/index.html",
            "/1.2 header Content-Location 20 i.gif http://host.example/dir/i.gif \
             http://host.example/dir/",
            "/1.3 header Content-Location 24 http://other.example/a.b = http://host.example/dir/",
            "/1.4 header Content-Location 28 j.gif http://base.example/j.gif http://base.example/",
            "/1.4 header Content-Base 29 http://base.example/ = http://host.example/dir/",
            "/2 header Content-Location 34 http://mixed.example/ = none",
        ],
    ),
    (
        "a-part-without-type-is-text.eml",
        &["/1 text - 1 http://host.example/ = none"],
    ),
    (
        "an-external-body-has-its-url-and-a-heading-of-its-own.eml",
        &[
            " header Content-Base 2 http://message.example/ = none",
            "/1 header Content-Type 7 http://host.example/a/long/path = http://message.example/",
            "/1 header Content-Base 11 http://phantom.example/ = http://message.example/",
            "/1 header Link 12 link http://phantom.example/link http://phantom.example/",
            "/2 header Content-Type 16 relative.txt http://message.example/relative.txt \
             http://message.example/",
            "/3 header Link 21 other http://message.example/other http://message.example/",
        ],
    ),
    (
        "cid-names-a-part-of-the-same-or-an-enclosing-multipart.eml",
        &[
            "/1.1.1 a href 1 CID:same%40host.example = none -> 1.2",
            "/1.1.1 a href 2 cid:mixed@host.example = none -> 2",
            "/1.1.1 a href 3 cid:nested@host.example = none -> none",
            "/1.1.1 a href 4 cid:parallel@host.example = none -> none",
            "/1.1.1 a href 5 cid:self@host.example = none -> 1.1.1",
            "/1.1.1 a href 6 cid:location@host.example = none -> 1.2",
            "/1.1.1!srcdoc1 a href 1 cid:same@host.example = none -> 1.2",
            "/1.2 header Content-Location 25 cid:location@host.example = none",
            "/1.3.1 a href 1 cid:same@host.example = none -> 1.2",
            "/1.3.1 a href 2 cid:a%25b@host.example = none -> 1.3.2",
        ],
    ),
    (
        "flowed-text-is-joined-where-delsp-says-so.eml",
        &[
            "/1 text - 1 http://host.example/one = none",
            "/1 text - 2 http://host.example/ = none",
            "/2 text - 1 http://host.example/ = none",
        ],
    ),
    (
        "list-fields-hold-urls-in-angle-brackets.eml",
        &[
            " header List-Help 2 mailto:list@host.example?subject=help = none",
            " header List-Help 3 ftp://ftp.host.example/list.txt = none",
            " header List-Unsubscribe 4 http://www.host.example/list.cgi?cmd=unsub&lst=list = none",
            " header List-Unsubscribe 5 mailto:off@host.example = none",
            " header List-Owner 8 mailto:owner@host.example = none",
            " header List-Archive 9 archive/index.html !no-base none",
        ],
    ),
    (
        "mid-names-a-message-or-a-part-of-it.eml",
        &[
            "/1 a href 1 mid:outer@host.example = none -> ",
            "/1 a href 2 mid:inner@host.example = none -> 2",
            "/1 a href 3 mid:inner@host.example/part@host.example = none -> 2.2",
            "/1 a href 4 mid:outer@host.example/part@host.example = none",
            "/1 a href 5 mid:elsewhere@host.example = none",
        ],
    ),
    (
        "text-has-urls-in-brackets-and-bare.eml",
        &[
            " header Content-Base 2 http://base.example/ = none",
            "/1 text - 1 http://host.example/a/long/path = http://base.example/",
            "/1 text - 2 http://host.example/caf\u{e9} = http://base.example/",
            "/1 text - 3 mailto:someone@host.example = http://base.example/",
            "/1 text - 5 http://host.example/quoted/twice = http://base.example/",
        ],
    ),
    (
        "without-base-a-location-names-a-part-of-this-message.eml",
        &[
            "/1 a href 1 ietflogo.gif !no-base none -> 2",
            "/1 a href 1 other.gif !no-base none",
            "/2 header Content-Location 9 ietflogo.gif !no-base none",
        ],
    ),
];

#[test]
fn links_of_each_mail() {
    let files: BTreeSet<String> = fs::read_dir(directory())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    let rows: BTreeSet<String> = ROWS.iter().map(|(file, _)| (*file).to_owned()).collect();
    assert_eq!(files, rows, "every fixture has a row");
    for (file, expected) in ROWS {
        let mut found = Vec::new();
        each_link(&bytes_of(file), Classes::ALL, &mut |extraction, link| {
            found.push(in_words(extraction, link));
        });
        assert_eq!(found, *expected, "{file}");
    }
}

#[test]
fn header_link_bytes() {
    let header = Classes::default().with(Class::Header);
    let mut cut_out = 0;
    for (file, _) in ROWS {
        let bytes = bytes_of(file);
        each_link(&bytes, header, &mut |_, link| {
            let Some(at) = link.reference.at else { return };
            let start = usize::try_from(at.byte.start).unwrap();
            let end = usize::try_from(at.byte.end).unwrap();
            let stored = &bytes[start..end];
            let line = bytes[..start].split(|&byte| byte == b'\n').count();
            assert_eq!(at.line.get() as usize, line, "{file}");
            let before = bytes[..start].iter().rev();
            let column = before.take_while(|&&byte| byte != b'\n').count();
            assert_eq!(at.column.get() as usize, column + 1, "{file}");
            if !stored.starts_with(b"=?") {
                let text = match str::from_utf8(stored) {
                    Ok(text) => text.to_owned(),
                    Err(_) => stored.iter().copied().map(char::from).collect(),
                };
                let joined: String = text.split_ascii_whitespace().collect();
                assert_eq!(joined, link.reference.value, "{file}");
                cut_out += 1;
            }
        });
    }
    assert!(cut_out > 20, "{cut_out}");
}

#[test]
fn text_link_bytes_in_decoded_part() {
    let text = Classes::default().with(Class::Text);
    for (file, decoded, expected) in [
        (
            "flowed-text-is-joined-where-delsp-says-so.eml",
            "> http://host.example/ \n> one http://host.example/ \ntwo",
            &["http://host.example/ \n> one", "http://host.example/"][..],
        ),
        (
            "text-has-urls-in-brackets-and-bare.eml",
            "Read <URL:http://host.example/a/long/\n   path>, or (http://host.example/caf\u{e9}), \
             and write to\nmailto:someone@host.example.\n\n> The one before was \
             <http://host.example/quoted/\n> twice>",
            &[
                "http://host.example/a/long/\n   path",
                "http://host.example/caf\u{e9}",
                "mailto:someone@host.example",
                "http://host.example/quoted/\n> twice",
            ],
        ),
    ] {
        // One byte per character, as in the parts.
        let decoded: Vec<char> = decoded.chars().collect();
        let mut found = Vec::new();
        each_link(&bytes_of(file), text, &mut |extraction, link| {
            if extraction.document().origin.section.numbers() == [1] {
                let at = link.reference.at.expect("the reference has a position");
                let start = usize::try_from(at.byte.start).unwrap();
                let end = usize::try_from(at.byte.end).unwrap();
                found.push(decoded[start..end].iter().collect::<String>());
            }
        });
        assert_eq!(found, expected, "{file}");
    }
}

#[test]
fn missing_cid_noted_once() {
    let file = "cid-names-a-part-of-the-same-or-an-enclosing-multipart.eml";
    let mut notes = Vec::new();
    each_document(&bytes_of(file), Classes::ANCHORS, &mut |extraction| {
        let document = &extraction.document().origin;
        for note in extraction.notes() {
            notes.push(format!("{document} {} {}", note.code.as_str(), note.detail));
        }
    });
    let detail =
        "no part has the Content-ID of \"cid:nested@host.example\"; the same for 1 more link";
    assert_eq!(notes, [format!("/1.1.1 cid-unresolved {detail}")]);
}

#[test]
fn truncated_mail_links() {
    let mut seen = 0;
    for (file, _) in ROWS {
        let bytes = bytes_of(file);
        for length in 0..bytes.len() {
            let entity = Entity::message(Origin::new(""), bytes[..length].to_vec());
            let options = ReadOptions::default().with_classes(Classes::ALL);
            documents(
                entity,
                &options,
                &mut |found: baseref_document::ReadResult| {
                    let Ok(document) = found else { return };
                    Policy::default()
                        .resolve(&document)
                        .for_each_link(|_, link| {
                            seen += 1;
                            if link.reference.slot.class == Class::Header
                                && let Some(at) = link.reference.at
                            {
                                assert!(at.byte.start < at.byte.end, "{file} {length}");
                                assert!(at.byte.end <= length as u64, "{file} {length}");
                            }
                        });
                },
            );
        }
    }
    assert!(seen > 10_000, "{seen}");
}

#[test]
fn header_and_text_links_on_request() {
    for (file, _) in ROWS {
        each_link(&bytes_of(file), Classes::ANCHORS, &mut |_, link| {
            assert_eq!(link.reference.slot.class, Class::Anchor, "{file}");
        });
    }
}

fn directory() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/mail-links")
}

fn bytes_of(file: &str) -> Vec<u8> {
    fs::read(directory().join(file)).expect("the file is read")
}

fn each_link(
    message: &[u8],
    classes: Classes,
    each: &mut dyn FnMut(&DocumentLinks<'_>, &Link<'_>),
) {
    each_document(message, classes, &mut |extraction| {
        extraction.for_each_link(|link| each(extraction, &link));
    });
}

fn each_document(message: &[u8], classes: Classes, each: &mut dyn FnMut(&DocumentLinks<'_>)) {
    let entity = Entity::message(Origin::new(""), message.to_vec());
    let options = ReadOptions::default().with_classes(classes);
    documents(
        entity,
        &options,
        &mut |found: baseref_document::ReadResult| {
            let document = match found {
                Ok(document) => document,
                Err(error) => {
                    assert!(!error.kind.is_loss(), "a fixture can be read: {error}");
                    return;
                }
            };
            Policy::default()
                .resolve(&document)
                .documents()
                .for_each(&mut *each);
        },
    );
}

fn in_words(extraction: &DocumentLinks<'_>, found: &Link<'_>) -> String {
    let reference = found.reference;
    let attr = if reference.attr.is_empty() {
        "-"
    } else {
        reference.attr
    };
    let line = reference
        .at
        .map_or("-".to_owned(), |at| at.line.to_string());
    let url = match found.url {
        Ok(url) if url == reference.value => "=".to_owned(),
        Ok(url) => url.to_owned(),
        Err(error) => format!("!{}", error.as_str()),
    };
    let base = found.base.url.as_deref().unwrap_or("none");
    let place = &extraction.document().origin;
    let part = match found.part {
        PartReference::Nothing => String::new(),
        PartReference::Missing => " -> none".to_owned(),
        PartReference::Part(section) => format!(" -> {section}"),
    };
    format!(
        "{place} {} {attr} {line} {} {url} {base}{part}",
        reference.element, reference.value
    )
}
