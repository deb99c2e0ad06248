//! A folder that is missing with all its files is one group of a report for people, and each link to it
//! a row for programs.

use std::process::{Command, Output};

use super::moving::tree;
use crate::rows;

fn run(files: &[(&str, &str)], arguments: &[&str]) -> Output {
    let dir = tree(files);
    Command::new(env!("CARGO_BIN_EXE_baseref"))
        .args(arguments)
        .current_dir(dir.path())
        .output()
        .expect("the program starts")
}

/// The headings of the groups, and the lines with their extents.
fn groups(output: &Output) -> Vec<String> {
    let text = String::from_utf8_lossy(&output.stdout);
    let is_of_group = |line: &&str| {
        line.starts_with("error: ")
            || line.ends_with("(target/missing-file)")
            || line.ends_with("(move/lost-page)")
    };
    text.lines()
        .filter(is_of_group)
        .map(str::to_owned)
        .collect()
}

const LINKING: [(&str, &str); 3] = [
    (
        "site/index.html",
        "<a href='gone/'>G</a><a href='gone/a.html'>A</a><a href='gone/b/c.html'>C</a>",
    ),
    (
        "site/d.html",
        "<img src='/gone/a.html'><img src='/lone/x.png'><img src='here/y.png'>",
    ),
    ("site/here/z.html", "<a href='w.html'>W</a>"),
];

#[test]
fn audit_groups_links_into_a_missing_folder() {
    let output = run(&LINKING, &["audit", "site"]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(
        groups(&output),
        [
            "error: link to a missing file: gone/",
            "  no such file: 4 links in 2 documents, to 3 targets in this missing folder \
             (target/missing-file)",
            "error: link to a missing file: lone/x.png",
            "  no such file: 1 link in 1 document (target/missing-file)",
            "error: link to a missing file: here/y.png",
            "  no such file: 1 link in 1 document (target/missing-file)",
            "error: link to a missing file: here/w.html",
            "  no such file: 1 link in 1 document (target/missing-file)",
        ]
    );
    let found = rows(&run(&LINKING, &["audit", "-f", "jsonl", "site"]));
    let found: Vec<_> = found
        .iter()
        .filter(|row| row["type"] == "finding")
        .collect();
    assert_eq!(found.len(), 7);
    let of_folder = found
        .iter()
        .filter(|row| row["group"] == "target/missing-file gone/");
    assert_eq!(of_folder.count(), 4);
}

#[test]
fn move_groups_pages_of_a_missing_folder() {
    let files = [
        ("old/index.html", "<title>I</title>"),
        ("old/gone/a.html", "<title>A</title>"),
        ("old/gone/b/c.html", "<title>C</title>"),
        ("old/lone.html", "<title>L</title>"),
        ("new/index.html", "<title>I</title>"),
    ];
    let arguments = [
        "verify-move",
        "--from",
        "https://d.example/",
        "--to",
        "https://d.example/",
        "--new-tree",
        "new",
        "old",
    ];
    let output = run(&files, &arguments);
    assert_eq!(
        groups(&output),
        [
            "error: page or file missing from the new site: https://d.example/gone/",
            "  nothing answers at its new address: 2 findings in 2 documents, about 2 addresses in \
             this missing folder (move/lost-page)",
            "error: page or file missing from the new site: https://d.example/lone.html",
            "  nothing answers at its new address: 1 finding in 1 document (move/lost-page)",
        ]
    );
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("3 old addresses lead nowhere."), "{text}");
}
