//! Properties of whole runs that no record of a single run can show.

mod advice;
mod against;
mod audit;
mod audit_cases;
mod audit_redirects;
mod captures;
mod captures_agree;
#[cfg(feature = "arrow")]
mod columns;
mod copies;
mod damage;
mod differing;
mod docs;
mod escaped;
mod examples;
mod feeds;
mod filters_and_messages;
mod first_minutes;
mod fixing_links;
mod hostile;
mod launched;
mod mail;
mod mail_properties;
mod missing_folders;
mod misspelt;
mod move_agreement;
mod move_rebuilds;
mod move_verdicts;
mod moving;
mod old_sites;
mod other_names;
mod outputs;
mod overlaps;
mod records;
mod requests;
mod rewriting;
mod rule_dialects;
mod rules;
mod saved;
mod saved_folders;
mod signals;
mod sources;
mod standard_input;
mod status;
#[cfg(unix)]
mod terminal;
mod zim;

use std::fs;
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Command, Output, Stdio};

fn baseref(arguments: &[&str]) -> Output {
    run(arguments, b"")
}

fn run(arguments: &[&str], stdin: &[u8]) -> Output {
    let mut child = command(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut input = child.stdin.take().expect("its standard input is a pipe");
    let stdin = stdin.to_vec();
    let feeder = std::thread::spawn(move || {
        // The program may stop reading before everything is written.
        let _ = input.write_all(&stdin);
    });
    let output = child.wait_with_output().expect("the program ends");
    feeder.join().expect("the feeder ends");
    output
}

/// The rows of an output in JSON Lines.
fn rows(output: &Output) -> Vec<serde_json::Value> {
    let text = std::str::from_utf8(&output.stdout).expect("JSON is UTF-8");
    let rows = text.lines().map(serde_json::from_str);
    rows.map(|row| row.expect("each line is JSON")).collect()
}

/// The findings of an audit in a folder, as rows of JSON Lines, and its exit code.
fn audited(folder: &Path, arguments: &[&str]) -> (Vec<serde_json::Value>, Option<i32>) {
    let mut command = command(&["audit", "-f", "jsonl"]);
    let output = command.args(arguments).current_dir(folder).output();
    let output = output.expect("the program runs");
    let mut found = rows(&output);
    found.retain(|row| row["type"] == "finding");
    (found, output.status.code())
}

/// Writes files, with the folders that they need.
fn write_files(folder: &Path, files: &[(&str, &str)]) {
    for (name, text) in files {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().expect("the path has a parent"))
            .expect("the folder is made");
        fs::write(path, text).expect("the file is written");
    }
}

/// A sitemap of `https://a.example/` that lists `paths`.
fn sitemap(paths: &[&str]) -> String {
    let url = |path: &&str| format!("<url><loc>https://a.example/{path}</loc></url>");
    let urls: String = paths.iter().map(url).collect();
    format!("<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>{urls}</urlset>")
}

fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_baseref"));
    command
        .args(arguments)
        .current_dir(env!("CARGO_MANIFEST_DIR"));
    command
}

/// A mailbox large enough that several threads have several messages each.
fn large_mailbox() -> Vec<u8> {
    let mut mailbox = Vec::new();
    for number in 0..400 {
        let body = format!("<a href=\"{number}.html\">link</a>\n").repeat(1 + number % 50);
        write!(
            mailbox,
            "From a@example.org Thu Jan  1 00:00:00 1970\nSubject: {number}\n\
             Content-Base: http://example.org/{number}/\nContent-Type: text/html\n\n{body}\n"
        )
        .expect("a Vec takes every write");
    }
    mailbox
}

#[test]
fn output_independent_of_threads() {
    for (command, formats) in [
        ("links", ["url", "jsonl", "csv"]),
        ("base", ["text", "jsonl", "csv"]),
    ] {
        for format in formats {
            let of_jobs = |jobs| {
                baseref(&[
                    command,
                    "-f",
                    format,
                    "-u",
                    "http://u/",
                    "-j",
                    jobs,
                    "fixtures",
                ])
            };
            let one = of_jobs("1");
            assert!(one.stdout.len() > 1000, "there is something to compare");
            for jobs in ["2", "8"] {
                let more = of_jobs(jobs);
                assert_eq!(one.status.code(), more.status.code());
                assert!(one.stdout == more.stdout, "{command} -f {format} -j {jobs}");
                assert!(one.stderr == more.stderr, "{command} -f {format} -j {jobs}");
            }
        }
    }
}

