//! Where edits go: into a patch, or into a folder with a fixed copy of the whole tree.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::hash::{DefaultHasher, Hasher};
use std::io;
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::cli::counts::count;
use crate::cli::error::CommandError;
use crate::cli::message::Message;
use baseref_files::output::OutputFile;
use baseref_files::{FileId, Files, OutputError, Role, folder};
use baseref_rewrite::edit::{self, Edit};
use baseref_rewrite::rewriting::UnchangedLink;

/// Where fixed files go.
pub(super) enum FixTarget {
    /// As a patch to the output.
    Patch,
    /// Into this folder.
    Folder(PathBuf),
}

impl FixTarget {
    /// Interprets `--fix`, given the trees that are read.
    ///
    /// # Errors
    /// If it names an unsuitable folder.
    pub(super) fn new(argument: &str, trees: &[&Path]) -> Result<Self, CommandError> {
        if argument == "patch" {
            return Ok(Self::Patch);
        }
        let path = Path::new(argument);
        folder::is_suitable(path, trees)?;
        Ok(Self::Folder(path.to_owned()))
    }
}

/// The form in which a fixed file is kept until the end of the run.
pub(super) enum FixedFile {
    /// Its patch.
    Patch(Vec<u8>),
    /// Its edits, for the copy.
    Edits(FileEdits),
}

impl FixedFile {
    /// Its patch; empty if it has none.
    pub(super) fn patch(&self) -> &[u8] {
        match self {
            Self::Patch(patch) => patch,
            Self::Edits(_) => &[],
        }
    }
}

/// The edits of one file. Its bytes are read again when it is copied: all fixed files together would
/// be as large as the tree.
pub(super) struct FileEdits {
    edits: Vec<Edit>,
    /// The hash of the bytes that the edits apply to.
    digest: u64,
}

impl FileEdits {
    fn new(bytes: &[u8], edits: Vec<Edit>) -> Self {
        Self {
            edits,
            digest: digest(bytes),
        }
    }

    /// The fixed file.
    ///
    /// # Errors
    /// If it cannot be read, or has changed.
    pub(super) fn applied(&self, path: &Path, files: &Files) -> io::Result<Vec<u8>> {
        let bytes = files.read(path, Role::Document)?;
        let fixed = Some(&bytes).filter(|bytes| digest(bytes) == self.digest);
        let fixed = fixed.and_then(|bytes| edit::applied(bytes, &mut self.edits.clone()));
        fixed.ok_or_else(|| io::Error::other("was changed while the tree was read"))
    }
}

fn digest(bytes: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    hasher.write(bytes);
    hasher.finish()
}

/// Sorts the edits of one file, and makes its patch or keeps them.
pub(super) fn mended(
    fixing: &FixTarget,
    name: &[u8],
    bytes: &[u8],
    edits: &mut Vec<Edit>,
) -> FixedFile {
    if edit::applied(bytes, edits).is_none() {
        edits.clear();
    }
    match fixing {
        FixTarget::Patch => FixedFile::Patch(edit::unified(name, bytes, edits)),
        FixTarget::Folder(_) => FixedFile::Edits(FileEdits::new(bytes, edits.clone())),
    }
}

/// The replacement character for malformed UTF-8 in names.
pub(super) const UNREADABLE: char = char::REPLACEMENT_CHARACTER;

/// The files that are edited, by the names of their documents.
pub(super) struct Originals<'f> {
    files: &'f Files,
    /// The paths that the user named. Symbolic links among them are followed.
    named: HashSet<PathBuf>,
    /// Whether links are followed.
    follow: bool,
    /// The paths that are not UTF-8, by their names in messages, which may be the same for several.
    unreadable: Mutex<BTreeMap<String, Vec<PathBuf>>>,
    /// The number of links that were not edited.
    links: Mutex<u64>,
}

/// Whether a document can be edited.
pub(super) enum Original {
    /// It is the content of the file at each of these paths.
    Stored(Vec<PathBuf>),
    /// The file is compressed.
    Packed,
    /// The file is a symbolic link found in a tree. Its target may be outside the tree, and is not
    /// edited.
    Linked,
}

impl<'f> Originals<'f> {
    pub(super) fn new(files: &'f Files, named: &[PathBuf], follow: bool) -> Self {
        Self {
            files,
            named: named.iter().cloned().collect(),
            follow,
            unreadable: Mutex::default(),
            links: Mutex::default(),
        }
    }

    /// Remembers a path whose name in messages does not lead to it.
    pub(super) fn note(&self, path: &Path) {
        let name = path.to_string_lossy();
        if name.contains(UNREADABLE) {
            let mut unreadable = held(&self.unreadable);
            let paths = unreadable.entry(name.into_owned()).or_default();
            paths.push(path.to_owned());
        }
    }

    /// The original of a document with these bytes.
    pub(super) fn original(&self, input: &str, bytes: &[u8]) -> Original {
        if input == "-" {
            return Original::Stored(vec![PathBuf::from(input)]);
        }
        let mut paths = self.paths(input);
        if !self.follow {
            let is_link = |path: &PathBuf| !self.named.contains(path) && path.is_symlink();
            paths.retain(|path| !is_link(path));
            if paths.is_empty() {
                *held(&self.links) += 1;
                return Original::Linked;
            }
        }
        match &paths[..] {
            [path] if !is_as_long(path, bytes) => return Original::Packed,
            [_] => {}
            // Files with the same name in messages and the same content are edited alike.
            _ => paths.retain(|path| {
                let stored = self.files.read(path, Role::Document);
                is_as_long(path, bytes) && stored.is_ok_and(|stored| stored == bytes)
            }),
        }
        if paths.is_empty() {
            Original::Packed
        } else {
            Original::Stored(paths)
        }
    }

