//! A new folder: built under a temporary name next to its target, and moved there when complete.

use std::collections::{HashMap, HashSet};
use std::ffi::OsString;
use std::fs::{self, File, Metadata, OpenOptions, Permissions};
use std::io::{self, Write};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use super::declared::folder_of;
use super::failed::OutputError;
use super::identity::FileId;
use super::ledger::Files;
use super::role::Role;
use super::signals;
use super::store::OpenFile;
use super::target::WriteMode;
use super::temporary;

/// A folder that is being built.
pub struct NewFolder {
    files: Arc<Files>,
    /// The path as the user named it.
    name: PathBuf,
    /// Its final path.
    target: PathBuf,
    /// Its temporary path.
    building: PathBuf,
    /// Whether it was moved into place.
    is_placed: bool,
    /// The permissions of its folders, set at the end, since no files can be created in a read-only
    /// folder.
    modes: Vec<(PathBuf, Permissions)>,
    left_out: Vec<NotCopied>,
    /// The copied files by their paths in the new folder, since an input may be named twice.
    copied: HashMap<PathBuf, FileId>,
    // Dropped after the folder is gone.
    registered: Option<signals::CleanupEntry>,
    _lock: File,
}

/// An entry of a tree that was not copied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotCopied {
    /// Its path in the tree that was copied.
    pub path: PathBuf,
    /// Its kind.
    pub what: &'static str,
}

/// The edited bytes of a file, by its path as reached; `None` for a file without edits. It is
/// called when the file is copied, so that one file at a time is in memory.
pub type Edited<'e> = dyn Fn(&Path) -> Option<io::Result<Vec<u8>>> + 'e;

/// The options of a copy.
pub struct FolderCopy<'c> {
    /// The canonical path of the tree, by which links that leave it are recognised.
    root: Option<PathBuf>,
    /// Whether links that leave it are followed.
    follow: bool,
    edited: &'c Edited<'c>,
    /// The folders that are being copied, if links can lead back to one.
    entered: HashSet<FileId>,
}

impl Files {
    /// Begins to build the declared folder at `path`.
    ///
    /// # Errors
    /// If the path exists already, or no folder can be made next to it.
    pub fn build(self: &Arc<Self>, path: &Path) -> Result<NewFolder, OutputError> {
        let failed = |error| OutputError::io(&path.display(), error);
        let mut targets = self.targets.iter();
        let target = targets.find_map(|target| match &target.to {
            WriteMode::Folder(folder) if target.named.as_deref() == Some(path) => {
                Some(folder.clone())
            }
            _ => None,
        });
        let target = target.ok_or_else(|| io::Error::other("this output was not declared"));
        let target = target.map_err(failed)?;
        if std::env::current_dir().is_ok_and(|here| here == target) {
            let text = "is the current folder: name a new one";
            return Err(failed(io::Error::other(text)));
        }
        self.begin_folder(path, target).map_err(failed)
    }

    fn begin_folder(self: &Arc<Self>, path: &Path, target: PathBuf) -> io::Result<NewFolder> {
        let signals = signals::hold_to_create()?;
        let building = temporary::create(folder_of(&target), |path| {
            fs::create_dir(path)?;
            File::open(path)
        })?;
        let (lock, building) = building.keep().map_err(io::Error::from)?;
        let registered = signals.register(&building)?;
        let mode = fs::metadata(if target.exists() { &target } else { &building })?.permissions();
        #[cfg(unix)]
        {
            // Private until the folder has its permissions.
            use std::os::unix::fs::PermissionsExt;
            fs::set_permissions(&building, Permissions::from_mode(0o700))?;
        }
        Ok(NewFolder {
            files: Arc::clone(self),
            name: path.to_owned(),
            modes: vec![(building.clone(), mode)],
            target,
            building,
            is_placed: false,
            left_out: Vec::new(),
            copied: HashMap::new(),
            registered: Some(registered),
            _lock: lock,
        })
    }
}

/// Checks that a folder does not exist or is empty, and is not in one of the trees.
///
/// # Errors
/// If it is not suitable, or the system refuses to say.
pub fn is_suitable(folder: &Path, trees: &[&Path]) -> Result<(), OutputError> {
    if let Ok(mut entries) = fs::read_dir(folder)
        && entries.next().is_some()
    {
        return Err(OutputError::FolderNotEmpty(folder.to_owned()));
    }
    if fs::symlink_metadata(folder).is_ok() && !folder.is_dir() {
        return Err(OutputError::NotFolder(folder.to_owned()));
    }
    let near = fs::canonicalize(folder)
        .or_else(|_| fs::canonicalize(folder_of(folder)))
        .map_err(|error| OutputError::io(&folder.display(), error))?;
    for tree in trees {
        let root =
            fs::canonicalize(tree).map_err(|error| OutputError::io(&tree.display(), error))?;
        if near.starts_with(&root) {
            return Err(OutputError::FolderInTree(folder.to_owned()));
        }
    }
    Ok(())
}

