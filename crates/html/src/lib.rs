//! Reads a page, style sheet or text into a `Document`: its links in
//! the order a browser has them, and every declaration of a base. The only crate that names
//! html5ever.

mod bytes;
mod character_reference;
mod collect;
mod data_url;
mod doctype;
#[doc(hidden)]
pub mod layers;
mod link_text;
mod names;
mod page;
#[cfg(feature = "rcdom")]
pub mod rcdom;
mod saved_from;
mod slot_index;
mod streaming;
pub mod tags;
pub mod text;
mod token_order;
mod tokenizer;
mod tree;
mod xml;

pub use self::page::read;
pub use baseref_text::decode::source::{Markup, Source};
