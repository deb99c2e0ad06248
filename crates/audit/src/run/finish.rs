//! The end of an audit, once everything has been read.

use std::path::Path;
use std::sync::Arc;

use baseref_files::Files;
use baseref_findings::{Class, FindingSink, Refused, Summary};
use baseref_walk::skipped::{SkipReason, SkippedFiles};

use super::cdx::CdxLines;
use super::scanned::Scanned;
use super::streaming::Emitted;
use crate::{Audit, LinkClass, MissingCaptures};
use baseref_server::rule_set::Redirects;

/// The result of an audit, apart from its findings.
#[derive(Debug)]
pub struct Audited {
    /// What was found, in numbers and lines.
    pub summary: Summary,
    /// What captured pages need and the captures lack, if
    /// [`Request::lists_missing`](super::Request::lists_missing).
    pub missing: MissingCaptures,
}

/// What a run lists besides findings.
#[derive(Clone, Copy)]
pub(super) struct Listed {
    pub(super) unreferenced: bool,
    pub(super) missing: bool,
}

/// What is done once everything has been read.
pub(super) struct Finish {
    pub(super) listed: Listed,
    /// Why an audit of no documents ends.
    pub(super) nothing: String,
    pub(super) lines: CdxLines,
    pub(super) redirects: Option<Arc<dyn Redirects>>,
    pub(super) skipped: SkippedFiles,
    pub(super) files: Arc<Files>,
}

impl Finish {
    /// Judges what is not yet told, and sums up.
    pub(super) fn end(
        self,
        audit: &Audit,
        mut scanned: Scanned,
        told: Emitted,
        take: &mut dyn FindingSink,
    ) -> Result<Audited, Refused> {
        if let Some(clash) = self.files.clash() {
            return Err(Refused(clash.to_string()));
        }
        scanned.captures.merge_lines(self.lines.captures);
        let Audited {
            mut summary,
            missing,
        } = judge(audit, scanned, told, take, self.listed)?;
        if let Some(redirects) = self.redirects {
            take.findings(redirects.findings())?;
        }
        summary.unreadable += self.lines.unread.len() as u64;
        summary.lines.extend(self.lines.unread);
        let skipped = self.skipped.lines(HOW);
        // What was not checked must not look as if all was well.
        if summary.documents == 0 && summary.unreadable == 0 {
            let said = std::iter::once(self.nothing).chain(skipped);
            return Err(Refused(said.collect::<Vec<_>>().join("; ")));
        }
        summary.lines.extend(skipped);
        Ok(Audited { summary, missing })
    }
}

/// How to read what was skipped.
const HOW: &str = "; name it, or give --glob, to check what is in it";

/// Judges the documents that are not yet told, in order, passes on the findings, and sums up.
fn judge(
    audit: &Audit,
    scanned: Scanned,
    mut told: Emitted,
    take: &mut dyn FindingSink,
    with: Listed,
) -> Result<Audited, Refused> {
    let Scanned {
        mut scans,
        captures,
    } = scanned;
    let mut judge = audit.judge(take.excerpts(), captures, scans.iter_mut().flatten());
    if with.missing {
        judge.list_missing_captures();
    }
    if take.needs_all_documents() {
        let pages = scans.iter().flatten();
        take.documents(&mut pages.filter_map(|scan| audit.page_of(scan)));
    }
    told.begin(audit, take)?;
    for scan in scans {
        told.tell(audit, &mut judge, scan, take)?;
    }
    let Emitted {
        mut summary,
        counts,
        shows,
        has_decoded,
        ..
    } = told;
    take.findings(judge.unfounded())?;
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
            short: class.short(counts.of(class)),
            about: class.about(),
            links: counts.of(class),
            note: String::new(),
        })
        .collect();
    summary.lines.extend(lines);
    summary.lines.extend(audit.shows(&shows));
    if has_decoded {
        summary.lines.push(DECODED.to_owned());
    }
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
    Ok(Audited { summary, missing })
}

/// The remark on positions in messages, which are not those in the file.
const DECODED: &str = "Line numbers in messages count within the decoded part; for offsets in the file \
                       use `links -f jsonl` (part_byte)";
