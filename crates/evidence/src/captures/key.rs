//! Which URLs share a capture: one key per tier, equal for URLs that are equal in that tier.
//!
//! Replay systems disagree. pywb looks up every URL by one key, SURT, which folds nearly everything here;
//! ReplayWeb.page looks it up as written first, then by rules of its own. So the tiers are tried in order,
//! and the first one with a capture wins.

use std::borrow::Cow;
use std::fmt::Write;

use baseref_resolve::authority::{is_ipv4, without_plain_port};
use baseref_resolve::parts::{letters_digits_and, without_fragment};
use baseref_resolve::{Resolver, Rules};

/// How closely a URL matches the URL of a capture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Tier {
    /// Their normal forms are equal.
    Exact,
    /// They differ at most in `http` and `https`, `www` and the user name.
    Twin,
    /// They differ at most in what most servers ignore (case, the last slash, session ids, the order of
    /// parameters) and what some replay systems ignore (cache busters, campaign parameters).
    #[default]
    Loose,
}

impl Tier {
    /// Every tier, the strictest first.
    pub const ALL: [Self; 3] = [Self::Exact, Self::Twin, Self::Loose];

    /// The name in options and reports.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Twin => "twin",
            Self::Loose => "loose",
        }
    }
}

/// What a link needs its target for, which decides the parameters ignored by [`Tier::Loose`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Need {
    /// As a page that a person visits.
    Page,
    /// As a resource of a page.
    Resource,
}

/// Whether a URL can have captures.
#[must_use]
pub fn is_archivable(url: &str) -> bool {
    ["http:", "https:", "ftp:"].iter().any(|scheme| {
        url.get(..scheme.len())
            .is_some_and(|own| own.eq_ignore_ascii_case(scheme))
    })
}

/// Whether a URL is that of a file on the computer that saved a page, which only that page's package can
/// hold.
#[must_use]
pub fn is_saved_file(url: &str) -> bool {
    const SCHEME: &str = "file:";
    let scheme = url.get(..SCHEME.len());
    scheme.is_some_and(|scheme| scheme.eq_ignore_ascii_case(SCHEME))
}

/// The normal form of a URL, without its fragment: serialized by the URL Standard, then with escapes
/// normalized (RFC 3986 §6.2.2). A URL that the standard rejects is returned unchanged.
#[must_use]
pub fn exact(url: &str) -> Cow<'_, str> {
    let bare = without_fragment(url);
    if is_normal(bare) {
        return Cow::Borrowed(bare);
    }
    let resolver = Resolver::new(Rules::Whatwg, None, encoding_rs::UTF_8);
    match resolver.resolve(bare) {
        Ok(url) => Cow::Owned(with_plain_escapes(&url)),
        Err(_) => Cow::Borrowed(bare),
    }
}

/// The characters of a path or query that normalization leaves as they are.
static NORMAL: [bool; 256] = letters_digits_and(b"-_~/.?=&+,:@!$()*;");

/// Whether a URL is evidently in normal form, as most are.
fn is_normal(url: &str) -> bool {
    let rest = url.strip_prefix("https://");
    let Some(rest) = rest.or_else(|| url.strip_prefix("http://")) else {
        return false;
    };
    let is_host =
        |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || matches!(b, b'.' | b'-' | b':');
    let end = rest.bytes().position(|b| !is_host(b)).unwrap_or(rest.len());
    let (authority, path) = rest.split_at(end);
    let Some(host) = without_plain_port(authority) else {
        return false;
    };
    let last = host.rsplit('.').next().unwrap_or_default();
    // Other numbers are IP addresses as well, and Punycode has to be validated.
    let is_punycode = host.bytes().any(|byte| byte == b'-') && host.contains("xn--");
    let is_name = last.starts_with(|c: char| c.is_ascii_lowercase()) && !is_punycode;
    let is_name = is_name || is_ipv4(host);
    let mut before = 0;
    let is_plain = |byte: u8| {
        let follows_slash = std::mem::replace(&mut before, byte) == b'/';
        NORMAL[usize::from(byte)] && !(follows_slash && byte == b'.')
    };
    is_name && path.starts_with('/') && path.bytes().all(is_plain)
}

