//! How a document came to be known.

/// How the page that a link is on came to be known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Provenance {
    /// As a file, or as a message: nobody meant to save what it links to.
    #[default]
    Alone,
    /// As a message with what it is shown with.
    Saved,
    /// In an archive, as one page of many.
    Archive,
}
