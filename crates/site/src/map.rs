//! Maps between saved trees and the URLs they are served at.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};
use std::ops::Bound;

use memchr::{memchr_iter, memchr3};

use super::listing::{FileId, Tree};
pub use super::location::Location;
use super::prefixes::{Prefix, Prefixes};
use baseref_resolve::normal::{NormalOptions, normal};
use baseref_resolve::parts::{self, origin, without_query};
use baseref_resolve::rfc3986::Parts;
use baseref_resolve::segment::push_segment;

/// The suffix of placeholder hosts for sites at an unknown URL, reserved by RFC 2606 §2. Reports never
/// show it: see [`SiteMap::shown`].
const UNKNOWN_HOST: &str = ".site.invalid";

/// The URL at which a tree is served.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Address {
    /// An absolute URL with a host, or a `file` URL.
    Url(String),
    /// A path on an unknown host; empty or `/` for its root.
    Path(String),
}

/// Why a URL cannot be the address of a site.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AddressError {
    /// It has no scheme and host, and does not start with a slash.
    #[error("{0:?} is neither an absolute URL with a host nor a path that starts with a slash")]
    NotAbsolute(String),
    /// It has a query or a fragment.
    #[error("{0:?} has a query or a fragment, and no other URL can start with it")]
    NotAPrefix(String),
    /// Two trees are served at the same URL.
    #[error("two directories are mapped to {0}")]
    Twice(String),
    /// An alias is given for a URL at which no tree is served.
    #[error("no directory is mapped to {0}")]
    NoSuchSite(String),
}

/// One tree and its address.
#[derive(Debug)]
pub struct Site {
    /// The names below its directory.
    pub tree: Tree,
    /// The URL of its root, in normal form, with a trailing slash.
    prefix: String,
    /// Whether this URL is entirely unknown.
    is_unplaced: bool,
    has_unknown_host: bool,
    is_copy: bool,
}

impl Site {
    /// The URL of its root, in normal form, with a trailing slash.
    #[must_use]
    pub fn prefix(&self) -> &str {
        &self.prefix
    }

    /// Whether neither the host nor the path of its root is known, so that it may or may not be the
    /// root of its host.
    #[must_use]
    pub fn is_unplaced(&self) -> bool {
        self.is_unplaced
    }

    /// Whether a program saved its files from the web, so that they are what one browser or crawler asked
    /// for, not all that the site has.
    #[must_use]
    pub fn is_copy(&self) -> bool {
        self.is_copy
    }

    /// Whether the host is unknown.
    #[must_use]
    pub fn has_unknown_host(&self) -> bool {
        self.has_unknown_host
    }
}

/// All trees and their URLs.
#[derive(Debug, Default)]
pub struct SiteMap {
    sites: Vec<Site>,
    prefixes: Prefixes,
    /// Recorded URLs of files, in normal form, with the site and the escaped path of the file below its
    /// root.
    recorded: HashMap<String, (usize, String)>,
    /// The hosts and ports of those URLs.
    hosts: BTreeSet<String>,
}

impl SiteMap {
    /// An empty map: every URL is external.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a tree. Each tree without a known host gets a host of its own.
    ///
    /// # Errors
    /// If the address is malformed or belongs to another tree.
    pub fn add(&mut self, tree: Tree, address: &Address) -> Result<usize, AddressError> {
        let number = self.sites.len();
        let url = match address {
            Address::Url(url) => url.clone(),
            Address::Path(path) if path.is_empty() || path.starts_with('/') => {
                format!("https://{number}{UNKNOWN_HOST}{path}")
            }
            Address::Path(path) => return Err(AddressError::NotAbsolute(path.clone())),
        };
        let prefix = prefix(&url)?;
        self.add_prefix(prefix.clone(), number, String::new())?;
        let is_unplaced = matches!(address, Address::Path(path) if path.is_empty());
        self.sites.push(Site {
            tree,
            has_unknown_host: origin(&prefix).ends_with(UNKNOWN_HOST),
            prefix,
            is_unplaced,
            is_copy: false,
        });
        Ok(number)
    }

