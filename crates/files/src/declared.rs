//! The outputs of a run, declared before it reads anything.

use std::fs::{self, Metadata};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError};

use super::failed::OutputError;
use super::identity::FileId;
use super::ledger::Files;
use super::target::{OutputIdentity, OutputTarget, WriteMode};

/// An output of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeclaredOutput {
    /// The option that requests it, as the user writes it.
    pub option: String,
    /// Where it goes.
    pub goal: OutputGoal,
}

/// Where an output goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OutputGoal {
    /// To standard output.
    Stdout,
    /// To a file, replaced at the end of the run.
    File(PathBuf),
    /// To a file that may be the baseline that is read, if there is one.
    Baseline(PathBuf, Option<PathBuf>),
    /// Into a new folder.
    Folder(PathBuf),
}

impl Files {
    /// The files of a run that writes these outputs. Nothing is created yet.
    ///
    /// # Errors
    /// If an output cannot be written where it is wanted, or if two lead to one file.
    pub fn writing(outputs: Vec<DeclaredOutput>) -> Result<Arc<Self>, OutputError> {
        let mut targets: Vec<OutputTarget> = Vec::new();
        for output in outputs {
            let target = OutputTarget::new(output)?;
            if let Some(other) = targets.iter().find(|other| other.overlaps(&target)) {
                return Err(OutputError::SamePlace {
                    first: other.label.clone(),
                    second: target.label,
                });
            }
            targets.push(target);
        }
        Ok(Arc::new(Self {
            targets,
            ..Self::default()
        }))
    }

    /// Whether standard output, by that name or as `/dev/stdout`, is a file that had content when
    /// the run began. Results are then appended to it before all inputs are known.
    #[must_use]
    pub fn appends(&self) -> bool {
        self.targets.iter().any(|target| {
            let file = match target.to {
                WriteMode::Stdout => stdout_metadata(),
                WriteMode::InPlace => target
                    .named
                    .as_ref()
                    .and_then(|path| fs::metadata(path).ok()),
                WriteMode::TemporaryFile(_) | WriteMode::Folder(_) => None,
            };
            file.is_some_and(|file| file.is_file() && file.len() > 0)
        })
    }

    /// Refuses an output that would be a file of one of these trees. A new baseline may be.
    ///
    /// # Errors
    /// If an output would be a file of one of the trees.
    pub fn keep_out_of(&self, trees: &[PathBuf]) -> Result<(), OutputError> {
        let ids = trees.iter().map(|tree| FileId::from_path(tree));
        let roots: Vec<(Option<FileId>, &PathBuf)> = ids.zip(trees).collect();
        for target in self.targets.iter().filter(|target| target.is_report()) {
            let WriteMode::TemporaryFile(path) = &target.to else {
                continue;
            };
            let Ok(folder) = fs::canonicalize(folder_of(path)) else {
                continue;
            };
            // By identity, since a tree can be mounted in two places.
            let above: Vec<FileId> = folder.ancestors().filter_map(FileId::from_path).collect();
            let mut roots = roots.iter();
            let tree = roots.find(|(id, _)| id.as_ref().is_some_and(|id| above.contains(id)));
            if let Some((_, tree)) = tree {
                return Err(OutputError::ReportInTree {
                    output: target.shown(),
                    tree: (*tree).clone(),
                });
            }
        }
        // A folder of a tree can be mounted elsewhere, too: those that are listed later are compared then.
        let _ = self.trees.set(trees.to_vec());
        let folders = self.report_folders.read();
        for (index, folder) in &*folders.unwrap_or_else(PoisonError::into_inner) {
            let tree = trees.iter().find(|tree| folder.starts_with(tree));
            if let (Some(tree), Some(target)) = (tree, self.targets.get(*index)) {
                return Err(OutputError::ReportInTree {
                    output: target.shown(),
                    tree: tree.clone(),
                });
            }
        }
        Ok(())
    }
}

impl OutputTarget {
    fn new(output: DeclaredOutput) -> Result<Self, OutputError> {
        let DeclaredOutput { option, goal } = output;
        let mut target = Self {
            label: option.clone(),
            named: None,
            to: WriteMode::Stdout,
            place: None,
            folder: None,
            is_baseline: matches!(goal, OutputGoal::Baseline(..)),
            updates: false,
            permissions: None,
            has_other_names: false,
            is_file: true,
        };
        match goal {
            OutputGoal::Stdout => {
                let stdout = stdout_metadata();
                target.is_file = stdout.as_ref().is_some_and(Metadata::is_file);
                target.place = stdout.and_then(|file| shared(Path::new("-"), &file));
            }
            OutputGoal::File(path) => target.lead_to(&option, path)?,
            OutputGoal::Baseline(path, old) => {
                target.lead_to(&option, path)?;
                let old = old.and_then(|old| existing(&old));
                target.updates = old.is_some() && old == target.place;
            }
            OutputGoal::Folder(path) => {
                target.label = format!("{option} {}", path.display());
                let folder = fs::canonicalize(&path).unwrap_or_else(|_| path.clone());
                target.place = existing(&folder).or_else(|| new_name(&folder));
                target.to = WriteMode::Folder(folder);
                target.named = Some(path);
            }
        }
        Ok(target)
    }

