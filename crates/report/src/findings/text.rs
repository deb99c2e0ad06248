//! For people: causes in order of how much they break, each with an example and what to do.

use std::io::{self, Write};

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::words;
use super::writer::{Head, Options, Writer};
use crate::text::shown;
use baseref_findings::{Class, Excerpt, Finding, Group, Groups, Level, Summary};

/// How many places of a group are listed; the source line is shown for the first.
const EXAMPLES: usize = 3;

pub(super) struct Text {
    head: Head,
    options: Options,
    groups: Groups,
}

impl Text {
    pub(super) fn new(head: Head, options: Options) -> Self {
        Self {
            head,
            options,
            groups: Groups::new(EXAMPLES),
        }
    }

    fn paint(&self) -> Paint {
        Paint(self.options.color)
    }
}

impl Writer for Text {
    fn begin(&mut self, out: &mut Vec<u8>) {
        for line in &self.head.lines {
            push(out, &shown(line));
        }
        if !self.head.lines.is_empty() {
            push(out, "");
        }
    }

    fn may_name_source(&self, finding: &Finding) -> bool {
        !self.options.group || self.groups.may_keep(finding)
    }

    fn finding(&mut self, finding: &Finding, out: &mut Vec<u8>) {
        if self.options.group {
            self.groups.add(finding);
        } else {
            one(self.paint(), finding, out);
        }
    }

    fn end(&mut self, summary: &Summary, out: &mut dyn Write) -> io::Result<()> {
        let paint = self.paint();
        let groups = std::mem::replace(&mut self.groups, Groups::new(EXAMPLES)).into_sorted();
        let is_known = |group: &&Group| group.known == group.findings;
        let new = || groups.iter().filter(|group| !is_known(group));
        let known = || groups.iter().filter(is_known);
        let room = self.options.groups.unwrap_or(usize::MAX);
        let mut piece = Vec::new();
        for group in new().take(room) {
            full(paint, group, &mut piece);
            out.write_all(&piece)?;
            piece.clear();
        }
        for group in known().take(room) {
            writeln!(out, "{}", known_line(paint, group))?;
        }
        let left = left_out(new().skip(room).chain(known().skip(room)));
        if let Some(left) = &left {
            writeln!(out, "{left}")?;
        }
        if known().next().is_some() || left.is_some() {
            writeln!(out)?;
        }
        self.totals(summary, &mut piece);
        out.write_all(&piece)
    }
}

impl Text {
    /// What is said of all groups together.
    fn totals(&self, summary: &Summary, out: &mut Vec<u8>) {
        let paint = self.paint();
        for line in &summary.lines {
            push(out, &shown(line));
        }
        if !summary.verdict.is_empty() {
            push(out, &paint.strong(&shown(&summary.verdict)));
        }
        if !self.head.moved {
            for class in summary.classes.iter().filter(|class| needs_words(class)) {
                push(out, &words::class(class));
            }
        }
        push(out, &words::totals(summary, self.options.level));
    }
}

/// Whether a reader who has not read the manual may ask what the name of a class means.
fn needs_words(class: &Class) -> bool {
    const PLAIN: [&str; 4] = ["ok", "missing", "missing-fragment", "external"];
    class.links > 0 && !PLAIN.contains(&class.name)
}

fn push(out: &mut Vec<u8>, line: &str) {
    out.extend_from_slice(line.as_bytes());
    out.push(b'\n');
}

/// A single finding, in a form that editors and terminals make clickable.
fn one(paint: Paint, finding: &Finding, out: &mut Vec<u8>) {
    let level = paint.level(finding.level, finding.level.as_str());
    let place = words::place(finding);
    let known = if finding.known { " (known)" } else { "" };
    let mut said = words::link(finding);
    if !said.is_empty() {
        said += ": ";
    }
    said += &finding.message;
    let moved = words::moved(finding);
    if !moved.is_empty() {
        said += "; ";
        said += &moved;
    }
    let rule = finding.rule.id;
    let (place, said) = (shown(&place), shown(&said));
    push(out, &format!("{place}: {level} {rule}: {said}{known}"));
    if !finding.known {
        source_line(paint, finding, out);
        generated_from(finding, out);
        suggestion(finding, out);
    }
}

/// Where to mend a page that was generated.
fn generated_from(finding: &Finding, out: &mut Vec<u8>) {
    if let Some(source) = finding.source() {
        push(
            out,
            &format!("  generated from {}", shown(&source.to_string())),
        );
    }
}

/// A group in full.
fn full(paint: Paint, group: &Group, out: &mut Vec<u8>) {
    push(out, &heading(paint, group, ""));
    let Some(first) = group.examples.first() else {
        return;
    };
    let known = if group.known > 0 {
        format!(" ({} known)", words::number(group.known))
    } else {
        String::new()
    };
    // What each says is said of it alone, unless all say the same.
    let message = if group.is_of_one_message {
        shown(&first.message)
    } else {
        shown(group.rule.summary)
    };
    push(
        out,
        &format!("  {message}: {}{known}", words::extent(group)),
    );
    for (place, example) in group.examples.iter().enumerate() {
        let mut said = words::link(example);
        let moved = words::moved(example);
        if !moved.is_empty() {
            if !said.is_empty() {
                said.push(' ');
            }
            said += &moved;
        }
        if !group.is_of_one_message {
            said = format!("{said}: {}", example.message);
        }
        push(
            out,
            format!("  {}: {}", shown(&words::place(example)), shown(&said))
                .trim_end_matches([' ', ':']),
        );
        if place == 0 {
            source_line(paint, example, out);
        }
        generated_from(example, out);
        let is_said = |before: &Finding| before.message == example.message;
        if !group.is_of_one_message && !group.examples[..place].iter().any(is_said) {
            suggestion(example, out);
        }
    }
    let named = group.examples.len() as u64;
    if group.findings > named {
        let more = words::number(group.findings - named);
        push(out, &format!("  … and {more} more"));
    }
    if group.is_of_one_message {
        suggestion(first, out);
    }
    push(out, "");
}

