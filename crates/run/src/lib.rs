//! The thread pool: a source of inputs in, results out in input order. No other crate starts threads,
//! except `baseref-files`, which starts one that waits for signals.
//!
//! ```
//! use std::num::NonZeroUsize;
//!
//! use baseref_container::{Contents, Entity};
//! use baseref_document::{Origin, ReadError};
//! use baseref_run::{Input, Piece};
//!
//! struct Page(&'static str);
//!
//! impl Input for Page {
//!     fn origin(&self) -> Origin {
//!         Origin::new(self.0)
//!     }
//!
//!     fn open(self) -> Result<Contents, ReadError> {
//!         Ok(Contents::Single(Entity::html(self.origin(), self.0.into())))
//!     }
//! }
//!
//! let pages = ["a", "bb", "ccc"].map(|page| Ok(Page(page)));
//! let threads = NonZeroUsize::MIN;
//! let add = |piece: Piece, bytes: &mut usize| {
//!     if let Piece::Entity(entity) = piece {
//!         *bytes += entity.bytes.len();
//!     }
//! };
//! let bytes = baseref_run::fold(pages.into_iter(), threads, add, |all, more| *all += more);
//! assert_eq!(bytes, 6);
//! ```
//!  [`ordered`] passes each entity of the inputs to a function on one of several threads, and the
//! results, in input order, to a sink. [`fold`] folds them into one value instead. Both open inputs
//! on the worker threads, share out the entities of a container, have a bounded look-ahead, and
//! give the same result for any number of threads, as does [`map`] of a list in memory. A panic in
//! a reader loses the entity that it was reading, not the run: see [`guard`].
//!
//! Internal to baseref, and versioned with it.
//!
//! # What it does not do
//!  It knows neither the work nor the use of its results. The crate `baseref-walk` finds the
//! inputs.

mod container_queue;
mod fold;
pub mod guard;
mod map;
mod ordered;
mod piece;
mod reorder_buffer;
#[cfg(test)]
mod tests;
mod work_queue;

pub use self::fold::fold;
pub use self::map::map;
pub use self::ordered::ordered;
pub use self::piece::{Input, Piece};
pub use self::reorder_buffer::{ResultBuffer, Sink};
