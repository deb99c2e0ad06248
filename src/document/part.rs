//! The parts of a message that links can name.

use std::sync::Arc;

use super::declaration::Declaration;
use super::section::Section;

/// Which part of a message a document is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartOf {
    /// The parts of the message, each behind those it stands in, in their order.
    pub parts: Arc<[Part]>,
    /// Which of them the document is, 0-based.
    pub own: usize,
}

/// A part of a message, or a message itself, with the names that links can give it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// What holds other parts together.
    pub kind: PartKind,
    /// Its MIME section; empty for the outermost message.
    pub section: Section,
    /// The part it stands in, 0-based; `None` for the outermost message.
    pub parent: Option<usize>,
    /// What its heading declares; for the outermost message, what is declared around it.
    pub declarations: Vec<Declaration>,
    /// Its Content-ID without angle brackets, if it has one.
    pub content_id: Option<String>,
}

/// What a part is, as far as names of parts go by it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PartKind {
    /// A message; its heading is that of the part in it.
    Message {
        /// Its Message-ID without angle brackets, if it has one.
        message_id: Option<String>,
    },
    /// multipart/related (RFC 2387).
    Related,
    /// Any other part.
    Other,
}

impl Part {
    /// A message of which nothing is known yet.
    #[must_use]
    pub fn message(section: Section, parent: Option<usize>) -> Self {
        Self {
            kind: PartKind::Message { message_id: None },
            section,
            parent,
            declarations: Vec::new(),
            content_id: None,
        }
    }
}
