//! A cache of the targets of URLs, since many links share a target.

use std::collections::HashMap;
use std::sync::Arc;

use baseref_findings::BaseName;
use foldhash::fast::RandomState;

use super::folder::Folder;
use super::target::{Remark, Resolved};
use super::url_cache::UrlCache;

/// The cached targets of URLs.
#[derive(Debug, Default)]
pub(super) struct Cache {
    /// The cached targets of the references of the latest folder.
    pub(super) folder: Folder,
    /// The URLs that links of captured pages lead to.
    pub(super) urls: UrlCache,
    /// The base of the latest document.
    base: Arc<BaseName>,
    resolved: HashMap<Box<str>, Resolved, RandomState>,
    remarks: HashMap<Box<str>, Arc<[Remark]>, RandomState>,
}

impl Cache {
    /// The number of entries at which the cache is cleared.
    const MOST: usize = 1 << 16;
    /// The number of remarks at which they are cleared.
    const MOST_REMARKS: usize = 1 << 12;

    /// Begins a page.
    pub(super) fn begin_page(&mut self) {
        if self.urls.begin_page() {
            self.folder.forget();
        }
    }

    /// A base to be kept, which many documents in one can share.
    pub(super) fn base(&mut self, base: BaseName) -> Arc<BaseName> {
        if *self.base != base {
            self.base = Arc::new(base);
        }
        Arc::clone(&self.base)
    }

    /// The target of `bare`, a URL without fragment; calls `look_up` if it is not cached.
    pub(super) fn get(&mut self, bare: &str, look_up: impl FnOnce() -> Resolved) -> Resolved {
        if let Some(known) = self.resolved.get(bare) {
            return *known;
        }
        if self.resolved.len() >= Self::MOST {
            self.resolved.clear();
        }
        let resolved = look_up();
        self.resolved.insert(bare.into(), resolved);
        resolved
    }

    /// The remarks on the target of `bare`. Many links lead to the same missing file, and finding
    /// suggestions costs more than anything else about a link.
    pub(super) fn remarks(
        &mut self,
        bare: &str,
        look_up: impl FnOnce() -> Vec<Remark>,
    ) -> Arc<[Remark]> {
        if let Some(known) = self.remarks.get(bare) {
            return Arc::clone(known);
        }
        if self.remarks.len() >= Self::MOST_REMARKS {
            self.remarks.clear();
        }
        let remarks: Arc<[Remark]> = look_up().into();
        self.remarks.insert(bare.into(), Arc::clone(&remarks));
        remarks
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
