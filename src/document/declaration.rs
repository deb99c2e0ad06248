//! What declares a base, by the layers of RFC 1808 §3.

use std::num::{NonZeroU32, NonZeroU64};
use std::sync::Arc;

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

/// Who says that a document was retrieved from a URL (RFC 1808 §3.3).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Retrieval {
    /// The user, for every input: `--url`.
    Url,
    /// The user, for every file below a directory: `--url-map`. Holds that directory.
    UrlMap(Arc<str>),
    /// The container's own record of it. Holds its name, `Snapshot-Content-Location` say.
    Record(&'static str),
    /// The program that saved it, by a mark in it or beside it: a claim.
    Mark {
        /// Which mark.
        mark: Mark,
        /// The line of a mark in the document, 1-based, in the decoded document.
        line: Option<NonZeroU32>,
    },
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

/// What declares a base, by the layers of RFC 1808 §3.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Declarer {
    /// §3.1: a `base` element with an `href`.
    Element {
        /// The line of the value, 1-based, in the decoded document.
        line: Option<NonZeroU32>,
    },
    /// §3.2: a header field of a heading around the document.
    Header {
        /// Which field.
        field: BaseField,
        /// How many headings lie between this one and the outermost one, 0 for the outermost.
        level: u32,
        /// The MIME section whose heading it is; empty for the message's own.
        section: Vec<u32>,
        /// The line of the field's name in the file, 1-based.
        line: Option<NonZeroU64>,
    },
    /// None of them: a `base` element that the browser which saved the page put into a comment.
    FormerElement {
        /// The line of the comment, 1-based, in the decoded document.
        line: Option<NonZeroU32>,
    },
    /// §3.3: the retrieval URL.
    Retrieval(Retrieval),
}

/// A URL offered as base, as it stands in the input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declaration {
    /// Attribute value with character references decoded; or header value as it stands,
    /// unfolded only in that the line ends before white space are gone; or URL.
    pub value: String,
    /// Who declares it.
    pub by: Declarer,
}

impl Declaration {
    /// The URL that the user says a document was retrieved from (RFC 1808 §3.3).
    #[must_use]
    pub fn retrieved_from(url: &str) -> Self {
        Self {
            value: url.to_owned(),
            by: Declarer::Retrieval(Retrieval::Url),
        }
    }
}
