//! The rows of `baseref links` and `baseref base`.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use baseref_container::{Entity, EntityKind};
use baseref_document::link_places::Classes;
use baseref_document::{ReadError, ReadErrorKind, ReadOptions, ReadResult};
use baseref_files::Files;
use baseref_reader::base::Policy;
use baseref_reader::links::{DocumentLinks, DocumentResolver};
use baseref_reader::read;
use baseref_report::bases::{BaseRow, BaseWriter, BasesFormat};
use baseref_report::column::Selection;
use baseref_report::links::{LinkRow, LinkWriter, Opening as OpenFile, each_row};
use baseref_report::row_cache::RowCache;
use baseref_report::url_lines::UrlLines;
use baseref_run::{self as run, Piece, ResultBuffer, Sink};
use baseref_unwrap::Unwrapper;
use baseref_walk::{Inputs, Opening, RetrievalUrls, Walk};

use crate::answer::Answer;
use crate::request::{Format, Request, RequestKind};
use crate::trouble;

/// Results larger than this, in bytes, are handed on before their document is complete.
const LARGE: usize = 256 * 1024;

/// Reads the documents, and hands on their rows.
pub(crate) fn run(request: &Request, files: &Arc<Files>, answer: &mut dyn Answer) {
    let task = Task::new(request);
    let opening = Arc::new(Opening {
        // Sources recorded by the file system are not among the chosen files.
        retrieval: RetrievalUrls::new(request.url.clone()),
        files: Arc::clone(files),
        ..Opening::default()
    });
    let inputs = Inputs::new(request.paths.clone(), Walk::default(), opening);
    let mut first = Chunk::default();
    match &task.rows {
        Rows::Links(links) => links.writer.begin(&mut first.rows),
        Rows::Bases(writer) => writer.begin(&mut first.rows),
    }
    if !first.rows.is_empty() {
        first.end_row();
    }
    let answer = Mutex::new(answer);
    let mut sink = AnswerSink(&answer);
    sink.take(&mut first);
    let entities = AtomicU64::new(0);
    let work = |piece: Piece, buffer: &mut ResultBuffer<'_, AnswerSink<'_, '_>>| match piece {
        Piece::Unread(error) => trouble::error(&error, &mut buffer.results.troubles),
        // What holds no HTML has no links.
        Piece::Skipped(_) => {}
        Piece::Entity(entity) => {
            let number = entities.fetch_add(1, Ordering::Relaxed) + 1;
            lock(&answer).begins();
            if let Some(fault) = request.faults.iter().find(|fault| fault.at == number) {
                let error = ReadError::new(ReadErrorKind::Fault, entity.origin, &*fault.said);
                trouble::error(&error, &mut buffer.results.troubles);
                return;
            }
            assert!(request.panic_at != Some(number), "as it was asked to");
            task.entity(entity, buffer);
        }
    };
    run::ordered(inputs, NonZeroUsize::MIN, work, sink);
}

