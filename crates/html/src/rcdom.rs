//! The base and links of an existing tree: an [`RcDom`] built by html5ever.
//!
//! The result equals what [`crate::read`] returns for the source of the tree. This is the plainest
//! implementation, and the reference in the engine's tests; the engine is many times faster, needs
//! no tree, and knows each link's position in the source.
//!
//! It is for those who hold an [`RcDom`] already. The authors of `markup5ever_rcdom` wrote that crate for
//! the tests of html5ever: it is "not intended to be a production-quality DOM implementation, and has
//! not been fuzzed or tested against arbitrary, malicious, or nontrivial inputs". To read a page that you
//! do not trust, give its bytes to the reader instead of a tree.

use std::rc::Rc;

use html5ever::tendril::TendrilSink;
use html5ever::tree_builder::TreeBuilderOpts;
use html5ever::{Attribute, ParseOpts, QualName, ns, parse_document};
use markup5ever_rcdom::{Handle, NodeData, RcDom};

use baseref_document::{
    Codebase, Context, Declaration, Document, EmbeddedDocument, Note, NoteCode, Origin, Place,
    Position, Reference,
};
use baseref_text::decode::source::{Markup, MarkupSource};
use baseref_text::grammar;

use crate::data_url::DataUrl;
use crate::link_text::{self, Cut, LinkTexts, TextReferences};
use baseref_document::ReadOptions;
use baseref_document::link_places::{
    CONTENT, Class, Grammar, LinkPlace, LinkPlaceSelection, Namespace, RelativeTo,
};

/// The document of a tree, retrieved from `url` (RFC 1808 §3.3) if known: its links in tree order,
/// and the documents in its `srcdoc` attributes.
///
/// A tree does not know its source: references have no position, bases are placed at the first
/// byte, and [`ReadOptions::marks`] and [`ReadOptions::identifiers`] find nothing.
///
/// # Examples
/// ```
/// use baseref_document::ReadOptions;
/// use html5ever::tendril::TendrilSink;
/// use markup5ever_rcdom::RcDom;
///
/// let dom = html5ever::parse_document(RcDom::default(), html5ever::ParseOpts::default())
///     .one("<base href=http://a/b/><a href=../c>up</a>");
/// let document = baseref_html::rcdom::document(&dom, None, &ReadOptions::default());
/// assert_eq!(&*document.declarations[0].value, "http://a/b/");
/// assert_eq!(document.references.len(), 1);
/// ```
#[must_use]
pub fn document(dom: &RcDom, url: Option<&str>, options: &ReadOptions) -> Document {
    let wanted = LinkPlaceSelection::new(options.classes);
    let mut document = Document::empty(Origin::new(url.unwrap_or("-")), "UTF-8");
    document
        .declarations
        .extend(url.map(Declaration::retrieved_from));
    Walk::new(document, &wanted, options).document(dom)
}

/// A walk through one tree.
struct Walk<'w> {
    document: Document,
    wanted: &'w LinkPlaceSelection,
    options: &'w ReadOptions,
    texts: LinkTexts,
    /// The steps left, last first.
    steps: Vec<Step>,
    /// The body has begun: policies in it have no effect.
    in_body: bool,
    inner: Vec<EmbeddedSource>,
}

/// A document in an attribute.
enum EmbeddedSource {
    /// In a `srcdoc` attribute.
    Srcdoc(String),
    /// In the URL of a frame.
    Data(DataUrl),
}

enum Step {
    /// A node, and whether it is a child of a script or style sheet.
    Node(Handle, bool),
    /// The end of an `a` whose text is wanted.
    EndOfAnchor,
    /// The end of an element whose text holds URLs.
    EndOfContent(&'static LinkPlace, Handle),
}

impl<'w> Walk<'w> {
    fn new(document: Document, wanted: &'w LinkPlaceSelection, options: &'w ReadOptions) -> Self {
        Self {
            document,
            wanted,
            options,
            texts: LinkTexts::default(),
            steps: Vec::new(),
            in_body: false,
            inner: Vec::new(),
        }
    }

