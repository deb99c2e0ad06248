//! Failures of the storage, which are never mistaken for damage.
//!
//! A reader that fails looks to the formats above it like a file that is cut off, and each of them
//! reports that in its own words. So the reader at the bottom is monitored: once it has failed,
//! what its formats report as damage is reported as [`ReadErrorKind::Io`], and if none of them
//! reports anything, the failure itself is reported.

use std::io::{self, ErrorKind};
use std::sync::{Arc, Mutex, PoisonError};

use baseref_document::{Interruption, Origin, ReadError, ReadErrorKind};

/// The first failure of a reader; clones share it.
#[derive(Clone, Debug, Default)]
pub(crate) struct FailureRecord(Arc<Mutex<Option<Failure>>>);

#[derive(Clone, Debug)]
struct Failure {
    interruption: Interruption,
    reason: Box<str>,
}

/// The kind of a read failure. Decompressors report damage and limits as read failures, too; all
/// others come from the storage.
pub(crate) fn kind_of(failure: &io::Error) -> ReadErrorKind {
    match failure.kind() {
        ErrorKind::InvalidData | ErrorKind::UnexpectedEof => ReadErrorKind::Damaged,
        ErrorKind::QuotaExceeded => ReadErrorKind::Limit,
        _ => ReadErrorKind::Io,
    }
}

/// The error for a read failure, which becomes its source.
pub(crate) fn unread(origin: Origin, failure: io::Error) -> ReadError {
    let kind = kind_of(&failure);
    let mut error = ReadError::from_io(origin, failure);
    error.kind = kind;
    error
}

/// The read failure for a limit that was reached; see [`kind_of`].
pub(crate) fn limit_reached(reason: &'static str) -> io::Error {
    io::Error::new(ErrorKind::QuotaExceeded, reason)
}

impl FailureRecord {
    /// Records a failure, unless there was one before.
    pub fn add(&self, failure: &io::Error) {
        // These concern the call, not the storage.
        let is_about_call = matches!(
            failure.kind(),
            ErrorKind::Interrupted | ErrorKind::NotSeekable | ErrorKind::InvalidInput
        );
        if !is_about_call {
            self.lock().get_or_insert_with(|| Failure {
                interruption: Interruption::by(failure),
                reason: failure.to_string().into(),
            });
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Option<Failure>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The error that reports the failure, if there was one, for the input of that name.
    pub fn error(&self, name: &Arc<str>) -> Option<ReadError> {
        let failure = self.lock().clone()?;
        let origin = Origin::new(Arc::clone(name));
        let mut error = ReadError::new(ReadErrorKind::Io, origin, failure.reason);
        if let Some(errno) = failure.interruption.errno() {
            error = error.caused_by(io::Error::from_raw_os_error(errno));
        }
        error.interruption = Some(failure.interruption);
        Some(error)
    }

    /// Reclassifies an error as [`ReadErrorKind::Io`] if the reader has failed.
    pub fn reclassify(&self, mut error: ReadError) -> ReadError {
        use ReadErrorKind::{Damaged, Format, Io};
        if let Some(failure) = &*self.lock()
            && matches!(error.kind, Damaged | Format | Io)
        {
            if !error.reason.contains(&*failure.reason) {
                error.reason = format!("{} ({})", error.reason, failure.reason).into();
            }
            error.kind = Io;
            error.interruption = Some(failure.interruption);
        }
        error
    }
}
