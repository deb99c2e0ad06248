//! Files and streams to entities: opens them, finds their format, and reads them whole or splits
//! them.

use std::io;
#[cfg(feature = "archives")]
use std::io::{Cursor, Read, Seek};
use std::ops::Range;
use std::sync::Arc;

use super::delivery;
use super::detect::{FIRST_READ, Format, HEAD};
use super::gzip::{self, Account, Members};
use super::gzip_layers::Packed;
use super::input::{Container, Entities, Input, Opened, Reader};
use super::mbox::Mailbox;
#[cfg(feature = "archives")]
use super::nested::Inside;
use super::nesting::Nesting;
use super::pages::Pages;
#[cfg(feature = "archives")]
use super::section::Shared;
#[cfg(feature = "archives")]
use super::webarchive::Resources;
use super::window::Window;
use super::{har, http};
#[cfg(feature = "archives")]
use super::{single_file, zip_file, zstd};
use crate::entity::{Entity, Kind};
use crate::{arc, emlx, maildir, warc};
use baseref_document::{
    Capture, Declaration, Limits, MarkPlace, Note, NoteCode, Origin, Place, ReadError,
    ReadErrorKind, Retrieval, Skipped,
};
#[cfg(feature = "archives")]
use baseref_outlook::is_msg;
use baseref_text::decode::encoding::utf_8_of_utf_16;
use baseref_text::decode::sniff::is_text;
use baseref_text::decode::source::Markup;

/// For how many bytes there is room before the format is decided: most documents are smaller, and
/// are not copied as they are read.
const FIRST_ROOM: usize = 1024 * 1024;

/// Finds the format of an input, and reads it whole or prepares to split it. Gzip (RFC 1952) is
/// decompressed first.
///
/// # Errors
/// If it cannot be read, or the user named it and it is not text.
pub fn open(input: Input, limits: &Limits) -> Result<Opened, ReadError> {
    let name = Arc::clone(&input.name);
    let (input, delivery) = delivery::watched(input);
    delivery.judged(&name, open_in(input, limits, &Nesting::default()))
}

/// Like [`open`], for an input whose links are judged as those of a site: a member of a zip knows the
/// [`Package`](super::package::Package) that it is a file of, and style sheets and the package
/// documents of EPUBs are read, too.
///
/// # Errors
/// As for [`open`].
pub fn open_site(input: Input, limits: &Limits) -> Result<Opened, ReadError> {
    open_in(input, limits, &Nesting::of_site())
}

/// Like [`open`], for a file in a container.
pub(super) fn open_in(
    mut input: Input,
    limits: &Limits,
    nesting: &Nesting,
) -> Result<Opened, ReadError> {
    let name = Arc::clone(&input.name);
    let reader = std::mem::replace(&mut input.reader, Reader::Stream(Box::new(io::empty())));
    let mut window = Window::appending(reader, Reader::append);
    let room = input
        .size
        .and_then(|size| usize::try_from(size).ok())
        .unwrap_or(0);
    if input.is_expected() {
        make_room(&mut window, room, &name)?;
        window.fill(FIRST_READ);
    }
    let head = window.peek(HEAD);
    #[cfg(feature = "archives")]
    let is_zstd = zstd::is_zstd(head);
    #[cfg(not(feature = "archives"))]
    let is_zstd = false;
    if !is_zstd && !head.starts_with(gzip::MAGIC) {
        let whole = Whole::stored(&input, room);
        let content = Content {
            window,
            members: None,
            lost: Vec::new(),
        };
        return open_window(&input, content, whole, limits, nesting);
    }
    let Packed {
        window,
        members,
        layers,
        lost,
    } = packed(window, is_zstd, &name, limits, nesting)?;
    let mut whole = Whole::stored(&input, 0);
    if let Some(outermost) = layers.first() {
        whole.bound = Bound::Inflated(outermost.clone(), limits.clone());
    }
    let content = Content {
        window,
        members,
        lost,
    };
    let opened = open_window(&input, content, whole, limits, nesting)?;
    let checked = |opened: Opened, layer| opened.checked(Arc::clone(&name), layer, 0..u64::MAX);
    Ok(layers.into_iter().rev().fold(opened, checked))
}

