//! A URL as its server sees it, and its parameters.

use std::borrow::Cow;

use baseref_resolve::parts;

/// The parts of an `http` or `https` URL.
#[derive(Clone, Debug)]
pub struct UrlParts<'u> {
    /// The whole URL.
    pub url: &'u str,
    /// The host, in lower case, without a final dot.
    pub host: Cow<'u, str>,
    /// The path, as written; `/` if it is empty.
    pub path: &'u str,
    /// The query, as written.
    pub query: &'u str,
}

/// Puts two slashes before the host of an `http` or `https` URL. Browsers accept any number of slashes and
/// backslashes (URL Standard, "special authority ignore slashes state").
pub fn with_slashes(url: &str) -> Cow<'_, str> {
    let Some((scheme, rest)) = after_scheme(url) else {
        return Cow::Borrowed(url);
    };
    let is_slash = |byte: Option<&u8>| matches!(byte, Some(b'/' | b'\\'));
    if rest.starts_with("//") && !is_slash(rest.as_bytes().get(2)) {
        return Cow::Borrowed(url);
    }
    let host = rest.trim_start_matches(['/', '\\']);
    Cow::Owned(format!("{scheme}://{host}"))
}

/// Splits an `http` or `https` URL, in any case, at its first colon.
fn after_scheme(url: &str) -> Option<(&str, &str)> {
    let end = if url.as_bytes().get(4) == Some(&b':') {
        4
    } else {
        5
    };
    let (scheme, rest) = url.split_at_checked(end)?;
    let is_of_web = scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https");
    Some((scheme, rest.strip_prefix(':').filter(|_| is_of_web)?))
}

impl<'u> UrlParts<'u> {
    /// Splits a URL; `None` for other schemes and invalid hosts.
    pub fn new(url: &'u str) -> Option<Self> {
        let (_, rest) = after_scheme(url)?;
        let rest = rest.strip_prefix("//")?;
        let end = memchr::memchr3(b'/', b'?', b'#', rest.as_bytes());
        let (authority, after) = rest.split_at(end.unwrap_or(rest.len()));
        let host = host(authority)?;
        let is_name = !host.is_empty() && host.len() <= MAX_HOST && !host.starts_with('.');
        let after = parts::without_fragment(after);
        let query = memchr::memchr(b'?', after.as_bytes());
        let (path, query) = query.map_or((after, ""), |at| (&after[..at], &after[at + 1..]));
        is_name.then_some(Self {
            url,
            host,
            path: if path.is_empty() { "/" } else { path },
            query,
        })
    }

    /// The query and the fragment, including `?` and `#`, as written.
    pub fn rest(&self) -> &'u str {
        self.url.find(['?', '#']).map_or("", |at| &self.url[at..])
    }

    /// The value of the first of these parameters that is present and not empty, as written. `&amp;` also
    /// separates parameters, since URLs are often escaped once too often.
    pub fn parameter(&self, names: &[&str], any_case: bool) -> Option<&'u str> {
        names.iter().find_map(|name| self.named(name, any_case))
    }

    fn named(&self, name: &str, any_case: bool) -> Option<&'u str> {
        parameters(self.query)
            .filter(|(found, value)| {
                let is_it = *found == name || any_case && found.eq_ignore_ascii_case(name);
                is_it && !value.is_empty()
            })
            .map(|(_, value)| value)
            .next()
    }

    /// Whether there is a parameter with this name.
    pub fn has(&self, name: &str) -> bool {
        parameters(self.query).any(|(found, _)| found.eq_ignore_ascii_case(name))
    }
}

/// The host in an authority, in lower case and without a final dot; `None` if the authority has a backslash,
/// where browsers end it and RFC 3986 does not.
fn host(authority: &str) -> Option<Cow<'_, str>> {
    let is_plain = |byte: u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.');
    // Nearly all authorities are a plain host.
    if authority.bytes().all(is_plain) {
        return Some(Cow::Borrowed(
            authority.strip_suffix('.').unwrap_or(authority),
        ));
    }
    if memchr::memchr(b'\\', authority.as_bytes()).is_some() {
        return None;
    }
    let host = match authority.rsplit_once('@') {
        Some((_, host)) => host,
        None => authority,
    };
    let end = match host.strip_prefix('[') {
        Some(address) => address.find(']')? + 2,
        None => host.find(':').unwrap_or(host.len()),
    };
    let host = &host[..end];
    let host = host.strip_suffix('.').unwrap_or(host);
    Some(if host.bytes().any(|byte| byte.is_ascii_uppercase()) {
        Cow::Owned(host.to_ascii_lowercase())
    } else {
        Cow::Borrowed(host)
    })
}

/// RFC 1035 §2.3.4: no name is longer.
const MAX_HOST: usize = 255;

/// The parameters of a query, as written.
pub fn parameters(query: &str) -> impl Iterator<Item = (&str, &str)> {
    query.split('&').map(|parameter| {
        let parameter = parameter.strip_prefix("amp;").unwrap_or(parameter);
        parameter.split_once('=').unwrap_or((parameter, ""))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_parameter_that_is_not_empty() {
        let request = UrlParts::new("HTTPS://A.Example.:80?u=&amp;u=x=y&U=z#&u=w").unwrap();
        assert_eq!((&*request.host, request.path), ("a.example", "/"));
        assert_eq!(request.parameter(&["u"], false), Some("x=y"));
        assert_eq!(request.parameter(&["v", "U"], false), Some("z"));
        assert_eq!(request.parameter(&["q"], true), None);
        assert!(request.has("U"));
    }

    #[test]
    fn any_number_of_slashes_before_the_host() {
        for (url, found) in [
            ("https://a.example//b", "https://a.example//b"),
            ("https:/a.example/b", "https://a.example/b"),
            ("HTTP:a.example", "HTTP://a.example"),
            ("http:\\\\/a.example", "http://a.example"),
            ("mailto:a@b.example", "mailto:a@b.example"),
            ("https:////a.example", "https://a.example"),
            ("httpx://a.example", "httpx://a.example"),
            ("ftp:/a.example", "ftp:/a.example"),
            ("http:", "http://"),
            ("http", "http"),
            ("/x", "/x"),
            ("\u{e4}\u{e4}\u{e4}", "\u{e4}\u{e4}\u{e4}"),
        ] {
            assert_eq!(with_slashes(url), found, "{url}");
        }
    }

    #[test]
    fn other_schemes_have_no_request() {
        for url in [
            "mailto:a@b.example",
            "ftp://a.example/",
            "/x",
            "http:///x",
            "http://./",
            "http://a.example\\@b.example/",
        ] {
            assert!(UrlParts::new(url).is_none(), "{url}");
        }
    }
}
