//! Files of a site that a check does not read as documents. Links can still lead to them.

use std::path::{Path, PathBuf, is_separator};

use super::directory::HTTRACK_CACHE;
use super::snapshot::Snapshots;
use super::split_zim;
use baseref_container::Format;
use memchr::memrchr;

/// Why a file is skipped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SkipReason {
    /// A zip, EPUB or ZIM file, or a part of one: a site of its own, with its own root.
    Package,
    /// A tar, compressed or not: most often a download.
    Archive,
    /// `HTTrack`'s cache: its log of the mirror, and older copies of its pages.
    Cache,
    /// A file of version control, or of npm: no server shows it.
    Development,
}

/// The folders of [`SkipReason::Development`].
const DEVELOPMENT: [&str; 4] = [".git", ".hg", ".svn", "node_modules"];

/// The log that says where the pages of a mirror are from, below its folder.
const HTTRACK_LOG: &str = "hts-cache/new.txt";

/// The patterns of a walk that leaves out packages, archives and the folders of [`SkipReason::Development`]. A walk
/// skips `HTTrack`'s cache in any case.
pub const ONLY_PAGES: [&str; 13] = [
    "!*.[zZ][iI][pP]",
    "!*.[eE][pP][uU][bB]",
    "!*.[zZ][iI][mM]",
    "!*.zim[a-z][a-z]",
    "!*.[tT][aA][rR]",
    "!*.[tT][aA][rR].*",
    "!*.[tT][gG][zZ]",
    "!*.[tT][bB][zZ]2",
    "!*.[tT][xX][zZ]",
    "!.git",
    "!.hg",
    "!.svn",
    "!node_modules",
];

impl SkipReason {
    const ALL: [Self; 4] = [Self::Package, Self::Archive, Self::Cache, Self::Development];

    /// Why a file is skipped, by its path below its folder; `None` if it is not.
    #[must_use]
    pub fn from_path(below: &Path) -> Option<Self> {
        // Each file of a tree is asked for, and taking a path apart is slow.
        let path = below.as_os_str().as_encoded_bytes();
        let mut names = path.split(|byte| is_separator(char::from(*byte)));
        let name = names.next_back().unwrap_or_default();
        let mut is_in_cache = false;
        for folder in names {
            if DEVELOPMENT.iter().any(|own| own.as_bytes() == folder) {
                return Some(Self::Development);
            }
            is_in_cache |= folder == HTTRACK_CACHE.as_bytes();
        }
        if is_in_cache {
            return Some(Self::Cache);
        }
        if Format::from_name(below) == Some(Format::Tar) {
            return Some(Self::Archive);
        }
        // A name that begins with its only dot has no extension.
        let dot = memrchr(b'.', name).filter(|dot| *dot > 0);
        let extension = dot.map_or(&[][..], |dot| &name[dot + 1..]);
        let is_package = [&b"zip"[..], b"epub", b"zim"]
            .iter()
            .any(|package| extension.eq_ignore_ascii_case(package));
        let is_part = split_zim::letters(below).is_some();
        (is_package || is_part).then_some(Self::Package)
    }

    /// What `count` skipped files are, in words.
    fn in_words(self, count: u64) -> &'static str {
        match (self, count) {
            (Self::Archive, 1) => "tar, a file of the site",
            (Self::Archive, _) => "tars, files of the site",
            (Self::Package, 1) => "zip, EPUB or ZIM file, a file of the site",
            (Self::Package, _) => "zips, EPUBs or ZIM files, files of the site",
            (Self::Cache, 1) => "file of HTTrack's cache",
            (Self::Cache, _) => "files of HTTrack's cache",
            (Self::Development, 1) => "file of version control or npm",
            (Self::Development, _) => "files of version control or npm",
        }
    }
}