/// Decodes escaped unreserved characters, and writes other escapes in upper case.
fn with_plain_escapes(url: &str) -> String {
    let mut plain = String::with_capacity(url.len());
    let mut rest = url;
    while let Some(at) = rest.find('%') {
        plain.push_str(&rest[..at]);
        rest = &rest[at..];
        let byte = rest.get(1..3).and_then(|digits| {
            let is_number = digits.bytes().all(|b| b.is_ascii_hexdigit());
            u8::from_str_radix(digits, 16).ok().filter(|_| is_number)
        });
        let Some(byte) = byte else {
            plain.push('%');
            rest = &rest[1..];
            continue;
        };
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            plain.push(byte.into());
        } else {
            let _ = write!(plain, "%{byte:02X}");
        }
        rest = &rest[3..];
    }
    plain.push_str(rest);
    plain
}

/// The key of the tier [`Tier::Twin`] for a URL in normal form.
#[must_use]
pub fn twin(exact: &str) -> String {
    let (scheme, rest) = split_scheme(exact);
    let end = rest.bytes().position(|byte| matches!(byte, b'/' | b'?'));
    let (authority, path) = rest.split_at(end.unwrap_or(rest.len()));
    let host = host_of(authority);
    let mut key = String::with_capacity(exact.len());
    if !matches!(scheme, "http" | "https") {
        key.push_str(scheme);
        key.push(':');
    }
    key.push_str(host.trim_end_matches('.'));
    key.push_str(if path.is_empty() { "/" } else { path });
    key
}

/// The host and port of a URL in normal form, without `www`: crawls are scoped by it.
#[must_use]
pub fn host(exact: &str) -> &str {
    let (_, rest) = split_scheme(exact);
    let end = rest
        .bytes()
        .position(|byte| matches!(byte, b'/' | b'?' | b'#'));
    host_of(&rest[..end.unwrap_or(rest.len())])
}

/// The scheme of a URL, empty if there is none, and what follows the slashes.
fn split_scheme(url: &str) -> (&str, &str) {
    // Nearly always the first colon ends the scheme.
    let colon = url.bytes().position(|byte| byte == b':');
    let (scheme, after) = url.split_at(colon.unwrap_or_default());
    match after.strip_prefix("://") {
        Some(rest) => (scheme, rest),
        None => url.split_once("://").unwrap_or(("", url)),
    }
}

/// An authority without its user name and without `www` or a numbered `www2`.
fn host_of(authority: &str) -> &str {
    let host = authority.rsplit('@').next().unwrap_or_default();
    let after = host.strip_prefix("www").unwrap_or(host);
    let number = after.trim_start_matches(|c: char| c.is_ascii_digit());
    match number.strip_prefix('.') {
        Some(domain) if after.len() < host.len() && domain.contains('.') => domain,
        _ => host,
    }
}

/// The key of the tier [`Tier::Loose`] for a [`twin`] key.
///
/// Departs: SURT also equates `//` and `/`, `%2F` and `/`, `%2B` and `+` in a query, `ftp` and `http`, and
/// drops `www.` even in front of a top-level domain; servers distinguish these. SURT keeps a session id at
/// the end of a query, and empty parameters.
#[must_use]
pub fn loose(twin: &str, need: Need) -> String {
    let lower = twin.to_lowercase();
    let (path, query) = match lower.split_once('?') {
        Some((path, query)) => (path, Some(with_literals(query, LITERAL_IN_QUERY))),
        None => (&*lower, None),
    };
    let query = query.as_deref();
    let mut key = without_session(&with_literals(path, LITERAL_IN_PATH));
    // The path `/` stays.
    let root = key.find('/').unwrap_or(key.len());
    while key.len() > root + 1 && key.ends_with('/') {
        key.pop();
    }
    let mut parameters: Vec<&str> = query.unwrap_or_default().split('&').collect();
    let has_token = parameters.iter().any(|own| own.starts_with("cftoken="));
    parameters.retain(|own| !own.is_empty() && !is_session(own, has_token));
    parameters.retain(|own| match need {
        Need::Page => !is_campaign(own),
        Need::Resource => !is_cache_buster(own),
    });
    parameters.sort_unstable();
    for (number, parameter) in parameters.into_iter().enumerate() {
        key.push(if number == 0 { '?' } else { '&' });
        key.push_str(parameter);
    }
    key
}

