//! Runs of `verify-move`: whole trees, as a user would have them.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use tempfile::TempDir;

use crate::{rows, write_files};

const MOVE: [&str; 6] = [
    "--from",
    "http://old.example.com/",
    "--also-old",
    "https://old.example.com/",
    "--to",
    "https://www.example.com/docs/",
];

/// A tree of these files.
pub(super) fn tree(files: &[(&str, &str)]) -> TempDir {
    let dir = tempfile::tempdir().expect("a temporary folder is made");
    write_files(dir.path(), files);
    dir
}

fn verify(arguments: &[&str], dir: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_baseref"))
        .arg("verify-move")
        .args(arguments)
        .arg(dir)
        .output()
        .expect("the program runs")
}

/// The rules and values of the findings, in their order.
fn findings(arguments: &[&str], dir: &Path) -> Vec<String> {
    let output = verify(
        &[arguments, &["-f", "jsonl", "--level", "note"]].concat(),
        dir,
    );
    let found = rows(&output)
        .into_iter()
        .filter(|value| value["type"] == "finding")
        .map(|value| {
            format!(
                "{} {}",
                value["rule"].as_str().expect("the value is a string"),
                value["raw"].as_str().expect("the value is a string")
            )
        });
    found.collect()
}

#[test]
fn rule_step_limit() {
    let links: Vec<String> = (0..400)
        .map(|n| format!("<a href=/{}{n}>x</a>", "a".repeat(100)))
        .collect();
    // Each answer meets the limit of one.
    let rules = "RedirectMatch ^/([a-c]{20000}|x)$ /t\n";
    let dir = tree(&[
        ("site/a.html", &links.concat()),
        ("rebuilt/a.html", ""),
        ("rules", rules),
    ]);
    let (rebuilt, rules) = (dir.path().join("rebuilt"), dir.path().join("rules"));
    let rules = format!("apache:{}", rules.display());
    let arguments = [
        "--from",
        "http://h/",
        "--to",
        "http://h/",
        "--new-tree",
        rebuilt.to_str().expect("the path is UTF-8"),
        "--redirects",
        &rules,
    ];
    let output = verify(&arguments, &dir.path().join("site"));
    assert_eq!(output.status.code(), Some(3));
    let said = String::from_utf8(output.stdout).expect("the output is UTF-8");
    assert!(said.contains("rule-steps-of-file"), "{said}");
    assert!(
        said.contains("Not known: the rules take too many steps"),
        "{said}"
    );
    assert!(!said.contains("Ready to move."), "{said}");
}

#[test]
fn old_base_edited_once() {
    let page = "<base href=\"http://old.example.com/g/\"><a href=b.html>1</a><a href=c.html>2</a>";
    let dir = tree(&[("g/a.html", page)]);
    assert_eq!(
        findings(&MOVE, dir.path()),
        [
            "move/base-pins-document http://old.example.com/g/",
            "move/pinned-to-old b.html",
            "move/pinned-to-old c.html",
        ]
    );
    let output = verify(&[&MOVE[..], &["--fix", "patch"]].concat(), dir.path());
    assert_eq!(output.status.code(), Some(1));
    let new = page.replace("http://old.example.com/", "https://www.example.com/docs/");
    let diff = format!(
        "--- a/g/a.html\n+++ b/g/a.html\n@@ -1,1 +1,1 @@\n-{page}\n\\ No newline at end of file\n\
         +{new}\n\\ No newline at end of file\n"
    );
    assert_eq!(
        String::from_utf8(output.stdout).expect("the output is UTF-8"),
        diff
    );
}