/// Reads the beginning of a document that was not expected to be one, as that of one that was.
fn read_on(window: &mut Window<Reader>, input: &Input, size: usize) -> Result<(), ReadError> {
    if !input.is_expected() {
        make_room(window, size, &input.name)?;
    }
    window.fill(FIRST_READ);
    Ok(())
}

/// Makes room for the beginning of a file of that size, before it is read.
fn make_room(window: &mut Window<Reader>, size: usize, name: &Arc<str>) -> Result<(), ReadError> {
    let room = window.reserve(size.min(FIRST_ROOM));
    room.map_err(|_| unread(name, ReadErrorKind::Limit, "there is no memory for it"))
}

/// The decompressed content of a file in gzip or Zstandard.
fn packed(
    window: Window<Reader>,
    is_zstd: bool,
    name: &Arc<str>,
    limits: &Limits,
    nesting: &Nesting,
) -> Result<Packed, ReadError> {
    #[cfg(feature = "archives")]
    if is_zstd {
        return Ok(Packed::open_zstd(window, nesting));
    }
    let _ = is_zstd;
    Packed::open(window, name, limits, nesting)
}

/// Opens a file attached to a message, `file`, in these containers; `None` if it is of no known
/// format.
#[cfg(feature = "archives")]
#[must_use]
pub fn open_attached(
    input: Input,
    file: Origin,
    limits: &Limits,
    around: &Nesting,
) -> Option<Inside> {
    let opened = around
        .admit_attached(&input.name, limits)
        .and_then(|()| open_in(input, limits, around));
    let entities: Entities = match opened {
        Ok(Opened::Nothing) => return None,
        Ok(opened) => opened.into_entities(),
        Err(error) => Box::new(vec![Err(error)].into_iter()),
    };
    Some(Inside::new(entities, file))
}

/// The bytes of an input, decompressed.
struct Content {
    window: Window<Reader>,
    /// The gzip members that they come from.
    members: Option<Members>,
    /// What was damaged before the first of them.
    lost: Vec<io::Error>,
}

/// Opens an input that has been decompressed, and reports what was lost before its first byte.
fn open_window(
    input: &Input,
    content: Content,
    whole: Whole,
    limits: &Limits,
    nesting: &Nesting,
) -> Result<Opened, ReadError> {
    let Content {
        mut window,
        members,
        mut lost,
    } = content;
    if window.peek(HEAD).is_empty() {
        lost.extend(window.take_failure());
    }
    let unread = |failure| Err(unread_by(&input.name, failure));
    let lost: Vec<_> = lost.into_iter().map(unread).collect();
    if !lost.is_empty() && window.rest(0).is_empty() {
        return Ok(Opened::Many(Box::new(lost.into_iter())));
    }
    let opened = open_format(input, window, members, whole, limits, nesting)?;
    Ok(opened.after(lost))
}

