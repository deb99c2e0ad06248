//! A saved tree as a site: the file of a URL, and the URL of a file.
//!
//! ```
//! use baseref_site::hosting::Hosting;
//! use baseref_site::lookup::{Lookup, lookup};
//! use baseref_site::virtual_site::virtual_site;
//!
//! let tree = virtual_site(&["index.html", "guide/index.html"]);
//! let hosting = Hosting::default();
//! let Lookup::File(hit) = lookup(&tree, &hosting, "guide/", encoding_rs::UTF_8) else {
//!     panic!("a file");
//! };
//! assert_eq!(tree.file_path(hit.file).to_str(), Some("guide/index.html"));
//! ```
//!
//! - [`hosting`]: how a server answers for `/folder`, `/file` and `/file/`;
//! - [`listing`]: the names below a directory, read once;
//! - [`map`]: maps between directories and the URLs they are served at;
//! - [`moves`]: what a URL becomes when everything below one prefix moves to another;
//! - [`lookup`]: the file that a URL path names;
//! - [`virtual_site`]: a tree that consists of names only;
//! - [`fragment`]: the part of a fragment that is an id;
//! - [`names`]: the ids in a page that fragments can point to;
//! - [`meta_refresh`]: pages that refresh to another at once and forward the fragment;
//! - [`inclusion`]: server-side includes;
//! - [`robots`]: the paths that a `robots.txt` allows to every crawler;
//! - [`suggest`]: likely targets of a broken link;
//! - [`same_bytes`]: where the files of an earlier state of a site are now;
//! - [`shown_text`]: the text of a page, and where its words are;
//! - [`text_directive`]: text fragments, and whether a page shows their text.
//!
//! Names are looked up in directory listings, never with `stat`, so the answers are the same whether or
//! not the file system folds case or normalizes Unicode.
//!
//! Internal to baseref, and versioned with it.
//!
//! # What it does not do
//!
//! It reads no pages: links come from the caller. It applies no redirect rules: the crate
//! `baseref-server` does.

mod directories;
mod file_url;
pub mod fragment;
pub mod hosting;
pub mod inclusion;
pub mod listing;
mod location;
pub mod lookup;
pub mod map;
pub mod meta_refresh;
pub mod moves;
pub mod names;
mod near;
mod prefix_tree;
mod prefixes;
pub mod robots;
pub mod same_bytes;
pub mod shown_text;
mod spelling;
pub mod suggest;
pub mod text_directive;
pub mod virtual_site;

pub use file_url::url_below;
pub use spelling::Spelling;
