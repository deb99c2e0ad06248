//! Caches the targets of links: many links share one.

pub(crate) mod references;
pub(crate) mod shared_documents;
pub(crate) mod target;
pub(crate) mod url_cache;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use baseref_findings::BaseName;
use foldhash::fast::RandomState;

use crate::cache::references::ReferenceCache;
use crate::cache::url_cache::{MOST_BYTES, UrlCache};
use crate::model::package_id::PackageId;
use crate::model::target::{Remark, Resolved};
use crate::serving::Serving;
use crate::serving::hints::{FoldersAround, MissingFromRoot};
use crate::serving::missing_links::by_others;
use baseref_resolve::parts::without_fragment;

/// The caches of one thread.
#[derive(Debug, Default)]
pub(crate) struct Cache {
    /// The targets of references on the latest host and in the latest folder.
    pub(crate) references: ReferenceCache,
    /// The targets of captured pages.
    pub(crate) urls: UrlCache,
    /// The base of the latest document.
    base: Arc<BaseName>,
    resolved: PerUrl<Resolved, { 1 << 16 }>,
    remarks: PerUrl<Arc<[Remark]>, { 1 << 12 }>,
    missing_from_root: PerUrl<Option<Arc<MissingFromRoot>>, { 1 << 12 }>,
    missing: PerUrl<Option<Arc<[usize]>>, { 1 << 12 }>,
    around: FoldersAround,
    /// Whether those are the folders around the current page.
    is_around: bool,
}

/// The caches that no thread is using: for the sites of the run (`None`), and for each package, in which
/// URLs have other targets.
#[derive(Debug, Default)]
pub(crate) struct Caches(Mutex<HashMap<Option<PackageId>, Vec<Cache>>>);

impl Caches {
    /// A cache that an earlier document filled, or an empty one.
    pub(crate) fn take(&self, package: Option<PackageId>) -> Cache {
        let cache = self.lock().get_mut(&package).and_then(Vec::pop);
        cache.unwrap_or_default()
    }

    /// Keeps a cache for a later document.
    pub(crate) fn put(&self, package: Option<PackageId>, cache: Cache) {
        self.lock().entry(package).or_default().push(cache);
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Option<PackageId>, Vec<Cache>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A value for each URL. Cleared at `MOST` URLs or [`MOST_BYTES`].
#[derive(Debug)]
struct PerUrl<T, const MOST: usize> {
    known: HashMap<Box<str>, T, RandomState>,
    /// The total length of the URLs in bytes.
    bytes: usize,
}

impl<T, const MOST: usize> Default for PerUrl<T, MOST> {
    fn default() -> Self {
        Self {
            known: HashMap::default(),
            bytes: 0,
        }
    }
}

impl<T: Clone, const MOST: usize> PerUrl<T, MOST> {
    /// The value for a URL; calls `look_up` if it is not cached.
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
        self.is_around = false;
        if self.urls.begin_page() {
            self.references.forget();
        }
    }

    /// A base, shared with the latest document if it is the same.
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

    /// What a root-relative link that leads to no file says about where its site is served.
    pub(crate) fn missing_from_root(
        &mut self,
        serving: Serving<'_>,
        url: &str,
    ) -> Option<Arc<MissingFromRoot>> {
        let bare = without_fragment(url);
        self.missing_from_root
            .get(bare, || MissingFromRoot::find(serving, bare).map(Arc::new))
    }

    /// The folders around the current page, given its URL.
    pub(crate) fn folders_around(
        &mut self,
        serving: Serving<'_>,
        page: Option<&str>,
    ) -> Option<&mut FoldersAround> {
        if !self.is_around {
            self.is_around = self.around.enter(serving, page?);
        }
        self.is_around.then_some(&mut self.around)
    }

    /// The other hostings that find a link which leads to no file; `None` if it is not in a site.
    pub(crate) fn missing(&mut self, serving: Serving<'_>, url: &str) -> Option<Arc<[usize]>> {
        let bare = without_fragment(url);
        self.missing.get(bare, || by_others(serving, bare))
    }

    /// The remarks on the target of `bare`. Many links lead to the same missing file, and looking for
    /// suggestions is the most expensive part of checking a link.
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
    fn long_urls_fill_the_cache_earlier() {
        let mut cache: PerUrl<usize, 100> = PerUrl::default();
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
    fn documents_share_equal_bases() {
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
