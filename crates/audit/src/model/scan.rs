//! A scanned document.

use std::sync::Arc;

use crate::model::class::Counts;
use crate::model::deferred::DeferredLinks;
use crate::model::inclusions::Inclusions;
use crate::model::names_on_disk::NamesOnDisk;
use crate::model::need::need_of;
use crate::model::outcome::{LinkOutcome, ListedLink};
use crate::model::package_id::PackageId;
use crate::model::provenance::Provenance;
use crate::model::site_file::SiteFile;
use crate::model::texts::Texts;
use crate::serving::hints::ServingHints;
use crate::signals::Signals;
use baseref_document::{DocumentKind, Reference, RepeatedIdentifier};
use baseref_evidence::captures::Number;
use baseref_findings::{BaseName, Finding, MessageSummary, PageName, SourceLine};
use baseref_reader::links::Link;
use baseref_site::names::Names;
use encoding_rs::Encoding;

/// The scan of a document: the findings that need no other document, and the links to look up in
/// others.
///
/// See [`crate::StoredScan`] about its size.
#[derive(Debug)]
pub(crate) struct Scan {
    pub(crate) name: Arc<PageName>,
    pub(crate) encoding: &'static Encoding,
    pub(crate) kind: DocumentKind,
    /// Whether it is embedded in an attribute of the document before it.
    pub(crate) is_part: bool,
    /// Whether it is part of a message. Positions then refer to the decoded part.
    pub(crate) is_decoded: bool,
    /// Whether bytes of it are missing or damaged.
    pub(crate) is_damaged: bool,
    /// Its file, if it is in a site.
    pub(crate) own: Option<SiteFile>,
    /// The hash of its URL, unless it is a file of a site.
    pub(crate) record: Option<u64>,
    /// Its capture, if it is one.
    pub(crate) capture: Option<Number>,
    /// The number of its entry, if its package is a ZIM file.
    pub(crate) entry: Option<u32>,
    pub(crate) provenance: Provenance,
    /// The ids of its elements, unless it is a file of a site.
    pub(crate) names: Names,
    /// Where these ids are on disk, if they are not in memory.
    pub(crate) names_on_disk: Option<NamesOnDisk>,
    /// Ids that an earlier element already has.
    pub(crate) repeated: Vec<(RepeatedIdentifier, Option<SourceLine>)>,
    pub(crate) base: Arc<BaseName>,
    /// The base under each rule set, if there are deferred links: a single one if all agree, none
    /// if they agree with [`Self::base`].
    pub(crate) bases: Box<[Option<Box<str>>]>,
    pub(crate) findings: Vec<Finding>,
    /// The links to check once all documents are scanned.
    pub(crate) deferred: Option<Box<DeferredLinks>>,
    /// The ids that its links name and that several elements of the target have.
    pub(crate) referred: Vec<(SiteFile, u64)>,
    pub(crate) texts: Texts,
    pub(crate) counts: Counts,
    /// Its links, if they are listed.
    pub(crate) links: Vec<ListedLink>,
    /// Hints in its links about where its site is served.
    pub(crate) serving_hints: ServingHints,
    /// The package that it belongs to.
    pub(crate) package: Option<PackageId>,
    /// The summary of a message, on its last document, if requested.
    pub(crate) message_summary: Option<Box<MessageSummary>>,
    /// The target of an instant meta refresh that forwards the fragment.
    pub(crate) forwards: Option<SiteFile>,
    /// Its server-side includes.
    pub(crate) inclusions: Option<Box<Inclusions>>,
    /// Its signals to search engines.
    pub(crate) signals: Option<Box<Signals>>,
}

impl Scan {
    /// An empty scan of a page in UTF-8.
    pub(crate) fn new(name: Arc<PageName>, base: Arc<BaseName>) -> Self {
        Self {
            name,
            encoding: encoding_rs::UTF_8,
            kind: DocumentKind::Page,
            is_part: false,
            is_decoded: false,
            is_damaged: false,
            own: None,
            record: None,
            capture: None,
            entry: None,
            provenance: Provenance::Alone,
            names: Names::default(),
            names_on_disk: None,
            repeated: Vec::new(),
            base,
            bases: Box::default(),
            findings: Vec::new(),
            deferred: None,
            referred: Vec::new(),
            texts: Texts::default(),
            counts: Counts::default(),
            links: Vec::new(),
            serving_hints: ServingHints::default(),
            package: None,
            message_summary: None,
            forwards: None,
            inclusions: None,
            signals: None,
        }
    }

