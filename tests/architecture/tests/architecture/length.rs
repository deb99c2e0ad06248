//! No file is longer than a reader keeps in mind.

use crate::project;

/// The most lines of a file, without its tests.
const MAX_LINES: usize = 800;

#[test]
fn maximum_file_length() {
    let mut wrong = Vec::new();
    for (crate_, files) in project::crates() {
        for (file, text) in files {
            let lines = project::code(&file, &text).lines().count();
            let name = project::name(&crate_, &file);
            if lines > MAX_LINES {
                wrong.push(format!("{name}: {lines} lines"));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
