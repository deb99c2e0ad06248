//! Many measurements in little memory: one block of text, one row of fixed size each, found by the
//! normal form of their URLs.

use std::hash::BuildHasher;

use baseref_resolve::normal::{NormalOptions, normal};
use baseref_resolve::parts::without_fragment;
use foldhash::fast::FixedState;

use crate::link_reports::measured::{Hop, Measured};

/// Text of a store: where it begins, and its length.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Text {
    start: u32,
    length: u32,
}

/// Texts in one block of memory.
#[derive(Debug, Default)]
pub(crate) struct Texts {
    block: String,
    /// The latest date and message: most lines have those of the line before.
    latest: [Text; 2],
}

/// That a store has no room: it holds at most 4 GiB of text and as many rows as a number of 32 bits
/// counts.
#[derive(Debug)]
pub(crate) struct Full;

impl Texts {
    pub(crate) fn keep(&mut self, text: &str) -> Result<Text, Full> {
        let start = u32::try_from(self.block.len()).map_err(|_| Full)?;
        let length = u32::try_from(text.len()).map_err(|_| Full)?;
        start.checked_add(length).ok_or(Full)?;
        self.block.push_str(text);
        Ok(Text { start, length })
    }

    /// Like [`Self::keep`], for a text that is often that of the line before.
    fn repeat(&mut self, kind: usize, text: Option<&str>) -> Result<Text, Full> {
        let Some(text) = text.filter(|text| !text.is_empty()) else {
            return Ok(Text::default());
        };
        if self.get(self.latest[kind]) != text {
            self.latest[kind] = self.keep(text)?;
        }
        Ok(self.latest[kind])
    }

    pub(crate) fn get(&self, text: Text) -> &str {
        let start = text.start as usize;
        &self.block[start..start + text.length as usize]
    }
}

/// Numbers of rows by the hash of their keys, sorted.
#[derive(Debug, Default)]
pub(crate) struct ByKey(Vec<(u32, u32)>);

impl ByKey {
    /// Adds a row, which is found after the next [`Self::sort`].
    pub(crate) fn add(&mut self, key: &str, number: u32) {
        self.0.push((hash(key), number));
    }

    /// Sorts by hash, then key, then the order of `order`.
    pub(crate) fn sort<'k, K: Ord + 'k>(&mut self, of: impl Fn(u32) -> K) {
        self.0.sort_unstable();
        for equal in self.0.chunk_by_mut(|a, b| a.0 == b.0) {
            if equal.len() > 1 {
                equal.sort_by_key(|(_, number)| of(*number));
            }
        }
    }

