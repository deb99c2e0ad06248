//! Checks whether every link of saved trees leads where its author thinks.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use encoding_rs::Encoding;

use super::fixing::Mender;
use super::in_turn::{InTurn, Told};
use super::redirects::RuleSet;
use super::unless_met;
use baseref_audit::{Audit, Crawl, External, LinkClass, MissingCaptures, Redirects, StoredScan};
use baseref_container::Format;
use baseref_document::ReadError;
use baseref_document::link_places::Classes;
use baseref_document::{Limits, ReadOptions};
use baseref_evidence::captures::{Builder, CdxReader};
use baseref_evidence::link_reports::ReportFiles;
use baseref_files::Files;
use baseref_files::url_filter::UrlFilter;
use baseref_findings::nearest::did_you_mean;
use baseref_findings::{Class, Config, FindingSink, Refused, Shown, Summary};
use baseref_reader::base::Policy;
use baseref_resolve::Rules;
use baseref_run::{self as run, Piece};
use baseref_server::table;
use baseref_site::hosting::{Folder, Hosting};
use baseref_site::listing::{FileId, FileSystem, Following, Node, Tree};
use baseref_site::map::{Address, SiteMap};
use baseref_unwrap::Unwrapper;
use baseref_walk::skipped::{SkipReason, SkippedFiles};
use baseref_walk::{FileInput, Opening, RetrievalUrls, Walk, no_page_in, normal};

/// What to audit, in addition to the configuration.
#[derive(Clone, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "independent flags")]
pub struct Request {
    /// Directories, each the root of a site; or files.
    pub paths: Vec<PathBuf>,
    /// Only documents that match, or with `!` all but these.
    pub glob: Vec<String>,
    /// The classes of links to judge; `None` for the places defined by standards.
    pub links: Option<Classes>,
    /// Domains that the hosts of links in mail must not look like.
    pub protected: Vec<String>,
    /// The rule set that resolves references, with which the others are compared.
    pub rules: Rules,
    /// The format of the inputs.
    pub format: Option<Format>,
    /// The character encoding of the documents, overriding what they declare.
    pub encoding: Option<&'static Encoding>,
    /// The links to judge, by URL.
    pub urls: UrlFilter,
    /// Whether to list every link, whatever its verdict. Memory then grows with their number.
    pub with_links: bool,
    /// Whether the summary lists the files that no other page links to.
    pub unreferenced: bool,
    /// The URL that the files were retrieved from.
    pub url: Option<String>,
    /// Whether the source URL recorded by the program that saved a page is used, when no better one
    /// is known.
    pub marks: bool,
    /// Whether symbolic links out of a directory are followed.
    pub follow: bool,
    /// What link checkers reported of URLs on other sites.
    pub reports: ReportFiles,
    /// How links of captured pages are judged.
    pub crawl: Crawl,
    /// Indexes (CDX, CDXJ) of captures that count beside those of the inputs.
    pub cdx: Vec<PathBuf>,
    /// Whether to list what captured pages need and the captures lack.
    pub lists_missing: bool,
}

