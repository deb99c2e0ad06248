//! Finds the tag that a clone of a formatting element was made for.

use html5ever::tendril::StrTendril;
use html5ever::{Attribute, LocalName, QualName, ns};

/// Tells clones of formatting elements apart: the tree builder passes only the attributes, and
/// compares them with each other, so the marker of a tag must compare equal on all tags. It is an
/// attribute whose value is a window of nine identical bytes: clones share the buffer, and the
/// window's offset in it identifies the tag.
#[derive(Default)]
pub(super) struct Markers {
    /// Filled with `x`; each has twice as many windows as the one before.
    buffers: Vec<StrTendril>,
    /// The offsets of the marked tags.
    tags: Vec<usize>,
}

impl Markers {
    /// Bytes in a window: more than a tendril stores inline.
    const WINDOW: u32 = 9;
    /// Windows in the first buffer.
    const FIRST: usize = 256;
    /// A name that no tokenizer can produce.
    const NAME: &str = " ";

    /// A marker for a tag.
    pub(super) fn mark(&mut self, tag: usize) -> Attribute {
        let mark = self.tags.len();
        self.tags.push(tag);
        if mark >= Self::before(self.buffers.len()) {
            let windows = Self::FIRST << self.buffers.len();
            let buffer = "x".repeat(windows + Self::WINDOW as usize);
            self.buffers.push(buffer.into());
        }
        let last = self.buffers.len() - 1;
        let window = u32::try_from(mark - Self::before(last)).unwrap_or_default();
        Attribute {
            name: QualName::new(None, ns!(), LocalName::from(Self::NAME)),
            value: self.buffers[last].subtendril(window, Self::WINDOW),
        }
    }

    /// The offset of the tag that an attribute identifies, if it is a marker.
    pub(super) fn tag(&self, attribute: &Attribute) -> Option<usize> {
        if *attribute.name.local != *Self::NAME {
            return None;
        }
        let at = attribute.value.as_ptr().addr();
        let in_buffer = |(index, buffer): (usize, &StrTendril)| {
            let window = at.checked_sub(buffer.as_ptr().addr())?;
            let windows = Self::FIRST << index;
            (window < windows).then(|| Self::before(index) + window)
        };
        let mark = self.buffers.iter().enumerate().find_map(in_buffer)?;
        self.tags.get(mark).copied()
    }

    /// The windows in all buffers before the one at `index`.
    fn before(index: usize) -> usize {
        Self::FIRST * ((1 << index) - 1)
    }
}
