//! Maildirs: directories whose messages are the files in their directories `cur` and `new`.

use std::ffi::OsStr;
use std::path::Path;

use super::message;
use crate::contents::Contents;
use crate::detect::OpenContext;
use crate::input::buffered::BufferedInput;
use baseref_document::ReadError;

/// Reads a message of a maildir, unless it was only found among those never delivered.
pub(crate) fn read(input: BufferedInput, ctx: &OpenContext<'_>) -> Result<Contents, ReadError> {
    if !input.named && !is_delivered(Path::new(&*input.name)) {
        return Ok(Contents::Empty);
    }
    message::read(input, ctx)
}

/// Whether a file belongs to a maildir: it is in a directory `cur`, `new` or `tmp` whose siblings
/// identify a maildir.
#[must_use]
pub fn is_file(file: &Path) -> bool {
    let maildir = || file.parent().and_then(Path::parent);
    let has = |name: &str| maildir().is_some_and(|maildir| maildir.join(name).is_dir());
    match directory(file).and_then(OsStr::to_str) {
        // Version control omits empty directories, and exports omit those without messages.
        Some("cur") => has("new") || has("tmp"),
        Some("new") => has("cur"),
        Some("tmp") => has("cur") && has("new"),
        _ => false,
    }
}

/// Whether a file is a delivered message of a maildir: those in `tmp` were never delivered.
fn is_delivered(file: &Path) -> bool {
    directory(file).is_some_and(|own| own == "cur" || own == "new")
}

/// The name of the directory that a file is in.
fn directory(file: &Path) -> Option<&OsStr> {
    file.parent()?.file_name()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sibling_directories_identify_maildir() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/maildir");
        for (file, is, delivered) in [
            ("cur/1700000000.1.host:2,S", true, true),
            ("new/1700000000.2.host", true, true),
            ("tmp/1700000000.3.host", true, false),
            ("maildirsize", false, false),
            ("cur/new/x", false, true),
        ] {
            assert_eq!(is_file(&root.join(file)), is, "{file}");
            assert_eq!(is_delivered(&root.join(file)), delivered, "{file}");
        }
        assert!(!is_file(Path::new("x")));
    }
}
