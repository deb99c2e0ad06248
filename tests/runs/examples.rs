//! Runs the commands that pages show, and compares what they print with what the pages show: the
//! examples of the README and the manual, and the recorded runs of `tests/cli/`.
//!
//! A reader sees a command and its output: standard output, then standard error. An exit code other than
//! 0 stands in a comment before the block: `<!-- exits with 1 -->`. A line `...` stands for any lines.
//! Renew the pages and read the diff: `BASEREF_RENEW=1 cargo test --test runs examples`.

use std::fs;
use std::path::Path;

use super::baseref;

/// Pages, and how many examples each must have, so that none is missed silently.
type Pages = &'static [(&'static str, usize)];

const DOCUMENTATION: Pages = &[
    ("README.md", 5),
    ("docs/archives.md", 1),
    ("docs/bases.md", 1),
    ("docs/comparison.md", 2),
    ("docs/rule-sets.md", 1),
];

const RECORDED: Pages = &[
    ("tests/cli/base.md", 4),
    ("tests/cli/containers.md", 9),
    ("tests/cli/links.md", 19),
    ("tests/cli/mail.md", 6),
    ("tests/cli/outlook.md", 10),
    ("tests/cli/packed.md", 5),
    ("tests/cli/parts.md", 4),
    ("tests/cli/resolve.md", 5),
    ("tests/cli/saved_from.md", 4),
    ("tests/cli/trouble.md", 7),
    ("tests/cli/unwrap.md", 13),
    ("tests/cli/zim.md", 3),
];

/// A recorded line with more bytes is broken between its members or fields.
const WIDTH: usize = 200;

#[test]
fn readme_and_manual_examples() {
    compare(DOCUMENTATION, |line| vec![line.to_owned()]);
}

#[test]
fn cli_runs() {
    compare(RECORDED, broken_between_members);
}

#[test]
fn cli_pages_all_listed() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli");
    let pages = fs::read_dir(folder).expect("the folder is read").count();
    assert_eq!(pages, RECORDED.len());
}

/// Compares `pages` with what their examples print, each line of which is shown as the lines `shown`
/// makes of it.
fn compare(pages: Pages, shown: fn(&str) -> Vec<String>) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for (page, expected) in pages {
        let path = root.join(page);
        let text = fs::read_to_string(&path).expect(page);
        let (renewed, examples) = with_real_output(&text, shown);
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
fn with_real_output(page: &str, shown_as: fn(&str) -> Vec<String>) -> (String, usize) {
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
        let first = lines.next().expect("a console block has a command");
        let mut command = first.to_owned();
        while command.ends_with('\\') {
            command.push('\n');
            command += lines.next().expect("a command continues after a backslash");
        }
        let shown: Vec<_> = lines.by_ref().take_while(|line| *line != "```").collect();
        let output = output_of(&command.replace("\\\n", ""), exit_code);
        let real: Vec<_> = output.lines().flat_map(shown_as).collect();
        let real: Vec<_> = real.iter().map(String::as_str).collect();
        let output = if matches(&shown, &real) {
            &shown
        } else {
            &real
        };
        for text in [&*command, "\n", &output.join("\n"), "\n```\n"] {
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

/// The lines that a line is shown as: a long JSON value has each member on a line of its own, a long
/// row of CSV each field, and a long sentence each part up to a colon. Line breaks and indents are all
/// that is added; a space before a line break is dropped.
fn broken_between_members(line: &str) -> Vec<String> {
    if line.len() > WIDTH && !line.starts_with(['{', '[']) {
        let separator = if line.contains(": ") { ": " } else { "," };
        let parts = line.split_inclusive(separator).enumerate();
        return parts
            .map(|(number, part)| format!("{}{part}", if number == 0 { "" } else { "  " }))
            .map(|part| part.trim_end().to_owned())
            .collect();
    }
    let mut broken = String::new();
    push_json(line, "\n", &mut broken);
    broken.split('\n').map(str::to_owned).collect()
}

/// Appends a JSON value; `line_break` is a line feed and the indent of the value.
fn push_json(value: &str, line_break: &str, out: &mut String) {
    if value.len() <= WIDTH || !value.starts_with(['{', '[']) {
        out.push_str(value);
        return;
    }
    let inner = format!("{line_break}  ");
    let (open, rest) = value.split_at(1);
    let (members, close) = rest.split_at(rest.len() - 1);
    out.push_str(open);
    for member in members_of(members) {
        out.push_str(&inner);
        let key = match open {
            "{" => member.find("\":").map_or(0, |end| end + 2),
            _ => 0,
        };
        out.push_str(&member[..key]);
        let value = member[key..].strip_suffix(',');
        push_json(value.unwrap_or(&member[key..]), &inner, out);
        out.push_str(value.map_or("", |_| ","));
    }
    out.push_str(line_break);
    out.push_str(close);
}

/// The members of a JSON object or array, each with the comma after it.
fn members_of(members: &str) -> impl Iterator<Item = &str> {
    let (mut depth, mut quoted, mut escaped) = (0, false, false);
    members.split_inclusive(move |c| {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => quoted = !quoted,
            '{' | '[' if !quoted => depth += 1,
            '}' | ']' if !quoted => depth -= 1,
            _ => return c == ',' && !quoted && depth == 0,
        }
        false
    })
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

#[test]
fn long_row_broken_between_fields() {
    let long = "x".repeat(WIDTH);
    let row = broken_between_members(&format!("url,{long},1"));
    assert_eq!(row, ["url,", &format!("  {long},"), "  1"]);
    let sentence = broken_between_members(&format!("a.eml:1: note: {long}"));
    assert_eq!(sentence, ["a.eml:1:", "  note:", &format!("  {long}")]);
    assert_eq!(broken_between_members("a,b"), ["a,b"]);
}

#[test]
fn long_json_broken_between_members() {
    let long = format!("\"{}\"", "x".repeat(WIDTH));
    let lines = broken_between_members(&format!(r#"{{"a":"\",","b":[1,{long}]}}"#));
    let expected = [
        "{",
        r#"  "a":"\",","#,
        r#"  "b":["#,
        "    1,",
        &format!("    {long}"),
        "  ]",
        "}",
    ];
    assert_eq!(lines, expected);
    let short = r#"{"a":1,"b":2}"#;
    assert_eq!(broken_between_members(short), [short]);
}
