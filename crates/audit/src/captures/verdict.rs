//! Checks whether the targets of the links of captured pages were captured.

use std::cell::RefCell;
use std::collections::HashSet;
use std::sync::Arc;

use foldhash::fast::RandomState;

use crate::captures::crawl::{Crawl, Scope};
use crate::captures::excuse::Excuse;
use crate::captures::missing::{MissingCounter, MissingKind};
use crate::captures::recent_verdicts::RecentVerdicts;
use crate::model::class::LinkClass;
use crate::model::provenance::Provenance;
use crate::model::shown::LONGEST_SHOWN;
use crate::rules::target::absence::Absence;
use crate::rules::target::captured_error::CapturedError;
use crate::rules::target::captured_redirect::CapturedRedirect;
use crate::rules::target::loose_capture::LooseCapture;
use crate::rules::target::page_not_captured::PageNotCaptured;
use crate::rules::target::redirect_not_captured::RedirectNotCaptured;
use crate::rules::target::resource_not_captured::ResourceNotCaptured;
use crate::rules::target::revisit_elsewhere::RevisitElsewhere;
use baseref_document::hash_of;
use baseref_evidence::captures::{
    Absent, Answer, End, Index, Listed, Need, Number, Question, Tier, day_of, exact, host,
    is_archivable, is_saved_file,
};
use baseref_findings::words::{cut_after, plural};
use baseref_findings::{Level, Table, Violation};

/// A link of a captured page.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CapturedLink<'l> {
    pub(crate) url: &'l str,
    pub(crate) need: Need,
    /// The capture of its page.
    pub(crate) page: Option<Number>,
    pub(crate) provenance: Provenance,
    /// Whether its absence from a page saved as MHTML is an error.
    pub(crate) is_always_saved: bool,
}

/// The verdict of the captures on a link.
#[derive(Debug)]
pub(crate) struct Verdict {
    pub(crate) class: LinkClass,
    pub(crate) how: &'static str,
    /// The class of the end of a redirect; empty for other captures.
    pub(crate) end: &'static str,
    /// The capture that a fragment is looked up in.
    pub(crate) target: Option<Number>,
    /// The fragment that a redirect added.
    pub(crate) fragment: Option<String>,
    pub(crate) findings: Vec<FindingParts>,
    /// The missing URL, and why it is missing.
    missing: Option<(Box<str>, MissingKind)>,
    /// The capture with the payload of the target, if the target was captured.
    payload: Option<Number>,
    /// Whether the capture is a revisit whose original is not among the inputs.
    is_elsewhere: bool,
    /// Whether it is the same for a link of any captured page.
    is_shared: bool,
}

/// A finding, without the link that it is about.
#[derive(Debug)]
pub(crate) struct FindingParts {
    pub(crate) violation: Violation,
    /// The URL that findings are grouped by.
    pub(crate) cause: Arc<str>,
}

impl FindingParts {
    fn new(cause: &str, violation: impl Into<Violation>) -> Self {
        Self {
            violation: violation.into(),
            cause: cause.into(),
        }
    }
}

impl Verdict {
    fn new(class: LinkClass, how: &'static str) -> Self {
        Self {
            class,
            how,
            end: "",
            target: None,
            fragment: None,
            findings: Vec::new(),
            missing: None,
            payload: None,
            is_elsewhere: false,
            is_shared: false,
        }
    }
}

impl Verdict {
    /// Whether the target was captured with a successful answer.
    pub(crate) fn is_captured(&self) -> bool {
        self.class == LinkClass::Ok || self.class == LinkClass::CapturedRedirect && self.end == OK
    }

    /// Whether the target is lacking: it was not captured, or is an error.
    pub(crate) fn is_lack(&self) -> bool {
        use LinkClass::{CapturedError, CapturedRedirect, NotCaptured};
        let may_lack = matches!(self.class, NotCaptured | CapturedError | CapturedRedirect);
        may_lack && !self.is_captured()
    }

    /// The finding about a target without which its page is complete; `None` if there is none.
    pub(crate) fn excused(&self, excuse: Excuse) -> Option<FindingParts> {
        let cause = &*self.findings.first()?.cause;
        Some(FindingParts::new(cause, excuse.violation()?))
    }
}

/// The end of a redirect that leads to a page.
const OK: &str = LinkClass::Ok.as_str();

/// The class of a redirect whose target was not captured.
const NOT_CAPTURED: &str = LinkClass::NotCaptured.as_str();

