//! Each mail in `fixtures/mail`: which documents it gives, with which bases, read leniently and to
//! the letter of RFC 1808.

use std::collections::BTreeSet;
use std::fs;
use std::io::Cursor;
use std::path::{Path, PathBuf};

use baseref_container::{Contents, Entity, Input, Reader, open};
use baseref_document::NoteCode;
use baseref_document::ReadResult;
use baseref_document::{Limits, ReadOptions};
use baseref_reader::base::Policy;
use baseref_reader::base::{Base, BaseNote};
use baseref_reader::links::DocumentLinks;
use baseref_reader::read;

/// The results of a file, in order: `section source base`, with `#message` before the section in a
/// mailbox; `place: error` for errors.
struct Row {
    file: &'static str,
    /// Read leniently.
    mail: &'static [&'static str],
    /// Read with the strict policy; `None` if that makes no difference.
    strict: Option<&'static [&'static str]>,
}

/// A row that is the same under the strict policy.
const fn same(file: &'static str, mail: &'static [&'static str]) -> Row {
    Row {
        file,
        mail,
        strict: None,
    }
}

const fn row(
    file: &'static str,
    mail: &'static [&'static str],
    strict: &'static [&'static str],
) -> Row {
    Row {
        file,
        mail,
        strict: Some(strict),
    }
}

const NO_BASE: &[&str] = &["/1 none "];