/// Opens an input by its format.
fn open_format(
    input: &Input,
    mut window: Window<Reader>,
    members: Option<Members>,
    whole: Whole,
    limits: &Limits,
    nesting: &Nesting,
) -> Result<Opened, ReadError> {
    let Input {
        ref name,
        format,
        format_of_name,
        named,
        ..
    } = *input;
    let head = window.peek(HEAD);
    let of_content = Format::of_content(head);
    let format_of_name = Format::suggested(format_of_name, head);
    let found = format.or(Format::of_both(of_content, format_of_name));
    let format = match found {
        // The user's choice wins, whatever it looks like.
        Some(
            Format::Html
            | Format::Xhtml
            | Format::Svg
            | Format::Css
            | Format::Feed
            | Format::Sitemap,
        )
        | None
            if format.is_none() && of_content.is_none() && !is_text(head) =>
        {
            return if named || format_of_name.is_some() {
                Err(unread(name, ReadErrorKind::Format, "not text"))
            } else {
                Ok(Opened::Nothing)
            };
        }
        Some(format) => format,
        None if named => Format::Html,
        None => return Ok(Opened::Nothing),
    };
    nesting.admit(format, name, limits)?;
    read_on(&mut window, input, whole.room)?;
    let whole = Whole {
        declarations: of_format(whole.declarations, format),
        ..whole
    };
    match format {
        #[cfg(feature = "archives")]
        Format::Html if single_file::is_packed(window.rest(0)) => {
            whole.packed_page(window, limits, nesting)
        }
        Format::Html | Format::Xhtml | Format::Svg | Format::Feed | Format::Sitemap => {
            let markup = format.markup().unwrap_or_default();
            whole.document(window, markup)
        }
        Format::Css => whole.read(window, Kind::StyleSheet),
        Format::Maildir if !named && !maildir::is_delivered(whole.name.as_ref().as_ref()) => {
            Ok(Opened::Nothing)
        }
        Format::Eml | Format::Mhtml | Format::Maildir => {
            Ok(whole.message(window)?.nested_in(nesting))
        }
        Format::Emlx => {
            let opened = emlx::open(window, whole.name, whole.declarations, limits)?;
            Ok(opened.nested_in(nesting))
        }
        #[cfg(not(feature = "archives"))]
        Format::Msg | Format::Tnef | Format::Webarchive | Format::Zip => {
            not_built_in(&whole.name, named, "archives")
        }
        #[cfg(feature = "archives")]
        // Many other formats are compound files: one that is not named as a message must be one.
        Format::Msg => match input.format.or(format_of_name) {
            Some(Format::Msg) => Ok(whole.read(window, Kind::Outlook)?.nested_in(nesting)),
            of_name => {
                let is_asked_for = named || of_name.is_some();
                Ok(whole.outlook(window, is_asked_for)?.nested_in(nesting))
            }
        },
        #[cfg(feature = "archives")]
        Format::Tnef => Ok(whole.read(window, Kind::Outlook)?.nested_in(nesting)),
        #[cfg(feature = "archives")]
        Format::Webarchive => whole.resources(window, nesting.is_of_site()),
        #[cfg(feature = "archives")]
        // Many other formats are zip files inside: one only found in a directory must be named as a
        // zip.
        Format::Zip if !named && format_of_name != Some(Format::Zip) => Ok(Opened::Nothing),
        #[cfg(feature = "archives")]
        Format::Zip => whole.members(window, limits, nesting),
        Format::Http => whole.response(window, limits.heading, nesting.is_of_site()),
        Format::Warc => {
            let records = warc::Records::new(window, whole.name, whole.declarations, limits)
                .with_captures(nesting.is_of_site());
            Ok(Opened::Many(Box::new(records.unpacked(members))))
        }
        Format::Arc => {
            let records = arc::Records::new(window, whole.name, whole.declarations, limits)
                .with_captures(nesting.is_of_site());
            Ok(Opened::Many(Box::new(records.unpacked(members))))
        }
        Format::Har => whole.entries(window, nesting.is_of_site()),
        Format::Pages if !nesting.is_of_site() => Ok(Opened::Nothing),
        Format::Pages => whole.pages(window),
        Format::Mbox => {
            let mailbox = Mailbox::of_window(window, whole.name, limits);
            let opened = Opened::Many(Box::new(mailbox.around(whole.declarations)));
            Ok(opened.nested_in(nesting))
        }
    }
}

