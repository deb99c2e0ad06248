//! Proposes successors of lost pages among the pages of a rebuilt site, by address, title, headings and
//! text. Users decide whether a proposal is right.
//!
//! Texts are compared by shingles, the hashes of all runs of four words. The 128 smallest represent a
//! page (A. Broder, "On the resemblance and containment of documents", 1997). Shingles
//! that many pages share are ignored.

use std::cell::{LazyCell, RefCell};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::ops::Range;
use std::rc::Rc;
use std::sync::Arc;

use foldhash::fast::RandomState;

use baseref_document::{Heading, Outline, hash_of};
use baseref_resolve::parts;

/// The number of words in a shingle.
const SHINGLE: usize = 4;
/// The maximum number of shingles of a page.
const SKETCH: usize = 128;
/// The minimum number of shingles for a comparison: shorter texts are alike by chance.
const MIN_SHINGLES: usize = 5;
/// Shingles and title parts belong to the template of the site if they occur in more pages than this,
/// and in more than one in [`COMMON_PART`].
const COMMON: usize = 4;
/// See [`COMMON`].
const COMMON_PART: usize = 10;
/// The maximum number of pages for a shingle that is looked up.
const MAX_PAGES: usize = 64;
/// The maximum number of pages that a lost page is compared with.
const MAX_CANDIDATES: usize = 16;
/// The minimum confidence of a proposal.
pub const THRESHOLD: f64 = 0.6;
/// Pages are tied if their confidences differ by less than this.
const TIE: f64 = 0.03;
/// The part of a text from which it counts as contained in another.
const HALF: f64 = 0.5;
/// The rank of the similar page whose likeness measures how alike the pages of a template are.
const SIMILAR_PAGES: usize = 3;
/// Texts with this part of their shingles in common count as equal.
const SAME: f64 = 0.9;

/// A summary of the text of a page.
#[derive(Clone, Debug, Default)]
pub struct Sketch {
    title: String,
    /// The headings, in order.
    pub headings: Vec<Heading>,
    /// The smallest hashes of its shingles, sorted.
    shingles: Vec<u32>,
    /// Whether these are all of its shingles.
    is_whole: bool,
}

impl Sketch {
    /// Summarises the outline of a page.
    #[must_use]
    pub fn new(outline: &Outline) -> Self {
        // The words in lower case, separated by spaces, and their ranges. A shingle is a slice of this
        // text.
        let mut text = String::with_capacity(outline.text.len());
        let mut words: Vec<Range<usize>> = Vec::new();
        for word in outline.text.split_whitespace() {
            let word = word.trim_matches(|c: char| !c.is_alphanumeric());
            if word.is_empty() {
                continue;
            }
            if !text.is_empty() {
                text.push(' ');
            }
            let start = text.len();
            if word.is_ascii() {
                text.push_str(word);
                text[start..].make_ascii_lowercase();
            } else {
                text.push_str(&word.to_lowercase());
            }
            words.push(start..text.len());
        }
        let shingles = words.windows(SHINGLE).filter_map(|words| {
            let (first, last) = (words.first()?, words.last()?);
            // Either half of the hash would do.
            Some((hash_of(&text[first.start..last.end]) >> 32) as u32)
        });
        let mut shingles: Vec<u32> = shingles.collect();
        shingles.sort_unstable();
        shingles.dedup();
        let is_whole = shingles.len() <= SKETCH;
        shingles.truncate(SKETCH);
        shingles.shrink_to_fit();
        Self {
            title: outline.title.clone(),
            headings: outline.headings.clone(),
            shingles,
            is_whole,
        }
    }
}

impl Sketch {
    /// Whether both pages have one title, one first heading and most of their text, so that one is the
    /// other at another address.
    pub(crate) fn is_moved_page(&self, other: &Self) -> bool {
        let heading = |page: &Self| page.headings.first().map(|heading| plain(&heading.text));
        let has_text = |page: &Self| page.shingles.len() >= MIN_SHINGLES;
        self.title == other.title
            && heading(self).is_some()
            && heading(self) == heading(other)
            && has_text(self)
            && has_text(other)
            && self.is_same_page(other)
    }

