//! Audits of archives with what Chromium asked for, as tests/requests.py recorded it.

use std::collections::BTreeSet;
use std::fs;

use serde_json::Value;
use tempfile::TempDir;

use crate::{command, rows};

const FOLDER: &str = "http://a.example/";

/// A page, and what Chromium asked for.
struct Case {
    name: String,
    value: Value,
}

impl Case {
    fn all() -> Vec<Self> {
        let path = format!(
            "{}/fixtures/requests/cases.jsonl",
            env!("CARGO_MANIFEST_DIR")
        );
        let text = fs::read_to_string(path).expect("the record is read");
        let case = |line: &str| {
            let value: Value = serde_json::from_str(line).expect("a line is JSON");
            let name = value["case"].as_str().expect("a case has a name");
            Self {
                name: name.to_owned(),
                value,
            }
        };
        text.lines().map(case).collect()
    }

    fn asked(&self, setting: &str) -> BTreeSet<&str> {
        names(&self.value[setting])
    }

    /// Where audits depart from Chromium.
    fn departs(&self, how: &str) -> BTreeSet<&str> {
        names(&self.value["departs"][how])
    }

    /// The record of a response with a resource.
    fn record(&self, name: &str) -> String {
        let text = match name {
            "" => self.value["page"].as_str(),
            name => self.value["files"][name].as_str(),
        };
        let (_, extension) = name.rsplit_once('.').unwrap_or_default();
        let (kind, empty) = match extension {
            "" | "html" => ("text/html", ""),
            "css" => ("text/css", ""),
            "svg" => (
                "image/svg+xml",
                "<svg xmlns='http://www.w3.org/2000/svg'><g id='a'/></svg>",
            ),
            _ => ("application/octet-stream", "x"),
        };
        let body = text.unwrap_or(empty);
        let block = format!("HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\n\r\n{body}");
        format!(
            "WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: {FOLDER}{name}\r\n\
             Content-Type: application/http\r\nContent-Length: {}\r\n\r\n{block}\r\n\r\n",
            block.len()
        )
    }
}

fn names(list: &Value) -> BTreeSet<&str> {
    let list = list.as_array().into_iter().flatten();
    list.filter_map(Value::as_str).collect()
}

/// What an audit says is missing from archives, each with the page and the resources captured for it.
struct Audit {
    directory: TempDir,
}

impl Audit {
    /// The errors, the seeds, and whether the page is complete.
    fn judge(&self, case: &Case, captured: &BTreeSet<&str>) -> (Vec<String>, Vec<String>, bool) {
        let path = |name: &str| self.directory.path().join(name);
        let resources: String = captured.iter().map(|name| case.record(name)).collect();
        fs::write(path("a.warc"), case.record("") + &resources).expect("the archive is written");
        let mut command = command(&["audit", "a.warc", "-f", "jsonl", "--level", "note"]);
        command.args(["--out", "seeds=s.txt", "--out", "pages.csv=p.csv"]);
        let output = command.current_dir(self.directory.path()).output();
        let rows = rows(&output.expect("the program runs"));
        let without_folder = |url: &str| url.strip_prefix(FOLDER).map(str::to_owned);
        let errors = rows.iter().filter(|row| row["level"] == "error");
        let errors = errors.filter_map(|row| without_folder(row["target"].as_str()?));
        let mut errors: Vec<String> = errors.collect();
        errors.sort();
        errors.dedup();
        let seeds = fs::read_to_string(path("s.txt")).expect("the seeds are written");
        let seeds = seeds.lines().filter_map(without_folder).collect();
        let pages = fs::read_to_string(path("p.csv")).expect("the table is written");
        let is_complete = pages.contains(&format!("\n{FOLDER},yes,"));
        (errors, seeds, is_complete)
    }
}

#[test]
fn page_with_all_that_chromium_asks_for_is_complete() {
    let audit = Audit {
        directory: TempDir::new().expect("a temporary folder is made"),
    };
    let cases = Case::all();
    assert!(cases.len() > 90, "the record has pages");
    for case in &cases {
        for setting in ["asked", "dense"] {
            let mut captured = case.asked(setting);
            captured.extend(case.departs("needed"));
            let (errors, _, is_complete) = audit.judge(case, &captured);
            assert!(errors.is_empty(), "{}, {setting}: {errors:?}", case.name);
            assert!(is_complete, "{}, {setting}", case.name);
        }
    }
}

#[test]
fn page_without_one_resource_that_chromium_asks_for_is_incomplete() {
    let audit = Audit {
        directory: TempDir::new().expect("a temporary folder is made"),
    };
    for case in &Case::all() {
        let asked = case.asked("asked");
        for missing in asked.difference(&case.departs("not_needed")) {
            let mut captured = asked.clone();
            captured.remove(missing);
            let (errors, seeds, is_complete) = audit.judge(case, &captured);
            let is_said = |list: &[String]| list.iter().any(|url| url == missing);
            let name = &case.name;
            assert!(is_said(&errors), "{name} without {missing}: {errors:?}");
            assert!(is_said(&seeds), "{name} without {missing}: {seeds:?}");
            assert!(!is_complete, "{name} without {missing}");
        }
    }
}

#[test]
fn departures_from_chromium_are_needed() {
    let audit = Audit {
        directory: TempDir::new().expect("a temporary folder is made"),
    };
    for case in &Case::all() {
        let needed = case.departs("needed");
        if needed.is_empty() {
            continue;
        }
        let (errors, _, _) = audit.judge(case, &case.asked("asked"));
        let errors: BTreeSet<&str> = errors.iter().map(String::as_str).collect();
        assert_eq!(errors, needed, "{}", case.name);
    }
}
