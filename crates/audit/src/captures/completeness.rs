//! How complete the captured pages are: what each lacks, and what each host.

use std::collections::BTreeMap;
use std::sync::Arc;

use baseref_evidence::captures::{Need, host};
use baseref_findings::Table;
use baseref_findings::words::{count, number};

/// What a captured page lacks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageLacks<U = Arc<str>> {
    /// The URL of the page.
    pub url: U,
    /// How many different resources that it is shown with were not captured.
    pub resources: u64,
    /// How many different pages that it links to were not.
    pub pages: u64,
}

/// How many pages that lack most are shown.
const WORST: usize = 10;

/// How complete the pages are, in numbers.
#[derive(Debug, Default)]
pub(crate) struct Completeness {
    pages: u64,
    incomplete: u64,
    /// The pages of each host, and how many of them are complete.
    hosts: BTreeMap<Box<str>, [u64; 2]>,
    /// The pages that lack most resources, in that order.
    worst: Vec<PageLacks>,
}

impl Completeness {
    /// Whether there are no pages.
    pub(crate) fn is_empty(&self) -> bool {
        self.pages == 0
    }

    /// Adds the next page.
    pub(crate) fn add(&mut self, page: PageLacks) {
        let is_complete = page.resources == 0;
        self.pages += 1;
        self.incomplete += u64::from(!is_complete);
        let host = host(&page.url);
        if !self.hosts.contains_key(host) {
            self.hosts.insert(host.into(), [0; 2]);
        }
        if let Some([pages, complete]) = self.hosts.get_mut(host) {
            *pages += 1;
            *complete += u64::from(is_complete);
        }
        if is_complete {
            return;
        }
        // Of those that lack as much the first come first.
        let lacks = |page: &PageLacks| (page.resources, page.pages);
        let before = |known: &PageLacks| lacks(known) >= lacks(&page);
        let place = self.worst.partition_point(before);
        if place < WORST {
            self.worst.insert(place, page);
            self.worst.truncate(WORST);
        }
    }

    /// All in one line, and each of the pages that lack most, given what is missing and how many links
    /// lead to missing pages.
    pub(crate) fn lines<'m>(
        &self,
        missing: impl Iterator<Item = (&'m str, Need)>,
        links_to_pages: u64,
    ) -> Vec<String> {
        let (mut resources, mut pages) = (0, 0);
        for (_, need) in missing {
            match need {
                Need::Resource => resources += 1,
                Need::Page => pages += 1,
            }
        }
        let complete = number(self.pages - self.incomplete);
        let mut parts = vec![format!(
            "{complete} of {} complete",
            count(self.pages, "page")
        )];
        if resources > 0 {
            let resources = count(resources, "resource");
            parts.push(format!("{} lack {resources}", number(self.incomplete)));
        }
        if pages > 0 {
            let (links, pages) = (count(links_to_pages, "link"), count(pages, "page"));
            parts.push(format!("{links} to {pages} not captured"));
        }
        let worst = self.worst.iter().map(|page| {
            let lacked = count(page.resources, "resource");
            format!("incomplete: {} lacks {lacked}", page.url)
        });
        std::iter::once(parts.join("; ")).chain(worst).collect()
    }

    /// The hosts, and the pages that lack most.
    pub(crate) fn tables<'m>(&self, missing: impl Iterator<Item = (&'m str, Need)>) -> Vec<Table> {
        let known = self.hosts.iter();
        let known = known.map(|(host, [pages, complete])| (&**host, [*pages, *complete, 0, 0]));
        let mut hosts: BTreeMap<&str, [u64; 4]> = known.collect();
        for (url, need) in missing {
            let counts = hosts.entry(host(url)).or_default();
            counts[if need == Need::Page { 2 } else { 3 }] += 1;
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
        let worst = self.worst.iter();
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
