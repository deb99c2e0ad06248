//! Where bytes come from: a path, bytes, or a file object.

use std::fs::File;
use std::io::Cursor;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use baseref_container::split::{self, Split};
use baseref_container::{Contents, Format, Input, Reader, maildir};
use baseref_document::Origin;
use baseref_document::{Interruption, Limits, ReadError, ReadErrorKind};
use baseref_files::Files;
use baseref_run as run;
use baseref_walk::{FileInput, Inputs, Opening, RetrievalUrls, Walk};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;

use crate::file::{FileObject, PyFile};
use crate::trouble::{Trouble, path_error};

/// The end of a range that extends to the end of its file, even if the file grows.
const END: u64 = i64::MAX.cast_unsigned();

/// The `source` argument.
pub(crate) enum Source {
    Path(PathBuf),
    Bytes(PyBackedBytes),
    File(FileObject),
    /// Files, each with whether the user named it.
    Files(Arc<[(PathBuf, bool)]>),
}

/// Facts about a source besides its bytes.
pub(crate) struct SourceInfo {
    /// Its name, if it differs from the name of the source.
    pub name: Option<String>,
    /// Whether the user named it; otherwise it was found in a directory.
    pub named: bool,
    pub format: Option<Format>,
    pub url: Option<String>,
    pub url_map: Vec<(PathBuf, String)>,
    pub marks: bool,
    pub split: Option<Split>,
    /// Its size in bytes, if a listing says so.
    pub size: Option<u64>,
    /// Keeps an exception of a file object.
    pub trouble: Trouble,
}

impl Default for SourceInfo {
    fn default() -> Self {
        Self {
            name: None,
            named: true,
            format: None,
            url: None,
            url_map: Vec::new(),
            marks: false,
            split: None,
            size: None,
            trouble: Trouble::default(),
        }
    }
}

impl SourceInfo {
    /// Where files were retrieved from.
    fn retrieval(&self) -> RetrievalUrls {
        let mut urls = RetrievalUrls::new(self.url.clone());
        for (directory, url) in &self.url_map {
            // The keys of a mapping are distinct, unless two are spellings of one path: then the
            // first one wins.
            let _ = urls.add_map(directory, url.clone());
        }
        urls.with_marks(self.marks)
    }
}

impl Source {
    /// The source for another reading, from its initial position.
    pub(crate) fn again(&self, py: Python<'_>) -> Self {
        match self {
            Self::Path(path) => Self::Path(path.clone()),
            Self::Bytes(bytes) => Self::Bytes(bytes.clone_ref(py)),
            Self::Files(files) => Self::Files(Arc::clone(files)),
            Self::File(file) => Self::File(file.again(py)),
        }
    }

    /// Whether another reading leaves it, and who reads it, as they are.
    pub(crate) fn has_preview(&self) -> bool {
        !matches!(self, Self::File(_))
    }

    /// A missing file immediately raises an exception, instead of being one error among others.
    pub(crate) fn check(&self) -> PyResult<()> {
        match self {
            Self::Path(path) => match path.metadata() {
                Ok(_) => Ok(()),
                Err(error) => Err(path_error(&error, path)),
            },
            Self::Bytes(_) | Self::File(_) | Self::Files(_) => Ok(()),
        }
    }

    fn name(&self, py: Python<'_>) -> String {
        match self {
            Self::Path(path) => path.to_string_lossy().into_owned(),
            Self::Bytes(_) | Self::Files(_) => "-".to_owned(),
            Self::File(file) => {
                let name = file.file.getattr(py, "name").ok();
                let name = name.and_then(|name| name.extract::<String>(py).ok());
                name.unwrap_or_else(|| "-".to_owned())
            }
        }
    }

    /// The source as one input.
    pub(crate) fn input(self, py: Python<'_>, info: &SourceInfo) -> PyResult<Input> {
        let name = info.name.clone().unwrap_or_else(|| self.name(py));
        let path = match &self {
            Self::Path(path) => Some(path.clone()),
            Self::Bytes(_) | Self::File(_) | Self::Files(_) => None,
        };
        let reader = match self {
            Self::Path(path) => {
                let file = File::open(&path);
                Reader::File(file.map_err(|error| path_error(&error, &path))?)
            }
            Self::Bytes(bytes) => Reader::Seekable(Box::new(Cursor::new(bytes))),
            Self::File(file) => {
                let size = info.size.or_else(|| size_of(file.file.bind(py)));
                let is_seekable = file.start.is_some();
                let trouble = info.trouble.clone();
                let file = PyFile::new(file, &name, trouble).with_size(size);
                let end = info
                    .split
                    .as_ref()
                    .map_or(u64::MAX, |split| split.range.end);
                if is_seekable {
                    Reader::Seekable(Box::new(file.wanted_until(end)))
                } else {
                    Reader::Stream(Box::new(file))
                }
            }
            Self::Files(_) => return Err(PyTypeError::new_err("several files are not one input")),
        };
        Ok(assembled(reader, name, path.as_deref(), info.named, info))
    }

