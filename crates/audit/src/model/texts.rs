//! Many short texts in one allocation.

use std::ops::Range;

/// Texts in one allocation.
#[derive(Debug, Default)]
pub(crate) struct Texts(String);

impl Texts {
    pub(crate) const NONE: Self = Self(String::new());

    /// Stores a text and returns its range. A suffix of the previous text is not stored again.
    /// Beyond four gigabytes, texts are stored as empty.
    pub(crate) fn store(&mut self, text: &str) -> Range<u32> {
        let start = if self.0.ends_with(text) {
            self.0.len() - text.len()
        } else {
            let start = self.0.len();
            self.0.push_str(text);
            start
        };
        match (u32::try_from(start), u32::try_from(self.0.len())) {
            (Ok(start), Ok(end)) => start..end,
            _ => 0..0,
        }
    }

    /// Appends a text and returns its length in bytes: 0 beyond four gigabytes.
    pub(crate) fn push(&mut self, text: &str) -> usize {
        if u32::try_from(self.0.len() + text.len()).is_err() {
            return 0;
        }
        self.0.push_str(text);
        text.len()
    }

    pub(crate) fn slice(&self, range: Range<usize>) -> Option<&str> {
        self.0.get(range)
    }

    pub(crate) fn get(&self, range: &Range<u32>) -> &str {
        &self.0[range.start as usize..range.end as usize]
    }

    /// The length of all texts in bytes.
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    pub(crate) fn shrink(&mut self) {
        self.0.shrink_to_fit();
    }
}
