//! The map of crates in ARCHITECTURE.md.

use std::fs;

use crate::project;

/// A room is a crate, or a folder or file of the program.
#[test]
fn map_names_every_crate() {
    let map = include_str!("../../../../ARCHITECTURE.md");
    let top = project::top();
    for entry in fs::read_dir(top.join("crates")).expect("the folder is read") {
        let name = entry.expect("the folder of crates is read").file_name();
        let row = format!("| `crates/{}` |", name.to_string_lossy());
        assert!(map.contains(&row), "{row} is not in ARCHITECTURE.md");
    }
}

/// The crates of ours that a `Cargo.toml` names as dependencies.
fn named_by(manifest: &str) -> Vec<&str> {
    let dependencies = manifest.split("\n[dependencies]\n").nth(1).unwrap_or("");
    let dependencies = dependencies.split("\n[").next().unwrap_or("");
    let names = dependencies
        .lines()
        .filter_map(|line| line.strip_prefix("baseref-"));
    let mut names: Vec<_> = names
        .filter_map(|line| line.split(['.', ' ']).next())
        .collect();
    names.sort_unstable();
    names
}

/// Rules, moves and writers have what tags say from a document: who read them again would not know
/// the encoding of the page, nor what is a comment or a template.
#[test]
fn only_reader_names_html() {
    for entry in fs::read_dir(project::top().join("crates")).expect("the folder is read") {
        let path = entry.expect("the folder of crates is read").path();
        let manifest = fs::read_to_string(path.join("Cargo.toml")).expect("the file is read");
        let is_reader = path.ends_with("reader");
        let names_html = named_by(&manifest).contains(&"html");
        assert_eq!(names_html, is_reader, "{}", path.display());
    }
}

#[test]
fn map_matches_dependencies() {
    let map = include_str!("../../../../ARCHITECTURE.md");
    let top = project::top();
    for row in map.lines().filter(|line| line.starts_with("| `crates/")) {
        let name = row.split('`').nth(1).expect("the row has a name");
        let names = row.trim_end_matches(" |").rsplit(" | ").next();
        let mut drawn: Vec<_> = names
            .expect("the row has a second column")
            .split(", ")
            .collect();
        drawn.retain(|name| *name != "none");
        let manifest = fs::read_to_string(top.join(name).join("Cargo.toml"));
        assert_eq!(
            drawn,
            named_by(&manifest.expect("the manifest is read")),
            "{name}"
        );
    }
}
