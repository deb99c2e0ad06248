//! JSON Lines: one object per line.

use std::borrow::Cow;
use std::{iter, mem};

use super::column::{Cell, CellKind, Column, Record, Selection, Together};
use super::json::{push_number, push_string};
use super::row_cache::{RowCache, Run, runs};

/// The version of the schema, `"v"` in every object.
pub(super) const VERSION: u64 = 1;

/// Writes records as JSON Lines.
#[derive(Debug)]
pub struct JsonLines<R: Record> {
    runs: Vec<Members<R>>,
    chosen: bool,
    /// What an object begins with.
    head: Vec<u8>,
}

/// What writes a run of members.
#[derive(Debug)]
enum Members<R: Record> {
    /// One function writes the run, for every row.
    AtOnce(&'static Together<R>),
    Run(Run<Member<R>>),
}

/// What writes one or more members of an object.
#[derive(Debug)]
enum Member<R: Record> {
    /// A column, with the text before its value: `,"NAME":`.
    One(Vec<u8>, Column<R>),
    Several(&'static Together<R>),
}

impl<R: Record> JsonLines<R> {
    /// A writer of these columns. Unless columns were chosen, every object begins with `v` and
    /// `type`.
    #[must_use]
    pub fn new(selection: &Selection<R>) -> Self {
        let mut columns = &*selection.columns;
        let members = iter::from_fn(|| {
            let (column, rest) = columns.split_first()?;
            let together = together(selection, columns);
            columns = together.map_or(rest, |together| &columns[together.columns.len()..]);
            let member = match together {
                Some(together) => Member::Several(together),
                None => Member::One(key(column.name), *column),
            };
            Some((R::follows_from(column.name), member))
        });
        let runs = runs(members).into_iter().enumerate();
        let runs = runs.map(|(number, run)| match &run.members[..] {
            [Member::Several(together)] if number > 0 && !run.is_shared() => {
                Members::AtOnce(together)
            }
            _ => Members::Run(run),
        });
        let head = if selection.chosen {
            "{".to_owned()
        } else {
            format!("{{\"v\":{VERSION},\"type\":\"{}\"", R::TYPE)
        };
        Self {
            runs: runs.collect(),
            chosen: selection.chosen,
            head: head.into_bytes(),
        }
    }

    /// One record.
    pub fn record(&self, row: &R::Row<'_>, out: &mut Vec<u8>) {
        self.record_of_document(row, &mut RowCache::default(), out);
    }

    /// One record of a document; `cache` keeps text from its earlier records.
    pub fn record_of_document(&self, row: &R::Row<'_>, cache: &mut RowCache, out: &mut Vec<u8>) {
        self.open_object(row, cache, out);
        out.extend_from_slice(b"}\n");
    }

    /// Writes an object without its closing brace.
    #[inline]
    fn open_object(&self, row: &R::Row<'_>, cache: &mut RowCache, out: &mut Vec<u8>) {
        let start = out.len();
        if self.runs.is_empty() {
            out.extend_from_slice(&self.head);
        }
        for (number, members) in self.runs.iter().enumerate() {
            let run = match members {
                Members::AtOnce(together) => {
                    (together.write)(row, out);
                    continue;
                }
                Members::Run(run) => run,
            };
            let shared = run.shared_by::<R>(row);
            if !shared.is_some_and(|shared| cache.append(number, shared, out)) {
                let start = out.len();
                self.run(number, run, row, out);
                cache.keep(number, shared, out, start);
            }
        }
        let comma = start + 1;
        if self.head.len() == 1 && out.len() > comma {
            // The first member has one before it, too.
            out.remove(comma);
        }
    }

