//! Zips with pages, messages and containers: plain ones, EPUBs, web archives with their indexes
//! (WACZ), and pages with a record of their origin, as in the Mozilla Archive Format (`.maff`) and
//! from `SingleFile`.
//!
//! Members are decompressed into memory, one at a time. Uncompressed members are read in place.

mod directory;
mod encryption;
mod members;
mod olm;
mod overlap;
mod record;
mod root;
mod single_file;
pub(crate) mod unpacked;

use std::io::Cursor;
use std::sync::Arc;

use self::members::Members;
use crate::contents::Contents;
use crate::detect::OpenContext;
use crate::documents;
use crate::format::Format;
use crate::input::Reader;
use crate::input::buffered::BufferedInput;
use crate::input::section::Shared;
use baseref_document::ReadError;

/// Reads a zip. Many other formats are zip files inside, so that one that was only found in a
/// directory must be named as a zip. Its directory is at its end, so that a stream is read whole.
pub(crate) fn read(mut input: BufferedInput, ctx: &OpenContext<'_>) -> Result<Contents, ReadError> {
    let is_page = documents::is_page_behind_picture(input.window.rest(0));
    if !input.named && !is_page && input.format_of_name != Some(Format::Zip) {
        return Ok(Contents::Empty);
    }
    let (name, declarations) = (
        Arc::clone(&input.name),
        std::mem::take(&mut input.declarations),
    );
    let reader = input.into_seekable(ctx.limits.message)?;
    let members = Members::new(Shared::new(reader), name, declarations, ctx)?;
    Ok(Contents::from_container(members))
}

/// Reads an HTML document, or the page in a zip inside it.
pub(crate) fn read_html(
    input: BufferedInput,
    ctx: &OpenContext<'_>,
) -> Result<Contents, ReadError> {
    if !single_file::is_packed(input.window.rest(0)) {
        return documents::read_html(input, ctx);
    }
    let (name, declarations) = (Arc::clone(&input.name), input.declarations.clone());
    let contents = documents::read_html(input, ctx)?;
    let Contents::Single(entity) = contents else {
        return Ok(contents);
    };
    if !single_file::has_zip(&entity.bytes) {
        return Ok(Contents::Single(entity));
    }
    ctx.nesting.check_collection(&name, ctx.limits)?;
    let bytes: Arc<[u8]> = entity.bytes.as_slice().into();
    let shared = Shared::new(Reader::Seekable(Box::new(Cursor::new(bytes))));
    Ok(match Members::new(shared, name, declarations, ctx) {
        Ok(members) => Contents::from_container(members),
        Err(error) => Contents::entity(entity, Some(error)),
    })
}

#[cfg(test)]
mod tests;
