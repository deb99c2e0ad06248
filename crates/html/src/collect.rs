//! Collects what a [`Document`] holds from elements and texts in document order.

mod feed;
mod metadata_elements;

use std::borrow::Cow;
use std::ops::Range;

use memchr::{memmem, memrchr_iter};

use super::beside;
use super::character_reference::{Null, Value, decode_text};
use super::data_url::DataUrl;
use super::link_place_index::{self, Choice, Rows, Tables};
use super::link_text::{self, Cut, LinkTexts};
use super::names::{self, Name};
use super::tokenizer::{Attribute, Span, Text, Token, Tokenizer, attribute_key, is_of_one_name};
use super::xml::Entities;
use baseref_document::link_places::{Class, Classes, Grammar, LinkPlace, Namespace, RelativeTo};
use baseref_document::{
    self, Codebase, Context, Declaration, Document, InertBase, Naming, Note, NoteCode, ReadOptions,
    Reference, Repeated,
};
use baseref_text::decode::position::Positions;
use baseref_text::grammar;

/// Fills a document. It is told, in document order, when an element begins (first its attributes,
/// then that it is in the document), when an element whose text is wanted ends, and of the text in
/// between.
pub(super) struct Collector<'s, 'o> {
    source: &'s str,
    options: &'o ReadOptions,
    tables: &'static Tables,
    /// The entities of an XML document.
    entities: Option<&'s Entities>,
    positions: Positions<'s>,
    document: Document,
    inner: Vec<Inner<'s>>,
    /// The documents in attributes of inert elements.
    inert_inner: Vec<Inner<'s>>,
    /// The texts of the open links.
    texts: LinkTexts,
    /// The open scripts and style sheets whose text is wanted, innermost last.
    contents: Vec<OpenContent>,
    /// The comments that come last in the tree: those after the body inside the `html` element, and
    /// those after that element.
    last_comments: [Vec<Range<usize>>; 2],
    /// The part of the page being read.
    region: Region,
    /// What is being read is not in the document: the content of a comment, which do not nest, or
    /// what is inert.
    is_aside: bool,
    /// It is inert: what is collected of it is neither in the document nor elsewhere beside it.
    is_inert: bool,
    noted: Vec<NoteCode>,
    /// The maximum number of links.
    most_links: usize,
    /// How many bytes of tags may still be read again.
    rereading: u64,
    /// How many `base` elements are declarations.
    declared: usize,
    /// How many of them, and of the links, are not listed because there are too many, and how many
    /// metadata elements are listed.
    uncounted: usize,
    /// The current element's attributes; the buffer is reused.
    attributes: Vec<Attribute>,
    /// The names of the current element, until it is known to be in the document.
    named: Named,
    /// Where the collected names are, in order.
    names: Vec<Span>,
}

/// How to read a document: the options, and the tables made for them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Settings<'o> {
    pub(super) options: &'o ReadOptions,
    /// The tables of the wanted places.
    pub(super) tables: &'static Tables,
}

impl<'o> Settings<'o> {
    /// With the tables of the options' classes.
    pub(super) fn of(options: &'o ReadOptions) -> Self {
        let tables = link_place_index::tables(Choice {
            classes: options.classes,
            beside: options.beside,
            metadata_elements: options.metadata_elements,
        });
        Self { options, tables }
    }
}

/// A document in an attribute.
pub(super) enum Inner<'s> {
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
pub(super) struct Named {
    id: Option<Span>,
    name: Option<Span>,
}

impl Named {
    #[inline]
    pub(super) fn take(&mut self, attribute: Attribute) {
        // The keys of names so short: `attribute_key`.
        const ID: u64 = u64::from_le_bytes(*b"id\0\0\0\0\0\0");
        const NAME: u64 = u64::from_le_bytes(*b"name\0\0\0\0");
        match attribute.key {
            ID => _ = self.id.get_or_insert(attribute.value),
            NAME => _ = self.name.get_or_insert(attribute.value),
            _ => {}
        }
    }
}

