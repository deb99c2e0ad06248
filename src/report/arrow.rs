//! Records as batches of Arrow columns.
//!
//! The names, order and types of the columns are those of JSON Lines: text is `utf8`, a number
//! `int64`, a range a list of two `int64`, a list a list of `utf8`, fields a struct of `utf8`, and
//! nested records their JSON text. Absent and null both become null.

use std::collections::HashMap;
use std::sync::Arc;

use arrow_array::builder::{
    ArrayBuilder, BooleanBuilder, Int64Builder, ListBuilder, StringBuilder,
    StringDictionaryBuilder, StructBuilder,
};
use arrow_array::types::Int32Type;
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{ArrowError, DataType, Field, Fields, Schema, SchemaRef};
use arrow_select::concat::concat_batches;

use super::column::{Cell, CellKind, Column, Record, Selection};
use super::jsonl::VERSION;

/// How columns of text are stored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Texts {
    /// Each string in full, which every Arrow reader supports.
    #[default]
    Plain,
    /// Dictionary-encoded: smaller where strings repeat.
    Dictionary,
}

/// The largest cell, in bytes: offsets in Arrow's `utf8` have 31 bits.
const LARGEST_CELL: usize = 1 << 30;

/// The schema of batches of these columns. Its metadata has JSON Lines' `type` and `v`.
#[must_use]
pub fn schema<R: Record>(selection: &Selection<R>, texts: Texts) -> SchemaRef {
    let fields = selection.columns.iter().map(|column| {
        let is_nullable = true;
        Field::new(column.name, data_type(column.kind, texts), is_nullable)
    });
    let metadata = HashMap::from([
        ("type".to_owned(), R::TYPE.to_owned()),
        ("v".to_owned(), VERSION.to_string()),
    ]);
    Arc::new(Schema::new(fields.collect::<Fields>()).with_metadata(metadata))
}

fn data_type(kind: CellKind, texts: Texts) -> DataType {
    match (kind, texts) {
        (CellKind::Text, Texts::Dictionary) => {
            DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8))
        }
        (CellKind::Text | CellKind::Records, _) => DataType::Utf8,
        (CellKind::Number, _) => DataType::Int64,
        (CellKind::Bool, _) => DataType::Boolean,
        (CellKind::Range, _) => DataType::new_list(DataType::Int64, true),
        (CellKind::List, _) => DataType::new_list(DataType::Utf8, true),
        (CellKind::Fields(names), _) => DataType::Struct(text_fields(names)),
    }
}

fn text_fields(names: &[&str]) -> Fields {
    let fields = names
        .iter()
        .map(|name| Field::new(*name, DataType::Utf8, true));
    fields.collect()
}

/// A builder that collects rows into a batch.
pub struct Batch<R: Record> {
    schema: SchemaRef,
    columns: Vec<(Column<R>, Cells)>,
    rows: usize,
    bytes: usize,
}

/// The cells of one column.
enum Cells {
    Text(StringBuilder),
    Dictionary(StringDictionaryBuilder<Int32Type>),
    Number(Int64Builder),
    Bool(BooleanBuilder),
    Range(ListBuilder<Int64Builder>),
    List(ListBuilder<StringBuilder>),
    Fields(StructBuilder),
}

impl<R: Record> Batch<R> {
    /// An empty builder with these columns.
    #[must_use]
    pub fn new(selection: &Selection<R>, texts: Texts) -> Self {
        let columns = selection.columns.iter();
        Self {
            schema: schema(selection, texts),
            columns: columns
                .map(|column| (*column, Cells::new(column.kind, texts)))
                .collect(),
            rows: 0,
            bytes: 0,
        }
    }

