//! Output files: the old file stays until the new one is complete.
//!
//! A new file is written beside its target and renamed to it when the run has succeeded. Until then
//! the target is unchanged, and a run that fails or is killed by a signal leaves nothing behind.
//! Anything but a regular file (a pipe, a device, `/dev/stdout`) is written in place.

mod signals;

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::terminal::Printer;
use crate::walk::FileId;

/// Where the output of a run goes.
pub struct OutputFile(To);

/// Whatever goes to a terminal goes through a [`Printer`].
enum To {
    Stdout(Printer<io::Stdout>),
    InPlace(Printer<File>),
    Beside(Box<Beside>),
}

/// A file that will replace another.
struct Beside {
    // Dropped after the file is gone, so that it is registered as long as the file exists.
    temporary: NamedTempFile,
    _registered: signals::Registered,
    target: PathBuf,
    /// The regular file at the target now.
    old: Option<(FileId, fs::Permissions)>,
}

impl OutputFile {
    /// Standard output.
    #[must_use]
    pub fn stdout() -> Self {
        Self::stdout_with_styles(false)
    }

    /// Standard output for an output with colours and hyperlinks, which has shown what a terminal
    /// would obey of its input.
    #[must_use]
    pub fn stdout_with_styles(has_styles: bool) -> Self {
        Self(To::Stdout(Printer::new(io::stdout(), has_styles)))
    }

    /// A file of that name, created when it is [committed](Self::commit). A symbolic link is
    /// followed: the file it leads to will be replaced.
    ///
    /// # Errors
    /// If no file can be created there, or the existing one may not be written.
    pub fn create(path: &Path) -> io::Result<Self> {
        let Some(target) = regular_target(path)? else {
            let file = OpenOptions::new().append(true).open(path)?;
            return Ok(Self(To::InPlace(Printer::new(file, false))));
        };
        let old = match fs::metadata(&target) {
            Ok(metadata) => {
                // Without permission to write a file, do not replace it either.
                OpenOptions::new().write(true).open(&target)?;
                FileId::new(&target, &metadata).map(|id| (id, metadata.permissions()))
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(error),
        };
        if target.file_name().is_none() {
            return Err(io::Error::from(io::ErrorKind::InvalidFilename));
        }
        let directory = match target.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent,
            _ => Path::new("."),
        };
        let signals = signals::hold();
        let temporary = tempfile::Builder::new()
            .prefix(".baseref-")
            .suffix(".tmp")
            .make_in(directory, |path| {
                OpenOptions::new().write(true).create_new(true).open(path)
            })?;
        let registered = signals.register(temporary.path())?;
        Ok(Self(To::Beside(Box::new(Beside {
            temporary,
            _registered: registered,
            target,
            old,
        }))))
    }

    /// The file that must not be an input: the one that will be replaced, or the one that standard
    /// output goes to.
    #[must_use]
    pub fn replaces(&self) -> Option<FileId> {
        match &self.0 {
            To::Stdout(_) => FileId::of_stdout(),
            To::InPlace(_) => None,
            To::Beside(beside) => beside.old.as_ref().map(|(id, _)| id.clone()),
        }
    }

    /// The temporary file being written, if there is one.
    #[must_use]
    pub fn temporary(&self) -> Option<FileId> {
        match &self.0 {
            To::Stdout(_) | To::InPlace(_) => None,
            To::Beside(beside) => {
                let metadata = beside.temporary.as_file().metadata().ok()?;
                FileId::new(beside.temporary.path(), &metadata)
            }
        }
    }

    /// Moves the new file into place. Without this the old file is unchanged.
    ///
    /// # Errors
    /// If not everything could be written: the old file is then unchanged, too.
    pub fn commit(self) -> io::Result<()> {
        match self.0 {
            To::Stdout(mut stdout) => stdout.end(),
            To::InPlace(mut file) => file.end(),
            To::Beside(beside) => beside.commit(),
        }
    }
}

impl Beside {
    fn commit(self) -> io::Result<()> {
        let file = self.temporary.as_file();
        if let Some((_, permissions)) = &self.old {
            file.set_permissions(permissions.clone())?;
        }
        // A full disk may be noticed only now; after the renaming, both old and new would be lost.
        file.sync_all()?;
        let signals = signals::hold();
        self.temporary.persist(&self.target)?;
        drop(signals);
        Ok(())
    }
}

