//! ZIM files (openZIM, Kiwix): the pages of a site in compressed clusters.
//!
//! The entries are listed once, in the order of their paths. Then each cluster with pages is
//! decompressed once, so that pages come in the order of the clusters. Memory grows by 12 bytes with
//! each page, for a site by 12 more with each entry, and not with the paths.
//!
//! Departs: the checksum of the whole file is not verified. It would have to be read in full, while
//! most of a book are images that hold no links; `zimcheck --checksum` does that.

mod cluster;
mod entry;
mod header;
mod listing;
mod media;
mod pages;
mod storage;

use std::collections::VecDeque;
use std::sync::Arc;

use self::entry::EntryReader;
use self::header::Header;
use self::listing::Lister;
use self::pages::Pages;
use self::storage::Storage;
use crate::contents::Contents;
use crate::detect::OpenContext;
use crate::input::buffered::BufferedInput;
use crate::input::failure;
use crate::input::section::Shared;
use crate::package::Package;
use baseref_document::{Origin, ReadError, ReadErrorKind};

/// The maximum total size of all clusters that are decompressed, as a multiple of the size of the
/// file, unless [`baseref_document::Limits::inflated`] is more. Real text is rarely compressed to
/// less than a tenth.
const EXPANSION: u64 = 100;

/// Reads a ZIM file. Its lists can be anywhere, so that a stream is read whole.
pub(crate) fn read(mut input: BufferedInput, ctx: &OpenContext<'_>) -> Result<Contents, ReadError> {
    let head = input.window.peek(header::SIZE);
    let header = Header::read(head);
    let header = header.map_err(|error| {
        let kind = match error {
            header::HeaderError::CutOff | header::HeaderError::MediaList(_) => {
                ReadErrorKind::Damaged
            }
            header::HeaderError::Version(_) => ReadErrorKind::Format,
        };
        input.unread(kind, error.to_string())
    })?;
    let name = Arc::clone(&input.name);
    let declarations = std::mem::take(&mut input.declarations);
    let reader = input.into_seekable(ctx.limits.message)?;
    let unread = |failure| failure::unread(Origin::new(Arc::clone(&name)), failure);
    let storage = Storage::new(Shared::new(reader)).map_err(unread)?;
    let types = media::read(&storage, &header).map_err(unread)?;
    let listing = Lister {
        storage: &storage,
        header: &header,
        types: &types,
        input: &name,
        is_site: ctx.nesting.is_site(),
    }
    .list();
    let free = ctx.limits.inflated as u64;
    let nesting = ctx
        .nesting
        .inside(storage.size().saturating_mul(EXPANSION).max(free));
    let package = listing.table.map(|table| {
        Arc::new(Package {
            root: if header.has_new_namespaces { "C/" } else { "" }.into(),
            entries: Some(table),
            ..Package::default()
        })
    });
    let errors = listing.errors.into_iter().map(Err);
    Ok(Contents::from_container(Pages {
        entries: EntryReader::new(storage.clone()),
        storage,
        header,
        types,
        input: name,
        declarations,
        limits: *ctx.limits,
        nesting,
        package,
        wanted: listing.wanted,
        next: 0,
        open: None,
        skipped: listing.skipped,
        ready: errors.collect::<VecDeque<_>>(),
    }))
}

#[cfg(test)]
mod tests;
