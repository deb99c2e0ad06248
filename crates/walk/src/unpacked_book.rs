//! Folders that are unpacked EPUBs.

use std::io;
use std::path::{Path, PathBuf};

#[cfg(feature = "archives")]
use baseref_container::packed;
use baseref_files::{Files, Role};

/// Whether a folder is an unpacked EPUB (EPUB 3.3 §4.2.2): it has the files by which a zip is one.
#[must_use]
pub fn is_unpacked_book(folder: &Path, files: &Files) -> bool {
    const EPUB: &[u8] = b"application/epub+zip";
    let container = folder.join("META-INF").join("container.xml");
    let says = || files.read(&folder.join("mimetype"), Role::Document);
    cfg!(feature = "archives")
        && files.is_file(&container)
        && says().is_ok_and(|says| says.trim_ascii() == EPUB)
}

/// The zip of a folder with these files, given by their paths below it: `mimetype` first. Files without
/// links are empty in it, since only their names matter.
#[cfg(feature = "archives")]
pub(crate) fn zip_of(folder: &Path, paths: &[PathBuf], files: &Files) -> io::Result<Vec<u8>> {
    let name = |path: &PathBuf| {
        let names = path.iter().map(|name| name.to_string_lossy());
        names.collect::<Vec<_>>().join("/")
    };
    let mut all: Vec<(String, &PathBuf)> = paths.iter().map(|path| (name(path), path)).collect();
    all.sort_by_key(|(name, _)| name != "mimetype");
    let mut failure = None;
    let members = all.into_iter().map(|(name, path)| {
        let bytes = if has_links(&name) {
            files.read(&folder.join(path), Role::Document)
        } else {
            Ok(Vec::new())
        };
        let bytes = bytes.unwrap_or_else(|error| {
            failure.get_or_insert(error);
            Vec::new()
        });
        (name, bytes)
    });
    let zip = packed(members)?;
    match failure {
        Some(error) => Err(error),
        None => Ok(zip),
    }
}

/// Without the readers of zips there are no EPUBs.
#[cfg(not(feature = "archives"))]
pub(crate) fn zip_of(_: &Path, _: &[PathBuf], _: &Files) -> io::Result<Vec<u8>> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Whether a file of an EPUB may have links, or decides how the EPUB is read.
#[cfg(feature = "archives")]
fn has_links(name: &str) -> bool {
    const EXTENSIONS: [&str; 10] = [
        "css", "htm", "html", "ncx", "opf", "smil", "svg", "xht", "xhtml", "xml",
    ];
    let extension = name.rsplit_once('.').map(|(_, extension)| extension);
    name == "mimetype"
        || extension.is_some_and(|extension| {
            EXTENSIONS
                .iter()
                .any(|known| extension.eq_ignore_ascii_case(known))
        })
}
