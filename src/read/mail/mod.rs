//! A message (RFC 5322, MIME) to the documents in it: the only place that names mailparse.

mod body;
mod heading;
pub(super) mod media_type;
mod part;
mod scan;
mod walk;

use crate::document::{Declaration, Note, Origin};
use crate::html;
use crate::read::{Found, ReadError, ReadOptions};

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

/// Finds the documents of a message: its text/html and application/xhtml+xml parts at any
/// depth, through every multipart and through message/rfc822, message/global and message/news,
/// in their order.
///
/// Each knows the `Base`, `Content-Base` and `Content-Location` fields of every heading around
/// it (RFC 1808 §3.1, §3.2), outermost first, before them what `message` brings along, and
/// before that the `Snapshot-Content-Location` of the outermost heading. Its section is numbered
/// as in RFC 3501 §6.4.5. What cannot be read gives an error, what is dropped for a limit a note
/// on the next document, or an error if there is none.
pub fn documents(message: Message<'_>, options: &ReadOptions, found: &mut dyn FnMut(Found)) {
    walk::walk(message, &options.limits, &mut |piece| match piece {
        Piece::Html { source, notes } => html::read(source, options, &mut |result: Found| {
            found(result.map(|mut document| {
                document.notes.splice(..0, notes.iter().cloned());
                document
            }));
        }),
        Piece::Unread(error) => found(Err(error)),
    });
}

/// What the walk over the parts finds.
enum Piece<'p> {
    /// An HTML part, and what is to be noted of it.
    Html {
        source: html::Source<'p>,
        notes: Vec<Note>,
    },
    /// Something that cannot be read.
    Unread(ReadError),
}

#[cfg(test)]
mod tests;
