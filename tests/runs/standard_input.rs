//! Standard input, which can be read once, and may be closed.

use std::fs;
use std::path::Path;

use super::run;

/// A folder with a page, a folder of another, and a list that names standard input.
fn folder(name: &str) -> std::path::PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("the folder is made");
    fs::write(folder.join("page.html"), "<a href=http://a.example/>").expect("the page is written");
    fs::write(folder.join("list"), "page.html\n-\n").expect("the list is written");
    folder
}

#[test]
fn second_reader_of_standard_input_is_refused() {
    let folder = folder("stdin-twice");
    let list = folder.join("list");
    let list = list.to_str().expect("the path is UTF-8");
    for (arguments, readers) in [
        ("links - -", ["PATH", "PATH"]),
        ("links - --files-from -", ["PATH", "--files-from"]),
        #[cfg(unix)]
        ("links - /dev/stdin", ["PATH", "PATH"]),
        #[cfg(unix)]
        ("links --files-from /dev/fd/0 -", ["PATH", "--files-from"]),
        ("links - --files-from LIST", ["PATH", "PATH"]),
        ("base -u http://a.example/ - -", ["PATH", "PATH"]),
        ("base - --files-from -", ["PATH", "--files-from"]),
        (
            "rewrite --absolute -u http://a.example/ - -",
            ["PATH", "PATH"],
        ),
        ("audit - -", ["PATH", "PATH"]),
        ("audit - --files-from -", ["PATH", "--files-from"]),
        ("audit - --status -", ["PATH", "--status"]),
        ("audit --status -", ["the PATH left out", "--status"]),
        (
            "audit --files-from - --status -",
            ["--files-from", "--status"],
        ),
        ("audit --files-from LIST --status -", ["PATH", "--status"]),
        (
            "audit page.html --status - --status -",
            ["--status", "--status"],
        ),
        (
            "verify-move --from http://a.example/ --to http://b.example/ . --status - --status -",
            ["--status", "--status"],
        ),
        ("diff - -", ["A", "B"]),
    ] {
        let words: Vec<&str> = arguments
            .split(' ')
            .map(|word| if word == "LIST" { list } else { word })
            .collect();
        let output = run(&words, b"page.html\n");
        let said = String::from_utf8_lossy(&output.stderr);
        let [first, second] = readers;
        assert_eq!(output.status.code(), Some(2), "{arguments}: {said}");
        let reason = "standard input comes once, but is named twice";
        assert!(
            said.contains(&format!("{reason}: by {first} and by {second}\n")),
            "{arguments}: {said}"
        );
        assert_eq!(said.lines().count(), 1, "{arguments}: {said}");
        assert!(output.stdout.is_empty(), "{arguments}");
    }
    let page = "<a href=http://a.example/>";
    let output = run(&["links", "-"], page.as_bytes());
    assert_eq!(output.status.code(), Some(0));
}

#[cfg(unix)]
#[test]
fn closed_standard_input_is_exit_code_2() {
    let folder = folder("stdin-closed");
    let closed = |arguments: &str| {
        let program = env!("CARGO_BIN_EXE_baseref");
        let script = format!("'{program}' {arguments} <&-");
        let mut command = std::process::Command::new("sh");
        command.current_dir(&folder).args(["-c", &script]);
        command.output().expect("the shell runs")
    };
    for arguments in [
        "",
        "links",
        "links -",
        "links --files-from -",
        "base page.html -",
        "audit -u http://a.example/ -",
        "audit page.html --status -",
        "rewrite --absolute -u http://a.example/ -",
        "verify-move --from http://a.example/ --to http://b.example/ . --status -",
        "diff page.html -",
        "resolve http://a.example/",
    ] {
        let output = closed(arguments);
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments}: {said}");
        assert!(
            said.contains("standard input is closed"),
            "{arguments}: {said}"
        );
        assert_eq!(said.lines().count(), 1, "{arguments}: {said}");
        assert!(output.stdout.is_empty(), "{arguments}");
    }
    for arguments in ["links page.html", "resolve http://a.example/ b"] {
        assert_eq!(closed(arguments).status.code(), Some(0), "{arguments}");
    }
}

#[test]
fn empty_list_of_files_is_no_mistake() {
    let output = run(&["links", "--files-from", "-"], b"");
    assert_eq!(output.status.code(), Some(0));
    assert!(output.stdout.is_empty());
}
