//! Feeds and sitemaps in whole runs: found by their content wherever they are, and edited byte for byte.

use std::fs;
use std::path::Path;
use std::process::Output;

use crate::moving::tree;
use crate::{command, rows};

const FEED: &str = "<?xml version=\"1.0\"?>\r\n<feed xmlns='http://www.w3.org/2005/Atom'>\n\
    <id>http://old.example/</id><link  href = 'http://old.example/a.html?x=1&amp;y=2' />\n\
    <entry><content type=\"html\">&lt;a href=\"http://old.example/a.html\"&gt;</content></entry></feed>";

const FIXED_FEED: &str = "<?xml version=\"1.0\"?>\r\n<feed xmlns='http://www.w3.org/2005/Atom'>\n\
    <id>http://old.example/</id><link  href = 'http://new.example/a.html?x=1&amp;y=2' />\n\
    <entry><content type=\"html\">&lt;a href=\"http://old.example/a.html\"&gt;</content></entry></feed>";

const SITEMAP: &str = "<urlset><url><loc>\n  http://old.example/a.html?x=1&amp;y=2 </loc></url>\n\
    <url><loc><![CDATA[http://old.example/a.html?x=1&y=2]]></loc></url></urlset>\n";

const FIXED_SITEMAP: &str = "<urlset><url><loc>\n  http://new.example/a.html?x=1&amp;y=2 </loc></url>\n\
    <url><loc><![CDATA[http://new.example/a.html?x=1&y=2]]></loc></url></urlset>\n";

fn run(folder: &Path, arguments: &[&str]) -> Output {
    let output = command(arguments).current_dir(folder).output();
    output.expect("the program runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("the text is UTF-8")
}

#[test]
fn move_edits_feeds_and_sitemaps() {
    let dir = tree(&[
        ("site/a.html", "<p>x"),
        ("site/feed", FEED),
        ("site/map.xml", SITEMAP),
    ]);
    let places = [
        "--from",
        "http://old.example/",
        "--to",
        "http://new.example/",
    ];
    let arguments = [&["verify-move"][..], &places, &["--fix", "fixed", "site"]].concat();
    let output = run(dir.path(), &arguments);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let fixed = |name: &str| {
        fs::read_to_string(dir.path().join("fixed").join(name)).expect("the file is read")
    };
    assert_eq!(fixed("feed"), FIXED_FEED);
    assert_eq!(fixed("map.xml"), FIXED_SITEMAP);
    // What is in the text of an entry is judged, and said not to be edited.
    let errors = text(&output.stderr);
    assert!(errors.contains("not edited"), "{errors}");
}

#[test]
fn feed_base_edited_instead_of_links() {
    let feed = |base: &str| {
        format!(
            "<feed xmlns='http://www.w3.org/2005/Atom' xml:base='{base}'><link href='a.html'/>\
             <entry><link href='b.html'/></entry></feed>"
        )
    };
    let dir = tree(&[("site/feed.xml", &feed("http://old.example/"))]);
    let rewrite = ["--move", "http://old.example/=http://new.example/"];
    let arguments = [&["rewrite"][..], &rewrite, &["site", "--fix", "out"]].concat();
    let output = run(dir.path(), &arguments);
    let rewritten = fs::read_to_string(dir.path().join("out/feed.xml"));
    let rewritten = rewritten.unwrap_or_else(|error| panic!("{error} {output:?}"));
    assert_eq!(rewritten, feed("http://new.example/"));
    let places = [
        "--from",
        "http://old.example/",
        "--to",
        "http://new.example/",
    ];
    let arguments = [&["verify-move"][..], &places, &["--fix", "fixed", "site"]].concat();
    run(dir.path(), &arguments);
    let fixed = fs::read_to_string(dir.path().join("fixed/feed.xml")).expect("the file is read");
    assert_eq!(fixed, feed("http://new.example/"));
}

#[test]
fn feeds_detected_by_content() {
    let response = |media: &str, body: &str| {
        let http = format!("HTTP/1.1 200 OK\r\nContent-Type: {media}\r\n\r\n{body}");
        format!(
            "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://old.example/{}\r\n\
             Content-Type: application/http\r\nContent-Length: {}\r\n\r\n{http}\r\n\r\n",
            media.replace('/', "-"),
            http.len()
        )
    };
    let other = "<svg-not-a-feed/>";
    let warc = [
        response("application/atom+xml", FEED),
        response("text/xml", SITEMAP),
        response("text/xml", other),
    ];
    let dir = tree(&[("a.warc", &warc.concat())]);
    let listed = run(dir.path(), &["links", "a.warc"]);
    let url = "http://old.example/a.html?x=1&y=2\n";
    let expected = format!("{url}http://old.example/a.html\n{url}{url}");
    assert_eq!(text(&listed.stdout), expected, "{listed:?}");
    assert!(text(&listed.stderr).contains("text/xml 1"), "{listed:?}");
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    std::io::Write::write_all(&mut gzip, SITEMAP.as_bytes()).expect("writing to memory succeeds");
    let bytes = gzip.finish().expect("writing to memory succeeds");
    fs::create_dir(dir.path().join("site")).expect("the folder is made");
    fs::write(dir.path().join("site/sitemap.xml.gz"), bytes).expect("the file is written");
    let listed = run(dir.path(), &["links", "site"]);
    assert_eq!(text(&listed.stdout), format!("{url}{url}"), "{listed:?}");
}

#[test]
fn old_url_in_signals_reported_once() {
    let page = "<meta property=og:url content=http://old.example/1><link rel=canonical \
        href=http://old.example/2><script type=application/ld+json>{\"@type\": \"Thing\", \
        \"url\": \"http:\\/\\/old.example\\/3\"}</script><script>'http://old.example/4'</script>";
    let dir = tree(&[
        ("site/a.html", page),
        (
            "site/sitemap.xml",
            "<urlset><url><loc>http://old.example/5</loc></url></urlset>",
        ),
        (
            "site/rss.xml",
            "<rss><channel><link>http://old.example/6</link></channel></rss>",
        ),
        (
            "site/manifest.json",
            r#"{"start_url": "http://old.example/7"}"#,
        ),
    ]);
    let places = [
        "--from",
        "http://old.example/",
        "--to",
        "http://new.example/",
    ];
    let shown = ["-f", "jsonl", "--level", "note", "site"];
    let output = run(
        dir.path(),
        &[&["verify-move"][..], &places, &shown].concat(),
    );
    let values = rows(&output).into_iter();
    let findings = values.filter(|value: &serde_json::Value| value["type"] == "finding");
    let mut found: Vec<_> = findings
        .map(|value| format!("{} {}", value["rule"], value["doc"]).replace('"', ""))
        .collect();
    found.sort();
    let expected = [
        "move/canonical-pinned site/a.html",
        "move/canonical-pinned site/a.html",
        "move/old-address-in-file site/manifest.json",
        "move/old-address-in-json-ld site/a.html",
        "move/pinned-to-old site/rss.xml",
        "move/pinned-to-old site/sitemap.xml",
        "move/unrewritten-occurrence site/a.html",
    ];
    assert_eq!(found, expected);
}
