//! EPUBs: the error codes of epubcheck, and how it differs from browsers.

pub(crate) mod fragment;

use std::path::Path;

use crate::rules::syntax::non_ascii;
use crate::rules::target::unicode_mismatch;
use crate::view::page::Page;
use baseref_document::Reference;
use baseref_findings::{Finding, Level, Violation};

/// The epubcheck code for a missing file, by whether the manifest, the metadata or another document
/// refers to it.
pub(crate) fn id_of_missing(page: &Page<'_>, reference: &Reference<'_>) -> &'static str {
    match reference.element {
        "item" if is_package(page) => "RSC-001",
        "rootfile" => "OPF-002",
        _ if is_of_metadata(page, reference) => "RSC-007w",
        _ => "RSC-007",
    }
}

/// A violation with epubcheck's identifier for it.
pub(crate) fn with_id(mut violation: Violation, id: &str) -> Violation {
    violation.message = format!("{} (epubcheck: {id})", violation.message).into();
    violation
}

/// Lowers to a note what is only a risk on the web: the URLs of a book may have any characters (URL
/// Standard, EPUB 3.3 §2.2), and epubcheck accepts a file name in any normalization.
pub(crate) fn set_level(finding: &mut Finding) {
    let is_allowed = [&non_ascii::RULE, &unicode_mismatch::RULE].contains(&finding.rule);
    if is_allowed {
        finding.level = Level::Note;
    }
}

/// Whether a reference is to a metadata record of the book, which readers do not see and which may
/// be missing.
pub(crate) fn is_of_metadata(page: &Page<'_>, reference: &Reference<'_>) -> bool {
    is_package(page) && reference.element == "link"
}

/// Whether a page is the package document.
fn is_package(page: &Page<'_>) -> bool {
    let extension = Path::new(&page.name.doc).extension();
    page.ctx.is_epub() && extension.is_some_and(|name| name.eq_ignore_ascii_case("opf"))
}
