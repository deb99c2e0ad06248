//! Snapshots by `ArchiveBox`: folders with several copies of one page, made by different tools.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::io::Read;
use std::path::{Path, PathBuf};

use memchr::memmem;

use baseref_files::{Files, Role};

/// The file in a snapshot that says how it was made.
const INDEX: &str = "index.json";

/// Keys of [`INDEX`] that name the copies, in versions 0.2 to 0.8.
const KEYS: [&[u8]; 2] = [b"\"dom_path\"", b"\"singlefile_path\""];

/// A key of the index of all snapshots, which has the keys of each, too.
const KEY_OF_COLLECTION: &[u8] = b"\"num_links\"";

/// The tool that made a copy of a page. Those that say more about what was saved come first: responses
/// with their URLs, a page with its resources in it, files whose links were rewritten, and the page alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum PageCopy {
    Warc,
    SingleFile,
    Wget,
    Dom,
}

impl PageCopy {
    const ALL: [Self; 4] = [Self::Warc, Self::SingleFile, Self::Wget, Self::Dom];

    /// The copy that a file belongs to, by its path below the snapshot; `None` for the pages that
    /// `ArchiveBox` itself made, for extracts of the text, and for media and repositories.
    fn from_path(below: &Path) -> Option<Self> {
        const OTHERS: [&str; 4] = ["readability", "mercury", "media", "git"];
        let mut names = below.iter();
        let first = names.next()?.to_str().unwrap_or_default();
        match (first, names.next()) {
            ("warc", Some(_)) => Some(Self::Warc),
            ("singlefile.html", None) => Some(Self::SingleFile),
            ("output.html", None) => Some(Self::Dom),
            (folder, Some(_)) if !OTHERS.contains(&folder) => Some(Self::Wget),
            _ => None,
        }
    }

    fn in_words(self) -> &'static str {
        match self {
            Self::Warc => "the WARC",
            Self::SingleFile => "singlefile.html",
            Self::Wget => "the files of wget",
            Self::Dom => "output.html",
        }
    }
}

/// The snapshots in a folder, each with the copy that stands for it.
#[derive(Debug, Default)]
pub struct Snapshots {
    folders: BTreeMap<PathBuf, Option<PageCopy>>,
}

impl Snapshots {
    /// The snapshots that these files belong to.
    #[must_use]
    pub fn new<'p>(paths: impl Iterator<Item = &'p Path> + Clone, files: &Files) -> Self {
        let indices = paths
            .clone()
            .filter(|path| path.file_name() == Some(OsStr::new(INDEX)));
        let indices = indices.filter(|path| is_snapshot(path, files));
        let folders = indices.filter_map(|index| Some((index.parent()?.to_owned(), None)));
        let mut snapshots = Self {
            folders: folders.collect(),
        };
        for path in paths {
            let Some((folder, copy)) = snapshots.copy(path) else {
                continue;
            };
            let folder = folder.to_owned();
            if let Some(best) = snapshots.folders.get_mut(&folder) {
                let is_better = |copy: &PageCopy| best.is_none_or(|best| *copy < best);
                *best = copy.filter(is_better).or(*best);
            }
        }
        snapshots
    }

    /// Whether a file of a snapshot belongs to another copy than the one that stands for it, or to none.
    #[must_use]
    pub fn leave_out(&self, path: &Path) -> bool {
        let copy = self.copy(path);
        copy.is_some_and(|(folder, copy)| copy.is_none() || self.folders.get(folder) != Some(&copy))
    }

    /// The snapshot of a file, and the copy that it belongs to.
    fn copy<'p>(&self, path: &'p Path) -> Option<(&'p Path, Option<PageCopy>)> {
        if self.folders.is_empty() {
            return None;
        }
        let mut above = path.ancestors().skip(1);
        let folder = above.find(|folder| self.folders.contains_key(*folder))?;
        let below = path.strip_prefix(folder).ok()?;
        Some((folder, PageCopy::from_path(below)))
    }

    /// What stands for the snapshots, in words: `2 from the WARC, 1 from output.html`; `None` if there are no
    /// snapshots.
    #[must_use]
    pub fn in_words(&self) -> Option<String> {
        let count =
            |copy: Option<PageCopy>| self.folders.values().filter(|one| **one == copy).count();
        let from = PageCopy::ALL.iter().map(|copy| {
            let from = format!("from {}", copy.in_words());
            (count(Some(*copy)), from)
        });
        let without = (count(None), "without a copy of the page".to_owned());
        let parts = from.chain([without]).filter(|(count, _)| *count > 0);
        let parts: Vec<String> = parts
            .map(|(count, from)| format!("{count} {from}"))
            .collect();
        (!parts.is_empty()).then(|| parts.join(", "))
    }
}

