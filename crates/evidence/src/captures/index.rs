//! The index: every capture of a run, found by its URL in three tiers.
//!
//! Built in one pass: each thread adds the captures that it meets to a [`Builder`], and the builders
//! are merged in input order, so the index is the same for any number of threads. It is sorted
//! arrays and one block of text: 80 bytes for a capture beside the text of its URL while it is built,
//! then 52, and 12 more for each looser way in which links are looked up.

use std::collections::{HashMap, HashSet};
use std::sync::OnceLock;

use baseref_document::{Capture, CaptureIds, CaptureKind, LeftOut, Profile, hash_of};

use crate::captures::date::millis_of;
use crate::captures::far::Far;
use crate::captures::key::{Need, exact, is_archivable, loose, twin};
use crate::captures::lookup::{By, is_redirect, resolved};
use crate::captures::row::{NONE, Number, Rank, Row, Text, Texts};

/// The digest of an empty payload, SHA-1 in base32: such a revisit needs no original.
const EMPTY: &str = "3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ";

/// Collects captures.
#[derive(Debug, Default)]
pub struct Builder {
    texts: Texts,
    rows: Vec<Row>,
    ids: Vec<Ids>,
    requests: Vec<Request>,
    listed: Vec<Listed>,
    /// The pages that crawlers left out, by the hashes of their URLs.
    left_out: Vec<(u64, LeftOut)>,
    /// How many captures had no room.
    lost: u64,
}

/// A page that a crawler says that it captured.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// The normal form of its URL.
    pub url: Box<str>,
    /// Where it is listed.
    pub place: Box<str>,
}

/// The names of a record, and those that it gives another.
#[derive(Clone, Copy, Debug)]
struct Ids {
    record: CaptureIds,
    /// The URL and date of the original of a revisit, 0 if it names none.
    original: u64,
}

/// What was asked with a method other than GET.
#[derive(Clone, Copy, Debug)]
struct Request {
    own: u64,
    concurrent: u64,
    /// Its URL and date.
    target: u64,
    /// How many captures come before it.
    place: usize,
}

impl Builder {
    /// Adds a capture, and says its number among those of this builder; `None` if it is none: a
    /// request, or a URL that no link can lead to a capture of.
    pub fn add(&mut self, capture: &Capture) -> Option<Number> {
        if !is_archivable(&capture.url) {
            return None;
        }
        match capture.kind {
            CaptureKind::LeftOut(why) => {
                let own = hash_of(&exact(&capture.url));
                self.left_out.push((own, why));
                return None;
            }
            CaptureKind::Listed => return None,
            _ => {}
        }
        if capture.kind == CaptureKind::Request {
            self.requests.push(Request {
                own: capture.ids.own,
                concurrent: capture.ids.concurrent,
                target: target_id(&capture.url, capture.date.as_deref()),
                place: self.rows.len(),
            });
            return None;
        }
        let row = self.row(capture);
        let number = Number::try_from(self.rows.len())
            .ok()
            .filter(|number| *number < NONE);
        let (Some(row), Some(number)) = (row, number) else {
            self.lost += 1;
            return None;
        };
        self.rows.push(row);
        let original = capture.original.as_ref();
        let original = original.map(|(url, date)| target_id(url, date.as_deref()));
        self.ids.push(Ids {
            record: capture.ids,
            original: original.unwrap_or_default(),
        });
        Some(number)
    }

    /// Adds a page that a crawler says, at a place, that it captured.
    pub fn list(&mut self, url: &str, place: &str) {
        if is_archivable(url) {
            self.listed.push(Listed {
                url: exact(url).into(),
                place: place.into(),
            });
        }
    }

