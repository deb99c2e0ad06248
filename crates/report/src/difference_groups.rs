//! Groups differences that many documents share: a change of the navigation, which repeats on every
//! page, is one group instead of a line for each page.

use std::collections::HashMap;
use std::io::{self, Write};

use super::text::shown;
use baseref_document::hash_of;

/// The minimum number of documents with a difference that is shown once for all of them.
const MANY: usize = 3;
/// The minimum percentage of common documents for two differences to belong to one change. It is
/// below 100 because the page that a link leads to often has no link to itself.
const COMMON: usize = 90;
/// The maximum number of groups that a difference is compared with.
const COMPARED: usize = 64;

/// Differences as lines, in order.
#[derive(Debug, Default)]
pub struct DifferenceLines {
    bytes: Vec<u8>,
    /// One for each line that can be in a group.
    rows: Vec<Row>,
}

/// A line.
#[derive(Clone, Copy, Debug)]
struct Row {
    /// The offset of its end, past the line end.
    end: usize,
    /// The length of its part that says what differs, with the line end.
    what: usize,
    /// The [`hash_of`] that part.
    key: u64,
    /// The [`hash_of`] the document.
    doc: u64,
}

impl DifferenceLines {
    /// The records that are never in a group.
    pub(super) fn bytes(&mut self) -> &mut Vec<u8> {
        &mut self.bytes
    }

    /// Adds a line about a document: its position, and the difference.
    pub(super) fn line(&mut self, doc: &str, position: &str, what: &str) {
        let what = format!("{}\n", shown(what));
        self.bytes
            .extend_from_slice(format!("{}: {what}", shown(position)).as_bytes());
        self.rows.push(Row {
            end: self.bytes.len(),
            what: what.len(),
            key: hash_of(&what),
            doc: hash_of(doc),
        });
    }

    /// Appends later lines.
    pub fn append(&mut self, later: Self) {
        let before = self.bytes.len();
        self.bytes.extend(later.bytes);
        let rows = later.rows.into_iter();
        self.rows.extend(rows.map(|row| Row {
            end: before + row.end,
            ..row
        }));
    }

    /// Writes every difference by itself.
    ///
    /// # Errors
    /// If that fails.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        out.write_all(&self.bytes)
    }

    /// Writes the lines; a group stands where its first line would.
    ///
    /// # Errors
    /// If that fails.
    pub fn write_grouped(&self, out: &mut dyn Write) -> io::Result<()> {
        let groups = self.groups();
        let mut group_of: HashMap<u64, usize> = HashMap::new();
        for (number, group) in groups.iter().enumerate() {
            group_of.extend(group.changes.iter().map(|change| (change.key, number)));
        }
        let mut is_written = vec![false; groups.len()];
        let mut start = 0;
        for row in &self.rows {
            let line = self.bytes.get(start..row.end).unwrap_or_default();
            start = row.end;
            let Some(number) = group_of.get(&row.key) else {
                out.write_all(line)?;
                continue;
            };
            if !std::mem::replace(&mut is_written[*number], true) {
                let position = &line[..line.len() - row.what];
                self.write_group(&groups[*number], position, out)?;
            }
        }
        Ok(())
    }

    fn write_group(&self, group: &Group, position: &[u8], out: &mut dyn Write) -> io::Result<()> {
        let most = group.docs.len();
        write!(out, "in {most} documents, first ")?;
        out.write_all(position.trim_ascii_end())?;
        out.write_all(b"\n")?;
        for change in &group.changes {
            let row = self.rows[change.first];
            let what = self.bytes.get(row.end - row.what..row.end);
            let what = what.unwrap_or_default().trim_ascii_end();
            out.write_all(b"  ")?;
            out.write_all(what)?;
            if change.docs != most {
                write!(out, " (in {})", change.docs)?;
            }
            out.write_all(b"\n")?;
        }
        Ok(())
    }

    /// The groups, by the numbers of their documents, and their changes in the order of lines.
    fn groups(&self) -> Vec<Group> {
        let mut found: HashMap<u64, (usize, Vec<u64>)> = HashMap::new();
        for (number, row) in self.rows.iter().enumerate() {
            let (_, docs) = found.entry(row.key).or_insert((number, Vec::new()));
            docs.push(row.doc);
        }
        let mut many: Vec<(u64, usize, Vec<u64>)> = Vec::new();
        for (key, (first, mut docs)) in found {
            docs.sort_unstable();
            docs.dedup();
            if docs.len() >= MANY {
                many.push((key, first, docs));
            }
        }
        many.sort_by_key(|(_, first, docs)| (std::cmp::Reverse(docs.len()), *first));
        let mut groups: Vec<Group> = Vec::new();
        for (key, first, docs) in many {
            let change = Change {
                key,
                first,
                docs: docs.len(),
            };
            let mut known = groups.iter_mut().rev().take(COMPARED);
            match known.find(|group| is_common(&group.docs, &docs)) {
                Some(group) => group.changes.push(change),
                None => groups.push(Group {
                    docs,
                    changes: vec![change],
                }),
            }
        }
        for group in &mut groups {
            group.changes.sort_by_key(|change| change.first);
        }
        groups
    }
}

/// Differences in the same documents.
struct Group {
    /// The documents of its most frequent change, sorted.
    docs: Vec<u64>,
    changes: Vec<Change>,
}

/// A difference that many documents have.
struct Change {
    key: u64,
    /// The number of its first line.
    first: usize,
    /// The number of documents that have it.
    docs: usize,
}

/// Whether two sorted lists have at least [`COMMON`] percent of their items in common.
fn is_common(most: &[u64], docs: &[u64]) -> bool {
    if docs.len() * 100 < most.len() * COMMON {
        return false;
    }
    let shared = docs.iter().filter(|doc| most.binary_search(doc).is_ok());
    let shared = shared.count();
    shared * 100 >= (most.len() + docs.len() - shared) * COMMON
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grouped(lines: &[(&str, &str)]) -> String {
        let mut written = DifferenceLines::default();
        for (doc, what) in lines {
            let mut one = DifferenceLines::default();
            one.line(doc, &format!("{doc}:1:1"), what);
            written.append(one);
        }
        let mut out = Vec::new();
        written
            .write_grouped(&mut out)
            .expect("writing to memory succeeds");
        String::from_utf8(out).expect("the output is UTF-8")
    }

    #[test]
    fn same_difference_grouped() {
        let lines = [
            ("a", "own"),
            ("a", "x"),
            ("a", "y"),
            ("b", "x"),
            ("b", "y"),
            ("c", "x"),
            ("c", "two"),
            ("c", "y"),
            ("d", "two"),
        ];
        assert_eq!(
            grouped(&lines),
            "a:1:1: own\nin 3 documents, first a:1:1:\n  x\n  y\nc:1:1: two\nd:1:1: two\n"
        );
    }

    #[test]
    fn difference_of_most_documents_grouped() {
        let docs: Vec<String> = (10..30).map(|n| n.to_string()).collect();
        let mut lines: Vec<(&str, &str)> = Vec::new();
        for doc in &docs {
            lines.push((doc, "x"));
            lines.extend((doc != "11").then_some((&**doc, "y")));
            lines.extend((**doc < *"15").then_some((&**doc, "z")));
        }
        assert_eq!(
            grouped(&lines),
            "in 20 documents, first 10:1:1:\n  x\n  y (in 19)\nin 5 documents, first 10:1:1:\n  z\n"
        );
    }
}
