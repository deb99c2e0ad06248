//! Missing files without which a saved page is complete.
//!
//! A program that saves a page saves what one browser requested. In such a copy, a resource that the
//! browser did not request may be missing. In a site as its author built it, the resource must be there,
//! because another browser may request it.

use std::collections::HashSet;

use crate::captures::excuse::Excuse;
use crate::model::class::LinkClass;
use crate::model::need::need_of;
use crate::model::outcome::LinkOutcome;
use crate::model::scan::Scan;
use crate::rules::target::missing_file;
use crate::view::page::Page;
use baseref_document::{Choice, Place, Reference, Retrieval};
use baseref_evidence::captures::Need;
use baseref_findings::Violation;

/// A missing file that browsers do not always ask for.
struct MissingChoice {
    /// The index of the finding about it.
    finding: usize,
    /// The index of its link, if links are listed.
    link: usize,
    choice: Choice,
    need: Need,
}

/// The missing files of a document that browsers do not always ask for.
pub(crate) struct MissingChoices {
    /// Whether the document is one of a copy.
    is_copy: bool,
    missing: Vec<MissingChoice>,
}

impl MissingChoices {
    pub(crate) fn new(page: &Page<'_>) -> Self {
        Self {
            is_copy: is_copy(page),
            missing: Vec::new(),
        }
    }

    /// Adds the target of the link that was judged last, if it is missing. The findings from the `first`
    /// on are about that link.
    pub(crate) fn add(
        &mut self,
        reference: &Reference<'_>,
        choice: Option<Choice>,
        outcome: LinkOutcome,
        first: usize,
        scan: &Scan,
    ) {
        let Some(choice) = choice.filter(|_| self.is_copy) else {
            return;
        };
        let is_missing = |at: &usize| scan.findings[*at].rule == &missing_file::RULE;
        let finding = (first..scan.findings.len()).find(is_missing);
        if outcome.class == LinkClass::Missing
            && let Some(finding) = finding
        {
            self.missing.push(MissingChoice {
                finding,
                link: scan.links.len(),
                choice,
                need: need_of(reference),
            });
        }
    }

    /// Replaces the findings about files without which the document is complete.
    pub(crate) fn settle(self, page: &Page<'_>, scan: &mut Scan) {
        let found: HashSet<u32> = scan.deferred().found().iter().copied().collect();
        let mut dropped = Vec::new();
        for missing in &self.missing {
            let is_found = |group| found.contains(&group);
            let Some(excuse) = Excuse::new(missing.choice, missing.need, is_found) else {
                continue;
            };
            let is_said = match excuse.violation() {
                Some(violation) => say(page, missing.finding, violation, scan),
                None => false,
            };
            if !is_said {
                dropped.push(missing.finding);
            }
            if excuse == Excuse::NeverAsked {
                scan.counts.change(LinkClass::Missing, LinkClass::NotJudged);
                if let Some(listed) = scan.links.get_mut(missing.link) {
                    listed.outcome = LinkOutcome::new(LinkClass::NotJudged);
                }
            }
        }
        for finding in dropped.into_iter().rev() {
            scan.findings.remove(finding);
        }
    }
}

/// Replaces a finding; returns whether it is one that the user wants.
fn say(page: &Page<'_>, finding: usize, violation: Violation, scan: &mut Scan) -> bool {
    let finding = &mut scan.findings[finding];
    finding.say(violation);
    if let Some(target) = &finding.target {
        finding.cause.clone_from(target);
    }
    finding.suggest([].into());
    !page.ctx.shown.drops(finding)
}

/// Whether a document was saved from the web: its files are a copy, or a program left its mark in it.
fn is_copy(page: &Page<'_>) -> bool {
    let Some(own) = page.own else {
        return false;
    };
    let mut declarations = page.document().declarations.iter();
    page.ctx.map.sites()[own.site as usize].is_copy()
        || declarations.any(|one| matches!(one.at, Place::Retrieval(Retrieval::Mark { .. })))
}
