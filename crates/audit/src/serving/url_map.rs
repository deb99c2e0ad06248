//! The `--url-map` option that gives the address of a site.

use baseref_files::name_bytes;
use baseref_resolve::segment::push_segment;
use baseref_site::map::Site;

/// The maximum number of path segments in a suggested `--url-map`.
pub(crate) const DEEPEST: usize = 8;

/// The option for a site and the path or URL where it is served.
pub(crate) fn url_map(site: &Site, path: &str) -> String {
    format!("--url-map {}={path}", site.tree.root().display())
}

/// The last directories of the path that the user gave for a site, as a URL path.
pub(crate) fn own_path(site: &Site, levels: usize) -> String {
    let mut names: Vec<_> = site
        .tree
        .root()
        .components()
        .rev()
        .map_while(|component| match component {
            std::path::Component::Normal(name) => Some(name),
            _ => None,
        })
        .take(levels.min(DEEPEST))
        .collect();
    let unnamed = levels.min(DEEPEST) - names.len();
    names.reverse();
    let mut path = "/PATH".repeat(unnamed);
    for name in names {
        path.push('/');
        push_segment(name_bytes(name).as_ref(), &mut path);
    }
    path.push('/');
    path
}
