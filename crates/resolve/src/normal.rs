//! The normal form of a URL, the same for two URLs that a server cannot tell apart.
//!
//! The steps are numbered E1 to E16 here and in the tests. E1 to E9 always apply (E6 can be
//! switched off to see whether it made the difference); the others depend on the server and are
//! options.

use std::borrow::Cow;

use percent_encoding::percent_decode_str;

use crate::authority::without_plain_port;
use crate::parts::letters_digits_and;
use crate::rfc3986::Parts;
use crate::segment::push_segment;
use crate::spelling::fold_case;

/// Normalization steps in addition to E1 to E9.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "independent steps")]
pub struct NormalOptions {
    /// Skips E6, and the decoding of `%2E` in E4: dot segments are kept as written.
    pub keep_dots: bool,
    /// E10: the names of index files; `/d/index.html` is `/d/`.
    pub index: Vec<String>,
    /// E11: `/x` is `/x/`.
    pub ignore_final_slash: bool,
    /// E12: the extensions that can be left out; `/x.html` is `/x`.
    pub extensions: Vec<String>,
    /// E13: ignore case in the path.
    pub fold_case: bool,
    /// E14: the names of query parameters to ignore; `*` matches any characters.
    pub ignore_parameters: Vec<String>,
    /// E15: the names of path parameters to ignore, such as `jsessionid`.
    pub ignore_path_parameters: Vec<String>,
    /// E16: `https` is `http`.
    pub https_is_http: bool,
}

impl NormalOptions {
    /// Whether only E1 to E9 apply.
    fn is_default(&self) -> bool {
        let lists = [
            &self.index,
            &self.extensions,
            &self.ignore_parameters,
            &self.ignore_path_parameters,
        ];
        let switches = [self.ignore_final_slash, self.fold_case, self.https_is_http];
        lists.iter().all(|list| list.is_empty()) && !switches.contains(&true)
    }

    /// Keeps dot segments as written.
    #[must_use]
    pub fn keep_dots(self) -> Self {
        Self {
            keep_dots: true,
            ..self
        }
    }
}

/// The normal form of `url`, parsed by the grammar of RFC 3986.
///
/// A URL without authority whose path does not start with a slash is opaque: its path only gets
/// characters not allowed in URLs encoded.
#[must_use]
pub fn normal(url: &str, options: &NormalOptions) -> String {
    if options.is_default() && is_plainly_normal(url) {
        return url.to_owned();
    }
    let parts = Parts::parse(url);
    let mut out = String::with_capacity(url.len() + 1);
    let scheme = parts.scheme.map(str::to_ascii_lowercase);
    if let Some(scheme) = &scheme {
        let is_twin = options.https_is_http && scheme == "https";
        out.push_str(if is_twin { "http" } else { scheme });
        out.push(':');
    }
    let scheme = scheme.as_deref().unwrap_or_default();
    if let Some(authority) = parts.authority {
        out.push_str("//");
        push_authority(scheme, authority, &mut out);
    }
    if parts.authority.is_some() || parts.path.starts_with('/') {
        out.push_str(&hierarchical_path(scheme, parts.path, options));
    } else {
        push_escaped(parts.path, options.keep_dots, Component::Path, &mut out);
    }
    push_query(parts.query.unwrap_or_default(), options, &mut out);
    // E8
    let fragment = parts.fragment.unwrap_or_default();
    if !fragment.is_empty() {
        out.push('#');
        push_escaped(fragment, false, Component::Fragment, &mut out);
    }
    out
}

/// Whether E1 to E9 obviously leave a URL unchanged, as they do most URLs.
fn is_plainly_normal(url: &str) -> bool {
    let rest = url
        .strip_prefix("https://")
        .or_else(|| url.strip_prefix("http://"));
    let Some(rest) = rest.map(str::as_bytes) else {
        return false;
    };
    let is_host = |b: &u8| b.is_ascii_lowercase() || b.is_ascii_digit() || matches!(b, b'.' | b'-');
    let host = rest.iter().take_while(|b| is_host(b)).count();
    let port = match rest.get(host) {
        Some(b':') => rest[host..].iter().position(|b| *b == b'/').unwrap_or(0),
        _ => 0,
    };
    let (authority, path) = rest.split_at(host + port);
    let has_plain_port =
        || std::str::from_utf8(authority).is_ok_and(|own| without_plain_port(own).is_some());
    if host == 0 || path.first() != Some(&b'/') || port > 0 && !has_plain_port() {
        return false;
    }
    let mut at = 0;
    // A dot after a slash may be a dot segment; an empty query or fragment is dropped.
    while let Some(found) = path[at..].iter().position(|b| !PLAIN[usize::from(*b)]) {
        at += found;
        let last = at.checked_sub(1).and_then(|before| path.get(before));
        match path.get(at) {
            Some(b'.') if last != Some(&b'/') => {}
            Some(b'#') if last != Some(&b'?') => {}
            _ => return false,
        }
        at += 1;
    }
    !matches!(path.last(), Some(b'?' | b'#'))
}

