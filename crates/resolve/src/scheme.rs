//! The grammar of schemes, which differs between rule sets only in the first character.

/// The byte offset of the colon after a URL's scheme; `None` if it has no scheme.
///
/// Source: RFC 3986 §3.1; the URL Standard's "scheme start state" and "scheme state".
#[inline]
#[must_use]
pub fn end(url: &str) -> Option<usize> {
    end_of_rfc_1808(url).filter(|_| url.as_bytes()[0].is_ascii_alphabetic())
}

/// The byte offset of the colon after the scheme by RFC 1808 §2.4.2, where a scheme may also begin with
/// a digit, `+`, `.` or `-`.
#[inline]
#[must_use]
pub fn end_of_rfc_1808(url: &str) -> Option<usize> {
    let colon = url.bytes().position(|byte| !is_part(byte))?;
    (colon > 0 && url.as_bytes()[colon] == b':').then_some(colon)
}

/// Whether the text is a scheme and nothing else (RFC 3986 §3.1).
pub fn is_scheme(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_alphabetic()) && text.bytes().all(is_part)
}

/// Whether a byte can occur in a scheme.
#[inline]
#[must_use]
pub fn is_part(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_character_of_scheme_by_rule_set() {
        for (url, general, rfc_1808) in [
            ("http://a", Some(4), Some(4)),
            ("a+b-c.9:", Some(7), Some(7)),
            ("9p:x", None, Some(2)),
            ("-:x", None, Some(1)),
            (":x", None, None),
            ("", None, None),
            ("a", None, None),
            ("a/b:c", None, None),
            ("é:x", None, None),
        ] {
            assert_eq!(
                (end(url), end_of_rfc_1808(url)),
                (general, rfc_1808),
                "{url:?}"
            );
            if let Some(end) = general {
                assert!(is_scheme(&url[..end]), "{url:?}");
            }
        }
        assert!(!is_scheme("") && !is_scheme("9p") && !is_scheme("a:"));
    }
}
