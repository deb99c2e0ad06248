//! The retrieval URLs of files (RFC 1808 §3.3) that are not in their content: from `--url`,
//! `--url-map`, and the sources that the file system records.

use std::collections::HashMap;
use std::io;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use percent_encoding::{AsciiSet, percent_encode};

use super::httrack;
use super::sidecar;
use baseref_document::{Declaration, Place, Retrieval};
use baseref_files::{Files, Role, name_bytes};
use baseref_resolve::segment::{NOT_PCHAR, NOT_QUERY, push_segment};

/// Where files were retrieved from.
#[derive(Debug, Default)]
pub struct RetrievalUrls {
    url: Option<Arc<str>>,
    /// Longest directory last.
    maps: Vec<Map>,
    /// Whether sources recorded by the file system are read.
    marks: bool,
}

/// Where the files below a directory were retrieved from.
#[derive(Debug)]
struct Map {
    written: Arc<str>,
    /// As given.
    given: PathBuf,
    /// In normal form.
    directory: PathBuf,
    to: RetrievalMapping,
    /// Whether a file below the directory was opened.
    is_used: AtomicBool,
}

#[derive(Debug)]
enum RetrievalMapping {
    /// Below this URL.
    Url(String),
    /// From any number of hosts, by this scheme: the first name is the host.
    Hosts(&'static str),
    /// From these URLs, by the paths below the directory.
    Listed(HashMap<PathBuf, String>),
}

impl RetrievalUrls {
    /// With the URL of `--url`, if given.
    #[must_use]
    pub fn new(url: Option<String>) -> Self {
        Self {
            url: url.map(Arc::from),
            ..Self::default()
        }
    }

    /// Whether all files have the same URL, given by `--url`.
    #[must_use]
    pub fn is_one(&self) -> bool {
        self.url.is_some() && self.maps.is_empty()
    }

    /// Maps files below the directory to URLs below `url`. Returns `false` if the directory is
    /// already mapped, since neither URL would then be right.
    #[must_use]
    pub fn add_map(&mut self, directory: &Path, url: String) -> bool {
        self.add(directory, RetrievalMapping::Url(url))
    }

    /// Maps files below the directory as a wget mirror, `HOST/PATH`, with that scheme. Returns
    /// `false` if the directory is already mapped.
    #[must_use]
    pub fn add_mirror(&mut self, directory: &Path, scheme: &'static str) -> bool {
        self.add(directory, RetrievalMapping::Hosts(scheme))
    }

    /// Maps files below the directory as the log of HTTrack says, which is kept there. Returns
    /// `false` if the directory is already mapped.
    ///
    /// # Errors
    /// If the log cannot be read.
    pub fn add_httrack(&mut self, directory: &Path, files: &Files) -> io::Result<bool> {
        let urls = httrack::urls(directory, files).map_err(|error| {
            let log = directory.join(httrack::LOG);
            let text = format!(
                "the log of HTTrack, {}, cannot be read: {error}",
                log.display()
            );
            io::Error::new(error.kind(), text)
        })?;
        Ok(self.add(directory, RetrievalMapping::Listed(urls)))
    }

    /// The URL of a file of a mirror; `None` stands for any other file.
    #[must_use]
    pub fn url_in_mirror(&self, file: &Path) -> Option<Arc<str>> {
        Some(self.mapped(file)?.value)
    }

    fn add(&mut self, directory: &Path, to: RetrievalMapping) -> bool {
        let written = directory.to_string_lossy().into();
        let given = directory.to_owned();
        let directory = normal(directory);
        if self.maps.iter().any(|map| map.directory == directory) {
            return false;
        }
        self.maps.push(Map {
            written,
            given,
            directory,
            to,
            is_used: AtomicBool::new(false),
        });
        self.maps
            .sort_by_key(|map| map.directory.components().count());
        true
    }

    /// Sets whether sources recorded by the file system are read.
    #[must_use]
    pub fn with_marks(self, marks: bool) -> Self {
        Self { marks, ..self }
    }

