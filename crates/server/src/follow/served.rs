//! The answer of a server without rules.

use baseref_site::hosting::{Folder, Hosting};

use crate::request::Files;

/// The answer of a server without rules for a path.
pub(super) enum Served {
    /// The file at this path.
    File(Vec<u8>),
    /// A redirect to the folder, with its slash.
    Folder,
    /// Not found.
    Nothing,
}

/// The answer of a server without rules for a decoded path.
pub(super) fn served(path: &[u8], files: &dyn Files, hosting: &Hosting) -> Served {
    let find = |start: &[u8], ends: &[String]| {
        let mut names = ends.iter().map(|end| [start, end.as_bytes()].concat());
        names.find(|name| files.is_file(name))
    };
    let file = |found: Option<Vec<u8>>| found.map_or(Served::Nothing, Served::File);
    if let Some(bare) = path.strip_suffix(b"/") {
        let page = || {
            let is_named = hosting.slash_extension && !bare.is_empty();
            is_named.then(|| find(bare, &hosting.extensions)).flatten()
        };
        return file(find(path, &hosting.index).or_else(page));
    }
    if files.is_file(path) {
        return Served::File(path.to_owned());
    }
    if let Some(page) = find(path, &hosting.extensions) {
        return Served::File(page);
    }
    if !files.is_directory(path) {
        return Served::Nothing;
    }
    match hosting.folder {
        Folder::Redirect => Served::Folder,
        Folder::Serve => file(find(&[path, b"/"].concat(), &hosting.index)),
        Folder::NotFound => Served::Nothing,
    }
}
