//! The end of the line: results go to a file or standard output, all else to standard error.

use std::collections::HashSet;
use std::fmt::Display;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::Path;

use super::counts::Counts;
use super::message::{self, message};
use super::progress::Progress;
use crate::document::{Note, NoteCode};
use crate::error::ReadError;
use crate::outfile::OutputFile;
use crate::run::{Outbox, Sink};

/// What came of some pieces of work.
#[derive(Debug, Default)]
pub struct Chunk {
    /// Results.
    pub out: Vec<u8>,
    /// Lines for standard error.
    pub messages: Vec<String>,
    /// With `--unique`: where each row of `out` ends, and the number of the URL that must be new
    /// for it.
    pub rows: Vec<(usize, Option<u128>)>,
    /// What is counted.
    pub counts: Counts,
    /// Bytes of input that it took.
    pub bytes_read: u64,
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
    /// Reports something that could not be read.
    pub fn unread(&mut self, error: &ReadError) {
        self.messages.push(message(&error.to_string()));
        self.counts.unread += u64::from(error.kind.is_loss());
    }

    /// Reports a note on the document that prints as `doc`.
    pub fn note(&mut self, doc: &str, note: &Note) {
        self.counts.unread += u64::from(note.code.is_loss());
        let line = note.line.map(|line| format!(":{line}")).unwrap_or_default();
        self.message_about(&format!("{doc}{line}"), note.code, &note.detail);
    }

    /// Reports a note on what prints as `place`.
    pub fn message_about(&mut self, place: &str, code: NoteCode, detail: &dyn Display) {
        let code = code.as_str();
        let text = format!("{place}: note: {code}: {detail}");
        self.messages.push(message(&text));
    }
}

/// The end of the line for all output.
pub struct Output {
    results: BufWriter<OutputFile>,
    /// The numbers of the URLs that were written ([`crate::keyed_hash`]).
    seen: HashSet<u128>,
    /// What all chunks counted.
    pub counts: Counts,
    progress: Option<Progress>,
    failed: Option<io::Error>,
    /// Says that the run is to end, whatever was written.
    stop: Box<dyn Fn() -> bool + Send>,
}

impl Output {
    /// To that file. The run ends early when `stop` says so.
    #[must_use]
    pub fn new(
        file: OutputFile,
        progress: Option<Progress>,
        stop: impl Fn() -> bool + Send + 'static,
    ) -> Self {
        Self {
            results: BufWriter::with_capacity(64 * 1024, file),
            seen: HashSet::new(),
            counts: Counts::default(),
            progress,
            failed: None,
            stop: Box::new(stop),
        }
    }

    /// Whether output to `file` or standard output is seen on a terminal.
    #[must_use]
    pub fn is_terminal(file: Option<&Path>) -> bool {
        file.is_none() && io::stdout().is_terminal()
    }

    /// Writes results that no piece of work brought.
    pub fn write(&mut self, results: &[u8]) {
        if self.failed.is_none() {
            self.failed = self.results.write_all(results).err();
        }
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

    /// Prints lines on standard error.
    pub fn say(&self, messages: &[String]) {
        if messages.is_empty() {
            return;
        }
        match &self.progress {
            Some(progress) => progress.suspend(|| message::print(messages)),
            None => message::print(messages),
        }
    }

    /// Writes what is still held back, and puts a file in its place if `keep`. A reader that
    /// went away (a closed pipe) is no error. Gives back what was counted.
    ///
    /// # Errors
    /// When results could not be written.
    pub fn finish(mut self, keep: impl FnOnce(&Counts) -> bool) -> io::Result<Counts> {
        self.progress = None;
        let result = match self.failed.take() {
            // What is still held back would fail as well, and must not be written now.
            Some(error) => {
                let _ = self.results.into_parts();
                Err(error)
            }
            None => match self.results.into_inner() {
                Ok(file) if keep(&self.counts) => file.commit(),
                Ok(_) => Ok(()),
                Err(error) => Err(error.into_error()),
            },
        };
        match result {
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error),
            _ => Ok(self.counts),
        }
    }
}

impl Sink for Output {
    type Results = Chunk;

    /// A failure is kept for [`Self::finish`].
    fn take(&mut self, chunk: &mut Chunk) {
        self.counts.add(&std::mem::take(&mut chunk.counts));
        if self.failed.is_none() {
            self.failed = self.write_rows(chunk).err();
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
