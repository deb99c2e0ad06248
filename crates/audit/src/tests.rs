//! Audits of one link in one document of one site, and the findings about it.

mod reference_cache;

use std::sync::Arc;

use super::*;
use baseref_container::Entity;
use baseref_document::{Declaration, Origin, Place, ReadOptions, Retrieval, Skipped};
use baseref_evidence::captures::Builder;
use baseref_findings::{Excerpts, Finding, Level, Urls};
use baseref_reader::base::Policy;
use baseref_resolve::Rules;
use baseref_server::table::hosting;
use baseref_site::hosting::Hosting;
use baseref_site::map::{Address, SiteMap};
use baseref_site::virtual_site::virtual_site;

/// The site of the examples, served under `https://x.example/docs/`.
const TREE: &[&str] = &[
    "index.html",
    "a.html",
    "Guide.html",
    "dir/index.html",
    "dir/d.html",
    "empty/",
    "caf\u{e9}.html",
    "sum/e\u{301}.html",
    "sp ace.html",
    "both.html",
    "both/index.html",
];

const A_HTML: &str = "<p id=s><p id=dup><p id=dup>";

/// The location of the documents of an example, and how they are served.
#[derive(Clone, Copy)]
struct Setting {
    hosting: &'static str,
    /// The path below the root of the document that the example is about.
    path: &'static str,
    address: &'static str,
}

const USUAL: Setting = Setting {
    hosting: "strict",
    path: "dir/d.html",
    address: "https://x.example/docs/",
};

fn entity(url: &str, html: &[u8]) -> Entity {
    let mut entity = Entity::html(Origin::new("d.html"), html.to_vec());
    entity.declarations = vec![Declaration::new(url, Place::Retrieval(Retrieval::Url))];
    entity
}

fn judged(audit: &Audit, entities: Vec<Entity>) -> Vec<JudgedDocument> {
    let mut scans = Vec::new();
    let mut captures = Builder::default();
    for entity in entities {
        let found = audit
            .scan(entity, &mut captures, &mut Skipped::default())
            .into_iter();
        scans.extend(found.map(|scan| scan.expect("the document can be read")));
    }
    let mut judge = audit.judge(Excerpts::None, captures, scans.iter_mut());
    scans.into_iter().map(|scan| judge.judge(scan)).collect()
}

/// The classes of the links, then rule and level of each finding, in order.
fn told(judged: &JudgedDocument) -> Vec<String> {
    let classes = LinkClass::ALL.into_iter();
    let classes =
        classes.filter(|class| *class != LinkClass::NotJudged && judged.counts.count(*class) > 0);
    let findings = judged.findings.iter();
    let findings = findings.map(|finding| {
        if finding.level == finding.rule.level {
            finding.rule.id.to_owned()
        } else {
            format!("{} {}", finding.rule.id, finding.level)
        }
    });
    classes
        .map(|class| class.as_str().to_owned())
        .chain(findings)
        .collect()
}

fn in_tree(setting: Setting, html: &[u8]) -> JudgedDocument {
    let mut map = SiteMap::new();
    let address = Address::Url(setting.address.to_owned());
    map.add(virtual_site(TREE), &address)
        .expect("the address is valid");
    let hosting = hosting(setting.hosting).expect("the preset exists");
    let audit = Audit::new(map, hosting, Policy::default(), ReadOptions::default());
    let url = |path: &str| format!("{}{path}", setting.address);
    let pages = vec![
        entity(&url("a.html"), A_HTML.as_bytes()),
        entity(&url("index.html"), b""),
        entity(&url(setting.path), html),
    ];
    judged(&audit, pages).pop().expect("there are three pages")
}

fn link(setting: Setting, value: &str) -> Vec<String> {
    let html = format!("<meta charset=utf-8><a href=\"{value}\">");
    told(&in_tree(setting, html.as_bytes()))
}

