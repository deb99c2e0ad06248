//! Excerpts: the source line around a value, so that people recognise it.

use std::ops::Range;

use encoding_rs::Encoding;
use memchr::{memchr2, memrchr2};

/// Which source lines an output shows. Getting them may require reading a document again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Excerpts {
    /// None.
    #[default]
    None,
    /// The lines of the first few findings of each cause.
    Examples,
    /// All.
    All,
}

/// The maximum number of characters shown before a value, and after it.
const BESIDE: usize = 80;
/// The maximum number of characters of a value that are shown.
const VALUE: usize = 240;
/// The maximum size of a character in bytes: GB 18030 and UTF-8.
const BYTES: usize = 4;

/// A line of a document, shortened around a value; `…` marks omissions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Excerpt {
    /// The decoded line, without its line end.
    pub text: String,
    /// The byte range of the value in [`Self::text`], or of its first line if it has more.
    pub value: Range<usize>,
    /// Whether the value is complete.
    pub whole: bool,
}

impl Excerpt {
    /// The excerpt around the bytes `value` of a document in `encoding`; `None` if the document has
    /// no such bytes.
    #[must_use]
    pub fn new(document: &[u8], encoding: &'static Encoding, value: &Range<u64>) -> Option<Self> {
        Some(Windows::around(document, value)?.decode(encoding))
    }
}

/// The bytes that an excerpt is made of, cut out of their document. Most are never shown, so they are decoded
/// only when they are.
#[derive(Clone, Debug)]
pub(crate) struct ExcerptBytes {
    bytes: Box<[u8]>,
    /// The range of the value in them.
    value: Range<usize>,
    encoding: &'static Encoding,
}

impl ExcerptBytes {
    /// Those around the bytes `value`; `None` if the document has no such bytes.
    pub(crate) fn new(
        document: &[u8],
        encoding: &'static Encoding,
        value: &Range<u64>,
    ) -> Option<Self> {
        let mut windows = Windows::around(document, value)?;
        // Otherwise a byte may mean something else after other bytes are cut off.
        if encoding.is_ascii_compatible() {
            windows.shrink();
        }
        let Windows {
            before,
            inside,
            after,
        } = windows;
        Some(Self {
            bytes: [before, inside, after].concat().into(),
            value: before.len()..before.len() + inside.len(),
            encoding,
        })
    }

    pub(crate) fn decode(&self) -> Excerpt {
        let Range { start, end } = self.value;
        let windows = Windows {
            before: &self.bytes[..start],
            inside: &self.bytes[start..end],
            after: &self.bytes[end..],
        };
        windows.decode(self.encoding)
    }
}

/// As many bytes of a document as an excerpt may need: of a value, and before and after it.
#[derive(Clone, Copy)]
struct Windows<'d> {
    before: &'d [u8],
    inside: &'d [u8],
    after: &'d [u8],
}

impl<'d> Windows<'d> {
    fn around(document: &'d [u8], value: &Range<u64>) -> Option<Self> {
        let start = usize::try_from(value.start).ok()?;
        let end = usize::try_from(value.end).ok()?;
        let inside = document.get(start..end)?;
        let from = start.saturating_sub((BESIDE + 1) * BYTES);
        let to = document.len().min(end.saturating_add((BESIDE + 1) * BYTES));
        Some(Self {
            before: &document[from..start],
            inside: &inside[..inside.len().min((VALUE + 1) * BYTES)],
            after: &document[end..to],
        })
    }

    /// Leaves out what is not shown, where the bytes are ASCII: one character more than is shown says that
    /// there is more.
    fn shrink(&mut self) {
        let line = memrchr2(b'\n', b'\r', self.before).map_or(0, |end| end + 1);
        let last = line.max(self.before.len().saturating_sub(BESIDE + 1));
        let before = &self.before[last..];
        if before.is_ascii() {
            self.before = before;
        }
        self.inside = first_ascii(self.inside, VALUE);
        self.after = first_ascii(self.after, BESIDE);
    }

