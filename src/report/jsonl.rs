//! JSON Lines: one object a line, in characters that no terminal obeys.

use std::io::{self, Write};

use memchr::memchr2;
use serde::Serialize;
use serde_json::ser::Formatter;

/// Writes a record as one line.
pub(super) fn line(record: &impl Serialize, out: &mut Vec<u8>) {
    let mut serializer = serde_json::Serializer::with_formatter(&mut *out, Inert);
    record
        .serialize(&mut serializer)
        .expect("a record has only string keys, and a Vec takes every write");
    out.push(b'\n');
}

/// Compact JSON in which the control characters that JSON lets stand, DELETE and the C1
/// set, are escaped too: output may end on a terminal.
struct Inert;

impl Formatter for Inert {
    fn write_string_fragment<W: ?Sized + Write>(
        &mut self,
        writer: &mut W,
        fragment: &str,
    ) -> io::Result<()> {
        let mut rest = fragment;
        while let Some(at) = memchr2(0x7F, 0xC2, rest.as_bytes()) {
            let (before, after) = rest.split_at(at);
            let Some(character) = after.chars().next() else {
                break;
            };
            let (this, next) = after.split_at(character.len_utf8());
            writer.write_all(before.as_bytes())?;
            if character.is_control() {
                write!(writer, "\\u{:04x}", u32::from(character))?;
            } else {
                writer.write_all(this.as_bytes())?;
            }
            rest = next;
        }
        writer.write_all(rest.as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn controls_that_json_allows_are_escaped_and_read_back_the_same() {
        let text = "a\u{7f}b\u{9b}31m\u{a0}é\u{1b}\u{1f600}";
        let mut out = Vec::new();
        line(&text, &mut out);
        assert_eq!(
            String::from_utf8(out.clone()).unwrap(),
            "\"a\\u007fb\\u009b31m\u{a0}é\\u001b\u{1f600}\"\n"
        );
        assert_eq!(serde_json::from_slice::<String>(&out).unwrap(), text);
    }
}
