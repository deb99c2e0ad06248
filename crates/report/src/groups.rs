//! Counts of links, by document or by something that they share.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::Write;

use super::column::{Cell, CellKind, Column, Record, Selection};
use super::delimited::{Delimited, Table};
use super::jsonl::JsonLines;
use super::links::{LinkRow, LinksFormat};
use super::text::shown;
use super::url_parts;

/// The key by which links are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GroupBy {
    /// The host of the URL.
    Host,
    /// The registrable domain of the URL.
    Site,
    /// The scheme of the URL.
    Scheme,
    /// The class of the link.
    Class,
    /// The document.
    Doc,
    /// The URL.
    Url,
}

impl GroupBy {
    /// All of them.
    pub const ALL: [Self; 6] = [
        Self::Host,
        Self::Site,
        Self::Scheme,
        Self::Class,
        Self::Doc,
        Self::Url,
    ];

    /// The name in reports.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Host => "host",
            Self::Site => "site",
            Self::Scheme => "scheme",
            Self::Class => "class",
            Self::Doc => "doc",
            Self::Url => "url",
        }
    }

    /// Calls `each` with the keys of a link: `None` if it has none, and two if it leads to another
    /// host or site in browsers.
    pub fn keys(self, row: &LinkRow<'_>, mut each: impl FnMut(Option<&str>)) {
        match self {
            Self::Host => each_of_urls(row, url_parts::host, each),
            Self::Site => each_of_urls(row, |url| url_parts::site(url).map(Cow::Owned), each),
            Self::Scheme => each(row.judged_url().and_then(url_parts::scheme).as_deref()),
            Self::Class => each(Some(row.link.reference.slot.class.as_str())),
            Self::Doc => each(Some(row.doc)),
            Self::Url => each(row.judged_url()),
        }
    }
}

/// Calls `each` with a part of every place that the link leads to, each once.
fn each_of_urls<'r>(
    row: &LinkRow<'r>,
    part: fn(&'r str) -> Option<Cow<'r, str>>,
    mut each: impl FnMut(Option<&str>),
) {
    let mut parts = row.with_hosts().filter_map(part);
    let first = parts.next();
    each(first.as_deref());
    if let Some(second) = parts.next().filter(|second| first.as_ref() != Some(second)) {
        each(Some(&second));
    }
}

/// The number of links per key; memory grows only with the number of keys.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Groups {
    links: BTreeMap<Option<Box<str>>, u64>,
}

impl Groups {
    /// Counts one link.
    pub fn count(&mut self, key: Option<&str>) {
        let key = key.map(Box::from);
        *self.links.entry(key).or_default() += 1;
    }

    /// Adds the counts of `others`, and leaves them empty.
    pub fn take(&mut self, others: &mut Self) {
        for (key, links) in std::mem::take(&mut others.links) {
            *self.links.entry(key).or_default() += links;
        }
    }

    /// In descending order of count, then by key in byte order, without a key first.
    fn sorted(&self) -> Vec<(Option<&str>, u64)> {
        let groups = self.links.iter();
        let mut groups: Vec<_> = groups
            .map(|(key, links)| (key.as_deref(), *links))
            .collect();
        groups.sort_by_key(|(_, links)| std::cmp::Reverse(*links));
        groups
    }
}

/// A row about the links with one key.
#[derive(Clone, Copy, Debug)]
pub struct GroupRow<'a> {
    by: &'static str,
    key: Option<&'a str>,
    links: u64,
}

/// The record type of [`GroupRow`]s.
#[derive(Clone, Copy, Debug)]
pub struct GroupRows;

impl Record for GroupRows {
    type Row<'r> = GroupRow<'r>;

    const TYPE: &'static str = "group";

    const COLUMNS: &'static [Column<Self>] = &[
        Column::text(
            "by",
            "what links are counted by: `host`, `site`, `scheme`, `class`, `doc` or `url`",
            |row| Cell::text(row.by),
        ),
        Column::text(
            "key",
            "the value that these links share; null for links without one",
            |row| Cell::text_or_null(row.key),
        ),
        Column::always("links", CellKind::Number, "the number of links", |row| {
            Cell::Number(row.links)
        }),
    ];
}

/// Writes counts in one format; for [`LinksFormat::Url`] it is a table for people.
#[derive(Debug)]
pub enum GroupWriter {
    /// The number, then the key.
    Text,
    /// See [`LinksFormat::Jsonl`].
    Jsonl(JsonLines<GroupRows>),
    /// See [`LinksFormat::Csv`] and [`LinksFormat::Tsv`].
    Table(Table<GroupRows>),
}

impl GroupWriter {
    /// A writer.
    #[must_use]
    pub fn new(format: LinksFormat) -> Self {
        let selection = Selection::default();
        match format {
            LinksFormat::Url => Self::Text,
            LinksFormat::Jsonl => Self::Jsonl(JsonLines::new(&selection)),
            LinksFormat::Csv => Self::Table(Table::new(Delimited::Csv, selection)),
            LinksFormat::Tsv => Self::Table(Table::new(Delimited::Tsv, selection)),
        }
    }

    /// Writes what precedes the first count.
    pub fn begin(&self, out: &mut Vec<u8>) {
        if let Self::Table(table) = self {
            table.begin(out);
        }
    }

    /// Writes the number of links in a document.
    pub fn document(&self, doc: &str, links: u64, out: &mut Vec<u8>) {
        let row = GroupRow {
            by: GroupBy::Doc.as_str(),
            key: Some(doc),
            links,
        };
        self.record(&row, out);
    }

    /// Writes all groups, the largest first.
    pub fn groups(&self, by: GroupBy, groups: &Groups, out: &mut Vec<u8>) {
        for (key, links) in groups.sorted() {
            let by = by.as_str();
            self.record(&GroupRow { by, key, links }, out);
        }
    }

    fn record(&self, row: &GroupRow<'_>, out: &mut Vec<u8>) {
        match self {
            Self::Text => {
                let mut line = String::new();
                let key = shown(row.key.unwrap_or("-"));
                writeln!(line, "{:>8}  {key}", row.links).expect("a String takes every write");
                out.extend_from_slice(line.as_bytes());
            }
            Self::Jsonl(lines) => lines.record(row, out),
            Self::Table(table) => table.record(row, out),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn groups(keys: &[Option<&str>]) -> Groups {
        let mut groups = Groups::default();
        for key in keys {
            groups.count(*key);
        }
        groups
    }

    #[test]
    fn groups_by_size() {
        let mut all = groups(&[Some("b"), None, Some("a")]);
        all.take(&mut groups(&[Some("c"), Some("b"), Some("c"), Some("c")]));
        let written = |format| {
            let mut out = Vec::new();
            let writer = GroupWriter::new(format);
            writer.begin(&mut out);
            writer.groups(GroupBy::Host, &all, &mut out);
            String::from_utf8(out).unwrap()
        };
        assert_eq!(
            written(LinksFormat::Url),
            "       3  c\n       2  b\n       1  -\n       1  a\n"
        );
        assert_eq!(
            written(LinksFormat::Csv),
            "by,key,links,v\nhost,c,3,1\nhost,b,2,1\nhost,,1,1\nhost,a,1,1\n"
        );
        assert!(written(LinksFormat::Jsonl).starts_with(
            "{\"v\":1,\"type\":\"group\",\"by\":\"host\",\"key\":\"c\",\"links\":3}\n"
        ));
    }
}
