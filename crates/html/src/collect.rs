//! Collects what a [`Document`] holds from elements and texts in document order.

mod asides;
mod bases;
mod choices;
mod choose;
mod feed;
mod identifiers;
mod metadata_elements;
mod references;
mod texts;

use std::borrow::Cow;
use std::ops::Range;

pub(super) use self::choices::Parent;
use super::character_reference::Value;
use super::companion_attributes;
use super::data_url::DataUrl;
use super::link_place_index::{self, Choice, Rows, Tables};
use super::link_text::LinkTexts;
use super::names::Name;
use super::tokenizer::{Attribute, Span, Text, Token, Tokenizer, attribute_key, is_of_one_name};
use super::xml::Entities;
use baseref_document::link_places::{Classes, LinkPlace, Namespace};
use baseref_document::{Context, Declaration, Document, Note, NoteCode, ReadOptions};
use baseref_text::decode::position::Positions;

/// Fills a document. Readers call it in document order: when an element begins (first with its
/// attributes, then to say that it is in the document), for text, and when an element ends whose text
/// is wanted.
pub(super) struct Collector<'s, 'o> {
    source: &'s str,
    options: &'o ReadOptions,
    tables: &'static Tables,
    /// The entities of an XML document.
    entities: Option<&'s Entities>,
    positions: Positions<'s>,
    document: Document,
    /// The documents in attributes.
    inner: Vec<EmbeddedSource<'s>>,
    /// The documents in attributes of inert elements.
    inert_inner: Vec<EmbeddedSource<'s>>,
    /// The texts of the open links.
    texts: LinkTexts,
    /// The open scripts and style sheets whose text is wanted, innermost last.
    contents: Vec<OpenContent>,
    /// The comments that come last in the tree: those after the body inside the `html` element, and
    /// those after that element.
    trailing_comments: [Vec<Range<usize>>; 2],
    /// The part of the page being read.
    region: Region,
    /// Whether what is being read is not in the document: the content of a comment, or something
    /// inert. Comments do not nest.
    is_aside: bool,
    /// Whether it is inert: its references go to [`Document::inert`], and nothing else is collected.
    is_inert: bool,
    /// How many shadow roots are open around what is being read.
    shadow_roots: usize,
    /// Whether companion attributes, metadata elements or choices are wanted.
    collects_more: bool,
    /// When browsers ask for the targets of references.
    choices: choices::Choices,
    /// The codes of the notes that are made once.
    noted: Vec<NoteCode>,
    /// The maximum number of links.
    most_links: usize,
    /// How many bytes of tags may still be read again.
    rereading: u64,
    /// The number of `base` elements that are declarations.
    declared: usize,
    /// The number of declarations and links left out by a limit, plus the number of metadata
    /// elements.
    uncounted: usize,
    /// The current element's attributes; the buffer is reused.
    attributes: Vec<Attribute>,
    /// The names of the current element, until its place in the document is clear.
    named: NamingAttributes,
    /// The spans of the collected names, in order.
    names: Vec<Span>,
}

/// How to read a document: the options, and the tables made for them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Settings<'o> {
    pub(super) options: &'o ReadOptions,
    /// The tables of the wanted link places.
    pub(super) tables: &'static Tables,
}

impl<'o> Settings<'o> {
    /// Settings with the tables for the options.
    pub(super) fn new(options: &'o ReadOptions) -> Self {
        let tables = link_place_index::tables(Choice {
            classes: options.classes,
            companion_attributes: options.companion_attributes,
            metadata_elements: options.metadata_elements,
            choices: options.choices,
        });
        Self { options, tables }
    }
}

/// A document in an attribute.
pub(super) enum EmbeddedSource<'s> {
    /// In a `srcdoc` attribute: its source, character references decoded.
    Srcdoc(Cow<'s, str>),
    /// In the URL of a frame.
    Data(DataUrl),
    /// In the text of an element of a feed: its source, character references decoded, and the
    /// `xml:base` values around it, outermost first.
    Content(String, Vec<Declaration>),
}

/// The attributes that may name an element; the first of each kind wins.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct NamingAttributes {
    id: Option<Span>,
    name: Option<Span>,
}

impl NamingAttributes {
    #[inline]
    pub(super) fn take(&mut self, attribute: Attribute) {
        // The keys of short names are their bytes: see `attribute_key`.
        const ID: u64 = u64::from_le_bytes(*b"id\0\0\0\0\0\0");
        const NAME: u64 = u64::from_le_bytes(*b"name\0\0\0\0");
        match attribute.key {
            ID => _ = self.id.get_or_insert(attribute.value),
            NAME => _ = self.name.get_or_insert(attribute.value),
            _ => {}
        }
    }
}

