//! Counts of links by two of their fields: the edges of a graph, from a source to a target.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _; // for `write!`: a String takes every write

use super::column::{Cell, CellKind, Column, Record, Selection, UnknownColumn};
use super::delimited::{Delimited, Table};
use super::jsonl::JsonLines;
use super::links::{LinkRow, Links};
use super::text::shown;
use super::xml::attribute;
use baseref_findings::nearest::did_you_mean;

/// The maximum number of nodes of a graph in `GraphML`, since programs read it into memory as a
/// whole.
pub const MOST_NODES: usize = 100_000;

/// A source and a target.
type Pair<T> = (Option<T>, Option<T>);

/// The number of links per pair; memory grows only with the number of pairs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Edges {
    links: BTreeMap<Pair<Box<str>>, u64>,
}

impl Edges {
    /// Counts a link by two of its fields, which [`by`] chose.
    pub fn count(&mut self, fields: &Selection<Links>, row: &LinkRow<'_>) {
        let mut keys = fields.columns.iter().map(|column| key((column.get)(row)));
        let pair = (keys.next().flatten(), keys.next().flatten());
        *self.links.entry(pair).or_default() += 1;
    }

    /// Adds the counts of `others`, and leaves them empty.
    pub fn take(&mut self, others: &mut Self) {
        for (pair, links) in std::mem::take(&mut others.links) {
            *self.links.entry(pair).or_default() += links;
        }
    }

    /// In descending order of count, then by source and target in byte order.
    fn sorted(&self) -> Vec<(Pair<&str>, u64)> {
        let edges = self.links.iter();
        let mut edges: Vec<_> = edges
            .map(|((source, target), links)| ((source.as_deref(), target.as_deref()), *links))
            .collect();
        edges.sort_by_key(|(_, links)| std::cmp::Reverse(*links));
        edges
    }

    /// The number of different sources and targets.
    #[must_use]
    pub fn nodes(&self) -> usize {
        let ends = self
            .links
            .keys()
            .flat_map(|(source, target)| [source, target]);
        ends.flatten().collect::<BTreeSet<_>>().len()
    }
}

/// The text of a cell that links are counted by.
fn key(cell: Cell<'_>) -> Option<Box<str>> {
    match cell {
        Cell::Text(text) => Some(text.into()),
        Cell::Number(number) => Some(number.to_string().into()),
        Cell::Bool(value) => Some(value.to_string().into()),
        Cell::Absent | Cell::Null | Cell::Range(..) | Cell::Texts(_) | Cell::Records(_) => None,
    }
}

/// Why links cannot be counted by a list of fields.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum EdgeError {
    /// No field has this name.
    #[error("no field `{}`{}", .0, did_you_mean(.0, Links::COLUMNS.iter().map(|column| column.name)))]
    Unknown(String),
    /// A link can have several values of this field.
    #[error("`{0}` can have several values")]
    Several(&'static str),
    /// The list does not have two fields.
    #[error("give two fields: SOURCE,TARGET")]
    NotTwo,
}

/// Two fields by which links can be counted, from a list of names.
///
/// # Errors
/// If these are not two fields, or one of them can have several values.
pub fn by(list: &str) -> Result<Selection<Links>, EdgeError> {
    let fields = Selection::<Links>::parse(list);
    let fields = fields.map_err(|UnknownColumn(name)| EdgeError::Unknown(name))?;
    let is_one = |column: &&Column<Links>| {
        matches!(
            column.kind,
            CellKind::Text | CellKind::Number | CellKind::Bool
        )
    };
    match fields.columns.iter().find(|column| !is_one(column)) {
        Some(several) => Err(EdgeError::Several(several.name)),
        None if fields.columns.len() != 2 => Err(EdgeError::NotTwo),
        None => Ok(fields),
    }
}

