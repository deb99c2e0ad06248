//! Counts what was not read because it cannot hold links, so that nothing is skipped silently.

use std::collections::BTreeMap;

/// How many parts of an input were not read, by media type.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Skipped {
    by_type: BTreeMap<Box<str>, u64>,
    /// Parts of plain text that were not read because the links in text are not wanted.
    pub texts: u64,
}

/// Further types are counted together.
const MOST_TYPES: usize = 256;

/// The name for parts of no declared type, or of one type too many.
const OTHER: &str = "other";

impl Skipped {
    /// Counts a part. `essence` is its media type without parameters, empty if undeclared.
    pub fn count(&mut self, essence: &str) {
        self.add_some(essence, 1);
    }

    /// Adds the counts of `others`.
    pub fn add(&mut self, others: &Self) {
        for (essence, number) in &others.by_type {
            self.add_some(essence, *number);
        }
        self.texts += others.texts;
    }

    /// The number of parts.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.by_type.values().sum()
    }

    /// Each media type and its number of parts, in byte order; `other` where no type is declared.
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
