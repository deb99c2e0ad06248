//! Which page of a rebuilt tree may be the successor of one that is lost: found by its address, its
//! title, its headings and its text. A proposal is never taken for granted.
//!
//! Text is compared by its shingles: the hashes of all runs of four words, of which the
//! 128 smallest stand for the page (A. Broder, "On the resemblance and containment of
//! documents", 1997). Shingles that many pages share say nothing.

use std::cell::{LazyCell, RefCell};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::ops::Range;
use std::rc::Rc;
use std::sync::Arc;

use foldhash::fast::RandomState;

use baseref_document::{Heading, Outline, hash_of};
use baseref_resolve::parts;

/// The words of a shingle.
const SHINGLE: usize = 4;
/// The most shingles kept of a page.
const SKETCH: usize = 128;
/// The fewest shingles by which texts are compared: shorter ones are alike by chance.
const FEWEST: usize = 5;
/// Shingles and parts of titles in more pages than this, and in more than one of [`COMMON_PART`], are
/// those of the site.
const COMMON: usize = 4;
/// See [`COMMON`].
const COMMON_PART: usize = 10;
/// A shingle leads to at most this many pages.
const MOST_PAGES: usize = 64;
/// The most pages that a lost one is compared with.
const COMPARED: usize = 16;
/// From this confidence on a page is proposed.
pub const THRESHOLD: f64 = 0.6;
/// Pages whose confidence differs by less are tied.
const TIE: f64 = 0.03;
/// From this part on a text is mostly in another.
const HALF: f64 = 0.5;
/// A page has sisters if so many others are as alike as the last of them.
const SISTERS: usize = 3;
/// Two texts that have this part of their shingles in common are one.
const SAME: f64 = 0.9;

/// What is kept of a page that cannot be read again: little more than its headings.
#[derive(Clone, Debug, Default)]
pub struct Sketch {
    title: String,
    /// Its headings, in order.
    pub headings: Vec<Heading>,
    /// See [`Features`].
    shingles: Vec<u32>,
    is_whole: bool,
}

impl Sketch {
    /// That of a page with this outline.
    #[must_use]
    pub fn new(outline: Outline) -> Self {
        // The words in lower case with a space between them, and where each is: a shingle is a part of
        // that text.
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
            // Either half is as good.
            Some((hash_of(&text[first.start..last.end]) >> 32) as u32)
        });
        let mut shingles: Vec<u32> = shingles.collect();
        shingles.sort_unstable();
        shingles.dedup();
        let is_whole = shingles.len() <= SKETCH;
        shingles.truncate(SKETCH);
        shingles.shrink_to_fit();
        Self {
            title: outline.title,
            headings: outline.headings,
            shingles,
            is_whole,
        }
    }
}

impl Sketch {
    /// Whether another is of the same page: it has much of the same text, or if there is little text
    /// the same title.
    pub(crate) fn is_of_page_of(&self, other: &Self) -> bool {
        let shared = |one: &Self, other: &Self| {
            let shared = one.shingles.iter();
            let shared = shared.filter(|shingle| other.shingles.binary_search(shingle).is_ok());
            shared.count() * 2 >= one.shingles.len()
        };
        if self.shingles.len().min(other.shingles.len()) < FEWEST {
            return self.title == other.title;
        }
        shared(self, other) || shared(other, self)
    }
}

/// What is compared of a page. A copy of it costs little, whatever the page has.
#[derive(Clone, Debug, Default)]
pub struct Features {
    /// The parts of the title, in lower case.
    title: Arc<[u64]>,
    /// Its first heading.
    first: Option<u64>,
    /// Sorted, without repetition.
    headings: Arc<[u64]>,
    /// The smallest hashes of its shingles, sorted.
    shingles: Vec<u32>,
    /// Whether these are all.
    is_whole: bool,
    /// The address without what a rebuild changes: extension, index, final slash, case.
    path: u64,
    /// The last name of that.
    stem: u64,
}

impl Features {
    /// The features of a page at a path below its tree.
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

    /// How much of this page's text is in another: of its shingles that both sketches would have.
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
        if (count as usize) < FEWEST {
            return 0.0;
        }
        f64::from(shared) / f64::from(count)
    }

    /// This page without the text of another, as far as the sketch of that goes.
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

    /// The part of this page's headings that the other has.
    fn headings_in(&self, other: &Self) -> f64 {
        let shared = self.headings.iter();
        let shared = shared.filter(|heading| other.headings.binary_search(heading).is_ok());
        let shared = shared.count();
        let all = self.headings.len().max(1);
        f64::from(u32::try_from(shared).unwrap_or(u32::MAX))
            / f64::from(u32::try_from(all).unwrap_or(u32::MAX))
    }
}

