//! The cache of redirect targets.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock, PoisonError, RwLock};

use foldhash::fast::RandomState;

use super::chain::Step;

/// A cache of where rules redirect pages, since many links lead to few pages.
#[derive(Debug, Default)]
pub struct Targets {
    pub(super) pages: Memo<Arc<RefreshTarget>>,
    /// The steps of long chains, which many addresses may share.
    pub(super) steps: Memo<Arc<Step>>,
}

/// A cache of values by address, shared by threads.
#[derive(Debug)]
pub(super) struct Memo<V>(RwLock<HashMap<Box<str>, Arc<OnceLock<V>>, RandomState>>);

/// The redirect target of a page.
#[derive(Debug, Default)]
pub(super) struct RefreshTarget {
    /// `None` if no rule applies.
    pub(super) url: Option<String>,
    /// The URL in normal form.
    pub(super) form: Option<String>,
}

/// The maximum number of addresses in a [`Memo`]; others are not cached.
const MAX_KNOWN: usize = 1 << 20;

impl<V> Default for Memo<V> {
    fn default() -> Self {
        Self(RwLock::default())
    }
}

impl<V: Clone> Memo<V> {
    pub(super) fn get_or_insert(&self, address: &str, value: impl FnOnce() -> V) -> V {
        match self.cell(address) {
            Some(cell) => cell.get_or_init(value).clone(),
            None => value(),
        }
    }

    fn cell(&self, address: &str) -> Option<Arc<OnceLock<V>>> {
        let known = self.0.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(cell) = known.get(address) {
            return Some(Arc::clone(cell));
        }
        drop(known);
        let mut known = self.0.write().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= MAX_KNOWN {
            return known.get(address).map(Arc::clone);
        }
        let cell = known.entry(address.into()).or_default();
        Some(Arc::clone(cell))
    }
}
