//! The end of an audit, once everything has been read.

use std::path::Path;
use std::sync::Arc;

use baseref_files::Files;
use baseref_findings::{Class, FindingSink, Summary};
use baseref_walk::skipped::{SkipReason, SkippedFiles};

use super::cdx::CdxLines;
use super::error::AuditError;
use super::other_names::OtherNames;
use super::scanned_inputs::ScannedInputs;
use super::streaming::EmittedTotals;
use crate::{Audit, LinkClass, MissingCaptures};
use baseref_server::rule_set::Redirects;

/// The result of an audit, apart from its findings.
#[derive(Debug)]
pub struct AuditOutcome {
    /// The totals, and lines for people.
    pub summary: Summary,
    /// The missing captures, if [`AuditRequest::lists_missing`](super::AuditRequest::lists_missing).
    pub missing: MissingCaptures,
}

/// The lists of a run besides its findings.
#[derive(Clone, Copy)]
pub(super) struct ListOptions {
    pub(super) unreferenced: bool,
    pub(super) missing: bool,
}

/// The final steps of an audit.
pub(super) struct Finish {
    pub(super) listed: ListOptions,
    /// The error of an audit without documents.
    pub(super) no_documents: String,
    pub(super) lines: CdxLines,
    pub(super) redirects: Option<Arc<dyn Redirects>>,
    pub(super) skipped: SkippedFiles,
    pub(super) other_names: OtherNames,
    pub(super) files: Arc<Files>,
}

impl Finish {
    /// Emits the remaining findings and builds the summary.
    pub(super) fn end(
        self,
        audit: &Audit,
        mut scanned: ScannedInputs,
        mut emitted: EmittedTotals,
        sink: &mut dyn FindingSink,
    ) -> Result<AuditOutcome, AuditError> {
        self.files.check_conflicts()?;
        scanned.captures.merge_lines(self.lines.captures);
        // Only a document that depends on no file of a site was emitted before.
        emitted.other_names = self.other_names;
        let AuditOutcome {
            mut summary,
            missing,
        } = judge(audit, scanned, emitted, sink, self.listed)?;
        if let Some(redirects) = self.redirects {
            sink.findings(redirects.findings())?;
        }
        summary.unreadable += self.lines.unread.len() as u64;
        summary.lines.extend(self.lines.unread);
        let skipped = self.skipped.lines(HOW);
        // An audit without documents must not look like a success.
        if summary.documents == 0 && summary.unreadable == 0 {
            let said = std::iter::once(self.no_documents).chain(skipped);
            let said = said.collect::<Vec<_>>().join("; ");
            return Err(AuditError::NoDocuments(said));
        }
        summary.lines.extend(skipped);
        Ok(AuditOutcome { summary, missing })
    }
}

/// How many media types of parts that are not read are named.
const KINDS_SHOWN: usize = 5;

/// How to include skipped files.
const HOW: &str = "; name it, or give --glob, to check what is in it";

/// Judges the remaining documents in order, emits their findings, and builds the summary.
fn judge(
    audit: &Audit,
    scanned: ScannedInputs,
    mut emitted: EmittedTotals,
    sink: &mut dyn FindingSink,
    with: ListOptions,
) -> Result<AuditOutcome, AuditError> {
    let ScannedInputs {
        mut scans,
        captures,
        skipped,
    } = scanned;
    let mut judge = audit.judge(sink.excerpts(), captures, scans.iter_mut().flatten());
    if with.missing {
        judge.list_missing_captures();
    }
    if sink.needs_all_documents() {
        let pages = scans.iter().flatten();
        sink.documents(&mut pages.filter_map(|scan| audit.page_of(scan)));
    }
    emitted.begin(audit, sink)?;
    for scan in scans {
        emitted.emit(audit, &mut judge, scan, sink)?;
    }
    let EmittedTotals {
        mut summary,
        counts,
        serving_hints,
        has_decoded,
        checked_names,
        ..
    } = emitted;
    sink.findings(judge.listed_not_captured())?;
    let (lines, tables) = judge.completeness();
    summary.unreadable += judge.lost();
    summary.tables = tables;
    let missing = if with.missing {
        judge.into_missing_captures()
    } else {
        MissingCaptures::default()
    };
    summary.classes = LinkClass::ALL
        .into_iter()
        .map(|class| Class {
            name: class.as_str(),
            short: class.short(counts.count(class)),
            about: class.about(),
            links: counts.count(class),
            note: String::new(),
        })
        .collect();
    summary.lines.extend(lines);
    summary.lines.extend(checked_names.line());
    summary.lines.extend(audit.serving_advice(&serving_hints));
    if has_decoded {
        summary.lines.push(DECODED.to_owned());
    }
    let types = skipped.by_type_in_words(KINDS_SHOWN);
    summary
        .lines
        .extend(types.map(|types| format!("parts of messages not read, by media type: {types}")));
    if with.unreferenced {
        let files = audit.unreferenced().map(|file| audit.path_of(file));
        let is_served = |file: &String| {
            let reason = SkipReason::from_path(Path::new(file));
            !matches!(reason, Some(SkipReason::Cache | SkipReason::Development))
        };
        let files = files.filter(is_served);
        summary
            .lines
            .extend(files.map(|file| format!("unreferenced: {file}")));
    }
    Ok(AuditOutcome { summary, missing })
}

/// The remark that positions in messages are not offsets in the file.
const DECODED: &str = "Line numbers in messages count within the decoded part; for offsets in the file \
                       use `links -f jsonl` (part_byte)";
