//! Runs of `diff`: the links that differ between two trees.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use super::moving::tree;

fn run(arguments: &[&str], dir: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_baseref"))
        .args(arguments)
        .current_dir(dir)
        .output()
        .expect("the program starts")
}

/// The exit code and the lines of a run of `diff`.
fn diff(arguments: &[&str], dir: &Path) -> (i32, Vec<String>) {
    let output = run(&[&["diff"], arguments].concat(), dir);
    let text = String::from_utf8(output.stdout).expect("the output is UTF-8");
    let lines = text.lines().map(str::to_owned).collect();
    (
        output.status.code().expect("the program exits with a code"),
        lines,
    )
}

fn two_trees() -> tempfile::TempDir {
    tree(&[
        (
            "old/d/a.html",
            "<a href=../b.html>B</a>\n<a href=c.html>C</a>\n<a href=x.html>X</a><img src=i.png>",
        ),
        ("old/b.html", "<a href=HTTP://h:80/%7Ex>h</a>"),
        ("old/gone.html", "<a href=b.html>B</a>"),
        (
            "old/box.mbox",
            "From a@b Thu Jan  1 00:00:00 1970\nContent-Type: text/html\n\n<a href=http://m/1>1</a>\n",
        ),
        (
            "new/d/a.html",
            "<a href=/b.html>B</a>\n<a href=c2.html>C</a>\n<img src=i.png><a href=y.html>Y</a>",
        ),
        ("new/b.html", "<a href=http://h/~x>h</a>"),
        ("new/more.html", "<a href=b.html>B</a>"),
        (
            "new/box.mbox",
            "From a@b Thu Jan  1 00:00:00 1970\nContent-Type: text/html\n\n<a href=http://m/2>1</a>\n",
        ),
    ])
}

const DIFFERENCES: [&str; 6] = [
    "d/a.html:2:9: changed a[href] /d/c.html -> /d/c2.html \"C\"",
    "d/a.html:3:9: vanished a[href] /d/x.html \"X\"",
    "d/a.html:3:24: appeared a[href] /d/y.html \"Y\"",
    "box.mbox#1/1:1:9: changed a[href] http://m/1 -> http://m/2 \"1\"",
    "gone.html:1:9: vanished a[href] /b.html \"B\"",
    "more.html:1:9: appeared a[href] /b.html \"B\"",
];

#[test]
fn pages_compared_by_resolved_links() {
    let dir = two_trees();
    for jobs in ["-j1", "-j4"] {
        let (code, lines) = diff(&["old", "new", jobs], dir.path());
        assert_eq!(code, 1);
        let mut lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        lines.sort_unstable();
        let mut wanted = DIFFERENCES;
        wanted.sort_unstable();
        assert_eq!(lines, wanted);
    }
    assert_eq!(diff(&["old", "old"], dir.path()), (0, Vec::new()));
}

#[test]
fn outputs_compared_like_sites() {
    let dir = two_trees();
    for name in ["old", "new"] {
        let map = format!("--url-map={name}=http://x.example/");
        let out = format!("{name}.jsonl");
        let links = ["links", "--links=all", "-fjsonl", "-o", &out, &map, name];
        assert_eq!(run(&links, dir.path()).status.code(), Some(0));
    }
    let (code, lines) = diff(&["old.jsonl", "new.jsonl"], dir.path());
    assert_eq!(code, 1);
    let mut lines: Vec<String> = lines
        .iter()
        .map(|line| line.replace("http://x.example", ""))
        .collect();
    lines.sort_unstable();
    let mut wanted = DIFFERENCES;
    wanted.sort_unstable();
    assert_eq!(lines, wanted);
    let jsonl = diff(&["-fjsonl", "old.jsonl", "new.jsonl"], dir.path()).1;
    let first: serde_json::Value = serde_json::from_str(&jsonl[0]).expect("the text is JSON");
    assert_eq!(first["type"], "difference");
    assert_eq!(jsonl.len(), 6);
    assert_eq!(
        diff(&["-fcsv", "old.jsonl", "new.jsonl"], dir.path())
            .1
            .len(),
        7
    );
}

