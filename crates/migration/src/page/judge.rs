//! Classifies each link of a document that moves.

use std::sync::Arc;

use baseref_document::Context;
use baseref_document::link_places::Grammar;
use baseref_findings::{BaseName, Level};
use baseref_reader::base::BaseSource;
use baseref_reader::links::DocumentLinks;

use super::findings::words;
use super::fix::{FixedBase, fix_of};
use super::model::{Judgement, LinkMove, Outcome, PageMove};
use super::simple::{is_obviously_external, is_simple};
use crate::class::{Decision, MoveClass, Via, decide, level};
use crate::rules;
use baseref_rewrite::links::{self, ReferenceRole, Urls};

/// The number of links of a document that its base keeps at the old location.
#[derive(Default)]
pub(super) struct Pins {
    /// The links that depend on a `base` element.
    by_base: u64,
    /// The links counted in `by_base` that the rule sets resolve differently.
    uncertain: u64,
    /// The links that depend on a header field.
    by_header: u64,
}

impl Pins {
    /// Whether a new base fixes the links under every rule set.
    pub(super) fn is_certain(&self) -> bool {
        self.uncertain == 0
    }
}

impl PageMove<'_> {
    pub(super) fn judge(&self, judged: &mut Judgement) -> Outcome {
        let mut outcome = Outcome::default();
        let base = self.base_name();
        let fixed = self.fixed_base();
        let mut pins = Pins::default();
        let simple = self.simple_link_class();
        let has_rules = !self.mover.context.rules.is_empty();
        let mut old = self.old.map(DocumentLinks::link_resolver);
        let mut new = self.new.map(DocumentLinks::link_resolver);
        for (number, (reference, part)) in links::written(self.document).enumerate() {
            if part != ReferenceRole::Judged {
                continue;
            }
            let class = simple.filter(|(depth, _)| is_simple(reference.value, *depth));
            let class = class.map(|(_, class)| class).filter(|class| {
                let may_be_redirected = has_rules && *class == MoveClass::Moves;
                !may_be_redirected || self.redirects_agree(&mut old[0], &reference)
            });
            if let Some(class) = class {
                judged.classes[class as usize] += 1;
                continue;
            }
            if is_obviously_external(reference.value, self.mover.prefixes()) {
                judged.classes[MoveClass::External as usize] += 1;
                continue;
            }
            let old = links::urls(&mut old, &reference);
            let new = links::urls(&mut new, &reference);
            let link = LinkMove {
                number,
                reference,
                decisions: self.decide(&old, &new),
                old,
                via: Via::new(
                    reference.value.trim_ascii(),
                    self.base().source,
                    self.is_base_relative,
                ),
            };
            self.judge_link(
                &link,
                &base,
                fixed.as_ref(),
                &mut pins,
                judged,
                &mut outcome,
            );
        }
        if pins.by_base > 0 {
            let fixed = fixed.filter(|_| pins.is_certain());
            self.fix_base(pins.by_base, fixed, &base, judged, &mut outcome);
        } else if pins.by_header > 0 {
            judged.by_base += pins.by_header;
            judged
                .findings
                .push(self.base_finding(&base, pins.by_header));
        }
        outcome
    }

    fn judge_link(
        &self,
        link: &LinkMove<'_>,
        base: &Arc<BaseName>,
        fixed: Option<&FixedBase>,
        pins: &mut Pins,
        judged: &mut Judgement,
        outcome: &mut Outcome,
    ) {
        let class = match link.decision().class {
            MoveClass::Pinned if link.reference.slot.is_own_address => MoveClass::CanonicalPinned,
            class => class,
        };
        judged.classes[class as usize] += 1;
        if !link.agrees() {
            judged.findings.push(self.depends(link, base));
        }
        if class.is_harmless()
            && link.via == Via::NetPath
            && link.reference.context == Context::Document
            && let Some(fixed) = fixed
        {
            // It takes the scheme of the new base.
            outcome.follows.insert(link.number, fixed.target(link));
        }
        let Some(rule) = rules::for_class(class) else {
            return;
        };
        *judged.ties.entry((class, link.via)).or_default() += 1;
        let mut finding = self.finding(rule, link, base);
        finding.level = level(class, self.mover.prefixes()).max(if class.is_harmless() {
            Level::Note
        } else {
            rule.level
        });
        if class == MoveClass::OutsidePrefix && link.reference.slot.grammar == Grammar::Refresh {
            // The page has moved, and sends its readers back out of the site.
            finding.level = finding.level.max(Level::Warning);
        }
        if class.is_fixable() {
            outcome.wants_edit = true;
            let is_header = self.base().source == BaseSource::Header;
            pins.by_header += u64::from(is_header && link.via == Via::Base);
            let expected = &link.decision().expected;
            if fixed.is_some_and(|base| base.fixes(link)) {
                pins.by_base += 1;
                pins.uncertain += u64::from(!link.has_single_target());
                outcome.fixed.insert(link.number, Some(expected.clone()));
            } else {
                match self.edit_for(link) {
                    Ok(one) => {
                        finding.fix = Some(Box::new(fix_of(&one, self.encoding())));
                        if self.mover.fixes {
                            outcome.fixed.insert(link.number, Some(expected.clone()));
                            outcome.edits.push(one);
                        }
                    }
                    Err(why) if self.mover.fixes => {
                        judged.findings.push(Self::not_edited(&finding, why));
                    }
                    Err(_) => {}
                }
            }
        }
        judged.findings.push(finding);
    }

    pub(super) fn decide(&self, old: &Urls, new: &Urls) -> [Decision; 3] {
        let context = self.mover.context;
        let decide = |rules: usize| {
            decide(
                old[rules].as_deref().map_err(|error| *error),
                new[rules].as_deref().map_err(|error| *error),
                context.prefixes,
                context.overlap,
                |url| context.target_of(url),
            )
        };
        // The rule sets resolve nearly all links alike.
        let first = decide(0);
        let [second, third] = [1, 2].map(|rules| {
            let is_same = old[rules] == old[0] && new[rules] == new[0];
            if is_same {
                first.clone()
            } else {
                decide(rules)
            }
        });
        [first, second, third]
    }

    fn base_name(&self) -> Arc<BaseName> {
        let base = self.base();
        Arc::new(BaseName {
            url: base.url.as_deref().map(str::to_owned),
            source: base.source.as_str(),
            at: words(base),
            place: None,
        })
    }
}
