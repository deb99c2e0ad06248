//! Judges documents while the rest are still read, as long as none depends on another.
//!
//! A mailbox of any size then takes no more room than what is read of it at a time.

use super::audit::{Scanned, merge};
use baseref_audit::{Audit, Counts, Judge, ServingHints, StoredScan, rules};
use baseref_document::ReadError;
use baseref_evidence::captures::Builder;
use baseref_findings::{Finding, FindingSink, Refused, Summary};

/// What was passed on so far, in numbers.
#[derive(Default)]
pub(crate) struct Told {
    pub(crate) summary: Summary,
    pub(crate) counts: Counts,
    pub(crate) shows: ServingHints,
    /// Whether findings that are shown have places in decoded parts of messages.
    pub(crate) has_decoded: bool,
    has_begun: bool,
}

impl Told {
    /// Passes on what precedes the first document, unless that was done.
    pub(crate) fn begin(
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

    /// Passes on what is found in the next document.
    pub(crate) fn tell(
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
        let is_loss = |finding: &&Finding| finding.rule == &rules::doc::unreadable::RULE;
        self.summary.unreadable += judged.findings.iter().filter(is_loss).count() as u64;
        self.counts.merge(&judged.counts);
        self.shows.merge(&judged.shows);
        self.has_decoded |= judged.is_decoded;
        take.links(&judged.page, &judged.links)?;
        take.document(&judged.page, judged.counts.judged(), judged.findings)?;
        if let Some(letter) = judged.letter {
            take.letter(&letter);
        }
        Ok(())
    }
}

/// Passes on the documents up to the first one that depends on others.
pub(crate) struct InTurn<'a, 't> {
    audit: &'a Audit,
    judge: Judge<'a>,
    take: &'t mut (dyn FindingSink + Send),
    told: Told,
    /// Why the run cannot continue.
    refused: Option<Refused>,
}

impl<'a, 't> InTurn<'a, 't> {
    pub(crate) fn new(audit: &'a Audit, take: &'t mut (dyn FindingSink + Send)) -> Self {
        let judge = audit.judge(take.excerpts(), Builder::default(), std::iter::empty());
        Self {
            audit,
            judge,
            take,
            told: Told::default(),
            refused: None,
        }
    }

    /// Passes on the next documents, or adds them to those that wait until all are known: behind one
    /// that does, all do, since reports are in order.
    pub(crate) fn take(&mut self, waiting: &mut Scanned, mut more: Scanned) {
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
    pub(crate) fn finish(self) -> Result<Told, Refused> {
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

    use super::*;
    use crate::audit::{self, Planned, Request};
    use baseref_findings::{Config, PageName};

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

    const MESSAGE: &str = "From x Mon Jan  5 09:00:00 2026\nContent-Type: text/html\n\n\
                           <a href=https://a.example/>a</a>\n\n";

    #[test]
    fn mail_is_told_at_once_and_nothing_overtakes_a_page_that_waits() {
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
        let (told, waiting) = audit::tests::each_input(planned(), &mut take);
        assert_eq!(waiting, [0, 1, 2, 3]);
        assert_eq!(told, 2);
        let mut all_at_once = Documents::default();
        let mut in_turn = Documents::default();
        let jobs = NonZeroUsize::MIN;
        let known = planned().run(jobs, &mut all_at_once).expect("a summary");
        let found = planned()
            .run_in_turn(jobs, &mut in_turn)
            .expect("a summary");
        assert_eq!(known.summary.documents, found.summary.documents);
        assert_eq!(all_at_once.0, in_turn.0);
        assert_eq!(in_turn.0.len(), 5);
    }
}
