//! Bases as records, and the forms in which `baseref base` writes them.

use std::borrow::Cow;
use std::num::NonZeroU32;

use super::column::{Cell, CellKind, Column, Record, Selection};
use super::delimited::{self, Delimited};
use super::jsonl::{JsonLines, array};
use super::text::{push_line, push_rows, shown};
use baseref_document::{Note, NoteCode};
use baseref_reader::base::{Base, BaseNote, Candidate};
use baseref_reader::links::DocumentLinks;

/// The data of a row about the base of a document.
#[derive(Clone, Copy, Debug)]
pub struct BaseRow<'a> {
    /// The document's origin, as printed.
    pub doc: &'a str,
    /// The document with its base.
    pub document_links: &'a DocumentLinks<'a>,
}

impl<'a> BaseRow<'a> {
    pub(super) fn base(&self) -> &'a Base {
        self.document_links.base()
    }

    pub(super) fn candidates(&self) -> &'a [Candidate] {
        &self.document_links.base_report().candidates
    }

    pub(super) fn notes(&self) -> impl Iterator<Item = NoteRow<'a>> + use<'a> {
        let established = &self.document_links.base_report().notes;
        let document = &self.document_links.document().notes;
        let others = document.iter().chain(self.document_links.notes());
        let established = established.iter().map(NoteRow::Base);
        established.chain(others.map(NoteRow::Document))
    }
}

/// The data of a row about a note on a document.
#[derive(Clone, Copy, Debug)]
pub enum NoteRow<'a> {
    /// On a declaration of a base.
    Base(&'a BaseNote),
    /// Any other.
    Document(&'a Note),
}

impl<'a> NoteRow<'a> {
    pub(super) fn code(&self) -> NoteCode {
        match self {
            Self::Base(note) => note.code(),
            Self::Document(note) => note.code,
        }
    }

    pub(super) fn detail(&self) -> Cow<'a, str> {
        match self {
            Self::Base(note) => Cow::Owned(note.to_string()),
            Self::Document(note) => Cow::Borrowed(&note.detail),
        }
    }

    fn line(&self) -> Option<u32> {
        match self {
            Self::Base(_) => None,
            Self::Document(note) => note.line.map(NonZeroU32::get),
        }
    }
}

/// The record type of [`BaseRow`]s.
#[derive(Clone, Copy, Debug)]
pub struct Bases;

impl Record for Bases {
    type Row<'r> = BaseRow<'r>;

    const TYPE: &'static str = "base";

    const COLUMNS: &'static [Column<Self>] = &[
        Column::text("doc", "the document, as with `links`", |row| {
            Cell::text(row.doc)
        }),
        Column::text("base", "its base; null when there is none", |row| {
            Cell::text_or_null(row.base().url.as_deref())
        }),
        Column::text(
            "base_source",
            "the layer of that base: `element`, `header`, `retrieval` or `none`",
            |row| Cell::text(row.base().source.as_str()),
        ),
        Column::text(
            "base_at",
            "where that base is declared; null when there is none",
            |row| match &row.base().at {
                None => Cell::Null,
                Some(at) => Cell::text(at.to_string()),
            },
        ),
        Column::text(
            "resolver",
            "the rule set: `rfc1808`, `rfc3986` or `whatwg`",
            |row| Cell::text(row.document_links.policy().rules.as_str()),
        ),
        Column::text(
            "encoding",
            "the character encoding the document was read in",
            |row| Cell::text(row.document_links.document().encoding),
        ),
        Column::always(
            "candidates",
            CellKind::Records,
            "every declaration, innermost layer first",
            |row| Cell::Records(array::<Candidates>(row.candidates().iter())),
        ),
        Column::always("notes", CellKind::Records, "notes on the document", |row| {
            Cell::Records(array::<Notes>(row.notes()))
        }),
    ];
}

/// The record type of candidates for a base.
#[derive(Clone, Copy, Debug)]
pub struct Candidates;

impl Record for Candidates {
    type Row<'r> = &'r Candidate;

    const TYPE: &'static str = "candidate";

    const COLUMNS: &'static [Column<Self>] = &[
        Column::text("source", "its layer", |row| Cell::text(row.source.as_str())),
        Column::text("at", "where it is declared", |row| {
            Cell::text(row.at.to_string())
        }),
        Column::text("value", "the value as written", |row| {
            Cell::text(&*row.value)
        }),
        Column::text(
            "url",
            "the absolute URL it gives; null if there is none",
            |row| Cell::text_or_null(row.url.as_deref()),
        ),
        Column::text("verdict", "its verdict", |row| {
            Cell::text(row.verdict.as_str())
        }),
    ];
}

