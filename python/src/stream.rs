//! Reads on threads of its own, and returns batches in input order through a bounded queue.

use std::num::NonZeroUsize;
use std::process;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, Weak};
use std::thread::{self, ThreadId};
use std::time::Duration;

use arrow_array::{RecordBatch, RecordBatchReader};
use arrow_schema::{ArrowError, SchemaRef};
use baseref_container::EntityKind;
use baseref_document::{Origin, ReadError, ReadErrorKind, ReadOptions, Skipped};
use baseref_reader::Policy;
use baseref_reader::links::{DocumentLinks, DocumentResolver};
use baseref_report::arrow::{Columns, Joiner, Rows, SizedBatch, Texts, schema};
use baseref_report::column::Selection;
use baseref_report::links::Opening;
use baseref_run::{Piece, ResultBuffer, Sink, guard, ordered};
use pyo3::exceptions::{PyKeyboardInterrupt, PyRuntimeError, PyUserWarning, PyValueError};
use pyo3::prelude::*;

use crate::errors;
use crate::lock::lock;
use crate::options::OnError;
use crate::record::DocumentRecord;
use crate::source::AllInputs;
use crate::trouble::{Trouble, os_error};

/// How many batches may be queued.
const WAITING: usize = 2;

/// How long to wait before looking whether the user interrupts.
const PATIENCE: Duration = Duration::from_millis(50);

/// What to read, and how to return it.
pub(crate) struct Plan<R: DocumentRecord> {
    pub selection: Selection<R>,
    /// What to read from a document in a message, and from any other.
    pub message_options: ReadOptions,
    pub options: ReadOptions,
    pub policy: Policy,
    pub unwrap_archive: bool,
    pub texts: Texts,
    pub jobs: NonZeroUsize,
    pub batch_bytes: usize,
    pub on_error: OnError,
    /// Whether somebody listens to what is worth knowing, though nothing is lost by it.
    pub is_logged: bool,
    /// Whether somebody wants to know how much has been read.
    pub is_followed: bool,
}

impl<R: DocumentRecord> Clone for Plan<R> {
    fn clone(&self) -> Self {
        Self {
            selection: self.selection.clone(),
            message_options: self.message_options.clone(),
            options: self.options.clone(),
            ..*self
        }
    }
}

/// The errors and omissions so far, of the latest reading.
#[derive(Debug, Default)]
pub(crate) struct Account {
    pub errors: Vec<ReadError>,
    pub without_html: u64,
    /// The exception that ended the reading.
    pub failure: Option<PyErr>,
    /// Who reads: the process and its thread, for as long as the token exists.
    reader: Option<(u32, ThreadId, Weak<()>)>,
    /// For a completed check.
    pub summary: Option<Numbers>,
}

impl Account {
    /// Begins a new reading, for as long as the token exists. `None` if another thread is reading.
    fn begin(&mut self) -> Option<Arc<()>> {
        let (here, me) = (process::id(), thread::current().id());
        if let Some((process, reader, token)) = &self.reader
            // A fork does not continue the reading of its parent.
            && *process == here
            && *reader != me
            && token.strong_count() > 0
        {
            return None;
        }
        let token = Arc::new(());
        *self = Self {
            reader: Some((here, me, Arc::downgrade(&token))),
            ..Self::default()
        };
        Some(token)
    }
}

/// The totals of a check.
#[derive(Clone, Debug)]
pub(crate) struct Numbers {
    /// The last line of JSON Lines.
    pub json: String,
    /// The messages about them in words.
    pub lines: Vec<String>,
}

/// An account that the reader of a stream and its owner share.
pub(crate) type SharedAccount = Arc<Mutex<Account>>;

/// What the threads send.
pub(crate) enum Message {
    Batch(RecordBatch),
    Unread(ReadError),
    WithoutHtml(Skipped),
    /// What was noted on a document, for the log.
    Noted(String),
    /// How much has been read so far.
    Read(Progress),
    /// The totals of a completed check.
    Summary(Numbers),
    /// The reading was aborted.
    Broken(ReadError),
    /// The request is impossible.
    Refused(String),
}

/// How much has been read.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Progress {
    documents: u64,
    rows: u64,
    /// Of entities, decompressed.
    bytes: u64,
}

impl Progress {
    fn add(&mut self, more: Self) {
        self.documents += more.documents;
        self.rows += more.rows;
        self.bytes += more.bytes;
    }
}

/// Progress is reported after this many bytes, which take about a hundredth of a second.
const STEP: u64 = 1024 * 1024;

