//! The virtual servers of a file: a cache of the choice for a host, since many requests go to few
//! hosts, and the owner of a rule.

use std::collections::HashMap;
use std::hash::Hash;
use std::ops::Range;
use std::sync::{PoisonError, RwLock};

/// The maximum number of cached choices.
const MAX_CHOICES: usize = 1_024;

/// The indices of servers by the key for which they were chosen.
#[derive(Debug)]
pub(crate) struct Choices<K>(RwLock<HashMap<K, Option<usize>>>);

impl<K> Default for Choices<K> {
    fn default() -> Self {
        Self(RwLock::default())
    }
}

impl<K: Eq + Hash> Choices<K> {
    /// The choice for `key`, made by `choose` unless it is cached.
    pub(crate) fn get(&self, key: K, choose: impl FnOnce(&K) -> Option<usize>) -> Option<usize> {
        let known = self.0.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(number) = known.get(&key) {
            return *number;
        }
        drop(known);
        let number = choose(&key);
        let mut known = self.0.write().unwrap_or_else(PoisonError::into_inner);
        if known.len() < MAX_CHOICES {
            known.insert(key, number);
        }
        number
    }
}

/// The server that a rule belongs to, if any. Each server has a range of rules, in file order.
pub(crate) fn owner<S>(
    servers: &[S],
    rules: impl Fn(&S) -> &Range<usize>,
    rule: usize,
) -> Option<&S> {
    let at = servers.partition_point(|server| rules(server).end <= rule);
    let server = servers.get(at)?;
    rules(server).contains(&rule).then_some(server)
}
