//! The Content-IDs of a message.

use std::collections::BTreeMap;
use std::sync::Arc;

use baseref_document::{Part, PartKind};
use percent_encoding::percent_decode_str;

/// The maximum number of ids, and of parts, that a finding lists.
pub(crate) const SHOWN: usize = 3;

/// The Content-IDs of a message.
#[derive(Debug)]
pub(crate) struct ContentIds {
    pub(crate) parts: Arc<[Part]>,
    /// For each, its first part and how many have it.
    pub(crate) exact: BTreeMap<Box<str>, (usize, usize)>,
    /// In lower case, the first part of each.
    folded: BTreeMap<Box<str>, usize>,
}

impl ContentIds {
    pub(crate) fn new(parts: &Arc<[Part]>) -> Self {
        let mut ids = Self {
            parts: Arc::clone(parts),
            exact: BTreeMap::new(),
            folded: BTreeMap::new(),
        };
        for (index, part) in parts.iter().enumerate() {
            if let Some(id) = part.content_id.as_deref() {
                ids.exact.entry(id.into()).or_insert((index, 0)).1 += 1;
                let folded = id.to_lowercase().into();
                ids.folded.entry(folded).or_insert(index);
            }
        }
        ids
    }

    /// The first part with an id, and how many have it; the id as URLs write it, or as it stands.
    pub(crate) fn find(&self, id: &str) -> Option<(usize, usize)> {
        let decoded = percent_decode_str(id).decode_utf8_lossy();
        let found = self.exact.get(&*decoded).or_else(|| self.exact.get(id));
        found.copied()
    }

    pub(crate) fn in_other_case(&self, id: &str) -> Option<&Part> {
        let decoded = percent_decode_str(id).decode_utf8_lossy().to_lowercase();
        self.folded.get(&*decoded).map(|index| &self.parts[*index])
    }

    /// The parts around one, innermost first.
    pub(crate) fn around(&self, index: usize) -> impl Iterator<Item = usize> {
        let parent = |index: usize| self.parts.get(index)?.parent.filter(|&up| up < index);
        std::iter::successors(parent(index), move |&index| parent(index))
    }

    /// Whether a multipart/related is around both parts.
    pub(crate) fn are_related(&self, one: usize, other: usize) -> bool {
        self.around(one)
            .filter(|&set| self.parts[set].kind == PartKind::Related)
            .any(|set| self.around(other).any(|around| around == set))
    }

    /// Some of the ids, in words.
    pub(crate) fn some(&self) -> String {
        let mut some: Vec<&str> = self.exact.keys().take(SHOWN).map(|id| &**id).collect();
        if self.exact.len() > SHOWN {
            some.push("...");
        }
        some.join(", ")
    }
}
