//! Scans that are kept until all documents are known, in memory or on disk.

use crate::model::names_on_disk::NamesOnDisk;
use crate::model::scan::Scan;
use baseref_evidence::captures::Number;

/// A scanned document, kept until all are.
///
/// In memory its size grows with the findings, the names of elements and the links to other pages, not
/// with the text. Pages of a large archive are on disk, and take 32 bytes.
#[derive(Debug)]
pub struct StoredScan(pub(crate) Stored);

#[derive(Debug)]
pub(crate) enum Stored {
    Here(Box<Scan>),
    OnDisk(ScanOnDisk),
}

/// Where a scan is on disk, and what is asked of it before it is read back.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ScanOnDisk {
    /// Where it begins; its names are behind it.
    pub(crate) start: u64,
    pub(crate) length: u32,
    /// How many names there are.
    pub(crate) names: u32,
    /// The capture that it is.
    pub(crate) capture: Number,
    /// Whether it is a document with a URL.
    pub(crate) is_record: bool,
    pub(crate) is_captured_page: bool,
}

impl ScanOnDisk {
    /// Where its names are.
    pub(crate) fn names(self) -> NamesOnDisk {
        NamesOnDisk {
            start: self.start + u64::from(self.length),
            count: self.names,
        }
    }
}

impl StoredScan {
    pub(crate) fn new(scan: Scan) -> Self {
        Self(Stored::Here(Box::new(scan)))
    }

    /// Counts the captures of the documents before it, whose number this is.
    pub fn follow(&mut self, captures: Number) {
        let capture = match &mut self.0 {
            Stored::Here(scan) => scan.capture.as_mut(),
            Stored::OnDisk(stowed) => Some(&mut stowed.capture),
        };
        if let Some(capture) = capture {
            *capture = capture.saturating_add(captures);
        }
    }

    /// Whether its verdicts depend on no other document, and none on it: it is no file of a tree, has no
    /// URL by which others name it, and no link that must be looked up in others. Nearly all mail is so.
    #[must_use]
    pub fn is_alone(&self) -> bool {
        match &self.0 {
            Stored::Here(scan) => scan.is_alone(),
            Stored::OnDisk(_) => false,
        }
    }
}
