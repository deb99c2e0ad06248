//! Base64 in URLs: either alphabet (RFC 4648 §4, §5), with or without padding.

use base64::Engine as _;
use base64::alphabet;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};

const ENGINE: GeneralPurpose = GeneralPurpose::new(
    &alphabet::STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_allow_trailing_bits(true)
        .with_decode_padding_mode(DecodePaddingMode::RequireNone),
);

/// Decodes the whole text.
pub fn decode(text: &str) -> Option<Vec<u8>> {
    let text = text.trim().trim_end_matches(['=', '~']);
    ENGINE.decode(standard(text)).ok()
}

/// Decodes the longest prefix of a text that is base64.
pub fn decode_start(text: &str) -> Vec<u8> {
    let is_base64 = |byte: u8| byte.is_ascii_alphanumeric() || b"+/-_".contains(&byte);
    let length = text.bytes().take_while(|byte| is_base64(*byte)).count();
    // A single character is less than a byte.
    let length = if length % 4 == 1 { length - 1 } else { length };
    decode(&text[..length]).unwrap_or_default()
}

/// Converts to the standard alphabet; a space was a `+` before a form decoded it.
fn standard(text: &str) -> Vec<u8> {
    text.bytes()
        .map(|byte| match byte {
            b'-' | b' ' => b'+',
            b'_' => b'/',
            other => other,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_alphabets() {
        for text in ["Pz8_Pj4-", "Pz8/Pj4+", "Pz8/Pj4+"] {
            assert!(decode(text).is_some(), "{text}");
        }
        assert_eq!(decode("YQ==").unwrap(), b"a");
        assert_eq!(decode("YQ").unwrap(), b"a");
        assert_eq!(decode("YR").unwrap(), b"a");
        assert_eq!(decode("Y"), None);
        assert_eq!(decode("Y.Q="), None);
        assert_eq!(decode_start("YWJjYQ!x"), b"abca");
        assert_eq!(decode_start("YWJjY"), b"abc");
    }
}
