//! The site of a host.

use baseref_hosts::{is_ip, suffix};

/// What a single owner controls: the registrable domain, private suffixes included, or else the host.
/// Under a suffix that is not on the list, as in `sso.corp.internal`, it is the last two labels (Public
/// Suffix List, algorithm, step 2).
pub(crate) fn site(host: &str) -> &str {
    if let Some(site) = baseref_hosts::site(host) {
        return site;
    }
    let is_listed = suffix(host).is_some();
    let dots = host.rmatch_indices('.');
    match dots.map(|(at, _)| at).nth(1) {
        Some(dot) if !is_listed && !is_ip(host) => &host[dot + 1..],
        _ => host,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn site_under_listed_and_other_suffixes() {
        for (host, found) in [
            ("www.a.co.uk", "a.co.uk"),
            ("co.uk", "co.uk"),
            ("sso.corp.internal", "corp.internal"),
            ("corp.internal", "corp.internal"),
            ("intranet", "intranet"),
            ("10.0.0.1", "10.0.0.1"),
            ("[::1]", "[::1]"),
        ] {
            assert_eq!(site(host), found);
        }
    }
}
