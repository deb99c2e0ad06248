//! Checks whether every link of a saved tree is what its author thinks it is.
//!
//! An [`Audit`] scans documents, in any order and on any number of threads, and makes a [`Scan`] of
//! each; a [`Judge`] then judges them in order. Two passes are needed because links depend on the
//! names in other pages.
//!
//! - [`compare`]: where the three rule sets of [`mod@crate::resolve`] give different URLs, and why;
//! - [`rules`]: the rules, with their explanations;
//! - `bases`, `links`, `syntax`, `target`, `fragment`: the implementation of the rules.
//!
//! Files are opened here only if a fragment points into one that was not among the documents, or if
//! a page with findings must be read again because there was no room to keep it (`sources`).

mod bases;
mod class;
pub mod compare;
mod folder;
mod fragment;
mod host;
mod judge;
mod links;
mod page;
pub mod rules;
mod scan;
mod sources;
mod syntax;
mod target;
#[cfg(test)]
mod tests;

use std::collections::HashSet;
use std::fmt;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

pub use self::class::{Counts, LinkClass};
use self::compare::Comparison;
pub use self::judge::{Judge, Judged};
use self::page::{Page, bases, encoding_of};
pub use self::scan::Scan;
use self::scan::{Fate, Texts};
use self::sources::Sources;
use self::target::Cache;
pub use self::target::FileOf;
use crate::base::{Base, BaseSource};
use crate::container::detect::Format;
use crate::container::entity::{Entity, Kind};
use crate::document::{
    Declaration, Document, Identifiers, Naming, Origin, Place, Retrieval, hash_of,
};
use crate::error::ReadError;
use crate::extract::{Extraction, Extractor, Link};
use crate::findings::{BaseName, Finding, PageName};
use crate::options::{Policy, ReadOptions};
use crate::read;
use crate::site::hosting::Hosting;
use crate::site::listing::{Node, Tree, Unlisted};
use crate::site::lookup::decoded_names;
use crate::site::map::{Location, SiteMap};
use crate::site::normal::{NormalOptions, normal};
use crate::slots::{Class, Classes, Condition, Slot};

/// An audit of trees, and of documents in them and elsewhere.
#[derive(Debug)]
pub struct Audit {
    map: SiteMap,
    hosting: Hosting,
    policy: Policy,
    read: ReadOptions,
    /// If set, the places of these classes are judged, whoever defines them; otherwise those of the
    /// standards.
    places: Option<Classes>,
    /// For each file of each tree, the sorted hashes of the names of its elements, once known.
    names: Vec<Vec<OnceLock<Box<[u64]>>>>,
    /// For each file of each tree, whether another page links to it.
    referred: Vec<Vec<AtomicBool>>,
    caches: Mutex<Vec<Cache>>,
    sources: Sources,
    /// The condition for links to be judged; without one, all are.
    wanted: Option<Wanted>,
    lists_links: bool,
}

/// A condition on the URL of a link, which is `None` if the link has none.
type UrlCondition = dyn Fn(Option<&str>) -> bool + Send + Sync;

struct Wanted(Box<UrlCondition>);

impl fmt::Debug for Wanted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Wanted")
    }
}

impl Audit {
    /// An audit of documents read with `read`, by `policy`, in trees served by `hosting`. `read`
    /// must ask for all links with positions, and for the names of elements.
    #[must_use]
    pub fn new(map: SiteMap, hosting: Hosting, policy: Policy, read: ReadOptions) -> Self {
        let files = || map.sites().iter().map(|site| site.tree.file_count());
        let names = files().map(|count| (0..count).map(|_| OnceLock::new()).collect());
        let referred = files().map(|count| (0..count).map(|_| AtomicBool::new(false)).collect());
        Self {
            names: names.collect(),
            referred: referred.collect(),
            map,
            hosting,
            policy,
            read: ReadOptions {
                classes: Classes::ALL,
                text: false,
                positions: true,
                identifiers: true,
                ..read
            },
            places: None,
            caches: Mutex::default(),
            sources: Sources::default(),
            wanted: None,
            lists_links: false,
        }
    }

