//! The site that moves: a folder, an archive of its pages, or an index of captures.
//!
//! An archive is read twice and never held in memory. The first pass selects one capture of each
//! address; the second reads the selected pages.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::io;
use std::path::Path;
use std::sync::Arc;

use crate::old_urls::{Address, AddressList};
use baseref_container::http::Heading;
use baseref_container::{Entity, EntityKind, Package, with_slashes};
use baseref_document::{
    CaptureKind, Declaration, Limits, Origin, Place, ReadError, ReadErrorKind, hash_of,
};
use baseref_evidence::captures::{
    Builder, CdxError, CdxReader, End, Index, Need, Number, Question, Tier,
};
use baseref_files::Files;
use baseref_findings::PageName;
use baseref_findings::words::{count, number, plural};
use baseref_resolve::normal::{NormalOptions, normal};
use baseref_resolve::parts::{self, origin};
use baseref_run::Input as _;
use baseref_site::listing::Tree;
use baseref_site::moves::Prefixes;
use baseref_site::url_below;
use baseref_walk::{FileInput, Opening};

use super::request::MoveRequest;
use super::url_list::UrlList;
use crate::error::MoveError;
use crate::tree::read_tree;

/// The maximum number of other sites that the summary names.
const MAX_NAMED_SITES: usize = 3;

/// The files and pages of the old site.
pub(super) struct OldSite {
    pub(super) tree: Tree,
    pub(super) pages: Pages,
    /// Lines about it for the summary.
    pub(super) lines: Vec<String>,
    /// Errors of the first pass that the second does not repeat.
    pub(super) unread: Vec<ReadError>,
    /// The addresses without a readable page.
    pub(super) list: Option<UrlList>,
}

/// The pages of an old site.
pub(super) enum Pages {
    /// The files of a folder.
    Files,
    /// The members of a zip.
    Members(Arc<Package>),
    /// Captures, identified by the [`hash_of`] their origins.
    Captures(HashSet<u64>),
    /// Addresses alone.
    Listed,
}

/// The contents of the path of an old site, before its URL is known.
pub(super) enum OldSource {
    Folder,
    Package(Arc<Package>),
    Captures(Box<Captures>),
}

/// The captures of an archive or an index.
pub(super) struct Captures {
    index: Index,
    /// The captures with a document: the [`hash_of`] its origin, and whether it is a page rather than a
    /// style sheet.
    documents: HashMap<Number, (u64, bool)>,
    /// The URLs as written, where they differ from their normal form.
    written: HashMap<Number, Box<str>>,
    /// Whether the captures are lines of an index.
    is_list: bool,
    /// The malformed lines of an index.
    unread: Vec<ReadError>,
}

impl OldSource {
    /// Opens a path and indexes its captures, if it is not a folder.
    ///
    /// # Errors
    /// If it cannot be read or does not contain a site.
    pub(super) fn open(path: &Path, files: &Arc<Files>) -> Result<Self, MoveError> {
        if files.is_dir(path) {
            return Ok(Self::Folder);
        }
        if path.as_os_str() == "-" {
            return Err(MoveError::StandardInput);
        }
        let index = Captures::from_index(path, files).map_err(|source| MoveError::Unreadable {
            path: path.to_owned(),
            source,
        })?;
        let index_fault = match index {
            Ok(captures) => return Ok(Self::Captures(Box::new(captures))),
            Err(fault) => fault,
        };
        let input = FileInput::new(path.to_owned(), true, &opening(files));
        let opened = match input.open() {
            Ok(opened) => opened,
            // It looks like an index, so what is wrong with it as one says more.
            Err(error) if error.kind == ReadErrorKind::Format && index_fault.is_some() => {
                return Err(MoveError::NoSite {
                    path: path.to_owned(),
                    index_fault,
                });
            }
            Err(error) => {
                return Err(MoveError::Archive {
                    path: path.to_owned(),
                    source: Box::new(error),
                });
            }
        };
        let mut captures = Builder::default();
        let mut documents = HashMap::new();
        let mut written = HashMap::new();
        let mut package: Option<Arc<Package>> = None;
        // The second pass reports read errors.
        for mut entity in opened.into_entities().filter_map(Result::ok) {
            let of_zip = entity.package.take();
            package = package.or(of_zip.filter(|_| entity.origin.within.is_none()));
            let Some(capture) = entity.capture.take().filter(|one| is_of_server(one.kind)) else {
                continue;
            };
            let Some(number) = captures.add(&capture) else {
                continue;
            };
            if let Some(is_page) = is_page(&entity) {
                documents.insert(number, (origin_id(&entity.origin), is_page));
            }
            written.insert(number, capture.url);
        }
        if package
            .as_ref()
            .is_some_and(|package| package.entries.is_some())
        {
            return Err(MoveError::Zim(path.to_owned()));
        }
        let index = captures.finish();
        match (index.is_empty(), package) {
            (true, None) => Err(MoveError::NoSite {
                path: path.to_owned(),
                index_fault,
            }),
            (true, Some(package)) => Ok(Self::Package(package)),
            (false, _) => {
                written.retain(|number, url| **url != *index.url(*number));
                Ok(Self::Captures(Box::new(Captures {
                    index,
                    documents,
                    written,
                    is_list: false,
                    unread: Vec::new(),
                })))
            }
        }
    }

