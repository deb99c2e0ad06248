//! The columns of a finding, for JSON Lines and CSV.

use std::borrow::Cow;
use std::ops::Range;

use crate::column::{Cell, CellKind, Column, Record, Selection};
use baseref_findings::{BaseName, Finding, MoveEffect};
use baseref_resolve::Rules;

/// The record type of [`Finding`]s.
#[derive(Clone, Copy, Debug)]
pub struct Findings;

impl Record for Findings {
    type Row<'r> = &'r Finding;

    const TYPE: &'static str = "finding";

    const COLUMNS: &'static [Column<Self>] = &COLUMNS;
}

/// The columns present only in reports about a move.
const OF_MOVE: [&str; 5] = ["old_url", "new_url", "expected", "via", "hops"];

/// The columns of a report; those about a move only if something is moved.
#[must_use]
pub fn columns(moved: bool) -> Selection<Findings> {
    let mut selection = Selection::<Findings>::default();
    if !moved {
        let columns = &mut selection.columns;
        columns.retain(|column| !OF_MOVE.contains(&column.name));
    }
    selection
}

const RULE_SETS: [&str; 3] = [
    Rules::ALL[0].as_str(),
    Rules::ALL[1].as_str(),
    Rules::ALL[2].as_str(),
];

static COLUMNS: [Column<Findings>; 30] = [
    Column::text("rule", "the rule's id", |f| Cell::text(f.rule.id)),
    Column::text("level", "`error`, `warning` or `note`", |f| {
        Cell::text(f.level.as_str())
    }),
    Column::text(
        "group",
        "the rule and the cause; one repair fixes all findings of a group",
        |f| Cell::text(f.group()),
    ),
    Column::text(
        "doc",
        "the document: its path as given, and its name inside an archive or a message",
        |f| Cell::text(f.page.doc.as_str()),
    ),
    Column::text(
        "doc_url",
        "the document's own URL; without the host if the site's host is unknown",
        |f| Cell::text_or_null(f.page.url.as_deref()),
    ),
    Column::always(
        "line",
        CellKind::Number,
        "the line of the value, from 1; of a part of a message, in the decoded part",
        |f| Cell::number_or_null(f.at.as_ref().map(|at| at.line.get())),
    ),
    Column::always(
        "column",
        CellKind::Number,
        "its column, from 1, in characters",
        |f| Cell::number_or_null(f.at.as_ref().map(|at| at.column.get())),
    ),
    Column::always(
        "byte",
        CellKind::Range,
        "the bytes of the value in the document as stored, from 0; in mail, in the decoded part",
        |f| range(f.at.as_ref().map(|at| &at.byte)),
    ),
    Column::text("element", "the element", |f| text(f.element())),
    Column::text("attr", "the attribute", |f| text(f.attr())),
    Column::text(
        "raw",
        "the value as written, character references decoded",
        |f| Cell::text(&*f.raw),
    ),
    Column::text("url", "the link's URL by the chosen rule set", |f| {
        Cell::text_or_null(f.url.as_deref())
    }),
    Column::always(
        "urls",
        CellKind::Fields(&RULE_SETS),
        "the link's URL by each rule set",
        |f| texts(f.each_url().into_iter()),
    ),
    Column::text("base", "the base it was resolved against", |f| {
        base_cell(f, |base| Cell::text_or_null(base.url.as_deref()))
    }),
    Column::text(
        "base_source",
        "the layer that gave the base: `element`, `header`, `retrieval` or `none`",
        |f| base_cell(f, |base| Cell::text(base.source)),
    ),
    Column::text("base_at", "where that base is declared", |f| {
        base_cell(f, |base| text(&base.at))
    }),
    Column::text(
        "target",
        "the file that the link leads to, or would if it existed",
        |f| Cell::text_or_null(f.target.as_deref()),
    ),
    Column::text("message", "what is wrong, in words", |f| {
        Cell::text(&*f.message)
    }),
    Column::always(
        "suggestions",
        CellKind::List,
        "what may have been meant, most likely first",
        |f| texts(f.suggestions().iter().map(|text| Some(text.as_str()))),
    ),
    Column::text(
        "fingerprint",
        "the finding's identity, independent of line numbers",
        |f| Cell::text(f.fingerprint().to_string()),
    ),
    Column::always(
        "known",
        CellKind::Bool,
        "whether it is in the baseline",
        |f| Cell::Bool(f.known),
    ),
    Column::where_known(
        "fix",
        CellKind::Text,
        "the replacement for the value, escaped as its document needs it",
        |f| {
            f.fix
                .as_ref()
                .map_or(Cell::Absent, |fix| Cell::text(fix.text.as_str()))
        },
    ),
    Column::where_known(
        "fix_byte",
        CellKind::Range,
        "the bytes that it replaces",
        |f| {
            f.fix
                .as_ref()
                .map_or(Cell::Absent, |fix| range(Some(&fix.byte)))
        },
    ),
    Column::where_known(
        "source",
        CellKind::Text,
        "the file that the document was generated from",
        |f| {
            f.source()
                .map_or(Cell::Absent, |source| Cell::text(&*source.file))
        },
    ),
    Column::where_known(
        "source_line",
        CellKind::Number,
        "the line there, 1-based",
        |f| {
            let line = f.source().and_then(|source| source.line);
            line.map_or(Cell::Absent, |line| Cell::Number(line.get().into()))
        },
    ),
    Column::text("old_url", "what the link leads to before the move", |f| {
        move_cell(f, |moved| Cell::text_or_null(moved.old_url.as_deref()))
    }),
    Column::text("new_url", "what it leads to after the move", |f| {
        move_cell(f, |moved| Cell::text_or_null(moved.new_url.as_deref()))
    }),
    Column::text("expected", "what it should lead to after the move", |f| {
        move_cell(f, |moved| Cell::text_or_null(moved.expected.as_deref()))
    }),
    Column::text("via", "what ties the link to its old location", |f| {
        move_cell(f, |moved| text(moved.via))
    }),
    Column::always(
        "hops",
        CellKind::List,
        "the redirects from the old URL",
        |f| {
            move_cell(f, |moved| {
                texts(moved.hops.iter().map(|url| Some(url.as_str())))
            })
        },
    ),
];

/// A text, with an empty one meaning none.
fn text(text: &str) -> Cell<'_> {
    Cell::text_or_null(Some(text).filter(|text| !text.is_empty()))
}

fn texts<'r>(texts: impl Iterator<Item = Option<&'r str>>) -> Cell<'r> {
    Cell::Texts(texts.map(|text| text.map(Cow::Borrowed)).collect())
}

fn range(range: Option<&Range<u64>>) -> Cell<'static> {
    range.map_or(Cell::Null, |range| Cell::Range(range.start, range.end))
}

fn base_cell<'r>(finding: &'r Finding, get: fn(&'r BaseName) -> Cell<'r>) -> Cell<'r> {
    finding.base.as_deref().map_or(Cell::Null, get)
}

fn move_cell<'r>(finding: &'r Finding, get: fn(&'r MoveEffect) -> Cell<'r>) -> Cell<'r> {
    finding.moved.as_deref().map_or(Cell::Null, get)
}
