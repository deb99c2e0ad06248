//! Infers where a site is served when there is no `--url-map`.

pub(crate) mod declared_site;
pub(crate) mod hints;
pub(crate) mod url_map;

use baseref_site::hosting::Hosting;
use baseref_site::lookup::{Lookup, lookup};
use baseref_site::map::SiteMap;

/// The sites of an audit, and how they are served.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Serving<'a> {
    pub(crate) map: &'a SiteMap,
    pub(crate) hosting: &'a Hosting,
}

impl Serving<'_> {
    /// Whether a site answers a path below its root with a file.
    fn has_file(self, site: usize, path: &str) -> bool {
        let tree = &self.map.sites()[site].tree;
        let found = lookup(tree, self.hosting, path, encoding_rs::UTF_8);
        matches!(found, Lookup::File(_))
    }
}
