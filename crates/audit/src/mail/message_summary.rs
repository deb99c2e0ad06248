//! Collects the summary of a message.

use std::collections::BTreeSet;

use baseref_document::link_places::Class;
use baseref_document::{Document, Section};
use baseref_findings::{MessageLink, MessageSummary};

use super::unwrapped_link::UnwrappedLink;
use crate::view::page::Page;

/// More links are only counted.
const LINKS: usize = 100;

/// Longer texts of links are cut, in characters.
const TEXT: usize = 200;

/// Collects the parts of a message summary.
#[derive(Default)]
pub(super) struct SummaryBuilder {
    summary: MessageSummary,
    seen: BTreeSet<(String, String)>,
}

impl SummaryBuilder {
    /// Reads the header of the outermost message.
    pub(super) fn document(&mut self, document: &Document) {
        if self.summary.name.is_empty() {
            let mut outside = document.origin.clone();
            outside.section = Section::default();
            outside.embedded = Box::default();
            self.summary.name = outside.to_string();
        }
        let metadata = &document.metadata;
        let Some(fields) = metadata
            .message
            .as_deref()
            .filter(|_| self.summary.from.is_empty())
        else {
            return;
        };
        let text = |field: &Option<Box<str>>| field.as_deref().unwrap_or_default().to_owned();
        self.summary.from = text(&fields.from);
        self.summary.subject = text(&fields.subject);
        self.summary.date = text(&metadata.date);
    }

    pub(super) fn link(&mut self, page: &Page<'_>, opened: &UnwrappedLink<'_>) {
        let reference = &opened.link.reference;
        if !matches!(
            reference.slot.class,
            Class::Anchor | Class::Form | Class::Text
        ) {
            return;
        }
        let text = reference.text.unwrap_or_default();
        let text: String = text.chars().take(TEXT).collect();
        let url = opened.link.url.unwrap_or(reference.value);
        if self.summary.links.len() == LINKS {
            self.summary.left += 1;
            return;
        }
        if !self.seen.insert((text.clone(), url.to_owned())) {
            return;
        }
        let names: Vec<_> = opened.chain.steps.iter().map(|step| step.wrapper).collect();
        self.summary.links.push(MessageLink {
            text,
            url: page.shown(url),
            target: if opened.link.url.is_ok() || opened.chain.is_wrapped() {
                opened.final_url().to_owned()
            } else {
                url.to_owned()
            },
            through: names.join(" > "),
            end: opened.chain.end.map_or("", |end| end.as_str()),
        });
    }

    pub(super) fn finish(self) -> MessageSummary {
        self.summary
    }
}
