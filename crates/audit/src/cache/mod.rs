//! A cache of the targets of URLs, since many links share a target.

pub(crate) mod folder;
pub(crate) mod target;
pub(crate) mod url_cache;

use std::collections::HashMap;
use std::sync::Arc;

use baseref_findings::BaseName;
use foldhash::fast::RandomState;

use crate::cache::folder::Folder;
use crate::cache::url_cache::{MOST_BYTES, UrlCache};
use crate::model::target::{Remark, Resolved};

/// The cached targets of URLs.
#[derive(Debug, Default)]
pub(crate) struct Cache {
    /// The cached targets of the references of the latest folder.
    pub(crate) folder: Folder,
    /// The URLs that links of captured pages lead to.
    pub(crate) urls: UrlCache,
    /// The base of the latest document.
    base: Arc<BaseName>,
    resolved: OfUrls<Resolved, { 1 << 16 }>,
    remarks: OfUrls<Arc<[Remark]>, { 1 << 12 }>,
}

/// What is known of URLs, until it is of `MOST` of them or of more than [`MOST_BYTES`].
#[derive(Debug)]
struct OfUrls<T, const MOST: usize> {
    known: HashMap<Box<str>, T, RandomState>,
    /// How many bytes the URLs have.
    bytes: usize,
}

impl<T, const MOST: usize> Default for OfUrls<T, MOST> {
    fn default() -> Self {
        Self {
            known: HashMap::default(),
            bytes: 0,
        }
    }
}

impl<T: Clone, const MOST: usize> OfUrls<T, MOST> {
    /// What is known of a URL; calls `look_up` if that is nothing.
    fn get(&mut self, url: &str, look_up: impl FnOnce() -> T) -> T {
        if let Some(known) = self.known.get(url) {
            return known.clone();
        }
        if self.known.len() >= MOST || self.bytes + url.len() > MOST_BYTES {
            self.known.clear();
            self.bytes = 0;
        }
        let found = look_up();
        self.bytes += url.len();
        self.known.insert(url.into(), found.clone());
        found
    }
}

impl Cache {
    /// Begins a page.
    pub(crate) fn begin_page(&mut self) {
        if self.urls.begin_page() {
            self.folder.forget();
        }
    }

    /// A base to be kept, which many documents in one can share.
    pub(crate) fn base(&mut self, base: BaseName) -> Arc<BaseName> {
        if *self.base != base {
            self.base = Arc::new(base);
        }
        Arc::clone(&self.base)
    }

    /// The target of `bare`, a URL without fragment; calls `look_up` if it is not cached.
    pub(crate) fn get(&mut self, bare: &str, look_up: impl FnOnce() -> Resolved) -> Resolved {
        self.resolved.get(bare, look_up)
    }

    /// The remarks on the target of `bare`. Many links lead to the same missing file, and finding
    /// suggestions costs more than anything else about a link.
    pub(crate) fn remarks(
        &mut self,
        bare: &str,
        look_up: impl FnOnce() -> Vec<Remark>,
    ) -> Arc<[Remark]> {
        self.remarks.get(bare, || look_up().into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_urls_are_forgotten_earlier_than_short_ones() {
        let mut cache: OfUrls<usize, 100> = OfUrls::default();
        let url = |n: usize, length: usize| format!("{n}{}", "x".repeat(length));
        for n in 0..300 {
            assert_eq!(cache.get(&url(n, 10), || n), n);
            assert_eq!(cache.get(&url(n, 10), || 0), n);
            assert!(cache.known.len() <= 100);
        }
        for n in 0..40 {
            assert_eq!(cache.get(&url(n, 1 << 20), || n), n);
            assert!(cache.bytes <= MOST_BYTES && cache.known.len() <= 8);
        }
    }

    #[test]
    fn documents_in_one_share_the_base_of_it() {
        let of = |url: &str| BaseName {
            url: Some(url.to_owned()),
            ..BaseName::default()
        };
        let mut cache = Cache::default();
        let first = cache.base(of("http://a/"));
        assert!(Arc::ptr_eq(&first, &cache.base(of("http://a/"))));
        assert_eq!(
            cache.base(of("http://b/")).url.as_deref(),
            Some("http://b/")
        );
    }
}
