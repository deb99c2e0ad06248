//! The work that the list of active formatting elements makes: html5ever compares a new
//! entry with all of them, attribute by attribute, and does not tell.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use html5ever::{Attribute, LocalName, local_name};

/// Estimates those comparisons: it knows how long the list is, about, as far as the tags alone tell,
/// with at most three alike.
#[derive(Debug, Default)]
pub(super) struct Comparisons {
    /// For each name the fingerprints of its entries, the last one last.
    entries: HashMap<LocalName, Vec<u64>>,
    alike: HashMap<u64, u8>,
    length: u64,
}

impl Comparisons {
    /// What a comparison of two tags costs, in look-ups of a node's name.
    const COMPARISON: u64 = 8;

    /// Takes note of a start tag and gives the steps of the comparisons it causes.
    pub(super) fn start(&mut self, name: &LocalName, attrs: &[Attribute]) -> u64 {
        let compared = self.length * Self::COMPARISON * (1 + attrs.len() as u64);
        if matches!(*name, local_name!("a") | local_name!("nobr")) {
            // One in the other closes it.
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

    /// Takes note of an end tag.
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

/// A number that tags with the same name and attributes share, whatever their order.
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
