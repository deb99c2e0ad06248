//! The functions of JavaScript that escape URLs.

/// `encodeURI` of JavaScript.
pub(super) fn encode_uri(text: &str) -> String {
    encode(text, b";,/?:@&=+$-_.!~*'()#")
}

/// Escapes what is neither a letter nor a digit nor one of `kept`.
pub(super) fn encode(text: &str, kept: &[u8]) -> String {
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || kept.contains(&byte) {
            out.push(char::from(byte));
        } else {
            out.push_str(percent_encoding::percent_encode_byte(byte));
        }
    }
    out
}
