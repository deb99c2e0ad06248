//! `audit --status`: links to other sites, by what somebody else measured.

use std::fs;
use std::path::Path;

use serde_json::Value;
use tempfile::TempDir;

use crate::{audited, command, rows};

const PAGE: &str = "<a href=http://a.example/alive>a</a>\n\
    <a href=http://a.example/gone#part>b</a>\n\
    <a href=http://a.example/moved#part>c</a>\n\
    <a href=http://none.example/>d</a>\n\
    <a href=http://a.example/busy>e</a>\n\
    <a href=http://a.example/new>f</a>\n\
    <a href=mailto:a@b.example>g</a>\n\
    <a href=HTTP://A.example:80/%67one>h</a>\n";

/// The rule, the line and the message of each finding about another site.
fn findings(folder: &Path, options: &[&str]) -> Vec<(String, u64, String)> {
    let (findings, _) = audited(folder, &[&[".", "--level", "note"], options].concat());
    findings
        .into_iter()
        .filter_map(|finding| {
            let rule = finding["rule"]
                .as_str()?
                .strip_prefix("external/")?
                .to_owned();
            let message = finding["message"].as_str()?.to_owned();
            Some((rule, finding["line"].as_u64()?, message))
        })
        .collect()
}

fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder is made");
    for (name, text) in files {
        fs::write(folder.path().join(name), text).expect("the file is written");
    }
    folder
}

const CURL: &str = "http://a.example/alive 200 \nhttp://a.example/gone 404 \n\
    http://a.example/moved 308 http://b.example/\nhttp://none.example/\t000\t\tCould not resolve host: none.example\n\
    http://a.example/busy 503 \n";

const LYCHEE: &str = r#"{"success_map": {"p": [{"url": "http://a.example/alive", "status": {"text": "200 OK", "code": 200}},
    {"url": "http://a.example/moved", "status": {"text": "200 OK", "code": 200}}]},
  "error_map": {"p": [{"url": "http://a.example/gone", "status": {"text": "Rejected status code: 404 Not Found", "code": 404}},
    {"url": "http://none.example/", "status": {"text": "Network error", "details": "dns error: failed to lookup address information"}},
    {"url": "http://a.example/busy", "status": {"text": "Rejected status code: 503", "code": 503}}]},
  "redirect_map": {"p": [{"origin": "http://a.example/moved", "redirects": [{"url": "http://b.example/", "code": 308}]}]}}"#;

const SPHINX: &str = r#"{"filename": "p.rst", "lineno": 1, "status": "working", "code": 0, "uri": "http://a.example/alive", "info": ""}
{"filename": "p.rst", "lineno": 1, "status": "broken", "code": 0, "uri": "http://a.example/gone", "info": "404 Client Error: Not Found for url: http://a.example/gone"}
{"filename": "p.rst", "lineno": 1, "status": "redirected", "code": 308, "uri": "http://a.example/moved", "info": "http://b.example/"}
{"filename": "p.rst", "lineno": 1, "status": "broken", "code": 0, "uri": "http://none.example/", "info": "HTTPConnectionPool(host='none.example', port=80): NameResolutionError: Name or service not known"}
{"filename": "p.rst", "lineno": 1, "status": "ignored", "code": 0, "uri": "http://a.example/busy", "info": "service unavailable"}
"#;

const LINKCHECKER: &str = "# created by LinkChecker\n\
    urlname;parentname;base;result;warningstring;infostring;valid;url;line;column;name;dltime;size;checktime;cached;level;modified\n\
    http://a.example/alive;p;;200 OK;;;True;http://a.example/alive;1;1;;-1;-1;0;0;1;\n\
    http://a.example/gone;p;;404 Not Found;;;False;http://a.example/gone;1;1;;-1;-1;0;0;1;\n\
    http://a.example/moved;p;;200 OK;Redirected to `http://b.example/' status: 308 Permanent Redirect.;;True;http://b.example/;1;1;;-1;-1;0;0;1;\n\
    http://none.example/;p;;ConnectionError: Failed to resolve 'none.example';;;False;http://none.example/;1;1;;-1;-1;0;0;1;\n\
    http://a.example/busy;p;;503 Service Unavailable;;;False;http://a.example/busy;1;1;;-1;-1;0;0;1;\n";

