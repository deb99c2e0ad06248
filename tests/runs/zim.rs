//! Audits of ZIM files: the site in them, whatever their compression and namespaces.

use std::fs;

use serde_json::Value;

use super::captures::findings;
use crate::{command, rows};

/// The audit of a fixture: its exit code, and its lines as JSON.
fn audited(name: &str, more: &[&str]) -> (Option<i32>, Vec<Value>) {
    let path = format!("{}/fixtures/zim/{name}", env!("CARGO_MANIFEST_DIR"));
    let options = ["--with-links", "--level", "note", "-f", "jsonl"];
    let mut command = command(&["audit", &path]);
    let output = command.args(options).args(more).output();
    let output = output.expect("the program runs");
    (output.status.code(), rows(&output))
}

/// The class of each link, and how it leads to its entry.
fn classes(lines: &[Value]) -> Vec<String> {
    let judged = lines.iter().filter(|line| line["type"] == "link");
    let shown = judged.map(|link| {
        let text = |name: &str| link[name].as_str().unwrap_or_default().to_owned();
        let words = [text("raw"), text("class"), text("how")].join(" ");
        words.trim_end().to_owned()
    });
    shown.collect()
}

#[test]
fn links_lead_to_entries_as_readers_answer() {
    let (code, lines) = audited("book.zim", &[]);
    let expected = [
        "../_res_/style.css ok exact",
        "Rook missing",
        "rook#beak missing-fragment exact",
        "rook?print#head ok exact",
        "what%3Fbird ok exact",
        "gull missing",
        "rook/ missing",
        "../A/front missing",
        "/birds/rook outside",
        "../../other/rook outside",
        "jackdaw ok redirect",
        "jackdaw#head ok redirect",
        "owl missing",
        "dodo missing",
        "Talk:crow opaque",
        "https://example.org/ external",
        "../ ok exact",
        "paper.png missing",
        "birds/ not-judged",
        "crow#nest ok exact",
        "crow.png ok exact",
        "gull.png missing",
    ];
    assert_eq!(classes(&lines), expected);
    assert_eq!(code, Some(1));
}

#[test]
fn findings_say_how_an_entry_is_missed() {
    let (_, lines) = audited("book.zim", &[]);
    let found = findings(&lines);
    for told in [
        "error gull the ZIM file has no entry of this path",
        "error owl the entry of this path redirects in a circle",
        "error dodo the entry of this path redirects to one that is not there",
        "error /birds/rook it leads out of the ZIM file, whose readers find nothing there",
        "warning rook#beak no id or name \"beak\"",
    ] {
        assert!(found.iter().any(|one| one == told), "{told}: {found:#?}");
    }
    let old = lines
        .iter()
        .find(|line| line["raw"] == "../A/front" && line["type"] == "finding");
    let suggested = old.map(|old| &old["suggestions"][0]);
    assert_eq!(suggested, Some(&Value::from("/book.zim/front")));
}

#[test]
fn old_namespaces_are_folders() {
    let (code, lines) = audited("old-namespaces.zim", &[]);
    let expected = [
        "b ok exact",
        "../I/i.png ok exact",
        "../I/j.png missing",
        "../-/s.css ok exact",
    ];
    assert_eq!(classes(&lines), expected);
    assert_eq!(code, Some(1));
}

#[test]
fn damaged_cluster_is_a_loss_and_its_entry_is_still_there() {
    let (code, lines) = audited("damaged-cluster.zim", &[]);
    let expected = ["b ok exact", "c ok exact", "a ok exact", "d missing"];
    assert_eq!(classes(&lines), expected);
    let lost =
        "error  cluster 1, at byte 240, has the compression 3, which is unknown: C/b is not read";
    assert!(
        findings(&lines).contains(&lost.to_owned()),
        "{:#?}",
        findings(&lines)
    );
    assert_eq!(code, Some(3));
}

#[test]
fn links_that_scripts_of_zimit_rewrite_are_not_judged() {
    let (code, lines) = audited("rewritten-by-a-worker.zim", &[]);
    let expected = ["/about not-judged", "gone not-judged", "a.png not-judged"];
    assert_eq!(
        (classes(&lines), code),
        (expected.map(str::to_owned).to_vec(), Some(0))
    );
    let (code, lines) = audited("rewritten-by-wombat.zim", &[]);
    let expected = ["/about not-judged", "about ok exact", "gone missing"];
    assert_eq!(
        (classes(&lines), code),
        (expected.map(str::to_owned).to_vec(), Some(1))
    );
}

#[test]
fn address_of_the_book_makes_absolute_links_judged() {
    let map = format!(
        "{}/fixtures/zim/book.zim=https://example.org/content/book/",
        env!("CARGO_MANIFEST_DIR")
    );
    let (_, lines) = audited("book.zim", &["--url-map", &map]);
    let of_web = classes(&lines)
        .into_iter()
        .filter(|link| link.starts_with("https:"));
    assert_eq!(of_web.collect::<Vec<_>>(), ["https://example.org/ outside"]);
}

#[test]
fn parts_of_a_split_file_are_one_book() {
    let folder = tempfile::tempdir().expect("a temporary folder is made");
    let path = |name: &str| folder.path().join(name);
    let book = include_bytes!("../../fixtures/zim/book.zim");
    for (name, part) in ["b.zimaa", "b.zimab", "b.zimac"]
        .into_iter()
        .zip(book.chunks(600))
    {
        fs::write(path(name), part).expect("the file is written");
    }
    fs::write(path("b.zim"), book).expect("the file is written");
    let links = |paths: &[&str]| {
        let paths = paths.iter().map(|name| path(name));
        let mut command = command(&["links", "-f", "csv", "--fields", "raw,line,column"]);
        let output = command.args(paths).output().expect("the program runs");
        String::from_utf8(output.stdout).expect("the output is UTF-8")
    };
    let whole = links(&["b.zim"]);
    assert!(whole.contains("jackdaw#head"), "{whole}");
    assert_eq!(links(&["b.zimaa"]), whole);
    assert_eq!(links(&["b.zimaa", "b.zimab", "b.zimac"]), whole);
}
