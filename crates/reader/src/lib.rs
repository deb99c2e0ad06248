//! Saved documents of any kind to their bases and resolved links.
//!
//! ```
//! use baseref_document::ReadOptions;
//! use baseref_reader::Policy;
//!
//! let mail = b"Content-Base: http://a/b/\nContent-Type: text/html\n\n<a href=../c>";
//! for document in baseref_reader::read_bytes("mail.eml", *mail, None, &ReadOptions::default())? {
//!     let document = document?;
//!     let resolved = Policy::default().resolve(&document);
//!     let urls: Vec<_> = resolved.links().filter_map(|link| link.url.ok()).collect();
//!     assert_eq!(urls, ["http://a/c"]);
//! }
//! # Ok::<(), baseref_document::ReadError>(())
//! ```
//!
//! [`read_path`] and its kin give the documents of a file, a stream or bytes in any format. [`base`]
//! chooses the base of each (RFC 1808 §3), and [`Policy::resolve`] resolves its links. Below them,
//! [`read`] chooses the reader of each entity of a container, and [`mail`] takes a message apart; only
//! it names mailparse. Readers decide nothing: what a base is and what a reference resolves to is
//! decided in [`base`] and [`extract`] alone.
//!
//! Outside baseref, the crate `baseref` re-exports what most programs need of it.
//!
//! # What it does not do
//!
//! It fetches nothing, walks no folders and starts no threads. It does not say whether a link leads
//! anywhere: that is the crate `baseref-audit`'s.

pub mod base;
mod documents;
pub mod extract;
pub mod keyed_hash;
pub mod mail;
pub mod read;

pub use self::base::{Base, BaseSource, Policy};
pub use self::documents::{Documents, read_bytes, read_from, read_html, read_path};
#[doc(hidden)]
pub use self::documents::{read_outline, read_recorded_sources};
pub use self::extract::{Resolved, ResolvedLink};
