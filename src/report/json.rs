//! JSON text, in characters that no terminal obeys: the control characters that JSON lets stand,
//! DELETE and the C1 set, are escaped too.

use std::io::Write;

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
    while let Some(&byte) = bytes.get(at) {
        if !MAY_NEED_ESCAPE[byte as usize] {
            at += 1;
            continue;
        }
        // The C1 set is encoded as 0xC2 and its own code.
        let (code, length) = match (byte, bytes.get(at + 1)) {
            (0xC2, Some(&second)) if second < 0xA0 => (second, 2),
            (0xC2, _) => {
                at += 1;
                continue;
            }
            (byte, _) => (byte, 1),
        };
        out.extend_from_slice(&bytes[kept..at]);
        push_escape(code, out);
        at += length;
        kept = at;
    }
    out.extend_from_slice(&bytes[kept..]);
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

/// The bytes with which a character begins that may have to be escaped.
static MAY_NEED_ESCAPE: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 0x20 {
        table[byte] = true;
        byte += 1;
    }
    table[b'"' as usize] = true;
    table[b'\\' as usize] = true;
    table[0x7F] = true;
    table[0xC2] = true;
    table
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn controls_that_json_allows_are_escaped_and_read_back_the_same() {
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
    fn every_character_below_u_0250_is_read_back_as_it_was() {
        let text: String = ('\0'..'\u{250}').collect();
        let mut out = Vec::new();
        push_string(&text, &mut out);
        assert_eq!(serde_json::from_slice::<String>(&out).unwrap(), text);
        let escaped = String::from_utf8(out).unwrap();
        assert!(!escaped.chars().any(char::is_control));
    }
}
