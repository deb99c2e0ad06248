//! The captures that pages are missing: counted while pages are judged, and listed on request.

use std::collections::HashMap;
use std::sync::Arc;

use foldhash::fast::RandomState;

use crate::captures::completeness::{Completeness, IncompletePage};
use crate::captures::requisites::{CurrentDocument, Requisites, Walks};
use crate::model::url_list::UrlList;
use baseref_evidence::captures::{Need, Number};
use baseref_findings::Table;

/// A URL that a captured page needs and that was not captured.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Missing<'l> {
    /// The URL.
    pub url: &'l str,
    /// Whether it is needed as a page or as a resource.
    pub need: Need,
    /// Whether the URL was never captured. If false, it was captured as a temporary error.
    pub is_absent: bool,
    /// Whether it is another resolution of an image that was captured, so that no page needs it.
    pub is_other_resolution: bool,
    /// The number of pages that need it.
    pub pages: u64,
    /// The number of links to it.
    pub links: u64,
    /// The URLs of the first few pages that need it.
    pub referrers: Vec<&'l str>,
}

/// The list of missing captures.
#[derive(Clone, Debug, Default)]
pub struct MissingCaptures {
    missing: Vec<(Box<str>, MissingCounts)>,
    referrers: UrlList,
    pages: Vec<ListedPage>,
    urls: UrlList,
    without_url: u64,
}

impl MissingCaptures {
    /// The number of links to files that are missing from a site without a URL, so that no crawler can
    /// fetch them.
    #[must_use]
    pub fn without_url(&self) -> u64 {
        self.without_url
    }

    /// The missing URLs, in byte order.
    pub fn missing(&self) -> impl Iterator<Item = Missing<'_>> {
        let missing = self.missing.iter();
        missing.map(|(url, counted)| Missing {
            url,
            need: counted.need,
            is_absent: counted.kind != MissingKind::Temporary,
            is_other_resolution: counted.kind == MissingKind::OtherResolution,
            pages: counted.pages.into(),
            links: counted.links,
            referrers: counted
                .referrers()
                .filter_map(|number| self.referrers.get(number as usize))
                .collect(),
        })
    }

    /// The number of missing captures of each page, in the order of the pages.
    pub fn pages(&self) -> impl Iterator<Item = IncompletePage<&str>> {
        let pages = (0..).zip(&self.pages);
        pages.map(|(number, page)| IncompletePage {
            url: self.urls.get(number).unwrap_or_default(),
            resources: page.resources.into(),
            pages: page.pages.into(),
            is_damaged: page.is_damaged,
        })
    }
}

/// The maximum number of pages that are named for a missing URL.
const REFERRERS: usize = 3;

/// The page number that stands for none.
const NONE: u32 = u32::MAX;

/// Why a needed URL counts as missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MissingKind {
    /// It was never captured.
    NotCaptured,
    /// It was captured as an error that may be temporary.
    Temporary,
    /// It was not captured, but the browser that saved the page may not have needed it.
    Uncertain,
    /// It is another resolution of an image that was captured.
    OtherResolution,
    /// It was captured as a lasting error, so no crawl needs to request it again.
    Lasting,
}

impl MissingKind {
    /// Whether a document is incomplete without the URL.
    fn is_needed(self) -> bool {
        !matches!(self, Self::Uncertain | Self::OtherResolution)
    }
}

/// The counts of a missing URL.
#[derive(Clone, Copy, Debug)]
struct MissingCounts {
    /// Its number in the graph of requisites.
    number: u32,
    links: u64,
    pages: u32,
    /// The numbers of the first pages that need it, if they are listed.
    referrers: [u32; REFERRERS],
    need: Need,
    kind: MissingKind,
}

impl MissingCounts {
    /// Whether a document is incomplete without it.
    fn is_needed(&self) -> bool {
        self.kind.is_needed()
    }

    fn referrers(&self) -> impl Iterator<Item = u32> {
        self.referrers.into_iter().filter(|number| *number != NONE)
    }
}

/// How many of the resources and pages that a page asks for are missing.
#[derive(Clone, Copy, Debug)]
struct ListedPage {
    resources: u32,
    pages: u32,
    is_damaged: bool,
}