impl<'c> FolderCopy<'c> {
    /// A copy of `tree`, if there is one, with edits. `follow` says whether links that leave the tree are
    /// followed.
    #[must_use]
    pub fn new(tree: Option<&Path>, follow: bool, edited: &'c Edited<'c>) -> Self {
        Self {
            root: tree.and_then(|tree| fs::canonicalize(tree).ok()),
            follow,
            edited,
            entered: HashSet::new(),
        }
    }
}

impl NewFolder {
    /// The entries that were not copied.
    #[must_use]
    pub fn left_out(&self) -> &[NotCopied] {
        &self.left_out
    }

    /// Copies a file, or a directory with all that is in it, to a path below the new folder. Files
    /// with edits get their new bytes; every file and folder keeps its permissions.
    ///
    /// # Errors
    /// If something cannot be read or written, or if two inputs have the same path.
    pub fn copy(
        &mut self,
        from: &Path,
        below: &Path,
        mut how: FolderCopy<'_>,
    ) -> Result<(), OutputError> {
        let mut place = self.building.clone();
        let mut above = below.components().peekable();
        while let Some(name) = above.next() {
            place.push(name);
            if above.peek().is_some() {
                self.folder(&place)?;
            }
        }
        self.entry(from, &place, 0, true, &mut how)
    }

    fn failed(&self, place: &Path, error: io::Error) -> OutputError {
        let below = place.strip_prefix(&self.building).unwrap_or(place);
        if error.kind() == io::ErrorKind::AlreadyExists {
            let error = io::Error::other("two inputs have this name in the new folder");
            return OutputError::io(&below.display(), error);
        }
        OutputError::io(&self.name.join(below).display(), error)
    }

    fn folder(&self, place: &Path) -> Result<(), OutputError> {
        let signals = signals::hold();
        let made = fs::create_dir(place);
        drop(signals);
        match made {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && place.is_dir() => Ok(()),
            made => made.map_err(|error| self.failed(place, error)),
        }
    }

    fn leave_out(&mut self, path: &Path, what: &'static str) {
        self.left_out.push(NotCopied {
            path: path.to_owned(),
            what,
        });
    }

    /// Copies the file, folder or link `from`, which is `depth` folders below the root of its tree.
    fn entry(
        &mut self,
        from: &Path,
        place: &Path,
        depth: usize,
        is_named: bool,
        how: &mut FolderCopy<'_>,
    ) -> Result<(), OutputError> {
        let unread = |error| OutputError::io(&from.display(), error);
        let mut metadata = fs::symlink_metadata(from).map_err(unread)?;
        if metadata.is_symlink() {
            if !is_named && let Some(link) = Self::link(from, depth, how).map_err(unread)? {
                return self.put_link(&link, place);
            }
            match fs::metadata(from) {
                Ok(there) if is_named || how.follow => metadata = there,
                _ => {
                    self.leave_out(from, "a symbolic link that leads out of the tree");
                    return Ok(());
                }
            }
        }
        if metadata.is_dir() {
            self.directory(from, place, depth, &metadata, how)
        } else if metadata.is_file() {
            self.file(from, place, &metadata, how)
        } else {
            self.leave_out(from, special(&metadata));
            Ok(())
        }
    }

    fn directory(
        &mut self,
        from: &Path,
        place: &Path,
        depth: usize,
        metadata: &Metadata,
        how: &mut FolderCopy<'_>,
    ) -> Result<(), OutputError> {
        let id = FileId::new(from, metadata).filter(|_| how.follow);
        if let Some(id) = &id
            && !how.entered.insert(id.clone())
        {
            self.leave_out(from, "a symbolic link back to a folder that it is in");
            return Ok(());
        }
        self.folder(place)?;
        self.modes.retain(|(other, _)| other != place);
        self.modes.push((place.to_owned(), metadata.permissions()));
        let names = fs::read_dir(from).and_then(|entries| {
            let names = entries.map(|entry| Ok(entry?.file_name()));
            names.collect::<io::Result<Vec<OsString>>>()
        });
        let mut names = names.map_err(|error| OutputError::io(&from.display(), error))?;
        names.sort();
        for name in names {
            self.entry(&from.join(&name), &place.join(&name), depth + 1, false, how)?;
        }
        if let Some(id) = id {
            how.entered.remove(&id);
        }
        Ok(())
    }

