//! The links of one document, before and after a move: judged and fixed.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use encoding_rs::Encoding;

use super::class::{Decision, MoveClass, Overlap, Via, decide, level};
use super::edit::{self, Edit};
use super::follow::MoveContext;
use super::links::{self, ByRules, Urls, byte_range, documents, form, form_of, is_judged};
use super::prefixes::{Prefixes, Side};
use super::rules;
use super::stubs;
use super::textual_mentions::TextualMentions;
use baseref_container::entity::Entity;
use baseref_document::ReadError;
use baseref_document::ReadOptions;
use baseref_document::{Context, Document, Place, Reference};
use baseref_findings::{BaseName, Finding, Fix, Level, Moved, PageName, Rule, Shown, Spot};
use baseref_reader::base::Policy;
use baseref_reader::base::{Base, BaseSource};
use baseref_reader::extract::{Extraction, Resolving};
use baseref_resolve::{Rules, parts, resolve};

/// What to do with every document.
pub struct Move<'m> {
    /// The two places.
    pub context: &'m MoveContext<'m>,
    /// How to read documents.
    pub read: ReadOptions,
    /// Whether edits are wanted.
    pub fixes: bool,
    /// What to search for outside links.
    pub mentions: TextualMentions,
    /// Which findings need their source lines.
    pub shown: Shown,
}

/// A document that moves.
#[derive(Clone, Debug)]
pub struct PageAddress {
    /// Its names in reports.
    pub name: Arc<PageName>,
    /// Its URL before the move.
    pub old: String,
    /// Its URL after the move.
    pub new: String,
}

/// What was found in one document.
#[derive(Debug, Default)]
pub struct Judged {
    /// In the order of places.
    pub findings: Vec<Finding>,
    /// The number of links in each class, in the order of [`MoveClass::ALL`].
    pub classes: [u64; MoveClass::ALL.len()],
    /// The number of links held back by each kind of tie.
    pub ties: BTreeMap<(MoveClass, Via), u64>,
    /// The number of links that would be fixed by fixing only a base.
    pub by_base: u64,
    /// The edits that fix it, sorted; empty if there is nothing to fix or it cannot be fixed.
    pub edits: Vec<Edit>,
    /// The bytes, if there are edits.
    pub bytes: Vec<u8>,
    /// Where the page at the new place immediately redirects to.
    pub stub: Option<String>,
    /// Whether it is in mail or an archive, but has links that edits would fix.
    pub refused: bool,
    /// The documents that were not judged, and why.
    pub unread: Vec<ReadError>,
    /// How many of the findings say that something was not edited, and why.
    pub not_edited: usize,
}