/// The pages with the most votes, at most [`COMPARED`].
fn ranked(votes: HashMap<usize, usize, RandomState>) -> Vec<usize> {
    let mut ranked: Vec<(usize, usize)> = votes.into_iter().collect();
    ranked.sort_by_key(|(page, votes)| (std::cmp::Reverse(*votes), *page));
    ranked.truncate(COMPARED);
    ranked.into_iter().map(|(page, _)| page).collect()
}

/// The parts of a title between the usual separators: the name of the site is one of them.
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

/// A path without what a rebuild changes: extension, name of an index, final slash, case, and the
/// hyphen that a slug has for other characters.
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

/// The parts of titles that name the site: those of many pages.
#[derive(Debug, Default)]
pub struct SiteTitle(HashSet<u64, RandomState>);

impl SiteTitle {
    /// That of a site whose pages have these titles.
    #[must_use]
    pub fn of<'t>(titles: impl Iterator<Item = &'t str>) -> Self {
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

/// A text as it is compared, hashed.
fn plain(text: &str) -> u64 {
    hash_of(&text.trim_end_matches(['¶', '#', ' ']).to_lowercase())
}

/// The confidence in a page of which nothing is compared but its address.
const BY_ADDRESS: f64 = 0.7;

/// The successors of lost pages of which nothing is known but their paths, among new pages by theirs:
/// those whose addresses differ by nothing but what a rebuild changes.
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
        let ties = ties.get(..COMPARED - 1).unwrap_or(ties);
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
    /// 0 to 1.
    pub confidence: f64,
    /// Others that are as likely, by their indices.
    pub ties: Vec<usize>,
}

/// What a lost page was compared with.
struct Searched {
    /// The indices of new pages.
    candidates: Box<[u32]>,
    proposal: Option<Proposal>,
}

