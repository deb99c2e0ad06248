//! Tests of positions.

use encoding_rs::{
    BIG5, EUC_JP, EUC_KR, GB18030, GBK, IBM866, KOI8_R, MACINTOSH, SHIFT_JIS, UTF_8, WINDOWS_1250,
    WINDOWS_1251, WINDOWS_1252, WINDOWS_1253, WINDOWS_1255, WINDOWS_1258,
};
use proptest::prelude::*;

use super::super::encoding::decode;
use super::*;

const ENCODINGS: [&Encoding; 20] = [
    UTF_8,
    UTF_16LE,
    UTF_16BE,
    SHIFT_JIS,
    EUC_JP,
    ISO_2022_JP,
    GB18030,
    GBK,
    BIG5,
    EUC_KR,
    WINDOWS_1250,
    WINDOWS_1251,
    WINDOWS_1252,
    WINDOWS_1253,
    WINDOWS_1255,
    WINDOWS_1258,
    IBM866,
    KOI8_R,
    MACINTOSH,
    encoding_rs::X_USER_DEFINED,
];

/// Text in an encoding, without the characters that it cannot represent.
fn encode(encoding: &'static Encoding, text: &str) -> Vec<u8> {
    if encoding == UTF_16LE {
        text.encode_utf16().flat_map(u16::to_le_bytes).collect()
    } else if encoding == UTF_16BE {
        text.encode_utf16().flat_map(u16::to_be_bytes).collect()
    } else {
        let holds = |c: &char| !encoding.encode(c.encode_utf8(&mut [0; 4])).2;
        let text: String = text.chars().filter(holds).collect();
        encoding.encode(&text).0.into_owned()
    }
}

/// The ranges between quotation marks, as for attribute values.
fn values(text: &str) -> Vec<Range<usize>> {
    let quotes: Vec<_> = text.match_indices('"').map(|(at, _)| at).collect();
    quotes.windows(2).map(|pair| pair[0] + 1..pair[1]).collect()
}

/// Cuts each value out of the stored document and decodes it on its own.
fn assert_cuts_out(bytes: &[u8], encoding: &'static Encoding) {
    let decoded = decode(bytes, Some(encoding.name()), None);
    let mut positions = decoded.positions();
    for value in values(&decoded.text) {
        let byte = positions.locate(value.clone()).byte;
        let [start, end] = [byte.start, byte.end].map(|at| usize::try_from(at).unwrap());
        let (cut, _) = encoding.decode_without_bom_handling(&bytes[start..end]);
        let mut end = decoded.text[value.clone()].chars().rev().take(3);
        if [GB18030, GBK].contains(&encoding) && end.any(|c| c == '\u{FFFD}') {
            // See `Positions::of`.
            continue;
        }
        let name = encoding.name();
        assert_eq!(
            cut,
            &decoded.text[value.clone()],
            "{name} {value:?} {byte:?} {bytes:?}"
        );
    }
}

/// Literally by the definition of line and column.
fn line_and_column(text: &str, offset: usize) -> (u32, u32) {
    let before = &text[..offset];
    let (mut line, mut column) = (1, 1);
    for (at, c) in before.char_indices() {
        let next_is_lf = text[at + c.len_utf8()..].starts_with('\n');
        if c == '\n' || c == '\r' && !next_is_lf {
            (line, column) = (line + 1, 1);
        } else {
            column += 1;
        }
    }
    (line, column)
}

#[test]
fn lf_cr_and_crlf_lines() {
    let text = "a\nb\rc\r\nd\n\re\r\r\nf\u{85}\u{2028}\u{c}g";
    let cases = [
        ('a', 1, 1),
        ('b', 2, 1),
        ('c', 3, 1),
        ('d', 4, 1),
        ('e', 6, 1),
        ('f', 8, 1),
        ('g', 8, 5),
    ];
    let mut positions = Positions::from_text(text);
    for (letter, line, column) in cases {
        let at = text.find(letter).unwrap();
        let position = positions.locate(at..at + 1);
        assert_eq!(
            (position.line.get(), position.column.get()),
            (line, column),
            "{letter}"
        );
        assert_eq!(position.byte, at as u64..at as u64 + 1, "{letter}");
    }
}

#[test]
fn column_in_scalar_values() {
    let text = "é日\u{10348}e\u{301}x";
    let at = text.find('x').unwrap();
    assert_eq!(
        Positions::from_text(text).locate(at..at + 1).column.get(),
        6
    );
}

