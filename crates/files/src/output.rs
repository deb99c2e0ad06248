//! Output files: the old file stays until the new one is complete.
//!
//! A new file is written next to its target and renamed to it when the run has succeeded. Until then
//! the target is unchanged, and a run that fails or is killed by a signal leaves nothing behind, except
//! after SIGKILL: the next run then removes what was left.
//! Anything but a regular file (a pipe, a device, `/dev/stdout`) is written in place.

use std::fs::{File, OpenOptions, Permissions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError};

use tempfile::NamedTempFile;

use super::declared::folder_of;
use super::failed::OutputError;
use super::identity::FileId;
use super::ledger::Files;
use super::signals;
use super::target::{OutputTarget, WriteMode};
use super::temporary;
use crate::terminal::Printer;

/// The destination of a run's output.
pub struct OutputFile {
    pub(super) files: Arc<Files>,
    /// The name in messages.
    pub(super) name: String,
    pub(super) to: OutputStream,
}

/// All output to a terminal goes through a [`Printer`].
pub(super) enum OutputStream {
    Stdout(Printer<io::Stdout>),
    InPlace(Printer<File>),
    TemporaryFile(Box<TemporaryFile>),
}

/// A file that will replace another.
pub(super) struct TemporaryFile {
    // Dropped after the file is gone, so that it is registered as long as the file exists.
    temporary: NamedTempFile,
    registered: signals::CleanupEntry,
    target: PathBuf,
    /// The permissions of the regular file at the target now.
    permissions: Option<Permissions>,
}

impl Files {
    /// Standard output, for a run that declared it.
    #[must_use]
    pub fn stdout(self: &Arc<Self>) -> OutputFile {
        OutputFile {
            files: Arc::clone(self),
            name: "standard output".to_owned(),
            to: OutputStream::Stdout(Printer::new(io::stdout(), false)),
        }
    }

    /// The declared file at `path`, or standard output, to be replaced when it is
    /// committed ([`OutputFile::commit`]). A symbolic link is followed: the file it leads to will be replaced.
    ///
    /// # Errors
    /// If no file can be created there, or the existing one may not be written.
    pub fn create(self: &Arc<Self>, path: Option<&Path>) -> Result<OutputFile, OutputError> {
        let Some(path) = path else {
            return Ok(self.stdout());
        };
        let name = path.display().to_string();
        let mut targets = self.targets.iter();
        let created = targets
            .find(|target| target.named.as_deref() == Some(path))
            .ok_or_else(|| io::Error::other("this output was not declared"))
            .and_then(|target| self.begin(path, target));
        match created {
            Ok(to) => Ok(OutputFile {
                files: Arc::clone(self),
                name,
                to,
            }),
            Err(error) => Err(OutputError::io(&name, error)),
        }
    }

    fn begin(&self, path: &Path, target: &OutputTarget) -> io::Result<OutputStream> {
        let WriteMode::TemporaryFile(file) = &target.to else {
            let file = OpenOptions::new().append(true).open(path)?;
            return Ok(OutputStream::InPlace(Printer::new(file, false)));
        };
        if target.permissions.is_some() {
            // Without permission to write a file, do not replace it either.
            OpenOptions::new().write(true).open(file)?;
        }
        if file.file_name().is_none() {
            return Err(io::Error::from(io::ErrorKind::InvalidFilename));
        }
        let signals = signals::hold_to_create()?;
        let temporary = temporary::create(folder_of(file), |path| {
            OpenOptions::new().write(true).create_new(true).open(path)
        })?;
        let registered = signals.register(temporary.path())?;
        let metadata = temporary.as_file().metadata()?;
        if let Some(id) = FileId::new(temporary.path(), &metadata) {
            let temporaries = self.temporaries.write();
            temporaries.unwrap_or_else(PoisonError::into_inner).push(id);
        }
        Ok(OutputStream::TemporaryFile(Box::new(TemporaryFile {
            temporary,
            registered,
            target: file.clone(),
            permissions: target.permissions.clone(),
        })))
    }
}

