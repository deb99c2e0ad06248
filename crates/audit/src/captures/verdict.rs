//! Verdicts on the links of captured pages: whether what they lead to was captured, too.

use std::collections::HashSet;
use std::sync::Arc;

use crate::captures::crawl::{Crawl, Scope};
use crate::captures::missing::Lacks;
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
use baseref_evidence::captures::{
    Absent, Answer, End, Index, Listed, Need, Number, Question, Tier, day_of, exact, host,
    is_archivable,
};
use baseref_findings::words::{cut_after, plural};
use baseref_findings::{Level, Table, Violation};

/// A link of a captured page.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Asked<'q> {
    pub(crate) url: &'q str,
    pub(crate) need: Need,
    /// The capture of its page.
    pub(crate) page: Option<Number>,
    pub(crate) provenance: Provenance,
    /// Whether it is a fault if a page saved as a message lacks it.
    pub(crate) is_always_saved: bool,
}

/// What is found about a link.
#[derive(Debug)]
pub(crate) struct Verdict {
    pub(crate) class: LinkClass,
    pub(crate) how: &'static str,
    /// The class of what is at the end of a redirect.
    pub(crate) end: &'static str,
    /// The capture whose elements a fragment names.
    pub(crate) target: Option<Number>,
    /// The fragment that a redirect gave the URL.
    pub(crate) fragment: Option<String>,
    pub(crate) said: Vec<Said>,
    /// The URL that the captures lack, and whether there is no capture of it.
    lacks: Option<(Box<str>, bool)>,
    /// Whether the capture is of a revisit whose original is not here.
    is_elsewhere: bool,
}

/// What a finding says.
#[derive(Debug)]
pub(crate) struct Said {
    pub(crate) violation: Violation,
    /// The URL that is at fault.
    pub(crate) cause: Arc<str>,
}

impl Said {
    fn new(cause: &str, violation: impl Into<Violation>) -> Self {
        Self {
            violation: violation.into(),
            cause: cause.into(),
        }
    }
}

impl Verdict {
    fn of(class: LinkClass, how: &'static str) -> Self {
        Self {
            class,
            how,
            end: "",
            target: None,
            fragment: None,
            said: Vec::new(),
            lacks: None,
            is_elsewhere: false,
        }
    }
}

/// The class of what is at the end of a redirect to what was not captured.
const NOT_CAPTURED: &str = LinkClass::NotCaptured.as_str();

/// The captures, and what links to them lack.
#[derive(Debug)]
pub(crate) struct Captured {
    pub(crate) index: Index,
    crawl: Crawl,
    hosts: HashSet<Box<str>>,
    pub(crate) lacks: Lacks,
    /// How many captures are of revisits whose originals are not here, by links to them.
    elsewhere: u64,
}

impl Captured {
    pub(crate) fn new(index: Index, mut crawl: Crawl, pages: impl Iterator<Item = Number>) -> Self {
        if let Scope::Prefixes(prefixes) = &mut crawl.scope {
            for prefix in prefixes {
                *prefix = exact(prefix).into_owned();
            }
        }
        let hosts = pages.map(|page| host(index.url(page)).into()).collect();
        Self {
            index,
            crawl,
            hosts,
            lacks: Lacks::default(),
            elsewhere: 0,
        }
    }

    /// Whether there is a capture of exactly that URL.
    pub(crate) fn has(&self, url: &str) -> bool {
        let question = Question {
            url,
            need: Need::Page,
            date: None,
            tier: Tier::Exact,
        };
        self.index.ask(question).first.is_some()
    }

    /// Whether a page is one that the crawl was meant to capture.
    fn is_in_scope(&self, url: &str) -> bool {
        match &self.crawl.scope {
            Scope::Host => self.hosts.contains(host(url)),
            Scope::Pages => false,
            Scope::All => true,
            Scope::Prefixes(prefixes) => prefixes.iter().any(|prefix| url.starts_with(prefix)),
        }
    }

