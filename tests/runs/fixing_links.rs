//! `audit --fix`: repairs of links by the results of a fetcher.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

use crate::command;

const STATUS: &str = "http://old.example/a 301 https://new.example/a?x&y\n\
    https://new.example/a?x&y 200 \n\
    http://old.example/i.png 308 https://new.example/i.png\nhttps://new.example/i.png 200 \n\
    http://old.example/t 302 https://new.example/t\nhttps://new.example/t 200 \n\
    http://gone.example/g 404 \nhttp://busy.example/ 503 \n";

const CDX: &str = "example,gone)/g 20230301100000 http://gone.example/g text/html 200 A 1\n\
    example,busy)/ 20230301100000 http://busy.example/ text/html 200 A 1\n\
    example,new)/t 20230301100000 http://new.example/t text/html 200 A 1\n";

const PAGE: &str = "<!-- http://old.example/a -->\r\n<a href=http://old.example/a#part>1</a>\n\
    <a href = 'http://old.example/a'>http://old.example/a</a> <a href=http://old.example/t>t</a>\n\
    <img srcset=\"http://old.example/i.png 1x, own.png 2x\" src=own.png>\n\
    <a href=\"HTTP://gone.example/g\">gone</a><a href=http://busy.example/>busy</a>";

const MOVED: &str = "<!-- http://old.example/a -->\r\n<a href=https://new.example/a?x&amp;y#part>1</a>\n\
    <a href = 'https://new.example/a?x&amp;y'>http://old.example/a</a> <a href=http://old.example/t>t</a>\n\
    <img srcset=\"https://new.example/i.png 1x, own.png 2x\" src=own.png>\n\
    <a href=\"HTTP://gone.example/g\">gone</a><a href=http://busy.example/>busy</a>";

fn site() -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder is made");
    let write = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().expect("the path has a parent"))
            .expect("the folder is made");
        fs::write(path, bytes).expect("the file is written");
    };
    write("site/a.html", PAGE.as_bytes());
    let page = "<meta charset=latin1><p>\u{e9}<a href=http://old.example/a>x</a>";
    let (latin, _, _) = encoding_rs::WINDOWS_1252.encode(page);
    write("site/d/b.html", &latin);
    write("site/own.png", b"\x89PNG\r\n\x1A\n");
    write("measured", STATUS.as_bytes());
    write("captures", CDX.as_bytes());
    folder
}

fn audit(folder: &Path, options: &[&str]) -> Output {
    let output = command(&["audit", "site", "--status", "measured"])
        .args(options)
        .current_dir(folder)
        .output();
    output.expect("the program runs")
}

/// How often each of some rules is in the findings about a folder.
fn count(folder: &Path, site: &str, rule: &str) -> usize {
    let output = command(&["audit", site, "-f", "jsonl", "--level", "note"])
        .args(["--status", "measured", "--status", "captures"])
        .current_dir(folder)
        .output()
        .expect("the program runs");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.matches(&format!("\"rule\":\"{rule}\"")).count()
}

#[test]
fn moved_links_get_new_urls() {
    let folder = site();
    let at = folder.path();
    assert_eq!(count(at, "site", "external/moved"), 4);
    let output = audit(at, &["--fix", "moved", "--fix-into", "fixed"]);
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(text.contains("4 links replaced in 2 documents"), "{text}");
    let fixed = |name: &str| fs::read(at.join("fixed").join(name)).expect("the file is read");
    assert_eq!(String::from_utf8_lossy(&fixed("a.html")), MOVED);
    let latin = fs::read(at.join("site/d/b.html")).expect("the file is read");
    let latin = String::from_utf8_lossy(&latin)
        .replace("http://old.example/a", "https://new.example/a?x&amp;y");
    assert_eq!(String::from_utf8_lossy(&fixed("d/b.html")), latin);
    assert_eq!(fixed("own.png"), b"\x89PNG\r\n\x1A\n");
    assert_eq!(count(at, "fixed", "external/moved"), 0);
    assert_eq!(count(at, "fixed", "external/unchecked"), 0);
    let again = command(&["audit", "fixed", "--status", "measured", "--fix", "moved"])
        .current_dir(at)
        .output()
        .expect("the program runs");
    assert_eq!(again.stdout, b"", "nothing is left to be fixed");
}

