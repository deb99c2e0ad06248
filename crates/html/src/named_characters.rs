//! The names of characters (HTML "named character references"), packed into numbers.
//!
//! html5ever's map holds 10,000 pointers to texts, for the names and for what they begin with. The dynamic
//! linker adjusts each of them before the program begins, whether or not a page has a reference. So the map
//! is only read while compiling, into tables without a pointer.

use html5ever::data::NAMED_ENTITIES;

/// The code points that a name stands for; the second is 0 if there is but one.
pub(super) type CodePoints = [u32; 2];

/// What a name at the start of a text stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct NamedCharacters {
    pub(super) code_points: CodePoints,
    /// The length of the name in bytes, its semicolon included.
    pub(super) length: usize,
}

/// The longest name that a text begins with, without `&`.
pub(super) fn longest_at_start(text: &str) -> Option<NamedCharacters> {
    let bytes = text.as_bytes();
    let letters = bytes.iter().take(LONGEST_NAME);
    let letters = letters
        .take_while(|byte| byte.is_ascii_alphanumeric())
        .count();
    // A semicolon can only be the last character of a name, so no name is longer than this one.
    let with_semicolon = (bytes.get(letters) == Some(&b';')).then_some(letters + 1);
    let without = (1..=letters.min(LONGEST_WITHOUT_SEMICOLON)).rev();
    with_semicolon
        .into_iter()
        .chain(without)
        .find_map(|length| {
            let code_points = code_points(bytes.get(..length)?)?;
            Some(NamedCharacters {
                code_points,
                length,
            })
        })
}

/// What a whole name stands for, written without `&` and with its semicolon, if it needs one.
pub(super) fn code_points(name: &[u8]) -> Option<CodePoints> {
    let mut slot = slot(name);
    loop {
        let number = usize::from(TABLES.slots[slot].checked_sub(1)?);
        let start = usize::from(TABLES.starts[number]);
        let end = usize::from(TABLES.starts[number + 1]);
        if TABLES.names[start..end] == *name {
            return Some(TABLES.code_points[number]);
        }
        slot = (slot + 1) % SLOTS;
    }
}

/// Whether an entry of the map is a name, not only the beginning of one.
const fn is_name(number: usize) -> bool {
    NAMED_ENTITIES.entries[number].1.0 != 0
}

/// The number of names, and what is known of their lengths.
struct Lengths {
    names: usize,
    bytes: usize,
    longest: usize,
    longest_without_semicolon: usize,
}

const LENGTHS: Lengths = {
    let mut lengths = Lengths {
        names: 0,
        bytes: 0,
        longest: 0,
        longest_without_semicolon: 0,
    };
    let mut number = 0;
    while number < NAMED_ENTITIES.entries.len() {
        if is_name(number) {
            let name = NAMED_ENTITIES.entries[number].0.as_bytes();
            lengths.names += 1;
            lengths.bytes += name.len();
            if name.len() > lengths.longest {
                lengths.longest = name.len();
            }
            let is_short = name[name.len() - 1] != b';';
            if is_short && name.len() > lengths.longest_without_semicolon {
                lengths.longest_without_semicolon = name.len();
            }
        }
        number += 1;
    }
    lengths
};

const LONGEST_NAME: usize = LENGTHS.longest;
const LONGEST_WITHOUT_SEMICOLON: usize = LENGTHS.longest_without_semicolon;

/// At least half of them are free, so that misses are found quickly.
const SLOTS: usize = (2 * LENGTHS.names).next_power_of_two();

/// A hash table with linear probing.
struct Tables {
    /// For each slot the number of its name, from 1; 0 marks a free one.
    slots: [u16; SLOTS],
    /// For each name where it starts in `names`, and the end of the last.
    starts: [u16; LENGTHS.names + 1],
    names: [u8; LENGTHS.bytes],
    code_points: [CodePoints; LENGTHS.names],
}

static TABLES: Tables = Tables::new();

impl Tables {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "there are 17,000 bytes of names"
    )]
    #[expect(clippy::large_stack_arrays, reason = "it runs while compiling")]
    const fn new() -> Self {
        assert!(LENGTHS.bytes <= u16::MAX as usize, "a name has no offset");
        let mut tables = Self {
            slots: [0; SLOTS],
            starts: [0; LENGTHS.names + 1],
            names: [0; LENGTHS.bytes],
            code_points: [[0; 2]; LENGTHS.names],
        };
        let mut count = 0;
        let mut end = 0;
        let mut number = 0;
        while number < NAMED_ENTITIES.entries.len() {
            if is_name(number) {
                let (name, (first, second)) = NAMED_ENTITIES.entries[number];
                let name = name.as_bytes();
                tables.code_points[count] = [first, second];
                let mut slot = slot(name);
                while tables.slots[slot] != 0 {
                    slot = (slot + 1) % SLOTS;
                }
                let mut at = 0;
                while at < name.len() {
                    tables.names[end] = name[at];
                    end += 1;
                    at += 1;
                }
                count += 1;
                tables.slots[slot] = count as u16;
                tables.starts[count] = end as u16;
            }
            number += 1;
        }
        tables
    }
}

/// The first slot to look for a name (FNV-1a).
#[expect(clippy::cast_possible_truncation, reason = "only the low bits count")]
const fn slot(name: &[u8]) -> usize {
    let mut hash = 0xCBF2_9CE4_8422_2325_u64;
    let mut at = 0;
    while at < name.len() {
        hash = (hash ^ name[at] as u64).wrapping_mul(0x0100_0000_01B3);
        at += 1;
    }
    (hash ^ hash >> 32) as usize % SLOTS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_has_its_code_points() {
        let mut names = 0;
        for (name, (first, second)) in NAMED_ENTITIES.entries {
            let is_name = *first != 0;
            let expected = is_name.then_some([*first, *second]);
            assert_eq!(code_points(name.as_bytes()), expected, "{name}");
            names += usize::from(is_name);
            if is_name {
                let found = longest_at_start(name).expect(name);
                assert_eq!(found.length, name.len(), "{name}");
            }
        }
        assert_eq!(names, 2231);
    }

    #[test]
    fn longest_name_at_the_start_of_a_text() {
        for (text, name) in [
            ("notin;", "notin;"),
            ("notit;", "not"),
            ("not;in;", "not;"),
            ("copyright", "copy"),
            (
                "CounterClockwiseContourIntegral;;",
                "CounterClockwiseContourIntegral;",
            ),
            ("CounterClockwiseContourIntegral", ""),
            ("CounterClockwiseContourIntegralx;", ""),
            ("ampere", "amp"),
            ("lté", "lt"),
            ("nosuch;", ""),
            (";", ""),
            ("", ""),
        ] {
            let found = longest_at_start(text).map_or(0, |found| found.length);
            assert_eq!(&text[..found], name, "{text}");
        }
    }
}
