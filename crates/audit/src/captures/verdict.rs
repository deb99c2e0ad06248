//! Verdicts on the links of captured pages: whether what they lead to was captured, too.

use std::collections::HashSet;
use std::sync::Arc;

use crate::captures::crawl::{Crawl, Scope};
use crate::captures::missing::Lacks;
use crate::model::class::LinkClass;
use crate::model::provenance::Provenance;
use crate::model::shown::LONGEST_SHOWN;
use crate::rules;
use baseref_document::LeftOut;
use baseref_evidence::captures::{
    Absent, Answer, End, Index, Listed, Need, Number, Question, Tier, day_of, exact, host,
    is_archivable,
};
use baseref_findings::words::{cut_after, plural};
use baseref_findings::{Level, Rule, Table};

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
    pub(crate) rule: &'static Rule,
    pub(crate) level: Level,
    /// The URL that is at fault.
    pub(crate) cause: Arc<str>,
    pub(crate) message: Arc<str>,
}

impl Said {
    fn new(rule: &'static Rule, cause: &str, message: impl Into<Arc<str>>) -> Self {
        Self {
            rule,
            level: rule.level,
            cause: cause.into(),
            message: message.into(),
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
            verdict.said.push(self.of_error(end));
            verdict.lacks = self.lacking_error(end, asked);
            verdict
        } else {
            Verdict::of(LinkClass::Ok, tier.as_str())
        };
        if let End::Captured(end) = answer.end {
            self.reach(end, &mut verdict);
        }
        if tier == Tier::Loose {
            let message = format!(
                "captured as {}; not every replay shows that",
                cut_after(LONGEST_SHOWN, self.index.url(first))
            );
            let said = Said::new(
                &rules::target::loose_capture::RULE,
                &exact(asked.url),
                message,
            );
            verdict.said.push(said);
        }
        verdict
    }

    /// Makes a capture the target of a link.
    fn reach(&self, end: Number, verdict: &mut Verdict) {
        if self.index.is_elsewhere(end) {
            verdict.is_elsewhere = true;
            let message =
                "captured as the same as an earlier capture, which is not among the inputs";
            let url = self.index.url(end);
            verdict.said.push(Said::new(
                &rules::target::revisit_elsewhere::RULE,
                url,
                message,
            ));
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
        let rule = match asked.need {
            Need::Page => &rules::target::page_not_captured::RULE,
            Need::Resource => &rules::target::resource_not_captured::RULE,
        };
        let message = match why {
            Absent::NotAsked => match self.index.left_out(url) {
                Some(why) => why_left_out(why),
                None => "not captured",
            },
            Absent::OtherMethod => {
                "not captured: there is only the answer to another method than GET"
            }
            Absent::NoAnswer => "not captured: there is a record of it, but no answer",
        };
        let mut verdict = Verdict::of(LinkClass::NotCaptured, "");
        let mut said = Said::new(rule, url, message);
        if is_sure {
            verdict.lacks = Some((url.clone(), true));
        } else {
            said.level = Level::Note;
        }
        verdict.said.push(said);
        verdict
    }

    fn of_redirect(&self, asked: Asked<'_>, first: Number, answer: &Answer) -> Verdict {
        let mut verdict = Verdict::of(LinkClass::CapturedRedirect, "redirect");
        verdict.fragment = self.index.fragment_of_last(answer);
        let hops = self.hops(first, answer);
        let own = self.index.url(first);
        let note =
            |message: String| Said::new(&rules::target::captured_redirect::RULE, own, message);
        let lost = |cause: &str, message: String| {
            Said::new(&rules::target::redirect_not_captured::RULE, cause, message)
        };
        let (end, said) = match &answer.end {
            End::Captured(_) => ("ok", note(format!("captured as a redirect: {hops}"))),
            End::Error(end) => {
                verdict.lacks = self.lacking_error(*end, asked);
                let error = self.of_error(*end);
                let message = format!("{}: {hops}", error.message);
                ("captured-error", lost(self.index.url(*end), message))
            }
            End::Nothing { url, .. } if self.is_due(asked, url) => {
                verdict.lacks = Some((url.clone(), true));
                let message = format!("captured as a redirect to what was not captured: {hops}");
                (NOT_CAPTURED, lost(url, message))
            }
            End::Nothing { .. } => (
                "external",
                note(format!("captured as a redirect to another site: {hops}")),
            ),
            End::Broken(end) => {
                verdict.lacks = self.lacking_error(*end, asked);
                let message = format!("captured as a redirect without a target: {hops}");
                ("broken", lost(self.index.url(*end), message))
            }
            End::Unsaid(_) => (
                "unknown",
                note(format!(
                    "captured as a redirect whose target the index does not say: {hops}"
                )),
            ),
            End::Loop(end) => {
                let message = format!("captured as a redirect that never ends: {hops}");
                ("loop", lost(self.index.url(*end), message))
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

    fn of_error(&self, end: Number) -> Said {
        let status = self.index.status(end);
        let mut message = match status {
            304 => "captured only as not modified (304)".to_owned(),
            _ => format!("captured as an error ({status})"),
        };
        if let Some(better) = self.index.better_than(end) {
            let day = self.index.date(better).map(day_of).unwrap_or_default();
            message = format!("{message}; {} on {day}", self.index.status(better));
        }
        Said::new(
            &rules::target::captured_error::RULE,
            self.index.url(end),
            message,
        )
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

/// What is said of a page that the crawler left out.
fn why_left_out(why: LeftOut) -> &'static str {
    match why {
        LeftOut::Scope => "not captured: the crawler left it out, as out of its scope",
        LeftOut::PageLimit => "not captured: the crawler left it out, at its limit of pages",
        LeftOut::Robots => "not captured: the crawler left it out, for robots.txt",
        LeftOut::Redirect => {
            "not captured: the crawler left it out, as it redirects to what is excluded"
        }
        LeftOut::Duplicate => "not captured: the crawler left it out, as a duplicate",
        LeftOut::RateLimit => {
            "not captured: the crawler left it out, as the server limits requests"
        }
        LeftOut::Failure => "not captured: the crawler could not load it",
        LeftOut::Unknown => "not captured: the crawler left it out",
    }
}
