//! The parts of a URL that reports have columns for.

use std::borrow::Cow;

use crate::resolve::rfc3986::Parts;

/// The scheme, in lower case.
#[must_use]
pub fn scheme(url: &str) -> Option<Cow<'_, str>> {
    Parts::parse(url).scheme.map(small)
}

/// The host, in lower case, without user and port; `None` if the URL has no authority or an empty
/// host.
#[must_use]
pub fn host(url: &str) -> Option<Cow<'_, str>> {
    let authority = Parts::parse(url).authority?;
    let host_and_port = authority
        .rsplit_once('@')
        .map_or(authority, |(_, host)| host);
    let host = match host_and_port.find(']') {
        // RFC 3986 §3.2.2 IP-literal: its colons are its own.
        Some(end) if host_and_port.starts_with('[') => &host_and_port[..=end],
        None if host_and_port.starts_with('[') => return None,
        _ => host_and_port.split(':').next().unwrap_or_default(),
    };
    (!host.is_empty()).then(|| small(host))
}

/// The registrable domain of the host by the Public Suffix List, private suffixes included: what a
/// single owner controls. `None` for IP addresses and for public suffixes themselves.
#[must_use]
pub fn site(url: &str) -> Option<String> {
    let host = host(url)?;
    let host = host.trim_end_matches('.');
    let is_address = host.starts_with('[') || host.parse::<std::net::Ipv4Addr>().is_ok();
    if is_address {
        return None;
    }
    psl::domain_str(host).map(str::to_owned)
}

/// The path, as written.
#[must_use]
pub fn path(url: &str) -> &str {
    Parts::parse(url).path
}

fn small(text: &str) -> Cow<'_, str> {
    if text.bytes().any(|byte| byte.is_ascii_uppercase()) {
        Cow::Owned(text.to_ascii_lowercase())
    } else {
        Cow::Borrowed(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_url_is_taken_apart() {
        for (url, parts) in [
            (
                "HTTP://u:p@WWW.Example.co.UK:8080/a%20b?c#d",
                [
                    Some("http"),
                    Some("www.example.co.uk"),
                    Some("example.co.uk"),
                    Some("/a%20b"),
                ],
            ),
            (
                "https://me.github.io/x",
                [
                    Some("https"),
                    Some("me.github.io"),
                    Some("me.github.io"),
                    Some("/x"),
                ],
            ),
            (
                "http://co.uk/",
                [Some("http"), Some("co.uk"), None, Some("/")],
            ),
            (
                "http://[::1]:80/",
                [Some("http"), Some("[::1]"), None, Some("/")],
            ),
            (
                "http://127.0.0.1/",
                [Some("http"), Some("127.0.0.1"), None, Some("/")],
            ),
            (
                "http://localhost",
                [Some("http"), Some("localhost"), None, Some("")],
            ),
            (
                "mailto:a@b.org",
                [Some("mailto"), None, None, Some("a@b.org")],
            ),
            ("file:///a", [Some("file"), None, None, Some("/a")]),
            (
                "http://www.b\u{fc}cher.de/",
                [
                    Some("http"),
                    Some("www.b\u{fc}cher.de"),
                    Some("b\u{fc}cher.de"),
                    Some("/"),
                ],
            ),
        ] {
            let found = [
                scheme(url),
                host(url),
                site(url).map(Cow::Owned),
                Some(Cow::Borrowed(path(url))),
            ];
            assert_eq!(found.each_ref().map(Option::as_deref), parts, "{url}");
        }
    }
}
