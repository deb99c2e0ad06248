//! Finds the file of a URL path, given the hosting.

use std::borrow::Cow;

use encoding_rs::Encoding;
use percent_encoding::percent_decode_str;

use super::hosting::{Folder, Hosting};
use super::listing::{DirectoryId, FileId, Node, Tree};
use super::spelling::Spelling;

/// The file that answers, and how the host finds it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hit {
    /// The file.
    pub file: FileId,
    /// How the host finds it.
    pub route: Route,
    /// The loosest comparison needed for any segment of the path.
    pub spelling: Spelling,
    /// Whether parameters (`;v=1`) were removed from a segment to find it.
    pub parameters_cut: bool,
}

/// How a host finds the file of a URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Route {
    /// The URL names the file.
    File,
    /// The URL names a folder, with its slash: its index is served.
    Index,
    /// The URL names a folder without its slash: a redirect leads to its index.
    FolderRedirect,
    /// The URL names a folder without its slash: its index is served at that URL.
    FolderServe,
    /// The URL names the file without its extension.
    Extension,
}

/// The result of looking up a URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lookup {
    /// A file.
    File(Hit),
    /// A folder without an index.
    NoIndex {
        /// The folder.
        directory: DirectoryId,
        /// The loosest comparison needed for any segment of the path.
        spelling: Spelling,
    },
    /// Nothing.
    Missing(Missing),
    /// Nothing: no file can have this URL.
    Unmappable(Unmappable),
    /// It would be in a folder that could not be listed.
    NotKnown,
}

/// The part of a missing file's path that exists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Missing {
    /// The last existing directory of the path.
    pub directory: DirectoryId,
    /// The index of the first missing segment, 0-based, not counting empty segments.
    pub name: usize,
    /// Whether that segment names a symbolic link that leads nowhere.
    pub is_dangling: bool,
}

/// Why no file can have a URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unmappable {
    /// A decoded segment contains a slash or a NUL, or is `.` or `..`.
    Name,
    /// A symbolic link leads out of the tree.
    LinkOutside,
}

/// The segments of a URL path below the root of a site, and whether the path names a folder. Empty
/// segments are left out, because servers ignore them.
fn names(path: &str) -> (impl Iterator<Item = &str>, bool) {
    let is_folder = path.is_empty() || path.ends_with('/');
    // Names are short: a search with a set-up of its own costs more than it saves.
    let slash = |rest: &str| rest.bytes().position(|b| b == b'/');
    let mut rest = path;
    let names = std::iter::from_fn(move || {
        while let Some(after) = rest.strip_prefix('/') {
            rest = after;
        }
        let (name, after) = rest.split_at(slash(rest).unwrap_or(rest.len()));
        rest = after;
        (!name.is_empty()).then_some(name)
    });
    (names, is_folder)
}

/// The percent-decoded segments of a URL path, without empty ones.
pub fn decoded_names(path: &str) -> impl Iterator<Item = Cow<'_, [u8]>> {
    names(path).0.map(decoded)
}

fn decoded(name: &str) -> Cow<'_, [u8]> {
    if name.bytes().all(|b| b != b'%') {
        return Cow::Borrowed(name.as_bytes());
    }
    percent_decode_str(name).into()
}

/// Looks `path` up: the path of a URL below the root of the site, without query, fragment, dot
/// segments and the leading slash.
///
/// `encoding` is the encoding of the document that contains the URL.
#[must_use]
pub fn lookup(tree: &Tree, hosting: &Hosting, path: &str, encoding: &'static Encoding) -> Lookup {
    Walk::new(tree, hosting, Some(encoding)).look_up(path)
}

/// Whether `path` leads to a file by names that are spelled as in the URL; see [`lookup`].
///
/// It takes a fraction of the time for a name that is missing, since none like it is looked for.
#[must_use]
pub fn is_file_by_exact_names(tree: &Tree, hosting: &Hosting, path: &str) -> bool {
    let found = Walk::new(tree, hosting, None).look_up(path);
    matches!(found, Lookup::File(_))
}

/// Whether the bytes can be a single name in a file system.
fn is_name(bytes: &[u8], hosting: &Hosting) -> bool {
    let has_backslash = hosting.backslash_separates && bytes.contains(&b'\\');
    !(matches!(bytes, b"." | b"..") || bytes.iter().any(|b| matches!(b, b'/' | 0)) || has_backslash)
}

struct Walk<'t> {
    tree: &'t Tree,
    hosting: &'t Hosting,
    /// The encoding of the document; `None` if only names spelled exactly count.
    encoding: Option<&'static Encoding>,
    directory: DirectoryId,
    spelling: Spelling,
    parameters_cut: bool,
    /// Whether the latest entry is a symbolic link that leads nowhere.
    is_dangling: bool,
}

