//! The links of one document, before and after a move: judged, and mended.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use encoding_rs::{Encoding, UTF_8};

use super::class::{Decision, MoveClass, Overlap, Via, decide, level};
use super::edit::{self, Edit};
use super::follow::World;
use super::prefixes::{Prefixes, Side};
use super::rules;
use crate::base::{Base, Verdict};
use crate::container::entity::{Entity, Kind};
use crate::document::{Context, Declaration, Document, Place, Reference, Retrieval};
use crate::extract::{Extraction, extract};
use crate::findings::{BaseName, Excerpt, Finding, Fix, Level, Moved, PageName, Rule};
use crate::options::{Policy, ReadOptions};
use crate::read;
use crate::resolve::{ResolveError, Rules, resolve};
use crate::site::normal::{NormalOptions, normal};
use crate::slots::{Class, Classes, Grammar};

/// What is asked of every document.
pub struct Move<'m> {
    /// The two places.
    pub world: &'m World<'m>,
    /// How documents are read.
    pub read: ReadOptions,
    /// Whether edits are wanted.
    pub fixes: bool,
}

/// A document on its way.
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
    /// How many links are in each class, in the order of [`MoveClass::ALL`].
    pub classes: [u64; MoveClass::ALL.len()],
    /// How many links each kind of tie holds back.
    pub ties: BTreeMap<(MoveClass, Via), u64>,
    /// How many links would be mended by mending a base alone.
    pub by_base: u64,
    /// The edits that mend it, sorted; empty where nothing is to be mended or it cannot be.
    pub edits: Vec<Edit>,
    /// The bytes, where there are edits.
    pub bytes: Vec<u8>,
    /// It is mail or stands in an archive, and has links that edits would mend.
    pub refused: bool,
}

/// The links of one document by one rule set.
struct Urls {
    base: Base,
    is_base_relative: bool,
    resolved: Vec<Result<String, ResolveError>>,
}

/// The options that a document is to be read with.
#[must_use]
pub fn reading(options: ReadOptions) -> ReadOptions {
    options
        .classes(Classes::ALL)
        .positions(true)
        .text(true)
        .identifiers(true)
}

/// Reads the documents of an entity that was retrieved from `url`.
#[must_use]
pub fn documents(entity: Entity, url: &str, options: &ReadOptions) -> Vec<Document> {
    let mut entity = entity;
    if entity.declarations.is_empty() {
        entity.declarations.push(Declaration::retrieved_from(url));
    }
    let mut found = Vec::new();
    read::documents(entity, options, &mut |one| found.extend(one.ok()));
    found
}

/// The same document, retrieved from another URL.
fn retrieve(document: &mut Document, url: &str) {
    for declaration in &mut document.declarations {
        if declaration.at == Place::Retrieval(Retrieval::Url) {
            declaration.value = url.into();
        }
    }
}

/// The links of a document and of those embedded in it, resolved.
fn resolved(document: &Document, rules: Rules) -> Vec<Urls> {
    let mut all = Vec::new();
    let policy = Policy::default().rules(rules);
    extract(document, policy, &mut |extraction| {
        let mut urls = Vec::with_capacity(extraction.document().references.len());
        extraction.links(|link| urls.push(link.url.map(str::to_owned)));
        all.push(Urls {
            base: extraction.base().clone(),
            is_base_relative: is_base_relative(extraction),
            resolved: urls,
        });
    });
    all
}

fn is_base_relative(extraction: &Extraction<'_>) -> bool {
    let candidates = &extraction.established().candidates;
    let taken = candidates.iter().find(|c| c.verdict == Verdict::Taken);
    taken.is_some_and(|candidate| {
        let value = candidate.value.trim_start_matches('<');
        let value = value.strip_prefix("URL:").unwrap_or(value);
        resolve(Rules::Rfc1808, None, value).is_err()
    })
}

fn form(url: &str) -> String {
    normal(url, &NormalOptions::default())
}

/// Whether links of this place are judged: where a standard has it, in a document.
fn is_judged(reference: &Reference<'_>) -> bool {
    let class = reference.slot.class;
    let is_standard = reference.slot.source != "de facto";
    let is_base = reference.context == Context::Outside;
    let is_link = matches!(
        class,
        Class::Anchor | Class::Resource | Class::Document | Class::Form
    );
    let is_link_element = reference.element == "link" && reference.attr == "href";
    let is_place = is_link && is_standard || is_link_element || is_address_of_page(reference);
    !is_base && is_place
}

