//! Looks up element ids in the server-side includes of a page.

use std::collections::{HashMap, HashSet};

use crate::model::inclusions::{Inclusions, MOST_OF_PAGE};
use crate::model::package_id::{PackageFile, PackageId};
use crate::model::site_file::SiteFile;

/// The maximum number of files that are searched for an id.
const MOST: usize = 256;

/// The server-side includes of all pages.
#[derive(Debug, Default)]
pub(crate) struct Includes {
    /// The includes of each file.
    parts: HashMap<PackageFile, Box<Inclusions>>,
    /// The files that include each file.
    wholes: HashMap<PackageFile, Vec<SiteFile>>,
}

/// Where an id may be that a file itself does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Elsewhere {
    /// In an included file.
    Found,
    /// Possibly in an include that is not a file of the site.
    Perhaps,
    Nowhere,
}

impl Includes {
    /// Adds the includes of a file.
    pub(crate) fn add(&mut self, package: Option<PackageId>, file: SiteFile, own: Box<Inclusions>) {
        for part in &own.files {
            let wholes = self
                .wholes
                .entry(PackageFile {
                    package,
                    file: *part,
                })
                .or_default();
            if wholes.len() < MOST_OF_PAGE {
                wholes.push(file);
            }
        }
        self.parts.insert(PackageFile { package, file }, own);
    }

    /// Where an id is in the page that the server assembles from a file. A link to its own page
    /// (`is_own`) appears on every page that includes its file.
    pub(crate) fn find(
        &self,
        package: Option<PackageId>,
        file: SiteFile,
        is_own: bool,
        has: impl Fn(SiteFile) -> bool,
    ) -> Elsewhere {
        let mut reached = Reached::from(file);
        let at = |file: &SiteFile| PackageFile {
            package,
            file: *file,
        };
        if is_own {
            reached.follow(|file| self.wholes.get(&at(file)).map_or(&[], Vec::as_slice));
        }
        let parts = |file: &SiteFile| self.parts.get(&at(file));
        reached.follow(|file| parts(file).map_or(&[], |own| &own.files));
        let asks_for_others = |file| parts(file).is_some_and(|own| own.has_others);
        if reached.files[1..].iter().any(|file| has(*file)) {
            Elsewhere::Found
        } else if reached.are_more || reached.files.iter().any(asks_for_others) {
            Elsewhere::Perhaps
        } else {
            Elsewhere::Nowhere
        }
    }
}

/// The files that are reached from one by includes, each once, the nearest first.
struct Reached {
    files: Vec<SiteFile>,
    known: HashSet<SiteFile>,
    are_more: bool,
}

impl Reached {
    fn from(file: SiteFile) -> Self {
        Self {
            files: vec![file],
            known: HashSet::from([file]),
            are_more: false,
        }
    }

    /// Adds the files that are reached from those found so far, transitively.
    fn follow<'n>(&mut self, next: impl Fn(&SiteFile) -> &'n [SiteFile]) {
        let mut place = 0;
        while let Some(file) = self.files.get(place).copied() {
            place += 1;
            for file in next(&file) {
                if self.files.len() == MOST {
                    self.are_more = true;
                    return;
                }
                if self.known.insert(*file) {
                    self.files.push(*file);
                }
            }
        }
    }
}
