//! The second pass: what could not be judged in a document before all were known.

pub(crate) mod captured_names;
pub(crate) mod includes;

use std::borrow::Cow;
use std::cell::{OnceCell, RefCell};
use std::collections::{HashMap, HashSet};
use std::io;
use std::rc::Rc;
use std::sync::Arc;

use crate::captures::crawl::Crawl;
use crate::captures::missing::MissingCaptures;
use crate::captures::verdict::{Asked, Captured, Said, Verdict};
use crate::compare::Comparison;
use crate::context::AuditContext;
use crate::epub;
use crate::judge::captured_names::{NamesIn, Records};
use crate::judge::includes::{Elsewhere, Includes};
use crate::model::class::{Counts, LinkClass};
use crate::model::deferred::{DeferredLink, DeferredLinks, Target};
use crate::model::need::is_always_saved;
use crate::model::outcome::{Fragment, LinkOutcome};
use crate::model::package_id::PackageFile;
use crate::model::provenance::Provenance;
use crate::model::scan::Scan;
use crate::model::site_file::SiteFile;
use crate::model::stored_scan::{ScanOnDisk, Stored, StoredScan};
use crate::package::Packages;
use crate::rules::doc::duplicate_id::DuplicateId;
use crate::rules::doc::unreadable::Unreadable;
use crate::rules::target::listed_not_captured::ListedNotCaptured;
use crate::rules::target::missing_fragment::{self, MissingFragment};
use crate::serving::hints::ServingHints;
use crate::signals;
use crate::spool::Spool;
use baseref_document::{Origin, Position, Repeated, hash_of};
use baseref_evidence::captures::{Index, Listed, Need, Number};
use baseref_findings::{
    Excerpts, Finding, JudgedLink, Letter, PageName, Related, SourceLine, Spot, Table, Urls,
    Violation,
};
use baseref_resolve::Rules;
use baseref_site::fragment::name_in;
use baseref_site::leading_on::led_on;
use baseref_site::listing::Unlisted;
use baseref_site::suggest::Ids;

/// A judged document.
#[derive(Debug)]
pub struct Judged {
    /// Its names.
    pub page: Arc<PageName>,
    /// Its findings, in the order of [`Finding::sort`].
    pub findings: Vec<Finding>,
    /// The number of its links by class.
    pub counts: Counts,
    /// Its links in document order, if asked for.
    pub links: Vec<JudgedLink>,
    /// What its links show of where its tree is served.
    pub shows: ServingHints,
    /// Whether findings that are shown have places in the decoded part of a message.
    pub is_decoded: bool,
    /// If it is the last document of a message, that in short, if asked for.
    pub letter: Option<Box<Letter>>,
}

/// How many findings with the same cause are examples.
const EXAMPLES: u32 = 8;

/// How many remarks on fragments are kept of a page that lacks them.
const MOST_REMARKS: usize = 256;

/// Judges documents, one after another, once all have been scanned.
pub struct Judge<'a> {
    ctx: &'a AuditContext,
    packages: &'a Packages,
    spool: &'a Spool,
    excerpts: Excerpts,
    /// For captured pages, the names of their elements.
    records: Records,
    captured: Captured,
    /// The names that links point to, of those that several elements of a page have.
    referred: HashSet<(PackageFile, u64)>,
    /// Where the pages that only lead to another lead, with the fragments by which they are asked for.
    forwards: HashMap<PackageFile, SiteFile>,
    includes: Includes,
    /// The pages that lack a fragment.
    lacking: HashMap<PackageFile, Lacking>,
    /// That of the latest finding.
    spot: Option<Arc<Spot>>,
    /// The document of the latest source line.
    source: Option<(SiteFile, SourceLine)>,
}

/// A document being judged.
struct OfPage<'p> {
    ctx: &'p AuditContext,
    scan: &'p Scan,
    waiting: &'p DeferredLinks,
    referrer: &'p Arc<str>,
    /// Made for the first finding.
    comparison: OnceCell<Comparison<'p>>,
    /// The verdicts on its URLs, by their numbers and needs, once asked for.
    verdicts: Vec<Option<Rc<Verdict>>>,
    /// The URLs that findings are about.
    shared: RefCell<HashMap<u32, Arc<str>>>,
}

