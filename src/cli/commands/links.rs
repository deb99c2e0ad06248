//! `baseref links`: every link of the documents, resolved.

use super::documents::{self, Frame};
use crate::cli::args::LinksArgs;
use crate::cli::config::Links;
use crate::cli::counts::{Counts, count};
use crate::cli::message::{self, message};
use crate::cli::output::{Output, relieve};
use crate::cli::{Outcome, Usage};
use crate::document::NoteCode;
use crate::extract::{Extraction, archived_url};
use crate::keyed_hash::KeyedHash;
use crate::report::column::Selection;
use crate::report::links::{LinkRow, LinkWriter};
use crate::report::place;
use crate::resolve::ResolveError;
use crate::run::Outbox;

/// # Errors
/// On bad usage, and when the output cannot be written.
pub fn run(arguments: LinksArgs) -> Result<Outcome, Usage> {
    let Links {
        run,
        format,
        unique,
        unwrap_archive,
        stats,
    } = Links::new(arguments)?;
    let rows = Rows {
        writer: LinkWriter::new(format, run.style, Selection::default()),
        unique: unique.then(KeyedHash::new),
        unwrap_archive,
    };
    let mut frame = Frame::default();
    rows.writer.begin(&mut frame.head);
    rows.writer.end(&mut frame.foot);
    let options = run.options.clone();
    let (outcome, counts) = documents::run(run, &frame, &|_| &options, &|extraction, outbox| {
        rows.of_document(extraction, outbox);
    })?;
    if !format.has_rows() {
        message::print(&without_url(&counts));
    }
    if stats {
        message::print(&reading_stats(&counts));
    }
    if counts.base_notes > 0 {
        message::print(&[message(&format!(
            "{} on the choice of bases; `baseref base` shows them",
            count(counts.base_notes, "note", "notes")
        ))]);
    }
    Ok(outcome)
}

/// How the rows of links are made.
struct Rows {
    writer: LinkWriter,
    /// Numbers for URLs, if each is to be written once.
    unique: Option<KeyedHash>,
    unwrap_archive: bool,
}

impl Rows {
    /// The rows of one document's links.
    fn of_document(&self, extraction: &Extraction<'_>, outbox: &mut Outbox<'_, Output>) {
        let document = extraction.document();
        let doc = document.origin.to_string();
        report_notes(&doc, extraction, outbox);
        let rules = extraction.policy().rules;
        let mut places = place::Words::default();
        extraction.links(|link| {
            let chunk = &mut outbox.results;
            chunk.counts.links += 1;
            if let Err(error) = link.url {
                chunk.counts.without_url[reason_index(error)] += 1;
            }
            let url = link.url.ok().filter(|_| self.unwrap_archive);
            let capture = url.and_then(archived_url::capture);
            let row = LinkRow {
                doc: &doc,
                document,
                link: &link,
                base_at: places.of(link.base),
                rules,
                capture: capture.as_ref(),
            };
            self.writer.record(&row, &mut chunk.out);
            if let Some(numbers) = &self.unique {
                let url = row.url().map(|url| numbers.of(url));
                chunk.rows.push((chunk.out.len(), url));
            }
            relieve(outbox);
        });
    }
}

/// A limit that was met is reported at once; notes on the base are counted.
fn report_notes(doc: &str, extraction: &Extraction<'_>, outbox: &mut Outbox<'_, Output>) {
    let chunk = &mut outbox.results;
    for note in extraction.document().notes.iter().chain(extraction.notes()) {
        chunk.note(doc, note);
    }
    for note in &extraction.established().notes {
        match note.code() {
            NoteCode::BaseSize => chunk.message_about(doc, note.code(), note),
            _ => chunk.counts.base_notes += 1,
        }
    }
}

/// The reasons for a link to have no URL, in the order of [`Counts::without_url`].
const REASONS: [ResolveError; 3] = [
    ResolveError::NoBase,
    ResolveError::BadBase,
    ResolveError::Invalid,
];

fn reason_index(error: ResolveError) -> usize {
    match error {
        ResolveError::NoBase => 0,
        ResolveError::BadBase => 1,
        ResolveError::Invalid => 2,
    }
}

/// Links that the `url` form has no line for are not dropped in silence.
fn without_url(counts: &Counts) -> Vec<String> {
    let all: u64 = counts.without_url.iter().sum();
    if all == 0 {
        return Vec::new();
    }
    let reasons: Vec<String> = REASONS
        .into_iter()
        .zip(counts.without_url)
        .filter(|(_, number)| *number > 0)
        .map(|(reason, number)| format!("{} {number}", reason.as_str()))
        .collect();
    vec![message(&format!(
        "{} without a URL ({}); --format jsonl shows each with its reason",
        count(all, "link", "links"),
        reasons.join(", ")
    ))]
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
