//! Collects the `link` and `meta` elements of a page, and its title.

use super::{Collector, Region};
use crate::character_reference::{Null, decode_text};
use crate::link_text;
use crate::names::Name;
use crate::tokenizer::{Token, Tokenizer};
use baseref_document::{MetadataElement, NoteCode};

impl Collector<'_, '_> {
    /// Lists the current element, whose references begin at `first`, if it is a metadata element of
    /// the document.
    pub(super) fn describe(&mut self, name: Name, first: usize) {
        let (name, wanted) = match name {
            Name::Link => MetadataElement::ATTRIBUTES[0],
            Name::Meta => MetadataElement::ATTRIBUTES[1],
            _ => return,
        };
        if self.is_aside || self.in_shadow_root() || (name == "link" && !self.has_relation()) {
            return;
        }
        let mut about = None;
        let mut attributes = Vec::new();
        for attr in wanted {
            if let Some(value) = self.attribute(attr) {
                about.get_or_insert(value);
                let (raw, _) = self.cut(value);
                attributes.push((*attr, self.decoded(raw).text.into()));
            }
        }
        let Some(about) = about else {
            return;
        };
        if self.document.metadata_elements.len() >= self.most_links {
            self.uncounted += 1;
            let detail = format!(
                "the `link` and `meta` elements after the first {} are not listed: they are too many \
                 for the size of the document",
                self.most_links
            );
            return self.note_once(NoteCode::LinkCount, detail, about.start);
        }
        self.uncounted += 1;
        let element = MetadataElement {
            name,
            attributes: attributes.into(),
            at: self.positions.locate(about.start..about.end),
            references: first..self.document.references.len(),
            in_head: self.region != Region::Body,
            in_noscript: self.region == Region::HeadNoscript,
        };
        self.document.metadata_elements.push(element);
    }

    /// Whether the current element, a `link`, has a relation that is listed: most have another.
    fn has_relation(&self) -> bool {
        let rel = self.value_of("rel").unwrap_or_default();
        let mut words = rel.split_ascii_whitespace();
        words.any(|word| {
            let mut relations = MetadataElement::RELATIONS.iter();
            relations.any(|relation| word.eq_ignore_ascii_case(relation))
        })
    }

    /// Whether the text of a `title` element is wanted: the first one in a document wins (HTML
    /// "document.title").
    pub(crate) fn wants_title(&self) -> bool {
        (self.options.metadata || self.options.metadata_elements)
            && self.document.metadata.title.is_none()
            && !self.is_aside
            && !self.in_shadow_root()
    }

    /// Reads the HTML `title` element whose tag is at an offset.
    pub(crate) fn title(&mut self, tag: usize) {
        if !self.wants_title() {
            return;
        }
        let mut tokenizer = Tokenizer::at(self.source, tag);
        let _ = tokenizer.next(|| false);
        tokenizer.attributes(|_| {});
        tokenizer.set_content(Name::Title.content());
        let mut title = String::new();
        while let Token::Text(text) = tokenizer.next(|| false) {
            title.push_str(&decode_text(
                text.span.slice(self.source),
                true,
                Null::Replace,
            ));
        }
        self.set_title(&title);
    }

    /// Sets the title as the tree has it.
    pub(crate) fn set_title(&mut self, title: &str) {
        let title = link_text::title(title, self.options.limits.text);
        self.document.metadata.title = Some(title);
    }

    /// A `noscript` element of the head begins or ends.
    pub(crate) fn set_in_noscript(&mut self, in_noscript: bool) {
        self.region = match (self.region, in_noscript) {
            (Region::Body, _) => Region::Body,
            (_, true) => Region::HeadNoscript,
            (_, false) => Region::Head,
        };
    }
}

#[cfg(test)]
mod tests {
    use crate::collect::Settings;
    use crate::page::{by_tags, by_tree};
    use baseref_document::{
        Document, Fallback, MetadataElement, NoteCode, Origin, ReadOptions, link_places::Classes,
    };
    use baseref_text::decode::position::Positions;
    use baseref_text::decode::source::{Markup, MarkupSource};
    use proptest::prelude::*;

    fn options() -> ReadOptions {
        ReadOptions::default()
            .with_classes(Classes::ALL)
            .with_metadata_elements(true)
    }

    fn read_as(markup: Markup, bytes: &[u8]) -> Document {
        let source = MarkupSource::new(markup, bytes, Origin::new("-"));
        crate::read(source, &options())
    }

    fn read(page: &str) -> Document {
        read_as(Markup::Html, page.as_bytes())
    }

    /// The name of each element, and the letters of what holds for it: in the head, in `noscript`.
    fn shown(document: &Document) -> Vec<String> {
        let elements = document.metadata_elements.iter();
        let shown = elements.map(|element| {
            let head = if element.in_head { " h" } else { "" };
            let noscript = if element.in_noscript { "n" } else { "" };
            let first = element.attributes.first();
            let value = first.map_or("", |(_, value)| &**value);
            format!("{} {value}{head}{noscript}", element.name)
        });
        shown.collect()
    }