/// A row about the links with one source and one target.
#[derive(Clone, Copy, Debug)]
pub struct EdgeRow<'a> {
    by: &'a str,
    source: Option<&'a str>,
    target: Option<&'a str>,
    links: u64,
}

/// The record type of [`EdgeRow`]s.
#[derive(Clone, Copy, Debug)]
pub struct EdgeRows;

impl Record for EdgeRows {
    type Row<'r> = EdgeRow<'r>;

    const TYPE: &'static str = "edge";

    const COLUMNS: &'static [Column<Self>] = &[
        Column::text(
            "by",
            "the two fields that links are counted by: `src_site,site`",
            |row| Cell::text(row.by),
        ),
        Column::text(
            "source",
            "the first of them; null for links without one",
            |row| Cell::text_or_null(row.source),
        ),
        Column::text("target", "the second", |row| Cell::text_or_null(row.target)),
        Column::always("links", CellKind::Number, "the number of links", |row| {
            Cell::Number(row.links)
        }),
    ];
}

/// The form that edges are written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EdgeFormat {
    /// A table for people.
    Text,
    /// JSON Lines.
    Jsonl,
    /// Comma-separated values, with the fields by which links are counted.
    Csv,
    /// Tab-separated values, with the fields by which links are counted.
    Tsv,
    /// `source,target,count`, as programs for graphs read it.
    Edges,
    /// `GraphML`, of up to [`MOST_NODES`] nodes.
    Graphml,
}

impl EdgeFormat {
    /// Writes all edges, the heaviest first. Of a graph with too many nodes nothing is written: see
    /// [`Edges::nodes`].
    pub fn write(self, fields: &Selection<Links>, edges: &Edges, out: &mut Vec<u8>) {
        let names: Vec<_> = fields.columns.iter().map(|column| column.name).collect();
        let by = names.join(",");
        let rows = edges.sorted().into_iter();
        let rows = rows.map(|((source, target), links)| EdgeRow {
            by: &by,
            source,
            target,
            links,
        });
        match self {
            Self::Text => rows.for_each(|row| out.extend_from_slice(line(&row).as_bytes())),
            Self::Jsonl => {
                let lines = JsonLines::<EdgeRows>::new(&Selection::default());
                rows.for_each(|row| lines.record(&row, out));
            }
            Self::Csv | Self::Tsv => {
                let delimited = match self {
                    Self::Csv => Delimited::Csv,
                    _ => Delimited::Tsv,
                };
                let table = Table::<EdgeRows>::new(delimited, Selection::default());
                table.begin(out);
                rows.for_each(|row| table.record(&row, out));
            }
            Self::Edges => list(rows, out),
            Self::Graphml if edges.nodes() <= MOST_NODES => {
                out.extend_from_slice(graphml(rows).as_bytes());
            }
            Self::Graphml => {}
        }
    }
}

/// A line for people.
fn line(row: &EdgeRow<'_>) -> String {
    let [source, target] = [row.source, row.target].map(|end| end.unwrap_or("-"));
    format!("{:>8}  {} -> {}\n", row.links, shown(source), shown(target))
}

/// The edges with both ends, as comma-separated values.
fn list<'r>(rows: impl Iterator<Item = EdgeRow<'r>>, out: &mut Vec<u8>) {
    let mut csv = csv::Writer::from_writer(out);
    // Writing to memory does not fail.
    let _ = csv.write_record(["source", "target", "count"]);
    for row in rows {
        if let (Some(source), Some(target)) = (row.source, row.target) {
            let _ = csv.write_record([source, target, &row.links.to_string()]);
        }
    }
    let _ = csv.flush();
}

