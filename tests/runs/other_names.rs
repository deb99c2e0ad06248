//! Documents with several names in one folder are checked once, in another folder under each address.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use tempfile::TempDir;

use crate::{command, rows};

const PAGE: &str = "<p id=a><a href=gone.html>x</a><a href=#a>y</a><a href=two.html#a>z</a>";

/// A site whose page `one.html` has links of both kinds.
fn site() -> TempDir {
    let directory = TempDir::new().expect("a temporary folder is made");
    let path = |name: &str| directory.path().join("site").join(name);
    fs::create_dir_all(path("sub")).expect("the folder is made");
    fs::write(path("one.html"), PAGE).expect("the file is written");
    fs::hard_link(path("one.html"), path("two.html")).expect("the hard link is made");
    symlink("one.html", path("ch01.html")).expect("the symbolic link is made");
    symlink("ch01.html", path("ch02.html")).expect("the symbolic link is made");
    // Read in another way.
    symlink("one.html", path("one.svg")).expect("the symbolic link is made");
    symlink("../one.html", path("sub/one.html")).expect("the symbolic link is made");
    directory
}

/// The documents with findings, and the last lines of the text.
fn audit(directory: &Path, arguments: &[&str]) -> (Vec<String>, String) {
    let run = |more: &[&str]| {
        let mut command = command(&["audit", "site"]);
        command.args(arguments).args(more).current_dir(directory);
        command.output().expect("the program runs")
    };
    let found = rows(&run(&["-f", "jsonl"])).into_iter();
    let found = found.filter(|row| row["type"] == "finding");
    let documents = found.map(|row| row["doc"].as_str().unwrap_or_default().to_owned());
    let text = String::from_utf8(run(&[]).stdout).expect("the output is UTF-8");
    (documents.collect(), text)
}

#[test]
fn names_in_one_folder_are_one_document() {
    let directory = site();
    let (documents, text) = audit(directory.path(), &["--level", "error"]);
    assert_eq!(
        documents,
        [
            "site/one.html",
            "site/one.svg",
            "site/sub/one.html",
            "site/sub/one.html"
        ],
        "{text}"
    );
    let line = "3 files are other names of documents in their folder, which are checked once: \
                site/ch01.html is site/one.html, site/ch02.html is site/one.html, \
                site/two.html is site/one.html\n";
    assert!(text.contains(line), "{text}");
    assert!(text.contains("3 documents,"), "{text}");
}

#[test]
fn name_that_a_pattern_takes_is_checked_alone() {
    let directory = site();
    let (documents, text) = audit(directory.path(), &["--glob", "ch02.html"]);
    assert_eq!(documents, ["site/ch02.html"], "{text}");
    assert!(text.contains("1 document,"), "{text}");
    assert!(!text.contains("other name"), "{text}");
}
