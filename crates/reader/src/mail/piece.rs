//! The results of the walk over the parts of a message.

use super::attachment::Attachment;
use baseref_document::{Document, Metadata, Note, ReadError, References, Section, Sink};
use baseref_html::text::plain::Layout;
use baseref_text::decode::source::MarkupSource;

/// The results of the walk over the parts.
pub(super) enum Piece<'p> {
    /// A part to read.
    Leaf {
        source: MarkupSource<'p>,
        kind: LeafKind,
        lead: Lead,
    },
    /// An attached file to be opened, and the index and data of its part.
    File {
        file: Attachment,
        part: usize,
        metadata: Metadata,
    },
    /// The links of a header whose body gives no document, and the index of its part.
    Heading(Box<Document>, usize),
    /// A part that cannot be read.
    Unread(ReadError),
}

/// Receives the pieces of a message.
pub(super) type PieceSink<'s> = dyn for<'p> Sink<Piece<'p>> + 's;

/// The kinds of parts that are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LeafKind {
    /// text/html, application/xhtml+xml: a body that a mail program shows.
    Html,
    /// The same, but attached, or a page that a browser saved as a message.
    Page,
    /// text/plain.
    Text(Layout),
    /// text/css.
    StyleSheet,
    /// text/calendar.
    Calendar,
    /// An Internet shortcut.
    Shortcut,
}

/// The links of a header. They are emitted with the document of its body, or as a document of their
/// own ([`walk_state::Walk::emit`]).
#[derive(Debug)]
#[must_use = "the links of a header must be emitted, with its body or on their own"]
pub(super) struct HeadingLinks {
    /// The section that the header belongs to.
    pub section: Section,
    pub references: References,
    /// The index of the message's part.
    pub part: usize,
    pub metadata: Metadata,
}

impl HeadingLinks {
    /// No links yet.
    pub fn new(section: &Section) -> Self {
        Self {
            section: section.clone(),
            references: References::default(),
            part: 0,
            metadata: Metadata::default(),
        }
    }
}

/// The notes and links that precede the contents of a part.
pub(super) struct Lead {
    /// Notes about the part, or about earlier content.
    pub notes: Vec<Note>,
    /// The links of its header.
    pub references: References,
    /// The index of the message's part.
    pub part: usize,
    pub metadata: Metadata,
}

impl Lead {
    /// Adds the notes and links before the contents of a document. They are moved, so they appear only
    /// once.
    pub fn put_before(&mut self, mut document: Document) -> Document {
        add_metadata(&mut document, &self.metadata);
        document.notes.splice(..0, self.notes.drain(..));
        if !self.references.is_empty() {
            let first = std::mem::take(&mut self.references);
            let own = std::mem::replace(&mut document.references, first);
            document.references.extend(&own);
        }
        document
    }
}

/// Fills in the data about a part in its document and in those in its attributes.
pub(super) fn add_metadata(document: &mut Document, metadata: &Metadata) {
    let title = document.metadata.title.take();
    document.metadata = metadata.clone();
    document.metadata.title = title;
    for embedded in &mut document.embedded {
        add_metadata(embedded, metadata);
    }
}
