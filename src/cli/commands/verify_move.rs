//! `baseref verify-move`: what a move does to every link of a tree, and the edits that mend it.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs;
use std::io::Write;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;

use super::findings::{self, Checked};
use super::fixing::{Fixing, copy_tree, is_stored_as_read, mended};
use crate::cli::findings_args::OutFormat;
use crate::cli::message::{Message, Messages};
use crate::cli::move_args::VerifyMoveArgs;
use crate::cli::{Outcome, Usage};
use crate::container::entity::Entity;
use crate::findings::{Class, Finding, PageName, Summary};
use crate::options::ReadOptions;
use crate::outfile::OutputFile;
use crate::relocate::addresses::{self, Row, Source, Used};
use crate::relocate::class::{MoveClass, Via};
use crate::relocate::follow::{Stubs, Targets, World};
use crate::relocate::links;
use crate::relocate::occurrences::Occurrences;
use crate::relocate::page::{ByTrees, Judged, Move, PageAddress};
use crate::relocate::prefixes::Prefixes;
use crate::relocate::redirects::{self, Dialect, RuleFile, Wanted};
use crate::relocate::stubs;
use crate::relocate::two_trees::{self, Compared};
use crate::relocate::{TreeFiles, old_urls, rules};
use crate::report::findings::Head;
use crate::resolve::{Rules, resolve};
use crate::run::{self, Piece};
use crate::site::listing::{FileSystem, Tree};
use crate::site::normal::{NormalOptions, normal};
use crate::walk::{Inputs, Opening, Walk};

/// # Errors
/// On bad usage, and when an output cannot be written.
pub fn run(arguments: &VerifyMoveArgs) -> Result<Outcome, Usage> {
    let known = findings::with_common_rules(rules::ALL);
    if let Some(text) = findings::about_rules(&arguments.findings, &known)? {
        // Who reads a list may have enough of it.
        let _ = std::io::stdout().write_all(text.as_bytes());
        return Ok(Outcome::Done);
    }
    let config = findings::config(&arguments.findings, &known)?;
    let plan = Plan::new(arguments)?;
    let head = Head {
        command: "verify-move",
        rules: known,
        lines: plan.head(),
        moved: true,
        ..Head::default()
    };
    let mut trees = vec![plan.dir.as_path()];
    trees.extend(arguments.new_tree.as_deref());
    let mut checked = Checked::new(&arguments.findings, config, &head, &trees)?;
    if matches!(plan.fix, Some(Fixing::Patch)) && arguments.findings.output.is_none() {
        checked.keep_off_stdout();
    }
    plan.run(arguments, checked)
}

/// What the arguments mean.
struct Plan {
    dir: PathBuf,
    prefixes: Prefixes,
    from: String,
    to: String,
    old_tree: Tree,
    new_tree: Option<Tree>,
    rules: Vec<RuleFile>,
    sources: Vec<Source>,
    lists: Vec<UrlList>,
    fix: Option<Fixing>,
    tables: Vec<(OutFormat, PathBuf)>,
}

/// A file of old addresses.
struct UrlList {
    name: Arc<PageName>,
    urls: Vec<String>,
}