    fn row(&mut self, capture: &Capture) -> Option<Row> {
        let url = self.texts.keep(&exact(&capture.url))?;
        let location = self
            .texts
            .keep(capture.location.as_deref().unwrap_or_default())?;
        let is_redirect = is_redirect(capture.status);
        let profile = match capture.kind {
            CaptureKind::Revisit(profile) => Some(profile),
            _ => None,
        };
        let other_method = capture
            .method
            .as_deref()
            .is_some_and(|method| method != "GET");
        let is_nothing = capture.status < 200 && profile.is_none();
        let fails = matches!(capture.status, 429 | 500..=599);
        let is_unchanged = capture.status == 304 && profile != Some(Profile::NotModified);
        Some(Row {
            url,
            location: if is_redirect {
                location
            } else {
                Text::default()
            },
            date: capture
                .date
                .as_deref()
                .and_then(millis_of)
                .unwrap_or(i64::MIN),
            status: capture.status,
            rank: if other_method || is_nothing || profile == Some(Profile::Unknown) {
                Rank::Never
            } else if fails || is_unchanged {
                Rank::Last
            } else {
                Rank::Usual
            },
            is_revisit: profile.is_some(),
            needs_original: profile.is_some()
                && !is_redirect
                && capture.ids.digest != hash_of(EMPTY),
            truncated: capture.truncated,
            other_method,
            is_of_line: false,
            is_self_redirect: false,
            original: NONE,
        })
    }

    /// Adds the captures of `later`, whose numbers grow by the number of those here, which is
    /// returned.
    pub fn merge(&mut self, later: Self) -> Number {
        let before = Number::try_from(self.rows.len()).unwrap_or(NONE);
        self.lost += later.lost;
        self.listed.extend(later.listed);
        self.left_out.extend(later.left_out);
        let place = self.rows.len();
        let requests = later.requests.into_iter();
        self.requests.extend(requests.map(|request| Request {
            place: place + request.place,
            ..request
        }));
        let is_full = place.saturating_add(later.rows.len()) >= NONE as usize;
        let moved = (!is_full)
            .then(|| self.texts.append(&later.texts))
            .flatten();
        let Some(by) = moved else {
            self.lost += later.rows.len() as u64;
            return before;
        };
        self.rows.extend(later.rows.into_iter().map(|row| Row {
            url: row.url.moved(by),
            location: row.location.moved(by),
            ..row
        }));
        self.ids.extend(later.ids);
        before
    }

    /// Adds captures that are known from the lines of another index. Those that are here already,
    /// with one URL and second, say more than a line does.
    pub fn merge_lines(&mut self, mut lines: Self) {
        let known = self.rows.iter();
        let known = known.map(|row| target_of(self.texts.get(row.url), row.date));
        let known: HashSet<u64> = known.collect();
        let rows = std::mem::take(&mut lines.rows).into_iter();
        let ids = std::mem::take(&mut lines.ids);
        for (row, ids) in rows.zip(ids) {
            if !known.contains(&target_of(lines.texts.get(row.url), row.date)) {
                lines.ids.push(ids);
                lines.rows.push(Row {
                    is_of_line: true,
                    ..row
                });
            }
        }
        self.merge(lines);
    }

    /// The index of all captures added.
    #[must_use]
    pub fn finish(mut self) -> Index {
        self.join_requests();
        self.find_originals();
        self.find_self_redirects();
        self.texts.shrink();
        self.rows.shrink_to_fit();
        let Self {
            texts,
            rows,
            lost,
            listed,
            mut left_out,
            ..
        } = self;
        left_out.sort_by_key(|(url, _)| *url);
        Index {
            far: Far::new(&texts, &rows),
            sorted: Default::default(),
            texts,
            rows,
            listed,
            left_out,
            lost,
        }
    }

