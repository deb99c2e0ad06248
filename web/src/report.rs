//! The report of `baseref audit`.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;

use baseref_audit::run::{AuditError, AuditRequest, Plan};
use baseref_document::ReadError;
use baseref_files::Files;
use baseref_findings::judging::ConfigFile;
use baseref_findings::{
    Config, Excerpts, Finding, FindingSink, JudgedLink, Level, MessageSummary, PageName,
    SettingsError, Shown, SinkError, Summary, Triage, judging,
};
use baseref_report::findings::{Format as ReportFormat, Head, Options, Report};
use time::{Date, Month};

use crate::answer::Answer;
use crate::request::{Format, Request};
use crate::trouble;

/// Why a request has no result.
#[derive(Debug, thiserror::Error)]
pub enum RequestError {
    /// The audit cannot be planned or run.
    #[error(transparent)]
    Audit(#[from] AuditError),
    /// The settings cannot be used.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// The report cannot be written.
    #[error(transparent)]
    Report(#[from] std::io::Error),
}

/// How many bytes of a report are gathered before they are handed on.
const LARGE: usize = 256 * 1024;

/// How many names a subject has.
const NAMED: usize = 3;

/// Audits what was chosen, and hands on the report.
///
/// # Errors
/// If nothing was checked.
pub(crate) fn run(
    request: &Request,
    files: &Arc<Files>,
    answer: &mut dyn Answer,
) -> Result<(), RequestError> {
    let known = judging::with_common_rules(baseref_audit::rules::ALL);
    let config = Config {
        hosting: request.hosting.clone(),
        ..Config::default()
    };
    let audit = AuditRequest {
        paths: request.paths.clone(),
        links: request.links.classes(),
        rules: request.rules.into(),
        url: request.url.clone(),
        ..AuditRequest::default()
    };
    let planned = Plan::new(audit, &config, files)?;
    let head = Head {
        command: "audit",
        subject: subject(&request.paths),
        rules: known.clone(),
        lines: planned.head(),
        ..Head::default()
    };
    let format = match request.format {
        Format::Jsonl => ReportFormat::Jsonl,
        Format::Csv => ReportFormat::Csv,
        Format::Html => ReportFormat::Html,
    };
    let by_default = Options::default();
    let options = Options {
        is_defanged: request.defang,
        level: if request.all_levels {
            Level::Note
        } else {
            by_default.level
        },
        ..by_default
    };
    let asked = judging::FindingOptions::default();
    let triage = judging::triage(
        &asked,
        ConfigFile {
            config,
            path: PathBuf::from("baseref.toml"),
        },
        &known,
        day(request.day.as_deref()),
        files,
    );
    let mut taking = ReportSink {
        report: Report::new(format, head, options),
        triage: triage?,
        buffer: Vec::new(),
        answer,
    };
    let audited = planned.run(NonZeroUsize::MIN, &mut taking);
    taking.finish(audited?.summary)
}

/// The day; without one that is understood, the first that there is. Only exceptions that end on a
/// day ask for it, and the page has none.
fn day(written: Option<&str>) -> Date {
    let parsed = written.and_then(|day| {
        let mut parts = day.splitn(3, '-');
        let year = parts.next()?.parse().ok()?;
        let month = Month::try_from(parts.next()?.parse::<u8>().ok()?).ok()?;
        Date::from_calendar_date(year, month, parts.next()?.parse().ok()?).ok()
    });
    parsed.unwrap_or(Date::MIN)
}

/// What a report is about.
fn subject(paths: &[PathBuf]) -> String {
    let shown = |path: &PathBuf| path.display().to_string();
    let mut named: Vec<String> = paths.iter().take(NAMED).map(shown).collect();
    if paths.len() > NAMED {
        named.push(format!("and {} more", paths.len() - NAMED));
    }
    named.join(", ")
}

/// Takes the findings into a report.
struct ReportSink<'t> {
    report: Report,
    triage: Triage,
    buffer: Vec<u8>,
    answer: &'t mut dyn Answer,
}

impl ReportSink<'_> {
    fn flush_if_large(&mut self) {
        if self.buffer.len() >= LARGE {
            self.answer.bytes(&self.buffer);
            self.buffer.clear();
        }
    }

    fn finish(mut self, mut summary: Summary) -> Result<(), RequestError> {
        let about_config = self.triage.finish(summary.unreadable == 0);
        self.report.findings(&about_config, &mut self.buffer);
        summary.totals = self.triage.totals();
        let mut end = ReportTail {
            buffer: self.buffer,
            answer: self.answer,
        };
        self.report.end(&summary, &mut end)?;
        end.answer.bytes(&end.buffer);
        Ok(())
    }
}

/// What follows the findings, in many small pieces.
struct ReportTail<'h> {
    buffer: Vec<u8>,
    answer: &'h mut dyn Answer,
}

impl std::io::Write for ReportTail<'_> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.buffer.extend_from_slice(bytes);
        if self.buffer.len() >= LARGE {
            self.answer.bytes(&self.buffer);
            self.buffer.clear();
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl FindingSink for ReportSink<'_> {
    fn excerpts(&self) -> Excerpts {
        self.report.excerpts()
    }

    fn shown(&self) -> Shown {
        Shown {
            excerpts: self.excerpts(),
            level: self.report.level(),
            levels: self.triage.levels().clone(),
            requested: self.report.shows_requested(),
            message_summaries: self.report.shows_message_summaries(),
        }
    }

    fn begin(&mut self) -> Result<(), SinkError> {
        self.report.begin(&mut self.buffer);
        Ok(())
    }

    fn links(&mut self, page: &PageName, links: &[JudgedLink]) -> Result<(), SinkError> {
        self.report.links(page, links, &mut self.buffer);
        self.flush_if_large();
        Ok(())
    }

    fn document(
        &mut self,
        page: &PageName,
        links: u64,
        mut findings: Vec<Finding>,
    ) -> Result<(), SinkError> {
        self.triage.document(&mut findings);
        self.report
            .document(page, links, &findings, &mut self.buffer);
        self.flush_if_large();
        Ok(())
    }

    fn message_summary(&mut self, summary: &MessageSummary) {
        self.report.message_summary(summary);
    }

    fn remark(&mut self, error: &ReadError) {
        let mut line = Vec::new();
        trouble::error(error, &mut line);
        self.answer.troubles(&line);
    }

    fn findings(&mut self, mut findings: Vec<Finding>) -> Result<(), SinkError> {
        self.triage.document(&mut findings);
        self.report.findings(&findings, &mut self.buffer);
        self.flush_if_large();
        Ok(())
    }
}