    /// The base under each rule set.
    pub(crate) fn all_bases(&self) -> [Option<&str>; 3] {
        [0, 1, 2].map(|place| match self.bases.get(place).or(self.bases.first()) {
            Some(own) => own.as_deref(),
            None => self.base.url.as_deref(),
        })
    }

    /// Stores the bases, if there are deferred links.
    pub(crate) fn store_bases(&mut self, bases: [Option<String>; 3]) {
        let are_one = bases[0] == bases[1] && bases[1] == bases[2];
        if self.deferred().is_empty() || are_one && bases[0] == self.base.url {
            return;
        }
        let kept = bases.into_iter().take(if are_one { 1 } else { 3 });
        self.bases = kept.map(|base| base.map(String::into_boxed_str)).collect();
    }

    /// The deferred links.
    pub(crate) fn deferred(&self) -> &DeferredLinks {
        static NONE: DeferredLinks = DeferredLinks::NONE;
        self.deferred.as_deref().unwrap_or(&NONE)
    }

    /// The deferred links, to add to.
    pub(crate) fn deferred_mut(&mut self) -> &mut DeferredLinks {
        self.deferred.get_or_insert_default()
    }

    /// Moves the deferred links out of the scan.
    pub(crate) fn take_deferred(&mut self) -> DeferredLinks {
        self.deferred
            .take()
            .map(|deferred| *deferred)
            .unwrap_or_default()
    }

    /// Frees spare capacity, once the document is scanned.
    pub(crate) fn shrink(&mut self) {
        self.findings.shrink_to_fit();
        self.referred.shrink_to_fit();
        self.texts.shrink();
        if let Some(deferred) = &mut self.deferred {
            deferred.shrink();
        }
    }

    /// The approximate size in bytes.
    pub(crate) fn size(&self) -> usize {
        /// The approximate sizes of the names of document and base, and of a finding.
        const NAMES: usize = 500;
        const FINDING: usize = 500;
        let names = size_of_val(self.names.hashes());
        let found = self.findings.len() + self.repeated.len();
        size_of::<Self>() + NAMES + self.deferred().size() + names + found * FINDING
    }

    /// Whether it is a page of an archive, not a style sheet, an image, a feed or part of a page.
    pub(crate) fn is_captured_page(&self) -> bool {
        self.provenance == Provenance::Archive && self.has_completeness()
    }

    /// Whether its resources should be there with it: it is a page that was captured, or saved with them.
    pub(crate) fn has_completeness(&self) -> bool {
        let is_document = self.provenance != Provenance::Alone && self.record.is_some();
        is_document && self.kind == DocumentKind::Page
    }

    /// Whether its findings are independent of all other documents: it is not a file of a site, has
    /// no URL that others could link to, and has no deferred link. This holds for nearly all mail.
    pub(crate) fn is_alone(&self) -> bool {
        let is_unnamed = self.own.is_none() && self.record.is_none() && self.capture.is_none();
        let is_independent = self.deferred().is_empty() && self.referred.is_empty();
        let is_independent = is_independent && self.signals.is_none();
        is_unnamed
            && is_independent
            && self.provenance == Provenance::Alone
            && self.package.is_none()
    }

    /// Counts a link, and lists it if asked to.
    pub(crate) fn add(&mut self, link: &Link<'_>, outcome: LinkOutcome, is_listed: bool) {
        self.counts.add(outcome.class);
        if !is_listed {
            return;
        }
        let Reference {
            slot,
            element,
            value,
            at,
            ..
        } = link.reference;
        let raw = self.texts.store(value);
        let url = link.url.ok().map(|url| self.texts.store(url));
        self.links.push(ListedLink {
            slot,
            element: (element != slot.element).then(|| element.into()),
            at: at.cloned(),
            raw,
            url,
            need: need_of(&link.reference),
            outcome,
        });
    }
}
