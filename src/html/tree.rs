//! HTML "tree construction": our tokens drive html5ever's tree builder, and every element
//! knows the tag in the source that it was made for.
//!
//! Departs: the tree is an arena of ours, not RcDom, which calls itself test-only, keeps all
//! attributes and finds a node among its siblings by counting them. RcDom is what the tests
//! hold this tree against.

use std::borrow::Cow;
use std::cell::{Cell, Ref, RefCell};
use std::collections::HashSet;
use std::ops::Range;
use std::sync::OnceLock;

use html5ever::interface::{ElemName, ElementFlags, NodeOrText, QuirksMode, TreeSink};
use html5ever::tendril::{SliceExt, StrTendril};
use html5ever::tokenizer::states::RawKind;
use html5ever::tokenizer::{self, TagKind, TokenSink, TokenSinkResult};
use html5ever::tree_builder::{TreeBuilder, TreeBuilderOpts};
use html5ever::{Attribute, LocalName, Namespace, QualName, local_name, ns};

use super::character_reference::{Null, Value, decode_text};
use super::doctype::Doctype;
use super::formatting::{Formatting, is_formatting};
use super::names;
use super::tokenizer::{Content, TagEnd, TagName, Text, TextKind, Token, Tokenizer};
use crate::document::NoteCode;
use crate::options::Limits;
use crate::slots;

/// How a document is to be parsed.
#[derive(Clone, Copy, Debug)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "what is wanted, each whatever the others are"
)]
pub(super) struct Wants {
    /// Whether the tree keeps the text.
    pub(super) text: bool,
    /// Whether the tree keeps where the text of scripts and style sheets stands.
    pub(super) content: bool,
    /// Whether the tree keeps where comments stand.
    pub(super) comments: bool,
    /// Whether it is "an iframe srcdoc document".
    pub(super) srcdoc: bool,
}

/// What is left where a limit stopped the tree builder.
#[derive(Clone, Debug)]
pub(super) struct Rest<'s> {
    /// The limit.
    pub(super) limit: NoteCode,
    /// The tokenizer after the last token that is in the tree.
    pub(super) tokenizer: Tokenizer<'s>,
}

/// Parses a document: the tree of it, or of its beginning and what is left.
pub(super) fn parse<'s>(
    source: &'s str,
    wants: Wants,
    limits: &Limits,
) -> (Tree, Option<Rest<'s>>) {
    let mut parser = Parser::new(source, wants);
    let steps = limits
        .tree_work
        .saturating_mul(source.len().max(4096) as u64);
    let limit = loop {
        if !parser.token() {
            break None;
        }
        let sink = &parser.builder.sink;
        if sink.deepest.get() > limits.tree_depth {
            break Some(NoteCode::TreeDepth);
        }
        if sink.steps.get() > steps {
            break Some(NoteCode::TreeWork);
        }
    };
    let rest = limit.map(|limit| Rest {
        limit,
        tokenizer: parser.tokenizer,
    });
    (parser.builder.sink.finish(), rest)
}

/// Whether a document with that doctype, as [`Token::Doctype`] has it, is in quirks mode.
pub(super) fn is_quirky(declaration: &str, srcdoc: bool) -> bool {
    let mut parser = Parser::new(
        "",
        Wants {
            text: false,
            content: false,
            comments: false,
            srcdoc,
        },
    );
    parser.doctype(declaration);
    parser.builder.sink.quirks.get()
}

/// The tokenizer and the tree builder that switches its states.
struct Parser<'s> {
    tokenizer: Tokenizer<'s>,
    builder: TreeBuilder<Handle, Sink>,
    formatting: Formatting,
    wants: Wants,
}

impl<'s> Parser<'s> {
    fn new(source: &'s str, wants: Wants) -> Self {
        let options = TreeBuilderOpts {
            scripting_enabled: false,
            iframe_srcdoc: wants.srcdoc,
            drop_doctype: true,
            ..TreeBuilderOpts::default()
        };
        Self {
            tokenizer: Tokenizer::new(source),
            builder: TreeBuilder::new(Sink::new(wants), options),
            formatting: Formatting::default(),
            wants,
        }
    }

