//! The compiled part of the Python package `baseref`: sources in, Arrow batches out.

mod argument;
mod checks;
mod command;
mod errors;
mod file;
mod keywords;
mod lock;
mod options;
mod record;
mod records;
mod row;
mod schema;
mod source;
mod stream;
mod trouble;
mod turn;

use pyo3::prelude::*;

/// What references are resolved against.
#[derive(FromPyObject)]
enum Bases {
    /// All against one, or none.
    One(Option<String>),
    /// Each against its own.
    Each(Vec<Option<String>>),
}

impl Bases {
    /// The base of the reference with this number.
    fn url(&self, number: usize) -> Option<&str> {
        match self {
            Self::One(base) => base.as_deref(),
            Self::Each(bases) => bases.get(number)?.as_deref(),
        }
    }
}

/// The functions and classes behind the package.
#[pymodule]
mod _baseref {
    use std::ffi::OsString;
    use std::num::NonZeroU64;

    use baseref_container::split;
    use baseref_report::column::Selection;
    use baseref_report::links::Links;
    use baseref_run::guard;
    use pyo3::exceptions::PyValueError;
    use pyo3::prelude::*;

    use super::Bases;
    use crate::checks;
    use crate::command;
    use crate::errors;
    use crate::keywords::taken;
    use crate::options;
    #[pymodule_export]
    use crate::records::Records;
    #[pymodule_export]
    use crate::row::Row;
    #[pymodule_export]
    use crate::schema::Schema;
    use crate::source::{Source, SourceInfo};
    use crate::stream::Failure;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        // The hook belongs to this library alone.
        guard::report_only_unguarded_panics();
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }

    /// The links of a source; see `baseref.links`.
    #[pyfunction]
    fn links(source: Source, options: &Bound<'_, PyAny>) -> PyResult<Records> {
        Records::new::<Links>(source, taken(options)?)
    }

    /// The bases of the documents of a source; see `baseref.bases`.
    #[pyfunction]
    fn bases(source: Source, options: &Bound<'_, PyAny>) -> PyResult<Records> {
        Records::new::<baseref_report::bases::Bases>(source, taken(options)?)
    }

    /// What is wrong with the links of saved trees; see `baseref.audit`.
    #[pyfunction]
    fn audit(asked: &Bound<'_, PyAny>, judging: &Bound<'_, PyAny>) -> PyResult<Records> {
        checks::audit(taken(asked)?, taken(judging)?)
    }

    /// What a move does to the links of a tree; see `baseref.verify_move`.
    #[pyfunction]
    fn verify_move(asked: &Bound<'_, PyAny>, judging: &Bound<'_, PyAny>) -> PyResult<Records> {
        checks::verify_move(taken(asked)?, taken(judging)?)
    }

    /// Runs the command with its arguments, and gives its exit code; see `baseref._command`.
    #[pyfunction]
    fn _run(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
        py.detach(|| command::run(arguments))
    }

    /// The byte ranges into which a source can be divided: `(start, end, line)`.
    #[pyfunction]
    fn splits(
        py: Python<'_>,
        source: Source,
        max_bytes: u64,
        input: &str,
        name: Option<String>,
    ) -> PyResult<Vec<(u64, u64, Option<u64>)>> {
        let most = NonZeroU64::new(max_bytes)
            .ok_or_else(|| PyValueError::new_err("max_bytes must be at least 1"))?;
        let info = SourceInfo {
            name,
            format: options::format(input)?,
            ..SourceInfo::default()
        };
        let limits = baseref_document::Limits::default();
        let input = source.input(py, &info)?;
        let origin = baseref_document::Origin::new(input.name.clone());
        let found = py.detach(|| guard::guarded(|| origin, || split::splits(input, most, &limits)));
        let found = found.and_then(|found| found);
        if let Some(exception) = info.trouble.exception() {
            return Err(exception);
        }
        let splits = found.map_err(|error| Failure::Read(error).into_exception(py))?;
        let triple = |split: split::Split| {
            let line = split.line.map(NonZeroU64::get);
            (split.range.start, split.range.end, line)
        };
        Ok(splits.into_iter().map(triple).collect())
    }

    /// What references resolve to; `None` if there is none, or no URL. See `baseref.resolve`.
    #[pyfunction]
    fn resolve(
        py: Python<'_>,
        base: Bases,
        refs: Vec<Option<String>>,
        rules: &str,
    ) -> PyResult<Vec<Option<String>>> {
        let rules = options::rules(rules)?;
        if let Bases::Each(bases) = &base
            && bases.len() != refs.len()
        {
            let (bases, references) = (bases.len(), refs.len());
            let reason = format!("{bases} bases for {references} references");
            return Err(PyValueError::new_err(reason));
        }
        let resolved = move |(number, reference): (usize, Option<String>)| {
            let base = base.url(number).filter(|base| !base.is_empty());
            baseref_resolve::resolve(rules, base, &reference?).ok()
        };
        let all = || refs.into_iter().enumerate().map(resolved).collect();
        let origin = || baseref_document::Origin::new("resolve");
        let resolved = py.detach(|| guard::guarded(origin, all));
        resolved.map_err(|error| errors::exception(py, &error))
    }

    /// The schema of the links, with the columns of `fields`.
    #[pyfunction]
    fn link_schema(fields: Option<&str>) -> PyResult<Schema> {
        Ok(Schema::new(&options::link_selection(fields)?))
    }

    /// The schema of the bases.
    #[pyfunction]
    fn base_schema() -> Schema {
        Schema::new(&Selection::<baseref_report::bases::Bases>::default())
    }

    /// Panics inside the guard around every reader, for the tests.
    #[pyfunction]
    fn _panic(py: Python<'_>) -> PyResult<()> {
        let origin = || baseref_document::Origin::new("panic");
        let result: Result<(), _> = guard::guarded(origin, || panic!("on request"));
        result.map_err(|error| errors::exception(py, &error))
    }
}
