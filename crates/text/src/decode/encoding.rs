//! Bytes of a document to text: HTML "determining the character encoding", and decoding.

use std::borrow::Cow;

use encoding_rs::{DecoderResult, Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};
use memchr::memchr;

use super::detection;
use super::position::{Offsets, Positions};
use super::prescan::{self, Declaration};

/// How much of a document without a declared encoding the detector reads, from the first
/// significant byte on: it reads some 10 MB/s, and has decided long before.
const DETECTION: usize = 256 * 1024;

/// How much of a document without a declared encoding is searched for the zero bytes of UTF-16.
const ZEROS: usize = 4096;

/// How much of an unknown label is quoted, in characters.
const LABEL: usize = 40;

/// A document's text.
#[derive(Debug)]
pub struct Decoded<'s> {
    /// The text without byte order mark; borrowed where the bytes are already UTF-8.
    pub text: Cow<'s, str>,
    /// The encoding it was read in.
    pub encoding: &'static Encoding,
    /// Maps offsets in the text back to the bytes.
    pub offsets: Offsets<'s>,
    /// An unknown charset, or bytes that are malformed in the declared encoding, in words without
    /// control characters. Malformed sequences become U+FFFD in the text.
    pub problem: Option<String>,
}

impl Decoded<'_> {
    /// Finds the positions of values in the text.
    #[must_use]
    pub fn positions(&self) -> Positions<'_> {
        Positions::new(&self.text, self.offsets)
    }
}

/// The encoding that a document names ([`baseref_document::Document::encoding`]).
#[must_use]
pub fn named(name: &str) -> &'static Encoding {
    Encoding::for_label(name.as_bytes()).unwrap_or(UTF_8)
}

/// Decodes a document by the first of these that is known: its byte order mark, the user's encoding,
/// `charset` (the parameter of its media type, a label as written), the encoding that the document
/// itself declares (HTML "prescan a byte stream"), UTF-8 if the bytes are valid UTF-8, or the
/// result of frequency analysis. Labels that name no encoding are skipped.
#[must_use]
pub fn decode<'s>(
    bytes: &'s [u8],
    charset: Option<&str>,
    user: Option<&'static Encoding>,
) -> Decoded<'s> {
    decode_from(bytes, charset, user, None)
}

/// Like [`decode`], for a document retrieved from `url`, if that is known: the top-level domain
/// distinguishes languages that share their letters.
#[must_use]
pub fn decode_from<'s>(
    bytes: &'s [u8],
    charset: Option<&str>,
    user: Option<&'static Encoding>,
    url: Option<&str>,
) -> Decoded<'s> {
    let undeclared = |bytes: &[u8]| detected(bytes, url);
    decode_declared(bytes, charset, user, prescan::declaration, undeclared)
}

/// The encoding that an HTML document declares, given the charset of its media type; `None` without one.
#[must_use]
pub fn declared_by(bytes: &[u8], charset: Option<&str>) -> Option<&'static Encoding> {
    declared(charset, || prescan::declaration(bytes), &mut Vec::new())
}

/// Like [`decode`], for an XML document: it declares its encoding in the XML declaration, and is
/// UTF-8 if it declares none (XML 1.0 §4.3.3).
pub fn decode_xml<'s>(
    bytes: &'s [u8],
    charset: Option<&str>,
    user: Option<&'static Encoding>,
) -> Decoded<'s> {
    decode_declared(bytes, charset, user, prescan::xml_declaration, |_| UTF_8)
}

/// Like [`decode`], for a text that cannot declare an encoding itself.
#[must_use]
pub fn decode_plain<'s>(
    bytes: &'s [u8],
    charset: Option<&str>,
    user: Option<&'static Encoding>,
) -> Decoded<'s> {
    let undeclared = |bytes: &[u8]| detected(bytes, None);
    decode_declared(bytes, charset, user, |_| Declaration::default(), undeclared)
}

