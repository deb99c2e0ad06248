//! Maps Windows code pages to encodings.

use encoding_rs::{Encoding, WINDOWS_1252};

/// UTF-7, which the Encoding Standard does not have.
pub const UTF_7: u32 = 65000;

/// The label of a code page in the Encoding Standard, or `utf-7`; `None` for code pages without one, such as
/// the DOS code pages, and for US-ASCII, which is too often wrong.
pub fn label(number: u32) -> Option<&'static str> {
    Some(match number {
        866 => "ibm866",
        874 => "windows-874",
        932 => "shift_jis",
        936 | 20936 | 51936 => "gbk",
        949 | 51949 => "euc-kr",
        950 => "big5",
        1200 => "utf-16le",
        1201 => "utf-16be",
        1250 => "windows-1250",
        1251 => "windows-1251",
        1252 | 28591 => "windows-1252",
        1253 => "windows-1253",
        1254 | 28599 => "windows-1254",
        1255 => "windows-1255",
        1256 => "windows-1256",
        1257 => "windows-1257",
        1258 => "windows-1258",
        10000 => "macintosh",
        10007 => "x-mac-cyrillic",
        20866 => "koi8-r",
        20932 | 51932 => "euc-jp",
        21866 => "koi8-u",
        28592 => "iso-8859-2",
        28593 => "iso-8859-3",
        28594 => "iso-8859-4",
        28595 => "iso-8859-5",
        28596 => "iso-8859-6",
        28597 => "iso-8859-7",
        28598 => "iso-8859-8",
        28603 => "iso-8859-13",
        28605 => "iso-8859-15",
        38598 => "iso-8859-8-i",
        50220..=50222 => "iso-2022-jp",
        54936 => "gb18030",
        UTF_7 => "utf-7",
        65001 => "utf-8",
        _ => return None,
    })
}

/// The encoding of a code page; `None` where [`label`] is, and for UTF-7.
pub fn encoding(number: u32) -> Option<&'static Encoding> {
    Encoding::for_label(label(number)?.as_bytes())
}

/// Decodes bytes in a code page; if that is unknown, as UTF-8 if they are valid, else as windows-1252.
pub fn decode(number: Option<u32>, bytes: &[u8]) -> String {
    if let Some(encoding) = number.and_then(encoding) {
        return encoding.decode_without_bom_handling(bytes).0.into_owned();
    }
    match str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => WINDOWS_1252
            .decode_without_bom_handling(bytes)
            .0
            .into_owned(),
    }
}

/// The code page in which Windows stores the strings of mail that is sent in `sent`.
pub fn stored(sent: u32) -> u32 {
    match sent {
        20932 | 50220..=50222 | 51932 => 932,
        20936 | 51936 | 54936 => 936,
        51949 => 949,
        28592 => 1250,
        20866 | 21866 | 28595 => 1251,
        28591 | 28605 => 1252,
        28597 => 1253,
        28599 => 1254,
        28598 | 38598 => 1255,
        28596 => 1256,
        28594 | 28603 => 1257,
        other => other,
    }
}

/// The ANSI code page of a locale ([MS-LCID] §2.2); `None` if it has none.
pub fn from_locale(locale: u32) -> Option<u32> {
    // The lower ten bits are the language, which is enough except for three languages.
    Some(match (locale & 0x3FF, locale) {
        (0x04, 0x0404 | 0x0C04 | 0x1404) => 950,
        (0x04, _) => 936,
        (0x02 | 0x19 | 0x22 | 0x23 | 0x2F | 0x3F | 0x40 | 0x44 | 0x50, _)
        | (0x1A, 0x0C1A | 0x1C1A | 0x201A | 0x281A | 0x301A)
        | (0x2C | 0x43, 0x082C | 0x0843) => 1251,
        (0x11, _) => 932,
        (0x12, _) => 949,
        (0x1E, _) => 874,
        (0x05 | 0x0E | 0x15 | 0x18 | 0x1A | 0x1B | 0x1C | 0x24, _) => 1250,
        (0x03 | 0x06 | 0x07 | 0x09..=0x0C | 0x0F | 0x10 | 0x13 | 0x14 | 0x16 | 0x1D | 0x21, _) => {
            1252
        }
        (0x08, _) => 1253,
        (0x1F | 0x2C | 0x43, _) => 1254,
        (0x0D, _) => 1255,
        (0x01 | 0x20 | 0x29, _) => 1256,
        (0x25..=0x27, _) => 1257,
        (0x2A, _) => 1258,
        _ => return None,
    })
}

/// The code page of an RTF character set (`\fcharsetN`); `None` for the default.
pub fn from_charset(charset: i32) -> Option<u32> {
    Some(match charset {
        0 => 1252,
        77 => 10000,
        128 => 932,
        129 => 949,
        134 => 936,
        136 => 950,
        161 => 1253,
        162 => 1254,
        163 => 1258,
        177 => 1255,
        178 => 1256,
        186 => 1257,
        204 => 1251,
        222 => 874,
        238 => 1250,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_in_the_encoding_standard() {
        for number in (0..=70_000).filter(|number| *number != UTF_7) {
            assert_eq!(
                label(number).is_some(),
                encoding(number).is_some(),
                "{number}"
            );
        }
    }

    #[test]
    fn stored_code_pages() {
        for (sent, page) in [(50220, 932), (28592, 1250), (65001, 65001), (1252, 1252)] {
            assert_eq!(stored(sent), page);
        }
        for (locale, page) in [
            (1041, Some(932)),
            (1033, Some(1252)),
            (1049, Some(1251)),
            (2052, Some(936)),
            (1028, Some(950)),
            (3098, Some(1251)),
            (1050, Some(1250)),
            (0, None),
        ] {
            assert_eq!(from_locale(locale), page, "{locale}");
        }
    }

    #[test]
    fn unknown_code_page() {
        assert_eq!(decode(None, "é".as_bytes()), "é");
        assert_eq!(decode(Some(437), b"\xE9"), "é");
        assert_eq!(decode(Some(1251), b"\xE9"), "й");
    }
}
