//! One row of a batch as a lightweight object: values are converted on access.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{Int32Type, Int64Type};
use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_schema::DataType;
use pyo3::exceptions::{PyAttributeError, PyTypeError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString, PyTuple};

/// A batch of rows.
pub(crate) struct Batch {
    cells: RecordBatch,
    /// The names of its columns, interned.
    names: Vec<Py<PyString>>,
}

impl Batch {
    pub(crate) fn new(py: Python<'_>, cells: RecordBatch) -> Self {
        let names = cells.schema_ref().fields().iter();
        let names = names.map(|field| PyString::intern(py, field.name()).unbind());
        Self {
            names: names.collect(),
            cells,
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.cells.num_rows()
    }

    fn column(&self, name: &Bound<'_, PyString>) -> PyResult<Option<&ArrayRef>> {
        // Names in programs are interned.
        if let Some(number) = self.names.iter().position(|known| known.is(name)) {
            return Ok(Some(self.cells.column(number)));
        }
        Ok(self.cells.column_by_name(&name.to_cow()?))
    }
}

/// A row: each column is an attribute.
#[pyclass(frozen, module = "baseref")]
pub(crate) struct Row(Values);

/// The values of a row.
enum Values {
    /// The values of the row of this number in a batch.
    Of(Arc<Batch>, usize),
    /// The values of a row that was pickled.
    Stored(Py<PyDict>),
}

impl Row {
    /// The row of that number in a batch.
    pub(crate) fn from_batch(batch: Arc<Batch>, row: usize) -> Self {
        Self(Values::Of(batch, row))
    }
}

#[pymethods]
impl Row {
    #[new]
    fn new(columns: Bound<'_, PyDict>) -> Self {
        Self(Values::Stored(columns.unbind()))
    }

    /// A column, or else what every object has. `__getattr__` would be asked for a column only after an
    /// exception was raised for want of it, which takes longer than its value.
    fn __getattribute__<'py>(
        slf: &Bound<'py, Self>,
        name: &Bound<'py, PyString>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = slf.py();
        let found = match &slf.get().0 {
            Values::Of(batch, row) => batch
                .column(name)?
                .map(|column| cell(py, column, *row))
                .transpose()?,
            Values::Stored(columns) => columns.bind(py).get_item(name)?,
        };
        if let Some(found) = found {
            return Ok(found);
        }
        let object = py.get_type::<PyAny>();
        let found = object.call_method1(intern!(py, "__getattribute__"), (slf, name));
        found.map_err(|error| {
            if error.is_instance_of::<PyAttributeError>(py) {
                PyAttributeError::new_err(format!("no column `{name}`"))
            } else {
                error
            }
        })
    }

    /// The columns and their values, in order.
    #[pyo3(name = "_asdict")]
    fn as_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let (batch, row) = match &self.0 {
            Values::Of(batch, row) => (batch, *row),
            Values::Stored(columns) => return columns.bind(py).copy(),
        };
        let all = PyDict::new(py);
        for (name, column) in batch.names.iter().zip(batch.cells.columns()) {
            all.set_item(name, cell(py, column, row)?)?;
        }
        Ok(all)
    }

    fn __dir__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        Ok(self.as_dict(py)?.keys())
    }

    /// Rows are equal that have the same columns and values.
    fn __eq__(&self, py: Python<'_>, other: &Self) -> PyResult<bool> {
        self.as_dict(py)?.eq(other.as_dict(py)?)
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        // Some of the values are lists, which have no hash.
        let mut values: Vec<String> = Vec::new();
        for (name, value) in self.as_dict(py)?.iter() {
            values.push(format!("{}={}", name.str()?, value.repr()?));
        }
        values.sort_unstable();
        PyTuple::new(py, values)?.hash()
    }

    fn __reduce__<'py>(
        slf: &Bound<'py, Self>,
    ) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyDict>,))> {
        let class = slf.get_type().into_any();
        Ok((class, (slf.get().as_dict(slf.py())?,)))
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let mut shown = Vec::new();
        for (name, value) in self.as_dict(py)?.iter() {
            if !value.is_none() {
                shown.push(format!("{}={}", name.str()?, value.repr()?));
            }
        }
        Ok(format!("Row({})", shown.join(", ")))
    }
}

/// One value: text as `str`, numbers as `int`, ranges and lists as `list`, fields as `dict`, null
/// as `None`.
fn cell<'py>(py: Python<'py>, column: &dyn Array, row: usize) -> PyResult<Bound<'py, PyAny>> {
    if column.is_null(row) {
        return Ok(py.None().into_bound(py));
    }
    match column.data_type() {
        DataType::Utf8 => Ok(column
            .as_string::<i32>()
            .value(row)
            .into_pyobject(py)?
            .into_any()),
        DataType::Int64 => {
            let number = column.as_primitive::<Int64Type>().value(row);
            Ok(number.into_pyobject(py)?.into_any())
        }
        DataType::Boolean => {
            let value = column.as_boolean().value(row);
            Ok(value.into_pyobject(py)?.to_owned().into_any())
        }
        DataType::Dictionary(..) => {
            let texts = column.as_dictionary::<Int32Type>();
            let key = texts.keys().value(row);
            cell(py, texts.values(), usize::try_from(key).unwrap_or_default())
        }
        DataType::List(_) => {
            let lists = column.as_list::<i32>();
            let list = PyList::empty(py);
            for item in lists.value_offsets()[row]..lists.value_offsets()[row + 1] {
                let item = usize::try_from(item).unwrap_or_default();
                list.append(cell(py, lists.values(), item)?)?;
            }
            Ok(list.into_any())
        }
        DataType::Struct(fields) => {
            let dict = PyDict::new(py);
            for (field, column) in fields.iter().zip(column.as_struct().columns()) {
                dict.set_item(field.name(), cell(py, column, row)?)?;
            }
            Ok(dict.into_any())
        }
        other => Err(PyTypeError::new_err(format!(
            "a column of the type {other}"
        ))),
    }
}