#[test]
fn second_fix_changes_nothing() {
    let page = "<a href='http://old.example.com/a?x=1&amp;y=2'>1</a><a href=\"/b.html\">2</a>\r\n\
        <pre>&lt;a href=\"http://old.example.com/\"&gt;</pre><!-- http://old.example.com/ -->\
        <img srcset=\"/i.png 1x, //old.example.com/j.png 2x\">\
        <a href=\"../../c.html\">3</a><a href=mailto:x@y>4</a>";
    let dir = tree(&[("g/a.html", page), ("g/other.css", "a{}")]);
    let out = tempfile::tempdir().expect("a temporary folder is made");
    let folder = out.path().join("new");
    let fix = ["--fix", folder.to_str().expect("the path is UTF-8")];
    assert_eq!(
        verify(&[&MOVE[..], &fix].concat(), dir.path())
            .status
            .code(),
        Some(1)
    );
    let mended = page
        .replace(
            "'http://old.example.com/a",
            "'https://www.example.com/docs/a",
        )
        .replace("\"/b.html\"", "\"../b.html\"")
        .replace(
            "\"/i.png 1x, //old.example.com/j",
            "\"../i.png 1x, https://www.example.com/docs/j",
        )
        .replace("../../c.html", "../c.html");
    assert_eq!(
        fs::read_to_string(folder.join("g/a.html")).expect("the file is read"),
        mended
    );
    assert_eq!(
        fs::read_to_string(folder.join("g/other.css")).expect("the file is read"),
        "a{}"
    );
    let again = verify(&[&MOVE[..], &["--fix", "patch"]].concat(), &folder);
    assert_eq!((again.status.code(), again.stdout), (Some(0), Vec::new()));
}

#[test]
fn template_links_moved() {
    let page = "<a href=\"a.html\">a</a>\n<template><a href=\"http://old.example.com/a.html\">b</a>\
                <a href=\"/c.html\">c</a><a href=\"../d.html\">d</a><a href=\"{{ url }}\">e</a>\
                <img src=\"\"><img src=\"/i/{{ name }}.png\"><base href=\"http://old.example.com/x/\">\
                <iframe srcdoc='<a href=\"/g.html\">'></iframe></template>\
                <my-tabs><template shadowrootmode=\"open\"><link rel=\"stylesheet\" href=\"/s.css\">\
                </template></my-tabs>\n";
    let files = [("a.html", page), ("c.html", ""), ("s.css", "")];
    let dir = tree(&files);
    assert_eq!(
        findings(&MOVE, dir.path()),
        [
            // Lines of a document in an attribute are its own.
            "move/climbs-out /g.html",
            "move/pinned-to-old http://old.example.com/a.html",
            "move/climbs-out /c.html",
            "move/climbs-out ../d.html",
            "move/climbs-out /i/{{ name }}.png",
            "move/unrewritten-occurrence //old.example.com",
            "move/climbs-out /s.css",
        ]
    );
    let site = dir.path().join("site");
    fs::create_dir(&site).expect("the folder is made");
    for (name, text) in files {
        fs::write(site.join(name), text).expect("the file is written");
    }
    let fixed = dir.path().join("fixed");
    let fix = ["--fix", fixed.to_str().expect("the path is UTF-8")];
    let output = verify(&[&MOVE[..], &fix].concat(), &site);
    let said = String::from_utf8(output.stderr).expect("the messages are UTF-8");
    assert!(said.ends_with("baseref: 5 values edited\n"), "{said}");
    let mended = fs::read_to_string(fixed.join("a.html")).expect("the file is read");
    let wanted = page
        .replace(
            "http://old.example.com/a.html",
            "https://www.example.com/docs/a.html",
        )
        .replace("\"/c.html", "\"c.html")
        .replace("\"../d.html", "\"d.html")
        .replace("\"/i/", "\"i/")
        .replace("\"/s.css", "\"s.css");
    assert_eq!(mended, wanted);
    // `links` and `audit` have no links of a template, except of one that becomes a shadow root.
    let links = Command::new(env!("CARGO_BIN_EXE_baseref"))
        .args(["links", "--links", "all", "-f", "jsonl"])
        .arg(site.join("a.html"))
        .output()
        .expect("the program runs");
    assert_eq!(rows(&links).len(), 2);
}

