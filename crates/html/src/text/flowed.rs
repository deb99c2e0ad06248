//! Reverses `format=flowed` (RFC 3676), as far as it matters to URLs.

use std::borrow::Cow;
use std::ops::Range;

use baseref_text::decode::line;

/// How the lines of a text are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// As they are. This includes `format=flowed` without `DelSp`: it joins lines with a space,
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
        Layout::Fixed => JoinedText {
            text: Cow::Borrowed(text),
            pieces: Vec::new(),
        },
        Layout::FlowedDelSp => join_lines(text),
    }
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
