//! Fixes links one by one, or fixes the base that several links depend on.

use std::sync::Arc;

use baseref_document::{Context, Place, Reference};
use baseref_findings::{BaseName, Fix};
use baseref_reader::base::{Base, BaseSource};
use baseref_resolve::{Rules, resolve};
use encoding_rs::Encoding;

use super::model::{Judgement, LinkMove, Outcome, PageMove};
use crate::class::{MoveClass, Via};
use baseref_rewrite::edit::{self, Edit};
use baseref_rewrite::links::{self, ReferenceRole, byte_range, form};

/// The base element for the new location.
pub(super) struct FixedBase {
    url: String,
    edit: Edit,
}

impl FixedBase {
    /// The target of a link with this base, in normal form.
    pub(super) fn target(&self, link: &LinkMove<'_>) -> Option<String> {
        let url = resolve(Rules::Rfc1808, Some(&self.url), link.reference.value);
        url.ok().map(|url| form(&url))
    }

    /// Whether the link has its expected target with this base.
    pub(super) fn fixes(&self, link: &LinkMove<'_>) -> bool {
        matches!(link.via, Via::Base | Via::RelativeBase)
            && link.reference.context == Context::Document
            && resolve(Rules::Rfc1808, Some(&self.url), link.reference.value)
                .is_ok_and(|url| form(&url) == link.decision().expected)
    }
}

impl PageMove<'_> {
    /// The base element for the new location, if the present one refers to the old location.
    pub(super) fn fixed_base(&self) -> Option<FixedBase> {
        let old = self.base();
        if old.source != BaseSource::Element {
            return None;
        }
        let url = self
            .mover
            .prefixes()
            .moved_as_written(old.url.as_deref()?)?;
        let reference = self.base_element()?;
        let source = self.source?;
        let byte = byte_range(reference.at?.byte.clone(), source)?;
        let value = if self.is_base_relative {
            let page = form(self.name.url.as_deref()?);
            let page = self.mover.prefixes().moved(&page)?;
            edit::relative(&page, &url)?
        } else {
            url.clone()
        };
        let bytes = edit::encoded(&value, &source[byte.clone()], self.encoding())?;
        Some(FixedBase {
            url,
            edit: Edit { byte, bytes },
        })
    }

    /// The edit that fixes one link, or the reason why it cannot be fixed.
    pub(super) fn edit_for(&self, link: &LinkMove<'_>) -> Result<Edit, &'static str> {
        let source = self.source.ok_or("it is in a document within a document")?;
        if !link.has_single_target() {
            return Err(links::DISAGREE);
        }
        let byte = links::editable(&link.reference, source)?;
        let decision = link.decision();
        if decision.class == MoveClass::EscapesPrefix && decision.expected.starts_with("file:") {
            return Err("it leads to a file on a disk");
        }
        let value = self
            .value_for(link)
            .ok_or("no value leads there by every rule set")?;
        let bytes = edit::encoded(&value, &source[byte.clone()], self.encoding())
            .ok_or(links::NO_CHARACTER)?;
        Ok(Edit { byte, bytes })
    }

    /// A value with the expected target: relative if the author wrote the link without a host, and
    /// otherwise the absolute new URL. Both also resolve at the old location to the old or the new
    /// target, so fixing the result again changes nothing.
    fn value_for(&self, link: &LinkMove<'_>) -> Option<String> {
        let decision = link.decision();
        let written = link.old[0].as_ref().ok()?;
        let absolute = self.mover.prefixes().moved_as_written(written);
        let absolute = absolute
            .filter(|url| form(url) == decision.expected)
            .unwrap_or_else(|| decision.expected.clone());
        let is_tied = link.reference.context == Context::Document
            && matches!(link.via, Via::RootPath | Via::Relative);
        let (old, new) = (links::bases(&self.old), links::bases(&self.new));
        let relative = new[0]
            .url
            .as_deref()
            .and_then(|base| edit::relative(&form(base), &absolute));
        let leads_there = |value: &String| {
            Rules::ALL.into_iter().enumerate().all(|(number, rules)| {
                let leads = |base: &Base, expected: &str| {
                    resolve(rules, base.url.as_deref(), value)
                        .is_ok_and(|url| form(&url) == expected)
                };
                leads(new[number], &decision.expected)
                    && (leads(old[number], &decision.old) || leads(old[number], &decision.expected))
            })
        };
        let relative = relative.filter(|_| is_tied);
        [relative, Some(absolute)]
            .into_iter()
            .flatten()
            .map(|value| edit::with_empty_parts(link.reference.value.trim_ascii(), value))
            .find(leads_there)
    }

    /// Fixes a base that keeps links at the old location, and reports it once.
    pub(super) fn fix_base(
        &self,
        pinned: u64,
        fixed: Option<FixedBase>,
        base: &Arc<BaseName>,
        judged: &mut Judgement,
        outcome: &mut Outcome,
    ) {
        judged.by_base += pinned;
        let mut finding = self.base_finding(base, pinned);
        match fixed {
            Some(fixed) => {
                finding.fix = Some(Box::new(fix_of(&fixed.edit, self.encoding())));
                if self.is_base_relative {
                    let of_base = judged.findings.iter_mut().find(|one| {
                        let via = one.moved.as_ref().map(|moved| moved.via);
                        one.fix.is_none() && via == Some(Via::RelativeBase.as_str())
                    });
                    if let Some(first) = of_base {
                        first.fix.clone_from(&finding.fix);
                    }
                }
                if self.mover.fixes {
                    // All relative links follow the base, including those that are not judged.
                    self.follow_base(&fixed.url, outcome);
                    outcome.fixed.append(&mut outcome.follows);
                    outcome.edits.push(fixed.edit);
                }
            }
            None if self.mover.fixes => {
                let why = "the rule sets disagree on what its links meant";
                judged.findings.push(Self::not_edited(&finding, why));
                // Without the base, the links that depend on it would stay broken, so edit nothing.
                outcome.edits.clear();
            }
            None => {}
        }
        // A relative base moves with its page and does not refer to the old location.
        if !self.is_base_relative {
            judged.findings.push(finding);
        }
    }

    /// The `base` element in effect, or the `xml:base` of the root of a feed if that is the only one.
    pub(super) fn base_element(&self) -> Option<Reference<'_>> {
        let position = match &self.base().at {
            Some(Place::Element(position)) => position,
            Some(Place::XmlBase(position)) if self.document.xml_bases.is_empty() => position,
            _ => return None,
        };
        let mut references = self.document.references.iter();
        references.find(|reference| {
            (reference.element == "base" || reference.attr == "xml:base")
                && reference.at.is_some_and(|at| at.byte == position.byte)
        })
    }

    /// Records the targets that links which are not judged have with the new base.
    fn follow_base(&self, base: &str, outcome: &mut Outcome) {
        let element = self.base_element().and_then(|element| element.at);
        for (number, (reference, part)) in links::written(self.document).enumerate() {
            let expected = match reference.context {
                Context::Outside if reference.at == element => Some(form(base)),
                Context::Document if part != ReferenceRole::Judged => {
                    let url = resolve(Rules::Rfc1808, Some(base), reference.value);
                    url.ok().map(|url| form(&url))
                }
                _ => continue,
            };
            outcome.fixed.insert(number, expected);
        }
    }
}

pub(super) fn fix_of(edit: &Edit, encoding: &'static Encoding) -> Fix {
    let text = encoding
        .decode_without_bom_handling(&edit.bytes)
        .0
        .into_owned();
    Fix {
        byte: edit.byte.start as u64..edit.byte.end as u64,
        text,
    }
}
