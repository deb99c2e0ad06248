//! A tree of names without a file system, for tests.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

use crate::directories::{Directories, Listed, NodeKind};
use crate::listing::Tree;

/// The directories of a virtual site, with root [`VIRTUAL_ROOT`].
#[derive(Debug, Default)]
pub struct VirtualDirectories(BTreeMap<PathBuf, BTreeMap<OsString, NodeKind>>);

/// The root directory of virtual sites.
pub const VIRTUAL_ROOT: &str = "/srv/site";

impl VirtualDirectories {
    /// The directories of `paths`: a path that ends with a slash is a directory, `name -> target` a
    /// link, and any other a file. Parent directories are added.
    #[must_use]
    pub fn new(paths: &[&str]) -> Self {
        let mut tree = Self::default();
        tree.0.insert(VIRTUAL_ROOT.into(), BTreeMap::new());
        for path in paths {
            let (path, kind) = match path.split_once(" -> ") {
                Some((path, target)) => (path, NodeKind::Link(target.into())),
                None if path.ends_with('/') => (*path, NodeKind::Directory),
                None => (*path, NodeKind::File),
            };
            tree.add(Path::new(path), kind);
        }
        tree
    }

    fn add(&mut self, path: &Path, kind: NodeKind) {
        let whole = Path::new(VIRTUAL_ROOT).join(path);
        if kind == NodeKind::Directory {
            self.0.entry(whole.clone()).or_default();
        }
        let parent = path.parent().expect("a path below the root");
        if parent != Path::new("") {
            self.add(parent, NodeKind::Directory);
        }
        let name = path
            .file_name()
            .expect("a path with a last segment")
            .to_owned();
        let parent = self.0.get_mut(whole.parent().expect("the root is above"));
        parent
            .expect("a parent added before its children")
            .entry(name)
            .or_insert(kind);
    }
}

impl Directories for VirtualDirectories {
    fn list(&self, directory: &Path) -> io::Result<Vec<Listed>> {
        let names = self.0.get(directory).ok_or(io::ErrorKind::NotFound)?;
        // The order is reversed, since no file system guarantees one.
        Ok(names
            .iter()
            .rev()
            .map(|(name, kind)| Listed {
                name: name.clone(),
                kind: kind.clone(),
                inode: None,
            })
            .collect())
    }

    fn canonical(&self, root: &Path) -> io::Result<PathBuf> {
        Ok(root.to_owned())
    }
}

/// The tree of `paths`, which are read as by [`VirtualDirectories::new`].
///
/// # Panics
///
/// Never, since the root exists.
#[must_use]
pub fn virtual_site(paths: &[&str]) -> Tree {
    Tree::read(Path::new(VIRTUAL_ROOT), &VirtualDirectories::new(paths))
        .expect("a tree of virtual files")
}
