//! The outputs of an audit of web archives say the same: findings, tables, seeds, summary, exit code.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use tempfile::TempDir;

use crate::{command, rows};

/// The web archives among the fixtures.
fn archives(folder: &Path, found: &mut Vec<PathBuf>) {
    let entries = fs::read_dir(folder).expect("the folder of fixtures is read");
    for entry in entries {
        let path = entry.expect("an entry is read").path();
        let name = path.to_string_lossy().into_owned();
        let is_archive = [".warc", ".warc.gz", ".wacz", ".har", ".arc"];
        if path.is_dir() {
            archives(&path, found);
        } else if is_archive.iter().any(|end| name.ends_with(end)) {
            found.push(path);
        }
    }
    found.sort();
}

fn texts<'r>(rows: &'r [Value], rule: &str, name: &str) -> BTreeSet<&'r str> {
    let found = rows.iter().filter(|row| row["rule"] == rule);
    found.filter_map(|finding| finding[name].as_str()).collect()
}

#[test]
fn outputs_about_each_archive_agree() {
    let mut all = Vec::new();
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    archives(&fixtures, &mut all);
    assert!(all.len() > 5, "the fixtures have web archives");
    for path in all {
        let directory = TempDir::new().expect("a temporary folder is made");
        let file = |name: &str| directory.path().join(name).to_string_lossy().into_owned();
        let outputs = ["seeds", "seeds.csv", "pages.csv", "text"];
        let mut command = command(&["audit", "-f", "jsonl", "--level", "note"]);
        command.arg(&path);
        for name in outputs {
            command.args(["--out", &format!("{name}={}", file(name))]);
        }
        let output = command.output().expect("the program runs");
        let read = |name: &str| fs::read_to_string(file(name)).unwrap_or_default();
        let name = path.display();
        if output.status.code() == Some(2) {
            continue;
        }
        let rows = rows(&output);
        let errors = rows.iter().filter(|row| row["level"] == "error").count();
        let unread = rows
            .last()
            .and_then(|summary| summary["unreadable"].as_u64())
            .expect("the last row is the summary");
        let code = match (unread, errors) {
            (0, 0) => 0,
            (0, _) => 1,
            _ => 3,
        };
        assert_eq!(output.status.code(), Some(code), "{name}");
        let seeds = read("seeds");
        let seeds: BTreeSet<&str> = seeds.lines().collect();
        let listed = read("seeds.csv");
        for url in texts(&rows, "target/resource-not-captured", "target") {
            assert!(
                seeds.contains(url) || !url.is_ascii(),
                "{name}: {url} is a seed"
            );
        }
        let targets: BTreeSet<&str> = rows
            .iter()
            .filter_map(|row| row["target"].as_str())
            .collect();
        for seed in &seeds {
            assert!(targets.contains(seed), "{name}: a finding has {seed}");
            assert!(listed.contains(seed), "{name}: seeds.csv has {seed}");
        }
        let pages = read("pages.csv");
        let incomplete = pages.lines().filter(|line| line.contains(",no,")).count();
        let text = read("text");
        let is_incomplete = text.contains(" incomplete");
        assert_eq!(incomplete > 0, is_incomplete, "{name}: {text}");
        if incomplete > 0 {
            let said = format!("{incomplete} of {} page", pages.lines().count() - 1);
            assert!(text.contains(&said), "{name}: {said}: {text}");
        }
    }
}
