//! Pages that redirect by a meta refresh, for sites without control over their server.

use std::collections::{BTreeSet, HashMap};
use std::net::{Ipv4Addr, Ipv6Addr};

use baseref_container::Entity;
use baseref_document::ReadOptions;
use baseref_document::link_places::Grammar;
use baseref_document::{Document, MetadataElement, Origin};
use baseref_reader::base::Policy;
use baseref_reader::links::DocumentLinks;
use baseref_resolve::Rules;
use baseref_resolve::parts::without_fragment;
use baseref_rewrite::links::{self, form};
use baseref_site::meta_refresh::forwards_fragment;
use baseref_site::url_below;

use crate::rule_file::RuleFile;
use crate::table::Dialect;

/// The pages that redirect by themselves, by their URLs in normal form.
pub type Stubs = HashMap<String, Stub>;

/// A page that redirects by itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stub {
    /// The target.
    pub to: String,
    /// Whether a script of the page passes the fragment of the request on.
    pub forwards_fragment: bool,
}

/// A refresh with this delay in seconds or a longer one is not a redirect: the page is meant to be
/// read.
const LONGEST_DELAY: u32 = 3;

/// Whether a page refreshes at once, to any target.
#[must_use]
pub fn is_stub(document: &Document) -> bool {
    let elements = document.metadata_elements.iter();
    let delays = elements.filter(|element| !element.in_noscript);
    let mut delays = delays.filter_map(MetadataElement::refresh_delay);
    delays.any(|delay| delay < LONGEST_DELAY)
}

/// The target of an immediate refresh on a page at `url`, as browsers see it. It is the page itself if
/// that refreshes again and again.
#[must_use]
pub fn target(document: &Document, whatwg: &DocumentLinks<'_>, url: &str) -> Option<String> {
    let (element, refresh) = document.metadata_elements.iter().find_map(|element| {
        let mut references = document.references.range(element.references.clone());
        let refresh = references.find(|reference| reference.slot.grammar == Grammar::Refresh)?;
        Some((element, refresh))
    })?;
    if element.refresh_delay()? >= LONGEST_DELAY {
        return None;
    }
    let mut resolver = whatwg.link_resolver();
    let target = resolver.url(&refresh).ok()?.to_owned();
    // A fragment of the page itself is reached without loading it again.
    let stays = refers_to(url, &target) && (target.contains('#') || element.in_noscript);
    (!stays).then_some(target)
}

/// Whether a page at `url` refreshes to itself.
#[must_use]
pub fn refers_to(url: &str, target: &str) -> bool {
    let bare = |url: &str| {
        let form = form(without_fragment(url));
        form.strip_suffix("index.html")
            .map_or_else(|| form.clone(), str::to_owned)
    };
    bare(target) == bare(url)
}

/// Whether a URL names the machine that it is requested from (RFC 6761 §6.3).
#[must_use]
pub fn is_loopback(url: &str) -> bool {
    let Some((_, rest)) = url.split_once("://") else {
        return false;
    };
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let host = authority.rsplit('@').next().unwrap_or(authority);
    if let Some(host) = host.strip_prefix('[') {
        let address = host.split(']').next().unwrap_or_default();
        let address = address.parse::<Ipv6Addr>();
        return address.is_ok_and(|address| address.is_loopback());
    }
    let host = host.split(':').next().unwrap_or_default();
    if let Ok(address) = host.parse::<Ipv4Addr>() {
        return address.is_loopback() || address.is_unspecified();
    }
    let host = host.strip_suffix('.').unwrap_or(host).to_ascii_lowercase();
    host == "localhost" || host.ends_with(".localhost")
}

/// The redirects of pages below `prefix`, each given by its path and bytes.
#[must_use]
pub fn rules(pages: impl Iterator<Item = (String, Vec<u8>)>, prefix: &str) -> RuleFile {
    let read = links::reading(ReadOptions::default()).with_metadata_elements(true);
    let mut table = csv::Writer::from_writer(Vec::new());
    let mut forwarding = BTreeSet::new();
    // Writing to memory does not fail.
    let _ = table.write_record(["from", "to"]);
    for (path, bytes) in pages {
        let forwards_fragment = forwards_fragment(&bytes);
        let url = url_below(prefix, path.as_bytes());
        let entity = Entity::html(Origin::new(path), Vec::new());
        for document in links::documents(&bytes, entity, Some(&url), &read) {
            let resolved = Policy::default()
                .with_rules(Rules::Whatwg)
                .resolve(&document);
            let whatwg = resolved.documents().next();
            let to = whatwg.and_then(|one| target(&document, one, &url));
            if let Some(to) = to.filter(|to| !refers_to(&url, to)) {
                let _ = table.write_record([&url, &to]);
                if forwards_fragment {
                    forwarding.insert(url.clone());
                }
            }
        }
    }
    let table = table.into_inner().unwrap_or_default();
    RuleFile::read(Dialect::Csv, &table, "/").with_refreshes(forwarding)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loopback_by_name_and_address() {
        for url in [
            "http://localhost:1313/a",
            "https://x.localhost/",
            "http://127.0.0.1/",
            "http://[::1]:80/",
            "http://0.0.0.0:4000/",
            "http://u@localhost./",
        ] {
            assert!(is_loopback(url), "{url}");
        }
        for url in [
            "http://localhost.example/",
            "http://128.0.0.1/",
            "http://h/localhost",
            "mailto:a@localhost",
            "file:///localhost",
        ] {
            assert!(!is_loopback(url), "{url}");
        }
    }
}
