//! The errors of a move that cannot be checked.

use std::path::PathBuf;
use std::{error, fmt, io};

use crate::old_urls::ListError;
use baseref_document::ReadError;
use baseref_evidence::link_reports::ReportError;
use baseref_findings::Refused;
use baseref_server::rule_set::RuleSetError;
use baseref_site::moves::PrefixError;

/// Why a move cannot be checked.
#[derive(Debug)]
pub enum MoveError {
    /// The argument is not of the form `OLD=NEW`.
    PairArgument(String),
    /// The URLs of the old and the new site cannot be used.
    Prefix(PrefixError),
    /// The site stays at this URL and is not rebuilt.
    NothingMoves(String),
    /// A file or folder cannot be read.
    Unreadable {
        /// The file or folder.
        path: PathBuf,
        /// The cause.
        source: io::Error,
    },
    /// The folder contains no files.
    EmptyFolder(PathBuf),
    /// The rules cannot be read.
    Rules(RuleSetError),
    /// The reports of link checkers cannot be read.
    Reports(ReportError),
    /// A list of old addresses is malformed.
    List {
        /// The list.
        path: PathBuf,
        /// The cause.
        source: ListError,
    },
    /// The old site is standard input, which cannot be read twice.
    StandardInput,
    /// The archive of the old site cannot be opened.
    Archive {
        /// The archive.
        path: PathBuf,
        /// The cause.
        source: Box<ReadError>,
    },
    /// The file contains no site.
    NoSite {
        /// The file.
        path: PathBuf,
        /// Why it is not an index of captures, if it is named like one.
        index_fault: Option<String>,
    },
    /// The old site does not say its URL.
    NoUrl(PathBuf),
    /// No page was captured.
    NoCapture(PathBuf),
    /// The captured pages are of several hosts.
    SeveralHosts {
        /// The archive or index.
        path: PathBuf,
        /// The number of hosts.
        hosts: usize,
        /// The origins with the numbers of their captures, in words.
        origins: String,
    },
    /// The archive or index has no page below the old URL.
    NoOldPage {
        /// The archive or index.
        path: PathBuf,
        /// The other sites with the numbers of their captures, in words; empty if there are none.
        others: String,
    },
    /// An index of captures has only addresses, and the request needs pages.
    AddressesOnly(PathBuf),
    /// There was nothing to check, for this reason.
    NothingChecked(String),
}

/// The kinds of old sites.
const KINDS: &str = "the old site is a folder, an archive (WARC, WACZ, ARC, HAR, zip, EPUB) or an \
                     index of captures (CDX, CDXJ)";

impl fmt::Display for MoveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::PairArgument(pair) => write!(f, "{pair:?} is not of the form OLD=NEW"),
            Self::Prefix(source) => source.fmt(f),
            Self::NothingMoves(url) => write!(
                f,
                "--from and --to are both {url}: nothing moves; give --new-tree or --redirects to \
                 check a site that was rebuilt in its place"
            ),
            Self::Unreadable { path, source } => write!(f, "{}: {source}", path.display()),
            Self::EmptyFolder(path) => write!(f, "{}: contains no files", path.display()),
            Self::Rules(source) => source.fmt(f),
            Self::Reports(source) => source.fmt(f),
            Self::List { path, source } => write!(f, "{}: {source}", path.display()),
            Self::StandardInput => {
                f.write_str("-: the old site is read twice, and standard input comes once")
            }
            Self::Archive { path, source } => write!(f, "{}: {}", path.display(), source.reason),
            Self::NoSite { path, index_fault } => {
                write!(f, "{}: no site is in it: ", path.display())?;
                match index_fault {
                    Some(line) => write!(f, "as an index of captures, {line}"),
                    None => f.write_str(KINDS),
                }
            }
            Self::NoUrl(path) => write!(
                f,
                "--from is missing: {} does not say which URL its pages have at present",
                path.display()
            ),
            Self::NoCapture(path) => write!(f, "{}: no page was captured", path.display()),
            Self::SeveralHosts {
                path,
                hosts,
                origins,
            } => write!(
                f,
                "--from is missing: the pages of {} are of {hosts} hosts: {origins}",
                path.display()
            ),
            Self::NoOldPage { path, others } => {
                write!(f, "{}: no page of the old site is in it", path.display())?;
                if others.is_empty() {
                    return Ok(());
                }
                write!(f, ": its captures are of {others}")
            }
            Self::AddressesOnly(path) => write!(
                f,
                "{}: an index of captures has addresses only: give --new-tree or --redirects to \
                 check where they lead",
                path.display()
            ),
            Self::NothingChecked(reason) => write!(f, "nothing was checked: {reason}"),
        }
    }
}

impl error::Error for MoveError {
    fn source(&self) -> Option<&(dyn error::Error + 'static)> {
        match self {
            Self::Prefix(source) => Some(source),
            Self::Unreadable { source, .. } => Some(source),
            Self::Rules(source) => Some(source),
            Self::Reports(source) => Some(source),
            Self::List { source, .. } => Some(source),
            Self::Archive { source, .. } => Some(source),
            _ => None,
        }
    }
}

impl From<PrefixError> for MoveError {
    fn from(error: PrefixError) -> Self {
        Self::Prefix(error)
    }
}

impl From<MoveError> for Refused {
    fn from(error: MoveError) -> Self {
        Self(error.to_string())
    }
}
