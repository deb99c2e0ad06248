//! A document being judged.

use std::cell::{OnceCell, RefCell};
use std::collections::HashSet;
use std::sync::Arc;

use crate::captures::excuse::Excuse;
use crate::captures::verdict::Verdict;
use crate::compare::Comparison;
use crate::context::audit_context::AuditContext;
use crate::model::deferred::{DeferredLink, DeferredLinks, DeferredTarget};
use crate::model::scan::Scan;
use crate::model::sent_url::has_encoded_query;
use baseref_evidence::captures::Need;
use baseref_findings::Urls;
use baseref_resolve::Rules;
use baseref_resolve::parts::without_fragment;

/// A document being judged.
pub(crate) struct DocumentJudge<'p> {
    pub(crate) ctx: &'p AuditContext,
    pub(crate) scan: &'p Scan,
    pub(crate) deferred: &'p DeferredLinks,
    /// Created for the first finding.
    comparison: OnceCell<Comparison<'p>>,
    /// The verdicts on its URLs, by number and need.
    pub(crate) verdicts: Vec<Option<Arc<Verdict>>>,
    /// The groups of alternatives in which at least one was found.
    found: HashSet<u32>,
    /// Whether these were looked for, which only a page with a missing alternative needs.
    pub(crate) has_found_alternatives: bool,
    /// The URLs of its findings, by number.
    shared: RefCell<Vec<Option<Arc<str>>>>,
    /// The value of the latest finding.
    value: RefCell<(String, Arc<str>)>,
}

impl<'p> DocumentJudge<'p> {
    pub(crate) fn new(ctx: &'p AuditContext, scan: &'p Scan, deferred: &'p DeferredLinks) -> Self {
        Self {
            ctx,
            scan,
            deferred,
            comparison: OnceCell::new(),
            verdicts: vec![None; 2 * deferred.urls()],
            found: deferred.found().iter().copied().collect(),
            has_found_alternatives: false,
            shared: RefCell::default(),
            value: RefCell::default(),
        }
    }

    /// Records that one of a group of alternatives was found.
    pub(crate) fn find(&mut self, group: u32) {
        self.found.insert(group);
    }

    /// Why the page is complete without the target of a link; `None` if it is not.
    pub(crate) fn excuse(&self, link: &DeferredLink<'_>) -> Option<Excuse> {
        let need = match link.target {
            DeferredTarget::Url { need, .. } => need,
            DeferredTarget::File(_) | DeferredTarget::Entry(_) => Need::Page,
        };
        Excuse::new(link.choice?, need, |group| self.found.contains(&group))
    }

    /// The URL with a number, shared by the findings about it.
    pub(crate) fn shared(&self, number: u32) -> Arc<str> {
        self.shared_with(number, None)
    }

    /// The same, given a text that it may be the same as.
    pub(crate) fn shared_with(&self, number: u32, other: Option<&Arc<str>>) -> Arc<str> {
        let mut shared = self.shared.borrow_mut();
        if shared.is_empty() {
            shared.resize(self.deferred.urls(), None);
        }
        let url = self.deferred.url(number);
        let new = || match other {
            Some(other) if **other == *url => Arc::clone(other),
            _ => url.into(),
        };
        match shared.get_mut(number as usize) {
            Some(known) => Arc::clone(known.get_or_insert_with(new)),
            None => new(),
        }
    }

    /// The value of a link, shared by the findings about equal values that follow each other.
    pub(crate) fn value(&self, link: &DeferredLink<'_>) -> Arc<str> {
        let (text, latest) = &mut *self.value.borrow_mut();
        text.clear();
        link.raw.write(text);
        if **latest != **text {
            *latest = text.as_str().into();
        }
        Arc::clone(latest)
    }

    /// Whether a link leads to the URL of its own document.
    pub(crate) fn is_own(&self, link: &DeferredLink<'_>) -> bool {
        let DeferredTarget::Url { number, .. } = link.target else {
            return false;
        };
        self.scan.record == Some(self.ctx.record_key(self.deferred.url(number)))
    }

    /// `url`, or the URL that a browser would request: it encodes the letters of a query in the encoding
    /// of the page.
    fn as_sent(&self, link: &DeferredLink<'_>, url: Option<Arc<str>>) -> Option<Arc<str>> {
        let own = url?;
        let DeferredTarget::Url { number, .. } = link.target else {
            return Some(own);
        };
        if !has_encoded_query(&own, self.scan.encoding) {
            return Some(own);
        }
        let hash = &own[without_fragment(&own).len()..];
        Some([self.deferred.url(number), hash].concat().into())
    }

    /// The URL of a link as findings show it, and its URLs by all rule sets.
    pub(crate) fn urls_of(&self, link: &DeferredLink<'_>, raw: &str) -> (Option<Arc<str>>, Urls) {
        let comparison = self
            .comparison
            .get_or_init(|| Comparison::new(self.scan.all_bases(), self.scan.encoding));
        let shown = |url: &str| Arc::<str>::from(self.ctx.map.shown(url));
        if let DeferredTarget::Url { number, .. } = link.target
            && comparison.are_one(raw)
        {
            let url = self.deferred.url(number);
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
        let own = place.and_then(|place| urls[place].clone());
        (self.as_sent(link, own), urls.into())
    }
}
