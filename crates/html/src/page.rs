//! Reads the bytes of an HTML document into a [`Document`].

use crate::collect::{Collector, EmbeddedSource, Parent, Settings, has_content};
use crate::names::Name;
use crate::tokenizer::Tokenizer;
use crate::tree::{ElementRef, Step, Tree, TreeOptions};
use crate::{outline, recorded_sources, saved_from, shown_text, streaming, token_order, tree, xml};
use baseref_document::link_places::Namespace;
use baseref_document::{
    Document, EmbeddedDocument, Fallback, Note, NoteCode, Outline, ReadOptions, Reading,
    RecordedSources,
};
use baseref_text::decode::encoding::{self, Decoded};
use baseref_text::decode::position::Positions;
use baseref_text::decode::source::{Markup, MarkupSource};

/// Reads one HTML, XHTML or SVG document.
#[must_use]
pub fn read(source: MarkupSource<'_>, options: &ReadOptions) -> Document {
    match source.markup {
        Markup::Html => read_html(source, options),
        Markup::Xml => read_xml(source, options),
        Markup::Feed => read_feed(source, options),
    }
}

fn read_html(source: MarkupSource<'_>, options: &ReadOptions) -> Document {
    let decoded = decode(&source, options);
    let document = begin(source, &decoded, options);
    let positions = decoded.positions();
    let mut document = read_text(&decoded.text, positions, document, Settings::new(options));
    document.outline = requested_outline(&decoded, options);
    document
}

fn requested_outline(decoded: &Decoded<'_>, options: &ReadOptions) -> Option<Box<Outline>> {
    let wanted = options.outline;
    wanted.then(|| Box::new(outline::read(&decoded.text)))
}

/// Reads what an HTML page is about, and nothing else of it. A page that is read for its links, too,
/// yields this at once by [`ReadOptions::with_outline`].
#[must_use]
pub fn read_outline(source: &MarkupSource<'_>, options: &ReadOptions) -> Outline {
    outline::read(&decode(source, options).text)
}

/// Reads the text that an HTML page shows, with a line feed between blocks, and nothing else of it.
#[must_use]
pub fn read_shown_text(source: &MarkupSource<'_>, options: &ReadOptions) -> String {
    shown_text::read(&decode(source, options).text)
}

/// Reads what an HTML page records of the files that it was made from, and nothing else of it; `None`
/// if it records nothing.
#[must_use]
pub fn read_recorded_sources(
    source: &MarkupSource<'_>,
    options: &ReadOptions,
) -> Option<RecordedSources> {
    if !recorded_sources::may_be_in(source.bytes) {
        return None;
    }
    let decoded = decode(source, options);
    recorded_sources::read(&decoded.text, decoded.positions(), &source.origin.input)
}

pub(crate) fn decode<'s>(source: &MarkupSource<'s>, options: &ReadOptions) -> Decoded<'s> {
    let (charset, user) = (source.charset, options.encoding);
    encoding::decode_from(source.bytes, charset, user, source.retrieval())
}

/// Begins a document, with the bases that its marks declare.
pub(crate) fn begin(
    source: MarkupSource<'_>,
    decoded: &Decoded<'_>,
    options: &ReadOptions,
) -> Document {
    let mut document = source.begin(decoded);
    if options.marks {
        document
            .declarations
            .extend(saved_from::read(&decoded.text, decoded.positions()));
    }
    document
}

/// Reads a document by the rules of XML, as browsers do. Browsers stop at the first well-formedness
/// error; here such a document is read by the rules of HTML, or in the order of its tags where
/// those rules would hide the rest after a tag that XML closes with `/>`.
fn read_xml(source: MarkupSource<'_>, options: &ReadOptions) -> Document {
    let decoded = encoding::decode_xml(source.bytes, source.charset, options.encoding);
    let document = begin(source.clone(), &decoded, options);
    let (mut by_xml, fault) = by_xml(&decoded, document, Settings::new(options));
    by_xml.outline = requested_outline(&decoded, options);
    let Some(fault) = fault else {
        return by_xml;
    };
    let by_html = read_html(source, options);
    let mut document = if by_html.references.len() < by_xml.references.len() {
        by_xml
    } else {
        by_html
    };
    document.notes.push(
        Note::new(
            NoteCode::XmlInvalid,
            format!("not read by the rules of XML: {}", fault.reason),
        )
        .at_line(Some(decoded.positions().line(fault.offset))),
    );
    document
}