    fn decode(self, encoding: &'static Encoding) -> Excerpt {
        let decode = |bytes| encoding.decode_without_bom_handling(bytes).0;
        let before = decode(self.before);
        let (omitted, before) = last_of_line(before.trim_start_matches('\u{feff}'));
        let inside = decode(self.inside);
        let (inside, end_of_value) = first_of_line(&inside, VALUE);
        let after = decode(self.after);
        let (after, ending) = match end_of_value {
            Ending::Text => first_of_line(&after, BESIDE),
            ending => ("", ending),
        };
        let omitted_after = if ending == Ending::Cut { "…" } else { "" };

        let begins = omitted.len() + before.len();
        let parts = [omitted, before, inside, after, omitted_after];
        // Many findings have an excerpt each, so spare capacity would add up.
        let mut text = String::with_capacity(parts.iter().map(|part| part.len()).sum());
        for part in parts {
            text.push_str(part);
        }
        Excerpt {
            text,
            value: begins..begins + inside.len(),
            whole: end_of_value == Ending::Text,
        }
    }
}

/// The bytes that say what the first `most` characters are and whether there are more, up to the first line
/// end; all bytes if these are not ASCII.
fn first_ascii(bytes: &[u8], most: usize) -> &[u8] {
    let first = &bytes[..bytes.len().min(most + 1)];
    let end = memchr2(b'\n', b'\r', first);
    let first = &first[..end.map_or(first.len(), |end| end + 1)];
    if first.is_ascii() { first } else { bytes }
}

/// The last characters of `text`, starting after the last line end, after the mark of what is omitted of
/// that line.
fn last_of_line(text: &str) -> (&'static str, &str) {
    let line = memrchr2(b'\n', b'\r', text.as_bytes()).map_or(text, |end| &text[end + 1..]);
    // ASCII bytes are characters.
    let last = line.len().saturating_sub(BESIDE + 1);
    let cut = if line.as_bytes()[last..].is_ascii() {
        (line.len() > BESIDE).then_some(last + 1)
    } else {
        let cut = line.char_indices().nth_back(BESIDE);
        cut.map(|(at, cut)| at + cut.len_utf8())
    };
    match cut {
        Some(from) => ("…", &line[from..]),
        None => ("", line),
    }
}

/// How a piece of a line ends.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ending {
    /// The end of the line.
    Line,
    /// The end of the text.
    Text,
    /// At the maximum length: more text follows.
    Cut,
}