impl<'p> OfPage<'p> {
    fn new(
        ctx: &'p AuditContext,
        scan: &'p Scan,
        waiting: &'p DeferredLinks,
        referrer: &'p Arc<str>,
    ) -> Self {
        Self {
            ctx,
            scan,
            waiting,
            referrer,
            comparison: OnceCell::new(),
            verdicts: vec![None; 2 * waiting.urls()],
            shared: RefCell::default(),
        }
    }

    /// The URL with that number, as the findings about it share it.
    fn shared(&self, number: u32) -> Arc<str> {
        let mut shared = self.shared.borrow_mut();
        let url = || self.waiting.url(number).into();
        Arc::clone(shared.entry(number).or_insert_with(url))
    }

    /// Whether a link leads to the URL of its own document.
    fn is_own(&self, pending: &DeferredLink<'_>) -> bool {
        let Target::Url { number, .. } = pending.target else {
            return false;
        };
        self.scan.record == Some(self.ctx.record_key(self.waiting.url(number)))
    }

    /// The URL of a link as findings show it, and those by all rule sets.
    fn urls_of(&self, pending: &DeferredLink<'_>, raw: &str) -> (Option<Arc<str>>, Urls) {
        let comparison = self
            .comparison
            .get_or_init(|| Comparison::new(self.scan.all_bases(), self.scan.encoding));
        let shown = |url: &str| Arc::<str>::from(self.ctx.map.shown(url));
        if let Target::Url { number, .. } = pending.target
            && comparison.are_one(raw)
        {
            let url = self.waiting.url(number);
            let url = match raw.find('#') {
                Some(hash) => shown(&[url, &raw[hash..]].concat()),
                None if self.ctx.map.shown(url).len() == url.len() => self.shared(number),
                None => shown(url),
            };
            return (Some(url), Urls::Same);
        }
        let urls = comparison
            .urls(raw)
            .map(|url| url.ok().map(|url| shown(&url)));
        let rules = self.ctx.policy.rules;
        let place = Rules::ALL.iter().position(|known| *known == rules);
        (place.and_then(|place| urls[place].clone()), urls.into())
    }
}

/// Where the elements are that a fragment names.
enum Elements {
    File(SiteFile),
    /// In a capture, if there is one whose payload is known.
    Capture(Option<Number>),
}

/// A page that lacks a fragment.
struct Lacking {
    /// Its path below the tree.
    path: Arc<str>,
    /// It, as findings refer to it.
    related: Arc<[Related]>,
    /// The names in it, read when a suggestion is first wanted; `None` if they cannot be.
    ids: OnceCell<Option<Ids>>,
    /// The latest remarks, by the fragment: many links lead to the same one.
    remarks: HashMap<Box<str>, Remark>,
    /// How often something was remarked.
    said: u32,
}

#[derive(Clone)]
struct Remark {
    violation: Violation,
    suggestion: Arc<[String]>,
}