/// The captures, and the missing ones that links lead to.
#[derive(Debug)]
pub(crate) struct CaptureJudge {
    pub(crate) index: Index,
    crawl: Crawl,
    hosts: HashSet<Box<str>>,
    pub(crate) missing: MissingCounter,
    /// The number of links to revisits whose originals are not among the inputs.
    elsewhere: u64,
    /// The captures that were read as documents.
    documents: HashSet<Number>,
    /// The hashes of URLs without a capture of any date. Many pages link to each.
    absent: RefCell<HashSet<(u64, Need, Tier), RandomState>>,
    recent: RefCell<RecentVerdicts<Arc<Verdict>>>,
}

/// The captures that were read as documents.
#[derive(Debug, Default)]
pub(crate) struct ReadCaptures {
    pub(crate) documents: HashSet<Number>,
    /// Those that are pages.
    pub(crate) pages: HashSet<Number>,
}

impl CaptureJudge {
    pub(crate) fn new(index: Index, mut crawl: Crawl, read: ReadCaptures) -> Self {
        if let Scope::Prefixes(prefixes) = &mut crawl.scope {
            for prefix in prefixes {
                *prefix = exact(prefix).into_owned();
            }
        }
        let ReadCaptures { documents, pages } = read;
        let revisits = index.page_revisits(&pages);
        let pages = pages.iter().copied().chain(revisits);
        let hosts = pages.map(|page| host(index.url(page)).into()).collect();
        Self {
            index,
            crawl,
            hosts,
            missing: MissingCounter::default(),
            elsewhere: 0,
            documents,
            absent: RefCell::default(),
            recent: RefCell::default(),
        }
    }

    /// Whether there is a capture of exactly this URL.
    pub(crate) fn has(&self, url: &str) -> bool {
        let question = Question {
            url,
            need: Need::Page,
            date: None,
            tier: Tier::Exact,
        };
        self.index.ask(question).first.is_some()
    }

    /// Whether the crawl was meant to capture a page.
    fn is_in_scope(&self, url: &str) -> bool {
        match &self.crawl.scope {
            Scope::Host => self.hosts.contains(host(url)),
            Scope::Pages => false,
            Scope::All => true,
            Scope::Prefixes(prefixes) => prefixes.iter().any(|prefix| url.starts_with(prefix)),
        }
    }

    /// Whether the target of a link should have been captured.
    fn is_due(&self, link: CapturedLink<'_>, url: &str) -> bool {
        match (link.provenance, link.need) {
            (Provenance::Saved, _) if is_saved_file(url) => link.need == Need::Resource,
            _ if !is_archivable(url) => false,
            (Provenance::Alone, _) | (Provenance::Saved, Need::Page) => false,
            (_, Need::Resource) => true,
            (Provenance::Archive, Need::Page) => self.is_in_scope(url),
        }
    }

    /// Counts a link of the current document, given why the document is complete without its target.
    pub(crate) fn count(&mut self, verdict: &Verdict, need: Need, excuse: Option<Excuse>) {
        self.elsewhere += u64::from(verdict.is_elsewhere);
        if let Some(excuse) = excuse {
            if let (Some((url, _)), Excuse::OtherResolution) = (&verdict.missing, excuse) {
                self.missing
                    .add_dispensable(url, MissingKind::OtherResolution);
            }
            return;
        }
        if let Some((url, MissingKind::Uncertain)) = &verdict.missing {
            return self.missing.add_dispensable(url, MissingKind::Uncertain);
        }
        let is_absent = verdict.class == LinkClass::NotCaptured || verdict.end == NOT_CAPTURED;
        if is_absent && need == Need::Page {
            self.missing.add_link_to_page();
        }
        if let Some((url, kind)) = &verdict.missing {
            self.missing.add(url, need, *kind);
        }
        self.require(verdict, need);
    }

    /// Adds the capture that a link of the current document leads to, if the document requires it.
    pub(crate) fn require(&mut self, verdict: &Verdict, need: Need) {
        let is_part = |payload: &Number| self.documents.contains(payload);
        if need == Need::Resource
            && let Some(payload) = verdict.payload.filter(is_part)
        {
            self.missing.require(payload);
        }
    }

    /// What the captures answer, without looking again for a URL that has none.
    fn answer(&self, question: Question<'_>) -> Answer {
        let own = exact(question.url);
        let key = (hash_of(&own), question.need, question.tier);
        if self.absent.borrow().contains(&key) {
            return self.index.nothing(&own);
        }
        let answer = self.index.ask_exact(own, question);
        if answer.first.is_none() {
            self.absent.borrow_mut().insert(key);
        }
        answer
    }