impl Plan {
    fn new(arguments: &VerifyMoveArgs) -> Result<Self, Usage> {
        let missing = |what: &str| Usage(format!("{what} is missing"));
        let dir = arguments.dir.clone().ok_or_else(|| missing("DIR"))?;
        let from = arguments.from.clone().ok_or_else(|| missing("--from"))?;
        let to = arguments.to.clone().ok_or_else(|| missing("--to"))?;
        let mut prefixes = Prefixes::default();
        let usage = |error: crate::relocate::prefixes::PrefixError| Usage(error.to_string());
        prefixes
            .add(&from, &arguments.also_old, &to)
            .map_err(usage)?;
        for pair in &arguments.moves {
            let (old, new) = split_move(pair)?;
            prefixes.add(old, &[], new).map_err(usage)?;
        }
        let has_more = arguments.new_tree.is_some() || !arguments.redirects.is_empty();
        if prefixes.is_identity() && !has_more {
            return Err(Usage(format!(
                "--from and --to are both {to}: nothing moves; give --new-tree or --redirects to \
                 check a site that was rebuilt in its place"
            )));
        }
        if arguments.fix.is_some() && arguments.new_tree.is_some() {
            let text = "--fix mends DIR as it is; a tree that was rebuilt is mended by its builder";
            return Err(Usage(text.to_owned()));
        }
        let old_tree = read_tree(&dir)?;
        let new_tree = arguments.new_tree.as_deref().map(read_tree).transpose()?;
        let (rules, sources) = read_rules(&arguments.redirects, &from)?;
        let mut lists = Vec::new();
        for file in &arguments.urls {
            let unread = |error: String| Usage(format!("{}: {error}", file.display()));
            let bytes = fs::read(file).map_err(|error| unread(error.to_string()))?;
            lists.push(UrlList {
                urls: old_urls::read(&bytes, file, &from).map_err(unread)?,
                name: Source::new(&file.to_string_lossy(), &bytes).name,
            });
        }
        let fix = arguments.fix.as_deref();
        let fix = fix.map(|fix| Fixing::new(fix, &[&dir])).transpose()?;
        let is_table =
            |(format, _): &&(OutFormat, PathBuf)| !matches!(format, OutFormat::Report(_));
        let tables: Vec<_> = arguments
            .findings
            .out
            .iter()
            .filter(is_table)
            .cloned()
            .collect();
        for (_, path) in &tables {
            let mut trees = vec![dir.as_path()];
            trees.extend(arguments.new_tree.as_deref());
            findings::refuse_within(path, &trees)?;
        }
        Ok(Self {
            dir,
            prefixes,
            from,
            to,
            old_tree,
            new_tree,
            rules,
            sources,
            lists,
            fix,
            tables,
        })
    }

    fn run(&self, arguments: &VerifyMoveArgs, checked: Checked) -> Result<Outcome, Usage> {
        let old_urls: Vec<&str> = self.prefixes.pairs().map(|(old, _)| old).collect();
        let new_urls: Vec<&str> = self.prefixes.pairs().map(|(_, new)| new).collect();
        let old = TreeFiles::new(&self.old_tree, old_urls.into_iter());
        let tree = self.new_tree.as_ref().unwrap_or(&self.old_tree);
        let new = TreeFiles::new(tree, new_urls.into_iter());
        let overlap = ByTrees {
            prefixes: &self.prefixes,
            old: &old,
            new: &new,
        };
        let world = World {
            prefixes: &self.prefixes,
            rules: &self.rules,
            old: &old,
            new: &new,
            overlap: &overlap,
            prefix_redirect: arguments.prefix_redirect,
            stubs: &Stubs::new(),
            targets: &Targets::default(),
        };
        let mover = Move {
            world: &world,
            read: links::reading(ReadOptions::default())
                .text(arguments.new_tree.is_some())
                .identifiers(arguments.new_tree.is_some()),
            fixes: self.fix.is_some(),
            occurrences: Occurrences::new(&self.prefixes),
        };
        let jobs = jobs(arguments.jobs);
        let opening = Arc::new(Opening {
            replaced: checked.replaces(),
            written: checked.written(),
            ..Opening::default()
        });
        let mut gathered = gather(self, &mover, jobs, &self.dir, Side::Old, &opening);
        let mut rebuilt = Gathered::default();
        if let Some(dir) = &arguments.new_tree {
            rebuilt = gather(self, &mover, jobs, dir, Side::New, &opening);
        }
        gathered.pages.append(&mut rebuilt.pages);
        gathered.messages.append(&mut rebuilt.messages);
        let stubs: Stubs = gathered
            .pages
            .iter_mut()
            .filter_map(|page| page.stub.take())
            .collect();
        let world = World {
            stubs: &stubs,
            targets: &Targets::default(),
            ..world
        };
        let compared = match &arguments.new_tree {
            Some(_) => two_trees::compare(&world, &gathered.files, &rebuilt.files),
            None => Compared::default(),
        };
        if let Some(path) = opening.met.get() {
            let path = path.display();
            return Err(Usage(format!(
                "{path}: is also an output; nothing was written"
            )));
        }
        self.finish(checked, &world, gathered, compared)
    }

