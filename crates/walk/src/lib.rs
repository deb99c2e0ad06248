//! Paths as a user names them to inputs, in a fixed order: folders are walked, standard input is read,
//! and each file is opened with its retrieval URLs.
//!
//! ```
//! // What `--files-from` reads: one path per line, or NUL-terminated paths if it contains a NUL.
//! let paths = baseref_walk::listed_paths(b"a.html\nb c.eml\n");
//! assert_eq!(paths.len(), 2);
//! assert_eq!(paths[1].to_str(), Some("b c.eml"));
//! ```
//!
//! [`Inputs`] gives one [`FileInput`] per file, which the crate `baseref-run` opens on its threads.
//! [`Walk`] says which files of a folder are wanted, [`RetrievalUrls`] which URLs they were retrieved
//! from, and [`sidecar`] reads the sources that the file system records for a file.
//!
//! Internal to baseref, and versioned with it.
//!
//! # What it does not do
//!
//! It reads no content beyond what decides the format, follows no links between pages, and leaves
//! opening files to the crate `baseref-files`.

mod directory;
mod foreign_format;
mod har_bodies;
mod httrack;
mod naming;
mod no_page;
mod retrieval;
mod snapshot;
mod split_zim;
mod store_files;
mod unpacked_book;
mod wacz_list;

pub mod sidecar;
pub mod skipped;

use std::collections::VecDeque;
use std::io::{Cursor, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub use self::directory::{HIDDEN, HTTRACK_CACHE, LINKED, PatternError, Walk, so_many};
use self::directory::{skipped_error, unread};
use self::har_bodies::HarBodies;
pub use self::naming::is_of_name;
pub use self::no_page::no_page_in;
pub use self::retrieval::{RetrievalUrls, is_capture_time, normal};
pub use self::snapshot::Snapshots;
use self::split_zim::Joined;
use self::store_files::StoreFiles;
pub use self::unpacked_book::is_unpacked_book;
pub use self::wacz_list::packages_listed_in;
use baseref_container::{
    Contents, Entity, EntityKind, Format, HEAD, Input, Reader, maildir, with_bodies,
};
use baseref_document::{Declaration, Limits, Origin};
use baseref_document::{ReadError, ReadErrorKind};
use baseref_files::{self as files, FileUse, Files, Role};
use baseref_run as run;

/// How files are opened.
#[derive(Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a choice of its own")]
pub struct Opening {
    /// The format given by the user.
    pub format: Option<Format>,
    /// Where they were retrieved from.
    pub retrieval: RetrievalUrls,
    /// Whether directories are sites. A file whose name suggests source code, a template, data or a
    /// backup then counts as no page, even if it begins like one.
    pub of_site: bool,
    /// Whether a package is a site of its own: see [`baseref_container::open_site`].
    pub packages: bool,
    /// Whether a file that is in no known format is an error of the kind
    /// [`ReadErrorKind::Unrecognised`] rather than nothing.
    pub tells_unrecognised: bool,
    /// Whether messages that a mail store has deleted but still holds are read.
    pub deleted: bool,
    /// The limits for each.
    pub limits: Limits,
    /// The name for standard input.
    pub stdin_name: Option<PathBuf>,
    /// The files of the run.
    pub files: Arc<Files>,
}

impl Opening {
    /// The retrieval URLs of a file; `None` stands for standard input.
    fn declarations(&self, file: Option<&PathBuf>) -> Vec<Declaration> {
        let file = file.map(PathBuf::as_path);
        self.retrieval.declarations(file, &self.files)
    }
}

/// A file, or standard input, to be read.
#[derive(Clone, Debug)]
pub struct FileInput {
    path: PathBuf,
    /// Whether the user named it; otherwise it was found in a directory.
    named: bool,
    /// Whether it was found because the user asked for files of such a name.
    asked_for: bool,
    /// If it is the folder of an unpacked EPUB, its files by their paths below it.
    members: Option<Vec<PathBuf>>,
    opening: Arc<Opening>,
}

/// The inputs in the order in which their documents are printed.
pub struct Inputs {
    named: VecDeque<PathBuf>,
    walk: Walk,
    walking: Option<DirectoryInputs>,
    opening: Arc<Opening>,
}

/// The files below one directory.
struct DirectoryInputs {
    root: PathBuf,
    files: Box<dyn Iterator<Item = Result<PathBuf, ReadError>> + Send>,
}

impl Inputs {
    /// The named paths in order; a directory is replaced by the files below it, in byte order of
    /// names.
    #[must_use]
    pub fn new(named: Vec<PathBuf>, walk: Walk, opening: Arc<Opening>) -> Self {
        Self {
            named: named.into(),
            walk,
            walking: None,
            opening,
        }
    }

    fn input(&self, path: PathBuf, named: bool) -> FileInput {
        FileInput::new(path, named, &self.opening)
    }
}

/// The total size in bytes of the files that the paths lead to, as far as known.
#[must_use]
pub fn total_size(paths: &[PathBuf], walk: &Walk) -> u64 {
    Inputs::new(paths.to_vec(), walk.clone(), Arc::default())
        .flatten()
        .filter_map(|input| input.path.metadata().ok())
        .map(|metadata| metadata.len())
        .sum()
}

/// Looks for an input that an output would replace, as far as that must be known before anything is
/// written: among the named paths, and if standard output appends to a file, also among those found
/// in directories. [`Files::conflict`] says whether there is one.
pub fn look_ahead(paths: &[PathBuf], walk: &Walk, opening: &Arc<Opening>) {
    let files = &opening.files;
    for path in paths {
        if is_stdin(path) {
            // What it was found to be is kept.
            let _ = files.stdin(Role::Document);
        } else if !path.is_dir() {
            files.record_read(path, Role::Document);
        }
    }
    if files.conflict().is_some() || !files.appends() {
        return;
    }
    for input in Inputs::new(paths.to_vec(), walk.clone(), Arc::clone(opening)).flatten() {
        if is_stdin(&input.path) {
            continue;
        }
        // Recorded sources are read, too.
        let _ = opening.retrieval.declarations(Some(&input.path), files);
        if files.replaces(&input.path) {
            let _ = run::Input::open(input);
        }
    }
}

fn is_stdin(path: &Path) -> bool {
    path.as_os_str() == "-"
}

impl Iterator for Inputs {
    type Item = Result<FileInput, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(walking) = &mut self.walking {
                match walking.files.next() {
                    Some(Ok(path)) => {
                        let below = path.strip_prefix(&walking.root).unwrap_or(&path);
                        let asked_for = self.walk.asks_for(below);
                        return Some(Ok(self.input(path, false).asked_for(asked_for)));
                    }
                    Some(Err(error)) => return Some(Err(error)),
                    None => self.walking = None,
                }
                continue;
            }
            let path = self.named.pop_front()?;
            let files = &self.opening.files;
            if !is_stdin(&path) && files.is_dir(&path) {
                self.walking = Some(DirectoryInputs {
                    files: if files.is_store() {
                        Box::new(StoreFiles::below(&path, &self.walk, files))
                    } else {
                        Box::new(self.walk.below(&path))
                    },
                    root: path,
                });
                continue;
            }
            if !is_stdin(&path)
                && let Some(packages) = packages_listed_in(&path, files)
            {
                let is_reported = packages.first() == Some(&path);
                let packages = packages.into_iter().filter(|package| *package != path);
                packages
                    .rev()
                    .for_each(|package| self.named.push_front(package));
                if !is_reported {
                    continue;
                }
            }
            return Some(Ok(self.input(path, true)));
        }
    }
}

