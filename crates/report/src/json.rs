//! JSON text without control and bidirectional formatting characters: those that JSON allows unescaped
//! are escaped, too.

use std::io::{self, Write};

use baseref_files::terminal::show_since;
use baseref_simd::{Bytes16, Bytes32};
use serde::Serialize;

use super::windows::each_window;

/// The text of a value.
///
/// # Errors
/// If it has no form in JSON.
pub fn to_vec(value: &impl Serialize) -> io::Result<Vec<u8>> {
    let mut out = serde_json::to_vec(value)?;
    // Outside strings, JSON is ASCII.
    show_since(0, &mut out);
    Ok(out)
}

/// Appends a string with its quotation marks.
pub fn push_string(text: &str, out: &mut Vec<u8>) {
    // Nearly every text stands as it is.
    if !is_plain(text.as_bytes()) {
        out.push(b'"');
        push_escaped(text, out);
        out.push(b'"');
        return;
    }
    out.reserve(text.len() + 2);
    out.push(b'"');
    out.extend_from_slice(text.as_bytes());
    out.push(b'"');
}

/// Whether a text is printable ASCII without quotation marks and backslashes.
#[inline]
fn is_plain(bytes: &[u8]) -> bool {
    let mut others = Bytes16::default();
    each_window(bytes, |window| {
        others |= window.eq(Bytes16::splat(b'"')) | window.eq(Bytes16::splat(b'\\'));
        // Not zero where a byte is not printable.
        let above_space = window - Bytes16::splat(b' ');
        others |= above_space.min(Bytes16::splat(b'~' - b' ')) ^ above_space;
    });
    others.eq(Bytes16::default()).bits() == 0xFFFF
}

/// Appends the inside of a string.
pub fn push_escaped(text: &str, out: &mut Vec<u8>) {
    let bytes = text.as_bytes();
    let mut kept = 0;
    let mut at = 0;
    while let Some(found) = next_to_escape(bytes, at) {
        let rest = bytes.get(found + 1..).unwrap_or_default();
        // The offset of the character, its code and its length in UTF-8.
        let (start, code, length): (usize, u16, usize) = match (bytes[found], rest) {
            // The C1 set is encoded as 0xC2 and its own code.
            (0xC2, &[second @ ..0xA0, ..]) => (found, second.into(), 2),
            (0xE2, &[0x80, third @ (0x8E | 0x8F | 0xAA..=0xAE), ..]) => {
                (found, 0x2000 | u16::from(third & 0x3F), 3)
            }
            (0xE2, &[0x81, third @ 0xA6..=0xA9, ..]) => {
                (found, 0x2040 | u16::from(third & 0x3F), 3)
            }
            // U+061C is found by its second byte: its first is that of most Arabic letters.
            (0x9C, _) if found > 0 && bytes[found - 1] == 0xD8 => (found - 1, 0x061C, 2),
            (byte, _) if byte.is_ascii() => (found, byte.into(), 1),
            _ => {
                at = found + 1;
                continue;
            }
        };
        out.extend_from_slice(&bytes[kept..start]);
        push_escape(code, out);
        at = start + length;
        kept = at;
    }
    out.extend_from_slice(&bytes[kept..]);
}

/// The offset, at or after `at`, of the first byte of a character that may need escaping.
#[inline]
fn next_to_escape(bytes: &[u8], mut at: usize) -> Option<usize> {
    while let Some(rest) = bytes.get(at..).filter(|rest| !rest.is_empty()) {
        let window = Bytes32::at(rest, 0);
        let is = |byte| window.eq(Bytes32::splat(byte));
        let control = window.min(Bytes32::splat(0x1F)).eq(window);
        let ascii = control | is(b'"') | is(b'\\') | is(0x7F);
        let found = ascii | is(0xC2) | is(0xE2) | is(0x9C);
        // The bytes after the end are zero.
        let offset = found.bits().trailing_zeros() as usize;
        if offset < rest.len().min(Bytes32::LEN) {
            return Some(at + offset);
        }
        at += Bytes32::LEN;
    }
    None
}

