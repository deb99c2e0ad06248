//! `baseref audit`: whether every link of saved trees leads where its author thinks.

use std::io::Write;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;

use super::findings::{self, Checked};
use crate::audit::{Audit, Counts, Judge, LinkClass, Scan, rules};
use crate::cli::audit_args::{AuditArgs, CaseArg, FolderArg};
use crate::cli::filter::takes_url;
use crate::cli::findings_args::OutFormat;
use crate::cli::{Outcome, Usage, config};
use crate::error::ReadError;
use crate::findings::{Class, Config, Finding, Summary};
use crate::options::{Limits, Policy, ReadOptions};
use crate::report::findings::{Format, Head};
use crate::run::{self, Piece};
use crate::site::hosting::Hosting;
use crate::site::listing::{FileSystem, Tree};
use crate::site::map::{Address, SiteMap};
use crate::walk::{FileInput, Opening, RetrievalUrls, Walk, normal};

/// # Errors
/// On bad usage, and when an output cannot be written.
pub fn run(arguments: &AuditArgs) -> Result<Outcome, Usage> {
    let known = findings::with_common_rules(rules::ALL);
    if let Some(text) = findings::about_rules(&arguments.findings, &known)? {
        let written = std::io::stdout().write_all(text.as_bytes());
        // Who reads a list may have enough of it.
        let _ = written;
        return Ok(Outcome::Done);
    }
    let is_of_move = |(format, _): &(OutFormat, PathBuf)| !matches!(format, OutFormat::Report(_));
    if arguments.findings.out.iter().any(is_of_move) {
        let text = "--out urlmap and redirects.DIALECT are of `baseref verify-move`";
        return Err(Usage(text.to_owned()));
    }
    if arguments.with_links && !arguments.findings.has_output(Format::Jsonl) {
        let text = "--with-links: only jsonl lists links: -f jsonl, or --out jsonl=FILE";
        return Err(Usage(text.to_owned()));
    }
    let config = findings::config(&arguments.findings, &known)?;
    let hosting = hosting(arguments, &config.0)?;
    let named = config::named_paths(&arguments.paths, arguments.files_from.as_deref())?;
    let sites = sites(arguments, &config.0, &named)?;
    let walk = Walk::new(true, false, &arguments.glob);
    let walk = walk.map_err(|error| Usage(format!("--glob: {error}")))?;
    let documents = documents(&named, &sites, &walk);
    let trees: Vec<&Path> = sites.iter().map(|site| site.directory.as_path()).collect();
    let head = Head {
        command: "audit",
        rules: known,
        lines: vec![format!("hosting {hosting}")],
        ..Head::default()
    };
    let aliases = [&arguments.url_alias[..], &config.0.url_alias].concat();
    let mut checked = Checked::new(&arguments.findings, config, &head, &trees)?;
    let map = site_map(sites, &aliases)?;
    let opening = opening(arguments, &map, &checked);
    let audit = audit(arguments, map, hosting);
    let inputs = documents
        .into_iter()
        .map(|document| Ok(document.input(&opening)));
    let jobs = arguments
        .jobs
        .and_then(|jobs| NonZeroUsize::new(jobs.into()))
        .or_else(|| thread::available_parallelism().ok())
        .unwrap_or(NonZeroUsize::MIN);
    let scanned = run::fold(
        inputs,
        jobs,
        |piece, scans| scan(&audit, piece, scans),
        merge,
    );
    if let Some(path) = opening.met.get() {
        let path = path.display();
        return Err(Usage(format!(
            "{path}: is also an output; nothing was written"
        )));
    }
    let summary = judge(&audit, scanned, &mut checked, arguments.unreferenced)?;
    checked.finish(summary)
}

/// What came of some inputs: documents, and in the place of others that they could not be read.
type Scanned = Vec<Result<Scan, ReadError>>;

fn scan(audit: &Audit, piece: Piece, scans: &mut Scanned) {
    match piece {
        Piece::Entity(entity) => audit.scan(entity, &mut |found| scans.push(found)),
        Piece::Unread(error) => scans.push(Err(error)),
        // They have no links.
        Piece::Skipped(_) => {}
    }
}

fn merge(all: &mut Scanned, mut more: Scanned) {
    all.append(&mut more);
}