/// An audit ready to begin: the names of all files have been read.
pub struct Planned {
    request: Request,
    hosting: Hosting,
    map: SiteMap,
    /// The addresses of packages, by their normal paths.
    packages: Vec<(PathBuf, Address)>,
    /// Mirrors of several hosts, and the schemes that they were retrieved by.
    mirrors: Vec<(PathBuf, &'static str)>,
    documents: Vec<DocumentPath>,
    skipped: SkippedFiles,
    external: Option<External>,
    lines: Lines,
    redirects: Option<Arc<dyn Redirects>>,
    files: Arc<Files>,
    unwrapper: Unwrapper,
}

impl Planned {
    /// Plans an audit with the hosting and addresses of `config`.
    ///
    /// # Errors
    /// If the request contradicts itself, or a directory cannot be listed.
    pub fn new(request: Request, config: &Config, files: &Arc<Files>) -> Result<Self, Refused> {
        let hosting = hosting(config)?;
        if let (Some(_), Some(directory)) = (
            &request.url,
            request.paths.iter().find(|p| is_directory(p, files)),
        ) {
            return Err(Refused(format!(
                "-u: {0} is a directory, whose files have a URL each: give it with --url-map \
                 {0}=URL",
                directory.display()
            )));
        }
        let external = external(&request.reports, files)?;
        let lines = Lines::read(&request.cdx, files)?;
        let (packages, maps) = package_addresses(&config.url_map, files)?;
        let sites = sites(&maps, &request.paths, request.follow, files)?;
        let walk = Walk::new(true, false, &request.glob);
        let walk = walk.map_err(|error| Refused(format!("--glob: {error}")))?;
        let (documents, skipped) = documents(&request.paths, &sites, &walk, files);
        let mirrors = mirrors(&sites);
        let map = site_map(sites, &config.url_alias, files)?;
        Ok(Self {
            map,
            redirects: None,
            mirrors,
            hosting,
            packages,
            documents,
            skipped,
            external,
            lines,
            request,
            files: Arc::clone(files),
            unwrapper: unwrapper(config)?,
        })
    }

    /// What the servers of the directories answer is then asked of files of redirect rules, each
    /// `[DIALECT:]FILE`; none are needed.
    ///
    /// # Errors
    /// If a file cannot be read, or its dialect is not known; and if no directory is audited.
    // Not in the request: a program that never calls this contains none of the dialects.
    pub fn with_redirects(mut self, named: &[String]) -> Result<Self, Refused> {
        let rules = RuleSet::read(named, &self.map, &self.files)?;
        self.redirects = rules.map(|rules| Arc::new(rules) as _);
        Ok(self)
    }

    /// Introductory lines for people: the rules by which files are looked up, where there are files to
    /// look up.
    #[must_use]
    pub fn head(&self) -> Vec<String> {
        let is_package =
            |document: &DocumentPath| Format::of_name(&document.path) == Some(Format::Zip);
        if self.map.sites().is_empty() && !self.documents.iter().any(is_package) {
            return Vec::new();
        }
        vec![format!("hosting {}", self.hosting)]
    }

    /// The directories that are audited.
    #[must_use]
    pub fn trees(&self) -> Vec<PathBuf> {
        let sites = self.map.sites().iter();
        sites.map(|site| site.tree.root().to_owned()).collect()
    }

    /// Calls `each` with the path of every document to judge.
    pub fn each_path(&self, mut each: impl FnMut(&Path)) {
        for document in &self.documents {
            each(&document.path);
        }
    }

    /// What reads the documents once more, to replace links in them.
    #[must_use]
    pub fn mender(&self) -> Mender {
        let documents = self.documents.iter();
        let files = documents.filter(|document| document.path.as_os_str() != "-");
        let name = |path: &Path| path.to_string_lossy().into_owned();
        let (policy, read) = reading(&self.request);
        Mender {
            files: files.map(|file| (name(&file.path), file.clone())).collect(),
            opening: opening(&self.request, &self.map, &self.mirrors, &self.files),
            policy,
            read,
        }
    }

    /// Runs the audit on `jobs` threads.
    ///
    /// # Errors
    /// If an output is among the documents, or `take` refuses.
    pub fn run(self, jobs: NonZeroUsize, take: &mut dyn FindingSink) -> Result<Audited, Refused> {
        let (audit, begun) = self.begin(take.shown());
        let (inputs, rest) = begun.inputs();
        let scanned = run::fold(
            inputs,
            jobs,
            |piece, scans| scan(&audit, piece, scans),
            merge,
        );
        rest.end(&audit, scanned, Told::default(), take)
    }

