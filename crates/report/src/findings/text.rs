//! For people: causes in order of how much they break, each with an example and what to do.

use std::io::{self, Write};

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::words;
use super::writer::{Head, Options, Writer};
use crate::fold::{self, WIDTH};
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
        let groups = Groups::new(EXAMPLES).showing(options.groups);
        Self {
            head,
            options,
            groups,
        }
    }

    fn style(&self) -> Style {
        Style {
            has_color: self.options.color,
            columns: self.options.columns.unwrap_or(usize::MAX),
        }
    }
}

impl Writer for Text {
    fn begin(&mut self, out: &mut Vec<u8>) {
        let style = self.style();
        for line in &self.head.lines {
            push(out, &style.sentence(&shown(line)));
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
            one(self.style(), finding, out);
        }
    }

    fn end(&mut self, summary: &Summary, out: &mut dyn Write) -> io::Result<()> {
        let style = self.style();
        let groups = std::mem::replace(&mut self.groups, Groups::new(EXAMPLES)).into_sorted();
        let is_known = |group: &&Group| group.known == group.findings;
        let new = || groups.iter().filter(|group| !is_known(group));
        let known = || groups.iter().filter(is_known);
        let room = self.options.groups.unwrap_or(usize::MAX);
        let mut piece = Vec::new();
        for group in new().take(room) {
            full(style, group, &mut piece);
            out.write_all(&piece)?;
            piece.clear();
        }
        let left = left_out(new().skip(room));
        let of_baseline = if self.options.is_verbose {
            None
        } else {
            known_in_words(known())
        };
        if self.options.is_verbose {
            for group in known() {
                writeln!(out, "{}", known_line(style, group))?;
            }
        }
        for line in left.iter().chain(&of_baseline) {
            writeln!(out, "{}", style.sentence(line))?;
        }
        if known().next().is_some() || left.is_some() {
            writeln!(out)?;
        }
        self.totals(summary, &mut piece);
        out.write_all(&piece)
    }
}

impl Text {
    /// Writes what follows the groups: remarks, the verdict and the totals.
    fn totals(&self, summary: &Summary, out: &mut Vec<u8>) {
        let style = self.style();
        for line in &summary.lines {
            push(out, &style.sentence(&shown(line)));
        }
        for sentence in &summary.verdict {
            let sentence = style.sentence(&shown(sentence));
            push(out, &style.strong(&sentence));
        }
        if !self.head.moved && self.options.is_verbose {
            for class in summary.classes.iter().filter(|class| needs_words(class)) {
                push(out, &style.sentence(&words::class(class)));
            }
        }
        let totals = words::totals(summary, self.options.level);
        push(out, &style.sentence(&totals));
    }
}

/// Whether the name of a class needs an explanation.
fn needs_words(class: &Class) -> bool {
    const PLAIN: [&str; 3] = ["ok", "missing", "missing-fragment"];
    class.links > 0 && !PLAIN.contains(&class.name)
}

fn push(out: &mut Vec<u8>, line: &str) {
    out.extend_from_slice(line.as_bytes());
    out.push(b'\n');
}

/// A single finding, in a form that editors and terminals make clickable.
fn one(style: Style, finding: &Finding, out: &mut Vec<u8>) {
    let level = style.level(finding.level, finding.level.as_str());
    let position = words::position(finding);
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
    let (position, said) = (shown(&position), shown(&said));
    let line = format!("{position}: {level} {rule}: {said}{known}");
    push(out, &fold::sentence(&line, style.columns, 6));
    if !finding.known {
        source_line(style, finding, out);
        generated_from(finding, out);
        suggestion(style, finding, out);
    }
}

/// The source of a generated page.
fn generated_from(finding: &Finding, out: &mut Vec<u8>) {
    if let Some(source) = finding.source() {
        push(
            out,
            &format!("  generated from {}", shown(&source.to_string())),
        );
    }
}

/// A group in full.
fn full(style: Style, group: &Group, out: &mut Vec<u8>) {
    let Some(first) = group.examples.first() else {
        return;
    };
    push(out, &heading(style, group, first, ""));
    let known = if group.known > 0 {
        format!(", {} known", words::number(group.known))
    } else {
        String::new()
    };
    // A message that all findings share is shown once, above them, unless the heading already says it.
    let message = if group.is_of_one_message && *first.message != *group.rule.summary {
        format!("{}: ", shown(&first.message))
    } else {
        String::new()
    };
    let (extent, rule) = (words::extent(group), group.rule.id);
    let sentence = format!("  {message}{extent}{known} ({rule})");
    push(out, &style.sentence(&sentence));
    // What is missing in a folder may be in different places now.
    let shares_suggestion = group.is_of_one_message && group.lost_below_folder().is_none();
    for (index, example) in group.examples.iter().enumerate() {
        push(out, &position_line(style, example, group.is_of_one_message));
        if index == 0 {
            source_line(style, example, out);
        }
        generated_from(example, out);
        let is_said = |before: &Finding| before.message == example.message;
        let is_repeated = !group.is_of_one_message && group.examples[..index].iter().any(is_said);
        if !shares_suggestion && !is_repeated {
            suggestion(style, example, out);
        }
    }
    let named = group.examples.len() as u64;
    if group.findings > named {
        let more = words::number(group.findings - named);
        push(out, &format!("  … and {more} more"));
    }
    if shares_suggestion {
        suggestion(style, first, out);
    }
    push(out, "");
}

