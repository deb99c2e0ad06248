//! The only threads: a source of inputs in, results out in input order.
//!
//! [`ordered`] hands each entity of the inputs to a function on one of several threads and its
//! results, in input order, to a sink. [`fold`] gathers instead of handing on. Both open the
//! inputs on the threads that work, share out the entities of a container, look ahead a
//! bounded way only, and give the same for any number of threads. What the work is, and what
//! becomes of its results, they do not know.
//!
//! A panic of a reader costs what it was reading, and not the run: see [`guard`].

mod fold;
pub mod guard;
mod order;
mod ordered;
mod supply;
#[cfg(test)]
mod tests;

pub use self::fold::fold;
pub use self::order::{Outbox, Sink};
pub use self::ordered::ordered;

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