/// Reads a feed or sitemap, up to the first error.
fn read_feed(source: MarkupSource<'_>, options: &ReadOptions) -> Document {
    let decoded = encoding::decode_xml(source.bytes, source.charset, options.encoding);
    let document = source.begin(&decoded);
    let settings = Settings::new(options);
    let limits = &options.limits;
    let entities = xml::entities(&decoded.text, limits);
    let text = xml::source(&decoded.text);
    let mut collector = Collector::new(&text, decoded.positions(), document, settings);
    collector.read_values_by(Some(&entities));
    if let Err(fault) = xml::read_feed(&text, &entities, limits, &mut collector) {
        let detail = format!("not read from here on: {}", fault.reason);
        collector.note(NoteCode::FeedInvalid, detail, fault.offset);
    }
    let (mut document, inner) = finish(collector);
    document.reading = Some(Reading::Xml);
    with_embedded((document, inner), settings)
}

/// Reads a document by the rules of XML, and from the first error on in the order of its tags.
fn by_xml(
    decoded: &Decoded<'_>,
    document: Document,
    settings: Settings<'_>,
) -> (Document, Option<xml::Malformed>) {
    let limits = &settings.options.limits;
    let entities = xml::entities(&decoded.text, limits);
    let source = xml::source(&decoded.text);
    let mut collector = Collector::new(&source, decoded.positions(), document, settings);
    collector.read_values_by(Some(&entities));
    let fault = xml::read(&source, &entities, limits, &mut collector).err();
    if let Some(fault) = &fault {
        collector.read_values_by(None);
        let rest = Tokenizer::at(&source[..decoded.text.len()], fault.offset);
        token_order::read(rest, &mut collector);
    }
    let (mut document, srcdocs) = finish(collector);
    document.reading = Some(Reading::Xml);
    (with_embedded((document, srcdocs), settings), fault)
}

/// Reads decoded text into a document whose origin is already set.
///
/// Recurses for the documents in attributes, as deep as [`baseref_document::Limits::srcdoc_depth`].
pub(crate) fn read_text<'d>(
    text: &'d str,
    positions: Positions<'d>,
    document: Document,
    settings: Settings<'_>,
) -> Document {
    let read = by_tags(text, positions.clone(), document.clone(), settings)
        .unwrap_or_else(|reason| by_tree(text, positions, document, settings, reason));
    with_embedded(read, settings)
}

/// Reads the documents in a document's attributes.
pub(crate) fn with_embedded((mut document, all): Read<'_>, settings: Settings<'_>) -> Document {
    let (mut srcdocs, mut data_urls, mut contents) = (1.., 1.., 1..);
    for inner in all {
        let part_byte = document.part_byte.clone();
        let read = match inner {
            EmbeddedSource::Srcdoc(text) => {
                let number = srcdocs.next().unwrap_or_default();
                let origin = document.origin.embedded(EmbeddedDocument::Srcdoc(number));
                // HTML "iframe srcdoc document": it is in UTF-8, regardless of what the page or a `meta` says.
                let mut inner = Document::empty(origin, encoding_rs::UTF_8.name());
                inner.part_byte = part_byte;
                read_text(&text, Positions::from_text(&text), inner, settings)
            }
            EmbeddedSource::Content(text, bases) => {
                let number = contents.next().unwrap_or_default();
                let origin = document.origin.embedded(EmbeddedDocument::Content(number));
                let mut inner = Document::empty(origin, document.encoding);
                inner.part_byte = part_byte;
                inner.declarations = bases;
                read_text(&text, Positions::from_text(&text), inner, settings)
            }
            EmbeddedSource::Data(data) => {
                let number = data_urls.next().unwrap_or_default();
                let origin = document.origin.embedded(EmbeddedDocument::Data(number));
                let source = MarkupSource {
                    part_byte,
                    ..data.source(origin)
                };
                read(source, settings.options)
            }
        };
        document.embedded.push(read);
    }
    document
}

/// Whether a document is "an iframe srcdoc document", or has no document type for another reason.
fn is_srcdoc(document: &Document) -> bool {
    let inner = document.origin.embedded.last();
    matches!(
        inner,
        Some(EmbeddedDocument::Srcdoc(_) | EmbeddedDocument::Content(_))
    )
}

/// A document, and those in its attributes still to be read.
type Read<'d> = (Document, Vec<EmbeddedSource<'d>>);

/// Reads a document in the order of its tags, if that is tree order.
pub(crate) fn by_tags<'d>(
    text: &'d str,
    positions: Positions<'d>,
    document: Document,
    settings: Settings<'_>,
) -> Result<Read<'d>, Fallback> {
    let srcdoc = is_srcdoc(&document);
    let mut collector = Collector::new(text, positions, document, settings);
    streaming::read(text, srcdoc, &mut collector)?;
    let (mut document, srcdocs) = finish(collector);
    document.reading = Some(Reading::Tags);
    Ok((document, srcdocs))
}