    fn document(mut self, dom: &RcDom) -> Document {
        self.steps.push(Step::Node(Rc::clone(&dom.document), false));
        while let Some(step) = self.steps.pop() {
            match step {
                Step::Node(node, of_content) => self.node(&node, of_content),
                Step::EndOfAnchor => self.end_anchor(),
                Step::EndOfContent(slot, node) => {
                    let context = Context::Document;
                    let element = slot.element;
                    self.urls(slot, element, context, &text_of(&node));
                }
            }
        }
        let (mut srcdocs, mut data_urls) = (1.., 1..);
        for inner in &self.inner {
            let read = match inner {
                EmbeddedSource::Srcdoc(srcdoc) => {
                    let number = srcdocs.next().unwrap_or_default();
                    let origin = self
                        .document
                        .origin
                        .embedded(EmbeddedDocument::Srcdoc(number));
                    let inner = Document::empty(origin, "UTF-8");
                    Walk::new(inner, self.wanted, self.options).document(&parsed(srcdoc))
                }
                // A `data:` URL holds bytes, in any encoding.
                EmbeddedSource::Data(data) => {
                    let number = data_urls.next().unwrap_or_default();
                    let origin = self
                        .document
                        .origin
                        .embedded(EmbeddedDocument::Data(number));
                    let options = self.options.clone().with_positions(false);
                    crate::read(data.source(origin), &options)
                }
            };
            self.document.embedded.push(read);
        }
        self.document
    }

    fn node(&mut self, node: &Handle, of_content: bool) {
        match &node.data {
            NodeData::Text { contents } => {
                if !of_content && self.texts.are_open() {
                    self.texts.push(&contents.borrow());
                }
            }
            NodeData::Comment { contents } => self.comment(contents),
            NodeData::Element { name, attrs, .. } => {
                self.element(node, name, &attrs.borrow());
                let of_content = matches!(&*name.local, "script" | "style");
                self.children(node, of_content);
            }
            _ => self.children(node, false),
        }
    }

    fn children(&mut self, node: &Handle, of_content: bool) {
        let children = node.children.borrow();
        let children = children.iter().rev().cloned();
        self.steps
            .extend(children.map(|child| Step::Node(child, of_content)));
    }

    fn element(&mut self, node: &Handle, name: &QualName, attrs: &[Attribute]) {
        let local = &*name.local;
        let Some(namespace) = namespace(name) else {
            return;
        };
        if namespace == Namespace::Html {
            match local {
                "base" => self.declare(attrs),
                "meta" => self.enforce(attrs),
                "title" => self.title(node),
                "body" | "frameset" => self.in_body = true,
                "iframe" | "frame" | "embed" => self.frame(attrs, "src"),
                "object" => self.frame(attrs, "data"),
                _ => {}
            }
        }
        let slots: Vec<_> = self.wanted.rows(namespace, local).collect();
        let of_text = self.attributes(&slots, local, attrs);
        self.open_text(namespace, local, attrs, of_text);
        let mut contents = slots.iter().filter(|slot| slot.attr == CONTENT);
        let content = contents.find(|slot| slot.condition.is_met(|attr| value_of(attrs, attr)));
        if let Some(slot) = content {
            let step = Step::EndOfContent(slot, Rc::clone(node));
            self.steps.push(step);
        }
    }

