//! `--fix DIR`: the copy of a tree has all of the tree, and is there whole or not at all.
#![cfg(unix)]

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const PAGE: &str = "<a href=http://o.example/b.html>x</a>\n";

fn fixed() -> String {
    PAGE.replace("http://o.example/", "http://n.example/")
}

fn place(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join("copies")
        .join(name);
    let _ = Command::new("chmod")
        .args(["-R", "u+rwx"])
        .arg(&folder)
        .status();
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(folder.join("t/empty")).expect("the folder is made");
    fs::write(folder.join("t/a.html"), PAGE).expect("the file is written");
    fs::write(folder.join("secret.html"), PAGE).expect("the file is written");
    folder
}

/// The commands that write a fixed copy of `t`, without the folder.
const COMMANDS: [&str; 2] = [
    "rewrite --move http://o.example/=http://n.example/ t --fix",
    "verify-move --from http://o.example/ --to http://n.example/ t --fail-on never --fix",
];

fn run(folder: &Path, command: &str, fix: &str) -> Output {
    Command::new(env!("CARGO_BIN_EXE_baseref"))
        .args(command.split(' '))
        .arg(fix)
        .current_dir(folder)
        .output()
        .expect("the program runs")
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn names(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("the folder is read");
    let mut names: Vec<PathBuf> = entries
        .map(|entry| entry.expect("the folder is read").file_name().into())
        .collect();
    names.sort();
    names
}

fn mode(path: &Path) -> u32 {
    let metadata = fs::symlink_metadata(path).expect("the metadata is read");
    metadata.permissions().mode() & 0o777
}

#[test]
fn copy_keeps_links_modes_and_folders() {
    for (number, command) in COMMANDS.iter().enumerate() {
        let folder = place(&format!("kept{number}"));
        let tree = folder.join("t");
        fs::set_permissions(tree.join("a.html"), fs::Permissions::from_mode(0o600))
            .expect("the mode is set");
        fs::set_permissions(tree.join("empty"), fs::Permissions::from_mode(0o555))
            .expect("the mode is set");
        let absolute = fs::canonicalize(tree.join("a.html")).expect("the path is resolved");
        symlink("a.html", tree.join("link.html")).expect("the symbolic link is made");
        symlink("../t/a.html", tree.join("around.html")).expect("the symbolic link is made");
        symlink(&absolute, tree.join("empty.html")).expect("the symbolic link is made");
        symlink("../secret.html", tree.join("out.html")).expect("the symbolic link is made");
        let made = Command::new("mkfifo").arg(tree.join("pipe")).status();
        assert!(made.expect("mkfifo runs").success());
        let output = run(&folder, command, "new");
        assert_eq!(output.status.code(), Some(0), "{}", said(&output));
        let new = folder.join("new");
        assert_eq!(
            fs::read_to_string(new.join("a.html")).expect("the file is read"),
            fixed()
        );
        assert_eq!(
            (mode(&new.join("a.html")), mode(&new.join("empty"))),
            (0o600, 0o555)
        );
        for (link, to) in [
            ("link.html", "a.html"),
            ("around.html", "a.html"),
            ("empty.html", "a.html"),
        ] {
            assert_eq!(
                fs::read_link(new.join(link)).expect("the symbolic link is read"),
                Path::new(to),
                "{link}"
            );
        }
        for (name, what) in [
            ("out.html", "leads out of the tree"),
            ("pipe", "a named pipe"),
        ] {
            assert!(!new.join(name).exists(), "{name}");
            let line = format!("t/{name}: ");
            let line = said(&output)
                .lines()
                .find(|said| said.contains(&line))
                .map(str::to_owned);
            assert!(
                line.is_some_and(|line| line.contains(what)),
                "{name}: {}",
                said(&output)
            );
        }
        assert!(
            said(&output).contains("2 entries left out"),
            "{}",
            said(&output)
        );
        assert_eq!(names(&folder).len(), 3, "nothing else is left");
    }
}

#[test]
fn patch_excludes_symlink_targets() {
    for (number, command) in COMMANDS.iter().enumerate() {
        let folder = place(&format!("leak{number}"));
        fs::write(folder.join("secret.html"), format!("{PAGE}<p>secret\n"))
            .expect("the file is written");
        symlink("../secret.html", folder.join("t/out.html")).expect("the symbolic link is made");
        let output = run(&folder, command, "patch");
        let patch = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(patch.contains("+++ b/a.html"), "{patch}{}", said(&output));
        assert!(
            !patch.contains("secret") && !patch.contains("out.html"),
            "{patch}"
        );
        assert!(
            said(&output).contains("1 symbolic link not edited"),
            "{}",
            said(&output)
        );
    }
}

#[test]
fn non_utf_8_names_edited() {
    for (number, command) in COMMANDS.iter().enumerate() {
        let folder = place(&format!("bytes{number}"));
        let names = [&b"caf\xe9.html"[..], b"caf\xe8.html", b"caf\xe7.html"].map(OsStr::from_bytes);
        for (name, end) in names.iter().zip(["", "", "<p>other\n"]) {
            let written = fs::write(folder.join("t").join(name), format!("{PAGE}{end}"));
            if written.is_err() {
                return;
            }
        }
        let output = run(&folder, command, "new");
        assert_eq!(output.status.code(), Some(0), "{}", said(&output));
        for (name, end) in names.iter().zip(["", "", "<p>other\n"]) {
            let read = fs::read_to_string(folder.join("new").join(name)).expect("the file is read");
            assert_eq!(read, format!("{}{end}", fixed()), "{name:?}");
        }
        let patch = run(&folder, command, "patch").stdout;
        let patch = String::from_utf8(patch).expect("non-UTF-8 names are quoted");
        for name in ["caf\\351", "caf\\350", "caf\\347"] {
            let header = format!("+++ \"b/{name}.html\"\n");
            assert_eq!(patch.matches(&header).count(), 1, "{name}: {patch}");
        }
    }
}

#[test]
fn inputs_with_one_name_refused() {
    let folder = place("collide");
    let command = "rewrite --move http://o.example/=http://n.example/ --fix new";
    let other = folder.join("t/a.html");
    let below = other.strip_prefix("/").expect("the path is absolute");
    fs::create_dir_all(folder.join(below).parent().expect("the path has a parent"))
        .expect("the folder is made");
    fs::write(folder.join(below), PAGE).expect("the file is written");
    let run = |paths: [&Path; 2]| {
        Command::new(env!("CARGO_BIN_EXE_baseref"))
            .args(command.split(' '))
            .args(paths)
            .current_dir(&folder)
            .output()
            .expect("the program runs")
    };
    let before = names(&folder);
    let output = run([&other, below]);
    assert_eq!(output.status.code(), Some(2), "{}", said(&output));
    assert!(
        said(&output).contains("two inputs have this name"),
        "{}",
        said(&output)
    );
    assert_eq!(names(&folder), before);
    // The same file twice is one file.
    let output = run([Path::new("t/a.html"), Path::new("./t/a.html")]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
}

/// A limit of the file size makes a write fail halfway, like a full disk.
#[test]
fn unfinished_copy_removed() {
    for (number, command) in COMMANDS.iter().enumerate() {
        for trap in ["trap '' XFSZ; ", ""] {
            let folder = place(&format!("full{number}"));
            fs::write(folder.join("t/large.bin"), vec![0; 300_000]).expect("the file is written");
            fs::set_permissions(folder.join("t/empty"), fs::Permissions::from_mode(0o555))
                .expect("the mode is set");
            fs::create_dir(folder.join("new")).expect("the folder is made");
            let before = names(&folder);
            let script = format!(
                "{trap}ulimit -f 100; exec '{}' {command} new",
                env!("CARGO_BIN_EXE_baseref")
            );
            let output = Command::new("sh")
                .args(["-c", &script])
                .current_dir(&folder)
                .output();
            let output = output.expect("the shell runs");
            assert_eq!(output.status.code(), Some(2), "{}", said(&output));
            assert_eq!(names(&folder), before);
            assert!(names(&folder.join("new")).is_empty());
        }
    }
}