fn decode_declared<'s>(
    bytes: &'s [u8],
    charset: Option<&str>,
    user: Option<&'static Encoding>,
    declaration: impl Fn(&'s [u8]) -> Declaration<'s>,
    undeclared: impl Fn(&[u8]) -> &'static Encoding,
) -> Decoded<'s> {
    let mut unknown = Vec::new();
    let (declared, mark) = match Encoding::for_bom(bytes) {
        Some((encoding, length)) => (Some(encoding), length),
        None => (
            user.or_else(|| declared(charset, || declaration(bytes), &mut unknown)),
            0,
        ),
    };
    let stored = &bytes[mark..];
    let encoding = declared.unwrap_or_else(|| undeclared(stored));
    let (text, malformed) = encoding.decode_without_bom_handling(stored);
    let mut problems: Vec<String> = unknown
        .iter()
        .map(|label| format!("unknown charset {label:?}, read as {}", encoding.name()))
        .collect();
    if malformed && declared.is_some() {
        let at = mark + first_malformed(encoding, stored);
        problems.push(format!("malformed {} at byte {at}", encoding.name()));
    }
    let offsets = match text {
        Cow::Borrowed(_) => Offsets::same(bytes, mark),
        Cow::Owned(_) => Offsets::transcoded(bytes, mark, encoding),
    };
    Decoded {
        text,
        encoding,
        offsets,
        problem: (!problems.is_empty()).then(|| problems.join("; ")),
    }
}

/// Whether the first bytes of a document declare no encoding, but a label that `is_wanted`.
#[must_use]
pub fn declares(bytes: &[u8], is_wanted: fn(&str) -> bool) -> bool {
    let declaration = prescan::declaration(&bytes[..bytes.len().min(prescan::PRESCAN)]);
    declaration.encoding.is_none() && declaration.unknown.is_some_and(|label| is_wanted(&label))
}

/// Decodes a style sheet (CSS Syntax 3 §3.2) by the first of these that is known: its byte order mark,
/// the user's encoding, `charset` (the parameter of its media type, a label as written), its
/// `@charset`, or UTF-8. Labels that name no encoding are skipped.
pub fn decode_style_sheet<'s>(
    bytes: &'s [u8],
    charset: Option<&str>,
    user: Option<&'static Encoding>,
) -> Decoded<'s> {
    decode_declared(bytes, charset, user, charset_rule, |_| UTF_8)
}

/// The `@charset` that a style sheet begins with, byte for byte.
fn charset_rule(bytes: &[u8]) -> Declaration<'_> {
    let label = || {
        let label = bytes[..bytes.len().min(1024)].strip_prefix(b"@charset \"")?;
        let length = memchr(b'"', label)?;
        label[length + 1..]
            .starts_with(b";")
            .then(|| &label[..length])
    };
    let Some(label) = label() else {
        return Declaration::default();
    };
    // A rule that can be read as ASCII is not UTF-16.
    let readable = |encoding: &'static Encoding| {
        let is_utf_16 = encoding == UTF_16BE || encoding == UTF_16LE;
        if is_utf_16 { UTF_8 } else { encoding }
    };
    let encoding = prescan::encoding_of_label(label).map(readable);
    Declaration {
        encoding,
        unknown: encoding.is_none().then(|| String::from_utf8_lossy(label)),
    }
}

/// The encoding declared by the transport or the document, reporting the labels that name none.
fn declared<'s>(
    charset: Option<&str>,
    declaration: impl FnOnce() -> Declaration<'s>,
    unknown: &mut Vec<String>,
) -> Option<&'static Encoding> {
    let mut tell = |label: &str| unknown.push(label.chars().take(LABEL).collect());
    if let Some(label) = charset {
        let encoding = prescan::encoding_of_label(label.as_bytes());
        if encoding.is_some() {
            return encoding;
        }
        tell(label);
    }
    let declaration = declaration();
    if declaration.encoding.is_none()
        && let Some(label) = declaration.unknown
    {
        tell(&label);
    }
    declaration.encoding
}

/// The byte order of UTF-16 without a byte order mark, judged by its zero bytes: markup and most
/// white space are ASCII, so every other byte is zero.
#[must_use]
pub fn utf_16_by_zeros(bytes: &[u8]) -> Option<&'static Encoding> {
    let head = &bytes[..bytes.len().min(ZEROS) & !1];
    memchr(0, head)?;
    let (units, _) = head.as_chunks::<2>();
    // In numbers of a byte, so that many units are counted at once.
    let (mut first, mut second) = (0, 0);
    for few in units.chunks(u8::MAX.into()) {
        let zeros = |place: usize| {
            few.iter()
                .map(|unit| u8::from(unit[place] == 0))
                .sum::<u8>()
        };
        first += usize::from(zeros(0));
        second += usize::from(zeros(1));
    }
    let units = units.len();
    // Too little to judge by.
    if units < 4 {
        return None;
    }
    let is_one_half = |full: usize, other: usize| full * 4 >= units && other * 20 <= full;
    let encoding = match (first, second) {
        (first, second) if is_one_half(second, first) => UTF_16LE,
        (first, second) if is_one_half(first, second) => UTF_16BE,
        _ => return None,
    };
    let text = encoding.decode_without_bom_handling_and_without_replacement(head)?;
    let controls = text
        .chars()
        .filter(|c| c.is_control() && !c.is_whitespace());
    (controls.count() * 20 <= units).then_some(encoding)
}

