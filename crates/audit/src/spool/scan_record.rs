//! The encoding of scans of captured pages on disk.

use std::sync::Arc;

use encoding_rs::Encoding;
use serde::{Deserialize, Serialize};

use super::finding_record::{BaseRecord, ExcerptRecord, FindingRecord, PositionRecord, Shared};
use crate::model::class::{Counts, LinkClass};
use crate::model::deferred::DeferredLinks;
use crate::model::provenance::Provenance;
use crate::model::scan::Scan;
use crate::serving::hints::ServingHints;
use baseref_document::{DocumentKind, RepeatedIdentifier};
use baseref_findings::{PageName, SourceLine};

const KINDS: [DocumentKind; 4] = [
    DocumentKind::Page,
    DocumentKind::Image,
    DocumentKind::Feed,
    DocumentKind::Sitemap,
];

const PROVENANCES: [Provenance; 3] = [Provenance::Alone, Provenance::Saved, Provenance::Archive];

/// The names of a document, with which its record begins.
#[derive(Debug, Serialize, Deserialize)]
struct NameRecord<'b> {
    doc: &'b str,
    key: &'b str,
    url: Option<&'b str>,
}

/// A scan without its element ids, its capture and its deferred links, which follow in another
/// encoding.
#[derive(Debug, Serialize, Deserialize)]
struct ScanRecord<'b> {
    #[serde(borrow)]
    name: NameRecord<'b>,
    base: BaseRecord<'b>,
    encoding: &'b str,
    /// The index in [`KINDS`].
    kind: usize,
    /// The index in [`PROVENANCES`].
    provenance: usize,
    is_part: bool,
    is_decoded: bool,
    record: Option<u64>,
    bases: Vec<Option<&'b str>>,
    #[serde(borrow)]
    repeated: Vec<RepeatedRecord<'b>>,
    #[serde(borrow)]
    findings: Vec<FindingRecord<'b>>,
    counts: [u64; LinkClass::ALL.len()],
}

#[derive(Debug, Serialize, Deserialize)]
struct RepeatedRecord<'b> {
    name: &'b str,
    at: PositionRecord,
    first: PositionRecord,
    line: Option<ExcerptRecord>,
}

/// Whether only its judge reads a scan: its document is in no site or package other than a ZIM file,
/// and its links are not listed.
pub(super) fn can_be_stored(scan: &Scan) -> bool {
    let is_of_files = scan.package.is_some() && scan.entry.is_none();
    let is_apart = scan.own.is_none() && !is_of_files && scan.signals.is_none();
    let is_unasked =
        scan.referred.is_empty() && scan.forwards.is_none() && scan.message_summary.is_none();
    let is_unlisted = scan.links.is_empty() && scan.texts.len() == 0;
    let deferred = scan.deferred();
    let is_of_urls = !deferred.has_files() && !deferred.has_lost();
    let is_of_archive = is_apart && is_unasked && is_unlisted && is_of_urls;
    // Few documents are damaged.
    is_of_archive
        && !scan.is_damaged
        && (scan.capture.is_some() || scan.entry.is_some())
        && scan.serving_hints == ServingHints::default()
}

/// A scan as bytes; `None` if it has a part that cannot be stored.
pub(super) fn to_bytes(scan: &Scan) -> Option<Vec<u8>> {
    let findings = scan.findings.iter();
    let findings = findings.map(|finding| FindingRecord::new(finding, &scan.name, &scan.base));
    let record = ScanRecord {
        name: NameRecord {
            doc: &scan.name.doc,
            key: &scan.name.key,
            url: scan.name.url.as_deref(),
        },
        base: BaseRecord::new(&scan.base)?,
        encoding: scan.encoding.name(),
        kind: KINDS.iter().position(|kind| *kind == scan.kind)?,
        provenance: PROVENANCES
            .iter()
            .position(|provenance| *provenance == scan.provenance)?,
        is_part: scan.is_part,
        is_decoded: scan.is_decoded,
        record: scan.record,
        bases: scan.bases.iter().map(Option::as_deref).collect(),
        repeated: scan
            .repeated
            .iter()
            .map(|(repeated, line)| RepeatedRecord::new(repeated, line.as_ref()))
            .collect(),
        findings: findings.collect::<Option<_>>()?,
        counts: LinkClass::ALL.map(|class| scan.counts.count(class)),
    };
    let links = scan.deferred().to_bytes()?;
    let mut bytes = postcard::to_allocvec(&record).ok()?;
    bytes.extend(links);
    Some(bytes)
}

/// The scan that [`to_bytes`] wrote; `None` if the bytes are damaged.
pub(super) fn from_bytes(bytes: &[u8]) -> Option<Scan> {
    let (record, links) = postcard::take_from_bytes::<ScanRecord<'_>>(bytes).ok()?;
    let name = Arc::new(record.name.into_name());
    let base = Arc::new(record.base.into_base()?);
    let mut shared = Shared::new(name, base);
    let findings = record.findings.into_iter();
    let findings = findings.map(|finding| finding.into_finding(&mut shared));
    let findings = findings.collect::<Option<_>>()?;
    let mut counts = Counts::default();
    for (class, links) in LinkClass::ALL.into_iter().zip(record.counts) {
        counts.add_all(class, links);
    }
    let bases = record.bases.into_iter().map(|base| base.map(Box::from));
    let repeated = record.repeated.into_iter();
    Some(Scan {
        encoding: Encoding::for_label(record.encoding.as_bytes())?,
        kind: *KINDS.get(record.kind)?,
        is_part: record.is_part,
        is_decoded: record.is_decoded,
        record: record.record,
        provenance: *PROVENANCES.get(record.provenance)?,
        repeated: repeated.map(RepeatedRecord::into_repeated).collect(),
        bases: bases.collect(),
        findings,
        deferred: Some(Box::new(DeferredLinks::from_bytes(links)?)),
        counts,
        ..Scan::new(shared.page, shared.base)
    })
}

/// The names of the document of a scan, given its first bytes; `None` if the names are longer.
pub(super) fn name_from_bytes(bytes: &[u8]) -> Option<PageName> {
    let (name, _) = postcard::take_from_bytes::<NameRecord<'_>>(bytes).ok()?;
    Some(name.into_name())
}

impl NameRecord<'_> {
    fn into_name(self) -> PageName {
        PageName {
            doc: self.doc.to_owned(),
            url: self.url.map(str::to_owned),
            key: self.key.to_owned(),
        }
    }
}

impl<'b> RepeatedRecord<'b> {
    fn new(repeated: &'b RepeatedIdentifier, line: Option<&'b SourceLine>) -> Self {
        let line = line.and_then(|line| line.around(&repeated.at.byte));
        Self {
            name: &repeated.name,
            at: PositionRecord::new(&repeated.at),
            first: PositionRecord::new(&repeated.first),
            line: line.as_deref().map(ExcerptRecord::new),
        }
    }

    fn into_repeated(self) -> (RepeatedIdentifier, Option<SourceLine>) {
        let repeated = RepeatedIdentifier {
            name: self.name.to_owned(),
            at: self.at.into_position(),
            first: self.first.into_position(),
        };
        (repeated, self.line.map(ExcerptRecord::into_line))
    }
}