    fn paths(&self, input: &str) -> Vec<PathBuf> {
        let unreadable = held(&self.unreadable);
        match unreadable.get(input) {
            Some(paths) => paths.clone(),
            // A link with such a name is not among the files of a tree.
            None if input.contains(UNREADABLE) && !Path::new(input).exists() => Vec::new(),
            None => vec![PathBuf::from(input)],
        }
    }

    /// How many links were not edited.
    pub(super) fn account(&self) -> Option<Message> {
        let links = *held(&self.links);
        (links > 0).then(|| {
            let links = count(links, "symbolic link", "symbolic links");
            let text = format!("{links} not edited, only files of the tree itself are");
            Message::info("not-edited", text)
        })
    }
}

fn held<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Whether the file contains the bytes as read, that is, is not compressed.
fn is_as_long(path: &Path, bytes: &[u8]) -> bool {
    let length = path.metadata().map(|metadata| metadata.len());
    length.is_ok_and(|length| length == bytes.len() as u64)
}

/// Where the inputs of a run are in a patch, or in a new folder.
pub(super) struct Layout {
    paths: Vec<PathBuf>,
    /// The only input, if it is a directory: names in patches are relative to it.
    only: Option<PathBuf>,
    /// Whether links are followed.
    follow: bool,
}

impl Layout {
    pub(super) fn new(paths: &[PathBuf], follow: bool) -> Self {
        Self {
            paths: paths.to_vec(),
            only: match paths {
                [path] if path.is_dir() => Some(path.clone()),
                _ => None,
            },
            follow,
        }
    }

    /// The name of a file in a patch.
    pub(super) fn name(&self, path: &Path) -> Vec<u8> {
        let below = self.only.as_deref();
        let below = below.and_then(|directory| path.strip_prefix(directory).ok());
        let mut name = below.unwrap_or(path).as_os_str().as_encoded_bytes();
        while let Some(rest) = name.strip_prefix(b"./") {
            name = rest;
        }
        while let Some(rest) = name.strip_prefix(b"/") {
            name = rest;
        }
        name.to_vec()
    }

    /// Copies all inputs into a new folder, `edited` or not.
    ///
    /// # Errors
    /// If two inputs have one name there, or one has none, or it cannot be written.
    pub(super) fn copy(
        &self,
        files: &Arc<Files>,
        path: &Path,
        edited: &BTreeMap<PathBuf, FixedFile>,
    ) -> Result<folder::NewFolder, CommandError> {
        let edited = |path: &Path| match edited.get(path) {
            Some(FixedFile::Edits(edits)) => Some(edits.applied(path, files)),
            _ => None,
        };
        let mut folder = files.build(path)?;
        let mut directories = HashMap::new();
        for from in &self.paths {
            let below = match &self.only {
                Some(_) => PathBuf::new(),
                None => path_within(from)?,
            };
            let tree = from.is_dir().then_some(from.as_path());
            if let Some(tree) = tree
                && let Some(other) = directories.insert(below.clone(), id(tree))
                && other != id(tree)
            {
                return Err(CommandError::SameName(below));
            }
            let how = folder::FolderCopy::new(tree, self.follow, &edited);
            folder.copy(from, &below, how)?;
        }
        Ok(folder)
    }
}

fn id(path: &Path) -> Option<FileId> {
    FileId::new(path, &path.metadata().ok()?)
}

/// The path of a file in the folder that it is written to.
fn path_within(path: &Path) -> Result<PathBuf, CommandError> {
    let mut within = PathBuf::new();
    for component in path.components() {
        match component {
            Component::Normal(name) => within.push(name),
            Component::CurDir | Component::RootDir | Component::Prefix(_) => {}
            Component::ParentDir => {
                return Err(CommandError::OutsideFolder(path.to_owned()));
            }
        }
    }
    Ok(within)
}

/// Why nothing in some files is edited.
pub(super) const NOT_EDITED: &str =
    "mail and archives are not edited: signatures and digests would break";

/// Why a link is not changed.
pub(super) fn in_words(left: &UnchangedLink) -> String {
    if left.value.is_empty() {
        return left.why.to_owned();
    }
    format!("{:?} is left as it is: {}", left.value, left.why)
}

/// A message about files that were not copied into a new folder.
pub(super) fn left_out(folder: &folder::NewFolder) -> Vec<Message> {
    let left_out = folder.left_out();
    let mut messages: Vec<Message> = left_out
        .iter()
        .map(|left| {
            let text = format!("{}: {}, left out", left.path.display(), left.what);
            Message::info("left-out", text)
        })
        .collect();
    if !left_out.is_empty() {
        let text = format!(
            "{} left out of the new folder",
            count(left_out.len() as u64, "entry", "entries")
        );
        messages.push(Message::info("left-out", text));
    }
    messages
}

/// Moves an output into place that was `written`. A closed pipe is not an error.
pub(super) fn commit_written(
    output: OutputFile,
    written: io::Result<()>,
) -> Result<(), CommandError> {
    let name = output.name().to_owned();
    let done = written.and_then(|()| output.commit());
    let done = done.or_else(unless_closed);
    Ok(done.map_err(|error| OutputError::io(&name, error))?)
}

/// A closed pipe is not an error: the reader has had enough.
pub(super) fn unless_closed(error: io::Error) -> io::Result<()> {
    if error.kind() == io::ErrorKind::BrokenPipe {
        Ok(())
    } else {
        Err(error)
    }
}
