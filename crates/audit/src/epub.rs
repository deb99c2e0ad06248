//! What EPUBs have of their own: fragments that epubcheck judges otherwise than browsers, and its
//! names for what is found.

use std::path::Path;

use super::page::Page;
use super::rules;
use baseref_document::Reference;
use baseref_findings::{Finding, Level};

/// The part of a fragment in an EPUB that names an element; `None` if there is none, or none can be
/// judged: of `epubcfi(…)`, `svgView(…)` and the parts of media (`t=1,2`, which no identifier of XML can
/// be) nothing can be looked up.
///
/// There is no server and no browser that would take `top` for the top of the page: it is a name like
/// any other, as in epubcheck (RSC-012).
pub(super) fn name_in(fragment: &str) -> Option<&str> {
    let name = fragment.split(":~:").next().unwrap_or_default();
    let dimension = name.split_once('=').map(|(dimension, _)| dimension);
    let is_of_media = dimension.is_some_and(|name| name.bytes().all(|b| b.is_ascii_alphabetic()));
    let is_other = name.contains('(') || is_of_media;
    (!name.is_empty() && !is_other).then_some(name)
}

/// What epubcheck calls a file that is not there: what the manifest lists, what the metadata only
/// refers to, or what anything else needs.
pub(super) fn id_of_missing(page: &Page<'_>, reference: &Reference<'_>) -> &'static str {
    match reference.element {
        "item" if is_package(page) => "RSC-001",
        "rootfile" => "OPF-002",
        _ if is_of_metadata(page, reference) => "RSC-007w",
        _ => "RSC-007",
    }
}

/// Makes a note of what is only a risk elsewhere: the URLs of a book are those of the URL Standard,
/// which have any characters (EPUB 3.3 §2.2), and a name is the same in every normalization, as in
/// epubcheck.
pub(super) fn set_level(finding: &mut Finding) {
    let is_allowed = [
        &rules::syntax::non_ascii::RULE,
        &rules::target::unicode_mismatch::RULE,
    ]
    .contains(&finding.rule);
    if is_allowed {
        finding.level = Level::Note;
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
            ("box=0,0,1,1", None),
            (":~:text=b", None),
        ] {
            assert_eq!(name_in(fragment), expected, "{fragment}");
        }
    }
}
