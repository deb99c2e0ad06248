//! What a new user meets first: help, manual pages, completions, and answers to what is mistyped.

use std::process::Output;

use super::baseref;

/// The commands that have options of their own.
const COMMANDS: [&str; 7] = [
    "links",
    "base",
    "audit",
    "verify-move",
    "rewrite",
    "diff",
    "resolve",
];

fn stdout(arguments: &[&str]) -> String {
    String::from_utf8(baseref(arguments).stdout).expect("the output is UTF-8")
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("messages are UTF-8")
}

/// The lines of a section of the help.
fn section<'h>(help: &'h str, heading: &str) -> Vec<&'h str> {
    let lines = help.lines().skip_while(|line| *line != heading).skip(1);
    lines.take_while(|line| !line.is_empty()).collect()
}

#[test]
fn no_line_of_a_help_is_wider_than_80_columns() {
    for command in COMMANDS.iter().map(Some).chain([None]) {
        for help in ["-h", "--help"] {
            let arguments: Vec<&str> = command.copied().into_iter().chain([help]).collect();
            for line in stdout(&arguments).lines() {
                assert!(line.chars().count() <= 80, "{arguments:?}: {line}");
            }
        }
    }
}

#[test]
fn the_help_of_audit_begins_with_five_options_and_only_names_the_advanced_ones() {
    let help = stdout(&["audit", "-h"]);
    let first: Vec<&str> = section(&help, "Options:")
        .iter()
        .filter_map(|line| line.split("--").nth(1)?.split(' ').next())
        .filter(|option| *option != "help")
        .collect();
    assert_eq!(
        first,
        ["url-map", "hosting", "format", "output", "baseline"]
    );
    assert!(help.contains("\nFindings:\n") && help.contains("\nWhat is checked:\n"));
    let advanced = section(&help, "Advanced (--help explains these too):").join(" ");
    let long = stdout(&["audit", "--help"]);
    let explained = &long[long.find("\nAdvanced:\n").expect("a heading")..];
    for option in ["--case", "--dir", "--ext", "--index"] {
        assert!(advanced.contains(option), "{option} in {advanced}");
        assert_eq!(help.matches(&format!("{option} ")).count(), 1, "{option}");
        assert!(explained.contains(&format!("{option} <")), "{option}");
    }
}

#[test]
fn exit_codes_have_one_layout_in_every_help_and_manual_page() {
    for command in COMMANDS {
        let codes = |help: &str| -> Vec<u8> {
            let codes = section(help, "Exit codes:").into_iter();
            let code = |line: &str| line.strip_prefix("  ")?.split("  ").next()?.parse().ok();
            codes.map(|line| code(line).expect(line)).collect()
        };
        let [short, long] = ["-h", "--help"].map(|help| codes(&stdout(&[command, help])));
        assert!(
            short.starts_with(&[0]) && short.ends_with(&[3]),
            "{command}"
        );
        assert_eq!(short, long, "{command}");
        let page = stdout(&["man", command]);
        let status = page.split("\n.SH \"EXIT STATUS\"\n").nth(1);
        let status = status.and_then(|rest| rest.split("\n.SH ").next());
        let listed = status.expect(command).matches(".TP 4\n\\fB").count();
        assert_eq!(listed, short.len(), "{command}: {page}");
    }
}

#[test]
fn a_manual_page_has_examples_whose_lines_stay_lines() {
    for command in COMMANDS {
        let page = stdout(&["man", command]);
        assert!(!page.contains("EXTRA"), "{command}");
        let examples = page.split("\n.SH EXAMPLES\n").nth(1).expect(command);
        let examples = examples.split("\n.SH ").next().expect(command);
        assert!(examples.matches("\n.nf\n\\fB").count() >= 3, "{command}");
        assert_eq!(
            examples.matches(".nf\n").count(),
            examples.matches(".fi\n").count()
        );
    }
    let page = stdout(&["man"]);
    let list = page
        .split("\n.nf\n")
        .nth(1)
        .expect("a list")
        .split("\n.fi")
        .next();
    assert_eq!(list.expect("its end").matches("\n").count(), 5, "{page}");
}

#[test]
fn fail_on_is_a_level_of_findings_and_nothing_else() {
    for command in COMMANDS {
        let has = stdout(&[command, "--help"]).contains("--fail-on <LEVEL>");
        assert_eq!(has, matches!(command, "audit" | "verify-move"), "{command}");
    }
    let refused = baseref(&["links", "--fail-on", "note", "Cargo.toml"]);
    assert_eq!(refused.status.code(), Some(2));
}

#[test]
fn an_unknown_option_is_not_said_to_be_a_value() {
    for option in ["--colour", "--no-such-option", "-Z"] {
        let refused = baseref(&["audit", option, "src"]);
        assert_eq!(refused.status.code(), Some(2), "{option}");
        let text = stderr(&refused);
        assert!(
            text.contains("unexpected argument") && !text.contains("-- -"),
            "{text}"
        );
    }
    let near = stderr(&baseref(&["audit", "--basline", "x"]));
    assert!(near.contains("'--baseline'"), "{near}");
}
