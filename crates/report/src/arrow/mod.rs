//! Records as batches of Arrow columns.
//!
//! Columns have the names, order and types of JSON Lines: text is `utf8`, a number
//! `int64`, a range a list of two `int64`, a list a list of `utf8`, fields a struct of `utf8`, and
//! nested records their JSON text. Absent and null both become null.

mod cells;
mod joiner;
mod schema;

use std::fmt;
use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch, RecordBatchOptions};
use arrow_schema::{ArrowError, SchemaRef};

use self::cells::Cells;
pub use self::joiner::{BATCH_BYTES, Joiner, SizedBatch};
pub use self::schema::{Texts, schema};
use super::column::{Cell, Column, Record, Selection, Shared};

/// The largest cell, in bytes: offsets in Arrow's `utf8` have 31 bits.
const LARGEST_CELL: usize = 1 << 30;

/// Turns rows into columns. It holds no state of its own, so threads can share it: rows are
/// appended to a [`Rows`].
pub struct Columns<R: Record> {
    schema: SchemaRef,
    texts: Texts,
    groups: Vec<Group<R>>,
}

/// Columns that share what determines their cells, each with its place among all columns.
struct Group<R: Record> {
    /// What determines their cells, if it usually stays the same from row to row.
    shared: Option<Shared>,
    columns: Vec<(usize, Column<R>)>,
}

/// Rows that will become a batch. It takes its columns from the first row appended.
#[derive(Default)]
pub struct Rows {
    schema: Option<SchemaRef>,
    /// One for each group.
    stretches: Vec<CellGroup>,
    number: usize,
    bytes: usize,
}

/// The cells of a group, and those that the latest rows repeat.
struct CellGroup {
    /// Each with the place of its column.
    columns: Vec<(usize, Cells)>,
    /// What [`Record::number_of`] gave for the latest row.
    number: Option<usize>,
    /// The cells of the latest row, if it gave a number.
    kept: Vec<Cell<'static>>,
    /// How many rows, not yet appended, have them.
    times: usize,
    /// The approximate size in bytes of the latest row.
    bytes: usize,
}

impl<R: Record> Columns<R> {
    /// Makes the columns of `selection`.
    #[must_use]
    pub fn new(selection: &Selection<R>, texts: Texts) -> Self {
        let mut groups: Vec<Group<R>> = Vec::new();
        for (index, column) in selection.columns.iter().enumerate() {
            // Consecutive links often differ in their slot: keeping its cells would cost more
            // than it saves.
            let shared = R::follows_from(column.name).filter(|shared| *shared != Shared::LinkPlace);
            match groups.iter_mut().find(|group| group.shared == shared) {
                Some(group) => group.columns.push((index, *column)),
                None => groups.push(Group {
                    shared,
                    columns: vec![(index, *column)],
                }),
            }
        }
        Self {
            schema: schema(selection, texts),
            texts,
            groups,
        }
    }

    /// The schema of the batches.
    #[must_use]
    pub fn schema(&self) -> &SchemaRef {
        &self.schema
    }

    /// Appends a row of the current document (see [`Rows::begin_document`]).
    ///
    /// # Errors
    /// If a cell is larger than 1 GiB. The row is appended with null in place of that cell.
    pub fn append(&self, row: &R::Row<'_>, rows: &mut Rows) -> Result<(), ArrowError> {
        if rows.schema.is_none() {
            rows.schema = Some(Arc::clone(&self.schema));
            rows.stretches = self
                .groups
                .iter()
                .map(|group| self.stretch(group))
                .collect();
        }
        let mut appended = Ok(());
        for (group, stretch) in self.groups.iter().zip(&mut rows.stretches) {
            let added = group.append(row, stretch);
            rows.bytes += stretch.bytes;
            appended = appended.and(added);
        }
        rows.number += 1;
        appended
    }

