//! Entities to documents: chooses the reader of each kind.

use crate::container::entity::{Entity, Kind};
use crate::container::http;
use crate::decode::source::Source;
use crate::error::Found;
use crate::html;
use crate::mail;
use crate::options::ReadOptions;

/// Reads the documents of an entity, in document order, and what cannot be read between them.
pub fn documents(entity: Entity, options: &ReadOptions, found: &mut dyn FnMut(Found)) {
    match entity.kind {
        Kind::Html | Kind::Resource => {
            let source = Source {
                markup: entity.markup,
                bytes: &entity.bytes,
                origin: entity.origin,
                part_byte: entity
                    .offset
                    .filter(|_| entity.kind == Kind::Resource)
                    .map(|offset| offset..offset + entity.bytes.len() as u64),
                charset: entity.charset.as_deref(),
                declarations: entity.declarations,
            };
            found(Ok(html::read(source, options)));
        }
        Kind::Response => http::documents(entity, options, found),
        Kind::Message { unquote } => mail::documents(
            mail::Message {
                bytes: &entity.bytes,
                origin: entity.origin,
                offset: entity.offset.unwrap_or_default(),
                line: entity.line,
                unquote,
                declarations: entity.declarations,
            },
            options,
            found,
        ),
    }
}
