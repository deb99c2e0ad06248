//! Checks the map in ARCHITECTURE.md: rooms import only from lower levels.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The level of each room according to the map.
fn levels() -> BTreeMap<String, u32> {
    let map = include_str!("../ARCHITECTURE.md");
    let map = map.split("```text\n").nth(1).expect("a map");
    let map = map.split("```").next().expect("the end of the map");
    map.lines()
        .map(|line| {
            let mut words = line.split_whitespace();
            let level = words.next().expect("a level").parse().expect("a number");
            (words.next().expect("a room").to_owned(), level)
        })
        .collect()
}

fn source_files(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            source_files(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
}

/// The room of a file, and its code without comments and tests.
fn code(src: &Path, file: &Path) -> (String, String) {
    let below = file.strip_prefix(src).expect("a file below src");
    let room = below.iter().next().and_then(|name| name.to_str());
    let room = room.expect("a name").trim_end_matches(".rs").to_owned();
    let text = fs::read_to_string(file).expect("source text");
    let tests = text.find("\n#[cfg(test)]\nmod tests {");
    let text = &text[..tests.unwrap_or(text.len())];
    let code: Vec<&str> = text
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"))
        .collect();
    (room, code.join("\n"))
}

#[test]
fn every_room_is_on_the_map_and_imports_only_from_lower_levels() {
    let levels = levels();
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    source_files(&src, &mut files);
    let mut wrong = Vec::new();
    let mut imports = 0;
    for file in files {
        let (room, code) = code(&src, &file);
        if ["lib", "main"].contains(&room.as_str()) || file.ends_with("tests.rs") {
            continue;
        }
        let Some(own) = levels.get(&room) else {
            wrong.push(format!("{room} is not on the map"));
            continue;
        };
        for found in code.split("crate::").skip(1) {
            let end = found.find(|c: char| !c.is_alphanumeric() && c != '_');
            let other = &found[..end.unwrap_or(found.len())];
            if other == room || other.is_empty() {
                continue;
            }
            imports += 1;
            match levels.get(other) {
                Some(level) if level < own => {}
                Some(_) => wrong.push(format!("{}: imports {other}", file.display())),
                None => wrong.push(format!("{}: {other} is not on the map", file.display())),
            }
        }
    }
    assert!(imports > 200, "the imports are found");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
