//! The host of a URL as a browser reads it.

use std::borrow::Cow;

use crate::authority::{is_ipv4, without_plain_port};
use crate::parts;
use crate::{Resolver, Rules};

/// The host of a URL as a browser reads it (URL Standard, "host parser"), without a final dot: in ASCII
/// and lower case, escapes decoded, every notation of an IPv4 address as four numbers. Browsers also
/// find a host after a single slash. `None` if the URL names no host, or one that browsers refuse.
///
/// ```
/// use baseref_resolve::host_in_browsers;
///
/// assert_eq!(host_in_browsers("http://0x7f.1/").as_deref(), Some("127.0.0.1"));
/// assert_eq!(host_in_browsers("http://b\u{fc}cher.example/").as_deref(), Some("xn--bcher-kva.example"));
/// ```
#[must_use]
pub fn host_in_browsers(url: &str) -> Option<Cow<'_, str>> {
    let is_of_web = is_of_web(url);
    let authority = parts::authority(url).filter(|_| is_of_web);
    let host = authority.and_then(without_plain_port);
    if let Some(host) = host.filter(|host| is_obvious(host)) {
        return Some(Cow::Borrowed(host.strip_suffix('.').unwrap_or(host)));
    }
    // Browsers find the host of an http URL after any number of slashes.
    if !is_of_web && !parts::has_host(url) {
        return None;
    }
    let resolver = Resolver::new(Rules::Whatwg, None, encoding_rs::UTF_8);
    let read = resolver.resolve(url).ok()?;
    let host = parts::host(&read)?;
    Some(Cow::Owned(host.trim_end_matches('.').to_owned()))
}

fn is_of_web(url: &str) -> bool {
    parts::has_scheme(url, "http") || parts::has_scheme(url, "https")
}

/// Whether browsers take a host unchanged. Nearly all hosts pass this test, which costs a hundredth of
/// parsing. A host that ends in a number would be an IP address, and Punycode may be invalid.
fn is_obvious(host: &str) -> bool {
    let name = host.strip_suffix('.').unwrap_or(host);
    let last = name.rsplit('.').next().unwrap_or_default();
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_');
    let is_name = last.starts_with(|first: char| first.is_ascii_alphabetic())
        && name.bytes().all(is_plain)
        && !name.bytes().any(|byte| byte.is_ascii_uppercase())
        && !name.contains("xn--");
    is_name || is_ipv4(host)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn host_as_browsers_read_it() {
        for (url, host) in [
            ("https://www.a.example./x", Some("www.a.example")),
            ("https://WWW.A.example./x", Some("www.a.example")),
            ("http://012345267142/", Some("83.149.110.98")),
            ("http://3232235777/", Some("192.168.1.1")),
            ("http://b\u{fc}cher.example/", Some("xn--bcher-kva.example")),
            ("http://lo%63alhost/", Some("localhost")),
            ("http://a.example\\@b.example/", Some("a.example")),
            ("http://u@a.example:80/", Some("a.example")),
            ("http://127.0.0.1:8000/", Some("127.0.0.1")),
            ("http://a.example.:8000/", Some("a.example")),
            ("http://h.4x/", Some("h.4x")),
            ("http://[::1]:80/", Some("[::1]")),
            ("https:/a.example/x", Some("a.example")),
            ("https:a.example", Some("a.example")),
            ("http:///a.example", Some("a.example")),
            ("http:\\\\a.example/x", Some("a.example")),
            ("http:", None),
            ("foo:/a.example/", None),
            ("http://a b/", None),
            ("http://h%2fx/", None),
            ("mailto:a@b.example", None),
            ("file:///etc/motd", None),
            ("/x", None),
        ] {
            assert_eq!(host_in_browsers(url).as_deref(), host, "{url}");
        }
    }

    proptest! {
        #[test]
        fn fast_path_agrees_with_parser(host in "[a-cA-C0-3._\\-%@:\\\\xnu]{1,12}") {
            let url = format!("http://{host}/");
            let is_short = without_plain_port(&host).is_some_and(is_obvious);
            if let Some(short) = is_short.then(|| host_in_browsers(&url)).flatten() {
                let resolver = Resolver::new(Rules::Whatwg, None, encoding_rs::UTF_8);
                let read = resolver.resolve(&url).expect("browsers accept a host that was found");
                let whole = parts::host(&read).expect("an http URL has a host");
                prop_assert_eq!(short, whole.trim_end_matches('.'));
            }
        }
    }
}