impl<'a> Judge<'a> {
    /// A judge of the documents scanned, given all of their scans.
    pub(crate) fn new<'s>(
        (around, packages, spool): (&'a AuditContext, &'a Packages, &'a Spool),
        excerpts: Excerpts,
        (index, crawl): (Index, Crawl),
        kept: impl Iterator<Item = &'s mut StoredScan>,
    ) -> Self {
        let mut records = Records::default();
        let (mut scans, mut pages) = (Vec::new(), Vec::new());
        for kept in kept {
            match &mut kept.0 {
                Stored::Here(scan) => {
                    records.take(scan);
                    pages.extend(scan.capture.filter(|_| scan.is_captured_page()));
                    scans.push(&mut **scan);
                }
                Stored::OnDisk(stowed) => {
                    records.take_on_disk(*stowed);
                    pages.extend(Some(stowed.capture).filter(|_| stowed.is_captured_page));
                }
            }
        }
        records.finish();
        let captured = Captured::new(index, crawl, pages.into_iter());
        signals::judge(around, &mut scans);
        let mut referred = HashSet::new();
        let mut forwards = HashMap::new();
        let mut includes = Includes::default();
        for scan in &mut scans {
            let package = scan.package.and_then(|package| packages.get(package));
            let known = package.as_deref().unwrap_or(around);
            if let (Some(own), Some(to)) = (scan.own, scan.forwards) {
                forwards.insert(known.package_file(own), to);
            }
            if let (Some(own), Some(inclusions)) = (scan.own, scan.inclusions.take()) {
                includes.add(known.package_id(), own, inclusions);
            }
            let named = std::mem::take(&mut scan.referred).into_iter();
            let waiting = scan.waiting().has_files().then(|| scan.waiting().iter());
            let waiting = waiting.into_iter().flatten();
            let later = waiting.filter_map(|pending| repeated(known, &pending));
            let at = |(file, name)| (known.package_file(file), name);
            referred.extend(named.chain(later).map(at));
        }
        Self {
            ctx: around,
            packages,
            spool,
            excerpts,
            records,
            captured,
            referred,
            forwards,
            includes,
            lacking: HashMap::new(),
            spot: None,
            source: None,
        }
    }

    /// Judges the next document.
    pub fn judge(&mut self, kept: StoredScan) -> Judged {
        let mut judged = match self.spool.take(kept) {
            Ok(scan) => self.judge_scan(scan),
            Err((stowed, error)) => self.unread(stowed, &error),
        };
        if let Some(error) = self.spool.fault() {
            let finding = unreadable(&judged.page, Unreadable::StoredIds { error: &error });
            judged.findings.insert(0, finding);
        }
        judged
    }

    /// What is said of a document whose scan is lost: of its names only its URL is known.
    fn unread(&self, stowed: ScanOnDisk, error: &io::Error) -> Judged {
        let url = self.captured.index.url(stowed.capture);
        let page = Arc::new(PageName {
            doc: url.to_owned(),
            url: Some(url.to_owned()),
            key: url.to_owned(),
        });
        Judged {
            findings: vec![unreadable(&page, Unreadable::StoredLinks { error })],
            page,
            counts: Counts::default(),
            links: Vec::new(),
            shows: ServingHints::default(),
            is_decoded: false,
            letter: None,
        }
    }

    fn judge_scan(&mut self, mut scan: Scan) -> Judged {
        let mut findings = std::mem::take(&mut scan.findings);
        self.drop_found(&scan, &mut findings);
        let package = scan.package.and_then(|package| self.packages.get(package));
        findings.extend(
            package
                .iter()
                .flat_map(|package| unreported(package, &scan)),
        );
        let known = package.as_deref().unwrap_or(self.ctx);
        let is_page = scan.is_captured_page();
        if !scan.is_part {
            self.captured.lacks.begin();
        }
        let referrer: Arc<str> = scan.name.url.as_deref().unwrap_or_default().into();
        let waiting = scan.take_waiting();
        let mut later = Vec::new();
        let mut of_page = OfPage::new(known, &scan, &waiting, &referrer);
        for pending in waiting.iter() {
            let outcome = self.outcome(&mut of_page, &pending, &mut findings);
            later.push((pending.number, pending.class, outcome));
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
            self.captured.lacks.is_page(&referrer);
        }
        findings.append(&mut self.duplicates(known, &mut scan));
        Finding::sort(&mut findings);
        let shown = &self.ctx.shown;
        let is_placed = |one: &Finding| one.at.is_some() && shown.has_level(one.rule, one.level);
        Judged {
            is_decoded: scan.is_decoded && findings.iter().any(is_placed),
            links: links(known, &scan, &findings),
            letter: scan.letter,
            page: scan.name,
            findings,
            counts: scan.counts,
            // The trees of packages are not among those of the run.
            shows: if package.is_some() {
                ServingHints::default()
            } else {
                scan.shows
            },
        }
    }