/// The batches of a reading, in input order. It begins when the first one is requested, and ends
/// when this is dropped.
pub(crate) struct Stream {
    schema: SchemaRef,
    begin: Option<Box<dyn FnOnce() -> Receiver<Message> + Send>>,
    receiver: Mutex<Option<Receiver<Message>>>,
    /// The process whose threads send; a fork of it has none of them.
    process: u32,
    on_error: OnError,
    account: SharedAccount,
    trouble: Trouble,
    /// What is called with how much has been read.
    follower: Option<Py<PyAny>>,
    /// Nothing is logged.
    is_silent: bool,
    /// Exists while this is being read.
    token: Option<Arc<()>>,
}

/// Why the batches have ended.
pub(crate) enum Failure {
    Read(ReadError),
    Python(PyErr),
}

impl Failure {
    /// The exception, without giving this up.
    fn exception(&self, py: Python<'_>) -> PyErr {
        match self {
            Self::Read(error) => Self::Read(error.clone()).into_exception(py),
            Self::Python(error) => error.clone_ref(py),
        }
    }

    /// The error of an Arrow stream, which has no exceptions. A consumer raises `OSError` for one
    /// of input and output.
    fn into_arrow(self) -> ArrowError {
        match self {
            Self::Read(error) if error.interruption.is_none() => {
                ArrowError::ExternalError(Box::new(error))
            }
            Self::Read(error) => io_error(error.to_string()),
            Self::Python(error) => {
                let text = error.to_string();
                Python::try_attach(|py| interrupt_again(py, &error));
                io_error(text)
            }
        }
    }

    pub(crate) fn into_exception(self, py: Python<'_>) -> PyErr {
        match self {
            Self::Read(error) => match error.interruption {
                Some(interruption) => os_error(&error, interruption),
                None => errors::exception(py, &error),
            },
            Self::Python(error) => error,
        }
    }
}

impl Stream {
    /// The batches that `work` sends from a thread of its own.
    pub(crate) fn new(
        schema: SchemaRef,
        on_error: OnError,
        account: SharedAccount,
        work: impl FnOnce(SyncSender<Message>) + Send + 'static,
    ) -> Self {
        Self {
            schema,
            begin: Some(Box::new(move || begin(work))),
            receiver: Mutex::new(None),
            process: 0,
            on_error,
            account,
            trouble: Trouble::default(),
            follower: None,
            is_silent: false,
            token: None,
        }
    }

    /// Makes the stream end with an exception that a file object has met.
    pub(crate) fn troubled_by(self, trouble: Trouble) -> Self {
        Self { trouble, ..self }
    }

    /// Reports the progress to a function.
    pub(crate) fn followed_by(self, follower: Option<Py<PyAny>>) -> Self {
        Self { follower, ..self }
    }

    /// Reports nothing to anyone.
    pub(crate) fn in_silence(self) -> Self {
        Self {
            on_error: OnError::Collect,
            follower: None,
            is_silent: true,
            ..self
        }
    }

    /// The records of the documents of `inputs`.
    pub(crate) fn from_documents<R: DocumentRecord>(
        inputs: AllInputs,
        plan: Plan<R>,
        account: SharedAccount,
    ) -> Self {
        let schema = schema(&plan.selection, plan.texts);
        Self::new(schema, plan.on_error, account, move |sender| {
            read(inputs, &plan, sender);
        })
    }

    /// The next batch. The GIL is released while waiting for it.
    pub(crate) fn next_batch(&mut self) -> Result<Option<RecordBatch>, Failure> {
        let next = self.advance();
        if !matches!(next, Ok(Some(_))) {
            self.close();
        }
        next.inspect_err(|failure| {
            let failure = Python::try_attach(|py| failure.exception(py));
            lock(&self.account).failure = failure;
        })
    }

