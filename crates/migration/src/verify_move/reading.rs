//! Reads the trees of a move, or what stands for them, into the pages that are judged and compared.

use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::Arc;

use super::old_site::{self, Archived, Pages};
use super::plan::Planned;
use crate::compare::{self, interner::Interner};
use crate::page::{Judged, Move, PageAddress};
use baseref_container::{Contents, Entity};
use baseref_document::{Document, ReadError, hash_of};
use baseref_findings::PageName;
use baseref_resolve::normal::{NormalOptions, normal};
use baseref_rewrite::links;
use baseref_run::{self as run, Input, Piece};
use baseref_walk::skipped::ONLY_PAGES;
use baseref_walk::{FileInput, Inputs, Opening, Walk};

/// Makes the patch of a page, or the fixed page, from the input's name, the page's names and its
/// findings.
pub type FixPage<'m> = dyn Fn(&str, &PageName, &mut Judged) -> Vec<u8> + Sync + 'm;

/// One document that was read.
pub struct Page {
    /// Its names in reports.
    pub name: Arc<PageName>,
    /// Its URL before the move.
    pub url: String,
    /// Whether it is a page of the site, rather than mail or part of an archive.
    pub is_of_site: bool,
    /// The [`hash_of`] what was captured of it, if it was.
    pub(super) body: Option<u64>,
    /// The results for it; its findings have been taken.
    pub judged: Judged,
    /// Its new address, and where it immediately redirects to.
    pub(super) stub: Option<(String, String)>,
    /// Its patch, or the fixed file; empty if nothing is edited.
    pub fixed: Vec<u8>,
}

/// All documents.
#[derive(Default)]
pub(super) struct Gathered {
    pub(super) pages: Vec<Page>,
    /// The pages for the comparison of two trees.
    pub(super) files: Vec<compare::Page>,
    pub(super) unread: Vec<ReadError>,
    /// How many documents of a zip are no files of its tree.
    pub(super) left_out: u64,
    /// Whether links are repaired.
    pub(super) is_fixing: bool,
}

/// Which tree is being read.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Old,
    New,
}

/// How trees are read.
pub(super) struct Reading<'r> {
    pub(super) plan: &'r Planned,
    pub(super) mover: &'r Move<'r>,
    pub(super) fix: Option<&'r FixPage<'r>>,
    /// The strings of the links that are compared.
    pub(super) interner: &'r Interner,
    pub(super) opening: &'r Arc<Opening>,
}

