//! A saved tree as a site: which file of it a URL names, and which URL a file has.
//!
//! ```
//! use baseref_site::hosting::Hosting;
//! use baseref_site::lookup::{Lookup, lookup};
//! use baseref_site::made_up::made_up;
//!
//! let tree = made_up(&["index.html", "guide/index.html"]);
//! let hosting = Hosting::default();
//! let Lookup::File(hit) = lookup(&tree, &hosting, "guide/", encoding_rs::UTF_8) else {
//!     panic!("a file");
//! };
//! assert_eq!(tree.file_path(hit.file).to_str(), Some("guide/index.html"));
//! ```
//!
//! - [`hosting`]: what a server makes of `/folder`, `/file` and `/file/`, one row per server;
//! - [`listing`]: the names below a directory, read once;
//! - [`map`]: maps between directories and the URLs they are served at;
//! - [`moves`]: what a URL becomes when everything below one prefix moves to another;
//! - [`lookup`]: the file that a URL path names;
//! - [`made_up`]: a tree of names alone;
//! - [`fragment`]: which part of a fragment names an element;
//! - [`names`]: the names in a page that fragments can point to;
//! - [`leading_on`]: pages that lead to another at once, and take the fragment along;
//! - [`inclusion`]: files that a server puts into a page;
//! - [`robots`]: what a `robots.txt` allows to every crawler;
//! - [`suggest`]: what the author of a broken link may have meant.
//!
//! Names are looked up in directory listings, never with `stat`, so the answers are the same whether or
//! not the file system folds case or normalizes Unicode.
//!
//! Outside baseref it serves local servers and checks that must know what a host will answer with a file.
//!
//! # What it does not do
//!
//! It reads no pages: which links there are is up to the caller. It applies no redirect rules; they are
//! the crate `baseref-server`'s.

mod file_url;
pub mod fragment;
pub mod hosting;
pub mod inclusion;
pub mod leading_on;
pub mod listing;
mod location;
pub mod lookup;
pub mod made_up;
pub mod map;
pub mod moves;
pub mod names;
mod near;
mod prefixes;
pub mod robots;
mod spelling;
pub mod suggest;

pub use file_url::url_below;
pub use spelling::Spelling;
