//! Named lists of WACZ files, in place of which the files are opened.

use std::io::Read;
use std::path::{Path, PathBuf};

use baseref_container::listed_packages;
use baseref_files::{Files, Role};

/// The WACZ files that a named list of them stands for, and before them the list itself if one is not
/// there, so that the list is reported; `None` for other files.
#[must_use]
pub fn packages_listed_in(path: &Path, files: &Files) -> Option<Vec<PathBuf>> {
    /// The maximum size of a list in bytes.
    const LONGEST: u64 = 16 * 1024 * 1024;
    let extension = path.extension()?.to_str()?;
    if !extension.eq_ignore_ascii_case("json") {
        return None;
    }
    let file = files.examine(path).ok()?;
    if file.size.is_none_or(|size| size > LONGEST) {
        return None;
    }
    let mut list = Vec::new();
    file.file.take(LONGEST).read_to_end(&mut list).ok()?;
    let folder = path.parent().unwrap_or(Path::new(""));
    let packages = listed_packages(&list)?.into_iter();
    // The walk opens the packages, and not the list.
    files.record_read(path, Role::Document);
    let (mut there, missing): (Vec<PathBuf>, Vec<PathBuf>) = packages
        .map(|package| folder.join(package))
        .partition(|package| files.is_file(package));
    if !missing.is_empty() {
        there.insert(0, path.to_owned());
    }
    Some(there)
}
