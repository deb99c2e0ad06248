//! What an audit is asked to judge, and what it knows of the files that links lead to.

use std::fmt;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use super::epub;
use super::external::External;
use super::file_of::{FileOf, is_html_name};
use super::mail::Mail;
use super::redirects::{Asked, RedirectAnswer};
use super::sources;
use super::spool::Spool;
use super::target::{self, Remark, Resolved};
use baseref_container::detect::Format;
use baseref_container::entity::Entity;
use baseref_document::ReadOptions;
use baseref_document::link_places::{Class, Classes, Fetched, LinkPlace};
use baseref_document::{Document, Identifiers, Origin, Place, hash_of};
use baseref_files::Files;
use baseref_findings::{BaseName, Excerpts, PageName, Related, Rule, Shown};
use baseref_reader::base::Policy;
use baseref_reader::base::{Base, BaseSource};
use baseref_reader::extract::Link;
use baseref_reader::read;
use baseref_resolve::normal::{NormalOptions, normal};
use baseref_resolve::parts::without_fragment;
use baseref_site::fragment::name_in;
use baseref_site::hosting::Hosting;
use baseref_site::listing::{Node, Unlisted};
use baseref_site::lookup::decoded_names;
use baseref_site::map::{Location, SiteMap};
use baseref_site::names::Names;
use encoding_rs::Encoding;

/// The trees, what to judge in them, and what is known of their files.
#[derive(Debug)]
pub(super) struct AuditContext {
    pub(super) map: SiteMap,
    pub(super) hosting: Hosting,
    pub(super) policy: Policy,
    pub(super) read: ReadOptions,
    /// The options for messages, whose rules need the texts of links and the header.
    pub(super) read_mail: ReadOptions,
    pub(super) mail: Mail,
    /// If set, the places of these classes are judged, whoever defines them; otherwise those of the
    /// standards.
    pub(super) places: Option<Classes>,
    /// For each file of each tree, the names of its elements, once known.
    pub(super) names: Vec<Vec<OnceLock<Names>>>,
    /// For each file of each tree, whether another page links to it.
    pub(super) referred: Vec<Vec<AtomicBool>>,
    pub(super) spool: Spool,
    /// The condition for links to be judged; without one, all are.
    pub(super) wanted: Option<Wanted>,
    pub(super) lists_links: bool,
    /// Whether the targets of links that are not judged are looked up, too.
    pub(super) follows_all: bool,
    /// What was measured of URLs on other sites.
    pub(super) external: Option<Arc<External>>,
    /// The redirect rules of the servers.
    pub(super) redirects: Option<Asked>,
    /// The files of the run.
    pub(super) files: Arc<Files>,
    /// The findings that are shown.
    pub(super) shown: Shown,
    /// If this is about a package, what it is.
    pub(super) package: Option<PackageOf>,
}

/// What a package is, beyond a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PackageKind {
    /// An EPUB: its root is that of its URLs, and no server adds anything.
    Epub,
    /// A page that was saved with what it is shown with, or several: the zip records their URLs.
    Saved,
    /// Any other zip.
    Zip,
}

/// A package that is judged as a tree of its own.
#[derive(Debug)]
pub(super) struct PackageOf {
    kind: PackageKind,
    /// Its name in fingerprints.
    key: String,
    /// Whether the findings about its names were already given.
    is_told: AtomicBool,
}

/// A condition on the URL of a link, which is `None` if the link has none.
pub(super) type UrlCondition = dyn Fn(Option<&str>) -> bool + Send + Sync;

#[derive(Clone)]
pub(super) struct Wanted(pub(super) Arc<UrlCondition>);

impl fmt::Debug for Wanted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Wanted")
    }
}

