//! A file that is one message as stored or sent by Outlook.

use std::io::{Cursor, Read, Seek};

use crate::contents::Contents;
use crate::detect::OpenContext;
use crate::entity::EntityKind;
use crate::format::Format;
use crate::input::Reader;
use crate::input::buffered::BufferedInput;
use crate::input::window::Window;
use baseref_document::{ReadError, ReadErrorKind};
use baseref_outlook::is_msg;
use baseref_text::decode::source::Markup;

/// Reads a TNEF stream.
pub(crate) fn read_tnef(
    input: BufferedInput,
    ctx: &OpenContext<'_>,
) -> Result<Contents, ReadError> {
    input.into_entity(EntityKind::Outlook, Markup::Html, ctx.nesting)
}

/// Reads a compound file as a message. Many other formats are compound files: unless it is named as
/// a message, it must be one. A file that is none, and was only found in a directory, is skipped
/// without being read to its end.
pub(crate) fn read_msg(
    mut input: BufferedInput,
    ctx: &OpenContext<'_>,
) -> Result<Contents, ReadError> {
    let named_as = input.format.or(input.format_of_name);
    if named_as == Some(Format::Msg) {
        return input.into_entity(EntityKind::Outlook, Markup::Html, ctx.nesting);
    }
    let is_expected = input.named || named_as.is_some();
    let error = input.unread(ReadErrorKind::Format, "not text");
    let refuse = || {
        if is_expected {
            Err(error)
        } else {
            Ok(Contents::Empty)
        }
    };
    let (read, mut reader) = input.window.into_parts();
    input.window = if reader.is_seekable() {
        if !is_msg(&mut reader) || reader.rewind().is_err() {
            return refuse();
        }
        Window::appending(reader, Reader::append)
    } else {
        let whole = Reader::Stream(Box::new(Cursor::new(read).chain(reader)));
        Window::appending(whole, Reader::append)
    };
    let contents = input.into_entity(EntityKind::Outlook, Markup::Html, ctx.nesting)?;
    match &contents {
        Contents::Single(entity) if !is_msg(Cursor::new(&entity.bytes)) => refuse(),
        _ => Ok(contents),
    }
}
