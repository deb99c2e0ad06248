//! Escapes control sequences in everything that is printed to a terminal.
//!  Pages, mail and file names are other people's. A terminal obeys ESC, BEL, the C1 controls and
//! Unicode's bidirectional formatting characters, whoever wrote them.

use std::fmt::Write as _;
use std::io::{self, IsTerminal, Write};

/// Whether a terminal, or the order in which it shows text, changes by this character: control
/// characters, and the format characters of Unicode's bidirectional algorithm.
#[must_use]
pub fn is_obeyed(character: char) -> bool {
    character.is_control()
        || matches!(character,
 '\u{061C}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}

/// Escapes the characters that a terminal obeys, other than line ends and tabs, in the text from
/// `start` on. The escapes are also valid in JSON strings.
pub fn show_since(start: usize, out: &mut Vec<u8>) {
    let is_sent = |c: char| !is_obeyed(c) || c == '\n' || c == '\t';
    let Some(Ok(text)) = out.get(start..).map(std::str::from_utf8) else {
        return;
    };
    if text.chars().all(is_sent) {
        return;
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for character in text.chars() {
        if is_sent(character) {
            shown.push(character);
        } else {
            let _ = write!(shown, "\\u{:04x}", u32::from(character));
        }
    }
    out.truncate(start);
    out.extend_from_slice(shown.as_bytes());
}

/// A writer that escapes the characters that a terminal obeys, if the output is a terminal, and
/// otherwise passes the bytes on unchanged.
///  ESC becomes `\u001b`, as in JSON, and a byte that is not UTF-8 becomes `\x9b`. Line ends and
/// tabs stay, as does NUL, which terminals ignore.
#[derive(Debug)]
pub struct Printer<W> {
    to: W,
    is_terminal: bool,
    has_styles: bool,
    /// The beginning of a character, or of a style, whose rest has not been written yet.
    begun: Vec<u8>,
}

impl<W: Write + IsTerminal> Printer<W> {
    /// A printer. If the output `has_styles`, colours and hyperlinks are sent to a terminal, too:
    /// the caller must have escaped the text from its input.
    pub fn new(to: W, has_styles: bool) -> Self {
        let is_terminal = to.is_terminal();
        Self::for_terminal(to, is_terminal, has_styles)
    }
}

impl<W: Write> Printer<W> {
    fn for_terminal(to: W, is_terminal: bool, has_styles: bool) -> Self {
        Self {
            to,
            is_terminal,
            has_styles,
            begun: Vec::new(),
        }
    }

    /// Writes an incomplete character or style at the end.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn end(&mut self) -> io::Result<()> {
        self.send(true)?;
        self.to.flush()
    }

    fn send(&mut self, at_end: bool) -> io::Result<()> {
        let mut shown = String::new();
        let read = show(&self.begun, self.has_styles, at_end, &mut shown);
        self.begun.drain(..read);
        self.to.write_all(shown.as_bytes())
    }
}

impl<W: Write> Write for Printer<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if !self.is_terminal {
            return self.to.write(bytes);
        }
        self.begun.extend_from_slice(bytes);
        self.send(false)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}

/// Appends the escaped form of `bytes`, and returns the number of bytes consumed. Unless it is
/// `at_end`, an incomplete character or style at the end is left.
fn show(bytes: &[u8], has_styles: bool, at_end: bool, shown: &mut String) -> usize {
    let mut read = 0;
    for chunk in bytes.utf8_chunks() {
        let valid = chunk.valid();
        let is_last = read + valid.len() == bytes.len();
        let taken = show_text(valid, has_styles, at_end || !is_last, shown);
        read += taken;
        if taken < valid.len() {
            return read;
        }
        let is_begun =
            std::str::from_utf8(chunk.invalid()).is_err_and(|error| error.error_len().is_none());
        if is_begun && !at_end && read + chunk.invalid().len() == bytes.len() {
            return read;
        }
        for byte in chunk.invalid() {
            let _ = write!(shown, "\\x{byte:02x}");
        }
        read += chunk.invalid().len();
    }
    read
}

fn show_text(text: &str, has_styles: bool, at_end: bool, shown: &mut String) -> usize {
    let mut rest = text;
    while let Some(character) = rest.chars().next() {
        let mut length = character.len_utf8();
        let is_sent = match character {
            '\n' | '\t' | '\0' => true,
            '\r' if rest.len() == 1 && !at_end => break,
            '\r' => rest.as_bytes().get(1) == Some(&b'\n'),
            '\u{1b}' if has_styles => match style(rest) {
                Style::Whole(end) => {
                    length = end;
                    true
                }
                Style::Begun if !at_end => break,
                Style::Begun | Style::No => false,
            },
            _ => !is_obeyed(character),
        };
        if is_sent {
            shown.push_str(&rest[..length]);
        } else {
            let _ = write!(shown, "\\u{:04x}", u32::from(character));
        }
        rest = &rest[length..];
    }
    text.len() - rest.len()
}

/// Whether a text begins with a style.
enum Style {
    No,
    Begun,
    Whole(usize),
}

/// A colour (`ESC [ 31 m`), or either end of a hyperlink (`ESC ] 8 ; ; url ESC \`).
fn style(text: &str) -> Style {
    const LINK: &str = "\u{1b}]8;;";
    const COLOR: &str = "\u{1b}[";
    let is_of_color = |c: char| c.is_ascii_digit() || c == ';';
    let (start, end, is_within): (_, _, &dyn Fn(char) -> bool) = if text.starts_with(LINK) {
        (LINK, "\u{1b}\\", &|c| !is_obeyed(c))
    } else if text.starts_with(COLOR) {
        (COLOR, "m", &is_of_color)
    } else if LINK.starts_with(text) || COLOR.starts_with(text) {
        return Style::Begun;
    } else {
        return Style::No;
    };
    let within = &text[start.len()..];
    let after = within.trim_start_matches(is_within);
    if after.starts_with(end) {
        Style::Whole(text.len() - after.len() + end.len())
    } else if end.starts_with(after) {
        Style::Begun
    } else {
        Style::No
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The bytes that the terminal gets if `pieces` are written.
    fn sent(pieces: &[&[u8]], has_styles: bool) -> String {
        let mut terminal = Printer::for_terminal(Vec::new(), true, has_styles);
        for piece in pieces {
            terminal.write_all(piece).unwrap();
        }
        terminal.end().unwrap();
        String::from_utf8(terminal.to).unwrap()
    }

    const HOSTILE: &[u8] =
        "a\u{1b}]0;x\u{7}\u{9b}2J\u{202e}\u{1b}[31m\r\u{7f}\u{2066}\u{8}é\t\r\n\0".as_bytes();

    #[test]
    fn controls_shown_across_writes() {
        let expected =
            "a\\u001b]0;x\\u0007\\u009b2J\\u202e\\u001b[31m\\u000d\\u007f\\u2066\\u0008é\t\r\n\0";
        assert_eq!(sent(&[HOSTILE], false), expected);
        for at in 0..HOSTILE.len() {
            let (first, second) = HOSTILE.split_at(at);
            assert_eq!(sent(&[first, second], false), expected, "{at}");
        }
        let bytes: Vec<&[u8]> = HOSTILE.chunks(1).collect();
        assert_eq!(sent(&bytes, false), expected);
    }

    #[test]
    fn pipe_gets_bytes_unchanged() {
        let mut printer = Printer::for_terminal(Vec::new(), false, false);
        printer.write_all(HOSTILE).unwrap();
        printer.end().unwrap();
        assert_eq!(printer.to, HOSTILE);
    }

    #[test]
    fn invalid_utf_8_shown() {
        assert_eq!(
            sent(&[b"\x9b2J \xc3", b"\xe9\xe2\x82"], false),
            "\\x9b2J \\xc3\\xe9\\xe2\\x82"
        );
    }

    #[test]
    fn only_styles_pass() {
        let styled = "\u{1b}[1;31mred\u{1b}[0m \u{1b}]8;;http://h/\u{1b}\\h\u{1b}]8;;\u{1b}\\";
        assert_eq!(sent(&[styled.as_bytes()], true), styled);
        for at in 0..styled.len() {
            let (first, second) = styled.as_bytes().split_at(at);
            assert_eq!(sent(&[first, second], true), styled, "{at}");
        }
        assert!(!sent(&[styled.as_bytes()], false).contains('\u{1b}'));
        for other in [
            "\u{1b}[2J",
            "\u{1b}]0;t\u{7}",
            "\u{1b}]8;;a\u{7}b",
            "\u{1b}c",
            "\u{1b}[",
        ] {
            assert!(
                !sent(&[other.as_bytes()], true).contains('\u{1b}'),
                "{other:?}"
            );
        }
    }
}
