//! The exception that ended a reading, shared between what reads and what returns rows.

use std::io;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use baseref_document::{Interruption, ReadError};
use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;

/// `EIO` of every operating system with numbers of errors: for a failure that has none of its own.
const EIO: i32 = 5;

/// The first exception of a file object, shared between clones. A reader that meets one ends as if
/// its file were cut off, so whoever returns the rows must look here.
#[derive(Clone, Debug, Default)]
pub(crate) struct Trouble(Arc<OnceLock<PyErr>>);

impl Trouble {
    /// Keeps an exception, unless there is one.
    pub(crate) fn keep(&self, error: PyErr) {
        // Only the first one counts.
        let _ = self.0.set(error);
    }

    /// The exception, if there was one.
    pub(crate) fn exception(&self) -> Option<PyErr> {
        // No lock may be held while waiting for the GIL.
        let kept = self.0.get()?;
        Python::try_attach(|py| kept.clone_ref(py))
    }
}

/// The `OSError` for an input that the storage stopped delivering.
pub(crate) fn os_error(error: &ReadError, interruption: Interruption) -> PyErr {
    let filename = error.origin.input.to_string();
    PyOSError::new_err((
        interruption.errno().unwrap_or(EIO),
        error.reason.to_string(),
        filename,
    ))
}

/// The exception that Python's own functions raise for a path: an `OSError` with its number, text and
/// path, or a `ValueError` for what cannot be a path at all.
pub(crate) fn path_error(error: &io::Error, path: &Path) -> PyErr {
    let name = path.to_string_lossy().into_owned();
    let Some(errno) = error.raw_os_error() else {
        return PyValueError::new_err(format!("{name:?}: {error}"));
    };
    let text = Python::attach(|py| {
        let text = py.import("os")?.call_method1("strerror", (errno,))?;
        text.extract::<String>()
    });
    PyOSError::new_err((errno, text.unwrap_or_else(|_| error.to_string()), name))
}

/// The `OSError` for a file object that ended too early.
pub(crate) fn ended_early(at: u64, size: u64, name: &str) -> PyErr {
    let reason = format!("the file object ended after {at} of {size} bytes");
    PyOSError::new_err((EIO, reason, name.to_owned()))
}

/// The `OSError` for a file object that is not where reading should have left it: bytes were passed
/// over, or come from elsewhere.
pub(crate) fn moved(at: u64, length: usize, now: u64, name: &str) -> PyErr {
    let reason = format!(
        "the file object is at {now} after {length} bytes were read from {at}: it does not seek as \
         it says, or something else reads from it"
    );
    PyOSError::new_err((EIO, reason, name.to_owned()))
}
