//! Audits of web archives: what was captured of what captured pages need.

use std::fs;

use serde_json::Value;
use tempfile::TempDir;

use crate::{command, rows};

const PAGE: &str = "https://www.x.org/a/";

/// A record of a response, captured at a second of one minute.
fn response(url: &str, second: u32, heading: &str, body: &str) -> String {
    let block = format!("HTTP/1.1 {heading}\r\nContent-Type: text/html\r\n\r\n{body}");
    format!(
        "WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\n\
         WARC-Date: 2024-03-01T10:00:{second:02}Z\r\n\
         Content-Type: application/http\r\nContent-Length: {}\r\n\r\n{block}\r\n\r\n",
        block.len()
    )
}

/// The lines of an audit of a crawl of that page, and of these records.
fn audited(page: &str, others: &[String], arguments: &[&str]) -> (TempDir, Vec<Value>) {
    audited_beside(page, others, &[], arguments)
}

/// The same, beside these files.
fn audited_beside(
    page: &str,
    others: &[String],
    files: &[(&str, &str)],
    arguments: &[&str],
) -> (TempDir, Vec<Value>) {
    let directory = TempDir::new().expect("a temporary folder is made");
    for (name, text) in files {
        fs::write(directory.path().join(name), text).expect("the file is written");
    }
    let text = response(PAGE, 0, "200 OK", page) + &others.concat();
    fs::write(directory.path().join("crawl.warc"), text).expect("the file is written");
    let mut command = command(&["audit", "crawl.warc", "--with-links", "-f", "jsonl"]);
    let output = command
        .args(arguments)
        .current_dir(directory.path())
        .output();
    (directory, rows(&output.expect("the program runs")))
}

/// The lines of an audit of a file of the fixtures.
fn audited_fixture(name: &str) -> Vec<Value> {
    let path = format!("{}/fixtures/{name}", env!("CARGO_MANIFEST_DIR"));
    let options = ["--with-links", "--level", "warning", "-f", "jsonl"];
    let mut command = command(&["audit", &path]);
    command.args(options);
    rows(&command.output().expect("the program runs"))
}

/// What the findings are about, each with its level, value and message.
pub(crate) fn findings(lines: &[Value]) -> Vec<String> {
    let found = lines.iter().filter(|line| line["type"] == "finding");
    let shown = found.map(|finding| {
        let text = |name: &str| finding[name].as_str().unwrap_or_default().to_owned();
        [text("level"), text("raw"), text("message")].join(" ")
    });
    shown.collect()
}

/// The class of each link, how it leads to its capture and, of a redirect, what is at its end.
fn classes(lines: &[Value]) -> Vec<String> {
    let judged = lines.iter().filter(|line| line["type"] == "link");
    let shown = judged.map(|link| {
        let text = |name: &str| link[name].as_str().unwrap_or_default().to_owned();
        let words = [text("raw"), text("class"), text("how"), text("end")].join(" ");
        words.trim_end().to_owned()
    });
    shown.collect()
}

#[test]
fn captured_links_checked_against_captures() {
    let page = "<a href=/b><a href=/c><img src=https://cdn.y.net/i.png><a href=https://z.org/>\
                <a href=http://x.org/d><a href=/e#s><a href=/g><a href=/j><a href=/LOOSE/>";
    let others = [
        response("https://www.x.org/b", 5, "404 X", ""),
        response(
            "http://x.org/d",
            0,
            "301 X\r\nLocation: https://www.x.org/d",
            "",
        ),
        response("https://www.x.org/d", 0, "200 OK", ""),
        response("https://www.x.org/e", 0, "302 X\r\nLocation: /f", ""),
        response("https://www.x.org/g", 0, "302 X\r\nLocation: /h", ""),
        response("https://www.x.org/h", 0, "302 X\r\nLocation: /g", ""),
        response("https://www.x.org/j", 3, "503 X", ""),
        response("https://www.x.org/j", 59, "200 OK", ""),
        response("https://www.x.org/loose", 0, "200 OK", ""),
    ];
    for jobs in ["1", "3"] {
        let (_directory, lines) = audited(page, &others, &["-j", jobs]);
        let expected = [
            "/b captured-error exact",
            "/c not-captured",
            "https://cdn.y.net/i.png not-captured",
            "https://z.org/ external",
            "http://x.org/d captured-redirect redirect ok",
            "/e#s captured-redirect redirect not-captured",
            "/g captured-redirect redirect loop",
            "/j ok exact",
            "/LOOSE/ ok loose",
        ];
        assert_eq!(classes(&lines), expected, "{jobs} jobs");
    }
}