/// UTF-16, known by its byte order mark or its zero bytes, as UTF-8; `None` if it is something else.
#[must_use]
pub fn utf_8_of_utf_16(bytes: &[u8]) -> Option<String> {
    let marked = Encoding::for_bom(bytes).map(|(encoding, _)| encoding);
    let encoding = marked.or_else(|| utf_16_by_zeros(bytes))?;
    let is_utf_16 = encoding == UTF_16LE || encoding == UTF_16BE;
    is_utf_16.then(|| encoding.decode(bytes).0.into_owned())
}

/// The encoding of a document that declares none, retrieved from `url` if that is known.
fn detected(bytes: &[u8], url: Option<&str>) -> &'static Encoding {
    if let Some(encoding) = utf_16_by_zeros(bytes) {
        return encoding;
    }
    let ascii = Encoding::ascii_valid_up_to(bytes);
    let told_from = memchr(0x1B, &bytes[..ascii]).unwrap_or(ascii);
    if told_from == bytes.len() {
        // The default of browsers; it matters for encoding the queries of URLs.
        return WINDOWS_1252;
    }
    if ascii < bytes.len() && is_utf_8(&bytes[ascii..]) {
        return UTF_8;
    }
    let part = &bytes[..bytes.len().min(told_from + DETECTION)];
    let region = url.and_then(detection::region_of_url);
    detection::guess(part, part.len() == bytes.len(), region.as_deref())
}

/// Whether bytes, beginning with the first that is not ASCII, are UTF-8, possibly truncated; a lone
/// lead byte at the end is more likely a letter in another encoding.
fn is_utf_8(bytes: &[u8]) -> bool {
    let valid = Encoding::utf8_valid_up_to(bytes);
    let is_cut_off = |rest| str::from_utf8(rest).is_err_and(|error| error.error_len().is_none());
    valid == bytes.len() || valid > 0 && is_cut_off(&bytes[valid..])
}

