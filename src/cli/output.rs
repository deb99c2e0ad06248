//! The end of the line: results go to a file or standard output, all else to standard error.

use std::collections::HashSet;
use std::io::{self, BufWriter, Write};

#[cfg(feature = "arrow")]
use arrow_schema::SchemaRef;

use super::counts::Counts;
use super::message::{self, Message, Messages};
use super::progress::Progress;
use crate::outfile::OutputFile;
#[cfg(feature = "arrow")]
use crate::report::arrow::{Rows, SizedBatch};
use crate::report::groups::Groups;
#[cfg(feature = "arrow")]
use crate::report::ipc::IpcStream;
use crate::run::{Outbox, Sink};

/// What came of some pieces of work.
#[derive(Debug, Default)]
pub struct Chunk {
    /// Results.
    pub out: Vec<u8>,
    /// What there is to say on standard error.
    pub messages: Vec<Message>,
    /// With `--unique`: where each row of `out` ends, and the number of the URL that must be new
    /// for it.
    pub rows: Vec<(usize, Option<u128>)>,
    /// What is counted.
    pub counts: Counts,
    /// With `--group-by`: the links.
    pub groups: Groups,
    /// Bytes of input that it took.
    pub bytes_read: u64,
    /// With `-f arrow`: results.
    #[cfg(feature = "arrow")]
    pub batches: Vec<SizedBatch>,
    /// The rows after them.
    #[cfg(feature = "arrow")]
    pub columns: Rows,
}

/// A chunk larger than this, in bytes, is written before it is whole if it is its turn.
const LARGE_CHUNK: usize = 256 * 1024;

/// Writes what has come so far if it is much and its turn is now.
pub fn relieve(outbox: &mut Outbox<'_, Output>) {
    if outbox.results.out.len() >= LARGE_CHUNK {
        outbox.flush();
    }
}

impl Chunk {
    /// Counts what there is to say, and hands it on.
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

/// The end of the line for all output.
pub struct Output {
    results: BufWriter<OutputFile>,
    /// The numbers of the URLs that were written ([`crate::keyed_hash`]).
    seen: HashSet<u128>,
    /// What all chunks counted.
    pub counts: Counts,
    /// With `--group-by`: the links of all chunks.
    pub groups: Groups,
    messages: Messages,
    progress: Option<Progress>,
    failed: Option<io::Error>,
    /// With `-f arrow`: what makes bytes of the results.
    #[cfg(feature = "arrow")]
    stream: Option<IpcStream>,
    /// Says that the run is to end, whatever was written.
    stop: Box<dyn Fn() -> bool + Send>,
}

impl Output {
    /// To that file. The run ends early when `stop` says so.
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
            messages,
            progress,
            failed: None,
            #[cfg(feature = "arrow")]
            stream: None,
            stop: Box::new(stop),
        }
    }

    /// Writes results that no piece of work brought.
    pub fn write(&mut self, results: &[u8]) {
        if self.failed.is_none() {
            self.failed = self.results.write_all(results).err();
        }
    }

    /// The results are batches of that schema.
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

    /// Writes what stands after the last batch.
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

    /// Says what is to be said on standard error.
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

    /// Writes what is still held back, and puts a file in its place if it is to be kept. A reader
    /// that went away (a closed pipe) is no error.
    ///
    /// # Errors
    /// When results could not be written.
    pub fn finish(mut self, is_kept: bool) -> io::Result<Ended> {
        self.progress = None;
        #[cfg(feature = "arrow")]
        if self.failed.is_none() {
            self.failed = self.end_batches().err();
        }
        let result = match self.failed.take() {
            // What is still held back would fail as well, and must not be written now.
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
            _ => Ok(Ended {
                counts: self.counts,
                messages: self.messages,
            }),
        }
    }
}

/// What is left when all is written.
pub struct Ended {
    /// What was counted.
    pub counts: Counts,
    /// What was said, and what is still to be.
    pub messages: Messages,
}

impl Sink for Output {
    type Results = Chunk;

    /// A failure is kept for [`Self::finish`].
    fn take(&mut self, chunk: &mut Chunk) {
        self.counts.add(std::mem::take(&mut chunk.counts));
        self.groups.take(&mut chunk.groups);
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
