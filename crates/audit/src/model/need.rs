//! How a page needs the targets of its links: as pages or as resources.

use baseref_document::Reference;
use baseref_document::link_places::{Class, Fetched, Grammar, LINK_PLACES, LinkPlace, Namespace};
use baseref_evidence::captures::Need;

/// Whether a link needs its target as a page to visit or as a resource of its own page.
pub(crate) fn need_of(reference: &Reference<'_>) -> Need {
    let slot = reference.slot;
    if slot.class == Class::Resource || slot.fetched != Fetched::No {
        Need::Resource
    } else {
        Need::Page
    }
}

/// The same for a link in an attribute of an element, where only the names of both are known.
pub(crate) fn need_in(element: &str, attr: &str) -> Need {
    let is_place = |slot: &&LinkPlace| slot.element == element && slot.attr == attr;
    match LINK_PLACES.iter().find(is_place) {
        Some(slot) if slot.class == Class::Resource || slot.fetched != Fetched::No => {
            Need::Resource
        }
        _ => Need::Page,
    }
}

/// Whether the fragment of a link in a link place may be the name of an element: resources interpret
/// their own fragments, but SVG's `use` and `textPath` refer to the element itself (SVG 2 §5.5, §11.8.1).
pub(crate) fn may_name_element(slot: &LinkPlace) -> bool {
    let is_reference = matches!(slot.element, "use" | "textPath" | "textpath");
    slot.class != Class::Resource || slot.namespace == Namespace::Svg && is_reference
}

/// Whether a browser that saves a page as MHTML saves the target of a link in every case. It saves only
/// what the selectors of a style sheet match, and it skips preloads and icons.
pub(crate) fn is_always_saved(slot: &LinkPlace, url: &str) -> bool {
    let path = baseref_resolve::parts::path(url).to_ascii_lowercase();
    if path.strip_suffix(".css").is_some() {
        return true;
    }
    slot.grammar != Grammar::Css && slot.element != "link"
}
