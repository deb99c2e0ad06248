//! The folders of a move.

use std::path::Path;

use crate::error::MoveError;
use baseref_files::Files;
use baseref_site::listing::{FileSystem, Tree};

/// Lists the files of a folder.
///
/// # Errors
/// If the folder cannot be listed or has no files.
pub(crate) fn read_tree(dir: &Path, files: &Files) -> Result<Tree, MoveError> {
    let tree = Tree::read(dir, &FileSystem(files)).map_err(|source| MoveError::Unreadable {
        path: dir.to_owned(),
        source,
    })?;
    if tree.file_count() == 0 {
        return Err(MoveError::EmptyFolder(dir.to_owned()));
    }
    Ok(tree)
}
