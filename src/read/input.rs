//! A file or stream to entities: opened, its format found, read whole or split.

use std::io::{self, Cursor, Read};
use std::sync::Arc;

use super::detect::{self, Format, is_text};
use super::mbox::Mailbox;
use super::{Entity, Kind, Limits, ReadError};
use crate::document::{Declaration, Origin};

/// An input before its first byte is read.
pub struct Input<R> {
    /// Its name as the user gave it.
    pub name: Arc<str>,
    /// Its bytes.
    pub reader: R,
    /// How many bytes there are, if that is known: room is made for them at once.
    pub size: Option<u64>,
    /// The format that the user says it has.
    pub format: Option<Format>,
    /// The format that its name says it has; only looked at when its content says nothing.
    pub format_of_name: Option<Format>,
    /// The user named it, so it is read as HTML if it is text of no known format; one that
    /// was only met in a directory is left alone then.
    pub named: bool,
    /// What the user declares of it: retrieval URLs, outermost first.
    pub declarations: Vec<Declaration>,
}

/// What an input holds.
pub enum Opened<R> {
    /// One entity.
    One(Entity),
    /// As many as come.
    Many(Entities<R>),
    /// Nothing of a known format.
    Nothing,
}

/// The entities of a container, one at a time.
pub struct Entities<R> {
    mailbox: Mailbox<Replayed<R>>,
    name: Arc<str>,
    declarations: Vec<Declaration>,
}

impl<R: Read> Iterator for Entities<R> {
    type Item = Result<Entity, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        let mail = match self.mailbox.next()? {
            Ok(mail) => mail,
            Err(error) => return Some(Err(error)),
        };
        Some(Ok(Entity {
            kind: Kind::Message { unquote: true },
            origin: Origin {
                message: Some(mail.number),
                ..Origin::of_input(self.name.clone())
            },
            bytes: mail.bytes,
            offset: mail.offset,
            line: mail.line,
            declarations: self.declarations.clone(),
        }))
    }
}

/// A stream whose beginning was read already.
type Replayed<R> = io::Chain<Cursor<Vec<u8>>, R>;

/// How much is read before the format is decided; most documents are smaller.
const FIRST_READ: u64 = 64 * 1024;

/// Finds the format of an input, and reads it whole or makes ready to split it.
///
/// # Errors
/// When it cannot be read, or the user named it and it is not text.
pub fn open<R: Read>(mut input: Input<R>, limits: &Limits) -> Result<Opened<R>, ReadError> {
    let unread = |name: &Arc<str>, reason: String| ReadError {
        origin: Origin::of_input(name.clone()),
        line: None,
        reason,
    };
    let mut bytes = Vec::new();
    let room = input.size.unwrap_or(0).min(FIRST_READ);
    // One byte more than the size, so that reading to the end needs no larger buffer.
    bytes.reserve_exact(usize::try_from(room).unwrap_or(0) + 1);
    (&mut input.reader)
        .take(FIRST_READ)
        .read_to_end(&mut bytes)
        .map_err(|error| unread(&input.name, error.to_string()))?;

    let of_content = Format::of_content(&bytes);
    let format = input.format.or(of_content).or(input.format_of_name);
    let format = match format {
        Some(Format::Html) | None if of_content.is_none() && !is_text(&bytes) => {
            return if input.named || input.format_of_name.is_some() {
                Err(unread(&input.name, "not text".to_owned()))
            } else {
                Ok(Opened::Nothing)
            };
        }
        Some(format) => format,
        None if input.named => Format::Html,
        None => return Ok(Opened::Nothing),
    };
    let kind = match format {
        Format::Html => Kind::Html,
        Format::Eml | Format::Mhtml => Kind::Message { unquote: false },
        Format::Mbox => {
            let replayed = Cursor::new(bytes).chain(input.reader);
            return Ok(Opened::Many(Entities {
                mailbox: Mailbox::new(replayed, input.name.clone(), limits),
                name: input.name,
                declarations: input.declarations,
            }));
        }
    };
    if bytes.len() as u64 == FIRST_READ {
        let rest = input.size.unwrap_or(0).saturating_sub(FIRST_READ);
        bytes.reserve_exact(usize::try_from(rest).unwrap_or(0) + 1);
        input
            .reader
            .read_to_end(&mut bytes)
            .map_err(|error| unread(&input.name, error.to_string()))?;
    }
    Ok(Opened::One(Entity {
        kind,
        origin: Origin::of_input(input.name),
        bytes,
        offset: 0,
        line: 1,
        declarations: input.declarations,
    }))
}

const _: () = assert!(detect::HEAD as u64 <= FIRST_READ);
