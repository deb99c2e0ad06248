//! Where edits go: into a patch, or into a folder with a fixed copy of the whole tree.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::cli::outcome::Usage;
use crate::relocate::edit::{self, Edit};
use crate::site::listing::Tree;

/// Where fixed files go.
pub(super) enum Fixing {
    /// As a patch to the output.
    Patch,
    /// Into this folder.
    Folder(PathBuf),
}

impl Fixing {
    /// Interprets `--fix`, given the trees that are read.
    ///
    /// # Errors
    /// If it names an unsuitable folder.
    pub(super) fn new(argument: &str, trees: &[&Path]) -> Result<Self, Usage> {
        if argument == "patch" {
            return Ok(Self::Patch);
        }
        let folder = Path::new(argument);
        new_folder(folder, trees)?;
        Ok(Self::Folder(folder.to_owned()))
    }
}

/// The patch of one file, or the fixed file itself.
pub(super) fn mended(fixing: &Fixing, name: &str, bytes: &[u8], edits: &mut Vec<Edit>) -> Vec<u8> {
    match (edit::applied(bytes, edits), fixing) {
        (Some(_), Fixing::Patch) => edit::unified(name, bytes, edits),
        (Some(mended), Fixing::Folder(_)) => mended,
        (None, _) => Vec::new(),
    }
}

/// Whether the file contains the bytes as read, that is, is not compressed.
pub(super) fn is_stored_as_read(input: &str, bytes: &[u8]) -> bool {
    let length = fs::metadata(input).map(|metadata| metadata.len());
    length.map_or(input == "-", |length| length == bytes.len() as u64)
}

/// Checks that a folder does not exist or is empty, and is not in a tree.
fn new_folder(folder: &Path, trees: &[&Path]) -> Result<(), Usage> {
    let shown = folder.display();
    if let Ok(mut entries) = fs::read_dir(folder)
        && entries.next().is_some()
    {
        return Err(Usage(format!("{shown}: the folder must be new or empty")));
    }
    if folder.is_file() {
        return Err(Usage(format!("{shown}: is a file")));
    }
    let parent = folder
        .parent()
        .filter(|parent| !parent.as_os_str().is_empty());
    let near = fs::canonicalize(folder)
        .or_else(|_| fs::canonicalize(parent.unwrap_or(Path::new("."))))
        .map_err(|error| Usage(format!("{shown}: {error}")))?;
    for tree in trees {
        let root = fs::canonicalize(tree)
            .map_err(|error| Usage(format!("{}: {error}", tree.display())))?;
        if near.starts_with(&root) {
            return Err(Usage(format!("{shown}: is in the tree that is read")));
        }
    }
    Ok(())
}

/// Copies a tree into a folder, replacing files by their fixed versions.
///
/// # Errors
/// The file that could not be copied, and why.
pub(super) fn copy_tree(
    tree: &Tree,
    folder: &Path,
    mended: &BTreeMap<PathBuf, Vec<u8>>,
) -> Result<(), (PathBuf, io::Error)> {
    fs::create_dir_all(folder).map_err(|error| (folder.to_owned(), error))?;
    for file in tree.files() {
        let below = tree.file_path(file);
        copy_file(
            &tree.root().join(&below),
            &folder.join(&below),
            mended.get(&below),
        )?;
    }
    Ok(())
}

/// Copies a file, or writes its replacement.
///
/// # Errors
/// The file that could not be written, and why.
pub(super) fn copy_file(
    from: &Path,
    to: &Path,
    mended: Option<&Vec<u8>>,
) -> Result<(), (PathBuf, io::Error)> {
    let at = |error| (to.to_owned(), error);
    if let Some(parent) = to.parent() {
        fs::create_dir_all(parent).map_err(at)?;
    }
    match mended {
        Some(bytes) => fs::write(to, bytes).map_err(at),
        None => fs::copy(from, to).map(|_| ()).map_err(at),
    }
}

/// A closed pipe is not an error: the reader has had enough.
pub(super) fn unless_closed(error: io::Error) -> io::Result<()> {
    if error.kind() == io::ErrorKind::BrokenPipe {
        Ok(())
    } else {
        Err(error)
    }
}
