//! `baseref links`: every link of the documents, resolved.

mod account;

use std::io::{self, Write};
use std::sync::Arc;

use super::documents::{self, Task};
use crate::cli::args::LinksArgs;
#[cfg(feature = "arrow")]
use crate::cli::columns;
use crate::cli::config::{Links, Opening, Print};
use crate::cli::counts::Counts;
use crate::cli::error::CommandError;
use crate::cli::filter::Filter;
use crate::cli::message::Message;
use crate::cli::outcome::Outcome;
use crate::cli::output::{Chunk, Output, flush_if_large};
use baseref_container::EntityKind;
use baseref_document::ReadOptions;
use baseref_document::link_places::{Class, Classes};
use baseref_files::Files;
use baseref_reader::base::Verdict;
use baseref_reader::keyed_hash::KeyedHash;
use baseref_reader::links::DocumentLinks;
#[cfg(feature = "arrow")]
use baseref_report::arrow::{Columns, Texts};
use baseref_report::column::Selection;
use baseref_report::defang;
use baseref_report::edges::{EdgeFormat, Edges, MOST_NODES};
use baseref_report::groups::{GroupBy, GroupWriter, Groups};
use baseref_report::links::Links as LinkRecord;
use baseref_report::links::{self, LinkRow, LinkWriter, each_row};
use baseref_report::observables::{Observables, ObservablesFormat};
use baseref_report::row_cache::RowCache;
use baseref_resolve::ResolveError;
use baseref_run::ResultBuffer;

/// # Errors
/// On bad usage, and if the output cannot be written.
pub fn run(arguments: LinksArgs, files: &Arc<Files>) -> Result<Outcome, CommandError> {
    let Links {
        run,
        filter,
        print,
        format,
        opening,
        is_defanged,
        longest,
        stats,
    } = Links::new(arguments, files)?;
    let has_rows = format.has_rows() || !matches!(print, Print::Rows { .. });
    let task = LinksTask {
        files: Arc::clone(files),
        options: run.options.clone(),
        filter,
        writer: match print {
            Print::Rows {
                selection,
                lines,
                unique,
            } => {
                let writer = LinkWriter::new(format, lines, selection);
                Writer::Rows(writer, unique.then(KeyedHash::with_random_key))
            }
            Print::Count => Writer::Count(GroupWriter::new(format)),
            Print::Edges(format, by) => Writer::Edges(format, by),
            Print::Groups(by) => Writer::Groups(GroupWriter::new(format), by),
            Print::Observables(form) => Writer::Observables(form),
            #[cfg(feature = "arrow")]
            Print::Columns(selection) => Writer::Columns(Columns::new(&selection, Texts::Plain)),
        },
        opening,
        is_defanged,
        longest,
        has_rows,
        stats,
    };
    documents::run(run, &task)
}

struct LinksTask {
    files: Arc<Files>,
    options: ReadOptions,
    filter: Filter,
    writer: Writer,
    opening: Opening,
    /// Whether URLs, hosts and addresses are defanged.
    is_defanged: bool,
    /// The maximum length of printed URLs, in characters, if there is one.
    longest: Option<usize>,
    /// Whether links without a URL are in the output, too.
    has_rows: bool,
    /// Whether to report how documents were read.
    stats: bool,
}

/// What to write about links.
enum Writer {
    /// Each link; with hashes, each URL only once.
    Rows(LinkWriter, Option<KeyedHash>),
    Count(GroupWriter),
    Groups(GroupWriter, GroupBy),
    /// The number of links by two fields.
    Edges(EdgeFormat, Selection<LinkRecord>),
    /// The distinct URLs, hosts and addresses that links lead to.
    Observables(ObservablesFormat),
    /// Each link, in batches.
    #[cfg(feature = "arrow")]
    Columns(Columns<LinkRecord>),
}

impl Task for LinksTask {
    fn options(&self, _kind: EntityKind) -> &ReadOptions {
        &self.options
    }

    #[cfg(feature = "arrow")]
    fn schema(&self) -> Option<arrow_schema::SchemaRef> {
        match &self.writer {
            Writer::Columns(columns) => Some(columns.schema().clone()),
            _ => None,
        }
    }

    fn begin(&self, out: &mut Vec<u8>) {
        match &self.writer {
            #[cfg(feature = "arrow")]
            Writer::Columns(_) => {}
            Writer::Rows(writer, _) => writer.begin(out),
            Writer::Observables(_) | Writer::Edges(..) => {}
            Writer::Count(writer) | Writer::Groups(writer, _) => writer.begin(out),
        }
    }

