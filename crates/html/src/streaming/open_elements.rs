//! HTML "stack of open elements" and "list of active formatting elements", by names only.

use crate::names::{InScope, Name};
use baseref_document::link_places::Namespace;

/// An open element.
#[derive(Clone, Copy, Debug)]
pub(super) struct OpenElement {
    pub(super) name: Name,
    pub(super) namespace: Namespace,
    pub(super) flags: u8,
    /// The offset of its tag, or of the original's tag if it is a clone; 0 if there is none.
    pub(super) tag: u32,
    /// For a table: the collector's count when it began, or when something was last put before it.
    pub(super) count: u32,
    /// Its entry in the list of active formatting elements; 0 if it never had one.
    pub(super) entry: u32,
    in_scope: InScope,
}

/// It has or had an entry in the list of active formatting elements.
pub(super) const FORMATTING: u8 = 1;
/// The collector takes its content as the text of a link.
pub(super) const ANCHOR: u8 = 2;
/// It was foster-parented before the table it is in.
pub(super) const FOSTERED: u8 = 4;
/// An HTML `template`.
pub(super) const TEMPLATE: u8 = 8;
/// A `MathML` `annotation-xml` that is an HTML integration point.
pub(super) const HTML_ANNOTATION: u8 = 16;
/// The collector takes its text as a style sheet or data.
pub(super) const CONTENT: u8 = 32;
/// It has a shadow root.
pub(super) const SHADOW_HOST: u8 = 64;
/// A `template` whose content is the shadow root of the element around it.
pub(super) const SHADOW_ROOT: u8 = 128;

impl OpenElement {
    /// An element of that name.
    #[inline]
    pub(super) fn new(name: Name, namespace: Namespace) -> Self {
        Self {
            name,
            namespace,
            flags: 0,
            tag: 0,
            count: 0,
            entry: 0,
            in_scope: InScope::default(),
        }
    }

    /// Whether it is the HTML element of that name.
    #[inline]
    pub(super) fn is(&self, name: Name) -> bool {
        self.name == name && self.namespace == Namespace::Html
    }

    /// Whether it is an HTML element with one of these names.
    pub(super) fn is_any(&self, names: &[Name]) -> bool {
        self.namespace == Namespace::Html && names.contains(&self.name)
    }

    /// Whether "have an element in scope" stops at it.
    pub(super) fn bounds_scope(&self) -> bool {
        match self.namespace {
            Namespace::Html => self.name.kind().bounds_scope(),
            _ => self.is_foreign_special(),
        }
    }

    /// "Special".
    pub(super) fn is_special(&self) -> bool {
        match self.namespace {
            Namespace::Html => self.name.kind().is_special(),
            _ => self.is_foreign_special(),
        }
    }

    /// Whether it is a special MathML or SVG element, which also bounds scopes.
    pub(super) fn is_foreign_special(&self) -> bool {
        self.is_math_text() || self.is_svg_html() || self.is_annotation_xml()
    }

    /// A MathML `annotation-xml`.
    pub(super) fn is_annotation_xml(&self) -> bool {
        self.namespace == Namespace::MathMl && self.name == Name::AnnotationXml
    }

    /// "MathML text integration point".
    pub(super) fn is_math_text(&self) -> bool {
        self.namespace == Namespace::MathMl
            && matches!(
                self.name,
                Name::Mi | Name::Mo | Name::Mn | Name::Ms | Name::Mtext
            )
    }

    /// "MathML text integration point" or "HTML integration point".
    pub(super) fn is_integration_point(&self) -> bool {
        self.is_math_text() || self.is_svg_html() || self.flags & HTML_ANNOTATION != 0
    }

    /// "HTML integration point" of SVG.
    pub(super) fn is_svg_html(&self) -> bool {
        self.namespace == Namespace::Svg
            && matches!(self.name, Name::ForeignObject | Name::Desc | Name::Title)
    }
}

/// The open elements, the current node last.
#[derive(Debug)]
pub(super) struct OpenElements {
    elements: Vec<OpenElement>,
}

impl OpenElements {
    pub(super) fn new() -> Self {
        Self {
            elements: Vec::with_capacity(256),
        }
    }

    #[inline]
    pub(super) fn len(&self) -> usize {
        self.elements.len()
    }

    /// The current node.
    #[inline]
    pub(super) fn current(&self) -> Option<&OpenElement> {
        self.elements.last()
    }

    /// Whether the current node is the HTML element of that name.
    #[inline]
    pub(super) fn current_is(&self, name: Name) -> bool {
        self.current().is_some_and(|open| open.is(name))
    }

    /// Whether the current node is not in the HTML namespace.
    #[inline]
    pub(super) fn is_foreign(&self) -> bool {
        self.current()
            .is_some_and(|open| open.namespace != Namespace::Html)
    }

    /// Whether an element of that name is in the scope that the standard uses for it.
    #[inline]
    pub(super) fn has_in_scope(&self, name: Name) -> bool {
        self.current().is_some_and(|open| open.in_scope.has(name))
    }

    #[inline]
    pub(super) fn push(&mut self, mut open: OpenElement) {
        open.in_scope = scope_of(&open, self.current());
        self.elements.push(open);
    }

    #[inline]
    pub(super) fn pop(&mut self) -> Option<OpenElement> {
        self.elements.pop()
    }

