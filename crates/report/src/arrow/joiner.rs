//! Joins consecutive small batches.

use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;
use arrow_select::concat::concat_batches;

/// The default approximate size of the batches passed on.
pub const BATCH_BYTES: usize = 4 << 20;

/// A batch and its approximate size in bytes.
#[derive(Clone, Debug)]
pub struct SizedBatch {
    /// The batch.
    pub batch: RecordBatch,
    /// As returned by [`super::Rows::bytes`].
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

    /// Takes the next batch, and returns the collected ones joined if there is enough.
    pub fn push(&mut self, next: SizedBatch) -> Vec<RecordBatch> {
        self.waiting.push(next.batch);
        self.bytes += next.bytes;
        if self.bytes >= self.most {
            self.flush()
        } else {
            Vec::new()
        }
    }

    /// Returns the collected batches, joined.
    pub fn flush(&mut self) -> Vec<RecordBatch> {
        let batches = std::mem::take(&mut self.waiting);
        self.bytes = 0;
        match concat_batches(&self.schema, &batches) {
            Ok(joined) if joined.num_rows() > 0 => vec![joined],
            Ok(_) => Vec::new(),
            // Too large to join: they are passed on one by one.
            Err(_) => batches,
        }
    }
}
