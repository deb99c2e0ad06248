//! Inputs: files and streams whose format is not yet known, and the ways to read their bytes.

pub(crate) mod buffered;
pub(crate) mod failure;
mod reader;
#[cfg(feature = "archives")]
pub(crate) mod section;
pub(crate) mod window;

use std::io;
use std::sync::Arc;

use self::failure::FailureRecord;
pub use self::reader::{MonitoredReader, ReadSeek, Reader};
use crate::format::Format;
use baseref_document::{Declaration, Ledger};

/// An input before its first byte is read.
pub struct Input {
    /// Its name as given by the user.
    pub name: Arc<str>,
    /// Its bytes.
    pub reader: Reader,
    /// Its size in bytes, if known; that much memory is reserved in advance.
    pub size: Option<u64>,
    /// The format given by the user.
    pub format: Option<Format>,
    /// The format suggested by its name; used only if its content does not decide.
    pub format_of_name: Option<Format>,
    /// Whether the user named it. Text in no known format is then read as HTML, whereas a file that
    /// was only found in a directory is skipped.
    pub named: bool,
    /// The retrieval URLs that the user or files next to it declare.
    pub declarations: Vec<Declaration>,
}

impl Input {
    /// Monitors its reader: the first failure is recorded in the second value, and the bytes read
    /// are added to the ledger if the size is unknown.
    pub(crate) fn monitored(mut self, ledger: &Ledger) -> (Self, FailureRecord) {
        let failure = FailureRecord::default();
        let nothing = Reader::Stream(Box::new(io::empty()));
        let reader = std::mem::replace(&mut self.reader, nothing);
        let monitored = MonitoredReader::new(reader, self.size, failure.clone(), ledger);
        self.reader = Reader::Monitored(Box::new(monitored));
        (self, failure)
    }

    /// Whether it is taken for a document before its content is known. Of other inputs, only the
    /// first bytes are read until those show a document.
    pub(crate) fn is_expected(&self) -> bool {
        self.named || self.format.or(self.format_of_name).is_some()
    }
}

#[cfg(test)]
mod tests;
