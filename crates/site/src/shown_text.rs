//! The text that a page shows, with an index of its words.

use std::ops::Range;

use baseref_resolve::spelling::base_letters;

/// The text of a page in the form that text directives are compared with, and where its words are.
#[derive(Clone, Debug)]
pub struct ShownText {
    text: String,
    /// Where each word and each other character but white space begins, sorted by the word.
    words: Box<[usize]>,
}

/// The number of bytes by which words are sorted before they are compared.
const KEY: usize = size_of::<u64>();

impl ShownText {
    /// From the text that a page shows, with a line feed between blocks.
    #[must_use]
    pub fn new(text: &str) -> Self {
        let text = base_letters(text);
        let key = |word: &str| {
            let mut key = [0; KEY];
            for (to, from) in key.iter_mut().zip(word.bytes()) {
                *to = from;
            }
            u64::from_be_bytes(key)
        };
        let mut words: Vec<(u64, usize)> = words(&text)
            .map(|word| (key(&text[word.clone()]), word.start))
            .collect();
        words.sort_unstable_by(|(a, at), (b, other)| {
            a.cmp(b).then_with(|| {
                let word = word_at(&text, *at, usize::MAX);
                word.cmp(word_at(&text, *other, usize::MAX))
            })
        });
        let words = words.into_iter().map(|(_, at)| at).collect();
        Self { text, words }
    }

    /// The number of bytes that it takes.
    #[must_use]
    pub fn size(&self) -> usize {
        self.text.len() + size_of_val(&*self.words)
    }

    /// The text from an offset on; empty if there is no such character.
    pub(crate) fn rest(&self, at: usize) -> &str {
        self.text.get(at..).unwrap_or_default()
    }

    /// Where the text may have another, which begins with a word and, if `ends_word`, ends with one: the
    /// places of its rarest word.
    pub(crate) fn candidates(
        &self,
        wanted: &str,
        ends_word: bool,
    ) -> impl Iterator<Item = usize> + '_ {
        let rarest = words(wanted)
            .map(|word| {
                let is_whole = ends_word || word.end < wanted.len();
                (word.start, self.places(&wanted[word], is_whole))
            })
            .min_by_key(|(_, places)| places.len());
        let (before, places) = rarest.unwrap_or_default();
        places.iter().filter_map(move |at| at.checked_sub(before))
    }

    /// The end of a text that is at an offset, between boundaries of words if these are asked for.
    pub(crate) fn end_of(&self, at: usize, wanted: &str, ends_word: bool) -> Option<usize> {
        let end = at + wanted.len();
        let is_found = self.rest(at).starts_with(wanted)
            && self.is_boundary(at)
            && (!ends_word || self.is_boundary(end));
        is_found.then_some(end)
    }

    /// Whether words may begin or end at an offset. Writing without spaces has boundaries anywhere.
    ///
    /// Departs: the specification takes the boundaries of words from the locale.
    pub(crate) fn is_boundary(&self, at: usize) -> bool {
        let before = self
            .text
            .get(..at)
            .and_then(|text| text.chars().next_back());
        let after = self.rest(at).chars().next();
        !(before.is_some_and(is_of_word) && after.is_some_and(is_of_word))
    }

    /// Where a word begins, or where words begin that start with it.
    fn places(&self, word: &str, is_whole: bool) -> &[usize] {
        let start_at = |at: usize| word_at(&self.text, at, word.len());
        let first = self.words.partition_point(|at| start_at(*at) < word);
        let rest = &self.words[first..];
        let is_more =
            |at: &usize| start_at(*at) == word && (!is_whole || self.is_boundary(at + word.len()));
        // The word itself precedes the longer ones.
        &rest[..rest.partition_point(is_more)]
    }
}

/// Whether a character is part of a word of several.
fn is_of_word(c: char) -> bool {
    c.is_alphanumeric() && u32::from(c) < 0x0E00
}

/// The words of a text, and each other character but white space.
fn words(text: &str) -> impl Iterator<Item = Range<usize>> + '_ {
    let mut at = 0;
    std::iter::from_fn(move || {
        at += text[at..].len() - text[at..].trim_start().len();
        let word = word_at(text, at, usize::MAX);
        at += word.len();
        (!word.is_empty()).then(|| at - word.len()..at)
    })
}

/// The word or other character at an offset, with whole characters up to about this number of bytes.
fn word_at(text: &str, at: usize, longest: usize) -> &str {
    let rest = text.get(at..).unwrap_or_default();
    let mut ends = rest.char_indices();
    let first = match ends.next() {
        Some((_, c)) if is_of_word(c) => None,
        Some((_, c)) => Some(c.len_utf8()),
        None => Some(0),
    };
    let end = first.or_else(|| {
        let mut ends = ends.skip_while(|(end, c)| *end < longest && is_of_word(*c));
        ends.next().map(|(end, _)| end)
    });
    &rest[..end.unwrap_or(rest.len())]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str, wanted: &str, ends_word: bool) -> Vec<usize> {
        let text = ShownText::new(text);
        let candidates = text.candidates(wanted, ends_word);
        let mut found: Vec<usize> = candidates
            .filter(|at| text.end_of(*at, wanted, ends_word).is_some())
            .collect();
        found.sort_unstable();
        found
    }

    #[test]
    fn words_are_found_where_a_search_finds_them() {
        let text = "a ab abc. abcdefgh abcdefghi \u{6771}ab\u{4eac}ab, ab~ab a.b a  b";
        let whole = ShownText::new(text);
        for wanted in [
            "a",
            "ab",
            "abc",
            "abcdefgh",
            "\u{6771}",
            "\u{6771}a",
            "b\u{4eac}",
            "ab~ab",
            "a.b",
            ".",
            "ab,",
            "~",
            "a  b",
            "x",
            "ab abc",
            "abcdefghi",
        ] {
            for ends_word in [true, false] {
                let all = text.match_indices(wanted).map(|(at, _)| at);
                let searched: Vec<usize> = all
                    .filter(|at| whole.end_of(*at, wanted, ends_word).is_some())
                    .collect();
                let case = format!("{wanted:?} {ends_word}");
                assert_eq!(found(text, wanted, ends_word), searched, "{case}");
            }
        }
    }

    #[test]
    fn only_the_rarest_word_is_looked_up() {
        let text = ShownText::new(&format!("{}the end", "the ".repeat(1_000)));
        assert_eq!(text.candidates("the end", true).count(), 1);
        assert_eq!(text.candidates("the cow", true).count(), 0);
    }
}
