//! JSON text without control characters: those that JSON allows unescaped, DELETE and the C1 set,
//! are escaped, too.

use std::io::Write;

use baseref_simd::Bytes32;

/// Appends a string with its quotation marks.
pub fn push_string(text: &str, out: &mut Vec<u8>) {
    out.push(b'"');
    push_escaped(text, out);
    out.push(b'"');
}

/// Appends the inside of a string.
pub fn push_escaped(text: &str, out: &mut Vec<u8>) {
    let bytes = text.as_bytes();
    let mut kept = 0;
    let mut at = 0;
    while let Some(found) = next_to_escape(bytes, at) {
        // The C1 set is encoded as 0xC2 and its own code.
        let (code, length) = match (bytes[found], bytes.get(found + 1)) {
            (0xC2, Some(&second)) if second < 0xA0 => (second, 2),
            (0xC2, _) => {
                at = found + 1;
                continue;
            }
            (byte, _) => (byte, 1),
        };
        out.extend_from_slice(&bytes[kept..found]);
        push_escape(code, out);
        at = found + length;
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
        let found = control | is(b'"') | is(b'\\') | is(0x7F) | is(0xC2);
        // The bytes after the end are zero.
        let place = found.bits().trailing_zeros() as usize;
        if place < rest.len().min(Bytes32::LEN) {
            return Some(at + place);
        }
        at += Bytes32::LEN;
    }
    None
}

/// Appends a number.
pub fn push_number(number: u64, out: &mut Vec<u8>) {
    let mut buffer = itoa::Buffer::new();
    out.extend_from_slice(buffer.format(number).as_bytes());
}

fn push_escape(code: u8, out: &mut Vec<u8>) {
    let short = match code {
        b'"' => b'"',
        b'\\' => b'\\',
        0x08 => b'b',
        0x0C => b'f',
        b'\n' => b'n',
        b'\r' => b'r',
        b'\t' => b't',
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
    fn characters_below_u_0250_round_trip() {
        let text: String = ('\0'..'\u{250}').collect();
        let mut out = Vec::new();
        push_string(&text, &mut out);
        assert_eq!(serde_json::from_slice::<String>(&out).unwrap(), text);
        let escaped = String::from_utf8(out).unwrap();
        assert!(!escaped.chars().any(char::is_control));
    }
}
