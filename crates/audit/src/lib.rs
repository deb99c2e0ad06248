//! Checks whether every link of a saved tree is what its author thinks it is.
//!
//! ```
//! use baseref_audit::rules;
//!
//! // Each rule has an explanation and an example that fires it.
//! let rule = rules::ALL.iter().find(|rule| rule.id == "target/missing-file").expect("a rule");
//! assert!(!rule.explanation.is_empty() && !rule.example.files().is_empty());
//! ```
//!
//! An [`Audit`] scans documents, in any order and on any number of threads, and makes a [`KeptScan`] of
//! each; a [`Judge`] then judges them in order. Two passes are needed because links depend on the names
//! in other pages.
//!
//! - [`compare`]: where the three rule sets of [`mod@baseref_resolve`] give different URLs, and why;
//! - [`rules`]: the rules, with their explanations.
//!
//! Files are opened here only if a fragment points into one that was not among the documents, or if a
//! page must be read again for what is shown of a finding.
//!
//! Outside baseref it serves editors and build tools that check trees of their own; the crate
//! `baseref-checks` runs it over folders.
//!
//! # What it does not do
//!
//! It connects to nothing: links that leave the tree are counted, not followed. It sets no levels and
//! writes no reports.

mod bases;
mod cache;
mod captured;
mod checks;
mod class;
pub mod compare;
mod completeness;
mod composed;
mod context;
mod declared;
mod epub;
mod external;
mod file_of;
mod folder;
mod host;
mod judge;
mod kept;
mod lacked;
mod links;
mod mail;
mod meant;
mod package;
mod page;
mod page_date;
mod place;
mod plain;
mod records;
mod redirects;
pub mod rules;
mod scan;
mod signals;
mod sources;
mod spool;
mod syntax;
mod target;
#[cfg(test)]
mod tests;
mod url_cache;
mod url_list;
mod varint;
mod waiting;

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use self::cache::Cache;
use self::captured::Source;
pub use self::captured::{Crawl, Scope};
pub use self::class::{Counts, LinkClass};
use self::compare::Comparison;
pub use self::completeness::PageLacks;
use self::composed::Inclusions;
use self::context::{AuditContext, Wanted};
use self::declared::Declared;
pub use self::external::External;
pub use self::file_of::FileOf;
pub use self::judge::{Judge, Judged};
pub use self::kept::KeptScan;
pub use self::lacked::{Lacked, Missing};
use self::mail::{Mail, Message};
use self::package::{Addresses, Packages};
use self::page::{Latest, Page, bases};
use self::page_date::PageDate;
pub use self::place::Shows;
use self::place::lacking;
use self::redirects::Asked;
pub use self::redirects::{RedirectAnswer, RedirectEnd, Redirects};
use self::scan::{LinkOutcome, Scan};
use baseref_container::entity::{Entity, Kind};
use baseref_document::ReadError;
use baseref_document::ReadOptions;
use baseref_document::link_places::{Classes, Grammar};
use baseref_document::{
    Capture, CaptureKind, Context, Origin, Place, Reference, Repeated, Retrieval,
};
use baseref_evidence::captures::{Builder, Number};
use baseref_files::Files;
use baseref_findings::{Excerpts, Finding, PageName, Shown, SourceLine, SourceLines};
use baseref_reader::base::BaseSource;
use baseref_reader::base::Policy;
use baseref_reader::extract::{Extraction, Extractor};
use baseref_reader::read;
use baseref_site::hosting::Hosting;
use baseref_site::leading_on::takes_fragment;
use baseref_site::listing::{Tree, Unlisted};
use baseref_site::map::{Address, SiteMap};
use baseref_site::names::Names;
use baseref_text::decode::encoding;
use baseref_unwrap::Unwrapper;

/// An audit of trees, and of documents in them and elsewhere.
#[derive(Debug)]
pub struct Audit {
    known: AuditContext,
    packages: Packages,
    crawl: Crawl,
    caches: Mutex<Vec<Cache>>,
}

impl Audit {
    /// An audit of documents read with `read`, by `policy`, in trees served by `hosting`. `read`
    /// must ask for all links with positions, and for the names of elements.
    #[must_use]
    pub fn new(map: SiteMap, hosting: Hosting, policy: Policy, read: ReadOptions) -> Self {
        Self {
            known: AuditContext::new(map, hosting, policy, read),
            packages: Packages::default(),
            crawl: Crawl::default(),
            caches: Mutex::default(),
        }
    }

