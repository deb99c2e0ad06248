//! The work of threads: inputs to open, and the pieces that they consist of.

use baseref_container::{Contents, Entity};
use baseref_document::ReadError;
use baseref_document::{Origin, Skipped};

/// An input that can be opened on a thread other than the one that found it.
pub trait Input: Send {
    /// Its origin, for messages about it.
    fn origin(&self) -> Origin;

    /// Whether opening it may wait for its bytes, as it does for standard input. Then the inputs before it are
    /// worked on first.
    fn may_wait(&self) -> bool {
        true
    }

    /// Opens it: one entity, many, or nothing readable.
    ///
    /// # Errors
    /// If it cannot be read.
    fn open(self) -> Result<Contents, ReadError>;
}

/// An [`Input`] of any type.
pub(super) trait OpenInput: Send {
    fn origin(&self) -> Origin;
    fn may_wait(&self) -> bool;
    fn open(self: Box<Self>) -> Result<Contents, ReadError>;
}

impl<I: Input> OpenInput for I {
    fn origin(&self) -> Origin {
        Input::origin(self)
    }

    fn may_wait(&self) -> bool {
        Input::may_wait(self)
    }

    fn open(self: Box<Self>) -> Result<Contents, ReadError> {
        Input::open(*self)
    }
}

/// The pieces of the inputs, in order.
pub enum Piece {
    /// A file, a message of a mailbox, a record of a web archive.
    Entity(Entity),
    /// In place of an input or entity that could not be read.
    Unread(ReadError),
    /// At the end of a container: the records skipped because they hold no HTML.
    Skipped(Skipped),
}
