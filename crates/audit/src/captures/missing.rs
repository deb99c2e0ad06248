//! The captures that pages are missing: counted while pages are judged, and listed on request.

use std::collections::HashMap;
use std::sync::Arc;

use foldhash::fast::RandomState;

use crate::captures::completeness::{Completeness, PageLacks};
use crate::model::url_list::UrlList;
use baseref_evidence::captures::Need;
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
    pages: Vec<[u32; 2]>,
    urls: UrlList,
}

impl MissingCaptures {
    /// The missing URLs, in byte order.
    pub fn missing(&self) -> impl Iterator<Item = Missing<'_>> {
        let missing = self.missing.iter();
        missing.map(|(url, counted)| Missing {
            url,
            need: counted.need,
            is_absent: counted.is_absent,
            pages: counted.pages.into(),
            links: counted.links,
            referrers: counted
                .referrers()
                .filter_map(|number| self.referrers.get(number as usize))
                .collect(),
        })
    }

    /// The number of missing captures of each page, in the order of the pages.
    pub fn pages(&self) -> impl Iterator<Item = PageLacks<&str>> {
        let pages = (0..).zip(&self.pages);
        pages.map(|(number, [resources, pages])| PageLacks {
            url: self.urls.get(number).unwrap_or_default(),
            resources: (*resources).into(),
            pages: (*pages).into(),
        })
    }
}

/// The maximum number of pages that are named for a missing URL.
const REFERRERS: usize = 3;

/// The page number that stands for none.
const NONE: u32 = u32::MAX;

/// The counts of a missing URL.
#[derive(Clone, Copy, Debug)]
struct MissingCounts {
    links: u64,
    pages: u32,
    /// The last document that was counted.
    last: u32,
    /// The numbers of the first pages that need it, if they are listed.
    referrers: [u32; REFERRERS],
    need: Need,
    is_absent: bool,
}

impl MissingCounts {
    fn referrers(&self) -> impl Iterator<Item = u32> {
        self.referrers.into_iter().filter(|number| *number != NONE)
    }
}

/// The lists, if requested.
#[derive(Debug, Default)]
struct Lists {
    referrers: UrlList,
    pages: Vec<[u32; 2]>,
    urls: UrlList,
}

/// Counts the captures that pages are missing, page by page.
#[derive(Debug, Default)]
pub(crate) struct MissingCounter {
    missing: HashMap<Box<str>, MissingCounts, RandomState>,
    /// The number of documents so far.
    documents: u32,
    /// The number of different missing resources and pages of the current document.
    own: [u64; 2],
    /// The URL of the current document, if it is a page.
    page: Option<Arc<str>>,
    /// Whether bytes of that page are missing or damaged.
    is_damaged: bool,
    /// Its number among the listed pages that need a missing URL.
    referrer: Option<u32>,
    completeness: Completeness,
    /// The number of links to pages that were not captured.
    links_to_pages: u64,
    lists: Option<Lists>,
}

impl MissingCounter {
    /// Lists the missing captures for [`Self::into_missing_captures`]. Must be called before the first document.
    pub(crate) fn list(&mut self) {
        self.lists = Some(Lists::default());
    }

    /// Begins a document.
    pub(crate) fn begin(&mut self) {
        self.end();
        self.documents = self.documents.saturating_add(1);
        self.own = [0; 2];
        self.referrer = None;
    }

    /// Marks the current document, including the documents in its attributes, as a page.
    pub(crate) fn is_page(&mut self, url: &Arc<str>, is_damaged: bool) {
        self.page = Some(Arc::clone(url));
        self.is_damaged = is_damaged;
    }

    /// Ends the current document.
    fn end(&mut self) {
        let Some(url) = self.page.take() else {
            return;
        };
        let [resources, pages] = self.own;
        if let Some(lists) = &mut self.lists {
            let few = |number| u32::try_from(number).unwrap_or(u32::MAX);
            lists.pages.push([few(resources), few(pages)]);
            lists.urls.push(&url);
        }
        let lacks = PageLacks {
            url,
            resources,
            pages,
        };
        self.completeness.add(lacks, self.is_damaged);
    }

    /// Counts a link to a page that was not captured.
    pub(crate) fn add_link_to_page(&mut self) {
        self.links_to_pages += 1;
    }

    /// Adds a missing URL that the current document needs.
    pub(crate) fn add(&mut self, url: &str, need: Need, is_absent: bool, referrer: &str) {
        if !self.missing.contains_key(url) {
            let counted = MissingCounts {
                links: 0,
                pages: 0,
                last: NONE,
                referrers: [NONE; REFERRERS],
                need,
                is_absent,
            };
            self.missing.insert(url.into(), counted);
        }
        let Some(counted) = self.missing.get_mut(url) else {
            return;
        };
        counted.links += 1;
        if need == Need::Resource {
            counted.need = need;
        }
        if counted.last == self.documents {
            return;
        }
        counted.last = self.documents;
        counted.pages += 1;
        let free = counted.referrers.iter_mut().find(|known| **known == NONE);
        if let (Some(free), Some(lists)) = (free, &mut self.lists) {
            let add = || u32::try_from(lists.referrers.push(referrer)).unwrap_or(NONE);
            *free = *self.referrer.get_or_insert_with(add);
        }
        self.own[usize::from(need == Need::Page)] += u64::from(is_absent);
    }

    /// The completeness of the captures as lines and tables, both empty without captured pages.
    pub(crate) fn completeness(&mut self) -> (Vec<String>, Vec<Table>) {
        self.end();
        if self.completeness.is_empty() {
            return (Vec::new(), Vec::new());
        }
        let missing = self.missing.iter();
        let absent = missing.filter(|(_, counted)| counted.is_absent);
        let absent = absent.map(|(url, counted)| (&**url, counted.need));
        let lines = self.completeness.lines(absent.clone(), self.links_to_pages);
        (lines, self.completeness.tables(absent))
    }

    /// The list of missing captures. Empty unless [`Self::list`] was called.
    pub(crate) fn into_missing_captures(mut self) -> MissingCaptures {
        self.end();
        let Some(lists) = self.lists else {
            return MissingCaptures::default();
        };
        let mut missing: Vec<_> = self.missing.into_iter().collect();
        missing.sort_unstable_by(|(one, _), (other, _)| one.cmp(other));
        MissingCaptures {
            missing,
            referrers: lists.referrers,
            pages: lists.pages,
            urls: lists.urls,
        }
    }
}