/// Ends a document with the comments that come last in it.
fn finish<'d>(mut collector: Collector<'d, '_>) -> Read<'d> {
    for comment in collector.end_tree() {
        token_order::comment(comment, &mut collector);
    }
    collector.finish()
}

/// Reads a document by building its tree, within the limits.
pub(crate) fn by_tree<'d>(
    text: &'d str,
    positions: Positions<'d>,
    document: Document,
    settings: Settings<'_>,
    reason: Fallback,
) -> Read<'d> {
    let wants = TreeOptions {
        text: settings.options.text,
        content: settings.tables.ask_for_contents(),
        comments: settings.options.comments,
        srcdoc: is_srcdoc(&document),
        corrected: true,
    };
    by_tree_of(wants, text, positions, document, settings, reason)
}

/// Reads a document by building its tree with what is wanted, within the limits.
pub(crate) fn by_tree_of<'d>(
    wants: TreeOptions,
    text: &'d str,
    positions: Positions<'d>,
    document: Document,
    settings: Settings<'_>,
    reason: Fallback,
) -> Read<'d> {
    let tree::Parsed {
        tree,
        rest,
        not_copied,
    } = tree::parse(text, wants, &settings.options.limits);
    let mut collector = Collector::new(text, positions, document, settings);
    if let Some(tag) = not_copied {
        let detail = "copying options takes too much work: the copies' links are not listed";
        collector.note(NoteCode::TreeWork, detail.to_owned(), tag);
    }
    let mut walk = Walk::default();
    tree.walk(|step| walk.step(step, &mut collector));
    tree.walk_templates(|step| match step {
        Step::Start(element) if element.local_name() == "base" => {
            collector.read_attributes(element.tags());
            collector.note_inert_base(true);
        }
        _ => {}
    });
    if collector.wants_inert() {
        collector.inert(|collector| {
            templates(&tree, collector);
            tree.walk_replaced(|step| walk.step(step, collector));
        });
    }
    if let Some(rest) = rest {
        let detail = match rest.limit {
            NoteCode::TreeDepth => {
                "the tree is too deep: from here on tags are read in their order"
            }
            _ => "the tree takes too much work: from here on tags are read in their order",
        };
        collector.note(rest.limit, detail.to_owned(), rest.tokenizer.offset());
        token_order::read(rest.tokenizer, &mut collector);
    }
    let (mut document, srcdocs) = finish(collector);
    document.reading = Some(Reading::Tree(reason));
    (document, srcdocs)
}

/// Collects the elements in templates in the order of their tags, each once, without clones.
fn templates(tree: &Tree, collector: &mut Collector<'_, '_>) {
    let mut elements = Vec::new();
    tree.walk_templates(|step| {
        if let Step::Start(element) = step
            && let Some(tag) = element.tags().next()
        {
            elements.push((tag, element));
        }
    });
    elements.sort_by_key(|(tag, _)| *tag);
    elements.dedup_by_key(|(tag, _)| *tag);
    for (_, element) in elements {
        collector.read_attributes(element.tags());
        let collected = collector.element_named(element.namespace(), element.local_name());
        if collected.content {
            for text in element.contents() {
                collector.content(text);
            }
            collector.end_content();
        }
    }
}

/// Collects what is in a tree, along a walk through it.
#[derive(Default)]
struct Walk {
    /// For each open `a` element, whether its end must be reported to the collector.
    anchors: Vec<bool>,
    /// For each open `script` or `style` element, whether its end must be reported to the collector.
    contents: Vec<bool>,
    /// The open elements, if the collector asks for the one around another.
    parents: Vec<Parent>,
}

impl Walk {
    fn step(&mut self, step: Step<'_>, collector: &mut Collector<'_, '_>) {
        match step {
            Step::Start(element) => self.start(element, collector),
            Step::End(element) => self.end(element, collector),
            Step::Text(text) => collector.text(text),
            Step::Comment(comment) => token_order::comment(comment, collector),
            Step::StartShadowRoot => collector.begin_shadow_root(),
            Step::EndShadowRoot => collector.end_shadow_root(),
        }
    }

    fn start(&mut self, element: ElementRef<'_>, collector: &mut Collector<'_, '_>) {
        if matches!(element.local_name(), "body" | "frameset") {
            collector.begin_body();
        }
        if element.local_name() == "title"
            && element.namespace() == Namespace::Html
            && let Some(tag) = element.tags().next()
        {
            collector.title(tag);
        }
        if is_noscript(element) {
            collector.set_in_noscript(true);
            if let Some(tag) = element.tags().next() {
                collector.begin_noscript(tag);
            }
        }
        collector.read_attributes(element.tags());
        if collector.wants_choices() {
            collector.set_parent(self.parents.last().copied());
            self.parents.push(parent(element));
        }
        let collected = collector.element_named(element.namespace(), element.local_name());
        if is_a(element) {
            self.anchors.push(collected.anchor);
        }
        if has_content(element.local_name()) {
            self.contents.push(collected.content);
        }
    }

