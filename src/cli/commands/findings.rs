//! Common to the checking commands: findings are judged, counted and written.

use std::env;
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};

use time::{Date, OffsetDateTime};

use crate::checks::{Take, judging};
use crate::cli::config::has_color;
use crate::cli::findings_args::{FindingsArgs, OutFormat};
use crate::cli::message::{Form, Message, Messages, Verbosity};
use crate::cli::outcome::{Outcome, Usage};
use crate::error::ReadError;
use crate::findings::{
    Config, Excerpts, Finding, JudgedLink, Level, PageName, Rule, Shown, Summary, Triage,
};
use crate::nearest::nearest;
use crate::outfile::OutputFile;
use crate::report::findings::{Format, Head, Options, Report, rules};
use crate::walk::FileId;

/// The name of standard output in messages.
const STDOUT: &str = "standard output";

/// How many bytes of a report are buffered before they are written.
const BUFFER: usize = 256 * 1024;

/// Prints the list of rules, or explains one, if requested; returns whether it was.
///
/// # Errors
/// If there is no such rule.
pub(super) fn print_about_rules(
    arguments: &FindingsArgs,
    known: &[&'static Rule],
) -> Result<bool, Usage> {
    let text = if arguments.list_rules {
        rules::list(known)
    } else if let Some(id) = &arguments.explain {
        let rule = known.iter().find(|rule| rule.id == id);
        let rule = rule.ok_or_else(|| Usage(no_rule(id, known)))?;
        rules::explain(rule)
    } else {
        return Ok(false);
    };
    // A closed pipe is not an error: the reader has had enough.
    let mut out = OutputFile::stdout();
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.commit());
    Ok(true)
}

