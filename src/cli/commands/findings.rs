//! Shared by the checking commands: counts findings and writes them to the outputs.

use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::PathBuf;
use std::sync::Arc;

use super::fixing::{commit_written, unless_closed};
use crate::cli::args::findings::{FindingsArgs, OutFormat};
use crate::cli::clock::today;
use crate::cli::config::has_color;
use crate::cli::error::CommandError;
use crate::cli::message::{Form, Message, Messages, Verbosity};
use crate::cli::outcome::Outcome;
use crate::cli::terminal::terminal_columns;
use baseref_audit::run::fixing::Replacements;
use baseref_document::ReadError;
use baseref_files::commit::commit;
use baseref_files::folder::NewFolder;
use baseref_files::output::OutputFile;
use baseref_files::{Files, OutputError};
use baseref_findings::judging::ConfigFile;
use baseref_findings::nearest::nearest;
use baseref_findings::sources::{SourceMap, Sources};
use baseref_findings::words::plural;
use baseref_findings::{
    BaselineCounts, Earlier, Excerpts, Finding, FindingSink, JudgedLink, Level, MessageSummary,
    PageName, Rule, Shown, SinkError, Summary, Triage, judging,
};
use baseref_report::findings::{Format, Head, Options, Report, rules};

/// How many bytes of a report are buffered before they are written.
const BUFFER: usize = 256 * 1024;

/// How many findings are written into the buffer at a time.
const AT_ONCE: usize = 256;

