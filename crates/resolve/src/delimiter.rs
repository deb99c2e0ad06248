//! Finds delimiters in URLs.

/// The offset of the first `delimiter`. References are short, but a base may be long.
pub(super) fn position(text: &str, delimiter: u8) -> Option<usize> {
    const SHORT: usize = 64;
    if text.len() <= SHORT {
        return text.bytes().position(|b| b == delimiter);
    }
    memchr::memchr(delimiter, text.as_bytes())
}