/// The key, for a [`twin`] key, of a file that servers send regardless of the query; `None` if it does not
/// have the extension of one.
///
/// Source: wabac.js, `fuzzymatcher.ts`, the extensions looked up without the query.
#[must_use]
pub fn file(twin: &str) -> Option<String> {
    const FILES: [&str; 9] = [
        ".js", ".webm", ".mp4", ".gif", ".jpg", ".png", ".css", ".json", ".m3u8",
    ];
    let path = twin.split('?').next().unwrap_or_default().to_lowercase();
    let path = without_session(&with_literals(&path, LITERAL_IN_PATH));
    FILES.iter().any(|end| path.ends_with(end)).then_some(path)
}

/// Characters that browsers do not escape in a path, and that servers equate with their escapes.
const LITERAL_IN_PATH: &[u8] = b"!$&'()*+,:=@|[]^";

/// The same for a query, where `&`, `=` and `+` have a meaning.
const LITERAL_IN_QUERY: &[u8] = b"!$()*,/:;?@|[]^`{}";

/// Decodes the escapes of these characters.
fn with_literals<'t>(text: &'t str, literals: &[u8]) -> Cow<'t, str> {
    if !text.contains('%') {
        return Cow::Borrowed(text);
    }
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('%') {
        plain.push_str(&rest[..at]);
        rest = &rest[at..];
        let digits = rest.get(1..3);
        let byte = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok());
        let literal = byte.filter(|byte| literals.contains(byte));
        plain.push(literal.map_or('%', char::from));
        rest = &rest[if literal.is_some() { 3 } else { 1 }..];
    }
    plain.push_str(rest);
    Cow::Owned(plain)
}

/// A path without a session id: `;jsessionid=`, or the folder of ASP.NET.
fn without_session(path: &str) -> String {
    const JSESSIONID: &str = ";jsessionid=";
    let mut path = path.to_owned();
    if !path.bytes().any(|byte| matches!(byte, b';' | b'(')) {
        return path;
    }
    if let Some(at) = path.find(JSESSIONID) {
        let value = &path[at + JSESSIONID.len()..];
        let length = value.bytes().take_while(u8::is_ascii_alphanumeric).count();
        if length >= 32 {
            let rest = value[length..]
                .find(['/', ';'])
                .map_or(value.len(), |end| length + end);
            path.replace_range(at..at + JSESSIONID.len() + rest, "");
        }
    }
    if path.strip_suffix(".aspx").is_some()
        && let Some(at) = path.find("/(")
        && let Some(length) = path[at + 1..].find('/')
        && is_folder_of_session(&path[at + 1..at + 1 + length])
    {
        path.replace_range(at..=at + length, "");
    }
    path
}

/// Whether a folder is an ASP.NET session: `(s(24 characters))`, with one or more such groups, or the older
/// `(24 characters)`.
fn is_folder_of_session(name: &str) -> bool {
    let inner = name
        .strip_prefix('(')
        .and_then(|name| name.strip_suffix(')'));
    let mut rest = inner.unwrap_or_default();
    if rest.len() == 24 && rest.bytes().all(|b| b.is_ascii_alphanumeric()) {
        return true;
    }
    while !rest.is_empty() {
        let id = rest
            .get(2..26)
            .filter(|id| id.bytes().all(|b| b.is_ascii_alphanumeric()));
        let is_one = id.is_some()
            && rest.starts_with(|c: char| c.is_ascii_lowercase())
            && rest.as_bytes().get(1) == Some(&b'(')
            && rest.as_bytes().get(26) == Some(&b')');
        if !is_one {
            return false;
        }
        rest = &rest[27..];
    }
    inner.is_some_and(|inner| !inner.is_empty())
}

