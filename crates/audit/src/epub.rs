//! What EPUBs have of their own: fragments that epubcheck judges otherwise than browsers, and its
//! names for what is found.

use std::path::Path;

use super::page::Page;
use baseref_document::Reference;

/// The part of a fragment in an EPUB that names an element; `None` if there is none, or none can be
/// judged: of `epubcfi(…)`, `svgView(…)` and the parts of media (`t=1,2`) nothing can be looked up.
///
/// There is no server and no browser that would take `top` for the top of the page: it is a name like
/// any other, as in epubcheck (RSC-012).
pub(super) fn name_in(fragment: &str) -> Option<&str> {
    const OF_MEDIA: [&str; 4] = ["t=", "xywh=", "track=", "id="];
    let name = fragment.split(":~:").next().unwrap_or_default();
    let is_other = name.contains('(') || OF_MEDIA.iter().any(|start| name.starts_with(start));
    (!name.is_empty() && !is_other).then_some(name)
}

/// What epubcheck calls a file that is not there: what the manifest lists, what the metadata only
/// refers to, or what anything else needs.
pub(super) fn id_of_missing(page: &Page<'_>, reference: &Reference<'_>) -> &'static str {
    match reference.element {
        "item" if is_package(page) => "RSC-001",
        _ if is_of_metadata(page, reference) => "RSC-007w",
        _ => "RSC-007",
    }
}

/// Whether a reference is that of a record about the book: it may be lacking, and reading systems do
/// not show it.
pub(super) fn is_of_metadata(page: &Page<'_>, reference: &Reference<'_>) -> bool {
    is_package(page) && reference.element == "link"
}

/// Whether a page is the package document.
fn is_package(page: &Page<'_>) -> bool {
    let extension = Path::new(&page.name.doc).extension();
    page.known.is_epub() && extension.is_some_and(|name| name.eq_ignore_ascii_case("opf"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_names_no_element_is_not_judged() {
        for (fragment, expected) in [
            ("a", Some("a")),
            ("top", Some("top")),
            ("", None),
            ("epubcfi(/6/4!/4)", None),
            ("svgView(viewBox(0,0,1,1))", None),
            ("t=1,2", None),
            ("xywh=0,0,1,1", None),
            (":~:text=b", None),
        ] {
            assert_eq!(name_in(fragment), expected, "{fragment}");
        }
    }
}
