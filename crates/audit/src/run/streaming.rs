//! Judges documents while the rest are still read, as long as none depends on another.
//!
//! A mailbox of any size then takes no more room than what is read of it at a time.

use super::scanned::{Scanned, merge};
use crate::{Audit, Counts, Judge, ServingHints, StoredScan, rules};
use baseref_document::ReadError;
use baseref_evidence::captures::Builder;
use baseref_findings::{Finding, FindingSink, Refused, Summary};

/// What was passed on so far, in numbers.
#[derive(Default)]
pub(super) struct Emitted {
    pub(super) summary: Summary,
    pub(super) counts: Counts,
    pub(super) shows: ServingHints,
    /// Whether findings that are shown have places in decoded parts of messages.
    pub(super) has_decoded: bool,
    has_begun: bool,
    /// The name of the last message of which a part was passed on.
    last_message: String,
}

impl Emitted {
    /// Passes on what precedes the first document, unless that was done.
    pub(super) fn begin(
        &mut self,
        audit: &Audit,
        take: &mut dyn FindingSink,
    ) -> Result<(), Refused> {
        if std::mem::replace(&mut self.has_begun, true) {
            return Ok(());
        }
        take.begin()?;
        let unlisted = audit.unlisted();
        self.summary.unreadable += unlisted.len() as u64;
        take.findings(unlisted)
    }

    /// Counts a part of a message, and its message if it is the first part. A part is named by its
    /// message and its number: `box.mbox#3/1.2`.
    fn count_part(&mut self, doc: &str) {
        let message = doc.rsplit_once('/').map_or(doc, |(message, _)| message);
        self.summary.message_parts += 1;
        if self.last_message != message {
            self.summary.messages += 1;
            message.clone_into(&mut self.last_message);
        }
    }

    /// Passes on what is found in the next document.
    pub(super) fn tell(
        &mut self,
        audit: &Audit,
        judge: &mut Judge<'_>,
        scan: Result<StoredScan, Box<ReadError>>,
        take: &mut dyn FindingSink,
    ) -> Result<(), Refused> {
        let scan = match scan {
            Ok(scan) => scan,
            // Nothing is lost: as with such notes on documents, the links are all there.
            Err(error) if !error.kind.is_loss() => {
                take.remark(&error);
                return Ok(());
            }
            Err(error) => {
                self.summary.unreadable += 1;
                return take.findings(vec![audit.unreadable(&error)]);
            }
        };
        let judged = judge.judge(scan);
        self.summary.documents += 1;
        if judged.is_of_message {
            self.count_part(&judged.page.doc);
        }
        let is_loss = |finding: &&Finding| finding.rule == &rules::doc::unreadable::RULE;
        self.summary.unreadable += judged.findings.iter().filter(is_loss).count() as u64;
        self.counts.merge(&judged.counts);
        self.shows.merge(&judged.shows);
        self.has_decoded |= judged.is_decoded;
        take.links(&judged.page, &judged.links)?;
        take.document(&judged.page, judged.counts.judged(), judged.findings)?;
        if let Some(letter) = judged.message_summary {
            take.message_summary(&letter);
        }
        Ok(())
    }
}

/// Passes on the documents up to the first one that depends on others.
pub(super) struct Streaming<'a, 't> {
    audit: &'a Audit,
    judge: Judge<'a>,
    take: &'t mut (dyn FindingSink + Send),
    told: Emitted,
    /// Why the run cannot continue.
    refused: Option<Refused>,
}

impl<'a, 't> Streaming<'a, 't> {
    pub(super) fn new(audit: &'a Audit, take: &'t mut (dyn FindingSink + Send)) -> Self {
        let judge = audit.judge(take.excerpts(), Builder::default(), std::iter::empty());
        Self {
            audit,
            judge,
            take,
            told: Emitted::default(),
            refused: None,
        }
    }

