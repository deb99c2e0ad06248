//! The site that moves: a folder, an archive of its pages, or an index of captures.
//!
//! An archive is read twice: first for what was captured, of which one capture counts for each
//! address, and then like a folder, page by page. It is never held in memory.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap, HashSet};
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
use baseref_findings::words::{count, number, plural};
use baseref_findings::{PageName, Refused};
use baseref_resolve::normal::{NormalOptions, normal};
use baseref_resolve::parts::{self, origin};
use baseref_run::Input as _;
use baseref_site::listing::Tree;
use baseref_site::moves::Prefixes;
use baseref_site::url_below;
use baseref_walk::{FileInput, Opening};

use super::request::Request;
use super::url_list::UrlList;
use crate::tree::read_tree;

/// How many other places the summary names.
const MOST_PLACES: usize = 3;

/// What can be an old site.
const KINDS: &str = "the old site is a folder, an archive (WARC, WACZ, ARC, HAR, zip, EPUB) or an \
                     index of captures (CDX, CDXJ)";

/// The files of the old site, and how its pages are known.
pub(super) struct OldSite {
    pub(super) tree: Tree,
    pub(super) pages: Pages,
    /// What is to be said of it, a line each.
    pub(super) lines: Vec<String>,
    /// What could not be read, and would not be said when its pages are read.
    pub(super) unread: Vec<ReadError>,
    /// Addresses of which no page is read.
    pub(super) list: Option<UrlList>,
}

/// How the pages of an old site are known.
pub(super) enum Pages {
    /// They are the files of a folder.
    Files,
    /// They are members of a zip.
    Members(Arc<Package>),
    /// They are captures: the [`hash_of`] the place of each.
    Captures(HashSet<u64>),
    /// Nothing is known but their addresses.
    Listed,
}

/// What is at the path of an old site, before it is known where that site was.
pub(super) enum Found {
    Folder,
    Package(Arc<Package>),
    Captures(Box<Captures>),
}

/// The captures of an archive or an index.
pub(super) struct Captures {
    index: Index,
    /// The captures with a document: the [`hash_of`] its place, and whether it is a page rather than
    /// a style sheet.
    documents: HashMap<Number, (u64, bool)>,
    /// The URLs as they are written, where that is not their normal form.
    written: HashMap<Number, Box<str>>,
    /// Whether they are lines of an index.
    is_list: bool,
    /// What an index says that is no capture.
    unread: Vec<ReadError>,
}

impl Found {
    /// Looks at what a path leads to.
    ///
    /// # Errors
    /// If it cannot be read, or is nothing that a site can be taken from.
    pub(super) fn at(path: &Path, files: &Arc<Files>) -> Result<Self, Refused> {
        if files.is_dir(path) {
            return Ok(Self::Folder);
        }
        let refused = |what: String| Refused(format!("{}: {what}", path.display()));
        if path.as_os_str() == "-" {
            let what = "the old site is read twice, and standard input comes once";
            return Err(refused(what.to_owned()));
        }
        let no_index = match Captures::of_lines(path, files).map_err(refused)? {
            Ok(captures) => return Ok(Self::Captures(Box::new(captures))),
            Err(no_index) => no_index,
        };
        let input = FileInput::new(path.to_owned(), true, &opening(files));
        let opened = input.open();
        let opened = opened.map_err(|error| refused(error.reason.to_string()))?;
        let mut captures = Builder::default();
        let mut documents = HashMap::new();
        let mut written = HashMap::new();
        let mut package: Option<Arc<Package>> = None;
        // What cannot be read is said when the pages are.
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
                documents.insert(number, (place(&entity.origin), is_page));
            }
            written.insert(number, capture.url);
        }
        let index = captures.finish();
        match (index.is_empty(), package) {
            (true, None) => Err(refused(match no_index {
                Some(line) => format!("no site is in it: as an index of captures, {line}"),
                None => format!("no site is in it: {KINDS}"),
            })),
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

    /// Where the site is at present, and by which other names; what the user says comes first.
    ///
    /// # Errors
    /// If neither the user nor the captures say it, or these are of several hosts.
    pub(super) fn place(
        &self,
        from: Option<&str>,
        path: &Path,
    ) -> Result<(String, Vec<String>), Refused> {
        match (from, self) {
            (Some(from), _) => Ok((from.to_owned(), Vec::new())),
            (None, Self::Captures(captures)) => captures.place(path),
            (None, _) => Err(Refused(format!(
                "--from is missing: {} does not say which URL its pages have at present",
                path.display()
            ))),
        }
    }

    /// The old site below these prefixes.
    ///
    /// # Errors
    /// If nothing of it is there.
    pub(super) fn site(
        self,
        path: &Path,
        prefixes: &Prefixes,
        files: &Files,
    ) -> Result<OldSite, Refused> {
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
            Self::Captures(captures) => captures.site(path, prefixes),
        }
    }
}