    /// Takes one token; false after the last.
    fn token(&mut self) -> bool {
        let builder = &self.builder;
        let foreign = || builder.adjusted_current_node_present_but_not_in_html_namespace();
        let start = self.tokenizer.offset();
        match self.tokenizer.next(foreign) {
            Token::Text(text) => self.text(text),
            Token::StartTag(name) => self.start_tag(name),
            Token::EndTag(name) => self.end_tag(name),
            // Its text is not in our tree, but it parts two texts.
            Token::Comment => {
                *self.builder.sink.comment.borrow_mut() = start..self.tokenizer.offset();
                self.process(tokenizer::CommentToken(StrTendril::new()));
            }
            Token::Doctype(declaration) => self.doctype(declaration.of(self.tokenizer.source())),
            // html5ever's builder takes a parse error for "the next token" after `pre`.
            Token::MissingEndTagName => {
                self.process(tokenizer::ParseError(Cow::Borrowed("missing end tag name")));
            }
            Token::Eof => {
                self.process(tokenizer::EOFToken);
                self.builder.end();
                return false;
            }
        }
        true
    }

    fn doctype(&mut self, declaration: &str) {
        let doctype = Doctype::parse(declaration);
        self.process(tokenizer::DoctypeToken(tokenizer::Doctype {
            name: doctype.name.map(StrTendril::from),
            public_id: doctype.public_id.map(|id| id.as_ref().to_tendril()),
            system_id: doctype.system_id.map(|id| id.as_ref().to_tendril()),
            force_quirks: doctype.force_quirks,
        }));
    }

    fn text(&mut self, text: Text) {
        let (references, null) = match text.kind {
            TextKind::Data => (true, Null::Keep),
            TextKind::Rcdata => (true, Null::Replace),
            TextKind::Raw => (false, Null::Replace),
            TextKind::CdataSection => (false, Null::Keep),
        };
        self.builder.sink.text.set(Some(text));
        let decoded = decode_text(text.span.of(self.tokenizer.source()), references, null);
        for (index, run) in decoded.split('\0').enumerate() {
            if index > 0 {
                self.process(tokenizer::NullCharacterToken);
            }
            if run.is_empty() {
                continue;
            }
            let run = if self.wants.text {
                run.to_tendril()
            } else {
                reduced(run)
            };
            self.process(tokenizer::CharacterTokens(run));
        }
    }

    fn start_tag(&mut self, name: TagName) {
        let source = self.tokenizer.source();
        let local = name_of_tag(name, source);
        let formatting = is_formatting(&local);
        let mut attributes = Attributes::default();
        let end = self.tokenizer.attributes(|attribute| {
            let is = |name: &str| attribute.name.of(source).eq_ignore_ascii_case(name);
            let wanted = match name.name {
                names::Name::Input => is("type"),
                names::Name::AnnotationXml => is("encoding"),
                _ => formatting,
            };
            if wanted {
                let name = local_name(attribute.name.of(source));
                attributes.add(name, attribute.value.of(source));
            }
        });
        if end == TagEnd::Eof {
            return;
        }
        let mut attrs = attributes.list;
        let sink = &self.builder.sink;
        if formatting {
            let compared = self.formatting.start(&local, &attrs);
            sink.count(compared);
            attrs.push(sink.markers.borrow_mut().mark(name.start));
        }
        *sink.current.borrow_mut() = Some((local.clone(), name.start));
        self.tag(TagKind::StartTag, local, attrs, end == TagEnd::SelfClosing);
        self.builder.sink.current.replace(None);
    }

    fn end_tag(&mut self, name: TagName) {
        if self.tokenizer.attributes(|_| {}) == TagEnd::Eof {
            return;
        }
        let local = name_of_tag(name, self.tokenizer.source());
        self.formatting.end(&local);
        self.tag(TagKind::EndTag, local, Vec::new(), false);
    }