impl AuditContext {
    pub(super) fn new(map: SiteMap, hosting: Hosting, policy: Policy, read: ReadOptions) -> Self {
        let files = || map.sites().iter().map(|site| site.tree.file_count());
        let names = files().map(|count| (0..count).map(|_| OnceLock::new()).collect());
        let referred = files().map(|count| (0..count).map(|_| AtomicBool::new(false)).collect());
        let read = read
            .classes(Classes::ALL)
            .text(false)
            .positions(true)
            .identifiers(true);
        Self {
            read_mail: read.clone().text(true).metadata(true).beside(true),
            mail: Mail::default(),
            names: names.collect(),
            referred: referred.collect(),
            map,
            hosting,
            policy,
            read,
            places: None,
            spool: Spool::default(),
            wanted: None,
            lists_links: false,
            follows_all: false,
            external: None,
            redirects: None,
            files: Arc::default(),
            shown: Shown::default(),
            package: None,
        }
    }

    /// This request for a package that is served by `hosting` with these addresses.
    pub(super) fn of_package(
        &self,
        map: SiteMap,
        hosting: Hosting,
        kind: PackageKind,
        key: String,
    ) -> Self {
        Self {
            places: self.places,
            wanted: self.wanted.clone(),
            lists_links: self.lists_links,
            follows_all: self.follows_all,
            external: self.external.clone(),
            files: Arc::clone(&self.files),
            shown: self.shown.clone(),
            package: Some(PackageOf {
                kind,
                key,
                is_told: AtomicBool::new(false),
            }),
            ..Self::new(map, hosting, self.policy, self.read.clone())
        }
    }

    /// Where the package is, if this is about one.
    pub(super) fn package_path(&self) -> Option<String> {
        let root = self.map.sites().first()?.tree.root().to_string_lossy();
        let (path, _) = root.rsplit_once('!').filter(|_| self.package.is_some())?;
        Some(path.to_owned())
    }

    /// Whether this is an EPUB.
    pub(super) fn is_epub(&self) -> bool {
        let kind = self.package.as_ref().map(|package| package.kind);
        kind == Some(PackageKind::Epub)
    }

    /// Whether this is a package in which pages were saved with what they are shown with.
    pub(super) fn is_saved(&self) -> bool {
        let kind = self.package.as_ref().map(|package| package.kind);
        kind == Some(PackageKind::Saved)
    }

    /// What could not be listed of a package, the first time this is asked.
    pub(super) fn untold(&self) -> &[Unlisted] {
        let is_told = |package: &PackageOf| package.is_told.swap(true, Ordering::Relaxed);
        match &self.package {
            Some(package) if !is_told(package) => self.map.sites()[0].tree.unlisted(),
            _ => &[],
        }
    }

    /// What the redirect rules answer to a URL of a tree or beside it.
    pub(super) fn redirect(&self, url: &str) -> RedirectAnswer {
        match &self.redirects {
            Some(Asked(redirects)) if !matches!(self.map.locate(url), Location::External) => {
                redirects.answer(&self.map, url)
            }
            _ => RedirectAnswer::Nothing,
        }
    }

    /// What a URL leads to: a file of a tree, or where redirect rules say.
    pub(super) fn resolved(&self, url: &str, encoding: &'static Encoding) -> Resolved {
        let own = target::resolved(&self.map, &self.hosting, url, encoding);
        target::redirected(self, &self.redirect(url), own, encoding)
    }

    /// The remarks on where a URL leads.
    pub(super) fn remarks(
        &self,
        url: &str,
        encoding: &'static Encoding,
        suggests: bool,
    ) -> Vec<Remark> {
        let own = target::remarks(&self.map, &self.hosting, url, encoding, suggests);
        let mut remarks = target::remarks_redirected(self, url, self.redirect(url), own);
        for remark in &mut remarks {
            if let Some(file) = remark.file {
                remark.related = self.related(file, "The file that is there.");
            }
        }
        remarks
    }

    /// A file of a tree, as findings refer to it.
    pub(super) fn related(&self, file: FileOf, what: &'static str) -> Arc<[Related]> {
        Arc::new([Related {
            doc: self.doc_of(file).into(),
            at: None,
            what,
        }])
    }

    /// Whether a link passes the user's filter.
    pub(super) fn is_wanted(&self, link: &Link<'_>) -> bool {
        let wanted = self.wanted.as_ref();
        wanted.is_none_or(|wanted| (wanted.0)(link.url.ok().map(|url| self.map.shown(url))))
    }

