//! The tables of columns that drive every output of a record.

use std::borrow::Cow;
use std::fmt::{self, Write};

/// A record type: the data of a row, and its columns.
pub trait Record: 'static {
    /// The data that the cells of one row are taken from.
    type Row<'r>;

    /// The value of `type` in JSON Lines.
    const TYPE: &'static str;

    /// Every column, in the order of JSON Lines.
    const COLUMNS: &'static [Column<Self>];

    /// How columns are written that are next to each other, and present unless others were chosen.
    const TOGETHER: &'static [Together<Self>] = &[];

    /// What determines the cells of a column, if many rows of one document share it.
    #[must_use]
    fn follows_from(_column: &str) -> Option<Shared> {
        None
    }

    /// An identifier for a row's value of `shared`: rows of one document with the same identifier
    /// have the same cells. `None` if this row shares it with no other.
    fn number_of(_row: &Self::Row<'_>, _shared: Shared) -> Option<usize> {
        None
    }
}

/// What rows of one document may share, so that cells determined by it need not be formatted again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shared {
    /// The document itself.
    Document,
    /// The base.
    Base,
    /// The link place.
    LinkPlace,
}

/// One column of a record type: the only place that knows its name, type and meaning.
pub struct Column<R: Record + ?Sized> {
    /// The name in JSON and in the header line of CSV and TSV; never changes once released.
    pub name: &'static str,
    /// The type of its cells.
    pub kind: CellKind,
    /// When it is written.
    pub presence: Presence,
    /// What it holds, in one sentence, for the documentation and `--help`.
    pub doc: &'static str,
    /// The cell of a row.
    pub get: for<'r, 'a> fn(&'r R::Row<'a>) -> Cell<'r>,
    /// Writes the cell of a row as a member of a JSON object; without it, what `get` returns is written.
    pub write: Option<WriteMember<R>>,
}

/// Consecutive columns whose members of a JSON object are written by one function.
pub struct Together<R: Record + ?Sized> {
    /// The names of the columns. Each has [`Column::write`].
    pub columns: &'static [&'static str],
    /// Appends their members, each after a comma, as if columns had not been chosen.
    pub write: WriteMembers<R>,
}

/// Appends cells of a row as members of a JSON object, each after a comma.
pub type WriteMembers<R> = for<'r, 'a> fn(&'r <R as Record>::Row<'a>, &mut Vec<u8>);

impl<R: Record + ?Sized> fmt::Debug for Together<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Together").field(&self.columns).finish()
    }
}

/// Appends the cell of a row as a member of a JSON object, after a comma. The second argument is whether
/// the column was chosen.
pub type WriteMember<R> = for<'r, 'a> fn(&'r <R as Record>::Row<'a>, bool, &mut Vec<u8>);

impl<R: Record + ?Sized> Column<R> {
    /// A column of texts, present in every row.
    #[must_use]
    pub const fn text(
        name: &'static str,
        doc: &'static str,
        get: for<'r, 'a> fn(&'r R::Row<'a>) -> Cell<'r>,
    ) -> Self {
        Self::always(name, CellKind::Text, doc, get)
    }

    /// A column present in every row.
    #[must_use]
    pub const fn always(
        name: &'static str,
        kind: CellKind,
        doc: &'static str,
        get: for<'r, 'a> fn(&'r R::Row<'a>) -> Cell<'r>,
    ) -> Self {
        Self::new(name, kind, Presence::Always, doc, get)
    }

    /// A column that is written only if it was chosen.
    #[must_use]
    pub const fn on_request(
        name: &'static str,
        kind: CellKind,
        doc: &'static str,
        get: for<'r, 'a> fn(&'r R::Row<'a>) -> Cell<'r>,
    ) -> Self {
        Self::new(name, kind, Presence::OnRequest, doc, get)
    }

    /// A column present only in rows that have a value.
    #[must_use]
    pub const fn where_known(
        name: &'static str,
        kind: CellKind,
        doc: &'static str,
        get: for<'r, 'a> fn(&'r R::Row<'a>) -> Cell<'r>,
    ) -> Self {
        Self::new(name, kind, Presence::WhereKnown, doc, get)
    }

    const fn new(
        name: &'static str,
        kind: CellKind,
        presence: Presence,
        doc: &'static str,
        get: for<'r, 'a> fn(&'r R::Row<'a>) -> Cell<'r>,
    ) -> Self {
        Self {
            name,
            kind,
            presence,
            doc,
            get,
            write: None,
        }
    }
}

impl<R: Record + ?Sized> fmt::Debug for Column<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Column").field(&self.name).finish()
    }
}

impl<R: Record + ?Sized> Clone for Column<R> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<R: Record + ?Sized> Copy for Column<R> {}

/// The type of a column's cells. Any cell can also be null or absent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CellKind {
    /// Text.
    Text,
    /// A non-negative number.
    Number,
    /// True or false.
    Bool,
    /// A half-open range of numbers: an array of two in JSON, the columns `NAME_start` and
    /// `NAME_end` elsewhere.
    Range,
    /// Any number of texts: an array in JSON, elsewhere one cell with one text per line.
    List,
    /// A text for each of these names: an object in JSON, elsewhere a column for each, prefixed
    /// with `NAME_`.
    Fields(&'static [&'static str]),
    /// Nested records: an array of objects in JSON, no column elsewhere.
    Records,
}

