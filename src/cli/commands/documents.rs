//! A run over the documents of inputs.

use std::cmp::Reverse;
use std::io::{self, IsTerminal, Write};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;

use crate::cli::config::Run;
use crate::cli::counts::{Counts, count, each_count};
use crate::cli::error::CommandError;
use crate::cli::message::Message;
use crate::cli::outcome::Outcome;
use crate::cli::output::{Chunk, Output, flush_if_large};
use crate::cli::progress::Progress;
use crate::cli::stdin::is_stdin;
use baseref_container::EntityKind;
use baseref_document::{Limits, ReadOptions, ReadResult};
use baseref_files::OutputError;
use baseref_reader::links::{DocumentLinks, DocumentResolver};
use baseref_reader::read;
use baseref_report::edges::Edges;
use baseref_report::groups::Groups;
use baseref_report::observables::Observables;
use baseref_run::{self as run, Piece, ResultBuffer};
use baseref_walk::{self as walk, Inputs, Opening, no_page_in};

/// The work of a command on documents.
pub(super) trait Task: Sync {
    /// What to read from an entity of that kind.
    fn options(&self, kind: EntityKind) -> &ReadOptions;

    /// The schema of results in batches.
    #[cfg(feature = "arrow")]
    fn schema(&self) -> Option<arrow_schema::SchemaRef>;

    /// Writes what precedes all results.
    fn begin(&self, out: &mut Vec<u8>);

    /// Processes one document.
    fn document(&self, document_links: &DocumentLinks<'_>, buffer: &mut ResultBuffer<'_, Output>);

    /// Writes what follows all results.
    fn end(&self, groups: &Groups, out: &mut Vec<u8>);

    /// Writes the targets of all links. Returns a remark on them, if there is one.
    ///
    /// # Errors
    /// If they cannot be written.
    fn observables(&self, _: &Observables, _: &mut dyn Write) -> io::Result<Option<Message>> {
        Ok(None)
    }

    /// How to find links in plain text, for the hint that there are some where no document was
    /// found.
    fn in_text(&self) -> Option<ReadOptions> {
        None
    }

    /// Writes counts by two fields; an error if they are not written whole.
    fn edges(&self, _edges: &Edges, _out: &mut Vec<u8>) -> Option<Message> {
        None
    }

    /// The closing messages about what was counted.
    fn account(&self, _counts: &Counts) -> Vec<Message> {
        Vec::new()
    }
}

/// Runs the task on every document of the inputs, with its base established.
///
/// # Errors
/// If the output is an input, or cannot be written.
pub(super) fn run(mut run: Run, task: &impl Task) -> Result<Outcome, CommandError> {
    let file = run.files.create(run.output.as_deref());
    let file = file?.with_styles(run.color);
    let shown_output = file.name().to_owned();
    let opening = Arc::new(Opening {
        format: run.format,
        retrieval: std::mem::take(&mut run.retrieval),
        tells_unrecognised: run.messages.is_verbose(),
        deleted: run.deleted,
        limits: Limits::default(),
        stdin_name: run.stdin_name.take(),
        files: Arc::clone(&run.files),
        ..Opening::default()
    });
    walk::look_ahead(&run.paths, &run.walk, &opening);
    run.files.check_conflicts()?;
    let is_terminal = run.output.is_none() && io::stdout().is_terminal();
    let progress = Some(&run.messages)
        .filter(|messages| messages.allow_progress() && !is_terminal)
        .and_then(|_| Progress::new(&run.paths, &run.walk));
    let says_all = run.messages.is_verbose();
    let watched = Arc::clone(&run.files);
    let stop = move || watched.conflict().is_some();
    let mut output = Output::new(file, std::mem::take(&mut run.messages), progress, stop);
    #[cfg(feature = "arrow")]
    if let Some(schema) = task.schema() {
        output.set_schema(&schema);
    }
    let mut frame = Vec::new();
    task.begin(&mut frame);
    output.write(&frame);
    let policy = run.policy;
    let work = |piece: Piece, buffer: &mut ResultBuffer<'_, Output>| {
        work_off(piece, task, &mut DocumentResolver::new(policy), buffer);
    };
    let inputs = Inputs::new(run.paths.clone(), run.walk.clone(), Arc::clone(&opening));
    let mut output = run::ordered(inputs, run.jobs, work, output);
    frame.clear();
    task.end(&output.groups, &mut frame);
    let unwritten_edges = task.edges(&output.edges, &mut frame);
    output.write(&frame);
    let observables = std::mem::take(&mut output.observables);
    let remark = output.write_by(|out| task.observables(&observables, out));
    drop(observables);

    let counts = &output.counts;
    let is_empty = counts.documents == 0 && counts.unread == 0 && counts.skipped.texts == 0;
    // A folder without documents is most often the wrong folder. An empty list of files is
    // accepted, because job queues produce such lists.
    let is_empty = is_empty && !run.paths.is_empty() && run.paths.iter().all(|path| path.is_dir());
    let is_in_vain = counts.documents == 0 && counts.unread > 0 || is_empty;
    // A run that could read nothing must not destroy the output of an earlier one.
    let ended = output.finish(run.files.conflict().is_none() && !is_in_vain);
    let mut ended = ended.map_err(|error| OutputError::io(&shown_output, error))?;
    run.files.check_conflicts()?;
    let mut account = task.account(&ended.counts);
    let is_cut = unwritten_edges.is_some();
    account.extend(unwritten_edges);
    account.extend(remark.flatten());
    let Counts {
        documents, unread, ..
    } = &ended.counts;
    if is_empty {
        let no_page = no_page_in(&run.paths, false);
        account.push(Message::error(
            "no-document",
            format!("nothing was read: {no_page}"),
        ));
    } else if *documents == 0 && *unread == 0 {
        let texts = task.in_text().map(|options| {
            let inputs = Inputs::new(run.paths.clone(), run.walk.clone(), Arc::clone(&opening));
            links_in_text(inputs, run.jobs, &options)
        });
        let is_all = !run.paths.iter().any(|path| is_stdin(path));
        account.push(match texts {
            Some(texts) => no_document(texts, ended.counts.skipped.texts, is_all),
            None => no_base(ended.counts.skipped.texts),
        });
    }
    if opening.retrieval.is_one() {
        account.extend(one_url(&run.paths));
    }
    account.extend(account_of_run(&ended.counts, &opening, says_all));
    if let Some(path) = run.output.filter(|_| is_in_vain) {
        let text = format!("nothing was read, and {} was not written", path.display());
        account.push(Message::error("output", text));
    }
    let Counts { unread, notes, .. } = &ended.counts;
    if is_empty {
        ended.messages.end(&account);
        return Ok(Outcome::Usage);
    }
    let has_failed = *unread > 0 || is_cut || run.fails_on_notes && !notes.is_empty();
    ended.messages.end(&account);
    Ok(if has_failed {
        Outcome::Unread
    } else {
        Outcome::Done
    })
}

