//! Audits of web archives by what their records say beside the bodies: header fields, revisits, segments,
//! and requests.

use std::fs;

use serde_json::Value;
use tempfile::TempDir;

use crate::{command, rows};

const PAGE: &str = "https://www.x.org/";

/// A record of this type and URL with these fields, and its block.
fn record(kind: &str, url: &str, fields: &str, block: &str) -> String {
    format!(
        "WARC/1.1\r\nWARC-Type: {kind}\r\nWARC-Target-URI: {url}\r\n{fields}\
         Content-Type: application/http\r\nContent-Length: {}\r\n\r\n{block}\r\n\r\n",
        block.len()
    )
}

/// The record of a response with these header fields, each ended by CRLF.
fn response(url: &str, fields: &str, body: &str) -> String {
    let block =
        format!("HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n{fields}\r\n{body}");
    record("response", url, "", &block)
}

/// The record of a revisit with these fields. Its block is the header of a response.
fn revisit(url: &str, profile: &str, fields: &str) -> String {
    let profile = format!("http://netpreserve.org/warc/1.1/revisit/{profile}");
    let fields = format!("WARC-Profile: {profile}\r\n{fields}");
    let status = if profile.ends_with("server-not-modified") {
        "304 Not Modified"
    } else {
        "200 OK"
    };
    let block = format!("HTTP/1.1 {status}\r\nContent-Type: text/html\r\n\r\n");
    record("revisit", url, &fields, &block)
}

/// The files of an audit.
struct Archives {
    folder: TempDir,
    names: Vec<String>,
}

impl Archives {
    fn new(archives: &[String]) -> Self {
        let folder = TempDir::new().expect("a temporary folder is made");
        let names = (0..archives.len()).map(|number| format!("{number}.warc"));
        let names: Vec<String> = names.collect();
        for (name, text) in names.iter().zip(archives) {
            fs::write(folder.path().join(name), text).expect("the file is written");
        }
        Self { folder, names }
    }

    /// The lines of an audit of the files in this order.
    fn audited(&self, order: &[usize], more: &[&str]) -> Vec<Value> {
        let names = order.iter().map(|number| &self.names[*number]);
        let mut command = command(&["audit", "--with-links", "-f", "jsonl", "--level", "note"]);
        command.args(names).args(more);
        let output = command.current_dir(self.folder.path()).output();
        rows(&output.expect("the program runs"))
    }

    fn written(&self, name: &str) -> String {
        let text = fs::read_to_string(self.folder.path().join(name));
        text.expect("the file is written")
    }
}

/// The value and the class of each link, and the fragment's verdict if there is one.
fn classes(lines: &[Value]) -> Vec<String> {
    let judged = lines.iter().filter(|line| line["type"] == "link");
    let shown = judged.map(|link| {
        let text = |name: &str| link[name].as_str().unwrap_or_default();
        format!("{} {}", text("raw"), text("class"))
    });
    shown.collect()
}

/// The rule of each finding, and the value that it is about.
fn findings(lines: &[Value]) -> Vec<String> {
    let found = lines.iter().filter(|line| line["type"] == "finding");
    let shown = found.map(|finding| {
        let text = |name: &str| finding[name].as_str().unwrap_or_default();
        format!("{} {}", text("rule"), text("raw"))
    });
    shown.collect()
}

/// The findings of an audit of a page with these header fields, and the table of pages.
fn findings_and_pages(fields: &str, body: &str) -> (Vec<String>, String) {
    let archives = Archives::new(&[response(PAGE, fields, body)]);
    let lines = archives.audited(&[0], &["--out", "pages.csv=p.csv"]);
    let pages = archives.written("p.csv");
    let row = pages.lines().nth(1).unwrap_or_default().to_owned();
    (findings(&lines), row)
}

