//! What is handed to the readers of single documents.

use std::ops::Range;

use super::encoding::Decoded;
use crate::document::{Declaration, Document, Note, NoteCode, Origin};

/// The rules by which markup is read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Markup {
    /// Those of HTML.
    #[default]
    Html,
    /// Those of XML, for XHTML and SVG: a document that is not well-formed is read by those of
    /// HTML all the same.
    Xml,
}

impl Markup {
    /// The rules for a media type without its parameters, in lower case; `None` if it is none of
    /// documents that are read.
    #[must_use]
    pub fn of_media_type(essence: &str) -> Option<Self> {
        match essence {
            "text/html" => Some(Self::Html),
            "application/xhtml+xml" | "image/svg+xml" => Some(Self::Xml),
            _ => None,
        }
    }
}

/// What is known of an HTML document before it is read.
#[derive(Clone, Debug)]
pub struct Source<'s> {
    /// The rules by which it is read.
    pub markup: Markup,
    /// The document as stored; for mail the part with its transfer encoding decoded.
    pub bytes: &'s [u8],
    /// Where it stands.
    pub origin: Origin,
    /// See [`crate::document::Document::part_byte`].
    pub part_byte: Option<Range<u64>>,
    /// The charset parameter of its media type, as written.
    pub charset: Option<&'s str>,
    /// What declares a base around it, outermost first.
    pub declarations: Vec<Declaration>,
}

impl Source<'_> {
    /// Its document, with nothing read of it yet but what is to be noted of its encoding.
    pub(crate) fn begin(self, decoded: &Decoded<'_>) -> Document {
        let mut document = Document::empty(self.origin, decoded.encoding.name());
        document
            .notes
            .extend(decoded.problem.as_ref().map(|problem| Note {
                code: NoteCode::Charset,
                detail: problem.clone(),
                line: None,
            }));
        document.part_byte = self.part_byte;
        document.declarations = self.declarations;
        document
    }
}
