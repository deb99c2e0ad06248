//! Strings that many links share, each kept once.

use std::hash::BuildHasher;
use std::sync::{Arc, PoisonError, RwLock};

use foldhash::fast::RandomState;
use hashbrown::HashTable;

/// The strings kept so far, by all threads.
#[derive(Debug, Default)]
pub struct Interner {
    kept: RwLock<Kept>,
    hasher: RandomState,
}

#[derive(Debug, Default)]
struct Kept {
    /// The numbers of the strings, by their hashes.
    numbers: HashTable<u32>,
    all: Strings,
}

/// The strings of an [`Interner`]: one after the other, since there can be millions.
#[derive(Debug, Default)]
pub struct Strings {
    text: String,
    /// Where each ends.
    ends: Vec<u64>,
}

/// A string of [`Interner`]. Two are equal if and only if their strings are; their order means
/// nothing, since it depends on the threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct StringId(u32);

impl Interner {
    /// Keeps a string.
    pub fn keep(&self, text: &str) -> StringId {
        let hash = self.hasher.hash_one(text);
        let kept = self.kept.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(id) = kept.find(hash, text) {
            return id;
        }
        drop(kept);
        let mut kept = self.kept.write().unwrap_or_else(PoisonError::into_inner);
        // Another thread may have been faster.
        if let Some(id) = kept.find(hash, text) {
            return id;
        }
        kept.add(hash, text, &self.hasher)
    }

    /// All strings, for [`StringId::of`].
    #[must_use]
    pub fn into_all(self) -> Strings {
        let kept = self.kept.into_inner();
        kept.unwrap_or_else(PoisonError::into_inner).all
    }
}

impl Kept {
    fn find(&self, hash: u64, text: &str) -> Option<StringId> {
        let is_it = |number: &u32| self.all.get(*number) == text;
        self.numbers.find(hash, is_it).copied().map(StringId)
    }

    fn add(&mut self, hash: u64, text: &str, hasher: &RandomState) -> StringId {
        let Self { numbers, all } = self;
        let Ok(number) = u32::try_from(all.ends.len()) else {
            // There is no memory for so many.
            return StringId(u32::MAX);
        };
        all.text.push_str(text);
        all.ends.push(all.text.len() as u64);
        numbers.insert_unique(hash, number, |number| hasher.hash_one(all.get(*number)));
        StringId(number)
    }
}

impl Strings {
    /// The string of a number; empty if there is none.
    fn get(&self, number: u32) -> &str {
        let end = |at: usize| usize::try_from(*self.ends.get(at)?).ok();
        let at = number as usize;
        let start = at.checked_sub(1).and_then(end).unwrap_or(0);
        end(at)
            .and_then(|end| self.text.get(start..end))
            .unwrap_or_default()
    }
}

impl StringId {
    /// The string for a finding to keep; empty if it is not of that [`Interner`].
    #[must_use]
    pub fn shared(self, all: &Strings) -> Arc<str> {
        self.of(all).into()
    }

    /// The string, out of all those of the [`Interner`] that it was kept in.
    #[must_use]
    pub fn of(self, all: &Strings) -> &str {
        all.get(self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_strings_are_kept_once() {
        let interner = Interner::default();
        let ids = ["a", "", "a", "b", "ä"].map(|text| interner.keep(text));
        assert_eq!((ids[0], ids[0] == ids[3]), (ids[2], false));
        let many: Vec<StringId> = (0..1000).map(|n| interner.keep(&n.to_string())).collect();
        let all = interner.into_all();
        assert_eq!(ids.map(|id| id.of(&all)), ["a", "", "a", "b", "ä"]);
        assert_eq!(many.iter().position(|id| id.of(&all) == "777"), Some(777));
        assert_eq!(all.ends.len(), 1004);
    }
}
