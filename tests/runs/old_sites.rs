//! `verify-move` of what is no folder: captures, an index of captures, a zip.

use std::fs;
use std::path::Path;

use crate::moving::tree;
use crate::{command, rows};

/// A capture at a minute of one hour.
fn capture(url: &str, minute: u32, status: &str, fields: &str, body: &str) -> String {
    let block = format!("HTTP/1.1 {status}\r\n{fields}\r\n{body}");
    format!(
        "WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\n\
         WARC-Date: 2024-03-01T10:{minute:02}:00Z\r\n\
         Content-Type: application/http\r\nContent-Length: {}\r\n\r\n{block}\r\n\r\n",
        block.len()
    )
}

fn page(url: &str, body: &str) -> String {
    capture(url, 0, "200 OK", "Content-Type: text/html\r\n", body)
}

/// A run: its code, its summary, and rule, address and level of each finding.
struct Run {
    code: i32,
    verdict: String,
    findings: Vec<String>,
    messages: String,
}

fn run(folder: &Path, arguments: &[&str]) -> Run {
    let options = ["verify-move", "-f", "jsonl", "--level", "note"];
    let output = command(&options)
        .args(arguments)
        .current_dir(folder)
        .output()
        .expect("the program runs");
    let rows = rows(&output);
    let mut run = Run {
        code: output.status.code().expect("the program exits with a code"),
        verdict: String::new(),
        findings: Vec::new(),
        messages: String::from_utf8(output.stderr).expect("the output is UTF-8"),
    };
    for row in rows {
        let text = |name: &str| row[name].as_str().unwrap_or_default().to_owned();
        if row["type"] == "summary" {
            run.verdict = text("verdict");
        } else {
            let what = [text("level"), text("rule"), text("url")];
            run.findings.push(what.join(" "));
        }
    }
    run.findings.sort();
    run
}

/// What the summary says of the old site.
fn said_of(old: &str, folder: &Path, arguments: &[&str]) -> Vec<String> {
    let output = command(&["verify-move"])
        .args(arguments)
        .current_dir(folder)
        .output()
        .expect("the program runs");
    let text = String::from_utf8(output.stdout).expect("the output is UTF-8");
    let lines = text.lines().map(str::trim);
    let lines = lines.filter(|line| line.starts_with(&format!("{old}: ")) && !line.contains('"'));
    lines.map(str::to_owned).collect()
}

const TO: [&str; 4] = ["--to", "https://o.example/", "--new-tree", "new"];

/// Pages of an old site, and its successor, in which one was renamed, one is gone, and a fragment
/// has another name.
const OLD: [(&str, &str); 3] = [
    (
        "",
        "<title>Start</title><a href=apples.html>a</a><a href=pears.html#ripe>p</a><a href=gone.html>x</a>",
    ),
    (
        "apples.html",
        "<title>Apples</title><h1>Apples</h1>An apple is a round fruit of a tree that people have \
         grown for some thousand years in gardens of all lands",
    ),
    (
        "pears.html",
        "<title>Pears</title><h1>Pears</h1><h2 id=ripe>When they are ripe</h2>Pears are soft",
    ),
];
const NEW: [(&str, &str); 3] = [
    (
        "new/index.html",
        "<title>Start</title><a href=malus.html>a</a><a href=pears.html>p</a>",
    ),
    (
        "new/malus.html",
        "<title>Malus</title><h1>Apples</h1>An apple is a round fruit of a tree that people have \
         grown for some thousand years in gardens of all lands",
    ),
    (
        "new/pears.html",
        "<title>Pears</title><h1>Pears</h1><h2 id=when>When they are ripe</h2>Pears are soft",
    ),
];

/// A crawl of the old site.
fn crawl() -> String {
    let pages = OLD.map(|(name, body)| page(&format!("https://o.example/{name}"), body));
    pages.concat()
}

