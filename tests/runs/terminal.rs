//! A terminal is sent nothing that it would obey, by any command in any format.

use std::fs::{self, File, OpenOptions};
use std::io::Read;
use std::path::Path;
use std::process::{Command, Stdio};

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};
use tempfile::TempDir;

/// What an attacker may write into any text: a title, a bell, an erased screen, a C1 control, text
/// that runs from right to left, a return to the start of the line.
const ORDERS: &str = "\u{1b}]0;T\u{7}\u{1b}[2J\u{1b}[35;9m\u{9b}2J\u{202e}\u{2066}\r\u{8}\u{7f}";

/// What a command prints on a terminal, to both of its streams, and whether it ran to its end.
fn printed(arguments: &[&str], in_color: bool, directory: &Path) -> String {
    printed_at(None, arguments, in_color, directory)
}

/// The same, on a terminal of so many columns.
fn printed_at(
    columns: Option<u16>,
    arguments: &[&str],
    in_color: bool,
    directory: &Path,
) -> String {
    let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a terminal is opened");
    grantpt(&master).expect("access to the terminal is granted");
    unlockpt(&master).expect("the terminal is unlocked");
    if let Some(columns) = columns {
        let size = Winsize {
            ws_row: 40,
            ws_col: columns,
            ws_xpixel: 0,
            ws_ypixel: 0,
        };
        tcsetwinsize(&master, size).expect("the terminal takes a size");
    }
    let name = ptsname(&master, Vec::new()).expect("the terminal has a name");
    let name = name.to_str().expect("the name is text");
    let terminal = || {
        let file = OpenOptions::new().read(true).write(true).open(name);
        Stdio::from(file.expect("the terminal is opened"))
    };
    let mut command = Command::new(env!("CARGO_BIN_EXE_baseref"));
    command
        .args(arguments)
        .current_dir(directory)
        .env("TERM", "xterm")
        .stdin(Stdio::null())
        .stdout(terminal())
        .stderr(terminal());
    if in_color {
        command.env_remove("NO_COLOR");
    } else {
        command.env("NO_COLOR", "1");
    }
    let mut child = command.spawn().expect("the program starts");
    // The terminal ends once nobody has it open.
    drop(command);
    let mut printed = Vec::new();
    let mut chunk = [0; 4096];
    let mut master = File::from(master);
    while let Ok(count @ 1..) = master.read(&mut chunk) {
        printed.extend_from_slice(&chunk[..count]);
    }
    let status = child.wait().expect("the program ends");
    assert!(status.code().is_some(), "{arguments:?}: {status}");
    String::from_utf8(printed).expect("a terminal is sent text")
}

/// A text without the styles that an output gives it: colours and hyperlinks.
fn without_styles(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('\u{1b}') {
        plain.push_str(&rest[..at]);
        rest = &rest[at..];
        let end = if rest.starts_with("\u{1b}]8;;") {
            rest[1..].find("\u{1b}\\").map(|end| end + 3)
        } else {
            rest.find('m').map(|end| end + 1)
        };
        let style = &rest[..end.unwrap_or(1)];
        let is_color = |c: char| c.is_ascii_digit() || c == ';';
        let within = style.trim_start_matches("\u{1b}[").trim_end_matches('m');
        // `ORDERS` holds a colour that no output uses alone.
        if !style.starts_with("\u{1b}]8;;") && (!within.chars().all(is_color) || within == "35;9") {
            plain.push_str(style);
        }
        rest = &rest[style.len()..];
    }
    plain + rest
}

fn is_obeyed(c: char) -> bool {
    let is_bidi = matches!(c, '\u{61c}' | '\u{200e}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    is_bidi || c.is_control() && !matches!(c, '\n' | '\t')
}

/// A tree with orders wherever there is text.
fn tree(place: &str) -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder is made");
    let page = format!(
        "<!DOCTYPE html><meta charset=utf-8><title>{ORDERS}</title><base href='http://old.example/{ORDERS}/'>\n\
         <p id='{ORDERS}'><p id='{ORDERS}'>\n\
         <a href='{place}{ORDERS}'>{ORDERS}</a> <a href='#{ORDERS}x'>{ORDERS}</a> {ORDERS}\n\
         <a href='http://old.example/{ORDERS}'>x</a> <img src='{ORDERS}.png' alt='{ORDERS}'>\n\
         <a href='http://{ORDERS}:x/'>x</a>\n"
    );
    let name = |name: &str| folder.path().join(name);
    fs::write(name("page.html"), page).expect("the file is written");
    let plain = format!("<!DOCTYPE html>{ORDERS} <a href='http://old.example/x'>{ORDERS}</a>\n");
    fs::write(name(&format!("a{}.html", ORDERS.replace('/', ""))), plain)
        .expect("the file is written");
    // In an encoding in which the C1 controls are bytes.
    let latin = b"<meta charset=iso-8859-5>\x9b2J <a href='http://old.example/\x9b'>\x9b\x85</a>\n";
    fs::write(name("latin.html"), latin).expect("the file is written");
    folder
}