    /// Judges only the places of these classes, including non-standard ones.
    #[must_use]
    pub fn with_places(self, classes: Classes) -> Self {
        Self {
            places: Some(classes),
            ..self
        }
    }

    /// Judges only links for whose URL, as shown in reports or `None`, `wanted` returns true. The
    /// others are [`LinkClass::Filtered`].
    #[must_use]
    pub fn with_filter(
        self,
        wanted: impl Fn(Option<&str>) -> bool + Send + Sync + 'static,
    ) -> Self {
        Self {
            wanted: Some(Wanted(Box::new(wanted))),
            ..self
        }
    }

    /// Lists every link in [`Judged::links`]. Memory then grows with the number of links.
    #[must_use]
    pub fn with_links(self) -> Self {
        Self {
            lists_links: true,
            ..self
        }
    }

    /// The trees and their addresses.
    #[must_use]
    pub fn map(&self) -> &SiteMap {
        &self.map
    }

    /// Scans the documents of an entity, passing errors in place of those that cannot be read.
    pub fn scan(&self, mut entity: Entity, found: &mut dyn FnMut(Result<Scan, ReadError>)) {
        let is_page = matches!(entity.kind, Kind::Html | Kind::StyleSheet);
        if !is_page {
            // Documents in containers keep their own URLs.
            entity
                .declarations
                .retain(|declared| !self.is_of_unknown_host(declared));
        }
        let bytes = std::mem::take(&mut entity.bytes);
        let source = is_page.then_some(&*bytes);
        let mut own = None;
        let mut cache = self.caches().pop().unwrap_or_default();
        let mut extractor = Extractor::new(self.policy);
        read::documents_in(&bytes, entity, &self.read, &mut |document| match document {
            Ok(document) => extractor.extract(&document, &mut |extraction| {
                // The positions in an attribute's document are relative to the attribute.
                let is_whole = extraction.document().origin.embedded.is_empty();
                let source = source.filter(|_| is_whole);
                let scan = self.look_at(extraction, source, &mut cache);
                own = own.or(scan.own);
                found(Ok(scan));
            }),
            Err(error) => found(Err(error)),
        });
        self.caches().push(cache);
        if let Some(own) = own.filter(|_| is_page) {
            self.sources.keep(own, bytes);
        }
    }

    fn caches(&self) -> std::sync::MutexGuard<'_, Vec<Cache>> {
        self.caches.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn look_at(
        &self,
        extraction: &Extraction<'_>,
        source: Option<&[u8]>,
        cache: &mut Cache,
    ) -> Scan {
        let document = extraction.document();
        let url = retrieval_url(extraction);
        let own = url
            .and_then(|url| self.own_file(url))
            .filter(|_| document.origin.embedded.is_empty());
        let name = Arc::new(self.page_name(&document.origin, url));
        let base = Arc::new(self.base_name(extraction.base()));
        let bases = bases(extraction);
        let names = sorted_names(&document.identifiers);
        let record = url
            .filter(|_| own.is_none())
            .map(|url| self.record_key(url));
        // This cannot be known of a style sheet.
        let is_page = document.reading.is_some();
        let mut scan = Scan {
            name: Arc::clone(&name),
            encoding: encoding_of(document),
            own,
            record,
            names: Box::default(),
            repeated: Vec::new(),
            base: Arc::clone(&base),
            bases: [const { None }; 3],
            findings: Vec::new(),
            pending: Vec::new(),
            referred: Box::default(),
            texts: Texts::default(),
            counts: Counts::default(),
            links: Vec::new(),
        };
        match own {
            // Fragments of images are for the images to interpret.
            Some(own) if is_page && !self.is_image(own) => {
                // A page read twice has the same names.
                let _ = self.names_cell(own).set(names);
            }
            Some(_) => {}
            None => scan.names = names,
        }
        let mut page = Page {
            audit: self,
            extraction,
            encoding: scan.encoding,
            source,
            name,
            base,
            comparison: Comparison::new(bases.each_ref().map(Option::as_deref), scan.encoding),
            own,
            url,
            findings: Vec::new(),
            is_of_folder: false,
            referred: HashSet::default(),
        };
        for note in document.notes.iter().filter(|note| note.code.is_loss()) {
            let cause = page.name.doc.clone();
            let finding = Finding::new(&rules::UNREADABLE, &page.name, cause, note.detail.clone());
            page.findings.push(finding);
        }
        bases::check(&mut page);
        self.judge_links(&mut page, cache, &mut scan);
        let repeated = document.identifiers.repeated.iter();
        scan.repeated = repeated
            .map(|repeated| (repeated.clone(), page.excerpt(&repeated.at)))
            .collect();
        scan.findings = page.findings;
        scan.referred = page.referred.into_iter().collect();
        scan.pending.shrink_to_fit();
        scan.texts.shrink();
        if !scan.pending.is_empty() {
            scan.bases = bases;
        }
        scan
    }

