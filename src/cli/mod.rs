//! The command line: one function for each subcommand, which joins the floors below and
//! chooses the exit code.

pub mod args;
mod feed;
mod inputs;
mod output;
mod progress;
mod resolve;
mod retrieval;

use std::ffi::OsString;
use std::fs;
use std::io::{self, IsTerminal, Read};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::thread;

use args::{BaseArgs, Command, CommandLine, LinksArgs, ReadingArgs};
use feed::{Feed, Lane, Work};
use inputs::Inputs;
use output::{Counts, Output, message};
use progress::Progress;
use retrieval::RetrievalUrls;

use crate::container::entity::{Entity, Kind};
use crate::document::Document;
use crate::extract::archived_url;
use crate::extract::{Extraction, Extractor};
use crate::options::Policy;
use crate::options::{Limits, ReadOptions};
use crate::read;
use crate::report::bases::{BaseRow, BaseWriter};
use crate::report::column::Selection;
use crate::report::links::{LinkRow, LinkWriter, LinksFormat};
use crate::report::text::Style;
use crate::resolve::ResolveError;
use crate::slots::Classes;

/// How a run ends; the numbers are the exit codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    Done = 0,
    Usage = 2,
    Unread = 3,
}

impl From<Outcome> for ExitCode {
    fn from(outcome: Outcome) -> Self {
        Self::from(outcome as u8)
    }
}

/// Runs the command line, the program's name first, and gives back the exit code: 0 done,
/// 2 bad usage or no way to write the output, 3 some input could not be read.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let command = match CommandLine::from_arguments(arguments) {
        Ok(line) => line.command,
        Err(error) => {
            // Help goes to standard output, usage errors to standard error.
            let _ = error.print();
            return if error.use_stderr() {
                Outcome::Usage.into()
            } else {
                Outcome::Done.into()
            };
        }
    };
    // Faults are caught where they cost one entity, and told there in one line.
    std::panic::set_hook(Box::new(|_| {}));
    let outcome = match command {
        Command::Links(arguments) => links(arguments),
        Command::Base(arguments) => base(arguments),
        Command::Resolve(arguments) => resolve::run(&arguments),
    };
    outcome.into()
}

/// `baseref links`.
fn links(arguments: LinksArgs) -> Outcome {
    let LinksArgs {
        reading,
        format,
        links,
        unique,
        unwrap_archive,
        comments,
        stats,
        nul,
    } = arguments;
    let policy = reading.policy();
    let format = LinksFormat::from(format);
    let carries_all = format.has_rows();
    let style = Style {
        nul,
        terminal: Output::is_terminal(reading.output.as_deref()),
    };
    let options = ReadOptions {
        classes: links,
        text: carries_all,
        positions: carries_all,
        marks: policy.marks,
        comments,
        identifiers: false,
        encoding: reading.encoding,
        limits: Limits::default(),
    };
    let rows = LinkRows {
        writer: LinkWriter::new(format, style, Selection::default()),
        unique,
        unwrap_archive,
    };
    let work = |entity: Entity, lane: &mut Lane<'_>| {
        each_extraction(entity, &options, policy, lane, &mut |extraction, lane| {
            link_rows(extraction, &rows, lane);
        });
    };
    let mut head = Vec::new();
    rows.writer.begin(&mut head);
    let (outcome, output) = match run_feed(reading, options.marks, head, &work) {
        Ok(output) => output,
        Err(outcome) => return outcome,
    };
    if !carries_all {
        say_without_url(&output);
    }
    if stats {
        output.say(&reading_stats(&output.counts));
    }
    if output.counts.base_notes > 0 {
        output.say(&[message(&format!(
            "{} on the choice of bases; `baseref base` shows them",
            count(output.counts.base_notes, "note", "notes")
        ))]);
    }
    outcome
}

/// How the rows of links are made.
struct LinkRows {
    writer: LinkWriter,
    unique: bool,
    unwrap_archive: bool,
}