/// Appends a number.
#[inline]
pub fn push_number(number: u64, out: &mut Vec<u8>) {
    const DIGITS: [u8; 10] = *b"0123456789";
    match u32::try_from(number) {
        Ok(number @ ..10) => out.push(DIGITS[number as usize]),
        Ok(number @ ..100) => {
            let [tens, ones] = [number / 10, number % 10].map(|digit| DIGITS[digit as usize]);
            out.extend_from_slice(&[tens, ones]);
        }
        Ok(number @ ..100_000_000) => push_eight_digits(number, out),
        _ => push_long_number(number, out),
    }
}

#[cold]
fn push_long_number(number: u64, out: &mut Vec<u8>) {
    let mut buffer = itoa::Buffer::new();
    out.extend_from_slice(buffer.format(number).as_bytes());
}

/// Appends a number of at most eight digits.
fn push_eight_digits(number: u32, out: &mut Vec<u8>) {
    let (text, length) = eight_digits(number);
    out.extend_from_slice(&text);
    out.truncate(out.len() + length - text.len());
}

/// The digits of a number of at most eight, and how many they are; what follows them has no meaning.
#[inline]
fn eight_digits(number: u32) -> ([u8; 8], usize) {
    let digits = digits_of_two([number / 10_000, number % 10_000]);
    // The last digit stands, even if it is a zero.
    let leading = (digits | 1 << 56).trailing_zeros() / 8;
    let text = (digits | u64::from_ne_bytes([b'0'; 8])) >> (8 * leading);
    (text.to_le_bytes(), 8 - leading as usize)
}

/// The digits of two numbers below 10,000, as [`eight_digits`].
#[inline]
fn four_digits(numbers: [u32; 2]) -> [([u8; 4], usize); 2] {
    let digits = digits_of_two(numbers);
    [digits, digits >> 32].map(|digits| {
        let leading = (digits | 1 << 24).trailing_zeros() / 8;
        let text = (digits | u64::from_ne_bytes([b'0'; 8])) >> (8 * leading);
        let [first, second, third, fourth, ..] = text.to_le_bytes();
        ([first, second, third, fourth], 4 - leading as usize)
    })
}

/// The values of the four digits of each of two numbers below 10,000. Each is a byte of a word, the first one
/// lowest, and all are found at once.
#[inline]
fn digits_of_two([first, second]: [u32; 2]) -> u64 {
    // 32 bits each.
    let fours = u64::from(first) | u64::from(second) << 32;
    // Four below 100, in 16 bits each. The reciprocals are exact for numbers this small.
    let hundreds = ((fours * 10_486) >> 20) & 0x0000_007F_0000_007F;
    let twos = hundreds | (fours - hundreds * 100) << 16;
    let tens = ((twos * 103) >> 10) & 0x000F_000F_000F_000F;
    tens | (twos - tens * 10) << 8
}

/// A text of a few names and numbers, at most `LONGEST` bytes of them and the seven more that a number may
/// need for a moment. It is put together in place and appended at once.
#[derive(Debug)]
pub(crate) struct ShortText<const LONGEST: usize> {
    bytes: [u8; LONGEST],
    length: usize,
}

impl<const LONGEST: usize> Default for ShortText<LONGEST> {
    fn default() -> Self {
        Self {
            bytes: [0; LONGEST],
            length: 0,
        }
    }
}

impl<const LONGEST: usize> ShortText<LONGEST> {
    /// Appends a text of ours.
    #[inline]
    pub(crate) fn push<const LENGTH: usize>(&mut self, text: &[u8; LENGTH]) {
        self.bytes[self.length..][..LENGTH].copy_from_slice(text);
        self.length += LENGTH;
    }

    /// Appends a number if it has at most eight digits. Returns whether it has.
    #[inline]
    pub(crate) fn push_number(&mut self, number: u64) -> bool {
        let Ok(number @ ..100_000_000) = u32::try_from(number) else {
            return false;
        };
        self.push_digits(eight_digits(number));
        true
    }

    /// Appends a text and a number, twice, if the numbers have at most four digits each. Returns whether they
    /// have.
    #[inline]
    pub(crate) fn push_short_numbers<const FIRST: usize, const SECOND: usize>(
        &mut self,
        (first, number): (&[u8; FIRST], u32),
        (second, other): (&[u8; SECOND], u32),
    ) -> bool {
        if number.max(other) >= 10_000 {
            return false;
        }
        let [number, other] = four_digits([number, other]);
        self.push(first);
        self.push_digits(number);
        self.push(second);
        self.push_digits(other);
        true
    }

