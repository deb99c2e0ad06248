//! CSV and TSV: a header line, then one line per record.

use std::borrow::Cow;

use super::column::{Cell, CellKind, Column, Record, Selection};
use super::json::push_number;

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
        let mut is_first = true;
        for name in names {
            self.separate(&mut is_first, out);
            self.cell(name.as_ref(), out);
        }
        out.push(b'\n');
    }

    /// One line of cells. A cell without a value is empty.
    pub fn line<'r>(
        self,
        cells: impl IntoIterator<Item = (CellKind, Cell<'r>)>,
        out: &mut Vec<u8>,
    ) {
        let mut is_first = true;
        let start = out.len();
        for (kind, cell) in cells {
            if kind == CellKind::Records {
                continue;
            }
            self.separate(&mut is_first, out);
            match cell {
                Cell::Text(text) => self.cell(&text, out),
                Cell::Number(number) => push_number(number, out),
                Cell::Bool(value) => out.extend_from_slice(if value { b"true" } else { b"false" }),
                Cell::Range(start, end) => {
                    push_number(start, out);
                    self.separate(&mut is_first, out);
                    push_number(end, out);
                }
                Cell::Texts(texts) => self.texts(kind, &texts, out),
                Cell::Absent | Cell::Null if kind == CellKind::Range => {
                    self.separate(&mut is_first, out);
                }
                Cell::Absent | Cell::Null if matches!(kind, CellKind::Fields(_)) => {
                    self.texts(kind, &[], out);
                }
                Cell::Absent | Cell::Null | Cell::Records(_) => {}
            }
        }
        if self == Self::Csv && out.len() == start {
            // CSV readers skip empty lines.
            out.extend_from_slice(b"\"\"");
        }
        out.push(b'\n');
    }

    /// The cells of a list or of fields; the separator before the first is already written.
    fn texts(self, kind: CellKind, texts: &[Option<Cow<'_, str>>], out: &mut Vec<u8>) {
        let CellKind::Fields(names) = kind else {
            let lines: Vec<&str> = texts.iter().flatten().map(AsRef::as_ref).collect();
            return self.cell(&lines.join("\n"), out);
        };
        let mut is_first = true;
        for index in 0..names.len() {
            self.separate(&mut is_first, out);
            if let Some(Some(text)) = texts.get(index) {
                self.cell(text, out);
            }
        }
    }

    fn separate(self, is_first: &mut bool, out: &mut Vec<u8>) {
        if !std::mem::take(is_first) {
            out.push(match self {
                Self::Csv => b',',
                Self::Tsv => b'\t',
            });
        }
    }

    fn cell(self, text: &str, out: &mut Vec<u8>) {
        match self {
            Self::Csv => push_quoted(text, out),
            Self::Tsv => push_escaped(text, out),
        }
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
    selection: Selection<R>,
}

impl<R: Record> Table<R> {
    /// A writer of these columns.
    #[must_use]
    pub fn new(form: Delimited, selection: Selection<R>) -> Self {
        Self { form, selection }
    }

    /// Writes the header line. Unless columns were chosen, the schema version is the last column.
    pub fn begin(&self, out: &mut Vec<u8>) {
        let version = (!self.selection.chosen).then_some(Cow::Borrowed("v"));
        let names = names(&self.selection.columns).chain(version);
        self.form.header(names, out);
    }

    /// One record.
    pub fn record(&self, row: &R::Row<'_>, out: &mut Vec<u8>) {
        let version = (!self.selection.chosen).then_some((CellKind::Number, Cell::Number(1)));
        let cells = cells(&self.selection.columns, row).chain(version);
        self.form.line(cells, out);
    }
}

/// RFC 4180 §2: a cell with a quotation mark, comma or line end is put in quotation marks, and
/// its own quotation marks are doubled.
fn push_quoted(text: &str, out: &mut Vec<u8>) {
    if !text
        .bytes()
        .any(|byte| matches!(byte, b'"' | b',' | b'\n' | b'\r'))
    {
        out.extend_from_slice(text.as_bytes());
        return;
    }
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
