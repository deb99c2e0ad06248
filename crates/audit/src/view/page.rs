//! A document as rules see it.

use std::cell::{OnceCell, RefCell};
use std::collections::HashSet;
use std::sync::Arc;

use encoding_rs::Encoding;

use crate::compare::{Comparison, Urls};
use crate::context::audit_context::AuditContext;
use crate::mail::content_ids::ContentIds;
use crate::model::provenance::Provenance;
use crate::model::site_file::SiteFile;
use crate::serving::declared_site::DeclaredSite;
use crate::view::page_date::PageDate;
use baseref_document::{Choice, Context, Document, Naming, Reference, hash_of};
use baseref_findings::Urls as AllUrls;
use baseref_findings::{AttributeName, BaseName, Finding, PageName, Rule, Shown, Violation};
use baseref_reader::base::{Base, Candidate, establish_under};
use baseref_reader::links::{DocumentLinks, Link};
use baseref_resolve::Rules;
use baseref_text::decode::encoding;

/// A document as rules see it, with the data that its findings share.
pub(crate) struct Page<'p> {
    pub(crate) ctx: &'p AuditContext,
    pub(crate) document_links: &'p DocumentLinks<'p>,
    pub(crate) encoding: &'static Encoding,
    /// The bytes of the document, if it is a whole file.
    pub(crate) source: Option<&'p [u8]>,
    pub(crate) name: Arc<PageName>,
    pub(crate) base: Arc<BaseName>,
    pub(crate) comparison: Comparison<'p>,
    /// Its file, if it is in a site.
    pub(crate) own: Option<SiteFile>,
    /// The number of its entry, if it is in a ZIM file.
    pub(crate) entry: Option<u32>,
    /// The URL that it was retrieved from.
    pub(crate) url: Option<&'p str>,
    /// When it was captured, sent or written.
    pub(crate) date: PageDate<'p>,
    /// Where it comes from.
    pub(crate) provenance: Provenance,
    /// The site of its base, and the leading folders in the path of the base that the site does not have.
    pub(crate) lacking: Option<(usize, String)>,
    /// Where its site is served according to its base, which is on another site.
    pub(crate) declared: Option<DeclaredSite>,
    pub(crate) latest: Latest,
    /// Whether the cache of references may be used for its links.
    pub(crate) is_cached: bool,
    /// Whether it is on a private host.
    pub(crate) is_private: bool,
    /// The Content-IDs of its message.
    pub(crate) ids: Option<Arc<ContentIds>>,
    /// The hashes of the names of its image maps, once they are needed.
    pub(crate) maps: OnceCell<HashSet<u64>>,
}

/// The texts of the latest findings. Findings about one link follow each other, and share equal texts.
#[derive(Default)]
pub(crate) struct Latest {
    spot: RefCell<Option<Arc<AttributeName>>>,
    value: RefCell<Arc<str>>,
    url: RefCell<Arc<str>>,
    /// Causes and messages.
    texts: RefCell<LatestTexts>,
    /// The value of a link with the base of the page, and its URLs by all rule sets.
    urls: RefCell<Option<(Arc<str>, AllUrls)>>,
    /// The URLs of a link with a base of its own, by all rule sets.
    other_urls: RefCell<AllUrls>,
    /// The base of such a link.
    base: RefCell<Arc<BaseName>>,
    /// The summaries of syntax rules.
    summaries: RefCell<Vec<(&'static Rule, Arc<str>)>>,
}

/// The latest few texts.
#[derive(Default)]
struct LatestTexts {
    texts: [Arc<str>; 8],
    /// The index of the text to replace next.
    next: usize,
}

impl LatestTexts {
    /// Replaces a text by an equal one, if there is one.
    fn share(&mut self, text: &mut Arc<str>) {
        if let Some(known) = self.texts.iter().find(|known| *known == text) {
            text.clone_from(known);
            return;
        }
        if let Some(place) = self.texts.get_mut(self.next) {
            place.clone_from(text);
        }
        self.next = (self.next + 1) % self.texts.len();
    }
}

impl Page<'_> {
    pub(crate) fn spot(&self, element: &str, attr: &str) -> Arc<AttributeName> {
        AttributeName::shared(&mut self.latest.spot.borrow_mut(), element, attr)
    }