fn alone(url: Option<&str>, html: &str) -> Vec<String> {
    let hosting = Hosting::default();
    let audit = Audit::new(
        SiteMap::new(),
        hosting,
        Policy::default(),
        ReadOptions::default(),
    );
    let mut page = entity(
        url.unwrap_or_default(),
        format!("<meta charset=utf-8>{html}").as_bytes(),
    );
    if url.is_none() {
        page.declarations.clear();
    }
    told(&judged(&audit, vec![page])[0])
}

const B: &str = "http://a/b/c/d;p?q";

#[test]
fn link_targets_in_a_site() {
    let strict = USUAL;
    let on = |hosting| Setting { hosting, ..USUAL };
    for (setting, value, expected) in [
        // A01
        (strict, "../a.html#s", &["ok"][..]),
        // A02
        (
            strict,
            "../a.html#zz",
            &["missing-fragment", "target/missing-fragment"],
        ),
        // A03
        (strict, "../b.html", &["missing", "target/missing-file"]),
        // A04
        (
            strict,
            "../guide.html",
            &["missing", "target/case-mismatch"],
        ),
        // A05
        (
            on("iis"),
            "../guide.html",
            &["ok", "target/case-mismatch note"],
        ),
        // A06
        (strict, "../empty/", &["missing", "target/dir-no-index"]),
        // A07
        (strict, "../dir", &["ok", "target/dir-no-slash"]),
        // A08
        (strict, "../a", &["missing", "target/missing-file"]),
        // A09
        (on("github-pages"), "../a", &["ok", "target/ext-fallback"]),
        // A10
        (
            strict,
            "../../other/x.html",
            &["outside", "target/escapes-tree"],
        ),
        // A11
        (strict, "/a.html", &["outside", "target/escapes-tree"]),
        // A12
        (strict, "/docs/a.html", &["ok"]),
        (strict, "//x.example/docs/a.html", &["ok"]),
        // A15
        (strict, "../caf%C3%A9.html", &["ok"]),
        // A17
        (strict, "../caf\u{e9}.html", &["ok", "syntax/non-ascii"]),
        // A18
        (
            strict,
            "../sum/%C3%A9.html",
            &["missing", "target/unicode-mismatch"],
        ),
        (
            on("iis"),
            "../sum/%C3%A9.html",
            &["ok", "target/unicode-mismatch warning"],
        ),
        // A19
        (strict, "../sp ace.html", &["ok", "syntax/whitespace"]),
        // A20
        (strict, " ../a.html ", &["ok"]),
        // A21
        (
            strict,
            "..\\a.html",
            &["missing", "resolve/disagree-path error", "syntax/backslash"],
        ),
        // A44
        (strict, "x%2Fy.html", &["unmappable", "target/unmappable"]),
        // A45
        (strict, "../a.html?v=1", &["ok"]),
        // A47
        (
            strict,
            "file:///C:/w/a.html",
            &["external", "policy/file-url"],
        ),
        // A50
        (strict, "../a.html#dup", &["ok"]),
        // Cases without a number.
        (strict, "../a.html/", &["missing", "target/missing-file"]),
        (strict, "../a.html#:~:text=x", &["ok"]),
        (strict, "../a.html#TOP", &["ok"]),
        (
            strict,
            "../a.html#S",
            &["missing-fragment", "target/missing-fragment"],
        ),
        (strict, "mailto:a@b", &["opaque"]),
        (strict, "https://elsewhere.example/x#y", &["external"]),
        (
            strict,
            "http://10.0.0.1/",
            &["external", "policy/private-host"],
        ),
        (
            strict,
            "https://me:pw@elsewhere.example/",
            &["external", "policy/userinfo"],
        ),
    ] {
        assert_eq!(
            link(setting, value),
            expected,
            "{value} on {}",
            setting.hosting
        );
    }
}

