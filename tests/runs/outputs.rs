//! Output files: no input is ever lost, and no file is ever partial.

use std::fs;
use std::path::{Path, PathBuf};

use super::{baseref, run};

const PAGE: &str = "<a href=http://a/b>x</a>";
const LINKS: &str = "http://a/b\n";

/// An empty folder of that name.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join("outputs")
        .join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("the folder is made");
    folder
}

fn write(path: &Path, text: &str) {
    fs::write(path, text).expect("the file is written");
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).expect("the file is read")
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("the folder is read");
    let mut names: Vec<String> = entries
        .map(|entry| {
            let name = entry.expect("the folder is read").file_name();
            name.to_string_lossy().into_owned()
        })
        .collect();
    names.sort();
    names
}

fn text(path: &Path) -> &str {
    path.to_str().expect("the path is UTF-8")
}

#[test]
fn output_file() {
    let folder = folder("named");
    let (page, out) = (folder.join("p.html"), folder.join("out"));
    write(&page, PAGE);
    write(&out, "old");
    let output = baseref(&["links", "-o", text(&out), text(&page)]);
    assert_eq!((output.status.code(), output.stdout.len()), (Some(0), 0));
    assert_eq!(read(&out), LINKS);
    assert_eq!(names(&folder), ["out", "p.html"]);
}

#[test]
fn output_equal_to_input_refused() {
    let folder = folder("refused");
    let page = folder.join("p.html");
    write(&page, PAGE);
    let mut outputs = vec![page.clone(), folder.join("../refused/./p.html")];
    #[cfg(unix)]
    {
        fs::hard_link(&page, folder.join("hard.html")).expect("the hard link is made");
        std::os::unix::fs::symlink("p.html", folder.join("soft.html"))
            .expect("the symbolic link is made");
        outputs.extend([folder.join("hard.html"), folder.join("soft.html")]);
    }
    let list = folder.join("list");
    write(&list, &format!("{}\n", page.display()));
    let before = names(&folder);
    for out in &outputs {
        let inputs: [(&[&str], &[u8]); 3] = [
            (&[text(&page)], b""),
            (&["--files-from", text(&list)], b""),
            (&["--files-from", "-"], text(&page).as_bytes()),
        ];
        for (input, stdin) in inputs {
            for command in ["links", "base"] {
                let output = run(&[&[command, "-o", text(out)], input].concat(), stdin);
                let said = String::from_utf8_lossy(&output.stderr);
                assert_eq!(output.status.code(), Some(2), "{out:?} {input:?}: {said}");
                assert!(said.contains("is also the output"), "{said}");
                assert_eq!(read(&page), PAGE);
                assert_eq!(names(&folder), before);
            }
        }
    }
    let output = baseref(&["links", "-o", text(&list), "--files-from", text(&list)]);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(read(&list), format!("{}\n", page.display()));
}

#[cfg(unix)]
#[test]
fn output_equal_to_standard_input_refused() {
    let folder = folder("stdin");
    let page = folder.join("p.html");
    write(&page, PAGE);
    let stdin = fs::File::open(&page).expect("the file is opened");
    let output = super::command(&["links", "-o", text(&page), "-"])
        .stdin(stdin)
        .output()
        .expect("the program runs");
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(read(&page), PAGE);
}

#[test]
fn output_found_while_walking_ends_run() {
    let folder = folder("met");
    let (page, other) = (folder.join("sub/p.html"), folder.join("a.html"));
    fs::create_dir_all(folder.join("sub")).expect("the folder is made");
    write(&page, PAGE);
    write(&other, PAGE);
    for jobs in ["1", "8"] {
        let output = baseref(&["links", "-j", jobs, "-o", text(&page), text(&folder)]);
        assert_eq!(output.status.code(), Some(2));
        assert!(String::from_utf8_lossy(&output.stderr).contains("is also the output"));
        assert_eq!(read(&page), PAGE);
        assert_eq!(names(&folder.join("sub")), ["p.html"]);
    }
    // The output of an earlier run is not a document, and is not read as one.
    let links = folder.join("links.txt");
    for _ in 0..2 {
        let output = baseref(&["links", "-o", text(&links), text(&folder)]);
        assert_eq!(output.status.code(), Some(0));
        assert_eq!(read(&links), LINKS.repeat(2));
    }
}

#[test]
fn failed_run_keeps_old_file() {
    let folder = folder("vain");
    let out = folder.join("out");
    write(&out, "old");
    let output = baseref(&["links", "-o", text(&out), text(&folder.join("typo.html"))]);
    assert_eq!(output.status.code(), Some(3));
    assert!(String::from_utf8_lossy(&output.stderr).contains("nothing was read"));
    assert_eq!(read(&out), "old");
    assert_eq!(names(&folder), ["out"]);
}

#[test]
fn output_in_missing_folder() {
    let folder = folder("none");
    for out in [folder.clone(), folder.join("none/out")] {
        let output = baseref(&["links", "-o", text(&out), "fixtures/example/page.html"]);
        assert_eq!(output.status.code(), Some(2));
    }
    assert_eq!(names(&folder), [""; 0]);
}