    fn document(&self, document_links: &DocumentLinks<'_>, buffer: &mut ResultBuffer<'_, Output>) {
        let document = document_links.document();
        let doc = document.origin.to_string();
        let mut cache = RowCache::default();
        #[cfg(feature = "arrow")]
        columns::begin_document(&mut buffer.results);
        let mut taken = 0;
        let mut lacks_base = false;
        let opening = links::Opening {
            archives: self.opening.unwrap_archive,
            wrappers: self.opening.wrappers.as_ref(),
            by_final: self.opening.by_final,
        };
        each_row(document_links, &doc, opening, &mut |row| {
            let counts = &mut buffer.results.counts;
            counts.links += 1;
            if let Err(error) = row.link.url {
                counts.without_url.count(error);
                lacks_base |= error == ResolveError::NoBase;
            }
            if self.filter.takes(row) {
                taken += 1;
                if let Some(browser) = row.elsewhere {
                    counts.elsewhere.count(row.url(), browser);
                }
                let row = &LinkRow {
                    longest: self.longest,
                    is_defanged: self.is_defanged,
                    ..*row
                };
                counts.cut += u64::from(row.is_cut(self.has_rows));
                self.link(row, &mut cache, &mut buffer.results);
                flush_if_large(buffer);
            } else {
                counts.filtered += 1;
            }
        });
        let chunk = &mut buffer.results;
        if lacks_base {
            chunk.counts.document_lacks_base(document);
            chunk.counts.has_unused_mark |= has_unused_mark(document_links);
        }
        if let Writer::Count(writer) = &self.writer {
            writer.document(&doc, taken, &mut chunk.out);
        }
    }

    fn end(&self, groups: &Groups, out: &mut Vec<u8>) {
        match &self.writer {
            Writer::Rows(writer, _) => writer.end(out),
            Writer::Count(_) | Writer::Observables(_) | Writer::Edges(..) => {}
            #[cfg(feature = "arrow")]
            Writer::Columns(_) => {}
            Writer::Groups(writer, by) => writer.groups(*by, groups, out),
        }
    }

    fn edges(&self, edges: &Edges, out: &mut Vec<u8>) -> Option<Message> {
        let Writer::Edges(format, by) = &self.writer else {
            return None;
        };
        format.write(by, edges, out);
        let nodes = edges.nodes();
        (*format == EdgeFormat::Graphml && nodes > MOST_NODES).then(|| {
            let text = format!(
                "a graph of {nodes} nodes is not written as GraphML, which has up to {MOST_NODES}: -f \
                 edges has no limit"
            );
            Message::error("graph-nodes", text)
        })
    }

    fn observables(
        &self,
        observables: &Observables,
        out: &mut dyn Write,
    ) -> io::Result<Option<Message>> {
        let Writer::Observables(form) = self.writer else {
            return Ok(None);
        };
        observables.write(form, self.is_defanged, out)?;
        Ok(account::left_out(observables, form))
    }

    fn in_text(&self) -> Option<ReadOptions> {
        let is_other = !self.options.classes.contains(Class::Text);
        is_other.then(|| {
            let text = Classes::default().with(Class::Text);
            let options = self.options.clone().with_classes(text);
            options
                .with_text(false)
                .with_positions(false)
                .with_metadata(false)
        })
    }

    fn account(&self, counts: &Counts) -> Vec<Message> {
        account::messages(counts, &self.files, self.has_rows, self.longest, self.stats)
    }
}

impl LinksTask {
    fn link(&self, row: &LinkRow<'_>, cache: &mut RowCache, chunk: &mut Chunk) {
        match &self.writer {
            Writer::Rows(writer, numbers) => {
                writer.record(row, cache, &mut chunk.out);
                if let Some(numbers) = numbers {
                    let url = row.judged_url().map(|url| numbers.hash(url));
                    chunk.rows.push((chunk.out.len(), url));
                }
            }
            Writer::Count(_) => {}
            Writer::Observables(_) => chunk.observables.count(row),
            Writer::Edges(_, by) => chunk.edges.count(by, row),
            #[cfg(feature = "arrow")]
            Writer::Columns(writer) => columns::push(writer, row, chunk),
            Writer::Groups(_, by) => by.keys(row, |key| match key {
                Some(key) if self.is_defanged && *by != GroupBy::Doc => {
                    chunk.groups.count(Some(&defang::names(key)));
                }
                _ => chunk.groups.count(key),
            }),
        }
    }
}

/// Whether the document records its source URL, but recorded sources are not used.
fn has_unused_mark(document_links: &DocumentLinks<'_>) -> bool {
    let mut candidates = document_links.base_report().candidates.iter();
    candidates.any(|candidate| candidate.verdict == Verdict::OriginOff)
}