/// The rows of one document's links.
fn link_rows(extraction: &Extraction<'_>, rows: &LinkRows, lane: &mut Lane<'_>) {
    let document = extraction.document();
    let doc = document.origin.to_string();
    say_notes(&doc, extraction, lane);
    let rules = extraction.policy().rules;
    extraction.links(|link| {
        let chunk = &mut lane.chunk;
        chunk.counts.links += 1;
        if let Err(error) = link.url {
            chunk.counts.without_url[reason_index(error)] += 1;
        }
        let url = link.url.ok().filter(|_| rows.unwrap_archive);
        let capture = url.and_then(archived_url::capture);
        let row = LinkRow {
            doc: &doc,
            document,
            link: &link,
            rules,
            capture: capture.as_ref(),
        };
        rows.writer.record(&row, &mut chunk.out);
        if rows.unique {
            let url = row.url().map(Box::from);
            chunk.rows.push((chunk.out.len(), url));
        }
        lane.relieve();
    });
}

/// The place of a reason in [`output::Counts::without_url`].
fn reason_index(error: ResolveError) -> usize {
    match error {
        ResolveError::NoBase => 0,
        ResolveError::BadBase => 1,
        ResolveError::Invalid => 2,
    }
}

/// Links that the `url` form has no line for are not dropped in silence.
fn say_without_url(output: &Output) {
    let by_reason = output.counts.without_url;
    let all: u64 = by_reason.iter().sum();
    if all == 0 {
        return;
    }
    let reasons: Vec<String> = [
        ResolveError::NoBase,
        ResolveError::BadBase,
        ResolveError::Invalid,
    ]
    .into_iter()
    .map(|error| (by_reason[reason_index(error)], error.as_str()))
    .filter(|(number, _)| *number > 0)
    .map(|(number, reason)| format!("{reason} {number}"))
    .collect();
    output.say(&[message(&format!(
        "{} without a URL ({}); --format jsonl shows each with its reason",
        count(all, "link", "links"),
        reasons.join(", ")
    ))]);
}

/// How the HTML documents were read, a line for each way.
fn reading_stats(counts: &Counts) -> Vec<String> {
    let by_tree: u64 = counts.by_tree.values().sum();
    let all = counts.by_tags + by_tree;
    let mut lines = vec![message(&format!(
        "{} read: {} in the order of tags, {by_tree} by the tree",
        count(all, "HTML document", "HTML documents"),
        counts.by_tags,
    ))];
    lines.extend(counts.by_tree.iter().map(|(reason, number)| {
        message(&format!("by the tree for {}: {number}", reason.as_str()))
    }));
    lines
}

/// `baseref base`.
fn base(arguments: BaseArgs) -> Outcome {
    let BaseArgs { reading, format } = arguments;
    let policy = reading.policy();
    let writer = BaseWriter::new(format.into());
    let options = ReadOptions {
        classes: Classes::default(),
        text: false,
        positions: false,
        marks: true,
        comments: false,
        identifiers: false,
        encoding: reading.encoding,
        limits: Limits::default(),
    };
    // Of a message the notes tell which references to its parts lead nowhere.
    let of_message = ReadOptions {
        classes: Classes::IN_HTML,
        ..options.clone()
    };
    let work = |entity: Entity, lane: &mut Lane<'_>| {
        let options = match entity.kind {
            Kind::Message { .. } => &of_message,
            Kind::Html | Kind::Resource | Kind::Response => &options,
        };
        each_extraction(entity, options, policy, lane, &mut |extraction, lane| {
            let doc = extraction.document().origin.to_string();
            let row = BaseRow {
                doc: &doc,
                extraction,
            };
            writer.record(&row, &mut lane.chunk.out);
            lane.relieve();
        });
    };
    let mut head = Vec::new();
    writer.begin(&mut head);
    match run_feed(reading, options.marks, head, &work) {
        Ok((outcome, _)) | Err(outcome) => outcome,
    }
}