    /// Judges the links of a page, in document order.
    fn judge_links(&self, page: &mut Page<'_>, cache: &mut Cache, scan: &mut Scan) {
        let extraction = page.extraction;
        let mut resolving = extraction.resolving();
        let is_shown = self.lists_links || self.wanted.is_some();
        page.is_of_folder = !is_shown && cache.folder.enter(page);
        for (seq, reference) in (1..).zip(extraction.document().references.iter()) {
            let is_judged = self.is_judged(reference.slot);
            if !is_judged && !is_shown {
                scan.counts.add(LinkClass::NotJudged);
                continue;
            }
            if page.is_of_folder
                && let Some(fate) = links::judge_known(page, &reference, cache, scan)
            {
                scan.counts.add(fate.class);
                continue;
            }
            let link = resolving.link(seq, reference);
            let fate = if !is_judged {
                Fate::of(LinkClass::NotJudged)
            } else if !self.is_wanted(&link) {
                Fate::of(LinkClass::Filtered)
            } else {
                links::judge(page, &link, cache, scan)
            };
            scan.add(&link, fate, self.lists_links);
        }
    }

    /// Whether a link passes the user's filter.
    fn is_wanted(&self, link: &Link<'_>) -> bool {
        let wanted = self.wanted.as_ref();
        wanted.is_none_or(|wanted| (wanted.0)(link.url.ok().map(|url| self.map.shown(url))))
    }

    /// Whether links in a place are judged.
    fn is_judged(&self, slot: &Slot) -> bool {
        if slot.attr == "usemap" {
            return true;
        }
        if let Some(classes) = self.places {
            return classes.contains(slot.class) && slot.element != "base";
        }
        match slot.class {
            // A `codebase` is a prefix of URLs and is not itself requested.
            Class::Anchor | Class::Resource | Class::Document | Class::Form => {
                slot.is_standard() && slot.attr != "codebase"
            }
            // Those that browsers fetch with the page.
            Class::Metadata => {
                slot.element == "link" && matches!(slot.condition, Condition::Word(..))
            }
            Class::Header | Class::Text => false,
        }
    }

    fn is_of_unknown_host(&self, declared: &Declaration) -> bool {
        matches!(declared.at, Place::Retrieval(Retrieval::UrlMap(_)))
            && self.has_unknown_host(&declared.value)
    }

    fn has_unknown_host(&self, url: &str) -> bool {
        let mut sites = self.map.sites().iter();
        sites.any(|site| site.has_unknown_host() && url.starts_with(site.prefix()))
    }

