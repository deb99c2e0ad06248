//! A run over the documents of inputs.

use std::sync::Arc;

use crate::cli::config::Run;
use crate::cli::counts::{Counts, count};
use crate::cli::message::{self, message};
use crate::cli::output::{Output, relieve};
use crate::cli::progress::Progress;
use crate::cli::{Outcome, Usage};
use crate::container::entity::Kind;
use crate::extract::{Extraction, Extractor};
use crate::options::{Limits, Policy, ReadOptions};
use crate::outfile::OutputFile;
use crate::read;
use crate::run::{self, Outbox, Piece};
use crate::walk::{self, Inputs, Opening};

/// What is done with an extraction: its output goes to the outbox.
pub(super) type Each<'e> = &'e (dyn Fn(&Extraction<'_>, &mut Outbox<'_, Output>) + Sync);

/// What is wanted of an entity of that kind.
pub(super) type OptionsOf<'o> = &'o (dyn Fn(Kind) -> &'o ReadOptions + Sync);

/// What stands before all results and after them.
#[derive(Default)]
pub(super) struct Frame {
    pub(super) head: Vec<u8>,
    pub(super) foot: Vec<u8>,
}

/// Hands every document of the inputs, its base established, to `each`, and writes what comes
/// of it within the frame.
pub(super) fn run(
    run: Run,
    frame: &Frame,
    options_of: OptionsOf<'_>,
    each: Each<'_>,
) -> Result<(Outcome, Counts), Usage> {
    let shown_output = match &run.output {
        Some(path) => path.display().to_string(),
        None => "standard output".to_owned(),
    };
    let no_output = |error: std::io::Error| Usage(format!("{shown_output}: {error}"));
    let file = match &run.output {
        Some(path) => OutputFile::create(path).map_err(no_output)?,
        None => OutputFile::stdout(),
    };
    let replaced: Vec<_> = file.replaces().into_iter().collect();
    let named = [&run.paths[..], &run.lists].concat();
    if let Some(path) = walk::first_among(&named, &replaced) {
        return Err(is_output(path));
    }
    let opening = Arc::new(Opening {
        format: run.format,
        retrieval: run.retrieval,
        limits: Limits::default(),
        written: file.temporary().into_iter().collect(),
        replaced,
        ..Opening::default()
    });
    let progress = Progress::new(&run.paths, Output::is_terminal(run.output.as_deref()));
    let watched = Arc::clone(&opening);
    let mut output = Output::new(file, progress, move || watched.met.get().is_some());
    output.write(&frame.head);
    let policy = run.policy;
    let work = |piece: Piece, outbox: &mut Outbox<'_, Output>| {
        work_off(piece, options_of, policy, each, outbox);
    };
    let inputs = Inputs::new(run.paths, Arc::clone(&opening));
    let mut output = run::ordered(inputs, run.jobs, work, output);
    output.write(&frame.foot);
    let met = opening.met.get();
    let keep = |counts: &Counts| met.is_none() && !was_in_vain(counts);
    let counts = output.finish(keep).map_err(no_output)?;
    if let Some(path) = met {
        return Err(is_output(path));
    }
    if let Some(path) = run.output.filter(|_| was_in_vain(&counts)) {
        message::print(&[message(&format!(
            "nothing was read, and {} was not written",
            path.display()
        ))]);
    }
    Ok((outcome(&counts), counts))
}

/// Nothing could be read: that must not cost what an earlier run wrote.
fn was_in_vain(counts: &Counts) -> bool {
    counts.documents == 0 && counts.unread > 0
}

fn is_output(path: &std::path::Path) -> Usage {
    Usage(format!(
        "{}: is also the output; nothing was written",
        path.display()
    ))
}

fn outcome(counts: &Counts) -> Outcome {
    if counts.without_html > 0 {
        let records = count(counts.without_html, "record", "records");
        message::print(&[message(&format!("{records} held no HTML"))]);
    }
    if counts.unread == 0 {
        return Outcome::Done;
    }
    message::print(&[message(&format!(
        "{} could not be read; the rest was done",
        count(counts.unread, "input or part", "inputs or parts")
    ))]);
    Outcome::Unread
}

fn work_off(
    piece: Piece,
    options_of: OptionsOf<'_>,
    policy: Policy,
    each: Each<'_>,
    outbox: &mut Outbox<'_, Output>,
) {
    match piece {
        Piece::Unread(error) => outbox.results.unread(&error),
        Piece::WithoutHtml(records) => outbox.results.counts.without_html += records,
        Piece::Entity(entity) => {
            outbox.results.bytes_read += entity.bytes.len() as u64;
            let options = options_of(entity.kind);
            let mut extractor = Extractor::new(policy);
            read::documents(entity, options, &mut |found| match found {
                Ok(document) => extractor.extract(&document, &mut |extraction| {
                    outbox.results.counts.document(extraction.document());
                    each(extraction, outbox);
                    relieve(outbox);
                }),
                Err(error) => outbox.results.unread(&error),
            });
        }
    }
}
