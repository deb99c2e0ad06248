//! Notes: what a user may want to know about a document and how it was read.

use std::num::NonZeroU32;

/// A fact about a document that the user may want to know. Codes never change.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Note {
    /// Which fact.
    pub code: NoteCode,
    /// The particulars, in words.
    pub detail: String,
    /// The line it is about, 1-based, in the decoded document.
    pub line: Option<NonZeroU32>,
}

impl Note {
    /// A note about the whole document.
    #[doc(hidden)]
    #[must_use]
    pub fn new(code: NoteCode, detail: impl Into<String>) -> Self {
        Self {
            code,
            detail: detail.into(),
            line: None,
        }
    }

    #[doc(hidden)]
    #[must_use]
    pub fn at_line(self, line: Option<NonZeroU32>) -> Self {
        Self { line, ..self }
    }
}

macro_rules! note_codes {
    ($($(#[$doc:meta])* $name:ident = $code:literal,)*) => {
        /// The kinds of [`Note`].
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum NoteCode {
            $($(#[$doc])* $name,)*
        }

        impl NoteCode {
            /// Every code.
            pub const ALL: &'static [Self] = &[$(Self::$name,)*];

            /// The name in reports, kebab-case.
            #[must_use]
            pub fn as_str(self) -> &'static str {
                match self {
                    $(Self::$name => $code,)*
                }
            }
        }
    };
}

note_codes! {
    /// A limit of [`crate::Limits`] was hit: the depth of the tree.
    TreeDepth = "tree-depth",
    /// A limit was hit: the work caused by misnested formatting elements.
    TreeWork = "tree-work",
    /// A limit was hit: the depth of `srcdoc` documents.
    SrcdocDepth = "srcdoc-depth",
    /// A limit was hit: the length of an attribute value.
    AttributeSize = "attribute-size",
    /// A limit was hit: the length of a link's text.
    TextSize = "text-size",
    /// The text of a script should be JSON but is not: it yields no links.
    JsonInvalid = "json-invalid",
    /// An XHTML or SVG document is not well-formed XML: it was read by the rules of HTML.
    XmlInvalid = "xml-invalid",
    /// A feed or sitemap is not well-formed XML from some place on, and is read only up to there.
    FeedInvalid = "feed-invalid",
    /// A reference to an XML entity that contains markup or is external was not expanded.
    EntityUnread = "entity-unread",
    /// A limit was hit: the depth of MIME parts.
    MimeDepth = "mime-depth",
    /// A limit was hit: the number of MIME parts.
    MimeParts = "mime-parts",
    /// A limit was hit: the size of a header.
    HeadingSize = "heading-size",
    /// A limit was hit: the number of links for the size of the document.
    LinkCount = "link-count",
    /// A limit was hit: the length of the URLs of all links and their bases.
    UrlSize = "url-size",
    /// A limit was hit: the number of `base` elements.
    BaseCount = "base-count",
    /// A limit was hit: the length of a base, or of the URLs listed for others.
    BaseSize = "base-size",
    /// A declaration of a base was ignored.
    BaseIgnored = "base-ignored",
    /// A relative base was resolved against the layers outside it.
    BaseRelative = "base-relative",
    /// A declaration was read in a form that its specification does not allow.
    BaseForm = "base-form",
    /// More than one declaration in one place; the first usable one wins.
    BaseRepeated = "base-repeated",
    /// A multipart does not end with its closing boundary.
    BoundaryUnclosed = "boundary-unclosed",
    /// A multipart or embedded message is transfer-encoded, or wrongly claims to be; RFC 2045 §6.4
    /// allows neither.
    CompositeEncoded = "composite-encoded",
    /// A link's `cid:` URL matches no part of its message.
    CidUnresolved = "cid-unresolved",
    /// A charset label names no encoding, or the bytes are malformed in the encoding it names.
    Charset = "charset",
    /// Lines of a header that are not header fields were skipped, or read as parameters of the
    /// field before them.
    HeadingLines = "heading-lines",
    /// A body is not in the transfer encoding its header declares, or that encoding is unknown: it
    /// was read undecoded.
    EncodingWrong = "encoding-wrong",
    /// A transfer-encoded body has bytes outside its encoding, which were skipped or kept, or has no
    /// padding.
    EncodingStrays = "encoding-strays",
    /// A record is shorter than its declared length, and the next one follows it: bytes are missing.
    RecordLength = "record-length",
    /// Data does not match its stored checksum or digest: some of it may be wrong.
    Checksum = "checksum",
    /// A container's data about a document is malformed; it was read as far as possible.
    RecordMalformed = "record-malformed",
    /// A file attached to a message is not stored with it.
    AttachmentAbsent = "attachment-absent",
}

impl NoteCode {
    /// Whether links may be missing from the document because something was not read, or was read
    /// but is damaged.
    #[must_use]
    pub fn is_loss(self) -> bool {
        matches!(
            self,
            Self::MimeDepth
                | Self::MimeParts
                | Self::SrcdocDepth
                | Self::HeadingSize
                | Self::LinkCount
                | Self::AttributeSize
                | Self::EntityUnread
                | Self::UrlSize
                | Self::FeedInvalid
                | Self::RecordLength
                | Self::Checksum
        )
    }
}

macro_rules! reasons {
    ($($(#[$doc:meta])* $name:ident = $code:literal,)*) => {
        /// Why a document's tags could not be assumed to be in tree order.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum Fallback {
            $($(#[$doc])* $name,)*
        }

        impl Fallback {
            /// Every reason.
            pub const ALL: &'static [Self] = &[$(Self::$name,)*];

            /// The name in reports, kebab-case.
            #[must_use]
            pub fn as_str(self) -> &'static str {
                match self {
                    $(Self::$name => $code,)*
                }
            }
        }
    };
}

reasons! {
    /// A link or its wanted text is moved before a table that contains links or is inside one.
    FosterParenting = "foster-parenting",
    /// Text in a table that is inside a link is moved before the table.
    TextInTable = "text-in-table",
    /// A link is closed while a block inside it is open, and is cloned inside the block.
    AnchorAroundBlock = "anchor-around-block",
    /// A link is removed from the open elements while an element inside it stays open.
    AnchorRemoved = "anchor-removed",
    /// A frameset may replace the body.
    Frameset = "frameset",
    /// A second `html` tag adds its attributes to the first.
    SecondHtml = "second-html",
    /// A second `body` tag adds its attributes to the first.
    SecondBody = "second-body",
    /// An element in a `select` shows a copy of the chosen option.
    SelectedContent = "selected-content",
    /// A name holds U+0000.
    NullInName = "null-in-name",
    /// Too many elements are open.
    Depth = "depth",
    /// Too many formatting elements, or too long ones, would have to be compared.
    FormattingLength = "formatting-length",
    /// The document is 4 GiB or larger.
    Length = "length",
}

/// How a document's links were found; the result is the same either way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reading {
    /// In the order of the tags, which was verified to be tree order.
    Tags,
    /// By building the tree, for this reason.
    Tree(Fallback),
    /// By the rules of XML.
    Xml,
}