    /// The present URL of the site and its other URLs. A URL given by the user comes first.
    ///
    /// # Errors
    /// If neither the user nor the captures provide a URL, or the captures are of several hosts.
    pub(super) fn urls(
        &self,
        from: Option<&str>,
        path: &Path,
    ) -> Result<(String, Vec<String>), MoveError> {
        match (from, self) {
            (Some(from), _) => Ok((from.to_owned(), Vec::new())),
            (None, Self::Captures(captures)) => captures.urls(path),
            (None, _) => Err(MoveError::NoUrl(path.to_owned())),
        }
    }

    /// The part of the site below the old prefixes.
    ///
    /// # Errors
    /// If no page is below them.
    pub(super) fn into_site(
        self,
        path: &Path,
        prefixes: &Prefixes,
        files: &Files,
    ) -> Result<OldSite, MoveError> {
        match self {
            Self::Folder => Ok(OldSite {
                tree: read_tree(path, files)?,
                pages: Pages::Files,
                lines: Vec::new(),
                unread: Vec::new(),
                list: None,
            }),
            Self::Package(package) => {
                let all = package.files.iter();
                let paths: Vec<String> = all.filter_map(|name| package.path_of(name)).collect();
                Ok(OldSite {
                    tree: Tree::from_paths(path, paths.iter().map(String::as_bytes)),
                    pages: Pages::Members(package),
                    lines: Vec::new(),
                    unread: Vec::new(),
                    list: None,
                })
            }
            Self::Captures(captures) => captures.into_site(path, prefixes),
        }
    }
}

/// The role of an entity in an archive.
pub(super) enum ArchiveMember {
    /// The old site is not an archive.
    None,
    /// Not a document of the site, or a capture that was not selected.
    LeftOut,
    /// A document with its URL. `is_page` says whether it is a page rather than a style sheet.
    Page { url: String, is_page: bool },
}

impl OldSite {
    /// The listed files, if the site is a folder.
    pub(super) fn folder(&self) -> Option<&Tree> {
        matches!(self.pages, Pages::Files).then_some(&self.tree)
    }

    /// Returns an error for a request that needs pages if there are only addresses.
    pub(super) fn allows(&self, request: &MoveRequest) -> Result<(), MoveError> {
        let has_more = request.new_tree.is_some()
            || !request.redirects.is_empty()
            || request.prefix_redirect
            || !request.reports.files.is_empty();
        if has_more || !matches!(self.pages, Pages::Listed) {
            return Ok(());
        }
        Err(MoveError::AddressesOnly(request.dir.clone()))
    }

    /// Classifies an entity, and declares its URL if it is a document of an archive.
    pub(super) fn classify(&self, entity: &mut Entity, from: &str) -> ArchiveMember {
        let url = match &self.pages {
            Pages::Files | Pages::Listed => return ArchiveMember::None,
            Pages::Members(package) => {
                let member = entity.origin.member.as_deref();
                let path = member.and_then(|member| package.path_of(&with_slashes(member)));
                let is_of_tree = entity.origin.within.is_none() && entity.origin.message.is_none();
                path.filter(|_| is_of_tree)
                    .map(|path| url_below(from, path.as_bytes()))
            }
            Pages::Captures(pages) => {
                let capture = entity.capture.take();
                let capture = capture.filter(|_| pages.contains(&origin_id(&entity.origin)));
                capture.map(|capture| parts::without_fragment(&capture.url).to_owned())
            }
        };
        let (Some(url), Some(is_page)) = (url, is_page(entity)) else {
            return ArchiveMember::LeftOut;
        };
        let is_retrieval = |declared: &Declaration| matches!(declared.at, Place::Retrieval(_));
        entity
            .declarations
            .retain(|declared| !is_retrieval(declared));
        entity
            .declarations
            .insert(0, Declaration::retrieved_from(&url));
        ArchiveMember::Page { url, is_page }
    }
}

