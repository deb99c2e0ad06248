//! Checks what a move does to every link of a tree, and makes the edits that fix it.
//!
//! - `other_files`: old addresses in files that are not documents;
//! - `old_site`: the folder, the archive or the index that the old pages are in;
//! - `measured`: what servers were measured to answer after the launch;
//! - `reading`: the documents of both sides;
//! - `verdict`: whether the site is movable, in words.

mod measured;
mod old_site;
mod other_files;
mod reading;
mod verdict;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use self::measured::{Known, Measurements};
use self::old_site::{Found, OldSite, Pages};
use self::other_files::OtherFiles;
pub use self::reading::Page;
use self::reading::{Gathered, Reading, Side, read_again};
use self::verdict::{Undecided, Verdict, addresses_in_words};
use crate::addresses::{self, Row, Used};
use crate::class::{MoveClass, Via};
use crate::interner::Interner;
use crate::old_urls::{self, AddressList};
use crate::page::{ByTrees, Judged, Move, PageAddress};
use crate::rules;
use crate::textual_mentions::TextualMentions;
use crate::tree::read_tree;
use crate::two_trees::{self, Compared};
use baseref_container::Entity;
use baseref_document::ReadError;
use baseref_document::ReadOptions;
use baseref_evidence::link_reports::ReportFiles;
use baseref_files::{Files, Role};
use baseref_findings::words::plural;
use baseref_findings::{Class, Finding, FindingSink, PageName, Refused, Summary};
use baseref_resolve::normal::{NormalOptions, normal};
use baseref_resolve::parts;
use baseref_rewrite::links;
use baseref_server::RuleFile;
use baseref_server::TreeFiles;
use baseref_server::follow::{End, MoveContext, Stubs, Targets};
use baseref_server::rule_set::{self, NamedRules, RuleSource, read_rules};
use baseref_site::hosting::Hosting;
use baseref_site::listing::Tree;
use baseref_site::lookup::{Lookup, lookup};
use baseref_site::moves::{PrefixError, Prefixes};
use baseref_site::suggest::suggestions;
use baseref_walk::skipped::{SkipReason, SkippedFiles};
use baseref_walk::{Opening, no_page_in};

/// A list of old addresses.
struct UrlList {
    name: Arc<PageName>,
    list: AddressList,
}

impl UrlList {
    fn urls(&self) -> impl Iterator<Item = &str> {
        let addresses = self.list.addresses.iter();
        addresses.map(|address| address.url.as_str())
    }
}

/// The move to check.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// The tree that moves, in its present state: a folder, a zip, an archive of captures, or an index
    /// of captures, of which only the addresses are known.
    pub dir: PathBuf,
    /// Its present URL. Of captures it need not be given if they are of one host.
    pub from: Option<String>,
    /// Its new URL.
    pub to: String,
    /// Other URLs that it has at present.
    pub also_old: Vec<String>,
    /// Parts and neighbours that move elsewhere, each `OLD=NEW`.
    pub moves: Vec<String>,
    /// The tree rebuilt for the new place.
    pub new_tree: Option<PathBuf>,
    /// Files of redirect rules, each `[DIALECT:]FILE`.
    pub redirects: Vec<String>,
    /// Whether every old address without a rule of its own redirects to the same path below the new
    /// URL.
    pub prefix_redirect: bool,
    /// Files of more old addresses.
    pub urls: Vec<PathBuf>,
    /// What link checkers reported of the old addresses after the launch.
    pub reports: ReportFiles,
}

/// A check of a move ready to begin: the names of all files and the rules have been read.
pub struct Planned {
    request: Request,
    /// The present URL.
    from: String,
    prefixes: Prefixes,
    old: OldSite,
    new_tree: Option<Tree>,
    rules: Vec<RuleFile>,
    sources: Vec<RuleSource>,
    lists: Vec<UrlList>,
    measurements: Option<Measurements>,
    /// The paths of the files whose names are not UTF-8, by what reports call them.
    unwritable: HashMap<String, PathBuf>,
    files: Arc<Files>,
}

