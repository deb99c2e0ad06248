//! The final output: results go to a file or standard output, everything else to standard error.

use std::collections::HashSet;
use std::io::{self, BufWriter, Write};

#[cfg(feature = "arrow")]
use arrow_schema::SchemaRef;

use super::counts::Counts;
use super::message::{self, Message, Messages};
use super::progress::Progress;
use baseref_files::output::OutputFile;
#[cfg(feature = "arrow")]
use baseref_report::arrow::{Rows, SizedBatch};
use baseref_report::edges::Edges;
use baseref_report::groups::Groups;
#[cfg(feature = "arrow")]
use baseref_report::ipc::IpcStream;
use baseref_report::observables::Observables;
use baseref_run::{ResultBuffer, Sink};

/// The results of some pieces of work.
#[derive(Debug, Default)]
pub struct Chunk {
    /// Results.
    pub out: Vec<u8>,
    /// The messages for standard error.
    pub messages: Vec<Message>,
    /// With `--unique`: where each row of `out` ends, and the hash of the URL that must be new for
    /// it.
    pub rows: Vec<(usize, Option<u128>)>,
    /// The counts.
    pub counts: Counts,
    /// With `--group-by`: the links.
    pub groups: Groups,
    /// With `--group-by` of two fields: the links.
    pub edges: Edges,
    /// With `-f observables`: the URLs, hosts and addresses that links lead to.
    pub observables: Observables,
    /// Bytes of input read for it.
    pub bytes_read: u64,
    /// With `-f arrow`: results.
    #[cfg(feature = "arrow")]
    pub batches: Vec<SizedBatch>,
    /// The rows after them.
    #[cfg(feature = "arrow")]
    pub columns: Rows,
}

/// A chunk larger than this, in bytes, is written before it is complete if it is its turn.
const LARGE_CHUNK: usize = 256 * 1024;

/// Writes the results so far if they are large and it is their turn.
pub fn flush_if_large(buffer: &mut ResultBuffer<'_, Output>) {
    if buffer.results.out.len() >= LARGE_CHUNK {
        buffer.flush();
    }
}

impl Chunk {
    /// Counts a message and passes it on.
    pub fn message(&mut self, message: Message) {
        message.count(&mut self.counts);
        self.messages.push(message);
    }

    /// Turns the rows so far into a batch.
    #[cfg(feature = "arrow")]
    pub fn end_batch(&mut self) {
        match self.columns.finish() {
            Ok(batch) => self.batches.extend(batch),
            Err(error) => self.message(Message::error("columns", error.to_string())),
        }
    }
}

/// The final sink of all output.
pub struct Output {
    results: BufWriter<OutputFile>,
    /// The hashes of the URLs written ([`crate::keyed_hash`]).
    seen: HashSet<u128>,
    /// The counts of all chunks.
    pub counts: Counts,
    /// With `--group-by`: the links of all chunks.
    pub groups: Groups,
    /// With `--group-by` of two fields: the links of all chunks.
    pub edges: Edges,
    /// With `-f observables`: the URLs, hosts and addresses that links of all chunks lead to.
    pub observables: Observables,
    messages: Messages,
    progress: Option<Progress>,
    failed: Option<io::Error>,
    /// With `-f arrow`: the serialiser of the results.
    #[cfg(feature = "arrow")]
    stream: Option<IpcStream>,
    /// Whether the run must end at once.
    stop: Box<dyn Fn() -> bool + Send>,
}

impl Output {
    /// Output to that file. The run ends early if `stop` returns true.
    #[must_use]
    pub fn new(
        file: OutputFile,
        messages: Messages,
        progress: Option<Progress>,
        stop: impl Fn() -> bool + Send + 'static,
    ) -> Self {
        Self {
            results: BufWriter::with_capacity(64 * 1024, file),
            seen: HashSet::new(),
            counts: Counts::default(),
            groups: Groups::default(),
            edges: Edges::default(),
            observables: Observables::default(),
            messages,
            progress,
            failed: None,
            #[cfg(feature = "arrow")]
            stream: None,
            stop: Box::new(stop),
        }
    }

    /// Writes results that do not come from a piece of work.
    pub fn write(&mut self, results: &[u8]) {
        if self.failed.is_none() {
            self.failed = self.results.write_all(results).err();
        }
    }