    /// The inputs of the source: the files of a directory, or itself.
    pub(crate) fn inputs(self, py: Python<'_>, info: SourceInfo) -> PyResult<AllInputs> {
        match self {
            Self::Path(path) if info.split.is_none() && info.name.is_none() => {
                let opening = Opening {
                    format: info.format,
                    retrieval: info.retrieval(),
                    ..Opening::default()
                };
                let inputs = Inputs::new(vec![path], Walk::default(), Arc::new(opening));
                Ok(Box::new(inputs.map(|input| input.map(AnyInput::File))))
            }
            Self::Files(files) => {
                let info = Arc::new(info);
                let later = (0..files.len()).map(move |number| {
                    let (path, named) = files[number].clone();
                    let info = Arc::clone(&info);
                    Ok(AnyInput::DeferredFile(DeferredFile { path, named, info }))
                });
                Ok(Box::new(later))
            }
            Self::Path(path) if path.is_dir() => Err(PyValueError::new_err(
                "a directory has neither a range nor another name",
            )),
            one => {
                let input = one.input(py, &info)?;
                // What is not seekable can still be read from its start to its end.
                let is_needed = |split: &Split| {
                    !matches!(input.reader, Reader::Stream(_)) || split.range != (0..END)
                };
                let split = info.split.filter(is_needed);
                let input = AnyInput::One(Box::new(input), split);
                Ok(Box::new(std::iter::once(Ok(input))))
            }
        }
    }
}

/// An input of that name, which is a file if it has a path.
fn assembled(
    reader: Reader,
    name: String,
    path: Option<&Path>,
    named: bool,
    info: &SourceInfo,
) -> Input {
    let retrieval = info.retrieval();
    let size = match &reader {
        Reader::File(file) => file.metadata().ok().map(|metadata| metadata.len()),
        _ => None,
    };
    let is_maildir = path.is_some_and(maildir::is_file);
    let called = info.name.as_deref().map(Path::new);
    Input {
        size,
        format: info
            .format
            .or_else(|| is_maildir.then_some(Format::Maildir)),
        format_of_name: Format::from_name(name.as_ref()),
        named,
        declarations: retrieval.declarations(path.or(called), &Files::default()),
        name: name.into(),
        reader,
    }
}

/// A file of several, which is opened when it is its turn.
pub(crate) struct DeferredFile {
    path: PathBuf,
    named: bool,
    info: Arc<SourceInfo>,
}

impl DeferredFile {
    fn name(&self) -> String {
        self.path.to_string_lossy().into_owned()
    }

    fn open(self) -> Result<Contents, ReadError> {
        let name = self.name();
        let file = File::open(&self.path).map_err(|error| {
            let origin = Origin::new(name.clone());
            let mut unread = ReadError::new(ReadErrorKind::Io, origin, error.to_string());
            unread.interruption = Some(Interruption::by(&error));
            unread
        })?;
        let reader = Reader::File(file);
        let input = assembled(reader, name, Some(&self.path), self.named, &self.info);
        // Its entities are identified like the entities of a split file.
        let all = Split::anywhere(0..u64::MAX);
        split::open(input, &all, &Limits::default())
    }
}

/// The size of a file object: declared by an attribute (fsspec) or a method (Arrow), or asked of the
/// system for a file that Python opened.
fn size_of(file: &Bound<'_, PyAny>) -> Option<u64> {
    let Ok(size) = file.getattr("size") else {
        return size_on_disk(file).ok().flatten();
    };
    if size.is_callable() {
        return size.call0().ok()?.extract().ok();
    }
    size.extract().ok()
}

/// The size of a regular file behind an object of `open()`. What decompresses has the number of its
/// file too, but is of another class.
fn size_on_disk(file: &Bound<'_, PyAny>) -> PyResult<Option<u64>> {
    let py = file.py();
    let (io, os) = (py.import("io")?, py.import("os")?);
    let is_of = |object: &Bound<'_, PyAny>, class: &str| {
        let class = io.getattr(class)?;
        PyResult::Ok(object.get_type().is(&class))
    };
    let is_buffered = is_of(file, "BufferedReader")? || is_of(file, "BufferedRandom")?;
    let raw = if is_buffered {
        file.getattr("raw")?
    } else {
        file.clone()
    };
    if !is_of(&raw, "FileIO")? {
        return Ok(None);
    }
    let found = os.call_method1("fstat", (raw.call_method0("fileno")?,))?;
    let mode = found.getattr("st_mode")?;
    let is_regular = py
        .import("stat")?
        .call_method1("S_ISREG", (mode,))?
        .is_truthy()?;
    is_regular
        .then(|| found.getattr("st_size")?.extract())
        .transpose()
}

/// Inputs that can be opened on other threads.
pub(crate) type AllInputs = Box<dyn Iterator<Item = Result<AnyInput, ReadError>> + Send>;

/// An input of any of these kinds.
pub(crate) enum AnyInput {
    File(FileInput),
    One(Box<Input>, Option<Split>),
    DeferredFile(DeferredFile),
}

impl run::Input for AnyInput {
    fn origin(&self) -> Origin {
        match self {
            Self::File(file) => file.origin(),
            Self::One(input, _) => Origin::new(input.name.clone()),
            Self::DeferredFile(file) => Origin::new(file.name()),
        }
    }

    fn may_wait(&self) -> bool {
        match self {
            Self::File(file) => file.may_wait(),
            Self::One(..) | Self::DeferredFile(_) => true,
        }
    }

    fn open(self) -> Result<Contents, ReadError> {
        let limits = Limits::default();
        match self {
            Self::File(file) => file.open(),
            Self::DeferredFile(file) => file.open(),
            Self::One(input, None) => baseref_container::open(*input, &limits),
            Self::One(input, Some(split)) => split::open(*input, &split, &limits),
        }
    }
}