/// Whether the file name has an extension for indexes of captures.
fn is_named_index(path: &Path) -> bool {
    let is = |path: &Path, extension: &str| {
        let end = path.extension();
        end.is_some_and(|end| end.eq_ignore_ascii_case(extension))
    };
    let unpacked = path.with_extension("");
    let path = if is(path, "gz") { &unpacked } else { path };
    is(path, "cdx") || is(path, "cdxj")
}

/// The settings for opening an archive of a site.
pub(super) fn opening(files: &Arc<Files>) -> Arc<Opening> {
    Arc::new(Opening {
        files: Arc::clone(files),
        of_site: true,
        packages: true,
        ..Opening::default()
    })
}

/// Identifies an entity by its origin.
pub(super) fn origin_id(origin: &Origin) -> u64 {
    hash_of(&origin.to_string())
}

/// Whether an entity is a page rather than a style sheet or an image; `None` if it is not a document of
/// a site.
pub(super) fn is_page(entity: &Entity) -> Option<bool> {
    match entity.kind {
        EntityKind::Html | EntityKind::Resource => Some(true),
        EntityKind::Response => {
            let heading = Heading::read(&entity.bytes, Limits::default().heading);
            let media = heading.as_ref().and_then(Heading::media_type);
            let of_other = ["text/css", "image/svg+xml"];
            Some(!media.is_some_and(|media| of_other.contains(&&*media.essence)))
        }
        EntityKind::StyleSheet => Some(false),
        EntityKind::Fields
        | EntityKind::Capture
        | EntityKind::Message { .. }
        | EntityKind::Outlook => None,
    }
}

/// The decoded body of a response, or the bytes of any other entity.
pub(super) fn body(entity: &Entity) -> Cow<'_, [u8]> {
    let bytes = &entity.bytes;
    let limits = Limits::default();
    let is_response = entity.kind == EntityKind::Response;
    let Some(heading) = Heading::read(bytes, limits.heading).filter(|_| is_response) else {
        return Cow::Borrowed(bytes);
    };
    let stored = bytes.get(heading.body..).unwrap_or_default();
    let limit = limits.inflated_from(stored.len() as u64);
    Cow::Owned(heading.decoded(stored, limit).bytes.into_owned())
}

/// Whether a capture is the response of a server at its URL.
fn is_of_server(kind: CaptureKind) -> bool {
    !matches!(
        kind,
        CaptureKind::Listed | CaptureKind::LeftOut(_) | CaptureKind::Page | CaptureKind::Saved
    )
}

/// The captures of a site, grouped by their use.
#[derive(Default)]
struct CaptureGroups {
    /// The selected capture of each address.
    pages: BTreeMap<String, Number>,
    /// The captures of pages whose contents are not read.
    listed: Vec<Number>,
    /// The paths of all pages and files.
    paths: Vec<Vec<u8>>,
    /// The number of captured files that are not documents.
    files: u64,
    /// The number of captures that were not selected.
    earlier: u64,
    /// The number of captured redirects.
    redirects: u64,
    /// The number of other answers, by status.
    failed: BTreeMap<u16, u64>,
    /// The number of captures of other sites, by origin.
    elsewhere: BTreeMap<String, u64>,
}

impl Captures {
    /// Reads the captures that an index lists. The inner error means that the file is not an index. It
    /// has the reason if the file is named like an index.
    fn from_index(path: &Path, files: &Files) -> Result<Result<Self, Option<String>>, io::Error> {
        let mut captures = Builder::default();
        let mut written = HashMap::new();
        let mut file = CdxReader::open(path, files)?;
        for capture in &mut file {
            let capture = match capture {
                Ok(capture) => capture,
                Err(CdxError::Unreadable(error)) => return Err(error),
                Err(not_an_index) => {
                    let reason = is_named_index(path).then(|| not_an_index.to_string());
                    return Ok(Err(reason));
                }
            };
            if let Some(number) = captures.add(&capture) {
                written.insert(number, capture.url);
            }
        }
        let malformed = file.malformed().map(|malformed| malformed.to_string());
        let index = captures.finish();
        if index.is_empty() {
            return Ok(Err(malformed));
        }
        written.retain(|number, url| **url != *index.url(*number));
        let origin = || Origin::new(path.to_string_lossy());
        let malformed =
            malformed.map(|reason| ReadError::new(ReadErrorKind::Damaged, origin(), reason));
        Ok(Ok(Self {
            index,
            documents: HashMap::new(),
            written,
            is_list: true,
            unread: malformed.into_iter().collect(),
        }))
    }

    fn numbers(&self) -> impl Iterator<Item = Number> + use<> {
        0..Number::try_from(self.index.len()).unwrap_or(Number::MAX)
    }

