//! Every kind of line a report can hold: the wire schema. The README documents each field.

use serde::Serialize;

use crate::base::{BaseSource, Candidate, Established};
use crate::document::{Document, Note};
use crate::extract::archived_url::Capture;
use crate::extract::{Extraction, Link, Named};
use crate::resolve::{ResolveError, Rules};
use crate::slots::Class;

/// The version of the schema, `"v"` in every object.
const VERSION: u8 = 1;

/// A link with everything known of it.
#[derive(Debug, Serialize)]
pub struct LinkRecord<'a> {
    v: u8,
    r#type: &'static str,
    /// The document's origin.
    pub doc: &'a str,
    /// 1-based, in document order.
    pub seq: u64,
    /// The element's name.
    pub element: &'a str,
    /// The attribute's name.
    pub attr: &'a str,
    /// The link's class.
    pub class: &'static str,
    /// The anchor's text; null where the place has none.
    pub text: Option<&'a str>,
    /// The value as written, character references decoded.
    pub raw: &'a str,
    /// The resolved URL, or the one that it is the capture of; null exactly when `error` is not.
    pub url: Option<&'a str>,
    /// When a web archive captured the URL; only where it was taken out of the archive's URL.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub archived_at: Option<&'a str>,
    /// Why there is no URL.
    pub error: Option<&'static str>,
    /// The base it was resolved against; null when there is none.
    pub base: Option<&'a str>,
    /// The layer of that base.
    pub base_source: &'static str,
    /// The place of that base; null when there is none.
    pub base_at: Option<&'a str>,
    /// The rule set.
    pub resolver: &'static str,
    /// 1-based.
    pub line: Option<u32>,
    /// 1-based, in Unicode scalar values.
    pub column: Option<u32>,
    /// The value's bytes in the stored (mail: decoded) document, `[start, end)`; in the file for
    /// a header field.
    pub byte: Option<[u64; 2]>,
    /// The part's bytes in the file, `[start, end)`; only in mail, and not for a header field.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub part_byte: Option<[u64; 2]>,
    /// The MIME section of the part that the link names; null if it is a `cid:` of no part,
    /// absent if it names none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub part: Option<Option<String>>,
}

/// The columns of a link in CSV and TSV, in order.
pub const LINK_COLUMNS: [&str; 22] = [
    "doc",
    "seq",
    "element",
    "attr",
    "class",
    "text",
    "raw",
    "url",
    "archived_at",
    "error",
    "base",
    "base_source",
    "base_at",
    "resolver",
    "line",
    "column",
    "byte_start",
    "byte_end",
    "part_byte_start",
    "part_byte_end",
    "part",
    "v",
];

impl<'a> LinkRecord<'a> {
    /// The record of a link of the document whose origin prints as `doc`.
    #[must_use]
    pub fn new(doc: &'a str, document: &Document, rules: Rules, link: &Link<'a>) -> Self {
        let Link {
            reference,
            base,
            url,
            ..
        } = *link;
        Self {
            v: VERSION,
            r#type: "link",
            doc,
            seq: link.seq,
            element: reference.element,
            attr: reference.attr,
            class: reference.slot.class.as_str(),
            text: reference.text,
            raw: reference.value,
            url: url.ok(),
            archived_at: None,
            error: url.err().map(ResolveError::as_str),
            base: base.url(),
            base_source: base.source.as_str(),
            base_at: (base.source != BaseSource::None).then_some(base.at.as_str()),
            resolver: rules.as_str(),
            line: reference.at.map(|at| at.line.get()),
            column: reference.at.map(|at| at.column.get()),
            byte: reference.at.map(|at| [at.byte.start, at.byte.end]),
            part_byte: document
                .part_byte
                .as_ref()
                .filter(|_| reference.slot.class != Class::Header)
                .map(|range| [range.start, range.end]),
            part: match link.part {
                Named::Nothing => None,
                Named::Missing => Some(None),
                Named::Part(section) => Some(Some(section_in_words(section))),
            },
        }
    }

    /// The record with the URL that its own is the capture of.
    #[must_use]
    pub fn unwrapped(self, capture: &'a Capture<'_>) -> Self {
        Self {
            url: Some(&capture.original),
            archived_at: Some(capture.at),
            ..self
        }
    }

    /// The fields in the order of [`LINK_COLUMNS`]; an absent one is empty.
    #[must_use]
    pub fn row(&self) -> [String; LINK_COLUMNS.len()] {
        let number = |value: Option<u64>| value.map(|n| n.to_string()).unwrap_or_default();
        let text = |value: Option<&str>| value.unwrap_or_default().to_owned();
        [
            self.doc.to_owned(),
            self.seq.to_string(),
            self.element.to_owned(),
            self.attr.to_owned(),
            self.class.to_owned(),
            text(self.text),
            self.raw.to_owned(),
            text(self.url),
            text(self.archived_at),
            text(self.error),
            text(self.base),
            self.base_source.to_owned(),
            text(self.base_at),
            self.resolver.to_owned(),
            number(self.line.map(u64::from)),
            number(self.column.map(u64::from)),
            number(self.byte.map(|byte| byte[0])),
            number(self.byte.map(|byte| byte[1])),
            number(self.part_byte.map(|byte| byte[0])),
            number(self.part_byte.map(|byte| byte[1])),
            self.part.clone().flatten().unwrap_or_default(),
            self.v.to_string(),
        ]
    }
}