/// A group with all findings in the baseline.
fn known_line(paint: Paint, group: &Group) -> String {
    format!(
        "{}: {}",
        heading(paint, group, "known "),
        words::extent(group)
    )
}

/// What is said of groups that are not shown.
fn left_out<'g>(groups: impl Iterator<Item = &'g Group>) -> Option<String> {
    let sum = |(count, findings), group: &Group| (count + 1, findings + group.findings);
    let (count, findings) = groups.fold((0, 0), sum);
    (count > 0).then(|| {
        format!(
            "… and {} more groups, with {}: --groups all shows them",
            words::number(count),
            words::count(findings, "finding")
        )
    })
}

fn heading(paint: Paint, group: &Group, known: &str) -> String {
    let level = paint.level(group.level, &format!("{known}{}", group.level));
    let cause = paint.strong(&shown(&group.cause));
    format!("{level} {} {cause}", group.rule.id)
}

fn suggestion(finding: &Finding, out: &mut Vec<u8>) {
    let suggestion = words::suggestion(finding);
    if !suggestion.is_empty() {
        push(out, &format!("  {}", shown(&suggestion)));
    }
}

/// The line of the source, and carets below the value.
fn source_line(paint: Paint, finding: &Finding, out: &mut Vec<u8>) {
    let Some(excerpt) = finding.excerpt() else {
        return;
    };
    let Excerpt { text, value, .. } = &*excerpt;
    let piece = |range| text.get(range).map(visible).unwrap_or_default();
    let (before, inside) = (piece(0..value.start), piece(value.clone()));
    let after = piece(value.end..text.len());
    let (before, inside, after) = framed(before.trim_start(), &inside, after.trim_end());
    let number = finding
        .at
        .as_ref()
        .map(|at| at.line.to_string())
        .unwrap_or_default();
    let marked = paint.level(finding.level, &inside);
    push(out, &format!("  {number:>6} | {before}{marked}{after}"));
    let room = " ".repeat(before.width());
    let carets = "^".repeat(inside.width().max(1));
    let carets = paint.level(finding.level, &carets);
    push(out, &format!("  {:>6} | {room}{carets}", ""));
}

/// How many columns a source line has, so that a line of the report has 80.
const FRAME: usize = 80 - "       | ".len() - 2;

/// The text before a value, the value, and the text after it, cut to [`FRAME`] columns: first what
/// is farthest from the value.
fn framed(before: &str, inside: &str, after: &str) -> (String, String, String) {
    let inside = head(inside, FRAME);
    let room = FRAME - inside.width();
    let kept_after = after.width().min(room / 3);
    let before = tail(before, room - kept_after);
    let after = head(after, room - before.width());
    (before, inside, after)
}

/// The beginning of a text in at most `room` columns, with a mark where it was cut.
fn head(text: &str, room: usize) -> String {
    if text.width() <= room {
        return text.to_owned();
    }
    let mut kept = String::new();
    let mut columns = 1;
    for character in text.chars() {
        columns += character.width().unwrap_or(0);
        if columns > room {
            break;
        }
        kept.push(character);
    }
    if room > 0 {
        kept.push('…');
    }
    kept
}

/// The end of a text, as [`head`] gives its beginning.
fn tail(text: &str, room: usize) -> String {
    if text.width() <= room {
        return text.to_owned();
    }
    let mut columns = 1;
    let cut = text.char_indices().rev().find(|(_, character)| {
        columns += character.width().unwrap_or(0);
        columns > room
    });
    let start = cut.map_or(0, |(at, character)| at + character.len_utf8());
    let mark = if room > 0 { "…" } else { "" };
    format!("{mark}{}", &text[start..])
}

/// Text on one line, in characters of one width.
fn visible(text: &str) -> String {
    shown(&text.replace('\t', " ")).into_owned()
}

/// Colours, if they are wanted: SGR of ECMA-48.
#[derive(Clone, Copy)]
struct Paint(bool);

impl Paint {
    fn level(self, level: Level, text: &str) -> String {
        let color = match level {
            Level::Error => "31",
            Level::Warning => "33",
            Level::Note | Level::Off => "36",
        };
        self.sgr(color, text)
    }

    fn strong(self, text: &str) -> String {
        self.sgr("1", text)
    }

    fn sgr(self, parameter: &str, text: &str) -> String {
        if self.0 {
            format!("\u{1b}[{parameter}m{text}\u{1b}[0m")
        } else {
            text.to_owned()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_source_line_is_cut_to_its_columns_around_the_value() {
        let long = "あ-".repeat(100);
        for (before, inside, after) in [
            (long.as_str(), "v", long.as_str()),
            ("", "v", &long),
            (&long, "v", ""),
            ("a", &long, "b"),
            ("short", "v", "short"),
        ] {
            let (b, i, a) = framed(before, inside, after);
            let width = b.width() + i.width() + a.width();
            assert!(width <= FRAME, "{width}: {b}|{i}|{a}");
            assert!(inside.starts_with(i.trim_end_matches('…')) && !i.is_empty());
            assert!(before.ends_with(b.trim_start_matches('…')));
            assert!(after.starts_with(a.trim_end_matches('…')));
        }
        let whole = framed("short", "v", "short");
        assert_eq!(whole, ("short".into(), "v".into(), "short".into()));
    }
}
