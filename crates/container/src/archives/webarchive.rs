//! Pages saved by Safari (`.webarchive`): property lists, binary or XML, that hold an archive with
//! a main resource, subresources, and the archives of its frames.
//!
//! Property lists are read event by event, so nesting costs no stack.

use std::io::Cursor;
use std::num::NonZeroU64;
use std::sync::Arc;

use plist::stream::{Event, OwnedEvent, Reader};

use super::http;
use crate::contents::{Container, Contents};
use crate::detect::{Formats, OpenContext};
use crate::documents;
use crate::entity::{Entity, EntityKind};
use crate::input::buffered::BufferedInput;
use baseref_document::{
    Capture, CaptureKind, Declaration, Origin, Place, ReadError, ReadErrorKind, Retrieval, Skipped,
};
use baseref_text::decode::source::Markup;

/// The maximum total size of the strings and data of an archive, as a multiple of its own size. A
/// binary property list can refer to one object many times.
const EXPANSION: usize = 4;

/// Reads a web archive. The index of a binary property list is at its end, so that a damaged one is
/// not read at all.
pub(crate) fn read(mut input: BufferedInput, ctx: &OpenContext<'_>) -> Result<Contents, ReadError> {
    let (bytes, failure) = input.take_bytes()?;
    if let Some(failure) = failure {
        return Err(input.failed(failure));
    }
    let resources = Resources::new(bytes, input.name, input.declarations, ctx.formats);
    Ok(Contents::from_container(
        resources.with_captures(ctx.nesting.is_site()),
    ))
}

/// The HTML resources of an archive, in order.
pub(crate) struct Resources {
    events: Option<Reader<Cursor<Vec<u8>>>>,
    input: Arc<str>,
    declarations: Vec<Declaration>,
    /// Whether the outermost dictionary has started.
    started: bool,
    open: Vec<Level>,
    number: u64,
    skipped: Skipped,
    /// The number of events, and of bytes in them, that may still be read.
    budget: usize,
    /// Whether to return each resource as a capture and to read style sheets.
    captures: bool,
    formats: &'static Formats,
}

/// A collection being read.
struct Level {
    is: Collection,
    /// In a dictionary, the key of the next value.
    key: Option<String>,
}

/// The kinds of collections in an archive.
enum Collection {
    /// The outermost archive, or the archive of a frame.
    Archive,
    /// A resource.
    Resource(Resource),
    /// The subresources of an archive.
    Subresources,
    /// The archives of the frames of an archive.
    Subframes,
    /// Something else.
    Other,
}

#[derive(Default)]
struct Resource {
    data: Vec<u8>,
    url: Option<String>,
    media_type: Option<String>,
    encoding: Option<String>,
}

impl Resources {
    /// The resources of the archive in `bytes`, with the declarations of the user.
    pub fn new(
        bytes: Vec<u8>,
        input: Arc<str>,
        declarations: Vec<Declaration>,
        formats: &'static Formats,
    ) -> Self {
        Self {
            budget: bytes.len().saturating_mul(EXPANSION),
            events: Some(Reader::new(Cursor::new(bytes))),
            input,
            declarations,
            started: false,
            open: Vec::new(),
            number: 0,
            skipped: Skipped::default(),
            captures: false,
            formats,
        }
    }

    /// Sets whether to return each resource as a capture and to read style sheets.
    pub fn with_captures(self, captures: bool) -> Self {
        Self { captures, ..self }
    }

    /// The next event, within the budget.
    fn event(&mut self) -> Option<Result<OwnedEvent, ReadError>> {
        let origin = Origin::new(Arc::clone(&self.input));
        let unread = |kind, reason: String| Some(Err(ReadError::new(kind, origin, reason)));
        let event = match self.events.as_mut()?.next() {
            Some(Ok(event)) => event,
            Some(Err(error)) => {
                let reason = format!("is not a complete property list: {error}");
                return unread(ReadErrorKind::Damaged, reason);
            }
            None if self.started && self.open.is_empty() => return None,
            None => {
                let reason = "is not a complete property list of a saved page";
                return unread(ReadErrorKind::Damaged, reason.to_owned());
            }
        };
        let size = match &event {
            Event::Data(data) => data.len(),
            Event::String(text) => text.len(),
            _ => 0,
        };
        let Some(left) = self.budget.checked_sub(size + 1) else {
            let reason = format!("expands to more than {EXPANSION} times its size");
            return unread(ReadErrorKind::Limit, reason);
        };
        self.budget = left;
        Some(Ok(event))
    }