    /// Judges only the places of these classes, including non-standard ones.
    #[must_use]
    pub fn with_places(mut self, classes: Classes) -> Self {
        self.known.places = Some(classes);
        self
    }

    /// Judges only links for whose URL, as shown in reports or `None`, `wanted` returns true. The
    /// others are [`LinkClass::Filtered`].
    #[must_use]
    pub fn with_filter(
        mut self,
        wanted: impl Fn(Option<&str>) -> bool + Send + Sync + 'static,
    ) -> Self {
        self.known.wanted = Some(Wanted(Arc::new(wanted)));
        self
    }

    /// Leaves out of findings that are not `shown` what only outputs need: source lines, and the
    /// URLs by the three rule sets.
    #[must_use]
    pub fn with_shown(mut self, shown: Shown) -> Self {
        self.known.shown = shown;
        self
    }

    /// Judges mail with these wrappers, and compares the hosts of its links with these domains.
    #[must_use]
    pub fn with_mail(mut self, unwrapper: Unwrapper, protected: &[String]) -> Self {
        self.known.mail = Mail::new(unwrapper, protected);
        self
    }

    /// Lists every link in [`Judged::links`]. Memory then grows with the number of links.
    #[must_use]
    pub fn with_links(mut self) -> Self {
        self.known.lists_links = true;
        self
    }

    /// Also looks up the targets of links that are not judged, so that [`Self::unreferenced`] counts
    /// every reference of any kind.
    #[must_use]
    pub fn with_references(mut self) -> Self {
        self.known.follows_all = true;
        self
    }

    /// Reads pages again as one of these files of a run.
    #[must_use]
    pub fn with_files(mut self, files: &Arc<Files>) -> Self {
        self.known.files = Arc::clone(files);
        self
    }

    /// Judges links to other sites, too, by what was measured of them.
    #[must_use]
    pub fn with_external(mut self, external: External) -> Self {
        self.known.external = Some(Arc::new(external));
        self
    }

    /// Judges links, sitemaps, canonical addresses and alternates by what these rules answer, too.
    #[must_use]
    pub fn with_redirects(mut self, redirects: Arc<dyn Redirects>) -> Self {
        self.known.redirects = Some(Asked(redirects));
        self
    }

    /// Asks for the address of the package that is the file at a path. One without an address is the
    /// root of a host that nobody knows.
    #[must_use]
    pub fn with_addresses(
        mut self,
        address: impl Fn(&Path) -> Option<Address> + Send + Sync + 'static,
    ) -> Self {
        self.packages = Packages::with_addresses(Addresses(Box::new(address)));
        self
    }

    /// The trees and their addresses.
    #[must_use]
    pub fn map(&self) -> &SiteMap {
        &self.known.map
    }

    /// Judges the links of captured pages in that way.
    #[must_use]
    pub fn with_crawl(mut self, crawl: Crawl) -> Self {
        self.crawl = crawl;
        self
    }

