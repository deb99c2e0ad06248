//! Which of many ordered patterns can match a path at all, found by what they start with.

use std::collections::{BTreeSet, HashMap};

/// Numbers of patterns by the literal text that each starts with.
///
/// A look-up costs one hash for every length that such a text has, and nothing for the
/// patterns that start otherwise.
#[derive(Debug, Default)]
pub(super) struct PrefixIndex {
    by_prefix: HashMap<Box<[u8]>, Vec<usize>>,
    lengths: BTreeSet<usize>,
}

impl PrefixIndex {
    /// Adds pattern `number`, which matches nothing that does not start with `prefix`.
    pub(super) fn add(&mut self, prefix: &[u8], number: usize) {
        self.lengths.insert(prefix.len());
        self.by_prefix
            .entry(prefix.into())
            .or_default()
            .push(number);
    }

    /// The numbers of the patterns that may match `text`, lowest first.
    pub(super) fn candidates(&self, text: &[u8]) -> Vec<usize> {
        let mut found: Vec<usize> = self
            .lengths
            .iter()
            .filter_map(|length| text.get(..*length))
            .filter_map(|prefix| self.by_prefix.get(prefix))
            .flatten()
            .copied()
            .collect();
        found.sort_unstable();
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn candidates_come_in_the_order_of_their_numbers() {
        let mut index = PrefixIndex::default();
        for (number, prefix) in ["/b", "/a/b", "", "/a", "/a/c"].into_iter().enumerate() {
            index.add(prefix.as_bytes(), number);
        }
        assert_eq!(index.candidates(b"/a/b/c"), [1, 2, 3]);
        assert_eq!(index.candidates(b"x"), [2]);
    }
}
