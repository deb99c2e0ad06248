//! `audit --redirects`: where the rules of the server lead links, sitemap entries, canonical addresses
//! and alternates.

use crate::moving::tree;
use crate::{audited, command, sitemap};

const AT: [&str; 2] = ["--url-map", "site=https://a.example/"];

/// The rules, places and messages of the findings, and the exit code.
fn found(files: &[(&str, &str)], options: &[&str]) -> (Vec<String>, Option<i32>) {
    let dir = tree(files);
    let arguments = [&["--level", "note"], options, &["site"]].concat();
    let (findings, code) = audited(dir.path(), &arguments);
    let mut shown: Vec<String> = findings
        .into_iter()
        .map(|value| {
            let [rule, doc, raw, message] =
                ["rule", "doc", "raw", "message"].map(|name| value[name].as_str().unwrap_or(""));
            format!(
                "{rule} {} {raw}: {message}",
                doc.trim_start_matches("site/")
            )
        })
        .collect();
    shown.sort();
    (shown, code)
}

#[test]
fn redirected_url_in_sitemap() {
    let map = sitemap(&[
        "old.html",
        "gone.html",
        "away.html",
        "new.html",
        "maybe.html",
    ]);
    let files = [
        ("site/map.xml", &*map),
        ("site/new.html", ""),
        ("site/maybe.html", ""),
        // It is there, and the rule wins nevertheless.
        ("site/away.html", "<meta name=robots content=noindex>"),
        (
            "rules",
            "/old.html /new.html 301\n/gone.html /none.html 301\n\
             /away.html https://b.example/ 302!\n/maybe.html /new.html 302! Country=de\n",
        ),
    ];
    let options = [&AT[..], &["--redirects", "netlify:rules"]].concat();
    let (shown, code) = found(&files, &options);
    let expected = [
        "redirect/unsupported-rule rules : \
         whether the rule applies depends on the visitor (Country=de): not read",
        "sitemap/redirected map.xml https://a.example/away.html: \
         rules:3 redirects it to https://b.example/",
        "sitemap/redirected map.xml https://a.example/old.html: \
         rules:1 redirects it to https://a.example/new.html",
        "sitemap/rules-undecided map.xml https://a.example/maybe.html: \
         whether 1 address redirects depends on request data that baseref cannot see (rules:4)",
        "target/missing-file map.xml https://a.example/gone.html: \
         rules:2 redirects it to https://a.example/none.html (301), which does not exist",
    ];
    assert_eq!(shown, expected);
    assert_eq!(code, Some(1));
}

#[test]
fn redirected_canonical_and_alternate() {
    let files = [
        ("site/a.html", "<link rel=canonical href=/old>"),
        ("site/b.html", "<link rel=canonical href=/410>"),
        ("site/c.html", "<link rel=canonical href=/x>"),
        (
            "site/en.html",
            "<link rel=alternate hreflang=de href=/de>\
             <link rel=alternate hreflang=fr href=fr.html>",
        ),
        (
            "site/de.html",
            "<link rel=alternate hreflang=en href=en.html>",
        ),
        (
            "site/fr.html",
            "<link rel=alternate hreflang=en href=en.html>",
        ),
        ("site/new.html", ""),
        (
            "site/.htaccess",
            "Redirect 301 /old /new.html\nRedirect 410 /410\nRedirect /x /y\nRedirect /y /x\n\
             Redirect 302 /de /de.html\n",
        ),
    ];
    let options = [&AT[..], &["--redirects", "site/.htaccess"]].concat();
    let (shown, code) = found(&files, &options);
    let expected = [
        "canonical/missing b.html /410: the redirect rules answer with status 410",
        "canonical/missing c.html /x: site/.htaccess:3 redirects it in an endless loop",
        "canonical/redirected a.html /old: \
         site/.htaccess:1 redirects it to https://a.example/new.html",
        "hreflang/redirected en.html /de: \
         site/.htaccess:5 redirects it to https://a.example/de.html",
    ];
    assert_eq!(shown, expected);
    assert_eq!(code, Some(1));
}

#[test]
fn redirected_link_is_not_broken() {
    let files = [
        (
            "site/index.html",
            "<a href=old.html#a></a><a href=old.html#none></a><a href=served.html#a></a>\
             <a href=api/x></a><a href=lost.html></a><a href=dead.html></a><a href=next.html></a>",
        ),
        ("site/new.html", "<p id=a>"),
        ("site/next.html", "<p>"),
        (
            "site/_redirects",
            "/old.html /new.html 301\n/served.html /new.html 200\n\
             /api/* https://api.example/:splat 200\n/dead.html /none.html 301\n",
        ),
    ];
    let redirects = ["--redirects", "netlify:site/_redirects"];
    let (shown, code) = found(&files, &redirects);
    let expected = [
        "target/missing-file index.html dead.html: \
         site/_redirects:4 redirects it to /none.html (301), which does not exist",
        "target/missing-file index.html lost.html: no such file",
        "target/missing-fragment index.html old.html#none: no id or name \"none\"",
        "target/redirected index.html old.html#a: \
         site/_redirects:1 redirects it to /new.html (301)",
        "target/redirected index.html old.html#none: \
         site/_redirects:1 redirects it to /new.html (301)",
        "target/rules-undecided index.html api/x: \
         no such file; site/_redirects:3 depends on request data that baseref cannot see",
    ];
    assert_eq!(shown, expected);
    assert_eq!(code, Some(1));
    let (without, _) = found(&files, &[]);
    let missing = without
        .iter()
        .filter(|line| line.starts_with("target/missing-file"));
    assert_eq!(missing.count(), 6, "{without:?}");
}

#[test]
fn fallback_page_answers_every_url() {
    let files = [
        ("site/index.html", "<a href=/route></a><a href=/>x</a>"),
        ("site/_redirects", "/* /index.html 200\n"),
    ];
    let (shown, code) = found(&files, &["--redirects", "netlify:site/_redirects"]);
    let expected = ["target/rules-undecided index.html /route: \
         no such file; site/_redirects:1 depends on request data that baseref cannot see"];
    assert_eq!(shown, expected);
    assert_eq!(code, Some(0));
}

#[test]
fn unknown_rule_dialect_refused() {
    let dir = tree(&[("site/a.html", ""), ("rules.txt", "")]);
    for arguments in [
        &["audit", "--redirects", "rules.txt", "site"][..],
        &["audit", "--redirects", "netlify:none", "site"],
        &["audit", "--redirects", "netlify:rules.txt", "site/a.html"],
    ] {
        let output = command(arguments).current_dir(dir.path()).output();
        let output = output.expect("the program runs");
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(output.stdout.is_empty(), "{arguments:?}");
    }
}

#[test]
fn long_redirect_url_cut() {
    let rules = format!("/x https://b.example/{} 301\n", "z".repeat(5_000));
    let files = [("site/a.html", "<a href=/x>x</a>"), ("rules", &*rules)];
    let options = [&AT[..], &["--redirects", "netlify:rules"]].concat();
    let (shown, _) = found(&files, &options);
    let said = "zz...[4518 more characters] (301)";
    assert!(shown.len() == 1 && shown[0].ends_with(said), "{shown:?}");
}