    /// The file whose own URL it is.
    fn own_file(&self, url: &str) -> Option<FileOf> {
        let Location::Inside { site, path } = self.map.locate(url) else {
            return None;
        };
        let tree = &self.map.sites()[site].tree;
        let mut node = Node::Directory(tree.top());
        for name in decoded_names(&path) {
            let Node::Directory(directory) = node else {
                return None;
            };
            node = tree.exact(directory, &name)?;
        }
        let Node::File(file) = node else { return None };
        let site = u32::try_from(site).ok()?;
        Some(FileOf { site, file })
    }

    fn page_name(&self, origin: &Origin, url: Option<&str>) -> PageName {
        let doc = origin.to_string();
        let key = url
            .and_then(|url| self.key_of_url(url))
            .unwrap_or_else(|| self.key_of(&doc));
        PageName {
            doc,
            url: url.map(|url| self.shown(url)),
            key,
        }
    }

    /// The path of a document of a tree below its root.
    fn key_of_url(&self, url: &str) -> Option<String> {
        let Location::Inside { site, path } = self.map.locate(url) else {
            return None;
        };
        let path = target::shown_path(&path);
        Some(if self.map.sites().len() > 1 {
            format!("{site}:{path}")
        } else {
            path
        })
    }

    /// The path of a URL below the root of its site, as shown in reports.
    fn path_below(&self, url: &str) -> Option<String> {
        match self.map.locate(url) {
            Location::Inside { path, .. } => Some(target::shown_path(&path)),
            Location::Outside { .. } | Location::External => None,
        }
    }

    fn key_of(&self, doc: &str) -> String {
        let roots = self.map.sites().iter().map(|site| site.tree.root());
        let below = roots
            .filter_map(|root| doc.strip_prefix(root.to_str()?))
            .min_by_key(|below| below.len());
        match below {
            Some(below) => below.trim_start_matches('/').to_owned(),
            None => doc.rsplit('/').next().unwrap_or_default().to_owned(),
        }
    }

    fn base_name(&self, base: &Base) -> BaseName {
        let is_ours = base.source == BaseSource::Retrieval && self.has_unknown_host(&base.url);
        BaseName {
            url: base.url().map(|url| self.shown(url)),
            source: base.source.as_str(),
            at: match &base.at {
                Some(_) if is_ours => "its place in the tree".to_owned(),
                Some(at) => at.to_string(),
                None => String::new(),
            },
            place: match &base.at {
                Some(Place::Element(at) | Place::Codebase { at, .. }) => Some(at.clone()),
                _ => None,
            },
        }
    }

    fn shown(&self, url: &str) -> String {
        self.map.shown(url).to_owned()
    }

    /// The path of a file below its tree, as shown in reports.
    #[must_use]
    pub fn path_of(&self, FileOf { site, file }: FileOf) -> String {
        let path = self.map.sites()[site as usize].tree.names_of(file);
        let names: Vec<_> = path.into_iter().map(String::from_utf8_lossy).collect();
        names.join("/")
    }

    /// The document name of a file of a tree.
    fn doc_of(&self, file: FileOf) -> String {
        self.file_path(file).to_string_lossy().into_owned()
    }

    fn file_path(&self, FileOf { site, file }: FileOf) -> PathBuf {
        let tree = &self.map.sites()[site as usize].tree;
        tree.root().join(tree.file_path(file))
    }

    /// The hash of the URL of a page of an archive.
    #[expect(clippy::unused_self, reason = "the audit decides which URLs are equal")]
    fn record_key(&self, url: &str) -> u64 {
        let bare = url.split('#').next().unwrap_or_default();
        hash_of(&normal(bare, &NormalOptions::default()))
    }

    /// Whether a file is an SVG image by its name.
    fn is_image(&self, FileOf { site, file }: FileOf) -> bool {
        let tree = &self.map.sites()[site as usize].tree;
        let name = tree.file_name(file).to_ascii_lowercase();
        [&b".svg"[..], b".svgz"]
            .iter()
            .any(|end| name.ends_with(end))
    }

