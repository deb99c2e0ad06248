//! The types of records: what to read for them, and the rows of a document.

use std::sync::LazyLock;

use baseref_document::ReadOptions;
use baseref_document::link_places::Classes;
use baseref_reader::links::DocumentLinks;
use baseref_report::bases::{BaseRow, Bases};
use baseref_report::column::{Record, Selection};
use baseref_report::links::{LinkRow, Links, Opening, each_row};
use baseref_unwrap::Unwrapper;
use pyo3::prelude::*;

use crate::options::{self, Options};

/// A record type with rows for documents.
pub(crate) trait DocumentRecord: Record + Sized {
    /// The requested columns.
    fn selection(options: &Options) -> PyResult<Selection<Self>>;

    /// What opens the wrappers around URLs, if these columns need it.
    fn wrappers(_: &Selection<Self>) -> Option<&'static Unwrapper> {
        None
    }

    /// What must be read for them.
    fn read_options(options: &Options, selection: &Selection<Self>) -> PyResult<ReadOptions>;

    /// What must be read from a message for them.
    fn message_options(options: &ReadOptions) -> ReadOptions {
        options.clone()
    }

    /// Passes on the rows of a document.
    fn rows(
        document_links: &DocumentLinks<'_>,
        opening: Opening<'_>,
        each: &mut dyn for<'r> FnMut(&Self::Row<'r>),
    );
}

impl DocumentRecord for Links {
    fn selection(options: &Options) -> PyResult<Selection<Self>> {
        options::link_selection(options.fields.as_deref())
    }

    fn wrappers(selection: &Selection<Self>) -> Option<&'static Unwrapper> {
        static KNOWN: LazyLock<Unwrapper> = LazyLock::new(Unwrapper::default);
        selection.needs_unwrapping().then(|| &*KNOWN)
    }

    fn read_options(options: &Options, selection: &Selection<Self>) -> PyResult<ReadOptions> {
        options.for_links(selection)
    }

    fn rows(
        document_links: &DocumentLinks<'_>,
        opening: Opening<'_>,
        each: &mut dyn for<'r> FnMut(&LinkRow<'r>),
    ) {
        let doc = document_links.document().origin.to_string();
        each_row(document_links, &doc, opening, each);
    }
}

impl DocumentRecord for Bases {
    fn selection(options: &Options) -> PyResult<Selection<Self>> {
        options.bases_selection()
    }

    fn read_options(options: &Options, _: &Selection<Self>) -> PyResult<ReadOptions> {
        options.for_bases()
    }

    /// The notes on a message report which references to its parts lead nowhere.
    fn message_options(options: &ReadOptions) -> ReadOptions {
        options.clone().with_classes(Classes::IN_HTML)
    }

    fn rows(
        document_links: &DocumentLinks<'_>,
        _: Opening<'_>,
        each: &mut dyn for<'r> FnMut(&BaseRow<'r>),
    ) {
        let doc = document_links.document().origin.to_string();
        each(&BaseRow {
            doc: &doc,
            document_links,
        });
    }
}
