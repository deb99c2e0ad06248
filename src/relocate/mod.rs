//! A site that moves: what becomes of its links and addresses.
//!
//! - [`prefixes`]: what moves where;
//! - [`class`]: what becomes of one link;
//! - [`links`]: the links of a document under every rule set;
//! - [`page`]: the links of one document, judged and mended;
//! - [`redirects`] and [`follow`]: the rules of servers, and where an address leads by them;
//! - [`addresses`]: the old addresses, one by one, and what is wrong with the rules;
//! - [`differences`]: the links that differ between two versions of a document;
//! - [`edit`]: new values in the place of old ones, byte for byte;
//! - [`stubs`]: pages that send their readers on;
//! - [`two_trees`]: a tree and its rebuilt successor;
//! - [`occurrences`]: old addresses in text that no link has;
//! - [`old_urls`]: lists of old addresses;
//! - [`rewrite`]: links written anew by hand;
//! - [`rules`]: what can be found, with the texts that teach it.

pub mod addresses;
pub mod class;
pub mod differences;
pub mod edit;
mod facts;
pub mod follow;
pub mod links;
pub mod occurrences;
pub mod old_urls;
pub mod page;
pub mod prefixes;
pub mod redirects;
pub mod rewrite;
pub mod rules;
pub mod stubs;
mod tree;
pub mod two_trees;

pub use tree::TreeFiles;

/// The path of a document below a directory, with slashes; the name itself if it lies elsewhere.
#[must_use]
pub fn path_below(doc: &str, dir: &str) -> String {
    let dir = dir.trim_end_matches(['/', '\\']);
    let below = doc.strip_prefix(dir).unwrap_or(doc);
    below.trim_start_matches(['/', '\\']).to_owned()
}

/// The URL of a file below a prefix; an index has that of its folder.
#[must_use]
pub fn url_below(prefix: &str, path: &str) -> String {
    let mut url = prefix.to_owned();
    if !url.ends_with('/') {
        url.push('/');
    }
    let names: Vec<&str> = path.split('/').collect();
    for (number, name) in names.iter().enumerate() {
        let is_last = number + 1 == names.len();
        if is_last && *name == "index.html" {
            break;
        }
        crate::resolve::segment::push_segment(name.as_bytes(), &mut url);
        if !is_last {
            url.push('/');
        }
    }
    url
}