    /// The number of rows.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The approximate size of the rows in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Appends a row.
    ///
    /// # Errors
    /// If a cell is larger than 1 GiB. Then drop the batch: the row is incomplete.
    pub fn append(&mut self, row: &R::Row<'_>) -> Result<(), ArrowError> {
        for (column, cells) in &mut self.columns {
            let cell = (column.get)(row);
            let bytes = size(&cell);
            if bytes > LARGEST_CELL {
                let name = column.name;
                let reason = format!("a cell of the column `{name}` has {bytes} bytes");
                return Err(ArrowError::InvalidArgumentError(reason));
            }
            self.bytes += bytes;
            cells.append(cell)?;
        }
        self.rows += 1;
        Ok(())
    }

    /// Returns the rows so far as a batch, and starts over.
    ///
    /// # Errors
    /// Never, unless the table of columns and the cells disagree.
    pub fn finish(&mut self) -> Result<RecordBatch, ArrowError> {
        let arrays = self.columns.iter_mut().map(|(_, cells)| cells.finish());
        let arrays: Vec<ArrayRef> = arrays.collect();
        let options = arrow_array::RecordBatchOptions::new().with_row_count(Some(self.rows));
        self.rows = 0;
        self.bytes = 0;
        RecordBatch::try_new_with_options(Arc::clone(&self.schema), arrays, &options)
    }
}

/// The default approximate size of the batches passed on.
pub const BATCH_BYTES: usize = 4 << 20;

/// A batch and its approximate size in bytes.
#[derive(Clone, Debug)]
pub struct SizedBatch {
    /// The batch.
    pub batch: RecordBatch,
    /// As returned by [`Batch::bytes`].
    pub bytes: usize,
}

/// Joins consecutive small batches.
#[derive(Debug)]
pub struct Joiner {
    schema: SchemaRef,
    most: usize,
    waiting: Vec<RecordBatch>,
    bytes: usize,
}

impl Joiner {
    /// A joiner that makes batches of about `most` bytes.
    #[must_use]
    pub fn new(schema: SchemaRef, most: usize) -> Self {
        Self {
            schema,
            most,
            waiting: Vec::new(),
            bytes: 0,
        }
    }

    /// Takes the next batch, and passes on the collected ones joined if there is enough.
    pub fn push(&mut self, next: SizedBatch, each: &mut dyn FnMut(RecordBatch)) {
        self.waiting.push(next.batch);
        self.bytes += next.bytes;
        if self.bytes >= self.most {
            self.flush(each);
        }
    }

