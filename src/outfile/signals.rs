//! An interrupted run removes what it was writing, and dies by the signal.

#[cfg(unix)]
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The files to remove, and whether the signal thread is running.
struct Files {
    paths: Vec<PathBuf>,
    is_waiting: bool,
}

static FILES: Mutex<Files> = Mutex::new(Files {
    paths: Vec::new(),
    is_waiting: false,
});

/// While this is held no signal ends the run, so creating or renaming a file and updating the list
/// are atomic.
pub(super) struct Held(MutexGuard<'static, Files>);

/// Holds signals off.
pub(super) fn hold() -> Held {
    Held(FILES.lock().unwrap_or_else(PoisonError::into_inner))
}

impl Held {
    /// Has the file removed if a signal ends the run, until the return value is dropped.
    ///
    /// # Errors
    /// If signals cannot be handled.
    pub(super) fn register(mut self, path: &Path) -> io::Result<Registered> {
        // The working directory may have changed when the signal arrives.
        let path = std::path::absolute(path)?;
        if !self.0.is_waiting {
            wait_for_signals()?;
            self.0.is_waiting = true;
        }
        self.0.paths.push(path.clone());
        Ok(Registered(path))
    }
}

/// A file to be removed if a signal ends the run.
pub(super) struct Registered(PathBuf);

impl Drop for Registered {
    fn drop(&mut self) {
        hold().0.paths.retain(|path| *path != self.0);
    }
}

/// Waits for SIGINT and SIGTERM on a thread of its own.
#[cfg(unix)]
fn wait_for_signals() -> io::Result<()> {
    use signal_hook::consts::{SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;
    use signal_hook::low_level::emulate_default_handler;

    let mut signals = Signals::new([SIGINT, SIGTERM])?;
    std::thread::Builder::new().spawn(move || {
        for signal in signals.forever() {
            let held = hold();
            for path in &held.0.paths {
                // There is nobody left to report an error to.
                let _ = fs::remove_file(path);
            }
            let _ = emulate_default_handler(signal);
        }
    })?;
    Ok(())
}

/// Departs: on other systems an interrupted run leaves its temporary file.
#[cfg(not(unix))]
fn wait_for_signals() -> io::Result<()> {
    Ok(())
}