    fn advance(&mut self) -> Result<Option<RecordBatch>, Failure> {
        if let Some(begin) = self.begin.take() {
            let token = lock(&self.account).begin();
            self.token = Some(token.ok_or_else(|| {
                let reason = "another thread is reading these records";
                Failure::Python(PyRuntimeError::new_err(reason))
            })?);
            self.process = process::id();
            self.receiver = Mutex::new(Some(begin()));
        } else if self.process != process::id() {
            let reason = "this reading was begun by another process: request the records again";
            return Err(Failure::Python(PyRuntimeError::new_err(reason)));
        }
        loop {
            let message = self.wait()?;
            if let Some(exception) = self.trouble.exception() {
                // What was read ends where the file object failed, and looks complete.
                return Err(Failure::Python(exception));
            }
            match message {
                None => return Ok(None),
                Some(Message::Batch(batch)) => return Ok(Some(batch)),
                Some(Message::WithoutHtml(records)) => {
                    lock(&self.account).without_html += records.total();
                    if let Some(text) = without_html(&records) {
                        self.log(&text)?;
                    }
                }
                Some(Message::Noted(text)) => self.log(&text)?,
                Some(Message::Read(progress)) => self.tell(progress)?,
                Some(Message::Summary(numbers)) => {
                    lock(&self.account).summary = Some(numbers);
                }
                Some(Message::Unread(error)) => self.unread(error)?,
                Some(Message::Refused(reason)) => {
                    return Err(Failure::Python(PyValueError::new_err(reason)));
                }
                Some(Message::Broken(error)) => {
                    lock(&self.account).errors.push(error.clone());
                    return Err(Failure::Read(error));
                }
            }
        }
    }

    /// The next message; `None` at the end. Signals are handled while waiting.
    fn wait(&self) -> Result<Option<Message>, Failure> {
        let receiver = &self.receiver;
        let receive = || match &*lock(receiver) {
            Some(receiver) => receiver.recv_timeout(PATIENCE),
            None => Err(RecvTimeoutError::Disconnected),
        };
        loop {
            // Threads that read a file object need the GIL.
            match Python::try_attach(|py| py.detach(receive)) {
                Some(Ok(message)) => return Ok(Some(message)),
                Some(Err(RecvTimeoutError::Timeout)) => {
                    if let Some(signal) = Python::try_attach(handle_signals) {
                        signal.map_err(Failure::Python)?;
                    }
                }
                Some(Err(RecvTimeoutError::Disconnected)) | None => return Ok(None),
            }
        }
    }

    fn unread(&self, error: ReadError) -> Result<(), Failure> {
        lock(&self.account).errors.push(error.clone());
        if error.interruption.is_some() {
            return Err(Failure::Read(error));
        }
        match self.on_error {
            OnError::Raise if error.kind.is_loss() => Err(Failure::Read(error)),
            OnError::Warn => Python::attach(|py| warn(py, &error)).map_err(Failure::Python),
            OnError::Collect | OnError::Raise => Ok(()),
        }
    }

    /// Logs what is worth knowing, though nothing is lost by it.
    fn log(&self, text: &str) -> Result<(), Failure> {
        if self.is_silent {
            return Ok(());
        }
        let log = |py: Python<'_>| {
            let logger = logger(py)?;
            logger.call_method1("info", ("%s", text)).map(|_| ())
        };
        Python::attach(log).map_err(Failure::Python)
    }

    fn tell(&self, progress: Progress) -> Result<(), Failure> {
        let Some(follower) = &self.follower else {
            return Ok(());
        };
        let Progress {
            documents,
            rows,
            bytes,
        } = progress;
        let result = Python::attach(|py| follower.call1(py, (documents, rows, bytes)));
        result.map(|_| ()).map_err(Failure::Python)
    }

    /// Ends the threads: nothing more is wanted.
    fn close(&mut self) {
        *lock(&self.receiver) = None;
        self.token = None;
    }
}

/// Runs Python's signal handlers; the handler of an interrupt raises an exception.
fn handle_signals(py: Python<'_>) -> PyResult<()> {
    py.check_signals()
}

fn logger(py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
    py.import("logging")?
        .call_method1("getLogger", ("baseref",))
}

/// Whether the log has a listener; otherwise nothing is logged.
pub(crate) fn is_logged(py: Python<'_>) -> PyResult<bool> {
    /// `logging.INFO`
    const INFO: u8 = 20;
    let logger = logger(py)?;
    logger.call_method1("isEnabledFor", (INFO,))?.extract()
}

/// The number of records and members without HTML, by kind.
fn without_html(skipped: &Skipped) -> Option<String> {
    let kinds = skipped.by_type().chain(skipped.members());
    let kinds: Vec<String> = kinds
        .map(|(kind, number)| format!("{number} {kind}"))
        .collect();
    let total = skipped.total();
    (total > 0).then(|| {
        format!(
            "records or members without HTML: {total} ({})",
            kinds.join(", ")
        )
    })
}

fn io_error(reason: String) -> ArrowError {
    ArrowError::IoError(reason.clone(), std::io::Error::other(reason))
}

/// An interrupt that a consumer of Arrow cannot pass on is raised once it returns.
fn interrupt_again(py: Python<'_>, error: &PyErr) {
    if error.is_instance_of::<PyKeyboardInterrupt>(py) {
        // If this fails the consumer still raises an error.
        let _ = py
            .import("_thread")
            .and_then(|thread| thread.call_method0("interrupt_main"));
    }
}

