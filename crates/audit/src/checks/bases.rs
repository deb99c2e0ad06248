//! The rules about the base of a document.

use crate::model::provenance::Provenance;
use crate::rules::base::after_link::BaseAfterLink;
use crate::rules::base::empty::BaseEmpty;
use crate::rules::base::foreign::BaseForeign;
use crate::rules::base::fragment::BaseFragment;
use crate::rules::base::header_only::BaseHeaderOnly;
use crate::rules::base::ignored_by_browser::BaseIgnored;
use crate::rules::base::layer_conflict::BaseLayerConflict;
use crate::rules::base::multiple::BaseMultiple;
use crate::rules::base::outside_head::BaseOutsideHead;
use crate::rules::base::pathless::BasePathless;
use crate::rules::base::private_host::BasePrivateHost;
use crate::rules::base::relative::BaseRelative;
use crate::rules::base::unsuitable::BaseUnsuitable;
use crate::target::host;
use crate::view::page::Page;
use baseref_document::{InertBase, Place, Reference};
use baseref_findings::{Finding, Violation};
use baseref_reader::base::{Base, BaseSource, Candidate, Verdict, establish_under};
use baseref_resolve::normal::{NormalOptions, normal};
use baseref_resolve::parts::{has_scheme, same_origin};
use baseref_resolve::{Resolver, Rules, rfc1808};
use baseref_site::map::Location;

