//! Content Security Policy 3 "base-uri": which URLs a document's policies allow as its base.

use percent_encoding::percent_decode_str;
use url::{Origin, Url};

/// Whether every one of the serialized policies allows the URL as the base of a document retrieved
/// from `own`: CSP3 §6.3.1.1 "Is base allowed for document?".
///
/// Departs: where the document's own URL is unknown, `'self'` allows every URL: its author wrote
/// the policy and the base for the same place.
pub fn allow<'p>(
    policies: impl IntoIterator<Item = &'p str>,
    url: &str,
    own: Option<&str>,
) -> bool {
    let Ok(url) = Url::parse(url) else {
        return true;
    };
    let own = own.and_then(|own| Url::parse(own).ok());
    let mut lists = policies.into_iter().filter_map(source_list);
    lists.all(|list| matches_list(list, &url, own.as_ref()))
}

/// The value of the first `base-uri` directive (CSP3 §2.2.1 "parse a serialized CSP").
fn source_list(policy: &str) -> Option<&str> {
    let mut directives = policy.split(';').map(str::trim_ascii);
    directives.find_map(|directive| {
        let (name, value) = directive
            .split_once(|c: char| c.is_ascii_whitespace())
            .unwrap_or((directive, ""));
        name.eq_ignore_ascii_case("base-uri").then_some(value)
    })
}

/// CSP3 §6.7.2.5 "Does url match source list in origin with redirect count?". An empty list and
/// `'none'` match nothing.
fn matches_list(list: &str, url: &Url, own: Option<&Url>) -> bool {
    list.split_ascii_whitespace()
        .any(|expression| matches_expression(expression, url, own))
}

/// CSP3 §6.7.2.8 "Does url match expression in origin with redirect count?".
fn matches_expression(expression: &str, url: &Url, own: Option<&Url>) -> bool {
    if expression == "*" {
        return matches!(url.scheme(), "http" | "https" | "ws" | "wss")
            || own.is_none_or(|own| scheme_matches(own.scheme(), url.scheme()));
    }
    if expression.eq_ignore_ascii_case("'self'") {
        return own.is_none_or(|own| is_self(own, url));
    }
    if expression.starts_with('\'') {
        return false;
    }
    match SourceExpression::parse(expression) {
        Some(source) => source.matches(url, own),
        None => false,
    }
}

/// `'self'`: the same origin, or the same host under a more secure scheme, each on its default
/// port.
fn is_self(own: &Url, url: &Url) -> bool {
    if let origin @ Origin::Tuple(..) = own.origin()
        && origin == url.origin()
    {
        return true;
    }
    own.host() == url.host()
        && own.host().is_some()
        && own.port().is_none()
        && url.port().is_none()
        && (matches!(url.scheme(), "https" | "wss")
            || own.scheme() == "http" && url.scheme() == "ws")
}

/// CSP3 §6.7.2.9 "scheme-part matches".
fn scheme_matches(allowed: &str, scheme: &str) -> bool {
    allowed.eq_ignore_ascii_case(scheme)
        || match scheme {
            "https" => ["http", "ws", "wss"]
                .iter()
                .any(|lesser| allowed.eq_ignore_ascii_case(lesser)),
            "wss" | "http" => allowed.eq_ignore_ascii_case("ws"),
            _ => false,
        }
}

/// `scheme-source` or `host-source` of CSP3 §2.3.1.
#[derive(Debug, PartialEq, Eq)]
struct SourceExpression<'e> {
    scheme: Option<&'e str>,
    host: &'e str,
    port: &'e str,
    path: &'e str,
}

