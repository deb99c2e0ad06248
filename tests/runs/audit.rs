//! Whole runs of `audit`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use tempfile::TempDir;

use crate::{command, rows};

/// A directory of a test, and a tree in it.
struct Tree {
    directory: TempDir,
}

impl Tree {
    fn new(files: &[(&str, &str)]) -> Self {
        let directory = TempDir::new().expect("a temporary folder is made");
        for (path, text) in files {
            let path = directory.path().join("site").join(path);
            fs::create_dir_all(path.parent().expect("the path has a parent"))
                .expect("the folder is made");
            fs::write(path, text).expect("the file is written");
        }
        Self { directory }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    /// Runs `audit` in the directory.
    fn audit(&self, arguments: &[&str]) -> Output {
        let mut command = command(&["audit"]);
        command.args(arguments).current_dir(self.directory.path());
        command.output().expect("the program runs")
    }

    /// The rules and values of the findings, only errors unless the arguments say otherwise.
    fn findings(&self, arguments: &[&str]) -> Vec<String> {
        let mut all = vec!["site", "-f", "jsonl"];
        all.extend(arguments);
        let output = self.audit(&all);
        let lines = rows(&output).into_iter();
        let findings = lines.filter(|line| line["type"] == "finding");
        let shown = |line: serde_json::Value| {
            let text = |name: &str| line[name].as_str().unwrap_or_default().to_owned();
            format!("{} {} {}", text("rule"), text("raw"), text("url"))
        };
        findings.map(shown).collect()
    }
}

fn code(output: &Output) -> Option<i32> {
    output.status.code()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn folder_is_site_root() {
    let tree = Tree::new(&[
        (
            "index.html",
            "<a href=/dir/><a href=gone.html><a href=https://x.example/y>",
        ),
        (
            "dir/index.html",
            "<a href=../#top><a href=/dir/a.html#s><img src=../i.png>",
        ),
        ("dir/a.html", "<p id=t><link rel=stylesheet href=a.css>"),
        (
            "dir/a.css",
            "a { background: url(i.png) } b { background: url(../gone.png) }",
        ),
        ("i.png", ""),
    ]);
    assert_eq!(
        tree.findings(&[]),
        [
            "target/missing-file i.png /dir/i.png",
            "target/missing-file ../gone.png /gone.png",
            "target/missing-fragment /dir/a.html#s /dir/a.html#s",
            "target/missing-file gone.html /gone.html",
        ]
    );
}

#[test]
fn imports_that_browsers_ignore_not_missing() {
    let tree = Tree::new(&[
        (
            "index.html",
            "<link rel=stylesheet href=s.css><style>@supports (a: b) { @import 'no.css' }</style>\
             <svg><style>a {} @import 'no.css'; b { fill: url(2.svg) }</style></svg>",
        ),
        (
            "s.css",
            "@import '1.css'; @page { margin: 0 } @import url(no.css) print;",
        ),
    ]);
    assert_eq!(
        tree.findings(&[]),
        [
            "target/missing-file 2.svg /2.svg",
            "target/missing-file 1.css /1.css",
        ]
    );
}

#[test]
fn non_pages_by_name_skipped_and_counted() {
    let page = "<!DOCTYPE html><a href=gone.html>";
    let tree = Tree::new(&[
        ("index.html", page),
        ("view.hbs", page),
        ("mail/view.html.j2", page),
        ("README.md", page),
        ("app.js", page),
        ("fixture.json", page),
        ("build.log", page),
        ("index.html.bak", page),
        ("index.html~", page),
        ("page.php", page),
        ("page.asp", page),
        ("page.php@id=3", page),
        ("page.php@file=a.bak", page),
        ("plain", page),
        ("data.json", "{}"),
    ]);
    let docs = |arguments: &[&str]| -> Vec<String> {
        let all = [&["-f", "csv"], arguments].concat();
        let output = tree.audit(&all);
        let rows = String::from_utf8(output.stdout).expect("the output is UTF-8");
        let docs = rows.lines().skip(1).filter_map(|row| row.split(',').nth(3));
        docs.map(str::to_owned).collect()
    };
    let pages = [
        "site/index.html",
        "site/page.asp",
        "site/page.php",
        "site/page.php@file=a.bak",
        "site/page.php@id=3",
        "site/plain",
    ];
    assert_eq!(docs(&["site"]), pages);
    let said = stderr(&tree.audit(&["site"]));
    assert_eq!(
        said,
        "baseref: skipped: 2 backups, 2 data files, 2 source files, 2 templates (--glob takes them)\n"
    );
    assert_eq!(stderr(&tree.audit(&["site", "-q"])), "");
    let all = stderr(&tree.audit(&["site", "-v"]));
    let view = "baseref: site/view.hbs: note: passed-over: template by its name\n";
    assert!(all.contains(view), "{all}");
    assert_eq!(
        docs(&["site", "--glob", "*.hbs", "--glob", "*.html"]),
        ["site/index.html", "site/view.hbs"]
    );
    assert_eq!(docs(&["site", "--glob", "!*.hbs"]), pages);
    assert_eq!(
        docs(&["site/README.md", "--rule", "base/*=error"]),
        ["site/README.md"]
    );
}

#[test]
fn missing_fragments_grouped_by_page() {
    let tree = Tree::new(&[
        (
            "a.html",
            "<a href=b.html#x><a href=b.html#y><a href=b.html#s>",
        ),
        ("b.html", "<p id=s><a href=gone.html><img usemap=#z>"),
    ]);
    let output = tree.audit(&["site"]);
    let text = String::from_utf8(output.stdout).expect("the output is UTF-8");
    let last = text.lines().last().expect("the text has a last line");
    assert_eq!(
        last,
        "2 documents, 5 links: 1 ok, 1 missing file, 3 missing anchors; 4 errors, 0 warnings, 0 notes"
    );
    let groups: Vec<&str> = text
        .lines()
        .filter(|line| line.starts_with("error"))
        .collect();
    assert_eq!(
        groups,
        [
            "error: missing anchor: b.html",
            "error: link to a missing file: gone.html"
        ]
    );
}

#[test]
fn links_above_root_name_the_option() {
    let page = "<a href=../../legal/x.html><a href=../../index.html><a href=../index.html>";
    let tree = Tree::new(&[("api/a.html", page), ("index.html", "")]);
    let output = tree.audit(&["site"]);
    assert_eq!(code(&output), Some(1));
    let text = String::from_utf8(output.stdout).expect("the output is UTF-8");
    for said in [
        "error: link out of the site, on the same host: ../legal/x.html\n  it climbs \
         above the root of the site; --url-map site=/site/ says where it is served: 1 link in 1 document \
         (target/escapes-tree)\n",
        "\n2 links lead out of site, above its root: say at which path it is served, such as \
         --url-map site=/site/\n",
        "\n2 documents, 3 links: 1 ok, 2 outside the site; 1 error, 1 warning, ",
    ] {
        assert!(text.contains(said), "{said:?} in {text}");
    }
    assert!(!text.contains("no such file"), "{text}");
    // Whatever the rule set.
    for resolver in ["rfc3986", "whatwg"] {
        let output = tree.audit(&["site", "--resolver", resolver]);
        let text = String::from_utf8(output.stdout).expect("the output is UTF-8");
        assert!(
            text.contains("1 ok, 2 outside the site"),
            "{resolver}: {text}"
        );
    }
    let output = tree.audit(&["site", "--url-map", "site=/site/"]);
    assert_eq!(code(&output), Some(0));
    let text = String::from_utf8(output.stdout).expect("the output is UTF-8");
    assert!(!text.contains("--url-map"), "{text}");
}

#[test]
fn base_path_missing_in_site_suggests_map() {
    let links = "<a href=a.html><a href=guide/><a href=gone.html>";
    let page = format!("<base href=/mdBook/>{links}");
    let in_folder = "<base href=/mdBook/guide/><a href=index.html>";
    let files = [
        ("404.html", page.as_str()),
        ("guide/404.html", in_folder),
        ("a.html", ""),
        ("guide/index.html", ""),
    ];
    let tree = Tree::new(&files);
    let text = String::from_utf8(tree.audit(&["site"]).stdout).expect("the output is UTF-8");
    for said in [
        "error: link to a missing file: /mdBook/\n  no such file: the base names /mdBook/, a \
         folder that is not here (served there? --url-map site=/mdBook/): 3 links in 2 documents \
         (target/missing-file)\n",
        "\n3 links find their files if the tree is served below /mdBook/: --url-map \
         site=/mdBook/\n",
        "error: link to a missing file: mdBook/gone.html\n  no such file: 1 link",
    ] {
        assert!(text.contains(said), "{said:?} in {text}");
    }
    let placed = ["--url-map", "site=/mdBook/"];
    assert_eq!(
        tree.findings(&placed),
        ["target/missing-file gone.html /mdBook/gone.html"]
    );
    // Without a file that would be there, nothing speaks for the path.
    let tree = Tree::new(&[("404.html", "<base href=/mdBook/><a href=gone.html>")]);
    let text = String::from_utf8(tree.audit(&["site"]).stdout).expect("the output is UTF-8");
    assert!(!text.contains("--url-map"), "{text}");
}

#[test]
fn base_on_site_host_suggests_map() {
    let of_generator = "<base href=https://x.example/docs/><a href=dir/b.html><a href=gone.html>";
    let of_page = "<base href=https://x.example/docs/dir/b.html><a href=../a.html>";
    let hint = "to other sites find their files if the tree is served at \
                https://x.example/docs/, which is the base of its pages: --url-map \
                site=https://x.example/docs/\n";
    let tree = Tree::new(&[("a.html", of_generator), ("dir/b.html", of_page)]);
    let text = String::from_utf8(tree.audit(&["site"]).stdout).expect("the output is UTF-8");
    assert!(text.contains(&format!("\n2 links {hint}")), "{text}");
    let map = ["--url-map", "site=https://x.example/docs/"];
    assert_eq!(
        tree.findings(&map),
        ["target/missing-file gone.html https://x.example/docs/gone.html"]
    );
    let text = String::from_utf8(tree.audit(&["site", map[0], map[1]]).stdout)
        .expect("the output is UTF-8");
    assert!(!text.contains("if the tree is served"), "{text}");
    // Without a file that would be there, nothing speaks for the URL.
    let tree = Tree::new(&[(
        "a.html",
        "<base href=https://x.example/docs/><a href=gone.html>",
    )]);
    let text = String::from_utf8(tree.audit(&["site"]).stdout).expect("the output is UTF-8");
    assert!(!text.contains("if the tree is served"), "{text}");
}

#[test]
fn nothing_checked_is_not_green() {
    let tree = Tree::new(&[("view.j2", "<!DOCTYPE html><a href=x>"), ("i.png", "")]);
    fs::create_dir(tree.path("empty")).expect("the folder is made");
    fs::create_dir(tree.path("out")).expect("the folder is made");
    for (arguments, sentence) in [
        (
            &["empty"][..],
            "nothing was checked: there is no page in empty",
        ),
        (&["site"], "nothing was checked: there is no page in site"),
        (
            &["site", "--glob", "*.htm"],
            "nothing was checked: there is no page that --glob takes in site",
        ),
        (
            &[],
            "nothing was checked: there is no page in standard input",
        ),
        (&["empty", "--out", "jsonl=out/r"], "nothing was checked: "),
    ] {
        let output = tree.audit(arguments);
        assert_eq!(code(&output), Some(2), "{arguments:?}");
        assert!(stderr(&output).contains(sentence), "{}", stderr(&output));
        assert_eq!(output.stdout, b"", "{arguments:?}");
    }
    assert!(!tree.path("out/r").exists());
    assert!(stderr(&tree.audit(&["site"])).contains("skipped: 1 template (--glob takes it)"));
    let moved = ["https://a.example/", "--to", "https://b.example/"];
    let mut command = command(&["verify-move", "site", "--from"]);
    let output = command.args(moved).current_dir(tree.path("")).output();
    let output = output.expect("the program runs");
    assert_eq!(code(&output), Some(2));
    assert!(
        stderr(&output).contains("nothing was checked"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn single_page_names_the_missing_site() {
    let page = "<p id=s><a href=#s><a href=#t><a href=b.html><a href=c.html>";
    let saved = "<!-- saved from url=(0028)https://x.example/dir/a.html -->\n<a href=b.html>";
    let tree = Tree::new(&[("a.html", page), ("saved.html", saved)]);
    let output = tree.audit(&["site/a.html"]);
    assert_eq!(code(&output), Some(1));
    let text = String::from_utf8(output.stdout).expect("the output is UTF-8");
    let hint = "no base is known: audit the whole folder, or give the URL of the page with -u: 2 \
                links in 1 document";
    assert_eq!(text.matches("no base is known").count(), 1, "{text}");
    assert!(text.contains(hint), "{text}");
    let last = "1 ok, 1 missing anchor, 2 without a base; 3 errors";
    assert!(text.contains(last), "{text}");
    let of = |arguments: &[&str]| {
        let output = tree.audit(arguments);
        let text = String::from_utf8(output.stdout).expect("the output is UTF-8");
        text.lines().last().unwrap_or_default().to_owned()
    };
    let with_url = of(&["site/a.html", "-u", "https://x.example/a.html"]);
    assert!(
        with_url.contains("1 ok, 1 missing anchor, 2 to other sites; 1 error,"),
        "{with_url}"
    );
    assert!(of(&["site/saved.html"]).contains("1 without a base"));
    let marked = of(&["site/saved.html", "--saved-from", "auto"]);
    assert!(marked.contains("1 link: 1 to another site"), "{marked}");
    let output = tree.audit(&["site", "-u", "https://x.example/"]);
    assert_eq!(code(&output), Some(2));
    assert!(
        stderr(&output).contains("--url-map site=URL"),
        "{}",
        stderr(&output)
    );
    let colored = tree.audit(&["site/a.html", "--color", "always"]).stdout;
    assert!(String::from_utf8_lossy(&colored).contains("\u{1b}[31merror"));
}

#[test]
fn wget_mirror_hosts_and_queries() {
    let page = "<a href=/page.php?id=3#s><a href=/page.php?id=4><a href=http://b.example/>\
                <a href=https://c.example/><a href=//b.example/gone.html>";
    let tree = Tree::new(&[
        ("a.example/index.html", page),
        ("a.example/page.php?id=3", "<p id=t>"),
        ("b.example/index.html", "<a href=//a.example/>"),
    ]);
    assert_eq!(
        tree.findings(&["--url-map", "wget:site"]),
        [
            "target/missing-fragment /page.php?id=3#s https://a.example/page.php?id=3#s",
            "target/missing-file /page.php?id=4 https://a.example/page.php?id=4",
            "target/missing-file //b.example/gone.html https://b.example/gone.html",
        ]
    );
}

#[test]
fn httrack_mirror_without_log() {
    let tree = Tree::new(&[("a.example/index.html", "<p>")]);
    let output = tree.audit(&["site", "--url-map", "httrack:site"]);
    assert_eq!(code(&output), Some(2));
    let said = stderr(&output);
    assert!(
        said.contains("the log of HTTrack, site/hts-cache/new.txt"),
        "{said}"
    );
}

#[test]
fn converted_mirror_links_between_hosts() {
    let tree = Tree::new(&[
        (
            "a.example/g/p.html",
            "<link rel=stylesheet href=../../b.example/x.css><img src=../../b.example/gone.png>\
             <a href=../../b.example/g/../q.html#s>q</a><a href=../../b.example/q.html#t>t</a>\
             <a href=../../c.example/>c</a><a href=../../../b.example/x.css>x</a>",
        ),
        ("b.example/x.css", ""),
        (
            "b.example/q.html",
            "<p id=s><a href=../a.example/g/p.html>p</a>",
        ),
    ]);
    let found = tree.findings(&["--url-map", "wget:site"]);
    let found = found.iter().map(|finding| {
        let (finding, _url) = finding.rsplit_once(' ').expect("the line has three words");
        finding
    });
    assert_eq!(
        found.collect::<Vec<_>>(),
        [
            "target/missing-file ../../b.example/gone.png",
            "target/missing-fragment ../../b.example/q.html#t",
            "target/missing-file ../../c.example/",
            "target/missing-file ../../../b.example/x.css",
        ]
    );
}

/// No name of a file has a slash: wget writes `%2F`.
#[test]
fn wget_slash_in_query() {
    let page = "<a href='/q?of=a/b'><a href=http://a.example/q?of=a%2Fb><a href='/q?of=a%2fc'>\
                <a href='/d/?to=/x/y'>";
    let tree = Tree::new(&[
        ("a.example/index.html", page),
        ("a.example/q?of=a%2Fb", "<p>"),
        ("a.example/d/index.html@to=%2Fx%2Fy.html", "<p>"),
    ]);
    assert_eq!(
        tree.findings(&["--url-map", "wget:site"]),
        ["target/missing-file /q?of=a%2fc https://a.example/q?of=a%2fc"]
    );
}

#[test]
fn httrack_log_maps_absolute_links() {
    let page =
        "<a href=index1f.html><a href='http://a.example/?x=1'><a href='http://a.example/?x=2'>";
    let log = "12:00:00\t5/5\t---M--\t200\tadded ('OK')\ttext/html\tdate:x\thttp://a.example/?x=1\t\
               site/a.example/index1f.html\t(from x)\n";
    let tree = Tree::new(&[
        ("a.example/index.html", page),
        ("a.example/index1f.html", ""),
        ("hts-cache/new.txt", log),
    ]);
    let output = tree.audit(&["site", "--url-map", "httrack:site"]);
    let text = String::from_utf8(output.stdout).expect("the output is UTF-8");
    assert!(text.contains("3 links: 2 ok, 1 to another site;"), "{text}");
}

#[cfg(unix)]
#[test]
fn links_out_of_site_on_request() {
    let tree = Tree::new(&[(
        "a.html",
        "<script src=lib/x.js></script><script src=y.js></script>",
    )]);
    fs::create_dir(tree.path("lib")).expect("the folder is made");
    fs::write(tree.path("lib/x.js"), "").expect("the file is written");
    for (target, link) in [
        (tree.path("lib"), "site/lib"),
        (tree.path("lib/x.js"), "site/y.js"),
        (tree.path("."), "lib/up"),
    ] {
        std::os::unix::fs::symlink(target, tree.path(link)).expect("the symbolic link is made");
    }
    let last = |arguments: &[&str]| {
        let text = String::from_utf8(tree.audit(arguments).stdout).expect("the output is UTF-8");
        text.lines().last().unwrap_or_default().to_owned()
    };
    let links = last(&["site"]);
    assert!(
        links.contains("1 document, 2 links: 2 unmappable"),
        "{links}"
    );
    let followed = last(&["site", "-L"]);
    assert!(followed.contains("1 document, 2 links: 2 ok"), "{followed}");
}

#[test]
fn absolute_links_counted_with_site_url() {
    let page = "<a href=https://x.example/docs/b.html><a href=http://www.x.example/docs/a.html>";
    let tree = Tree::new(&[("a.html", page)]);
    assert_eq!(tree.findings(&[]), [""; 0]);
    let map = ["--url-map", "site=https://x.example/docs/"];
    let missing = "target/missing-file https://x.example/docs/b.html https://x.example/docs/b.html";
    assert_eq!(tree.findings(&map), [missing]);
    let path = ["--url-map", "site=/docs"];
    assert_eq!(tree.findings(&path), [""; 0]);
    let output = tree.audit(&["site", "--url-map", "nowhere=https://x.example/"]);
    assert_eq!(code(&output), Some(2));
    assert!(stderr(&output).contains("nowhere"), "{}", stderr(&output));
    let output = tree.audit(&["site", "--url-map", "site=/a/", "--url-map", "site=/b/"]);
    assert_eq!(code(&output), Some(2));
    assert!(
        stderr(&output).contains("already mapped"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn reports_independent_of_threads() {
    let page = |number: u32| {
        format!(
            "<p id=n{number}><a href={}.html#n{}>a</a><a href={}.html#gone>b</a><a href=none{}>",
            number + 1,
            number + 1,
            (number * 7) % 120,
            number % 3
        )
    };
    let pages: Vec<(String, String)> = (0..120)
        .map(|number| (format!("{number}.html"), page(number)))
        .collect();
    let files: Vec<(&str, &str)> = pages
        .iter()
        .map(|(name, text)| (name.as_str(), text.as_str()))
        .collect();
    let tree = Tree::new(&files);
    for format in [
        "text", "jsonl", "csv", "sarif", "github", "junit", "markdown", "html",
    ] {
        let one = tree.audit(&["site", "-f", format, "--level", "note", "-j", "1"]);
        let eight = tree.audit(&["site", "-f", format, "--level", "note", "-j", "8"]);
        assert!(one.stdout.len() > 500, "{format} has something to compare");
        assert!(one.stdout == eight.stdout, "{format}");
        assert_eq!((code(&one), code(&eight)), (Some(1), Some(1)));
    }
}

#[test]
fn exit_codes() {
    let tree = Tree::new(&[("a.html", "<p id=s><p id=s><a href=a.html>")]);
    assert_eq!(code(&tree.audit(&["site"])), Some(0));
    assert_eq!(
        code(&tree.audit(&["site", "--fail-on", "warning"])),
        Some(1)
    );
    assert_eq!(code(&tree.audit(&["site", "--fail-on", "never"])), Some(0));
    let strict = ["site", "--rule", "doc/*=error"];
    assert_eq!(code(&tree.audit(&strict)), Some(1));
    assert_eq!(
        code(&tree.audit(&["site", "--rule", "nothing=error"])),
        Some(2)
    );
    assert_eq!(code(&tree.audit(&["nowhere"])), Some(3));
}

#[test]
fn malformed_page_is_readable() {
    let record = |kind: &str, length: usize, block: &str| {
        format!(
            "WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Target-URI: http://h/p\r\n\
             Content-Length: {length}\r\n\r\n{block}\r\n\r\n"
        )
    };
    let page = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<title>t</title><a href=#top>";
    let page = record("response", page.len(), page);
    for (length, outcome) in [(9, Some(0)), (20, Some(0)), (3, Some(3))] {
        let archive = record("metadata", length, "a: b c: d") + &page;
        let tree = Tree::new(&[("a.warc", &archive)]);
        let output = tree.audit(&["site/a.warc"]);
        assert_eq!(code(&output), outcome, "{length}: {}", stderr(&output));
    }
}

#[test]
fn report_inside_audited_site_refused() {
    let tree = Tree::new(&[("a.html", "<a href=a.html>")]);
    for arguments in [
        ["site", "-o", "site/r.txt"],
        ["site", "--out", "sarif=site/./r.sarif"],
    ] {
        let output = tree.audit(&arguments);
        assert_eq!(code(&output), Some(2), "{arguments:?}");
        assert!(
            stderr(&output).contains("must not be in"),
            "{}",
            stderr(&output)
        );
    }
    assert_eq!(
        fs::read_dir(tree.path("site"))
            .expect("the folder is read")
            .count(),
        1
    );
}

#[test]
fn baseline_findings_do_not_count() {
    let tree = Tree::new(&[("a.html", "<a href=gone>")]);
    assert_eq!(
        code(&tree.audit(&["site", "--write-baseline", "known"])),
        Some(1)
    );
    assert_eq!(code(&tree.audit(&["site", "--baseline", "known"])), Some(0));
    fs::write(tree.path("site/a.html"), "<p>\n<a href=new><a href=gone>")
        .expect("the file is written");
    let output = tree.audit(&["site", "--baseline", "known"]);
    assert_eq!(code(&output), Some(1));
    fs::write(tree.path("site/a.html"), "<p>").expect("the file is written");
    assert_eq!(code(&tree.audit(&["site", "--baseline", "known"])), Some(0));
    let strict = tree.audit(&["site", "--baseline", "known", "--baseline-strict"]);
    assert_eq!(code(&strict), Some(1));
    fs::write(tree.path("known"), "nonsense").expect("the file is written");
    assert_eq!(code(&tree.audit(&["site", "--baseline", "known"])), Some(2));
}

#[test]
fn configuration_found_and_checked() {
    let tree = Tree::new(&[("a.html", "<a href=gone>")]);
    let config = "[rules]\n\"target/missing-file\" = \"note\"\n";
    fs::write(tree.path("baseref.toml"), config).expect("the file is written");
    assert_eq!(code(&tree.audit(&["site"])), Some(0));
    fs::write(tree.path("baseref.toml"), "[rulez]\n").expect("the file is written");
    let output = tree.audit(&["site"]);
    assert_eq!(code(&output), Some(2));
    assert!(stderr(&output).contains("rulez"), "{}", stderr(&output));
    assert_eq!(
        code(&tree.audit(&["site", "--config", "none.toml"])),
        Some(2)
    );
}

#[cfg(unix)]
#[test]
fn nothing_outside_site_is_read() {
    let tree = Tree::new(&[(
        "a.html",
        "<a href=out/secret.html><a href=in.html#s><a href=up.html#s><a href=gone.html>",
    )]);
    fs::write(tree.path("secret.html"), "<p id=s>").expect("the file is written");
    let link = |target: &str, name: &str| {
        std::os::unix::fs::symlink(target, tree.path("site").join(name))
            .expect("the symbolic link is made");
    };
    link("..", "out");
    link("a.html", "in.html");
    link("../secret.html", "up.html");
    link("../lost.html", "gone.html");
    let found = tree.findings(&["--level", "warning"]);
    assert_eq!(
        found,
        [
            "target/link-outside out/secret.html /out/secret.html",
            "target/missing-fragment in.html#s /in.html#s",
            "target/link-outside up.html#s /up.html#s",
            "target/missing-file gone.html /gone.html",
        ]
    );
    let output = tree.audit(&["site", "-f", "jsonl"]);
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(
        text.contains("a symbolic link of that name leads nowhere"),
        "{text}"
    );
}

#[test]
fn suggested_id_starts_from_the_decoded_fragment() {
    let found = |fragment: &str, id: &str| {
        let html = format!("<meta charset=utf-8><a href='#{fragment}'></a><p id='{id}'>");
        let tree = Tree::new(&[("a.html", &html)]);
        let lines = rows(&tree.audit(&["site", "-f", "jsonl"]));
        let mut lines = lines.into_iter();
        let finding = lines.find(|line| line["rule"] == "target/missing-fragment");
        let finding = finding.expect("the fragment is missing");
        let text = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_owned();
        (text(&finding["message"]), text(&finding["suggestions"][0]))
    };
    let (_, suggested) = found("gr%C3%B6sse", "gr\u{f6}\u{df}e");
    assert_eq!(suggested, "#gr\u{f6}\u{df}e");
    let (_, suggested) = found("get%20stated", "get started");
    assert_eq!(suggested, "#get started");
    let (message, _) = found("%C3%89tude", "\u{e9}tude");
    assert!(message.ends_with("differs by case"), "{message}");
    let (message, suggested) = found("caf%C3%A9", "cafe\u{301}");
    assert_eq!(suggested, "#cafe\u{301}");
    assert_eq!(
        message,
        "no id or name with U+00E9: \"cafe\\u{301}\" looks alike, but has U+0065 U+0301 there"
    );
}

#[test]
fn text_fragments_on_request() {
    let tree = Tree::new(&[
        (
            "a.html",
            "<a href='b.html#s:~:text=purple%20cow'><a href='b.html#:~:text=brown,cow'>\
             <a href='b.html'><a href='b.html#:~:text=bro'><a href='#:~:text=gone'>",
        ),
        ("b.html", "<p id=s>The <b>bro</b>wn<p>cow"),
    ]);
    assert_eq!(tree.findings(&["--level", "note"]), [""; 0]);
    let output = tree.audit(&["site", "--rule", "target/missing-text=warning"]);
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("3 warnings"), "{text}");
    let requested = ["--rule", "target/missing-text=warning"];
    let at_error = [&requested[..], &["--level", "error"]].concat();
    assert_eq!(tree.findings(&at_error), [""; 0]);
    assert_eq!(
        tree.findings(&requested),
        [
            "target/missing-text b.html#s:~:text=purple%20cow /b.html#s:~:text=purple%20cow",
            "target/missing-text b.html#:~:text=bro /b.html#:~:text=bro",
            "target/missing-text #:~:text=gone /a.html#:~:text=gone",
        ]
    );
}

#[test]
fn named_files_without_site() {
    let tree = Tree::new(&[
        ("a.html", "<a href=b.html#s><a href=b.html#t>"),
        ("b.html", "<p id=s>"),
    ]);
    let output = tree.audit(&["site/a.html", "-f", "csv"]);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(text.contains("base/undefined"), "{text}");
    let only = tree.findings(&["--glob", "a.html"]);
    assert_eq!(only, ["target/missing-fragment b.html#t /b.html#t"]);
    assert!(Path::new(&tree.path("site")).is_dir());
}

#[test]
fn orphans_listed() {
    let tree = Tree::new(&[
        ("index.html", "<a href=a.html>"),
        ("a.html", ""),
        ("b.html", "<a href=b.html>"),
    ]);
    let output = tree.audit(&["site", "--unreferenced"]);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let listed: Vec<&str> = text
        .lines()
        .filter(|line| line.starts_with("unreferenced"))
        .collect();
    assert_eq!(listed, ["unreferenced: b.html", "unreferenced: index.html"]);
}

#[test]
fn rules_listed_and_explained() {
    let tree = Tree::new(&[]);
    let list = tree.audit(&["--list-rules"]);
    let list = String::from_utf8_lossy(&list.stdout).into_owned();
    assert!(list.lines().count() > 40 && list.contains("target/missing-file"));
    let one = tree.audit(&["--explain", "base/empty"]);
    assert!(String::from_utf8_lossy(&one.stdout).contains("<base href=\"\">"));
    assert_eq!(code(&tree.audit(&["--explain", "base/none"])), Some(2));
}

/// The classes that the summary counts, with their numbers.
fn classes(output: &Output) -> Vec<(String, u64)> {
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let last = text.lines().last().expect("the report ends with a summary");
    let summary: serde_json::Value = serde_json::from_str(last).expect("the text is JSON");
    let classes = summary["classes"]
        .as_object()
        .expect("the summary counts by class")
        .iter();
    let counted =
        classes.map(|(name, links)| (name.clone(), links.as_u64().expect("the value is a number")));
    let counted: Vec<_> = counted.filter(|(_, links)| *links > 0).collect();
    let sum: u64 = counted.iter().map(|(_, links)| links).sum();
    assert_eq!(summary["links"].as_u64(), Some(sum));
    counted
}

#[test]
fn filtered_links_counted() {
    let page =
        "<a href=gone.html><a href=/api/gone.html><a href=https://x.example/><a href='http:'>";
    let tree = Tree::new(&[("a.html", page)]);
    let only = tree.audit(&[
        "site",
        "-f",
        "jsonl",
        "--include",
        "^/",
        "--exclude",
        "^/api/",
    ]);
    let expected = [("filtered", 3), ("missing", 1)];
    assert_eq!(
        classes(&only),
        expected.map(|(name, links)| (name.to_owned(), links))
    );
    let but = tree.audit(&["site", "-f", "jsonl", "--exclude", "gone"]);
    let but: Vec<_> = classes(&but)
        .into_iter()
        .filter(|(name, _)| name == "filtered")
        .collect();
    assert_eq!(but, [("filtered".to_owned(), 2)]);
    assert_eq!(code(&tree.audit(&["site", "--include", "("])), Some(2));
}

#[test]
fn document_patterns_as_in_links() {
    let tree = Tree::new(&[
        ("a.html", "<a href=gone-a>"),
        ("b.html", "<a href=gone-b>"),
        ("old/a.html", "<a href=gone-old>"),
    ]);
    let raws = |arguments: &[&str]| -> Vec<String> {
        let found = tree.findings(arguments).into_iter();
        let raws = found.map(|finding| {
            finding
                .split(' ')
                .nth(1)
                .expect("the line has the value")
                .to_owned()
        });
        raws.collect()
    };
    assert_eq!(raws(&["--glob", "a.html"]), ["gone-a", "gone-old"]);
    assert_eq!(raws(&["--glob", "!old"]), ["gone-a", "gone-b"]);
    assert_eq!(
        raws(&["--glob", "!a.html", "--glob", "old/a.html"]),
        ["gone-old"]
    );
    assert_eq!(raws(&["--glob", "/old/*"]), ["gone-old"]);
}

#[test]
fn all_links_on_request() {
    let tree = Tree::new(&[
        (
            "a.html",
            "<a href='b.html#s'><a href='b.html#t'><a href=gone><a href=mailto:a@b></a>\
                    <p data-url=x><a href=dir>",
        ),
        ("b.html", "<p id=s>"),
        ("dir/index.html", ""),
    ]);
    let output = tree.audit(&["site", "-f", "jsonl", "--with-links"]);
    let lines = rows(&output).into_iter();
    let of = |line: &serde_json::Value, name: &str| match &line[name] {
        serde_json::Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    let listed: Vec<String> = lines
        .filter(|line| line["type"] == "link")
        .map(|line| {
            let fields = ["raw", "url", "class", "target", "how", "fragment", "rules"];
            fields.map(|name| of(&line, name)).join(" ")
        })
        .collect();
    assert_eq!(
        listed,
        [
            "b.html#s /b.html#s ok b.html exact found []",
            "b.html#t /b.html#t missing-fragment b.html exact missing [\"target/missing-fragment\"]",
            "gone /gone missing gone null null [\"target/missing-file\"]",
            "mailto:a@b mailto:a@b opaque null null null []",
            "x /x not-judged x null null []",
            "dir /dir ok dir/index.html redirect null [\"target/dir-no-slash\"]",
        ]
    );
    let output = tree.audit(&["site", "--with-links"]);
    assert_eq!(code(&output), Some(2));
    assert!(stderr(&output).contains("jsonl"), "{}", stderr(&output));
}

#[test]
fn sarif_related_locations() {
    let page = "<base href=/><p id=s></p><p id=s></p><a href='b.html#t'>";
    let tree = Tree::new(&[("a.html", page), ("b.html", "")]);
    let output = tree.audit(&["site", "-f", "sarif", "--level", "warning"]);
    let log: serde_json::Value =
        serde_json::from_slice(&output.stdout).expect("the bytes are JSON");
    let related = |rule: &str| -> Vec<String> {
        let results = log["runs"][0]["results"]
            .as_array()
            .expect("the run has results");
        let result = results.iter().find(|result| result["ruleId"] == rule);
        let places = result.expect("the rule has a result")["relatedLocations"].as_array();
        let shown = |place: &serde_json::Value| {
            let physical = &place["physicalLocation"];
            let uri = physical["artifactLocation"]["uri"]
                .as_str()
                .expect("the location has a file");
            format!(
                "{uri} {} {}",
                physical["region"]["byteOffset"], place["message"]["text"]
            )
        };
        places.into_iter().flatten().map(shown).collect()
    };
    assert_eq!(
        related("target/missing-fragment"),
        [
            "site/a.html 11 \"The base.\"",
            "site/b.html null \"The page that the link leads to.\"",
        ]
    );
    assert_eq!(
        related("doc/duplicate-id"),
        ["site/a.html 19 \"The first element of that name.\""]
    );
    assert!(related("base/relative").is_empty());
}

#[test]
fn icon_over_http_is_not_blocked() {
    let tree = Tree::new(&[(
        "index.html",
        "<link href=http://h.example/i.png rel='shortcut icon'>\
         <link REL=\"Apple-Touch-Icon\" href=http://h.example/t.png>\
         <link rel=prefetch href=http://h.example/n.html>\
         <link href=http://h.example/s.css rel='alternate stylesheet'>\
         <link rel=preload as=image href=http://h.example/p.png>\
         <link as=Video href=http://h.example/p.mp4 rel=preload>\
         <link rel=preload as=font href=http://h.example/f.woff2>\
         <link rel=search href=http://h.example/s.xml>",
    )]);
    let mixed = tree.findings(&["--url-map", "site=https://a.example/", "--level", "note"]);
    assert_eq!(
        mixed,
        [
            "policy/mixed-passive http://h.example/i.png http://h.example/i.png",
            "policy/mixed-passive http://h.example/t.png http://h.example/t.png",
            "policy/mixed-active http://h.example/n.html http://h.example/n.html",
            "policy/mixed-active http://h.example/s.css http://h.example/s.css",
            "policy/mixed-passive http://h.example/p.png http://h.example/p.png",
            "policy/mixed-passive http://h.example/p.mp4 http://h.example/p.mp4",
            "policy/mixed-active http://h.example/f.woff2 http://h.example/f.woff2",
        ]
    );
}

/// Mixed Content, "upgradeable content": requests of `srcset` and `picture` have the initiator
/// `imageset`, and those of tracks the destination `track`.
#[test]
fn mixed_content_srcset_and_tracks() {
    let tree = Tree::new(&[(
        "index.html",
        "<img src=http://h.example/1><img srcset='http://h.example/2 2x'>\
         <picture><source srcset=http://h.example/3></picture>\
         <video src=http://h.example/4><source src=http://h.example/5>\
         <track src=http://h.example/6></video>",
    )]);
    let mixed = tree.findings(&["--url-map", "site=https://a.example/", "--level", "note"]);
    let blocked = mixed.iter().filter(|one| one.contains("mixed-active"));
    let blocked: Vec<_> = blocked.filter_map(|one| one.chars().last()).collect();
    assert_eq!(blocked, ['2', '3', '6'], "{mixed:?}");
    assert_eq!(mixed.len(), 6, "{mixed:?}");
}

#[test]
fn file_referenced_by_every_class() {
    let tree = Tree::new(&[
        (
            "index.html",
            "<link href=search.xml rel=search><link rel=next href=next.html>\
             <meta property=og:image content=/og.png><img longdesc=long.html data-src=lazy.png>\
             <blockquote cite=cite.html></blockquote><a href=a.html>",
        ),
        ("a.html", ""),
        ("search.xml", ""),
        ("next.html", "<base href=base.html>"),
        ("base.html", ""),
        ("og.png", ""),
        ("long.html", ""),
        ("lazy.png", ""),
        ("cite.html", ""),
        ("alone.html", "<link rel=search href=alone.html>"),
    ]);
    let listed = |more: &[&str]| {
        let output = tree.audit(&[&["site", "--unreferenced"], more].concat());
        let text = String::from_utf8(output.stdout).expect("the output is UTF-8");
        let lines = text.lines().filter(|line| line.starts_with("unreferenced"));
        lines.map(str::to_owned).collect::<Vec<_>>()
    };
    let alone = [
        "unreferenced: alone.html",
        "unreferenced: base.html",
        "unreferenced: index.html",
    ];
    assert_eq!(listed(&[]), alone);
    assert_eq!(listed(&["--exclude", "a.html"]), alone);
}

#[test]
fn top_fragment_needs_no_element() {
    let tree = Tree::new(&[(
        "index.html",
        "<a href=#top><a href=#TOP><a href=#%74op><a href='#%54o%50'><a href=#%74opp>",
    )]);
    assert_eq!(
        tree.findings(&[]),
        ["target/missing-fragment #%74opp /index.html#%74opp"]
    );
}

#[test]
fn snapshot_fragments() {
    let page =
        include_str!("../../fixtures/saved/fragments-of-a-snapshot-lead-into-its-parts.mhtml");
    let wrong = [
        "target/missing-fragment http://example.org/a/b?c#gone http://example.org/a/b?c#gone",
        "target/missing-fragment http://example.org/f#lost http://example.org/f#lost",
        "mail/cid-unresolved cid:frame-5@mhtml.blink cid:frame-5@mhtml.blink",
    ];
    // Lines end with CR and LF, as browsers write them.
    for text in [page.to_owned(), page.replace('\n', "\r\n")] {
        let tree = Tree::new(&[("page.mhtml", &text)]);
        assert_eq!(tree.findings(&[]), wrong);
        assert_eq!(
            tree.findings(&["--url-map", "site=https://a.example/"]),
            wrong
        );
        // Two snapshots of one URL, each with names of its own.
        let other = text.replace("=\"s\"", "=\"r\"").replace("#s", "#r");
        let tree = Tree::new(&[("a.mhtml", &text), ("b.mhtml", &other)]);
        let found = tree.findings(&[]);
        assert_eq!(found.len(), 2 * wrong.len() + 1, "{found:?}");
    }
}

#[test]
fn records_below_mapped_directory() {
    let record = |url: &str, html: &str| {
        let response = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n{html}");
        format!(
            "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\n\
             Content-Type: application/http; msgtype=response\r\nContent-Length: {}\r\n\r\n\
             {response}\r\n\r\n",
            response.len()
        )
    };
    let archive = record(
        "http://example.org/a/",
        "<a href=b#s><a href=b#t><a href=/c>",
    ) + &record("http://example.org/a/b", "<p id=s>");
    let tree = Tree::new(&[("archive/x.warc", &archive), ("index.html", "<p>")]);
    let wrong = ["target/missing-fragment b#t http://example.org/a/b#t"];
    assert_eq!(tree.findings(&[]), wrong);
    assert_eq!(
        tree.findings(&["--url-map", "site=https://a.example/"]),
        wrong
    );
    // Its own site, too: that the tree has no such file does not mean that the archive lacks the page.
    for site in ["http://example.org/a/", "http://example.org/a/z/"] {
        let map = format!("site={site}");
        assert_eq!(tree.findings(&["--url-map", &map]), wrong, "{site}");
        let links = tree.findings(&["--url-map", &map, "--level", "note"]);
        assert!(!links.iter().any(|one| one.contains("b#s")), "{links:?}");
    }
}

#[test]
fn package_is_file_of_site() {
    let zip = include_bytes!("../../fixtures/packed/members-are-opened-as-what-they-are.zip");
    let pages = "<a href=a.zip><a href=b.EPUB><a href=sub/c.zip>";
    let tree = Tree::new(&[("index.html", pages), ("sub/index.html", "<p>")]);
    for name in ["a.zip", "b.EPUB", "sub/c.zip"] {
        fs::write(tree.path("site").join(name), zip).expect("the file is written");
    }
    let documents = |arguments: &[&str]| {
        let output = tree.audit(&[arguments, &["-f", "jsonl"]].concat());
        let text = String::from_utf8(output.stdout).expect("JSON is UTF-8");
        let summary = text.lines().last().expect("the report ends with a summary");
        let summary: serde_json::Value = serde_json::from_str(summary).expect("the text is JSON");
        summary["documents"]
            .as_u64()
            .expect("the value is a number")
    };
    assert_eq!(documents(&["site"]), 2);
    let output = tree.audit(&["site"]);
    assert_eq!(code(&output), Some(0));
    let text = String::from_utf8(output.stdout).expect("the output is UTF-8");
    let said = "skipped: 3 zips, EPUBs or ZIM files, files of the site (a.zip, …)";
    assert!(text.contains(said), "{text}");
    let of_one = documents(&["site", "site/a.zip"]) - 2;
    assert!(of_one > 0);
    assert_eq!(documents(&["site", "--glob", "*.zip"]), 2 * of_one);
    assert_eq!(documents(&["site", "--glob", "!sub/"]), 1);
}

#[test]
fn source_line_of_archive_member() {
    let tree = Tree::new(&[("index.html", "<p>")]);
    let zip = include_bytes!("../../fixtures/packed/each-member-has-lines-of-its-own.zip");
    fs::write(tree.path("site/z.zip"), zip).expect("the file is written");
    for map in [&[][..], &["--url-map", "site=https://a.example/"]] {
        let output = tree.audit(&[&["site", "site/z.zip"], map].concat());
        let text = String::from_utf8(output.stdout).expect("the output is UTF-8");
        assert!(text.contains("| <p>of the second member"), "{text}");
        assert!(!text.contains("of the first"), "{text}");
    }
}

#[test]
fn httrack_cache_has_no_pages() {
    let tree = Tree::new(&[
        ("a.org/index.html", "<a href=b.html>"),
        ("a.org/b.html", ""),
        ("hts-cache/old.html", "<a href=gone.html>"),
        ("hts-cache/sub/x.html", "<a href=gone.html>"),
        ("a.org/hts-cached.html", ""),
    ]);
    assert_eq!(tree.findings(&[]), [""; 0]);
    let text = |arguments: &[&str]| {
        String::from_utf8(tree.audit(arguments).stdout).expect("the output is UTF-8")
    };
    let whole = text(&["site", "--unreferenced"]);
    assert!(
        whole.contains("skipped: 2 files of HTTrack's cache (hts-cache/old.html, …)"),
        "{whole}"
    );
    assert!(!whole.contains("unreferenced: hts-cache/"), "{whole}");
    assert!(
        whole.contains("unreferenced: a.org/hts-cached.html"),
        "{whole}"
    );
    assert!(text(&["site/hts-cache"]).contains("2 documents"));
    // Its log says where the pages are from, if it is asked.
    assert!(!whole.contains("--url-map"), "{whole}");
    fs::write(tree.path("site/hts-cache/new.txt"), "date\tsize\n").expect("the file is written");
    let hint = "; --url-map httrack:site takes from it where the files are from\n";
    let unmapped = text(&["site"]);
    assert!(unmapped.contains(hint), "{unmapped}");
    let mapped = text(&["site", "--url-map", "httrack:site"]);
    assert!(!mapped.contains("--url-map"), "{mapped}");
    assert!(text(&["site", "--glob", "old.html"]).contains("1 document"));
}

#[test]
fn crawl_scope_ignores_link_elements() {
    let har = r#"{"log":{"entries":[{"request":{"method":"GET","url":"https://a.example/"},
        "response":{"status":200,"content":{"mimeType":"text/html",
        "text":"<link rel=alternate href=/feed><q cite=/q></q><a href=/x>"}}}]}}"#;
    let tree = Tree::new(&[("crawl.har", har)]);
    let output = tree.audit(&["site/crawl.har", "-f", "jsonl", "--level", "note"]);
    let said = String::from_utf8(output.stdout).expect("JSON is UTF-8");
    assert!(said.contains("https://a.example/x"), "{said}");
    assert!(!said.contains("/feed") && !said.contains("/q\""), "{said}");
}

#[test]
fn disagreement_names_browser_url() {
    let tree = Tree::new(&[(
        "index.html",
        "<a href='http:/one.example/x'><a href='http://a b/'>\
         <a href='&#x200b;https://a.example/'>",
    )]);
    let output = tree.audit(&["site"]);
    let said = String::from_utf8(output.stdout).expect("the output is UTF-8");
    for line in [
        r#""http:/one.example/x" (in browsers: http://one.example/x)"#,
        r#""http://a b/" (in browsers: no URL)"#,
        r#""\u{200b}https://a.example/" → /\u{200b}https://a.example/"#,
        "did you mean https://a.example/?",
    ] {
        assert!(said.contains(line), "{line}\n{said}");
    }
}

#[test]
fn hosting_rules_reported_at_lookup() {
    let tree = Tree::new(&[
        ("index.html", "<p>"),
        (
            "mail.eml",
            "From: a@b.example\nContent-Type: text/html\n\n<p>\n",
        ),
    ]);
    for (input, is_told) in [("site", true), ("site/mail.eml", false)] {
        let output = tree.audit(&[input]);
        let said = String::from_utf8(output.stdout).expect("the output is UTF-8");
        assert_eq!(
            said.starts_with("Checked as a strict server"),
            is_told,
            "{said}"
        );
    }
}

#[test]
fn refresh_page_has_fragments_of_target() {
    let page = |script: &str| {
        format!("<meta http-equiv=refresh content='0;URL=new.html'><script>{script}</script>")
    };
    let along = page("location.replace('new.html' + location.hash)");
    let tree = Tree::new(&[
        (
            "index.html",
            "<a href=old.html#a></a><a href=old.html#gone></a><a href=far/older.html#a></a>\
             <a href=forgetful.html#a></a><a href=loop.html#a></a>",
        ),
        ("old.html", &along),
        ("new.html", "<p id=a>"),
        ("forgetful.html", &page("location = 'new.html'")),
        ("far/older.html", &along.replace("new.html", "../old.html")),
        ("loop.html", &along.replace("new.html", "pool.html")),
        ("pool.html", &along.replace("new.html", "loop.html")),
    ]);
    assert_eq!(
        tree.findings(&[]),
        ["old.html#gone", "forgetful.html#a", "loop.html#a"]
            .map(|link| format!("target/missing-fragment {link} /{link}"))
    );
}

#[test]
fn server_side_include_fragments() {
    let tree = Tree::new(&[
        (
            "index.html",
            "<!--#include virtual=\"/parts/nav.inc\" --><!--#include file='far/text.shtml'-->\
             <a href=#nav></a><a href=#text></a><a href=#deep></a><a href=#gone></a>",
        ),
        // `#own` is meant for the pages that the file is put into, `index.html#gone` is not.
        ("parts/nav.inc", "<p id=nav>"),
        (
            "far/text.shtml",
            "<p id=text><a href=#nav></a><a href=#lost></a><!--# include virtual=\"deep.html\" -->",
        ),
        ("far/deep.html", "<p id=deep><a href=#nav></a>"),
        (
            "other.html",
            "<a href=index.html#deep></a><a href=far/text.shtml#nav></a><a href=made.html#x></a>",
        ),
        (
            "made.html",
            "<!--#include virtual=\"/cgi-bin/x?y\" --><a href=#x></a>",
        ),
    ]);
    assert_eq!(
        tree.findings(&[]),
        [
            "target/missing-fragment #lost /far/text.shtml#lost",
            "target/missing-fragment #gone /index.html#gone",
            "target/missing-fragment far/text.shtml#nav /far/text.shtml#nav",
        ]
    );
    let with_notes = tree.findings(&["--level", "note"]);
    let perhaps = |link: &&str| with_notes.iter().any(|line| line.contains(*link));
    let unproven = [
        "fragment made.html#x /made.html#x",
        "fragment #x /made.html#x",
    ];
    assert!(unproven.iter().all(perhaps), "{with_notes:?}");
}

#[test]
fn circular_includes_end() {
    let tree = Tree::new(&[
        ("a.html", "<!--#include file=b.html --><a href=#c></a>"),
        ("b.html", "<!--#include file=c.html --><a href=#c></a>"),
        (
            "c.html",
            "<!--#include file=a.html --><p id=c><a href=#x></a>",
        ),
    ]);
    assert_eq!(tree.findings(&[]), ["target/missing-fragment #x /c.html#x"]);
}

#[test]
fn root_links_suggest_root_folder() {
    let site = |more: &str| {
        let page = "<a href=/b%20c.html>1</a><img src=/far/i.png>";
        Tree::new(&[
            ("index.html", more),
            ("pub lic/b c.html", page),
            ("pub lic/far/b.html", page),
            ("pub lic/far/i.png", ""),
        ])
    };
    let hint = "\n4 links from the root of the host find their files if that is pub lic: audit \
                site/pub lic\n";
    for (more, is_told) in [
        ("", true),
        ("<a href=/1></a><a href=/2></a><a href=/3></a>", true),
        (
            "<a href=/1></a><a href=/2></a><a href=/3></a><a href=/4></a>",
            false,
        ),
        ("<a href=/index.html></a>", false),
    ] {
        let output = site(more).audit(&["site"]);
        let text = String::from_utf8_lossy(&output.stdout);
        assert_eq!(text.contains(hint), is_told, "{more}: {text}");
    }
    let output = site("").audit(&["site/pub lic"]);
    assert_eq!(code(&output), Some(0));
}

#[test]
fn root_links_suggest_site_path() {
    let site = |more: &str| {
        let index = "<a href=/>0</a><a href=/repo/b/#x>1</a><img src=/repo/i.png?v=1>\
                     <a href=/repo/>2</a><a href=/c/b/>3</a>";
        Tree::new(&[
            ("index.html", &format!("{index}{more}")),
            ("b/index.html", "<p id=x>"),
            ("i.png", ""),
        ])
    };
    let hint = "\n2 links find their files if the tree is served below /repo/: --url-map \
                site=/repo/\n";
    for (more, is_told) in [
        ("", true),
        ("<a href=/repo/gone.html>4</a>", true),
        // As many are not there, and one is there as it is.
        (
            "<a href=/repo/gone.html>4</a><a href=/repo/lost/>5</a>",
            false,
        ),
        ("<a href=/b/>4</a>", false),
    ] {
        let output = site(more).audit(&["site"]);
        let text = String::from_utf8_lossy(&output.stdout);
        assert_eq!(text.contains(hint), is_told, "{text}");
    }
    let output = site("").audit(&["site", "--url-map", "site=/repo/"]);
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(!text.contains("if the tree is served"), "{text}");
}

#[test]
fn root_links_to_pages_without_extension_suggest_path_and_hosting() {
    let pages = "<a href=/repo/a></a><a href=/repo/b></a><a href=/repo/s.css></a>";
    let files = [
        ("index.html", pages),
        ("a.html", ""),
        ("b.html", ""),
        ("s.css", ""),
        (".nojekyll", ""),
    ];
    let tree = Tree::new(&files);
    let text = String::from_utf8(tree.audit(&["site"]).stdout).expect("the output is UTF-8");
    let hint = "\n3 links find their files if the tree is served below /repo/, as github-pages \
                answers (seen here: .nojekyll): --url-map site=/repo/ --hosting github-pages\n";
    assert!(text.contains(hint), "{text}");
    let options = ["--url-map", "site=/repo/", "--hosting", "github-pages"];
    assert_eq!(tree.findings(&options), [""; 0]);
}

#[test]
fn shadow_root_links_judged_and_its_ids_private() {
    let page = "<a href=#in>1</a><div><template shadowrootmode=open><a href=gone.html>2</a>\
                <p id=in>x</p><img src=here.png usemap=#m><map name=m></map></template></div>\
                <template><a href=never.html>3</a></template>";
    let tree = Tree::new(&[("p.html", page), ("here.png", "")]);
    assert_eq!(
        tree.findings(&["--level", "warning"]),
        [
            "target/missing-fragment #in /p.html#in",
            "target/missing-file gone.html /gone.html",
        ]
    );
}