    /// The rows whose keys have the hash of this one.
    pub(crate) fn of(&self, key: &str) -> impl DoubleEndedIterator<Item = u32> + use<'_> {
        let wanted = hash(key);
        let start = self.0.partition_point(|(hash, _)| *hash < wanted);
        let end = start + self.0[start..].partition_point(|(hash, _)| *hash == wanted);
        self.0[start..end].iter().map(|(_, number)| *number)
    }

    /// Keeps the last of the rows with equal keys.
    pub(crate) fn keep_last(&mut self, is_same: impl Fn(u32, u32) -> bool) {
        // Of equal ones, `dedup_by` keeps the first.
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

/// What was measured of a URL.
#[derive(Clone, Copy, Debug)]
struct Row {
    /// The normal form of the URL.
    url: Text,
    date: Text,
    error: Text,
    /// Its redirects: those from here on.
    hops: u32,
    hop_count: u16,
    /// 0 for none, as in `end_status`.
    status: u16,
    end_status: u16,
    no_host: bool,
}

/// All measurements.
#[derive(Debug, Default)]
pub(crate) struct Store {
    texts: Texts,
    rows: Vec<Row>,
    hops: Vec<(u16, Text)>,
    by_url: ByKey,
    /// Those with redirects whose end was measured, by that end.
    by_end: ByKey,
}

impl Store {
    /// Adds a measurement, which is found after the next [`Self::sort`].
    pub(crate) fn add(&mut self, measured: &Measured) -> Result<(), Full> {
        let key = key(&measured.url);
        let number = u32::try_from(self.rows.len()).map_err(|_| Full)?;
        let hops = u32::try_from(self.hops.len()).map_err(|_| Full)?;
        // More hops than a client follows say no more.
        let kept = &measured.hops[..measured.hops.len().min(usize::from(u16::MAX))];
        for Hop { status, to } in kept {
            self.hops
                .push((status.unwrap_or_default(), self.texts.keep(to)?));
        }
        let row = Row {
            url: self.texts.keep(&key)?,
            date: self.texts.repeat(0, measured.date.as_deref())?,
            error: self.texts.repeat(1, measured.error.as_deref())?,
            hops,
            hop_count: u16::try_from(kept.len()).unwrap_or_default(),
            status: measured.status.unwrap_or_default(),
            end_status: measured.end_status.unwrap_or_default(),
            no_host: measured.no_host,
        };
        self.by_url.add(&key, number);
        if measured.end_status.is_some()
            && let Some(last) = kept.last()
        {
            self.by_end.add(&self::key(&last.to), number);
        }
        self.rows.push(row);
        Ok(())
    }

    /// Sorts what was added; of several measurements of a URL the last one counts.
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

    /// The measurement of a URL, with its normal form: its own, or as the end of redirects.
    pub(crate) fn get(&self, url: &str) -> Option<Measured> {
        let key = key(url);
        let rows = self
            .by_url
            .of(&key)
            .map(|number| &self.rows[number as usize]);
        let own = rows.into_iter().find(|row| self.texts.get(row.url) == key);
        let Some(row) = own else {
            return self.as_end(key);
        };
        let status = |status: u16| Some(status).filter(|status| *status > 0);
        let text = |text: Text| Some(self.texts.get(text)).filter(|text| !text.is_empty());
        let start = row.hops as usize;
        let hops = &self.hops[start..start + usize::from(row.hop_count)];
        Some(Measured {
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

    /// What was measured of a normal form as the end of the redirects from another URL.
    fn as_end(&self, key: String) -> Option<Measured> {
        let rows = self
            .by_end
            .of(&key)
            .map(|number| &self.rows[number as usize]);
        let row = rows.rev().find(|row| {
            let last = row.hops as usize + usize::from(row.hop_count) - 1;
            self::key(self.texts.get(self.hops[last].1)) == key
        })?;
        let date = Some(self.texts.get(row.date)).filter(|date| !date.is_empty());
        Some(Measured {
            url: key.into(),
            status: Some(row.end_status),
            end_status: Some(row.end_status),
            date: date.map(Box::from),
            ..Measured::default()
        })
    }

    /// How many URLs were measured.
    pub(crate) fn len(&self) -> usize {
        self.by_url.len()
    }
}

/// The normal form of a URL, as a server sees it: without fragment.
pub(crate) fn key(url: &str) -> String {
    normal(without_fragment(url), &NormalOptions::default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_is_small() {
        assert!(size_of::<Row>() <= 36, "{}", size_of::<Row>());
    }

    #[test]
    fn rows_are_found_by_their_keys_and_the_last_of_equal_ones_stays() {
        let keys = ["b", "a", "c", "a", "b", "a"];
        let mut found = ByKey::default();
        for (number, key) in (0..).zip(keys) {
            found.add(key, number);
        }
        found.sort(|number| (keys[number as usize], number));
        found.keep_last(|one, other| keys[one as usize] == keys[other as usize]);
        let of = |key| found.of(key).collect::<Vec<_>>();
        assert_eq!(
            (of("a"), of("b"), of("c"), of("d")),
            (vec![5], vec![4], vec![2], vec![])
        );
    }
}
