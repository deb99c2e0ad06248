//! Standard input can be read only once, so its uses are counted before anything is read.

use std::path::Path;

use baseref_startup::stdin_was_closed;

use super::error::CommandError;

/// Whether a path stands for standard input.
pub(super) fn is_stdin(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// Whether reading a path reads standard input: `-`, or one of its names on Unix.
fn reads_stdin(path: &Path) -> bool {
    let names = ["/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"];
    is_stdin(path) || cfg!(unix) && names.iter().any(|name| path == Path::new(name))
}

/// The paths of one argument, each with the argument's name.
pub(super) fn named<'p>(
    argument: &'static str,
    paths: impl IntoIterator<Item = &'p (impl AsRef<Path> + ?Sized + 'p)>,
) -> impl Iterator<Item = (&'static str, &'p Path)> {
    let paths = paths.into_iter();
    paths.map(move |path| (argument, path.as_ref()))
}

/// Refuses the arguments if two of their paths are standard input, or if one is and it is closed.
pub(super) fn check<'p>(
    arguments: impl IntoIterator<Item = (&'static str, &'p Path)>,
) -> Result<(), CommandError> {
    let arguments = arguments.into_iter();
    let mut readers = arguments.filter(|(_, path)| reads_stdin(path));
    let Some((first, _)) = readers.next() else {
        return Ok(());
    };
    if let Some((second, _)) = readers.next() {
        return Err(CommandError::StdinTwice { first, second });
    }
    check_open().map_err(CommandError::Usage)
}

/// Refuses to read a standard input that is closed.
pub(super) fn check_open() -> Result<(), &'static str> {
    if stdin_was_closed() {
        return Err("standard input is closed: there is nothing to read");
    }
    Ok(())
}
