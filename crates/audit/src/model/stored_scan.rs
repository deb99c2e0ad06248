//! Scans stored until all documents are scanned, in memory or on disk.

use crate::model::names_on_disk::NamesOnDisk;
use crate::model::package_id::PackageId;
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
    pub(crate) key: ScanKey,
    /// Whether the document has a URL.
    pub(crate) is_record: bool,
    pub(crate) is_captured_page: bool,
}

/// What others know the document of a scan by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum ScanKey {
    /// The number of its capture.
    Capture(Number),
    /// The number of its entry in a package, which is a ZIM file.
    Entry { package: PackageId, entry: u32 },
}

impl ScanKey {
    /// The key of a scan, if it has one.
    pub(crate) fn new(scan: &Scan) -> Option<Self> {
        match (scan.package, scan.entry) {
            (Some(package), Some(entry)) => Some(Self::Entry { package, entry }),
            _ => scan.capture.map(Self::Capture),
        }
    }

    /// Adds the number of captures in earlier documents.
    fn follow(&mut self, captures: Number) {
        if let Self::Capture(number) = self {
            *number = number.saturating_add(captures);
        }
    }
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
        match &mut self.0 {
            ScanStorage::Here(scan) => {
                if let Some(capture) = &mut scan.capture {
                    *capture = capture.saturating_add(captures);
                }
            }
            ScanStorage::OnDisk(stowed) => stowed.key.follow(captures),
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
