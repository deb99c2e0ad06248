//! Links of saved pages. Those of a page saved as a message lead to other parts of that message by places
//! that have a meaning only there: relative ones (RFC 2557 §5) and files of the computer that saved it.

use crate::model::need::{is_always_saved, need_of};
use crate::model::provenance::Provenance;
use crate::rules::target::absence::Absence;
use crate::rules::target::page_not_captured::PageNotCaptured;
use crate::rules::target::resource_not_captured::ResourceNotCaptured;
use crate::view::page::Page;
use baseref_evidence::captures::Need;
use baseref_findings::{Finding, Level};
use baseref_reader::links::{Link, PartReference};
use baseref_resolve::ResolveError;
use baseref_resolve::parts::has_scheme;

/// The URL of a link that only the place of its part of the message gives one.
pub(crate) fn url_in_message(page: &Page<'_>, link: &Link<'_>) -> Option<String> {
    let has_none = || link.url == Err(ResolveError::NoBase) || is_at_windows_path(page);
    if page.provenance != Provenance::Saved || !has_none() {
        return None;
    }
    page.document_links.url_in_message(&link.reference)
}

/// Whether a page was saved as a message at a path of Windows: rule sets read it in different ways, but
/// no program follows its links by any of them.
pub(crate) fn is_at_windows_path(page: &Page<'_>) -> bool {
    let base = page.document_links.base();
    let is_path = |url: &str| {
        let bytes = url.as_bytes();
        let is_drive = matches!(bytes, [drive, b':', ..] if drive.is_ascii_alphabetic());
        (is_drive || has_scheme(url, "file")) && url.contains('\\')
    };
    page.provenance == Provenance::Saved
        && page.document().message.is_some()
        && base.url.as_deref().is_some_and(is_path)
}

/// The finding about a resource that should be a part of the message and is not.
pub(crate) fn missing_part(page: &Page<'_>, link: &Link<'_>) -> Option<Finding> {
    let url = link.url.ok().filter(|url| is_place_of_message(url))?;
    let is_of_message = page.provenance == Provenance::Saved && page.document().message.is_some();
    let is_missing = is_of_message
        && link.part == PartReference::Nothing
        && need_of(&link.reference) == Need::Resource;
    if !is_missing {
        return None;
    }
    let absence = Absence::NotAsked;
    let mut finding = page.finding(link, url, ResourceNotCaptured { absence });
    finding.target = Some(url.into());
    let is_sure = page.choice(link.seq).is_none() && is_always_saved(link.reference.slot, url);
    if !is_sure {
        finding.level = Level::Note;
    }
    Some(finding)
}

/// The finding about a resource that `WebScrapBook` could not download: it writes a URN with the URL in
/// place of the URL.
pub(crate) fn failed_download(page: &Page<'_>, link: &Link<'_>) -> Option<Finding> {
    const FAILED: &str = "urn:scrapbook:download:error:";
    let value = link.reference.value.trim_ascii();
    let begin = value.get(..FAILED.len())?;
    if !begin.eq_ignore_ascii_case(FAILED) {
        return None;
    }
    let url = &value[FAILED.len()..];
    let absence = Absence::SaveFailed;
    let mut finding = match need_of(&link.reference) {
        Need::Resource => page.finding(link, url, ResourceNotCaptured { absence }),
        Need::Page => page.finding(link, url, PageNotCaptured { absence }),
    };
    finding.target = Some(url.into());
    Some(finding)
}

/// Whether a URL means nothing outside its message.
fn is_place_of_message(url: &str) -> bool {
    has_scheme(url, "file") || has_scheme(url, "thismessage")
}