    /// Whether both are captures of one page: they share half of the text or, if there is little text,
    /// the title.
    pub(crate) fn is_same_page(&self, other: &Self) -> bool {
        let shared = |one: &Self, other: &Self| {
            let shared = one.shingles.iter();
            let shared = shared.filter(|shingle| other.shingles.binary_search(shingle).is_ok());
            shared.count() * 2 >= one.shingles.len()
        };
        if self.shingles.len().min(other.shingles.len()) < MIN_SHINGLES {
            return self.title == other.title;
        }
        shared(self, other) || shared(other, self)
    }
}

/// The compared features of a page, cheap to copy.
#[derive(Clone, Debug, Default)]
pub struct Features {
    /// The hashes of the parts of the title.
    title: Arc<[u64]>,
    /// The hash of the first heading.
    first: Option<u64>,
    /// The hashes of the headings, sorted and without repetition.
    headings: Arc<[u64]>,
    /// The smallest hashes of its shingles, sorted.
    shingles: Vec<u32>,
    /// Whether these are all of its shingles.
    is_whole: bool,
    /// The hash of the address without its extension, index name, final slash and case, which rebuilds
    /// change.
    path: u64,
    /// The hash of the last segment of that address.
    stem: u64,
}

impl Features {
    /// The features of a page at the path `below` its tree.
    #[must_use]
    pub fn new(page: Sketch, below: &str, site: &SiteTitle) -> Self {
        let headings = page.headings.iter();
        let headings = headings.filter(|heading| !heading.text.is_empty());
        let headings: Vec<u64> = headings.map(|heading| plain(&heading.text)).collect();
        let first = headings.first().copied();
        let headings: BTreeSet<u64> = headings.into_iter().collect();
        let path = plain_path(below);
        Self {
            title: title_parts(&page.title)
                .map(plain)
                .filter(|part| !site.0.contains(part))
                .collect(),
            first,
            headings: headings.into_iter().collect(),
            shingles: page.shingles,
            is_whole: page.is_whole,
            stem: hash_of(path.rsplit('/').next().unwrap_or_default()),
            path: hash_of(&path),
        }
    }

    /// The part of this page's text that the other contains, by the shingles that both sketches could
    /// have.
    fn within(&self, other: &Self) -> f64 {
        let last = |page: &Self| {
            if page.is_whole {
                None
            } else {
                page.shingles.last().copied()
            }
        };
        let limit = [last(self), last(other)].into_iter().flatten().min();
        let own = self
            .shingles
            .iter()
            .filter(|one| limit.is_none_or(|limit| **one <= limit));
        let (mut count, mut shared) = (0_u32, 0_u32);
        for shingle in own {
            count += 1;
            shared += u32::from(other.shingles.binary_search(shingle).is_ok());
        }
        if (count as usize) < MIN_SHINGLES {
            return 0.0;
        }
        f64::from(shared) / f64::from(count)
    }

    /// This page without the text of the other, within the range of the other's sketch.
    fn without(&self, other: &Self) -> Self {
        let mut page = self.clone();
        let last = other.shingles.last().filter(|_| !other.is_whole);
        page.is_whole &= last.is_none();
        page.shingles.retain(|one| {
            last.is_none_or(|last| one <= last) && other.shingles.binary_search(one).is_err()
        });
        page
    }

    fn has_title_of(&self, other: &Self) -> bool {
        !self.title.is_empty() && self.title == other.title
    }

    /// The part of this page's headings that the other contains.
    fn headings_in(&self, other: &Self) -> f64 {
        let shared = self.headings.iter();
        let shared = shared.filter(|heading| other.headings.binary_search(heading).is_ok());
        let shared = shared.count();
        let all = self.headings.len().max(1);
        f64::from(u32::try_from(shared).unwrap_or(u32::MAX))
            / f64::from(u32::try_from(all).unwrap_or(u32::MAX))
    }
}

/// The pages with the most votes, in order, at most [`MAX_CANDIDATES`].
fn ranked(votes: HashMap<usize, usize, RandomState>) -> Vec<usize> {
    let mut ranked: Vec<(usize, usize)> = votes.into_iter().collect();
    ranked.sort_by_key(|(page, votes)| (std::cmp::Reverse(*votes), *page));
    ranked.truncate(MAX_CANDIDATES);
    ranked.into_iter().map(|(page, _)| page).collect()
}

/// Splits a title at common separators. One part is usually the name of the site.
fn title_parts(title: &str) -> impl Iterator<Item = &str> {
    let separators = [" | ", " - ", " – ", " — ", " · ", " :: ", " » ", " • "];
    let mut parts = vec![title];
    for separator in separators {
        parts = parts
            .into_iter()
            .flat_map(|part| part.split(separator))
            .collect();
    }
    parts
        .into_iter()
        .map(str::trim)
        .filter(|part| !part.is_empty())
}