/// The kinds of data collected from an element.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Collected {
    /// Whether anything was.
    pub(super) any: bool,
    /// Whether it is an `a` whose text is wanted: the reader must report its end.
    pub(super) anchor: bool,
    /// Whether it is a script or style sheet with URLs in its text: the reader must report its text
    /// children and its end.
    pub(super) content: bool,
}

/// A part of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Region {
    /// What precedes the body.
    Head,
    /// A `noscript` element of the head.
    HeadNoscript,
    /// The body, or a frameset in its place: policies in it have no effect.
    Body,
}

/// The position in the tree of a comment after the body: it follows everything that is added to the
/// body later.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TrailingComment {
    /// At the end of the `html` element.
    InHtml,
    /// After it.
    AfterHtml,
}

/// The state of the document while something outside it is read.
pub(super) struct SavedState {
    declarations: usize,
    texts: LinkTexts,
    contents: Vec<OpenContent>,
}

#[derive(Clone, Debug)]
struct OpenContent {
    slot: &'static LinkPlace,
    texts: Vec<Text>,
    /// Whether its element is inert.
    is_inert: bool,
}

/// A value and where it occurs.
#[derive(Clone, Copy, Debug)]
struct Occurrence<'p> {
    slot: &'static LinkPlace,
    /// The element's name as reported.
    element: &'p str,
    context: Context,
    /// The offset of its source text.
    start: usize,
    /// Whether it exceeded the limit and was truncated.
    cut: bool,
}

impl<'s, 'o> Collector<'s, 'o> {
    /// A collector into `document`, whose text is `source`.
    pub(super) fn new(
        source: &'s str,
        positions: Positions<'s>,
        mut document: Document,
        Settings { options, tables }: Settings<'o>,
    ) -> Self {
        if options.classes != Classes::default() {
            let references = &mut document.references;
            references.reserve_for(source.len(), options.positions, options.text);
        }
        Self {
            source,
            options,
            tables,
            entities: None,
            positions,
            document,
            inner: Vec::new(),
            inert_inner: Vec::new(),
            texts: LinkTexts::default(),
            contents: Vec::new(),
            trailing_comments: [Vec::new(), Vec::new()],
            region: Region::Head,
            is_aside: false,
            is_inert: false,
            shadow_roots: 0,
            collects_more: options.companion_attributes
                || options.metadata_elements
                || options.choices,
            choices: choices::Choices::default(),
            noted: Vec::new(),
            most_links: options.limits.links_of(source.len()),
            rereading: options
                .limits
                .tree_work
                .saturating_mul(source.len().max(4096) as u64),
            declared: 0,
            uncounted: 0,
            attributes: Vec::new(),
            named: NamingAttributes::default(),
            names: Vec::new(),
        }
    }

    /// Sets the rules for values from now on: those of XML with these entities, or those of HTML.
    pub(super) fn read_values_by(&mut self, entities: Option<&'s Entities>) {
        self.entities = entities;
    }

