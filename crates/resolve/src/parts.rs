//! The components of a URL by the generic syntax (RFC 3986 §3): slices of the URL, neither decoded nor
//! normalized.
//!
//! These functions are for resolved URLs. References are split by the parsers of their rule sets.

use std::borrow::Cow;

use memchr::{memchr, memchr2, memchr3, memrchr};

use crate::scheme;

/// The scheme, in lower case (RFC 3986 §3.1).
#[must_use]
pub fn scheme(url: &str) -> Option<Cow<'_, str>> {
    Some(in_lower_case(&url[..scheme::end(url)?]))
}

/// Whether a URL has this scheme, which is given in lower case.
#[must_use]
pub fn has_scheme(url: &str, wanted: &str) -> bool {
    scheme::end(url).is_some_and(|end| url[..end].eq_ignore_ascii_case(wanted))
}

/// Whether the scheme is special (URL Standard, "special scheme"), so that browsers always read a host
/// and a path after it.
#[must_use]
pub fn is_special(url: &str) -> bool {
    const SPECIAL: [&str; 6] = ["http", "https", "ftp", "file", "ws", "wss"];
    scheme::end(url).is_some_and(|end| {
        SPECIAL
            .iter()
            .any(|one| url[..end].eq_ignore_ascii_case(one))
    })
}

/// Whether a URL has a scheme and an opaque path (URL Standard, "opaque path"), even if its text
/// contains slashes: `mailto:?body=https://a.example/`, `javascript:open('http://a.example/')`,
/// `data:,x`.
#[must_use]
pub fn is_opaque(url: &str) -> bool {
    let end = scheme::end(url);
    end.is_some_and(|end| !url[end + 1..].starts_with('/')) && !is_special(url)
}

/// Where the authority begins and ends, as offsets.
fn authority_at(url: &str) -> Option<(usize, usize)> {
    authority_from(url, scheme::end(url).map_or(0, |colon| colon + 1))
}

/// Like [`authority_at`], given where the scheme with its colon ends.
fn authority_from(url: &str, start: usize) -> Option<(usize, usize)> {
    let start = start + url[start..].strip_prefix("//").map(|_| "//".len())?;
    let length = memchr3(b'/', b'?', b'#', &url.as_bytes()[start..]);
    Some((start, length.map_or(url.len(), |length| start + length)))
}

/// The authority (RFC 3986 §3.2): user, host and port, as written. `None` without a `//`; empty in
/// `file:///a`.
#[must_use]
pub fn authority(url: &str) -> Option<&str> {
    authority_at(url).map(|(start, end)| &url[start..end])
}

/// Scheme and authority, as written: `http://h:80`, or `file://` for `file:///a`. Empty if the URL does
/// not have both.
#[must_use]
pub fn origin(url: &str) -> &str {
    let authority = scheme::end(url).and_then(|colon| authority_from(url, colon + 1));
    authority.map_or("", |(_, end)| &url[..end])
}

/// Whether two URLs have a scheme and authority, and have the same, ignoring case. Ports are compared
/// as written.
#[must_use]
pub fn same_origin(one: &str, other: &str) -> bool {
    let own = origin(one);
    !own.is_empty() && own.eq_ignore_ascii_case(origin(other))
}

/// The host of an authority, as written; `None` if it is empty, or a bracket is not closed.
fn host_of(authority: &str) -> Option<&str> {
    let host = match authority.rsplit_once('@') {
        Some((_, host)) => host,
        None => authority,
    };
    let host = if host.starts_with('[') {
        // RFC 3986 §3.2.2 IP-literal: its colons are its own.
        &host[..=host.find(']')?]
    } else {
        &host[..memchr(b':', host.as_bytes()).unwrap_or(host.len())]
    };
    (!host.is_empty()).then_some(host)
}

/// The host in lower case, without user and port; `None` if the URL has no authority or an empty host.
#[must_use]
pub fn host(url: &str) -> Option<Cow<'_, str>> {
    host_of(authority(url)?).map(in_lower_case)
}