/// A path in the form that survives a rebuild: in lower case, with hyphens for spaces and underscores,
/// and without extension, index name and final slash.
fn plain_path(below: &str) -> String {
    let path = parts::without_query(below).trim_matches('/').to_lowercase();
    let (folders, name) = path.rsplit_once('/').unwrap_or(("", &path));
    let stem = match name.rsplit_once('.') {
        Some((stem, "html" | "htm" | "xhtml" | "php" | "asp" | "aspx" | "md")) => stem,
        _ => name,
    };
    let whole = match (folders, stem) {
        (folders, "index" | "default") => folders.to_owned(),
        ("", stem) => stem.to_owned(),
        (folders, stem) => format!("{folders}/{stem}"),
    };
    whole.replace(['_', ' '], "-").replace("%20", "-")
}

/// The title parts that many pages share, such as the name of the site.
#[derive(Debug, Default)]
pub struct SiteTitle(HashSet<u64, RandomState>);

impl SiteTitle {
    /// Finds the parts that many of these titles share.
    #[must_use]
    pub fn from_titles<'t>(titles: impl Iterator<Item = &'t str>) -> Self {
        let mut counts: HashMap<u64, usize, RandomState> = HashMap::default();
        let mut pages = 0;
        for title in titles {
            pages += 1;
            let parts: BTreeSet<u64> = title_parts(title).map(plain).collect();
            for part in parts {
                *counts.entry(part).or_default() += 1;
            }
        }
        let most = COMMON.max(pages / COMMON_PART);
        let common = counts.into_iter().filter(|(_, count)| *count >= most);
        Self(common.map(|(part, _)| part).collect())
    }
}

/// The hash of a title part or heading in lower case.
fn plain(text: &str) -> u64 {
    hash_of(&text.trim_end_matches(['¶', '#', ' ']).to_lowercase())
}

/// The confidence in a page that was found by its address alone.
const BY_ADDRESS: f64 = 0.7;

/// Proposes successors by paths alone: the new pages whose paths differ from a lost one only in ways
/// that rebuilds cause.
#[must_use]
pub fn by_address<'p>(
    new: impl Iterator<Item = &'p str>,
    lost: impl Iterator<Item = &'p str>,
) -> Vec<Option<Proposal>> {
    let mut pages: HashMap<String, Vec<usize>, RandomState> = HashMap::default();
    for (number, path) in new.enumerate() {
        pages.entry(plain_path(path)).or_default().push(number);
    }
    let found = lost.map(|path| {
        let (page, ties) = pages.get(&plain_path(path))?.split_first()?;
        let ties = ties.get(..MAX_CANDIDATES - 1).unwrap_or(ties);
        Some(Proposal {
            page: *page,
            confidence: BY_ADDRESS,
            ties: ties.to_vec(),
        })
    });
    found.collect()
}

/// A page that may be the successor of a lost one.
#[derive(Clone, Debug, PartialEq)]
pub struct Proposal {
    /// Its index among the new pages.
    pub page: usize,
    /// The confidence, from 0 to 1.
    pub confidence: f64,
    /// The indices of other pages that are as likely.
    pub ties: Vec<usize>,
}

/// The pages that a lost page was compared with, and the likeliest of them.
struct Candidates {
    /// Indices among the new pages.
    pages: Box<[u32]>,
    proposal: Option<Proposal>,
}

