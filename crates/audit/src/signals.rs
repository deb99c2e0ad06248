//! What search engines take from pages and sitemaps beyond their links, compared with each other:
//! canonical addresses, alternates in other languages, requests not to be indexed, `robots.txt`.
//!
//! Only what the files of the trees themselves prove is reported: no address is asked for.

mod collect;
mod judge;

pub(super) use self::collect::collect;
pub(super) use self::judge::judge;

use super::class::LinkClass;
use super::file_of::FileOf;
use baseref_document::Position;

/// The signals of one document that is a file.
#[derive(Debug)]
pub(super) struct Signals {
    /// It is a sitemap, and these are its entries; otherwise it is a page.
    pub(super) entries: Option<Vec<Mark>>,
    /// The first canonical address.
    pub(super) canonical: Option<Mark>,
    /// The alternates in other languages.
    pub(super) alternates: Vec<Mark>,
    /// It asks not to be indexed.
    pub(super) is_hidden: bool,
}

/// An address in a document.
#[derive(Debug)]
pub(super) struct Mark {
    /// As written.
    pub(super) raw: Box<str>,
    /// Its URL; empty if it has none.
    pub(super) url: Box<str>,
    pub(super) at: Option<Position>,
    pub(super) class: LinkClass,
    /// The file that it leads to.
    pub(super) file: Option<FileOf>,
    /// How it leads to the file, in a word.
    pub(super) how: &'static str,
}
