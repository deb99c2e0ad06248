//! A file or stream before its first byte is read, and what it is found to hold.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::sync::Arc;

use super::format::Format;
use crate::container::entity::Entity;
use crate::document::{Declaration, Skipped};
use crate::error::ReadError;

/// An input before its first byte is read.
pub struct Input {
    /// Its name as the user gave it.
    pub name: Arc<str>,
    /// Its bytes.
    pub reader: Reader,
    /// How many bytes there are, if that is known: room is made for them at once.
    pub size: Option<u64>,
    /// The format that the user says it has.
    pub format: Option<Format>,
    /// The format that its name says it has; only looked at when its content says nothing.
    pub format_of_name: Option<Format>,
    /// The user named it, so it is read as HTML if it is text of no known format; one that
    /// was only met in a directory is left alone then.
    pub named: bool,
    /// What the user and the marks beside it declare of it: retrieval URLs.
    pub declarations: Vec<Declaration>,
}

/// The bytes of an input.
pub enum Reader {
    /// A file, which can be read at any place.
    File(File),
    /// Anything else that can be read at any place.
    Seekable(Box<dyn ReadSeek + Send>),
    /// Bytes that come once.
    Stream(Box<dyn Read + Send>),
}

impl Reader {
    /// Reads by the way that each kind has of its own: no buffer is initialized only to be
    /// overwritten.
    pub(super) fn append(&mut self, most: u64, buffer: &mut Vec<u8>) -> io::Result<usize> {
        match self {
            Self::File(file) => file.take(most).read_to_end(buffer),
            Self::Seekable(reader) => reader.take(most).read_to_end(buffer),
            Self::Stream(stream) => stream.take(most).read_to_end(buffer),
        }
    }
}

/// What can be read at any place.
pub trait ReadSeek: Read + Seek {}

impl<R: Read + Seek> ReadSeek for R {}

/// A stream cannot be gone back in: [`io::ErrorKind::NotSeekable`].
impl Seek for Reader {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        match self {
            Self::File(file) => file.seek(to),
            Self::Seekable(reader) => reader.seek(to),
            Self::Stream(_) => Err(io::ErrorKind::NotSeekable.into()),
        }
    }
}

impl Read for Reader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::File(file) => file.read(buffer),
            Self::Seekable(reader) => reader.read(buffer),
            Self::Stream(stream) => stream.read(buffer),
        }
    }
}

/// What an input holds.
#[expect(
    clippy::large_enum_variant,
    reason = "there is one for each input, and it is taken apart at once"
)]
pub enum Opened {
    /// One entity.
    One(Entity),
    /// As many as come.
    Many(Entities),
    /// Nothing of a known format.
    Nothing,
}

/// The entities of a container, one at a time.
pub type Entities = Box<dyn Container + Send>;

/// A file that holds entities: gives them in their order, and in their place what cannot be
/// read.
pub trait Container: Iterator<Item = Result<Entity, ReadError>> {
    /// The records that it has gone past that hold no HTML, and were not read, by their media
    /// type.
    fn skipped(&self) -> Skipped {
        Skipped::default()
    }

    /// How many they are.
    fn without_html(&self) -> u64 {
        self.skipped().total()
    }
}

/// Entities, and what could not be read, that are there at once.
impl Container for std::vec::IntoIter<Result<Entity, ReadError>> {}
