//! Compares the old site with the rebuilt one: which pages, files, fragments and links are lost, except
//! those that were broken before.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use super::comparer::{Addresses, Comparer, PageLinks, moved_address};
use super::interner::Strings;
use super::page::{ComparedPage, Reopen, form};
use super::page_metadata;
use super::proposed::ProposedPage;
use crate::rules;
use baseref_findings::words::count;
use baseref_findings::{Finding, Level, Shown};
use baseref_resolve::parts::without_fragment as bare;
use baseref_resolve::{Rules, resolve};
use baseref_server::follow::{End, MoveContext};

/// The maximum number of old pages that a new one is compared with link by link. If a rule redirected a
/// whole site to one page, each link of that page would be a finding for every old page.
const MAX_PREDECESSORS: usize = 16;

/// The result of the comparison.
#[derive(Debug, Default)]
pub struct SiteComparison {
    /// The findings by document name.
    pub findings: BTreeMap<String, Vec<Finding>>,
    /// Lines for the summary.
    pub lines: Vec<String>,
    /// The number of links that the rebuild broke.
    pub broken: u64,
    /// The number of links that lead to another page since the rebuild.
    pub changed: u64,
    /// The proposed successors of lost pages, by the URLs of the lost pages.
    pub proposed: BTreeMap<String, ProposedPage>,
    /// The number of lost files that are not pages and that no page of the new site links to.
    pub lost_files: u64,
    /// The URLs of old pages that a query selected which the new site ignores.
    pub by_query: HashSet<String>,
    /// The URLs of old files that the new site does not have, although its pages use them.
    pub used_assets: HashSet<String>,
    /// The addresses of lost files that are no pages and that findings are about.
    pub lost_addresses: BTreeSet<String>,
}

/// Compares the pages of the old site with those of the new one. `listed` are more old addresses,
/// perhaps without a page. Findings that are `shown` with source lines get them from pages that
/// are read again.
#[must_use]
pub fn compare_trees(
    context: &MoveContext<'_>,
    strings: &Strings,
    old: &[ComparedPage],
    new: &[ComparedPage],
    listed: &[&str],
    shown: &Shown,
    reopen: Reopen<'_>,
) -> SiteComparison {
    let source = reopen.source;
    let comparison = Comparer::new(context, strings, old, new);
    let mut compared = SiteComparison::default();
    compared.compare_pages(&comparison, old, new);
    comparison.drop_copies(compared.findings.values_mut(), source);
    comparison.excuse_edits(compared.findings.values_mut().flatten(), old, source);
    comparison.find_headings(compared.findings.values_mut().flatten(), source);
    compared.proposed = comparison.proposed_by_address(listed, new);
    let mut proposed = comparison.proposed(old, new, reopen);
    compared.proposed.append(&mut proposed);
    compared.count(&comparison.lost_files.borrow());
    compared.used_assets = comparison.used_assets.take();
    compared.lost_addresses = comparison.lost_addresses.take();
    for findings in compared.findings.values_mut() {
        Finding::sort(findings);
    }
    for page in old.iter().chain(new) {
        if let Some(findings) = compared.findings.get_mut(&page.name.doc) {
            page.add_lines(findings, shown, source);
        }
    }
    compared
}

impl SiteComparison {
    /// Compares each old page with its counterpart, and checks the links of new pages without a
    /// predecessor.
    fn compare_pages<'c>(
        &mut self,
        comparison: &Comparer<'c>,
        old: &'c [ComparedPage],
        new: &'c [ComparedPage],
    ) {
        // The number of old pages of each new one.
        let mut predecessors: HashMap<&str, usize> = HashMap::new();
        let mut not_compared = 0_usize;
        for page in old {
            if comparison.is_chosen_by_query(page) {
                self.by_query.insert(page.url.clone());
            }
            let old = PageLinks {
                page,
                links: &page.links.take(),
            };
            let Some(counterpart) = comparison.counterpart(page) else {
                self.add(page, comparison.old_links(old, None));
                continue;
            };
            let count = predecessors.entry(&counterpart.url).or_default();
            *count += 1;
            let is_one_of_many = *count > MAX_PREDECESSORS;
            not_compared += usize::from(is_one_of_many);
            // Several old pages can have this counterpart.
            let links = counterpart.links.take();
            let new = PageLinks {
                page: counterpart,
                links: &links,
            };
            let mut findings = comparison.old_links(old, Some(new));
            findings.extend(comparison.metadata(page, counterpart));
            if !is_one_of_many {
                self.add(counterpart, comparison.pair(old, new, &mut findings));
            }
            self.add(page, findings);
            counterpart.links.set(links);
        }
        let is_new = |page: &&ComparedPage| !predecessors.contains_key(page.url.as_str());
        for page in new.iter().filter(is_new) {
            let new = PageLinks {
                page,
                links: &page.links.take(),
            };
            self.add(page, comparison.new_links(new, &Addresses::default()));
        }
        self.lines.push(format!(
            "old site: {}; new site: {}, {} of them with an old counterpart",
            count(old.len() as u64, "page"),
            count(new.len() as u64, "page"),
            predecessors.len()
        ));
        if not_compared > 0 {
            self.lines.push(format!(
                "{not_compared} old pages are not compared link by link: {MAX_PREDECESSORS} others became \
                 the same page (move-predecessors)"
            ));
        }
    }

    /// Counts the broken links and the lost files.
    fn count(&mut self, lost_files: &HashSet<String>) {
        let is_of_file = |finding: &Finding| {
            let url = finding.url.as_deref().map(bare);
            finding.rule == &rules::LOST_PAGE && url.is_some_and(|url| lost_files.contains(url))
        };
        let all = self.findings.values().flatten();
        let errors = all.filter(|finding| finding.level == Level::Error && !is_of_file(finding));
        let is_changed = |finding: &&Finding| finding.rule == &rules::CHANGED_TARGET;
        let (changed, broken): (Vec<_>, Vec<_>) = errors.partition(is_changed);
        self.changed = changed.len() as u64;
        self.broken = broken.len() as u64;
        self.lost_files = lost_files.len() as u64;
    }

    /// Adds findings about a page.
    fn add(&mut self, page: &ComparedPage, mut findings: Vec<Finding>) {
        if let Some(others) = self.findings.get_mut(&page.name.doc) {
            others.append(&mut findings);
        } else if !findings.is_empty() {
            findings.shrink_to_fit();
            self.findings.insert(page.name.doc.clone(), findings);
        }
    }
}

impl Comparer<'_> {
    /// The findings about changed metadata for search engines.
    fn metadata(&self, page: &ComparedPage, counterpart: &ComparedPage) -> Vec<Finding> {
        let whole = |page: &ComparedPage, href: &str| {
            resolve(Rules::Whatwg, Some(&page.url), href)
                .map_or_else(|_| form(href), |url| form(&url))
        };
        let address = |url: String| {
            let end = self.new_end(bare(&url));
            match end.end {
                End::Found { .. } => end.address.to_string(),
                _ => moved_address(self.context, &url),
            }
        };
        let was = |href: &str| address(whole(page, href));
        let is = |href: &str| address(whole(counterpart, href));
        page_metadata::changes(&page.metadata, &counterpart.metadata, was, is)
            .into_iter()
            .map(|(what, message)| {
                let mut finding =
                    Finding::new(&rules::CHANGED_METADATA, &counterpart.name, what, message);
                finding.url = Some(counterpart.url.as_str().into());
                finding
            })
            .collect()
    }
}
