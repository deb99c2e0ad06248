//! A summary for a pull request, in the Markdown of GitHub and GitLab.

use std::fmt::Write as _; // for `write!`: a String takes every write
use std::io;

use super::words;
use super::writer::{Head, Options, Writer};
use crate::text::shown;
use baseref_findings::{Finding, Group, Groups, Level, Summary};

/// How many groups or findings are listed: a comment is limited to 65,536 characters.
const ROWS: usize = 50;
/// How many characters of a text from the input are shown.
const LENGTH: usize = 200;

pub(super) struct Markdown {
    head: Head,
    options: Options,
    groups: Groups,
    /// The rows of ungrouped findings.
    rows: Vec<String>,
    /// The number of findings.
    findings: u64,
}

impl Markdown {
    pub(super) fn new(head: Head, options: Options) -> Self {
        Self {
            head,
            options,
            groups: Groups::new(1).showing(Some(ROWS)),
            rows: Vec::new(),
            findings: 0,
        }
    }

    /// The heading and the rows of the table, and how many are left out.
    fn table(&mut self) -> (&'static str, Vec<String>, u64) {
        if !self.options.group {
            let left = self.findings - self.rows.len() as u64;
            let rows = std::mem::take(&mut self.rows);
            return (
                "| Level | Rule | Link | Place |\n|---|---|---|---|\n",
                rows,
                left,
            );
        }
        let groups = std::mem::replace(&mut self.groups, Groups::new(1)).into_sorted();
        let left = groups.len().saturating_sub(ROWS) as u64;
        let rows = groups.iter().take(ROWS).filter_map(group_row).collect();
        let heading = "| Level | Rule | Cause | Found | For example |\n|---|---|---|---|---|\n";
        (heading, rows, left)
    }
}

impl Writer for Markdown {
    fn finding(&mut self, finding: &Finding, _: &mut Vec<u8>) {
        // A pull request is about new findings; the last line counts the known ones.
        if finding.known {
            return;
        }
        self.findings += 1;
        if self.options.group {
            self.groups.add(finding);
        } else if self.rows.len() < ROWS {
            self.rows.push(finding_row(finding));
        }
    }

    fn end(&mut self, summary: &Summary, out: &mut dyn io::Write) -> io::Result<()> {
        let (heading, rows, left) = self.table();
        let mut page = format!("## baseref {}\n\n", self.head.command);
        if !summary.verdict.is_empty() {
            let _ = write!(page, "**{}**\n\n", prose(&summary.verdict_line()));
        }
        let _ = write!(page, "{}\n\n", levels(summary));
        if !rows.is_empty() {
            page += heading;
            page.extend(rows);
            page.push('\n');
        }
        if left > 0 {
            let _ = write!(page, "… and {} more.\n\n", words::number(left));
        }
        for line in self.head.lines.iter().chain(&summary.lines) {
            let _ = write!(page, "{}\n\n", prose(line));
        }
        page += &prose(&words::totals(summary, self.options.level));
        page.push('\n');
        out.write_all(page.as_bytes())
    }
}

/// The numbers of new findings, in one line.
fn levels(summary: &Summary) -> String {
    let new: Vec<String> = Level::REPORTED
        .into_iter()
        .filter(|&level| summary.totals.count(level).new > 0)
        .map(|level| words::count(summary.totals.count(level).new, level.as_str()))
        .collect();
    if new.is_empty() {
        "Nothing new.".to_owned()
    } else {
        format!("New: {}.", new.join(", "))
    }
}

fn group_row(group: &Group) -> Option<String> {
    let example = group.examples.first()?;
    let suggestion = words::suggestion(example);
    let mut cell = code(&words::position(example));
    if !suggestion.is_empty() {
        let _ = write!(cell, ", {}", suggestions(example));
    }
    Some(format!(
        "| {} | {} | {} | {} | {cell} |\n",
        group.level,
        group.rule.id,
        code(words::group_cause(group, example)),
        words::extent(group),
    ))
}

fn finding_row(finding: &Finding) -> String {
    format!(
        "| {} | {} | {} | {} |\n",
        finding.level,
        finding.rule.id,
        code(&words::link(finding)),
        code(&words::position(finding)),
    )
}

fn suggestions(finding: &Finding) -> String {
    let all: Vec<String> = finding.suggestions().iter().map(|s| code(s)).collect();
    format!("did you mean {}?", all.join(" or "))
}

/// Text from the input as a code span in a cell: nothing in it is markup, a link or a mention.
fn code(text: &str) -> String {
    let mut text: String = shown(text).into_owned();
    if let Some((at, _)) = text.char_indices().nth(LENGTH) {
        text.truncate(at);
        text.push('…');
    }
    if text.is_empty() {
        return String::new();
    }
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    // An unescaped bar ends a cell even in a code span.
    let text = text.replace('|', "\\|");
    let room = if text.starts_with(['`', ' ']) || text.ends_with(['`', ' ']) {
        " "
    } else {
        ""
    };
    format!("{fence}{room}{text}{room}{fence}")
}

/// Our own sentences, which may quote names from the input: Markdown syntax is escaped.
fn prose(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in shown(text).chars() {
        if matches!(
            character,
            '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '#' | '|' | '~'
        ) {
            escaped.push('\\');
        }
        escaped.push(character);
        // Neither a mention nor an autolink.
        if character == '@' {
            escaped.push('\u{200b}');
        }
    }
    escaped
}
