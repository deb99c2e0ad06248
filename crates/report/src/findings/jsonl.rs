//! One JSON object per finding, and one for the summary at the end.

use std::io::{self, Write};

use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};

use super::columns::{Findings, columns};
use super::links::JudgedLinks;
use super::writer::{Head, Writer};
use crate::column::Selection;
use crate::json;
use crate::jsonl::{JsonLines, VERSION};
use crate::text::shown;
use baseref_findings::{Class, Count, Finding, JudgedLink, Level, PageName, Summary, Totals};

pub(super) struct Jsonl {
    command: &'static str,
    lines: JsonLines<Findings>,
    links: JsonLines<JudgedLinks>,
}

impl Jsonl {
    pub(super) fn new(head: &Head) -> Self {
        Self {
            command: head.command,
            lines: JsonLines::new(&columns(head.moved)),
            links: JsonLines::new(&Selection::default()),
        }
    }
}

impl Writer for Jsonl {
    fn link(&mut self, page: &PageName, link: &JudgedLink, out: &mut Vec<u8>) {
        self.links.record(&(page, link), out);
    }

    fn finding(&mut self, finding: &Finding, out: &mut Vec<u8>) {
        self.lines.record(&finding, out);
    }

    fn end(&mut self, summary: &Summary, out: &mut dyn Write) -> io::Result<()> {
        out.write_all(&json::to_vec(&Numbers::new(self.command, summary))?)?;
        out.write_all(b"\n")
    }
}

/// The totals of a report.
#[derive(Serialize)]
pub(super) struct Numbers<'s> {
    v: u64,
    r#type: &'static str,
    command: &'static str,
    documents: u64,
    unreadable: u64,
    /// The sum of the classes.
    links: u64,
    classes: Classes<'s>,
    findings: ByLevel<'s>,
    #[serde(skip_serializing_if = "str::is_empty")]
    verdict: String,
}

impl<'s> Numbers<'s> {
    pub(super) fn new(command: &'static str, summary: &'s Summary) -> Self {
        Self {
            v: VERSION,
            r#type: "summary",
            command,
            documents: summary.documents,
            unreadable: summary.unreadable,
            links: summary.links(),
            classes: Classes(&summary.classes),
            findings: ByLevel(&summary.totals),
            verdict: shown(&summary.verdict_line()).into_owned(),
        }
    }
}

/// The number of links of each class, by its name.
struct Classes<'s>(&'s [Class]);

impl Serialize for Classes<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|class| (class.name, class.links)))
    }
}

/// The number of findings of each level, by its name.
struct ByLevel<'s>(&'s Totals);

impl Serialize for ByLevel<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Numbers {
            new: u64,
            known: u64,
            allowed: u64,
        }
        let mut map = serializer.serialize_map(Some(Level::REPORTED.len()))?;
        for level in Level::REPORTED {
            let Count {
                new,
                known,
                allowed,
            } = self.0.count(level);
            let numbers = Numbers {
                new,
                known,
                allowed,
            };
            map.serialize_entry(level.as_str(), &numbers)?;
        }
        map.end()
    }
}