    /// The attribute value that is written as `raw`.
    #[inline]
    fn decoded(&self, raw: &'s str) -> Value<'s> {
        match self.entities {
            None => Value::from_attribute(raw),
            Some(entities) => entities.value(raw),
        }
    }

    /// Ends the tree: returns the comments that come last in it, in order.
    pub(super) fn end_tree(&mut self) -> impl Iterator<Item = Range<usize>> + use<> {
        self.end_all();
        std::mem::take(&mut self.trailing_comments)
            .into_iter()
            .flatten()
    }

    /// Returns the document, and the documents in it that are still to be read.
    pub(super) fn finish(mut self) -> (Document, Vec<EmbeddedSource<'s>>) {
        self.find_repeated();
        // In a tree, the contents of templates come last.
        let inert = &mut self.document.inert_bases;
        inert.sort_by_key(|base| base.at.byte.start);
        self.inner.append(&mut self.inert_inner);
        (self.document, self.inner)
    }

    /// Ends everything that is open.
    fn end_all(&mut self) {
        while !self.contents.is_empty() {
            self.end_content();
        }
        while self.texts.are_open() {
            self.end_anchor();
        }
    }

    /// Begins an element whose tag is being read. The caller pushes its attributes, at least those
    /// that [`Collector::rows_of`] its name look at.
    #[inline]
    pub(super) fn begin(&mut self) -> &mut Vec<Attribute> {
        self.attributes.clear();
        self.named = NamingAttributes::default();
        &mut self.attributes
    }

    /// Like [`Collector::begin`], but also returns the slots for the attributes that may name the
    /// element.
    #[inline]
    pub(super) fn begin_named(&mut self) -> (&mut Vec<Attribute>, &mut NamingAttributes) {
        self.begin();
        (&mut self.attributes, &mut self.named)
    }

    /// Begins an element that has the attributes of the tags at these offsets.
    pub(super) fn read_attributes(&mut self, tags: impl Iterator<Item = usize>) {
        let source = self.source;
        let wants_names = self.wants_names();
        let mut left = self.rereading;
        let (attributes, named) = self.begin_named();
        for tag in tags {
            if left == 0 {
                attributes.clear();
                let detail =
                    "cloning elements takes too much work: the clones' links are not listed";
                return self.note_once(NoteCode::TreeWork, detail.to_owned(), tag);
            }
            let mut tokenizer = Tokenizer::at(source, tag);
            if let Token::StartTag(_) = tokenizer.next(|| false) {
                tokenizer.attributes(|attribute| {
                    if wants_names {
                        named.take(attribute);
                    }
                    attributes.push(attribute);
                });
            }
            left = left.saturating_sub((tokenizer.offset() - tag) as u64);
        }
        self.rereading = left;
    }

    /// Whether the attributes or text of the current element, which has this name, may be wanted.
    #[inline]
    pub(super) fn may_collect(&self, name: Name) -> bool {
        !self.attributes.is_empty()
            || matches!(name, Name::Script | Name::Style) && self.tables.ask_for_contents()
    }

    /// Whether the current element has an attribute that was asked for.
    #[inline]
    pub(super) fn has_attributes(&self) -> bool {
        !self.attributes.is_empty()
    }

    /// The rows of an HTML element, which say what attributes are wanted.
    #[inline]
    pub(super) fn rows_of(&self, name: Name) -> &'static Rows {
        self.tables.listed_rows(name)
    }

    /// Whether the current element has an attribute that is wanted on an HTML element of that name.
    pub(super) fn found_wanted(&self, name: Name) -> bool {
        let rows = self.tables.listed_rows(name);
        let mut attributes = self.attributes.iter();
        attributes.any(|attribute| rows.attribute_bits(*attribute, self.source) != 0)
    }

    /// A count of everything collected so far.
    pub(super) fn count(&self) -> u32 {
        let document = &self.document;
        let count = document.references.len() + document.declarations.len() + self.inner.len();
        let count = count + self.uncounted;
        u32::try_from(count).unwrap_or(u32::MAX)
    }

    /// Whether the text to come belongs to a link.
    #[inline]
    pub(super) fn in_anchor(&self) -> bool {
        self.texts.are_open()
    }

    /// Whether the text to come may be wanted.
    #[inline]
    pub(super) fn takes_text(&self) -> bool {
        self.in_anchor() || !self.contents.is_empty()
    }

    /// Collects the current element, which comes next in the document; `raw` is its name as written.
    pub(super) fn element(&mut self, namespace: Namespace, name: Name, raw: Span) -> Collected {
        let source = self.source;
        match (namespace, name) {
            (_, Name::Other) => self.element_named(namespace, raw.slice(source)),
            (Namespace::Html, name) => self.listed(name),
            (_, name) => self.element_named(namespace, name.text()),
        }
    }

    /// Collects the current element, which comes next in the document.
    pub(super) fn element_named(&mut self, namespace: Namespace, local_name: &str) -> Collected {
        let name = Name::from_bytes(local_name.as_bytes());
        self.identify(namespace, name);
        if !self.may_collect(name) {
            return Collected::default();
        }
        let rows = self.tables.rows(namespace, local_name);
        self.collect(namespace, name, local_name, rows)
    }

    /// Collects the current element, whose name its namespace has only in another letter case: only
    /// the attributes that any element can have.
    pub(super) fn unknown_element(&mut self, namespace: Namespace, local_name: &str) -> Collected {
        self.identify(namespace, Name::Other);
        let rows = self.tables.rows(namespace, "");
        self.collect(namespace, Name::Other, local_name, rows)
    }

    /// Collects the current HTML element.
    fn listed(&mut self, name: Name) -> Collected {
        let rows = self.tables.listed_rows(name);
        self.collect(Namespace::Html, name, name.text(), rows)
    }

