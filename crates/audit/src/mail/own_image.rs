//! The text in place of an image that is the URL of that image.

use percent_encoding::percent_decode_str;

use super::unwrapped_link::UnwrappedLink;
use crate::view::page::Page;
use baseref_document::link_places::Class;

/// Whether the text of a link, the one at `index` in the document, is the URL of the image in the link: some
/// programs write `src` into `alt`, which then says nothing of where the link leads.
pub(super) fn is_named(page: &Page<'_>, opened: &UnwrappedLink<'_>, index: usize) -> bool {
    let Some(text) = opened.link.reference.text else {
        return false;
    };
    if !opened.companions.is_text_of_images() {
        return false;
    }
    let references = &page.document_links.document().references;
    let inside = references.range(index + 1..references.len());
    let inside = inside.take_while(|reference| reference.slot.class != Class::Anchor);
    let mut images = inside.filter(|reference| reference.slot.element == "img");
    let mut resolving = page.document_links.link_resolver();
    images.any(|image| {
        let link = resolving.link(opened.link.seq, image);
        compared(link.url.unwrap_or(image.value)) == compared(text)
    })
}

/// A URL in the form that is compared: decoded, without its scheme.
fn compared(url: &str) -> String {
    let url = url.trim();
    let rest = url.split_once("//").map_or(url, |(_, rest)| rest);
    percent_decode_str(rest).decode_utf8_lossy().to_lowercase()
}
