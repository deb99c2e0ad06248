//! Hints in links about where a site is served. A site is below the root of its host if its links
//! climb above its root, or if root-relative links and bases name folders that it does not have.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use foldhash::fast::RandomState;

use crate::serving::Serving;
use crate::serving::declared_site::{DeclaredLinks, DeclaredSite};
use crate::serving::missing_links::MissingLinks;
use crate::serving::other_hosting::{BestHosting, OtherHostings};
use crate::serving::own_links::{OwnLink, OwnLinks};
use crate::serving::url_map::{DEEPEST, own_path, url_map};
use baseref_findings::words::count;
use baseref_reader::base::{Base, BaseSource};
use baseref_site::listing::{DirectoryId, Node, Tree};
use baseref_site::lookup::decoded_names;
use baseref_site::map::{Location, Site};

/// Hints in the links of one or more documents about where their sites are served.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ServingHints {
    /// By site: the number of links above its root, and the largest number of levels.
    climbing: BTreeMap<usize, (u64, usize)>,
    /// By site and path: the number of links that lead to files if the site is served below the
    /// path.
    below: BTreeMap<(usize, String), u64>,
    /// By site and first path segment, if the site has no such folder: root-relative links.
    from_root: BTreeMap<(usize, String), FromRoot>,
    /// The sites in which root-relative links lead to files.
    rooted: BTreeSet<usize>,
    /// By site: the number of root-relative links that lead to no file.
    unrooted: BTreeMap<usize, u64>,
    /// By site and folder: the number of those on pages below the folder that lead to files if the
    /// folder is the root.
    in_folder: BTreeMap<(usize, String), u64>,
    /// Links that lead to files if the site is served at the base of their pages.
    declared: DeclaredLinks,
    /// Links to the addresses that the sites give themselves.
    own: OwnLinks,
    /// Links that lead to no file.
    missing: MissingLinks,
}

/// The number of root-relative links that lead to files if the site is served below their first
/// path segment, and the number of those that do not.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct FromRoot {
    found: u64,
    missing: u64,
    /// How many of the missing ones lead to files there by the other hosting with a number.
    by_others: BTreeMap<usize, u64>,
}

/// A path below which a site seems to be served.
struct AssumedPath<'h, 'o> {
    path: &'h str,
    /// How many links lead to files there.
    links: u64,
    /// The other hosting without which most of them do not.
    hosting: Option<BestHosting<'o>>,
}

/// What a root-relative link that leads to no file says about where its site is served.
#[derive(Debug)]
pub(crate) struct MissingFromRoot {
    site: usize,
    /// The path of its URL.
    path: String,
    /// Its first path segment, if the site has no such folder.
    below: Option<Below>,
}

/// The first path segment of a link.
#[derive(Debug)]
struct Below {
    path: String,
    /// Whether the rest leads to a file, ...
    is_there: bool,
    /// ... and otherwise the other hostings by which it does.
    by_others: Box<[usize]>,
}

impl MissingFromRoot {
    /// Looks for the file of a root-relative link; `None` if the address of the site is known.
    pub(crate) fn find(serving: Serving<'_>, url: &str) -> Option<Self> {
        let (site, path) = unplaced_path(serving, url)?;
        let tree = &serving.map.sites()[site];
        let below = path.split_once('/');
        let below = below.filter(|(first, rest)| !rest.is_empty() && !is_folder(tree, &[first]));
        let below = below.map(|(first, rest)| {
            let path = format!("/{first}/");
            let is_there = is_there_below(serving, url, &path);
            let others = serving.others.finding(&tree.tree, rest);
            Below {
                by_others: others.filter(|_| !is_there).collect(),
                path,
                is_there,
            }
        });
        Some(Self { site, path, below })
    }
}

/// The folders around a page, outermost first.
#[derive(Debug, Default)]
pub(crate) struct FoldersAround {
    site: usize,
    folders: Vec<FolderAround>,
    /// By the first of several names of a path: the indexes of the folders with such an entry.
    having: HashMap<Box<str>, Box<[usize]>, RandomState>,
    /// Whether the site has a file at each of these paths. They are kept from page to page, since pages of one
    /// site share their outermost folders and their missing files.
    has_file: HashMap<Box<str>, bool, RandomState>,
    /// The path that is looked for; the buffer is reused.
    below: String,
}

#[derive(Debug)]
struct FolderAround {
    /// Its path in the URL of the page.
    path: String,
    /// `None` if its names are not spelled as in the URL.
    directory: Option<DirectoryId>,
}