/// The first characters of `text`, at most `most` and up to a line end, and what ends them.
fn first_of_line(text: &str, most: usize) -> (&str, Ending) {
    let end = memchr2(b'\n', b'\r', text.as_bytes());
    let line = end.map_or(text, |end| &text[..end]);
    // ASCII bytes are characters.
    let first = &line.as_bytes()[..line.len().min(most + 1)];
    let cut = if first.is_ascii() {
        (line.len() > most).then_some(most)
    } else {
        line.char_indices().nth(most).map(|(at, _)| at)
    };
    match cut {
        Some(at) => (&line[..at], Ending::Cut),
        None if line.len() == text.len() => (line, Ending::Text),
        None => (line, Ending::Line),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The excerpt around `value`, which occurs once in `document`, with the value in brackets.
    fn around(document: &[u8], encoding: &'static Encoding, value: &[u8]) -> String {
        let at = document
            .windows(value.len())
            .position(|w| w == value)
            .unwrap();
        let range = at as u64..(at + value.len()) as u64;
        let Excerpt { text, value, .. } = Excerpt::new(document, encoding, &range).unwrap();
        format!(
            "{}[{}]{}",
            &text[..value.start],
            &text[value.clone()],
            &text[value.end..]
        )
    }

    #[test]
    fn short_line_is_shown_without_its_line_end() {
        let text = "\u{feff}one\r\n<a href=x.html>é</a>\r\nthree";
        let shown = around(text.as_bytes(), encoding_rs::UTF_8, b"x.html");
        assert_eq!(shown, "<a href=[x.html]>é</a>");
        let first = around("\u{feff}<a href=x>".as_bytes(), encoding_rs::UTF_8, b"x");
        assert_eq!(first, "<a href=[x]>");
    }

    #[test]
    fn long_line_is_cut_between_characters() {
        let text = format!("{}VALUE{}", "é".repeat(500), "漢".repeat(500));
        let shown = around(text.as_bytes(), encoding_rs::UTF_8, b"VALUE");
        assert_eq!(
            shown,
            format!("…{}[VALUE]{}…", "é".repeat(80), "漢".repeat(80))
        );
    }

    #[test]
    fn multi_line_value_is_cut_after_its_first_line() {
        let shown = around(b"<a href='a\nb'>", encoding_rs::UTF_8, b"a\nb");
        assert_eq!(shown, "<a href='[a]");
        let long = "x".repeat(10_000);
        let text = format!("<{long}>");
        let cut = Excerpt::new(text.as_bytes(), encoding_rs::UTF_8, &(1..10_001)).unwrap();
        assert!(!cut.whole);
        let shown = around(text.as_bytes(), encoding_rs::UTF_8, long.as_bytes());
        assert_eq!(shown, format!("<[{}]…", "x".repeat(240)));
    }

    #[test]
    fn other_encodings_are_decoded() {
        let utf16: Vec<u8> = "å\n<a href='ж.html'>\n"
            .encode_utf16()
            .flat_map(u16::to_le_bytes)
            .collect();
        let value: Vec<u8> = "ж.html".encode_utf16().flat_map(u16::to_le_bytes).collect();
        let shown = around(&utf16, encoding_rs::UTF_16LE, &value);
        assert_eq!(shown, "<a href='[ж.html]'>");
        let shown = around(b"\xe9<a href=x>", encoding_rs::WINDOWS_1252, b"x");
        assert_eq!(shown, "é<a href=[x]>");
    }

    #[test]
    fn bytes_kept_for_later_give_the_same_excerpt() {
        let encodings = [
            encoding_rs::UTF_8,
            encoding_rs::UTF_16LE,
            encoding_rs::WINDOWS_1252,
            encoding_rs::SHIFT_JIS,
            encoding_rs::GB18030,
            encoding_rs::ISO_2022_JP,
        ];
        let pieces: [&[u8]; 9] = [
            b"a",
            b"\n",
            b"\r\n",
            b"<a href=x>",
            "\u{feff}".as_bytes(),
            "é漢".as_bytes(),
            b"\x83\x5C",
            b"\x1B$B4A\x1B(B",
            b"0123456789012345678901234567890123456789",
        ];
        let mut state = 1_u32;
        let mut below = |most: usize| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) as usize % most
        };
        for _ in 0..3_000 {
            let document: Vec<u8> = (0..below(60))
                .flat_map(|_| pieces[below(pieces.len())].to_vec())
                .collect();
            let start = below(document.len() + 1);
            let end = start + below(document.len() - start + 1);
            let value = start as u64..end as u64;
            for encoding in encodings {
                let kept = ExcerptBytes::new(&document, encoding, &value);
                let kept = kept.map(|kept| kept.decode());
                assert_eq!(
                    kept,
                    Excerpt::new(&document, encoding, &value),
                    "{document:?}"
                );
            }
        }
        assert!(ExcerptBytes::new(b"abc", encoding_rs::UTF_8, &(2..4)).is_none());
    }

    #[test]
    fn bytes_that_are_not_there_have_none() {
        assert_eq!(Excerpt::new(b"abc", encoding_rs::UTF_8, &(2..4)), None);
        assert_eq!(
            Excerpt::new(b"abc", encoding_rs::UTF_8, &(u64::MAX..u64::MAX)),
            None
        );
        let end = Excerpt::new(b"abc", encoding_rs::UTF_8, &(3..3)).unwrap();
        assert_eq!(
            (end.text.as_str(), end.value, end.whole),
            ("abc", 3..3, true)
        );
    }
}