/// Whether a parameter, in lower case, is a session id.
///
/// Source: surt, `IAURLCanonicalizer.py`. Departs: it is removed wherever it is in the query.
fn is_session(parameter: &str, has_token: bool) -> bool {
    let Some((name, value)) = parameter.split_once('=') else {
        return false;
    };
    let is_id = |length| value.len() == length && value.bytes().all(|b| b.is_ascii_alphanumeric());
    match name {
        "phpsessid" | "jsessionid" | "sid" => is_id(32),
        "cfid" | "cftoken" => has_token,
        _ => name.starts_with("aspsessionid") && name.len() == 20 && is_id(24),
    }
}

/// Whether a parameter identifies a campaign.
fn is_campaign(parameter: &str) -> bool {
    let name = parameter.split('=').next().unwrap_or_default();
    name.starts_with("utm_") || matches!(name, "fbclid" | "gclid")
}

/// Whether a parameter is a cache buster.
///
/// Source: pywb, `rules.yaml`, the last rule, and wabac.js, `fuzzymatcher.ts`.
fn is_cache_buster(parameter: &str) -> bool {
    let (name, value) = parameter.split_once('=').unwrap_or((parameter, ""));
    let is_number = !value.is_empty() && value.bytes().all(|b| b.is_ascii_digit());
    let is_time = is_number && value.starts_with('1') && (13..=16).contains(&value.len());
    is_campaign(parameter)
        || matches!(name, "_" | "cb" | "uncache") && is_number
        || name == "_ga"
        || name.contains("cache")
        || name == "callback" && value.starts_with("jsonp")
        || value.strip_prefix("jquery").is_some_and(is_jquery)
        || (name.contains("bust") || name.contains("ts")) && is_time
}

