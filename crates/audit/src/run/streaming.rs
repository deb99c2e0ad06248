//! Emits findings while later documents are being read, up to the first document that depends on
//! others.
//!
//! The memory of an audit is then independent of the size of a mailbox.

use super::other_names::{CheckedNames, OtherNames};
use super::scanned_inputs::{ScannedInputs, merge};
use crate::{Audit, Counts, Judge, ServingHints, StoredScan, rules};
use baseref_document::ReadError;
use baseref_evidence::captures::Builder;
use baseref_findings::{Finding, FindingSink, SinkError, Summary};

/// The totals of the documents emitted so far.
#[derive(Default)]
pub(super) struct EmittedTotals {
    pub(super) summary: Summary,
    pub(super) counts: Counts,
    pub(super) serving_hints: ServingHints,
    /// Whether findings that are shown have positions in decoded parts of messages.
    pub(super) has_decoded: bool,
    /// The other names of documents.
    pub(super) other_names: OtherNames,
    pub(super) checked_names: CheckedNames,
    has_begun: bool,
    /// The name of the latest message that had an emitted part.
    last_message: String,
}

impl EmittedTotals {
    /// Emits what precedes the first document, on the first call.
    pub(super) fn begin(
        &mut self,
        audit: &Audit,
        sink: &mut dyn FindingSink,
    ) -> Result<(), SinkError> {
        if std::mem::replace(&mut self.has_begun, true) {
            return Ok(());
        }
        sink.begin()?;
        let unlisted = audit.unlisted();
        self.summary.unreadable += unlisted.len() as u64;
        sink.findings(unlisted)
    }

    /// Counts a part of a message, and the message itself at its first part. A part is named by its
    /// message and number: `box.mbox#3/1.2`.
    fn count_part(&mut self, doc: &str) {
        let message = doc.rsplit_once('/').map_or(doc, |(message, _)| message);
        self.summary.message_parts += 1;
        if self.last_message != message {
            self.summary.messages += 1;
            message.clone_into(&mut self.last_message);
        }
    }

    /// Emits the findings of the next document.
    pub(super) fn emit(
        &mut self,
        audit: &Audit,
        judge: &mut Judge<'_>,
        scan: Result<StoredScan, Box<ReadError>>,
        sink: &mut dyn FindingSink,
    ) -> Result<(), SinkError> {
        let scan = match scan {
            Ok(scan) => scan,
            // No link is lost, as with such remarks on documents.
            Err(error) if !error.kind.is_loss() => {
                sink.remark(&error);
                return Ok(());
            }
            Err(error) => {
                self.summary.unreadable += 1;
                if self.summary.first_unreadable.is_empty() {
                    self.summary.first_unreadable = error.to_string();
                }
                return sink.findings(vec![audit.unreadable(&error)]);
            }
        };
        let judged = judge.judge(scan);
        self.summary.documents += 1;
        let names = &self.other_names;
        names.check(&judged.page.doc, &mut self.checked_names);
        if judged.is_of_message {
            self.count_part(&judged.page.doc);
        }
        let is_loss = |finding: &&Finding| finding.rule == &rules::doc::unreadable::RULE;
        self.summary.unreadable += judged.findings.iter().filter(is_loss).count() as u64;
        self.counts.merge(&judged.counts);
        self.serving_hints.merge(&judged.serving_hints);
        self.has_decoded |= judged.is_decoded;
        sink.links(&judged.page, &judged.links)?;
        sink.document(&judged.page, judged.counts.judged(), judged.findings)?;
        if let Some(summary) = judged.message_summary {
            sink.message_summary(&summary);
        }
        Ok(())
    }
}

/// Emits documents up to the first one that depends on others.
pub(super) struct Streaming<'a, 't> {
    audit: &'a Audit,
    judge: Judge<'a>,
    sink: &'t mut (dyn FindingSink + Send),
    emitted: EmittedTotals,
    /// Why the run cannot continue.
    refused: Option<SinkError>,
}

impl<'a, 't> Streaming<'a, 't> {
    pub(super) fn new(audit: &'a Audit, sink: &'t mut (dyn FindingSink + Send)) -> Self {
        let judge = audit.judge(sink.excerpts(), Builder::default(), std::iter::empty());
        Self {
            audit,
            judge,
            sink,
            emitted: EmittedTotals::default(),
            refused: None,
        }
    }

