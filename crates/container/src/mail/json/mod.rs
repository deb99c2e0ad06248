//! Messages in JSON, as the programming interfaces of mail services answer: one message, a list, or
//! one message a line.

mod gmail;
mod graph;
mod objects;
mod value;

use std::num::NonZeroU64;
use std::ops::Range;
use std::sync::Arc;

use serde_json::Value;

pub(crate) use self::gmail::is_gmail;
pub(crate) use self::graph::is_graph;
use self::objects::{Objects, objects};
use self::value::{Found, Message};
use crate::archives::har::without_lone_surrogates;
use crate::contents::{Container, Contents};
use crate::detect::OpenContext;
use crate::entity::Entity;
use crate::input::buffered::BufferedInput;
use crate::nesting::Nesting;
use baseref_document::{Declaration, Note, NoteCode, Origin, ReadError, ReadErrorKind, Skipped};
use baseref_text::decode::encoding::utf_8_of_utf_16;

/// Makes a message of an object.
type Read = fn(&Value) -> Found;

/// Reads messages of the Gmail API.
pub(crate) fn read_gmail(
    input: BufferedInput,
    ctx: &OpenContext<'_>,
) -> Result<Contents, ReadError> {
    read(input, ctx, gmail::message)
}

/// Reads messages of Microsoft Graph.
pub(crate) fn read_graph(
    input: BufferedInput,
    ctx: &OpenContext<'_>,
) -> Result<Contents, ReadError> {
    read(input, ctx, graph::message)
}

fn read(
    mut input: BufferedInput,
    ctx: &OpenContext<'_>,
    read: Read,
) -> Result<Contents, ReadError> {
    let (bytes, failure) = input.take_bytes()?;
    // PowerShell writes UTF-16.
    let bytes = match utf_8_of_utf_16(&bytes) {
        Some(text) => text.into_bytes(),
        None => bytes,
    };
    let Objects { ranges, is_whole } = objects(&bytes);
    let error = match failure {
        Some(failure) => Some(input.failed(failure)),
        None if is_whole => None,
        None => {
            let reason =
                "the JSON is not complete: what follows the last whole message is not read";
            Some(input.unread(ReadErrorKind::Damaged, reason))
        }
    };
    Ok(Contents::from_container(Messages {
        bytes,
        ranges: ranges.into_iter(),
        read,
        number: 0,
        input: input.name,
        declarations: input.declarations,
        nesting: ctx.nesting.clone(),
        skipped: Skipped::default(),
        error,
    }))
}

/// The messages as entities.
struct Messages {
    bytes: Vec<u8>,
    ranges: std::vec::IntoIter<Range<usize>>,
    read: Read,
    number: u64,
    input: Arc<str>,
    declarations: Vec<Declaration>,
    nesting: Nesting,
    skipped: Skipped,
    /// Comes after the messages.
    error: Option<ReadError>,
}

impl Messages {
    fn entity(&mut self, range: Range<usize>) -> Option<Result<Entity, ReadError>> {
        self.number += 1;
        let origin =
            Origin::new(Arc::clone(&self.input)).with_message(NonZeroU64::new(self.number));
        let text = String::from_utf8_lossy(self.bytes.get(range)?);
        let object = match serde_json::from_str::<Value>(&without_lone_surrogates(text)) {
            Ok(object) => object,
            Err(error) => {
                let reason = format!("the message is not JSON: {error}");
                let error = ReadError::new(ReadErrorKind::Damaged, origin, reason);
                return Some(Err(error));
            }
        };
        let (message, absent) = match (self.read)(&object) {
            Found::Message { message, absent } => (message, absent),
            Found::Nothing => {
                self.skipped.count("JSON without a message");
                return None;
            }
        };
        let entity = match message {
            Message::Parts(part) => part.into_entity(origin),
            Message::Sent(bytes) => Entity {
                offset: None,
                ..Entity::message(origin, bytes)
            },
        };
        let notes = absent
            .into_iter()
            .map(|detail| Note::new(NoteCode::AttachmentAbsent, detail));
        Some(Ok(Entity {
            notes: notes.collect(),
            declarations: self.declarations.clone(),
            nesting: self.nesting.clone(),
            ..entity
        }))
    }
}

impl Iterator for Messages {
    type Item = Result<Entity, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        while let Some(range) = self.ranges.next() {
            if let Some(found) = self.entity(range) {
                return Some(found);
            }
        }
        self.error.take().map(Err)
    }
}

impl Container for Messages {
    fn skipped(&self) -> Skipped {
        self.skipped.clone()
    }
}

#[cfg(test)]
mod tests;
