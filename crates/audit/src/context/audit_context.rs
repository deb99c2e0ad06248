//! The configuration of an audit, and its knowledge of the files that links lead to.

use std::fmt;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use crate::context::earlier_site::EarlierSite;
use crate::context::page_bytes;
use crate::context::shown_texts::ShownTexts;
use crate::epub::fragment as epub_fragment;
use crate::model::external::External;
use crate::model::package_id::{PackageFile, PackageId};
use crate::model::shown::shown_path;
use crate::model::site_file::{SiteFile, is_html_name};
use crate::serving::Serving;
use crate::serving::other_hosting::OtherHostings;
use crate::serving::own_address::OwnAddresses;
use baseref_container::{Entity, EntryTarget, Format, Package, Rewriting};
use baseref_document::link_places::{Class, Classes, Fetched, Grammar, LinkPlace, Namespace};
use baseref_document::{Document, Origin, Place, ReadOptions, ReadResult, hash_of};
use baseref_files::Files;
use baseref_findings::{BaseName, Excerpts, PageName, Related, Rule, Shown};
use baseref_reader::base::Policy;
use baseref_reader::base::{Base, BaseSource};
use baseref_reader::links::Link;
use baseref_reader::{read, read_shown_text};
use baseref_resolve::normal::{NormalOptions, normal};
use baseref_resolve::parts::without_fragment;
use baseref_server::rule_set::{RedirectAnswer, Redirects};
use baseref_site::fragment::name_in;
use baseref_site::hosting::Hosting;
use baseref_site::listing::{Node, UnlistedDirectory};
use baseref_site::lookup::decoded_names;
use baseref_site::map::{Location, SiteMap};
use baseref_site::names::Names;
use baseref_site::shown_text::ShownText;

/// The sites, the checks to make in them, and the knowledge gained about their files.
#[derive(Debug)]
pub(crate) struct AuditContext {
    pub(crate) map: SiteMap,
    pub(crate) hosting: Hosting,
    /// The addresses that the sites give themselves.
    pub(crate) own_addresses: OwnAddresses,
    /// The other ways to serve the sites, if the user did not choose one.
    pub(crate) other_hostings: OtherHostings,
    pub(crate) policy: Policy,
    pub(crate) read: ReadOptions,
    /// The options for messages, whose rules need the texts of links and the header.
    pub(crate) read_mail: ReadOptions,
    /// The classes of links to check, whether standard or not. If unset, the standard link places
    /// are checked.
    pub(crate) places: Option<Classes>,
    /// For each file of each site, the ids of its elements, once read.
    pub(crate) names: Vec<Vec<OnceLock<Names>>>,
    /// For each file of each site, whether another page links to it.
    pub(crate) referred: Vec<Vec<AtomicBool>>,
    /// The condition on links to check. If unset, all are checked.
    pub(crate) wanted: Option<LinkFilter>,
    pub(crate) lists_links: bool,
    /// Whether to look up the targets of unchecked links, too.
    pub(crate) follows_all: bool,
    /// What link checkers reported about other sites.
    pub(crate) external: Option<Arc<External>>,
    /// The redirect rules of the servers.
    pub(crate) redirects: Option<Arc<dyn Redirects>>,
    /// What a site was before, if that is known.
    pub(crate) earlier: Option<EarlierSite>,
    /// The files of the run.
    pub(crate) files: Arc<Files>,
    /// The findings that are shown.
    pub(crate) shown: Shown,
    /// The package, if the only site is one.
    pub(crate) package: Option<PackageInfo>,
    /// The entries of the ZIM file, if the only site is one.
    pub(crate) book: Option<Book>,
    /// The texts that were read for text fragments.
    texts: ShownTexts,
}

/// The entries of a ZIM file.
#[derive(Clone, Debug)]
pub(crate) struct Book(Arc<Package>);

impl Book {
    /// The entries of a package, if it is a ZIM file.
    pub(crate) fn new(package: &Arc<Package>) -> Option<Self> {
        let is_book = package.entries.is_some();
        is_book.then(|| Self(Arc::clone(package)))
    }

    /// What a decoded path below the root leads to.
    pub(crate) fn find(&self, path: &[u8]) -> Option<EntryTarget> {
        self.0.entries.as_ref()?.find(path)
    }

    /// What scripts do to the links.
    pub(crate) fn rewriting(&self) -> Rewriting {
        let entries = self.0.entries.as_ref();
        entries.map_or(Rewriting::None, |entries| entries.rewriting)
    }
}

/// The kinds of packages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PackageKind {
    /// An EPUB, whose root is the root of its URLs. No server is involved.
    Epub,
    /// One or more pages saved with their resources. The zip records their URLs.
    Saved,
    /// Any other zip.
    Zip,
    /// A ZIM file.
    Book,
}

