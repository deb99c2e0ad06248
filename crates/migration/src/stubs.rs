//! Pages that redirect by a meta refresh, for sites without control over their server.

use baseref_container::Entity;
use baseref_document::ReadOptions;
use baseref_document::link_places::Grammar;
use baseref_document::{Document, Origin};
use baseref_reader::base::Policy;
use baseref_reader::extract::Extraction;
use baseref_resolve::parts::without_fragment;
use baseref_rewrite::links::{self, ByRules, form};

/// The longest delay in seconds that counts as a redirect; with a longer one the page is meant to
/// be read.
const LONGEST_DELAY: u32 = 3;

/// Where a page at `url` immediately redirects to, by the rules of browsers.
#[must_use]
pub(super) fn target(document: &Document, whatwg: &Extraction<'_>, url: &str) -> Option<String> {
    let (element, refresh) = document.metadata_elements.iter().find_map(|element| {
        let mut references = document.references.range(element.references.clone());
        let refresh = references.find(|reference| reference.slot.grammar == Grammar::Refresh)?;
        Some((element, refresh))
    })?;
    if element.refresh_delay()? >= LONGEST_DELAY {
        return None;
    }
    let mut resolving = whatwg.resolving();
    let target = resolving.url(&refresh).ok()?.to_owned();
    let bare = |url: &str| form(without_fragment(url));
    (bare(&target) != bare(url)).then_some(target)
}

/// The redirects of pages below `prefix`, each given by its path and bytes, as a table for
/// [`super::redirects`].
#[must_use]
pub fn table(pages: impl Iterator<Item = (String, Vec<u8>)>, prefix: &str) -> Vec<u8> {
    let read = links::reading(ReadOptions::default()).metadata_elements(true);
    let mut table = csv::Writer::from_writer(Vec::new());
    // Writing to memory does not fail.
    let _ = table.write_record(["from", "to"]);
    for (path, bytes) in pages {
        let url = super::url_below(prefix, path.as_bytes());
        let entity = Entity::html(Origin::of_input(path), Vec::new());
        for document in links::documents(&bytes, entity, Some(&url), &read) {
            let by_rules = ByRules::new(&document, Policy::default());
            let extractions = by_rules.extractions();
            let whatwg = extractions.first().map(|by_rules| by_rules[2]);
            if let Some(to) = whatwg.and_then(|one| target(&document, one, &url)) {
                let _ = table.write_record([&url, &to]);
            }
        }
    }
    table.into_inner().unwrap_or_default()
}
