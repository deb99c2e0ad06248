//! A file that is one message (RFC 5322), or a page saved as one (RFC 2557).

use crate::contents::Contents;
use crate::detect::OpenContext;
use crate::entity::EntityKind;
use crate::input::buffered::BufferedInput;
use baseref_document::{Note, NoteCode, ReadError};
use baseref_text::decode::encoding::utf_8_of_utf_16;
use baseref_text::decode::sniff::contains_tag;
use baseref_text::decode::source::Markup;

/// Whether a browser wrote the header of a message, to save a page.
pub(crate) fn is_page(header: &[u8]) -> bool {
    let start = &header[..header.len().min(64)];
    contains_tag(header, b"\nsnapshot-content-location:")
        || contains_tag(start, b"from: <saved by")
        || contains_tag(start, b"from: \"saved by")
}

/// Whether a mail program wrote the header of a message.
pub(crate) fn is_mail(header: &[u8]) -> bool {
    !is_page(header)
}

/// Reads a message. One in UTF-16, as some text editors save it, is converted.
pub(crate) fn read(input: BufferedInput, ctx: &OpenContext<'_>) -> Result<Contents, ReadError> {
    let kind = EntityKind::Message { unquote: false };
    let contents = input.into_entity(kind, Markup::Html, ctx.nesting)?;
    let Contents::Single(mut entity) = contents else {
        return Ok(contents);
    };
    if let Some(text) = utf_8_of_utf_16(&entity.bytes) {
        entity.bytes = text.into_bytes();
        entity.notes.push(Note::new(
            NoteCode::Charset,
            "the message is in UTF-16: positions are those in UTF-8",
        ));
    }
    Ok(Contents::Single(entity))
}
