//! Where a document was retrieved from, and who says so (RFC 1808 §3.3).

use std::fmt;
use std::sync::Arc;

use super::position::Position;

/// Who states the URL a document was retrieved from (RFC 1808 §3.3).
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Retrieval {
    /// The user, for every input: `--url`.
    Url,
    /// The user, for every file below this directory: `--url-map`.
    UrlMap(Arc<str>),
    /// The container's own record of it, by name, such as `Snapshot-Content-Location`.
    Record(&'static str),
    /// The `data:` URL that contains it. Its value is the URL up to the document.
    Data,
    /// The program that saved it, by a mark in the file or next to it: only a claim.
    Mark {
        /// Which mark.
        mark: Mark,
        /// Where it is.
        at: MarkPlace,
    },
}

/// Where a mark is.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MarkPlace {
    /// In the document: the comment, or the value of the attribute.
    Inside(Position),
    /// Next to the document's file.
    Beside,
    /// Next to a file that holds many documents: it is about the collection.
    BesideCollection,
}

/// A mark left by a program that records where a document came from. The declared value is the URL
/// as the mark has it; character references are decoded only in an attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Mark {
    /// The extended attribute `user.xdg.origin.url` of the file, as wget and curl set it.
    OriginUrl,
    /// The first URL in the file's extended attribute `com.apple.metadata:kMDItemWhereFroms`.
    WhereFroms,
    /// `HostUrl` in the stream or file `Zone.Identifier` next to the file.
    ZoneIdentifier,
    /// `SingleFile`'s comment at the beginning of the `html` element.
    SingleFile,
    /// monolith's comment at the beginning of the file.
    Monolith,
    /// `WebScrapBook`'s attribute on the `html` element.
    ScrapBook,
    /// `HTTrack`'s comment before the head.
    HtTrack,
    /// The "mark of the web" of Internet Explorer and Chrome: a comment before the `html`
    /// element.
    SavedFrom {
        /// The length of the URL in characters, according to the mark.
        length: u64,
    },
}

impl Mark {
    /// The name in reports: the attribute or the program.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::OriginUrl => "user.xdg.origin.url",
            Self::WhereFroms => "com.apple.metadata:kMDItemWhereFroms",
            Self::ZoneIdentifier => "Zone.Identifier",
            Self::SingleFile => "SingleFile",
            Self::Monolith => "monolith",
            Self::ScrapBook => "data-scrapbook-source",
            Self::HtTrack => "HTTrack",
            Self::SavedFrom { .. } => "saved from url",
        }
    }
}

impl fmt::Display for Retrieval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Url => f.write_str("--url"),
            Self::UrlMap(directory) => write!(f, "--url-map {directory}"),
            Self::Record(name) => f.write_str(name),
            Self::Data => f.write_str("data: URL"),
            Self::Mark { mark, at } => match at {
                MarkPlace::Inside(at) => write!(f, "{} line {}", mark.name(), at.line),
                MarkPlace::Beside | MarkPlace::BesideCollection => f.write_str(mark.name()),
            },
        }
    }
}
