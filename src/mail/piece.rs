//! What the walk over the parts of a message finds.

use crate::decode::source::Source;
use crate::document::{About, Document, Note, References, Section};
use crate::error::ReadError;
use crate::text::plain::Layout;

/// What the walk over the parts finds.
pub(super) enum Piece<'p> {
    /// A part that is read.
    Leaf {
        source: Source<'p>,
        kind: Leaf,
        lead: Lead,
    },
    /// The links of a heading whose body gives no document, and which of the parts it is.
    Heading(Document, usize),
    /// Something that cannot be read.
    Unread(ReadError),
}

/// The parts that are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Leaf {
    /// text/html, application/xhtml+xml.
    Html,
    /// text/plain.
    Text(Layout),
    /// text/css.
    StyleSheet,
}

/// The links of a heading. They come with the document of its body, or as one of their own
/// ([`walk::Walk::emit`]).
#[derive(Debug)]
#[must_use = "the links of a heading are handed over with its body or on their own"]
pub(super) struct HeadingLinks {
    /// The section that the heading belongs to.
    pub section: Section,
    pub references: References,
    /// Which of the message's parts it is.
    pub part: usize,
    pub about: About,
}

impl HeadingLinks {
    /// Those of a heading of which none has been read yet.
    pub fn of(section: &Section) -> Self {
        Self {
            section: section.clone(),
            references: References::default(),
            part: 0,
            about: About::default(),
        }
    }
}

/// What comes before that which a part's own reader finds in it.
pub(super) struct Lead {
    /// What is to be noted of the part, or of what was before it.
    pub notes: Vec<Note>,
    /// The links of its heading.
    pub references: References,
    /// Which of the message's parts it is.
    pub part: usize,
    pub about: About,
}

impl Lead {
    /// Puts what comes first before what was read of a document; the links and notes come once.
    pub fn put_before(&mut self, mut document: Document) -> Document {
        say_of_part(&mut document, &self.about);
        document.notes.splice(..0, self.notes.drain(..));
        if !self.references.is_empty() {
            let first = std::mem::take(&mut self.references);
            let own = std::mem::replace(&mut document.references, first);
            document.references.extend(&own);
        }
        document
    }
}

/// Tells a document, and those in its `srcdoc` attributes, what is said of its part.
fn say_of_part(document: &mut Document, about: &About) {
    let title = document.about.title.take();
    document.about = About {
        title,
        ..about.clone()
    };
    for embedded in &mut document.embedded {
        say_of_part(embedded, about);
    }
}