/// When a column is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Presence {
    /// In every row, unless columns were chosen; null without a value.
    Always,
    /// By default a cell without a value is left out of a JSON object. If the column was chosen it
    /// is null instead.
    WhereKnown,
    /// Like [`Self::WhereKnown`], but left out even if the column was chosen: null and absent mean
    /// different things here.
    AbsentOrNull,
    /// Only if the column was chosen.
    OnRequest,
}

impl Presence {
    /// Whether a JSON object leaves out a cell that is absent, given whether the column was chosen.
    pub(crate) const fn is_left_out(self, is_chosen: bool) -> bool {
        match self {
            Self::AbsentOrNull => true,
            Self::Always | Self::WhereKnown | Self::OnRequest => !is_chosen,
        }
    }
}

/// One value of a row.
#[derive(Debug)]
pub enum Cell<'r> {
    /// The column does not apply to the row.
    Absent,
    /// The column applies, but has no value.
    Null,
    /// Unescaped text: escaping is up to the writer.
    Text(Cow<'r, str>),
    /// A number.
    Number(u64),
    /// True or false.
    Bool(bool),
    /// `[start, end)`.
    Range(u64, u64),
    /// The texts of a list or of fields.
    Texts(Vec<Option<Cow<'r, str>>>),
    /// Records, already written as a JSON array.
    Records(Vec<u8>),
}

impl<'r> Cell<'r> {
    /// A text.
    #[must_use]
    pub fn text(text: impl Into<Cow<'r, str>>) -> Self {
        Self::Text(text.into())
    }

    /// Copies what the value borrows.
    #[must_use]
    pub fn into_owned(self) -> Cell<'static> {
        let owned = |text: Cow<'r, str>| Cow::Owned(text.into_owned());
        match self {
            Self::Absent => Cell::Absent,
            Self::Null => Cell::Null,
            Self::Text(text) => Cell::Text(owned(text)),
            Self::Number(number) => Cell::Number(number),
            Self::Bool(value) => Cell::Bool(value),
            Self::Range(start, end) => Cell::Range(start, end),
            Self::Texts(texts) => {
                Cell::Texts(texts.into_iter().map(|text| text.map(owned)).collect())
            }
            Self::Records(array) => Cell::Records(array),
        }
    }

    /// A text, or null.
    #[must_use]
    pub fn text_or_null(text: Option<&'r str>) -> Self {
        text.map_or(Self::Null, Self::text)
    }

    /// A number, or null.
    #[must_use]
    pub fn number_or_null(number: Option<impl Into<u64>>) -> Self {
        number.map_or(Self::Null, |number| Self::Number(number.into()))
    }
}

/// Which columns of a record are written, and how a cell without a value is written.
#[derive(Debug)]
pub struct Selection<R: Record> {
    /// The columns, in order.
    pub columns: Vec<Column<R>>,
    /// Whether the user chose them, so that every row has all of them.
    pub chosen: bool,
}

impl<R: Record> Clone for Selection<R> {
    fn clone(&self) -> Self {
        Self {
            columns: self.columns.clone(),
            chosen: self.chosen,
        }
    }
}

impl<R: Record> Default for Selection<R> {
    /// Every column but those on request.
    fn default() -> Self {
        let by_default = |column: &&Column<R>| column.presence != Presence::OnRequest;
        Self {
            columns: R::COLUMNS.iter().filter(by_default).copied().collect(),
            chosen: false,
        }
    }
}

impl<R: Record> Selection<R> {
    /// Parses a comma-separated list of names, in that order; `+NAME` adds to the default columns.
    ///
    /// # Errors
    /// The first name that is not a column's, or that is repeated.
    pub fn parse(list: &str) -> Result<Self, UnknownColumn> {
        let mut names = list.split(',').map(str::trim).peekable();
        let mut selection = Self {
            columns: Vec::new(),
            chosen: true,
        };
        if names.peek().is_some_and(|first| first.starts_with('+')) {
            selection.columns = Self::default().columns;
        }
        for name in names {
            let name = name.strip_prefix('+').unwrap_or(name);
            let column = R::COLUMNS.iter().find(|column| column.name == name);
            let column = column.ok_or_else(|| UnknownColumn(name.to_owned()))?;
            if !selection.columns.iter().any(|known| known.name == name) {
                selection.columns.push(*column);
            }
        }
        Ok(selection)
    }
}

/// A name that is not a column's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownColumn(pub String);

/// The columns of a record as a Markdown table for the documentation.
#[must_use]
pub fn markdown<R: Record>() -> String {
    let mut table = String::from("| field | type | what |\n|---|---|---|\n");
    for column in R::COLUMNS {
        let kind = match column.kind {
            CellKind::Text => "text",
            CellKind::Number => "number",
            CellKind::Bool => "boolean",
            CellKind::Range => "range",
            CellKind::List | CellKind::Records => "array",
            CellKind::Fields(_) => "object",
        };
        let name = column.name;
        let doc = column.doc;
        let request = match column.presence {
            Presence::OnRequest => " (on request)",
            Presence::Always | Presence::WhereKnown | Presence::AbsentOrNull => "",
        };
        writeln!(table, "| `{name}`{request} | {kind} | {doc} |")
            .expect("a String takes every write");
    }
    table
}
