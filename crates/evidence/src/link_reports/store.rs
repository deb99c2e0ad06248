//! A compact store of results: a block of text and a row of fixed size for each, found by the normal form
//! of its URL.

use std::hash::BuildHasher;

use baseref_resolve::normal::{NormalOptions, normal};
use baseref_resolve::parts::without_fragment;
use foldhash::fast::FixedState;

use crate::link_reports::result::{FetchResult, Hop};

/// A range of [`Texts`].
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct TextRange {
    start: u32,
    length: u32,
}

/// Strings in one block of memory.
#[derive(Debug, Default)]
pub(crate) struct Texts {
    block: String,
    /// The latest date and the latest message, which most results repeat.
    latest: [TextRange; 2],
}

/// The store is full: it holds at most 4 GiB of text and 2^32 rows.
#[derive(Debug)]
pub(crate) struct Full;

impl Texts {
    pub(crate) fn store(&mut self, text: &str) -> Result<TextRange, Full> {
        let start = u32::try_from(self.block.len()).map_err(|_| Full)?;
        let length = u32::try_from(text.len()).map_err(|_| Full)?;
        start.checked_add(length).ok_or(Full)?;
        self.block.push_str(text);
        Ok(TextRange { start, length })
    }

    /// Like [`Self::store`], for a string that often repeats the last one.
    fn repeat(&mut self, kind: usize, text: Option<&str>) -> Result<TextRange, Full> {
        let Some(text) = text.filter(|text| !text.is_empty()) else {
            return Ok(TextRange::default());
        };
        if self.get(self.latest[kind]) != text {
            self.latest[kind] = self.store(text)?;
        }
        Ok(self.latest[kind])
    }

    pub(crate) fn get(&self, text: TextRange) -> &str {
        let start = text.start as usize;
        &self.block[start..start + text.length as usize]
    }
}

/// Row numbers, sorted by the hashes of their keys.
#[derive(Debug, Default)]
pub(crate) struct ByKey(Vec<(u32, u32)>);

impl ByKey {
    /// Adds a row; it is found after the next [`Self::sort`].
    pub(crate) fn add(&mut self, key: &str, number: u32) {
        self.0.push((hash(key), number));
    }

    /// Sorts by hash, then by the order of `of`.
    pub(crate) fn sort<'k, K: Ord + 'k>(&mut self, of: impl Fn(u32) -> K) {
        self.0.sort_unstable();
        for equal in self.0.chunk_by_mut(|a, b| a.0 == b.0) {
            if equal.len() > 1 {
                equal.sort_by_key(|(_, number)| of(*number));
            }
        }
    }

    /// The rows whose keys have the same hash.
    pub(crate) fn rows(&self, key: &str) -> impl DoubleEndedIterator<Item = u32> + use<'_> {
        let key_hash = hash(key);
        let start = self.0.partition_point(|(hash, _)| *hash < key_hash);
        let end = start + self.0[start..].partition_point(|(hash, _)| *hash == key_hash);
        self.0[start..end].iter().map(|(_, number)| *number)
    }

    /// Keeps the last of several rows with equal keys.
    pub(crate) fn keep_last(&mut self, is_same: impl Fn(u32, u32) -> bool) {
        // `dedup_by` keeps the first of equal ones.
        self.0.reverse();
        self.0.dedup_by(|a, b| a.0 == b.0 && is_same(a.1, b.1));
        self.0.reverse();
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }
}

fn hash(key: &str) -> u32 {
    let hash = FixedState::with_seed(1808).hash_one(key);
    u32::try_from(hash >> 32).unwrap_or_default()
}

/// The result of a URL.
#[derive(Clone, Copy, Debug)]
struct ResultRow {
    /// The URL in normal form.
    url: TextRange,
    date: TextRange,
    error: TextRange,
    /// The index of its first redirect.
    hops: u32,
    hop_count: u16,
    /// 0 if there is none, as in `end_status`.
    status: u16,
    end_status: u16,
    no_host: bool,
}

/// The results of all reports.
#[derive(Debug, Default)]
pub(crate) struct Store {
    texts: Texts,
    rows: Vec<ResultRow>,
    hops: Vec<(u16, TextRange)>,
    by_url: ByKey,
    /// Results with redirects to a known end, by the URL of that end.
    by_end: ByKey,
}

