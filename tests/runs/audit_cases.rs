//! The worked cases of the audit: one page of one tree, and the findings about it. The pages are in
//! `fixtures/audit`, named by what they claim; the tree is made up here, because not every file
//! system supports its names, and the repository can be cloned on any.

use std::fs;
use std::path::Path;

use serde_json::Value;
use tempfile::TempDir;

use crate::{command, rows, write_files};

/// The tree, served under `https://x.example/docs/`: composed and decomposed names, names that
/// differ by case, a folder without an index.
const TREE: [(&str, &str); 10] = [
    ("index.html", ""),
    ("a.html", "<p id=s></p><p id=dup></p><p id=dup></p>"),
    ("Guide.html", ""),
    ("dir/index.html", ""),
    ("empty/.keep", ""),
    ("caf\u{e9}.html", ""),
    ("sum/e\u{301}.html", ""),
    ("sp ace.html", ""),
    ("both.html", ""),
    ("both/index.html", ""),
];

const MAP: [&str; 3] = ["site", "--url-map", "site=https://x.example/docs/"];

struct Case {
    /// The name of the fixture.
    page: &'static str,
    /// Where it is put in the tree.
    place: &'static str,
    /// What is audited.
    inputs: &'static [&'static str],
    arguments: &'static [&'static str],
    /// Of its judged links, in document order.
    classes: &'static [&'static str],
    /// Level and rule, the cause of disagreements, and suggestions, in report order.
    findings: &'static [&'static str],
}

const IN_TREE: Case = Case {
    page: "",
    place: "dir/d.html",
    inputs: &MAP,
    arguments: &[],
    classes: &[],
    findings: &[],
};

const ALONE: Case = Case {
    inputs: &["site/dir/d.html"],
    ..IN_TREE
};