    /// Whether findings of a rule are shown, unless their levels are raised: the others need
    /// nothing that only people look at.
    pub(super) fn shows(&self, rule: &Rule) -> bool {
        self.shown.has_level(rule, rule.level)
    }

    /// Whether source lines of findings of a rule are shown.
    pub(super) fn shows_lines(&self, rule: &Rule) -> bool {
        self.shown.excerpts != Excerpts::None && self.shows(rule)
    }

    /// Whether links in a place are judged, of a page that `is_archived` or another.
    pub(super) fn is_judged(&self, slot: &LinkPlace, is_archived: bool) -> bool {
        if slot.attr == "usemap" {
            return true;
        }
        if let Some(classes) = self.places {
            return classes.contains(slot.class) && slot.element != "base";
        }
        match slot.class {
            // A `codebase` is a prefix of URLs and is not itself requested.
            Class::Anchor | Class::Resource | Class::Document | Class::Form => {
                slot.standard && slot.attr != "codebase"
            }
            // Crawls do not follow what only some browsers and extensions offer people to follow.
            Class::Metadata => slot.fetched != Fetched::No || slot.followed && !is_archived,
            // Header fields and running text.
            _ => false,
        }
    }

    /// The part of a fragment that names an element, if it can be judged.
    pub(super) fn name_in<'f>(&self, fragment: &'f str) -> Option<&'f str> {
        if self.is_epub() {
            epub::name_in(fragment)
        } else {
            name_in(fragment)
        }
    }

    pub(super) fn has_unknown_host(&self, url: &str) -> bool {
        let mut sites = self.map.sites().iter();
        sites.any(|site| site.has_unknown_host() && url.starts_with(site.prefix()))
    }

    /// The file whose own URL it is.
    pub(super) fn own_file(&self, url: &str) -> Option<FileOf> {
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

    pub(super) fn page_name(&self, origin: &Origin, url: Option<&str>) -> PageName {
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
    pub(super) fn key_of_url(&self, url: &str) -> Option<String> {
        let Location::Inside { site, path } = self.map.locate(url) else {
            return None;
        };
        let path = target::shown_path(&path);
        if let Some(package) = &self.package {
            return Some(format!("{}!{path}", package.key));
        }
        Some(if self.map.sites().len() > 1 {
            format!("{site}:{path}")
        } else {
            path
        })
    }

    /// The path of a URL below the root of its site, as shown in reports.
    pub(super) fn path_below(&self, url: &str) -> Option<String> {
        match self.map.locate(url) {
            Location::Inside { path, .. } => Some(target::shown_path(&path)),
            Location::Outside { .. } | Location::External => None,
        }
    }

    pub(super) fn key_of(&self, doc: &str) -> String {
        let roots = self.map.sites().iter().map(|site| site.tree.root());
        let below = roots
            .filter_map(|root| doc.strip_prefix(root.to_str()?))
            .min_by_key(|below| below.len());
        match below {
            Some(below) => below.trim_start_matches('/').to_owned(),
            None => doc.rsplit('/').next().unwrap_or_default().to_owned(),
        }
    }

    pub(super) fn base_name(&self, base: &Base) -> BaseName {
        let is_ours = base.source == BaseSource::Retrieval
            && base
                .url
                .as_deref()
                .is_some_and(|url| self.has_unknown_host(url));
        BaseName {
            url: base.url.as_deref().map(|url| self.shown(url)),
            source: base.source.as_str(),
            at: match &base.at {
                Some(_) if is_ours => "its place in the tree".to_owned(),
                Some(at) => at.to_string(),
                None => String::new(),
            },
            place: match &base.at {
                Some(Place::Element(at) | Place::XmlBase(at) | Place::Codebase { at, .. }) => {
                    Some(at.clone())
                }
                _ => None,
            },
        }
    }

    pub(super) fn shown(&self, url: &str) -> String {
        self.map.shown(url).to_owned()
    }

    /// The path of a file below its tree, as shown in reports.
    pub(super) fn path_of(&self, FileOf { site, file }: FileOf) -> String {
        let path = self.map.sites()[site as usize].tree.names_of(file);
        let names: Vec<_> = path.into_iter().map(String::from_utf8_lossy).collect();
        names.join("/")
    }

    /// The document name of a file of a tree.
    pub(super) fn doc_of(&self, file: FileOf) -> String {
        if self.package.is_some() {
            let root = self.map.sites()[file.site as usize].tree.root();
            return format!("{}{}", root.to_string_lossy(), self.path_of(file));
        }
        self.file_path(file).to_string_lossy().into_owned()
    }

    pub(super) fn file_path(&self, FileOf { site, file }: FileOf) -> PathBuf {
        let tree = &self.map.sites()[site as usize].tree;
        tree.root().join(tree.file_path(file))
    }

    /// The hash of the URL of a page of an archive.
    #[expect(clippy::unused_self, reason = "the audit decides which URLs are equal")]
    pub(super) fn record_key(&self, url: &str) -> u64 {
        hash_of(&normal(without_fragment(url), &NormalOptions::default()))
    }

    /// Whether a file is an SVG image by its name.
    pub(super) fn is_image(&self, FileOf { site, file }: FileOf) -> bool {
        let tree = &self.map.sites()[site as usize].tree;
        let name = tree.file_name(file).to_ascii_lowercase();
        [&b".svg"[..], b".svgz"]
            .iter()
            .any(|end| name.ends_with(end))
    }

    pub(super) fn refer_to(&self, FileOf { site, file }: FileOf) {
        self.referred[site as usize][file.index()].store(true, Ordering::Relaxed);
    }

    /// The files that no link of another page leads to, in order.
    pub(super) fn unreferenced(&self) -> impl Iterator<Item = FileOf> {
        let sites = (0_u32..).zip(self.map.sites());
        sites.flat_map(move |(site, found)| {
            let files = found.tree.files().map(move |file| FileOf { site, file });
            files.filter(move |file| !self.is_referred(*file))
        })
    }

    pub(super) fn is_referred(&self, FileOf { site, file }: FileOf) -> bool {
        self.referred[site as usize][file.index()].load(Ordering::Relaxed)
    }

    pub(super) fn names_cell(&self, FileOf { site, file }: FileOf) -> &OnceLock<Names> {
        &self.names[site as usize][file.index()]
    }

    /// The names in a scanned page.
    pub(super) fn names_of(&self, file: FileOf) -> Option<&Names> {
        self.names_cell(file).get()
    }

    /// The names in a page, which is read for them if it was not among the documents.
    pub(super) fn names_or_read(&self, file: FileOf) -> Option<&Names> {
        if let Some(names) = self.names_of(file) {
            return Some(names);
        }
        // Every page of a package was among the documents.
        if self.package.is_some() {
            return None;
        }
        let tree = &self.map.sites()[file.site as usize].tree;
        if !is_html_name(tree.file_name(file.file)) {
            return None;
        }
        self.names_of_part(file)
    }

    /// The names in a file that a server puts into a page, whatever it is called.
    pub(super) fn names_of_part(&self, file: FileOf) -> Option<&Names> {
        if let Some(names) = self.names_of(file) {
            return Some(names);
        }
        let names = Names::new(&self.read_names(file)?);
        Some(self.names_cell(file).get_or_init(|| names))
    }

    /// The bytes of a page of a tree, to which positions refer.
    pub(super) fn source_of(&self, file: FileOf) -> Option<Arc<Vec<u8>>> {
        if self.package.is_some() {
            return None;
        }
        sources::read(&self.file_path(file), &self.files).map(Arc::new)
    }

    /// Reads a page for the names in it.
    pub(super) fn read_names(&self, file: FileOf) -> Option<Identifiers> {
        let path = self.file_path(file);
        let bytes = self.source_of(file)?;
        let options = self.read.clone();
        let options = options.classes(Classes::default()).positions(false);
        let format = Format::of_name(&path);
        let entity = Entity {
            markup: format.and_then(Format::markup).unwrap_or_default(),
            ..Entity::html(Origin::of_input(path.to_string_lossy()), Vec::new())
        };
        let mut names = None;
        read::documents_in(&bytes, entity, &options, &mut |found| {
            if let Ok(Document { identifiers, .. }) = found {
                names = Some(identifiers);
            }
        });
        names
    }
}