    fn end(&mut self, element: ElementRef<'_>, collector: &mut Collector<'_, '_>) {
        if has_content(element.local_name()) && self.contents.pop() == Some(true) {
            for text in element.contents() {
                collector.content(text);
            }
            collector.end_content();
        }
        if is_a(element) && self.anchors.pop() == Some(true) {
            collector.end_anchor();
        }
        if is_noscript(element) {
            collector.set_in_noscript(false);
        }
        if collector.wants_choices() {
            self.parents.pop();
        }
    }
}

/// An element as the parent of others.
fn parent(element: ElementRef<'_>) -> Parent {
    let name = match element.namespace() {
        Namespace::Html => Name::from_bytes(element.local_name().as_bytes()),
        _ => Name::Other,
    };
    // No implied element has sources.
    let tag = element.tags().next().unwrap_or_default();
    Parent { name, tag }
}

fn is_a(element: ElementRef<'_>) -> bool {
    element.local_name() == "a"
}

fn is_noscript(element: ElementRef<'_>) -> bool {
    element.local_name() == "noscript" && element.namespace() == Namespace::Html
}

#[cfg(test)]
mod tests {
    use super::*;
    use baseref_document::{Identifiers, Naming, Origin};
    use proptest::prelude::*;

    fn asked() -> ReadOptions {
        ReadOptions::default()
            .with_identifiers(true)
            .with_inert(true)
            .with_positions(true)
            .with_classes(baseref_document::link_places::Classes::ALL)
    }

    fn empty() -> Document {
        Document::empty(Origin::new("-"), "UTF-8")
    }

    fn tree_document(text: &str) -> Document {
        let options = asked();
        let reason = Fallback::Depth;
        let positions = Positions::from_text(text);
        by_tree(text, positions, empty(), Settings::new(&options), reason).0
    }

    fn tags_document(text: &str) -> Option<Document> {
        let options = asked();
        let positions = Positions::from_text(text);
        let read = by_tags(text, positions, empty(), Settings::new(&options));
        Some(read.ok()?.0)
    }

    fn by_its_tree(text: &str) -> Identifiers {
        tree_document(text).identifiers
    }

    fn by_its_tags(text: &str) -> Option<Identifiers> {
        Some(tags_document(text)?.identifiers)
    }

    fn sorted(identifiers: &Identifiers) -> Vec<(Naming, String)> {
        let names = identifiers.iter();
        let mut names: Vec<_> = names
            .map(|(naming, name)| (naming, name.to_owned()))
            .collect();
        names.sort();
        names.dedup();
        names
    }

    #[test]
    fn fragment_names_of_elements() {
        let text = "<p ID=a&amp;b class=c><a name=n id=i href=x>t</a><div name=d><map name=m>\
            <td id=ignored><textarea id=t><p id=in-text></textarea><template id=o><p id=in></template>\
            <svg id=s><a name=sn id=g></a></svg><b id=''><!-- <p id=c> --><h2 id=h><em id=e>\
            <img id=v><input id=w name=x><script id=k>'<p id=no>'</script>";
        let expected = [
            (Naming::Id, "a&b"),
            (Naming::Id, "e"),
            (Naming::Id, "g"),
            (Naming::Id, "h"),
            (Naming::Id, "i"),
            (Naming::Id, "k"),
            (Naming::Id, "o"),
            (Naming::Id, "s"),
            (Naming::Id, "t"),
            (Naming::Id, "v"),
            (Naming::Id, "w"),
            (Naming::Anchor, "n"),
            (Naming::Map, "m"),
        ]
        .map(|(naming, name)| (naming, name.to_owned()));
        assert_eq!(sorted(&by_its_tree(text)), expected);
        assert_eq!(
            sorted(&by_its_tags(text).expect("the tags are in tree order")),
            expected
        );
    }

    #[test]
    fn name_of_element_after_reopened_link() {
        let text = "<p><a href=1 id=a>x<p id=b>y</a><select id=c>";
        for text in [text, "<table><a href=1 id=a></table><select id=c>"] {
            let names = sorted(&by_its_tags(text).expect("the tags are in tree order"));
            assert_eq!(names, sorted(&by_its_tree(text)), "{text}");
        }
    }

