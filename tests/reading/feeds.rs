//! Feeds and sitemaps: what is a link in them, what it is relative to, and where it is.

use baseref_document::link_places::{
    CONTENT, Classes, Condition, Grammar, LINK_PLACES, LinkPlace, Namespace,
};
use baseref_document::{Declaration, Document, DocumentKind, NoteCode, Origin, ReadOptions};
use baseref_html::{Markup, MarkupSource, read};
use baseref_reader::Policy;
use baseref_resolve::Rules;

const ATOM: &str = "xmlns='http://www.w3.org/2005/Atom'";

fn document_of(text: &str) -> Document {
    document_by(text, &ReadOptions::default().with_classes(Classes::ALL))
}

fn document_with_inert(text: &str) -> Document {
    document_by(
        text,
        &ReadOptions::default()
            .with_classes(Classes::ALL)
            .with_inert(true),
    )
}

fn document_by(text: &str, options: &ReadOptions) -> Document {
    let source = MarkupSource {
        markup: Markup::Feed,
        bytes: text.as_bytes(),
        origin: Origin::new("-"),
        part_byte: None,
        charset: None,
        declarations: vec![Declaration::retrieved_from("http://h/d/")],
    };
    read(source, options)
}

/// For each link its element, attribute and URL, by every rule set the same, and by the bytes of its
/// position.
fn links(text: &str) -> Vec<String> {
    let document = document_of(text);
    let by_rules = Rules::ALL.map(|rules| {
        let resolved = Policy::default().with_rules(rules).resolve(&document);
        let links = resolved.links().map(|link| {
            let url = link.url.expect("the link has a URL");
            format!("{} {} {url}", link.reference.element, link.reference.attr)
        });
        links.collect::<Vec<_>>()
    });
    let [first, second, third] = by_rules;
    assert!(first == second && second == third, "{first:?} {third:?}");
    for reference in &document.references {
        let byte = &reference.at.expect("the reference has a position").byte;
        let [start, end] =
            [byte.start, byte.end].map(|at| usize::try_from(at).expect("the feed is short"));
        let cut = text[start..end].replace("&amp;", "&");
        assert_eq!(cut, reference.value, "{text}");
    }
    first
}

#[test]
fn atom_links_and_xml_base() {
    let feed = format!(
        "<?xml version='1.0'?><feed {ATOM} xml:base='/b/'><link rel='self' href='f'/><icon> i </icon>\
         <id>urn:x</id><entry xml:base='e/'><link href='p?a=1&amp;b=2'/><a:link xmlns:a='urn:other' \
         href='no'/><author><uri>u</uri></author><content xml:base='http://o/c/' src='s'/></entry>\
         <entry><link href='q'/></entry></feed>"
    );
    let expected = [
        "feed xml:base http://h/b/",
        "link href http://h/b/f",
        "icon #text http://h/b/i",
        "entry xml:base http://h/b/e/",
        "link href http://h/b/e/p?a=1&b=2",
        "uri #text http://h/b/e/u",
        "content xml:base http://o/c/",
        "content src http://o/c/s",
        "link href http://h/b/q",
    ];
    assert_eq!(links(&feed), expected);
    assert_eq!(document_of(&feed).kind, DocumentKind::Feed);
}

#[test]
fn html_in_entry_has_its_base() {
    let feed = format!(
        "<feed {ATOM} xml:base='http://o/'><title type='html'>a &lt;b&gt;</title><entry xml:base='e/'>\
         <content type='html'>&lt;a href='x'>&nbsp;&lt;/a></content></entry><entry>\
         <summary type='html'><![CDATA[<img src=y>]]></summary><content type='xhtml'>\
         <div xmlns='http://www.w3.org/1999/xhtml'><base href='http://no/'/><a href='z'>t</a></div>\
         </content></entry></feed>"
    );
    let document = document_of(&feed);
    let resolved = Policy::default().resolve(&document);
    let of_one = resolved.documents().map(|extraction| {
        let mut resolving = extraction.link_resolver();
        let origin = extraction.document().origin.to_string();
        let references = extraction.document().references.iter();
        let links = references.filter(|reference| reference.attr != "xml:base");
        let links = links.map(|reference| resolving.url(&reference).map(str::to_owned));
        (
            origin,
            links
                .collect::<Result<Vec<_>, _>>()
                .expect("each entry has its URLs"),
        )
    });
    let expected = [
        ("-", vec!["http://o/z"]),
        ("-!content1", vec![]),
        ("-!content2", vec!["http://o/e/x"]),
        ("-!content3", vec!["http://o/y"]),
    ];
    let expected = expected.map(|(origin, links)| {
        let links: Vec<_> = links.into_iter().map(str::to_owned).collect();
        (origin.to_owned(), links)
    });
    assert_eq!(of_one.collect::<Vec<_>>(), expected);
}