/// Judges the documents in their order and writes what is found.
fn judge(
    audit: &Audit,
    mut scanned: Scanned,
    checked: &mut Checked,
    unreferenced: bool,
) -> Result<Summary, Usage> {
    let mut judge = Judge::new(audit, checked.excerpts(), scanned.iter_mut().flatten());
    let mut summary = Summary::default();
    let mut counts = Counts::default();
    checked.begin()?;
    let unlisted = audit.unlisted();
    summary.unreadable += unlisted.len() as u64;
    checked.findings(unlisted)?;
    for scan in scanned {
        match scan {
            Ok(scan) => {
                let judged = judge.judge(scan);
                summary.documents += 1;
                let is_loss = |finding: &&Finding| finding.rule == &rules::UNREADABLE;
                summary.unreadable += judged.findings.iter().filter(is_loss).count() as u64;
                counts.merge(&judged.counts);
                checked.links(&judged.page, &judged.links)?;
                checked.document(&judged.page, judged.counts.judged(), judged.findings)?;
            }
            Err(error) => {
                summary.unreadable += 1;
                checked.findings(vec![audit.unreadable(&error)])?;
            }
        }
    }
    summary.classes = LinkClass::ALL
        .into_iter()
        .map(|class| Class {
            name: class.as_str(),
            links: counts.of(class),
            note: String::new(),
        })
        .collect();
    if unreferenced {
        let files = audit.unreferenced().map(|file| audit.path_of(file));
        summary
            .lines
            .extend(files.map(|file| format!("unreferenced: {file}")));
    }
    Ok(summary)
}

fn audit(arguments: &AuditArgs, map: SiteMap, hosting: Hosting) -> Audit {
    let policy = Policy {
        rules: arguments.resolver.into(),
        ..Policy::default()
    };
    let read = ReadOptions {
        encoding: arguments.encoding,
        ..ReadOptions::default()
    };
    let mut audit = Audit::new(map, hosting, policy, read);
    if let Some(classes) = arguments.links {
        audit = audit.with_places(classes);
    }
    let (include, exclude) = (arguments.include.clone(), arguments.exclude.clone());
    if !include.is_empty() || !exclude.is_empty() {
        audit = audit.with_filter(move |url| takes_url(&include, &exclude, url));
    }
    if arguments.with_links {
        audit = audit.with_links();
    }
    audit
}

fn opening(arguments: &AuditArgs, map: &SiteMap, checked: &Checked) -> Arc<Opening> {
    let mut retrieval = RetrievalUrls::default();
    for site in map.sites() {
        // Of two addresses of one directory the first holds.
        let _ = retrieval.add_map(site.tree.root(), site.prefix().to_owned());
    }
    Arc::new(Opening {
        format: arguments.input.0,
        retrieval,
        limits: Limits::default(),
        replaced: checked.replaces(),
        written: checked.written(),
        ..Opening::default()
    })
}

fn hosting(arguments: &AuditArgs, config: &Config) -> Result<Hosting, Usage> {
    let name = arguments.hosting.as_ref().or(config.hosting.as_ref());
    let mut hosting = match name {
        Some(name) => Hosting::named(name)
            .ok_or_else(|| Usage(format!("no hosting `{name}`: --help lists them")))?,
        None => Hosting::default(),
    };
    if let Some(index) = arguments.index.as_ref().or(config.index.as_ref()) {
        hosting.index = index
            .iter()
            .filter(|name| !name.is_empty())
            .cloned()
            .collect();
    }
    if let Some(extensions) = arguments.ext.as_ref().or(config.ext.as_ref()) {
        let extensions = extensions.iter().filter(|name| !name.is_empty());
        hosting.extensions = extensions
            .map(|name| format!(".{}", name.trim_start_matches('.')))
            .collect();
    }
    if let Some(folder) = value(arguments.dir, config.dir.as_deref(), "dir")? {
        let folder: FolderArg = folder;
        hosting.folder = folder.into();
    }
    if let Some(case) = value(arguments.case, config.case.as_deref(), "case")? {
        hosting.case_sensitive = case == CaseArg::Sensitive;
    }
    Ok(hosting)
}

/// A value from the command line, or from the configuration as it would stand there.
fn value<V: clap::ValueEnum>(
    typed: Option<V>,
    configured: Option<&str>,
    name: &str,
) -> Result<Option<V>, Usage> {
    match (typed, configured) {
        (None, Some(text)) => V::from_str(text, false)
            .map(Some)
            .map_err(|error| Usage(format!("{name}: {error}"))),
        (typed, _) => Ok(typed),
    }
}

/// A directory and its address.
struct SiteOf {
    directory: PathBuf,
    /// Normal by name: without `.` and `..`.
    absolute: PathBuf,
    address: Address,
    tree: Tree,
}