    /// The declarations for a file; `None` stands for standard input.
    #[must_use]
    pub fn declarations(&self, file: Option<&Path>, files: &Files) -> Vec<Declaration> {
        let marks = file
            .filter(|_| self.marks)
            .map(|file| sidecar::declarations(file, &|mark| files.open(mark, Role::Mark)))
            .unwrap_or_default();
        let mapped = file.and_then(|file| self.mapped(file));
        let given = self
            .url
            .as_ref()
            .map(|url| Declaration::new(Arc::clone(url), Place::Retrieval(Retrieval::Url)));
        marks.into_iter().chain(mapped).chain(given).collect()
    }

    fn mapped(&self, file: &Path) -> Option<Declaration> {
        // Nearly every audit has one directory, and finds its files by that name.
        if let [map] = &*self.maps
            && let Some(below) = below(file, &map.given)
        {
            return map.declaration(below);
        }
        if self.maps.is_empty() {
            return None;
        }
        let file = normal(file);
        self.maps.iter().rev().find_map(|map| {
            let below = file.strip_prefix(&map.directory).ok()?;
            map.declaration(below)
        })
    }

    /// The directories below which no file was opened, as given.
    pub fn unused(&self) -> impl Iterator<Item = &str> {
        let unused = self
            .maps
            .iter()
            .filter(|map| !map.is_used.load(Ordering::Relaxed));
        unused.map(|map| &*map.written)
    }
}

impl Map {
    /// The URL of the file at a path below the directory.
    fn declaration(&self, below: &Path) -> Option<Declaration> {
        self.is_used.store(true, Ordering::Relaxed);
        let url = match &self.to {
            RetrievalMapping::Url(url) => joined(url, below),
            RetrievalMapping::Hosts(scheme) => mirrored(scheme, below)?,
            RetrievalMapping::Listed(urls) => urls.get(below)?.clone(),
        };
        Some(Declaration::new(
            url,
            Place::Retrieval(Retrieval::UrlMap(self.written.clone())),
        ))
    }
}

/// The path of a file below a directory, if both are spelled alike and nothing in it leads up again.
fn below<'f>(file: &'f Path, directory: &Path) -> Option<&'f Path> {
    let below = file.strip_prefix(directory).ok()?;
    let leads_up = below.components().any(|name| name == Component::ParentDir);
    (!leads_up).then_some(below)
}

/// The URL that wget wrote to `HOST/PATH`; `None` for a file that is not below a host. Programs that
/// download from the Wayback Machine use the same names with other queries: waybackpack has them below
/// folders for the time of the capture, and wayback-machine-downloader names folders after them.
///
/// Source: GNU Wget Manual, "Directory Options" and `--restrict-file-names`. Departs: a name does
/// not show whether `index.html`, or `.html` after a query, was in the URL or was added by wget
/// (`--adjust-extension`); wget is assumed, as it usually did.
fn mirrored(scheme: &str, below: &Path) -> Option<String> {
    let mut names = below.iter();
    let mut host = names.next()?.to_str()?;
    if is_capture_time(host) {
        host = names.next()?.to_str()?;
    }
    let is_host =
        |byte: u8| byte.is_ascii_alphanumeric() || b".-_:+".contains(&byte) || byte >= 0x80;
    if !host.bytes().all(is_host) {
        return None;
    }
    let file = names.next_back()?;
    let mut url = format!("{scheme}://{}", host.replace('+', ":"));
    let mut in_query = false;
    for directory in names {
        url.push('/');
        let name = name_bytes(directory);
        let name = name.as_ref();
        let set = if in_query { NOT_QUERY } else { NOT_PCHAR };
        match name.iter().position(|byte| *byte == b'?') {
            Some(at) if !in_query => {
                in_query = true;
                push_encoded(&name[..at], NOT_PCHAR, &mut url);
                url.push('?');
                push_encoded(&name[at + 1..], NOT_QUERY, &mut url);
            }
            _ => push_encoded(name, set, &mut url),
        }
    }
    let file = name_bytes(file);
    if in_query {
        if file.as_ref() != b"index.html" {
            url.push('/');
            push_encoded(file.as_ref(), NOT_QUERY, &mut url);
        }
        return Some(url);
    }
    url.push('/');
    if let Some((name, query)) = escaped_query(file.as_ref()) {
        push_encoded(name, NOT_PCHAR, &mut url);
        url.push('?');
        push_encoded(&query, NOT_QUERY, &mut url);
        return Some(url);
    }
    let (name, query) = name_and_query(file.as_ref());
    if name != b"index.html" {
        push_encoded(name, NOT_PCHAR, &mut url);
    }
    if let Some(query) = query {
        url.push('?');
        push_encoded(query, NOT_QUERY, &mut url);
    }
    Some(url)
}

