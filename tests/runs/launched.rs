//! `verify-move --status`: what was measured after the launch, beside what was predicted; and
//! `verify-move --against`.

use std::fs;
use std::path::Path;
use std::process::Output;

use serde_json::Value;
use tempfile::TempDir;

use crate::moving::tree;
use crate::{command, rows};

const RULES: &str = "from,to\n/a.html,https://new.example/x/a.html\n/b.html,https://new.example/x/b.html\n\
    /c.html,https://new.example/x/c.html\n/d.html,https://new.example/x/d.html\n";

const MEASURED: &str = "http://old.example/a.html 301 https://new.example/x/a.html\n\
    https://new.example/x/a.html 200 \n\
    http://old.example/b.html 302 https://new.example/x/b.html\nhttps://new.example/x/b.html 200 \n\
    http://old.example/c.html 503 \n\
    http://old.example/e.html 301 https://new.example/x/e.html\n";

fn site() -> TempDir {
    tree(&[
        ("site/x/a.html", ""),
        ("site/x/b.html", ""),
        ("site/x/c.html", ""),
        ("site/x/d.html", ""),
        ("rules.csv", RULES),
        ("measured", MEASURED),
        (
            "known.txt",
            "http://old.example/a.html\nhttp://old.example/b.html\nhttp://old.example/c.html\nhttp://old.example/d.html\n",
        ),
    ])
}

fn verify(folder: &Path, options: &[&str]) -> Output {
    command(&["verify-move", "--from", "http://old.example/", "--to"])
        .args(["https://new.example/", "--new-tree", "site"])
        .args(["--redirects", "rules.csv", "--urls", "known.txt", "site"])
        .args(options)
        .current_dir(folder)
        .output()
        .expect("the program runs")
}

/// The rule, the address and the message of each finding about an answer.
fn answers(folder: &Path, options: &[&str]) -> Vec<(String, String, String)> {
    let output = verify(folder, &[options, &["-f", "jsonl"]].concat());
    let findings = rows(&output).into_iter();
    let answers = findings.filter(|finding| {
        let rule = finding["rule"].as_str().unwrap_or_default();
        matches!(rule, "move/not-as-predicted" | "move/not-measured")
    });
    let said = |finding: &Value, name: &str| finding[name].as_str().expect(name).to_owned();
    answers
        .map(|finding| {
            let [rule, url, message] = ["rule", "url", "message"].map(|name| said(&finding, name));
            (rule, url, message)
        })
        .filter(|(_, url, _)| !url.contains("/x/"))
        .collect()
}

#[test]
fn differing_and_unchecked_answers_reported() {
    let folder = site();
    let options = [
        "--status",
        "measured",
        "--level",
        "warning",
        "--out",
        "recheck=again.txt",
    ];
    let found = answers(folder.path(), &options);
    let expected = [
        (
            "move/not-as-predicted",
            "http://old.example/b.html",
            "expected 301 to https://new.example/x/b.html, then 200, got 302 to https://new.example/x/b.html, then 200",
        ),
        (
            "move/not-measured",
            "http://old.example/c.html",
            "the server answered 503, which may be temporary",
        ),
        (
            "move/not-measured",
            "http://old.example/d.html",
            "the status files have no result for it",
        ),
    ]
    .map(|(rule, url, message)| (rule.to_owned(), url.to_owned(), message.to_owned()));
    assert_eq!(found, expected);
    let again = fs::read_to_string(folder.path().join("again.txt")).expect("the file is read");
    let again: Vec<&str> = again.lines().filter(|url| !url.contains("/x/")).collect();
    assert_eq!(
        again,
        ["b", "c", "d"].map(|name| format!("http://old.example/{name}.html"))
    );
    let output = verify(folder.path(), &["--status", "measured"]);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(text.contains("Not as predicted: 1 of "), "{text}");
}

#[test]
fn outdated_link_reports_ignored() {
    let folder = site();
    let dated = "date,url,status,location\n2020-01-01,http://old.example/a.html,404,\n";
    fs::write(folder.path().join("dated"), dated).expect("the file is written");
    let options = ["--level", "warning", "--status", "dated"];
    let found = answers(folder.path(), &options);
    assert_eq!(found[0].0, "move/not-as-predicted");
    let found = answers(
        folder.path(),
        &[&options[..], &["--max-age", "30"]].concat(),
    );
    assert_eq!(found[0].0, "move/not-measured");
    assert!(
        found[0].2.contains("longer ago than --max-age"),
        "{found:?}"
    );
    assert_eq!(answers(folder.path(), &["--level", "note"]), []);
    let output = verify(folder.path(), &["--out", "recheck=again.txt"]);
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{text}");
    assert!(text.contains("--status"), "{text}");
}

#[test]
fn refresh_pages_answer_themselves() {
    let folder = tree(&[
        (
            "old/a.html",
            "<meta http-equiv=refresh content='0; url=https://new.example/a.html'>",
        ),
        ("site/a.html", ""),
        (
            "measured",
            "http://old.example/a.html 200 \nhttp://old.example/b.html 200 \n",
        ),
    ]);
    let output = command(&["verify-move", "--from", "http://old.example/", "--to"])
        .args([
            "https://new.example/",
            "--redirects",
            "html-stubs:old",
            "site",
        ])
        .args(["--status", "measured"])
        .current_dir(folder.path())
        .output()
        .expect("the program runs");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(
        text.contains("As predicted: the only old address with an answer"),
        "{text}"
    );
    assert_eq!(output.status.code(), Some(0), "{text}");
}

#[test]
fn any_redirect_accepted_without_rules() {
    let folder = tree(&[
        ("site/a.html", ""),
        ("site/b.html", ""),
        (
            "measured",
            "url,status,final\nhttp://old.example/a.html,200,https://new.example/a.html\n\
            http://old.example/b.html,200,https://new.example/\n",
        ),
    ]);
    let output = command(&["verify-move", "--from", "http://old.example/", "--to"])
        .args([
            "https://new.example/",
            "site",
            "--status",
            "measured",
            "-f",
            "jsonl",
        ])
        .current_dir(folder.path())
        .output()
        .expect("the program runs");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(
        text.matches("\"rule\":\"move/not-as-predicted\"").count(),
        1,
        "{text}"
    );
    assert!(
        text.contains("expected a redirect to https://new.example/b.html, then 200"),
        "{text}"
    );
}

#[test]
fn only_new_findings_count() {
    let folder = tree(&[
        ("before/a.html", "<a href=/x>climbs</a>"),
        ("before/old-name.html", "<a href=/y>climbs</a>"),
        ("now/a.html", "\n<p><a href=/x>climbs</a><a href=/z>new</a>"),
        ("now/new-name.html", "<a href=/y>climbs</a>"),
    ]);
    let run = |options: &[&str]| {
        command(&["verify-move", "--from", "http://old.example/", "--to"])
            .args(["https://new.example/docs/", "now", "-f", "jsonl"])
            .args(options)
            .current_dir(folder.path())
            .output()
            .expect("the program runs")
    };
    let output = run(&["--against", "before"]);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let new = text.lines().filter(|line| line.contains("\"known\":false"));
    let new: Vec<&str> = new.filter(|line| line.contains("climbs-out")).collect();
    assert_eq!(new.len(), 1, "{text}");
    assert!(new[0].contains("\"raw\":\"/z\""), "{text}");
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(run(&["--against", "now"]).status.code(), Some(2));
    assert_eq!(run(&["--against", "none"]).status.code(), Some(2));
}
