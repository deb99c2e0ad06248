//! The entries of a ZIM file by their paths, in a fixed number of bytes for each.

use std::hash::{DefaultHasher, Hasher};

/// The entries of a ZIM file by their paths. It takes 12 bytes for each entry, and 8 more for each
/// redirect, since it keeps hashes and not paths.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EntryTable {
    /// The two halves of the hash of a path, and the number of its entry, in ascending order.
    slots: Vec<[u32; 3]>,
    /// The entries with content, a bit for each.
    contents: Vec<u8>,
    /// The redirects in the order of their numbers.
    redirects: Vec<Redirect>,
    /// What scripts of the pages do to their links.
    pub rewriting: Rewriting,
}

/// A redirect, and where it leads in the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Redirect {
    from: u32,
    to: u32,
}

/// What a path leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntryTarget {
    /// The entry of that number.
    Entry(u32),
    /// The entry of that number, by one or more redirects.
    Redirected(u32),
    /// Redirects in a circle.
    Circle,
    /// A redirect to an entry that does not exist or has no content.
    Nowhere,
}

/// What scripts of the pages do to their links, in files that Zimit made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Rewriting {
    /// Nothing.
    #[default]
    None,
    /// Links that lead out of the book are rewritten (warc2zim 2).
    Outside,
    /// All links are rewritten (warc2zim 1).
    All,
}

/// The target of a redirect that leads into a circle.
const CIRCLE: u32 = u32::MAX;

/// The target of a redirect that leads nowhere.
const NOWHERE: u32 = u32::MAX - 1;

/// The target of a redirect that is being followed.
#[cfg(feature = "archives")]
const FOLLOWED: u32 = u32::MAX - 2;

impl EntryTable {
    /// What a path leads to; `None` if there is no entry of that path. Of several, it is the first.
    #[must_use]
    pub fn find(&self, path: &[u8]) -> Option<EntryTarget> {
        let key = halves(path);
        let first = self.slots.partition_point(|slot| slot[..2] < key[..]);
        let [.., number] = *self.slots.get(first).filter(|slot| slot[..2] == key[..])?;
        let redirect = |redirect: &Redirect| redirect.from.cmp(&number);
        let Ok(place) = self.redirects.binary_search_by(redirect) else {
            return Some(EntryTarget::Entry(number));
        };
        Some(match self.redirects[place].to {
            CIRCLE => EntryTarget::Circle,
            NOWHERE => EntryTarget::Nowhere,
            to => EntryTarget::Redirected(to),
        })
    }
}

/// Fills a table, in the order of the numbers of the entries.
#[cfg(feature = "archives")]
impl EntryTable {
    /// Adds an entry with content. Only entries with a path below the root of the book can be found.
    pub(crate) fn add(&mut self, number: u32, path: Option<&[u8]>) {
        let byte = number as usize / 8;
        if self.contents.len() <= byte {
            self.contents.resize(byte + 1, 0);
        }
        self.contents[byte] |= 1 << (number % 8);
        self.add_path(number, path);
    }

    /// Adds a redirect to the entry of the number `to`.
    pub(crate) fn add_redirect(&mut self, number: u32, path: Option<&[u8]>, to: u32) {
        self.redirects.push(Redirect { from: number, to });
        self.add_path(number, path);
    }

    /// Makes an entry what the root of the book leads to, if it exists. Must be called after the last entry
    /// is added, and before [`Self::finish`].
    pub(crate) fn add_root(&mut self, number: u32) {
        let is_redirect = |redirect: &Redirect| redirect.from.cmp(&number);
        if self.has_content(number) || self.redirects.binary_search_by(is_redirect).is_ok() {
            self.add_path(number, Some(b""));
        }
    }

    fn add_path(&mut self, number: u32, path: Option<&[u8]>) {
        if let Some(path) = path {
            let [high, low] = halves(path);
            self.slots.push([high, low, number]);
        }
    }

