//! How complete the captured pages are: what each lacks, and what each host.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::captured::Missing;
use baseref_captures::{Need, host};
use baseref_findings::Table;
use baseref_findings::words::{count, number};

/// What a captured page lacks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageLacks {
    /// The URL of the page.
    pub url: Arc<str>,
    /// How many different resources that it is shown with were not captured.
    pub resources: u64,
    /// How many different pages that it links to were not.
    pub pages: u64,
}

/// How many pages that lack most are shown.
const WORST: usize = 10;

/// What the pages lack, and what is missing, by URL.
pub(super) struct Completeness<'c> {
    pub(super) pages: &'c [PageLacks],
    pub(super) missing: &'c [(&'c str, &'c Missing)],
    pub(super) links_to_pages: u64,
}

impl Completeness<'_> {
    fn lacked(&self, need: Need) -> u64 {
        let missing = self.missing.iter();
        let lacked = missing.filter(|(_, missing)| missing.is_absent && missing.need == need);
        lacked.count() as u64
    }

    /// All in one line, and each of the pages that lack most.
    pub(super) fn lines(&self) -> Vec<String> {
        let (resources, pages) = (self.lacked(Need::Resource), self.lacked(Need::Page));
        let incomplete = self.pages.iter().filter(|page| page.resources > 0).count() as u64;
        let all = self.pages.len() as u64;
        let complete = number(all - incomplete);
        let mut parts = vec![format!("{complete} of {} complete", count(all, "page"))];
        if resources > 0 {
            let resources = count(resources, "resource");
            parts.push(format!("{} lack {resources}", number(incomplete)));
        }
        if pages > 0 {
            let (links, pages) = (count(self.links_to_pages, "link"), count(pages, "page"));
            parts.push(format!("{links} to {pages} not captured"));
        }
        let worst = self.worst().into_iter();
        let worst = worst.map(|page| {
            let lacked = count(page.resources, "resource");
            format!("incomplete: {} lacks {lacked}", page.url)
        });
        std::iter::once(parts.join("; ")).chain(worst).collect()
    }

    /// The pages that lack most resources, in that order.
    fn worst(&self) -> Vec<&PageLacks> {
        let incomplete = self.pages.iter().filter(|page| page.resources > 0);
        let mut worst: Vec<_> = incomplete.collect();
        worst.sort_by_key(|page| std::cmp::Reverse((page.resources, page.pages)));
        worst.truncate(WORST);
        worst
    }

    /// The hosts, and the pages that lack most.
    pub(super) fn tables(&self) -> Vec<Table> {
        let mut hosts = BTreeMap::<&str, [u64; 4]>::new();
        for page in self.pages {
            let counts = hosts.entry(host(&page.url)).or_default();
            counts[0] += 1;
            counts[1] += u64::from(page.resources == 0);
        }
        for (url, missing) in self.missing.iter().filter(|(_, missing)| missing.is_absent) {
            let counts = hosts.entry(host(url)).or_default();
            counts[if missing.need == Need::Page { 2 } else { 3 }] += 1;
        }
        let hosts = hosts.into_iter().map(|(host, counts)| {
            let counts = counts.map(number).into_iter();
            std::iter::once(host.to_owned()).chain(counts).collect()
        });
        let mut tables = vec![Table {
            title: "Captures by host",
            columns: &[
                "host",
                "pages",
                "complete",
                "pages missing",
                "resources missing",
            ],
            rows: hosts.collect(),
        }];
        let worst = self.worst().into_iter();
        let worst: Vec<_> = worst
            .map(|page| {
                let counts = [number(page.resources), number(page.pages)];
                std::iter::once(page.url.to_string())
                    .chain(counts)
                    .collect()
            })
            .collect();
        if !worst.is_empty() {
            tables.push(Table {
                title: "Pages that lack most",
                columns: &["page", "resources missing", "pages missing"],
                rows: worst,
            });
        }
        tables
    }
}
