//! What containers hand over: pieces of an input, each read as a whole.

use crate::decode::source::Markup;
use crate::document::{Declaration, Note, Origin};

/// One piece of an input that is read as a whole, in memory: a file, a message of a mailbox,
/// a record of a web archive.
#[derive(Clone, Debug)]
pub struct Entity {
    /// What it is.
    pub kind: Kind,
    /// The rules by which a document in it is read; a response and a message say that themselves.
    pub markup: Markup,
    /// Where it stands.
    pub origin: Origin,
    /// Its bytes as stored.
    pub bytes: Vec<u8>,
    /// The offset of those bytes in the file, as it is without gzip; `None` in a split of a
    /// compressed file, where nobody has counted those before.
    pub offset: Option<u64>,
    /// The line in the file on which they begin, 1-based.
    pub line: u64,
    /// The charset that its container says a document is in, as written.
    pub charset: Option<String>,
    /// What its container and the user declare of it: retrieval URLs, outermost first.
    pub declarations: Vec<Declaration>,
    /// When it was retrieved, as its container says: in RFC 3339 and UTC.
    pub date: Option<Box<str>>,
    /// What was repaired on the way to it.
    pub notes: Vec<Note>,
}

/// What an [`Entity`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// One HTML document.
    Html,
    /// One style sheet.
    StyleSheet,
    /// One HTML document that stands in a container as it is, so that its place there is told.
    Resource,
    /// One HTTP response with an HTML document.
    Response,
    /// The heading of an HTTP response without HTML: there are links in its fields at most.
    Fields,
    /// One message.
    Message {
        /// It stands in a mailbox that quotes `From ` lines in bodies with `>`.
        unquote: bool,
    },
}

impl Entity {
    /// A whole file that is an HTML document, with nothing declared around it.
    #[must_use]
    pub fn html(origin: Origin, bytes: Vec<u8>) -> Self {
        Self {
            kind: Kind::Html,
            markup: Markup::Html,
            origin,
            bytes,
            offset: Some(0),
            line: 1,
            charset: None,
            declarations: Vec::new(),
            date: None,
            notes: Vec::new(),
        }
    }

    /// A whole file that is a message, with nothing declared around it.
    #[must_use]
    pub fn message(origin: Origin, bytes: Vec<u8>) -> Self {
        Self {
            kind: Kind::Message { unquote: false },
            ..Self::html(origin, bytes)
        }
    }
}