/// A network-path reference, `//host/path` (RFC 1808 §2.2, `net_path`), without the white space around
/// it; `None` for any other reference. Only its scheme comes from a base (RFC 1808 §4 step 2c), so
/// [`host`] finds its host without one.
///
/// ```
/// use baseref_resolve::parts::{host, network_path};
///
/// let reference = network_path(" //Cdn.example/a.png").unwrap();
/// assert_eq!(host(reference).as_deref(), Some("cdn.example"));
/// assert_eq!(network_path("/a.png"), None);
/// ```
#[must_use]
pub fn network_path(reference: &str) -> Option<&str> {
    let reference = reference.trim_matches(|c: char| c <= ' ');
    (reference.starts_with("//") && has_host(reference)).then_some(reference)
}

/// Whether two URLs have the same host, or both have none.
#[must_use]
pub fn have_one_host(one: &str, other: &str) -> bool {
    // Comparing origins is cheaper and nearly always enough.
    let origin = origin(one);
    let is_of_origin = !origin.is_empty()
        && other
            .strip_prefix(origin)
            .is_some_and(|rest| rest.starts_with('/'));
    is_of_origin || host(one) == host(other)
}

/// The host without a leading `www.`; sites are served under both names.
#[must_use]
pub fn without_www(host: &str) -> &str {
    host.strip_prefix("www.").unwrap_or(host)
}

/// Whether a URL names a host.
#[must_use]
pub fn has_host(url: &str) -> bool {
    authority(url).and_then(host_of).is_some()
}

/// Whether a URL contains a user name or password.
#[must_use]
pub fn has_userinfo(url: &str) -> bool {
    let authority = authority(url).unwrap_or_default();
    memrchr(b'@', authority.as_bytes()).is_some_and(|length| length > 0)
}

/// The path, as written: what follows the authority, or the scheme, up to the query.
#[must_use]
pub fn path(url: &str) -> &str {
    let start = match authority_at(url) {
        Some((_, end)) => end,
        None => scheme::end(url).map_or(0, |colon| colon + 1),
    };
    without_query(&url[start..])
}

/// The URL up to its query or fragment.
#[must_use]
pub fn without_query(url: &str) -> &str {
    &url[..memchr2(b'?', b'#', url.as_bytes()).unwrap_or(url.len())]
}

/// The query, as written; `None` without a question mark before the fragment.
#[must_use]
pub fn query(url: &str) -> Option<&str> {
    let bare = without_fragment(url);
    memchr(b'?', bare.as_bytes()).map(|mark| &bare[mark + 1..])
}

/// The URL up to its fragment.
#[must_use]
pub fn without_fragment(url: &str) -> &str {
    &url[..memchr(b'#', url.as_bytes()).unwrap_or(url.len())]
}

/// The fragment, as written; `None` without a number sign.
#[must_use]
pub fn fragment(url: &str) -> Option<&str> {
    memchr(b'#', url.as_bytes()).map(|hash| &url[hash + 1..])
}

fn in_lower_case(text: &str) -> Cow<'_, str> {
    if text.bytes().any(|byte| byte.is_ascii_uppercase()) {
        Cow::Owned(text.to_ascii_lowercase())
    } else {
        Cow::Borrowed(text)
    }
}