    fn file(
        &mut self,
        from: &Path,
        place: &Path,
        metadata: &Metadata,
        how: &FolderCopy<'_>,
    ) -> Result<(), OutputError> {
        let id = FileId::new(from, metadata);
        if id.is_some() && self.copied.get(place) == id.as_ref() {
            return Ok(());
        }
        let edited = (how.edited)(from);
        let failed = |error| self.failed(place, error);
        let signals = signals::hold();
        let to = OpenOptions::new().write(true).create_new(true).open(place);
        drop(signals);
        let mut to = to.map_err(failed)?;
        if let Some(edited) = edited {
            let bytes = edited.map_err(|error| OutputError::io(&from.display(), error))?;
            to.write_all(&bytes).map_err(failed)?;
        } else {
            // The system copies from file to file by itself.
            match self.open(from)? {
                OpenFile::File(mut read) => io::copy(&mut read, &mut to),
                OpenFile::Stored(mut read) => io::copy(&mut read, &mut to),
            }
            .map_err(failed)?;
        }
        to.set_permissions(metadata.permissions()).map_err(failed)?;
        self.copied.extend(id.map(|id| (place.to_owned(), id)));
        Ok(())
    }

    fn open(&self, from: &Path) -> Result<OpenFile, OutputError> {
        let opened = self.files.open(from, Role::Document);
        opened.map_err(|error| OutputError::io(&from.display(), error))
    }

    /// The target for the copy of a link, if it leads into the tree. A target that would lead back into
    /// the old tree is rewritten.
    fn link(from: &Path, depth: usize, how: &FolderCopy<'_>) -> io::Result<Option<PathBuf>> {
        let link = fs::read_link(from)?;
        let Some(root) = &how.root else {
            return Ok(None);
        };
        let there = match fs::canonicalize(from) {
            Ok(there) => there,
            // Its target is missing, or it leads back to itself, as it will in the copy.
            Err(_) if stays_within(depth, &link) => return Ok(Some(link)),
            Err(_) => return Ok(None),
        };
        let Ok(below) = there.strip_prefix(root) else {
            return Ok(None);
        };
        if stays_within(depth, &link) {
            return Ok(Some(link));
        }
        let mut anew: PathBuf = (1..depth).map(|_| Component::ParentDir).collect();
        anew.push(below);
        if anew.as_os_str().is_empty() {
            anew.push(Component::CurDir);
        }
        Ok(Some(anew))
    }

    #[cfg(unix)]
    fn put_link(&self, link: &Path, place: &Path) -> Result<(), OutputError> {
        let signals = signals::hold();
        let made = std::os::unix::fs::symlink(link, place);
        drop(signals);
        made.map_err(|error| self.failed(place, error))
    }

    /// Departs: Windows needs to know whether it leads to a folder, and a privilege.
    #[cfg(not(unix))]
    fn put_link(&self, _link: &Path, place: &Path) -> Result<(), OutputError> {
        let error = io::Error::other("symbolic links cannot be copied on this system");
        Err(self.failed(place, error))
    }

    /// Sets the permissions of the folders, and moves the folder into place. Signals must be held
    /// off.
    pub(super) fn appear(mut self) -> (Self, Result<(), OutputError>) {
        let placed = self.set_modes().and_then(|()| {
            if cfg!(not(unix)) && self.target.exists() {
                // Unix replaces an empty folder by renaming.
                fs::remove_dir(&self.target)?;
            }
            fs::rename(&self.building, &self.target)
        });
        self.is_placed = placed.is_ok();
        let failed = placed.map_err(|error| OutputError::io(&self.name.display(), error));
        (self, failed)
    }

    fn set_modes(&self) -> io::Result<()> {
        let mut modes = self.modes.iter().rev();
        modes.try_for_each(|(place, mode)| fs::set_permissions(place, mode.clone()))
    }
}

impl Drop for NewFolder {
    fn drop(&mut self) {
        if !self.is_placed {
            // The run has failed, and says why.
            let _ = signals::remove(&self.building);
        }
        self.registered = None;
    }
}

/// Whether the path that a link holds, as written, never leaves the tree; the link is `depth` names
/// below its root.
fn stays_within(depth: usize, link: &Path) -> bool {
    let mut depth = depth.saturating_sub(1);
    link.components().all(|component| match component {
        Component::Normal(_) => {
            depth += 1;
            true
        }
        Component::CurDir => true,
        Component::ParentDir => {
            let is_within = depth > 0;
            depth = depth.saturating_sub(1);
            is_within
        }
        Component::RootDir | Component::Prefix(_) => false,
    })
}

#[cfg(unix)]
fn special(metadata: &Metadata) -> &'static str {
    use std::os::unix::fs::FileTypeExt;
    let kind = metadata.file_type();
    if kind.is_fifo() {
        "a named pipe"
    } else if kind.is_socket() {
        "a socket"
    } else {
        "a device"
    }
}

#[cfg(not(unix))]
fn special(_metadata: &Metadata) -> &'static str {
    "not a regular file"
}