    /// The summary of a rule.
    pub(crate) fn summary(&self, rule: &'static Rule) -> Arc<str> {
        let mut known = self.latest.summaries.borrow_mut();
        if let Some((_, summary)) = known.iter().find(|(known, _)| std::ptr::eq(*known, rule)) {
            return Arc::clone(summary);
        }
        let summary: Arc<str> = rule.summary.into();
        known.push((rule, Arc::clone(&summary)));
        summary
    }

    pub(crate) fn document(&self) -> &Document {
        self.document_links.document()
    }

    /// Whether it has an image map of this name; in a shadow root, any element of that name counts.
    pub(crate) fn has_map(&self, name: &str) -> bool {
        let maps = self.maps.get_or_init(|| {
            let named = self.document().identifiers.hashes();
            let is_map = |naming| matches!(naming, Naming::Map | Naming::InShadowRoot);
            let maps = named.filter(|(naming, _)| is_map(*naming));
            maps.map(|(_, hash)| hash).collect()
        });
        maps.contains(&hash_of(name))
    }

    /// When browsers ask for the target of the link with a number, which is 1-based.
    pub(crate) fn choice(&self, seq: u64) -> Option<Choice> {
        let index = usize::try_from(seq).ok()?.checked_sub(1)?;
        self.document().references.choice(index)
    }

    /// Whether the page is known to come over `https`.
    pub(crate) fn is_secure(&self) -> bool {
        let own = self.url.filter(|own| own.starts_with("https:"));
        own.is_some_and(|own| !self.ctx.has_unknown_host(own))
    }

    /// Whether a link is relative to the base of the page, rather than to a base of its own.
    pub(crate) fn has_base_of_page(&self, link: &Link<'_>) -> bool {
        std::ptr::eq(link.base, self.document_links.base())
    }