/// The bytes that no step changes in a path or a query, whatever stands before them.
static PLAIN: [bool; 256] = letters_digits_and(b"-_~/?!$&()*+,:;=@[]");

/// E1, E2, E7. User information is significant and kept as written.
fn push_authority(scheme: &str, authority: &str, out: &mut String) {
    let (user, host_and_port) = match authority.rsplit_once('@') {
        Some((user, host)) => (Some(user), host),
        None => (None, authority),
    };
    if let Some(user) = user {
        out.push_str(user);
        out.push('@');
    }
    let port_at = host_and_port
        .rfind(':')
        .filter(|colon| !host_and_port[*colon..].contains(']'));
    let (host, port) = match port_at {
        Some(colon) => (&host_and_port[..colon], &host_and_port[colon + 1..]),
        None => (host_and_port, ""),
    };
    // E7; a host that IDNA rejects is kept as written.
    match idna::domain_to_ascii(host) {
        Ok(ascii) if !host.is_ascii() => out.push_str(&ascii),
        // E1
        _ => out.push_str(&host.to_ascii_lowercase()),
    }
    // E2
    let significant = port.trim_start_matches('0');
    let port = if significant.is_empty() && !port.is_empty() {
        "0"
    } else {
        significant
    };
    let default = match scheme {
        "http" | "ws" => "80",
        "https" | "wss" => "443",
        "ftp" => "21",
        _ => "",
    };
    if port != default && !port.is_empty() {
        out.push(':');
        out.push_str(port);
    }
}

fn hierarchical_path(scheme: &str, path: &str, options: &NormalOptions) -> String {
    let mut escaped = String::with_capacity(path.len() + 1);
    push_escaped(path, options.keep_dots, Component::Path, &mut escaped);
    // E3
    if escaped.is_empty() && matches!(scheme, "http" | "https" | "ftp" | "ws" | "wss") {
        escaped.push('/');
    }
    let stripped = without_path_parameters(&escaped, &options.ignore_path_parameters);
    // E6
    let mut path = if options.keep_dots {
        stripped.into_owned()
    } else {
        without_dot_segments(&stripped)
    };
    // E9
    if scheme == "file" {
        let drive = path.as_bytes();
        if drive.len() >= 5 && drive[1].is_ascii_alphabetic() && &path[2..5] == "%7C" {
            path.replace_range(2..5, ":");
        }
    }
    // E13
    if options.fold_case {
        path = folded_path(&path);
    }
    fold_last_segment(&mut path, options);
    path
}

/// E10, E12, E11.
fn fold_last_segment(path: &mut String, options: &NormalOptions) {
    let last = path.rfind('/').map_or(0, |slash| slash + 1);
    let name = &path[last..];
    let same = |a: &str, b: &str| a == b || (options.fold_case && a == fold_case(b));
    if options.index.iter().any(|index| same(name, index)) {
        path.truncate(last);
    } else if let Some(extension) = options
        .extensions
        .iter()
        .find(|extension| name.len() > extension.len() && name.ends_with(extension.as_str()))
    {
        path.truncate(path.len() - extension.len());
    }
    if options.ignore_final_slash && path.len() > 1 && path.ends_with('/') {
        path.pop();
    }
}

/// E13: the names of a path, each decoded and case-folded.
fn folded_path(path: &str) -> String {
    let mut folded = String::with_capacity(path.len());
    for (number, segment) in path.split('/').enumerate() {
        if number > 0 {
            folded.push('/');
        }
        match percent_decode_str(segment).decode_utf8() {
            // Decoded delimiters are encoded again.
            Ok(text) => push_segment(fold_case(&text).as_bytes(), &mut folded),
            Err(_) => folded.push_str(&segment.to_ascii_lowercase()),
        }
    }
    folded
}

/// E15.
fn without_path_parameters<'p>(path: &'p str, ignored: &[String]) -> Cow<'p, str> {
    if ignored.is_empty() || !path.contains(';') {
        return Cow::Borrowed(path);
    }
    let mut out = String::with_capacity(path.len());
    for (number, segment) in path.split('/').enumerate() {
        if number > 0 {
            out.push('/');
        }
        let mut parameters = segment.split(';');
        out.push_str(parameters.next().unwrap_or_default());
        for parameter in parameters {
            let name = parameter.split('=').next().unwrap_or_default();
            if !ignored.iter().any(|ignored| ignored == name) {
                out.push(';');
                out.push_str(parameter);
            }
        }
    }
    Cow::Owned(out)
}

