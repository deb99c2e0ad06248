//! Saved documents of any kind to their bases and resolved links.
//!
//! [`read_path`] and its kin give the documents of a file, a stream or bytes in any format. [`base`]
//! chooses the base of each (RFC 1808 §3), and [`Policy::resolve`] resolves its links.
//!
//! [`read`] chooses the reader of each entity of a container, and [`mail`] takes a message apart;
//! only it names mailparse. Readers decide nothing: what a base is and what a reference resolves to
//! is decided in [`base`] and [`extract`] alone.

pub mod base;
mod documents;
pub mod extract;
pub mod keyed_hash;
pub mod mail;
pub mod read;

pub use self::base::{Base, BaseSource, Policy};
pub use self::documents::{Documents, read_bytes, read_from, read_html, read_path};
pub use self::extract::{Resolved, ResolvedLink};
