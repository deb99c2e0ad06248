//! A message as a container hands it over.

use crate::document::{Declaration, Origin};

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
