//! What `verify-move` says about a site that another generator builds anew.

use std::fs;
use std::process::Command;

use super::moving::tree;
use crate::rows;

/// The findings above notes of a run with these files: rule, document, value. The site is `site`, the
/// new one `new`.
fn found(files: &[(&str, &str)], arguments: &[&str]) -> Vec<String> {
    found_from("warning", files, arguments)
}

/// The same for findings of this level and above.
fn found_from(level: &str, files: &[(&str, &str)], arguments: &[&str]) -> Vec<String> {
    let dir = tree(files);
    let here = ["--from", "https://d.example/", "--to", "https://d.example/"];
    let output = Command::new(env!("CARGO_BIN_EXE_baseref"))
        .arg("verify-move")
        .args(here)
        .args(["--new-tree", "new", "-f", "jsonl", "--no-group"])
        .args(["--level", level])
        .args(arguments)
        .arg("site")
        .current_dir(dir.path())
        .output()
        .expect("the program starts");
    let findings = rows(&output).into_iter();
    let findings = findings.filter(|value| value["type"] == "finding");
    let text =
        |value: &serde_json::Value, name: &str| value[name].as_str().unwrap_or_default().to_owned();
    let lines = findings.map(|value| {
        let parts = ["rule", "doc", "raw"].map(|name| text(&value, name));
        parts.join(" ").trim().to_owned()
    });
    lines.collect()
}

/// The map and the rules in a dialect of a run with these files.
fn written(files: &[(&str, &str)], arguments: &[&str], dialect: &str) -> (String, String) {
    let dir = tree(files);
    let output = Command::new(env!("CARGO_BIN_EXE_baseref"))
        .args(["verify-move", "--out", "urlmap=map.csv", "-q"])
        .arg("--out")
        .arg(format!("redirects.{dialect}=written"))
        .args(arguments)
        .arg("site")
        .current_dir(dir.path())
        .output()
        .expect("the program starts");
    assert!(
        output.status.code().is_some_and(|code| code < 2),
        "{output:?}"
    );
    let read = |name: &str| fs::read_to_string(dir.path().join(name)).expect("it is written");
    (read("map.csv"), read("written"))
}

const PLACE: [&str; 6] = [
    "--from",
    "https://d.example/",
    "--to",
    "https://d.example/",
    "--new-tree",
    "new",
];

#[test]
fn one_file_under_several_names() {
    let names = ["index.html", "./", "/", "/index.html", "../d.html/../"];
    for before in names {
        for after in names {
            let link = |name: &str| format!("<title>A</title><a href='{name}'>Home</a>");
            let files = [
                ("site/index.html", "<title>I</title>"),
                ("site/a.html", &link(before)),
                ("new/index.html", "<title>I</title>"),
                ("new/a.html", &link(after)),
            ];
            assert_eq!(found(&files, &[]), [""; 0], "{before} to {after}");
        }
    }
}

#[test]
fn hosting_serves_names_without_extension() {
    let files = [
        ("site/index.html", "<title>I</title><a href=a.html>A</a>"),
        ("site/a.html", "<title>A</title>"),
        ("new/index.html", "<title>I</title><a href=a>A</a>"),
        ("new/a.html", "<title>A</title>"),
        ("pages.toml", "hosting = \"github-pages\"\n"),
    ];
    assert_eq!(found(&files, &["--hosting", "github-pages"]), [""; 0]);
    assert_eq!(found(&files, &["--ext", ".html"]), [""; 0]);
    assert!(
        found(&files, &[])
            .iter()
            .any(|one| one.contains("new-broken"))
    );
}

#[test]
fn equal_texts_in_sidebar_and_footer() {
    let nav = |more: &str| format!("<nav><a href=a.html>A</a>{more}<a href=b.html>B</a></nav>");
    let foot = |more: &str| format!("<footer><a href=c.html>C</a>{more}</footer>");
    let old = nav("<a href=s.html>Security</a>") + &foot("");
    let new = nav("") + &foot("<a href=p.html>Security</a>");
    let mut files = vec![("site/index.html", old.as_str()), ("new/index.html", &new)];
    let pages = ["a", "b", "c", "s", "p"];
    let paths = pages.map(|name| (format!("site/{name}.html"), format!("new/{name}.html")));
    for (old, new) in &paths {
        files.extend([(old.as_str(), ""), (new, "")]);
    }
    assert_eq!(found(&files, &[]), [""; 0]);
    let changed = nav("<a href=p.html>Security</a>") + &foot("");
    files[1].1 = &changed;
    let expected = ["move/changed-target new/index.html p.html"];
    assert_eq!(found(&files, &[]), expected);
}