    fn stretch(&self, group: &Group<R>) -> CellGroup {
        let columns = group.columns.iter();
        CellGroup {
            columns: columns
                .map(|(index, column)| (*index, Cells::new(column.kind, self.texts)))
                .collect(),
            number: None,
            kept: Vec::new(),
            times: 0,
            bytes: 0,
        }
    }
}

impl<R: Record> Group<R> {
    fn append(&self, row: &R::Row<'_>, stretch: &mut CellGroup) -> Result<(), ArrowError> {
        let number = self.shared.and_then(|shared| R::number_of(row, shared));
        if number.is_some() && number == stretch.number {
            stretch.times += 1;
            return Ok(());
        }
        stretch.settle()?;
        stretch.number = number;
        stretch.bytes = 0;
        let mut appended = Ok(());
        for ((_, column), (_, cells)) in self.columns.iter().zip(&mut stretch.columns) {
            let mut cell = (column.get)(row);
            let bytes = size(&cell);
            if bytes > LARGEST_CELL {
                let name = column.name;
                let reason = format!("a cell of the column `{name}` has {bytes} bytes");
                appended = Err(ArrowError::InvalidArgumentError(reason));
                cell = Cell::Null;
            } else {
                stretch.bytes += bytes;
            }
            if number.is_some() {
                stretch.kept.push(cell.into_owned());
            } else {
                cells.append(&cell, 1)?;
            }
        }
        stretch.times = usize::from(number.is_some());
        appended
    }
}

impl CellGroup {
    /// Appends the cells that the latest rows repeat, and forgets them.
    fn settle(&mut self) -> Result<(), ArrowError> {
        let times = std::mem::take(&mut self.times);
        self.number = None;
        for ((_, cells), cell) in self.columns.iter_mut().zip(self.kept.drain(..)) {
            cells.append(&cell, times)?;
        }
        Ok(())
    }
}

impl Rows {
    /// Begins a new document: rows from here on share nothing with those before.
    ///
    /// # Errors
    /// See [`Self::finish`].
    pub fn begin_document(&mut self) -> Result<(), ArrowError> {
        self.stretches.iter_mut().try_for_each(CellGroup::settle)
    }

    /// The approximate size of the rows in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Returns the rows so far as a batch, if there are any, and starts over.
    ///
    /// # Errors
    /// Never, unless the table of columns and the cells disagree.
    pub fn finish(&mut self) -> Result<Option<SizedBatch>, ArrowError> {
        let Self {
            schema: Some(schema),
            stretches,
            number,
            bytes,
        } = std::mem::take(self)
        else {
            return Ok(None);
        };
        let mut arrays: Vec<(usize, ArrayRef)> = Vec::new();
        for mut stretch in stretches {
            stretch.settle()?;
            let columns = stretch.columns.iter_mut();
            arrays.extend(columns.map(|(index, cells)| (*index, cells.finish())));
        }
        arrays.sort_by_key(|(index, _)| *index);
        let arrays = arrays.into_iter().map(|(_, array)| array).collect();
        let options = RecordBatchOptions::new().with_row_count(Some(number));
        let batch = RecordBatch::try_new_with_options(schema, arrays, &options)?;
        Ok(Some(SizedBatch { batch, bytes }))
    }
}

impl fmt::Debug for Rows {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("Rows");
        shown
            .field("number", &self.number)
            .field("bytes", &self.bytes);
        shown.finish_non_exhaustive()
    }
}

/// The approximate size of a cell in bytes.
fn size(cell: &Cell<'_>) -> usize {
    const NUMBER: usize = size_of::<i64>();
    NUMBER
        + match cell {
            Cell::Absent | Cell::Null | Cell::Number(_) | Cell::Bool(_) => 0,
            Cell::Text(text) => text.len(),
            Cell::Range(..) => 2 * NUMBER,
            Cell::Texts(texts) => texts
                .iter()
                .map(|text| NUMBER + text.as_ref().map_or(0, |text| text.len()))
                .sum(),
            Cell::Records(array) => array.len(),
        }
}