    /// Writes what was found.
    fn finish(
        &self,
        mut checked: Checked,
        world: &World<'_>,
        mut gathered: Gathered,
        compared: Compared,
    ) -> Result<Outcome, Usage> {
        let (rows, used) = self.rows(world, &gathered);
        let summary = self.summary(&gathered, &compared.lines, world, &rows);
        let by_url: HashMap<&str, &Row> =
            rows.iter().map(|row| (row.old_url.as_str(), row)).collect();
        let mut others = compared.findings;
        checked.begin()?;
        for page in &mut gathered.pages {
            let mut found = std::mem::take(&mut page.judged.findings);
            found.extend(others.remove(&page.name.doc).unwrap_or_default());
            if page.is_of_site && (self.new_tree.is_some() || !self.rules.is_empty()) {
                let row = by_url.get(page.url.as_str());
                found.extend(row.and_then(|row| addresses::of_address(row, &page.name, world)));
            }
            Finding::sort(&mut found);
            let links = page.judged.classes.iter().sum();
            checked.document(&page.name, links, found)?;
        }
        for found in others.into_values() {
            checked.findings(found)?;
        }
        for (number, source) in self.sources.iter().enumerate() {
            if let Some(file) = self.rules.get(number) {
                let mut found = addresses::problems(file, source);
                found.extend(addresses::rules_of(number, world, source, &used));
                Finding::sort(&mut found);
                checked.findings(found)?;
            }
        }
        let mut pages: HashSet<&str> = HashSet::new();
        pages.extend(gathered.pages.iter().map(|page| page.url.as_str()));
        for list in &self.lists {
            let known = list.urls.iter().map(String::as_str);
            let known = known.filter(|url| pages.insert(url));
            let rows = known.filter_map(|url| by_url.get(url).copied());
            checked.findings(addresses::of_list(rows, &list.name, world))?;
        }
        for (table, path) in &self.tables {
            let bytes = match table {
                OutFormat::Redirects(dialect) => missing_rules(*dialect, &rows, world),
                OutFormat::UrlMap | OutFormat::Report(_) => url_map(&rows),
            };
            let failed = |error: std::io::Error| Usage(format!("{}: {error}", path.display()));
            let mut file = OutputFile::create(path).map_err(failed)?;
            file.write_all(&bytes).map_err(failed)?;
            file.commit().map_err(failed)?;
        }
        Messages::default().end(&gathered.messages);
        let refused = self.write_fixes(&gathered)?;
        let outcome = checked.finish(summary)?;
        Ok(if refused { Outcome::Unread } else { outcome })
    }

    /// The old addresses: those of the pages, those the user knows of, those of exact rules.
    fn rows(&self, world: &World<'_>, gathered: &Gathered) -> (Vec<Row>, Used) {
        let mut seen: HashSet<&str> = HashSet::new();
        let mut rows = Vec::new();
        let mut used = Used::new();
        let pages = gathered.pages.iter().filter(|page| page.is_of_site);
        let known = pages
            .map(|page| &page.url)
            .chain(self.lists.iter().flat_map(|list| &list.urls));
        for url in known {
            if !seen.insert(url) {
                continue;
            }
            let journey = world.follow(url);
            used.extend(journey.hops.iter().filter_map(|hop| hop.rule));
            rows.push(addresses::row(url, &journey, world));
        }
        let samples = addresses::sources(world);
        for url in &samples {
            if seen.insert(url) {
                let journey = world.follow(url);
                rows.push(addresses::row(url, &journey, world));
            }
        }
        (rows, used)
    }

    fn head(&self) -> Vec<String> {
        let mut pairs = self.prefixes.pairs();
        let mut lines: Vec<String> = pairs
            .by_ref()
            .map(|(old, new)| format!("move {old} -> {new}"))
            .collect();
        lines.push(match self.new_tree {
            Some(_) => "the new tree was rebuilt; rules rfc1808, compared with rfc3986 and whatwg"
                .to_owned(),
            None => "the same files at the new place; rules rfc1808, compared with rfc3986 and \
                     whatwg"
                .to_owned(),
        });
        lines
    }

