//! The text and the HTML of a message, which should say the same (RFC 2046 §5.1.4).

use std::collections::BTreeSet;
use std::sync::Arc;

use baseref_document::Document;
use baseref_document::link_places::Class;
use baseref_findings::{Finding, PageName};

use super::site::site;
use super::unwrapped_link::{UnwrappedLink, is_web};
use crate::rules::mail::alternative_mismatch::AlternativeMismatch;

/// The sites that the parts of a message link to.
#[derive(Default)]
pub(super) struct Sites {
    of_text: BTreeSet<String>,
    of_html: BTreeSet<String>,
    is_known: [bool; 2],
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
        match slot.class {
            Class::Text if document.reading.is_none() => {
                self.is_known[0] = true;
                self.of_text.insert(site);
            }
            Class::Anchor => {
                self.is_known[1] = true;
                self.of_html.insert(site);
            }
            _ => {}
        }
    }

    pub(super) fn finish(self, page: &Arc<PageName>) -> Vec<Finding> {
        let Self {
            of_text,
            of_html,
            is_known,
        } = self;
        let only: Vec<&str> = of_text.difference(&of_html).map(String::as_str).collect();
        if is_known != [true; 2] || only.is_empty() {
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
