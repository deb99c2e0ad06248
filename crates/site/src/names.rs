//! Whether the fragment of a URL points to something in a page.

use percent_encoding::percent_decode_str;

use baseref_document::{Identifiers, hash_of};

/// The prefix of ids from user content on GitHub and on similar renderers.
const USER_CONTENT: &str = "user-content-";

/// The message for a fragment that is an id [from user content](Names::has_user_content).
#[must_use]
pub fn user_content_message(fragment: &str) -> String {
    format!("the name is \"{USER_CONTENT}{fragment}\": only the scripts of GitHub find it")
}

/// The ids in a page that fragments can point to, by their hashes.
#[derive(Debug, Default)]
pub struct Names {
    /// The hashes of all ids, sorted.
    all: Box<[u64]>,
    /// The hashes of duplicate ids, sorted.
    repeated: Box<[u64]>,
    /// Whether the page may have others, because bytes of it are missing or damaged.
    is_partial: bool,
}

impl Names {
    /// The ids of a page.
    #[must_use]
    pub fn new(identifiers: &Identifiers) -> Self {
        let all = identifiers.hashes();
        let all = all.filter(|(naming, _)| naming.is_fragment_target());
        let repeated = identifiers.repeated.iter();
        Self {
            all: sorted(all.map(|(_, hash)| hash).collect()),
            repeated: sorted(repeated.map(|repeated| hash_of(&repeated.name)).collect()),
            is_partial: false,
        }
    }

    /// The ids of the part of a page that could be read, if `is_damaged`.
    #[must_use]
    pub fn partial(self, is_damaged: bool) -> Self {
        Self {
            is_partial: is_damaged,
            ..self
        }
    }

    /// Whether the page may have ids that are not known.
    #[must_use]
    pub fn is_partial(&self) -> bool {
        self.is_partial
    }

    /// The ids in lower case, if that differs for any of them.
    #[must_use]
    pub fn folded(identifiers: &Identifiers) -> Option<Self> {
        let all = identifiers.iter();
        let all = all.filter(|(naming, _)| naming.is_fragment_target());
        let all = all.map(|(_, name)| (name, name.to_lowercase()));
        let mut is_folded = true;
        let hashes = all.map(|(name, folded)| {
            is_folded &= name == folded;
            hash_of(&folded)
        });
        let all = sorted(hashes.collect());
        (!is_folded).then(|| Self {
            all,
            repeated: Box::default(),
            is_partial: false,
        })
    }

    /// The hash of the id that a fragment matches, as written or else percent-decoded.
    #[must_use]
    pub fn find(&self, fragment: &str) -> Option<u64> {
        find(fragment, |hash| self.has_hash(hash))
    }

    /// Whether a fragment is an id, as written or else percent-decoded.
    #[must_use]
    pub fn has(&self, fragment: &str) -> bool {
        self.find(fragment).is_some()
    }

    fn has_hash(&self, hash: u64) -> bool {
        self.all.binary_search(&hash).is_ok()
    }

    /// The hashes of all ids, in order.
    #[must_use]
    pub fn hashes(&self) -> &[u64] {
        &self.all
    }

    /// Whether a fragment leads somewhere in the page: see [`leads`].
    #[must_use]
    pub fn leads(&self, fragment: &str) -> bool {
        leads(fragment, |hash| self.has_hash(hash))
    }

    /// Whether a fragment is an id from user content: see [`is_user_content`].
    #[must_use]
    pub fn has_user_content(&self, fragment: &str) -> bool {
        is_user_content(fragment, |hash| self.has_hash(hash))
    }

    /// Whether any id is duplicate.
    #[must_use]
    pub fn has_repeated(&self) -> bool {
        !self.repeated.is_empty()
    }

    /// Whether several elements have the id with this hash.
    #[must_use]
    pub fn is_repeated(&self, hash: u64) -> bool {
        self.repeated.binary_search(&hash).is_ok()
    }
}

/// The hash of the id that a fragment matches, as written or else percent-decoded, among those that a
/// page `has`.
fn find(fragment: &str, has: impl Fn(u64) -> bool + Copy) -> Option<u64> {
    let known = |name: &str| Some(hash_of(name)).filter(|hash| has(*hash));
    known(fragment).or_else(|| {
        let decoded = || percent_decode_str(fragment).decode_utf8_lossy();
        fragment.contains('%').then(|| known(&decoded())).flatten()
    })
}

