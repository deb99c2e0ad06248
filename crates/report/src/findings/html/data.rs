//! The data of the page in compact form: columns of numbers that index one table of strings.

use std::collections::BTreeMap;
use std::io::{self, Write};

use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};

use super::super::jsonl::Numbers;
use super::mails::MessageCards;
use super::strings::{InScript, STRINGS, Strings, small};
use crate::findings::words;
use crate::findings::writer::{Head, Options};
use crate::text::shown;
use baseref_findings::{Excerpt, Finding, Level, MessageSummary, PageName, Rule, Summary};

/// The maximum number of findings in a page; the rest are only counted.
const FINDINGS: usize = 200_000;
/// The columns of the findings.
const COLUMNS: [&str; 28] = [
    "doc",
    "rule",
    "level",
    "known",
    "cause",
    "line",
    "column",
    "element",
    "attr",
    "raw",
    "url",
    "rfc1808",
    "rfc3986",
    "whatwg",
    "base",
    "source",
    "baseAt",
    "target",
    "message",
    "suggestions",
    "before",
    "value",
    "after",
    "old",
    "next",
    "expected",
    "via",
    "hops",
];

/// A finding: the indices of its document, rule and level, its line and column, and for the rest
/// indices of strings.
type Row = [u32; COLUMNS.len()];

/// The data to show.
#[derive(Default)]
pub(super) struct Data {
    strings: Strings,
    rules: Vec<&'static Rule>,
    /// The documents with findings: the index of the name, and the number of links.
    documents: Vec<(u32, u64)>,
    /// Those without, by folder: the number of documents and of links.
    clean: BTreeMap<String, (u64, u64)>,
    /// The current document, while it has no finding.
    pending: Option<(String, u64)>,
    /// The findings of each of [`Level::REPORTED`].
    rows: [Vec<Row>; 3],
    seen: u64,
    mails: MessageCards,
}

impl Data {
    /// Keeps a message to be shown as a card.
    pub(super) fn message_summary(&mut self, message: &MessageSummary, is_defanged: bool) {
        self.mails.add(message, &mut self.strings, is_defanged);
    }

    /// Begins a document.
    pub(super) fn document(&mut self, page: &PageName, links: u64) {
        self.leave();
        self.pending = Some((page.doc.clone(), links));
    }

    /// Counts the current document as one without findings, if it has none.
    fn leave(&mut self) {
        let Some((name, links)) = self.pending.take() else {
            return;
        };
        let folder = name.rsplit_once('/').map_or("", |(folder, _)| folder);
        let (documents, all) = self.clean.entry(folder.to_owned()).or_default();
        *documents += 1;
        *all += links;
    }

    /// Adds a finding of the current document.
    pub(super) fn finding(&mut self, finding: &Finding) {
        self.seen += 1;
        let Some(level) = Level::REPORTED.iter().position(|&l| l == finding.level) else {
            return;
        };
        let room = match finding.level {
            Level::Error => STRINGS,
            Level::Warning => STRINGS / 4 * 3,
            Level::Note | Level::Off => STRINGS / 2,
        };
        let doc = self.number_of(&finding.page.doc);
        if self.rows[level].len() < FINDINGS && self.strings.bytes < room {
            let row = self.row(doc, level, finding);
            self.rows[level].push(row);
        }
    }

    /// The index of the document that a finding is in.
    fn number_of(&mut self, name: &str) -> u32 {
        let links = match self.pending.take() {
            Some((pending, links)) if pending == name => Some(links),
            other => {
                self.pending = other;
                None
            }
        };
        let string = self.strings.number(name);
        let is_last = self
            .documents
            .last()
            .is_some_and(|&(last, _)| last == string);
        if links.is_some() || !is_last {
            self.documents.push((string, links.unwrap_or(0)));
        }
        small(self.documents.len() - 1)
    }

    fn row(&mut self, doc: u32, level: usize, finding: &Finding) -> Row {
        let rule = self.rule(finding.rule);
        let [line, column] = match &finding.at {
            Some(at) => [at.line.get(), at.column.get()],
            None => [0, 0],
        };
        let [before, value, after] = self.excerpt(finding.excerpt().as_deref());
        let strings = &mut self.strings;
        let mut text = |text: &str| strings.number(text);
        let urls = finding.each_url();
        let [rfc1808, rfc3986, whatwg] = urls.map(|url| text(url.unwrap_or_default()));
        let base = finding.base.as_deref();
        let moved = finding.moved.as_deref();
        let url = |url: Option<&Option<String>>| url.cloned().flatten().unwrap_or_default();
        [
            doc,
            rule,
            small(level),
            finding.known.into(),
            text(words::cause(finding)),
            line,
            column,
            text(finding.element()),
            text(finding.attr()),
            text(&finding.raw),
            text(finding.url.as_deref().unwrap_or_default()),
            rfc1808,
            rfc3986,
            whatwg,
            text(&url(base.map(|base| &base.url))),
            text(base.map_or("", |base| base.source)),
            text(base.map_or("", |base| &base.at)),
            text(finding.target.as_deref().unwrap_or_default()),
            text(&finding.message),
            text(&finding.suggestions().join("\n")),
            before,
            value,
            after,
            text(&url(moved.map(|moved| &moved.old_url))),
            text(&url(moved.map(|moved| &moved.new_url))),
            text(&url(moved.map(|moved| &moved.expected))),
            text(moved.map_or("", |moved| moved.via)),
            text(&moved.map_or(String::new(), |moved| moved.hops.join("\n"))),
        ]
    }