/// Whether a folder is named after the time of a capture: `20240301100000`.
#[must_use]
pub fn is_capture_time(name: &str) -> bool {
    name.len() == 14 && name.bytes().all(|byte| byte.is_ascii_digit())
}

/// The name and query of a file whose name has the characters of a query escaped.
///
/// Source: `wayback_machine_downloader.rb`, which writes `'%' + char.ord.to_s(16)`: in lower case, unlike
/// the escapes of URLs that wget keeps.
fn escaped_query(name: &[u8]) -> Option<(&[u8], Vec<u8>)> {
    const ESCAPES: [(&[u8], u8); 7] = [
        (b"%3a", b':'),
        (b"%2a", b'*'),
        (b"%3f", b'?'),
        (b"%26", b'&'),
        (b"%3d", b'='),
        (b"%3c", b'<'),
        (b"%3e", b'>'),
    ];
    let begin = name.windows(3).position(|escape| escape == b"%3f")?;
    let (name, mut rest) = name.split_at(begin);
    rest = &rest[3..];
    let mut query = Vec::with_capacity(rest.len());
    while let Some(byte) = rest.first() {
        let escape = ESCAPES.iter().find(|(escape, _)| rest.starts_with(escape));
        query.push(escape.map_or(*byte, |(_, byte)| *byte));
        rest = &rest[if escape.is_some() { 3 } else { 1 }..];
    }
    Some((name, query))
}

/// A query begins at the first `?`, or, where wget was told to write names valid on Windows, at the
/// first `@` followed by a `=`.
pub(super) fn name_and_query(name: &[u8]) -> (&[u8], Option<&[u8]>) {
    let question = name.iter().position(|&byte| byte == b'?');
    let at = || {
        let at = name.iter().position(|&byte| byte == b'@')?;
        name[at..].contains(&b'=').then_some(at)
    };
    let Some(begin) = question.or_else(at) else {
        return (name, None);
    };
    let query = &name[begin + 1..];
    (
        &name[..begin],
        Some(query.strip_suffix(b".html").unwrap_or(query)),
    )
}

/// Appends a name, percent-encoded; existing escapes are kept.
fn push_encoded(name: &[u8], set: &'static AsciiSet, url: &mut String) {
    let mut rest = name;
    while let Some(percent) = rest.iter().position(|&byte| byte == b'%') {
        let (before, after) = rest.split_at(percent);
        url.extend(percent_encode(before, set));
        let is_encoded = after.len() > 2 && after[1..3].iter().all(u8::is_ascii_hexdigit);
        url.push_str(if is_encoded { "%" } else { "%25" });
        rest = &after[1..];
    }
    url.extend(percent_encode(rest, set));
}

/// The URL with the path below it, each name percent-encoded, and one `/` before the first name.
fn joined(url: &str, below: &Path) -> String {
    let mut joined = url.to_owned();
    for name in below {
        if !joined.ends_with('/') {
            joined.push('/');
        }
        push_segment(name_bytes(name).as_ref(), &mut joined);
    }
    joined
}

