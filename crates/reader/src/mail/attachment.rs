//! An attached file that may contain documents.

use baseref_document::{Declaration, Origin, ReadResult, Skipped};

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

/// Opens an attached file and passes its documents on. Returns what was skipped in it.
pub type Opener<'o> = dyn FnMut(Attachment, &mut dyn FnMut(ReadResult)) -> Skipped + 'o;
