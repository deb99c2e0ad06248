//! The URLs that links of captured pages lead to: pages of a site share most of theirs, so each is
//! kept once for many pages.

use std::collections::HashMap;
use std::sync::Arc;

use foldhash::fast::RandomState;

use crate::model::deferred::DeferredLinks;

/// How many bytes the URLs of a cache have, at most: those of usual length are fewer by far.
pub(crate) const MOST_BYTES: usize = 8 << 20;

/// The URLs met, and which of them the current page has.
#[derive(Debug, Default)]
pub(crate) struct UrlCache {
    places: HashMap<Arc<str>, UrlId, RandomState>,
    urls: Vec<Met>,
    /// How many bytes they have.
    bytes: usize,
    /// The number of the current page.
    page: u32,
}

/// A URL among those met, until they are forgotten.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct UrlId(u32);

#[derive(Debug)]
struct Met {
    url: Arc<str>,
    /// The page that had it last, and its number there.
    page: u32,
    number: u32,
}

impl UrlCache {
    /// The number of URLs at which they are forgotten.
    const MOST: usize = 1 << 16;

    /// Begins a page. Returns whether all URLs were forgotten.
    pub(crate) fn begin_page(&mut self) -> bool {
        let is_full = self.urls.len() >= Self::MOST || self.bytes >= MOST_BYTES;
        let is_full = is_full || self.page == u32::MAX;
        if is_full {
            *self = Self::default();
        }
        self.page += 1;
        is_full
    }

    /// Looks up a URL without fragment; it is met now, if it was not before.
    pub(crate) fn meet(&mut self, bare: &str) -> Option<UrlId> {
        if let Some(known) = self.places.get(bare) {
            return Some(*known);
        }
        let known = UrlId(u32::try_from(self.urls.len()).ok()?);
        let url: Arc<str> = bare.into();
        self.bytes += bare.len();
        self.places.insert(Arc::clone(&url), known);
        self.urls.push(Met {
            url,
            page: 0,
            number: 0,
        });
        Some(known)
    }

    pub(crate) fn url(&self, known: UrlId) -> &str {
        &self.urls[known.0 as usize].url
    }

    /// The number of a URL on the current page, among those that its links wait for.
    pub(crate) fn number(&mut self, known: UrlId, waiting: &mut DeferredLinks) -> Option<u32> {
        let met = &mut self.urls[known.0 as usize];
        if met.page != self.page {
            met.number = waiting.add_url(&met.url)?;
            met.page = self.page;
        }
        Some(met.number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_urls_are_forgotten_with_the_page_that_has_too_many() {
        let mut cache = UrlCache::default();
        assert!(!cache.begin_page());
        for n in 0..9 {
            let url = format!("{n}{}", "x".repeat(1 << 20));
            assert!(cache.meet(&url).is_some());
        }
        assert!(cache.begin_page());
        assert!(cache.urls.is_empty() && cache.bytes == 0);
        assert!(!cache.begin_page());
    }
}
