//! Fixes links one by one, or all that hang on a base by fixing the base.

use std::sync::Arc;

use baseref_document::{Context, Place, Reference};
use baseref_findings::{BaseName, Fix};
use baseref_reader::base::{Base, BaseSource};
use baseref_resolve::{Rules, resolve};
use encoding_rs::Encoding;

use super::model::{Judged, LinkOf, Outcome, PageOf};
use crate::class::{MoveClass, Via};
use baseref_rewrite::edit::{self, Edit};
use baseref_rewrite::links::{self, Part, byte_range, form};

/// A base element as it should be after the move.
pub(super) struct FixedBase {
    url: String,
    edit: Edit,
}

impl FixedBase {
    /// Whether the link leads where it should with this base.
    pub(super) fn fixes(&self, link: &LinkOf<'_>) -> bool {
        matches!(link.via, Via::Base | Via::RelativeBase)
            && link.reference.context == Context::Document
            && resolve(Rules::Rfc1808, Some(&self.url), link.reference.value)
                .is_ok_and(|url| form(&url) == link.decision().expected)
    }
}

impl PageOf<'_> {
    /// The base element as it should be after the move, if it refers to the old place.
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

    /// The edit that fixes one link, or why there is none.
    pub(super) fn mend(&self, link: &LinkOf<'_>) -> Result<Edit, &'static str> {
        let source = self.source.ok_or("it is in a document within a document")?;
        if !link.means_one() {
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

    /// A value that leads where the link should: relative if the author wrote it without a host,
    /// and otherwise the absolute new URL. Both are also right before the move, so a fixed tree
    /// needs no further fixing.
    fn value_for(&self, link: &LinkOf<'_>) -> Option<String> {
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
                let leads = |base: &Base, wanted: &str| {
                    resolve(rules, base.url.as_deref(), value).is_ok_and(|url| form(&url) == wanted)
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

    /// Fixes the base that pins links, and reports it once.
    pub(super) fn fix_base(
        &self,
        pinned: u64,
        fixed: Option<FixedBase>,
        base: &Arc<BaseName>,
        judged: &mut Judged,
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
                    // Everything relative moves with the base, including links that are not judged.
                    self.move_wanted(&fixed.url, outcome);
                    outcome.edits.push(fixed.edit);
                }
            }
            None if self.mover.fixes => {
                let why = "the rule sets disagree on what its links meant";
                judged.findings.push(Self::not_edited(&finding, why));
                // Edit nothing in the document: the links fixed by the base would stay broken.
                outcome.edits.clear();
            }
            None => {}
        }
        // A relative base moves with its page: it does not refer to the old place.
        if !self.is_base_relative {
            judged.findings.push(finding);
        }
    }

    /// The `base` element in effect, others having no effect, or the `xml:base` of the root of a feed, if
    /// there is no other.
    pub(super) fn base_element(&self) -> Option<Reference<'_>> {
        let place = match &self.base().at {
            Some(Place::Element(place)) => place,
            Some(Place::XmlBase(place)) if self.document.xml_bases.is_empty() => place,
            _ => return None,
        };
        let mut references = self.document.references.iter();
        references.find(|reference| {
            (reference.element == "base" || reference.attr == "xml:base")
                && reference.at.is_some_and(|at| at.byte == place.byte)
        })
    }

    /// Sets where links that are not judged lead with the base `base`.
    fn move_wanted(&self, base: &str, outcome: &mut Outcome) {
        let element = self.base_element().and_then(|element| element.at);
        for (number, (reference, part)) in links::written(self.document).enumerate() {
            let wanted = match reference.context {
                Context::Outside if reference.at == element => Some(form(base)),
                Context::Document if part != Part::Judged => {
                    let url = resolve(Rules::Rfc1808, Some(base), reference.value);
                    url.ok().map(|url| form(&url))
                }
                _ => continue,
            };
            outcome.fixed.insert(number, wanted);
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