/// Listing every link asks the captures of each by itself; otherwise links like one before are not.
#[test]
fn finding_independent_of_earlier_links() {
    let of_all = "<a href=b><a href=b#s><a href=b#t><a href=#own><a href=#none><a href=/c?d#e>\
                  <img src=i.png><a href=i.png><img src=http://www.x.org/a/i.png>\
                  <a href=http://www.x.org/a/b#s><a href=http://u:p@www.x.org/a/b><a href=''>\
                  <a href=http://127.0.0.1:8000/b><a href=b;c><a href=../../a/b><a href=mailto:a@b>\
                  <img src=//www.x.org/a/i.png><a href=//z.org/><a href=r#s><link rel=x href=b>";
    let page = |head: &str| format!("{head}<p id=own>{of_all}<p id=s>");
    let at = |url: &str, head: &str| response(url, 0, "200 OK", &page(head));
    let others = [
        at("https://www.x.org/a/b", ""),
        at("https://www.x.org/a/k", "<base href=/a/b>"),
        at("https://www.x.org/a/l", "<base href=http://www.x.org/a/b>"),
        at("https://www.x.org/d/m", "<base href=/a/b>"),
        at("http://www.x.org/a/n", ""),
        at("http://127.0.0.1:8000/a/b", ""),
        at("http://127.0.0.1:8000/a/o", ""),
        response("https://www.x.org/a/r", 0, "302 X\r\nLocation: b", ""),
        response("https://www.x.org/c?d", 0, "200 OK", "<p id=e>"),
        at("https://www.x.org/a/p", ""),
    ];
    let options = ["--level", "note", "--scope", "all"];
    let (directory, listed) = audited(&page(""), &others, &options);
    let mut command = command(&["audit", "crawl.warc", "-f", "jsonl"]);
    let output = command.args(options).current_dir(directory.path()).output();
    let unlisted = rows(&output.expect("the program runs")).into_iter();
    let found = |line: &Value| line["type"] == "finding";
    let listed: Vec<Value> = listed.into_iter().filter(found).collect();
    assert!(listed.len() > 100, "{}", listed.len());
    let unlisted: Vec<Value> = unlisted.filter(found).collect();
    assert_eq!(listed.len(), unlisted.len());
    for (listed, unlisted) in listed.iter().zip(&unlisted) {
        assert_eq!(listed, unlisted);
    }
}

#[test]
fn scope_limits_missing_pages() {
    let page = "<a href=/c><img src=/i.png><a href=https://z.org/>";
    for (scope, expected) in [
        ("host", ["not-captured", "not-captured", "external"]),
        ("pages", ["external", "not-captured", "external"]),
        ("all", ["not-captured", "not-captured", "not-captured"]),
        (
            "prefix=https://z.org/",
            ["external", "not-captured", "not-captured"],
        ),
    ] {
        let (_directory, lines) = audited(page, &[], &["--scope", scope]);
        let found = classes(&lines);
        let found: Vec<_> = found
            .iter()
            .filter_map(|one| one.split(' ').nth(1))
            .collect();
        assert_eq!(found, expected, "{scope}");
    }
}

#[test]
fn images_and_fragments_are_no_pages() {
    let svg = "<svg xmlns=\"http://www.w3.org/2000/svg\"><a href=\"/b\"/></svg>";
    let image = response("https://cdn.y.net/i.svg", 1, "200 OK", svg);
    let image = image.replace("text/html", "image/svg+xml");
    // The media type is longer than the one that the length was for.
    let longer = "image/svg+xml".len() - "text/html".len();
    let length = image
        .split("Content-Length: ")
        .nth(1)
        .and_then(|rest| rest.split('\r').next());
    let length: usize = length
        .and_then(|length| length.parse().ok())
        .expect("the length is a number");
    let image = image.replace(
        &format!("Length: {length}"),
        &format!("Length: {}", length + longer),
    );
    let page = "<img src=https://cdn.y.net/i.svg><a href=https://cdn.y.net/c>\
                <img src=/g.png><iframe srcdoc=\"<img src=/g.png><img src=/h.png>\"></iframe>";
    let (directory, lines) = audited(page, &[image], &["--out", "pages.csv=pages.csv"]);
    let expected = [
        "https://cdn.y.net/i.svg ok exact",
        "https://cdn.y.net/c external",
        "/g.png not-captured",
        "/g.png not-captured",
        "/h.png not-captured",
        "/b external",
    ];
    assert_eq!(classes(&lines), expected);
    let pages = fs::read_to_string(directory.path().join("pages.csv")).expect("the file is read");
    assert_eq!(
        pages,
        "url,complete,resources,pages\nhttps://www.x.org/a/,no,2,0\n"
    );
}

#[test]
fn seeds_of_patch_crawl() {
    let others = [
        response("https://www.x.org/gone", 0, "404 X", ""),
        response("https://www.x.org/e", 0, "302 X\r\nLocation: /f", ""),
    ];
    let page = "<a href=/c#s><a href=/c><a href=/gone><a href=/e><a href=https://z.org/>";
    let (directory, _) = audited(page, &others, &["--out", "seeds=seeds.txt"]);
    let seeds = fs::read_to_string(directory.path().join("seeds.txt")).expect("the file is read");
    assert_eq!(seeds, "https://www.x.org/c\nhttps://www.x.org/f\n");
}

#[test]
fn book_internal_links() {
    let lines = audited_fixture("packed/links-of-a-book-lead-into-it.epub");
    let found = findings(&lines);
    let found: Vec<_> = found
        .iter()
        .filter(|found| !found.contains("space in the URL"))
        .collect();
    assert!(found.is_empty(), "{found:?}");
    let judged = lines.iter().filter(|line| line["type"] == "link");
    assert!(judged.clone().count() > 10);
    let classes = judged.map(|link| link["class"].as_str().unwrap_or_default());
    let lost: Vec<_> = classes
        .filter(|class| !matches!(*class, "ok" | "external"))
        .collect();
    assert!(lost.is_empty(), "{lost:?}");
}

