//! Sentences broken into lines.

use unicode_width::UnicodeWidthStr;

/// The columns of a report for people, as wide as a terminal is at least.
pub const WIDTH: usize = 80;

/// Joins words by spaces into lines of at most `width` columns; all lines after the first are indented
/// by `indent` spaces. A longer word gets a line of its own. Colors (SGR of ECMA-48) have no width.
#[must_use]
pub fn folded<'w>(words: impl IntoIterator<Item = &'w str>, width: usize, indent: usize) -> String {
    let mut text = String::new();
    let mut column = 0;
    let mut is_first = true;
    for word in words {
        let columns = columns(word);
        if is_first {
            column = columns;
        } else if column + 1 + columns > width {
            text.push('\n');
            text.extend(std::iter::repeat_n(' ', indent));
            column = indent + columns;
        } else {
            text.push(' ');
            column += 1 + columns;
        }
        text.push_str(word);
        is_first = false;
    }
    text
}

/// A sentence in lines, broken at its spaces, those at its beginning excepted: all but the first are
/// indented by `indent` more than that.
#[must_use]
pub fn sentence(text: &str, width: usize, indent: usize) -> String {
    let start = text.len() - text.trim_start_matches(' ').len();
    let end = text[start..]
        .find(' ')
        .map_or(text.len(), |end| start + end);
    let rest = text[end..].split(' ').skip(1);
    let words = std::iter::once(&text[..end]).chain(rest);
    folded(words, width, start + indent)
}

/// The columns of a word without its colors.
fn columns(word: &str) -> usize {
    let mut pieces = word.split('\u{1b}');
    let first = pieces.next().unwrap_or_default();
    let colored = pieces.map(|piece| piece.split_once('m').map_or(piece, |(_, text)| text));
    first.width() + colored.map(UnicodeWidthStr::width).sum::<usize>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_broken_between_words() {
        for (text, expected) in [
            ("one two three", "one two\n  three"),
            ("  one two three", "  one\n    two\n    three"),
            ("incomprehensible x", "incomprehensible\n  x"),
            ("あああ い う", "あああ\n  い う"),
            ("", ""),
        ] {
            assert_eq!(sentence(text, 8, 2), expected);
        }
    }

    #[test]
    fn color_codes_have_no_width() {
        let colored = "\u{1b}[31msix\u{1b}[0m";
        assert_eq!(folded([colored, "two"], 7, 0), format!("{colored} two"));
        assert_eq!(
            folded([colored, "three"], 7, 0),
            format!("{colored}\nthree")
        );
    }
}
