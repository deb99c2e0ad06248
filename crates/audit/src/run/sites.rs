//! The folders of an audit, and the URLs that they are served at: `--url-map` and `--url-alias`.

use std::path::{Path, PathBuf};

use baseref_files::Files;
use baseref_site::listing::{FileId, FileSystem, Following, Node, Tree};
use baseref_site::map::{Address, SiteMap};
use baseref_walk::{RetrievalUrls, is_capture_time, is_unpacked_book, normal};

use super::error::AuditError;
use super::mirror::{check_mirror, did_you_mean_mirror};

/// A directory and its address.
pub(super) struct MappedFolder {
    pub(super) directory: PathBuf,
    /// Lexically normalized: without `.` and `..`.
    pub(super) absolute: PathBuf,
    address: Address,
    pub(super) tree: Tree,
    pub(super) mirror: Option<Mirror>,
    /// Whether it is an unpacked EPUB, which is a package rather than a folder of a site.
    pub(super) is_book: bool,
}

/// The program that retrieved a directory from any number of hosts, and named its files.
#[derive(Clone, Copy)]
pub(super) enum Mirror {
    /// wget, or a program that downloads from the Wayback Machine, with this scheme.
    Wget(&'static str),
    /// `HTTrack`, which made links to saved files relative.
    HtTrack,
}

/// The mapped directories, and the other named directories that are not below one of them, with
/// their files listed.
pub(super) fn sites(
    maps: &[String],
    named: &[PathBuf],
    follow: bool,
    files: &Files,
) -> Result<Vec<MappedFolder>, AuditError> {
    let mut sites: Vec<MappedFolder> = Vec::new();
    for map in maps {
        let (directory, address, mirror) = parse_map(map)?;
        if let Some(Mirror::Wget(_)) = mirror {
            check_mirror(map, &directory, files)?;
        }
        let site = MappedFolder {
            mirror,
            ..site(directory, address, follow, files)?
        };
        if let Some(other) = sites.iter().find(|other| overlap(&site, other)) {
            return Err(AuditError::MappedTwice {
                map: map.clone(),
                other: other.directory.clone(),
            });
        }
        sites.push(site);
    }
    let mapped = sites.len();
    for path in named.iter().filter(|path| is_directory(path, files)) {
        let absolute = normal(path);
        let is_below = |site: &MappedFolder| absolute.starts_with(&site.absolute);
        if sites[..mapped].iter().any(is_below)
            || sites.iter().any(|site| site.absolute == absolute)
        {
            continue;
        }
        let folder = site(path.clone(), Address::Path(String::new()), follow, files)?;
        sites.push(MappedFolder {
            is_book: is_unpacked_book(path, files),
            ..folder
        });
    }
    Ok(sites)
}

/// The addresses of packages, by their normal paths.
pub(super) type Addresses = Vec<(PathBuf, Address)>;

/// The address of the package at a path.
pub(super) fn address_of(packages: Addresses) -> impl Fn(&Path) -> Option<Address> {
    move |path| {
        if packages.is_empty() {
            return None;
        }
        let path = normal(path);
        let package = packages.iter().find(|(package, _)| *package == path);
        package.map(|(_, address)| address.clone())
    }
}

/// The addresses of packages, by their normal paths, and the maps of directories.
pub(super) fn package_addresses(
    maps: &[String],
    files: &Files,
) -> Result<(Addresses, Vec<String>), AuditError> {
    let mut packages = Vec::new();
    let mut others = Vec::new();
    for map in maps {
        let (path, address, mirror) = parse_map(map)?;
        if mirror.is_some() || !files.is_file(&path) {
            others.push(map.clone());
            continue;
        }
        let nothing = Tree::from_paths(&path, []);
        let placed = SiteMap::new().add(nothing, &address);
        placed.map_err(|source| AuditError::MapAddress {
            map: map.clone(),
            source,
        })?;
        packages.push((normal(&path), address));
    }
    Ok((packages, others))
}

fn site(
    directory: PathBuf,
    address: Address,
    follow: bool,
    files: &Files,
) -> Result<MappedFolder, AuditError> {
    let tree = if follow {
        Tree::read(&directory, &Following::new(&directory, files))
    } else {
        Tree::read(&directory, &FileSystem(files))
    };
    let tree = tree.map_err(|source| AuditError::Listing {
        directory: directory.clone(),
        source,
    })?;
    let absolute = normal(&directory);
    Ok(MappedFolder {
        directory,
        absolute,
        address,
        tree,
        mirror: None,
        is_book: false,
    })
}

fn overlap(one: &MappedFolder, other: &MappedFolder) -> bool {
    one.absolute.starts_with(&other.absolute) || other.absolute.starts_with(&one.absolute)
}

fn parse_map(map: &str) -> Result<(PathBuf, Address, Option<Mirror>), AuditError> {
    let other_form = |form: String| AuditError::MapForm {
        map: map.to_owned(),
        form,
    };
    let unplaced = Address::Path(String::new());
    for (prefix, mirror) in [
        ("wget:", Mirror::Wget("https")),
        ("wget+http:", Mirror::Wget("http")),
        ("wayback:", Mirror::Wget("http")),
        ("httrack:", Mirror::HtTrack),
    ] {
        match map.strip_prefix(prefix) {
            Some("") => return Err(other_form(format!("{prefix}DIR"))),
            Some(directory) => return Ok((directory.into(), unplaced, Some(mirror))),
            None => {}
        }
    }
    let parts = map
        .split_once('=')
        .filter(|(directory, _)| !directory.is_empty());
    let (directory, url) =
        parts.ok_or_else(|| other_form(format!("DIR=URL{}", did_you_mean_mirror(map))))?;
    if directory.contains("://") {
        return Err(AuditError::MapOrder {
            map: map.to_owned(),
            swapped: format!("{url}={directory}"),
        });
    }
    let address = if url.starts_with('/') && !url.starts_with("//") {
        Address::Path(url.to_owned())
    } else {
        Address::Url(url.to_owned())
    };
    Ok((directory.into(), address, None))
}

pub(super) fn site_map(
    sites: Vec<MappedFolder>,
    aliases: &[String],
    files: &Files,
) -> Result<SiteMap, AuditError> {
    let mut map = SiteMap::new();
    for site in sites.into_iter().filter(|site| !site.is_book) {
        let number =
            map.add(site.tree, &site.address)
                .map_err(|source| AuditError::MapAddress {
                    map: site.directory.display().to_string(),
                    source,
                })?;
        if site.mirror.is_some() {
            map.set_copy(number);
        }
        match site.mirror {
            Some(Mirror::Wget(scheme)) => add_hosts(&mut map, number, scheme),
            Some(Mirror::HtTrack) => {
                let added = add_logged(&mut map, number, &site.directory, files);
                added.map_err(|source| AuditError::MirrorLog {
                    directory: site.directory,
                    source,
                })?;
            }
            None => {}
        }
    }
    for alias in aliases {
        // A URL may contain `=`: the second one begins with its scheme.
        let at = alias.rfind("=http").or_else(|| alias.rfind('='));
        let (url, other) = at
            .map(|at| (&alias[..at], &alias[at + 1..]))
            .ok_or_else(|| AuditError::AliasForm(alias.clone()))?;
        map.add_alias(url, other)
            .or_else(|_| map.add_alias(other, url))
            .map_err(|source| AuditError::Alias {
                alias: alias.clone(),
                source,
            })?;
    }
    Ok(map)
}

pub(super) fn mirrors(sites: &[MappedFolder]) -> Vec<(PathBuf, &'static str)> {
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
    let hosts = mirrored_hosts(tree);
    let files: Vec<(FileId, PathBuf)> = tree
        .files()
        .map(|file| (file, root.join(tree.file_path(file))))
        .collect();
    for folders in hosts {
        let folders: Vec<&[u8]> = folders.iter().map(Vec::as_slice).collect();
        let Some(Ok(name)) = folders.last().map(|host| std::str::from_utf8(host)) else {
            continue;
        };
        for scheme in ["https", "http"] {
            // A name that cannot be a host is an ordinary folder. If two folders name one host, one
            // of them wins.
            let _ = map.add_folder(
                number,
                &folders,
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
        // File names contain no slash, so wget escapes slashes in queries.
        let with_slashes = query.replace("%2F", "/").replace("%2f", "/");
        for scheme in ["https", "http"] {
            for query in [query, &with_slashes] {
                map.add_recorded(number, file, &format!("{scheme}://{path}?{query}"));
            }
        }
    }
}

/// The folders of the hosts of a mirror, each as the names that lead to it: at its top, or below the
/// folders of captures.
fn mirrored_hosts(tree: &Tree) -> Vec<Vec<Vec<u8>>> {
    let mut hosts = Vec::new();
    for (name, node) in tree.entries(tree.top()) {
        let Node::Directory(inner) = node else {
            continue;
        };
        if std::str::from_utf8(name).is_ok_and(is_capture_time) {
            let below = tree.entries(inner);
            let below = below.filter(|(_, node)| matches!(node, Node::Directory(_)));
            hosts.extend(below.map(|(host, _)| vec![name.to_vec(), host.to_vec()]));
        } else {
            hosts.push(vec![name.to_vec()]);
        }
    }
    hosts
}

/// Adds the URLs of the files of a mirror by `HTTrack`, as its log records them: links that it did
/// not make relative lead there.
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

/// Whether a path names a folder rather than standard input or a file.
pub(super) fn is_directory(path: &Path, files: &Files) -> bool {
    path.as_os_str() != "-" && files.is_dir(path)
}
