//! Pages that a server puts together out of several files.

use std::collections::{HashMap, HashSet};

use baseref_resolve::{Resolver, Rules};
use baseref_site::inclusion::{Inclusion, inclusions};

use super::context::AuditContext;
use super::file_of::FileOf;
use super::judge::Place;
use super::page::Page;
use super::target;

/// What a page asks the server to put into it.
#[derive(Debug, Default)]
pub(super) struct Inclusions {
    files: Vec<FileOf>,
    /// Whether it asks for more than files of the trees.
    has_others: bool,
}

/// How many different files are looked at that a page asks for.
const MOST_OF_PAGE: usize = 64;

/// How many files are looked at for one name.
const MOST: usize = 256;

impl Inclusions {
    /// What a file of a tree asks for, if it asks for anything.
    pub(super) fn of(page: &Page<'_>) -> Option<Box<Self>> {
        let (source, url) = (page.source?, page.url?);
        page.own?;
        let mut found = inclusions(source).peekable();
        found.peek()?;
        let resolver = Resolver::new(Rules::Rfc3986, Some(url), encoding_rs::UTF_8);
        let mut own = Self::default();
        for inclusion in found {
            match file_of(page.known, &resolver, &inclusion) {
                Some(file) if own.files.contains(&file) => {}
                Some(file) if own.files.len() < MOST_OF_PAGE => {
                    page.known.refer_to(file);
                    own.files.push(file);
                }
                _ => own.has_others = true,
            }
        }
        Some(Box::new(own))
    }
}

/// The file of a tree that a server would put there.
fn file_of(known: &AuditContext, resolver: &Resolver<'_>, inclusion: &Inclusion) -> Option<FileOf> {
    let Inclusion::Of(reference) = inclusion else {
        return None;
    };
    let url = resolver.resolve(reference).ok()?;
    target::resolved(&known.map, &known.hosting, &url, encoding_rs::UTF_8).file
}

/// The pages that are put together, and the files that they are put together of.
#[derive(Debug, Default)]
pub(super) struct Composed {
    parts: HashMap<Place, Box<Inclusions>>,
    wholes: HashMap<Place, Vec<FileOf>>,
}

/// Where a name is that a file by itself lacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Elsewhere {
    /// In a file that the server puts into the page.
    Found,
    /// Perhaps in what only the server could put there.
    Perhaps,
    Nowhere,
}

impl Composed {
    /// Adds what a file asks for.
    pub(super) fn add(&mut self, known: &AuditContext, file: FileOf, own: Box<Inclusions>) {
        for part in &own.files {
            let wholes = self.wholes.entry(Place::new(known, *part)).or_default();
            if wholes.len() < MOST_OF_PAGE {
                wholes.push(file);
            }
        }
        self.parts.insert(Place::new(known, file), own);
    }

    /// What is said of a name that is perhaps there.
    pub(super) fn perhaps(fragment: &str) -> String {
        format!("no element has the name {fragment:?}, unless in what only the server puts there")
    }

    /// Whether a name that a file lacks is in the page that the server makes of it. A link to a name on
    /// its own page (`is_own`) is meant for each page that its file is put into.
    pub(super) fn find(
        &self,
        known: &AuditContext,
        file: FileOf,
        is_own: bool,
        has: impl Fn(FileOf) -> bool,
    ) -> Elsewhere {
        let mut reached = Reached::from(file);
        let at = |file: &FileOf| Place::new(known, *file);
        if is_own {
            reached.follow(|file| self.wholes.get(&at(file)).map_or(&[], Vec::as_slice));
        }
        let parts = |file: &FileOf| self.parts.get(&at(file));
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
    files: Vec<FileOf>,
    known: HashSet<FileOf>,
    are_more: bool,
}

impl Reached {
    fn from(file: FileOf) -> Self {
        Self {
            files: vec![file],
            known: HashSet::from([file]),
            are_more: false,
        }
    }

    /// Adds what is reached from all that was so far, and from what that adds.
    fn follow<'n>(&mut self, next: impl Fn(&FileOf) -> &'n [FileOf]) {
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
