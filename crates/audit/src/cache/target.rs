//! The cached target of a reference.

use crate::cache::url_cache::UrlId;
use crate::model::class::LinkClass;
use crate::model::site_file::SiteFile;

/// The target of a reference without findings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CachedTarget {
    pub(crate) class: LinkClass,
    pub(crate) file: Option<SiteFile>,
    /// The number of the entry of a ZIM file.
    pub(crate) entry: Option<u32>,
    /// The URL, on a captured page.
    pub(crate) url: Option<UrlId>,
    /// What the link says about an address that its site gives itself.
    pub(crate) own_links: Option<OwnLinksId>,
}

/// The id of the hints in a link, valid until the cache is cleared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct OwnLinksId(pub(super) u32);
