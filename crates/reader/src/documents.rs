//! The library's entry points: inputs to documents, one at a time.

use std::collections::VecDeque;
use std::fmt;
use std::fs::File;
use std::io::{Cursor, Read};
use std::iter::FusedIterator;
use std::path::Path;
use std::sync::Arc;

use crate::read;
use baseref_container::{Entities, Format, Input, Reader, maildir, open};
use baseref_document::{
    Declaration, Document, Origin, Outline, ReadError, ReadOptions, ReadResult, RecordedSources,
};
use baseref_html as html;
use baseref_text::decode::source::{Markup, MarkupSource};

/// Reads the documents of a file in any supported format: HTML, mail, a mailbox, a web archive and
/// so on. A container is read one entity at a time, in memory bounded by its largest entity.
///
/// `url` is the URL that the file was retrieved from (RFC 1808 §3.3), if known. Bases in documents
/// and in the headers around them come before it.
///
/// # Errors
/// If the file cannot be opened or is in no supported format. Anything in it that cannot be read is
/// an `Err` item of the iterator, and the rest goes on.
///
/// # Examples
/// ```no_run
/// use baseref_document::ReadOptions;
/// use baseref_reader::{Policy, read_path};
///
/// for document in read_path("box.mbox", None, &ReadOptions::default())? {
///     match document {
///         Ok(document) => {
///             for link in Policy::default().resolve(&document).links() {
///                 println!("{:?}", link.url);
///             }
///         }
///         // A part of the input cannot be read; the iterator continues after it.
///         Err(error) => eprintln!("{error}"),
///     }
/// }
/// # Ok::<(), baseref_document::ReadError>(())
/// ```
pub fn read_path(
    path: impl AsRef<Path>,
    url: Option<&str>,
    options: &ReadOptions,
) -> Result<Documents, ReadError> {
    let path = path.as_ref();
    let name: Arc<str> = path.to_string_lossy().into();
    let failure = |error: std::io::Error| {
        let origin = Origin::new(Arc::clone(&name));
        ReadError::from_io(origin, error)
    };
    let file = File::open(path).map_err(failure)?;
    let size = file.metadata().map_err(failure)?.len();
    Documents::open(
        Input {
            size: Some(size),
            format: maildir::is_file(path).then_some(Format::Maildir),
            ..named(Arc::clone(&name), url, Reader::File(file))
        },
        options,
    )
}

/// Reads the documents of a stream, retrieved from `url` (RFC 1808 §3.3) if known. Their origins
/// begin with `name`, whose extension decides the format where the content does not.
///
/// # Errors
/// If the stream cannot be read at all, or is in no supported format; see [`read_path`].
pub fn read_from(
    name: &str,
    reader: impl Read + Send + 'static,
    url: Option<&str>,
    options: &ReadOptions,
) -> Result<Documents, ReadError> {
    let reader = Reader::Stream(Box::new(reader));
    Documents::open(named(name.into(), url, reader), options)
}

/// Reads the documents of bytes in memory, retrieved from `url` (RFC 1808 §3.3) if known. See
/// [`read_from`].
///
/// # Errors
/// If the stream cannot be read at all, or is in no supported format; see [`read_path`].
///
/// # Examples
/// ```
/// use baseref_document::ReadOptions;
/// use baseref_reader::Policy;
///
/// let mail = b"Base: <URL:http://a/b/>\nContent-Type: text/html\n\n<a href=c>";
/// let mut documents = baseref_reader::read_bytes("mail.eml", *mail, None, &ReadOptions::default())?;
/// let document = documents.next().expect("the message has an HTML part")?;
/// assert_eq!(Policy::default().resolve(&document).base().url.as_deref(), Some("http://a/b/"));
/// # Ok::<(), baseref_document::ReadError>(())
/// ```
pub fn read_bytes(
    name: &str,
    bytes: impl Into<Vec<u8>>,
    url: Option<&str>,
    options: &ReadOptions,
) -> Result<Documents, ReadError> {
    read_from(name, Cursor::new(bytes.into()), url, options)
}

