//! What the author of a broken link may have meant.

use super::listing::{DirectoryId, FileId, Node, Tree};
use super::lookup::{Missing, decoded_names};
use super::spelling::fold_case;

/// The maximum number of suggestions.
const MOST: usize = 3;

/// The maximum number of names in a directory, or ids in a page, that are compared by edit
/// distance.
const COMPARED: usize = 4096;

/// The maximum edit distance between a name and a suggestion.
const DISTANCE: usize = 2;

/// Names longer than this are not compared by edit distance.
const LENGTH: usize = 128;

/// The files that may have been meant by a path that leads to none, most likely first, three at
/// most: another spelling, another extension, a misspelling, the only file of that name elsewhere.
///
/// The cost is bounded by 4096 comparisons of names of at most 128 bytes.
#[must_use]
pub fn suggestions(tree: &Tree, path: &str, missing: Missing) -> Vec<FileId> {
    let mut found = Found::default();
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
struct Found {
    files: Vec<FileId>,
}

impl Found {
    fn push(&mut self, file: FileId) {
        if self.files.len() < MOST && !self.files.contains(&file) {
            self.files.push(file);
        }
    }
}

fn in_directory(tree: &Tree, directory: DirectoryId, name: &[u8], found: &mut Found) {
    let Ok(name) = std::str::from_utf8(name) else {
        return;
    };
    let folded = fold_case(name);
    let files = || {
        tree.entries(directory)
            .take(COMPARED)
            .filter_map(|(name, node)| match node {
                Node::File(file) => Some((fold_case(std::str::from_utf8(name).ok()?), file)),
                _ => None,
            })
    };
    let mut near = Vec::new();
    for (other, file) in files() {
        if other == folded {
            found.push(file);
        } else if stem(&other) == stem(&folded) {
            near.push((1, file));
        } else if let Some(distance) = distance(&folded, &other) {
            near.push((1 + distance, file));
        }
    }
    near.sort_by_key(|(rank, _)| *rank);
    for (_, file) in near {
        found.push(file);
    }
}

fn stem(name: &str) -> &str {
    match name.rfind('.') {
        Some(dot) if dot > 0 => &name[..dot],
        _ => name,
    }
}

/// The edit distance between two names, if it is small both absolutely and relative to the name:
/// `b.html` is a misspelling of `a.html`, `b` is not one of `a`.
fn distance(a: &str, b: &str) -> Option<usize> {
    let longest = a.len().max(b.len());
    if a.len().abs_diff(b.len()) > 4 * DISTANCE || longest > LENGTH {
        return None;
    }
    let distance = strsim::osa_distance(a, b);
    (distance <= DISTANCE && 3 * distance <= longest).then_some(distance)
}

/// The id that may have been meant by a fragment without a match: the same in another case, else
/// the nearest by edit distance, the first of equals.
///
/// Only the first 4096 ids are compared.
#[must_use]
pub fn nearest_id<'i>(
    fragment: &str,
    ids: impl Iterator<Item = &'i str> + Clone,
) -> Option<&'i str> {
    let folded = fold_case(fragment);
    if let Some(same) = ids.clone().find(|id| fold_case(id) == folded) {
        return Some(same);
    }
    let near = ids
        .take(COMPARED)
        .filter_map(|id| Some((distance(&folded, &fold_case(id))?, id)));
    near.min_by_key(|(distance, _)| *distance).map(|(_, id)| id)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::hosting::Hosting;
    use crate::site::listing::tests::made_up;
    use crate::site::lookup::{Lookup, lookup};

    fn suggested(paths: &[&str], path: &str) -> Vec<String> {
        let tree = made_up(paths);
        let found = lookup(&tree, &Hosting::default(), path, encoding_rs::UTF_8);
        let Lookup::Missing(missing) = found else {
            panic!("{path} is {found:?}");
        };
        let files = suggestions(&tree, path, missing);
        let shown = |file| tree.file_path(file).display().to_string();
        files.into_iter().map(shown).collect()
    }

    #[test]
    fn another_spelling_extension_misspelling_or_folder_is_suggested() {
        let paths = [
            "a.html",
            "guide.md",
            "guides.html",
            "deep/only.html",
            "x/same",
            "y/same",
        ];
        assert_eq!(suggested(&paths, "b.html"), ["a.html"]);
        assert_eq!(suggested(&paths, "a"), ["a.html"]);
        assert_eq!(suggested(&paths, "Guide.html"), ["guide.md", "guides.html"]);
        assert_eq!(suggested(&paths, "only.html"), ["deep/only.html"]);
        assert_eq!(suggested(&paths, "gone/only.html"), ["deep/only.html"]);
        assert_eq!(suggested(&paths, "same"), [""; 0]);
        assert_eq!(suggested(&paths, "entirely-different.html"), [""; 0]);
    }

    #[test]
    fn the_nearest_id_is_the_same_in_other_case_first() {
        let ids = ["instal", "Install", "installed"];
        assert_eq!(nearest_id("install", ids.into_iter()), Some("Install"));
        assert_eq!(nearest_id("instalk", ids.into_iter()), Some("instal"));
        assert_eq!(nearest_id("overview", ids.into_iter()), None);
    }
}