#[test]
fn patch_on_standard_output_applies() {
    let folder = site();
    let at = folder.path();
    let output = audit(at, &["--fix", "moved"]);
    let patch = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(patch.starts_with("--- a/a.html\n+++ b/a.html\n"), "{patch}");
    let mut tool = Command::new("patch")
        .args(["-p1", "--binary", "-s"])
        .current_dir(at.join("site"))
        .stdin(Stdio::piped())
        .spawn()
        .expect("patch runs");
    let mut input = tool.stdin.take().expect("the input of patch is a pipe");
    std::io::Write::write_all(&mut input, &output.stdout).expect("patch reads its input");
    drop(input);
    assert!(tool.wait().expect("patch ends").success());
    let page = fs::read_to_string(at.join("site/a.html")).expect("the file is read");
    assert_eq!(page, MOVED);
}

#[test]
fn lost_links_get_archived_copies() {
    let folder = site();
    let at = folder.path();
    let options = [
        "--status",
        "captures",
        "--fix",
        "archived",
        "--fix-into",
        "fixed",
    ];
    let output = audit(at, &options);
    assert_eq!(output.status.code(), Some(1));
    let page = fs::read_to_string(at.join("fixed/a.html")).expect("the file is read");
    let copy = "https://web.archive.org/web/20230301100000/http://gone.example/g";
    assert_eq!(page, PAGE.replace("HTTP://gone.example/g", copy));
    assert_eq!(count(at, "fixed", "external/dead"), 0);
    assert_eq!(count(at, "fixed", "external/archived"), 0);
    assert_eq!(count(at, "fixed", "external/unchecked"), 0);
    // With nothing but captures, whatever was captured is replaced.
    let output = command(&["audit", "site", "--status", "captures"])
        .args(["--fix", "archived,moved", "--fix-into", "all"])
        .current_dir(at)
        .output()
        .expect("the program runs");
    assert_eq!(output.status.code(), Some(0));
    let page = fs::read_to_string(at.join("all/a.html")).expect("the file is read");
    assert_eq!(
        page.matches("https://web.archive.org/").count(),
        2,
        "{page}"
    );
}

#[test]
fn only_counted_findings_fixed() {
    let folder = site();
    let at = folder.path();
    let output = audit(at, &["--fix", "moved", "--allow", "external/moved@a.html"]);
    let patch = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(patch.starts_with("--- a/d/b.html\n"), "{patch}");
    let output = audit(at, &["--fix", "moved", "--rule", "external/moved=off"]);
    assert_eq!(output.stdout, b"");
    let output = audit(at, &["--fix", "moved", "--exclude", "old.example"]);
    assert_eq!(output.stdout, b"");
}

#[test]
fn uneditable_links_reported() {
    let folder = site();
    let at = folder.path();
    let mail = "Content-Type: text/html\n\n<a href=http://old.example/a>x</a>\n";
    fs::write(at.join("site/m.eml"), mail).expect("the file is written");
    let within = "<iframe srcdoc=\"<a href='http://old.example/a'>\"></iframe>";
    fs::write(at.join("site/d/b.html"), within).expect("the file is written");
    let output = audit(at, &["--fix", "moved", "--fix-into", "fixed"]);
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(3), "{text}");
    assert!(text.contains("site/m.eml/1: "), "{text}");
    assert!(text.contains("site/d/b.html"), "{text}");
    assert!(text.contains("3 links replaced in 1 document"), "{text}");
    let fixed =
        |name: &str| fs::read_to_string(at.join("fixed").join(name)).expect("the file is read");
    assert_eq!(
        (fixed("m.eml"), fixed("d/b.html")),
        (mail.to_owned(), within.to_owned())
    );
}

#[test]
fn fix_needs_link_report_and_new_folder() {
    let folder = site();
    let run = |options: &[&str]| {
        let output = command(&["audit", "site"])
            .args(options)
            .current_dir(folder.path())
            .output()
            .expect("the program runs");
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{text}");
        text
    };
    assert!(run(&["--fix", "moved"]).contains("--status"));
    assert!(run(&["--status", "measured", "--fix", "move"]).contains("did you mean `moved`?"));
    assert!(run(&["--status", "measured", "--fix-into", "x"]).contains("--fix"));
    let inside = ["--status", "measured", "--fix", "moved", "--fix-into"];
    run(&[&inside[..], &["site"]].concat());
    run(&[&inside[..], &["site/new"]].concat());
}
