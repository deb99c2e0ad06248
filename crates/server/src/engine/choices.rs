//! Which of the servers of a file answers for a host, worked out once: there are many requests to few
//! hosts; and which of them a rule is of.

use std::collections::HashMap;
use std::hash::Hash;
use std::ops::Range;
use std::sync::{PoisonError, RwLock};

/// How many choices are remembered.
const MAX_CHOICES: usize = 1_024;

/// The numbers of servers by what they were chosen for.
#[derive(Debug)]
pub(crate) struct Choices<K>(RwLock<HashMap<K, Option<usize>>>);

impl<K> Default for Choices<K> {
    fn default() -> Self {
        Self(RwLock::default())
    }
}

impl<K: Eq + Hash> Choices<K> {
    /// The choice for `key`, by `choose` if it is not known.
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

/// The server that a rule is of, if it is of one. Each server has the rules of a range, in file order.
pub(crate) fn owner<S>(
    servers: &[S],
    rules: impl Fn(&S) -> &Range<usize>,
    rule: usize,
) -> Option<&S> {
    let at = servers.partition_point(|server| rules(server).end <= rule);
    let server = servers.get(at)?;
    rules(server).contains(&rule).then_some(server)
}
