//! The text of a link against its target.

use baseref_findings::Level;
use baseref_hosts::label;
use baseref_resolve::parts::without_www;
use baseref_resolve::{host_in_browsers, parts};
use percent_encoding::percent_decode_str;

use super::displayed_url::{self, Displayed};
use super::mail_findings::MailFindings;
use super::site::site;
use super::unwrapped_link::{UnwrappedLink, is_web};
use super::{address, own_image, quoted_printable_residue};
use crate::rules::mail::mailto_mismatch::MailtoMismatch;
use crate::rules::mail::text_host_differs::TextHostDiffers;
use crate::rules::mail::text_mismatch::TextMismatch;
use crate::rules::mail::text_mismatch_opaque::TextMismatchOpaque;
use crate::rules::mail::text_other_suffix::TextOtherSuffix;

/// Judges the link at `index` of the document.
pub(super) fn check(findings: &mut MailFindings<'_, '_>, opened: &UnwrappedLink<'_>, index: usize) {
    let reference = &opened.link.reference;
    let Some(text) = reference.text else {
        return;
    };
    // An undecoded URL leads elsewhere by accident, which another rule reports.
    if quoted_printable_residue::is_broken(reference.value) {
        return;
    }
    let url = opened.final_url();
    let before = findings.findings.len();
    let path = parts::path(url);
    let without_images = || displayed_url::read(opened.companions.text_without_images()?, path);
    match displayed_url::read(text, path).or_else(without_images) {
        Some((Displayed::Host { host, is_weak }, shown))
            if !own_image::is_named(findings.page, opened, index) =>
        {
            check_host(findings, opened, &host, is_weak, &shown);
        }
        Some((Displayed::Address(address), _)) => check_address(findings, opened, &address),
        Some((Displayed::Host { .. }, _)) | None => {}
    }
    // The text in place of an image is seen only without it.
    if opened.companions.is_text_of_images() {
        for finding in &mut findings.findings[before..] {
            finding.level = finding.level.lowered();
        }
    }
}

fn check_host(
    findings: &mut MailFindings<'_, '_>,
    opened: &UnwrappedLink<'_>,
    claimed: &str,
    is_weak: bool,
    shown: &str,
) {
    let url = opened.final_url();
    let Some(host) = opened.host().filter(|_| is_web(url)) else {
        return;
    };
    if without_www(host) == without_www(claimed) {
        return;
    }
    let (from, to) = (site(claimed), site(host));
    let through = opened.through();
    if opened.chain.end.is_some() {
        let last = opened.chain.steps.last().map_or("", |step| step.wrapper);
        let message = TextMismatchOpaque {
            shown,
            host,
            through,
        };
        findings.add(opened, last, message);
        return;
    }
    if from == to {
        let message = TextHostDiffers {
            shown,
            host,
            through,
        };
        findings.add(opened, to, message);
        return;
    }
    let cause = format!("{from} -> {to}");
    if label(claimed).is_some() && label(claimed) == label(host) {
        let message = TextOtherSuffix {
            shown,
            host,
            through,
        };
        findings.add(opened, cause, message);
        return;
    }
    let message = TextMismatch {
        shown,
        host,
        through,
    };
    let finding = findings.add(opened, cause, message);
    if names_only(url, claimed) {
        finding.level = Level::Note;
    } else if is_weak {
        finding.level = Level::Warning;
    }
}

/// Whether the only URL in the query of an unknown redirector has this host, down to the last one in
/// its own query.
pub(super) fn names_only(url: &str, host: &str) -> bool {
    let mut url = url.to_owned();
    let mut is_named = false;
    for _ in 0..baseref_unwrap::MAX_DEPTH {
        let mut inner = parts::query(&url)
            .into_iter()
            .flat_map(|query| query.split('&'));
        let urls: Vec<String> = inner
            .by_ref()
            .map(|pair| pair.split_once('=').map_or(pair, |(_, value)| value))
            .map(|value| percent_decode_str(value).decode_utf8_lossy().into_owned())
            .filter(|value| is_web(value) && parts::has_host(value))
            .collect();
        match &urls[..] {
            [] => return is_named,
            [one] => {
                is_named =
                    host_in_browsers(one).as_deref().map(without_www) == Some(without_www(host));
                url.clone_from(one);
            }
            _ => return false,
        }
    }
    false
}