/// A package that is audited as a site of its own.
#[derive(Debug)]
pub(crate) struct PackageInfo {
    pub(crate) id: PackageId,
    pub(crate) kind: PackageKind,
    /// Its name in fingerprints.
    pub(crate) key: String,
    /// Whether the findings about its unlisted files were reported.
    is_reported: AtomicBool,
}

impl PackageInfo {
    pub(crate) fn new(id: PackageId, kind: PackageKind, key: String) -> Self {
        Self {
            id,
            kind,
            key,
            is_reported: AtomicBool::new(false),
        }
    }
}

/// A condition on the URL of a link, `None` for a link without one.
pub(crate) type UrlCondition = dyn Fn(Option<&str>) -> bool + Send + Sync;

#[derive(Clone)]
pub(crate) struct LinkFilter(pub(crate) Arc<UrlCondition>);

impl fmt::Debug for LinkFilter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("LinkFilter")
    }
}

impl AuditContext {
    pub(crate) fn new(map: SiteMap, hosting: Hosting, policy: Policy, read: ReadOptions) -> Self {
        let files = || map.sites().iter().map(|site| site.tree.file_count());
        let names = files().map(|count| (0..count).map(|_| OnceLock::new()).collect());
        let referred = files().map(|count| (0..count).map(|_| AtomicBool::new(false)).collect());
        let marks = read.marks || !map.sites().is_empty();
        let read = read
            .with_classes(Classes::ALL)
            .with_text(false)
            .with_positions(true)
            .with_identifiers(true)
            .with_choices(true)
            // Whether a file was saved from the web.
            .with_marks(marks);
        let read_mail = read
            .clone()
            .with_text(true)
            .with_metadata(true)
            .with_companion_attributes(true);
        Self {
            read_mail,
            names: names.collect(),
            referred: referred.collect(),
            map,
            hosting,
            own_addresses: OwnAddresses::default(),
            other_hostings: OtherHostings::default(),
            policy,
            read: read.with_metadata_elements(true),
            places: None,
            wanted: None,
            lists_links: false,
            follows_all: false,
            external: None,
            redirects: None,
            earlier: None,
            files: Arc::default(),
            shown: Shown::default(),
            package: None,
            book: None,
            texts: ShownTexts::default(),
        }
    }

    /// The context of a package, which is a site of its own.
    pub(crate) fn for_package(&self, map: SiteMap, hosting: Hosting, package: PackageInfo) -> Self {
        Self {
            places: self.places,
            wanted: self.wanted.clone(),
            lists_links: self.lists_links,
            follows_all: self.follows_all,
            external: self.external.clone(),
            files: Arc::clone(&self.files),
            shown: self.shown.clone(),
            package: Some(package),
            ..Self::new(map, hosting, self.policy, self.read.clone())
        }
    }

