//! `baseref base`: the base of each document, and how it was found.

use std::sync::Arc;

use super::documents::{self, Task};
use crate::cli::args::BaseArgs;
#[cfg(feature = "arrow")]
use crate::cli::columns;
use crate::cli::config::Bases;
use crate::cli::error::CommandError;
use crate::cli::outcome::Outcome;
use crate::cli::output::Output;
use baseref_container::EntityKind;
use baseref_document::ReadOptions;
use baseref_document::link_places::Classes;
use baseref_files::Files;
use baseref_files::terminal::show_since;
use baseref_reader::links::DocumentLinks;
#[cfg(feature = "arrow")]
use baseref_report::arrow::{Columns, Texts};
#[cfg(feature = "arrow")]
use baseref_report::bases::Bases as BaseRecord;
use baseref_report::bases::{BaseRow, BaseWriter};
#[cfg(feature = "arrow")]
use baseref_report::column::Selection;
use baseref_report::groups::Groups;
use baseref_run::ResultBuffer;

/// # Errors
/// On bad usage, and if the output cannot be written.
pub fn run(arguments: BaseArgs, files: &Arc<Files>) -> Result<Outcome, CommandError> {
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
        message_options: run.options.clone().with_classes(Classes::IN_HTML),
        options: run.options.clone(),
    };
    documents::run(run, &task)
}

struct BaseTask {
    /// With `-f arrow`.
    #[cfg(feature = "arrow")]
    columns: Option<Columns<BaseRecord>>,
    writer: BaseWriter,
    /// Control characters are escaped.
    shown: bool,
    message_options: ReadOptions,
    options: ReadOptions,
}

impl Task for BaseTask {
    fn options(&self, kind: EntityKind) -> &ReadOptions {
        match kind {
            EntityKind::Message { .. } | EntityKind::Outlook => &self.message_options,
            EntityKind::Html
            | EntityKind::StyleSheet
            | EntityKind::Resource
            | EntityKind::Response
            | EntityKind::Fields
            | EntityKind::Capture => &self.options,
        }
    }

    #[cfg(feature = "arrow")]
    fn schema(&self) -> Option<arrow_schema::SchemaRef> {
        self.columns.as_ref().map(Columns::schema).cloned()
    }

    fn begin(&self, out: &mut Vec<u8>) {
        self.writer.begin(out);
    }

    fn document(&self, document_links: &DocumentLinks<'_>, buffer: &mut ResultBuffer<'_, Output>) {
        let doc = document_links.document().origin.to_string();
        let row = BaseRow {
            doc: &doc,
            document_links,
        };
        #[cfg(feature = "arrow")]
        if let Some(columns) = &self.columns {
            columns::begin_document(&mut buffer.results);
            return columns::push(columns, &row, &mut buffer.results);
        }
        let out = &mut buffer.results.out;
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
