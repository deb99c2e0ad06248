//! Which of the files and directories below a directory are read.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use baseref_files::globs::{Form, Glob};
use walkdir::{DirEntry, WalkDir};

use baseref_document::Origin;
use baseref_document::{ReadError, ReadErrorKind};
use baseref_files::FileId;

/// The options for walking directories.
#[derive(Clone, Debug, Default)]
pub struct Walk {
    /// Hidden directories are entered.
    hidden: bool,
    /// Directories that symbolic links lead to are entered.
    follow: bool,
    patterns: Vec<Pattern>,
}

/// A pattern for files to read or leave out; the last matching one wins.
#[derive(Clone, Debug)]
struct Pattern {
    glob: Glob,
    /// It is matched against the path below the directory, not just the name.
    of_path: bool,
    /// Matching files are left out.
    excludes: bool,
}

/// A malformed pattern.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct PatternError(String);

impl Pattern {
    fn new(written: &str) -> Result<Self, PatternError> {
        let (excludes, glob) = match written.strip_prefix('!') {
            Some(glob) => (true, glob),
            None => (false, written),
        };
        let of_path = glob.trim_end_matches('/').contains('/');
        let glob = glob.trim_start_matches('/').trim_end_matches('/');
        let read = Glob::new(glob, Form::Path);
        Ok(Self {
            glob: read.map_err(|error| PatternError(format!("`{glob}`: {error}")))?,
            of_path,
            excludes,
        })
    }

    fn matches(&self, below: &Path) -> bool {
        if self.of_path {
            self.glob.is_path_match(below)
        } else {
            below
                .file_name()
                .is_some_and(|name| self.glob.is_path_match(Path::new(name)))
        }
    }
}

impl Walk {
    /// Takes whether to enter hidden directories, whether to follow symbolic links to directories,
    /// and the patterns that a file has to match: those with `!` exclude what they match, and the
    /// last matching one wins.
    ///
    /// # Errors
    /// If a pattern is malformed.
    pub fn new(hidden: bool, follow: bool, patterns: &[String]) -> Result<Self, PatternError> {
        let patterns = patterns.iter().map(|pattern| Pattern::new(pattern));
        Ok(Self {
            hidden,
            follow,
            patterns: patterns.collect::<Result<_, _>>()?,
        })
    }

    /// The files below a directory, in byte order of names.
    pub(super) fn below(&self, directory: &Path) -> DirectoryFiles {
        let walk = WalkDir::new(directory).follow_links(self.follow);
        DirectoryFiles {
            walk: self.clone(),
            root: directory.to_owned(),
            entries: walk.sort_by_file_name().into_iter(),
            entered: HashSet::new(),
        }
    }

    /// Whether the patterns accept a file found by other means, given its path below the directory.
    #[must_use]
    pub fn takes(&self, below: &Path) -> bool {
        let mut above = below.ancestors().skip(1);
        self.patterns.is_empty()
            || !above.any(|directory| self.leaves_out_directory(directory))
                && self.takes_file(below)
    }

    /// Whether a pattern selects a file by its path below the directory, rather than merely not
    /// excluding it.
    #[must_use]
    pub fn asks_for(&self, below: &Path) -> bool {
        self.last_match(below)
            .is_some_and(|pattern| !pattern.excludes)
    }

    /// Whether a file is wanted: by the last matching pattern, or, without one, if all patterns are
    /// exclusions.
    pub(super) fn takes_file(&self, below: &Path) -> bool {
        match self.last_match(below) {
            Some(pattern) => !pattern.excludes,
            None => self.patterns.iter().all(|pattern| pattern.excludes),
        }
    }

    fn leaves_out_directory(&self, below: &Path) -> bool {
        self.last_match(below)
            .is_some_and(|pattern| pattern.excludes)
    }

    /// What happens to a directory below the root. Maildir++ keeps its folders in hidden
    /// directories: `is_maildir` says whether it is one.
    pub(super) fn descent(&self, below: &Path, is_maildir: impl FnOnce() -> bool) -> Descent {
        if self.leaves_out_directory(below) {
            return Descent::Excluded;
        }
        let name = below.file_name().unwrap_or_default();
        if name == HTTRACK_CACHE {
            return Descent::Skipped(CACHE);
        }
        if is_hidden(name) && !self.hidden && !is_maildir() {
            return Descent::Skipped(HIDDEN);
        }
        Descent::Entered
    }

    fn last_match(&self, below: &Path) -> Option<&Pattern> {
        self.patterns
            .iter()
            .rev()
            .find(|pattern| pattern.matches(below))
    }
}

/// The files below one directory, with an error in place of each that is not read.
pub(super) struct DirectoryFiles {
    walk: Walk,
    root: PathBuf,
    entries: walkdir::IntoIter,
    /// The directories entered, if links can lead back to one.
    entered: HashSet<FileId>,
}

