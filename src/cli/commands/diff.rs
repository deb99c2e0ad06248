//! `baseref diff`: the links that appear, vanish or change between two trees.

use std::collections::{BTreeMap, HashSet};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::checks::jobs;
use super::fixing::commit_written;
use crate::cli::args::diff::DiffArgs;
use crate::cli::counts::count;
use crate::cli::error::CommandError;
use crate::cli::message::{Message, Messages};
use crate::cli::missing;
use crate::cli::outcome::Outcome;
use crate::cli::progress::FileProgress;
use crate::cli::stdin;
use baseref_container::{Contents, Entity, EntityKind};
use baseref_document::{Capture, ReadError, ReadOptions};
use baseref_evidence::captures::{Builder, exact};
use baseref_files::output::OutputFile;
use baseref_files::{Files, Role};
use baseref_findings::{Change, Difference, Side};
use baseref_migration::differences::{
    Documents, Link, below_their_trees, differences, links_of, read_records,
};
use baseref_migration::path_below;
use baseref_reader::base::Policy;
use baseref_report::difference_groups::DifferenceLines;
use baseref_report::differences::DiffWriter;
use baseref_rewrite::links;
use baseref_run::{self as run, Input, Piece};
use baseref_site::url_below;
use baseref_walk::{self as walk, FileInput, Inputs, Opening, Walk};

/// The URL of trees without a given URL; it is never shown.
const NOWHERE: &str = "http://baseref.invalid";

/// # Errors
/// On bad usage, and if an input cannot be read or the output cannot be written.
pub fn run(arguments: &DiffArgs, files: &Arc<Files>) -> Result<Outcome, CommandError> {
    let named = [arguments.old.as_path(), arguments.new.as_path()];
    stdin::check([("A", named[0]), ("B", named[1])])?;
    if let Some(outcome) = missing::refuse(named) {
        return Ok(outcome);
    }
    let output = files.create(arguments.output.as_deref());
    let output = output?;
    let writer = DiffWriter::new(arguments.format.into(), !arguments.no_group);
    let comparison = Comparison {
        old: Tree::new(&arguments.old, true),
        new: Tree::new(&arguments.new, false),
        root: arguments
            .url
            .clone()
            .unwrap_or_else(|| format!("{NOWHERE}/")),
        policy: Policy::default().with_rules(arguments.resolver.into()),
        read: links::reading(ReadOptions::default())
            .with_text(true)
            .with_classes(arguments.links),
        opening: Arc::new(Opening {
            files: Arc::clone(files),
            of_site: true,
            packages: true,
            ..Opening::default()
        }),
        writer: &writer,
    };
    let is_records = |path: &Path| {
        path.extension().is_some_and(|end| {
            end.eq_ignore_ascii_case("jsonl") || end.eq_ignore_ascii_case("ndjson")
        })
    };
    let found = match (is_records(&arguments.old), is_records(&arguments.new)) {
        (true, true) => comparison.records()?,
        (false, false) => {
            let paths = named.map(Path::to_owned);
            let total = move || walk::total_size(&paths, &walk_of_trees());
            let _progress = FileProgress::new(files, total);
            comparison.trees(jobs(arguments.jobs))?
        }
        _ => {
            let text = "one is a list of links and the other is not: name two trees, two pages or \
                        two outputs of `links -f jsonl`";
            return Err(CommandError::Usage(text));
        }
    };
    files.check_conflicts()?;
    // An incomplete comparison must not look like one without differences.
    if found.has_nothing {
        let (old, new) = (arguments.old.clone(), arguments.new.clone());
        return Err(CommandError::NothingCompared(old, new));
    }
    finish(output, &writer, &found)
}

/// Both trees are walked with their hidden folders.
fn walk_of_trees() -> Walk {
    Walk::new(true, false, &[]).unwrap_or_default()
}

