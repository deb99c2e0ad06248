//! Counts what was not read because it cannot hold links, so that nothing is skipped silently.

use std::borrow::Cow;
use std::collections::BTreeMap;

/// How many parts of an input were not read: parts of messages and records of archives by media
/// type, members of packages by the ending of their name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Skipped {
    by_type: Kinds,
    /// The members of packages: they have names, but no media types.
    members: Kinds,
    /// Parts of plain text that were not read because the links in text are not wanted.
    pub texts: u64,
}

/// Further kinds are counted together.
const MOST_KINDS: usize = 256;

/// The name for parts of no declared type, for names that say nothing, and for kinds beyond the
/// limit.
const OTHER: &str = "other";

/// The maximum length in bytes of an ending that counts as a kind.
const LONGEST_ENDING: usize = 16;

/// Numbers by kind.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Kinds(BTreeMap<Box<str>, u64>);

impl Kinds {
    fn add(&mut self, kind: &str, number: u64) {
        let is_known = self.0.contains_key(kind) || self.0.len() < MOST_KINDS;
        let kind = if is_known && !kind.is_empty() {
            kind
        } else {
            OTHER
        };
        match self.0.get_mut(kind) {
            Some(counted) => *counted += number,
            None => {
                self.0.insert(kind.into(), number);
            }
        }
    }

    fn add_all(&mut self, others: &Self) {
        for (kind, number) in &others.0 {
            self.add(kind, *number);
        }
    }

    fn total(&self) -> u64 {
        self.0.values().sum()
    }

    fn each(&self) -> impl ExactSizeIterator<Item = (&str, u64)> {
        self.0.iter().map(|(kind, number)| (&**kind, *number))
    }
}

impl Skipped {
    /// Counts a part or record. `essence` is its media type without parameters, empty if
    /// undeclared.
    pub fn count(&mut self, essence: &str) {
        self.by_type.add(essence, 1);
    }

    /// Counts a member of a package. `path` is its name as stored.
    pub fn count_member(&mut self, path: &str) {
        self.members.add(&kind_of_name(path), 1);
    }

    /// Adds the counts of `others`.
    pub fn add(&mut self, others: &Self) {
        self.by_type.add_all(&others.by_type);
        self.members.add_all(&others.members);
        self.texts += others.texts;
    }

    /// The number of parts, records and members.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.by_type.total() + self.members.total()
    }

    /// Each media type and its number of parts and records, in byte order; `other` where no type
    /// is declared.
    #[must_use]
    pub fn by_type(&self) -> impl ExactSizeIterator<Item = (&str, u64)> {
        self.by_type.each()
    }

    /// The media types and their numbers in words, the most frequent first: at most `most` types, and
    /// the number of the others. `None` if nothing was skipped.
    ///
    /// ```
    /// let mut skipped = baseref_document::Skipped::default();
    /// for essence in ["image/png", "application/pdf", "image/png", "text/x"] {
    ///     skipped.count(essence);
    /// }
    /// let words = skipped.by_type_in_words(2);
    /// assert_eq!(words.as_deref(), Some("image/png 2, application/pdf 1, 1 more"));
    /// ```
    #[must_use]
    pub fn by_type_in_words(&self, most: usize) -> Option<String> {
        let mut kinds: Vec<(&str, u64)> = self.by_type().collect();
        // What is as frequent stays in byte order.
        kinds.sort_by_key(|(_, number)| std::cmp::Reverse(*number));
        let (named, rest) = kinds.split_at(most.min(kinds.len()));
        let mut words: Vec<String> = named
            .iter()
            .map(|(kind, number)| format!("{kind} {number}"))
            .collect();
        let rest: u64 = rest.iter().map(|(_, number)| number).sum();
        words.extend((rest > 0).then(|| format!("{rest} more")));
        (!words.is_empty()).then(|| words.join(", "))
    }

    /// Each kind of member and its number, in byte order: the ending of the name with its dot and
    /// without capitals, the name if it has no ending, or `other`.
    #[must_use]
    pub fn members(&self) -> impl ExactSizeIterator<Item = (&str, u64)> {
        self.members.each()
    }
}

/// The kind of a member by its name, without characters that are unsafe to print.
fn kind_of_name(path: &str) -> Cow<'_, str> {
    let name = path.rsplit('/').next().unwrap_or_default();
    let is_short = |word: &str| {
        let is_word = |byte: u8| byte.is_ascii_alphanumeric() || b"-_".contains(&byte);
        (1..=LONGEST_ENDING).contains(&word.len()) && word.bytes().all(is_word)
    };
    match name.rsplit_once('.') {
        Some((_, ending)) if is_short(ending) => format!(".{}", ending.to_ascii_lowercase()).into(),
        None if is_short(name) => name.into(),
        _ => OTHER.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_counted_in_bounded_memory() {
        let mut skipped = Skipped::default();
        for number in 0..1000 {
            skipped.count(&format!("a/{number:04}"));
            skipped.count("a/0000");
        }
        skipped.count("");
        let mut twice = skipped.clone();
        twice.add(&skipped);
        assert_eq!((skipped.total(), twice.total()), (2001, 4002));
        assert_eq!(twice.by_type().next(), Some(("a/0000", 2002)));
        assert_eq!(twice.by_type().last(), Some((OTHER, 2 * 745)));
    }

    #[test]
    fn members_are_counted_by_the_ending_of_their_name() {
        let mut skipped = Skipped::default();
        for (path, kind) in [
            ("mimetype", "mimetype"),
            ("OEBPS/Images/A.b/Cover.PNG", ".png"),
            ("a.b/c", "c"),
            (".htaccess", ".htaccess"),
            ("a.", OTHER),
            ("a.\u{1b}[31m", OTHER),
            ("a.tab le", OTHER),
            ("\u{e9}", OTHER),
            ("a.longer-than-endings", OTHER),
            ("", OTHER),
        ] {
            assert_eq!(kind_of_name(path), kind, "{path:?}");
            skipped.count_member(path);
        }
        skipped.count("text/css");
        let members: Vec<_> = skipped.members().collect();
        let expected = [(".htaccess", 1), (".png", 1), ("c", 1), ("mimetype", 1)];
        assert_eq!(members[..4], expected);
        assert_eq!(members[4..], [(OTHER, 6)]);
        assert_eq!((skipped.total(), skipped.by_type().len()), (11, 1));
    }
}
