//! The rules as a list, as explanations, and as the documentation's table and chapter.

use super::words;
use crate::fold::{self, WIDTH};
use baseref_findings::Rule;

/// A line per rule: id, level and summary, in columns; a summary that is too long for a terminal of
/// `columns` columns continues below itself.
#[must_use]
pub fn list(rules: &[&'static Rule], columns: Option<usize>) -> String {
    let width = rules.iter().map(|rule| rule.id.len()).max().unwrap_or(0);
    let line = |rule: &&Rule| {
        let before = format!("{:width$}  {:7}  ", rule.id, rule.level);
        let room = columns.map_or(usize::MAX, |columns| columns.saturating_sub(before.len()));
        let summary = fold::sentence(rule.summary, room, 0);
        before.clone() + &summary.replace('\n', &format!("\n{:1$}", "", before.len()))
    };
    let lines: Vec<String> = rules.iter().map(line).collect();
    lines.join("\n") + "\n"
}

/// The full explanation of a rule.
#[must_use]
pub fn explain(rule: &Rule) -> String {
    let example = rule.example.to_string();
    let lines: Vec<String> = example.lines().map(|l| format!("    {l}")).collect();
    let example = lines.join("\n");
    format!(
        "{} ({})\n\n{}\n\n{}\n\n{}\n\nFor example:\n\n{example}\n",
        rule.id,
        rule.level,
        fold(&format!("{}.", words::capital(rule.summary)), WIDTH),
        fold(rule.explanation, WIDTH),
        fold(&format!("Source: {}", rule.reference), WIDTH),
    )
}

/// The documentation's table, in Markdown.
#[must_use]
pub fn table(rules: &[&'static Rule]) -> String {
    let row = |rule: &&Rule| {
        format!(
            "| `{}` | {} | {} | {} |",
            rule.id, rule.level, rule.summary, rule.reference
        )
    };
    let rows: Vec<String> = rules.iter().map(row).collect();
    let rows = rows.join("\n");
    format!("| rule | level | what is wrong | source |\n|---|---|---|---|\n{rows}\n")
}

/// The documentation's chapter: each rule with its explanation and its example, in Markdown.
#[must_use]
pub fn chapter(rules: &[&'static Rule]) -> String {
    let section = |rule: &&Rule| {
        let Rule {
            id,
            level,
            summary,
            explanation,
            reference,
            example,
        } = rule;
        let summary = words::capital(summary);
        let explanation = fold(explanation, 120);
        format!(
            "### `{id}`\n\n{summary} ({level}; {reference}).\n\n{explanation}\n\n\
             ```text\n{example}\n```\n"
        )
    };
    let sections: Vec<String> = rules.iter().map(section).collect();
    sections.join("\n")
}

fn fold(text: &str, width: usize) -> String {
    fold::folded(text.split_whitespace(), width, 0)
}
