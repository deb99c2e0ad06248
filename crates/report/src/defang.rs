//! URLs, hosts and addresses that nothing takes for links: `hxxps://a[.]example/`.

use std::borrow::Cow;

use baseref_resolve::parts;

/// A URL defanged: `hxxp`, and `[.]` in the host; in mail addresses also `[@]`.
#[must_use]
pub fn url(url: &str) -> String {
    let lower = url.to_ascii_lowercase();
    let mut text = String::with_capacity(url.len() + 16);
    let (before, host, after) = match url.split_once("//") {
        Some((before, rest)) if before.ends_with(':') => {
            let end = rest.find(['/', '?', '#', '\\']).unwrap_or(rest.len());
            (&url[..before.len() + 2], &rest[..end], &rest[end..])
        }
        _ if lower.starts_with("mailto:") => {
            let end = url.find('?').unwrap_or(url.len());
            let colon = "mailto:".len();
            (&url[..colon], &url[colon..end], &url[end..])
        }
        _ => ("", "", url),
    };
    text.push_str(&without_schemes(before));
    text.push_str(&host.replace('.', "[.]").replace('@', "[@]"));
    text.push_str(&without_schemes(after));
    text
}

/// A host defanged.
#[must_use]
pub fn host(host: &str) -> String {
    host.replace('.', "[.]")
}

/// A text with every URL, host and address in it defanged. A host is a word under a public suffix, so
/// that the names of files stay, unless they are hosts, too.
#[must_use]
pub fn text(text: &str) -> Cow<'_, str> {
    with_words(text, is_public)
}

/// A text that names no files: every name with a dot is a host.
#[must_use]
pub fn names(text: &str) -> Cow<'_, str> {
    with_words(text, |name| {
        let last = name.rsplit('.').next().unwrap_or_default();
        name.contains('.') && last.len() > 1 && !last.bytes().all(|byte| byte.is_ascii_digit())
    })
}

fn with_words(text: &str, is_host: fn(&str) -> bool) -> Cow<'_, str> {
    if !text.contains(['.', ':', '@']) {
        return Cow::Borrowed(text);
    }
    let mut defanged = String::with_capacity(text.len() + 16);
    let mut rest = text;
    while !rest.is_empty() {
        let end = rest.find(is_between).unwrap_or(rest.len());
        defanged.push_str(&word(&rest[..end], is_host));
        rest = &rest[end..];
        let end = rest.find(|c| !is_between(c)).unwrap_or(rest.len());
        defanged.push_str(&rest[..end]);
        rest = &rest[end..];
    }
    Cow::Owned(defanged)
}

/// What separates the words of a text.
fn is_between(c: char) -> bool {
    c.is_whitespace() || "<>\"'(),;|[]{}`".contains(c)
}

fn word(text: &str, is_host: fn(&str) -> bool) -> Cow<'_, str> {
    let has_scheme = parts::scheme(text).is_some_and(|scheme| !scheme.contains('.'));
    if has_scheme {
        return Cow::Owned(url(text));
    }
    let end = text.find(['/', '?', '#', ':']).unwrap_or(text.len());
    let name = text[..end].trim_end_matches('.');
    let host = name
        .rsplit('@')
        .next()
        .unwrap_or_default()
        .to_ascii_lowercase();
    let is_address = name.contains('@') && host.contains('.');
    let is_ip = host.parse::<std::net::Ipv4Addr>().is_ok();
    if is_address || is_ip || is_host(&host) {
        let name = name.replace('.', "[.]").replace('@', "[@]");
        return Cow::Owned(name + &without_schemes(&text[end..]));
    }
    Cow::Borrowed(text)
}

/// Whether a name is a host under a known public suffix.
fn is_public(name: &str) -> bool {
    baseref_hosts::suffix(name).is_some() && baseref_hosts::site(name).is_some()
}

/// Defangs `http` and `ftp` in the middle of a text, and the dots of the host that follows.
fn without_schemes(text: &str) -> String {
    let lower = text.to_ascii_lowercase();
    let mut result = String::with_capacity(text.len());
    let mut rest = 0;
    for (at, _) in lower.match_indices("http") {
        let is_scheme = lower[at + 4..].trim_start_matches('s').starts_with(':');
        if is_scheme {
            result.push_str(&text[rest..=at]);
            result.push_str("xx");
            rest = at + 3;
        }
    }
    result.push_str(&text[rest..]);
    if result
        .get(..4)
        .is_some_and(|ftp| ftp.eq_ignore_ascii_case("ftp:"))
    {
        result.replace_range(1..2, "x");
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defanged_url_is_no_link() {
        for (from, to) in [
            (
                "http://a.example.org/b.c?d=https://e.f",
                "hxxp://a[.]example[.]org/b.c?d=hxxps://e.f",
            ),
            ("HTTPS://u@a.b", "HxxPS://u[@]a[.]b"),
            ("ftp://a.b/", "fxp://a[.]b/"),
            ("mailto:a@b.c?subject=d.e", "mailto:a[@]b[.]c?subject=d.e"),
            ("urn:a.b", "urn:a.b"),
        ] {
            assert_eq!(url(from), to);
        }
    }

    #[test]
    fn only_hosts_defanged_in_text() {
        for (from, to) in [
            (
                "it shows \"www.paypal.com\", and leads to evil.com (x > y)",
                "it shows \"www[.]paypal[.]com\", and leads to evil[.]com (x > y)",
            ),
            (
                "Joe <joe@x.com>, see https://x.com/a.b.",
                "Joe <joe[@]x[.]com>, see hxxps://x[.]com/a.b.",
            ),
            (
                "message.eml/1.2: report.pdf, v1.2",
                "message.eml/1.2: report.pdf, v1.2",
            ),
            ("paypal.com -> 1.2.3.4", "paypal[.]com -> 1[.]2[.]3[.]4"),
            ("Dr. No", "Dr. No"),
        ] {
            assert_eq!(text(from), to);
        }
        assert_eq!(names("leads to a.example (x)"), "leads to a[.]example (x)");
        assert_eq!(text("Joe <joe@a.example>"), "Joe <joe[@]a[.]example>");
    }
}
