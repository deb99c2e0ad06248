//! The verdict of `verify-move` on a whole move, and what it does not call a fault.

use std::path::Path;
use std::process::{Command, Output};

use super::moving::tree;
use crate::rows;

const HERE: [&str; 4] = ["--from", "https://d.example/", "--to", "https://d.example/"];
const AWAY: [&str; 4] = ["--from", "https://o.example/", "--to", "https://n.example/"];

/// A run in a folder with `site`, and `new` if there is one.
fn run(dir: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_baseref"))
        .arg("verify-move")
        .args(arguments)
        .arg("site")
        .current_dir(dir)
        .output()
        .expect("the program starts")
}

/// The exit code, the verdict, and the findings of all levels: level, rule, document, value or
/// address.
fn judged(dir: &Path, arguments: &[&str]) -> (i32, String, Vec<String>) {
    let output = run(
        dir,
        &[arguments, &["-f", "jsonl", "--level", "note"]].concat(),
    );
    let mut verdict = String::new();
    let mut findings = Vec::new();
    for value in rows(&output) {
        let text = |name: &str| value[name].as_str().unwrap_or_default().to_owned();
        if value["type"] == "summary" {
            verdict = text("verdict");
        } else {
            let what = [text("raw"), text("url")];
            let what = what.iter().find(|text| !text.is_empty());
            let what = what.cloned().unwrap_or_default();
            let file = text("doc");
            findings.push(format!("{} {} {file} {what}", text("level"), text("rule")));
        }
    }
    findings.sort();
    (
        output.status.code().expect("the program exits with a code"),
        verdict,
        findings,
    )
}

#[test]
fn redirect_to_start_page_is_lost() {
    let files = [
        ("site/index.html", ""),
        ("site/a.html", ""),
        ("new/index.html", ""),
        ("_redirects", ""),
    ];
    let arguments = [
        &HERE[..],
        &["--new-tree", "new", "--redirects", "cloudflare:_redirects"],
    ]
    .concat();
    let dir = tree(&files);
    let (code, verdict, findings) = judged(dir.path(), &arguments);
    assert_eq!(code, 1);
    assert_eq!(verdict, "Not ready to move. 1 old address leads nowhere.");
    let lost = "error move/lost-page site/a.html https://d.example/a.html";
    assert_eq!(findings, [lost]);
    // A page for missing pages is one with status 404.
    let dir = tree(&[&files[..], &[("new/404.html", "")]].concat());
    assert_eq!(judged(dir.path(), &arguments).2, [lost]);
}

#[test]
fn status_404_lost_and_410_retired() {
    let dir = tree(&[
        ("site/index.html", ""),
        ("site/a.html", ""),
        ("site/b.html", ""),
        ("new/index.html", ""),
        ("new/sorry.html", ""),
        (
            "_redirects",
            "/a.html /sorry.html 404\n/b.html /sorry.html 410\n",
        ),
    ]);
    let arguments = [
        &HERE[..],
        &["--new-tree", "new", "--redirects", "netlify:_redirects"],
    ]
    .concat();
    let (code, verdict, findings) = judged(dir.path(), &arguments);
    assert_eq!(code, 1);
    assert_eq!(verdict, "Not ready to move. 1 old address leads nowhere.");
    assert!(
        findings.contains(&"error move/lost-page site/a.html https://d.example/a.html".to_owned())
    );
    assert!(
        !findings
            .iter()
            .any(|one| one.starts_with("error") && one.contains("b.html"))
    );
}

#[test]
fn undecided_urls_leave_verdict_open() {
    let dir = tree(&[
        ("site/a.html", ""),
        ("site/b.html", ""),
        (
            "rules.conf",
            "RewriteEngine On\nRewriteCond %{HTTP_ACCEPT} html\n\
             RewriteRule ^/a https://n.example/a.html [R]\nRedirect / https://n.example/\n",
        ),
    ]);
    let arguments = [&AWAY[..], &["--redirects", "apache:rules.conf"]].concat();
    let (code, verdict, findings) = judged(dir.path(), &arguments);
    assert_eq!(code, 1);
    assert_eq!(
        verdict,
        "Not known whether it is ready to move. 1 old address is undecided, because rules depend on \
         what baseref cannot see (rules.conf:3)."
    );
    let unknown = "error redirect/not-known site/a.html https://o.example/a.html";
    assert!(findings.contains(&unknown.to_owned()), "{findings:?}");
}