/// The verdict on a site with this page, checked with or without `--fix` into a new folder.
fn repair_verdict(page: &str, is_fixing: bool) -> String {
    let dir = tree(&[("site/a.html", page), ("site/b.html", "")]);
    let fixed = dir.path().join("fixed").display().to_string();
    let fix: &[&str] = if is_fixing { &["--fix", &fixed] } else { &[] };
    let output = verify(
        &[&MOVE[..], fix, &["-f", "jsonl"]].concat(),
        &dir.path().join("site"),
    );
    let mut rows = rows(&output).into_iter();
    let summary = rows.find(|row| row["type"] == "summary");
    let summary = summary.expect("the report ends with a summary");
    let verdict = summary["verdict"].as_str();
    verdict.expect("the verdict is a string").to_owned()
}

#[test]
fn verdict_with_fix_counts_repaired_and_left() {
    let one = "<a href=/b.html>1</a>";
    let two = "<a href=/b.html>1</a><a href=/a.html>2</a>";
    let in_style = "<style>a { background: url(/b.png) }</style>";
    let partly = [two, in_style].concat();
    let cases = [
        (one, false, "`--fix` can repair it."),
        (one, true, "`--fix` repairs it in its output."),
        (two, false, "`--fix` can repair them."),
        (two, true, "`--fix` repairs them in its output."),
        (&partly, false, "`--fix` can repair 2 of them."),
        (
            &partly,
            true,
            "`--fix` repairs 2 of them in its output; 1 link is left.",
        ),
    ];
    for (page, is_fixing, end) in cases {
        let verdict = repair_verdict(page, is_fixing);
        assert!(
            verdict.ends_with(&format!("would break: root-relative. {end}")),
            "{verdict}"
        );
    }
    let none = repair_verdict(in_style, true);
    assert!(
        none.ends_with("1 link in 1 document would break: root-relative."),
        "{none}"
    );
}

#[test]
fn second_base_unchanged() {
    let page = "<base href=\"http://old.example.com/g/\"><base href=\"/x/\"><a href=b.html>1</a>";
    let dir = tree(&[("g/a.html", page)]);
    let output = verify(&[&MOVE[..], &["--fix", "patch"]].concat(), dir.path());
    let new = page.replace("http://old.example.com/", "https://www.example.com/docs/");
    let diff = String::from_utf8(output.stdout).expect("the output is UTF-8");
    assert!(diff.contains(&format!("\n+{new}\n")), "{diff}");
}

#[test]
fn unedited_links_reported() {
    let page =
        "<meta charset=windows-1252><style>a{background:url(http://old.example.com/i.png)}</style>";
    let dir = tree(&[("g/a.html", page)]);
    let output = verify(&[&MOVE[..], &["--fix", "patch"]].concat(), dir.path());
    assert_eq!((output.status.code(), output.stdout), (Some(1), Vec::new()));
    let said = String::from_utf8(output.stderr).expect("the output is UTF-8");
    assert!(
        said.contains("1 link not edited: `--level warning`"),
        "{said}"
    );
}

#[test]
fn mail_checked_but_not_edited() {
    let mail = "From: a@b\nBase: <URL:http://old.example.com/g/>\nContent-Type: text/html\n\n\
        <a href=\"b.html\">x</a>\n";
    let dir = tree(&[("m.eml", mail)]);
    assert!(findings(&MOVE, dir.path()).contains(&"move/pinned-to-old b.html".to_owned()));
    let output = verify(&[&MOVE[..], &["--fix", "patch"]].concat(), dir.path());
    assert_eq!((output.status.code(), output.stdout), (Some(3), Vec::new()));
}