/// Every command, in every format that it has.
fn runs() -> Vec<Vec<String>> {
    let hostile = format!("http://old.example/{ORDERS}");
    let moving = [
        "--from",
        "http://old.example/",
        "--to",
        "http://new.example/",
    ];
    let mut runs: Vec<Vec<&str>> = Vec::new();
    let findings = [
        "text", "jsonl", "csv", "sarif", "github", "junit", "markdown", "html",
    ];
    for format in findings {
        for more in [
            &["--level", "note"][..],
            &["--level", "note", "--no-group"],
            &["--live-links"],
        ] {
            runs.push([&["audit", "-f", format], more, &["old"]].concat());
            runs.push([&["verify-move", "-f", format], &moving[..], more, &["old"]].concat());
        }
    }
    runs.push([&["verify-move", "--fix", "patch"], &moving[..], &["old"]].concat());
    for how in ["--relative", "--absolute"] {
        runs.push(vec![
            "rewrite",
            how,
            "--url-map",
            "old=http://old.example/",
            "old",
        ]);
        runs.push(vec!["rewrite", how, "-u", &hostile, "old/page.html"]);
    }
    for format in ["url", "jsonl", "csv", "tsv"] {
        runs.push(vec!["links", "--links", "all", "-v", "-f", format, "old"]);
        runs.push(vec!["links", "-u", &hostile, "-f", format, "old"]);
    }
    runs.push(vec!["links", "-H", "old"]);
    runs.push(vec!["links", "--count", "old"]);
    runs.push(vec!["links", "--group-by", "host", "old"]);
    for format in ["text", "jsonl", "csv"] {
        runs.push(vec!["base", "-v", "-u", &hostile, "-f", format, "old"]);
        runs.push(vec!["diff", "-f", format, "old", "new"]);
    }
    for format in ["text", "url", "jsonl", "csv"] {
        runs.push(vec!["resolve", "-f", format, &hostile, ORDERS]);
        runs.push(vec!["resolve", "--compare", "-f", format, &hostile, ORDERS]);
    }
    for bad in [
        vec!["links", ORDERS],
        vec!["audit", ORDERS],
        vec!["audit", "--explain", ORDERS],
        vec!["rewrite", "--fix", ORDERS, ORDERS],
        vec!["links", "-f", ORDERS],
        // Nothing but what looks like a style.
        vec!["links", "-f", "\u{1b}[2J"],
        vec![ORDERS],
    ] {
        runs.push(bad);
    }
    let owned = |run: Vec<&str>| run.into_iter().map(str::to_owned).collect();
    runs.into_iter().map(owned).collect()
}

#[test]
fn controls_never_reach_terminal() {
    let place = tempfile::tempdir().expect("a temporary folder is made");
    for (name, first) in [("old", "x"), ("new", "y")] {
        let tree = tree(first);
        fs::rename(tree.path(), place.path().join(name))
            .expect("the folder is moved within one disk");
    }
    for run in runs() {
        let arguments: Vec<&str> = run.iter().map(String::as_str).collect();
        for in_color in [false, true] {
            let printed = printed(&arguments, in_color, place.path());
            assert!(!printed.is_empty(), "{arguments:?} prints something");
            let text = if in_color {
                without_styles(&printed)
            } else {
                printed
            };
            // The terminal itself puts a return before each end of a line.
            let text = text.replace("\r\n", "\n").replace("\r\n", "\n");
            let order = text.find(is_obeyed);
            let around = order.map(|at| text[at..].chars().take(40).collect::<String>());
            assert_eq!(around, None, "{arguments:?}, in colour: {in_color}");
        }
    }
}

