//! The rows of the URL map.

use std::collections::{BTreeSet, HashMap, HashSet};

use super::moved_files::MovedFiles;
use super::plan::Plan;
use super::reading::{ReadPage, SiteDocuments};
use super::url_list::UrlList;
use crate::addresses::{self, MatchedRules, Row, RuleAddress};
use baseref_resolve::parts;
use baseref_server::follow::{End, MoveContext, RuleId, RuleLine};

/// The judged old addresses.
pub(super) struct Rows {
    /// The rows for the addresses of pages, lists and exact rules.
    pub(super) all: Vec<Row>,
    /// The rules that these addresses match.
    pub(super) used: MatchedRules,
    /// The rules whose sources are addresses of neither pages nor lists, with the index of their row.
    pub(super) by_rule: HashMap<RuleId, usize>,
    /// The sources of exact rules.
    pub(super) sources: HashSet<String>,
}

impl Rows {
    /// Adds rows for lost files that are no pages. Findings and the verdict count them as files, so the
    /// totals of old addresses are made before.
    pub(super) fn add_files(
        &mut self,
        urls: &BTreeSet<String>,
        context: &MoveContext<'_>,
        moved: &MovedFiles<'_>,
    ) {
        let known: HashSet<&str> = self.all.iter().map(|row| &*row.old_url).collect();
        let unknown = urls.iter().filter(|url| !known.contains(url.as_str()));
        let mut files: Vec<Row> = unknown
            .map(|url| Row::new(url, &context.follow(url), context, true))
            .filter(Row::is_lost)
            .collect();
        for row in &mut files {
            row.proposed = moved.proposed(&row.old_url).map(Box::new);
        }
        self.all.append(&mut files);
    }
}

impl Plan {
    /// Judges each address of a page, a list and an exact rule once.
    pub(super) fn rows(&self, context: &MoveContext<'_>, docs: &SiteDocuments) -> Rows {
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
            let weight = weights.get(url);
            let mut row = Row {
                weight: weight.copied().unwrap_or_default().into(),
                ..Row::new(url, &chain, context, weight.is_some())
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
        let mut by_rule = HashMap::new();
        for RuleAddress { url, rule } in &samples {
            // A rule is counted once, whichever name of the host an address has.
            let path = &url[parts::origin(url).len()..];
            let is_seen = |old: &str| seen.contains(&*format!("{}{path}", parts::origin(old)));
            if seen.contains(url.as_str())
                || self.prefixes.is_on_old_origin(url)
                    && self.prefixes.in_order().any(|(old, _)| is_seen(old))
            {
                continue;
            }
            let chain = context.follow(url);
            // A rule that refuses an address leaves nothing to redirect.
            let is_refused = chain.last_rule == Some(*rule) && chain.hops.is_empty();
            let row = Row::new(url, &chain, context, false);
            if is_refused && row.is_lost() {
                continue;
            }
            seen.insert(url);
            by_rule.insert(*rule, rows.len());
            rows.push(row);
        }
        Rows {
            all: rows,
            used,
            by_rule,
            sources: samples.into_iter().map(|sample| sample.url).collect(),
        }
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
