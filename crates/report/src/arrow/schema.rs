//! The types of columns.

use std::collections::HashMap;
use std::sync::Arc;

use arrow_schema::{DataType, Field, Fields, Schema, SchemaRef};

use crate::column::{CellKind, Record, Selection};
use crate::jsonl::VERSION;

/// How columns of text are stored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Texts {
    /// Each string in full, which every Arrow reader supports.
    #[default]
    Plain,
    /// Dictionary-encoded: smaller where strings repeat.
    Dictionary,
}

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

pub(super) fn text_fields(names: &[&str]) -> Fields {
    let fields = names
        .iter()
        .map(|name| Field::new(*name, DataType::Utf8, true));
    fields.collect()
}
