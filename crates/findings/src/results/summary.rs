//! The totals at the end of a report. Each number is stored once, so they are consistent.

use crate::{Finding, Level};

/// The number of findings of one level. Each finding is counted once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// The findings that are neither in the baseline nor allowed.
    pub new: u64,
    /// The findings in the baseline.
    pub known: u64,
    /// The findings that the user allows.
    pub allowed: u64,
}

impl Count {
    /// All of them.
    #[must_use]
    pub fn all(self) -> u64 {
        self.new + self.known + self.allowed
    }
}

/// The number of findings of each level.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    errors: Count,
    warnings: Count,
    notes: Count,
}

impl Totals {
    /// The count for one level; zero for [`Level::Off`].
    #[must_use]
    pub fn count(&self, level: Level) -> Count {
        match level {
            Level::Off => Count::default(),
            Level::Note => self.notes,
            Level::Warning => self.warnings,
            Level::Error => self.errors,
        }
    }

    /// Counts a finding.
    pub fn add(&mut self, finding: &Finding) {
        let count = match finding.level {
            Level::Off => return,
            Level::Note => &mut self.notes,
            Level::Warning => &mut self.warnings,
            Level::Error => &mut self.errors,
        };
        if finding.allowed().is_some() {
            count.allowed += 1;
        } else if finding.known {
            count.known += 1;
        } else {
            count.new += 1;
        }
    }

    /// Whether there is a new finding of `level` or above.
    #[must_use]
    pub fn fails(&self, level: Level) -> bool {
        Level::REPORTED
            .into_iter()
            .any(|reported| reported >= level && self.count(reported).new > 0)
    }
}

/// The number of links in one class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Class {
    /// Its name, for programs: `ok`, `missing`, `external`.
    pub name: &'static str,
    /// The words that follow its number of links: `missing files`.
    pub short: &'static str,
    /// The explanation for readers who do not know the name.
    pub about: &'static str,
    /// The number of links.
    pub links: u64,
    /// A remark on them; usually empty.
    pub note: String,
}

/// A table for people, in reports that have room for one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// What it shows.
    pub title: &'static str,
    /// The heads of its columns; the first column has names, the others numbers.
    pub columns: &'static [&'static str],
    /// Its rows, each with a cell for each column.
    pub rows: Vec<Vec<String>>,
}

/// The results of a check in numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// The number of documents.
    pub documents: u64,
    /// The number of messages that have parts among the documents.
    pub messages: u64,
    /// The number of documents that are parts of messages.
    pub message_parts: u64,
    /// The number of inputs that could not be read completely.
    pub unreadable: u64,
    /// The first of them with the reason; empty if it is not known.
    pub first_unreadable: String,
    /// The classes in display order, including empty ones. Every link is in exactly one, even if it
    /// was filtered out.
    pub classes: Vec<Class>,
    /// The findings.
    pub totals: Totals,
    /// More lines for people, before the last one.
    pub lines: Vec<String>,
    /// Tables for people.
    pub tables: Vec<Table>,
    /// The command's verdict, one sentence each; empty if the numbers suffice.
    pub verdict: Vec<String>,
}

impl Summary {
    /// The verdict on one line; empty if there is none.
    #[must_use]
    pub fn verdict_line(&self) -> String {
        self.verdict.join(" ")
    }

    /// The number of links: the sum over the classes.
    #[must_use]
    pub fn links(&self) -> u64 {
        self.classes.iter().map(|class| class.links).sum()
    }
}
