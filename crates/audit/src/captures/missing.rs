//! What captured pages need and the captures lack: counted while pages are judged, listed if asked for.

use std::collections::HashMap;
use std::sync::Arc;

use foldhash::fast::RandomState;

use crate::captures::completeness::{Completeness, PageLacks};
use crate::model::url_list::UrlList;
use baseref_evidence::captures::Need;
use baseref_findings::Table;

/// A URL that a crawl lacks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Missing<'l> {
    /// The URL.
    pub url: &'l str,
    /// What it is needed for.
    pub need: Need,
    /// Whether there is no capture of it; otherwise the capture is of an error that may pass.
    pub is_absent: bool,
    /// How many pages need it, and how many links lead to it.
    pub pages: u64,
    /// See [`Self::pages`].
    pub links: u64,
    /// Some of the pages that need it, the first in order.
    pub referrers: Vec<&'l str>,
}

/// What captured pages need and the captures lack.
#[derive(Clone, Debug, Default)]
pub struct MissingCaptures {
    missing: Vec<(Box<str>, Counted)>,
    referrers: UrlList,
    pages: Vec<[u32; 2]>,
    urls: UrlList,
}

impl MissingCaptures {
    /// The URLs, in byte order.
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

    /// What each page lacks, in the order of the pages.
    pub fn pages(&self) -> impl Iterator<Item = PageLacks<&str>> {
        let pages = (0..).zip(&self.pages);
        pages.map(|(number, [resources, pages])| PageLacks {
            url: self.urls.get(number).unwrap_or_default(),
            resources: (*resources).into(),
            pages: (*pages).into(),
        })
    }
}

/// How many pages that need a URL are named.
const REFERRERS: usize = 3;

/// Stands for no page.
const NONE: u32 = u32::MAX;

/// What is counted of a URL.
#[derive(Clone, Copy, Debug)]
struct Counted {
    links: u64,
    pages: u32,
    /// The last document counted.
    last: u32,
    /// The numbers of the first pages, if they are to be named.
    referrers: [u32; REFERRERS],
    need: Need,
    is_absent: bool,
}

impl Counted {
    fn referrers(&self) -> impl Iterator<Item = u32> {
        self.referrers.into_iter().filter(|number| *number != NONE)
    }
}

/// The lists that are made if they are asked for.
#[derive(Debug, Default)]
struct Lists {
    referrers: UrlList,
    pages: Vec<[u32; 2]>,
    urls: UrlList,
}

/// What the pages judged so far lack.
#[derive(Debug, Default)]
pub(crate) struct Lacks {
    missing: HashMap<Box<str>, Counted, RandomState>,
    /// How many documents were judged: each counts once.
    documents: u32,
    /// Of the current document, how many different resources and pages it lacks.
    own: [u64; 2],
    /// Its URL, if it is a page.
    page: Option<Arc<str>>,
    /// Its number among those that need something, if it does and these are listed.
    referrer: Option<u32>,
    completeness: Completeness,
    /// How many links lead to pages that were not captured.
    links_to_pages: u64,
    lists: Option<Lists>,
}

impl Lacks {
    /// Lists what [`Self::into_missing_captures`] gives. To be called before the first document.
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

    /// Says that the current document, with what is in its attributes, is a page.
    pub(crate) fn is_page(&mut self, url: &Arc<str>) {
        self.page = Some(Arc::clone(url));
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
        self.completeness.add(PageLacks {
            url,
            resources,
            pages,
        });
    }

    /// Counts a link to a page that was not captured.
    pub(crate) fn add_link_to_page(&mut self) {
        self.links_to_pages += 1;
    }

    /// Remembers a URL that the current document needs.
    pub(crate) fn add(&mut self, url: &str, need: Need, is_absent: bool, referrer: &str) {
        if !self.missing.contains_key(url) {
            let counted = Counted {
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

    /// How complete the captures are, in a line each, and in tables; nothing if there are no pages
    /// among them.
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

    /// What is missing, by URL, and what each page lacks; nothing but what [`Self::list`] asked for.
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
