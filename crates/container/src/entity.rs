//! Entities: the pieces of an input that are read as a whole.

use std::sync::Arc;

use crate::archives::digest::Digest;
use crate::nesting::Nesting;
use crate::package::Package;
use baseref_document::{Capture, Declaration, Note, Origin};
use baseref_text::decode::source::Markup;

/// A piece of an input that is read as a whole, in memory: a file, a message of a mailbox or a
/// record of a web archive.
#[derive(Clone, Debug)]
pub struct Entity {
    /// What it is.
    pub kind: EntityKind,
    /// The markup of a document; responses and messages declare it themselves.
    pub markup: Markup,
    /// Where it is.
    pub origin: Origin,
    /// Its bytes as stored.
    pub bytes: Vec<u8>,
    /// The offset of those bytes in the decompressed file; `None` in a split of a compressed file,
    /// where it is unknown.
    pub offset: Option<u64>,
    /// The 1-based line of the file on which they begin.
    pub line: u64,
    /// The charset of a document according to its container, as written.
    pub charset: Option<String>,
    /// The retrieval URLs that the container and the user declare, outermost first.
    pub declarations: Vec<Declaration>,
    /// When it was retrieved according to its container, in RFC 3339 and UTC.
    pub date: Option<Box<str>>,
    /// Notes on what was repaired before it could be read.
    pub notes: Vec<Note>,
    /// Whether bytes of it are missing or damaged, which an error before it says.
    pub is_damaged: bool,
    /// The digest of what a response transports, unless another checksum covers it.
    pub payload_digest: Option<Digest>,
    /// The containers around it, for the files attached to a message.
    pub nesting: Nesting,
    /// The exchange with a server that it was captured from, if captures are requested.
    pub capture: Option<Box<Capture>>,
    /// The package to which it belongs, if it is read as part of a site.
    pub package: Option<Arc<Package>>,
    /// The name of the file beside a HAR that has its body, until that is read.
    pub stored_body: Option<Box<str>>,
    /// The message of an Outlook store, which has no bytes of its own.
    #[cfg(feature = "archives")]
    pub stored_message: Option<Box<baseref_outlook::Message>>,
}

/// The kind of an [`Entity`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntityKind {
    /// One HTML document.
    Html,
    /// One style sheet.
    StyleSheet,
    /// One HTML document stored verbatim in a container; its byte range there is reported.
    Resource,
    /// One HTTP response with an HTML document.
    Response,
    /// The header of an HTTP response without HTML, whose fields can hold links.
    Fields,
    /// A capture without a document; there is nothing to read.
    Capture,
    /// One message.
    Message {
        /// Whether it is in a mailbox, where body lines that begin with `From ` are quoted with
        /// `>`.
        unquote: bool,
    },
    /// One message as Outlook stores or sends it: a compound file, a TNEF stream, or
    /// [`Entity::stored_message`].
    Outlook,
}

impl Entity {
    /// Whether it is a whole file that is a page or style sheet.
    #[must_use]
    pub fn is_file(&self) -> bool {
        let origin = &self.origin;
        matches!(self.kind, EntityKind::Html | EntityKind::StyleSheet)
            && origin.member.is_none()
            && origin.message.is_none()
            && origin.offset.is_none()
    }

    /// A whole file that is an HTML document, without declarations.
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
            is_damaged: false,
            payload_digest: None,
            nesting: Nesting::default(),
            capture: None,
            package: None,
            stored_body: None,
            #[cfg(feature = "archives")]
            stored_message: None,
        }
    }

    /// A whole file that is a message, without declarations.
    #[must_use]
    pub fn message(origin: Origin, bytes: Vec<u8>) -> Self {
        Self {
            kind: EntityKind::Message { unquote: false },
            ..Self::html(origin, bytes)
        }
    }
}
