//! The names in a document that the fragment of a URL can point to.

use std::hash::{DefaultHasher, Hasher};

use super::Position;

/// What gives an element a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Naming {
    /// Its `id`, of any element (HTML "the ID").
    Id,
    /// The `name` of an `a` (HTML "find a potential indicated element").
    Anchor,
    /// The `name` of a `map`: no fragment of a URL, but of `usemap` points to it.
    Map,
}

/// The names of the elements of a document, in document order but for elements that a browser
/// moves; in one block of memory.
#[derive(Clone, Debug, Default)]
pub struct Identifiers {
    text: String,
    entries: Vec<Entry>,
    /// Names that an earlier element has already, each time they occur again.
    pub repeated: Vec<Repeated>,
}

/// A name that an earlier element has already.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repeated {
    /// The name.
    pub name: String,
    /// Where it stands again.
    pub at: Position,
    /// Where the first element of that name has it.
    pub first: Position,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    /// Where the name ends in the text.
    end: usize,
    hash: u64,
    naming: Naming,
}

/// A number for a name: names with different ones differ. It is the same in every run.
#[must_use]
pub fn hash_of(name: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    hasher.write(name.as_bytes());
    hasher.finish()
}

impl Identifiers {
    /// Adds a name at the end, character references decoded.
    #[inline]
    pub fn push(&mut self, naming: Naming, name: &str) {
        self.text.push_str(name);
        self.entries.push(Entry {
            end: self.text.len(),
            hash: hash_of(name),
            naming,
        });
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// All of them, in their order.
    #[must_use]
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (Naming, &str)> + Clone {
        let mut start = 0;
        self.entries.iter().map(move |entry| {
            let name = &self.text[start..entry.end];
            start = entry.end;
            (entry.naming, name)
        })
    }

    /// Of each of them, in their order, what it is and what `hash_of` makes of it.
    #[must_use]
    pub fn hashes(&self) -> impl ExactSizeIterator<Item = (Naming, u64)> {
        self.entries.iter().map(|entry| (entry.naming, entry.hash))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_come_back_in_their_order() {
        let mut names = Identifiers::default();
        for (naming, name) in [
            (Naming::Id, "a"),
            (Naming::Anchor, "\u{e9}b"),
            (Naming::Map, "c"),
        ] {
            names.push(naming, name);
        }
        let back: Vec<_> = names.iter().collect();
        let expected = [
            (Naming::Id, "a"),
            (Naming::Anchor, "\u{e9}b"),
            (Naming::Map, "c"),
        ];
        assert_eq!(back, expected);
        let hashes: Vec<_> = names.hashes().map(|(_, hash)| hash).collect();
        assert_eq!(hashes, ["a", "\u{e9}b", "c"].map(hash_of));
    }
}
