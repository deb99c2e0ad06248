//! Compares whole runs of the program with recorded ones: standard output, standard error and exit
//! status. The runs are in `tests/cli/`.
//!
//! Read the diff of a renewed record: `TRYCMD=overwrite cargo test --test runs cli`.

use std::fs;
use std::path::Path;

/// The files with runs, and how many runs each must contain, so that a missing file or unrecognised
/// runs do not pass silently.
const RECORDED: &[(&str, usize)] = &[
    ("tests/cli/base.md", 4),
    ("tests/cli/containers.md", 9),
    ("tests/cli/links.md", 16),
    ("tests/cli/mail.md", 4),
    ("tests/cli/outlook.md", 10),
    ("tests/cli/packed.md", 4),
    ("tests/cli/parts.md", 4),
    ("tests/cli/saved_from.md", 4),
    ("tests/cli/resolve.md", 5),
    ("tests/cli/trouble.md", 7),
    ("tests/cli/unwrap.md", 13),
];

#[test]
fn recorded_runs() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let cases = trycmd::TestCases::new();
    for (file, runs) in RECORDED {
        let text = fs::read_to_string(root.join(file)).unwrap();
        let found = text
            .lines()
            .filter(|line| line.starts_with("$ baseref"))
            .count();
        assert_eq!(found, *runs, "{file}");
        cases.case(file);
    }
    let recorded = fs::read_dir(root.join("tests/cli")).unwrap().count();
    let named = RECORDED
        .iter()
        .filter(|(file, _)| file.starts_with("tests/cli/"))
        .count();
    assert_eq!(
        recorded, named,
        "every file of tests/cli stands in the list"
    );
    cases.run();
}
