//! Reverses `format=flowed` (RFC 3676), and quoted-printable that no header field declares, as far as
//! they matter to URLs.

use std::borrow::Cow;
use std::ops::Range;

use baseref_text::decode::line;

/// How the lines of a text are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// As they are, except for soft line breaks that were left in. This includes `format=flowed` without `DelSp`: it joins lines with a space,
    /// which ends a URL.
    Fixed,
    /// `format=flowed; delsp=yes` (RFC 3676 §4): lines are joined without a space.
    FlowedDelSp,
}

/// A text with its flowed lines joined.
pub(super) struct JoinedText<'t> {
    pub(super) text: Cow<'t, str>,
    /// Where pieces of the text begin, in it and in the source, in order; within a piece both are
    /// the same.
    pieces: Vec<(usize, usize)>,
}

impl JoinedText<'_> {
    /// No text yet.
    pub(super) fn empty() -> Self {
        Self {
            text: Cow::Owned(String::new()),
            pieces: Vec::new(),
        }
    }

    /// Adds a piece that begins at `source` there.
    pub(super) fn push(&mut self, piece: &str, source: usize) {
        self.pieces.push((self.text.len(), source));
        self.text.to_mut().push_str(piece);
    }

    /// The range of the source that a range of the text was joined from.
    pub(super) fn in_source(&self, range: Range<usize>) -> Range<usize> {
        if range.is_empty() {
            let at = self.offset(range.start);
            return at..at;
        }
        self.offset(range.start)..self.offset(range.end - 1) + 1
    }

    fn offset(&self, at: usize) -> usize {
        let before = self.pieces.partition_point(|&(joined, _)| joined <= at);
        let last = before.checked_sub(1).and_then(|last| self.pieces.get(last));
        last.map_or(at, |&(joined, source)| source + (at - joined))
    }
}

/// The text with its flowed lines joined.
pub(super) fn join(text: &str, layout: Layout) -> JoinedText<'_> {
    match layout {
        Layout::Fixed => join_soft_breaks(text),
        Layout::FlowedDelSp => join_lines(text),
    }
}

/// Joins lines at the soft breaks of quoted-printable (RFC 2045 §6.7 rule 5) that no header field
/// declares, so that no URL ends within itself.
///
/// A line can end in an equals sign without being broken there: at the end of a query. It counts as
/// broken if the text has other signs of quoted-printable (`=3D`), if it is as long as programs make
/// such lines, or if a URL would end in its host.
fn join_soft_breaks(text: &str) -> JoinedText<'_> {
    let mut joined = String::new();
    let mut pieces = Vec::new();
    let mut kept_from = 0;
    let bytes = text.as_bytes();
    let mut has_escapes = None;
    for at in memchr::memchr_iter(b'=', bytes) {
        let length = match bytes.get(at + 1..) {
            Some([b'\n', ..]) => 1,
            Some([b'\r', b'\n', ..]) => 2,
            _ => continue,
        };
        let next = at + 1 + length;
        let continues = bytes
            .get(next)
            .is_some_and(|byte| !byte.is_ascii_whitespace());
        let start = bytes[kept_from..at].rsplit(|byte| *byte == b'\n').next();
        let line = start.unwrap_or_default();
        let is_soft = *has_escapes.get_or_insert_with(|| text.contains("=3D"))
            || SOFT_LINE.contains(&(line.len() + 1))
            || ends_in_host(line);
        if continues && is_soft {
            if pieces.is_empty() {
                pieces.push((0, 0));
            }
            joined.push_str(&text[kept_from..at]);
            kept_from = next;
            pieces.push((joined.len(), kept_from));
        }
    }
    if pieces.is_empty() {
        return JoinedText {
            text: Cow::Borrowed(text),
            pieces,
        };
    }
    joined.push_str(&text[kept_from..]);
    JoinedText {
        text: Cow::Owned(joined),
        pieces,
    }
}

/// The length, in bytes, of a line that a program broke: at most 76 with the equals sign (RFC 2045
/// §6.7 rule 5), and less where an escape of two bytes in UTF-8 is kept together.
const SOFT_LINE: std::ops::RangeInclusive<usize> = 71..=76;

/// Whether a line ends in the host of a URL.
fn ends_in_host(line: &[u8]) -> bool {
    let Some(at) = memchr::memmem::rfind(line, b"://") else {
        return false;
    };
    let is_host = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.');
    let host = &line[at + 3..];
    !host.is_empty() && host.iter().all(is_host)
}