fn no_rule(id: &str, known: &[&'static Rule]) -> String {
    match nearest(id, known.iter().map(|rule| rule.id)) {
        Some(meant) => format!("no rule `{id}`; did you mean `{meant}`?"),
        None => format!("no rule `{id}`: --list-rules lists them"),
    }
}

/// The outputs of a checking command, and the triage of its findings.
pub(super) struct Checked {
    triage: Triage,
    outputs: Vec<ReportFile>,
    new_baseline: Option<PathBuf>,
    fail_on: Option<Level>,
    /// What was remarked on inputs.
    remarks: Vec<Message>,
    messages: Messages,
}

struct ReportFile {
    report: Report,
    file: OutputFile,
    /// For messages.
    name: String,
    buffer: Vec<u8>,
}

impl Checked {
    /// Opens the outputs. None of them may be in one of the `trees`.
    ///
    /// # Errors
    /// If the configuration, the baseline or an output is unusable.
    pub(super) fn new(
        arguments: &FindingsArgs,
        config: (Config, PathBuf),
        head: &Head,
        trees: &[PathBuf],
    ) -> Result<Self, Usage> {
        let request = judging::Request {
            rule: &arguments.rule,
            allow: &arguments.allow,
            baseline: arguments.baseline.as_deref(),
            baseline_strict: arguments.baseline_strict,
        };
        let mut triage = judging::triage(&request, config, &head.rules, today()?)?;
        if arguments.write_baseline.is_some() {
            triage.record(level(arguments));
        }
        let head = Head {
            baseline: arguments.baseline.is_some(),
            ..head.clone()
        };
        Ok(Self {
            triage,
            outputs: outputs(arguments, &head, trees)?,
            new_baseline: arguments.write_baseline.clone(),
            fail_on: arguments.fail_on.into(),
            remarks: Vec::new(),
            messages: messages(arguments),
        })
    }

    /// Keeps standard output free for something else.
    pub(super) fn keep_off_stdout(&mut self) {
        self.outputs.retain(|output| output.name != STDOUT);
    }

    /// Says what was remarked on inputs.
    pub(super) fn tell(&mut self) {
        let mut remarks = std::mem::take(&mut self.remarks);
        remarks.extend(Message::passed_over(&remarks, true));
        self.messages.end(&remarks);
    }

    fn write(&mut self, findings: &[Finding]) -> Result<(), Usage> {
        for output in &mut self.outputs {
            output.report.findings(findings, &mut output.buffer);
            output.relieve(BUFFER)?;
        }
        Ok(())
    }

    /// Writes what follows the findings, moves the files into place, and returns the outcome; the
    /// totals of the summary are filled in here.
    ///
    /// # Errors
    /// If an output cannot be written.
    pub(super) fn finish(mut self, mut summary: Summary) -> Result<Outcome, Usage> {
        let about_config = self.triage.finish();
        self.write(&about_config)?;
        summary.totals = self.triage.totals();
        let fails = self
            .fail_on
            .is_some_and(|level| summary.totals.fails(level));
        for output in &mut self.outputs {
            output.report.end(&summary, &mut output.buffer);
            output.relieve(0)?;
        }
        if let (Some(path), Some(baseline)) = (&self.new_baseline, self.triage.into_baseline()) {
            let no_output = |error: std::io::Error| Usage(format!("{}: {error}", path.display()));
            let mut file = OutputFile::create(path).map_err(no_output)?;
            file.write_all(&baseline).map_err(no_output)?;
            file.commit().map_err(no_output)?;
        }
        for output in self.outputs {
            let name = output.name;
            let failed = |error: std::io::Error| Usage(format!("{name}: {error}"));
            output
                .file
                .commit()
                .or_else(unless_closed)
                .map_err(failed)?;
        }
        Ok(if summary.unreadable > 0 {
            let text = format!(
                "{} could not be read, or not to the end",
                summary.unreadable
            );
            self.messages.end(&[Message::error("unread", text)]);
            Outcome::Unread
        } else if fails {
            Outcome::Findings
        } else {
            Outcome::Done
        })
    }
}

impl Take for Checked {
    fn excerpts(&self) -> Excerpts {
        let outputs = self.outputs.iter();
        let wanted = outputs.map(|output| output.report.excerpts()).max();
        wanted.unwrap_or_default()
    }

    fn shown(&self) -> Shown {
        let outputs = self.outputs.iter();
        let lightest = outputs.map(|output| output.report.level()).min();
        Shown {
            excerpts: self.excerpts(),
            level: lightest.unwrap_or_default(),
            levels: self.triage.levels().clone(),
        }
    }

    fn replaces(&self) -> Vec<FileId> {
        let files = self.outputs.iter();
        files.filter_map(|output| output.file.replaces()).collect()
    }

    fn written(&self) -> Vec<FileId> {
        let files = self.outputs.iter();
        files.filter_map(|output| output.file.temporary()).collect()
    }

    fn begin(&mut self) -> Result<(), Usage> {
        for output in &mut self.outputs {
            output.report.begin(&mut output.buffer);
            output.relieve(BUFFER)?;
        }
        Ok(())
    }

    fn links(&mut self, page: &PageName, links: &[JudgedLink]) -> Result<(), Usage> {
        for output in &mut self.outputs {
            output.report.links(page, links, &mut output.buffer);
            output.relieve(BUFFER)?;
        }
        Ok(())
    }

    fn document(
        &mut self,
        page: &PageName,
        links: u64,
        mut findings: Vec<Finding>,
    ) -> Result<(), Usage> {
        self.triage.document(&mut findings);
        for output in &mut self.outputs {
            let buffer = &mut output.buffer;
            output.report.document(page, links, &findings, buffer);
            output.relieve(BUFFER)?;
        }
        Ok(())
    }

    fn remark(&mut self, error: &ReadError) {
        self.remarks.push(Message::of_error(error));
    }

    fn findings(&mut self, mut findings: Vec<Finding>) -> Result<(), Usage> {
        self.triage.document(&mut findings);
        self.write(&findings)
    }
}

impl ReportFile {
    /// Writes the buffer if it holds more than `room`.
    fn relieve(&mut self, room: usize) -> Result<(), Usage> {
        if self.buffer.len() <= room {
            return Ok(());
        }
        let written = self.file.write_all(&self.buffer).or_else(unless_closed);
        self.buffer.clear();
        written.map_err(|error| Usage(format!("{}: {error}", self.name)))
    }
}

/// A closed pipe is not an error: the reader has had enough.
fn unless_closed(error: std::io::Error) -> std::io::Result<()> {
    if error.kind() == std::io::ErrorKind::BrokenPipe {
        Ok(())
    } else {
        Err(error)
    }
}

/// The messages that the user wants.
pub(super) fn messages(arguments: &FindingsArgs) -> Messages {
    let verbosity = match (arguments.quiet, arguments.verbose) {
        (true, _) => Verbosity::Quiet,
        (_, true) => Verbosity::Verbose,
        (false, false) => Verbosity::Normal,
    };
    Messages::new(verbosity, Form::Text)
}

/// The lowest level shown: findings that make the command fail always are.
fn level(arguments: &FindingsArgs) -> Level {
    let fails: Option<Level> = arguments.fail_on.into();
    let default = fails.unwrap_or_default().min(Level::Error);
    arguments.level.map_or(default, Level::from)
}

fn outputs(
    arguments: &FindingsArgs,
    head: &Head,
    trees: &[PathBuf],
) -> Result<Vec<ReportFile>, Usage> {
    let first = (arguments.format, arguments.output.as_deref());
    let others = arguments
        .out
        .iter()
        .filter_map(|(format, path)| match format {
            OutFormat::Report(format) => Some((*format, Some(path.as_path()))),
            OutFormat::UrlMap | OutFormat::Redirects(_) => None,
        });
    let mut seen = Vec::new();
    let mut outputs = Vec::new();
    for (format, path) in std::iter::once(first).chain(others) {
        let is_terminal = path.is_none() && std::io::stdout().is_terminal();
        let options = Options {
            level: level(arguments),
            fail_on: arguments.fail_on.into(),
            group: !arguments.no_group,
            groups: arguments.groups.0,
            color: has_color(arguments.color, is_terminal),
            sarif_max: arguments.sarif_max,
            live_links: arguments.live_links,
        };
        let name = path.map_or_else(|| STDOUT.to_owned(), |path| path.display().to_string());
        let file = match path {
            None => OutputFile::stdout_with_styles(options.color && format == Format::Text),
            Some(path) => {
                refuse_within(path, trees)?;
                OutputFile::create(path).map_err(|error| Usage(format!("{name}: {error}")))?
            }
        };
        if let Some(path) = path {
            if seen.contains(&path) {
                return Err(Usage(format!("{name}: two reports in one file")));
            }
            seen.push(path);
        }
        outputs.push(ReportFile {
            report: Report::new(format, head.clone(), options),
            file,
            name,
            buffer: Vec::new(),
        });
    }
    Ok(outputs)
}

/// A report in the tree that it is about would be part of it the next time.
pub(super) fn refuse_within(path: &Path, trees: &[PathBuf]) -> Result<(), Usage> {
    let folder = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    let Ok(folder) = folder.canonicalize() else {
        return Ok(());
    };
    let is_within = |tree: &&PathBuf| {
        let tree = tree.canonicalize();
        tree.is_ok_and(|tree| folder.starts_with(tree))
    };
    match trees.iter().find(is_within) {
        Some(tree) => Err(Usage(format!(
            "{}: a report must not be in {}, the tree that it is about",
            path.display(),
            tree.display()
        ))),
        None => Ok(()),
    }
}

/// The day in UTC, by `SOURCE_DATE_EPOCH` or the clock.
fn today() -> Result<Date, Usage> {
    match env::var("SOURCE_DATE_EPOCH") {
        Ok(epoch) => judging::day_of_epoch(&epoch),
        Err(_) => Ok(OffsetDateTime::now_utc().date()),
    }
}
