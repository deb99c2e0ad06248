//! Likely targets of a broken link.

use super::listing::{DirectoryId, FileId, Node, Tree};
use super::lookup::{Missing, decoded_names};
use super::near::{NameIndex, NameKind};
use baseref_document::Identifiers;

/// The maximum number of suggestions.
const MOST: usize = 3;

/// The extensions of compressed files.
const PACKED: [&[u8]; 3] = [b".gz", b".br", b".zst"];

/// The files that a path to a missing file may mean, most likely first, three at most: the compressed
/// file, another spelling, another extension, a misspelling, the only file with that name elsewhere.
///
/// The first call for a directory indexes its names; the cost of each call does not depend on their
/// number.
#[must_use]
pub fn suggestions(tree: &Tree, path: &str, missing: Missing) -> Vec<FileId> {
    let mut found = Suggestions::default();
    let mut names = decoded_names(path).skip(missing.name);
    let Some(name) = names.next() else {
        return found.files;
    };
    let last = names.last();
    if last.is_none() {
        in_directory(tree, missing.directory, &name, &mut found);
    }
    let basename = last.as_deref().unwrap_or(&name);
    if let Some(file) = tree.only_file_named(basename) {
        found.push(file);
    }
    found.files
}

#[derive(Default)]
struct Suggestions {
    files: Vec<FileId>,
}

impl Suggestions {
    fn push(&mut self, file: FileId) {
        if self.files.len() < MOST && !self.files.contains(&file) {
            self.files.push(file);
        }
    }
}

fn in_directory(tree: &Tree, directory: DirectoryId, name: &[u8], found: &mut Suggestions) {
    for packed in PACKED {
        if let Some(Node::File(file)) = tree.exact(directory, &[name, packed].concat()) {
            found.push(file);
        }
    }
    let Ok(name) = std::str::from_utf8(name) else {
        return;
    };
    for file in tree.nearly(directory, name) {
        found.push(file);
    }
}

/// The ids of a page, indexed to find misspelt fragments.
#[derive(Debug)]
pub struct Ids {
    names: Identifiers,
    near: NameIndex,
}

impl Ids {
    /// Indexes the ids of a page.
    #[must_use]
    pub fn new(names: Identifiers) -> Self {
        let near = NameIndex::new(NameKind::Elements, names.iter().map(|(_, name)| name));
        Self { names, near }
    }

    /// The id that an unmatched fragment, percent-decoded, may mean: the same in another case or
    /// Unicode normalization, else the nearest by edit distance with the same digits; the first of
    /// equals.
    #[must_use]
    pub fn nearest(&self, fragment: &str) -> Option<&str> {
        let hits = self.near.find(fragment);
        self.names.get(hits.first()?.number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hosting::Hosting;
    use crate::lookup::{Lookup, lookup};
    use crate::virtual_site::virtual_site;
    use baseref_document::Naming;

    fn suggested(paths: &[&str], path: &str) -> Vec<String> {
        let tree = virtual_site(paths);
        let found = lookup(&tree, &Hosting::default(), path, encoding_rs::UTF_8);
        let Lookup::Missing(missing) = found else {
            panic!("{path} is {found:?}");
        };
        let files = suggestions(&tree, path, missing);
        let shown = |file| tree.file_path(file).display().to_string();
        files.into_iter().map(shown).collect()
    }

    #[test]
    fn suggestions_by_spelling_extension_and_folder() {
        let paths = [
            "a.html",
            "guide.md",
            "guides.html",
            "deep/only.html",
            "x/same",
            "y/same",
            "news.html.gz",
        ];
        assert_eq!(suggested(&paths, "news.html"), ["news.html.gz"]);
        assert_eq!(suggested(&paths, "b.html"), ["a.html"]);
        assert_eq!(suggested(&paths, "a"), ["a.html"]);
        assert_eq!(suggested(&paths, "Guide.html"), ["guide.md", "guides.html"]);
        assert_eq!(suggested(&paths, "only.html"), ["deep/only.html"]);
        assert_eq!(suggested(&paths, "gone/only.html"), ["deep/only.html"]);
        for other in ["same", "entirely-different.html"] {
            assert_eq!(suggested(&paths, other), [""; 0], "{other}");
        }
    }

    #[test]
    fn suggested_id_prefers_another_case() {
        let mut names = Identifiers::default();
        for name in ["instal", "Install", "installed", "os.path", "index-1"] {
            names.push(Naming::Id, name);
        }
        let ids = Ids::new(names);
        assert_eq!(ids.nearest("install"), Some("Install"));
        assert_eq!(ids.nearest("instalk"), Some("instal"));
        assert_eq!(ids.nearest("os.open"), None);
        assert_eq!(ids.nearest("index-19"), None);
        assert_eq!(ids.nearest("overview"), None);
    }
}
