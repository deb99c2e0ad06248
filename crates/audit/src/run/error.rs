//! The error of an audit.

use std::io;
use std::path::PathBuf;

use baseref_evidence::captures::CdxError;
use baseref_evidence::link_reports::ReportError;
use baseref_files::OutputError;
use baseref_findings::SinkError;
use baseref_findings::nearest::did_you_mean;
use baseref_server::table;
use baseref_site::hosting::Folder;
use baseref_site::map::AddressError;
use baseref_unwrap::CustomError;
use baseref_walk::PatternError;

/// Why an audit cannot be planned or run.
#[derive(Debug, thiserror::Error)]
pub enum AuditError {
    /// No hosting preset has this name.
    #[error("no hosting `{}`{}; there are {}", .0, did_you_mean(.0, table::hosting_names()), hostings())]
    Hosting(String),
    /// The value of `dir` is unknown.
    #[error("dir: `{}` is not one of {}{}", .0, DIRS.join(", "), did_you_mean(.0, [DIRS[0], DIRS[1]]))]
    Dir(String),
    /// The value of `case` is unknown.
    #[error("case: `{}` is not one of sensitive, insensitive{}", .0, did_you_mean(.0, ["sensitive", "insensitive"]))]
    Case(String),
    /// A URL is given for a directory, whose files have a URL each.
    #[error(
        "-u: {path} is a directory, whose files have a URL each: give it with --url-map {path}=URL",
        path = .0.display()
    )]
    UrlOfDirectory(PathBuf),
    /// A glob for documents is malformed.
    #[error("--glob: {0}")]
    Glob(#[source] PatternError),
    /// The results of link checkers cannot be used.
    #[error(transparent)]
    LinkReports(ReportError),
    /// A capture index cannot be used.
    #[error("--cdx: {}: {source}", .path.display())]
    Cdx {
        /// Its path.
        path: PathBuf,
        /// The cause.
        source: CdxError,
    },
    /// A configured wrapper is invalid.
    #[error(transparent)]
    Wrapper(CustomError),
    /// A directory cannot be listed.
    #[error("{}: {source}", .directory.display())]
    Listing {
        /// The directory.
        directory: PathBuf,
        /// The cause.
        source: io::Error,
    },
    /// The log of a mirror cannot be read.
    #[error("--url-map {}: {source}", .directory.display())]
    MirrorLog {
        /// The directory of the mirror.
        directory: PathBuf,
        /// The cause.
        source: io::Error,
    },
    /// A map has another form.
    #[error("--url-map {map}: write it {form}")]
    MapForm {
        /// The map.
        map: String,
        /// The form that it should have.
        form: String,
    },
    /// A map has the URL before the directory.
    #[error("--url-map {map}: the directory comes first: --url-map {swapped}")]
    MapOrder {
        /// The map.
        map: String,
        /// The map in the right order.
        swapped: String,
    },
    /// A directory is mapped as a mirror, but has no folder of a host.
    #[error(
        "--url-map {map}: no folder in it is named like a host{}",
        .instead.as_ref().map_or_else(String::new, |map| format!("; did you mean --url-map {map}?"))
    )]
    NoHosts {
        /// The map.
        map: String,
        /// The map of the directory that has the folders of hosts, if one is near.
        instead: Option<String>,
    },
    /// A map is for a directory that overlaps another mapped one.
    #[error("--url-map {map}: {} is already mapped", .other.display())]
    MappedTwice {
        /// The map.
        map: String,
        /// The other directory.
        other: PathBuf,
    },
    /// A map has an invalid address.
    #[error("--url-map {map}: {source}")]
    MapAddress {
        /// The map, or its directory.
        map: String,
        /// The cause.
        source: AddressError,
    },
    /// An alias is not of the form `URL=URL`.
    #[error("--url-alias {0}: write it URL=URL")]
    AliasForm(String),
    /// An alias cannot be used.
    #[error("--url-alias {alias}: {source}")]
    Alias {
        /// The alias.
        alias: String,
        /// The cause.
        source: AddressError,
    },
    /// An output is among the documents.
    #[error(transparent)]
    Output(#[from] OutputError),
    /// No document was found; the reasons in words.
    #[error("{0}")]
    NoDocuments(String),
    /// The sink cannot continue.
    #[error(transparent)]
    Sink(#[from] SinkError),
}

/// The values of `dir`.
const DIRS: [&str; 3] = [
    Folder::Redirect.as_str(),
    Folder::Serve.as_str(),
    Folder::NotFound.as_str(),
];

fn hostings() -> String {
    table::hosting_names().collect::<Vec<_>>().join(", ")
}
