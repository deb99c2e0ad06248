//! What is kept of a scanned document until all are known.

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
use baseref_document::{DocumentKind, Reference, Repeated};
use baseref_evidence::captures::Number;
use baseref_findings::{BaseName, Finding, Letter, PageName, SourceLine};
use baseref_reader::extract::Link;
use baseref_site::names::Names;
use encoding_rs::Encoding;

/// A scanned document: the findings from it alone, and what remains to be looked up in others.
///
/// [`crate::StoredScan`] says what its size grows with.
#[derive(Debug)]
pub(crate) struct Scan {
    pub(crate) name: Arc<PageName>,
    pub(crate) encoding: &'static Encoding,
    pub(crate) kind: DocumentKind,
    /// Whether it is in an attribute of the document before it.
    pub(crate) is_part: bool,
    /// Whether it is a part of a message, whose places are those in it once it is decoded.
    pub(crate) is_decoded: bool,
    /// The file of a tree, if it is one.
    pub(crate) own: Option<SiteFile>,
    /// The hash of its URL, if it is a page of an archive.
    pub(crate) record: Option<u64>,
    /// The capture that it is, and how that came to be known.
    pub(crate) capture: Option<Number>,
    pub(crate) provenance: Provenance,
    /// The names of its elements, if it is a page of an archive.
    pub(crate) names: Names,
    /// Where these are, if they are not in memory.
    pub(crate) names_on_disk: Option<NamesOnDisk>,
    /// Names that an earlier element already has.
    pub(crate) repeated: Vec<(Repeated, Option<SourceLine>)>,
    pub(crate) base: Arc<BaseName>,
    /// The base under each rule set, if anything waits: one, if they agree, and none, if that is the one
    /// that is shown.
    pub(crate) bases: Box<[Option<Box<str>>]>,
    pub(crate) findings: Vec<Finding>,
    /// The links that wait, if there are any.
    pub(crate) waiting: Option<Box<DeferredLinks>>,
    /// The names that it refers to, and where, of those that several elements of a page have.
    pub(crate) referred: Vec<(SiteFile, u64)>,
    pub(crate) texts: Texts,
    pub(crate) counts: Counts,
    /// Every link, if asked for.
    pub(crate) links: Vec<ListedLink>,
    /// What its links show of where its tree is served.
    pub(crate) shows: ServingHints,
    /// The package that it is in.
    pub(crate) package: Option<PackageId>,
    /// If it is the last document of a message, that in short, if asked for.
    pub(crate) letter: Option<Box<Letter>>,
    /// The file that it leads to at once, with the fragment by which it was asked for.
    pub(crate) forwards: Option<SiteFile>,
    /// What it asks the server to put into it, if it asks for anything.
    pub(crate) inclusions: Option<Box<Inclusions>>,
    /// What search engines take from it beyond its links, if there is anything.
    pub(crate) signals: Option<Box<Signals>>,
}

impl Scan {
    /// A page in UTF-8 in which nothing was found so far.
    pub(crate) fn new(name: Arc<PageName>, base: Arc<BaseName>) -> Self {
        Self {
            name,
            encoding: encoding_rs::UTF_8,
            kind: DocumentKind::Page,
            is_part: false,
            is_decoded: false,
            own: None,
            record: None,
            capture: None,
            provenance: Provenance::Alone,
            names: Names::default(),
            names_on_disk: None,
            repeated: Vec::new(),
            base,
            bases: Box::default(),
            findings: Vec::new(),
            waiting: None,
            referred: Vec::new(),
            texts: Texts::default(),
            counts: Counts::default(),
            links: Vec::new(),
            shows: ServingHints::default(),
            package: None,
            letter: None,
            forwards: None,
            inclusions: None,
            signals: None,
        }
    }

    /// The bases under all rule sets.
    pub(crate) fn all_bases(&self) -> [Option<&str>; 3] {
        [0, 1, 2].map(|place| match self.bases.get(place).or(self.bases.first()) {
            Some(own) => own.as_deref(),
            None => self.base.url.as_deref(),
        })
    }

    /// Keeps the bases for the links that wait, if there are any.
    pub(crate) fn keep_bases(&mut self, bases: [Option<String>; 3]) {
        let are_one = bases[0] == bases[1] && bases[1] == bases[2];
        if self.waiting().is_empty() || are_one && bases[0] == self.base.url {
            return;
        }
        let kept = bases.into_iter().take(if are_one { 1 } else { 3 });
        self.bases = kept.map(|base| base.map(String::into_boxed_str)).collect();
    }

    /// The links that wait.
    pub(crate) fn waiting(&self) -> &DeferredLinks {
        static NONE: DeferredLinks = DeferredLinks::NONE;
        self.waiting.as_deref().unwrap_or(&NONE)
    }

    /// The links that wait, to add more.
    pub(crate) fn waiting_mut(&mut self) -> &mut DeferredLinks {
        self.waiting.get_or_insert_default()
    }

    /// Takes the links that wait out of it.
    pub(crate) fn take_waiting(&mut self) -> DeferredLinks {
        self.waiting
            .take()
            .map(|waiting| *waiting)
            .unwrap_or_default()
    }

    /// Ends the adding of links that wait.
    pub(crate) fn shrink(&mut self) {
        self.findings.shrink_to_fit();
        self.referred.shrink_to_fit();
        self.texts.shrink();
        if let Some(waiting) = &mut self.waiting {
            waiting.shrink();
        }
    }

    /// About how many bytes it takes.
    pub(crate) fn size(&self) -> usize {
        /// What the names of its document and of its base take, and a finding.
        const NAMES: usize = 500;
        const FINDING: usize = 500;
        let names = size_of_val(self.names.hashes());
        let found = self.findings.len() + self.repeated.len();
        size_of::<Self>() + NAMES + self.waiting().size() + names + found * FINDING
    }

    /// Whether it is a page of an archive, rather than a style sheet, an image, a feed or a part of a
    /// page.
    pub(crate) fn is_captured_page(&self) -> bool {
        let is_document = self.provenance == Provenance::Archive && self.record.is_some();
        is_document && self.kind == DocumentKind::Page
    }

    /// Whether its verdicts depend on no other document, and none on it: it is no file of a tree, has no
    /// URL by which others name it, and no link that must be looked up in others. Nearly all mail is so.
    pub(crate) fn is_alone(&self) -> bool {
        let is_unnamed = self.own.is_none() && self.record.is_none() && self.capture.is_none();
        let is_unasked = self.waiting().is_empty() && self.referred.is_empty();
        let is_unasked = is_unasked && self.signals.is_none();
        is_unnamed && is_unasked && self.provenance == Provenance::Alone && self.package.is_none()
    }

    /// Counts a link, and lists it if `is_listed`.
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
        let raw = self.texts.keep(value);
        let url = link.url.ok().map(|url| self.texts.keep(url));
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
