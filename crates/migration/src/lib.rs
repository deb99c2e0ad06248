//! What happens to the links and addresses of a site that moves.
//!
//! ```
//! use baseref_migration::url_below;
//!
//! let url = url_below("https://new.example/notes/", b"guide/index.html");
//! assert_eq!(url, "https://new.example/notes/guide/");
//! ```
//!
//! - [`class`]: what happens to one link;
//! - [`page`]: the links of one document, judged and fixed;
//! - [`redirects`] and [`follow`]: servers' redirect rules, and where they lead;
//! - [`addresses`]: the old addresses, one by one, and the faults of the rules;
//! - [`differences`]: the links that differ between two versions of a document;
//! - [`fingerprint`]: names that builds make from the contents of files;
//! - [`stubs`]: pages that redirect by themselves;
//! - [`successors`]: the new pages that lost ones may have become;
//! - [`two_trees`]: a tree and its rebuilt successor;
//! - [`interner`]: strings that many links share;
//! - [`textual_mentions`]: old addresses outside links;
//! - [`old_urls`]: lists of old addresses;
//! - [`rules`]: the rules, with their explanations;
//! - [`rule_files`]: the files of redirect rules that a user names;
//! - [`verify_move`]: the check of a whole move.
//!
//! Outside baseref it serves tools that move or rebuild sites.
//!
//! # What it does not do
//!
//! It asks no server: redirects are worked out from rules. It writes no files: fixes are edits, which
//! the caller applies or shows.

pub mod addresses;
pub mod class;
pub mod differences;
pub mod fingerprint;
pub mod follow;
pub mod interner;
mod near_miss;
pub mod old_urls;
pub mod page;
mod page_metadata;
pub mod rule_files;
pub mod rules;
pub mod stubs;
pub mod successors;
pub mod textual_mentions;
mod tree;
pub mod two_trees;
pub mod verify_move;

pub use tree::TreeFiles;

/// The path of a document below a directory, with slashes; the name itself if it is elsewhere.
#[must_use]
pub fn path_below(doc: &str, dir: &str) -> String {
    let dir = dir.trim_end_matches(['/', '\\']);
    let below = doc.strip_prefix(dir).unwrap_or(doc);
    below.trim_start_matches(['/', '\\']).to_owned()
}

/// The URL of a file below a prefix, from the bytes of its path; for an index, that of its folder.
#[must_use]
pub fn url_below(prefix: &str, path: &[u8]) -> String {
    let mut url = prefix.to_owned();
    if !url.ends_with('/') {
        url.push('/');
    }
    let names: Vec<&[u8]> = path.split(|b| *b == b'/').collect();
    for (number, name) in names.iter().enumerate() {
        let is_last = number + 1 == names.len();
        if is_last && *name == b"index.html" {
            break;
        }
        baseref_resolve::segment::push_segment(name, &mut url);
        if !is_last {
            url.push('/');
        }
    }
    url
}