fn lock<'m, 'a>(
    answer: &'m Mutex<&'a mut dyn Answer>,
) -> std::sync::MutexGuard<'m, &'a mut dyn Answer> {
    answer.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The results of some entities.
#[derive(Default)]
struct Chunk {
    rows: Vec<u8>,
    /// Where each row ends.
    ends: Vec<u32>,
    troubles: Vec<u8>,
}

impl Chunk {
    fn end_row(&mut self) {
        // Chunks are handed on long before they have four gigabytes.
        self.ends
            .push(u32::try_from(self.rows.len()).unwrap_or(u32::MAX));
    }
}

/// Hands results to the answer, in order.
struct AnswerSink<'h, 'a>(&'h Mutex<&'a mut dyn Answer>);

impl Sink for AnswerSink<'_, '_> {
    type Results = Chunk;

    fn take(&mut self, chunk: &mut Chunk) {
        let mut answer = lock(self.0);
        if !chunk.rows.is_empty() {
            answer.rows(&chunk.rows, &chunk.ends);
        }
        if !chunk.troubles.is_empty() {
            answer.troubles(&chunk.troubles);
        }
        chunk.rows.clear();
        chunk.ends.clear();
        chunk.troubles.clear();
    }
}

/// What is read of documents, and what is written about them.
struct Task {
    options: ReadOptions,
    message_options: ReadOptions,
    policy: Policy,
    rows: Rows,
    is_defanged: bool,
}

enum Rows {
    Links(Box<LinkRows>),
    Bases(BaseWriter),
}

struct LinkRows {
    writer: LinkWriter,
    /// What opens wrappers, if that is asked for.
    unwrapper: Option<Unwrapper>,
}

impl Task {
    fn new(request: &Request) -> Self {
        let policy = Policy::default().with_rules(request.rules.into());
        let is_defanged = request.defang;
        if request.want == RequestKind::Bases {
            let options = ReadOptions::default()
                .with_classes(Classes::default())
                .with_text(false)
                .with_positions(false)
                .with_marks(true);
            return Self {
                // Of a message, the notes say which references to its parts lead nowhere.
                message_options: options.clone().with_classes(Classes::IN_HTML),
                options,
                policy,
                rows: Rows::Bases(BaseWriter::new(match request.format {
                    Format::Csv => BasesFormat::Csv,
                    Format::Jsonl | Format::Html => BasesFormat::Jsonl,
                })),
                is_defanged,
            };
        }
        let classes = request.links.classes();
        let selection = if request.unwrap {
            Selection::with_unwrapped()
        } else {
            Selection::default()
        };
        let options = ReadOptions::default()
            .with_classes(classes.unwrap_or(Classes::ANCHORS))
            .with_text_alone(classes.is_none())
            .with_marks(request.url.is_none());
        let options = selection.needed(options);
        let writer = LinkWriter::new(request.format.links(), UrlLines::default(), selection);
        Self {
            message_options: options.clone(),
            options,
            policy,
            rows: Rows::Links(Box::new(LinkRows {
                writer,
                unwrapper: request.unwrap.then(Unwrapper::default),
            })),
            is_defanged,
        }
    }

    fn entity(&self, entity: Entity, buffer: &mut ResultBuffer<'_, AnswerSink<'_, '_>>) {
        let options = match entity.kind {
            EntityKind::Message { .. } | EntityKind::Outlook => &self.message_options,
            _ => &self.options,
        };
        let mut resolver = DocumentResolver::new(self.policy);
        let _ = read::documents(entity, options, &mut |found: ReadResult| match found {
            Ok(document) => {
                for links in resolver.documents(&document) {
                    notes(&links, &mut buffer.results.troubles);
                    self.document(&links, buffer);
                }
            }
            Err(error) => trouble::error(&error, &mut buffer.results.troubles),
        });
    }

    fn document(
        &self,
        document_links: &DocumentLinks<'_>,
        buffer: &mut ResultBuffer<'_, AnswerSink<'_, '_>>,
    ) {
        let doc = document_links.document().origin.to_string();
        match &self.rows {
            Rows::Bases(writer) => {
                let row = BaseRow {
                    doc: &doc,
                    document_links,
                };
                writer.record(&row, &mut buffer.results.rows);
                buffer.results.end_row();
            }
            Rows::Links(links) => {
                let mut cache = RowCache::default();
                let opening = OpenFile {
                    wrappers: links.unwrapper.as_ref(),
                    ..OpenFile::default()
                };
                each_row(document_links, &doc, opening, &mut |row| {
                    let row = LinkRow {
                        is_defanged: self.is_defanged,
                        ..*row
                    };
                    links
                        .writer
                        .record(&row, &mut cache, &mut buffer.results.rows);
                    buffer.results.end_row();
                    flush_if_large(buffer);
                });
            }
        }
        flush_if_large(buffer);
    }
}

fn flush_if_large(buffer: &mut ResultBuffer<'_, AnswerSink<'_, '_>>) {
    if buffer.results.rows.len() >= LARGE {
        buffer.flush();
    }
}

/// The notes on a document.
fn notes(document_links: &DocumentLinks<'_>, out: &mut Vec<u8>) {
    let document = document_links.document();
    let of_base = &document_links.base_report().notes;
    if document.notes.is_empty() && document_links.notes().is_empty() && of_base.is_empty() {
        return;
    }
    let doc = document.origin.to_string();
    for note in document.notes.iter().chain(document_links.notes()) {
        trouble::note(&doc, note, out);
    }
    for note in of_base {
        trouble::base_note(&doc, note, out);
    }
}
