//! Inputs and outputs that are not what they seem: each costs only itself.
#![cfg(unix)]

use std::fs::{self, File};
use std::process::{Command, Stdio};

use super::{baseref, command};

/// A directory of its own for a test.
fn directory(name: &str) -> std::path::PathBuf {
    let directory = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&directory);
    fs::create_dir_all(&directory).expect("the folder is made");
    directory
}

#[test]
fn pipe_is_not_opened() {
    let directory = directory("hostile-pipe");
    let page = directory.join("page.html");
    fs::write(&page, "<base href=http://a/><a href=x>").expect("the file is written");
    let pipe = directory.join("page.html:Zone.Identifier");
    let made = Command::new("mkfifo").arg(&pipe).status();
    assert!(made.expect("mkfifo runs").success());
    // Nobody writes to the pipe: opening it would block forever.
    let page = page.to_str().expect("the path is UTF-8");
    let run = baseref(&["base", page]);
    assert!(run.status.success());
}

#[test]
fn pipe_among_included_files_is_not_opened() {
    let directory = directory("hostile-included-pipe");
    fs::write(directory.join("site.conf"), "Include conf/*.conf\n").expect("the file is written");
    fs::write(directory.join("index.html"), "<p>x").expect("the file is written");
    let conf = directory.join("conf");
    fs::create_dir(&conf).expect("the folder is made");
    fs::write(conf.join("a.conf"), "Redirect /a /b\n").expect("the file is written");
    let pipe = directory.join("pipe");
    let made = Command::new("mkfifo").arg(&pipe).status();
    assert!(made.expect("mkfifo runs").success());
    std::os::unix::fs::symlink(&pipe, conf.join("b.conf")).expect("the link is made");
    let rules = format!("apache:{}", directory.join("site.conf").display());
    let site = directory.to_str().expect("the path is UTF-8");
    let run = baseref(&["audit", "--redirects", &rules, site]);
    assert!(run.status.success(), "{run:?}");
}

#[test]
fn oversized_file_skipped() {
    let directory = directory("hostile-sparse");
    let large = directory.join("large.html");
    fs::write(&large, "<a href=http://a/>").expect("the file is written");
    let file = File::options().write(true).open(&large);
    file.and_then(|file| file.set_len(1 << 40))
        .expect("a sparse file is made");
    let small = directory.join("small.html");
    fs::write(&small, "<a href=http://b/>").expect("the file is written");
    let run = Command::new("sh")
        .arg("-c")
        .arg("ulimit -v 4000000; exec \"$0\" links \"$1\" \"$2\"")
        .arg(env!("CARGO_BIN_EXE_baseref"))
        .args([&large, &small])
        .output()
        .expect("a shell runs");
    assert_eq!(run.status.code(), Some(3));
    assert_eq!(String::from_utf8_lossy(&run.stdout), "http://b/\n");
    let errors = String::from_utf8_lossy(&run.stderr);
    assert!(
        errors.contains("no memory for its 1099511627776 bytes"),
        "{errors}"
    );
}

#[test]
#[cfg(target_os = "linux")]
fn unwritable_help_is_an_error() {
    for arguments in [&["--help"][..], &["links", "--help"], &["--version"]] {
        let full = File::options().write(true).open("/dev/full");
        let full = full.expect("/dev/full is there");
        let status = command(arguments).stdout(Stdio::from(full)).status();
        assert_eq!(
            status.expect("the program ends").code(),
            Some(2),
            "{arguments:?}"
        );
    }
}

#[test]
fn long_url_written_once() {
    let directory = directory("hostile-unique");
    let page = directory.join("page.html");
    let base = format!("http://a/{}/", "b".repeat(6_000));
    let links: Vec<String> = (0..300)
        .map(|number| format!("<a href={}>", number % 100))
        .collect();
    let links = links.concat();
    fs::write(&page, format!("<base href={base}>{links}")).expect("the file is written");
    let page = page.to_str().expect("the path is UTF-8");
    let run = baseref(&["links", "--unique", page]);
    let written = String::from_utf8(run.stdout).expect("URLs are UTF-8");
    let expected: Vec<String> = (0..100).map(|number| format!("{base}{number}")).collect();
    assert_eq!(written.lines().collect::<Vec<_>>(), expected);
}

