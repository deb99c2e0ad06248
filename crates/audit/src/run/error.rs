//! The error of an audit.

use std::path::PathBuf;
use std::{error, fmt, io};

use baseref_evidence::captures::CdxError;
use baseref_evidence::link_reports::ReportError;
use baseref_files::OutputConflict;
use baseref_findings::Refused;
use baseref_findings::nearest::did_you_mean;
use baseref_server::table;
use baseref_site::hosting::Folder;
use baseref_site::map::AddressError;
use baseref_unwrap::CustomError;
use baseref_walk::PatternError;

/// Why an audit cannot be planned or run.
#[derive(Debug)]
pub enum AuditError {
    /// There is no hosting preset of this name.
    Hosting(String),
    /// The value of `dir` is unknown.
    Dir(String),
    /// The value of `case` is unknown.
    Case(String),
    /// A URL is given for a directory, whose files have a URL each.
    UrlOfDirectory(PathBuf),
    /// A glob for documents is malformed.
    Glob(PatternError),
    /// The results of link checkers cannot be used.
    LinkReports(ReportError),
    /// A capture index cannot be used.
    Cdx {
        /// Its path.
        path: PathBuf,
        /// The cause.
        source: CdxError,
    },
    /// A configured wrapper is invalid.
    Wrapper(CustomError),
    /// A directory cannot be listed.
    Listing {
        /// The directory.
        directory: PathBuf,
        /// The cause.
        source: io::Error,
    },
    /// The log of a mirror cannot be read.
    MirrorLog {
        /// The directory of the mirror.
        directory: PathBuf,
        /// The cause.
        source: io::Error,
    },
    /// A map has another form.
    MapForm {
        /// The map.
        map: String,
        /// The form that it should have.
        form: String,
    },
    /// A map has the URL before the directory.
    MapOrder {
        /// The map.
        map: String,
        /// The map in the right order.
        swapped: String,
    },
    /// A map is for a directory that overlaps another mapped one.
    MappedTwice {
        /// The map.
        map: String,
        /// The other directory.
        other: PathBuf,
    },
    /// A map has an invalid address.
    MapAddress {
        /// The map, or its directory.
        map: String,
        /// The cause.
        source: AddressError,
    },
    /// An alias is not of the form `URL=URL`.
    AliasForm(String),
    /// An alias cannot be used.
    Alias {
        /// The alias.
        alias: String,
        /// The cause.
        source: AddressError,
    },
    /// An output is among the documents.
    OutputConflict(OutputConflict),
    /// There are no documents; the reasons in words.
    NoDocuments(String),
    /// The sink cannot continue.
    Sink(Refused),
}

impl fmt::Display for AuditError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Hosting(name) => {
                let all: Vec<&str> = table::hosting_names().collect();
                let meant = did_you_mean(name, table::hosting_names());
                write!(
                    f,
                    "no hosting `{name}`{meant}; there are {}",
                    all.join(", ")
                )
            }
            Self::Dir(name) => {
                let all = [Folder::Redirect, Folder::Serve, Folder::NotFound].map(Folder::as_str);
                let meant = did_you_mean(name, [all[0], all[1]]);
                write!(f, "dir: `{name}` is not one of {}{meant}", all.join(", "))
            }
            Self::Case(name) => {
                let meant = did_you_mean(name, ["sensitive", "insensitive"]);
                write!(
                    f,
                    "case: `{name}` is not one of sensitive, insensitive{meant}"
                )
            }
            Self::UrlOfDirectory(directory) => write!(
                f,
                "-u: {0} is a directory, whose files have a URL each: give it with --url-map \
                 {0}=URL",
                directory.display()
            ),
            Self::Glob(source) => write!(f, "--glob: {source}"),
            Self::LinkReports(source) => source.fmt(f),
            Self::Cdx { path, source } => write!(f, "--cdx: {}: {source}", path.display()),
            Self::Wrapper(source) => source.fmt(f),
            Self::Listing { directory, source } => {
                write!(f, "{}: {source}", directory.display())
            }
            Self::MirrorLog { directory, source } => {
                write!(f, "--url-map {}: {source}", directory.display())
            }
            Self::MapForm { map, form } => write!(f, "--url-map {map}: write it {form}"),
            Self::MapOrder { map, swapped } => write!(
                f,
                "--url-map {map}: the directory comes first: --url-map {swapped}"
            ),
            Self::MappedTwice { map, other } => {
                write!(f, "--url-map {map}: {} is already mapped", other.display())
            }
            Self::MapAddress { map, source } => write!(f, "--url-map {map}: {source}"),
            Self::AliasForm(alias) => write!(f, "--url-alias {alias}: write it URL=URL"),
            Self::Alias { alias, source } => write!(f, "--url-alias {alias}: {source}"),
            Self::OutputConflict(clash) => clash.fmt(f),
            Self::NoDocuments(reasons) => f.write_str(reasons),
            Self::Sink(Refused(reason)) => f.write_str(reason),
        }
    }
}

impl error::Error for AuditError {
    fn source(&self) -> Option<&(dyn error::Error + 'static)> {
        match self {
            Self::Glob(source) => Some(source),
            Self::LinkReports(source) => Some(source),
            Self::Cdx { source, .. } => Some(source),
            Self::Wrapper(source) => Some(source),
            Self::Listing { source, .. } | Self::MirrorLog { source, .. } => Some(source),
            Self::MapAddress { source, .. } | Self::Alias { source, .. } => Some(source),
            _ => None,
        }
    }
}

impl From<Refused> for AuditError {
    fn from(refused: Refused) -> Self {
        Self::Sink(refused)
    }
}

impl From<AuditError> for Refused {
    fn from(error: AuditError) -> Self {
        Self(error.to_string())
    }
}
