//! The element ids of captured pages, and of those in ZIM files.

use std::collections::HashMap;

use crate::model::names_on_disk::NamesOnDisk;
use crate::model::scan::Scan;
use crate::model::stored_scan::{ScanKey, ScanOnDisk};
use crate::spool::Spool;
use baseref_site::names::{Names, is_user_content, leads};

/// The element ids of captures and entries, by their numbers.
#[derive(Debug, Default)]
pub(crate) struct CapturedNames {
    here: HashMap<ScanKey, Names>,
    /// The ids on disk, sorted by [`Self::finish`].
    on_disk: Vec<(ScanKey, NamesOnDisk)>,
    /// The latest capture. The documents of one capture are consecutive.
    latest: Option<ScanKey>,
}

/// The element ids of a document.
#[derive(Clone, Copy, Debug)]
pub(crate) enum ElementIds<'n> {
    Here(&'n Names),
    OnDisk(NamesOnDisk),
}

impl CapturedNames {
    /// Moves the ids out of a scan, if it is the first of its capture. The documents in the attributes of
    /// a page belong to the same capture.
    pub(crate) fn add(&mut self, scan: &mut Scan) {
        let is_record = scan.record.is_some() || scan.entry.is_some();
        let key = ScanKey::new(scan).filter(|_| is_record);
        if let Some(key) = key.filter(|key| self.is_first(*key)) {
            self.here.insert(key, std::mem::take(&mut scan.names));
        }
    }

    /// Adds a scan on disk, if it is the first of its capture.
    pub(crate) fn add_on_disk(&mut self, scan: ScanOnDisk) {
        if scan.is_record && self.is_first(scan.key) {
            self.on_disk.push((scan.key, scan.names()));
        }
    }

    fn is_first(&mut self, key: ScanKey) -> bool {
        self.latest.replace(key) != Some(key)
    }

    /// Must be called after the last scan is added.
    pub(crate) fn finish(&mut self) {
        self.on_disk.sort_unstable_by_key(|(key, _)| *key);
    }

    pub(crate) fn get(&self, key: ScanKey) -> Option<ElementIds<'_>> {
        let of = |known: &(ScanKey, NamesOnDisk)| known.0.cmp(&key);
        if let Ok(place) = self.on_disk.binary_search_by(of) {
            return Some(ElementIds::OnDisk(self.on_disk[place].1));
        }
        self.here.get(&key).map(ElementIds::Here)
    }
}

impl<'n> ElementIds<'n> {
    /// The ids of the document of a scan.
    pub(crate) fn from_scan(scan: &'n Scan) -> Self {
        match scan.names_on_disk {
            Some(place) => Self::OnDisk(place),
            None => Self::Here(&scan.names),
        }
    }

    /// Whether a fragment is an id, or a range of ids.
    pub(crate) fn leads(self, fragment: &str, spool: &Spool) -> bool {
        match self {
            Self::Here(names) => names.leads(fragment),
            Self::OnDisk(place) => leads(fragment, |hash| spool.has_name(place, hash)),
        }
    }

    /// Whether the document may have ids that are not known.
    pub(crate) fn is_partial(self) -> bool {
        matches!(self, Self::Here(names) if names.is_partial())
    }

    /// Whether a fragment is an id once it has the prefix of user content.
    pub(crate) fn has_user_content(self, fragment: &str, spool: &Spool) -> bool {
        match self {
            Self::Here(names) => names.has_user_content(fragment),
            Self::OnDisk(place) => is_user_content(fragment, |hash| spool.has_name(place, hash)),
        }
    }
}