#[cfg(test)]
mod tests {
    use arrow_array::Array;
    use arrow_array::cast::AsArray;
    use arrow_array::types::{Int32Type, Int64Type};

    use super::*;
    use crate::column::{CellKind, Presence};

    struct Mixed;

    const fn column(
        name: &'static str,
        kind: CellKind,
        get: for<'r, 'a> fn(&'r u64) -> Cell<'r>,
    ) -> Column<Mixed> {
        Column {
            name,
            kind,
            presence: Presence::Always,
            doc: "",
            get,
            write: None,
        }
    }

    /// Row 0 has a value in every column, row 1 none.
    fn unless_null(row: u64, cell: Cell<'_>) -> Cell<'_> {
        if row == 0 { cell } else { Cell::Null }
    }

    impl Record for Mixed {
        type Row<'r> = u64;
        const TYPE: &'static str = "mixed";
        const COLUMNS: &'static [Column<Self>] = &[
            column("text", CellKind::Text, |row| {
                unless_null(*row, Cell::text("a"))
            }),
            column("number", CellKind::Number, |row| {
                unless_null(*row, Cell::Number(7))
            }),
            column("bool", CellKind::Bool, |row| {
                unless_null(*row, Cell::Bool(true))
            }),
            column("range", CellKind::Range, |row| {
                unless_null(*row, Cell::Range(1, 2))
            }),
            column("list", CellKind::List, |row| {
                unless_null(*row, Cell::Texts(vec![Some("x".into()), None]))
            }),
            column("fields", CellKind::Fields(&["p", "q"]), |row| {
                unless_null(*row, Cell::Texts(vec![None, Some("y".into())]))
            }),
            column("records", CellKind::Records, |row| {
                unless_null(*row, Cell::Records(b"[{}]".to_vec()))
            }),
        ];
    }

    fn batch(texts: Texts) -> RecordBatch {
        let columns = Columns::<Mixed>::new(&Selection::default(), texts);
        let mut rows = Rows::default();
        columns.append(&0, &mut rows).unwrap();
        columns.append(&1, &mut rows).unwrap();
        let done = rows.finish().unwrap().unwrap().batch;
        assert_eq!(rows.bytes(), 0);
        assert!(rows.finish().unwrap().is_none());
        done
    }

    #[test]
    fn arrow_type_of_each_cell() {
        let batch = batch(Texts::Plain);
        let types = batch
            .schema()
            .fields()
            .iter()
            .map(|field| field.data_type().to_string())
            .collect::<Vec<_>>();
        assert_eq!(
            types,
            [
                "Utf8",
                "Int64",
                "Boolean",
                "List(Int64)",
                "List(Utf8)",
                "Struct(\"p\": Utf8, \"q\": Utf8)",
                "Utf8"
            ]
        );
        for column in batch.columns() {
            assert_eq!((column.is_null(0), column.is_null(1)), (false, true));
        }
        assert_eq!(batch.column(0).as_string::<i32>().value(0), "a");
        assert_eq!(batch.column(1).as_primitive::<Int64Type>().value(0), 7);
        assert!(batch.column(2).as_boolean().value(0));
        let range = batch.column(3).as_list::<i32>().value(0);
        assert_eq!(range.as_primitive::<Int64Type>().values()[..], [1, 2]);
        let list = batch.column(4).as_list::<i32>().value(0);
        assert_eq!(
            list.as_string::<i32>().iter().collect::<Vec<_>>(),
            [Some("x"), None]
        );
        let fields = batch.column(5).as_struct();
        assert!(fields.column(0).is_null(0));
        assert_eq!(fields.column(1).as_string::<i32>().value(0), "y");
        assert_eq!(batch.column(6).as_string::<i32>().value(0), "[{}]");
    }

    #[test]
    fn dictionary_without_duplicates() {
        let batch = batch(Texts::Dictionary);
        let texts = batch.column(0).as_dictionary::<Int32Type>();
        assert_eq!(texts.values().len(), 1);
        assert!(!texts.is_null(0) && texts.is_null(1));
    }

    #[test]
    fn small_batches_joined() {
        let schema = schema::<Mixed>(&Selection::default(), Texts::Plain);
        let mut joiner = Joiner::new(schema, 5);
        let mut rows = Vec::new();
        for bytes in [2, 2, 2, 9, 1] {
            let batch = batch(Texts::Plain);
            rows.extend(joiner.push(SizedBatch { batch, bytes }));
        }
        rows.extend(joiner.flush());
        rows.extend(joiner.flush());
        let rows: Vec<usize> = rows.iter().map(RecordBatch::num_rows).collect();
        assert_eq!(rows, [6, 2, 2]);
    }

    #[test]
    fn schema_metadata_names_record() {
        let schema = schema::<Mixed>(&Selection::default(), Texts::Plain);
        assert_eq!(schema.metadata()["type"], "mixed");
        assert_eq!(schema.metadata()["v"], "1");
    }

    /// A document, a base in it, and the number of a row.
    struct Shares;

    impl Record for Shares {
        type Row<'r> = (&'r str, Option<usize>, u64);
        const TYPE: &'static str = "shares";
        const COLUMNS: &'static [Column<Self>] = &[
            Column::text("doc", "", |row| Cell::text(row.0)),
            Column::always("seq", CellKind::Number, "", |row| Cell::Number(row.2)),
            Column::text("base", "", |row| {
                row.1
                    .map_or(Cell::Null, |base| Cell::text(format!("{}{base}", row.0)))
            }),
            Column::always("offset", CellKind::Number, "", |row| {
                Cell::Number(row.0.len() as u64)
            }),
        ];