const CASES: &[Case] = &[
    Case {
        page: "a-template-is-no-page",
        place: "dir/d.html.j2",
        classes: &[],
        findings: &[],
        ..IN_TREE
    },
    Case {
        page: "dots-climb-above-a-root-that-nobody-placed",
        inputs: &["site"],
        classes: &["outside"],
        findings: &[
            "error target/escapes-tree",
            "note resolve/disagree-minor dot-overflow",
        ],
        ..IN_TREE
    },
    Case {
        page: "dots-climb-above-the-root-to-a-file",
        inputs: &["site"],
        classes: &["outside"],
        findings: &[
            "note resolve/disagree-minor dot-overflow",
            "warning target/escapes-tree",
        ],
        ..IN_TREE
    },
    // Placed at the root of its host, the tree has the file, as in browsers.
    Case {
        page: "dots-climb-above-the-root-to-a-file",
        inputs: &["site", "--url-map", "site=/"],
        classes: &["ok"],
        findings: &["note resolve/disagree-minor dot-overflow"],
        ..IN_TREE
    },
    Case {
        page: "a-base-names-a-path-that-the-tree-lacks",
        inputs: &["site"],
        classes: &["missing", "missing"],
        findings: &[
            "error target/missing-file",
            "error target/missing-file",
            "note base/layer-conflict",
            "warning base/relative",
        ],
        ..IN_TREE
    },
    Case {
        page: "fragments-of-a-file-alone",
        classes: &["ok", "missing-fragment", "ok"],
        findings: &["error target/missing-fragment"],
        ..ALONE
    },
    Case {
        page: "a-page-of-a-server",
        place: "dir/d.php",
        classes: &["missing"],
        findings: &["error target/missing-file"],
        ..IN_TREE
    },
    // A01
    Case {
        page: "a-fragment-that-is-there",
        classes: &["ok"],
        findings: &[],
        ..IN_TREE
    },
    // A02
    Case {
        page: "a-fragment-that-is-missing",
        classes: &["missing-fragment"],
        findings: &["error target/missing-fragment"],
        ..IN_TREE
    },
    // A03
    Case {
        page: "a-missing-file-has-a-neighbour",
        classes: &["missing"],
        findings: &["error target/missing-file -> https://x.example/docs/a.html"],
        ..IN_TREE
    },
    // A04
    Case {
        page: "another-case-is-another-file",
        classes: &["missing"],
        findings: &["error target/case-mismatch -> https://x.example/docs/Guide.html"],
        ..IN_TREE
    },
    // A05
    Case {
        page: "another-case-is-the-same-file-on-iis",
        arguments: &["--hosting", "iis"],
        classes: &["ok"],
        findings: &["note target/case-mismatch -> https://x.example/docs/Guide.html"],
        ..IN_TREE
    },
    // A06
    Case {
        page: "a-folder-without-an-index",
        classes: &["missing"],
        findings: &["error target/dir-no-index"],
        ..IN_TREE
    },
    // A07
    Case {
        page: "a-folder-without-its-slash",
        classes: &["ok"],
        findings: &["note target/dir-no-slash"],
        ..IN_TREE
    },
    // A08
    Case {
        page: "an-extension-is-not-added",
        classes: &["missing"],
        findings: &["error target/missing-file -> https://x.example/docs/a.html"],
        ..IN_TREE
    },
    // A09
    Case {
        page: "an-extension-is-added-on-github-pages",
        arguments: &["--hosting", "github-pages"],
        classes: &["ok"],
        findings: &["note target/ext-fallback"],
        ..IN_TREE
    },
    // A10
    Case {
        page: "dots-climb-out-of-the-tree",
        classes: &["outside"],
        findings: &["warning target/escapes-tree"],
        ..IN_TREE
    },
    // A11
    Case {
        page: "the-root-is-not-that-of-the-tree",
        classes: &["outside"],
        findings: &["warning target/escapes-tree"],
        ..IN_TREE
    },
    // A12
    Case {
        page: "paths-from-the-root-and-the-host-lead-into-the-tree",
        classes: &["ok", "ok"],
        findings: &[],
        ..IN_TREE
    },
    // A14
    Case {
        page: "a-file-alone-has-no-base",
        classes: &["undefined-base"],
        findings: &["error base/undefined"],
        ..ALONE
    },
    // A15
    Case {
        page: "escapes-are-utf-8",
        classes: &["ok"],
        findings: &[],
        ..IN_TREE
    },
    // A16
    Case {
        page: "escapes-in-the-encoding-of-the-page",
        classes: &["missing"],
        findings: &["error target/charset-mismatch -> https://x.example/docs/caf%C3%A9.html"],
        ..IN_TREE
    },
    // A17
    Case {
        page: "a-letter-outside-ascii",
        classes: &["ok"],
        findings: &["warning syntax/non-ascii"],
        ..IN_TREE
    },
    // A18
    Case {
        page: "a-name-in-another-normalization",
        classes: &["missing"],
        findings: &["error target/unicode-mismatch -> https://x.example/docs/sum/e%CC%81.html"],
        ..IN_TREE
    },
    // A19
    Case {
        page: "a-space-inside",
        classes: &["ok"],
        findings: &["warning syntax/whitespace"],
        ..IN_TREE
    },
    // A20
    Case {
        page: "space-around-a-value-does-not-count",
        classes: &["ok"],
        findings: &[],
        ..IN_TREE
    },
    // A21
    Case {
        page: "a-backslash-leads-browsers-elsewhere",
        classes: &["missing"],
        findings: &[
            "error resolve/disagree-path backslash",
            "warning syntax/backslash",
        ],
        ..IN_TREE
    },
    // A22
    Case {
        page: "a-percent-sign-without-digits",
        classes: &["external"],
        findings: &[
            "warning syntax/bad-escape",
            "error base/private-host",
            "note base/layer-conflict",
            "warning base/foreign",
        ],
        ..IN_TREE
    },
    // A23
    Case {
        page: "an-empty-link-inherits-the-fragment-of-the-base",
        classes: &["external"],
        findings: &[
            "warning base/retargets-fragment",
            "warning policy/empty-href",
            "note resolve/disagree-minor fragment",
            "error base/private-host",
            "note base/layer-conflict",
            "warning base/foreign",
            "note base/fragment",
        ],
        ..IN_TREE
    },
    // A25
    Case {
        page: "an-empty-query-is-none",
        classes: &["external"],
        findings: &[
            "warning resolve/disagree-path empty-query",
            "error base/private-host",
            "note base/layer-conflict",
            "warning base/foreign",
        ],
        ..IN_TREE
    },
    // A26
    Case {
        page: "parameters-of-the-link",
        classes: &["external"],
        findings: &[
            "warning resolve/disagree-path params",
            "error base/private-host",
            "note base/layer-conflict",
            "warning base/foreign",
        ],
        ..IN_TREE
    },
    // A27
    Case {
        page: "parameters-of-the-base",
        classes: &["external"],
        findings: &[
            "warning resolve/disagree-path params",
            "error base/private-host",
            "note base/layer-conflict",
            "warning base/foreign",
        ],
        ..IN_TREE
    },
    // A28
    Case {
        page: "dots-above-the-root",
        classes: &["external"],
        findings: &[
            "note resolve/disagree-minor dot-overflow",
            "error base/private-host",
            "note base/layer-conflict",
            "warning base/foreign",
        ],
        ..IN_TREE
    },
    // A29
    Case {
        page: "a-scheme-without-slashes",
        classes: &["malformed"],
        findings: &[
            "error resolve/disagree-host scheme-loophole",
            "error base/private-host",
            "warning base/foreign",
        ],
        ..IN_TREE
    },
    // A30
    Case {
        page: "a-scheme-that-starts-with-a-digit",
        classes: &["opaque"],
        findings: &[
            "error resolve/disagree-host scheme-digit",
            "error base/private-host",
            "warning base/foreign",
        ],
        ..IN_TREE
    },
    // A31
    Case {
        page: "three-slashes",
        classes: &["external"],
        findings: &[
            "error resolve/disagree-host slashes",
            "error base/private-host",
            "note base/layer-conflict",
            "warning base/foreign",
        ],
        ..IN_TREE
    },
    // A32
    Case {
        page: "backslashes-before-a-host",
        classes: &["external", "external"],
        findings: &[
            "error resolve/disagree-host backslash",
            "warning syntax/backslash",
            "error resolve/disagree-host backslash",
            "warning syntax/backslash",
            "error base/private-host",
            "note base/layer-conflict",
            "warning base/foreign",
        ],
        ..IN_TREE
    },
    // A33
    Case {
        page: "escaped-dots-are-dots-to-browsers",
        classes: &["external"],
        findings: &[
            "note resolve/disagree-minor pct-dots",
            "error base/private-host",
            "note base/layer-conflict",
            "warning base/foreign",
        ],
        ..IN_TREE
    },
    // A34
    Case {
        page: "hosts-that-browsers-read-otherwise",
        classes: &["external", "external"],
        findings: &[
            "warning policy/private-host",
            "error resolve/disagree-host ipv4",
            "error resolve/disagree-host host-escape",
        ],
        ..IN_TREE
    },
    // A35
    Case {
        page: "nothing-is-relative-to-mailto",
        classes: &["missing"],
        findings: &[
            "error base/unsuitable",
            "warning resolve/fail base-selection",
            "error target/missing-file",
        ],
        ..IN_TREE
    },
    // A36
    Case {
        page: "a-base-after-a-link-counts-for-it",
        classes: &["external"],
        findings: &[
            "warning base/after-link",
            "warning base/foreign",
            "note base/layer-conflict",
            "note base/outside-head",
            "error base/private-host",
        ],
        ..IN_TREE
    },
    // A37
    Case {
        page: "the-first-of-two-bases-counts",
        classes: &["external"],
        findings: &[
            "warning base/foreign",
            "note base/layer-conflict",
            "error base/private-host",
            "warning base/multiple",
        ],
        ..IN_TREE
    },
    // A38 Departs: under RFC 1808, too, an empty base is relative and the first element wins, as in
    // `links`; so the rule sets agree.
    Case {
        page: "an-empty-base-keeps-others-out",
        classes: &["missing"],
        findings: &[
            "warning base/empty",
            "warning base/multiple",
            "error target/missing-file",
        ],
        ..IN_TREE
    },
    // A39
    Case {
        page: "a-relative-base",
        classes: &["ok"],
        findings: &["note base/layer-conflict", "warning base/relative"],
        ..IN_TREE
    },
    // A40
    Case {
        page: "a-base-takes-fragments-away",
        classes: &["missing-fragment"],
        findings: &[
            "note base/layer-conflict",
            "warning base/relative",
            "warning base/retargets-fragment",
            "error target/missing-fragment",
        ],
        ..IN_TREE
    },
    // A41
    Case {
        page: "a-base-without-a-path",
        classes: &["external"],
        findings: &[
            "warning base/foreign",
            "note base/layer-conflict",
            "note base/pathless",
            "error base/private-host",
        ],
        ..IN_TREE
    },
    // A42
    Case {
        page: "a-target-alone-is-no-base",
        classes: &["ok"],
        findings: &[],
        ..IN_TREE
    },
    // A43
    Case {
        page: "a-base-on-the-authors-machine",
        classes: &["external"],
        findings: &[
            "warning base/foreign",
            "note base/layer-conflict",
            "error base/private-host",
        ],
        ..IN_TREE
    },
    // A44
    Case {
        page: "an-escaped-slash-is-in-no-name",
        classes: &["unmappable"],
        findings: &["warning target/unmappable"],
        ..IN_TREE
    },
    // A45
    Case {
        page: "a-query-is-not-looked-up",
        classes: &["ok"],
        findings: &[],
        ..IN_TREE
    },
    // A46
    Case {
        page: "a-query-in-the-encoding-of-the-page",
        classes: &["ok"],
        findings: &["warning doc/charset-query", "warning syntax/non-ascii"],
        ..IN_TREE
    },
    // A47
    Case {
        page: "a-file-of-the-readers-machine",
        classes: &["external"],
        findings: &["error policy/file-url"],
        ..IN_TREE
    },
    // A48
    Case {
        page: "an-https-page-loads-over-http",
        classes: &["external", "external"],
        findings: &["warning policy/mixed-passive", "error policy/mixed-active"],
        ..IN_TREE
    },
    // A49
    Case {
        page: "an-index-under-two-addresses",
        place: "dir/index.html",
        arguments: &["--hosting", "vercel"],
        classes: &["missing"],
        findings: &[
            "error target/missing-file",
            "warning target/slash-dependent",
        ],
        ..IN_TREE
    },
    // A50
    Case {
        page: "a-repeated-name-that-is-a-target",
        classes: &["ok"],
        findings: &[],
        ..IN_TREE
    },
    // Beyond the list.
    Case {
        page: "a-base-in-the-body",
        classes: &["ok"],
        findings: &[
            "note base/layer-conflict",
            "note base/outside-head",
            "warning base/relative",
        ],
        ..IN_TREE
    },
    // Beyond the list.
    Case {
        page: "a-base-that-a-policy-forbids",
        classes: &["ok"],
        findings: &[
            "warning base/ignored-by-browser",
            "note base/layer-conflict",
            "warning base/relative",
            "error resolve/disagree-path base-selection",
        ],
        ..IN_TREE
    },
    // Beyond the list.
    Case {
        page: "bases-in-a-template-and-in-svg",
        classes: &["ok"],
        findings: &[
            "warning base/ignored-by-browser",
            "warning base/ignored-by-browser",
        ],
        ..IN_TREE
    },
    // Beyond the list.
    Case {
        page: "a-codebase-that-browsers-ignore",
        classes: &["ok"],
        findings: &["error resolve/disagree-path base-selection"],
        ..IN_TREE
    },
    // Beyond the list.
    Case {
        page: "a-page-is-no-folder",
        classes: &["missing"],
        findings: &["error target/missing-file -> https://x.example/docs/a.html"],
        ..IN_TREE
    },
    // Beyond the list.
    Case {
        page: "quotes-and-angle-brackets-are-in-no-url",
        classes: &["ok"],
        findings: &["warning syntax/bnf"],
        ..IN_TREE
    },
];