    /// Pushes the references in an element's attributes, in order; returns the indices of those
    /// that have a text.
    fn attributes(
        &mut self,
        slots: &[&'static LinkPlace],
        element: &str,
        attrs: &[Attribute],
    ) -> TextReferences {
        let mut of_text = [None; 2];
        let mut codebase = None;
        for attr in attrs {
            let mut slots = slots
                .iter()
                .filter(|slot| slot.attr != CONTENT && is_named(&attr.name, slot.attr));
            // An attribute is the first of its possible places whose condition is met.
            let met =
                |slot: &&&'static LinkPlace| slot.condition.is_met(|name| value_of(attrs, name));
            let Some(slot) = slots.find(met) else {
                continue;
            };
            if slot.class == Class::Anchor
                && let Some(place) = of_text.iter_mut().find(|place| place.is_none())
            {
                *place = Some(self.document.references.len());
            }
            let context = match slot.relative_to {
                RelativeTo::Outside => Context::Outside,
                RelativeTo::Codebase => {
                    *codebase.get_or_insert_with(|| self.codebase(slot.element, attrs))
                }
                _ => Context::Document,
            };
            match slot.grammar {
                Grammar::Html => self.embed(EmbeddedSource::Srcdoc(attr.value.to_string())),
                Grammar::Url => self.push(slot, element, context, &attr.value),
                _ => self.urls(slot, element, context, &attr.value),
            }
        }
        of_text
    }

    fn urls(&mut self, slot: &'static LinkPlace, element: &str, context: Context, value: &str) {
        let value = self.cut(value).0;
        let grammar = slot.grammar;
        let read = grammar::each_url(grammar, value, |url, _| {
            let context = match grammar {
                // CSS Values 4 §4.5.1 "fragment URLs".
                Grammar::Css if url.starts_with('#') => Context::Outside,
                _ => context,
            };
            self.push(slot, element, context, url);
        });
        if let Err(reason) = read {
            let detail = format!("the text of a {element} is not JSON: {reason}");
            self.note_once(NoteCode::JsonInvalid, detail);
        }
    }

    fn push(&mut self, slot: &'static LinkPlace, element: &str, context: Context, value: &str) {
        let (value, cut) = self.cut(value);
        self.document.references.push(Reference {
            slot,
            element,
            attr: slot.attr,
            value,
            text: None,
            context,
            at: None,
            cut,
        });
    }

    /// A value truncated to the limit, and whether that cut it.
    fn cut<'v>(&mut self, value: &'v str) -> (&'v str, bool) {
        let limit = self.options.limits.attribute;
        if value.len() <= limit {
            return (value, false);
        }
        let detail = format!("an attribute value of {} bytes is truncated", value.len());
        self.note_once(NoteCode::AttributeSize, detail);
        (&value[..value.floor_char_boundary(limit)], true)
    }

    /// The document in the URL of a frame, if there is one and no `srcdoc` overrides it.
    fn frame(&mut self, attrs: &[Attribute], attr: &str) {
        let url = value_of(attrs, attr).filter(|_| value_of(attrs, "srcdoc").is_none());
        if let Some(url) = url
            && let (url, false) = self.cut(url)
            && let Some(data) = DataUrl::parse(url)
        {
            self.embed(EmbeddedSource::Data(data));
        }
    }

    fn embed(&mut self, inner: EmbeddedSource) {
        if self.document.origin.embedded.len() < self.options.limits.srcdoc_depth {
            self.inner.push(inner);
        } else {
            let detail = "a document in an attribute is nested too deeply and is not read";
            self.note_once(NoteCode::SrcdocDepth, detail.to_owned());
        }
    }

    /// The declaration of a `base` element, if it has an `href`.
    fn declare(&mut self, attrs: &[Attribute]) {
        if let Some(href) = value_of(attrs, "href") {
            self.document
                .declarations
                .push(Declaration::new(href, Place::Element(Position::default())));
        }
    }

    /// HTML "Content security policy state", for a `meta` element in the head before any base.
    fn enforce(&mut self, attrs: &[Attribute]) {
        let mut declarations = self.document.declarations.iter();
        let is_late = declarations.any(|declaration| matches!(declaration.at, Place::Element(_)));
        let is_policy = value_of(attrs, "http-equiv")
            .is_some_and(|name| name.eq_ignore_ascii_case("content-security-policy"));
        if let Some(policy) = value_of(attrs, "content")
            && is_policy
            && !is_late
            && !self.in_body
        {
            self.document.policies.push(policy.into());
        }
    }

    /// HTML "document.title": the first `title` element wins.
    fn title(&mut self, node: &Handle) {
        if self.options.metadata && self.document.metadata.title.is_none() {
            let title = link_text::title(&text_of(node), self.options.limits.text);
            self.document.metadata.title = Some(title);
        }
    }

