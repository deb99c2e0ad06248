//! The summary of a check: the links by class, and the verdict.

use std::collections::BTreeMap;

use super::plan::Plan;
use super::reading::SiteDocuments;
use super::unapplied_rules;
use super::verdict::{Undecided, Verdict, addresses_in_words};
use crate::addresses::Row;
use crate::class::{MoveClass, Via};
use crate::compare::SiteComparison;
use crate::rules;
use baseref_document::ReadError;
use baseref_findings::words::plural;
use baseref_findings::{Class, Finding, Summary};
use baseref_server::follow::{MoveContext, RuleLine};
use baseref_site::listing::Tree;
use baseref_walk::skipped::{SkipReason, SkippedFiles};

impl Plan {
    /// The number of links that `--fix` repairs, including those that a new base repairs.
    fn repaired(&self, docs: &SiteDocuments, by_base: u64) -> u64 {
        if self.new_tree.is_some() {
            return 0;
        }
        let findings = docs.pages.iter().flat_map(|page| &page.judgement.findings);
        let is_fixed =
            |finding: &&Finding| finding.fix.is_some() && finding.rule != &rules::BASE_PINS;
        findings.filter(is_fixed).count() as u64 + by_base
    }

    /// The addresses with unknown targets, by the rules that they depend on.
    fn undecided(&self, rows: &[Row]) -> Undecided {
        let mut undecided = Undecided::default();
        undecided.in_unread = rows.iter().filter(|row| row.is_unread()).count() as u64;
        for RuleLine { file, line } in rows
            .iter()
            .filter_map(|row| row.undecided.as_deref().copied())
        {
            if let Some(source) = self.sources.get(file) {
                let (name, line) = source.place(line);
                undecided.add(&name.doc, line);
            }
        }
        undecided
    }

    /// The files of both sites that are not read as documents.
    fn skipped(&self) -> SkippedFiles {
        let mut skipped = SkippedFiles::default();
        for tree in [self.old.folder(), self.new_tree.as_ref()] {
            for path in tree.into_iter().flat_map(Tree::paths) {
                if let Some(why) = SkipReason::from_path(&path) {
                    skipped.add(why, &path);
                }
            }
        }
        skipped
    }

    /// Describes an old site that is an archive or an index, and the parts that were left out.
    fn old_site_lines(&self, docs: &SiteDocuments) -> Vec<String> {
        let mut lines = self.old.lines.clone();
        if docs.left_out > 0 {
            let dir = self.request.dir.display();
            let documents = plural(docs.left_out, "document", "documents");
            lines.push(format!(
                "{dir}: left out: {documents} of mail and archives in it"
            ));
        }
        lines
    }

    pub(super) fn summary(
        &self,
        docs: &SiteDocuments,
        compared: &SiteComparison,
        context: &MoveContext<'_>,
        rows: &[Row],
        other_files: u64,
    ) -> (Summary, Verdict) {
        let mut classes = [0_u64; MoveClass::ALL.len()];
        let mut ties: BTreeMap<(MoveClass, Via), u64> = BTreeMap::new();
        let (mut by_base, mut bases, mut pages) = (0, 0, 0);
        for page in &docs.pages {
            for (sum, count) in classes.iter_mut().zip(page.judgement.classes) {
                *sum += count;
            }
            for (tie, count) in &page.judgement.ties {
                *ties.entry(*tie).or_default() += count;
            }
            by_base += page.judgement.by_base;
            bases += u64::from(page.judgement.by_base > 0);
            let harmed = MoveClass::ALL.into_iter().zip(page.judgement.classes);
            let is_harmed = harmed
                .into_iter()
                .any(|(class, n)| class.is_broken() && n > 0);
            pages += u64::from(is_harmed);
        }
        let causes_in_words = |class: MoveClass| {
            let own = ties.iter().filter(|((tied, _), _)| *tied == class);
            let parts: Vec<String> = own
                .map(|((_, via), count)| format!("{} {}", count, via.in_words()))
                .collect();
            parts.join(", ")
        };
        let harmed: u64 = MoveClass::ALL
            .into_iter()
            .zip(classes)
            .filter(|(class, _)| class.is_broken())
            .map(|(_, count)| count)
            .sum();
        let mut lines: Vec<String> = MoveClass::ALL
            .into_iter()
            .filter(|class| class.is_broken() && classes[*class as usize] > 0)
            .map(|class| {
                format!(
                    "{} {}: {}",
                    plural(classes[class as usize], "link", "links"),
                    class.in_words(),
                    causes_in_words(class)
                )
            })
            .collect();
        lines.extend(self.old_site_lines(docs));
        lines.extend(compared.lines.iter().cloned());
        lines.extend(self.skipped().lines(""));
        for one in &self.lists {
            let left_out = one.list.left_out.iter();
            lines.extend(left_out.map(|what| format!("{}: left out: {what}", one.name.doc)));
        }
        if !context.rules.is_empty() || self.new_tree.is_some() {
            lines.push(addresses_in_words(rows));
        }
        if let Some(tree) = self.new_tree.as_ref().filter(|_| context.rules.is_empty()) {
            lines.extend(unapplied_rules::lines(tree.root(), &self.files));
        }
        let loses = |error: &&ReadError| error.kind.is_loss();
        let causes = || ties.keys().filter(|(class, _)| class.is_broken());
        let mut vias: Vec<Via> = causes().map(|(_, via)| *via).collect();
        vias.sort_unstable();
        vias.dedup();
        let verdict = Verdict {
            harmed,
            pages,
            causes: causes().count() as u64,
            via: vias.first().copied().filter(|_| vias.len() == 1),
            repaired: self.repaired(docs, by_base).min(harmed),
            is_fixing: docs.is_fixing,
            by_base,
            bases,
            broken: compared.broken,
            changed: compared.changed,
            lost_files: compared.lost_files,
            other_files,
            lost: rows.iter().filter(|row| row.is_lost()).count() as u64,
            proposed: rows.iter().filter(|row| row.needs_proposed_rule()).count() as u64,
            undecided: self.undecided(rows),
            rule_faults: 0,
            errors: 0,
            unread: docs.unread.iter().filter(loses).count() as u64,
        };
        let summary = Summary {
            documents: docs.pages.len() as u64,
            unreadable: verdict.unread,
            classes: MoveClass::ALL
                .into_iter()
                .zip(classes)
                .map(|(class, links)| Class {
                    name: class.as_str(),
                    short: class.short(),
                    about: class.in_words(),
                    links,
                    note: causes_in_words(class),
                })
                .collect(),
            lines,
            ..Summary::default()
        };
        (summary, verdict)
    }
}