/// E6: RFC 3986 §5.2.4, for a path that starts with a slash or is empty.
fn without_dot_segments(path: &str) -> String {
    let mut out = String::with_capacity(path.len());
    let mut segments = path.split('/').skip(1).peekable();
    while let Some(segment) = segments.next() {
        let is_last = segments.peek().is_none();
        match segment {
            "." | ".." => {
                if segment == ".." {
                    out.truncate(out.rfind('/').unwrap_or(0));
                }
                if is_last {
                    out.push('/');
                }
            }
            _ => {
                out.push('/');
                out.push_str(segment);
            }
        }
    }
    out
}

/// E8, E14.
fn push_query(query: &str, options: &NormalOptions, out: &mut String) {
    let mut mark = '?';
    if options.ignore_parameters.is_empty() {
        if !query.is_empty() {
            out.push(mark);
            push_escaped(query, false, Component::Query, out);
        }
        return;
    }
    for parameter in query.split('&').filter(|parameter| !parameter.is_empty()) {
        let name = parameter.split('=').next().unwrap_or_default();
        let ignored = &options.ignore_parameters;
        if !ignored.iter().any(|pattern| matches_star(pattern, name)) {
            out.push(mark);
            push_escaped(parameter, false, Component::Query, out);
            mark = '&';
        }
    }
}

/// Whether `text` matches `pattern`, in which `*` matches any characters; in linear time for one
/// star, and at worst in time proportional to the product of the lengths.
fn matches_star(pattern: &str, text: &str) -> bool {
    let (pattern, text) = (pattern.as_bytes(), text.as_bytes());
    let (mut at, mut seen, mut star) = (0, 0, None);
    while seen < text.len() {
        if pattern.get(at) == Some(&b'*') {
            star = Some((at + 1, seen));
            at += 1;
        } else if pattern.get(at) == Some(&text[seen]) {
            at += 1;
            seen += 1;
        } else if let Some((after, from)) = star {
            star = Some((after, from + 1));
            (at, seen) = (after, from + 1);
        } else {
            return false;
        }
    }
    pattern[at..].iter().all(|byte| *byte == b'*')
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Component {
    Path,
    Query,
    Fragment,
}

/// E4, E5.
fn push_escaped(text: &str, keep_dots: bool, component: Component, out: &mut String) {
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let escape = (byte == b'%').then(|| escaped_byte(bytes, at)).flatten();
        match escape {
            // E4
            Some(b'.') if keep_dots => out.push_str("%2E"),
            Some(decoded) if is_unreserved(decoded) => out.push(char::from(decoded)),
            Some(decoded) => push_escape(decoded, out),
            // E5; browsers escape an apostrophe in a query.
            None if is_outside(byte) || (byte == b'\'' && component == Component::Query) => {
                push_escape(byte, out);
            }
            None => out.push(char::from(byte)),
        }
        at += if escape.is_some() { 3 } else { 1 };
    }
}

/// The byte encoded by the escape at `at`.
fn escaped_byte(bytes: &[u8], at: usize) -> Option<u8> {
    let digit = |at: usize| char::from(*bytes.get(at)?).to_digit(16);
    u8::try_from(digit(at + 1)? * 16 + digit(at + 2)?).ok()
}

fn push_escape(byte: u8, out: &mut String) {
    const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
    out.push('%');
    out.push(char::from(DIGITS[usize::from(byte >> 4)]));
    out.push(char::from(DIGITS[usize::from(byte & 15)]));
}

/// RFC 3986 §2.3.
fn is_unreserved(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~')
}

