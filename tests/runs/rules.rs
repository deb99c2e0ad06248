//! Every rule fires on its own example.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::Path;
use std::process::Output;

use baseref_findings::{Example, RULES, Rule};
use serde_json::Value;

use crate::command;

/// Every table of rules.
fn tables() -> impl Iterator<Item = &'static Rule> {
    let tables = [
        baseref_audit::rules::ALL,
        baseref_migration::rules::ALL,
        RULES,
    ];
    tables.into_iter().flatten().copied()
}

/// Makes a symbolic link.
fn link(target: &str, path: &Path) -> io::Result<()> {
    #[cfg(unix)]
    return std::os::unix::fs::symlink(target, path);
    #[cfg(windows)]
    std::os::windows::fs::symlink_file(target, path)
}

/// Runs an example in a folder of its own, with its findings of every level as JSON Lines.
fn run(example: &Example) -> Output {
    let folder = tempfile::tempdir().expect("a temporary folder is made");
    for file in example.files() {
        let (name, target) = file.link().unwrap_or((file.name, ""));
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().expect("the path has a parent"))
            .expect("the folder is made");
        if target.is_empty() {
            fs::write(path, file.contents()).expect("the file is written");
        } else {
            link(target, &path).expect("the link is made");
        }
    }
    let arguments: Vec<&str> = example.arguments().collect();
    let mut command = command(&arguments);
    command.args(["-f", "jsonl", "--level", "note"]);
    command.current_dir(folder.path());
    command.output().expect("the program runs")
}

/// The rules of the findings in a report.
fn fired(output: &Output) -> BTreeSet<String> {
    let lines = String::from_utf8_lossy(&output.stdout);
    let lines = lines
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let findings = lines.filter(|line| line["type"] == "finding");
    findings
        .filter_map(|finding| Some(finding["rule"].as_str()?.to_owned()))
        .collect()
}

#[test]
fn rule_examples_fire() {
    let silent = tables().filter_map(|rule| {
        let output = run(&rule.example);
        let fired = fired(&output);
        (!fired.contains(rule.id)).then(|| {
            let said = String::from_utf8_lossy(&output.stderr);
            format!("{}: {fired:?} {said}\n{}\n", rule.id, rule.example)
        })
    });
    let silent: Vec<String> = silent.collect();
    assert!(silent.is_empty(), "{}", silent.join("\n"));
}

#[test]
fn listed_rules_all_tested() {
    let known: BTreeSet<&str> = tables().map(|rule| rule.id).collect();
    let mut listed = BTreeSet::new();
    for name in ["audit", "verify-move"] {
        let output = command(&[name, "--list-rules"]).output();
        let list = output.expect("the program runs").stdout;
        let list = String::from_utf8(list).expect("the output is UTF-8");
        listed.extend(
            list.lines()
                .filter_map(|line| line.split(' ').next())
                .map(str::to_owned),
        );
    }
    let listed: BTreeSet<&str> = listed.iter().map(String::as_str).collect();
    assert_eq!(listed, known);
}