impl Move<'_> {
    fn prefixes(&self) -> &Prefixes {
        self.context.prefixes
    }

    /// Judges the documents of an entity. `first` sees the first of them, and its bytes.
    #[must_use]
    pub fn judge(
        &self,
        mut entity: Entity,
        address: &PageAddress,
        first: &mut dyn FnMut(&Document, &[u8]),
    ) -> Judged {
        let is_file = entity.is_file();
        let bytes = std::mem::take(&mut entity.bytes);
        let frame = links::frame(&entity);
        let mut judged = Judged::default();
        let mut documents = documents(&bytes, entity, Some(&address.old), &self.read);
        if let Some(document) = documents.first() {
            first(document, &bytes);
        }
        for document in &mut documents {
            if let Some(error) = links::cut(document, Policy::default()) {
                judged.unread.push(error);
                continue;
            }
            let source = is_file.then_some(&bytes[..]);
            self.document(document, address, source, &frame, &mut judged);
            if let Some(source) = source {
                self.mentions(document, address, source, &frame, &mut judged);
            }
        }
        Finding::sort(&mut judged.findings);
        let not_edited = |finding: &&Finding| finding.rule == &rules::NOT_EDITED;
        judged.not_edited = judged.findings.iter().filter(not_edited).count();
        judged
    }

    /// Reports the old addresses in the document that are not in a judged link.
    fn mentions(
        &self,
        document: &Document,
        address: &PageAddress,
        source: &[u8],
        frame: &Entity,
        judged: &mut Judged,
    ) {
        let encoding = links::encoding(document);
        let of_link = |reference: Reference<'_>| {
            let is_looked_at = is_judged(&reference) || reference.context == Context::Outside;
            let at = reference.at.filter(|_| is_looked_at)?;
            Some(at.byte.clone())
        };
        let mut links: Vec<Range<u64>> = document.references.iter().filter_map(of_link).collect();
        links.sort_by_key(|link| link.start);
        let charset = frame.charset.as_deref();
        let before = judged.findings.len();
        for (text, at) in self.mentions.find(source, charset, encoding, &links) {
            let mut finding = Finding::new(
                &rules::UNREWRITTEN,
                &address.name,
                text.to_ascii_lowercase(),
                "is in a script, a comment or text, and is left as it is",
            );
            finding.raw = text.into();
            finding.at = Some(at);
            judged.findings.push(finding);
        }
        let found = judged.findings.get_mut(before..).unwrap_or_default();
        self.shown.add_lines(found, source, encoding);
    }

    fn document(
        &self,
        document: &mut Document,
        address: &PageAddress,
        source: Option<&[u8]>,
        frame: &Entity,
        judged: &mut Judged,
    ) {
        let moved = links::retrieved_again(document, &address.new);
        let (old, new) = (
            ByRules::new(document, Policy::default()),
            ByRules::new(&moved, Policy::default()),
        );
        let all = old.extractions().into_iter().zip(new.extractions());
        let mut first = None;
        let mut wants_edit = false;
        for (number, (old, new)) in all.enumerate() {
            let inner = old[0].document();
            let page = PageOf {
                mover: self,
                document: inner,
                name: name_of(inner, address),
                source: source.filter(|_| number == 0),
                old,
                new,
                is_base_relative: links::is_base_relative(old[0]),
                spot: RefCell::default(),
            };
            if let Some(source) = page.source {
                judged.stub = stubs::target(inner, new[2], source, &address.new);
            }
            let known = judged.findings.len();
            let outcome = page.judge(judged);
            if let Some(source) = page.source {
                let found = judged.findings.get_mut(known..).unwrap_or_default();
                self.shown.add_lines(found, source, page.encoding());
            }
            wants_edit |= outcome.wants_edit;
            first.get_or_insert((outcome, new[0]));
        }
        let Some(bytes) = source else {
            judged.refused |= wants_edit && self.fixes;
            return;
        };
        let Some((outcome, new)) = first.filter(|(outcome, _)| !outcome.edits.is_empty()) else {
            return;
        };
        let wanted = outcome.wanted_of(document, new);
        let mut edits = outcome.edits;
        if self.is_good(bytes, address, frame, &mut edits, &wanted) {
            judged.edits = edits;
            judged.bytes = bytes.to_vec();
            return;
        }
        for finding in &mut judged.findings {
            finding.fix = None;
        }
        judged.findings.push(Finding::new(
            &rules::NOT_EDITED,
            &address.name,
            "the check of the result",
            "with the edits another link would lead elsewhere, so none is made",
        ));
    }

    /// Whether the document with these edits is as it should be: every edited link leads where it
    /// should, and every other one where it did. Sorts the edits.
    fn is_good(
        &self,
        bytes: &[u8],
        address: &PageAddress,
        frame: &Entity,
        edits: &mut Vec<Edit>,
        wanted: &[Option<String>],
    ) -> bool {
        let Some(fixed) = edit::applied(bytes, edits) else {
            return false;
        };
        let after = documents(&fixed, frame.clone(), Some(&address.new), &self.read);
        after
            .first()
            .is_some_and(|document| links::lead_to(document, Policy::default(), wanted))
    }
}

