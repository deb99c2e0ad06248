//! What a page needs the targets of its links for.

use baseref_document::Reference;
use baseref_document::link_places::{Class, Fetched, Grammar, LinkPlace};
use baseref_evidence::captures::Need;

/// What a link needs its target for.
pub(crate) fn need_of(reference: &Reference<'_>) -> Need {
    let slot = reference.slot;
    if slot.class == Class::Resource || slot.fetched != Fetched::No {
        Need::Resource
    } else {
        Need::Page
    }
}

/// Whether programs that save a page as a message save what a link of it leads to, whatever the page
/// looks like: of several images only one is shown, of what a style sheet asks for only what its
/// selectors match, and what is loaded ahead or shown beside the page is not of it.
pub(crate) fn is_always_saved(slot: &LinkPlace, url: &str) -> bool {
    let path = baseref_resolve::parts::path(url).to_ascii_lowercase();
    if path.strip_suffix(".css").is_some() {
        return true;
    }
    let is_choice = slot.attr.ends_with("srcset");
    !is_choice && slot.grammar != Grammar::Css && slot.element != "link"
}