#[test]
fn listed_url_without_rule_is_lost() {
    let dir = tree(&[("site/a.html", ""), ("known.txt", "/gone\n")]);
    let arguments = [&AWAY[..], &["--urls", "known.txt"]].concat();
    let (code, verdict, findings) = judged(dir.path(), &arguments);
    assert_eq!(code, 1);
    assert_eq!(verdict, "Not ready to move. 1 old address leads nowhere.");
    assert_eq!(
        findings,
        ["error redirect/missing known.txt https://o.example/gone"]
    );
}

#[test]
fn deployed_rules_apply_at_old_site() {
    for (dialect, rules) in [
        (
            "netlify",
            "https://o.example/* https://n.example/:splat 301!\n",
        ),
        ("netlify", "/* https://n.example/:splat 301!\n"),
        ("cloudflare", "/* https://n.example/:splat 301\n"),
        (
            "vercel",
            r#"{"redirects": [{"source": "/:p(.*)", "destination": "https://n.example/:p"}]}"#,
        ),
    ] {
        let dir = tree(&[
            ("site/a.html", ""),
            ("site/index.html", ""),
            ("rules", rules),
        ]);
        let rules = format!("{dialect}:rules");
        let arguments = [&AWAY[..], &["--redirects", &rules]].concat();
        let (code, verdict, findings) = judged(dir.path(), &arguments);
        assert_eq!((code, &*verdict), (0, "Ready to move."), "{findings:?}");
    }
}

#[test]
fn old_url_in_crawler_and_browser_files() {
    let dir = tree(&[
        ("site/a.html", ""),
        (
            "site/sitemap.xml",
            "<urlset><url><loc>https://o.example/a.html</loc></url></urlset>",
        ),
        (
            "site/feed.rss",
            "<rss><link>https://o.example/</link></rss>",
        ),
        ("site/robots.txt", "Sitemap: https://o.example/sitemap.xml"),
        (
            "site/site.webmanifest",
            r#"{"start_url": "https:\/\/o.example\/"}"#,
        ),
        ("site/llms.txt", "[a](https://o.example/a.html)"),
        ("site/app.js", "fetch('//o.example/x')"),
        ("site/notes.md", "was at https://o.example/"),
        ("site/other.js", "fetch('//o.example.com/x')"),
    ]);
    let (code, verdict, findings) = judged(dir.path(), &AWAY);
    assert_eq!(code, 1);
    assert_eq!(
        verdict,
        "Not ready to move. 2 links in 2 documents would break: written with a full URL. `--fix` can \
         repair them. 4 other files name the old location."
    );
    let named: Vec<&str> = findings
        .iter()
        .map(|line| {
            line.split(' ')
                .nth(2)
                .expect("the finding names a document")
        })
        .collect();
    assert_eq!(
        named,
        [
            "site/app.js",
            "site/llms.txt",
            "site/robots.txt",
            "site/site.webmanifest",
            // Feeds and sitemaps are documents, whose links are judged.
            "site/feed.rss",
            "site/sitemap.xml",
            "site/notes.md",
        ]
    );
    assert!(findings[6].starts_with("warning "));
}

#[test]
fn rebuild_changes_accepted() {
    let dir = tree(&[
        (
            "site/index.html",
            "<link rel=canonical href=https://d.example/index.html>\
             <link rel=stylesheet href=app.3f2a1bc9.css><a href=http://else.example/>Else</a>\
             <a href=guide.html>Guide</a><a href=gone.html>Gone</a>",
        ),
        ("site/app.3f2a1bc9.css", ""),
        (
            "site/guide.html",
            "<a href=gone.html>Gone</a><a href=index.html#no>No</a>",
        ),
        ("site/gone.html", "<a href=guide.html>Guide</a>"),
        (
            "new/index.html",
            "<link rel=canonical href=/>\
             <link rel=stylesheet href=app.77e0d2c4.css><a href=https://else.example/>Else</a>\
             <a href=handbook/>Guide</a>",
        ),
        ("new/app.77e0d2c4.css", ""),
        ("new/handbook/index.html", ""),
        ("rules.csv", "/index.html,/\n/guide.html,/nowhere.html\n"),
    ]);
    let arguments = [
        &HERE[..],
        &["--new-tree", "new", "--redirects", "csv:rules.csv"],
    ]
    .concat();
    let (code, verdict, findings) = judged(dir.path(), &arguments);
    assert_eq!(code, 1);
    let errors: Vec<&String> = findings
        .iter()
        .filter(|one| !one.starts_with("note"))
        .collect();
    assert_eq!(
        errors,
        [
            "error move/lost-page site/gone.html https://d.example/gone.html",
            "error move/lost-page site/guide.html https://d.example/guide.html",
            "error redirect/dead-target rules.csv /guide.html",
        ]
    );
    assert_eq!(verdict, "Not ready to move. 2 old addresses lead nowhere.");
}