/// The old page that a new one continues.
#[derive(Clone)]
pub enum Predecessor<'f> {
    /// The page has no known predecessor.
    None,
    /// A lost page whose successor was found.
    Found(&'f Features),
    /// A page that is read only when a lost page is compared with its successor.
    Unread(Rc<LazyCell<Features, Box<dyn FnOnce() -> Features + 'f>>>),
}

impl<'f> Predecessor<'f> {
    /// A page that `read` reads on first use.
    pub fn unread(read: impl FnOnce() -> Features + 'f) -> Self {
        Self::Unread(Rc::new(LazyCell::new(Box::new(read))))
    }

    fn features(&self) -> Option<&Features> {
        match self {
            Self::None => None,
            Self::Found(page) => Some(page),
            Self::Unread(page) => Some(page),
        }
    }
}

/// The pages of each key, as sorted pairs because most keys occur in one page.
struct Postings<K>(Vec<(K, u32)>);

impl<K: Copy + Ord> Postings<K> {
    /// Indexes the keys that at most `most` pages have, and returns the other keys.
    fn new(mut all: Vec<(K, u32)>, most: usize) -> (Self, Vec<K>) {
        all.sort_unstable();
        let of_many = all.chunk_by(|a, b| a.0 == b.0);
        let of_many = of_many.filter(|pages| pages.len() > most);
        let common: Vec<K> = of_many.filter_map(|pages| Some(pages.first()?.0)).collect();
        if !common.is_empty() {
            all.retain(|(key, _)| common.binary_search(key).is_err());
        }
        (Self(all), common)
    }

    /// The pages with a key.
    fn pages(&self, key: K) -> &[(K, u32)] {
        let start = self.0.partition_point(|(other, _)| *other < key);
        let rest = self.0.get(start..).unwrap_or_default();
        &rest[..rest.partition_point(|(other, _)| *other == key)]
    }
}

/// An index of the pages of the new site.
pub struct Successors<'f> {
    new: &'f [Features],
    /// The predecessor of each new page.
    predecessors: Vec<Predecessor<'f>>,
    by_shingle: Postings<u32>,
    by_key: Postings<u64>,
    /// The shingles that many pages share.
    common: HashSet<u32, RandomState>,
    /// The results of [`Self::template_likeness`] by page.
    alike: RefCell<HashMap<usize, Option<f64>, RandomState>>,
}

impl<'f> Successors<'f> {
    /// Indexes the new pages. `predecessors` has one entry for each of them.
    #[must_use]
    pub fn new(new: &'f [Features], predecessors: Vec<Predecessor<'f>>) -> Self {
        let most = COMMON.max(new.len() / COMMON_PART).min(MAX_PAGES);
        let (mut by_shingle, mut by_key) = (Vec::new(), Vec::new());
        for (number, page) in (0_u32..).zip(new) {
            by_shingle.extend(page.shingles.iter().map(|shingle| (*shingle, number)));
            let keys = page.title.iter().chain(&page.first);
            let keys: BTreeSet<u64> = keys.chain([&page.path, &page.stem]).copied().collect();
            by_key.extend(keys.into_iter().map(|key| (key, number)));
        }
        let (by_shingle, common) = Postings::new(by_shingle, most);
        let (by_key, _) = Postings::new(by_key, most);
        let common = common.into_iter().collect();
        Self {
            new,
            predecessors,
            by_shingle,
            by_key,
            common,
            alike: RefCell::default(),
        }
    }

    /// Proposes a successor for each lost page. Certain pairs are matched first, by address and then as
    /// copies, because a matched page is then no longer compared with the others.
    #[must_use]
    pub fn find(&mut self, lost: &'f [Features]) -> Vec<Option<Proposal>> {
        let mut candidates: Vec<Candidates> = lost.iter().map(|page| self.search(page)).collect();
        let mut found: Vec<Option<Proposal>> = vec![None; lost.len()];
        for certain in [Self::by_path, Self::as_copy] {
            let claimed = self.find_certain(lost, &candidates, &mut found, certain);
            for ((page, candidates), found) in lost.iter().zip(&mut candidates).zip(&found) {
                let concerns = |page: &u32| claimed.contains(page);
                if found.is_none() && candidates.pages.iter().any(concerns) {
                    candidates.proposal = self.likeliest(page, &candidates.pages);
                }
            }
        }
        let mut uncertain = Vec::new();
        for (number, (candidates, proposal)) in candidates.into_iter().zip(&mut found).enumerate() {
            if proposal.is_none() {
                *proposal = candidates.proposal;
                uncertain.extend(proposal.as_ref().map(|found| (number, found.clone())));
            }
        }
        // Of several lost pages with one successor, the likeliest keeps it. The others need enough text
        // of their own in it.
        uncertain.sort_by(|(a, one), (b, other)| {
            let by_confidence = other.confidence.total_cmp(&one.confidence);
            one.page.cmp(&other.page).then(by_confidence).then(a.cmp(b))
        });
        for (number, proposal) in uncertain {
            let Some(page) = lost.get(number) else {
                continue;
            };
            let predecessor = self.predecessors.get_mut(proposal.page);
            if let Some(predecessor @ Predecessor::None) = predecessor {
                *predecessor = Predecessor::Found(page);
            } else if self.confidence(&self.distinct(page), proposal.page) < THRESHOLD
                && let Some(slot) = found.get_mut(number)
            {
                *slot = None;
            }
        }
        found
    }