/// What an entity of the old site is.
pub(super) enum Archived {
    /// Part of a folder.
    No,
    /// No document of the site, or another capture of one.
    LeftOut,
    /// A document of an archive: its URL, and whether it is a page rather than a style sheet.
    Page { url: String, is_page: bool },
}

impl OldSite {
    /// The tree, if it is a folder.
    pub(super) fn folder(&self) -> Option<&Tree> {
        matches!(self.pages, Pages::Files).then_some(&self.tree)
    }

    /// Refuses a request for which addresses alone are too little.
    pub(super) fn allows(&self, request: &Request) -> Result<(), Refused> {
        let has_more = request.new_tree.is_some()
            || !request.redirects.is_empty()
            || request.prefix_redirect
            || !request.reports.files.is_empty();
        if has_more || !matches!(self.pages, Pages::Listed) {
            return Ok(());
        }
        Err(Refused(format!(
            "{}: an index of captures has addresses only: give --new-tree or --redirects to check \
             where they lead",
            request.dir.display()
        )))
    }

    /// What an entity is, which is told its URL if it is a document of an archive.
    pub(super) fn archived(&self, entity: &mut Entity, from: &str) -> Archived {
        let url = match &self.pages {
            Pages::Files | Pages::Listed => return Archived::No,
            Pages::Members(package) => {
                let member = entity.origin.member.as_deref();
                let path = member.and_then(|member| package.path_of(&with_slashes(member)));
                let is_of_tree = entity.origin.within.is_none() && entity.origin.message.is_none();
                path.filter(|_| is_of_tree)
                    .map(|path| url_below(from, path.as_bytes()))
            }
            Pages::Captures(pages) => {
                let capture = entity.capture.take();
                let capture = capture.filter(|_| pages.contains(&place(&entity.origin)));
                capture.map(|capture| parts::without_fragment(&capture.url).to_owned())
            }
        };
        let (Some(url), Some(is_page)) = (url, is_page(entity)) else {
            return Archived::LeftOut;
        };
        let is_retrieval = |declared: &Declaration| matches!(declared.at, Place::Retrieval(_));
        entity
            .declarations
            .retain(|declared| !is_retrieval(declared));
        entity
            .declarations
            .insert(0, Declaration::retrieved_from(&url));
        Archived::Page { url, is_page }
    }
}

/// Whether a file is an index of captures by its name.
fn is_named_index(path: &Path) -> bool {
    let is = |path: &Path, known: &str| {
        let end = path.extension();
        end.is_some_and(|end| end.eq_ignore_ascii_case(known))
    };
    let unpacked = path.with_extension("");
    let path = if is(path, "gz") { &unpacked } else { path };
    is(path, "cdx") || is(path, "cdxj")
}

/// How archives are opened: as those of a site.
pub(super) fn opening(files: &Arc<Files>) -> Arc<Opening> {
    Arc::new(Opening {
        files: Arc::clone(files),
        of_site: true,
        packages: true,
        ..Opening::default()
    })
}

/// What stands for the place of an entity.
pub(super) fn place(origin: &Origin) -> u64 {
    hash_of(&origin.to_string())
}

/// Whether an entity is a page rather than a style sheet or an image; `None` if it is no document of
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

/// The page of an entity: the body of a response, decoded, or else its bytes.
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

/// Whether a capture is what a server answered at the URL.
fn is_of_server(kind: CaptureKind) -> bool {
    !matches!(
        kind,
        CaptureKind::Listed | CaptureKind::LeftOut(_) | CaptureKind::Page | CaptureKind::Saved
    )
}

