//! XHTML and SVG by the rules of XML.

use baseref_document::ReadOptions;
use baseref_document::link_places::Classes;
use baseref_document::{Document, NoteCode, Origin, Reading};
use baseref_html::{Markup, MarkupSource, read};

fn document_of(bytes: &[u8], charset: Option<&str>) -> Document {
    let mut options = ReadOptions::default();
    options.classes = Classes::ALL;
    options.comments = true;
    options.identifiers = true;
    options.inert = true;
    let source = MarkupSource {
        markup: Markup::Xml,
        bytes,
        origin: Origin::new("-"),
        part_byte: None,
        charset,
        declarations: Vec::new(),
    };
    read(source, &options)
}

/// For each link `element attribute value`, or for an anchor `element attribute value "text"`.
fn links(document: &Document) -> Vec<String> {
    let shown = |reference: baseref_document::Reference<'_>| {
        let (element, attr, value) = (reference.element, reference.attr, reference.value);
        match reference.text {
            Some(text) => format!("{element} {attr} {value} \"{text}\""),
            None => format!("{element} {attr} {value}"),
        }
    };
    document.references.iter().map(shown).collect()
}

/// The results of a document by the rules of XML; every value is cut out of its bytes.
fn gives(xml: &str, expected: &[&str]) {
    let document = document_of(xml.as_bytes(), None);
    assert_eq!(
        document.reading,
        Some(Reading::Xml),
        "{xml}: {:?}",
        document.notes
    );
    assert_eq!(links(&document), expected, "{xml}");
    for reference in &document.references {
        let byte = &reference.at.expect("the reference has a position").byte;
        let [start, end] =
            [byte.start, byte.end].map(|at| usize::try_from(at).expect("the text is short"));
        let cut = &xml[start..end];
        assert!(
            cut == reference.value || cut.contains(['&', '\n', '\t']),
            "{cut:?} in {xml}"
        );
    }
}

fn xhtml(body: &str) -> String {
    format!("<html xmlns=\"http://www.w3.org/1999/xhtml\"><body>{body}</body></html>")
}

#[test]
fn self_closing_tag() {
    for element in [
        "title",
        "script src='s'",
        "textarea",
        "style",
        "iframe",
        "xmp",
        "a href='0'",
    ] {
        let xml = xhtml(&format!("<{element}/><a href='1'>x</a>"));
        let document = document_of(xml.as_bytes(), None);
        assert_eq!(
            links(&document).last().map(String::as_str),
            Some("a href 1 \"x\""),
            "{xml}"
        );
        assert!(document.notes.is_empty(), "{:?}", document.notes);
    }
}

#[test]
fn xml_value_decoding() {
    gives(
        &xhtml("<a href='?a&amp;b&#x41;&lt;&apos;'>x &amp; <b>y</b>&#10;<![CDATA[<z>]]></a>"),
        &["a href ?a&bA<' \"x & y <z>\""],
    );
    gives(
        &xhtml("<a href='a\n\tb'>\r\n c</a>"),
        &["a href a  b \"c\""],
    );
    gives(
        &xhtml("<a href='?copy=1&amp;copy'/>"),
        &["a href ?copy=1&copy \"\""],
    );
}

#[test]
fn template_content_is_inert() {
    let xml = xhtml(
        "<a href='0'/><template><title>t</title><a href='1' id='i'>x</a><a href='2'/><A href='x'/>\
         <style>p { background: url(&#x33;) } <!-- --> q { background: url(4) }</style>\
         <svg:g xmlns:svg='http://www.w3.org/2000/svg'><svg:a href='5'/></svg:g></template>",
    );
    let document = document_of(xml.as_bytes(), None);
    assert_eq!(document.reading, Some(Reading::Xml), "{:?}", document.notes);
    assert_eq!(links(&document), ["a href 0 \"\""]);
    assert!(document.identifiers.is_empty());
    let inert: Vec<_> = document.inert.iter().map(|one| one.value).collect();
    assert_eq!(inert, ["1", "2", "3", "4", "5"]);
}

#[test]
fn names_by_namespace_and_case() {
    gives(
        "<h:html xmlns:h='http://www.w3.org/1999/xhtml' xmlns:s='http://www.w3.org/2000/svg' \
         xmlns:l='http://www.w3.org/1999/xlink' xmlns:o='urn:o'><h:a href='1'/><a href='2'/>\
         <s:a l:href='3'><s:title>t</s:title></s:a><h:A href='4' style='a:url(5)'/>\
         <h:a HREF='6' o:href='7'/><o:a href='8'/><s:linearGradient href='9'/>\
         <s:lineargradient href='10'/><h:p xml:base='11'/><s:g xml:base='12'/></h:html>",
        &[
            "a href 1 \"\"",
            "a xlink:href 3 \"t\"",
            "a style 5",
            "linearGradient href 9",
            "g xml:base 12",
        ],
    );
}

#[test]
fn xhtml_elements_match_html() {
    let xml = "<html xmlns='http://www.w3.org/1999/xhtml'><head><base href='b'/>\
        <style>a{b:url(1)}<![CDATA[c{d:url(2)}]]></style></head><body id='i'>\
        <template><a href='3' id='j'/><base href='c'/></template>\
        <iframe srcdoc='&lt;title>&lt;/title>&lt;a href=4>'/><a name='n'/>\
        <!--[if mso]><a href=5><![endif]--></body></html>";
    let document = document_of(xml.as_bytes(), None);
    assert_eq!(
        links(&document),
        [
            "base href b",
            "style #text 1",
            "style #text 2",
            "a href 5 \"\""
        ]
    );
    let bases: Vec<_> = document
        .declarations
        .iter()
        .map(|base| &*base.value)
        .collect();
    assert_eq!(bases, ["b"]);
    let names: Vec<_> = document.identifiers.iter().map(|(_, name)| name).collect();
    assert_eq!(names, ["i", "n"]);
    assert_eq!(links(&document.embedded[0]), ["a href 4 \"\""]);
}

