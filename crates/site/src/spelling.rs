//! Different spellings of the same name.

use baseref_resolve::spelling::nfc;
use encoding_rs::Encoding;

/// How a name in a URL compares with the name in the directory, closest first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Spelling {
    /// Equal, byte by byte.
    #[default]
    Exact,
    /// Equal under Unicode Normalization Form C, in other bytes.
    Unicode,
    /// Equal once the URL's bytes are decoded in the document's encoding.
    Charset,
    /// Equal under Unicode simple case folding.
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
    fn document_charset_only_if_it_differs_from_utf_8() {
        assert_eq!(
            in_charset(b"caf\xe9", encoding_rs::WINDOWS_1252).as_deref(),
            Some("caf\u{e9}")
        );
        assert_eq!(in_charset(b"caf\xe9", encoding_rs::UTF_8), None);
        assert_eq!(in_charset(b"cafe", encoding_rs::WINDOWS_1252), None);
        assert_eq!(in_charset(b"\x81\xff", encoding_rs::SHIFT_JIS), None);
    }
}
