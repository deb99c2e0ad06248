//! CSV and TSV: a header line, then one line per record.

use std::borrow::Cow;

use baseref_simd::Bytes16;

use super::column::{Cell, CellKind, Column, Record, Selection};
use super::json::push_number;
use super::row_cache::{RowCache, Run, runs};
use super::windows::each_window;

/// How the cells of a line are separated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Delimited {
    /// RFC 4180: commas, with quotation marks around cells that need them, otherwise unaltered.
    Csv,
    /// Tabs, no quotation marks: a tab, line feed, carriage return or backslash in a cell is
    /// written `\t`, `\n`, `\r` or `\\`.
    Tsv,
}

impl Delimited {
    /// The header line.
    pub fn header(self, names: impl IntoIterator<Item = impl AsRef<str>>, out: &mut Vec<u8>) {
        let start = out.len();
        for name in names {
            self.text(name.as_ref(), out);
            self.separate(out);
        }
        self.end_line(start, out);
    }

    /// One line of cells. A cell without a value is empty.
    pub fn line<'r>(
        self,
        cells: impl IntoIterator<Item = (CellKind, Cell<'r>)>,
        out: &mut Vec<u8>,
    ) {
        let start = out.len();
        for (kind, cell) in cells {
            self.cells_of(kind, cell, out);
        }
        self.end_line(start, out);
    }

    /// Ends a line that began at `start`, in which a separator follows each cell.
    fn end_line(self, start: usize, out: &mut Vec<u8>) {
        out.truncate(start.max(out.len().saturating_sub(1)));
        if self == Self::Csv && out.len() == start {
            // CSV readers skip empty lines.
            out.extend_from_slice(b"\"\"");
        }
        out.push(b'\n');
    }

    /// The cells of one column, each with the separator after it. Takes the cell: most have nothing to
    /// drop, which is known once the value is.
    fn cells_of(self, kind: CellKind, cell: Cell<'_>, out: &mut Vec<u8>) {
        match cell {
            Cell::Text(text) => self.text(&text, out),
            Cell::Number(number) => push_number(number, out),
            Cell::Bool(value) => out.extend_from_slice(if value { b"true" } else { b"false" }),
            Cell::Range(start, end) => {
                push_number(start, out);
                self.separate(out);
                push_number(end, out);
            }
            Cell::Texts(texts) => self.texts(kind, &texts, out),
            Cell::Absent | Cell::Null => match kind {
                CellKind::Records => return,
                CellKind::Range => self.separate(out),
                CellKind::Fields(_) => self.texts(kind, &[], out),
                CellKind::Text | CellKind::Number | CellKind::Bool | CellKind::List => {}
            },
            Cell::Records(_) => return,
        }
        self.separate(out);
    }

    /// The cells of a list or of fields; the separator after the last is not written.
    fn texts(self, kind: CellKind, texts: &[Option<Cow<'_, str>>], out: &mut Vec<u8>) {
        let CellKind::Fields(names) = kind else {
            let lines: Vec<&str> = texts.iter().flatten().map(AsRef::as_ref).collect();
            return self.text(&lines.join("\n"), out);
        };
        for index in 0..names.len() {
            if index > 0 {
                self.separate(out);
            }
            if let Some(Some(text)) = texts.get(index) {
                self.text(text, out);
            }
        }
    }

    #[inline]
    fn separate(self, out: &mut Vec<u8>) {
        out.push(match self {
            Self::Csv => b',',
            Self::Tsv => b'\t',
        });
    }

    fn text(self, text: &str, out: &mut Vec<u8>) {
        if !self.is_special_in(text) {
            out.extend_from_slice(text.as_bytes());
            return;
        }
        match self {
            Self::Csv => push_quoted(text, out),
            Self::Tsv => push_escaped(text, out),
        }
    }

    /// Whether a text has a character that must be quoted or escaped.
    #[inline]
    fn is_special_in(self, text: &str) -> bool {
        let special = match self {
            Self::Csv => *b"\",\n\r",
            Self::Tsv => *b"\\\t\n\r",
        };
        let mut found = Bytes16::default();
        each_window(text.as_bytes(), |window| {
            for byte in special {
                found |= window.eq(Bytes16::splat(byte));
            }
        });
        found.bits() != 0
    }
}

/// The column names in a header line: a range has two.
pub fn names<R: Record>(columns: &[Column<R>]) -> impl Iterator<Item = Cow<'static, str>> {
    columns.iter().flat_map(|column| {
        let name = column.name;
        match column.kind {
            CellKind::Range => vec![format!("{name}_start").into(), format!("{name}_end").into()],
            CellKind::Fields(fields) => {
                let of_field = |field| format!("{name}_{field}").into();
                fields.iter().map(of_field).collect()
            }
            CellKind::Records => Vec::new(),
            CellKind::Text | CellKind::Number | CellKind::Bool | CellKind::List => {
                vec![Cow::Borrowed(name)]
            }
        }
    })
}

/// The cells of a row, with their types.
pub fn cells<'r, R: Record>(
    columns: &'r [Column<R>],
    row: &'r R::Row<'_>,
) -> impl Iterator<Item = (CellKind, Cell<'r>)> {
    columns
        .iter()
        .map(|column| (column.kind, (column.get)(row)))
}