    /// Marks a site as a copy: see [`Site::is_copy`].
    pub fn set_copy(&mut self, site: usize) {
        if let Some(site) = self.sites.get_mut(site) {
            site.is_copy = true;
        }
    }

    /// Adds another URL for the tree served at `url`.
    ///
    /// # Errors
    /// If either is malformed, no tree is served at `url`, or another one is served at `alias`.
    pub fn add_alias(&mut self, url: &str, alias: &str) -> Result<(), AddressError> {
        let known = prefix(url)?;
        let Some(served) = self.prefixes.at(&known) else {
            return Err(AddressError::NoSuchSite(url.to_owned()));
        };
        let (site, folder) = (served.site, served.folder.clone());
        self.add_prefix(prefix(alias)?, site, folder)
    }

    /// Adds a URL at which a folder of a site is served, given by the unescaped names of the folders that
    /// lead to it.
    ///
    /// # Errors
    /// If it is malformed, or something else is served there.
    pub fn add_folder(
        &mut self,
        site: usize,
        folder: &[&[u8]],
        url: &str,
    ) -> Result<(), AddressError> {
        let mut escaped = String::new();
        for name in folder {
            push_segment(name, &mut escaped);
            escaped.push('/');
        }
        self.add_prefix(prefix(url)?, site, escaped)
    }

    /// Adds the recorded URL of a file of a site. The first file of a URL wins.
    pub fn add_recorded(&mut self, site: usize, file: FileId, url: &str) {
        let form = normal(url, &NormalOptions::default());
        self.add_host(&form);
        let path = self.url_of(site, file, &[]);
        let path = path[self.sites[site].prefix.len()..].to_owned();
        self.recorded.entry(form).or_insert((site, path));
    }

    fn add_prefix(&mut self, url: String, site: usize, folder: String) -> Result<(), AddressError> {
        if self.prefixes.at(&url).is_some() {
            return Err(AddressError::Twice(url));
        }
        self.add_host(&url);
        self.prefixes.add(Prefix { url, site, folder });
        Ok(())
    }

    fn add_host(&mut self, url: &str) {
        let host = parts::authority(url).unwrap_or_default();
        if !self.hosts.contains(host) {
            self.hosts.insert(host.to_owned());
        }
    }

    /// The sites, in the order they were added.
    #[must_use]
    pub fn sites(&self) -> &[Site] {
        &self.sites
    }

