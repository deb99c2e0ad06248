//! The addresses that folders without a `--url-map` give themselves: in `CNAME`, in their sitemap, in the
//! canonical links of their pages, by their names.

use std::collections::BTreeMap;
use std::io::{Cursor, Read};

use baseref_container::{Format, Input, Reader};
use baseref_document::link_places::{Classes, Namespace};
use baseref_document::{Document, Limits, MetadataElement, ReadOptions};
use baseref_files::{Files, Role, name_bytes};
use baseref_reader::read;
use baseref_resolve::parts;
use baseref_site::hosting::Hosting;
use baseref_site::listing::{FileId, Node, Tree};
use baseref_site::lookup::{Lookup, lookup};
use baseref_site::map::SiteMap;
use baseref_walk::normal;
use memchr::{memchr, memchr_iter, memmem};

use crate::model::site_file::is_html_name;
use crate::serving::own_address::OwnAddress;

/// The maximum number of pages whose canonical links are read, evenly spread over a tree.
const MOST_PAGES: usize = 32;

/// How much of a page is read for its canonical link, which is in the head, in bytes.
const REACH: usize = 64 * 1024;

/// The maximum number of addresses of a sitemap that are looked up.
const MOST_ENTRIES: usize = 256;

/// The maximum number of sitemaps that are read.
const MOST_SITEMAPS: usize = 8;

/// The most folders in the path of an address.
const DEEPEST: usize = 4;

/// The addresses of all sites whose address the user did not give.
pub(super) fn own_addresses(map: &SiteMap, files: &Files) -> Vec<OwnAddress> {
    let sites = map.sites().iter().enumerate();
    let unplaced = sites.filter(|(_, site)| site.is_unplaced());
    let addresses = unplaced.flat_map(|(site, found)| {
        let tree = &found.tree;
        let mut named = BTreeMap::<String, Vec<&str>>::new();
        if let Some(url) = by_cname(tree, files) {
            named.entry(url).or_default().push("CNAME");
        }
        if let Some(url) = by_sitemap(tree, files) {
            named.entry(url).or_default().push("its sitemap");
        }
        if let Some(url) = by_canonical_links(tree, files) {
            named.entry(url).or_default().push("its canonical links");
        }
        if named.is_empty()
            && let Some(url) = by_name(tree)
        {
            named.entry(url).or_default().push("its name");
        }
        let of_root = named.into_iter().map(move |(url, named_by)| OwnAddress {
            site,
            url,
            folder: String::new(),
            named_by,
        });
        let hosts = host_folders(tree).into_iter().map(move |host| OwnAddress {
            site,
            url: format!("http://{}/", host.replace('+', ":")),
            folder: format!("{host}/"),
            named_by: Vec::new(),
        });
        of_root.chain(hosts)
    });
    addresses.collect()
}

/// The folders at the root of a tree whose names can only be host names.
pub(super) fn host_folders(tree: &Tree) -> Vec<String> {
    let entries = tree.entries(tree.top());
    let folders = entries.filter(|(_, node)| matches!(node, Node::Directory(_)));
    let names = folders.filter_map(|(name, _)| std::str::from_utf8(name).ok());
    names
        .filter(|name| is_host(name))
        .map(str::to_owned)
        .collect()
}

/// Whether the name of a folder is one that a mirror gives to a host: a domain below a public suffix, or
/// an IP address, maybe with a port.
pub(super) fn is_host(name: &str) -> bool {
    let (host, port) = name.rsplit_once([':', '+']).unwrap_or((name, "0"));
    // RFC 6761 and RFC 2606: top-level domains that are not in the Public Suffix List.
    let is_reserved = [
        ".example",
        ".test",
        ".invalid",
        ".localhost",
        ".local",
        ".internal",
    ]
    .iter()
    .any(|end| {
        host.strip_suffix(end)
            .is_some_and(|label| !label.is_empty())
    });
    port.bytes().all(|b| b.is_ascii_digit())
        && host.contains('.')
        && (baseref_hosts::is_ip(host) || baseref_hosts::is_registrable(host) || is_reserved)
}