const ROWS: &[Row] = &[
    row(
        "a-base-value-may-be-bare.eml",
        &["/1 header http://a/"],
        NO_BASE,
    ),
    row(
        "a-base-value-may-lack-the-url-prefix.eml",
        &["/1 header http://a/"],
        NO_BASE,
    ),
    same(
        "base-element-beats-base-field.eml",
        &["/1 element http://element/"],
    ),
    same(
        "base-element-does-not-reach-a-sibling-part.eml",
        &["/1 element http://element/", "/2 none "],
    ),
    same(
        "base-element-in-template-or-svg-is-none.eml",
        &["/1 header http://field/"],
    ),
    same(
        "base-element-of-a-feed-message-beats-content-base.eml",
        &["/1 element http://feed/"],
    ),
    same(
        "base-field-beats-content-base-in-one-heading.eml",
        &["/1 header http://base/"],
    ),
    same(
        "base-field-of-an-external-body-stays-there.eml",
        &["/2 none "],
    ),
    same(
        "base-field-of-multipart-reaches-part.eml",
        &["/1 header http://outer/"],
    ),
    same(
        "base-field-of-outermost-message-reaches-through-rfc822.eml",
        &["/1.2 header http://outer/"],
    ),
    same(
        "base-field-of-part-beats-that-of-multipart.eml",
        &["/1 header http://inner/"],
    ),
    same("base-field-outside-headings-is-none.eml", &["/2 none "]),
    same(
        "base-value-without-hierarchy-is-ignored.eml",
        &["/1 header http://outer/"],
    ),
    same(
        "boundary-that-begins-with-another-is-told-from-it.eml",
        &[
            "/1.1 header http://inner/",
            "/1.2 header http://inner/",
            "/2 header http://second/",
        ],
    ),
    same(
        "boundary-that-never-appears-costs-its-multipart-alone.eml",
        &[
            "/1:6: the boundary of the multipart never appears: its body is not read",
            "/2 header http://outer/",
        ],
    ),
    same(
        "comments-around-a-base-value-are-skipped.eml",
        &["/1 header http://a/"],
    ),
    row(
        "content-base-beats-content-location-in-one-heading.eml",
        &["/1 header http://base/"],
        NO_BASE,
    ),
    row(
        "content-location-of-inner-message-beats-base-field-of-outer.eml",
        &["/1.2 header http://inner/"],
        &["/1.2 header http://outer/"],
    ),
    row(
        "content-location-of-part-beats-content-base-of-multipart.eml",
        &["/1 header http://inner/"],
        NO_BASE,
    ),
    same(
        "digest-part-is-a-message.eml",
        &["/1.1 header http://inner/"],
    ),
    same(
        "empty-base-value-is-ignored.eml",
        &["/1 header http://outer/"],
    ),
    same(
        "empty-link-is-the-whole-base.eml",
        &["/1 header http://a/b?c#d"],
    ),
    row(
        "encoded-message-is-decoded.eml",
        &["/1.1 header http://inner/"],
        &["/1.1 header http://outer/"],
    ),
    same(
        "encoded-multipart-is-decoded.eml",
        &["/1.1 header http://inner/"],
    ),
    row(
        "encoded-words-are-decoded-and-joined.eml",
        &["/1 header http://a/bc/"],
        NO_BASE,
    ),
    row(
        "encoded-words-are-not-allowed-in-base.eml",
        &["/1 header http://a/"],
        NO_BASE,
    ),
    same(
        "first-of-two-base-fields-counts.eml",
        &["/1 header http://first/"],
    ),
    row(
        "folding-of-content-location-is-undone.eml",
        &["/1 header http://a/bc/"],
        NO_BASE,
    ),
    same(
        "latin1-in-a-base-value-is-kept.eml",
        &["/1 header http://a/\u{e9}/"],
    ),
    same(
        "line-that-is-no-header-field-costs-itself-alone.eml",
        &["/1 header http://a/"],
    ),
    row(
        "link-to-a-sibling-part-is-a-plain-link.eml",
        &["/1 header http://a/"],
        NO_BASE,
    ),
    same("mboxcl-has-a-content-length.mbox", MAILBOX),
    same("mboxcl2-does-not-quote-from-lines.mbox", MAILBOX),
    same("mboxo-quotes-from-lines.mbox", MAILBOX),
    same("mboxrd-quotes-quoted-from-lines.mbox", MAILBOX),
    same(
        "missing-closing-boundary-ends-with-the-part-around.eml",
        &["/1.1 header http://first/", "/2 header http://second/"],
    ),
    same(
        "multipart-without-boundary-costs-itself-alone.eml",
        &[
            "/1:6: the multipart has no boundary parameter and is not read",
            "/2 header http://outer/",
        ],
    ),
    row(
        "relative-base-element-is-resolved-against-base-field.eml",
        &["/1 element http://field/a/c/"],
        &["/1 header http://field/a/b"],
    ),
    same(
        "relative-base-field-is-ignored.eml",
        &["/1 header http://outer/"],
    ),
    row(
        "relative-content-location-is-resolved-against-the-heading-around.eml",
        &["/1 header http://outer/a/b/c.html"],
        NO_BASE,
    ),
    same(
        "relative-content-location-without-base-is-ignored.eml",
        NO_BASE,
    ),
    same("relative-link-without-base-stays-unresolved.eml", NO_BASE),
    same(
        "second-base-field-counts-if-the-first-is-unusable.eml",
        &["/1 header http://second/"],
    ),
    same(
        "sentence-that-begins-with-from-does-not-split.mbox",
        MAILBOX,
    ),
    same(
        "snapshot-content-location-is-the-retrieval-url.mhtml",
        &["/1 retrieval http://a/b/c.html"],
    ),
    same(
        "space-before-the-colon-is-allowed.eml",
        &["/1 header http://a/"],
    ),
    same("thunderbird-from-line-splits.mbox", MAILBOX),
    same(
        "truncated-base64-is-read-as-far-as-it-goes.eml",
        &["/1 header http://a/"],
    ),
    same(
        "utf8-in-a-base-value-is-kept.eml",
        &["/1 header http://a/\u{e9}/"],
    ),
    same(
        "white-space-in-a-base-value-is-ignored.eml",
        &["/1 header http://a/b/"],
    ),
    same("wrong-content-length-is-not-believed.mbox", MAILBOX),
];

const MAILBOX: &[&str] = &["#1/1 header http://m1/", "#2/1 header http://m2/"];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/mail")
}

/// All results of a fixture, in order.
fn found(file: &str) -> Vec<ReadResult> {
    let bytes = fs::read(folder().join(file)).expect("the file is read");
    let input = Input {
        name: file.into(),
        reader: Reader::Stream(Box::new(Cursor::new(bytes))),
        size: None,
        format: None,
        format_of_name: None,
        named: false,
        declarations: Vec::new(),
    };
    let entities: Vec<Entity> = match open(input, &Limits::default()).expect("the input is opened")
    {
        Contents::Single(entity) => vec![entity],
        Contents::Multiple(entities) => entities.map(Result::unwrap).collect(),
        Contents::Empty => panic!("{file}: its format is not found"),
    };
    let mut found = Vec::new();
    for entity in entities {
        read::documents(
            entity,
            &ReadOptions::default(),
            &mut |result: baseref_document::ReadResult| {
                found.push(result);
            },
        );
    }
    found
}