#[test]
fn page_encoding_in_urls() {
    // A16
    let html = b"<meta charset=windows-1252><a href='../caf%E9.html'>";
    assert_eq!(
        told(&in_tree(USUAL, html)),
        ["missing", "target/charset-mismatch"]
    );
    // A46
    let html = b"<meta charset=iso-8859-1><a href='?q=\xe9'>";
    assert_eq!(
        told(&in_tree(USUAL, html)),
        ["ok", "doc/charset-query", "syntax/non-ascii"]
    );
}

#[test]
fn empty_url_by_element() {
    for (html, expected) in [
        ("<img src=''>", Some("policy/empty-href error")),
        ("<img src=' '>", Some("policy/empty-href error")),
        ("<script src=''></script>", Some("policy/empty-href error")),
        ("<input type=image src=''>", Some("policy/empty-href error")),
        ("<audio src=''></audio>", Some("policy/empty-href error")),
        (
            "<video><source src=''></video>",
            Some("policy/empty-href error"),
        ),
        (
            "<video><track src=''></video>",
            Some("policy/empty-href error"),
        ),
        ("<video poster=''></video>", Some("policy/empty-href")),
        ("<iframe src=''></iframe>", Some("policy/empty-href")),
        ("<object data=''></object>", Some("policy/empty-href")),
        ("<link rel=stylesheet href=''>", Some("policy/empty-href")),
        ("<a href=''>x</a>", Some("policy/empty-href")),
        ("<form action=''><button formaction=''>", None),
        ("<meta http-equiv=refresh content='5; url='>", None),
        ("<blockquote cite=''>", None),
    ] {
        // The cache has learned from a page that an empty link has no finding.
        let html = format!("<meta charset=utf-8><form action=''></form>{html}");
        let found = told(&in_tree(USUAL, html.as_bytes()));
        let found = found.iter().find(|told| told.starts_with("policy/"));
        assert_eq!(found.map(String::as_str), expected, "{html}");
    }
}

#[test]
fn rule_set_disagreements() {
    for (base, value, expected) in [
        // A22
        (B, "g%zz", &["external", "syntax/bad-escape"][..]),
        // A23
        (
            "http://a.example/b/c/d;p?q#f",
            "",
            &["ok", "policy/empty-href", "resolve/disagree-minor"],
        ),
        // A25
        (
            "http://a.example/d;p?q",
            "?",
            &["ok", "resolve/disagree-path"],
        ),
        // A26
        (
            "http://a.example/d;p?q",
            ";x",
            &["external", "resolve/disagree-path"],
        ),
        // A27
        (
            "http://a.example/c;v=1/d.html",
            "g",
            &["external", "resolve/disagree-path"],
        ),
        // A28
        (
            "http://a.example/b",
            "../../../g",
            &["external", "resolve/disagree-minor"],
        ),
        // A29
        (
            "http://a.example/b",
            "http:g",
            &["malformed", "resolve/disagree-host"],
        ),
        // A30
        (
            "http://a.example/b",
            "10:30.html",
            &["opaque", "resolve/disagree-host"],
        ),
        // A31
        (
            "http://a.example/b",
            "///g",
            &["external", "resolve/disagree-host"],
        ),
        // A32
        (
            "http://a.example/b",
            "\\\\h.example\\g",
            &["external", "resolve/disagree-host", "syntax/backslash"],
        ),
        (
            "http://a.example/b",
            "/\\h.example/g",
            &["external", "resolve/disagree-host", "syntax/backslash"],
        ),
        // The host is what follows the last at sign; only the user name is escaped.
        (
            "http://a.example/b",
            "http://a[b]@h.example/",
            &["external", "policy/userinfo", "resolve/disagree-minor"],
        ),
        // A33
        (
            "http://a.example/b/c/d",
            "%2e%2e/g",
            &["external", "resolve/disagree-minor"],
        ),
        // A34
        (
            "http://a.example/b",
            "http://h.example%2ex/",
            &["external", "resolve/disagree-host"],
        ),
    ] {
        let html = format!("<a href=\"{value}\">");
        let found = alone(Some(base), &html);
        let expected: Vec<_> = expected.iter().map(|word| (*word).to_owned()).collect();
        // The host `a` in the examples of RFC 1808 is a private one.
        let found: Vec<_> = found
            .into_iter()
            .filter(|id| id != "policy/private-host")
            .collect();
        assert_eq!(found, expected, "{value} against {base}");
    }
}