    /// Whether a link to a URL of which there is no capture is one that should have one.
    fn is_due(&self, asked: Asked<'_>, url: &str) -> bool {
        match (asked.provenance, asked.need) {
            _ if !is_archivable(url) => false,
            (Provenance::Alone, _) | (Provenance::Saved, Need::Page) => false,
            (_, Need::Resource) => true,
            (Provenance::Archive, Need::Page) => self.is_in_scope(url),
        }
    }

    /// Counts a link with that verdict, of the page of the URL `referrer`.
    pub(crate) fn count(&mut self, verdict: &Verdict, asked: Asked<'_>, referrer: &Arc<str>) {
        self.elsewhere += u64::from(verdict.is_elsewhere);
        let is_absent = verdict.class == LinkClass::NotCaptured || verdict.end == NOT_CAPTURED;
        if is_absent && asked.need == Need::Page {
            self.lacks.add_link_to_page();
        }
        if let Some((url, is_absent)) = &verdict.lacks {
            self.lacks.add(url, asked.need, *is_absent, referrer);
        }
    }

    /// The verdict on a link.
    pub(crate) fn verdict(&self, asked: Asked<'_>) -> Verdict {
        let tier = match asked.provenance {
            Provenance::Archive => self.crawl.tier,
            Provenance::Alone | Provenance::Saved => Tier::Exact,
        };
        let answer = self.index.ask(Question {
            url: asked.url,
            need: asked.need,
            date: asked.page.and_then(|page| self.index.date(page)),
            tier,
        });
        let Some((first, tier)) = answer.first else {
            return self.of_nothing(asked, &answer);
        };
        let is_redirect =
            !matches!(answer.end, End::Captured(end) | End::Error(end) if end == first);
        let mut verdict = if is_redirect {
            self.of_redirect(asked, first, &answer)
        } else if let End::Error(end) = answer.end {
            let mut verdict = Verdict::of(LinkClass::CapturedError, tier.as_str());
            let said = Said::new(self.index.url(end), self.of_error(end));
            verdict.said.push(said);
            verdict.lacks = self.lacking_error(end, asked);
            verdict
        } else {
            Verdict::of(LinkClass::Ok, tier.as_str())
        };
        if let End::Captured(end) = answer.end {
            self.reach(end, &mut verdict);
        }
        if tier == Tier::Loose {
            let url = &*cut_after(LONGEST_SHOWN, self.index.url(first));
            let said = Said::new(&exact(asked.url), LooseCapture { url });
            verdict.said.push(said);
        }
        verdict
    }

    /// Makes a capture the target of a link.
    fn reach(&self, end: Number, verdict: &mut Verdict) {
        if self.index.is_elsewhere(end) {
            verdict.is_elsewhere = true;
            let said = Said::new(self.index.url(end), RevisitElsewhere);
            verdict.said.push(said);
        } else if !self.index.is_partial(end) {
            verdict.target = self.index.payload(end);
        }
    }

    fn of_nothing(&self, asked: Asked<'_>, answer: &Answer) -> Verdict {
        let End::Nothing { url, why, .. } = &answer.end else {
            return Verdict::of(LinkClass::External, "");
        };
        if !self.is_due(asked, url) {
            return Verdict::of(LinkClass::External, "");
        }
        let is_sure = asked.provenance == Provenance::Archive || asked.is_always_saved;
        let absence = match why {
            Absent::NotAsked => match self.index.left_out(url) {
                Some(why) => Absence::LeftOut(why),
                None => Absence::NotAsked,
            },
            Absent::OtherMethod => Absence::OtherMethod,
            Absent::NoAnswer => Absence::NoAnswer,
        };
        let mut verdict = Verdict::of(LinkClass::NotCaptured, "");
        let mut said = match asked.need {
            Need::Page => Said::new(url, PageNotCaptured { absence }),
            Need::Resource => Said::new(url, ResourceNotCaptured { absence }),
        };
        if is_sure {
            verdict.lacks = Some((url.clone(), true));
        } else {
            said.violation.level = Level::Note;
        }
        verdict.said.push(said);
        verdict
    }

