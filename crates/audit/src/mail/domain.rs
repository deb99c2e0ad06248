//! Hosts as browsers read them, their sites, and what people are shown in their place.

use std::net::{Ipv4Addr, Ipv6Addr};

use baseref_findings::Level;
use baseref_resolve::parts;
use baseref_resolve::{Resolver, Rules};
use baseref_wrappers::public_suffix;
use percent_encoding::percent_decode_str;

use super::super::{host, rules};
use super::{Found, Opened};

/// The host of a URL as a browser reads it: in ASCII, numbers as an IP address.
pub(super) fn host_of(url: &str) -> Option<String> {
    if !parts::has_host(url) {
        return None;
    }
    let resolver = Resolver::new(Rules::Whatwg, None, encoding_rs::UTF_8);
    let read = resolver.resolve(url).ok()?;
    let host = parts::host(&read)?;
    Some(host.trim_end_matches('.').to_owned())
}

/// Whether a host is an IP address, given as a browser reads it.
pub(super) fn is_ip(host: &str) -> bool {
    let six = host
        .strip_prefix('[')
        .and_then(|host| host.strip_suffix(']'));
    host.parse::<Ipv4Addr>().is_ok() || six.is_some_and(|six| six.parse::<Ipv6Addr>().is_ok())
}

/// What a single owner controls: the registrable domain, private suffixes included, or else the host.
pub(super) fn site(host: &str) -> &str {
    if is_ip(host) {
        return host;
    }
    public_suffix::domain(host).unwrap_or(host)
}

/// The registered label of a host, without its public suffix.
pub(super) fn label(host: &str) -> Option<&str> {
    if is_ip(host) {
        return None;
    }
    public_suffix::domain(host)?.split('.').next()
}

/// Whether a name is a registrable domain under a public suffix of ICANN's, or below one.
pub(super) fn is_registrable(host: &str) -> bool {
    let host = host.to_lowercase();
    let is_name = |c: char| c.is_alphanumeric() || "-._".contains(c);
    public_suffix::is_under_known(&host)
        && host.chars().all(is_name)
        && !host.split('.').any(str::is_empty)
}

/// The site of a URL, for the cause of a finding: the URL's scheme if it has no host.
pub(super) fn site_of(url: &str) -> String {
    match host_of(url) {
        Some(host) => site(&host).to_owned(),
        None => parts::scheme(url).unwrap_or_default().into_owned(),
    }
}

/// What a URL hides before its host, and hosts without a name.
pub(super) fn check(found: &mut Found<'_, '_>, opened: &Opened<'_>) {
    let url = opened.final_url();
    if !parts::is_special(url) || parts::has_scheme(url, "file") {
        return;
    }
    let Some(read) = host_of(url) else {
        return;
    };
    if let Some(shown) = shown_before_host(url) {
        let message = format!(
            "it shows \"{shown}\" before the @, and leads to {read}{}",
            opened.through()
        );
        found.add(&rules::USERINFO_TRICK, opened, site(&read), message);
    }
    if is_ip(&read) {
        let message = format!("its host is the address {read}{}", opened.through());
        let finding = found.add(&rules::IP_HOST, opened, &*read, message);
        if host::is_private(url) {
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
    fn hosts_are_read_as_browsers_do() {
        for (url, host) in [
            ("https://WWW.A.example./x", Some("www.a.example")),
            ("http://012345267142/", Some("83.149.110.98")),
            ("http://3232235777/", Some("192.168.1.1")),
            ("http://b\u{fc}cher.example/", Some("xn--bcher-kva.example")),
            ("mailto:a@b.example", None),
        ] {
            assert_eq!(host_of(url).as_deref(), host, "{url}");
        }
        assert_eq!(site("a.b.co.uk"), "b.co.uk");
        assert_eq!(site("1.2.3.4"), "1.2.3.4");
        assert_eq!(label("www.roses.co.za"), Some("roses"));
        for (host, is) in [
            ("a.co.uk", true),
            ("co.uk", false),
            ("readme.txt", false),
            ("x.com", true),
        ] {
            assert_eq!(is_registrable(host), is, "{host}");
        }
    }

    #[test]
    fn only_what_looks_like_a_host_deceives() {
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
