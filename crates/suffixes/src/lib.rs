//! Finds the public suffix of a host name: the part under which anyone can register a domain.
//!
//! ```
//! use baseref_suffixes::{SuffixKind, find};
//!
//! let found = find("www.shop.co.uk").unwrap();
//! assert_eq!((found.length, found.kind), ("co.uk".len(), Some(SuffixKind::Registry)));
//! assert_eq!(find("me.github.io").unwrap().kind, Some(SuffixKind::Private));
//! // Not on the list: the last label.
//! assert_eq!(find("printer.local").unwrap().kind, None);
//! ```
//!
//! A lookup bisects a text of 11,000 lines for each label; callers with many names cache the results.
//!
//! Internal to baseref, and versioned with it.
//!
//! # What it does not do
//!
//! It does not recognise IP addresses and does not fold case; `baseref-hosts` does both.

use std::cmp::Ordering;

/// The list of <https://publicsuffix.org>, as of the build: sorted lines, each with a name and what the rules
/// say of it. Names with other letters than ASCII are there twice, as written and in Punycode. `renew.py`
/// makes it; its license is in `LICENSE-MPL-2.0`.
///
/// | after the name | rule | its suffixes |
/// |---|---|---|
/// | `i`, `p` | `NAME`, of a registry or private | the name |
/// | `I`, `P` | `*.NAME` | each name with one more label |
/// | `!` | `!NAME`, of a registry | the name without its first label |
static LIST: &str = include_str!("public_suffix_list.txt");

/// The maximum number of labels of a name in the list.
const MOST_LABELS: usize = 6;

/// The public suffix of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PublicSuffix {
    /// Its length in bytes, including the final dot of the name, if any.
    pub length: usize,
    /// Who runs it; `None` if no rule of the list matches, and the suffix is the last label.
    pub kind: Option<SuffixKind>,
}

/// Who runs a public suffix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SuffixKind {
    /// A domain registry: `co.uk`.
    Registry,
    /// The owner of the domain, such as a hosting company: `github.io`.
    Private,
}

/// Finds the suffix of a name in lower case; `None` for a name without labels.
#[must_use]
pub fn find(name: &str) -> Option<PublicSuffix> {
    let labels = name.strip_suffix('.').unwrap_or(name);
    let of = |start: usize, kind| PublicSuffix {
        length: name.len() - start,
        kind,
    };
    let starts = labels.rmatch_indices('.').map(|(dot, _)| dot + 1);
    let mut starts = starts.chain([0]).take(MOST_LABELS + 1).peekable();
    let mut found = of(*starts.peek()?, None);
    // From the last label to longer names: a longer match is the better one.
    let mut shorter = found;
    while let Some(start) = starts.next() {
        for rule in rules_of(&labels[start..]).bytes() {
            let longer = starts.peek().copied();
            found = match (rule, longer) {
                (b'i', _) => of(start, Some(SuffixKind::Registry)),
                (b'p', _) => of(start, Some(SuffixKind::Private)),
                (b'I', Some(longer)) => of(longer, Some(SuffixKind::Registry)),
                (b'P', Some(longer)) => of(longer, Some(SuffixKind::Private)),
                (b'!', _) => shorter,
                _ => found,
            };
        }
        shorter = of(start, Some(SuffixKind::Registry));
    }
    (found.length > 0).then_some(found)
}

/// What the list says of a name: a letter for each rule.
fn rules_of(name: &str) -> &'static str {
    let mut list = LIST;
    while !list.is_empty() {
        // The line around the middle.
        let middle = list.floor_char_boundary(list.len() / 2);
        let start = list[..middle].rfind('\n').map_or(0, |end| end + 1);
        let line = &list[start..];
        // The space after its name comes before all that follows in a longer name.
        let first = line.as_bytes().get(..name.len()).unwrap_or(line.as_bytes());
        list = match first.cmp(name.as_bytes()) {
            Ordering::Less => line.split_once('\n').unwrap_or_default().1,
            Ordering::Equal if line[name.len()..].starts_with(' ') => {
                return line[name.len() + 1..].lines().next().unwrap_or_default();
            }
            Ordering::Equal | Ordering::Greater => &list[..start],
        };
    }
    ""
}

#[cfg(test)]
mod tests {
    use super::*;

    fn by_psl(name: &str) -> Option<PublicSuffix> {
        let suffix = psl::suffix(name.as_bytes())?;
        Some(PublicSuffix {
            length: suffix.as_bytes().len(),
            kind: suffix.typ().map(|kind| match kind {
                psl::Type::Icann => SuffixKind::Registry,
                psl::Type::Private => SuffixKind::Private,
            }),
        })
    }

    /// Where a name is a suffix by a wildcard and part of a longer rule, psl forgets the wildcard.
    fn is_forgotten_by_psl(name: &str) -> bool {
        let (_, parent) = name.split_once('.').unwrap_or_default();
        let has_wildcard = |name| matches!(rules_of(name), "I" | "P");
        has_wildcard(name) && has_wildcard(parent)
    }

    #[test]
    fn suffixes_of_and_below_all_names_are_those_of_psl() {
        let mut forgotten = Vec::new();
        for line in LIST.lines() {
            let (listed, _) = line.split_once(' ').unwrap();
            for before in ["", "a.", "a.b."] {
                let name = format!("{before}{listed}");
                let found = find(&name);
                if found == by_psl(&name) {
                    continue;
                }
                assert!(is_forgotten_by_psl(&name), "{name}");
                assert_eq!(found.unwrap().length, name.len());
                forgotten.push(name);
            }
        }
        assert!(forgotten.contains(&"ex.futurecms.at".to_owned()));
    }

    #[test]
    fn suffixes_of_names_with_empty_labels_are_those_of_psl() {
        for name in [
            "",
            ".",
            "..",
            "uk",
            "uk.",
            ".uk",
            "co.uk.",
            ".co.uk",
            "..uk",
            "co..uk",
            "ck",
            ".ck",
            "a.ck.",
            ".www.ck",
            "b.www.ck.",
            "zz",
            "a.zz.",
            "\u{e9}",
        ] {
            assert_eq!(find(name), by_psl(name), "{name:?}");
        }
    }

    #[test]
    fn lines_are_sorted_and_have_the_labels_that_are_looked_for() {
        let names = LIST.lines().map(|line| line.split_once(' ').unwrap().0);
        assert!(names.clone().is_sorted());
        let labels = names.map(|name| name.split('.').count());
        assert_eq!(labels.max(), Some(MOST_LABELS));
    }
}