/// Writes records as CSV or TSV.
#[derive(Debug)]
pub struct Table<R: Record> {
    form: Delimited,
    runs: Vec<Run<Column<R>>>,
    selection: Selection<R>,
}

impl<R: Record> Table<R> {
    /// A writer of these columns.
    #[must_use]
    pub fn new(form: Delimited, selection: Selection<R>) -> Self {
        let columns = selection.columns.iter();
        let runs = runs(columns.map(|column| (R::follows_from(column.name), *column)));
        Self {
            form,
            runs,
            selection,
        }
    }

    /// Writes the header line. Unless columns were chosen, the schema version is the last column.
    pub fn begin(&self, out: &mut Vec<u8>) {
        let version = (!self.selection.chosen).then_some(Cow::Borrowed("v"));
        let names = names(&self.selection.columns).chain(version);
        self.form.header(names, out);
    }

    /// One record.
    pub fn record(&self, row: &R::Row<'_>, out: &mut Vec<u8>) {
        self.record_of_document(row, &mut RowCache::default(), out);
    }

    /// One record of a document; `cache` keeps text from its earlier records.
    pub fn record_of_document(&self, row: &R::Row<'_>, cache: &mut RowCache, out: &mut Vec<u8>) {
        let start = out.len();
        for (number, run) in self.runs.iter().enumerate() {
            let shared = run.shared_by::<R>(row);
            if shared.is_some_and(|shared| cache.append(number, shared, out)) {
                continue;
            }
            let start = out.len();
            for column in &run.members {
                self.form.cells_of(column.kind, (column.get)(row), out);
            }
            cache.keep(number, shared, out, start);
        }
        if !self.selection.chosen {
            self.form.cells_of(CellKind::Number, Cell::Number(1), out);
        }
        self.form.end_line(start, out);
    }
}

/// RFC 4180 §2: a cell with a quotation mark, comma or line end is put in quotation marks, and
/// its own quotation marks are doubled.
fn push_quoted(text: &str, out: &mut Vec<u8>) {
    out.push(b'"');
    for piece in text.split_inclusive('"') {
        out.extend_from_slice(piece.as_bytes());
        if piece.ends_with('"') {
            out.push(b'"');
        }
    }
    out.push(b'"');
}

fn push_escaped(text: &str, out: &mut Vec<u8>) {
    for byte in text.bytes() {
        match byte {
            b'\\' => out.extend_from_slice(b"\\\\"),
            b'\t' => out.extend_from_slice(b"\\t"),
            b'\n' => out.extend_from_slice(b"\\n"),
            b'\r' => out.extend_from_slice(b"\\r"),
            byte => out.push(byte),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(form: Delimited, cells: &[&str]) -> String {
        let mut out = Vec::new();
        let cells = cells.iter().map(|text| (CellKind::Text, Cell::text(*text)));
        form.line(cells, &mut out);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn cells_of_csv_are_quoted_where_they_need_it_and_nowhere_else() {
        assert_eq!(
            line(
                Delimited::Csv,
                &["a b", "a,b", "a\"b\"", "a\nb", "", "'", "=1"]
            ),
            "a b,\"a,b\",\"a\"\"b\"\"\",\"a\nb\",,',=1\n"
        );
    }

    #[test]
    fn a_line_of_one_empty_cell_of_csv_is_not_an_empty_line() {
        assert_eq!(line(Delimited::Csv, &[""]), "\"\"\n");
        assert_eq!(line(Delimited::Csv, &["", ""]), ",\n");
    }

    #[test]
    fn cells_of_tsv_are_one_line_and_never_quoted() {
        assert_eq!(
            line(Delimited::Tsv, &["a\tb", "\\n", "\r\n", "\"x\"", ""]),
            "a\\tb\t\\\\n\t\\r\\n\t\"x\"\t\n"
        );
    }

    #[test]
    fn a_range_without_a_value_is_two_empty_cells() {
        let mut out = Vec::new();
        let cells = [
            (CellKind::Range, Cell::Null),
            (CellKind::Number, Cell::Number(3)),
            (CellKind::Records, Cell::Absent),
            (CellKind::Range, Cell::Range(1, 2)),
        ];
        Delimited::Csv.line(cells, &mut out);
        assert_eq!(out, b",,3,1,2\n");
    }

    #[test]
    fn fields_are_a_cell_each_and_a_list_is_one_cell() {
        let mut out = Vec::new();
        let fields = CellKind::Fields(&["a", "b"]);
        let texts = |texts: [Option<&'static str>; 2]| {
            Cell::Texts(texts.map(|t| t.map(Cow::from)).to_vec())
        };
        let cells = [
            (fields, texts([None, Some("x,y")])),
            (fields, Cell::Null),
            (CellKind::List, texts([Some("x"), Some("y")])),
            (CellKind::List, Cell::Texts(Vec::new())),
            (CellKind::Number, Cell::Number(1)),
        ];
        Delimited::Tsv.line(cells, &mut out);
        assert_eq!(out, b"\tx,y\t\t\tx\\ny\t\t1\n");
    }
}
