//! Findings about links and bases that must be edited for the move.

use std::sync::Arc;

use baseref_document::link_places::Grammar;
use baseref_document::{Place, Reference};
use baseref_findings::{AttributeName, BaseName, Finding, MoveEffect, Rule};
use baseref_reader::base::Base;
use baseref_resolve::{Rules, parts};

use super::model::{LinkMove, PageMove};
use crate::addresses::is_astray;
use crate::class::Via;
use crate::rules;
use baseref_rewrite::links::{form, form_of};
use baseref_server::follow::stubs::refers_to;

/// The names of [`Rules::ALL`] in messages: alone, and together with the previous rule set.
const WHOSE: [(&str, &str); Rules::ALL.len()] = [
    ("by RFC 1808", ""),
    ("by RFC 3986", "by RFC 1808 and RFC 3986"),
    ("in browsers", "by RFC 3986 and in browsers"),
];

impl PageMove<'_> {
    pub(super) fn finding(
        &self,
        rule: &'static Rule,
        link: &LinkMove<'_>,
        base: &Arc<BaseName>,
    ) -> Finding {
        let (decision, via) = (link.decision(), link.via);
        let cause = match via {
            Via::Base | Via::RelativeBase => {
                format!(
                    "{} {}",
                    via.as_str(),
                    base.url.as_deref().unwrap_or_default()
                )
            }
            Via::Absolute | Via::NetPath => {
                let old = self.mover.prefixes().old_rest(&decision.old);
                let old = old.map_or_else(|| parts::origin(&decision.old), |(old, _)| old);
                format!("{} {old}", via.as_str())
            }
            Via::RootPath | Via::Relative => via.as_str().to_owned(),
        };
        let message = match via {
            _ if rule == &rules::MALFORMED => "no absolute URL can be made of it".to_owned(),
            _ if rule == &rules::UNDETERMINED => "no base is known".to_owned(),
            Via::Base | Via::RelativeBase => {
                format!("it is resolved against the base of the page ({})", base.at)
            }
            Via::Absolute => "it is an absolute URL".to_owned(),
            Via::NetPath => "it names its host (begins with //)".to_owned(),
            Via::RootPath => "it is root-relative (begins with /)".to_owned(),
            Via::Relative => "it is relative to the page".to_owned(),
        };
        let mut finding = Finding::new(rule, &self.name, cause, message);
        self.locate(&mut finding, &link.reference);
        finding.base = Some(Arc::clone(base));
        finding.url = some(&decision.old).map(Arc::from);
        let hops = self.mover.context.hops_of(&decision.old);
        finding.moved = Some(Box::new(MoveEffect {
            old_url: some(&decision.old),
            new_url: some(&decision.new),
            expected: some(&decision.expected),
            via: via.as_str(),
            hops,
        }));
        finding
    }

    /// The finding about an immediate refresh that never arrives.
    pub(super) fn astray(&self, to: &str, url: &str) -> Option<Finding> {
        let (rule, message): (&'static Rule, String) = if is_astray(to, self.mover.context) {
            (
                &rules::R_LOCAL,
                format!("{to} is the machine of the reader"),
            )
        } else if refers_to(url, to) {
            (&rules::R_LOOP, format!("{url} refreshes to itself"))
        } else {
            return None;
        };
        let mut references = self.document.references.iter();
        let refresh = references.find(|one| one.slot.grammar == Grammar::Refresh)?;
        let mut finding = Finding::new(rule, &self.name, url, message);
        self.locate(&mut finding, &refresh);
        finding.url = Some(to.into());
        Some(finding)
    }

    pub(super) fn locate(&self, finding: &mut Finding, reference: &Reference<'_>) {
        finding.at = reference.at.cloned();
        let spot = &mut self.spot.borrow_mut();
        finding.spot = Some(AttributeName::shared(
            spot,
            reference.element,
            reference.attr,
        ));
        finding.raw = reference.value.into();
    }

    pub(super) fn depends(&self, link: &LinkMove<'_>, base: &Arc<BaseName>) -> Finding {
        let mut fates: Vec<(&str, &str)> = Vec::new();
        for (decision, (whose, others)) in link.decisions.iter().zip(WHOSE) {
            let fate = decision.class.in_words();
            match fates.last_mut() {
                Some((before, last)) if *last == fate => *before = others,
                _ => fates.push((whose, fate)),
            }
        }
        let fates = fates
            .iter()
            .map(|(whose, fate)| format!("{whose} it {fate}"));
        let mut finding = self.finding(&rules::RESOLVER_DEPENDENT, link, base);
        finding.message = fates.collect::<Vec<_>>().join("; ").into();
        finding.cause = Arc::clone(&finding.message);
        let urls = link.old.each_ref();
        finding.urls = urls.map(|url| url.as_deref().ok().map(Arc::from)).into();
        finding
    }

    pub(super) fn not_edited(finding: &Finding, why: &str) -> Finding {
        let mut other = finding.clone();
        other.rule = &rules::NOT_EDITED;
        other.level = rules::NOT_EDITED.level;
        other.fix = None;
        other.cause = why.into();
        other.message = Arc::clone(&other.cause);
        other
    }

    /// The finding about a base that keeps links at the old location.
    pub(super) fn base_finding(&self, base: &Arc<BaseName>, pinned: u64) -> Finding {
        let old = self.base();
        let old_url = old.url.as_deref().unwrap_or_default();
        let links = if pinned == 1 { "link" } else { "links" };
        let mut finding = Finding::new(
            &rules::BASE_PINS,
            &self.name,
            format!("base {old_url}"),
            format!(
                "the base ({}) keeps {pinned} {links} at the old location",
                words(old)
            ),
        );
        finding.base = Some(Arc::clone(base));
        finding.url = some(&form(old_url)).map(Arc::from);
        finding.moved = Some(Box::new(MoveEffect {
            old_url: some(&form(old_url)),
            new_url: some(&form_of(self.new[0].base())),
            expected: self.mover.prefixes().moved_as_written(old_url),
            via: Via::Base.as_str(),
            hops: Vec::new(),
        }));
        if let Some(reference) = &self.base_element() {
            self.locate(&mut finding, reference);
        }
        finding
    }
}

/// Describes where a base is declared; empty if it is not.
pub(super) fn words(base: &Base) -> String {
    base.at.as_ref().map(Place::to_string).unwrap_or_default()
}

pub(super) fn some(text: &str) -> Option<String> {
    (!text.is_empty()).then(|| text.to_owned())
}