/// The links in plain text, which is read only for them.
#[derive(Clone, Copy, Debug, Default)]
struct InText {
    texts: u64,
    links: u64,
}

/// Reads the inputs a second time, for a run in which the first found nothing; standard input is at
/// its end by then.
fn links_in_text(inputs: Inputs, jobs: NonZeroUsize, options: &ReadOptions) -> InText {
    let ingest = |piece: Piece, found: &mut InText| {
        let Piece::Entity(entity) = piece else { return };
        read::documents(entity, options, &mut |document: ReadResult| {
            let links = document.map_or(0, |document| document.references.len());
            found.texts += u64::from(links > 0);
            found.links += links as u64;
        });
    };
    run::fold(inputs, jobs, ingest, |all: &mut InText, more| {
        all.texts += more.texts;
        all.links += more.links;
    })
}

/// The message of a command that does not read plain text, if there were only `unread` plain texts.
fn no_base(unread: u64) -> Message {
    let text = match unread {
        0 => "no document was found in the inputs".to_owned(),
        _ => format!(
            "no HTML was found in the inputs, but {}, which can have no base of its own",
            count(unread, "plain text", "plain texts")
        ),
    };
    Message::info("no-document", text)
}

/// `unread` is the number of plain texts in messages, and `is_all` says whether `found` is of all of
/// them: what came from standard input is gone.
fn no_document(found: InText, unread: u64, is_all: bool) -> Message {
    let text = match found {
        InText { links: 0, .. } if unread > 0 => {
            let texts = count(unread, "plain text", "plain texts");
            if is_all {
                format!("no HTML was found in the inputs, and no link in {texts}")
            } else {
                format!(
                    "no HTML was found in the inputs, but {texts}: `--links text` prints the \
                     links in plain text"
                )
            }
        }
        InText { links: 0, .. } => "no document was found in the inputs".to_owned(),
        InText { texts, links } => format!(
            "no HTML was found in the inputs, but {} in {}: `--links text` prints {}",
            count(links, "link", "links"),
            count(texts, "plain text", "plain texts"),
            if links == 1 { "it" } else { "them" }
        ),
    };
    Message::info("no-document", text)
}

/// How many kinds of records and members without HTML are named without `-v`.
const KINDS_SHOWN: usize = 5;

/// The number of records or members without HTML, and of each kind, the most frequent first.
fn without_html<'k>(
    kinds: impl Iterator<Item = (&'k str, u64)>,
    [one, many]: [&str; 2],
    shows_all: bool,
) -> Option<String> {
    let mut kinds: Vec<(&str, u64)> = kinds.collect();
    let total = kinds.iter().map(|(_, number)| number).sum();
    // Equally frequent kinds stay in byte order.
    kinds.sort_by_key(|(_, number)| Reverse(*number));
    let shown = if shows_all {
        kinds.len()
    } else {
        KINDS_SHOWN.min(kinds.len())
    };
    let (named, rest) = kinds.split_at(shown);
    let mut each = each_count(named.iter().copied());
    if !rest.is_empty() {
        let rest: u64 = rest.iter().map(|(_, number)| number).sum();
        each = format!("{each}, {rest} more; -v shows all");
    }
    (total > 0).then(|| format!("{} held no HTML: {each}", count(total, one, many)))
}

