//! Hosts that contain another host, and paths that begin with one.

use baseref_resolve::parts;

use crate::request::UrlParts;
use crate::target::is_public_host;

/// Removes a suffix from the host of a URL.
pub fn without_suffix(url: &str, suffix: &str) -> Option<String> {
    let authority = parts::authority(url)?;
    let start = url.find("//")? + 2;
    let host = start + authority.rfind('@').map_or(0, |at| at + 1);
    let port = url[host..start + authority.len()].find(':');
    let end = port.map_or(start + authority.len(), |port| host + port);
    let name = url[host..end].trim_end_matches('.');
    let length = name.len().checked_sub(suffix.len())?;
    let (site, found) = name.split_at_checked(length)?;
    let is_it = found.eq_ignore_ascii_case(suffix) && is_public_host(site);
    is_it.then(|| format!("{}{site}{}", &url[..host], &url[end..]))
}

/// Decodes `host/s/path`, which is served over HTTPS.
pub fn host_and_path(value: &str) -> Option<String> {
    let (host, path) = value.split_once("/s/")?;
    let is_host = !host.contains('/') && is_public_host(host);
    is_host.then(|| format!("https://{host}/{path}"))
}

/// Decodes a host of Google Translate's proxy, where `-` stands for a dot and `--` for a hyphen. One of the
/// parameters that the proxy adds marks pages without HTTPS. Other encodings of names are not decoded.
pub fn translated(request: &UrlParts<'_>) -> Option<String> {
    let (label, _) = request.host.split_once('.')?;
    let host = label
        .replace("--", "\0")
        .replace('-', ".")
        .replace('\0', "-");
    let is_own = |parameter: &&str| parameter.starts_with("_x_tr_");
    let mut own = request.query.split('&').filter(is_own);
    if !is_public_host(&host) || own.clone().any(|own| own.starts_with("_x_tr_enc=")) {
        return None;
    }
    let scheme = if own.any(|own| own == "_x_tr_sch=http") {
        "http"
    } else {
        "https"
    };
    let query: Vec<_> = request
        .query
        .split('&')
        .filter(|other| !is_own(other))
        .collect();
    let mark = if query.concat().is_empty() { "" } else { "?" };
    let query = query.join("&");
    let fragment = parts::fragment(request.url).map(|fragment| format!("#{fragment}"));
    let path = request.path;
    let fragment = fragment.unwrap_or_default();
    Some(format!("{scheme}://{host}{path}{mark}{query}{fragment}"))
}

/// Decodes a name of `FeedSportal`: `0` and a letter stand for a character that is not allowed in names, or for
/// a frequent string.
pub fn feedsportal(value: &str) -> Option<String> {
    let mut parts = value.split('0');
    let mut url = parts.next()?.to_owned();
    for part in parts {
        let letter = part.bytes().next()?;
        let found = FEEDSPORTAL.iter().find(|(known, _)| *known == letter);
        url.push_str(found?.1);
        url.push_str(&part[1..]);
    }
    Some(url)
}

const FEEDSPORTAL: [(u8, &str); 25] = [
    (b'A', "0"),
    (b'B', "."),
    (b'C', "/"),
    (b'D', "?"),
    (b'E', "-"),
    (b'F', "="),
    (b'G', "&"),
    (b'H', ","),
    (b'I', "_"),
    (b'J', "%"),
    (b'K', "+"),
    (b'L', "http://"),
    (b'M', "https://"),
    (b'N', ".com"),
    (b'O', ".co.uk"),
    (b'P', ";"),
    (b'Q', "|"),
    (b'R', ":"),
    (b'S', "www."),
    (b'T', "#"),
    (b'U', "$"),
    (b'V', "~"),
    (b'W', "!"),
    (b'X', "("),
    (b'Y', ")"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn host_suffix_is_removed() {
        for (url, site) in [
            (
                "https://www.a.com.mcas.ms/x?y#z",
                Some("https://www.a.com/x?y#z"),
            ),
            ("https://u@A.com.MCAS.ms.:443", Some("https://u@A.com:443")),
            ("https://a.com.mcas.ms", Some("https://a.com")),
            ("https://login.mcas.ms/a.com.mcas.ms", None),
            ("https://a.commcas.ms/", None),
            ("https://a.com/", None),
            ("https://\u{e4}/", None),
        ] {
            assert_eq!(without_suffix(url, ".mcas.ms").as_deref(), site, "{url}");
        }
    }

    #[test]
    fn host_with_path() {
        assert_eq!(
            host_and_path("a.com/s/b/c").as_deref(),
            Some("https://a.com/b/c")
        );
        assert_eq!(host_and_path("x/a.com/s/b"), None);
        assert_eq!(host_and_path("a/s/b"), None);
    }

    #[test]
    fn translate_proxy() {
        for (url, page) in [
            (
                "https://de-m-wikipedia-org.translate.goog/wiki/A?b=1&_x_tr_sl=de#c",
                Some("https://de.m.wikipedia.org/wiki/A?b=1#c"),
            ),
            (
                "https://a--b-com.translate.goog/?_x_tr_sch=http&_x_tr_sl=de",
                Some("http://a-b.com/"),
            ),
            ("https://a-com.translate.goog/?_x_tr_enc=1", None),
            ("https://translate.translate.goog/", None),
        ] {
            let request = UrlParts::new(url).unwrap();
            assert_eq!(translated(&request).as_deref(), page, "{url}");
        }
    }

    #[test]
    fn feedsportal_names() {
        for (value, url) in [
            ("0L0Sa0N0Cb0Ec0Bhtm", Some("http://www.a.com/b-c.htm")),
            ("0Ma0B0A0Bexample0C", Some("https://a.0.example/")),
            ("0Ma0zb", None),
            ("a0", None),
        ] {
            assert_eq!(feedsportal(value).as_deref(), url, "{value}");
        }
    }
}
