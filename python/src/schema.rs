//! The columns of a record type, available before a row is read.

use arrow_array::ffi::FFI_ArrowSchema;
use arrow_schema::SchemaRef;
use baseref_report::arrow::{Texts, schema};
use baseref_report::column::{Record, Selection};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict};

/// The names, types and meanings of columns, and their Arrow schema.
#[pyclass(frozen, module = "baseref")]
pub(crate) struct Schema {
    schema: SchemaRef,
    docs: Vec<(&'static str, &'static str)>,
}

impl Schema {
    pub(crate) fn new<R: Record>(selection: &Selection<R>) -> Self {
        let docs = selection.columns.iter();
        Self {
            schema: schema(selection, Texts::Plain),
            docs: docs.map(|column| (column.name, column.doc)).collect(),
        }
    }
}

/// A schema as the capsule of the Arrow `PyCapsule` interface.
pub(crate) fn capsule<'py>(
    py: Python<'py>,
    schema: &arrow_schema::Schema,
) -> PyResult<Bound<'py, PyCapsule>> {
    let schema = FFI_ArrowSchema::try_from(schema)
        .map_err(|error| PyValueError::new_err(error.to_string()))?;
    PyCapsule::new_with_value(py, schema, c"arrow_schema")
}

#[pymethods]
impl Schema {
    /// The names, in order.
    #[getter]
    fn names(&self) -> Vec<String> {
        let fields = self.schema.fields().iter();
        fields.map(|field| field.name().clone()).collect()
    }

    /// The name of each column's Arrow type, by the column's name.
    #[getter]
    fn types<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let types = PyDict::new(py);
        for field in self.schema.fields() {
            types.set_item(field.name(), field.data_type().to_string().to_lowercase())?;
        }
        Ok(types)
    }

    /// What each column holds, by its name.
    #[getter]
    fn docs<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let docs = PyDict::new(py);
        for (name, doc) in &self.docs {
            docs.set_item(name, doc)?;
        }
        Ok(docs)
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        capsule(py, &self.schema)
    }

    fn __repr__(&self) -> String {
        let fields = self.schema.fields().iter();
        let fields: Vec<String> = fields
            .map(|field| {
                format!(
                    "{}: {}",
                    field.name(),
                    field.data_type().to_string().to_lowercase()
                )
            })
            .collect();
        format!("Schema({})", fields.join(", "))
    }
}
