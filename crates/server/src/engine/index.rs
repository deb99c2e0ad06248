//! Finds which of many ordered patterns may match a path, by their literal prefixes and by literals
//! they contain.

use std::collections::{BTreeSet, HashMap};
use std::sync::OnceLock;

use aho_corasick::{AhoCorasick, AhoCorasickKind};

use crate::engine::pattern::Pattern;
use crate::engine::work::{NoAnswer, Work};

/// Pattern numbers, indexed by literal prefix.
///
/// A look-up costs one hash per distinct prefix length. Of many patterns with the same prefix, only
/// those whose other literal occurs in the text are returned, found in one pass.
#[derive(Debug, Default)]
pub(crate) struct PrefixIndex {
    by_prefix: HashMap<Box<[u8]>, Bucket>,
    lengths: BTreeSet<usize>,
}

/// Patterns with the same prefix.
#[derive(Debug, Default)]
struct Bucket {
    /// Patterns without another known literal.
    numbers: Vec<usize>,
    /// The others.
    with_text: Option<Box<Texts>>,
}

/// Patterns by a lower-case literal that every match contains.
#[derive(Debug, Default)]
struct Texts {
    /// The index of each literal in the other two fields.
    by_text: HashMap<Box<[u8]>, usize>,
    literals: Vec<Box<[u8]>>,
    lists: Vec<Vec<usize>>,
    /// Find those literals, ignoring case, [`AT_ONCE`] each; built on first use.
    finders: OnceLock<Option<Vec<AhoCorasick>>>,
}

/// Up to this number of literals, their patterns are simply tried.
const FEW: usize = 16;

/// The number of literals per searcher, since the time to build one can grow with the square of that
/// number.
const AT_ONCE: usize = 2_048;

impl PrefixIndex {
    /// Adds pattern `number`, which matches nothing that does not start with `prefix`.
    pub(crate) fn add(&mut self, prefix: &[u8], number: usize) {
        self.bucket(prefix).numbers.push(number);
    }

    /// Adds pattern `number`.
    pub(crate) fn add_pattern(&mut self, pattern: &Pattern, number: usize) {
        let text = pattern.text();
        let bucket = self.bucket(pattern.prefix());
        if text.is_empty() {
            bucket.numbers.push(number);
        } else {
            let texts = bucket.with_text.get_or_insert_default();
            texts.add(text, number);
        }
    }

    fn bucket(&mut self, prefix: &[u8]) -> &mut Bucket {
        self.lengths.insert(prefix.len());
        self.by_prefix.entry(prefix.into()).or_default()
    }

    /// The numbers of the patterns that may match `text`, lowest first.
    ///
    /// # Errors
    ///
    /// If a limit is reached.
    #[expect(clippy::stable_sort_primitive, reason = "it merges runs in order")]
    pub(crate) fn candidates(&self, text: &[u8], work: &Work) -> Result<Vec<usize>, NoAnswer> {
        let mut found = Vec::new();
        let prefixes = self.lengths.iter().filter_map(|length| text.get(..*length));
        for bucket in prefixes.filter_map(|prefix| self.by_prefix.get(prefix)) {
            found.extend_from_slice(&bucket.numbers);
            if let Some(texts) = &bucket.with_text {
                texts.add_candidates(text, &mut found, work)?;
            }
        }
        work.take(found.len() / 16)?;
        found.sort();
        found.dedup();
        Ok(found)
    }
}

/// The numbers of the patterns that may match a text, lowest first; the text may change on the way.
#[derive(Debug)]
pub(crate) struct Cursor<'i> {
    index: &'i PrefixIndex,
    numbers: Vec<usize>,
    /// The position of the next one in `numbers`.
    at: usize,
    /// The lowest number that may come next.
    next: usize,
}

impl PrefixIndex {
    /// # Errors
    ///
    /// If a limit is reached.
    pub(crate) fn cursor(&self, text: &[u8], work: &Work) -> Result<Cursor<'_>, NoAnswer> {
        Ok(Cursor {
            index: self,
            numbers: self.candidates(text, work)?,
            at: 0,
            next: 0,
        })
    }
}

