//! Converts the keyword arguments of the functions to library values.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use baseref_container::Format;
use baseref_document::ReadOptions;
use baseref_document::link_places::{Class, Classes};
use baseref_reader::Policy;
use baseref_report::arrow::Texts;
use baseref_report::bases::Bases;
use baseref_report::column::{Record, Selection};
use baseref_report::links::Links;
use baseref_resolve::Rules;
use encoding_rs::Encoding;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// The keyword arguments as given.
#[derive(Debug, FromPyObject)]
#[pyo3(from_item_all)]
#[expect(clippy::struct_excessive_bools, reason = "independent keywords")]
pub(crate) struct Options {
    pub links: String,
    pub comments: bool,
    pub unwrap_archive: bool,
    pub fields: Option<String>,
    pub url: Option<String>,
    pub url_map: BTreeMap<PathBuf, String>,
    pub saved_from: String,
    pub resolver: String,
    pub strict: bool,
    pub input: String,
    pub encoding: Option<String>,
    pub jobs: usize,
    pub range: Option<(u64, u64, Option<u64>)>,
    pub name: Option<String>,
    /// Whether the user named the source; otherwise it was found in a directory.
    pub named: bool,
    pub on_error: String,
    pub dictionaries: bool,
    pub batch_bytes: usize,
    /// The size of the source, if a listing says so.
    pub size: Option<u64>,
    /// What is called with how much has been read.
    pub progress: Option<Py<PyAny>>,
}

/// What to do about errors; they are collected in any case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OnError {
    /// Nothing more.
    Collect,
    /// Ends the reading with an exception.
    Raise,
    /// A warning.
    Warn,
}

impl OnError {
    pub(crate) fn named(name: &str) -> PyResult<Self> {
        match name {
            "collect" => Ok(Self::Collect),
            "raise" => Ok(Self::Raise),
            "warn" => Ok(Self::Warn),
            other => Err(unknown("on_error", other, &["collect", "raise", "warn"])),
        }
    }
}

pub(crate) fn unknown(option: &str, value: &str, known: &[&str]) -> PyErr {
    let known = known.join(", ");
    PyValueError::new_err(format!("{option}: `{value}` is not one of {known}"))
}

/// The rule set of that name.
pub(crate) fn rules(name: &str) -> PyResult<Rules> {
    let found = Rules::ALL.into_iter().find(|rules| rules.as_str() == name);
    found.ok_or_else(|| unknown("resolver", name, &Rules::ALL.map(Rules::as_str)))
}

/// The format of that name; `None` for `auto`.
pub(crate) fn format(name: &str) -> PyResult<Option<Format>> {
    if name == "auto" {
        return Ok(None);
    }
    let known: Vec<_> = Format::ALL.iter().map(|row| row.name).collect();
    let found = Format::ALL.iter().find(|row| row.name == name);
    let found = found.ok_or_else(|| unknown("input", name, &known))?;
    Ok(Some(found.format))
}

pub(crate) fn classes(list: &str) -> PyResult<Classes> {
    list.split(',')
        .try_fold(Classes::default(), |classes, name| match name.trim() {
            "all" => Ok(Classes::ALL),
            "anchors" => Ok(classes.with(Class::Anchor)),
            name => {
                let class = Class::ALL.into_iter().find(|class| class.as_str() == name);
                let class = class.ok_or_else(|| {
                    let known = Class::ALL.map(Class::as_str).join(", ");
                    unknown("links", name, &["all", "anchors", &known])
                })?;
                Ok(classes.with(class))
            }
        })
}

/// The columns of links; by default the columns of JSON Lines and `entity_offset`.
pub(crate) fn link_selection(fields: Option<&str>) -> PyResult<Selection<Links>> {
    const DEFAULT: &str = "+entity_offset";
    match fields {
        None => selection(DEFAULT),
        Some(more) if more.trim_start().starts_with('+') => selection(&format!("{DEFAULT},{more}")),
        Some(fields) => selection(fields),
    }
}

