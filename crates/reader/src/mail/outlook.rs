//! Outlook messages: the parts of a MIME message in another storage format.

use std::cell::RefCell;
use std::ops::Range;

use baseref_outlook as outlook;

use super::attachment::Opener;
use super::documents_of;
use super::part::{Composite, OpenPart};
use super::piece::PieceSink;
use super::scan::{Buffer, Path};
use super::stored_part::{Problem, StoredPart, StoredParts};
use super::walk::walk_from;
use super::walk_state::{Entity, Walk};
use baseref_document::{
    Declaration, NoteCode, Origin, ReadError, ReadErrorKind, ReadOptions, ReadResult, Section,
    Sink, Skipped,
};
use baseref_text::decode::transfer;
use baseref_text::header::field::{push_field, quoted};
use baseref_text::header::media_type::TransferEncoding;

/// A message as stored or sent by Outlook.
#[derive(Clone, Debug)]
pub struct OutlookMessage<'m> {
    /// A compound file or a stream of TNEF.
    pub bytes: &'m [u8],
    /// The message itself, if it is one of a store.
    pub stored: Option<&'m outlook::Message>,
    /// Where it is, with an empty MIME section.
    pub origin: Origin,
    /// The declarations of a base around it, outermost first: the retrieval URL.
    pub declarations: Vec<Declaration>,
}

/// Finds the documents of an Outlook message, like [`super::documents`]. The message has the parts that
/// it would have in MIME: a multipart/related of its body, or of a multipart/alternative of its bodies,
/// and of its attachments. Positions in it do not refer to the file.
pub fn documents_of_outlook(
    message: OutlookMessage<'_>,
    options: &ReadOptions,
    open: &mut dyn Opener,
    found: &mut dyn Sink<ReadResult>,
) -> Skipped {
    let OutlookMessage {
        bytes,
        stored,
        origin,
        declarations,
    } = message;
    let size = stored.map_or(bytes.len(), size);
    let read = || match stored {
        Some(message) => Ok(message.clone()),
        None => read(bytes, options),
    };
    let first = match read() {
        Ok(read) => RefCell::new(Some(read)),
        Err(error) => {
            let kind = match error {
                outlook::MessageError::Damaged(_) => ReadErrorKind::Damaged,
                outlook::MessageError::NotOutlook | outlook::MessageError::NotAMessage => {
                    ReadErrorKind::Format
                }
            };
            found.add(Err(ReadError::new(kind, origin, error.to_string())));
            return Skipped::default();
        }
    };
    let walk = |options: &ReadOptions, sink: &mut PieceSink<'_>| {
        let again = || read().unwrap_or_default();
        let message = first.take().unwrap_or_else(again);
        let around = OpenPart {
            section: Section::default(),
            line: None,
            declarations: declarations.len(),
            part: 0,
            message: None,
            composite: Composite::Message,
        };
        let scan = message_part("", message).scan(around, 0);
        let (origin, declarations) = (origin.clone(), declarations.clone());
        walk_from(scan, size, origin, declarations, options, sink)
    };
    documents_of(&origin, walk, options, open, found)
}

/// How many bytes the bodies and attachments of a message have.
fn size(message: &outlook::Message) -> usize {
    let bodies = message.bodies.iter().map(|body| body.bytes.len());
    let attachments = message.attachments.iter();
    let attachments = attachments.map(|attachment| match &attachment.content {
        outlook::Content::Bytes(bytes) => bytes.len(),
        outlook::Content::Message(message) => size(message),
        outlook::Content::Reference(_) | outlook::Content::Other => 0,
    });
    message.header.len() + bodies.chain(attachments).sum::<usize>()
}

fn read(bytes: &[u8], options: &ReadOptions) -> Result<outlook::Message, outlook::MessageError> {
    let limits = limits(options);
    if bytes.starts_with(&outlook::TNEF) {
        outlook::read_tnef(bytes, &limits)
    } else {
        outlook::read_msg(bytes, &limits)
    }
}

impl Walk<'_> {
    /// The parts of a TNEF part; `None` if the part is not TNEF. Its header fields are ignored, since
    /// the enclosing message has the same.
    pub fn tnef(
        &mut self,
        buffer: &Buffer<'_>,
        path: &Path,
        entity: &Entity<'_, '_>,
        body: Range<usize>,
    ) -> Option<StoredParts> {
        /// Enough encoded bytes for the signature.
        const LOOKED_AT: usize = 32;
        let stored = buffer.bytes.get(body.clone())?;
        let stored = &stored[..stored.len().min(LOOKED_AT)];
        let is_tnef = match &entity.encoding {
            TransferEncoding::Encoded(encoding) => {
                let head = transfer::decode(*encoding, stored).bytes;
                head.starts_with(&outlook::TNEF)
            }
            _ => stored.starts_with(&outlook::TNEF),
        };
        if !is_tnef {
            return None;
        }
        let bytes = self.decode_leaf(buffer, path, entity, body);
        let message = outlook::read_tnef(&bytes, &limits(self.options)).ok()?;
        Some(stored_parts(message))
    }
}