#[test]
fn changed_link_among_links_to_one_page() {
    let page = |author: &str| {
        format!(
            "<a href=a.html>About</a><a href={author}>author</a><a href='a.html#s'>Security</a>"
        )
    };
    let (old, new) = (page("a.html"), page("b.html"));
    let files = [
        ("site/index.html", old.as_str()),
        ("site/a.html", "<p id=s>"),
        ("new/index.html", &new),
        ("new/a.html", "<p id=s>"),
        ("new/b.html", ""),
    ];
    assert_eq!(
        found(&files, &[]),
        ["move/changed-target new/index.html b.html"]
    );
}

#[test]
fn exchanged_targets_of_a_file_and_a_folder() {
    let files = [
        (
            "site/index.html",
            "<a href=d.html>File</a><a href=d/>Folder</a>",
        ),
        ("site/d.html", ""),
        ("site/d/index.html", ""),
        (
            "new/index.html",
            "<a href=d/>File</a><a href=d.html>Folder</a>",
        ),
        ("new/d.html", ""),
        ("new/d/index.html", ""),
    ];
    let expected = [
        "move/changed-target new/index.html d/",
        "move/changed-target new/index.html d.html",
    ];
    assert_eq!(found(&files, &[]), expected);
}

#[test]
fn copy_of_a_feed_under_another_name() {
    let feed = "<rss version=\"2.0\"><channel><title>T</title></channel></rss>";
    let files = [
        ("site/index.html", "<a href=feed.xml>RSS</a>"),
        ("site/feed.xml", feed),
        ("new/index.html", "<a href=index.xml>RSS</a>"),
        ("new/feed.xml", feed),
        ("new/index.xml", feed),
    ];
    assert_eq!(found(&files, &[]), [""; 0]);
}

#[test]
fn theme_files_in_one_note() {
    let files = [
        (
            "site/index.html",
            "<link rel=stylesheet href=t/main.css><script src=t/x.js></script><a href=data.zip>D</a>",
        ),
        (
            "site/t/main.css",
            "@font-face { src: url(f.woff2) } p { background: url(b.png) }",
        ),
        ("site/t/f.woff2", ""),
        ("site/t/b.png", ""),
        ("site/t/x.js", ""),
        ("site/data.zip", ""),
        ("new/index.html", "<link rel=stylesheet href=n.css>"),
        ("new/n.css", ""),
    ];
    assert_eq!(
        found(&files, &[]),
        ["move/lost-page site/index.html data.zip"]
    );
    let notes = found_from("note", &files, &[]);
    let assets = notes.iter().filter(|one| one.contains("replaced-asset"));
    assert_eq!(assets.count(), 4, "{notes:?}");
}

#[test]
fn alias_that_names_the_new_place() {
    let files = [
        ("site/index.html", "<a href=b.html>b</a>"),
        ("site/b.html", ""),
        ("new/index.html", "<a href=b.html>b</a>"),
        ("new/b.html", ""),
    ];
    for from in [
        ["https://d.example/", "http://d.example/"],
        ["http://d.example/", "https://d.example:443/"],
        ["https://www.d.example/", "https://D.example/"],
    ] {
        let [from, also] = from;
        let names = [
            "--from",
            from,
            "--also-old",
            also,
            "--to",
            "https://d.example/",
        ];
        let arguments = [&names[..], &["--new-tree", "new"]].concat();
        let (map, rules) = written(&files, &arguments, "netlify");
        assert!(map.contains("b.html,200,0,page-ok"), "{map}");
        assert_eq!(rules, "", "{from} {also}");
        let lost = [
            ("site/index.html", "<a href=c.html>c</a>"),
            ("site/c.html", ""),
        ];
        let dir = tree(&[&lost[..], &[("new/index.html", "<a href=c.html>c</a>")]].concat());
        let output = Command::new(env!("CARGO_BIN_EXE_baseref"))
            .arg("verify-move")
            .args(&arguments)
            .args(["-f", "jsonl", "--no-group", "site"])
            .current_dir(dir.path())
            .output()
            .expect("the program starts");
        let rows = rows(&output);
        let rules = rows.iter().filter(|row| row["type"] == "finding");
        let rules: Vec<_> = rules.map(|row| &row["rule"]).collect();
        assert_eq!(rules, ["move/lost-page", "move/lost-page"], "{from} {also}");
    }
}

