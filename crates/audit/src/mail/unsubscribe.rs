//! How a message lets its readers leave a list (RFC 2369, RFC 8058).

use std::sync::Arc;

use baseref_document::Position;
use baseref_findings::{Finding, PageName, Violation};
use baseref_resolve::parts::has_scheme;

use super::mail_findings::MailFindings;
use super::unwrapped_link::UnwrappedLink;
use crate::rules::mail::unsub_body_differs::UnsubBodyDiffers;
use crate::rules::mail::unsub_no_https::UnsubNoHttps;
use crate::rules::mail::unsub_oneclick_invalid::UnsubOneclickInvalid;

/// The unsubscribe fields of the header, and the links of the text.
#[derive(Default)]
pub(super) struct Unsubscribe {
    /// The final URLs of `List-Unsubscribe`, and their sites.
    urls: Vec<(String, String)>,
    at: Option<Position>,
    /// `List-Unsubscribe-Post`.
    post: Option<String>,
}

impl Unsubscribe {
    pub(super) fn header(&mut self, opened: &UnwrappedLink<'_>) {
        let reference = &opened.link.reference;
        if reference.slot.attr.eq_ignore_ascii_case("List-Unsubscribe")
            || reference
                .slot
                .element
                .eq_ignore_ascii_case("List-Unsubscribe")
        {
            let site = opened.site().into_owned();
            self.urls.push((opened.final_url().to_owned(), site));
            self.at = self.at.take().or_else(|| reference.at.cloned());
        }
    }

    pub(super) fn post(&mut self, value: Option<&str>) {
        self.post = self.post.take().or_else(|| value.map(str::to_owned));
    }

    /// Compares a link of the text with the header.
    pub(super) fn body(&self, findings: &mut MailFindings<'_, '_>, opened: &UnwrappedLink<'_>) {
        let text = opened.link.reference.text.unwrap_or_default();
        if !is_meant(text) || !opened.final_url().starts_with("http") {
            return;
        }
        let own = opened.site();
        let mut of_header = self.urls.iter().filter(|(url, _)| url.starts_with("http"));
        let first = of_header.clone().next();
        if let Some((_, first)) = first
            && !of_header.any(|(_, site)| *site == own)
        {
            let message = UnsubBodyDiffers {
                header: first,
                link: &own,
            };
            findings.add(opened, &*own, message);
        }
    }

    pub(super) fn finish(self, page: &Arc<PageName>) -> Vec<Finding> {
        let mut findings = Vec::new();
        let has_https = self.urls.iter().any(|(url, _)| has_scheme(url, "https"));
        let mut add = |cause: &str, violation: Violation| {
            let mut finding = Finding::from_violation(violation, page, cause);
            finding.at.clone_from(&self.at);
            findings.push(finding);
        };
        if !self.urls.is_empty() && !has_https {
            add("no https", UnsubNoHttps.into());
        }
        if let Some(value) = self.post.as_deref() {
            let is_valid = value
                .trim()
                .eq_ignore_ascii_case("List-Unsubscribe=One-Click");
            if !is_valid {
                add("value", UnsubOneclickInvalid::Value { value }.into());
            } else if !has_https {
                add("no https", UnsubOneclickInvalid::NoHttps.into());
            }
        }
        findings
    }
}

/// Whether the text of a link promises to leave a list.
fn is_meant(text: &str) -> bool {
    text.len() < LONGEST && text.to_lowercase().contains("unsubscribe")
}

/// In longer texts the word is one among others.
const LONGEST: usize = 80;