    fn lead_to(&mut self, option: &str, path: PathBuf) -> Result<(), OutputError> {
        let shown = path.display();
        self.label = if option.ends_with('=') {
            format!("{option}{shown}")
        } else {
            format!("{option} {shown}")
        };
        let failed = |error| OutputError::io(&shown, error);
        match regular_target(&path).map_err(failed)? {
            None => {
                self.to = WriteMode::InPlace;
                let metadata = fs::metadata(&path).ok();
                self.place = metadata.and_then(|metadata| shared(&path, &metadata));
            }
            Some(file) => {
                if let Ok(metadata) = fs::metadata(&file) {
                    self.has_other_names = has_other_names(&metadata);
                    self.permissions = Some(metadata.permissions());
                    self.place = FileId::new(&file, &metadata).map(OutputIdentity::Existing);
                } else {
                    self.place = new_name(&file);
                }
                self.folder = FileId::from_path(folder_of(&file));
                self.to = WriteMode::TemporaryFile(file);
            }
        }
        self.named = Some(path);
        Ok(())
    }

    /// The output in messages about it.
    pub(super) fn shown(&self) -> String {
        match &self.named {
            Some(path) => path.display().to_string(),
            None => "standard output".to_owned(),
        }
    }

    /// Whether both write to the same place, or one is inside the other.
    fn overlaps(&self, other: &Self) -> bool {
        let is_within = |file: &Self, folder: &Self| match (&file.to, &folder.to) {
            (WriteMode::TemporaryFile(file), WriteMode::Folder(folder)) => {
                fs::canonicalize(folder_of(file)).is_ok_and(|own| {
                    fs::canonicalize(folder).is_ok_and(|folder| own.starts_with(folder))
                })
            }
            _ => false,
        };
        self.place.is_some() && self.place == other.place
            || is_within(self, other)
            || is_within(other, self)
    }
}

fn stdout_metadata() -> Option<Metadata> {
    #[cfg(unix)]
    let metadata = super::identity::metadata_of(&io::stdout());
    #[cfg(not(unix))]
    let metadata = None;
    metadata
}

/// The identity of a file or pipe; terminals and other devices are shared by many outputs.
#[cfg(unix)]
fn shared(path: &Path, metadata: &Metadata) -> Option<OutputIdentity> {
    use std::os::unix::fs::FileTypeExt;
    let kind = metadata.file_type();
    (!kind.is_char_device() && !kind.is_block_device())
        .then(|| FileId::new(path, metadata).map(OutputIdentity::Existing))?
}

#[cfg(not(unix))]
fn shared(path: &Path, metadata: &Metadata) -> Option<OutputIdentity> {
    let id = metadata.is_file().then(|| FileId::new(path, metadata))?;
    id.map(OutputIdentity::Existing)
}

fn existing(path: &Path) -> Option<OutputIdentity> {
    let metadata = fs::metadata(path).ok()?;
    FileId::new(path, &metadata).map(OutputIdentity::Existing)
}

/// The identity of a file that does not exist: its directory's, and its name.
fn new_name(path: &Path) -> Option<OutputIdentity> {
    let id = FileId::from_path(folder_of(path))?;
    Some(OutputIdentity::New(id, path.file_name()?.to_owned()))
}

#[cfg(unix)]
fn has_other_names(metadata: &Metadata) -> bool {
    std::os::unix::fs::MetadataExt::nlink(metadata) > 1
}

#[cfg(not(unix))]
fn has_other_names(_metadata: &Metadata) -> bool {
    true
}

/// The directory that a file is in.
pub(super) fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

/// The longest chain of symbolic links that Linux follows.
const MOST_LINKS: usize = 40;

/// The regular file that the path leads to, existing or not; `None` if it leads to something that
/// is written in place.
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

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    /// A symbolic link stands for a mount, which takes privileges.
    #[test]
    fn report_kept_out_of_a_tree_by_another_path() {
        let place = tempfile::tempdir().unwrap();
        let path = |name: &str| place.path().join(name);
        fs::create_dir_all(path("tree")).unwrap();
        fs::create_dir(path("elsewhere")).unwrap();
        std::os::unix::fs::symlink(path("elsewhere"), path("tree/folder")).unwrap();
        let files = |report: &str| {
            let output = DeclaredOutput {
                option: "-o".to_owned(),
                goal: OutputGoal::File(path(report)),
            };
            Files::writing(vec![output]).unwrap()
        };
        let trees = [path("tree")];
        let listed_first = files("elsewhere/report");
        listed_first.list(&path("tree/folder")).unwrap();
        assert!(listed_first.keep_out_of(&trees).is_err());
        let listed_later = files("elsewhere/report");
        listed_later.keep_out_of(&trees).unwrap();
        assert!(listed_later.check_conflicts().is_ok());
        listed_later.list(&path("tree/folder")).unwrap();
        assert!(listed_later.check_conflicts().is_err());
        let beside = files("report");
        beside.list(&path("tree/folder")).unwrap();
        beside.keep_out_of(&trees).unwrap();
        beside.list(&path("elsewhere")).unwrap();
        assert!(beside.check_conflicts().is_ok());
    }

    #[test]
    fn head_is_read_unless_an_output_may_replace_the_file() {
        let place = tempfile::tempdir().unwrap();
        let path = |name: &str| place.path().join(name);
        fs::write(path("image"), b"0123456789").unwrap();
        let head = |files: &Files| files.head(&path("image"), 4);
        assert_eq!(head(&Files::default()).as_deref(), Some(&b"0123"[..]));
        assert_eq!(Files::default().head(&path("missing"), 4), None);
        let writing = |report: &str| {
            let output = DeclaredOutput {
                option: "-o".to_owned(),
                goal: OutputGoal::File(path(report)),
            };
            Files::writing(vec![output]).unwrap()
        };
        assert!(head(&writing("new")).is_some());
        assert_eq!(head(&writing("image")), None);
        let watched = Files::default();
        watched.watch(|_| {});
        assert_eq!(head(&watched), None);
    }
}