#[test]
fn header_fields_judged_as_the_elements_that_they_stand_for() {
    for (fields, element) in [
        (
            "Refresh: 0; url=next\r\n",
            "<meta http-equiv=refresh content='0; url=next'>",
        ),
        (
            "Refresh: 3;next\r\n",
            "<meta http-equiv=refresh content='3;next'>",
        ),
        (
            "Link: <a.css>; rel=stylesheet\r\n",
            "<link rel=stylesheet href=a.css>",
        ),
        (
            "Link: <a.woff2>; rel=\"preload\"; as=font; crossorigin\r\n",
            "<link rel=preload as=font crossorigin href=a.woff2>",
        ),
        (
            "Link: <a.css>; rel=\"alternate stylesheet\"; title=t, <https://y.example>; rel=preconnect\r\n",
            "<link rel='alternate stylesheet' title=t href=a.css><link rel=preconnect \
             href=https://y.example>",
        ),
        (
            "Link: <b>; rel=prefetch\r\nLink: <c>; rel=next\r\n",
            "<link rel=prefetch href=b><link rel=next href=c>",
        ),
        (
            "Link: <https://www.x.org/other>; rel=canonical\r\n",
            "<link rel=canonical href=https://www.x.org/other>",
        ),
    ] {
        let rules = |(found, pages): (Vec<String>, String)| {
            let mut found: Vec<String> = found
                .iter()
                .filter_map(|one| one.split(' ').next())
                .map(str::to_owned)
                .collect();
            found.sort_unstable();
            (found, pages)
        };
        let of_header = rules(findings_and_pages(fields, "<p>x"));
        assert_eq!(
            of_header,
            rules(findings_and_pages("", element)),
            "{fields}"
        );
    }
}

#[test]
fn resource_named_by_a_header_field_is_missing() {
    let (found, pages) = findings_and_pages("Link: <a.css>; rel=preload; as=style\r\n", "<p>x");
    assert_eq!(found, ["target/resource-not-captured a.css"]);
    assert_eq!(pages, "https://www.x.org/,no,1,0");
}

#[test]
fn page_of_a_refresh_field_is_missing() {
    let (found, pages) = findings_and_pages("Refresh: 0; url=next\r\n", "<p>x");
    assert_eq!(found, ["target/page-not-captured next"]);
    assert_eq!(pages, "https://www.x.org/,yes,0,1");
}

#[test]
fn host_captured_only_by_revisits_is_in_scope() {
    let page = response(
        PAGE,
        "",
        "<a href=https://y.example/gone>1</a><a href=https://z.example/gone>2</a>",
    );
    let original = response("https://o.example/", "", "<p id=a>o");
    let refers = "WARC-Refers-To-Target-URI: https://o.example/\r\n";
    let again = revisit("https://y.example/", "identical-payload-digest", refers);
    let lines = Archives::new(&[page + &original + &again]).audited(&[0], &[]);
    let expected = [
        "https://y.example/gone not-captured",
        "https://z.example/gone external",
    ];
    assert_eq!(classes(&lines), expected);
}

#[test]
fn unmodified_page_is_the_last_capture_of_its_url() {
    let old = "WARC-Date: 2024-01-01T00:00:00Z\r\n";
    let block = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p id=a>";
    let original = record("response", "https://www.x.org/b", old, block);
    let again = revisit(
        "https://www.x.org/b",
        "server-not-modified",
        "WARC-Date: 2024-02-01T00:00:00Z\r\n",
    );
    let block =
        "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<a href=b#a>1</a><a href=b#c>2</a>";
    let page = record(
        "response",
        PAGE,
        "WARC-Date: 2024-02-01T00:00:01Z\r\n",
        block,
    );
    let archives = Archives::new(&[page + &again, original]);
    for order in [[0, 1], [1, 0]] {
        let lines = archives.audited(&order, &[]);
        assert_eq!(classes(&lines), ["b#a ok", "b#c missing-fragment"]);
    }
    // Without the original, the fragment cannot be judged.
    let lines = archives.audited(&[0], &[]);
    assert_eq!(classes(&lines), ["b#a ok", "b#c ok"]);
}

