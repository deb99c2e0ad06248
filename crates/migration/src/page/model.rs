//! A document that moves, its links, and the findings about them.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Arc;

use baseref_document::{Document, ReadError, ReadOptions, Reference};
use baseref_findings::{AttributeName, Finding, PageName, Shown};
use baseref_reader::base::Base;
use baseref_reader::links::DocumentLinks;
use baseref_rewrite::edit::Edit;
use baseref_rewrite::links::{self, Urls, form};
use baseref_site::moves::Prefixes;
use encoding_rs::Encoding;

use crate::class::{Decision, MoveClass, Via};
use crate::textual_mentions::TextualMentions;
use baseref_server::follow::{MoveContext, Stub};

/// The settings that apply to every document of a move.
pub struct Move<'m> {
    /// The two sites and the redirects between them.
    pub context: &'m MoveContext<'m>,
    /// How to read documents.
    pub read: ReadOptions,
    /// Whether documents are fixed.
    pub fixes: bool,
    /// The search for old addresses outside links.
    pub mentions: TextualMentions,
    /// Which findings need their source lines.
    pub shown: Shown,
}

/// A document that moves.
#[derive(Clone, Debug)]
pub struct PageAddress {
    /// Its names in reports.
    pub name: Arc<PageName>,
    /// Its URL before the move.
    pub old: String,
    /// Its URL after the move.
    pub new: String,
}

/// The results for one document.
#[derive(Debug, Default)]
pub struct Judgement {
    /// The findings, in the order of their positions.
    pub findings: Vec<Finding>,
    /// The number of links in each class, in the order of [`MoveClass::ALL`].
    pub classes: [u64; MoveClass::ALL.len()],
    /// The number of links with a fault, by class and by how they are written.
    pub ties: BTreeMap<(MoveClass, Via), u64>,
    /// The number of links that a new base alone would fix.
    pub by_base: u64,
    /// The sorted edits that fix the document; empty if there are none or they are unsafe.
    pub edits: Vec<Edit>,
    /// The bytes of the document, if there are edits.
    pub bytes: Vec<u8>,
    /// The immediate refresh of the page at its new location.
    pub stub: Option<Stub>,
    /// Whether the document needs edits but is in mail or an archive, which are not edited.
    pub refused: bool,
    /// The errors about documents that were not judged.
    pub unread: Vec<ReadError>,
    /// The number of findings that say why something was not edited.
    pub not_edited: usize,
}

impl Move<'_> {
    /// The old and the new prefixes.
    pub(super) fn prefixes(&self) -> &Prefixes {
        self.context.prefixes
    }
}

/// The edits of one document.
#[derive(Default)]
pub(super) struct Outcome {
    pub(super) edits: Vec<Edit>,
    /// The expected targets, in normal form, of the links whose targets change.
    pub(super) fixed: BTreeMap<usize, Option<String>>,
    /// The targets, in normal form, that links have if the base is fixed.
    pub(super) follows: BTreeMap<usize, Option<String>>,
    pub(super) wants_edit: bool,
}

impl Outcome {
    /// The expected target of each reference in the source after the edits.
    pub(super) fn expected_targets(
        &self,
        document: &Document,
        new: &DocumentLinks<'_>,
    ) -> Vec<Option<String>> {
        let mut resolver = new.link_resolver();
        let references = document.written().enumerate();
        references
            .map(|(number, reference)| match self.fixed.get(&number) {
                Some(expected) => expected.clone(),
                None => resolver.url(&reference).ok().map(form),
            })
            .collect()
    }
}

/// One document, resolved by every rule set at both locations.
pub(super) struct PageMove<'p> {
    pub(super) mover: &'p Move<'p>,
    pub(super) document: &'p Document,
    pub(super) name: Arc<PageName>,
    /// The bytes of the document, if it is a whole file.
    pub(super) source: Option<&'p [u8]>,
    pub(super) old: [&'p DocumentLinks<'p>; 3],
    pub(super) new: [&'p DocumentLinks<'p>; 3],
    /// Whether a relative reference declares the base.
    pub(super) is_base_relative: bool,
    /// The spot of the latest finding, which the next one often shares.
    pub(super) spot: RefCell<Option<Arc<AttributeName>>>,
}

/// One link before and after the move.
pub(super) struct LinkMove<'l> {
    pub(super) number: usize,
    pub(super) reference: Reference<'l>,
    /// Its URL before the move by every rule set.
    pub(super) old: Urls,
    /// Its class under each rule set.
    pub(super) decisions: [Decision; 3],
    pub(super) via: Via,
}

impl LinkMove<'_> {
    /// The decision by RFC 1808.
    pub(super) fn decision(&self) -> &Decision {
        &self.decisions[0]
    }

    /// Whether all rule sets agree on its class.
    pub(super) fn agrees(&self) -> bool {
        let [first, others @ ..] = &self.decisions;
        others.iter().all(|other| other.class == first.class)
    }

    /// Whether all rule sets resolve it to one URL before the move.
    pub(super) fn has_single_target(&self) -> bool {
        let [first, others @ ..] = &self.decisions;
        others.iter().all(|other| other.old == first.old)
    }
}

impl PageMove<'_> {
    /// The encoding of the document.
    pub(super) fn encoding(&self) -> &'static Encoding {
        links::encoding(self.document)
    }

    /// The base before the move, by RFC 1808.
    pub(super) fn base(&self) -> &Base {
        self.old[0].base()
    }
}
