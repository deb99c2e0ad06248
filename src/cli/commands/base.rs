//! `baseref base`: the base of each document, and how it was found.

use super::documents::{self, Frame};
use crate::cli::args::BaseArgs;
use crate::cli::config::Bases;
use crate::cli::{Outcome, Usage};
use crate::container::entity::Kind;
use crate::options::ReadOptions;
use crate::report::bases::{BaseRow, BaseWriter};
use crate::slots::Classes;

/// # Errors
/// On bad usage, and when the output cannot be written.
pub fn run(arguments: BaseArgs) -> Result<Outcome, Usage> {
    let Bases { run, format } = Bases::new(arguments)?;
    let writer = BaseWriter::new(format);
    let options = run.options.clone();
    // Of a message the notes tell which references to its parts lead nowhere.
    let of_message = ReadOptions {
        classes: Classes::IN_HTML,
        ..options.clone()
    };
    let options_of = |kind: Kind| match kind {
        Kind::Message { .. } => &of_message,
        Kind::Html | Kind::Resource | Kind::Response => &options,
    };
    let mut frame = Frame::default();
    writer.begin(&mut frame.head);
    writer.end(&mut frame.foot);
    let (outcome, _) = documents::run(run, &frame, &options_of, &|extraction, outbox| {
        let doc = extraction.document().origin.to_string();
        let row = BaseRow {
            doc: &doc,
            extraction,
        };
        writer.record(&row, &mut outbox.results.out);
    })?;
    Ok(outcome)
}
