//! The table of strings of the page, and the form of JSON that it is written in.

use std::collections::HashMap;
use std::io::{self, Write};

use serde_json::ser::Formatter;

use crate::text::shown;

/// The total size of strings beyond which a page takes no more errors. Warnings stop at three
/// quarters of it, notes and source lines at half of it.
pub(super) const STRINGS: usize = 28 << 20;
/// The maximum length of one text in characters.
const TEXT: usize = 2000;

/// Always fits: no page has that many of anything.
pub(super) fn small(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// Interned strings. The empty one has index 0.
pub(super) struct Strings {
    numbers: HashMap<String, u32>,
    /// Their size in the page, in bytes.
    pub(super) bytes: usize,
}

impl Default for Strings {
    fn default() -> Self {
        Self {
            numbers: HashMap::from([(String::new(), 0)]),
            bytes: 0,
        }
    }
}

impl Strings {
    /// Whether there is room for what is not a finding.
    pub(super) fn has_room(&self) -> bool {
        self.bytes < STRINGS / 2
    }

    /// The index of a text, made safe to display.
    pub(super) fn number(&mut self, text: &str) -> u32 {
        let text = match text.char_indices().nth(TEXT) {
            Some((at, _)) => &format!("{}…", &text[..at]),
            None => text,
        };
        let text = lines_shown(text);
        if let Some(&number) = self.numbers.get(text.as_str()) {
            return number;
        }
        self.bytes += text.bytes().map(InScript::size).sum::<usize>() + 3;
        let number = small(self.numbers.len());
        self.numbers.insert(text, number);
        number
    }

    pub(super) fn in_order(&self) -> Vec<&str> {
        let mut strings = vec![""; self.numbers.len()];
        for (text, &number) in &self.numbers {
            if let Some(stored) = strings.get_mut(number as usize) {
                *stored = text;
            }
        }
        strings
    }
}

/// The text as by [`shown`], except for line ends, which separate suggestions and hops.
fn lines_shown(text: &str) -> String {
    let lines: Vec<_> = text.split('\n').map(shown).collect();
    lines.join("\n")
}

/// Compact JSON without `<`, so that nothing in it is a tag in HTML.
pub(super) struct InScript;

impl InScript {
    /// The approximate size of a byte once escaped.
    fn size(byte: u8) -> usize {
        match byte {
            b'<' => 6,
            b'"' | b'\\' => 2,
            _ => 1,
        }
    }
}

impl Formatter for InScript {
    fn write_string_fragment<W: ?Sized + Write>(
        &mut self,
        writer: &mut W,
        fragment: &str,
    ) -> io::Result<()> {
        for (index, piece) in fragment.split('<').enumerate() {
            if index > 0 {
                writer.write_all(b"\\u003c")?;
            }
            writer.write_all(piece.as_bytes())?;
        }
        Ok(())
    }
}