#[test]
fn template_links_in_entry() {
    let feed = format!(
        "<feed {ATOM} xml:base='http://o/'><entry xml:base='e/'><content type='xhtml'>\
         <div xmlns='http://www.w3.org/1999/xhtml'><template><a href='t'/><style>p {{ background: \
         url(s) }}</style></template></div></content></entry></feed>"
    );
    let mut document = document_of(&feed);
    assert!(document.inert.is_empty());
    document.references = std::mem::take(&mut document_with_inert(&feed).inert);
    let resolved = Policy::default().resolve(&document);
    let urls = resolved
        .links()
        .map(|link| link.url.expect("the link has a URL"));
    let urls: Vec<_> = urls.collect();
    assert_eq!(urls, ["http://o/e/t", "http://o/e/s"]);
}

#[test]
fn rss_links_and_namespaces() {
    let rss = "<rss version='2.0' xmlns:m='http://search.yahoo.com/mrss/' \
        xmlns:atom='http://www.w3.org/2005/Atom'><channel><link>/</link><atom:link href='f' rel='self'/>\
        <image><url>i.png</url></image><item><link><![CDATA[a?x&y]]></link><guid>a</guid>\
        <guid isPermaLink='false'>17</guid><guid isPermaLink='true'>b</guid><source url='s'>S</source>\
        <enclosure url='e.mp3'/><m:content url='m'/><undeclared:link>no</undeclared:link>\
        <comments>c<!-- -->d</comments></item></channel></rss>";
    let document = document_of(rss);
    let found: Vec<_> = document
        .references
        .iter()
        .map(|one| format!("{} {}", one.element, one.value))
        .collect();
    let expected = [
        "link /",
        "link f",
        "url i.png",
        "link a?x&y",
        "guid a",
        "guid b",
        "source s",
        "enclosure e.mp3",
        "media:content m",
        "comments cd",
    ];
    assert_eq!(found, expected);
    let rdf = "<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#' \
        xmlns='http://purl.org/rss/1.0/'><channel rdf:about='f'><link>/</link><items><rdf:Seq>\
        <rdf:li rdf:resource='a'/></rdf:Seq></items></channel><item rdf:about='a'><link>a</link></item>\
        </rdf:RDF>";
    let expected = [
        "channel rdf:about http://h/d/f",
        "link #text http://h/",
        "li rdf:resource http://h/d/a",
        "item rdf:about http://h/d/a",
        "link #text http://h/d/a",
    ];
    assert_eq!(links(rdf), expected);
}

#[test]
fn podcast_files_by_namespace() {
    let podcast = "https://podcastindex.org/namespace/1.0";
    let rss = format!(
        "<rss xmlns:podcast='urn:other' xmlns:p='{podcast}'><channel><item xml:base='/e/1/'>\
         <p:chapters url='c.json' type='application/json+chapters'/><podcast:chapters url='no'/>\
         <p:transcript url='t.vtt?a&amp;b' type='text/vtt'/><transcript url='no'/></item>\
         <item><chapters xmlns='{podcast}' url='d.json'/><p:person url='no'/></item></channel></rss>"
    );
    let expected = [
        "item xml:base http://h/e/1/",
        "podcast:chapters url http://h/e/1/c.json",
        "podcast:transcript url http://h/e/1/t.vtt?a&b",
        "podcast:chapters url http://h/d/d.json",
    ];
    assert_eq!(links(&rss), expected);
}

#[test]
fn sitemap_entries_alternates_and_images() {
    let sitemap = "<?xml version='1.0'?><?xml-stylesheet type='text/xsl' href='/s.xsl'?>\n\
        <urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9' \
        xmlns:x='http://www.w3.org/1999/xhtml' \
        xmlns:i='http://www.google.com/schemas/sitemap-image/1.1'>\n<url><loc>\n http://h/a?b&amp;c \n</loc>\
        <x:link rel='alternate' hreflang='de' href='http://h/de'/><i:image><i:loc>http://h/i</i:loc>\
        </i:image><lastmod>2026</lastmod></url><url><loc> </loc></url></urlset>";
    let expected = [
        "xml-stylesheet href http://h/s.xsl",
        "loc #text http://h/a?b&c",
        "link href http://h/de",
        "image:loc #text http://h/i",
    ];
    assert_eq!(links(sitemap), expected);
    let index = "<sitemapindex><sitemap><loc>http://h/s.xml.gz</loc></sitemap></sitemapindex>";
    assert_eq!(links(index), ["loc #text http://h/s.xml.gz"]);
    assert_eq!(document_of(index).kind, DocumentKind::Sitemap);
}

