//! Where a document comes from.

/// Where a page comes from, which decides whether the targets of its links are expected among the
/// inputs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Provenance {
    /// A file or a message: its targets are elsewhere.
    #[default]
    Alone,
    /// A page saved with its resources, as MHTML or in a package.
    Saved,
    /// One page of a web archive.
    Archive,
}