/// The maximum number of paths whose files are remembered.
const MOST_PATHS: usize = 1 << 12;

/// Longer paths are looked for each time.
const LONGEST: usize = 256;

impl FoldersAround {
    /// Takes the folders around a page, given its URL; `false` if it is of no site.
    pub(crate) fn enter(&mut self, serving: Serving<'_>, page: &str) -> bool {
        let Location::Inside { site, path } = serving.map.locate(page) else {
            return false;
        };
        let tree = &serving.map.sites()[site].tree;
        let ends = path.match_indices('/').map(|(end, _)| &path[..end]);
        let folders = ends.take(DEEPEST).map(|path| FolderAround {
            path: path.to_owned(),
            directory: directory_at(tree, path),
        });
        self.folders.clear();
        self.folders.extend(folders);
        self.having.clear();
        if self.site != site || self.has_file.len() >= MOST_PATHS {
            self.has_file.clear();
        }
        self.site = site;
        true
    }

    /// The path of the outermost folder that has the file of a root-relative link.
    fn outermost_with(
        &mut self,
        serving: Serving<'_>,
        missing: &MissingFromRoot,
    ) -> Option<String> {
        if self.site != missing.site {
            return None;
        }
        let path = &missing.path;
        // A folder without an entry for the first of several names has no such file.
        let several = path.split_once('/').filter(|(_, rest)| !rest.is_empty());
        let first = several.filter(|(first, _)| !first.is_empty() && !first.contains(';'));
        if let Some((first, _)) = first
            && !self.having.contains_key(first)
        {
            let folders = self.with_entry(serving, first);
            self.having.insert(first.into(), folders);
        }
        let having = first.map(|(first, _)| &*self.having[first]);
        let has_entry = |index: &usize| having.is_none_or(|having| having.contains(index));
        let mut folders = (0..self.folders.len()).filter(has_entry);
        let folder = folders.find_map(|index| {
            let folder = &self.folders[index].path;
            self.below.clear();
            for part in [folder.as_str(), "/", path.as_str()] {
                self.below.push_str(part);
            }
            let has_file = self.has_file.get(&*self.below).copied();
            let has_file = has_file.unwrap_or_else(|| {
                let has_file = serving.has_file(self.site, &self.below);
                if self.below.len() <= LONGEST && self.has_file.len() < MOST_PATHS {
                    self.has_file.insert(self.below.as_str().into(), has_file);
                }
                has_file
            });
            has_file.then_some(folder)
        })?;
        let names: Vec<_> = decoded_names(folder).collect();
        let names = names.iter().map(|name| String::from_utf8_lossy(name));
        Some(names.collect::<Vec<_>>().join("/"))
    }

    /// The indexes of the folders that may have an entry of a name, as written in a URL.
    fn with_entry(&self, serving: Serving<'_>, name: &str) -> Box<[usize]> {
        let tree = &serving.map.sites()[self.site].tree;
        let name = decoded_names(name).next().unwrap_or_default();
        let may_have = |folder: &FolderAround| {
            let directory = folder.directory;
            directory.is_none_or(|at| tree.closest(at, &name, encoding_rs::UTF_8).is_some())
        };
        let folders = self.folders.iter().enumerate();
        let having = folders.filter(|(_, folder)| may_have(folder));
        having.map(|(index, _)| index).collect()
    }
}

/// The site of a URL, if its address is not known, and the path below its root, if there is one.
fn unplaced_path(serving: Serving<'_>, url: &str) -> Option<(usize, String)> {
    let Location::Inside { site, path } = serving.map.locate(url) else {
        return None;
    };
    let path = path.split(['?', '#']).next().unwrap_or_default();
    let is_unplaced = serving.map.sites()[site].is_unplaced();
    (is_unplaced && !path.is_empty()).then(|| (site, path.to_owned()))
}

impl ServingHints {
    pub(crate) fn climbs(&mut self, site: usize, levels: usize) {
        let (links, most) = self.climbing.entry(site).or_default();
        *links += 1;
        *most = levels.max(*most);
    }

    pub(crate) fn is_below(&mut self, site: usize, path: &str) {
        *self.below.entry((site, path.to_owned())).or_default() += 1;
    }

    /// Adds a root-relative link that leads to a file.
    pub(crate) fn leads_from_root(&mut self, serving: Serving<'_>, url: &str) {
        // A link to the start page alone proves nothing: `/` is often written by habit.
        if let Some((site, _)) = unplaced_path(serving, url) {
            self.rooted.insert(site);
        }
    }

