//! `audit NEW --against OLD`: only what was not wrong before.

use std::fs;
use std::path::Path;
use std::process::Output;

use crate::{command, rows};

fn write(folder: &Path, files: &[(&str, &str)]) {
    for (name, text) in files {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().expect("the path has a parent"))
            .expect("the folder is made");
        fs::write(path, text).expect("the file is written");
    }
}

fn audit(folder: &Path, options: &[&str]) -> Output {
    let output = command(&["audit", "new", "--against", "old", "-f", "jsonl"])
        .args(options)
        .current_dir(folder)
        .output();
    output.expect("the program runs")
}

/// The values of the findings that are new.
fn new(output: &Output) -> Vec<String> {
    let findings = rows(output).into_iter();
    findings
        .filter(|finding| finding["type"] == "finding" && finding["known"] != true)
        .filter_map(|finding| Some(finding["raw"].as_str()?.to_owned()))
        .collect()
}

#[test]
fn only_newly_broken_links_are_new() {
    let folder = tempfile::tempdir().expect("a temporary folder is made");
    write(
        folder.path(),
        &[
            (
                "old/a.html",
                "<a href=gone.html>x</a><a href=fixed.html>y</a>",
            ),
            ("old/b.html", "<a href=lost.html>x</a>"),
            ("old/d/index.html", "<a href=../gone.html>x</a>"),
            ("new/a.html", "\n\n<p><a href='gone.html'>x</a>"),
            (
                "new/c.html",
                "<a href=lost.html>x</a><a href=d/index.html>i</a>",
            ),
            (
                "new/d/index.html",
                "<a href=/gone.html>x</a><a href=other.html>new</a>",
            ),
            ("new/e.html", "<a href=gone.html>one more link to it</a>"),
        ],
    );
    let output = audit(folder.path(), &[]);
    assert_eq!(new(&output), ["other.html", "gone.html"]);
    assert_eq!(output.status.code(), Some(1));
    let output = command(&["audit", "new", "--against", "old"])
        .current_dir(folder.path())
        .output()
        .expect("the program runs");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(
        text.contains("1 finding of the earlier state is gone"),
        "{text}"
    );
}

#[test]
fn site_against_itself_has_nothing_new() {
    let folder = tempfile::tempdir().expect("a temporary folder is made");
    let page =
        "<a href=gone.html>x</a><a href=/above.html>y</a><a href=http://h.example/m/none.html>";
    write(folder.path(), &[("old/a.html", page), ("new/a.html", page)]);
    for options in [&[][..], &["--url-map", "new=http://h.example/m/"]] {
        let output = audit(folder.path(), options);
        assert_eq!(new(&output), [""; 0], "{options:?}");
        assert_eq!(output.status.code(), Some(0), "{options:?}");
    }
}

#[test]
fn missing_earlier_state_is_bad_usage() {
    let folder = tempfile::tempdir().expect("a temporary folder is made");
    write(folder.path(), &[("new/a.html", "")]);
    let output = audit(folder.path(), &[]);
    assert_eq!(output.status.code(), Some(2));
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(text.contains("--against: "), "{text}");
    let itself = command(&["audit", "new", "--against", "./new"])
        .current_dir(folder.path())
        .output()
        .expect("the program runs");
    assert_eq!(itself.status.code(), Some(2));
    let two = audit(folder.path(), &["new/a.html"]);
    assert_eq!(two.status.code(), Some(2));
}