    /// Runs the audit on `jobs` threads, and passes on what it finds as soon as it is certain: of
    /// documents on which no other depends, such as those of a mailbox, none is kept.
    ///
    /// # Errors
    /// If an output is among the documents, or `take` refuses.
    pub fn run_in_turn(
        self,
        jobs: NonZeroUsize,
        take: &mut (dyn FindingSink + Send),
    ) -> Result<Audited, Refused> {
        if take.needs_all_documents() {
            return self.run(jobs, take);
        }
        let (audit, begun) = self.begin(take.shown());
        let (inputs, rest) = begun.inputs();
        let mut in_turn = InTurn::new(&audit, take);
        let scanned = run::fold(
            inputs,
            jobs,
            |piece, scans| scan(&audit, piece, scans),
            |all, more| in_turn.take(all, more),
        );
        let told = in_turn.finish()?;
        rest.end(&audit, scanned, told, take)
    }

    /// The audit, and what is left to be done with it.
    fn begin(self, shown: Shown) -> (Audit, Begun) {
        let files = self.files;
        let opening = opening(&self.request, &self.map, &self.mirrors, &files);
        let listed = Listed {
            unreferenced: self.request.unreferenced,
            missing: self.request.lists_missing,
        };
        let nothing = nothing(&self.request);
        let mut audit = audit(&self.request, self.map, self.hosting)
            .with_mail(self.unwrapper, &self.request.protected)
            .with_shown(shown)
            .with_crawl(self.request.crawl.clone())
            .with_addresses(address_of(self.packages))
            .with_files(&files);
        if let Some(external) = self.external {
            audit = audit.with_external(external);
        }
        if let Some(redirects) = &self.redirects {
            audit = audit.with_redirects(Arc::clone(redirects));
        }
        if listed.unreferenced {
            audit = audit.with_references();
        }
        let rest = Rest {
            listed,
            nothing,
            lines: self.lines,
            redirects: self.redirects,
            skipped: self.skipped,
            files,
        };
        let documents = self.documents;
        let begun = Begun {
            documents,
            opening,
            rest,
        };
        (audit, begun)
    }
}

/// The result of an audit, apart from its findings.
#[derive(Debug)]
pub struct Audited {
    /// What was found, in numbers and lines.
    pub summary: Summary,
    /// What captured pages need and the captures lack, if [`Request::lists_missing`].
    pub missing: MissingCaptures,
}

/// What a run lists besides findings.
#[derive(Clone, Copy)]
struct Listed {
    unreferenced: bool,
    missing: bool,
}

/// What is left to be done of an audit that has begun.
struct Begun {
    documents: Vec<DocumentPath>,
    opening: Arc<Opening>,
    rest: Rest,
}

/// What is done once everything has been read.
struct Rest {
    listed: Listed,
    /// Why an audit of no documents ends.
    nothing: String,
    lines: Lines,
    redirects: Option<Arc<dyn Redirects>>,
    skipped: SkippedFiles,
    files: Arc<Files>,
}

impl Begun {
    /// The inputs, and the rest.
    fn inputs(
        self,
    ) -> (
        impl Iterator<Item = Result<FileInput, ReadError>> + Send,
        Rest,
    ) {
        let documents = self.documents.into_iter();
        let opening = self.opening;
        let inputs = documents.map(move |document| Ok(document.input(&opening)));
        (inputs, self.rest)
    }
}

impl Rest {
    /// Judges what is not yet told, and sums up.
    fn end(
        self,
        audit: &Audit,
        mut scanned: Scanned,
        told: Told,
        take: &mut dyn FindingSink,
    ) -> Result<Audited, Refused> {
        unless_met(&self.files)?;
        scanned.captures.merge_lines(self.lines.captures);
        let Audited {
            mut summary,
            missing,
        } = judge(audit, scanned, told, take, self.listed)?;
        if let Some(redirects) = self.redirects {
            take.findings(redirects.findings())?;
        }
        summary.unreadable += self.lines.unread.len() as u64;
        summary.lines.extend(self.lines.unread);
        let skipped = self.skipped.lines(HOW);
        // What was not checked must not look as if all was well.
        if summary.documents == 0 && summary.unreadable == 0 {
            let said = std::iter::once(self.nothing).chain(skipped);
            return Err(Refused(said.collect::<Vec<_>>().join("; ")));
        }
        summary.lines.extend(skipped);
        Ok(Audited { summary, missing })
    }
}

/// How to read what was skipped.
const HOW: &str = "; name it, or give --glob, to judge what is in it";

/// Why an audit of no documents ends.
fn nothing(request: &Request) -> String {
    let no_page = no_page_in(&request.paths, !request.glob.is_empty());
    format!("nothing was checked: {no_page}")
}

/// The results for some inputs.
#[derive(Default)]
pub(crate) struct Scanned {
    /// Documents, and errors in place of those that could not be read.
    // Errors in places of their own, as there are few.
    pub(crate) scans: Vec<Result<StoredScan, Box<ReadError>>>,
    pub(crate) captures: Builder,
}

fn scan(audit: &Audit, piece: Piece, scanned: &mut Scanned) {
    match piece {
        Piece::Entity(entity) => {
            let Scanned { scans, captures } = scanned;
            audit.scan(entity, captures, &mut |found| {
                scans.push(found.map_err(Box::new));
            });
        }
        Piece::Unread(error) => scanned.scans.push(Err(Box::new(error))),
        // They have no links.
        Piece::Skipped(_) => {}
    }
}

/// Adds the results for later inputs.
pub(crate) fn merge(all: &mut Scanned, mut more: Scanned) {
    let before = all.captures.merge(more.captures);
    for scan in more.scans.iter_mut().flatten() {
        scan.follow(before);
    }
    all.scans.append(&mut more.scans);
}

/// Judges the documents that are not yet told, in order, passes on the findings, and sums up.
fn judge(
    audit: &Audit,
    scanned: Scanned,
    mut told: Told,
    take: &mut dyn FindingSink,
    with: Listed,
) -> Result<Audited, Refused> {
    let Scanned {
        mut scans,
        captures,
    } = scanned;
    let mut judge = audit.judge(take.excerpts(), captures, scans.iter_mut().flatten());
    if with.missing {
        judge.list_missing_captures();
    }
    if take.needs_all_documents() {
        let pages = scans.iter().flatten();
        take.documents(&mut pages.filter_map(|scan| audit.page_of(scan)));
    }
    told.begin(audit, take)?;
    for scan in scans {
        told.tell(audit, &mut judge, scan, take)?;
    }
    let Told {
        mut summary,
        counts,
        shows,
        has_decoded,
        ..
    } = told;
    take.findings(judge.unfounded())?;
    let (lines, tables) = judge.completeness();
    summary.unreadable += judge.lost();
    summary.tables = tables;
    let missing = if with.missing {
        judge.into_missing_captures()
    } else {
        MissingCaptures::default()
    };
    summary.classes = LinkClass::ALL
        .into_iter()
        .map(|class| Class {
            name: class.as_str(),
            short: class.short(),
            about: class.about(),
            links: counts.of(class),
            note: String::new(),
        })
        .collect();
    summary.lines.extend(lines);
    summary.lines.extend(audit.shows(&shows));
    if has_decoded {
        summary.lines.push(DECODED.to_owned());
    }
    if with.unreferenced {
        let files = audit.unreferenced().map(|file| audit.path_of(file));
        let files =
            files.filter(|file| SkipReason::from_path(Path::new(file)) != Some(SkipReason::Cache));
        summary
            .lines
            .extend(files.map(|file| format!("unreferenced: {file}")));
    }
    Ok(Audited { summary, missing })
}

/// What link checkers reported; `None` without their files.
fn external(reports: &ReportFiles, files: &Files) -> Result<Option<External>, Refused> {
    let statuses = reports.read(files);
    let statuses = statuses.map_err(|error| Refused(error.to_string()))?;
    Ok(statuses.map(|statuses| External {
        statuses,
        oldest: reports.oldest.clone(),
        archive: reports.archive_prefix(),
    }))
}

/// The captures in the lines of indexes.
#[derive(Default)]
struct Lines {
    captures: Builder,
    /// What could not be read, a line for each index.
    unread: Vec<String>,
}

impl Lines {
    /// Reads the files of `--cdx`.
    ///
    /// # Errors
    /// If one cannot be read, or is not an index.
    fn read(paths: &[PathBuf], files: &Files) -> Result<Self, Refused> {
        let mut lines = Self::default();
        for path in paths {
            let refused = |error: &dyn std::fmt::Display| {
                Refused(format!("--cdx: {}: {error}", path.display()))
            };
            let mut index = CdxReader::open(path, files).map_err(|error| refused(&error))?;
            for capture in &mut index {
                let capture = capture.map_err(|error| refused(&error))?;
                lines.captures.add(&capture);
            }
            let malformed = index.malformed();
            let path = path.display();
            let malformed = malformed.map(|malformed| format!("{path}: {malformed}"));
            lines.unread.extend(malformed);
        }
        Ok(lines)
    }
}

/// What is said where places are not those in the file.
const DECODED: &str = "places in messages are lines and columns of the decoded part, not of the file \
                       (`links -f jsonl` has its bytes: part_byte)";

fn audit(request: &Request, map: SiteMap, hosting: Hosting) -> Audit {
    let (policy, read) = reading(request);
    let mut audit = Audit::new(map, hosting, policy, read);
    if let Some(classes) = request.links {
        audit = audit.with_places(classes);
    }
    if !request.urls.is_empty() {
        let urls = request.urls.clone();
        audit = audit.with_filter(move |url| urls.takes(url));
    }
    if request.with_links {
        audit = audit.with_links();
    }
    audit
}

/// How documents are read, and their bases chosen.
fn reading(request: &Request) -> (Policy, ReadOptions) {
    let policy = Policy::default().rules(request.rules).marks(request.marks);
    let read = ReadOptions::default()
        .encoding(request.encoding)
        .marks(request.marks);
    (policy, read)
}

fn opening(
    request: &Request,
    map: &SiteMap,
    mirrors: &[(PathBuf, &'static str)],
    files: &Arc<Files>,
) -> Arc<Opening> {
    let mut retrieval = RetrievalUrls::new(request.url.clone()).with_marks(request.marks);
    // Of two addresses of one directory the first wins.
    for (directory, scheme) in mirrors {
        let _ = retrieval.add_mirror(directory, scheme);
    }
    for site in map.sites() {
        let _ = retrieval.add_map(site.tree.root(), site.prefix().to_owned());
    }
    Arc::new(Opening {
        format: request.format,
        retrieval,
        of_site: true,
        packages: true,
        limits: Limits::default(),
        files: Arc::clone(files),
        ..Opening::default()
    })
}

fn no_hosting(name: &str) -> String {
    let all: Vec<&str> = table::hosting_names().collect();
    let meant = did_you_mean(name, table::hosting_names());
    format!("no hosting `{name}`{meant}; there are {}", all.join(", "))
}

/// The known wrappers, and those of a configuration.
///
/// # Errors
/// If one of these cannot be used.
pub fn unwrapper(config: &Config) -> Result<Unwrapper, Refused> {
    Unwrapper::with(config.unwraps.clone()).map_err(|error| Refused(error.to_string()))
}

fn hosting(config: &Config) -> Result<Hosting, Refused> {
    let mut hosting = match &config.hosting {
        Some(name) => table::hosting(name).ok_or_else(|| Refused(no_hosting(name)))?,
        None => Hosting::default(),
    };
    if let Some(index) = &config.index {
        let names = index.iter().filter(|name| !name.is_empty());
        hosting.index = names.cloned().collect();
    }
    if let Some(extensions) = &config.ext {
        let extensions = extensions.iter().filter(|name| !name.is_empty());
        hosting.extensions = extensions
            .map(|name| format!(".{}", name.trim_start_matches('.')))
            .collect();
    }
    if let Some(name) = &config.dir {
        let all = [Folder::Redirect, Folder::Serve, Folder::NotFound];
        let folder = all.into_iter().find(|folder| folder.as_str() == name);
        hosting.folder = folder.ok_or_else(|| {
            let all = all.map(Folder::as_str).join(", ");
            let meant = did_you_mean(name, [Folder::Redirect, Folder::Serve].map(Folder::as_str));
            Refused(format!("dir: `{name}` is not one of {all}{meant}"))
        })?;
    }
    if let Some(name) = &config.case {
        hosting.case_sensitive = match name.as_str() {
            "sensitive" => true,
            "insensitive" => false,
            other => {
                let meant = did_you_mean(other, ["sensitive", "insensitive"]);
                let text = format!("case: `{other}` is not one of sensitive, insensitive{meant}");
                return Err(Refused(text));
            }
        };
    }
    Ok(hosting)
}

/// A directory and its address.
struct SiteOf {
    directory: PathBuf,
    /// Lexically normalized: without `.` and `..`.
    absolute: PathBuf,
    address: Address,
    tree: Tree,
    mirror: Option<Mirror>,
}

/// The program that retrieved a directory from any number of hosts, and named its files.
#[derive(Clone, Copy)]
enum Mirror {
    /// wget, with this scheme.
    Wget(&'static str),
    /// `HTTrack`, which made relative the links that lead to files that it saved.
    HtTrack,
}

/// The mapped directories, and those named that are not below one of them, each with its names
/// read.
fn sites(
    maps: &[String],
    named: &[PathBuf],
    follow: bool,
    files: &Files,
) -> Result<Vec<SiteOf>, Refused> {
    let mut sites: Vec<SiteOf> = Vec::new();
    for map in maps {
        let (directory, address, mirror) = parse_map(map)?;
        let site = SiteOf {
            mirror,
            ..site(directory, address, follow, files)?
        };
        if let Some(other) = sites.iter().find(|other| overlap(&site, other)) {
            return Err(Refused(format!(
                "--url-map {map}: {} is already mapped",
                other.directory.display()
            )));
        }
        sites.push(site);
    }
    let mapped = sites.len();
    for path in named.iter().filter(|path| is_directory(path, files)) {
        let absolute = normal(path);
        let is_below = |site: &SiteOf| absolute.starts_with(&site.absolute);
        if sites[..mapped].iter().any(is_below)
            || sites.iter().any(|site| site.absolute == absolute)
        {
            continue;
        }
        sites.push(site(
            path.clone(),
            Address::Path(String::new()),
            follow,
            files,
        )?);
    }
    Ok(sites)
}

/// The addresses of packages, by their normal paths.
type Addresses = Vec<(PathBuf, Address)>;

/// The address of the package at a path.
fn address_of(packages: Addresses) -> impl Fn(&Path) -> Option<Address> {
    move |path| {
        if packages.is_empty() {
            return None;
        }
        let path = normal(path);
        let package = packages.iter().find(|(package, _)| *package == path);
        package.map(|(_, address)| address.clone())
    }
}

/// The addresses of packages, each a file, by their normal paths; and the maps of directories.
fn package_addresses(maps: &[String], files: &Files) -> Result<(Addresses, Vec<String>), Refused> {
    let mut packages = Vec::new();
    let mut others = Vec::new();
    for map in maps {
        let (path, address, mirror) = parse_map(map)?;
        if mirror.is_some() || !files.is_file(&path) {
            others.push(map.clone());
            continue;
        }
        let nothing = Tree::of_paths(&path, []);
        let placed = SiteMap::new().add(nothing, &address);
        placed.map_err(|error| Refused(format!("--url-map {map}: {error}")))?;
        packages.push((normal(&path), address));
    }
    Ok((packages, others))
}

fn site(
    directory: PathBuf,
    address: Address,
    follow: bool,
    files: &Files,
) -> Result<SiteOf, Refused> {
    let refused =
        |error: &dyn std::fmt::Display| Refused(format!("{}: {error}", directory.display()));
    let tree = if follow {
        Tree::read(&directory, &Following::new(&directory, files))
    } else {
        Tree::read(&directory, &FileSystem(files))
    };
    let tree = tree.map_err(|error| refused(&error))?;
    let absolute = normal(&directory);
    Ok(SiteOf {
        directory,
        absolute,
        address,
        tree,
        mirror: None,
    })
}

fn overlap(one: &SiteOf, other: &SiteOf) -> bool {
    one.absolute.starts_with(&other.absolute) || other.absolute.starts_with(&one.absolute)
}

fn parse_map(map: &str) -> Result<(PathBuf, Address, Option<Mirror>), Refused> {
    let unplaced = Address::Path(String::new());
    for (prefix, mirror) in [
        ("wget:", Mirror::Wget("https")),
        ("wget+http:", Mirror::Wget("http")),
        ("httrack:", Mirror::HtTrack),
    ] {
        match map.strip_prefix(prefix) {
            Some("") => return Err(Refused(format!("--url-map {map}: write it {prefix}DIR"))),
            Some(directory) => return Ok((directory.into(), unplaced, Some(mirror))),
            None => {}
        }
    }
    let parts = map
        .split_once('=')
        .filter(|(directory, _)| !directory.is_empty());
    let (directory, url) =
        parts.ok_or_else(|| Refused(format!("--url-map {map}: write it DIR=URL")))?;
    if directory.contains("://") {
        return Err(Refused(format!(
            "--url-map {map}: the directory comes first: --url-map {url}={directory}"
        )));
    }
    let address = if url.starts_with('/') && !url.starts_with("//") {
        Address::Path(url.to_owned())
    } else {
        Address::Url(url.to_owned())
    };
    Ok((directory.into(), address, None))
}

fn site_map(sites: Vec<SiteOf>, aliases: &[String], files: &Files) -> Result<SiteMap, Refused> {
    let mut map = SiteMap::new();
    for site in sites {
        let refused = |error: &dyn std::fmt::Display| {
            Refused(format!("--url-map {}: {error}", site.directory.display()))
        };
        let number = map
            .add(site.tree, &site.address)
            .map_err(|error| refused(&error))?;
        match site.mirror {
            Some(Mirror::Wget(scheme)) => add_hosts(&mut map, number, scheme),
            Some(Mirror::HtTrack) => {
                add_logged(&mut map, number, &site.directory, files)
                    .map_err(|error| refused(&error))?;
            }
            None => {}
        }
    }
    for alias in aliases {
        let refused =
            |error: &dyn std::fmt::Display| Refused(format!("--url-alias {alias}: {error}"));
        // A URL may contain `=`: the second one begins with its scheme.
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

fn mirrors(sites: &[SiteOf]) -> Vec<(PathBuf, &'static str)> {
    let mirrors = sites.iter().filter_map(|site| match site.mirror {
        Some(Mirror::Wget(scheme)) => Some((site.directory.clone(), scheme)),
        _ => None,
    });
    mirrors.collect()
}

/// Adds the hosts of a mirror by wget, `HOST/PATH`, and the files with a query in their names.
fn add_hosts(map: &mut SiteMap, number: usize, scheme: &'static str) {
    let tree = &map.sites()[number].tree;
    let root = tree.root().to_owned();
    let mut urls = RetrievalUrls::default();
    let _ = urls.add_mirror(&root, scheme);
    let hosts: Vec<Vec<u8>> = tree
        .entries(tree.top())
        .filter(|(_, node)| matches!(node, Node::Directory(_)))
        .map(|(name, _)| name.to_vec())
        .collect();
    let files: Vec<(FileId, PathBuf)> = tree
        .files()
        .map(|file| (file, root.join(tree.file_path(file))))
        .collect();
    for host in hosts {
        let Ok(name) = std::str::from_utf8(&host) else {
            continue;
        };
        for scheme in ["https", "http"] {
            // What cannot be a host is a folder beside them. Of two names of a host one wins.
            let _ = map.add_folder(
                number,
                &host,
                &format!("{scheme}://{}/", name.replace('+', ":")),
            );
        }
    }
    for (file, path) in files {
        let url = urls.url_in_mirror(&path);
        let parts = url.as_deref().and_then(|url| url.split_once("://"));
        let Some((path, query)) = parts.and_then(|(_, after)| after.split_once('?')) else {
            continue;
        };
        // No file has a slash in its name: of a slash in a query, wget makes an escape.
        let with_slashes = query.replace("%2F", "/").replace("%2f", "/");
        for scheme in ["https", "http"] {
            for query in [query, &with_slashes] {
                map.add_recorded(number, file, &format!("{scheme}://{path}?{query}"));
            }
        }
    }
}

/// Adds the URLs of the files of a mirror by `HTTrack`, as its log has them: links that it did not
/// make relative lead there.
fn add_logged(
    map: &mut SiteMap,
    number: usize,
    directory: &Path,
    run: &Files,
) -> std::io::Result<()> {
    let mut urls = RetrievalUrls::default();
    urls.add_httrack(directory, run)?;
    let tree = &map.sites()[number].tree;
    let files: Vec<(FileId, PathBuf)> = tree
        .files()
        .map(|file| (file, directory.join(tree.file_path(file))))
        .collect();
    for (file, path) in files {
        if let Some(url) = urls.url_in_mirror(&path) {
            map.add_recorded(number, file, &url);
        }
    }
    Ok(())
}

/// A document to judge.
#[derive(Clone)]
pub(crate) struct DocumentPath {
    path: PathBuf,
    /// Whether the user named it.
    named: bool,
    /// Whether the user asked for files of such a name.
    asked_for: bool,
}

impl DocumentPath {
    pub(crate) fn input(self, opening: &Arc<Opening>) -> FileInput {
        FileInput::new(self.path, self.named, opening).asked_for(self.asked_for)
    }
}

/// The named files, and for a directory those below it, in byte order of paths, without what is skipped
/// there.
fn documents(
    named: &[PathBuf],
    sites: &[SiteOf],
    walk: &Walk,
    files: &Files,
) -> (Vec<DocumentPath>, SkippedFiles) {
    let mut documents = Vec::new();
    let mut skipped = SkippedFiles::default();
    for path in named {
        if !is_directory(path, files) {
            documents.push(DocumentPath {
                path: path.clone(),
                named: true,
                asked_for: true,
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
                if let Some(reason) = SkipReason::from_path(name).filter(|_| !walk.asks_for(name)) {
                    skipped.add(reason, name);
                    if reason == SkipReason::Cache && site.mirror.is_none() {
                        skipped.add_unmapped(&path.join(name));
                    }
                    continue;
                }
                documents.push(DocumentPath {
                    path: path.join(name),
                    named: false,
                    asked_for: walk.asks_for(name),
                });
            }
        }
    }
    (documents, skipped)
}

fn is_directory(path: &Path, files: &Files) -> bool {
    path.as_os_str() != "-" && files.is_dir(path)
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// Passes on the inputs of an audit one by one. Returns how many documents were told, and how many
    /// wait after each input.
    pub(crate) fn each_input(
        planned: Planned,
        take: &mut (dyn FindingSink + Send),
    ) -> (u64, Vec<usize>) {
        let (audit, begun) = planned.begin(take.shown());
        let mut in_turn = InTurn::new(&audit, take);
        let (mut waiting, mut numbers) = (Scanned::default(), Vec::new());
        for input in begun.inputs().0 {
            let one = std::iter::once(input);
            let work = |piece, scans: &mut Scanned| scan(&audit, piece, scans);
            let more = run::fold(one, NonZeroUsize::MIN, work, merge);
            in_turn.take(&mut waiting, more);
            numbers.push(waiting.scans.len());
        }
        let told = in_turn.finish().expect("nothing is refused");
        (told.summary.documents, numbers)
    }
}
