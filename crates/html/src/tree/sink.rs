//! Applies the operations of html5ever's tree builder to our tree.

use std::borrow::Cow;
use std::cell::{Cell, Ref, RefCell};
use std::collections::{HashMap, HashSet};
use std::ops::Range;

use html5ever::interface::{ElemName, ElementFlags, NodeOrText, QuirksMode, TreeSink};
use html5ever::tendril::StrTendril;
use html5ever::{Attribute, LocalName, Namespace, QualName, local_name, ns};

use super::arena::{COMMENT, DOCUMENT, Element, NONE, NodeKind, TEMPLATE_CONTENTS, Tree};
use super::markers::Markers;
use super::stand_ins::{self, Bound};
use crate::names;
use crate::tokenizer::Text;

/// How to parse a document.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "independent choices")]
pub(crate) struct TreeOptions {
    /// Whether the tree keeps the text.
    pub(crate) text: bool,
    /// Whether the tree keeps the positions of the text of scripts and style sheets.
    pub(crate) content: bool,
    /// Whether the tree keeps the positions of comments.
    pub(crate) comments: bool,
    /// Whether it is "an iframe srcdoc document".
    pub(crate) srcdoc: bool,
    /// Whether html5ever is corrected where it departs from the standard.
    pub(crate) corrected: bool,
}

/// The tree builder's sink.
pub(super) struct Sink {
    tree: RefCell<Tree>,
    shadow_roots: RefCell<ShadowRoots>,
    pub(super) markers: RefCell<Markers>,
    /// The name and offset of the start tag that is being processed.
    pub(super) current: RefCell<Option<(LocalName, usize)>>,
    /// The work done so far: about one unit per node that the tree builder looked at.
    pub(super) steps: Cell<u64>,
    /// The number of clones made so far.
    clones: Cell<u64>,
    /// The depth of the deepest element.
    pub(super) deepest: Cell<usize>,
    /// Whether the document is in quirks mode.
    pub(super) quirks: Cell<bool>,
    /// Where the comment being processed is.
    pub(super) comment: RefCell<Range<usize>>,
    /// The text being processed, until a script or style sheet takes it.
    pub(super) text: Cell<Option<Text>>,
    /// Whether there is, or was, a special element of MathML or SVG.
    pub(super) has_special: Cell<bool>,
    /// The special elements that are shown as [`Sink::stand_in`].
    pub(super) shown: Cell<Bound>,
    /// The name shown in place of theirs.
    pub(super) stand_in: RefCell<QualName>,
    wants: TreeOptions,
}

impl Sink {
    /// A sink whose tree keeps what is wanted.
    pub(super) fn new(wants: TreeOptions) -> Self {
        Self {
            tree: RefCell::new(Tree::new()),
            shadow_roots: RefCell::default(),
            markers: RefCell::default(),
            current: RefCell::default(),
            steps: Cell::new(0),
            clones: Cell::new(0),
            deepest: Cell::new(0),
            quirks: Cell::new(false),
            comment: RefCell::default(),
            text: Cell::new(None),
            has_special: Cell::new(false),
            shown: Cell::new(stand_ins::NONE_SHOWN),
            stand_in: RefCell::new(stand_ins::stand_in(&local_name!(""))),
            wants,
        }
    }

    /// Counts work done by the tree builder.
    pub(super) fn count(&self, steps: u64) {
        self.steps.set(self.steps.get().saturating_add(steps));
    }

