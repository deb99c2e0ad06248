//! Reads the documents of a message, and of the files attached to it.

use crate::mail::{self, Opener};
use baseref_container::Entity;
use baseref_document::{ReadOptions, ReadResult, Sink, Skipped};

/// Reads a message, and with `open` what is attached to it; `unquote` says whether its lines are quoted as in a mailbox.
pub(super) fn read(
    bytes: &[u8],
    entity: Entity,
    unquote: bool,
    options: &ReadOptions,
    open: &mut dyn Opener,
    found: &mut dyn Sink<ReadResult>,
) -> Skipped {
    mail::documents(
        &mail::Message {
            bytes,
            origin: entity.origin,
            offset: entity.offset,
            line: entity.line,
            unquote,
            declarations: entity.declarations,
        },
        options,
        open,
        found,
    )
}

/// Reads a message of Outlook, and with `open` what is attached to it.
#[cfg(feature = "archives")]
pub(super) fn read_outlook(
    bytes: &[u8],
    entity: Entity,
    options: &ReadOptions,
    open: &mut dyn Opener,
    found: &mut dyn Sink<ReadResult>,
) -> Skipped {
    let message = mail::OutlookMessage {
        bytes,
        stored: entity.stored_message.as_deref(),
        origin: entity.origin,
        declarations: entity.declarations,
    };
    mail::documents_of_outlook(message, options, open, found)
}
