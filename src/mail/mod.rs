//! A message (RFC 5322, MIME) to the documents in it: the only place that names mailparse.

mod body;
mod field_links;
mod heading;
mod part;
mod scan;
mod tree;
mod walk;

use std::sync::Arc;

use crate::decode::source::Source;
use crate::document::{Declaration, Document, Note, Origin, Part, PartOf, References, Section};
use crate::error::{Found, ReadError, ReadErrorKind};
use crate::html;
use crate::options::ReadOptions;
use crate::slots::Classes;
use crate::text::plain::{self, Layout};
use crate::text::style_sheet;

/// A message as it stands in a file.
#[derive(Clone, Debug)]
pub struct Message<'m> {
    /// Its bytes. A `From ` line of a mailbox before the heading is skipped.
    pub bytes: &'m [u8],
    /// Where it stands, its MIME section empty.
    pub origin: Origin,
    /// The offset of `bytes` in the file.
    pub offset: u64,
    /// The line in the file on which `bytes` begin, 1-based.
    pub line: u64,
    /// Whether it comes from a mailbox that quotes `From ` lines: one `>` is taken off the
    /// lines `^>+From ` of its bodies.
    pub unquote: bool,
    /// What declares a base around it, outermost first: the retrieval URL.
    pub declarations: Vec<Declaration>,
}

/// Finds the documents of a message: its text/html and application/xhtml+xml parts, and its
/// text/plain and text/css parts if links of the classes [`crate::slots::Class::Text`] and
/// [`crate::slots::Class::Resource`] are wanted, at any depth, through every multipart and
/// through message/rfc822, message/global and message/news, in their order. The links of a heading stand first in the document of its part; those of a
/// heading that has no document, as a message's or a multipart's, are one of their own.
///
/// Each knows the `Base`, `Content-Base` and `Content-Location` fields of every heading around
/// it (RFC 1808 §3.1, §3.2), outermost first, before them what `message` brings along, and
/// before that the `Snapshot-Content-Location` of the outermost heading. Its section is numbered
/// as in RFC 3501 §6.4.5. What cannot be read gives an error; what is repaired, or dropped for a
/// limit, a note on the next document, on the last one if none follows, or an error if there is
/// none at all.
pub fn documents(message: Message<'_>, options: &ReadOptions, found: &mut dyn FnMut(Found)) {
    let mut all = Vec::new();
    let origin = message.origin.clone();
    let (parts, notes) = walk::walk(message, options, &mut |piece| match piece {
        Piece::Leaf { source, kind, lead } => {
            let mut found = |result: Found| {
                all.push((result.map(|own| lead.put_before(own)), lead.part));
            };
            match kind {
                Leaf::Html => found(Ok(html::read(source, options))),
                Leaf::Text(layout) => plain::read(source, layout, options, &mut found),
                Leaf::StyleSheet => style_sheet::read(source, options, &mut found),
            }
        }
        Piece::Heading(document, part) => all.push((Ok(document), part)),
        Piece::Unread(error) => all.push((Err(error), 0)),
    });
    put_last(notes, &origin, &mut all);
    // A document can name parts that stand behind it.
    let parts: Arc<[Part]> = parts.into();
    let links_wanted = options.classes != Classes::default();
    for (mut result, own) in all {
        if let Ok(document) = &mut result
            && links_wanted
        {
            let parts = Arc::clone(&parts);
            put_in_message(document, &PartOf { parts, own });
        }
        found(result);
    }
}

/// Puts what is noted after the last document on that one; without any document it becomes
/// errors.
fn put_last(notes: Vec<Note>, origin: &Origin, all: &mut Vec<(Found, usize)>) {
    let mut documents = all.iter_mut().rev();
    if let Some(last) = documents.find_map(|(found, _)| found.as_mut().ok()) {
        last.notes.extend(notes);
        return;
    }
    all.extend(notes.into_iter().map(|note| {
        let kind = if note.code.is_loss() {
            ReadErrorKind::Limit
        } else {
            ReadErrorKind::Repaired
        };
        let reason = format!("{}: {}", note.code.as_str(), note.detail);
        (Err(ReadError::new(kind, origin.clone(), reason)), 0)
    }));
}

/// Tells a document, and those in its `srcdoc` attributes, which part they are.
fn put_in_message(document: &mut Document, part: &PartOf) {
    document.message = Some(part.clone());
    for embedded in &mut document.embedded {
        put_in_message(embedded, part);
    }
}

/// What the walk over the parts finds.
enum Piece<'p> {
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
enum Leaf {
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
struct HeadingLinks {
    /// The section that the heading belongs to.
    section: Section,
    references: References,
    /// Which of the message's parts it is.
    part: usize,
}

impl HeadingLinks {
    /// Those of a heading of which none has been read yet.
    fn of(section: &Section) -> Self {
        Self {
            section: section.clone(),
            references: References::default(),
            part: 0,
        }
    }
}

/// What comes before that which a part's own reader finds in it.
struct Lead {
    /// What is to be noted of the part, or of what was before it.
    notes: Vec<Note>,
    /// The links of its heading.
    references: References,
    /// Which of the message's parts it is.
    part: usize,
}

impl Lead {
    fn put_before(&self, mut document: Document) -> Document {
        document.notes.splice(..0, self.notes.iter().cloned());
        if !self.references.is_empty() {
            let own = std::mem::replace(&mut document.references, self.references.clone());
            document.references.extend(&own);
        }
        document
    }
}

#[cfg(test)]
mod tests;
