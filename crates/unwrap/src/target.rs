//! Recognises URLs in decoded text.

use std::fmt::Write;
use std::net::Ipv6Addr;

use baseref_hosts::suffix;
use baseref_resolve::{clean, parts};

/// The kind of a decoded text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// A URL with a scheme that wrappers lead to.
    Url(String),
    /// A URL with another scheme, such as `javascript:`, `data:` or `file:`.
    Bad,
    /// Not an absolute URL.
    None,
}

/// Reads a decoded text. Surrounding white space and line breaks are removed, as in browsers; `//host` gets
/// `https:`, `http:/host` its second slash, and with `has_bare_hosts` a host name under a public suffix gets
/// `http://`.
pub fn read(text: &str, has_bare_hosts: bool) -> Target {
    let text = clean(text);
    if let Some(rest) = text.strip_prefix("//") {
        return on_the_web(&format!("https://{rest}"));
    }
    let scheme = parts::scheme(&text).filter(|scheme| !scheme.contains('.'));
    let Some(scheme) = scheme else {
        let is_host = has_bare_hosts && is_public_host(&text);
        return if is_host {
            on_the_web(&format!("http://{text}"))
        } else {
            Target::None
        };
    };
    let rest = &text[scheme.len() + 1..];
    match &*scheme {
        // Reports of attacks are wrapped as well, with their URLs defanged.
        "hxxp" | "hxxps" => read(&text.replacen(['x', 'X'], "t", 2), has_bare_hosts),
        "http" | "https" | "ftp" => match rest.trim_start_matches('/') {
            host if host.len() + 2 < rest.len() || host.len() == rest.len() => Target::None,
            // The usual form.
            host if rest.len() == host.len() + 2 && text.starts_with(&*scheme) => on_the_web(&text),
            host => on_the_web(&format!("{scheme}://{host}")),
        },
        "mailto" if rest.contains('@') => Target::Url(escaped(&text)),
        // Departs: other decoders reject telephone numbers, but newsletters wrap them.
        "tel" | "sms" if rest.bytes().any(|byte| byte.is_ascii_digit()) => {
            Target::Url(escaped(&text))
        }
        "mailto" | "tel" | "sms" => Target::None,
        _ => Target::Bad,
    }
}

/// A URL, if its host is valid.
fn on_the_web(url: &str) -> Target {
    match parts::host(url) {
        Some(host) if is_host(&host) => Target::Url(escaped(url)),
        _ => Target::None,
    }
}

/// Whether browsers accept a host.
fn is_host(host: &str) -> bool {
    if let Some(address) = host.strip_prefix('[') {
        let address = address.strip_suffix(']');
        return address.is_some_and(|address| address.parse::<Ipv6Addr>().is_ok());
    }
    let is_forbidden = |byte: u8| {
        matches!(
            byte,
            0..=b' ' | b'"' | b'<' | b'>' | b'[' ..= b'^' | b'`' | b'{'..=b'}' | 0x7f
        )
    };
    if host.bytes().any(is_forbidden) {
        return false;
    }
    // A soft line break of quoted-printable cut the URL off.
    if host.ends_with('=') {
        return false;
    }
    // Hardly any host has either. No top-level domain has an underscore: there, a path was not decoded.
    memchr::memchr2(b'_', b'%', host.as_bytes()).is_none()
        || !host
            .rsplit('.')
            .next()
            .is_some_and(|last| last.contains('_') && last != host)
            && host.split('%').skip(1).all(is_escape)
}

/// Whether a text begins with two hexadecimal digits.
fn is_escape(text: &str) -> bool {
    let code = text.as_bytes().get(..2);
    code.is_some_and(|code| code.iter().all(u8::is_ascii_hexdigit))
}

/// Whether a text begins with a host name under a public suffix.
pub fn is_public_host(text: &str) -> bool {
    let end = text.find(['/', '?', '#', ':']).unwrap_or(text.len());
    let host = text[..end].to_ascii_lowercase();
    let is_name = |byte: u8| byte.is_ascii_alphanumeric() || b"-._".contains(&byte) || byte >= 128;
    // A private suffix such as github.io is a host itself.
    let is_known =
        suffix(&host).is_some_and(|suffix| suffix.is_private || suffix.text.len() < host.len());
    is_known && host.bytes().all(is_name) && !host.starts_with('.') && !host.contains("..")
}

/// Escapes control characters, which decoding may have produced.
fn escaped(url: &str) -> String {
    // In UTF-8, U+0080 to U+009F begin with the byte C2.
    let may_be_control = |byte: u8| byte < b' ' || matches!(byte, 0x7f | 0xc2);
    if !url.bytes().any(may_be_control) {
        return url.to_owned();
    }
    let mut escaped = String::with_capacity(url.len() + 16);
    for c in url.chars() {
        if c.is_control() {
            let mut bytes = [0; 4];
            for byte in c.encode_utf8(&mut bytes).bytes() {
                write!(escaped, "%{byte:02X}").expect("a String takes every write");
            }
        } else {
            escaped.push(c);
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn absolute_urls() {
        for (text, url) in [
            (" https://a.example/x \r\n", "https://a.example/x"),
            ("HTTP://a.example", "http://a.example"),
            ("//a.example/x", "https://a.example/x"),
            ("http:/a.example/x", "http://a.example/x"),
            ("https://a.ex\nample/", "https://a.example/"),
            ("https://a.example/\u{0}", "https://a.example/"),
            ("https://a.example/\u{0}b", "https://a.example/%00b"),
            ("mailto:a@b.example", "mailto:a@b.example"),
            ("tel:+15550100", "tel:+15550100"),
            ("hXXps://a.example/xx", "https://a.example/xx"),
            ("http://[2001:db8::1]:80/", "http://[2001:db8::1]:80/"),
            ("example.com/x", "http://example.com/x"),
            ("www.example.co.uk:80?q", "http://www.example.co.uk:80?q"),
        ] {
            assert_eq!(read(text, true), Target::Url(url.to_owned()), "{text:?}");
        }
    }

    #[test]
    fn other_texts_are_not_targets() {
        for text in [
            "",
            "x",
            "/x",
            "co.uk",
            "0x3E.0004.0x10.0256/cl",
            "weather in a.example",
            "http:",
            "http:///a.example",
            "http:a.example",
            "https://",
            "https://a b.example/",
            "https://[:::1]/",
            "https://a.example_b",
            "https://a.example%",
            "https://www.exam=",
            "https://a.example](https://a.example",
            "mailto:",
        ] {
            assert_eq!(read(text, true), Target::None, "{text:?}");
        }
        assert_eq!(read("example.com/x", false), Target::None);
        for text in [
            "javascript:alert(1)",
            "DATA:text/html,x",
            "file:///x",
            "vbscript:x",
        ] {
            assert_eq!(read(text, true), Target::Bad, "{text:?}");
        }
    }
}
