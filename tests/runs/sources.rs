//! The source of a generated page, and the line there.

use std::path::Path;

use serde_json::Value;

use crate::moving::tree;
use crate::{audited, command};

/// The source and its line of each finding, by its value.
fn sources(folder: &Path, options: &[&str]) -> Vec<(String, Option<String>, Option<u64>)> {
    let (findings, _) = audited(folder, &[&["public"], options].concat());
    findings
        .into_iter()
        .map(|finding| {
            (
                finding["raw"]
                    .as_str()
                    .expect("the value is a string")
                    .to_owned(),
                finding["source"].as_str().map(str::to_owned),
                finding["source_line"].as_u64(),
            )
        })
        .collect()
}

fn known(value: &str, file: &str, line: Option<u64>) -> (String, Option<String>, Option<u64>) {
    (value.to_owned(), Some(file.to_owned()), line)
}

#[test]
fn generator_source_lines() {
    let folder = tree(&[
        // mdBook, Docusaurus: a link to edit the page.
        (
            "public/a.html",
            "<a href=gone.html>x</a><a href=twice.html>1</a>\
             <a href=\"https://github.com/o/r/edit/main/guide/src/a.md\" title=\"Suggest an edit\">e</a>",
        ),
        (
            "guide/src/a.md",
            "# A\n\n[x](gone.md), [1](twice.md) and [2](twice.md)\n",
        ),
        // Sphinx: a copy of the source.
        (
            "public/d/b.html",
            "<a href=none.html>x</a><a href=\"../_sources/d/b.rst.txt\" rel=nofollow>Show Source</a>",
        ),
        ("public/_sources/d/b.rst.txt", "B\n=\n\n:doc:`none`\n"),
        ("docs/d/b.rst", "B\n=\n\n:doc:`none`\n"),
        // CommonMark's positions, of a file that is not here.
        (
            "public/c.html",
            "<body data-source-file=elsewhere/c.md><p data-sourcepos=\"7:1-9:20\"><a href=lost.html>x</a>",
        ),
        // The file is named, and the lines narrow where the link is looked for.
        (
            "public/e.html",
            "<meta name=source content=content/e.md><p data-source-line=1-2><a href=x.png>x</a>\
             <p data-source-line=3><a href=x.png>x</a>",
        ),
        ("content/e.md", "intro\n![](x.png)\n![](x.png)\n"),
        // It says nothing.
        ("public/f.html", "<a href=nothing.html>x</a>"),
    ]);
    let found = sources(folder.path(), &[]);
    assert_eq!(
        found,
        [
            known("gone.html", "guide/src/a.md", Some(3)),
            known("twice.html", "guide/src/a.md", None),
            known("lost.html", "elsewhere/c.md", Some(7)),
            known("none.html", "docs/d/b.rst", Some(4)),
            known("x.png", "content/e.md", Some(2)),
            known("x.png", "content/e.md", Some(3)),
            ("nothing.html".to_owned(), None, None),
        ]
    );
}

#[test]
fn source_map_option() {
    let folder = tree(&[
        ("public/d/a.html", "<a href=gone.html>x</a>"),
        ("content/d/a.md", "\n[x](gone.md)\n"),
    ]);
    let map = ["--source-map", r"^public/(.*)\.html$=content/$1.md"];
    let expected = [known("gone.html", "content/d/a.md", Some(2))];
    assert_eq!(sources(folder.path(), &map), expected);
    let run = |format: &str| {
        let output = command(&["audit", "public", "-f", format])
            .args(map)
            .current_dir(folder.path())
            .output()
            .expect("the program runs");
        String::from_utf8(output.stdout).expect("the output is UTF-8")
    };
    let text = run("github");
    assert!(
        text.starts_with("::error file=content/d/a.md,line=2,title="),
        "{text}"
    );
    let sarif: Value = serde_json::from_str(&run("sarif")).expect("the text is JSON");
    let result = &sarif["runs"][0]["results"][0];
    let place = &result["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "content/d/a.md");
    assert_eq!(place["region"]["startLine"], 2);
    let page = &result["relatedLocations"][0]["physicalLocation"];
    assert_eq!(page["artifactLocation"]["uri"], "public/d/a.html");
    assert!(run("text").contains("  generated from content/d/a.md:2\n"));
    let wrong = command(&["audit", "public", "--source-map", "public(=x"])
        .current_dir(folder.path())
        .output()
        .expect("the program runs");
    assert_eq!(wrong.status.code(), Some(2));
}

#[test]
fn page_cannot_read_other_files() {
    let folder = tree(&[
        (
            "site/public/a.html",
            "<meta name=source content=../../secret.md><a href=gone.html>x</a>",
        ),
        ("secret.md", "[x](gone.html)\n"),
    ]);
    let found = sources(&folder.path().join("site"), &[]);
    assert_eq!(found, [known("gone.html", "../../secret.md", None)]);
}
