//! An earlier state of a site, in which files that are missing now may have been.

use std::path::Path;

use crate::serving::Serving;
use baseref_files::Files;
use baseref_site::listing::{FileSystem, Tree};
use baseref_site::lookup::{Lookup, lookup};
use baseref_site::same_bytes::{SameBytes, TwoTrees};

/// The earlier state of the site with this number.
#[derive(Debug)]
pub(crate) struct EarlierSite {
    tree: Tree,
    site: usize,
    same_bytes: SameBytes,
}

impl EarlierSite {
    /// Lists the files of the earlier state in a directory.
    pub(crate) fn read(directory: &Path, site: usize, files: &Files) -> std::io::Result<Self> {
        Ok(Self {
            tree: Tree::read(directory, &FileSystem(files))?,
            site,
            same_bytes: SameBytes::default(),
        })
    }

    /// The URL of the file that had the path of a missing one, if its bytes are elsewhere in the site now.
    pub(crate) fn moved(
        &self,
        serving: Serving<'_>,
        files: &Files,
        site: usize,
        path: &str,
    ) -> Option<String> {
        let sites = serving.map.sites();
        let new = &sites.get(site).filter(|_| site == self.site)?.tree;
        let found = lookup(&self.tree, serving.hosting, path, encoding_rs::UTF_8);
        let Lookup::File(hit) = found else {
            return None;
        };
        let trees = TwoTrees {
            old: &self.tree,
            new,
            files,
        };
        let file = self.same_bytes.moved(trees, hit.file)?;
        let url = serving.map.url_of(site, file, &[]);
        Some(serving.map.shown(&url).to_owned())
    }
}
