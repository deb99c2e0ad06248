//! A URL in the value of a header field, with its wrapping.
//!
//! RFC 1808 §3.1 has `<URL:http://a/>`, RFC 5064 §2 has `<http://a/>`, RFC 2557 §4.1 has
//! `http://a/`, RFC 2017 §3.1 has `"http://a/"`; mail mixes them.

use std::ops::Range;

use crate::header::comment::skip_cfws;

/// How a URL is wrapped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wrapping {
    /// `<URL:` and `>`.
    Url,
    /// `<` and `>`.
    Angles,
    /// `<` or `<URL:` without `>`.
    Unclosed,
    /// `"`, closed or not.
    Quotes,
    /// Nothing but white space and comments.
    None,
}

/// Strips comments and wrapping from a value, folded or not: returns the wrapping and the byte
/// range of the URL, with white space in and around it.
#[must_use]
pub fn unwrap(value: &str) -> (Wrapping, Range<usize>) {
    let start = value.len() - skip_cfws(value.as_bytes()).len();
    let text = &value[start..];
    if let Some(inner) = text.strip_prefix('<') {
        let (closed, inner) = match inner.split_once('>') {
            Some((inner, _)) => (true, inner),
            None => (false, inner),
        };
        let prefix = prefix_length(inner);
        let url = start + 1 + prefix..start + 1 + inner.len();
        return match (closed, prefix) {
            (true, 0) => (Wrapping::Angles, url),
            (true, _) => (Wrapping::Url, url),
            (false, _) => (Wrapping::Unclosed, url),
        };
    }
    if let Some(inner) = text.strip_prefix('"') {
        let length = inner.find('"').unwrap_or(inner.len());
        return (Wrapping::Quotes, start + 1..start + 1 + length);
    }
    let bare = &text[..bare_length(text)];
    let url = start + prefix_length(bare)..start + bare.len();
    (Wrapping::None, url)
}

/// The length of a leading `URL:`, in any case, and of white space before it; 0 if there is none.
#[must_use]
pub fn prefix_length(text: &str) -> usize {
    let trimmed = text.trim_ascii_start();
    match trimmed.split_at_checked(4) {
        Some((prefix, _)) if prefix.eq_ignore_ascii_case("URL:") => text.len() - trimmed.len() + 4,
        _ => 0,
    }
}

/// The offset of a comment or parameter after white space, or of the end. A parenthesis inside, as
/// in `/A_(b)`, belongs to the URL.
fn bare_length(value: &str) -> usize {
    value
        .as_bytes()
        .windows(2)
        .position(|pair| pair[0].is_ascii_whitespace() && matches!(pair[1], b'(' | b';'))
        .unwrap_or(value.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn url_wrappings() {
        for (value, wrapping, url) in [
            ("<URL:a>", Wrapping::Url, "a"),
            ("< url: a\r\n b > (c)", Wrapping::Url, " a\r\n b "),
            ("<a>b", Wrapping::Angles, "a"),
            ("<>", Wrapping::Angles, ""),
            ("<URL:a", Wrapping::Unclosed, "a"),
            ("<a", Wrapping::Unclosed, "a"),
            ("\"a\"b", Wrapping::Quotes, "a"),
            ("\"a", Wrapping::Quotes, "a"),
            ("(c)\r\n a (d)", Wrapping::None, "a"),
            ("URL:a ; p", Wrapping::None, "a"),
            ("/A_(b);p", Wrapping::None, "/A_(b);p"),
            ("", Wrapping::None, ""),
        ] {
            let (found, range) = unwrap(value);
            assert_eq!((found, &value[range]), (wrapping, url), "{value:?}");
        }
    }
}
