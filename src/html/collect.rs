//! Elements and texts in document order to what a [`Document`] holds of them.

use std::borrow::Cow;
use std::sync::OnceLock;

use super::character_reference::Value;
use super::position::Positions;
use super::tokenizer::{Attribute, Token, Tokenizer};
use super::values;
use crate::document::{
    Codebase, Context, Declaration, Declarer, Document, Note, NoteCode, Reference,
};
use crate::read::ReadOptions;
use crate::slots::{Class, Classes, Grammar, Namespace, RelativeTo, Slot, Wanted};

/// Fills a document. It is told of every element when it begins, in document order; of the
/// end of `a` elements; and of the text between.
pub(super) struct Collector<'s, 'o> {
    source: &'s str,
    options: &'o ReadOptions,
    wanted: &'static Wanted,
    positions: Positions<'s>,
    document: Document,
    srcdocs: Vec<Srcdoc<'s>>,
    /// The `a` elements that are open, innermost last.
    anchors: Vec<OpenAnchor>,
    /// The text since the outermost open `a` began, as it stands.
    text: String,
    noted: Vec<NoteCode>,
    /// The current element's, kept to be used again.
    attributes: Vec<Attribute<'s>>,
}

/// The document in a `srcdoc` attribute.
pub(super) struct Srcdoc<'s> {
    /// Its source, character references decoded.
    pub(super) text: Cow<'s, str>,
}

#[derive(Clone, Copy, Debug, Default)]
struct OpenAnchor {
    /// Its references that take its text: `href`, and SVG's `xlink:href`.
    references: [Option<usize>; 2],
    /// Where its text begins in [`Collector::text`].
    start: usize,
    /// Where it stands.
    offset: usize,
}

impl<'s, 'o> Collector<'s, 'o> {
    /// A collector into `document`, whose text is `source`.
    pub(super) fn new(
        source: &'s str,
        positions: Positions<'s>,
        document: Document,
        options: &'o ReadOptions,
    ) -> Self {
        Self {
            source,
            options,
            wanted: wanted(options.classes),
            positions,
            document,
            srcdocs: Vec::new(),
            anchors: Vec::new(),
            text: String::new(),
            noted: Vec::new(),
            attributes: Vec::new(),
        }
    }

    /// The document, and the documents in it that are still to be read.
    pub(super) fn finish(mut self) -> (Document, Vec<Srcdoc<'s>>) {
        while !self.anchors.is_empty() {
            self.end_anchor();
        }
        (self.document, self.srcdocs)
    }

    /// An element begins. `tags` are the offsets of the tags its attributes come from.
    pub(super) fn start(
        &mut self,
        namespace: Namespace,
        local_name: &str,
        tags: impl Iterator<Item = usize>,
    ) {
        let slots = self.wanted.of(namespace, local_name);
        let html = namespace == Namespace::Html;
        let is_base = html && local_name.eq_ignore_ascii_case("base");
        let is_anchor = is_anchor(namespace, local_name);
        let gives_alt = html && !self.anchors.is_empty() && local_name.eq_ignore_ascii_case("img");
        if slots.is_empty() && !is_base && !is_anchor && !gives_alt {
            return;
        }
        self.read_attributes(tags);
        if is_base {
            self.declare();
        }
        let first = self.document.references.len();
        let anchor = self.references(slots, local_name);
        if is_anchor && self.options.text {
            self.anchors.push(OpenAnchor {
                references: anchor,
                start: self.text.len(),
                offset: self
                    .attributes
                    .first()
                    .map_or(0, |attribute| attribute.start),
            });
        } else if gives_alt {
            if let Some(alt) = self.value_of("alt") {
                self.text.push_str(&alt);
            }
        } else if self.options.text && first < self.document.references.len() {
            self.set_alt(anchor);
        }
    }

    /// An HTML or SVG `a` element ends, the last one that began.
    pub(super) fn end_anchor(&mut self) {
        let Some(anchor) = self.anchors.pop() else {
            return;
        };
        if anchor.references[0].is_some() {
            let text = std::mem::take(&mut self.text);
            self.set_text(anchor.references, &text[anchor.start..], anchor.offset);
            self.text = text;
        }
        if self.anchors.is_empty() {
            self.text.clear();
        }
    }

    /// Characters of the document that are not of a script or style sheet.
    pub(super) fn text(&mut self, text: &str) {
        if !self.anchors.is_empty() {
            self.text.push_str(text);
        }
    }

    /// Notes a fact about what stands at an offset.
    pub(super) fn note(&mut self, code: NoteCode, detail: String, offset: usize) {
        let line = Some(self.positions.line(offset));
        self.document.notes.push(Note { code, detail, line });
    }

    fn read_attributes(&mut self, tags: impl Iterator<Item = usize>) {
        self.attributes.clear();
        for tag in tags {
            let mut tokenizer = Tokenizer::at(self.source, tag);
            if let Token::StartTag(_) = tokenizer.next(|| false) {
                tokenizer.attributes(|attribute| self.attributes.push(attribute));
            }
        }
    }

