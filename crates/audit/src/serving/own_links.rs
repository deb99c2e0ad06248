//! Links to the addresses that folders give themselves. Without a `--url-map` they lead to another site,
//! and are not checked.

use std::borrow::Cow;
use std::collections::BTreeMap;

use percent_encoding::percent_decode_str;

use crate::serving::Serving;
use crate::serving::own_address::OwnAddress;
use crate::serving::url_map::url_map;
use baseref_findings::words::{count, number};
use baseref_resolve::parts;

/// The links to the addresses that the sites give themselves, by the number of the address.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct OwnLinks(BTreeMap<usize, Found>);

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Found {
    ok: u64,
    missing: u64,
    /// How many of them are `http:`.
    by_http: u64,
}

impl Found {
    fn add(&mut self, other: Self) {
        self.ok += other.ok;
        self.missing += other.missing;
        self.by_http += other.by_http;
    }
}

/// A link to an address that a site gives itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct OwnLink {
    /// The number of the address.
    number: usize,
    is_found: bool,
    is_by_http: bool,
}

/// What a link to another site, on a page of a site, says about the addresses that this site gives
/// itself.
pub(crate) fn own_links(serving: Serving<'_>, site: usize, url: &str) -> Vec<OwnLink> {
    let above = serving.own.above(url);
    let above = above.map(|(number, rest)| (number, &serving.own.all[number], rest));
    let of_site = above.filter(|(_, address, _)| address.site == site);
    let link = |(number, address, rest): (usize, &OwnAddress, &str)| {
        let rest = parts::without_fragment(rest);
        let (path, query) = rest.split_once('?').unwrap_or((rest, ""));
        let below = match &*address.folder {
            "" => Cow::Borrowed(path),
            folder => Cow::Owned(format!("{folder}{path}")),
        };
        OwnLink {
            number,
            is_found: has_query(serving, address, &below, query) || serving.has_file(site, &below),
            is_by_http: parts::has_scheme(url, "http"),
        }
    };
    of_site.map(link).collect()
}

impl OwnLinks {
    /// Counts a link to another site on a page of a site.
    pub(crate) fn add(&mut self, links: &[OwnLink]) {
        for link in links {
            self.0.entry(link.number).or_default().add(Found {
                ok: u64::from(link.is_found),
                missing: u64::from(!link.is_found),
                by_http: u64::from(link.is_by_http),
            });
        }
    }

    pub(crate) fn merge(&mut self, others: &Self) {
        for (number, links) in &others.0 {
            self.0.entry(*number).or_default().add(*links);
        }
    }

    /// The advice for a site.
    pub(crate) fn line(&self, serving: Serving<'_>, site: usize) -> Option<String> {
        let of_site = self.0.iter();
        let of_site = of_site.map(|(number, links)| (&serving.own.all[*number], *links));
        let of_site = of_site.filter(|(address, _)| address.site == site);
        let (hosts, roots): (Vec<_>, Vec<_>) =
            of_site.partition(|(address, _)| !address.folder.is_empty());
        let root = roots.into_iter().rev().max_by_key(|(_, links)| links.ok);
        if let Some((address, links)) = root {
            let url = &address.url;
            let map = url_map(&serving.map.sites()[site], url);
            let named_by = address.named_by.join(" and ");
            return Some(format!(
                "{} {url}, the address of the tree according to {named_by}: {map} checks {}",
                lead_to(links),
                would_find(links)
            ));
        }
        let mut all = Found::default();
        for (_, links) in &hosts {
            all.add(*links);
        }
        if hosts.is_empty() {
            return None;
        }
        let scheme = if all.by_http * 2 > all.ok + all.missing {
            "wget+http"
        } else {
            "wget"
        };
        let root = serving.map.sites()[site].tree.root().display();
        Some(format!(
            "{} hosts that have a folder here, as in a mirror by wget: --url-map {scheme}:{root} \
             checks {}",
            lead_to(all),
            would_find(all)
        ))
    }
}

fn lead_to(links: Found) -> String {
    let all = links.ok + links.missing;
    let verb = if all == 1 { "leads to" } else { "lead to" };
    format!("{} {verb}", count(all, "link"))
}

fn would_find(Found { ok, missing, .. }: Found) -> String {
    let them = if ok + missing == 1 { "it" } else { "them" };
    format!("{them} ({} ok, {} missing)", number(ok), number(missing))
}

/// Whether a mirror has the file of a URL with its query in the name.
fn has_query(serving: Serving<'_>, address: &OwnAddress, below: &str, query: &str) -> bool {
    if query.is_empty() || address.folder.is_empty() {
        return false;
    }
    let decoded: Vec<u8> = percent_decode_str(query).collect();
    let decoded = String::from_utf8_lossy(&decoded);
    [query, &*decoded].into_iter().any(|query| {
        // wget escapes slashes, because no name has one.
        let query = query
            .replace('%', "%25")
            .replace('/', "%252F")
            .replace('?', "%3F");
        ["%3F", "@"]
            .into_iter()
            .any(|mark| serving.has_file(address.site, &format!("{below}{mark}{query}")))
    })
}
