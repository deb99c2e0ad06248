//! Hosts of links: user information that looks like a host, and addresses without a name.

use baseref_findings::Level;
use baseref_hosts::{is_ip, is_private, is_registrable};
use baseref_resolve::parts;
use percent_encoding::percent_decode_str;

use super::mail_findings::MailFindings;
use super::site::site;
use super::unwrapped_link::UnwrappedLink;
use crate::rules::mail::ip_host::IpHost;
use crate::rules::mail::userinfo_trick::UserinfoTrick;

/// Checks a URL for user information that looks like a host, and for an IP address as its host.
pub(super) fn check(findings: &mut MailFindings<'_, '_>, opened: &UnwrappedLink<'_>) {
    let url = opened.final_url();
    if !parts::is_special(url) || parts::has_scheme(url, "file") {
        return;
    }
    let Some(read) = opened.host() else {
        return;
    };
    if let Some(shown) = shown_before_host(url) {
        let message = UserinfoTrick {
            shown: &shown,
            host: read,
            through: opened.through(),
        };
        findings.add(opened, site(read), message);
    }
    if is_ip(read) {
        let through = opened.through();
        let finding = findings.add(opened, read, IpHost { ip: read, through });
        if is_private(read) {
            finding.level = Level::Note;
        }
    }
}

/// The user information of a URL, if it looks like a host.
fn shown_before_host(url: &str) -> Option<String> {
    let authority = parts::authority(url)?;
    let (user, _) = authority.rsplit_once('@')?;
    let user = percent_decode_str(user).decode_utf8_lossy();
    let name = user.split([':', '/', '-', '@']).next().unwrap_or_default();
    let is_like_host = is_registrable(name) || user.contains('.') && !user.contains('@');
    is_like_host.then(|| user.into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn userinfo_that_looks_like_a_host() {
        for (url, shown) in [
            ("http://paypal.com@h.example/", Some("paypal.com")),
            (
                "http://youtube.com-watch@h.example/",
                Some("youtube.com-watch"),
            ),
            ("http://t-online.com@012345267142/", Some("t-online.com")),
            ("http://me:secret@h.example/", None),
            ("http://h.example/@paypal.com", None),
        ] {
            assert_eq!(shown_before_host(url).as_deref(), shown, "{url}");
        }
    }
}
