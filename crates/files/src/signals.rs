//! An interrupted run removes what it was writing, and dies by the signal.

#[cfg(unix)]
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The files and folders to remove, and whether the signal thread is running.
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
pub(super) struct SignalGuard(MutexGuard<'static, Files>);

/// Holds signals off.
pub(super) fn hold() -> SignalGuard {
    SignalGuard(FILES.lock().unwrap_or_else(PoisonError::into_inner))
}

/// Holds signals off, so that a file can be created and registered.
///
/// # Errors
/// If signals cannot be handled.
pub(super) fn hold_to_create() -> io::Result<SignalGuard> {
    let mut signals = hold();
    if !signals.0.is_waiting {
        // Until signals are handled, one ends the run at once even while they are held off.
        wait_for_signals()?;
        signals.0.is_waiting = true;
    }
    Ok(signals)
}

impl SignalGuard {
    /// Removes the file if a signal ends the run before the return value is dropped.
    ///
    /// # Errors
    /// If the path has no absolute form.
    pub(super) fn register(mut self, path: &Path) -> io::Result<CleanupEntry> {
        // The working directory may have changed when the signal arrives.
        let path = std::path::absolute(path)?;
        self.0.paths.push(path.clone());
        Ok(CleanupEntry(path))
    }
}

/// A file or folder to be removed if a signal ends the run.
pub(super) struct CleanupEntry(PathBuf);

impl Drop for CleanupEntry {
    fn drop(&mut self) {
        hold().0.paths.retain(|path| *path != self.0);
    }
}

/// Waits on a thread of its own for the signals that end a run from outside.
#[cfg(unix)]
fn wait_for_signals() -> io::Result<()> {
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;

    use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGXCPU, SIGXFSZ};
    use signal_hook::iterator::Signals;
    use signal_hook::low_level::emulate_default_handler;

    let ignored = ignored();
    let is_ours = |signal: &i32| ignored & (1 << (signal - 1)) == 0;
    // A file that grows too large is then an error of the write, as on a full disk.
    if is_ours(&SIGXFSZ) {
        signal_hook::flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false)))?;
    }
    let all = [SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGXCPU];
    let mut signals = Signals::new(all.into_iter().filter(is_ours))?;
    std::thread::Builder::new().spawn(move || {
        for signal in signals.forever() {
            let held = hold();
            for path in &held.0.paths {
                // An error can no longer be reported.
                let _ = remove(path);
            }
            let _ = emulate_default_handler(signal);
        }
    })?;
    Ok(())
}

/// The signals that were ignored when the run began, signal `n` as bit `n - 1`: `nohup`, and shells
/// that start a command in the background, ignore signals so that it continues.
///
/// Departs: only Linux tells without `unsafe`; elsewhere the run ends.
#[cfg(unix)]
fn ignored() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok())
        .unwrap_or(0)
}

/// Removes an unfinished file or folder.
#[cfg(unix)]
pub(super) fn remove(path: &Path) -> io::Result<()> {
    if !path.is_dir() {
        return fs::remove_file(path);
    }
    fs::remove_dir_all(path).or_else(|_| {
        // A copy of a folder that may not be written to cannot be emptied.
        open_up(path)?;
        fs::remove_dir_all(path)
    })
}

#[cfg(unix)]
fn open_up(folder: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(folder, fs::Permissions::from_mode(0o700))?;
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            open_up(&entry.path())?;
        }
    }
    Ok(())
}

/// Removes an unfinished folder.
#[cfg(not(unix))]
pub(super) fn remove(path: &Path) -> io::Result<()> {
    std::fs::remove_dir_all(path)
}

/// Departs: on other systems an interrupted run leaves its temporary file.
#[cfg(not(unix))]
#[expect(
    clippy::unnecessary_wraps,
    reason = "where signals are waited for, that can fail"
)]
fn wait_for_signals() -> io::Result<()> {
    Ok(())
}
