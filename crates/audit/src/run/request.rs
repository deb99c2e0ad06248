//! The options of an audit, as plain values.

use std::path::PathBuf;

use baseref_container::Format;
use baseref_document::link_places::Classes;
use baseref_evidence::link_reports::ReportFiles;
use baseref_files::url_filter::UrlFilter;
use baseref_resolve::Rules;
use encoding_rs::Encoding;

use crate::Crawl;

/// What to audit, in addition to the configuration.
#[derive(Clone, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "independent flags")]
pub struct AuditRequest {
    /// Directories, each the root of a site; or files.
    pub paths: Vec<PathBuf>,
    /// Globs that documents must match, or with `!` must not match.
    pub glob: Vec<String>,
    /// Whether to audit documents in the folders of version control and npm, too.
    pub hidden: bool,
    /// The classes of links to check; `None` for those in standard link places.
    pub links: Option<Classes>,
    /// Domains that the hosts of links in mail must not look like.
    pub protected: Vec<String>,
    /// The rule set that resolves references. The other rule sets are compared with it.
    pub rules: Rules,
    /// The format of the inputs.
    pub format: Option<Format>,
    /// The character encoding of the documents, overriding what they declare.
    pub encoding: Option<&'static Encoding>,
    /// The links to check, by URL.
    pub urls: UrlFilter,
    /// Whether to list every link, with or without findings. Memory then grows with the number of
    /// links.
    pub with_links: bool,
    /// Whether the summary lists the files that no other page links to.
    pub unreferenced: bool,
    /// The URL that the files were retrieved from.
    pub url: Option<String>,
    /// Whether the source URL recorded by the program that saved a page is used, when no better one
    /// is known.
    pub marks: bool,
    /// Whether symbolic links out of a directory are followed.
    pub follow: bool,
    /// The results of link checkers.
    pub reports: ReportFiles,
    /// How the links of captured pages are checked.
    pub crawl: Crawl,
    /// Capture indexes (CDX, CDXJ), in addition to the captures among the inputs.
    pub cdx: Vec<PathBuf>,
    /// Whether to list the missing captures.
    pub lists_missing: bool,
}