    #[test]
    fn elements_of_the_document_by_region() {
        let page = "<meta name=a content=1><link href=2 rel=canonical><link href=no rel=icon>\
            <noscript><link href=3 rel=alternate></noscript>\
            <template><link href=no rel=canonical></template><!-- <link href=no rel=canonical> -->\
            <script>'<link href=no rel=canonical>'</script><svg><link href=no rel=canonical /></svg>\
            <body><meta content=4><noscript><link href=5 rel='next alternate'></noscript>";
        let expected = ["meta 1 h", "link 2 h", "link 3 hn", "meta 4", "link 5"];
        // The element of SVG begins the body.
        assert_eq!(shown(&read(page)), expected);
        let xhtml = "<html xmlns='http://www.w3.org/1999/xhtml'><head><META content='no'/>\
            <meta content='1'/><noscript><link href='2' rel='canonical'/></noscript>\
            <link href='3' rel='canonical'/></head>\
            <body><meta content='4'/></body></html>";
        let document = read_as(Markup::Xml, xhtml.as_bytes());
        let expected = ["meta 1 h", "link 2 hn", "link 3 h", "meta 4"];
        assert_eq!(shown(&document), expected);
    }

    #[test]
    fn attributes_in_every_syntax() {
        for page in [
            "<link rel=canonical href=/a?b&amp;c>",
            "<LINK HREF='/a?b&c' title=\"a > b < c\" REL=\" x CANONICAL \">",
            "<link rel=\"&#99;anonical\" rel=icon href = \"/a?b&#38;c\" />",
            "<link data-rel=icon rel='canonical\n'href=/a?b&c>",
        ] {
            let document = read(page);
            let [element] = document.metadata_elements.as_slice() else {
                panic!("one element: {page}");
            };
            assert!(element.is_canonical(), "{page}");
            assert_eq!(element.attribute("href"), Some("/a?b&c"), "{page}");
            let value = usize::try_from(element.at.byte.start).expect("the page is short");
            assert!(page[value..].starts_with("/a?b"), "{page}");
            let mut references = document.references.range(element.references.clone());
            let first = references.next().map(|reference| reference.value);
            assert_eq!((first, references.count()), (Some("/a?b&c"), 0), "{page}");
        }
    }

    #[test]
    fn same_elements_in_every_encoding() {
        let long = "x".repeat(9_000);
        let links = format!("<link title={long} rel=canonical href=/a media='{long}'>");
        let far = format!("<style>{}</style>{links}", "y".repeat(400_000));
        for page in [links, far] {
            let utf_16 = |unit: fn(u16) -> [u8; 2]| {
                let units = std::iter::once(0xfeff).chain(page.encode_utf16());
                units.flat_map(unit).collect::<Vec<u8>>()
            };
            for bytes in [
                page.clone().into_bytes(),
                utf_16(u16::to_le_bytes),
                utf_16(u16::to_be_bytes),
                [
                    b"<meta charset=windows-1252><title>\xe9</title>",
                    page.as_bytes(),
                ]
                .concat(),
            ] {
                let document = read_as(Markup::Html, &bytes);
                let mut elements = document.metadata_elements.iter();
                let canonical = elements.find(|element| element.is_canonical());
                let canonical = canonical.expect("the page has a canonical link");
                assert_eq!(
                    canonical.attribute("href"),
                    Some("/a"),
                    "{}",
                    document.encoding
                );
                assert!(canonical.in_head);
            }
        }
    }

    #[test]
    fn elements_beyond_the_limit_are_noted() {
        let document = read(&"<meta name=a>".repeat(200_000));
        let note = document.notes.iter();
        let mut note = note.filter(|note| note.code == NoteCode::LinkCount);
        assert!(note.next().is_none(), "one for every four bytes");
        let limits = baseref_document::Limits::default().with_bytes_per_link(usize::MAX);
        let page = "<meta name=a>".repeat(70_000);
        let source = MarkupSource::new(Markup::Html, page.as_bytes(), Origin::new("-"));
        let document = crate::read(source, &options().with_limits(limits));
        assert_eq!(document.metadata_elements.len(), 65_536);
        assert_eq!(document.notes[0].code, NoteCode::LinkCount);
    }

    proptest! {
        /// For any tags, the elements are those of the tree, in tree order.
        #[test]
        fn elements_by_tags_match_tree(tags in proptest::collection::vec(
            (0..16_usize, proptest::bool::ANY), 0..24,
        )) {
            const NAMES: [&str; 16] = [
                "link", "meta", "link", "meta", "noscript", "head", "body", "template", "svg", "table",
                "td", "a", "p", "select", "frameset", "html",
            ];
            let mut page = String::new();
            for (at, (name, ends)) in tags.into_iter().enumerate() {
                let name = NAMES[name];
                let tag = if ends {
                    format!("</{name}>")
                } else {
                    format!("<{name} href={at} rel=canonical content={at}>")
                };
                page.push_str(&tag);
            }
            let options = options();
            let settings = Settings::new(&options);
            let empty = || Document::empty(Origin::new("-"), "UTF-8");
            if let Ok((by_tags, _)) = by_tags(&page, Positions::from_text(&page), empty(), settings) {
                let positions = Positions::from_text(&page);
                let (by_tree, _) = by_tree(&page, positions, empty(), settings, Fallback::Depth);
                let elements = |document: Document| -> Vec<MetadataElement> {
                    document.metadata_elements
                };
                prop_assert_eq!(elements(by_tags), elements(by_tree), "{}", page);
            }
        }
    }
}