        fn follows_from(column: &str) -> Option<Shared> {
            match column {
                "doc" | "offset" => Some(Shared::Document),
                "base" => Some(Shared::Base),
                _ => None,
            }
        }

        fn number_of(row: &Self::Row<'_>, shared: Shared) -> Option<usize> {
            match shared {
                Shared::Document => Some(0),
                _ => row.1,
            }
        }
    }

    /// The texts of a column, each in its row.
    fn in_full(column: &ArrayRef) -> ArrayRef {
        match column.as_any_dictionary_opt() {
            Some(texts) => arrow_select::take::take(texts.values(), texts.keys(), None).unwrap(),
            None => Arc::clone(column),
        }
    }

    #[test]
    fn shared_cells_repeat_within_document() {
        for texts in [Texts::Plain, Texts::Dictionary] {
            let columns = Columns::<Shares>::new(&Selection::default(), texts);
            let mut rows = Rows::default();
            let mut bytes = Vec::new();
            let mut seq = 0;
            for (doc, bases) in [
                ("a", &[Some(1), Some(1), Some(2)][..]),
                ("bb", &[Some(2), None, None]),
            ] {
                rows.begin_document().unwrap();
                for base in bases {
                    seq += 1;
                    let before = rows.bytes();
                    columns.append(&(doc, *base, seq), &mut rows).unwrap();
                    bytes.push(rows.bytes() - before);
                }
            }
            assert_eq!(bytes, [35, 35, 35, 37, 34, 34]);
            let batch = rows.finish().unwrap().unwrap().batch;
            let text = |index: usize| {
                let column = in_full(batch.column(index));
                let texts = column.as_string::<i32>().iter();
                let texts = texts.map(|text| text.unwrap_or("null").to_owned());
                texts.collect::<Vec<_>>()
            };
            assert_eq!(text(0), ["a", "a", "a", "bb", "bb", "bb"]);
            assert_eq!(text(2), ["a1", "a1", "a2", "bb2", "null", "null"]);
            let numbers = |index: usize| {
                batch
                    .column(index)
                    .as_primitive::<Int64Type>()
                    .values()
                    .to_vec()
            };
            assert_eq!(numbers(1), [1, 2, 3, 4, 5, 6]);
            assert_eq!(numbers(3), [1, 1, 1, 2, 2, 2]);
        }
    }
}
