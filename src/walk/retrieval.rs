//! The retrieval URLs of files (RFC 1808 §3.3) that do not stand in them: those that the user
//! gives, `--url` and `--url-map`, and the marks beside them.

use std::ffi::OsStr;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use percent_encoding::{AsciiSet, CONTROLS, percent_encode};

use crate::container::sidecar;
use crate::document::{Declaration, Place, Retrieval};

/// What RFC 1808 §2.2 does not allow in a path segment: everything but `pchar`.
/// Departs: `~`, there a `national` character, stands: RFC 3986 §2.3 and every server
/// have it so.
const NOT_PCHAR: &AsciiSet = &CONTROLS
    .add(b' ')
    .add(b'"')
    .add(b'#')
    .add(b'%')
    .add(b'/')
    .add(b';')
    .add(b'<')
    .add(b'>')
    .add(b'?')
    .add(b'[')
    .add(b'\\')
    .add(b']')
    .add(b'^')
    .add(b'`')
    .add(b'{')
    .add(b'|')
    .add(b'}');

/// Where files were retrieved from.
#[derive(Debug, Default)]
pub struct RetrievalUrls {
    url: Option<Arc<str>>,
    /// Longest directory last.
    maps: Vec<Map>,
    /// Whether the marks beside files are wanted.
    marks: bool,
}

#[derive(Debug)]
struct Map {
    written: Arc<str>,
    directory: PathBuf,
    url: String,
}

impl RetrievalUrls {
    /// From `--url` and the `--url-map`s, in the order given: of two for the same directory
    /// the later one counts.
    #[must_use]
    pub fn new(url: Option<String>, maps: Vec<(PathBuf, String)>) -> Self {
        let mut maps: Vec<Map> = maps
            .into_iter()
            .map(|(directory, url)| Map {
                written: directory.to_string_lossy().into(),
                directory: normal(&directory),
                url,
            })
            .collect();
        maps.sort_by_key(|map| map.directory.components().count());
        Self {
            url: url.map(Arc::from),
            maps,
            marks: false,
        }
    }

    /// With the marks beside files, if they are wanted.
    #[must_use]
    pub fn with_marks(self, marks: bool) -> Self {
        Self { marks, ..self }
    }

    /// What is declared for a file; `None` stands for standard input.
    #[must_use]
    pub fn declarations(&self, file: Option<&Path>) -> Vec<Declaration> {
        let marks = file
            .filter(|_| self.marks)
            .map(sidecar::declarations)
            .unwrap_or_default();
        let mapped = file.and_then(|file| self.mapped(&normal(file)));
        let given = self.url.as_ref().map(|url| Declaration {
            value: Arc::clone(url),
            at: Place::Retrieval(Retrieval::Url),
        });
        marks.into_iter().chain(mapped).chain(given).collect()
    }

    fn mapped(&self, file: &Path) -> Option<Declaration> {
        self.maps.iter().rev().find_map(|map| {
            let below = file.strip_prefix(&map.directory).ok()?;
            Some(Declaration {
                value: joined(&map.url, below).into(),
                at: Place::Retrieval(Retrieval::UrlMap(map.written.clone())),
            })
        })
    }
}

/// The URL with the path below it, each name percent-encoded; the URL ends with one `/`
/// before the first name.
fn joined(url: &str, below: &Path) -> String {
    let mut joined = url.to_owned();
    for name in below {
        if !joined.ends_with('/') {
            joined.push('/');
        }
        joined.extend(percent_encode(bytes(name).as_ref(), NOT_PCHAR));
    }
    joined
}

/// The path from the root, without `.` and, by name alone, without `..`: two spellings of
/// one place must compare equal, and a link must not lead elsewhere than its name says.
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

#[cfg(unix)]
fn bytes(name: &OsStr) -> impl AsRef<[u8]> + '_ {
    std::os::unix::ffi::OsStrExt::as_bytes(name)
}

#[cfg(not(unix))]
fn bytes(name: &OsStr) -> impl AsRef<[u8]> + '_ {
    name.to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(urls: &RetrievalUrls, file: &str) -> Vec<String> {
        urls.declarations(Some(Path::new(file)))
            .into_iter()
            .map(|declaration| declaration.value.to_string())
            .collect()
    }

    #[test]
    fn the_longest_directory_wins_on_whole_names() {
        let urls = RetrievalUrls::new(
            None,
            vec![
                ("site/docs".into(), "http://docs/".into()),
                ("./site".into(), "http://a/x".into()),
            ],
        );
        assert_eq!(values(&urls, "site/b.html"), ["http://a/x/b.html"]);
        assert_eq!(
            values(&urls, "site/./docs/c/d.html"),
            ["http://docs/c/d.html"]
        );
        assert_eq!(values(&urls, "site/docs-old/e"), ["http://a/x/docs-old/e"]);
        assert_eq!(values(&urls, "other/docs/../f"), [""; 0]);
    }

    #[test]
    fn names_are_percent_encoded_where_a_path_segment_cannot_hold_them() {
        let urls = RetrievalUrls::new(None, vec![(".".into(), "http://a/".into())]);
        assert_eq!(
            values(&urls, "a b/100%;x?#~é:@&=+$-_.!*'(),.html"),
            ["http://a/a%20b/100%25%3Bx%3F%23~%C3%A9:@&=+$-_.!*'(),.html"]
        );
    }

    #[test]
    fn a_file_has_the_url_given_for_all_and_that_of_its_map() {
        let urls = RetrievalUrls::new(
            Some("http://u/".into()),
            vec![("d".into(), "http://m/".into())],
        );
        assert_eq!(values(&urls, "d/x"), ["http://m/x", "http://u/"]);
        assert_eq!(urls.declarations(None).len(), 1);
    }
}
