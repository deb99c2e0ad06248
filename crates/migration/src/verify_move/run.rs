//! Runs a check and passes its findings on.

use std::collections::{HashMap, HashSet};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::old_site::Pages;
use super::other_files::{self, OtherFiles};
use super::plan::Planned;
use super::reading::{FixPage, Gathered, Page, Reading, Side, read_again};
use super::reported::Predictions;
use super::url_list::UrlList;
use crate::addresses::{self, Row};
use crate::compare::interner::Interner;
use crate::compare::{Compared, Reopen, compare_trees};
use crate::page::{ByTrees, Move};
use crate::rules;
use crate::textual_mentions::TextualMentions;
use baseref_document::{ReadError, ReadOptions};
use baseref_findings::{Finding, FindingSink, PageName, Refused, Summary};
use baseref_resolve::parts;
use baseref_rewrite::links;
use baseref_server::follow::{MoveContext, Stubs, Targets};
use baseref_server::rule_set;
use baseref_server::{RuleFile, TreeFiles};
use baseref_site::hosting::Hosting;
use baseref_site::listing::Tree;
use baseref_site::lookup::{Lookup, lookup};
use baseref_site::suggest::suggestions;
use baseref_walk::{Opening, no_page_in};

/// The results of a check of a move, apart from findings.
pub struct Verified<'v> {
    /// The two places.
    pub context: &'v MoveContext<'v>,
    /// The old addresses: those of the pages, those listed by the user, those of exact rules.
    pub rows: &'v [Row],
    /// Every document that was read.
    pub pages: &'v [Page],
    /// What could not be read.
    pub unread: &'v [ReadError],
    /// The tree that moves.
    pub old_tree: &'v Tree,
    /// The URLs to be measured again.
    pub recheck: &'v [String],
}