fn warn(py: Python<'_>, error: &ReadError) -> PyResult<()> {
    let category = py.import("baseref._errors")?.getattr("ReadWarning")?;
    let category = category.cast_into().unwrap_or_else(|_| {
        // Only if the package is incomplete.
        py.get_type::<PyUserWarning>()
            .into_any()
            .cast_into()
            .expect("a class is an object")
    });
    let text = std::ffi::CString::new(error.to_string().replace('\0', "\u{fffd}"))?;
    PyErr::warn(py, &category, &text, 2)
}

impl Iterator for Stream {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.next_batch().map_err(Failure::into_arrow).transpose()
    }
}

impl RecordBatchReader for Stream {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }
}

/// Starts the thread that works.
fn begin(work: impl FnOnce(SyncSender<Message>) + Send + 'static) -> Receiver<Message> {
    let (sender, receiver) = sync_channel(WAITING);
    let failed = sender.clone();
    let guarded = move || {
        let origin = || Origin::new("the reading");
        let of_work = sender.clone();
        if let Err(fault) = guard::guarded(origin, || work(of_work)) {
            // An error can no longer be reported.
            let _ = sender.send(Message::Broken(fault));
        }
    };
    let thread = thread::Builder::new().name("baseref".to_owned());
    if let Err(error) = thread.spawn(guarded) {
        let origin = Origin::new("the reading");
        let error = ReadError::from_io(origin, error);
        // There is room: nothing was sent before.
        let _ = failed.send(Message::Broken(error));
    }
    receiver
}

/// Reads everything on the plan's number of threads.
fn read<R: DocumentRecord>(inputs: AllInputs, plan: &Plan<R>, sender: SyncSender<Message>) {
    let sink = Batches {
        sender,
        joiner: Joiner::new(schema(&plan.selection, plan.texts), plan.batch_bytes),
        is_closed: false,
        progress: plan.is_followed.then(Progress::default),
        reported: 0,
    };
    let columns = Columns::new(&plan.selection, plan.texts);
    let work = |piece: Piece, buffer: &mut ResultBuffer<'_, Batches>| {
        work_off(piece, plan, &columns, buffer);
    };
    let mut sink = ordered(inputs, plan.jobs, work, sink);
    sink.flush();
    sink.tell(0);
}

/// The results of consecutive pieces.
#[derive(Default)]
struct Results {
    found: Vec<StreamItem>,
    /// The rows after them, of any number of documents.
    rows: Rows,
    progress: Progress,
}

enum StreamItem {
    Batch(SizedBatch),
    Message(Message),
}

impl Results {
    fn say(&mut self, message: Message) {
        self.end_batch();
        self.found.push(StreamItem::Message(message));
    }

    fn end_batch(&mut self) {
        match self.rows.finish() {
            Ok(batch) => self.found.extend(batch.map(StreamItem::Batch)),
            Err(error) => {
                let origin = Origin::new("the reading");
                let error = ReadError::new(ReadErrorKind::Fault, origin, error.to_string());
                self.found.push(StreamItem::Message(Message::Broken(error)));
            }
        }
    }
}

/// Joins small batches to the wanted size, and sends them on.
struct Batches {
    sender: SyncSender<Message>,
    joiner: Joiner,
    is_closed: bool,
    /// How much has been read, if somebody wants to know.
    progress: Option<Progress>,
    /// The bytes that they know of.
    reported: u64,
}

impl Batches {
    fn send(&mut self, message: Message) {
        self.is_closed = self.is_closed || self.sender.send(message).is_err();
    }

    fn push(&mut self, batch: SizedBatch) {
        let joined = self.joiner.push(batch);
        self.send_all(joined);
    }

    fn flush(&mut self) {
        let joined = self.joiner.flush();
        self.send_all(joined);
    }

    /// Tells how much has been read, if there is that much news.
    fn tell(&mut self, least: u64) {
        if let Some(progress) = self.progress
            && progress.bytes >= self.reported + least
        {
            self.reported = progress.bytes;
            self.send(Message::Read(progress));
        }
    }

    fn send_all(&mut self, batches: Vec<RecordBatch>) {
        for batch in batches {
            self.send(Message::Batch(batch));
        }
    }
}

impl Sink for Batches {
    type Results = Results;

