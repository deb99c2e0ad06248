//! The rows of the URL map.

use std::collections::{HashMap, HashSet};

use super::plan::Plan;
use super::reading::{ReadPage, SiteDocuments};
use super::url_list::UrlList;
use crate::addresses::{self, MatchedRules, Row};
use baseref_server::follow::{End, MoveContext, RuleId, RuleLine};

impl Plan {
    /// The rows for the addresses of pages, lists and exact rules, and the rules that these addresses
    /// match.
    pub(super) fn rows(
        &self,
        context: &MoveContext<'_>,
        docs: &SiteDocuments,
    ) -> (Vec<Row>, MatchedRules) {
        let mut seen: HashSet<&str> = HashSet::new();
        let mut rows = Vec::new();
        let mut used = MatchedRules::new();
        let mut undecided = HashSet::new();
        let mut weights: HashMap<&str, &str> = HashMap::new();
        for address in self.lists.iter().flat_map(|one| &one.list.addresses) {
            weights.entry(&address.url).or_insert(&address.weight);
        }
        let shells = shells(&docs.pages);
        let pages = docs.pages.iter().filter(|page| page.is_of_site);
        let urls = pages
            .map(|page| page.url.as_str())
            .chain(self.lists.iter().flat_map(UrlList::urls));
        for url in urls {
            if !seen.insert(url) {
                continue;
            }
            let chain = context.follow(url);
            used.extend(chain.hops.iter().filter_map(|hop| hop.rule));
            used.extend(chain.last_rule);
            if let End::Unknown(line) = chain.end {
                undecided.insert(line);
            }
            let mut row = Row {
                weight: weights.get(url).copied().unwrap_or_default().into(),
                ..Row::new(url, &chain, context)
            };
            if shells.contains(url) {
                row.leave_to_browser(&chain);
            }
            rows.push(row);
        }
        // Rules that cannot be evaluated match addresses nevertheless.
        for (file, rules) in self.rules.iter().enumerate() {
            let ranked = rules.rules().iter().enumerate();
            let is_by = |line| undecided.contains(&RuleLine { file, line });
            let ids = ranked
                .filter_map(|(rule, parsed)| is_by(parsed.line).then_some(RuleId { file, rule }));
            used.extend(ids);
        }
        let samples = addresses::sources(context);
        for url in &samples {
            if seen.insert(url) {
                let chain = context.follow(url);
                rows.push(Row::new(url, &chain, context));
            }
        }
        (rows, used)
    }

    /// The number of old addresses that lead nowhere.
    pub(super) fn lost(&self, rows: &[Row]) -> u64 {
        let listed: HashSet<&str> = self.lists.iter().flat_map(UrlList::urls).collect();
        let is_lost = |row: &&Row| match row.verdict {
            "lost-page" | "redirect/dead-target" | "redirect/loop" => true,
            // Listed addresses should lead somewhere even if no rules are given.
            "redirect/missing" => !self.rules.is_empty() || listed.contains(&*row.old_url),
            _ => false,
        };
        rows.iter().filter(is_lost).count() as u64
    }
}

/// The number of captured pages with one body from which they count as rendered in the browser.
const MIN_SHELLS: usize = 3;

/// The addresses of captured pages that share their body: the shell of an application that renders its
/// pages in the browser.
fn shells(pages: &[ReadPage]) -> HashSet<&str> {
    let mut by_body: HashMap<u64, Vec<&str>> = HashMap::new();
    for page in pages {
        if let Some(body) = page.body {
            by_body.entry(body).or_default().push(&page.url);
        }
    }
    let shells = by_body
        .into_values()
        .filter(|urls| urls.len() >= MIN_SHELLS);
    shells.flatten().collect()
}
