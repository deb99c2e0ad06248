//! What search engines take from pages and sitemaps, compared by `audit`.

use tempfile::TempDir;

use crate::moving::tree;
use crate::{audited, command, sitemap};

/// The rules and places of the findings about signals.
fn found(files: &[(&str, &str)], options: &[&str]) -> Vec<String> {
    found_in(&tree(files), options)
}

fn found_in(dir: &TempDir, options: &[&str]) -> Vec<String> {
    let arguments = [&["--level", "note"], options, &["site"]].concat();
    let (findings, _) = audited(dir.path(), &arguments);
    let shown = findings.into_iter().map(|value| {
        let [rule, doc, raw] =
            ["rule", "doc", "raw"].map(|name| value[name].as_str().unwrap_or(""));
        format!("{rule} {} {raw}", doc.trim_start_matches("site/"))
    });
    let of_signals = ["canonical/", "hreflang/", "sitemap/"];
    let mut all: Vec<_> = shown
        .filter(|line| of_signals.iter().any(|rule| line.starts_with(rule)))
        .collect();
    all.sort();
    all
}

const AT: [&str; 2] = ["--url-map", "site=https://a.example/"];

#[test]
fn sitemap_lists_indexable_urls() {
    let map = sitemap(&[
        "",
        "ok.html",
        "hidden.html",
        "copy.html",
        "p/x.html",
        "p/open.html",
    ]);
    let files = [
        ("site/map.xml", &*map),
        ("site/index.html", "<link rel=canonical href=/>"),
        (
            "site/ok.html",
            "<link rel='canonical' href='https://a.example/ok.html?utm=1'>",
        ),
        (
            "site/hidden.html",
            "<META NAME=ROBOTS CONTENT='NoIndex, follow'>",
        ),
        ("site/copy.html", "<link href=ok.html rel='x CANONICAL'>"),
        ("site/p/x.html", "<body><meta name=robots content=noindex>"),
        ("site/p/open.html", ""),
        ("site/forgotten.html", ""),
        (
            "site/robots.txt",
            "User-agent: *\nDisallow: /p/\nAllow: /p/open\nDisallow: /robots\n",
        ),
    ];
    let expected = [
        "sitemap/blocked map.xml https://a.example/p/x.html",
        "sitemap/noindex map.xml https://a.example/hidden.html",
        "sitemap/non-canonical map.xml https://a.example/copy.html",
    ];
    assert_eq!(found(&files, &AT), expected);
    let options = [&AT[..], &["--rule", "sitemap/unlisted=warning"]].concat();
    let unlisted = found(&files, &options);
    let unlisted: Vec<_> = unlisted
        .iter()
        .filter(|line| line.contains("unlisted"))
        .collect();
    assert_eq!(unlisted, ["sitemap/unlisted forgotten.html "]);
}

#[test]
fn long_robots_pattern_cut() {
    let dir = tree(&[
        ("site/map.xml", &sitemap(&["a.html"])),
        ("site/a.html", ""),
        (
            "site/robots.txt",
            &format!("User-agent: *\nDisallow: /{}\n", "*".repeat(10_000)),
        ),
    ]);
    let arguments = [&["audit", "-f", "jsonl"], &AT[..], &["site"]].concat();
    let output = command(&arguments).current_dir(dir.path()).output();
    let text =
        String::from_utf8(output.expect("the program runs").stdout).expect("the text is UTF-8");
    assert!(text.contains("`Disallow: /***"), "{text}");
    assert!(text.contains("...[9501 more characters]`"), "{text}");
}

#[test]
fn canonical_chain() {
    let files = [
        ("site/missing.html", "<link rel=canonical href=gone.html>"),
        ("site/chain.html", "<link rel=canonical href=next.html>"),
        (
            "site/next.html",
            "<link rel=canonical href=https://a.example/last.html>",
        ),
        ("site/last.html", "<link rel=canonical href=last.html#x>"),
        ("site/folder.html", "<link rel=canonical href=/d>"),
        ("site/d/index.html", ""),
        ("site/secret.html", "<link rel=canonical href=hidden.html>"),
        ("site/hidden.html", "<meta name=robots content=none>"),
        (
            "site/away.html",
            "<link rel=canonical href=https://b.example/>",
        ),
        (
            "site/feed.html",
            "<link rel=alternate type=application/atom+xml href=nofeed>",
        ),
    ];
    let expected = [
        "canonical/chain chain.html next.html",
        "canonical/missing missing.html gone.html",
        "canonical/noindex secret.html hidden.html",
        "canonical/redirected folder.html /d",
    ];
    assert_eq!(found(&files, &AT), expected);
    // Where the folder is served is not known: an absolute address may be that of the page itself.
    let files = [
        ("site/a.html", "<link rel=canonical href=b.html>"),
        (
            "site/b.html",
            "<link rel=canonical href=https://a.example/b.html>",
        ),
    ];
    assert_eq!(found(&files, &[]), [""; 0]);
}