#[test]
fn mailbox_order_with_threads() {
    let mailbox = large_mailbox();
    let of_jobs = |jobs| run(&["links", "-f", "jsonl", "-j", jobs, "-"], &mailbox).stdout;
    let one = of_jobs("1");
    assert_eq!(one.split(|&byte| byte == b'\n').count(), 10_201);
    assert!(one == of_jobs("2"));
    assert!(one == of_jobs("8"));
}

#[test]
fn closed_pipe_is_no_error() {
    let mut child = command(&["links", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("its standard input is a pipe");
    let feeder = std::thread::spawn(move || {
        let _ = stdin.write_all(&large_mailbox());
    });
    let mut results = child.stdout.take().expect("its standard output is a pipe");
    results
        .read_exact(&mut [0])
        .expect("the program writes output");
    drop(results);
    let output = child.wait_with_output().expect("the program ends");
    feeder.join().expect("the feeder ends");
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}

#[test]
fn same_links_from_every_input() {
    let page = "fixtures/example/page.html";
    let links = b"http://www.ics.uci.edu/Test/a/x\n";
    assert_eq!(baseref(&["links", page]).stdout, links);
    assert_eq!(baseref(&[page]).stdout, links);
    let bytes =
        fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join(page)).expect("the file is read");
    assert_eq!(run(&["links", "-"], &bytes).stdout, links);
    assert_eq!(run(&["links"], &bytes).stdout, links);
    let list = format!("{page}\n{page}\n");
    let twice = [&links[..], links].concat();
    assert_eq!(
        run(&["links", "--files-from", "-"], list.as_bytes()).stdout,
        twice
    );
    let ended_by_nul = list.replace('\n', "\0");
    assert_eq!(
        run(&["--files-from", "-"], ended_by_nul.as_bytes()).stdout,
        twice
    );
    assert_eq!(
        run(&["links", "--unique", "--files-from", "-"], list.as_bytes()).stdout,
        links
    );
    assert_eq!(
        baseref(&["-0", page]).stdout,
        [&links[..links.len() - 1], b"\0"].concat()
    );
}

#[test]
fn references_on_standard_input() {
    let output = run(
        &["resolve", "http://a/b/c/d"],
        b"../g\r\n\n mailto:x \nhttp:g",
    );
    let stdout = String::from_utf8_lossy(&output.stdout);
    assert_eq!(stdout, "http://a/b/g\nhttp://a/b/c/d\nmailto:x\nhttp:g\n");
    let output = run(&["resolve", ""], b"g\nhttp://a\n");
    assert_eq!(output.stdout, b"\nhttp://a\n");
    assert_eq!(output.status.code(), Some(0));
    assert!(String::from_utf8_lossy(&output.stderr).contains("reference 1"));
}

#[test]
fn every_option_has_an_example() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut pages = vec![root.join("README.md")];
    let manual = fs::read_dir(root.join("docs")).expect("the folder is read");
    let manual = manual.map(|entry| entry.expect("the folder of the manual is read").path());
    pages.extend(manual.filter(|page| page.extension().is_some_and(|end| end == "md")));
    let read = |page| fs::read_to_string(page).expect("the file is read");
    let readme: String = pages.into_iter().map(read).collect();
    let helps = ["links", "base", "resolve"].map(|command| {
        let help = baseref(&[command, "--help"]).stdout;
        (command, String::from_utf8_lossy(&help).into_owned())
    });
    let parts = helps.each_ref().map(|(command, help)| {
        let parts = help.split_once("Examples:");
        let (list, examples) = parts.expect("the help has examples");
        (*command, list, examples)
    });
    // An option shared by several commands is shown with one of them.
    let examples: String = parts.iter().map(|(.., examples)| *examples).collect();
    let mut options = 0;
    for (command, list, _) in parts {
        for option in list
            .split_ascii_whitespace()
            .map(|word| word.trim_end_matches(','))
            .filter(|word| word.starts_with("--") && word.len() > 2)
            .filter(|option| !matches!(*option, "--help" | "--version"))
        {
            let short = list
                .lines()
                .find(|line| line.contains(", ") && line.split(' ').any(|word| word == option))
                .and_then(|line| line.trim().get(..2));
            let shown = |text: &str| {
                text.split(|c: char| c.is_whitespace() || c == '`')
                    .any(|word| word == option || Some(word) == short)
            };
            assert!(shown(&examples) || shown(&readme), "{command} {option}");
            options += 1;
        }
    }
    assert!(options > 20, "the options were found in the help");
}