fn in_words(file: &str, found: &ReadResult, policy: Policy) -> String {
    let words = match found {
        Ok(document) => {
            let extraction = DocumentLinks::new(document, policy, &Base::default());
            let Base { url, source, .. } = extraction.base();
            let url = url.as_deref().unwrap_or_default();
            format!("{} {} {url}", document.origin, source.as_str())
        }
        Err(error) => error.to_string(),
    };
    words
        .strip_prefix(file)
        .expect("the file name states its origin")
        .to_owned()
}

#[test]
fn base_of_each_mail() {
    for Row { file, mail, strict } in ROWS {
        let found = found(file);
        for (expected, is_strict) in [(*mail, false), (strict.unwrap_or(mail), true)] {
            let policy = Policy::default().with_strict(is_strict);
            let words: Vec<String> = found
                .iter()
                .map(|result| in_words(file, result, policy))
                .collect();
            assert_eq!(words, expected, "{file}, strict: {is_strict}");
        }
    }
}

#[test]
fn mail_fixtures_all_listed() {
    let files: BTreeSet<String> = fs::read_dir(folder())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    let rows: BTreeSet<String> = ROWS.iter().map(|row| row.file.to_owned()).collect();
    assert_eq!(rows, files);
}

/// The first link of the first document of a fixture, resolved.
fn first_link(file: &str) -> String {
    let found = found(file);
    let document = found.iter().find_map(|result| result.as_ref().ok());
    let document = document.expect("the mail has a document");
    let extraction = DocumentLinks::new(document, Policy::default(), &Base::default());
    let mut links = Vec::new();
    extraction.for_each_link(|link| {
        links.push(
            link.url
                .map_or_else(|error| error.as_str().to_owned(), str::to_owned),
        );
    });
    links.remove(0)
}

#[test]
fn mail_links_resolved_against_base() {
    for (file, url) in [
        ("empty-link-is-the-whole-base.eml", "http://a/b?c#d"),
        ("relative-link-without-base-stays-unresolved.eml", "no-base"),
        (
            "link-to-a-sibling-part-is-a-plain-link.eml",
            "http://a/i.gif",
        ),
        ("base-element-beats-base-field.eml", "http://element/x"),
        (
            "snapshot-content-location-is-the-retrieval-url.mhtml",
            "http://a/b/x",
        ),
        (
            "truncated-base64-is-read-as-far-as-it-goes.eml",
            "http://a/x",
        ),
    ] {
        assert_eq!(first_link(file), url, "{file}");
    }
}

#[test]
fn malformed_mail_notes() {
    for (file, code) in [
        ("a-base-value-may-be-bare.eml", "base-form"),
        ("encoded-words-are-not-allowed-in-base.eml", "base-form"),
        ("latin1-in-a-base-value-is-kept.eml", "base-form"),
        ("relative-base-field-is-ignored.eml", "base-ignored"),
        ("empty-base-value-is-ignored.eml", "base-ignored"),
        (
            "base-value-without-hierarchy-is-ignored.eml",
            "base-ignored",
        ),
        ("first-of-two-base-fields-counts.eml", "base-repeated"),
        (
            "relative-base-element-is-resolved-against-base-field.eml",
            "base-relative",
        ),
        (
            "missing-closing-boundary-ends-with-the-part-around.eml",
            "boundary-unclosed",
        ),
        ("encoded-multipart-is-decoded.eml", "composite-encoded"),
        ("encoded-message-is-decoded.eml", "composite-encoded"),
    ] {
        let found = found(file);
        let document = found.iter().find_map(|result| result.as_ref().ok());
        let document = document.expect("the mail has a document");
        let extraction = DocumentLinks::new(document, Policy::default(), &Base::default());
        let of_base = extraction.base_report().notes.iter().map(BaseNote::code);
        let of_document = document.notes.iter().map(|note| note.code);
        let codes = of_base.chain(of_document).map(NoteCode::as_str);
        let codes: Vec<&str> = codes.collect();
        assert_eq!(codes, [code], "{file}");
    }
}
