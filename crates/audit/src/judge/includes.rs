//! Pages that a server puts together out of several files.

use std::collections::{HashMap, HashSet};

use crate::model::inclusions::{Inclusions, MOST_OF_PAGE};
use crate::model::package_id::{PackageFile, PackageId};
use crate::model::site_file::SiteFile;

/// How many files are looked at for one name.
const MOST: usize = 256;

/// The pages that are put together, and the files that they are put together of.
#[derive(Debug, Default)]
pub(crate) struct Includes {
    parts: HashMap<PackageFile, Box<Inclusions>>,
    wholes: HashMap<PackageFile, Vec<SiteFile>>,
}

/// Where a name is that a file by itself lacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Elsewhere {
    /// In a file that the server puts into the page.
    Found,
    /// Perhaps in what only the server could put there.
    Perhaps,
    Nowhere,
}

impl Includes {
    /// Adds what a file asks for.
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

    /// Whether a name that a file lacks is in the page that the server makes of it. A link to a name on
    /// its own page (`is_own`) is meant for each page that its file is put into.
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

/// Files reached from one, each once, nearer ones first.
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

    /// Adds what is reached from all that was so far, and from what that adds.
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
