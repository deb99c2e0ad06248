//! A file or stream to entities: opened, its format found, read whole or split.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
#[cfg(feature = "archives")]
use std::io::{BufReader, Cursor};
use std::sync::Arc;

use super::detect::{self, Format};
use super::gzip::{self, Gunzip, Members};
use super::http;
#[cfg(feature = "archives")]
use super::maff::Pages;
use super::mbox::Mailbox;
#[cfg(feature = "archives")]
use super::webarchive::Resources;
use super::window::Window;
use crate::container::entity::{Entity, Kind};
use crate::container::{arc, emlx, maildir, warc};
use crate::decode::sniff::is_text;
use crate::decode::source::Markup;
use crate::document::{Declaration, MarkPlace, Origin, Place, Retrieval, Skipped};
use crate::error::{ReadError, ReadErrorKind};
use crate::options::Limits;

/// An input before its first byte is read.
pub struct Input {
    /// Its name as the user gave it.
    pub name: Arc<str>,
    /// Its bytes.
    pub reader: Reader,
    /// How many bytes there are, if that is known: room is made for them at once.
    pub size: Option<u64>,
    /// The format that the user says it has.
    pub format: Option<Format>,
    /// The format that its name says it has; only looked at when its content says nothing.
    pub format_of_name: Option<Format>,
    /// The user named it, so it is read as HTML if it is text of no known format; one that
    /// was only met in a directory is left alone then.
    pub named: bool,
    /// What the user and the marks beside it declare of it: retrieval URLs.
    pub declarations: Vec<Declaration>,
}

/// The bytes of an input.
pub enum Reader {
    /// A file, which can be read at any place.
    File(File),
    /// Anything else that can be read at any place.
    Seekable(Box<dyn ReadSeek + Send>),
    /// Bytes that come once.
    Stream(Box<dyn Read + Send>),
}

/// What can be read at any place.
pub trait ReadSeek: Read + Seek {}

impl<R: Read + Seek> ReadSeek for R {}

impl Reader {
    /// Goes to `to`.
    ///
    /// # Errors
    /// When the bytes come once only, or the system refuses.
    pub(super) fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        match self {
            Self::File(file) => file.seek(to),
            Self::Seekable(reader) => reader.seek(to),
            Self::Stream(_) => Err(io::ErrorKind::NotSeekable.into()),
        }
    }
}

impl Read for Reader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::File(file) => file.read(buffer),
            Self::Seekable(reader) => reader.read(buffer),
            Self::Stream(stream) => stream.read(buffer),
        }
    }
}

/// What an input holds.
#[expect(
    clippy::large_enum_variant,
    reason = "there is one for each input, and it is taken apart at once"
)]
pub enum Opened {
    /// One entity.
    One(Entity),
    /// As many as come.
    Many(Entities),
    /// Nothing of a known format.
    Nothing,
}

/// The entities of a container, one at a time.
pub type Entities = Box<dyn Container + Send>;

/// A file that holds entities: gives them in their order, and in their place what cannot be
/// read.
pub trait Container: Iterator<Item = Result<Entity, ReadError>> {
    /// The records that it has gone past that hold no HTML, and were not read, by their media
    /// type.
    fn skipped(&self) -> Skipped {
        Skipped::default()
    }

    /// How many they are.
    fn without_html(&self) -> u64 {
        self.skipped().total()
    }
}

/// Entities, and what could not be read, that are there at once.
impl Container for std::vec::IntoIter<Result<Entity, ReadError>> {}

/// How much is read before the format is decided; most documents are smaller.
pub(super) const FIRST_READ: usize = 64 * 1024;

