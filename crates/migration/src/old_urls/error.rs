//! The errors of lists of old addresses.

use std::io;
use std::path::PathBuf;

/// The fault of a list of old addresses.
#[derive(Debug, thiserror::Error)]
pub enum ListError {
    /// The gzip stream is damaged.
    #[error(transparent)]
    Gzip(io::Error),
    /// The list unpacks to more than this number of bytes.
    #[error("unpacks to more than {0} bytes")]
    TooLarge(u64),
    /// A sitemap is not well-formed.
    #[error(transparent)]
    Sitemap(quick_xml::Error),
    /// The index names more than this number of sitemaps.
    #[error("more than {0} sitemaps")]
    TooManySitemaps(usize),
    /// A sitemap that the index names cannot be read.
    #[error("the index names {url}, and {} is not there: {source}", .path.display())]
    MissingSitemap {
        /// Its URL.
        url: String,
        /// The likeliest path of its file.
        path: PathBuf,
        /// The cause.
        source: io::Error,
    },
    /// The index names a URL that cannot be the name of a file.
    #[error("the index names {0:?}, which is no file")]
    SitemapUrl(String),
    /// A row of the table is malformed.
    #[error(transparent)]
    Table(csv::Error),
    /// The table has no column of addresses.
    #[error("no column is called url, address, page or loc")]
    NoColumn,
}