fn check_address(findings: &mut MailFindings<'_, '_>, opened: &UnwrappedLink<'_>, claimed: &str) {
    let url = opened.final_url();
    let domain = claimed.rsplit('@').next().unwrap_or_default();
    if parts::has_scheme(url, "mailto") {
        let to = recipients(url);
        if !to.iter().any(|address| is_same(address, claimed)) {
            let to = to.join(", ");
            let message = MailtoMismatch::Address {
                shown: claimed,
                to: &to,
                through: opened.through(),
            };
            let cause = format!("{domain} -> {}", to.rsplit('@').next().unwrap_or_default());
            findings.add(opened, cause, message);
        }
    } else if let Some(host) = opened.host().filter(|_| is_web(url))
        && site(host) != site(domain)
        && opened.chain.end.is_none()
    {
        let message = MailtoMismatch::Page {
            shown: claimed,
            host,
            through: opened.through(),
        };
        let cause = format!("{domain} -> {}", site(host));
        findings.add(opened, cause, message);
    }
}

/// The addresses of a `mailto:` URL, in lower case: those before the query, and in its `to` (RFC 6068
/// §2). Other text is returned unchanged.
fn recipients(url: &str) -> Vec<String> {
    let rest = url.split_once(':').map_or("", |(_, rest)| rest);
    let (path, query) = rest.split_once('?').unwrap_or((rest, ""));
    let fields = query.split('&').filter_map(|field| field.split_once('='));
    let to = fields.filter(|(name, _)| name.eq_ignore_ascii_case("to"));
    let values = std::iter::once(path).chain(to.map(|(_, value)| value));
    let mut recipients = Vec::new();
    for value in values.filter(|value| !value.is_empty()) {
        let text = percent_decode_str(value).decode_utf8_lossy();
        let addresses = address::all(&text);
        if addresses.is_empty() {
            recipients.push(text.trim().to_lowercase());
        }
        recipients.extend(addresses);
    }
    recipients
}

/// Whether two addresses, in lower case, are the same with their domains in ASCII.
fn is_same(one: &str, other: &str) -> bool {
    let parts = |address: &str| {
        let (local, domain) = address.rsplit_once('@')?;
        let domain = host_in_browsers(&format!("http://{domain}/"))?.into_owned();
        Some((local.to_owned(), domain))
    };
    one == other || parts(one).is_some_and(|one| parts(other) == Some(one))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mailto_recipients() {
        for (url, to) in [
            ("mailto:Joe%40X.com?subject=a", &["joe@x.com"][..]),
            ("mailto:a@x.com;b@y.com", &["a@x.com", "b@y.com"]),
            ("mailto:Joe%20%3Cjoe@x.com%3E", &["joe@x.com"]),
            ("mailto:?subject=a&to=joe@x.com", &["joe@x.com"]),
            ("mailto:joe", &["joe"]),
            ("mailto:", &[]),
        ] {
            assert_eq!(recipients(url), to, "{url}");
        }
        assert!(is_same("joe@m\u{fc}nchen.de", "joe@xn--mnchen-3ya.de"));
        assert!(!is_same("joe@x.com", "mary@x.com"));
    }

    #[test]
    fn redirector_names_one_host() {
        for (url, is) in [
            ("http://r.example/r?u=http%3A%2F%2Fwww.cnn.com%2F", true),
            (
                "http://r.example/r?u=http%3A%2F%2Fwww.cnn.com%2F%3Fv%3Dhttp%253A%252F%252Fevil.org",
                false,
            ),
            (
                "http://r.example/r?u=http%3A%2F%2Fcnn.com%2F&v=http%3A%2F%2Fevil.org",
                false,
            ),
            ("http://r.example/r?u=cnn.com", false),
            ("http://r.example/r", false),
        ] {
            assert_eq!(names_only(url, "cnn.com"), is, "{url}");
        }
    }
}
