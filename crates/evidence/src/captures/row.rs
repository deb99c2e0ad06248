//! One capture, as the index keeps it.

/// The number of a capture: captures are numbered in the order of their records.
pub type Number = u32;

/// Stands for no capture.
pub(crate) const NONE: Number = u32::MAX;

/// Text of the index: where it begins, and its length.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Text {
    start: u32,
    length: u32,
}

/// Texts in one block of memory.
#[derive(Debug, Default)]
pub(crate) struct Texts(String);

impl Texts {
    /// Stores a text; `None` if there is no room for it.
    pub(crate) fn keep(&mut self, text: &str) -> Option<Text> {
        let start = u32::try_from(self.0.len()).ok()?;
        let length = u32::try_from(text.len()).ok()?;
        start.checked_add(length)?;
        self.0.push_str(text);
        Some(Text { start, length })
    }

    pub(crate) fn get(&self, text: Text) -> &str {
        let start = text.start as usize;
        &self.0[start..start + text.length as usize]
    }

    /// Adds the texts of `others`, and says where they begin; `None` if there is no room.
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

impl Text {
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

/// How much a capture counts beside others of its URL.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Rank {
    /// Like any other.
    #[default]
    Usual,
    /// Only if there is no other: the server failed, asked to come later or said that nothing had
    /// changed, or it redirects to itself.
    Last,
    /// Not at all: it is what came of another method than GET, or no answer.
    Never,
}

/// One capture.
#[derive(Clone, Copy, Debug)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "facts that do not exclude each other"
)]
pub(crate) struct Row {
    /// The normal form of its URL.
    pub url: Text,
    /// The `Location` of the answer, as written; empty if it has none.
    pub location: Text,
    /// Milliseconds since 1970; [`i64::MIN`] if unknown.
    pub date: i64,
    pub status: u16,
    pub rank: Rank,
    pub is_revisit: bool,
    /// Of a revisit, whether its payload is needed.
    pub needs_original: bool,
    pub truncated: bool,
    /// Whether its method was other than GET.
    pub other_method: bool,
    /// Whether it is known only from a line of another index.
    pub is_of_line: bool,
    /// Whether it redirects to a URL that differs from its own only loosely.
    pub is_self_redirect: bool,
    /// Of a revisit, the capture with its payload.
    pub original: Number,
}