    /// Adds a root-relative link that leads to no file.
    pub(crate) fn lacks_from_root(
        &mut self,
        serving: Serving<'_>,
        missing: &MissingFromRoot,
        around: Option<&mut FoldersAround>,
    ) {
        let site = missing.site;
        *self.unrooted.entry(site).or_default() += 1;
        if let Some(folder) = around.and_then(|around| around.outermost_with(serving, missing)) {
            *self.in_folder.entry((site, folder)).or_default() += 1;
        }
        if let Some(below) = &missing.below {
            let links = self.from_root.entry((site, below.path.clone()));
            let links = links.or_default();
            links.found += u64::from(below.is_there);
            links.missing += u64::from(!below.is_there);
            for number in &below.by_others {
                *links.by_others.entry(*number).or_default() += 1;
            }
        }
    }

    /// The folder that most broken root-relative links treat as the root, and the number of these
    /// links.
    fn assumed_root_folder(&self, site: usize) -> Option<(&str, u64)> {
        let all = self
            .in_folder
            .range((site, String::new())..(site + 1, String::new()));
        let ((_, folder), links) = all.max_by_key(|(_, links)| **links)?;
        let is_meant = *links >= FEWEST && links * 2 > *self.unrooted.get(&site)?;
        (is_meant && !self.rooted.contains(&site)).then_some((folder, *links))
    }

    /// Adds a link to another site, on a page whose base is on that site.
    pub(crate) fn leads_below(&mut self, serving: Serving<'_>, declared: &DeclaredSite, url: &str) {
        self.declared.add(serving, declared, url);
    }

    /// Adds a link to another site, which may be at an address that its own site gives itself.
    pub(crate) fn leads_elsewhere(&mut self, links: &[OwnLink]) {
        self.own.add(links);
    }

    /// Adds a link that leads to no file, and the other hostings that find it.
    pub(crate) fn leads_nowhere(&mut self, by_others: &[usize]) {
        self.missing.add(by_others);
    }

    /// The path below which a site is served, if that explains most of its broken root-relative links,
    /// by itself or together with another hosting.
    fn assumed_path<'o>(
        &self,
        site: usize,
        others: &'o OtherHostings,
    ) -> Option<AssumedPath<'_, 'o>> {
        let all = self
            .from_root
            .range((site, String::new())..(site + 1, String::new()));
        let most = |links: &FromRoot| links.by_others.values().max().copied().unwrap_or(0);
        let ((_, path), links) = all.max_by_key(|(_, links)| links.found + most(links))?;
        let found = if links.found > links.missing {
            (links.found, None)
        } else {
            let (more, best) = others.best(&links.by_others)?;
            (links.found + more, Some(best))
        };
        let (found, hosting) = found;
        let is_meant = found >= FEWEST && found * 2 > links.found + links.missing;
        (is_meant && !self.rooted.contains(&site)).then_some(AssumedPath {
            path,
            links: found,
            hosting,
        })
    }

    /// Adds the hints of other documents.
    pub fn merge(&mut self, others: &Self) {
        for (site, (more, levels)) in &others.climbing {
            let (links, most) = self.climbing.entry(*site).or_default();
            *links += more;
            *most = (*most).max(*levels);
        }
        for (place, more) in &others.below {
            *self.below.entry(place.clone()).or_default() += more;
        }
        for (place, more) in &others.from_root {
            let links = self.from_root.entry(place.clone()).or_default();
            links.found += more.found;
            links.missing += more.missing;
            for (number, more) in &more.by_others {
                *links.by_others.entry(*number).or_default() += more;
            }
        }
        self.rooted.extend(&others.rooted);
        for (site, more) in &others.unrooted {
            *self.unrooted.entry(*site).or_default() += more;
        }
        for (place, more) in &others.in_folder {
            *self.in_folder.entry(place.clone()).or_default() += more;
        }
        self.declared.merge(&others.declared);
        self.own.merge(&others.own);
        self.missing.merge(&others.missing);
    }

    /// The advice, with one line for each site.
    pub(crate) fn lines(&self, serving: Serving<'_>) -> Vec<String> {
        let sites = serving.map.sites();
        let mut advice = Vec::new();
        for (site, (links, levels)) in &self.climbing {
            let site = &sites[*site];
            let map = url_map(site, &own_path(site, *levels));
            let root = site.tree.root().display();
            let verb = if *links == 1 { "leads" } else { "lead" };
            let links = count(*links, "link");
            advice.push(format!(
                "{links} {verb} out of {root}, above its root: say at which path it is served, such \
                 as {map}"
            ));
        }
        for (number, site) in sites.iter().enumerate() {
            let of_site = self.below.iter().filter(|((of, _), _)| *of == number);
            // Among several paths, the first of those that most links are below.
            let most = of_site.max_by(|(a, m), (b, n)| m.cmp(n).then_with(|| b.cmp(a)));
            let most = most.map(|((_, path), links)| AssumedPath {
                path,
                links: *links,
                hosting: None,
            });
            let most = most.or_else(|| self.assumed_path(number, serving.others));
            let verb = |links| match links {
                1 => "finds its file",
                _ => "find their files",
            };
            if let Some((folder, links)) = self.assumed_root_folder(number)
                && most.as_ref().is_none_or(|most| links > most.links)
            {
                let root = site.tree.root().join(folder);
                let (links, verb) = (count(links, "link"), verb(links));
                advice.push(format!(
                    "{links} from the root of the host {verb} if that is {folder}: audit {}",
                    root.display()
                ));
            } else if let Some(most) = most {
                let (map, verb) = (url_map(site, most.path), verb(most.links));
                let links = count(most.links, "link");
                let (hosting, option) = match &most.hosting {
                    Some(best) => (format!(", as {}", best.answering), best.option),
                    None => (String::new(), ""),
                };
                let path = most.path;
                let line = format!(
                    "{links} {verb} if the tree is served below {path}{hosting}: {map} {option}"
                );
                advice.push(line.trim_end().to_owned());
            }
            let declared = self.declared.line(serving, number);
            advice.extend(declared.or_else(|| self.own.line(serving, number)));
        }
        advice.extend(self.missing.line(serving.others));
        advice
    }
}

