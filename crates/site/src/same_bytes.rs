//! Files that were moved: the only file of a tree with the bytes of a file of an earlier tree.

use std::collections::HashMap;
use std::hash::{BuildHasher as _, Hasher as _};
use std::io::{self, Read as _};
use std::path::Path;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use baseref_files::{Files, Role};
use foldhash::fast::{FixedState, RandomState};

use super::listing::{FileId, Tree};

/// How many bytes are read at once.
const CHUNK: usize = 1 << 16;

/// Compares the files of two states of a site by their bytes.
///
/// The sizes of all files are asked for when the first file is looked for. Only files of equal size are
/// read, each once.
#[derive(Debug, Default)]
pub struct SameBytes {
    sizes: OnceLock<[Sizes; 2]>,
    /// The files of each size that was looked for.
    of_size: Mutex<HashMap<u64, Arc<OfSize>, RandomState>>,
}

/// The files of one size.
#[derive(Debug)]
struct OfSize {
    /// The digests of the old ones.
    old: HashMap<FileId, Digest, RandomState>,
    /// How many old files have a digest.
    old_count: HashMap<Digest, usize, RandomState>,
    /// The new file with a digest; `None` if there are several.
    new: HashMap<Digest, Option<FileId>, RandomState>,
}

/// The files of a tree by their sizes.
type Sizes = HashMap<u64, Vec<FileId>, RandomState>;

/// Two hashes of the bytes of a file.
type Digest = (u64, u64);

/// Two states of a site.
#[derive(Clone, Copy)]
pub struct TwoTrees<'t> {
    /// The earlier state.
    pub old: &'t Tree,
    /// The present state.
    pub new: &'t Tree,
    /// Opens the files of both.
    pub files: &'t Files,
}

impl TwoTrees<'_> {
    fn sizes(self) -> [Sizes; 2] {
        [self.old, self.new].map(|tree| {
            let mut sizes = Sizes::default();
            for file in tree.files() {
                let path = tree.root().join(tree.file_path(file));
                if let Ok(size) = self.files.size(&path) {
                    sizes.entry(size).or_default().push(file);
                }
            }
            sizes
        })
    }
}

impl SameBytes {
    /// The only file of the new tree with the bytes of `file` of the old tree. There is none for a blank
    /// file, and none if the old tree has several files with these bytes: they say nothing about where
    /// each went.
    #[must_use]
    pub fn moved(&self, trees: TwoTrees<'_>, file: FileId) -> Option<FileId> {
        let [old, new] = self.sizes.get_or_init(|| trees.sizes());
        let path = trees.old.root().join(trees.old.file_path(file));
        let size = trees.files.size(&path).ok()?;
        let (old, new) = (old.get(&size)?, new.get(&size)?);
        let mut all = self.of_size.lock().unwrap_or_else(PoisonError::into_inner);
        let known = all
            .entry(size)
            .or_insert_with(|| Arc::new(OfSize::read(trees, old, new)));
        let known = Arc::clone(known);
        drop(all);
        let wanted = known.old.get(&file)?;
        let is_only = known.old_count.get(wanted) == Some(&1);
        known.new.get(wanted).copied().flatten().filter(|_| is_only)
    }
}

impl OfSize {
    /// Reads the files; those that are blank or cannot be read are left out.
    fn read(trees: TwoTrees<'_>, old: &[FileId], new: &[FileId]) -> Self {
        let digest = |tree: &Tree, file: FileId| {
            let path = tree.root().join(tree.file_path(file));
            digest(&path, trees.files).ok().flatten()
        };
        let mut found = Self {
            old: HashMap::default(),
            old_count: HashMap::default(),
            new: HashMap::default(),
        };
        for file in old {
            if let Some(digest) = digest(trees.old, *file) {
                found.old.insert(*file, digest);
                *found.old_count.entry(digest).or_default() += 1;
            }
        }
        for file in new {
            if let Some(digest) = digest(trees.new, *file) {
                let only = found.new.entry(digest);
                only.and_modify(|only| *only = None).or_insert(Some(*file));
            }
        }
        found
    }
}

/// `None` if the file is blank.
fn digest(path: &Path, files: &Files) -> io::Result<Option<Digest>> {
    let mut file = files.open(path, Role::Document)?;
    let mut hashers = [1808, 3986].map(|seed| FixedState::with_seed(seed).build_hasher());
    let mut chunk = vec![0; CHUNK];
    let mut is_blank = true;
    loop {
        // Chunks are filled, so that equal files are hashed in equal pieces.
        let mut length = 0;
        while length < CHUNK {
            match file.read(&mut chunk[length..])? {
                0 => break,
                more => length += more,
            }
        }
        let bytes = &chunk[..length];
        is_blank &= bytes.iter().all(u8::is_ascii_whitespace);
        for hasher in &mut hashers {
            hasher.write(bytes);
        }
        if length < CHUNK {
            let [first, second] = hashers.map(|hasher| hasher.finish());
            return Ok((!is_blank).then_some((first, second)));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use tempfile::TempDir;

    use super::*;
    use crate::listing::FileSystem;

    fn tree(files: &[(&str, &str)]) -> TempDir {
        let dir = TempDir::new().expect("a temporary folder is made");
        for (path, text) in files {
            let path = dir.path().join(path);
            fs::create_dir_all(path.parent().expect("it is in a folder")).expect("it is made");
            fs::write(path, text).expect("it is written");
        }
        dir
    }

    fn moved(old: &[(&str, &str)], new: &[(&str, &str)], path: &str) -> Option<String> {
        let files = Files::default();
        let (old_dir, new_dir) = (tree(old), tree(new));
        let read = |dir: &TempDir| Tree::read(dir.path(), &FileSystem(&files));
        let (old, new) = (read(&old_dir), read(&new_dir));
        let (old, new) = (old.expect("it is listed"), new.expect("it is listed"));
        let trees = TwoTrees {
            old: &old,
            new: &new,
            files: &files,
        };
        let file = old.file_at(Path::new(path)).expect("the old tree has it");
        let found = SameBytes::default().moved(trees, file)?;
        Some(new.file_path(found).display().to_string())
    }

    #[test]
    fn only_file_with_the_bytes() {
        let old = [("a.png", "image"), ("b.png", "other")];
        let new = [
            ("img/x.png", "image"),
            ("b.png", "other"),
            ("c.png", "third"),
        ];
        assert_eq!(moved(&old, &new, "a.png").as_deref(), Some("img/x.png"));
        let large = "x".repeat(3 * CHUNK + 1);
        let changed = format!("{}y", "x".repeat(3 * CHUNK));
        let new = [("c", large.as_str()), ("d", changed.as_str())];
        assert_eq!(moved(&[("a", &large)], &new, "a").as_deref(), Some("c"));
    }

    #[test]
    fn blank_and_repeated_files_are_not_found() {
        let twice = [("x.gif", "gif"), ("y.gif", "gif")];
        for (old, new) in [
            (&[("a.gif", "")][..], &[("b.gif", "")][..]),
            (&[("a.gif", " \n")], &[("b.gif", " \n")]),
            (&[("a.gif", "gif")], &twice),
            (&[("a.gif", "gif"), ("c.gif", "gif")], &[("b.gif", "gif")]),
            (&[("a.gif", "gif")], &[("b.gif", "fig")]),
        ] {
            assert_eq!(moved(old, new, "a.gif"), None, "{old:?} {new:?}");
        }
    }
}
