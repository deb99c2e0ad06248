//! Links to the parts of their own message (RFC 2392, RFC 2557).
//!
//! These are findings of every page of a message, also of one that a browser saved as such.

use std::collections::BTreeSet;
use std::sync::Arc;

use baseref_document::link_places::Class;
use baseref_document::{Part, PartKind, PartOf, Section};
use baseref_findings::{Finding, Level, PageName, Violation};
use baseref_reader::links::{Link, PartReference};

use super::address;
use super::content_ids::{ContentIds, SHOWN};
use super::site::site;
use crate::rules::mail::cid_bare::CidBare;
use crate::rules::mail::cid_case::CidCase;
use crate::rules::mail::cid_duplicate::CidDuplicate;
use crate::rules::mail::cid_unresolved::CidUnresolved;
use crate::rules::mail::cid_unused::CidUnused;
use crate::rules::mail::cid_wrong_scope::CidWrongScope;
use crate::view::page::Page;

/// The parts of a message, and the links to them, as far as its documents show them.
#[derive(Default)]
pub(super) struct Parts {
    ids: Option<Arc<ContentIds>>,
    /// The parts that links name, and those that are documents themselves.
    used: BTreeSet<Section>,
}

impl Parts {
    /// The ids of the message of a document.
    pub(super) fn ids(&mut self, part: &PartOf) -> Arc<ContentIds> {
        match &self.ids {
            Some(ids) if Arc::ptr_eq(&ids.parts, &part.parts) => Arc::clone(ids),
            _ => Arc::clone(self.ids.insert(Arc::new(ContentIds::new(&part.parts)))),
        }
    }

    /// Records a document and its links.
    pub(super) fn document(&mut self, page: &Page<'_>) {
        let section = &page.document().origin.section;
        if !self.used.contains(section) {
            self.used.insert(section.clone());
        }
    }

    pub(super) fn link(&mut self, link: &Link<'_>) {
        if let PartReference::Part(section) = link.part
            && !self.used.contains(section)
        {
            self.used.insert(section.clone());
        } else if let Some(id) = id_in(link.reference.value)
            && let Some(ids) = &self.ids
            && let Some((index, _)) = ids.find(id)
        {
            self.used.insert(ids.parts[index].section.clone());
        }
    }

    /// `mail/cid-unused`, about the last document of the message.
    pub(super) fn finish(&self, page: &Arc<PageName>) -> Option<Finding> {
        let ids = self.ids.as_ref()?;
        let parts = &ids.parts;
        let is_multipart = |index: usize| {
            parts
                .get(index + 1)
                .is_some_and(|next| next.parent == Some(index))
        };
        let unused: Vec<&Part> = (ids.exact.values())
            .map(|&(index, _)| index)
            .filter(|&index| {
                let part = &parts[index];
                let parent = part.parent.and_then(|parent| parts.get(parent));
                parent.is_some_and(|parent| parent.kind == PartKind::Related)
                    && !is_multipart(index)
                    && !self.used.contains(&part.section)
            })
            .map(|index| &parts[index])
            .collect();
        if unused.is_empty() {
            return None;
        }
        let mut shown: Vec<String> = unused
            .iter()
            .take(SHOWN)
            .map(|part| {
                let id = part.content_id.as_deref().unwrap_or_default();
                format!("{} ({id})", part.section)
            })
            .collect();
        if unused.len() > SHOWN {
            shown.push("...".to_owned());
        }
        let parts = shown.join(", ");
        Some(Finding::from_violation(CidUnused { parts }, page, "unused"))
    }
}

/// The Content-ID in a `cid:` URL, as written.
fn id_in(value: &str) -> Option<&str> {
    let value = value.trim_matches(|c: char| c <= ' ');
    let (scheme, id) = value.split_once(':')?;
    scheme.eq_ignore_ascii_case("cid").then_some(id)
}

/// The finding about a link to a part of its message, or about one that should be.
pub(crate) fn check(page: &Page<'_>, link: &Link<'_>) -> Option<Finding> {
    let violation = violation(page, link)?;
    Some(page.finding(link, cause(page, link.reference.value), violation))
}

fn violation(page: &Page<'_>, link: &Link<'_>) -> Option<Violation> {
    let value = link.reference.value;
    let ids = page.ids.as_deref();
    let own = page.document().message.as_ref().map(|part| part.own);
    let Some(id) = id_in(value) else {
        let ids = ids.filter(|ids| !ids.exact.is_empty())?;
        let is_loaded = link.reference.slot.class == Class::Resource;
        let is_bare =
            is_loaded && link.part == PartReference::Nothing && ids.find(value.trim()).is_some();
        return is_bare.then(|| CidBare.into());
    };
    let found = ids.and_then(|ids| Some((ids, own?, ids.find(id)?)));
    if link.part == PartReference::Missing {
        let Some((ids, _, (part, _))) = found else {
            return Some(missing(ids, link, id));
        };
        let section = &ids.parts[part].section;
        return Some(CidWrongScope::OtherRelated { section }.into());
    }
    let (ids, own, (part, count)) = found?;
    if count > 1 {
        return Some(CidDuplicate { count }.into());
    }
    let section = &ids.parts[part].section;
    let is_related = ids.are_related(own, part);
    (!is_related).then(|| CidWrongScope::NoRelated { section }.into())
}

/// What such findings have in common: the site of the sender, whose program wrote the message. Ids are
/// new in every message, so each would be a cause of its own.
fn cause(page: &Page<'_>, value: &str) -> String {
    let fields = page.document().metadata.message.as_deref();
    let from = fields.and_then(|fields| fields.from.as_deref());
    let sender = address::all(from.unwrap_or_default()).into_iter().next();
    let domain = sender
        .as_deref()
        .and_then(|sender| sender.rsplit('@').next());
    domain.map_or_else(|| value.to_owned(), |domain| site(domain).to_owned())
}

/// A link to a part that there is not.
fn missing(ids: Option<&ContentIds>, link: &Link<'_>, id: &str) -> Violation {
    if let Some(part) = ids.and_then(|ids| ids.in_other_case(id)) {
        let (section, id) = (&part.section, part.content_id.as_deref());
        let id = id.unwrap_or_default();
        return CidCase { section, id }.into();
    }
    let violation: Violation = match ids.filter(|ids| !ids.exact.is_empty()) {
        Some(ids) => CidUnresolved::OtherIds { ids: &ids.some() }.into(),
        None => CidUnresolved::NoIds.into(),
    };
    if link.reference.slot.class == Class::Anchor {
        violation.at(Level::Warning)
    } else {
        violation
    }
}