    /// Finds out which captures came of another method than GET. The request names the capture, or
    /// the capture the request, or they are beside each other with one URL and date.
    fn join_requests(&mut self) {
        if self.requests.is_empty() {
            return;
        }
        let mut by_id = HashMap::new();
        for (number, ids) in self.ids.iter().enumerate() {
            for id in [ids.record.own, ids.record.concurrent] {
                if id != 0 {
                    by_id.entry(id).or_insert(number);
                }
            }
        }
        for request in &self.requests {
            let named = [request.concurrent, request.own].into_iter();
            let named = named
                .filter(|id| *id != 0)
                .find_map(|id| by_id.get(&id).copied());
            let beside = || {
                let around = request.place.saturating_sub(1)..=request.place;
                let mut around = around.filter(|place| *place < self.rows.len());
                around.find(|place| {
                    let row = &self.rows[*place];
                    self.ids[*place].record.concurrent == 0
                        && target_of(self.texts.get(row.url), row.date) == request.target
                })
            };
            let found = match named {
                Some(number) => Some(number),
                None if request.concurrent == 0 => beside(),
                None => None,
            };
            if let Some(row) = found.and_then(|number| self.rows.get_mut(number)) {
                row.rank = Rank::Never;
                row.other_method = true;
            }
        }
    }

    /// Finds the captures with the payloads of revisits: by identifier, by URL and date, or by the
    /// digest.
    fn find_originals(&mut self) {
        if !self.rows.iter().any(|row| row.is_revisit) {
            return;
        }
        let mut by_id = HashMap::new();
        let mut by_target = HashMap::new();
        let mut by_digest = HashMap::new();
        for (number, row) in (0..).zip(&self.rows).filter(|(_, row)| !row.is_revisit) {
            let ids = self.ids[number as usize].record;
            if ids.own != 0 {
                by_id.entry(ids.own).or_insert(number);
            }
            if ids.digest != 0 {
                by_digest.entry(ids.digest).or_insert(number);
            }
            let target = target_of(self.texts.get(row.url), row.date);
            by_target.entry(target).or_insert(number);
        }
        for (row, ids) in self.rows.iter_mut().zip(&self.ids) {
            if !row.is_revisit {
                continue;
            }
            let found = [
                (&by_id, ids.record.refers_to),
                (&by_target, ids.original),
                (&by_digest, ids.record.digest),
            ];
            let mut found = found.into_iter().filter(|(_, id)| *id != 0);
            row.original = found
                .find_map(|(known, id)| known.get(&id).copied())
                .unwrap_or(NONE);
        }
        for number in 0..self.rows.len() {
            let row = self.rows[number];
            if row.is_revisit && (row.status == 0 || row.status == 304) {
                let original = self.rows.get(row.original as usize);
                self.rows[number].status = original.map_or(200, |original| original.status);
            }
        }
    }

    /// Finds the captures that redirect to what replay would take for their own URL.
    fn find_self_redirects(&mut self) {
        for row in &mut self.rows {
            if row.location.is_empty() {
                continue;
            }
            let url = self.texts.get(row.url);
            let Some(target) = resolved(url, self.texts.get(row.location)) else {
                continue;
            };
            let own = loose(&twin(url), Need::Resource);
            if loose(&twin(&exact(&target)), Need::Resource) == own {
                row.is_self_redirect = true;
                row.rank = row.rank.max(Rank::Last);
            }
        }
    }
}

/// What a URL and a date are compared by.
#[must_use]
pub fn target_id(url: &str, date: Option<&str>) -> u64 {
    target_of(&exact(url), date.and_then(millis_of).unwrap_or(i64::MIN))
}

fn target_of(url: &str, date: i64) -> u64 {
    hash_of(&format!("{} {url}", date.div_euclid(1000)))
}

/// Captures by a key: sorted by its hash, then by rank, then by date.
#[derive(Debug, Default)]
struct Sorted {
    hashes: Vec<u64>,
    numbers: Vec<Number>,
}

impl Sorted {
    fn new(texts: &Texts, rows: &[Row], by: By) -> Self {
        let keyed = (0..).zip(rows);
        let mut keyed: Vec<(u64, Number)> = keyed
            .filter_map(|(number, row)| Some((hash_of(&by.key(texts.get(row.url))?), number)))
            .collect();
        keyed.sort_unstable_by_key(|(hash, number)| {
            let row = &rows[*number as usize];
            (*hash, row.rank, row.date, *number)
        });
        Self {
            hashes: keyed.iter().map(|(hash, _)| *hash).collect(),
            numbers: keyed.into_iter().map(|(_, number)| number).collect(),
        }
    }

