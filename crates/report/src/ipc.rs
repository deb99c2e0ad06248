//! Batches in the Arrow IPC streaming format.

use arrow_array::RecordBatch;
use arrow_ipc::writer::StreamWriter;
use arrow_schema::{ArrowError, SchemaRef};

use super::arrow::{BATCH_BYTES, Joiner, SizedBatch};

/// A stream being written. Output is appended to a buffer.
pub struct IpcStream {
    writer: StreamWriter<Vec<u8>>,
    joiner: Joiner,
}

impl IpcStream {
    /// A stream of batches of that schema.
    ///
    /// # Errors
    /// Never, for schemas of records.
    pub fn new(schema: &SchemaRef) -> Result<Self, ArrowError> {
        Ok(Self {
            writer: StreamWriter::try_new(Vec::new(), schema)?,
            joiner: Joiner::new(SchemaRef::clone(schema), BATCH_BYTES),
        })
    }

    /// Takes the next batch.
    ///
    /// # Errors
    /// If it does not match the schema.
    pub fn push(&mut self, next: SizedBatch, out: &mut Vec<u8>) -> Result<(), ArrowError> {
        let batches = self.joiner.push(next);
        let written = self.write(&batches);
        self.hand_over(out);
        written
    }

    /// Writes what is left, and the end-of-stream marker.
    ///
    /// # Errors
    /// See [`Self::push`].
    pub fn end(&mut self, out: &mut Vec<u8>) -> Result<(), ArrowError> {
        let batches = self.joiner.flush();
        let ended = self.write(&batches).and_then(|()| self.writer.finish());
        self.hand_over(out);
        ended
    }

    fn hand_over(&mut self, out: &mut Vec<u8>) {
        out.append(self.writer.get_mut());
    }

    fn write(&mut self, batches: &[RecordBatch]) -> Result<(), ArrowError> {
        batches
            .iter()
            .try_for_each(|batch| self.writer.write(batch))
    }
}
