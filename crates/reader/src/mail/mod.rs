//! Reads the documents in a message (RFC 5322, MIME); the only module that uses mailparse.

mod attached;
mod attachment;
mod body;
mod cms;
mod encryption;
mod field_links;
mod header_data;
mod heading;
mod message;
mod metadata;
#[cfg(feature = "archives")]
mod outlook;
mod part;
mod piece;
mod scan;
mod stored;
mod stored_part;
mod tree;
mod walk;
mod walk_state;

use std::sync::Arc;

use encoding_rs::UTF_8;

pub use self::attachment::{Attachment, Opener};
pub use self::message::Message;
#[cfg(feature = "archives")]
pub use self::outlook::{OutlookMessage, documents_of_outlook};
use self::piece::{LeafKind, Piece, PieceSink, add_metadata};
use self::walk::WalkResult;
use baseref_document::link_places::{Class, Classes};
use baseref_document::{
    Document, Metadata, Note, Origin, Part, PartOf, ReadError, ReadErrorKind, ReadOptions,
    ReadResult, Sink, Skipped,
};
use baseref_html as html;
use baseref_html::text::{calendar, plain, shortcut, style_sheet};
use baseref_text::decode::sniff;
use baseref_text::decode::source::{Markup, MarkupSource};
use baseref_text::decode::transfer;

/// Finds the documents of a message, in order and at any depth, through every multipart and every
/// embedded message: its HTML parts, by type or, where they have none, by name and content; its
/// text/plain and text/css parts, and the URLs in the text of HTML bodies, if links of the classes [`baseref_document::link_places::Class::Text`] and
/// [`baseref_document::link_places::Class::Resource`] are wanted, or there is no HTML and
/// [`ReadOptions::text_alone`] asks for them then; and the HTML files uuencoded in its texts. Attached
/// files that may hold documents are passed to `open` after all other parts. The links of a header
/// come first in the document of its part. If its part has no document, as for messages and
/// multiparts, the links of its header form a document of their own.
///
/// The declarations of each document are the `Base`, `Content-Base` and `Content-Location` fields
/// of every header around it (RFC 1808 §3.1, §3.2), outermost first. The declarations of `message`
/// precede them, and the `Snapshot-Content-Location` of the outermost header precedes both. Sections
/// are numbered as in RFC 3501 §6.4.5. Unreadable parts give errors. Repairs and limits give a note on
/// the next document, on the last one if none follows, or an error if the message has no document.
/// Returns the parts skipped because they hold no links, by media type.
pub fn documents(
    message: &Message<'_>,
    options: &ReadOptions,
    open: &mut dyn Opener,
    found: &mut dyn Sink<ReadResult>,
) -> Skipped {
    let origin = message.origin.clone();
    let walk = |options: &ReadOptions, sink: &mut PieceSink<'_>| {
        walk::walk(message.clone(), options, sink)
    };
    documents_of(&origin, walk, options, open, found)
}