impl Write for OutputFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.0 {
            To::Stdout(stdout) => stdout.write(bytes),
            To::InPlace(file) => file.write(bytes),
            To::Beside(beside) => beside.temporary.as_file_mut().write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.0 {
            To::Stdout(stdout) => stdout.flush(),
            To::InPlace(file) => file.flush(),
            To::Beside(beside) => beside.temporary.as_file_mut().flush(),
        }
    }
}

/// The longest chain of symbolic links that Linux follows.
const MOST_LINKS: usize = 40;

/// The regular file that the path leads to, existing or not; `None` if it leads to something to
/// write in place.
fn regular_target(path: &Path) -> io::Result<Option<PathBuf>> {
    let mut target = path.to_owned();
    for _ in 0..=MOST_LINKS {
        // The open files of a process (where `/dev/stdout` leads) look like links, perhaps to a
        // regular file. It is already open, and not ours to replace.
        if target.starts_with("/dev/fd") || target.starts_with("/proc") {
            return Ok(None);
        }
        match fs::symlink_metadata(&target) {
            Ok(metadata) if metadata.is_symlink() => {
                let link = fs::read_link(&target)?;
                target = target.parent().unwrap_or(Path::new("")).join(link);
            }
            Ok(metadata) if metadata.is_dir() => {
                return Err(io::Error::from(io::ErrorKind::IsADirectory));
            }
            Ok(metadata) => return Ok(metadata.is_file().then_some(target)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Some(target)),
            Err(error) => return Err(error),
        }
    }
    Err(io::Error::other("too many symbolic links"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(directory: &Path) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(directory)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn the_old_file_stands_until_the_new_one_is_committed() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("out");
        fs::write(&path, "old").unwrap();
        let mut file = OutputFile::create(&path).unwrap();
        file.write_all(b"new").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "old");
        assert_eq!(names(directory.path()).len(), 2);
        file.commit().unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
        assert_eq!(names(directory.path()), ["out"]);
    }

    #[test]
    fn a_file_that_is_not_committed_leaves_nothing() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("out");
        let mut file = OutputFile::create(&path).unwrap();
        file.write_all(b"new").unwrap();
        assert!(file.replaces().is_none() && file.temporary().is_some());
        drop(file);
        assert_eq!(names(directory.path()), [""; 0]);
    }

    #[test]
    fn what_cannot_be_written_is_refused_before_anything_is_written() {
        let directory = tempfile::tempdir().unwrap();
        assert!(OutputFile::create(directory.path()).is_err());
        assert!(OutputFile::create(&directory.path().join("none/out")).is_err());
        assert!(OutputFile::create(Path::new("")).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn links_are_followed_and_the_mode_is_kept() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let directory = tempfile::tempdir().unwrap();
        let path = |name: &str| directory.path().join(name);
        fs::create_dir(path("there")).unwrap();
        fs::write(path("there/file"), "old").unwrap();
        fs::set_permissions(path("there/file"), fs::Permissions::from_mode(0o640)).unwrap();
        symlink("there/file", path("second")).unwrap();
        symlink("second", path("first")).unwrap();
        symlink("there/none", path("dangling")).unwrap();
        symlink("loop", path("loop")).unwrap();
        for name in ["first", "dangling"] {
            let mut file = OutputFile::create(&path(name)).unwrap();
            file.write_all(b"new").unwrap();
            file.commit().unwrap();
            assert!(path(name).symlink_metadata().unwrap().is_symlink());
            assert_eq!(fs::read_to_string(path(name)).unwrap(), "new");
        }
        let mode = path("there/file").metadata().unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o640);
        assert!(OutputFile::create(&path("loop")).is_err());
        assert_eq!(names(&path("there")), ["file", "none"]);
    }

    #[cfg(unix)]
    #[test]
    fn devices_are_written_in_place() {
        let mut file = OutputFile::create(Path::new("/dev/null")).unwrap();
        file.write_all(b"new").unwrap();
        assert!(file.replaces().is_none() && file.temporary().is_none());
        file.commit().unwrap();
        let directory = tempfile::tempdir().unwrap();
        let link = directory.path().join("full");
        std::os::unix::fs::symlink("/dev/full", &link).unwrap();
        if Path::new("/dev/full").exists() {
            let mut file = OutputFile::create(&link).unwrap();
            assert!(file.write_all(b"new").is_err());
        }
    }
}