impl OutputFile {
    /// The output in messages about it.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Allows colours and hyperlinks on a terminal. The caller must have escaped control characters
    /// of the input.
    #[must_use]
    pub fn with_styles(mut self, has_styles: bool) -> Self {
        if let OutputStream::Stdout(stdout) = &mut self.to {
            *stdout = Printer::new(io::stdout(), has_styles);
        }
        self
    }

    pub(super) fn is_complete(&mut self) -> io::Result<()> {
        match &mut self.to {
            OutputStream::Stdout(stdout) => match stdout.end() {
                // The reader has had enough.
                Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
                flushed => flushed,
            },
            OutputStream::InPlace(file) => file.end(),
            OutputStream::TemporaryFile(beside) => beside.is_complete(),
        }
    }
}

impl TemporaryFile {
    fn is_complete(&self) -> io::Result<()> {
        let file = self.temporary.as_file();
        if let Some(permissions) = &self.permissions {
            file.set_permissions(permissions.clone())?;
        }
        // A full disk may be noticed only now; after the renaming, both old and new would be lost.
        file.sync_all()
    }

    pub(super) fn appear(self) -> (signals::CleanupEntry, io::Result<()>) {
        let placed = self.temporary.persist(&self.target);
        (self.registered, placed.map(|_| ()).map_err(io::Error::from))
    }
}

impl Write for OutputFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.to {
            OutputStream::Stdout(stdout) => stdout.write(bytes),
            OutputStream::InPlace(file) => file.write(bytes),
            OutputStream::TemporaryFile(beside) => beside.temporary.as_file_mut().write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.to {
            OutputStream::Stdout(stdout) => stdout.flush(),
            OutputStream::InPlace(file) => file.flush(),
            OutputStream::TemporaryFile(beside) => beside.temporary.as_file_mut().flush(),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::{DeclaredOutput, OutputGoal};

    /// The only output of a run.
    fn create(path: &Path) -> Result<OutputFile, OutputError> {
        let declared = DeclaredOutput {
            option: "-o".to_owned(),
            goal: OutputGoal::File(path.to_owned()),
        };
        let files = Files::writing(vec![declared])?;
        files.create(Some(path))
    }

    fn names(directory: &Path) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(directory)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn old_file_kept_until_commit() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("out");
        fs::write(&path, "old").unwrap();
        let mut file = create(&path).unwrap();
        file.write_all(b"new").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "old");
        assert_eq!(names(directory.path()).len(), 2);
        file.commit().unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
        assert_eq!(names(directory.path()), ["out"]);
    }

    #[test]
    fn uncommitted_file_is_removed() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("out");
        let mut file = create(&path).unwrap();
        file.write_all(b"new").unwrap();
        drop(file);
        assert_eq!(names(directory.path()), [""; 0]);
    }

    #[test]
    fn unwritable_output_refused_at_once() {
        let directory = tempfile::tempdir().unwrap();
        assert!(create(directory.path()).is_err());
        assert!(create(&directory.path().join("none/out")).is_err());
        assert!(create(Path::new("")).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn symlink_followed_and_mode_kept() {
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
            let mut file = create(&path(name)).unwrap();
            file.write_all(b"new").unwrap();
            file.commit().unwrap();
            assert!(path(name).symlink_metadata().unwrap().is_symlink());
            assert_eq!(fs::read_to_string(path(name)).unwrap(), "new");
        }
        let mode = path("there/file").metadata().unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o640);
        assert!(create(&path("loop")).is_err());
        assert_eq!(names(&path("there")), ["file", "none"]);
    }

    #[cfg(unix)]
    #[test]
    fn device_written_in_place() {
        let mut file = create(Path::new("/dev/null")).unwrap();
        file.write_all(b"new").unwrap();
        file.commit().unwrap();
        let directory = tempfile::tempdir().unwrap();
        let link = directory.path().join("full");
        std::os::unix::fs::symlink("/dev/full", &link).unwrap();
        if Path::new("/dev/full").exists() {
            let mut file = create(&link).unwrap();
            assert!(file.write_all(b"new").is_err());
        }
    }
}
