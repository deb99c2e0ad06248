//! UTF-7 (RFC 2152), which mail may be written in. Browsers never read it, since text that looks
//! harmless could turn into markup.

/// The labels of UTF-7, in lower case: the name that mail uses and its aliases (IANA, character
/// sets 1012 and 103; RFC 1642).
const LABELS: [&str; 8] = [
    "utf-7",
    "utf7",
    "csutf7",
    "unicode-1-1-utf-7",
    "csunicode11utf7",
    "unicode-2-0-utf-7",
    "x-unicode-1-1-utf-7",
    "x-unicode-2-0-utf-7",
];

/// Whether a charset label names UTF-7.
#[must_use]
pub fn is_label(label: &str) -> bool {
    let label = label.trim();
    LABELS.iter().any(|known| label.eq_ignore_ascii_case(known))
}

/// A text that was UTF-7.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Utf7Text {
    /// The text. What is malformed is U+FFFD.
    pub text: String,
    /// How many sequences are malformed.
    pub malformed: usize,
}

/// Decodes UTF-7, as far as possible: bytes outside ASCII, unpaired surrogates and bits left over
/// at the end of a sequence are malformed. Outside sequences all ASCII characters stand for
/// themselves, even those that RFC 2152 asks to encode.
#[must_use]
pub fn decode(bytes: &[u8]) -> Utf7Text {
    let mut decoding = Decoding {
        text: String::with_capacity(bytes.len()),
        malformed: 0,
    };
    let mut rest = bytes;
    while let Some(plus) = memchr::memchr(b'+', rest) {
        decoding.direct(&rest[..plus]);
        let after = &rest[plus + 1..];
        let length = after.iter().take_while(|byte| sextet(**byte).is_some());
        let (encoded, end) = after.split_at(length.count());
        rest = match (encoded, end) {
            // Without the hyphen it is ill-formed: a program wrote a plus sign unencoded.
            ([], [b'-', end @ ..] | end) => {
                decoding.text.push('+');
                end
            }
            (encoded, end) => {
                decoding.sequence(encoded);
                end.strip_prefix(b"-").unwrap_or(end)
            }
        };
    }
    decoding.direct(rest);
    Utf7Text {
        text: decoding.text,
        malformed: decoding.malformed,
    }
}

struct Decoding {
    text: String,
    malformed: usize,
}

impl Decoding {
    /// Text outside sequences.
    fn direct(&mut self, bytes: &[u8]) {
        for chunk in bytes.utf8_chunks() {
            let valid = chunk.valid();
            self.malformed += valid.chars().filter(|c| !c.is_ascii()).count();
            self.text.push_str(valid);
            if !chunk.invalid().is_empty() {
                self.malformed();
            }
        }
    }

    /// UTF-16, big-endian, in base64 without padding.
    fn sequence(&mut self, encoded: &[u8]) {
        let (mut bits, mut width) = (0_u32, 0);
        let mut units = Vec::with_capacity(encoded.len() * 6 / 16);
        for value in encoded.iter().filter_map(|byte| sextet(*byte)) {
            bits = bits << 6 | u32::from(value);
            width += 6;
            if width >= 16 {
                width -= 16;
                units.push((bits >> width & 0xFFFF) as u16);
                bits &= (1 << width) - 1;
            }
        }
        for unit in char::decode_utf16(units) {
            match unit {
                Ok(character) => self.text.push(character),
                Err(_) => self.malformed(),
            }
        }
        if width >= 6 || bits != 0 {
            self.malformed();
        }
    }

    fn malformed(&mut self) {
        self.malformed += 1;
        self.text.push(char::REPLACEMENT_CHARACTER);
    }
}

/// The six bits that a letter of base64 stands for.
fn sextet(byte: u8) -> Option<u8> {
    match byte {
        b'A'..=b'Z' => Some(byte - b'A'),
        b'a'..=b'z' => Some(byte - b'a' + 26),
        b'0'..=b'9' => Some(byte - b'0' + 52),
        b'+' => Some(62),
        b'/' => Some(63),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn rfc_2152_examples() {
        for (encoded, text) in [
            ("A+ImIDkQ.", "A\u{2262}\u{391}."),
            ("Hi Mom -+Jjo--!", "Hi Mom -\u{263A}-!"),
            ("+ZeVnLIqe-", "\u{65E5}\u{672C}\u{8A9E}"),
            ("Item 3 is +AKM-1.", "Item 3 is \u{A3}1."),
            ("1 +- 1", "1 + 1"),
            (
                "+ADw-a href=+ACI-http://x/?a+AD0-1+ACIAPg-",
                "<a href=\"http://x/?a=1\">",
            ),
            ("+2D3eAA-", "\u{1F600}"),
        ] {
            let expected = Utf7Text {
                text: text.to_owned(),
                malformed: 0,
            };
            assert_eq!(decode(encoded.as_bytes()), expected, "{encoded}");
        }
    }

    #[test]
    fn malformed_sequences() {
        for (encoded, text, malformed) in [
            (&b"+2D0-x"[..], "\u{FFFD}x", 1),
            (b"+A-x", "\u{FFFD}x", 1),
            (b"+AGE/-", "a\u{FFFD}", 1),
            (b"a+ b", "a+ b", 0),
            (b"a\xE9b", "a\u{FFFD}b", 1),
            (b"\xC3\xA9", "\u{E9}", 1),
            (b"+", "+", 0),
        ] {
            let expected = Utf7Text {
                text: text.to_owned(),
                malformed,
            };
            assert_eq!(decode(encoded), expected, "{encoded:?}");
        }
    }

    #[test]
    fn utf_7_labels() {
        for label in ["UTF-7", " utf-7 ", "unicode-1-1-utf-7", "csUnicode11UTF7"] {
            assert!(is_label(label), "{label}");
        }
        for label in ["utf-8", "utf-70", "", "utf-7-imap"] {
            assert!(!is_label(label), "{label}");
        }
    }

    /// The text in UTF-7, every character in a sequence.
    fn encoded(text: &str) -> String {
        use base64::Engine as _;
        let bytes: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
        let base64 = base64::engine::general_purpose::STANDARD_NO_PAD.encode(bytes);
        format!("+{base64}-")
    }

    proptest! {
        #[test]
        fn text_survives(text in "\\PC{1,40}") {
            prop_assert_eq!(decode(encoded(&text).as_bytes()), Utf7Text { text, malformed: 0 });
        }

        #[test]
        fn decoded_length_limit(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            prop_assert!(decode(&bytes).text.len() <= 3 * bytes.len());
        }
    }
}
