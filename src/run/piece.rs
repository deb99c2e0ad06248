//! What is handed out to threads: inputs to be opened, and the pieces that they are made of.

use crate::container::entity::Entity;
use crate::container::input::Opened;
use crate::document::{Origin, Skipped};
use crate::error::ReadError;

/// An input that can be opened on another thread than the one that found it.
pub trait Input: Send {
    /// Where it stands, for messages about it.
    fn origin(&self) -> Origin;

    /// Opens it: one entity, many, or nothing that is read.
    ///
    /// # Errors
    /// When it cannot be read.
    fn open(self) -> Result<Opened, ReadError>;
}

/// What the inputs are made of, in the order in which it comes.
pub enum Piece {
    /// A file, a message of a mailbox, a record of a web archive.
    Entity(Entity),
    /// In the place of an input or an entity: it could not be read.
    Unread(ReadError),
    /// At the end of a container: its records that hold no HTML and were not read.
    Skipped(Skipped),
}
