//! The server-side includes of a page.

use crate::model::site_file::SiteFile;

/// The server-side includes of a page.
#[derive(Debug, Default)]
pub(crate) struct Inclusions {
    pub(crate) files: Vec<SiteFile>,
    /// Whether it also includes something other than files of the site.
    pub(crate) has_others: bool,
}

/// The maximum number of different files that a page may include.
pub(crate) const MOST_OF_PAGE: usize = 64;
