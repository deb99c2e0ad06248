//! A file of an audited site.

use std::borrow::Cow;

use baseref_site::listing::FileId;
use baseref_site::map::SiteMap;

/// A file of one of the sites.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SiteFile {
    /// The index of the site.
    pub site: u32,
    /// The file in the tree of the site.
    pub file: FileId,
}

impl SiteFile {
    pub(crate) fn new(site: usize, file: FileId) -> Self {
        let site = u32::try_from(site).unwrap_or(u32::MAX);
        Self { site, file }
    }

    /// Its path below the root of its site, as shown in reports.
    pub(crate) fn path_in(self, map: &SiteMap) -> String {
        let names = map.sites()[self.site as usize].tree.names_of(self.file);
        let names: Vec<_> = names.into_iter().map(String::from_utf8_lossy).collect();
        names.join("/")
    }
}

/// Whether fragments can name elements of a file, judging by its extension.
pub(crate) fn is_html_name(name: &[u8]) -> bool {
    let name: Cow<'_, str> = String::from_utf8_lossy(name);
    let extension = name
        .rsplit_once('.')
        .map(|(_, extension)| extension.to_ascii_lowercase());
    matches!(
        extension.as_deref(),
        Some("html" | "htm" | "xhtml" | "xht" | "shtml")
    )
}