/// Prints the list of rules, or explains one, if requested; returns whether it was.
///
/// # Errors
/// If the rule does not exist.
pub(super) fn print_about_rules(
    arguments: &FindingsArgs,
    known: &[&'static Rule],
    files: &Arc<Files>,
) -> Result<bool, CommandError> {
    let text = if arguments.list_rules {
        rules::list(known, terminal_columns(io::stdout()))
    } else if let Some(id) = &arguments.explain {
        let rule = known.iter().find(|rule| rule.id == id);
        let rule = rule.ok_or_else(|| CommandError::NoRule {
            id: id.clone(),
            suggestion: nearest(id, known.iter().map(|rule| rule.id)),
        })?;
        rules::explain(rule)
    } else {
        return Ok(false);
    };
    let mut output = files.stdout();
    let written = output.write_all(text.as_bytes());
    commit_written(output, written)?;
    Ok(true)
}

/// The outputs of a checking command, and the triage of its findings.
pub(super) struct CheckOutputs {
    triage: Triage,
    outputs: Vec<ReportFile>,
    new_baseline: Option<OutputFile>,
    fail_on: Option<Level>,
    /// How many inputs could not be read before the check. If the earlier state could not be read, its
    /// findings count as new.
    unread_before: u64,
    /// Whether a link has no base.
    lacks_base: bool,
    /// Remarks on the inputs.
    remarks: Vec<Message>,
    /// The links to be replaced, if any are.
    replacements: Option<Replacements>,
    /// The positions of findings in the sources of generated pages.
    sources: Sources,
    files: Arc<Files>,
    messages: Messages,
}

struct ReportFile {
    report: Report,
    file: OutputFile,
    is_stdout: bool,
    buffer: Vec<u8>,
}

impl CheckOutputs {
    /// Opens the outputs. None of them may be in one of the `trees`.
    ///
    /// # Errors
    /// If the configuration, the baseline or an output is unusable.
    pub(super) fn new(
        arguments: &FindingsArgs,
        config: ConfigFile,
        head: &Head,
        trees: &[PathBuf],
        files: &Arc<Files>,
    ) -> Result<Self, CommandError> {
        files.keep_out_of(trees)?;
        let request = judging::FindingOptions {
            rule: &arguments.rule,
            allow: &arguments.allow,
            baseline: arguments.baseline.as_deref(),
            baseline_strict: arguments.baseline_strict,
        };
        let mut triage = judging::triage(&request, config, &head.rules, today()?, files)?;
        if arguments.write_baseline.is_some() {
            triage.record(level(arguments));
        }
        let maps = arguments.source_map.iter().map(|map| SourceMap::new(map));
        let maps: Result<Vec<_>, _> = maps.collect();
        let new_baseline = arguments.write_baseline.as_deref();
        let new_baseline = new_baseline.map(|path| files.create(Some(path)));
        let head = Head {
            baseline: head.baseline || arguments.baseline.is_some(),
            ..head.clone()
        };
        Ok(Self {
            triage,
            outputs: outputs(arguments, &head, files)?,
            new_baseline: new_baseline.transpose()?,
            fail_on: arguments.fail_on.into(),
            unread_before: 0,
            lacks_base: false,
            remarks: Vec::new(),
            replacements: None,
            sources: Sources::new(maps?, files),
            files: Arc::clone(files),
            messages: messages(arguments),
        })
    }

    /// Checks an earlier state by `run`. From then on, findings that it has too count as known.
    ///
    /// # Errors
    /// If the earlier state cannot be checked.
    pub(super) fn only_new(
        &mut self,
        run: impl FnOnce(&mut dyn FindingSink) -> Result<Summary, CommandError>,
    ) -> Result<(), CommandError> {
        let mut before = EarlierFindings {
            shown: Shown {
                excerpts: Excerpts::None,
                ..self.shown()
            },
            earlier: Earlier::default(),
        };
        let summary =
            run(&mut before).map_err(|error| CommandError::argument("--against", error))?;
        self.triage.set_earlier(before.earlier);
        self.unread_before = summary.unreadable;
        Ok(())
    }

    /// Whether a link was found that has no base.
    pub(super) fn lacks_base(&self) -> bool {
        self.lacks_base
    }

    /// Counts inputs that could not be read at all.
    pub(super) fn count_unread(&mut self, inputs: u64) {
        self.unread_before += inputs;
    }

    /// The lightest level that an output shows.
    fn lightest(&self) -> Level {
        let outputs = self.outputs.iter();
        let lightest = outputs.map(|output| output.report.level()).min();
        lightest.unwrap_or_default()
    }

    /// Keeps standard output free for something else.
    pub(super) fn keep_off_stdout(&mut self) {
        self.outputs.retain(|output| !output.is_stdout);
    }

    /// Records the suggestions of findings of these rules, as replacements of links.
    pub(super) fn replace_by(&mut self, rules: Vec<&'static Rule>) {
        self.replacements = Some(Replacements::by(rules));
    }

    /// The links to be replaced, if that was requested.
    pub(super) fn replacements(&mut self) -> Option<Replacements> {
        self.replacements.take()
    }

    /// Prints the remarks on the inputs.
    pub(super) fn tell(&mut self) {
        let mut remarks = std::mem::take(&mut self.remarks);
        remarks.extend(Message::skipped(&remarks, true));
        self.messages.end(&remarks);
    }

    fn write(&mut self, findings: &[Finding]) -> Result<(), SinkError> {
        for output in &mut self.outputs {
            output.add(findings)?;
        }
        Ok(())
    }

    /// Writes what follows the findings, moves the files and the other products of the run into
    /// place, and returns the outcome; the totals of the summary are filled in here.
    ///
    /// # Errors
    /// If an output cannot be written.
    pub(super) fn finish(
        mut self,
        mut summary: Summary,
        mut files: Vec<OutputFile>,
        folder: Option<NewFolder>,
    ) -> Result<Outcome, CommandError> {
        summary.unreadable += self.unread_before;
        // What an input has that could not be read may still be there.
        let is_whole = summary.unreadable == 0;
        if let Some(earlier) = self.triage.earlier().filter(|_| is_whole) {
            let line = match earlier.fixed() {
                0 => None,
                1 => Some("1 finding of the earlier state is gone".to_owned()),
                fixed => Some(format!("{fixed} findings of the earlier state are gone")),
            };
            summary.lines.extend(line);
        }
        let about_config = self.triage.finish(is_whole);
        self.write(&about_config)?;
        summary.totals = self.triage.totals();
        let fails = self
            .fail_on
            .is_some_and(|level| summary.totals.fails(level));
        for output in &mut self.outputs {
            output.end(&summary)?;
        }
        let mut said = Vec::new();
        if let (Some(mut file), Some((baseline, recorded))) =
            (self.new_baseline, self.triage.into_baseline())
        {
            let written = file.write_all(&baseline);
            written.map_err(|error| OutputError::io(&file.name(), error))?;
            said.push(Message::info(
                "baseline",
                recorded_in_words(file.name(), recorded),
            ));
            files.push(file);
        }
        files.extend(self.outputs.into_iter().map(|output| output.file));
        commit(files, folder)?;
        self.messages.end(&said);
        Ok(if summary.unreadable > 0 {
            let inputs = plural(summary.unreadable, "input", "inputs");
            let mut text = format!("{inputs} could not be read, or not to the end");
            // Without a document there is nothing else to look at.
            if summary.documents == 0 && !summary.first_unreadable.is_empty() {
                text = format!("{text}: {}", summary.first_unreadable);
            }
            self.messages.end(&[Message::error("unread", text)]);
            Outcome::Unread
        } else if fails {
            Outcome::Findings
        } else {
            Outcome::Done
        })
    }
}

/// The message about the new baseline.
fn recorded_in_words(file: &str, counts: BaselineCounts) -> String {
    match counts.left_out {
        0 => format!(
            "{file}: {} written",
            plural(counts.findings, "finding", "findings")
        ),
        left_out => format!(
            "{file}: {} kept, {} not added; to accept everything, write it without --baseline",
            plural(counts.findings, "known finding", "known findings"),
            plural(left_out, "new finding", "new findings")
        ),
    }
}

/// Takes the findings of an earlier state.
struct EarlierFindings {
    shown: Shown,
    earlier: Earlier,
}

impl FindingSink for EarlierFindings {
    fn shown(&self) -> Shown {
        self.shown.clone()
    }

    fn needs_all_documents(&self) -> bool {
        true
    }

    fn documents(&mut self, pages: &mut dyn Iterator<Item = Arc<PageName>>) {
        pages.for_each(|page| self.earlier.add_document(&page.key));
    }

    fn document(
        &mut self,
        _page: &PageName,
        _links: u64,
        findings: Vec<Finding>,
    ) -> Result<(), SinkError> {
        for finding in &findings {
            self.earlier.add(finding);
        }
        Ok(())
    }

    fn findings(&mut self, findings: Vec<Finding>) -> Result<(), SinkError> {
        for finding in &findings {
            self.earlier.add(finding);
        }
        Ok(())
    }

    fn remark(&mut self, _error: &ReadError) {}
}

impl FindingSink for CheckOutputs {
    fn needs_all_documents(&self) -> bool {
        self.triage.has_earlier()
    }

    fn documents(&mut self, pages: &mut dyn Iterator<Item = Arc<PageName>>) {
        if let Some(earlier) = self.triage.earlier() {
            pages.for_each(|page| earlier.mark_existing(&page.key));
        }
    }

    fn excerpts(&self) -> Excerpts {
        let outputs = self.outputs.iter();
        let wanted = outputs.map(|output| output.report.excerpts()).max();
        wanted.unwrap_or_default()
    }

    fn shown(&self) -> Shown {
        Shown {
            excerpts: self.excerpts(),
            level: self.lightest(),
            levels: self.triage.levels().clone(),
            requested: self
                .outputs
                .iter()
                .any(|output| output.report.shows_requested()),
            message_summaries: self
                .outputs
                .iter()
                .any(|output| output.report.shows_message_summaries()),
        }
    }

    fn begin(&mut self) -> Result<(), SinkError> {
        for output in &mut self.outputs {
            output.report.begin(&mut output.buffer);
            output.flush_if_large(BUFFER)?;
        }
        Ok(())
    }

    fn links(&mut self, page: &PageName, links: &[JudgedLink]) -> Result<(), SinkError> {
        for output in &mut self.outputs {
            // A page may have any number of links, too.
            for some in links.chunks(AT_ONCE) {
                output.report.links(page, some, &mut output.buffer);
                output.flush_if_large(BUFFER)?;
            }
        }
        Ok(())
    }

    fn document(
        &mut self,
        page: &PageName,
        links: u64,
        mut findings: Vec<Finding>,
    ) -> Result<(), SinkError> {
        self.triage.document(&mut findings);
        self.lacks_base |= findings
            .iter()
            .any(|finding| finding.rule.id == "base/undefined");
        let outputs = &self.outputs;
        self.sources.place(&mut findings, |finding| {
            let mut reports = outputs.iter().map(|output| &output.report);
            finding.is_new() && reports.any(|report| report.may_name_source(finding))
        });
        // A source is read after the files of the trees were.
        self.files.check_conflicts()?;
        if let Some(replacements) = &mut self.replacements {
            for finding in &findings {
                replacements.add(finding);
            }
        }
        for output in &mut self.outputs {
            output.report.document(page, links, &[], &mut output.buffer);
            output.flush_if_large(BUFFER)?;
        }
        if findings.len() <= AT_ONCE {
            return self.write(&findings);
        }
        // A page may have any number of findings, and groups keep copies, so written ones are freed
        // at once.
        findings.reverse();
        while !findings.is_empty() {
            let mut next = findings.split_off(findings.len().saturating_sub(AT_ONCE));
            findings.shrink_to_fit();
            next.reverse();
            self.write(&next)?;
        }
        Ok(())
    }

    fn message_summary(&mut self, summary: &MessageSummary) {
        for output in &mut self.outputs {
            output.report.message_summary(summary);
        }
    }

    fn remark(&mut self, error: &ReadError) {
        self.remarks.push(Message::from_error(error));
    }

    fn findings(&mut self, mut findings: Vec<Finding>) -> Result<(), SinkError> {
        self.triage.document(&mut findings);
        self.write(&findings)
    }
}

impl ReportFile {
    /// Adds findings and writes the buffer whenever it is full.
    fn add(&mut self, findings: &[Finding]) -> Result<(), SinkError> {
        for some in findings.chunks(AT_ONCE) {
            self.report.findings(some, &mut self.buffer);
            self.flush_if_large(BUFFER)?;
        }
        self.flush_if_large(BUFFER)
    }

    /// Writes what follows the last document.
    fn end(&mut self, summary: &Summary) -> Result<(), SinkError> {
        self.flush_if_large(0)?;
        let mut out = BufWriter::with_capacity(BUFFER, &mut self.file);
        let written = self.report.end(summary, &mut out);
        let written = written.and_then(|()| out.flush());
        // Otherwise it would try to write its buffer again when it is dropped.
        let _ = out.into_parts();
        let written = written.or_else(unless_closed);
        Ok(written.map_err(|error| OutputError::io(&self.file.name(), error))?)
    }

    /// Writes the buffer if it holds more than `room`.
    fn flush_if_large(&mut self, room: usize) -> Result<(), SinkError> {
        if self.buffer.len() <= room {
            return Ok(());
        }
        let written = self.file.write_all(&self.buffer).or_else(unless_closed);
        self.buffer.clear();
        Ok(written.map_err(|error| OutputError::io(&self.file.name(), error))?)
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
    files: &Arc<Files>,
) -> Result<Vec<ReportFile>, CommandError> {
    let first = (arguments.format, arguments.output.as_deref());
    let others = arguments
        .out
        .iter()
        .filter_map(|(format, path)| match format {
            OutFormat::Report(format) => Some((*format, Some(path.as_path()))),
            OutFormat::UrlMap
            | OutFormat::Redirects(_)
            | OutFormat::Recheck
            | OutFormat::Seeds
            | OutFormat::AllSeeds
            | OutFormat::SeedsCsv
            | OutFormat::PagesCsv => None,
        });
    let mut outputs = Vec::new();
    for (format, path) in std::iter::once(first).chain(others) {
        let is_terminal = path.is_none() && io::stdout().is_terminal();
        let options = Options {
            level: level(arguments),
            requested: arguments.level.is_none(),
            fail_on: arguments.fail_on.into(),
            group: !arguments.no_group,
            groups: arguments.groups.0,
            is_verbose: arguments.verbose,
            color: has_color(arguments.color, is_terminal),
            columns: is_terminal
                .then(|| terminal_columns(io::stdout()))
                .flatten(),
            sarif_max: arguments.sarif_max,
            live_links: arguments.live_links,
            is_defanged: arguments.defang,
        };
        let is_colored = options.color;
        outputs.push(ReportFile {
            report: Report::new(format, head.clone(), options),
            file: files
                .create(path)?
                .with_styles(is_colored && format == Format::Text),
            is_stdout: path.is_none(),
            buffer: Vec::new(),
        });
    }
    Ok(outputs)
}
