//! The outputs of the commands that check: findings in, bytes out.
//!
//! One writer a file, each with a beginning, records and an end. A writer that has to know
//! everything before it can say anything keeps what it needs, under a limit that it names.

mod columns;
mod csv;
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

use self::writer::Writer;
use crate::findings::{Excerpts, Finding, JudgedLink, Level, PageName, Summary};

pub use columns::{Findings, columns};
pub use links::JudgedLinks;
pub use writer::{Head, Options};

/// The forms of output.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Format {
    /// For people, on a terminal or in a log.
    #[default]
    Text,
    /// One JSON object a line.
    Jsonl,
    /// Comma-separated values with a header line (RFC 4180).
    Csv,
    /// The Static Analysis Results Interchange Format 2.1.0.
    Sarif,
    /// Workflow commands of GitHub Actions.
    Github,
    /// The XML of `JUnit`, one test suite a document.
    Junit,
    /// A summary for a pull request.
    Markdown,
    /// One page for a browser.
    Html,
}

impl Format {
    /// Every form, the default first.
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

    /// The form of that name.
    #[must_use]
    pub fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|form| form.as_str() == name)
    }

    /// What it is for, in a few words.
    #[must_use]
    pub const fn about(self) -> &'static str {
        match self {
            Self::Text => "For people",
            Self::Jsonl => "One JSON object a line",
            Self::Csv => "Comma-separated values with a header line",
            Self::Sarif => "SARIF 2.1.0",
            Self::Github => "Commands for GitHub Actions",
            Self::Junit => "XML of test results, as build servers read it",
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

/// A report in the making.
pub struct Report {
    format: Format,
    level: Level,
    group: bool,
    writer: Box<dyn Writer + Send>,
}

impl Report {
    /// A report that has not begun.
    #[must_use]
    pub fn new(format: Format, head: Head, options: Options) -> Self {
        Self {
            format,
            level: options.level,
            group: options.group,
            writer: format.writer(head, options),
        }
    }

    /// Which lines of the source the report shows.
    #[must_use]
    pub fn excerpts(&self) -> Excerpts {
        match self.format {
            Format::Text if self.group => Excerpts::Examples,
            // For SARIF a line tells where in it the value ends.
            Format::Html | Format::Sarif | Format::Text => Excerpts::All,
            Format::Jsonl | Format::Csv | Format::Github | Format::Junit | Format::Markdown => {
                Excerpts::None
            }
        }
    }

    /// Writes what stands before the first document.
    pub fn begin(&mut self, out: &mut Vec<u8>) {
        self.writer.begin(out);
    }

    /// Writes a document that was read: the number of its links that were judged, and its
    /// findings after [`crate::findings::Triage`].
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

    /// Writes links of a document that was read, where the form has a place for them; to be called
    /// before [`Self::document`].
    pub fn links(&mut self, page: &PageName, links: &[JudgedLink], out: &mut Vec<u8>) {
        for link in links {
            self.writer.link(page, link, out);
        }
    }

    /// Writes findings that are not of a document that was read.
    pub fn findings(&mut self, findings: &[Finding], out: &mut Vec<u8>) {
        for finding in findings {
            // SARIF has a way to say that something was allowed; elsewhere it is counted.
            let hidden = finding.allowed.is_some() && self.format != Format::Sarif;
            if finding.level >= self.level && !hidden {
                self.writer.finding(finding, out);
            }
        }
    }

    /// Writes what stands after the last document.
    pub fn end(&mut self, summary: &Summary, out: &mut Vec<u8>) {
        self.writer.end(summary, out);
    }
}