    /// Locates `url`: below the longest root that is a prefix of it, comparing whole names.
    #[must_use]
    pub fn locate<'u>(&self, url: &'u str) -> Location<'u> {
        let bare = without_query(url);
        let found = self.prefixes.longest(bare);
        if let Some((prefix, rest)) = found
            && let Some(other) = self.prefixes.beside(prefix, rest)
        {
            return self.locate_normal(&normal(&other, &NormalOptions::default()));
        }
        if let Some((prefix, rest)) = found
            && !needs_normal_form(rest)
            && self.recorded.is_empty()
        {
            return prefix.holds(Cow::Borrowed(rest));
        }
        if found.is_none() && !self.may_share_host(url) {
            return Location::External;
        }
        self.locate_normal(&normal(url, &NormalOptions::default()))
    }

    /// [`SiteMap::locate`] for a URL in normal form, which has no dot segments.
    fn locate_normal(&self, url: &str) -> Location<'static> {
        let of_page = url.split('#').next().unwrap_or_default();
        if let Some((site, path)) = self.recorded.get(of_page) {
            return Location::Inside {
                site: *site,
                path: Cow::Owned(path.clone()),
            };
        }
        let bare = without_query(url);
        if let Some((prefix, path)) = self.prefixes.longest(bare) {
            return prefix.holds(Cow::Owned(path.to_owned()));
        }
        match self.prefixes.longest_on_origin(origin(bare)) {
            Some(prefix) => Location::Outside { site: prefix.site },
            None => Location::External,
        }
    }

    /// The origin of a URL, if it certainly is not on the host of a site.
    #[must_use]
    pub fn foreign_origin<'u>(&self, url: &'u str) -> Option<&'u str> {
        let origin = origin(url);
        (!origin.is_empty() && !self.may_share_host(origin)).then_some(origin)
    }

    /// Whether a URL, once normalized, could be on the host of a site: a quick test that rules out
    /// almost every other URL.
    fn may_share_host(&self, url: &str) -> bool {
        let bytes = url.as_bytes();
        let slashes = memchr_iter(b'/', bytes).find(|at| bytes.get(at + 1) == Some(&b'/'));
        let Some(after) = slashes.map(|slashes| &url[slashes + 2..]) else {
            return url.starts_with("file:");
        };
        let end = memchr3(b'/', b'?', b'#', after.as_bytes()).unwrap_or(after.len());
        let host = &after[..end];
        let is_plain = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-');
        if !host.bytes().all(is_plain) {
            return true;
        }
        // Normal forms are in lower case.
        let host = if host.bytes().any(|b| b.is_ascii_uppercase()) {
            Cow::Owned(host.to_ascii_lowercase())
        } else {
            Cow::Borrowed(host)
        };
        let from = (Bound::Included(&*host), Bound::Unbounded);
        let mut from = self.hosts.range::<str, _>(from);
        from.next().is_some_and(|own| own.starts_with(&*host))
    }

    /// The URL that a file of a site was retrieved from. A file whose name is in `index` has the URL of
    /// its directory.
    #[must_use]
    pub fn url_of(&self, site: usize, file: FileId, index: &[String]) -> String {
        let Site { tree, prefix, .. } = &self.sites[site];
        let mut url = prefix.clone();
        let names = tree.names_of(file);
        let last = names.len().saturating_sub(1);
        for (number, name) in names.into_iter().enumerate() {
            let is_index = || index.iter().any(|index| index.as_bytes() == name);
            if number == last && is_index() {
                break;
            }
            push_segment(name, &mut url);
            if number < last {
                url.push('/');
            }
        }
        url
    }

    /// A URL as shown in reports: without an unknown host.
    #[must_use]
    pub fn shown<'u>(&self, url: &'u str) -> &'u str {
        let host = origin(url);
        let is_ours =
            host.ends_with(UNKNOWN_HOST) && self.prefixes.longest_on_origin(host).is_some();
        match url.get(host.len()..) {
            Some("") if is_ours => "/",
            Some(rest) if is_ours => rest,
            _ => url,
        }
    }
}

/// The normal form of the URL of a root, with a trailing slash.
fn prefix(url: &str) -> Result<String, AddressError> {
    let parts = Parts::parse(url);
    let has_host = parts.authority.is_some_and(|host| !host.is_empty());
    let is_file = parts
        .scheme
        .is_some_and(|scheme| scheme.eq_ignore_ascii_case("file"));
    if parts.scheme.is_none() || !(has_host || is_file && parts.path.starts_with('/')) {
        return Err(AddressError::NotAbsolute(url.to_owned()));
    }
    if parts.query.is_some() || parts.fragment.is_some() {
        return Err(AddressError::NotAPrefix(url.to_owned()));
    }
    let mut prefix = normal(url, &NormalOptions::default());
    if !prefix.ends_with('/') {
        prefix.push('/');
    }
    Ok(prefix)
}