/// Whether a fragment leads somewhere in a page that `has` ids with these hashes: it is an id, as
/// written or else percent-decoded, or a range of lines that are ids (`10-20`, `L10-L20`), which the
/// scripts of source viewers scroll to and highlight.
pub fn leads(fragment: &str, has: impl Fn(u64) -> bool + Copy) -> bool {
    find(fragment, has).is_some() || has_lines(fragment, has)
}

fn has_lines(fragment: &str, has: impl Fn(u64) -> bool + Copy) -> bool {
    let Some((first, last)) = fragment.split_once('-') else {
        return false;
    };
    let number = |line: &str| {
        let digits = line.strip_prefix('L').unwrap_or(line);
        let is_number = digits.bytes().all(|byte| byte.is_ascii_digit());
        digits.parse::<u64>().ok().filter(|_| is_number)
    };
    let prefix = if first.starts_with('L') { "L" } else { "" };
    let (Some(from), Some(to)) = (number(first), number(last)) else {
        return false;
    };
    let is_alike = !last.starts_with('L') || prefix == "L";
    let has = |name: &str| find(name, has).is_some();
    is_alike && from <= to && has(first) && has(&format!("{prefix}{to}"))
}

/// Whether a fragment becomes an id that a page `has` once GitHub's prefix for user content is added.
pub fn is_user_content(fragment: &str, has: impl Fn(u64) -> bool + Copy) -> bool {
    find(&format!("{USER_CONTENT}{fragment}"), has).is_some()
}

fn sorted(mut hashes: Vec<u64>) -> Box<[u64]> {
    hashes.sort_unstable();
    hashes.dedup();
    hashes.into_boxed_slice()
}

#[cfg(test)]
mod tests {
    use super::*;
    use baseref_document::Naming;

    #[test]
    fn literal_id_before_decoded_id() {
        let mut identifiers = Identifiers::default();
        for name in ["a%20b", "\u{e9}", "c d"] {
            identifiers.push(Naming::Id, name);
        }
        let names = Names::new(&identifiers);
        assert_eq!(names.find("a%20b"), Some(hash_of("a%20b")));
        assert_eq!(names.find("%C3%A9"), Some(hash_of("\u{e9}")));
        assert_eq!(names.find("c%20d"), Some(hash_of("c d")));
        assert_eq!(names.find("a b"), None);
        assert_eq!(names.find("C%20d"), None);
    }

    #[test]
    fn line_range_by_its_first_and_last_line() {
        let mut identifiers = Identifiers::default();
        for name in ["8", "10", "208", "L3", "L12"] {
            identifiers.push(Naming::Id, name);
        }
        let names = Names::new(&identifiers);
        for range in ["8-10", "10-208", "L3-L12", "L3-12", "8-8"] {
            assert!(names.leads(range), "{range}");
        }
        for range in [
            "10-8", "8-11", "9-10", "3-L12", "L3-13", "8-10-208", "8-", "-8", "+8-10",
        ] {
            assert!(!names.leads(range), "{range}");
        }
    }

    #[test]
    fn ids_are_folded_only_if_one_has_upper_case() {
        let mut identifiers = Identifiers::default();
        identifiers.push(Naming::Id, "b");
        assert!(Names::folded(&identifiers).is_none());
        identifiers.push(Naming::Id, "\u{c9}t\u{e9}");
        let folded = Names::folded(&identifiers).expect("a name differs");
        assert!(folded.has("b") && folded.has("\u{e9}t\u{e9}"));
        assert!(!folded.has("\u{c9}t\u{e9}"));
    }

    #[test]
    fn user_content_id_without_its_prefix() {
        let mut identifiers = Identifiers::default();
        identifiers.push(Naming::Id, "user-content-a b");
        let names = Names::new(&identifiers);
        assert!(names.has_user_content("a b") && names.has_user_content("a%20b"));
        assert!(!names.leads("a b") && !names.has_user_content("b"));
    }
}
