//! Unicode normalization and case folding, for comparing two spellings of a text.

use std::borrow::Cow;

use icu_normalizer::{ComposingNormalizerBorrowed, DecomposingNormalizerBorrowed};

/// Unicode Normalization Form C.
#[must_use]
pub fn nfc(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        Cow::Borrowed(text)
    } else {
        ComposingNormalizerBorrowed::new_nfc().normalize(text)
    }
}

/// Unicode simple case folding of the normalized text; a letter that folds to several characters is
/// kept.
#[must_use]
pub fn fold_case(text: &str) -> String {
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

/// The letters of a text without case and accents, which is nearly a comparison of base letters: the
/// primary level of UTS #10.
#[must_use]
pub fn base_letters(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    let decomposed = DecomposingNormalizerBorrowed::new_nfkd().normalize(text);
    let letters = decomposed
        .chars()
        .filter(|c| !matches!(c, '\u{300}'..='\u{36f}'));
    letters.flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nfc_composes_letter_and_accent() {
        assert_eq!(nfc("e\u{301}.html"), "\u{e9}.html");
        assert!(matches!(nfc("e.html"), Cow::Borrowed("e.html")));
    }

    #[test]
    fn base_letters_without_case_and_accents() {
        assert_eq!(base_letters("\u{c9}tude"), base_letters("etude"));
        assert_eq!(base_letters("\u{fb01}n"), "fin");
        assert_ne!(base_letters("\u{e9}"), "a");
    }

    #[test]
    fn case_folding_is_simple_and_normalizes() {
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
}