/// The lists, if requested.
#[derive(Debug, Default)]
struct Lists {
    referrers: UrlList,
    pages: Vec<ListedPage>,
    urls: UrlList,
}

/// Counts the captures that pages are missing, page by page.
#[derive(Debug, Default)]
pub(crate) struct MissingCounter {
    missing: HashMap<Box<str>, MissingCounts, RandomState>,
    current: Option<CurrentDocument>,
    requisites: Requisites,
    completeness: Completeness,
    /// The number of links to pages that were not captured.
    links_to_pages: u64,
    /// The number of pages whose missing resources were not all counted.
    cut: u64,
    /// The number of links to missing files that have no URL.
    without_url: u64,
    lists: Option<Lists>,
}

impl MissingCounter {
    /// Lists the missing captures for [`Self::into_missing_captures`]. Must be called before the first document.
    pub(crate) fn list(&mut self) {
        self.lists = Some(Lists::default());
    }

    /// Counts a link to a missing file that has no URL.
    pub(crate) fn add_without_url(&mut self) {
        self.without_url += 1;
    }

    /// Whether the missing captures are listed.
    pub(crate) fn is_listing(&self) -> bool {
        self.lists.is_some()
    }

    /// Begins a document, given its URL and its capture.
    pub(crate) fn begin(&mut self, url: Arc<str>, capture: Option<Number>) {
        self.end();
        self.current = Some(CurrentDocument {
            url,
            capture,
            is_page: false,
            is_damaged: false,
        });
    }

    /// Marks the current document, including the documents in its attributes, as a page.
    pub(crate) fn is_page(&mut self, is_damaged: bool) {
        if let Some(current) = &mut self.current {
            current.is_page = true;
            current.is_damaged = is_damaged;
        }
    }

    /// Ends the current document.
    fn end(&mut self) {
        if let Some(current) = self.current.take() {
            self.requisites.end(current);
        }
    }

    /// Counts a link to a page that was not captured.
    pub(crate) fn add_link_to_page(&mut self) {
        self.links_to_pages += 1;
    }

    /// Adds a captured document that the current document requires.
    pub(crate) fn require(&mut self, capture: Number) {
        self.requisites.require(capture);
    }

    /// Adds a missing URL that the current document needs.
    pub(crate) fn add(&mut self, url: &str, need: Need, kind: MissingKind) {
        let Some(counted) = self.counts(url, need, kind) else {
            return;
        };
        counted.links += 1;
        if !counted.is_needed() {
            counted.kind = kind;
        }
        let number = counted.number;
        match need {
            Need::Resource => {
                counted.need = need;
                self.requisites.add_missing(number);
            }
            Need::Page => self.requisites.link(number),
        }
    }

    /// Adds a missing resource without which the current document is complete.
    pub(crate) fn add_dispensable(&mut self, url: &str, kind: MissingKind) {
        if let Some(counted) = self.counts(url, Need::Resource, kind) {
            counted.links += 1;
            if counted.kind == MissingKind::OtherResolution {
                counted.kind = kind;
            }
            let number = counted.number;
            self.requisites.add_other(number);
        }
    }

    /// The counts of a missing URL, which are new unless it is known.
    fn counts(&mut self, url: &str, need: Need, kind: MissingKind) -> Option<&mut MissingCounts> {
        let next = u32::try_from(self.missing.len()).unwrap_or(NONE);
        if !self.missing.contains_key(url) {
            let counted = MissingCounts {
                number: next,
                links: 0,
                pages: 0,
                referrers: [NONE; REFERRERS],
                need,
                kind,
            };
            self.missing.insert(url.into(), counted);
        }
        self.missing.get_mut(url)
    }