    #[test]
    fn base_in_template_or_foreign_content() {
        let text = "<title>t</title><template><p><base href='/a&amp;b/'><base></template>\
            <svg><base href=/s/ /></svg><base href=/real/><template><svg><base href=/t/></svg>";
        for document in [
            tree_document(text),
            tags_document(text).expect("the tags are in tree order"),
        ] {
            let inert = document.inert_bases.iter();
            let inert: Vec<_> = inert
                .map(|base| (&*base.value, base.in_template, base.at.byte.start))
                .collect();
            let expected = [("/a&b/", true, 41), ("/s/", false, 85), ("/t/", true, 141)];
            assert_eq!(inert, expected);
            let declared = document.declarations.iter();
            let declared: Vec<_> = declared.map(|declared| &*declared.value).collect();
            assert_eq!(declared, ["/real/"]);
        }
    }

    #[test]
    fn selectedcontent_original_is_inert() {
        let text = "<title>t</title><select id=s><button><selectedcontent><a id=i href=old>x</a>\
            <img srcset='old1, old2'><iframe srcdoc='<a href=in>'></iframe><base href=/b/>\
            <meta http-equiv=content-security-policy content='base-uri none'>\
            </selectedcontent></button><option><a href=new>y</a></option></select>\
            <a id=i href=after>z</a>";
        let document = tree_document(text);
        let found = |references: &baseref_document::References| {
            let found = references
                .iter()
                .map(|reference| reference.value.to_owned());
            found.collect::<Vec<_>>()
        };
        assert_eq!(found(&document.references), ["new", "new", "after"]);
        assert_eq!(found(&document.inert), ["old", "old1", "old2", "/b/"]);
        let places = document.written().map(|reference| {
            let at = reference.at.expect("the reference has a position");
            let place = |byte| usize::try_from(byte).expect("the offset is in the text");
            &text[place(at.byte.start)..place(at.byte.end)]
        });
        let values = document.written().map(|reference| reference.value);
        assert!(places.eq(values));
        assert!(document.declarations.is_empty() && document.policies.is_empty());
        assert!(document.identifiers.repeated.is_empty());
        let (_, inner) = by_tree(
            text,
            Positions::from_text(text),
            empty(),
            Settings::new(&asked()),
            Fallback::SelectedContent,
        );
        assert_eq!(inner.len(), 1);
    }

    /// What is inert in a document, by its tree and by its tags.
    fn inert(text: &str) -> [Vec<String>; 2] {
        [Some(tree_document(text)), tags_document(text)].map(|document| {
            let document = document.expect("the page has a document");
            assert!(document.inert.iter().all(|one| one.text.is_none()));
            document
                .inert
                .iter()
                .map(|one| one.value.to_owned())
                .collect()
        })
    }

    #[test]
    fn template_content_is_inert() {
        for (text, expected) in [
            (
                "<a href=0><template><a href=1><img src=2 alt=t></a></template>x",
                "1 2",
            ),
            (
                "<template><template><a href=1></template><a href=2></template><a href=0>",
                "1 2",
            ),
            (
                "<template shadowrootmode=open><link rel=stylesheet href=1><slot></template>",
                "1",
            ),
            (
                "<head><template><meta http-equiv=refresh content='0;url=1'></template>",
                "1",
            ),
            (
                "<table><template><tr><td><a href=1></table><a href=2></template>",
                "1 2",
            ),
            ("<template><td><a href=1><table><b href=x><a href=2>", "1 2"),
            (
                "<template><body background=x><p><a href=1><b><p>x</b><i>y</a>z",
                "1",
            ),
            ("<template><base href=/b/><a href=1></template>", "/b/ 1"),
            (
                "<template><style>p { background: url(1) }</style><script src=2>0</script>",
                "2 1",
            ),
            (
                "<template><svg><style>p { background: url(1) }</style><a href=2></svg>",
                "2 1",
            ),
            (
                "<svg><template><a href=0></template></svg><template><image src=1>",
                "1",
            ),
            (
                "<template><!--[if mso]><a href=x><![endif]--><a href=1></template>",
                "1",
            ),
        ] {
            for mut found in inert(text) {
                found.sort();
                let mut expected: Vec<_> = expected.split(' ').collect();
                expected.sort_unstable();
                assert_eq!(found, expected, "{text}");
            }
        }
    }