#[test]
fn proposals_never_lead_back() {
    let text = "<title>Story</title><h1>Story</h1>one two three four five six seven eight nine";
    let refresh = |to: &str| format!("{text}<meta http-equiv=refresh content='0; url={to}'>");
    for to in ["./", "", "other/", "https://d.example/story/"] {
        let stub = refresh(to);
        let files = [
            ("site/index.html", "<a href=story.html>s</a>"),
            ("site/story.html", text),
            ("new/index.html", ""),
            ("new/story/index.html", &stub),
        ];
        let (map, rules) = written(&files, &PLACE, "nginx");
        assert!(map.contains("story.html,https://d.example/story.html,404,0,lost-page"));
        assert!(!rules.contains("/story/"), "{to}: {rules}");
    }
}

#[test]
fn written_rule_behind_another_names_it() {
    let text = "<title>Post three</title><h1>Post three</h1>alpha beta gamma delta epsilon zeta";
    let files = [
        ("site/index.html", "<a href=posts/p3.html>3</a>"),
        ("site/posts/p3.html", text),
        ("new/index.html", ""),
        ("new/posts/post-three/index.html", text),
        ("mine", "/posts/:slug /articles/:slug 301\n"),
    ];
    for dialect in ["netlify", "cloudflare"] {
        let mine = format!("{dialect}:mine");
        let arguments = [&PLACE[..], &["--redirects", &mine]].concat();
        let (_, rules) = written(&files, &arguments, dialect);
        let expected = "# put these rules before line 1 of mine, which answers 1 address of them\n\
                        /posts/p3.html https://d.example/posts/post-three/ 301\n";
        assert_eq!(rules, expected);
    }
}

#[test]
fn deployed_rules_are_for_old_host() {
    let files = [
        ("site/index.html", ""),
        ("site/b.html", ""),
        ("new/index.html", ""),
        ("new/c.html", ""),
        ("rules", "/b.html /c.html 301\n/x.html /c.html 301\n"),
    ];
    for dialect in ["netlify:rules", "cloudflare:rules"] {
        let arguments = [
            "--from",
            "https://o.example/",
            "--to",
            "https://n.example/",
            "--new-tree",
            "new",
            "--redirects",
            dialect,
        ];
        let (map, _) = written(&files, &arguments, "csv");
        let hosts = map.lines().skip(1).map(|row| &row[..18]);
        assert_eq!(
            hosts.collect::<Vec<_>>(),
            ["https://o.example/"; 3],
            "{map}"
        );
    }
}

#[test]
fn redirect_offsite_loses_nothing() {
    let files = [
        ("site/index.html", "<a href=s/c.html>c</a>"),
        ("site/s/c.html", ""),
        ("new/index.html", "<a href=s/c.html>c</a>"),
        ("rules", "Redirect permanent /s https://s.example/x\n"),
    ];
    assert_eq!(found(&files, &["--redirects", "htaccess:rules@/"]), [""; 0]);
}

#[test]
fn refresh_drops_fragment_unless_script_forwards_it() {
    let stub = "<meta http-equiv=refresh content='0; url=n.html'>";
    let forwarding = format!("{stub}<script>location.href = 'n.html' + location.hash</script>");
    for (stub, lost) in [(stub, 1), (&*forwarding, 0)] {
        let files = [
            ("site/index.html", "<a href=b.html#s>b</a>"),
            ("site/b.html", "<h2 id=s>S</h2>"),
            ("new/index.html", "<a href=n.html#s>b</a>"),
            ("new/b.html", stub),
            ("new/n.html", "<h2 id=s>S</h2>"),
        ];
        let fragments = found(&files, &[]);
        let fragments = fragments.iter().filter(|one| one.contains("lost-fragment"));
        assert_eq!(fragments.count(), lost);
    }
}

#[test]
fn refresh_that_never_arrives() {
    for (to, rule) in [
        ("http://localhost:1313/b/", "redirect/local-target"),
        ("http://127.0.0.1/b/", "redirect/local-target"),
        ("b.html", "redirect/loop"),
        ("./b.html", "redirect/loop"),
    ] {
        let stub = format!("<meta http-equiv=refresh content='0; url={to}'>");
        let files = [
            ("site/index.html", ""),
            ("new/index.html", ""),
            ("new/b.html", &stub),
        ];
        assert_eq!(found(&files, &[]), [format!("{rule} new/b.html {to}")]);
    }
    let files = [
        ("site/index.html", ""),
        ("new/index.html", ""),
        (
            "new/b.html",
            "<meta http-equiv=refresh content='300; url=b.html'>",
        ),
    ];
    assert_eq!(found(&files, &[]), [""; 0]);
}

