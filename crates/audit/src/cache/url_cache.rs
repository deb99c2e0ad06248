//! Shares the target URLs of captured pages: pages of one site link to mostly the same URLs.

use std::collections::HashMap;
use std::sync::Arc;

use foldhash::fast::RandomState;

use crate::model::deferred::DeferredLinks;

/// The maximum total length of the URLs of a cache in bytes. Only unusually long URLs reach it.
pub(crate) const MOST_BYTES: usize = 8 << 20;

/// The URLs seen so far, and which of them the current page links to.
#[derive(Debug, Default)]
pub(crate) struct UrlCache {
    places: HashMap<Arc<str>, UrlId, RandomState>,
    urls: Vec<Entry>,
    /// Their total length in bytes.
    bytes: usize,
    /// The number of the current page.
    page: u32,
}

/// The id of a URL, valid until the cache is cleared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct UrlId(u32);

#[derive(Debug)]
struct Entry {
    url: Arc<str>,
    /// The last page that links to it, and its number on that page.
    page: u32,
    number: u32,
}

impl UrlCache {
    /// The number of URLs at which the cache is cleared.
    const MOST: usize = 1 << 16;

    /// Begins a page. Returns whether the cache was cleared.
    pub(crate) fn begin_page(&mut self) -> bool {
        let is_full = self.urls.len() >= Self::MOST || self.bytes >= MOST_BYTES;
        let is_full = is_full || self.page == u32::MAX;
        if is_full {
            *self = Self::default();
        }
        self.page += 1;
        is_full
    }

    /// The id of a URL without fragment, which is added if it is new.
    pub(crate) fn intern(&mut self, bare: &str) -> Option<UrlId> {
        if let Some(id) = self.places.get(bare) {
            return Some(*id);
        }
        let id = UrlId(u32::try_from(self.urls.len()).ok()?);
        let url: Arc<str> = bare.into();
        self.bytes += bare.len();
        self.places.insert(Arc::clone(&url), id);
        self.urls.push(Entry {
            url,
            page: 0,
            number: 0,
        });
        Some(id)
    }

    pub(crate) fn url(&self, id: UrlId) -> &str {
        &self.urls[id.0 as usize].url
    }

    /// The number of a URL among the targets of the deferred links of the current page.
    pub(crate) fn number(&mut self, id: UrlId, links: &mut DeferredLinks) -> Option<u32> {
        let met = &mut self.urls[id.0 as usize];
        if met.page != self.page {
            met.number = links.add_url(&met.url)?;
            met.page = self.page;
        }
        Some(met.number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_urls_clear_the_cache_between_pages() {
        let mut cache = UrlCache::default();
        assert!(!cache.begin_page());
        for n in 0..9 {
            let url = format!("{n}{}", "x".repeat(1 << 20));
            assert!(cache.intern(&url).is_some());
        }
        assert!(cache.begin_page());
        assert!(cache.urls.is_empty() && cache.bytes == 0);
        assert!(!cache.begin_page());
    }
}
