//! Runs a check and sends its findings to a sink.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::moved_files::MovedFiles;
use super::old_site::Pages;
use super::other_files::{self, OtherFiles};
use super::plan::Plan;
use super::reading::{FixPage, ReadContext, ReadPage, Side, SiteDocuments, read_again};
use super::reported::Predictor;
use super::rows::Rows;
use super::url_list::UrlList;
use super::verdict::Verdict;
use crate::addresses::{self, AddressVerdict, MissingRules, Row, missing_rules};
use crate::compare::interner::Interner;
use crate::compare::{Reopen, SiteComparison, compare_trees};
use crate::error::MoveError;
use crate::page::{ByTrees, Move};
use crate::rules;
use crate::textual_mentions::TextualMentions;
use baseref_document::{ReadError, ReadOptions};
use baseref_findings::{Finding, FindingSink, Level, PageName, SinkError, Summary};
use baseref_resolve::parts;
use baseref_rewrite::links;
use baseref_server::TreeFiles;
use baseref_server::follow::{MoveContext, RuleId, Stubs, Targets};
use baseref_server::rule_set;
use baseref_site::listing::Tree;
use baseref_site::lookup::{Lookup, lookup};
use baseref_site::moves::Prefixes;
use baseref_site::suggest::suggestions;
use baseref_walk::{Opening, no_page_in};

/// The results of a check other than its findings.
pub struct MoveResults<'p> {
    /// The URLs of the old and the new site.
    pub prefixes: &'p Prefixes,
    /// The URL map, with the addresses of pages, lists and exact rules.
    pub rows: Vec<Row>,
    /// Every document that was read.
    pub pages: Vec<ReadPage>,
    /// The documents that could not be read.
    pub unread: Vec<ReadError>,
    /// The files of the site that moves.
    pub old_tree: &'p Tree,
    /// The rules for addresses without one, in the dialects of the request.
    pub missing: Vec<MissingRules>,
    /// The URLs to check again.
    pub recheck: Vec<String>,
}

/// A move that was checked.
pub struct CheckedMove<'p> {
    /// The totals.
    pub summary: Summary,
    /// The results; `None` if the rules take too many steps to say where addresses lead.
    pub results: Option<MoveResults<'p>>,
}