/// Finds the format of an input, and reads it whole or makes ready to split it. What is
/// compressed by gzip (RFC 1952) is read as what it is without.
///
/// # Errors
/// When it cannot be read, or the user named it and it is not text.
pub fn open(input: Input, limits: &Limits) -> Result<Opened, ReadError> {
    let Input {
        name,
        reader,
        size,
        format,
        format_of_name,
        named,
        declarations,
    } = input;
    let mut window = Window::new(reader);
    let room = size
        .and_then(|size| usize::try_from(size).ok())
        .unwrap_or(0);
    let no_memory = |_| unread(&name, ReadErrorKind::Limit, "there is no memory for it");
    window.reserve(room.min(FIRST_READ)).map_err(no_memory)?;
    let is_compressed = window.fill(FIRST_READ).starts_with(gzip::MAGIC);
    let mut members = None;
    if is_compressed {
        let noted = members.insert(Members::default()).clone();
        let content = Gunzip::new(window).noting(noted);
        window = Window::new(Reader::Stream(Box::new(content)));
    }
    let head = window.fill(FIRST_READ);
    if head.is_empty()
        && let Some(failure) = window.take_failure()
    {
        return Err(unread(&name, ReadErrorKind::Io, failure.to_string()));
    }
    let head = window.rest(0);

    let of_content = Format::of_content(head);
    let found = format.or(Format::of_both(of_content, format_of_name));
    let format = match found {
        // What the user says counts, whatever it looks like.
        Some(Format::Html | Format::Xhtml | Format::Svg | Format::Css) | None
            if format.is_none() && of_content.is_none() && !is_text(head) =>
        {
            return if named || format_of_name.is_some() {
                Err(unread(&name, ReadErrorKind::Format, "not text"))
            } else {
                Ok(Opened::Nothing)
            };
        }
        Some(format) => format,
        None if named => Format::Html,
        None => return Ok(Opened::Nothing),
    };
    let whole = Whole {
        name,
        declarations: of_format(declarations, format),
        // A file has its size; what comes out of a compressed one has no other bound.
        limit: match size {
            _ if !is_compressed => usize::MAX - 1,
            Some(size) => limits.inflated_from(size),
            None => limits.message,
        },
        room: if is_compressed { 0 } else { room },
    };
    match format {
        Format::Html | Format::Xhtml | Format::Svg => {
            let markup = format.markup().unwrap_or_default();
            whole.document(window, markup)
        }
        Format::Css => whole.read(window, Kind::StyleSheet),
        Format::Maildir if !named && !maildir::is_delivered(whole.name.as_ref().as_ref()) => {
            Ok(Opened::Nothing)
        }
        Format::Eml | Format::Mhtml | Format::Maildir => {
            whole.read(window, Kind::Message { unquote: false })
        }
        Format::Emlx => emlx::open(window, whole.name, whole.declarations, limits),
        #[cfg(not(feature = "archives"))]
        Format::Webarchive | Format::Zip => not_built_in(&whole.name, named, "archives"),
        #[cfg(feature = "archives")]
        Format::Webarchive => whole.resources(window),
        #[cfg(feature = "archives")]
        // Much else is a zip inside: what was only met in a directory must be named as one.
        Format::Zip if !named && format_of_name != Some(Format::Zip) => Ok(Opened::Nothing),
        #[cfg(feature = "archives")]
        Format::Zip => whole.pages(window, limits),
        Format::Http => {
            let heading = http::Heading::read(window.rest(0), limits.heading);
            match heading {
                // Links can stand in its fields all the same.
                Some(heading) if !heading.is_html(window.rest(0)) => {
                    Ok(whole.fields(heading.body, &window))
                }
                _ => whole.read(window, Kind::Response),
            }
        }
        Format::Warc => {
            let records = warc::Records::new(window, whole.name, whole.declarations, limits);
            Ok(Opened::Many(Box::new(records.unpacked(members))))
        }
        Format::Arc => {
            let records = arc::Records::new(window, whole.name, whole.declarations, limits);
            Ok(Opened::Many(Box::new(records.unpacked(members))))
        }
        Format::Mbox => {
            let mailbox = Mailbox::of_window(window, whole.name, limits);
            Ok(Opened::Many(Box::new(mailbox.around(whole.declarations))))
        }
    }
}

/// An input that is not split as it is read.
#[derive(Clone)]
struct Whole {
    name: Arc<str>,
    declarations: Vec<Declaration>,
    /// How many bytes it may have.
    limit: usize,
    /// How many bytes there are, if that is known, else 0.
    room: usize,
}

impl Whole {
    fn read(self, window: Window<Reader>, kind: Kind) -> Result<Opened, ReadError> {
        self.entity(window, kind, Markup::Html)
    }

    /// The input as a document that is read by these rules.
    fn document(self, window: Window<Reader>, markup: Markup) -> Result<Opened, ReadError> {
        self.entity(window, Kind::Html, markup)
    }

