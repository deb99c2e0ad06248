//! The index of all captures of a run, by URL in three tiers.
//!
//! Each thread adds captures to its own [`Builder`], and the builders are merged in input order, so the
//! index does not depend on the number of threads. It consists of sorted arrays and one block of text. A
//! capture takes 80 bytes and the text of its URL while the index is built, then 52, and 12 more for each
//! looser key that is looked up.

use std::collections::{HashMap, HashSet};
use std::sync::OnceLock;

use baseref_document::{Capture, CaptureIds, CaptureKind, ExclusionReason, Profile, hash_of};

use crate::captures::date::millis_of;
use crate::captures::key::{Need, exact, is_archivable, is_saved_file, loose, twin};
use crate::captures::long_locations::LongLocations;
use crate::captures::lookup::{KeyKind, is_redirect, resolved};
use crate::captures::row::{NONE, Number, Rank, Row, TextRange, Texts};

/// The SHA-1 digest of an empty payload, in base32. A revisit with it needs no original.
const EMPTY: &str = "3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ";

/// Collects captures.
#[derive(Debug, Default)]
pub struct Builder {
    texts: Texts,
    rows: Vec<Row>,
    ids: Vec<Ids>,
    requests: Vec<NonGetRequest>,
    listed: Vec<Listed>,
    /// The pages that crawlers skipped, by the hashes of their URLs.
    left_out: Vec<(u64, ExclusionReason)>,
    /// The number of captures that did not fit.
    lost: u64,
}

/// A page in a crawler's list of captured pages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// Its URL in normal form.
    pub url: Box<str>,
    /// Where it is listed.
    pub place: Box<str>,
}

/// The identifiers of a record, and those that it refers to.
#[derive(Clone, Copy, Debug)]
struct Ids {
    record: CaptureIds,
    /// The id of the URL and date of a revisit's original; 0 if it names none.
    original: u64,
    /// Whether the server said that the payload has not changed.
    is_unchanged: bool,
}

/// A request with a method other than GET.
#[derive(Clone, Copy, Debug)]
struct NonGetRequest {
    file: u64,
    own: u64,
    concurrent: u64,
    /// The id of its URL and date.
    target: u64,
    /// The number of captures before it.
    position: usize,
}