#[test]
fn style_sheet_checked_but_not_edited() {
    let dir = tree(&[("d/s.css", "a { background: url(/x.png) }")]);
    let output = verify(&[&MOVE[..], &["--fix", "patch"]].concat(), dir.path());
    assert_eq!((output.status.code(), output.stdout), (Some(1), Vec::new()));
    assert!(findings(&MOVE, dir.path()).contains(&"move/climbs-out /x.png".to_owned()));
}

#[test]
fn browser_differences_reported_not_edited() {
    let dir = tree(&[("d/a.html", "<a href=http:b>x</a>")]);
    let from_to = ["--from", "http://x.example/", "--to", "https://x.example/"];
    assert_eq!(
        findings(&from_to, dir.path()),
        ["move/malformed http:b", "move/resolver-dependent http:b"]
    );
}

#[test]
fn rebuilt_site_losses() {
    let old = tree(&[
        (
            "a.html",
            "<a href=b.html>B</a><a href=none.html>N</a><a href=c.html#Install>C</a>\
             <a href=guide.html>Guide</a>",
        ),
        ("b.html", ""),
        ("c.html", "<p id=Install>"),
        ("guide.html", ""),
        ("index.html", ""),
    ]);
    let new = tree(&[
        (
            "a.html",
            "<a href=b.html>B</a><a href=none.html>N</a><a href=c.html#Install>C</a>\
             <a href=index.html>Guide</a><a href=new.html>New</a>",
        ),
        ("c.html", "<p id=install>"),
        ("guide.html", ""),
        ("index.html", ""),
    ]);
    let url = "https://d.example/";
    let new_tree = new.path().to_str().expect("the path is UTF-8");
    let found = findings(
        &["--from", url, "--to", url, "--new-tree", new_tree],
        old.path(),
    );
    for wanted in [
        "move/lost-page b.html",
        "move/already-broken none.html",
        "move/lost-fragment c.html#Install",
        "move/changed-target index.html",
        "move/new-broken new.html",
    ] {
        assert!(found.contains(&wanted.to_owned()), "{wanted} in {found:?}");
    }
}

/// The findings about fragments of a tree that is replaced at its place by `new`.
fn lost_fragments(old: &[(&str, &str)], new: &[(&str, &str)], arguments: &[&str]) -> Vec<String> {
    let (old, new) = (tree(old), tree(new));
    let url = "https://d.example/";
    let new_tree = new.path().to_str().expect("the path is UTF-8");
    let place = ["--from", url, "--to", url, "--new-tree", new_tree];
    let mut found = findings(&[&place, arguments].concat(), old.path());
    found.retain(|finding| finding.contains('#'));
    found
}

#[test]
fn lost_line_ranges() {
    let index = "<a href=src.html#1-3>a</a><a href=src.html#L7-L9>b</a><a href=src.html#2-4>c</a>\
                 <a href=src.html#8-9>d</a>";
    let old = "<p id=1><p id=2><p id=3><p id=4><p id=L7><p id=L9>";
    let found = lost_fragments(
        &[("index.html", index), ("src.html", old)],
        &[
            ("index.html", index),
            ("src.html", &old.replace("<p id=4>", "")),
        ],
        &[],
    );
    assert_eq!(
        found,
        [
            "move/lost-fragment src.html#2-4",
            "move/already-broken src.html#8-9"
        ]
    );
}

#[test]
fn refresh_page_keeps_fragments() {
    let lead = |to: &str| {
        format!(
            "<meta http-equiv=refresh content='9;URL={to}'>\
             <script>location.replace('{to}' + location.hash)</script>"
        )
    };
    let index = "<a href=moved.html#kept>a</a><a href=moved.html#lost>b</a>\
                 <a href=moved.html#none>c</a><a href=c.html#kept>d</a>";
    let found = lost_fragments(
        &[
            ("index.html", index),
            ("moved.html", &lead("b/")),
            ("b/index.html", &lead("../c.html")),
            ("c.html", "<p id=kept><p id=lost>"),
        ],
        &[
            ("index.html", index),
            ("moved.html", &lead("c.html")),
            ("b/index.html", ""),
            ("c.html", &lead("d.html")),
            ("d.html", "<p id=kept>"),
        ],
        &[],
    );
    assert_eq!(
        found,
        [
            "move/lost-fragment moved.html#lost",
            "move/already-broken moved.html#none"
        ]
    );
}

