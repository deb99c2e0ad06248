//! An audit of whole folders, from a request to findings in order.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use baseref_container::Format;
use baseref_document::{Limits, ReadError, ReadOptions};
use baseref_evidence::link_reports::ReportFiles;
use baseref_files::Files;
use baseref_findings::{Config, FindingSink, Shown};
use baseref_reader::base::Policy;
use baseref_run::{self as run};
use baseref_site::hosting::Hosting;
use baseref_site::listing::Tree;
use baseref_site::map::{Address, SiteMap};
use baseref_unwrap::Unwrapper;
use baseref_walk::{Opening, RetrievalUrls, Walk, no_page_in};

use super::cdx::CdxLines;
use super::documents::{DocumentInput, DocumentPath, Documents, documents};
use super::error::AuditError;
use super::finish::{AuditOutcome, Finish, ListOptions};
use super::fixing::Fixer;
use super::hosting::{hosting, other_hostings};
use super::own_addresses::own_addresses;
use super::request::AuditRequest;
use super::scanned_inputs::{merge, scan};
use super::sites::{address_of, is_directory, mirrors, package_addresses, site_map, sites};
use super::streaming::{EmittedTotals, Streaming};
use crate::cache::shared_documents::SharedDocuments;
use crate::context::earlier_site::EarlierSite;
use crate::serving::other_hosting::OtherHostings;
use crate::serving::own_address::OwnAddress;
use crate::{Audit, External};
use baseref_server::rule_set::Redirects;

/// An audit that is ready to run: all folders have been listed.
pub struct Plan {
    request: AuditRequest,
    hosting: Hosting,
    /// Whether the user chose the hosting.
    is_hosting_given: bool,
    map: SiteMap,
    /// The addresses that the sites give themselves.
    own_addresses: Vec<OwnAddress>,
    other_hostings: OtherHostings,
    /// The addresses of packages, by their normal paths.
    packages: Vec<(PathBuf, Address)>,
    /// Mirrors of several hosts, and the schemes they were retrieved with.
    mirrors: Vec<(PathBuf, &'static str)>,
    documents: Documents,
    external: Option<External>,
    lines: CdxLines,
    redirects: Option<Arc<dyn Redirects>>,
    earlier: Option<EarlierSite>,
    files: Arc<Files>,
    unwrapper: Unwrapper,
}

impl Plan {
    /// Plans an audit with the hosting and addresses in `config`.
    ///
    /// # Errors
    /// If the request contradicts itself, or a directory cannot be listed.
    pub fn new(
        request: AuditRequest,
        config: &Config,
        files: &Arc<Files>,
    ) -> Result<Self, AuditError> {
        let hosting = hosting(config)?;
        if let (Some(_), Some(directory)) = (
            &request.url,
            request.paths.iter().find(|p| is_directory(p, files)),
        ) {
            return Err(AuditError::UrlOfDirectory(directory.clone()));
        }
        let external = external(&request.reports, files)?;
        let lines = CdxLines::read(&request.cdx, files)?;
        let (packages, maps) = package_addresses(&config.url_map, files)?;
        let sites = sites(&maps, &request.paths, request.follow, files)?;
        let walk = Walk::new(true, false, &request.glob);
        let walk = walk.map_err(AuditError::Glob)?;
        let documents = documents(&request, &sites, &walk, files);
        let mirrors = mirrors(&sites);
        let map = site_map(sites, &config.url_alias, files)?;
        let trees: Vec<&Tree> = map.sites().iter().map(|site| &site.tree).collect();
        let other_hostings = other_hostings(config, &hosting, &trees, files);
        Ok(Self {
            own_addresses: own_addresses(&map, files),
            other_hostings,
            map,
            redirects: None,
            earlier: None,
            mirrors,
            hosting,
            is_hosting_given: config.hosting.is_some(),
            packages,
            documents,
            external,
            lines,
            request,
            files: Arc::clone(files),
            unwrapper: unwrapper(config)?,
        })
    }