#[test]
fn base_findings() {
    let own = Some("http://own.example/d/x.html");
    for (url, html, expected) in [
        // A14
        (
            None,
            "<a href=a.html>",
            &["undefined-base", "base/undefined"][..],
        ),
        // A35
        (
            own,
            "<base href='mailto:x@y'><a href=g>",
            &["external", "base/unsuitable", "resolve/fail"],
        ),
        // A36
        (
            own,
            "<a href=x><base href='http://own.example/d/'>",
            &["external", "base/after-link", "base/outside-head"],
        ),
        // A37
        (
            own,
            "<base href='http://own.example/d/'><base href='http://h.example/2/'><a href=g>",
            &["external", "base/multiple"],
        ),
        // A38
        (
            own,
            "<base href=''><base href='http://h.example/'><a href=g>",
            &["external", "base/empty", "base/multiple"],
        ),
        // A41
        (
            Some("http://own.example/x"),
            "<base href='http://own.example'><a href=g>",
            &["external", "base/pathless"],
        ),
        // A42
        (own, "<base target=_top><a href='../a.html'>", &["external"]),
    ] {
        assert_eq!(alone(url, html), expected, "{html}");
    }
    for (html, expected) in [
        // A39
        (
            "<base href='/docs/'><a href=a.html>",
            &["ok", "base/layer-conflict", "base/relative"][..],
        ),
        // A40
        (
            "<base href='/docs/'><a href='#s'>",
            &[
                "missing-fragment",
                "base/layer-conflict",
                "base/relative",
                "base/retargets-fragment",
                "target/missing-fragment",
            ],
        ),
        // A43
        (
            "<base href='http://localhost:1313/'><a href=g>",
            &[
                "external",
                "base/foreign",
                "base/layer-conflict",
                "base/private-host",
            ],
        ),
    ] {
        let mut pages = in_tree(USUAL, html.as_bytes());
        pages.findings.sort_by_key(|finding| finding.rule.id);
        assert_eq!(told(&pages), expected, "{html}");
    }
}

#[test]
fn mixed_content() {
    // A48
    for (html, expected) in [
        (
            "<img src='http://h.example/i.png'>",
            &["external", "policy/mixed-passive"][..],
        ),
        (
            "<script src='http://h.example/s.js'></script>",
            &["external", "policy/mixed-active"],
        ),
        (
            "<link rel=stylesheet href='http://h.example/s.css'>",
            &["external", "policy/mixed-active"],
        ),
        ("<a href='http://h.example/'>", &["external"]),
    ] {
        assert_eq!(told(&in_tree(USUAL, html.as_bytes())), expected, "{html}");
    }
}

#[test]
fn index_with_and_without_slash() {
    // A49
    let setting = Setting {
        hosting: "vercel",
        path: "dir/index.html",
        ..USUAL
    };
    let html = b"<a href='d.html'>";
    assert_eq!(
        told(&in_tree(setting, html)),
        ["ok", "target/slash-dependent"]
    );
    let html = b"<a href='/docs/dir/d.html'>";
    assert_eq!(told(&in_tree(setting, html)), ["ok"]);
    let strict = Setting {
        hosting: "strict",
        ..setting
    };
    assert_eq!(told(&in_tree(strict, b"<a href='d.html'>")), ["ok"]);
}

/// The audit of a site of `a.html` and `b.html` under a path, and the prefix of its addresses.
fn audit_of_two_pages(path: &str) -> (Audit, String) {
    let mut map = SiteMap::new();
    let site = virtual_site(&["a.html", "b.html"]);
    map.add(site, &Address::Path(path.to_owned()))
        .expect("the address is valid");
    let prefix = map.sites()[0].prefix().to_owned();
    let audit = Audit::new(
        map,
        Hosting::default(),
        Policy::default(),
        ReadOptions::default(),
    );
    (audit, prefix)
}

