//! JSON Lines: one object a line.

use std::borrow::Cow;

use super::column::{Cell, CellKind, Column, Presence, Record, Selection};
use super::json::{push_number, push_string};

/// The version of the schema, `"v"` in every object.
pub(super) const VERSION: u64 = 1;

/// Writes records as JSON Lines.
#[derive(Debug)]
pub struct JsonLines<R: Record> {
    columns: Vec<(Vec<u8>, Column<R>)>,
    chosen: bool,
    head: Vec<u8>,
}

impl<R: Record> JsonLines<R> {
    /// A writer of these columns. Without a choice every object begins with `v` and `type`.
    #[must_use]
    pub fn new(selection: &Selection<R>) -> Self {
        let columns = selection.columns.iter().map(|column| {
            let mut key = Vec::new();
            push_string(column.name, &mut key);
            key.push(b':');
            (key, *column)
        });
        let head = if selection.chosen {
            String::new()
        } else {
            format!("\"v\":{VERSION},\"type\":\"{}\"", R::TYPE)
        };
        Self {
            columns: columns.collect(),
            chosen: selection.chosen,
            head: head.into_bytes(),
        }
    }

    /// One record.
    pub fn record(&self, row: &R::Row<'_>, out: &mut Vec<u8>) {
        out.push(b'{');
        self.fields(row, out);
        out.extend_from_slice(b"}\n");
    }

    fn fields(&self, row: &R::Row<'_>, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.head);
        let mut is_first = self.head.is_empty();
        for (key, column) in &self.columns {
            let cell = (column.get)(row);
            if matches!(cell, Cell::Absent) && self.is_left_out(column.presence) {
                continue;
            }
            if !is_first {
                out.push(b',');
            }
            is_first = false;
            out.extend_from_slice(key);
            push_cell(column.kind, &cell, out);
        }
    }

    fn is_left_out(&self, presence: Presence) -> bool {
        match presence {
            Presence::AbsentOrNull => true,
            Presence::Always | Presence::WhereKnown | Presence::OnRequest => !self.chosen,
        }
    }
}

/// Writes records as a JSON array.
#[must_use]
pub fn array<'r, R: Record>(rows: impl Iterator<Item = R::Row<'r>>) -> Vec<u8> {
    let writer = JsonLines::<R> {
        head: Vec::new(),
        ..JsonLines::new(&Selection::default())
    };
    let mut out = vec![b'['];
    for row in rows {
        if out.len() > 1 {
            out.push(b',');
        }
        out.push(b'{');
        writer.fields(&row, &mut out);
        out.push(b'}');
    }
    out.push(b']');
    out
}

fn push_cell(kind: CellKind, cell: &Cell<'_>, out: &mut Vec<u8>) {
    match cell {
        Cell::Absent | Cell::Null => out.extend_from_slice(b"null"),
        Cell::Text(text) => push_string(text, out),
        Cell::Number(number) => push_number(*number, out),
        Cell::Bool(true) => out.extend_from_slice(b"true"),
        Cell::Bool(false) => out.extend_from_slice(b"false"),
        Cell::Range(start, end) => {
            out.push(b'[');
            push_number(*start, out);
            out.push(b',');
            push_number(*end, out);
            out.push(b']');
        }
        Cell::Texts(texts) => push_texts(kind, texts, out),
        Cell::Records(array) => out.extend_from_slice(array),
    }
}

/// Fields as an object, and anything else as an array.
fn push_texts(kind: CellKind, texts: &[Option<Cow<'_, str>>], out: &mut Vec<u8>) {
    let (names, [open, close]) = match kind {
        CellKind::Fields(names) => (names, *b"{}"),
        _ => (&[][..], *b"[]"),
    };
    out.push(open);
    for (place, text) in texts.iter().enumerate() {
        if place > 0 {
            out.push(b',');
        }
        if let Some(name) = names.get(place) {
            push_string(name, out);
            out.push(b':');
        }
        match text {
            Some(text) => push_string(text, out),
            None => out.extend_from_slice(b"null"),
        }
    }
    out.push(close);
}