    fn refer_to(&self, FileOf { site, file }: FileOf) {
        self.referred[site as usize][file.index()].store(true, Ordering::Relaxed);
    }

    /// The files that no judged link of another page leads to, in order.
    pub fn unreferenced(&self) -> impl Iterator<Item = FileOf> {
        let sites = (0_u32..).zip(self.map.sites());
        sites.flat_map(move |(site, found)| {
            let files = found.tree.files().map(move |file| FileOf { site, file });
            files.filter(move |file| !self.is_referred(*file))
        })
    }

    fn is_referred(&self, FileOf { site, file }: FileOf) -> bool {
        self.referred[site as usize][file.index()].load(Ordering::Relaxed)
    }

    fn names_cell(&self, FileOf { site, file }: FileOf) -> &OnceLock<Box<[u64]>> {
        &self.names[site as usize][file.index()]
    }

    /// The names in a scanned page.
    fn names_of(&self, file: FileOf) -> Option<&[u64]> {
        self.names_cell(file).get().map(|names| &**names)
    }

    /// The names in a page, which is read for them if it was not among the documents.
    fn names_or_read(&self, file: FileOf) -> Option<&[u64]> {
        if let Some(names) = self.names_of(file) {
            return Some(names);
        }
        let tree = &self.map.sites()[file.site as usize].tree;
        if !links::is_html_name(tree.file_name(file.file)) {
            return None;
        }
        let names = sorted_names(&self.read_names(file)?);
        Some(self.names_cell(file).get_or_init(|| names))
    }

    /// The bytes of a page of a tree, to which positions refer.
    fn source_of(&self, file: FileOf) -> Option<Arc<Vec<u8>>> {
        self.sources.of(file, &self.file_path(file))
    }

    /// Reads a page for the names in it.
    fn read_names(&self, file: FileOf) -> Option<Identifiers> {
        let path = self.file_path(file);
        let bytes = self.source_of(file)?.to_vec();
        let options = ReadOptions {
            classes: Classes::default(),
            positions: false,
            ..self.read.clone()
        };
        let format = Format::of_name(&path);
        let entity = Entity {
            markup: format.and_then(Format::markup).unwrap_or_default(),
            ..Entity::html(Origin::of_input(path.to_string_lossy()), bytes)
        };
        let mut names = None;
        read::documents(entity, &options, &mut |found| {
            if let Ok(Document { identifiers, .. }) = found {
                names = Some(identifiers);
            }
        });
        names
    }

    /// The findings about directories that could not be read.
    #[must_use]
    pub fn unlisted(&self) -> Vec<Finding> {
        let trees = self.map.sites().iter().map(|site| &site.tree);
        let unlisted = trees.flat_map(Tree::unlisted);
        let finding = |unlisted: &Unlisted| {
            let origin = Origin::of_input(unlisted.path.to_string_lossy());
            let page = Arc::new(self.page_name(&origin, None));
            Finding::new(
                &rules::UNREADABLE,
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
        let page = Arc::new(self.page_name(&error.origin, None));
        Finding::new(&rules::UNREADABLE, &page, page.doc.clone(), &*error.reason)
    }
}

/// The URL that a document was retrieved from, if known.
fn retrieval_url<'e>(extraction: &'e Extraction<'_>) -> Option<&'e str> {
    let mut candidates = extraction.established().candidates.iter();
    let retrieval = candidates
        .find(|candidate| candidate.source == BaseSource::Retrieval && candidate.url.is_some())?;
    retrieval.url.as_deref()
}

/// The sorted hashes of the names that fragments can point to.
fn sorted_names(identifiers: &Identifiers) -> Box<[u64]> {
    let names = identifiers.hashes();
    let mut names: Vec<u64> = names
        .filter(|(naming, _)| *naming != Naming::Map)
        .map(|(_, hash)| hash)
        .collect();
    names.sort_unstable();
    names.dedup();
    names.into_boxed_slice()
}
