//! Inserting elements, and pushing them on and popping them off the "stack of open elements".

use super::open_elements::{
    ANCHOR, CONTENT, FORMATTING, FOSTERED, HTML_ANNOTATION, OpenElement, SHADOW_HOST, SHADOW_ROOT,
    TEMPLATE,
};
use super::{DEPTH, DONE, Reader, Step, Tag};
use crate::collect::{Collected, Parent};
use crate::names::{ElementTraits, Name, declares_shadow_root, ends_name, is_custom_element};
use baseref_document::Fallback;
use baseref_document::link_places::Namespace;

impl Reader<'_, '_, '_> {
    /// "Insert an HTML element".
    #[inline]
    pub(super) fn insert(&mut self, tag: Tag) -> Result<(), Fallback> {
        let mut open = OpenElement::new(tag.name, Namespace::Html);
        open.tag = tag.start;
        self.identify(tag.name);
        if self.fostering || self.collector.may_collect(tag.name) {
            self.place(&mut open, tag)?;
        }
        self.push(open)
    }

    /// Collects the names of an HTML element that is inserted, or whose attributes are added to an
    /// existing one.
    #[inline]
    pub(super) fn identify(&mut self, name: Name) {
        if self.collector.may_be_named() && self.inert == 0 {
            self.collector.identify(Namespace::Html, name);
        }
    }

    /// "Insert an HTML element", recording the collector's count before it.
    pub(super) fn insert_counted(&mut self, tag: Tag) -> Result<(), Fallback> {
        let mut open = OpenElement::new(tag.name, Namespace::Html);
        open.tag = tag.start;
        open.count = self.collector.count();
        self.place(&mut open, tag)?;
        self.push(open)
    }

    /// Inserts a `template`, or attaches the shadow root that it declares.
    pub(super) fn insert_template(&mut self, tag: Tag) -> Result<(), Fallback> {
        let mut open = OpenElement::new(tag.name, Namespace::Html);
        open.tag = tag.start;
        open.flags = TEMPLATE;
        if self.attaches_shadow_root() {
            open.flags |= SHADOW_ROOT;
            self.collector.begin_shadow_root();
        } else {
            self.place(&mut open, tag)?;
            self.inert += 1;
        }
        self.templates += 1;
        self.push(open)
    }

    /// Whether the `template` being processed makes the current node a shadow host. In a template it
    /// makes no difference: what is in there is not in the document.
    fn attaches_shadow_root(&mut self) -> bool {
        if self.inert > 0 || self.open.len() < 2 {
            return false;
        }
        let mode = self.collector.value_of("shadowrootmode");
        if !mode.is_some_and(|mode| declares_shadow_root(&mode)) {
            return false;
        }
        let Some(host) = self.open.current().copied() else {
            return false;
        };
        let can_be_host = host.name.can_be_shadow_host()
            || host.name == Name::Other && is_custom_element(self.name_as_written(&host));
        if host.namespace != Namespace::Html || !can_be_host || host.flags & SHADOW_HOST != 0 {
            return false;
        }
        let last = self.open.len() - 1;
        if let Some(host) = self.open.get_mut(last) {
            host.flags |= SHADOW_HOST;
        }
        true
    }

    /// The name in the tag of an open element.
    fn name_as_written(&self, open: &OpenElement) -> &str {
        let name = self.source.get(open.tag as usize + 1..).unwrap_or_default();
        let end = name.bytes().position(ends_name).unwrap_or(name.len());
        &name[..end]
    }

    /// "Insert an HTML element", and "immediately pop the current node".
    #[inline]
    pub(super) fn insert_void(&mut self, tag: Tag) -> Step {
        self.identify(tag.name);
        if self.fostering || self.collector.may_collect(tag.name) {
            let mut open = OpenElement::new(tag.name, Namespace::Html);
            self.place(&mut open, tag)?;
            self.popped(&open);
        }
        DONE
    }

    /// "Generic raw text element parsing algorithm", "generic RCDATA element parsing algorithm".
    pub(super) fn insert_raw(&mut self, tag: Tag) -> Step {
        let mut open = OpenElement::new(tag.name, Namespace::Html);
        self.raw_content = self.place(&mut open, tag)?.content;
        if tag.name == Name::Title && self.inert == 0 {
            self.collector.title(tag.start as usize);
        }
        // Its end is reported with its end tag.
        open.flags &= !CONTENT;
        self.popped(&open);
        self.raw = Some(tag.name);
        self.tokenizer.set_content(tag.name.content());
        DONE
    }

    /// Inserts an implied element, one without a tag.
    pub(super) fn insert_phantom(&mut self, name: Name) -> Result<(), Fallback> {
        let mut open = OpenElement::new(name, Namespace::Html);
        if self.foster_parent()?.is_some() {
            open.flags |= FOSTERED;
        }
        self.push(open)
    }

    /// "Insert a foreign element".
    pub(super) fn insert_foreign(&mut self, tag: Tag, namespace: Namespace) -> Step {
        let mut open = OpenElement::new(tag.name, namespace);
        open.tag = tag.start;
        if tag.name == Name::AnnotationXml
            && namespace == Namespace::MathMl
            && let Some(encoding) = self.collector.value_of("encoding")
            && ["text/html", "application/xhtml+xml"]
                .iter()
                .any(|html| encoding.eq_ignore_ascii_case(html))
        {
            open.flags |= HTML_ANNOTATION;
        }
        self.place(&mut open, tag)?;
        if tag.self_closing {
            self.popped(&open);
        } else {
            self.push(open)?;
        }
        DONE
    }

    /// Collects an element at the place where it is inserted.
    pub(super) fn place(
        &mut self,
        open: &mut OpenElement,
        tag: Tag,
    ) -> Result<Collected, Fallback> {
        if self.foster_parent()?.is_some() {
            open.flags |= FOSTERED;
        }
        if self.inert > 0 {
            return Ok(self.place_in_template(open, tag));
        }
        self.collector.identify(open.namespace, tag.name);
        if !self.collector.may_collect(tag.name) {
            return Ok(Collected::default());
        }
        let name = rendered(open, tag);
        if self.collector.wants_choices() {
            self.set_parent(tag.name);
        }
        let collected = self.collector.element(open.namespace, name, tag.span);
        if collected.anchor {
            open.flags |= ANCHOR;
        }
        if collected.content {
            open.flags |= CONTENT;
        }
        Ok(collected)
    }

    /// Tells the collector what is around an element that it collects next.
    fn set_parent(&mut self, name: Name) {
        if !matches!(name, Name::Img | Name::Image | Name::Source) {
            return;
        }
        let parent = self.open.current().map(|parent| Parent {
            name: match parent.namespace {
                Namespace::Html => parent.name,
                _ => Name::Other,
            },
            tag: parent.tag as usize,
        });
        self.collector.set_parent(parent);
    }

    /// Collects what is wanted of an element in a template.
    #[inline(never)]
    fn place_in_template(&mut self, open: &mut OpenElement, tag: Tag) -> Collected {
        if tag.name == Name::Base {
            self.collector.note_inert_base(true);
        }
        if !self.collector.wants_inert() || !self.collector.may_collect(tag.name) {
            return Collected::default();
        }
        let collected = self
            .collector
            .inert(|collector| collector.element(open.namespace, rendered(open, tag), tag.span));
        if collected.content {
            open.flags |= CONTENT;
        }
        collected
    }

    /// "Appropriate place for inserting a node": the table that the node goes before, if any.
    #[inline]
    pub(super) fn foster_parent(&self) -> Result<Option<usize>, Fallback> {
        if !self.fostering {
            return Ok(None);
        }
        if !self
            .current_html()
            .is_some_and(|name| name.kind().is_table_part())
        {
            return Ok(None);
        }
        let bounds = [Name::Table, Name::Template];
        let index = self.open.last(|open| open.is_any(&bounds));
        match index.and_then(|index| self.open.get(index)) {
            // Inside a template order does not matter.
            Some(_) if self.inert > 0 => Ok(None),
            // In a shadow root it goes after the part of the table that is still open.
            Some(open) if open.is(Name::Template) => Err(Fallback::FosterParenting),
            Some(table) if table.count == self.collector.count() && !self.collector.in_anchor() => {
                Ok(index)
            }
            _ => Err(Fallback::FosterParenting),
        }
    }

    #[inline]
    pub(super) fn push(&mut self, open: OpenElement) -> Result<(), Fallback> {
        if self.open.len() >= DEPTH {
            return Err(Fallback::Depth);
        }
        self.open.push(open);
        Ok(())
    }

    /// Pops the current node off the stack.
    #[inline]
    pub(super) fn pop(&mut self) -> Option<OpenElement> {
        let open = self.open.pop()?;
        if open.flags != 0 {
            self.popped(&open);
        }
        Some(open)
    }

    /// The consequences of removing an element from the stack.
    #[inline(never)]
    pub(super) fn popped(&mut self, open: &OpenElement) {
        if open.flags & FORMATTING != 0 {
            self.formatting.closed(open.entry);
        }
        if open.flags & CONTENT != 0 {
            self.collector.end_content();
        }
        if open.flags & ANCHOR != 0 {
            self.collector.end_anchor();
        }
        if open.flags & TEMPLATE != 0 {
            self.templates -= 1;
            if open.flags & SHADOW_ROOT != 0 {
                self.collector.end_shadow_root();
            } else {
                self.inert -= 1;
            }
        }
        if open.flags & FOSTERED != 0 {
            // Everything collected since its table began goes before that table.
            let count = self.collector.count();
            let table = self.open.last(|open| open.is(Name::Table));
            if let Some(table) = table.and_then(|table| self.open.get_mut(table)) {
                table.count = count;
            }
        }
    }

    /// Removes an element from below others, which stay on the stack.
    pub(super) fn remove(&mut self, index: usize) -> Result<(), Fallback> {
        if index + 1 == self.open.len() {
            self.pop();
            return Ok(());
        }
        let open = self.open.remove(index);
        if open.flags & (ANCHOR | CONTENT) != 0 {
            return Err(Fallback::AnchorRemoved);
        }
        if open.flags & FORMATTING != 0 {
            self.formatting.closed(open.entry);
        }
        Ok(())
    }

    pub(super) fn truncate(&mut self, length: usize) {
        while self.open.len() > length {
            self.pop();
        }
    }

    /// Pops elements up to and including an HTML element of that name.
    #[inline]
    pub(super) fn pop_until(&mut self, name: Name) {
        while let Some(open) = self.pop() {
            if open.is(name) {
                return;
            }
        }
    }

    /// "Generate implied end tags", "except for" one.
    #[inline]
    pub(super) fn generate_implied(
        &mut self,
        implied: fn(ElementTraits) -> bool,
        except: Option<Name>,
    ) {
        while let Some(name) = self.current_html() {
            if !implied(name.kind()) || Some(name) == except {
                return;
            }
            self.pop();
        }
    }

    /// The name of the current node, if it is an HTML element.
    #[inline]
    pub(super) fn current_html(&self) -> Option<Name> {
        let current = self.open.current()?;
        (current.namespace == Namespace::Html).then_some(current.name)
    }

    /// Whether a tag has the name of an open element, ASCII case-insensitively.
    #[inline]
    pub(super) fn is_named(&self, open: &OpenElement, tag: Tag) -> bool {
        open.name == tag.name && (open.name != Name::Other || self.is_written_alike(open, tag))
    }

    fn is_written_alike(&self, open: &OpenElement, tag: Tag) -> bool {
        let bytes = self.source.as_bytes();
        let start = open.tag as usize + 1;
        let name = tag.span.bytes(self.source);
        let found = bytes.get(start..start + name.len());
        found.is_some_and(|found| found.eq_ignore_ascii_case(name))
            && bytes
                .get(start + name.len())
                .is_some_and(|byte| ends_name(*byte))
    }
}

/// The name of the element that a tag is for.
#[inline]
fn rendered(open: &OpenElement, tag: Tag) -> Name {
    match tag.name {
        Name::Image if open.namespace == Namespace::Html => Name::Img,
        name => name,
    }
}