impl<'e> SourceExpression<'e> {
    fn parse(expression: &'e str) -> Option<Self> {
        if let Some(scheme) = expression.strip_suffix(':')
            && !scheme.contains(['/', ':', '.'])
        {
            return Some(Self {
                scheme: Some(scheme),
                host: "",
                port: "",
                path: "",
            });
        }
        let (scheme, rest) = match expression.split_once("://") {
            Some((scheme, rest)) => (Some(scheme), rest),
            None => (None, expression),
        };
        let (host_and_port, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
        let (host, port) = host_and_port.split_once(':').unwrap_or((host_and_port, ""));
        (!host.is_empty()).then_some(Self {
            scheme,
            host,
            port,
            path,
        })
    }

    fn matches(&self, url: &Url, own: Option<&Url>) -> bool {
        let by_scheme = match self.scheme {
            Some(scheme) => scheme_matches(scheme, url.scheme()),
            None => own.is_none_or(|own| scheme_matches(own.scheme(), url.scheme())),
        };
        if !by_scheme || self.host.is_empty() {
            return by_scheme;
        }
        self.host_matches(url) && self.port_matches(url) && self.path_matches(url)
    }

    /// CSP3 §6.7.2.10 "host-part matches".
    fn host_matches(&self, url: &Url) -> bool {
        let Some(host) = url.host_str() else {
            return false;
        };
        match self.host.strip_prefix('*') {
            Some("") => true,
            Some(domain) => host
                .get(host.len().saturating_sub(domain.len())..)
                .is_some_and(|end| {
                    host.len() > domain.len()
                        && domain.starts_with('.')
                        && end.eq_ignore_ascii_case(domain)
                }),
            None => host.eq_ignore_ascii_case(self.host),
        }
    }

    /// CSP3 §6.7.2.11 "port-part matches".
    fn port_matches(&self, url: &Url) -> bool {
        let port = url.port_or_known_default();
        match self.port {
            "*" => true,
            "" => url.port().is_none(),
            wanted => {
                let wanted: Option<u16> = wanted.parse().ok();
                wanted.is_some() && (wanted == port || wanted == Some(80) && port == Some(443))
            }
        }
    }

    /// CSP3 §6.7.2.12 "path-part matches".
    fn path_matches(&self, url: &Url) -> bool {
        if self.path.is_empty() || self.path == "/" && url.path().is_empty() {
            return true;
        }
        let decoded = |text| percent_decode_str(text).collect::<Vec<u8>>();
        if self.path.ends_with('/') {
            decoded(url.path()).starts_with(&decoded(self.path))
        } else {
            decoded(url.path()) == decoded(self.path)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base_needs_permission_of_every_policy() {
        let own = Some("http://a.example/p/q.html");
        for (policy, url, expected) in [
            ("default-src 'none'", "http://x/", true),
            ("base-uri", "http://x/", false),
            ("base-uri 'none'", "http://a.example/", false),
            ("img-src *; BASE-URI 'none'; base-uri *", "http://x/", false),
            ("base-uri *", "http://x/", true),
            ("base-uri *", "data:x", false),
            ("base-uri 'SELF'", "http://a.example/other/", true),
            ("base-uri 'self'", "https://a.example/", true),
            ("base-uri 'self'", "http://a.example:8080/", false),
            ("base-uri 'self'", "http://b.example/", false),
            ("base-uri https:", "https://b.example/", true),
            ("base-uri https:", "http://b.example/", false),
            ("base-uri http:", "https://b.example/", true),
            ("base-uri b.example", "http://b.example/x", true),
            ("base-uri b.example", "https://b.example/x", true),
            ("base-uri b.example", "ftp://b.example/x", false),
            ("base-uri *.b.example", "http://c.b.example/x", true),
            ("base-uri *.b.example", "http://b.example/x", false),
            ("base-uri http://b.example:80", "https://b.example/", true),
            ("base-uri http://b.example:*", "http://b.example:81/", true),
            ("base-uri http://b.example:81", "http://b.example:81/", true),
            ("base-uri http://b.example/x/", "http://b.example/x/y", true),
            ("base-uri http://b.example/x/", "http://b.example/z", false),
            (
                "base-uri http://b.example/x%20y",
                "http://b.example/x y",
                true,
            ),
            ("base-uri http://b.example/x", "http://b.example/x/y", false),
            ("base-uri 'nonce-x' b.example", "http://b.example/", true),
        ] {
            assert_eq!(allow([policy], url, own), expected, "{policy} {url}");
        }
        let both = ["base-uri *", "base-uri 'self'"];
        assert!(!allow(both, "http://b.example/", own));
        assert!(allow(["base-uri 'self'"], "http://b.example/", None));
    }
}