/// What was collected from an element.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Collected {
    /// Whether anything was.
    pub(super) any: bool,
    /// Whether it is an `a` whose text is wanted: the collector must be told of its end.
    pub(super) anchor: bool,
    /// Whether it is a script or style sheet with URLs in its text: the collector must be told of
    /// its text children and its end.
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

/// Where in the tree a comment after the body goes, which is after everything that is added to the
/// body later.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Last {
    /// At the end of the `html` element.
    InHtml,
    /// After it.
    AfterHtml,
}

/// What is open in the document while something aside from it is read.
pub(super) struct Outside {
    declarations: usize,
    texts: LinkTexts,
    contents: Vec<OpenContent>,
}

#[derive(Clone, Debug)]
struct OpenContent {
    slot: &'static LinkPlace,
    texts: Vec<Text>,
    /// Its element is inert.
    is_inert: bool,
}

/// The place of a value.
#[derive(Clone, Copy, Debug)]
struct Place<'p> {
    slot: &'static LinkPlace,
    /// The element's name as reported.
    element: &'p str,
    context: Context,
    /// The offset of its source text.
    start: usize,
    /// It was truncated because of its length.
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
            last_comments: [Vec::new(), Vec::new()],
            region: Region::Head,
            is_aside: false,
            is_inert: false,
            noted: Vec::new(),
            most_links: options.limits.links_of(source.len()),
            rereading: options
                .limits
                .tree_work
                .saturating_mul(source.len().max(4096) as u64),
            declared: 0,
            uncounted: 0,
            attributes: Vec::new(),
            named: Named::default(),
            names: Vec::new(),
        }
    }

    /// Sets whether values are read by the rules of XML or of HTML from now on.
    pub(super) fn read_values_by(&mut self, entities: Option<&'s Entities>) {
        self.entities = entities;
    }

    /// The attribute value that is written as `raw`.
    #[inline]
    fn decoded(&self, raw: &'s str) -> Value<'s> {
        match self.entities {
            None => Value::of_attribute(raw),
            Some(entities) => entities.value(raw),
        }
    }

    /// Ends the tree: returns the comments that come last in it, in order.
    pub(super) fn end_tree(&mut self) -> impl Iterator<Item = Range<usize>> + use<> {
        self.end_all();
        std::mem::take(&mut self.last_comments)
            .into_iter()
            .flatten()
    }

    /// Returns the document, and the documents in it that are still to be read.
    pub(super) fn finish(mut self) -> (Document, Vec<Inner<'s>>) {
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
        self.named = Named::default();
        &mut self.attributes
    }

    /// Like [`Collector::begin`], and also returns the place for the attributes that may name the
    /// element.
    #[inline]
    pub(super) fn begin_named(&mut self) -> (&mut Vec<Attribute>, &mut Named) {
        self.begin();
        (&mut self.attributes, &mut self.named)
    }

    /// Whether names of elements are wanted.
    #[inline]
    pub(super) fn wants_names(&self) -> bool {
        self.options.identifiers
    }

    /// Whether the current element may have a wanted name.
    #[inline]
    pub(super) fn may_be_named(&self) -> bool {
        self.named.id.is_some() || self.named.name.is_some()
    }

    /// Collects the names of the current element, once: it is in the document.
    #[inline]
    pub(super) fn identify(&mut self, namespace: Namespace, name: Name) {
        if self.may_be_named() {
            self.push_names(namespace, name);
        }
    }

    fn push_names(&mut self, namespace: Namespace, name: Name) {
        let Named { id, name: given } = std::mem::take(&mut self.named);
        if self.is_aside {
            return;
        }
        let naming = match (namespace, name) {
            (Namespace::Html, Name::A) => Some(Naming::Anchor),
            (Namespace::Html, Name::Map) => Some(Naming::Map),
            _ => None,
        };
        let names = [id.map(|id| (Naming::Id, id)), naming.zip(given)];
        let mut first: Option<(Cow<'s, str>, Span)> = None;
        for (naming, span) in names.into_iter().flatten() {
            if span.start == span.end {
                continue;
            }
            let name = self.decoded(span.of(self.source)).text;
            self.document.identifiers.push(naming, &name);
            // The same name twice in one element is no repetition: it has one place.
            let of_first = first.as_ref().filter(|(known, _)| *known == name);
            self.names.push(of_first.map_or(span, |(_, span)| *span));
            first = Some((name, span));
        }
    }

    /// Finds the names that occur more than once, and where. An `a` may have the same `id` and
    /// `name`, and `map` names are a name space of their own.
    fn find_repeated(&mut self) {
        let names = &self.document.identifiers;
        let of_elements = names.hashes().zip(0..);
        let mut hashes: Vec<(u64, usize)> = of_elements
            .filter(|((naming, _), _)| *naming != Naming::Map)
            .map(|((_, hash), number)| (hash, number))
            .collect();
        hashes.sort_unstable();
        let mut repeated = Vec::new();
        for alike in hashes
            .chunk_by(|a, b| a.0 == b.0)
            .filter(|alike| alike.len() > 1)
        {
            let mut tag = 0;
            let first = self.names[alike[0].1];
            for (place, (_, number)) in alike.iter().enumerate() {
                let span = self.names[*number];
                let before = std::mem::replace(&mut tag, self.tag_of(span));
                // A clone has the same place in the source as its original.
                if place > 0 && tag != before {
                    repeated.push((span, first));
                }
            }
        }
        repeated.sort_unstable_by_key(|(span, _)| span.start);
        for (span, first) in repeated {
            let name = self.decoded(span.of(self.source)).text.into_owned();
            let first = self.positions.of(first.start..first.end);
            let at = self.positions.of(span.start..span.end);
            let repeated = &mut self.document.identifiers.repeated;
            repeated.push(Repeated { name, at, first });
        }
    }

    /// The offset of the tag that contains a value, or another offset unique to that tag.
    fn tag_of(&self, value: Span) -> usize {
        memchr::memrchr(b'<', &self.source.as_bytes()[..value.start]).unwrap_or(0)
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

    /// Whether the current element, of that name, may have something of use in its attributes or
    /// text.
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

    /// The rows of an HTML element of that name, which look at its attributes of use.
    #[inline]
    pub(super) fn rows_of(&self, name: Name) -> &'static Rows {
        self.tables.of_listed(name)
    }

    /// Whether the current element has an attribute that is wanted on an HTML element of that name.
    pub(super) fn found_wanted(&self, name: Name) -> bool {
        let rows = self.tables.of_listed(name);
        let mut attributes = self.attributes.iter();
        attributes.any(|attribute| rows.of_attribute(*attribute, self.source) != 0)
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

    /// Collects the current element, at its place in the document; `raw` is its name as written.
    pub(super) fn element(&mut self, namespace: Namespace, name: Name, raw: Span) -> Collected {
        let source = self.source;
        match (namespace, name) {
            (_, Name::Other) => self.element_named(namespace, raw.of(source)),
            (Namespace::Html, name) => self.listed(name),
            (_, name) => self.element_named(namespace, name.text()),
        }
    }

    /// Collects the current element, at its place in the document.
    pub(super) fn element_named(&mut self, namespace: Namespace, local_name: &str) -> Collected {
        let name = Name::of(local_name.as_bytes());
        self.identify(namespace, name);
        if !self.may_collect(name) {
            return Collected::default();
        }
        let rows = self.tables.of(namespace, local_name);
        self.collect(namespace, name, local_name, rows)
    }

    /// Collects the current element, whose name is known in its namespace only in another letter
    /// case: only what any element can have is collected.
    pub(super) fn unknown_element(&mut self, namespace: Namespace, local_name: &str) -> Collected {
        self.identify(namespace, Name::Other);
        let rows = self.tables.of(namespace, "");
        self.collect(namespace, Name::Other, local_name, rows)
    }

    /// Collects the current HTML element.
    fn listed(&mut self, name: Name) -> Collected {
        let rows = self.tables.of_listed(name);
        self.collect(Namespace::Html, name, name.text(), rows)
    }

    fn collect(
        &mut self,
        namespace: Namespace,
        name: Name,
        local_name: &str,
        rows: &Rows,
    ) -> Collected {
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
        let met = rows.met(|asked| self.value_with(asked.key, asked.attr));
        let first = self.document.references.len();
        let references = self.references(rows, met, namespace, local_name);
        if self.options.beside && namespace == Namespace::Html {
            self.keep_beside(name, first);
        }
        if self.options.metadata_elements && namespace == Namespace::Html {
            self.describe(name, first);
        }
        let anchor = self.options.text && self.open_text(namespace, name, references);
        Collected {
            any: self.count() != before,
            anchor,
            content: self.open_content(rows, met),
        }
    }

    /// Keeps the attributes that say more about the references from `first` on, which are those of the
    /// current element.
    #[inline(never)]
    fn keep_beside(&mut self, name: Name, first: usize) {
        if self.document.references.len() == first {
            return;
        }
        for attr in beside::attributes(name) {
            if let Some(value) = self.attribute(attr) {
                let (raw, _) = self.cut(value);
                let value = self.decoded(raw).text;
                self.document.references.push_beside(first, attr, &value);
            }
        }
    }

    /// Opens the text of the current element, if it can hold URLs.
    fn open_content(&mut self, rows: &Rows, met: u64) -> bool {
        let Some(slot) = rows.first(rows.contents & met) else {
            return false;
        };
        self.contents.push(OpenContent {
            slot,
            texts: Vec::new(),
            is_inert: self.is_inert,
        });
        true
    }

    /// Begins the text of an element's references, and adds what the element itself contributes to
    /// the texts around it; returns whether its end must be reported.
    fn open_text(
        &mut self,
        namespace: Namespace,
        name: Name,
        references: [Option<usize>; 2],
    ) -> bool {
        if self.is_inert {
            return false;
        }
        if name == Name::Img
            && namespace == Namespace::Html
            && self.in_anchor()
            && let Some(alt) = self.value_of("alt")
        {
            if self.options.beside {
                self.texts.push_of_image(&alt);
            } else {
                self.texts.push(&alt);
            }
        }
        if references[0].is_none() {
            return false;
        }
        let offset = self.attributes.first().map_or(0, |first| first.value.start);
        if is_anchor(namespace, name) {
            self.texts.begin(references, offset);
            return true;
        }
        if name == Name::Area && namespace == Namespace::Html {
            // `area` has no text content: its `alt` stands in for it.
            let alt = self.value_of("alt").unwrap_or_default();
            let (links, limit) = (&mut self.document.references, self.options.limits.text);
            let cut = self.texts.set(references, &alt, limit, links);
            self.note_cut(cut, offset);
        }
        false
    }

    /// Collects a clone of the HTML element made for the tag at an offset, without ending the
    /// current element.
    pub(super) fn clone_of(&mut self, tag: usize, name: Name) -> Collected {
        let begun = std::mem::take(&mut self.attributes);
        self.read_attributes(std::iter::once(tag));
        let collected = self.listed(name);
        self.attributes = begun;
        collected
    }

    /// Ends the last `a` element collected as [`Collected::anchor`].
    pub(super) fn end_anchor(&mut self) {
        let (links, limit) = (&mut self.document.references, self.options.limits.text);
        if let Some((cut, offset)) = self.texts.end(limit, links) {
            self.note_cut(cut, offset);
        }
    }

    fn note_cut(&mut self, cut: Option<Cut>, offset: usize) {
        if let Some(Cut { length }) = cut {
            let detail = format!("a link text of {length} bytes is truncated");
            self.note_once(NoteCode::TextSize, detail, offset);
        }
    }

    /// Adds a text child of the last script or style sheet collected as [`Collected::content`].
    pub(super) fn content(&mut self, text: Text) {
        if let Some(open) = self.contents.last_mut() {
            open.texts.push(text);
        }
    }

    /// Ends the last script or style sheet collected as [`Collected::content`].
    pub(super) fn end_content(&mut self) {
        let Some(open) = self.contents.pop() else {
            return;
        };
        let OpenContent {
            slot,
            texts,
            is_inert,
        } = open;
        if let Some(first) = texts.first() {
            let place = Place {
                slot,
                element: slot.element,
                context: Context::Document,
                start: first.span.start,
                cut: false,
            };
            let value = Value::of_content(self.source, &texts);
            if is_inert {
                self.inert(|collector| collector.urls(&place, &value));
            } else {
                self.urls(&place, &value);
            }
        }
    }

    /// Begins the content of a comment, at its place in the document, if it is conditional and
    /// wanted: returns a tokenizer that reads it, and what is open outside it, for
    /// [`Collector::end_comment`].
    pub(super) fn begin_comment(
        &mut self,
        comment: Range<usize>,
    ) -> Option<(Tokenizer<'s>, Outside)> {
        if !self.options.comments || self.is_aside {
            return None;
        }
        let content = conditional(&self.source[comment.clone()])?;
        let text = &self.source[..comment.start + content.end];
        let outside = self.begin_aside();
        Some((Tokenizer::at(text, comment.start + content.start), outside))
    }

    /// Ends the content of a comment.
    pub(super) fn end_comment(&mut self, outside: Outside) {
        self.end_aside(outside);
    }

    /// Whether inert references are wanted.
    #[inline]
    pub(super) fn wants_inert(&self) -> bool {
        self.options.inert
    }

    /// Collects the references in what `read` reads as inert ones, without their texts, and the
    /// documents in its attributes; of all else nothing.
    pub(super) fn inert<T>(&mut self, read: impl FnOnce(&mut Self) -> T) -> T {
        if self.is_inert {
            return read(self);
        }
        self.is_inert = true;
        let is_aside = std::mem::replace(&mut self.is_aside, true);
        self.swap_inert();
        let read = read(self);
        self.swap_inert();
        self.is_aside = is_aside;
        self.is_inert = false;
        read
    }

    fn swap_inert(&mut self) {
        let document = &mut self.document;
        std::mem::swap(&mut document.references, &mut document.inert);
    }

    fn begin_aside(&mut self) -> Outside {
        self.is_aside = true;
        Outside {
            declarations: self.document.declarations.len(),
            texts: std::mem::take(&mut self.texts),
            contents: std::mem::take(&mut self.contents),
        }
    }

    /// Declarations in what was read do not apply to the document.
    fn end_aside(&mut self, outside: Outside) {
        self.end_all();
        self.is_aside = false;
        self.texts = outside.texts;
        self.contents = outside.contents;
        self.document.declarations.truncate(outside.declarations);
    }

    /// Adds a comment that comes last in the tree, wherever it is in the source.
    pub(super) fn last_comment(&mut self, comment: Range<usize>, place: Last) {
        if self.options.comments {
            self.last_comments[place as usize].push(comment);
        }
    }

    /// Adds characters of the document outside scripts and style sheets.
    pub(super) fn text(&mut self, text: &str) {
        if self.texts.are_open() {
            self.texts.push(text);
        }
    }

    /// Notes a fact about something at an offset.
    pub(super) fn note(&mut self, code: NoteCode, detail: String, offset: usize) {
        let line = Some(self.positions.line(offset));
        self.document.notes.push(Note { code, detail, line });
    }

    /// Pushes the current element's references, in the order of its attributes; returns the indices
    /// of those that have a text. `met` has the bits of the rows whose conditions are met.
    fn references(
        &mut self,
        rows: &Rows,
        met: u64,
        namespace: Namespace,
        local_name: &str,
    ) -> [Option<usize>; 2] {
        if self.is_full()
            && let Some(first) = self.attributes.first()
        {
            self.leave_out(first.value.start);
            return [None; 2];
        }
        let mut anchor = [None; 2];
        let mut codebase = None;
        let mut done = 0;
        for index in 0..self.attributes.len() {
            let attribute = self.attributes[index];
            // The first attribute of a name wins, and of its rows the first whose condition is met.
            let bits = rows.of_attribute(attribute, self.source) & !done;
            done |= bits;
            let Some(slot) = rows.first(bits & met) else {
                continue;
            };
            if slot.class == Class::Anchor {
                let free = anchor.iter_mut().find(|place| place.is_none());
                if let Some(place) = free {
                    *place = Some(self.document.references.len());
                }
            }
            let context = match slot.relative_to {
                RelativeTo::Document => Context::Document,
                RelativeTo::Outside => Context::Outside,
                RelativeTo::Codebase => {
                    *codebase.get_or_insert_with(|| self.codebase(slot.element))
                }
            };
            let (raw, cut) = self.cut(attribute.value);
            let place = Place {
                slot,
                element: slot.element,
                context,
                start: attribute.value.start,
                cut,
            };
            if slot.element == "*" {
                let element = &*match namespace {
                    // SVG has names with capitals, which only the tree has.
                    Namespace::Svg => names::svg(local_name),
                    _ => lower_case(local_name),
                };
                self.value(&Place { element, ..place }, raw);
            } else {
                self.value(&place, raw);
            }
        }
        anchor
    }

    /// Pushes the references in the value of one attribute.
    #[inline]
    fn value(&mut self, place: &Place<'_>, raw: &'s str) {
        let value = self.decoded(raw);
        match place.slot.grammar {
            Grammar::Html => self.embed(Inner::Srcdoc(value.text), place.start),
            Grammar::Url => self.push(place, &value.text, 0..raw.len()),
            _ => self.urls(place, &value),
        }
    }

    /// Whether the maximum number of links has been reached.
    #[inline]
    fn is_full(&self) -> bool {
        self.document.references.len() >= self.most_links
    }

    /// Leaves out a link at an offset.
    #[inline(never)]
    fn leave_out(&mut self, offset: usize) {
        self.uncounted += 1;
        let detail = format!(
            "the links after the first {} are not listed: they are too many for the size of the \
             document",
            self.most_links
        );
        self.note_once(NoteCode::LinkCount, detail, offset);
    }

    /// Pushes a reference, given its byte range relative to the start of the place.
    #[inline]
    fn push(&mut self, place: &Place<'_>, url: &str, bytes: Range<usize>) {
        if self.is_full() {
            return self.leave_out(place.start + bytes.start);
        }
        let at = self.options.positions.then(|| {
            let start = place.start;
            self.positions.of(start + bytes.start..start + bytes.end)
        });
        self.document.references.push(Reference {
            slot: place.slot,
            element: place.element,
            attr: place.slot.attr,
            value: url,
            text: None,
            context: place.context,
            at: at.as_ref(),
            cut: place.cut,
        });
    }

    /// Pushes the references in a value.
    fn urls(&mut self, place: &Place<'_>, value: &Value<'_>) {
        let grammar = place.slot.grammar;
        let read = grammar::each_url(grammar, &value.text, |url, range| {
            let context = match grammar {
                // CSS Values 4 §4.5.1 "fragment URLs": whatever the base, they point into the
                // document itself.
                Grammar::Css if url.starts_with('#') => Context::Outside,
                _ => place.context,
            };
            self.push(&Place { context, ..*place }, url, value.source_range(range));
        });
        if let Err(reason) = read {
            let detail = format!("the text of a {} is not JSON: {reason}", place.element);
            self.note_once(NoteCode::JsonInvalid, detail, place.start);
        }
    }

    /// Keeps the document in the URL of a frame, if there is one. A `srcdoc` overrides it (HTML
    /// "process the iframe attributes").
    fn frame(&mut self, attr: &'static str) {
        let Some(url) = self.attribute(attr) else {
            return;
        };
        if self.attribute("srcdoc").is_some() {
            return;
        }
        let (raw, is_cut) = self.cut(url);
        let data = DataUrl::parse(&self.decoded(raw).text);
        if let Some(data) = data.filter(|_| !is_cut) {
            self.embed(Inner::Data(data), url.start);
        }
    }

    fn embed(&mut self, inner: Inner<'s>, offset: usize) {
        if self.document.origin.embedded.len() < self.options.limits.srcdoc_depth {
            let all = if self.is_inert {
                &mut self.inert_inner
            } else {
                &mut self.inner
            };
            all.push(inner);
        } else {
            let detail = "a document in an attribute is nested too deeply and is not read";
            self.note_once(NoteCode::SrcdocDepth, detail.to_owned(), offset);
        }
    }

    /// An attribute's value truncated to the limit, and whether that cut it.
    #[inline]
    fn cut(&mut self, value: Span) -> (&'s str, bool) {
        let limit = self.options.limits.attribute;
        let raw = value.of(self.source);
        if raw.len() <= limit {
            return (raw, false);
        }
        let detail = format!("an attribute value of {} bytes is truncated", raw.len());
        self.note_once(NoteCode::AttributeSize, detail, value.start);
        (&raw[..raw.floor_char_boundary(limit)], true)
    }

    /// Whether the text of a `title` element is wanted: the first one in a document wins (HTML
    /// "document.title").
    pub(super) fn wants_title(&self) -> bool {
        (self.options.metadata || self.options.metadata_elements)
            && self.document.metadata.title.is_none()
            && !self.is_aside
    }

    /// Reads the HTML `title` element whose tag is at an offset.
    pub(super) fn title(&mut self, tag: usize) {
        if !self.wants_title() {
            return;
        }
        let mut tokenizer = Tokenizer::at(self.source, tag);
        let _ = tokenizer.next(|| false);
        tokenizer.attributes(|_| {});
        tokenizer.set_content(Name::Title.content());
        let mut title = String::new();
        while let Token::Text(text) = tokenizer.next(|| false) {
            title.push_str(&decode_text(text.span.of(self.source), true, Null::Replace));
        }
        self.set_title(&title);
    }

    /// Sets the title as the tree has it.
    pub(super) fn set_title(&mut self, title: &str) {
        let title = link_text::title(title, self.options.limits.text);
        self.document.metadata.title = Some(title);
    }

    /// The body, or a frameset in its place, begins.
    #[inline]
    pub(super) fn begin_body(&mut self) {
        self.region = Region::Body;
    }

    /// HTML "Content security policy state", for a `meta` element in the head before any base: it
    /// restricts the base.
    fn enforce(&mut self) {
        let declarations = &self.document.declarations;
        let is_late = declarations
            .iter()
            .any(|declaration| matches!(declaration.at, baseref_document::Place::Element(_)));
        if self.region == Region::Body || self.is_aside || is_late {
            return;
        }
        let is_policy = self
            .value_of("http-equiv")
            .is_some_and(|name| name.eq_ignore_ascii_case("content-security-policy"));
        if let Some(content) = self.attribute("content").filter(|_| is_policy) {
            let (raw, _) = self.cut(content);
            let policy = self.decoded(raw).text;
            self.document.policies.push(policy.into());
        }
    }

    /// The declaration of a `base` element, if it has an `href`.
    fn declare(&mut self) {
        if self.is_inert {
            return;
        }
        let Some(href) = self.attribute("href") else {
            return;
        };
        let limit = self.options.limits.declarations;
        if self.declared == limit {
            self.uncounted += 1;
            if !self.is_aside {
                self.note_base_count(href);
            }
            return;
        }
        self.declared += usize::from(!self.is_aside);
        let is_before_body = !self.is_aside && self.region != Region::Body;
        self.document.bases_before_body += usize::from(is_before_body);
        let (raw, _) = self.cut(href);
        let at = self.positions.of(href.start..href.end);
        self.document.declarations.push(Declaration {
            value: self.decoded(raw).text.into(),
            at: baseref_document::Place::Element(at),
        });
    }

    /// Records a `base` element, the current one, that declares nothing.
    #[cold]
    pub(super) fn note_inert_base(&mut self, in_template: bool) {
        let limit = self.options.limits.declarations;
        let Some(href) = self.attribute("href") else {
            return;
        };
        if self.is_aside {
            return;
        }
        if self.document.inert_bases.len() >= limit {
            return self.note_base_count(href);
        }
        let (raw, _) = self.cut(href);
        let at = self.positions.of(href.start..href.end);
        let value = self.decoded(raw).text.into_owned();
        self.document.inert_bases.push(InertBase {
            value,
            at,
            in_template,
        });
    }

    /// Notes that a `base` element is not listed.
    #[cold]
    fn note_base_count(&mut self, href: Span) {
        let limit = self.options.limits.declarations;
        let detail = format!("the `base` elements after the first {limit} are not listed");
        self.note_once(NoteCode::BaseCount, detail, href.start);
    }

    fn codebase(&mut self, element: &'static str) -> Context {
        let Some(codebase) = self.attribute("codebase") else {
            return Context::Document;
        };
        let (raw, _) = self.cut(codebase);
        let at = self.positions.of(codebase.start..codebase.end);
        let Ok(index) = u32::try_from(self.document.codebases.len()) else {
            return Context::Document;
        };
        self.document.codebases.push(Codebase {
            value: self.decoded(raw).text.into_owned(),
            element,
            at,
        });
        Context::Codebase(index)
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
                    || attribute.name.of(self.source).eq_ignore_ascii_case(name))
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
        Some(self.decoded(value.of(self.source)).text)
    }

    /// Notes a fact, the first time.
    pub(super) fn note_once(&mut self, code: NoteCode, detail: String, offset: usize) {
        if !self.noted.contains(&code) {
            self.noted.push(code);
            self.note(code, detail, offset);
        }
    }
}

/// The content of a comment, if it is a downlevel-hidden conditional one: `<!--[if
/// mso]>content<![endif]-->`. Any condition is assumed to be possible.
fn conditional(comment: &str) -> Option<Range<usize>> {
    const BEGIN: &[u8] = b"<!--[if";
    const END: &[u8] = b"<![endif]";
    let bytes = comment.as_bytes();
    if !bytes.get(..BEGIN.len())?.eq_ignore_ascii_case(BEGIN) {
        return None;
    }
    let start = memmem::find(bytes, b"]>")? + b"]>".len();
    let rest = &bytes[start..];
    let length = memrchr_iter(b'<', rest).find(|at| {
        let end = rest.get(*at..at + END.len());
        end.is_some_and(|end| end.eq_ignore_ascii_case(END))
    })?;
    Some(start..start + length)
}

/// Whether the text of an element of that name, in any namespace, is not text of the document.
pub(super) fn has_content(local_name: &str) -> bool {
    local_name.eq_ignore_ascii_case("script") || local_name.eq_ignore_ascii_case("style")
}

/// Whether an element is a hyperlink around its text.
pub(super) fn is_anchor(namespace: Namespace, name: Name) -> bool {
    name == Name::A && matches!(namespace, Namespace::Html | Namespace::Svg)
}

/// A name in ASCII lower case.
fn lower_case(name: &str) -> Cow<'_, str> {
    if name.bytes().any(|byte| byte.is_ascii_uppercase()) {
        Cow::Owned(name.to_ascii_lowercase())
    } else {
        Cow::Borrowed(name)
    }
}