    /// Counts a clone of an element. A small document can cause millions, and each takes memory:
    /// beyond the number found in any real page they are made expensive.
    fn count_clone(&self) {
        const FREE: u64 = 65_536;
        const STEPS: u64 = 512;
        self.clones.set(self.clones.get() + 1);
        if self.clones.get() > FREE {
            self.count(STEPS);
        }
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
                tree.add(NodeKind::Text(start..end))
            }
        };
        tree.link(node, parent, next);
        let depth = tree.node(node).depth as usize;
        self.deepest.set(self.deepest.get().max(depth));
    }

    /// Which special elements are shown as HTML elements while a tag is processed, given the
    /// numbers of the open elements, the current node the last that is not an HTML element.
    pub(super) fn shown_for(&self, tag: stand_ins::Tag<'_>, open: &[u32]) -> Bound {
        let tree = self.tree.borrow();
        let from_top = open.iter().rev();
        tag.shown(from_top.map(|number| (*number, &tree.elements[*number as usize])))
    }

    /// Keeps the current text of a script or style sheet. The tree builder passes such a text
    /// whole, except that U+0000 splits it.
    fn add_content(&self, tree: &mut Tree, parent: u32) {
        if self.wants.content
            && let NodeKind::Element(element) = tree.node(parent).kind
            && let Some(text) = self.text.take()
        {
            tree.contents.push((element, text));
        }
    }
}

/// The shadow roots that the document declares, by nodes.
#[derive(Default)]
struct ShadowRoots {
    hosts: HashSet<u32>,
    /// For each `template` that declares one, the shadow root.
    declared: HashMap<u32, u32>,
}

/// A node as held by the tree builder.
#[derive(Clone, Copy, Debug)]
pub(super) struct Handle {
    node: u32,
    /// Its index among the elements, if it is one.
    pub(super) element: u32,
}

impl Handle {
    fn other(node: u32) -> Self {
        Self {
            node,
            element: NONE,
        }
    }
}

/// An element's name in the form that the tree builder asks for.
#[derive(Debug)]
pub(super) struct Name<'t>(Ref<'t, QualName>);

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
        let tree = self.tree.borrow();
        if target.element < self.shown.get() && tree.elements[target.element as usize].special {
            return Name(self.stand_in.borrow());
        }
        Name(Ref::map(tree, |tree| {
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
        let own = self.current.borrow().as_ref().map(|(_, start)| *start);
        if tag.is_some() && tag != own {
            self.count_clone();
        }
        let mut tree = self.tree.borrow_mut();
        let element = u32::try_from(tree.elements.len()).unwrap_or(NONE);
        let special = stand_ins::is_special(&name);
        if special {
            self.has_special.set(true);
        }
        let shows_option = name.ns == ns!(html) && name.local == local_name!("selectedcontent");
        tree.elements.push(Element {
            name,
            tag,
            special,
            integration_point: flags.mathml_annotation_xml_integration_point,
        });
        let node = tree.add(NodeKind::Element(element));
        if shows_option {
            tree.selected_contents.push(node);
        }
        Handle { node, element }
    }

    fn create_comment(&self, _: StrTendril) -> Handle {
        if !self.wants.comments {
            return Handle::other(COMMENT);
        }
        self.count(1);
        let range = self.comment.borrow().clone();
        Handle::other(self.tree.borrow_mut().add(NodeKind::Comment(range)))
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
        if let Some(root) = self.shadow_roots.borrow().declared.get(&target.node) {
            return Handle::other(*root);
        }
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

    /// DOM "attach a shadow root", with `template` as the declaration. The root is kept as a child of
    /// its host, at the place of the `template`. That the tag has `shadowrootmode` is known.
    fn attach_declarative_shadow(&self, host: &Handle, template: &Handle, _: &[Attribute]) -> bool {
        self.count(1);
        let mut tree = self.tree.borrow_mut();
        let name = &tree.elements[host.element as usize].name;
        let can_be_host = names::Name::from_bytes(name.local.as_bytes()).can_be_shadow_host()
            || names::is_custom_element(&name.local);
        if name.ns != ns!(html) || !can_be_host {
            return false;
        }
        let mut shadow_roots = self.shadow_roots.borrow_mut();
        if !shadow_roots.hosts.insert(host.node) {
            return false;
        }
        let root = tree.add(NodeKind::ShadowRoot);
        tree.link(root, host.node, NONE);
        shadow_roots.declared.insert(template.node, root);
        true
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
