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
mod piece;
mod supply;
#[cfg(test)]
mod tests;

pub use self::fold::fold;
pub use self::order::{Outbox, Sink};
pub use self::ordered::ordered;
pub use self::piece::{Input, Piece};
