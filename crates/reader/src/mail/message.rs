//! A message from a container.

use baseref_document::{Declaration, Origin};

/// A message as stored in a file.
#[derive(Clone, Debug)]
pub struct Message<'m> {
    /// Its bytes. A `From ` line of a mailbox before the header is skipped.
    pub bytes: &'m [u8],
    /// Where it is, with an empty MIME section.
    pub origin: Origin,
    /// The offset of `bytes` in the file; `None` if they are nowhere in it.
    pub offset: Option<u64>,
    /// The line in the file on which `bytes` begin, 1-based.
    pub line: u64,
    /// Whether it comes from a mailbox that quotes `From ` lines: one `>` is removed from lines
    /// `^>+From ` in its bodies.
    pub unquote: bool,
    /// The declarations of a base around it, outermost first: the retrieval URL.
    pub declarations: Vec<Declaration>,
}
