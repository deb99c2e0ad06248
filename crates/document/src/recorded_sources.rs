//! The source files that a generated page records.

use std::sync::Arc;

/// The sources that a generated page names: in attributes of its elements, in a link to an editor, in
/// its metadata.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RecordedSources {
    /// The file that the page as a whole was made from.
    pub page: Option<PageSource>,
    /// The source that applies from a byte of the page on, by that byte; `None` ends an element.
    elements: Vec<(u64, Option<ElementSource>)>,
}

/// The file that a page was made from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PageSource {
    /// A path.
    Path(String),
    /// A path in the repository, from a link to edit it there.
    EditLink(String),
    /// A copy next to the page, and the path of the source.
    Copy {
        /// The relative reference to the copy, such as `../_sources/a/b.rst.txt`.
        copy: String,
        /// The path of the source, such as `a/b.rst`.
        source: String,
    },
}

/// The lines that an element was made from, and their file if the page names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ElementSource {
    /// The file, if the element or one around it names it.
    pub file: Option<Arc<str>>,
    /// The first and the last line, 1-based.
    pub lines: Option<(u32, u32)>,
}

impl RecordedSources {
    /// Adds the source that applies from a byte of the page on; bytes ascend.
    #[doc(hidden)]
    pub fn push(&mut self, byte: u64, source: Option<ElementSource>) {
        self.elements.push((byte, source));
    }

    /// The source of the innermost element with one around a byte of the page.
    #[must_use]
    pub fn at(&self, byte: u64) -> Option<&ElementSource> {
        let after = self.elements.partition_point(|(start, _)| *start <= byte);
        let (_, source) = self.elements.get(after.checked_sub(1)?)?;
        source.as_ref()
    }

    /// The number of changes of the source along the page.
    #[doc(hidden)]
    #[must_use]
    pub fn changes(&self) -> usize {
        self.elements.len()
    }
}
