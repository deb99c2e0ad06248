//! Lists the folders of a move.

use std::path::Path;

use baseref_files::Files;
use baseref_findings::Refused;
use baseref_site::listing::{FileSystem, Tree};

/// Lists a folder that must have files.
///
/// # Errors
/// If it cannot be listed, or has none.
pub(crate) fn read_tree(dir: &Path, files: &Files) -> Result<Tree, Refused> {
    let tree = Tree::read(dir, &FileSystem(files))
        .map_err(|error| Refused(format!("{}: {error}", dir.display())))?;
    if tree.file_count() == 0 {
        return Err(Refused(format!("{}: contains no files", dir.display())));
    }
    Ok(tree)
}
