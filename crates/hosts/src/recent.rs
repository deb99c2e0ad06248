//! The public suffixes of the names that were looked up last. Few documents name more than some hundred
//! hosts, but they name them again and again.

use std::cell::RefCell;

use baseref_suffixes::Found;

/// How many names each thread remembers; of two that share a place the later one stays.
const PLACES: usize = 1024;

/// The longest name that DNS has (RFC 1035 §2.3.4). What is longer is looked up each time.
const LONGEST: usize = 253;

/// A name, and what was found for it.
type Recent = (Box<str>, Option<Found>);

thread_local! {
    static RECENT: RefCell<Vec<Option<Recent>>> = const { RefCell::new(Vec::new()) };
}

/// The suffix of a name, on the list or not; `None` if there is no label.
pub(crate) fn find(name: &str) -> Option<Found> {
    if name.len() > LONGEST {
        return baseref_suffixes::find(name);
    }
    RECENT.with_borrow_mut(|recent| {
        if recent.is_empty() {
            recent.resize(PLACES, None);
        }
        let Some(place) = recent.get_mut(place(name.as_bytes())) else {
            return baseref_suffixes::find(name);
        };
        match place {
            Some((known, found)) if **known == *name => *found,
            _ => {
                let found = baseref_suffixes::find(name);
                *place = Some((name.into(), found));
                found
            }
        }
    })
}

/// Where a name is remembered: by its length and the eight bytes at either end.
fn place(name: &[u8]) -> usize {
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
    usize::from(u16::from_le_bytes([low, high])) % PLACES
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_found_again_as_it_was() {
        for name in ["a.co.uk", "b.github.io", "x", "", ".", "zz", "a.co.uk."] {
            let found = baseref_suffixes::find(name);
            assert_eq!(find(name), found, "{name:?}");
            assert_eq!(find(name), found, "{name:?}");
        }
    }

    #[test]
    fn names_that_share_a_place_are_told_apart() {
        // Only the middle differs.
        let names = ["aaaaaaaa.co.x.github.io", "aaaaaaaa.uk.x.github.io"];
        assert_eq!(place(names[0].as_bytes()), place(names[1].as_bytes()));
        let others = ["12345678.co.uk.5678.com", "12345678.github.5678.com"];
        for name in names.into_iter().chain(others).chain(names) {
            assert_eq!(find(name), baseref_suffixes::find(name), "{name}");
        }
    }

    #[test]
    fn every_place_is_within_the_memory() {
        for length in 0..=LONGEST {
            assert!(place("\u{7f}".repeat(length).as_bytes()) < PLACES);
        }
    }
}