/// The documents of a message whose parts `walk` passes on.
fn documents_of(
    origin: &Origin,
    walk: impl Fn(&ReadOptions, &mut PieceSink<'_>) -> WalkResult,
    options: &ReadOptions,
    open: &mut dyn Opener,
    found: &mut dyn Sink<ReadResult>,
) -> Skipped {
    let mut parts = Parts::read(&walk, options);
    let seems_empty = if parts.has_html {
        parts.links() == 0
    } else {
        parts.has_text
    };
    if options.text_alone && seems_empty {
        let with_text = options.classes.with(Class::Text);
        let texts = Parts::read(&walk, &options.clone().with_classes(with_text));
        // Texts without links are counted as not read.
        if texts.links() > parts.links() {
            parts = texts;
        }
    }
    let Parts {
        mut all,
        attached,
        mut skipped,
        walked,
        ..
    } = parts;
    move_to_last(walked.notes, origin, &mut all);
    // A document can refer to parts after it.
    let parts: Arc<[Part]> = walked.parts.into();
    let links_wanted = options.classes != Classes::default();
    let in_message = |document: &mut Document, own| {
        if links_wanted {
            let parts = Arc::clone(&parts);
            put_in_message(document, &PartOf { parts, own });
        }
    };
    for (mut result, own) in all {
        if let Ok(document) = &mut result {
            in_message(document, own);
        }
        found.add(result);
    }
    // Documents of attached files can be large and are passed on at once.
    for (file, own, metadata) in attached {
        let inside = open.open(file, &mut |mut result: ReadResult| {
            // A document of an attached message belongs to that message.
            if let Ok(document) = &mut result
                && document.message.is_none()
            {
                add_metadata(document, &metadata);
                in_message(document, own);
            }
            found.add(result);
        });
        skipped.add(&inside);
    }
    skipped.add(&walked.skipped);
    skipped
}

/// The contents of the parts of a message.
struct Parts {
    /// The documents and errors, each with the index of its part.
    all: Vec<(ReadResult, usize)>,
    /// The files to be opened.
    attached: Vec<(Attachment, usize, Metadata)>,
    /// Whether there is an HTML part, or HTML in a text.
    has_html: bool,
    /// Whether there is plain text whose links are missing from `all`.
    has_text: bool,
    skipped: Skipped,
    walked: WalkResult,
}

impl Parts {
    fn read(
        walk: impl Fn(&ReadOptions, &mut PieceSink<'_>) -> WalkResult,
        options: &ReadOptions,
    ) -> Self {
        let mut all = Vec::new();
        let mut attached = Vec::new();
        let mut has_html = false;
        let mut has_text = false;
        let mut skipped = Skipped::default();
        let walked = walk(options, &mut |piece: Piece<'_>| match piece {
            Piece::Leaf {
                source,
                kind,
                mut lead,
            } => {
                let part = lead.part;
                // For the links of a header whose body gives no document.
                let heading = (!lead.references.is_empty()).then(|| {
                    let mut heading = Document::empty(source.origin.clone(), UTF_8.name());
                    heading.declarations.clone_from(&source.declarations);
                    heading
                });
                let mut found = |result: ReadResult| {
                    all.push((result.map(|own| lead.put_before(own)), part));
                };
                match kind {
                    LeafKind::Html => {
                        has_html = true;
                        found.add(Ok(html::read_mail_body(source, options)));
                    }
                    LeafKind::Page => {
                        has_html = true;
                        found.add(Ok(html::read(source, options)));
                    }
                    LeafKind::Text(layout) => {
                        if options.classes.contains(Class::Text) {
                            found.add(Ok(plain::read(source.clone(), layout, options)));
                        } else {
                            has_text = true;
                        }
                        has_html |= files(&source, options, &mut skipped, &mut found);
                    }
                    LeafKind::StyleSheet => found.add(Ok(style_sheet::read(source, options))),
                    LeafKind::Calendar => {
                        let documents = calendar::read(&source, options);
                        if documents.is_empty() {
                            skipped.count("text/calendar");
                        }
                        documents.into_iter().map(Ok).for_each(found);
                    }
                    LeafKind::Shortcut => match shortcut::read(&source, options) {
                        Some(document) => found.add(Ok(document)),
                        None => skipped.count("application/internet-shortcut"),
                    },
                }
                if let Some(heading) = heading.filter(|_| !lead.references.is_empty()) {
                    all.push((Ok(lead.put_before(heading)), part));
                }
            }
            Piece::File {
                file,
                part,
                metadata,
            } => attached.push((file, part, metadata)),
            Piece::Heading(document, part) => all.push((Ok(*document), part)),
            Piece::Unread(error) => all.push((Err(error), 0)),
        });
        Self {
            all,
            attached,
            has_html,
            has_text: has_text || walked.skipped.texts > 0,
            skipped,
            walked,
        }
    }

    /// The number of links.
    fn links(&self) -> usize {
        let documents = self.all.iter().filter_map(|(found, _)| found.as_ref().ok());
        documents.map(|document| document.references.len()).sum()
    }
}

/// The maximum number of files read from one text.
const FILES: usize = 100;

/// Reads the HTML files uuencoded in a text, as programs attached them before MIME; returns whether
/// there are any.
fn files(
    text: &MarkupSource<'_>,
    options: &ReadOptions,
    skipped: &mut Skipped,
    found: &mut dyn Sink<ReadResult>,
) -> bool {
    let mut has_html = false;
    for (number, file) in transfer::uuencoded_files(text.bytes).enumerate() {
        let name = String::from_utf8_lossy(file.name).into_owned();
        let origin = text.origin.attached(name);
        if number == FILES {
            let reason = format!("the uuencoded files after the first {FILES} are not read");
            found.add(Err(ReadError::new(ReadErrorKind::Limit, origin, reason)));
            break;
        }
        if !sniff::is_html(sniff::skip_white_space(&file.bytes)) {
            skipped.count("application/octet-stream");
            continue;
        }
        if !file.is_whole {
            let reason = "the uuencoded file is truncated";
            found.add(Err(ReadError::new(
                ReadErrorKind::Damaged,
                origin.clone(),
                reason,
            )));
        }
        let source = MarkupSource {
            markup: Markup::Html,
            bytes: &file.bytes,
            origin,
            part_byte: text.part_byte.clone(),
            charset: None,
            declarations: text.declarations.clone(),
        };
        has_html = true;
        found.add(Ok(html::read(source, options)));
    }
    has_html
}

/// Moves the notes left after the last document to that document; without any document they become
/// errors.
fn move_to_last(notes: Vec<Note>, origin: &Origin, all: &mut Vec<(ReadResult, usize)>) {
    let mut documents = all.iter_mut().rev();
    if let Some(last) = documents.find_map(|(found, _)| found.as_mut().ok()) {
        last.notes.extend(notes);
        return;
    }
    let errors = notes.iter();
    all.extend(errors.map(|note| (Err(ReadError::from_note(note, origin.clone())), 0)));
}

/// Records in a document, and in those in its attributes, which part they are.
fn put_in_message(document: &mut Document, part: &PartOf) {
    document.message = Some(part.clone());
    for embedded in &mut document.embedded {
        put_in_message(embedded, part);
    }
}

#[cfg(test)]
mod tests;