    fn rule(&mut self, rule: &'static Rule) -> u32 {
        let index = self.rules.iter().position(|known| known.id == rule.id);
        small(index.unwrap_or_else(|| {
            self.rules.push(rule);
            self.rules.len() - 1
        }))
    }

    /// The text before the value, the value, and the text after it.
    fn excerpt(&mut self, excerpt: Option<&Excerpt>) -> [u32; 3] {
        let Some(Excerpt { text, value, .. }) = excerpt else {
            return [0; 3];
        };
        if self.strings.bytes > STRINGS / 2 {
            return [0; 3];
        }
        [0..value.start, value.clone(), value.end..text.len()]
            .map(|range| self.strings.number(text.get(range).unwrap_or_default()))
    }

    /// Writes everything as JSON that is safe in a `script` element.
    pub(super) fn write(
        &mut self,
        head: &Head,
        options: Options,
        summary: &Summary,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        self.leave();
        let rows: Vec<&Row> = self.rows.iter().flatten().take(FINDINGS).collect();
        let kept = rows.len() as u64;
        let verdict = summary.verdict_line();
        let page = Page {
            command: head.command,
            version: env!("CARGO_PKG_VERSION"),
            lines: head
                .lines
                .iter()
                .chain(&summary.lines)
                .map(|line| shown(line))
                .collect(),
            verdict: &shown(&verdict),
            moved: head.moved,
            live: options.live_links,
            level: options.level.as_str(),
            summary: Numbers::new(head.command, summary),
            classes: summary
                .classes
                .iter()
                .map(|c| (c.name, c.links, c.note.as_str(), c.about, c.short))
                .collect(),
            rules: self.rules.iter().map(|rule| RuleText::new(rule)).collect(),
            strings: self.strings.in_order(),
            documents: DocumentColumns(&self.documents),
            clean: self
                .clean
                .iter()
                .map(|(folder, (d, l))| (shown(folder), *d, *l))
                .collect(),
            mails: &self.mails,
            findings: Columns(&rows),
            count: kept,
            left: self.seen - kept,
        };
        let mut serializer = serde_json::Serializer::with_formatter(out, InScript);
        Ok(page.serialize(&mut serializer)?)
    }
}

#[derive(Serialize)]
struct Page<'d> {
    command: &'d str,
    version: &'d str,
    lines: Vec<std::borrow::Cow<'d, str>>,
    verdict: &'d str,
    moved: bool,
    live: bool,
    level: &'d str,
    summary: Numbers<'d>,
    classes: Vec<(&'d str, u64, &'d str, &'static str, &'static str)>,
    rules: Vec<RuleText>,
    strings: Vec<&'d str>,
    documents: DocumentColumns<'d>,
    clean: Vec<(std::borrow::Cow<'d, str>, u64, u64)>,
    mails: &'d MessageCards,
    findings: Columns<'d>,
    count: u64,
    left: u64,
}

#[derive(Serialize)]
struct RuleText {
    id: &'static str,
    summary: &'static str,
    explanation: &'static str,
    reference: &'static str,
    example: String,
}

impl RuleText {
    fn new(rule: &Rule) -> Self {
        Self {
            id: rule.id,
            summary: rule.summary,
            explanation: rule.explanation,
            reference: rule.reference,
            example: rule.example.to_string(),
        }
    }
}

/// Documents as two columns.
struct DocumentColumns<'d>(&'d [(u32, u64)]);

impl Serialize for DocumentColumns<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (names, links): (Vec<u32>, Vec<u64>) = self.0.iter().copied().unzip();
        let mut map = serializer.serialize_map(Some(2))?;
        map.serialize_entry("name", &names)?;
        map.serialize_entry("links", &links)?;
        map.end()
    }
}

/// Rows as columns, without empty columns.
struct Columns<'d>(&'d [&'d Row]);

impl Serialize for Columns<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for (index, name) in COLUMNS.iter().enumerate() {
            let column: Vec<u32> = self.0.iter().map(|row| row[index]).collect();
            if column.iter().any(|&number| number > 0) {
                map.serialize_entry(name, &column)?;
            }
        }
        map.end()
    }
}