#[cfg(unix)]
mod unix {
    use std::io::{BufRead, BufReader, Read, Write};
    use std::os::unix::fs::{PermissionsExt, symlink};
    use std::os::unix::process::ExitStatusExt;
    use std::process::{Command, Stdio};
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;

    use super::*;
    use crate::command;

    #[test]
    fn symlinked_output_replaced() {
        let folder = folder("linked");
        let (page, real, link) = (
            folder.join("p.html"),
            folder.join("real"),
            folder.join("link"),
        );
        write(&page, PAGE);
        write(&real, "old");
        fs::set_permissions(&real, fs::Permissions::from_mode(0o604)).expect("the mode is set");
        symlink("real", &link).expect("the symbolic link is made");
        let output = baseref(&["links", "-o", text(&link), text(&page)]);
        assert_eq!(output.status.code(), Some(0));
        let metadata = fs::symlink_metadata(&link).expect("the metadata is read");
        assert!(metadata.is_symlink());
        assert_eq!(read(&real), LINKS);
        let metadata = fs::metadata(&real).expect("the metadata is read");
        assert_eq!(metadata.permissions().mode() & 0o777, 0o604);
    }

    #[test]
    fn special_files_written_in_place() {
        let folder = folder("special");
        let (page, out) = (folder.join("p.html"), folder.join("out"));
        write(&page, PAGE);
        let output = baseref(&["links", "-o", "/dev/stdout", text(&page)]);
        assert_eq!(output.stdout, LINKS.as_bytes());
        // Standard output is a regular file: its content is kept.
        let script = format!(
            "{{ echo first; '{}' links -o /dev/stdout '{}'; }} > '{}'",
            env!("CARGO_BIN_EXE_baseref"),
            page.display(),
            out.display()
        );
        let status = Command::new("sh").args(["-c", &script]).status();
        assert!(status.expect("the shell runs").success());
        assert_eq!(read(&out), format!("first\n{LINKS}"));
        assert_eq!(
            baseref(&["-o", "/dev/null", text(&page)]).status.code(),
            Some(0)
        );
        assert_eq!(names(&folder), ["out", "p.html"]);
    }

    #[test]
    fn pipe_written_in_place() {
        let folder = folder("pipe");
        let (page, pipe) = (folder.join("p.html"), folder.join("pipe"));
        write(&page, PAGE);
        let made = Command::new("mkfifo").arg(&pipe).status();
        assert!(made.expect("mkfifo runs").success());
        let reader = pipe.clone();
        let reader = std::thread::spawn(move || fs::read_to_string(reader));
        let output = baseref(&["links", "-o", text(&pipe), text(&page)]);
        assert_eq!(output.status.code(), Some(0));
        let read = reader.join().expect("the reader ends");
        assert_eq!(read.expect("the pipe can be read"), LINKS);
        assert_eq!(names(&folder), ["p.html", "pipe"]);
    }

    /// Rust opens `/dev/null` in place of a standard output that is closed: without a check the
    /// results would be lost, with exit code 0.
    #[test]
    fn closed_standard_output_is_exit_code_2() {
        let folder = folder("closed");
        let (page, out) = (folder.join("p.html"), folder.join("out"));
        write(&page, PAGE);
        let run = |arguments: &str| {
            let program = env!("CARGO_BIN_EXE_baseref");
            let script = format!("'{program}' {arguments} >&-");
            let mut command = Command::new("sh");
            command.current_dir(&folder).args(["-c", &script]);
            command.output().expect("the shell runs")
        };
        for arguments in [
            "links p.html",
            "base p.html",
            "audit p.html",
            "resolve http://a/ b",
            "diff p.html p.html",
            "rewrite --absolute -u http://a/ p.html",
            "verify-move --from http://a/ --to http://b/ .",
            "audit --list-rules",
            "man",
            "--help",
        ] {
            let output = run(arguments);
            assert_eq!(output.status.code(), Some(2), "{arguments}");
        }
        let said = run("links p.html").stderr;
        assert!(String::from_utf8_lossy(&said).contains("standard output is closed"));
        let output = run("links -o out p.html");
        assert_eq!(output.status.code(), Some(0));
        assert_eq!(read(&out), LINKS);
        let output = command(&["links", text(&page)])
            .stdout(Stdio::null())
            .status();
        assert_eq!(output.expect("the program runs").code(), Some(0));
    }