    /// Matches the pairs that are `certain`. If several lost pages match one new page, the most similar
    /// win. Returns the new pages whose predecessors are now known.
    fn find_certain(
        &mut self,
        lost: &'f [Features],
        candidates: &[Candidates],
        found: &mut [Option<Proposal>],
        certain: fn(&Self, &Features, &Proposal) -> Option<f64>,
    ) -> HashSet<u32, RandomState> {
        let mut nearest: HashMap<usize, f64, RandomState> = HashMap::default();
        let mut claims = Vec::new();
        for (number, (page, candidates)) in lost.iter().zip(candidates).enumerate() {
            if found.get(number).is_some_and(Option::is_none)
                && let Some(proposal) = &candidates.proposal
                && let Some(likeness) = certain(self, page, proposal)
            {
                let nearest = nearest.entry(proposal.page).or_default();
                *nearest = likeness.max(*nearest);
                claims.push((number, likeness, proposal));
            }
        }
        claims.retain(|(_, likeness, proposal)| *likeness >= nearest[&proposal.page]);
        let mut claimed: HashSet<u32, RandomState> = HashSet::default();
        for (number, _, proposal) in claims {
            if let Some(predecessor @ Predecessor::None) = self.predecessors.get_mut(proposal.page)
                && let Some(page) = lost.get(number)
            {
                *predecessor = Predecessor::Found(page);
                claimed.extend(u32::try_from(proposal.page));
            }
            if let Some(slot) = found.get_mut(number) {
                *slot = Some(proposal.clone());
            }
        }
        claimed
    }

    /// The likeness of a lost page to the proposed one, if both have the same path.
    fn by_path(&self, lost: &Features, found: &Proposal) -> Option<f64> {
        let new = self.new.get(found.page)?;
        (lost.path == new.path).then_some(1.0)
    }

    /// The likeness of a lost page to the proposed one, if it is the only one with the same text.
    fn as_copy(&self, lost: &Features, found: &Proposal) -> Option<f64> {
        let new = self.new.get(found.page)?;
        let likeness = lost.within(new).min(new.within(lost));
        (found.ties.is_empty() && likeness >= SAME).then_some(likeness)
    }

    /// Whether a new page has clearly more text in common with a lost page than with the other pages of
    /// its template, which are alike without being successors.
    fn is_distinct(&self, lost: &Features, page: usize) -> bool {
        let Some(new) = self.new.get(page) else {
            return false;
        };
        let new = &self.distinct(new);
        if lost.has_title_of(new) || lost.path == new.path {
            return true;
        }
        let cached = self.alike.borrow().get(&page).copied();
        let alike = cached.unwrap_or_else(|| {
            let alike = self.template_likeness(new, page);
            self.alike.borrow_mut().insert(page, alike);
            alike
        });
        let Some(sibling) = alike else {
            return true;
        };
        1.0 - lost.within(new) <= (1.0 - sibling) / 2.0
    }

    /// The part of the text that the similar page of rank [`SIMILAR_PAGES`] shares with a new page; `None`
    /// if there are fewer.
    fn template_likeness(&self, new: &Features, page: usize) -> Option<f64> {
        let mut votes: HashMap<usize, usize, RandomState> = HashMap::default();
        for pages in new.shingles.iter().map(|one| self.by_shingle.pages(*one)) {
            let others = pages.iter().map(|(_, other)| *other as usize);
            for other in others.filter(|other| *other != page) {
                *votes.entry(other).or_default() += 1;
            }
        }
        let siblings = ranked(votes)
            .into_iter()
            .filter_map(|other| self.new.get(other));
        let mut alike: Vec<f64> = siblings
            .map(|other| self.distinct(other).within(new))
            .collect();
        alike.sort_by(|a, b| b.total_cmp(a));
        alike.get(SIMILAR_PAGES - 1).copied()
    }