/// The record type of notes on a document.
#[derive(Clone, Copy, Debug)]
pub struct Notes;

impl Record for Notes {
    type Row<'r> = NoteRow<'r>;

    const TYPE: &'static str = "note";

    const COLUMNS: &'static [Column<Self>] = &[
        Column::text("code", "the kind of note", |row| {
            Cell::text(row.code().as_str())
        }),
        Column::text("detail", "the particulars, in words", |row| {
            Cell::text(row.detail())
        }),
        Column::always(
            "line",
            CellKind::Number,
            "the line it is about, from 1; null where there is none",
            |row| Cell::number_or_null(row.line()),
        ),
    ];
}

/// The forms of output of `baseref base`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BasesFormat {
    /// A table for people.
    #[default]
    Text,
    /// One JSON object per line.
    Jsonl,
    /// Comma-separated values with a header line and one line per candidate.
    Csv,
    /// Tab-separated values.
    Tsv,
}

/// Writes bases in one form.
#[derive(Debug)]
pub enum BaseWriter {
    /// See [`BasesFormat::Text`].
    Text,
    /// See [`BasesFormat::Jsonl`].
    Jsonl(JsonLines<Bases>),
    /// See [`BasesFormat::Csv`] and [`BasesFormat::Tsv`].
    Table(Delimited),
}

/// The number of columns of [`Bases`] before the columns of each candidate in CSV and TSV.
const OF_DOCUMENT: usize = 3;

impl BaseWriter {
    /// A writer.
    #[must_use]
    pub fn new(format: BasesFormat) -> Self {
        match format {
            BasesFormat::Text => Self::Text,
            BasesFormat::Jsonl => Self::Jsonl(JsonLines::new(&Selection::default())),
            BasesFormat::Csv => Self::Table(Delimited::Csv),
            BasesFormat::Tsv => Self::Table(Delimited::Tsv),
        }
    }

    /// Writes what precedes the first document.
    pub fn begin(&self, out: &mut Vec<u8>) {
        if let Self::Table(form) = self {
            let document = delimited::names(&Bases::COLUMNS[..OF_DOCUMENT]);
            form.header(document.chain(delimited::names(Candidates::COLUMNS)), out);
        }
    }

    /// The base of one document. CSV and TSV have a line per candidate, or a single line if there
    /// is none.
    pub fn record(&self, row: &BaseRow<'_>, out: &mut Vec<u8>) {
        match self {
            Self::Text => table(row, out),
            Self::Jsonl(lines) => lines.record(row, out),
            Self::Table(form) => {
                let columns = &Bases::COLUMNS[..OF_DOCUMENT];
                for candidate in row.candidates() {
                    let candidate = &candidate;
                    let candidate = delimited::cells(Candidates::COLUMNS, candidate);
                    form.line(delimited::cells(columns, row).chain(candidate), out);
                }
                if row.candidates().is_empty() {
                    let none = Candidates::COLUMNS
                        .iter()
                        .map(|column| (column.kind, Cell::Null));
                    form.line(delimited::cells(columns, row).chain(none), out);
                }
            }
        }
    }

    /// Writes what follows the last document.
    pub fn end(&self, _out: &mut Vec<u8>) {}
}

/// Writes a document's base as a table: the base, then every candidate with its verdict.
fn table(row: &BaseRow<'_>, out: &mut Vec<u8>) {
    let mut table = String::new();
    let base = row.base();
    let base = match &base.at {
        None => "none".to_owned(),
        Some(at) => format!(
            "{}  ({}: {at})",
            base.url.as_deref().unwrap_or_default(),
            base.source.as_str()
        ),
    };
    push_line(&mut table, &format!("{}: {base}", row.doc));
    let mut rows = vec![["", "layer", "place", "value", "verdict"].map(Cow::Borrowed)];
    rows.extend(row.candidates().iter().map(|candidate| {
        [
            Cow::Borrowed(""),
            Cow::Borrowed(candidate.source.as_str()),
            Cow::Owned(shown(&candidate.at.to_string()).into_owned()),
            shown(&candidate.value),
            Cow::Borrowed(candidate.verdict.as_str()),
        ]
    }));
    if rows.len() > 1 {
        push_rows(&mut table, &rows);
    }
    for note in row.notes() {
        push_line(
            &mut table,
            &format!("  note: {}: {}", note.code().as_str(), note.detail()),
        );
    }
    out.extend_from_slice(table.as_bytes());
}