/// Whether an `index.json` is that of a snapshot.
fn is_snapshot(index: &Path, files: &Files) -> bool {
    /// The maximum number of bytes examined. What `ArchiveBox` writes is a few KiB long.
    const LONGEST: u64 = 1024 * 1024;
    /// Room for most files of that name.
    const USUAL: usize = 16 * 1024;
    // Without room, reading begins in small steps.
    let mut text = Vec::with_capacity(USUAL);
    let Ok(file) = files.open(index, Role::Document) else {
        return false;
    };
    let read = file.take(LONGEST).read_to_end(&mut text);
    let has = |key: &[u8]| memmem::find(&text, key).is_some();
    read.is_ok() && KEYS.iter().any(|key| has(key)) && !has(KEY_OF_COLLECTION)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The files of a snapshot that are read, of these.
    fn read<'n>(names: &[&'n str]) -> (Vec<&'n str>, Option<String>) {
        let folder = tempfile::tempdir().expect("a temporary folder is made");
        let root = folder.path();
        std::fs::write(
            root.join(INDEX),
            "{\"canonical\": {\"dom_path\": \"output.html\"}}",
        )
        .expect("the file is written");
        let paths: Vec<PathBuf> = names.iter().map(|name| root.join(name)).collect();
        let snapshots = Snapshots::new(paths.iter().map(PathBuf::as_path), &Files::default());
        let read = names
            .iter()
            .zip(&paths)
            .filter(|(_, path)| !snapshots.leave_out(path));
        (read.map(|(name, _)| *name).collect(), snapshots.in_words())
    }

    #[test]
    fn one_copy_stands_for_a_snapshot() {
        let mut names = vec![
            "index.html",
            "index.json",
            "output.html",
            "readability/content.html",
            "media/index.html",
            "x.example/a/b.html",
            "x.example/c.css",
            "singlefile.html",
            "warc/1.warc.gz",
        ];
        for (expected, from) in [
            (&["warc/1.warc.gz"][..], "1 from the WARC"),
            (&["singlefile.html"], "1 from singlefile.html"),
            (
                &["x.example/a/b.html", "x.example/c.css"],
                "1 from the files of wget",
            ),
            (&["output.html"], "1 from output.html"),
            (&[], "1 without a copy of the page"),
        ] {
            assert_eq!(read(&names), (expected.to_vec(), Some(from.to_owned())));
            names.retain(|name| !expected.contains(name));
        }
    }

    #[test]
    fn collection_is_no_snapshot() {
        let folder = tempfile::tempdir().expect("a temporary folder is made");
        let index = folder.path().join(INDEX);
        let text =
            "{\"num_links\": 1, \"links\": [{\"canonical\": {\"dom_path\": \"output.html\"}}]}";
        std::fs::write(&index, text).expect("the file is written");
        let snapshots = Snapshots::new([index.as_path()].into_iter(), &Files::default());
        assert_eq!(snapshots.in_words(), None);
    }

    #[test]
    fn folder_without_index_is_no_snapshot() {
        let names = ["index.html", "output.html"];
        assert_eq!(read(&names), (names.to_vec(), None));
    }
}
