//! The files of a saved tree, as on a server at its address.

use baseref_resolve::parts;
use baseref_site::listing::{Node, Tree};

use crate::request::{FileKind, Files};

/// A tree, served below the paths of URLs.
pub struct TreeFiles<'t> {
    tree: &'t Tree,
    /// The decoded paths at which the root of the tree is served, each with a slash at both ends.
    roots: Vec<Vec<u8>>,
}

impl<'t> TreeFiles<'t> {
    /// The tree, served at these URLs.
    #[must_use]
    pub fn new<'u>(tree: &'t Tree, urls: impl Iterator<Item = &'u str>) -> Self {
        let path = |url: &str| {
            let path = &url[parts::origin(url).len()..];
            percent_encoding::percent_decode_str(path).collect::<Vec<u8>>()
        };
        Self {
            tree,
            roots: urls.map(path).collect(),
        }
    }

    /// What exists at a path below the root of the tree.
    fn below(&self, path: &[u8]) -> Option<FileKind> {
        let mut directory = self.tree.top();
        let mut names = path.split(|b| *b == b'/').peekable();
        while let Some(name) = names.next() {
            let is_last = names.peek().is_none();
            if name.is_empty() && is_last {
                return Some(FileKind::Directory);
            }
            match self.tree.exact(directory, name)? {
                Node::File(_) if is_last => return Some(FileKind::File),
                Node::Directory(inner) => directory = inner,
                _ => return None,
            }
        }
        Some(FileKind::Directory)
    }
}

impl Files for TreeFiles<'_> {
    fn kind(&self, path: &[u8]) -> Option<FileKind> {
        self.roots.iter().find_map(|root| {
            if let Some(rest) = path.strip_prefix(root.as_slice()) {
                return self.below(rest);
            }
            // The root without its slash, and the folders above it.
            let is_above = root.starts_with(path) && root.get(path.len()) == Some(&b'/');
            (is_above || path == b"/").then_some(FileKind::Directory)
        })
    }
}