/// Whether a path may contain dot segments, possibly encoded.
fn needs_normal_form(path: &str) -> bool {
    let path = path.as_bytes();
    path.starts_with(b".")
        || path.windows(2).any(|pair| pair == b"/.")
        || path
            .windows(3)
            .any(|escape| escape[0] == b'%' && escape[1] == b'2' && escape[2] | 0x20 == b'e')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::virtual_site::virtual_site;
    use std::path::Path;

    fn url(url: &str) -> Address {
        Address::Url(url.to_owned())
    }

    fn place(map: &SiteMap, url: &str) -> String {
        match map.locate(url) {
            Location::Inside { site, path } => format!("{site}:{path}"),
            Location::Outside { site } => format!("{site} outside"),
            Location::External => "external".to_owned(),
        }
    }

    #[test]
    fn longest_root_of_whole_segments_wins() {
        let mut map = SiteMap::new();
        map.add(virtual_site(&[]), &url("https://x.example"))
            .expect("a valid root");
        map.add(virtual_site(&[]), &url("https://x.example/docs"))
            .expect("a valid root");
        map.add_alias("https://x.example/docs/", "http://www.x.example/d/")
            .expect("a valid alias");
        for (url, expected) in [
            ("https://x.example/docs/a/b.html?q#f", "1:a/b.html"),
            ("https://x.example/docs", "1:"),
            ("https://x.example/docs2", "0:docs2"),
            ("HTTPS://X.EXAMPLE:443/docs/../%64ocs/a", "1:a"),
            ("https://x.example/docs/../../a", "0:a"),
            ("https://x.example/docs/%2e%2E/a", "0:a"),
            ("https://x.example/..a", "0:..a"),
            ("https://x.example/c%23.csv", "0:c%23.csv"),
            ("https://x.example", "0:"),
            ("https://x.example?q", "0:"),
            ("http://www.x.example/d/a", "1:a"),
            ("http://www.x.example/e", "1 outside"),
            ("http://x.example/docs/a", "external"),
            ("https://x.example.evil/docs/a", "external"),
            ("https://x.example@evil/docs/a", "external"),
            ("https://x.example:8443/docs/a", "external"),
            ("mailto:a@x.example", "external"),
            ("", "external"),
        ] {
            assert_eq!(place(&map, url), expected, "{url}");
        }
    }

    #[test]
    fn file_url_as_root() {
        let mut map = SiteMap::new();
        map.add(virtual_site(&[]), &url("file:///srv/www"))
            .expect("a valid root");
        assert_eq!(place(&map, "file:///srv/www/a"), "0:a");
        assert_eq!(place(&map, "file:///srv/./www/a"), "0:a");
        assert_eq!(place(&map, "file:///etc/passwd"), "0 outside");
    }

    #[test]
    fn unknown_host_is_hidden() {
        let mut map = SiteMap::new();
        map.add(
            virtual_site(&["a b.html", "index.html", "d/index.html"]),
            &Address::Path(String::new()),
        )
        .expect("a valid root");
        map.add(virtual_site(&["x;y"]), &Address::Path("/docs/".to_owned()))
            .expect("a valid root");
        let urls = |site: usize| -> Vec<String> {
            let index = ["index.html".to_owned()];
            let files = map.sites()[site].tree.files();
            files.map(|file| map.url_of(site, file, &index)).collect()
        };
        let first = urls(0);
        let shown: Vec<&str> = first.iter().map(|url| map.shown(url)).collect();
        assert_eq!(shown, ["/a%20b.html", "/d/", "/"]);
        let second = urls(1);
        assert_eq!(map.shown(&second[0]), "/docs/x%3By");
        assert_eq!(place(&map, &second[0]), "1:x%3By");
        assert_eq!(
            map.shown("https://other.example/a"),
            "https://other.example/a"
        );
        assert_eq!(
            map.shown("https://9.site.invalid/a"),
            "https://9.site.invalid/a"
        );
        assert!(map.sites()[0].has_unknown_host());
        assert_eq!(
            map.sites()[0]
                .tree
                .file_at(Path::new("index.html"))
                .map(FileId::index),
            Some(2)
        );
    }

    #[test]
    fn invalid_roots_are_refused() {
        let mut map = SiteMap::new();
        for (address, error) in [
            (url("docs/"), AddressError::NotAbsolute("docs/".to_owned())),
            (
                url("mailto:x"),
                AddressError::NotAbsolute("mailto:x".to_owned()),
            ),
            (
                url("http:///x"),
                AddressError::NotAbsolute("http:///x".to_owned()),
            ),
            (
                Address::Path("docs".to_owned()),
                AddressError::NotAbsolute("docs".to_owned()),
            ),
            (
                url("http://a/?q"),
                AddressError::NotAPrefix("http://a/?q".to_owned()),
            ),
        ] {
            assert_eq!(map.add(virtual_site(&[]), &address), Err(error));
        }
        map.add(virtual_site(&[]), &url("http://a"))
            .expect("a valid root");
        let again = map.add(virtual_site(&[]), &url("HTTP://A:80/"));
        assert_eq!(again, Err(AddressError::Twice("http://a/".to_owned())));
        let nothing = map.add_alias("http://b/", "http://c/");
        assert_eq!(
            nothing,
            Err(AddressError::NoSuchSite("http://b/".to_owned()))
        );
    }
}