/// Reads any bytes as one HTML document, retrieved from `url` (RFC 1808 §3.3) if known.
///
/// # Examples
/// ```
/// use baseref_document::ReadOptions;
/// use baseref_reader::Policy;
///
/// let page = br#"<a href="../x">up</a>"#;
/// let document = baseref_reader::read_html(page, Some("http://a/b/c"), &ReadOptions::default());
/// let resolved = Policy::default().resolve(&document);
/// let urls: Vec<_> = resolved.links().map(|link| link.url).collect();
/// assert_eq!(urls, [Ok("http://a/x".to_owned())]);
/// ```
#[must_use]
pub fn read_html(bytes: &[u8], url: Option<&str>, options: &ReadOptions) -> Document {
    html::read(page(bytes, url.unwrap_or("-"), url), options)
}

/// Reads only the outline of an HTML page: its title and headings.
#[doc(hidden)]
#[must_use]
pub fn read_outline(bytes: &[u8], options: &ReadOptions) -> Outline {
    html::read_outline(&page(bytes, "-", None), options)
}

/// Reads only the text that an HTML page shows, with a line feed between blocks.
#[doc(hidden)]
#[must_use]
pub fn read_shown_text(bytes: &[u8], options: &ReadOptions) -> String {
    html::read_shown_text(&page(bytes, "-", None), options)
}

/// Reads only the source files that an HTML page records; `name` is its path. `None` if it records
/// none.
#[doc(hidden)]
#[must_use]
pub fn read_recorded_sources(
    bytes: &[u8],
    name: &str,
    options: &ReadOptions,
) -> Option<RecordedSources> {
    html::read_recorded_sources(&page(bytes, name, None), options)
}

fn page<'b>(bytes: &'b [u8], name: &str, url: Option<&str>) -> MarkupSource<'b> {
    MarkupSource {
        declarations: url.map(Declaration::retrieved_from).into_iter().collect(),
        ..MarkupSource::new(Markup::Html, bytes, Origin::new(name))
    }
}

/// The documents of an input in order, with an error in place of each that cannot be read.
///
/// A damaged part that still yields a document yields both, the error first.
///
/// ```
/// use baseref_document::ReadOptions;
///
/// let warc = "WARC/1.0\r\nWARC-Type: resource\r\nContent-Type: text/html\r\n\
///     WARC-Target-URI: http://a/\r\nContent-Length: 10\r\n\r\n<a href=x>\r\n\r\ngarbage\r\n";
/// let documents = baseref_reader::read_bytes("a.warc", warc, None, &ReadOptions::default())?;
/// let are_read: Vec<bool> = documents.map(|found| found.is_ok()).collect();
/// assert_eq!(are_read, [true, false]);
/// # Ok::<(), baseref_document::ReadError>(())
/// ```
#[must_use = "nothing is read until the iterator is asked for documents"]
pub struct Documents {
    options: ReadOptions,
    entities: Entities,
    found: VecDeque<ReadResult>,
    /// Whether there are no more entities.
    is_done: bool,
}

impl Documents {
    fn open(input: Input, options: &ReadOptions) -> Result<Self, ReadError> {
        Ok(Self {
            options: options.clone(),
            entities: open(input, &options.limits)?.into_entities(),
            found: VecDeque::new(),
            is_done: false,
        })
    }
}

impl Iterator for Documents {
    type Item = Result<Document, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(found) = self.found.pop_front() {
                return Some(found);
            }
            if self.is_done {
                return None;
            }
            let Some(entity) = self.entities.next() else {
                self.is_done = true;
                continue;
            };
            match entity {
                Ok(entity) => {
                    read::documents(entity, &self.options, &mut |found: ReadResult| {
                        self.found.push_back(found);
                    });
                }
                Err(error) => return Some(Err(error)),
            }
        }
    }
}

impl FusedIterator for Documents {}

impl fmt::Debug for Documents {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Documents").finish_non_exhaustive()
    }
}

/// An input that the user named.
fn named(name: Arc<str>, url: Option<&str>, reader: Reader) -> Input {
    Input {
        format_of_name: Format::from_name(Path::new(&*name)),
        name,
        reader,
        size: None,
        format: None,
        named: true,
        declarations: url.map(Declaration::retrieved_from).into_iter().collect(),
    }
}