impl Iterator for DirectoryFiles {
    type Item = Result<PathBuf, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            match self.entries.next()? {
                Err(error) => return Some(Err(walk_error(error))),
                Ok(entry) if entry.file_type().is_dir() => match self.descent(&entry) {
                    Descent::Entered => {}
                    Descent::Excluded => self.entries.skip_current_dir(),
                    Descent::Skipped(what) => {
                        self.entries.skip_current_dir();
                        return Some(Err(skipped_error(entry.path(), what)));
                    }
                },
                Ok(entry) if !self.walk.takes_file(self.below(&entry)) => {}
                Ok(entry) if entry.file_type().is_file() => return Some(Ok(entry.into_path())),
                Ok(entry) if entry.file_type().is_symlink() => match fs::metadata(entry.path()) {
                    Ok(metadata) if metadata.is_file() => return Some(Ok(entry.into_path())),
                    Ok(metadata) if metadata.is_dir() => {
                        return Some(Err(skipped_error(entry.path(), LINKED)));
                    }
                    Ok(_) => {}
                    Err(error) => return Some(Err(unread(entry.path(), error))),
                },
                // Pipes and devices found in a directory are never read.
                Ok(_) => {}
            }
        }
    }
}

/// What happens to a directory.
pub(super) enum Descent {
    Entered,
    /// Excluded by a pattern.
    Excluded,
    Skipped(&'static str),
}

/// Why a directory is skipped, unless [`Walk`] follows links.
pub const LINKED: &str = "symbolic link to a directory";
/// Why a directory is skipped, unless [`Walk`] enters hidden ones.
pub const HIDDEN: &str = "hidden directory";
const READ_ALREADY: &str = "directory that has already been read";
const CACHE: &str = "cache of HTTrack";

/// The number of entries skipped for one reason, in words: `2 hidden directories`.
#[must_use]
pub fn so_many(reason: &str, count: u64) -> String {
    let several = match reason {
        _ if count == 1 => None,
        LINKED => Some("symbolic links to directories".to_owned()),
        HIDDEN => Some("hidden directories".to_owned()),
        READ_ALREADY => Some("directories that have already been read".to_owned()),
        CACHE => Some("caches of HTTrack".to_owned()),
        _ => reason
            .strip_suffix(" by its name")
            .map(|what| format!("{what}s")),
    };
    let one = reason.strip_suffix(" by its name").unwrap_or(reason);
    format!("{count} {}", several.as_deref().unwrap_or(one))
}

/// The name of the directory in which `HTTrack` keeps its cache and logs, below a mirror.
pub const HTTRACK_CACHE: &str = "hts-cache";

impl DirectoryFiles {
    fn below<'e>(&self, entry: &'e DirEntry) -> &'e Path {
        let path = entry.path();
        path.strip_prefix(&self.root).unwrap_or(path)
    }

    fn descent(&mut self, entry: &DirEntry) -> Descent {
        if self.walk.follow {
            let metadata = entry.metadata().ok();
            let id = metadata.and_then(|metadata| FileId::new(entry.path(), &metadata));
            if id.is_some_and(|id| !self.entered.insert(id)) {
                return Descent::Skipped(READ_ALREADY);
            }
        }
        if entry.depth() == 0 {
            return Descent::Entered;
        }
        let is_maildir = || entry.path().join("cur").is_dir();
        self.walk.descent(self.below(entry), is_maildir)
    }
}

fn is_hidden(name: &OsStr) -> bool {
    name.as_encoded_bytes().starts_with(b".")
}

pub(super) fn skipped_error(path: &Path, what: &str) -> ReadError {
    let origin = Origin::new(path.to_string_lossy());
    ReadError::new(ReadErrorKind::PassedOver, origin, what)
}

fn walk_error(error: walkdir::Error) -> ReadError {
    let path = error.path().unwrap_or(Path::new("")).to_owned();
    if let Some(ancestor) = error.loop_ancestor() {
        let origin = Origin::new(path.to_string_lossy());
        let reason = format!(
            "a link back to {}, which is already being read",
            ancestor.display()
        );
        return ReadError::new(ReadErrorKind::SymlinkLoop, origin, reason);
    }
    let words = error.to_string();
    let cause = error.into_io_error();
    unread(&path, cause.unwrap_or_else(|| io::Error::other(words)))
}

/// The system's error for a file that cannot be read.
pub(super) fn unread(path: &Path, error: io::Error) -> ReadError {
    ReadError::from_io(Origin::new(path.to_string_lossy()), error)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn last_matching_pattern_counts() {
        let takes = |patterns: &[&str], path: &str| {
            let patterns: Vec<String> = patterns.iter().map(|p| (*p).to_owned()).collect();
            let walk = Walk::new(false, false, &patterns).unwrap();
            walk.takes_file(Path::new(path))
        };
        assert!(takes(&[], "a/b.txt"));
        assert!(takes(&["*.html"], "a/b.html") && !takes(&["*.html"], "a/b.txt"));
        assert!(takes(&["!*.txt"], "a/b.html") && !takes(&["!*.txt"], "a/b.txt"));
        assert!(!takes(&["*.html", "!b.*"], "a/b.html"));
        assert!(takes(&["!b.*", "*.html"], "a/b.html"));
        assert!(takes(&["a/*.html"], "a/b.html") && !takes(&["a/*.html"], "a/c/b.html"));
        assert!(takes(&["/a/**/*.html"], "a/c/b.html"));
    }
}
