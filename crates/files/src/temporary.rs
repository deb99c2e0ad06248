//! The temporary names of files and folders that are being written, and what killed runs have left of
//! them.
//!
//! A run holds a lock on what it is writing, which the system gives up when the run ends, however it
//! ends. So a file with such a name and without a lock is abandoned.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::Path;

use tempfile::{Builder, NamedTempFile};

use super::signals;

const PREFIX: &str = ".baseref-";
const SUFFIX: &str = ".tmp";
/// The number of letters and digits between the two.
const RANDOM: usize = 6;

/// Creates a file or folder with a temporary name in a directory by calling `create` with its path, and
/// locks it. Removes what killed runs have left there.
pub(super) fn create(
    directory: &Path,
    create: impl Fn(&Path) -> io::Result<File>,
) -> io::Result<NamedTempFile> {
    remove_abandoned(directory);
    let mut builder = Builder::new();
    builder.prefix(PREFIX).suffix(SUFFIX).rand_bytes(RANDOM);
    builder.make_in(directory, |path| {
        let file = create(path)?;
        // Another run may have taken it for abandoned before it was locked; the builder then tries
        // another name.
        if lock(&file) && path.exists() {
            Ok(file)
        } else {
            Err(io::ErrorKind::AlreadyExists.into())
        }
    })
}

/// Whether no other run has the lock; also where the file system has none.
fn lock(file: &File) -> bool {
    !cfg!(unix) || !matches!(file.try_lock(), Err(TryLockError::WouldBlock))
}

/// Removes the files and folders that killed runs have left in a directory. What cannot be removed stays,
/// as it does not disturb the run.
fn remove_abandoned(directory: &Path) {
    // Elsewhere a lock would keep others from reading the file, and a folder cannot be locked.
    let entries = cfg!(unix).then(|| fs::read_dir(directory));
    for entry in entries.into_iter().flatten().flatten().flatten() {
        let is_ours = entry.file_name().to_str().is_some_and(is_temporary_name);
        let is_kept = |kind: fs::FileType| !kind.is_file() && !kind.is_dir();
        if !is_ours || entry.file_type().map_or(true, is_kept) {
            continue;
        }
        let path = entry.path();
        if File::open(&path).is_ok_and(|file| file.try_lock().is_ok()) {
            // Another run may be faster.
            let _ = signals::remove(&path);
        }
    }
}

fn is_temporary_name(name: &str) -> bool {
    let random = name.strip_prefix(PREFIX);
    let random = random.and_then(|name| name.strip_suffix(SUFFIX));
    random.is_some_and(|random| {
        random.len() == RANDOM && random.bytes().all(|byte| byte.is_ascii_alphanumeric())
    })
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn abandoned_files_are_removed_and_locked_ones_kept() {
        let directory = tempfile::tempdir().unwrap();
        let path = |name: &str| directory.path().join(name);
        for name in [
            ".baseref-aB3dE5.tmp",
            ".baseref-short.tmp",
            "baseref-aB3dE5.tmp",
        ] {
            fs::write(path(name), "unfinished").unwrap();
        }
        fs::create_dir_all(path(".baseref-F01der.tmp/inner")).unwrap();
        let new = |path: &Path| File::create_new(path);
        let first = create(directory.path(), new).unwrap();
        let second = create(directory.path(), new).unwrap();
        let entries = fs::read_dir(directory.path()).unwrap();
        let mut names: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
        names.sort();
        let mut kept = [
            path(".baseref-short.tmp"),
            path("baseref-aB3dE5.tmp"),
            first.path().to_owned(),
            second.path().to_owned(),
        ];
        kept.sort();
        assert_eq!(names, kept);
    }
}
