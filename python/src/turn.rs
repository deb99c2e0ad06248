//! Readings of one file object: the latest one goes on, and no other moves it meanwhile.

use std::process;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

use crate::lock::lock;

/// One reading of a file object.
#[derive(Clone, Debug)]
pub(crate) struct Turn {
    readings: Arc<Readings>,
    /// `None` until it begins.
    number: Option<u64>,
}

/// All readings of it.
#[derive(Debug)]
struct Readings {
    latest: AtomicU64,
    /// Held while the file object is moved and read.
    alone: Mutex<()>,
    /// A fork has none of the threads that may hold it.
    process: u32,
}

impl Turn {
    /// A reading of a file object that is not read yet.
    pub(crate) fn new() -> Self {
        Self::from_latest(0)
    }

    fn from_latest(latest: u64) -> Self {
        let readings = Readings {
            latest: AtomicU64::new(latest),
            alone: Mutex::new(()),
            process: process::id(),
        };
        Self {
            readings: Arc::new(readings),
            number: None,
        }
    }

    /// Another reading.
    pub(crate) fn again(&self) -> Self {
        if self.readings.process != process::id() {
            return Self::from_latest(self.readings.latest.load(Ordering::SeqCst));
        }
        Self {
            readings: Arc::clone(&self.readings),
            number: None,
        }
    }

    /// Begins the reading, which ends the others, or goes on with it.
    ///
    /// # Errors
    /// If a later one has begun, or, with `is_once`, one before.
    pub(crate) fn take(&mut self, is_once: bool) -> PyResult<()> {
        let latest = &self.readings.latest;
        let reason = match self.number {
            Some(number) if number == latest.load(Ordering::SeqCst) => return Ok(()),
            Some(_) => "another reading of the same file object has begun, which moves it",
            None => {
                let before = latest.fetch_add(1, Ordering::SeqCst);
                self.number = Some(before + 1);
                if !is_once || before == 0 {
                    return Ok(());
                }
                "the file object can be read only once, and has been"
            }
        };
        Err(PyRuntimeError::new_err(reason))
    }

    /// Waits until no other reading uses the file object. No thread may wait here with the GIL,
    /// which the other one needs.
    pub(crate) fn alone(&self) -> MutexGuard<'_, ()> {
        lock(&self.readings.alone)
    }
}