#[test]
fn absolute_link_equals_relative_one() {
    let dir = tree(&[
        ("old/a.html", "<a href=http://h/docs/b.html>1</a>"),
        ("new/a.html", "<a href=b.html>1</a>"),
    ]);
    assert_eq!(
        diff(&["-u", "http://h/docs/", "old", "new"], dir.path()).0,
        0
    );
    assert_eq!(diff(&["old", "new"], dir.path()).0, 1);
    let pages = ["old/a.html", "new/a.html", "-u", "http://h/docs/a.html"];
    assert_eq!(diff(&pages, dir.path()).0, 0);
}

#[test]
fn invalid_comparison_is_bad_usage() {
    let dir = tree(&[
        ("a.jsonl", "{\"type\":\"link\",\"raw\":\"x\"}\n{}\n"),
        ("t/a.html", ""),
    ]);
    for arguments in [
        &["a.jsonl", "t"][..],
        &["t", "t/a.html"],
        &["a.jsonl", "a.jsonl"],
    ] {
        assert_eq!(diff(arguments, dir.path()).0, 2, "{arguments:?}");
    }
    assert_eq!(diff(&["t", "none"], dir.path()).0, 3);
    let output = run(&["diff", "a.jsonl", "a.jsonl"], dir.path());
    assert!(String::from_utf8_lossy(&output.stderr).contains("a.jsonl:2: "));
    fs::write(dir.path().join("a.jsonl"), "").expect("the file is written");
    assert_eq!(diff(&["a.jsonl", "a.jsonl"], dir.path()).0, 0);
}

#[test]
fn difference_line_names_page() {
    let dir = tree(&[
        ("a.html", "<a href=x.html>x</a><img src=i.png>"),
        ("b.html", "<a href=y.html>x</a>"),
    ]);
    let (code, lines) = diff(&["a.html", "b.html"], dir.path());
    assert_eq!(code, 1);
    let wanted = [
        "b.html:1:9: changed a[href] /x.html -> /y.html \"x\"",
        "a.html:1:30: vanished img[src] /i.png",
    ];
    assert_eq!(lines, wanted);
}

#[test]
fn repeated_difference_is_one_group() {
    let files: Vec<(String, String)> = (0..30)
        .flat_map(|number| {
            let own = format!("<a href=own{number}.html>o</a>");
            let new = format!("<a href=/more>M</a><a href=/b>B</a><a href=new{number}.html>o</a>");
            [
                (
                    format!("old/{number}.html"),
                    format!("<a href=/a>B</a>{own}"),
                ),
                (
                    format!("new/{number}.html"),
                    if number == 7 { own } else { new },
                ),
            ]
        })
        .collect();
    let files: Vec<(&str, &str)> = files
        .iter()
        .map(|(name, text)| (&**name, &**text))
        .collect();
    let dir = tree(&files);
    let lines = diff(&["old", "new"], dir.path()).1;
    let group = [
        "in 29 documents, first 0.html:1:9:",
        "  appeared a[href] /more \"M\"",
        "  changed a[href] /a -> /b \"B\"",
    ];
    assert_eq!(lines[..3], group);
    assert_eq!(lines.len(), 3 + 29 + 1, "{lines:?}");
    assert_eq!(diff(&["old", "new", "-j4"], dir.path()).1, lines);
    let each = diff(&["old", "new", "--no-group"], dir.path()).1;
    assert_eq!(each.len(), 29 * 3 + 1);
    let rows = diff(&["old", "new", "-fjsonl"], dir.path()).1;
    assert_eq!(rows.len(), each.len());
    let of_group = "\"group\":\"changed a[href] /a -> /b \\\"B\\\"\"";
    assert_eq!(rows.iter().filter(|row| row.contains(of_group)).count(), 29);
}