/// Whether a byte is not allowed unescaped in any URL.
fn is_outside(byte: u8) -> bool {
    byte <= b' '
        || byte >= 0x7f
        || matches!(
            byte,
            b'"' | b'<' | b'>' | b'\\' | b'^' | b'`' | b'{' | b'|' | b'}'
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(url: &str) -> String {
        normal(url, &NormalOptions::default())
    }

    #[test]
    fn plainly_normal_urls_are_normal() {
        for url in [
            "http://a/",
            "https://a.example/b/c.html?q=1&r#s",
            "http://a:8080/",
            "http://127.0.0.1:8080/x",
            "http://a/b//c/;p@:!$()*+,=~[x]",
            "http://a/?x/.y",
            "http://a/?x?y#z?w",
        ] {
            assert!(is_plainly_normal(url) || url.contains("/."), "{url}");
            // Ignoring a parameter that is not there disables the fast path.
            let long = NormalOptions {
                ignore_path_parameters: vec!["none".to_owned()],
                ..NormalOptions::default()
            };
            assert_eq!(normal(url, &long), url);
            assert_eq!(plain(url), url);
        }
        for url in [
            "http://A/",
            "http://a",
            "http://a:80/",
            "http://a:08080/",
            "http://a:/",
            "http://u@a/",
            "http://a/.",
            "http://a/%41",
            "http://a/?'",
            "http://a/?",
            "http://a/#",
            "http://a/?#x",
            "http://a/\u{e9}",
            "ftp://a/",
            "http:///",
        ] {
            assert!(!is_plainly_normal(url), "{url}");
        }
    }

    #[test]
    fn steps_that_always_apply() {
        for (url, expected) in [
            // E1
            ("HTTP://A.Example/B", "http://a.example/B"),
            // E2
            ("http://a:80/", "http://a/"),
            ("http://a:0080/", "http://a/"),
            ("https://a:/", "https://a/"),
            ("http://a:443/", "http://a:443/"),
            ("http://[::1]:80/", "http://[::1]/"),
            ("http://a:0/", "http://a:0/"),
            // E3
            ("http://a", "http://a/"),
            ("http://a?q", "http://a/?q"),
            ("ftp://a", "ftp://a/"),
            // E4
            ("http://a/%7euser%2f%c3%a9", "http://a/~user%2F%C3%A9"),
            ("http://a/g%zz", "http://a/g%zz"),
            // E5
            (
                "http://a/\u{e9} \"<>\\^{|}`",
                "http://a/%C3%A9%20%22%3C%3E%5C%5E%7B%7C%7D%60",
            ),
            // E6
            ("http://a/b/./c/../d", "http://a/b/d"),
            ("http://a/../b", "http://a/b"),
            ("http://a/b/..", "http://a/"),
            ("http://a/b/.", "http://a/b/"),
            ("http://a/b/%2e%2E/c", "http://a/c"),
            ("http://a/b//../c", "http://a/b/c"),
            // E7
            (
                "http://b\u{fc}cher.example/",
                "http://xn--bcher-kva.example/",
            ),
            // E8
            ("http://a/b?#", "http://a/b"),
            // E9
            ("file:///C|/x", "file:///C:/x"),
            // User information is significant.
            ("http://U@A/", "http://U@a/"),
            // Opaque
            ("MAILTO:A@B", "mailto:A@B"),
            ("g/../h", "g/../h"),
        ] {
            assert_eq!(plain(url), expected, "{url}");
        }
    }

    #[test]
    fn dot_segments_are_kept_on_request() {
        let keep = NormalOptions::default().keep_dots();
        assert_eq!(
            normal("http://A/b/../%2e%2E/c", &keep),
            "http://a/b/../%2E%2E/c"
        );
    }

    #[test]
    fn server_dependent_normalization_is_optional() {
        let none = NormalOptions::default();
        let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
        for (options, url, expected) in [
            // E10
            (
                NormalOptions {
                    index: words(&["index.html"]),
                    ..none.clone()
                },
                "http://a/d/index.html?q",
                "http://a/d/?q",
            ),
            // E11
            (
                NormalOptions {
                    ignore_final_slash: true,
                    ..none.clone()
                },
                "http://a/x/",
                "http://a/x",
            ),
            (
                NormalOptions {
                    ignore_final_slash: true,
                    ..none.clone()
                },
                "http://a/",
                "http://a/",
            ),
            // E12
            (
                NormalOptions {
                    extensions: words(&[".html"]),
                    ..none.clone()
                },
                "http://a/x.html",
                "http://a/x",
            ),
            // E13
            (
                NormalOptions {
                    fold_case: true,
                    ..none.clone()
                },
                "http://a/B/%C3%89%2F",
                "http://a/b/%C3%A9%2F",
            ),
            // E14
            (
                NormalOptions {
                    ignore_parameters: words(&["utm_*", "ref"]),
                    ..none.clone()
                },
                "http://a/?utm_source=x&q=1&ref&r=2",
                "http://a/?q=1&r=2",
            ),
            // E15
            (
                NormalOptions {
                    ignore_path_parameters: words(&["jsessionid"]),
                    ..none.clone()
                },
                "http://a/b;jsessionid=1;v=2/c",
                "http://a/b;v=2/c",
            ),
            // E16
            (
                NormalOptions {
                    https_is_http: true,
                    ..none.clone()
                },
                "https://a:443/",
                "http://a/",
            ),
        ] {
            assert_eq!(normal(url, &options), expected, "{url}");
        }
    }

    #[test]
    fn normalization_is_idempotent() {
        for url in [
            "HTTP://A:80/%7e/../b%2f?x='y'#z%zz",
            "file:///C|/x",
            "g;x",
            "http://a/%",
        ] {
            let once = plain(url);
            assert_eq!(plain(&once), once);
        }
    }
}