impl FileInput {
    /// The path of the file, or `-`.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// A file that was found, or that the user `named`: the latter is always read.
    #[must_use]
    pub fn new(path: PathBuf, named: bool, opening: &Arc<Opening>) -> Self {
        Self {
            path,
            named,
            asked_for: named,
            members: None,
            opening: Arc::clone(opening),
        }
    }

    /// Makes it the folder of an unpacked EPUB with these files, given by their paths below it.
    #[must_use]
    pub fn with_members(self, members: Vec<PathBuf>) -> Self {
        Self {
            members: Some(members),
            ..self
        }
    }

    /// Its contents, given the entity that was read of the same file under another name, with the same
    /// extension.
    ///
    /// # Errors
    /// If the name shows that the file is not a page of the site.
    pub fn reread(self, mut entity: Entity) -> Result<Contents, ReadError> {
        entity.origin = run::Input::origin(&self);
        entity.declarations = self.opening.declarations(Some(&self.path));
        self.opening.files.pass_over(entity.bytes.len() as u64);
        let contents = Ok(Contents::Single(entity));
        page_of_site(contents, &self.path, self.asked_for, &self.opening)
    }

    /// Records whether it was found because the user asked for files of such a name.
    #[must_use]
    pub fn asked_for(self, asked_for: bool) -> Self {
        Self { asked_for, ..self }
    }
}

impl run::Input for FileInput {
    fn origin(&self) -> Origin {
        Origin::new(self.path.to_string_lossy())
    }