    #[test]
    fn template_content_changes_nothing() {
        let outside = "<title>t</title><a href=0>";
        let text = "<title>t</title><a href=0><template id=t><title>u</title><a id=i href=1 name=n>\
            <img src=2 alt=x><base href=/b/><meta http-equiv=content-security-policy \
            content='base-uri none'><iframe srcdoc='<a href=in>'></iframe></template>\
            <iframe srcdoc='<a href=out>'></iframe>y</a>";
        let options = asked().with_metadata(true);
        let settings = Settings::new(&options);
        let read = |text| read_text(text, Positions::from_text(text), empty(), settings);
        let document = read(text);
        let links: Vec<_> = document.references.iter().collect();
        assert_eq!((links[0].value, links[0].text), ("0", Some("y")));
        assert_eq!(links.len(), 1);
        assert_eq!(document.metadata, read(outside).metadata);
        assert!(document.declarations.is_empty() && document.policies.is_empty());
        let names: Vec<_> = document.identifiers.iter().map(|(_, name)| name).collect();
        assert_eq!(names, ["t"]);
        let inner = document.embedded.iter().map(|inner| {
            let link = inner
                .references
                .iter()
                .next()
                .expect("the document has a link");
            (inner.origin.to_string(), link.value.to_owned())
        });
        let inner: Vec<_> = inner.collect();
        let [outer, inner] = &inner[..] else {
            panic!("{inner:?}");
        };
        assert_eq!((outer.1.as_str(), inner.1.as_str()), ("out", "in"));
        // What is inert has the later number.
        assert!(
            outer.0.contains('1') && inner.0.contains('2'),
            "{} {}",
            outer.0,
            inner.0
        );
    }

    /// What is listed, by the tree of a document and by its tags.
    fn listed(text: &str) -> [Vec<String>; 2] {
        [Some(tree_document(text)), tags_document(text)].map(|document| {
            let document = document.expect("the tags are in tree order");
            let values = document.references.iter();
            values.map(|one| one.value.to_owned()).collect()
        })
    }

    #[test]
    fn declarative_shadow_root_is_part_of_the_page() {
        const ROOT: &str = "<template shadowrootmode=open>";
        for (text, expected) in [
            // In document order, with style sheets and other documents.
            (
                "<a href=1></a><div>{}<a href=2></a><img src=3><style>p { background: url(4) }\
                 </style><link rel=stylesheet href=5></template><a href=6></a></div>",
                "1 2 3 4 5 6",
            ),
            ("<p>x{}<a href=1></template><a href=2>", "1 2"),
            ("<my-card>{}<a href=1></template></my-card>", "1"),
            ("<MY-CARD>{}<a href=1></template></MY-CARD>", "1"),
            ("<font-face>{}<a href=no></template></font-face>", ""),
            ("<div>{}<a href=1></template>{}<a href=no></template>", "1"),
            (
                "<div>{}<div>{}<a href=1></template></div><a href=2></template>",
                "1 2",
            ),
            ("<div>{}{}<a href=no></template><a href=1></template>", "1"),
            (
                "<template><div>{}<a href=no></template></div></template>",
                "",
            ),
            ("<div><template>{}<a href=no></template></template>", ""),
            // No host can be before the body, in a list, a table or SVG.
            ("<head>{}<a href=no></template>", ""),
            ("<ul>{}<a href=no></template></ul>", ""),
            ("<table>{}<a href=no></template></table>", ""),
            ("<a href=1>{}<b href=no></template>", "1"),
            ("<svg><foreignObject>{}<a href=no></template></svg>", ""),
            ("<svg><desc><div>{}<a href=1></template></svg>", "1"),
            ("<body>{}<a href=1></template>", "1"),
            // Only the two modes declare one.
            (
                "<div><template shadowrootmode=CLOSED><a href=1></template>",
                "1",
            ),
            (
                "<div><template shadowrootmode=''><a href=no></template>",
                "",
            ),
            ("<div><template shadowroot=open><a href=no></template>", ""),
            (
                "<p><template id=t shadowrootmode='&#111;pen' href=no><a href=1></template>",
                "1",
            ),
            (
                "<div>{}<meta http-equiv=refresh content='0;url=no'><base href=no>",
                "",
            ),
        ] {
            let text = text.replace("{}", ROOT);
            let expected: Vec<_> = expected.split_whitespace().collect();
            for found in listed(&text) {
                assert_eq!(found, expected, "{text}");
            }
        }
    }

