//! A file or stream before its first byte is read, and what it turns out to hold.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::sync::Arc;

use super::delivery::Watched;
use super::format::Format;
use super::window::CHUNK;
use crate::entity::Entity;
use baseref_document::{Declaration, ReadError, Skipped};

/// An input before its first byte is read.
pub struct Input {
    /// Its name as given by the user.
    pub name: Arc<str>,
    /// Its bytes.
    pub reader: Reader,
    /// Its size in bytes, if known: memory is reserved at once.
    pub size: Option<u64>,
    /// The format given by the user.
    pub format: Option<Format>,
    /// The format suggested by its name; used only if its content does not decide.
    pub format_of_name: Option<Format>,
    /// Whether the user named it: text of no known format is then read as HTML, whereas a file only
    /// found in a directory is left alone.
    pub named: bool,
    /// The declarations by the user and by marks beside it: retrieval URLs.
    pub declarations: Vec<Declaration>,
}

impl Input {
    /// Whether it is a document before its content is known: of others only the beginning is read,
    /// until that shows one.
    pub(super) fn is_expected(&self) -> bool {
        self.named || self.format.or(self.format_of_name).is_some()
    }
}

/// The bytes of an input.
pub enum Reader {
    /// A file, which is seekable.
    File(File),
    /// Anything else that is seekable.
    Seekable(Box<dyn ReadSeek + Send>),
    /// Bytes that can be read only once.
    Stream(Box<dyn Read + Send>),
    /// Any of these, whose first failure is noted.
    #[doc(hidden)]
    Watched(Box<Watched>),
}

impl Reader {
    /// Appends at most so many bytes; fewer only at the end. A file's own implementation needs no
    /// initialized buffer.
    pub(super) fn append(&mut self, most: u64, buffer: &mut Vec<u8>) -> io::Result<usize> {
        match self {
            Self::File(file) => file.take(most).read_to_end(buffer),
            Self::Seekable(reader) => reader.take(most).read_to_end(buffer),
            Self::Stream(stream) => append(stream, most, buffer),
            Self::Watched(watched) => watched.append(most, buffer),
        }
    }

    /// Whether it is seekable.
    #[cfg(feature = "archives")]
    pub(super) fn is_seekable(&self) -> bool {
        match self {
            Self::File(_) | Self::Seekable(_) => true,
            Self::Stream(_) => false,
            Self::Watched(watched) => watched.is_seekable(),
        }
    }
}

/// Appends at most so many bytes of a stream, in steps that are as large from the first on:
/// decompressors are slower in the small ones that [`Read::read_to_end`] begins with.
fn append(stream: &mut dyn Read, most: u64, buffer: &mut Vec<u8>) -> io::Result<usize> {
    let start = buffer.len();
    let mut end = start;
    let mut left = usize::try_from(most).unwrap_or(usize::MAX);
    let result = loop {
        let step = left.min(CHUNK);
        buffer.resize(end + step, 0);
        match stream.read(&mut buffer[end..]) {
            Ok(0) => break Ok(end - start),
            Ok(read) => {
                end += read;
                left -= read;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => break Err(error),
        }
    };
    buffer.truncate(end);
    result
}

/// A seekable reader.
pub trait ReadSeek: Read + Seek {}

impl<R: Read + Seek> ReadSeek for R {}

/// Seeking in a stream fails with [`io::ErrorKind::NotSeekable`].
impl Seek for Reader {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        match self {
            Self::File(file) => file.seek(to),
            Self::Seekable(reader) => reader.seek(to),
            Self::Stream(_) => Err(io::ErrorKind::NotSeekable.into()),
            Self::Watched(watched) => watched.seek(to),
        }
    }
}

impl Read for Reader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::File(file) => file.read(buffer),
            Self::Seekable(reader) => reader.read(buffer),
            Self::Stream(stream) => stream.read(buffer),
            Self::Watched(watched) => watched.read(buffer),
        }
    }
}

/// What an input holds.
#[cfg_attr(
    target_pointer_width = "64",
    expect(
        clippy::large_enum_variant,
        reason = "there is one per input, and it is taken apart at once"
    )
)]
pub enum Opened {
    /// One entity.
    One(Entity),
    /// Any number of entities.
    Many(Entities),
    /// Nothing of a known format.
    Nothing,
}

impl Opened {
    /// All of its entities.
    #[must_use]
    pub fn into_entities(self) -> Entities {
        match self {
            Self::One(entity) => Box::new(vec![Ok(entity)].into_iter()),
            Self::Many(entities) => entities,
            Self::Nothing => Box::new(Vec::new().into_iter()),
        }
    }
}

/// The entities of a container, one at a time.
pub type Entities = Box<dyn Container + Send>;

/// A file that holds entities: yields them in order, with an error in place of each that cannot be
/// read.
pub trait Container: Iterator<Item = Result<Entity, ReadError>> {
    /// The records so far that were skipped because they hold no HTML, by media type.
    fn skipped(&self) -> Skipped {
        Skipped::default()
    }

    /// The number of those records.
    fn without_html(&self) -> u64 {
        self.skipped().total()
    }
}

/// Entities and errors collected in advance.
impl Container for std::vec::IntoIter<Result<Entity, ReadError>> {}