    /// Emits the next documents, or adds them to the deferred ones. Reports are in input order, so
    /// all documents after a deferred one are deferred.
    pub(super) fn take(&mut self, deferred: &mut ScannedInputs, mut more: ScannedInputs) {
        if deferred.scans.is_empty() {
            let is_certain = |scan: &Result<StoredScan, Box<ReadError>>| match scan {
                Ok(scan) => scan.is_alone(),
                Err(_) => true,
            };
            let certain = more
                .scans
                .iter()
                .take_while(|scan| is_certain(scan))
                .count();
            for scan in more.scans.drain(..certain) {
                if let Err(refused) = self.emit(scan) {
                    self.refused.get_or_insert(refused);
                }
            }
        }
        if self.refused.is_none() {
            merge(deferred, more);
        }
    }

    fn emit(&mut self, scan: Result<StoredScan, Box<ReadError>>) -> Result<(), SinkError> {
        if self.refused.is_some() {
            return Ok(());
        }
        self.emitted.begin(self.audit, self.sink)?;
        self.emitted
            .emit(self.audit, &mut self.judge, scan, self.sink)
    }

    /// The totals of the emitted documents.
    pub(super) fn finish(self) -> Result<EmittedTotals, SinkError> {
        match self.refused {
            Some(refused) => Err(refused),
            None => Ok(self.emitted),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::num::NonZeroUsize;
    use std::sync::Arc;

    use baseref_findings::{Config, PageName};
    use baseref_run as run;

    use super::*;
    use crate::run::scanned_inputs::scan;
    use crate::run::{AuditRequest, Plan};

    #[derive(Default)]
    struct Documents(Vec<String>);

    impl FindingSink for Documents {
        fn document(&mut self, page: &PageName, _: u64, _: Vec<Finding>) -> Result<(), SinkError> {
            self.0.push(page.key.clone());
            Ok(())
        }

        fn findings(&mut self, _: Vec<Finding>) -> Result<(), SinkError> {
            Ok(())
        }
    }

    /// Emits the inputs of an audit one by one. Returns the number of emitted documents, and the
    /// number of deferred ones after each input.
    fn each_input(plan: Plan, sink: &mut (dyn FindingSink + Send)) -> (u64, Vec<usize>) {
        let (audit, started) = plan.start(sink.shown());
        let mut streaming = Streaming::new(&audit, sink);
        let (mut deferred, mut numbers) = (ScannedInputs::default(), Vec::new());
        for input in started.inputs().0 {
            let one = std::iter::once(input);
            let work = |piece, scans: &mut ScannedInputs| scan(&audit, piece, scans);
            let more = run::fold(one, NonZeroUsize::MIN, work, merge);
            streaming.take(&mut deferred, more);
            numbers.push(deferred.scans.len());
        }
        let emitted = streaming.finish().expect("nothing is refused");
        (emitted.summary.documents, numbers)
    }

    const MESSAGE: &str = "From x Mon Jan  5 09:00:00 2026\nContent-Type: text/html\n\n\
                           <a href=https://a.example/>a</a>\n\n";

    #[test]
    fn mail_is_emitted_at_once_and_no_document_overtakes_a_waiting_page() {
        let folder = tempfile::tempdir().expect("the folder exists");
        let page = "<a href=d.html#x>d</a>";
        for (name, text) in [
            ("a.mbox", MESSAGE.repeat(2)),
            ("b.html", page.to_owned()),
            ("c.mbox", MESSAGE.to_owned()),
            ("d.html", "<p id=x>".to_owned()),
        ] {
            fs::write(folder.path().join(name), text).expect("the file is written");
        }
        let plan = || {
            let request = AuditRequest {
                paths: vec![folder.path().to_owned()],
                ..AuditRequest::default()
            };
            Plan::new(request, &Config::default(), &Arc::default()).expect("the folder exists")
        };
        let mut sink = Documents::default();
        let (emitted, deferred) = each_input(plan(), &mut sink);
        assert_eq!(deferred, [0, 1, 2, 3]);
        assert_eq!(emitted, 2);
        let mut all_at_once = Documents::default();
        let mut streaming = Documents::default();
        let jobs = NonZeroUsize::MIN;
        let expected = plan()
            .run(jobs, &mut all_at_once)
            .expect("the audit succeeds");
        let found = plan()
            .run_streaming(jobs, &mut streaming)
            .expect("the audit succeeds");
        assert_eq!(expected.summary.documents, found.summary.documents);
        assert_eq!(all_at_once.0, streaming.0);
        assert_eq!(streaming.0.len(), 5);
    }
}
