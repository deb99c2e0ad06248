//! What a message loads, sends and carries.

use baseref_document::link_places::Class;
use baseref_reader::links::PartReference;
use baseref_resolve::parts;

use super::mail_findings::MailFindings;
use super::pixel;
use super::unwrapped_link::UnwrappedLink;
use crate::rules::mail::data_url_page::DataUrlPage;
use crate::rules::mail::form_action::FormAction;
use crate::rules::mail::remote_content::RemoteContent;
use crate::rules::mail::tracker_pixel::TrackerPixel;

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
    }
    let is_on_the_web = parts::has_scheme(url, "http") || parts::has_scheme(url, "https");
    // A part of the message with this location is shown in its place (RFC 2557 §8.2).
    let is_carried = matches!(opened.link.part, PartReference::Part(_));
    if opened.is_loaded() && is_on_the_web && !is_carried {
        remote(findings, opened, url);
    }
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
