//! The second pass: checks the links that depend on other documents.

mod captured_names;
mod document;
mod includes;
mod listing;
mod missing_fragments;

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::io;
use std::sync::Arc;

use crate::captures::crawl::Crawl;
use crate::captures::excuse::Excuse;
use crate::captures::missing::{MissingCaptures, MissingKind};
use crate::captures::verdict::{CaptureJudge, CapturedLink, FindingParts, ReadCaptures, Verdict};
use crate::context::audit_context::AuditContext;
use crate::context::package::Packages;
use crate::judge::captured_names::{CapturedNames, ElementIds};
use crate::judge::document::DocumentJudge;
use crate::judge::includes::{Elsewhere, Includes};
use crate::judge::listing::listed_links;
use crate::judge::missing_fragments::{MissingFragments, Remark};
use crate::model::class::{Counts, LinkClass};
use crate::model::deferred::{DeferredLink, DeferredLinks, DeferredTarget};
use crate::model::need::{is_always_saved, need_in};
use crate::model::outcome::{Fragment, LinkOutcome};
use crate::model::package_id::PackageFile;
use crate::model::provenance::Provenance;
use crate::model::scan::Scan;
use crate::model::site_file::SiteFile;
use crate::model::stored_scan::{ScanKey, ScanOnDisk, ScanStorage, StoredScan};
use crate::rules::archive::other_resolution;
use crate::rules::doc::duplicate_id::DuplicateId;
use crate::rules::doc::unreadable::Unreadable;
use crate::rules::target::listed_not_captured::ListedNotCaptured;
use crate::rules::target::missing_file;
use crate::rules::target::missing_fragment::MissingFragment;
use crate::serving::hints::ServingHints;
use crate::signals;
use crate::spool::Spool;
use baseref_document::{Choice, Origin, Position, RepeatedIdentifier, hash_of};
use baseref_evidence::captures::{Index, Listed, Need, Number, is_archivable};
use baseref_findings::{
    AttributeName, Excerpts, Finding, JudgedLink, Level, MessageSummary, PageName, Related,
    SourceLine, Table, Violation,
};
use baseref_resolve::parts::without_fragment;
use baseref_site::fragment::name_in;
use baseref_site::listing::UnlistedDirectory;
use baseref_site::meta_refresh::refresh_targets;

/// A judged document.
#[derive(Debug)]
pub struct JudgedDocument {
    /// Its names.
    pub page: Arc<PageName>,
    /// Its findings, in the order of [`Finding::sort`].
    pub findings: Vec<Finding>,
    /// The number of its links by class.
    pub counts: Counts,
    /// Its links in document order, if requested.
    pub links: Vec<JudgedLink>,
    /// Hints in its links about where its site is served.
    pub serving_hints: ServingHints,
    /// Whether findings that are shown have positions in the decoded part of a message.
    pub is_decoded: bool,
    /// Whether it is part of a real message, not of a page saved as a message.
    pub is_of_message: bool,
    /// The summary of a message, on its last document, if requested.
    pub message_summary: Option<Box<MessageSummary>>,
}

/// The settings with which the documents of an audit were scanned.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AuditedSites<'a> {
    pub(crate) ctx: &'a AuditContext,
    pub(crate) packages: &'a Packages,
    pub(crate) spool: &'a Spool,
}

/// Judges documents, one after another, once all have been scanned.
pub struct Judge<'a> {
    ctx: &'a AuditContext,
    packages: &'a Packages,
    spool: &'a Spool,
    excerpts: Excerpts,
    /// The element ids of captured pages.
    records: CapturedNames,
    captured: CaptureJudge,
    /// The ids that links name and that several elements of a page have.
    referred: HashSet<(PackageFile, u64)>,
    /// The targets of pages that are instant meta refreshes which forward the fragment.
    forwards: HashMap<PackageFile, SiteFile>,
    includes: Includes,
    /// The pages with missing fragments.
    missing_fragments: MissingFragments,
    /// The spot of the latest finding.
    spot: Option<Arc<AttributeName>>,
    /// The document that the latest source line is in.
    source: Option<(SiteFile, SourceLine)>,
}