/// Reads an entity, and hands each of its documents, its base established, to `each`.
fn each_extraction(
    entity: Entity,
    options: &ReadOptions,
    policy: Policy,
    lane: &mut Lane<'_>,
    each: &mut dyn FnMut(&Extraction<'_>, &mut Lane<'_>),
) {
    let mut extractor = Extractor::new(policy);
    read::documents(entity, options, &mut |found| match found {
        Ok(document) => extractor.extract(&document, &mut |extraction| {
            lane.chunk.count(extraction.document());
            each(extraction, lane);
        }),
        Err(error) => lane.chunk.unread(&error),
    });
}

/// A limit that was met is told at once; notes on the base are counted.
fn say_notes(doc: &str, extraction: &Extraction<'_>, lane: &mut Lane<'_>) {
    let Document { notes, .. } = extraction.document();
    for note in notes.iter().chain(extraction.notes()) {
        lane.chunk.note(doc, note);
    }
    lane.chunk.counts.base_notes += extraction.established().notes.len() as u64;
}

/// Runs work over the inputs that the user named.
fn run_feed(
    reading: ReadingArgs,
    marks: bool,
    head: Vec<u8>,
    work: Work<'_>,
) -> Result<(Outcome, Output), Outcome> {
    let usage = |text: &str| {
        let _ = io::Write::write_all(&mut io::stderr(), format!("{}\n", message(text)).as_bytes());
        Outcome::Usage
    };
    let paths = named_paths(&reading).map_err(|text| usage(&text))?;
    let file = reading.output.as_deref();
    let progress = Progress::new(&paths, Output::is_terminal(file));
    let mut output = Output::new(file, progress)
        .map_err(|error| usage(&format!("{}: {error}", shown_path(file))))?;
    output.write(&mut output::Chunk {
        out: head,
        ..output::Chunk::default()
    });
    let feed = Feed {
        inputs: Inputs::new(paths),
        format: reading.input.into(),
        retrieval: RetrievalUrls::new(reading.url, reading.url_map).with_marks(marks),
        limits: Limits::default(),
    };
    let jobs = reading
        .jobs
        .and_then(|jobs| NonZeroUsize::new(jobs.into()))
        .or_else(|| thread::available_parallelism().ok())
        .unwrap_or(NonZeroUsize::MIN);
    let mut output = feed::run(feed, jobs, work, output);
    output
        .finish()
        .map_err(|error| usage(&format!("{}: {error}", shown_path(file))))?;
    if output.counts.without_html > 0 {
        let records = count(output.counts.without_html, "record", "records");
        output.say(&[message(&format!("{records} held no HTML"))]);
    }
    let outcome = if output.counts.unread == 0 {
        Outcome::Done
    } else {
        output.say(&[message(&format!(
            "{} could not be read; the rest was done",
            count(output.counts.unread, "input or part", "inputs or parts")
        ))]);
        Outcome::Unread
    };
    Ok((outcome, output))
}

/// The paths of the command line, then those of `--files-from`; standard input if there are
/// none and something is there to be read.
fn named_paths(reading: &ReadingArgs) -> Result<Vec<PathBuf>, String> {
    let mut paths = reading.paths.clone();
    if let Some(list) = &reading.files_from {
        let read = if list.as_os_str() == "-" {
            let mut bytes = Vec::new();
            io::stdin().read_to_end(&mut bytes).map(|_| bytes)
        } else {
            fs::read(list)
        };
        let list = read.map_err(|error| format!("{}: {error}", list.display()))?;
        paths.extend(inputs::listed_paths(&list));
    } else if paths.is_empty() {
        if io::stdin().is_terminal() {
            return Err("name a file or directory, or `-` for standard input".to_owned());
        }
        paths.push(PathBuf::from("-"));
    }
    Ok(paths)
}

fn shown_path(file: Option<&Path>) -> String {
    file.map_or_else(
        || "standard output".to_owned(),
        |path| path.display().to_string(),
    )
}

fn count(number: u64, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}
