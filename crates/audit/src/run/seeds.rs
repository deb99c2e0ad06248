//! The seeds of a patch crawl: the URLs that captured pages need and that were not captured.

use crate::{Missing, MissingCaptures};
use baseref_evidence::captures::Need;

/// Whether every crawler accepts a URL: it is an absolute web URL in ASCII.
fn is_seed(url: &str) -> bool {
    let is_web = url.starts_with("http://") || url.starts_with("https://");
    is_web && url.bytes().all(|byte| byte.is_ascii_graphic())
}

/// The seeds as crawlers read them (Browsertrix `--seedFile`, wget `-i`, Heritrix): one URL per
/// line, in byte order.
#[must_use]
pub fn list(missing: &MissingCaptures) -> Vec<u8> {
    lines(needed(missing))
}

/// The same with the other resolutions of captured images.
#[must_use]
pub fn list_all(missing: &MissingCaptures) -> Vec<u8> {
    lines(missing.missing())
}

/// What pages need.
fn needed(missing: &MissingCaptures) -> impl Iterator<Item = Missing<'_>> {
    let all = missing.missing();
    all.filter(|missing| !missing.is_other_resolution)
}

fn lines<'m>(missing: impl Iterator<Item = Missing<'m>>) -> Vec<u8> {
    let mut list = String::new();
    for missing in missing.filter(|missing| is_seed(missing.url)) {
        list.push_str(missing.url);
        list.push('\n');
    }
    list.into_bytes()
}

/// The seeds as CSV, most needed first: resources before pages, then by the number of pages that
/// need them.
#[must_use]
pub fn csv(missing: &MissingCaptures) -> Vec<u8> {
    let mut rows: Vec<Missing<'_>> = needed(missing).collect();
    rows.sort_by_key(|missing| {
        let is_page = missing.need == Need::Page;
        (is_page, std::cmp::Reverse((missing.pages, missing.links)))
    });
    let mut csv = csv::Writer::from_writer(Vec::new());
    // Writing to memory does not fail.
    let _ = csv.write_record(["url", "need", "why", "pages", "links", "referrers"]);
    for missing in rows {
        let need = match missing.need {
            Need::Page => "page",
            Need::Resource => "resource",
        };
        let why = if missing.is_absent {
            "not-captured"
        } else {
            "captured-error"
        };
        let referrers = missing.referrers.join(" ");
        let (pages, links) = (missing.pages.to_string(), missing.links.to_string());
        let _ = csv.write_record([missing.url, need, why, &pages, &links, &referrers]);
    }
    csv.into_inner().unwrap_or_default()
}

/// The number of missing captures of each page as CSV, in page order.
#[must_use]
pub fn pages_csv(missing: &MissingCaptures) -> Vec<u8> {
    let mut csv = csv::Writer::from_writer(Vec::new());
    // Writing to memory does not fail.
    let _ = csv.write_record(["url", "complete", "resources", "pages"]);
    for page in missing.pages() {
        let complete = if page.is_complete() { "yes" } else { "no" };
        let (resources, pages) = (page.resources.to_string(), page.pages.to_string());
        let _ = csv.write_record([page.url, complete, &resources, &pages]);
    }
    csv.into_inner().unwrap_or_default()
}
