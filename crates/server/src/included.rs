//! The files beside a configuration that its directives name: more directives, and tables.
//!
//! Their lines are numbered on from those of the configuration, so that a number stands for a file and
//! a line.

use std::collections::BTreeMap;
use std::fmt;

/// The maximum depth of files that include each other, as in Apache, and of folders in a folder.
pub(crate) const MAX_DEPTH: usize = 20;

/// The maximum length in bytes of all that a configuration includes.
pub(crate) const MAX_INCLUDED: usize = 16 << 20;

/// What a directive names, relative to the folder of the configuration.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Wanted {
    /// Files, which are to be read. The name may have wildcards.
    Files(String),
    /// A file or folder that only has to exist.
    Presence(String),
}

/// A file that a configuration includes.
#[derive(Debug)]
pub(crate) struct IncludedFile {
    /// Its path below the folder of the configuration.
    pub(crate) name: String,
    pub(crate) text: String,
    /// The number that stands for its first line.
    pub(crate) first_line: usize,
}

/// The files of a name.
#[derive(Debug, Default)]
pub(crate) struct Found {
    /// Their indices, in the order in which the server reads them.
    pub(crate) files: Vec<usize>,
    /// Whether the folder exists in which they would be.
    pub(crate) has_folder: bool,
    /// Whether one of them cannot be read.
    pub(crate) is_unread: bool,
}

/// The files that a configuration includes.
#[derive(Debug, Default)]
pub(crate) struct Included {
    /// In the order of their lines.
    pub(crate) files: Vec<IncludedFile>,
    /// What was found by each name of [`Wanted::Files`], ...
    pub(crate) found: BTreeMap<String, Found>,
    /// ... and whether each of [`Wanted::Presence`] exists.
    pub(crate) present: BTreeMap<String, bool>,
}

/// A line of a configuration or of a file that it includes: `line 3`, or `line 3 of sites/a.conf`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LinePlace<'i> {
    /// The included file, by its path below the folder of the configuration.
    pub file: Option<&'i str>,
    /// 1-based.
    pub line: usize,
}

impl fmt::Display for LinePlace<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}", self.line)?;
        match self.file {
            Some(file) => write!(f, " of {file}"),
            None => Ok(()),
        }
    }
}

impl Included {
    /// The files of a name; `None` if they are not known, or there are none.
    pub(crate) fn named(&self, name: &str) -> Option<Vec<&IncludedFile>> {
        let found = self.found.get(name)?;
        let files = found.files.iter().map(|file| self.files.get(*file));
        let is_known = !found.is_unread && !found.files.is_empty();
        files.collect::<Option<Vec<_>>>().filter(|_| is_known)
    }

    /// Whether no file has such a name, although its folder is there, or need not be.
    pub(crate) fn has_none(&self, name: &str, needs_folder: bool) -> bool {
        self.found.get(name).is_some_and(|found| {
            found.files.is_empty() && !found.is_unread && (found.has_folder || !needs_folder)
        })
    }

    /// Whether a file or folder exists; `None` if that is not known.
    pub(crate) fn exists(&self, name: &str) -> Option<bool> {
        self.present.get(name).copied()
    }

    /// The file and the line that a number stands for.
    pub(crate) fn place(&self, line: usize) -> LinePlace<'_> {
        let after = self.files.partition_point(|file| file.first_line <= line);
        let file = after.checked_sub(1).and_then(|at| self.files.get(at));
        LinePlace {
            file: file.map(|file| &*file.name),
            line: file.map_or(line, |file| line - file.first_line + 1),
        }
    }
}

/// Whether a name stands for every file with a name like it.
pub(crate) fn has_wildcard(name: &str) -> bool {
    name.contains(['*', '?', '['])
}
