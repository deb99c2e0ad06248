//! Pages, style sheets and plain text to documents: links in the order in which a browser has them, and
//! every declaration of a base.
//!
//! ```
//! use baseref_document::{Origin, ReadOptions};
//! use baseref_html::{Markup, MarkupSource};
//!
//! let page = b"<base href=http://a/><p><a href=x>one</a>";
//! let source = MarkupSource::new(Markup::Html, page, Origin::new("page.html"));
//! let document = baseref_html::read(source, &ReadOptions::default());
//! let link = document.references.iter().next().expect("the document has a link");
//! assert_eq!((link.value, link.text), ("x", Some("one")));
//! assert_eq!(&*document.declarations[0].value, "http://a/");
//! ```
//!
//! A page is read in the order of its tags as long as that is provably the order of the tree that a
//! browser builds; otherwise the tree is built. The field `reading` of a document
//! says which. It is the only crate that names html5ever.
//!
//! On its own it serves programs that want the links of millions of pages, with exact positions.
//!
//! # What it does not do
//!
//! It resolves nothing and chooses no base. It runs no scripts, and builds no tree that one could walk.

mod bytes;
mod character_reference;
mod collect;
mod companion_attributes;
mod data_url;
mod doctype;
#[doc(hidden)]
pub mod layers;
mod link_place_index;
mod link_text;
mod mail_body;
mod named_characters;
mod names;
mod outline;
mod page;
#[cfg(feature = "rcdom")]
pub mod rcdom;
mod recorded_sources;
mod saved_from;
mod shown_text;
mod streaming;
mod tags;
pub mod text;
mod token_order;
mod tokenizer;
mod tree;
mod xml;

pub use self::mail_body::read as read_mail_body;
pub use self::page::{read, read_outline, read_recorded_sources, read_shown_text};
pub use baseref_text::decode::source::{Markup, MarkupSource};