/// The edges with both ends, as a directed graph whose edges have the number of links as weight.
fn graphml<'r>(rows: impl Iterator<Item = EdgeRow<'r>>) -> String {
    let edges = rows.filter_map(|row| Some((row.source?, row.target?, row.links)));
    let edges: Vec<_> = edges.collect();
    let ends = edges
        .iter()
        .flat_map(|(source, target, _)| [*source, *target]);
    let nodes: BTreeSet<&str> = ends.collect();
    let mut xml = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n\
         <key id=\"weight\" for=\"edge\" attr.name=\"weight\" attr.type=\"long\"/>\n\
         <graph edgedefault=\"directed\">\n",
    );
    for node in nodes {
        let _ = writeln!(xml, "<node id=\"{}\"/>", attribute(node));
    }
    for (source, target, links) in edges {
        let (source, target) = (attribute(source), attribute(target));
        let _ = writeln!(
            xml,
            "<edge source=\"{source}\" target=\"{target}\"><data key=\"weight\">{links}</data></edge>"
        );
    }
    xml += "</graph>\n</graphml>\n";
    xml
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edges(pairs: &[Pair<&str>]) -> Edges {
        let mut edges = Edges::default();
        for (source, target) in pairs {
            let pair = (source.map(Box::from), target.map(Box::from));
            *edges.links.entry(pair).or_default() += 1;
        }
        edges
    }

    fn written(format: EdgeFormat, edges: &Edges) -> String {
        let mut out = Vec::new();
        let fields = by("host,site").unwrap();
        format.write(&fields, edges, &mut out);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn edges_by_weight() {
        let (a, b) = (Some("a"), Some("b,\"<"));
        let mut all = edges(&[(a, b), (b, a), (None, a)]);
        all.take(&mut edges(&[(b, a)]));
        assert_eq!(all.nodes(), 2);
        assert_eq!(
            written(EdgeFormat::Edges, &all),
            "source,target,count\n\"b,\"\"<\",a,2\na,\"b,\"\"<\",1\n"
        );
        assert_eq!(
            written(EdgeFormat::Text, &all),
            "       2  b,\"< -> a\n       1  - -> a\n       1  a -> b,\"<\n"
        );
        assert!(written(EdgeFormat::Jsonl, &all).starts_with(
            "{\"v\":1,\"type\":\"edge\",\"by\":\"host,site\",\"source\":\"b,\\\"<\",\"target\":\"a\",\"links\":2}\n"
        ));
        let graph = written(EdgeFormat::Graphml, &all);
        assert!(graph.contains("<node id=\"b,&quot;&lt;\"/>\n"), "{graph}");
        assert!(
            graph.contains("<edge source=\"a\" target=\"b,&quot;&lt;\"><data key=\"weight\">1<")
        );
    }

    #[test]
    fn control_characters_are_shown_in_a_graph() {
        let graph = written(
            EdgeFormat::Graphml,
            &edges(&[(Some("a\u{202e}b"), Some("\u{9b}"))]),
        );
        assert!(graph.contains("<node id=\"a\\u{202e}b\"/>"), "{graph}");
        assert!(graph.contains("<node id=\"\\u{9b}\"/>"), "{graph}");
    }

    #[test]
    fn edge_needs_two_single_values() {
        for (list, reason) in [
            ("host", "give two fields: SOURCE,TARGET"),
            ("host,site,url", "give two fields: SOURCE,TARGET"),
            ("host,hosts", "no field `hosts`; did you mean `host`?"),
            ("host,wrappers", "`wrappers` can have several values"),
        ] {
            let error = by(list).map(|_| ()).unwrap_err();
            assert_eq!(error.to_string(), reason, "{list}");
        }
    }

    #[test]
    fn graph_node_limit() {
        let names: Vec<String> = (0..=MOST_NODES).map(|number| number.to_string()).collect();
        let pairs: Vec<_> = names
            .iter()
            .map(|name| (Some("0"), Some(&**name)))
            .collect();
        let many = edges(&pairs);
        assert!(many.nodes() > MOST_NODES);
        assert!(written(EdgeFormat::Graphml, &many).is_empty());
        assert!(!written(EdgeFormat::Graphml, &edges(&pairs[..MOST_NODES])).is_empty());
    }
}
