//! Each row of the table of link places, on the smallest page that has it: it is found both by tree
//! and by tags, as the row says, and only if its class is asked for.

use baseref_document::ReadOptions;
use baseref_document::link_places::{
    CONTENT, Class, Classes, Condition, Grammar, LINK_PLACES, LinkPlace, Namespace, RelativeTo,
};
use baseref_document::{Context, Document};
use baseref_html::layers::{links_by_tags, links_by_tree};

/// A value with one URL in it, which is `/u.x`.
fn value(grammar: Grammar) -> &'static str {
    match grammar {
        Grammar::Url | Grammar::SpaceList | Grammar::CommaList | Grammar::CssOrUrl => "/u.x",
        Grammar::Srcset => "/u.x 2x",
        Grammar::Refresh => "1; url=/u.x",
        Grammar::Csp => "report-uri /u.x",
        Grammar::LinkHeader => "</u.x>; rel=next",
        Grammar::Css => "a: url(/u.x)",
        Grammar::PinnedSite => "name=n; action-uri=/u.x",
        Grammar::ImportMap => r#"{"imports": {"m": "/u.x"}}"#,
        Grammar::SpeculationRules => r#"{"prefetch": [{"urls": ["/u.x"]}]}"#,
        Grammar::JsonLd => r#"{"@type": "Thing", "url": "/u.x"}"#,
        Grammar::Html => "<a href='/u.x'>",
        // Those of mail are in no page; a new one needs a value here.
        grammar => unreachable!("{grammar:?} has no value with a URL"),
    }
}

fn page(slot: &LinkPlace) -> String {
    let element = match (slot.namespace, slot.element) {
        (Namespace::Html, "*") => "p",
        (_, "*") => "g",
        (_, name) => name,
    };
    let condition = match slot.condition {
        Condition::Always | Condition::StyleSheet => String::new(),
        Condition::Attribute(name, value) => format!(" {name}='{value}'"),
        Condition::Word(name, words) => format!(" {name}='x {}'", words[0]),
        Condition::Type(value) => format!(" type='{value}'"),
        Condition::Property(values) => format!(" property='{}'", values[values.len() - 1]),
        condition => unreachable!("no element meets {condition:?}"),
    };
    let value = value(slot.grammar);
    let tag = match slot.attr {
        CONTENT => format!("<{element}{condition}>{value}</{element}>"),
        attr => format!("<{element}{condition} {attr}=\"{value}\">"),
    };
    match (slot.namespace, element) {
        (Namespace::Html, "frame") => format!("<frameset>{tag}</frameset>"),
        (Namespace::Html, "html" | "head" | "body") | (Namespace::MathMl, "math") => tag,
        (Namespace::Html, "thead" | "tbody" | "tfoot" | "tr" | "td" | "th") => {
            format!("<table>{tag}</table>")
        }
        (Namespace::Html, _) => format!("<body>{tag}"),
        (Namespace::Svg, _) => format!("<svg>{tag}</svg>"),
        (Namespace::MathMl, _) => format!("<math>{tag}</math>"),
        _ => unreachable!("{slot:?} stands in no page"),
    }
}

fn read(html: &str, classes: Classes) -> [Document; 2] {
    let options = ReadOptions::default().with_classes(classes);
    let by_tags = links_by_tags(html, &options).expect("the tags are in tree order");
    [links_by_tree(html, &options), by_tags]
}

fn page_places() -> impl Iterator<Item = &'static LinkPlace> {
    let mut slots = LINK_PLACES.iter();
    std::iter::from_fn(move || {
        use Namespace::{Html, MathMl, Svg};
        slots.find(|slot| matches!(slot.namespace, Html | Svg | MathMl))
    })
}

