//! Takes keyword arguments from a mapping, and names the one that is of a wrong type.

use pyo3::exceptions::{PyOverflowError, PyTypeError, PyValueError};
use pyo3::prelude::*;

/// How the derived conversions begin what they say, followed by `Struct.field`.
const FIELD: &str = "failed to extract field ";

/// The keyword arguments in `given`.
///
/// # Errors
/// `TypeError` or, for a number out of range, `ValueError`, with the name of the argument first.
pub(crate) fn taken<'py, T>(given: &Bound<'py, PyAny>) -> PyResult<T>
where
    T: for<'a> FromPyObject<'a, 'py, Error = PyErr>,
{
    given
        .extract::<T>()
        .map_err(|error| named(given.py(), error))
}

fn named(py: Python<'_>, error: PyErr) -> PyErr {
    let text = error.value(py).to_string();
    let field = text
        .strip_prefix(FIELD)
        .and_then(|place| place.rsplit('.').next());
    let (Some(field), Some(cause)) = (field, error.cause(py)) else {
        return error;
    };
    let field = field.trim_end_matches('_');
    let reason = format!("{field}: {}", cause.value(py));
    if cause.is_instance_of::<PyOverflowError>(py) {
        PyValueError::new_err(reason)
    } else {
        PyTypeError::new_err(reason)
    }
}
