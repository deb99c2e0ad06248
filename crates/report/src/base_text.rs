//! Bases in words, formatted once for all rows that repeat them.

use std::sync::Arc;

use baseref_document::Place;
use baseref_reader::base::Base;

/// A base, formatted for rows about its links.
#[derive(Debug, Default)]
pub struct BaseText {
    base: Base,
    at: String,
    number: usize,
}

impl BaseText {
    /// Its place, in words, if there is one.
    #[must_use]
    pub fn at(&self) -> Option<&str> {
        self.base.at.as_ref().map(|_| &*self.at)
    }

    /// An identifier unique among the bases of the document.
    #[must_use]
    pub fn number(&self) -> usize {
        self.number
    }

    fn is_of(&self, base: &Base) -> bool {
        let is_same_url = match (&self.base.url, &base.url) {
            (Some(own), Some(other)) => Arc::ptr_eq(own, other),
            (own, other) => own.is_none() && other.is_none(),
        };
        is_same_url && self.base.at == base.at
    }
}

/// Formats the bases of a document for its rows: repeated bases, which are usually consecutive, are
/// formatted once.
#[derive(Debug, Default)]
pub struct BaseCache {
    last: BaseText,
}

impl BaseCache {
    /// The formatted base.
    pub fn text_of(&mut self, base: &Base) -> &BaseText {
        if !self.last.is_of(base) {
            self.last = BaseText {
                base: base.clone(),
                at: base.at.as_ref().map(Place::to_string).unwrap_or_default(),
                number: self.last.number + 1,
            };
        }
        &self.last
    }
}
