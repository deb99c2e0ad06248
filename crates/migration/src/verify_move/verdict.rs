//! The verdict on a move, in words.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use crate::addresses::{AddressVerdict, Row};
use crate::class::Via;
use baseref_findings::words::{number, plural};

/// Describes the number of old addresses with each verdict.
pub(super) fn addresses_in_words(rows: &[Row]) -> String {
    let count =
        |verdict: &AddressVerdict| rows.iter().filter(|row| row.verdict == *verdict).count() as u64;
    let parts: Vec<String> = AddressVerdict::ALL
        .iter()
        .map(|verdict| (count(verdict), verdict.in_words()))
        .filter(|(count, _)| *count > 0)
        .map(|(count, words)| format!("{} {words}", number(count)))
        .collect();
    let all = plural(rows.len() as u64, "old address", "old addresses");
    if parts.is_empty() {
        return all;
    }
    format!("{all}: {}", parts.join(", "))
}

/// Whether a site is ready to move.
pub(super) struct Verdict {
    /// The number of links that would break.
    pub harmed: u64,
    /// The number of pages with such links.
    pub pages: u64,
    /// The number of reasons why they would break.
    pub causes: u64,
    /// How the links that would break are written, if that is the same for all.
    pub via: Option<Via>,
    /// The number of broken links that `--fix` repairs.
    pub repaired: u64,
    /// Whether this run repairs them.
    pub is_fixing: bool,
    /// The number of broken links that new bases repair.
    pub by_base: u64,
    /// The number of those bases.
    pub bases: u64,
    /// The number of links that the rebuild broke.
    pub broken: u64,
    /// The number of links that lead to another page since the rebuild.
    pub changed: u64,
    /// The number of lost files that are not pages and that no page of the new site links to.
    pub lost_files: u64,
    /// The number of other files with old addresses that programs follow.
    pub other_files: u64,
    /// The number of old addresses without a page or a redirect to one.
    pub lost: u64,
    /// The number of lost addresses for which a new page is proposed.
    pub proposed: u64,
    /// The old addresses whose targets are unknown.
    pub undecided: Undecided,
    /// The number of redirect rules that do not do what they say.
    pub rule_faults: u64,
    /// The number of errors among the findings.
    pub errors: u64,
    /// The number of files and folders that could not be read.
    pub unread: u64,
}

/// Undecided addresses, grouped by the rule that makes them undecidable.
#[derive(Default)]
pub(super) struct Undecided {
    by_line: BTreeMap<(String, usize), u64>,
    /// The number of addresses in folders that could not be listed.
    pub(super) in_unread: u64,
}

/// The maximum number of rules that the verdict names.
const MAX_LINES: usize = 3;

impl Undecided {
    /// Adds an address whose target depends on this line of a rule file.
    pub(super) fn add(&mut self, file: &str, line: usize) {
        *self.by_line.entry((file.to_owned(), line)).or_default() += 1;
    }

    fn in_words(&self) -> Vec<String> {
        let unread = (self.in_unread > 0).then(|| {
            let addresses = plural(self.in_unread, "old address is", "old addresses are");
            format!("{addresses} undecided, because a folder could not be read.")
        });
        self.by_rules_in_words().into_iter().chain(unread).collect()
    }

    fn by_rules_in_words(&self) -> Option<String> {
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
            "{} undecided, because rules depend on what baseref cannot see ({}).",
            plural(addresses, "old address is", "old addresses are"),
            named.join(", ")
        ))
    }
}

impl Verdict {
    /// The verdict, one sentence each.
    pub(super) fn in_words(&self) -> Vec<String> {
        let mut problems = self.problems();
        let mut undecided = self.undecided.in_words();
        if problems.is_empty() && undecided.is_empty() && self.errors > 0 {
            problems.push(format!("{}.", plural(self.errors, "error", "errors")));
        }
        if self.unread > 0 {
            let parts = plural(self.unread, "file or folder", "files or folders");
            undecided.push(format!("{parts} could not be read."));
        }
        let verdict = match (problems.is_empty(), undecided.is_empty()) {
            (true, true) => "Ready to move.",
            (true, false) => "Not known whether it is ready to move.",
            (false, _) => "Not ready to move.",
        };
        let verdict = std::iter::once(verdict.to_owned());
        verdict.chain(problems).chain(undecided).collect()
    }

    /// What is wrong, one sentence each.
    fn problems(&self) -> Vec<String> {
        let mut problems = Vec::new();
        if self.harmed > 0 {
            problems.push(self.broken_links());
        }
        if self.by_base > 0 {
            problems.push(format!(
                "Fixing {} repairs {} of them.",
                plural(self.bases, "base", "bases"),
                self.by_base
            ));
        }
        if self.harmed > 0 {
            problems.extend(self.repair());
        }
        if self.broken > 0 {
            let links = plural(self.broken, "link is", "links are");
            problems.push(format!("{links} broken in the new site."));
        }
        if self.changed > 0 {
            let links = plural(self.changed, "link leads", "links lead");
            problems.push(format!("{links} to a different page in the new site."));
        }
        if self.lost_files > 0 {
            let files = plural(self.lost_files, "linked file is", "linked files are");
            problems.push(format!("{files} missing from the new site."));
        }
        if self.other_files > 0 {
            let files = plural(self.other_files, "other file names", "other files name");
            problems.push(format!("{files} the old location."));
        }
        if self.lost > 0 {
            let addresses = plural(self.lost, "old address leads", "old addresses lead");
            let proposed = match self.proposed {
                0 => String::new(),
                count => format!(" (for {count} a new page is proposed)"),
            };
            problems.push(format!("{addresses} nowhere{proposed}."));
        }
        if self.rule_faults > 0 {
            let faults = plural(self.rule_faults, "redirect rule has", "redirect rules have");
            problems.push(format!("{faults} a fault."));
        }
        problems
    }

    /// How many links would break, in how many documents, and why.
    fn broken_links(&self) -> String {
        let links = plural_with_commas(self.harmed, "link", "links");
        let pages = plural_with_commas(self.pages, "document", "documents");
        if let Some(via) = self.via {
            format!("{links} in {pages} would break: {}.", via.in_words())
        } else {
            let causes = plural(self.causes, "reason", "reasons");
            format!("{links} in {pages} would break, for {causes}.")
        }
    }

    /// How many of the links that would break `--fix` repairs; `None` if it repairs none.
    fn repair(&self) -> Option<String> {
        let left = self.harmed - self.repaired;
        Some(match (self.repaired, self.is_fixing) {
            (0, _) => return None,
            (1, true) if left == 0 => "`--fix` repairs it in its output.".to_owned(),
            (_, true) if left == 0 => "`--fix` repairs them in its output.".to_owned(),
            (count, true) => format!(
                "`--fix` repairs {} of them in its output; {} left.",
                number(count),
                plural(left, "link is", "links are")
            ),
            (count, false) if left > 0 => format!("`--fix` can repair {} of them.", number(count)),
            (1, false) => "`--fix` can repair it.".to_owned(),
            (_, false) => "`--fix` can repair them.".to_owned(),
        })
    }
}

/// A count with its noun, with commas between thousands.
fn plural_with_commas(count: u64, one: &str, many: &str) -> String {
    format!("{} {}", number(count), if count == 1 { one } else { many })
}
