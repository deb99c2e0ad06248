//! Pages that redirect by a meta refresh, for sites without control over their server.

use baseref_container::entity::Entity;
use baseref_document::ReadOptions;
use baseref_document::link_places::Grammar;
use baseref_document::{Document, Origin};
use baseref_html::tags::Tags;
use baseref_reader::base::Policy;
use baseref_reader::extract::Extraction;
use baseref_resolve::parts::without_fragment;
use baseref_rewrite::links::{self, ByRules, form};
use baseref_text::grammar::urls;

/// The longest delay in seconds that counts as a redirect; with a longer one the page is meant to
/// be read.
const LONGEST_DELAY: u32 = 3;

/// Where a page at `url` immediately redirects to, by the rules of browsers.
#[must_use]
pub(super) fn target(
    document: &Document,
    whatwg: &Extraction<'_>,
    source: &[u8],
    url: &str,
) -> Option<String> {
    let mut references = document.references.iter();
    let refresh = references.find(|reference| {
        reference.element == "meta" && reference.slot.grammar == Grammar::Refresh
    })?;
    let text = links::encoding(document).decode(source).0;
    if delay(&text, refresh.value)? >= LONGEST_DELAY {
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
    let read = links::reading(ReadOptions::default());
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
            if let Some(to) = whatwg.and_then(|one| target(&document, one, &bytes, &url)) {
                let _ = table.write_record([&url, &to]);
            }
        }
    }
    table.into_inner().unwrap_or_default()
}

/// The delay in seconds of the first refresh in a page to this URL, as written.
fn delay(page: &str, url: &str) -> Option<u32> {
    let content = Tags::new(page, &["meta"]).find_map(|tag| {
        let kind = tag.value("http-equiv")?;
        let content = tag.value("content")?;
        let mut urls = urls(Grammar::Refresh, &content);
        let leads_there = kind.eq_ignore_ascii_case("refresh")
            && urls.any(|range| content.get(range) == Some(url));
        leads_there.then_some(content)
    })?;
    let value = content.trim_ascii_start();
    let end = value.find(|c: char| !c.is_ascii_digit());
    match &value[..end.unwrap_or(value.len())] {
        // HTML "shared declarative refresh steps" 6 and 7: a fraction alone is 0.
        "" => value.starts_with('.').then_some(0),
        digits => Some(digits.parse().unwrap_or(u32::MAX)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_delay_is_read_as_browsers_do() {
        for (page, wanted) in [
            ("<meta http-equiv=refresh content=\"0; url=x\">", Some(0)),
            ("<meta content = ' 2;url=x' http-equiv=REFRESH>", Some(2)),
            ("<meta http-equiv=refresh content=.5,url=x>", Some(0)),
            (
                "<meta http-equiv=refresh content=99999999999;x>",
                Some(u32::MAX),
            ),
            ("<meta http-equiv=refresh content=x>", None),
            (
                "<meta name=\"content=9\" content=\"&#49;; url='x'\" http-equiv=refresh>",
                Some(1),
            ),
            (
                "<meta title=\">\" data-content=7 http-equiv=refresh content=\"2; x\">",
                Some(2),
            ),
            (
                "<meta http-equiv=refresh content=\"9; url=y\">\
                 <meta http-equiv=refresh content=\"1; url=x\">",
                Some(1),
            ),
        ] {
            assert_eq!(delay(page, "x"), wanted, "{page}");
        }
    }
}