#[test]
fn captures_judged_like_folder() {
    let files = OLD.map(|(name, body)| {
        let name = if name.is_empty() { "index.html" } else { name };
        (format!("old/{name}"), body)
    });
    let files: Vec<(&str, &str)> = files.iter().map(|(name, body)| (&**name, *body)).collect();
    let crawl = crawl();
    let folder = tree(&[&files, &NEW[..], &[("old.warc", crawl.as_str())]].concat());
    let map = |old: &str| {
        let from = ["--from", "https://o.example/", "--out", "urlmap=map.csv"];
        let run = run(folder.path(), &[&from[..], &TO, &[old]].concat());
        let map = fs::read_to_string(folder.path().join("map.csv")).expect("the file is read");
        let mut rows: Vec<&str> = map.lines().collect();
        rows.sort_unstable();
        (run, rows.join("\n"))
    };
    let (of_folder, of_captures) = (map("old"), map("old.warc"));
    assert_eq!(of_captures.0.verdict, of_folder.0.verdict);
    assert_eq!(of_captures.0.findings, of_folder.0.findings);
    assert_eq!(of_captures.0.code, 1);
    assert_eq!(of_captures.1, of_folder.1);
    // The text of a page that cannot be read again by its name is known all the same.
    let proposed = "https://o.example/apples.html,https://o.example/apples.html,404,0,lost-page,0,\
                    https://o.example/malus.html";
    assert!(of_captures.1.contains(proposed), "{}", of_captures.1);
    let lost = "warning move/lost-fragment https://o.example/pears.html#ripe";
    assert!(of_captures.0.findings.iter().any(|one| one == lost));
}

#[test]
fn captured_non_pages_counted() {
    let html = "Content-Type: text/html\r\n";
    let to = format!("{html}Location: /apples.html\r\n");
    let records = [
        crawl(),
        capture(
            "https://o.example/",
            5,
            "200 OK",
            html,
            "<title>Later</title><a href=/old-name>a</a>",
        ),
        capture("https://o.example/old-name", 0, "301 Moved", &to, ""),
        capture("https://o.example/missing", 0, "404 Not Found", html, "no"),
        capture(
            "https://o.example/a.png",
            0,
            "200 OK",
            "Content-Type: image/png\r\n",
            "x",
        ),
        page("https://cdn.example/x", "<p>"),
    ];
    let folder = tree(&[&NEW[..], &[("old.warc", records.concat().as_str())]].concat());
    let from = ["--from", "https://o.example/"];
    let arguments = [&from[..], &TO, &["old.warc"]].concat();
    assert_eq!(
        said_of("old.warc", folder.path(), &arguments),
        [
            "old.warc: 3 documents of the old site, 1 other file, which count where pages link them",
            "old.warc: left out: 1 redirect, 1 answer without a page (404 1), 1 other capture of the \
             same page, 1 capture of other places (https://cdn.example/ (1))",
        ]
    );
    let found = run(folder.path(), &arguments);
    // The later capture counts, whose link led to a page by a redirect: it was not broken before.
    let lost = "error move/lost-page https://o.example/old-name";
    assert!(
        found.findings.iter().any(|one| one == lost),
        "{:?}",
        found.findings
    );
}

#[test]
fn captures_of_one_host_give_old_url() {
    let away = ["--to", "https://n.example/", "--new-tree", "new"];
    let crawl = crawl();
    let folder = tree(&[&NEW[..], &[("old.warc", crawl.as_str())]].concat());
    let named = ["--from", "https://o.example/"];
    let found = run(folder.path(), &[&away[..], &["old.warc"]].concat());
    let with = run(folder.path(), &[&away[..], &named, &["old.warc"]].concat());
    assert_eq!((found.code, &found.findings), (1, &with.findings));

    let two = crawl + &page("http://other.example/", "<p>");
    let folder = tree(&[&NEW[..], &[("old.warc", two.as_str())]].concat());
    let found = run(folder.path(), &[&away[..], &["old.warc"]].concat());
    let hosts = "2 hosts: https://o.example (3), http://other.example (1)";
    assert_eq!(found.code, 2);
    assert!(found.messages.contains(hosts), "{}", found.messages);
    let elsewhere = ["--from", "https://o.example/x/", "old.warc"];
    let found = run(folder.path(), &[&away[..], &elsewhere].concat());
    assert_eq!(found.code, 2);
    let said = "no page of the old site is in it: its captures are of https://o.example/ (3)";
    assert!(found.messages.contains(said), "{}", found.messages);
}

