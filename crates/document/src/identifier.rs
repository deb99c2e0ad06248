//! The names in a document that URL fragments can point to.

use std::hash::{DefaultHasher, Hasher};

use super::Position;

/// The source of an element's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Naming {
    /// Its `id`, of any element (HTML "the ID").
    Id,
    /// The `name` of an `a` (HTML "find a potential indicated element").
    Anchor,
    /// The `name` of a `map`: `usemap` points to it, URLs do not.
    Map,
    /// Any of these of an element in a declarative shadow root: only what is in that root can point
    /// to it, and no URL does (HTML "find a potential indicated element" looks at the document).
    InShadowRoot,
}

impl Naming {
    /// Whether the fragment of a URL can point to the element.
    #[must_use]
    pub fn is_fragment_target(self) -> bool {
        matches!(self, Self::Id | Self::Anchor)
    }
}

/// The names of a document's elements, in document order except where a browser moves elements;
/// stored in one block of memory.
#[derive(Clone, Debug, Default)]
pub struct Identifiers {
    text: String,
    entries: Vec<Entry>,
    /// Every repeated occurrence of a name that an earlier element already has.
    pub repeated: Vec<RepeatedIdentifier>,
}

/// A name that an earlier element already has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RepeatedIdentifier {
    /// The name.
    pub name: String,
    /// Where it is repeated.
    pub at: Position,
    /// Where it first occurs.
    pub first: Position,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    /// The offset of the name's end in the text.
    end: usize,
    hash: u64,
    naming: Naming,
}

/// A hash of a name, the same in every run.
#[must_use]
pub fn hash_of(name: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    hasher.write(name.as_bytes());
    hasher.finish()
}

impl Identifiers {
    /// Adds a name at the end, character references decoded.
    #[doc(hidden)]
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

    /// All of them, in order.
    #[must_use]
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (Naming, &str)> + Clone {
        let mut start = 0;
        self.entries.iter().map(move |entry| {
            let name = &self.text[start..entry.end];
            start = entry.end;
            (entry.naming, name)
        })
    }

    /// The name of that 0-based number.
    #[must_use]
    pub fn get(&self, number: usize) -> Option<&str> {
        let end = self.entries.get(number)?.end;
        let start = match number.checked_sub(1) {
            Some(before) => self.entries[before].end,
            None => 0,
        };
        Some(&self.text[start..end])
    }

    /// The kind and the [`hash_of`] of each, in order.
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
