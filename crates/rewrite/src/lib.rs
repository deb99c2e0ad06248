//! Rewrites the links of a document, byte for byte.
//!
//! ```
//! use baseref_rewrite::edit::{self, Edit};
//!
//! let page = b"<a href='old.html'>guide</a>";
//! let mut edits = vec![Edit { byte: 9..17, bytes: b"new.html".to_vec() }];
//! let edited = edit::applied(page, &mut edits).expect("edits within the page");
//! assert_eq!(edited, b"<a href='new.html'>guide</a>");
//! ```
//!
//! - [`edit`]: edits of single values, and diffs of them;
//! - [`links`]: the links of a document under every rule set;
//! - [`rewriting`]: links rewritten to another prefix, or to relative or absolute form.
//!
//! Internal to baseref, and versioned with it.
//!
//! # What it does not do
//!
//! It writes no files: the caller applies the edits or shows them.

pub mod edit;
pub mod links;
pub mod rewriting;