/// The closing messages of every run.
fn account_of_run(counts: &Counts, opening: &Opening, says_all: bool) -> Vec<Message> {
    let mut account = Vec::new();
    let lacking = &counts.without_html;
    let closing = [
        without_html(lacking.members(), ["member", "members"], says_all),
        without_html(lacking.by_type(), ["record", "records"], says_all),
    ];
    let closing = closing.into_iter().flatten();
    account.extend(closing.map(|text| Message::info("without-html", text)));
    let most = if says_all { usize::MAX } else { KINDS_SHOWN };
    if let Some(types) = counts.skipped.by_type_in_words(most) {
        let text = format!("parts not read, by media type: {types}");
        account.push(Message::info("skipped", text));
    }
    let unused: Vec<&str> = opening.retrieval.unused().collect();
    for directory in unused {
        let text = format!("--url-map: no input is below {directory}");
        account.push(Message::info("url-map", text));
    }
    // A single unreadable input was already reported.
    if counts.unread > 1 || counts.unread > 0 && counts.documents > 0 {
        let rest = if counts.documents > 0 {
            "; the rest was done"
        } else {
            ""
        };
        let unread = count(counts.unread, "input or part", "inputs or parts");
        let text = format!("{unread} could not be read{rest}");
        account.push(Message::error("unread", text));
    }
    let mut last: Vec<String> = counts.skipped_in_words(true).into_iter().collect();
    if counts.filtered > 0 && (io::stderr().is_terminal() || says_all) {
        let links = count(counts.filtered, "link", "links");
        last.push(format!("{links} of {} filtered out", counts.links));
    }
    if !last.is_empty() {
        account.push(Message::info("summary", last.join("; ")));
    }
    account
}

/// The warning that `-u` gives all files of a directory the same URL.
fn one_url(paths: &[PathBuf]) -> Option<Message> {
    let directory = paths.iter().find(|path| path.is_dir())?;
    let text = format!(
        "-u: {0} is a directory, and all its files were read as if from that one URL: \
         `--url-map {0}=URL` gives each its own",
        directory.display()
    );
    Some(Message::info("one-url", text))
}

fn work_off(
    piece: Piece,
    task: &impl Task,
    resolver: &mut DocumentResolver,
    buffer: &mut ResultBuffer<'_, Output>,
) {
    match piece {
        Piece::Unread(error) => buffer.results.message(Message::from_error(&error)),
        Piece::Skipped(records) => {
            buffer.results.counts.without_html.add(&records);
        }
        Piece::Entity(entity) => {
            buffer.results.bytes_read += entity.bytes.len() as u64;
            let options = task.options(entity.kind);
            let skipped = read::documents(entity, options, &mut |found: ReadResult| match found {
                Ok(document) => {
                    for links in resolver.documents(&document) {
                        report_notes(&links, &mut buffer.results);
                        buffer.results.counts.document(links.document());
                        task.document(&links, buffer);
                        flush_if_large(buffer);
                    }
                }
                Err(error) => buffer.results.message(Message::from_error(&error)),
            });
            buffer.results.counts.skipped.add(&skipped);
        }
    }
}

/// Reports limits because of which links may be missing. Other notes are counted, and reported only
/// with `-v`.
fn report_notes(document_links: &DocumentLinks<'_>, chunk: &mut Chunk) {
    let document = document_links.document();
    let of_base = &document_links.base_report().notes;
    if document.notes.is_empty() && document_links.notes().is_empty() && of_base.is_empty() {
        return;
    }
    let doc = document.origin.to_string();
    for note in document.notes.iter().chain(document_links.notes()) {
        chunk.message(Message::from_note(&doc, note));
    }
    for note in of_base {
        chunk.message(Message::from_base_note(&doc, note));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn most_frequent_other_kinds() {
        let kinds = [
            ("a", 1),
            ("b", 9),
            ("c", 1),
            ("d", 1),
            ("e", 2),
            ("f", 1),
            ("g", 3),
        ];
        let text = |shows_all| without_html(kinds.into_iter(), ["record", "records"], shows_all);
        let expected = "18 records held no HTML: b 9, g 3, e 2, a 1, c 1, 2 more; -v shows all";
        assert_eq!(text(false).as_deref(), Some(expected));
        let expected = "18 records held no HTML: b 9, g 3, e 2, a 1, c 1, d 1, f 1";
        assert_eq!(text(true).as_deref(), Some(expected));
        let none: [(&str, u64); 0] = [];
        assert_eq!(without_html(none.into_iter(), ["", ""], true), None);
    }
}
