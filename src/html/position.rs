//! Offsets in a document's text to lines and columns.

use std::num::NonZeroU32;
use std::ops::Range;

use memchr::memchr_iter;

use crate::document::Position;

/// The lines of a text.
pub(super) struct Positions<'s> {
    text: &'s str,
    /// Where lines begin.
    lines: Vec<usize>,
}

impl<'s> Positions<'s> {
    pub(super) fn new(text: &'s str) -> Self {
        let ends = memchr_iter(b'\n', text.as_bytes()).map(|at| at + 1);
        Self {
            text,
            lines: std::iter::once(0).chain(ends).collect(),
        }
    }

    pub(super) fn line(&self, offset: usize) -> NonZeroU32 {
        let line = self.lines.partition_point(|start| *start <= offset);
        u32::try_from(line)
            .ok()
            .and_then(NonZeroU32::new)
            .unwrap_or(NonZeroU32::MAX)
    }

    pub(super) fn of(&self, range: Range<usize>) -> Position {
        let line = self.line(range.start);
        let start = self.lines[line.get() as usize - 1];
        let column = self.text[start..range.start].chars().count() + 1;
        Position {
            line,
            column: u32::try_from(column)
                .ok()
                .and_then(NonZeroU32::new)
                .unwrap_or(NonZeroU32::MAX),
            byte: range.start as u64..range.end as u64,
        }
    }
}
