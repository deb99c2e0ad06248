//! An input whose first bytes are in memory, decompressed, and whose format is known.

use std::io;
use std::sync::Arc;

use super::failure;
use super::reader::Reader;
use super::window::Window;
use crate::codings::gzip::{MemberIndex, StreamFacts};
use crate::contents::Contents;
use crate::entity::{Entity, EntityKind};
use crate::format::Format;
use crate::nesting::Nesting;
use baseref_document::{
    Declaration, Feature, Limits, Origin, ReadError, ReadErrorCause, ReadErrorKind,
};
use baseref_text::decode::source::Markup;

/// An input that is ready for the reader of its format.
pub(crate) struct BufferedInput {
    pub name: Arc<str>,
    /// Its bytes, decompressed.
    pub window: Window<Reader>,
    /// The gzip members that it consists of.
    pub members: Option<MemberIndex>,
    /// The retrieval URLs that the user or files next to it declare.
    pub declarations: Vec<Declaration>,
    /// Whether the user named it.
    pub named: bool,
    /// The format given by the user.
    pub format: Option<Format>,
    /// The format suggested by its name.
    pub format_of_name: Option<Format>,
    /// The maximum size.
    pub bound: SizeBound,
    /// Its size in bytes if known, else 0.
    pub size: usize,
}

/// The maximum size of an input that is read as a whole.
pub(crate) enum SizeBound {
    /// No maximum: the input is a file.
    None,
    /// A number of bytes.
    #[cfg(feature = "archives")]
    Bytes(usize),
    /// What the compressed bytes read so far may inflate to.
    Inflated(StreamFacts, Limits),
}

impl SizeBound {
    fn bytes(&self) -> usize {
        match self {
            Self::None => usize::MAX - 1,
            #[cfg(feature = "archives")]
            Self::Bytes(bytes) => *bytes,
            Self::Inflated(facts, limits) => limits.inflated_from(facts.stored()),
        }
    }
}

impl BufferedInput {
    /// An error about the input as a whole.
    pub fn unread(&self, kind: ReadErrorKind, reason: impl Into<Box<str>>) -> ReadError {
        ReadError::new(kind, Origin::new(Arc::clone(&self.name)), reason)
    }

    /// The contents of an input whose reader is not built in. One that was only found in a directory
    /// is skipped, like any other that is not read.
    ///
    /// # Errors
    /// If the input was named.
    pub fn not_built_in(&self, feature: Feature) -> Result<Contents, ReadError> {
        if !self.named {
            return Ok(Contents::Empty);
        }
        let reason = format!("the format is not built in: it needs the feature `{feature}`");
        Err(self
            .unread(ReadErrorKind::NotBuiltIn, reason)
            .caused_by(ReadErrorCause::Feature(feature)))
    }

    /// The error for a read failure.
    pub fn failed(&self, failure: io::Error) -> ReadError {
        failure::unread(Origin::new(Arc::clone(&self.name)), failure)
    }

    /// Reads the input as one entity; `nesting` are the containers around it.
    ///
    /// # Errors
    /// If it is too large.
    pub fn into_entity(
        mut self,
        kind: EntityKind,
        markup: Markup,
        nesting: &Nesting,
    ) -> Result<Contents, ReadError> {
        let (bytes, failure) = self.take_bytes()?;
        let error = failure.map(|failure| self.failed(failure));
        let entity = Entity {
            kind,
            markup,
            declarations: self.declarations,
            nesting: nesting.clone(),
            ..Entity::html(Origin::new(self.name), bytes)
        };
        // The content before the damage is available.
        Ok(Contents::entity(entity, error))
    }

    /// Its bytes as a reader that can seek: a stream is read whole, up to `limit` bytes.
    ///
    /// # Errors
    /// If the stream is larger, or fails.
    #[cfg(feature = "archives")]
    pub fn into_seekable(mut self, limit: usize) -> Result<Reader, ReadError> {
        let nothing = Window::new(Reader::Stream(Box::new(io::empty())));
        let (read, reader) = std::mem::replace(&mut self.window, nothing).into_parts();
        if reader.is_seekable() {
            return Ok(reader);
        }
        let whole = io::Read::chain(io::Cursor::new(read), reader);
        self.window = Window::new(Reader::Stream(Box::new(whole)));
        self.bound = SizeBound::Bytes(limit);
        let (bytes, failure) = self.take_bytes()?;
        match failure {
            Some(failure) => Err(self.failed(failure)),
            None => Ok(Reader::Seekable(Box::new(io::Cursor::new(bytes)))),
        }
    }

    /// Takes all bytes out of the window, and the failure if they could not be read to the end.
    ///
    /// # Errors
    /// If there are too many.
    pub fn take_bytes(&mut self) -> Result<(Vec<u8>, Option<io::Error>), ReadError> {
        let missing = self.size.saturating_sub(self.window.rest(0).len());
        if self.window.reserve(missing).is_err() {
            let reason = format!("there is no memory for its {} bytes", self.size);
            return Err(self.unread(ReadErrorKind::Limit, reason));
        }
        loop {
            let limit = self.bound.bytes();
            if self.window.fill(limit + 1).len() <= limit {
                break;
            }
            // With more input read, its bound may allow the size.
            if self.bound.bytes() <= limit {
                let reason = format!("is larger than {limit} bytes and is not read");
                return Err(self.unread(ReadErrorKind::Limit, reason));
            }
        }
        let failure = self.window.take_failure();
        Ok((self.window.take_bytes(), failure))
    }
}