#[test]
fn pipe_gets_bytes_unchanged() {
    let place = tree("x");
    let page = place.path().join("page.html");
    let page = page.to_str().expect("the name is text");
    let output = super::baseref(&["links", "-f", "csv", page]);
    let report = String::from_utf8(output.stdout).expect("reports are UTF-8");
    assert!(report.contains('\u{1b}') && report.contains('\u{202e}'));
    let output = super::baseref(&["rewrite", "--absolute", page]);
    let patch = String::from_utf8(output.stdout).expect("the page is UTF-8");
    assert!(patch.contains('\u{9b}'), "{patch}");
}

#[test]
fn sentences_fit_terminal_width() {
    let folder = tempfile::tempdir().expect("a temporary folder is made");
    let name = |name: &str| folder.path().join(name);
    for dir in ["site", "site/sub", "old"] {
        fs::create_dir(name(dir)).expect("the folder is made");
    }
    let page = "<a href=gone.html>a</a><a href=#no>b</a><a href=../../up.html>c</a><a href=http:g>d</a>\n\
                <a href=mailto:a@b.example>e</a><a href=sub>f</a><a href='http://[x'>g</a><a href=/r>h</a>\n";
    fs::write(name("site/page.html"), page).expect("the file is written");
    fs::write(name("site/x.j2"), page).expect("the file is written");
    fs::write(name("old/page.html"), "<a href=old.html>a</a>").expect("the file is written");
    let mail = "From: a@b.example\nContent-Type: text/html\n\n\
                <a href='https:/one.example/'>https://other.example/</a><a href=x>y</a>\n";
    fs::write(name("mail.eml"), mail).expect("the file is written");
    fs::write(name("alone.html"), page).expect("the file is written");
    let from_to = [
        "--from",
        "https://a.example/",
        "--to",
        "https://b.example/n/",
    ];
    let runs: Vec<Vec<&str>> = vec![
        vec!["audit", "site", "--level", "note"],
        vec!["audit", "mail.eml"],
        vec!["audit", "alone.html"],
        vec!["audit", "--list-rules"],
        vec!["audit", "--explain", "mail/domain-lookalike"],
        vec!["audit", "site", "--hosting", "apche"],
        vec!["links", "site"],
        vec!["links", "mail.eml"],
        vec!["diff", "site", "old", "--no-group"],
        [&["verify-move", "site", "--level", "note"][..], &from_to].concat(),
    ];
    for columns in [80, 120] {
        for run in &runs {
            let text = printed_at(Some(columns), run, true, folder.path());
            for line in without_styles(&text).lines() {
                let width = line.trim_end_matches('\r').chars().count();
                assert!(width <= columns.into(), "{run:?} at {columns}: {line}");
            }
        }
    }
    // Elsewhere each is one line.
    let text = super::command(&["audit", "site"])
        .current_dir(folder.path())
        .output();
    let text =
        String::from_utf8(text.expect("the program runs").stdout).expect("the output is UTF-8");
    assert!(
        text.lines().last().is_some_and(
            |line| line.starts_with("1 document, 8 links: ") && line.contains("; 7 errors")
        ),
        "{text}"
    );
}

/// A click on a link of a terminal starts the program that is registered for its scheme.
#[test]
fn only_safe_schemes_are_clickable() {
    let folder = tempfile::tempdir().expect("a temporary folder is made");
    let safe = [
        "http://a.example/",
        "HTTPS://a.example/",
        "mailto:a@b.example",
    ];
    let unsafe_ones = [
        "JavaScript:go()",
        "file:///etc/passwd",
        "tel:123",
        "x-app://run/",
    ];
    let urls = safe.iter().chain(&unsafe_ones);
    let links: Vec<_> = urls.map(|url| format!("<a href='{url}'>x</a>\n")).collect();
    let links = links.concat();
    fs::write(folder.path().join("p.html"), links).expect("the file is written");
    let printed = printed(&["links", "p.html"], true, folder.path());
    for url in safe {
        let link = format!("\u{1b}]8;;{url}\u{1b}\\");
        assert!(printed.contains(&link), "{url}: {printed:?}");
    }
    for url in unsafe_ones {
        assert!(printed.contains(url), "{url}: {printed:?}");
        assert!(
            !printed.contains(&format!("]8;;{url}")),
            "{url}: {printed:?}"
        );
    }
}
