//! Finds the rows that may match a URL without trying all of them.

use std::collections::{BTreeSet, HashMap};

use aho_corasick::AhoCorasick;
use foldhash::fast::FixedState;

use crate::pattern::{self, Separator};
use crate::wrapper::Wrapper;

/// Row numbers by host and by path, in the order of the table.
#[derive(Clone, Debug, Default)]
pub struct Index {
    /// By the last two labels of the host.
    by_domain: HashMap<&'static str, Vec<usize>, FixedState>,
    /// Wrappers whose last labels vary, by a text that every host contains; at most 64.
    by_text: Vec<(&'static str, Vec<usize>)>,
    /// Finds these texts in a host.
    texts: Option<AhoCorasick>,
    /// Wrappers of any host, by the first segment of the path; each list includes [`Self::any_segment`].
    by_segment: HashMap<&'static str, Vec<usize>, FixedState>,
    /// Wrappers of any host and any first segment.
    any_segment: Vec<usize>,
    /// Wrappers of any host, by the last segment of the path, where the first varies.
    by_last_segment: HashMap<&'static str, Vec<usize>, FixedState>,
}

impl Index {
    pub fn new(rows: &[&'static Wrapper]) -> Self {
        let mut index = Self::default();
        for (number, row) in rows.iter().enumerate() {
            for host in &row.hosts {
                index.add(host, number);
            }
        }
        let texts = index.by_text.iter().map(|(text, _)| text);
        index.texts = Some(pattern::any_of(texts));
        index.add_paths(rows);
        index
    }

    /// Adds the rows without hosts.
    fn add_paths(&mut self, rows: &[&'static Wrapper]) {
        let mut all = Vec::new();
        for (number, row) in rows.iter().enumerate() {
            if !row.hosts.is_empty() {
                continue;
            }
            let first = row.paths.iter().map(|path| pattern::first_segments(path));
            let first = first.collect::<Option<Vec<_>>>().map(|all| all.concat());
            let last = row.paths.iter().map(|path| pattern::last_segment(path));
            match last.collect::<Option<BTreeSet<_>>>() {
                Some(last) if first.is_none() => {
                    for segment in last {
                        self.by_last_segment
                            .entry(segment)
                            .or_default()
                            .push(number);
                    }
                }
                _ => all.push((number, first)),
            }
        }
        let known = all.iter().filter_map(|(_, segments)| segments.as_ref());
        let known: BTreeSet<&'static str> = known.flatten().copied().collect();
        let fitting = |segment: Option<&'static str>| -> Vec<usize> {
            let fits = |segments: &Option<Vec<&'static str>>| match (segments, segment) {
                (None, _) => true,
                (Some(segments), Some(segment)) => segments.contains(&segment),
                (Some(_), None) => false,
            };
            let fitting = all.iter().filter(|(_, segments)| fits(segments));
            fitting.map(|(number, _)| *number).collect()
        };
        let lists = known.iter().map(|&known| (known, fitting(Some(known))));
        self.by_segment = lists.collect();
        self.any_segment = fitting(None);
    }

    fn add(&mut self, host: &'static str, number: usize) {
        let domain = domain(pattern::literal_end(host));
        let list = if domain.contains('.') {
            self.by_domain.entry(domain).or_default()
        } else {
            let text = pattern::longest_literal(host).trim_start_matches('.');
            let known = self.by_text.iter().position(|(known, _)| *known == text);
            let at = known.unwrap_or_else(|| {
                self.by_text.push((text, Vec::new()));
                self.by_text.len() - 1
            });
            &mut self.by_text[at].1
        };
        if list.last() != Some(&number) {
            list.push(number);
        }
    }

    /// The rows that may match, those with hosts first.
    pub fn candidates<'i>(&'i self, host: &'i str, path: &str) -> impl Iterator<Item = usize> + 'i {
        let by_domain = self.by_domain.get(domain(host)).into_iter().flatten();
        let mut texts = self.texts_in(host);
        let by_text = std::iter::from_fn(move || {
            let next = texts.trailing_zeros() as usize;
            texts &= texts.wrapping_sub(1);
            self.by_text.get(next)
        });
        let by_text = by_text.flat_map(|(_, list)| list);
        let path = path.get(1..).unwrap_or_default();
        let first = path.split('/').next().unwrap_or_default();
        let of_any = self.by_segment.get(first).unwrap_or(&self.any_segment);
        let last = memchr::memrchr(b'/', path.as_bytes()).map(|slash| &path[slash + 1..]);
        let by_last = last.and_then(|last| self.by_last_segment.get(last));
        let by_last = by_last.into_iter().flatten();
        by_domain
            .chain(by_text)
            .chain(of_any)
            .chain(by_last)
            .copied()
    }

    /// A bit for each of the texts that the host contains.
    fn texts_in(&self, host: &str) -> u64 {
        let Some(texts) = &self.texts else {
            return 0;
        };
        let found = texts.find_overlapping_iter(host);
        found.fold(0, |bits, found| bits | 1 << found.pattern().as_usize())
    }
}

/// Whether a row has a rule for this host, or for none.
pub fn has_host(row: &Wrapper, host: &str) -> bool {
    let fits = |rule: &str| pattern::matches(rule, host, Separator::Dot).is_some();
    row.hosts.is_empty() || row.hosts.iter().any(|rule| fits(rule))
}

/// The last two labels.
pub fn domain(host: &str) -> &str {
    let dot = |end: usize| memchr::memrchr(b'.', &host.as_bytes()[..end]);
    let second = dot(host.len()).and_then(dot);
    second.map_or(host, |dot| &host[dot + 1..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_found_by_its_example() {
        let rows: Vec<_> = crate::table().collect();
        let index = Index::new(&rows);
        for (number, row) in rows.iter().enumerate() {
            let host = baseref_resolve::parts::host(row.example).unwrap();
            let path = match baseref_resolve::parts::path(row.example) {
                "" => "/",
                path => path,
            };
            assert!(has_host(row, &host), "{}", row.name);
            assert!(
                index.candidates(&host, path).any(|other| other == number),
                "{}",
                row.name
            );
        }
        assert!(index.by_text.len() < 24, "{:?}", index.by_text);
        let is_rare = |(text, _): &(&str, _)| !matches!(*text, "com" | "net" | "org" | "www.");
        assert!(index.by_text.iter().all(is_rare), "{:?}", index.by_text);
        let of_any = &index.any_segment;
        assert!(of_any.len() < 3, "{of_any:?}");
    }

    #[test]
    fn domain_is_the_last_two_labels() {
        for (host, found) in [("a.b.c", "b.c"), ("b.c", "b.c"), ("c", "c"), ("", "")] {
            assert_eq!(domain(host), found);
        }
    }
}
