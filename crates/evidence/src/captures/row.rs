//! A capture as the index stores it.

/// The number of a capture, in the order of the records.
pub type Number = u32;

/// In place of a number: no capture.
pub(crate) const NONE: Number = u32::MAX;

/// A range of [`Texts`].
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct TextRange {
    start: u32,
    length: u32,
}

/// Strings in one block of memory.
#[derive(Debug, Default)]
pub(crate) struct Texts(String);

impl Texts {
    /// Stores a string; `None` if the block is full.
    pub(crate) fn store(&mut self, text: &str) -> Option<TextRange> {
        let start = u32::try_from(self.0.len()).ok()?;
        let length = u32::try_from(text.len()).ok()?;
        start.checked_add(length)?;
        self.0.push_str(text);
        Some(TextRange { start, length })
    }

    pub(crate) fn get(&self, text: TextRange) -> &str {
        let start = text.start as usize;
        &self.0[start..start + text.length as usize]
    }

    /// Appends `others` and returns their offset; `None` if the block is full.
    pub(crate) fn append(&mut self, others: &Self) -> Option<u32> {
        let start = u32::try_from(self.0.len()).ok()?;
        start.checked_add(u32::try_from(others.0.len()).ok()?)?;
        self.0.push_str(&others.0);
        Some(start)
    }

    pub(crate) fn shrink(&mut self) {
        self.0.shrink_to_fit();
    }
}

impl TextRange {
    pub(crate) fn moved(self, by: u32) -> Self {
        Self {
            start: self.start + by,
            ..self
        }
    }

    pub(crate) fn is_empty(self) -> bool {
        self.length == 0
    }
}

/// How captures of one URL are ranked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Rank {
    /// Usable.
    #[default]
    Usable,
    /// Used only as a last resort: a server error, 429, 304, or a redirect to itself.
    Last,
    /// Never used: a response to a method other than GET, or no response.
    Never,
}

/// One capture.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "independent facts")]
pub(crate) struct Row {
    /// Its URL in normal form.
    pub url: TextRange,
    /// Its `Location` as written; empty if it has none.
    pub location: TextRange,
    /// Milliseconds since 1970; [`i64::MIN`] if unknown.
    pub date: i64,
    pub status: u16,
    pub rank: Rank,
    pub is_revisit: bool,
    /// Whether it is a revisit whose original is needed for the payload.
    pub needs_original: bool,
    pub truncated: bool,
    /// Whether the header of the answer declares a page.
    pub declares_page: bool,
    /// Whether its method was other than GET.
    pub other_method: bool,
    /// Whether it is known only from a line of a CDX.
    pub is_from_cdx: bool,
    /// Whether it redirects to a URL that is loosely equal to its own.
    pub is_self_redirect: bool,
    /// The capture with the payload of a revisit.
    pub original: Number,
}