fn limits(options: &ReadOptions) -> outlook::Limits {
    outlook::Limits {
        depth: options.limits.mime_depth,
    }
}

/// A part that contains a message; its header begins with `around`.
fn message_part(around: &str, message: outlook::Message) -> StoredPart {
    // The type comes first, in case the limit on headers cuts off the rest.
    let header = format!(
        "{around}Content-Type: multipart/related\r\n{}\r\n",
        message.header
    );
    StoredPart {
        bytes: header.into_bytes(),
        inner: Some(stored_parts(message)),
    }
}

fn stored_parts(message: outlook::Message) -> StoredParts {
    let mut bodies: Vec<StoredPart> = message.bodies.iter().map(body_part).collect();
    let body = if bodies.len() > 1 {
        let alternatives = StoredParts {
            parts: bodies,
            problems: Vec::new(),
        };
        Some(StoredPart {
            bytes: b"Content-Type: multipart/alternative\r\n\r\n".to_vec(),
            inner: Some(alternatives),
        })
    } else {
        bodies.pop()
    };
    let attached = message.attachments.into_iter().map(attachment_part);
    StoredParts {
        parts: body.into_iter().chain(attached).collect(),
        problems: message.problems.into_iter().map(problem_of).collect(),
    }
}

fn body_part(body: &outlook::Body) -> StoredPart {
    let essence = match body.kind {
        outlook::BodyKind::Text => "text/plain",
        outlook::BodyKind::Html => "text/html",
    };
    let mut header = Header::default();
    match body.charset {
        Some(charset) => header.push("Content-Type", &format!("{essence}; charset={charset}")),
        None => header.push("Content-Type", essence),
    }
    header.push_some("Content-Location", body.location.as_deref());
    header.before(&body.bytes)
}

fn attachment_part(file: outlook::Attachment) -> StoredPart {
    let name = file.name.as_deref().unwrap_or_default();
    let disposition = file.disposition.as_deref().unwrap_or("attachment");
    let declared = file
        .media_type
        .as_deref()
        .filter(|media| media.contains('/'));
    let media = declared.unwrap_or("application/octet-stream");
    // A multipart attachment is an entity with its own header.
    let is_entity = media.to_ascii_lowercase().starts_with("multipart/");
    let header = |media: &str| {
        let mut header = Header::default();
        header.push("Content-Type", media);
        header.push_some("Content-Base", file.base.as_deref());
        header.push_some("Content-Location", file.location.as_deref());
        if let Some(id) = &file.content_id {
            header.push("Content-ID", &format!("<{id}>"));
        }
        let named = format!("{disposition}; filename={}", quoted(name));
        header.push("Content-Disposition", &named);
        header
    };
    match file.content {
        outlook::Content::Bytes(bytes) if is_entity => StoredPart { bytes, inner: None },
        outlook::Content::Bytes(bytes) => header(media).before(&bytes),
        outlook::Content::Message(message) => {
            message_part(&format!("{}\r\n", header("message/rfc822").0), *message)
        }
        outlook::Content::Reference(url) => {
            let parameters = format!("access-type=URL; url={}", quoted(&url));
            header(&format!("message/external-body; {parameters}")).before(b"")
        }
        outlook::Content::Other => header("application/x-ole-storage").before(b""),
    }
}

fn problem_of(problem: outlook::Problem) -> Problem {
    match problem.kind {
        outlook::ProblemKind::Limit => Problem::Unread(ReadErrorKind::Limit, problem.what),
        outlook::ProblemKind::Damaged => Problem::Unread(ReadErrorKind::Damaged, problem.what),
        outlook::ProblemKind::Checksum => Problem::Repaired(NoteCode::Checksum, problem.what),
    }
}

/// The header of a part.
#[derive(Default)]
struct Header(String);

impl Header {
    fn push(&mut self, name: &str, value: &str) {
        push_field(&mut self.0, name, value);
    }

    fn push_some(&mut self, name: &str, value: Option<&str>) {
        if let Some(value) = value {
            self.push(name, value);
        }
    }