    /// The URL of a capture as written, without its fragment.
    fn url(&self, capture: Number) -> &str {
        let url = self.written.get(&capture).map(|url| &**url);
        parts::without_fragment(url.unwrap_or_else(|| self.index.url(capture)))
    }

    /// Whether a capture is of a page. Every line of an index counts as one.
    fn is_page(&self, capture: Number) -> bool {
        let payload = || self.index.payload(capture);
        let document = self.documents.get(&capture);
        let document = document.or_else(|| self.documents.get(&payload()?));
        self.is_list || document.is_some_and(|(_, is_page)| *is_page)
    }

    /// The URLs of the captured pages, if they are of one host.
    fn urls(&self, path: &Path) -> Result<(String, Vec<String>), MoveError> {
        let mut origins: BTreeMap<&str, u64> = BTreeMap::new();
        for capture in self.numbers() {
            if matches!(self.index.status(capture), 200..=299) && self.is_page(capture) {
                *origins.entry(origin(self.index.url(capture))).or_default() += 1;
            }
        }
        let origins = by_count(origins);
        let host = |origin: &str| {
            let host = origin.split_once("://").map_or(origin, |(_, host)| host);
            parts::without_www(host).to_owned()
        };
        let hosts: HashSet<String> = origins.iter().map(|(origin, _)| host(origin)).collect();
        let mut urls = origins.iter().map(|(origin, _)| format!("{origin}/"));
        match (urls.next(), hosts.len()) {
            (Some(first), 1) => Ok((first, urls.collect())),
            (None, _) => Err(MoveError::NoCapture(path.to_owned())),
            (Some(_), hosts) => Err(MoveError::SeveralHosts {
                path: path.to_owned(),
                hosts,
                origins: in_words(&origins),
            }),
        }
    }

    fn group(&self, prefixes: &Prefixes) -> CaptureGroups {
        let present = self.index.addresses();
        let is_present = |url: &str| present.binary_search(&url).is_ok();
        let mut groups = CaptureGroups::default();
        for capture in self.numbers() {
            let form = normal(self.url(capture), &NormalOptions::default());
            let status = self.index.status(capture);
            let (Some((_, rest)), Some(moved)) = (prefixes.old_rest(&form), prefixes.moved(&form))
            else {
                let site = format!("{}/", origin(&form));
                *groups.elsewhere.entry(site).or_default() += 1;
                continue;
            };
            let path = path_of(rest);
            match status {
                300..=303 | 305..=399 => {
                    groups.redirects += 1;
                    if self.redirects_to_page(&form) {
                        groups.paths.push(path);
                    }
                }
                200..=299 if is_present(self.index.url(capture)) => {
                    groups.paths.push(path);
                    self.add_success(capture, moved, &mut groups);
                }
                _ => *groups.failed.entry(status).or_default() += 1,
            }
        }
        groups
    }

    /// Adds a successful capture. Of several with a document, the latest is selected.
    fn add_success(&self, capture: Number, moved: String, groups: &mut CaptureGroups) {
        if !self.documents.contains_key(&capture) {
            if self.is_page(capture) {
                groups.listed.push(capture);
            } else {
                groups.files += 1;
            }
            return;
        }
        let Some(selected) = groups.pages.get_mut(&moved) else {
            groups.pages.insert(moved, capture);
            return;
        };
        let is_later = self.index.date(capture) >= self.index.date(*selected);
        let other = if is_later {
            std::mem::replace(selected, capture)
        } else {
            capture
        };
        groups.earlier += 1;
        groups.listed.push(other);
    }

    fn redirects_to_page(&self, url: &str) -> bool {
        let answer = self.index.ask(Question {
            url,
            need: Need::Page,
            date: None,
            tier: Tier::Exact,
        });
        matches!(answer.end, End::Captured(_))
    }