impl Builder {
    /// Adds a capture and returns its number in this builder; `None` for a request, and for a URL that
    /// cannot have captures.
    pub fn add(&mut self, capture: &Capture) -> Option<Number> {
        let is_saved_file = capture.kind == CaptureKind::Saved && is_saved_file(&capture.url);
        if !is_archivable(&capture.url) && !is_saved_file {
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
            self.requests.push(NonGetRequest {
                file: capture.ids.file,
                own: capture.ids.own,
                concurrent: capture.ids.concurrent,
                target: target_id(&capture.url, capture.date.as_deref()),
                position: self.rows.len(),
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
            is_unchanged: capture.kind == CaptureKind::Revisit(Profile::NotModified),
        });
        Some(number)
    }

    /// Adds a page from a crawler's list of captured pages, which is at `place`.
    pub fn list(&mut self, url: &str, place: &str) {
        if is_archivable(url) {
            self.listed.push(Listed {
                url: exact(url).into(),
                place: place.into(),
            });
        }
    }

    fn row(&mut self, capture: &Capture) -> Option<Row> {
        let url = self.texts.store(&exact(&capture.url))?;
        let location = self
            .texts
            .store(capture.location.as_deref().unwrap_or_default())?;
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
                TextRange::default()
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
                Rank::Usable
            },
            is_revisit: profile.is_some(),
            needs_original: profile.is_some()
                && !is_redirect
                && capture.ids.digest != hash_of(EMPTY),
            truncated: capture.truncated,
            declares_page: capture.declares_page,
            other_method,
            is_from_cdx: false,
            is_self_redirect: false,
            original: NONE,
        })
    }

    /// Appends the captures of `later`, and returns the offset by which their numbers grow.
    pub fn merge(&mut self, later: Self) -> Number {
        let before = Number::try_from(self.rows.len()).unwrap_or(NONE);
        self.lost += later.lost;
        self.listed.extend(later.listed);
        self.left_out.extend(later.left_out);
        let position = self.rows.len();
        let requests = later.requests.into_iter();
        self.requests.extend(requests.map(|request| NonGetRequest {
            position: position + request.position,
            ..request
        }));
        let is_full = position.saturating_add(later.rows.len()) >= NONE as usize;
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

    /// Adds captures from the lines of a CDX, except those with the URL and second of a capture from a
    /// record, which has more fields.
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
                    is_from_cdx: true,
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
            long_locations: LongLocations::new(&texts, &rows),
            sorted: Default::default(),
            texts,
            rows,
            listed,
            left_out,
            lost,
        }
    }

    /// Marks the responses to methods other than GET. The request names the response, the response names
    /// the request, or they are adjacent records with the same URL and date.
    fn join_requests(&mut self) {
        if self.requests.is_empty() {
            return;
        }
        let mut by_id = ById::default();
        for (number, ids) in (0..).zip(&self.ids) {
            for id in [ids.record.own, ids.record.concurrent] {
                by_id.add(ids.record.file, id, number);
            }
        }
        for request in &self.requests {
            let named = [request.concurrent, request.own].into_iter();
            let named = named
                .filter_map(|id| by_id.get(request.file, id))
                .map(|number| number as usize)
                .next();
            let adjacent = || {
                let around = request.position.saturating_sub(1)..=request.position;
                let mut around = around.filter(|place| *place < self.rows.len());
                around.find(|place| {
                    let row = &self.rows[*place];
                    self.ids[*place].record.concurrent == 0
                        && target_of(self.texts.get(row.url), row.date) == request.target
                })
            };
            let found = match named {
                Some(number) => Some(number),
                None if request.concurrent == 0 => adjacent(),
                None => None,
            };
            if let Some(row) = found.and_then(|number| self.rows.get_mut(number)) {
                row.rank = Rank::Never;
                row.other_method = true;
            }
        }
    }

    /// Finds the originals of revisits: by record id, by URL and date, or by digest.
    fn find_originals(&mut self) {
        if !self.rows.iter().any(|row| row.is_revisit) {
            return;
        }
        let mut by_id = ById::default();
        let mut by_target = HashMap::new();
        let mut by_digest = HashMap::new();
        for (number, row) in (0..).zip(&self.rows).filter(|(_, row)| !row.is_revisit) {
            let ids = self.ids[number as usize].record;
            by_id.add(ids.file, ids.own, number);
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
            let found = [(&by_target, ids.original), (&by_digest, ids.record.digest)];
            let mut found = found.into_iter().filter(|(_, id)| *id != 0);
            let found = by_id
                .get(ids.record.file, ids.record.refers_to)
                .or_else(|| found.find_map(|(known, id)| known.get(&id).copied()));
            row.original = found.unwrap_or(NONE);
        }
        self.find_unchanged();
        for number in 0..self.rows.len() {
            let row = self.rows[number];
            if row.is_revisit && (row.status == 0 || row.status == 304) {
                let original = self.rows.get(row.original as usize);
                self.rows[number].status = original.map_or(200, |original| original.status);
            }
        }
    }

    /// Finds the originals of revisits that name none because the server said that the payload has not
    /// changed: the last capture of the same URL before (WARC 1.1 §6.7.3).
    fn find_unchanged(&mut self) {
        let is_open = |(row, ids): &(&Row, &Ids)| {
            let names_none = ids.record.refers_to == 0 && ids.original == 0;
            ids.is_unchanged && names_none && row.original == NONE
        };
        if !self.rows.iter().zip(&self.ids).any(|both| is_open(&both)) {
            return;
        }
        let key = |row: &Row| hash_of(self.texts.get(row.url));
        let mut by_url: Vec<(u64, i64, Number)> = (0..)
            .zip(self.rows.iter().zip(&self.ids))
            .filter(|(_, (row, ids))| !ids.is_unchanged && matches!(row.status, 200..=299))
            .filter(|(_, (row, _))| !row.is_revisit || row.original != NONE)
            .map(|(number, (row, _))| (key(row), row.date, number))
            .collect();
        by_url.sort_unstable();
        let open = self.rows.iter().zip(&self.ids).enumerate();
        let open = open.filter(|(_, both)| is_open(both));
        let found: Vec<(usize, Number)> = open
            .filter_map(|(place, (row, _))| {
                let own = key(row);
                let end = by_url.partition_point(|(url, date, _)| (*url, *date) <= (own, row.date));
                let (url, _, number) = *by_url.get(end.checked_sub(1)?)?;
                (url == own).then_some((place, number))
            })
            .collect();
        for (place, number) in found {
            let original = self.rows[number as usize];
            self.rows[place].original = if original.is_revisit {
                original.original
            } else {
                number
            };
        }
    }

    /// Marks redirects whose target replay would treat as their own URL.
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

/// Captures by the ids of their records. Where several files have one id, the record of the same file
/// is meant (WARC 1.1 §5.2 makes ids unique).
#[derive(Debug, Default)]
struct ById {
    by_file: HashMap<(u64, u64), Number>,
    any: HashMap<u64, Number>,
}

impl ById {
    /// Adds the capture with an id, unless there is one; an id of 0 is none.
    fn add(&mut self, file: u64, id: u64, number: Number) {
        if id != 0 {
            self.by_file.entry((file, id)).or_insert(number);
            self.any.entry(id).or_insert(number);
        }
    }

    fn get(&self, file: u64, id: u64) -> Option<Number> {
        let own = self.by_file.get(&(file, id));
        own.or_else(|| self.any.get(&id)).copied()
    }
}

/// The id of a URL and a date.
#[must_use]
pub fn target_id(url: &str, date: Option<&str>) -> u64 {
    target_of(&exact(url), date.and_then(millis_of).unwrap_or(i64::MIN))
}

