//! The known wrappers, indexed when the first URL is looked up: a program that may unwrap URLs often has
//! none to unwrap, and to index the table takes longer than to read a page.

use std::sync::LazyLock;

use crate::index::Index;
use crate::lookalike::{OwnHosts, Suspicious};
use crate::table;
use crate::wrapper::Wrapper;

/// What is known of the rows of the table.
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