#[test]
fn loop_of_pattern_rules_is_an_error() {
    let files = [
        ("site/index.html", ""),
        ("site/posts/a.html", ""),
        ("new/index.html", ""),
        ("new/posts/a.html", ""),
        ("netlify", "/posts/:a /q/:a 301!\n/q/:a /posts/:a 301!\n"),
        ("cloudflare", "/posts/:a /q/:a 301\n/q/:a /posts/:a 301\n"),
    ];
    for dialect in ["netlify:netlify", "cloudflare:cloudflare"] {
        let found = found(&files, &["--redirects", dialect]);
        assert!(
            found.contains(&"redirect/loop site/posts/a.html".to_owned()),
            "{found:?}"
        );
    }
}

/// The findings of a run with these files, as JSON.
fn findings_of(files: &[(&str, &str)], arguments: &[&str]) -> Vec<serde_json::Value> {
    let dir = tree(files);
    let output = Command::new(env!("CARGO_BIN_EXE_baseref"))
        .args(arguments)
        .current_dir(dir.path())
        .output()
        .expect("the program starts");
    let findings = rows(&output).into_iter();
    findings.filter(|row| row["type"] == "finding").collect()
}

fn suggested(finding: &serde_json::Value) -> String {
    let all = finding["suggestions"].as_array().into_iter().flatten();
    let all: Vec<&str> = all.filter_map(serde_json::Value::as_str).collect();
    all.join(" ")
}

const REBUILT: [&str; 12] = [
    "verify-move",
    "--from",
    "https://d.example/",
    "--to",
    "https://d.example/",
    "--new-tree",
    "new",
    "--level",
    "note",
    "-f",
    "jsonl",
    "site",
];

const PAGE: &str = "<title>Home</title><a href='docs/a.html'>A</a><img src='img/photo.png'>";

#[test]
fn moved_file_is_proposed_by_its_bytes() {
    let files = [
        ("site/index.html", PAGE),
        ("site/docs/a.html", "<title>Entirely</title>one"),
        ("site/img/photo.png", "the bytes of a photo"),
        ("new/index.html", "<title>Home</title>"),
        ("new/manual/first.html", "<title>Entirely</title>one"),
        ("new/docs/b.html", "<title>Entirely</title>another"),
        ("new/media/1.png", "the bytes of a photo"),
        ("new/media/photo.png", "the bytes of another"),
    ];
    let found = findings_of(&files, &REBUILT);
    let lost = found.iter().filter(|one| one["rule"] == "move/lost-page");
    let told: Vec<String> = lost.map(suggested).collect();
    assert_eq!(
        told,
        [
            "https://d.example/manual/first.html",
            "https://d.example/media/1.png"
        ]
    );
    let (map, rules) = written(&files, &PLACE, "netlify");
    assert!(
        map.contains("https://d.example/manual/first.html,1.00"),
        "{map}"
    );
    assert!(
        rules.contains("/docs/a.html https://d.example/manual/first.html"),
        "{rules}"
    );
}

#[test]
fn equal_bytes_of_several_files_propose_nothing() {
    for (old, new) in [
        // Blank, twice in the old site, twice in the new site.
        (
            [("site/img/photo.png", ""), ("site/x", "x")],
            [("new/1.png", ""), ("new/x", "x")],
        ),
        (
            [
                ("site/img/photo.png", "GIF89a"),
                ("site/img/dot.png", "GIF89a"),
            ],
            [("new/1.png", "GIF89a"), ("new/x", "x")],
        ),
        (
            [("site/img/photo.png", "GIF89a"), ("site/x", "x")],
            [("new/1.png", "GIF89a"), ("new/2.png", "GIF89a")],
        ),
    ] {
        let mut files = vec![
            ("site/index.html", "<img src='img/photo.png'>"),
            ("new/index.html", "<title>Home</title>"),
        ];
        files.extend(old);
        files.extend(new);
        let found = findings_of(&files, &REBUILT);
        let lost = found.iter().filter(|one| one["rule"] == "move/lost-page");
        let told: Vec<String> = lost.map(suggested).collect();
        assert_eq!(told, [""], "{files:?}");
    }
}