/// A table of bytes: whether each is an ASCII letter, a digit or one of `others`. To look at every byte of
/// a URL by it is faster than by conditions.
#[must_use]
pub const fn letters_digits_and(others: &[u8]) -> [bool; 256] {
    let mut table = [false; 256];
    let mut byte = 0_u8;
    while byte < 128 {
        table[byte as usize] = byte.is_ascii_alphanumeric();
        byte += 1;
    }
    let mut at = 0;
    while at < others.len() {
        table[others[at] as usize] = true;
        at += 1;
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_are_compared_without_case_port_and_scheme() {
        for (one, other, is) in [
            ("http://a.example/x", "http://a.example/y", true),
            ("http://a.example", "https://u@A.example:8/", true),
            ("http://a.example/", "http://a.example.net/", false),
            ("mailto:a@b", "data:,", true),
            ("mailto:a@b", "http://b/", false),
        ] {
            assert_eq!(have_one_host(one, other), is, "{one} {other}");
            assert_eq!(have_one_host(other, one), is, "{other} {one}");
        }
    }

    #[test]
    fn components_of_url() {
        type Parts = (
            Option<&'static str>,
            &'static str,
            Option<&'static str>,
            &'static str,
            Option<&'static str>,
            Option<&'static str>,
        );
        let cases: [(&str, Parts); 13] = [
            (
                "HTTP://u:p@WWW.Example:80/a%20b?c#d",
                (
                    Some("http"),
                    "HTTP://u:p@WWW.Example:80",
                    Some("www.example"),
                    "/a%20b",
                    Some("c"),
                    Some("d"),
                ),
            ),
            (
                "http://[::1]:80/",
                (
                    Some("http"),
                    "http://[::1]:80",
                    Some("[::1]"),
                    "/",
                    None,
                    None,
                ),
            ),
            (
                "http://[::1/",
                (Some("http"), "http://[::1", None, "/", None, None),
            ),
            (
                "http://h",
                (Some("http"), "http://h", Some("h"), "", None, None),
            ),
            (
                "http://h?",
                (Some("http"), "http://h", Some("h"), "", Some(""), None),
            ),
            (
                "http://:80/",
                (Some("http"), "http://:80", None, "/", None, None),
            ),
            ("http:/h/x", (Some("http"), "", None, "/h/x", None, None)),
            (
                "file:///a#b?c",
                (Some("file"), "file://", None, "/a", None, Some("b?c")),
            ),
            ("//h/a", (None, "", Some("h"), "/a", None, None)),
            (
                "mailto:a@b?body=http://c/#",
                (
                    Some("mailto"),
                    "",
                    None,
                    "a@b",
                    Some("body=http://c/"),
                    Some(""),
                ),
            ),
            (
                "javascript:open('http://x/y')",
                (
                    Some("javascript"),
                    "",
                    None,
                    "open('http://x/y')",
                    None,
                    None,
                ),
            ),
            ("a/b://c", (None, "", None, "a/b://c", None, None)),
            ("", (None, "", None, "", None, None)),
        ];
        for (url, parts) in cases {
            let [scheme, host] = [scheme(url), host(url)];
            let found = (
                scheme.as_deref(),
                origin(url),
                host.as_deref(),
                path(url),
                query(url),
                fragment(url),
            );
            assert_eq!(found, parts, "{url}");
            assert_eq!(has_host(url), parts.2.is_some(), "{url}");
        }
    }

    #[test]
    fn opaque_url_may_contain_another_url() {
        for url in [
            "mailto:?body=https://a.example/",
            "javascript:open('http://a.example/')",
            "JAVASCRIPT:x",
            "data:text/html,<a href=http://a.example/>",
            "tel:1",
            "urn:a:b",
            "about:blank",
            "magnet:?tr=udp://a.example",
            "cid:a@b",
        ] {
            assert!(is_opaque(url), "{url}");
        }
        for url in [
            "http:a",
            "https://h/",
            "FILE:x",
            "ws:h",
            "gemini://h/a",
            "x:/a",
            "a/b:c",
            "",
            "//h",
            ":x",
        ] {
            assert!(!is_opaque(url), "{url}");
        }
    }

    #[test]
    fn origins_are_compared_without_case() {
        assert!(same_origin("http://H/a", "HTTP://h?b"));
        assert!(same_origin("file:///a", "file:///b"));
        assert!(!same_origin("http://h/", "https://h/"));
        assert!(!same_origin("http://h/", "http://h:80/"));
        assert!(!same_origin("mailto:a", "mailto:a"));
    }

    #[test]
    fn userinfo_precedes_host() {
        assert!(has_userinfo("https://me:secret@a.example/"));
        assert!(!has_userinfo("https://@a.example/"));
        assert!(!has_userinfo("https://a.example/@me"));
        assert!(!has_userinfo("mailto:me@a.example"));
    }
}
