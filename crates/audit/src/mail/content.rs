//! What a message loads, sends and carries.

use baseref_document::slots::Class;
use baseref_resolve::parts;

use super::super::rules;
use super::{Found, Opened};

pub(super) fn check(found: &mut Found<'_, '_>, opened: &Opened<'_>) {
    let url = opened.final_url();
    let reference = &opened.link.reference;
    if reference.slot.class == Class::Form {
        let site = opened.site();
        let message = format!("what is typed into it goes to {site}{}", opened.through());
        found.add(&rules::FORM_ACTION, opened, site, message);
    }
    if opened.is_followed() && is_page_in_url(url) {
        let message = "a whole page is in the link";
        found.add(&rules::DATA_URL_PAGE, opened, "data:", message);
    }
    let is_on_the_web = parts::has_scheme(url, "http") || parts::has_scheme(url, "https");
    if opened.is_loaded() && is_on_the_web {
        remote(found, opened, url);
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

fn remote(found: &mut Found<'_, '_>, opened: &Opened<'_>, url: &str) {
    let site = opened.site();
    if let Some(sign) = sign_of_pixel(opened, url) {
        let message = format!("opening the message is reported to {site}: {sign}");
        found.add(&rules::TRACKER_PIXEL, opened, site, message);
        return;
    }
    let message = format!("opening the message loads it from {site}");
    found.add(&rules::REMOTE_CONTENT, opened, site, message);
}

/// Why an image is one that only counts openings: a path that click trackers use for nothing else, or
/// an opaque token together with a path of this kind.
fn sign_of_pixel(opened: &Opened<'_>, url: &str) -> Option<&'static str> {
    if opened.link.reference.slot.element != "img" {
        return None;
    }
    let path = parts::path(url).to_ascii_lowercase();
    let counts = [
        "/wf/open",
        "/track/open.php",
        "/trk/open",
        "/e/o/",
        "/i0/",
        "/o/ej",
        "/oo/",
    ];
    if counts.iter().any(|sign| path.starts_with(sign)) {
        return Some("its path is that of a tracker of openings");
    }
    let is_weak = ["/o/", "/open", "/trk", "/o.gif", "/pixel", "/track"];
    let has_path =
        is_weak.iter().any(|sign| path.starts_with(sign)) || path.ends_with("/open.aspx");
    let tokens = url
        .split(['/', '?', '&', '=', '.', '~'])
        .filter(|token| is_token(token));
    (has_path && tokens.count() > 0).then_some("its path counts openings, and has a token")
}

/// Whether a part of a URL is an identifier that nobody reads.
fn is_token(text: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_".contains(&byte);
    text.len() >= SHORTEST_TOKEN
        && text.bytes().all(is_plain)
        && text.bytes().any(|byte| byte.is_ascii_digit())
}

/// Shorter ones occur in the names of images.
const SHORTEST_TOKEN: usize = 20;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_can_be_in_a_url() {
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
