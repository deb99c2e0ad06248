//! Public suffixes and registered domains, by the Public Suffix List.

use baseref_suffixes::{PublicSuffix, SuffixKind};

use crate::is_ip;
use crate::recent;

/// A public suffix: the part of a name under which anyone can register a domain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Suffix<'h> {
    /// The suffix: `co.uk`.
    pub text: &'h str,
    /// Whether it belongs to the owner of a domain, such as `github.io`, and not to a registry.
    pub is_private: bool,
}

/// The public suffix of a host; `None` if no rule of the list matches.
#[must_use]
pub fn suffix(host: &str) -> Option<Suffix<'_>> {
    let PublicSuffix { length, kind } = recent::find(host)?;
    Some(Suffix {
        text: host.get(host.len() - length..)?,
        is_private: kind? == SuffixKind::Private,
    })
}

/// The registered domain of a host: the public suffix, private ones included, and one more label.
/// `None` for IP addresses and for public suffixes themselves.
#[must_use]
pub fn site(host: &str) -> Option<&str> {
    if is_ip(host) || host.starts_with('[') {
        return None;
    }
    registered(host.trim_end_matches('.'))
}

/// The suffix of a host, listed or not, and the label before it, including the final dot of the host.
fn registered(host: &str) -> Option<&str> {
    let label_end = host.len().checked_sub(recent::find(host)?.length + 1)?;
    let label = host.get(..label_end)?.rsplit('.').next()?;
    host.get(label_end - label.len()..)
        .filter(|_| label_end > 0)
}

/// The label that was registered, without the public suffix: `shop` for `www.shop.co.uk`.
#[must_use]
pub fn label(host: &str) -> Option<&str> {
    site(host)?.split('.').next()
}

/// Whether a text, in any case, is a host name below a listed public suffix.
#[must_use]
pub fn is_registrable(text: &str) -> bool {
    let host = text.to_lowercase();
    let is_name = |c: char| c.is_alphanumeric() || "-._".contains(c);
    suffix(&host).is_some()
        && registered(&host).is_some()
        && host.chars().all(is_name)
        && !host.split('.').any(str::is_empty)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn registered_domain() {
        for (host, found) in [
            ("a.b.co.uk", Some("b.co.uk")),
            ("a.b.co.uk.", Some("b.co.uk")),
            ("me.github.io", Some("me.github.io")),
            ("www.b\u{fc}cher.de", Some("b\u{fc}cher.de")),
            ("co.uk", None),
            ("localhost", None),
            ("1.2.3.4", None),
            ("[::1]", None),
            ("[v1.x]", None),
        ] {
            assert_eq!(site(host), found, "{host}");
        }
        assert_eq!(label("www.roses.co.za"), Some("roses"));
        assert_eq!(label("1.2.3.4"), None);
    }

    #[test]
    fn registered_domain_agrees_with_psl() {
        let labels = [
            "", "a", "www", "co", "uk", "com", "github", "io", "ck", "zz", "\u{e9}", "kobe", "jp",
            "city",
        ];
        let join = |end: &str| labels.map(|label| format!("{label}.{end}"));
        let pairs: Vec<String> = labels.into_iter().flat_map(join).collect();
        let triples = pairs.iter().flat_map(|pair| join(pair));
        for name in pairs.iter().cloned().chain(triples) {
            let expected = psl::domain_str(&name);
            // The second lookup is answered from the cache.
            for _ in 0..2 {
                let found = registered(&name);
                let found = found.map(|site| site.strip_suffix('.').unwrap_or(site));
                assert_eq!(found, expected, "{name:?}");
            }
        }
    }

    #[test]
    fn public_and_private_suffixes() {
        let of = |host| suffix(host).map(|suffix| (suffix.text, suffix.is_private));
        assert_eq!(of("a.co.uk"), Some(("co.uk", false)));
        assert_eq!(of("github.io"), Some(("github.io", true)));
        assert_eq!(of("readme.txt"), None);
    }

    #[test]
    fn registrable_names() {
        for (host, is) in [
            ("a.co.uk", true),
            ("X.com", true),
            ("me.github.io", true),
            ("co.uk", false),
            ("readme.txt", false),
            ("a..com", false),
            ("a b.com", false),
            ("", false),
        ] {
            assert_eq!(is_registrable(host), is, "{host}");
        }
    }
}
