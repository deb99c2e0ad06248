//! What else is to be known of a document and of the way it was read.

use std::num::NonZeroU32;

/// A fact about a document that its user may want to know; its code never changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// Which fact.
    pub code: NoteCode,
    /// The particulars, in words.
    pub detail: String,
    /// The line it is about, 1-based, in the decoded document.
    pub line: Option<NonZeroU32>,
}

macro_rules! note_codes {
    ($($(#[$doc:meta])* $name:ident = $code:literal,)*) => {
        /// The kinds of [`Note`].
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum NoteCode {
            $($(#[$doc])* $name,)*
        }

        impl NoteCode {
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
    /// A limit of [`crate::options::Limits`] was met: the depth of the tree.
    TreeDepth = "tree-depth",
    /// A limit was met: the work that misnested formatting elements make.
    TreeWork = "tree-work",
    /// A limit was met: the depth of `srcdoc` documents.
    SrcdocDepth = "srcdoc-depth",
    /// A limit was met: the length of an attribute value.
    AttributeSize = "attribute-size",
    /// A limit was met: the length of a link's text.
    TextSize = "text-size",
    /// The text of a script is to be JSON and is none: it has no links.
    JsonInvalid = "json-invalid",
    /// A document of XHTML or SVG is not well-formed XML: it was read by the rules of HTML.
    XmlInvalid = "xml-invalid",
    /// A reference to an entity that holds markup, or stands in another file: it was not read.
    EntityUnread = "entity-unread",
    /// A limit was met: the depth of MIME parts.
    MimeDepth = "mime-depth",
    /// A limit was met: the number of MIME parts.
    MimeParts = "mime-parts",
    /// A limit was met: the size of a heading.
    HeadingSize = "heading-size",
    /// A limit was met: the number of links for the size of the document.
    LinkCount = "link-count",
    /// A limit was met: the number of `base` elements.
    BaseCount = "base-count",
    /// A limit was met: the length of a base, or of what is listed of others.
    BaseSize = "base-size",
    /// A declaration of a base was not taken.
    BaseIgnored = "base-ignored",
    /// A relative base was resolved against the layers outside it.
    BaseRelative = "base-relative",
    /// A header value was read in a form that its specification does not have.
    BaseForm = "base-form",
    /// More than one declaration in one place; the first usable one counts.
    BaseRepeated = "base-repeated",
    /// A multipart does not end with its closing boundary.
    BoundaryUnclosed = "boundary-unclosed",
    /// A multipart or a message in a message is transfer-encoded, or says so wrongly; RFC 2045
    /// §6.4 allows neither.
    CompositeEncoded = "composite-encoded",
    /// A link names a part of its message by a `cid:` that no part has.
    CidUnresolved = "cid-unresolved",
    /// A charset label names no encoding, or the bytes are malformed in the encoding that it
    /// names.
    Charset = "charset",
    /// Lines of a heading that are no header fields were skipped.
    HeadingLines = "heading-lines",
    /// A body is not in the transfer encoding that its heading says, or that one is not known:
    /// it was read as it stands.
    EncodingWrong = "encoding-wrong",
    /// Bytes of a transfer-encoded body that its encoding does not have were skipped or kept, or
    /// its padding is missing.
    EncodingStrays = "encoding-strays",
    /// A record is shorter than its length says, and the next one begins behind it.
    RecordLength = "record-length",
    /// What was unpacked does not have the checksum that was stored with it.
    Checksum = "checksum",
    /// What a container says of a document is malformed; it was read as far as it goes.
    RecordMalformed = "record-malformed",
}

impl NoteCode {
    /// Whether links may be missing from the document: something was not read. Whatever else
    /// is noted was read all the same.
    #[must_use]
    pub fn is_loss(self) -> bool {
        matches!(
            self,
            Self::MimeDepth
                | Self::MimeParts
                | Self::SrcdocDepth
                | Self::HeadingSize
                | Self::AttributeSize
                | Self::EntityUnread
        )
    }
}

macro_rules! reasons {
    ($($(#[$doc:meta])* $name:ident = $code:literal,)*) => {
        /// Why the order of a document's tags was not taken for the order of its tree.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Fallback {
            $($(#[$doc])* $name,)*
        }

        impl Fallback {
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
    /// A link or what is wanted of its text goes before a table that has links in it or that
    /// stands in a link.
    FosterParenting = "foster-parenting",
    /// Text in a table that stands in a link goes before the table.
    TextInTable = "text-in-table",
    /// A link that a block is open in is closed, and is cloned inside the block.
    AnchorAroundBlock = "anchor-around-block",
    /// A link is closed while an element in it stays open.
    AnchorRemoved = "anchor-removed",
    /// A frameset may take the place of the body.
    Frameset = "frameset",
    /// A second `html` tag adds its attributes to the first.
    SecondHtml = "second-html",
    /// A second `body` tag adds its attributes to the first.
    SecondBody = "second-body",
    /// A name holds U+0000.
    NullInName = "null-in-name",
    /// Many elements are open.
    Depth = "depth",
    /// Many formatting elements, or long ones, are to be compared.
    FormattingLength = "formatting-length",
    /// The document has 4 GiB or more.
    Length = "length",
}

/// The way a document's links were found; all give the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reading {
    /// In the order of the tags, which was seen to be the order of the tree.
    Tags,
    /// By building the tree, for that reason.
    Tree(Fallback),
    /// By the rules of XML.
    Xml,
}
