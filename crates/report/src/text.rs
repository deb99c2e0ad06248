//! Plain lines and tables for people.

use std::borrow::Cow;
use std::fmt::Write;

use baseref_files::terminal::is_obeyed;

/// How lines end, and whether control characters are shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Style {
    /// Lines end with NUL instead of LF.
    pub nul: bool,
    /// The output is a terminal: control characters are escaped.
    pub terminal: bool,
}

/// Text from the input, with control, bidirectional formatting and invisible characters written as
/// `\u{1b}`.
#[must_use]
pub fn shown(text: &str) -> Cow<'_, str> {
    let is_escaped = |character| is_obeyed(character) || is_unseen(character);
    if !text.contains(is_escaped) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for character in text.chars() {
        if is_escaped(character) {
            shown.extend(character.escape_unicode());
        } else {
            shown.push(character);
        }
    }
    Cow::Owned(shown)
}

/// Whether a character is invisible, so that a reader could not see what is wrong with a URL.
/// Joiners do not count, because they shape the letters around them.
fn is_unseen(character: char) -> bool {
    matches!(
        character,
        '\u{AD}' | '\u{34F}' | '\u{180E}' | '\u{200B}' | '\u{2060}'..='\u{2064}' | '\u{FEFF}'
    )
}

/// Writes one line.
pub(super) fn line(text: &str, style: Style, out: &mut Vec<u8>) {
    if style.terminal {
        out.extend_from_slice(shown(text).as_bytes());
    } else {
        out.extend_from_slice(text.as_bytes());
    }
    out.push(if style.nul { 0 } else { b'\n' });
}

/// Appends a line of a table.
pub(super) fn push_line(table: &mut String, line: &str) {
    table.push_str(&shown(line));
    table.push('\n');
}

/// Only the last column may be padded beyond this width, in characters: one long value must not
/// push all other rows off the screen.
const WIDEST_PADDING: usize = 60;

/// Appends rows with aligned columns.
pub(super) fn push_rows<const N: usize>(table: &mut String, rows: &[[Cow<'_, str>; N]]) {
    let widths: [usize; N] = std::array::from_fn(|column| {
        let width = rows.iter().map(|row| row[column].chars().count()).max();
        width.unwrap_or(0).clamp(1, WIDEST_PADDING)
    });
    for row in rows {
        let start = table.len();
        for (cell, &width) in row.iter().zip(&widths) {
            write!(table, "{cell:width$}  ").expect("a String takes every write");
        }
        let end = start + table[start..].trim_end().len();
        table.truncate(end);
        table.push('\n');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terminal_controls_shown() {
        assert_eq!(shown("é \u{1f600}"), "é \u{1f600}");
        assert_eq!(
            shown("a\u{1b}[2J\n\u{9b}\u{202e}z"),
            "a\\u{1b}[2J\\u{a}\\u{9b}\\u{202e}z"
        );
    }

    #[test]
    fn controls_shown_only_in_url_form() {
        let mut out = Vec::new();
        line("\u{1b}", Style::default(), &mut out);
        line(
            "\u{1b}",
            Style {
                nul: true,
                terminal: true,
            },
            &mut out,
        );
        assert_eq!(out, b"\x1b\n\\u{1b}\0");
    }
}