    /// Passes on the collected batches, joined.
    pub fn flush(&mut self, each: &mut dyn FnMut(RecordBatch)) {
        let batches = std::mem::take(&mut self.waiting);
        self.bytes = 0;
        match concat_batches(&self.schema, &batches) {
            Ok(joined) if joined.num_rows() > 0 => each(joined),
            Ok(_) => {}
            // Too large to join: pass them on one by one.
            Err(_) => batches.into_iter().for_each(each),
        }
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

impl Cells {
    fn new(kind: CellKind, texts: Texts) -> Self {
        match (kind, texts) {
            (CellKind::Text, Texts::Dictionary) => Self::Dictionary(StringDictionaryBuilder::new()),
            (CellKind::Text | CellKind::Records, _) => Self::Text(StringBuilder::new()),
            (CellKind::Number, _) => Self::Number(Int64Builder::new()),
            (CellKind::Bool, _) => Self::Bool(BooleanBuilder::new()),
            (CellKind::Range, _) => Self::Range(ListBuilder::new(Int64Builder::new())),
            (CellKind::List, _) => Self::List(ListBuilder::new(StringBuilder::new())),
            (CellKind::Fields(names), _) => {
                let builder = |_| Box::new(StringBuilder::new()) as Box<dyn ArrayBuilder>;
                let builders = names.iter().map(builder).collect();
                Self::Fields(StructBuilder::new(text_fields(names), builders))
            }
        }
    }

    /// Appends a cell; one of a kind other than the column's becomes null.
    fn append(&mut self, cell: Cell<'_>) -> Result<(), ArrowError> {
        match (self, cell) {
            (Self::Text(cells), Cell::Text(text)) => cells.append_value(text),
            (Self::Text(cells), Cell::Records(array)) => {
                cells.append_value(String::from_utf8_lossy(&array));
            }
            (Self::Text(cells), _) => cells.append_null(),
            (Self::Dictionary(cells), Cell::Text(text)) => {
                cells.append(text)?;
            }
            (Self::Dictionary(cells), _) => cells.append_null(),
            (Self::Number(cells), Cell::Number(number)) => cells.append_value(signed(number)),
            (Self::Number(cells), _) => cells.append_null(),
            (Self::Bool(cells), Cell::Bool(value)) => cells.append_value(value),
            (Self::Bool(cells), _) => cells.append_null(),
            (Self::Range(cells), Cell::Range(start, end)) => {
                cells.append_value([Some(signed(start)), Some(signed(end))]);
            }
            (Self::Range(cells), _) => cells.append_null(),
            (Self::List(cells), Cell::Texts(texts)) => cells.append_value(texts),
            (Self::List(cells), _) => cells.append_null(),
            (Self::Fields(cells), cell) => append_fields(cells, cell),
        }
        Ok(())
    }

    fn finish(&mut self) -> ArrayRef {
        match self {
            Self::Text(cells) => Arc::new(cells.finish()),
            Self::Dictionary(cells) => Arc::new(cells.finish()),
            Self::Number(cells) => Arc::new(cells.finish()),
            Self::Bool(cells) => Arc::new(cells.finish()),
            Self::Range(cells) => Arc::new(cells.finish()),
            Self::List(cells) => Arc::new(cells.finish()),
            Self::Fields(cells) => Arc::new(cells.finish()),
        }
    }
}

fn append_fields(cells: &mut StructBuilder, cell: Cell<'_>) {
    let (texts, is_valid) = match cell {
        Cell::Texts(texts) => (texts, true),
        _ => (Vec::new(), false),
    };
    for number in 0..cells.num_fields() {
        if let Some(field) = cells.field_builder::<StringBuilder>(number) {
            field.append_option(texts.get(number).and_then(Option::as_deref));
        }
    }
    cells.append(is_valid);
}

/// Numbers are offsets, lines and counts: none comes near the limit of `int64`.
fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use arrow_array::Array;
    use arrow_array::cast::AsArray;
    use arrow_array::types::Int64Type;

    use super::*;
    use crate::report::column::Presence;

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
        let mut batch = Batch::<Mixed>::new(&Selection::default(), texts);
        batch.append(&0).unwrap();
        batch.append(&1).unwrap();
        assert_eq!(batch.rows(), 2);
        let done = batch.finish().unwrap();
        assert_eq!((batch.rows(), batch.bytes()), (0, 0));
        assert_eq!(batch.finish().unwrap().num_rows(), 0);
        done
    }

    #[test]
    fn every_kind_of_cell_has_its_arrow_type_and_can_be_null() {
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
    fn a_dictionary_has_each_text_once() {
        let batch = batch(Texts::Dictionary);
        let texts = batch.column(0).as_dictionary::<Int32Type>();
        assert_eq!(texts.values().len(), 1);
        assert!(!texts.is_null(0) && texts.is_null(1));
    }

    #[test]
    fn small_batches_are_joined_until_they_are_large_enough() {
        let schema = schema::<Mixed>(&Selection::default(), Texts::Plain);
        let mut joiner = Joiner::new(schema, 5);
        let mut rows = Vec::new();
        let mut take = |batch: RecordBatch| rows.push(batch.num_rows());
        for bytes in [2, 2, 2, 9, 1] {
            let batch = batch(Texts::Plain);
            joiner.push(SizedBatch { batch, bytes }, &mut take);
        }
        joiner.flush(&mut take);
        joiner.flush(&mut take);
        assert_eq!(rows, [6, 2, 2]);
    }

    #[test]
    fn the_schema_says_what_record_it_is_of() {
        let schema = schema::<Mixed>(&Selection::default(), Texts::Plain);
        assert_eq!(schema.metadata()["type"], "mixed");
        assert_eq!(schema.metadata()["v"], "1");
    }
}