    /// Pushes the current element's references, in the order of its attributes; gives the
    /// indexes of those that take a text.
    fn references(&mut self, slots: &[&'static Slot], local_name: &str) -> [Option<usize>; 2] {
        let mut anchor = [None; 2];
        let mut codebase = None;
        // Of attributes of one name the first counts: a bit for each slot that is done.
        let mut done = 0_u64;
        for index in 0..self.attributes.len() {
            for (bit, slot) in slots.iter().enumerate() {
                let Attribute { name, .. } = self.attributes[index];
                if done & 1 << bit != 0 || !name.eq_ignore_ascii_case(slot.attr) {
                    continue;
                }
                done |= 1 << bit;
                if !slot.condition.is_met(|name| self.value_of(name)) {
                    continue;
                }
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
                self.value(slot, local_name, context, index);
            }
        }
        anchor
    }

    /// Pushes the references in the value of one attribute.
    fn value(&mut self, slot: &'static Slot, local_name: &str, context: Context, index: usize) {
        let attribute = self.attributes[index].clone();
        let (raw, cut) = self.cut(&attribute);
        let value = Value::of_attribute(raw);
        if slot.grammar == Grammar::Html {
            self.embed(value.text, attribute.start);
            return;
        }
        for url in values::urls(slot.grammar, &value.text) {
            let at = self.options.positions.then(|| {
                let span = value.source_range(url.clone());
                self.positions
                    .of(attribute.start + span.start..attribute.start + span.end)
            });
            self.document.references.push(Reference {
                slot,
                element: if slot.element == "*" {
                    local_name
                } else {
                    slot.element
                },
                attr: slot.attr,
                value: &value.text[url],
                text: None,
                context,
                at: at.as_ref(),
                cut,
            });
        }
    }

    fn embed(&mut self, text: Cow<'s, str>, offset: usize) {
        if self.document.origin.srcdoc.len() < self.options.limits.srcdoc_depth {
            self.srcdocs.push(Srcdoc { text });
        } else {
            let detail = "a document in a srcdoc attribute lies too deep and is not read";
            self.note_once(NoteCode::SrcdocDepth, detail.to_owned(), offset);
        }
    }

    /// An attribute's value as far as the limit goes, and whether that cuts it.
    fn cut(&mut self, attribute: &Attribute<'s>) -> (&'s str, bool) {
        let limit = self.options.limits.attribute;
        let value = attribute.value;
        if value.len() <= limit {
            return (value, false);
        }
        let detail = format!("an attribute value of {} bytes is cut", value.len());
        self.note_once(NoteCode::AttributeSize, detail, attribute.start);
        (&value[..floor_boundary(value, limit)], true)
    }

    /// The declaration of a `base` element, if it has an `href`.
    fn declare(&mut self) {
        let Some(href) = self.attribute("href") else {
            return;
        };
        let (raw, _) = self.cut(&href);
        let line = Some(self.positions.line(href.start));
        self.document.declarations.push(Declaration {
            value: Value::of_attribute(raw).text.into_owned(),
            by: Declarer::Element { line },
        });
    }

    fn codebase(&mut self, element: &'static str) -> Context {
        let Some(codebase) = self.attribute("codebase") else {
            return Context::Document;
        };
        let (raw, _) = self.cut(&codebase);
        let line = Some(self.positions.line(codebase.start));
        let Ok(index) = u32::try_from(self.document.codebases.len()) else {
            return Context::Document;
        };
        self.document.codebases.push(Codebase {
            value: Value::of_attribute(raw).text.into_owned(),
            element,
            line,
        });
        Context::Codebase(index)
    }

    /// The current element's attribute of that name.
    fn attribute(&self, name: &str) -> Option<Attribute<'s>> {
        let mut attributes = self.attributes.iter();
        attributes
            .find(|attribute| attribute.name.eq_ignore_ascii_case(name))
            .cloned()
    }

    fn value_of(&self, name: &str) -> Option<Cow<'s, str>> {
        let attribute = self.attribute(name)?;
        Some(Value::of_attribute(attribute.value).text)
    }

    /// `area` has no text inside: its `alt` stands for it.
    fn set_alt(&mut self, references: [Option<usize>; 2]) {
        if references[0].is_some() {
            let alt = self.value_of("alt").unwrap_or_default();
            let offset = self.attributes.first().map_or(0, |first| first.start);
            self.set_text(references, &alt, offset);
        }
    }

    fn set_text(&mut self, references: [Option<usize>; 2], text: &str, offset: usize) {
        let limit = self.options.limits.text;
        let kept = &text[..floor_boundary(text, limit)];
        if kept.len() < text.len() {
            let detail = format!("a link's text of {} bytes is cut", text.len());
            self.note_once(NoteCode::TextSize, detail, offset);
        }
        let collapsed = collapse(kept);
        for index in references.into_iter().flatten() {
            self.document.references.set_text(index, &collapsed);
        }
    }

    fn note_once(&mut self, code: NoteCode, detail: String, offset: usize) {
        if !self.noted.contains(&code) {
            self.noted.push(code);
            self.note(code, detail, offset);
        }
    }
}

/// Whether an element is a hyperlink around its text.
pub(super) fn is_anchor(namespace: Namespace, local_name: &str) -> bool {
    namespace != Namespace::MathMl && local_name.eq_ignore_ascii_case("a")
}

/// The rows for a choice of classes, made once.
fn wanted(classes: Classes) -> &'static Wanted {
    static WANTED: [OnceLock<Wanted>; 1 << Class::ALL.len()] =
        [const { OnceLock::new() }; 1 << Class::ALL.len()];
    let index = Class::ALL
        .into_iter()
        .filter(|class| classes.contains(*class))
        .fold(0, |index, class| index | 1 << class as usize);
    WANTED[index].get_or_init(|| Wanted::new(classes))
}

/// The text with runs of ASCII white space as one space each, and none at its ends.
fn collapse(text: &str) -> String {
    let mut collapsed = String::with_capacity(text.len());
    for word in text.split_ascii_whitespace() {
        if !collapsed.is_empty() {
            collapsed.push(' ');
        }
        collapsed.push_str(word);
    }
    collapsed
}

/// The last character boundary at or before an offset.
fn floor_boundary(text: &str, offset: usize) -> usize {
    let mut offset = offset.min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    offset
}
