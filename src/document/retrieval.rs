//! Where a document was retrieved from, and who says so (RFC 1808 §3.3).

use std::sync::Arc;

use super::position::Position;

/// Who says that a document was retrieved from a URL (RFC 1808 §3.3).
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Retrieval {
    /// The user, for every input: `--url`.
    Url,
    /// The user, for every file below a directory: `--url-map`. Holds that directory.
    UrlMap(Arc<str>),
    /// The container's own record of it. Holds its name, `Snapshot-Content-Location` say.
    Record(&'static str),
    /// The `data:` URL that it stands in. Its value is the URL up to the document.
    Data,
    /// The program that saved it, by a mark in it or beside it: a claim.
    Mark {
        /// Which mark.
        mark: Mark,
        /// Where it stands.
        at: MarkPlace,
    },
}

/// Where a mark stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MarkPlace {
    /// In the document: its comment or the value of its attribute.
    Inside(Position),
    /// Beside the file that is the document.
    Beside,
    /// Beside the file that is one of many documents: it is about the collection.
    BesideCollection,
}

/// A mark that a program leaves of where a document came from. The value declared is the URL
/// as the mark has it, character references decoded in an attribute alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// The extended attribute `user.xdg.origin.url` of the file, as wget and curl set it.
    OriginUrl,
    /// The extended attribute `com.apple.metadata:kMDItemWhereFroms` of the file, the first URL.
    WhereFroms,
    /// `HostUrl` in the stream or file `Zone.Identifier` beside the file.
    ZoneIdentifier,
    /// `SingleFile`'s comment at the beginning of the `html` element.
    SingleFile,
    /// monolith's comment at the beginning of the file.
    Monolith,
    /// `WebScrapBook`'s attribute of the `html` element.
    ScrapBook,
    /// `HTTrack`'s comment before the head.
    HtTrack,
    /// The "mark of the web" of Internet Explorer and Chrome: a comment before the `html`
    /// element.
    SavedFrom {
        /// The number of characters that it says the URL has.
        length: u64,
    },
}

impl Mark {
    /// The name in reports: the attribute's, or the program's.
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