impl Cursor<'_> {
    /// Continues with the patterns that may match another text.
    ///
    /// # Errors
    ///
    /// If a limit is reached.
    pub(crate) fn renew(&mut self, text: &[u8], work: &Work) -> Result<(), NoAnswer> {
        self.numbers = self.index.candidates(text, work)?;
        self.skip_numbers(0);
        Ok(())
    }

    /// Skips this many numbers, whether or not their patterns may match.
    pub(crate) fn skip_numbers(&mut self, count: usize) {
        self.next = self.next.saturating_add(count);
        self.at = self.numbers.partition_point(|number| *number < self.next);
    }
}

impl Iterator for Cursor<'_> {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        let number = *self.numbers.get(self.at)?;
        self.at += 1;
        self.next = number + 1;
        Some(number)
    }
}

impl Texts {
    fn add(&mut self, text: &[u8], number: usize) {
        let list = *self.by_text.entry(text.into()).or_insert_with(|| {
            self.literals.push(text.into());
            self.lists.push(Vec::new());
            self.lists.len() - 1
        });
        if let Some(list) = self.lists.get_mut(list) {
            list.push(number);
        }
    }

    fn add_candidates(
        &self,
        text: &[u8],
        found: &mut Vec<usize>,
        work: &Work,
    ) -> Result<(), NoAnswer> {
        let finders = match self.lists.len() {
            0..=FEW => None,
            _ => self.finders.get_or_init(|| self.build()).as_deref(),
        };
        let Some(finders) = finders else {
            found.extend(self.lists.iter().flatten());
            return Ok(());
        };
        let mut lists = BTreeSet::new();
        for (chunk, finder) in finders.iter().enumerate() {
            work.take(usize::from(chunk > 0) * (1 + text.len() / 16))?;
            for (number, part) in (1..).zip(finder.find_overlapping_iter(text)) {
                lists.insert(chunk * AT_ONCE + part.pattern().as_usize());
                work.take(usize::from(number % 4 == 0))?;
            }
        }
        let lists = lists.into_iter().filter_map(|list| self.lists.get(list));
        found.extend(lists.flatten());
        Ok(())
    }

    fn build(&self) -> Option<Vec<AhoCorasick>> {
        let mut builder = AhoCorasick::builder();
        builder
            .ascii_case_insensitive(true)
            .kind(Some(AhoCorasickKind::ContiguousNFA));
        let chunks = self.literals.chunks(AT_ONCE);
        chunks.map(|chunk| builder.build(chunk).ok()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(index: &PrefixIndex, text: &str) -> Vec<usize> {
        index.candidates(text.as_bytes(), &Work::new()).unwrap()
    }

    #[test]
    fn candidates_come_in_the_order_of_their_numbers() {
        let mut index = PrefixIndex::default();
        for (number, prefix) in ["/b", "/a/b", "", "/a", "/a/c"].into_iter().enumerate() {
            index.add(prefix.as_bytes(), number);
        }
        assert_eq!(found(&index, "/a/b/c"), [1, 2, 3]);
        assert_eq!(found(&index, "x"), [2]);
    }

    #[test]
    fn cursor_continues_when_the_text_changes() {
        let mut index = PrefixIndex::default();
        for (number, prefix) in ["/a", "/b", "", "/a", "/b", "", "/b"]
            .into_iter()
            .enumerate()
        {
            index.add(prefix.as_bytes(), number);
        }
        let work = Work::new();
        let mut numbers = index.cursor(b"/a", &work).unwrap();
        assert_eq!([numbers.next(), numbers.next()], [Some(0), Some(2)]);
        numbers.renew(b"/b", &work).unwrap();
        assert_eq!(numbers.next(), Some(4));
        numbers.skip_numbers(1);
        assert_eq!([numbers.next(), numbers.next()], [Some(6), None]);
        numbers.skip_numbers(usize::MAX);
        assert_eq!(numbers.next(), None);
    }

    #[test]
    fn many_patterns_with_one_prefix_are_found_by_literal() {
        let mut index = PrefixIndex::default();
        let many = AT_ONCE * 2 + 100;
        for number in 0..many {
            let pattern = Pattern::new(&format!(r"(?i)^/o(\d+)/page-{number}x$"), false).unwrap();
            index.add_pattern(&pattern, number);
        }
        index.add_pattern(&Pattern::new("^/o[0-9]+", false).unwrap(), many);
        assert_eq!(found(&index, "/o1/PAGE-7X"), [7, many]);
        assert_eq!(found(&index, "/o1/PAGE-4099X"), [4_099, many]);
        assert_eq!(found(&index, "/o1/other"), [many]);
    }
}