    /// Scans the documents of an entity, passing errors in place of those that cannot be read, and
    /// adds what was captured to `captures`, by the numbers of which the scans know it.
    pub fn scan(
        &self,
        mut entity: Entity,
        captures: &mut Builder,
        found: &mut dyn FnMut(Result<KeptScan, ReadError>),
    ) {
        let capture = entity.capture.take();
        let kind = capture.as_ref().map(|capture| capture.kind);
        if let Some(capture) = capture
            .as_ref()
            .filter(|_| kind == Some(CaptureKind::Listed))
        {
            captures.list(&capture.url, &entity.origin.to_string());
        }
        let number = capture.and_then(|capture| captures.add(&capture));
        if entity.kind == Kind::Capture {
            return;
        }
        let date = entity.date.clone();
        let is_file = entity.is_file();
        let package = self.packages.of(&self.known, &mut entity);
        let known = package.as_deref().unwrap_or(&self.known);
        if !is_file && package.is_none() {
            // Documents in containers keep their own URLs: that of the file is not theirs.
            let is_of_file = |at: &Place| matches!(at, Place::Retrieval(Retrieval::UrlMap(_)));
            entity
                .declarations
                .retain(|declared| !is_of_file(&declared.at));
        }
        // Positions in other kinds do not count from their first byte.
        let is_whole = matches!(entity.kind, Kind::Html | Kind::StyleSheet);
        let bytes = std::mem::take(&mut entity.bytes);
        let source = is_whole.then_some(&*bytes);
        // What is cached of one tree says nothing of another.
        let cached = package.is_none().then(|| self.caches().pop()).flatten();
        let mut cache = cached.unwrap_or_default();
        let mut extractor = Extractor::new(known.policy);
        let is_message = matches!(entity.kind, Kind::Message { .. } | Kind::Outlook);
        let read = if is_message {
            &known.read_mail
        } else {
            &known.read
        };
        let mut message = is_message.then(|| Message::new(known.shown.letters));
        // A message has a card if any of its findings is shown.
        let mut is_shown = false;
        // What a message shows as a whole is said of its last document.
        let mut held = Held::default();
        read::documents_in(&bytes, entity, read, &mut |document| match document {
            Ok(document) => extractor.extract(&document, &mut |extraction| {
                // The positions in an attribute's document are relative to the attribute.
                let is_whole = extraction.document().origin.embedded.is_empty();
                let source = source.filter(|_| is_whole);
                let seen = (
                    source,
                    source_of(known.is_saved(), kind, extraction),
                    date.as_deref(),
                );
                let of_message = message.as_mut().map(|message| (message, &self.known.mail));
                let mut scan = look_at(known, extraction, seen, &mut cache, of_message);
                scan.package.clone_from(&package);
                add_capture(&mut scan, extraction, (number, date.as_deref()), captures);
                is_shown |= scan.findings.iter().any(|finding| known.shown.has(finding));
                if is_message {
                    held.pass(found);
                    held.last = Some(scan);
                } else {
                    found(Ok(self.known.spool.keep(scan)));
                }
            }),
            Err(error) if held.last.is_some() => held.errors.push(error),
            Err(error) => found(Err(error)),
        });
        if let (Some(scan), Some(message)) = (&mut held.last, message) {
            let (findings, letter) = message.finish(&scan.name);
            is_shown |= findings.iter().any(|finding| known.shown.has(finding));
            scan.findings.extend(findings);
            scan.letter = letter.filter(|_| is_shown).map(Box::new);
        }
        held.pass(found);
        if package.is_none() {
            self.caches().push(cache);
        }
    }

    /// A judge of the documents scanned, given all of their scans and what was captured.
    #[must_use]
    pub fn judge<'s>(
        &self,
        excerpts: Excerpts,
        captures: Builder,
        scans: impl Iterator<Item = &'s mut KeptScan>,
    ) -> Judge<'_> {
        Judge::new(
            &self.known,
            excerpts,
            (captures.finish(), self.crawl.clone()),
            scans,
        )
    }

    /// The names of the document of a scan; `None` if they cannot be read from disk, which is then
    /// found when it is judged.
    #[must_use]
    pub fn page_of(&self, kept: &KeptScan) -> Option<Arc<PageName>> {
        self.known.spool.page_of(kept)
    }

    /// The path of a file below its tree, as reports show it.
    #[must_use]
    pub fn path_of(&self, file: FileOf) -> String {
        self.known.path_of(file)
    }

    /// The files that no link of another page leads to, in their order: no judged link, unless
    /// [`Self::with_references`] was asked for.
    pub fn unreferenced(&self) -> impl Iterator<Item = FileOf> {
        self.known.unreferenced()
    }

    /// What links show of where the trees are served, in words.
    #[must_use]
    pub fn shows(&self, shows: &Shows) -> Vec<String> {
        shows.lines(&self.known)
    }

    fn caches(&self) -> std::sync::MutexGuard<'_, Vec<Cache>> {
        self.caches.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The findings about directories that could not be read.
    #[must_use]
    pub fn unlisted(&self) -> Vec<Finding> {
        let trees = self.known.map.sites().iter().map(|site| &site.tree);
        let unlisted = trees.flat_map(Tree::unlisted);
        let finding = |unlisted: &Unlisted| {
            let origin = Origin::of_input(unlisted.path.to_string_lossy());
            let page = Arc::new(self.known.page_name(&origin, None));
            Finding::new(
                &rules::doc::unreadable::RULE,
                &page,
                page.doc.clone(),
                unlisted.error.to_string(),
            )
        };
        unlisted.map(finding).collect()
    }

    /// The finding about a document that could not be read.
    #[must_use]
    pub fn unreadable(&self, error: &ReadError) -> Finding {
        let page = Arc::new(self.known.page_name(&error.origin, None));
        Finding::new(
            &rules::doc::unreadable::RULE,
            &page,
            page.doc.clone(),
            &*error.reason,
        )
    }
}