    /// Passes on the next documents, or adds them to those that wait until all are known: behind one
    /// that does, all do, since reports are in order.
    pub(super) fn take(&mut self, waiting: &mut Scanned, mut more: Scanned) {
        if waiting.scans.is_empty() {
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
                if let Err(refused) = self.tell(scan) {
                    self.refused.get_or_insert(refused);
                }
            }
        }
        if self.refused.is_none() {
            merge(waiting, more);
        }
    }

    fn tell(&mut self, scan: Result<StoredScan, Box<ReadError>>) -> Result<(), Refused> {
        if self.refused.is_some() {
            return Ok(());
        }
        self.told.begin(self.audit, self.take)?;
        self.told.tell(self.audit, &mut self.judge, scan, self.take)
    }

    /// What was passed on.
    pub(super) fn finish(self) -> Result<Emitted, Refused> {
        match self.refused {
            Some(refused) => Err(refused),
            None => Ok(self.told),
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
    use crate::run::scanned::scan;
    use crate::run::{Planned, Request};

    #[derive(Default)]
    struct Documents(Vec<String>);

    impl FindingSink for Documents {
        fn document(&mut self, page: &PageName, _: u64, _: Vec<Finding>) -> Result<(), Refused> {
            self.0.push(page.key.clone());
            Ok(())
        }

        fn findings(&mut self, _: Vec<Finding>) -> Result<(), Refused> {
            Ok(())
        }
    }

    /// Emits the inputs of an audit one by one. Returns how many documents were emitted, and how many
    /// wait after each input.
    fn each_input(planned: Planned, sink: &mut (dyn FindingSink + Send)) -> (u64, Vec<usize>) {
        let (audit, started) = planned.start(sink.shown());
        let mut streaming = Streaming::new(&audit, sink);
        let (mut waiting, mut numbers) = (Scanned::default(), Vec::new());
        for input in started.inputs().0 {
            let one = std::iter::once(input);
            let work = |piece, scans: &mut Scanned| scan(&audit, piece, scans);
            let more = run::fold(one, NonZeroUsize::MIN, work, merge);
            streaming.take(&mut waiting, more);
            numbers.push(waiting.scans.len());
        }
        let emitted = streaming.finish().expect("nothing is refused");
        (emitted.summary.documents, numbers)
    }

    const MESSAGE: &str = "From x Mon Jan  5 09:00:00 2026\nContent-Type: text/html\n\n\
                           <a href=https://a.example/>a</a>\n\n";

    #[test]
    fn mail_is_emitted_at_once_and_no_document_overtakes_a_waiting_page() {
        let folder = tempfile::tempdir().expect("a folder");
        let page = "<a href=d.html#x>d</a>";
        for (name, text) in [
            ("a.mbox", MESSAGE.repeat(2)),
            ("b.html", page.to_owned()),
            ("c.mbox", MESSAGE.to_owned()),
            ("d.html", "<p id=x>".to_owned()),
        ] {
            fs::write(folder.path().join(name), text).expect("a file");
        }
        let planned = || {
            let request = Request {
                paths: vec![folder.path().to_owned()],
                ..Request::default()
            };
            Planned::new(request, &Config::default(), &Arc::default()).expect("a folder")
        };
        let mut take = Documents::default();
        let (told, waiting) = each_input(planned(), &mut take);
        assert_eq!(waiting, [0, 1, 2, 3]);
        assert_eq!(told, 2);
        let mut all_at_once = Documents::default();
        let mut streaming = Documents::default();
        let jobs = NonZeroUsize::MIN;
        let known = planned().run(jobs, &mut all_at_once).expect("a summary");
        let found = planned()
            .run_streaming(jobs, &mut streaming)
            .expect("a summary");
        assert_eq!(known.summary.documents, found.summary.documents);
        assert_eq!(all_at_once.0, streaming.0);
        assert_eq!(streaming.0.len(), 5);
    }
}