    /// The verdict on a link.
    pub(crate) fn verdict(&self, link: CapturedLink<'_>) -> Arc<Verdict> {
        let may_be_shared = link.provenance == Provenance::Archive;
        let known = may_be_shared.then(|| self.recent.borrow().find(link.url, link.need));
        if let Some(known) = known.flatten() {
            return known;
        }
        let verdict = Arc::new(self.new_verdict(link));
        if may_be_shared && verdict.is_shared {
            let mut recent = self.recent.borrow_mut();
            recent.add(link.url, link.need, Arc::clone(&verdict));
        }
        verdict
    }

    fn new_verdict(&self, link: CapturedLink<'_>) -> Verdict {
        let tier = match link.provenance {
            Provenance::Archive => self.crawl.tier,
            Provenance::Alone | Provenance::Saved => Tier::Exact,
        };
        let answer = self.answer(Question {
            url: link.url,
            need: link.need,
            date: link.page.and_then(|page| self.index.date(page)),
            tier,
        });
        let Some((first, tier)) = answer.first else {
            let mut verdict = self.not_captured(link, &answer);
            verdict.is_shared = true;
            return verdict;
        };
        let is_redirect =
            !matches!(answer.end, End::Captured(end) | End::Error(end) if end == first);
        let mut verdict = if is_redirect {
            self.redirected(link, first, &answer)
        } else if let End::Error(end) = answer.end {
            let mut verdict = Verdict::new(LinkClass::CapturedError, tier.as_str());
            let finding = FindingParts::new(self.index.url(end), self.captured_error(end));
            verdict.findings.push(finding);
            verdict.missing = self.error(end, link);
            verdict
        } else {
            Verdict::new(LinkClass::Ok, tier.as_str())
        };
        // Which of several captures it is depends on the date of the page.
        verdict.is_shared = !is_redirect && tier == Tier::Exact && self.index.is_only(first);
        if let End::Captured(end) = answer.end {
            self.reach(end, &mut verdict);
        }
        if tier == Tier::Loose {
            let url = &*cut_after(LONGEST_SHOWN, self.index.url(first));
            let finding = FindingParts::new(&exact(link.url), LooseCapture { url });
            verdict.findings.push(finding);
        }
        verdict
    }

    /// Sets the capture that a link finally leads to.
    fn reach(&self, end: Number, verdict: &mut Verdict) {
        verdict.payload = self.index.payload(end);
        if self.index.is_elsewhere(end) {
            verdict.is_elsewhere = true;
            let finding = FindingParts::new(self.index.url(end), RevisitElsewhere);
            verdict.findings.push(finding);
        } else if !self.index.is_partial(end) {
            verdict.target = self.index.payload(end);
        }
    }

    fn not_captured(&self, link: CapturedLink<'_>, answer: &Answer) -> Verdict {
        let End::Nothing { url, why, .. } = &answer.end else {
            return Verdict::new(LinkClass::External, "");
        };
        if !self.is_due(link, url) {
            return Verdict::new(LinkClass::External, "");
        }
        let is_sure = link.provenance == Provenance::Archive || link.is_always_saved;
        let absence = match why {
            Absent::NotAsked => match self.index.left_out(url) {
                Some(why) => Absence::LeftOut(why),
                None => Absence::NotAsked,
            },
            Absent::OtherMethod => Absence::OtherMethod,
            Absent::NoAnswer => Absence::NoAnswer,
        };
        let mut verdict = Verdict::new(LinkClass::NotCaptured, "");
        let mut finding = match link.need {
            Need::Page => FindingParts::new(url, PageNotCaptured { absence }),
            Need::Resource => FindingParts::new(url, ResourceNotCaptured { absence }),
        };
        let kind = if is_sure {
            MissingKind::NotCaptured
        } else {
            finding.violation.level = Level::Note;
            MissingKind::Uncertain
        };
        verdict.missing = Some((url.clone(), kind));
        verdict.findings.push(finding);
        verdict
    }

