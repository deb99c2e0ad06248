//! What is handed to the readers of single documents.

use std::ops::Range;

use super::encoding::Decoded;
use crate::document::{Declaration, Document, Origin};
use crate::error::{Found, ReadError, ReadErrorKind};

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
    /// Its document, with nothing read of it yet. Hands over what is wrong with its encoding, if
    /// anything is.
    pub(crate) fn begin(self, decoded: &Decoded<'_>, found: &mut dyn FnMut(Found)) -> Document {
        if let Some(reason) = &decoded.problem {
            found(Err(ReadError::new(
                ReadErrorKind::Repaired,
                self.origin.clone(),
                reason.clone(),
            )));
        }
        let mut document = Document::empty(self.origin, decoded.encoding.name());
        document.part_byte = self.part_byte;
        document.declarations = self.declarations;
        document
    }
}
