//! Private hosts in URLs.

use baseref_resolve::host_in_browsers;

/// Whether the host of a URL, as a browser reads it, is this machine, in a private network, or a single
/// label. `0x7f.1` is 127.0.0.1.
pub(crate) fn is_private(url: &str) -> bool {
    host_in_browsers(url).is_some_and(|host| baseref_hosts::is_private(&host))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn private_and_public_hosts() {
        for url in [
            "http://localhost:1313/",
            "http://127.0.0.1/",
            "http://[::1]:80/",
            "http://u@10.1.2.3/",
            "http://192.168.0.1/",
            "http://169.254.1.1/",
            "http://printer.local/",
            "http://wiki.internal./",
            "http://intranet/",
            "http://0x7f.1/",
            "http://2130706433/",
            "http://lo%63alhost/",
        ] {
            assert!(is_private(url), "{url}");
        }
        for url in [
            "http://example.com/",
            "http://8.8.8.8/",
            "http://h%2ex/",
            "http://h.4x/",
            "http://mylocalhost.com/",
            "file:///etc/motd",
            "mailto:a@localhost",
            "/localhost",
        ] {
            assert!(!is_private(url), "{url}");
        }
    }
}