    fn tag(&mut self, kind: TagKind, name: LocalName, attrs: Vec<Attribute>, self_closing: bool) {
        self.process(tokenizer::TagToken(tokenizer::Tag {
            kind,
            name,
            self_closing,
            attrs,
            had_duplicate_attributes: false,
        }));
    }

    fn process(&mut self, token: tokenizer::Token) {
        match self.builder.process_token(token, 1) {
            TokenSinkResult::RawData(RawKind::Rcdata) => {
                self.tokenizer.set_content(Content::Rcdata);
            }
            TokenSinkResult::RawData(RawKind::Rawtext) => {
                self.tokenizer.set_content(Content::Rawtext);
            }
            TokenSinkResult::RawData(RawKind::ScriptData | RawKind::ScriptDataEscaped(_)) => {
                self.tokenizer.set_content(Content::ScriptData);
            }
            TokenSinkResult::Plaintext => self.tokenizer.set_content(Content::Plaintext),
            // No script runs, and the encoding is settled before.
            TokenSinkResult::Continue
            | TokenSinkResult::Script(_)
            | TokenSinkResult::EncodingIndicator(_) => {}
        }
    }
}

/// What the tree builder looks at in a text: whether it begins with LF, which is dropped
/// after `pre`, and whether it is blank, with that and without.
fn reduced(text: &str) -> StrTendril {
    let (newline, rest) = match text.strip_prefix('\n') {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let blank = rest.bytes().all(|byte| byte.is_ascii_whitespace());
    match (newline, rest.is_empty(), blank) {
        (true, true, _) => "\n",
        (true, false, true) => "\n ",
        (true, false, false) => "\nx",
        (false, _, true) => " ",
        (false, _, false) => "x",
    }
    .to_tendril()
}

/// The name of a tag or attribute as tree construction knows it: in ASCII lower case and with
/// U+FFFD for U+0000.
pub(super) fn local_name(raw: &str) -> LocalName {
    if raw
        .bytes()
        .any(|byte| byte == 0 || byte.is_ascii_uppercase())
    {
        LocalName::from(raw.replace('\0', "\u{fffd}").to_ascii_lowercase())
    } else {
        LocalName::from(raw)
    }
}

/// The name of a tag.
fn name_of_tag(tag: TagName, source: &str) -> LocalName {
    static LISTED: OnceLock<Vec<LocalName>> = OnceLock::new();
    let listed = LISTED.get_or_init(|| {
        let names = names::Name::all();
        names.map(|name| LocalName::from(name.text())).to_vec()
    });
    match (tag.name, listed.get(tag.name as usize)) {
        (names::Name::Other, _) | (_, None) => local_name(tag.span.of(source)),
        (_, Some(name)) => name.clone(),
    }
}

/// The attributes of one tag for the tree builder: of one name the first.
#[derive(Default)]
struct Attributes {
    list: Vec<Attribute>,
    /// The names, once there are too many to look through.
    names: HashSet<LocalName>,
}

impl Attributes {
    const FEW: usize = 16;

    fn add(&mut self, name: LocalName, raw: &str) {
        let known = if self.list.len() < Self::FEW {
            self.list.iter().any(|other| other.name.local == name)
        } else {
            if self.names.is_empty() {
                let names = self.list.iter().map(|other| other.name.local.clone());
                self.names.extend(names);
            }
            !self.names.insert(name.clone())
        };
        if !known {
            self.list.push(Attribute {
                name: QualName::new(None, ns!(), name),
                value: Value::of_attribute(raw).text.as_ref().to_tendril(),
            });
        }
    }
}

/// A document's tree, or the beginning of one.
#[derive(Debug, Default)]
pub(super) struct Tree {
    nodes: Vec<Node>,
    elements: Vec<Element>,
    text: String,
    /// Tags whose attributes were added to an element that had its own already, as (element,
    /// offset of the tag): a second `html` or `body`. Sorted by element.
    merged: Vec<(u32, usize)>,
    /// The texts that are children of scripts and style sheets, as (element, text). Sorted by
    /// element.
    contents: Vec<(u32, Text)>,
}

/// A step of a walk through a tree, in document order.
#[derive(Clone, Debug)]
pub(super) enum Step<'t> {
    /// Into an element.
    Start(ElementRef<'t>),
    /// Out of it.
    End(ElementRef<'t>),
    /// A text that is not of a script or style sheet.
    Text(&'t str),
    /// A comment, as its bytes in the source.
    Comment(Range<usize>),
}

impl Tree {
    /// Walks through the document in tree order. Templates' contents are not in it.
    pub(super) fn walk<'t>(&'t self, mut each: impl FnMut(Step<'t>)) {
        let mut at = self.nodes[DOCUMENT as usize].first;
        while at != NONE {
            let node = &self.nodes[at as usize];
            match &node.kind {
                Kind::Element(index) => each(Step::Start(self.element(*index))),
                Kind::Text(range) => each(Step::Text(&self.text[range.clone()])),
                Kind::Comment(range) => each(Step::Comment(range.clone())),
                Kind::Other => {}
            }
            if node.first != NONE {
                at = node.first;
                continue;
            }
            at = self.leave(at, &mut each);
        }
    }

    /// The node after the subtree at `at`.
    fn leave<'t>(&'t self, mut at: u32, each: &mut impl FnMut(Step<'t>)) -> u32 {
        loop {
            let node = &self.nodes[at as usize];
            if let Kind::Element(index) = node.kind {
                each(Step::End(self.element(index)));
            }
            if node.next != NONE || node.parent == NONE {
                return node.next;
            }
            at = node.parent;
        }
    }

    fn element(&self, index: u32) -> ElementRef<'_> {
        ElementRef { tree: self, index }
    }

    fn is_hidden(&self, parent: u32) -> bool {
        match self.nodes.get(parent as usize).map(|node| &node.kind) {
            Some(Kind::Element(index)) => matches!(
                self.elements[*index as usize].name.local,
                local_name!("script") | local_name!("style")
            ),
            _ => false,
        }
    }
}

/// An element of a tree.
#[derive(Clone, Copy, Debug)]
pub(super) struct ElementRef<'t> {
    tree: &'t Tree,
    index: u32,
}

impl<'t> ElementRef<'t> {
    /// The namespace.
    pub(super) fn namespace(self) -> slots::Namespace {
        match self.get().name.ns {
            ns!(svg) => slots::Namespace::Svg,
            ns!(mathml) => slots::Namespace::MathMl,
            _ => slots::Namespace::Html,
        }
    }

    /// The local name: in lower case in HTML, with its capitals in SVG.
    pub(super) fn local_name(self) -> &'t str {
        &self.get().name.local
    }

    /// The offsets of the tags that its attributes come from, the first one winning: none if
    /// the tree builder made the element up, one for nearly all others.
    pub(super) fn tags(self) -> impl Iterator<Item = usize> {
        let merged = &self.tree.merged;
        let start = merged.partition_point(|(element, _)| *element < self.index);
        let merged = merged[start..].iter();
        let merged = merged.take_while(move |(element, _)| *element == self.index);
        self.get()
            .tag
            .into_iter()
            .chain(merged.map(|(_, tag)| *tag))
    }

    /// The texts in it, if it is a script or style sheet.
    pub(super) fn contents(self) -> impl Iterator<Item = Text> {
        let contents = &self.tree.contents;
        let start = contents.partition_point(|(element, _)| *element < self.index);
        let contents = contents[start..].iter();
        let contents = contents.take_while(move |(element, _)| *element == self.index);
        contents.map(|(_, text)| *text)
    }

    fn get(self) -> &'t Element {
        &self.tree.elements[self.index as usize]
    }
}