#[test]
fn byte_order_mark_in_positions() {
    for (encoding, mark) in [
        (UTF_8, &b"\xEF\xBB\xBF"[..]),
        (UTF_16LE, b"\xFF\xFE"),
        (UTF_16BE, b"\xFE\xFF"),
    ] {
        let bytes = [mark, &encode(encoding, "\"日\"")].concat();
        let decoded = decode(&bytes, None, None);
        assert_eq!(decoded.encoding, encoding);
        let position = decoded.positions().locate(1..4);
        assert_eq!(position.column.get(), 2);
        let stored = encode(encoding, "\"").len() + mark.len();
        assert_eq!(position.byte.start, stored as u64);
        assert_cuts_out(&bytes, encoding);
    }
}

#[test]
fn offset_clamped_to_character() {
    let text = "a日";
    let mut positions = Positions::from_text(text);
    assert_eq!(positions.locate(2..3).byte, 1..1);
    assert_eq!(positions.locate(100..200).byte, 4..4);
    #[expect(clippy::reversed_empty_ranges, reason = "must not panic")]
    let reversed = positions.locate(4..1);
    assert_eq!(reversed.byte, 4..4);
}

#[test]
fn value_ranges_in_every_encoding() {
    let texts = [
        "<a href=\"../é/ü?q=ß#\">é</a>\"ä\"",
        "「<a href=\"日本/語.html\">日本語</a>」\"表示\"ソ\"能\"",
        "Ж <a href=\"/страница?я=1\">Ссылка</a>",
        "<a href=\"/中文/网页\">你好</a> \"臺灣\" \"\u{10348}\u{20000}\" \"한국어\"",
        "\"ｶﾀｶﾅ\" \"漢ｶ字\"",
    ];
    for encoding in ENCODINGS {
        for text in texts {
            assert_cuts_out(&encode(encoding, text), encoding);
            assert_cuts_out(&encode(encoding, &text.repeat(500)), encoding);
        }
    }
}

#[test]
fn value_ranges_near_malformed_sequences() {
    let cases: [(&Encoding, &[u8]); 13] = [
        (
            UTF_8,
            b"\"\xE2\x82\" \xC3\"\xF0\x90\x80a\" \"\xFF\xFE\"\xE2\x82\xAC\"",
        ),
        (UTF_16LE, b"\"\0\0\xD8\"\0\0\xDC\"\0a\0\"\0\0\xD8x"),
        (UTF_16BE, b"\0\"\xD8\0\0\"\xDC\0\0\"\0a\0\"\xD8\0x"),
        (SHIFT_JIS, b"\"\x81\"\xFFa\"\xFC\xFC\"\x83\x5C\""),
        (EUC_JP, b"\"\x8F\xA1\" \"\x8F\"a\xA4\"\xA4\xA2\""),
        (BIG5, b"\"\xFE\"a\x88\x62\"\xA4\xA4\"\x81\"\""),
        (EUC_KR, b"\"\xFE\"a\xC7\xD1\"\xC7\"\""),
        // Bytes pushed back after an error end before the quotation mark.
        (
            GB18030,
            b"\"\x81\x30\x81a\"\x84\x31\xA4\x37x\"\xD6\xD0\x81\x30y\"",
        ),
        // An escape sequence that is truncated; two in a row; one in the middle of a character.
        (
            ISO_2022_JP,
            b"\"\x1B$B\x46\x7C\x1B(B\"\x1B\"\x1B$\"\x1B(Ba\"",
        ),
        (
            ISO_2022_JP,
            b"\"\x1B$B\x1B(Bfoo\" \"\x1B$B\x46\x1B(Bx\"\x1B$\x46\"",
        ),
        (
            ISO_2022_JP,
            b"\"\x1B(I\x31\x1B(B\"\x1B$@\x46\x7C\x1B$B\x46\x7C\x1B(J\"a\"",
        ),
        (
            ISO_2022_JP,
            b"\x1B$B\x1B(B\"\x1B$B\x1B(B\"\x1B$B\x1B(B\x1B(I\x1B(B\"",
        ),
        (WINDOWS_1253, b"\"\xAA\"\xE1\xD2\"\xFF\""),
    ];
    for (encoding, bytes) in cases {
        assert_cuts_out(bytes, encoding);
        assert_cuts_out(&bytes.repeat(1000), encoding);
    }
}

