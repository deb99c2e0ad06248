//! Whether standard output was closed when the program started.
//!
//! ```
//! if baseref_startup::stdout_was_closed() {
//!     eprintln!("standard output is closed: the results would be lost");
//! }
//! ```
//!
//! Rust opens `/dev/null` in place of a closed standard stream before `main` runs, so that no file
//! opened later takes its number. A program that was started as `program >&-` then writes its results
//! to nowhere and reports success. What the stream was can only be asked before that. Any program whose
//! results matter can ask.
//!
//! Internal to baseref, and versioned with it.
//!
//! # What it does not do
//!
//! It opens, closes and repairs nothing, and knows nothing of standard input and standard error.

#[cfg(unix)]
mod before_main {
    use std::sync::atomic::{AtomicBool, Ordering};

    static WAS_CLOSED: AtomicBool = AtomicBool::new(false);

    /// Runs before the standard library is set up: it asks the system one question, and uses
    /// nothing that needs the set-up.
    #[ctor::ctor(unsafe)]
    fn ask() {
        let flags = rustix::io::fcntl_getfd(rustix::stdio::stdout());
        WAS_CLOSED.store(flags.is_err(), Ordering::Relaxed);
    }

    pub fn was_closed() -> bool {
        WAS_CLOSED.load(Ordering::Relaxed)
    }
}

/// Whether standard output was closed when the program started: what is written to it now is lost.
///
/// Always `false` where the system is not a Unix.
#[must_use]
pub fn stdout_was_closed() -> bool {
    #[cfg(unix)]
    {
        before_main::was_closed()
    }
    #[cfg(not(unix))]
    {
        false
    }
}