    /// Processes an event. Returns the resource that it completes, if any.
    fn take(&mut self, event: OwnedEvent) -> Option<Resource> {
        let is_root = self.open.is_empty() && !self.started;
        let key = self.open.last_mut().and_then(|level| level.key.take());
        let within = self.open.last_mut().map(|level| &mut level.is);
        match event {
            Event::StartDictionary(_) => {
                self.started = true;
                let is = match (within, key.as_deref()) {
                    (None, _) if is_root => Collection::Archive,
                    (Some(Collection::Archive), Some("WebMainResource"))
                    | (Some(Collection::Subresources), _) => {
                        Collection::Resource(Resource::default())
                    }
                    (Some(Collection::Subframes), _) => Collection::Archive,
                    _ => Collection::Other,
                };
                self.open.push(Level { is, key: None });
            }
            Event::StartArray(_) => {
                let is = match (within, key.as_deref()) {
                    (Some(Collection::Archive), Some("WebSubresources")) => {
                        Collection::Subresources
                    }
                    (Some(Collection::Archive), Some("WebSubframeArchives")) => {
                        Collection::Subframes
                    }
                    _ => Collection::Other,
                };
                self.open.push(Level { is, key: None });
            }
            Event::EndCollection => {
                if let Collection::Resource(resource) = self.open.pop()?.is {
                    return Some(resource);
                }
            }
            Event::Data(data) => {
                if let (Some(Collection::Resource(resource)), Some("WebResourceData")) =
                    (within, key.as_deref())
                {
                    resource.data = data.into_owned();
                }
            }
            Event::String(text) => match (within, key.as_deref()) {
                (Some(Collection::Resource(resource)), Some(key)) => {
                    resource.set(key, text.into_owned());
                }
                (Some(Collection::Resource(_) | Collection::Archive), None) => {
                    if let Some(level) = self.open.last_mut() {
                        level.key = Some(text.into_owned());
                    }
                }
                _ => {}
            },
            _ => {}
        }
        None
    }

    /// A resource as an entity, if it is HTML or a capture.
    fn entity(&mut self, resource: Resource) -> Option<Entity> {
        self.number += 1;
        let markup = match &resource.media_type {
            Some(essence) if http::is_some_xml(&essence.to_ascii_lowercase()) => {
                documents::markup_of_xml(&resource.data)
            }
            Some(essence) => Markup::from_media_type(&essence.to_ascii_lowercase()),
            None => {
                let format = self.formats.by_content(&resource.data);
                format.and_then(|format| self.formats.markup(format))
            }
        };
        let url = resource.url.as_deref().filter(|_| self.captures);
        let capture = url.map(|url| {
            Box::new(Capture {
                kind: CaptureKind::Saved,
                ..Capture::from_page(url, None)
            })
        });
        let essence = resource.media_type.as_deref().unwrap_or_default();
        let is_sheet = essence.eq_ignore_ascii_case("text/css");
        let kind = match markup {
            Some(_) => EntityKind::Html,
            None if is_sheet && capture.is_some() => EntityKind::StyleSheet,
            None => {
                self.skipped.count(&essence.to_ascii_lowercase());
                capture.as_ref()?;
                EntityKind::Capture
            }
        };
        let recorded = resource.url.map(|value| {
            Declaration::new(value, Place::Retrieval(Retrieval::Record("WebResourceURL")))
        });
        Some(Entity {
            kind,
            markup: markup.unwrap_or_default(),
            capture,
            charset: resource.encoding,
            declarations: recorded
                .into_iter()
                .chain(self.declarations.iter().cloned())
                .collect(),
            ..Entity::html(self.origin(), resource.data)
        })
    }

    fn origin(&self) -> Origin {
        Origin::new(Arc::clone(&self.input)).with_message(NonZeroU64::new(self.number))
    }
}

impl Resource {
    fn set(&mut self, key: &str, text: String) {
        match key {
            "WebResourceURL" => self.url = Some(text),
            "WebResourceMIMEType" => self.media_type = Some(text),
            "WebResourceTextEncodingName" => self.encoding = Some(text),
            _ => {}
        }
    }
}

