//! The files of a saved tree, as on a server at its address.

use std::ffi::OsStr;

use baseref_resolve::parts;
use baseref_site::Spelling;
use baseref_site::hosting::Hosting;
use baseref_site::listing::{DirectoryId, Node, Tree, UnlistedDirectory};

use crate::request::{FileKind, Files};

/// A tree, served below the paths of URLs.
pub struct TreeFiles<'t> {
    tree: &'t Tree,
    /// The decoded paths at which the root of the tree is served, each with a slash at both ends.
    roots: Vec<Vec<u8>>,
    /// The directories that could not be listed: their paths below the root of the tree, as bytes.
    unlisted: Vec<Vec<u8>>,
    /// Whether `A` and `a` are different names.
    is_case_sensitive: bool,
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
            unlisted: tree.unlisted().iter().map(|one| below(tree, one)).collect(),
            is_case_sensitive: true,
        }
    }

    /// The same files on a server with this hosting, which may ignore the case of names.
    #[must_use]
    pub fn with_hosting(self, hosting: &Hosting) -> Self {
        Self {
            is_case_sensitive: hosting.case_sensitive,
            ..self
        }
    }

    /// The entry of a directory that a server finds by this name.
    fn entry(&self, directory: DirectoryId, name: &[u8]) -> Option<Node> {
        let exact = self.tree.exact(directory, name);
        if exact.is_some() || self.is_case_sensitive {
            return exact;
        }
        let (node, spelling) = self.tree.closest(directory, name, encoding_rs::UTF_8)?;
        matches!(spelling, Spelling::Exact | Spelling::Case).then_some(node)
    }

    /// The directory at a path below the root of the tree.
    fn directory(&self, path: &[u8]) -> Option<DirectoryId> {
        let names = path.split(|b| *b == b'/').filter(|name| !name.is_empty());
        let mut directory = self.tree.top();
        for name in names {
            match self.entry(directory, name)? {
                Node::Directory(inner) => directory = inner,
                _ => return None,
            }
        }
        Some(directory)
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
            match self.entry(directory, name)? {
                Node::File(_) if is_last => return Some(FileKind::File),
                Node::Directory(inner) => directory = inner,
                _ => return None,
            }
        }
        Some(FileKind::Directory)
    }
}

/// The path of an unlisted directory below the root of its tree.
fn below(tree: &Tree, unlisted: &UnlistedDirectory) -> Vec<u8> {
    let below = unlisted.path.strip_prefix(tree.root());
    let names = below.into_iter().flatten();
    let names: Vec<&[u8]> = names.map(OsStr::as_encoded_bytes).collect();
    names.join(&b'/')
}

impl Files for TreeFiles<'_> {
    fn is_unread(&self, path: &[u8]) -> bool {
        let rests = self
            .roots
            .iter()
            .filter_map(|root| path.strip_prefix(root.as_slice()));
        let is_in = |rest: &[u8], folder: &[u8]| {
            let rest = rest.strip_prefix(folder);
            folder.is_empty() || rest.is_some_and(|rest| matches!(rest, [] | [b'/', ..]))
        };
        rests
            .into_iter()
            .any(|rest| self.unlisted.iter().any(|folder| is_in(rest, folder)))
    }

    fn names_in(&self, path: &[u8]) -> Option<Vec<Vec<u8>>> {
        if self.is_unread(path) {
            return None;
        }
        let root = self.roots.iter().find(|root| path.starts_with(root))?;
        let Some(directory) = path
            .strip_prefix(root.as_slice())
            .and_then(|below| self.directory(below))
        else {
            return Some(Vec::new());
        };
        let entries = self.tree.entries(directory);
        Some(entries.map(|(name, _)| name.to_vec()).collect())
    }

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
