//! Lines at the end of an audit about how and where a folder is served.

use std::fs;

use tempfile::TempDir;

use crate::command;

/// The exit code of an audit in a folder with these files, and the lines that name an option.
fn advice(files: &[(&str, &str)], arguments: &[&str]) -> (Option<i32>, Vec<String>) {
    advice_of("audit", files, arguments)
}

/// The same for another command.
fn advice_of(name: &str, files: &[(&str, &str)], arguments: &[&str]) -> (Option<i32>, Vec<String>) {
    let folder = TempDir::new().expect("a temporary folder is made");
    for (path, text) in files {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().expect("the path has a parent"))
            .expect("the folder is made");
        fs::write(path, text).expect("the file is written");
    }
    let mut command = command(&[name]);
    command.args(arguments).current_dir(folder.path());
    let output = command.output().expect("the program runs");
    let text = [output.stdout, output.stderr].concat();
    let text = String::from_utf8(text).expect("the output is UTF-8");
    let lines = text.lines().filter(|line| {
        let names = |option| line.contains(option) && !line.starts_with("Checked");
        ["--url-map", "--hosting", "--redirects"]
            .into_iter()
            .any(names)
    });
    (output.status.code(), lines.map(str::to_owned).collect())
}

const LINKS: &str = "<a href=https://www.h.example/a.html><a href=//h.example/b.html>\
                     <a href=http://h.example/><a href=https://other.example/a.html>";

#[test]
fn own_address_by_cname_sitemap_and_canonical_links() {
    let sitemap = "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>\
                   <url><loc>https://h.example/a.html</loc></url></urlset>";
    let index = "<sitemapindex xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>\
                 <sitemap><loc>https://h.example/maps/1.xml</loc></sitemap></sitemapindex>";
    let canonical = "<link rel=canonical href=https://h.example/>";
    let canonical_a = "<link rel=canonical href=https://h.example/a>";
    let with_canonical = format!("{canonical}{LINKS}");
    for (files, named_by, counts) in [
        (
            &[
                ("s/index.html", LINKS),
                ("s/a.html", ""),
                ("s/CNAME", "h.example\n"),
            ][..],
            "CNAME",
            "2 ok, 1 missing",
        ),
        (
            &[
                ("s/index.html", LINKS),
                ("s/a.html", ""),
                ("s/sitemap.xml", sitemap),
            ],
            "its sitemap",
            "3 ok, 1 missing",
        ),
        (
            &[
                ("s/index.html", LINKS),
                ("s/a.html", ""),
                (
                    "s/robots.txt",
                    "Disallow:\nSitemap: https://h.example/maps/all.xml\n",
                ),
                ("s/maps/all.xml", index),
                ("s/maps/1.xml", sitemap),
            ],
            "its sitemap",
            "4 ok, 1 missing",
        ),
        (
            &[("s/index.html", &with_canonical), ("s/a.html", canonical_a)],
            "its canonical links",
            "2 ok, 1 missing",
        ),
    ] {
        let (_, lines) = advice(files, &["s"]);
        let [line] = lines.as_slice() else {
            panic!("one line: {lines:?}");
        };
        let ends = line.ends_with(&format!(
            "according to {named_by}: --url-map s=https://h.example/ checks them ({counts})"
        ));
        assert!(ends, "{line}");
    }
}

#[test]
fn canonical_link_of_one_page_is_no_address() {
    let canonical = "<link rel=canonical href=https://h.example/>";
    let page = format!("{canonical}{LINKS}");
    let files = [("s/index.html", page.as_str()), ("s/a.html", "")];
    assert_eq!(advice(&files, &["s"]), (Some(0), Vec::new()));
}

