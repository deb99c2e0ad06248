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
    by_host: HashMap<String, Vec<OwnPath>, RandomState>,
}

/// The path of an address.
#[derive(Debug)]
struct OwnPath {
    /// The number of the address.
    number: usize,
    /// Where it begins in the URL of the address, in bytes.
    start: usize,
}

impl OwnAddresses {
    pub(crate) fn new(all: Vec<OwnAddress>) -> Self {
        let mut by_host = HashMap::<String, Vec<OwnPath>, RandomState>::default();
        for (number, address) in all.iter().enumerate() {
            let origin = parts::origin(&address.url);
            let start = origin.len();
            let paths = by_host.entry(host(origin).into_owned()).or_default();
            paths.push(OwnPath { number, start });
        }
        Self { all, by_host }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// The addresses that a URL is below, and the rest of the URL.
    pub(crate) fn above<'u>(&self, url: &'u str) -> impl Iterator<Item = (usize, &'u str)> {
        let origin = parts::origin(url);
        let path = &url[origin.len()..];
        let paths = self.by_host.get(&*host(origin)).into_iter().flatten();
        paths.filter_map(move |OwnPath { number, start }| {
            let folder = &self.all[*number].url[*start..];
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