#[test]
fn entities_of_internal_subset_and_xhtml() {
    gives(
        "<!DOCTYPE svg PUBLIC \"-//W3C//DTD SVG 1.0//EN\" \"svg10.dtd\" [\n\
         <!ENTITY ns_svg \"http://www.w3.org/2000/svg\">\n\
         <!ENTITY ns_xlink \"http://www.w3.org/1999/xlink\"><!ENTITY u 'x/&v;'><!ENTITY v 'y'>]>\
         <svg xmlns='&ns_svg;' xmlns:xlink='&ns_xlink;'><a xlink:href='&u;z'>&v;</a></svg>",
        &["a xlink:href x/yz \"y\""],
    );
    gives(
        "<!DOCTYPE html PUBLIC \"-//W3C//DTD XHTML 1.0 Strict//EN\" \"x\">\
         <html xmlns='http://www.w3.org/1999/xhtml'><a href='&eacute;'>&nbsp;a</a></html>",
        &["a href é \"\u{a0}a\""],
    );
}

#[test]
fn malformed_xml_read_as_html_with_a_note() {
    for (xml, expected) in [
        (xhtml("<p><a href=1>x</a>"), vec!["a href 1 \"x\""]),
        (xhtml("<p><a href='1'>x</p></a>"), vec!["a href 1 \"x\""]),
        (
            xhtml("<a href='1'>&nbsp;x</a>"),
            vec!["a href 1 \"\u{a0}x\""],
        ),
        (xhtml("<a href='1' href='2'/>"), vec!["a href 1 \"\""]),
        (xhtml("<x:a href='1'/><a href='2'/>"), vec!["a href 2 \"\""]),
        (xhtml("<a href='1<'/>"), vec!["a href 1< \"\""]),
        (xhtml("<a href='1'>\u{1}</a>"), vec!["a href 1 \"\u{1}\""]),
        (
            xhtml("<a href='1'/>") + "<a href='2'/>",
            vec!["a href 1 \"\"", "a href 2 \"\""],
        ),
        (
            "<html><a href='1'/></html>".to_owned(),
            vec!["a href 1 \"\""],
        ),
        ("<!ENTITY".to_owned(), vec![]),
        // By the rules of HTML all of it is the title.
        (
            xhtml("<title/><a href='1'>x</a><br><a href='2'>y</a>"),
            vec!["a href 1 \"x\"", "a href 2 \"y\""],
        ),
    ] {
        let document = document_of(xml.as_bytes(), None);
        assert_eq!(links(&document), expected, "{xml}");
        let notes: Vec<_> = document.notes.iter().map(|note| note.code).collect();
        assert_eq!(notes, [NoteCode::XmlInvalid], "{xml}");
    }
}

#[test]
fn entity_expansion_limit() {
    let of_ten = |number: usize| {
        let inner = format!("&l{};", number - 1).repeat(10);
        format!("<!ENTITY l{number} '{inner}'>")
    };
    let declarations: String = (1..40).map(of_ten).collect();
    let declarations = format!("<!ENTITY l0 'hahahaha'>{declarations}");
    let xml = format!(
        "<!DOCTYPE svg [{declarations}]><svg xmlns='http://www.w3.org/2000/svg'>\
         <a href='1'>&l39;</a></svg>"
    );
    let document = document_of(xml.as_bytes(), None);
    assert_eq!(links(&document).len(), 1);
    assert_eq!(document.notes[0].code, NoteCode::XmlInvalid);
    let many = format!(
        "<!DOCTYPE svg [<!ENTITY a '{}'>]><svg xmlns='http://www.w3.org/2000/svg'>{}</svg>",
        "x".repeat(64 * 1024),
        "&a;".repeat(64 * 1024),
    );
    assert_eq!(
        document_of(many.as_bytes(), None).notes[0].code,
        NoteCode::XmlInvalid
    );
}

#[test]
fn xml_nesting_limit() {
    let deep = |depth: usize| {
        let body = "<b>".repeat(depth) + "<a href='1'/>" + &"</b>".repeat(depth);
        document_of(xhtml(&body).as_bytes(), None)
    };
    assert_eq!(deep(2000).reading, Some(Reading::Xml));
    assert_eq!(deep(100_000).references.len(), 1);
}

#[test]
fn xml_default_encoding() {
    let xml = |encoding: &str| {
        format!(
            "<?xml version='1.0'{encoding}?>{}",
            xhtml("<a href='\u{e9}'/>")
        )
    };
    let latin1: Vec<u8> = xml(" encoding='iso-8859-1'")
        .chars()
        .map(|c| u8::try_from(u32::from(c)).expect("the character is in Latin-1"))
        .collect();
    let utf_16: Vec<u8> = xml("").encode_utf16().flat_map(u16::to_le_bytes).collect();
    for (bytes, charset) in [
        (xml("").into_bytes(), None),
        (latin1.clone(), None),
        (latin1, Some("latin1")),
        (utf_16, None),
    ] {
        let document = document_of(&bytes, charset);
        assert_eq!(links(&document), ["a href é \"\""], "{charset:?}");
        assert!(document.notes.is_empty(), "{:?}", document.notes);
    }
}
