//! An attached file that may contain documents.

use baseref_document::{Declaration, Origin, ReadResult, Sink, Skipped};

/// A file attached to a message.
#[derive(Clone, Debug)]
pub struct Attachment {
    /// Its bytes, transfer-decoded.
    pub bytes: Vec<u8>,
    /// The origin of its part.
    pub origin: Origin,
    /// Its media type, as declared.
    pub media_type: String,
    /// Its name, if it has one.
    pub name: Option<String>,
    /// The declarations of a base around it, outermost first.
    pub declarations: Vec<Declaration>,
}

/// Opens the files attached to a message.
pub trait Opener {
    /// Opens a file and passes its documents on. Returns what was skipped in it.
    fn open(&mut self, file: Attachment, found: &mut dyn Sink<ReadResult>) -> Skipped;
}
