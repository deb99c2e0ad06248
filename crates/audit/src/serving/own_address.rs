//! The addresses that folders give themselves.

use std::collections::HashMap;

use baseref_resolve::parts;

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
    by_host: HashMap<String, Vec<usize>>,
}

impl OwnAddresses {
    pub(crate) fn new(all: Vec<OwnAddress>) -> Self {
        let mut by_host = HashMap::<String, Vec<usize>>::new();
        for (number, address) in all.iter().enumerate() {
            by_host.entry(host(&address.url)).or_default().push(number);
        }
        Self { all, by_host }
    }

    /// Whether a URL is on the host of an address.
    pub(crate) fn has_host(&self, url: &str) -> bool {
        !self.all.is_empty() && self.by_host.contains_key(&host(url))
    }

    /// The addresses that a URL is below, and the rest of the URL.
    pub(crate) fn above<'u>(&self, url: &'u str) -> impl Iterator<Item = (usize, &'u str)> {
        let numbers = self.by_host.get(&host(url)).into_iter().flatten();
        numbers.filter_map(move |number| {
            let address = &self.all[*number].url;
            let folder = &address[parts::origin(address).len()..];
            let path = &url[parts::origin(url).len()..];
            let rest = path.strip_prefix(folder);
            let rest = rest.or_else(|| (folder == "/" && !path.starts_with('/')).then_some(path));
            Some((*number, rest?))
        })
    }
}

/// The host of a URL with its port, without `www.`, which redirects to the name without it, or the other
/// way round.
fn host(url: &str) -> String {
    let origin = parts::origin(url).to_ascii_lowercase();
    let host = origin.split_once("://").map_or("", |(_, host)| host);
    parts::without_www(host).to_owned()
}