/// Scans a document.
fn look_at(
    known: &AuditContext,
    extraction: &Extraction<'_>,
    (source, source_kind, date): (Option<&[u8]>, Source, Option<&str>),
    cache: &mut Cache,
    mut message: Option<(&mut Message, &Mail)>,
) -> Scan {
    let document = extraction.document();
    let ids = message
        .as_mut()
        .and_then(|(message, _)| message.ids(document));
    // This cannot be known of a style sheet.
    let is_page = document.reading.is_some();
    let location = extraction.location().filter(|_| is_page);
    let retrieval = retrieval_url(extraction);
    let url = location.as_deref().or(retrieval);
    let own = retrieval
        .and_then(|url| known.own_file(url))
        .filter(|_| document.origin.embedded.is_empty());
    let name = Arc::new(known.page_name(&document.origin, url));
    let base = cache.base(known.base_name(extraction.base()));
    let bases = bases(extraction);
    let names = Names::new(&document.identifiers);
    let record = url
        .filter(|_| own.is_none() && is_page)
        .map(|url| known.record_key(url));
    let mut scan = Scan {
        encoding: encoding::named(document.encoding),
        kind: document.kind,
        is_part: !document.origin.embedded.is_empty(),
        is_decoded: !document.origin.section.is_empty(),
        own,
        record,
        source: source_kind,
        ..Scan::new(Arc::clone(&name), Arc::clone(&base))
    };
    match own {
        // Fragments of images are for the images to interpret, but in an EPUB they are pages, too.
        Some(own) if is_page && (known.is_epub() || !known.is_image(own)) => {
            // A page read twice has the same names.
            let _ = known.names_cell(own).set(names);
        }
        Some(_) => {}
        None => scan.names = names,
    }
    let mut page = Page {
        known,
        extraction,
        encoding: scan.encoding,
        source,
        name,
        base,
        comparison: Comparison::new(bases.each_ref().map(Option::as_deref), scan.encoding),
        own,
        url,
        date: PageDate::new(date),
        source_kind,
        lacking: lacking(known, extraction.base()),
        declared: Declared::of(known, own, extraction.base()),
        findings: Vec::new(),
        of_link: Vec::new(),
        latest: Latest::default(),
        is_of_folder: false,
        is_private: url.is_some_and(host::is_private),
        ids,
    };
    let notes = document.notes.iter().chain(extraction.notes());
    for note in notes.filter(|note| note.code.is_loss()) {
        let cause = page.name.doc.clone();
        let finding = Finding::new(
            &rules::doc::unreadable::RULE,
            &page.name,
            cause,
            note.detail.clone(),
        );
        page.findings.push(finding);
    }
    bases::check(&mut page);
    judge_links(known, &mut page, cache, &mut scan);
    scan.inclusions = Inclusions::of(&page);
    scan.signals = signals::collect(&page);
    if let Some((message, mail)) = message {
        message.check(&mut page, mail);
    }
    scan.repeated = repeated(known, &page);
    page.complete(&known.shown);
    scan.findings = page.findings;
    scan.shrink();
    scan.keep_bases(bases);
    scan
}

/// The names that an earlier element of a page has, with their source lines if these are shown.
fn repeated(known: &AuditContext, page: &Page<'_>) -> Vec<(Repeated, Option<SourceLine>)> {
    let repeated = &page.document().identifiers.repeated;
    let source = page
        .source
        .filter(|_| known.shows_lines(&rules::doc::duplicate_id::RULE));
    let mut lines = source.map(|source| SourceLines::new(source, page.encoding, repeated.len()));
    let with_line = |repeated: &Repeated| {
        let line = lines
            .as_mut()
            .and_then(|lines| lines.around(&repeated.at.byte));
        (repeated.clone(), line)
    };
    repeated.iter().map(with_line).collect()
}

