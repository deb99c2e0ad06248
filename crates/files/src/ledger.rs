//! The outputs of a run, and functions that read files and compare them with the outputs.

use std::ffi::OsString;
use std::fs::{self, File, FileType, Metadata};
use std::io::{self, Read, Stdin};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock, PoisonError, RwLock};

use super::failed::OutputError;
use super::identity::FileId;
use super::role::{OutputConflict, Role};
use super::store::{OpenFile, Store};
use super::target::{OutputIdentity, OutputTarget};
use super::watched::{CountedFile, Watch};

/// The files of one run: its outputs, and whether one of them turned out to be an input.
///  By default there are no outputs, as in a library.
#[derive(Debug, Default)]
pub struct Files {
    pub(super) targets: Vec<OutputTarget>,
    /// The unfinished outputs, which must not be read as inputs.
    pub(super) temporaries: RwLock<Vec<FileId>>,
    pub(super) clash: OnceLock<OutputConflict>,
    /// The trees that no report may be in, once they are known.
    pub(super) trees: OnceLock<Vec<PathBuf>>,
    /// The listed folders that a report would be in, each with the index of its target.
    pub(super) report_folders: RwLock<Vec<(usize, PathBuf)>>,
    /// The source of files, if it is not the file system.
    pub(super) store: Option<Arc<dyn Store>>,
    /// Receives the number of bytes read of documents.
    pub(super) watch: OnceLock<Watch>,
}

/// A name in a directory.
#[derive(Debug)]
pub struct Entry {
    /// The name itself.
    pub name: OsString,
    /// The kind of file; links are not followed.
    pub kind: EntryKind,
    /// The number of the file in its file system, if it has one: its hard links have the same number.
    pub inode: Option<u64>,
}

/// The kind of file that a name in a directory refers to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntryKind {
    /// A regular file.
    File,
    /// A directory.
    Directory,
    /// A symbolic link.
    Link,
    /// A pipe, a socket or a device.
    Special,
}

impl EntryKind {
    fn from_file_type(file_type: FileType) -> Self {
        if file_type.is_dir() {
            Self::Directory
        } else if file_type.is_file() {
            Self::File
        } else if file_type.is_symlink() {
            Self::Link
        } else {
            Self::Special
        }
    }
}

/// A file that was opened to decide whether it is read.
#[derive(Debug)]
pub struct ExaminedFile {
    /// The open file.
    pub file: OpenFile,
    /// Its size in bytes, if known.
    pub size: Option<u64>,
    /// Its role in this run.
    pub standing: FileUse,
}

/// The role of a found file in a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileUse {
    /// Only an input.
    Input,
    /// The file that an output will replace: [`Files::record_read`] if it is read.
    Replaced,
    /// An output being written: to be skipped.
    Unfinished,
}

impl Files {
    /// The files of a run that reads from a store and writes nothing.
    #[must_use]
    pub fn from_store(store: Arc<dyn Store>) -> Arc<Self> {
        Arc::new(Self {
            store: Some(store),
            ..Self::default()
        })
    }

    /// Whether they come from a [`Store`], which knows only the names of files.
    #[must_use]
    pub fn is_store(&self) -> bool {
        self.store.is_some()
    }

    /// From now on calls `report` with the number of bytes of each read of a document, from any thread; for
    /// each document they add up to its size. Only the first call has an effect.
    pub fn watch(&self, report: impl Fn(u64) + Send + Sync + 'static) {
        // A second watch would count the same bytes again.
        let _ = self.watch.set(Watch(Arc::new(report)));
    }

    /// Reports that many bytes of a file that need not be read, because what they are is known.
    pub fn pass_over(&self, bytes: u64) {
        if let Some(Watch(report)) = self.watch.get() {
            report(bytes);
        }
    }

    /// Whether there is a folder at `path`; symbolic links are followed.
    #[must_use]
    pub fn is_dir(&self, path: &Path) -> bool {
        match &self.store {
            Some(store) => store.is_folder(path) == Some(true),
            None => path.is_dir(),
        }
    }

    /// Whether there is a file at `path`; symbolic links are followed.
    #[must_use]
    pub fn is_file(&self, path: &Path) -> bool {
        match &self.store {
            Some(store) => store.is_folder(path) == Some(false),
            None => path.is_file(),
        }
    }

    /// Whether two paths lead to one file: by links, or because they are hard links of it.
    #[must_use]
    pub fn are_one(&self, one: &Path, other: &Path) -> bool {
        let id = |path| FileId::from_path(path).filter(|_| self.store.is_none());
        id(one).is_some_and(|id_of_one| Some(id_of_one) == id(other))
    }

