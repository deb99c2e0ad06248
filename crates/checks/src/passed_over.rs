//! What a check of a tree passes over: files of the site that are not read as documents.

use std::path::{Path, PathBuf};

use baseref_walk::HTTRACK_CACHE;

/// Why a file is passed over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Why {
    /// A zip or EPUB: a tree of its own, with its own root.
    Package,
    /// HTTrack's cache: what it knows of the mirror, and older copies of its pages.
    Cache,
}

/// The log that says where the pages of a mirror are from, below its folder.
const HTTRACK_LOG: &str = "hts-cache/new.txt";

/// The patterns of a walk that leaves out packages; it passes over the cache by itself.
pub(super) const PATTERNS: [&str; 2] = ["!*.[zZ][iI][pP]", "!*.[eE][pP][uU][bB]"];

impl Why {
    const ALL: [Self; 2] = [Self::Package, Self::Cache];

    /// Why a file is passed over, given its path below its tree.
    pub(super) fn of(below: &Path) -> Option<Self> {
        let mut folders = below.parent().unwrap_or(Path::new("")).iter();
        if folders.any(|name| name == HTTRACK_CACHE) {
            return Some(Self::Cache);
        }
        let extension = below.extension()?.to_str()?;
        let is_package = ["zip", "epub"]
            .iter()
            .any(|package| extension.eq_ignore_ascii_case(package));
        is_package.then_some(Self::Package)
    }

    /// What was passed over, in words, for `count` files.
    fn in_words(self, count: u64) -> &'static str {
        match (self, count) {
            (Self::Package, 1) => "zip or EPUB, a file of the site",
            (Self::Package, _) => "zips and EPUBs, files of the site",
            (Self::Cache, 1) => "file of HTTrack's cache",
            (Self::Cache, _) => "files of HTTrack's cache",
        }
    }
}

/// The files passed over in a run.
#[derive(Debug, Default)]
pub(super) struct PassedOver {
    /// For each of [`Why::ALL`], how many, and the first of them.
    found: [(u64, String); Why::ALL.len()],
    /// A folder with a log of HTTrack that is not read.
    unread_log_in: Option<PathBuf>,
}

impl PassedOver {
    pub(super) fn add(&mut self, why: Why, below: &Path) {
        let (count, first) = &mut self.found[why as usize];
        if *count == 0 {
            *first = below.to_string_lossy().into_owned();
        }
        *count += 1;
    }

    /// Notes that no map names the folder in which HTTrack left this file of its cache.
    pub(super) fn is_unmapped(&mut self, file: &Path) {
        let cache = file.parent().filter(|_| file.ends_with(HTTRACK_LOG));
        if let (None, Some(folder)) = (&self.unread_log_in, cache.and_then(Path::parent)) {
            self.unread_log_in = Some(folder.to_owned());
        }
    }

    /// A line for each reason, for the summary; `how` says how packages are read all the same.
    pub(super) fn lines(&self, how: &str) -> Vec<String> {
        let found = Why::ALL.into_iter().zip(&self.found);
        let found = found.filter(|(_, (count, _))| *count > 0);
        found
            .map(|(why, (count, first))| {
                let words = why.in_words(*count);
                let name = if *count == 1 {
                    first.clone()
                } else {
                    format!("{first}, …")
                };
                let how = match (why, &self.unread_log_in) {
                    (Why::Package, _) => how.to_owned(),
                    (Why::Cache, None) => String::new(),
                    (Why::Cache, Some(folder)) => format!(
                        "; --url-map httrack:{} takes from it where the files are from",
                        folder.display()
                    ),
                };
                format!("passed over: {count} {words} ({name}){how}")
            })
            .collect()
    }
}
