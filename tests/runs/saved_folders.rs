//! Audits of what programs save as folders and packages: unpacked books, mirrors of the Wayback Machine,
//! logs of browsers with their bodies in files.

use std::fs;
use std::path::Path;
use std::process::Output;

use tempfile::TempDir;

use crate::old_sites::zip;
use crate::{command, rows};

/// A folder with these files.
fn folder(files: &[(&str, &str)]) -> TempDir {
    let directory = TempDir::new().expect("a temporary folder is made");
    for (name, text) in files {
        let path = directory.path().join(name);
        fs::create_dir_all(path.parent().expect("a file has a folder")).expect("a folder is made");
        fs::write(path, text).expect("the file is written");
    }
    directory
}

fn audit(directory: &Path, arguments: &[&str]) -> Output {
    let mut command = command(&["audit", "-f", "jsonl"]);
    let output = command.args(arguments).current_dir(directory).output();
    output.expect("the program runs")
}

/// The findings of an audit, each as its rule and value.
fn findings(output: &Output) -> Vec<String> {
    let rows = rows(output);
    let found = rows.iter().filter(|row| row["type"] == "finding");
    let shown = found.map(|finding| {
        let text = |name: &str| finding[name].as_str().unwrap_or_default().to_owned();
        [text("rule"), text("raw")].join(" ")
    });
    shown.collect()
}