#[test]
fn repeated_record_ids_mean_the_record_of_the_same_file() {
    let answer = |method: &str, url: &str| {
        let block = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>x";
        let response = record("response", url, "WARC-Record-ID: <urn:uuid:1>\r\n", block);
        let request = format!("{method} / HTTP/1.1\r\nHost: www.x.org\r\n\r\n");
        let concurrent = "WARC-Record-ID: <urn:uuid:2>\r\nWARC-Concurrent-To: <urn:uuid:1>\r\n";
        response + &record("request", url, concurrent, &request)
    };
    let page = response(PAGE, "", "<a href=get>1</a><a href=post>2</a>");
    let archives = Archives::new(&[
        page + &answer("GET", "https://www.x.org/get"),
        answer("POST", "https://www.x.org/post"),
    ]);
    for order in [[0, 1], [1, 0]] {
        let lines = archives.audited(&order, &[]);
        assert_eq!(
            classes(&lines),
            ["get ok", "post not-captured"],
            "{order:?}"
        );
    }
}

#[test]
fn fragments_of_a_page_in_segments_are_not_judged() {
    let page = response(PAGE, "", "<a href=long#end>1</a><a href=long#start>2</a>");
    let block = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p id=start>";
    let first = "WARC-Record-ID: <urn:uuid:1>\r\nWARC-Segment-Number: 1\r\n";
    let later = "WARC-Segment-Number: 2\r\nWARC-Segment-Origin-ID: <urn:uuid:1>\r\n\
                 WARC-Segment-Total-Length: 9\r\n";
    let url = "https://www.x.org/long";
    let first = record("response", url, first, block);
    let later = record("continuation", url, later, "<p id=end>");
    let archives = Archives::new(&[page + &first, later]);
    for order in [&[0][..], &[0, 1], &[1, 0]] {
        let lines = archives.audited(order, &[]);
        let judged = classes(&lines);
        assert_eq!(judged, ["long#end ok", "long#start ok"], "{order:?}");
    }
}

#[test]
fn resource_that_a_browser_had_already_is_captured() {
    let entry = |url: &str, status: u16, content: &str| {
        format!(
            "{{\"request\":{{\"method\":\"GET\",\"url\":\"{PAGE}{url}\"}},\
             \"response\":{{\"status\":{status},\"content\":{content}}}}}"
        )
    };
    let page = "{\"mimeType\":\"text/html\",\"text\":\"<img src=a.png><img src=b.png>\"}";
    let image = "{\"mimeType\":\"image/png\"}";
    let entries = [
        entry("", 200, page),
        entry("a.png", 304, image),
        entry("b.png", 0, image),
    ];
    let folder = TempDir::new().expect("a temporary folder is made");
    let log = format!("{{\"log\":{{\"entries\":[{}]}}}}", entries.join(","));
    fs::write(folder.path().join("a.har"), log).expect("the file is written");
    let mut command = command(&["audit", "a.har", "--with-links", "-f", "jsonl"]);
    let output = command.current_dir(folder.path()).output();
    let lines = rows(&output.expect("the program runs"));
    assert_eq!(classes(&lines), ["a.png ok", "b.png not-captured"]);
}

#[test]
fn element_that_an_svg_reference_shows_is_missing() {
    let sprite = "<svg xmlns='http://www.w3.org/2000/svg'><symbol id=there /></svg>";
    let block = format!("HTTP/1.1 200 OK\r\nContent-Type: image/svg+xml\r\n\r\n{sprite}");
    let sprite = record("response", "https://www.x.org/sprite.svg", "", &block);
    let page = "<svg><use href='sprite.svg#there'/><use href='sprite.svg#gone'/>\
                <use xlink:href='sprite.svg#gone2'/><use href='#own'/><use href='sprite.svg'/></svg>";
    let lines = Archives::new(&[response(PAGE, "", page) + &sprite]).audited(&[0], &[]);
    let expected = [
        "target/missing-fragment sprite.svg#gone",
        "target/missing-fragment sprite.svg#gone2",
        "target/missing-fragment #own",
    ];
    assert_eq!(findings(&lines), expected);
}
