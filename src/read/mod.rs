//! Bytes to entities to documents: one file for each format.
//!
//! A reader reports what stands in its input and decides nothing.

mod arc;
mod archive;
pub mod beside;
pub mod detect;
mod emlx;
mod gzip;
mod http;
pub mod input;
pub(crate) mod line;
mod maff;
pub mod mail;
pub mod maildir;
pub mod mbox;
pub(crate) mod style_sheet;
pub(crate) mod text;
pub mod transfer;
mod warc;
mod webarchive;
mod window;

use std::fmt;

use crate::document::{Declaration, Document, Origin};
use crate::html;
use crate::slots::Classes;

/// One piece of an input that is read as a whole, in memory: a file, a message of a mailbox,
/// a record of a web archive.
#[derive(Clone, Debug)]
pub struct Entity {
    /// What it is.
    pub kind: Kind,
    /// Where it stands.
    pub origin: Origin,
    /// Its bytes as stored.
    pub bytes: Vec<u8>,
    /// The offset of those bytes in the file, as it is without gzip.
    pub offset: u64,
    /// The line in the file on which they begin, 1-based.
    pub line: u64,
    /// The charset that its container says a document is in, as written.
    pub charset: Option<String>,
    /// What its container and the user declare of it: retrieval URLs, outermost first.
    pub declarations: Vec<Declaration>,
}

/// What an [`Entity`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// One HTML document.
    Html,
    /// One HTML document that stands in a container as it is, so that its place there is told.
    Resource,
    /// One HTTP response with an HTML document.
    Response,
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
            origin,
            bytes,
            offset: 0,
            line: 1,
            charset: None,
            declarations: Vec::new(),
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

/// Reads the documents of an entity, in document order, and what cannot be read between them.
pub fn documents(entity: Entity, options: &ReadOptions, found: &mut dyn FnMut(Found)) {
    match entity.kind {
        Kind::Html | Kind::Resource => html::read(
            html::Source {
                bytes: &entity.bytes,
                origin: entity.origin,
                part_byte: (entity.kind == Kind::Resource)
                    .then(|| entity.offset..entity.offset + entity.bytes.len() as u64),
                charset: entity.charset.as_deref(),
                declarations: entity.declarations,
            },
            options,
            found,
        ),
        Kind::Response => http::documents(entity, options, found),
        Kind::Message { unquote } => mail::documents(
            mail::Message {
                bytes: &entity.bytes,
                origin: entity.origin,
                offset: entity.offset,
                line: entity.line,
                unquote,
                declarations: entity.declarations,
            },
            options,
            found,
        ),
    }
}

/// What cannot be read is told with its place and reason; the rest goes on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadError {
    /// The input, message or part it is about.
    pub origin: Origin,
    /// The line in the file, 1-based, where that helps to find it.
    pub line: Option<u64>,
    /// What is wrong, in words, without control characters.
    pub reason: String,
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.origin)?;
        if let Some(line) = self.line {
            write!(f, ":{line}")?;
        }
        write!(f, ": {}", self.reason)
    }
}

impl std::error::Error for ReadError {}

/// What a reader finds: a document, or something that it could not read. A damaged part
/// that still gives a document gives both, the error first.
pub type Found = Result<Document, ReadError>;

/// How far a reader goes into one input before it stops and says so with a note.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Open elements of an HTML tree.
    pub tree_depth: usize,
    /// Work of the tree builder, in elements that it looks at, for each byte of a document.
    pub tree_work: u64,
    /// Nested MIME parts, `message/rfc822` included.
    pub mime_depth: usize,
    /// MIME parts of one message.
    pub parts: usize,
    /// Bytes of one message of a mailbox, of one record or member of an archive, or of what is
    /// compressed; a larger one is skipped.
    pub message: usize,
    /// Bytes of one heading (the header fields of a message, part, record or response).
    pub heading: usize,
    /// Bytes of one attribute value that holds URLs.
    pub attribute: usize,
    /// Bytes of the text of one link, before its white space is collapsed.
    pub text: usize,
    /// Nested `iframe srcdoc` documents.
    pub srcdoc_depth: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            tree_depth: 2_048,
            tree_work: 128,
            mime_depth: 50,
            parts: 10_000,
            message: 512 * 1024 * 1024,
            heading: 256 * 1024,
            attribute: 8 * 1024 * 1024,
            text: 64 * 1024,
            srcdoc_depth: 8,
        }
    }
}

/// What is wanted of an input.
#[derive(Clone, Debug)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is wanted or not, whatever the others are"
)]
pub struct ReadOptions {
    /// The links to report.
    pub classes: Classes,
    /// Whether the text of anchors is wanted.
    pub text: bool,
    /// Whether positions (line, column, byte) of references are wanted.
    pub positions: bool,
    /// Whether the marks of where a page was saved from are wanted ([`crate::document::Mark`]),
    /// and the `base` elements that browsers put into comments.
    pub marks: bool,
    /// Whether the links in conditional comments are wanted as well.
    pub comments: bool,
    /// The encoding the user says the documents are in: an Encoding Standard label.
    pub encoding: Option<&'static encoding_rs::Encoding>,
    /// How far to go.
    pub limits: Limits,
}

impl Default for ReadOptions {
    fn default() -> Self {
        Self {
            classes: Classes::ANCHORS,
            text: true,
            positions: true,
            marks: false,
            comments: false,
            encoding: None,
            limits: Limits::default(),
        }
    }
}
