//! Observables as a table.

use std::io;

use super::store::{ObservableKind, Observables, Sightings};
use crate::column::{Cell, CellKind, Column, Record, Selection};
use crate::defang;
use crate::delimited::{Delimited, Table};
use baseref_unwrap::End;

/// A row about an observable.
#[derive(Clone, Copy, Debug)]
pub struct Row<'a> {
    kind: ObservableKind,
    value: &'a str,
    seen: &'a Sightings,
    is_defanged: bool,
}

/// The record type of [`Row`]s.
#[derive(Clone, Copy, Debug)]
pub struct Rows;

impl Record for Rows {
    type Row<'r> = Row<'r>;

    const TYPE: &'static str = "observable";

    const COLUMNS: &'static [Column<Self>] = &[
        Column::text("type", "`url`, `host`, `ip` or `address`", |row| {
            Cell::text(row.kind.as_str())
        }),
        Column::text(
            "value",
            "a final URL, its host, or a mail address that links write to",
            |row| shown(row, row.value),
        ),
        Column::text(
            "defanged",
            "the value so that nothing takes it for a link",
            |row| Cell::text(row.kind.defanged(row.value)),
        ),
        Column::always(
            "links",
            CellKind::Number,
            "how many links lead there",
            |row| Cell::Number(row.seen.count),
        ),
        Column::text(
            "first",
            "the date of the first document with such a link",
            |row| Cell::text_or_null(row.seen.first.as_deref()),
        ),
        Column::text("last", "the date of the last one", |row| {
            Cell::text_or_null(row.seen.last.as_deref())
        }),
        Column::always(
            "senders",
            CellKind::List,
            "the `From` of these messages, at most 8",
            |row| {
                let senders = row.seen.senders.iter();
                let senders = senders.map(|sender| {
                    Some(if row.is_defanged {
                        defang::text(sender)
                    } else {
                        (&**sender).into()
                    })
                });
                Cell::Texts(senders.collect())
            },
        ),
        Column::always(
            "wrappers",
            CellKind::List,
            "the wrappers around it, outermost first, at most 8 chains",
            |row| {
                let wrappers = row.seen.wrappers.iter();
                Cell::Texts(wrappers.map(|chain| Some((&**chain).into())).collect())
            },
        ),
        Column::text(
            "unwrap_error",
            "why it is still a wrapper, as for links",
            |row| Cell::text_or_null(row.seen.end.map(End::as_str)),
        ),
    ];
}

fn shown<'r>(row: &'r Row<'_>, value: &'r str) -> Cell<'r> {
    if row.is_defanged {
        Cell::text(row.kind.defanged(value))
    } else {
        Cell::text(value)
    }
}

pub(super) fn write(
    observables: &Observables,
    is_defanged: bool,
    out: &mut dyn io::Write,
) -> io::Result<()> {
    let table: Table<Rows> = Table::new(Delimited::Csv, Selection::default());
    let mut written = Vec::new();
    table.begin(&mut written);
    for (kind, value, seen) in observables.iter() {
        let row = Row {
            kind,
            value,
            seen,
            is_defanged,
        };
        table.record(&row, &mut written);
        out.write_all(&written)?;
        written.clear();
    }
    out.write_all(&written)
}
