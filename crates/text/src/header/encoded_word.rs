//! Encoded-words (RFC 2047), in linear time.

use base64::Engine as _;
use base64::alphabet;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use encoding_rs::Encoding;

const BASE64: GeneralPurpose = GeneralPurpose::new(
    &alphabet::STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// Decodes `text` if it consists only of encoded-words; white space between them is ignored (RFC
/// 2047 §6.2).
///
/// `None` if it contains anything else, an unknown charset or encoding, or bytes invalid in the
/// charset. A character may be split between words of one charset, which RFC 2047 §5 forbids but
/// programs do.
#[must_use]
pub fn decode(text: &str) -> Option<String> {
    let mut decoded = String::new();
    let mut pending: Option<(&'static Encoding, Vec<u8>)> = None;
    let mut rest = text.trim_ascii_start();
    while !rest.is_empty() {
        let word;
        (word, rest) = Word::split(rest)?;
        let charset = word.charset()?;
        match &mut pending {
            Some((same, bytes)) if *same == charset => word.decode_into(bytes)?,
            _ => {
                flush(pending.take(), &mut decoded)?;
                let mut bytes = Vec::new();
                word.decode_into(&mut bytes)?;
                pending = Some((charset, bytes));
            }
        }
        rest = rest.trim_ascii_start();
    }
    flush(pending, &mut decoded)?;
    (!decoded.is_empty()).then_some(decoded)
}

/// The text of an unstructured field (RFC 2047 §5): encoded-words are decoded, or kept as written
/// if they cannot be; white space is collapsed.
#[must_use]
pub fn text(value: &str) -> String {
    let mut decoded_text = String::with_capacity(value.len());
    let mut rest = value;
    while let Some(at) = rest.find("=?") {
        let (before, words) = rest.split_at(at);
        decoded_text.push_str(before);
        let length = run_length(words);
        let (run, after) = words.split_at(length.max("=?".len()));
        match decode(run) {
            Some(said) if length > 0 => decoded_text.push_str(&said),
            _ => decoded_text.push_str(run),
        }
        rest = after;
    }
    decoded_text.push_str(rest);
    let words: Vec<&str> = decoded_text.split_whitespace().collect();
    words.join(" ")
}

/// The length of the encoded-words that `text` begins with, white space between them included.
fn run_length(text: &str) -> usize {
    let mut end = 0;
    let mut rest = text;
    while let Some((word, after)) = Word::split(rest) {
        if word.text.contains(char::is_whitespace) {
            break;
        }
        end = text.len() - after.len();
        rest = after.trim_ascii_start();
    }
    end
}

fn flush(pending: Option<(&'static Encoding, Vec<u8>)>, decoded: &mut String) -> Option<()> {
    let Some((charset, bytes)) = pending else {
        return Some(());
    };
    let text = charset.decode_without_bom_handling_and_without_replacement(&bytes)?;
    decoded.push_str(&text);
    Some(())
}

/// The parts of `=?charset?encoding?text?=`.
struct Word<'t> {
    charset: &'t str,
    encoding: &'t str,
    text: &'t str,
}

impl<'t> Word<'t> {
    /// The encoded-word that `text` begins with, and the rest.
    fn split(text: &'t str) -> Option<(Self, &'t str)> {
        let (charset, rest) = text.strip_prefix("=?")?.split_once('?')?;
        let (encoding, rest) = rest.split_once('?')?;
        let (text, rest) = rest.split_once('?')?;
        let word = Self {
            charset,
            encoding,
            text,
        };
        Some((word, rest.strip_prefix('=')?))
    }

    /// By RFC 2231 §5 a language may follow the charset.
    fn charset(&self) -> Option<&'static Encoding> {
        let label = self.charset.split('*').next()?;
        Encoding::for_label(label.as_bytes())
    }

    fn decode_into(&self, bytes: &mut Vec<u8>) -> Option<()> {
        match self.encoding {
            "B" | "b" => BASE64.decode_vec(self.text, bytes).ok(),
            "Q" | "q" => decode_q(self.text, bytes),
            _ => None,
        }
    }
}

/// The Q encoding (RFC 2047 §4.2).
fn decode_q(text: &str, bytes: &mut Vec<u8>) -> Option<()> {
    let mut rest = text.as_bytes();
    while let [first, tail @ ..] = rest {
        rest = tail;
        match first {
            b'_' => bytes.push(b' '),
            b'=' => {
                let (digits, after) = tail.split_at_checked(2)?;
                let digits = std::str::from_utf8(digits).ok()?;
                bytes.push(u8::from_str_radix(digits, 16).ok()?);
                rest = after;
            }
            other => bytes.push(*other),
        }
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn adjacent_words_joined() {
        for (text, decoded) in [
            ("=?utf-8?Q?a=3Db_c?=", Some("a=b c")),
            ("=?UTF-8?b?YWI=?=", Some("ab")),
            ("=?UTF-8?B?YWI?=", Some("ab")),
            (" =?utf-8?q?a?= \t =?utf-8?q?b?=", Some("ab")),
            ("=?utf-8?q?a?==?utf-8?q?b?=", Some("ab")),
            (
                "=?iso-8859-1?q?=E9?= =?utf-8?q?=C3=A9?=",
                Some("\u{e9}\u{e9}"),
            ),
            ("=?utf-8?q?=C3?= =?utf-8?q?=A9?=", Some("\u{e9}")),
            ("=?us-ascii*en?q?a?=", Some("a")),
            ("=?utf-8?q?=C3?=", None),
            ("=?utf-8?q?=C3?= =?iso-8859-1?q?=A9?=", None),
            ("=?utf-8?q?a?= b", None),
            ("a =?utf-8?q?b?=", None),
            ("=?nonsense?q?a?=", None),
            ("=?utf-8?x?a?=", None),
            ("=?utf-8?q?=Z?=", None),
            ("=?utf-8?q?=\u{e9}?=", None),
            ("=?utf-8?b?*?=", None),
            ("=?utf-8?q?a", None),
            ("=?utf-8?q??=", None),
            ("=?", None),
            ("", None),
        ] {
            assert_eq!(decode(text).as_deref(), decoded, "{text:?}");
        }
    }

    #[test]
    fn word_fragments_end_quickly() {
        assert_eq!(decode(&"=?utf-8?Q?".repeat(20_000)), None);
        assert_eq!(decode(&"=?".repeat(100_000)), None);
        let words = "=?utf-8?q?a?= ".repeat(20_000);
        assert_eq!(decode(&words).map(|text| text.len()), Some(20_000));
    }
}
