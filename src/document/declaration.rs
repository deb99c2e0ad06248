//! What declares a base, by the layers of RFC 1808 §3.

use std::sync::Arc;

use super::place::{Place, Retrieval};

/// A header field that can declare a base.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum BaseField {
    /// `Base` (RFC 1808 §3.1).
    Base,
    /// `Content-Base` (RFC 2110 §4.2).
    ContentBase,
    /// `Content-Location` (RFC 2557 §4.2).
    ContentLocation,
}

impl BaseField {
    /// The field's name as its specification writes it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Base => "Base",
            Self::ContentBase => "Content-Base",
            Self::ContentLocation => "Content-Location",
        }
    }
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

/// A URL offered as base, as it stands in the input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declaration {
    /// Attribute value with character references decoded; or header value as it stands,
    /// unfolded only in that the line ends before white space are gone; or URL.
    pub value: Arc<str>,
    /// Where it is declared.
    pub at: Place,
}

impl Declaration {
    /// The URL that the user says a document was retrieved from (RFC 1808 §3.3).
    #[must_use]
    pub fn retrieved_from(url: &str) -> Self {
        Self {
            value: url.into(),
            at: Place::Retrieval(Retrieval::Url),
        }
    }
}