    /// Sets the redirect rules of the servers.
    // Not in the request: a program that never calls this contains none of the dialects.
    #[must_use]
    pub fn with_redirects(mut self, redirects: Option<Arc<dyn Redirects>>) -> Self {
        self.redirects = redirects;
        self
    }

    /// Sets the directory with an earlier state of the only site. If it cannot be listed, its own audit
    /// reports that.
    #[must_use]
    pub fn with_earlier(mut self, directory: &Path) -> Self {
        let is_one = self.map.sites().len() == 1;
        let read = || EarlierSite::read(directory, 0, &self.files).ok();
        self.earlier = Some(()).filter(|()| is_one).and_then(|()| read());
        self
    }

    /// The sites: the directories, and the URLs where they are served.
    #[must_use]
    pub fn map(&self) -> &SiteMap {
        &self.map
    }

    /// Introductory lines for people: the hosting, if there is a site.
    #[must_use]
    pub fn head(&self) -> Vec<String> {
        let is_package =
            |document: &DocumentPath| Format::from_name(&document.path) == Some(Format::Zip);
        if self.map.sites().is_empty() && !self.documents.paths.iter().any(is_package) {
            return Vec::new();
        }
        let server = match self.hosting.name {
            "strict" => "as a strict server answers",
            "file" => "as files without a server",
            name => &format!("as {name} answers"),
        };
        let hint = if self.is_hosting_given {
            ""
        } else {
            " (change with --hosting)"
        };
        vec![format!("Checked {server}{hint}: {}", self.hosting)]
    }

    /// The directories that are audited.
    #[must_use]
    pub fn trees(&self) -> Vec<PathBuf> {
        let sites = self.map.sites().iter();
        sites.map(|site| site.tree.root().to_owned()).collect()
    }

    /// Calls `each` with the path of each document.
    pub fn each_path(&self, mut each: impl FnMut(&Path)) {
        for document in &self.documents.paths {
            each(&document.path);
        }
    }

    /// The fixer, which reads the documents again and replaces links in them.
    #[must_use]
    pub fn fixer(&self) -> Fixer {
        let documents = self.documents.paths.iter();
        let files = documents.filter(|document| document.path.as_os_str() != "-");
        let name = |path: &Path| path.to_string_lossy().into_owned();
        let (policy, read) = reading(&self.request);
        Fixer {
            files: files.map(|file| (name(&file.path), file.clone())).collect(),
            opening: opening(&self.request, &self.map, &self.mirrors, &self.files),
            policy,
            read,
        }
    }

    /// Runs the audit on `jobs` threads.
    ///
    /// # Errors
    /// If an output is among the documents, or `sink` refuses.
    pub fn run(
        self,
        jobs: NonZeroUsize,
        sink: &mut dyn FindingSink,
    ) -> Result<AuditOutcome, AuditError> {
        let (audit, started) = self.start(sink.shown());
        let (inputs, rest) = started.inputs();
        let scanned = run::fold(
            inputs,
            jobs,
            |piece, scans| scan(&audit, piece, scans),
            merge,
        );
        rest.end(&audit, scanned, EmittedTotals::default(), sink)
    }

    /// Runs the audit on `jobs` threads, and emits findings as soon as they are final. Documents that are
    /// independent of all others, such as the messages of a mailbox, are not stored.
    ///
    /// # Errors
    /// If an output is among the documents, or `sink` refuses.
    pub fn run_streaming(
        self,
        jobs: NonZeroUsize,
        sink: &mut (dyn FindingSink + Send),
    ) -> Result<AuditOutcome, AuditError> {
        if sink.needs_all_documents() {
            return self.run(jobs, sink);
        }
        let (audit, started) = self.start(sink.shown());
        let (inputs, rest) = started.inputs();
        let mut streaming = Streaming::new(&audit, sink);
        let scanned = run::fold(
            inputs,
            jobs,
            |piece, scans| scan(&audit, piece, scans),
            |all, more| streaming.take(all, more),
        );
        let emitted = streaming.finish()?;
        rest.end(&audit, scanned, emitted, sink)
    }