impl Opened {
    /// Tells messages what containers they are in.
    fn nested_in(self, nesting: &Nesting) -> Self {
        match self {
            Self::One(entity) => Self::One(Entity {
                nesting: nesting.clone(),
                ..entity
            }),
            Self::Many(entities) => Self::Many(Box::new(NestedIn {
                entities,
                nesting: nesting.clone(),
            })),
            Self::Nothing => Self::Nothing,
        }
    }

    /// Puts these errors before the rest.
    fn after(self, errors: Vec<Result<Entity, ReadError>>) -> Self {
        if errors.is_empty() {
            return self;
        }
        match self {
            Self::Nothing => Self::Nothing,
            opened => Self::Many(Box::new(After {
                errors: errors.into_iter(),
                entities: opened.into_entities(),
            })),
        }
    }

    /// Also reports the gzip members with wrong checksums that begin in that range.
    pub(super) fn checked(self, name: Arc<str>, account: Account, range: Range<u64>) -> Self {
        match self {
            Self::One(mut entity) => {
                let wrong = account.take_wrong().into_iter();
                entity.notes.extend(wrong.map(gzip::checksum_note));
                Self::One(entity)
            }
            Self::Many(entities) => Self::Many(Box::new(Checked {
                entities,
                name,
                account,
                range,
                wrong: Vec::new().into_iter(),
            })),
            Self::Nothing => Self::Nothing,
        }
    }
}

/// Messages in containers.
struct NestedIn {
    entities: Entities,
    nesting: Nesting,
}

impl Iterator for NestedIn {
    type Item = Result<Entity, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        let found = self.entities.next()?;
        Some(found.map(|entity| Entity {
            nesting: self.nesting.clone(),
            ..entity
        }))
    }
}

impl Container for NestedIn {
    fn skipped(&self) -> Skipped {
        self.entities.skipped()
    }
}

/// The entities of a container, after what was lost before the first.
struct After {
    errors: std::vec::IntoIter<Result<Entity, ReadError>>,
    entities: Entities,
}

impl Iterator for After {
    type Item = Result<Entity, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.errors.next().or_else(|| self.entities.next())
    }
}

impl Container for After {
    fn skipped(&self) -> Skipped {
        self.entities.skipped()
    }
}

/// The entities of a compressed container, with reports on its gzip members.
struct Checked {
    entities: Entities,
    name: Arc<str>,
    account: Account,
    range: Range<u64>,
    /// The offsets of the members still to be reported.
    wrong: std::vec::IntoIter<u64>,
}

impl Iterator for Checked {
    type Item = Result<Entity, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Some(error) = self.next_wrong() {
            return Some(Err(error));
        }
        let found = self.entities.next();
        self.wrong = self.account.take_wrong().into_iter();
        found.or_else(|| self.next_wrong().map(Err))
    }
}

impl Checked {
    fn next_wrong(&mut self) -> Option<ReadError> {
        let range = self.range.clone();
        let start = self.wrong.find(|start| range.contains(start))?;
        let Note { code, detail, .. } = gzip::checksum_note(start);
        let reason = format!("{}: {detail}", code.as_str());
        Some(unread(&self.name, ReadErrorKind::Repaired, reason))
    }
}

impl Container for Checked {
    fn skipped(&self) -> Skipped {
        self.entities.skipped()
    }
}

/// An input that is read whole.
#[derive(Clone)]
struct Whole {
    name: Arc<str>,
    declarations: Vec<Declaration>,
    /// Its maximum size.
    bound: Bound,
    /// Its size in bytes if known, else 0.
    room: usize,
}

/// The maximum size of an input.
#[derive(Clone)]
enum Bound {
    /// None: a file has its size.
    None,
    /// A number of bytes.
    #[cfg(feature = "archives")]
    Bytes(usize),
    /// What the bytes read so far may inflate to.
    Inflated(Account, Limits),
}

impl Bound {
    fn bytes(&self) -> usize {
        match self {
            Self::None => usize::MAX - 1,
            #[cfg(feature = "archives")]
            Self::Bytes(bytes) => *bytes,
            Self::Inflated(account, limits) => limits.inflated_from(account.stored()),
        }
    }
}