    /// Follows all redirects, and makes entries found. Must be called after the last one is added.
    pub(crate) fn finish(&mut self) {
        self.slots.sort_unstable();
        let mut followed = vec![false; self.redirects.len()];
        for start in 0..self.redirects.len() {
            let mut way = Vec::new();
            let mut place = start;
            let end = loop {
                let to = self.redirects[place].to;
                if followed[place] {
                    break to;
                }
                if to == FOLLOWED {
                    break CIRCLE;
                }
                self.redirects[place].to = FOLLOWED;
                way.push(place);
                match self.redirects.binary_search_by(|one| one.from.cmp(&to)) {
                    Ok(next) => place = next,
                    Err(_) if self.has_content(to) => break to,
                    Err(_) => break NOWHERE,
                }
            };
            for place in way {
                self.redirects[place].to = end;
                followed[place] = true;
            }
        }
    }

    fn has_content(&self, number: u32) -> bool {
        let byte = self.contents.get(number as usize / 8);
        byte.is_some_and(|byte| byte & (1 << (number % 8)) != 0)
    }
}

/// The two halves of the hash of a path.
fn halves(path: &[u8]) -> [u32; 2] {
    let mut hasher = DefaultHasher::new();
    hasher.write(path);
    let bytes = hasher.finish().to_be_bytes();
    let (halves, _) = bytes.as_chunks::<4>();
    [0, 1].map(|half: usize| halves.get(half).map_or(0, |half| u32::from_be_bytes(*half)))
}

#[cfg(all(test, feature = "archives"))]
mod tests {
    use super::*;

    /// A table with a page at the number 0, and redirects to those numbers, from 1 on.
    fn table(redirects: &[u32]) -> EntryTable {
        let mut table = EntryTable::default();
        table.add(0, Some(b"page"));
        for (number, to) in (1..).zip(redirects) {
            let path = format!("r{number}");
            table.add_redirect(number, Some(path.as_bytes()), *to);
        }
        table.finish();
        table
    }

    #[test]
    fn redirects_are_followed_to_their_end() {
        let table = table(&[2, 0, 99, 3, 6, 5, 5, 8]);
        let found = |path: &str| table.find(path.as_bytes());
        assert_eq!(found("page"), Some(EntryTarget::Entry(0)));
        assert_eq!(found("r1"), Some(EntryTarget::Redirected(0)));
        assert_eq!(found("r2"), Some(EntryTarget::Redirected(0)));
        assert_eq!(found("r3"), Some(EntryTarget::Nowhere));
        assert_eq!(found("r4"), Some(EntryTarget::Nowhere));
        for path in ["r5", "r6", "r7", "r8"] {
            assert_eq!(found(path), Some(EntryTarget::Circle), "{path}");
        }
        assert_eq!(found("r9"), None);
    }

    #[test]
    fn root_leads_to_an_entry_that_exists() {
        for (number, found) in [
            (0, Some(EntryTarget::Entry(0))),
            (1, Some(EntryTarget::Redirected(0))),
            (2, None),
        ] {
            let mut table = EntryTable::default();
            table.add(0, Some(b"page"));
            table.add_redirect(1, None, 0);
            table.add_root(number);
            table.finish();
            assert_eq!(table.find(b""), found, "{number}");
        }
    }

    #[test]
    fn long_chain_is_followed_once() {
        let count = 200_000;
        let chain: Vec<u32> = (2..=count).chain([0]).collect();
        let table = table(&chain);
        assert_eq!(table.find(b"r1"), Some(EntryTarget::Redirected(0)));
    }

    #[test]
    fn first_of_equal_paths_is_found() {
        let mut table = EntryTable::default();
        for number in [3, 4] {
            table.add(number, Some(b"a"));
        }
        table.add(5, None);
        table.finish();
        assert_eq!(table.find(b"a"), Some(EntryTarget::Entry(3)));
        assert_eq!(size_of::<[u32; 3]>() + size_of::<Redirect>(), 20);
    }
}
