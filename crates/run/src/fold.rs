//! Folds pieces into one value.

use std::num::NonZeroUsize;

use super::ordered::ordered;
use super::piece::{Input, Piece};
use super::reorder_buffer::{ResultBuffer, Sink};
use baseref_document::ReadError;

/// Folds every piece of the inputs on `jobs` threads: `ingest` adds a piece to a value that starts
/// as the default, one value per run of consecutive pieces; `merge` adds the value of later pieces
/// to the value of all earlier ones, in input order. The result is the same for any number of threads,
/// provided that merging two values equals ingesting the pieces of both.
pub fn fold<I: Input, A: Default + Send>(
    inputs: impl Iterator<Item = Result<I, ReadError>> + Send,
    jobs: NonZeroUsize,
    ingest: impl Fn(Piece, &mut A) + Sync,
    merge: impl FnMut(&mut A, A) + Send,
) -> A {
    let gathered = FoldSink {
        value: A::default(),
        merge,
    };
    let work = |piece: Piece, buffer: &mut ResultBuffer<'_, FoldSink<A, _>>| {
        ingest(piece, &mut buffer.results);
    };
    ordered(inputs, jobs, work, gathered).value
}

/// The value of all pieces so far.
struct FoldSink<A, M> {
    value: A,
    merge: M,
}

impl<A: Default + Send, M: FnMut(&mut A, A) + Send> Sink for FoldSink<A, M> {
    type Results = A;

    fn take(&mut self, results: &mut A) {
        (self.merge)(&mut self.value, std::mem::take(results));
    }
}
