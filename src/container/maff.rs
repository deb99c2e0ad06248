//! Pages in a zip: as the Mozilla Archive Format keeps them (`.maff`), each in a directory with
//! an `index.rdf` that says where it came from, or a plain zip.
//!
//! Nothing is unpacked but into memory, one member at a time.

use std::collections::BTreeMap;
use std::io::{Read, Seek};
use std::sync::Arc;

use quick_xml::XmlVersion;
use quick_xml::events::{BytesStart, Event};
use zip::ZipArchive;
use zip::result::ZipError;

use super::detect::{Format, HEAD};
use super::input::Container;
use crate::container::entity::Entity;
use crate::decode::source::Markup;
use crate::document::{Declaration, Origin, Place, Retrieval, Skipped};
use crate::error::{ReadError, ReadErrorKind};
use crate::options::Limits;

/// What all members may come to, in times of the size of the archive: text that is written by
/// people and programs is seldom compressed to a tenth. Members of a bomb share their bytes.
const EXPANSION: u64 = 100;

/// The media type of an EPUB.
const EPUB: &[u8] = b"application/epub+zip";

/// An `index.rdf` is not larger than this.
const INDEX_SIZE: usize = 1024 * 1024;

/// The pages of a zip, in the order of its directory.
pub(super) struct Pages<R> {
    archive: ZipArchive<R>,
    input: Arc<str>,
    declarations: Vec<Declaration>,
    limits: Limits,
    /// It is an EPUB, whose pages are XHTML whatever they are named.
    is_epub: bool,
    /// What is recorded of pages, by the name of their member.
    records: BTreeMap<String, Record>,
    next: usize,
    skipped: Skipped,
    /// A page that is damaged, after that was told.
    ready: Option<Entity>,
    /// How many more bytes are unpacked.
    budget: u64,
}

/// What an `index.rdf` says of a page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Record {
    /// `MAF:originalurl`.
    url: Option<String>,
    /// `MAF:indexfilename`: the name of the page beside the index.
    file: Option<String>,
    /// `MAF:charset`.
    charset: Option<String>,
}

impl<R: Read + Seek> Pages<R> {
    /// The pages of the zip of `size` bytes that `reader` gives, with what the user declares of
    /// it.
    ///
    /// # Errors
    /// When it has no directory of its members.
    pub fn new(
        reader: R,
        size: u64,
        input: Arc<str>,
        declarations: Vec<Declaration>,
        limits: &Limits,
    ) -> Result<Self, ReadError> {
        let archive = ZipArchive::new(reader).map_err(|error| {
            ReadError::new(
                ReadErrorKind::Damaged,
                Origin::of_input(Arc::clone(&input)),
                format!("cannot be read as a zip: {error}"),
            )
        })?;
        let mut pages = Self {
            archive,
            input,
            declarations,
            budget: size.saturating_mul(EXPANSION).max(limits.message as u64),
            limits: limits.clone(),
            is_epub: false,
            records: BTreeMap::new(),
            next: 0,
            skipped: Skipped::default(),
            ready: None,
        };
        pages.is_epub = pages.says_epub();
        pages.read_records();
        Ok(pages)
    }

    /// EPUB 3.3 §4.2.6.3.1: the first member is `mimetype`.
    fn says_epub(&mut self) -> bool {
        let says = self.name(0).is_ok_and(|name| name == "mimetype");
        says && self
            .unpack(0, EPUB.len())
            .is_ok_and(|(bytes, _)| bytes == EPUB)
    }

    /// Reads every `index.rdf`: it may stand behind its page. One that cannot be read is told
    /// when its turn comes.
    fn read_records(&mut self) {
        for number in 0..self.archive.len() {
            let Ok(name) = self.name(number) else {
                continue;
            };
            let Some(directory) = name.strip_suffix("index.rdf") else {
                continue;
            };
            if !(directory.is_empty() || directory.ends_with('/')) {
                continue;
            }
            if let Ok((index, _)) = self.unpack(number, INDEX_SIZE) {
                let record = record(&index);
                let file = record.file.as_deref().unwrap_or("index.html");
                self.records.insert(format!("{directory}{file}"), record);
            }
        }
    }

    fn name(&self, number: usize) -> Result<String, ZipError> {
        match self.archive.name_for_index(number) {
            Some(name) => name.map(std::borrow::Cow::into_owned),
            None => Err(ZipError::FileNotFound),
        }
    }

    /// The first `limit` bytes of a member, and why there are no more if it is damaged.
    fn unpack(&mut self, number: usize, limit: usize) -> Result<(Vec<u8>, Option<String>), String> {
        let member = self
            .archive
            .by_index(number)
            .map_err(|error| error.to_string())?;
        let mut bytes = Vec::new();
        let bound = self.budget.saturating_add(1).min(limit as u64);
        let result = member.take(bound).read_to_end(&mut bytes);
        let Some(left) = self.budget.checked_sub(bytes.len() as u64) else {
            self.budget = 0;
            return Err(format!(
                "the members come to more than {EXPANSION} times the zip: it is not read"
            ));
        };
        self.budget = left;
        Ok((bytes, result.err().map(|error| error.to_string())))
    }

