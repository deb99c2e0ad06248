//! The outputs of the checking commands: findings in, bytes out.
//!
//! One writer per file, each with a beginning, records and an end. A writer that needs all the
//! findings before it can write keeps what it needs, within a named limit.

mod columns;
mod csv;
mod defanged;
mod github;
pub mod html;
mod jsonl;
mod junit;
mod links;
mod markdown;
pub mod rules;
mod sarif;
#[cfg(test)]
mod tests;
mod text;
mod words;
mod writer;

use std::io::{self, Write};

use self::writer::Writer;
use baseref_findings::{Excerpts, Finding, JudgedLink, Level, MessageSummary, PageName, Summary};

pub use columns::{Findings, columns};
pub use links::JudgedLinks;
pub use writer::{Head, Options};

/// The output formats.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Format {
    /// For people, on a terminal or in a log.
    #[default]
    Text,
    /// One JSON object per line.
    Jsonl,
    /// Comma-separated values with a header line (RFC 4180).
    Csv,
    /// The Static Analysis Results Interchange Format 2.1.0.
    Sarif,
    /// GitHub Actions workflow commands.
    Github,
    /// `JUnit` XML, with one test suite per document.
    Junit,
    /// A summary for a pull request.
    Markdown,
    /// One page for a browser.
    Html,
}

impl Format {
    /// Every format, the default one first.
    pub const ALL: [Self; 8] = [
        Self::Text,
        Self::Jsonl,
        Self::Csv,
        Self::Sarif,
        Self::Github,
        Self::Junit,
        Self::Markdown,
        Self::Html,
    ];

    /// The name on the command line.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Jsonl => "jsonl",
            Self::Csv => "csv",
            Self::Sarif => "sarif",
            Self::Github => "github",
            Self::Junit => "junit",
            Self::Markdown => "markdown",
            Self::Html => "html",
        }
    }

    /// The format of that name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|form| form.as_str() == name)
    }

    /// What it is for, in a few words.
    #[must_use]
    pub const fn about(self) -> &'static str {
        match self {
            Self::Text => "For people",
            Self::Jsonl => "One JSON object per line",
            Self::Csv => "Comma-separated values with a header line",
            Self::Sarif => "SARIF 2.1.0",
            Self::Github => "Commands for GitHub Actions",
            Self::Junit => "JUnit XML, as read by build servers",
            Self::Markdown => "A summary for a pull request",
            Self::Html => "A page for a browser",
        }
    }

    fn writer(self, head: Head, options: Options) -> Box<dyn Writer + Send> {
        match self {
            Self::Text => Box::new(text::Text::new(head, options)),
            Self::Jsonl => Box::new(jsonl::Jsonl::new(&head)),
            Self::Csv => Box::new(csv::Csv::new(&head)),
            Self::Sarif => Box::new(sarif::Sarif::new(head, options)),
            Self::Github => Box::new(github::Github::new(options)),
            Self::Junit => Box::new(junit::Junit::new(&head, options)),
            Self::Markdown => Box::new(markdown::Markdown::new(head, options)),
            Self::Html => Box::new(html::Html::new(head, options)),
        }
    }
}

/// A report being written.
pub struct Report {
    format: Format,
    level: Level,
    requested: bool,
    group: bool,
    is_defanged: bool,
    writer: Box<dyn Writer + Send>,
}

impl Report {
    /// A new report.
    #[must_use]
    pub fn new(format: Format, head: Head, options: Options) -> Self {
        Self {
            format,
            level: options.level,
            requested: options.requested,
            group: options.group,
            is_defanged: options.is_defanged,
            writer: format.writer(head, options),
        }
    }

    /// Which lines of the source the report shows.
    #[must_use]
    pub fn excerpts(&self) -> Excerpts {
        match self.format {
            Format::Text if self.group => Excerpts::Examples,
            // SARIF needs the line to find the end of the value in it.
            Format::Html | Format::Sarif | Format::Text => Excerpts::All,
            Format::Jsonl | Format::Csv | Format::Github | Format::Junit | Format::Markdown => {
                Excerpts::None
            }
        }
    }

    /// The lightest level that the report shows.
    #[must_use]
    pub fn level(&self) -> Level {
        self.level
    }

    /// Whether it shows findings of rules that the user turned on at any level.
    #[must_use]
    pub fn shows_requested(&self) -> bool {
        self.requested
    }

    /// Whether the report may say where in the source of its page a finding is.
    #[must_use]
    pub fn may_name_source(&self, finding: &Finding) -> bool {
        self.shows(finding) && self.writer.may_name_source(finding)
    }

    /// Whether the level of a finding is shown, or its rule was turned on by the user.
    fn shows(&self, finding: &Finding) -> bool {
        let is_requested = self.requested && finding.rule.level == Level::Off;
        finding.level >= self.level || is_requested && finding.level != Level::Off
    }

    /// Writes what precedes the first document.
    pub fn begin(&mut self, out: &mut Vec<u8>) {
        self.writer.begin(out);
    }

    /// Writes a document: the number of links judged, and its findings after
    /// [`baseref_findings::Triage`].
    pub fn document(
        &mut self,
        page: &PageName,
        links: u64,
        findings: &[Finding],
        out: &mut Vec<u8>,
    ) {
        self.writer.document(page, links, out);
        self.findings(findings, out);
    }

    /// Whether it shows messages as cards.
    #[must_use]
    pub fn shows_message_summaries(&self) -> bool {
        self.format == Format::Html
    }

    /// Shows a message as a card, if the format has any.
    pub fn message_summary(&mut self, summary: &MessageSummary) {
        self.writer.message_summary(summary);
    }

    /// Writes links of a document, if the format has a place for them; call before
    /// [`Self::document`].
    pub fn links(&mut self, page: &PageName, links: &[JudgedLink], out: &mut Vec<u8>) {
        for link in links {
            if self.is_defanged {
                self.writer.link(page, &defanged::link(link), out);
            } else {
                self.writer.link(page, link, out);
            }
        }
    }

    /// Writes findings that do not belong to a document that was read.
    pub fn findings(&mut self, findings: &[Finding], out: &mut Vec<u8>) {
        for finding in findings {
            // SARIF can express that a finding was allowed; elsewhere it is only counted.
            let hidden = finding.allowed().is_some() && self.format != Format::Sarif;
            if !self.shows(finding) || hidden {
                continue;
            }
            if self.is_defanged {
                self.writer.finding(&defanged::finding(finding), out);
            } else {
                self.writer.finding(finding, out);
            }
        }
    }

    /// Writes what follows the last document, in many small pieces.
    ///
    /// # Errors
    /// If `out` fails.
    pub fn end(&mut self, summary: &Summary, out: &mut dyn Write) -> io::Result<()> {
        self.writer.end(summary, out)
    }
}
