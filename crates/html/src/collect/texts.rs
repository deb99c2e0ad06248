//! Collects the texts of links, and of scripts and style sheets with URLs in them.

use super::{Collector, Occurrence, OpenContent, is_anchor};
use crate::character_reference::Value;
use crate::link_place_index::Rows;
use crate::link_text::Cut;
use crate::names::Name;
use crate::tokenizer::Text;
use baseref_document::link_places::Namespace;
use baseref_document::{Context, NoteCode};

impl Collector<'_, '_> {
    /// Opens the text of the current element, if it can hold URLs.
    pub(super) fn open_content(&mut self, rows: &Rows, met: u64) -> bool {
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
    pub(super) fn open_text(
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
            if self.options.companion_attributes {
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

    /// Ends the last `a` element collected as [`Collected::anchor`].
    pub(crate) fn end_anchor(&mut self) {
        let (links, limit) = (&mut self.document.references, self.options.limits.text);
        if let Some((cut, offset)) = self.texts.end(limit, links) {
            self.note_cut(cut, offset);
        }
    }

    pub(super) fn note_cut(&mut self, cut: Option<Cut>, offset: usize) {
        if let Some(Cut { length }) = cut {
            let detail = format!("a link text of {length} bytes is truncated");
            self.note_once(NoteCode::TextSize, detail, offset);
        }
    }

    /// Adds a text child of the last script or style sheet collected as [`Collected::content`].
    pub(crate) fn content(&mut self, text: Text) {
        if let Some(open) = self.contents.last_mut() {
            open.texts.push(text);
        }
    }

    /// Ends the last script or style sheet collected as [`Collected::content`].
    pub(crate) fn end_content(&mut self) {
        let Some(open) = self.contents.pop() else {
            return;
        };
        let OpenContent {
            slot,
            texts,
            is_inert,
        } = open;
        if let Some(first) = texts.first() {
            let occurrence = Occurrence {
                slot,
                element: slot.element,
                context: Context::Document,
                start: first.span.start,
                cut: false,
            };
            let value = Value::from_content(self.source, &texts);
            if is_inert {
                self.inert(|collector| collector.urls(&occurrence, &value));
            } else {
                let first = self.document.references.len();
                self.urls(&occurrence, &value);
                if self.wants_choices() && self.in_noscript(occurrence.start) {
                    self.choose_without_scripts(first);
                }
            }
        }
    }

    /// Adds characters of the document outside scripts and style sheets.
    pub(crate) fn text(&mut self, text: &str) {
        if self.texts.are_open() {
            self.texts.push(text);
        }
    }
}