#[test]
fn redirect_with_fragment_keeps_others() {
    let index = "<a href=a.html#x>a</a><a href=b.html#x>b</a>";
    let rules = tree(&[(
        "rules.csv",
        "from,to\n/a.html,/c.html#y\n/b.html,/c.html#z\n",
    )]);
    let rules = format!(
        "--redirects=csv:{}",
        rules.path().join("rules.csv").display()
    );
    let found = lost_fragments(
        &[
            ("index.html", index),
            ("a.html", "<p id=x>"),
            ("b.html", "<p id=x>"),
        ],
        &[("index.html", index), ("c.html", "<p id=y>")],
        &[&rules],
    );
    assert_eq!(found, ["move/lost-fragment b.html#x"]);
}

#[test]
fn url_map_follows_redirect_chains() {
    let dir = tree(&[("index.html", ""), ("c.html", ""), ("d/index.html", "")]);
    let more = tempfile::tempdir().expect("a temporary folder is made");
    let path = |name: &str| {
        more.path()
            .join(name)
            .to_str()
            .expect("the path is UTF-8")
            .to_owned()
    };
    fs::write(
        path("rules"),
        "/a /b 301\n/b /c.html 301\n/l1 /l2 301\n/l2 /l1 301\n/x /gone 301\n/d2 /d 301\n",
    )
    .expect("the file is written");
    fs::write(path("urls.txt"), "/a\n/none\n").expect("the file is written");
    let rules = format!("--redirects=nginx:{}", path("rules"));
    assert_eq!(
        verify(
            &["--from", "http://h/", "--to", "http://h/", &rules],
            dir.path()
        )
        .status
        .code(),
        Some(1)
    );
    let rules = format!("--redirects=netlify:{}", path("rules"));
    let urls = format!("--urls={}", path("urls.txt"));
    let out = format!("--out=urlmap={}", path("map.csv"));
    let arguments = [
        "--from",
        "http://h/",
        "--to",
        "http://h/",
        &rules,
        &urls,
        &out,
    ];
    let found = findings(&arguments, dir.path());
    let map = fs::read_to_string(path("map.csv")).expect("the file is read");
    for row in [
        "http://h/,http://h/,200,0,page-ok,0",
        "http://h/a,http://h/c.html,301,2,redirect/chain,0",
        "http://h/none,http://h/none,404,0,lost-page,0",
    ] {
        assert!(map.lines().any(|line| line == row), "{row} in\n{map}");
    }
    for wanted in [
        "redirect/chain /a",
        "redirect/loop /l1",
        "redirect/dead-target /x",
    ] {
        assert!(found.contains(&wanted.to_owned()), "{wanted} in {found:?}");
    }
    // Both rules of the loop are one cause.
    let netlify = format!("--redirects=netlify:{}", path("rules"));
    let arguments = ["--from", "http://h/", "--to", "http://h/", &netlify];
    let text =
        String::from_utf8(verify(&arguments, dir.path()).stdout).expect("the output is UTF-8");
    assert!(text.contains("error: redirect loop: /l1\n"), "{text}");
    assert!(!text.contains("error: redirect loop: /l2\n"), "{text}");
}

#[test]
fn same_or_hostless_move_is_bad_usage() {
    let dir = tree(&[("a.html", "")]);
    for (from, to) in [
        ("http://h/", "http://h/"),
        ("/a/", "http://h/"),
        ("http://h/?q", "http://g/"),
    ] {
        let output = verify(&["--from", from, "--to", to], dir.path());
        assert_eq!(output.status.code(), Some(2), "{from} {to}");
    }
    let empty = tempfile::tempdir().expect("a temporary folder is made");
    assert_eq!(verify(&MOVE, empty.path()).status.code(), Some(2));
}

