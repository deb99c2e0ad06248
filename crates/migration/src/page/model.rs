//! A document that moves, its links, and what is found in them.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Arc;

use baseref_document::{Document, ReadError, ReadOptions, Reference};
use baseref_findings::{Finding, PageName, Shown, Spot};
use baseref_reader::base::Base;
use baseref_reader::extract::Extraction;
use baseref_rewrite::edit::Edit;
use baseref_rewrite::links::{self, Urls, form};
use baseref_site::moves::Prefixes;
use encoding_rs::Encoding;

use crate::class::{Decision, MoveClass, Via};
use crate::textual_mentions::TextualMentions;
use baseref_server::follow::MoveContext;

/// What to do with every document.
pub struct Move<'m> {
    /// The two places.
    pub context: &'m MoveContext<'m>,
    /// How to read documents.
    pub read: ReadOptions,
    /// Whether edits are wanted.
    pub fixes: bool,
    /// What to search for outside links.
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

/// What was found in one document.
#[derive(Debug, Default)]
pub struct Judged {
    /// In the order of places.
    pub findings: Vec<Finding>,
    /// The number of links in each class, in the order of [`MoveClass::ALL`].
    pub classes: [u64; MoveClass::ALL.len()],
    /// The number of links held back by each kind of tie.
    pub ties: BTreeMap<(MoveClass, Via), u64>,
    /// The number of links that would be fixed by fixing only a base.
    pub by_base: u64,
    /// The edits that fix it, sorted; empty if there is nothing to fix or it cannot be fixed.
    pub edits: Vec<Edit>,
    /// The bytes, if there are edits.
    pub bytes: Vec<u8>,
    /// Where the page at the new place immediately redirects to.
    pub stub: Option<String>,
    /// Whether it is in mail or an archive, but has links that edits would fix.
    pub refused: bool,
    /// The documents that were not judged, and why.
    pub unread: Vec<ReadError>,
    /// How many of the findings say that something was not edited, and why.
    pub not_edited: usize,
}

impl Move<'_> {
    /// What moves where.
    pub(super) fn prefixes(&self) -> &Prefixes {
        self.context.prefixes
    }
}

/// The result for one document.
#[derive(Default)]
pub(super) struct Outcome {
    pub(super) edits: Vec<Edit>,
    /// The new targets, in normal form, of the links whose target changes.
    pub(super) fixed: BTreeMap<usize, Option<String>>,
    pub(super) wants_edit: bool,
}

impl Outcome {
    /// Where each reference in the source should lead once the document is fixed.
    pub(super) fn wanted_of(
        &self,
        document: &Document,
        new: &Extraction<'_>,
    ) -> Vec<Option<String>> {
        let mut resolving = new.resolving();
        let references = document.written().enumerate();
        references
            .map(|(number, reference)| match self.fixed.get(&number) {
                Some(wanted) => wanted.clone(),
                None => resolving.url(&reference).ok().map(form),
            })
            .collect()
    }
}

/// One document by every rule set, at both places.
pub(super) struct PageOf<'p> {
    pub(super) mover: &'p Move<'p>,
    pub(super) document: &'p Document,
    pub(super) name: Arc<PageName>,
    /// The bytes, if it is a whole file.
    pub(super) source: Option<&'p [u8]>,
    pub(super) old: [&'p Extraction<'p>; 3],
    pub(super) new: [&'p Extraction<'p>; 3],
    /// Whether its base is declared by a relative reference.
    pub(super) is_base_relative: bool,
    /// That of the latest finding.
    pub(super) spot: RefCell<Option<Arc<Spot>>>,
}

/// One link that moves.
pub(super) struct LinkOf<'l> {
    pub(super) number: usize,
    pub(super) reference: Reference<'l>,
    /// What it resolves to before the move.
    pub(super) old: Urls,
    /// What happens to it under each rule set.
    pub(super) decisions: [Decision; 3],
    pub(super) via: Via,
}

impl LinkOf<'_> {
    /// By RFC 1808.
    pub(super) fn decision(&self) -> &Decision {
        &self.decisions[0]
    }

    /// Whether all rule sets agree on it.
    pub(super) fn agrees(&self) -> bool {
        let [first, others @ ..] = &self.decisions;
        others.iter().all(|other| other.class == first.class)
    }

    /// Whether it had the same meaning under every rule set.
    pub(super) fn means_one(&self) -> bool {
        let [first, others @ ..] = &self.decisions;
        others.iter().all(|other| other.old == first.old)
    }
}

impl PageOf<'_> {
    /// The encoding of the document.
    pub(super) fn encoding(&self) -> &'static Encoding {
        links::encoding(self.document)
    }

    /// The base before the move, by RFC 1808.
    pub(super) fn base(&self) -> &Base {
        self.old[0].base()
    }
}