#[test]
fn link_to_lost_page_is_broken() {
    let dir = tree(&[
        ("site/index.html", "<a href=a.html>A</a><a href=a.pdf>P</a>"),
        ("site/a.html", ""),
        ("site/a.pdf", ""),
        ("new/index.html", "<a href=a.html>A</a>"),
    ]);
    let arguments = [&HERE[..], &["--new-tree", "new"]].concat();
    let (_, verdict, _) = judged(dir.path(), &arguments);
    assert_eq!(
        verdict,
        "Not ready to move. 1 link is broken in the new site. 1 linked file is missing from the new \
         site. 1 old address leads nowhere."
    );
}

#[test]
fn scheme_relative_link_to_old_host() {
    let dir = tree(&[
        ("site/a.html", "<a href=//o.example/b.html>"),
        ("site/b.html", ""),
    ]);
    let arguments = ["--from", "http://o.example/", "--to", "https://n.example/"];
    let (_, _, findings) = judged(dir.path(), &arguments);
    assert_eq!(
        findings,
        ["error move/pinned-to-old site/a.html //o.example/b.html"]
    );
}

#[test]
fn rule_missed_by_case() {
    let dir = tree(&[
        ("site/index.html", ""),
        (
            "_redirects",
            "/About https://n.example/a\n/contact https://n.example/c\n/Docs/* https://n.example/:splat\n",
        ),
        ("known.txt", "/about\n/CONTACT\n/docs/x\n/other\n"),
    ]);
    let rules = [
        "--redirects",
        "cloudflare:_redirects",
        "--urls",
        "known.txt",
    ];
    let arguments = [&AWAY[..], &rules].concat();
    let (_, _, findings) = judged(dir.path(), &arguments);
    let listed: Vec<&String> = findings
        .iter()
        .filter(|finding| finding.contains("known.txt"))
        .collect();
    assert_eq!(
        listed,
        [
            "error redirect/case known.txt https://o.example/CONTACT",
            "error redirect/case known.txt https://o.example/about",
            "error redirect/case known.txt https://o.example/docs/x",
            "error redirect/missing known.txt https://o.example/other",
        ]
    );
}

#[test]
fn rule_target_suggestion() {
    let dir = tree(&[
        ("site/index.html", ""),
        ("site/guides/install.html", ""),
        (
            "rules.csv",
            "/old.html,https://n.example/guides/instal.html\n",
        ),
    ]);
    let arguments = [&AWAY[..], &["--redirects", "csv:rules.csv"]].concat();
    let output = run(dir.path(), &arguments);
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(
        text.contains("https://n.example/guides/install.html"),
        "{text}"
    );
}

/// A page of documentation about a subject, with enough words of its own.
fn doc(title: &str, subject: &str, from: usize, count: usize) -> String {
    let words = (from..from + count).map(|n| format!("{subject}{} of {subject}", n * 7 % 101));
    let text = words.collect::<Vec<_>>().join(" ");
    format!(
        "<title>{title} - Docs</title><nav>Home Guide</nav><main><h1>{title}</h1><p>{text}</main>"
    )
}