#[test]
fn audit_suggests_where_the_bytes_of_a_missing_file_are() {
    let files = [
        ("old/index.html", "<img src='img/photo.png'>"),
        ("old/img/photo.png", "the bytes of a photo"),
        ("new/index.html", "<img src='img/photo.png'>"),
        ("new/img/photos.png", "others"),
        ("new/media/1.png", "the bytes of a photo"),
    ];
    let found = findings_of(&files, &["audit", "-f", "jsonl", "--against", "old", "new"]);
    let told: Vec<String> = found.iter().map(suggested).collect();
    assert_eq!(told, ["/media/1.png /img/photos.png"]);
}

#[test]
fn lost_refresh_is_proposed_where_it_led() {
    let refresh = "<meta http-equiv=refresh content='0; url=docs/guide.html'>";
    let files = [
        ("site/index.html", "<title>Home</title>"),
        ("site/start.html", refresh),
        ("site/docs/guide.html", "<title>Guide</title>"),
        ("new/index.html", "<title>Home</title>"),
        ("new/docs/guide.html", "<title>Guide</title>new"),
    ];
    let (_, rules) = written(&files, &PLACE, "netlify");
    assert!(
        rules.contains("/start.html https://d.example/docs/guide.html"),
        "{rules}"
    );
}

#[test]
fn theme_files_of_generators_are_one_group() {
    let generators: [&[&str]; 10] = [
        &[
            "assets/js/main.1f2e3d4c.js",
            "assets/css/styles.9a8b7c6d.css",
        ],
        &[
            "assets/style.DhYZ8kPq.css",
            "assets/inter-roman.BX3k9aZq.woff2",
        ],
        &["css/main.min.2c1f0e9d8b7a6f5e.css", "js/bundle.min.js"],
        &[
            "assets/stylesheets/main.a1b2c3d4.min.css",
            "assets/javascripts/bundle.js",
        ],
        &[
            "_static/pygments.css",
            "_static/minus.png",
            "_static/doctools.js",
        ],
        &["assets/css/style.css", "assets/fonts/icons.svg"],
        &["_astro/index.DhYZ8kPq.css", "_astro/logo.Cq9xT2aB.png"],
        &[
            "_next/static/chunks/main-4e1b0f.js",
            "_next/static/media/a.png",
        ],
        &["sb-manager/runtime.js", "sb-common-assets/fonts.css"],
        &["theme/css/main.css", "theme/images/logo.svg"],
    ];
    for theme in generators {
        let link = |name: &&str| match name.rsplit_once('.').map(|(_, end)| end) {
            Some("css") => format!("<link rel=stylesheet href='/{name}'>"),
            Some("js") => format!("<script src='/{name}'></script>"),
            Some("woff2") => format!("<link rel=preload as=font href='/{name}'>"),
            _ => format!("<img src='/{name}'>"),
        };
        let page: String = theme.iter().map(link).collect();
        let paths: Vec<String> = theme.iter().map(|name| format!("site/{name}")).collect();
        let mut files = vec![
            ("site/index.html", page.as_str()),
            ("new/index.html", "<title>Home</title>"),
        ];
        files.extend(paths.iter().map(|path| (path.as_str(), "/* theme */")));
        let found = findings_of(&files, &REBUILT);
        let of_files = found.iter().filter(|one| {
            let rule = one["rule"].as_str().unwrap_or_default();
            rule != "move/changed-metadata" && rule != "move/removed-link"
        });
        let told: Vec<_> = of_files.map(|one| (&one["rule"], &one["level"])).collect();
        let is_note = |(rule, level): &(&serde_json::Value, &serde_json::Value)| {
            **rule == "move/replaced-asset" && **level == "note"
        };
        assert!(told.iter().all(is_note), "{theme:?}: {told:?}");
        assert!(!told.is_empty(), "{theme:?}");
    }
}

#[test]
fn lost_drawing_is_a_fault_if_a_page_shows_it() {
    for (page, levels) in [
        ("<img src='img/plan.svg'>", &["error"][..]),
        ("<p>Plan</p>", &["note"]),
    ] {
        let files = [
            ("site/index.html", page),
            (
                "site/img/plan.svg",
                "<svg xmlns='http://www.w3.org/2000/svg'/>",
            ),
            ("new/index.html", "<title>Home</title>"),
        ];
        let found = findings_of(&files, &REBUILT);
        let found = found.iter().filter(|one| one["doc"] == "site/img/plan.svg");
        let told: Vec<_> = found.map(|one| one["level"].clone()).collect();
        assert_eq!(told, levels, "{page}");
    }
}