    /// The next member, if it is a page, and what is wrong with it.
    fn member(&mut self, number: usize) -> Result<Option<Entity>, (Origin, String)> {
        let mut origin = Origin::of_input(Arc::clone(&self.input));
        let name = match self.name(number) {
            Ok(name) => name,
            Err(error) => return Err((origin, format!("member {}: {error}", number + 1))),
        };
        if name.ends_with('/') {
            return Ok(None);
        }
        origin.member = Some(Arc::new(name.clone()));
        let told = |reason| (origin.clone(), reason);
        let record = self.records.get(&name).cloned();
        let of_name = Format::of_name(name.as_ref());
        let markup = of_name
            .and_then(Format::markup)
            .map(|markup| if self.is_epub { Markup::Xml } else { markup });
        if record.is_none() && markup.is_none() {
            let (head, _) = self.unpack(number, HEAD).map_err(told)?;
            if Format::of_content(&head) != Some(Format::Html) {
                self.skipped.count("");
                return Ok(None);
            }
        }
        let limit = self.limits.message;
        let (bytes, fault) = self.unpack(number, limit + 1).map_err(told)?;
        if bytes.len() > limit {
            return Err(told(format!(
                "is larger than {limit} bytes and is not read"
            )));
        }
        let record = record.unwrap_or_default();
        let recorded = record.url.map(|value| Declaration {
            value: value.into(),
            at: Place::Retrieval(Retrieval::Record("MAF:originalurl")),
        });
        let entity = Entity {
            markup: markup.unwrap_or_default(),
            charset: record.charset,
            declarations: recorded
                .into_iter()
                .chain(self.declarations.iter().cloned())
                .collect(),
            ..Entity::html(origin.clone(), bytes)
        };
        match fault {
            None => Ok(Some(entity)),
            Some(fault) => {
                self.ready = Some(entity);
                Err((origin, format!("cannot be unpacked to its end: {fault}")))
            }
        }
    }
}

/// What an `index.rdf` says: the `RDF:resource` attributes of its elements, the namespaces not
/// looked at, as its readers do. It is read as far as it is XML.
fn record(index: &[u8]) -> Record {
    let mut record = Record::default();
    let mut reader = quick_xml::Reader::from_reader(index);
    while let Ok(event) = reader.read_event() {
        match event {
            Event::Eof => break,
            Event::Start(element) | Event::Empty(element) => {
                let slot = match element.local_name().as_ref() {
                    "originalurl" => &mut record.url,
                    "indexfilename" => &mut record.file,
                    "charset" => &mut record.charset,
                    _ => continue,
                };
                if slot.is_none() {
                    *slot = resource(&element);
                }
            }
            _ => {}
        }
    }
    record
}

/// The `RDF:resource` attribute of an element, if it is not empty.
fn resource(element: &BytesStart<'_>) -> Option<String> {
    let attribute = element
        .attributes()
        .flatten()
        .find(|attribute| attribute.key.local_name().as_ref() == "resource")?;
    let value = attribute.normalized_value(XmlVersion::Implicit1_0).ok()?;
    (!value.is_empty()).then(|| value.into_owned())
}

impl<R: Read + Seek> Iterator for Pages<R> {
    type Item = Result<Entity, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Some(entity) = self.ready.take() {
            return Some(Ok(entity));
        }
        while self.next < self.archive.len() {
            let number = self.next;
            self.next += 1;
            match self.member(number) {
                Ok(Some(entity)) => return Some(Ok(entity)),
                Ok(None) => {}
                Err((origin, reason)) => {
                    return Some(Err(ReadError::new(ReadErrorKind::Damaged, origin, reason)));
                }
            }
        }
        None
    }
}

impl<R: Read + Seek> Container for Pages<R> {
    fn skipped(&self) -> Skipped {
        self.skipped.clone()
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Cursor, Write};

    use zip::write::SimpleFileOptions;
    use zip::{CompressionMethod, ZipWriter};

    use super::*;

    const RDF: &str = r#"<?xml version="1.0"?>
        <RDF:RDF xmlns:MAF="http://maf.mozdev.org/metadata/rdf#"
                 xmlns:RDF="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
          <RDF:Description RDF:about="urn:root">
            <MAF:originalurl RDF:resource="http://example.org/a?b&amp;c"/>
            <MAF:indexfilename RDF:resource="page.htm"/>
            <MAF:charset RDF:resource="KOI8-R"/>
          </RDF:Description>
        </RDF:RDF>"#;