    fn summary(
        &self,
        gathered: &Gathered,
        more: &[String],
        world: &World<'_>,
        rows: &[Row],
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
        let note = |class: MoveClass| {
            let own = ties.iter().filter(|((tied, _), _)| *tied == class);
            let parts: Vec<String> = own
                .map(|((_, via), count)| format!("{} {count}", via.as_str()))
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
                    class.as_str(),
                    classes[class as usize],
                    note(class)
                )
            })
            .collect();
        lines.extend(more.iter().cloned());
        if !world.rules.is_empty() || self.new_tree.is_some() {
            lines.push(addresses_in_words(rows));
        }
        let causes = ties.keys().filter(|(class, _)| !class.is_harmless());
        let verdict = Verdict {
            harmed,
            pages,
            causes: causes.count() as u64,
            by_base,
            bases,
        };
        Summary {
            documents: gathered.pages.len() as u64,
            unreadable: gathered.messages.len() as u64,
            classes: MoveClass::ALL
                .into_iter()
                .zip(classes)
                .map(|(class, links)| Class {
                    name: class.as_str(),
                    links,
                    note: note(class),
                })
                .collect(),
            lines,
            verdict: verdict.in_words(),
            ..Summary::default()
        }
    }

    /// The patch of a page, or the mended page; nothing if it is not edited.
    fn mended(&self, input: &str, name: &PageName, judged: &mut Judged) -> Vec<u8> {
        let bytes = std::mem::take(&mut judged.bytes);
        let mut edits = std::mem::take(&mut judged.edits);
        let Some(fix) = self.fix.as_ref().filter(|_| !edits.is_empty()) else {
            return Vec::new();
        };
        if !is_stored_as_read(input, &bytes) {
            judged.refused = true;
            return Vec::new();
        }
        mended(fix, &name.key, &bytes, &mut edits)
    }

    /// Writes the mended files, and says whether something was refused.
    fn write_fixes(&self, gathered: &Gathered) -> Result<bool, Usage> {
        let Some(fix) = &self.fix else {
            return Ok(false);
        };
        let refused = gathered.pages.iter().filter(|page| page.judged.refused);
        let mut is_refused = false;
        for page in refused {
            is_refused = true;
            let text = format!(
                "{}: mail, archives and compressed files are not edited: signatures and digests would break",
                page.name.doc
            );
            Messages::default().end(&[Message::error("not-edited", text)]);
        }
        let failed =
            |path: &Path, error: std::io::Error| Usage(format!("{}: {error}", path.display()));
        match fix {
            Fixing::Patch => {
                let mut out = std::io::stdout().lock();
                for page in &gathered.pages {
                    out.write_all(&page.mended)
                        .map_err(|error| failed(Path::new("standard output"), error))?;
                }
            }
            Fixing::Folder(folder) => {
                let mended = gathered.pages.iter().filter(|page| !page.mended.is_empty());
                let mended: BTreeMap<PathBuf, Vec<u8>> = mended
                    .map(|page| (PathBuf::from(&page.name.key), page.mended.clone()))
                    .collect();
                copy_tree(&self.old_tree, folder, &mended)
                    .map_err(|(path, error)| failed(&path, error))?;
            }
        }
        Ok(is_refused)
    }
}

/// How many old addresses lead where.
fn addresses_in_words(rows: &[Row]) -> String {
    let names = [
        "page-ok",
        "page-redirected",
        "redirect/chain",
        "page-retired",
        "redirect/offsite",
        "lost-page",
        "redirect/missing",
        "redirect/dead-target",
        "redirect/loop",
        "not-known",
    ];
    let count = |verdict: &str| rows.iter().filter(|row| row.verdict == verdict).count();
    let parts: Vec<String> = names
        .into_iter()
        .filter(|name| count(name) > 0)
        .map(|name| format!("{name} {}", count(name)))
        .collect();
    format!("{} old addresses: {}", rows.len(), parts.join(", "))
}

/// Whether a tree can be moved as it is.
struct Verdict {
    harmed: u64,
    pages: u64,
    causes: u64,
    by_base: u64,
    bases: u64,
}

impl Verdict {
    fn in_words(&self) -> String {
        if self.harmed == 0 {
            return "movable as it is: yes".to_owned();
        }
        let mut text = format!(
            "movable as it is: NO; {} in {} would be lost, by {}",
            plural(self.harmed, "link", "links"),
            plural(self.pages, "document", "documents"),
            plural(self.causes, "cause", "causes"),
        );
        if self.by_base > 0 {
            text.push_str("; ");
            text.push_str(&self.by_base.to_string());
            text.push_str(" of them disappear by mending ");
            text.push_str(&plural(self.bases, "base", "bases"));
        }
        text
    }
}

