//! The columns of a judged link, for JSON Lines.

use crate::column::{Cell, CellKind, Column, Record};
use baseref_findings::{JudgedLink, PageName};

/// The record type of [`JudgedLink`]s, with the document they are in.
#[derive(Clone, Copy, Debug)]
pub struct JudgedLinks;

impl Record for JudgedLinks {
    type Row<'r> = (&'r PageName, &'r JudgedLink);

    const TYPE: &'static str = "link";

    const COLUMNS: &'static [Column<Self>] = &COLUMNS;
}

static COLUMNS: [Column<JudgedLinks>; 16] = [
    Column::text("doc", "the document, as in findings", |row| {
        Cell::text(row.0.doc.as_str())
    }),
    Column::text("doc_url", "its own URL, as in findings", |row| {
        Cell::text_or_null(row.0.url.as_deref())
    }),
    Column::always(
        "line",
        CellKind::Number,
        "the line of the value, from 1; of a part of a message, in the decoded part",
        |row| Cell::number_or_null(row.1.at.as_ref().map(|at| at.line.get())),
    ),
    Column::always(
        "column",
        CellKind::Number,
        "its column, from 1, in characters",
        |row| Cell::number_or_null(row.1.at.as_ref().map(|at| at.column.get())),
    ),
    Column::always(
        "byte",
        CellKind::Range,
        "the bytes of the value in the document as stored, from 0; in mail, in the decoded part",
        |row| {
            row.1
                .at
                .as_ref()
                .map_or(Cell::Null, |at| Cell::Range(at.byte.start, at.byte.end))
        },
    ),
    Column::text("element", "the element", |row| Cell::text(&*row.1.element)),
    Column::text("attr", "the attribute", |row| Cell::text(row.1.attr)),
    Column::text(
        "raw",
        "the value as written, character references decoded",
        |row| Cell::text(row.1.raw.as_str()),
    ),
    Column::text("url", "its URL by the chosen rule set", |row| {
        Cell::text_or_null(row.1.url.as_deref())
    }),
    Column::text("class", "its class, as counted in the last line", |row| {
        Cell::text(row.1.class)
    }),
    Column::text(
        "target",
        "the file of the site that it leads to, or would if it existed",
        |row| Cell::text_or_null(row.1.target.as_deref()),
    ),
    Column::text(
        "how",
        "how the address came to the file: `exact`; by an `index`, a `redirect` to a folder or \
         `serve`d without one, an added `extension`; by another spelling: `unicode`, `charset` or \
         `case`; or to the capture: `exact`, `twin`, `loose` or by a captured `redirect`",
        |row| Cell::text_or_null(Some(row.1.how).filter(|how| !how.is_empty())),
    ),
    Column::text(
        "end",
        "for a captured redirect, the class of its final target, or `loop` or `broken`",
        |row| Cell::text_or_null(Some(row.1.end).filter(|end| !end.is_empty())),
    ),
    Column::text(
        "kind",
        "what the link needs: a `page` or a `resource`",
        |row| Cell::text(row.1.kind),
    ),
    Column::text(
        "fragment",
        "`found` or `missing`; null if no fragment is checked",
        |row| {
            let found = row.1.fragment_found;
            Cell::text_or_null(found.map(|found| if found { "found" } else { "missing" }))
        },
    ),
    Column::always(
        "rules",
        CellKind::List,
        "the rules that its findings break",
        |row| {
            Cell::Texts(
                row.1
                    .rules
                    .iter()
                    .map(|rule| Some((*rule).into()))
                    .collect(),
            )
        },
    ),
];