/// The position and the link of an example, and its message unless the whole group shares it.
fn position_line(style: Style, example: &Finding, is_said: bool) -> String {
    let mut pieces = words::link_pieces(example);
    pieces.extend(words::moved(example).split_whitespace().map(str::to_owned));
    if !is_said {
        match pieces.last_mut() {
            Some(last) => last.push(':'),
            None => pieces.push(String::new()),
        }
        pieces.extend(example.message.split_whitespace().map(str::to_owned));
    }
    let end = if pieces.is_empty() { "" } else { ":" };
    let position = format!("  {}{end}", words::position(example));
    let pieces: Vec<_> = std::iter::once(&position)
        .chain(pieces.iter().filter(|piece| !piece.is_empty()))
        .map(|piece| shown(piece))
        .collect();
    style.words(pieces.iter().map(|piece| &**piece), 6)
}

/// A group with all findings in the baseline.
fn known_line(style: Style, group: &Group) -> String {
    let heading = match group.examples.first() {
        Some(first) => heading(style, group, first, "known "),
        None => String::new(),
    };
    let (extent, rule) = (words::extent(group), group.rule.id);
    format!("{heading}, {extent} ({rule})")
}

/// How many findings the baseline knows, in one line.
fn known_in_words<'g>(groups: impl Iterator<Item = &'g Group>) -> Option<String> {
    let (groups, findings) = sum(groups);
    (groups > 0).then(|| {
        format!(
            "{} in {} (-v lists them)",
            words::count(findings, "known finding"),
            words::count(groups, "group")
        )
    })
}

/// The number of groups, and of the findings in them.
fn sum<'g>(groups: impl Iterator<Item = &'g Group>) -> (u64, u64) {
    groups.fold((0, 0), |(count, findings), group| {
        (count + 1, findings + group.findings)
    })
}

/// The number of groups that are not shown, and of their findings.
fn left_out<'g>(groups: impl Iterator<Item = &'g Group>) -> Option<String> {
    let (count, findings) = sum(groups);
    (count > 0).then(|| {
        format!(
            "… and {} with {} (--groups all shows them)",
            words::count(count, "more group"),
            words::count(findings, "finding")
        )
    })
}

/// The heading of a group: its level, fault and cause, as in `error: link to a missing file:
/// gone.html`.
fn heading(style: Style, group: &Group, first: &Finding, known: &str) -> String {
    let level = style.level(group.level, &format!("{known}{}:", group.level));
    // The message follows below, so it is not repeated as the cause.
    let cause = Some(words::group_cause(group, first)).filter(|cause| *cause != &*first.message);
    let cause = shown(cause.unwrap_or_default());
    let colon = if cause.is_empty() { "" } else { ":" };
    let said = format!("{}{colon}", group.rule.summary);
    let cause: Vec<String> = cause.split(' ').map(|word| style.strong(word)).collect();
    let words = std::iter::once(&*level)
        .chain(said.split(' '))
        .chain(cause.iter().map(|word| &**word));
    style.words(words.filter(|word| !word.is_empty()), 2)
}

fn suggestion(style: Style, finding: &Finding, out: &mut Vec<u8>) {
    let suggestion = words::suggestion(finding);
    if !suggestion.is_empty() {
        let suggestion = format!("  {}", shown(&suggestion));
        push(out, &style.sentence(&suggestion));
    }
}

/// The line of the source, and carets below the value.
fn source_line(style: Style, finding: &Finding, out: &mut Vec<u8>) {
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
    let marked = style.level(finding.level, &inside);
    push(out, &format!("  {number:>6} | {before}{marked}{after}"));
    let room = " ".repeat(before.width());
    let carets = "^".repeat(inside.width().max(1));
    let carets = style.level(finding.level, &carets);
    push(out, &format!("  {:>6} | {room}{carets}", ""));
}

/// The maximum width of a source line, so that lines of the report have at most 80 columns.
const FRAME: usize = WIDTH - "       | ".len() - 2;

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

/// Colours, if they are wanted: SGR of ECMA-48; and how long lines may be.
#[derive(Clone, Copy)]
struct Style {
    has_color: bool,
    columns: usize,
}

impl Style {
    /// A sentence of ours, in lines that there is room for.
    fn sentence(self, text: &str) -> String {
        fold::sentence(text, self.columns, 2)
    }

    fn words<'w>(self, words: impl IntoIterator<Item = &'w str>, indent: usize) -> String {
        fold::folded(words, self.columns, indent)
    }

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
        if self.has_color {
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
    fn source_line_cut_around_value() {
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