/// The arguments of a worked case, one per line in its folder.
fn arguments(case: &Path) -> Vec<String> {
    let text = fs::read_to_string(case.join("arguments")).expect("the file is read");
    text.lines().map(str::to_owned).collect()
}

fn run_case(case: &Path, more: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_baseref"))
        .arg("verify-move")
        .args(more)
        .args(arguments(case))
        .current_dir(case)
        .output()
        .expect("the program starts")
}

/// The exit code, each finding with what it says about the move, and the number of links in each
/// class.
fn verdict(case: &Path) -> String {
    let output = run_case(case, &["-fjsonl", "--level=note", "--no-group"]);
    let mut lines = vec![format!(
        "exit {}",
        output.status.code().expect("the program exits with a code")
    )];
    for value in rows(&output) {
        let text = |name: &str| match value[name].as_str() {
            Some("") | None => "-".to_owned(),
            Some(text) => text.to_owned(),
        };
        if value["type"] == "summary" {
            let classes = value["classes"]
                .as_object()
                .expect("the summary counts by class");
            let classes = classes.iter().filter(|(_, count)| **count != 0);
            lines.extend(classes.map(|(name, count)| format!("class {name} {count}")));
        } else {
            let names = ["level", "rule", "raw", "via", "new_url", "expected"];
            lines.push(names.map(text).join(" "));
        }
    }
    lines.sort_unstable();
    lines.join("\n") + "\n"
}

/// The exit code and the patch of a run with `--fix`.
fn patch(case: &Path) -> String {
    let output = run_case(case, &["--fix=patch"]);
    let patch = String::from_utf8_lossy(&output.stdout).into_owned();
    format!(
        "exit {}\n{patch}",
        output.status.code().expect("the program exits with a code")
    )
}

