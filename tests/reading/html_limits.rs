//! Documents designed to be expensive: each yields all its links, and a note where a limit was hit.

use crate::reference::{document, every_link};
use baseref_document::{EmbeddedDocument, NoteCode};
use baseref_document::{Limits, ReadOptions};

/// The values of the links, in order, and the notes with their lines.
fn read(html: &str) -> (Vec<String>, Vec<(NoteCode, Option<u32>)>) {
    read_with(html, &every_link())
}

fn read_with(html: &str, options: &ReadOptions) -> (Vec<String>, Vec<(NoteCode, Option<u32>)>) {
    let document = document(html, options);
    let values = document
        .references
        .iter()
        .map(|reference| reference.value.to_owned());
    let notes = document
        .notes
        .iter()
        .map(|note| (note.code, note.line.map(Into::into)));
    (values.collect(), notes.collect())
}

fn numbered(times: usize, piece: impl Fn(usize) -> String) -> String {
    (0..times).map(piece).collect::<Vec<_>>().concat()
}

#[test]
fn nesting_depth_limit() {
    let html = format!(
        "<a href=1>x</a>\n{}<a href=2>y</a>{}<template><a href=no></template><base href=4><a href=3>z",
        "<div>\n".repeat(100_000),
        "</div>".repeat(50_000),
    );
    let (values, notes) = read(&html);
    assert_eq!(values, ["1", "2", "4", "3"]);
    // The `div` on line 2048 is the first with 2,048 elements above it, `html` and `body` too.
    assert_eq!(notes, [(NoteCode::TreeDepth, Some(2_048))]);
    let document = document(&html, &every_link());
    let texts: Vec<_> = document
        .references
        .iter()
        .map(|reference| reference.text)
        .collect();
    assert_eq!(texts, [Some("x"), Some("y"), None, Some("z")]);
    assert_eq!(&*document.declarations[0].value, "4");
}

#[test]
fn work_limit() {
    // Each paragraph reopens all the fonts before it.
    let fonts = numbered(10_000, |size| format!("<p><font size={size}>x"));
    let (values, notes) = read(&format!("<img src=1>\n{fonts}<img src=2>"));
    assert_eq!(values, ["1", "2"]);
    assert_eq!(notes, [(NoteCode::TreeWork, Some(2))]);
}

#[test]
fn large_pages_within_limits() {
    let attributes = numbered(50_000, |number| format!(" a{number}=b"));
    for (html, links) in [
        (format!("<a{attributes} href=1>x</a>"), 1),
        (format!("<a{}>x</a>", " href=1".repeat(50_000)), 1),
        ("<".repeat(1_000_000), 0),
        ("<!--".repeat(200_000), 0),
        ("<p>".repeat(100_000), 0),
        ("<a href=1>x".repeat(20_000), 20_000),
        ("<li><a href=1>x</a>".repeat(20_000), 20_000),
        ("<table><b></b>".repeat(2_000), 0),
        (format!("<table>{}", "<img src=1>".repeat(20_000)), 20_000),
        (
            format!("<select>{}", "<option>x</option>".repeat(20_000)),
            0,
        ),
        (
            format!("<table><tr>{}", "<td><font size=1>".repeat(20_000)),
            0,
        ),
        (
            format!(
                "<table>{}",
                "<tr><td><font size=1><a href=1>".repeat(10_000)
            ),
            10_000,
        ),
        ("&#1".repeat(200_000), 0),
        ("<body background=1>".repeat(20_000), 1),
    ] {
        let (values, notes) = read(&html);
        assert_eq!(values.len(), links, "{}", &html[..40]);
        assert_eq!(notes, [], "{}", &html[..40]);
    }
}

#[test]
fn value_and_text_length_limit() {
    let options = every_link().with_limits(Limits::default().with_attribute(5).with_text(3));
    let html = "<base href=ab\u{e9}cdef>\n<a href=abcd\u{e9}f>x yz</a><a href=12345>abc</a>";
    let document = document(html, &options);
    let found: Vec<_> = document
        .references
        .iter()
        .map(|reference| (reference.value, reference.cut, reference.text))
        .collect();
    assert_eq!(
        found,
        [
            ("ab\u{e9}c", true, None),
            ("abcd", true, Some("x y")),
            ("12345", false, Some("abc"))
        ]
    );
    assert_eq!(&*document.declarations[0].value, "ab\u{e9}c");
    let codes: Vec<_> = document.notes.iter().map(|note| note.code).collect();
    assert_eq!(codes, [NoteCode::AttributeSize, NoteCode::TextSize]);
}

#[test]
fn embedded_document_depth_limit() {
    let mut html = String::from("<a href=x>");
    for _ in 0..12 {
        let inner = html.replace('&', "&amp;").replace('"', "&quot;");
        html = format!("<iframe srcdoc=\"{inner}\"></iframe>");
    }
    let mut at = &document(&html, &every_link());
    let mut depth = 0;
    while let Some(inner) = at.embedded.first() {
        depth += 1;
        assert_eq!(
            *inner.origin.embedded,
            vec![EmbeddedDocument::Srcdoc(1); depth]
        );
        assert_eq!(inner.notes.is_empty(), depth < 8);
        at = inner;
    }
    assert_eq!(depth, 8);
    assert_eq!(at.notes[0].code, NoteCode::SrcdocDepth);
}

#[test]
fn cloned_link_limit() {
    let fonts = numbered(100, |id| {
        format!("<font id={id} style='{}'>", "a:url(b);".repeat(20))
    });
    let html = format!(
        "<!DOCTYPE html><p>{fonts}{}<a href=last>",
        "x<p>".repeat(100)
    );
    let (values, notes) = read(&html);
    assert_eq!(values.len(), 65_536 + html.len() / 4);
    assert_eq!(notes, [(NoteCode::LinkCount, Some(1))]);
    let limits = Limits::default().with_bytes_per_link(1);
    let (more, _) = read_with(&html, &every_link().with_limits(limits));
    assert_eq!(more.len(), 65_536 + html.len());
    assert_eq!(more[..values.len()], values);
}

#[test]
fn clone_work_limit() {
    // One link, whose cost in each paragraph is that of the whole document.
    let font = format!("<font style='{}a:url(q)'>", "x ".repeat(10_000));
    let html = format!("<p>{font}{}", "x<p>".repeat(1_000));
    let (values, notes) = read(&html);
    let most = 1 + 128 * html.len() / font.len();
    assert!(
        (most / 2..=most + 1).contains(&values.len()),
        "{}",
        values.len()
    );
    let codes: Vec<_> = notes.iter().map(|(code, _)| *code).collect();
    assert_eq!(codes, [NoteCode::TreeWork]);
}

#[test]
fn base_element_limit() {
    let html = format!("<base href=first>\n{}", "<base href=x>".repeat(2_000));
    let document = document(&html, &every_link());
    assert_eq!(document.declarations.len(), 1_000);
    assert_eq!(&*document.declarations[0].value, "first");
    let codes: Vec<_> = document.notes.iter().map(|note| note.code).collect();
    assert_eq!(codes, [NoteCode::BaseCount]);
    assert_eq!(
        document.references.len(),
        2_001,
        "as links they are all listed"
    );
}

#[test]
fn texts_of_nested_links() {
    let html = "<a href=1>  a <object> b\n<a href=2>c  d<object><a href=3> e </a> f</object> </a>g</object> h </a>";
    let document = document(html, &every_link());
    let texts: Vec<_> = document.references.iter().map(|link| link.text).collect();
    assert_eq!(texts, [Some("a b c d e f g h"), Some("c d e f"), Some("e")]);
}