    fn entity(
        self,
        window: Window<Reader>,
        kind: Kind,
        markup: Markup,
    ) -> Result<Opened, ReadError> {
        let (bytes, failure) = self.bytes(window)?;
        let entity = Entity {
            kind,
            markup,
            declarations: self.declarations,
            ..Entity::html(Origin::of_input(self.name.clone()), bytes)
        };
        Ok(match failure {
            None => Opened::One(entity),
            // What came before the damage is there.
            Some(failure) => {
                let error = unread(&self.name, ReadErrorKind::Io, failure.to_string());
                Opened::Many(Box::new(vec![Err(error), Ok(entity)].into_iter()))
            }
        })
    }

    /// The heading of an HTTP response without HTML, of that length.
    fn fields(self, length: usize, window: &Window<Reader>) -> Opened {
        let bytes = window.rest(0)[..length].to_vec();
        Opened::One(Entity {
            kind: Kind::Fields,
            declarations: self.declarations,
            ..Entity::html(Origin::of_input(self.name), bytes)
        })
    }

    /// The resources of a web archive, whose index may stand at its end.
    #[cfg(feature = "archives")]
    fn resources(self, window: Window<Reader>) -> Result<Opened, ReadError> {
        let (name, declarations) = (self.name.clone(), self.declarations.clone());
        let (bytes, failure) = self.bytes(window)?;
        if let Some(failure) = failure {
            // The index of a binary property list stands at its end.
            return Err(unread(&name, ReadErrorKind::Io, failure.to_string()));
        }
        let resources = Resources::new(bytes, name, declarations);
        Ok(Opened::Many(Box::new(resources)))
    }

    /// The pages of a zip. Its directory stands at its end: one that is no file is read whole.
    #[cfg(feature = "archives")]
    fn pages(self, window: Window<Reader>, limits: &Limits) -> Result<Opened, ReadError> {
        let Self {
            name, declarations, ..
        } = self.clone();
        let (read, reader) = window.into_parts();
        Ok(Opened::Many(match reader {
            Reader::File(file) => {
                let size = self.room as u64;
                let reader = BufReader::new(file);
                Box::new(Pages::new(reader, size, name, declarations, limits)?)
            }
            Reader::Seekable(_) | Reader::Stream(_) => {
                let limit = limits.message;
                let stream = Reader::Stream(Box::new(Cursor::new(read).chain(reader)));
                let bounded = Self { limit, ..self };
                let (bytes, failure) = bounded.bytes(Window::new(stream))?;
                if let Some(failure) = failure {
                    return Err(unread(&name, ReadErrorKind::Io, failure.to_string()));
                }
                let size = bytes.len() as u64;
                Box::new(Pages::new(
                    Cursor::new(bytes),
                    size,
                    name,
                    declarations,
                    limits,
                )?)
            }
        }))
    }

    /// All bytes of the input, and why there are no more if it could not be read to its end.
    fn bytes(&self, mut window: Window<Reader>) -> Result<(Vec<u8>, Option<io::Error>), ReadError> {
        let missing = self.room.saturating_sub(window.rest(0).len());
        if window.reserve(missing).is_err() {
            let reason = format!("there is no memory for its {} bytes", self.room);
            return Err(unread(&self.name, ReadErrorKind::Limit, reason));
        }
        if window.fill(self.limit + 1).len() > self.limit {
            let reason = format!("is larger than {} bytes and is not read", self.limit);
            return Err(unread(&self.name, ReadErrorKind::Limit, reason));
        }
        let failure = window.take_failure();
        Ok((window.into_parts().0, failure))
    }
}

/// The declarations of a file, with each mark beside it told whether the file is one document or a
/// collection of them.
pub(super) fn of_format(mut declarations: Vec<Declaration>, format: Format) -> Vec<Declaration> {
    if !format.is_one_document() {
        for declaration in &mut declarations {
            if let Place::Retrieval(Retrieval::Mark { at, .. }) = &mut declaration.at
                && *at == MarkPlace::Beside
            {
                *at = MarkPlace::BesideCollection;
            }
        }
    }
    declarations
}

/// A format that this build of the crate cannot read: one met in a directory is left alone, like
/// any other file that is not read.
#[cfg(not(feature = "archives"))]
fn not_built_in(name: &Arc<str>, named: bool, feature: &str) -> Result<Opened, ReadError> {
    if !named {
        return Ok(Opened::Nothing);
    }
    let reason = format!("the format is not built in: it needs the feature `{feature}`");
    Err(unread(name, ReadErrorKind::NotBuiltIn, reason))
}

