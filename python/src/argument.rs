//! The `source` argument of Python as a [`Source`].

use std::path::PathBuf;

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList, PyString};

use crate::file::FileObject;
use crate::records::Records;
use crate::source::Source;
use crate::turn::Turn;

impl<'py> FromPyObject<'_, 'py> for Source {
    type Error = PyErr;

    fn extract(source: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        if source.is_instance_of::<PyBytes>() {
            return Ok(Self::Bytes(source.extract()?));
        }
        if let Ok(records) = source.cast::<Records>()
            && let Some(of_records) = &records.get().source
        {
            return Ok(of_records.again(source.py()));
        }
        if source.is_instance_of::<PyString>() || source.hasattr("__fspath__")? {
            return Ok(Self::Path(source.extract()?));
        }
        if source.is_instance_of::<PyList>() {
            // Only the package itself gives several files, each with whether it was named.
            if let Ok(files) = source.extract::<Vec<(PathBuf, bool)>>() {
                return Ok(Self::Files(files.into()));
            }
        }
        if !source.hasattr("read")? {
            let name = source.get_type().name()?;
            return Err(PyTypeError::new_err(format!(
                "source must be a path, bytes or a binary file object, not {name}"
            )));
        }
        if !source
            .call_method1("read", (0,))?
            .is_instance_of::<PyBytes>()
        {
            return Err(PyTypeError::new_err(
                "the file object must be opened in binary mode",
            ));
        }
        let is_seekable =
            source.hasattr("seekable")? && source.call_method0("seekable")?.is_truthy()?;
        let start = if is_seekable {
            Some(source.call_method0("tell")?.extract()?)
        } else {
            None
        };
        Ok(Self::File(FileObject {
            file: source.to_owned().unbind(),
            start,
            turn: Turn::new(),
        }))
    }
}
