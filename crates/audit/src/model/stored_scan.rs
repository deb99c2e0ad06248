//! Scans stored until all documents are scanned, in memory or on disk.

use crate::model::names_on_disk::NamesOnDisk;
use crate::model::scan::Scan;
use baseref_evidence::captures::Number;

/// The scan of a document, stored until all are scanned.
///
/// In memory its size grows with the findings, the element ids and the links to other pages, not
/// with the text. Scans of a large archive are on disk, and each takes 32 bytes of memory.
#[derive(Debug)]
pub struct StoredScan(pub(crate) ScanStorage);

#[derive(Debug)]
pub(crate) enum ScanStorage {
    Here(Box<Scan>),
    OnDisk(ScanOnDisk),
}

/// A scan on disk, and the fields that are needed before it is read back.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ScanOnDisk {
    /// The offset of its first byte. Its element ids follow it.
    pub(crate) start: u64,
    pub(crate) length: u32,
    /// The number of these ids.
    pub(crate) names: u32,
    /// Its capture.
    pub(crate) capture: Number,
    /// Whether the document has a URL.
    pub(crate) is_record: bool,
    pub(crate) is_captured_page: bool,
}

impl ScanOnDisk {
    /// Where the ids of its elements are.
    pub(crate) fn names(self) -> NamesOnDisk {
        NamesOnDisk {
            start: self.start + u64::from(self.length),
            count: self.names,
        }
    }
}

impl StoredScan {
    pub(crate) fn new(scan: Scan) -> Self {
        Self(ScanStorage::Here(Box::new(scan)))
    }

    /// The scan, if it is in memory.
    pub(crate) fn in_memory(&mut self) -> Option<&mut Scan> {
        match &mut self.0 {
            ScanStorage::Here(scan) => Some(scan),
            ScanStorage::OnDisk(_) => None,
        }
    }

    /// Adds the number of captures in earlier documents to the number of its own.
    pub fn follow(&mut self, captures: Number) {
        let capture = match &mut self.0 {
            ScanStorage::Here(scan) => scan.capture.as_mut(),
            ScanStorage::OnDisk(stowed) => Some(&mut stowed.capture),
        };
        if let Some(capture) = capture {
            *capture = capture.saturating_add(captures);
        }
    }

    /// Whether its findings are independent of all other documents. This holds for nearly all mail.
    #[must_use]
    pub fn is_alone(&self) -> bool {
        match &self.0 {
            ScanStorage::Here(scan) => scan.is_alone(),
            ScanStorage::OnDisk(_) => false,
        }
    }
}