    fn take(&mut self, results: &mut Results) {
        results.end_batch();
        for found in results.found.drain(..) {
            match found {
                StreamItem::Batch(batch) => self.push(batch),
                StreamItem::Message(message) => {
                    // Rows read earlier are sent first.
                    if !matches!(message, Message::WithoutHtml(_) | Message::Noted(_)) {
                        self.flush();
                    }
                    self.send(message);
                }
            }
        }
        let more = std::mem::take(&mut results.progress);
        if let Some(progress) = &mut self.progress {
            progress.add(more);
            self.tell(STEP);
        }
    }

    fn is_closed(&self) -> bool {
        self.is_closed
    }
}

/// Reads a piece into batches of at most the wanted size plus one row.
fn work_off<R: DocumentRecord>(
    piece: Piece,
    plan: &Plan<R>,
    columns: &Columns<R>,
    buffer: &mut ResultBuffer<'_, Batches>,
) {
    let results = &mut buffer.results;
    let entity = match piece {
        Piece::Entity(entity) => entity,
        Piece::Unread(error) => return results.say(Message::Unread(error)),
        Piece::Skipped(records) => {
            let records = Message::WithoutHtml(records);
            return results.found.push(StreamItem::Message(records));
        }
    };
    let options = match entity.kind {
        EntityKind::Message { .. } => &plan.message_options,
        _ => &plan.options,
    };
    results.progress.bytes += entity.bytes.len() as u64;
    let mut resolver = DocumentResolver::new(plan.policy);
    baseref_reader::read::documents(
        entity,
        options,
        &mut |found: baseref_document::ReadResult| match found {
            Err(error) => buffer.results.say(Message::Unread(error)),
            Ok(document) => resolver.documents(&document).for_each(|document_links| {
                let document_links = &document_links;
                let mut appended = buffer.results.rows.begin_document();
                let opening = Opening {
                    archives: plan.unwrap_archive,
                    wrappers: R::wrappers(&plan.selection),
                    by_final: false,
                };
                R::rows(document_links, opening, &mut |row| {
                    let results = &mut buffer.results;
                    results.progress.rows += 1;
                    if appended.is_ok() {
                        appended = columns.append(row, &mut results.rows);
                    }
                    if results.rows.bytes() >= plan.batch_bytes {
                        results.end_batch();
                        buffer.flush();
                    }
                });
                buffer.results.progress.documents += 1;
                if plan.is_logged {
                    let notes = remarks(document_links)
                        .map(|note| StreamItem::Message(Message::Noted(note)));
                    buffer.results.found.extend(notes);
                }
                for error in losses(document_links) {
                    buffer.results.say(Message::Unread(error));
                }
                if let Err(error) = appended {
                    let origin = document_links.document().origin.clone();
                    let error = ReadError::new(ReadErrorKind::Limit, origin, error.to_string());
                    buffer.results.say(Message::Broken(error));
                }
            }),
        },
    );
}

/// The notes on a document that tell of no loss, in words.
fn remarks<'e>(document_links: &'e DocumentLinks<'_>) -> impl Iterator<Item = String> + 'e {
    let document = document_links.document();
    let origin = &document.origin;
    let notes = document.notes.iter().chain(document_links.notes());
    let of_document = notes.filter(|note| !note.code.is_loss()).map(move |note| {
        let (code, detail) = (note.code.as_str(), &note.detail);
        match note.line {
            Some(line) => format!("{origin}:{line}: {code}: {detail}"),
            None => format!("{origin}: {code}: {detail}"),
        }
    });
    let of_base = document_links.base_report().notes.iter();
    let of_base = of_base.filter(|note| !note.code().is_loss());
    of_document
        .chain(of_base.map(move |note| format!("{origin}: {}: {note}", note.code().as_str())))
}

/// What the notes on a document say is lost: the command line counts it as unread.
fn losses(document_links: &DocumentLinks<'_>) -> Vec<ReadError> {
    let document = document_links.document();
    let notes = document.notes.iter().chain(document_links.notes());
    let of_document = notes.filter(|note| note.code.is_loss()).map(|note| {
        let reason = format!("{}: {}", note.code.as_str(), note.detail);
        let line = note.line.map(|line| u64::from(line.get()));
        (reason, line)
    });
    let of_base = document_links.base_report().notes.iter();
    let of_base = of_base.filter(|note| note.code().is_loss());
    let of_base = of_base.map(|note| (format!("{}: {note}", note.code().as_str()), None));
    let lost = of_document.chain(of_base).map(|(reason, line)| {
        ReadError::new(ReadErrorKind::Limit, document.origin.clone(), reason).at_line(line)
    });
    lost.collect()
}
