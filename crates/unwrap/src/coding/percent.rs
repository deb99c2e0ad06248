//! Percent-encoding (RFC 3986 §2.1).

use std::borrow::Cow;
use std::fmt::Write;

/// Decodes a value, repeatedly while it begins like an escaped URL (`https%3A`): some services escape
/// twice.
pub fn decode(value: &str) -> String {
    let value = without_residue(value);
    decode_deeper(decode_once(value).into_owned())
}

/// Decodes a text while it begins like an escaped URL.
pub fn decode_deeper(mut text: String) -> String {
    // Each round removes two characters of each `%25`; the limit keeps the time linear.
    for _ in 0..MAX_ROUNDS {
        if !is_escaped_url(&text) {
            break;
        }
        text = decode_once(&text).into_owned();
    }
    text
}

/// The maximum number of rounds.
const MAX_ROUNDS: usize = 8;

/// Whether a text begins with `http%3A`, `https%253A` and so on.
pub fn is_escaped_url(text: &str) -> bool {
    let lower = |length: usize| text.get(..length).map(str::to_ascii_lowercase);
    let rest = match lower(5).as_deref() {
        Some("https") => &text[5..],
        Some("http%") => &text[4..],
        Some("ftp%3" | "ftp%2") => &text[3..],
        _ => return false,
    };
    let Some(mut rest) = rest.strip_prefix('%') else {
        return false;
    };
    while let Some(deeper) = rest.strip_prefix("25") {
        rest = deeper;
    }
    rest.get(..2)
        .is_some_and(|code| code.eq_ignore_ascii_case("3a"))
}

/// Removes a residue of quoted-printable: `url==3Dhttps...` was `url=https...`.
fn without_residue(value: &str) -> &str {
    let rest = value.trim_start_matches('=');
    match rest.strip_prefix("3D") {
        Some(rest)
            if rest
                .get(..4)
                .is_some_and(|http| http.eq_ignore_ascii_case("http")) =>
        {
            rest
        }
        _ => value,
    }
}

/// Decodes each escape once. Bytes that are not valid UTF-8 stay escaped; `+` stays `+`.
pub fn decode_once(value: &str) -> Cow<'_, str> {
    if !value.contains('%') {
        return Cow::Borrowed(value);
    }
    Cow::Owned(in_utf_8(bytes(value)))
}

/// Converts bytes to text; bytes that are not valid UTF-8 are escaped again.
fn in_utf_8(bytes: Vec<u8>) -> String {
    let bytes = match String::from_utf8(bytes) {
        Ok(text) => return text,
        Err(error) => error.into_bytes(),
    };
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        for byte in chunk.invalid() {
            write!(text, "%{byte:02X}").expect("a String takes every write");
        }
    }
    text
}

/// Decodes a percent-encoded text to bytes; malformed escapes are kept.
fn bytes(value: &str) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(value.len());
    let mut rest = value.as_bytes();
    while let Some(at) = memchr::memchr(b'%', rest) {
        bytes.extend_from_slice(&rest[..at]);
        rest = &rest[at..];
        let decoded = escape(rest);
        bytes.push(decoded.unwrap_or(b'%'));
        rest = &rest[if decoded.is_some() { 3 } else { 1 }..];
    }
    bytes.extend_from_slice(rest);
    bytes
}

/// The byte of the `%hh` at the beginning.
fn escape(text: &[u8]) -> Option<u8> {
    let digit = |at: usize| {
        let digit = char::from(*text.get(at)?).to_digit(16)?;
        u8::try_from(digit).ok()
    };
    Some(digit(1)? << 4 | digit(2)?)
}

/// Whether a text ends within an escape, so that it was cut off.
pub fn is_cut(value: &str) -> bool {
    let end = value.as_bytes();
    let length = end.len();
    let percent = |back: usize| length >= back && end[length - back] == b'%';
    let is_escaped = value.len() > 4 && is_escaped_url(value);
    is_escaped && (percent(1) || percent(2) && end[length - 1].is_ascii_hexdigit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_are_decoded_once() {
        for (value, decoded) in [
            ("https%3A%2F%2Fa.example%2F%253Fx", "https://a.example/%3Fx"),
            ("https://a.example/a+b%2Bc", "https://a.example/a+b+c"),
            (
                "https%3A%2F%2Fa.example%2F%E9%C3%A9",
                "https://a.example/%E9\u{e9}",
            ),
            ("https%253A%252F%252Fa.example", "https://a.example"),
            ("HTTPS%25253a%25252f%25252fa", "HTTPS://a"),
            ("100%", "100%"),
            ("%zz%4", "%zz%4"),
            ("=3Dhttps%3A%2F%2Fa.example", "https://a.example"),
            ("3Dx", "3Dx"),
        ] {
            assert_eq!(decode(value), decoded, "{value}");
        }
    }

    #[test]
    fn truncated_escape() {
        for (value, is) in [
            ("https%3A%2F%2Fa.example%2", true),
            ("https%3A%2F%2Fa.example%", true),
            ("https%3A%2F%2Fa.example%2F", false),
            ("https://a.example/100%", false),
        ] {
            assert_eq!(is_cut(value), is, "{value}");
        }
    }
}