/// Makes the patch of a page, or the fixed page, from the input's name, the page's names and its
/// findings.
pub type Mend<'m> = dyn Fn(&str, &PageName, &mut Judged) -> Vec<u8> + Sync + 'm;

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
    /// # Errors
    /// If the request contradicts itself, or a tree or list cannot be read.
    pub fn new(request: Request, files: &Arc<Files>) -> Result<Self, Refused> {
        let found = Found::at(&request.dir, files)?;
        let (from, others) = found.place(request.from.as_deref(), &request.dir)?;
        let also_old = [&request.also_old[..], &others].concat();
        let mut prefixes = Prefixes::default();
        let refused = |error: PrefixError| Refused(error.to_string());
        prefixes
            .add(&from, &also_old, &request.to)
            .map_err(refused)?;
        for pair in &request.moves {
            let (old, new) = split_move(pair)?;
            prefixes.add(old, &[], new).map_err(refused)?;
        }
        let has_more = request.new_tree.is_some() || !request.redirects.is_empty();
        if prefixes.is_identity() && !has_more {
            return Err(Refused(format!(
                "--from and --to are both {}: nothing moves; give --new-tree or --redirects to \
                 check a site that was rebuilt in its place",
                request.to
            )));
        }
        let mut old = found.site(&request.dir, &prefixes, files)?;
        old.allows(&request)?;
        let new_tree = request.new_tree.as_deref();
        let new_tree = new_tree.map(|dir| read_tree(dir, files)).transpose()?;
        let NamedRules {
            files: rules,
            sources,
        } = read_rules(&request.redirects, &from, files)
            .map_err(|error| Refused(error.to_string()))?;
        let mut lists: Vec<UrlList> = old.list.take().into_iter().collect();
        for file in &request.urls {
            let unread = |error: String| Refused(format!("{}: {error}", file.display()));
            let bytes = files.read(file, Role::Addresses);
            let bytes = bytes.map_err(|error| unread(error.to_string()))?;
            lists.push(UrlList {
                list: old_urls::read(&bytes, file, &from, files).map_err(unread)?,
                name: RuleSource::new(&file.to_string_lossy(), &bytes).name,
            });
        }
        let statuses = request.reports.read(files);
        let statuses = statuses.map_err(|error| Refused(error.to_string()))?;
        let oldest = request.reports.oldest.clone();
        Ok(Self {
            measurements: statuses.map(|statuses| Measurements { statuses, oldest }),
            unwritable: unwritable([old.folder(), new_tree.as_ref()].into_iter().flatten()),
            request,
            from,
            prefixes,
            old,
            new_tree,
            rules,
            sources,
            lists,
            files: Arc::clone(files),
        })
    }

    /// The directories to read.
    #[must_use]
    pub fn trees(&self) -> Vec<PathBuf> {
        let old = self.old.folder().map(|_| &self.request.dir);
        let trees = [old, self.request.new_tree.as_ref()];
        trees.into_iter().flatten().cloned().collect()
    }

    /// Calls `each` with the path of every file of the tree that moves.
    pub fn each_path(&self, mut each: impl FnMut(&Path)) {
        let tree = self.old.folder();
        for (tree, file) in tree
            .into_iter()
            .flat_map(|tree| tree.files().map(move |file| (tree, file)))
        {
            each(&tree.root().join(tree.file_path(file)));
        }
    }

    /// Checks the move on `jobs` threads. `after` sees the results once all findings are taken; if
    /// edits are wanted, `mend` makes them.
    ///
    /// # Errors
    /// If an output is among the documents, or `take` or `after` refuses.
    pub fn run(
        &self,
        jobs: NonZeroUsize,
        take: &mut dyn FindingSink,
        mend: Option<&Mend<'_>>,
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
            fixes: mend.is_some(),
            mentions: TextualMentions::new(&self.prefixes),
            shown: take.shown(),
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
            mend,
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
        gathered.is_fixing = mend.is_some();
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
                let again = two_trees::Again {
                    source: &source,
                    jobs,
                };
                let strings = interner.into_all();
                let listed: Vec<&str> = self.lists.iter().flat_map(UrlList::urls).collect();
                let shown = &mover.shown;
                two_trees::compare(&context, &strings, &old, &new, &listed, shown, again)
            }
            None => Compared::default(),
        };
        let others = self.other_files(&mover, &gathered.pages);
        gathered.unread.extend(others.unread.iter().cloned());
        if let Some(clash) = self.files.clash() {
            return Err(Refused(clash.to_string()));
        }
        self.finish(take, after, &context, gathered, compared, others)
    }

    /// The names and URLs of a page of an archive, which was at `url`.
    fn address_in_archive(&self, entity: &Entity, url: &str) -> PageAddress {
        let form = normal(url, &NormalOptions::default());
        let key = self
            .prefixes
            .old_rest(&form)
            .map(|(_, rest)| rest.to_owned());
        PageAddress {
            name: Arc::new(PageName {
                doc: entity.origin.to_string(),
                url: Some(url.to_owned()),
                key: key.unwrap_or_default(),
            }),
            new: self
                .prefixes
                .moved_as_written(url)
                .unwrap_or_else(|| url.to_owned()),
            old: url.to_owned(),
        }
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
        take: &mut dyn FindingSink,
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
            take.begin()?;
            let known = Summary {
                documents: summary.documents,
                unreadable: summary.unreadable,
                ..Summary::default()
            };
            return self.exhausted(known, take);
        }
        let by_url: HashMap<&str, &Row> = rows.iter().map(|row| (&*row.old_url, row)).collect();
        let mut others = compared.findings;
        take.documents(&mut gathered.pages.iter().map(|page| Arc::clone(&page.name)));
        take.begin()?;
        for page in &mut gathered.pages {
            let mut found = std::mem::take(&mut page.judged.findings);
            found.extend(others.remove(&page.name.doc).unwrap_or_default());
            if page.is_of_site && (self.new_tree.is_some() || !self.rules.is_empty()) {
                let row = by_url.get(page.url.as_str());
                found.extend(
                    row.and_then(|row| addresses::of_address(row, &page.name, context, false)),
                );
            }
            Finding::sort(&mut found);
            let links = page.judged.classes.iter().sum();
            take.document(&page.name, links, found)?;
        }
        for found in others.into_values() {
            take.findings(found)?;
        }
        take.findings(other_files.findings)?;
        for (number, source) in self.sources.iter().enumerate() {
            for part in self
                .rules
                .get(number)
                .into_iter()
                .flat_map(addresses::parts)
            {
                let mut found = rule_set::problems(part.problems, source);
                found.extend(addresses::rules_of(
                    number,
                    &part.rules,
                    context,
                    source,
                    &used,
                ));
                self.suggest(&mut found);
                Finding::sort(&mut found);
                take.findings(found)?;
            }
        }
        let mut pages: HashSet<&str> = HashSet::new();
        pages.extend(gathered.pages.iter().map(|page| page.url.as_str()));
        for list in &self.lists {
            let known = list.urls().filter(|url| pages.insert(url));
            let rows = known.filter_map(|url| by_url.get(url).copied());
            let weight = list.list.weight.as_deref();
            take.findings(addresses::of_list(rows, &list.name, weight, context))?;
        }
        for (file, source) in self.rules.iter().zip(&self.sources) {
            take.findings(rule_set::problems(&file.met(), source))?;
        }
        let recheck = self.after_launch(context, &gathered, &rows, &mut summary, take)?;
        if self.is_exhausted() {
            summary = self.exhausted(summary, take)?;
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
        take: &mut dyn FindingSink,
    ) -> Result<Vec<String>, Refused> {
        let Some(measurements) = &self.measurements else {
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
        let known = Known {
            context,
            stubs: stubs.map(|(number, _)| number).collect(),
            name: &|url| Arc::clone(names.get(url).copied().unwrap_or(&of_rules)),
        };
        let comparison = measurements.compare(rows, &known);
        let by_files = summary.verdict_line();
        summary.verdict = comparison.in_words();
        summary.lines.push(format!("by its files: {by_files}"));
        take.findings(comparison.findings)?;
        Ok(comparison.recheck)
    }

    /// Whether the answers of a file of rules took more steps than allowed.
    fn is_exhausted(&self) -> bool {
        self.rules.iter().any(RuleFile::is_exhausted)
    }

    /// Says which files took more steps than allowed: the check has no result.
    fn exhausted(&self, summary: Summary, take: &mut dyn FindingSink) -> Result<Summary, Refused> {
        for (file, source) in self.rules.iter().zip(&self.sources) {
            if file.is_exhausted() {
                take.findings(vec![rule_set::exhausted(source)])?;
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

    /// The old addresses: those of the pages, those listed by the user, those of exact rules.
    fn rows(&self, context: &MoveContext<'_>, gathered: &Gathered) -> (Vec<Row>, Used) {
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
                ..addresses::row(url, &chain, context)
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
                rows.push(addresses::row(url, &chain, context));
            }
        }
        (rows, used)
    }

    /// How many old addresses lead nowhere.
    fn lost(&self, rows: &[Row]) -> u64 {
        let listed: HashSet<&str> = self.lists.iter().flat_map(UrlList::urls).collect();
        let is_lost = |row: &&Row| match row.verdict {
            "lost-page" | "redirect/dead-target" | "redirect/loop" => true,
            // Listed addresses are to lead somewhere even where no rules are given.
            "redirect/missing" => !self.rules.is_empty() || listed.contains(&*row.old_url),
            _ => false,
        };
        rows.iter().filter(is_lost).count() as u64
    }

    /// How many links `--fix` repairs, those that the fix of a base repairs included.
    fn repaired(&self, gathered: &Gathered, by_base: u64) -> u64 {
        if self.new_tree.is_some() {
            return 0;
        }
        let findings = gathered.pages.iter().flat_map(|page| &page.judged.findings);
        let is_fixed =
            |finding: &&Finding| finding.fix.is_some() && finding.rule != &rules::BASE_PINS;
        findings.filter(is_fixed).count() as u64 + by_base
    }

    /// The addresses of which it is not known where they lead, by what decides it.
    fn undecided(&self, rows: &[Row]) -> Undecided {
        let mut undecided = Undecided::default();
        for (file, line) in rows
            .iter()
            .filter_map(|row| row.undecided.as_deref().copied())
        {
            let name = self.sources.get(file).map_or("", |source| &source.name.doc);
            undecided.add(name, line);
        }
        undecided
    }

    /// Introductory lines for people.
    #[must_use]
    pub fn head(&self) -> Vec<String> {
        let mut pairs = self.prefixes.pairs();
        let mut lines: Vec<String> = pairs
            .by_ref()
            .map(|(old, new)| format!("move {old} -> {new}"))
            .collect();
        lines.push(match self.new_tree {
            Some(_) => "the new site was rebuilt; links are resolved by RFC 1808, and checked by RFC 3986 and \
                 in browsers, too"
                .to_owned(),
            None => "the same files at the new location; links are resolved by RFC 1808, and checked by \
                     RFC 3986 and in browsers, too"
                .to_owned(),
        });
        lines
    }

    /// The files of both trees that are not read as documents.
    fn skipped(&self) -> SkippedFiles {
        let mut skipped = SkippedFiles::default();
        for tree in [self.old.folder(), self.new_tree.as_ref()] {
            for path in tree.into_iter().flat_map(Tree::paths) {
                if let Some(why) = SkipReason::from_path(&path) {
                    skipped.add(why, &path);
                }
            }
        }
        skipped
    }

    /// What an archive or an index as the old site was found to hold, and what was left out of it.
    fn lines_of_old(&self, gathered: &Gathered) -> Vec<String> {
        let mut lines = self.old.lines.clone();
        if gathered.left_out > 0 {
            let dir = self.request.dir.display();
            let documents = plural(gathered.left_out, "document", "documents");
            lines.push(format!(
                "{dir}: left out: {documents} of mail and archives in it"
            ));
        }
        lines
    }

    fn summary(
        &self,
        gathered: &Gathered,
        compared: &Compared,
        context: &MoveContext<'_>,
        rows: &[Row],
        other_files: u64,
    ) -> Summary {
        let mut classes = [0_u64; MoveClass::ALL.len()];
        let mut ties: BTreeMap<(MoveClass, Via), u64> = BTreeMap::new();
        let (mut by_base, mut bases, mut pages) = (0, 0, 0);
        for page in &gathered.pages {
            for (sum, count) in classes.iter_mut().zip(page.judged.classes) {
                *sum += count;
            }
            for (tie, count) in &page.judged.ties {
                *ties.entry(*tie).or_default() += count;
            }
            by_base += page.judged.by_base;
            bases += u64::from(page.judged.by_base > 0);
            let harmed = MoveClass::ALL.into_iter().zip(page.judged.classes);
            let is_harmed = harmed
                .into_iter()
                .any(|(class, n)| !class.is_harmless() && n > 0);
            pages += u64::from(is_harmed);
        }
        let causes_in_words = |class: MoveClass| {
            let own = ties.iter().filter(|((tied, _), _)| *tied == class);
            let parts: Vec<String> = own
                .map(|((_, via), count)| format!("{} {}", count, via.in_words()))
                .collect();
            parts.join(", ")
        };
        let harmed: u64 = MoveClass::ALL
            .into_iter()
            .zip(classes)
            .filter(|(class, _)| !class.is_harmless())
            .map(|(_, count)| count)
            .sum();
        let mut lines: Vec<String> = MoveClass::ALL
            .into_iter()
            .filter(|class| !class.is_harmless() && classes[*class as usize] > 0)
            .map(|class| {
                format!(
                    "{} {}: {}",
                    plural(classes[class as usize], "link", "links"),
                    class.in_words(),
                    causes_in_words(class)
                )
            })
            .collect();
        lines.extend(self.lines_of_old(gathered));
        lines.extend(compared.lines.iter().cloned());
        lines.extend(self.skipped().lines(""));
        for one in &self.lists {
            let left_out = one.list.left_out.iter();
            lines.extend(left_out.map(|what| format!("{}: left out: {what}", one.name.doc)));
        }
        if !context.rules.is_empty() || self.new_tree.is_some() {
            lines.push(addresses_in_words(rows));
        }
        let loses = |error: &&ReadError| error.kind.is_loss();
        let causes = || ties.keys().filter(|(class, _)| !class.is_harmless());
        let mut vias: Vec<Via> = causes().map(|(_, via)| *via).collect();
        vias.sort_unstable();
        vias.dedup();
        let verdict = Verdict {
            harmed,
            pages,
            causes: causes().count() as u64,
            via: vias.first().copied().filter(|_| vias.len() == 1),
            repaired: self.repaired(gathered, by_base).min(harmed),
            is_fixing: gathered.is_fixing,
            by_base,
            bases,
            broken: compared.broken,
            lost_files: compared.lost_files,
            other_files,
            lost: self.lost(rows),
            proposed: rows.iter().filter(|row| row.wants_proposed()).count() as u64,
            undecided: self.undecided(rows),
        };
        Summary {
            documents: gathered.pages.len() as u64,
            unreadable: gathered.unread.iter().filter(loses).count() as u64,
            classes: MoveClass::ALL
                .into_iter()
                .zip(classes)
                .map(|(class, links)| Class {
                    name: class.as_str(),
                    short: class.short(),
                    about: class.in_words(),
                    links,
                    note: causes_in_words(class),
                })
                .collect(),
            lines,
            verdict: verdict.in_words(),
            ..Summary::default()
        }
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

/// Splits `OLD=NEW`, where URLs may contain `=`.
///
/// # Errors
///
/// When either side is empty or there is no `=`.
pub fn split_move(pair: &str) -> Result<(&str, &str), Refused> {
    pair.find('=')
        .map(|at| (&pair[..at], &pair[at + 1..]))
        .filter(|(old, new)| !old.is_empty() && !new.is_empty())
        .ok_or_else(|| Refused(format!("{pair:?} is not of the form OLD=NEW")))
}

/// The paths of the files of some trees whose names are not UTF-8, by their names in reports; without
/// those that are called the same there.
fn unwritable<'t>(trees: impl Iterator<Item = &'t Tree>) -> HashMap<String, PathBuf> {
    let mut paths: HashMap<String, Option<PathBuf>> = HashMap::new();
    for tree in trees {
        for file in tree.files() {
            let path = tree.file_path(file);
            if path.to_str().is_none() {
                let path = tree.root().join(path);
                let doc = path.to_string_lossy().into_owned();
                let is_known = paths.contains_key(&doc);
                paths.insert(doc, (!is_known).then_some(path));
            }
        }
    }
    let paths = paths.into_iter();
    paths.filter_map(|(doc, path)| Some((doc, path?))).collect()
}
