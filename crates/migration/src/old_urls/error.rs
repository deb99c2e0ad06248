//! The errors of lists of old addresses.

use std::path::PathBuf;
use std::{error, fmt, io};

/// The fault of a list of old addresses.
#[derive(Debug)]
pub enum ListError {
    /// The gzip stream is damaged.
    Gzip(io::Error),
    /// The list unpacks to more than this number of bytes.
    TooLarge(u64),
    /// A sitemap is not well-formed.
    Sitemap(quick_xml::Error),
    /// The index names more than this number of sitemaps.
    TooManySitemaps(usize),
    /// A sitemap that the index names cannot be read.
    MissingSitemap {
        /// Its URL.
        url: String,
        /// The likeliest path of its file.
        path: PathBuf,
        /// The cause.
        source: io::Error,
    },
    /// The index names a URL that cannot be the name of a file.
    SitemapUrl(String),
    /// A row of the table is malformed.
    Table(csv::Error),
    /// The table has no column of addresses.
    NoColumn,
}

impl fmt::Display for ListError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Gzip(source) => source.fmt(f),
            Self::TooLarge(limit) => write!(f, "unpacks to more than {limit} bytes"),
            Self::Sitemap(source) => source.fmt(f),
            Self::TooManySitemaps(limit) => write!(f, "more than {limit} sitemaps"),
            Self::MissingSitemap { url, path, source } => write!(
                f,
                "the index names {url}, and {} is not there: {source}",
                path.display()
            ),
            Self::SitemapUrl(url) => write!(f, "the index names {url:?}, which is no file"),
            Self::Table(source) => source.fmt(f),
            Self::NoColumn => f.write_str("no column is called url, address, page or loc"),
        }
    }
}

impl error::Error for ListError {
    fn source(&self) -> Option<&(dyn error::Error + 'static)> {
        match self {
            Self::Gzip(source) | Self::MissingSitemap { source, .. } => Some(source),
            Self::Sitemap(source) => Some(source),
            Self::Table(source) => Some(source),
            _ => None,
        }
    }
}