    #[inline]
    fn push_digits<const MOST: usize>(&mut self, (digits, length): ([u8; MOST], usize)) {
        self.push(&digits);
        self.length -= MOST - length;
    }

    /// Appends it to `out`.
    #[inline]
    pub(crate) fn append_to(&self, out: &mut Vec<u8>) {
        let end = out.len() + self.length;
        // The compiler inlines a copy of constant length.
        out.extend_from_slice(&self.bytes);
        out.truncate(end);
    }
}

fn push_escape(code: u16, out: &mut Vec<u8>) {
    let short = match u8::try_from(code) {
        Ok(byte @ (b'"' | b'\\')) => byte,
        Ok(0x08) => b'b',
        Ok(0x0C) => b'f',
        Ok(b'\n') => b'n',
        Ok(b'\r') => b'r',
        Ok(b'\t') => b't',
        _ => {
            write!(out, "\\u{code:04x}").expect("a Vec takes every write");
            return;
        }
    };
    out.extend_from_slice(&[b'\\', short]);
}

#[cfg(test)]
mod tests {
    use super::*;
    use baseref_files::terminal::is_obeyed;

    #[test]
    fn control_characters_escaped() {
        let text = "a\u{7f}b\u{9b}31m\u{a0}é\u{1b}\u{1f600}";
        let mut out = Vec::new();
        push_string(text, &mut out);
        assert_eq!(
            String::from_utf8(out.clone()).unwrap(),
            "\"a\\u007fb\\u009b31m\u{a0}é\\u001b\u{1f600}\""
        );
        assert_eq!(serde_json::from_slice::<String>(&out).unwrap(), text);
    }

    #[test]
    fn numbers_of_any_length() {
        let mut numbers = vec![
            0,
            7,
            u64::MAX,
            99_999_999,
            100_000_000,
            u64::from(u32::MAX) + 1,
        ];
        for exponent in 1..20 {
            let power = 10_u64.pow(exponent);
            numbers.extend([power - 1, power, power + 1, 9 * (power / 10), power / 7]);
        }
        // All four digits, as the first and as the last of eight.
        numbers.extend(0..10_000);
        numbers.extend((0..10_000).map(|number| number * 10_000 + 9_999 - number));
        for number in numbers {
            let mut out = b"x".to_vec();
            push_number(number, &mut out);
            assert_eq!(String::from_utf8(out).unwrap(), format!("x{number}"));
        }
    }

    #[test]
    fn every_byte_of_a_window_is_looked_at() {
        for length in 0..100 {
            let plain = "x".repeat(length);
            let mut out = Vec::new();
            push_string(&plain, &mut out);
            assert_eq!(out, format!("\"{plain}\"").into_bytes());
            for (special, escaped) in [
                ("\"", "\\\""),
                ("\n", "\\n"),
                ("\u{7f}", "\\u007f"),
                ("é", "é"),
            ] {
                let mut out = Vec::new();
                push_string(&format!("{plain}{special}"), &mut out);
                assert_eq!(out, format!("\"{plain}{escaped}\"").into_bytes());
            }
        }
    }

    /// Letters of any script stand, and so do the characters next to the escaped ones.
    #[test]
    fn all_characters_round_trip() {
        for text in [
            ('\0'..='\u{2fff}').collect::<String>(),
            "\u{61c}\u{62c}\u{202e}\u{627}\u{61c}\u{dc}\u{201c}\u{2065}\u{206a}".to_owned(),
        ] {
            let mut out = Vec::new();
            push_string(&text, &mut out);
            assert_eq!(serde_json::from_slice::<String>(&out).unwrap(), text);
            let of_serde = to_vec(&text).unwrap();
            assert_eq!(
                String::from_utf8(out.clone()).unwrap(),
                String::from_utf8(of_serde).unwrap()
            );
            let escaped = String::from_utf8(out).unwrap();
            assert!(!escaped.contains(is_obeyed));
            let letters = text.chars().filter(|&c| c > '~' && !is_obeyed(c));
            assert!(letters.eq(escaped.chars().filter(|&c| c > '~')));
        }
    }
}
