//! Finds the attached files that may contain documents and passes them on, to be opened like any other
//! file.

use std::borrow::Cow;
use std::ops::Range;

use super::attachment::Attachment;
use super::metadata::filename;
use super::piece::{HeadingLinks, Piece};
use super::scan::{Buffer, Path};
use super::walk_state::{Entity, Walk};
use baseref_text::decode::transfer;
use baseref_text::header::media_type::{MediaType, TransferEncoding};

/// The first bytes of a compound file ([MS-CFB] §2.2), which may hold an Outlook message.
const COMPOUND_FILE: &[u8] = b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1";

/// The first bytes of files that are passed on: zip, gzip, mailboxes and web archives.
const MAGICS: [&[u8]; 4] = [b"PK\x03\x04", b"\x1F\x8B\x08", b"From ", b"WARC/"];

/// How many encoded bytes are decoded to see how a file begins.
const LOOKED_AT: usize = 128;

impl Walk<'_> {
    /// Passes a part on, after the links of its header.
    pub fn attach(
        &mut self,
        buffer: &Buffer<'_>,
        path: &Path,
        entity: &Entity<'_, '_>,
        body: Range<usize>,
        links: HeadingLinks,
    ) {
        let metadata = links.metadata.clone();
        self.emit(links);
        let Some(declarations) = self.inherited(&entity.body_section, entity.line) else {
            return;
        };
        let disposition = entity.heading.first("Content-Disposition");
        let disposition = disposition.and_then(|field| MediaType::parse_disposition(field.value()));
        let file = Attachment {
            bytes: self.decode_leaf(buffer, path, entity, body).into_owned(),
            origin: self.origin_of(&entity.body_section),
            media_type: entity.media.essence.clone(),
            name: filename(disposition.as_ref(), &entity.media),
            declarations,
        };
        self.sink.add(Piece::File {
            file,
            part: self.current,
            metadata,
        });
    }
}

/// Whether a part is a file to be passed on, judging by its first bytes. Vendor formats that are zip
/// files internally contain no documents.
pub(super) fn is_file(buffer: &Buffer<'_>, entity: &Entity<'_, '_>, body: Range<usize>) -> bool {
    let is_other = ["text/", "image/", "audio/", "video/", "application/vnd."];
    let essence = &entity.media.essence;
    let is_of_outlook = essence == "application/vnd.ms-outlook";
    if !is_of_outlook && is_other.iter().any(|prefix| essence.starts_with(prefix)) {
        return false;
    }
    let stored = buffer.bytes.get(body).unwrap_or_default();
    let stored = &stored[..stored.len().min(LOOKED_AT)];
    let head = match &entity.encoding {
        TransferEncoding::Encoded(encoding) => {
            Cow::Owned(transfer::decode(*encoding, stored).bytes)
        }
        _ => Cow::Borrowed(stored),
    };
    if head.starts_with(COMPOUND_FILE) {
        let is_untyped = essence == "application/octet-stream";
        return is_of_outlook || is_untyped || is_named_msg(entity);
    }
    !is_of_outlook && MAGICS.iter().any(|magic| head.starts_with(magic))
}

/// Whether an `application/*` part has the file name of an Outlook message.
fn is_named_msg(entity: &Entity<'_, '_>) -> bool {
    let disposition = entity.heading.first("Content-Disposition");
    let disposition = disposition.and_then(|field| MediaType::parse_disposition(field.value()));
    let name = filename(disposition.as_ref(), &entity.media).unwrap_or_default();
    let extension = name.rsplit_once('.').map(|(_, extension)| extension);
    entity.media.essence.starts_with("application/")
        && extension.is_some_and(|extension| extension.eq_ignore_ascii_case("msg"))
}