#[test]
fn duplicate_id_that_is_a_link_target() {
    let (audit, prefix) = audit_of_two_pages("");
    let page = |name: &str, html: &str| entity(&format!("{prefix}{name}"), html.as_bytes());
    let pages = vec![
        page("a.html", "<p id=s><p id=s><p id=t><p id=t>"),
        page("b.html", "<a href='a.html#s'>"),
    ];
    let found = judged(&audit, pages);
    let messages: Vec<_> = found[0].findings.iter().map(|f| &*f.message).collect();
    assert_eq!(
        messages,
        [
            "an earlier element has the id or name \"s\", and a link leads to it",
            "an earlier element has the id or name \"t\"",
        ]
    );
    assert_eq!(found[0].page.url.as_deref(), Some("/a.html"));
}

#[test]
fn missing_fragment_of_a_later_page() {
    let (audit, prefix) = audit_of_two_pages("/docs");
    let page = |name: &str, html: &str| entity(&format!("{prefix}{name}"), html.as_bytes());
    let pages = vec![
        page(
            "a.html",
            "<a href='b.html#s'><a href='b.html#t'><a href=b.html>",
        ),
        page("b.html", "<p id=s>"),
    ];
    let found = judged(&audit, pages);
    let [finding] = &found[0].findings[..] else {
        panic!("{:?}", found[0].findings);
    };
    assert_eq!(finding.group(), "target/missing-fragment b.html");
    assert_eq!((finding.level, &*finding.raw), (Level::Error, "b.html#t"));
    assert_eq!(finding.url.as_deref(), Some("/docs/b.html#t"));
    assert_eq!(found[0].counts.count(LinkClass::Ok), 2);
    assert_eq!(found[0].counts.count(LinkClass::MissingFragment), 1);
    let unreferenced: Vec<_> = audit
        .unreferenced()
        .map(|file| audit.path_of(file))
        .collect();
    assert_eq!(unreferenced, ["a.html"]);
}

#[test]
fn captured_page_by_url() {
    let hosting = Hosting::default();
    let audit = Audit::new(
        SiteMap::new(),
        hosting,
        Policy::default(),
        ReadOptions::default(),
    );
    let pages = vec![
        entity(
            "http://h.example/a",
            b"<a href=b><a href='b#s'><a href='b#t'><a href=c>",
        ),
        entity("http://h.example/b", b"<p id=s>"),
    ];
    let found = judged(&audit, pages);
    assert_eq!(
        told(&found[0]),
        [
            "ok",
            "missing-fragment",
            "external",
            "target/missing-fragment"
        ]
    );
    assert_eq!(found[0].counts.count(LinkClass::Ok), 2);
}

#[test]
fn usemap_by_map_name() {
    let html = "<img usemap='#m'><img usemap='#id'><map name=m id=id></map><p id=m>";
    assert_eq!(
        alone(Some("http://h.example/"), html),
        [
            "ok",
            "missing-fragment",
            "target/missing-fragment",
            "doc/duplicate-id"
        ][..3]
    );
}

#[test]
fn usemap_without_hash() {
    for value in ["m", "", "#", "m.html"] {
        let html = format!("<img usemap='{value}'><map name=m></map>");
        let found = alone(Some("http://h.example/"), &html);
        assert_eq!(found, ["malformed", "syntax/usemap"], "{value}");
    }
}

#[test]
fn canonical_address_on_the_machine_of_the_author() {
    for (url, expected) in [
        ("FILE:///srv/www/d.html", &["policy/file-url"][..]),
        ("http://localhost:1313/d.html", &["policy/private-host"]),
        ("https://www.example/d.html", &[]),
    ] {
        let html = format!("<link rel=canonical href='{url}'>");
        assert_eq!(
            alone(Some("https://h.example/d.html"), &html),
            expected,
            "{url}"
        );
        assert_eq!(
            alone(Some("http://localhost:1313/"), &html),
            [""; 0],
            "{url}"
        );
    }
}

