//! What containers yield: pieces of an input, each read as a whole.

use std::sync::Arc;

use crate::nesting::Nesting;
use crate::package::Package;
use baseref_document::{Capture, Declaration, Note, Origin};
use baseref_text::decode::source::Markup;

/// One piece of an input that is read as a whole, in memory: a file, a message of a mailbox,
/// a record of a web archive.
#[derive(Clone, Debug)]
pub struct Entity {
    /// What it is.
    pub kind: EntityKind,
    /// The rules to read a document in it by; responses and messages declare that themselves.
    pub markup: Markup,
    /// Where it is.
    pub origin: Origin,
    /// Its bytes as stored.
    pub bytes: Vec<u8>,
    /// The offset of those bytes in the decompressed file; `None` in a split of a compressed file,
    /// where the bytes before it are not counted.
    pub offset: Option<u64>,
    /// The line in the file on which they begin, 1-based.
    pub line: u64,
    /// The charset of a document according to its container, as written.
    pub charset: Option<String>,
    /// The container's and the user's declarations about it: retrieval URLs, outermost first.
    pub declarations: Vec<Declaration>,
    /// When it was retrieved according to its container, in RFC 3339 and UTC.
    pub date: Option<Box<str>>,
    /// What was repaired on the way to it.
    pub notes: Vec<Note>,
    /// The containers around it, if it is a message: it may have files attached.
    pub nesting: Nesting,
    /// What its container says of the exchange that it comes from, if captures are asked for.
    pub capture: Option<Box<Capture>>,
    /// The package that it is a file of, if it is read as part of a site.
    pub package: Option<Arc<Package>>,
}

/// What an [`Entity`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntityKind {
    /// One HTML document.
    Html,
    /// One style sheet.
    StyleSheet,
    /// One HTML document stored verbatim in a container, so that its byte range there is reported.
    Resource,
    /// One HTTP response with an HTML document.
    Response,
    /// The header of an HTTP response without HTML: only its fields can hold links.
    Fields,
    /// Nothing to be read: a capture that holds no document.
    Capture,
    /// One message.
    Message {
        /// It is in a mailbox that quotes `From ` lines in bodies with `>`.
        unquote: bool,
    },
    /// One message as Outlook stores or sends it: a compound file, or a stream of TNEF.
    Outlook,
}

impl Entity {
    /// Whether its bytes are a whole file that is a page or style sheet, rather than a part of one.
    #[must_use]
    pub fn is_file(&self) -> bool {
        let origin = &self.origin;
        matches!(self.kind, EntityKind::Html | EntityKind::StyleSheet)
            && origin.member.is_none()
            && origin.message.is_none()
            && origin.offset.is_none()
    }

    /// A whole file that is an HTML document, with nothing declared around it.
    #[must_use]
    pub fn html(origin: Origin, bytes: Vec<u8>) -> Self {
        Self {
            kind: EntityKind::Html,
            markup: Markup::Html,
            origin,
            bytes,
            offset: Some(0),
            line: 1,
            charset: None,
            declarations: Vec::new(),
            date: None,
            notes: Vec::new(),
            nesting: Nesting::default(),
            capture: None,
            package: None,
        }
    }

    /// A whole file that is a message, with nothing declared around it.
    #[must_use]
    pub fn message(origin: Origin, bytes: Vec<u8>) -> Self {
        Self {
            kind: EntityKind::Message { unquote: false },
            ..Self::html(origin, bytes)
        }
    }
}
