//! The server-side includes of a page.

use crate::model::site_file::SiteFile;

/// What a page asks the server to put into it.
#[derive(Debug, Default)]
pub(crate) struct Inclusions {
    pub(crate) files: Vec<SiteFile>,
    /// Whether it asks for more than files of the trees.
    pub(crate) has_others: bool,
}

/// How many different files are looked at that a page asks for.
pub(crate) const MOST_OF_PAGE: usize = 64;