    /// Removes an element from below others.
    pub(super) fn remove(&mut self, index: usize) -> OpenElement {
        let removed = self.elements.remove(index);
        self.rescope(index);
        removed
    }

    /// Inserts an element below others.
    pub(super) fn insert(&mut self, index: usize, open: OpenElement) {
        self.elements.insert(index, open);
        self.rescope(index);
    }

    #[inline]
    pub(super) fn get(&self, index: usize) -> Option<&OpenElement> {
        self.elements.get(index)
    }

    pub(super) fn get_mut(&mut self, index: usize) -> Option<&mut OpenElement> {
        self.elements.get_mut(index)
    }

    /// All, the current node last.
    pub(super) fn iter(&self) -> std::slice::Iter<'_, OpenElement> {
        self.elements.iter()
    }

    /// The index of the last element that meets a condition.
    pub(super) fn last(&self, condition: impl FnMut(&OpenElement) -> bool) -> Option<usize> {
        self.elements.iter().rposition(condition)
    }

    fn rescope(&mut self, from: usize) {
        for index in from..self.elements.len() {
            let parent = index.checked_sub(1).map(|parent| &self.elements[parent]);
            self.elements[index].in_scope = scope_of(&self.elements[index], parent);
        }
    }
}

/// The names in scope inside an element, given its parent.
#[inline]
fn scope_of(open: &OpenElement, parent: Option<&OpenElement>) -> InScope {
    let outer = parent.map_or(InScope::default(), |parent| parent.in_scope);
    if open.namespace == Namespace::Html {
        outer.within(open.name.scope())
    } else if open.is_foreign_special() {
        outer.within_integration_point()
    } else {
        outer
    }
}

/// An entry of the list of active formatting elements.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    /// The value of the element's [`OpenElement::entry`]; 0 for a marker.
    pub(super) id: u32,
    pub(super) name: Name,
    /// The offset of its tag.
    pub(super) tag: u32,
    /// Whether its element is open.
    pub(super) open: bool,
    /// Whether the collector took something from its tag.
    pub(super) collected: bool,
}

/// The list of active formatting elements.
#[derive(Debug)]
pub(super) struct ActiveFormatting {
    entries: Vec<Entry>,
    ids: u32,
}

impl ActiveFormatting {
    pub(super) fn new() -> Self {
        Self {
            entries: Vec::with_capacity(16),
            ids: 0,
        }
    }

    #[inline]
    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// "Insert a marker".
    pub(super) fn push_marker(&mut self) {
        self.entries.push(Entry {
            id: 0,
            name: Name::Other,
            tag: 0,
            open: true,
            collected: false,
        });
    }

    /// "Clear the list of active formatting elements up to the last marker".
    pub(super) fn clear_to_marker(&mut self) {
        while let Some(entry) = self.entries.pop() {
            if entry.id == 0 {
                return;
            }
        }
    }

    /// Whether there is something to reconstruct.
    #[inline]
    pub(super) fn is_pending(&self) -> bool {
        self.entries.last().is_some_and(|entry| !entry.open)
    }

    /// The index of the first entry to reconstruct, if there is something.
    pub(super) fn first_pending(&self) -> usize {
        let open = self.entries.iter().rposition(|entry| entry.open);
        open.map_or(0, |open| open + 1)
    }

    /// The id of the last entry; 0 if that is a marker or there is none.
    #[inline]
    pub(super) fn last_id(&self) -> u32 {
        self.entries.last().map_or(0, |entry| entry.id)
    }

    #[inline]
    pub(super) fn pop(&mut self) {
        self.entries.pop();
    }

    /// The id for an element that is added to the list.
    #[inline]
    pub(super) fn next_id(&mut self) -> u32 {
        self.ids += 1;
        self.ids
    }

    #[inline]
    pub(super) fn push(&mut self, entry: Entry) {
        self.entries.push(entry);
    }

    pub(super) fn get(&self, index: usize) -> Option<&Entry> {
        self.entries.get(index)
    }

    pub(super) fn get_mut(&mut self, index: usize) -> Option<&mut Entry> {
        self.entries.get_mut(index)
    }

    pub(super) fn remove(&mut self, index: usize) -> Entry {
        self.entries.remove(index)
    }

    pub(super) fn insert(&mut self, index: usize, entry: Entry) {
        self.entries.insert(index, entry);
    }

    /// The index of the entry with that id.
    #[inline]
    pub(super) fn position(&self, id: u32) -> Option<usize> {
        self.entries.iter().rposition(|entry| entry.id == id)
    }

    /// The index of the last entry of that name after the last marker.
    pub(super) fn last_named(&self, name: Name) -> Option<usize> {
        for (index, entry) in self.entries.iter().enumerate().rev() {
            if entry.id == 0 {
                return None;
            }
            if entry.name == name {
                return Some(index);
            }
        }
        None
    }

    /// The entries of that name after the last marker, with their indexes, the last first.
    pub(super) fn named(&self, name: Name) -> impl Iterator<Item = (usize, &Entry)> {
        let entries = self.entries.iter().enumerate().rev();
        entries
            .take_while(|(_, entry)| entry.id != 0)
            .filter(move |(_, entry)| entry.name == name)
    }

    /// Records that its element was removed from the stack of open elements.
    pub(super) fn closed(&mut self, id: u32) {
        if let Some(index) = self.position(id)
            && let Some(entry) = self.entries.get_mut(index)
        {
            entry.open = false;
        }
    }
}
