//! The cache of references: with it and without it the findings and hints are the same.

use super::*;
use crate::serving::other_hosting::OtherHostings;
use crate::serving::own_address::OwnAddress;

/// Pages of two folders in which the same references lead to different files, two of each.
fn repetitive_pages(address: &str) -> Vec<Entity> {
    let words = [
        "a.html",
        "d.html#s",
        "d.html#gone",
        "../a.html#s",
        "../a.html#t",
        "../a.html",
        "./d.html",
        "#s",
        "#gone",
        "#",
        "",
        "?q",
        ";x",
        "a.html?q#s",
        "../dir",
        "../dir/",
        "d.html#%73",
        "d.html#%zz",
        "d.html#a#b",
        "sp ace.html",
        "sp%20ace.html",
        "caf\u{e9}.html",
        "/docs/a.html",
        "http://x.example/docs/a.html",
        "http://y.example/",
        "http://y.example",
        "//y.example/",
        "mailto:a@b",
        "http:d.html",
        "d;p",
        "a:b",
        "../../../a.html",
        "../x/../a.html",
        "&#97;.html",
        "dup.html#dup",
        "http://localhost/",
        "https://u@y.example/",
        "/docs/dir/d.html#s",
        "/docs/./a.html",
        // One value, which only its spelling in the source makes remarkable.
        "/docs/a.html?a&",
        "/docs/a.html?a&amp",
        "/docs/a.html?a&amp;",
        "//x.example/docs/a.html",
        "https://www.own.example/docs/a.html",
        "http://OWN.example/docs/none.html",
        "//own.example/docs/a.html?q",
        "https://other.example/docs/a.html",
    ];
    let links = |words: &[&str]| -> String {
        let tag = |word: &&str| format!("<a href=\"{word}\">x</a><img src=\"{word}\">\n");
        words.iter().map(tag).collect()
    };
    let backwards: Vec<&str> = words.iter().rev().copied().collect();
    let page = |path: &str, before: &str, words: &[&str]| {
        let html = format!("{before}<p id=s>{}", links(words));
        entity(&format!("{address}{path}"), html.as_bytes())
    };
    let utf_8 = "<meta charset=utf-8>";
    vec![
        page("a.html", utf_8, &words),
        page("both.html", utf_8, &backwards),
        page("dir/d.html", utf_8, &words),
        page("dir/index.html", "<meta charset=windows-1252>", &backwards),
        page("dir/d.html", "<meta charset=utf-8><base href=../>", &words),
        page(
            "a.html",
            "<meta charset=utf-8><base href=\"a.html;p?q#f\">",
            &backwards,
        ),
        page("a.html", "<meta charset=utf-8><base href=\"//[\">", &words),
        page("Guide.html", utf_8, &words),
        page("dir/sub/e.html", utf_8, &words),
        page("dir/sub/f.html", utf_8, &backwards),
    ]
}

#[test]
fn reference_cache_changes_no_finding() {
    for (address, preset, rules) in [
        ("https://x.example/docs/", "strict", Rules::Rfc1808),
        ("http://x.example/docs/", "github-pages", Rules::Rfc3986),
        ("https://0.site.invalid/docs/", "netlify", Rules::Whatwg),
    ] {
        let told = |is_filtered: bool| {
            let mut map = SiteMap::new();
            let at = Address::Url(address.to_owned());
            map.add(virtual_site(TREE), &at)
                .expect("the address is valid");
            let hosting = hosting(preset).expect("the preset exists");
            let policy = Policy::default().with_rules(rules);
            let own = OwnAddress {
                site: 0,
                url: "https://own.example/docs/".to_owned(),
                folder: String::new(),
                named_by: vec!["CNAME"],
            };
            let audit = Audit::new(map, hosting, policy, ReadOptions::default());
            let mut audit = audit.with_guesses(vec![own], OtherHostings::default());
            if is_filtered {
                // With a filter, the URL of every link must be computed.
                audit = audit.with_filter(|_| true);
            }
            let judged = judged(&audit, repetitive_pages(address));
            let mut hints = ServingHints::default();
            for one in &judged {
                hints.merge(&one.serving_hints);
            }
            let told = judged
                .iter()
                .map(|judged| (judged.counts, judged.findings.clone()));
            let unreferenced: Vec<SiteFile> = audit.unreferenced().collect();
            format!(
                "{:#?} {unreferenced:?} {hints:#?}",
                told.collect::<Vec<_>>()
            )
        };
        let [known, looked_at] = [false, true].map(told);
        assert!(known.contains("missing-fragment"), "{known}");
        assert!(known.contains("missing: 16"), "{known}");
        assert!(
            known == looked_at,
            "{address}: {}",
            first_difference(&known, &looked_at)
        );
    }
}

fn first_difference(one: &str, other: &str) -> String {
    let mut lines = one.lines().zip(other.lines());
    let differ = lines.find(|(one, other)| one != other);
    differ.map_or(String::new(), |(one, other)| format!("{one} / {other}"))
}
