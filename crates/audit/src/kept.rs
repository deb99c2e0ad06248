//! Scans that are kept until all documents are known, in memory or on disk.

use super::scan::Scan;
use super::spool::names::NamesPlace;
use baseref_evidence::captures::Number;

/// A scanned document, kept until all are.
///
/// In memory its size grows with the findings, the names of elements and the links to other pages, not
/// with the text. Pages of a large archive are on disk, and take 32 bytes.
#[derive(Debug)]
pub struct KeptScan(pub(super) Kept);

#[derive(Debug)]
pub(super) enum Kept {
    Here(Box<Scan>),
    OnDisk(Stowed),
}

/// Where a scan is on disk, and what is asked of it before it is read back.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stowed {
    /// Where it begins; its names are behind it.
    pub(super) start: u64,
    pub(super) length: u32,
    /// How many names there are.
    pub(super) names: u32,
    /// The capture that it is.
    pub(super) capture: Number,
    /// Whether it is a document with a URL.
    pub(super) is_record: bool,
    pub(super) is_captured_page: bool,
}

impl Stowed {
    /// Where its names are.
    pub(super) fn names(self) -> NamesPlace {
        NamesPlace {
            start: self.start + u64::from(self.length),
            count: self.names,
        }
    }
}

impl KeptScan {
    pub(super) fn new(scan: Scan) -> Self {
        Self(Kept::Here(Box::new(scan)))
    }

    /// Counts the captures of the documents before it, whose number this is.
    pub fn follow(&mut self, captures: Number) {
        let capture = match &mut self.0 {
            Kept::Here(scan) => scan.capture.as_mut(),
            Kept::OnDisk(stowed) => Some(&mut stowed.capture),
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
            Kept::Here(scan) => scan.is_alone(),
            Kept::OnDisk(_) => false,
        }
    }
}