fn finish(
    mut output: OutputFile,
    writer: &DiffWriter,
    found: &DiffResult,
) -> Result<Outcome, CommandError> {
    let written = writer.finish(&found.out, &mut output);
    commit_written(output, written)?;
    let mut messages = Messages::default();
    messages.end(&found.messages);
    let [appeared, vanished, changed] = found.counts;
    let [gone, added] = found.urls;
    let urls = if found.urls == [0, 0] {
        String::new()
    } else {
        format!("; {} gone, {added} new", count(gone, "URL", "URLs"))
    };
    let text = format!(
        "{}, {} only in the first, {} only in the second; {appeared} appeared, {vanished} \
         vanished, {changed} changed{urls}",
        count(found.pages[0], "document in both", "documents in both"),
        found.pages[1],
        found.pages[2],
    );
    let skipped = Message::skipped(&found.messages, false);
    let summary = Message::info("summary", text);
    let last: Vec<_> = skipped.into_iter().chain([summary]).collect();
    messages.end(&last);
    let mut counts = found.counts.iter().chain(&found.urls);
    let differ = counts.any(|count| *count > 0);
    Ok(match (found.is_incomplete, differ) {
        (true, _) => Outcome::Unread,
        (false, true) => Outcome::Findings,
        (false, false) => Outcome::Done,
    })
}

/// One of the inputs.
struct Tree {
    path: PathBuf,
    is_directory: bool,
    is_first: bool,
}

impl Tree {
    fn new(path: &Path, is_first: bool) -> Self {
        Self {
            is_first,
            path: path.to_owned(),
            is_directory: path.is_dir(),
        }
    }

    /// The name of a document below it; empty if it is a single page, so that two pages always pair up.
    fn below(&self, name: &str) -> String {
        path_below(name, &self.path.to_string_lossy())
    }

    fn check(&self) -> Result<(), CommandError> {
        self.path
            .metadata()
            .map(|_| ())
            .map_err(|error| CommandError::unreadable(&self.path, error))
    }
}

/// The result of the comparison.
#[derive(Default)]
struct DiffResult {
    /// The differences, formatted.
    out: DifferenceLines,
    messages: Vec<Message>,
    /// How many links appeared, vanished, changed.
    counts: [u64; 3],
    /// How many documents are in both, only in the first, only in the second.
    pages: [u64; 3],
    is_incomplete: bool,
    /// Whether neither tree has a page, or anything that could not be read.
    has_nothing: bool,
    /// The files of the second tree that were compared.
    paired: Vec<String>,
    /// The documents of mailboxes and zips, which are compared at the end.
    left: Documents,
    /// For web archives, the captured URLs and the documents among them.
    captures: Builder,
    captured: Documents,
    /// How many captured URLs are only in the first, only in the second.
    urls: [u64; 2],
}

impl DiffResult {
    fn add(&mut self, more: Self) {
        self.out.append(more.out);
        self.messages.extend(more.messages);
        for (sum, count) in self.counts.iter_mut().zip(more.counts) {
            *sum += count;
        }
        for (sum, count) in self.pages.iter_mut().zip(more.pages) {
            *sum += count;
        }
        self.is_incomplete |= more.is_incomplete;
        self.paired.extend(more.paired);
        self.left.extend(more.left);
        self.captures.merge(more.captures);
        self.captured.extend(more.captured);
    }

    fn unread(&mut self, error: &ReadError) {
        self.is_incomplete |= error.kind.is_loss();
        self.messages.push(Message::from_error(error));
    }
}

/// The row about a URL that was captured in one of two archives.
fn url_difference(change: Change, url: &str) -> Difference<'_> {
    let side = || Side {
        raw: url,
        url: Some(url),
        at: None,
    };
    Difference {
        change,
        doc: url,
        element: "capture",
        attr: "",
        text: None,
        old: (change == Change::Vanished).then(side),
        new: (change == Change::Appeared).then(side),
    }
}

struct Comparison<'c> {
    old: Tree,
    new: Tree,
    /// The URL of the trees.
    root: String,
    policy: Policy,
    read: ReadOptions,
    opening: Arc<Opening>,
    writer: &'c DiffWriter,
}