impl Iterator for Resources {
    type Item = Result<Entity, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            match self.event()? {
                Ok(event) => {
                    let resource = self.take(event);
                    if let Some(entity) = resource.and_then(|resource| self.entity(resource)) {
                        return Some(Ok(entity));
                    }
                }
                Err(error) => {
                    self.events = None;
                    return Some(Err(error));
                }
            }
        }
    }
}

impl Container for Resources {
    fn skipped(&self) -> Skipped {
        self.skipped.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(bytes: &[u8]) -> (Vec<Result<String, String>>, u64) {
        let mut resources = Resources::new(
            bytes.to_vec(),
            "w".into(),
            Vec::new(),
            &crate::open::FORMATS,
        );
        let found = resources.by_ref().map(|item| match item {
            Ok(entity) => {
                let url = entity.declarations.first().map_or("-", |by| &by.value);
                Ok(format!("{} {url}", entity.origin))
            }
            Err(error) => Err(error.reason.into()),
        });
        (found.collect(), resources.without_html())
    }

    const XML: &str =
        include_str!("../../../../fixtures/saved/each-resource-has-its-url.webarchive");

    fn binary() -> Vec<u8> {
        let value = plist::Value::from_reader(Cursor::new(XML)).unwrap();
        let mut bytes = Vec::new();
        value.to_writer_binary(&mut bytes).unwrap();
        bytes
    }

    #[test]
    fn binary_and_xml_property_lists() {
        let urls = [
            "#1 http://example.org/a/b",
            "#3 http://example.org/sub/",
            "#4 http://example.net/f/",
            "#5 http://example.net/g/",
        ];
        let expected: Vec<_> = urls.iter().map(|url| Ok(format!("w{url}"))).collect();
        assert_eq!(read(XML.as_bytes()), (expected.clone(), 1));
        assert!(crate::Format::from_content(XML.as_bytes()) == Some(crate::Format::Webarchive));
        assert_eq!(read(&binary()), (expected, 1));
        assert!(crate::Format::from_content(&binary()) == Some(crate::Format::Webarchive));
    }

    #[test]
    fn archive_truncated_anywhere() {
        for whole in [XML.as_bytes(), &binary()] {
            for length in 0..whole.len() - 40 {
                let (found, _) = read(&whole[..length]);
                let errors = found.iter().filter(|item| item.is_err()).count();
                assert_eq!(
                    (errors, found.last().is_some_and(Result::is_err)),
                    (1, true),
                    "{length}"
                );
            }
        }
    }

    #[test]
    fn any_byte_changed() {
        let whole = binary();
        for at in 0..whole.len() {
            let mut bytes = whole.clone();
            bytes[at] ^= 0xFF;
            let (found, _) = read(&bytes);
            assert!(found.len() < 20, "{at}");
        }
    }

    #[test]
    fn nesting_needs_no_stack() {
        let archive = "<dict><key>WebSubframeArchives</key><array>".repeat(100_000);
        let (found, _) = read(format!("<plist>{archive}").as_bytes());
        assert!(matches!(&found[..], [Err(_)]));
    }

    #[test]
    fn repeated_references_are_limited() {
        // Arrays nested 40 deep, each with 15 references to the next.
        let mut bytes = b"bplist00".to_vec();
        let mut offsets = Vec::new();
        for next in 1..=40 {
            offsets.push(u8::try_from(bytes.len() % 256).unwrap());
            offsets.insert(offsets.len() - 1, u8::try_from(bytes.len() / 256).unwrap());
            bytes.push(0xAE);
            bytes.extend([next; 14]);
        }
        offsets.extend(u16::try_from(bytes.len()).unwrap().to_be_bytes());
        bytes.push(0x09);
        let table = u64::try_from(bytes.len()).unwrap();
        bytes.extend(offsets);
        bytes.extend([0, 0, 0, 0, 0, 0, 2, 1]);
        for number in [41, 0, table] {
            bytes.extend(number.to_be_bytes());
        }
        let told = "expands to more than 4 times its size".to_owned();
        assert_eq!(read(&bytes), (vec![Err(told)], 0));
        let mut resources = Resources::new(bytes, "w".into(), Vec::new(), &crate::open::FORMATS);
        let error = resources.next().and_then(Result::err);
        assert_eq!(error.map(|error| error.kind), Some(ReadErrorKind::Limit));
    }
}