/// The rules that are reported only if asked for.
const OFF_BY_DEFAULT: [&str; 4] = [
    "base/layer-conflict=note",
    "base/header-only=note",
    "syntax/bnf=warning",
    "resolve/disagree-minor=note",
];

/// The lines of the report, note level and up, every link listed.
fn report(site: &Path, case: &Case) -> Vec<Value> {
    let mut command = command(&["audit"]);
    command
        .args(case.inputs)
        .args(case.arguments)
        .args(["--level", "note", "-f", "jsonl", "--with-links"])
        .args(OFF_BY_DEFAULT.iter().flat_map(|rule| ["--rule", rule]))
        .current_dir(site.parent().expect("the program lies in a folder"));
    let output = command.output().expect("the program runs");
    rows(&output)
}

fn text<'v>(line: &'v Value, field: &str) -> &'v str {
    line[field].as_str().unwrap_or_default()
}

/// Level and rule, the cause of disagreements, and suggestions.
fn shown(finding: &Value) -> String {
    let rule = text(finding, "rule");
    let said = if rule.starts_with("resolve/") {
        text(finding, "group")
    } else {
        rule
    };
    let mut shown = format!("{} {said}", text(finding, "level"));
    for suggestion in finding["suggestions"].as_array().into_iter().flatten() {
        shown += " -> ";
        shown += suggestion.as_str().expect("the value is a string");
    }
    shown
}

