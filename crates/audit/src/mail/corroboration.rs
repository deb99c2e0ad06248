//! What other attributes of a link say about its target.

use std::borrow::Cow;

use baseref_findings::Level;
use baseref_resolve::host_in_browsers;
use baseref_resolve::parts::without_www;
use baseref_unwrap::Unwrapper;

use super::displayed_url::{self, Displayed};
use super::mail_findings::MailFindings;
use super::site::site;
use super::text::names_only;
use super::unwrapped_link::{UnwrappedLink, is_web};
use crate::rules::mail::title_mismatch::TitleMismatch;
use crate::rules::mail::wrapper_conflict::WrapperConflict;

/// The attributes in which mail programs record the original URL, and their names in messages.
const KEPT: [(&str, &str); 2] = [
    ("originalsrc", "Outlook's originalsrc"),
    ("data-saferedirecturl", "Gmail's data-saferedirecturl"),
];

pub(super) fn check(
    findings: &mut MailFindings<'_, '_>,
    opened: &UnwrappedLink<'_>,
    unwrapper: &Unwrapper,
) {
    // The final host must be known.
    let Some(host) = opened.host().filter(|_| is_web(opened.final_url())) else {
        return;
    };
    if opened.chain.end.is_some() {
        return;
    }
    for (attribute, name) in KEPT {
        if let Some(value) = opened.companions.attribute(attribute) {
            let value: String = value.split_whitespace().collect();
            let recorded = RecordedUrl {
                attribute: name,
                url: &value,
            };
            compare(findings, opened, host, &recorded, unwrapper);
        }
    }
    if let Some(value) = opened.companions.attribute("title") {
        title(findings, opened, host, value, unwrapper);
    }
}

/// The URL of a link as a mail program recorded it.
struct RecordedUrl<'v> {
    /// The attribute, in words.
    attribute: &'static str,
    url: &'v str,
}

/// Compares the host of a link with the host of the recorded URL.
fn compare(
    findings: &mut MailFindings<'_, '_>,
    opened: &UnwrappedLink<'_>,
    host: &str,
    recorded: &RecordedUrl<'_>,
    unwrapper: &Unwrapper,
) {
    let Some(other) = known_host(recorded.url, unwrapper) else {
        return;
    };
    if without_www(&other) == without_www(host) {
        return;
    }
    let (from, to) = (site(&other), site(host));
    let message = WrapperConflict {
        attribute: recorded.attribute,
        other: &other,
        host,
        through: opened.through(),
    };
    let finding = findings.add(opened, format!("{from} -> {to}"), message);
    if from == to {
        finding.level = Level::Note;
    }
}

/// The host that a URL leads to, once unwrapped, if that is known.
fn known_host(url: &str, unwrapper: &Unwrapper) -> Option<String> {
    let chain = unwrapper.unwrap(url);
    let url = chain.final_url();
    let is_known = chain.end.is_none() && is_web(url);
    is_known
        .then(|| host_in_browsers(url).map(Cow::into_owned))
        .flatten()
}

/// Compares the host of a link with the URL that programs show over it.
fn title(
    findings: &mut MailFindings<'_, '_>,
    opened: &UnwrappedLink<'_>,
    host: &str,
    title: &str,
    unwrapper: &Unwrapper,
) {
    let url = opened.final_url();
    let Some((Displayed::Host { host: shown, .. }, text)) =
        displayed_url::read(original(title), url)
    else {
        return;
    };
    let shown = known_host(&text, unwrapper).unwrap_or(shown);
    let (from, to) = (site(&shown), site(host));
    if from == to {
        return;
    }
    let message = TitleMismatch {
        title: &text,
        host,
        through: opened.through(),
    };
    let finding = findings.add(opened, format!("{from} -> {to}"), message);
    if names_only(url, &shown) {
        finding.level = Level::Note;
    }
}

/// The URL in a title by Outlook: `Original URL: https://a.example/ Click or tap ...`.
fn original(title: &str) -> &str {
    let rest = title.trim_start().strip_prefix("Original URL:");
    let word = rest.and_then(|rest| rest.split_whitespace().next());
    word.unwrap_or(title)
}