#[derive(Debug)]
struct Element {
    name: QualName,
    /// The offset of the tag it was made for, or its original if it is a clone.
    tag: Option<usize>,
    /// Whether it is a `MathML` `annotation-xml` that is an HTML integration point.
    integration_point: bool,
}

#[derive(Debug)]
struct Node {
    parent: u32,
    previous: u32,
    next: u32,
    first: u32,
    last: u32,
    /// How many ancestors it had when it was put where it is first.
    depth: u32,
    kind: Kind,
}

#[derive(Debug)]
enum Kind {
    Element(u32),
    Text(Range<usize>),
    Comment(Range<usize>),
    Other,
}

/// No node.
const NONE: u32 = u32::MAX;
/// The document.
const DOCUMENT: u32 = 0;
/// Stands for every comment and is nowhere, where comments are not wanted.
const COMMENT: u32 = 1;
/// The contents of all templates, outside the document.
const TEMPLATE_CONTENTS: u32 = 2;

impl Node {
    fn new(kind: Kind) -> Self {
        Self {
            parent: NONE,
            previous: NONE,
            next: NONE,
            first: NONE,
            last: NONE,
            depth: 0,
            kind,
        }
    }
}

impl Tree {
    fn new() -> Self {
        Self {
            nodes: [Kind::Other, Kind::Other, Kind::Other]
                .map(Node::new)
                .into(),
            ..Self::default()
        }
    }