    #[inline(never)]
    fn run(&self, number: usize, run: &Run<Member<R>>, row: &R::Row<'_>, out: &mut Vec<u8>) {
        // What precedes the first run is kept with it.
        if number == 0 {
            out.extend_from_slice(&self.head);
        }
        for member in &run.members {
            let (key, column) = match member {
                Member::One(key, column) => (key, column),
                Member::Several(together) => {
                    (together.write)(row, out);
                    continue;
                }
            };
            if let Some(write) = column.write {
                write(row, self.chosen, out);
                continue;
            }
            let cell = (column.get)(row);
            if matches!(cell, Cell::Absent) && column.presence.is_left_out(self.chosen) {
                // It has nothing to drop, which takes a call to find out.
                mem::forget(cell);
                continue;
            }
            out.extend_from_slice(key);
            push_cell(column.kind, cell, out);
        }
    }
}

/// The text before a value: `,"NAME":`.
fn key(name: &str) -> Vec<u8> {
    let mut key = vec![b','];
    push_string(name, &mut key);
    key.push(b':');
    key
}

/// The function that writes the first columns of these at once, unless columns were chosen.
fn together<R: Record>(
    selection: &Selection<R>,
    columns: &[Column<R>],
) -> Option<&'static Together<R>> {
    let mut together = R::TOGETHER.iter().filter(|_| !selection.chosen);
    together.find(|together| {
        let first = columns.get(..together.columns.len()).unwrap_or_default();
        let writes = |column: &Column<R>| column.write.map(|_| column.name);
        let names = together.columns.iter().map(|name| Some(*name));
        first.iter().map(writes).eq(names)
    })
}

/// Writes records as a JSON array.
#[must_use]
pub fn array<'r, R: Record>(rows: impl Iterator<Item = R::Row<'r>>) -> Vec<u8> {
    let writer = JsonLines::<R> {
        head: b"{".to_vec(),
        ..JsonLines::new(&Selection::default())
    };
    let mut out = vec![b'['];
    for row in rows {
        if out.len() > 1 {
            out.push(b',');
        }
        writer.open_object(&row, &mut RowCache::default(), &mut out);
        out.push(b'}');
    }
    out.push(b']');
    out
}

/// Takes the cell: most have nothing to drop, which is known once the value is.
fn push_cell(kind: CellKind, cell: Cell<'_>, out: &mut Vec<u8>) {
    match cell {
        Cell::Absent | Cell::Null => out.extend_from_slice(b"null"),
        Cell::Text(text) => push_string(&text, out),
        Cell::Number(number) => push_number(number, out),
        Cell::Bool(true) => out.extend_from_slice(b"true"),
        Cell::Bool(false) => out.extend_from_slice(b"false"),
        Cell::Range(start, end) => {
            out.push(b'[');
            push_number(start, out);
            out.push(b',');
            push_number(end, out);
            out.push(b']');
        }
        Cell::Texts(texts) => push_texts(kind, &texts, out),
        Cell::Records(array) => out.extend_from_slice(&array),
    }
}

/// Fields as an object, and anything else as an array.
fn push_texts(kind: CellKind, texts: &[Option<Cow<'_, str>>], out: &mut Vec<u8>) {
    let (names, [open, close]) = match kind {
        CellKind::Fields(names) => (names, *b"{}"),
        _ => (&[][..], *b"[]"),
    };
    out.push(open);
    for (index, text) in texts.iter().enumerate() {
        if index > 0 {
            out.push(b',');
        }
        if let Some(name) = names.get(index) {
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

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use super::*;
    use crate::value::{Name, WhereKnown, column};

    /// Rows by number: 0 has a value in every column, 1 a null, and 2 nothing where that differs.
    struct Each;

    fn known<V>(row: u64, value: V) -> Option<V> {
        (row == 0).then_some(value)
    }

    impl Record for Each {
        type Row<'r> = u64;
        const TYPE: &'static str = "each";
        const COLUMNS: &'static [Column<Self>] = &COLUMNS;
    }

    static COLUMNS: [Column<Each>; 6] = [
        column!("text", Text, Always, "", |row| known(*row, "a\"b")),
        column!("owned", Text, Always, "", |row| known(
            *row,
            Cow::<str>::Owned("é".to_owned())
        )),
        column!("number", Number, Always, "", |row| known(*row, 1808_u64)),
        column!("range", Range, Always, "", |row| known(*row, 7..123_456)),
        column!("name", Text, WhereKnown, "", |row| known(
            *row,
            Name("no-base")
        )),
        column!("absent", Text, AbsentOrNull, "", |row| WhereKnown(
            (*row != 2).then(|| known(*row, "x"))
        )),
    ];

    #[test]
    fn columns_write_what_their_cells_are() {
        let writing = |chosen| Selection::<Each> {
            columns: COLUMNS.to_vec(),
            chosen,
        };
        for chosen in [false, true] {
            let mut by_cells = writing(chosen);
            for column in &mut by_cells.columns {
                column.write = None;
            }
            for row in 0..3 {
                let [itself, cells] = [writing(chosen), by_cells.clone()].map(|selection| {
                    let mut out = Vec::new();
                    JsonLines::new(&selection).record(&row, &mut out);
                    String::from_utf8(out).unwrap()
                });
                assert_eq!(itself, cells);
                assert_eq!(itself.contains("absent"), row != 2);
            }
        }
    }
}
