//! Where redirects with long addresses lead, worked out once and not for each link to them.

use std::collections::HashMap;

use baseref_document::hash_of;

use crate::captures::key::exact;
use crate::captures::lookup::{By, resolved};
use crate::captures::row::{Number, Row, Texts};

/// The longest `Location`, in bytes, that is resolved each time: for most that costs less than to keep
/// what it leads to.
const SHORT: usize = 1024;

/// What a URL is found by, for each way in which captures are looked up; `None` where it never is.
pub(crate) type Hashes = [Option<u64>; By::COUNT];

/// What a long `Location` leads to.
#[derive(Debug)]
pub(crate) struct Target {
    /// The normal form of the URL.
    pub url: Box<str>,
    pub fragment: Option<Box<str>>,
    pub hashes: Hashes,
}

impl Target {
    fn new(url: &str) -> Self {
        let own = exact(url);
        let hash = |by: By| by.key(&own).map(|key| hash_of(&key));
        Self {
            hashes: By::ALL.map(hash),
            fragment: url.split_once('#').map(|(_, fragment)| fragment.into()),
            url: own.into(),
        }
    }
}

/// Where a capture leads, as far as that was worked out.
#[derive(Debug)]
pub(crate) enum Leads<'f> {
    /// It has no long `Location`.
    Near,
    /// Its `Location` is no URL.
    Nowhere,
    To(&'f Target),
}

/// The targets of all captures with a long `Location`; `None` where it leads nowhere. Each takes as much
/// room as its URL.
#[derive(Debug, Default)]
pub(crate) struct Far(HashMap<Number, Option<Target>>);

impl Far {
    pub(crate) fn new(texts: &Texts, rows: &[Row]) -> Self {
        let long = (0..).zip(rows).filter_map(|(number, row)| {
            let location = texts.get(row.location);
            let target = || resolved(texts.get(row.url), location);
            let is_long = location.len() > SHORT;
            is_long.then(|| (number, target().as_deref().map(Target::new)))
        });
        Self(long.collect())
    }

    /// Where the capture with that number leads.
    pub(crate) fn of(&self, number: Number) -> Leads<'_> {
        // Most runs have none.
        if self.0.is_empty() {
            return Leads::Near;
        }
        match self.0.get(&number) {
            None => Leads::Near,
            Some(None) => Leads::Nowhere,
            Some(Some(target)) => Leads::To(target),
        }
    }
}
