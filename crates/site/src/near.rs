//! An index of names for finding misspellings.
//!
//! Two names within [`MOST`] edits of each other share one of a few parts at almost the same position
//! (G. Li et al., "Pass-Join", VLDB 2012), so a name is compared only with those that share a part with
//! it, at most [`COMPARED`] of them. The cost of a search does not depend on the number of names.

use std::hash::{BuildHasher, Hash};

use foldhash::fast::FixedState;

use baseref_resolve::spelling::fold_case;

/// The maximum edit distance between two names; a transposition counts as one edit.
const MOST: usize = 2;

/// The maximum length in characters of a name that is split; longer ones are compared only as a whole.
const LENGTH: usize = 128;

/// The maximum number of names that one is compared with.
const COMPARED: usize = 32;

/// The kind of names in an index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NameKind {
    /// File names, which may differ only by their extension.
    Files,
    /// Ids, in which a dot is an ordinary character.
    Elements,
}

/// An index of names, case-folded.
#[derive(Debug)]
pub(crate) struct NameIndex {
    of: NameKind,
    text: String,
    /// The end of each name in the text.
    ends: Vec<usize>,
    /// The hashes of the parts of names, with the indices of the names, sorted.
    parts: Vec<(u32, u32)>,
    /// A Bloom filter of the parts, which answers most searches.
    present: Vec<u64>,
}

/// A candidate for a misspelt name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Hit {
    /// 0 if only the case differs, 1 if only the extension differs, more for edits.
    pub(crate) rank: usize,
    /// The 0-based position of the name in its index.
    pub(crate) number: usize,
}

/// The hashed feature of a name.
#[derive(Hash)]
enum NameFeature<'n> {
    Whole(&'n str),
    Stem(&'n str),
    /// Its digits. A name with other digits is a different name, not a misspelling.
    Digits(u64),
    /// A piece of a name of `length` characters with these digits.
    Piece {
        digits: u64,
        length: usize,
        piece: usize,
        text: &'n str,
    },
}

impl NameFeature<'_> {
    fn hash(&self) -> u32 {
        let hash = FixedState::default().hash_one(self);
        // The order of the halves does not matter.
        (hash >> 32) as u32
    }
}

impl NameIndex {
    /// An index of `names`, without those beyond four billion.
    pub(crate) fn new<'n>(of: NameKind, names: impl Iterator<Item = &'n str>) -> Self {
        let mut near = Self {
            of,
            text: String::new(),
            ends: Vec::new(),
            parts: Vec::new(),
            present: Vec::new(),
        };
        let mut offsets = Vec::new();
        for (number, name) in (0_u32..).zip(names) {
            let start = near.text.len();
            near.text += &fold_case(name);
            near.ends.push(near.text.len());
            let name = &near.text[start..];
            offsets_of(name, &mut offsets);
            let parts = parts(of, name, &offsets);
            near.parts.extend(parts.map(|part| (part.hash(), number)));
        }
        near.parts.sort_unstable();
        near.parts.dedup();
        let bits = (8 * near.parts.len()).next_power_of_two().max(64);
        near.present = vec![0; bits / 64];
        for (hash, _) in &near.parts {
            let bit = *hash as usize % bits;
            near.present[bit / 64] |= 1 << (bit % 64);
        }
        near
    }

    /// The names that `name` may be a misspelling of, most likely first.
    pub(crate) fn find(&self, name: &str) -> Vec<Hit> {
        let name = fold_case(name);
        let digits = digits(&name);
        let mut search = Search {
            near: self,
            name: &name,
            compared: Vec::new(),
            hits: Vec::new(),
        };
        search.look_at(&NameFeature::Whole(&name));
        if self.of == NameKind::Files {
            search.look_at(&NameFeature::Stem(stem(&name)));
        }
        if self.places(&NameFeature::Digits(digits)).next().is_some() {
            search.pieces(digits);
        }
        search.hits.sort_unstable();
        search.hits
    }

    fn name(&self, number: usize) -> &str {
        let start = number.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.text[start..self.ends[number]]
    }

    /// The indices of the names that have `part`, in order.
    fn places(&self, part: &NameFeature<'_>) -> impl Iterator<Item = usize> {
        let hash = part.hash();
        let bit = hash as usize % (64 * self.present.len());
        let is_present = self.present[bit / 64] & (1 << (bit % 64)) != 0;
        let first = if is_present {
            self.parts.partition_point(|(known, _)| *known < hash)
        } else {
            self.parts.len()
        };
        let found = self.parts[first..].iter();
        found
            .take_while(move |(known, _)| *known == hash)
            .map(|(_, number)| *number as usize)
    }
}

