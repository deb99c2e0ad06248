//! The canonical address of a page, which is checked even where canonical links are not followed.

use baseref_findings::{Finding, Violation};
use baseref_resolve::parts::{self, has_scheme};

use crate::rules::policy::file_url::FileUrl;
use crate::rules::policy::private_host::PrivateHost;
use crate::target::host;
use crate::view::page::Page;

/// Adds the findings about canonical addresses that only the author of a page can open.
pub(crate) fn check(page: &Page<'_>, findings: &mut Vec<Finding>) {
    let is_local = |url: &str| has_scheme(url, "file") || host::is_private(url);
    if page.url.is_some_and(is_local) {
        return;
    }
    let elements = page.document().metadata_elements.iter();
    for element in elements.filter(|element| element.is_canonical()) {
        let mut references = page.document().references.range(element.references.clone());
        let reference = references.find(|reference| reference.slot.is_own_address);
        let Some(reference) = reference.filter(|one| !page.ctx.is_judged(one.slot, false)) else {
            continue;
        };
        let mut resolver = page.document_links.link_resolver();
        let link = resolver.link(0, reference);
        let Ok(url) = link.url else { continue };
        let violation: Violation = if has_scheme(url, "file") {
            FileUrl::Canonical.into()
        } else if host::is_private(url) && !page.ctx.has_unknown_host(url) {
            PrivateHost::Canonical.into()
        } else {
            continue;
        };
        let cause = page.shown(parts::without_query(url));
        findings.push(page.finding(&link, cause, violation));
    }
}