impl<'t> Walk<'t> {
    fn new(tree: &'t Tree, hosting: &'t Hosting, encoding: Option<&'static Encoding>) -> Self {
        Self {
            tree,
            hosting,
            encoding,
            directory: tree.top(),
            spelling: Spelling::Exact,
            parameters_cut: false,
            is_dangling: false,
        }
    }

    fn look_up(mut self, path: &str) -> Lookup {
        let (names, is_folder) = names(path);
        let mut names = names.enumerate().peekable();
        while let Some((number, name)) = names.next() {
            let bytes = decoded(name);
            if !is_name(&bytes, self.hosting) {
                return Lookup::Unmappable(Unmappable::Name);
            }
            let found = if names.peek().is_none() {
                let found = self.last(name, &bytes, is_folder);
                found.unwrap_or_else(|| self.missing(number))
            } else {
                match self.find(name, &bytes) {
                    Some(Node::Directory(directory)) => {
                        self.directory = directory;
                        continue;
                    }
                    Some(Node::Outside) => Lookup::Unmappable(Unmappable::LinkOutside),
                    Some(_) | None => self.missing(number),
                }
            };
            return found;
        }
        let index = self.index(self.directory, Route::Index);
        index.unwrap_or_else(|| self.no_index(self.directory))
    }

    /// The entry of a path segment in the current directory, literally or without its parameters.
    fn find(&mut self, name: &str, bytes: &[u8]) -> Option<Node> {
        if let Some(node) = self.closest(bytes) {
            return Some(node);
        }
        let (bare, _) = name.split_once(';').filter(|(bare, _)| !bare.is_empty())?;
        let node = self.closest(&decoded(bare))?;
        self.parameters_cut = true;
        Some(node)
    }

    fn entry(&self, directory: DirectoryId, name: &[u8]) -> Option<(Node, Spelling)> {
        match self.encoding {
            Some(encoding) => self.tree.closest(directory, name, encoding),
            None => Some((self.tree.exact(directory, name)?, Spelling::Exact)),
        }
    }

    fn closest(&mut self, bytes: &[u8]) -> Option<Node> {
        let (node, spelling) = self.entry(self.directory, bytes)?;
        self.spelling = self.spelling.max(spelling);
        self.is_dangling = node == Node::Dangling;
        Some(node)
    }

    /// Looks up the last segment of the path.
    fn last(&mut self, name: &str, bytes: &[u8], is_folder: bool) -> Option<Lookup> {
        let node = self.find(name, bytes);
        match node {
            Some(Node::File(file)) if !is_folder => Some(self.hit(file, Route::File)),
            Some(Node::Outside) => Some(Lookup::Unmappable(Unmappable::LinkOutside)),
            Some(Node::Directory(directory)) => self.folder(directory, bytes, is_folder),
            _ if !is_folder || self.hosting.slash_extension => self.extension(bytes),
            _ => None,
        }
    }

    fn folder(&mut self, directory: DirectoryId, bytes: &[u8], is_folder: bool) -> Option<Lookup> {
        let no_index = self.no_index(directory);
        if is_folder {
            return self
                .index(directory, Route::Index)
                .or_else(|| self.slash_extension(bytes))
                .or(Some(no_index));
        }
        // If `/file` is answered with `file.html`, that wins over the folder `file`.
        if let Some(page) = self.extension(bytes) {
            return Some(page);
        }
        match self.hosting.folder {
            Folder::NotFound => None,
            Folder::Redirect => self
                .index(directory, Route::FolderRedirect)
                .or(Some(no_index)),
            Folder::Serve => self.index(directory, Route::FolderServe).or(Some(no_index)),
        }
    }

    fn slash_extension(&mut self, bytes: &[u8]) -> Option<Lookup> {
        self.hosting
            .slash_extension
            .then(|| self.extension(bytes))
            .flatten()
    }

    fn index(&self, directory: DirectoryId, route: Route) -> Option<Lookup> {
        self.hosting.index.iter().find_map(|name| {
            let (node, spelling) = self.entry(directory, name.as_bytes())?;
            let is_same = spelling == Spelling::Exact || !self.hosting.case_sensitive;
            match node {
                Node::File(file) if is_same => Some(self.hit(file, route)),
                _ => None,
            }
        })
    }