#[test]
fn lost_pages_offered_as_rules() {
    let both = doc("Plums", "plum", 0, 40) + &doc("Pears", "pear", 0, 40);
    let files = [
        ("site/index.html", doc("Fruit", "fruit", 0, 40)),
        ("site/b/apples.html", doc("Apples", "apple", 0, 40)),
        ("site/plums.html", doc("Plums", "plum", 0, 40)),
        ("site/pears.html", doc("Pears", "pear", 0, 40)),
        ("site/gone.html", doc("Gone", "gone", 0, 40)),
        ("new/index.html", doc("Fruit", "fruit", 0, 40)),
        ("new/b/apples/index.html", doc("Apples", "apple", 0, 40)),
        ("new/stone/index.html", both),
        ("new/other/index.html", doc("Other", "other", 0, 40)),
    ];
    let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (*name, &**text)).collect();
    let dir = tree(&files);
    let arguments = [
        &HERE[..],
        &[
            "--new-tree",
            "new",
            "--out",
            "redirects.csv=rules.csv",
            "--out",
            "urlmap=map.csv",
        ],
    ]
    .concat();
    let output = run(dir.path(), &arguments);
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        text.contains("4 old addresses lead nowhere (for 3 a new page is proposed)"),
        "{text}"
    );
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(
        told.contains("1 lost page or file without a rule"),
        "{told}"
    );
    assert!(told.contains("3 proposals found by"), "{told}");
    let rules = std::fs::read_to_string(dir.path().join("rules.csv")).expect("the file is read");
    let mut rules: Vec<&str> = rules.lines().skip(1).collect();
    rules.sort_unstable();
    assert_eq!(
        rules,
        [
            "https://d.example/b/apples.html,https://d.example/b/apples/,301",
            "https://d.example/pears.html,https://d.example/stone/,301",
            "https://d.example/plums.html,https://d.example/stone/,301",
        ]
    );
    let map = std::fs::read_to_string(dir.path().join("map.csv")).expect("the file is read");
    let head = map.lines().next().expect("the file has a first line");
    assert_eq!(
        head,
        "old_url,new_url,status,hops,verdict,own_hops,proposed_url,confidence"
    );
    assert!(
        map.contains("lost-page,0,https://d.example/b/apples/,1.00"),
        "{map}"
    );
    // With these rules the move loses only the page that is gone.
    let again = [
        &HERE[..],
        &["--new-tree", "new", "--redirects", "rules.csv"],
    ]
    .concat();
    let (_, verdict, _) = judged(dir.path(), &again);
    assert_eq!(verdict, "Not ready to move. 1 old address leads nowhere.");
}

#[test]
fn lost_heading_found_by_text() {
    let dir = tree(&[
        ("site/a.html", "<a href=b.html#install-it>I</a>"),
        (
            "site/b.html",
            "<h2 id=install-it>Install it<a href=#install-it>&para;</a></h2>",
        ),
        ("new/a.html", "<a href=b.html#install-it>I</a>"),
        (
            "new/b.html",
            "<section id=installation><h2>Install it</h2></section>",
        ),
    ]);
    let arguments = ["--new-tree", "new", "--level", "warning"];
    let output = run(dir.path(), &[&HERE[..], &arguments].concat());
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(
        text.contains("https://d.example/b.html#installation"),
        "{text}"
    );
}

#[test]
fn old_url_sources() {
    let log = "1.2.3.4 - - [10/Oct/2023:13:55:36 +0000] \"GET /x HTTP/1.1\" 200 5 \"-\" \"UA\"\n";
    let dir = tree(&[
        ("site/a.html", ""),
        (
            "rules.csv",
            "Address;Redirect URL\nhttps://o.example/a.html;https://n.example/a.html\n",
        ),
        ("access.log", &[log, log].concat()),
        (
            "export.csv",
            "Old URL,New URL,Clicks\n/y,/z,7\n/w,/z,\"1,200\"\n",
        ),
    ]);
    let arguments = [
        &AWAY[..],
        &[
            "--redirects",
            "rules.csv",
            "--urls",
            "access.log",
            "--urls",
            "export.csv",
        ],
        &["--out", "urlmap=map.csv"],
    ]
    .concat();
    let output = run(dir.path(), &arguments);
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("no rule redirects it (hits: 2)"), "{text}");
    assert!(
        text.contains("no rule redirects it (clicks: 1,200)"),
        "{text}"
    );
    let map = std::fs::read_to_string(dir.path().join("map.csv")).expect("the file is read");
    let rows: Vec<&str> = map.lines().collect();
    assert_eq!(
        rows,
        [
            "old_url,new_url,status,hops,verdict,own_hops,weight",
            "https://o.example/a.html,https://n.example/a.html,301,1,page-redirected,0,",
            "https://o.example/x,https://o.example/x,,0,redirect/missing,0,2",
            "https://o.example/w,https://o.example/w,,0,redirect/missing,0,\"1,200\"",
            "https://o.example/y,https://o.example/y,,0,redirect/missing,0,7",
        ]
    );
}

