//! Content that a message loads, forms that it has, and files that it carries.

use baseref_document::link_places::{Class, Grammar};
use baseref_reader::links::PartReference;
use baseref_resolve::parts;

use super::mail_findings::MailFindings;
use super::pixel;
use super::unwrapped_link::UnwrappedLink;
use crate::rules::mail::data_url_page::DataUrlPage;
use crate::rules::mail::form_action::FormAction;
use crate::rules::mail::meta_refresh::MetaRefresh;
use crate::rules::mail::remote_content::RemoteContent;
use crate::rules::mail::tracker_pixel::TrackerPixel;
use crate::rules::mail::unsafe_scheme::UnsafeScheme;

pub(super) fn check(findings: &mut MailFindings<'_, '_>, opened: &UnwrappedLink<'_>) {
    let url = opened.final_url();
    let reference = &opened.link.reference;
    if reference.slot.class == Class::Form {
        let site = &*opened.site();
        let through = opened.through();
        findings.add(opened, site, FormAction { site, through });
    }
    if opened.is_followed() && is_page_in_url(url) {
        findings.add(opened, "data:", DataUrlPage);
    } else if opened.is_followed() || reference.slot.class == Class::Form {
        scheme(findings, opened, url);
    }
    if reference.slot.grammar == Grammar::Refresh {
        let site = &*opened.site();
        let through = opened.through();
        findings.add(opened, site, MetaRefresh { site, through });
        scheme(findings, opened, url);
    }
    let is_on_the_web = parts::has_scheme(url, "http") || parts::has_scheme(url, "https");
    // A part of the message with this location is shown in its place (RFC 2557 §8.2).
    let is_carried = matches!(opened.link.part, PartReference::Part(_));
    if opened.is_loaded() && is_on_the_web && !is_carried {
        remote(findings, opened, url);
    }
}

/// Checks the scheme of a URL that a reader opens.
fn scheme(findings: &mut MailFindings<'_, '_>, opened: &UnwrappedLink<'_>, url: &str) {
    let scheme = parts::scheme(url).filter(|scheme| is_unsafe(scheme));
    let Some(scheme) = scheme.filter(|_| !is_image_in_url(url)) else {
        return;
    };
    let message = UnsafeScheme {
        scheme: &scheme,
        through: opened.through(),
    };
    findings.add(opened, format!("{scheme}:"), message);
}

/// Whether a scheme, in lower case, runs code, opens files or starts programs.
fn is_unsafe(scheme: &str) -> bool {
    // Microsoft's schemes start its programs: ms-word, ms-msdt, ms-appinstaller, ms-officecmd and others.
    let is_of_programs = scheme.starts_with("ms-") || scheme.starts_with("web+");
    is_of_programs || UNSAFE.contains(&scheme)
}

/// Schemes that run code, carry or open files, or install programs.
const UNSAFE: [&str; 24] = [
    "javascript",
    "vbscript",
    "livescript",
    "data",
    "blob",
    "file",
    "smb",
    "search",
    "search-ms",
    "shell",
    "ldap",
    "jar",
    "res",
    "mhtml",
    "mk",
    "its",
    "hcp",
    "view-source",
    "wyciwyg",
    "filesystem",
    "intent",
    "itms-services",
    "onenote",
    "vnd.ms.radio",
];

/// Whether a URL is an image itself.
fn is_image_in_url(url: &str) -> bool {
    let start = url.get(..11);
    start.is_some_and(|start| start.eq_ignore_ascii_case("data:image/"))
}

/// Whether a URL is a document itself.
fn is_page_in_url(url: &str) -> bool {
    let Some(rest) = url.get(5..).filter(|_| parts::has_scheme(url, "data")) else {
        return false;
    };
    let kind = rest.split([',', ';']).next().unwrap_or_default().trim();
    let kind = kind.to_ascii_lowercase();
    matches!(
        &*kind,
        "text/html" | "application/xhtml+xml" | "image/svg+xml" | "text/xml" | "application/xml"
    )
}

fn remote(findings: &mut MailFindings<'_, '_>, opened: &UnwrappedLink<'_>, url: &str) {
    let site = &*opened.site();
    match pixel::sign(opened, url) {
        Some(sign) => findings.add(opened, site, TrackerPixel { site, sign }),
        None => findings.add(opened, site, RemoteContent { site }),
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn schemes_that_run_code_or_open_files() {
        for scheme in [
            "javascript",
            "data",
            "search-ms",
            "file",
            "ms-msdt",
            "ms-word",
        ] {
            assert!(is_unsafe(scheme), "{scheme}");
        }
        for scheme in [
            "http", "https", "ftp", "mailto", "tel", "sms", "cid", "mid", "geo", "webcal",
        ] {
            assert!(!is_unsafe(scheme), "{scheme}");
        }
    }

    #[test]
    fn data_url_with_a_page() {
        for (url, is) in [
            ("data:text/html,<b>", true),
            ("DATA:Text/HTML;charset=utf-8;base64,PGI+", true),
            ("data:image/svg+xml,<svg>", true),
            ("data:image/gif;base64,R0", false),
            ("data:,x", false),
            ("https://a.example/data:text/html", false),
        ] {
            assert_eq!(is_page_in_url(url), is, "{url}");
        }
    }
}