    fn into_site(mut self, path: &Path, prefixes: &Prefixes) -> Result<OldSite, MoveError> {
        let groups = self.group(prefixes);
        let name = path.display();
        let pages: HashSet<&str> = groups.pages.values().map(|page| self.url(*page)).collect();
        let listed = groups.listed.iter().map(|capture| self.url(*capture));
        let mut listed: Vec<&str> = listed.filter(|url| !pages.contains(url)).collect();
        listed.sort_unstable();
        listed.dedup();
        if groups.pages.is_empty() && listed.is_empty() {
            return Err(MoveError::NoOldPage {
                path: path.to_owned(),
                others: in_words(&groups.other_sites()),
            });
        }
        let list = UrlList {
            name: Arc::new(PageName {
                doc: name.to_string(),
                url: None,
                key: name.to_string(),
            }),
            list: AddressList {
                addresses: listed
                    .iter()
                    .map(|url| Address::unweighted((*url).to_owned()))
                    .collect(),
                weight: None,
                left_out: Vec::new(),
            },
        };
        let tree = Tree::from_paths(path, groups.paths.iter().map(Vec::as_slice));
        let lines = groups.lines(&name.to_string(), self.is_list, listed.len() as u64);
        let sites = groups.pages.values();
        let sites = sites.filter_map(|page| Some(self.documents.get(page)?.0));
        let pages = if self.is_list {
            Pages::Listed
        } else {
            Pages::Captures(sites.collect())
        };
        let without_room = self.index.lost();
        if without_room > 0 {
            let captures = count(without_room, "capture");
            let reason = format!("there is no room for {captures}: they do not count");
            let origin = Origin::new(path.to_string_lossy());
            let error = ReadError::new(ReadErrorKind::Limit, origin, reason);
            self.unread.push(error);
        }
        Ok(OldSite {
            tree,
            pages,
            lines,
            unread: self.unread,
            list: Some(list).filter(|list| !list.list.addresses.is_empty()),
        })
    }
}

impl CaptureGroups {
    /// The other sites with the numbers of their captures.
    fn other_sites(&self) -> Vec<(&str, u64)> {
        let sites = self.elsewhere.iter();
        by_count(sites.map(|(site, captures)| (&**site, *captures)))
    }

    /// The lines of the summary about selected and omitted captures.
    fn lines(&self, name: &str, is_list: bool, listed: u64) -> Vec<String> {
        let mut found = Vec::new();
        if is_list {
            let addresses = plural(listed, "old address", "old addresses");
            found.push(format!("{addresses}, without their pages"));
        } else {
            found.push(format!(
                "{} of the old site",
                count(self.pages.len() as u64, "document")
            ));
            if listed > 0 {
                let addresses = plural(listed, "address", "addresses");
                found.push(format!("{addresses} whose page is captured at another"));
            }
            if self.files > 0 {
                let files = plural(self.files, "other file", "other files");
                found.push(format!("{files}, which count where pages link them"));
            }
        }
        let mut left_out = Vec::new();
        if self.redirects > 0 {
            left_out.push(count(self.redirects, "redirect"));
        }
        let failed: u64 = self.failed.values().sum();
        if failed > 0 {
            let by_status = self.failed.iter().map(|(status, captures)| match status {
                0 => format!("none that can be read {}", number(*captures)),
                status => format!("{status} {}", number(*captures)),
            });
            let by_status: Vec<String> = by_status.collect();
            let answers = count(failed, "answer");
            left_out.push(format!(
                "{answers} without a page ({})",
                by_status.join(", ")
            ));
        }
        if self.earlier > 0 && !is_list {
            left_out.push(plural(
                self.earlier,
                "other capture of the same page",
                "other captures of the same pages",
            ));
        }
        if !self.elsewhere.is_empty() {
            let sites = self.other_sites();
            let captures = sites.iter().map(|(_, captures)| captures).sum();
            let captures = count(captures, "capture");
            left_out.push(format!("{captures} of other places ({})", in_words(&sites)));
        }
        let mut lines = vec![format!("{name}: {}", found.join(", "))];
        if !left_out.is_empty() {
            lines.push(format!("{name}: left out: {}", left_out.join(", ")));
        }
        lines
    }
}

/// Sites with the numbers of their captures, in descending order.
fn by_count<'p>(sites: impl IntoIterator<Item = (&'p str, u64)>) -> Vec<(&'p str, u64)> {
    let mut sites: Vec<_> = sites.into_iter().collect();
    sites.sort_by_key(|(_, captures)| std::cmp::Reverse(*captures));
    sites
}

/// Describes the first few sites with the numbers of their captures.
fn in_words(sites: &[(&str, u64)]) -> String {
    let named = sites.iter().take(MAX_NAMED_SITES);
    let mut named: Vec<String> = named
        .map(|(site, captures)| format!("{site} ({})", number(*captures)))
        .collect();
    if sites.len() > MAX_NAMED_SITES {
        let others = sites.len() - MAX_NAMED_SITES;
        named.push(format!("{} more", number(others as u64)));
    }
    named.join(", ")
}

/// The path of the file for the part of a URL below its prefix.
fn path_of(rest: &str) -> Vec<u8> {
    let path = parts::without_query(rest);
    let mut path: Vec<u8> = percent_encoding::percent_decode_str(path).collect();
    if path.is_empty() || path.ends_with(b"/") {
        path.extend_from_slice(b"index.html");
    }
    path
}
