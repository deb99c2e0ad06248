//! The text and the HTML of a multipart/alternative, which should say the same (RFC 2046 §5.1.4).

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use baseref_document::link_places::Class;
use baseref_document::{Document, PartKind, PartOf};
use baseref_findings::{Finding, PageName};
use baseref_resolve::parts;

use super::displayed_url::{self, Displayed};
use super::site::site;
use super::unwrapped_link::{UnwrappedLink, is_web};
use crate::rules::mail::alternative_mismatch::AlternativeMismatch;

/// The sites that the parts of each multipart/alternative show or load, by its index among the parts of the
/// message. Other texts are none of the HTML: the footer of a mailing list, or a forwarded message.
#[derive(Default)]
pub(super) struct Alternatives(BTreeMap<usize, Sites>);

impl Alternatives {
    pub(super) fn add(&mut self, opened: &UnwrappedLink<'_>, document: &Document) {
        if let Some(index) = document.message.as_ref().and_then(alternative_around) {
            self.0.entry(index).or_default().add(opened, document);
        }
    }

    pub(super) fn finish(self, page: &Arc<PageName>) -> Vec<Finding> {
        let each = self.0.into_values();
        each.filter_map(|sites| sites.finish(page)).collect()
    }
}

/// The index of the innermost multipart/alternative around a part, within its message.
fn alternative_around(part: &PartOf) -> Option<usize> {
    let PartOf { parts, own } = part;
    let mut at = *own;
    loop {
        let parent = parts.get(at)?.parent.filter(|parent| *parent < at)?;
        match parts.get(parent)?.kind {
            PartKind::Alternative => return Some(parent),
            PartKind::Message { .. } => return None,
            _ => at = parent,
        }
    }
}

/// The sites that the parts of a multipart/alternative show or load.
#[derive(Default)]
struct Sites {
    of_text: BTreeSet<String>,
    of_html: BTreeSet<String>,
    has_text: bool,
    has_html_links: bool,
    /// The links with an unknown target. One that only the HTML has may lead to any site of the text.
    opaque_in_text: BTreeSet<String>,
    opaque_in_html: BTreeSet<String>,
}

impl Sites {
    fn add(&mut self, opened: &UnwrappedLink<'_>, document: &Document) {
        let slot = opened.link.reference.slot;
        let is_attached = document.metadata.disposition.as_deref() == Some("attachment");
        let url = opened.final_url();
        if is_attached || !is_web(url) {
            return;
        }
        let Some(host) = opened.host() else { return };
        let site = site(host).to_owned();
        let is_unknown = opened.chain.end.is_some();
        let is_html = document.reading.is_some();
        match slot.class {
            Class::Text if !is_html => {
                self.has_text = true;
                if is_unknown {
                    self.opaque_in_text.insert(url.to_owned());
                } else {
                    self.of_text.insert(site);
                }
            }
            Class::Text if slot.element == "hidden-text" => {}
            Class::Text => {
                self.has_html_links = true;
                self.of_html.insert(site);
            }
            Class::Anchor if is_html => {
                self.has_html_links = true;
                if is_unknown {
                    self.opaque_in_html.insert(url.to_owned());
                }
                self.of_html.insert(site);
                self.shown(opened);
            }
            // Converters write the addresses of images into the plain text.
            _ if is_html => {
                self.of_html.insert(site);
            }
            _ => {}
        }
    }

    /// Adds the sites that the text of a link shows.
    fn shown(&mut self, opened: &UnwrappedLink<'_>) {
        let text = opened.link.reference.text.unwrap_or_default();
        let path = parts::path(opened.final_url());
        if let Some((Displayed::Host { host, .. }, _)) = displayed_url::read(text, path) {
            self.of_html.insert(site(&host).to_owned());
        }
    }

    fn finish(self, page: &Arc<PageName>) -> Option<Finding> {
        let only = self.of_text.difference(&self.of_html);
        let only: Vec<&str> = only.map(String::as_str).collect();
        let is_open = !self.opaque_in_html.is_subset(&self.opaque_in_text);
        if !self.has_text || !self.has_html_links || is_open || only.is_empty() {
            return None;
        }
        let mut shown = only[..only.len().min(3)].join(", ");
        if only.len() > 3 {
            shown.push_str(", ...");
        }
        let violation = AlternativeMismatch { sites: &shown };
        Some(Finding::from_violation(violation, page, &*shown))
    }
}
