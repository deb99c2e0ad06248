//! Runs the examples of the README and the manual, and compares what they print with what the pages
//! show.
//!
//! A reader sees a command and its output, nothing else. An exit code other than 0 stands in a comment
//! before the block: `<!-- exits with 1 -->`. A line `...` stands for any lines. Renew the pages and read
//! the diff: `BASEREF_RENEW=1 cargo test --test runs examples`.

use std::fs;
use std::path::Path;

use super::baseref;

/// The pages with examples, and how many each must have, so that none is missed silently.
const PAGES: &[(&str, usize)] = &[
    ("README.md", 5),
    ("docs/archives.md", 1),
    ("docs/bases.md", 1),
    ("docs/comparison.md", 2),
    ("docs/rule-sets.md", 1),
];

#[test]
fn readme_and_manual_examples() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for (page, expected) in PAGES {
        let path = root.join(page);
        let text = fs::read_to_string(&path).expect(page);
        let (renewed, examples) = with_real_output(&text);
        assert_eq!(examples, *expected, "examples in {page}");
        if std::env::var_os("BASEREF_RENEW").is_some() {
            fs::write(&path, renewed).expect(page);
        } else {
            assert_eq!(
                text, renewed,
                "{page} shows another output: BASEREF_RENEW=1 cargo test --test runs examples"
            );
        }
    }
}

/// The page with the output that its examples have now, and the number of examples.
fn with_real_output(page: &str) -> (String, usize) {
    let mut renewed = String::new();
    let mut examples = 0;
    let mut exit_code = 0;
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        renewed += line;
        renewed.push('\n');
        if let Some(code) = line.strip_prefix("<!-- exits with ") {
            let code = code.trim_end_matches(" -->");
            exit_code = code.parse().expect("an exit code is a number");
        }
        if line != "```console" {
            continue;
        }
        let command = lines.next().expect("a console block has a command");
        let shown: Vec<_> = lines.by_ref().take_while(|line| *line != "```").collect();
        let output = output_of(command, exit_code);
        let real: Vec<_> = output.lines().collect();
        let output = if matches(&shown, &real) {
            &shown
        } else {
            &real
        };
        for text in [command, "\n", &output.join("\n"), "\n```\n"] {
            renewed.push_str(text);
        }
        examples += 1;
        exit_code = 0;
    }
    (renewed, examples)
}

/// What a command prints on standard output and then on standard error.
fn output_of(command: &str, exit_code: i32) -> String {
    let arguments = command.strip_prefix("$ baseref ");
    let arguments = words(arguments.expect("an example runs baseref"));
    let arguments: Vec<_> = arguments.iter().map(String::as_str).collect();
    let output = baseref(&arguments);
    assert_eq!(output.status.code(), Some(exit_code), "{command}");
    let text = [output.stdout, output.stderr].concat();
    String::from_utf8(text).expect("output is UTF-8")
}

/// Whether `real` has the lines `shown`, in which `...` stands for any lines.
fn matches(shown: &[&str], real: &[&str]) -> bool {
    match shown.split_first() {
        None => real.is_empty(),
        Some((&"...", rest)) => (0..=real.len()).any(|skipped| matches(rest, &real[skipped..])),
        Some((line, rest)) => real.first() == Some(line) && matches(rest, &real[1..]),
    }
}

/// The words of a command line; those with spaces or signs of the shell are in single quotes.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (number, part) in line.split('\'').enumerate() {
        if number % 2 == 1 {
            words.push(part.to_owned());
        } else {
            words.extend(part.split_whitespace().map(str::to_owned));
        }
    }
    words
}

#[test]
fn quoted_arguments() {
    assert_eq!(words("a 'b c' ';x' d"), ["a", "b c", ";x", "d"]);
}

#[test]
fn ellipsis_matches_any_lines() {
    assert!(matches(&["a", "...", "d"], &["a", "b", "c", "d"]));
    assert!(matches(&["...", "d"], &["d"]));
    assert!(!matches(&["a", "...", "d"], &["a", "b"]));
    assert!(!matches(&["a"], &["a", "b"]));
}
