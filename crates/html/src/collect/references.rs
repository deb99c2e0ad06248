//! Collects the URLs in attributes, and the documents in them.

use std::ops::Range;

use super::{Collector, EmbeddedSource, Occurrence};
use crate::character_reference::Value;
use crate::data_url::DataUrl;
use crate::link_place_index::Rows;
use crate::names;
use baseref_document::link_places::{Class, Grammar, Namespace, RelativeTo};
use baseref_document::{Context, NoteCode, Reference};
use baseref_text::grammar::{self, css};

impl<'s> Collector<'s, '_> {
    /// Pushes the current element's references, in the order of its attributes; returns the indices
    /// of those that have a text. `met` has the bits of the rows whose conditions are met.
    pub(super) fn references(
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
            let bits = rows.attribute_bits(attribute, self.source) & !done;
            done |= bits;
            let Some(slot) = rows.first(bits & met) else {
                continue;
            };
            if slot.class == Class::Anchor {
                let free = anchor.iter_mut().find(|index| index.is_none());
                if let Some(index) = free {
                    *index = Some(self.document.references.len());
                }
            }
            let context = match slot.relative_to {
                RelativeTo::Outside => Context::Outside,
                RelativeTo::Codebase => {
                    *codebase.get_or_insert_with(|| self.codebase(slot.element))
                }
                _ => Context::Document,
            };
            let (raw, cut) = self.cut(attribute.value);
            let occurrence = Occurrence {
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
                    _ => names::lower_case(local_name),
                };
                self.value(
                    &Occurrence {
                        element,
                        ..occurrence
                    },
                    raw,
                );
            } else {
                self.value(&occurrence, raw);
            }
        }
        anchor
    }

    /// Pushes the references in the value of one attribute.
    #[inline]
    pub(super) fn value(&mut self, occurrence: &Occurrence<'_>, raw: &'s str) {
        let value = self.decoded(raw);
        match occurrence.slot.grammar {
            Grammar::Html => self.embed(EmbeddedSource::Srcdoc(value.text), occurrence.start),
            Grammar::Url => self.push(occurrence, &value.text, 0..raw.len()),
            _ => self.urls(occurrence, &value),
        }
    }

    /// Whether the maximum number of links has been reached.
    #[inline]
    pub(super) fn is_full(&self) -> bool {
        self.document.references.len() >= self.most_links
    }

    /// Leaves out a link at an offset.
    #[inline(never)]
    pub(super) fn leave_out(&mut self, offset: usize) {
        self.uncounted += 1;
        let detail = format!(
            "the links after the first {} are not listed: they are too many for the size of the \
             document",
            self.most_links
        );
        self.note_once(NoteCode::LinkCount, detail, offset);
    }

    /// Pushes a reference, given its byte range within the value.
    #[inline]
    pub(super) fn push(&mut self, occurrence: &Occurrence<'_>, url: &str, bytes: Range<usize>) {
        if self.is_full() {
            return self.leave_out(occurrence.start + bytes.start);
        }
        let at = self.options.positions.then(|| {
            let start = occurrence.start;
            self.positions
                .locate(start + bytes.start..start + bytes.end)
        });
        self.document.references.push(Reference {
            slot: occurrence.slot,
            element: occurrence.element,
            attr: occurrence.slot.attr,
            value: url,
            text: None,
            context: occurrence.context,
            at: at.as_ref(),
            cut: occurrence.cut,
        });
    }

    /// Pushes the references in a value.
    pub(super) fn urls(&mut self, occurrence: &Occurrence<'_>, value: &Value<'_>) {
        let grammar = occurrence.slot.grammar;
        if grammar == Grammar::Css && !css::may_have_urls(&value.text) {
            return;
        }
        let choices = self.choices_in(grammar, &value.text);
        let read = grammar::each_url(grammar, &value.text, |url, range| {
            let context = match grammar {
                // CSS Values 4 §4.5.1 "fragment URLs": they point into the document itself,
                // not into its base.
                Grammar::Css if url.starts_with('#') => Context::Outside,
                _ => occurrence.context,
            };
            self.push(
                &Occurrence {
                    context,
                    ..*occurrence
                },
                url,
                value.source_range(range.clone()),
            );
            self.choose_last(choices.as_ref(), range.start);
        });
        if let Err(reason) = read {
            let detail = format!("the text of a {} is not JSON: {reason}", occurrence.element);
            self.note_once(NoteCode::JsonInvalid, detail, occurrence.start);
        }
    }

    /// Keeps the document in the URL of a frame, if there is one. A `srcdoc` overrides it (HTML
    /// "process the iframe attributes").
    pub(super) fn frame(&mut self, attr: &'static str) {
        let Some(url) = self.attribute(attr) else {
            return;
        };
        if self.attribute("srcdoc").is_some() {
            return;
        }
        let (raw, is_cut) = self.cut(url);
        let data = DataUrl::parse(&self.decoded(raw).text);
        if let Some(data) = data.filter(|_| !is_cut) {
            self.embed(EmbeddedSource::Data(data), url.start);
        }
    }

    pub(super) fn embed(&mut self, inner: EmbeddedSource<'s>, offset: usize) {
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
}
