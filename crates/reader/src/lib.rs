//! Reads saved documents of any format, and gives their bases and resolved links.
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
//! [`read_path`], [`read_from`] and [`read_bytes`] give the documents of a file, a stream or bytes in
//! any format. [`base`] chooses the base of each (RFC 1808 §3), and [`Policy::resolve`] resolves its
//! links. Below them, [`read`] chooses the reader of each entity of a container, and [`mail`] reads
//! messages; only it uses mailparse. Readers neither choose a base nor resolve references; [`base`] and
//! [`links`] do.
//!
//! Internal to baseref, and versioned with it; the crate `baseref` re-exports its public interface.
//!
//! # What it does not do
//!
//! It fetches nothing, walks no folders and starts no threads. Whether the target of a link exists is
//! checked by the crate `baseref-audit`.

pub mod base;
mod documents;
pub mod keyed_hash;
pub mod links;
#[cfg(feature = "mail")]
pub mod mail;
pub mod read;

pub use self::base::{Base, BaseSource, Policy};
pub use self::documents::{Documents, read_bytes, read_from, read_html, read_path};
#[doc(hidden)]
pub use self::documents::{read_outline, read_recorded_sources, read_shown_text};
pub use self::links::{Resolved, ResolvedLink};