    fn may_wait(&self) -> bool {
        // Only files are read in a directory, but a pipe can be named.
        self.named
    }

    fn open(self) -> Result<Contents, ReadError> {
        let Self {
            path,
            named,
            asked_for,
            members,
            opening,
        } = self;
        let is_stdin = named && is_stdin(&path);
        let name = match &opening.stdin_name {
            Some(name) if is_stdin => name,
            _ => &path,
        };
        let format = opening
            .format
            .or_else(|| maildir::is_file(name).then_some(Format::Maildir));
        let format_of_name = Format::from_name(name);
        // A stream can be read only once, but its head can be examined again.
        let mut head = Vec::new();
        let files = &*opening.files;
        let (reader, size, standing) = if is_stdin {
            let stdin = files.stdin(Role::Document);
            let stdin = stdin.map_err(|error| unread(&path, error))?;
            let read = (&stdin).take(foreign_format::HEAD).read_to_end(&mut head);
            read.map_err(|error| unread(&path, error))?;
            if opening.of_site && head.is_empty() {
                return Ok(Contents::Empty);
            }
            let stream = Cursor::new(head.clone()).chain(stdin);
            (Reader::Stream(Box::new(stream)), None, FileUse::Input)
        } else if let Some(members) = members {
            let zip = unpacked_book::zip_of(&path, &members, files);
            let zip = zip.map_err(|error| unread(&path, error))?;
            let size = zip.len() as u64;
            let reader = Reader::Seekable(Box::new(Cursor::new(zip)));
            (reader, Some(size), FileUse::Input)
        } else {
            if split_zim::first_part(&path).is_some_and(|first| files.is_file(&first)) {
                return Ok(Contents::Empty);
            }
            // Most files of a site are not read: their first bytes say so.
            if !named
                && format.or(format_of_name).is_none()
                && let Some(head) = files.head(&path, HEAD)
                && !baseref_container::is_recognised(&head)
            {
                return not_read(&path, &opening);
            }
            let examined = files.examine(&path);
            let examined = examined.map_err(|error| unread(&path, error))?;
            let (reader, size) = joined(&path, reader(examined.file), examined.size, files)?;
            (reader, size, examined.standing)
        };
        if standing == FileUse::Unfinished {
            return Ok(Contents::Empty);
        }
        let declare = || opening.declarations((!is_stdin).then_some(&path));
        let input = Input {
            name: name.to_string_lossy().into(),
            reader,
            size,
            format,
            format_of_name,
            named,
            declarations: (!opening.packages).then(declare).unwrap_or_default(),
        };
        let limits = &opening.limits;
        let opened = match (opening.packages, opening.deleted) {
            (true, _) => baseref_container::open_site(input, limits, &declare),
            (false, false) => baseref_container::open(input, limits),
            (false, true) => baseref_container::open_with_deleted(input, limits),
        };
        if standing == FileUse::Replaced {
            // A skipped file may be the output of an earlier run.
            let is_skipped = matches!(opened, Ok(Contents::Empty));
            if !is_skipped || foreign_format::is_foreign(&path, files) {
                files.record_read(&path, Role::Document);
            }
            return Ok(Contents::Empty);
        }
        let opened = page_of_site(opened, &path, asked_for, &opening);
        let opened = match opened {
            Ok(Contents::Multiple(entities)) if format_of_name == Some(Format::Har) => {
                let mut bodies = HarBodies::new(&path, size, &opening.files, opening.limits);
                let read = move |name: &str| bodies.read(name);
                Ok(Contents::Multiple(with_bodies(entities, read)))
            }
            opened => opened,
        };
        match opened {
            opened if is_stdin => {
                opened.map_err(|error| naming_format(error, || foreign_format::format_of(&head)))
            }
            opened if named => seen_through(&path, opened, files),
            Ok(Contents::Empty) => not_read(&path, &opening),
            opened => opened,
        }
    }
}

/// Returns what was opened, or an error if the name shows that the file is not a page of the site.
fn page_of_site(
    opened: Result<Contents, ReadError>,
    path: &Path,
    asked_for: bool,
    opening: &Opening,
) -> Result<Contents, ReadError> {
    if opening.of_site
        && !asked_for
        && matches!(opened, Ok(Contents::Single(_) | Contents::Multiple(_)))
        && !naming::is_list_of_pages(path)
        && let Some(what) = naming::no_page(path)
    {
        return Err(skipped_error(path, what));
    }
    opened
}

