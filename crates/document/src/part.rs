//! The parts of a message that links can name.

use std::sync::Arc;

use super::declaration::Declaration;
use super::section::Section;

/// Which part of a message a document is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartOf {
    /// The parts of the message in order, each after the part it is in.
    pub parts: Arc<[Part]>,
    /// The index of the document's own part, 0-based.
    pub own: usize,
}

/// A part of a message, or a message itself, with the names by which links can refer to it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Part {
    /// What it is among the parts.
    pub kind: PartKind,
    /// Its MIME section; empty for the outermost message.
    pub section: Section,
    /// The index of the part it is in, 0-based; `None` for the outermost message.
    pub parent: Option<usize>,
    /// The declarations in its header; for the outermost message, those around it.
    pub declarations: Vec<Declaration>,
    /// Its Content-ID without angle brackets, if it has one.
    pub content_id: Option<String>,
}

/// What a part is, as far as the naming or the comparison of parts depends on it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PartKind {
    /// A message; its header is also the header of the part in it.
    Message {
        /// Its Message-ID without angle brackets, if it has one.
        message_id: Option<String>,
    },
    /// multipart/related (RFC 2387).
    Related,
    /// multipart/alternative (RFC 2046 §5.1.4).
    Alternative,
    /// Any other part.
    Other,
}

impl Part {
    /// A part of which nothing else is known yet.
    #[doc(hidden)]
    #[must_use]
    pub fn new(kind: PartKind, section: Section, parent: Option<usize>) -> Self {
        Self {
            kind,
            section,
            parent,
            declarations: Vec::new(),
            content_id: None,
        }
    }
}