    fn zip(members: &[(&str, &str)]) -> Vec<u8> {
        let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
        for (number, (name, text)) in members.iter().enumerate() {
            let method = [CompressionMethod::Deflated, CompressionMethod::Stored][number % 2];
            let options = SimpleFileOptions::default().compression_method(method);
            writer.start_file(*name, options).unwrap();
            writer.write_all(text.as_bytes()).unwrap();
        }
        writer.finish().unwrap().into_inner()
    }

    fn read(bytes: &[u8], limits: &Limits) -> (Vec<Result<String, String>>, u64) {
        let size = bytes.len() as u64;
        let pages = Pages::new(Cursor::new(bytes), size, "z".into(), Vec::new(), limits);
        let mut pages = match pages {
            Ok(pages) => pages,
            Err(error) => return (vec![Err(error.to_string())], 0),
        };
        let found = pages.by_ref().map(|item| match item {
            Ok(entity) => {
                let url = entity.declarations.first().map_or("-", |by| &by.value);
                let charset = entity.charset.as_deref().unwrap_or("-");
                Ok(format!("{} {url} {charset}", entity.origin))
            }
            Err(error) => Err(error.to_string()),
        });
        (found.collect(), pages.without_html())
    }

    #[test]
    fn an_index_says_where_its_page_came_from() {
        let bytes = zip(&[
            ("1/page.htm", "x"),
            ("1/frame.html", "x"),
            ("1/index.rdf", RDF),
            ("1/a.png", "x"),
            ("2/index.rdf", &RDF.replace("page.htm", "")),
            ("2/index.html", "x"),
            ("3/index.html", "x"),
            ("3/no-index.rdf", RDF),
            ("4/page?x=1", "<!DOCTYPE html>"),
        ]);
        let expected = [
            "z!1/page.htm http://example.org/a?b&c KOI8-R",
            "z!1/frame.html - -",
            "z!2/index.html http://example.org/a?b&c KOI8-R",
            "z!3/index.html - -",
            "z!4/page?x=1 - -",
        ];
        let expected = expected.iter().map(|&line| Ok(line.to_owned())).collect();
        assert_eq!(read(&bytes, &Limits::default()), (expected, 4));
    }

    #[test]
    fn an_index_is_read_as_far_as_it_is_xml() {
        let url = |index: &str| record(index.as_bytes()).url;
        let own = Some("http://example.org/a?b&c".to_owned());
        assert_eq!(url(RDF), own);
        assert_eq!(url(&RDF[..RDF.find("</RDF").unwrap()]), own);
        assert_eq!(url(&RDF[..RDF.find("<MAF:charset").unwrap() + 9]), own);
        assert_eq!(url("<a><originalurl resource=''/></a>"), None);
        for length in 0..RDF.len() {
            record(&RDF.as_bytes()[..length]);
        }
    }

    #[test]
    fn a_damaged_member_costs_no_other_one() {
        let text = "<p>".repeat(1000);
        let mut bytes = zip(&[("a.html", "x"), ("b.html", &text), ("c.html", "x")]);
        let at = bytes
            .windows(9)
            .position(|window| window == &text.as_bytes()[..9])
            .unwrap();
        bytes[at + 5] = b'x';
        let (found, _) = read(&bytes, &Limits::default());
        let [Ok(_), Err(told), Ok(_), Ok(_)] = &found[..] else {
            panic!("{found:?}");
        };
        assert!(told.starts_with("z!b.html: cannot be unpacked to its end: "));
    }

    #[test]
    fn what_is_unpacked_is_bounded() {
        let limits = Limits {
            message: 10_000,
            ..Limits::default()
        };
        let bytes = zip(&[("a.html", &" ".repeat(100_000)), ("b.html", "x")]);
        let told = "z!a.html: is larger than 10000 bytes and is not read".to_owned();
        let expected = (vec![Err(told), Ok("z!b.html - -".to_owned())], 0);
        assert_eq!(read(&bytes, &limits), expected);

        let blank = " ".repeat(1_000_000);
        let names: Vec<String> = (0..20).map(|number| format!("{number}.html")).collect();
        let texts = [blank.as_str(), ""].into_iter().cycle();
        let members: Vec<(&str, &str)> = names.iter().map(String::as_str).zip(texts).collect();
        let limits = Limits {
            message: 2_000_000,
            ..Limits::default()
        };
        let (found, _) = read(&zip(&members), &limits);
        let told = found.iter().filter(|item| item.is_err()).count();
        assert_eq!((told > 5, found.len()), (true, 20), "{found:?}");
    }

    #[test]
    fn a_zip_can_be_cut_off_or_wrong_anywhere() {
        let whole = zip(&[("1/page.htm", "x"), ("1/index.rdf", RDF), ("b", "<p>")]);
        for at in 0..whole.len() {
            assert!(!read(&whole[..at], &Limits::default()).0.is_empty());
            let mut bytes = whole.clone();
            bytes[at] ^= 0xFF;
            read(&bytes, &Limits::default());
        }
        assert_eq!(read(&zip(&[]), &Limits::default()), (vec![], 0));
    }
}
