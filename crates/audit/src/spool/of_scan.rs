//! Scans of captured pages as bytes.

use std::sync::Arc;

use encoding_rs::Encoding;

use super::bytes::{Reader, Writer};
use super::of_finding::{self, Shared};
use crate::model::class::{Counts, LinkClass};
use crate::model::deferred::DeferredLinks;
use crate::model::provenance::Provenance;
use crate::model::scan::Scan;
use crate::serving::hints::ServingHints;
use baseref_document::{DocumentKind, Repeated};
use baseref_findings::{PageName, SourceLine};

const KINDS: [DocumentKind; 4] = [
    DocumentKind::Page,
    DocumentKind::Image,
    DocumentKind::Feed,
    DocumentKind::Sitemap,
];

const PROVENANCES: [Provenance; 3] = [Provenance::Alone, Provenance::Saved, Provenance::Archive];

/// Whether nothing asks for anything of a scan but its judge: its document is in no tree and no package,
/// and its links are not listed.
pub(super) fn is_of_archive(scan: &Scan) -> bool {
    let is_apart = scan.own.is_none() && scan.package.is_none() && scan.signals.is_none();
    let is_unasked = scan.referred.is_empty() && scan.forwards.is_none() && scan.letter.is_none();
    let is_unlisted = scan.links.is_empty() && scan.texts.len() == 0;
    let waiting = scan.waiting();
    let is_of_urls = !waiting.has_files() && !waiting.has_lost();
    let is_of_archive = is_apart && is_unasked && is_unlisted && is_of_urls;
    is_of_archive && scan.capture.is_some() && scan.shows == ServingHints::default()
}

/// A scan without the names of its elements and without its capture; `None` if it has what is not
/// written.
pub(super) fn to_bytes(scan: &Scan) -> Option<Vec<u8>> {
    let mut out = Writer::default();
    for text in [&scan.name.doc, &scan.name.key] {
        out.text(text);
    }
    out.option(scan.name.url.as_deref(), Writer::text);
    of_finding::write_base(&scan.base, &mut out)?;
    out.text(scan.encoding.name());
    out.number(KINDS.iter().position(|kind| *kind == scan.kind)? as u64);
    out.number(
        PROVENANCES
            .iter()
            .position(|provenance| *provenance == scan.provenance)? as u64,
    );
    out.flag(scan.is_part);
    out.flag(scan.is_decoded);
    out.option(scan.record, Writer::number);
    out.number(scan.bases.len() as u64);
    for base in &scan.bases {
        out.option(base.as_deref(), Writer::text);
    }
    out.number(scan.repeated.len() as u64);
    for repeated in &scan.repeated {
        write_repeated(repeated, &mut out);
    }
    out.number(scan.findings.len() as u64);
    for finding in &scan.findings {
        of_finding::write(finding, (&scan.name, &scan.base), &mut out)?;
    }
    for class in LinkClass::ALL {
        out.number(scan.counts.of(class));
    }
    out.0.extend(scan.waiting().to_bytes()?);
    Some(out.0)
}

/// The scan that [`to_bytes`] wrote; `None` if it did not write that.
pub(super) fn of_bytes(bytes: &[u8]) -> Option<Scan> {
    let from = &mut Reader::new(bytes);
    let name = Arc::new(read_name(from)?);
    let base = Arc::new(of_finding::read_base(from)?);
    let encoding = Encoding::for_label(from.text()?.as_bytes())?;
    let kind = *KINDS.get(from.size()?)?;
    let provenance = *PROVENANCES.get(from.size()?)?;
    let is_part = from.flag()?;
    let is_decoded = from.flag()?;
    let record = from.option(Reader::number)?;
    let mut bases = Vec::new();
    for _ in 0..from.number()? {
        bases.push(from.option(Reader::text)?.map(Box::from));
    }
    let mut repeated = Vec::new();
    for _ in 0..from.number()? {
        repeated.push(read_repeated(from)?);
    }
    let mut shared = Shared::new(name, base);
    let mut findings = Vec::new();
    for _ in 0..from.number()? {
        findings.push(of_finding::read(from, &mut shared)?);
    }
    let mut counts = Counts::default();
    for class in LinkClass::ALL {
        counts.add_all(class, from.number()?);
    }
    Some(Scan {
        encoding,
        kind,
        is_part,
        is_decoded,
        record,
        provenance,
        repeated,
        bases: bases.into(),
        findings,
        waiting: Some(Box::new(DeferredLinks::of_bytes(from.rest())?)),
        counts,
        ..Scan::new(shared.page, shared.base)
    })
}

/// The names of the document of a scan, with which its bytes begin; `None` if they end before.
pub(super) fn name_of_bytes(bytes: &[u8]) -> Option<PageName> {
    read_name(&mut Reader::new(bytes))
}

fn read_name(from: &mut Reader<'_>) -> Option<PageName> {
    let (doc, key) = (from.text()?.to_owned(), from.text()?.to_owned());
    let url = from.option(Reader::text)?.map(str::to_owned);
    Some(PageName { doc, url, key })
}

fn write_repeated((repeated, line): &(Repeated, Option<SourceLine>), out: &mut Writer) {
    out.text(&repeated.name);
    out.position(&repeated.at);
    out.position(&repeated.first);
    let line = line
        .as_ref()
        .and_then(|line| line.around(&repeated.at.byte));
    out.option(line.as_deref(), of_finding::write_excerpt);
}

fn read_repeated(from: &mut Reader<'_>) -> Option<(Repeated, Option<SourceLine>)> {
    let repeated = Repeated {
        name: from.text()?.to_owned(),
        at: from.position()?,
        first: from.position()?,
    };
    let line = from.option(of_finding::read_excerpt)?.map(SourceLine::of);
    Some((repeated, line))
}