impl Whole {
    /// An input that is not compressed.
    fn stored(input: &Input, room: usize) -> Self {
        Self {
            name: Arc::clone(&input.name),
            declarations: input.declarations.clone(),
            bound: Bound::None,
            room,
        }
    }

    fn read(self, window: Window<Reader>, kind: Kind) -> Result<Opened, ReadError> {
        self.entity(window, kind, Markup::Html)
    }

    /// The input as a message. Editors that do not know mail store it in UTF-16.
    fn message(self, window: Window<Reader>) -> Result<Opened, ReadError> {
        let opened = self.read(window, Kind::Message { unquote: false })?;
        let Opened::One(mut entity) = opened else {
            return Ok(opened);
        };
        if let Some(text) = utf_8_of_utf_16(&entity.bytes) {
            entity.bytes = text.into_bytes();
            entity.notes.push(Note {
                code: NoteCode::Charset,
                detail: "the message is in UTF-16: positions are those in UTF-8".to_owned(),
                line: None,
            });
        }
        Ok(Opened::One(entity))
    }

    /// The input as a document to be read by these rules.
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
            // What precedes the damage is available.
            Some(failure) => {
                let error = unread_by(&self.name, failure);
                Opened::Many(Box::new(vec![Err(error), Ok(entity)].into_iter()))
            }
        })
    }

    /// The header of an HTTP response without HTML, of that length.
    fn fields(self, length: usize, window: &Window<Reader>) -> Opened {
        let bytes = window.rest(0)[..length].to_vec();
        Opened::One(Entity {
            kind: Kind::Fields,
            declarations: self.declarations,
            ..Entity::html(Origin::of_input(self.name), bytes)
        })
    }

    /// A compound file as a message of Outlook, if it is one. One only found in a directory is
    /// otherwise left alone, and not read to its end.
    #[cfg(feature = "archives")]
    fn outlook(self, window: Window<Reader>, is_asked_for: bool) -> Result<Opened, ReadError> {
        let name = Arc::clone(&self.name);
        let other = || {
            if is_asked_for {
                Err(unread(&name, ReadErrorKind::Format, "not text"))
            } else {
                Ok(Opened::Nothing)
            }
        };
        let (read, mut reader) = window.into_parts();
        let window = if reader.is_seekable() {
            if !is_msg(&mut reader) || reader.rewind().is_err() {
                return other();
            }
            Window::appending(reader, Reader::append)
        } else {
            let whole = Reader::Stream(Box::new(Cursor::new(read).chain(reader)));
            Window::appending(whole, Reader::append)
        };
        let opened = self.read(window, Kind::Outlook)?;
        match &opened {
            Opened::One(entity) if !is_msg(Cursor::new(&entity.bytes)) => other(),
            _ => Ok(opened),
        }
    }

    /// The resources of a Safari web archive, whose index may be at its end.
    #[cfg(feature = "archives")]
    fn resources(self, window: Window<Reader>, captures: bool) -> Result<Opened, ReadError> {
        let (name, declarations) = (self.name.clone(), self.declarations.clone());
        let (bytes, failure) = self.bytes(window)?;
        if let Some(failure) = failure {
            // The index of a binary property list is at its end.
            return Err(unread_by(&name, failure));
        }
        let resources = Resources::new(bytes, name, declarations).with_captures(captures);
        Ok(Opened::Many(Box::new(resources)))
    }

    /// The members of a zip. Its directory is at its end, so a stream is read whole.
    #[cfg(feature = "archives")]
    fn members(
        self,
        window: Window<Reader>,
        limits: &Limits,
        nesting: &Nesting,
    ) -> Result<Opened, ReadError> {
        let (read, reader) = window.into_parts();
        let reader = match reader {
            reader if reader.is_seekable() => reader,
            stream => {
                let stream = Reader::Stream(Box::new(Cursor::new(read).chain(stream)));
                let bounded = Self {
                    bound: Bound::Bytes(limits.message),
                    ..self.clone()
                };
                let (bytes, failure) = bounded.bytes(Window::new(stream))?;
                if let Some(failure) = failure {
                    return Err(unread_by(&self.name, failure));
                }
                Reader::Seekable(Box::new(Cursor::new(bytes)))
            }
        };
        let shared = Shared::new(reader);
        let (name, around) = (self.name, self.declarations);
        let members = zip_file::Members::new(shared, name, around, limits, nesting, open_in)?;
        Ok(Opened::Many(Box::new(members)))
    }

    /// The page packed inside a page, if there is one.
    #[cfg(feature = "archives")]
    fn packed_page(
        self,
        window: Window<Reader>,
        limits: &Limits,
        nesting: &Nesting,
    ) -> Result<Opened, ReadError> {
        let opened = self.clone().document(window, Markup::Html)?;
        let Opened::One(entity) = opened else {
            return Ok(opened);
        };
        if !single_file::has_zip(&entity.bytes) {
            return Ok(Opened::One(entity));
        }
        nesting.admit(Format::Zip, &self.name, limits)?;
        let bytes: Arc<[u8]> = entity.bytes.as_slice().into();
        let shared = Shared::new(Reader::Seekable(Box::new(Cursor::new(bytes))));
        let (name, around) = (self.name, self.declarations);
        Ok(
            match zip_file::Members::new(shared, name, around, limits, nesting, open_in) {
                Ok(members) => Opened::Many(Box::new(members)),
                Err(error) => Opened::Many(Box::new(vec![Err(error), Ok(entity)].into_iter())),
            },
        )
    }

    /// The input as a response, which says what was captured if captures are wanted.
    fn response(
        self,
        window: Window<Reader>,
        limit: usize,
        captures: bool,
    ) -> Result<Opened, ReadError> {
        let heading = http::Heading::read(window.rest(0), limit);
        let heading = heading.as_ref();
        let capture = heading.filter(|_| captures);
        let capture = capture.and_then(|heading| self.capture(heading));
        // The fields of what is not HTML can still hold links.
        let fields = heading.filter(|heading| !heading.is_html(window.rest(0)));
        let opened = match fields.map(|heading| heading.body) {
            Some(length) => self.fields(length, &window),
            None => self.read(window, Kind::Response)?,
        };
        Ok(match opened {
            Opened::One(entity) => Opened::One(Entity { capture, ..entity }),
            damaged => damaged,
        })
    }

    /// What a saved response says of the exchange, if it is known where it is from.
    fn capture(&self, heading: &http::Heading<'_>) -> Option<Box<Capture>> {
        let mut declared = self.declarations.iter();
        let url = declared.find(|declared| matches!(declared.at, Place::Retrieval(_)))?;
        Some(Box::new(Capture {
            status: heading.status,
            location: heading.location().map(Into::into),
            ..Capture::of_page(&url.value, None)
        }))
    }

    /// The pages of a crawl.
    fn pages(self, window: Window<Reader>) -> Result<Opened, ReadError> {
        let (bytes, failure) = self.bytes(window)?;
        let pages = Pages::new(bytes, Arc::clone(&self.name));
        let failure = failure.map(|failure| Err(unread_by(&self.name, failure)));
        Ok(Opened::Many(Box::new(pages)).after(failure.into_iter().collect()))
    }

    /// The responses of a HAR.
    fn entries(self, window: Window<Reader>, captures: bool) -> Result<Opened, ReadError> {
        let (bytes, failure) = self.bytes(window)?;
        let mut found = har::entries(&bytes, &self.name, &self.declarations, captures);
        if let Some(failure) = failure {
            let error = unread_by(&self.name, failure);
            found.ready.insert(0, Err(error));
        }
        Ok(Opened::Many(Box::new(found)))
    }

    /// All bytes of the input, and the error if it could not be read to its end.
    fn bytes(&self, mut window: Window<Reader>) -> Result<(Vec<u8>, Option<io::Error>), ReadError> {
        let missing = self.room.saturating_sub(window.rest(0).len());
        if window.reserve(missing).is_err() {
            let reason = format!("there is no memory for its {} bytes", self.room);
            return Err(unread(&self.name, ReadErrorKind::Limit, reason));
        }
        loop {
            let limit = self.bound.bytes();
            if window.fill(limit + 1).len() <= limit {
                break;
            }
            // With more input read, its bound may allow the size.
            if self.bound.bytes() <= limit {
                let reason = format!("is larger than {limit} bytes and is not read");
                return Err(unread(&self.name, ReadErrorKind::Limit, reason));
            }
        }
        let failure = window.take_failure();
        Ok((window.into_parts().0, failure))
    }
}