#[test]
fn mirror_in_folders_of_hosts() {
    let page =
        "<a href=http://h.example/b.html><a href=http://h.example/c?d=e><a href=http://i.example/>";
    let files = [
        ("m/h.example/index.html", page),
        ("m/h.example/c?d=e", ""),
        ("m/i.example/x.html", ""),
    ];
    let (_, lines) = advice(&files, &["m"]);
    assert_eq!(
        lines,
        [
            "3 links lead to hosts that have a folder here, as in a mirror by wget: --url-map \
          wget+http:m checks them (1 ok, 2 missing)"
        ]
    );
    let (_, lines) = advice(&files, &["m/h.example"]);
    assert_eq!(
        lines,
        [
            "2 links lead to http://h.example/, the address of the tree according to its name: \
          --url-map m/h.example=http://h.example/ checks them (0 ok, 2 missing)"
        ]
    );
}

#[test]
fn mirror_on_wrong_level_is_refused_with_the_right_one() {
    let files = [("m/h.example/docs/index.html", "<a href=/x>")];
    for (map, instead) in [
        ("wget:m/h.example", "wget:m"),
        ("wget+http:m/h.example/docs", "wget+http:m"),
        ("wget:.", "wget:./m"),
    ] {
        for command in ["audit", "links", "base"] {
            let (code, lines) = advice_of(command, &files, &["m", "--url-map", map]);
            assert_eq!(code, Some(2), "{command} {map}");
            let expected = format!("did you mean --url-map {instead}?");
            assert!(
                lines.len() == 1 && lines[0].ends_with(&expected),
                "{command}: {lines:?}"
            );
        }
    }
    let (code, _) = advice(
        &[("m/intranet/index.html", "")],
        &["m", "--url-map", "wget:m"],
    );
    assert_eq!(code, Some(0));
}

#[test]
fn hosting_that_finds_most_missing_files() {
    let page = "<a href=docs/a><a href=docs/b><a href=docs/gone>";
    let site = |mark| {
        [
            ("s/index.html", page),
            ("s/docs/a.html", ""),
            ("s/docs/b.html", ""),
            (mark, ""),
        ]
    };
    for (mark, expected) in [
        (
            "s/.nojekyll",
            "2 of 3 links to missing files find their files as github-pages answers (seen here: \
             .nojekyll): --hosting github-pages",
        ),
        (
            "s/staticwebapp.config.json",
            "2 of 3 links to missing files find their files as swa answers (seen here: \
             staticwebapp.config.json): --hosting swa",
        ),
        (
            "netlify.toml",
            "2 of 3 links to missing files find their files as netlify answers (seen here: \
             netlify.toml): --hosting netlify",
        ),
    ] {
        assert_eq!(advice(&site(mark), &["s"]).1, [expected]);
    }
    for (name, file, rules) in [
        ("vercel", "vercel.json", "{\"cleanUrls\": true}"),
        (
            "firebase",
            "firebase.json",
            "{\"hosting\": {\"public\": \"s\", \"cleanUrls\" : true}}",
        ),
    ] {
        for folder in ["s", "."] {
            let path = format!("{folder}/{file}");
            let files = [
                site("s/x")[0],
                site("s/x")[1],
                site("s/x")[2],
                (&path, rules),
            ];
            let shown = if folder == "s" {
                &*path
            } else {
                &format!("s/../{file}")
            };
            let expected = format!(
                "2 of 3 links to missing files find their files as {name} answers (seen here: \
                 {file}): --redirects {shown}"
            );
            assert_eq!(advice(&files, &["s"]).1, [expected]);
        }
    }
    let unmarked = advice(&site("s/x"), &["s"]).1;
    let expected = "2 of 3 links to missing files find their files as netlify, cloudflare or swa \
                    answers: --hosting netlify";
    assert_eq!(unmarked, [expected]);
    let given = advice(&site("s/CNAME"), &["s", "--hosting", "nginx"]).1;
    assert_eq!(given, [""; 0]);
    let lost = [
        ("s/index.html", "<a href=a><a href=b><a href=INDEX.html>"),
        ("s/CNAME", ""),
    ];
    assert_eq!(advice(&lost, &["s"]).1, [""; 0]);
}