    fn redirected(&self, link: CapturedLink<'_>, first: Number, answer: &Answer) -> Verdict {
        let mut verdict = Verdict::new(LinkClass::CapturedRedirect, "redirect");
        verdict.fragment = self.index.fragment_of_last(answer);
        let hops = self.hops(first, answer);
        let own = self.index.url(first);
        let (end, finding) = match &answer.end {
            End::Captured(_) => (
                OK,
                FindingParts::new(own, CapturedRedirect::Captured { hops }),
            ),
            End::Error(end) => {
                verdict.missing = self.error(*end, link);
                let error = self.captured_error(*end);
                let message = RedirectNotCaptured::Error { error, hops };
                (
                    "captured-error",
                    FindingParts::new(self.index.url(*end), message),
                )
            }
            End::Nothing { url, .. } if self.is_due(link, url) => {
                verdict.missing = Some((url.clone(), MissingKind::NotCaptured));
                let message = RedirectNotCaptured::NotCaptured { hops };
                (NOT_CAPTURED, FindingParts::new(url, message))
            }
            End::Nothing { .. } => {
                let message = CapturedRedirect::External { hops };
                ("external", FindingParts::new(own, message))
            }
            End::Broken(end) => {
                verdict.missing = self.error(*end, link);
                let message = RedirectNotCaptured::NoTarget { hops };
                ("broken", FindingParts::new(self.index.url(*end), message))
            }
            End::Unsaid(_) => {
                let message = CapturedRedirect::UnknownTarget { hops };
                ("unknown", FindingParts::new(own, message))
            }
            End::Loop(end) => {
                verdict.missing = self.error(*end, link);
                let message = RedirectNotCaptured::Loop { hops };
                ("loop", FindingParts::new(self.index.url(*end), message))
            }
        };
        verdict.end = end;
        verdict.findings.push(finding);
        verdict
    }

    /// The hops of a redirect, for a message.
    fn hops(&self, first: Number, answer: &Answer) -> String {
        const SHOWN: usize = 5;
        let chain: Vec<Number> = std::iter::once(first)
            .chain(answer.hops.iter().copied())
            .collect();
        let mut words: Vec<String> = chain
            .iter()
            .take(SHOWN)
            .map(|number| {
                let url = cut_after(LONGEST_SHOWN, self.index.url(*number));
                format!("{url} ({})", self.index.status(*number))
            })
            .collect();
        if chain.len() > SHOWN {
            words.push(format!("{} more", chain.len() - SHOWN));
        }
        if let End::Nothing { url, .. } = &answer.end {
            words.push(cut_after(LONGEST_SHOWN, url).into_owned());
        }
        words.join(" -> ")
    }

    fn captured_error(&self, end: Number) -> CapturedError {
        let better = self.index.better_than(end).map(|better| {
            let day = self.index.date(better).map(day_of).unwrap_or_default();
            (self.index.status(better), day)
        });
        CapturedError {
            status: self.index.status(end),
            better,
        }
    }

    /// The URL of an error that counts as missing. A temporary error should be captured again; a lasting one
    /// counts only for a page that needs it as a resource.
    fn error(&self, end: Number, link: CapturedLink<'_>) -> Option<(Box<str>, MissingKind)> {
        let kind = match self.index.status(end) {
            300..=399 | 429 | 500..=599 => MissingKind::Temporary,
            _ => MissingKind::Lasting,
        };
        let is_missing = kind == MissingKind::Temporary || link.need == Need::Resource;
        let is_missing = is_missing && link.provenance == Provenance::Archive;
        is_missing.then(|| (self.index.url(end).into(), kind))
    }

    /// The completeness of the captures, in lines and in tables.
    pub(crate) fn completeness(&mut self) -> (Vec<String>, Vec<Table>) {
        let (mut lines, tables) = self.missing.completeness();
        lines.append(&mut self.losses());
        (lines, tables)
    }

    /// Lines about what could not be checked.
    fn losses(&self) -> Vec<String> {
        let mut lines = Vec::new();
        if self.elsewhere > 0 {
            let leading = plural(self.elsewhere, "link leads", "links lead");
            let revisits = "revisits of captures that are not among the inputs";
            lines.push(format!("{leading} to {revisits}"));
        }
        if self.missing.cut() > 0 {
            let pages = plural(self.missing.cut(), "page requires", "pages require");
            lines.push(format!(
                "{pages} too many documents (page-requisites): not all of their missing resources are counted"
            ));
        }
        if self.index.lost() > 0 {
            let lost = plural(self.index.lost(), "capture", "captures");
            lines.push(format!(
                "{lost} had no room in the index: links to them are not judged rightly"
            ));
        }
        lines
    }

    /// The pages on a crawler's list that were not captured.
    pub(crate) fn listed_not_captured(&self) -> impl Iterator<Item = &Listed> {
        let listed = self.index.listed().iter();
        listed.filter(|listed| !self.has(&listed.url))
    }
}
