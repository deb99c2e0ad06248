//! Plain text to the URLs in it.
//!
//! The scanner is our own: `linkify`, the kept library for it, has no way to join lines, and
//! finds no `mailto:`, `news:` or `cid:` URL and no host that is an IP literal.

mod flowed;
mod urls;

use std::ops::Range;

use crate::document::{Context, Note, NoteCode, Reference};
use crate::html::Source;
use crate::html::encoding::decode_plain;
use crate::read::{Found, ReadOptions};
use crate::slots::{Class, of_plain_text};

/// How the lines of a text are to be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Layout {
    /// As they stand. So is `format=flowed` without `DelSp`: where it joins lines it puts a
    /// space, at which a URL ends.
    Fixed,
    /// `format=flowed; delsp=yes` (RFC 3676 §4): lines are joined without a space.
    FlowedDelSp,
}

/// Reads a text, in the encoding of its byte order mark, the user's, `charset`, or what it looks
/// like. Hands over at most one error, then the document.
pub(crate) fn read(
    source: Source<'_>,
    layout: Layout,
    options: &ReadOptions,
    found: &mut dyn FnMut(Found),
) {
    let decoded = decode_plain(source.bytes, source.charset, options.encoding);
    let mut document = source.begin(&decoded, found);
    let Some(slot) = of_plain_text().filter(|_| options.classes.contains(Class::Text)) else {
        return found(Ok(document));
    };
    let joined = flowed::join(&decoded.text, layout);
    let mut positions = decoded.positions();
    let limit = options.limits.attribute;
    for url in urls::urls(&joined.text) {
        let range = joined.in_source(url.range);
        let (value, cut) = cut(&url.value, limit);
        if cut && document.notes.is_empty() {
            document.notes.push(Note {
                code: NoteCode::AttributeSize,
                detail: format!("a URL of {} bytes is cut", url.value.len()),
                line: Some(positions.line(range.start)),
            });
        }
        let at = options.positions.then(|| positions.of(range));
        document.references.push(Reference {
            slot,
            element: slot.element,
            attr: slot.attr,
            value,
            text: None,
            context: Context::Document,
            at: at.as_ref(),
            cut,
        });
    }
    found(Ok(document));
}

/// The value as far as the limit goes, and whether that cuts it.
fn cut(value: &str, limit: usize) -> (&str, bool) {
    let mut end = value.len().min(limit);
    while !value.is_char_boundary(end) {
        end -= 1;
    }
    (&value[..end], end < value.len())
}

/// A text with lines joined.
struct Joined<'t> {
    text: std::borrow::Cow<'t, str>,
    /// Where pieces of the text begin, in it and in the source, in order; between them it is
    /// the source.
    pieces: Vec<(usize, usize)>,
}

impl Joined<'_> {
    /// All of the source that a range of the text was joined from.
    fn in_source(&self, range: Range<usize>) -> Range<usize> {
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