/// A MIME section as [`crate::document::Origin`] prints it.
fn section_in_words(section: &[u32]) -> String {
    let numbers: Vec<String> = section.iter().map(u32::to_string).collect();
    numbers.join(".")
}

/// The base of a document with the account of how it was found.
#[derive(Debug, Serialize)]
pub struct BaseRecord<'a> {
    v: u8,
    r#type: &'static str,
    /// The document's origin.
    pub doc: &'a str,
    /// The base; null when there is none.
    pub base: Option<&'a str>,
    /// Its layer.
    pub base_source: &'static str,
    /// Its place; null when there is none.
    pub base_at: Option<&'a str>,
    /// The rule set.
    pub resolver: &'static str,
    /// The character encoding the document was read in.
    pub encoding: &'static str,
    /// Every declaration, innermost layer first.
    pub candidates: Vec<CandidateRecord<'a>>,
    /// What else is to be known of the document.
    pub notes: Vec<NoteRecord<'a>>,
}

/// One declaration of a base.
#[derive(Debug, Serialize)]
pub struct CandidateRecord<'a> {
    /// Its layer.
    pub source: &'static str,
    /// Its place.
    pub at: &'a str,
    /// The value as it stands.
    pub value: &'a str,
    /// The absolute URL it stands for; null if it could not be had.
    pub url: Option<&'a str>,
    /// What became of it.
    pub verdict: &'static str,
}

/// The columns of a candidate in CSV and TSV, in order.
pub const CANDIDATE_COLUMNS: [&str; 8] = [
    "doc",
    "base",
    "base_source",
    "source",
    "at",
    "value",
    "url",
    "verdict",
];

/// A note on a document.
#[derive(Debug, Serialize)]
pub struct NoteRecord<'a> {
    /// The kind of note.
    pub code: &'static str,
    /// The particulars, in words.
    pub detail: &'a str,
    /// The line it is about, 1-based; null where there is none.
    pub line: Option<u32>,
}

impl<'a> BaseRecord<'a> {
    /// The record of a document whose origin prints as `doc`.
    #[must_use]
    pub fn new(doc: &'a str, extraction: &'a Extraction<'_>) -> Self {
        let Established {
            base,
            candidates,
            notes,
            ..
        } = extraction.established();
        let document = extraction.document();
        Self {
            v: VERSION,
            r#type: "base",
            doc,
            base: base.url(),
            base_source: base.source.as_str(),
            base_at: (base.source != BaseSource::None).then_some(base.at.as_str()),
            resolver: extraction.policy().rules.as_str(),
            encoding: document.encoding,
            candidates: candidates.iter().map(CandidateRecord::new).collect(),
            notes: notes
                .iter()
                .chain(&document.notes)
                .chain(extraction.notes())
                .map(NoteRecord::new)
                .collect(),
        }
    }
}

impl<'a> CandidateRecord<'a> {
    fn new(candidate: &'a Candidate) -> Self {
        Self {
            source: candidate.source.as_str(),
            at: &candidate.at,
            value: &candidate.value,
            url: candidate.url.as_deref(),
            verdict: candidate.verdict.as_str(),
        }
    }
}

impl<'a> NoteRecord<'a> {
    fn new(note: &'a Note) -> Self {
        Self {
            code: note.code.as_str(),
            detail: &note.detail,
            line: note.line.map(std::num::NonZeroU32::get),
        }
    }
}

/// One reference of `baseref resolve`.
#[derive(Debug, Serialize)]
pub struct ResolveRecord<'a> {
    v: u8,
    r#type: &'static str,
    /// The base as given; may be empty (RFC 1808 §3.4).
    pub base: &'a str,
    /// The reference as given.
    pub raw: &'a str,
    /// The resolved URL; null exactly when `error` is not.
    pub url: Option<&'a str>,
    /// Why there is no URL.
    pub error: Option<&'static str>,
    /// The rule set.
    pub resolver: &'static str,
}

impl<'a> ResolveRecord<'a> {
    /// The record of a reference resolved by one rule set.
    #[must_use]
    pub fn new(
        base: &'a str,
        raw: &'a str,
        rules: Rules,
        url: Result<&'a str, ResolveError>,
    ) -> Self {
        Self {
            v: VERSION,
            r#type: "resolve",
            base,
            raw,
            url: url.ok(),
            error: url.err().map(ResolveError::as_str),
            resolver: rules.as_str(),
        }
    }
}

/// One reference of `baseref resolve --compare`: what each rule set makes of it.
#[derive(Debug, Serialize)]
pub struct CompareRecord<'a> {
    v: u8,
    r#type: &'static str,
    /// The base as given.
    pub base: &'a str,
    /// The reference as given.
    pub raw: &'a str,
    /// Under RFC 1808; null where there is none, and so below.
    pub rfc1808: Option<&'a str>,
    /// Under RFC 3986.
    pub rfc3986: Option<&'a str>,
    /// Under the URL Standard.
    pub whatwg: Option<&'a str>,
    /// Whether they are not all the same.
    pub differ: bool,
}

impl<'a> CompareRecord<'a> {
    /// The record of a reference resolved by every rule set, in the order of [`Rules::ALL`].
    #[must_use]
    pub fn new(base: &'a str, raw: &'a str, urls: [Option<&'a str>; Rules::ALL.len()]) -> Self {
        let [rfc1808, rfc3986, whatwg] = urls;
        Self {
            v: VERSION,
            r#type: "compare",
            base,
            raw,
            rfc1808,
            rfc3986,
            whatwg,
            differ: rfc1808 != rfc3986 || rfc3986 != whatwg,
        }
    }
}