    fn codebase(&mut self, element: &'static str, attrs: &[Attribute]) -> Context {
        let codebase = value_of(attrs, "codebase");
        let index = u32::try_from(self.document.codebases.len());
        let (Some(value), Ok(index)) = (codebase, index) else {
            return Context::Document;
        };
        self.document.codebases.push(Codebase {
            value: value.to_owned(),
            element,
            at: Position::default(),
        });
        Context::Codebase(index)
    }

    /// Begins the text of an element's references, and adds what the element itself contributes to
    /// the texts around it.
    fn open_text(
        &mut self,
        namespace: Namespace,
        local: &str,
        attrs: &[Attribute],
        of_text: TextReferences,
    ) {
        if !self.options.text {
            return;
        }
        let is_html = namespace == Namespace::Html;
        let alt = || value_of(attrs, "alt").unwrap_or_default();
        if is_html && local == "img" && self.texts.are_open() {
            self.texts.push(alt());
        }
        if of_text[0].is_none() {
            return;
        }
        if local == "a" && namespace != Namespace::MathMl {
            self.texts.begin(of_text, 0);
            self.steps.push(Step::EndOfAnchor);
        } else if is_html && local == "area" {
            // `area` has no text content: its `alt` stands in for it.
            let links = &mut self.document.references;
            let cut = self
                .texts
                .set(of_text, alt(), self.options.limits.text, links);
            self.note_cut(cut);
        }
    }

    fn end_anchor(&mut self) {
        let links = &mut self.document.references;
        if let Some((cut, _)) = self.texts.end(self.options.limits.text, links) {
            self.note_cut(cut);
        }
    }

    fn note_cut(&mut self, cut: Option<Cut>) {
        if let Some(Cut { length }) = cut {
            let detail = format!("a link text of {length} bytes is truncated");
            self.note_once(NoteCode::TextSize, detail);
        }
    }

    /// Reads the content of a conditional comment in place. It is a fragment rather than a
    /// document, so the engine reads it as written.
    fn comment(&mut self, contents: &str) {
        if !self.options.comments || !contents.starts_with("[if") {
            return;
        }
        let written = format!("<!--{contents}-->");
        let options = self.options.clone();
        let options = options
            .with_positions(false)
            .with_marks(false)
            .with_identifiers(false);
        let read = crate::read(
            MarkupSource {
                charset: Some("utf-8"),
                ..MarkupSource::new(
                    Markup::Html,
                    written.as_bytes(),
                    self.document.origin.clone(),
                )
            },
            &options,
        );
        self.document.references.extend(&read.references);
        self.document.embedded.extend(read.embedded);
    }

    fn note_once(&mut self, code: NoteCode, detail: String) {
        if self.document.notes.iter().all(|note| note.code != code) {
            let line = None;
            self.document
                .notes
                .push(Note::new(code, detail).at_line(line));
        }
    }
}

/// The tree of the document in a `srcdoc` attribute.
fn parsed(srcdoc: &str) -> RcDom {
    let options = ParseOpts {
        tree_builder: TreeBuilderOpts {
            scripting_enabled: false,
            iframe_srcdoc: true,
            ..TreeBuilderOpts::default()
        },
        ..ParseOpts::default()
    };
    parse_document(RcDom::default(), options).one(srcdoc)
}

/// The text nodes among an element's children, joined.
fn text_of(node: &Handle) -> String {
    let mut text = String::new();
    for child in node.children.borrow().iter() {
        if let NodeData::Text { contents } = &child.data {
            text.push_str(&contents.borrow());
        }
    }
    text
}

fn namespace(name: &QualName) -> Option<Namespace> {
    match name.ns {
        ns!(html) => Some(Namespace::Html),
        ns!(svg) => Some(Namespace::Svg),
        ns!(mathml) => Some(Namespace::MathMl),
        _ => None,
    }
}

fn is_named(name: &QualName, attr: &str) -> bool {
    match attr.strip_prefix("xlink:") {
        Some(local) => name.ns == ns!(xlink) && &*name.local == local,
        None => name.ns == ns!() && &*name.local == attr,
    }
}

fn value_of<'a>(attrs: &'a [Attribute], name: &str) -> Option<&'a str> {
    let attr = attrs.iter().find(|attr| is_named(&attr.name, name));
    attr.map(|attr| &*attr.value)
}