    #[test]
    fn shadow_root_has_its_own_names_base_and_title() {
        let text = "<title>t</title><div id=a><template id=t shadowrootmode=open><title>no</title>\
            <p id=a><a name=n><map name=m></map></a><base href=/no/>\
            <meta http-equiv=content-security-policy content='base-uri none'>\
            <link rel=canonical href=c></template></div><p id=b>";
        for document in [
            tree_document(text),
            tags_document(text).expect("the tags are in tree order"),
        ] {
            let names = document.identifiers.iter();
            let names: Vec<_> = names
                .map(|(naming, name)| (naming.is_fragment_target(), name))
                .collect();
            let expected = [
                (true, "a"),
                (false, "a"),
                (false, "n"),
                (false, "m"),
                (true, "b"),
            ];
            assert_eq!(names, expected);
            assert!(document.identifiers.repeated.is_empty());
            assert!(document.declarations.is_empty() && document.policies.is_empty());
            let inert: Vec<_> = document
                .inert_bases
                .iter()
                .map(|base| &*base.value)
                .collect();
            assert_eq!(inert, ["/no/"]);
            assert!(document.metadata_elements.is_empty());
        }
    }

    /// The values of the references of a page, read with a tree of at most ten elements in depth.
    fn values_beyond_depth(text: &str) -> Vec<String> {
        let limits = baseref_document::Limits::default().with_tree_depth(10);
        let options = asked().with_limits(limits);
        let positions = Positions::from_text(text);
        let settings = Settings::new(&options);
        let (document, _) = by_tree(text, positions, empty(), settings, Fallback::Depth);
        let written = document.written();
        written.map(|one| one.value.to_owned()).collect()
    }

    #[test]
    fn shadow_root_beyond_the_depth_limit_is_part_of_the_page() {
        let depth = "<i>".repeat(20);
        let text = format!(
            "{depth}<div><template shadowrootmode=open><a href=1><template><a href=3></template>\
             </template></div><a href=2>"
        );
        assert_eq!(values_beyond_depth(&text), ["1", "2", "3"]);
    }

    #[test]
    fn shadow_root_is_not_copied_with_an_option() {
        let text = "<select><button><selectedcontent></selectedcontent></button><option><div>\
            <template shadowrootmode=open><a href=1></template><img src=2></div></option></select>";
        let document = tree_document(text);
        let found: Vec<_> = document.references.iter().map(|one| one.value).collect();
        assert_eq!(found, ["2", "1", "2"]);
    }

    #[test]
    fn inert_references_only_on_request() {
        let text = "<template><a href=1><iframe srcdoc=x></iframe><style>p { background: url(2) }";
        let options = asked().with_inert(false);
        let settings = Settings::new(&options);
        let document = read_text(text, Positions::from_text(text), empty(), settings);
        assert!(document.inert.is_empty() && document.references.is_empty());
        assert!(document.embedded.is_empty());
    }

    #[test]
    fn template_content_is_inert_beyond_the_depth_limit() {
        let depth = "<i>".repeat(20);
        let text = format!(
            "{depth}<template><a href=1><style>p {{ background: url(2) }}</style></template><a href=0>"
        );
        assert_eq!(values_beyond_depth(&text), ["0", "1", "2"]);
    }

    #[test]
    fn late_selectedcontent_keeps_content() {
        // The parser adds it after the option was chosen.
        let text = "<select><option selected><a href=new>y</a></option><selectedcontent>\
            <a href=own>x</a></selectedcontent></select>";
        let document = tree_document(text);
        let found: Vec<_> = document.references.iter().map(|one| one.value).collect();
        assert_eq!(found, ["new", "new", "own"]);
        assert!(document.inert.is_empty());
    }

    #[test]
    fn positions_of_repeated_ids() {
        let text = "<p id=a>\n<a id=a title=\"1<2\" name=&#97;></a><a id=b title=\"1<2\" name=b></a>\
             <p id=c><map name=c></map><p id=a>";
        for identifiers in [
            by_its_tree(text),
            by_its_tags(text).expect("the tags are in tree order"),
        ] {
            let repeated = identifiers.repeated.iter();
            let places: Vec<_> = repeated
                .map(|repeated| {
                    let [first, at] = [&repeated.first, &repeated.at];
                    (repeated.name.as_str(), at.byte.start, first.byte.start)
                })
                .collect();
            let second = text.find("<a id=a").expect("the page has the marker") as u64;
            let last = text.rfind("<p id=a").expect("the page has the marker") as u64;
            assert_eq!(places, [("a", second + 6, 6), ("a", last + 6, 6)]);
        }
    }

