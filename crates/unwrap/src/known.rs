//! The built-in wrappers, indexed at the first lookup: many runs unwrap nothing, and building the index takes
//! longer than reading a page.

use std::sync::LazyLock;

use crate::index::Index;
use crate::lookalike::{OwnHosts, Suspicious};
use crate::table;
use crate::wrapper::Wrapper;

/// The rows of the table, and their indexes.
pub struct Known {
    pub rows: Vec<&'static Wrapper>,
    pub index: Index,
    pub own: OwnHosts,
    pub suspicious: LazyLock<Suspicious>,
}

pub static KNOWN: LazyLock<Known> = LazyLock::new(|| {
    let rows: Vec<_> = table().collect();
    Known {
        index: Index::new(&rows),
        own: OwnHosts::new(&rows),
        suspicious: LazyLock::new(|| Suspicious::new(&KNOWN.rows)),
        rows,
    }
});