const TABLE: &str = "date,url,status,final\n2026-01-02,http://a.example/alive,200,\n,http://a.example/gone,404,\n\
    ,http://a.example/moved,308,http://b.example/\n,http://none.example/,no such host,\n,http://a.example/busy,503,\n";

#[test]
fn same_findings_from_every_format() {
    let folder = folder(&[
        ("p.html", PAGE),
        ("curl.txt", CURL),
        ("lychee.json", LYCHEE),
        ("output.json", SPHINX),
        ("linkchecker.csv", LINKCHECKER),
        ("table.csv", TABLE),
    ]);
    let expected = [
        ("dead", 2),
        ("moved", 3),
        ("dead", 4),
        ("unknown", 5),
        ("unchecked", 6),
        ("dead", 8),
    ];
    for file in [
        "curl.txt",
        "lychee.json",
        "output.json",
        "linkchecker.csv",
        "table.csv",
    ] {
        let found = findings(folder.path(), &["--status", file]);
        let found: Vec<(&str, u64)> = found
            .iter()
            .map(|(rule, line, _)| (rule.as_str(), *line))
            .collect();
        assert_eq!(found, expected, "{file}");
    }
    assert_eq!(findings(folder.path(), &[]), []);
}

const CDX: &str = " CDX N b a m s k r M S V g\n\
    example,a)/gone 20190301100000 http://a.example/gone text/html 200 A - - 1 2 a.warc.gz\n\
    example,a)/gone 20230301100000 https://www.a.example/gone text/html 200 A - - 1 2 a.warc.gz\n\
    example,a)/gone 20240301100000 http://a.example/gone text/html 404 A - - 1 2 a.warc.gz\n\
    example,a)/moved 20230301100000 http://a.example/moved text/html 200 A - - 1 2 a.warc.gz\n\
    example,a)/new 20230301100000 http://a.example/new text/html 200 A - - 1 2 a.warc.gz\n";

#[test]
fn archived_copy_nearest_to_page_date() {
    let folder = folder(&[("p.html", PAGE), ("curl.txt", CURL), ("a.cdx", CDX)]);
    let archived = |options: &[&str]| {
        let output = command(&["audit", "p.html", "-f", "jsonl", "--level", "note"])
            .args(options)
            .current_dir(folder.path())
            .output()
            .expect("the program runs");
        let findings = rows(&output).into_iter();
        let archived = findings.filter(|finding| finding["rule"] == "external/archived");
        let place = |finding: Value| {
            let url = finding["suggestions"][0].as_str().unwrap_or_default();
            let message = finding["message"]
                .as_str()
                .expect("the finding has a message");
            let said = if url.is_empty() { message } else { url };
            (
                finding["line"].as_u64().expect("the line is a number"),
                said.to_owned(),
            )
        };
        archived.map(place).collect::<Vec<_>>()
    };
    // What moved is not dead.
    let last = "https://web.archive.org/web/20230301100000/https://www.a.example/gone#part";
    let new = "https://web.archive.org/web/20230301100000/http://a.example/new";
    let both = ["--status", "curl.txt", "--status", "a.cdx"];
    let unmeasured = format!("archived on 2023-03-01 ({new}); the link was not checked");
    let expected = [
        (2, last),
        (6, &unmeasured),
        (8, last.trim_end_matches("#part")),
    ];
    let expected = expected.map(|(line, url)| (line, url.to_owned()));
    assert_eq!(archived(&both), expected);
    fs::write(
        folder.path().join("p.html"),
        format!("<meta name=date content=2020-01-01>{PAGE}"),
    )
    .expect("the file is written");
    let own = ["--archive-url", "http://localhost:8080/all"];
    let found = archived(&[&both[..], &own].concat());
    let first = "http://localhost:8080/all/20190301100000/http://a.example/gone#part";
    assert_eq!(found[0], (2, first.to_owned()));
    // A link to a copy that is known works.
    fs::write(
        folder.path().join("p.html"),
        format!("<a href='{last}'>x</a><a href='{new}2'>not captured</a>"),
    )
    .expect("the file is written");
    let found = findings(folder.path(), &both);
    let rules: Vec<&str> = found.iter().map(|(rule, ..)| rule.as_str()).collect();
    assert_eq!(rules, ["unchecked"]);
}