    #[test]
    fn a_full_disk_is_exit_code_2() {
        let folder = folder("full");
        let (page, link) = (folder.join("p.html"), folder.join("link"));
        write(&page, PAGE);
        if !Path::new("/dev/full").exists() {
            return;
        }
        symlink("/dev/full", &link).expect("the symbolic link is made");
        let output = baseref(&["links", "-o", text(&link), text(&page)]);
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains("link: "), "{said}");
    }

    /// A file size limit makes a write fail halfway, like a full disk.
    #[test]
    fn incomplete_output_keeps_old_file() {
        let folder = folder("limited");
        let (page, out) = (folder.join("p.html"), folder.join("out"));
        write(&page, &"<a href=http://a/b>x</a>".repeat(100_000));
        write(&out, "old");
        let script = format!(
            "trap '' XFSZ; ulimit -f 100; exec '{}' links -o '{}' '{}'",
            env!("CARGO_BIN_EXE_baseref"),
            out.display(),
            page.display()
        );
        let output = Command::new("sh").args(["-c", &script]).output();
        let output = output.expect("the shell runs");
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert_eq!(read(&out), "old");
        assert_eq!(names(&folder), ["out", "p.html"]);
    }

    #[test]
    fn interrupted_run_keeps_old_file() {
        let folder = folder("interrupted");
        let out = folder.join("out");
        write(&out, "old");
        for (name, number) in [("HUP", 1), ("INT", 2), ("QUIT", 3), ("TERM", 15)] {
            let_default_action(number);
            let mut child = command(&["links", "-o", text(&out), "fixtures/none.html", "-"])
                .stdin(Stdio::piped())
                .stderr(Stdio::piped())
                .spawn()
                .expect("the program starts");
            let mut stdin = child.stdin.take().expect("its standard input is a pipe");
            stdin
                .write_all(PAGE.as_bytes())
                .expect("the program reads its input");
            // The first message comes when everything is set up and inputs are read.
            let mut stderr = BufReader::new(child.stderr.take().expect("the stream is a pipe"));
            let mut line = String::new();
            stderr.read_line(&mut line).expect("a message is read");
            assert!(line.contains("none.html"), "{line}");
            assert_eq!(names(&folder).len(), 2);
            let kill = Command::new("kill")
                .args(["-s", name, &child.id().to_string()])
                .status();
            assert!(kill.expect("kill runs").success());
            let status = child.wait().expect("the program ends");
            assert_eq!(status.signal(), Some(number));
            drop(stdin);
            stderr
                .read_to_string(&mut line)
                .expect("standard error ends");
            assert_eq!(read(&out), "old");
            assert_eq!(names(&folder), ["out"]);
        }
    }

    /// A run that is killed cannot clean up: the next one does.
    #[test]
    fn next_run_removes_what_a_killed_one_left() {
        let folder = folder("killed");
        let out = folder.join("out");
        write(&out, "old");
        let mut child = command(&["links", "-o", text(&out), "fixtures/none.html", "-"])
            .stdin(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let stdin = child.stdin.take().expect("its standard input is a pipe");
        let mut stderr = BufReader::new(child.stderr.take().expect("the stream is a pipe"));
        let mut line = String::new();
        stderr.read_line(&mut line).expect("a message is read");
        child.kill().expect("the program is killed");
        let status = child.wait().expect("the program ends");
        assert_eq!(status.signal(), Some(9));
        drop(stdin);
        assert_eq!(read(&out), "old");
        let left = names(&folder);
        assert!(
            left.len() == 2 && left[0].starts_with(".baseref-"),
            "{left:?}"
        );
        assert!(
            run(&["links", "-o", text(&out), "-"], PAGE.as_bytes())
                .status
                .success()
        );
        assert_eq!(
            (read(&out).as_str(), names(&folder)),
            (LINKS, vec!["out".to_owned()])
        );
    }

    /// Has the programs that this one starts begin with the default action of a signal, even if the
    /// tests themselves run under `nohup`: what is handled here is not inherited.
    fn let_default_action(number: i32) {
        let always = Arc::new(AtomicBool::new(true));
        signal_hook::flag::register_conditional_default(number, always)
            .expect("the signal can be handled");
    }

    /// `nohup`, and a shell that starts a command in the background, ask so for it to go on.
    #[cfg(target_os = "linux")]
    #[test]
    fn ignored_signal_stays_ignored() {
        let folder = folder("ignored");
        let out = folder.join("out");
        for name in ["HUP", "INT", "TERM"] {
            let script = format!(
                "trap '' {name}; exec '{}' links -o '{}' fixtures/none.html -",
                env!("CARGO_BIN_EXE_baseref"),
                out.display()
            );
            let mut child = Command::new("sh")
                .args(["-c", &script])
                .current_dir(env!("CARGO_MANIFEST_DIR"))
                .stdin(Stdio::piped())
                .stderr(Stdio::piped())
                .spawn()
                .expect("the shell starts");
            let mut stderr = BufReader::new(child.stderr.take().expect("the stream is a pipe"));
            let mut line = String::new();
            stderr.read_line(&mut line).expect("a message is read");
            let kill = Command::new("kill")
                .args(["-s", name, &child.id().to_string()])
                .status();
            assert!(kill.expect("kill runs").success());
            let mut stdin = child.stdin.take().expect("the stream is a pipe");
            stdin
                .write_all(PAGE.as_bytes())
                .expect("the program still reads");
            drop(stdin);
            let status = child.wait().expect("the program ends");
            assert_eq!(status.code(), Some(3), "of the page that is not there");
            assert_eq!(read(&out), LINKS);
        }
    }
}
