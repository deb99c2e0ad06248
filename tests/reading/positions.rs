//! The byte range of a reference, cut out of the stored document and decoded on its own, gives the
//! reference as reported.

use baseref_document::ReadOptions;
use baseref_document::link_places::Classes;
use baseref_document::{Document, Origin};
use baseref_html::{Markup, MarkupSource, read};
use encoding_rs::{Encoding, UTF_16BE, UTF_16LE};

/// Values without character references: one URL, lists, and the text around URLs in them.
const PAGE: &str = "<!doctype html>\r\n<title>é 日本 Ж</title>\r\n\
    <p>日本語 <a href=\"../страница/日本.html?é=1\">é</a>, <A HREF='x y'>x</A>\r\
    <a href=xé日Ж ping=\"/é  /日\n/Ж\">…</a>\n\
    <img src=\"é.png\" srcset=\"日.png 1x, data:,xé (,) 2x,, Ж.png\">\n\
    <meta http-equiv=refresh content=\"0; url='日é'\">\n\
    <svg><a xlink:href=\"#é\"/></svg><object archive='aé b日' data=xЖ></object>\n\
    <table background=\"\"></table>\n\
    <style>@import 'é.css'; a { b: url( 日.png ) }</style><p style=\"a: url('Ж')\">\
    <svg fill='url(日#é)'><style>é url(é)<![CDATA[ 日 url(日)]]></style></svg>\
    <script type=importmap>{\"imports\": {\"é\": \"/Ж\"}}</script>\
    <!--[if é]><a href=日é>日</a><v:fill src=Ж><![endif]-->";

/// How many there are in [`PAGE`].
const REFERENCES: usize = 25;

fn encoded(label: &str) -> (&'static Encoding, Vec<u8>) {
    let encoding = Encoding::for_label(label.as_bytes()).expect("the label names an encoding");
    let page = PAGE.repeat(40);
    let bytes = if encoding == UTF_16LE {
        page.encode_utf16().flat_map(u16::to_le_bytes).collect()
    } else if encoding == UTF_16BE {
        page.encode_utf16().flat_map(u16::to_be_bytes).collect()
    } else {
        let holds = |c: &char| !encoding.encode(c.encode_utf8(&mut [0; 4])).2;
        let page: String = page.chars().filter(holds).collect();
        encoding.encode(&page).0.into_owned()
    };
    (encoding, bytes)
}

fn document(bytes: &[u8], charset: &str) -> Document {
    let source = MarkupSource {
        markup: Markup::Html,
        bytes,
        origin: Origin::new("page"),
        part_byte: None,
        charset: Some(charset),
        declarations: Vec::new(),
    };
    let options = ReadOptions::default()
        .with_classes(Classes::ALL)
        .with_comments(true);
    read(source, &options)
}

#[test]
fn reference_bytes_in_stored_document() {
    let labels = [
        "utf-8",
        "utf-16le",
        "utf-16be",
        "shift_jis",
        "euc-jp",
        "iso-2022-jp",
        "gb18030",
        "big5",
        "euc-kr",
        "windows-1251",
        "windows-1252",
        "koi8-u",
    ];
    for label in labels {
        for mark in ["", "\u{FEFF}"] {
            let (encoding, mut bytes) = encoded(label);
            if !mark.is_empty() {
                let mark: &[u8] = match label {
                    "utf-8" => b"\xEF\xBB\xBF",
                    "utf-16le" => b"\xFF\xFE",
                    "utf-16be" => b"\xFE\xFF",
                    _ => continue,
                };
                bytes.splice(0..0, mark.iter().copied());
            }
            let document = document(&bytes, label);
            assert_eq!(document.encoding, encoding.name());
            assert_eq!(document.references.len(), 40 * REFERENCES, "{label}");
            for reference in &document.references {
                let byte = reference
                    .at
                    .expect("the reference has a position")
                    .byte
                    .clone();
                let [start, end] = [byte.start, byte.end].map(|at| usize::try_from(at).unwrap());
                let (cut, _) = encoding.decode_without_bom_handling(&bytes[start..end]);
                assert_eq!(cut, reference.value, "{label} {byte:?}");
            }
        }
    }
}