/// Whether a place gives the address of its page: `og:url`, and what [`is_canonical`] adds.
fn is_address_of_page(reference: &Reference<'_>) -> bool {
    reference.element == "meta" && matches!(reference.slot.grammar, Grammar::Url | Grammar::Refresh)
}

/// Whether the element is a link of that relation; looks at the tag itself.
fn has_relation(bytes: &[u8], reference: &Reference<'_>, relations: &[&str]) -> bool {
    if reference.element != "link" {
        return false;
    }
    let Some(at) = reference.at else {
        return false;
    };
    let tag = tag_around(bytes, &at.byte);
    let text = String::from_utf8_lossy(tag)
        .replace('\0', "")
        .to_ascii_lowercase();
    let Some(rel) = text.split("rel").nth(1) else {
        return false;
    };
    let value = rel
        .trim_start()
        .strip_prefix('=')
        .unwrap_or_default()
        .trim_start();
    let value = match value.chars().next() {
        Some(quote @ ('"' | '\'')) => value[1..].split(quote).next(),
        _ => value.split([' ', '>']).next(),
    };
    let mut words = value.unwrap_or_default().split_ascii_whitespace();
    words.any(|word| relations.contains(&word))
}

/// The bytes of the tag that a value stands in.
fn tag_around<'b>(bytes: &'b [u8], value: &Range<u64>) -> &'b [u8] {
    let place = |at: u64| usize::try_from(at).unwrap_or(usize::MAX).min(bytes.len());
    let (start, end) = (place(value.start), place(value.end));
    let open = memchr::memrchr(b'<', &bytes[..start]).unwrap_or(start);
    let close = memchr::memchr(b'>', &bytes[end..]).map_or(bytes.len(), |at| end + at);
    &bytes[open..close]
}