fn plural(count: u64, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

/// `OLD=NEW`, where URLs may hold `=` in their rest.
pub(super) fn split_move(pair: &str) -> Result<(&str, &str), Usage> {
    pair.find('=')
        .map(|at| (&pair[..at], &pair[at + 1..]))
        .filter(|(old, new)| !old.is_empty() && !new.is_empty())
        .ok_or_else(|| Usage(format!("{pair:?} is not of the form OLD=NEW")))
}

pub(super) fn read_tree(dir: &Path) -> Result<Tree, Usage> {
    let tree = Tree::read(dir, &FileSystem)
        .map_err(|error| Usage(format!("{}: {error}", dir.display())))?;
    if tree.file_count() == 0 {
        return Err(Usage(format!("{}: there is no file in it", dir.display())));
    }
    Ok(tree)
}

/// Reads the files of `--redirects`.
fn read_rules(named: &[String], from: &str) -> Result<(Vec<RuleFile>, Vec<Source>), Usage> {
    let mut files = Vec::new();
    let mut sources = Vec::new();
    for name in named {
        if let Some(dir) = name.strip_prefix("html-stubs:") {
            let tree = read_tree(Path::new(dir))?;
            let table = stubs::table(html_files(&tree), from);
            files.push(RuleFile::read(Dialect::Csv, &table, "/"));
            sources.push(Source::new(dir, b""));
            continue;
        }
        let (dialect, file) = match name.split_once(':') {
            Some((dialect, file)) if Dialect::of_name(dialect).is_some() => {
                (Dialect::of_name(dialect), file)
            }
            _ => (Dialect::of_file_name(name), name.as_str()),
        };
        let Some(dialect) = dialect else {
            let known = Dialect::ALL.map(Dialect::as_str).join(", ");
            return Err(Usage(format!(
                "{file}: its name does not say what it is; put one of {known} and a colon before it"
            )));
        };
        let (path, mount) = match file.rsplit_once('@') {
            Some((path, mount)) if dialect == Dialect::Htaccess && mount.starts_with('/') => {
                (path, mount)
            }
            _ => (file, "/"),
        };
        let bytes = fs::read(path).map_err(|error| Usage(format!("{path}: {error}")))?;
        files.push(RuleFile::read(dialect, &bytes, mount));
        sources.push(Source::new(path, &bytes));
    }
    Ok((files, sources))
}

/// The HTML files of a tree: their paths below it, and their bytes.
fn html_files(tree: &Tree) -> impl Iterator<Item = (String, Vec<u8>)> {
    tree.files().filter_map(|file| {
        let below = tree.file_path(file);
        let extension = below.extension()?.to_str()?.to_ascii_lowercase();
        let is_html = matches!(&*extension, "html" | "htm" | "xhtml");
        let bytes = fs::read(tree.root().join(&below))
            .ok()
            .filter(|_| is_html)?;
        Some((below.to_string_lossy().replace('\\', "/"), bytes))
    })
}

pub(super) fn jobs(named: Option<u16>) -> NonZeroUsize {
    named
        .and_then(|jobs| NonZeroUsize::new(jobs.into()))
        .or_else(|| thread::available_parallelism().ok())
        .unwrap_or(NonZeroUsize::MIN)
}

/// One document that was read.
struct Page {
    name: Arc<PageName>,
    url: String,
    /// It is a page of the site, and not mail or a part of an archive.
    is_of_site: bool,
    judged: Judged,
    /// Its new address, and where it sends its readers at once.
    stub: Option<(String, String)>,
    /// Its patch, or the mended file; empty where nothing is edited.
    mended: Vec<u8>,
}

/// All documents.
#[derive(Default)]
struct Gathered {
    pages: Vec<Page>,
    /// The pages as the comparison of two trees needs them.
    files: Vec<two_trees::Page>,
    messages: Vec<Message>,
}

/// Which tree is read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Old,
    New,
}

