//! Records of saved pages in a zip, each in the folder of its page.

use std::collections::BTreeMap;

use quick_xml::XmlVersion;
use quick_xml::events::{BytesStart, Event};
use serde::Deserialize;

use baseref_document::{Declaration, Note, NoteCode, Place, Retrieval};
use baseref_text::header::date;

/// The maximum size of a record.
pub(super) const LONGEST: usize = 8 * 1024 * 1024;

/// The record of a page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Record {
    /// The URL that it was retrieved from.
    pub url: Option<Declaration>,
    /// Its charset.
    pub charset: Option<String>,
    /// The time at which it was retrieved, in RFC 3339 and UTC.
    pub date: Option<Box<str>>,
    /// A note if the record is malformed.
    pub note: Option<Note>,
    /// The name of the page in the folder of the record.
    file: Option<String>,
}

/// A parser of records.
type Reader = fn(&[u8]) -> Option<Record>;

/// The names of records and their parsers.
const READERS: [(&str, Reader); 3] = [
    ("index.rdf", maff),
    ("manifest.json", single_file),
    ("index.json", single_file),
];

/// The folder and the parser of a record, if the member with that name may be one.
pub(super) fn reader_of(name: &str) -> Option<(&str, Reader)> {
    READERS.iter().find_map(|(record, reader)| {
        let directory = name.strip_suffix(record)?;
        (directory.is_empty() || directory.ends_with('/')).then_some((directory, *reader))
    })
}

/// Adds a record under the name of its page, unless there is one already.
pub(super) fn insert(records: &mut BTreeMap<String, Record>, directory: &str, record: Record) {
    let file = record.file.as_deref().unwrap_or("index.html");
    records
        .entry(format!("{directory}{file}"))
        .or_insert(record);
}

/// Parses a record in the Mozilla Archive Format: the `RDF:resource` attributes of its elements,
/// ignoring namespaces, as existing readers do. A malformed record is read up to the error; entity
/// declarations are ignored.
#[expect(clippy::unnecessary_wraps, reason = "other parsers may fail")]
fn maff(index: &[u8]) -> Option<Record> {
    let mut record = Record::default();
    let mut reader = quick_xml::Reader::from_reader(index);
    loop {
        let element = match reader.read_event() {
            Ok(Event::Eof) => break,
            Ok(Event::Start(element) | Event::Empty(element)) => element,
            Ok(_) => continue,
            Err(error) => {
                record.note(&format!("index.rdf is not well-formed XML: {error}"));
                break;
            }
        };
        let name = element.local_name();
        let name = name.as_ref();
        if !matches!(name, "originalurl" | "indexfilename" | "charset") {
            continue;
        }
        let Some(value) = resource(&element, &mut record) else {
            continue;
        };
        match name {
            "originalurl" => record.set_url(value, "MAF:originalurl"),
            "indexfilename" => _ = record.file.get_or_insert(value),
            _ => _ = record.charset.get_or_insert(value),
        }
    }
    Some(record)
}

/// The `RDF:resource` attribute of an element, if it is not empty. A value with references to
/// entities that XML does not predefine is kept as written.
fn resource(element: &BytesStart<'_>, record: &mut Record) -> Option<String> {
    let attribute = element
        .attributes()
        .flatten()
        .find(|attribute| attribute.key.local_name().as_ref() == "resource")?;
    let value = match attribute.normalized_value(XmlVersion::Implicit1_0) {
        Ok(value) => value.into_owned(),
        Err(error) => {
            record.note(&format!("index.rdf has a value taken as written: {error}"));
            attribute.value.into_owned()
        }
    };
    (!value.is_empty()).then_some(value)
}

/// Parses a record in a `SingleFile` zip.
fn single_file(manifest: &[u8]) -> Option<Record> {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Manifest {
        original_url: String,
        index_filename: Option<String>,
        archive_time: Option<String>,
    }
    let manifest: Manifest = serde_json::from_slice(manifest).ok()?;
    let mut record = Record {
        file: manifest.index_filename,
        date: manifest
            .archive_time
            .as_deref()
            .and_then(date::from_rfc3339),
        ..Record::default()
    };
    record.set_url(manifest.original_url, "originalUrl");
    Some(record)
}

impl Record {
    fn set_url(&mut self, value: String, name: &'static str) {
        self.url.get_or_insert(Declaration::new(
            value,
            Place::Retrieval(Retrieval::Record(name)),
        ));
    }

    fn note(&mut self, detail: &str) {
        self.note
            .get_or_insert(Note::new(NoteCode::RecordMalformed, detail.to_owned()));
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::RDF;
    use super::*;

    /// The URL in an index, and the code of its note.
    fn url(index: &str) -> (Option<String>, Option<&'static str>) {
        let record = maff(index.as_bytes()).unwrap();
        let url = record.url.map(|url| url.value.to_string());
        (url, record.note.map(|note| note.code.as_str()))
    }

    #[test]
    fn index_is_read_up_to_malformed_xml() {
        let own = Some("http://example.org/a?b&c".to_owned());
        assert_eq!(url(RDF), (own.clone(), None));
        assert_eq!(url(&RDF[..RDF.find("</RDF").unwrap()]), (own.clone(), None));
        let cut_off = &RDF[..RDF.find("<MAF:charset").unwrap() + 9];
        assert_eq!(url(cut_off), (own, Some("record-malformed")));
        assert_eq!(url("<a><originalurl resource=''/></a>"), (None, None));
        for length in 0..RDF.len() {
            maff(&RDF.as_bytes()[..length]);
        }
    }

    #[test]
    fn document_type_loses_no_value() {
        let index = "<!DOCTYPE r [<!ENTITY e 'x'>]><r><originalurl resource='http://a/&e;'/>\
                     <charset resource='koi8-r'/></r>";
        let noted = (Some("http://a/&e;".to_owned()), Some("record-malformed"));
        assert_eq!(url(index), noted);
        assert_eq!(maff(index.as_bytes()).unwrap().charset.unwrap(), "koi8-r");
    }

    #[test]
    fn manifest_must_name_a_page() {
        let manifest = r#"{"originalUrl":"http://a/","archiveTime":"2026-01-02T03:04:05.678Z",
            "indexFilename":"i.html","title":"x","resources":{}}"#;
        let record = single_file(manifest.as_bytes()).unwrap();
        assert_eq!(&*record.url.as_ref().unwrap().value, "http://a/");
        assert_eq!(
            record.date.as_deref(),
            Some("2026-01-02T03:04:05.678000000Z")
        );
        let mut records = BTreeMap::new();
        insert(&mut records, "f/0/", record);
        assert_eq!(records.keys().next().unwrap(), "f/0/i.html");
        assert_eq!(single_file(br#"{"manifest_version":3,"name":"x"}"#), None);
    }

    #[test]
    fn record_is_in_the_folder_of_its_page() {
        let directory = |name| reader_of(name).map(|(directory, _)| directory);
        assert_eq!(directory("index.rdf"), Some(""));
        assert_eq!(directory("1/manifest.json"), Some("1/"));
        assert_eq!(directory("no-index.rdf"), None);
    }
}