    /// Counts, once all documents are judged, the missing resources of each page and of the documents that it
    /// requires.
    fn count_pages(&mut self) {
        self.end();
        let requisites = std::mem::take(&mut self.requisites);
        let mut by_number: Vec<&mut MissingCounts> = self.missing.values_mut().collect();
        by_number.sort_unstable_by_key(|counted| counted.number);
        let mut walks = Walks::new(&requisites, by_number.len());
        let mut apart = Vec::new();
        for (number, document) in requisites.documents().iter().enumerate() {
            let mut referrer = None;
            let linked = requisites.linked(number);
            if !document.is_page {
                // Requisites that no page requires are counted for the document itself, after the
                // pages.
                apart.push(number);
                for url in linked.iter().chain(requisites.others(number)) {
                    let counted = &mut *by_number[*url as usize];
                    counted.refer(&document.url, &mut referrer, &mut self.lists);
                }
                continue;
            }
            let missing = walks.missing(number);
            let is_other = |url: &&u32| missing.binary_search(url).is_err();
            let absent = linked
                .iter()
                .filter(|url| by_number[**url as usize].kind == MissingKind::NotCaptured)
                .count();
            let linked = linked.iter().filter(is_other);
            let others = requisites.others(number).iter().filter(is_other);
            for url in missing.iter().chain(linked).chain(others) {
                let counted = &mut *by_number[*url as usize];
                counted.refer(&document.url, &mut referrer, &mut self.lists);
            }
            let page = IncompletePage {
                url: Arc::clone(&document.url),
                resources: missing.len() as u64,
                pages: absent as u64,
                is_damaged: document.is_damaged,
            };
            if let Some(lists) = &mut self.lists {
                let few = |number| u32::try_from(number).unwrap_or(u32::MAX);
                lists.pages.push(ListedPage {
                    resources: few(page.resources),
                    pages: few(page.pages),
                    is_damaged: page.is_damaged,
                });
                lists.urls.push(&page.url);
            }
            self.completeness.add(page);
        }
        self.completeness.needed = by_number
            .iter()
            .filter(|counted| counted.is_needed() && counted.need == Need::Resource)
            .filter(|counted| counted.pages > 0)
            .count() as u64;
        for number in apart {
            let mut referrer = None;
            for url in requisites.missing(number) {
                let counted = &mut *by_number[*url as usize];
                if counted.pages == 0 {
                    let url = &requisites.documents()[number].url;
                    counted.refer(url, &mut referrer, &mut self.lists);
                }
            }
        }
        self.cut = walks.cut;
    }

    /// The number of pages whose missing resources were not all counted.
    pub(crate) fn cut(&self) -> u64 {
        self.cut
    }

    /// The completeness of the captures as lines and tables, both empty without captured pages.
    pub(crate) fn completeness(&mut self) -> (Vec<String>, Vec<Table>) {
        self.count_pages();
        if self.completeness.is_empty() {
            return (Vec::new(), Vec::new());
        }
        let missing = self.missing.iter();
        let missing = missing
            .filter(|(_, counted)| counted.is_needed())
            .filter(|(_, counted)| {
                counted.need == Need::Resource || counted.kind == MissingKind::NotCaptured
            });
        let missing = missing.map(|(url, counted)| (&**url, counted.need));
        let lines = self
            .completeness
            .lines(missing.clone(), self.links_to_pages);
        (lines, self.completeness.tables(missing))
    }

    /// The list of missing captures. Empty unless [`Self::list`] was called before the first document,
    /// and [`Self::completeness`] after the last.
    pub(crate) fn into_missing_captures(self) -> MissingCaptures {
        let Some(lists) = self.lists else {
            return MissingCaptures::default();
        };
        let mut missing: Vec<_> = self.missing.into_iter().collect();
        missing.retain(|(_, counted)| counted.kind != MissingKind::Lasting);
        missing.sort_unstable_by(|(one, _), (other, _)| one.cmp(other));
        MissingCaptures {
            missing,
            referrers: lists.referrers,
            pages: lists.pages,
            urls: lists.urls,
            without_url: self.without_url,
        }
    }
}

impl MissingCounts {
    /// Counts a page that needs it, and names the page if it is one of the first. `referrer` is the
    /// number of the page among the named ones, once it is named.
    fn refer(&mut self, url: &str, referrer: &mut Option<u32>, lists: &mut Option<Lists>) {
        self.pages += 1;
        let free = self.referrers.iter_mut().find(|known| **known == NONE);
        if let (Some(free), Some(lists)) = (free, lists) {
            let add = || u32::try_from(lists.referrers.push(url)).unwrap_or(NONE);
            *free = *referrer.get_or_insert_with(add);
        }
    }
}