impl Move<'_> {
    fn prefixes(&self) -> &Prefixes {
        self.world.prefixes
    }

    /// Judges the documents of an entity.
    #[must_use]
    pub fn judge(&self, entity: Entity, address: &PageAddress) -> Judged {
        let is_file = entity.kind == Kind::Html;
        let bytes = entity.bytes.clone();
        let mut judged = Judged::default();
        for mut document in documents(entity, &address.old, &self.read) {
            let source = is_file.then_some(&bytes[..]);
            self.document(&mut document, address, source, &mut judged);
        }
        Finding::sort(&mut judged.findings);
        judged
    }

    fn document(
        &self,
        document: &mut Document,
        address: &PageAddress,
        source: Option<&[u8]>,
        judged: &mut Judged,
    ) {
        let old: Vec<Vec<Urls>> = Rules::ALL.map(|rules| resolved(document, rules)).into();
        retrieve(document, &address.new);
        let new: Vec<Vec<Urls>> = Rules::ALL.map(|rules| resolved(document, rules)).into();
        let mut outcomes: Vec<Outcome> = Vec::new();
        for (number, inner) in all_documents(document).into_iter().enumerate() {
            let page = PageOf {
                mover: self,
                document: inner,
                name: name_of(inner, address),
                source: source.filter(|_| number == 0),
                old: Rules::ALL.map(|rules| &old[index(rules)][number]),
                new: Rules::ALL.map(|rules| &new[index(rules)][number]),
                canonical_source: source,
            };
            let outcome = page.judge(judged);
            outcomes.push(outcome);
        }
        let wants_edit = outcomes.iter().any(|o| o.wants_edit);
        let Some(bytes) = source else {
            judged.refused |= wants_edit && self.fixes;
            return;
        };
        let Some(first) = outcomes.into_iter().next() else {
            return;
        };
        if first.edits.is_empty() {
            return;
        }
        self.check_and_keep(bytes, address, first, judged);
    }

    /// Keeps the edits of a document if the result is what it should be: every link that was
    /// edited leads where it should, and every other one where it led.
    fn check_and_keep(
        &self,
        bytes: &[u8],
        address: &PageAddress,
        outcome: Outcome,
        judged: &mut Judged,
    ) {
        let mut edits = outcome.edits;
        let is_good = edit::applied(bytes, &mut edits).is_some_and(|mended| {
            let entity = Entity::html(
                crate::document::Origin::of_input(address.name.doc.as_str()),
                mended,
            );
            let after = documents(entity, &address.new, &self.read);
            let after = after
                .first()
                .map(|document| resolved(document, Rules::Rfc1808));
            after
                .and_then(|all| all.into_iter().next())
                .is_some_and(|after| {
                    let is_same =
                        |(url, wanted): (&Result<String, ResolveError>, &Option<String>)| {
                            url.as_ref().ok().map(|url| form(url)) == *wanted
                        };
                    after.resolved.len() == outcome.wanted.len()
                        && after.resolved.iter().zip(&outcome.wanted).all(is_same)
                })
        });
        if is_good {
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
}

fn index(rules: Rules) -> usize {
    Rules::ALL.iter().position(|one| *one == rules).unwrap_or(0)
}

fn all_documents(document: &Document) -> Vec<&Document> {
    let mut all = vec![document];
    for inner in &document.embedded {
        all.extend(all_documents(inner));
    }
    all
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

/// What is to be done about one document.
#[derive(Default)]
struct Outcome {
    edits: Vec<Edit>,
    /// Where each link leads afterwards, in normal form.
    wanted: Vec<Option<String>>,
    wants_edit: bool,
}

/// A base element as it should be after the move.
struct MendedBase {
    url: String,
    edit: Edit,
}

/// One document, its links resolved six times.
struct PageOf<'p> {
    mover: &'p Move<'p>,
    document: &'p Document,
    name: Arc<PageName>,
    /// The bytes, where it is a whole file.
    source: Option<&'p [u8]>,
    /// The bytes of the file that it stands in.
    canonical_source: Option<&'p [u8]>,
    old: [&'p Urls; 3],
    new: [&'p Urls; 3],
}

impl PageOf<'_> {
    fn encoding(&self) -> &'static Encoding {
        Encoding::for_label(self.document.encoding.as_bytes()).unwrap_or(UTF_8)
    }

    fn judge(&self, judged: &mut Judged) -> Outcome {
        let mut outcome = Outcome::default();
        let base = self.base_name();
        let mended = self.mended_base();
        let mut pinned_by_base: u64 = 0;
        let mut pinned_by_header: u64 = 0;
        let mut base_is_certain = true;
        for (number, reference) in self.document.references.iter().enumerate() {
            let new = self.new[0].resolved[number]
                .as_ref()
                .ok()
                .map(|url| form(url));
            outcome.wanted.push(new);
            if !is_judged(&reference) {
                continue;
            }
            if self.is_simple(reference.value) {
                judged.classes[0] += 1;
                continue;
            }
            let decision = self.decide(number, 0);
            let class = self.canonical(decision.class, &reference);
            let via = Via::of(
                reference.value.trim_ascii(),
                self.old[0].base.source,
                self.old[0].is_base_relative,
            );
            judged.classes[class as usize] += 1;
            let others: Vec<Decision> = (1..3).map(|rules| self.decide(number, rules)).collect();
            let agrees = others.iter().all(|other| other.class == decision.class);
            let means_one = others.iter().all(|other| other.old == decision.old);
            if !agrees {
                judged
                    .findings
                    .push(self.depends(&reference, &decision, &others, &base));
            }
            let Some(rule) = rules::of_class(class) else {
                continue;
            };
            *judged.ties.entry((class, via)).or_default() += 1;
            let mut finding = self.finding(rule, &reference, &decision, via, &base);
            finding.level = level(class, self.mover.prefixes()).max(if class.is_harmless() {
                Level::Note
            } else {
                rule.level
            });
            if class.is_mendable() {
                outcome.wants_edit = true;
                let by_base = matches!(via, Via::Base | Via::RelativeBase)
                    && reference.context == Context::Document
                    && mended.as_ref().is_some_and(|base| {
                        let url = resolve(Rules::Rfc1808, Some(&base.url), reference.value);
                        url.is_ok_and(|url| form(&url) == decision.expected)
                    });
                let is_header = self.old[0].base.source == crate::base::BaseSource::Header;
                pinned_by_header += u64::from(is_header && via == Via::Base);
                if by_base {
                    pinned_by_base += 1;
                    base_is_certain &= means_one;
                    outcome.wanted[number] = Some(decision.expected.clone());
                } else {
                    match self.mend(number, &reference, &decision, via, means_one) {
                        Ok(one) => {
                            finding.fix = Some(fix_of(&one, self.encoding()));
                            if self.mover.fixes {
                                outcome.wanted[number] = Some(decision.expected.clone());
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
        if pinned_by_base > 0 {
            let mended = mended.filter(|_| base_is_certain);
            self.mend_base(pinned_by_base, mended, &base, judged, &mut outcome);
        } else if pinned_by_header > 0 {
            judged.by_base += pinned_by_header;
            judged
                .findings
                .push(self.base_finding(&base, pinned_by_header));
        }
        outcome
    }

    /// Whether a link is plainly one to a page beside or below its own: it moves with the tree,
    /// whoever resolves it.
    fn is_simple(&self, value: &str) -> bool {
        let has_rules = !self.mover.world.rules.is_empty();
        let is_plain =
            |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'/' | b'.' | b'~');
        !has_rules
            && !value.is_empty()
            && value.starts_with(|c: char| c.is_ascii_alphanumeric())
            && value.bytes().all(is_plain)
            && !value.contains("/.")
            && self.old[0].base.source == crate::base::BaseSource::Retrieval
            && self.document.codebases.is_empty()
            && self.mover.prefixes().side(&self.old[0].base.url) == Side::Old
            && self.mover.prefixes().is_new(&self.new[0].base.url)
            && !self.is_overlapping()
    }

    fn is_overlapping(&self) -> bool {
        let prefixes = self.mover.prefixes();
        prefixes.pairs().any(|(_, new)| prefixes.is_old(new))
    }

    fn decide(&self, number: usize, rules: usize) -> Decision {
        let world = self.mover.world;
        let url = |urls: &Urls| urls.resolved[number].clone();
        let (old, new) = (url(self.old[rules]), url(self.new[rules]));
        decide(
            old.as_deref().map_err(|error| *error),
            new.as_deref().map_err(|error| *error),
            world.prefixes,
            world.overlap,
            &|url| world.target_of(url),
        )
    }

    /// The class of a link that gives the address of its page.
    fn canonical(&self, class: MoveClass, reference: &Reference<'_>) -> MoveClass {
        let relations = ["canonical", "alternate"];
        let is_canonical = || {
            is_address_of_page(reference)
                || self
                    .canonical_source
                    .is_some_and(|bytes| has_relation(bytes, reference, &relations))
        };
        match class {
            MoveClass::Pinned if is_canonical() => MoveClass::CanonicalPinned,
            class => class,
        }
    }

    fn base_name(&self) -> Arc<BaseName> {
        let base = &self.old[0].base;
        Arc::new(BaseName {
            url: base.url().map(str::to_owned),
            source: base.source.as_str(),
            at: words(base),
        })
    }

    fn finding(
        &self,
        rule: &'static Rule,
        reference: &Reference<'_>,
        decision: &Decision,
        via: Via,
        base: &Arc<BaseName>,
    ) -> Finding {
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
                let old =
                    old.map_or_else(|| super::prefixes::origin(&decision.old), |(old, _)| old);
                format!("{} {old}", via.as_str())
            }
            Via::RootPath | Via::Relative => via.as_str().to_owned(),
        };
        let message = match via {
            Via::Base | Via::RelativeBase => format!("tied by the base of the page ({})", base.at),
            Via::Absolute => "written as a whole address".to_owned(),
            Via::NetPath => "written with its host".to_owned(),
            Via::RootPath => "written from the root of the host".to_owned(),
            Via::Relative => "written relative to the page".to_owned(),
        };
        let mut finding = Finding::new(rule, &self.name, cause, message);
        self.place(&mut finding, reference);
        finding.base = Some(Arc::clone(base));
        finding.url = some(&decision.old);
        finding.urls = self.old.map(|_| None);
        let hops = &self.mover.world;
        let hops = if hops.rules.is_empty() || decision.old.is_empty() {
            Vec::new()
        } else {
            let journey = hops.follow(&decision.old);
            journey.hops.into_iter().map(|hop| hop.to).collect()
        };
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
        finding.element = Cow::Owned(reference.element.to_owned());
        finding.attr = Cow::Owned(reference.attr.to_owned());
        reference.value.clone_into(&mut finding.raw);
        if let (Some(at), Some(source)) = (reference.at, self.source) {
            finding.excerpt = Excerpt::new(source, self.encoding(), &at.byte);
        }
    }

    fn depends(
        &self,
        reference: &Reference<'_>,
        decision: &Decision,
        others: &[Decision],
        base: &Arc<BaseName>,
    ) -> Finding {
        let classes: Vec<String> = std::iter::once(decision)
            .chain(others)
            .zip(Rules::ALL)
            .map(|(decision, rules)| format!("{} by {rules}", decision.class.as_str()))
            .collect();
        let via = Via::of(
            reference.value.trim_ascii(),
            self.old[0].base.source,
            self.old[0].is_base_relative,
        );
        let mut finding = self.finding(&rules::RESOLVER_DEPENDENT, reference, decision, via, base);
        finding.message = classes.join(", ");
        finding.cause = classes.join(", ");
        for (urls, slot) in self.old.iter().zip(&mut finding.urls) {
            let all = self.document.references.iter();
            let number = all.into_iter().position(|other| other.at == reference.at);
            *slot = number.and_then(|number| urls.resolved[number].clone().ok());
        }
        finding
    }

    fn not_edited(finding: &Finding, why: &str) -> Finding {
        let mut other = finding.clone();
        other.rule = &rules::NOT_EDITED;
        other.level = rules::NOT_EDITED.level;
        other.fix = None;
        why.clone_into(&mut other.cause);
        why.clone_into(&mut other.message);
        other
    }

    /// The base element as it should be after the move, if it names the old place.
    fn mended_base(&self) -> Option<MendedBase> {
        let old = &self.old[0].base;
        if old.source != crate::base::BaseSource::Element {
            return None;
        }
        let url = self.mover.prefixes().moved_as_written(&old.url)?;
        let mut references = self.document.references.iter();
        let reference = references.find(|reference| {
            reference.context == Context::Outside && reference.element == "base"
        })?;
        let source = self.source?;
        let byte = byte_range(reference.at?.byte.clone(), source)?;
        let value = if self.old[0].is_base_relative {
            let page = form(self.name.url.as_deref()?);
            let page = self.mover.prefixes().moved(&page)?;
            edit::relative(&page, &url)?
        } else {
            url.clone()
        };
        let bytes = edit::encoded(&value, &source[byte.clone()], self.encoding())?;
        Some(MendedBase {
            url,
            edit: Edit { byte, bytes },
        })
    }

    /// The edit that mends one link, or why there is none.
    fn mend(
        &self,
        number: usize,
        reference: &Reference<'_>,
        decision: &Decision,
        via: Via,
        means_one: bool,
    ) -> Result<Edit, &'static str> {
        let source = self
            .source
            .ok_or("it stands in a document within a document")?;
        if !means_one {
            return Err("the rule sets disagree on what it meant");
        }
        let is_value = matches!(
            reference.slot.grammar,
            Grammar::Url
                | Grammar::SpaceList
                | Grammar::CommaList
                | Grammar::Srcset
                | Grammar::Refresh
                | Grammar::Parameter
        );
        if !is_value || reference.attr == crate::slots::CONTENT {
            return Err("it stands in a style sheet, a script or text");
        }
        let at = reference.at.ok_or("its place is not known")?;
        let byte = byte_range(at.byte.clone(), source).ok_or("its place is not known")?;
        if decision.class == MoveClass::EscapesPrefix && decision.expected.starts_with("file:") {
            return Err("what it leads to is a file of a disk");
        }
        let value = self
            .value_for(number, reference, decision, via)
            .ok_or("no value leads there by every rule set")?;
        let bytes = edit::encoded(&value, &source[byte.clone()], self.encoding())
            .ok_or("the encoding of the page lacks a character of the new value")?;
        Ok(Edit { byte, bytes })
    }

    /// A value that leads where the link should: relative, where the author wrote it without a
    /// host, and the whole new address otherwise. Either leads there before the move too, so
    /// that a tree that was mended needs no mending.
    fn value_for(
        &self,
        number: usize,
        reference: &Reference<'_>,
        decision: &Decision,
        via: Via,
    ) -> Option<String> {
        let written = self.old[0].resolved[number].as_ref().ok()?;
        let absolute = self.mover.prefixes().moved_as_written(written);
        let absolute = absolute
            .filter(|url| form(url) == decision.expected)
            .unwrap_or_else(|| decision.expected.clone());
        let is_tied =
            reference.context == Context::Document && matches!(via, Via::RootPath | Via::Relative);
        let bases = |rules: usize| (self.old[rules].base.url(), self.new[rules].base.url());
        let relative = bases(0)
            .1
            .and_then(|base| edit::relative(&form(base), &absolute));
        let leads_there = |value: &String| {
            Rules::ALL.into_iter().enumerate().all(|(number, rules)| {
                let (old, new) = bases(number);
                let leads = |base: Option<&str>, wanted: &str| {
                    resolve(rules, base, value).is_ok_and(|url| form(&url) == wanted)
                };
                leads(new, &decision.expected)
                    && (leads(old, &decision.old) || leads(old, &decision.expected))
            })
        };
        let relative = relative.filter(|_| is_tied);
        [relative, Some(absolute)]
            .into_iter()
            .flatten()
            .find(leads_there)
    }

    /// Mends the base that pins links, and reports it once.
    fn mend_base(
        &self,
        pinned: u64,
        mended: Option<MendedBase>,
        base: &Arc<BaseName>,
        judged: &mut Judged,
        outcome: &mut Outcome,
    ) {
        judged.by_base += pinned;
        let mut finding = self.base_finding(base, pinned);
        match mended {
            Some(mended) => {
                finding.fix = Some(fix_of(&mended.edit, self.encoding()));
                if self.mover.fixes {
                    // All that is relative moves with the base, links that are not judged too.
                    self.move_wanted(&mended.url, outcome);
                    outcome.edits.push(mended.edit);
                }
            }
            None if self.mover.fixes => {
                let why = "the rule sets disagree on what its links meant";
                judged.findings.push(Self::not_edited(&finding, why));
                // Nothing of the document is edited: what is mended by the base would not be.
                outcome.edits.clear();
            }
            None => {}
        }
        judged.findings.push(finding);
    }

    /// The finding about a base that names the old place.
    fn base_finding(&self, base: &Arc<BaseName>, pinned: u64) -> Finding {
        let old = &self.old[0].base;
        let links = if pinned == 1 { "link" } else { "links" };
        let mut finding = Finding::new(
            &rules::BASE_PINS,
            &self.name,
            format!("base {}", old.url),
            format!("the base ({}) holds {pinned} {links} back", words(old)),
        );
        finding.base = Some(Arc::clone(base));
        finding.url = some(&form(&old.url));
        finding.moved = Some(Box::new(Moved {
            old_url: some(&form(&old.url)),
            new_url: some(&form(&self.new[0].base.url)),
            expected: self.mover.prefixes().moved_as_written(&old.url),
            via: Via::Base.as_str(),
            hops: Vec::new(),
        }));
        let mut references = self.document.references.iter();
        let element = references
            .find(|reference| reference.context == Context::Outside && reference.element == "base");
        if let Some(reference) = &element {
            self.place(&mut finding, reference);
        }
        finding
    }

    /// Where links that no edit touches lead once the base is `base`.
    fn move_wanted(&self, base: &str, outcome: &mut Outcome) {
        for (number, reference) in self.document.references.iter().enumerate() {
            let is_edited = outcome.edits.iter().any(|edit| {
                let at = reference.at.map(|at| at.byte.start);
                at.and_then(|at| usize::try_from(at).ok()) == Some(edit.byte.start)
            });
            if is_edited || reference.context != Context::Document || is_judged(&reference) {
                if reference.context == Context::Outside {
                    outcome.wanted[number] = Some(form(base));
                }
                continue;
            }
            let url = resolve(Rules::Rfc1808, Some(base), reference.value);
            outcome.wanted[number] = url.ok().map(|url| form(&url));
        }
    }
}

/// The place of a base in words.
fn words(base: &Base) -> String {
    base.at.as_ref().map(Place::to_string).unwrap_or_default()
}

fn some(text: &str) -> Option<String> {
    (!text.is_empty()).then(|| text.to_owned())
}

fn byte_range(byte: Range<u64>, source: &[u8]) -> Option<Range<usize>> {
    let range = usize::try_from(byte.start).ok()?..usize::try_from(byte.end).ok()?;
    source.get(range.clone())?;
    Some(range)
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

/// Which tree has a URL that lies below the old and the new prefix.
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
        let origin = super::prefixes::origin(url);
        let path = url[origin.len()..]
            .split(['?', '#'])
            .next()
            .unwrap_or_default();
        let path: Vec<u8> = percent_encoding::percent_decode_str(path).collect();
        if self.old.kind(&path).is_some() {
            return Some(true);
        }
        self.new.kind(&path).is_some().then_some(false)
    }
}
