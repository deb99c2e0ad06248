//! What a new user meets first: help, manual pages, completions, and answers to what is mistyped.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use super::{baseref, command, write_files};

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
fn help_fits_80_columns() {
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
fn audit_help_fits_one_screen() {
    let help = stdout(&["audit", "-h"]);
    assert!(help.lines().count() <= 60, "{help}");
    let options = section(&help, "Options:").join("\n");
    for option in [
        "--url-map <",
        "--hosting <",
        "--hidden",
        "--out <",
        "--baseline <",
    ] {
        assert!(options.contains(option), "{option} in {options}");
    }
    let others = section(&help, "More options (see --help):").join(" ");
    let long = stdout(&["audit", "--help"]);
    for option in ["--case", "--dir", "--ext", "--index"] {
        assert!(others.contains(option), "{option} in {others}");
        assert!(!options.contains(option), "{option} in {options}");
        assert!(long.contains(&format!("{option} <")), "{option}");
    }
    for input in [
        "a site",
        "archive",
        "mail",
        "crawl.warc.gz --out seeds=",
        "box.mbox",
    ] {
        assert!(help.contains(input), "{input} in {help}");
    }
}

#[test]
fn help_lists_commands_first() {
    let help = stdout(&["--help"]);
    let commands: Vec<&str> = section(&help, "Commands:")
        .iter()
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    let expected = [
        "audit",
        "links",
        "verify-move",
        "rewrite",
        "diff",
        "base",
        "resolve",
        "help",
    ];
    assert_eq!(commands, expected);
    assert!(help.contains("baseref PATH..."), "{help}");
    let apart = section(&help, "For shells and packages:").join("\n");
    assert!(apart.contains("man ") && apart.contains("completions "));
    assert!(stdout(&["help", "base"]).contains("1. element"));
}

#[test]
fn exit_code_layout() {
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
fn man_page_examples_keep_lines() {
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
    let page = stdout(&["man", "base"]);
    let list = page
        .split("\n.nf\n")
        .nth(1)
        .expect("the help has the list")
        .split("\n.fi")
        .next();
    assert_eq!(
        list.expect("the list ends").matches('\n').count(),
        5,
        "{page}"
    );
}

#[test]
fn fail_on_takes_levels_only() {
    for command in COMMANDS {
        let has = stdout(&[command, "--help"]).contains("--fail-on <LEVEL>");
        assert_eq!(has, matches!(command, "audit" | "verify-move"), "{command}");
    }
    let refused = baseref(&["links", "--fail-on", "note", "Cargo.toml"]);
    assert_eq!(refused.status.code(), Some(2));
}

#[test]
fn unknown_option_message() {
    for option in ["--colour", "--no-such-option", "-Z"] {
        let refused = baseref(&["audit", option, "src"]);
        assert_eq!(refused.status.code(), Some(2), "{option}");
        let text = stderr(&refused);
        assert!(
            text.starts_with(&format!("baseref: no option {option}")) && !text.contains("-- -"),
            "{text}"
        );
    }
    let near = stderr(&baseref(&["audit", "--basline", "x"]));
    assert!(near.contains("did you mean --baseline?"), "{near}");
}

/// A folder of that name with these files.
fn tree(name: &str, files: &[(&str, &str)]) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join("first_minutes")
        .join(name);
    let _ = fs::remove_dir_all(&folder);
    write_files(&folder, files);
    folder
}

fn audit_in(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = command(&["audit"]);
    let command = command.args(arguments).current_dir(folder);
    command.output().expect("the program runs")
}

#[test]
fn misspelt_words_get_suggestions() {
    let folder = tree("misspelt", &[("site/index.html", "<title>t</title>")]);
    for (arguments, meant) in [
        (&["--explain", "missing-file"][..], "target/missing-file"),
        (&["--explain", "target/mising-file"], "target/missing-file"),
        (&["site", "--rule", "targt/*=off"], "target/*"),
        (
            &["site", "--rule", "target/missing-flie=off"],
            "target/missing-file",
        ),
        (&["site", "--rule", "target/missing-file=eror"], "error"),
        (&["site", "--out", "sarf=x"], "sarif"),
        (&["site", "--hosting", "apche"], "apache"),
        (&["site", "-f", "markdwon"], "markdown"),
        (&["site", "--links", "anchr"], "anchor"),
    ] {
        let output = audit_in(&folder, arguments);
        let text = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        let [ours, clap] = [format!("`{meant}`"), format!("'{meant}'")];
        assert!(
            text.contains(&ours) || text.contains(&clap),
            "{arguments:?}: {text}"
        );
    }
    let fields = stderr(&baseref(&["links", "-f", "csv", "--fields", "ulr", "src"]));
    assert!(fields.contains("did you mean `url`?"), "{fields}");
}

#[test]
fn configuration_error_has_position() {
    for (number, (config, says)) in [
        ("[hosting]\npreset = \"apche\"\n", "did you mean `apache`?"),
        (
            "[hosting]\npresets = 'x'\n",
            "baseref.toml:2:1: unknown field",
        ),
        ("[hostng]\n", "did you mean `hosting`?"),
        (
            "[rules]\n'targt/*' = 'off'\n",
            "baseref.toml:2:1: no rule matches",
        ),
        ("[site]\nurl-map = [\n  'a=/'\n\n", "baseref.toml:"),
    ]
    .iter()
    .enumerate()
    {
        let name = format!("config{number}");
        let files = [
            ("site/index.html", "<title>t</title>"),
            ("baseref.toml", *config),
        ];
        let output = audit_in(&tree(&name, &files), &["site"]);
        let text = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{config}");
        assert!(text.contains(says), "{config}: {text}");
        assert!(
            !text.contains("\\u{a}") && text.lines().count() == 1,
            "{text}"
        );
    }
}

#[test]
fn level_enables_rule() {
    let folder = tree("off", &[("site/index.html", "<a href='#a<b>'>x</a>")]);
    let shown = |more: &[&str]| {
        let arguments = [&["site", "--level", "note", "-f", "csv"], more].concat();
        String::from_utf8(audit_in(&folder, &arguments).stdout).expect("the text is UTF-8")
    };
    assert!(!shown(&[]).contains("syntax/bnf"));
    assert!(shown(&["--rule", "syntax/bnf=note"]).contains("syntax/bnf"));
    let list = stdout(&["audit", "--list-rules"]);
    let line = list.lines().find(|line| line.starts_with("syntax/bnf "));
    assert!(
        line.expect("syntax/bnf is listed").contains(" off "),
        "{list}"
    );
}

#[test]
fn completion_values() {
    let script = stdout(&["completions", "bash"]);
    let audit = script
        .split("baseref__subcmd__audit)\n            opts=")
        .nth(1);
    let audit = audit
        .expect("the completion has a part for audit")
        .split("\n        baseref__")
        .next();
    let audit = audit.expect("the part for audit ends");
    let offered = |option: &str| {
        let after = audit.split(&format!("                {option})\n")).nth(1);
        after.expect(option).split(";;").next().expect(option)
    };
    for (option, name) in [
        ("--explain", "target/missing-file"),
        ("--rule", "target/missing-file"),
        ("--allow", "target/missing-file"),
        ("--links", "resource"),
        ("--format", "sarif"),
        ("--hosting", "apache"),
    ] {
        assert!(
            offered(option).contains(name),
            "{option}: {}",
            offered(option)
        );
        assert!(!offered(option).contains("compgen -f"), "{option}");
    }
    for option in ["--include", "--jobs", "--encoding"] {
        assert!(!offered(option).contains("compgen -f"), "{option}");
    }
    for option in ["--output", "--baseline", "--config"] {
        assert!(offered(option).contains("compgen -f"), "{option}");
    }
}

#[test]
fn html_report_folder_and_date() {
    let folder = tree(
        "dated",
        &[("my site/index.html", "<a href=gone.html>x</a>")],
    );
    let page = |more: &[&str]| {
        let arguments = [&["my site", "-f", "html"], more].concat();
        String::from_utf8(audit_in(&folder, &arguments).stdout).expect("the text is UTF-8")
    };
    let plain = page(&[]);
    assert!(plain.contains("<title>Link audit: my site, 1 error</title>"));
    assert!(plain.contains("<h1>Link audit: my site</h1>"));
    assert!(plain.contains("<p id=\"dated\"></p>"));
    assert_eq!(plain, page(&[]));
    let here = audit_in(&folder.join("my site"), &[".", "-f", "html"]);
    let here = String::from_utf8(here.stdout).expect("the text is UTF-8");
    assert!(here.contains("<h1>Link audit: my site</h1>"), "{here}");
    let dated = page(&["--report-date", "2026-03-02, <build> 481"]);
    assert!(dated.contains("<p id=\"dated\">2026-03-02, &lt;build&gt; 481</p>"));
}

#[test]
fn sarif_rule_name_and_description() {
    let folder = tree("sarif", &[("site/index.html", "<a href=gone.html>x</a>")]);
    let output = audit_in(&folder, &["site", "-f", "sarif"]);
    let log: serde_json::Value =
        serde_json::from_slice(&output.stdout).expect("the bytes are JSON");
    let rules = log["runs"][0]["tool"]["driver"]["rules"].as_array();
    for rule in rules.expect("the driver has rules") {
        let name = rule["name"].as_str().expect("the rule has a name");
        let text = rule["shortDescription"]["text"]
            .as_str()
            .expect("the value is a string");
        assert!(name.chars().all(char::is_alphanumeric), "{name}");
        assert!(
            name.starts_with(char::is_uppercase) && text.ends_with('.'),
            "{name}: {text}"
        );
    }
    assert_eq!(
        rules.expect("the driver has rules")[0]["name"],
        "TargetMissingFile"
    );
}

#[test]
fn reversed_map_gets_suggestion() {
    for arguments in [
        ["audit", "--url-map", "https://a.example/=site", "site"],
        ["links", "--url-map", "https://a.example/=site", "site"],
    ] {
        let output = baseref(&arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        let said = stderr(&output);
        let right = "the directory comes first: --url-map site=https://a.example/";
        assert!(said.contains(right), "{said}");
    }
}