#[test]
fn book_findings_with_epubcheck_ids() {
    let lines = audited_fixture("packed/links-of-a-book-lead-to-nothing.epub");
    let expected = [
        "error OEBPS/gone.opf no such file (epubcheck: OPF-002)",
        "error a.xhtml#none no id or name \"none\" (epubcheck: RSC-012)",
        "warning gone.xml no such file (epubcheck: RSC-007w)",
        "error gone.png no such file (epubcheck: RSC-001)",
        "error b.xhtml#x no id or name \"x\" (epubcheck: RSC-012)",
        "error B.xhtml the file is OEBPS/b.xhtml (epubcheck: RSC-007)",
        "error ../../OEBPS/b.xhtml it leads out of the EPUB, and reading systems do not follow it \
         (epubcheck: RSC-026)",
        "error /OEBPS/b.xhtml it leads out of the EPUB, and reading systems do not follow it \
         (epubcheck: RSC-026)",
        "error #top no id or name \"top\" (epubcheck: RSC-012)",
        "error v.svg#none no id or name \"none\" (epubcheck: RSC-012)",
        "error gone.xhtml no such file (epubcheck: RSC-007)",
        "error gone.gif no such file (epubcheck: RSC-007)",
        "error OEBPS/gone.otf no such file (epubcheck: RSC-007)",
        "error gone.xhtml no such file (epubcheck: RSC-007)",
        "error a.xhtml#none no id or name \"none\" (epubcheck: RSC-012)",
        "error gone.xhtml#b no such file (epubcheck: RSC-007)",
    ];
    assert_eq!(findings(&lines), expected);
}

#[test]
fn zip_members_with_dots_keep_root() {
    let lines = audited_fixture("packed/a-zip-is-a-site-of-its-own.zip");
    let expected = [
        "b.html ok exact",
        "c.html missing",
        "/b.html#z missing-fragment exact",
        "../x outside",
        "dir/ ok index",
        "https://www.x.org/b.html external",
        "./ ok index",
        "../b.html#q ok exact",
        "gone.html undefined-base",
    ];
    assert_eq!(classes(&lines), expected);
}

#[test]
fn zstd_dictionary_records() {
    let lines = audited_fixture("warc/records-are-packed-with-a-dictionary.warc.zst");
    let expected = [
        "/b ok exact",
        "/c not-captured",
        "/d captured-redirect redirect ok",
    ];
    assert_eq!(classes(&lines), expected);
}

#[test]
fn index_lines_have_only_status() {
    let page = "<a href=/there#s><a href=/gone><a href=/moved><a href=/away><a href=/none>";
    let index = " CDX N b a m s k r M S V g\n\
        org,x)/there 20240301100000 https://www.x.org/there text/html 200 A - - 1 2 b.warc.gz\n\
        org,x)/gone 20240301100000 https://www.x.org/gone text/html 404 A - - 1 2 b.warc.gz\n\
        org,x)/moved 20240301100000 https://www.x.org/moved text/html 301 A /there - 1 2 b.warc.gz\n";
    let lines = "org,x)/away 20240301100000 {\"url\": \"https://www.x.org/away\", \"status\": \"302\"}\n\
        this is no line of an index\n";
    let files = [("a.cdx", index), ("b.cdxj", lines)];
    let options = ["--cdx", "a.cdx", "--cdx", "b.cdxj"];
    let (_directory, found) = audited_beside(page, &[], &files, &options);
    let expected = [
        "/there#s ok exact",
        "/gone captured-error exact",
        "/moved captured-redirect redirect ok",
        "/away captured-redirect redirect unknown",
        "/none not-captured",
    ];
    assert_eq!(classes(&found), expected);
    let summary = found.last().expect("the report ends with a summary");
    assert_eq!(summary["unreadable"], 1, "the line that is none");
}

#[test]
fn crawler_page_list_checked() {
    let header = "{\"format\":\"json-pages-1.0\",\"id\":\"pages\"}\n";
    let page = |path: &str, rest: &str| {
        format!("{{\"url\":\"https://www.x.org{path}\",\"ts\":\"2024-03-01T10:00:00Z\"{rest}}}\n")
    };
    let listed = header.to_owned() + &page("/a/", "") + &page("/lost", "");
    let left_out = header.to_owned() + &page("/deep", ",\"reason\":\"pageLimit\"");
    let files = [
        ("pages.jsonl", listed.as_str()),
        ("skippedPages.jsonl", left_out.as_str()),
    ];
    let inputs = ["pages.jsonl", "skippedPages.jsonl", "--level", "warning"];
    let (directory, lines) = audited_beside("<a href=/deep><a href=/c>", &[], &files, &inputs);
    let expected = [
        "warning /deep not captured: the crawler skipped it (page limit)",
        "warning /c not captured",
        "warning https://www.x.org/lost listed, but not captured",
    ];
    assert_eq!(findings(&lines), expected);
    // A crawler puts them into the folder of the crawl.
    let mut command = command(&["audit", ".", "--level", "warning", "-f", "jsonl"]);
    let output = command.current_dir(directory.path()).output();
    let lines = rows(&output.expect("the program runs"));
    assert_eq!(findings(&lines), expected);
}

#[test]
fn missing_urls_of_each_page() {
    let page = "<img src=/i.png><img src=/i.png><a href=/c><a href=/d>";
    let others = [response("https://www.x.org/d", 0, "200 OK", "<p>")];
    let (directory, _) = audited(page, &others, &["--out", "pages.csv=pages.csv"]);
    let pages = fs::read_to_string(directory.path().join("pages.csv")).expect("the file is read");
    assert_eq!(
        pages,
        "url,complete,resources,pages\nhttps://www.x.org/a/,no,1,1\nhttps://www.x.org/d,yes,0,0\n"
    );
}