#[test]
fn catch_all_rule_finds_no_lost_page() {
    let fallbacks = [
        ("netlify", "/* /index.html 200\n"),
        ("cloudflare", "/* /index.html 200\n"),
        (
            "firebase",
            r#"{"hosting": {"rewrites": [{"source": "**", "destination": "/index.html"}]}}"#,
        ),
        (
            "vercel",
            r#"{"rewrites": [{"source": "/(.*)", "destination": "/index.html"}]}"#,
        ),
        (
            "nginx",
            "server { location / { try_files $uri $uri/ /index.html; } }\n",
        ),
        (
            "htaccess",
            "RewriteEngine On\nRewriteCond %{REQUEST_FILENAME} !-f\nRewriteRule . /index.html [L]\n",
        ),
        (
            "caddy",
            "d.example {\n try_files {path} /index.html\n file_server\n}\n",
        ),
        (
            "swa",
            r#"{"navigationFallback": {"rewrite": "/index.html"}}"#,
        ),
    ];
    for (dialect, rules) in fallbacks {
        let dir = tree(&[
            ("site/index.html", ""),
            ("site/a.html", ""),
            ("site/blog/b.html", ""),
            ("site/kept.html", ""),
            ("new/index.html", ""),
            ("new/kept.html", ""),
            ("rules", rules),
            ("urls", "https://d.example/route/one\n"),
        ]);
        let rules = format!("{dialect}:rules");
        let rules = ["--redirects", &rules, "--new-tree", "new"];
        let arguments = [&HERE[..], &rules].concat();
        let (code, verdict, findings) = judged(dir.path(), &arguments);
        let lost = ["a.html", "blog/b.html"]
            .map(|page| format!("error move/lost-page site/{page} https://d.example/{page}"));
        let found: Vec<&String> = findings
            .iter()
            .filter(|one| one.starts_with("error"))
            .collect();
        assert_eq!(found, [&lost[0], &lost[1]], "{dialect}");
        assert_eq!(code, 1);
        assert_eq!(
            verdict, "Not ready to move. 2 old addresses lead nowhere.",
            "{dialect}"
        );
        if dialect == "cloudflare" {
            // Pages leaves such a rule out, and does the same where there is no 404.html.
            continue;
        }
        // What was no file before may always have been made in the browser.
        let arguments = [&arguments[..], &["--urls", "urls"]].concat();
        let (_, verdict, findings) = judged(dir.path(), &arguments);
        let open = "error redirect/not-known urls https://d.example/route/one";
        assert!(
            findings.iter().any(|one| one == open),
            "{dialect}: {findings:?}"
        );
        assert!(verdict.contains("1 old address is undecided"), "{verdict}");
    }
}

#[test]
fn rule_for_one_url_finds_page() {
    let dir = tree(&[
        ("site/index.html", ""),
        ("site/a.html", ""),
        ("site/shop/b.html", ""),
        ("new/index.html", ""),
        ("new/other.html", ""),
        ("new/goods/b.html", ""),
        (
            "_redirects",
            "/a.html /other.html 200\n/shop/* /goods/:splat 200\n",
        ),
    ]);
    let rules = ["--redirects", "netlify:_redirects", "--new-tree", "new"];
    let (code, verdict, _) = judged(dir.path(), &[&HERE[..], &rules].concat());
    assert_eq!((code, &*verdict), (0, "Ready to move."));
}

#[test]
fn rule_usage() {
    let files = [
        ("site/index.html", ""),
        ("site/app.html", ""),
        (
            "rules",
            "/a /app.html 200\n/b/* /app.html 200\n/c /d 302 Language=de\n/never/* /app.html\n",
        ),
        (
            "urls",
            "https://d.example/a\nhttps://d.example/b/x\nhttps://d.example/c\n",
        ),
    ];
    let dir = tree(&files);
    let arguments = [
        &HERE[..],
        &["--redirects", "netlify:rules", "--urls", "urls"],
    ]
    .concat();
    let (_, _, findings) = judged(dir.path(), &arguments);
    let unused: Vec<_> = findings
        .iter()
        .filter(|line| line.contains("/unused"))
        .collect();
    assert_eq!(unused, ["note redirect/unused rules /never/*"]);
}

