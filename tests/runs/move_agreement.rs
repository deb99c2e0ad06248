//! The exit code, the verdict, the findings, the map and the written rules of one move agree.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::Command;

use super::moving::tree;
use crate::rows;

/// The verdicts of rows on addresses that lead nowhere, apart from `redirect/missing`.
const LOST: [&str; 3] = ["lost-page", "redirect/dead-target", "redirect/loop"];

/// What contradicts itself in a run of `arguments` in a folder.
pub(super) fn contradictions(dir: &Path, arguments: &[String]) -> Vec<String> {
    let out = tempfile::tempdir().expect("a temporary folder is made");
    let (map, rules) = (out.path().join("map.csv"), out.path().join("rules"));
    let output = Command::new(env!("CARGO_BIN_EXE_baseref"))
        .args(["verify-move", "-fjsonl", "--level=note", "--no-group"])
        .arg(format!("--out=urlmap={}", map.display()))
        .arg(format!("--out=redirects.csv={}", rules.display()))
        .args(arguments)
        .current_dir(dir)
        .output()
        .expect("the program starts");
    let code = output.status.code();
    let mut verdict = String::new();
    let mut errors = BTreeSet::new();
    for value in rows(&output) {
        let text = |name: &str| value[name].as_str().unwrap_or_default().to_owned();
        if value["type"] == "summary" {
            verdict = text("verdict");
        } else if value["level"] == "error" {
            errors.insert(text("url"));
            errors.insert(text("raw"));
            // The sources of exact locations, and of patterns for one address.
            let source = text("raw");
            let source = source.rsplit(' ').next().unwrap_or_default();
            let source = source.trim_matches(['^', '$']);
            errors.insert(format!("/{}", source.trim_start_matches('/')));
        }
    }
    let mut wrong = Vec::new();
    let mut expect = |holds: bool, claim: String| {
        if !holds {
            wrong.push(format!("{claim}: exit {code:?}, {verdict}"));
        }
    };
    let is_ready = verdict.starts_with("Ready to move.");
    expect(
        code == Some(0) || !is_ready,
        "ready beside a failure".to_owned(),
    );
    expect(
        errors.is_empty() || !is_ready,
        "ready beside an error".to_owned(),
    );
    expect(
        is_ready || code != Some(0),
        "not ready, and no failure".to_owned(),
    );
    let map = fs::read_to_string(&map).expect("the map is written");
    let mut by_address = BTreeMap::new();
    for row in csv::Reader::from_reader(map.as_bytes()).records() {
        let row = row.expect("the map is a table");
        by_address.insert(row[0].to_owned(), row[4].to_owned());
    }
    let mut lost = 0;
    for (address, row) in &by_address {
        let is_lost = LOST.contains(&&**row);
        lost += usize::from(is_lost);
        let path = address.split_once("://").map_or("", |(_, rest)| rest);
        let path = path.find('/').map_or("", |slash| &path[slash..]);
        let has_error = errors.contains(address) || errors.contains(path);
        expect(
            !is_lost || has_error,
            format!("no error for {address}, {row}"),
        );
        if row == "not-known" {
            expect(code != Some(0), format!("{address} is not known"));
        }
    }
    // A lost file is counted as a file, or with the links of new pages to it.
    let kinds = [
        " nowhere",
        " missing from the new site",
        " broken in the new site",
    ];
    let counted = kinds.iter().any(|kind| verdict.contains(kind));
    expect(
        lost == 0 || counted,
        format!("{lost} addresses lost, none counted"),
    );
    let written = fs::read_to_string(&rules).expect("the rules are written");
    for row in csv::Reader::from_reader(written.as_bytes()).records() {
        let row = row.expect("the rules are a table");
        let (from, to) = (&row[0], &row[1]);
        expect(from != to, format!("rule from {from} to itself"));
        let verdict = by_address.get(from).map_or("", String::as_str);
        let lacks_one = LOST.contains(&verdict) || verdict == "redirect/missing";
        expect(lacks_one, format!("rule for {from}, which is {verdict}"));
    }
    wrong
}

#[test]
fn outputs_of_each_fixture_agree() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/move");
    let mut wrong = Vec::new();
    let mut runs = 0;
    for case in fs::read_dir(folder).expect("the folder is read") {
        let case = case.expect("the folder of cases is read").path();
        let text = fs::read_to_string(case.join("arguments")).expect("the file is read");
        let arguments: Vec<String> = text.lines().map(str::to_owned).collect();
        let found = contradictions(&case, &arguments);
        wrong.extend(found.iter().map(|one| format!("{}: {one}", case.display())));
        runs += 1;
    }
    assert!(runs >= 42, "all cases are found");
    assert_eq!(wrong, [""; 0], "{}", wrong.join("\n"));
}

#[test]
fn outputs_of_generated_moves_agree() {
    let page = |links: &str| format!("<title>t</title><p>{links}");
    // A link to each page, in forms that name the same files.
    let forms = [
        page("<a href=a.html>a</a> <a href=d/>d</a> <a href=index.html#s>i</a>"),
        page("<a href=./>i</a> <a href=d/index.html>d</a> <img src=i.png>"),
        page("<meta http-equiv=refresh content='0; url=d/'>"),
    ];
    let rules = [
        "",
        "/a.html /b.html 301\n/b.html /a.html 301\n",
        "/:x.html /d/:x 301!\n/d/:x /:x.html 301!\n",
        "/a.html https://other.example/ 301\n/a.html /d/ 301\n",
        "/a.html /gone 301\n/d/* /a.html 302\n",
        "/a.html http://localhost:1313/a.html 301\n/b.html 410\n",
        "/a.html /a.html 302\n/d/ /d/ 301!\n",
    ];
    let places = [
        ["--from", "https://o.example/", "--to", "https://o.example/"],
        ["--from", "https://o.example/", "--to", "https://n.example/"],
        [
            "--from",
            "https://o.example/p/",
            "--to",
            "https://o.example/",
        ],
    ];
    let mut wrong = Vec::new();
    for (number, rules) in rules.iter().enumerate() {
        for (at, form) in forms.iter().enumerate() {
            let new = &forms[(at + number) % forms.len()];
            let files = [
                ("old/index.html", form.as_str()),
                ("old/a.html", "<title>A</title>a page of one text"),
                ("old/d/index.html", form),
                ("old/i.png", ""),
                ("new/index.html", new),
                ("new/d/index.html", "<title>A</title>a page of one text"),
                ("rules", rules),
            ];
            let dir = tree(&files);
            for place in places {
                for dialect in ["netlify", "cloudflare"] {
                    let mut arguments: Vec<String> = place.map(str::to_owned).to_vec();
                    if !rules.is_empty() {
                        arguments.push(format!("--redirects={dialect}:rules"));
                    }
                    arguments.extend(["--new-tree=new".to_owned(), "old".to_owned()]);
                    let found = contradictions(dir.path(), &arguments);
                    wrong.extend(
                        found
                            .iter()
                            .map(|one| format!("{arguments:?} {form}: {one}")),
                    );
                }
            }
        }
    }
    assert_eq!(wrong, [""; 0], "{}", wrong.join("\n"));
}
