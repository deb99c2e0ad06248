//! `baseref base`: the base of each document, and how it was found.

use std::sync::Arc;

use super::documents::{self, Task};
use crate::cli::args::BaseArgs;
#[cfg(feature = "arrow")]
use crate::cli::columns;
use crate::cli::config::Bases;
use crate::cli::outcome::{Outcome, Usage};
use crate::cli::output::Output;
use crate::container::entity::Kind;
use crate::extract::Extraction;
use crate::files::Files;
use crate::options::ReadOptions;
#[cfg(feature = "arrow")]
use crate::report::arrow::{Columns, Texts};
#[cfg(feature = "arrow")]
use crate::report::bases::Bases as BaseRecord;
use crate::report::bases::{BaseRow, BaseWriter};
#[cfg(feature = "arrow")]
use crate::report::column::Selection;
use crate::report::groups::Groups;
use crate::report::text::show_since;
use crate::run::Outbox;
use crate::slots::Classes;

/// # Errors
/// On bad usage, and if the output cannot be written.
pub fn run(arguments: BaseArgs, files: &Arc<Files>) -> Result<Outcome, Usage> {
    let Bases {
        run,
        format,
        #[cfg(feature = "arrow")]
        is_columns,
    } = Bases::new(arguments, files)?;
    let task = BaseTask {
        #[cfg(feature = "arrow")]
        columns: is_columns.then(|| Columns::new(&Selection::default(), Texts::Plain)),
        writer: BaseWriter::new(format),
        shown: run.shown,
        // For a message, the notes report which references to its parts lead nowhere.
        of_message: run.options.clone().classes(Classes::IN_HTML),
        options: run.options.clone(),
    };
    documents::run(run, &task)
}

struct BaseTask {
    /// With `-f arrow`.
    #[cfg(feature = "arrow")]
    columns: Option<Columns<BaseRecord>>,
    writer: BaseWriter,
    /// Control characters are shown, not sent.
    shown: bool,
    of_message: ReadOptions,
    options: ReadOptions,
}

impl Task for BaseTask {
    fn options(&self, kind: Kind) -> &ReadOptions {
        match kind {
            Kind::Message { .. } => &self.of_message,
            Kind::Html | Kind::StyleSheet | Kind::Resource | Kind::Response | Kind::Fields => {
                &self.options
            }
        }
    }

    #[cfg(feature = "arrow")]
    fn schema(&self) -> Option<arrow_schema::SchemaRef> {
        self.columns.as_ref().map(Columns::schema).cloned()
    }

    fn begin(&self, out: &mut Vec<u8>) {
        self.writer.begin(out);
    }

    fn document(&self, extraction: &Extraction<'_>, outbox: &mut Outbox<'_, Output>) {
        let doc = extraction.document().origin.to_string();
        let row = BaseRow {
            doc: &doc,
            extraction,
        };
        #[cfg(feature = "arrow")]
        if let Some(columns) = &self.columns {
            columns::begin_document(&mut outbox.results);
            return columns::push(columns, &row, &mut outbox.results);
        }
        let out = &mut outbox.results.out;
        let start = out.len();
        self.writer.record(&row, out);
        if self.shown {
            show_since(start, out);
        }
    }

    fn end(&self, _groups: &Groups, out: &mut Vec<u8>) {
        self.writer.end(out);
    }
}