/// The offset of the first malformed sequence, or the length if there is none.
fn first_malformed(encoding: &'static Encoding, bytes: &[u8]) -> usize {
    let mut decoder = encoding.new_decoder_without_bom_handling();
    let mut discarded = [0; 4096];
    let mut read = 0;
    loop {
        let (result, more, _) =
            decoder.decode_to_utf8_without_replacement(&bytes[read..], &mut discarded, true);
        read += more;
        match result {
            DecoderResult::InputEmpty => return bytes.len(),
            DecoderResult::OutputFull => {}
            DecoderResult::Malformed(length, after) => {
                return read.saturating_sub(usize::from(length) + usize::from(after));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use encoding_rs::{EUC_JP, GB18030, ISO_2022_JP, KOI8_R, KOI8_U, SHIFT_JIS, WINDOWS_1251};
    use proptest::prelude::*;

    use super::*;

    const RUSSIAN: &str = "<p>Съешь ещё этих мягких французских булок, да выпей же чаю.";
    const JAPANESE: &str = "<p>これは日本語の文章です。文字コードを判定できるはずです。";

    #[test]
    fn byte_order_mark_precedence() {
        let meta = b"<meta charset=big5>\xE9";
        let marked = [b"\xEF\xBB\xBF".as_slice(), meta].concat();
        let cases = [
            (&marked[..], Some("euc-jp"), Some(KOI8_R), UTF_8),
            (meta, Some("euc-jp"), Some(KOI8_R), KOI8_R),
            (meta, Some("euc-jp"), None, EUC_JP),
            (meta, None, None, encoding_rs::BIG5),
            (b"\xFF\xFEa\0", Some("utf-8"), None, UTF_16LE),
            (b"\xFE\xFF\0a", None, Some(UTF_8), UTF_16BE),
            (b"a\0", Some("utf-16"), None, UTF_16LE),
            (b"\0a", Some("UTF-16BE"), None, UTF_16BE),
            (b"a", Some(" Latin1\n"), None, WINDOWS_1252),
        ];
        for (bytes, charset, user, expected) in cases {
            let decoded = decode(bytes, charset, user);
            assert_eq!(decoded.encoding, expected, "{bytes:?} {charset:?} {user:?}");
        }
    }

    #[test]
    fn style_sheet_encoding() {
        let cases: [(&[u8], _, _, _); 9] = [
            (b"a{}", None, None, UTF_8),
            (b"\xE9", None, None, UTF_8),
            (b"@charset \"koi8-r\";\xE9", None, None, KOI8_R),
            (
                b"@charset \"koi8-r\";",
                Some("big5"),
                None,
                encoding_rs::BIG5,
            ),
            (b"@charset \"koi8-r\";", Some("none"), None, KOI8_R),
            (b"@charset \"koi8-r\";", Some("big5"), Some(EUC_JP), EUC_JP),
            (
                b"\xEF\xBB\xBF@charset \"koi8-r\";",
                Some("big5"),
                None,
                UTF_8,
            ),
            (b"@charset 'koi8-r';", None, None, UTF_8),
            (b"@charset \"utf-16\";", None, None, UTF_8),
        ];
        for (bytes, charset, user, expected) in cases {
            let decoded = decode_style_sheet(bytes, charset, user);
            assert_eq!(decoded.encoding, expected, "{bytes:?} {charset:?} {user:?}");
        }
        let problem = decode_style_sheet(b"a", Some("none"), None).problem;
        let expected = "unknown charset \"none\", read as UTF-8";
        assert_eq!(problem.as_deref(), Some(expected));
    }

    #[test]
    fn byte_order_mark_dropped() {
        for bytes in [&b"\xEF\xBB\xBFa"[..], b"\xFF\xFEa\0", b"\xFE\xFF\0a"] {
            assert_eq!(decode(bytes, None, None).text, "a");
        }
        // A second one is, and so is one of another encoding.
        assert_eq!(
            decode(b"\xEF\xBB\xBF\xEF\xBB\xBFa", None, None).text,
            "\u{FEFF}a"
        );
        assert_eq!(
            decode(b"\xEF\xBB\xBFa\xFF\xFE", None, None).text,
            "a\u{FFFD}\u{FFFD}"
        );
    }

    #[test]
    fn undeclared_encoding() {
        let text = format!(" text, {RUSSIAN}<a href='x'>y</a>");
        let little: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let big: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
        let cases: [(&[u8], _); 13] = [
            (b"", WINDOWS_1252),
            (b"<p>ASCII", WINDOWS_1252),
            (RUSSIAN.as_bytes(), UTF_8),
            // Truncated in the middle of a character, as a broken download is.
            (&RUSSIAN.as_bytes()[..17], UTF_8),
            (b"<p>caf\xE9", WINDOWS_1252),
            (&KOI8_R.encode(RUSSIAN).0, KOI8_U),
            (&WINDOWS_1251.encode(RUSSIAN).0, WINDOWS_1251),
            (&SHIFT_JIS.encode(JAPANESE).0, SHIFT_JIS),
            (&ISO_2022_JP.encode(JAPANESE).0, ISO_2022_JP),
            (&little, UTF_16LE),
            (&big, UTF_16BE),
            (b"a\0b", WINDOWS_1252),
            (b"\0\0\0\0<p>\0", WINDOWS_1252),
        ];
        for (bytes, expected) in cases {
            let decoded = decode(bytes, None, None);
            assert_eq!(decoded.encoding, expected, "{bytes:?}");
            assert_eq!(decoded.problem, None, "{bytes:?}");
        }
    }

    #[test]
    fn undeclared_encoding_by_url() {
        let (short, ..) = encoding_rs::ISO_8859_2.encode("<title>Üdvözöljük</title>");
        let from = |url| decode_from(&short, None, None, url).encoding;
        assert_eq!(from(None), WINDOWS_1252);
        assert_eq!(from(Some("http://example.hu/")), encoding_rs::ISO_8859_2);
        let declared = b"<meta charset=koi8-r>\xE9";
        let decoded = decode_from(declared, None, None, Some("http://example.hu/"));
        assert_eq!(decoded.encoding, KOI8_R);
    }

    #[test]
    fn detection_skips_ascii() {
        let mut bytes = vec![b' '; 2 * DETECTION];
        bytes.extend_from_slice(&WINDOWS_1251.encode(RUSSIAN).0);
        assert_eq!(decode(&bytes, None, None).encoding, WINDOWS_1251);
        // And ignores what follows.
        bytes.extend_from_slice(&vec![b' '; DETECTION]);
        bytes.push(0x98);
        let decoded = decode(&bytes, None, None);
        assert_eq!((decoded.encoding, decoded.problem), (WINDOWS_1251, None));
    }

    #[test]
    fn utf_8_borrowed() {
        let cases: [(&[u8], _); 5] = [
            (b"<p>ASCII", None),
            (b"<p>ASCII", Some("windows-1251")),
            (b"<p>ASCII", Some("shift_jis")),
            (RUSSIAN.as_bytes(), None),
            (RUSSIAN.as_bytes(), Some("utf-8")),
        ];
        for (bytes, charset) in cases {
            let decoded = decode(bytes, charset, None);
            assert!(
                matches!(decoded.text, Cow::Borrowed(_)),
                "{bytes:?} {charset:?}"
            );
        }
    }

    #[test]
    fn unknown_charset_reported() {
        let long = "x".repeat(100);
        let cases = [
            (
                "<meta charset=koi8-r>",
                Some("nonsense"),
                "unknown charset \"nonsense\", read as KOI8-R",
            ),
            (
                "\u{e9}",
                Some("non\nsense"),
                "unknown charset \"non\\nsense\", read as UTF-8",
            ),
            (
                "<meta charset=nonsense>",
                None,
                "unknown charset \"nonsense\", read as windows-1252",
            ),
            ("a", Some(""), "unknown charset \"\", read as windows-1252"),
            (
                "a",
                Some(&long),
                "unknown charset \"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\", read as windows-1252",
            ),
        ];
        for (document, charset, expected) in cases {
            let decoded = decode(document.as_bytes(), charset, None);
            assert_eq!(decoded.problem.as_deref(), Some(expected));
        }
        let decoded = decode(b"<meta charset=none><meta charset=big5>", None, None);
        assert_eq!(decoded.problem, None);
    }

    #[test]
    fn wrong_charset_reported_with_offset() {
        let cases: [(&[u8], _, _, _); 7] = [
            (
                b"caf\xE9 \xFF",
                Some("utf-8"),
                "caf\u{FFFD} \u{FFFD}",
                "UTF-8 at byte 3",
            ),
            (
                b"<meta charset=utf-8>\xE9",
                None,
                "<meta charset=utf-8>\u{FFFD}",
                "UTF-8 at byte 20",
            ),
            (b"\xEF\xBB\xBFa\xE9", None, "a\u{FFFD}", "UTF-8 at byte 4"),
            (
                b"ab\xE2\x82",
                Some("utf-8"),
                "ab\u{FFFD}",
                "UTF-8 at byte 2",
            ),
            (
                b"a\0\0\xD8b\0",
                Some("utf-16"),
                "a\u{FFFD}b",
                "UTF-16LE at byte 2",
            ),
            (
                b"a\x81\x30\x81b",
                Some("gb18030"),
                "a\u{FFFD}0乥",
                "gb18030 at byte 1",
            ),
            (b"a\x81", Some("windows-1253"), "a\u{81}", ""),
        ];
        for (bytes, charset, text, problem) in cases {
            let decoded = decode(bytes, charset, None);
            assert_eq!(decoded.text, text);
            let expected = (!problem.is_empty()).then(|| format!("malformed {problem}"));
            assert_eq!(decoded.problem, expected, "{bytes:?}");
        }
    }

    #[test]
    fn unknown_and_wrong_charset_reported() {
        let decoded = decode(b"<meta charset=utf-8>\xE9", Some("none"), None);
        assert_eq!(
            decoded.problem.as_deref(),
            Some("unknown charset \"none\", read as UTF-8; malformed UTF-8 at byte 20")
        );
    }

    proptest! {
        #[test]
        fn any_input(
            bytes in proptest::collection::vec(any::<u8>(), 0..200),
            charset in proptest::option::of(proptest::sample::select(&[
                "utf-8", "utf-16", "gb18030", "iso-2022-jp", "euc-jp", "big5", "replacement", "x",
            ][..])),
        ) {
            let decoded = decode(&bytes, charset, None);
            decoded.positions().locate(0..decoded.text.len());
        }

        #[test]
        fn text_survives(text in "\\PC{0,50}") {
            for encoding in [UTF_8, GB18030] {
                let (bytes, _, unmappable) = encoding.encode(&text);
                prop_assume!(!unmappable && Encoding::for_bom(&bytes).is_none());
                let decoded = decode(&bytes, Some(encoding.name()), None);
                prop_assert_eq!(&decoded.text, &text);
                prop_assert_eq!(decoded.problem, None);
            }
        }
    }
}