    /// The path of a folder with symbolic links resolved.
    ///
    /// # Errors
    /// If the system fails; [`io::ErrorKind::Unsupported`] in a [`Store`], which has no
    /// links.
    pub fn canonical(&self, folder: &Path) -> io::Result<PathBuf> {
        match &self.store {
            Some(_) => Err(io::ErrorKind::Unsupported.into()),
            None => folder.canonicalize(),
        }
    }

    /// Whether the file that `path` leads to is in a folder or below it, links followed. A [`Store`] has no
    /// links, and is not asked.
    #[must_use]
    pub fn is_within(&self, path: &Path, folder: &Path) -> bool {
        if self.is_store() {
            return true;
        }
        // An empty path is the current directory.
        let folder = if folder.as_os_str().is_empty() {
            Path::new(".")
        } else {
            folder
        };
        let own = path.canonicalize();
        own.is_ok_and(|own| {
            folder
                .canonicalize()
                .is_ok_and(|folder| own.starts_with(folder))
        })
    }

    /// Opens a file to read.
    ///
    /// # Errors
    /// If the system fails, or if an output would replace the file. The run must then end;
    /// [`Self::conflict`] returns the same conflict.
    pub fn open(&self, path: &Path, role: Role) -> io::Result<OpenFile> {
        if let Some(store) = &self.store {
            return Ok(OpenFile::Stored(store.open(path)?.0));
        }
        let file = File::open(path)?;
        if let Some(target) = self.target_of(path, || file.metadata().ok()) {
            self.refuse(target, path, role)?;
        }
        Ok(OpenFile::File(file))
    }