    proptest! {
        /// Copies of options replace elements, but no address of the tree is lost.
        #[test]
        fn cloning_loses_no_source_link(tags in proptest::collection::vec(
            (0..8_usize, 0..3_u8), 0..24,
        )) {
            const NAMES: [&str; 8] = [
                "select", "option", "selectedcontent", "button", "optgroup", "p", "b", "a",
            ];
            let mut text = String::new();
            for (name, kind) in tags {
                let name = NAMES[name];
                let tag = match kind {
                    0 => format!("</{name}>"),
                    1 => format!("<{name} href=1 selected>"),
                    _ => format!("<{name} href=2><img src=3>"),
                };
                text.push_str(&tag);
            }
            let places = |corrected| {
                let options = asked();
                let wants = TreeOptions {
                    text: false,
                    content: false,
                    comments: false,
                    srcdoc: false,
                    corrected,
                };
                let positions = Positions::from_text(&text);
                let settings = Settings::new(&options);
                let reason = Fallback::SelectedContent;
                let (document, _) =
                    by_tree_of(wants, &text, positions, empty(), settings, reason);
                let places = document.written().filter_map(|one| Some(one.at?.byte.start));
                places.collect::<std::collections::BTreeSet<_>>()
            };
            prop_assert_eq!(places(true), places(false), "{}", text);
        }

        /// For any tags, the inert references are those of the tree.
        #[test]
        fn inert_references_by_tags_match_tree(tags in proptest::collection::vec(
            (0..16_usize, proptest::bool::ANY), 0..24,
        )) {
            const NAMES: [&str; 16] = [
                "template", "a", "div", "b", "td", "tr", "table", "template", "p", "select", "svg",
                "style", "col", "form", "caption", "body",
            ];
            let mut text = String::new();
            for (at, (name, ends)) in tags.into_iter().enumerate() {
                let name = NAMES[name];
                let tag = match (ends, name) {
                    (true, _) => format!("</{name}>"),
                    (false, "style") => format!("<style>p {{ background: url({at}) }}</style>"),
                    (false, _) => format!("<{name} href={at}><img src={at}>"),
                };
                text.push_str(&tag);
            }
            let places = |document: &Document| {
                let places = document.inert.iter().filter_map(|one| Some(one.at?.byte.start));
                let mut places: Vec<_> = places.collect();
                places.sort_unstable();
                places
            };
            if let Some(by_tags) = tags_document(&text) {
                let by_tree = tree_document(&text);
                prop_assert_eq!(places(&by_tags), places(&by_tree), "{}", text);
            }
        }

        /// For any tags, what shadow roots hold is listed as in the tree.
        #[test]
        fn shadow_roots_by_tags_match_tree(tags in proptest::collection::vec(
            (0..16_usize, 0..3_u8), 0..24,
        )) {
            const NAMES: [&str; 16] = [
                "template", "a", "div", "b", "td", "tr", "table", "template", "p", "select", "svg",
                "span", "x-y", "form", "caption", "body",
            ];
            let mut text = String::new();
            for (at, (name, kind)) in tags.into_iter().enumerate() {
                let name = NAMES[name];
                let tag = match (kind, name) {
                    (0, _) => format!("</{name}>"),
                    // Always the root of a new host: what is in other templates is not compared.
                    (_, "template") => "<span><template shadowrootmode=open>".to_owned(),
                    // One that is reopened outside has no name: see below.
                    (_, "a" | "b") => format!("<{name} href={at}><img src={at}>"),
                    (1, _) => format!("<{name} id={at}>"),
                    _ => format!("<{name} href={at} id={at}><img src={at}>"),
                };
                text.push_str(&tag);
            }
            let values = |document: &Document| {
                let values = document.references.iter().map(|one| one.value.to_owned());
                values.collect::<Vec<_>>()
            };
            if let Some(by_tags) = tags_document(&text) {
                let by_tree = tree_document(&text);
                prop_assert_eq!(values(&by_tags), values(&by_tree), "{}", text);
                if !text.contains("<body") {
                    let names = [&by_tags, &by_tree].map(|document| sorted(&document.identifiers));
                    prop_assert_eq!(&names[0], &names[1], "{}", text);
                }
            }
        }

        /// For any tags, the names are those of the tree. A formatting element that is
        /// reopened outside the template in which it was named has no name.
        #[test]
        fn names_by_tags_match_tree(tags in proptest::collection::vec(
            (0..16_usize, proptest::bool::ANY, 0..6_usize), 0..16,
        )) {
            const NAMES: [&str; 16] = [
                "p", "a", "div", "b", "td", "tr", "table", "li", "ul", "select", "svg", "option",
                "map", "form", "h1", "body",
            ];
            let mut text = String::new();
            for (name, ends, id) in tags {
                let name = NAMES[name];
                let tag = if ends {
                    format!("</{name}>")
                } else {
                    format!("<{name} id={id} name={id}>")
                };
                text.push_str(&tag);
            }
            if let Some(by_tags) = by_its_tags(&text) {
                let by_tree = by_its_tree(&text);
                // A second body adds only attributes that are missing from the first.
                if !text.contains("<body") {
                    prop_assert_eq!(sorted(&by_tags), sorted(&by_tree), "{}", text);
                }
            }
        }
    }
}