#[test]
fn verdict_of_each_example() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/move");
    let mut cases: Vec<_> = fs::read_dir(folder)
        .expect("the folder is read")
        .map(|case| case.expect("the folder of cases is read").path())
        .collect();
    cases.sort();
    assert!(cases.len() >= 42, "all cases are found");
    let is_renewed = std::env::var_os("BASEREF_RENEW").is_some();
    let mut wrong = Vec::new();
    for case in &cases {
        let made = [("expected", verdict(case)), ("fixed", patch(case))];
        for (name, made) in made {
            let file = case.join(name);
            let Ok(wanted) = fs::read_to_string(&file) else {
                assert_eq!(name, "fixed", "{}", case.display());
                continue;
            };
            if is_renewed {
                fs::write(&file, &made).expect("the case is renewed");
            } else if made != wanted {
                wrong.push(format!("{}:\n{made}instead of\n{wanted}", file.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
#[cfg(target_os = "linux")]
fn non_utf_8_name_moved() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    let (old, new) = (tree(&[("gone.html", "")]), tree(&[("other.html", "")]));
    let name = OsStr::from_bytes(b"caf\xe9.html");
    let page = "<title>a</title>\n<a href=gone.html>x</a>";
    fs::write(old.path().join(name), page).expect("the file is written");
    fs::write(new.path().join(name), page).expect("the file is written");
    let arguments = ["--from", "http://h/", "--to", "http://n/d/", "--new-tree"];
    let new_tree = new.path().to_str().expect("the path is UTF-8");
    let output = verify(&[&arguments[..], &[new_tree]].concat(), old.path());
    let text = String::from_utf8(output.stdout).expect("the output is UTF-8");
    for part in [
        "2 | <a href=gone.html>x</a>",
        "old site: 2 pages; new site: 2 pages, 1 of them with an old counterpart",
        "1 link is broken in the new site.",
    ] {
        assert!(text.contains(part), "{part} in\n{text}");
    }
    let output = verify(
        &["--from", "http://h/", "--to", "http://n/", "-fjsonl"],
        old.path(),
    );
    assert_eq!(output.status.code(), Some(0));
    let rows = old.path().with_extension("urls");
    let map = format!("urlmap={}", rows.display());
    verify(
        &["--from", "http://h/", "--to", "http://n/", "--out", &map],
        old.path(),
    );
    let map = fs::read_to_string(&rows).expect("the file is read");
    fs::remove_file(&rows).expect("the file is removed");
    assert!(map.contains("http://h/caf%E9.html,"), "{map}");
}

#[test]
fn canonical_link_in_every_syntax() {
    for link in [
        "<link rel=canonical href=http://old.example.com/release/a.html>",
        "<link href=http://old.example.com/release/a.html rel=canonical>",
        "<LINK REL=' x Canonical ' HREF=http://old.example.com/release/a.html>",
        "<link title='a>b rel=icon' rel='&#99;anonical' href=http://old.example.com/release/a.html>",
        "<link data-rel=icon title=rel rel=\"alternate\" href=http://old.example.com/release/a.html>",
    ] {
        let dir = tree(&[("release/a.html", link)]);
        assert_eq!(
            findings(&MOVE, dir.path()),
            ["move/canonical-pinned http://old.example.com/release/a.html"],
            "{link}"
        );
    }
    let link = "<link href=http://old.example.com/a.css rel='alternate stylesheet'>";
    let dir = tree(&[("a.html", link), ("a.css", "")]);
    assert_eq!(
        findings(&MOVE, dir.path()),
        ["move/pinned-to-old http://old.example.com/a.css"]
    );
}

#[test]
fn url_without_page_by_kind() {
    let old = tree(&[("b.html", ""), ("c.html", "")]);
    let new = tree(&[("c.html", "")]);
    let new = new.path().to_str().expect("the path is UTF-8");
    let same = ["--from", "http://h.example/", "--to", "http://h.example/"];
    let output = verify(&[&same[..], &["--new-tree", new]].concat(), old.path());
    let text = String::from_utf8(output.stdout).expect("the output is UTF-8");
    let line = text.lines().find(|line| line.contains("b.html: "));
    let line = line.expect("b.html has a finding").rsplit_once("b.html: ");
    assert_eq!(
        line.map(|(_, said)| said),
        Some("http://h.example/b.html leads nowhere"),
        "{text}"
    );
    let rules = tree(&[("_redirects", "/x /y\n")]);
    let rules = format!("netlify:{}", rules.path().join("_redirects").display());
    let moves = ["--from", "http://h.example/", "--to", "http://i.example/"];
    let output = verify(&[&moves[..], &["--redirects", &rules]].concat(), old.path());
    let text = String::from_utf8(output.stdout).expect("the output is UTF-8");
    assert!(
        text.contains(
            "b.html: http://h.example/b.html leads nowhere, should be http://i.example/b.html"
        ),
        "{text}"
    );
    assert!(!text.contains("\"\""), "{text}");
}

#[test]
fn non_page_urls_not_moved() {
    let page = "<a href='mailto:?body=https://old.example.com/a.html'>\
        <a href=\"javascript:open('http://old.example.com/')\"><a href='data:,http://x.example/'>\
        <a href='tel:+1'><a href='magnet:?tr=udp://t.example:80'>";
    let dir = tree(&[("a.html", page)]);
    let output = verify(&[&MOVE[..], &["-f", "jsonl"]].concat(), dir.path());
    assert_eq!(output.status.code(), Some(0));
    let text = String::from_utf8(output.stdout).expect("the output is UTF-8");
    let summary: serde_json::Value =
        serde_json::from_str(text.trim()).expect("the output is one line of JSON");
    assert_eq!(summary["classes"]["opaque"], 5, "{text}");
    assert_eq!(summary["links"], 5, "{text}");
}
