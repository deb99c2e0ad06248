//! Checks that the manual in `docs/` has the tables of the source.
//!
//! Renew it and read the diff: `BASEREF_RENEW=1 cargo test --test runs docs`.

use std::fs;
use std::path::{Path, PathBuf};

use baseref_container::formats_as_markdown;
use baseref_document::link_places;
use baseref_report::bases::{Bases, Candidates};
use baseref_report::column::markdown;
use baseref_report::differences::Differences;
use baseref_report::edges::EdgeRows;
use baseref_report::findings::{Findings, JudgedLinks};
use baseref_report::groups::GroupRows;
use baseref_report::links::Links;
use baseref_report::observables;
use baseref_report::references::{Compared, Resolved};
use baseref_server::table;

fn docs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("docs")
}

/// The text between a marker and the end of its block in a page, or the page with that text
/// replaced.
fn check(page: &str, marker: &str, expected: &str) {
    let path = docs().join(page);
    let text = fs::read_to_string(&path).expect(page);
    let start = text.find(marker).expect(marker) + marker.len();
    let end = start
        + text[start..]
            .find("<!-- end -->")
            .expect("the block has an end");
    let expected = format!("\n{expected}");
    if text[start..end] == expected {
        return;
    }
    assert!(
        std::env::var_os("BASEREF_RENEW").is_some(),
        "docs/{page}, {marker} is to be:\n{expected}"
    );
    let renewed = format!("{}{expected}{}", &text[..start], &text[end..]);
    fs::write(&path, renewed).expect(page);
}

#[test]
fn manual_record_fields() {
    check(
        "outputs.md",
        "<!-- columns of links -->",
        &markdown::<Links>(),
    );
    check(
        "outputs.md",
        "<!-- columns of groups -->",
        &markdown::<GroupRows>(),
    );
    check(
        "outputs.md",
        "<!-- columns of edges -->",
        &markdown::<EdgeRows>(),
    );
    check(
        "outputs.md",
        "<!-- columns of observables -->",
        &markdown::<observables::Rows>(),
    );
    check(
        "outputs.md",
        "<!-- columns of bases -->",
        &markdown::<Bases>(),
    );
    check(
        "outputs.md",
        "<!-- columns of candidates -->",
        &markdown::<Candidates>(),
    );
    check(
        "outputs.md",
        "<!-- columns of references -->",
        &markdown::<Resolved>(),
    );
    check(
        "outputs.md",
        "<!-- columns of comparisons -->",
        &markdown::<Compared>(),
    );
    check(
        "diff.md",
        "<!-- columns of differences -->",
        &markdown::<Differences>(),
    );
    check("findings.md", "<!-- columns -->", &markdown::<Findings>());
    check(
        "findings.md",
        "<!-- columns of links -->",
        &markdown::<JudgedLinks>(),
    );
}

#[test]
fn manual_formats() {
    check("formats.md", "<!-- formats -->", &formats_as_markdown());
}

#[test]
fn manual_audit_tables() {
    let rules = baseref_report::findings::rules::table(baseref_audit::rules::ALL);
    check("rules.md", "<!-- overview of audit -->", &rules);
    check("audit.md", "<!-- hosting -->", &table::markdown::hosting());
    check(
        "verify-move.md",
        "<!-- dialects -->",
        &table::markdown::dialects(),
    );
}

#[test]
fn manual_rules() {
    let chapter = baseref_report::findings::rules::chapter;
    check(
        "rules.md",
        "<!-- rules of audit -->",
        &chapter(baseref_audit::rules::ALL),
    );
    check(
        "rules.md",
        "<!-- rules of verify-move -->",
        &chapter(baseref_migration::rules::ALL),
    );
    check(
        "rules.md",
        "<!-- rules of both -->",
        &chapter(baseref_findings::RULES),
    );
}

#[test]
fn manual_link_places() {
    check(
        "link-places.md",
        "<!-- link places -->",
        &link_places::markdown(),
    );
}

#[test]
fn manual_summary() {
    let summary = fs::read_to_string(docs().join("SUMMARY.md")).expect("the file is read");
    for entry in fs::read_dir(docs()).expect("the folder is read") {
        let name = entry.expect("the folder of the manual is read").file_name();
        let name = name.to_string_lossy();
        if name.ends_with(".md") && name != "SUMMARY.md" {
            assert!(summary.contains(&format!("({name})")), "{name}");
        }
    }
}