/// The declarations of a file, each mark beside it adapted to whether the file is one document or a
/// collection.
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

/// A format not supported by this build: a file only found in a directory is left alone, like any
/// other file that is not read.
#[cfg(not(feature = "archives"))]
fn not_built_in(name: &Arc<str>, named: bool, feature: &str) -> Result<Opened, ReadError> {
    if !named {
        return Ok(Opened::Nothing);
    }
    let reason = format!("the format is not built in: it needs the feature `{feature}`");
    Err(unread(name, ReadErrorKind::NotBuiltIn, reason))
}

fn unread_by(name: &Arc<str>, failure: io::Error) -> ReadError {
    delivery::unread(Origin::of_input(name.clone()), failure)
}

fn unread(name: &Arc<str>, kind: ReadErrorKind, reason: impl Into<Box<str>>) -> ReadError {
    ReadError::new(kind, Origin::of_input(name.clone()), reason)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;
    use crate::gzip::tests::gzip;

    /// The content of an input of that name: each entity's kind and bytes, or the error.
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

    /// A stream that counts what is read of it.
    struct Counting(io::Cursor<Vec<u8>>, Arc<AtomicUsize>);

    impl io::Read for Counting {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let read = self.0.read(buffer)?;
            self.1.fetch_add(read, Ordering::Relaxed);
            Ok(read)
        }
    }

    #[test]
    fn what_shows_no_document_is_not_read_on() {
        const LENGTH: usize = 4 * FIRST_READ;
        for (name, begin, read) in [
            ("a.png", "\u{89}PNG\r\n", HEAD),
            ("a.js", "let a;", HEAD),
            ("a", "<!DOCTYPE html>", LENGTH),
            ("a.html", "let a;", LENGTH),
        ] {
            let mut bytes = begin.as_bytes().to_vec();
            bytes.resize(LENGTH, b' ');
            let counted = Arc::new(AtomicUsize::new(0));
            let stream = Counting(io::Cursor::new(bytes), Arc::clone(&counted));
            let input = Input {
                name: name.into(),
                format_of_name: Format::of_name(name.as_ref()),
                reader: Reader::Stream(Box::new(stream)),
                size: None,
                format: None,
                named: false,
                declarations: Vec::new(),
            };
            let opened = open_site(input, &Limits::default()).unwrap();
            assert_eq!(matches!(opened, Opened::One(_)), read == LENGTH, "{name}");
            assert_eq!(counted.load(Ordering::Relaxed), read, "{name}");
        }
    }

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
    fn gzip_in_gzip_is_read_within_one_limit() {
        let mailbox = "From a@b Fri Jan 27 10:00:00 2017\nFrom: a\nTo: b\n\nd\n";
        let layers =
            |text: &str, number| (0..number).fold(text.into(), |bytes: Vec<u8>, _| gzip(&bytes));
        let limits = Limits::default();
        for number in 1..=limits.nesting {
            let page = entities("a.gz", layers("<p>x", number), &limits);
            assert_eq!(page, [Ok((Kind::Html, "<p>x".to_owned()))]);
            let mail = entities("a", layers(mailbox, number), &limits);
            let kind = Kind::Message { unquote: true };
            assert_eq!(
                mail,
                [Ok((kind, mailbox[34..mailbox.len() - 1].to_owned()))]
            );
        }
        let error = "a: is compressed more than 4 times over and is not read".to_owned();
        let more = layers("<p>x", limits.nesting + 1);
        assert_eq!(entities("a", more, &limits), [Err(error)]);

        let limits = limits.inflated(1000).inflation(10);
        let error = "its layers of gzip expand to too much for its size: the rest is not read";
        let bomb = layers(&mailbox.repeat(1000), 2);
        let found = entities("a", bomb, &limits);
        assert!(
            found
                .iter()
                .any(|found| found.as_ref().is_err_and(|told| told.ends_with(error))),
            "{found:?}"
        );
        assert!(found.len() < 1000);
    }

    #[test]
    fn what_is_damaged_at_its_start_is_read_from_where_it_can_be() {
        let mut bytes = gzip(b"<p>lost");
        bytes[10] ^= 0x55;
        let bytes = [bytes, gzip(b"<p>x")].concat();
        let found = entities("a", bytes, &Limits::default());
        let [Err(error), Ok((Kind::Html, text))] = &found[..] else {
            panic!("{found:?}");
        };
        assert!(
            error.starts_with("a: the gzip member at byte 0 is corrupt"),
            "{error}"
        );
        assert_eq!(text, "<p>x");
    }

    #[test]
    fn what_is_compressed_is_bounded() {
        let limits = Limits::default().message(1000);
        let bomb = gzip(&[b"<p>".as_slice(), &b" ".repeat(100_000)].concat());
        assert_eq!(
            entities("a", bomb, &limits),
            [Err(
                "a: is larger than 1000 bytes and is not read".to_owned()
            )]
        );
    }

    #[cfg(feature = "archives")]
    #[test]
    fn a_compound_file_is_read_if_it_is_a_message_or_named_as_one() {
        const DOC: &[u8] = include_bytes!("../../../fixtures/outlook/no-message.doc");
        const MSG: &[u8] = include_bytes!("../../../fixtures/outlook/link-in-a-field.msg");
        let damaged = &MSG[..1000];
        // Whether it is taken for a message, is refused, or left alone.
        let opened = |name: &str, named: bool, bytes: &'static [u8], stream: bool| {
            let cursor = io::Cursor::new(bytes);
            let input = Input {
                name: name.into(),
                format_of_name: Format::of_name(name.as_ref()),
                reader: if stream {
                    Reader::Stream(Box::new(cursor))
                } else {
                    Reader::Seekable(Box::new(cursor))
                },
                size: None,
                format: None,
                named,
                declarations: Vec::new(),
            };
            match open(input, &Limits::default()) {
                Ok(Opened::One(entity)) => {
                    assert!(entity.kind == Kind::Outlook && entity.bytes == bytes);
                    "message"
                }
                Ok(Opened::Many(_)) => "entities",
                Ok(Opened::Nothing) => "nothing",
                Err(_) => "refused",
            }
        };
        for stream in [false, true] {
            for (name, named, bytes, outcome) in [
                ("a", false, MSG, "message"),
                ("a", true, MSG, "message"),
                ("a.doc", false, DOC, "nothing"),
                ("a.doc", true, DOC, "refused"),
                ("a.html", false, DOC, "refused"),
                ("a", false, damaged, "nothing"),
                // Its reader says what is wrong with it.
                ("a.msg", false, damaged, "message"),
            ] {
                assert_eq!(
                    opened(name, named, bytes, stream),
                    outcome,
                    "{name} {named}"
                );
            }
        }
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