    /// Finds the new pages that have the most in common with a lost page.
    fn search(&self, lost: &Features) -> Candidates {
        let distinct = &self.distinct(lost);
        let mut votes: HashMap<usize, usize, RandomState> = HashMap::default();
        for pages in distinct
            .shingles
            .iter()
            .map(|one| self.by_shingle.pages(*one))
        {
            for (_, page) in pages {
                *votes.entry(*page as usize).or_default() += 1;
            }
        }
        let keys = distinct
            .title
            .iter()
            .chain(&distinct.first)
            .chain([&distinct.path, &distinct.stem]);
        // A key counts less if more pages have it.
        for pages in keys.map(|key| self.by_key.pages(*key)) {
            for (_, page) in pages {
                *votes.entry(*page as usize).or_default() += SKETCH / pages.len();
            }
        }
        let candidates = ranked(votes).into_iter().map(u32::try_from);
        let candidates: Vec<u32> = candidates.filter_map(Result::ok).collect();
        Candidates {
            proposal: self.likeliest(lost, &candidates),
            pages: candidates.into(),
        }
    }

    /// The likeliest successor among these pages, if it reaches the threshold.
    fn likeliest(&self, lost: &Features, candidates: &[u32]) -> Option<Proposal> {
        let lost = &self.distinct(lost);
        let mut scored: Vec<(f64, usize)> = candidates
            .iter()
            .map(|page| (self.confidence(lost, *page as usize), *page as usize))
            .filter(|(confidence, page)| *confidence >= THRESHOLD && self.is_distinct(lost, *page))
            .collect();
        scored.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let (confidence, page) = *scored.first()?;
        let others = scored.iter().skip(1);
        let others = others.take_while(|(other, _)| confidence - other < TIE);
        Some(Proposal {
            page,
            confidence,
            ties: others.map(|(_, page)| *page).collect(),
        })
    }

    /// A page without the shingles that many pages share.
    fn distinct(&self, page: &Features) -> Features {
        let mut page = page.clone();
        page.shingles
            .retain(|shingle| !self.common.contains(shingle));
        page
    }

    /// The confidence that a new page is the successor of a lost one.
    fn confidence(&self, lost: &Features, page: usize) -> f64 {
        let Some(new) = self.new.get(page) else {
            return 0.0;
        };
        let new = &self.distinct(new);
        let has_title = lost.has_title_of(new);
        let has_first = lost.first.is_some() && lost.first == new.first;
        let mut text = lost.within(new);
        let predecessor = self.predecessors.get(page).and_then(Predecessor::features);
        if let Some(before) = predecessor {
            let before = &self.distinct(before);
            let is_copy = lost.within(before) >= SAME && before.within(lost) >= SAME;
            let was_there = lost.within(before) >= HALF;
            if was_there && !has_title {
                return 0.0;
            }
            if !is_copy {
                // Only text that is new to the page can come from the lost one.
                text = lost.without(before).within(new);
            }
        } else {
            // The new page may be one of several parts of the lost one.
            let part = new.within(lost);
            if text >= 0.15 && part >= SAME {
                text = text.max(SAME);
            }
        }
        let same_path = lost.path == new.path;
        let same_stem = lost.stem == new.stem;
        let headings = lost.headings_in(new);
        let is_short = lost.shingles.len() < MIN_SHINGLES || new.shingles.len() < MIN_SHINGLES;
        let names = f64::from(u8::from(has_title)) + f64::from(u8::from(has_first));
        let by_text = 0.7 * text + 0.1 * headings + 0.1 * names;
        let by_path = if same_path && predecessor.is_none() {
            0.7 + 0.2 * text.max(headings) + 0.05 * names
        } else {
            0.0
        };
        let by_names = if is_short && has_title && same_stem && predecessor.is_none() {
            0.65
        } else {
            0.0
        };
        let stem = if same_stem { 0.05 } else { 0.0 };
        by_text.max(by_path).max(by_names).min(0.95) + stem
    }
}

#[cfg(test)]
mod tests {
    use super::super::page::outline;
    use super::*;

    /// Words about a subject that differ between subjects.
    fn prose(subject: &str, from: usize, count: usize) -> String {
        let words = (from..from + count).map(|n| format!("{subject}{} of {subject}", n * 7 % 101));
        words.collect::<Vec<_>>().join(" ")
    }

    fn page(path: &str, title: &str, text: &str) -> Features {
        let source = format!("<title>{title} | Site</title><main><h1>{title}</h1>{text}</main>");
        Features::new(
            Sketch::new(&outline(source.as_bytes(), "UTF-8")),
            path,
            &SiteTitle::default(),
        )
    }

    fn proposed(lost: &Features, new: &[Features], before: Option<&Features>) -> Option<usize> {
        let before = match before {
            Some(before) => vec![Predecessor::Found(before)],
            None => vec![Predecessor::None; new.len()],
        };
        let found = Successors::new(new, before).search(lost);
        found.proposal.map(|found| found.page)
    }