    fn add(&mut self, kind: Kind) -> u32 {
        // Four billion nodes do not fit in the limit on the work that makes them.
        let index = u32::try_from(self.nodes.len()).unwrap_or(COMMENT);
        self.nodes.push(Node::new(kind));
        index
    }

    fn node(&mut self, index: u32) -> &mut Node {
        &mut self.nodes[index as usize]
    }

    fn unlink(&mut self, index: u32) {
        let Node {
            parent,
            previous,
            next,
            ..
        } = *self.node(index);
        match previous {
            NONE if parent == NONE => return,
            NONE => self.node(parent).first = next,
            _ => self.node(previous).next = next,
        }
        match next {
            NONE => self.node(parent).last = previous,
            _ => self.node(next).previous = previous,
        }
        let node = self.node(index);
        (node.parent, node.previous, node.next) = (NONE, NONE, NONE);
    }

    /// Puts a node in before the child `next`, or last.
    fn link(&mut self, index: u32, parent: u32, next: u32) {
        let depth = self.node(parent).depth + 1;
        let previous = match next {
            NONE => std::mem::replace(&mut self.node(parent).last, index),
            _ => std::mem::replace(&mut self.node(next).previous, index),
        };
        match previous {
            NONE => self.node(parent).first = index,
            _ => self.node(previous).next = index,
        }
        let node = self.node(index);
        (node.parent, node.previous, node.next) = (parent, previous, next);
        node.depth = depth;
    }

    fn reparent(&mut self, from: u32, to: u32) {
        while self.node(from).first != NONE {
            let child = self.node(from).first;
            self.unlink(child);
            self.link(child, to, NONE);
        }
    }
}

/// Takes the tree builder's orders.
struct Sink {
    tree: RefCell<Tree>,
    markers: RefCell<Markers>,
    /// The name and offset of the start tag that is being processed.
    current: RefCell<Option<(LocalName, usize)>>,
    /// The work done so far: about one for each node that the tree builder looked at.
    steps: Cell<u64>,
    /// The depth of the deepest element.
    deepest: Cell<usize>,
    /// Whether the document is in quirks mode.
    quirks: Cell<bool>,
    /// Where the comment that is being processed stands.
    comment: RefCell<Range<usize>>,
    /// The text that is being processed, until a script or style sheet has it.
    text: Cell<Option<Text>>,
    wants: Wants,
}

impl Sink {
    fn new(wants: Wants) -> Self {
        Self {
            tree: RefCell::new(Tree::new()),
            markers: RefCell::default(),
            current: RefCell::default(),
            steps: Cell::new(0),
            deepest: Cell::new(0),
            quirks: Cell::new(false),
            comment: RefCell::default(),
            text: Cell::new(None),
            wants,
        }
    }

    fn count(&self, steps: u64) {
        self.steps.set(self.steps.get().saturating_add(steps));
    }

