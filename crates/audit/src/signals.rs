//! What search engines take from pages and sitemaps beyond their links, compared with each other:
//! canonical addresses, alternates in other languages, requests not to be indexed, `robots.txt`.
//!
//! Only what the files of the trees themselves prove is reported: no address is asked for.

mod collect;
mod judge;

pub(crate) use self::collect::collect;
pub(crate) use self::judge::judge;

use crate::model::class::LinkClass;
use crate::model::site_file::SiteFile;
use baseref_document::Position;

/// The signals of one document that is a file.
#[derive(Debug)]
pub(crate) struct Signals {
    /// It is a sitemap, and these are its entries; otherwise it is a page.
    pub(crate) entries: Option<Vec<Mark>>,
    /// The first canonical address.
    pub(crate) canonical: Option<Mark>,
    /// The alternates in other languages.
    pub(crate) alternates: Vec<Mark>,
    /// It asks not to be indexed.
    pub(crate) is_hidden: bool,
}

/// An address in a document.
#[derive(Debug)]
pub(crate) struct Mark {
    /// As written.
    pub(crate) raw: Box<str>,
    /// Its URL; empty if it has none.
    pub(crate) url: Box<str>,
    pub(crate) at: Option<Position>,
    pub(crate) class: LinkClass,
    /// The file that it leads to.
    pub(crate) file: Option<SiteFile>,
    /// How it leads to the file, in a word.
    pub(crate) how: &'static str,
}