/// The minimum number of root-relative links that a suggestion is based on.
const FEWEST: u64 = 2;

/// The site above whose root a URL climbs, and by how many levels. RFC 1808 §5.2 leaves excess dot
/// segments in the URL.
pub(crate) fn climb(serving: Serving<'_>, url: &str) -> Option<(usize, usize)> {
    let (Location::Inside { site, .. } | Location::Outside { site }) = serving.map.locate(url)
    else {
        return None;
    };
    let found = &serving.map.sites()[site];
    let path = url
        .strip_prefix(found.prefix())
        .filter(|_| found.is_unplaced())?;
    let end = path.find(['?', '#']).unwrap_or(path.len());
    let levels = path[..end]
        .split('/')
        .take_while(|name| *name == "..")
        .count();
    (levels > 0).then_some((site, levels))
}

/// The leading folders in the path of a base that the site does not have; `None` if it has the
/// first, or if the user gave its address.
pub(crate) fn lacking(serving: Serving<'_>, base: &Base) -> Option<(usize, String)> {
    let is_declared = matches!(base.source, BaseSource::Element | BaseSource::Header);
    let base = base.url.as_deref().filter(|_| is_declared)?;
    let Location::Inside { site, path } = serving.map.locate(base) else {
        return None;
    };
    let found = &serving.map.sites()[site];
    let (folder, _) = path.rsplit_once('/').filter(|_| found.is_unplaced())?;
    let names: Vec<&str> = folder.split('/').filter(|name| !name.is_empty()).collect();
    if names.is_empty() || is_folder(found, names.get(..1)?) {
        return None;
    }
    let lacks = (1..=names.len().min(DEEPEST)).find(|lacks| is_folder(found, &names[*lacks..]))?;
    Some((site, format!("/{}/", names[..lacks].join("/"))))
}

/// Whether a site has a folder at a path.
fn is_folder(site: &Site, names: &[&str]) -> bool {
    directory_at(&site.tree, &names.join("/")).is_some()
}

/// The directory at the path of a URL.
fn directory_at(tree: &Tree, path: &str) -> Option<DirectoryId> {
    let mut directory = tree.top();
    for name in decoded_names(path) {
        match tree.exact(directory, &name) {
            Some(Node::Directory(next)) => directory = next,
            _ => return None,
        }
    }
    Some(directory)
}

/// Whether a URL leads to a file if the site is served below a path.
pub(crate) fn is_there_below(serving: Serving<'_>, url: &str, path: &str) -> bool {
    let Location::Inside { site, path: named } = serving.map.locate(url) else {
        return false;
    };
    let rest = named.strip_prefix(path.trim_start_matches('/'));
    rest.is_some_and(|rest| serving.has_file(site, rest))
}
