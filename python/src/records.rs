//! Records, read as an Arrow stream or one by one.

use std::num::NonZeroU64;
use std::sync::{Arc, Mutex};

use arrow_array::RecordBatchReader;
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_schema::SchemaRef;
use baseref_container::split::Split;
use baseref_report::arrow::schema;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyList};

use crate::errors;
use crate::lock::lock;
use crate::options::{self, Options};
use crate::record::DocumentRecord;
use crate::row::{Batch, Row};
use crate::schema;
use crate::source::{Source, SourceInfo};
use crate::stream::{Plan, SharedAccount, Stream, is_logged};
use crate::trouble::Trouble;

/// Begins a reading, which is accounted for there.
type Start = dyn Fn(Python<'_>, SharedAccount) -> PyResult<Stream> + Send + Sync;

/// The records of a source. Nothing is read before they are requested; each request reads the
/// source again.
#[pyclass(frozen, module = "baseref")]
pub(crate) struct Records {
    start: Box<Start>,
    schema: SchemaRef,
    account: SharedAccount,
    /// The source, except for checks.
    pub source: Option<Arc<Source>>,
    /// For an audit that lists links.
    pub links: Option<Py<Records>>,
    /// Whether a few rows can be shown without using up the source, or reading much of it.
    has_preview: bool,
}

impl Records {
    pub(crate) fn new<R: DocumentRecord>(source: Source, options: Options) -> PyResult<Self> {
        source.check()?;
        let selection = R::selection(&options)?;
        let read_options = R::read_options(&options, &selection)?;
        let plan = Plan {
            message_options: R::message_options(&read_options),
            options: read_options,
            policy: options.policy()?,
            unwrap_archive: options.unwrap_archive,
            texts: options.texts(),
            jobs: options.jobs(),
            batch_bytes: options.batch_bytes.max(1),
            on_error: options.on_error()?,
            is_logged: false,
            is_followed: options.progress.is_some(),
            selection,
        };
        let (format, marks) = (options::format(&options.input)?, options.marks()?);
        let (url, url_map) = (options.url()?, options.url_map()?);
        let account = SharedAccount::default();
        let schema = schema(&plan.selection, plan.texts);
        let has_preview = source.has_preview();
        let source = Arc::new(source);
        let of_start = Arc::clone(&source);
        let start = move |py: Python<'_>, account: SharedAccount| {
            let trouble = Trouble::default();
            let info = SourceInfo {
                name: options.name.clone(),
                named: options.named,
                format,
                url: url.clone(),
                url_map: url_map.clone(),
                marks,
                split: options.range.map(|(start, end, line)| Split {
                    range: start..end,
                    line: line.and_then(NonZeroU64::new),
                }),
                size: options.size,
                trouble: trouble.clone(),
            };
            let inputs = of_start.again(py).inputs(py, info)?;
            let plan = Plan {
                is_logged: is_logged(py)?,
                ..plan.clone()
            };
            let stream = Stream::from_documents(inputs, plan, account).troubled_by(trouble);
            Ok(stream.followed_by(options.follower(py)))
        };
        let records = Self::from_start(start, schema, account);
        Ok(Self {
            source: Some(source),
            has_preview,
            ..records
        })
    }

    /// Records that `start` begins to read.
    pub(crate) fn from_start(
        start: impl Fn(Python<'_>, SharedAccount) -> PyResult<Stream> + Send + Sync + 'static,
        schema: SchemaRef,
        account: SharedAccount,
    ) -> Self {
        Self {
            start: Box::new(start),
            schema,
            account,
            source: None,
            links: None,
            has_preview: false,
        }
    }

    /// Begins a reading.
    fn begin(&self, py: Python<'_>) -> PyResult<Stream> {
        (self.start)(py, Arc::clone(&self.account))
    }

    fn rows(stream: Stream) -> Rows {
        Rows {
            state: Mutex::new(State {
                stream,
                batch: None,
                row: 0,
            }),
        }
    }
}

#[pymethods]
impl Records {
    /// The records as an Arrow stream (the Arrow `PyCapsule` interface).
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // The interface leaves it to the producer whether it can serve another schema.
        drop(requested_schema);
        let reader: Box<dyn RecordBatchReader + Send> = Box::new(self.begin(py)?);
        let stream = FFI_ArrowArrayStream::new(reader);
        PyCapsule::new_with_value(py, stream, c"arrow_array_stream")
    }

    /// The schema of the stream.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        schema::capsule(py, &self.schema)
    }

    fn __iter__(&self, py: Python<'_>) -> PyResult<Rows> {
        Ok(Self::rows(self.begin(py)?))
    }

    /// The errors of the latest reading so far, in input order.
    #[getter]
    fn errors<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let found = lock(&self.account).errors.clone();
        let list = PyList::empty(py);
        for error in &found {
            list.append(errors::object(py, error)?)?;
        }
        Ok(list)
    }

    /// How many archive records held no HTML in the latest reading so far.
    #[getter]
    fn without_html(&self) -> u64 {
        lock(&self.account).without_html
    }

    /// The totals of the latest complete reading of a check: the last line of JSON Lines, and the `lines`
    /// that the command line prints. `None` for records other than findings.
    #[getter]
    fn summary<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let Some(numbers) = lock(&self.account).summary.clone() else {
            return Ok(None);
        };
        let summary = py.import("json")?.call_method1("loads", (numbers.json,))?;
        summary.set_item("lines", numbers.lines)?;
        Ok(Some(summary))
    }

    /// Every link of an audit that lists links, broken or not; `None` for other records.
    #[getter]
    fn links(&self, py: Python<'_>) -> Option<Py<Records>> {
        self.links.as_ref().map(|links| links.clone_ref(py))
    }

    /// How many inputs and parts could not be read in the latest reading so far, or were read only
    /// in part: what the command line counts, and ends with exit code 3 for.
    #[getter]
    fn unread(&self) -> usize {
        let account = lock(&self.account);
        let lost = account.errors.iter().filter(|error| error.kind.is_loss());
        lost.count()
    }

    /// The exception that ended the latest reading, for consumers of Arrow, which lose it.
    #[getter]
    fn _failure(&self, py: Python<'_>) -> Option<PyErr> {
        let account = lock(&self.account);
        account.failure.as_ref().map(|error| error.clone_ref(py))
    }

    /// The function that writes the records to a Parquet file with pyarrow.
    ///
    /// It is a value, as the other ways to convert records are, so that no frame of this library is
    /// below what it calls: `PyO3` would assume the GIL to be held there, though pyarrow releases
    /// it.
    #[getter]
    fn to_parquet<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        consumer(slf, "to_parquet")
    }

    /// The function that makes a table of pyarrow.
    #[getter]
    fn to_arrow<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        consumer(slf, "to_arrow")
    }

    /// The function that makes a data frame of pandas.
    #[getter]
    fn to_pandas<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        consumer(slf, "to_pandas")
    }

    /// The function that makes a data frame of Polars.
    #[getter]
    fn to_polars<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        consumer(slf, "to_polars")
    }

    /// The names of the columns.
    #[getter]
    fn _names(&self) -> Vec<String> {
        let fields = self.schema.fields().iter();
        fields.map(|field| field.name().clone()).collect()
    }

    /// The first rows, of a reading that leaves no trace here; `None` where that would use up a
    /// file object, or judge a whole tree.
    fn _preview(&self, py: Python<'_>) -> PyResult<Option<Rows>> {
        if !self.has_preview {
            return Ok(None);
        }
        let stream = (self.start)(py, SharedAccount::default())?;
        Ok(Some(Self::rows(stream.in_silence())))
    }

    /// The first rows as a table, for a notebook.
    fn _repr_html_<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        consumer(slf, "to_html")?.call0()
    }

    fn __repr__(&self) -> String {
        let kind = self
            .schema
            .metadata()
            .get("type")
            .map_or("", String::as_str);
        format!("<baseref.Records: {kind}s>")
    }
}

