//! Entities to documents: chooses the reader of each kind.

#[cfg(feature = "archives")]
mod attachment;
#[cfg(feature = "mail")]
mod message;
mod response;

#[cfg(feature = "mail")]
use crate::mail::{Attachment, Opener};
#[cfg(feature = "mail")]
use baseref_container::Nesting;
use baseref_container::{Entity, EntityKind};
use baseref_document::{Document, ReadError, ReadOptions, ReadResult, Sink, Skipped};
use baseref_html as html;
use baseref_html::text::style_sheet;
use baseref_text::decode::source::MarkupSource;

/// Reads the documents of an entity, in document order, with errors in between for what cannot be
/// read. Returns what was skipped because it holds no links, by media type.
pub fn documents(
    mut entity: Entity,
    options: &ReadOptions,
    found: &mut dyn Sink<ReadResult>,
) -> Skipped {
    let bytes = std::mem::take(&mut entity.bytes);
    documents_in(&bytes, entity, options, found)
}

/// Like [`documents`], for an entity whose bytes are borrowed as `bytes`; its own are ignored.
pub fn documents_in(
    bytes: &[u8],
    mut entity: Entity,
    options: &ReadOptions,
    found: &mut dyn Sink<ReadResult>,
) -> Skipped {
    let date = entity.date.take().filter(|_| options.metadata);
    let mut notes = std::mem::take(&mut entity.notes);
    let is_damaged = entity.is_damaged || notes.iter().any(|note| note.code.is_loss());
    let origin = (!notes.is_empty()).then(|| entity.origin.clone());
    let skipped = read(bytes, entity, options, &mut |result: ReadResult| {
        found.add(result.map(|mut document| {
            if !notes.is_empty() {
                document.notes.splice(..0, notes.drain(..));
            }
            say_of_all(&mut document, date.as_deref());
            document.is_damaged |= is_damaged;
            document
        }));
    });
    if let Some(origin) = origin {
        for note in notes {
            found.add(Err(ReadError::from_note(&note, origin.clone())));
        }
    }
    skipped
}

/// Fills in what the entity says about a document and about those embedded in it. The recursion is
/// bounded by [`baseref_document::Limits::srcdoc_depth`].
fn say_of_all(document: &mut Document, date: Option<&str>) {
    if document.metadata.date.is_none() {
        document.metadata.date = date.map(Box::from);
    }
    for embedded in &mut document.embedded {
        say_of_all(embedded, date);
    }
}

fn read(
    bytes: &[u8],
    entity: Entity,
    options: &ReadOptions,
    found: &mut dyn Sink<ReadResult>,
) -> Skipped {
    match entity.kind {
        EntityKind::Html | EntityKind::Resource | EntityKind::StyleSheet => {
            let kind = entity.kind;
            let source = MarkupSource {
                markup: entity.markup,
                bytes,
                origin: entity.origin,
                part_byte: entity
                    .offset
                    .filter(|_| entity.kind == EntityKind::Resource)
                    .map(|offset| offset..offset + bytes.len() as u64),
                charset: entity.charset.as_deref(),
                declarations: entity.declarations,
            };
            found.add(Ok(if kind == EntityKind::StyleSheet {
                style_sheet::read(source, options)
            } else {
                html::read(source, options)
            }));
        }
        EntityKind::Response => response::read(bytes, entity, options, found),
        EntityKind::Fields => response::read_fields(bytes, entity, options, found),
        #[cfg(feature = "archives")]
        EntityKind::Outlook => {
            let open = &mut Attachments::new(&entity.nesting, bytes.len(), options);
            return message::read_outlook(bytes, entity, options, open, found);
        }
        #[cfg(feature = "mail")]
        EntityKind::Message { unquote } => {
            let open = &mut Attachments::new(&entity.nesting, bytes.len(), options);
            return message::read(bytes, entity, unquote, options, open, found);
        }
        // No container gives one without the features.
        #[cfg(not(feature = "archives"))]
        EntityKind::Outlook => {}
        #[cfg(not(feature = "mail"))]
        EntityKind::Message { .. } => {}
        EntityKind::Capture => {}
    }
    Skipped::default()
}

/// Opens the files attached to a message, which is in those containers.
#[cfg(feature = "archives")]
struct Attachments<'o> {
    around: Nesting,
    options: &'o ReadOptions,
}

#[cfg(feature = "archives")]
impl<'o> Attachments<'o> {
    /// For a message of `size` bytes.
    fn new(around: &Nesting, size: usize, options: &'o ReadOptions) -> Self {
        let around = around.inside_message(size, &options.limits);
        Self { around, options }
    }
}

#[cfg(feature = "archives")]
impl Opener for Attachments<'_> {
    fn open(&mut self, file: Attachment, found: &mut dyn Sink<ReadResult>) -> Skipped {
        attachment::read(file, &self.around, self.options, found, documents)
    }
}

/// Without containers inside containers, nothing is opened.
#[cfg(all(feature = "mail", not(feature = "archives")))]
struct Attachments;

#[cfg(all(feature = "mail", not(feature = "archives")))]
impl Attachments {
    fn new(_around: &Nesting, _size: usize, _options: &ReadOptions) -> Self {
        Self
    }
}

#[cfg(all(feature = "mail", not(feature = "archives")))]
impl Opener for Attachments {
    fn open(&mut self, file: Attachment, _found: &mut dyn Sink<ReadResult>) -> Skipped {
        let mut skipped = Skipped::default();
        skipped.count(&file.media_type);
        skipped
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::Compression;
    use flate2::write::GzEncoder;

    /// Compressed bytes.
    pub fn gzip(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }
}