impl Comparison<'_> {
    /// Compares two lists of links.
    fn records(&self) -> Result<DiffResult, CommandError> {
        let read = |tree: &Tree| {
            let text = self.opening.files.read_text(&tree.path, Role::Records);
            let text = text.map_err(|error| CommandError::unreadable(&tree.path, error))?;
            read_records(&text).map_err(|source| CommandError::Record {
                path: tree.path.clone(),
                source,
            })
        };
        let (mut old, mut new) = (read(&self.old)?, read(&self.new)?);
        below_their_trees(&mut old, &mut new);
        let mut found = DiffResult::default();
        self.compare(&old, &new, &mut found);
        Ok(found)
    }

    /// Compares two trees: each page with the file of the same path.
    fn trees(&self, jobs: NonZeroUsize) -> Result<DiffResult, CommandError> {
        self.old.check()?;
        self.new.check()?;
        if self.old.is_directory != self.new.is_directory {
            let text = "one is a directory and the other is not";
            return Err(CommandError::Usage(text));
        }
        let mut found = run::fold(
            self.inputs(&self.old),
            jobs,
            |piece, found: &mut DiffResult| self.piece(piece, &self.old, found),
            DiffResult::add,
        );
        let paired: HashSet<String> = std::mem::take(&mut found.paired).into_iter().collect();
        let is_left = |input: &Result<FileInput, ReadError>| {
            let name = input.as_ref().map(|input| input.origin().input);
            name.map_or(true, |name| !paired.contains(&*name))
        };
        let rest = run::fold(
            self.inputs(&self.new).filter(is_left),
            jobs,
            |piece, found: &mut DiffResult| self.piece(piece, &self.new, found),
            DiffResult::add,
        );
        let archives = [
            (
                std::mem::take(&mut found.captures),
                std::mem::take(&mut found.captured),
            ),
            (rest.captures, rest.captured),
        ];
        let has_captures = self.archives(archives, &mut found);
        let old = std::mem::take(&mut found.left);
        let new = rest.left;
        found.messages.extend(rest.messages);
        found.is_incomplete |= rest.is_incomplete;
        self.compare(&old, &new, &mut found);
        found.has_nothing = found.pages == [0; 3] && !has_captures && !found.is_incomplete;
        Ok(found)
    }

    fn inputs(&self, tree: &Tree) -> Inputs {
        let walk = walk_of_trees();
        Inputs::new(vec![tree.path.clone()], walk, Arc::clone(&self.opening))
    }

    /// Compares a file of the first tree with its counterpart immediately; everything else is kept.
    fn piece(&self, piece: Piece, tree: &Tree, found: &mut DiffResult) {
        let mut entity = match piece {
            Piece::Entity(entity) => entity,
            Piece::Unread(error) => return found.unread(&error),
            Piece::Skipped(_) => return,
        };
        if let Some(capture) = entity.capture.take() {
            return self.capture(entity, &capture, tree, found);
        }
        let other = if tree.is_first {
            self.counterpart(&entity)
        } else {
            None
        };
        let old = self.documents(entity, tree, found);
        let Some((name, other)) = other else {
            found.left.extend(old);
            return;
        };
        found.paired.push(name);
        let new = match other {
            Ok(other) => self.documents(other, &self.new, found),
            Err(error) => return found.unread(&error),
        };
        self.compare(&old, &new, found);
    }

    /// Keeps a record of a web archive: what crawls have in common is not the numbers of their
    /// records, but URLs.
    fn capture(&self, entity: Entity, capture: &Capture, tree: &Tree, found: &mut DiffResult) {
        found.captures.add(capture);
        if entity.kind == EntityKind::Capture || !capture.holds_page() {
            return;
        }
        let url = exact(&capture.url);
        let own = tree.below(&entity.origin.to_string());
        for (name, links) in self.documents(entity, tree, found) {
            // Documents in attributes are parts of their page.
            let part = name.strip_prefix(&*own).unwrap_or_default();
            found.captured.push((format!("{url}{part}"), links));
        }
    }

    /// Compares two web archives: the URLs that only one of them has, and the links of the pages that
    /// both have. Of several captures of a page the last one in its archive counts. Returns whether
    /// there is any.
    fn archives(&self, [old, new]: [(Builder, Documents); 2], found: &mut DiffResult) -> bool {
        let [(old_captures, old), (new_captures, new)] = [old, new];
        let (old_captures, new_captures) = (old_captures.finish(), new_captures.finish());
        let addresses = [old_captures.addresses(), new_captures.addresses()];
        let lacks = |side: usize, url: &str| addresses[side].binary_search(&url).is_err();
        for url in addresses[0].iter().filter(|url| lacks(1, url)) {
            found.urls[0] += 1;
            self.writer
                .record(&url_difference(Change::Vanished, url), &mut found.out);
        }
        for url in addresses[1].iter().filter(|url| lacks(0, url)) {
            found.urls[1] += 1;
            self.writer
                .record(&url_difference(Change::Appeared, url), &mut found.out);
        }
        let [old, new] = [old, new].map(|all| all.into_iter().collect::<BTreeMap<_, _>>());
        for (name, links) in &old {
            let other = new.get(name);
            found.pages[usize::from(other.is_none())] += 1;
            if let Some(other) = other {
                self.write(name, links, other, found);
            }
        }
        let is_new = |name: &&String| !old.contains_key(*name);
        found.pages[2] += new.keys().filter(is_new).count() as u64;
        addresses.iter().any(|urls| !urls.is_empty())
    }

    /// The counterpart in the second tree of a file of the first, and its name.
    fn counterpart(&self, entity: &Entity) -> Option<(String, Result<Entity, ReadError>)> {
        let origin = &entity.origin;
        if origin.member.is_some() || origin.message.is_some() || origin.offset.is_some() {
            return None;
        }
        let path = if self.old.is_directory {
            self.new.path.join(self.old.below(&origin.input))
        } else {
            self.new.path.clone()
        };
        if !path.is_file() {
            return None;
        }
        let name = path.to_string_lossy().into_owned();
        let named = !self.new.is_directory;
        match FileInput::new(path, named, &self.opening).open() {
            Ok(Contents::Single(entity)) => Some((name, Ok(entity))),
            Ok(Contents::Multiple(_) | Contents::Empty) => None,
            Err(error) => Some((name, Err(error))),
        }
    }

    fn documents(&self, mut entity: Entity, tree: &Tree, found: &mut DiffResult) -> Documents {
        let path = tree.below(&entity.origin.input);
        let url = if tree.is_directory {
            url_below(&self.root, path.as_bytes())
        } else {
            self.root.clone()
        };
        let root = if self.root.starts_with(NOWHERE) {
            NOWHERE
        } else {
            "\0"
        };
        let mut all = Vec::new();
        let mut read = Vec::new();
        let bytes = std::mem::take(&mut entity.bytes);
        links::read_all(
            &bytes,
            entity,
            Some(&url),
            &self.read,
            &mut |one| match one {
                Ok(document) => read.push(document),
                Err(error) => found.unread(&error),
            },
        );
        for document in read {
            if let Some(error) = links::cut(&document, self.policy) {
                found.unread(&error);
                continue;
            }
            let documents = links_of(&document, self.policy, root);
            all.extend(
                documents
                    .into_iter()
                    .map(|(name, links)| (tree.below(&name), links)),
            );
        }
        all
    }

    /// Compares documents with the same name; those on only one side are compared with nothing.
    fn compare(&self, old: &Documents, new: &Documents, found: &mut DiffResult) {
        let mut others: BTreeMap<&str, &[Link]> = new
            .iter()
            .map(|(name, links)| (name.as_str(), &links[..]))
            .collect();
        for (name, links) in old {
            let other = others.remove(name.as_str());
            found.pages[usize::from(other.is_none())] += 1;
            self.write(name, links, other.unwrap_or_default(), found);
        }
        for (name, links) in new
            .iter()
            .filter(|(name, _)| others.contains_key(name.as_str()))
        {
            found.pages[2] += 1;
            self.write(name, &[], links, found);
        }
    }

    fn write(&self, name: &str, old: &[Link], new: &[Link], found: &mut DiffResult) {
        let [first, second] = [&self.old.path, &self.new.path].map(|path| path.to_string_lossy());
        for mut row in differences(name, old, new) {
            if row.doc.is_empty() {
                // Both inputs are single pages: name the one that the line and column refer to.
                let is_gone = row.change == Change::Vanished;
                row.doc = if is_gone { &first } else { &second };
            }
            let number = match row.change {
                Change::Appeared => 0,
                Change::Vanished => 1,
                Change::Changed => 2,
            };
            found.counts[number] += 1;
            self.writer.record(&row, &mut found.out);
        }
    }
}
