//! The input of the readers of single documents.

use std::ops::Range;

use super::encoding::Decoded;
use baseref_document::{Declaration, Document, Note, NoteCode, Origin, Place};

/// The rules for reading markup.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Markup {
    /// The rules of HTML.
    #[default]
    Html,
    /// The rules of XML, for XHTML and SVG; a document that is not well-formed is still read, by those
    /// of HTML.
    Xml,
    /// The rules of XML, for feeds and sitemaps; what follows an error is not read.
    Feed,
}

impl Markup {
    /// The rules for a media type, in lower case without parameters; `None` if it is not read as
    /// markup.
    #[must_use]
    pub fn from_media_type(essence: &str) -> Option<Self> {
        match essence {
            "text/html" => Some(Self::Html),
            "application/xhtml+xml" | "image/svg+xml" => Some(Self::Xml),
            "application/atom+xml" | "application/rss+xml" => Some(Self::Feed),
            _ => None,
        }
    }
}

/// What is known about a document of markup before it is read.
#[derive(Clone, Debug)]
pub struct MarkupSource<'s> {
    /// The rules to read it by.
    pub markup: Markup,
    /// The document as stored; for mail, the part after transfer decoding.
    pub bytes: &'s [u8],
    /// Where it is.
    pub origin: Origin,
    /// See [`baseref_document::Document::part_byte`].
    pub part_byte: Option<Range<u64>>,
    /// The charset parameter of its media type, as written.
    pub charset: Option<&'s str>,
    /// The declarations of a base around it, outermost first.
    pub declarations: Vec<Declaration>,
}

impl<'s> MarkupSource<'s> {
    /// A document by itself: a whole file, whose media type has no charset and around which no base is
    /// declared.
    #[must_use]
    pub fn new(markup: Markup, bytes: &'s [u8], origin: Origin) -> Self {
        Self {
            markup,
            bytes,
            origin,
            part_byte: None,
            charset: None,
            declarations: Vec::new(),
        }
    }

    /// The URL that the document was retrieved from, the innermost if several are recorded.
    #[must_use]
    pub fn retrieval(&self) -> Option<&str> {
        let declarations = self.declarations.iter().rev();
        let mut urls = declarations.filter(|one| matches!(one.at, Place::Retrieval(_)));
        urls.next().map(|one| &*one.value)
    }

    /// The document with nothing read into it yet, except a note on its encoding if there is one.
    #[must_use]
    pub fn begin(self, decoded: &Decoded<'_>) -> Document {
        let mut document = Document::empty(self.origin, decoded.encoding.name());
        document.notes.extend(
            decoded
                .problem
                .as_ref()
                .map(|problem| Note::new(NoteCode::Charset, problem.clone())),
        );
        document.part_byte = self.part_byte;
        document.declarations = self.declarations;
        document
    }
}