#[test]
fn hreflang_return_links() {
    let both = "<link rel=alternate hreflang=en href=en.html><link rel=alternate hreflang=de href=de.html>";
    let files = [
        ("site/en.html", both),
        ("site/de.html", both),
        (
            "site/fr.html",
            "<link rel=alternate hreflang=en href=en.html><link rel=alternate \
            hreflang=es href=es.html><link rel=alternate hreflang=it href=it.html>\
            <link rel=alternate hreflang=x-default href=https://b.example/>",
        ),
        ("site/es.html", ""),
    ];
    let expected = [
        "hreflang/no-return fr.html en.html",
        "hreflang/no-return fr.html es.html",
        "hreflang/no-return fr.html it.html",
    ];
    assert_eq!(found(&files, &[]), expected);
}

#[test]
fn unknown_urls_reported_once() {
    let map = sitemap(&["a.html", "b.html", "c.html"]);
    let files = [("site/sitemap.xml", &*map), ("site/a.html", "")];
    let expected = ["sitemap/elsewhere sitemap.xml https://a.example/a.html"];
    assert_eq!(found(&files, &[]), expected);
}

#[test]
fn signal_found_beside_any_values() {
    let links = [
        "<link title='a<b' rel=canonical href=gone.html>",
        "<link title='a<link b' rel=canonical href=gone.html>",
        "<link href=gone.html title='a>b' rel=canonical>",
        "<link title='\u{e4}>' href=\"gone.html\" data-x='<' rel='x canonical'>",
        "<link title='x' rel=icon><LINK REL=Canonical HREF=gone.html>",
    ];
    for link in links {
        let files = [("site/a.html", link)];
        assert_eq!(
            found(&files, &[]),
            ["canonical/missing a.html gone.html"],
            "{link}"
        );
    }
    // What is said in a value is not said.
    let files = [(
        "site/a.html",
        "<link rel=icon title='rel=canonical' href=gone.html><link title='<link rel=canonical' \
         rel=icon href=gone.html>",
    )];
    assert_eq!(found(&files, &[]), [""; 0]);
}

#[test]
fn signals_in_every_encoding() {
    let long = "x".repeat(9_000);
    let canonical = [
        "<link rel=canonical href=gone.html>".to_owned(),
        format!("<link title={long} rel=canonical href=gone.html>"),
        format!("<LINK HREF='gone.html' TITLE=\"{long} > <\" REL=\"CANONICAL\">"),
        format!("<meta content={long}><link rel=canonical href=gone.html>"),
    ];
    let utf_16 = |page: &str, unit: fn(u16) -> [u8; 2]| {
        let units = std::iter::once(0xfeff).chain(page.encode_utf16());
        units.flat_map(unit).collect::<Vec<u8>>()
    };
    for page in &canonical {
        for bytes in [
            page.clone().into_bytes(),
            utf_16(page, u16::to_le_bytes),
            utf_16(page, u16::to_be_bytes),
            [
                b"<meta charset=windows-1252><title>\xe9</title>",
                page.as_bytes(),
            ]
            .concat(),
        ] {
            let dir = tree(&[]);
            std::fs::create_dir_all(dir.path().join("site")).expect("the folder is made");
            std::fs::write(dir.path().join("site/a.html"), &bytes).expect("the file is written");
            let expected = ["canonical/missing a.html gone.html"];
            assert_eq!(
                found_in(&dir, &AT),
                expected,
                "{page:.60}: {:x?}",
                &bytes[..4]
            );
        }
    }
}

#[test]
fn signals_only_from_elements_of_the_document() {
    let gone = "<link rel=canonical href=gone.html>";
    let far = format!(
        "<style>{}</style><meta name=robots content=noindex>",
        "x".repeat(300_000)
    );
    let files = [
        ("site/a.html", "<link rel=canonical href=far.html>"),
        ("site/far.html", &*far),
        ("site/b.html", "<link rel=canonical href=shown.html>"),
        (
            "site/shown.html",
            "<noscript><meta name=robots content=noindex></noscript>",
        ),
        (
            "site/template.html",
            &format!("<template>{gone}</template>"),
        ),
        ("site/svg.html", &format!("<svg>{gone}</svg>")),
        ("site/comment.html", &format!("<!-- {gone} -->")),
        (
            "site/noscript.html",
            &format!("<noscript>{gone}</noscript>"),
        ),
    ];
    let expected = [
        "canonical/missing noscript.html gone.html",
        "canonical/noindex a.html far.html",
    ];
    assert_eq!(found(&files, &AT), expected);
}