    /// The captures with that key.
    fn of(&self, hash: u64) -> &[Number] {
        let start = self.hashes.partition_point(|known| *known < hash);
        let length = self.hashes[start..].partition_point(|known| *known == hash);
        &self.numbers[start..start + length]
    }
}

/// The captures of a run.
#[derive(Debug, Default)]
pub struct Index {
    pub(crate) texts: Texts,
    pub(crate) rows: Vec<Row>,
    /// Each is made when it is first asked for: if all links lead to exactly what was captured, the
    /// looser ones never are.
    sorted: [OnceLock<Sorted>; By::COUNT],
    listed: Vec<Listed>,
    left_out: Vec<(u64, LeftOut)>,
    lost: u64,
    /// Where redirects with long addresses lead.
    pub(crate) far: Far,
}

impl Index {
    /// The captures that have a URL by a key.
    pub(crate) fn having(&self, by: By, key: &str) -> &[Number] {
        self.having_hash(by, hash_of(key))
    }

    /// Those that have a URL by the hash of a key.
    pub(crate) fn having_hash(&self, by: By, hash: u64) -> &[Number] {
        let sorted = &self.sorted[by as usize];
        sorted
            .get_or_init(|| Sorted::new(&self.texts, &self.rows, by))
            .of(hash)
    }

    /// How many captures there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The pages that crawlers say that they captured, in the order of their lists.
    #[must_use]
    pub fn listed(&self) -> &[Listed] {
        &self.listed
    }

    /// Why a crawler left the page of that URL out, if one says that it did.
    #[must_use]
    pub fn left_out(&self, url: &str) -> Option<LeftOut> {
        let own = hash_of(&exact(url));
        let place = self.left_out.partition_point(|(known, _)| *known < own);
        let (known, why) = self.left_out.get(place)?;
        (*known == own).then_some(*why)
    }

    /// The URLs of which there is a page or a file, in their normal form and in byte order, each once.
    #[must_use]
    pub fn addresses(&self) -> Vec<&str> {
        let is_there = |row: &&Row| row.rank == Rank::Usual && matches!(row.status, 200..=299);
        let found = self.rows.iter().filter(is_there);
        let mut urls: Vec<&str> = found.map(|row| self.texts.get(row.url)).collect();
        urls.sort_unstable();
        urls.dedup();
        urls
    }

    /// How many captures had no room in it: links to them seem to lead nowhere.
    #[must_use]
    pub fn lost(&self) -> u64 {
        self.lost
    }

    /// The normal form of the URL of a capture.
    #[must_use]
    pub fn url(&self, number: Number) -> &str {
        self.texts.get(self.rows[number as usize].url)
    }

    /// The status of a capture; of a revisit without a header, that of its original.
    #[must_use]
    pub fn status(&self, number: Number) -> u16 {
        self.rows[number as usize].status
    }

    /// When a capture was made, in milliseconds since 1970.
    #[must_use]
    pub fn date(&self, number: Number) -> Option<i64> {
        Some(self.rows[number as usize].date).filter(|date| *date != i64::MIN)
    }

    /// The capture with the payload: itself, or of a revisit its original; `None` if that is not
    /// here.
    #[must_use]
    pub fn payload(&self, number: Number) -> Option<Number> {
        let row = &self.rows[number as usize];
        if row.is_revisit {
            return Some(row.original).filter(|original| *original != NONE);
        }
        Some(number)
    }

    /// Whether the payload of a capture is that of another which is not here.
    #[must_use]
    pub fn is_elsewhere(&self, number: Number) -> bool {
        let row = &self.rows[number as usize];
        row.needs_original && row.original == NONE
    }

    /// Whether the payload of a capture is not whole.
    #[must_use]
    pub fn is_partial(&self, number: Number) -> bool {
        let row = &self.rows[number as usize];
        row.truncated || row.status == 206
    }
}