    /// The audit, and its documents with the final steps.
    pub(super) fn start(self, shown: Shown) -> (Audit, Started) {
        let files = self.files;
        let opening = opening(&self.request, &self.map, &self.mirrors, &files);
        let listed = ListOptions {
            unreferenced: self.request.unreferenced,
            missing: self.request.lists_missing,
        };
        let no_documents = no_documents(&self.request);
        let mut audit = audit(&self.request, self.map, self.hosting)
            .with_mail(self.unwrapper, &self.request.protected)
            .with_shown(shown)
            .with_crawl(self.request.crawl.clone())
            .with_addresses(address_of(self.packages))
            .with_files(&files)
            .with_shared(Arc::clone(&self.documents.shared))
            .with_guesses(self.own_addresses, self.other_hostings);
        if let Some(external) = self.external {
            audit = audit.with_external(external);
        }
        if let Some(earlier) = self.earlier {
            audit = audit.with_earlier(earlier);
        }
        if let Some(redirects) = &self.redirects {
            audit = audit.with_redirects(Arc::clone(redirects));
        }
        if listed.unreferenced {
            audit = audit.with_references();
        }
        let Documents {
            paths: documents,
            skipped,
            other_names,
            shared,
        } = self.documents;
        let rest = Finish {
            other_names,
            listed,
            no_documents,
            lines: self.lines,
            redirects: self.redirects,
            skipped,
            files,
        };
        let started = Started {
            documents,
            shared,
            opening,
            rest,
        };
        (audit, started)
    }
}

/// The parts of a started audit that are still to be run.
pub(super) struct Started {
    documents: Vec<DocumentPath>,
    shared: Arc<SharedDocuments>,
    opening: Arc<Opening>,
    rest: Finish,
}

impl Started {
    /// The inputs, and the final steps.
    pub(super) fn inputs(
        self,
    ) -> (
        impl Iterator<Item = Result<DocumentInput, ReadError>> + Send,
        Finish,
    ) {
        let documents = self.documents.into_iter();
        let (opening, shared) = (self.opening, self.shared);
        let inputs = documents
            .map(move |document| Ok(DocumentInput::new(document.input(&opening), &shared)));
        (inputs, self.rest)
    }
}

/// The error of an audit without documents.
fn no_documents(request: &AuditRequest) -> String {
    let no_page = no_page_in(&request.paths, !request.glob.is_empty());
    format!("nothing was checked: {no_page}")
}

/// The results of link checkers; `None` without their files.
fn external(reports: &ReportFiles, files: &Files) -> Result<Option<External>, AuditError> {
    let statuses = reports.read(files);
    let statuses = statuses.map_err(AuditError::LinkReports)?;
    Ok(statuses.map(|statuses| External {
        statuses,
        oldest: reports.oldest.clone(),
        archive: reports.archive_prefix(),
    }))
}

fn audit(request: &AuditRequest, map: SiteMap, hosting: Hosting) -> Audit {
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

/// The options for reading documents and choosing their bases.
fn reading(request: &AuditRequest) -> (Policy, ReadOptions) {
    let policy = Policy::default()
        .with_rules(request.rules)
        .with_marks(request.marks);
    let read = ReadOptions::default()
        .with_encoding(request.encoding)
        .with_marks(request.marks);
    (policy, read)
}

fn opening(
    request: &AuditRequest,
    map: &SiteMap,
    mirrors: &[(PathBuf, &'static str)],
    files: &Arc<Files>,
) -> Arc<Opening> {
    let mut retrieval = RetrievalUrls::new(request.url.clone()).with_marks(request.marks);
    // The first of two addresses of a directory wins.
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

/// The built-in wrappers and the configured ones.
///
/// # Errors
/// If a configured wrapper is invalid.
pub fn unwrapper(config: &Config) -> Result<Unwrapper, AuditError> {
    Unwrapper::with_custom(config.unwraps.clone()).map_err(AuditError::Wrapper)
}