fn unread(name: &Arc<str>, kind: ReadErrorKind, reason: impl Into<Box<str>>) -> ReadError {
    ReadError::new(kind, Origin::of_input(name.clone()), reason)
}

const _: () = assert!(detect::HEAD <= FIRST_READ);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::container::gzip::tests::gzip;

    /// What an input of that name holds: each entity's kind and bytes, or what is wrong.
    fn entities(
        name: &str,
        bytes: Vec<u8>,
        limits: &Limits,
    ) -> Vec<Result<(Kind, String), String>> {
        let input = Input {
            name: name.into(),
            format_of_name: Format::of_name(name.as_ref()),
            reader: Reader::Stream(Box::new(io::Cursor::new(bytes))),
            size: None,
            format: None,
            named: true,
            declarations: Vec::new(),
        };
        let shown = |entity: Entity| {
            let text = String::from_utf8(entity.bytes).unwrap();
            (entity.kind, text)
        };
        match open(input, limits) {
            Ok(Opened::One(entity)) => vec![Ok(shown(entity))],
            Ok(Opened::Many(entities)) => entities
                .map(|entity| entity.map(shown).map_err(|error| error.to_string()))
                .collect(),
            Ok(Opened::Nothing) => Vec::new(),
            Err(error) => vec![Err(error.to_string())],
        }
    }

    const MESSAGE: Kind = Kind::Message { unquote: false };

    #[test]
    fn what_is_compressed_is_read_as_what_it_is_without() {
        let mail = "From: a\nTo: b\nSubject: c\n\nd";
        let mailbox = format!("From a@b Fri Jan 27 10:00:00 2017\n{mail}\n\n");
        let limits = Limits::default();
        for (name, text, kind, inner) in [
            ("a", "<p>x", Kind::Html, "<p>x"),
            ("a", mail, MESSAGE, mail),
            (
                "a",
                &mailbox,
                Kind::Message { unquote: true },
                &mailbox[34..mailbox.len() - 1],
            ),
            ("a.eml.gz", "x", MESSAGE, "x"),
        ] {
            let bytes = gzip(text.as_bytes());
            assert_eq!(
                entities(name, bytes.clone(), &limits),
                [Ok((kind, inner.to_owned()))]
            );
            let short = bytes[..bytes.len() - 9].to_vec();
            let partial = entities(name, short, &limits);
            let told = |found: &Result<_, String>| {
                found
                    .as_ref()
                    .is_err_and(|error| error.ends_with("is cut off"))
            };
            assert!(partial.iter().any(Result::is_ok) && partial.iter().any(told));
        }
    }

    #[test]
    fn what_is_compressed_is_bounded() {
        let limits = Limits {
            message: 1000,
            ..Limits::default()
        };
        let bomb = gzip(&[b"<p>".as_slice(), &b" ".repeat(100_000)].concat());
        assert_eq!(
            entities("a", bomb, &limits),
            [Err(
                "a: is larger than 1000 bytes and is not read".to_owned()
            )]
        );
    }

    #[test]
    fn a_message_of_apple_mail_ends_where_its_length_says() {
        let limits = Limits::default();
        for (text, found) in [
            ("3\nA: \n<plist>", vec![Ok((MESSAGE, "A: ".to_owned()))]),
            ("0   \r\n", vec![Ok((MESSAGE, String::new()))]),
            (
                "9\nA: ",
                vec![
                    Err("a.emlx: the message is cut off after 3 of 9 bytes".to_owned()),
                    Ok((MESSAGE, "A: ".to_owned())),
                ],
            ),
            (
                "99999999999\nA: ",
                vec![Err(
                    "a.emlx: is larger than 536870912 bytes and is not read".to_owned(),
                )],
            ),
            (
                "A: b",
                vec![Err(
                    "a.emlx: does not begin with the length of a message".to_owned()
                )],
            ),
            (
                "",
                vec![Err(
                    "a.emlx: does not begin with the length of a message".to_owned()
                )],
            ),
        ] {
            assert_eq!(entities("a.emlx", text.into(), &limits), found, "{text}");
        }
    }
}