    /// Compares the rule sets for a link.
    pub(crate) fn with_comparison<R>(
        &self,
        link: &Link<'_>,
        ask: impl FnOnce(&Comparison<'_>) -> R,
    ) -> R {
        if self.has_base_of_page(link) {
            return ask(&self.comparison);
        }
        let own = link.base.url.as_deref();
        let of_browser = match link.reference.context {
            // From HTML 4.01; browsers do not use it.
            Context::Codebase(_) => self.comparison.base_of_browsers(),
            _ => own,
        };
        ask(&Comparison::new([own, own, of_browser], self.encoding))
    }

    /// A finding about a link.
    pub(crate) fn finding(
        &self,
        link: &Link<'_>,
        cause: impl Into<Arc<str>>,
        violation: impl Into<Violation>,
    ) -> Finding {
        self.finding_of(link, cause.into(), violation.into())
    }

    /// Not generic, so that it is compiled once and not for every message.
    fn finding_of(&self, link: &Link<'_>, cause: Arc<str>, violation: Violation) -> Finding {
        let mut finding = self.finding_of_reference(&link.reference, cause, violation);
        finding.url = link
            .url
            .ok()
            .map(|url| shared(&self.latest.url, self.ctx.map.shown(url)));
        finding.urls = self.urls_of(link, &finding);
        finding.base = Some(if self.has_base_of_page(link) {
            Arc::clone(&self.base)
        } else {
            shared_value(&self.latest.base, self.ctx.base_name(link.base))
        });
        finding
    }

    /// The URLs of a link by all rule sets, for a finding that has the link's value and URL.
    fn urls_of(&self, link: &Link<'_>, finding: &Finding) -> AllUrls {
        let is_usual = self.has_base_of_page(link);
        let mut latest = self.latest.urls.borrow_mut();
        if let Some((value, urls)) = &*latest
            && is_usual
            && Arc::ptr_eq(value, &finding.raw)
        {
            return urls.clone();
        }
        let value = link.reference.value;
        let urls = self.with_comparison(link, |comparison| match &finding.url {
            Some(_) if comparison.are_one(value) => AllUrls::Same,
            _ => self.shown_urls(comparison.urls(value)).into(),
        });
        *latest = is_usual.then(|| (Arc::clone(&finding.raw), urls.clone()));
        if is_usual {
            return urls;
        }
        let mut latest = self.latest.other_urls.borrow_mut();
        if *latest != urls {
            *latest = urls;
        }
        latest.clone()
    }

    /// A finding about the position of a reference.
    pub(crate) fn finding_at(
        &self,
        reference: &Reference<'_>,
        cause: impl Into<Arc<str>>,
        violation: impl Into<Violation>,
    ) -> Finding {
        self.finding_of_reference(reference, cause.into(), violation.into())
    }

    fn finding_of_reference(
        &self,
        reference: &Reference<'_>,
        cause: Arc<str>,
        violation: Violation,
    ) -> Finding {
        let mut finding = Finding::from_violation(violation, &self.name, cause);
        finding.at = reference.at.cloned();
        finding.spot = Some(self.spot(reference.element, reference.slot.attr));
        finding.raw = shared(&self.latest.value, reference.value);
        let mut texts = self.latest.texts.borrow_mut();
        texts.share(&mut finding.cause);
        texts.share(&mut finding.message);
        drop(texts);
        finding
    }

    /// Adds source lines to the findings that are shown, and drops the URLs of the others, which
    /// are only counted.
    pub(crate) fn complete(&self, findings: &mut [Finding], shown: &Shown) {
        for finding in &mut *findings {
            if !shown.has(finding) {
                finding.urls = AllUrls::default();
            }
        }
        if let Some(source) = self.source {
            shown.add_lines(findings, source, self.encoding);
        }
    }

    pub(crate) fn shown(&self, url: &str) -> String {
        self.ctx.map.shown(url).to_owned()
    }

    pub(crate) fn shown_urls(&self, urls: Urls) -> [Option<Arc<str>>; 3] {
        urls.map(|url| url.ok().map(|url| self.ctx.map.shown(&url).into()))
    }
}

/// The text, shared with the latest one if that is the same.
fn shared(latest: &RefCell<Arc<str>>, text: &str) -> Arc<str> {
    let mut latest = latest.borrow_mut();
    if &**latest != text {
        *latest = text.into();
    }
    Arc::clone(&latest)
}

/// The value, shared with the latest one if that is the same.
fn shared_value<T: PartialEq>(latest: &RefCell<Arc<T>>, value: T) -> Arc<T> {
    let mut latest = latest.borrow_mut();
    if **latest != value {
        *latest = Arc::new(value);
    }
    Arc::clone(&latest)
}

/// The base of a document under each of [`Rules::ALL`].
pub(crate) fn bases(document_links: &DocumentLinks<'_>) -> [Option<String>; 3] {
    let established = document_links.base_report();
    let document = document_links.document();
    let is_declared = |candidate: &Candidate| {
        use baseref_reader::base::BaseSource::{Element, Header};
        matches!(candidate.source, Element | Header)
    };
    if !established.candidates.iter().any(is_declared) {
        return [(); 3].map(|()| established.base.url.as_deref().map(str::to_owned));
    }
    let around = if document.origin.embedded.is_empty() {
        Base::default()
    } else {
        established.outside.clone()
    };
    let encoding = encoding::named(document.encoding);
    Rules::ALL.map(|rules| {
        if rules == document_links.policy().rules {
            return established.base.url.as_deref().map(str::to_owned);
        }
        let policy = document_links.policy().with_rules(rules);
        let other = establish_under(
            policy,
            &around,
            &document.declarations,
            encoding,
            &document.policies,
        );
        other.base.url.as_deref().map(str::to_owned)
    })
}