fn selection<R: Record>(fields: &str) -> PyResult<Selection<R>> {
    Selection::parse(fields).map_err(|unknown| {
        let known: Vec<&str> = R::COLUMNS.iter().map(|column| column.name).collect();
        self::unknown("fields", &unknown.0, &known)
    })
}

/// A URL that documents can have been retrieved from.
fn absolute(url: &str) -> PyResult<String> {
    baseref_resolve::resolve(Rules::Rfc1808, None, url).map_err(|_| {
        PyValueError::new_err(format!(
            "url: `{url}` is not absolute, such as http://host/path"
        ))
    })
}

impl Options {
    pub(crate) fn policy(&self) -> PyResult<Policy> {
        Ok(Policy::default()
            .with_rules(rules(&self.resolver)?)
            .with_strict(self.strict)
            .with_marks(self.marks()?))
    }

    pub(crate) fn marks(&self) -> PyResult<bool> {
        match self.saved_from.as_str() {
            "off" => Ok(false),
            "auto" => Ok(true),
            other => Err(unknown("saved_from", other, &["off", "auto"])),
        }
    }

    fn encoding(&self) -> PyResult<Option<&'static Encoding>> {
        encoding(self.encoding.as_deref())
    }

    /// What to read from documents for these columns of their links.
    pub(crate) fn for_links(&self, selection: &Selection<Links>) -> PyResult<ReadOptions> {
        let options = ReadOptions::default()
            .with_classes(classes(&self.links)?)
            .with_marks(self.marks()?)
            .with_comments(self.comments)
            .with_encoding(self.encoding()?);
        Ok(selection.needed(options))
    }

    /// What to read from documents for their bases.
    pub(crate) fn for_bases(&self) -> PyResult<ReadOptions> {
        Ok(ReadOptions::default()
            .with_classes(Classes::default())
            .with_text(false)
            .with_positions(false)
            .with_marks(true)
            .with_encoding(self.encoding()?))
    }

    pub(crate) fn bases_selection(&self) -> PyResult<Selection<Bases>> {
        self.fields
            .as_deref()
            .map_or(Ok(Selection::default()), selection)
    }

    pub(crate) fn url(&self) -> PyResult<Option<String>> {
        self.url.as_deref().map(absolute).transpose()
    }

    pub(crate) fn url_map(&self) -> PyResult<Vec<(PathBuf, String)>> {
        let map = self.url_map.iter();
        map.map(|(directory, url)| Ok((directory.clone(), absolute(url)?)))
            .collect()
    }

    /// What to call with the progress of a reading.
    pub(crate) fn follower(&self, py: Python<'_>) -> Option<Py<PyAny>> {
        self.progress
            .as_ref()
            .map(|follower| follower.clone_ref(py))
    }

    pub(crate) fn on_error(&self) -> PyResult<OnError> {
        OnError::named(&self.on_error)
    }

    pub(crate) fn jobs(&self) -> NonZeroUsize {
        jobs(self.jobs)
    }

    pub(crate) fn texts(&self) -> Texts {
        texts(self.dictionaries)
    }
}

/// The encoding of that label.
pub(crate) fn encoding(label: Option<&str>) -> PyResult<Option<&'static Encoding>> {
    let Some(label) = label else {
        return Ok(None);
    };
    let found = Encoding::for_label(label.as_bytes());
    let unknown =
        || PyValueError::new_err(format!("encoding: no encoding has the label `{label}`"));
    found.map(Some).ok_or_else(unknown)
}

/// The number of threads; 0 stands for one per core.
pub(crate) fn jobs(number: usize) -> NonZeroUsize {
    let all = std::thread::available_parallelism();
    NonZeroUsize::new(number).unwrap_or_else(|| all.unwrap_or(NonZeroUsize::MIN))
}

pub(crate) fn texts(dictionaries: bool) -> Texts {
    if dictionaries {
        Texts::Dictionary
    } else {
        Texts::Plain
    }
}
