//! The errors of a move that cannot be checked.

use std::io;
use std::path::PathBuf;

use crate::old_urls::ListError;
use baseref_document::ReadError;
use baseref_evidence::link_reports::ReportError;
use baseref_files::OutputError;
use baseref_findings::SinkError;
use baseref_server::rule_set::RuleSetError;
use baseref_site::moves::PrefixError;

/// Why a move cannot be checked.
#[derive(Debug, thiserror::Error)]
pub enum MoveError {
    /// The argument is not of the form `OLD=NEW`.
    #[error("{0:?} is not of the form OLD=NEW")]
    PairArgument(String),
    /// The URLs of the old and the new site cannot be used.
    #[error(transparent)]
    Prefix(#[from] PrefixError),
    /// The site stays at this URL and is not rebuilt.
    #[error(
        "--from and --to are both {0}: nothing moves; give --new-tree or --redirects to check a \
         site that was rebuilt in its place"
    )]
    NothingMoves(String),
    /// A file or folder cannot be read.
    #[error("{}: {source}", .path.display())]
    Unreadable {
        /// The file or folder.
        path: PathBuf,
        /// The cause.
        source: io::Error,
    },
    /// The folder contains no files.
    #[error("nothing was checked: there is no page in {}", .0.display())]
    EmptyFolder(PathBuf),
    /// The rules cannot be read.
    #[error(transparent)]
    Rules(RuleSetError),
    /// The reports of link checkers cannot be read.
    #[error(transparent)]
    Reports(ReportError),
    /// A list of old addresses is malformed.
    #[error("{}: {source}", .path.display())]
    List {
        /// The list.
        path: PathBuf,
        /// The cause.
        source: ListError,
    },
    /// The old site is standard input, which cannot be read twice.
    #[error("-: the old site is read twice, and standard input comes once")]
    StandardInput,
    /// The archive of the old site cannot be opened.
    #[error("{}: {}", .path.display(), .source.reason)]
    Archive {
        /// The archive.
        path: PathBuf,
        /// The cause.
        source: Box<ReadError>,
    },
    /// The old site is a ZIM file.
    #[error(
        "{}: a ZIM file is not the files of a server: unpack it with `zimdump dump`, and give the \
         folder",
        .0.display()
    )]
    Zim(PathBuf),
    /// The file contains no site.
    #[error("{}: no site is in it: {}", .path.display(), kinds(index_fault.as_deref()))]
    NoSite {
        /// The file.
        path: PathBuf,
        /// Why it is not an index of captures, if it is named like one.
        index_fault: Option<String>,
    },
    /// The old site does not say its URL.
    #[error("--from is missing: give the URL at which {} is served now", .0.display())]
    NoUrl(PathBuf),
    /// No page was captured.
    #[error("{}: no page was captured", .0.display())]
    NoCapture(PathBuf),
    /// The captured pages are of several hosts.
    #[error("--from is missing: the pages of {} are of {hosts} hosts: {origins}", .path.display())]
    SeveralHosts {
        /// The archive or index.
        path: PathBuf,
        /// The number of hosts.
        hosts: usize,
        /// The origins with the numbers of their captures, in words.
        origins: String,
    },
    /// The archive or index has no page below the old URL.
    #[error("{}: no page of the old site is in it{}", .path.display(), captured(others))]
    NoOldPage {
        /// The archive or index.
        path: PathBuf,
        /// The other sites with the numbers of their captures, in words; empty if there are none.
        others: String,
    },
    /// An index of captures has only addresses, and the request needs pages.
    #[error(
        "{}: an index of captures has addresses only: give --new-tree or --redirects to check \
         where they lead",
        .0.display()
    )]
    AddressesOnly(PathBuf),
    /// There was nothing to check, for this reason.
    #[error("nothing was checked: {0}")]
    NothingChecked(String),
    /// An output is among the documents.
    #[error(transparent)]
    Output(#[from] OutputError),
    /// The sink cannot continue.
    #[error(transparent)]
    Sink(#[from] SinkError),
}

fn kinds(index_fault: Option<&str>) -> String {
    match index_fault {
        Some(line) => format!("as an index of captures, {line}"),
        None => "the old site is a folder, an archive (WARC, WACZ, ARC, HAR, zip, EPUB) or an \
                 index of captures (CDX, CDXJ)"
            .to_owned(),
    }
}

fn captured(others: &str) -> String {
    if others.is_empty() {
        return String::new();
    }
    format!(": its captures are of {others}")
}