    fn collect(
        &mut self,
        namespace: Namespace,
        name: Name,
        local_name: &str,
        rows: &Rows,
    ) -> Collected {
        if self.has_no_effect_in_shadow_root(namespace, name) {
            return self.collect_inert_in_shadow_root(name);
        }
        let before = self.count();
        match name {
            Name::Base if namespace == Namespace::Html => self.declare(),
            Name::Base => self.note_inert_base(false),
            Name::Meta if namespace == Namespace::Html => self.enforce(),
            Name::Iframe | Name::Frame | Name::Embed if namespace == Namespace::Html => {
                self.frame("src");
            }
            Name::Object if namespace == Namespace::Html => self.frame("data"),
            _ => {}
        }
        let met = rows.met(|deciding| self.value_with(deciding.key, deciding.attr));
        let first = self.document.references.len();
        let references = self.references(rows, met, namespace, local_name);
        if self.collects_more && namespace == Namespace::Html {
            self.collect_more(name, first);
        } else if self.options.choices && namespace == Namespace::Svg {
            self.choose_in_svg(first);
        }
        let anchor = self.options.text && self.open_text(namespace, name, references);
        Collected {
            any: self.count() != before,
            anchor,
            content: self.open_content(rows, met),
        }
    }

    /// Collects the optional data of the current element, whose references begin at `first`.
    #[inline(never)]
    fn collect_more(&mut self, name: Name, first: usize) {
        if self.options.companion_attributes {
            self.record_companions(name, first);
        }
        if self.options.metadata_elements {
            self.describe(name, first);
        }
        if self.options.choices {
            self.choose(name, first);
        }
    }

    /// Records the companion attributes of the current element, whose references begin at `first`.
    fn record_companions(&mut self, name: Name, first: usize) {
        if self.document.references.len() == first {
            return;
        }
        for attr in companion_attributes::names(name) {
            if let Some(value) = self.attribute(attr) {
                let (raw, _) = self.cut(value);
                let value = self.decoded(raw).text;
                self.document.references.push_companion(first, attr, &value);
            }
        }
    }

    /// Collects a clone of the HTML element made for the tag at an offset, without ending the
    /// current element.
    pub(super) fn clone_of(&mut self, tag: usize, name: Name) -> Collected {
        let begun = std::mem::take(&mut self.attributes);
        let named = self.named;
        self.read_attributes(std::iter::once(tag));
        let collected = self.listed(name);
        self.attributes = begun;
        self.named = named;
        collected
    }

    /// Adds a note about what is at an offset.
    pub(super) fn note(&mut self, code: NoteCode, detail: String, offset: usize) {
        let line = Some(self.positions.line(offset));
        self.document
            .notes
            .push(Note::new(code, detail).at_line(line));
    }

    /// An attribute's value truncated to the limit, and whether it was.
    #[inline]
    fn cut(&mut self, value: Span) -> (&'s str, bool) {
        let limit = self.options.limits.attribute;
        let raw = value.slice(self.source);
        if raw.len() <= limit {
            return (raw, false);
        }
        let detail = format!("an attribute value of {} bytes is truncated", raw.len());
        self.note_once(NoteCode::AttributeSize, detail, value.start);
        (&raw[..raw.floor_char_boundary(limit)], true)
    }

    /// The value of the current element's attribute of that name, as written.
    #[inline]
    fn attribute(&self, name: &str) -> Option<Span> {
        self.attribute_with(attribute_key(name.as_bytes()), name)
    }

    /// Finds the attribute by the key of its name, for a caller that has it.
    #[inline]
    fn attribute_with(&self, key: u64, name: &str) -> Option<Span> {
        let is_it = |attribute: &&Attribute| {
            attribute.key == key
                && (is_of_one_name(key)
                    || attribute.name.slice(self.source).eq_ignore_ascii_case(name))
        };
        let attribute = self.attributes.iter().find(is_it)?;
        Some(attribute.value)
    }

    /// The value of the current element's attribute of that name.
    pub(super) fn value_of(&self, name: &str) -> Option<Cow<'s, str>> {
        self.value_with(attribute_key(name.as_bytes()), name)
    }

    /// Finds the value by the key of the name, for a caller that has it.
    #[inline]
    fn value_with(&self, key: u64, name: &str) -> Option<Cow<'s, str>> {
        let value = self.attribute_with(key, name)?;
        Some(self.decoded(value.slice(self.source)).text)
    }

    /// Adds a note unless there is one with this code.
    pub(super) fn note_once(&mut self, code: NoteCode, detail: String, offset: usize) {
        if !self.noted.contains(&code) {
            self.noted.push(code);
            self.note(code, detail, offset);
        }
    }
}

/// Whether elements of this name, in any namespace, have code for content rather than text.
pub(super) fn has_content(local_name: &str) -> bool {
    local_name.eq_ignore_ascii_case("script") || local_name.eq_ignore_ascii_case("style")
}

/// Whether an element is a hyperlink around its text.
pub(super) fn is_anchor(namespace: Namespace, name: Name) -> bool {
    name == Name::A && matches!(namespace, Namespace::Html | Namespace::Svg)
}