#[test]
fn nonstandard_places_on_request() {
    let html = "<p data-url=gone itemtype=gone><link rel=shortlink href=gone>\
                <link rel=icon href=gone>";
    let found = in_tree(USUAL, html.as_bytes());
    assert_eq!(told(&found), ["missing", "target/missing-file"]);
    assert!(found.counts.count(LinkClass::NotJudged) > 0);
}

#[test]
fn metadata_links_are_checked() {
    for html in [
        "<link rel=next href=gone>",
        "<link rel='author license' href=gone>",
        "<link type=application/atom+xml href=gone rel=alternate>",
        "<q cite=gone>",
        "<del cite='gone#x'>",
        "<img src=data: longdesc=gone>",
    ] {
        let found = in_tree(USUAL, html.as_bytes());
        assert_eq!(found.counts.count(LinkClass::Missing), 1, "{html}");
        assert_eq!(found.counts.count(LinkClass::NotJudged), 0, "{html}");
    }
}

#[test]
fn user_content_prefix_is_a_note() {
    let html = "<a href='#x'></a><p id=user-content-x><a href='#y'>";
    let expected = [
        "ok",
        "missing-fragment",
        "target/missing-fragment note",
        "target/missing-fragment",
    ];
    assert_eq!(told(&in_tree(USUAL, html.as_bytes())), expected);
    assert_eq!(alone(None, html), expected);
}

#[test]
fn url_that_browsers_refuse() {
    for (value, level) in [
        ("http://127.0.0.1:____/", Some(Level::Error)),
        ("http://a b/", Some(Level::Error)),
        ("1a:b", None),
    ] {
        let html = format!("<meta charset=utf-8><a href='{value}'>");
        let found = in_tree(USUAL, html.as_bytes());
        let fail = |finding: &&Finding| finding.rule.id == "resolve/fail";
        let found = found.findings.iter().find(fail);
        assert_eq!(found.map(|finding| finding.level), level, "{value}");
    }
}

#[test]
fn url_without_scheme_is_suggested() {
    let found = in_tree(
        USUAL,
        b"<a href=www.example.org/x?y><a href='{{ page.url }}'>",
    );
    let is_missing = |finding: &&Finding| finding.rule.id == "target/missing-file";
    let missing: Vec<&Finding> = found.findings.iter().filter(is_missing).collect();
    let [url, placeholder] = missing[..] else {
        panic!("{:?}", told(&found));
    };
    assert_eq!(url.suggestions(), ["https://www.example.org/x?y"]);
    assert_eq!(
        &*placeholder.message,
        "no such file: this looks like a template placeholder that was never filled in"
    );
}

#[test]
fn findings_share_equal_texts() {
    let html = "<base href=http://h/><object codebase=c/ archive='a a a'>";
    let found = in_tree(USUAL, html.as_bytes()).findings;
    let of_archive = found.iter().filter(|one| one.attr() == "archive");
    let of_archive: Vec<_> = of_archive
        .filter(|one| one.rule.id == "resolve/disagree-path")
        .collect();
    assert_eq!(of_archive.len(), 3);
    let [a, b] = [of_archive[0], of_archive[1]];
    assert!(Arc::ptr_eq(
        a.base.as_ref().expect("the finding has a base"),
        b.base.as_ref().expect("the finding has a base")
    ));
    assert!(Arc::ptr_eq(&a.cause, &b.cause) && Arc::ptr_eq(&a.message, &b.message));
    assert_ne!(a.each_url()[0], a.each_url()[2]);
    let (Urls::Each(a), Urls::Each(b)) = (&a.urls, &b.urls) else {
        panic!("the rule sets differ");
    };
    assert!(Arc::ptr_eq(a, b));
}
