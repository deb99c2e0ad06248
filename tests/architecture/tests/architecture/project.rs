//! The crates of the project.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::source::Files;

pub fn top() -> &'static Path {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.ancestors()
        .nth(2)
        .expect("the project is two folders up")
}

/// The files of each crate's `src`, by the path of the crate; the program is `.`.
pub fn crates() -> BTreeMap<String, Files> {
    let folders = fs::read_dir(top().join("crates")).expect("the folder is read");
    let folders = folders.map(|entry| entry.expect("the folder of crates is read").file_name());
    let mut names: Vec<_> = folders
        .map(|name| format!("crates/{}", name.to_string_lossy()))
        .collect();
    names.extend([".", "python", "web"].map(str::to_owned));
    let files = |name: String| {
        let mut files = Files::new();
        let src = top().join(&name).join("src");
        below(&src, &src, &mut files);
        (name, files)
    };
    let crates: BTreeMap<_, _> = names.into_iter().map(files).collect();
    let count: usize = crates.values().map(BTreeMap::len).sum();
    assert!(count > 250, "{count} files");
    crates
}

fn below(src: &Path, folder: &Path, files: &mut Files) {
    for entry in fs::read_dir(folder).expect("the folder is read") {
        let path = entry.expect("the folder is read").path();
        if path.is_dir() {
            below(src, &path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = fs::read_to_string(&path).expect("the source is UTF-8");
            let name = path.strip_prefix(src).expect("the file is in the crate");
            files.insert(name.to_owned(), text);
        }
    }
}

/// The file that a crate begins with.
pub fn root(files: &Files) -> &'static Path {
    let library = Path::new("lib.rs");
    if files.contains_key(library) {
        library
    } else {
        Path::new("main.rs")
    }
}

/// A file's path from the top of the project, with slashes.
pub fn name(crate_: &str, file: &Path) -> String {
    let file = file.to_string_lossy().replace('\\', "/");
    match crate_ {
        "." => format!("src/{file}"),
        _ => format!("{crate_}/src/{file}"),
    }
}

/// The text of a file before its tests; nothing for a file of tests.
pub fn code(file: &Path, text: &str) -> String {
    if file.file_name().is_some_and(|name| name == "tests.rs") {
        return String::new();
    }
    text.split("\n#[cfg(test)]\n")
        .next()
        .expect("the path has a first part")
        .to_owned()
}
