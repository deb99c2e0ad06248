//! What happens to the links and addresses of a site that moves.
//!
//! ```
//! use baseref_migration::path_below;
//!
//! assert_eq!(path_below("site/guide/index.html", "site"), "guide/index.html");
//! ```
//!
//! - [`class`]: what happens to one link;
//! - [`page`]: classifies and fixes the links of one document;
//! - [`addresses`]: the verdict on each old address, and the faults of the redirect rules;
//! - [`differences`]: the links that differ between two versions of a document;
//! - [`compare`]: a site and its rebuilt successor;
//! - [`textual_mentions`]: old addresses outside links;
//! - [`old_urls`]: lists of old addresses;
//! - [`rules`]: the rules, with their explanations;
//! - [`verify_move`]: the check of a whole move.
//!
//! Tools that move or rebuild sites can use it without the rest of baseref.
//!
//! Internal to baseref, and versioned with it.
//!
//! # What it does not do
//!
//! It sends no requests: redirects follow from rule files. It writes no files: fixes are edits that the
//! caller applies or shows.

pub mod addresses;
pub mod class;
pub mod compare;
pub mod differences;
mod error;
mod lost_folder;
pub mod old_urls;
pub mod page;
pub mod rules;
pub mod textual_mentions;
mod tree;
pub mod verify_move;

pub use self::error::MoveError;

/// The path of a document below a directory, with slashes; the name itself if it is elsewhere.
#[must_use]
pub fn path_below(doc: &str, dir: &str) -> String {
    let dir = dir.trim_end_matches(['/', '\\']);
    let below = doc.strip_prefix(dir).unwrap_or(doc);
    below.trim_start_matches(['/', '\\']).to_owned()
}