#[test]
fn reading_stops_at_error_with_a_note() {
    for (text, found) in [
        ("<rss><channel><link>a</link></item><link>b</link>", 1),
        ("<rss><channel><link>a</link>", 1),
        ("<html><a href=x></a></html>", 0),
        ("", 0),
    ] {
        let document = document_of(text);
        assert_eq!(document.references.len(), found, "{text}");
        let notes: Vec<_> = document.notes.iter().map(|note| note.code).collect();
        assert_eq!(notes, [NoteCode::FeedInvalid], "{text}");
        assert!(notes[0].is_loss());
    }
    let sloppy = "<rss><channel><link>a?x&y=1</link><copyright>&copy; &nosuch; & \u{1}</copyright>\
        <enclosure url='e?a&b'/></channel></rss>";
    let document = document_of(sloppy);
    let found: Vec<_> = document.references.iter().map(|one| one.value).collect();
    assert_eq!(found, ["a?x&y=1", "e?a&b"]);
    assert_eq!(document.notes, []);
}

#[test]
fn feed_entities_and_nesting() {
    let bomb = "<!DOCTYPE rss [<!ENTITY a 'http://h/'><!ENTITY b '&a;&a;&a;'>]>\
        <rss><channel><link>&b;</link><link>c</link></channel></rss>";
    let document = document_of(bomb);
    let codes: Vec<_> = document.notes.iter().map(|note| note.code).collect();
    assert_eq!(codes, [NoteCode::EntityUnread]);
    assert_eq!(document.references.len(), 1);
    let deep = format!("<rss>{}", "<a>".repeat(100_000));
    let document = document_of(&deep);
    assert_eq!(document.notes[0].code, NoteCode::FeedInvalid);
    // Each would be relative to all around it.
    let bases = "<e xml:base='x/'><link href='y'/>".repeat(200);
    let feed = format!("<feed {ATOM}>{bases}{}</feed>", "</e>".repeat(200));
    let document = document_of(&feed);
    assert_eq!(document.xml_bases.len(), 16);
    assert!(
        document
            .notes
            .iter()
            .any(|note| note.code == NoteCode::BaseCount)
    );
}

#[test]
fn each_row_found_in_its_feed() {
    let is_here =
        |slot: &&LinkPlace| matches!(slot.namespace, Namespace::Feed | Namespace::Sitemap);
    for slot in LINK_PLACES.iter().filter(is_here) {
        let condition = match slot.condition {
            Condition::Attribute(name, value) => format!("{name}='{value}'"),
            Condition::Word(name, words) => format!("{name}='{}'", words[0]),
            _ => String::new(),
        };
        let value = match slot.grammar {
            Grammar::Html => "&lt;a href='u'>",
            _ => "u",
        };
        let (root, namespaces) = match slot.namespace {
            Namespace::Sitemap => (
                "urlset",
                "xmlns:image='http://www.google.com/schemas/sitemap-image/1.1' \
                xmlns:video='http://www.google.com/schemas/sitemap-video/1.1'",
            ),
            _ => (
                "rss",
                "xmlns:content='http://purl.org/rss/1.0/modules/content/' \
                xmlns:media='http://search.yahoo.com/mrss/' xmlns:rdf='urn:r' \
                xmlns:itunes='http://www.itunes.com/dtds/podcast-1.0.dtd' \
                xmlns:wfw='http://wellformedweb.org/CommentAPI/' \
                xmlns:podcast='https://podcastindex.org/namespace/1.0'",
            ),
        };
        let name = slot
            .element
            .replace('*', "entry")
            .replace("wfw:commentrss", "wfw:commentRss");
        let element = match slot.attr {
            CONTENT => format!("<{name} {condition}>{value}</{name}>"),
            attr => format!("<{name} {condition} {attr}='{value}'/>"),
        };
        let text = match slot.element {
            "xml-stylesheet" => format!("<?xml-stylesheet href='u'?><{root}/>"),
            _ => format!("<{root} {namespaces}>{element}</{root}>"),
        };
        let document = document_of(&text);
        if slot.grammar == Grammar::Html {
            assert_eq!(document.embedded.len(), 1, "{text}");
            continue;
        }
        let found: Vec<_> = document.references.iter().collect();
        assert_eq!(found.len(), 1, "{text}");
        assert!(std::ptr::eq(found[0].slot, slot), "{text}: {found:?}");
        assert_eq!((found[0].value, found[0].attr), ("u", slot.attr), "{text}");
    }
}