/// A search for the names similar to `name`.
struct Search<'n> {
    near: &'n NameIndex,
    name: &'n str,
    compared: Vec<usize>,
    hits: Vec<Hit>,
}

impl Search<'_> {
    fn pieces(&mut self, digits: u64) {
        let mut offsets = Vec::new();
        offsets_of(self.name, &mut offsets);
        let own = offsets.len() - 1;
        if own > LENGTH {
            return;
        }
        for length in own.saturating_sub(MOST)..=own + MOST {
            for (piece, (start, end)) in pieces(length).enumerate() {
                for moved in start.saturating_sub(MOST)..=start + MOST {
                    let Some(to) = offsets.get(moved + end - start) else {
                        break;
                    };
                    self.look_at(&NameFeature::Piece {
                        digits,
                        length,
                        piece,
                        text: &self.name[offsets[moved]..*to],
                    });
                }
            }
        }
    }

    /// Compares the name with those that share a part with it.
    fn look_at(&mut self, part: &NameFeature<'_>) {
        for number in self.near.places(part) {
            if self.compared.len() == COMPARED {
                return;
            }
            if self.compared.contains(&number) {
                continue;
            }
            self.compared.push(number);
            if let Some(rank) = rank(self.near.of, self.name, self.near.name(number)) {
                self.hits.push(Hit { rank, number });
            }
        }
    }
}

/// The parts of a case-folded name that similar names may share; `offsets` are the [character offsets](offsets_of).
fn parts<'n>(
    of: NameKind,
    name: &'n str,
    offsets: &'n [usize],
) -> impl Iterator<Item = NameFeature<'n>> {
    let stem = (of == NameKind::Files).then(|| NameFeature::Stem(stem(name)));
    let length = offsets.len() - 1;
    let digits = digits(name);
    let piece = move |(piece, (start, end)): (usize, (usize, usize))| NameFeature::Piece {
        digits,
        length,
        piece,
        text: &name[offsets[start]..offsets[end]],
    };
    let pieces = pieces(length).enumerate().map(piece);
    let split = std::iter::once(NameFeature::Digits(digits)).chain(pieces);
    let split = Some(split).filter(|_| length <= LENGTH);
    std::iter::once(NameFeature::Whole(name))
        .chain(stem)
        .chain(split.into_iter().flatten())
}

/// The bounds of the pieces of a name with this number of characters. There is one piece more than
/// edits can touch; a transposition can touch two.
fn pieces(length: usize) -> impl Iterator<Item = (usize, usize)> {
    let count = if length < 3 * MOST { 3 } else { 2 * MOST + 1 };
    let bounds =
        (0..count).map(move |piece| (piece * length / count, (piece + 1) * length / count));
    bounds.filter(|(start, end)| start < end)
}

/// The offsets of the characters of a name, and its end.
fn offsets_of(name: &str, offsets: &mut Vec<usize>) {
    offsets.clear();
    offsets.extend(name.char_indices().map(|(at, _)| at));
    offsets.push(name.len());
}

fn digits(name: &str) -> u64 {
    let mut all = name.bytes().filter(u8::is_ascii_digit).peekable();
    if all.peek().is_none() {
        return 0;
    }
    FixedState::default().hash_one(all.collect::<Vec<u8>>())
}

/// The rank of `other` as a correction of `name`, both case-folded; smaller is more likely.
fn rank(of: NameKind, name: &str, other: &str) -> Option<usize> {
    if name == other {
        return Some(0);
    }
    if of == NameKind::Files && stem(name) == stem(other) {
        return Some(1);
    }
    if digits(name) != digits(other) {
        return None;
    }
    let distance = if name.is_ascii() && other.is_ascii() {
        edits(name.as_bytes(), other.as_bytes(), MOST)
    } else {
        let [name, other] = [name, other].map(|name| name.chars().collect::<Vec<char>>());
        edits(&name, &other, MOST)
    }?;
    let longest = name.chars().count().max(other.chars().count());
    (3 * distance <= longest).then_some(1 + distance)
}

/// A name without its extension.
fn stem(name: &str) -> &str {
    match name.rfind('.') {
        Some(dot) if dot > 0 => &name[..dot],
        _ => name,
    }
}

