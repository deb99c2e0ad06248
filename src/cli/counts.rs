//! What a run counts.

use std::collections::BTreeMap;

use crate::document::{Document, Fallback, Reading};

/// What a run counts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Documents read.
    pub documents: u64,
    /// HTML documents read by their tree, by the reason.
    pub by_tree: BTreeMap<Fallback, u64>,
    /// HTML documents read in the order of their tags.
    pub by_tags: u64,
    /// Links found.
    pub links: u64,
    /// Links without a URL, by reason: no base, a base that cannot serve, not a URL.
    pub without_url: [u64; 3],
    /// Notes on the choice of bases.
    pub base_notes: u64,
    /// Records of containers that hold no HTML.
    pub without_html: u64,
    /// Inputs, messages and parts that could not be read.
    pub unread: u64,
}

impl Counts {
    /// Counts a document by how it was read.
    pub fn document(&mut self, document: &Document) {
        self.documents += 1;
        match document.reading {
            Some(Reading::Tags) => self.by_tags += 1,
            Some(Reading::Tree(reason)) => *self.by_tree.entry(reason).or_default() += 1,
            Some(Reading::Xml) | None => {}
        }
    }

    /// Adds what another one counted.
    pub fn add(&mut self, other: &Self) {
        self.documents += other.documents;
        for (reason, more) in &other.by_tree {
            *self.by_tree.entry(*reason).or_default() += more;
        }
        self.by_tags += other.by_tags;
        self.links += other.links;
        for (sum, more) in self.without_url.iter_mut().zip(other.without_url) {
            *sum += more;
        }
        self.base_notes += other.base_notes;
        self.without_html += other.without_html;
        self.unread += other.unread;
    }
}

/// A number with its noun.
#[must_use]
pub fn count(number: u64, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}