#[test]
fn resolved_length_limit() {
    let directory = directory("hostile-base");
    let page = directory.join("page.html");
    let base = format!("http://a/{}/", "b".repeat(60_000));
    let links: Vec<String> = (0..300).map(|n| format!("<a href=x{n}>x</a>")).collect();
    let page_text = format!(
        "<base href={base}>{}<a href=http://h/>h</a>",
        links.concat()
    );
    fs::write(&page, &page_text).expect("the file is written");
    fs::create_dir_all(directory.join("other")).expect("the folder is made");
    let tree = directory.to_str().expect("the path is UTF-8");
    let page = page.to_str().expect("the path is UTF-8");
    let other = format!("{tree}/other");
    let map = format!("{tree}=http://a/");
    for arguments in [
        &["links", "-f", "jsonl", page][..],
        &["links", "-f", "csv", page],
        &["audit", "--url-map", &map, tree],
        &[
            "verify-move",
            "--from",
            "http://a/",
            "--to",
            "http://n/",
            tree,
        ],
        &["rewrite", "--absolute", page],
        &["diff", page, page],
        &["diff", tree, &other],
    ] {
        let run = baseref(arguments);
        assert_eq!(run.status.code(), Some(3), "{arguments:?}");
        let said = [run.stdout, run.stderr].concat();
        assert!(
            said.len() < 8 * page_text.len(),
            "{arguments:?}: {} bytes",
            said.len()
        );
        let said = String::from_utf8_lossy(&said);
        assert!(
            said.contains("URLs of the links and their bases"),
            "{arguments:?}"
        );
    }
    let rows = baseref(&["links", "-f", "jsonl", page]);
    let rows = String::from_utf8(rows.stdout).expect("JSON is UTF-8");
    let too_long = rows.matches(r#""error":"too-long""#).count();
    assert_eq!(
        (rows.lines().count(), too_long),
        (301, 300),
        "every link is listed"
    );
    assert!(rows.contains(r#""url":"http://h/""#), "short URLs stay");
}

#[test]
fn oversized_pattern_is_bad_usage() {
    let directory = directory("hostile-patterns");
    fs::write(directory.join("a.html"), "<a href=x>").expect("the file is written");
    let tree = directory.to_str().expect("the path is UTF-8");
    let deep = |n: usize| format!("{}b{}", "{a,".repeat(n), "}".repeat(n));
    let refused = |arguments: &[&str], why: &str| {
        let run = baseref(arguments);
        let errors = String::from_utf8_lossy(&run.stderr);
        assert_eq!(run.status.code(), Some(2), "{errors}");
        assert!(errors.contains(why), "{errors}");
    };
    for (pattern, why) in [
        (deep(1_000), "too deep or too large"),
        (deep(20_000), "glob-size"),
    ] {
        refused(&["links", "--glob", &pattern, tree], why);
        refused(&["links", "--host", &pattern, tree], why);
        refused(&["audit", "--allow", &format!("*@{pattern}"), tree], why);
        refused(&["audit", "--rule", &format!("{pattern}=off"), tree], why);
        let config = directory.join("baseref.toml");
        let allow = format!("[[allow]]\nrule = '*'\nurl = '{pattern}'\nreason = 'r'\n");
        fs::write(&config, allow).expect("the file is written");
        let config = config.to_str().expect("the path is UTF-8");
        refused(&["audit", "--config", config, tree], why);
    }
}

/// A chain of folders whose innermost has a path that the system refuses, whoever runs the test; returns
/// that path below the root.
fn unlistable_folder(root: &std::path::Path) -> String {
    use rustix::fs::{CWD, Mode, OFlags, mkdirat, openat};
    let name = "n".repeat(250);
    let flags = OFlags::RDONLY | OFlags::DIRECTORY;
    let mut folder = openat(CWD, root, flags, Mode::empty()).expect("the root is opened");
    for _ in 0..17 {
        mkdirat(&folder, &*name, Mode::RWXU).expect("a folder is made");
        folder = openat(&folder, &*name, flags, Mode::empty()).expect("the folder is opened");
    }
    vec![name; 17].join("/")
}

#[test]
fn content_of_unlistable_folder_is_not_known() {
    let root = directory("hostile-unlistable");
    let deep = unlistable_folder(&root);
    let page =
        format!("<a href={deep}/a.html><a href={deep}/><img src={deep}/b.png><a href=gone.html>");
    fs::write(root.join("index.html"), page).expect("the file is written");
    let root = root.to_str().expect("the path is UTF-8");
    let run = baseref(&["audit", "-f", "jsonl", root]);
    let findings = String::from_utf8(run.stdout).expect("JSON is UTF-8");
    assert_eq!(run.status.code(), Some(3), "{findings}");
    let missing: Vec<&str> = findings
        .lines()
        .filter(|line| line.contains("\"rule\":\"target/"))
        .collect();
    let [missing] = missing[..] else {
        panic!("{findings}");
    };
    assert!(missing.contains("\"raw\":\"gone.html\""), "{missing}");
    assert!(findings.contains("\"unread\":3"), "{findings}");
}

#[test]
fn links_beyond_the_limit_are_a_loss() {
    let directory = directory("hostile-link-count");
    let page = directory.join("page.html");
    let font = "<font id=x style='a:url(b)'>".replace("a:url(b)", &"a:url(b);".repeat(600));
    let text = format!("<p>{font}{}<a href=http://h/last>", "x<p>".repeat(400));
    fs::write(&page, text).expect("the file is written");
    let page = page.to_str().expect("the path is UTF-8");
    let run = baseref(&["links", "-v", "--links", "all", page]);
    let errors = String::from_utf8_lossy(&run.stderr);
    assert!(errors.contains("link-count"), "{errors}");
    assert!(!String::from_utf8_lossy(&run.stdout).contains("last"));
    assert_eq!(run.status.code(), Some(3));
}
