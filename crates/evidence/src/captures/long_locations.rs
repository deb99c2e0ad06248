//! The targets of redirects with long `Location` fields, resolved once instead of for each link.

use std::collections::HashMap;

use baseref_document::hash_of;

use crate::captures::key::exact;
use crate::captures::lookup::{KeyKind, resolved};
use crate::captures::row::{Number, Row, Texts};

/// The longest `Location`, in bytes, that is resolved each time, which is cheaper than storing the
/// target.
const SHORT: usize = 1024;

/// The hashes of a URL's keys, by [`KeyKind`]; `None` if it has no such key.
pub(crate) type Hashes = [Option<u64>; KeyKind::COUNT];

/// The target of a long `Location`.
#[derive(Debug)]
pub(crate) struct RedirectTarget {
    /// The normal form of the URL.
    pub url: Box<str>,
    pub fragment: Option<Box<str>>,
    pub hashes: Hashes,
}

impl RedirectTarget {
    fn new(url: &str) -> Self {
        let own = exact(url);
        let hash = |by: KeyKind| by.key(&own).map(|key| hash_of(&key));
        Self {
            hashes: KeyKind::ALL.map(hash),
            fragment: url.split_once('#').map(|(_, fragment)| fragment.into()),
            url: own.into(),
        }
    }
}

/// Where a capture redirects to, as far as that is stored.
#[derive(Debug)]
pub(crate) enum StoredTarget<'f> {
    /// It has no long `Location`; the target is not stored.
    Near,
    /// Its `Location` is not a valid URL.
    Nowhere,
    To(&'f RedirectTarget),
}

/// The targets of all captures with a long `Location`; `None` if it is not a valid URL.
#[derive(Debug, Default)]
pub(crate) struct LongLocations(HashMap<Number, Option<RedirectTarget>>);

impl LongLocations {
    pub(crate) fn new(texts: &Texts, rows: &[Row]) -> Self {
        let long = (0..).zip(rows).filter_map(|(number, row)| {
            let location = texts.get(row.location);
            let target = || resolved(texts.get(row.url), location);
            let is_long = location.len() > SHORT;
            is_long.then(|| (number, target().as_deref().map(RedirectTarget::new)))
        });
        Self(long.collect())
    }

    /// Where a capture redirects to.
    pub(crate) fn target(&self, number: Number) -> StoredTarget<'_> {
        // Most indexes have no long `Location`.
        if self.0.is_empty() {
            return StoredTarget::Near;
        }
        match self.0.get(&number) {
            None => StoredTarget::Near,
            Some(None) => StoredTarget::Nowhere,
            Some(Some(target)) => StoredTarget::To(target),
        }
    }
}
