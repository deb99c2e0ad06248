//! Strings that many links share, each stored once.

use std::hash::BuildHasher;
use std::sync::{Arc, PoisonError, RwLock};

use foldhash::fast::RandomState;
use hashbrown::HashTable;

/// Stores each string once, for all threads.
#[derive(Debug, Default)]
pub struct Interner {
    table: RwLock<Table>,
    hasher: RandomState,
}

#[derive(Debug, Default)]
struct Table {
    /// The indices of the strings, by their hashes.
    indices: HashTable<u32>,
    all: Strings,
}

/// The strings of an [`Interner`], stored one after the other because there can be millions.
#[derive(Debug, Default)]
pub struct Strings {
    text: String,
    /// The end of each string in `text`.
    ends: Vec<u64>,
}

/// Identifies a string of an [`Interner`]. Ids are equal if and only if their strings are. Their order
/// depends on the threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct StringId(u32);

impl Interner {
    /// Stores a string unless it is there, and returns its id.
    pub fn intern(&self, text: &str) -> StringId {
        let hash = self.hasher.hash_one(text);
        let table = self.table.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(id) = table.find(hash, text) {
            return id;
        }
        drop(table);
        let mut table = self.table.write().unwrap_or_else(PoisonError::into_inner);
        // Another thread may have added it.
        if let Some(id) = table.find(hash, text) {
            return id;
        }
        table.add(hash, text, &self.hasher)
    }

    /// The strings, for [`StringId::text`].
    #[must_use]
    pub fn into_all(self) -> Strings {
        let table = self.table.into_inner();
        table.unwrap_or_else(PoisonError::into_inner).all
    }
}

impl Table {
    fn find(&self, hash: u64, text: &str) -> Option<StringId> {
        let is_equal = |index: &u32| self.all.get(*index) == text;
        self.indices.find(hash, is_equal).copied().map(StringId)
    }

    fn add(&mut self, hash: u64, text: &str, hasher: &RandomState) -> StringId {
        let Self { indices, all } = self;
        let Ok(index) = u32::try_from(all.ends.len()) else {
            // More strings than this do not fit into memory.
            return StringId(u32::MAX);
        };
        all.text.push_str(text);
        all.ends.push(all.text.len() as u64);
        indices.insert_unique(hash, index, |index| hasher.hash_one(all.get(*index)));
        StringId(index)
    }
}

impl Strings {
    /// The string at an index; empty if there is none.
    fn get(&self, index: u32) -> &str {
        let end = |at: usize| usize::try_from(*self.ends.get(at)?).ok();
        let at = index as usize;
        let start = at.checked_sub(1).and_then(end).unwrap_or(0);
        end(at)
            .and_then(|end| self.text.get(start..end))
            .unwrap_or_default()
    }
}

impl StringId {
    /// A copy of the string for a finding; empty if the id is from another [`Interner`].
    #[must_use]
    pub fn shared(self, all: &Strings) -> Arc<str> {
        self.text(all).into()
    }

    /// The string, looked up in the strings of its [`Interner`].
    #[must_use]
    pub fn text(self, all: &Strings) -> &str {
        all.get(self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_strings_share_an_id() {
        let interner = Interner::default();
        let ids = ["a", "", "a", "b", "ä"].map(|text| interner.intern(text));
        assert_eq!((ids[0], ids[0] == ids[3]), (ids[2], false));
        let many: Vec<StringId> = (0..1000).map(|n| interner.intern(&n.to_string())).collect();
        let all = interner.into_all();
        assert_eq!(ids.map(|id| id.text(&all)), ["a", "", "a", "b", "ä"]);
        assert_eq!(many.iter().position(|id| id.text(&all) == "777"), Some(777));
        assert_eq!(all.ends.len(), 1004);
    }
}