impl Store {
    /// Adds a result; it is found after the next [`Self::sort`].
    pub(crate) fn add(&mut self, result: &FetchResult) -> Result<(), Full> {
        let key = key(&result.url);
        let number = u32::try_from(self.rows.len()).map_err(|_| Full)?;
        let hops = u32::try_from(self.hops.len()).map_err(|_| Full)?;
        // No client follows this many.
        let hop_list = &result.hops[..result.hops.len().min(usize::from(u16::MAX))];
        for Hop { status, to } in hop_list {
            self.hops
                .push((status.unwrap_or_default(), self.texts.store(to)?));
        }
        let row = ResultRow {
            url: self.texts.store(&key)?,
            date: self.texts.repeat(0, result.date.as_deref())?,
            error: self.texts.repeat(1, result.error.as_deref())?,
            hops,
            hop_count: u16::try_from(hop_list.len()).unwrap_or_default(),
            status: result.status.unwrap_or_default(),
            end_status: result.end_status.unwrap_or_default(),
            no_host: result.no_host,
        };
        self.by_url.add(&key, number);
        if result.end_status.is_some()
            && let Some(last) = hop_list.last()
        {
            self.by_end.add(&self::key(&last.to), number);
        }
        self.rows.push(row);
        Ok(())
    }

    /// Sorts the results; the last one of each URL wins.
    pub(crate) fn sort(&mut self) {
        let Self {
            texts,
            rows,
            hops,
            by_url,
            by_end,
        } = self;
        let end = |number: u32| {
            let row = &rows[number as usize];
            let last = (row.hops as usize + usize::from(row.hop_count)).checked_sub(1);
            last.map(|last| key(texts.get(hops[last].1)))
        };
        by_end.sort(|number| (end(number), number));
        let url = |number: u32| texts.get(rows[number as usize].url);
        by_url.sort(|number| (url(number), number));
        by_url.keep_last(|one, other| url(one) == url(other));
    }

    /// The result of a URL: its own, or else the end of another URL's redirects.
    pub(crate) fn get(&self, url: &str) -> Option<FetchResult> {
        let key = key(url);
        let rows = self
            .by_url
            .rows(&key)
            .map(|number| &self.rows[number as usize]);
        let own = rows.into_iter().find(|row| self.texts.get(row.url) == key);
        let Some(row) = own else {
            return self.as_end(key);
        };
        let status = |status: u16| Some(status).filter(|status| *status > 0);
        let text = |text: TextRange| Some(self.texts.get(text)).filter(|text| !text.is_empty());
        let start = row.hops as usize;
        let hops = &self.hops[start..start + usize::from(row.hop_count)];
        Some(FetchResult {
            url: key.into(),
            status: status(row.status),
            hops: hops
                .iter()
                .map(|(code, to)| Hop {
                    status: status(*code),
                    to: self.texts.get(*to).into(),
                })
                .collect(),
            end_status: status(row.end_status),
            error: text(row.error).map(Box::from),
            no_host: row.no_host,
            date: text(row.date).map(Box::from),
        })
    }

    /// The result of a URL as the end of the redirects from another one.
    fn as_end(&self, key: String) -> Option<FetchResult> {
        let rows = self
            .by_end
            .rows(&key)
            .map(|number| &self.rows[number as usize]);
        let row = rows.rev().find(|row| {
            let last = row.hops as usize + usize::from(row.hop_count) - 1;
            self::key(self.texts.get(self.hops[last].1)) == key
        })?;
        let date = Some(self.texts.get(row.date)).filter(|date| !date.is_empty());
        Some(FetchResult {
            url: key.into(),
            status: Some(row.end_status),
            end_status: Some(row.end_status),
            date: date.map(Box::from),
            ..FetchResult::default()
        })
    }

    /// The number of URLs with a result of their own.
    pub(crate) fn len(&self) -> usize {
        self.by_url.len()
    }
}

/// The normal form of a URL, without its fragment.
pub(crate) fn key(url: &str) -> String {
    normal(without_fragment(url), &NormalOptions::default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn size_of_a_row() {
        assert!(size_of::<ResultRow>() <= 36, "{}", size_of::<ResultRow>());
    }

    #[test]
    fn lookup_by_key_finds_the_last_row() {
        let keys = ["b", "a", "c", "a", "b", "a"];
        let mut found = ByKey::default();
        for (number, key) in (0..).zip(keys) {
            found.add(key, number);
        }
        found.sort(|number| (keys[number as usize], number));
        found.keep_last(|one, other| keys[one as usize] == keys[other as usize]);
        let rows = |key| found.rows(key).collect::<Vec<_>>();
        assert_eq!(
            (rows("a"), rows("b"), rows("c"), rows("d")),
            (vec![5], vec![4], vec![2], vec![])
        );
    }
}