/// The captures of a site, sorted by what becomes of them.
#[derive(Default)]
struct Sorted {
    /// For each address, the capture that counts.
    pages: BTreeMap<String, Number>,
    /// The addresses of pages whose contents are not read.
    listed: Vec<Number>,
    /// The paths of all that was there.
    paths: Vec<Vec<u8>>,
    files: u64,
    earlier: u64,
    redirects: u64,
    /// Other answers, by their status.
    failed: BTreeMap<u16, u64>,
    /// How many captures are of other places, by place.
    elsewhere: BTreeMap<String, u64>,
}

impl Captures {
    /// The captures that an index lists. An inner error if the file is no index: with the reason if it is
    /// meant to be one.
    fn of_lines(path: &Path, files: &Files) -> Result<Result<Self, Option<String>>, String> {
        let mut captures = Builder::default();
        let mut written = HashMap::new();
        let said = |error: std::io::Error| error.to_string();
        let mut file = CdxReader::open(path, files).map_err(said)?;
        for capture in &mut file {
            let capture = match capture {
                Ok(capture) => capture,
                Err(CdxError::Unreadable(error)) => return Err(said(error)),
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
        let origin = || Origin::of_input(path.to_string_lossy());
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

    /// The URL of a capture, as written, without its fragment.
    fn url(&self, capture: Number) -> &str {
        let url = self.written.get(&capture).map(|url| &**url);
        parts::without_fragment(url.unwrap_or_else(|| self.index.url(capture)))
    }

    /// Whether a capture is of a page, as far as is known.
    fn is_page(&self, capture: Number) -> bool {
        let payload = || self.index.payload(capture);
        let document = self.documents.get(&capture);
        let document = document.or_else(|| self.documents.get(&payload()?));
        self.is_list || document.is_some_and(|(_, is_page)| *is_page)
    }

    /// Where the captured pages are, if they are of one host.
    fn place(&self, path: &Path) -> Result<(String, Vec<String>), Refused> {
        let mut origins: BTreeMap<&str, u64> = BTreeMap::new();
        for capture in self.numbers() {
            if matches!(self.index.status(capture), 200..=299) && self.is_page(capture) {
                *origins.entry(origin(self.index.url(capture))).or_default() += 1;
            }
        }
        let origins = most_first(origins);
        let host = |origin: &str| {
            let host = origin.split_once("://").map_or(origin, |(_, host)| host);
            parts::without_www(host).to_owned()
        };
        let hosts: HashSet<String> = origins.iter().map(|(origin, _)| host(origin)).collect();
        let path = path.display();
        let mut urls = origins.iter().map(|(origin, _)| format!("{origin}/"));
        match (urls.next(), hosts.len()) {
            (Some(first), 1) => Ok((first, urls.collect())),
            (None, _) => Err(Refused(format!("{path}: no page was captured"))),
            (Some(_), hosts) => Err(Refused(format!(
                "--from is missing: the pages of {path} are of {hosts} hosts: {}",
                in_words(&origins)
            ))),
        }
    }

    fn sorted(&self, prefixes: &Prefixes) -> Sorted {
        let there = self.index.addresses();
        let is_there = |url: &str| there.binary_search(&url).is_ok();
        let mut sorted = Sorted::default();
        for capture in self.numbers() {
            let form = normal(self.url(capture), &NormalOptions::default());
            let status = self.index.status(capture);
            let (Some((_, rest)), Some(moved)) = (prefixes.old_rest(&form), prefixes.moved(&form))
            else {
                let place = format!("{}/", origin(&form));
                *sorted.elsewhere.entry(place).or_default() += 1;
                continue;
            };
            let path = path_of(rest);
            match status {
                300..=303 | 305..=399 => {
                    sorted.redirects += 1;
                    if self.leads_to_a_page(&form) {
                        sorted.paths.push(path);
                    }
                }
                200..=299 if is_there(self.index.url(capture)) => {
                    sorted.paths.push(path);
                    self.sort_in(capture, moved, &mut sorted);
                }
                _ => *sorted.failed.entry(status).or_default() += 1,
            }
        }
        sorted
    }

    /// Sorts in a capture of something that was there: of several with a document the latest counts.
    fn sort_in(&self, capture: Number, moved: String, sorted: &mut Sorted) {
        if !self.documents.contains_key(&capture) {
            if self.is_page(capture) {
                sorted.listed.push(capture);
            } else {
                sorted.files += 1;
            }
            return;
        }
        let Some(known) = sorted.pages.get_mut(&moved) else {
            sorted.pages.insert(moved, capture);
            return;
        };
        let is_later = self.index.date(capture) >= self.index.date(*known);
        let other = if is_later {
            std::mem::replace(known, capture)
        } else {
            capture
        };
        sorted.earlier += 1;
        sorted.listed.push(other);
    }

    fn leads_to_a_page(&self, url: &str) -> bool {
        let answer = self.index.ask(Question {
            url,
            need: Need::Page,
            date: None,
            tier: Tier::Exact,
        });
        matches!(answer.end, End::Captured(_))
    }

    fn site(mut self, path: &Path, prefixes: &Prefixes) -> Result<OldSite, Refused> {
        let sorted = self.sorted(prefixes);
        let name = path.display();
        let pages: HashSet<&str> = sorted.pages.values().map(|page| self.url(*page)).collect();
        let listed = sorted.listed.iter().map(|capture| self.url(*capture));
        let mut listed: Vec<&str> = listed.filter(|url| !pages.contains(url)).collect();
        listed.sort_unstable();
        listed.dedup();
        if sorted.pages.is_empty() && listed.is_empty() {
            let others = sorted.other_places();
            let others = if others.is_empty() {
                String::new()
            } else {
                format!(": its captures are of {}", in_words(&others))
            };
            return Err(Refused(format!(
                "{name}: no page of the old site is in it{others}"
            )));
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
        let tree = Tree::from_paths(path, sorted.paths.iter().map(Vec::as_slice));
        let lines = sorted.lines(&name.to_string(), self.is_list, listed.len() as u64);
        let places = sorted.pages.values();
        let places = places.filter_map(|page| Some(self.documents.get(page)?.0));
        let pages = if self.is_list {
            Pages::Listed
        } else {
            Pages::Captures(places.collect())
        };
        let without_room = self.index.lost();
        if without_room > 0 {
            let captures = count(without_room, "capture");
            let reason = format!("there is no room for {captures}: they do not count");
            let origin = Origin::of_input(path.to_string_lossy());
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

impl Sorted {
    /// The other places with the numbers of their captures.
    fn other_places(&self) -> Vec<(&str, u64)> {
        let places = self.elsewhere.iter();
        most_first(places.map(|(place, captures)| (&**place, *captures)))
    }

    /// What was found and what was left out, for the summary.
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
            let places = self.other_places();
            let captures = places.iter().map(|(_, captures)| captures).sum();
            let captures = count(captures, "capture");
            left_out.push(format!(
                "{captures} of other places ({})",
                in_words(&places)
            ));
        }
        let mut lines = vec![format!("{name}: {}", found.join(", "))];
        if !left_out.is_empty() {
            lines.push(format!("{name}: left out: {}", left_out.join(", ")));
        }
        lines
    }
}

/// Places with the numbers of what was captured there, those with the most first.
fn most_first<'p>(places: impl IntoIterator<Item = (&'p str, u64)>) -> Vec<(&'p str, u64)> {
    let mut places: Vec<_> = places.into_iter().collect();
    places.sort_by_key(|(_, captures)| std::cmp::Reverse(*captures));
    places
}

/// Places with the numbers of their captures, the first few of them.
fn in_words(places: &[(&str, u64)]) -> String {
    let named = places.iter().take(MOST_PLACES);
    let mut named: Vec<String> = named
        .map(|(place, captures)| format!("{place} ({})", number(*captures)))
        .collect();
    if places.len() > MOST_PLACES {
        let others = places.len() - MOST_PLACES;
        named.push(format!("{} more", number(others as u64)));
    }
    named.join(", ")
}

/// The path of the file that a URL has below its prefix.
fn path_of(rest: &str) -> Vec<u8> {
    let path = parts::without_query(rest);
    let mut path: Vec<u8> = percent_encoding::percent_decode_str(path).collect();
    if path.is_empty() || path.ends_with(b"/") {
        path.extend_from_slice(b"index.html");
    }
    path
}