/// The old page that lives on in a new one.
#[derive(Clone)]
pub enum Predecessor<'f> {
    /// None is known.
    None,
    /// A lost page, found before.
    Found(&'f Features),
    /// One that is read only if a lost page is compared with its successor.
    Unread(Rc<LazyCell<Features, Box<dyn FnOnce() -> Features + 'f>>>),
}

impl<'f> Predecessor<'f> {
    /// A page that `read` reads when it is needed.
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

/// The pages that have each key: sorted pairs, since most keys are those of one page.
struct Postings<K>(Vec<(K, u32)>);

impl<K: Copy + Ord> Postings<K> {
    /// The pages of the keys that at most `most` pages have; and the other keys.
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

    /// The pages that have a key.
    fn of(&self, key: K) -> &[(K, u32)] {
        let start = self.0.partition_point(|(known, _)| *known < key);
        let rest = self.0.get(start..).unwrap_or_default();
        &rest[..rest.partition_point(|(known, _)| *known == key)]
    }
}

/// The pages of a new tree, to be searched.
pub struct Successors<'f> {
    new: &'f [Features],
    /// The old page whose successor each new page is, if it is one's.
    predecessors: Vec<Predecessor<'f>>,
    by_shingle: Postings<u32>,
    by_key: Postings<u64>,
    /// The shingles of many pages.
    common: HashSet<u32, RandomState>,
    /// What [`Self::alike_sister`] has found for each page.
    alike: RefCell<HashMap<usize, Option<f64>, RandomState>>,
}

impl<'f> Successors<'f> {
    /// An index of `new`. `predecessors` are the old pages that live on in them.
    #[must_use]
    pub fn new(new: &'f [Features], predecessors: Vec<Predecessor<'f>>) -> Self {
        let most = COMMON.max(new.len() / COMMON_PART).min(MOST_PAGES);
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

    /// The most likely successors of all lost pages. Those that are certain come first, by their
    /// addresses and then as copies: a page that lives on in another is no part of the others.
    #[must_use]
    pub fn of_all(&mut self, lost: &'f [Features]) -> Vec<Option<Proposal>> {
        let mut searched: Vec<Searched> = lost.iter().map(|page| self.search(page)).collect();
        let mut found: Vec<Option<Proposal>> = vec![None; lost.len()];
        for certain in [Self::by_path, Self::as_copy] {
            let claimed = self.find_certain(lost, &searched, &mut found, certain);
            for ((page, searched), found) in lost.iter().zip(&mut searched).zip(&found) {
                let concerns = |page: &u32| claimed.contains(page);
                if found.is_none() && searched.candidates.iter().any(concerns) {
                    searched.proposal = self.likeliest(page, &searched.candidates);
                }
            }
        }
        let mut uncertain = Vec::new();
        for (number, (searched, proposal)) in searched.into_iter().zip(&mut found).enumerate() {
            if proposal.is_none() {
                *proposal = searched.proposal;
                uncertain.extend(proposal.as_ref().map(|found| (number, found.clone())));
            }
        }
        // Of several that one page may be, the others must be in it beside the likeliest.
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
                && let Some(known) = found.get_mut(number)
            {
                *known = None;
            }
        }
        found
    }

    /// Finds the successors that are `certain`; of several pages that would be one, those that it is
    /// likest to. Returns the new pages of which it is known now what they were before.
    fn find_certain(
        &mut self,
        lost: &'f [Features],
        searched: &[Searched],
        found: &mut [Option<Proposal>],
        certain: fn(&Self, &Features, &Proposal) -> Option<f64>,
    ) -> HashSet<u32, RandomState> {
        let mut nearest: HashMap<usize, f64, RandomState> = HashMap::default();
        let mut claims = Vec::new();
        for (number, (page, searched)) in lost.iter().zip(searched).enumerate() {
            if found.get(number).is_some_and(Option::is_none)
                && let Some(proposal) = &searched.proposal
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
            if let Some(known) = found.get_mut(number) {
                *known = Some(proposal.clone());
            }
        }
        claimed
    }

    /// How like a lost page is to the proposed one, if it is at its address.
    fn by_path(&self, lost: &Features, found: &Proposal) -> Option<f64> {
        let new = self.new.get(found.page)?;
        (lost.path == new.path).then_some(1.0)
    }

    /// How like a lost page is to the proposed one, if it has its text and no other does.
    fn as_copy(&self, lost: &Features, found: &Proposal) -> Option<f64> {
        let new = self.new.get(found.page)?;
        let likeness = lost.within(new).min(new.within(lost));
        (found.ties.is_empty() && likeness >= SAME).then_some(likeness)
    }

    /// Whether a new page has distinctly more of a lost one's text than of its own sisters': pages of
    /// one template are alike, whether or not one became another.
    fn is_distinct(&self, lost: &Features, page: usize) -> bool {
        let Some(new) = self.new.get(page) else {
            return false;
        };
        let new = &self.distinct(new);
        if lost.has_title_of(new) || lost.path == new.path {
            return true;
        }
        let known = self.alike.borrow().get(&page).copied();
        let alike = known.unwrap_or_else(|| {
            let alike = self.alike_sister(new, page);
            self.alike.borrow_mut().insert(page, alike);
            alike
        });
        let Some(sister) = alike else {
            return true;
        };
        1.0 - lost.within(new) <= (1.0 - sister) / 2.0
    }

    /// How much of a new page's text is in the last of its nearest sisters, if it has as many.
    fn alike_sister(&self, new: &Features, page: usize) -> Option<f64> {
        let mut votes: HashMap<usize, usize, RandomState> = HashMap::default();
        for pages in new.shingles.iter().map(|one| self.by_shingle.of(*one)) {
            let others = pages.iter().map(|(_, other)| *other as usize);
            for other in others.filter(|other| *other != page) {
                *votes.entry(other).or_default() += 1;
            }
        }
        let sisters = ranked(votes)
            .into_iter()
            .filter_map(|other| self.new.get(other));
        let mut alike: Vec<f64> = sisters
            .map(|other| self.distinct(other).within(new))
            .collect();
        alike.sort_by(|a, b| b.total_cmp(a));
        alike.get(SISTERS - 1).copied()
    }

    /// The new pages that have most in common with a lost one, and the likeliest of them.
    fn search(&self, lost: &Features) -> Searched {
        let distinct = &self.distinct(lost);
        let mut votes: HashMap<usize, usize, RandomState> = HashMap::default();
        for pages in distinct.shingles.iter().map(|one| self.by_shingle.of(*one)) {
            for (_, page) in pages {
                *votes.entry(*page as usize).or_default() += 1;
            }
        }
        let keys = distinct
            .title
            .iter()
            .chain(&distinct.first)
            .chain([&distinct.path, &distinct.stem]);
        // A title of many pages says little of each.
        for pages in keys.map(|key| self.by_key.of(*key)) {
            for (_, page) in pages {
                *votes.entry(*page as usize).or_default() += SKETCH / pages.len();
            }
        }
        let candidates = ranked(votes).into_iter().map(u32::try_from);
        let candidates: Vec<u32> = candidates.filter_map(Result::ok).collect();
        Searched {
            proposal: self.likeliest(lost, &candidates),
            candidates: candidates.into(),
        }
    }

    /// The most likely successor of a lost page among these, if one is likely.
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

    /// A page without the shingles that are those of the site.
    fn distinct(&self, page: &Features) -> Features {
        let mut page = page.clone();
        page.shingles
            .retain(|shingle| !self.common.contains(shingle));
        page
    }

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
                // What the page had before says nothing: only what it took over does.
                text = lost.without(before).within(new);
            }
        } else {
            // One of several pages that a page was split into.
            let part = new.within(lost);
            if text >= 0.15 && part >= SAME {
                text = text.max(SAME);
            }
        }
        let same_path = lost.path == new.path;
        let same_stem = lost.stem == new.stem;
        let headings = lost.headings_in(new);
        let is_short = lost.shingles.len() < FEWEST || new.shingles.len() < FEWEST;
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

    /// Forty words about a subject, different for each.
    fn prose(subject: &str, from: usize, count: usize) -> String {
        let words = (from..from + count).map(|n| format!("{subject}{} of {subject}", n * 7 % 101));
        words.collect::<Vec<_>>().join(" ")
    }

    fn page(path: &str, title: &str, text: &str) -> Features {
        let source = format!("<title>{title} | Site</title><main><h1>{title}</h1>{text}</main>");
        Features::new(
            Sketch::new(outline(source.as_bytes(), "UTF-8")),
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
    fn renamed_moved_merged_and_split_pages_are_found() {
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
    fn a_page_that_is_gone_has_no_successor() {
        let lost = page("a/apples.html", "Apples", &prose("apple", 0, 40));
        let others = [
            page("b/", "Pears", &prose("pear", 0, 40)),
            page("c/", "Plums", &prose("plum", 0, 40)),
        ];
        assert_eq!(proposed(&lost, &others, None), None);
        // A sister page that was always like it took nothing over.
        let common = prose("template", 0, 40);
        let lost = page("f/foo.html", "foo", &(common.clone() + &prose("foo", 0, 5)));
        let bar = page("f/bar.html", "bar", &(common + &prose("bar", 0, 5)));
        assert_eq!(
            proposed(&lost, std::slice::from_ref(&bar), Some(&bar)),
            None
        );
    }

    #[test]
    fn a_page_of_a_template_is_no_successor_of_a_sister() {
        // Each page is the text of the template, and some of its own.
        let template = |name: &str, own: usize| {
            let text = prose("template", 0, 90) + &prose(name, 0, own);
            page(&format!("api/{name}.html"), name, &text)
        };
        let sisters = ["map", "filter", "chain", "zip"];
        // Their own predecessors are lost as well, or they are new.
        let new: Vec<Features> = sisters.iter().map(|name| template(name, 3)).collect();
        let lost = [template("fold", 3), template("map", 3)];
        for lost in [&lost[..], &lost[..1]] {
            let mut successors = Successors::new(&new, vec![Predecessor::None; new.len()]);
            let found = successors.of_all(lost);
            assert_eq!(found[0], None);
        }
        // One that was renamed is still found.
        let mut new = new;
        new.push(page(
            "api/reduce.html",
            "reduce",
            &(prose("template", 0, 90) + &prose("fold", 0, 3)),
        ));
        let mut successors = Successors::new(&new, vec![Predecessor::None; new.len()]);
        let found = successors.of_all(&lost);
        assert_eq!(found[0].as_ref().map(|found| found.page), Some(4));
    }

    #[test]
    fn pages_with_the_same_title_do_not_hide_the_one_with_the_text() {
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
    fn pages_that_are_as_likely_are_said() {
        let text = prose("apple", 0, 40);
        let lost = page("a.html", "Apples", &text);
        let new = [page("x/", "Apples", &text), page("y/", "Apples", &text)];
        let found = Successors::new(&new, vec![Predecessor::None; 2]).search(&lost);
        let found = found.proposal.unwrap();
        assert_eq!((found.page, found.ties), (0, vec![1]));
    }

    #[test]
    fn of_pages_with_one_address_no_more_are_named_than_are_compared() {
        let names = ["a.html"; 2 * COMPARED];
        let found = by_address(names.into_iter(), ["A.htm"].into_iter());
        let ties = found[0].as_ref().map(|found| found.ties.len());
        assert_eq!(ties, Some(COMPARED - 1));
    }
}