    #[test]
    fn renamed_moved_merged_and_split_pages_have_successors() {
        let long = prose("apple", 0, 40);
        let lost = page("a/apples.html", "Apples", &long);
        let other = page("b/", "Pears", &prose("pear", 0, 40));
        for new in [
            page("a/apples/", "Apples", &long),
            page("a/apples/", "All about fruit", &prose("fruit", 0, 40)),
            page("fruit/malus/", "Malus", &long),
            page("fruit/", "Fruit", &(prose("plum", 0, 60) + &long)),
            page("x/", "Apples, first part", &prose("apple", 0, 20)),
        ] {
            assert_eq!(proposed(&lost, &[other.clone(), new], None), Some(1));
        }
    }

    #[test]
    fn removed_page_has_no_successor() {
        let lost = page("a/apples.html", "Apples", &prose("apple", 0, 40));
        let others = [
            page("b/", "Pears", &prose("pear", 0, 40)),
            page("c/", "Plums", &prose("plum", 0, 40)),
        ];
        assert_eq!(proposed(&lost, &others, None), None);
        // Pages of the same template are always similar.
        let common = prose("template", 0, 40);
        let lost = page("f/foo.html", "foo", &(common.clone() + &prose("foo", 0, 5)));
        let bar = page("f/bar.html", "bar", &(common + &prose("bar", 0, 5)));
        assert_eq!(
            proposed(&lost, std::slice::from_ref(&bar), Some(&bar)),
            None
        );
    }

    #[test]
    fn page_of_the_same_template_is_no_successor() {
        // Each page has the text of the template and some of its own.
        let template = |name: &str, own: usize| {
            let text = prose("template", 0, 90) + &prose(name, 0, own);
            page(&format!("api/{name}.html"), name, &text)
        };
        let siblings = ["map", "filter", "chain", "zip"];
        // Their own predecessors are lost as well, or they are new pages.
        let new: Vec<Features> = siblings.iter().map(|name| template(name, 3)).collect();
        let lost = [template("fold", 3), template("map", 3)];
        for lost in [&lost[..], &lost[..1]] {
            let mut successors = Successors::new(&new, vec![Predecessor::None; new.len()]);
            let found = successors.find(lost);
            assert_eq!(found[0], None);
        }
        // A renamed page is still found.
        let mut new = new;
        new.push(page(
            "api/reduce.html",
            "reduce",
            &(prose("template", 0, 90) + &prose("fold", 0, 3)),
        ));
        let mut successors = Successors::new(&new, vec![Predecessor::None; new.len()]);
        let found = successors.find(&lost);
        assert_eq!(found[0].as_ref().map(|found| found.page), Some(4));
    }

    #[test]
    fn same_title_does_not_hide_the_page_with_the_text() {
        let lost = page("index-F.html", "Index", &prose("apple", 0, 60));
        let subject = |n: u8| prose(&format!("s{}", char::from(b'a' + n)), 0, 40);
        let mut new: Vec<Features> = (0..20)
            .map(|n| page(&format!("index-{n}/"), "Index", &subject(n)))
            .collect();
        new.extend((0..200).map(|n| page(&format!("p/{n}/"), &format!("P {n}"), "")));
        new.push(page(
            "fonts/",
            "Fonts",
            &(prose("plum", 0, 60) + &prose("apple", 0, 60)),
        ));
        assert_eq!(proposed(&lost, &new, None), Some(220));
    }

    #[test]
    fn equally_likely_pages_are_ties() {
        let text = prose("apple", 0, 40);
        let lost = page("a.html", "Apples", &text);
        let new = [page("x/", "Apples", &text), page("y/", "Apples", &text)];
        let found = Successors::new(&new, vec![Predecessor::None; 2]).search(&lost);
        let found = found
            .proposal
            .expect("a page with the same text is proposed");
        assert_eq!((found.page, found.ties), (0, vec![1]));
    }

    #[test]
    fn ties_by_address_are_limited() {
        let names = ["a.html"; 2 * MAX_CANDIDATES];
        let found = by_address(names.into_iter(), ["A.htm"].into_iter());
        let ties = found[0].as_ref().map(|found| found.ties.len());
        assert_eq!(ties, Some(MAX_CANDIDATES - 1));
    }
}
