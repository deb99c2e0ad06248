//! Authorities that need no parsing: every rule set and every browser leaves their port and address as
//! written.

use std::net::Ipv4Addr;

/// An authority without its port. `None` if a parser may rewrite or drop the port: if it is not a
/// number, has leading zeros, or is the default port of a scheme.
///
/// ```
/// use baseref_resolve::authority::without_plain_port;
///
/// assert_eq!(without_plain_port("127.0.0.1:8000"), Some("127.0.0.1"));
/// assert_eq!(without_plain_port("a.example"), Some("a.example"));
/// assert_eq!(without_plain_port("a.example:80"), None);
/// ```
#[must_use]
pub fn without_plain_port(authority: &str) -> Option<&str> {
    /// The default ports of `http`, `https` and `ftp`, and of `ws` and `wss`.
    const DEFAULTS: [u16; 3] = [80, 443, 21];
    let Some((host, port)) = authority.split_once(':') else {
        return Some(authority);
    };
    let is_number = port.bytes().all(|byte| byte.is_ascii_digit()) && !port.starts_with('0');
    let number = port.parse().ok().filter(|_| is_number)?;
    (!DEFAULTS.contains(&number)).then_some(host)
}

/// Whether a host is an IPv4 address as browsers write it: four numbers without leading zeros.
///
/// ```
/// use baseref_resolve::authority::is_ipv4;
///
/// assert!(is_ipv4("127.0.0.1"));
/// assert!(!is_ipv4("127.1") && !is_ipv4("127.0.0.01"));
/// ```
#[must_use]
pub fn is_ipv4(host: &str) -> bool {
    host.parse::<Ipv4Addr>().is_ok()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{Rules, resolve};

    #[test]
    fn port_that_parsers_change_is_not_plain() {
        for authority in [
            "a:", "a:0", "a:08000", "a:65536", "a:+81", "a:81:82", "a:x", "[::1]:81",
        ] {
            assert_eq!(without_plain_port(authority), None, "{authority}");
        }
    }

    proptest! {
        #[test]
        fn plain_authority_is_unchanged_by_every_rule_set(
            authority in "(a\\.example|[0-9.]{7,11}|127\\.0\\.0\\.1|0x7f\\.1)(:[0-9]{0,6})?",
        ) {
            let host = without_plain_port(&authority);
            if host.is_some_and(|host| is_ipv4(host) || host == "a.example") {
                let url = format!("http://{authority}/");
                for rules in Rules::ALL {
                    let resolved = resolve(rules, None, &url);
                    prop_assert_eq!(resolved.as_deref(), Ok(&*url));
                }
            }
        }
    }
}