#[test]
fn unpacked_book_judged_as_packed() {
    let book = folder(&[
        ("book/mimetype", "application/epub+zip"),
        (
            "book/META-INF/container.xml",
            "<container xmlns='urn:oasis:names:tc:opendocument:xmlns:container'><rootfiles>\
             <rootfile full-path='O/p.opf' media-type='application/oebps-package+xml'/></rootfiles>\
             </container>",
        ),
        (
            "book/O/p.opf",
            "<package xmlns='http://www.idpf.org/2007/opf'><manifest><item id='a' href='a.xhtml'/>\
             <item id='b' href='lost.css'/><item id='c' href='c.png'/></manifest></package>",
        ),
        (
            "book/O/a.xhtml",
            "<html xmlns='http://www.w3.org/1999/xhtml'><img src='c.png'/><a href='b.xhtml'>b</a></html>",
        ),
        ("book/O/c.png", "x"),
    ]);
    let output = audit(book.path(), &["book"]);
    let expected = [
        "target/missing-file b.xhtml",
        "target/missing-file lost.css",
    ];
    let mut found = findings(&output);
    found.sort();
    assert_eq!(found, expected);
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn mirrors_of_the_wayback_machine() {
    let page = "<a href='p.php?id=3'>1</a><a href='/s?x=1'>2</a><a href='gone.html'>3</a>";
    let downloaded = folder(&[
        ("websites/a.example/index.html", page),
        ("websites/a.example/p.php%3fid%3d3", "<p>"),
        ("websites/a.example/s?x=1/index.html", "<p>"),
    ]);
    let packed = folder(&[
        ("websites/20240301100000/a.example/index.html", page),
        ("websites/20240301100000/a.example/p.php?id=3", "<p>"),
        ("websites/20240301100000/a.example/s?x=1", "<p>"),
    ]);
    for mirror in [downloaded, packed] {
        let output = audit(
            mirror.path(),
            &["websites", "--url-map", "wayback:websites"],
        );
        assert_eq!(findings(&output), ["target/missing-file gone.html"]);
    }
}

#[test]
fn failed_downloads_of_web_scrapbook() {
    let site = folder(&[
        (
            "site/index.html",
            "<img src='urn:scrapbook:download:error:http://a.example/e.png'><link rel=stylesheet \
             href=s.css><img src='urn:isbn:1'>",
        ),
        (
            "site/s.css",
            "p { background: url(urn:scrapbook:download:error:http://a.example/f) }",
        ),
    ]);
    let output = audit(site.path(), &["site", "--out", "seeds=s.txt"]);
    let expected = [
        "target/resource-not-captured urn:scrapbook:download:error:http://a.example/e.png",
        "target/resource-not-captured urn:scrapbook:download:error:http://a.example/f",
    ];
    assert_eq!(findings(&output), expected);
}

#[test]
fn snapshot_of_archivebox_read_by_one_copy() {
    let record = |url: &str, body: &str| {
        let block = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n{body}");
        let length = block.len();
        format!(
            "WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\n\
             Content-Length: {length}\r\n\r\n{block}\r\n\r\n"
        )
    };
    let page = "<img src=gone.png>";
    let saved = folder(&[
        (
            "archive/1700000000.5/index.json",
            "{\"canonical\": {\"singlefile_path\": \"singlefile.html\"}}",
        ),
        ("archive/1700000000.5/index.html", "<img src=favicon.ico>"),
        ("archive/1700000000.5/output.html", page),
        ("archive/1700000000.5/a.example/index.html", page),
        (
            "archive/1700000000.5/warc/1.warc",
            &record("http://a.example/", page),
        ),
    ]);
    let output = audit(saved.path(), &["."]);
    assert_eq!(findings(&output), ["target/resource-not-captured gone.png"]);
    let mut command = command(&["audit", "."]);
    let output = command.current_dir(saved.path()).output();
    let said = String::from_utf8(output.expect("the program runs").stdout);
    let said = said.expect("the output is UTF-8");
    assert!(
        said.contains("ArchiveBox snapshots read: 1 from the WARC; skipped: 4 other files"),
        "{said}"
    );
    let named = "archive/1700000000.5/output.html";
    assert_eq!(
        findings(&audit(saved.path(), &[named])),
        ["base/undefined gone.png"]
    );
}

/// What a browser chose of this page was saved, and `gone.png` should have been.
const SAVED_PAGE: &str = "<link rel=prefetch href=next.html><img src=1.jpg srcset='2.jpg 2x'>\
    <noscript><img src=pixel.gif></noscript><style>@font-face { src: url(f.woff2), url(f.woff) }</style>\
    <img src=gone.png>";

#[test]
fn alternatives_in_a_saved_copy_are_no_faults() {
    const COPY: &[&str] = &[
        "archive/other-resolution 1.jpg",
        "archive/alternative pixel.gif",
        "archive/alternative f.woff",
        "target/missing-file gone.png",
    ];
    let marked = format!("<!-- saved from url=(0017)https://a.example/ -->{SAVED_PAGE}");
    let marked = folder(&[
        ("site/p.html", &marked),
        ("site/2.jpg", ""),
        ("site/f.woff2", ""),
    ]);
    let options = ["--level", "note", "--no-group"];
    let found = |directory: &Path, arguments: &[&str]| {
        findings(&audit(directory, &[arguments, &options].concat()))
    };
    assert_eq!(found(marked.path(), &["site"]), COPY, "a page with a mark");
    let rdf = "<RDF xmlns:MAF='http://maf.mozdev.org/metadata/rdf#'><MAF:originalurl \
               RDF:resource='https://a.example/'/></RDF>";
    let manifest = "{\"originalUrl\":\"https://a.example/\"}";
    let records = [
        ("a.maff", "index.rdf", rdf),
        ("a.zip", "manifest.json", manifest),
        ("a.htz", "none.txt", ""),
    ];
    for (name, record, text) in records {
        let members = [
            ("index.html", SAVED_PAGE),
            ("2.jpg", ""),
            ("f.woff2", ""),
            (record, text),
        ];
        let saved = TempDir::new().expect("a temporary folder is made");
        fs::write(saved.path().join(name), zip(&members)).expect("the file is written");
        assert_eq!(found(saved.path(), &[name]), COPY, "{name}");
    }
    let mirror = folder(&[
        ("m/a.example/index.html", SAVED_PAGE),
        ("m/a.example/2.jpg", ""),
        ("m/a.example/f.woff2", ""),
        ("m/hts-cache/new.txt", "date\n"),
    ]);
    for map in ["wget:m", "wayback:m", "httrack:m"] {
        assert_eq!(
            found(mirror.path(), &["m", "--url-map", map]),
            COPY,
            "{map}"
        );
    }
    // Whoever builds a site puts all of it there.
    let built = [
        "target/missing-file next.html",
        "target/missing-file 1.jpg",
        "target/missing-file pixel.gif",
        "target/missing-file f.woff",
        "target/missing-file gone.png",
    ];
    assert_eq!(found(mirror.path(), &["m/a.example"]), built);
}

#[test]
fn other_resolutions_of_a_mirror_are_seeds_on_request() {
    let mirror = folder(&[
        ("m/a.example/index.html", SAVED_PAGE),
        ("m/a.example/2.jpg", ""),
        ("m/a.example/f.woff2", ""),
    ]);
    for (output, expected) in [
        ("seeds", "https://a.example/gone.png\n"),
        (
            "seeds.all",
            "https://a.example/1.jpg\nhttps://a.example/gone.png\n",
        ),
    ] {
        let written = format!("{output}=s.txt");
        let arguments = ["m", "--url-map", "wget:m", "--out", &written];
        audit(mirror.path(), &arguments);
        let seeds = fs::read_to_string(mirror.path().join("s.txt"));
        assert_eq!(seeds.expect("the seeds are written"), expected, "{output}");
    }
}

/// The log of a browser with a page, an image and their bodies in these files.
fn har(page: &str, image: &str) -> String {
    let entry = |url: &str, media: &str, file: &str| {
        format!(
            "{{\"request\":{{\"method\":\"GET\",\"url\":\"https://a.example/{url}\"}},\"response\":\
             {{\"status\":200,\"content\":{{\"mimeType\":\"{media}\",\"_file\":\"{file}\"}}}}}}"
        )
    };
    let entries = [
        entry("", "text/html", page),
        entry("i.png", "image/png", image),
    ];
    format!("{{\"log\":{{\"entries\":[{}]}}}}", entries.join(","))
}

#[test]
fn bodies_in_files_beside_a_har() {
    let page = "<img src=i.png><img src=gone.png>";
    let log = har("1.html", "2.png");
    let saved = folder(&[("a.har", &*log), ("1.html", page), ("2.png", "x")]);
    let output = audit(saved.path(), &["a.har"]);
    assert_eq!(findings(&output), ["target/resource-not-captured gone.png"]);
}

#[test]
fn body_outside_the_folder_of_a_har_is_an_error() {
    let log = har("../1.html", "2.png");
    let saved = folder(&[("a/a.har", &*log), ("1.html", "<img src=gone.png>")]);
    let output = audit(saved.path(), &["a/a.har"]);
    let found = findings(&output);
    assert!(
        found.len() == 1 && found[0].starts_with("doc/unreadable"),
        "{found:?}"
    );
    assert_eq!(output.status.code(), Some(3));
}

#[cfg(unix)]
#[test]
fn body_behind_a_symbolic_link_out_of_the_folder_of_a_har_is_not_read() {
    let log = har("1.html", "2.png");
    let saved = folder(&[
        ("a/a.har", &*log),
        ("a/3.html", "<img src=3.png>"),
        ("1.html", "<img src=gone.png>"),
    ]);
    let link = saved.path().join("a/1.html");
    let link_to = |target: &str| {
        std::os::unix::fs::symlink(target, &link).expect("the link is made");
        let output = audit(saved.path(), &["a/a.har"]);
        fs::remove_file(&link).expect("the link is removed");
        (findings(&output), output.status.code())
    };
    let (found, code) = link_to("../1.html");
    assert!(
        found.len() == 1 && found[0].starts_with("doc/unreadable"),
        "{found:?}"
    );
    assert_eq!(code, Some(3));
    let inside = (
        vec!["target/resource-not-captured 3.png".to_owned()],
        Some(1),
    );
    assert_eq!(link_to("3.html"), inside);
}

#[test]
fn har_without_bodies_is_refused() {
    let log = "{\"log\":{\"entries\":[{\"request\":{\"method\":\"GET\",\"url\":\"https://a.example/\"},\
               \"response\":{\"status\":200,\"content\":{\"size\":9,\"mimeType\":\"text/html\"}}}]}}";
    let saved = folder(&[("a.har", log)]);
    let mut command = command(&["links", "a.har"]);
    let output = command.current_dir(saved.path()).output();
    let output = output.expect("the program runs");
    let said = String::from_utf8(output.stderr).expect("the output is UTF-8");
    assert!(said.contains("has no bodies"), "{said}");
    assert_eq!(output.status.code(), Some(3));
}

#[test]
fn refused_input_named_on_standard_error() {
    let saved = folder(&[(
        "e.cdxj",
        "org,example)/ 20240301100000 {\"url\":\"http://example.org/\"}\n",
    )]);
    let output = audit(saved.path(), &["e.cdxj"]);
    let said = String::from_utf8(output.stderr).expect("the output is UTF-8");
    assert!(said.contains("e.cdxj: an index of captures"), "{said}");
    assert_eq!(output.status.code(), Some(3));
}

#[test]
fn list_of_web_archives_stands_for_them() {
    let list = r#"{"profile":"multi-wacz-package","resources":[{"name":"a.wacz","path":"a.wacz"},
        {"name":"gone.wacz","path":"gone.wacz"}]}"#;
    let saved = folder(&[("collection.json", list)]);
    let fixture = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/fixtures/packed/archives-in-a-collection-are-read.wacz"
    );
    fs::copy(fixture, saved.path().join("a.wacz")).expect("the fixture is copied");
    let pages = |arguments: &[&str]| {
        let output = audit(saved.path(), arguments);
        let rows = rows(&output);
        let summary = rows.iter().find(|row| row["type"] == "summary").cloned();
        summary.expect("there is a summary")
    };
    let (listed, alone) = (pages(&["collection.json"]), pages(&["a.wacz"]));
    assert_eq!(listed["links"], alone["links"]);
    assert_eq!(
        listed["unreadable"], 1,
        "the list, since the other file is not there"
    );
}

