//! The addresses that folders give themselves.

use std::borrow::Cow;
use std::collections::HashMap;

use baseref_resolve::parts;
use foldhash::fast::RandomState;
use memchr::memchr;

/// An address at which a folder seems to be served.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct OwnAddress {
    /// The index of the site.
    pub(crate) site: usize,
    /// The URL, with a final slash.
    pub(crate) url: String,
    /// The folder of the site that is served there, with a final slash unless it is the root.
    pub(crate) folder: String,
    /// What names the address: `CNAME`.
    pub(crate) named_by: Vec<&'static str>,
}

/// The addresses of all sites, by their hosts.
#[derive(Debug, Default)]
pub(crate) struct OwnAddresses {
    pub(crate) all: Vec<OwnAddress>,
    by_host: HashMap<String, Vec<usize>, RandomState>,
}

impl OwnAddresses {
    pub(crate) fn new(all: Vec<OwnAddress>) -> Self {
        let mut by_host = HashMap::<String, Vec<usize>, RandomState>::default();
        for (number, address) in all.iter().enumerate() {
            let host = host(parts::origin(&address.url)).into_owned();
            by_host.entry(host).or_default().push(number);
        }
        Self { all, by_host }
    }

    /// Whether a URL is on the host of an address.
    pub(crate) fn has_host(&self, url: &str) -> bool {
        !self.all.is_empty() && self.by_host.contains_key(&*host(parts::origin(url)))
    }

    /// The addresses that a URL is below, and the rest of the URL.
    pub(crate) fn above<'u>(&self, url: &'u str) -> impl Iterator<Item = (usize, &'u str)> {
        let origin = parts::origin(url);
        let path = &url[origin.len()..];
        let numbers = self.by_host.get(&*host(origin)).into_iter().flatten();
        numbers.filter_map(move |number| {
            let address = &self.all[*number].url;
            let folder = &address[parts::origin(address).len()..];
            let rest = path.strip_prefix(folder);
            let rest = rest.or_else(|| (folder == "/" && !path.starts_with('/')).then_some(path));
            Some((*number, rest?))
        })
    }
}

/// The host of an origin with its port, without `www.`, which redirects to the name without it, or the
/// other way round.
fn host(origin: &str) -> Cow<'_, str> {
    let colon = memchr(b':', origin.as_bytes()).unwrap_or(origin.len());
    let host = origin[colon..].strip_prefix("://").unwrap_or_default();
    if host.bytes().any(|byte| byte.is_ascii_uppercase()) {
        let host = host.to_ascii_lowercase();
        return Cow::Owned(parts::without_www(&host).to_owned());
    }
    Cow::Borrowed(parts::without_www(host))
}
