//! Pages compressed by `SingleFile` (`--compress-content`): self-extracting HTML documents with the
//! page in a zip inside.

use memchr::memmem;

use baseref_text::decode::sniff::HEAD;

/// The start tag of such a document.
const TAG: &[u8] = b"<html data-sfz";

/// The beginning of the end record of a zip's directory.
const DIRECTORY_END: &[u8] = b"PK\x05\x06";

/// Whether a document that begins with `head` declares a compressed page inside.
pub(super) fn is_packed(head: &[u8]) -> bool {
    memmem::find(&head[..head.len().min(HEAD)], TAG).is_some()
}

/// Whether a document contains a zip.
pub(super) fn has_zip(document: &[u8]) -> bool {
    memmem::rfind(document, DIRECTORY_END).is_some()
}
