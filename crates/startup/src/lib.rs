//! Whether standard input or standard output was closed when the program started.
//!
//! ```
//! if baseref_startup::stdout_was_closed() {
//!     eprintln!("standard output is closed: the results would be lost");
//! }
//! ```
//!
//! Rust opens `/dev/null` in place of a closed standard stream before `main` runs, so that no file
//! opened later takes its number. A program that was started as `program >&-` then writes its results
//! to nowhere and reports success, and one started as `program <&-` takes a mistake for an empty input.
//! What a stream was can only be asked before that. Any program whose results matter can ask.
//!
//! Internal to baseref, and versioned with it.
//!
//! # What it does not do
//!
//! It opens, closes and repairs nothing, and knows nothing of standard error.

#[cfg(unix)]
mod before_main {
    use std::sync::atomic::{AtomicBool, Ordering};

    static STDIN_WAS_CLOSED: AtomicBool = AtomicBool::new(false);
    static STDOUT_WAS_CLOSED: AtomicBool = AtomicBool::new(false);

    /// Runs before the standard library is set up: it asks the system one question for each stream,
    /// and uses nothing that needs the set-up.
    #[ctor::ctor(unsafe)]
    fn ask() {
        let stdin = rustix::io::fcntl_getfd(rustix::stdio::stdin());
        STDIN_WAS_CLOSED.store(stdin.is_err(), Ordering::Relaxed);
        let stdout = rustix::io::fcntl_getfd(rustix::stdio::stdout());
        STDOUT_WAS_CLOSED.store(stdout.is_err(), Ordering::Relaxed);
    }

    pub fn stdin_was_closed() -> bool {
        STDIN_WAS_CLOSED.load(Ordering::Relaxed)
    }

    pub fn stdout_was_closed() -> bool {
        STDOUT_WAS_CLOSED.load(Ordering::Relaxed)
    }
}

/// Whether standard input was closed when the program started: reading it now finds nothing.
///
/// Always `false` where the system is not a Unix.
#[must_use]
pub fn stdin_was_closed() -> bool {
    #[cfg(unix)]
    {
        before_main::stdin_was_closed()
    }
    #[cfg(not(unix))]
    {
        false
    }
}

/// Whether standard output was closed when the program started: what is written to it now is lost.
///
/// Always `false` where the system is not a Unix.
#[must_use]
pub fn stdout_was_closed() -> bool {
    #[cfg(unix)]
    {
        before_main::stdout_was_closed()
    }
    #[cfg(not(unix))]
    {
        false
    }
}
