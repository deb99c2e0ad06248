//! Reads the pages of both sites, which are then judged and compared.

use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::Arc;

use super::old_site::{self, ArchiveMember, Pages};
use super::plan::Plan;
use crate::compare::{self, interner::Interner};
use crate::page::{Judgement, Move, PageAddress};
use baseref_container::{Contents, Entity};
use baseref_document::{ReadError, hash_of};
use baseref_findings::PageName;
use baseref_rewrite::links;
use baseref_run::{self as run, Input, Piece};
use baseref_server::follow::Stub;
use baseref_walk::skipped::ONLY_PAGES;
use baseref_walk::{FileInput, Inputs, Opening, Walk};

/// Returns the patch of a page or the fixed page, given the name of the input, the names of the page and
/// its results.
pub type FixPage<'m> = dyn Fn(&str, &PageName, &mut Judgement) -> Vec<u8> + Sync + 'm;

/// A document of either site.
pub struct ReadPage {
    /// Its names in reports.
    pub name: Arc<PageName>,
    /// Its URL before the move.
    pub url: String,
    /// Whether it is a page of the site, rather than mail or part of an archive.
    pub is_of_site: bool,
    /// The [`hash_of`] its captured body.
    pub(super) body: Option<u64>,
    /// Its results; the findings have moved to the sink.
    pub judgement: Judgement,
    /// Its new address in normal form, without the name of an index, and its immediate refresh.
    pub(super) stub: Option<(String, Stub)>,
    /// Its patch or the fixed file; empty if nothing is edited.
    pub fixed: Vec<u8>,
}

/// The documents of one or both sites.
#[derive(Default)]
pub(super) struct SiteDocuments {
    pub(super) pages: Vec<ReadPage>,
    /// The pages to compare, if the site was rebuilt.
    pub(super) files: Vec<compare::ComparedPage>,
    pub(super) unread: Vec<ReadError>,
    /// The number of documents inside members of a zip, which are left out.
    pub(super) left_out: u64,
    /// Whether links are repaired.
    pub(super) is_fixing: bool,
}

/// The side of a move.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Old,
    New,
}

/// The settings for reading both sites.
pub(super) struct ReadContext<'r> {
    pub(super) plan: &'r Plan,
    pub(super) mover: &'r Move<'r>,
    pub(super) fix: Option<&'r FixPage<'r>>,
    /// The strings of compared links.
    pub(super) interner: &'r Interner,
    pub(super) opening: &'r Arc<Opening>,
}

impl ReadContext<'_> {
    /// Reads the old site.
    pub(super) fn read_old(&self, jobs: NonZeroUsize) -> SiteDocuments {
        let old = &self.plan.old;
        let dir = &self.plan.request.dir;
        let mut docs = match &old.pages {
            Pages::Files => self.read_side(jobs, dir, Side::Old, self.opening),
            Pages::Listed => SiteDocuments::default(),
            Pages::Members(_) | Pages::Captures(_) => {
                let opening = old_site::opening(&self.plan.files);
                self.read_side(jobs, dir, Side::Old, &opening)
            }
        };
        docs.unread.extend(old.unread.iter().cloned());
        docs
    }

    /// Reads the site of one side. If the site was rebuilt, pages of the new side are judged, and pages of
    /// the old side are compared with them.
    pub(super) fn read_side(
        &self,
        jobs: NonZeroUsize,
        dir: &Path,
        side: Side,
        opening: &Arc<Opening>,
    ) -> SiteDocuments {
        // Pages in hidden folders move as well.
        let walk = Walk::new(true, false, &ONLY_PAGES.map(str::to_owned));
        let walk = walk.unwrap_or_default();
        let inputs = Inputs::new(vec![dir.to_owned()], walk, Arc::clone(opening));
        run::fold(
            inputs,
            jobs,
            |piece: Piece, docs: &mut SiteDocuments| match piece {
                Piece::Entity(entity) => self.add(entity, dir, side, docs),
                Piece::Unread(error) => docs.unread.push(error),
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

    fn add(&self, mut entity: Entity, dir: &Path, side: Side, docs: &mut SiteDocuments) {
        let member = match side {
            Side::Old => self.plan.old.classify(&mut entity, &self.plan.from),
            Side::New => ArchiveMember::None,
        };
        let address = match &member {
            ArchiveMember::None => address(&entity, self.plan, dir, side),
            ArchiveMember::LeftOut => {
                docs.left_out += u64::from(matches!(self.plan.old.pages, Pages::Members(_)));
                return;
            }
            ArchiveMember::Page { url, .. } => self.plan.address_in_archive(&entity, url),
        };
        let is_page = match &member {
            ArchiveMember::Page { is_page, .. } => *is_page,
            _ => entity.origin.member.is_none() && entity.origin.message.is_none(),
        };
        let is_archived = matches!(member, ArchiveMember::Page { .. });
        let compares = self.plan.new_tree.is_some();
        let mut page = (compares && (is_page || is_archived)).then(|| {
            if is_archived {
                compare::ComparedPage::archived(&address, is_page)
            } else {
                compare::ComparedPage::new(&address, entity.is_file())
            }
        });
        let input = Arc::clone(&entity.origin.input);
        let body = is_archived && is_page && side == Side::Old;
        let body = body.then(|| hash_of(&String::from_utf8_lossy(&old_site::body(&entity))));
        let mut judged = if compares && side == Side::Old {
            if is_page || is_archived {
                let body = old_site::body(&entity).into_owned();
                let bytes = std::mem::take(&mut entity.bytes);
                let read = self.mover.read.clone().with_outline(is_archived && is_page);
                let documents = links::documents(&bytes, entity, Some(&address.old), &read);
                if let (Some(page), Some(document)) = (&mut page, documents.first()) {
                    page.read(document, &body, self.interner);
                }
            }
            Judgement::default()
        } else {
            let entity = self.mover.read_entity(entity, &address);
            if let (Some(page), Some(document)) = (&mut page, entity.documents.first()) {
                page.read(document, &entity.bytes, self.interner);
            }
            self.mover.judge(entity, &address)
        };
        docs.files.extend(page);
        docs.unread.append(&mut judged.unread);
        judged.findings.shrink_to_fit();
        let fix = self.fix;
        let fixed = fix.map_or_else(Vec::new, |fix| fix(&input, &address.name, &mut judged));
        let folded = self.mover.context.index_folded(&address.new);
        let stub = judged.stub.take().map(|stub| (folded, stub));
        docs.pages.push(ReadPage {
            name: address.name,
            url: address.old,
            is_of_site: is_page && side == Side::Old,
            body,
            judgement: judged,
            stub,
            fixed,
        });
    }
}

/// The bytes of a page that was read from `path` before.
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

/// The names and URLs of a document in a folder. Documents of the new side have one URL.
fn address(entity: &Entity, plan: &Plan, dir: &Path, side: Side) -> PageAddress {
    let doc = entity.origin.to_string();
    let input = &*entity.origin.input;
    let path = plan.unwritable.get(input);
    let path = path.and_then(|path| path.strip_prefix(dir).ok());
    let dir = dir.to_string_lossy();
    let key = crate::path_below(&doc, &dir);
    let file = match path {
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