#[test]
fn missing_urls_order() {
    let page = "<a href=/often><a href=/often><a href=/often><a href=/needed><img src=/i.png>";
    let others = [
        response("https://www.x.org/p", 0, "200 OK", "<a href=/needed>"),
        response("https://www.x.org/q", 0, "200 OK", "<img src=/j.png>"),
        response("https://www.x.org/r", 0, "200 OK", "<img src=/j.png>"),
    ];
    let options = [
        "--level",
        "warning",
        "--out",
        "text=report.txt",
        "--out",
        "seeds.csv=seeds.csv",
    ];
    let (directory, _) = audited(page, &others, &options);
    let read =
        |name: &str| fs::read_to_string(directory.path().join(name)).expect("the file is read");
    let report = read("report.txt");
    let places = ["/j.png\n", "/i.png\n", "/needed\n", "/often\n"]
        .map(|end| report.find(&format!("archive: https://www.x.org{end}")));
    assert!(places.iter().all(Option::is_some), "{report}");
    assert!(places.is_sorted(), "{report}");
    let order: Vec<_> = read("seeds.csv")
        .lines()
        .skip(1)
        .map(|line| line.split(',').next().unwrap_or_default().to_owned())
        .collect();
    let expected = ["/j.png", "/i.png", "/needed", "/often"];
    assert_eq!(
        order,
        expected.map(|path| format!("https://www.x.org{path}"))
    );
}

#[test]
fn html_report_hosts_and_pages() {
    let page = "<img src=https://cdn.y.net/i.png><a href=/c>";
    let (directory, _) = audited(page, &[], &["--out", "html=report.html"]);
    let report =
        fs::read_to_string(directory.path().join("report.html")).expect("the file is read");
    for row in [
        "<td>cdn.y.net</td><td>0</td><td>0</td><td>0</td><td>1</td>",
        "<td>x.org</td><td>1</td><td>0</td><td>1</td><td>0</td>",
        "<td>https://www.x.org/a/</td><td>1</td><td>1</td>",
    ] {
        assert!(report.contains(row), "{row}");
    }
}

#[test]
fn webarchive_parts_are_captures() {
    let resource = |url: &str, media: &str, data: &str| {
        format!(
            "<dict><key>WebResourceURL</key><string>{url}</string><key>WebResourceMIMEType</key>\
             <string>{media}</string><key>WebResourceData</key><data>{data}</data></dict>"
        )
    };
    // <img src=/i.png><img src=/gone.png><a href=/c>
    let page = "PGltZyBzcmM9L2kucG5nPjxpbWcgc3JjPS9nb25lLnBuZz48YSBocmVmPS9jPg==";
    let archive = format!(
        "<?xml version=\"1.0\"?><plist version=\"1.0\"><dict><key>WebMainResource</key>{}\
         <key>WebSubresources</key><array>{}</array></dict></plist>",
        resource("https://www.x.org/", "text/html", page),
        resource("https://www.x.org/i.png", "image/png", "eA==")
    );
    let directory = TempDir::new().expect("a temporary folder is made");
    fs::write(directory.path().join("p.webarchive"), archive).expect("the file is written");
    let mut command = command(&["audit", "p.webarchive", "--with-links", "-f", "jsonl"]);
    let output = command.current_dir(directory.path()).output();
    let lines = rows(&output.expect("the program runs"));
    let expected = ["/i.png ok exact", "/gone.png not-captured", "/c external"];
    assert_eq!(classes(&lines), expected);
}

#[test]
fn link_counts_by_two_fields() {
    let directory = TempDir::new().expect("a temporary folder is made");
    let records = response(
        PAGE,
        0,
        "200 OK",
        "<a href=/b><a href=/c><a href=https://z.org/>",
    ) + &response(
        "https://y.net/",
        0,
        "302 X\r\nLocation: https://www.x.org/",
        "",
    );
    fs::write(directory.path().join("crawl.warc"), records).expect("the file is written");
    let run = |arguments: &[&str]| {
        let mut command = command(&["links", "--links", "anchor,header"]);
        command.args(arguments).arg("crawl.warc");
        let output = command.current_dir(directory.path()).output();
        String::from_utf8(output.expect("the program runs").stdout).expect("the output is UTF-8")
    };
    let list = "source,target,count\nx.org,x.org,2\nx.org,z.org,1\ny.net,x.org,1\n";
    assert_eq!(run(&["-f", "edges"]), list);
    let hosts = [
        "--fields",
        "src_host,host",
        "--group-by",
        "src_host,host",
        "-f",
        "csv",
    ];
    assert_eq!(
        run(&hosts),
        "by,source,target,links,v\n\
         \"src_host,host\",www.x.org,www.x.org,2,1\n\
         \"src_host,host\",www.x.org,z.org,1,1\n\
         \"src_host,host\",y.net,www.x.org,1,1\n"
    );
    let graph = run(&["-f", "graphml", "--group-by", "src_host,scheme"]);
    assert!(
        graph.contains(
            "<edge source=\"www.x.org\" target=\"https\"><data key=\"weight\">3</data></edge>"
        ),
        "{graph}"
    );
}