/// The files skipped in a run.
#[derive(Debug, Default)]
pub struct SkippedFiles {
    /// For each of [`SkipReason::ALL`], how many, and the first of them.
    found: [(u64, String); SkipReason::ALL.len()],
    /// A folder whose `HTTrack` log is not read.
    unread_log_in: Option<PathBuf>,
    /// How many files of snapshots, and the first of them.
    copies: (u64, String),
    snapshots: Snapshots,
}

/// Counts a file, and keeps the path of the first.
fn count_file((count, first): &mut (u64, String), path: &Path) {
    if *count == 0 {
        *first = path.to_string_lossy().into_owned();
    }
    *count += 1;
}

impl SkippedFiles {
    /// Adds a file by its path below its folder.
    pub fn add(&mut self, reason: SkipReason, below: &Path) {
        count_file(&mut self.found[reason as usize], below);
    }

    /// Notes that no URL map uses this file of `HTTrack`'s cache.
    pub fn add_unmapped(&mut self, file: &Path) {
        let cache = file.parent().filter(|_| file.ends_with(HTTRACK_LOG));
        if let (None, Some(folder)) = (&self.unread_log_in, cache.and_then(Path::parent)) {
            self.unread_log_in = Some(folder.to_owned());
        }
    }

    /// Adds a file of a snapshot for which another copy stands.
    pub fn add_copy(&mut self, path: &Path) {
        count_file(&mut self.copies, path);
    }

    /// Sets the snapshots that [`Self::add_copy`] was called for.
    pub fn set_snapshots(&mut self, snapshots: Snapshots) {
        self.snapshots = snapshots;
    }

    /// Which copy of each snapshot was read, in a line.
    fn snapshot_line(&self, how: &str) -> Option<String> {
        let read = self.snapshots.in_words()?;
        let (count, first) = &self.copies;
        let left_out = match count {
            0 => String::new(),
            1 => format!("; skipped: 1 other file ({first}){how}"),
            _ => format!("; skipped: {count} other files about the same pages ({first}, …){how}"),
        };
        Some(format!("ArchiveBox snapshots read: {read}{left_out}"))
    }

    /// A summary line for each reason; `how` says how packages are read all the same, and is empty for a
    /// command that cannot.
    #[must_use]
    pub fn lines(&self, how: &str) -> Vec<String> {
        let found = SkipReason::ALL.into_iter().zip(&self.found);
        let found = found.filter(|(_, (count, _))| *count > 0);
        let lines = found.map(|(reason, (count, first))| {
            let words = reason.in_words(*count);
            let name = if *count == 1 {
                first.clone()
            } else {
                format!("{first}, …")
            };
            let how = match (reason, &self.unread_log_in) {
                (SkipReason::Package | SkipReason::Archive, _) => how.to_owned(),
                (SkipReason::Development, _) if !how.is_empty() => {
                    "; --hidden reads them".to_owned()
                }
                (SkipReason::Cache, None) | (SkipReason::Development, _) => String::new(),
                (SkipReason::Cache, Some(folder)) => format!(
                    "; --url-map httrack:{} takes from it where the files are from",
                    folder.display()
                ),
            };
            format!("skipped: {count} {words} ({name}){how}")
        });
        lines.chain(self.snapshot_line(how)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn skipped_files_by_their_paths() {
        for (path, reason) in [
            ("a/.git/b.html", Some(SkipReason::Development)),
            ("node_modules/b.html", Some(SkipReason::Development)),
            (
                "hts-cache/node_modules/b.html",
                Some(SkipReason::Development),
            ),
            ("hts-cache/new.txt", Some(SkipReason::Cache)),
            ("a/book.EPUB", Some(SkipReason::Package)),
            ("book.zimab", Some(SkipReason::Package)),
            ("a.tar.gz", Some(SkipReason::Archive)),
            ("a.tgz", Some(SkipReason::Archive)),
            ("a.zip/b.html", None),
            (".zip", None),
            ("a/.zip", None),
            ("zip", None),
            (".git", None),
            ("my.git/b.html", None),
            ("", None),
        ] {
            assert_eq!(SkipReason::from_path(Path::new(path)), reason, "{path}");
        }
    }
}
