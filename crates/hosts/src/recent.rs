//! A cache of public suffixes per thread. Most documents name a few hundred hosts at most, many times
//! each.

use std::cell::RefCell;

use baseref_suffixes::PublicSuffix;

/// The number of slots of each thread. A name replaces another one in its slot.
const SLOTS: usize = 1024;

/// The longest name in DNS (RFC 1035 §2.3.4). Longer names are not cached.
const LONGEST: usize = 253;

/// A name and its suffix.
type CachedSuffix = (Box<str>, Option<PublicSuffix>);

thread_local! {
    static RECENT: RefCell<Vec<Option<CachedSuffix>>> = const { RefCell::new(Vec::new()) };
}

/// Finds the suffix of a name, listed or not; `None` if the name has no label.
pub(crate) fn find(name: &str) -> Option<PublicSuffix> {
    if name.len() > LONGEST {
        return baseref_suffixes::find(name);
    }
    RECENT.with_borrow_mut(|recent| {
        if recent.is_empty() {
            recent.resize(SLOTS, None);
        }
        let Some(slot) = recent.get_mut(slot(name.as_bytes())) else {
            return baseref_suffixes::find(name);
        };
        match slot {
            Some((known, found)) if **known == *name => *found,
            _ => {
                let found = baseref_suffixes::find(name);
                *slot = Some((name.into(), found));
                found
            }
        }
    })
}

/// The slot of a name: a hash of its length and the eight bytes at either end.
fn slot(name: &[u8]) -> usize {
    let end = |bytes: &[u8]| {
        let mut word = [0; 8];
        word[..bytes.len()].copy_from_slice(bytes);
        u64::from_le_bytes(word)
    };
    let first = end(&name[..name.len().min(8)]);
    let last = end(&name[name.len().saturating_sub(8)..]);
    // Fibonacci hashing: the highest bits of the product depend on all others.
    let mixed =
        (first ^ last.rotate_left(29) ^ name.len() as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let [.., low, high] = mixed.to_le_bytes();
    usize::from(u16::from_le_bytes([low, high])) % SLOTS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cached_suffix_is_the_one_found_first() {
        for name in ["a.co.uk", "b.github.io", "x", "", ".", "zz", "a.co.uk."] {
            let found = baseref_suffixes::find(name);
            assert_eq!(find(name), found, "{name:?}");
            assert_eq!(find(name), found, "{name:?}");
        }
    }

    #[test]
    fn names_in_one_slot_are_distinguished() {
        // Only the middle differs.
        let names = ["aaaaaaaa.co.x.github.io", "aaaaaaaa.uk.x.github.io"];
        assert_eq!(slot(names[0].as_bytes()), slot(names[1].as_bytes()));
        let others = ["12345678.co.uk.5678.com", "12345678.github.5678.com"];
        for name in names.into_iter().chain(others).chain(names) {
            assert_eq!(find(name), baseref_suffixes::find(name), "{name}");
        }
    }

    #[test]
    fn slots_are_in_range() {
        for length in 0..=LONGEST {
            assert!(slot("\u{7f}".repeat(length).as_bytes()) < SLOTS);
        }
    }
}
