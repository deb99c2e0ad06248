//! Where output goes: results to a file or standard output, all else to standard error.

use std::collections::{BTreeMap, HashSet};
use std::fs::File;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::Path;

use super::progress::Progress;
use crate::document::{Document, Fallback, Note, Reading};
use crate::error::ReadError;
use crate::report::text::shown;

/// What came of one piece of work.
#[derive(Debug, Default)]
pub struct Chunk {
    /// Results.
    pub out: Vec<u8>,
    /// Lines for standard error.
    pub messages: Vec<String>,
    /// With `--unique`: where each row of `out` ends, and the URL that must be new for it.
    pub rows: Vec<(usize, Option<Box<str>>)>,
    /// What is counted.
    pub counts: Counts,
    /// Bytes of input that it took.
    pub bytes_read: u64,
}

/// What a run counts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Documents read.
    pub documents: u64,
    /// HTML documents read by their tree, by the reason.
    pub by_tree: BTreeMap<Fallback, u64>,
    /// HTML documents read in the order of their tags.
    pub by_tags: u64,
    /// Links found.
    pub links: u64,
    /// Links without a URL, by reason: no base, a base that cannot serve, not a URL.
    pub without_url: [u64; 3],
    /// Notes on the choice of bases.
    pub base_notes: u64,
    /// Records of containers that hold no HTML.
    pub without_html: u64,
    /// Inputs, messages and parts that could not be read.
    pub unread: u64,
}

impl Chunk {
    /// Reports something that could not be read.
    pub fn unread(&mut self, error: &ReadError) {
        self.messages.push(message(&error.to_string()));
        self.counts.unread += u64::from(error.kind.is_loss());
    }

    /// Counts a document by how it was read.
    pub fn count(&mut self, document: &Document) {
        self.counts.documents += 1;
        match document.reading {
            Some(Reading::Tags) => self.counts.by_tags += 1,
            Some(Reading::Tree(reason)) => *self.counts.by_tree.entry(reason).or_default() += 1,
            None => {}
        }
    }

    /// Reports a note on the document that prints as `doc`.
    pub fn note(&mut self, doc: &str, note: &Note) {
        self.counts.unread += u64::from(note.code.is_loss());
        let line = note.line.map(|line| format!(":{line}")).unwrap_or_default();
        self.messages.push(message(&format!(
            "{doc}{line}: note: {}: {}",
            note.code.as_str(),
            note.detail
        )));
    }
}

impl Counts {
    fn add(&mut self, other: &Self) {
        self.documents += other.documents;
        for (reason, more) in &other.by_tree {
            *self.by_tree.entry(*reason).or_default() += more;
        }
        self.by_tags += other.by_tags;
        self.links += other.links;
        for (sum, more) in self.without_url.iter_mut().zip(other.without_url) {
            *sum += more;
        }
        self.base_notes += other.base_notes;
        self.without_html += other.without_html;
        self.unread += other.unread;
    }
}

/// A line for standard error, with nothing in it that a terminal obeys.
#[must_use]
pub fn message(text: &str) -> String {
    format!("baseref: {}", shown(text))
}

/// The end of the line for all output.
pub struct Output {
    results: BufWriter<Box<dyn Write + Send>>,
    seen: HashSet<Box<str>>,
    /// What all chunks counted.
    pub counts: Counts,
    progress: Option<Progress>,
    failed: Option<io::Error>,
}

impl Output {
    /// To a file, or to standard output.
    ///
    /// # Errors
    /// When the file cannot be made.
    pub fn new(file: Option<&Path>, progress: Option<Progress>) -> io::Result<Self> {
        let results: Box<dyn Write + Send> = match file {
            Some(path) => Box::new(File::create(path)?),
            None => Box::new(io::stdout()),
        };
        Ok(Self {
            results: BufWriter::with_capacity(64 * 1024, results),
            seen: HashSet::new(),
            counts: Counts::default(),
            progress,
            failed: None,
        })
    }

    /// Whether output to `file` or standard output is seen on a terminal.
    #[must_use]
    pub fn is_terminal(file: Option<&Path>) -> bool {
        file.is_none() && io::stdout().is_terminal()
    }

    /// Nobody takes the results any more.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.failed.is_some()
    }

    /// Writes a chunk and empties it. A failure is kept for [`Self::finish`].
    pub fn write(&mut self, chunk: &mut Chunk) {
        self.counts.add(&std::mem::take(&mut chunk.counts));
        if self.failed.is_none()
            && let Err(error) = self.write_results(chunk)
        {
            self.failed = Some(error);
        }
        chunk.out.clear();
        chunk.rows.clear();
        let messages = std::mem::take(&mut chunk.messages);
        self.say(&messages);
        if let Some(progress) = &mut self.progress {
            progress.advance(std::mem::take(&mut chunk.bytes_read), &self.counts);
        }
    }

    fn write_results(&mut self, chunk: &mut Chunk) -> io::Result<()> {
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
        let print = || {
            let mut stderr = io::stderr().lock();
            for message in messages {
                // Nothing is left to say it to if standard error is closed.
                let _ = writeln!(stderr, "{message}");
            }
        };
        match &self.progress {
            Some(progress) => progress.suspend(print),
            None => print(),
        }
    }

    /// Writes what is still held back. A reader that went away (a closed pipe) is no error.
    ///
    /// # Errors
    /// When results could not be written.
    pub fn finish(&mut self) -> io::Result<()> {
        self.progress = None;
        let result = match self.failed.take() {
            Some(error) => Err(error),
            None => self.results.flush(),
        };
        match result {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
            result => result,
        }
    }
}