fn name_of(document: &Document, address: &PageAddress) -> Arc<PageName> {
    let doc = document.origin.to_string();
    if doc == address.name.doc {
        return Arc::clone(&address.name);
    }
    let below = doc.strip_prefix(&address.name.doc).unwrap_or_default();
    Arc::new(PageName {
        key: format!("{}{below}", address.name.key),
        url: address.name.url.clone(),
        doc,
    })
}

/// The result for one document.
#[derive(Default)]
struct Outcome {
    edits: Vec<Edit>,
    /// The new targets, in normal form, of the links whose target changes.
    fixed: BTreeMap<usize, Option<String>>,
    wants_edit: bool,
}

impl Outcome {
    /// Where each link should lead once the document is fixed.
    fn wanted_of(&self, document: &Document, new: &Extraction<'_>) -> Vec<Option<String>> {
        let mut resolving = new.resolving();
        let references = document.references.iter().enumerate();
        references
            .map(|(number, reference)| match self.fixed.get(&number) {
                Some(wanted) => wanted.clone(),
                None => resolving.url(&reference).ok().map(form),
            })
            .collect()
    }
}

/// A base element as it should be after the move.
struct FixedBase {
    url: String,
    edit: Edit,
}

impl FixedBase {
    /// Whether the link leads where it should with this base.
    fn fixes(&self, link: &LinkOf<'_>) -> bool {
        matches!(link.via, Via::Base | Via::RelativeBase)
            && link.reference.context == Context::Document
            && resolve(Rules::Rfc1808, Some(&self.url), link.reference.value)
                .is_ok_and(|url| form(&url) == link.decision().expected)
    }
}

/// The links of a document that are held back by its base.
#[derive(Default)]
struct Pins {
    /// By its element.
    by_base: u64,
    /// The links among those of `by_base` on which the rule sets disagree.
    uncertain: u64,
    /// By a header field.
    by_header: u64,
}

impl Pins {
    /// Whether fixing the base does what was meant.
    fn is_certain(&self) -> bool {
        self.uncertain == 0
    }
}

/// One document by every rule set, at both places.
struct PageOf<'p> {
    mover: &'p Move<'p>,
    document: &'p Document,
    name: Arc<PageName>,
    /// The bytes, if it is a whole file.
    source: Option<&'p [u8]>,
    old: [&'p Extraction<'p>; 3],
    new: [&'p Extraction<'p>; 3],
    /// Whether its base is declared by a relative reference.
    is_base_relative: bool,
    /// That of the latest finding.
    spot: RefCell<Option<Arc<Spot>>>,
}

/// One link that moves.
struct LinkOf<'l> {
    number: usize,
    reference: Reference<'l>,
    /// What it resolves to before the move.
    old: Urls,
    /// What happens to it under each rule set.
    decisions: [Decision; 3],
    via: Via,
}

impl LinkOf<'_> {
    /// By RFC 1808.
    fn decision(&self) -> &Decision {
        &self.decisions[0]
    }

    /// Whether all rule sets agree on it.
    fn agrees(&self) -> bool {
        let [first, others @ ..] = &self.decisions;
        others.iter().all(|other| other.class == first.class)
    }

    /// Whether it had the same meaning under every rule set.
    fn means_one(&self) -> bool {
        let [first, others @ ..] = &self.decisions;
        others.iter().all(|other| other.old == first.old)
    }
}

