//! The built-in wrappers, indexed at the first lookup: many runs unwrap nothing, and building the index takes
//! longer than reading a page.

use std::sync::LazyLock;

use crate::index::Index;
use crate::lookalike::{ImitationFilter, OwnHosts};
use crate::table;
use crate::wrapper::Wrapper;

/// The rows of the table, and their indexes.
pub struct IndexedWrappers {
    pub rows: Vec<&'static Wrapper>,
    pub index: Index,
    pub own: OwnHosts,
    pub suspicious: LazyLock<ImitationFilter>,
}

pub static BUILT_IN: LazyLock<IndexedWrappers> = LazyLock::new(|| {
    let rows: Vec<_> = table().collect();
    IndexedWrappers {
        index: Index::new(&rows),
        own: OwnHosts::new(&rows),
        suspicious: LazyLock::new(|| ImitationFilter::new(&BUILT_IN.rows)),
        rows,
    }
});
