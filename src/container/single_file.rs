//! A page that `SingleFile` compressed: an HTML document that unpacks itself in a browser, the page in
//! a zip inside it (`--compress-content`).

use memchr::memmem;

use crate::decode::sniff::HEAD;

/// The tag that such a document has instead of `<html>`.
const TAG: &[u8] = b"<html data-sfz";

/// What the end of a zip's directory begins with.
const DIRECTORY_END: &[u8] = b"PK\x05\x06";

/// Whether a document that begins with `head` says there that a page is packed in it.
pub(super) fn is_packed(head: &[u8]) -> bool {
    memmem::find(&head[..head.len().min(HEAD)], TAG).is_some()
}

/// Whether a zip stands in a document.
pub(super) fn has_zip(document: &[u8]) -> bool {
    memmem::rfind(document, DIRECTORY_END).is_some()
}
