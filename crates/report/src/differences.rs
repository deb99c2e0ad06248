//! Links that differ between two trees as records, and the output formats of `baseref diff`.

use std::io::{self, Write};

use super::column::{Cell, CellKind, Column, Record, Selection};
use super::delimited::{Delimited, Table};
use super::difference_groups::DifferenceLines;
use super::jsonl::JsonLines;
use baseref_findings::{Difference, Side};

/// The record type of [`Difference`]s.
#[derive(Clone, Copy, Debug)]
pub struct Differences;

impl Record for Differences {
    type Row<'r> = Difference<'r>;

    const TYPE: &'static str = "difference";

    const COLUMNS: &'static [Column<Self>] = &[
        Column::text("change", "`appeared`, `vanished` or `changed`", |row| {
            Cell::text(row.change.as_str())
        }),
        Column::text(
            "group",
            "what differs, without the position: equal for a change that many documents share",
            |row| Cell::text(what(row)),
        ),
        Column::text(
            "doc",
            "the document: its path below the folder of its site",
            |row| Cell::text(row.doc),
        ),
        Column::text("element", "the element's name", |row| {
            Cell::text(row.element)
        }),
        Column::text("attr", "the attribute's name", |row| Cell::text(row.attr)),
        Column::text(
            "text",
            "the link text, white space collapsed; null where there is none",
            |row| Cell::text_or_null(row.text),
        ),
        Column::text(
            "old_raw",
            "the value in the first site, as written; null where it appeared",
            |row| Cell::text_or_null(row.old.map(|side| side.raw)),
        ),
        Column::text(
            "new_raw",
            "the value in the second site, as written; null where it vanished",
            |row| Cell::text_or_null(row.new.map(|side| side.raw)),
        ),
        Column::text(
            "old_url",
            "where it leads in the first site, in normal form; null where it has no URL",
            |row| Cell::text_or_null(row.old.and_then(|side| side.url)),
        ),
        Column::text(
            "new_url",
            "where it leads in the second site, in normal form; null where it has no URL",
            |row| Cell::text_or_null(row.new.and_then(|side| side.url)),
        ),
        Column::always(
            "old_line",
            CellKind::Number,
            "the line of the value in the first site, 1-based",
            |row| number(row.old, |(line, _)| line),
        ),
        Column::always(
            "old_column",
            CellKind::Number,
            "its column, 1-based, in characters",
            |row| number(row.old, |(_, column)| column),
        ),
        Column::always(
            "new_line",
            CellKind::Number,
            "the line of the value in the second site, 1-based",
            |row| number(row.new, |(line, _)| line),
        ),
        Column::always(
            "new_column",
            CellKind::Number,
            "its column, 1-based, in characters",
            |row| number(row.new, |(_, column)| column),
        ),
    ];
}

fn number(side: Option<Side<'_>>, which: fn((u64, u64)) -> u64) -> Cell<'static> {
    let at = side.and_then(|side| side.at);
    at.map_or(Cell::Null, |at| Cell::Number(which(at)))
}

/// The output formats of `baseref diff`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DiffFormat {
    /// One link per line, its place first.
    #[default]
    Text,
    /// One JSON object per line.
    Jsonl,
    /// Comma-separated values with a header line.
    Csv,
}

/// Writes differences in one format.
#[derive(Debug)]
pub enum DiffWriter {
    /// See [`DiffFormat::Text`].
    Text {
        /// Whether differences that many documents share are shown once.
        is_grouped: bool,
    },
    /// See [`DiffFormat::Jsonl`].
    Jsonl(JsonLines<Differences>),
    /// See [`DiffFormat::Csv`].
    Csv(Table<Differences>),
}

impl DiffWriter {
    /// A writer, which groups shared differences in formats without a column for the group.
    #[must_use]
    pub fn new(format: DiffFormat, is_grouped: bool) -> Self {
        let selection = Selection::default();
        match format {
            DiffFormat::Text => Self::Text { is_grouped },
            DiffFormat::Jsonl => Self::Jsonl(JsonLines::new(&selection)),
            DiffFormat::Csv => Self::Csv(Table::new(Delimited::Csv, selection)),
        }
    }

    /// Adds a difference.
    pub fn record(&self, row: &Difference<'_>, out: &mut DifferenceLines) {
        match self {
            Self::Text { .. } => out.line(row.doc, &position(row), &what(row)),
            Self::Jsonl(lines) => lines.record(row, out.bytes()),
            Self::Csv(table) => table.record(row, out.bytes()),
        }
    }

    /// Writes all differences, and what precedes the first one.
    ///
    /// # Errors
    /// If that fails.
    pub fn finish(&self, written: &DifferenceLines, out: &mut dyn Write) -> io::Result<()> {
        match self {
            Self::Text { is_grouped: true } => written.write_grouped(out),
            Self::Text { .. } | Self::Jsonl(_) => written.write(out),
            Self::Csv(table) => {
                let mut head = Vec::new();
                table.begin(&mut head);
                out.write_all(&head)?;
                written.write(out)
            }
        }
    }
}

/// Where a difference is: in the second site, or in the first if it vanished.
fn position(row: &Difference<'_>) -> String {
    let side = row.new.or(row.old);
    match side.and_then(|side| side.at) {
        Some((line, column)) => format!("{}:{line}:{column}", row.doc),
        None => row.doc.to_owned(),
    }
}

/// The difference without its position.
fn what(row: &Difference<'_>) -> String {
    let url = |side: Option<Side<'_>>| {
        let side = side?;
        Some(match side.url {
            Some(url) => url.to_owned(),
            None => format!("{:?} (no URL)", side.raw),
        })
    };
    // The row is about the captured document itself.
    let sides = [url(row.old), url(row.new)].into_iter().flatten();
    let urls: Vec<String> = sides.filter(|url| url != row.doc).collect();
    let text = match row.text {
        Some(text) if !text.is_empty() => format!(" {text:?}"),
        _ => String::new(),
    };
    let attr = match row.attr {
        "" => String::new(),
        attr => format!("[{attr}]"),
    };
    let what = format!(
        "{} {}{attr} {}",
        row.change.as_str(),
        row.element,
        urls.join(" -> ")
    );
    format!("{}{text}", what.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;
    use baseref_findings::Change;

    #[test]
    fn difference_line_of_site() {
        let side = |raw, url, line| Side {
            raw,
            url,
            at: Some((line, 2)),
        };
        let row = Difference {
            change: Change::Changed,
            doc: "d/a.html",
            element: "a",
            attr: "href",
            text: Some("Guide\u{1b}"),
            old: Some(side("g", Some("/d/g"), 1)),
            new: Some(side("//[", None, 3)),
        };
        let (mut written, mut out) = (DifferenceLines::default(), Vec::new());
        let writer = DiffWriter::new(DiffFormat::Text, true);
        writer.record(&row, &mut written);
        writer.finish(&written, &mut out).unwrap();
        assert_eq!(
            String::from_utf8(out).unwrap(),
            "d/a.html:3:2: changed a[href] /d/g -> \"//[\" (no URL) \"Guide\\u{1b}\"\n"
        );
    }

    #[test]
    fn difference_line_of_capture() {
        let url = "https://x.org/";
        let row = Difference {
            change: Change::Vanished,
            doc: url,
            element: "capture",
            attr: "",
            text: None,
            old: Some(Side {
                raw: url,
                url: Some(url),
                at: None,
            }),
            new: None,
        };
        assert_eq!(what(&row), "vanished capture");
        assert_eq!(position(&row), url);
    }
}
