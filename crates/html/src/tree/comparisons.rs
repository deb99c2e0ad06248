//! The cost of the list of active formatting elements: html5ever compares a new entry with all
//! others, attribute by attribute, without reporting it.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use html5ever::{Attribute, LocalName, local_name};

/// Estimates those comparisons from the approximate length of the list, as far as tags alone show
/// it, with at most three alike.
#[derive(Debug, Default)]
pub(super) struct Comparisons {
    /// For each name, the fingerprints of its entries, oldest first.
    entries: HashMap<LocalName, Vec<u64>>,
    alike: HashMap<u64, u8>,
    length: u64,
}

impl Comparisons {
    /// The cost of comparing two tags, in look-ups of a node's name.
    const COMPARISON: u64 = 8;

    /// Records a start tag and returns the cost of the comparisons it causes.
    pub(super) fn start(&mut self, name: &LocalName, attrs: &[Attribute]) -> u64 {
        let compared = self.length * Self::COMPARISON * (1 + attrs.len() as u64);
        if matches!(*name, local_name!("a") | local_name!("nobr")) {
            // A nested one closes the outer one.
            self.end(name);
        }
        let fingerprint = fingerprint(name, attrs);
        let alike = self.alike.entry(fingerprint).or_default();
        // "Noah's Ark clause".
        if *alike < 3 {
            *alike += 1;
            self.length += 1;
            self.entries
                .entry(name.clone())
                .or_default()
                .push(fingerprint);
        }
        compared
    }

    /// Records an end tag.
    pub(super) fn end(&mut self, name: &LocalName) {
        let Some(fingerprint) = self.entries.get_mut(name).and_then(Vec::pop) else {
            return;
        };
        self.length -= 1;
        if let Some(alike) = self.alike.get_mut(&fingerprint) {
            *alike -= 1;
            if *alike == 0 {
                self.alike.remove(&fingerprint);
            }
        }
    }
}

/// A hash shared by tags with the same name and the same attributes in any order.
fn fingerprint(name: &LocalName, attrs: &[Attribute]) -> u64 {
    let attrs = attrs
        .iter()
        .map(|attr| hash(&(&attr.name.local, attr.value.as_bytes())));
    attrs.fold(hash(name), u64::wrapping_add)
}

fn hash(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}
