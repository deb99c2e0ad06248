//! The last line of defence: a panic in a reader, in our code or a dependency's, becomes a
//! [`ReadError`].

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::panic::{self, AssertUnwindSafe, Location, PanicHookInfo, catch_unwind};
use std::sync::{Mutex, MutexGuard, PoisonError};

use baseref_document::Origin;
use baseref_document::{ReadError, ReadErrorKind};

thread_local! {
    /// The depth of guarded calls on this thread.
    static DEPTH: Cell<u32> = const { Cell::new(0) };
    /// The source location of this thread's latest panic, if the hook saw it.
    static PLACE: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Makes the call. After an error, drop what it borrowed, which may be in an inconsistent state.
///
/// # Errors
/// An error of the kind [`ReadErrorKind::Fault`] about `origin` if it panics.
pub fn guarded<T>(
    origin: impl FnOnce() -> Origin,
    call: impl FnOnce() -> T,
) -> Result<T, ReadError> {
    DEPTH.set(DEPTH.get() + 1);
    let result = catch_unwind(AssertUnwindSafe(call));
    DEPTH.set(DEPTH.get() - 1);
    result.map_err(|panic| {
        let reason = fault(PLACE.take(), said(panic.as_ref()));
        ReadError::new(ReadErrorKind::Fault, origin(), reason)
    })
}

/// Ignores poisoning: the data is plain, so a panic cannot leave it inconsistent.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Keeps the panic hook from printing panics that a guard reports; a panic outside every guard is
/// printed as before. For programs: a library should leave the hook alone.
pub fn report_only_unguarded_panics() {
    let hook = panic::take_hook();
    panic::set_hook(Box::new(move |info: &PanicHookInfo<'_>| {
        if DEPTH.get() == 0 {
            hook(info);
        } else {
            PLACE.set(info.location().map(in_words));
        }
    }));
}

/// The reason of the [`ReadError`] for a panic, from its hook: for a program that cannot catch panics,
/// as on WebAssembly.
#[must_use]
pub fn reason_of(info: &PanicHookInfo<'_>) -> String {
    fault(info.location().map(in_words), said(info.payload()))
}

fn fault(place: Option<String>, said: &str) -> String {
    let place = place.map(|place| format!(" at {place}"));
    let place = place.unwrap_or_default();
    format!("a fault in baseref{place}, please report it: {said}")
}

/// A source location without the directories of the build machine.
fn in_words(location: &Location<'_>) -> String {
    let file = location.file();
    let within = file.rfind("/src/").map_or(file, |src| {
        let package = file[..src].rfind('/').map_or(0, |slash| slash + 1);
        &file[package..]
    });
    format!("{within}:{}", location.line())
}

/// The message of a panic.
fn said(panic: &(dyn Any + Send)) -> &str {
    panic
        .downcast_ref::<String>()
        .map(String::as_str)
        .or_else(|| panic.downcast_ref::<&str>().copied())
        .unwrap_or("no reason given")
}