    /// A part with that body.
    fn before(self, body: &[u8]) -> StoredPart {
        StoredPart {
            bytes: [self.0.as_bytes(), b"\r\n", body].concat(),
            inner: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::attachment::Attachment;
    use super::super::tests::message;
    use super::*;
    use crate::base::Policy;
    use baseref_document::link_places::Classes;
    use baseref_document::{Document, Limits};

    const HTML_IN_RTF: &[u8] = include_bytes!("../../../../fixtures/outlook/html-in-rtf.msg");
    const WINMAIL: &[u8] = include_bytes!("../../../../fixtures/outlook/winmail.dat");
    const WINMAIL_IN_MIME: &[u8] =
        include_bytes!("../../../../fixtures/outlook/winmail-in-mime.eml");

    /// Opens no files.
    struct Unopened;

    impl Opener for Unopened {
        fn open(&mut self, _: Attachment, _: &mut dyn Sink<ReadResult>) -> Skipped {
            Skipped::default()
        }
    }

    /// The documents of a message, and the errors.
    fn read(bytes: &[u8], options: &ReadOptions) -> (Vec<Document>, Vec<String>) {
        let (mut documents, mut errors) = (Vec::new(), Vec::new());
        let mut take = |found: ReadResult| match found {
            Ok(document) => documents.push(document),
            Err(error) => errors.push(error.to_string()),
        };
        let mut open = Unopened;
        if bytes.starts_with(&outlook::TNEF) || bytes.starts_with(&outlook::COMPOUND_FILE) {
            let message = OutlookMessage {
                bytes,
                stored: None,
                origin: Origin::new("m"),
                declarations: Vec::new(),
            };
            documents_of_outlook(message, options, &mut open, &mut take);
        } else {
            crate::mail::documents(&message(bytes), options, &mut open, &mut take);
        }
        (documents, errors)
    }

    /// The links: the document, the element and the URL.
    fn links(bytes: &[u8]) -> Vec<String> {
        let options = ReadOptions::default().with_classes(Classes::ALL);
        let (documents, errors) = read(bytes, &options);
        assert_eq!(errors, Vec::<String>::new());
        let mut links = Vec::new();
        for document in &documents {
            assert_eq!(document.part_byte, None);
            for link in Policy::default().resolve(document).links() {
                let url = link.url.unwrap_or_else(|_| link.reference.value.to_owned());
                links.push(format!(
                    "{} {} {url}",
                    document.origin, link.reference.element
                ));
            }
        }
        links
    }

    #[test]
    fn message_has_the_parts_of_mime() {
        assert_eq!(
            links(HTML_IN_RTF),
            [
                "m header https://base.test/dir/",
                "m header https://a.test/unsubscribe",
                "m/1.1 text https://a.test/path?x=1&y=2",
                "m/1.2 a https://a.test/path?x=1&y=2",
                "m/1.2 img cid:logo@a.test",
                "m/1.2 a https://base.test/dir/relative",
                "m/3 a https://attached.test/",
                "m/4 header https://contoso-my.sharepoint.com/:w:/g/personal/jo/plan",
                "m/5.1 a https://forwarded.test/",
            ]
        );
    }

    #[test]
    fn documents_have_message_fields() {
        let options = ReadOptions::default().with_metadata(true);
        let (documents, _) = read(HTML_IN_RTF, &options);
        let metadata: Vec<_> = documents
            .iter()
            .map(|document| {
                let message = document.metadata.message.as_ref().unwrap();
                let fields = [&message.from, &message.to, &message.subject];
                let fields = fields.map(|field| field.as_deref().unwrap_or_default());
                let name = document.metadata.filename.as_deref().unwrap_or_default();
                let date = document.metadata.date.as_deref().unwrap_or_default();
                format!("{} {name} {date}", fields.join("|"))
            })
            .collect();
        assert_eq!(
            metadata,
            [
                "Jo <jo@a.test>|al@b.test|Café  2026-01-05T09:00:00Z",
                "Jo <jo@a.test>|al@b.test|Café page.html 2026-01-05T09:00:00Z",
                "Kim <kim@c.test>||Forwarded  2025-08-18T14:13:20Z",
            ]
        );
    }

    #[test]
    fn parts_of_tnef_belong_to_enclosing_message() {
        assert_eq!(
            links(WINMAIL),
            [
                "m/1 a https://tnef.test/",
                "m/1 img cid:dot@a.test",
                "m/2 a relative",
            ]
        );
        let options = ReadOptions::default()
            .with_metadata(true)
            .with_classes(Classes::IN_HTML);
        let (documents, errors) = read(WINMAIL_IN_MIME, &options);
        assert_eq!(errors, Vec::<String>::new());
        let places: Vec<String> = documents
            .iter()
            .map(|found| found.origin.to_string())
            .collect();
        assert_eq!(places, ["m/2.1", "m/2.2"]);
        for document in &documents {
            let message = document.metadata.message.as_ref().unwrap();
            assert_eq!(message.subject.as_deref(), Some("Outside"));
            assert!(document.notes.is_empty(), "{:?}", document.notes);
            let base = Policy::default()
                .resolve(document)
                .base()
                .url
                .as_deref()
                .map(str::to_owned);
            assert_eq!(base.as_deref(), Some("https://base.test/"));
        }
    }

    #[test]
    fn missing_stream_is_reported_at_its_part() {
        let cut = &WINMAIL[..WINMAIL.len() - 20];
        let (documents, errors) = read(cut, &ReadOptions::default());
        assert_eq!(documents.len(), 2);
        assert_eq!(errors, ["m: the TNEF is cut off"]);
        let limits = Limits::default().with_mime_depth(2);
        let (documents, _) = read(HTML_IN_RTF, &ReadOptions::default().with_limits(limits));
        let notes = documents.iter().flat_map(|document| &document.notes);
        let codes: Vec<_> = notes.map(|note| note.code).collect();
        assert!(codes.contains(&NoteCode::MimeDepth), "{codes:?}");
        let (documents, errors) = read(&HTML_IN_RTF[..512], &ReadOptions::default());
        assert_eq!((documents.len(), errors.len()), (0, 1), "{errors:?}");
    }
}