#[test]
fn crawl_differences() {
    let directory = TempDir::new().expect("a temporary folder is made");
    let old = response(PAGE, 0, "200 OK", "<a href=/b>b</a><a href=/c>c</a>")
        + &response("https://www.x.org/gone", 0, "200 OK", "<a href=/x>")
        + &response("https://www.x.org/e", 0, "404 X", "<a href=/y>");
    let new = response("https://www.x.org/new", 0, "200 OK", "<a href=/z>")
        + &response(PAGE, 0, "200 OK", "<a href=/b>b</a><a href=/d>c</a>");
    fs::write(directory.path().join("old.warc"), old).expect("the file is written");
    fs::write(directory.path().join("new.warc"), new).expect("the file is written");
    let mut command = command(&["diff", "old.warc", "new.warc", "-f", "jsonl"]);
    let output = command.current_dir(directory.path()).output();
    let output = output.expect("the program runs");
    let rows: Vec<String> = rows(&output)
        .into_iter()
        .map(|row| {
            let text = |name: &str| row[name].as_str().unwrap_or_default().to_owned();
            [text("change"), text("doc"), text("element")].join(" ")
        })
        .collect();
    let expected = [
        "vanished https://www.x.org/gone capture",
        "appeared https://www.x.org/new capture",
        "changed https://www.x.org/a/ a",
    ];
    assert_eq!(rows, expected);
    let said = String::from_utf8(output.stderr).expect("the output is UTF-8");
    assert!(said.contains("1 URL gone, 1 new"), "{said}");
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn package_without_external_resources() {
    let lines = audited_fixture("packed/what-was-not-saved-is-left-where-it-was.maff");
    let expected = [
        "https://www.x.org/two#z ok exact",
        "https://www.x.org/three external",
        "index_files/i.png ok exact",
        "index_files/gone.png missing",
        "https://www.x.org/lost.png not-captured",
        "https://www.x.org/one ok exact",
    ];
    assert_eq!(classes(&lines), expected);
}

/// The response to a request for a resource of that page.
fn resource(name: &str) -> String {
    response(&format!("{PAGE}{name}"), 1, "200 OK", "x")
}

/// The rules of the findings, each with the value that it is about, and the rows of the pages' table.
fn rules_and_pages(page: &str, captured: &[&str]) -> (Vec<String>, String) {
    let captured: Vec<String> = captured.iter().map(|name| resource(name)).collect();
    let options = [
        "--level",
        "note",
        "--out",
        "pages.csv=p.csv",
        "--out",
        "seeds=s.txt",
    ];
    let (directory, lines) = audited(page, &captured, &options);
    let found = lines.iter().filter(|line| line["type"] == "finding");
    let rules = found.map(|finding| {
        let text = |name: &str| finding[name].as_str().unwrap_or_default().to_owned();
        [text("raw"), text("rule")].join(" ")
    });
    let rules = rules.collect();
    let pages = fs::read_to_string(directory.path().join("p.csv"));
    (rules, pages.expect("the table is written"))
}

/// Audits pages of which only some resources were captured: the page is complete if `expected` has no
/// `target/resource-not-captured`.
fn check_alternatives(cases: &[(&str, &[&str], &[&str])]) {
    for (page, captured, expected) in cases {
        let (rules, pages) = rules_and_pages(page, captured);
        assert_eq!(rules, *expected, "{page}");
        let lacking = rules
            .iter()
            .any(|rule| rule.ends_with("/resource-not-captured"));
        let complete = if lacking { "no" } else { "yes" };
        assert!(
            pages.contains(&format!("{PAGE},{complete},")),
            "{page}: {pages}"
        );
    }
}

#[test]
fn one_resolution_of_an_image_is_enough() {
    check_alternatives(&[
        (
            "<img src=a.jpg srcset='b.jpg 2x'>",
            &["b.jpg"],
            &["a.jpg archive/other-resolution"],
        ),
        (
            "<picture><source type=image/jxl srcset=a.jxl><source media='(min-width: 9px)' \
             srcset=b.png><img src=c.png></picture>",
            &["c.png"],
            &["b.png archive/other-resolution"],
        ),
        (
            "<p style=\"background: image-set('a.png' 1x, 'b.png' 2x)\">",
            &["a.png"],
            &["b.png archive/other-resolution"],
        ),
        (
            "<link rel=icon href=a.png><link rel=icon href=b.svg>",
            &["b.svg"],
            &["a.png archive/other-resolution"],
        ),
        (
            "<img src=data:image/gif;base64,R0 srcset='a.jpg 2x'>",
            &[],
            &["a.jpg archive/other-resolution"],
        ),
    ]);
}

#[test]
fn image_without_captured_candidate_is_missing() {
    check_alternatives(&[
        (
            "<img src=a.jpg srcset='b.jpg 2x'>",
            &[],
            &[
                "a.jpg target/resource-not-captured",
                "b.jpg target/resource-not-captured",
            ],
        ),
        (
            // Every browser chooses the source, and falls back to nothing.
            "<picture><source srcset=a.webp type=image/webp><img src=b.jpg></picture>",
            &["b.jpg"],
            &["a.webp target/resource-not-captured"],
        ),
        (
            "<img src=a.jpg srcset='b.jpg 100w, c.jpg 200w'>",
            &["a.jpg"],
            &[
                "b.jpg target/resource-not-captured",
                "c.jpg target/resource-not-captured",
            ],
        ),
    ]);
}

#[test]
fn one_format_of_a_font_or_video_is_enough() {
    check_alternatives(&[
        (
            "<style>@font-face{src:url(a.eot);src:url(b.woff2) format('woff2'),url(c.woff)}</style>",
            &["c.woff"],
            &["b.woff2 archive/alternative"],
        ),
        (
            "<style>@font-face{src:url(a.woff) format('woff'),url(b.svg) format('svg')}</style>",
            &["b.svg"],
            &["a.woff target/resource-not-captured"],
        ),
        (
            "<video><source src=a.webm type=video/webm><source src=b.flv type=video/x-flv>\
             <source src=c.mp4></video>",
            &["c.mp4"],
            &["a.webm archive/alternative"],
        ),
    ]);
}

#[test]
fn requests_that_no_browser_makes() {
    check_alternatives(&[
        (
            "<link rel=prefetch href=a><link rel=preconnect href=//b.example><script \
             type=text/template src=c></script><script nomodule src=d></script>",
            &[],
            &[],
        ),
        (
            "<noscript><img src=a></noscript>",
            &[],
            &["a archive/alternative"],
        ),
        ("<img src=a srcset='b x y'>", &["a"], &[]),
    ]);
}

#[test]
fn image_elsewhere_needed_stays_an_error() {
    let page = "<img src=a.jpg srcset='b.jpg 2x'><img src=b.jpg>";
    let (rules, pages) = rules_and_pages(page, &["a.jpg"]);
    let expected = [
        "b.jpg archive/other-resolution",
        "b.jpg target/resource-not-captured",
    ];
    assert_eq!(rules, expected);
    assert!(pages.contains(&format!("{PAGE},no,1,0")), "{pages}");
}

#[test]
fn seeds_with_other_resolutions_on_request() {
    let page = "<img src=a.jpg srcset='b.jpg 2x'><img src=c.jpg>";
    let options = ["--out", "seeds=s.txt", "--out", "seeds.all=all.txt"];
    let (directory, _) = audited(page, &[resource("a.jpg")], &options);
    let read = |name: &str| fs::read_to_string(directory.path().join(name));
    let needed = format!("{PAGE}c.jpg\n");
    assert_eq!(read("s.txt").expect("the seeds are written"), needed);
    let all = format!("{PAGE}b.jpg\n{needed}");
    assert_eq!(read("all.txt").expect("all seeds are written"), all);
}

/// The record of a page in another encoding, whose body is not UTF-8.
fn encoded_page(label: &str, page: &str) -> Vec<u8> {
    let encoding = encoding_rs::Encoding::for_label(label.as_bytes());
    let (body, _, _) = encoding.expect("the label is known").encode(page);
    let mut block =
        format!("HTTP/1.1 200 OK\r\nContent-Type: text/html; charset={label}\r\n\r\n").into_bytes();
    block.extend_from_slice(&body);
    let mut record = format!(
        "WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: {PAGE}\r\n\
         Content-Type: application/http\r\nContent-Length: {}\r\n\r\n",
        block.len()
    )
    .into_bytes();
    record.extend_from_slice(&block);
    record.extend_from_slice(b"\r\n\r\n");
    record
}

#[test]
fn queries_in_the_encoding_of_a_page_that_a_har_has_as_text() {
    let directory = TempDir::new().expect("a temporary folder is made");
    let path = |name: &str| directory.path().join(name);
    for (media, head) in [
        ("text/html; charset=windows-1251", ""),
        ("text/html", "<meta charset=windows-1251>"),
    ] {
        let entry = |url: &str, media: &str, text: &str| {
            serde_json::json!({
                "request": {"method": "GET", "url": url},
                "response": {"status": 200, "content": {"mimeType": media, "text": text}},
            })
        };
        let page = format!("{head}<img src='i?q=\u{434}'><img src='i?q=\u{43c}'>");
        let entries = [
            entry(PAGE, media, &page),
            entry("https://www.x.org/a/i?q=%E4", "image/png", "x"),
        ];
        let har = serde_json::json!({"log": {"entries": entries}});
        fs::write(path("a.har"), har.to_string()).expect("the HAR is written");
        let mut command = command(&["audit", "a.har", "--out", "seeds=s.txt"]);
        let output = command.current_dir(directory.path()).output();
        assert_eq!(output.expect("the program runs").status.code(), Some(1));
        let seeds = fs::read_to_string(path("s.txt")).expect("the seeds are written");
        assert_eq!(seeds, "https://www.x.org/a/i?q=%EC\n", "{media} {head}");
    }
}

#[test]
fn queries_in_the_encoding_of_the_page() {
    for (label, page, found, seed) in [
        (
            "windows-1251",
            "<a href='s?q=да'>1</a><a href='t?q=да'>2</a>",
            "s?q=%E4%E0",
            "t?q=%E4%E0",
        ),
        (
            "shift_jis",
            "<a href='s?q=本'>1</a><a href='本?q=日'>2</a>",
            "s?q=%96{",
            "%E6%9C%AC?q=%93%FA",
        ),
        (
            "gbk",
            "<a href='s?q=中'>1</a><a href='t?q=&#x1F600;'>2</a>",
            "s?q=%D6%D0",
            "t?q=%26%23128512%3B",
        ),
        (
            "iso-8859-1",
            "<a href='s?q=é'>1</a><a href='t?q=€'>2</a>",
            "s?q=%E9",
            "t?q=%80",
        ),
    ] {
        for rules in ["rfc1808", "rfc3986", "whatwg"] {
            let directory = TempDir::new().expect("a temporary folder is made");
            let mut text = encoded_page(label, page);
            text.extend_from_slice(resource(found).as_bytes());
            fs::write(directory.path().join("crawl.warc"), text).expect("the file is written");
            let mut command = command(&["audit", "crawl.warc", "--with-links", "-f", "jsonl"]);
            command.args(["--resolver", rules, "--out", "seeds=s.txt"]);
            let output = command.current_dir(directory.path()).output();
            let lines = rows(&output.expect("the program runs"));
            let judged = classes(&lines);
            assert!(
                judged[0].ends_with(" ok exact"),
                "{label} {rules}: {judged:?}"
            );
            assert!(
                judged[1].ends_with(" not-captured"),
                "{label} {rules}: {judged:?}"
            );
            let seeds = fs::read_to_string(directory.path().join("s.txt"));
            let seeds = seeds.expect("the seeds are written");
            assert_eq!(seeds, format!("{PAGE}{seed}\n"), "{label} {rules}");
        }
    }
}

/// The findings of an audit of a page saved as a message with one image, and its links by class.
fn audited_message(place: &str, image: &str, page: &str) -> (Vec<String>, Vec<String>) {
    let directory = TempDir::new().expect("a temporary folder is made");
    let message = format!(
        "MIME-Version: 1.0\r\nContent-Type: multipart/related; boundary=b; type=\"text/html\"\r\n\r\n\
         --b\r\nContent-Location: {place}\r\nContent-Type: text/html\r\n\r\n{page}\r\n\
         --b\r\nContent-Location: {image}\r\nContent-Type: image/png\r\n\r\nx\r\n--b--\r\n"
    );
    fs::write(directory.path().join("a.mht"), message).expect("the file is written");
    let mut command = command(&["audit", "a.mht", "--with-links", "-f", "jsonl"]);
    let output = command.current_dir(directory.path()).output();
    let lines = rows(&output.expect("the program runs"));
    let judged = classes(&lines).into_iter();
    let judged = judged.filter(|link| !link.contains("not-judged"));
    (findings(&lines), judged.collect())
}

#[test]
fn parts_of_a_message_saved_from_files() {
    let page = "<img src='a_files/1.png'><img src='a_files/2.png'>";
    for (place, image) in [
        ("file:///C:/0A/a.htm", "file:///C:/0A/a_files/1.png"),
        ("file://C:\\0A\\a.htm", "file://C:\\0A\\a_files\\1.png"),
        ("C:\\0A\\a.htm", "C:\\0A\\a_files\\1.png"),
        ("a.htm", "a_files/1.png"),
        ("x/a.htm", "x/a_files/1.png"),
    ] {
        let (found, judged) = audited_message(place, image, page);
        let expected = ["a_files/1.png ok", "a_files/2.png not-captured"];
        assert_eq!(judged, expected, "{place}");
        assert_eq!(found, ["error a_files/2.png not captured"], "{place}");
    }
}

#[test]
fn parts_of_a_message_found_as_browsers_spell_them() {
    for (label, page, image) in [
        ("windows-1251", "a?q=да", "a?q=%E4%E0"),
        ("shift_jis", "本?q=本", "%E6%9C%AC?q=%96{"),
        ("utf-8", "é?q=é", "%C3%A9?q=%C3%A9"),
    ] {
        let page = format!("<img src='{page}'><img src='b{page}'>");
        let encoding = encoding_rs::Encoding::for_label(label.as_bytes());
        let (page, _, _) = encoding.expect("the label is known").encode(&page);
        let head = format!(
            "MIME-Version: 1.0\r\nContent-Type: multipart/related; boundary=b\r\n\
             Snapshot-Content-Location: http://x.org/\r\n\r\n\
             --b\r\nContent-Location: http://x.org/\r\n\
             Content-Type: text/html; charset={label}\r\n\r\n"
        );
        let image = format!(
            "\r\n--b\r\nContent-Location: http://x.org/{image}\r\nContent-Type: image/png\r\n\r\n\
             x\r\n--b--\r\n"
        );
        let directory = TempDir::new().expect("a temporary folder is made");
        let message = [head.as_bytes(), &page, image.as_bytes()].concat();
        fs::write(directory.path().join("a.mhtml"), message).expect("the file is written");
        let mut command = command(&["audit", "a.mhtml", "--with-links", "-f", "jsonl"]);
        let output = command.current_dir(directory.path()).output();
        let lines = rows(&output.expect("the program runs"));
        let judged: Vec<String> = classes(&lines)
            .into_iter()
            .filter(|link| !link.ends_with("not-judged"))
            .collect();
        assert!(judged[0].ends_with(" ok"), "{label}: {judged:?}");
        assert!(judged[1].ends_with(" not-captured"), "{label}: {judged:?}");
    }
}

#[test]
fn completeness_of_a_saved_page() {
    for (page, complete, code) in [
        ("<img src=a.png>", "yes,0,0", 0),
        ("<img src=a.png><img src=b.png>", "no,1,0", 1),
        ("<img src=b.png srcset='a.png 2x'>", "yes,0,0", 0),
        ("<img srcset='b.png 1x, c.png 2x'>", "no,2,0", 1),
        // A browser saves what a style sheet needs only where a selector matches.
        ("<style>p { background: url(b.png) }</style>", "yes,0,0", 0),
    ] {
        let directory = TempDir::new().expect("a temporary folder is made");
        let message = format!(
            "MIME-Version: 1.0\r\nContent-Type: multipart/related; boundary=b\r\n\
             Snapshot-Content-Location: http://x.org/\r\n\r\n\
             --b\r\nContent-Location: http://x.org/\r\nContent-Type: text/html\r\n\r\n{page}\r\n\
             --b\r\nContent-Location: http://x.org/a.png\r\nContent-Type: image/png\r\n\r\n\
             x\r\n--b--\r\n"
        );
        fs::write(directory.path().join("a.mhtml"), message).expect("the file is written");
        let mut command = command(&["audit", "a.mhtml", "--out", "pages.csv=p.csv"]);
        let output = command.current_dir(directory.path()).output();
        let output = output.expect("the program runs");
        assert_eq!(output.status.code(), Some(code), "{page}");
        let pages = fs::read_to_string(directory.path().join("p.csv"));
        let expected = format!("url,complete,resources,pages\nhttp://x.org/,{complete}\n");
        assert_eq!(pages.expect("the table is written"), expected, "{page}");
    }
}

#[test]
fn saved_page_needs_what_its_style_sheets_import() {
    let directory = TempDir::new().expect("a temporary folder is made");
    let message = "MIME-Version: 1.0\r\nContent-Type: multipart/related; boundary=b\r\n\
         Snapshot-Content-Location: http://x.org/\r\n\r\n\
         --b\r\nContent-Location: http://x.org/\r\nContent-Type: text/html\r\n\r\n\
         <link rel=stylesheet href=s.css>\r\n\
         --b\r\nContent-Location: http://x.org/s.css\r\nContent-Type: text/css\r\n\r\n\
         @import url(gone.css);\r\n--b--\r\n";
    fs::write(directory.path().join("a.mhtml"), message).expect("the file is written");
    let mut command = command(&["audit", "a.mhtml", "--out", "pages.csv=p.csv"]);
    let output = command.current_dir(directory.path()).output();
    assert_eq!(output.expect("the program runs").status.code(), Some(1));
    let pages = fs::read_to_string(directory.path().join("p.csv"));
    let expected = "url,complete,resources,pages\nhttp://x.org/,no,1,0\n";
    assert_eq!(pages.expect("the table is written"), expected);
}

#[test]
fn parts_of_a_message_are_no_seeds() {
    let directory = TempDir::new().expect("a temporary folder is made");
    let message = "MIME-Version: 1.0\r\nContent-Type: multipart/related; boundary=b\r\n\
         Snapshot-Content-Location: http://x.org/\r\n\r\n\
         --b\r\nContent-Location: http://x.org/\r\nContent-Type: text/html\r\n\r\n\
         <link rel=stylesheet href=s.css>\r\n\
         --b\r\nContent-Location: http://x.org/s.css\r\nContent-Type: text/css\r\n\r\n\
         p { background: url(b.png) }\r\n--b--\r\n";
    fs::write(directory.path().join("a.mhtml"), message).expect("the file is written");
    let mut command = command(&["audit", "a.mhtml", "--out", "seeds=s.txt"]);
    let output = command.current_dir(directory.path()).output();
    output.expect("the program runs");
    let seeds = fs::read_to_string(directory.path().join("s.txt"));
    assert_eq!(
        seeds.expect("the seeds are written"),
        "http://x.org/b.png\n"
    );
}

#[test]
fn seeds_of_a_mirror() {
    let directory = TempDir::new().expect("a temporary folder is made");
    let site = directory.path().join("site");
    fs::create_dir(&site).expect("a folder is made");
    let page = "<img src=gone.png><a href=gone.html>";
    fs::write(site.join("index.html"), page).expect("the file is written");
    let seeds = |arguments: &[&str]| {
        let mut command = command(&["audit", "site", "--out", "seeds=s.txt"]);
        let output = command.args(arguments).current_dir(directory.path());
        let output = output.output().expect("the program runs");
        let seeds = fs::read_to_string(directory.path().join("s.txt"));
        let said = String::from_utf8(output.stderr).expect("the output is UTF-8");
        (seeds.expect("the seeds are written"), said)
    };
    let (listed, _) = seeds(&["--url-map", "site=https://x.org/"]);
    assert_eq!(listed, "https://x.org/gone.html\nhttps://x.org/gone.png\n");
    let (listed, said) = seeds(&["--out", "pages.csv=p.csv"]);
    assert_eq!(listed, "");
    assert!(said.contains("not among the seeds"), "{said}");
    assert!(said.contains("the table of pages is empty"), "{said}");
}

#[test]
fn damaged_page_is_incomplete_everywhere() {
    let cut = response("https://www.x.org/b", 1, "206 Partial Content", "<p>half");
    let options = ["--out", "pages.csv=p.csv"];
    let (directory, _) = audited("<a href=/b>b</a>", &[cut], &options);
    let pages = fs::read_to_string(directory.path().join("p.csv"));
    let expected =
        format!("url,complete,resources,pages\n{PAGE},yes,0,0\nhttps://www.x.org/b,no,0,0\n");
    assert_eq!(pages.expect("the table is written"), expected);
    let mut command = command(&["audit", "crawl.warc"]);
    let output = command.current_dir(directory.path()).output();
    let said = String::from_utf8(output.expect("the program runs").stdout);
    let said = said.expect("the output is UTF-8");
    assert!(
        said.contains("1 of 2 pages incomplete; 1 cut off or damaged"),
        "{said}"
    );
}

#[test]
fn capture_with_damaged_heading_is_not_missing() {
    let damaged = response("https://www.x.org/a/p.html", 1, "2x0 OK", "<a href=z>");
    let page = "<a href=p.html>p</a><a href=gone.html>g</a>";
    let (directory, lines) = audited(page, &[damaged], &["--out", "seeds=seeds.txt"]);
    let rules: Vec<&str> = lines
        .iter()
        .filter_map(|line| line["rule"].as_str())
        .collect();
    assert!(rules.contains(&"doc/unreadable"), "{rules:?}");
    let seeds = fs::read_to_string(directory.path().join("seeds.txt"));
    assert_eq!(
        seeds.expect("the seeds are written"),
        "https://www.x.org/a/gone.html\n"
    );
}