/// The absolute path without `.` and `..`, removed lexically: two spellings of one place must
/// compare equal, and symbolic links are not resolved.
#[must_use]
pub fn normal(path: &Path) -> PathBuf {
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let mut normal = PathBuf::new();
    for component in absolute.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                normal.pop();
            }
            Component::Prefix(_) | Component::RootDir | Component::Normal(_) => {
                normal.push(component);
            }
        }
    }
    normal
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(urls: &RetrievalUrls, file: &str) -> Vec<String> {
        urls.declarations(Some(Path::new(file)), &Files::default())
            .into_iter()
            .map(|declaration| declaration.value.to_string())
            .collect()
    }

    fn with_maps(maps: &[(&str, &str)]) -> RetrievalUrls {
        let mut urls = RetrievalUrls::default();
        for (directory, url) in maps {
            assert!(urls.add_map(Path::new(directory), (*url).to_owned()));
        }
        urls
    }

    #[test]
    fn url_independent_of_path_spelling() {
        let here = std::env::current_dir().unwrap();
        for directory in ["site", "./site/", "other/../site"] {
            let urls = with_maps(&[(directory, "http://a/")]);
            for file in ["site/b/c.html", "./site/./b/c.html", "site/x/../b/c.html"] {
                assert_eq!(
                    values(&urls, file),
                    ["http://a/b/c.html"],
                    "{directory} {file}"
                );
                let absolute = here.join(file);
                assert_eq!(
                    values(&urls, absolute.to_str().unwrap()),
                    ["http://a/b/c.html"]
                );
            }
            assert_eq!(values(&urls, "site/../b.html"), [""; 0]);
        }
    }

    #[test]
    fn wget_mirror_urls() {
        let mut urls = RetrievalUrls::default();
        assert!(urls.add_mirror(Path::new("m"), "https"));
        for (file, url) in [
            ("m/a.org/index.html", "https://a.org/"),
            ("m/a.org/b/index.html", "https://a.org/b/"),
            ("m/a.org/b/c d.html", "https://a.org/b/c%20d.html"),
            ("m/b.org:8080/x", "https://b.org:8080/x"),
            ("m/b.org+8080/x", "https://b.org:8080/x"),
            ("m/a.org/p.php?id=3", "https://a.org/p.php?id=3"),
            (
                "m/a.org/p.php?id=3&u=%2Fx.html",
                "https://a.org/p.php?id=3&u=%2Fx",
            ),
            ("m/a.org/p.php@id=3.html", "https://a.org/p.php?id=3"),
            ("m/a.org/index.html?C=M;O=A", "https://a.org/?C=M;O=A"),
            ("m/a.org/me@home.html", "https://a.org/me@home.html"),
            ("m/a.org/100%", "https://a.org/100%25"),
            (
                "m/a.org/p.php%3fid%3d3%26u%3dx",
                "https://a.org/p.php?id=3&u=x",
            ),
            ("m/a.org/a%3Fb", "https://a.org/a%3Fb"),
            ("m/a.org/s?x=1/index.html", "https://a.org/s?x=1"),
            ("m/20240301100000/a.org/b/index.html", "https://a.org/b/"),
        ] {
            assert_eq!(values(&urls, file), [url], "{file}");
        }
        for file in ["m/robots.txt", "m/not a host/x", "n/a.org/x"] {
            assert_eq!(values(&urls, file), [""; 0], "{file}");
        }
    }

    #[test]
    fn directory_mapped_once() {
        let mut urls = with_maps(&[("a", "http://a/"), ("b", "http://b/")]);
        assert!(!urls.add_mirror(Path::new("./x/../a/"), "http"));
        assert_eq!(urls.unused().collect::<Vec<_>>(), ["a", "b"]);
        values(&urls, "b/c");
        assert_eq!(urls.unused().collect::<Vec<_>>(), ["a"]);
    }

    #[test]
    fn longest_mapped_directory_wins() {
        let urls = with_maps(&[("site/docs", "http://docs/"), ("./site", "http://a/x")]);
        assert_eq!(values(&urls, "site/b.html"), ["http://a/x/b.html"]);
        assert_eq!(
            values(&urls, "site/./docs/c/d.html"),
            ["http://docs/c/d.html"]
        );
        assert_eq!(values(&urls, "site/docs-old/e"), ["http://a/x/docs-old/e"]);
        assert_eq!(values(&urls, "other/docs/../f"), [""; 0]);
    }

    #[test]
    fn names_percent_encoded() {
        let urls = with_maps(&[(".", "http://a/")]);
        assert_eq!(
            values(&urls, "a b/100%;x?#~é:@&=+$-_.!*'(),.html"),
            ["http://a/a%20b/100%25%3Bx%3F%23~%C3%A9:@&=+$-_.!*'(),.html"]
        );
    }

    #[test]
    fn url_and_map_combined() {
        let mut urls = RetrievalUrls::new(Some("http://u/".into()));
        assert!(urls.add_map(Path::new("d"), "http://m/".into()));
        assert_eq!(values(&urls, "d/x"), ["http://m/x", "http://u/"]);
        assert_eq!(urls.declarations(None, &Files::default()).len(), 1);
    }
}