    /// Whether a link leads to nothing in a tree, but to a page of an archive that is there.
    fn is_record(&self, waiting: &DeferredLinks, pending: &DeferredLink<'_>) -> bool {
        let is_lost = matches!(pending.class, LinkClass::Missing | LinkClass::Outside);
        match pending.target {
            Target::Url { number, .. } if is_lost => self.captured.has(waiting.url(number)),
            _ => false,
        }
    }

    /// Removes what was found about links whose targets are in no tree, but are pages of an archive.
    fn drop_found(&self, scan: &Scan, findings: &mut Vec<Finding>) {
        if !scan.waiting().has_lost() {
            return;
        }
        let place = |at: Option<&Position>| at.map(|at| at.byte.start);
        let found = scan.waiting().iter();
        let found = found.filter(|one| self.is_record(scan.waiting(), one));
        let found = found.map(|one| (place(one.at.as_ref()), one.raw.text()));
        let found: HashSet<_> = found.collect();
        if !found.is_empty() {
            findings.retain(|finding| {
                let own = (place(finding.at.as_ref()), finding.raw.to_string());
                !finding.rule.id.starts_with("target/") || !found.contains(&own)
            });
        }
    }

    /// The findings about names that earlier elements have.
    fn duplicates(&self, around: &AuditContext, scan: &mut Scan) -> Vec<Finding> {
        let doc: Arc<str> = scan.name.doc.as_str().into();
        // A name that is repeated once is often repeated throughout.
        let mut said = HashMap::<Arc<str>, Violation>::new();
        let repeated = std::mem::take(&mut scan.repeated).into_iter();
        let finding = |(Repeated { name, at, first }, line)| {
            let known = said.get_key_value(&*name);
            let known = known.map(|(name, violation)| (Arc::clone(name), violation.clone()));
            let (name, violation) = known.unwrap_or_else(|| {
                let violation = self.repeats(around, scan.own, &name);
                let name = Arc::<str>::from(name);
                said.insert(Arc::clone(&name), violation.clone());
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

    /// What is said of an element with the name of an earlier one, on the page `own` of a tree.
    fn repeats(&self, known: &AuditContext, own: Option<SiteFile>, id: &str) -> Violation {
        let is_referred = |own| {
            let place = known.package_file(own);
            self.referred.contains(&(place, hash_of(id)))
        };
        let is_target = own.is_some_and(is_referred);
        if is_target {
            DuplicateId::Target { id }.into()
        } else {
            DuplicateId::Repeated { id }.into()
        }
    }

    /// Whether a page only leads to another, and takes along a fragment that the other has.
    fn takes_along(&self, known: &AuditContext, elements: &Elements, fragment: &str) -> bool {
        let Elements::File(file) = *elements else {
            return false;
        };
        let next = |file: &SiteFile| self.forwards.get(&known.package_file(*file)).copied();
        led_on(&file, next).any(|other| {
            let names = known.names_or_read(other);
            names.is_some_and(|names| names.leads(fragment))
        })
    }

    /// Where a name is that the file lacks which a link leads to.
    fn elsewhere(&self, page: &OfPage<'_>, elements: &Elements, fragment: &str) -> Elsewhere {
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

    /// The verdict on a link once all pages are known, with the findings about it.
    fn outcome(
        &mut self,
        page: &mut OfPage<'_>,
        pending: &DeferredLink<'_>,
        findings: &mut Vec<Finding>,
    ) -> LinkOutcome {
        let mut outcome = LinkOutcome::of(pending.class);
        let mut fragment = pending.fragment.map(Cow::Borrowed);
        let elements = match pending.target {
            Target::File(file) => Elements::File(file),
            Target::Url { number, need } => {
                let verdict = self.verdict(page, pending, (number, need));
                if pending.class == LinkClass::External || self.is_record(page.waiting, pending) {
                    outcome = LinkOutcome {
                        how: verdict.how,
                        end: verdict.end,
                        ..LinkOutcome::of(verdict.class)
                    };
                    for said in &verdict.said {
                        findings.push(self.of_capture(page, pending, said));
                    }
                }
                if let Some(own) = &verdict.fragment
                    && pending.may_be_judged()
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
            // A page that was saved again, or is framed without a URL of its own.
            Elements::Capture(_) if self.has_own(page.scan, &fragment) && page.is_own(pending) => {
                outcome.fragment = Fragment::Found;
                return outcome;
            }
            Elements::Capture(capture) => capture.and_then(|capture| self.records.of(capture)),
            Elements::File(file) => page.ctx.names_or_read(*file).map(NamesIn::Here),
        };
        let spool = self.spool;
        match names {
            None => {}
            Some(names) if names.leads(&fragment, spool) => outcome.fragment = Fragment::Found,
            Some(_) if self.takes_along(page.ctx, &elements, &fragment) => {
                outcome.fragment = Fragment::Found;
            }
            Some(names) if names.has_of_user(&fragment, spool) => {
                outcome.fragment = Fragment::Found;
                let mut finding = self.missing_fragment(page, pending, &fragment);
                let fragment = &*fragment;
                finding.say(MissingFragment::UserContent { fragment });
                finding.suggest(Arc::default());
                findings.push(finding);
            }
            Some(_) => self.without_name(
                page,
                pending,
                &elements,
                &fragment,
                (&mut outcome, findings),
            ),
        }
        outcome
    }

    /// The verdict on a link to a name that the document lacks which it leads to.
    fn without_name(
        &mut self,
        page: &OfPage<'_>,
        pending: &DeferredLink<'_>,
        elements: &Elements,
        fragment: &str,
        (outcome, findings): (&mut LinkOutcome, &mut Vec<Finding>),
    ) {
        match self.elsewhere(page, elements, fragment) {
            Elsewhere::Found => outcome.fragment = Fragment::Found,
            Elsewhere::Perhaps => {
                let mut finding = self.missing_fragment(page, pending, fragment);
                finding.say(MissingFragment::Included { fragment });
                finding.suggest(Arc::default());
                findings.push(finding);
            }
            Elsewhere::Nowhere => {
                outcome.fragment = Fragment::Missing;
                if outcome.class != LinkClass::CapturedRedirect {
                    outcome.class = LinkClass::MissingFragment;
                }
                findings.push(self.missing_fragment(page, pending, fragment));
            }
        }
    }

    /// What the captures say of the target of a link: the same of each link of a page to it.
    fn verdict(
        &mut self,
        page: &mut OfPage<'_>,
        pending: &DeferredLink<'_>,
        (number, need): (u32, Need),
    ) -> Rc<Verdict> {
        let url = page.waiting.url(number);
        let asked = Asked {
            url,
            need,
            page: page.scan.capture,
            provenance: page.scan.provenance,
            is_always_saved: page.scan.provenance == Provenance::Saved
                && is_always_saved(pending.slot, url),
        };
        let place = 2 * number as usize + usize::from(need == Need::Resource);
        // Of a page that was saved, it depends on the place of the link, too.
        let known = page.verdicts.get_mut(place);
        let known = known.filter(|_| asked.provenance != Provenance::Saved);
        let verdict = match &known {
            Some(Some(verdict)) => Rc::clone(verdict),
            _ => Rc::new(self.captured.verdict(asked)),
        };
        self.captured.count(&verdict, asked, page.referrer);
        if let Some(known) = known {
            *known = Some(Rc::clone(&verdict));
        }
        verdict
    }

    /// Whether a document has an element of that name.
    fn has_own(&self, scan: &Scan, name: &str) -> bool {
        let of_capture = scan.capture.and_then(|capture| self.records.of(capture));
        let all = [Some(NamesIn::of_scan(scan)), of_capture];
        let spool = self.spool;
        all.into_iter()
            .flatten()
            .any(|names| names.leads(name, spool))
    }

    /// A finding about what was captured of the URL of a link.
    fn of_capture(
        &mut self,
        page: &mut OfPage<'_>,
        pending: &DeferredLink<'_>,
        said: &Said,
    ) -> Finding {
        let (cause, violation) = (Arc::clone(&said.cause), said.violation.clone());
        let mut finding = Finding::from_violation(violation, &page.scan.name, cause);
        finding.target = Some(Arc::clone(&said.cause));
        self.complete(page, pending, &mut finding);
        finding
    }

    /// Says in a finding which link it is about.
    fn complete(&mut self, page: &OfPage<'_>, pending: &DeferredLink<'_>, finding: &mut Finding) {
        finding.at.clone_from(&pending.at);
        let slot = pending.slot;
        finding.spot = Some(Spot::shared(&mut self.spot, slot.element, slot.attr));
        let raw = pending.raw.text();
        finding.base = Some(Arc::clone(&page.scan.base));
        (finding.url, finding.urls) = page.urls_of(pending, &raw);
        finding.raw = raw.into();
    }

    /// How many captures had no room in the index, so that links to them seem to lead nowhere.
    #[must_use]
    pub fn lost(&self) -> u64 {
        self.captured.index.lost()
    }

    /// How complete the captures are, in lines and tables for people.
    #[must_use]
    pub fn completeness(&mut self) -> (Vec<String>, Vec<Table>) {
        self.captured.completeness()
    }

    /// The findings about pages that a crawler lists, and of which there is no capture.
    #[must_use]
    pub fn unfounded(&self) -> Vec<Finding> {
        let listed = self.captured.unfounded();
        let finding = |listed: &Listed| {
            let origin = Origin::of_input(&*listed.place);
            let page = Arc::new(self.ctx.page_name(&origin, None));
            let mut finding = Finding::from_violation(ListedNotCaptured, &page, &*listed.url);
            finding.raw = (&*listed.url).into();
            finding.target = Some(Arc::clone(&finding.cause));
            finding
        };
        listed.map(finding).collect()
    }

    /// Lists what [`Self::into_missing_captures`] gives. To be called before the first document is judged.
    pub fn list_missing_captures(&mut self) {
        self.captured.lacks.list();
    }

    /// What the captured pages need and the captures lack, if that was to be listed.
    #[must_use]
    pub fn into_missing_captures(self) -> MissingCaptures {
        self.captured.lacks.into_missing_captures()
    }

    fn missing_fragment(
        &mut self,
        page: &OfPage<'_>,
        pending: &DeferredLink<'_>,
        fragment: &str,
    ) -> Finding {
        let (known, scan) = (page.ctx, page.scan);
        let mut related = Arc::default();
        let (target, remark, is_example): (Arc<str>, _, _) = match pending.target {
            Target::File(file) => {
                let (remark, is_example) = self.remark(known, file, fragment);
                let lacking = self.lacking(known, file);
                related = Arc::clone(&lacking.related);
                (Arc::clone(&lacking.path), remark, is_example)
            }
            Target::Url { number, .. } => {
                let url = page.shared(number);
                (
                    url,
                    Remark::new(MissingFragment::NoElement { fragment }),
                    false,
                )
            }
        };
        // Names that a page has lost are lost together, when it is written anew.
        let (violation, page_name) = (remark.violation, &scan.name);
        let mut finding = Finding::from_violation(violation, page_name, Arc::clone(&target));
        self.complete(page, pending, &mut finding);
        finding.target = Some(target);
        finding.relate(related);
        finding.suggest(remark.suggestion);
        finding.line = self.line(scan, is_example);
        finding
    }

    /// The remark on a fragment missing from a page, and whether it is one of the first on that
    /// page.
    fn remark(&mut self, known: &AuditContext, file: SiteFile, fragment: &str) -> (Remark, bool) {
        let lacking = self.lacking(known, file);
        lacking.said = lacking.said.saturating_add(1);
        let is_example = lacking.said <= EXAMPLES;
        if let Some(remark) = lacking.remarks.get(fragment) {
            return (remark.clone(), is_example);
        }
        let nearest = if known.shows(&missing_fragment::RULE) {
            let ids = &lacking.ids;
            let ids = ids.get_or_init(|| known.read_names(file).map(Ids::new));
            ids.as_ref().and_then(|ids| ids.nearest(fragment))
        } else {
            None
        };
        let mut remark = Remark::new(MissingFragment::NoElement { fragment });
        if known.is_epub() {
            remark.violation = epub::with_id(remark.violation, "RSC-012");
        }
        if let Some(nearest) = &nearest {
            if nearest.eq_ignore_ascii_case(fragment) {
                remark.violation = MissingFragment::OtherCase { fragment, nearest }.into();
            }
            remark.suggestion = [format!("#{nearest}")].into();
        }
        if lacking.remarks.len() >= MOST_REMARKS {
            lacking.remarks.clear();
        }
        lacking.remarks.insert(fragment.into(), remark.clone());
        (remark, is_example)
    }

    fn lacking(&mut self, known: &AuditContext, file: SiteFile) -> &mut Lacking {
        let place = known.package_file(file);
        self.lacking.entry(place).or_insert_with(|| Lacking {
            path: known.path_of(file).into(),
            related: known.related(file, "The page that the link leads to."),
            ids: OnceCell::new(),
            remarks: HashMap::new(),
            said: 0,
        })
    }

    /// The source line around a link, from reading its document again.
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

/// The finding that something of a document was lost.
fn unreadable(page: &Arc<PageName>, message: Unreadable<'_>) -> Finding {
    Finding::from_violation(message, page, page.doc.as_str())
}

/// The links of a document for listing, with the rules of its findings, which are sorted by
/// place.
fn links(known: &AuditContext, scan: &Scan, findings: &[Finding]) -> Vec<JudgedLink> {
    let start = |at: &Position| at.byte.start;
    let listed = scan.links.iter();
    let listed = listed.map(|listed| {
        let raw = scan.texts.get(&listed.raw);
        let url = listed.url.as_ref().map(|url| scan.texts.get(url));
        let outcome = listed.outcome;
        let rules = listed.at.as_ref().map_or(&[][..], |at| {
            let of = |finding: &Finding| finding.at.as_ref().map(start);
            let first = findings.partition_point(|finding| of(finding) < Some(start(at)));
            let count = findings[first..].partition_point(|finding| of(finding) == Some(start(at)));
            &findings[first..first + count]
        });
        let rules = rules.iter().filter(|finding| &*finding.raw == raw);
        JudgedLink {
            at: listed.at.clone(),
            element: match &listed.element {
                Some(element) => element.to_string().into(),
                None => listed.slot.element.into(),
            },
            attr: listed.slot.attr,
            raw: raw.to_owned(),
            url: url.map(|url| known.shown(url)),
            class: outcome.class.as_str(),
            target: match outcome.file {
                Some(file) => Some(known.path_of(file)),
                None => url.and_then(|url| known.path_below(url)),
            },
            how: outcome.how,
            end: outcome.end,
            kind: match listed.need {
                Need::Page => "page",
                Need::Resource => "resource",
            },
            fragment_found: match outcome.fragment {
                Fragment::None | Fragment::Pending => None,
                Fragment::Found => Some(true),
                Fragment::Missing => Some(false),
            },
            rules: rules.map(|finding| finding.rule.id).collect(),
        }
    });
    listed.collect()
}

/// The findings about files of a package that are not listed, with the first of its documents.
fn unreported(package: &AuditContext, scan: &Scan) -> Vec<Finding> {
    let unlisted = package.unreported().iter();
    let finding = |unlisted: &Unlisted| {
        let cause = scan.name.doc.clone();
        let error = &unlisted.error;
        Finding::from_violation(Unreadable::Listing { error }, &scan.name, cause)
    };
    unlisted.map(finding).collect()
}

/// The name that a pending link points to, if several elements of a page of a tree have it.
fn repeated(known: &AuditContext, pending: &DeferredLink<'_>) -> Option<(SiteFile, u64)> {
    let Target::File(file) = pending.target else {
        return None;
    };
    let names = known.names_of(file).filter(|names| names.has_repeated())?;
    let found = names.find(pending.fragment?)?;
    names.is_repeated(found).then_some((file, found))
}

impl Remark {
    fn new(message: MissingFragment<'_>) -> Self {
        Self {
            violation: message.into(),
            suggestion: Arc::default(),
        }
    }
}
