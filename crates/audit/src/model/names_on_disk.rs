//! Where the names of the elements of a page are on disk.

/// Where the names of a page are, as sorted hashes, and how many.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NamesOnDisk {
    pub(crate) start: u64,
    pub(crate) count: u32,
}
