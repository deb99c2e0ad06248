//! What is handed to the readers of single documents.

use std::ops::Range;

use super::encoding::Decoded;
use crate::document::{Declaration, Document, Note, NoteCode, Origin};

/// What is known of an HTML document before it is read.
#[derive(Clone, Debug)]
pub struct Source<'s> {
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