impl Reading<'_> {
    /// Reads the old site.
    pub(super) fn gather_old(&self, jobs: NonZeroUsize) -> Gathered {
        let old = &self.plan.old;
        let dir = &self.plan.request.dir;
        let mut gathered = match &old.pages {
            Pages::Files => self.gather(jobs, dir, Side::Old, self.opening),
            Pages::Listed => Gathered::default(),
            Pages::Members(_) | Pages::Captures(_) => {
                let opening = old_site::opening(&self.plan.files);
                self.gather(jobs, dir, Side::Old, &opening)
            }
        };
        gathered.unread.extend(old.unread.iter().cloned());
        gathered
    }

    /// Reads a tree. If it was rebuilt, the links of the new tree are judged in place, and only what
    /// the comparison needs is kept of the old one.
    pub(super) fn gather(
        &self,
        jobs: NonZeroUsize,
        dir: &Path,
        side: Side,
        opening: &Arc<Opening>,
    ) -> Gathered {
        // A page in a hidden directory moves like any other.
        let walk = Walk::new(true, false, &ONLY_PAGES.map(str::to_owned));
        let walk = walk.unwrap_or_default();
        let inputs = Inputs::new(vec![dir.to_owned()], walk, Arc::clone(opening));
        run::fold(
            inputs,
            jobs,
            |piece: Piece, gathered: &mut Gathered| match piece {
                Piece::Entity(entity) => self.entity(entity, dir, side, gathered),
                Piece::Unread(error) => gathered.unread.push(error),
                Piece::Skipped(_) => {}
            },
            |all, more| {
                all.pages.extend(more.pages);
                all.files.extend(more.files);
                all.unread.extend(more.unread);
                all.left_out += more.left_out;
            },
        )
    }

    fn entity(&self, mut entity: Entity, dir: &Path, side: Side, gathered: &mut Gathered) {
        let of_archive = match side {
            Side::Old => self.plan.old.archived(&mut entity, &self.plan.from),
            Side::New => Archived::No,
        };
        let address = match &of_archive {
            Archived::No => address(&entity, self.plan, dir, side),
            Archived::LeftOut => {
                gathered.left_out += u64::from(matches!(self.plan.old.pages, Pages::Members(_)));
                return;
            }
            Archived::Page { url, .. } => self.plan.address_in_archive(&entity, url),
        };
        let is_page = match &of_archive {
            Archived::Page { is_page, .. } => *is_page,
            _ => entity.origin.member.is_none() && entity.origin.message.is_none(),
        };
        let is_archived = matches!(of_archive, Archived::Page { .. });
        let compares = self.plan.new_tree.is_some();
        let mut page = (compares && (is_page || is_archived)).then(|| {
            if is_archived {
                compare::Page::archived(&address, is_page)
            } else {
                compare::Page::new(&address, entity.is_file())
            }
        });
        let mut first = |document: &Document, bytes: &[u8]| {
            if let Some(page) = &mut page {
                page.read(document, bytes, self.interner);
            }
        };
        let input = Arc::clone(&entity.origin.input);
        let body = is_archived && is_page && side == Side::Old;
        let body = body.then(|| hash_of(&String::from_utf8_lossy(&old_site::body(&entity))));
        let mut judged = if compares && side == Side::Old {
            if is_page || is_archived {
                let body = old_site::body(&entity).into_owned();
                let bytes = std::mem::take(&mut entity.bytes);
                let documents =
                    links::documents(&bytes, entity, Some(&address.old), &self.mover.read);
                documents.first().inspect(|document| first(document, &body));
            }
            Judged::default()
        } else {
            self.mover.judge(entity, &address, &mut first)
        };
        gathered.files.extend(page);
        gathered.unread.append(&mut judged.unread);
        judged.findings.shrink_to_fit();
        let fix = self.fix;
        let fixed = fix.map_or_else(Vec::new, |fix| fix(&input, &address.name, &mut judged));
        let normal = normal(&address.new, &NormalOptions::default());
        let stub = judged.stub.take().map(|to| (normal, to));
        gathered.pages.push(Page {
            name: address.name,
            url: address.old,
            is_of_site: is_page && side == Side::Old,
            body,
            judged,
            stub,
            fixed,
        });
    }
}

/// The bytes of a page of a tree, which was read before from `path`.
pub(super) fn read_again(doc: &str, path: &Path, opening: &Arc<Opening>) -> Option<Vec<u8>> {
    match FileInput::new(path.into(), false, opening).open().ok()? {
        Contents::Single(entity) => Some(entity.bytes),
        Contents::Multiple(entities) => {
            let mut entities = entities.filter_map(Result::ok);
            let is_page = |entity: &Entity| entity.origin.to_string() == doc;
            Some(entities.find(is_page)?.bytes)
        }
        Contents::Empty => None,
    }
}

/// The names and URLs of a document of a tree. A document of the new tree is already in place.
fn address(entity: &Entity, plan: &Planned, dir: &Path, side: Side) -> PageAddress {
    let doc = entity.origin.to_string();
    let input = &*entity.origin.input;
    let real = plan.unwritable.get(input);
    let real = real.and_then(|path| path.strip_prefix(dir).ok());
    let dir = dir.to_string_lossy();
    let key = crate::path_below(&doc, &dir);
    let file = match real {
        Some(path) => path.as_os_str().as_encoded_bytes().to_vec(),
        None => crate::path_below(input, &dir).into_bytes(),
    };
    let prefix = match side {
        Side::Old => &plan.from,
        Side::New => &plan.request.to,
    };
    let old = baseref_site::url_below(prefix, &file);
    let moved = plan
        .prefixes
        .moved_as_written(&old)
        .filter(|_| side == Side::Old);
    PageAddress {
        name: Arc::new(PageName {
            doc,
            url: Some(old.clone()),
            key,
        }),
        new: moved.unwrap_or_else(|| old.clone()),
        old,
    }
}
