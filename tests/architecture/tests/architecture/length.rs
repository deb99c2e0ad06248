//! No file is longer than a reader keeps in mind.

use crate::project;

/// The most lines of a file, without its tests.
const MAX_LINES: usize = 800;

/// Files that are longer. The list may only shrink, until it is empty.
const KNOWN: &[&str] = &[
    "crates/migration/src/two_trees.rs",
    "crates/migration/src/verify_move/mod.rs",
];

#[test]
fn files_have_a_maximum_length() {
    let mut wrong = Vec::new();
    let mut known_and_long = 0;
    for (crate_, files) in project::crates() {
        for (file, text) in files {
            let lines = project::code(&file, &text).lines().count();
            let name = project::name(&crate_, &file);
            let is_known = KNOWN.contains(&name.as_str());
            match (lines > MAX_LINES, is_known) {
                (true, true) => known_and_long += 1,
                (true, false) => wrong.push(format!("{name}: {lines} lines")),
                (false, true) => wrong.push(format!("{name}: take it off KNOWN")),
                (false, false) => {}
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert_eq!(
        known_and_long,
        KNOWN.len(),
        "a file of KNOWN is gone: take it off"
    );
}