/// The result for a file in no known format that the user did not name.
fn not_read(path: &Path, opening: &Opening) -> Result<Contents, ReadError> {
    match foreign_format::mail_store(path, &opening.files) {
        Some(store) => Err(unread_store(path, store)),
        None if opening.tells_unrecognised => {
            let origin = Origin::new(path.to_string_lossy());
            let reason = "is in no format that is read";
            Err(ReadError::new(ReadErrorKind::Unrecognised, origin, reason))
        }
        None => Ok(Contents::Empty),
    }
}

/// The reader of a file.
fn reader(file: files::OpenFile) -> Reader {
    match file {
        files::OpenFile::File(file) => Reader::File(file),
        files::OpenFile::Stored(reader) => Reader::Seekable(Box::new(reader)),
    }
}

/// A file and its size: with its other parts, if it is the first part of a split ZIM file.
fn joined(
    path: &Path,
    first: Reader,
    size: Option<u64>,
    files: &Files,
) -> Result<(Reader, Option<u64>), ReadError> {
    let later = split_zim::later_parts(path).take_while(|part| files.is_file(part));
    let later: Vec<PathBuf> = later.collect();
    let Some(size_of_first) = size.filter(|_| !later.is_empty()) else {
        return Ok((first, size));
    };
    let mut joined = Joined::default();
    joined.push(first, size_of_first);
    for part in later {
        let unread = |error| unread(&part, error);
        let file = files.open(&part, Role::Document).map_err(unread)?;
        let mut reader = reader(file);
        let size = reader.seek(SeekFrom::End(0)).map_err(unread)?;
        joined.push(reader, size);
    }
    let size = joined.size();
    Ok((Reader::Seekable(Box::new(joined)), Some(size)))
}

/// The error about a mail store that was found in a directory and is not read.
fn unread_store(path: &Path, store: &str) -> ReadError {
    let origin = Origin::new(path.to_string_lossy());
    ReadError::new(
        ReadErrorKind::Unsupported,
        origin,
        format!("is not read: it is {store}"),
    )
}

/// Adds to an error about a file of unknown format the name of the format that it seems to have.
fn naming_format(mut error: ReadError, format: impl FnOnce() -> Option<String>) -> ReadError {
    if error.kind == ReadErrorKind::Format
        && let Some(format) = format()
    {
        error.reason = format!("{}: it seems to be {format}", error.reason).into();
    }
    error
}

/// The result of opening a file that the user named, with a hint if it seems to be something else.
fn seen_through(
    path: &Path,
    opened: Result<Contents, ReadError>,
    files: &Files,
) -> Result<Contents, ReadError> {
    match opened {
        Err(error) => Err(naming_format(error, || foreign_format::format(path, files))),
        Ok(Contents::Single(entity))
            if entity.kind == EntityKind::Html && Format::from_content(&entity.bytes).is_none() =>
        {
            let Some(kind) = foreign_format::kind_of_text(path, &entity.bytes) else {
                return Ok(Contents::Single(entity));
            };
            let reason = format!("read as HTML, though its name suggests {kind}");
            let origin = entity.origin.clone();
            let error = ReadError::new(ReadErrorKind::Guessed, origin, reason);
            Ok(Contents::Multiple(Box::new(
                vec![Err(error), Ok(entity)].into_iter(),
            )))
        }
        opened => opened,
    }
}

/// The paths in a list: NUL-terminated if it contains a NUL, else one per line.
#[must_use]
pub fn listed_paths(list: &[u8]) -> Vec<PathBuf> {
    let end = if list.contains(&0) { 0 } else { b'\n' };
    list.split(|&byte| byte == end)
        .map(|path| match path {
            [path @ .., b'\r'] if end == b'\n' => path,
            path => path,
        })
        .filter(|path| !path.is_empty())
        .map(path_of_bytes)
        .collect()
}

#[cfg(unix)]
fn path_of_bytes(bytes: &[u8]) -> PathBuf {
    let name: &std::ffi::OsStr = std::os::unix::ffi::OsStrExt::from_bytes(bytes);
    PathBuf::from(name)
}

#[cfg(not(unix))]
fn path_of_bytes(bytes: &[u8]) -> PathBuf {
    PathBuf::from(String::from_utf8_lossy(bytes).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn path_list_separators() {
        let paths = |list: &str| -> Vec<String> {
            let paths = listed_paths(list.as_bytes());
            paths
                .iter()
                .map(|path| path.display().to_string())
                .collect()
        };
        assert_eq!(paths("a\r\nb c\n\nd"), ["a", "b c", "d"]);
        assert_eq!(paths("a\nb\0c\0"), ["a\nb", "c"]);
        assert_eq!(paths(""), [""; 0]);
    }
}