/// Two numbers joined by `_`.
fn is_jquery(rest: &str) -> bool {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    rest.split_once('_')
        .is_some_and(|(one, other)| is_number(one) && is_number(other))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn normal_form_as_in_the_url_standard() {
        for (url, expected) in [
            ("http://x.org/a#b", "http://x.org/a"),
            ("HTTP://X.org:80/a/../b/./c", "http://x.org/b/c"),
            ("http://x.org", "http://x.org/"),
            ("http://x.org/a%7eb/%c3%a9%2f", "http://x.org/a~b/%C3%A9%2F"),
            ("http://x.org/a b|c", "http://x.org/a%20b|c"),
            (
                "http://b\u{fc}cher.example/",
                "http://xn--bcher-kva.example/",
            ),
            ("http://x.org/a?", "http://x.org/a?"),
            ("http://x.org/a//b;x?q=%zz", "http://x.org/a//b;x?q=%zz"),
            ("http://x.org/100%", "http://x.org/100%"),
            ("http://exa mple/", "http://exa mple/"),
            ("https://127.1/", "https://127.0.0.1/"),
        ] {
            assert_eq!(exact(url), expected, "{url}");
        }
    }

    #[test]
    fn plainly_normal_urls() {
        for url in [
            "http://x.org/a/b.html?c=d&e",
            "https://a-b.x.org/(x);y@z",
            "http://127.0.0.1/",
            "http://127.0.0.1:8000/a",
            "http://x.org:8080/",
        ] {
            assert!(is_normal(url));
            let resolver = Resolver::new(Rules::Whatwg, None, encoding_rs::UTF_8);
            assert_eq!(resolver.resolve(url).as_deref(), Ok(url));
        }
    }

    #[test]
    fn twins_differ_only_in_scheme_www_and_user() {
        let key = |url| twin(&exact(url));
        let own = key("http://x.org/A?b");
        for same in [
            "https://x.org/A?b",
            "https://www.x.org/A?b",
            "http://www2.x.org/A?b",
            "http://u:p@x.org/A?b",
            "http://x.org./A?b",
        ] {
            assert_eq!(key(same), own, "{same}");
        }
        for other in [
            "http://x.org/a?b",
            "http://x.org:8080/A?b",
            "http://wwwx.org/A?b",
            "http://w.x.org/A?b",
            "ftp://x.org/A?b",
            "http://x.org/A?b&",
        ] {
            assert_ne!(key(other), own, "{other}");
        }
        // The domain itself is not a subdomain.
        assert_eq!(host("http://www.org/"), "www.org");
        assert_eq!(host("https://www.x.org:8080/"), "x.org:8080");
    }

    #[test]
    fn loosely_equal_urls() {
        let id = "0123456789abcdef0123456789abcdef";
        let short = &id[..24];
        for (one, other, pages, resources) in [
            ("/Case.html", "/case.html", true, true),
            ("/a/", "/a", true, true),
            ("/a?", "/a", true, true),
            ("/a?b=2&a=1", "/a?a=1&b=2", true, true),
            ("/a?b=1", "/a?b=2", false, false),
            ("/x.php?PHPSESSID=ID&a=1", "/x.php?a=1", true, true),
            ("/x.php?a=1&PHPSESSID=ID", "/x.php?a=1", true, true),
            ("/x.php?phpsessid=1", "/x.php", false, false),
            ("/x.jsp;jsessionid=ID?a", "/x.jsp?a", true, true),
            ("/x.jsp;jsessionid=ID.node1", "/x.jsp", true, true),
            ("/(s(SHORT))/p.aspx", "/p.aspx", true, true),
            ("/(s(SHORT))/p.html", "/p.html", false, false),
            ("/(SHORT)/p.aspx", "/p.aspx", true, true),
            ("/a%2C%28b%29%7C", "/a,(b)|", true, true),
            ("/a?b=c%2Fd%3Ae", "/a?b=c/d:e", true, true),
            ("/a?b=%2B", "/a?b=+", false, false),
            ("/a?b%26c", "/a?b&c", false, false),
            ("/a%3Bb", "/a;b", false, false),
            ("/100%25", "/100%", false, false),
            ("/a?cfid=1&cftoken=2&x", "/a?x", true, true),
            ("/a?cfid=1&x", "/a?x", false, false),
            ("/a?utm_source=b", "/a", true, true),
            ("/a?gclid=b&c", "/a?c", true, true),
            ("/a?_=123", "/a", false, true),
            ("/a?callback=jQuery12_34", "/a", false, true),
            ("/a?ts=1712345678901", "/a", false, true),
            ("/a?ts=17", "/a", false, false),
            ("/a?nocache=x", "/a", false, true),
            ("/a;x", "/a", false, false),
            ("/a//b", "/a/b", false, false),
            ("/a%2Fb", "/a/b", false, false),
        ] {
            let key = |path: &str, need| {
                let path = path.replace("ID", id).replace("SHORT", short);
                loose(&twin(&exact(&format!("http://x.org{path}"))), need)
            };
            for (need, expected) in [(Need::Page, pages), (Need::Resource, resources)] {
                let path = one.replace("PHPSESSID", "phpsessid");
                let is_equal = key(&path, need) == key(other, need);
                assert_eq!(is_equal, expected, "{one} {other} {need:?}");
            }
        }
    }

    #[test]
    fn query_of_a_file_is_ignored() {
        assert_eq!(file("x.org/S.css?v=1"), file("x.org/s.css"));
        assert_eq!(file("x.org/a%2Cb.css"), file("x.org/a,b.css?v"));
        assert_eq!(file("x.org/page.php?id=1"), None);
        assert_eq!(file("x.org/a?f=s.css"), None);
    }
}
