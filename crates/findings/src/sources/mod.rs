//! Finds the position of a finding in the source of a generated page, as recorded in the page or
//! given by the user.
//!
//! - `map`: the sources that the user gives;
//! - [`RecordedSources`]: the sources that a page records;
//! - `references`: the line of a reference in a source.
//!
//! Departs: a page is opened again for this, if it has findings that are shown. Few pages have any, and
//! to look for sources while all pages are read takes 10 % more instructions (462 pages of mdBook).

mod map;
mod references;

use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use baseref_document::{PageSource, ReadOptions, RecordedSources};
use baseref_files::{Files, Role};
use percent_encoding::percent_decode_str;

pub use self::map::SourceMap;
use self::references::References;
use crate::finding::{Finding, SourcePlace};

/// Finds the sources of pages.
pub struct Sources {
    maps: Vec<SourceMap>,
    files: Arc<Files>,
    /// The latest source that was read. A page usually has only one.
    latest: Option<(PathBuf, Option<References>)>,
}

/// The largest source that is searched, in bytes.
const LARGEST: u64 = 16 * 1024 * 1024;

/// Folders that hold the sources of documentation.
const FOLDERS: [&str; 7] = [
    "docs",
    "doc",
    "source",
    "docs/source",
    "doc/source",
    "Doc",
    "src",
];

/// The source of a page: its name in reports, and the file to search.
struct NamedPage {
    name: Arc<str>,
    file: PathBuf,
}

impl Sources {
    /// Sources as recorded in the pages, unless one of the `maps` of the user applies to the page.
    #[must_use]
    pub fn new(maps: Vec<SourceMap>, files: &Arc<Files>) -> Self {
        Self {
            maps,
            files: Arc::clone(files),
            latest: None,
        }
    }

    /// Sets the source positions of the findings that `is_shown` accepts. All must be about one
    /// document.
    pub fn place(&mut self, findings: &mut [Finding], is_shown: impl Fn(&Finding) -> bool) {
        let Some(first) = findings.iter().find(|finding| is_shown(finding)) else {
            return;
        };
        let page = Arc::clone(&first.page);
        let by_user = self.maps.iter().find_map(|map| map.source_of(&page.doc));
        let by_user = by_user.map(|file| NamedPage {
            name: file.as_str().into(),
            file: PathBuf::from(file),
        });
        let recorded = self.recorded(&page.doc).unwrap_or_default();
        let of_page = by_user.or_else(|| named(recorded.page.as_ref()?, Path::new(&page.doc)));
        for finding in findings.iter_mut().filter(|finding| is_shown(finding)) {
            let byte = finding.at.as_ref().map(|at| at.byte.start);
            let mark = byte.and_then(|byte| recorded.at(byte));
            let of_element = mark.and_then(|mark| mark.file.as_deref());
            let of_element = of_element.map(|file| by_name(file, Path::new(&page.doc)));
            let Some(source) = of_element.as_ref().or(of_page.as_ref()) else {
                continue;
            };
            let lines = mark.and_then(|mark| mark.lines);
            let found = (!finding.raw.is_empty())
                .then(|| self.references(&source.file)?.line_of(&finding.raw, lines))
                .flatten();
            let first = lines.and_then(|(first, _)| first.try_into().ok());
            finding.set_source(SourcePlace {
                file: Arc::clone(&source.name),
                line: found.or(first),
            });
        }
    }

    /// The sources that a page records, if it is a file.
    fn recorded(&self, doc: &str) -> Option<RecordedSources> {
        let path = Path::new(doc);
        // A document in a container, or from standard input, is not a file.
        if !path.is_file() {
            return None;
        }
        let bytes = self.files.read(path, Role::Document).ok()?;
        baseref_reader::read_recorded_sources(&bytes, doc, &ReadOptions::default())
    }

    fn references(&mut self, file: &Path) -> Option<&References> {
        if self
            .latest
            .as_ref()
            .is_none_or(|(latest, _)| latest != file)
        {
            self.latest = Some((file.to_owned(), read(file, &self.files)));
        }
        self.latest.as_ref()?.1.as_ref()
    }
}

fn read(file: &Path, files: &Files) -> Option<References> {
    let metadata = file.metadata().ok()?;
    if !metadata.is_file() || metadata.len() > LARGEST {
        return None;
    }
    let bytes = files.read(file, Role::Source).ok()?;
    Some(References::parse(&String::from_utf8_lossy(&bytes)))
}

/// The source of a page as a whole.
fn named(of_page: &PageSource, page: &Path) -> Option<NamedPage> {
    match of_page {
        PageSource::Path(file) => Some(by_name(file, page)),
        PageSource::EditLink(path) => Some(in_checkout(path)),
        PageSource::Copy { copy, source } => {
            let copy = percent_decode_str(copy).decode_utf8().ok()?;
            let source = percent_decode_str(source).decode_utf8().ok()?;
            let file = page.parent()?.join(&*copy);
            let is_there = |folder: &&&str| Path::new(folder).join(&*source).is_file();
            let name = if Path::new(&*source).is_file() {
                source.into_owned()
            } else {
                match FOLDERS.iter().find(is_there) {
                    Some(folder) => format!("{folder}/{source}"),
                    None => source.into_owned(),
                }
            };
            Some(NamedPage {
                name: name.into(),
                file,
            })
        }
    }
}

/// A path that a page records: relative to the working directory or, if that has no such file, to
/// the page. A path that leads elsewhere is shown but not read.
fn by_name(file: &str, page: &Path) -> NamedPage {
    let beside = page.parent().map(|folder| folder.join(file));
    let is_below = Path::new(file)
        .components()
        .all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
    let candidates = [Some(PathBuf::from(file)), beside];
    let mut candidates = candidates.into_iter().flatten().filter(|_| is_below);
    let found = candidates.find(|path| path.is_file());
    NamedPage {
        name: match &found {
            Some(path) => path.to_string_lossy().into(),
            None => file.into(),
        },
        file: found.unwrap_or_default(),
    }
}

/// A path in the repository that has the working directory as its root or as a folder.
fn in_checkout(path: &str) -> NamedPage {
    let is_below = !path.split('/').any(|name| name == "..") && !path.starts_with('/');
    let mut rest = path;
    while is_below && !Path::new(rest).is_file() {
        match rest.split_once('/') {
            Some((_, after)) => rest = after,
            None => {
                return NamedPage {
                    name: path.into(),
                    file: PathBuf::new(),
                };
            }
        }
    }
    NamedPage {
        name: rest.into(),
        file: if is_below {
            rest.into()
        } else {
            PathBuf::new()
        },
    }
}