#[test]
fn files_beside_an_input_are_never_replaced() {
    let page = "<a href=x>y</a>";
    let log = har("1.html", "2.png");
    let list =
        r#"{"profile":"multi-wacz-package","resources":[{"name":"a.wacz","path":"a.wacz"}]}"#;
    let files = [
        ("a.har", &*log),
        ("1.html", page),
        ("2.png", "x"),
        ("list.json", list),
        ("a.wacz", "not read before the outputs are compared"),
    ];
    let saved = folder(&files);
    for (input, output) in [
        ("a.har", "1.html"),
        ("list.json", "list.json"),
        ("list.json", "a.wacz"),
    ] {
        for arguments in [&["audit", "--out"][..], &["links", "-o"]] {
            let out = match arguments {
                ["audit", _] => format!("jsonl={output}"),
                _ => output.to_owned(),
            };
            let mut command = command(arguments);
            let run = command
                .args([&*out, input])
                .current_dir(saved.path())
                .output();
            let run = run.expect("the program runs");
            assert_eq!(run.status.code(), Some(2), "{arguments:?} {input} {output}");
        }
    }
    for (name, text) in files {
        let kept = fs::read_to_string(saved.path().join(name));
        assert_eq!(kept.expect("the file is there"), text, "{name}");
    }
}
