//! The rows of the URL map.

use std::collections::{HashMap, HashSet};

use super::plan::Planned;
use super::reading::{Gathered, Page};
use super::url_list::UrlList;
use crate::addresses::{self, Row, Used};
use baseref_server::follow::{End, MoveContext};

impl Planned {
    /// The old addresses: those of the pages, those listed by the user, those of exact rules.
    pub(super) fn rows(&self, context: &MoveContext<'_>, gathered: &Gathered) -> (Vec<Row>, Used) {
        let mut seen: HashSet<&str> = HashSet::new();
        let mut rows = Vec::new();
        let mut used = Used::new();
        let mut undecided = HashSet::new();
        let mut weights: HashMap<&str, &str> = HashMap::new();
        for address in self.lists.iter().flat_map(|one| &one.list.addresses) {
            weights.entry(&address.url).or_insert(&address.weight);
        }
        let shells = shells(&gathered.pages);
        let pages = gathered.pages.iter().filter(|page| page.is_of_site);
        let known = pages
            .map(|page| page.url.as_str())
            .chain(self.lists.iter().flat_map(UrlList::urls));
        for url in known {
            if !seen.insert(url) {
                continue;
            }
            let chain = context.follow(url);
            used.extend(chain.hops.iter().filter_map(|hop| hop.rule));
            used.extend(chain.last_rule);
            if let End::Unknown(file, line) = chain.end {
                undecided.insert((file, line));
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
        // Rules that cannot be read match addresses nevertheless.
        for (file, rules) in self.rules.iter().enumerate() {
            let ranked = rules.rules().iter().enumerate();
            let is_by = |line| undecided.contains(&(file, line));
            used.extend(ranked.filter_map(|(rank, rule)| is_by(rule.line).then_some((file, rank))));
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

    /// How many old addresses lead nowhere.
    pub(super) fn lost(&self, rows: &[Row]) -> u64 {
        let listed: HashSet<&str> = self.lists.iter().flat_map(UrlList::urls).collect();
        let is_lost = |row: &&Row| match row.verdict {
            "lost-page" | "redirect/dead-target" | "redirect/loop" => true,
            // Listed addresses are to lead somewhere even where no rules are given.
            "redirect/missing" => !self.rules.is_empty() || listed.contains(&*row.old_url),
            _ => false,
        };
        rows.iter().filter(is_lost).count() as u64
    }
}

/// How many captured pages with one body show that a browser makes them.
const SHELLS: usize = 3;

/// The addresses of captured pages that have the same body as others: the shell of an application that
/// makes its pages in the browser.
fn shells(pages: &[Page]) -> HashSet<&str> {
    let mut by_body: HashMap<u64, Vec<&str>> = HashMap::new();
    for page in pages {
        if let Some(body) = page.body {
            by_body.entry(body).or_default().push(&page.url);
        }
    }
    let shells = by_body.into_values().filter(|urls| urls.len() >= SHELLS);
    shells.flatten().collect()
}
