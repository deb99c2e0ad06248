//! Finds the root that a URL is below.

use std::borrow::Cow;
use std::cmp::Reverse;

use foldhash::HashMap;

use super::location::Location;
use baseref_resolve::parts::origin;

/// The site or folder that is served below a URL.
#[derive(Debug)]
pub(super) struct Prefix {
    /// In normal form, with a trailing slash.
    pub(super) url: String,
    /// The index of the site.
    pub(super) site: usize,
    /// The folder of the site, escaped, with a trailing slash; empty for its root.
    pub(super) folder: String,
}

/// The URLs of roots. A mirror can have one per host, and every link is looked up.
#[derive(Debug, Default)]
pub(super) struct Prefixes {
    all: Vec<Prefix>,
    /// The indices of all prefixes, longest first; earlier ones first among equally long ones.
    longest_first: Vec<usize>,
    by_url: HashMap<String, usize>,
    /// The longest prefix of each origin.
    by_origin: HashMap<String, usize>,
    /// The indices of the prefixes of each folder, longest URL first.
    by_folder: HashMap<String, Vec<usize>>,
    /// The distinct lengths, in descending order.
    lengths: Vec<usize>,
}

/// Up to this number, prefixes are compared one by one.
const FEW: usize = 16;

impl Prefixes {
    /// The prefix with this URL.
    pub(super) fn at(&self, url: &str) -> Option<&Prefix> {
        self.all.get(*self.by_url.get(url)?)
    }

    /// Adds a prefix with a new URL.
    pub(super) fn add(&mut self, prefix: Prefix) {
        let place = self.all.len();
        let length = prefix.url.len();
        let length_of = |other: &usize| self.all.get(*other).map_or(0, |one| one.url.len());
        let is_before = |other: &usize| length_of(other) >= length;
        let at = self.longest_first.partition_point(is_before);
        self.longest_first.insert(at, place);
        let of_folder = self.by_folder.entry(prefix.folder.clone()).or_default();
        let at = of_folder.partition_point(is_before);
        of_folder.insert(at, place);
        let longest = self.by_origin.entry(origin(&prefix.url).to_owned());
        let longest = longest.or_insert(place);
        if !is_before(longest) {
            *longest = place;
        }
        let found = self
            .lengths
            .binary_search_by_key(&Reverse(length), |one| Reverse(*one));
        if let Err(at) = found {
            self.lengths.insert(at, length);
        }
        self.by_url.insert(prefix.url.clone(), place);
        self.all.push(prefix);
    }

    /// The longest prefix of a URL, and the rest of the URL.
    pub(super) fn longest<'u>(&self, bare: &'u str) -> Option<(&Prefix, &'u str)> {
        if self.all.len() > FEW {
            return self.longest_of_many(bare);
        }
        let mut prefixes = self.longest_first.iter().filter_map(|at| self.all.get(*at));
        prefixes.find_map(|prefix| {
            let rest = match bare.strip_prefix(prefix.url.as_str()) {
                Some(rest) => rest,
                // The root itself, without its slash.
                None if Some(bare) == prefix.url.strip_suffix('/') => "",
                None => return None,
            };
            Some((prefix, rest))
        })
    }

    /// Like [`Self::longest`], with one look-up per length.
    fn longest_of_many<'u>(&self, bare: &'u str) -> Option<(&Prefix, &'u str)> {
        self.lengths.iter().find_map(|length| {
            if *length == bare.len() + 1 {
                return Some((self.at(&format!("{bare}/"))?, ""));
            }
            let url = bare.get(..*length).filter(|url| url.ends_with('/'))?;
            Some((self.at(url)?, &bare[*length..]))
        })
    }

    /// The longest prefix on an origin; `None` for an empty origin.
    pub(super) fn longest_on_origin(&self, origin: &str) -> Option<&Prefix> {
        let place = self.by_origin.get(origin).filter(|_| !origin.is_empty())?;
        self.all.get(*place)
    }

    /// The URL of a path that climbs from the folder of one host into the folder of another host of the
    /// same site, as `wget -k` writes links between the hosts of a mirror.
    pub(super) fn beside(&self, own: &Prefix, rest: &str) -> Option<String> {
        let above = rest.strip_prefix("../")?;
        if own.folder.is_empty() {
            return None;
        }
        let slash = above.find('/')?;
        let (folder, rest) = above.split_at(slash + 1);
        let others = self.by_folder.get(folder)?.iter();
        let mut others = others.filter_map(|at| self.all.get(*at));
        let other = others.find(|other| other.site == own.site)?;
        Some(format!("{}{rest}", other.url))
    }
}

impl Prefix {
    /// The location of a URL, given its path below this prefix.
    pub(super) fn holds<'u>(&self, path: Cow<'u, str>) -> Location<'u> {
        let path = if self.folder.is_empty() {
            path
        } else {
            Cow::Owned(format!("{}{path}", self.folder))
        };
        Location::Inside {
            site: self.site,
            path,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn prefixes(urls: &[String]) -> Prefixes {
        let mut prefixes = Prefixes::default();
        for (site, url) in urls.iter().enumerate() {
            let (url, folder) = (url.clone(), String::new());
            prefixes.add(Prefix { url, site, folder });
        }
        prefixes
    }

    #[test]
    fn tree_and_list_find_the_same_prefix() {
        let hosts = (0..20).map(|n| format!("http://h{n}/"));
        let deep = (0..5).map(|n| format!("http://h1/{}", "a/".repeat(n + 1)));
        let urls: Vec<String> = hosts.chain(deep).collect();
        let many = prefixes(&urls);
        for url in [
            "http://h1/a/a/x",
            "http://h1/a/a/a/a/a/a/x",
            "http://h1/a/a/a/a/a",
            "http://h1/ab",
            "http://h1",
            "http://h10/é/x",
            "http://h19/",
            "http://h2",
            "http://h",
            "http://k/",
            "é",
            "",
        ] {
            let of = |prefixes: &Prefixes| {
                let found = prefixes.longest(url);
                found.map(|(prefix, rest)| (prefix.url.clone(), rest.to_owned()))
            };
            let one_by_one = urls.chunks(1).filter_map(|one| of(&prefixes(one)));
            let longest = one_by_one.max_by_key(|(prefix, _)| prefix.len());
            assert_eq!(of(&many), longest, "{url}");
        }
        let longest = many
            .longest_on_origin("http://h1")
            .map(|one| one.url.as_str());
        assert_eq!(longest, Some("http://h1/a/a/a/a/a/"));
        assert!(many.longest_on_origin("").is_none());
    }
}
