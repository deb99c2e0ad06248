//! The tree: nodes in one block of memory, linked by their indexes.

use std::ops::Range;

use html5ever::{QualName, local_name, ns};

use crate::tokenizer::Text;
use baseref_document::link_places;

/// The name given to the tree builder for `isindex`, which it would treat as a special element, as
/// old versions of the standard did. No tokenizer can produce it.
pub(super) const ISINDEX: &str = "isindex ";

/// A document's tree, or the beginning of one.
#[derive(Debug, Default)]
pub(crate) struct Tree {
    nodes: Vec<Node>,
    pub(super) elements: Vec<Element>,
    pub(super) text: String,
    /// Tags whose attributes were added to an existing element (a second `html` or `body`), as
    /// (element, offset of the tag). Sorted by element.
    pub(super) merged: Vec<(u32, usize)>,
    /// The texts that are children of scripts and style sheets, as (element, text). Sorted by
    /// element.
    pub(super) contents: Vec<(u32, Text)>,
    /// The `selectedcontent` elements, as nodes.
    pub(super) selected_contents: Vec<u32>,
}

/// A step of a walk through a tree, in document order.
#[derive(Clone, Debug)]
pub(crate) enum Step<'t> {
    /// Into an element.
    Start(ElementRef<'t>),
    /// Out of it.
    End(ElementRef<'t>),
    /// A text outside scripts and style sheets.
    Text(&'t str),
    /// A comment, as its bytes in the source.
    Comment(Range<usize>),
    /// Into the shadow root of the element that was last entered, at the place of its `template`.
    StartShadowRoot,
    /// Out of it.
    EndShadowRoot,
}

impl Tree {
    /// Walks through the document in tree order. The contents of templates are not part of it.
    pub(crate) fn walk<'t>(&'t self, each: impl FnMut(Step<'t>)) {
        self.walk_below(DOCUMENT, each);
    }

    /// Walks through the contents of all templates.
    pub(crate) fn walk_templates<'t>(&'t self, each: impl FnMut(Step<'t>)) {
        self.walk_below(TEMPLATE_CONTENTS, each);
    }

    /// Walks through what copies of options have replaced.
    pub(crate) fn walk_replaced<'t>(&'t self, each: impl FnMut(Step<'t>)) {
        self.walk_below(REPLACED, each);
    }

    fn walk_below<'t>(&'t self, root: u32, mut each: impl FnMut(Step<'t>)) {
        let mut at = self.nodes[root as usize].first;
        while at != NONE {
            let node = &self.nodes[at as usize];
            match &node.kind {
                NodeKind::Element(index) => each(Step::Start(self.element(*index))),
                NodeKind::Text(range) => each(Step::Text(&self.text[range.clone()])),
                NodeKind::Comment(range) => each(Step::Comment(range.clone())),
                NodeKind::ShadowRoot => each(Step::StartShadowRoot),
                NodeKind::Other => {}
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
            match node.kind {
                NodeKind::Element(index) => each(Step::End(self.element(index))),
                NodeKind::ShadowRoot => each(Step::EndShadowRoot),
                NodeKind::Text(_) | NodeKind::Comment(_) | NodeKind::Other => {}
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

    /// Whether a node is a script or style sheet.
    pub(super) fn is_hidden(&self, parent: u32) -> bool {
        match self.nodes.get(parent as usize).map(|node| &node.kind) {
            Some(NodeKind::Element(index)) => matches!(
                self.elements[*index as usize].name.local,
                local_name!("script") | local_name!("style")
            ),
            _ => false,
        }
    }
}

/// An element of a tree.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ElementRef<'t> {
    tree: &'t Tree,
    index: u32,
}

impl<'t> ElementRef<'t> {
    /// The namespace.
    pub(crate) fn namespace(self) -> link_places::Namespace {
        match self.get().name.ns {
            ns!(svg) => link_places::Namespace::Svg,
            ns!(mathml) => link_places::Namespace::MathMl,
            _ => link_places::Namespace::Html,
        }
    }

    /// The local name: in lower case in HTML, with its capitals in SVG.
    pub(crate) fn local_name(self) -> &'t str {
        match &*self.get().name.local {
            ISINDEX => ISINDEX.trim_ascii_end(),
            name => name,
        }
    }

    /// The offsets of the tags with its attributes, where the first of a name wins: none if the
    /// element is implied, one for nearly all others.
    pub(crate) fn tags(self) -> impl Iterator<Item = usize> {
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
    pub(crate) fn contents(self) -> impl Iterator<Item = Text> {
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

/// The stored data of an element.
#[derive(Debug)]
pub(super) struct Element {
    pub(super) name: QualName,
    /// The offset of the tag it was made for, or its original if it is a clone.
    pub(super) tag: Option<usize>,
    /// Whether it is a `MathML` `annotation-xml` that is an HTML integration point.
    pub(super) integration_point: bool,
    /// Whether it is a special element of `MathML` or SVG.
    pub(super) special: bool,
}

/// A node and its place among the others.
#[derive(Debug)]
pub(super) struct Node {
    pub(super) parent: u32,
    previous: u32,
    pub(super) next: u32,
    pub(super) first: u32,
    last: u32,
    /// How many ancestors it had when it was first inserted.
    pub(super) depth: u32,
    pub(super) kind: NodeKind,
}

/// The kinds of nodes.
#[derive(Clone, Debug)]
pub(super) enum NodeKind {
    Element(u32),
    Text(Range<usize>),
    Comment(Range<usize>),
    ShadowRoot,
    Other,
}

/// No node.
pub(super) const NONE: u32 = u32::MAX;
/// The document.
pub(super) const DOCUMENT: u32 = 0;
/// Stands in for every comment, outside the tree, if comments are not wanted.
pub(super) const COMMENT: u32 = 1;
/// The contents of all templates, outside the document.
pub(super) const TEMPLATE_CONTENTS: u32 = 2;
/// What copies of options have replaced, outside the document.
pub(super) const REPLACED: u32 = 3;

impl Node {
    fn new(kind: NodeKind) -> Self {
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
    /// A tree with nothing but a document node.
    pub(super) fn new() -> Self {
        Self {
            nodes: [
                NodeKind::Other,
                NodeKind::Other,
                NodeKind::Other,
                NodeKind::Other,
            ]
            .map(Node::new)
            .into(),
            ..Self::default()
        }
    }

    /// Creates a node that is not in the tree yet.
    pub(super) fn add(&mut self, kind: NodeKind) -> u32 {
        // The limit on work is reached before there are four billion nodes.
        let index = u32::try_from(self.nodes.len()).unwrap_or(COMMENT);
        self.nodes.push(Node::new(kind));
        index
    }

    /// A node of the tree, to look at.
    pub(super) fn at(&self, index: u32) -> &Node {
        &self.nodes[index as usize]
    }

    /// The element that a node is, if it is one.
    pub(super) fn element_of(&self, node: u32) -> Option<&Element> {
        match self.at(node).kind {
            NodeKind::Element(index) => Some(&self.elements[index as usize]),
            _ => None,
        }
    }

    /// A node of the tree.
    pub(super) fn node(&mut self, index: u32) -> &mut Node {
        &mut self.nodes[index as usize]
    }

    /// Removes a node from its parent.
    pub(super) fn unlink(&mut self, index: u32) {
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

    /// Inserts a node before the child `next`, or last.
    pub(super) fn link(&mut self, index: u32, parent: u32, next: u32) {
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

    /// Moves all children of a node to the end of another's.
    pub(super) fn reparent(&mut self, from: u32, to: u32) {
        while self.node(from).first != NONE {
            let child = self.node(from).first;
            self.unlink(child);
            self.link(child, to, NONE);
        }
    }
}
