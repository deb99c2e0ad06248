//! IP addresses, and hosts that are reachable only from their own network.

use std::net::{Ipv4Addr, Ipv6Addr};

/// Whether a host is an IP address.
#[must_use]
pub fn is_ip(host: &str) -> bool {
    host.parse::<Ipv4Addr>().is_ok() || ipv6(host).is_some()
}

/// The IPv6 address of a host in brackets.
fn ipv6(host: &str) -> Option<Ipv6Addr> {
    let address = host.strip_prefix('[')?.strip_suffix(']')?;
    address.parse().ok()
}

/// Whether a host is loopback, in a private network, or a name outside public DNS: one without a dot, or
/// under a name reserved for local use (RFC 6761, RFC 6762, RFC 8375).
#[must_use]
pub fn is_private(host: &str) -> bool {
    if host.starts_with('[') {
        return ipv6(host).is_some_and(|address| {
            address.is_loopback() || address.is_unique_local() || address.is_unicast_link_local()
        });
    }
    if let Ok(address) = host.parse::<Ipv4Addr>() {
        return address.is_loopback() || address.is_private() || address.is_link_local();
    }
    let host = host.trim_end_matches('.');
    let ends = [
        "localhost",
        "local",
        "internal",
        "lan",
        "intranet",
        "home.arpa",
    ];
    let is_reserved = |end: &str| {
        let before = host.strip_suffix(end);
        before.is_some_and(|before| before.is_empty() || before.ends_with('.'))
    };
    !host.is_empty() && (!host.contains('.') || ends.into_iter().any(is_reserved))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ip_addresses() {
        for host in ["127.0.0.1", "[::1]", "[2001:db8::1]"] {
            assert!(is_ip(host), "{host}");
        }
        for host in ["1.2.3", "::1", "[x]", "a.example", ""] {
            assert!(!is_ip(host), "{host}");
        }
    }

    #[test]
    fn private_and_public_hosts() {
        for host in [
            "localhost",
            "127.0.0.1",
            "10.1.2.3",
            "169.254.1.1",
            "[::1]",
            "[fd00::1]",
            "printer.local",
            "wiki.internal.",
            "intranet",
        ] {
            assert!(is_private(host), "{host}");
        }
        for host in [
            "example.com",
            "8.8.8.8",
            "mylocalhost.com",
            "[2001:db8::1]",
            "[x]",
            "",
        ] {
            assert!(!is_private(host), "{host}");
        }
    }
}