/// Reads a tree. Where it was rebuilt, the links of the new one are judged, where they are; of
/// the old one only what the comparison needs is kept.
fn gather(
    plan: &Plan,
    mover: &Move<'_>,
    jobs: NonZeroUsize,
    dir: &Path,
    side: Side,
    opening: &Arc<Opening>,
) -> Gathered {
    // A page in a hidden directory moves like any other.
    let walk = Walk::new(true, false, &[]).unwrap_or_default();
    let inputs = Inputs::new(vec![dir.to_owned()], walk, Arc::clone(opening));
    let compares = plan.new_tree.is_some();
    run::fold(
        inputs,
        jobs,
        |piece: Piece, gathered: &mut Gathered| match piece {
            Piece::Entity(entity) => {
                let address = address(&entity, plan, dir, side);
                let is_page = entity.origin.member.is_none() && entity.origin.message.is_none();
                if compares && is_page {
                    let page = two_trees::Page::new(&entity, &address, &mover.read);
                    gathered.files.push(page);
                }
                let input = Arc::clone(&entity.origin.input);
                let mut judged = if compares && side == Side::Old {
                    Judged::default()
                } else {
                    mover.judge(entity, &address)
                };
                let mended = plan.mended(&input, &address.name, &mut judged);
                let normal = normal(&address.new, &NormalOptions::default());
                let stub = judged.stub.take().map(|to| (normal, to));
                gathered.pages.push(Page {
                    name: address.name,
                    url: address.old,
                    is_of_site: is_page && side == Side::Old,
                    judged,
                    stub,
                    mended,
                });
            }
            Piece::Unread(error) => gathered.messages.push(Message::of_error(&error)),
            Piece::Skipped(_) => {}
        },
        |all, more| {
            all.pages.extend(more.pages);
            all.files.extend(more.files);
            all.messages.extend(more.messages);
        },
    )
}

/// The names and URLs of a document of a tree. One of the new tree is where it stays.
fn address(entity: &Entity, plan: &Plan, dir: &Path, side: Side) -> PageAddress {
    let doc = entity.origin.to_string();
    let dir = dir.to_string_lossy();
    let key = crate::relocate::path_below(&doc, &dir);
    let file = crate::relocate::path_below(&entity.origin.input, &dir);
    let prefix = match side {
        Side::Old => &plan.from,
        Side::New => &plan.to,
    };
    let old = crate::relocate::url_below(prefix, &file);
    let moved = plan
        .prefixes
        .moved_as_written(&old)
        .filter(|_| side == Side::Old);
    PageAddress {
        name: Arc::new(PageName {
            doc,
            url: Some(old.clone()),
            key,
        }),
        new: moved.unwrap_or_else(|| old.clone()),
        old,
    }
}

fn url_map(rows: &[Row]) -> Vec<u8> {
    let mut out = csv::Writer::from_writer(Vec::new());
    // Writing to memory does not fail.
    let _ = out.write_record([
        "old_url", "new_url", "status", "hops", "verdict", "own_hops",
    ]);
    for row in rows {
        let status = match row.status {
            0 => String::new(),
            status => status.to_string(),
        };
        let _ = out.write_record([
            &row.old_url,
            &row.new_url,
            &status,
            &row.hops.to_string(),
            row.verdict,
            &row.own_hops.to_string(),
        ]);
    }
    out.into_inner().unwrap_or_default()
}

/// The rules that lead from old addresses without one to their new ones.
fn missing_rules(dialect: Dialect, rows: &[Row], world: &World<'_>) -> Vec<u8> {
    let pairs: Vec<(&str, String)> = rows
        .iter()
        .filter(|row| row.verdict == "redirect/missing")
        .filter_map(|row| {
            let form = normal(&row.old_url, &NormalOptions::default());
            let new = world.prefixes.moved(&form).filter(|new| *new != form)?;
            let new = resolve(Rules::Whatwg, None, &new).ok()?;
            Some((row.old_url.as_str(), new))
        })
        .collect();
    let wanted: Vec<Wanted<'_>> = pairs.iter().map(|(from, to)| Wanted { from, to }).collect();
    let written = redirects::write(dialect, &wanted, "/");
    if !written.left_out.is_empty() {
        let text = format!(
            "{} cannot be said in the language of {dialect}",
            plural(written.left_out.len() as u64, "redirect", "redirects")
        );
        Messages::default().end(&[Message::info("left-out", text)]);
    }
    written.text.into_bytes()
}