fn target_of(url: &str, date: i64) -> u64 {
    hash_of(&format!("{} {url}", date.div_euclid(1000)))
}

/// Captures by one key, sorted by its hash, then rank, then date.
#[derive(Debug, Default)]
struct Sorted {
    hashes: Vec<u64>,
    numbers: Vec<Number>,
}

impl Sorted {
    fn new(texts: &Texts, rows: &[Row], by: KeyKind) -> Self {
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

    /// The captures with the hash of a key.
    fn numbers(&self, hash: u64) -> &[Number] {
        let start = self.hashes.partition_point(|known| *known < hash);
        let length = self.hashes[start..].partition_point(|known| *known == hash);
        &self.numbers[start..start + length]
    }
}

/// The index of the captures of a run.
#[derive(Debug, Default)]
pub struct Index {
    pub(crate) texts: Texts,
    pub(crate) rows: Vec<Row>,
    /// Each is built at its first lookup: the looser ones are rarely needed.
    sorted: [OnceLock<Sorted>; KeyKind::COUNT],
    listed: Vec<Listed>,
    left_out: Vec<(u64, ExclusionReason)>,
    lost: u64,
    /// The targets of redirects with long `Location` fields.
    pub(crate) long_locations: LongLocations,
}

impl Index {
    /// The captures with a key.
    pub(crate) fn having(&self, by: KeyKind, key: &str) -> &[Number] {
        self.having_hash(by, hash_of(key))
    }

    /// The captures with the hash of a key.
    pub(crate) fn having_hash(&self, by: KeyKind, hash: u64) -> &[Number] {
        let sorted = &self.sorted[by as usize];
        sorted
            .get_or_init(|| Sorted::new(&self.texts, &self.rows, by))
            .numbers(hash)
    }

    /// The number of captures.
    #[must_use]
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether it is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The pages in crawlers' lists of captured pages, in order.
    #[must_use]
    pub fn listed(&self) -> &[Listed] {
        &self.listed
    }

    /// Why a crawler skipped a URL; `None` if no crawler says so.
    #[must_use]
    pub fn left_out(&self, url: &str) -> Option<ExclusionReason> {
        let own = hash_of(&exact(url));
        let at = self.left_out.partition_point(|(known, _)| *known < own);
        let (known, why) = self.left_out.get(at)?;
        (*known == own).then_some(*why)
    }

    /// The revisits of pages, given the captures that are pages: revisits that declare one themselves, or
    /// whose originals are pages.
    #[must_use]
    pub fn page_revisits(&self, pages: &HashSet<Number>) -> Vec<Number> {
        let revisits = (0..).zip(&self.rows).filter(|(_, row)| {
            let is_page = row.declares_page || pages.contains(&row.original);
            row.is_revisit && is_page && matches!(row.status, 200..=299)
        });
        revisits.map(|(number, _)| number).collect()
    }

    /// The distinct URLs with a successful capture, in normal form and in byte order.
    #[must_use]
    pub fn addresses(&self) -> Vec<&str> {
        let is_there = |row: &&Row| row.rank == Rank::Usable && matches!(row.status, 200..=299);
        let found = self.rows.iter().filter(is_there);
        let mut urls: Vec<&str> = found.map(|row| self.texts.get(row.url)).collect();
        urls.sort_unstable();
        urls.dedup();
        urls
    }

    /// The number of captures that did not fit; links to them appear to have no capture.
    #[must_use]
    pub fn lost(&self) -> u64 {
        self.lost
    }

    /// The URL of a capture, in normal form.
    #[must_use]
    pub fn url(&self, number: Number) -> &str {
        self.texts.get(self.rows[number as usize].url)
    }

    /// The status of a capture; for a revisit without a header, the status of its original.
    #[must_use]
    pub fn status(&self, number: Number) -> u16 {
        self.rows[number as usize].status
    }

    /// When a capture was made, in milliseconds since 1970.
    #[must_use]
    pub fn date(&self, number: Number) -> Option<i64> {
        Some(self.rows[number as usize].date).filter(|date| *date != i64::MIN)
    }

    /// The capture with the payload: the capture itself, or the original of a revisit; `None` if that is
    /// not in the index.
    #[must_use]
    pub fn payload(&self, number: Number) -> Option<Number> {
        let row = &self.rows[number as usize];
        if row.is_revisit {
            return Some(row.original).filter(|original| *original != NONE);
        }
        Some(number)
    }

    /// Whether a capture is a revisit whose original is not in the index.
    #[must_use]
    pub fn is_elsewhere(&self, number: Number) -> bool {
        let row = &self.rows[number as usize];
        row.needs_original && row.original == NONE
    }

    /// Whether the payload of a capture is incomplete.
    #[must_use]
    pub fn is_partial(&self, number: Number) -> bool {
        let row = &self.rows[number as usize];
        row.truncated || row.status == 206
    }
}
