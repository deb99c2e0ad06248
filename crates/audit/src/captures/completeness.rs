//! How complete the captured pages are, by page and by host.

use std::collections::BTreeMap;
use std::sync::Arc;

use baseref_evidence::captures::{Need, host};
use baseref_findings::Table;
use baseref_findings::words::{count, number};

/// The number of captures that a page is missing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IncompletePage<U = Arc<str>> {
    /// The URL of the page.
    pub url: U,
    /// The number of different resources of the page that were not captured.
    pub resources: u64,
    /// The number of different linked pages that were not captured.
    pub pages: u64,
    /// Whether bytes of the page itself are missing or damaged.
    pub is_damaged: bool,
}

impl<U> IncompletePage<U> {
    /// Whether the page and all that it requires was captured.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.resources == 0 && !self.is_damaged
    }
}

/// The maximum number of incomplete pages that are listed.
const WORST: usize = 10;

/// Counts complete and incomplete pages.
#[derive(Debug, Default)]
pub(crate) struct Completeness {
    pages: u64,
    /// Pages with missing resources.
    incomplete: u64,
    /// Pages without missing resources, as far as they could be read, that are truncated or damaged.
    damaged: u64,
    /// The number of different missing resources.
    pub(crate) needed: u64,
    /// By host: the number of pages, and of complete pages.
    hosts: BTreeMap<Box<str>, [u64; 2]>,
    /// The most incomplete pages, those with the most missing resources first.
    worst: Vec<IncompletePage>,
}

impl Completeness {
    /// Whether no page was added.
    pub(crate) fn is_empty(&self) -> bool {
        self.pages == 0
    }

    /// Adds the next page.
    pub(crate) fn add(&mut self, page: IncompletePage) {
        let is_incomplete = page.resources > 0;
        let is_complete = page.is_complete();
        self.pages += 1;
        self.incomplete += u64::from(is_incomplete);
        self.damaged += u64::from(!is_incomplete && page.is_damaged);
        let host = host(&page.url);
        if !self.hosts.contains_key(host) {
            self.hosts.insert(host.into(), [0; 2]);
        }
        if let Some([pages, complete]) = self.hosts.get_mut(host) {
            *pages += 1;
            *complete += u64::from(is_complete);
        }
        if !is_incomplete {
            return;
        }
        // Equally incomplete pages stay in input order.
        let order = |page: &IncompletePage| (page.resources, page.pages);
        let before = |known: &IncompletePage| order(known) >= order(&page);
        let place = self.worst.partition_point(before);
        if place < WORST {
            self.worst.insert(place, page);
            self.worst.truncate(WORST);
        }
    }

    /// A summary line, and a line for each of the most incomplete pages, given the missing URLs and the
    /// number of links to missing pages.
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
        let all = count(self.pages, "page");
        let summary = match self.incomplete + self.damaged {
            0 => format!("{} of {all} complete", number(self.pages)),
            incomplete => format!("{} of {all} incomplete", number(incomplete)),
        };
        let mut parts = vec![match self.needed {
            0 => summary,
            needed => format!("{summary}: {} missing", count(needed, "resource")),
        }];
        if self.damaged > 0 {
            let damaged = number(self.damaged);
            parts.push(format!("{damaged} cut off or damaged"));
        }
        if resources > self.needed {
            let resources = count(resources - self.needed, "resource");
            parts.push(format!("{resources} missing that no captured page needs"));
        }
        if pages > 0 {
            let (links, pages) = (count(links_to_pages, "link"), count(pages, "page"));
            parts.push(format!("{links} to {pages} not captured"));
        }
        let worst = self.worst.iter().map(|page| {
            let missing = count(page.resources, "resource");
            format!("incomplete: {} ({missing} missing)", page.url)
        });
        std::iter::once(parts.join("; ")).chain(worst).collect()
    }

    /// The tables of hosts and of the most incomplete pages.
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
                title: "Pages with the most missing",
                columns: &["page", "resources missing", "pages missing"],
                rows: worst,
            });
        }
        tables
    }
}
