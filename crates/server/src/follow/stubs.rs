//! Pages that redirect by a meta refresh, for sites without control over their server.

use std::collections::HashMap;

use baseref_container::Entity;
use baseref_document::ReadOptions;
use baseref_document::link_places::Grammar;
use baseref_document::{Document, Origin};
use baseref_reader::base::Policy;
use baseref_reader::links::DocumentLinks;
use baseref_resolve::Rules;
use baseref_resolve::parts::without_fragment;
use baseref_rewrite::links::{self, form};
use baseref_site::url_below;

/// The targets of pages that redirect by themselves, by their URLs in normal form.
pub type Stubs = HashMap<String, String>;

/// A refresh with this delay in seconds or a longer one is not a redirect: the page is meant to be
/// read.
const LONGEST_DELAY: u32 = 3;

/// The target of an immediate refresh on a page at `url`, as browsers see it.
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
    let bare = |url: &str| form(without_fragment(url));
    (bare(&target) != bare(url)).then_some(target)
}

/// The redirects of pages below `prefix`, each given by its path and bytes, as a plan
/// in CSV.
#[must_use]
pub fn table(pages: impl Iterator<Item = (String, Vec<u8>)>, prefix: &str) -> Vec<u8> {
    let read = links::reading(ReadOptions::default()).metadata_elements(true);
    let mut table = csv::Writer::from_writer(Vec::new());
    // Writing to memory does not fail.
    let _ = table.write_record(["from", "to"]);
    for (path, bytes) in pages {
        let url = url_below(prefix, path.as_bytes());
        let entity = Entity::html(Origin::new(path), Vec::new());
        for document in links::documents(&bytes, entity, Some(&url), &read) {
            let resolved = Policy::default().rules(Rules::Whatwg).resolve(&document);
            let whatwg = resolved.documents().next();
            if let Some(to) = whatwg.and_then(|one| target(&document, one, &url)) {
                let _ = table.write_record([&url, &to]);
            }
        }
    }
    table.into_inner().unwrap_or_default()
}