/// A function of `baseref._consumers` for these records.
fn consumer<'py>(records: &Bound<'py, Records>, name: &str) -> PyResult<Bound<'py, PyAny>> {
    let py = records.py();
    let function = py.import("baseref._consumers")?.getattr(name)?;
    let partial = py.import("functools")?.getattr("partial")?;
    partial.call1((function, records))
}

/// The rows of one reading.
#[pyclass(frozen, module = "baseref")]
pub(crate) struct Rows {
    state: Mutex<State>,
}

struct State {
    stream: Stream,
    batch: Option<Arc<Batch>>,
    row: usize,
}

impl State {
    fn next(&mut self, py: Python<'_>) -> PyResult<Option<Row>> {
        loop {
            if let Some(batch) = &self.batch
                && self.row < batch.len()
            {
                self.row += 1;
                return Ok(Some(Row::from_batch(Arc::clone(batch), self.row - 1)));
            }
            self.row = 0;
            let next = self.stream.next_batch();
            let next = next.map_err(|failure| failure.into_exception(py))?;
            self.batch = next.map(|batch| Arc::new(Batch::new(py, batch)));
            if self.batch.is_none() {
                return Ok(None);
            }
        }
    }
}

#[pymethods]
impl Rows {
    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Row>> {
        let Ok(mut state) = self.state.try_lock() else {
            return Err(PyRuntimeError::new_err("another thread is reading"));
        };
        state.next(py)
    }
}