    fn of_redirect(&self, asked: Asked<'_>, first: Number, answer: &Answer) -> Verdict {
        let mut verdict = Verdict::of(LinkClass::CapturedRedirect, "redirect");
        verdict.fragment = self.index.fragment_of_last(answer);
        let hops = self.hops(first, answer);
        let own = self.index.url(first);
        let (end, said) = match &answer.end {
            End::Captured(_) => ("ok", Said::new(own, CapturedRedirect::Captured { hops })),
            End::Error(end) => {
                verdict.lacks = self.lacking_error(*end, asked);
                let error = self.of_error(*end);
                let message = RedirectNotCaptured::Error { error, hops };
                ("captured-error", Said::new(self.index.url(*end), message))
            }
            End::Nothing { url, .. } if self.is_due(asked, url) => {
                verdict.lacks = Some((url.clone(), true));
                let message = RedirectNotCaptured::NotCaptured { hops };
                (NOT_CAPTURED, Said::new(url, message))
            }
            End::Nothing { .. } => {
                let message = CapturedRedirect::External { hops };
                ("external", Said::new(own, message))
            }
            End::Broken(end) => {
                verdict.lacks = self.lacking_error(*end, asked);
                let message = RedirectNotCaptured::NoTarget { hops };
                ("broken", Said::new(self.index.url(*end), message))
            }
            End::Unsaid(_) => {
                let message = CapturedRedirect::UnknownTarget { hops };
                ("unknown", Said::new(own, message))
            }
            End::Loop(end) => {
                let message = RedirectNotCaptured::Loop { hops };
                ("loop", Said::new(self.index.url(*end), message))
            }
        };
        verdict.end = end;
        verdict.said.push(said);
        verdict
    }

    /// The hops of a redirect in words.
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

    fn of_error(&self, end: Number) -> CapturedError {
        let better = self.index.better_than(end).map(|better| {
            let day = self.index.date(better).map(day_of).unwrap_or_default();
            (self.index.status(better), day)
        });
        CapturedError {
            status: self.index.status(end),
            better,
        }
    }

    /// The URL of an error that may pass, as something to be captured again.
    fn lacking_error(&self, end: Number, asked: Asked<'_>) -> Option<(Box<str>, bool)> {
        let status = self.index.status(end);
        let may_pass = matches!(status, 300..=399 | 429 | 500..=599);
        let is_lacking = may_pass && asked.provenance == Provenance::Archive;
        is_lacking.then(|| (self.index.url(end).into(), false))
    }

    /// How complete the captures are, in a line each, and in tables.
    pub(crate) fn completeness(&mut self) -> (Vec<String>, Vec<Table>) {
        let (mut lines, tables) = self.lacks.completeness();
        lines.append(&mut self.losses());
        (lines, tables)
    }

    /// What is not judged, in a line each.
    fn losses(&self) -> Vec<String> {
        let mut lines = Vec::new();
        if self.elsewhere > 0 {
            let leading = plural(self.elsewhere, "link leads", "links lead");
            let revisits = "revisits of captures that are not among the inputs";
            lines.push(format!("{leading} to {revisits}"));
        }
        if self.index.lost() > 0 {
            let lost = plural(self.index.lost(), "capture", "captures");
            lines.push(format!(
                "{lost} had no room in the index: links to them are not judged rightly"
            ));
        }
        lines
    }

    /// The pages that a crawler lists, and of which there is no capture.
    pub(crate) fn unfounded(&self) -> impl Iterator<Item = &Listed> {
        let listed = self.index.listed().iter();
        listed.filter(|listed| !self.has(&listed.url))
    }
}