#[test]
fn truncated_utf_16() {
    let bytes = b"a\0\0\xD8x";
    let decoded = decode(bytes, Some("utf-16le"), None);
    assert_eq!(decoded.text, "a\u{FFFD}");
    assert_eq!(decoded.positions().locate(1..4).byte, 2..5);
}

#[test]
fn repeated_escape_sequence() {
    let bytes = b"\x1B$B\x1B(B\x1B(I\x1B(Bx";
    let decoded = decode(bytes, Some("iso-2022-jp"), None);
    assert_eq!(decoded.text, "\u{FFFD}\u{FFFD}\u{FFFD}x");
    let mut positions = decoded.positions();
    for (value, byte) in [(0..3, 0..6), (3..6, 6..9), (6..9, 9..12), (9..10, 12..13)] {
        assert_eq!(positions.locate(value.clone()).byte, byte, "{value:?}");
    }
}

fn text() -> impl Strategy<Value = String> {
    "([a-z\\\\~ \"\"\"\r\n]|[éßЖяאș€]|[日本語ソ表ｶ中臺한\u{10348}\u{3000}]){0,60}"
}

/// Bytes that are errors in one encoding or another, except those that no range can express:
/// see [`Positions::of`].
fn hostile(encoding: &'static Encoding) -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        Just(&b"\""[..]),
        Just(&b"\0\""[..]),
        Just(&b"a"[..]),
        Just(&b"\n"[..]),
        Just(&b"\r"[..]),
        Just(&b"\x81"[..]),
        Just(&b"\x8F"[..]),
        Just(&b"\xA4"[..]),
        Just(&b"\xC3"[..]),
        Just(&b"\xD8\0"[..]),
        Just(&b"\xE2\x82"[..]),
        Just(&b"\xF0\x90"[..]),
        Just(&b"\xFF"[..]),
        Just(&b"\x1B"[..]),
        Just(&b"\x1B$B"[..]),
        Just(&b"\x1B$B\x46\x7C\x1B(B"[..]),
        Just(&b"\x1B(B"[..]),
        Just(&b"\x1B(I"[..]),
        Just(&b"$"[..]),
        Just(&b"("[..]),
        Just(if [GB18030, GBK].contains(&encoding) {
            &b"\x84\x31\xA4\x37"[..]
        } else {
            &b"0"[..]
        }),
    ];
    proptest::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

fn documents() -> impl Strategy<Value = (&'static Encoding, Vec<u8>)> {
    proptest::sample::select(&ENCODINGS[..]).prop_flat_map(|encoding| {
        let piece = prop_oneof![
            text().prop_map(move |text| encode(encoding, &text)),
            hostile(encoding)
        ];
        let bytes = (proptest::collection::vec(piece, 0..6), 1..200_usize);
        bytes.prop_map(move |(pieces, times)| (encoding, pieces.concat().repeat(times)))
    })
}

proptest! {
    #[test]
    fn value_ranges_of_any_text((encoding, bytes) in documents()) {
        assert_cuts_out(&bytes, encoding);
    }

    #[test]
    fn positions_independent_of_query_order(
        (encoding, bytes) in documents(),
        order in proptest::collection::vec(any::<proptest::sample::Index>(), 1..30),
    ) {
        let decoded = decode(&bytes, Some(encoding.name()), None);
        let ends = decoded.text.char_indices().map(|(at, _)| at);
        let ends: Vec<_> = ends.chain([decoded.text.len()]).collect();
        let mut in_any_order = decoded.positions();
        for index in order {
            let at = index.index(ends.len());
            let value = ends[at]..ends[(at + 5).min(ends.len() - 1)];
            let alone = decoded.positions().locate(value.clone());
            prop_assert_eq!(in_any_order.locate(value), alone);
        }
    }

    #[test]
    fn lines_and_columns_match_definition(
        text in text(),
        has_lone_returns: bool,
        times in 1..80_usize,
        order in proptest::collection::vec(any::<proptest::sample::Index>(), 1..20),
    ) {
        let return_as = if has_lone_returns { "\r" } else { "\r\n" };
        let text = text.replace('\r', return_as).repeat(times) + "x";
        let offsets: Vec<_> = text.char_indices().map(|(at, _)| at).collect();
        let mut positions = Positions::from_text(&text);
        for index in order {
            let offset = *index.get(&offsets);
            let position = positions.locate(offset..offset);
            let expected = line_and_column(&text, offset);
            prop_assert_eq!((position.line.get(), position.column.get()), expected);
            prop_assert_eq!(positions.line(offset).get(), expected.0);
        }
    }
}
