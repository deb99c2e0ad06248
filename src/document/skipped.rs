//! What was not read because no link can be found in it: counted, never in silence.

use std::collections::BTreeMap;

/// How many pieces of an input were not read, by their media type.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Skipped {
    by_type: BTreeMap<Box<str>, u64>,
}

/// The types after so many are counted together.
const MOST_TYPES: usize = 256;

/// What a piece is counted as whose type is not said, or is one too many.
const OTHER: &str = "other";

impl Skipped {
    /// Counts a piece. `essence` is its media type without parameters; empty if it is not said.
    pub fn count(&mut self, essence: &str) {
        self.add_some(essence, 1);
    }

    /// Counts all that others counted.
    pub fn add(&mut self, others: &Self) {
        for (essence, number) in &others.by_type {
            self.add_some(essence, *number);
        }
    }

    /// How many pieces they are.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.by_type.values().sum()
    }

    /// Each media type with the number of its pieces, in byte order; `other` where no type is
    /// said.
    #[must_use]
    pub fn by_type(&self) -> impl ExactSizeIterator<Item = (&str, u64)> {
        let counted = self.by_type.iter();
        counted.map(|(essence, number)| (&**essence, *number))
    }

    fn add_some(&mut self, essence: &str, number: u64) {
        let is_known = self.by_type.contains_key(essence) || self.by_type.len() < MOST_TYPES;
        let essence = if is_known && !essence.is_empty() {
            essence
        } else {
            OTHER
        };
        match self.by_type.get_mut(essence) {
            Some(counted) => *counted += number,
            None => {
                self.by_type.insert(essence.into(), number);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_counted_in_bounded_memory() {
        let mut skipped = Skipped::default();
        for number in 0..1000 {
            skipped.count(&format!("a/{number:04}"));
            skipped.count("a/0000");
        }
        skipped.count("");
        let mut twice = skipped.clone();
        twice.add(&skipped);
        assert_eq!((skipped.total(), twice.total()), (2001, 4002));
        assert_eq!(twice.by_type().next(), Some(("a/0000", 2002)));
        assert_eq!(twice.by_type().last(), Some((OTHER, 2 * 745)));
    }
}
