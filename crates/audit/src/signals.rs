//! The signals that pages and sitemaps send to search engines, compared with each other: canonical
//! addresses, alternates in other languages, requests not to be indexed, `robots.txt`.
//!
//! Only what the files of the sites prove is reported: no URL is requested.

mod collect;
mod judge;

pub(crate) use self::collect::collect;
pub(crate) use self::judge::judge;

use crate::model::class::LinkClass;
use crate::model::site_file::SiteFile;
use baseref_document::Position;

/// The signals of a document that is a file of a site.
#[derive(Debug)]
pub(crate) struct Signals {
    /// The entries of a sitemap; `None` for a page.
    pub(crate) entries: Option<Vec<Mark>>,
    /// The first canonical address.
    pub(crate) canonical: Option<Mark>,
    /// The alternates in other languages.
    pub(crate) alternates: Vec<Mark>,
    /// Whether it asks not to be indexed.
    pub(crate) is_hidden: bool,
}

/// An address in a document.
#[derive(Debug)]
pub(crate) struct Mark {
    /// The value as written.
    pub(crate) raw: Box<str>,
    /// Its URL; empty if it has none.
    pub(crate) url: Box<str>,
    pub(crate) at: Option<Position>,
    pub(crate) class: LinkClass,
    /// The file that its URL leads to.
    pub(crate) file: Option<SiteFile>,
    /// How the URL leads to the file, in one word.
    pub(crate) how: &'static str,
}
