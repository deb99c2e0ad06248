//! Where a site is served according to the bases of its pages. Without a `--url-map` for that URL,
//! all relative links of such a page lead to another site.

use std::collections::BTreeMap;

use crate::model::site_file::SiteFile;
use crate::serving::Serving;
use crate::serving::url_map::url_map;
use baseref_findings::words::count;
use baseref_reader::base::{Base, BaseSource};
use baseref_resolve::parts::has_host;
use baseref_site::map::Location;

/// The URLs at which a site may be served, according to the base of one of its pages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct DeclaredSite {
    site: usize,
    urls: Vec<String>,
}

impl DeclaredSite {
    /// From a base: the base itself, which many generators write into every page, and the root of
    /// the site if the base is the URL of the page. `None` if the user gave the address of the
    /// site, or if the base is not a web URL on another site.
    pub(crate) fn from_base(
        serving: Serving<'_>,
        own: Option<SiteFile>,
        base: &Base,
    ) -> Option<Self> {
        let is_declared = matches!(base.source, BaseSource::Element | BaseSource::Header);
        let base = base.url.as_deref().filter(|_| is_declared)?;
        let own = own?;
        let site = own.site as usize;
        let is_unplaced = serving.map.sites()[site].is_unplaced();
        if !is_unplaced || !is_of_the_web(base) || serving.map.locate(base) != Location::External {
            return None;
        }
        let end = base.find(['?', '#']).unwrap_or(base.len());
        let folder = &base[..=base[..end].rfind('/')?];
        let path = own.path_in(serving.map);
        let own_folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
        let root = folder.strip_suffix('/')?.strip_suffix(own_folder);
        let root = root.filter(|root| !own_folder.is_empty() && root.ends_with('/'));
        let urls = [Some(folder), root].into_iter().flatten();
        Some(Self {
            site,
            urls: urls
                .filter(|url| has_host(url))
                .map(str::to_owned)
                .collect(),
        })
    }
}

fn is_of_the_web(url: &str) -> bool {
    url.starts_with("http://") || url.starts_with("https://")
}

/// The maximum number of URLs that are counted.
const MOST: usize = 64;

/// A URL where a site would be served, and the number of the site.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct DeclaredUrl {
    site: usize,
    url: String,
}

/// The number of links to files of a site, by site and the URL where it would be served.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct DeclaredLinks(BTreeMap<DeclaredUrl, u64>);

impl DeclaredLinks {
    /// Counts a link to another site if it would lead to a file.
    pub(crate) fn add(&mut self, serving: Serving<'_>, declared: &DeclaredSite, url: &str) {
        for root in &declared.urls {
            let is_there = |rest: &str| serving.has_file(declared.site, rest);
            if url.strip_prefix(&**root).is_some_and(is_there) {
                let place = DeclaredUrl {
                    site: declared.site,
                    url: root.clone(),
                };
                self.count(&place, 1);
            }
        }
    }

    fn count(&mut self, place: &DeclaredUrl, links: u64) {
        if let Some(known) = self.0.get_mut(place) {
            *known += links;
        } else if self.0.len() < MOST {
            self.0.insert(place.clone(), links);
        }
    }

    pub(crate) fn merge(&mut self, others: &Self) {
        for (place, links) in &others.0 {
            self.count(place, *links);
        }
    }

    /// The advice for a site: the URL at which most links lead to files, the first of several.
    pub(crate) fn line(&self, serving: Serving<'_>, number: usize) -> Option<String> {
        let of_site = self.0.iter().filter(|(place, _)| place.site == number);
        let most = of_site.max_by(|(a, m), (b, n)| m.cmp(n).then_with(|| b.cmp(a)));
        let (DeclaredUrl { url, .. }, links) = most?;
        let map = url_map(&serving.map.sites()[number], url);
        let find = if *links == 1 {
            "to another site finds its file"
        } else {
            "to other sites find their files"
        };
        Some(format!(
            "{} {find} if the tree is served at {url}, which is the base of its pages: {map}",
            count(*links, "link")
        ))
    }
}
