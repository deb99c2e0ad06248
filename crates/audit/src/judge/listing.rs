//! Lists the links of a document.

use crate::context::audit_context::AuditContext;
use crate::model::outcome::Fragment;
use crate::model::scan::Scan;
use baseref_document::Position;
use baseref_evidence::captures::Need;
use baseref_findings::{Finding, JudgedLink};

/// The listed links of a document, with the rules of its findings, which are sorted by position.
pub(crate) fn listed_links(
    ctx: &AuditContext,
    scan: &Scan,
    findings: &[Finding],
) -> Vec<JudgedLink> {
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
            url: url.map(|url| ctx.shown(url)),
            class: outcome.class.as_str(),
            target: match outcome.file {
                Some(file) => Some(ctx.path_of(file)),
                None => url.and_then(|url| ctx.path_below(url)),
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