    fn insert(&self, child: NodeOrText<Handle>, parent: u32, next: u32) {
        let mut tree = self.tree.borrow_mut();
        let node = match child {
            NodeOrText::AppendNode(child) if child.node == COMMENT => return,
            NodeOrText::AppendNode(child) => {
                tree.unlink(child.node);
                child.node
            }
            NodeOrText::AppendText(_) if tree.is_hidden(parent) => {
                self.add_content(&mut tree, parent);
                return;
            }
            NodeOrText::AppendText(_) if !self.wants.text => return,
            NodeOrText::AppendText(text) => {
                let start = tree.text.len();
                tree.text.push_str(&text);
                let end = tree.text.len();
                tree.add(Kind::Text(start..end))
            }
        };
        tree.link(node, parent, next);
        let depth = tree.node(node).depth as usize;
        self.deepest.set(self.deepest.get().max(depth));
    }

    /// Keeps the current text of a script or style sheet. The tree builder hands over such a
    /// text at once, but what U+0000 parts as several.
    fn add_content(&self, tree: &mut Tree, parent: u32) {
        if self.wants.content
            && let Kind::Element(element) = tree.node(parent).kind
            && let Some(text) = self.text.take()
        {
            tree.contents.push((element, text));
        }
    }
}

/// A node as the tree builder holds it.
#[derive(Clone, Copy, Debug)]
struct Handle {
    node: u32,
    /// Its index among the elements, if it is one.
    element: u32,
}

impl Handle {
    fn other(node: u32) -> Self {
        Self {
            node,
            element: NONE,
        }
    }
}

#[derive(Debug)]
struct Name<'t>(Ref<'t, QualName>);

impl ElemName for Name<'_> {
    fn ns(&self) -> &Namespace {
        &self.0.ns
    }

    fn local_name(&self) -> &LocalName {
        &self.0.local
    }
}

impl TreeSink for Sink {
    type Handle = Handle;
    type Output = Tree;
    type ElemName<'a> = Name<'a>;

    fn finish(self) -> Tree {
        let mut tree = self.tree.into_inner();
        // A stable sort: the first tag to bring an attribute wins.
        tree.merged.sort_by_key(|(element, _)| *element);
        tree.contents.sort_by_key(|(element, _)| *element);
        tree
    }

