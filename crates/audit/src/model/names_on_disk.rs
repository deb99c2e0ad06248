//! The location of a page's element ids on disk.

/// The element ids of a page on disk, as sorted hashes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NamesOnDisk {
    pub(crate) start: u64,
    pub(crate) count: u32,
}