/// Where a fragment is looked up.
enum Elements {
    File(SiteFile),
    /// A capture; `None` if no payload is known.
    Capture(Option<Number>),
    /// The entry of that number of a ZIM file.
    Entry(u32),
}

impl<'a> Judge<'a> {
    /// Creates the judge of the scanned documents from all of their scans.
    pub(crate) fn new<'s>(
        sites: AuditedSites<'a>,
        excerpts: Excerpts,
        index: Index,
        crawl: Crawl,
        scans: impl Iterator<Item = &'s mut StoredScan>,
    ) -> Self {
        let AuditedSites {
            ctx,
            packages,
            spool,
        } = sites;
        let mut records = CapturedNames::default();
        let (mut in_memory, mut read) = (Vec::new(), ReadCaptures::default());
        for scan in scans {
            match &mut scan.0 {
                ScanStorage::Here(scan) => {
                    records.add(scan);
                    read.documents.extend(scan.capture);
                    let page = scan.capture.filter(|_| scan.is_captured_page());
                    read.pages.extend(page);
                    in_memory.push(&mut **scan);
                }
                ScanStorage::OnDisk(on_disk) => {
                    records.add_on_disk(*on_disk);
                    if let ScanKey::Capture(number) = on_disk.key {
                        read.documents.insert(number);
                        let page = Some(number).filter(|_| on_disk.is_captured_page);
                        read.pages.extend(page);
                    }
                }
            }
        }
        records.finish();
        let captured = CaptureJudge::new(index, crawl, read);
        signals::judge(ctx, &mut in_memory);
        let mut referred = HashSet::new();
        let mut forwards = HashMap::new();
        let mut includes = Includes::default();
        for scan in in_memory {
            let package = scan.package.and_then(|package| packages.get(package));
            let ctx = package.as_deref().unwrap_or(ctx);
            if let (Some(own), Some(to)) = (scan.own, scan.forwards) {
                forwards.insert(ctx.package_file(own), to);
            }
            if let (Some(own), Some(inclusions)) = (scan.own, scan.inclusions.take()) {
                includes.add(ctx.package_id(), own, inclusions);
            }
            let named = std::mem::take(&mut scan.referred).into_iter();
            let deferred = scan.deferred().has_files().then(|| scan.deferred().iter());
            let deferred = deferred.into_iter().flatten();
            let later = deferred.filter_map(|link| repeated(ctx, &link));
            let at = |(file, name)| (ctx.package_file(file), name);
            referred.extend(named.chain(later).map(at));
        }
        Self {
            ctx,
            packages,
            spool,
            excerpts,
            records,
            captured,
            referred,
            forwards,
            includes,
            missing_fragments: MissingFragments::default(),
            spot: None,
            source: None,
        }
    }

    /// Judges the next document.
    pub fn judge(&mut self, scan: StoredScan) -> JudgedDocument {
        let mut judged = match self.spool.take(scan) {
            Ok(scan) => self.judge_scan(scan),
            Err((on_disk, error)) => self.unread(on_disk, &error),
        };
        if let Some(error) = self.spool.fault() {
            let finding = unreadable(&judged.page, Unreadable::StoredIds { error: &error });
            judged.findings.insert(0, finding);
        }
        judged
    }

    /// The judgement of a document whose scan could not be read back from disk. Only its URL, or the
    /// number of its entry, is known.
    fn unread(&self, on_disk: ScanOnDisk, error: &io::Error) -> JudgedDocument {
        let page = Arc::new(match on_disk.key {
            ScanKey::Capture(number) => {
                let url = self.captured.index.url(number);
                PageName {
                    doc: url.to_owned(),
                    url: Some(url.to_owned()),
                    key: url.to_owned(),
                }
            }
            ScanKey::Entry { package, entry } => {
                let package = self.packages.get(package);
                let path = package.and_then(|package| package.package_path());
                let doc = format!("{}!{entry}", path.unwrap_or_default());
                PageName {
                    key: doc.clone(),
                    url: None,
                    doc,
                }
            }
        });
        JudgedDocument {
            findings: vec![unreadable(&page, Unreadable::StoredLinks { error })],
            page,
            counts: Counts::default(),
            links: Vec::new(),
            serving_hints: ServingHints::default(),
            is_decoded: false,
            is_of_message: false,
            message_summary: None,
        }
    }

    fn judge_scan(&mut self, mut scan: Scan) -> JudgedDocument {
        let mut findings = std::mem::take(&mut scan.findings);
        self.drop_found(&scan, &mut findings);
        let package = scan.package.and_then(|package| self.packages.get(package));
        findings.extend(
            package
                .iter()
                .flat_map(|package| unreported(package, &scan)),
        );
        let ctx = package.as_deref().unwrap_or(self.ctx);
        let is_page = scan.has_completeness();
        if !scan.is_part {
            let url = scan.name.url.as_deref().unwrap_or_default().into();
            self.captured.missing.begin(url, scan.capture);
        }
        let deferred = scan.take_deferred();
        let mut later = Vec::new();
        let mut of_page = DocumentJudge::new(ctx, &scan, &deferred);
        for link in deferred.iter() {
            let outcome = self.outcome(&mut of_page, &link, &mut findings);
            later.push((link.number, link.class, outcome));
        }
        for (number, class, outcome) in later {
            scan.counts.change(class, outcome.class);
            if let Some(listed) = scan.links.get_mut(number) {
                let file = listed.outcome.file;
                let how = if outcome.how.is_empty() {
                    listed.outcome.how
                } else {
                    outcome.how
                };
                listed.outcome = LinkOutcome {
                    file,
                    how,
                    ..outcome
                };
            }
        }
        if is_page && !scan.is_part {
            self.captured.missing.is_page(scan.is_damaged);
        }
        findings.append(&mut self.duplicates(ctx, &mut scan));
        Finding::sort(&mut findings);
        if self.captured.missing.is_listing() {
            self.list_missing_files(scan.own.is_some(), &findings);
        }
        let shown = &self.ctx.shown;
        let is_placed = |one: &Finding| one.at.is_some() && shown.has_level(one.rule, one.level);
        JudgedDocument {
            is_of_message: scan.is_decoded && scan.provenance != Provenance::Saved,
            is_decoded: scan.is_decoded && findings.iter().any(is_placed),
            links: listed_links(ctx, &scan, &findings),
            message_summary: scan.message_summary,
            page: scan.name,
            findings,
            counts: scan.counts,
            // Packages are not among the sites of the run.
            serving_hints: if package.is_some() {
                ServingHints::default()
            } else {
                scan.serving_hints
            },
        }
    }

    /// Lists the missing files of a mirror as missing captures, by the URLs that they were saved from, given
    /// whether the findings are about the links of a file.
    fn list_missing_files(&mut self, is_file: bool, findings: &[Finding]) {
        let missing = findings.iter().filter_map(|finding| {
            let is_other = finding.rule == &other_resolution::RULE;
            let is_missing = finding.rule == &missing_file::RULE || is_file && is_other;
            is_missing.then_some((finding, is_other))
        });
        for (finding, is_other) in missing {
            let url = finding.url.as_deref().map(without_fragment);
            let has_address = |url: &&str| is_archivable(url) && !self.ctx.has_unknown_host(url);
            let url = url.filter(has_address);
            if let Some(url) = url.filter(|_| is_other) {
                self.captured
                    .missing
                    .add_dispensable(url, MissingKind::OtherResolution);
            } else if let Some(url) = url {
                let spot = finding.spot.as_ref();
                let need = spot.map_or(Need::Page, |spot| need_in(&spot.element, &spot.attr));
                self.captured
                    .missing
                    .add(url, need, MissingKind::NotCaptured);
            } else if !is_other {
                self.captured.missing.add_without_url();
            }
        }
    }

    /// Whether the target of a link is missing in its site, but was captured.
    fn is_record(&self, deferred: &DeferredLinks, link: &DeferredLink<'_>) -> bool {
        let is_lost = matches!(link.class, LinkClass::Missing | LinkClass::Outside);
        match link.target {
            DeferredTarget::Url { number, .. } if is_lost => {
                self.captured.has(deferred.url(number))
            }
            _ => false,
        }
    }

    /// Removes the findings about targets that are missing in their site, but were captured.
    fn drop_found(&self, scan: &Scan, findings: &mut Vec<Finding>) {
        if !scan.deferred().has_lost() {
            return;
        }
        let place = |at: Option<&Position>| at.map(|at| at.byte.start);
        let found = scan.deferred().iter();
        let found = found.filter(|one| self.is_record(scan.deferred(), one));
        let found = found.map(|one| (place(one.at.as_ref()), one.raw.text()));
        let found: HashSet<_> = found.collect();
        if !found.is_empty() {
            findings.retain(|finding| {
                let own = (place(finding.at.as_ref()), finding.raw.to_string());
                !finding.rule.id.starts_with("target/") || !found.contains(&own)
            });
        }
    }

    /// The findings about duplicate ids.
    fn duplicates(&self, ctx: &AuditContext, scan: &mut Scan) -> Vec<Finding> {
        let doc: Arc<str> = scan.name.doc.as_str().into();
        // If one id is repeated, many others often are.
        let mut violations = HashMap::<Arc<str>, Violation>::new();
        let repeated = std::mem::take(&mut scan.repeated).into_iter();
        let finding = |(RepeatedIdentifier { name, at, first }, line)| {
            let known = violations.get_key_value(&*name);
            let known = known.map(|(name, violation)| (Arc::clone(name), violation.clone()));
            let (name, violation) = known.unwrap_or_else(|| {
                let violation = self.repeats(ctx, scan.own, &name);
                let name = Arc::<str>::from(name);
                violations.insert(Arc::clone(&name), violation.clone());
                (name, violation)
            });
            let cause = Arc::clone(&name);
            let mut finding = Finding::from_violation(violation, &scan.name, cause);
            finding.at = Some(at);
            finding.raw = name;
            finding.line = line;
            finding.relate(
                [Related {
                    doc: Arc::clone(&doc),
                    at: Some(first),
                    what: "The first element of that name.",
                }]
                .into(),
            );
            finding
        };
        repeated.map(finding).collect()
    }

    /// The message for an element with the id of an earlier one, on the page `own` of a site.
    fn repeats(&self, ctx: &AuditContext, own: Option<SiteFile>, id: &str) -> Violation {
        let is_referred = |own| {
            let place = ctx.package_file(own);
            self.referred.contains(&(place, hash_of(id)))
        };
        let is_target = own.is_some_and(is_referred);
        if is_target {
            DuplicateId::Target { id }.into()
        } else {
            DuplicateId::Repeated { id }.into()
        }
    }

    /// Whether a page forwards the fragment by a meta refresh to a page that has it.
    fn takes_along(&self, ctx: &AuditContext, elements: &Elements, fragment: &str) -> bool {
        let Elements::File(file) = *elements else {
            return false;
        };
        let next = |file: &SiteFile| self.forwards.get(&ctx.package_file(*file)).copied();
        refresh_targets(&file, next).any(|other| {
            let names = ctx.names_or_read(other);
            names.is_some_and(|names| names.leads(fragment))
        })
    }

    /// Where the server-side includes of a file have an id that it does not have itself.
    fn elsewhere(
        &self,
        page: &DocumentJudge<'_>,
        elements: &Elements,
        fragment: &str,
    ) -> Elsewhere {
        let Elements::File(file) = *elements else {
            return Elsewhere::Nowhere;
        };
        let is_own = page.scan.own == Some(file);
        self.includes
            .find(page.ctx.package_id(), file, is_own, |part| {
                let names = page.ctx.names_of_part(part);
                names.is_some_and(|names| names.leads(fragment))
            })
    }

    /// Checks a deferred link, and adds the findings about it.
    fn outcome(
        &mut self,
        page: &mut DocumentJudge<'_>,
        link: &DeferredLink<'_>,
        findings: &mut Vec<Finding>,
    ) -> LinkOutcome {
        let mut outcome = LinkOutcome::new(link.class);
        let mut fragment = link.fragment.map(Cow::Borrowed);
        let elements = match link.target {
            DeferredTarget::File(file) => Elements::File(file),
            DeferredTarget::Entry(number) => Elements::Entry(number),
            DeferredTarget::Url { number, need } => {
                let verdict = self.verdict(page, link, number, need);
                let excuse = self.excuse(page, link, &verdict);
                if link.class != LinkClass::External && !self.is_record(page.deferred, link) {
                    // It leads to a file, or to a part of its message.
                    self.captured.require(&verdict, need);
                } else {
                    self.captured.count(&verdict, need, excuse);
                    outcome = LinkOutcome {
                        how: verdict.how,
                        end: verdict.end,
                        ..LinkOutcome::new(verdict.class)
                    };
                    if excuse == Some(Excuse::NeverAsked) {
                        outcome = LinkOutcome::new(LinkClass::External);
                    }
                    let excused = excuse.and_then(|excuse| verdict.excused(excuse));
                    let all = match &excused {
                        Some(excused) => std::slice::from_ref(excused),
                        None if excuse.is_some() => &[],
                        None => &verdict.findings,
                    };
                    for finding in all {
                        findings.push(self.capture_finding(page, link, finding));
                    }
                }
                if let Some(own) = &verdict.fragment
                    && link.may_be_judged()
                {
                    fragment = name_in(own).map(|name| Cow::Owned(name.to_owned()));
                }
                Elements::Capture(verdict.target)
            }
        };
        let Some(fragment) = fragment else {
            return outcome;
        };
        let names = match &elements {
            // A page that was saved again, or is in a frame without its own URL.
            Elements::Capture(_) if self.has_own(page.scan, &fragment) && page.is_own(link) => {
                outcome.fragment = Fragment::Found;
                return outcome;
            }
            Elements::Capture(capture) => {
                let key = capture.map(ScanKey::Capture);
                key.and_then(|key| self.records.get(key))
            }
            Elements::Entry(entry) => page.scan.package.and_then(|package| {
                let entry = *entry;
                self.records.get(ScanKey::Entry { package, entry })
            }),
            Elements::File(file) => page.ctx.names_or_read(*file).map(ElementIds::Here),
        };
        let spool = self.spool;
        match names {
            None => {}
            Some(names) if names.leads(&fragment, spool) => outcome.fragment = Fragment::Found,
            Some(_) if self.takes_along(page.ctx, &elements, &fragment) => {
                outcome.fragment = Fragment::Found;
            }
            // The missing or damaged bytes may contain the id.
            Some(names) if names.is_partial() => {}
            Some(names) if names.has_user_content(&fragment, spool) => {
                outcome.fragment = Fragment::Found;
                let mut finding = self.missing_fragment(page, link, &fragment);
                let fragment = &*fragment;
                finding.say(MissingFragment::UserContent { fragment });
                finding.suggest(Arc::default());
                findings.push(finding);
            }
            Some(_) => {
                self.without_name(page, link, &elements, &fragment, &mut outcome, findings);
            }
        }
        outcome
    }

    /// The outcome for a fragment that the target page does not have.
    fn without_name(
        &mut self,
        page: &DocumentJudge<'_>,
        link: &DeferredLink<'_>,
        elements: &Elements,
        fragment: &str,
        outcome: &mut LinkOutcome,
        findings: &mut Vec<Finding>,
    ) {
        match self.elsewhere(page, elements, fragment) {
            Elsewhere::Found => outcome.fragment = Fragment::Found,
            Elsewhere::Perhaps => {
                let mut finding = self.missing_fragment(page, link, fragment);
                finding.say(MissingFragment::Included { fragment });
                finding.suggest(Arc::default());
                findings.push(finding);
            }
            Elsewhere::Nowhere => {
                outcome.fragment = Fragment::Missing;
                if outcome.class != LinkClass::CapturedRedirect {
                    outcome.class = LinkClass::MissingFragment;
                }
                findings.push(self.missing_fragment(page, link, fragment));
            }
        }
    }

    /// Why the page is complete without the target of a link; `None` if it is not.
    fn excuse(
        &self,
        page: &mut DocumentJudge<'_>,
        link: &DeferredLink<'_>,
        verdict: &Verdict,
    ) -> Option<Excuse> {
        let choice = link.choice.filter(|_| verdict.is_lack())?;
        if choice.group().is_some() && !page.has_found_alternatives {
            self.find_alternatives(page);
            page.has_found_alternatives = true;
        }
        page.excuse(link)
    }

    /// Finds the groups of alternatives of which one was captured.
    fn find_alternatives(&self, page: &mut DocumentJudge<'_>) {
        for link in page.deferred.iter() {
            let Some(group) = link.choice.and_then(Choice::group) else {
                continue;
            };
            let is_found = match link.target {
                DeferredTarget::File(_) | DeferredTarget::Entry(_) => link.class == LinkClass::Ok,
                DeferredTarget::Url { number, need } => {
                    self.verdict(page, &link, number, need).is_captured()
                }
            };
            if is_found {
                page.find(group);
            }
        }
    }

    /// The verdict of the captures on the target of a link, shared by all links of a page to that
    /// target.
    fn verdict(
        &self,
        page: &mut DocumentJudge<'_>,
        link: &DeferredLink<'_>,
        number: u32,
        need: Need,
    ) -> Arc<Verdict> {
        let url = page.deferred.url(number);
        let captured_link = CapturedLink {
            url,
            need,
            page: page.scan.capture,
            provenance: page.scan.provenance,
            is_always_saved: page.scan.provenance == Provenance::Saved
                && is_always_saved(link.slot, url),
        };
        let place = 2 * number as usize + usize::from(need == Need::Resource);
        // On a saved page it also depends on the link place.
        let known = page.verdicts.get_mut(place);
        let known = known.filter(|_| captured_link.provenance != Provenance::Saved);
        let verdict = match &known {
            Some(Some(verdict)) => Arc::clone(verdict),
            _ => self.captured.verdict(captured_link),
        };
        if let Some(known) = known {
            *known = Some(Arc::clone(&verdict));
        }
        verdict
    }

    /// Whether a document has an element with this id.
    fn has_own(&self, scan: &Scan, name: &str) -> bool {
        let of_capture = scan.capture.map(ScanKey::Capture);
        let of_capture = of_capture.and_then(|capture| self.records.get(capture));
        let all = [Some(ElementIds::from_scan(scan)), of_capture];
        let spool = self.spool;
        all.into_iter()
            .flatten()
            .any(|names| names.leads(name, spool))
    }

    /// A finding about the capture that a link leads to.
    fn capture_finding(
        &mut self,
        page: &mut DocumentJudge<'_>,
        link: &DeferredLink<'_>,
        parts: &FindingParts,
    ) -> Finding {
        let (cause, violation) = (Arc::clone(&parts.cause), parts.violation.clone());
        let mut finding = Finding::from_violation(violation, &page.scan.name, cause);
        finding.target = Some(Arc::clone(&parts.cause));
        if let DeferredTarget::Url { number, .. } = link.target {
            page.shared_with(number, Some(&parts.cause));
        }
        self.complete(page, link, &mut finding);
        finding
    }

    /// Fills in the link that a finding is about.
    fn complete(
        &mut self,
        page: &DocumentJudge<'_>,
        link: &DeferredLink<'_>,
        finding: &mut Finding,
    ) {
        finding.at.clone_from(&link.at);
        let slot = link.slot;
        finding.spot = Some(AttributeName::shared(
            &mut self.spot,
            slot.element,
            slot.attr,
        ));
        finding.base = Some(Arc::clone(&page.scan.base));
        finding.raw = page.value(link);
        (finding.url, finding.urls) = page.urls_of(link, &finding.raw);
    }

    /// The number of captures that the index had no room for, to which links seem broken, and of pages
    /// whose missing resources were not all counted. Complete after [`Self::completeness`].
    #[must_use]
    pub fn lost(&self) -> u64 {
        self.captured.index.lost() + self.captured.missing.cut()
    }

    /// The completeness of the captures, in lines and tables for people.
    #[must_use]
    pub fn completeness(&mut self) -> (Vec<String>, Vec<Table>) {
        self.captured.completeness()
    }

    /// The findings about pages on a crawler's list that were not captured.
    #[must_use]
    pub fn listed_not_captured(&self) -> Vec<Finding> {
        let listed = self.captured.listed_not_captured();
        let finding = |listed: &Listed| {
            let origin = Origin::new(&*listed.place);
            let page = Arc::new(self.ctx.page_name(&origin, None));
            let mut finding = Finding::from_violation(ListedNotCaptured, &page, &*listed.url);
            finding.raw = (&*listed.url).into();
            finding.target = Some(Arc::clone(&finding.cause));
            finding
        };
        listed.map(finding).collect()
    }

    /// Lists the missing captures for [`Self::into_missing_captures`]. Must be called before the first
    /// document is judged.
    pub fn list_missing_captures(&mut self) {
        self.captured.missing.list();
    }

    /// The missing captures. Empty unless [`Self::list_missing_captures`] was called.
    #[must_use]
    pub fn into_missing_captures(self) -> MissingCaptures {
        self.captured.missing.into_missing_captures()
    }

    fn missing_fragment(
        &mut self,
        page: &DocumentJudge<'_>,
        link: &DeferredLink<'_>,
        fragment: &str,
    ) -> Finding {
        let (ctx, scan) = (page.ctx, page.scan);
        let mut related = Arc::default();
        let (target, remark, is_example): (Arc<str>, _, _) = match link.target {
            DeferredTarget::File(file) => {
                let (remark, is_example) = self.missing_fragments.remark(ctx, file, fragment);
                let incomplete = self.missing_fragments.page(ctx, file);
                related = Arc::clone(&incomplete.related);
                (Arc::clone(&incomplete.path), remark, is_example)
            }
            DeferredTarget::Url { number, .. } => {
                let url = page.shared(number);
                (
                    url,
                    Remark::new(MissingFragment::NoElement { fragment }),
                    false,
                )
            }
            DeferredTarget::Entry(_) => {
                let (url, _) = page.urls_of(link, &link.raw.text());
                let url = without_fragment(url.as_deref().unwrap_or_default()).into();
                let mut remark = Remark::new(MissingFragment::NoElement { fragment });
                // Scripts of wikis use fragments, too.
                remark.violation.level = Level::Warning;
                (url, remark, false)
            }
        };
        // A page that is rewritten loses many of its ids at once, so they are grouped by page.
        let (violation, page_name) = (remark.violation, &scan.name);
        let mut finding = Finding::from_violation(violation, page_name, Arc::clone(&target));
        self.complete(page, link, &mut finding);
        finding.target = Some(target);
        finding.relate(related);
        finding.suggest(remark.suggestion);
        finding.line = self.line(scan, is_example);
        finding
    }

    /// The source line around a link. Reads its document again.
    fn line(&mut self, scan: &Scan, is_example: bool) -> Option<SourceLine> {
        let is_wanted = match self.excerpts {
            Excerpts::None => false,
            Excerpts::Examples => is_example,
            Excerpts::All => true,
        };
        let file = scan.own.filter(|_| is_wanted && scan.package.is_none())?;
        if let Some((known, line)) = &self.source
            && *known == file
        {
            return Some(line.clone());
        }
        let line = SourceLine::in_document(self.ctx.source_of(file)?, scan.encoding);
        self.source = Some((file, line.clone()));
        Some(line)
    }
}

/// The finding about a document that could not be read back in full.
fn unreadable(page: &Arc<PageName>, message: Unreadable<'_>) -> Finding {
    Finding::from_violation(message, page, page.doc.as_str())
}

/// The findings about files of a package that could not be listed, reported with its first
/// document.
fn unreported(package: &AuditContext, scan: &Scan) -> Vec<Finding> {
    let unlisted = package.unreported().iter();
    let finding = |unlisted: &UnlistedDirectory| {
        let cause = scan.name.doc.clone();
        let error = &unlisted.error;
        Finding::from_violation(Unreadable::Listing { error }, &scan.name, cause)
    };
    unlisted.map(finding).collect()
}

/// The id that a deferred link names, if several elements of the target have it.
fn repeated(ctx: &AuditContext, link: &DeferredLink<'_>) -> Option<(SiteFile, u64)> {
    let DeferredTarget::File(file) = link.target else {
        return None;
    };
    let names = ctx.names_of(file).filter(|names| names.has_repeated())?;
    let found = names.find(link.fragment?)?;
    names.is_repeated(found).then_some((file, found))
}
