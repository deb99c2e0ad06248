//! What a move comes to, in words for people.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use crate::addresses::Row;
use crate::class::Via;
use baseref_findings::words::{number, plural};

/// The verdicts on addresses, and what they are after a number of addresses.
const VERDICTS: [(&str, &str); 11] = [
    ("page-ok", "with their page"),
    ("page-redirected", "redirected to a page"),
    ("redirect/chain", "redirected more than once"),
    ("page-retired", "gone for good"),
    ("redirect/offsite", "redirected to other sites"),
    ("lost-page", "lost"),
    ("replaced-asset", "of files that a build renamed"),
    ("redirect/missing", "without a rule"),
    ("redirect/dead-target", "redirected to nothing"),
    ("redirect/loop", "redirected without end"),
    ("not-known", "not known"),
];

/// How many old addresses lead where, in words.
pub(super) fn addresses_in_words(rows: &[Row]) -> String {
    let count = |verdict: &str| rows.iter().filter(|row| row.verdict == verdict).count() as u64;
    let parts: Vec<String> = VERDICTS
        .into_iter()
        .map(|(verdict, words)| (count(verdict), words))
        .filter(|(count, _)| *count > 0)
        .map(|(count, words)| format!("{} {words}", number(count)))
        .collect();
    let all = plural(rows.len() as u64, "old address", "old addresses");
    if parts.is_empty() {
        return all;
    }
    format!("{all}: {}", parts.join(", "))
}

/// The verdict on whether a tree can be moved as it is: it can, it cannot, or that is not known.
pub(super) struct Verdict {
    pub harmed: u64,
    pub pages: u64,
    pub causes: u64,
    /// What ties all links that would break, if that is one thing.
    pub via: Option<Via>,
    /// How many of the links that would break `--fix` repairs.
    pub repaired: u64,
    /// Whether this run repairs them.
    pub is_fixing: bool,
    pub by_base: u64,
    pub bases: u64,
    /// The links that are broken by the new tree.
    pub broken: u64,
    /// The files other than pages that are lost, which no page of the new tree links.
    pub lost_files: u64,
    /// The files other than documents from which programs take old addresses.
    pub other_files: u64,
    /// The old addresses that lead nowhere.
    pub lost: u64,
    /// How many of them may be new pages.
    pub proposed: u64,
    /// The old addresses of which it is not known where they lead.
    pub undecided: Undecided,
}

/// Addresses of which it is not known where they lead, by the lines of rules that decide it.
#[derive(Default)]
pub(super) struct Undecided {
    by_line: BTreeMap<(String, usize), u64>,
}

/// How many lines of rules the verdict names.
const MAX_LINES: usize = 3;

impl Undecided {
    /// Adds an address that this line of this file decides.
    pub(super) fn add(&mut self, file: &str, line: usize) {
        *self.by_line.entry((file.to_owned(), line)).or_default() += 1;
    }

    fn in_words(&self) -> Option<String> {
        let addresses: u64 = self.by_line.values().sum();
        if addresses == 0 {
            return None;
        }
        let mut lines: Vec<_> = self.by_line.iter().collect();
        lines.sort_by_key(|(_, count)| Reverse(**count));
        let named = lines.iter().take(MAX_LINES);
        let mut named: Vec<String> = named
            .map(|((file, line), _)| match line {
                0 => file.clone(),
                line => format!("{file}:{line}"),
            })
            .collect();
        if lines.len() > MAX_LINES {
            named.push(format!("{} more", lines.len() - MAX_LINES));
        }
        Some(format!(
            "where {} is not known: rules decide it by what is not read or not known here ({})",
            plural(addresses, "old address leads", "old addresses lead"),
            named.join(", ")
        ))
    }
}

impl Verdict {
    pub(super) fn in_words(&self) -> String {
        let mut losses = Vec::new();
        if self.harmed > 0 {
            losses.push(format!(
                "{} in {} would break{}",
                counted(self.harmed, "link", "links"),
                counted(self.pages, "document", "documents"),
                match self.via {
                    Some(_) => String::new(),
                    None => format!(", for {}", plural(self.causes, "reason", "reasons")),
                }
            ));
        }
        if self.by_base > 0 {
            losses.push(format!(
                "{} of them disappear by fixing {}",
                self.by_base,
                plural(self.bases, "base", "bases")
            ));
        }
        if self.broken > 0 {
            let links = plural(self.broken, "link is", "links are");
            losses.push(format!("{links} broken by the new tree"));
        }
        if self.lost_files > 0 {
            let files = plural(self.lost_files, "linked file is", "linked files are");
            losses.push(format!("{files} missing from the new tree"));
        }
        if self.other_files > 0 {
            let files = plural(self.other_files, "file that is", "files that are");
            let name = if self.other_files == 1 {
                "names"
            } else {
                "name"
            };
            losses.push(format!("{files} no page {name} the old place"));
        }
        if self.lost > 0 {
            let addresses = plural(self.lost, "old address leads", "old addresses lead");
            let proposed = match self.proposed {
                0 => String::new(),
                count => format!(" (for {count} a new page is proposed)"),
            };
            losses.push(format!("{addresses} nowhere{proposed}"));
        }
        match (losses.is_empty(), self.undecided.in_words()) {
            (true, None) => "Movable as it is".to_owned(),
            (true, Some(unknown)) => format!("Not known whether it is movable: {unknown}"),
            (false, unknown) => {
                losses.extend(unknown);
                let losses = losses.join("; ");
                format!("Not movable yet: {losses}{}", self.of_links_in_words())
            }
        }
    }

    /// What the links that would break have in common, and how many of them are repaired by a fix.
    fn of_links_in_words(&self) -> String {
        if self.harmed == 0 {
            return String::new();
        }
        let is_one = self.harmed == 1;
        let common = self.via.map(|via| {
            let subject = if is_one { "It is" } else { "All are" };
            format!("{subject} {}", via.in_words())
        });
        let left = self.harmed - self.repaired;
        let repaired = match (self.repaired, self.is_fixing) {
            (0, _) => None,
            (_, true) if left == 0 => {
                Some("This run repairs all of them: check the copy".to_owned())
            }
            (count, true) => Some(format!(
                "This run repairs {} of them, and {} left",
                number(count),
                plural(left, "link is", "links are")
            )),
            (count, false) if left > 0 => {
                Some(format!("`--fix` repairs {} of them", number(count)))
            }
            (_, false) => Some(format!(
                "`--fix` repairs {}",
                if is_one { "it" } else { "them" }
            )),
        };
        let sentence: Vec<String> = common.into_iter().chain(repaired).collect();
        if sentence.is_empty() {
            String::new()
        } else {
            format!(". {}", sentence.join("; "))
        }
    }
}

/// A count with its noun, thousands set apart.
fn counted(count: u64, one: &str, many: &str) -> String {
    format!("{} {}", number(count), if count == 1 { one } else { many })
}