/// RFC 3676 §4.1 to §4.5, with `DelSp=yes`.
fn join_lines(text: &str) -> JoinedText<'_> {
    let mut joined = String::with_capacity(text.len());
    let mut pieces = vec![(0, 0)];
    let mut line = Line::at(text, 0);
    let mut kept_from = 0;
    while let Some(next) = line.next(text) {
        // §4.5: a change of the quote depth ends the paragraph, even after a space.
        if line.is_flowed(text) && next.depth == line.depth {
            // §4.1: "the trailing space immediately prior to the line's CRLF is logically
            // deleted", and the quote marks and the stuffed space of the next line with it.
            joined.push_str(&text[kept_from..line.end - 1]);
            kept_from = next.content;
            pieces.push((joined.len(), kept_from));
        }
        line = next;
    }
    joined.push_str(&text[kept_from..]);
    JoinedText {
        text: Cow::Owned(joined),
        pieces,
    }
}

/// A line of flowed text.
#[derive(Clone, Copy)]
struct Line {
    /// The number of quote marks before it (§4.5).
    depth: usize,
    /// Where its content begins, after the quote marks and a stuffed space (§4.4).
    content: usize,
    /// Where its line end begins, and where the next line does.
    end: usize,
    next: usize,
}

impl Line {
    fn at(text: &str, start: usize) -> Self {
        let bytes = text.as_bytes();
        let (end, next) = line::end(bytes, start);
        let marks = bytes[start..end].iter().take_while(|&&byte| byte == b'>');
        let depth = marks.count();
        let stuffed = bytes.get(start + depth) == Some(&b' ');
        Self {
            depth,
            content: start + depth + usize::from(stuffed),
            end,
            next,
        }
    }

    fn next(self, text: &str) -> Option<Self> {
        (self.next < text.len()).then(|| Self::at(text, self.next))
    }

    /// §4.2, §4.3: it ends in a space and is not the line before a signature.
    fn is_flowed(self, text: &str) -> bool {
        let content = &text[self.content.min(self.end)..self.end];
        content.ends_with(' ') && content != "-- "
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flowed_lines_joined() {
        for (text, joined) in [
            ("a \nb", "ab"),
            ("a  \r\n b \rc\nd", "a bc\nd"),
            ("> a \n> b\n", "> ab\n"),
            (">> a \n>>b", ">> ab"),
            // §4.5, quote-depth-wins.
            ("> a \n>> b", "> a \n>> b"),
            ("a \n> b", "a \n> b"),
            // §4.3.
            ("-- \nb", "-- \nb"),
            ("> -- \n> b", "> -- \n> b"),
            ("--  \nb", "-- b"),
            // A stuffed space is not a trailing one.
            (" \nb", " \nb"),
            ("a \n", "a \n"),
            ("a\n\nb \n\nc", "a\n\nb\nc"),
            ("é \né", "éé"),
            ("", ""),
        ] {
            assert_eq!(join(text, Layout::FlowedDelSp).text, joined, "{text:?}");
            assert_eq!(join(text, Layout::Fixed).text, text);
        }
    }

    #[test]
    fn undeclared_soft_breaks_joined() {
        let long = "x".repeat(75);
        for (text, joined) in [
            ("http://a/?u=3Db=\nc=\r\nd", "http://a/?u=3Dbcd".to_owned()),
            (
                "see http://a.exam=\nple/",
                "see http://a.example/".to_owned(),
            ),
            (&*format!("{long}=\nb"), format!("{long}b")),
            ("http://a/?q=\nNext", "http://a/?q=\nNext".to_owned()),
            ("http://a/?u=3Db=\n\nc", "http://a/?u=3Db=\n\nc".to_owned()),
            ("a=", "a=".to_owned()),
        ] {
            assert_eq!(join(text, Layout::Fixed).text, joined, "{text:?}");
        }
        let text = "é=3D http://a.exam=\nple/ x";
        let joined = join(text, Layout::Fixed);
        let at = joined.text.find("http").unwrap();
        let range = joined.in_source(at..at + "http://a.example/".len());
        assert_eq!(&text[range], "http://a.exam=\nple/");
    }

    #[test]
    fn flowed_positions_map_to_source() {
        let text = "> http://a/ \n> b/ \n> c";
        let joined = join(text, Layout::FlowedDelSp);
        let at = joined.text.find("http").unwrap();
        let range = joined.in_source(at..joined.text.len());
        assert_eq!(&text[range], "http://a/ \n> b/ \n> c");
        let at = joined.text.find("b/").unwrap();
        assert_eq!(&text[joined.in_source(at..at + 2)], "b/");
        let empty = joined.in_source(at..at);
        assert_eq!((empty.start, empty.len()), (text.find("b/").unwrap(), 0));
    }
}