impl Planned {
    /// Checks the move on `jobs` threads. `after` sees the results once all findings are taken; if
    /// edits are wanted, `fix` makes them.
    ///
    /// # Errors
    /// If an output is among the documents, or `sink` or `after` refuses.
    pub fn run(
        &self,
        jobs: NonZeroUsize,
        sink: &mut dyn FindingSink,
        fix: Option<&FixPage<'_>>,
        after: &mut dyn FnMut(&Verified<'_>) -> Result<(), Refused>,
    ) -> Result<Summary, Refused> {
        let old_urls: Vec<&str> = self.prefixes.pairs().map(|(old, _)| old).collect();
        let new_urls: Vec<&str> = self.prefixes.pairs().map(|(_, new)| new).collect();
        let old = TreeFiles::new(&self.old.tree, old_urls.into_iter());
        let tree = self.new_tree.as_ref().unwrap_or(&self.old.tree);
        let new = TreeFiles::new(tree, new_urls.into_iter());
        let overlap = ByTrees {
            prefixes: &self.prefixes,
            old: &old,
            new: &new,
        };
        let context = MoveContext {
            prefixes: &self.prefixes,
            rules: &self.rules,
            old: &old,
            new: &new,
            overlap: &overlap,
            prefix_redirect: self.request.prefix_redirect,
            stubs: &Stubs::new(),
            targets: &Targets::default(),
        };
        let mover = Move {
            context: &context,
            read: links::reading(ReadOptions::default())
                .metadata_elements(true)
                .text(self.new_tree.is_some())
                .identifiers(self.new_tree.is_some()),
            fixes: fix.is_some(),
            mentions: TextualMentions::new(&self.prefixes),
            shown: sink.shown(),
        };
        let opening = Arc::new(Opening {
            files: Arc::clone(&self.files),
            of_site: true,
            ..Opening::default()
        });
        let interner = Interner::default();
        let reading = Reading {
            plan: self,
            mover: &mover,
            fix,
            interner: &interner,
            opening: &opening,
        };
        let trees = [Some(&self.old.tree), self.new_tree.as_ref()];
        let files: usize = trees.iter().flatten().map(|tree| tree.file_count()).sum();
        let listed: usize = self.lists.iter().map(|one| one.list.addresses.len()).sum();
        for file in &self.rules {
            file.allow(files + listed);
        }
        let mut gathered = reading.gather_old(jobs);
        gathered.is_fixing = fix.is_some();
        let mut rebuilt = Gathered::default();
        if let Some(dir) = &self.request.new_tree {
            rebuilt = reading.gather(jobs, dir, Side::New, &opening);
        }
        gathered.pages.append(&mut rebuilt.pages);
        gathered.unread.append(&mut rebuilt.unread);
        let is_loss = |error: &ReadError| error.kind.is_loss();
        // What was not checked must not look as if all was well.
        let has_none = gathered.pages.is_empty() && !matches!(self.old.pages, Pages::Listed);
        if has_none && !gathered.unread.iter().any(is_loss) {
            let no_page = no_page_in(std::slice::from_ref(&self.request.dir), false);
            return Err(Refused(format!("nothing was checked: {no_page}")));
        }
        let stubs: Stubs = gathered
            .pages
            .iter_mut()
            .filter_map(|page| page.stub.take())
            .collect();
        let context = MoveContext {
            stubs: &stubs,
            targets: &Targets::default(),
            ..context
        };
        let compared = match &self.request.new_tree {
            Some(_) => {
                let (old, new) = (
                    std::mem::take(&mut gathered.files),
                    std::mem::take(&mut rebuilt.files),
                );
                let source = |doc: &str| {
                    let path = self.unwritable.get(doc);
                    read_again(doc, path.map_or(Path::new(doc), PathBuf::as_path), &opening)
                };
                let reopen = Reopen {
                    source: &source,
                    jobs,
                };
                let strings = interner.into_all();
                let listed: Vec<&str> = self.lists.iter().flat_map(UrlList::urls).collect();
                let shown = &mover.shown;
                compare_trees(&context, &strings, &old, &new, &listed, shown, reopen)
            }
            None => Compared::default(),
        };
        let others = self.other_files(&mover, &gathered.pages);
        gathered.unread.extend(others.unread.iter().cloned());
        if let Some(clash) = self.files.clash() {
            return Err(Refused(clash.to_string()));
        }
        self.finish(sink, after, &context, gathered, compared, others)
    }

    /// The old addresses in files of the tree at the new place that were not read as documents.
    fn other_files(&self, mover: &Move<'_>, pages: &[Page]) -> OtherFiles {
        let (tree, prefix) = match (&self.new_tree, self.old.folder()) {
            (Some(tree), _) => (tree, &self.request.to),
            (None, Some(tree)) => (tree, &self.from),
            // Of an archive only the documents are read.
            (None, None) => return OtherFiles::default(),
        };
        let read: HashSet<&str> = pages.iter().map(|page| page.name.doc.as_str()).collect();
        let url_of = |path: &[u8]| baseref_site::url_below(prefix, path);
        let (mentions, shown) = (&mover.mentions, &mover.shown);
        other_files::search(tree, &self.files, mentions, shown, &read, &url_of)
    }

    /// Passes on the results.
    fn finish(
        &self,
        sink: &mut dyn FindingSink,
        after: &mut dyn FnMut(&Verified<'_>) -> Result<(), Refused>,
        context: &MoveContext<'_>,
        mut gathered: Gathered,
        compared: Compared,
        other_files: OtherFiles,
    ) -> Result<Summary, Refused> {
        let (mut rows, used) = self.rows(context, &gathered);
        for row in &mut rows {
            let proposed = compared.proposed.get(&*row.old_url);
            row.proposed = proposed.cloned().map(Box::new);
            if compared.by_query.contains(&*row.old_url) {
                row.lose_by_query();
            }
        }
        let mut summary = self.summary(&gathered, &compared, context, &rows, other_files.followed);
        if self.is_exhausted() {
            // Whatever depends on the rules may be wrong.
            sink.begin()?;
            let known = Summary {
                documents: summary.documents,
                unreadable: summary.unreadable,
                ..Summary::default()
            };
            return self.exhausted(known, sink);
        }
        let by_url: HashMap<&str, &Row> = rows.iter().map(|row| (&*row.old_url, row)).collect();
        let mut others = compared.findings;
        sink.documents(&mut gathered.pages.iter().map(|page| Arc::clone(&page.name)));
        sink.begin()?;
        for page in &mut gathered.pages {
            let mut found = std::mem::take(&mut page.judged.findings);
            found.extend(others.remove(&page.name.doc).unwrap_or_default());
            if page.is_of_site && (self.new_tree.is_some() || !self.rules.is_empty()) {
                let row = by_url.get(page.url.as_str());
                found.extend(
                    row.and_then(|row| addresses::address_finding(row, &page.name, context, false)),
                );
            }
            Finding::sort(&mut found);
            let links = page.judged.classes.iter().sum();
            sink.document(&page.name, links, found)?;
        }
        for found in others.into_values() {
            sink.findings(found)?;
        }
        sink.findings(other_files.findings)?;
        for (number, source) in self.sources.iter().enumerate() {
            for part in self
                .rules
                .get(number)
                .into_iter()
                .flat_map(addresses::parts)
            {
                let mut found = rule_set::problems(part.problems, source);
                found.extend(addresses::rule_findings(
                    number,
                    &part.rules,
                    context,
                    source,
                    &used,
                ));
                self.suggest(&mut found);
                Finding::sort(&mut found);
                sink.findings(found)?;
            }
        }
        let mut pages: HashSet<&str> = HashSet::new();
        pages.extend(gathered.pages.iter().map(|page| page.url.as_str()));
        for list in &self.lists {
            let known = list.urls().filter(|url| pages.insert(url));
            let rows = known.filter_map(|url| by_url.get(url).copied());
            let weight = list.list.weight.as_deref();
            sink.findings(addresses::list_findings(rows, &list.name, weight, context))?;
        }
        for (file, source) in self.rules.iter().zip(&self.sources) {
            sink.findings(rule_set::problems(&file.met(), source))?;
        }
        let recheck = self.after_launch(context, &gathered, &rows, &mut summary, sink)?;
        if self.is_exhausted() {
            summary = self.exhausted(summary, sink)?;
        }
        after(&Verified {
            context,
            rows: &rows,
            pages: &gathered.pages,
            unread: &gathered.unread,
            old_tree: &self.old.tree,
            recheck: &recheck,
        })?;
        Ok(summary)
    }

    /// Adds the files that may have been meant by rules that lead to none.
    fn suggest(&self, findings: &mut [Finding]) {
        let tree = self.new_tree.as_ref().unwrap_or(&self.old.tree);
        for finding in findings {
            let dead = finding
                .url
                .as_deref()
                .filter(|_| finding.rule == &rules::R_DEAD);
            let below = dead.and_then(|url| self.prefixes.new_rest(url));
            let Some((prefix, path)) = below else {
                continue;
            };
            let path = parts::without_query(path);
            let found = lookup(tree, &Hosting::default(), path, encoding_rs::UTF_8);
            if let Lookup::Missing(missing) = found {
                let files = suggestions(tree, path, missing).into_iter();
                let url = |file| {
                    let path = tree.file_path(file);
                    baseref_site::url_below(prefix, path.as_os_str().as_encoded_bytes())
                };
                finding.suggest(files.map(url).collect());
            }
        }
    }

    /// Passes on how the old addresses differ from what was measured of them, and returns what is to
    /// be measured again. The verdict is then on that.
    fn after_launch(
        &self,
        context: &MoveContext<'_>,
        gathered: &Gathered,
        rows: &[Row],
        summary: &mut Summary,
        sink: &mut dyn FindingSink,
    ) -> Result<Vec<String>, Refused> {
        let Some(reports) = &self.reports else {
            return Ok(Vec::new());
        };
        let mut names: HashMap<&str, &Arc<PageName>> = HashMap::new();
        let pages = gathered.pages.iter().filter(|page| page.is_of_site);
        names.extend(pages.map(|page| (page.url.as_str(), &page.name)));
        for list in &self.lists {
            for url in list.urls() {
                names.entry(url).or_insert(&list.name);
            }
        }
        let of_rules = self.sources.first().map(|source| &source.name);
        let of_rules = of_rules.cloned().unwrap_or_default();
        let stubs = self.request.redirects.iter().enumerate();
        let stubs = stubs.filter(|(_, name)| name.starts_with("html-stubs:"));
        let predictions = Predictions {
            context,
            stubs: stubs.map(|(number, _)| number).collect(),
            name: &|url| Arc::clone(names.get(url).copied().unwrap_or(&of_rules)),
        };
        let comparison = reports.compare(rows, &predictions);
        let by_files = summary.verdict_line();
        summary.verdict = comparison.in_words();
        summary.lines.push(format!("by its files: {by_files}"));
        sink.findings(comparison.findings)?;
        Ok(comparison.recheck)
    }

    /// Whether the answers of a file of rules took more steps than allowed.
    fn is_exhausted(&self) -> bool {
        self.rules.iter().any(RuleFile::is_exhausted)
    }

    /// Says which files took more steps than allowed: the check has no result.
    fn exhausted(&self, summary: Summary, sink: &mut dyn FindingSink) -> Result<Summary, Refused> {
        for (file, source) in self.rules.iter().zip(&self.sources) {
            if file.is_exhausted() {
                sink.findings(vec![rule_set::exhausted(source)])?;
            }
        }
        Ok(Summary {
            unreadable: summary.unreadable + 1,
            verdict: vec![
                "Not known: the rules take too many steps for these addresses.".to_owned(),
            ],
            ..summary
        })
    }
}