/// Checks the base of a document, and every `base` element in it.
pub(crate) fn check(page: &Page<'_>, findings: &mut Vec<Finding>) {
    let document_links = page.document_links;
    for inert in &document_links.document().inert_bases {
        let finding = inert_finding(page, inert);
        findings.push(finding);
    }
    let established = document_links.base_report();
    let elements: Vec<&Candidate> = established
        .candidates
        .iter()
        .filter(|candidate| is_element(candidate))
        .collect();
    if elements.is_empty() && established.base.source != BaseSource::Header {
        return;
    }
    let references: Vec<(usize, Reference<'_>)> = document_links
        .document()
        .references
        .iter()
        .enumerate()
        .filter(|(_, reference)| is_base(reference))
        .collect();
    for (number, candidate) in elements.iter().enumerate() {
        let at = references.get(number).map(|(_, reference)| reference);
        let mut found = element_violations(number, candidate);
        if number == 0 && is_forbidden(page) {
            found.push(BaseIgnored::Policy.into());
        }
        if number >= document_links.document().bases_before_body {
            found.push(BaseOutsideHead.into());
        }
        for violation in found {
            let finding = about(page, candidate, at, violation);
            findings.push(finding);
        }
    }
    if let (Some(first), Some((place, reference))) = (elements.first(), references.first())
        && *place > 0
    {
        let message = match *place {
            1 => BaseAfterLink::One,
            count => BaseAfterLink::Several { count },
        };
        let finding = about(page, first, Some(reference), message.into());
        findings.push(finding);
    }
    let taken = established.candidates.iter().find(|candidate| {
        candidate.verdict == Verdict::Taken && candidate.source == established.base.source
    });
    if let Some(taken) = taken.filter(|taken| taken.source != BaseSource::Retrieval) {
        let at = references.first().map(|(_, reference)| reference);
        let at = at.filter(|_| taken.source == BaseSource::Element);
        for violation in base_violations(page, taken) {
            let finding = about(page, taken, at, violation);
            findings.push(finding);
        }
    }
}

/// The finding about an element named `base` that declares no base.
fn inert_finding(page: &Page<'_>, inert: &InertBase) -> Finding {
    let message = if inert.in_template {
        BaseIgnored::Template
    } else {
        BaseIgnored::ForeignElement
    };
    let mut finding = Finding::from_violation(message, &page.name, &*inert.value);
    finding.at = Some(inert.at.clone());
    finding.spot = Some(page.spot("base", "href"));
    finding.raw = inert.value.as_str().into();
    finding
}

/// Whether a policy keeps browsers from using the first `base` element.
fn is_forbidden(page: &Page<'_>) -> bool {
    let document = page.document();
    if document.policies.is_empty() {
        return false;
    }
    let policy = page.document_links.policy().with_rules(Rules::Whatwg);
    let of_browsers = establish_under(
        policy,
        &Base::default(),
        &document.declarations,
        page.encoding,
        &document.policies,
    );
    let mut candidates = of_browsers.candidates.iter();
    candidates.any(|candidate| candidate.verdict == Verdict::Csp)
}

fn is_element(candidate: &Candidate) -> bool {
    // The `xml:base` attribute of a feed is not a `base` element.
    matches!(candidate.at, Place::Element(_)) && candidate.verdict != Verdict::OriginalBase
}

fn is_base(reference: &Reference<'_>) -> bool {
    reference.slot.element == "base" && reference.slot.attr == "href"
}

/// The violations of a `base` element, whether or not it is in effect.
fn element_violations(number: usize, candidate: &Candidate) -> Vec<Violation> {
    let value = candidate.value.trim_ascii();
    if number > 0 {
        return vec![BaseMultiple.into()];
    }
    let violation = match candidate.verdict {
        Verdict::SchemeRefused => BaseIgnored::Scheme.into(),
        Verdict::NotHierarchical => BaseUnsuitable::Base.into(),
        _ if value.is_empty() => BaseEmpty.into(),
        _ if rfc1808::Parts::parse(value).scheme.is_empty() => match candidate.url {
            Some(_) => BaseRelative::Resolved.into(),
            None => BaseRelative::NoUrl.into(),
        },
        _ => return Vec::new(),
    };
    vec![violation]
}

/// The violations of the base in effect.
fn base_violations(page: &Page<'_>, taken: &Candidate) -> Vec<Violation> {
    let mut found = Vec::new();
    let Some(url) = taken.url.as_deref() else {
        return found;
    };
    let parts = rfc1808::Parts::parse(url);
    if !parts.net_loc.is_empty() && !parts.abs_path {
        found.push(BasePathless.into());
    }
    if !parts.fragment.is_empty() {
        found.push(BaseFragment.into());
    }
    let map = &page.ctx.map;
    let is_inside = |url: &str| matches!(map.locate(url), Location::Inside { .. });
    let retrieval = page.url;
    let is_elsewhere = !is_inside(url) && retrieval.is_none_or(|own| !same_origin(own, url));
    let is_own_private = retrieval.is_some_and(is_private_base);
    // Where a page was saved on its author's computer does not matter.
    let is_place = page.provenance == Provenance::Saved && taken.source != BaseSource::Element;
    if is_elsewhere && !is_own_private && !is_place && is_private_base(url) {
        found.push(BasePrivateHost.into());
    }
    if is_elsewhere && retrieval.is_some_and(is_inside) {
        found.push(BaseForeign.into());
    }
    let others = page.document_links.base_report().candidates.iter();
    let mut others =
        others.filter(|other| other.source != taken.source && other.verdict == Verdict::InnerTaken);
    let other = others.find_map(|other| other.url.as_deref());
    match other {
        None if taken.source == BaseSource::Header => found.push(BaseHeaderOnly.into()),
        Some(other) if differs_under(page, url, other) => {
            let other = page.shown(other);
            found.push(BaseLayerConflict { other }.into());
        }
        _ => {}
    }
    found
}

fn is_private_base(url: &str) -> bool {
    has_scheme(url, "file") || host::is_private(url)
}

/// Whether some link of the document resolves differently against another base.
fn differs_under(page: &Page<'_>, base: &str, other: &str) -> bool {
    let rules = page.document_links.policy().rules;
    let resolver = |base| Resolver::new(rules, Some(base), page.encoding);
    let (one, two) = (resolver(base), resolver(other));
    let options = NormalOptions::default();
    let mut references = page.document().references.iter();
    references.any(|reference| {
        !is_base(&reference)
            && page
                .ctx
                .is_judged(reference.slot, page.provenance == Provenance::Archive)
            && {
                let url = |resolver: &Resolver<'_>| {
                    let url = resolver.resolve(reference.value);
                    url.map(|url| normal(&url, &options))
                };
                url(&one) != url(&two)
            }
    })
}

/// A finding about a declaration of the base, grouped by the base itself.
fn about(
    page: &Page<'_>,
    candidate: &Candidate,
    at: Option<&Reference<'_>>,
    violation: Violation,
) -> Finding {
    let cause = match candidate.value.trim_ascii() {
        "" => candidate.at.to_string(),
        value => value.to_owned(),
    };
    let mut finding = match at {
        Some(reference) => page.finding_at(reference, cause, violation),
        None => Finding::from_violation(violation, &page.name, cause),
    };
    finding.raw = candidate.value.as_ref().into();
    finding.url = candidate.url.as_deref().map(|url| page.shown(url).into());
    finding.base = Some(std::sync::Arc::clone(&page.base));
    finding
}