/// The edit distance of two names, if it is at most `most`. Edits are insertions, deletions,
/// substitutions and transpositions. The recursion depth is at most `most`.
fn edits<T: PartialEq>(a: &[T], b: &[T], most: usize) -> Option<usize> {
    let same = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    let (a, b) = (&a[same..], &b[same..]);
    if a.is_empty() || b.is_empty() {
        let rest = a.len() + b.len();
        return (rest <= most).then_some(rest);
    }
    if most == 0 || a.len().abs_diff(b.len()) > most {
        return None;
    }
    let is_exchanged = a.len() > 1 && b.len() > 1 && a[0] == b[1] && a[1] == b[0];
    let after = [
        edits(&a[1..], &b[1..], most - 1),
        edits(&a[1..], b, most - 1),
        edits(a, &b[1..], most - 1),
        is_exchanged
            .then(|| edits(&a[2..], &b[2..], most - 1))
            .flatten(),
    ];
    let fewest = after.into_iter().flatten().min();
    fewest.map(|edits| 1 + edits)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found<'n>(names: &[&'n str], name: &str) -> Vec<&'n str> {
        let near = NameIndex::new(NameKind::Files, names.iter().copied());
        let hits = near.find(name).into_iter();
        hits.map(|hit| names[hit.number]).collect()
    }

    #[test]
    fn one_or_two_edits_anywhere_are_found() {
        let name = "configuration";
        for misspelt in [
            "configuraton",
            "konfiguration",
            "configurations",
            "confgiuration",
            "configruatoin",
            "cnofiguratino",
            "xconfigurationx",
            "nfiguration",
            "configurati",
            "CONFIGURATION",
        ] {
            assert_eq!(found(&["other", name], misspelt), [name], "{misspelt}");
        }
        for other in ["configurator-x", "figuration-of", "cnofgiurtaion"] {
            assert_eq!(found(&[name], other), [""; 0], "{other}");
        }
    }

    #[test]
    fn index_finds_every_pair_within_the_distance() {
        // Compares all pairs of words of up to seven letters from an alphabet of two.
        let words: Vec<String> = (1..=7_u32)
            .flat_map(|length| (0..1_u32 << length).map(move |bits| (length, bits)))
            .map(|(length, bits)| {
                let letter = |at: u32| if bits >> at & 1 == 0 { 'a' } else { 'b' };
                (0..length).map(letter).collect()
            })
            .collect();
        for word in &words {
            for other in &words {
                let near = NameIndex::new(NameKind::Elements, std::iter::once(other.as_str()));
                let hits = near.find(word);
                let expected = rank(NameKind::Elements, word, other);
                assert_eq!(hits.first().map(|hit| hit.rank), expected, "{word} {other}");
            }
        }
    }

    #[test]
    fn other_digits_make_a_different_name() {
        assert_eq!(found(&["index-1", "index-18"], "index-19"), [""; 0]);
        assert_eq!(found(&["git-am.html"], "git-p4.html"), [""; 0]);
        assert_eq!(found(&["chapter-12"], "chapter-21"), [""; 0]);
        assert_eq!(found(&["chapter-12"], "chaptre-12"), ["chapter-12"]);
    }

    #[test]
    fn short_names_need_a_larger_common_part() {
        assert_eq!(found(&["a.html"], "b.html"), ["a.html"]);
        assert_eq!(found(&["a", "ab"], "b"), [""; 0]);
        assert_eq!(found(&["a.html"], "a.htm"), ["a.html"]);
        assert_eq!(found(&["page.html"], "pgae.html"), ["page.html"]);
    }

    #[test]
    fn multibyte_letters_count_as_one() {
        assert_eq!(found(&["Übersicht"], "übersciht"), ["Übersicht"]);
        assert_eq!(found(&["ééé"], "èèè"), [""; 0]);
    }

    #[test]
    fn long_names_are_compared_only_as_a_whole() {
        let long = "n".repeat(LENGTH + 1);
        assert_eq!(found(&[&long], &long.to_uppercase()), [&*long]);
        assert_eq!(found(&[&long], &format!("{long}x")), [""; 0]);
    }

    #[test]
    fn comparisons_per_shared_part_are_limited() {
        let names: Vec<String> = (0..1000).map(|_| "shared-part".to_owned()).collect();
        let near = NameIndex::new(NameKind::Files, names.iter().map(String::as_str));
        assert_eq!(near.find("shared-prat").len(), COMPARED);
    }
}