#[test]
fn rule_after_https_redirect() {
    let rules = "<configuration><system.webServer><rewrite><rules>\n\
        <rule name=\"s\" stopProcessing=\"true\"><match url=\"(.*)\" /><conditions>\n\
        <add input=\"{HTTPS}\" pattern=\"^OFF$\" /></conditions>\n\
        <action type=\"Redirect\" url=\"https://{HTTP_HOST}/{R:1}\" /></rule>\n\
        <rule name=\"r\"><match url=\"^old/$\" /><action type=\"Redirect\" url=\"/\" /></rule>\n\
        <rule name=\"t\"><match url=\"^old/$\" /><action type=\"Redirect\" url=\"/x\" /></rule>\n\
        </rules></rewrite></system.webServer></configuration>";
    let dir = tree(&[("site/index.html", ""), ("web.config", rules)]);
    let arguments = [
        "--from",
        "http://d.example/",
        "--to",
        "https://d.example/",
        "--redirects",
        "web.config",
    ];
    let (_, _, findings) = judged(dir.path(), &arguments);
    let shadowed: Vec<_> = findings
        .iter()
        .filter(|line| line.contains("/shadowed"))
        .collect();
    assert_eq!(shadowed.len(), 1, "{findings:?}");
}

#[test]
fn merged_page_compared_with_first() {
    let old: Vec<String> = (0..20).map(|n| format!("site/{n}.html")).collect();
    let mut files = vec![
        ("new/index.html", "<a href=https://x.example/new>new</a>"),
        ("_redirects", "/* https://n.example/ 301\n"),
    ];
    let page = "<a href=https://x.example/old>old</a>";
    files.extend(old.iter().map(|name| (name.as_str(), page)));
    let site = tree(&files);
    let rules = ["--new-tree", "new", "--redirects", "netlify:_redirects"];
    let (_, _, findings) = judged(site.path(), &[&AWAY[..], &rules].concat());
    for rule in ["added-link", "removed-link"] {
        let of_rule = findings.iter().filter(|finding| finding.contains(rule));
        assert_eq!(of_rule.count(), 16, "{findings:#?}");
    }
    let output = run(site.path(), &[&AWAY[..], &rules].concat());
    let text = String::from_utf8(output.stdout).expect("the output is UTF-8");
    let line = "4 old pages are not compared link by link: 16 others became the same page";
    assert!(text.contains(line), "{text}");
}

#[test]
fn lost_image_has_a_row_and_with_its_bytes_elsewhere_a_rule() {
    let images = "<img src=/img/a.png><img src=/img/b.png><img src=/img/c.png>";
    let files = [
        ("site/index.html", images),
        ("site/img/a.png", "bytes of a"),
        ("site/img/b.png", "bytes of b"),
        ("site/img/c.png", "bytes of c"),
        ("new/index.html", "<img src=/img/c.png>"),
        ("new/media/a-1.png", "bytes of a"),
        ("new/media/c-1.png", "bytes of c"),
    ];
    let dir = tree(&files);
    let outputs = ["--out=urlmap=map.csv", "--out=redirects.netlify=rules"];
    let arguments = [&HERE[..], &["--new-tree=new"], &outputs].concat();
    let output = run(dir.path(), &arguments);
    assert_eq!(output.status.code(), Some(1));
    let read = |name| std::fs::read_to_string(dir.path().join(name)).expect("the file is read");
    let map = read("map.csv");
    let rows: Vec<&str> = map.lines().filter(|row| row.contains("/img/")).collect();
    assert_eq!(
        rows,
        [
            "https://d.example/img/a.png,https://d.example/img/a.png,404,0,lost-page,0,\
             https://d.example/media/a-1.png,1.00",
            "https://d.example/img/b.png,https://d.example/img/b.png,404,0,lost-page,0,,",
            "https://d.example/img/c.png,https://d.example/img/c.png,404,0,lost-page,0,\
             https://d.example/media/c-1.png,1.00",
        ]
    );
    assert_eq!(
        read("rules"),
        "/img/a.png https://d.example/media/a-1.png 301\n\
         /img/c.png https://d.example/media/c-1.png 301\n"
    );
}
