//! What could not be read, and remarks, as JSON Lines.

use baseref_document::{Note, ReadError};
use baseref_reader::base::BaseNote;
use serde::Serialize;

#[derive(Serialize)]
struct Trouble<'t> {
    doc: &'t str,
    code: &'t str,
    /// Whether links may be missing.
    loss: bool,
    line: Option<u64>,
    text: &'t str,
}

impl Trouble<'_> {
    fn write(&self, out: &mut Vec<u8>) {
        // Writing to memory does not fail.
        let _ = serde_json::to_writer(&mut *out, self);
        out.push(b'\n');
    }
}

pub(crate) fn error(error: &ReadError, out: &mut Vec<u8>) {
    let trouble = Trouble {
        doc: &error.origin.to_string(),
        code: error.kind.as_str(),
        loss: error.kind.is_loss(),
        line: error.line.map(Into::into),
        text: &error.reason,
    };
    trouble.write(out);
}

pub(crate) fn note(doc: &str, note: &Note, out: &mut Vec<u8>) {
    let trouble = Trouble {
        doc,
        code: note.code.as_str(),
        loss: note.code.is_loss(),
        line: note.line.map(|line| line.get().into()),
        text: &note.detail,
    };
    trouble.write(out);
}

pub(crate) fn base_note(doc: &str, note: &BaseNote, out: &mut Vec<u8>) {
    let trouble = Trouble {
        doc,
        code: note.code().as_str(),
        loss: note.code().is_loss(),
        line: None,
        text: &note.to_string(),
    };
    trouble.write(out);
}
