//! The names of the elements of captured pages.

use std::collections::HashMap;

use crate::model::names_on_disk::NamesOnDisk;
use crate::model::scan::Scan;
use crate::model::stored_scan::ScanOnDisk;
use crate::spool::Spool;
use baseref_evidence::captures::Number;
use baseref_site::names::{Names, is_of_user, leads};

/// The names in captures, by their numbers.
#[derive(Debug, Default)]
pub(crate) struct Records {
    here: HashMap<Number, Names>,
    /// Those on disk, sorted once all are known.
    on_disk: Vec<(Number, NamesOnDisk)>,
    /// The latest capture: the documents of one follow each other.
    latest: Option<Number>,
}

/// The names in a document.
#[derive(Clone, Copy, Debug)]
pub(crate) enum NamesIn<'n> {
    Here(&'n Names),
    OnDisk(NamesOnDisk),
}

impl Records {
    /// Takes the names of a document, if it is the first of its capture: documents in the attributes of
    /// a page are of its capture, too.
    pub(crate) fn take(&mut self, scan: &mut Scan) {
        let capture = scan.capture.filter(|_| scan.record.is_some());
        if let Some(capture) = capture.filter(|capture| self.is_first(*capture)) {
            self.here.insert(capture, std::mem::take(&mut scan.names));
        }
    }

    /// Takes the names of a document whose scan is on disk, if it is the first of its capture.
    pub(crate) fn take_on_disk(&mut self, stowed: ScanOnDisk) {
        if stowed.is_record && self.is_first(stowed.capture) {
            self.on_disk.push((stowed.capture, stowed.names()));
        }
    }

    fn is_first(&mut self, capture: Number) -> bool {
        self.latest.replace(capture) != Some(capture)
    }

    /// To be called once all are known.
    pub(crate) fn finish(&mut self) {
        self.on_disk.sort_unstable_by_key(|(capture, _)| *capture);
    }

    pub(crate) fn of(&self, capture: Number) -> Option<NamesIn<'_>> {
        let of = |known: &(Number, NamesOnDisk)| known.0.cmp(&capture);
        if let Ok(place) = self.on_disk.binary_search_by(of) {
            return Some(NamesIn::OnDisk(self.on_disk[place].1));
        }
        self.here.get(&capture).map(NamesIn::Here)
    }
}

impl<'n> NamesIn<'n> {
    /// The names that a document has of its own.
    pub(crate) fn of_scan(scan: &'n Scan) -> Self {
        match scan.names_on_disk {
            Some(place) => Self::OnDisk(place),
            None => Self::Here(&scan.names),
        }
    }

    /// Whether a fragment is a name, or a range of names.
    pub(crate) fn leads(self, fragment: &str, spool: &Spool) -> bool {
        match self {
            Self::Here(names) => names.leads(fragment),
            Self::OnDisk(place) => leads(fragment, &mut |hash| spool.has_name(place, hash)),
        }
    }

    /// Whether a fragment is a name but for the prefix of those of users.
    pub(crate) fn has_of_user(self, fragment: &str, spool: &Spool) -> bool {
        match self {
            Self::Here(names) => names.has_of_user(fragment),
            Self::OnDisk(place) => is_of_user(fragment, &mut |hash| spool.has_name(place, hash)),
        }
    }
}