/// Judges the links of a page, in document order.
fn judge_links(known: &AuditContext, page: &mut Page<'_>, cache: &mut Cache, scan: &mut Scan) {
    let extraction = page.extraction;
    let mut resolving = extraction.resolving();
    let is_shown = known.lists_links || known.wanted.is_some();
    cache.begin_page();
    page.is_of_folder = !is_shown && cache.folder.enter(page);
    let is_archived = page.source_kind == Source::Archive;
    for (seq, reference) in (1..).zip(extraction.document().references.iter()) {
        let is_judged = known.is_judged(reference.slot, is_archived);
        if !is_judged && !is_shown {
            if known.follows_all && reference.context != Context::Outside {
                links::refer(page, &resolving.link(seq, reference), cache);
            }
            scan.counts.add(LinkClass::NotJudged);
            continue;
        }
        if page.is_of_folder
            && let Some(outcome) = links::judge_known(page, &reference, cache, scan)
        {
            scan.counts.add(outcome.class);
            forward(page, &reference, outcome, scan);
            continue;
        }
        let is_base = reference.context == Context::Outside;
        let link = resolving.link(seq, reference);
        let unjudged = if !is_judged {
            Some(LinkClass::NotJudged)
        } else if !known.is_wanted(&link) {
            Some(LinkClass::Filtered)
        } else {
            None
        };
        let outcome = match unjudged {
            Some(class) => {
                if known.follows_all && !is_base {
                    links::refer(page, &link, cache);
                }
                LinkOutcome::of(class)
            }
            None => links::judge(page, &link, cache, scan),
        };
        forward(page, &reference, outcome, scan);
        scan.add(&link, outcome, known.lists_links);
    }
}

/// Records where a page leads at once: by a refresh, beside which a script takes the fragment along.
/// Generators put such pages in the places of those that moved; a refresh by itself forgets the
/// fragment.
fn forward(page: &Page<'_>, reference: &Reference<'_>, outcome: LinkOutcome, scan: &mut Scan) {
    if reference.slot.grammar != Grammar::Refresh || scan.forwards.is_some() {
        return;
    }
    if outcome.class == LinkClass::Ok && page.source.is_some_and(takes_fragment) {
        scan.forwards = outcome.file.filter(|file| Some(*file) != page.own);
    }
}

/// How a document came to be known, given whether its package holds saved pages, and what it is of if
/// its container calls it a capture.
fn source_of(is_saved: bool, kind: Option<CaptureKind>, extraction: &Extraction<'_>) -> Source {
    let is_snapshot = || {
        let mut candidates = extraction.established().candidates.iter();
        candidates.any(|candidate| {
            let record = Place::Retrieval(Retrieval::Record(SNAPSHOT));
            candidate.at == record
        })
    };
    if is_saved || kind == Some(CaptureKind::Saved) {
        Source::Saved
    } else if kind.is_some_and(|kind| kind != CaptureKind::Page) {
        Source::Archive
    } else if extraction.document().message.is_some()
        && (is_snapshot() || extraction.location().is_some())
    {
        Source::Saved
    } else {
        Source::Alone
    }
}

/// The header field by which browsers name the page that they saved as a message.
const SNAPSHOT: &str = "Snapshot-Content-Location";

/// Adds a page that knows its URL to the captures, unless its container did.
fn add_capture(
    scan: &mut Scan,
    extraction: &Extraction<'_>,
    (number, date): (Option<Number>, Option<&str>),
    captures: &mut Builder,
) {
    let is_embedded = !extraction.document().origin.embedded.is_empty();
    scan.capture = number;
    if number.is_some() || scan.record.is_none() || is_embedded {
        return;
    }
    if let Some(url) = &scan.name.url {
        scan.capture = captures.add(&Capture::of_page(url, date));
    }
}

/// The last document of a message, and the errors behind it.
#[derive(Default)]
struct Held {
    last: Option<Scan>,
    errors: Vec<ReadError>,
}

impl Held {
    fn pass(&mut self, found: &mut dyn FnMut(Result<KeptScan, ReadError>)) {
        self.last
            .take()
            .into_iter()
            .for_each(|scan| found(Ok(KeptScan::new(scan))));
        self.errors.drain(..).for_each(|error| found(Err(error)));
    }
}

/// The URL that a document was retrieved from, if known.
fn retrieval_url<'e>(extraction: &'e Extraction<'_>) -> Option<&'e str> {
    let mut candidates = extraction.established().candidates.iter();
    let retrieval = candidates
        .find(|candidate| candidate.source == BaseSource::Retrieval && candidate.url.is_some())?;
    retrieval.url.as_deref()
}