    /// The sites, and how they are served.
    pub(crate) fn serving(&self) -> Serving<'_> {
        Serving {
            map: &self.map,
            hosting: &self.hosting,
            own: &self.own_addresses,
            others: &self.other_hostings,
        }
    }

    /// A file of these sites, identified across all packages of the run.
    pub(crate) fn package_file(&self, file: SiteFile) -> PackageFile {
        PackageFile {
            package: self.package_id(),
            file,
        }
    }

    /// The id of the package, if the only site is one.
    pub(crate) fn package_id(&self) -> Option<PackageId> {
        self.package.as_ref().map(|package| package.id)
    }

    /// The path of the package, if the only site is one.
    pub(crate) fn package_path(&self) -> Option<String> {
        let root = self.map.sites().first()?.tree.root().to_string_lossy();
        let (path, _) = root.rsplit_once('!').filter(|_| self.package.is_some())?;
        Some(path.to_owned())
    }

    /// Whether the only site is an EPUB.
    pub(crate) fn is_epub(&self) -> bool {
        let kind = self.package.as_ref().map(|package| package.kind);
        kind == Some(PackageKind::Epub)
    }

    /// Whether the only site is a package of pages saved with their resources.
    pub(crate) fn is_saved(&self) -> bool {
        let kind = self.package.as_ref().map(|package| package.kind);
        kind == Some(PackageKind::Saved)
    }

    /// The files of a package that could not be listed. Empty from the second call on.
    pub(crate) fn unreported(&self) -> &[UnlistedDirectory] {
        let is_reported = |package: &PackageInfo| package.is_reported.swap(true, Ordering::Relaxed);
        match &self.package {
            Some(package) if !is_reported(package) => self.map.sites()[0].tree.unlisted(),
            _ => &[],
        }
    }

    /// The answer of the redirect rules to a URL on the host of a site.
    pub(crate) fn redirect(&self, url: &str) -> RedirectAnswer {
        match &self.redirects {
            Some(redirects) if !matches!(self.map.locate(url), Location::External) => {
                redirects.answer(&self.map, url)
            }
            _ => RedirectAnswer::Nothing,
        }
    }

    /// A file of a site, as findings refer to it.
    pub(crate) fn related(&self, file: SiteFile, what: &'static str) -> Arc<[Related]> {
        Arc::new([Related {
            doc: self.doc_of(file).into(),
            at: None,
            what,
        }])
    }

    /// Whether a link passes the user's filter.
    pub(crate) fn is_wanted(&self, link: &Link<'_>) -> bool {
        let wanted = self.wanted.as_ref();
        wanted.is_none_or(|wanted| (wanted.0)(link.url.ok().map(|url| self.map.shown(url))))
    }

    /// Whether findings of a rule are shown at its own level. If not, they need neither suggestions
    /// nor source lines.
    pub(crate) fn shows(&self, rule: &Rule) -> bool {
        self.shown.has_level(rule, rule.level)
    }

    /// Whether source lines of findings of a rule are shown.
    pub(crate) fn shows_lines(&self, rule: &Rule) -> bool {
        self.shown.excerpts != Excerpts::None && self.shows(rule)
    }

    /// Whether links in a link place are checked on a page, given whether it is archived.
    pub(crate) fn is_judged(&self, slot: &LinkPlace, is_archived: bool) -> bool {
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
            // Crawlers do not follow links that only some browsers and extensions offer.
            // Nor does anybody need what browsers only load ahead.
            Class::Metadata => match slot.fetched {
                Fetched::No => slot.followed && !is_archived,
                Fetched::Ahead => !is_archived,
                _ => true,
            },
            // `Refresh` and `Link` act as `meta` and `link` do.
            Class::Header => {
                let is_refresh = slot.grammar == Grammar::Refresh;
                slot.namespace == Namespace::Response && (is_refresh || slot.fetched != Fetched::No)
            }
            // Running text.
            _ => false,
        }
    }

    /// The element id in a fragment, if it can be looked up.
    pub(crate) fn name_in<'f>(&self, fragment: &'f str) -> Option<&'f str> {
        if self.is_epub() {
            epub_fragment::name_in(fragment)
        } else {
            name_in(fragment)
        }
    }

    pub(crate) fn has_unknown_host(&self, url: &str) -> bool {
        let mut sites = self.map.sites().iter();
        sites.any(|site| site.has_unknown_host() && url.starts_with(site.prefix()))
    }

    /// The file that has exactly this URL.
    pub(crate) fn own_file(&self, url: &str) -> Option<SiteFile> {
        let Location::Inside { site, path } = self.map.locate(url) else {
            return None;
        };
        let mapped = &self.map.sites()[site];
        let tree = &mapped.tree;
        let mut node = Node::Directory(tree.top());
        for name in decoded_names(&path) {
            let Node::Directory(directory) = node else {
                return None;
            };
            node = tree.exact(directory, &name)?;
        }
        // A mirror has the page of a folder in this file.
        if let Node::Directory(directory) = node
            && mapped.is_copy()
        {
            node = tree.exact(directory, b"index.html")?;
        }
        let Node::File(file) = node else { return None };
        let site = u32::try_from(site).ok()?;
        Some(SiteFile { site, file })
    }

    pub(crate) fn page_name(&self, origin: &Origin, url: Option<&str>) -> PageName {
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

    /// The path of a document below the root of its site, for fingerprints.
    pub(crate) fn key_of_url(&self, url: &str) -> Option<String> {
        let Location::Inside { site, path } = self.map.locate(url) else {
            return None;
        };
        let path = shown_path(&path);
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
    pub(crate) fn path_below(&self, url: &str) -> Option<String> {
        match self.map.locate(url) {
            Location::Inside { path, .. } => Some(shown_path(&path)),
            Location::Outside { .. } | Location::External => None,
        }
    }

    pub(crate) fn key_of(&self, doc: &str) -> String {
        let roots = self.map.sites().iter().map(|site| site.tree.root());
        let below = roots
            .filter_map(|root| doc.strip_prefix(root.to_str()?))
            .min_by_key(|below| below.len());
        match below {
            Some(below) => below.trim_start_matches('/').to_owned(),
            None => doc.rsplit('/').next().unwrap_or_default().to_owned(),
        }
    }

    pub(crate) fn base_name(&self, base: &Base) -> BaseName {
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

    pub(crate) fn shown(&self, url: &str) -> String {
        self.map.shown(url).to_owned()
    }

    /// The path of a file below the root of its site, as shown in reports.
    pub(crate) fn path_of(&self, file: SiteFile) -> String {
        file.path_in(&self.map)
    }

    /// The document name of a file of a site.
    pub(crate) fn doc_of(&self, file: SiteFile) -> String {
        if self.package.is_some() {
            let root = self.map.sites()[file.site as usize].tree.root();
            return format!("{}{}", root.to_string_lossy(), self.path_of(file));
        }
        self.file_path(file).to_string_lossy().into_owned()
    }

    pub(crate) fn file_path(&self, SiteFile { site, file }: SiteFile) -> PathBuf {
        let tree = &self.map.sites()[site as usize].tree;
        tree.root().join(tree.file_path(file))
    }

    /// The hash of the URL of a page that is not a file of a site.
    #[expect(clippy::unused_self, reason = "the audit decides which URLs are equal")]
    pub(crate) fn record_key(&self, url: &str) -> u64 {
        hash_of(&normal(without_fragment(url), &NormalOptions::default()))
    }

    /// Whether a file is an SVG image, by its name.
    pub(crate) fn is_image(&self, SiteFile { site, file }: SiteFile) -> bool {
        let tree = &self.map.sites()[site as usize].tree;
        let name = tree.file_name(file).to_ascii_lowercase();
        [&b".svg"[..], b".svgz"]
            .iter()
            .any(|end| name.ends_with(end))
    }

    pub(crate) fn refer_to(&self, SiteFile { site, file }: SiteFile) {
        self.referred[site as usize][file.index()].store(true, Ordering::Relaxed);
    }

    /// The files that no link of another page leads to, in order.
    pub(crate) fn unreferenced(&self) -> impl Iterator<Item = SiteFile> {
        let sites = (0_u32..).zip(self.map.sites());
        sites.flat_map(move |(site, found)| {
            let files = found.tree.files().map(move |file| SiteFile { site, file });
            files.filter(move |file| !self.is_referred(*file))
        })
    }

    pub(crate) fn is_referred(&self, SiteFile { site, file }: SiteFile) -> bool {
        self.referred[site as usize][file.index()].load(Ordering::Relaxed)
    }

    pub(crate) fn names_cell(&self, SiteFile { site, file }: SiteFile) -> &OnceLock<Names> {
        &self.names[site as usize][file.index()]
    }

    /// The element ids of a scanned page.
    pub(crate) fn names_of(&self, file: SiteFile) -> Option<&Names> {
        self.names_cell(file).get()
    }

    /// The element ids of a page, which is read if it was not among the documents.
    pub(crate) fn names_or_read(&self, file: SiteFile) -> Option<&Names> {
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

    /// The element ids of an included file, which may have any extension.
    pub(crate) fn names_of_part(&self, file: SiteFile) -> Option<&Names> {
        if let Some(names) = self.names_of(file) {
            return Some(names);
        }
        let page = self.read_page(file)?;
        let names = Names::new(&page.identifiers).partial(page.is_damaged);
        Some(self.names_cell(file).get_or_init(|| names))
    }

    /// The bytes of a page of a site, to which positions refer.
    pub(crate) fn source_of(&self, file: SiteFile) -> Option<Arc<Vec<u8>>> {
        if self.package.is_some() {
            return None;
        }
        page_bytes::read(&self.file_path(file), &self.files).map(Arc::new)
    }

    /// The text that a page shows.
    ///
    /// Departs: the page is opened for this if a text fragment leads to it, which few links do.
    pub(crate) fn text_of(&self, file: SiteFile) -> Option<Arc<ShownText>> {
        let tree = &self.map.sites()[file.site as usize].tree;
        if !is_html_name(tree.file_name(file.file)) {
            return None;
        }
        self.texts.text(file, || {
            let bytes = self.source_of(file)?;
            Some(ShownText::new(&read_shown_text(&bytes, &self.read)))
        })
    }

    /// Reads a page for the ids of its elements, without its links.
    ///
    /// Departs: a page that was scanned is opened again if a link names an id that is not on it, to
    /// suggest a similar one. Memory holds only the hashes of ids.
    pub(crate) fn read_page(&self, file: SiteFile) -> Option<Document> {
        let path = self.file_path(file);
        let bytes = self.source_of(file)?;
        let options = self.read.clone();
        let options = options
            .with_classes(Classes::default())
            .with_positions(false);
        let format = Format::from_name(&path);
        let entity = Entity {
            markup: format.and_then(Format::markup).unwrap_or_default(),
            ..Entity::html(Origin::new(path.to_string_lossy()), Vec::new())
        };
        let mut page = None;
        read::documents_in(&bytes, entity, &options, &mut |found: ReadResult| {
            page = found.ok().or_else(|| page.take());
        });
        page
    }
}