impl Plan {
    /// Checks the move on `jobs` threads. `fix` fixes pages, if they are to be fixed.
    ///
    /// # Errors
    /// If nothing was checked, an output is among the documents, or the sink fails.
    pub fn run(
        &self,
        jobs: NonZeroUsize,
        sink: &mut dyn FindingSink,
        fix: Option<&FixPage<'_>>,
    ) -> Result<CheckedMove<'_>, MoveError> {
        let (old, new) = (self.old_files(), self.new_files());
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
            hosting: &self.request.hosting,
        };
        let mover = Move {
            context: &context,
            read: links::reading(ReadOptions::default())
                .with_metadata_elements(true)
                .with_text(self.new_tree.is_some())
                .with_identifiers(self.new_tree.is_some()),
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
        let reading = ReadContext {
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
        let mut old_docs = reading.read_old(jobs);
        old_docs.is_fixing = fix.is_some();
        let mut new_docs = SiteDocuments::default();
        if let Some(dir) = &self.request.new_tree {
            new_docs = reading.read_side(jobs, dir, Side::New, &opening);
        }
        old_docs.pages.append(&mut new_docs.pages);
        old_docs.unread.append(&mut new_docs.unread);
        let is_loss = |error: &ReadError| error.kind.is_loss();
        // A check of nothing must not pass.
        let has_none = old_docs.pages.is_empty() && !matches!(self.old.pages, Pages::Listed);
        if has_none && !old_docs.unread.iter().any(is_loss) {
            let no_page = no_page_in(std::slice::from_ref(&self.request.dir), false);
            return Err(MoveError::NothingChecked(no_page));
        }
        let stubs: Stubs = old_docs
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
                    std::mem::take(&mut old_docs.files),
                    std::mem::take(&mut new_docs.files),
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
            None => SiteComparison::default(),
        };
        let others = self.other_files(&mover, &old_docs.pages);
        old_docs.unread.extend(others.unread.iter().cloned());
        self.files.check_conflicts()?;
        self.finish(sink, &context, old_docs, compared, others)
    }

    /// The files of the old site at its URLs.
    fn old_files(&self) -> TreeFiles<'_> {
        let urls = self.prefixes.pairs().map(|(old, _)| old);
        TreeFiles::new(&self.old.tree, urls).with_hosting(&self.request.hosting)
    }

    /// The files of the new site at its URLs, and at the other names of places that do not move.
    fn new_files(&self) -> TreeFiles<'_> {
        let in_place = self.prefixes.pairs().map(|(old, _)| old);
        let in_place = in_place.filter(|url| self.prefixes.is_in_place(url) == Some(true));
        let urls = self.prefixes.pairs().map(|(_, new)| new).chain(in_place);
        let tree = self.new_tree.as_ref().unwrap_or(&self.old.tree);
        TreeFiles::new(tree, urls).with_hosting(&self.request.hosting)
    }

    /// The old addresses in those files of the new site that were not read as documents.
    fn other_files(&self, mover: &Move<'_>, pages: &[ReadPage]) -> OtherFiles {
        let (tree, prefix) = match (&self.new_tree, self.old.folder()) {
            (Some(tree), _) => (tree, &self.request.to),
            (None, Some(tree)) => (tree, &self.from),
            // Only the documents of an archive are read.
            (None, None) => return OtherFiles::default(),
        };
        let read: HashSet<&str> = pages.iter().map(|page| page.name.doc.as_str()).collect();
        let (mentions, shown) = (&mover.mentions, &mover.shown);
        other_files::search(tree, &self.files, mentions, shown, &read, prefix)
    }

    /// Sends all findings to the sink, and returns the results.
    fn finish(
        &self,
        sink: &mut dyn FindingSink,
        context: &MoveContext<'_>,
        mut old_docs: SiteDocuments,
        compared: SiteComparison,
        other_files: OtherFiles,
    ) -> Result<CheckedMove<'_>, MoveError> {
        let mut rows = self.rows(context, &old_docs);
        let moved = MovedFiles::new(self, context);
        for row in &mut rows.all {
            let proposed = compared.proposed.get(&*row.old_url);
            row.proposed = proposed.cloned().map(Box::new);
            if compared.by_query.contains(&*row.old_url) {
                row.lose_by_query();
            }
            if compared.used_assets.contains(&*row.old_url) {
                row.lose_asset();
            }
            if row.is_lost() {
                let proposed = moved.proposed(&row.old_url).map(Box::new);
                row.proposed = proposed.or(row.proposed.take());
            }
        }
        let mut others = compared.findings;
        for findings in others.values_mut() {
            moved.suggest(findings);
        }
        let compared = SiteComparison {
            findings: BTreeMap::new(),
            ..compared
        };
        let (mut summary, mut verdict) = self.summary(
            &old_docs,
            &compared,
            context,
            &rows.all,
            other_files.followed,
        );
        if self.is_exhausted() {
            // Findings that depend on the rules would be unreliable.
            sink.begin()?;
            let partial = Summary {
                documents: summary.documents,
                unreadable: summary.unreadable,
                ..Summary::default()
            };
            return Ok(CheckedMove {
                summary: self.exhausted(partial, sink)?,
                results: None,
            });
        }
        rows.add_files(&compared.lost_addresses, context, &moved);
        let by_url = rows.all.iter().map(|row| (&*row.old_url, row));
        let by_url: HashMap<&str, &Row> = by_url.collect();
        sink.documents(&mut old_docs.pages.iter().map(|page| Arc::clone(&page.name)));
        sink.begin()?;
        for page in &mut old_docs.pages {
            let mut findings = std::mem::take(&mut page.judgement.findings);
            findings.extend(others.remove(&page.name.doc).unwrap_or_default());
            if page.is_of_site {
                let row = by_url.get(page.url.as_str());
                // The finding about the rule of an address says that it is in a loop.
                let is_told = |row: &&Row| {
                    row.verdict == AddressVerdict::Loop
                        && rows.sources.contains(&*row.old_url)
                        && addresses::is_loop_of_rule(&row.old_url, context)
                };
                let row = row.filter(|row| !is_told(row));
                findings.extend(
                    row.and_then(|row| addresses::address_finding(row, &page.name, context)),
                );
            }
            Finding::sort(&mut findings);
            verdict.errors += errors(&findings);
            let links = page.judgement.classes.iter().sum();
            sink.document(&page.name, links, findings)?;
        }
        for findings in others.into_values() {
            verdict.errors += errors(&findings);
            sink.findings(findings)?;
        }
        verdict.errors += errors(&other_files.findings);
        sink.findings(other_files.findings)?;
        self.send_rule_findings(sink, context, &rows, &mut verdict)?;
        self.send_list_findings(sink, context, &old_docs, &by_url, &mut verdict)?;
        summary.verdict = verdict.in_words();
        let recheck = self.after_launch(context, &old_docs, &rows.all, &mut summary, sink)?;
        if self.is_exhausted() {
            summary = self.exhausted(summary, sink)?;
        }
        let dialects = self.request.written.iter();
        let missing =
            dialects.map(|dialect| missing_rules(*dialect, &rows.all, context, &self.sources));
        let missing = missing.collect();
        let results = MoveResults {
            prefixes: &self.prefixes,
            rows: rows.all,
            pages: old_docs.pages,
            unread: old_docs.unread,
            old_tree: &self.old.tree,
            missing,
            recheck,
        };
        Ok(CheckedMove {
            summary,
            results: Some(results),
        })
    }

    /// Sends the findings about the rule files.
    fn send_rule_findings(
        &self,
        sink: &mut dyn FindingSink,
        context: &MoveContext<'_>,
        rows: &Rows,
        verdict: &mut Verdict,
    ) -> Result<(), MoveError> {
        for (number, source) in self.sources.iter().enumerate() {
            for part in self
                .rules
                .get(number)
                .into_iter()
                .flat_map(|file| addresses::parts(file))
            {
                let mut findings = rule_set::problems(part.problems, source);
                findings.extend(addresses::rule_findings(
                    number,
                    &part.rules,
                    context,
                    source,
                    &rows.used,
                    self.new_tree.is_some(),
                ));
                self.suggest(&mut findings);
                let faults = findings.iter().filter(|one| {
                    let is_of_address = [&rules::R_DEAD, &rules::R_LOOP, &rules::R_NOT_KNOWN];
                    one.level == Level::Error && !is_of_address.contains(&one.rule)
                });
                verdict.rule_faults += faults.count() as u64;
                for rule in part.rules {
                    let file = number;
                    let row = rows.by_rule.get(&RuleId { file, rule });
                    let row = row.and_then(|row| rows.all.get(*row));
                    findings.extend(row.and_then(|row| {
                        self.finding_at_rule(RuleId { file, rule }, row, context, &findings)
                    }));
                }
                Finding::sort(&mut findings);
                verdict.errors += errors(&findings);
                sink.findings(findings)?;
            }
        }
        Ok(())
    }

    /// Sends the findings about the listed addresses, and those about limits that answers have reached.
    fn send_list_findings(
        &self,
        sink: &mut dyn FindingSink,
        context: &MoveContext<'_>,
        old_docs: &SiteDocuments,
        by_url: &HashMap<&str, &Row>,
        verdict: &mut Verdict,
    ) -> Result<(), MoveError> {
        let mut pages: HashSet<&str> = HashSet::new();
        pages.extend(old_docs.pages.iter().map(|page| page.url.as_str()));
        for list in &self.lists {
            let partial = list.urls().filter(|url| pages.insert(url));
            let rows = partial.filter_map(|url| by_url.get(url).copied());
            let weight = list.list.weight.as_deref();
            let findings = addresses::list_findings(rows, &list.name, weight, context);
            verdict.errors += errors(&findings);
            sink.findings(findings)?;
        }
        for (file, source) in self.rules.iter().zip(&self.sources) {
            let findings = rule_set::problems(&file.met(), source);
            verdict.errors += errors(&findings);
            sink.findings(findings)?;
        }
        Ok(())
    }

    /// The finding about the source of a rule that leads nowhere, unless the findings about the rule say
    /// so.
    fn finding_at_rule(
        &self,
        RuleId { file, rule }: RuleId,
        row: &Row,
        context: &MoveContext<'_>,
        findings: &[Finding],
    ) -> Option<Finding> {
        let rule = self.rules.get(file)?.rules().get(rule)?;
        let is_told = |one: &Finding| one.level == Level::Error && *one.raw == *rule.from;
        if findings.iter().any(is_told) {
            return None;
        }
        let source = self.sources.get(file)?;
        let found = addresses::address_finding(row, &source.name, context)?;
        let mut finding = source.finding(found.rule, rule.line, found.cause, found.message);
        finding.raw = rule.from.as_str().into();
        finding.url = found.url;
        Some(finding)
    }

    /// Suggests existing files to rules with missing targets.
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
            let found = lookup(tree, &self.request.hosting, path, encoding_rs::UTF_8);
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

    /// Compares the predictions with the reports of link checkers, if there are any. Replaces the
    /// verdict of the summary, and returns the URLs to check again.
    fn after_launch(
        &self,
        context: &MoveContext<'_>,
        old_docs: &SiteDocuments,
        rows: &[Row],
        summary: &mut Summary,
        sink: &mut dyn FindingSink,
    ) -> Result<Vec<String>, SinkError> {
        let Some(reports) = &self.reports else {
            return Ok(Vec::new());
        };
        let mut names: HashMap<&str, &Arc<PageName>> = HashMap::new();
        let pages = old_docs.pages.iter().filter(|page| page.is_of_site);
        names.extend(pages.map(|page| (page.url.as_str(), &page.name)));
        for list in &self.lists {
            for url in list.urls() {
                names.entry(url).or_insert(&list.name);
            }
        }
        let rule_file = self.sources.first().map(|source| &source.name);
        let rule_file = rule_file.cloned().unwrap_or_default();
        let predictor = Predictor {
            context,
            names: &names,
            rule_file: &rule_file,
        };
        let comparison = reports.compare(rows, &predictor);
        let by_files = summary.verdict_line();
        summary.verdict = comparison.in_words();
        summary.lines.push(format!("by its files: {by_files}"));
        sink.findings(comparison.findings)?;
        Ok(comparison.recheck)
    }

    /// Whether a rule file exceeded its number of steps.
    fn is_exhausted(&self) -> bool {
        self.rules.iter().any(|file| file.is_exhausted())
    }

    /// Reports the rule files that exceeded their number of steps. The check then has no result.
    fn exhausted(
        &self,
        summary: Summary,
        sink: &mut dyn FindingSink,
    ) -> Result<Summary, SinkError> {
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

fn errors(findings: &[Finding]) -> u64 {
    let errors = findings.iter().filter(|one| one.level == Level::Error);
    errors.count() as u64
}
