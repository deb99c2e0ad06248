//! Classifies the links of one document before and after a move, and fixes them.

mod findings;
mod fix;
mod judge;
mod model;
mod simple;

use std::cell::RefCell;
use std::ops::Range;
use std::sync::Arc;

use baseref_container::Entity;
use baseref_document::link_places::Grammar;
use baseref_document::{Context, Document};
use baseref_findings::{Finding, PageName};
use baseref_reader::base::Policy;
use baseref_resolve::parts;

use self::model::PageMove;
pub use self::model::{Judgement, Move, PageAddress};
use crate::rules;
use baseref_rewrite::edit::{self, Edit};
use baseref_rewrite::links::{self, ByRules, ReferenceRole, documents};
use baseref_server::follow::{Stub, stubs};
use baseref_site::meta_refresh::forwards_fragment;
use baseref_site::moves::{Overlap, Prefixes};

/// An entity and its documents.
pub struct ReadEntity {
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// The entity without its bytes.
    frame: Entity,
    is_file: bool,
    /// Its documents.
    pub documents: Vec<Document>,
}

impl Move<'_> {
    /// Reads the documents of an entity.
    #[must_use]
    pub fn read_entity(&self, mut entity: Entity, address: &PageAddress) -> ReadEntity {
        let is_file = entity.is_file();
        let bytes = std::mem::take(&mut entity.bytes);
        let frame = links::frame(&entity);
        let documents = documents(&bytes, entity, Some(&address.old), &self.read);
        ReadEntity {
            bytes,
            frame,
            is_file,
            documents,
        }
    }

    /// Judges the documents of an entity.
    #[must_use]
    pub fn judge(&self, entity: ReadEntity, address: &PageAddress) -> Judgement {
        let ReadEntity {
            bytes,
            frame,
            is_file,
            mut documents,
        } = entity;
        let mut judged = Judgement::default();
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

    /// Reports the old addresses in the document outside judged links.
    fn mentions(
        &self,
        document: &Document,
        address: &PageAddress,
        source: &[u8],
        frame: &Entity,
        judged: &mut Judgement,
    ) {
        let encoding = links::encoding(document);
        let of_base = document.references.iter();
        let of_base = of_base.filter(|reference| reference.context == Context::Outside);
        let links = links::written(document).filter(|(_, part)| *part == ReferenceRole::Judged);
        let checked = links.map(|(reference, _)| reference).chain(of_base);
        let ranges = checked.filter_map(|reference| Some(reference.at?.byte.clone()));
        let mut links: Vec<Range<u64>> = ranges.collect();
        links.sort_by_key(|link| link.start);
        let charset = frame.charset.as_deref();
        let before = judged.findings.len();
        let found = self.mentions.find(source, charset, encoding, &links);
        let data = if found.is_empty() {
            Vec::new()
        } else {
            json_ld(document)
        };
        for (text, at) in found {
            let before = data.partition_point(|value| value.start <= at.byte.start);
            let is_in_data = before > 0 && data[before - 1].end > at.byte.start;
            let (rule, message) = if is_in_data {
                (&rules::IN_JSON_LD, "in JSON-LD, which is not edited")
            } else {
                let message = "in a script, a comment or text, which is not edited";
                (&rules::UNREWRITTEN, message)
            };
            let cause = text.to_ascii_lowercase();
            let mut finding = Finding::new(rule, &address.name, cause, message);
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
        judged: &mut Judgement,
    ) {
        let moved = links::retrieved_again(document, &address.new);
        let (old, new) = (
            ByRules::new(document, Policy::default()),
            ByRules::new(&moved, Policy::default()),
        );
        let all = old.documents().into_iter().zip(new.documents());
        let mut first = None;
        let mut wants_edit = false;
        for (number, (old, new)) in all.enumerate() {
            let inner = old[0].document();
            let page = PageMove {
                mover: self,
                document: inner,
                name: name_of(inner, address),
                source: source.filter(|_| number == 0),
                old,
                new,
                is_base_relative: links::is_base_relative(old[0]),
                spot: RefCell::default(),
            };
            if let Some(source) = page.source
                && let Some(to) = stubs::target(inner, new[2], &address.new)
            {
                judged.findings.extend(page.astray(&to, &address.new));
                judged.stub = Some(Stub {
                    to,
                    forwards_fragment: forwards_fragment(source),
                });
            }
            let start = judged.findings.len();
            let outcome = page.judge(judged);
            if let Some(source) = page.source {
                let found = judged.findings.get_mut(start..).unwrap_or_default();
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
        let expected = outcome.expected_targets(document, new);
        let mut edits = outcome.edits;
        if self.leads_as_expected(bytes, address, frame, &mut edits, &expected) {
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

    /// Whether every link has its expected target after these edits. Sorts the edits.
    fn leads_as_expected(
        &self,
        bytes: &[u8],
        address: &PageAddress,
        frame: &Entity,
        edits: &mut Vec<Edit>,
        expected: &[Option<String>],
    ) -> bool {
        let Some(fixed) = edit::applied(bytes, edits) else {
            return false;
        };
        let after = documents(&fixed, frame.clone(), Some(&address.new), &self.read);
        after
            .first()
            .is_some_and(|document| links::lead_to(document, Policy::default(), expected))
    }
}

/// The byte ranges of the URLs in the JSON-LD of a document, in order.
fn json_ld(document: &Document) -> Vec<Range<u64>> {
    let references = document.references.iter();
    let in_data = references.filter(|reference| reference.slot.grammar == Grammar::JsonLd);
    let ranges = in_data.filter_map(|reference| Some(reference.at?.byte.clone()));
    let mut ranges: Vec<_> = ranges.collect();
    ranges.sort_by_key(|value| value.start);
    ranges
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

/// Decides by their files which site has a URL that is below both the old and the new prefix.
pub struct ByTrees<'t> {
    /// What moves where.
    pub prefixes: &'t Prefixes,
    /// The files of the old site.
    pub old: &'t dyn baseref_server::Files,
    /// The files of the new site.
    pub new: &'t dyn baseref_server::Files,
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