impl PageOf<'_> {
    fn encoding(&self) -> &'static Encoding {
        links::encoding(self.document)
    }

    fn base(&self) -> &Base {
        self.old[0].base()
    }

    fn judge(&self, judged: &mut Judged) -> Outcome {
        let mut outcome = Outcome::default();
        let base = self.base_name();
        let fixed = self.fixed_base();
        let mut pins = Pins::default();
        let simple = self.of_simple_links();
        let has_rules = !self.mover.context.rules.is_empty();
        let mut old = self.old.map(Extraction::resolving);
        let mut new = self.new.map(Extraction::resolving);
        for (number, reference) in self.document.references.iter().enumerate() {
            if !is_judged(&reference) {
                continue;
            }
            let class = simple.filter(|(depth, _)| is_simple(reference.value, *depth));
            let class = class.map(|(_, class)| class).filter(|class| {
                let may_be_sent = has_rules && *class == MoveClass::Moves;
                !may_be_sent || self.is_sent_along(&mut old[0], &reference)
            });
            if let Some(class) = class {
                judged.classes[class as usize] += 1;
                continue;
            }
            if is_plainly_external(reference.value, self.mover.prefixes()) {
                judged.classes[MoveClass::External as usize] += 1;
                continue;
            }
            let old = links::urls(&mut old, &reference);
            let new = links::urls(&mut new, &reference);
            let link = LinkOf {
                number,
                reference,
                decisions: self.decide(&old, &new),
                old,
                via: Via::of(
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
        link: &LinkOf<'_>,
        base: &Arc<BaseName>,
        fixed: Option<&FixedBase>,
        pins: &mut Pins,
        judged: &mut Judged,
        outcome: &mut Outcome,
    ) {
        let class = match link.decision().class {
            MoveClass::Pinned if link.reference.slot.of_document => MoveClass::CanonicalPinned,
            class => class,
        };
        judged.classes[class as usize] += 1;
        if !link.agrees() {
            judged.findings.push(self.depends(link, base));
        }
        let Some(rule) = rules::of_class(class) else {
            return;
        };
        *judged.ties.entry((class, link.via)).or_default() += 1;
        let mut finding = self.finding(rule, link, base);
        finding.level = level(class, self.mover.prefixes()).max(if class.is_harmless() {
            Level::Note
        } else {
            rule.level
        });
        if class.is_fixable() {
            outcome.wants_edit = true;
            let is_header = self.base().source == BaseSource::Header;
            pins.by_header += u64::from(is_header && link.via == Via::Base);
            let expected = &link.decision().expected;
            if fixed.is_some_and(|base| base.fixes(link)) {
                pins.by_base += 1;
                pins.uncertain += u64::from(!link.means_one());
                outcome.fixed.insert(link.number, Some(expected.clone()));
            } else {
                match self.mend(link) {
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

    /// Whether rules redirect the target that a link had before the move to where the move takes it,
    /// if they redirect it at all.
    fn is_sent_along(&self, old: &mut Resolving<'_>, reference: &Reference<'_>) -> bool {
        let Ok(url) = old.url(reference).map(form) else {
            return false;
        };
        let moved = self.mover.prefixes().moved(&url);
        moved.is_some_and(|moved| self.mover.context.leaves_or_sends(&url, &moved))
    }

    /// The class of all [simple](is_simple) links under every rule set, whatever their targets and
    /// unless rules redirect those, and how many folders up such a link may lead; `None` if that is
    /// not certain of any.
    fn of_simple_links(&self) -> Option<(usize, MoveClass)> {
        let prefixes = self.mover.prefixes();
        let (old, new) = (self.base(), self.new[0].base());
        let is_certain = prefixes.is_single()
            && old.source == BaseSource::Retrieval
            && self.document.codebases.is_empty()
            && !self.is_overlapping();
        let depth = |rest: Option<(&str, &str)>| {
            let path = rest?.1.split(['?', '#']).next()?;
            Some(path.matches('/').count())
        };
        let (old_url, new_url) = (old.url.as_deref()?, new.url.as_deref()?);
        let of_new = depth(prefixes.new_rest(new_url))?;
        let found = match prefixes.side(old_url) {
            Side::Old => (
                depth(prefixes.old_rest(old_url))?.min(of_new),
                MoveClass::Moves,
            ),
            // A page that is in place already.
            Side::New if old_url == new_url => (of_new, MoveClass::AlreadyNew),
            _ => return None,
        };
        is_certain.then_some(found)
    }

    fn is_overlapping(&self) -> bool {
        let prefixes = self.mover.prefixes();
        prefixes.pairs().any(|(_, new)| prefixes.is_old(new))
    }

    fn decide(&self, old: &Urls, new: &Urls) -> [Decision; 3] {
        let context = self.mover.context;
        [0, 1, 2].map(|rules| {
            decide(
                old[rules].as_deref().map_err(|error| *error),
                new[rules].as_deref().map_err(|error| *error),
                context.prefixes,
                context.overlap,
                &|url| context.target_of(url),
            )
        })
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

    fn finding(&self, rule: &'static Rule, link: &LinkOf<'_>, base: &Arc<BaseName>) -> Finding {
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
            Via::Base | Via::RelativeBase => format!("tied by the base of the page ({})", base.at),
            Via::Absolute => "written as an absolute URL".to_owned(),
            Via::NetPath => "written with its host".to_owned(),
            Via::RootPath => "written from the root of the host".to_owned(),
            Via::Relative => "written relative to the page".to_owned(),
        };
        let mut finding = Finding::new(rule, &self.name, cause, message);
        self.place(&mut finding, &link.reference);
        finding.base = Some(Arc::clone(base));
        finding.url = some(&decision.old).map(Arc::from);
        let hops = self.mover.context.hops_of(&decision.old);
        finding.moved = Some(Box::new(Moved {
            old_url: some(&decision.old),
            new_url: some(&decision.new),
            expected: some(&decision.expected),
            via: via.as_str(),
            hops,
        }));
        finding
    }

    fn place(&self, finding: &mut Finding, reference: &Reference<'_>) {
        finding.at = reference.at.cloned();
        let spot = &mut self.spot.borrow_mut();
        finding.spot = Some(Spot::shared(spot, reference.element, reference.attr));
        finding.raw = reference.value.into();
    }

    fn depends(&self, link: &LinkOf<'_>, base: &Arc<BaseName>) -> Finding {
        let classes: Vec<String> = link
            .decisions
            .iter()
            .zip(Rules::ALL)
            .map(|(decision, rules)| format!("{} by {rules}", decision.class.as_str()))
            .collect();
        let mut finding = self.finding(&rules::RESOLVER_DEPENDENT, link, base);
        finding.message = classes.join(", ").into();
        finding.cause = Arc::clone(&finding.message);
        let urls = link.old.each_ref();
        finding.urls = urls.map(|url| url.as_deref().ok().map(Arc::from)).into();
        finding
    }

    fn not_edited(finding: &Finding, why: &str) -> Finding {
        let mut other = finding.clone();
        other.rule = &rules::NOT_EDITED;
        other.level = rules::NOT_EDITED.level;
        other.fix = None;
        other.cause = why.into();
        other.message = Arc::clone(&other.cause);
        other
    }

    /// The base element as it should be after the move, if it refers to the old place.
    fn fixed_base(&self) -> Option<FixedBase> {
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
    fn mend(&self, link: &LinkOf<'_>) -> Result<Edit, &'static str> {
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
    fn fix_base(
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

    /// The `base` element in effect; others have no effect.
    fn base_element(&self) -> Option<Reference<'_>> {
        let Some(Place::Element(place)) = &self.base().at else {
            return None;
        };
        let mut references = self.document.references.iter();
        references.find(|reference| {
            reference.element == "base" && reference.at.is_some_and(|at| at.byte == place.byte)
        })
    }

    /// The finding about a base that refers to the old place.
    fn base_finding(&self, base: &Arc<BaseName>, pinned: u64) -> Finding {
        let old = self.base();
        let old_url = old.url.as_deref().unwrap_or_default();
        let links = if pinned == 1 { "link" } else { "links" };
        let mut finding = Finding::new(
            &rules::BASE_PINS,
            &self.name,
            format!("base {old_url}"),
            format!("the base ({}) holds {pinned} {links} back", words(old)),
        );
        finding.base = Some(Arc::clone(base));
        finding.url = some(&form(old_url)).map(Arc::from);
        finding.moved = Some(Box::new(Moved {
            old_url: some(&form(old_url)),
            new_url: some(&form_of(self.new[0].base())),
            expected: self.mover.prefixes().moved_as_written(old_url),
            via: Via::Base.as_str(),
            hops: Vec::new(),
        }));
        if let Some(reference) = &self.base_element() {
            self.place(&mut finding, reference);
        }
        finding
    }

    /// Sets where links that are not judged lead with the base `base`.
    fn move_wanted(&self, base: &str, outcome: &mut Outcome) {
        let element = self.base_element().and_then(|element| element.at);
        for (number, reference) in self.document.references.iter().enumerate() {
            let wanted = match reference.context {
                Context::Outside if reference.at == element => Some(form(base)),
                Context::Document if !is_judged(&reference) => {
                    let url = resolve(Rules::Rfc1808, Some(base), reference.value);
                    url.ok().map(|url| form(&url))
                }
                _ => continue,
            };
            outcome.fixed.insert(number, wanted);
        }
    }
}

/// Whether a link obviously leads to a page at most `depth` folders above its own.
fn is_simple(value: &str, depth: usize) -> bool {
    let is_plain =
        |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'/' | b'.' | b'~');
    let mut path = value;
    let mut up = 0;
    while let Some(rest) = path.strip_prefix("../") {
        path = rest;
        up += 1;
    }
    let (path, fragment) = path.split_once('#').unwrap_or((path, ""));
    let is_of_page = value.starts_with('#') && !fragment.is_empty();
    up <= depth
        && (is_of_page || path.starts_with(|c: char| c.is_ascii_alphanumeric()))
        && path.bytes().all(is_plain)
        && fragment.bytes().all(is_plain)
        && !path.contains("/.")
}

/// Whether a link obviously leads to a host not involved in the move.
fn is_plainly_external(value: &str, prefixes: &Prefixes) -> bool {
    let rest = value
        .strip_prefix("https://")
        .or_else(|| value.strip_prefix("http://"));
    let Some(rest) = rest else {
        return false;
    };
    let (host, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
    let is_name = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || matches!(b, b'-' | b'.');
    let is_plain = |b: u8| {
        b.is_ascii_alphanumeric()
            || matches!(
                b,
                b'_' | b'-' | b'/' | b'.' | b'~' | b'?' | b'=' | b'&' | b'#' | b'+'
            )
    };
    let last = host.rsplit('.').next().unwrap_or_default();
    // Possible IP addresses and encoded names are left to the parsers.
    host.bytes().all(is_name)
        && last.len() > 1
        && last.bytes().all(|b| b.is_ascii_lowercase())
        && !host.contains("--")
        && path.bytes().all(is_plain)
        && !path.contains("/.")
        && path.matches('#').count() < 2
        && !prefixes.has_host(host)
}

/// The place of a base in words.
fn words(base: &Base) -> String {
    base.at.as_ref().map(Place::to_string).unwrap_or_default()
}

fn some(text: &str) -> Option<String> {
    (!text.is_empty()).then(|| text.to_owned())
}

fn fix_of(edit: &Edit, encoding: &'static Encoding) -> Fix {
    let text = encoding
        .decode_without_bom_handling(&edit.bytes)
        .0
        .into_owned();
    Fix {
        byte: edit.byte.start as u64..edit.byte.end as u64,
        text,
    }
}

/// Decides which tree has a URL that is below both the old and the new prefix.
pub struct ByTrees<'t> {
    /// What moves where.
    pub prefixes: &'t Prefixes,
    /// The files at the old place.
    pub old: &'t dyn super::redirects::Files,
    /// The files at the new place.
    pub new: &'t dyn super::redirects::Files,
}

impl Overlap for ByTrees<'_> {
    fn is_old(&self, url: &str) -> Option<bool> {
        let path = percent_encoding::percent_decode_str(parts::path(url));
        let path: Vec<u8> = path.collect();
        if self.old.kind(&path).is_some() {
            return Some(true);
        }
        self.new.kind(&path).is_some().then_some(false)
    }
}