fn tree() -> TempDir {
    let directory = TempDir::new().expect("a temporary folder is made");
    write_files(&directory.path().join("site"), &TREE);
    directory
}

#[test]
fn verdict_of_each_example() {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/audit");
    let mut wrong = Vec::new();
    for case in CASES {
        let directory = tree();
        let site = directory.path().join("site");
        let page = fixtures.join(case.page).with_extension("html");
        fs::copy(&page, site.join(case.place)).expect("the fixture is copied");
        let lines = report(&site, case);
        let of_page = |line: &&Value| text(line, "doc").ends_with(case.place);
        let classes: Vec<&str> = lines
            .iter()
            .filter(|line| line["type"] == "link" && line["element"] != "base")
            .filter(of_page)
            .map(|line| text(line, "class"))
            .filter(|class| *class != "not-judged")
            .collect();
        let findings = lines.iter().filter(|line| line["type"] == "finding");
        let mut findings: Vec<String> = findings.filter(of_page).map(shown).collect();
        let mut expected: Vec<&str> = case.findings.to_vec();
        findings.sort_unstable();
        expected.sort_unstable();
        if classes != case.classes || findings != expected {
            wrong.push(format!("{}: {classes:?} {findings:#?}", case.page));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn fixtures_all_listed() {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/audit");
    let names = fs::read_dir(fixtures).expect("the folder is read");
    let mut names: Vec<String> = names
        .map(|entry| entry.expect("the folder is read").path())
        .filter_map(|path| Some(path.file_stem()?.to_str()?.to_owned()))
        .collect();
    let mut pages: Vec<&str> = CASES.iter().map(|case| case.page).collect();
    names.sort_unstable();
    pages.sort_unstable();
    pages.dedup();
    assert_eq!(names, pages);
}

#[test]
fn duplicate_id_with_links() {
    let directory = tree();
    let site = directory.path().join("site");
    for (href, expected) in [
        (
            "../a.html#dup",
            "an earlier element has the id or name \"dup\", and a link leads to it",
        ),
        (
            "../a.html#s",
            "an earlier element has the id or name \"dup\"",
        ),
    ] {
        fs::write(site.join("dir/d.html"), format!("<a href={href}>"))
            .expect("the file is written");
        let lines = report(&site, &IN_TREE);
        let messages: Vec<&str> = lines
            .iter()
            .filter(|line| line["rule"] == "doc/duplicate-id")
            .map(|line| text(line, "message"))
            .collect();
        assert_eq!(messages, [expected], "{href}");
    }
}

#[test]
fn disagreement_has_three_urls() {
    let directory = tree();
    let site = directory.path().join("site");
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/audit");
    for (page, expected) in [
        ("three-slashes", ["http://a/g", "http:///g", "http://g/"]),
        (
            "parameters-of-the-base",
            ["http://a/b/g", "http://a/b/c;v=1/g", "http://a/b/c;v=1/g"],
        ),
        (
            "dots-above-the-root",
            ["http://a/../g", "http://a/g", "http://a/g"],
        ),
        (
            "an-empty-query-is-none",
            [
                "http://a/b/c/d;p?q",
                "http://a/b/c/d;p?",
                "http://a/b/c/d;p?",
            ],
        ),
        (
            "escaped-dots-are-dots-to-browsers",
            [
                "http://a/b/c/%2e%2e/g",
                "http://a/b/c/%2e%2e/g",
                "http://a/b/g",
            ],
        ),
    ] {
        let from = fixtures.join(page).with_extension("html");
        fs::copy(from, site.join("dir/d.html")).expect("the fixture is copied");
        let lines = report(&site, &IN_TREE);
        let is_of = |line: &&Value| text(line, "rule").starts_with("resolve/");
        let finding = lines
            .iter()
            .find(is_of)
            .expect("the case has a disagreement");
        let urls = ["rfc1808", "rfc3986", "whatwg"].map(|rules| text(&finding["urls"], rules));
        assert_eq!(urls, expected, "{page}");
    }
}
