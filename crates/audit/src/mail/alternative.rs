//! The text and the HTML of a message, which should say the same (RFC 2046 §5.1.4).

use std::collections::BTreeSet;
use std::sync::Arc;

use baseref_document::Document;
use baseref_document::link_places::Class;
use baseref_findings::{Finding, PageName};
use baseref_resolve::parts;

use super::displayed_url::{self, Displayed};
use super::site::site;
use super::unwrapped_link::{UnwrappedLink, is_web};
use crate::rules::mail::alternative_mismatch::AlternativeMismatch;

/// The sites that the parts of a message show or load.
#[derive(Default)]
pub(super) struct Sites {
    of_text: BTreeSet<String>,
    of_html: BTreeSet<String>,
    has_text: bool,
    has_html_links: bool,
    /// A link of the HTML has an unknown target, which may be any site of the text.
    is_open: bool,
}

impl Sites {
    pub(super) fn add(&mut self, opened: &UnwrappedLink<'_>, document: &Document) {
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
                if !is_unknown {
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
                self.is_open |= is_unknown;
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

    pub(super) fn finish(self, page: &Arc<PageName>) -> Vec<Finding> {
        let only = self.of_text.difference(&self.of_html);
        let only: Vec<&str> = only.map(String::as_str).collect();
        if !self.has_text || !self.has_html_links || self.is_open || only.is_empty() {
            return Vec::new();
        }
        let mut shown = only[..only.len().min(3)].join(", ");
        if only.len() > 3 {
            shown.push_str(", ...");
        }
        let violation = AlternativeMismatch { sites: &shown };
        vec![Finding::from_violation(violation, page, &*shown)]
    }
}