/// A field of each finding that a link has a changed target.
fn changed_targets(findings: &[serde_json::Value], field: &str) -> Vec<serde_json::Value> {
    let mut fields = Vec::new();
    for finding in findings {
        if finding["rule"] == "move/changed-target" {
            fields.push(finding[field].clone());
        }
    }
    fields
}

#[test]
fn link_moved_to_a_page_that_was_only_a_stub_is_a_warning() {
    let stub = |to: &str| format!("<meta http-equiv=refresh content='0; url={to}'>");
    let (to_old, to_new) = (stub("native.html"), stub("input.html"));
    let (native, input) = ("<title>Native</title><p>n", "<title>Input</title><p>i");
    let files = [
        ("site/index.html", "<a href=native.html>Sources</a>"),
        ("site/native.html", native),
        ("site/tasks.html", to_old.as_str()),
        ("new/index.html", "<a href=input.html>Sources</a>"),
        ("new/native.html", native),
        ("new/input.html", input),
        ("new/tasks.html", &to_new),
    ];
    let levels = changed_targets(&findings_of(&files, &REBUILT), "level");
    assert_eq!(levels, ["warning"]);
    let kept = [&files[..2], &[("site/input.html", input)], &files[3..]].concat();
    let levels = changed_targets(&findings_of(&kept, &REBUILT), "level");
    assert_eq!(levels, ["error"]);
}

#[test]
fn new_broken_links_to_a_missing_folder_are_one_group() {
    let page = "<a href=api/2/a.html>a</a><a href=/api/2/b/c.html>b</a><a href=x.html>x</a>";
    let files = [
        ("site/index.html", "<p>Home"),
        ("new/index.html", page),
        ("new/api/1/a.html", ""),
    ];
    let found = findings_of(&files, &REBUILT);
    let found = found.iter().filter(|one| one["rule"] == "move/new-broken");
    let groups: Vec<_> = found.map(|one| one["group"].clone()).collect();
    let (folder, file) = ("https://d.example/api/2/", "https://d.example/x.html");
    let expected = [folder, folder, file].map(|cause| format!("move/new-broken {cause}"));
    assert_eq!(groups, expected);
}

#[test]
fn style_sheet_of_a_page_that_means_another_is_one_group() {
    let page = |title: &str| format!("<title>{title}</title><link rel=stylesheet href=style.css>");
    let (one, two) = (page("One"), page("Two"));
    let stub = |to: &str| format!("<meta http-equiv=refresh content='0; url={to}'>");
    let (to_one, to_two) = (stub("p/one.html"), stub("p/two.html"));
    let files = [
        ("site/one.html", one.as_str()),
        ("site/two.html", &two),
        ("site/style.css", "a{}"),
        ("new/one.html", &to_one),
        ("new/two.html", &to_two),
        ("new/p/one.html", &one),
        ("new/p/two.html", &two),
        ("new/style.css", "a{}"),
        ("new/p/style.css", "b{}"),
    ];
    let found = findings_of(&files, &REBUILT);
    let groups = changed_targets(&found, "group");
    let group = "move/changed-target https://d.example/p/style.css";
    assert_eq!(groups, [group, group]);
}

#[test]
fn links_that_authors_changed_are_no_errors() {
    let text = "<h1>Loading extensions</h1><p>Extensions are loaded at the start of a server, in the \
                order of the list in its configuration file, and never again after that.</p>";
    let guide = format!("<title>Extensions</title>{text}");
    for (target, level) in [
        // A copy of the old page, a page that is new, and one that the old site had.
        ("moved.html", "note"),
        ("added.html", "warning"),
        ("other.html", "error"),
    ] {
        let link = format!("<title>I</title><a href='{target}'>Extensions</a>");
        let files = [
            (
                "site/index.html",
                "<title>I</title><a href='guide.html'>Extensions</a>",
            ),
            ("site/guide.html", guide.as_str()),
            ("site/other.html", "<title>Other</title>"),
            ("new/index.html", &link),
            ("new/guide.html", &guide),
            ("new/moved.html", &guide),
            ("new/added.html", "<title>Added</title>"),
            ("new/other.html", "<title>Other</title>"),
        ];
        let found = findings_of(&files, &REBUILT);
        assert_eq!(changed_targets(&found, "level"), [level], "{target}");
    }
}