    /// Lets `write` write results that are not kept in memory, and returns its result; `None` if
    /// the output failed.
    pub fn write_by<T>(
        &mut self,
        write: impl FnOnce(&mut dyn Write) -> io::Result<T>,
    ) -> Option<T> {
        if self.failed.is_some() {
            return None;
        }
        write(&mut self.results)
            .map_err(|error| self.failed = Some(error))
            .ok()
    }

    /// Sets the schema of results in batches.
    #[cfg(feature = "arrow")]
    pub fn set_schema(&mut self, schema: &SchemaRef) {
        match IpcStream::new(schema) {
            Ok(stream) => self.stream = Some(stream),
            Err(error) => self.failed = Some(io::Error::other(error)),
        }
    }

    #[cfg(feature = "arrow")]
    fn write_batches(&mut self, batches: &mut Vec<SizedBatch>) -> io::Result<()> {
        let Some(stream) = &mut self.stream else {
            return Ok(());
        };
        let mut bytes = Vec::new();
        for batch in batches.drain(..) {
            stream.push(batch, &mut bytes).map_err(io::Error::other)?;
        }
        self.results.write_all(&bytes)
    }

    /// Writes what follows the last batch.
    #[cfg(feature = "arrow")]
    fn end_batches(&mut self) -> io::Result<()> {
        let Some(stream) = &mut self.stream else {
            return Ok(());
        };
        let mut bytes = Vec::new();
        stream.end(&mut bytes).map_err(io::Error::other)?;
        self.results.write_all(&bytes)
    }

    fn write_rows(&mut self, chunk: &mut Chunk) -> io::Result<()> {
        if chunk.rows.is_empty() {
            return self.results.write_all(&chunk.out);
        }
        let mut start = 0;
        for (end, url) in chunk.rows.drain(..) {
            if url.is_none_or(|url| self.seen.insert(url)) {
                self.results.write_all(&chunk.out[start..end])?;
            }
            start = end;
        }
        Ok(())
    }

    /// Prints messages on standard error.
    pub fn say(&mut self, messages: &[Message]) {
        let lines: Vec<String> = messages
            .iter()
            .filter_map(|message| self.messages.line(message))
            .collect();
        if lines.is_empty() {
            return;
        }
        match &self.progress {
            Some(progress) => progress.suspend(|| message::print(&lines)),
            None => message::print(&lines),
        }
    }

    /// Writes what is still buffered, and moves a file into place if it is to be kept. A closed
    /// pipe is not an error.
    ///
    /// # Errors
    /// If results could not be written.
    pub fn finish(mut self, is_kept: bool) -> io::Result<OutputSummary> {
        self.progress = None;
        #[cfg(feature = "arrow")]
        if self.failed.is_none() {
            self.failed = self.end_batches().err();
        }
        let result = match self.failed.take() {
            // The rest of the buffer would fail, too, and must not be written now.
            Some(error) => {
                let _ = self.results.into_parts();
                Err(error)
            }
            None => match self.results.into_inner() {
                Ok(file) if is_kept => file.commit(),
                Ok(_) => Ok(()),
                Err(error) => Err(error.into_error()),
            },
        };
        match result {
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error),
            _ => Ok(OutputSummary {
                counts: self.counts,
                messages: self.messages,
            }),
        }
    }
}

/// What remains after everything is written.
pub struct OutputSummary {
    /// The counts.
    pub counts: Counts,
    /// The messages, printed and pending.
    pub messages: Messages,
}

impl Sink for Output {
    type Results = Chunk;

    /// A failure is kept for [`Self::finish`].
    fn take(&mut self, chunk: &mut Chunk) {
        self.counts.add(std::mem::take(&mut chunk.counts));
        self.groups.take(&mut chunk.groups);
        self.edges.take(&mut chunk.edges);
        self.observables.take(&mut chunk.observables);
        if self.failed.is_none() {
            self.failed = self.write_rows(chunk).err();
        }
        #[cfg(feature = "arrow")]
        chunk.end_batch();
        #[cfg(feature = "arrow")]
        if self.failed.is_none() {
            self.failed = self.write_batches(&mut chunk.batches).err();
        }
        chunk.out.clear();
        chunk.rows.clear();
        let messages = std::mem::take(&mut chunk.messages);
        self.say(&messages);
        if let Some(progress) = &mut self.progress {
            progress.advance(std::mem::take(&mut chunk.bytes_read), &self.counts);
        }
    }

    fn is_closed(&self) -> bool {
        self.failed.is_some() || (self.stop)()
    }
}
