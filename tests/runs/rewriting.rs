//! Runs of `rewrite`.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use super::moving::tree;

fn rewrite(arguments: &[&str], dir: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_baseref"))
        .arg("rewrite")
        .args(arguments)
        .current_dir(dir)
        .output()
        .expect("the program starts")
}

/// The patch of a successful run.
fn patch(arguments: &[&str], dir: &Path) -> Vec<u8> {
    let output = rewrite(arguments, dir);
    assert_eq!(
        output.status.code(),
        Some(0),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    output.stdout
}

/// Applies a patch as its reader would.
fn apply(patch: &[u8], dir: &Path) {
    let file = dir.join("../p.diff");
    fs::write(&file, patch).expect("the file is written");
    let status = Command::new("patch")
        .args(["-s", "-p1", "--binary", "-i"])
        .arg(&file)
        .current_dir(dir)
        .status()
        .expect("patch is installed");
    assert!(status.success());
}

const MOVE: &str = "--move=http://old.example.com/=https://www.example.com/docs/";
const MAP: &str = "--url-map=site=http://old.example.com/";

/// A page in three encodings that sed corrupts, and what it becomes.
fn page(url: &str) -> String {
    format!(
        "<!DOCTYPE html>\r\n<meta charset=CHARSET>\r\n<p>Привет, мир\r\n\
         <a href='{url}a?x=1&amp;y=2'>Ссылка</a> <a href={url}>http://old.example.com/</a>\r\n\
         <img srcset=\"{url}i.png 1x, {url}j.png 2x\">\r\n\
         <meta http-equiv=refresh content=\"5; url={url}r\">\r\n\
         <!-- http://old.example.com/ --><script>x = 'http://old.example.com/'</script>"
    )
}

#[test]
fn patch_changes_only_values() {
    let utf16 = |text: &str| -> Vec<u8> {
        let text = format!("\u{feff}{text}");
        text.encode_utf16().flat_map(u16::to_le_bytes).collect()
    };
    let in_encoding = |label: &str, text: &str| {
        let encoding = encoding_rs::Encoding::for_label(label.as_bytes())
            .expect("the label names an encoding");
        encoding
            .encode(&text.replace("CHARSET", label))
            .0
            .into_owned()
    };
    let all = |url: &str| {
        [
            ("1251.html", in_encoding("windows-1251", &page(url))),
            ("sjis.html", in_encoding("Shift_JIS", &page(url))),
            ("utf16.html", utf16(&page(url))),
        ]
    };
    let dir = tree(&[]);
    let site = dir.path().join("site");
    fs::create_dir(&site).expect("the folder is made");
    for (name, bytes) in all("http://old.example.com/") {
        fs::write(site.join(name), bytes).expect("the file is written");
    }
    apply(&patch(&[MOVE, "site"], dir.path()), &site);
    for (name, bytes) in all("https://www.example.com/docs/") {
        assert_eq!(
            fs::read(site.join(name)).expect("the file is read"),
            bytes,
            "{name}"
        );
    }
    assert_eq!(patch(&[MOVE, "site"], dir.path()), b"");
}

#[test]
fn links_below_old_url_in_every_form() {
    let page = "<a href=/a>1</a><a href=../b>2</a><a href=//OLD.example.com/c>3</a>\
                <a href=http://old.example.com.evil.test/>4</a><a href=mailto:x@y>5</a>";
    let dir = tree(&[("site/d/p.html", page)]);
    let patch = patch(&[MAP, MOVE, "site"], dir.path());
    apply(&patch, &dir.path().join("site"));
    let new = "https://www.example.com/docs/";
    let wanted = format!(
        "<a href={new}a>1</a><a href={new}b>2</a><a href={new}c>3</a>\
         <a href=http://old.example.com.evil.test/>4</a><a href=mailto:x@y>5</a>"
    );
    let page = fs::read_to_string(dir.path().join("site/d/p.html")).expect("the file is read");
    assert_eq!(page, wanted);
}

#[test]
fn relative_and_absolute_are_inverse() {
    let page = "<a href=\"../b.html?x&amp;y#s\">1</a><img src='i.png'><a href=http://g/>2</a>";
    let dir = tree(&[
        ("site/d/p.html", page),
        ("site/d/i.png", "i"),
        ("site/x.txt", "x"),
    ]);
    patch(&[MAP, "--absolute", "--fix=whole", "site"], dir.path());
    let read = |name: &str| fs::read_to_string(dir.path().join(name)).expect("the file is read");
    assert_eq!(
        read("whole/d/p.html"),
        "<a href=\"http://old.example.com/b.html?x&amp;y#s\">1</a>\
         <img src='http://old.example.com/d/i.png'><a href=http://g/>2</a>"
    );
    assert_eq!(
        (read("whole/x.txt"), read("whole/d/i.png")),
        ("x".into(), "i".into())
    );
    let map = "--url-map=whole=http://old.example.com/";
    patch(&[map, "--relative", "--fix=again", "whole"], dir.path());
    assert_eq!(read("again/d/p.html"), page);
}

#[test]
fn patch_names_files_as_typed() {
    let dir = tree(&[("x/a.html", "<a href=http://old.example.com/>1</a>")]);
    let patch = patch(&[MOVE, "./x/a.html"], dir.path());
    assert!(patch.starts_with(b"--- a/x/a.html\n+++ b/x/a.html\n"));
    apply(&patch, dir.path());
}

#[test]
fn uneditable_inputs_refused() {
    let mail = "From: a@b\nContent-Type: text/html\n\n<a href=\"http://old.example.com/\">x</a>\n";
    let page = "<a href=http://old.example.com/>x</a>";
    let dir = tree(&[("m.eml", mail), ("a.html", page)]);
    let output = rewrite(&[MOVE, "m.eml"], dir.path());
    assert_eq!((output.status.code(), output.stdout), (Some(3), Vec::new()));
    let gzip = Command::new("gzip")
        .arg("-c")
        .arg(
            tree(&[("a.html", "<a href=http://old.example.com/>x</a>")])
                .keep()
                .join("a.html"),
        )
        .output()
        .expect("gzip is installed");
    fs::write(dir.path().join("a.html.gz"), gzip.stdout).expect("the file is written");
    let output = rewrite(&[MOVE, "a.html.gz"], dir.path());
    assert_eq!((output.status.code(), output.stdout), (Some(3), Vec::new()));
}

#[test]
fn rewrite_options_checked() {
    let dir = tree(&[("a.html", "x")]);
    for arguments in [
        &["a.html"][..],
        &["--move=http://h/", "a.html"],
        &["--move=/a/=/b/", "a.html"],
        &["--absolute", "--relative", "a.html"],
        &["--absolute", "--fix=.", "a.html"],
        &["--absolute", "--fix=new", "-"],
    ] {
        let output = rewrite(arguments, dir.path());
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
    }
}

#[test]
fn rewrite_count_always_reported() {
    let page = "<a href=http://old.example.com/a>a</a><a href=http://old.example.com/b>b</a>";
    let dir = tree(&[("a.html", page), ("b.html", page)]);
    for (arguments, said) in [
        (MOVE, "4 values rewritten in 2 documents"),
        (
            "--move=http://h/=http://n/",
            "0 values rewritten in 0 documents",
        ),
    ] {
        let output = rewrite(&[arguments, "."], dir.path());
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(0), "{text}");
        assert!(text.contains(said), "{text}");
    }
}

#[test]
fn unresolved_links_counted() {
    let tree = tree(&[(
        "a.html",
        "<a href=b.html>b</a><a href=/c>c</a><a href=#d>d</a><a href=''>e</a><a href=http://h/f>f</a>",
    )]);
    let said = |arguments: &[&str]| {
        let output = rewrite(arguments, tree.path());
        String::from_utf8(output.stderr).expect("the messages are UTF-8")
    };
    let lacking = said(&["--relative", "."]);
    assert!(
        lacking
            .contains("2 links left unchanged, since no base is known: give `--url-map DIR=URL`"),
        "{lacking}"
    );
    let map = ["--relative", "--url-map", ".=http://h/", "."];
    assert!(!said(&map).contains("no base"));
}
