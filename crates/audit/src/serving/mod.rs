//! Infers where a site is served when there is no `--url-map`.

pub(crate) mod declared_site;
pub(crate) mod hints;
pub(crate) mod missing_links;
pub(crate) mod other_hosting;
pub(crate) mod own_address;
pub(crate) mod own_links;
pub(crate) mod url_map;

use baseref_site::hosting::Hosting;
use baseref_site::lookup::{Lookup, lookup};
use baseref_site::map::SiteMap;

use crate::serving::other_hosting::OtherHostings;
use crate::serving::own_address::OwnAddresses;

/// The sites of an audit, and how they are served.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Serving<'a> {
    pub(crate) map: &'a SiteMap,
    pub(crate) hosting: &'a Hosting,
    /// The addresses that the sites give themselves.
    pub(crate) own: &'a OwnAddresses,
    /// The other ways to serve them, if the user did not choose one.
    pub(crate) others: &'a OtherHostings,
}

impl Serving<'_> {
    /// Whether a site answers a path below its root with a file.
    fn has_file(self, site: usize, path: &str) -> bool {
        let tree = &self.map.sites()[site].tree;
        let found = lookup(tree, self.hosting, path, encoding_rs::UTF_8);
        matches!(found, Lookup::File(_))
    }
}
