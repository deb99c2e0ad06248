//! Paths that the user named and that do not exist, most often by a typing error.

use std::io::ErrorKind;
use std::path::Path;

use super::message::{Message, Messages};
use super::outcome::Outcome;
use super::stdin::is_stdin;
use baseref_document::{Origin, ReadError};

/// The message for a path that does not exist; `None` for any other, and for standard input.
pub(super) fn message(path: &Path) -> Option<Message> {
    let error = path.symlink_metadata().err()?;
    if is_stdin(path) || error.kind() != ErrorKind::NotFound {
        return None;
    }
    let origin = Origin::new(path.to_string_lossy());
    Some(Message::from_error(&ReadError::from_io(origin, error)))
}

/// Reports the paths that do not exist; if there are any, this is how the run ends.
pub(super) fn refuse<'p>(paths: impl IntoIterator<Item = &'p Path>) -> Option<Outcome> {
    let missing: Vec<Message> = paths.into_iter().filter_map(message).collect();
    Messages::default().end(&missing);
    (!missing.is_empty()).then_some(Outcome::Unread)
}