#[test]
fn each_row_found_on_its_page() {
    for slot in page_places() {
        let html = page(slot);
        for document in read(&html, Classes::default().with(slot.class)) {
            if slot.grammar == Grammar::Html {
                assert_eq!(document.embedded.len(), 1, "{html}");
                continue;
            }
            let found: Vec<_> = document.references.iter().collect();
            assert_eq!(found.len(), 1, "{html}: {found:?}");
            assert!(std::ptr::eq(found[0].slot, slot), "{html}: {found:?}");
            assert_eq!(
                (found[0].value, found[0].attr),
                ("/u.x", slot.attr),
                "{html}"
            );
            let outside = slot.relative_to == RelativeTo::Outside;
            assert_eq!(found[0].context == Context::Outside, outside, "{html}");
            let byte = found[0]
                .at
                .expect("the reference has a position")
                .byte
                .clone();
            let [start, end] = [byte.start, byte.end].map(|at| usize::try_from(at).unwrap());
            assert_eq!(&html[start..end], "/u.x", "{html}");
        }
    }
}

#[test]
fn rows_of_other_classes_skipped() {
    for slot in page_places().filter(|slot| slot.grammar != Grammar::Html) {
        let html = page(slot);
        let others = Class::ALL.into_iter().filter(|class| *class != slot.class);
        let others = others.fold(Classes::default(), Classes::with);
        for document in read(&html, others) {
            assert_eq!(document.references.len(), 0, "{html}");
        }
    }
}

/// CSS Values 4 §4.5.1: a fragment-only URL leads into the document, whatever its base.
#[test]
fn css_fragment_relative_to_document() {
    let html = "<base href='http://b/'><svg fill='url(#f)' style='mask: url(g#h)'></svg>";
    for document in read(html, Classes::default().with(Class::Resource)) {
        let found = document.references.iter();
        let found: Vec<_> = found.map(|link| (link.value, link.context)).collect();
        let expected = [("#f", Context::Outside), ("g#h", Context::Document)];
        assert_eq!(found, expected);
    }
}

/// The byte range covers exactly what is written in the document, escapes and references included.
#[test]
fn escaped_url_bytes() {
    for (html, value, written) in [
        ("<p style='a: url(b\\26 &amp;c)'>", "b&&c", "b\\26 &amp;c"),
        ("<style>a{b:url(c\\)d)}</style>", "c)d", "c\\)d"),
        (
            "<svg><style>url(a<![CDATA[b]]>&gt;c)</style>",
            "ab>c",
            "a<![CDATA[b]]>&gt;c",
        ),
        (
            r#"<script type=application/ld+json>{"url":"\/a\u0062"}</script>"#,
            "/ab",
            r"\/a\u0062",
        ),
    ] {
        for document in read(html, Classes::ALL) {
            let found = document
                .references
                .iter()
                .next()
                .expect("the document has a link");
            let byte = found.at.expect("the reference has a position").byte.clone();
            let [start, end] = [byte.start, byte.end].map(|at| usize::try_from(at).unwrap());
            assert_eq!((found.value, &html[start..end]), (value, written), "{html}");
        }
    }
}

#[test]
fn malformed_json_script_noted_once() {
    let script = "<script type=importmap>{</script>\n";
    for document in read(&script.repeat(3), Classes::ALL) {
        let notes: Vec<_> = document
            .notes
            .iter()
            .map(|note| (note.code.as_str(), note.line.map(u32::from)))
            .collect();
        assert_eq!(notes, [("json-invalid", Some(1))]);
    }
}

#[test]
fn links_in_comments_on_request() {
    let html = "<!--[if mso]><v:fill src='/1'><base href=b><![endif]--><a href='/2'>";
    for (comments, expected) in [(true, vec!["/1", "/2"]), (false, vec!["/2"])] {
        let options = ReadOptions::default()
            .with_comments(comments)
            .with_classes(Classes::ANCHORS.with(Class::Resource));
        for document in [
            links_by_tree(html, &options),
            links_by_tags(html, &options).expect("the tags are in tree order"),
        ] {
            let found = document.references.iter();
            let found: Vec<_> = found.map(|link| link.value.to_owned()).collect();
            assert_eq!(found, expected);
            assert_eq!(document.declarations, []);
        }
    }
}

#[test]
fn nested_comments_use_no_stack() {
    let html = "<!--[if a]>".repeat(100_000) + "<a href=1>" + &"<![endif]>".repeat(100_000) + "-->";
    let options = ReadOptions::default().with_comments(true);
    assert_eq!(links_by_tree(&html, &options).references.len(), 0);
}