const CDXJ: &str = "\
example,o)/ 20240301100000 {\"url\": \"https://o.example/\", \"mime\": \"text/html\", \"status\": \"200\"}
example,o)/a 20240301100000 {\"url\": \"https://o.example/apples.html\", \"mime\": \"text/html\", \"status\": \"200\"}
example,o)/b 20240301100000 {\"url\": \"https://o.example/b\", \"mime\": \"text/html\", \"status\": \"301\"}
example,o)/c 20240301100000 {\"url\": \"https://o.example/c\", \"mime\": \"text/html\", \"status\": \"404\"}
";

#[test]
fn index_gives_urls_only() {
    let folder = tree(&[&NEW[..], &[("old.cdxj", CDXJ)]].concat());
    let out = ["--out", "urlmap=map.csv", "old.cdxj"];
    let found = run(folder.path(), &[&TO[..], &out].concat());
    assert_eq!(found.code, 1);
    assert_eq!(
        found.verdict,
        "Not ready to move. 1 old address leads nowhere."
    );
    assert_eq!(
        said_of(
            "old.cdxj",
            folder.path(),
            &[&TO[..], &["old.cdxj"]].concat()
        ),
        [
            "old.cdxj: 2 old addresses, without their pages",
            "old.cdxj: left out: 1 redirect, 1 answer without a page (404 1)",
        ]
    );
    let map = fs::read_to_string(folder.path().join("map.csv")).expect("the file is read");
    let urls: Vec<&str> = map
        .lines()
        .skip(1)
        .filter_map(|row| row.split(',').next())
        .collect();
    assert_eq!(
        urls,
        ["https://o.example/", "https://o.example/apples.html"]
    );

    let alone = run(folder.path(), &["--to", "https://n.example/", "old.cdxj"]);
    assert_eq!(alone.code, 2);
    assert!(
        alone.messages.contains("has addresses only"),
        "{}",
        alone.messages
    );
    let damaged = format!("{CDXJ}nothing\n");
    fs::write(folder.path().join("old.cdxj"), damaged).expect("the file is written");
    let found = run(folder.path(), &[&TO[..], &out].concat());
    assert_eq!(found.code, 3, "{}", found.messages);
    assert!(
        found.messages.contains("line 5 is neither CDX nor CDXJ"),
        "{}",
        found.messages
    );
}

/// A zip with stored members.
pub(crate) fn zip(members: &[(&str, &str)]) -> Vec<u8> {
    let (mut bytes, mut directory) = (Vec::new(), Vec::new());
    for (name, text) in members {
        let mut crc = flate2::Crc::new();
        crc.update(text.as_bytes());
        let mut common = [20_u16, 0, 0, 0, 0x21].map(u16::to_le_bytes).concat();
        let size = u32::try_from(text.len())
            .expect("the length fits in 32 bits")
            .to_le_bytes();
        common.extend([crc.sum().to_le_bytes(), size, size].concat());
        common.extend(
            u16::try_from(name.len())
                .expect("the length fits in 16 bits")
                .to_le_bytes(),
        );
        common.extend([0, 0]);
        let at = u32::try_from(bytes.len())
            .expect("the length fits in 32 bits")
            .to_le_bytes();
        directory.extend(
            [
                b"PK\x01\x02\x14\0",
                &common[..],
                &[0; 10],
                &at,
                name.as_bytes(),
            ]
            .concat(),
        );
        bytes.extend([b"PK\x03\x04", &common[..], name.as_bytes(), text.as_bytes()].concat());
    }
    let at = u32::try_from(bytes.len())
        .expect("the length fits in 32 bits")
        .to_le_bytes();
    let size = u32::try_from(directory.len())
        .expect("the length fits in 32 bits")
        .to_le_bytes();
    let count = u16::try_from(members.len())
        .expect("the length fits in 16 bits")
        .to_le_bytes();
    bytes.extend(directory);
    bytes.extend(
        [
            b"PK\x05\x06\0\0\0\0",
            &count[..],
            &count,
            &size,
            &at,
            &[0, 0],
        ]
        .concat(),
    );
    bytes
}

#[test]
fn zip_judged_like_folder() {
    let names = OLD.map(|(name, _)| match name {
        "" => "site/index.html".to_owned(),
        name => format!("site/{name}"),
    });
    let members: Vec<(&str, &str)> = names
        .iter()
        .zip(OLD)
        .map(|(name, (_, body))| (&**name, body))
        .collect();
    let folder = tree(&[&members, &NEW[..]].concat());
    fs::write(folder.path().join("old.zip"), zip(&members)).expect("the file is written");
    let from = ["--from", "https://o.example/"];
    let of = |old: &str| run(folder.path(), &[&from[..], &TO, &[old]].concat());
    let (of_folder, of_zip) = (of("site"), of("old.zip"));
    assert_eq!(of_zip.findings, of_folder.findings);
    assert_eq!(of_zip.verdict, of_folder.verdict);
    assert_eq!(of_zip.code, 1);
    // It may move as it is, too.
    let moved = [
        "--from",
        "https://o.example/",
        "--to",
        "https://n.example/x/",
    ];
    let of = |old: &str| run(folder.path(), &[&moved[..], &[old]].concat());
    let (of_folder, of_zip) = (of("site"), of("old.zip"));
    assert_eq!(
        (of_zip.findings, of_zip.verdict),
        (of_folder.findings, of_folder.verdict)
    );

    let said = run(folder.path(), &[&TO[..], &["old.zip"]].concat()).messages;
    assert!(said.contains("--from is missing"), "{said}");
    let found = run(
        folder.path(),
        &[&moved[..], &["--fix", "patch", "old.zip"]].concat(),
    );
    let said = "--fix edits the files of a folder";
    assert_eq!(found.code, 2);
    assert!(found.messages.contains(said), "{}", found.messages);
}

#[test]
fn file_without_site_refused() {
    let more = [
        ("old.html", "<a href=x>x</a>"),
        ("empty", ""),
        ("bad.cdxj", "\nnot a line\nexample,o)/ 20240301100000 {}\n"),
        ("wrong.cdx", " CDX N b a s\nx y\n"),
    ];
    let folder = tree(&[&NEW[..], &more].concat());
    let book = include_bytes!("../../fixtures/zim/book.zim");
    fs::write(folder.path().join("book.zim"), book).expect("the file is written");
    for (old, said) in [
        ("book.zim", "unpack it with `zimdump dump`"),
        (
            "old.html",
            "no site is in it: the old site is a folder, an archive",
        ),
        ("empty", "no site is in it"),
        (
            "bad.cdxj",
            "no site is in it: as an index of captures, line 2 ",
        ),
        (
            "wrong.cdx",
            "no site is in it: as an index of captures, 1 line says no capture; line 2 ",
        ),
        ("-", "is read twice"),
    ] {
        let from = ["--from", "https://o.example/", old];
        let found = run(folder.path(), &[&TO[..], &from].concat());
        assert_eq!(found.code, 2, "{old}");
        assert!(found.messages.contains(said), "{old}: {}", found.messages);
    }
    let from = ["--from", "https://o.example/", "nowhere"];
    let found = run(folder.path(), &[&TO[..], &from].concat());
    assert_eq!(found.code, 3);
    assert_eq!(
        found.messages,
        "baseref: nowhere: No such file or directory\n"
    );
}

#[test]
fn page_of_query_is_not_plain_file() {
    let text = |subject: &str| {
        let words = (0..40).map(|n| format!("{subject}{} ", n * 7 % 41));
        words.collect::<String>()
    };
    let start = text("start");
    let post = format!("<title>Post</title>{}", text("post"));
    let records = [
        page("https://o.example/", &start),
        page("https://o.example/?from=mail", &start),
        page("https://o.example/?p=7", &post),
    ]
    .concat();
    let files = [
        ("old.warc", records.as_str()),
        ("new/index.html", &start),
        ("new/2024/post/index.html", &post),
    ];
    let folder = tree(&files);
    let out = ["--out", "urlmap=map.csv", "old.warc"];
    let found = run(folder.path(), &[&TO[..], &out].concat());
    let lost = "error move/lost-page https://o.example/?p=7";
    assert_eq!(found.findings, [lost]);
    let map = fs::read_to_string(folder.path().join("map.csv")).expect("the file is read");
    let row = "https://o.example/?p=7,https://o.example/?p=7,200,0,lost-page,0,\
               https://o.example/2024/post/,";
    assert!(map.contains(row), "{map}");
}

#[test]
fn link_reports_and_earlier_states_with_captures() {
    let crawl = crawl();
    let measured =
        "https://o.example/ 200 \nhttps://o.example/apples.html 301 https://o.example/malus.html\n";
    let mut files = vec![
        ("old.warc", crawl.as_str()),
        ("measured", measured),
        ("earlier/index.html", NEW[0].1),
        ("earlier/pears.html", NEW[2].1),
        ("old/index.html", OLD[0].1),
        ("old/apples.html", OLD[1].1),
        ("old/pears.html", OLD[2].1),
    ];
    files.extend(NEW);
    let folder = tree(&files);
    let from = ["--from", "https://o.example/"];
    for option in [
        ["--status", "measured"],
        ["--against", "earlier"],
        ["--out", "redirects.netlify=rules"],
    ] {
        let of = |old: &str| {
            let run = run(folder.path(), &[&from[..], &TO, &option, &[old]].concat());
            let rules = fs::read_to_string(folder.path().join("rules")).unwrap_or_default();
            (run.code, run.verdict, run.findings, rules)
        };
        assert_eq!(of("old.warc"), of("old"), "{option:?}");
    }
    let rules = fs::read_to_string(folder.path().join("rules")).expect("the file is read");
    assert!(rules.contains("/apples.html"), "{rules}");
}

#[test]
fn index_urls_matched_by_name() {
    let line = |path: &str| {
        format!(
            "example,o)/{path} 20240301100000 {{\"url\": \"https://o.example/{path}\", \
             \"mime\": \"text/html\", \"status\": \"200\"}}\n"
        )
    };
    let lines = ["a/Fruit_list.html", "b.php", "c/", "x.png"]
        .map(line)
        .concat();
    let files = [
        ("old.cdxj", &*lines),
        ("new/a/fruit-list/index.html", ""),
        ("new/b/index.html", ""),
        ("new/B.html", ""),
        ("new/x/index.html", ""),
    ];
    let folder = tree(&files);
    let out = ["--out", "urlmap=map.csv", "old.cdxj"];
    let found = run(folder.path(), &[&TO[..], &out].concat());
    assert_eq!(
        found.verdict,
        "Not ready to move. 4 old addresses lead nowhere (for 2 a new page is proposed)."
    );
    let map = fs::read_to_string(folder.path().join("map.csv")).expect("the file is read");
    let proposed = |path: &str| {
        let row = map
            .lines()
            .find(|row| row.contains(path))
            .expect("the path has a row");
        row.rsplit(',').take(2).any(|cell| cell == "0.70")
    };
    assert_eq!(
        ["Fruit_list", "b.php", "e/c/", "x.png"].map(proposed),
        [true, true, false, false],
        "{map}"
    );
}

#[test]
fn fallback_page_hides_routes() {
    let shell = "<title>App</title><div id=app></div><script src=/app.js></script>";
    let routes = ["", "users", "users/7", "about"];
    let mut crawl = routes
        .map(|path| page(&format!("https://o.example/{path}"), shell))
        .concat();
    crawl += &page(
        "https://o.example/real",
        "<title>Real</title>Text of its own",
    );
    let files = [
        ("old.warc", &*crawl),
        ("new/index.html", shell),
        ("rules", "/* /index.html 200\n"),
    ];
    let folder = tree(&files);
    let rules = ["--redirects", "netlify:rules", "old.warc"];
    let found = run(folder.path(), &[&TO[..], &rules].concat());
    assert!(
        found
            .verdict
            .starts_with("Not ready to move. 1 old address leads nowhere."),
        "{}",
        found.verdict
    );
    let lost = ["error move/lost-page https://o.example/real"];
    let unknown = ["users", "users/7", "about"]
        .map(|path| format!("error redirect/not-known https://o.example/{path}"));
    for line in lost.iter().map(|line| (*line).to_owned()).chain(unknown) {
        assert!(
            found.findings.contains(&line),
            "{line}: {:#?}",
            found.findings
        );
    }
    assert_eq!(
        found
            .findings
            .iter()
            .filter(|line| line.contains("lost-page"))
            .count(),
        1
    );
    // Without such a page they are lost.
    let found = run(folder.path(), &[&TO[..], &["old.warc"]].concat());
    assert!(
        !found.findings.iter().any(|line| line.contains("not-known")),
        "{:#?}",
        found.findings
    );
}