/// The directories that are mapped, and those named below none of them, each with its names read.
fn sites(arguments: &AuditArgs, config: &Config, named: &[PathBuf]) -> Result<Vec<SiteOf>, Usage> {
    let mut sites: Vec<SiteOf> = Vec::new();
    for map in arguments.url_map.iter().chain(&config.url_map) {
        let (directory, address) = parse_map(map)?;
        let site = site(directory, address)?;
        if let Some(other) = sites.iter().find(|other| overlap(&site, other)) {
            return Err(Usage(format!(
                "--url-map {map}: {} is mapped already",
                other.directory.display()
            )));
        }
        sites.push(site);
    }
    let mapped = sites.len();
    for path in named.iter().filter(|path| is_directory(path)) {
        let absolute = normal(path);
        let is_below = |site: &SiteOf| absolute.starts_with(&site.absolute);
        if sites[..mapped].iter().any(is_below)
            || sites.iter().any(|site| site.absolute == absolute)
        {
            continue;
        }
        sites.push(site(path.clone(), Address::Path(String::new()))?);
    }
    Ok(sites)
}

fn site(directory: PathBuf, address: Address) -> Result<SiteOf, Usage> {
    let refused =
        |error: &dyn std::fmt::Display| Usage(format!("{}: {error}", directory.display()));
    let tree = Tree::read(&directory, &FileSystem).map_err(|error| refused(&error))?;
    let absolute = normal(&directory);
    Ok(SiteOf {
        directory,
        absolute,
        address,
        tree,
    })
}

fn overlap(one: &SiteOf, other: &SiteOf) -> bool {
    one.absolute.starts_with(&other.absolute) || other.absolute.starts_with(&one.absolute)
}

fn parse_map(map: &str) -> Result<(PathBuf, Address), Usage> {
    let parts = map
        .split_once('=')
        .filter(|(directory, _)| !directory.is_empty());
    let (directory, url) =
        parts.ok_or_else(|| Usage(format!("--url-map {map}: write it DIR=URL")))?;
    let address = if url.starts_with('/') && !url.starts_with("//") {
        Address::Path(url.to_owned())
    } else {
        Address::Url(url.to_owned())
    };
    Ok((directory.into(), address))
}

fn site_map(sites: Vec<SiteOf>, aliases: &[String]) -> Result<SiteMap, Usage> {
    let mut map = SiteMap::new();
    for site in sites {
        map.add(site.tree, &site.address)
            .map_err(|error| Usage(format!("--url-map {}: {error}", site.directory.display())))?;
    }
    for alias in aliases {
        let refused =
            |error: &dyn std::fmt::Display| Usage(format!("--url-alias {alias}: {error}"));
        // A URL may hold `=`: the second one begins with its scheme.
        let at = alias.rfind("=http").or_else(|| alias.rfind('='));
        let (url, other) = at
            .map(|at| (&alias[..at], &alias[at + 1..]))
            .ok_or_else(|| refused(&"write it URL=URL"))?;
        map.add_alias(url, other)
            .or_else(|_| map.add_alias(other, url))
            .map_err(|error| refused(&error))?;
    }
    Ok(map)
}

/// A document that is to be judged.
struct DocumentPath {
    path: PathBuf,
    /// The user named it.
    named: bool,
}

impl DocumentPath {
    fn input(self, opening: &Arc<Opening>) -> FileInput {
        FileInput::new(self.path, self.named, opening)
    }
}

/// The files that are named, and for a directory those below it, in byte order of paths.
fn documents(named: &[PathBuf], sites: &[SiteOf], walk: &Walk) -> Vec<DocumentPath> {
    let mut documents = Vec::new();
    for path in named {
        if !is_directory(path) {
            documents.push(DocumentPath {
                path: path.clone(),
                named: true,
            });
            continue;
        }
        let absolute = normal(path);
        let site = sites.iter().find_map(|site| {
            let below = absolute.strip_prefix(&site.absolute).ok()?;
            Some((site, below))
        });
        let Some((site, below)) = site else { continue };
        for file in site.tree.paths() {
            if let Ok(name) = file.strip_prefix(below)
                && walk.takes(name)
            {
                documents.push(DocumentPath {
                    path: path.join(name),
                    named: false,
                });
            }
        }
    }
    documents
}

fn is_directory(path: &Path) -> bool {
    path.as_os_str() != "-" && path.is_dir()
}
