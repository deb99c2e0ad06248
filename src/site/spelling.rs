//! Different spellings of the same name.

use std::borrow::Cow;

use encoding_rs::Encoding;
use icu_normalizer::ComposingNormalizerBorrowed;

/// How a name in a URL compares with the name in the directory, closest first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Spelling {
    /// The same bytes.
    #[default]
    Exact,
    /// The same text under Unicode Normalization Form C, in other bytes.
    Unicode,
    /// The same text once the URL's bytes are decoded in the document's encoding.
    Charset,
    /// The same text under Unicode simple case folding.
    Case,
}

impl Spelling {
    /// The name in reports: `exact`, `unicode`, `charset` or `case`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Unicode => "unicode",
            Self::Charset => "charset",
            Self::Case => "case",
        }
    }
}

/// Unicode Normalization Form C.
pub(crate) fn nfc(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        Cow::Borrowed(text)
    } else {
        ComposingNormalizerBorrowed::new_nfc().normalize(text)
    }
}

/// Unicode simple case folding of the normalized text: a letter without a single-character
/// counterpart is kept.
pub(crate) fn fold_case(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    let only =
        |mut chars: Box<dyn Iterator<Item = char>>, otherwise| match (chars.next(), chars.next()) {
            (Some(only), None) => only,
            _ => otherwise,
        };
    nfc(text)
        .chars()
        .map(|c| {
            let upper = only(Box::new(c.to_uppercase()), c);
            only(Box::new(upper.to_lowercase()), upper)
        })
        .collect()
}

/// The name that `bytes` spell in `encoding`; `None` if they are malformed in it, or spell the same
/// in UTF-8.
pub(crate) fn in_charset(bytes: &[u8], encoding: &'static Encoding) -> Option<String> {
    if encoding == encoding_rs::UTF_8 || bytes.is_ascii() {
        return None;
    }
    let text = encoding.decode_without_bom_handling_and_without_replacement(bytes)?;
    Some(nfc(&text).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn normalization_joins_a_letter_and_its_accent() {
        assert_eq!(nfc("e\u{301}.html"), "\u{e9}.html");
        assert!(matches!(nfc("e.html"), Cow::Borrowed("e.html")));
    }

    #[test]
    fn folding_is_simple_and_normalizes() {
        for (a, b) in [
            ("Guide.HTML", "guide.html"),
            ("\u{c9}", "e\u{301}"),
            ("\u{3a3}", "\u{3c2}"),
            ("\u{17f}", "S"),
        ] {
            assert_eq!(fold_case(a), fold_case(b), "{a} {b}");
        }
        assert_ne!(fold_case("stra\u{df}e"), fold_case("strasse"));
    }

    #[test]
    fn bytes_are_read_in_the_documents_charset_only_where_that_says_more() {
        assert_eq!(
            in_charset(b"caf\xe9", encoding_rs::WINDOWS_1252).as_deref(),
            Some("caf\u{e9}")
        );
        assert_eq!(in_charset(b"caf\xe9", encoding_rs::UTF_8), None);
        assert_eq!(in_charset(b"cafe", encoding_rs::WINDOWS_1252), None);
        assert_eq!(in_charset(b"\x81\xff", encoding_rs::SHIFT_JIS), None);
    }
}