#[test]
fn link_report_on_standard_input() {
    let folder = folder(&[("p.html", PAGE), ("curl.txt", CURL)]);
    let input = fs::File::open(folder.path().join("curl.txt")).expect("the file is opened");
    let output = command(&["audit", "p.html", "--status", "-"])
        .current_dir(folder.path())
        .stdin(input)
        .output()
        .expect("the program runs");
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(text.matches("(external/dead)").count(), 3, "{text}");
}

#[test]
fn old_link_report_noted() {
    let folder = folder(&[
        (
            "p.html",
            "<a href=http://a.example/alive>a</a>\n<a href=http://a.example/gone>b</a>",
        ),
        (
            "table.csv",
            "date,url,status\n2026-01-02,http://a.example/alive,200\n2026-01-02,http://a.example/gone,410\n",
        ),
    ]);
    let asked = |days| {
        // 2026-02-01.
        let mut command = command(&[
            "audit",
            ".",
            "-f",
            "jsonl",
            "--level",
            "note",
            "--status",
            "table.csv",
        ]);
        command
            .args(["--max-age", days])
            .env("SOURCE_DATE_EPOCH", "1769904000");
        let output = command
            .current_dir(folder.path())
            .output()
            .expect("the program runs");
        String::from_utf8(output.stdout).expect("the output is UTF-8")
    };
    let old = asked("10");
    assert_eq!(old.matches("longer ago than --max-age").count(), 2, "{old}");
    assert!(
        old.contains("external/unchecked") && old.contains("external/dead"),
        "{old}"
    );
    let recent = asked("60");
    assert!(
        !recent.contains("longer ago") && !recent.contains("external/unchecked"),
        "{recent}"
    );
}

#[test]
fn invalid_link_report_is_bad_usage() {
    let folder = folder(&[
        ("p.html", PAGE),
        ("cut.json", "{\"success_map\": {\n"),
        ("no-header.csv", "http://a.example/,200\n"),
        ("urls.txt", "http://a.example/\nhttp://b.example/\n"),
        ("empty.txt", "\n"),
    ]);
    for (file, said) in [
        ("cut.json", "--status: cut.json:2: EOF"),
        (
            "no-header.csv",
            "--status: no-header.csv:1: the table has no header",
        ),
        (
            "urls.txt",
            "--status: urls.txt:1: it lists URLs without results",
        ),
        ("empty.txt", "--status: empty.txt: the file is empty"),
        ("none.txt", "--status: none.txt:"),
    ] {
        let output = command(&["audit", ".", "--status", file])
            .current_dir(folder.path())
            .output()
            .expect("the program runs");
        let text = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{text}");
        assert!(text.contains(said), "{text}");
    }
}

#[test]
fn long_urls_take_bounded_memory() {
    let long = "z".repeat(60_000);
    let end = format!("http://b.example/{long}");
    let measured = format!("http://a.example/moved 301 {end}\n{end} 200 \n");
    let links = "<a href=http://a.example/moved>c</a>\n".repeat(20);
    let folder = folder(&[("p.html", &links), ("m.txt", &measured)]);
    let found = findings(folder.path(), &["--status", "m.txt"]);
    assert_eq!(found.len(), 20);
    for (rule, _, message) in found {
        assert_eq!(rule, "moved");
        assert!(message.starts_with("redirected to http://b.example/zzz"));
        assert!(message.len() < 1_000, "{} bytes", message.len());
    }
}