fn read(tree: &Tree, name: &str, files: &Files) -> Option<Vec<u8>> {
    let file = tree.file_at(name.as_ref())?;
    let path = tree.root().join(tree.file_path(file));
    files.read(&path, Role::Document).ok()
}

/// GitHub Pages reads the host of a site there.
fn by_cname(tree: &Tree, files: &Files) -> Option<String> {
    let bytes = read(tree, "CNAME", files)?;
    let text = std::str::from_utf8(&bytes).ok()?;
    let host = text.split_ascii_whitespace().next()?.to_ascii_lowercase();
    is_host(&host).then(|| format!("https://{host}/"))
}

/// The address of the sitemap's entries: the one below which most entries are files.
fn by_sitemap(tree: &Tree, files: &Files) -> Option<String> {
    let mut entries = sitemaps_in_robots(tree, files);
    let mut names = vec!["sitemap.xml".to_owned()];
    names.extend(entries.iter().filter_map(|url| file_of(tree, url)));
    let mut number = 0;
    while let Some(name) = names
        .get(number)
        .filter(|_| number < MOST_SITEMAPS)
        .cloned()
    {
        number += 1;
        let found = entries_of(tree, &name, files);
        // The entries of an index are sitemaps.
        let more = found.iter().filter(|url| url.contains(".xml"));
        for name in more
            .take(MOST_SITEMAPS)
            .filter_map(|url| file_of(tree, url))
        {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        entries.extend(found);
    }
    let hosting = lenient();
    let mut found = BTreeMap::<&str, usize>::new();
    for entry in &entries {
        for (address, rest) in splits(entry) {
            let target = lookup(tree, &hosting, rest, encoding_rs::UTF_8);
            if matches!(target, Lookup::File(_)) {
                *found.entry(address).or_default() += 1;
            }
        }
    }
    // Of several, the shortest: the root of the host has all files that a folder of it has.
    let best = found
        .into_iter()
        .rev()
        .max_by_key(|(address, files)| (*files, std::cmp::Reverse(address.len())));
    let (address, files) = best?;
    (files * 2 > entries.len()).then(|| address.to_owned())
}

/// The sitemaps that `robots.txt` names.
fn sitemaps_in_robots(tree: &Tree, files: &Files) -> Vec<String> {
    let bytes = read(tree, "robots.txt", files).unwrap_or_default();
    let text = String::from_utf8_lossy(&bytes);
    let lines = text.lines().filter_map(|line| line.split_once(':'));
    let lines = lines.filter(|(name, _)| name.trim().eq_ignore_ascii_case("sitemap"));
    let urls = lines.map(|(_, url)| url.trim().to_owned());
    urls.take(MOST_SITEMAPS).collect()
}

/// The first entries of a sitemap of the tree.
fn entries_of(tree: &Tree, name: &str, files: &Files) -> Vec<String> {
    let mut entries = Vec::new();
    let Some(bytes) = read(tree, name, files) else {
        return entries;
    };
    each_document(name, bytes, |document| {
        let references = document.references.iter();
        let entry = references
            .filter(|one| one.slot.namespace == Namespace::Sitemap && one.slot.element == "loc");
        entries.extend(
            entry
                .take(MOST_ENTRIES)
                .map(|one| one.value.trim().to_owned()),
        );
    });
    entries
}

/// The path below the root of the file of a URL, whatever part of the host the tree is.
fn file_of(tree: &Tree, url: &str) -> Option<String> {
    let mut splits = splits(url).into_iter();
    splits.find_map(
        |(_, rest)| match lookup(tree, &lenient(), rest, encoding_rs::UTF_8) {
            Lookup::File(hit) => tree.file_path(hit.file).into_os_string().into_string().ok(),
            _ => None,
        },
    )
}

/// The address that most canonical links give, if each is the address of its own page.
fn by_canonical_links(tree: &Tree, files: &Files) -> Option<String> {
    let pages: Vec<FileId> = tree
        .files()
        .filter(|file| is_html_name(tree.file_name(*file)))
        .collect();
    let step = pages.len().div_ceil(MOST_PAGES).max(1);
    let mut addresses = BTreeMap::<String, u64>::new();
    let mut links = 0;
    for page in pages.into_iter().step_by(step) {
        let path = tree.root().join(tree.file_path(page));
        // Without room, a few bytes would be read first, then twice as many, and so on.
        let mut bytes = Vec::with_capacity(REACH);
        let file = files.open(&path, Role::Document);
        let read = file.and_then(|file| file.take(REACH as u64).read_to_end(&mut bytes));
        if read.is_err() {
            continue;
        }
        if let Some(url) = canonical_link_in(&path.to_string_lossy(), bytes) {
            links += 1;
            if let Some(address) = address_of_page(tree, page, &url) {
                *addresses.entry(address).or_default() += 1;
            }
        }
    }
    let (address, pages) = addresses.into_iter().max_by_key(|(_, pages)| *pages)?;
    // A single page may be a copy of one elsewhere.
    (pages >= 2 && pages * 2 > links).then_some(address)
}

/// The canonical link of a page, given its bytes. It is in the head, so most of a page is not read for it,
/// and nothing of a page that never says `canonical`. A `rel` written with character references, or with
/// capitals after a small letter, is therefore not found, which only leaves one page fewer to infer the
/// address from.
fn canonical_link_in(name: &str, bytes: Vec<u8>) -> Option<String> {
    let read = |bytes: Vec<u8>| {
        let mut canonical = None;
        each_document(name, bytes, |document| {
            canonical = canonical.take().or_else(|| canonical_link(document));
        });
        canonical
    };
    // UTF-16 has bytes of zero.
    if memchr(0, &bytes).is_none() {
        const NAME: &[u8] = b"canonical";
        let mut capitals = memchr_iter(b'C', &bytes);
        let is_name = |at: &usize| {
            let word = bytes.get(*at..at + NAME.len());
            word.is_some_and(|word| word.eq_ignore_ascii_case(NAME))
        };
        let at = memmem::find(&bytes, NAME).or_else(|| capitals.find(is_name))?;
        let end = memchr(b'>', &bytes[at..])?;
        let canonical = read(bytes[..=at + end].to_vec());
        if canonical.is_some() {
            return canonical;
        }
    }
    read(bytes)
}

fn canonical_link(document: &Document) -> Option<String> {
    let mut elements = document.metadata_elements.iter();
    let element = elements.find(|element| MetadataElement::is_canonical(element))?;
    let mut references = document.references.range(element.references.clone());
    let reference = references.find(|reference| reference.slot.is_own_address)?;
    let url = reference.value.trim();
    is_of_the_web(url).then(|| url.to_owned())
}

/// The address of the tree if a page of it has this URL, under any hosting.
fn address_of_page(tree: &Tree, page: FileId, url: &str) -> Option<String> {
    let url = url.split(['?', '#']).next()?;
    let splits = splits(url).into_iter();
    let mut found = splits.filter(|(_, rest)| {
        let target = lookup(tree, &lenient(), rest, encoding_rs::UTF_8);
        matches!(target, Lookup::File(hit) if hit.file == page)
    });
    found.next().map(|(address, _)| address.to_owned())
}

/// A URL, divided at each of its first slashes.
fn splits(url: &str) -> Vec<(&str, &str)> {
    if !is_of_the_web(url) {
        return Vec::new();
    }
    let start = parts::origin(url).len();
    let slashes = url[start..].match_indices('/').take(DEEPEST + 1);
    let ends = slashes.map(|(at, _)| start + at + 1);
    ends.map(|end| url.split_at(end)).collect()
}

fn is_of_the_web(url: &str) -> bool {
    (parts::has_scheme(url, "http") || parts::has_scheme(url, "https")) && parts::has_host(url)
}

/// The name of the folder itself, as wget gives it.
fn by_name(tree: &Tree) -> Option<String> {
    let path = normal(tree.root());
    let name = name_bytes(path.file_name()?);
    let name = std::str::from_utf8(name.as_ref()).ok()?;
    is_host(name).then(|| format!("http://{}/", name.replace('+', ":")))
}

/// A server that answers a URL in every way that some server does.
fn lenient() -> Hosting {
    Hosting {
        extensions: vec![".html".to_owned()],
        slash_extension: true,
        ..Hosting::default()
    }
}

/// Reads the documents of a file.
///
/// Departs: the audit reads the same files again, because how it reads them depends on the address.
/// There are at most [`MOST_PAGES`] of them, and [`MOST_SITEMAPS`].
fn each_document(name: &str, bytes: Vec<u8>, mut each: impl FnMut(&Document)) {
    let input = Input {
        name: name.into(),
        size: Some(bytes.len() as u64),
        reader: Reader::Seekable(Box::new(Cursor::new(bytes))),
        format: None,
        format_of_name: Format::from_name(name.as_ref()),
        named: true,
        declarations: Vec::new(),
    };
    let Ok(opened) = baseref_container::open(input, &Limits::default()) else {
        return;
    };
    let Some(mut entity) = opened.into_entities().flatten().next() else {
        return;
    };
    let bytes = std::mem::take(&mut entity.bytes);
    let options = ReadOptions::default()
        .with_classes(Classes::ALL)
        .with_text(false)
        .with_positions(false)
        .with_metadata_elements(true);
    read::documents_in(&bytes, entity, &options, &mut |found| {
        if let Ok(document) = found {
            each(&document);
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use baseref_site::virtual_site::virtual_site;

    #[test]
    fn canonical_link_by_the_bytes_of_a_page() {
        let head = "<!DOCTYPE html><!-- canonical --><title>canonical</title>";
        for (link, expected) in [
            ("<link rel=canonical href=http://a.example/>", true),
            ("<LINK HREF='http://a.example/' REL='CaNonical'>", true),
            (
                "<link rel=canonical title='a>b' href=http://a.example/>",
                true,
            ),
            ("<link rel=next href=http://a.example/>", false),
            ("", false),
        ] {
            let page = format!("{head}{link}<p>x");
            let marked = format!("\u{feff}{page}");
            let utf16: Vec<u8> = marked.encode_utf16().flat_map(u16::to_le_bytes).collect();
            for bytes in [page.into_bytes(), utf16] {
                let found = canonical_link_in("a.html", bytes);
                let expected = expected.then_some("http://a.example/");
                assert_eq!(found.as_deref(), expected, "{link}");
            }
        }
    }

    #[test]
    fn folders_of_hosts_by_their_names() {
        for name in [
            "www.example.org",
            "old.example",
            "192.0.2.7",
            "a.example.com:8080",
            "a.co.uk+80",
        ] {
            assert!(is_host(name), "{name}");
        }
        for name in [
            "docs",
            "v1.0",
            "index.html",
            "a.example.com:x",
            ".example",
            "jquery.js",
        ] {
            assert!(!is_host(name), "{name}");
        }
    }

    #[test]
    fn address_from_the_url_of_a_page() {
        let tree = virtual_site(&["index.html", "a.html", "docs/index.html", "docs/b.html"]);
        let file = |path: &str| tree.file_at(path.as_ref()).expect("the file is there");
        for (page, url, address) in [
            (
                "index.html",
                "https://h.example/",
                Some("https://h.example/"),
            ),
            (
                "index.html",
                "https://h.example/p/",
                Some("https://h.example/p/"),
            ),
            (
                "a.html",
                "https://h.example/p/a",
                Some("https://h.example/p/"),
            ),
            (
                "docs/index.html",
                "https://h.example/docs",
                Some("https://h.example/"),
            ),
            (
                "docs/b.html",
                "https://h.example/docs/b/?x#y",
                Some("https://h.example/"),
            ),
            ("docs/b.html", "https://h.example/b.html", None),
            ("a.html", "/a.html", None),
        ] {
            assert_eq!(
                address_of_page(&tree, file(page), url).as_deref(),
                address,
                "{url}"
            );
        }
    }
}