    fn parse_error(&self, _: Cow<'static, str>) {}

    fn get_document(&self) -> Handle {
        Handle::other(DOCUMENT)
    }

    fn elem_name<'a>(&'a self, target: &'a Handle) -> Name<'a> {
        self.count(1);
        Name(Ref::map(self.tree.borrow(), |tree| {
            &tree.elements[target.element as usize].name
        }))
    }

    fn create_element(&self, name: QualName, attrs: Vec<Attribute>, flags: ElementFlags) -> Handle {
        self.count(1 + attrs.len() as u64);
        let tag = attrs
            .last()
            .and_then(|last| self.markers.borrow().tag(last));
        let tag = tag.or_else(|| match &*self.current.borrow() {
            Some((of, start))
                if *of == name.local
                    || name.ns != ns!(html)
                    || (*of == local_name!("image") && name.local == local_name!("img")) =>
            {
                Some(*start)
            }
            _ => None,
        });
        let mut tree = self.tree.borrow_mut();
        let element = u32::try_from(tree.elements.len()).unwrap_or(NONE);
        tree.elements.push(Element {
            name,
            tag,
            integration_point: flags.mathml_annotation_xml_integration_point,
        });
        let node = tree.add(Kind::Element(element));
        Handle { node, element }
    }

    fn create_comment(&self, _: StrTendril) -> Handle {
        if !self.wants.comments {
            return Handle::other(COMMENT);
        }
        self.count(1);
        let range = self.comment.borrow().clone();
        Handle::other(self.tree.borrow_mut().add(Kind::Comment(range)))
    }

    fn create_pi(&self, _: StrTendril, _: StrTendril) -> Handle {
        Handle::other(COMMENT)
    }

    fn append(&self, parent: &Handle, child: NodeOrText<Handle>) {
        self.insert(child, parent.node, NONE);
    }

    fn append_before_sibling(&self, sibling: &Handle, child: NodeOrText<Handle>) {
        let parent = self.tree.borrow_mut().node(sibling.node).parent;
        if parent != NONE {
            self.insert(child, parent, sibling.node);
        }
    }

    fn append_based_on_parent_node(
        &self,
        element: &Handle,
        prev_element: &Handle,
        child: NodeOrText<Handle>,
    ) {
        let parent = self.tree.borrow_mut().node(element.node).parent;
        match parent {
            NONE => self.insert(child, prev_element.node, NONE),
            _ => self.insert(child, parent, element.node),
        }
    }

    fn append_doctype_to_document(&self, _: StrTendril, _: StrTendril, _: StrTendril) {}

    fn get_template_contents(&self, target: &Handle) -> Handle {
        let mut tree = self.tree.borrow_mut();
        tree.node(TEMPLATE_CONTENTS).depth = tree.node(target.node).depth + 1;
        Handle::other(TEMPLATE_CONTENTS)
    }

    fn same_node(&self, x: &Handle, y: &Handle) -> bool {
        self.count(1);
        x.node == y.node
    }

    fn set_quirks_mode(&self, mode: QuirksMode) {
        self.quirks.set(mode == QuirksMode::Quirks);
    }

    fn add_attrs_if_missing(&self, target: &Handle, _: Vec<Attribute>) {
        if let Some((_, tag)) = &*self.current.borrow() {
            let merged = (target.element, *tag);
            self.tree.borrow_mut().merged.push(merged);
        }
    }

    fn remove_from_parent(&self, target: &Handle) {
        self.tree.borrow_mut().unlink(target.node);
    }

    fn reparent_children(&self, node: &Handle, new_parent: &Handle) {
        self.tree.borrow_mut().reparent(node.node, new_parent.node);
    }

    fn is_mathml_annotation_xml_integration_point(&self, handle: &Handle) -> bool {
        self.tree.borrow().elements[handle.element as usize].integration_point
    }
}

/// Tells the clones of formatting elements from each other: the tree builder hands over the
/// attributes alone, and compares them with each other, so what marks a tag must be equal on
/// all tags. It is: an attribute whose value is a window of nine equal bytes. Clones share the
/// buffer, and where in the buffer the window lies says which tag it marks.
#[derive(Default)]
struct Markers {
    /// Of `x`; each has twice as many windows as the one before.
    buffers: Vec<StrTendril>,
    /// The offsets of the marked tags.
    tags: Vec<usize>,
}

impl Markers {
    /// Bytes of a window: more than a tendril holds in itself, without a buffer.
    const WINDOW: u32 = 9;
    /// Windows of the first buffer.
    const FIRST: usize = 256;
    /// No name that a tokenizer can find.
    const NAME: &str = " ";

    /// A marker for a tag.
    fn mark(&mut self, tag: usize) -> Attribute {
        let mark = self.tags.len();
        self.tags.push(tag);
        if mark >= Self::before(self.buffers.len()) {
            let windows = Self::FIRST << self.buffers.len();
            let buffer = "x".repeat(windows + Self::WINDOW as usize);
            self.buffers.push(buffer.into());
        }
        let last = self.buffers.len() - 1;
        let window = u32::try_from(mark - Self::before(last)).unwrap_or_default();
        Attribute {
            name: QualName::new(None, ns!(), LocalName::from(Self::NAME)),
            value: self.buffers[last].subtendril(window, Self::WINDOW),
        }
    }

    /// The offset of the tag that an attribute marks, if it is a marker.
    fn tag(&self, attribute: &Attribute) -> Option<usize> {
        if *attribute.name.local != *Self::NAME {
            return None;
        }
        let at = attribute.value.as_ptr().addr();
        let in_buffer = |(index, buffer): (usize, &StrTendril)| {
            let window = at.checked_sub(buffer.as_ptr().addr())?;
            let windows = Self::FIRST << index;
            (window < windows).then(|| Self::before(index) + window)
        };
        let mark = self.buffers.iter().enumerate().find_map(in_buffer)?;
        self.tags.get(mark).copied()
    }

    /// The windows in all buffers before the one at `index`.
    fn before(index: usize) -> usize {
        Self::FIRST * ((1 << index) - 1)
    }
}
