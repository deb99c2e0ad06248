//! References without a document as records, and the output formats of `baseref resolve`.

use std::borrow::Cow;

use super::column::{Cell, CellKind, Column, Record, Selection};
use super::jsonl::JsonLines;
use super::text::{Style, line, push_rows, shown};
use baseref_resolve::{ResolveError, Rules};

/// One reference, resolved by one rule set.
#[derive(Clone, Copy, Debug)]
pub struct ResolvedRow<'a> {
    /// The base as given; may be empty (RFC 1808 §3.4).
    pub base: &'a str,
    /// The reference as given.
    pub raw: &'a str,
    /// The rule set.
    pub rules: Rules,
    /// The resolved URL, or why there is none.
    pub url: Result<&'a str, ResolveError>,
}

/// The record type of [`ResolvedRow`]s.
#[derive(Clone, Copy, Debug)]
pub struct Resolved;

impl Record for Resolved {
    type Row<'r> = ResolvedRow<'r>;

    const TYPE: &'static str = "resolve";

    const COLUMNS: &'static [Column<Self>] = &[
        Column::text("base", "the base as given", |row| Cell::text(row.base)),
        Column::text("raw", "the reference as given", |row| Cell::text(row.raw)),
        Column::text(
            "url",
            "the resolved URL; null exactly when `error` is not",
            |row| Cell::text_or_null(row.url.ok()),
        ),
        Column::text(
            "error",
            "why there is no URL, as with `links`, or null",
            |row| Cell::text_or_null(row.url.err().map(ResolveError::as_str)),
        ),
        Column::text("resolver", "the rule set", |row| {
            Cell::text(row.rules.as_str())
        }),
    ];
}

/// One reference, resolved by every rule set.
#[derive(Clone, Copy, Debug)]
pub struct ComparedRow<'a> {
    /// The base as given; may be empty (RFC 1808 §3.4).
    pub base: &'a str,
    /// The reference as given.
    pub raw: &'a str,
    /// The URL under each of [`Rules::ALL`], in that order.
    pub urls: [Option<&'a str>; Rules::ALL.len()],
}

impl ComparedRow<'_> {
    /// Whether the URLs are not all the same.
    #[must_use]
    pub fn differ(&self) -> bool {
        let [first, second, third] = self.urls;
        first != second || second != third
    }
}

/// The record type of [`ComparedRow`]s.
#[derive(Clone, Copy, Debug)]
pub struct Compared;

impl Record for Compared {
    type Row<'r> = ComparedRow<'r>;

    const TYPE: &'static str = "compare";

    const COLUMNS: &'static [Column<Self>] = &[
        Column::text("base", "the base as given", |row| Cell::text(row.base)),
        Column::text("raw", "the reference as given", |row| Cell::text(row.raw)),
        Column::text(
            "rfc1808",
            "the URL under RFC 1808; null where there is none",
            |row| Cell::text_or_null(row.urls[0]),
        ),
        Column::text(
            "rfc3986",
            "the URL under RFC 3986; null where there is none",
            |row| Cell::text_or_null(row.urls[1]),
        ),
        Column::text(
            "whatwg",
            "the URL under the URL Standard; null where there is none",
            |row| Cell::text_or_null(row.urls[2]),
        ),
        Column::always("differ", CellKind::Bool, "whether they differ", |row| {
            Cell::Bool(row.differ())
        }),
    ];
}

/// The output formats of `baseref resolve`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ResolveFormat {
    /// One resolved URL per line, empty if there is none; a table when rule sets are compared.
    #[default]
    Url,
    /// One JSON object per line.
    Jsonl,
}

/// Writes references in one format.
#[derive(Debug)]
pub enum ResolveWriter {
    /// See [`ResolveFormat::Url`].
    Url(Style),
    /// See [`ResolveFormat::Jsonl`].
    Jsonl(JsonLines<Resolved>),
}

impl ResolveWriter {
    /// A writer.
    #[must_use]
    pub fn new(format: ResolveFormat, style: Style) -> Self {
        match format {
            ResolveFormat::Url => Self::Url(style),
            ResolveFormat::Jsonl => Self::Jsonl(JsonLines::new(&Selection::default())),
        }
    }

    /// One reference.
    pub fn record(&self, row: &ResolvedRow<'_>, out: &mut Vec<u8>) {
        match self {
            Self::Url(style) => line(row.url.unwrap_or_default(), *style, out),
            Self::Jsonl(lines) => lines.record(row, out),
        }
    }
}

/// Writes the results of every rule set, all at once, since a table's widths are known last.
pub fn compared(format: ResolveFormat, rows: &[ComparedRow<'_>], out: &mut Vec<u8>) {
    match format {
        ResolveFormat::Url => table(rows, out),
        ResolveFormat::Jsonl => {
            let lines = JsonLines::<Compared>::new(&Selection::default());
            for row in rows {
                lines.record(row, out);
            }
        }
    }
}

/// Writes the results of every rule set side by side; `!` marks rows that differ.
fn table(compared: &[ComparedRow<'_>], out: &mut Vec<u8>) {
    let mut rows = vec![["", "reference", "rfc1808", "rfc3986", "whatwg"].map(Cow::Borrowed)];
    rows.extend(compared.iter().map(|row| {
        let [rfc1808, rfc3986, whatwg] = row.urls.map(|url| shown(url.unwrap_or("-")));
        let mark = if row.differ() { "!" } else { "" };
        [
            Cow::Borrowed(mark),
            shown(row.raw),
            rfc1808,
            rfc3986,
            whatwg,
        ]
    }));
    let mut table = String::new();
    push_rows(&mut table, &rows);
    out.extend_from_slice(table.as_bytes());
}
