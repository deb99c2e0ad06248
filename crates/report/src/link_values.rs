//! What the columns have that are written for every link, and how those next to each other are written at
//! once.

use std::borrow::Cow;
use std::ops::Range;

use super::json::ShortText;
use super::link_row::LinkRow;
use super::value::{Name, WhereKnown, push_member};
use baseref_document::Position;
use baseref_document::link_places::Class;
use baseref_reader::links::PartReference;

#[inline]
pub(super) fn seq(row: &LinkRow<'_>) -> u64 {
    row.link.seq
}

#[inline]
pub(super) fn text<'r>(row: &'r LinkRow<'_>) -> Option<Cow<'r, str>> {
    row.link.reference.text.map(|text| row.shown_text(text))
}

#[inline]
pub(super) fn raw<'r>(row: &'r LinkRow<'_>) -> Cow<'r, str> {
    row.shown_url(row.link.reference.value)
}

#[inline]
pub(super) fn url<'r>(row: &'r LinkRow<'_>) -> Option<Cow<'r, str>> {
    row.url().map(|url| row.shown_url(url))
}

#[inline]
pub(super) fn browser_url<'r>(row: &'r LinkRow<'_>) -> WhereKnown<Option<Cow<'r, str>>> {
    let url = |browser: Result<_, _>| browser.ok().map(|url| row.shown_url(url));
    WhereKnown(row.elsewhere.map(url))
}

#[inline]
pub(super) fn archived_at<'r>(row: &'r LinkRow<'_>) -> WhereKnown<&'r str> {
    WhereKnown(row.capture.map(|capture| capture.at))
}

#[inline]
pub(super) fn error(row: &LinkRow<'_>) -> Option<Name> {
    row.link.url.err().map(|error| Name(error.as_str()))
}

#[inline]
pub(super) fn line(row: &LinkRow<'_>) -> Option<u64> {
    row.link.reference.at.map(|at| u64::from(at.line.get()))
}

#[inline]
pub(super) fn column(row: &LinkRow<'_>) -> Option<u64> {
    row.link.reference.at.map(|at| u64::from(at.column.get()))
}

#[inline]
pub(super) fn byte(row: &LinkRow<'_>) -> Option<Range<u64>> {
    row.link.reference.at.map(|at| at.byte.clone())
}

#[inline]
pub(super) fn part_byte(row: &LinkRow<'_>) -> WhereKnown<Range<u64>> {
    let is_in_part = row.link.reference.slot.class != Class::Header;
    let range = row.document.part_byte.as_ref().filter(|_| is_in_part);
    WhereKnown(range.cloned())
}

#[inline]
pub(super) fn part<'r>(row: &LinkRow<'_>) -> WhereKnown<Option<Cow<'r, str>>> {
    match row.link.part {
        PartReference::Nothing => WhereKnown(None),
        PartReference::Missing => WhereKnown(Some(None)),
        PartReference::Part(section) => WhereKnown(Some(Some(Cow::Owned(section.to_string())))),
    }
}

/// Writes `seq`.
pub(super) fn write_seq(row: &LinkRow<'_>, out: &mut Vec<u8>) {
    let mut text = ShortText::<32>::default();
    text.push(b",\"seq\":");
    if text.push_number(seq(row)) {
        text.append_to(out);
    } else {
        push_member(",\"seq\":", &seq(row), out);
    }
}

/// Writes `text`, `raw`, `url`, `browser_url`, `archived_at` and `error`.
pub(super) fn write_urls(row: &LinkRow<'_>, out: &mut Vec<u8>) {
    push_member(",\"text\":", &text(row), out);
    push_member(",\"raw\":", &raw(row), out);
    push_member(",\"url\":", &url(row), out);
    push_member(",\"browser_url\":", &browser_url(row), out);
    push_member(",\"archived_at\":", &archived_at(row), out);
    push_member(",\"error\":", &error(row), out);
}

/// Writes `line`, `column`, `byte`, `part_byte` and `part`.
pub(super) fn write_place(row: &LinkRow<'_>, out: &mut Vec<u8>) {
    let is_written = row.link.reference.at.is_some_and(|at| position(at, out));
    if !is_written {
        push_member(",\"line\":", &line(row), out);
        push_member(",\"column\":", &column(row), out);
        push_member(",\"byte\":", &byte(row), out);
    }
    push_member(",\"part_byte\":", &part_byte(row), out);
    push_member(",\"part\":", &part(row), out);
}

/// Writes the members of a position, unless its numbers are long. Returns whether it has.
#[inline]
fn position(at: &Position, out: &mut Vec<u8>) -> bool {
    let mut text = ShortText::<80>::default();
    let (line, column) = (at.line.get(), at.column.get());
    let mut is_short = true;
    if !text.push_short_numbers((b",\"line\":", line), (b",\"column\":", column)) {
        text.push(b",\"line\":");
        is_short &= text.push_number(line.into());
        text.push(b",\"column\":");
        is_short &= text.push_number(column.into());
    }
    text.push(b",\"byte\":[");
    is_short &= text.push_number(at.byte.start);
    text.push(b",");
    is_short &= text.push_number(at.byte.end);
    text.push(b"]");
    if is_short {
        text.append_to(out);
    }
    is_short
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU32;

    use baseref_document::ReadOptions;
    use baseref_document::link_places::Classes;
    use baseref_reader::{Policy, read_html};

    use super::*;
    use crate::column::Selection;
    use crate::jsonl::JsonLines;
    use crate::links::{Links, Opening, each_row};

    #[test]
    fn columns_written_at_once_are_those_written_alone() {
        let page = "<a href=x>no \"base\"</a><a href=http://h/a\\b>\u{e9}</a><img src=https:/h/x>\
                    <a href=https://web.archive.org/web/2019/http://h/>archived</a><a href='http://['>";
        let options = ReadOptions::default().with_classes(Classes::ALL);
        let page = read_html(page.as_bytes(), None, &options);
        let resolved = Policy::default().resolve(&page);
        let at_once = Selection::<Links>::default();
        let mut alone = at_once.clone();
        for column in &mut alone.columns {
            column.write = None;
        }
        let [at_once, alone] = [&at_once, &alone].map(JsonLines::new);
        let opening = Opening {
            archives: true,
            ..Opening::default()
        };
        let mut rows = 0;
        let mut compare = |row: &LinkRow<'_>| {
            let [at_once, alone] = [&at_once, &alone].map(|lines| {
                let mut out = Vec::new();
                lines.record(row, &mut out);
                String::from_utf8(out).expect("JSON is UTF-8")
            });
            assert_eq!(at_once, alone);
            rows += 1;
        };
        let position = |line, column, byte| {
            let [line, column] = [line, column].map(|number| NonZeroU32::new(number).unwrap());
            Position::new(line, column, byte)
        };
        let positions = [
            position(u32::MAX, 1, 0..u64::MAX),
            position(1, 9_999, 99_999_999..100_000_000),
            position(10_000, 10, 9..10),
            position(99_999_999, 99_999_999, 99_999_998..99_999_999),
        ];
        for document_links in resolved.documents() {
            each_row(document_links, "a.html", opening, &mut |row| {
                compare(row);
                let mut link = *row.link;
                link.seq = u64::MAX;
                for at in positions.iter().map(Some).chain([None]) {
                    link.reference.at = at;
                    compare(&LinkRow {
                        link: &link,
                        ..*row
                    });
                }
            });
        }
        assert_eq!(rows, 30);
    }
}
