//! Where the parts of a URL end.

/// Where the first `delimiter` stands. References are short, and a base may be long.
pub(super) fn position(text: &str, delimiter: u8) -> Option<usize> {
    const SHORT: usize = 64;
    if text.len() <= SHORT {
        return text.bytes().position(|b| b == delimiter);
    }
    memchr::memchr(delimiter, text.as_bytes())
}
