//! Rows as columns, for `-f arrow`.

use arrow_schema::SchemaRef;

use super::message::Message;
use super::output::Chunk;
use crate::report::arrow::{BATCH_BYTES, Batch, SizedBatch, Texts, schema};
use crate::report::column::{Record, Selection};

/// The columns of an output.
pub struct Columns<R: Record>(pub Selection<R>);

/// The rows of one document.
pub struct Rows<'c, R: Record> {
    columns: &'c Columns<R>,
    batch: Batch<R>,
}

impl<R: Record> Columns<R> {
    /// What the stream begins with.
    #[must_use]
    pub fn schema(&self) -> SchemaRef {
        schema(&self.0, Texts::Plain)
    }

    /// The rows of the next document.
    #[must_use]
    pub fn rows(&self) -> Rows<'_, R> {
        let batch = Batch::new(&self.0, Texts::Plain);
        Rows {
            columns: self,
            batch,
        }
    }
}

impl<R: Record> Rows<'_, R> {
    /// Appends a row; those of a large document are handed on piece by piece.
    pub fn push(&mut self, row: &R::Row<'_>, chunk: &mut Chunk) {
        if let Err(error) = self.batch.append(row) {
            let lost = self.batch.rows();
            let text = format!("{error}; it was left out, with {lost} rows before it");
            chunk.message(Message::error("columns", text));
            *self = self.columns.rows();
        } else if self.batch.bytes() >= BATCH_BYTES {
            self.end(chunk);
        }
    }

    /// Hands on the rows that are left.
    pub fn end(&mut self, chunk: &mut Chunk) {
        if self.batch.rows() == 0 {
            return;
        }
        let bytes = self.batch.bytes();
        match self.batch.finish() {
            Ok(batch) => chunk.batches.push(SizedBatch { batch, bytes }),
            Err(error) => chunk.message(Message::error("columns", error.to_string())),
        }
    }
}