    fn extension(&mut self, bytes: &[u8]) -> Option<Lookup> {
        let hosting = self.hosting;
        hosting.extensions.iter().find_map(|extension| {
            let name = [bytes, extension.as_bytes()].concat();
            let (node, spelling) = self.entry(self.directory, &name)?;
            let Node::File(file) = node else { return None };
            self.spelling = self.spelling.max(spelling);
            Some(self.hit(file, Route::Extension))
        })
    }

    fn hit(&self, file: FileId, route: Route) -> Lookup {
        Lookup::File(Hit {
            file,
            route,
            spelling: self.spelling,
            parameters_cut: self.parameters_cut,
        })
    }

    fn no_index(&self, directory: DirectoryId) -> Lookup {
        if self.tree.is_unlisted(directory) {
            return Lookup::NotKnown;
        }
        Lookup::NoIndex {
            directory,
            spelling: self.spelling,
        }
    }

    fn missing(&self, name: usize) -> Lookup {
        if self.tree.is_unlisted(self.directory) {
            return Lookup::NotKnown;
        }
        Lookup::Missing(Missing {
            directory: self.directory,
            name,
            is_dangling: self.is_dangling,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::virtual_site::virtual_site;

    fn tree() -> Tree {
        virtual_site(&[
            "index.html",
            "a.html",
            "Guide.html",
            "dir/index.html",
            "dir/d.html",
            "empty/",
            "caf\u{e9}.html",
            "sum/e\u{301}.html",
            "sp ace.html",
            "c#.csv",
            "both.html",
            "both/index.html",
            "noindex.html",
            "noindex/x.html",
            "x;v=1.html",
            "out -> ../elsewhere",
            "link -> dir",
            "gone -> dir/gone.html",
        ])
    }

    fn found_by(hosting: &Hosting, path: &str) -> String {
        let tree = tree();
        match lookup(&tree, hosting, path, encoding_rs::WINDOWS_1252) {
            Lookup::File(hit) => format!(
                "{} {:?} {}{}",
                tree.file_path(hit.file).display(),
                hit.route,
                hit.spelling.as_str(),
                if hit.parameters_cut { " cut" } else { "" },
            ),
            Lookup::NoIndex { .. } => "no index".to_owned(),
            Lookup::Missing(missing) if missing.is_dangling => {
                format!("dangling name {}", missing.name)
            }
            Lookup::Missing(missing) => format!("missing name {}", missing.name),
            Lookup::Unmappable(why) => format!("{why:?}"),
            Lookup::NotKnown => "not known".to_owned(),
        }
    }

    #[test]
    fn strict_hosting_adds_only_the_index() {
        for (path, expected) in [
            ("", "index.html Index exact"),
            ("a.html", "a.html File exact"),
            ("a", "missing name 0"),
            ("a.html/", "missing name 0"),
            ("a.html/x", "missing name 0"),
            ("dir/", "dir/index.html Index exact"),
            ("dir", "dir/index.html FolderRedirect exact"),
            ("dir//d.html", "dir/d.html File exact"),
            ("dir/nothing.html", "missing name 1"),
            ("empty/", "no index"),
            ("empty", "no index"),
            ("guide.html", "Guide.html File case"),
            ("caf%C3%A9.html", "caf\u{e9}.html File exact"),
            ("caf\u{e9}.html", "caf\u{e9}.html File exact"),
            ("caf%E9.html", "caf\u{e9}.html File charset"),
            ("sum/%C3%A9.html", "sum/e\u{301}.html File unicode"),
            ("sp%20ace.html", "sp ace.html File exact"),
            ("c%23.csv", "c#.csv File exact"),
            ("c%2523.csv", "missing name 0"),
            ("a.html;v=2", "a.html File exact cut"),
            ("x;v=1.html", "x;v=1.html File exact"),
            ("link/d.html", "dir/d.html File exact"),
            ("out/x", "LinkOutside"),
            ("out", "LinkOutside"),
            ("gone", "dangling name 0"),
            ("gone/x", "dangling name 0"),
            ("link/gone", "missing name 1"),
            ("dir%2Fd.html", "Name"),
            ("dir/%2e%2e/a.html", "Name"),
            ("a%00.html", "Name"),
        ] {
            assert_eq!(found_by(&Hosting::default(), path), expected, "{path}");
        }
    }

    #[test]
    fn hosting_overrides() {
        let hosting = Hosting {
            index: vec!["d.html".to_owned()],
            folder: Folder::NotFound,
            extensions: vec![".htm".to_owned(), ".html".to_owned()],
            ..Hosting::default()
        };
        assert_eq!(found_by(&hosting, "dir/"), "dir/d.html Index exact");
        assert_eq!(found_by(&hosting, "dir"), "missing name 0");
        assert_eq!(found_by(&hosting, "a"), "a.html Extension exact");
    }
}