    /// Reads a whole file.
    ///
    /// # Errors
    /// Like [`Self::open`].
    pub fn read(&self, path: &Path, role: Role) -> io::Result<Vec<u8>> {
        let mut file = self.open(path, role)?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    /// Reads a whole file of text.
    ///
    /// # Errors
    /// Like [`Self::open`], and if it is not UTF-8.
    pub fn read_text(&self, path: &Path, role: Role) -> io::Result<String> {
        let mut text = String::new();
        self.open(path, role)?.read_to_string(&mut text)?;
        Ok(text)
    }

    /// Standard input.
    ///
    /// # Errors
    /// If it is a file that an output would replace.
    pub fn stdin(&self, role: Role) -> io::Result<Stdin> {
        if !self.targets.is_empty()
            && let Some(id) = FileId::from_stdin()
            && let Some(target) = self.target_with(&id)
        {
            self.refuse(target, Path::new("standard input"), role)?;
        }
        Ok(io::stdin())
    }

    /// The length of a file in bytes.
    ///
    /// # Errors
    /// If the system fails.
    pub fn size(&self, path: &Path) -> io::Result<u64> {
        match &self.store {
            Some(store) => Ok(store.open(path)?.1),
            None => Ok(fs::metadata(path)?.len()),
        }
    }

    /// The first bytes of a file that was found, at most this many; `None` if they cannot be read, or if more
    /// must be known of the file: whether an output replaces it, or how much of it is done.
    #[must_use]
    pub fn head(&self, path: &Path, most: usize) -> Option<Vec<u8>> {
        let temporaries = self.temporaries.read();
        let is_written = !temporaries
            .unwrap_or_else(PoisonError::into_inner)
            .is_empty()
            || self.targets.iter().any(OutputTarget::may_be_found);
        if self.store.is_some() || self.watch.get().is_some() || is_written {
            return None;
        }
        let mut head = Vec::with_capacity(most);
        let mut file = File::open(path).ok()?.take(most as u64);
        file.read_to_end(&mut head).ok().map(|_| head)
    }

    /// Opens a file that was found, to decide whether it is read.
    ///
    /// # Errors
    /// If the system fails.
    pub fn examine(&self, path: &Path) -> io::Result<ExaminedFile> {
        if let Some(store) = &self.store {
            let (reader, size) = store.open(path)?;
            return Ok(ExaminedFile {
                file: OpenFile::Stored(reader),
                size: Some(size),
                standing: FileUse::Input,
            });
        }
        let file = File::open(path)?;
        let metadata = file.metadata().ok();
        let size = metadata.as_ref().map(Metadata::len);
        Ok(ExaminedFile {
            standing: self.use_of(path, metadata),
            file: match self.watch.get() {
                Some(watch) => {
                    let size = size.unwrap_or_default();
                    OpenFile::Stored(Box::new(CountedFile::new(file, size, watch)))
                }
                None => OpenFile::File(file),
            },
            size,
        })
    }

    fn use_of(&self, path: &Path, metadata: Option<Metadata>) -> FileUse {
        if self.targets.is_empty() {
            return FileUse::Input;
        }
        let Some(id) = metadata.and_then(|metadata| FileId::new(path, &metadata)) else {
            return FileUse::Input;
        };
        let temporaries = self.temporaries.read();
        if temporaries
            .unwrap_or_else(PoisonError::into_inner)
            .contains(&id)
        {
            FileUse::Unfinished
        } else if self.target_with(&id).is_some() {
            FileUse::Replaced
        } else {
            FileUse::Input
        }
    }

    /// Ends the run if an output would replace this file, which is read.
    pub fn record_read(&self, path: &Path, role: Role) {
        if let Some(target) = self.target_of(path, || fs::metadata(path).ok()) {
            // The error is kept for the end of the run.
            let _ = self.refuse(target, path, role);
        }
    }

    /// Whether an output would replace the file at `path`.
    #[must_use]
    pub fn replaces(&self, path: &Path) -> bool {
        self.target_of(path, || fs::metadata(path).ok()).is_some()
    }

    /// The names in a directory of an input tree. No output may replace one of its files, opened or
    /// not.
    ///
    /// # Errors
    /// If the system fails.
    pub fn list(&self, directory: &Path) -> io::Result<Vec<Entry>> {
        if let Some(store) = &self.store {
            let names = store.list(directory)?.into_iter();
            let entries = names.map(|(name, is_folder)| Entry {
                name,
                kind: if is_folder {
                    EntryKind::Directory
                } else {
                    EntryKind::File
                },
                inode: None,
            });
            return Ok(entries.collect());
        }
        self.keep_reports_out_of(directory);
        fs::read_dir(directory)?
            .map(|entry| {
                let entry = entry?;
                let file_type = entry.file_type()?;
                if file_type.is_file() && self.targets.iter().any(|target| target.may_be(&entry)) {
                    self.record_listed(&entry.path());
                }
                #[cfg(unix)]
                let inode = Some(std::os::unix::fs::DirEntryExt::ino(&entry));
                #[cfg(not(unix))]
                let inode = None;
                Ok(Entry {
                    name: entry.file_name(),
                    kind: EntryKind::from_file_type(file_type),
                    inode,
                })
            })
            .collect()
    }

    /// Notes that a report would be in this listed folder, and ends the run if it is one of a tree that no
    /// report may be in.
    fn keep_reports_out_of(&self, folder: &Path) {
        let targets = self.targets.iter().enumerate();
        let mut reports = targets.filter(|(_, target)| target.is_report());
        let mut id = None;
        let is_in = |(_, target): &(usize, &OutputTarget)| {
            let id = id.get_or_insert_with(|| FileId::from_path(folder));
            id.is_some() && target.folder == *id
        };
        let Some((index, report)) = reports.find(is_in) else {
            return;
        };
        let mut trees = self.trees.get().into_iter().flatten();
        if trees.any(|tree| folder.starts_with(tree)) {
            // Kept for the end of the run.
            let _ = self.refuse(report, folder, Role::ListedFolder);
        }
        let folders = self.report_folders.write();
        let mut folders = folders.unwrap_or_else(PoisonError::into_inner);
        folders.push((index, folder.to_owned()));
    }

    /// Ends the run if an output would replace this file of a tree.
    pub fn record_listed(&self, path: &Path) {
        if let Some(target) = self.target_of(path, || fs::metadata(path).ok())
            && !target.updates
        {
            let _ = self.refuse(target, path, Role::Listed);
        }
    }

    /// The first file that was read and would be replaced.
    #[must_use]
    pub fn conflict(&self) -> Option<&OutputConflict> {
        self.clash.get()
    }

    /// # Errors
    /// If a file was read that an output would replace.
    pub fn check_conflicts(&self) -> Result<(), OutputError> {
        match self.conflict() {
            Some(clash) => Err(clash.clone().into()),
            None => Ok(()),
        }
    }

    fn target_of(
        &self,
        path: &Path,
        metadata: impl FnOnce() -> Option<Metadata>,
    ) -> Option<&OutputTarget> {
        // Without existing outputs, reading costs nothing more.
        if !self.targets.iter().any(OutputTarget::exists) {
            return None;
        }
        self.target_with(&FileId::new(path, &metadata()?)?)
    }

    fn target_with(&self, id: &FileId) -> Option<&OutputTarget> {
        self.targets.iter().find(
            |target| matches!(&target.place, Some(OutputIdentity::Existing(own)) if own == id),
        )
    }

    fn refuse(&self, target: &OutputTarget, path: &Path, role: Role) -> io::Result<()> {
        if target.updates && role == Role::Baseline {
            return Ok(());
        }
        let clash = OutputConflict {
            path: path.to_owned(),
            role,
            output: target.label.clone(),
        };
        let error = io::Error::other(clash.in_words());
        // The run ends anyway, so it does not matter which of several conflicts is kept.
        let _ = self.clash.set(clash);
        Err(error)
    }
}

/// The path that a symbolic link holds.
///
/// # Errors
/// If the system fails.
pub fn read_link(path: &Path) -> io::Result<PathBuf> {
    fs::read_link(path)
}
